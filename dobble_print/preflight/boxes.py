"""Page boxes: the sheet, the bleed and the trim of every page, one inside the other."""

from __future__ import annotations

import math
from typing import Any

from dobble_print.pdf.report import Finding, Flaw, Limits, judge
from dobble_print.preflight.cut import paints_art
from dobble_print.preflight.survey import Sheet, Survey

SLACK_PT = 0.01  # boxes are written with few digits

Box = tuple[float, float, float, float]


def check_boxes(survey: Survey, limits: Limits) -> Finding:
    """Every page has its three boxes, finite, not empty, trim inside bleed inside media."""
    flaws = [Flaw(what, sheet.number) for sheet in survey.sheets for what in _doubt_boxes(sheet, limits)]
    return judge("boxes", flaws, f"trim lies inside bleed inside media on {count_pages(survey)}")


def count_pages(survey: Survey) -> str:
    """How many pages there are, in words."""
    return "the one page" if len(survey.sheets) == 1 else f"all {len(survey.sheets)} pages"


def media_box(sheet: Sheet) -> Box:
    """The sheet of paper; it may be inherited from the page tree."""
    return order_box(sheet.page.mediabox)


def bleed_box(sheet: Sheet) -> Box:
    """The bleed box, or all of the paper where none is set."""
    value = sheet.page.obj.get("/BleedBox")
    return media_box(sheet) if value is None else order_box(value)


def trim_box(sheet: Sheet) -> Box:
    """The trim box, or all of the paper where none is set."""
    value = sheet.page.obj.get("/TrimBox")
    return media_box(sheet) if value is None else order_box(value)


def order_box(value: Any) -> Box:
    """A box with its corners in order; a file may name any two opposite ones."""
    x0, y0, x1, y1 = (float(number) for number in value)
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _doubt_boxes(sheet: Sheet, limits: Limits) -> list[str]:
    # a page of nothing but cut paths prints nothing that could bleed
    needed = ("TrimBox", "BleedBox") if paints_art(sheet, limits) else ("TrimBox",)
    found = {"MediaBox": media_box(sheet)}
    for name in ("BleedBox", "TrimBox"):
        value = sheet.page.obj.get(f"/{name}")
        if value is not None:
            found[name] = order_box(value)
    flaws = [f"no {name}" for name in needed if name not in found]
    flaws += [f"the {name} is empty or endless" for name, box in found.items() if not _is_sound(box)]
    pairs = (("TrimBox", "BleedBox"), ("BleedBox", "MediaBox"), ("TrimBox", "MediaBox"))
    outside = [(a, b) for a, b in pairs if a in found and b in found and not _is_inside(found[a], found[b])]
    return flaws + [f"the {inner} reaches outside the {outer}" for inner, outer in outside]


def _is_sound(box: Box) -> bool:
    return all(math.isfinite(value) for value in box) and box[2] > box[0] and box[3] > box[1]


def _is_inside(inner: Box, outer: Box) -> bool:
    lower = inner[0] >= outer[0] - SLACK_PT and inner[1] >= outer[1] - SLACK_PT
    return lower and inner[2] <= outer[2] + SLACK_PT and inner[3] <= outer[3] + SLACK_PT
