"""The booklet: cover, contents, rules, legend and back cover, in reading order.

Invariant: the legend opens on a left page, so that it lies open as the last spread; no page is empty.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from dobble_print.art.artwork import Artwork
from dobble_print.deck import Deck
from dobble_print.press.booklet.covers import paint_back, paint_front
from dobble_print.press.booklet.format import BookFormat, make_format
from dobble_print.press.booklet.legend_pages import make_legend_pages
from dobble_print.press.booklet.pack import Pack
from dobble_print.press.booklet.pages import BookPage, draw_page, find_anchors, lay_pages
from dobble_print.press.booklet.score import make_score_page
from dobble_print.press.booklet.typeset import (
    Chunk,
    Setting,
    join_titles,
    typeset_books,
    typeset_contents,
    typeset_languages,
)
from dobble_print.press.document import Printer
from dobble_print.press.forms import finish_document
from dobble_print.press.legend import shown_symbols, small_forms
from dobble_print.press.lettering import REGULAR, refuse_missing, register_fonts
from dobble_print.rulebook import Rulebook
from dobble_print.rules import compose_rules

LEGEND = "legend"
MOST_SIDE_BY_SIDE = 2


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
    page = make_format(size, [book.language for book in books], theme.card.rim_color)
    numbers: dict[str, int] = {}
    largest = max(decks, key=lambda deck: len(deck.cards))
    setting = Setting(Pack(printer, artworks, tuple(card.number for card in largest.cards)), page, numbers)
    pages = _plan_pages(books, setting, chosen)
    numbers |= find_anchors(pages)
    drawn = _draw_book(pages, books, page)
    return finish_document(drawn, _forms(printer), books[0].language)


def _forms(printer: Printer) -> Any:
    """The symbols, and the picture on the back when there is one."""
    on_back = {stamp.symbol for stamp in printer.back.stamps} if printer.back else set()
    return small_forms(printer, sorted({*shown_symbols(printer), *on_back}), largest_mm=50.0)


def _plan_pages(books: Sequence[Rulebook], setting: Setting, languages: Sequence[str]) -> list[BookPage]:
    page, pack = setting.page, setting.pack
    heading = join_titles([book.labels["symbols"] for book in books[:MOST_SIDE_BY_SIDE]])
    front = BookPage(paint=lambda canvas: paint_front(canvas, books, pack, page), plain=True)
    pages = [front, *lay_pages(_typeset(books, setting, heading), page)]
    legend = make_legend_pages(LEGEND, heading, books, setting, languages)
    if len(legend) > 1 and len(pages) % 2 == 0:
        pages.append(make_score_page(books, page))
    lines = [join_titles([book.title for book in books[:3]]), books[0].figures, "dobble-print"]
    back = BookPage(paint=lambda canvas: paint_back(canvas, pack, page, lines), plain=True)
    return [*pages, *legend, back]


def _typeset(books: Sequence[Rulebook], setting: Setting, legend: str) -> list[Chunk]:
    """Contents first, then one language, or two side by side; or each of many after its own contents."""
    more = ((LEGEND, legend),)
    if len(books) <= MOST_SIDE_BY_SIDE:
        contents = Chunk("contents", books[0].labels["contents"], tuple(typeset_contents(books, setting, "", more)))
        return [contents, *typeset_books(books, setting, "", 0)]
    chunks = [Chunk("contents", books[0].title, tuple(typeset_languages(books, setting, more)))]
    for book in books:
        chunks.append(_open_language(book, setting))
        chunks += typeset_books([book], setting, f"{book.language}-", 1)
    return chunks


def _open_language(book: Rulebook, setting: Setting) -> Chunk:
    from dobble_print.press.booklet.pieces import Anchor
    from dobble_print.theme.tables import find_language

    language = find_language(book.language)
    name = language.own_name if language else book.language
    contents = typeset_contents([book], setting, f"{book.language}-", title=f"{book.title} ({name})")
    return Chunk(f"{book.language}", name, (Anchor(book.language, name, 0), *contents), fresh=True)


def _draw_book(pages: Sequence[BookPage], books: Sequence[Rulebook], page: BookFormat) -> bytes:
    sink = io.BytesIO()
    canvas = Canvas(sink, invariant=1, pageCompression=1, initialFontName=REGULAR)
    title = join_titles([book.title for book in books[:MOST_SIDE_BY_SIDE]])
    canvas.setTitle(f"{title}: {books[0].labels['rules']}")
    canvas.setCreator("dobble-print")
    canvas.setAuthor("")
    canvas.setSubject("")
    for number, one in enumerate(pages, start=1):
        draw_page(canvas, number, one, title, page)
    canvas.save()
    return sink.getvalue()
