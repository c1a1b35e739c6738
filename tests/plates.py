"""Printing plates: a PDF separated by Ghostscript, and what is measured on a plate as with a ruler."""

from __future__ import annotations

import glob
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pikepdf
from PIL import Image

from dobble_print.units import Point
from tests.tools import run_tool

MM_PER_INCH = 25.4
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Plate:
    """How much ink lies where, 0 to 1, row 0 at the top; `left_mm` and `bottom_mm` are its corner on the page."""

    ink: Floats
    dpi: float
    left_mm: float = 0.0
    bottom_mm: float = 0.0

    def dots(self) -> tuple[Floats, Floats]:
        """The middles of all inked pixels in page millimetres, and how much ink each has."""
        rows, columns = np.nonzero(self.ink)
        pitch = MM_PER_INCH / self.dpi
        xs = self.left_mm + (columns + 0.5) * pitch
        ys = self.bottom_mm + (self.ink.shape[0] - rows - 0.5) * pitch
        return np.column_stack((xs, ys)), self.ink[rows, columns]


@dataclass(frozen=True)
class Disc:
    """A circle found on a plate; `ragged_mm` is how far its line strays from it at most."""

    centre: Point
    diameter_mm: float
    ragged_mm: float


def separate(
    pdf: Path, dpi: float, page: int = 1, crop_mm: tuple[float, float, float, float] | None = None
) -> dict[str, Plate]:
    """The plates of a page (counted from 1) by the names of their inks; `crop_mm` is left, bottom, width and height."""
    target = pdf.with_name(f"{pdf.stem}-{page}.tif")
    for stale in pdf.parent.glob(f"{glob.escape(target.stem)}(*).tif"):
        stale.unlink()
    part, left, bottom = _cut_out(pdf, page, dpi, crop_mm)
    # the page in one piece: bands depend on the number of inks and move pixels
    quiet = ["-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-dMaxBitmap=2000000000"]
    device = ["-sDEVICE=tiffsep", "-sCompression=none", f"-r{dpi:g}", f"-sOutputFile={target}"]
    run_tool(["gs", *quiet, *device, str(part)])
    return {
        path.stem[len(target.stem) + 1 : -1]: Plate(_read_ink(path), dpi, left, bottom)
        for path in sorted(pdf.parent.glob(f"{glob.escape(target.stem)}(*).tif"))
    }


def _cut_out(
    pdf: Path, page: int, dpi: float, crop_mm: tuple[float, float, float, float] | None
) -> tuple[Path, float, float]:
    """The page alone, its media a whole number of pixels, so that no rounding moves what is measured."""
    part = pdf.with_name(f"{pdf.stem}-{page}-part.pdf")
    with pikepdf.Pdf.open(pdf) as document:
        alone = document.pages[page - 1]
        x0, y0, x1, y1 = (float(value) * MM_PER_INCH / 72 for value in alone.mediabox)
        left, bottom, width, height = crop_mm or (x0, y0, x1 - x0, y1 - y0)
        pixels = [math.ceil(length / MM_PER_INCH * dpi - 1e-3) for length in (width, height)]
        corner = (left / MM_PER_INCH * 72, bottom / MM_PER_INCH * 72)
        alone.mediabox = pikepdf.Array([*corner, *(c + n * 72 / dpi for c, n in zip(corner, pixels, strict=True))])
        del document.pages[page:]
        del document.pages[: page - 1]
        document.save(part)
    return part, left, bottom


def _read_ink(path: Path) -> Floats:
    with Image.open(path) as picture:
        return 1.0 - np.asarray(picture.convert("L"), dtype=np.float64) / 255


def measure_circle(plate: Plate, near: Point, within_mm: float) -> Disc:
    """The circle whose line lies on the plate around a point, fitted to the middle of the line by least squares."""
    points, weights = plate.dots()
    close = np.hypot(points[:, 0] - near[0], points[:, 1] - near[1]) < within_mm
    offset, weights = points[close] - near, weights[close]
    equations = np.column_stack((2 * offset, np.ones(len(offset)))) * weights[:, None]
    (x, y, rest), *_ = np.linalg.lstsq(equations, (offset**2).sum(axis=1) * weights, rcond=None)
    radius = float(np.sqrt(rest + x * x + y * y))
    strays = np.abs(np.hypot(offset[:, 0] - x, offset[:, 1] - y) - radius)
    return Disc((near[0] + float(x), near[1] + float(y)), 2 * radius, float(strays.max()))


def measure_corners(plate: Plate, expected: Sequence[Point], reach_mm: float = 1.0) -> list[Point]:
    """The corners of a closed polygon: a straight line is fitted to the ink along each side, neighbours are crossed."""
    points, weights = plate.dots()
    corners = np.asarray(expected, dtype=np.float64)
    sides = [_fit_line(points, weights, a, b, reach_mm) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    return [_cross(before, after) for before, after in zip(sides[-1:] + sides[:-1], sides, strict=True)]


def _fit_line(points: Floats, weights: Floats, start: Floats, end: Floats, reach_mm: float) -> tuple[Floats, Floats]:
    """A point on the line and its direction, from the ink beside the middle of a side."""
    length = float(np.hypot(*(end - start)))
    along = (end - start) / length
    share = (points - start) @ along / length
    across = (points - start) @ np.array([-along[1], along[0]])
    close = (np.abs(across) < reach_mm) & (share > 0.1) & (share < 0.9)
    assert close.sum() > 100, "there is no line"
    middle = np.average(points[close], axis=0, weights=weights[close])
    spread = (points[close] - middle) * np.sqrt(weights[close])[:, None]
    return middle, np.linalg.svd(spread, full_matrices=False)[2][0]


def _cross(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Point:
    steps = np.linalg.solve(np.column_stack((one[1], -other[1])), other[0] - one[0])
    x, y = one[0] + steps[0] * one[1]
    return float(x), float(y)
