"""Images: every picture is fine enough at the size it is printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pikepdf import Stream

from dobble_print.pdf.content import PlacedPicture
from dobble_print.pdf.geometry import measure_sides
from dobble_print.pdf.report import Finding, Flaw, Limits, judge, pass_over
from dobble_print.preflight.survey import Sheet, Survey

ROUNDING = 0.995  # a picture made for 300 dpi may land on 299


@dataclass(frozen=True)
class _Fineness:
    """The fewest dots an inch of a picture or of its mask, and how large it is printed."""

    dpi: float
    size_pt: tuple[float, float]
    part: str


def check_images(survey: Survey, limits: Limits) -> Finding:
    """No image and no mask is coarser than asked, in either direction, wherever it is drawn."""
    measured = [(sheet, _measure(placed, sheet)) for sheet in survey.sheets for placed in sheet.pictures]
    if not measured:
        return pass_over("images", "no images")
    coarse = [(sheet, each) for sheet, each in measured if each.dpi < limits.least_dpi * ROUNDING]
    flaws = [Flaw(_tell(each, limits), sheet.number) for sheet, each in coarse]
    least = min(each.dpi for _, each in measured)
    return judge("images", flaws, f"the coarsest image has {least:.0f} dpi ({limits.least_dpi:g} needed)")


def _tell(each: _Fineness, limits: Limits) -> str:
    width, height = (side / 72 * 25.4 for side in each.size_pt)
    return f"{each.part} of {width:.0f} × {height:.0f} mm at {each.dpi:.0f} dpi ({limits.least_dpi:g} needed)"


def _measure(placed: PlacedPicture, sheet: Sheet) -> _Fineness:
    """The image itself or, where that is coarser, its mask."""
    wide, high = (max(side * sheet.unit_pt, 1e-9) for side in measure_sides(placed.matrix))
    parts = {"an image": placed.picture.entries}
    for key in ("/SMask", "/Mask"):
        mask = placed.picture.entries.get(key)
        if isinstance(mask, Stream):
            parts["the mask of an image"] = mask
    found = [(_count_dpi(entries, wide, high), part) for part, entries in parts.items()]
    dpi, part = min(found)
    return _Fineness(dpi, (wide, high), part)


def _count_dpi(entries: Any, wide: float, high: float) -> float:
    return min(int(entries.get("/Width", 0)) / wide, int(entries.get("/Height", 0)) / high) * 72
