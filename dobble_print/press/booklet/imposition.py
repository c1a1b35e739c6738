"""Imposition: the booklet's pages on sheets that are printed on both sides, folded and stapled.

Invariant: the plan says which page goes where and nothing else; every page enters the file once, as a form, and the
symbols inside stay shared. Folded sheets lie inside each other: leaf i of n carries pages 4n-2i and 2i+1 in front, 2i+2
and 4n-2i-1 behind.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf

from dobble_print.press.forms import save_pdf
from dobble_print.units import Paper, Point, mm_to_pt

MM_PER_PT = 25.4 / 72
TICK_MM = 5.0
TICK_START_MM = 2.0
STAPLES = (0.25, 0.75)  # of a page's height
STAPLE_MM = 6.0
HAIRLINE_PT = 0.4
TRIM_ROOM_MM = 4.0
SLACK = 0.001  # what rounding to points may cost
SMALLER = 0.08  # how much smaller pages may print to fit the paper: A6 booklets on Letter

Spread = tuple[int | None, int | None]  # the pages on the left and on the right; None is blank


@dataclass(frozen=True)
class Imposed:
    """A page (from 0) and where its lower left corner goes."""

    page: int
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class SheetSide:
    """One side of a sheet: pages, and lines to fold, staple and cut at."""

    pages: tuple[Imposed, ...]
    ticks: tuple[tuple[Point, Point], ...]


@dataclass(frozen=True)
class SheetPlan:
    """All sides in printing order, the sheet as it lies, and how much smaller pages print where they must."""

    sheet: Paper
    scale: float
    sides: tuple[SheetSide, ...]


def pad_pages(count: int) -> list[int | None]:
    """The pages in reading order, filled up to a multiple of four; the back cover stays the last one."""
    blanks: list[int | None] = [None] * (-count % 4)
    return [*range(count - 1), *blanks, count - 1]


def fold_spreads(pages: Sequence[int | None]) -> list[tuple[Spread, Spread]]:
    """The front and the back of every leaf, the outermost first."""
    last = len(pages) - 1
    return [
        ((pages[last - 2 * i], pages[2 * i]), (pages[2 * i + 1], pages[last - 2 * i - 1]))
        for i in range(len(pages) // 4)
    ]


def plan_sheets(count: int, width_mm: float, height_mm: float, paper: Paper) -> SheetPlan:
    """Spreads on sheets: as many above each other as fit (two of A6 on A4, to be cut apart), else one on its side."""
    sheet, rows = _choose_rows(paper, width_mm, height_mm)
    scale = min(1.0, sheet.width_mm / (2 * width_mm), sheet.height_mm / (rows * height_mm))
    leaves = fold_spreads(pad_pages(count))
    sides = []
    for first in range(0, len(leaves), rows):
        batch = leaves[first : first + rows]
        for side in (0, 1):
            spreads = [leaf[side] for leaf in batch]
            outside = first == 0 and side == 0
            sides.append(_place_spreads(spreads, sheet, (width_mm * scale, height_mm * scale), rows, outside))
    return SheetPlan(sheet, scale, tuple(sides))


def _choose_rows(paper: Paper, width_mm: float, height_mm: float) -> tuple[Paper, int]:
    """The sheet upright or lying, and how many spreads above each other; a little smaller when full size takes one."""
    choices: list[tuple[Paper, int]] = []
    for size in (1.0 - SLACK, 1.0 - SMALLER):
        rows = {sheet: _rows_on(sheet, width_mm * size, height_mm * size) for sheet in (paper, paper.turned())}
        choices += sorted(rows.items(), key=lambda choice: -choice[1])[:1]
    (_, full), (_, smaller) = choices
    best = choices[0] if full > 1 or full == smaller else choices[1]
    return best if best[1] else (paper.turned(), 1)


def _rows_on(paper: Paper, width_mm: float, height_mm: float) -> int:
    return math.floor(paper.height_mm / height_mm) if 2 * width_mm <= paper.width_mm else 0


def _place_spreads(
    spreads: Sequence[Spread], sheet: Paper, size_mm: tuple[float, float], rows: int, outside: bool
) -> SheetSide:
    """Spreads from the top down, centred on the sheet; back and front mirror each other about the fold."""
    width, height = size_mm
    middle, top = sheet.width_mm / 2, (sheet.height_mm + rows * height) / 2
    pages, ticks = [], _fold_ticks(sheet) + _trim_ticks(sheet, width, rows * height)
    for row, spread in enumerate(spreads):
        y = top - (row + 1) * height
        for page, x in zip(spread, (middle - width, middle), strict=True):
            if page is not None:
                pages.append(Imposed(page, x, y))
        if outside and row == 0:
            ticks += [
                ((middle, y + part * height - STAPLE_MM / 2), (middle, y + part * height + STAPLE_MM / 2))
                for part in STAPLES
            ]
        if row:
            ticks += _cut_ticks(sheet, y + height)
    return SheetSide(tuple(pages), tuple(ticks))


def _fold_ticks(sheet: Paper) -> list[tuple[Point, Point]]:
    x, top = sheet.width_mm / 2, sheet.height_mm
    near, far = TICK_START_MM, TICK_START_MM + TICK_MM
    return [((x, near), (x, far)), ((x, top - near), (x, top - far))]


def _trim_ticks(sheet: Paper, width: float, height: float) -> list[tuple[Point, Point]]:
    """Where to trim a sheet that is larger than the pages on it; a sliver of paper is not worth a cut."""
    middle_x, middle_y = sheet.width_mm / 2, sheet.height_mm / 2
    left, right, bottom, top = middle_x - width, middle_x + width, middle_y - height / 2, middle_y + height / 2
    ticks: list[tuple[Point, Point]] = []
    if left >= TRIM_ROOM_MM:
        ticks += [((x, y), (x, y + TRIM_ROOM_MM / 2)) for x in (left, right) for y in (bottom, top - TRIM_ROOM_MM / 2)]
    if bottom >= TRIM_ROOM_MM:
        ticks += [((x, y), (x + TRIM_ROOM_MM / 2, y)) for x in (left, right - TRIM_ROOM_MM / 2) for y in (bottom, top)]
    return ticks


def _cut_ticks(sheet: Paper, y: float) -> list[tuple[Point, Point]]:
    near, far, right = TICK_START_MM, TICK_START_MM + TICK_MM, sheet.width_mm
    middle = sheet.width_mm / 2
    return [((near, y), (far, y)), ((right - near, y), (right - far, y)), ((middle - 2, y), (middle + 2, y))]


def make_booklet_print(booklet: bytes, paper: Paper) -> bytes:
    """The booklet imposed for saddle stitching: print both sides, cut where there are two rows, fold, staple."""
    with Pdf.open(io.BytesIO(booklet)) as source, Pdf.new() as pdf:
        x0, y0, x1, y1 = (float(value) for value in source.pages[0].MediaBox)
        plan = plan_sheets(len(source.pages), (x1 - x0) * MM_PER_PT, (y1 - y0) * MM_PER_PT, paper)
        # one call copies everything, so that what pages share stays shared
        forms = pdf.copy_foreign(source.make_indirect(Array([page.as_form_xobject() for page in source.pages])))
        for side in plan.sides:
            _add_side(pdf, side, plan, forms)
        flip = Name.DuplexFlipLongEdge if plan.sheet.height_mm >= plan.sheet.width_mm else Name.DuplexFlipShortEdge
        pdf.Root.ViewerPreferences = Dictionary(PrintScaling=Name("/None"), Duplex=flip, PickTrayByPDFSize=True)
        if "/Lang" in source.Root:
            pdf.Root.Lang = pikepdf.String(str(source.Root.Lang))
        if "/Title" in source.docinfo:
            pdf.docinfo["/Title"] = pikepdf.String(str(source.docinfo.Title))
        return save_pdf(pdf)


def _add_side(pdf: Pdf, side: SheetSide, plan: SheetPlan, forms: pikepdf.Object) -> None:
    lines = [
        f"q {plan.scale:.5f} 0 0 {plan.scale:.5f} {mm_to_pt(spot.x_mm):.3f} {mm_to_pt(spot.y_mm):.3f} cm "
        f"/P{spot.page + 1} Do Q"
        for spot in side.pages
    ]
    lines.append(f"{HAIRLINE_PT} w 0.45 G")
    lines += [
        f"{mm_to_pt(x0):.3f} {mm_to_pt(y0):.3f} m {mm_to_pt(x1):.3f} {mm_to_pt(y1):.3f} l S"
        for (x0, y0), (x1, y1) in side.ticks
    ]
    page = pdf.add_blank_page(page_size=(mm_to_pt(plan.sheet.width_mm), mm_to_pt(plan.sheet.height_mm)))
    shown = Dictionary({f"/P{spot.page + 1}": forms[spot.page] for spot in side.pages})
    page.obj.Resources = Dictionary(XObject=shown)
    page.obj.Contents = pdf.make_stream("\n".join(lines).encode())
