"""Thinning: a copy of a file whose photos are single pixels, to see quickly where paint lies.

Invariant: what is painted does not change, only with which colour; masks stay as they are, and so does every image that
decides by its own colours where it is opaque.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from pikepdf import Name, Pdf, Stream

WORTH_PX = 10_000  # smaller images are quick anyway
COLORED = ("/Decode", "/DecodeParms", "/Intent", "/Alternates")


def thin_images(data: bytes) -> bytes:
    """The same pages with thin photos; a file without photos as it is."""
    with Pdf.open(io.BytesIO(data), suppress_warnings=True) as pdf:
        if not thin_photos(pdf):
            return data
        sink = io.BytesIO()
        pdf.save(sink, compress_streams=False)
        return sink.getvalue()


def thin_photos(pdf: Pdf, pixel: bytes = b"\0", keep_stencilled: bool = False) -> bool:
    """Thin the photos of an opened file to a pixel of that grey; says whether there were any.

    Photos with a stencil can be kept, for whoever looks where they differ from what they lie on.
    """
    images = [image for image in _list_photos(pdf) if not (keep_stencilled and "/Mask" in image)]
    for image in images:
        _thin(image, pixel)
    return bool(images)


def _list_photos(pdf: Pdf) -> Iterator[Any]:
    pictures = [each for each in pdf.objects if isinstance(each, Stream) and each.get("/Subtype") == Name.Image]
    beside = [each.get(key) for each in pictures for key in ("/SMask", "/Mask")]
    masks = {mask.objgen for mask in beside if isinstance(mask, Stream)}
    for each in pictures:
        large = int(each.get("/Width", 0)) * int(each.get("/Height", 0)) > WORTH_PX
        by_color = "/Mask" in each and not isinstance(each.Mask, Stream)
        if large and each.objgen not in masks and not (by_color or "/SMaskInData" in each or "/ImageMask" in each):
            yield each


def _thin(image: Any, pixel: bytes) -> None:
    image.write(pixel)
    image.Width, image.Height, image.BitsPerComponent, image.ColorSpace = 1, 1, 8, Name.DeviceGray
    for key in COLORED:
        if key in image:
            del image[key]
