"""A page to keep score on: it fills the page before the legend where that would otherwise be empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dobble_print.press.booklet.flow import take
from dobble_print.press.booklet.format import BookFormat
from dobble_print.press.booklet.pages import BookPage
from dobble_print.press.booklet.pieces import Title
from dobble_print.press.booklet.typeset import join_titles
from dobble_print.press.typography import BOLD, REGULAR, text_width_pt
from dobble_print.rules.rulebook import Rulebook

PLAYERS = 6
EMPTY_ROWS = 5  # for a deck too small for any game


def make_score_page(books: Sequence[Rulebook], page: BookFormat) -> BookPage:
    """Two tables, games down and players across."""
    side_by_side = books[: page.columns]
    titles = [book.labels["points"] for book in side_by_side]
    flow = [Title(titles, [""] * len(titles), page, bar=False), *[_make_table(side_by_side, page) for _ in range(2)]]
    return BookPage(list(take(flow, *page.frame_pt).placed), join_titles(titles))


def _make_table(books: Sequence[Rulebook], page: BookFormat) -> Any:
    from reportlab.platypus import Table

    titles = zip(
        *([section.title for section in book.sections if section.kind == "game"] for book in books), strict=True
    )
    names = [join_titles(same) for same in titles] or [""] * EMPTY_ROWS
    width, height = page.frame_pt
    size = page.size_pt * 0.92
    first = min(width * 0.5, max(text_width_pt(name, REGULAR, size) for name in names) + 8)
    size *= min(1.0, *((first - 6) / max(1.0, text_width_pt(name, REGULAR, size)) for name in names))
    rows = [
        ["", *map(str, range(1, PLAYERS + 1))],
        *([name] + [""] * PLAYERS for name in names),
        ["="] + [""] * PLAYERS,
    ]
    row_pt = min(page.size_pt * 3.0, (height - page.size_pt * 6) / 2 / len(rows))
    table = Table(rows, [first] + [(width - first) / PLAYERS] * PLAYERS, [row_pt] * len(rows), spaceAfter=12)
    table.setStyle(
        [
            ("FONT", (0, 0), (-1, -1), REGULAR, size),
            ("FONT", (0, 0), (-1, 0), BOLD, size),
            ("FONT", (0, -1), (-1, -1), BOLD, size),
            ("BACKGROUND", (0, 0), (-1, 0), page.tint),
            ("ALIGN", (1, 0), (-1, -1), "CENTER"),
            ("ALIGN", (0, -1), (0, -1), "RIGHT"),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ("LEFTPADDING", (0, 0), (-1, -1), 2),
            ("RIGHTPADDING", (0, 0), (-1, -1), 2),
            ("GRID", (0, 0), (-1, -1), 0.5, page.accent),
        ]
    )
    return table
