"""Pictures inside a PDF as inks.

Invariant: opacity masks and pictures of greys stay as they are; JPEGs stay JPEGs; a table of colours is converted and
its pixels are not touched; the greys of a drawing in pixels are black ink alone, those of a photo are not.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pikepdf
from pikepdf import Array, Name, Object, Pdf
from PIL import Image

from dobble_print.press.color.spaces import Kind, Palette, convert_space, kind_of

DRAWN_FROM = 0.5  # the share of pixels that equal their neighbour; drawings have 0.9 and more, photos 0.2
INVERTED = [1, 0] * 4  # what Pillow, as Adobe, writes into a CMYK JPEG


def convert_picture(pdf: Pdf, image: Object, palette: Palette) -> None:
    """Rewrite a picture in place, where its colours are those of a screen."""
    if image.get(Name.ImageMask, False) or Name.ColorSpace not in image:
        return
    kind = kind_of(image.ColorSpace)
    if kind is Kind.INDEXED_RGB:
        image.ColorSpace = convert_space(pdf, image.ColorSpace, palette)
    elif kind is Kind.GREY:
        image.ColorSpace = Name.DeviceGray
    elif kind is Kind.RGB:
        _convert_pixels(pdf, image, palette)
    if Name.SMask in image and Name.Matte in image.SMask:
        image.SMask.Matte = Array(list(palette.flat([float(value) for value in image.SMask.Matte])))


def _convert_pixels(pdf: Pdf, image: Object, palette: Palette) -> None:
    jpeg = _ends_with_jpeg(image)
    picture = _open(image)
    if isinstance(image.get(Name.Mask), Array):
        image.Mask = _mask_keyed(pdf, picture, [int(value) for value in image.Mask])
    _forget(image, "/Decode", "/DecodeParms", "/Intent")
    if palette.mask:
        _store(image, picture.convert("L"), Name.DeviceGray)
        return
    data = palette.inks.encode_photo(picture) if jpeg else None
    if data is None:
        convert = palette.inks.drawing if not jpeg and _is_drawn(picture) else palette.inks.picture
        _store(image, convert(picture), Name.DeviceCMYK)
        return
    image.write(data, filter=Name.DCTDecode)
    image.ColorSpace = Name.DeviceCMYK
    image.Decode = Array(INVERTED)


def _is_drawn(picture: Image.Image) -> bool:
    """Whether a picture is a drawing: most of its pixels equal their neighbours, which a photo's hardly do."""
    pixels = np.asarray(picture)
    if picture.width < 2:
        return False
    return bool(np.all(pixels[:, 1:] == pixels[:, :-1], axis=-1).mean() > DRAWN_FROM)


def _mask_keyed(pdf: Pdf, picture: Image.Image, key: Sequence[int]) -> Object:
    """A picture that hides some of its colours, by a stencil instead: as inks those colours are others."""
    pixels = np.asarray(picture)
    hidden = np.all((pixels >= key[::2]) & (pixels <= key[1::2]), axis=-1)
    mask = pikepdf.Stream(pdf, np.packbits(hidden, axis=1).tobytes(), Type=Name.XObject, Subtype=Name.Image)
    mask.Width, mask.Height, mask.ImageMask, mask.BitsPerComponent = picture.width, picture.height, True, 1
    return pdf.make_indirect(mask)


def _store(image: Object, picture: Image.Image, space: Name) -> None:
    image.write(zlib.compress(picture.tobytes(), 9), filter=Name.FlateDecode)
    image.ColorSpace, image.BitsPerComponent = space, 8


def _open(image: Object) -> Image.Image:
    """The pixels as red, green and blue."""
    if _ends_with_jpeg(image):
        picture = Image.open(io.BytesIO(_jpeg_of(image))).convert("RGB")
    elif int(image.BitsPerComponent) == 8:
        picture = Image.frombytes("RGB", (int(image.Width), int(image.Height)), image.read_bytes())
    else:
        picture = pikepdf.PdfImage(cast(pikepdf.Stream, image)).as_pil_image().convert("RGB")
    if [float(value) for value in image.get(Name.Decode, [])] == [1, 0] * 3:
        picture = Image.fromarray(255 - np.asarray(picture))
    return picture


def _ends_with_jpeg(image: Object) -> bool:
    filters = image.get(Name.Filter)
    last = filters[-1] if isinstance(filters, Array) and len(filters) else filters
    return last == Name.DCTDecode


def _jpeg_of(image: Object) -> bytes:
    """The JPEG itself, without what is wrapped around it."""
    if isinstance(image.Filter, Array) and len(image.Filter) > 1:
        return image.read_bytes(pikepdf.StreamDecodeLevel.generalized)
    return image.read_raw_bytes()


def _forget(holder: Object, *keys: str) -> None:
    for key in keys:
        if key in holder:
            del holder[key]


def _open_inline(inline: Any) -> Image.Image:
    """The pixels of an inline picture; pikepdf opens none below three pixels, which are the likely ones."""
    if inline.colorspace in ("/DeviceRGB", "/RGB") and inline.bits_per_component == 8 and not inline.filters:
        return Image.frombytes("RGB", inline.size, inline.read_raw_bytes()[: 3 * inline.width * inline.height])
    return cast(Image.Image, inline.as_pil_image()).convert("RGB")


def lift_inline(pdf: Pdf, inline: Any, palette: Palette) -> Object | None:
    """A picture that stands inside a page's content, as one of its own; None where it may stay."""
    if inline.image_mask or inline.colorspace not in ("/DeviceRGB", "/RGB", "/CalRGB", "/ICCBased", "/Indexed"):
        return None
    picture = _open_inline(inline)
    image = pikepdf.Stream(pdf, b"", Type=Name.XObject, Subtype=Name.Image, Width=picture.width, Height=picture.height)
    _store(image, picture.convert("L") if palette.mask else palette.inks.picture(picture), palette.space)
    return pdf.make_indirect(image)
