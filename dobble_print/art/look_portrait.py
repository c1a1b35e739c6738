"""Portraits: every symbol's picture on one round grid, so that turning it is shifting it.

Invariant: a portrait is centred on the picture's own centre of mass and scaled by its own spread, so position and size
do not count; turning the picture by a ray's angle shifts the portrait by one ray, mirroring it reverses the rays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from dobble_print.art.artwork import MOST_BYTES, Artwork, PictureMaster, RenderedMaster
from dobble_print.art.emoji import read_emoji
from dobble_print.art.gate import admit_svg
from dobble_print.art.sandbox import sketch_guarded
from dobble_print.art.svg import render_svg
from dobble_print.art.text import draw_text
from dobble_print.art.vision import decode_srgb
from dobble_print.errors import ArtworkError, Fault
from dobble_print.files import read_checked
from dobble_print.theme.model import Captioned, Emoji, ImageFile, Source, Text

Floats = npt.NDArray[np.float64]

RINGS, RAYS = 16, 64
REACH = 2.4  # how far out the grid goes, in spreads; a disc ends at 1.41, a stick at 1.73
SKETCH_PX = 96  # enough for the details a player takes in at a glance
_FRAME_PX = 64  # the square the grid is laid upon
_FINENESS = 2  # samples of a cell along each side


def draw_picture(source: Source, artwork: Artwork, longer_side_px: int) -> Image.Image:
    """A symbol's picture in pixels (RGBA), at most that large; raises an `ArtworkError` where it cannot be drawn."""
    master = artwork.master
    if isinstance(master, PictureMaster):
        return _shrink(master.picture, longer_side_px)
    if isinstance(master, RenderedMaster):
        return master.render(longer_side_px)
    picture = source.picture if isinstance(source, Captioned) else source
    if isinstance(picture, ImageFile):
        return sketch_guarded(_read_drawing(picture), longer_side_px)
    return render_svg(admit_svg(_read_drawing(source)).data, longer_side_px)


def _shrink(picture: Image.Image, longer_side_px: int) -> Image.Image:
    """Photos are large and sketches small: the plain mean of pixels, four times as fast as for print."""
    scale = longer_side_px / max(picture.size)
    if scale >= 1:
        return picture
    return picture.resize(
        (max(1, round(picture.width * scale)), max(1, round(picture.height * scale))), Image.Resampling.BOX
    )


def _read_drawing(source: Source) -> bytes:
    match source:
        case Text():
            return draw_text(source)
        case Captioned(picture):
            return _read_drawing(picture)
        case Emoji(char, art):
            return read_emoji(char, art)
        case ImageFile(path):
            pass
        case _:
            path = None
    try:
        return read_checked(path, MOST_BYTES) if path else b""  # an empty drawing is refused at the gate
    except OSError as error:
        raise ArtworkError(Fault(f"the drawing cannot be read ({error.strerror})")) from None


def paint_portraits(pictures: Sequence[Image.Image]) -> Floats:
    """The portraits of pictures: linear light times opacity, and opacity, by picture, ring and ray."""
    frames = np.stack([_frame(picture) for picture in pictures]) / 255.0
    flat = frames.reshape(len(frames), -1, 4)
    cells = np.zeros((len(frames), RINGS * RAYS, 4))
    for places, weights in _list_samples():
        cells += flat[:, places] * weights[:, None]
    alpha = cells[..., 3:]
    light = decode_srgb(np.clip(cells[..., :3] / np.maximum(alpha, 1e-6), 0, 1)) * alpha
    return np.concatenate([light, alpha], axis=-1).reshape(-1, RINGS, RAYS, 4)


def _frame(picture: Image.Image) -> npt.NDArray[np.uint8]:
    """The picture around its centre of mass, `REACH` spreads to each side, opacity already in its colours."""
    alpha = np.asarray(picture.getchannel("A")).astype(np.float64)
    y, x = np.mgrid[: alpha.shape[0], : alpha.shape[1]] + 0.5
    mass = max(alpha.sum(), 1e-9)
    centre_x, centre_y = (alpha * x).sum() / mass, (alpha * y).sum() / mass
    spread = math.sqrt((alpha * ((x - centre_x) ** 2 + (y - centre_y) ** 2)).sum() / mass)
    reach = REACH * max(spread, 1.0)
    pad = math.ceil(max(reach - min(centre_x, centre_y), reach - picture.width + centre_x, 0))
    pad = max(pad, math.ceil(reach - picture.height + centre_y))
    canvas = Image.new("RGBA", (picture.width + 2 * pad, picture.height + 2 * pad))
    canvas.paste(picture, (pad, pad))
    left, top = centre_x + pad - reach, centre_y + pad - reach
    box = (left, top, left + 2 * reach, top + 2 * reach)
    return np.asarray(canvas.convert("RGBa").resize((_FRAME_PX, _FRAME_PX), Image.Resampling.BILINEAR, box=box))


def _list_samples() -> list[tuple[npt.NDArray[np.intp], Floats]]:
    """Which pixels of a frame make up the cells, and how much of each."""
    samples = []
    steps = (np.arange(_FINENESS) + 0.5) / _FINENESS
    for ring_step in steps:
        radius = (np.arange(RINGS) + ring_step)[:, None] / RINGS * _FRAME_PX / 2
        for ray_step in steps - 0.5:
            angle = (np.arange(RAYS) + ray_step)[None] * 2 * math.pi / RAYS
            x = np.clip(_FRAME_PX / 2 + radius * np.cos(angle) - 0.5, 0, _FRAME_PX - 1.001).ravel()
            y = np.clip(_FRAME_PX / 2 + radius * np.sin(angle) - 0.5, 0, _FRAME_PX - 1.001).ravel()
            column, row = x.astype(np.intp), y.astype(np.intp)
            for next_x, share_x in ((0, 1 - x % 1), (1, x % 1)):
                for next_y, share_y in ((0, 1 - y % 1), (1, y % 1)):
                    samples.append(((row + next_y) * _FRAME_PX + column + next_x, share_x * share_y / _FINENESS**2))
    return samples
