"""Compare two renderings of one drawing.

Invariant: a shift by less than a pixel is no difference, so edges that two renderers smooth differently are alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

Pixels = npt.NDArray[np.int16]
Places = npt.NDArray[np.intp]
SEEN = 25  # a tenth of full intensity
FEW = 0.002  # so few pixels need no closer look


def measure_difference(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that differ visibly, on white or on black; the pictures start at one corner."""
    pairs = _lay_out(one, other)
    plain = _differ(pairs)
    share = float(plain.mean())
    if share <= FEW:
        return share
    where = np.nonzero(plain)
    differ = [_stands_out(*pair, *where) for a, b in pairs for pair in ((a, b), (b, a))]
    return float(np.any(differ, axis=0).sum() / plain.size)


def count_different(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that differ visibly, shifted ones too."""
    return float(_differ(_lay_out(one, other)).mean())


def _lay_out(one: Image.Image, other: Image.Image) -> list[tuple[Pixels, Pixels]]:
    """Return what both pictures share, on black and, but for a constant, on white."""
    size = min(one.width, other.width), min(one.height, other.height)
    first, second = (np.asarray(each.crop((0, 0, *size)).convert("RGBa"), np.int16) for each in (one, other))
    on_black = first[..., :3], second[..., :3]
    return [on_black, (on_black[0] - first[..., 3:], on_black[1] - second[..., 3:])]


def _differ(pairs: Sequence[tuple[Pixels, Pixels]]) -> npt.NDArray[np.bool_]:
    return np.asarray(np.any([(np.abs(a - b) > SEEN).any(axis=-1) for a, b in pairs], axis=0))


def _stands_out(one: Pixels, other: Pixels, rows: Places, columns: Places) -> npt.NDArray[np.bool_]:
    """Return which of some pixels of one lie outside what the other shows within a pixel around."""
    padded = np.pad(other, ((1, 1), (1, 1), (0, 0)), mode="edge")
    around = np.stack([padded[rows + down, columns + across] for down in range(3) for across in range(3)])
    here = one[rows, columns]
    outside = (here > around.max(axis=0) + SEEN) | (here < around.min(axis=0) - SEEN)
    return np.asarray(outside.any(axis=-1))


WHITE_FROM = 236  # of 255: a scan's paper is hardly whiter
PAPER_SHARE = 0.75  # of the rim that is paper; corners may be rounded
EMPTY_SHARE = 0.97  # of the rim that is paper or nothing; a part of a drawing may touch it
INNER_SHARE = 0.01  # of the pixels that are no paper, or there is nothing to cut out


def shows_page(picture: Image.Image) -> bool:
    """Return whether a picture (RGBA) stands on a white page: its rim is opaque and nearly white, its middle is not."""
    paper, empty = _find_paper(picture)
    if min(paper.shape) < 8:
        return False
    rim, free = _take_rim(paper), _take_rim(paper | empty)
    inner = ~(paper | empty)[1:-1, 1:-1]
    return bool(rim.mean() >= PAPER_SHARE and free.mean() >= EMPTY_SHARE and inner.mean() >= INNER_SHARE)


def stands_free(picture: Image.Image) -> bool:
    """Return whether hardly anything of a picture (RGBA) touches its rim, and there is something inside."""
    _, empty = _find_paper(picture)
    return bool(_take_rim(empty).mean() >= PAPER_SHARE and not empty.all())


def _find_paper(picture: Image.Image) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return which pixels are opaque and nearly white, and which are empty."""
    pixels = np.asarray(picture)
    return (pixels[..., :3].min(axis=-1) >= WHITE_FROM) & (pixels[..., 3] >= 250), pixels[..., 3] < 25


def _take_rim(pixels: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return the pixels along the edges, the outermost ones aside: they may be half covered."""
    inner = pixels[1:-1, 1:-1]
    return np.concatenate([inner[0], inner[-1], inner[:, 0], inner[:, -1]])
