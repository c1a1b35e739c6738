"""Impose the booklet's pages on sheets that are printed on both sides, folded and stapled.

Invariant: the plan says which page goes where and nothing else; every page enters the file once, as a form, and the
symbols inside stay shared. Folded sheets lie inside each other: leaf i of n carries pages 4n-2i and 2i+1 in front, 2i+2
and 4n-2i-1 behind. Where a press asks for bleed, spreads stand so far apart that none prints on another.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pikepdf import Array, Dictionary, Name, Object, Pdf, String

from dobble_print.prepress.prepare import OFFICE, Prepress
from dobble_print.sheets.nesting import Rectangle
from dobble_print.units import Paper, Point, mm_to_pt

MM_PER_PT = 25.4 / 72
TICK_MM = 5.0
STAPLES = (0.25, 0.75)  # of a page's height
STAPLE_MM = 6.0
HAIRLINE_PT = 0.4
OFFICE_TICKS = "0.45 G"
PRESS_TICKS = "0 0 0 1 K"  # a tint would be a screen of dots
TRIM_ROOM_MM = 4.0
SLACK = 0.001  # what rounding to points may cost
SMALLER = 0.08  # how much smaller pages may print to fit the paper: A6 booklets on Letter
MARK_OFFSET_MM = 0.5  # from the bleed to a crop mark
MARK_END_MM = 4.0  # from the bleed to its far end
SHORTEST_MARK_MM = 1.5

Tick = tuple[Point, Point]
Spread = tuple[int | None, int | None]  # the pages on the left and on the right; None is blank


@dataclass(frozen=True)
class PlacedPage:
    """A page (from 0) and where its lower left corner goes."""

    page: int
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class SheetSide:
    """One side of a sheet: pages, and lines to fold, staple and cut at."""

    pages: tuple[PlacedPage, ...]
    ticks: tuple[Tick, ...]


@dataclass(frozen=True)
class ImpositionPlan:
    """All sides in printing order, the sheet as it lies, and how much smaller pages print where they must.

    Spreads lie in rows of two pages, as large as they print, centred, with room for the bleed of both between two rows.
    """

    sheet: Paper
    rows: int
    width_mm: float
    height_mm: float
    scale: float = 1.0
    bleed_mm: float = 0.0
    edge_mm: float = 0.0
    sides: tuple[SheetSide, ...] = ()

    @property
    def trim(self) -> Rectangle:
        """Return the box around all pages: what is left when the sheet has been trimmed."""
        height = self.rows * self.height_mm + (self.rows - 1) * 2 * self.bleed_mm
        return Rectangle.around(self.sheet.width_mm / 2, self.sheet.height_mm / 2, 2 * self.width_mm, height)

    def foot_mm(self, row: int) -> float:
        """Return the lower edge of a row of pages, in mm; rows count from the top."""
        return self.trim.top - (row + 1) * self.height_mm - row * 2 * self.bleed_mm


def pad_pages(count: int) -> list[int | None]:
    """Return the pages in reading order, padded to a multiple of four; the back cover stays the last one."""
    blanks: list[int | None] = [None] * (-count % 4)
    return [*range(count - 1), *blanks, count - 1]


def fold_spreads(pages: Sequence[int | None]) -> list[tuple[Spread, Spread]]:
    """Return the front and the back of every leaf, the outermost first."""
    last = len(pages) - 1
    return [
        ((pages[last - 2 * i], pages[2 * i]), (pages[2 * i + 1], pages[last - 2 * i - 1]))
        for i in range(len(pages) // 4)
    ]


def plan_sheets(
    count: int, width_mm: float, height_mm: float, paper: Paper, bleed_mm: float = 0.0, edge_mm: float = 0.0
) -> ImpositionPlan:
    """Plan spreads on sheets: as many above each other as fit (two of A6 on A4, to be cut apart), else one turned.

    Bleed and marks keep off the edge of the paper.
    """
    size = (width_mm, height_mm)
    if has_room_for_bleed(*size, paper, bleed_mm, edge_mm):
        sheet, rows = _choose_bleeding_rows(paper, *size, bleed_mm, edge_mm)
        grid = ImpositionPlan(sheet, rows, *size, bleed_mm=bleed_mm, edge_mm=edge_mm)
    else:
        sheet, rows = _choose_rows(paper, *size)
        scale = min(1.0, sheet.width_mm / (2 * width_mm), sheet.height_mm / (rows * height_mm))
        grid = ImpositionPlan(sheet, rows, width_mm * scale, height_mm * scale, scale, edge_mm=edge_mm)
    leaves = fold_spreads(pad_pages(count))
    sides = []
    for first in range(0, len(leaves), grid.rows):
        for side in (0, 1):
            spreads = [leaf[side] for leaf in leaves[first : first + grid.rows]]
            sides.append(_place_spreads(spreads, grid, outside=first == 0 and side == 0))
    return replace(grid, sides=tuple(sides))


def has_room_for_bleed(width_mm: float, height_mm: float, paper: Paper, bleed_mm: float, edge_mm: float = 0.0) -> bool:
    """Return whether pages may bleed: not where a sheet that holds several spreads would then hold one."""
    if bleed_mm <= 0:
        return False
    _, rows = _choose_bleeding_rows(paper, width_mm, height_mm, bleed_mm, edge_mm)
    return rows > 1 or (rows == 1 and _choose_rows(paper, width_mm, height_mm)[1] == 1)


def _choose_bleeding_rows(
    paper: Paper, width_mm: float, height_mm: float, bleed_mm: float, edge_mm: float
) -> tuple[Paper, int]:
    """Return the sheet upright or turned, and how many spreads with bleed and marks fit above each other."""
    pitch, marks = height_mm + 2 * bleed_mm, 2 * (edge_mm + MARK_OFFSET_MM + SHORTEST_MARK_MM)
    rows = {
        sheet: math.floor((sheet.height_mm - marks) / pitch)
        if 2 * (width_mm + bleed_mm) + marks <= sheet.width_mm
        else 0
        for sheet in (paper, paper.turned())
    }
    return max(rows.items(), key=lambda choice: choice[1])


def _choose_rows(paper: Paper, width_mm: float, height_mm: float) -> tuple[Paper, int]:
    """Return the sheet upright or turned, and its rows of spreads; a little smaller when full size fits one."""
    choices: list[tuple[Paper, int]] = []
    for size in (1.0 - SLACK, 1.0 - SMALLER):
        rows = {
            sheet: math.floor(sheet.height_mm / (height_mm * size)) if 2 * width_mm * size <= sheet.width_mm else 0
            for sheet in (paper, paper.turned())
        }
        choices += sorted(rows.items(), key=lambda choice: -choice[1])[:1]
    (_, full), (_, smaller) = choices
    best = choices[0] if full > 1 or full == smaller else choices[1]
    return best if best[1] else (paper.turned(), 1)


def _place_spreads(spreads: Sequence[Spread], grid: ImpositionPlan, outside: bool) -> SheetSide:
    """Place spreads from the top down, centred on the sheet; back and front mirror each other about the fold."""
    middle, pages = grid.sheet.width_mm / 2, list[PlacedPage]()
    for row, spread in enumerate(spreads):
        for page, x in zip(spread, (middle - grid.width_mm, middle), strict=True):
            if page is not None:
                pages.append(PlacedPage(page, x, grid.foot_mm(row)))
    if grid.bleed_mm:  # a shop staples by its machine: a tick on a coloured spine would stay there
        return SheetSide(tuple(pages), _keep_off_edge([*_make_outer_fold_ticks(grid), *_make_crop_ticks(grid)], grid))
    ticks = _make_fold_ticks(grid) + (_make_staple_ticks(grid) if outside else [])
    ticks += _make_trim_ticks(grid.trim)
    for row in range(1, len(spreads)):
        ticks += _make_cut_ticks(grid, grid.foot_mm(row - 1))
    return SheetSide(tuple(pages), _keep_off_edge(ticks, grid))


def _keep_off_edge(ticks: Iterable[Tick], grid: ImpositionPlan) -> tuple[Tick, ...]:
    """Return what of the ticks lies where the machine prints; a stump is left out."""
    edge, right, top = grid.edge_mm, grid.sheet.width_mm - grid.edge_mm, grid.sheet.height_mm - grid.edge_mm
    kept = [tuple((min(max(x, edge), right), min(max(y, edge), top)) for x, y in tick) for tick in ticks]
    return tuple((start, end) for start, end in kept if math.dist(start, end) > SHORTEST_MARK_MM - SLACK)


def _make_staple_ticks(grid: ImpositionPlan) -> list[Tick]:
    middle, places = grid.sheet.width_mm / 2, [grid.foot_mm(0) + part * grid.height_mm for part in STAPLES]
    return [((middle, y - STAPLE_MM / 2), (middle, y + STAPLE_MM / 2)) for y in places]


def _make_crop_ticks(grid: ImpositionPlan) -> list[Tick]:
    """Return crop marks outside the bleed, at the corners and beside the edges of every row."""
    block, near, far = grid.trim, grid.bleed_mm + MARK_OFFSET_MM, grid.bleed_mm + MARK_END_MM
    edges = [y for row in range(grid.rows) for y in (grid.foot_mm(row), grid.foot_mm(row) + grid.height_mm)]
    level = [
        ((x + way * near, y), (x + way * far, y)) for y in edges for x, way in ((block.left, -1), (block.right, 1))
    ]
    upright = [
        ((x, y + way * near), (x, y + way * far))
        for x in (block.left, block.right)
        for y, way in ((block.bottom, -1), (block.top, 1))
    ]
    return [*level, *upright]


def _make_fold_ticks(grid: ImpositionPlan) -> list[Tick]:
    x, top = grid.sheet.width_mm / 2, grid.sheet.height_mm
    near, far = grid.edge_mm, grid.edge_mm + TICK_MM
    return [((x, near), (x, far)), ((x, top - near), (x, top - far))]


def _make_outer_fold_ticks(grid: ImpositionPlan) -> list[Tick]:
    """Return ticks at the fold that stand outside the bleed."""
    x, near, far = grid.sheet.width_mm / 2, grid.bleed_mm + MARK_OFFSET_MM, grid.bleed_mm + MARK_OFFSET_MM + TICK_MM
    return [((x, y + way * near), (x, y + way * far)) for y, way in ((grid.trim.bottom, -1), (grid.trim.top, 1))]


def _make_trim_ticks(trim: Rectangle) -> list[Tick]:
    """Return trim marks on a sheet larger than the pages on it; a sliver of paper is not worth a cut."""
    left, right, bottom, top = trim.left, trim.right, trim.bottom, trim.top
    ticks: list[Tick] = []
    if left >= TRIM_ROOM_MM:
        ticks += [((x, y), (x, y + TRIM_ROOM_MM / 2)) for x in (left, right) for y in (bottom, top - TRIM_ROOM_MM / 2)]
    if bottom >= TRIM_ROOM_MM:
        ticks += [((x, y), (x + TRIM_ROOM_MM / 2, y)) for x in (left, right - TRIM_ROOM_MM / 2) for y in (bottom, top)]
    return ticks


def _make_cut_ticks(grid: ImpositionPlan, y: float) -> list[Tick]:
    near, far, right = grid.edge_mm, grid.edge_mm + TICK_MM, grid.sheet.width_mm
    middle = right / 2
    return [((near, y), (far, y)), ((right - near, y), (right - far, y)), ((middle - 2, y), (middle + 2, y))]


def impose_booklet(
    booklet: bytes, paper: Paper, bleed_mm: float = 0.0, prepress: Prepress = OFFICE, edge_mm: float = 0.0
) -> bytes:
    """Impose a booklet for saddle stitching: print both sides, cut where there are two rows, fold, staple."""
    with Pdf.open(io.BytesIO(booklet)) as source, Pdf.new() as pdf:
        x0, y0, x1, y1 = (float(value) for value in source.pages[0].MediaBox)
        size = (x1 - x0) * MM_PER_PT, (y1 - y0) * MM_PER_PT
        plan = plan_sheets(len(source.pages), *size, paper, bleed_mm, edge_mm)
        # one call copies everything, so that what pages share stays shared
        forms = pdf.copy_foreign(source.make_indirect(Array([page.as_form_xobject() for page in source.pages])))
        bleed = mm_to_pt(plan.bleed_mm)
        for form in forms:
            form.BBox = Array([x0 - bleed, y0 - bleed, x1 + bleed, y1 + bleed])
        for side in plan.sides:
            _add_side(pdf, side, plan, forms, PRESS_TICKS if prepress.inks else OFFICE_TICKS)
        flip = Name.DuplexFlipLongEdge if plan.sheet.height_mm >= plan.sheet.width_mm else Name.DuplexFlipShortEdge
        pdf.Root.ViewerPreferences = Dictionary(PrintScaling=Name("/None"), Duplex=flip, PickTrayByPDFSize=True)
        for kept, to, key in ((source.Root, pdf.Root, "/Lang"), (source.docinfo, pdf.docinfo, "/Title")):
            if key in kept:
                to[key] = String(str(kept[key]))
        return prepress.finish_document(pdf)


def _add_side(pdf: Pdf, side: SheetSide, plan: ImpositionPlan, forms: Object, tick_color: str) -> None:
    lines = [
        f"q {plan.scale:.5f} 0 0 {plan.scale:.5f} {mm_to_pt(spot.x_mm):.3f} {mm_to_pt(spot.y_mm):.3f} cm "
        f"/P{spot.page + 1} Do Q"
        for spot in side.pages
    ]
    lines.append(f"{HAIRLINE_PT} w {tick_color}")
    lines += [
        f"{mm_to_pt(x0):.3f} {mm_to_pt(y0):.3f} m {mm_to_pt(x1):.3f} {mm_to_pt(y1):.3f} l S"
        for (x0, y0), (x1, y1) in side.ticks
    ]
    page = pdf.add_blank_page(page_size=(mm_to_pt(plan.sheet.width_mm), mm_to_pt(plan.sheet.height_mm)))
    shown = Dictionary({f"/P{spot.page + 1}": forms[spot.page] for spot in side.pages})
    page.obj.Resources = Dictionary(XObject=shown)
    page.obj.Contents = pdf.make_stream("\n".join(lines).encode())
    page.obj.TrimBox, page.obj.BleedBox = _make_box(plan, 0.0), _make_box(plan, plan.bleed_mm)


def _make_box(plan: ImpositionPlan, more_mm: float) -> Array:
    """Return the trimmed part of a sheet, grown by `more_mm`, as far as there is paper."""
    left, bottom = (max(0.0, value - more_mm) for value in (plan.trim.left, plan.trim.bottom))
    right = min(plan.sheet.width_mm, plan.trim.right + more_mm)
    top = min(plan.sheet.height_mm, plan.trim.top + more_mm)
    return Array([round(mm_to_pt(value), 3) for value in (left, bottom, right, top)])
