"""Lines: none without a width; 0 asks for the thinnest line a machine can draw, which no press can hold."""

from __future__ import annotations

from dobble_print.pdf.report import Finding, Flaw, Limits, judge
from dobble_print.preflight.survey import PlacedMark, Sheet, Survey


def check_lines(survey: Survey, limits: Limits) -> Finding:
    """Whatever is stroked and printed has a width; a cut path is not printed."""
    flaws = [Flaw("a hairline of width 0", sheet.number) for sheet in survey.sheets if _has_hairline(sheet, limits)]
    return judge("lines", flaws, "no hairline of width 0")


def _has_hairline(sheet: Sheet, limits: Limits) -> bool:
    return sheet.hairline or any(_is_hairline(placed, limits) for placed in sheet.marks)


def _is_hairline(placed: PlacedMark, limits: Limits) -> bool:
    color = placed.mark.find_color(placed.outer)
    cut = color is not None and any(limits.is_cut(plate) for plate in color.space.plates)
    return placed.mark.deed == "stroke" and not cut and placed.mark.pen.inherit(placed.outer).width == 0
