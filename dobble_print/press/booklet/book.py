"""The booklet: cover, contents, rules, legend and back cover, in reading order.

Invariant: the legend opens on a left page, so that it lies open as the last spread; no page is empty.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from dobble_print.art.artwork import Artwork, Form
from dobble_print.deck import Deck
from dobble_print.press.booklet.covers import paint_back, paint_front
from dobble_print.press.booklet.format import BookFormat, make_format
from dobble_print.press.booklet.grouping import Group, lay_groups
from dobble_print.press.booklet.imposition import has_room_for_bleed
from dobble_print.press.booklet.legend_pages import make_legend_pages
from dobble_print.press.booklet.pack import Pack
from dobble_print.press.booklet.pages import BookPage, draw_page, find_anchors
from dobble_print.press.booklet.score import make_score_page
from dobble_print.press.booklet.typeset import (
    Chunk,
    Setting,
    join_titles,
    typeset_contents,
    typeset_language,
    typeset_languages,
    typeset_section,
)
from dobble_print.press.document import Printer, finish_document
from dobble_print.press.legend import list_pieces, shown_symbols, small_forms
from dobble_print.press.typography import open_canvas, refuse_missing, register_fonts
from dobble_print.rules.compose import compose_rules
from dobble_print.rules.rulebook import Rulebook
from dobble_print.theme.model import Theme

LEGEND = "legend"
MOST_SIDE_BY_SIDE = 2
LARGEST_CARD = 0.5  # of the page's width, on the back cover
LARGEST_SYMBOL = 0.2  # of the page's width, on the two cards that show a match
LONG = ("line",)  # games that need more than a page


def make_booklet(
    printer: Printer,
    decks: Sequence[Deck],
    artworks: Sequence[Artwork],
    languages: Sequence[str] = (),
    size: str | None = None,
) -> bytes:
    """The rules of a deck as a booklet to read, in the chosen languages (the theme's when none are)."""
    theme = printer.theme
    chosen = tuple(languages) or theme.languages
    books = compose_rules(theme, decks, chosen)
    refuse_missing([book.title for book in books], "the title")
    register_fonts()
    page = _let_bleed(make_format(size, [book.language for book in books], theme.card.rim_color), theme)
    numbers: dict[str, int] = {}
    largest = max(decks, key=lambda deck: len(deck.cards))
    setting = Setting(Pack(printer, artworks, tuple(card.number for card in largest.cards)), page, numbers)
    pages = plan_pages(books, setting, chosen)
    numbers |= find_anchors(pages)
    drawn = _draw_book(pages, books, page)
    return finish_document(drawn, _forms(printer, page), books[0].language)


def _let_bleed(page: BookFormat, theme: Theme) -> BookFormat:
    """A press prints over the edge and trims, where its sheet has the room."""
    bleed_mm = find_bleed_mm(theme)
    bleeds = has_room_for_bleed(page.width_mm, page.height_mm, theme.sheet.paper, bleed_mm)
    return replace(page, bleed_mm=bleed_mm) if bleeds else page


def find_bleed_mm(theme: Theme) -> float:
    """How far a booklet's covers may run over the edge: only a press trims."""
    return theme.sheet.bleed_mm if theme.press.standard != "none" else 0.0


def _forms(printer: Printer, page: BookFormat) -> dict[int, Form]:
    """The symbols, and the picture on the back when there is one, as large as the booklet shows them."""
    on_back = {stamp.piece for stamp in printer.back.stamps} if printer.back else set()
    shown = list_pieces(printer.theme, shown_symbols(printer))
    card = printer.look.background
    symbols = small_forms(printer, shown, page.width_mm * LARGEST_SYMBOL, card)
    return symbols | small_forms(printer, sorted(on_back - set(shown)), page.width_mm * LARGEST_CARD, card)


def plan_pages(books: Sequence[Rulebook], setting: Setting, languages: Sequence[str]) -> list[BookPage]:
    """Every page of the booklet, in reading order."""
    page, pack = setting.page, setting.pack
    heading = join_titles([book.labels["symbols"] for book in books[:MOST_SIDE_BY_SIDE]])
    front = BookPage(paint=lambda canvas: paint_front(canvas, books, pack, page), plain=True)
    pages = [front]
    pages += lay_groups(_list_groups(books, setting, heading), setting)
    legend = make_legend_pages(LEGEND, heading, books, setting, languages)
    pages += [make_score_page(books, page) for _ in range(_count_fillers(len(pages), len(legend)))]
    lines = [join_titles([book.title for book in books[:3]]), books[0].figures, "dobble-print"]
    back = BookPage(paint=lambda canvas: paint_back(canvas, pack, page, lines), plain=True)
    return [*pages, *legend, back]


def _count_fillers(pages: int, legend: int) -> int:
    """How many pages to keep score on: they turn the legend into a spread, and fill the last folded sheet."""
    wanted = (pages + 1) % 2 if legend > 1 else 0  # the legend opens on an even page
    return wanted + 2 if wanted == 0 and (pages + legend + 1) % 4 == 2 else wanted


def _list_groups(books: Sequence[Rulebook], setting: Setting, legend: str) -> list[Group]:
    """Contents first, then one language, or two side by side; or each of many after its own contents."""
    more = ((LEGEND, legend),)
    if len(books) <= MOST_SIDE_BY_SIDE:
        return _group_sections(books, "", 0, lambda now: typeset_contents(books, now, "", more))
    groups = [
        Group(lambda now: [Chunk("contents", books[0].title, tuple(typeset_languages(books, now, more)))]),
    ]
    for book in books:
        groups += _group_sections([book], f"{book.language}-", 1, partial(typeset_language, book))
    return groups


def _group_sections(
    books: Sequence[Rulebook], prefix: str, level: int, contents: Callable[[Setting], list[Any]]
) -> list[Group]:
    """What starts a page: the contents with the chapters before the games, every game, the chapters after them."""
    kinds = [section.kind for section in books[0].sections]
    starts = [i for i, kind in enumerate(kinds) if i > 0 and (kind == "game" or kinds[i - 1] == "game")]
    groups = []
    for start, end in pairwise([0, *starts, len(kinds)]):
        first = contents if start == 0 else None
        typeset = partial(_typeset_group, books, range(start, end), prefix, level, first)
        groups.append(Group(typeset, kinds[start] == "game", books[0].sections[start].key in LONG))
    return groups


def _typeset_group(
    books: Sequence[Rulebook],
    sections: range,
    prefix: str,
    level: int,
    contents: Callable[[Setting], list[Any]] | None,
    setting: Setting,
) -> list[Chunk]:
    chunks = [typeset_section(i, books, setting, prefix, level) for i in sections]
    if contents is None:
        return chunks
    return [
        Chunk("contents", join_titles([book.labels["contents"] for book in books]), tuple(contents(setting))),
        *chunks,
    ]


def _draw_book(pages: Sequence[BookPage], books: Sequence[Rulebook], page: BookFormat) -> bytes:
    sink = io.BytesIO()
    title = join_titles([book.title for book in books[:MOST_SIDE_BY_SIDE]])
    canvas = open_canvas(sink, f"{title}: {books[0].labels['rules']}")
    for number, one in enumerate(pages, start=1):
        draw_page(canvas, number, one, title, page)
    canvas.save()
    return sink.getvalue()
