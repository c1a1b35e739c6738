"""Typeset rulebooks as flowables, one language in full width or two side by side, section by section.

Invariant: a game is one chunk that starts a page, and its drawing takes the room that its text leaves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from dobble_print.press.booklet.flowables import (
    NO_LIMIT_PT,
    Anchor,
    ContentsLine,
    DrawingFlowable,
    SideBySide,
    SymbolBeside,
    Title,
    fill_column,
    make_prose,
)
from dobble_print.press.booklet.format import BookFormat
from dobble_print.press.booklet.rings import find_clearest_pair
from dobble_print.press.booklet.scene import DeckCards, Scene
from dobble_print.press.booklet.setups import SETUPS, TableSetup
from dobble_print.press.typography import BOLD, REGULAR, isolate, text_width_pt
from dobble_print.rules.facts import GAMES
from dobble_print.rules.rulebook import (
    Block,
    Illustration,
    Paragraph,
    Passage,
    Rulebook,
    SpecialRule,
    Steps,
    TextTable,
    name_symbol,
)
from dobble_print.units import mm_to_pt
from dobble_print.words.languages import find_language
from dobble_print.words.typesetting import head_with

MOST_SEATED = 4
CARD_SHARE = {"match": 0.36, "tower": 0.22, "well": 0.22, "potato": 0.22, "gift": 0.22, "triplet": 0.19, "line": 0.2}
FLOWING_SHARE = 0.4  # of the page, the height of a drawing in a game that runs over more pages
CELL_PADDING_PT = 2.0
CAPTION_SHARE = 0.92  # of the size of the text


@dataclass(frozen=True, eq=False)
class Chunk:
    """Flowables that belong together, with the section's key, and its title for the running head."""

    key: str
    head: str
    flow: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class BookContext:
    """What typesetting needs besides the text: the deck, the format, and the page numbers as they become known."""

    deck: DeckCards
    page: BookFormat
    pages: Mapping[str, int]

    def scale_type(self, size: float) -> BookContext:
        """Return the context with type of another size."""
        return replace(self, page=replace(self.page, size_pt=self.page.size_pt * size)) if size != 1 else self


def typeset_section(number: int, books: Sequence[Rulebook], context: BookContext, prefix: str, level: int) -> Chunk:
    """Typeset a section of rulebooks that stand side by side, or of a single one."""
    same = [book.sections[number] for book in books]
    title = join_titles([section.title for section in same])
    game = same[0].kind == "game"
    flow: list[Any] = [
        Anchor(prefix + same[0].key, title, level),
        Title([section.title for section in same], context.page, [section.note for section in same], bar=game),
    ]
    for parts in zip_longest(*(section.parts for section in same), fillvalue=Passage(())):
        flow += _typeset_part(parts, books, context)
    if game:
        _fit_drawing(flow, context.page)
    return Chunk(prefix + same[0].key, title, tuple(flow))


Lines = Sequence[tuple[str, Sequence[str]]]  # of a table of contents: the key and the titles of each


def typeset_contents(
    books: Sequence[Rulebook], context: BookContext, prefix: str, more: Lines = (), title: str = ""
) -> list[Any]:
    """Typeset the table of contents of rulebooks that stand side by side; `more` are further lines."""
    sections = zip(*(book.sections for book in books), strict=True)
    lines = [(prefix + same[0].key, [section.title for section in same]) for same in sections]
    return _list_lines([title or book.labels["contents"] for book in books], [*lines, *more], context)


def typeset_language(book: Rulebook, context: BookContext) -> list[Any]:
    """Typeset the opening of one of many languages: its name, the title in it, and its own contents."""
    contents = typeset_contents([book], context, f"{book.language}-", title=f"{book.title} ({find_own_name(book)})")
    return [Anchor(book.language, find_own_name(book)), *contents]


def find_own_name(book: Rulebook) -> str:
    """Return what a book's language calls itself."""
    language = find_language(book.language)
    return language.own_name if language else book.language


def typeset_languages(books: Sequence[Rulebook], context: BookContext, more: Lines) -> list[Any]:
    """Typeset the contents of a booklet whose languages follow each other: where each of them begins."""
    lines = [(book.language, [head_with(find_own_name(book), book.labels["rules"], book.language)]) for book in books]
    return _list_lines([books[0].labels["contents"]], [*lines, *more], context)


def _list_lines(titles: Sequence[str], lines: Lines, context: BookContext) -> list[Any]:
    page = context.page
    return [Title(titles, page), *(ContentsLine(key, names, page, context.pages) for key, names in lines)]


def join_titles(titles: Sequence[str]) -> str:
    """Join the titles of the same thing in several languages, each once."""
    return " | ".join(map(isolate, dict.fromkeys(titles)))


def _typeset_part(parts: Sequence[Passage], books: Sequence[Rulebook], context: BookContext) -> list[Any]:
    """Typeset the text of a part in its columns, and its drawing under them, once for all languages."""
    columns = [_typeset_column(part, context) for part in parts]
    picture = next((block for block in parts[0].blocks if isinstance(block, Illustration)), None)
    flow = columns[0] if len(columns) == 1 else []
    if len(columns) > 1 and any(columns):
        flow = [SideBySide(columns, [book.language for book in books], mm_to_pt(context.page.gutter_mm))]
    return flow + ([_make_drawing(picture, books, context)] if picture else [])


def _typeset_column(part: Passage, context: BookContext) -> list[Any]:
    flow: list[Any] = []
    if part.heading:
        flow.append(make_prose(part.heading, context.page.styles["part"]))
        flow[0].keepWithNext = 1
    return flow + [piece for block in part.blocks for piece in _typeset_block(block, context)]


def _typeset_block(block: Block, context: BookContext) -> list[Any]:
    styles = context.page.styles
    match block:
        case Paragraph(text):
            return [make_prose(text, styles["body"])]
        case Steps(items, numbered):
            marks = [f"{i}" if numbered else "•" for i in range(1, len(items) + 1)]
            prose = [make_prose(item, styles["step"], mark) for item, mark in zip(items, marks, strict=True)]
            for item in prose[:-1]:
                item.keepWithNext = not numbered  # a short list stays together
            return prose
        case TextTable(rows):
            return [_make_grid(rows, context.page)]
        case SpecialRule(symbol, text, _):
            return [SymbolBeside(symbol, make_prose(text, styles["body"]), context.deck, context.page)]
        case _:
            return []


def _make_grid(rows: Sequence[Sequence[str]], page: BookFormat) -> Any:
    from reportlab.platypus import Table

    size = page.size_pt
    wanted = [max(text_width_pt(cell, BOLD, size) for cell in column) for column in zip(*rows, strict=True)]
    room = page.column_pt - 2 * CELL_PADDING_PT * len(wanted)
    size *= min(1.0, room / sum(wanted))
    spare = max(0.0, room - sum(wanted)) / len(wanted) + 2 * CELL_PADDING_PT
    widths = [min(1.0, room / sum(wanted)) * width + spare for width in wanted]
    table = Table([list(row) for row in rows], widths, spaceBefore=2, spaceAfter=5)
    table.setStyle(
        [
            ("FONT", (0, 0), (-1, -1), REGULAR, size, size * 1.2),
            ("FONT", (0, 0), (-1, 0), BOLD, size * 0.9, size * 1.2),
            ("FONT", (0, 0), (0, -1), BOLD, size, size * 1.2),
            ("BACKGROUND", (0, 0), (-1, 0), page.tint),
            ("LINEBELOW", (0, 0), (-1, -1), 0.4, page.accent),
            ("ALIGN", (1, 0), (-1, -1), "CENTER"),
            ("TOPPADDING", (0, 0), (-1, -1), 1.6),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.2),
            ("LEFTPADDING", (0, 0), (-1, -1), CELL_PADDING_PT),
            ("RIGHTPADDING", (0, 0), (-1, -1), CELL_PADDING_PT),
        ]
    )
    return table


def _make_drawing(picture: Illustration, books: Sequence[Rulebook], context: BookContext) -> DrawingFlowable:
    deck, page = context.deck, context.page
    labels = [dict(book.labels) for book in books]
    if picture.kind == "match":
        symbol = deck.find_shared(*find_clearest_pair(deck))
        for book, words in zip(books, labels, strict=True):
            name = isolate(name_symbol(deck.theme, symbol, book.language))
            words["the_match"] = book.labels["the_match"].format(symbol=name)
    players = next((game.most_players(len(deck.numbers)) for game in GAMES if game.key == picture.kind), MOST_SEATED)
    seated = max(2, min(MOST_SEATED, players))

    def make_scene(card_mm: float) -> Scene:
        return SETUPS[picture.kind](TableSetup(deck, labels, seated, card_mm, page.size_pt * CAPTION_SHARE))

    return DrawingFlowable(make_scene, deck, page, page.width_mm * CARD_SHARE[picture.kind])


def _fit_drawing(flow: list[Any], page: BookFormat) -> None:
    """Give the drawing the room that the rest of the game leaves on its page, or let it flow if that is too little."""
    width, height = page.frame_pt
    drawing = next((piece for piece in flow if isinstance(piece, DrawingFlowable)), None)
    if drawing is None:
        return
    rest = fill_column([piece for piece in flow if piece is not drawing], width, NO_LIMIT_PT).height_pt
    room = height - rest - drawing.spaceBefore - drawing.spaceAfter
    least = mm_to_pt(drawing.make_scene(drawing.least_card_mm).height_mm)
    drawing.room_pt = room if room >= least else height * FLOWING_SHARE
