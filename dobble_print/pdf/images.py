"""Pictures and gradients in a PDF: their extreme colours, and smaller copies of photos for quick rendering.

Invariant: functions are sampled where they can be extreme (their samples, their ends, and points between); what cannot
be worked out here gives None, never a guess.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pikepdf
from pikepdf import Array, Name, Pdf, Stream
from PIL import Image

from dobble_print.pdf.color_spaces import Space
from dobble_print.pdf.content import EmbeddedImage
from dobble_print.pdf.document import delete_keys

MOST_PIXELS = 120_000_000
EVERY = 2_000_000  # pixels summed at a time
Colors = npt.NDArray[np.float64]  # one row a colour
Samples = npt.NDArray[np.uint8]  # one row a pixel


def list_pixel_colors(picture: EmbeddedImage) -> Colors | None:
    """Return the colours of an image that have the most ink; where it has a palette, all that it shows of it."""
    space = picture.space
    width, height = picture.size_px
    if space is None or not 0 < width * height <= MOST_PIXELS:
        return None
    bits = int(picture.entries.get("/BitsPerComponent", 8))
    samples = _read_samples(picture, space.count, bits)
    if samples is None:
        return None
    if space.family == "indexed":
        return _look_up(space, samples)
    values = picture.entries.get("/Decode")
    ends = [float(value) for value in values] if isinstance(values, Array) else [0.0, 1.0] * space.count
    low, high = np.array(ends[: 2 * space.count : 2]), np.array(ends[1 : 2 * space.count : 2])
    return _pick_extremes(samples, low, (high - low) / (2 ** min(bits, 8) - 1))


def _pick_extremes(samples: Samples, low: Colors, step: Colors) -> Colors:
    """Return the pixel with the most ink, in slices, so that a large photo needs little memory."""
    best = []
    for start in range(0, len(samples), EVERY):
        part = samples[start : start + EVERY]
        totals = part.astype(np.float32) @ step.astype(np.float32)
        best.append(low + part[int(totals.argmax())] * step)
    return np.array(best)


def _look_up(space: Space, samples: Samples) -> Colors | None:
    """Return the colours of a palette that the image really shows."""
    count = space.base.count if space.base else 0
    if not count:
        return None
    colors = np.frombuffer(space.table[: len(space.table) // count * count], np.uint8).reshape(-1, count) / 255
    return np.asarray(colors[np.minimum(np.unique(samples), len(colors) - 1)])


def _read_samples(picture: EmbeddedImage, count: int, bits: int) -> Samples | None:
    """Return the numbers of the pixels as they are stored; of those with 16 bits the upper half."""
    try:
        data = bytes(picture.source.read_bytes())
    except (pikepdf.PdfError, NotImplementedError):
        return _read_jpeg(picture.source, count)
    width, height = picture.size_px
    row = -(-width * count * bits // 8)
    if len(data) < row * height or bits not in (1, 2, 4, 8, 16):
        return None
    rows = np.frombuffer(data, np.uint8, row * height).reshape(height, row)
    if bits >= 8:
        return rows[:, :: bits // 8].reshape(-1, count)
    flat = np.unpackbits(rows, axis=1)[:, : width * count * bits].reshape(-1, bits)
    return np.asarray((np.packbits(flat, axis=1) >> (8 - bits)).reshape(-1, count))


def _read_jpeg(source: Any, count: int) -> Samples | None:
    """Return a JPEG's numbers as the file has them; Pillow turns those with four inks over, as Adobe writes them."""
    try:
        with Image.open(io.BytesIO(source.read_raw_bytes())) as photo:
            if photo.format != "JPEG" or len(photo.getbands()) != count:
                return None
            pixels = np.asarray(photo).reshape(-1, count)
    except (OSError, Image.DecompressionBombError):
        return None
    return 255 - pixels if count == 4 else pixels


STEPS = 33
DEEPEST = 8
MOST_SAMPLES = 1_000_000


def list_shading_colors(shading: Any, count: int) -> Colors | None:
    """Return colours that a shading shows, `count` numbers each: from one function for all inks, or one for each."""
    function = shading.get("/Function")
    if function is None:
        return _read_mesh(shading, count)
    if not isinstance(function, Array):
        return _sample(function, 0)
    parts = [_sample(each, 0) for each in function]
    if any(part is None for part in parts):
        return None
    # inks that are given one by one are sampled at different places: their largest values together are the safe bound
    return np.array([[float(part.max()) for part in parts if part is not None]])


def _sample(function: Any, depth: int) -> Colors | None:
    if depth > DEEPEST:
        return None
    kind = int(function.FunctionType)
    if kind == 0:
        return _sample_table(function)
    if kind == 2:
        start, end = (
            np.array([float(value) for value in function.get(key, Array([usual]))])
            for key, usual in (("/C0", 0), ("/C1", 1))
        )
        return np.asarray(start + np.linspace(0.0, 1.0, STEPS)[:, None] ** float(function.N) * (end - start))
    if kind == 3:
        parts = [_sample(each, depth + 1) for each in function.Functions]
        known = [part for part in parts if part is not None]
        return np.concatenate(known) if len(known) == len(parts) and known else None
    return None


def _sample_table(function: Any) -> Colors | None:
    """Return the samples of a table: it is straight between them, so nothing else can be extreme."""
    bits, ends = int(function.BitsPerSample), [float(value) for value in function.Range]
    count = len(ends) // 2
    total = int(np.prod([int(size) for size in function.Size])) * count
    if total > MOST_SAMPLES or not 1 <= bits <= 32:
        return None
    data = np.frombuffer(function.read_bytes(), np.uint8)
    flat = np.unpackbits(data, count=bits * total).reshape(-1, count, bits)
    return _stretch(flat, [float(value) for value in function.get("/Decode", Array(function.Range))])


def _read_mesh(shading: Any, count: int) -> Colors | None:
    """Return the colours of the corners of free and lattice triangles; patches are left out."""
    kind = int(shading.ShadingType)
    if kind not in (4, 5) or not isinstance(shading, Stream):
        return None
    flag = int(shading.BitsPerFlag) if kind == 4 else 0
    place, tint = int(shading.BitsPerCoordinate), int(shading.BitsPerComponent)
    size = -(-(flag + 2 * place + count * tint) // 8)  # each corner starts on a byte
    data = shading.read_bytes()
    corners = np.frombuffer(data[: len(data) // size * size], np.uint8).reshape(-1, size)
    flat = np.unpackbits(corners, axis=1)[:, flag + 2 * place : flag + 2 * place + count * tint]
    return _stretch(flat.reshape(-1, count, tint), [float(value) for value in shading.Decode][4:])


def _stretch(bits: Samples, decode: list[float]) -> Colors:
    """Return numbers given bit by bit as shares of the ranges that an array of their ends gives."""
    most = bits.shape[-1]
    shares = bits @ (2.0 ** np.arange(most - 1, -1, -1)) / (2**most - 1)
    low, high = np.array(decode[::2]), np.array(decode[1::2])
    return np.asarray(low + shares * (high - low))


WORTH_PX = 10_000  # smaller images are quick anyway
COLORED = ("/Decode", "/DecodeParms", "/Intent", "/Alternates")


def thin_images(pdf: Pdf, data: bytes) -> bytes:
    """Thin the photos of an opened file and return its bytes; those of a file without photos are as they were."""
    if not thin_photos(pdf):
        return data
    sink = io.BytesIO()
    pdf.save(sink, compress_streams=False)
    return sink.getvalue()


def thin_photos(pdf: Pdf, keep_stencilled: bool = False) -> bool:
    """Thin the photos of an opened file to a black pixel; return whether there were any.

    Photos with a stencil can be kept, for whoever looks where they differ from what they lie on.
    """
    images = [image for image in _list_photos(pdf) if not (keep_stencilled and "/Mask" in image)]
    for image in images:
        image.write(b"\0")
        image.Width, image.Height, image.BitsPerComponent, image.ColorSpace = 1, 1, 8, Name.DeviceGray
        delete_keys(image, *COLORED)
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
