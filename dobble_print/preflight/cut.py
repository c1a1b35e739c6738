"""Cut paths: the lines of the spot plate a cutter follows, and what it needs of them.

Invariant: a line is in points on its page, forms and matrices worked in, so that all rules see the same geometry.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from dobble_print.errors import Fault, UsageError
from dobble_print.pdf.content import Color
from dobble_print.pdf.geometry import Points, Subpath, measure_scale, move_points
from dobble_print.pdf.report import Finding, Flaw, ShopLimits, judge
from dobble_print.preflight.survey import PlacedPaint, Survey, SurveyedPage
from dobble_print.units import mm_to_pt

WIDEST_PT = 1.0
MEET_PT = mm_to_pt(0.01)  # ends this near to a line lie on it
FULL_TINT = 0.999
PROCESS = ("Cyan", "Magenta", "Yellow", "Black")
PRINTED = {ink.casefold() for ink in PROCESS}
LONGEST_MM = 300_000.0  # all cuts of a sheet


@dataclass(frozen=True, eq=False)
class CutLine:
    """A run of a cut path on its page."""

    plate: str
    points: Points
    closed: bool
    width_pt: float
    overprint: bool
    tint: float
    hidden: bool = False


def find_cut_lines(sheet: SurveyedPage, limits: ShopLimits) -> list[CutLine]:
    """Return every run that is stroked on a cut plate."""
    lines = []
    for placed in sheet.marks:
        color = find_cut_color(placed, limits)
        if color and placed.mark.kind == "stroke":
            lines += [_make_line(sheet, placed, color, subpath, limits) for subpath in placed.mark.subpaths]
    _refuse_endless(lines)
    return [line for line in lines if np.ptp(line.points, axis=0).max() > MEET_PT]  # a dot cuts nothing


def _refuse_endless(lines: Sequence[CutLine]) -> None:
    """Refuse damaged numbers that make lines of kilometres: measuring along them would never end."""
    length = sum(float(np.hypot(*np.diff(line.points, axis=0).T).sum()) for line in lines)
    if not length <= mm_to_pt(LONGEST_MM):
        raise UsageError(Fault("a cut path is longer than any sheet has room for", "Export the PDF anew."))


def paints_art(sheet: SurveyedPage, limits: ShopLimits) -> bool:
    """Tell whether a page paints anything besides cut paths."""
    if any(drawing.paints for drawing in sheet.streams.values()):
        return True
    return any(find_cut_color(placed, limits) is None for placed in sheet.marks)


def check_cut(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that the cut path is there, stroked thin at full tint, overprints and closes, alone on its plate."""
    lines = {sheet.number: find_cut_lines(sheet, limits) for sheet in survey.sheets}
    flaws = [
        Flaw(what, sheet.number)
        for sheet in survey.sheets
        for what in _find_page_flaws(sheet, lines[sheet.number], limits)
    ]
    if not any(lines.values()) and not flaws:
        if limits.cut_expected and limits.cut_names:
            return judge(
                "cut",
                [Flaw(f"there is no cut path ({limits.cut_names[0]} or the like); --no-cut is for a file without")],
                "",
            )
        return Finding("cut", "none", "no cut path")
    found = [line for page in lines.values() for line in page]
    plates = sorted({line.plate for line in found})
    return judge("cut", flaws, f"{_describe_closing(found)}, thin and overprinting, on {', '.join(plates)}")


def with_declared_cut_inks(survey: Survey, limits: ShopLimits) -> ShopLimits:
    """Return the limits with the spot inks that a file itself declares as cut, by the layer that they are on."""
    if limits.cut_names is None:
        return limits
    marks = [placed for sheet in survey.sheets for placed in sheet.marks]
    cuts = [placed for placed in marks if placed.layering.cuts and placed.mark.kind == "stroke"]
    colors = [color for placed in cuts if (color := placed.mark.find_color(placed.outer))]
    plates = [plate for color in colors for plate in color.space.plates if plate.casefold() not in PRINTED]
    return replace(limits, cut_names=tuple(dict.fromkeys((*limits.cut_names, *plates))))


def _describe_closing(lines: Sequence[CutLine]) -> str:
    """Return how many lines there are, and how they enclose the cards."""
    closed = sum(_is_closed(line) for line in lines)
    words = f"{len(lines)} path{'s' * (len(lines) != 1)}"
    if closed == len(lines):
        return f"{words}, closed"
    return f"{words}, {closed} closed and {len(lines) - closed} ending on others: all cards enclosed"


def _find_page_flaws(sheet: SurveyedPage, lines: Sequence[CutLine], limits: ShopLimits) -> list[str]:
    fills = [placed for placed in sheet.marks if placed.mark.kind != "stroke" and find_cut_color(placed, limits)]
    knocks_out = not all(line.overprint for line in lines)
    widest = max((line.width_pt for line in lines), default=0.0)
    loose = _count_loose(lines)
    process = [f"the cut path is drawn with {ink}: {ink} is a process ink" for ink in _list_process(sheet, limits)]
    found = {
        "something besides lines is painted with the cut ink": bool(fills),
        "the cut path does not overprint: it knocks a white line out of the art": knocks_out,
        "the cut path is not at 100 % of its ink": any(line.tint < FULL_TINT for line in lines),
        f"the cut path is {widest:.2f} pt wide ({WIDEST_PT:g} at most)": widest > WIDEST_PT + 1e-6,
        "the cut path lies on a hidden layer": any(line.hidden for line in lines),
        **dict.fromkeys(process, True),
        f"{loose} cut path{'s are' if loose > 1 else ' is'} open": loose > 0,
    }
    return [what for what, is_so in found.items() if is_so]


def _list_process(sheet: SurveyedPage, limits: ShopLimits) -> list[str]:
    """Return the inks of the press with which a cut is stroked, on a layer for cutting or under the name of the cut."""
    found: dict[str, None] = {}
    for placed in sheet.marks:
        color = placed.mark.find_color(placed.outer)
        if color and placed.mark.kind == "stroke" and (placed.layering.cuts or find_cut_color(placed, limits)):
            found |= dict.fromkeys(_name_process(color))
    return list(found)


def _name_process(color: Color) -> list[str]:
    if color.space.family == "cmyk":
        return [ink for ink, value in zip(PROCESS, color.values, strict=False) if value > 0]
    if color.space.family == "gray":
        return ["Black"]
    return [plate.capitalize() for plate in color.space.plates if plate.casefold() in PRINTED]


def find_cut_color(placed: PlacedPaint, limits: ShopLimits) -> Color | None:
    """Return the colour of a mark that is painted on a cut plate."""
    color = placed.mark.find_color(placed.outer)
    return color if color and any(limits.is_cut(plate) for plate in color.space.plates) else None


def _make_line(sheet: SurveyedPage, placed: PlacedPaint, color: Color, subpath: Subpath, limits: ShopLimits) -> CutLine:
    state = placed.mark.state.inherit(placed.outer)
    at = next(i for i, plate in enumerate(color.space.plates) if limits.is_cut(plate))
    scale = measure_scale(state.matrix @ placed.matrix) * sheet.unit_pt
    return CutLine(
        plate=color.space.plates[at],
        points=move_points(placed.matrix, subpath.points) * sheet.unit_pt,
        closed=subpath.closed,
        width_pt=(1.0 if state.width is None else state.width) * scale,
        overprint=bool(state.overprint),
        tint=color.values[at] if at < len(color.values) else 0.0,
        hidden=placed.layering.is_hidden(sheet.hidden),
    )


def _count_loose(lines: Sequence[CutLine]) -> int:
    """Count runs that neither close nor end on other runs: cards that share an edge are cut there once."""
    open_runs = [i for i, line in enumerate(lines) if not _is_closed(line)]
    if not open_runs:
        return 0
    runs = np.array([shapely.LineString(line.points) for line in lines])
    loose = 0
    for i in open_runs:
        ends = shapely.points(lines[i].points[[0, -1]])
        away = shapely.distance(ends[:, None], np.delete(runs, i)).min(axis=1, initial=math.inf)
        loose += bool((away > MEET_PT).any())
    return loose


def _is_closed(line: CutLine) -> bool:
    return line.closed or float(np.hypot(*(line.points[0] - line.points[-1]))) <= MEET_PT
