"""Lay flowables on pages: sections begin where they read best, and each game fills its page.

Invariant: games that share the pages of a booklet are set in one type size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dobble_print.press.booklet.flowables import Anchor, Placed, draw_column, fill_column
from dobble_print.press.booklet.format import BookFormat
from dobble_print.press.booklet.typeset import BookContext, Chunk
from dobble_print.press.typography import QUIET, REGULAR, TextColor, draw_line
from dobble_print.units import mm_to_pt

LEAST_START = 0.1  # of a page: a chapter that would begin lower starts the next page


@dataclass(eq=False)
class BookPage:
    """One page: placed text, or something painted all over it; only text pages carry a head and a number."""

    placed: list[Placed] = field(default_factory=list)
    head: str = ""
    paint: Callable[[Any], None] | None = None

    @property
    def fill_pt(self) -> float:
        """Return how far down the text reaches."""
        return max((placed.drop_pt + placed.height_pt for placed in self.placed), default=0.0)


def lay_pages(chunks: Sequence[Chunk], page: BookFormat) -> list[BookPage]:
    """Lay the chunks on as many pages as they need."""
    width, height = page.frame_pt
    pages: list[BookPage] = []
    used = height
    for chunk in chunks:
        flow: Sequence[Any] = chunk.flow
        if pages and used + _space_before(flow) < height * (1 - LEAST_START):
            top = used + _space_before(flow)
            taken = fill_column(flow, width, height - top)
            pages[-1].placed += [Placed(p.flowable, p.drop_pt + top, p.height_pt) for p in taken.placed]
            if taken.placed:
                used, flow = top + taken.height_pt, taken.rest
        while flow:
            taken = fill_column(flow, width, height)
            if not taken.placed:
                raise ValueError(f"{chunk.key}: a piece is higher than the page")
            pages.append(BookPage(list(taken.placed), chunk.head))
            used, flow = taken.height_pt, taken.rest
    return pages


def _space_before(flow: Sequence[Any]) -> float:
    """Return the space over the first flowable that takes any room."""
    return next((float(piece.getSpaceBefore()) for piece in flow if not isinstance(piece, Anchor)), 0.0)


def find_anchors(pages: Sequence[BookPage]) -> dict[str, int]:
    """Return the page number, counted from 1, of every anchor."""
    return {
        placed.flowable.key: number
        for number, page in enumerate(pages, start=1)
        for placed in page.placed
        if isinstance(placed.flowable, Anchor)
    }


def draw_page(canvas: Any, number: int, page: BookPage, title: str, book: BookFormat) -> None:
    """Draw one page; odd ones lie on the right."""
    canvas.setPageSize((mm_to_pt(book.width_mm), mm_to_pt(book.height_mm)))
    left = book.inner_mm if number % 2 else book.outer_mm
    if page.paint:
        canvas.saveState()
        page.paint(canvas)
        canvas.restoreState()
    else:
        _draw_surroundings(canvas, number, page.head if number % 2 else title, book, mm_to_pt(left))
    draw_column(canvas, page.placed, mm_to_pt(left), mm_to_pt(book.height_mm - book.top_mm))
    canvas.showPage()


def _draw_surroundings(canvas: Any, number: int, head: str, book: BookFormat, left_pt: float) -> None:
    """Draw the running head and the page number on the outer side, with a hairline under the head."""
    width, size = book.frame_pt[0], book.size_pt * 0.85
    top = mm_to_pt(book.height_mm - book.top_mm * 0.62)
    canvas.setFillColor(QUIET)
    canvas.setStrokeColor(book.tint)
    canvas.setLineWidth(0.8)
    canvas.line(left_pt, top - size * 0.55, left_pt + width, top - size * 0.55)
    x, anchor = (left_pt + width, 1.0) if number % 2 else (left_pt, 0.0)
    draw_line(canvas, x, top, head, REGULAR, size, anchor)
    canvas.setFillColor(TextColor(book.accent))
    draw_line(canvas, x, mm_to_pt(book.bottom_mm * 0.5), str(number), REGULAR, book.size_pt, anchor)


FULL_ENOUGH = 0.6  # of a page: a page with less on it is worth type of a slightly other size
GAME_SIZES = (0.97, 0.94, 0.91, 0.88, 0.85)
CHAPTER_SIZES = (0.97, 0.94, 1.03, 1.06, 1.09, 0.91, 1.12, 1.15, 1.18)


@dataclass(frozen=True, eq=False)
class Group:
    """Sections that start a page together; `typeset` sets them in a given context. A long game may take more pages."""

    typeset: Callable[[BookContext], list[Chunk]]
    game: bool = False
    long: bool = False


def lay_groups(groups: Sequence[Group], context: BookContext) -> list[BookPage]:
    """Lay all groups on pages; where a game runs over its page, games flow on instead."""
    laid = [(group, *_lay_group_well(group, context)) for group in groups]
    games = [(size, pages) for group, size, pages in laid if group.game and not group.long]
    if any(len(pages) > 1 for _, pages in games):
        return lay_groups(_join_games(groups), context)
    game_size = min((size for size, _ in games), default=1.0)
    pages: list[BookPage] = []
    for group, size, own in laid:
        pages += own if not group.game or group.long or size == game_size else _lay_group(group, context, game_size)
    return pages


def _lay_group(group: Group, context: BookContext, size: float) -> list[BookPage]:
    now = context.scale_type(size)
    return lay_pages(group.typeset(now), now.page)


def _lay_group_well(group: Group, context: BookContext) -> tuple[float, list[BookPage]]:
    """Lay a group in the normal type size, or a slightly other one that leaves no page half empty.

    A game must fit one page, unless it is long.
    """
    normal = _lay_group(group, context, 1.0)
    is_short = group.game and not group.long
    if len(normal) > 1 and not _are_full(normal, context.page):
        for size in GAME_SIZES if is_short else CHAPTER_SIZES:
            other = _lay_group(group, context, size)
            if len(other) < len(normal) if is_short else _are_full(other, context.page):
                return size, other
    return 1.0, normal


def _are_full(pages: Sequence[BookPage], page: BookFormat) -> bool:
    return all(each.fill_pt >= page.frame_pt[1] * FULL_ENOUGH for each in pages)


def _join_games(groups: Sequence[Group]) -> list[Group]:
    """Join every run of games, and the chapters after it, into one group that flows on."""
    joined: list[Group] = []
    run: list[Group] = []
    for group in groups:
        run.append(group)
        if not group.game:
            joined.append(join_groups(run))
            run = []
    return [*joined, *([join_groups(run)] if run else [])]


def join_groups(run: Sequence[Group]) -> Group:
    """Return one group whose sections follow each other without starting a page."""
    members = tuple(run)
    return Group(lambda context: [chunk for group in members for chunk in group.typeset(context)])
