"""Make the rules booklet to read: covers, contents, rules, legend and score pages.

Invariant: all pages are planned, and the contents know their numbers, before anything is drawn.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from reportlab.platypus.flowables import Flowable

from dobble_print.art.artwork import Artwork, Form
from dobble_print.deck.design import Deck
from dobble_print.press.booklet.flowables import Anchor, Title, fill_column, make_prose
from dobble_print.press.booklet.format import BookFormat, make_format
from dobble_print.press.booklet.imposition import has_room_for_bleed, impose_booklet
from dobble_print.press.booklet.pages import BookPage, Group, draw_page, find_anchors, join_groups, lay_groups
from dobble_print.press.booklet.scene import CardAt, DeckCards, draw_centred, place_card
from dobble_print.press.booklet.typeset import (
    BookContext,
    Chunk,
    join_titles,
    typeset_contents,
    typeset_language,
    typeset_languages,
    typeset_section,
)
from dobble_print.press.document import PrintableDeck, finish_document
from dobble_print.press.legend import (
    Cell,
    LegendPlan,
    also_words,
    draw_cells,
    footnotes,
    list_entries,
    list_pieces,
    plan_legend,
    shown_symbols,
    small_forms,
)
from dobble_print.press.typography import (
    BOLD,
    REGULAR,
    break_lines,
    open_canvas,
    order_visually,
    refuse_missing,
    register_fonts,
    text_width_pt,
)
from dobble_print.rules.rulebook import Rulebook, compose_rules
from dobble_print.theme.model import Theme
from dobble_print.units import PT_PER_MM, mm_to_pt
from dobble_print.words.typesetting import head_with

PANEL_INSET = 0.06  # of the page's width
FAN = 5
FAN_DEG = 13.0
TITLES_HEIGHT = 0.25  # of the page's height
TITLE_PITCH = 1.18  # of the type size


def paint_front(canvas: Any, books: Sequence[Rulebook], deck: DeckCards, page: BookFormat) -> None:
    """Paint the front cover: titles on top, a fan of cards in the middle, languages at the foot."""
    _paint_panel(canvas, page)
    canvas.setFillColor("#ffffff")
    titles = list(dict.fromkeys(book.title for book in books))
    foot_mm = _paint_titles(canvas, titles, page)
    middle = (foot_mm + page.height_mm * 0.17) / 2
    _paint_fan(canvas, deck, page, min(middle, page.height_mm * 0.46))
    canvas.setFillColor("#ffffff")
    words = " · ".join(dict.fromkeys(book.labels["rules"] for book in books[:3]))
    _paint_line(canvas, words, page, page.height_mm * 0.125, BOLD, 0.05)
    _paint_line(
        canvas, " · ".join(book.language.upper() for book in books), page, page.height_mm * 0.085, REGULAR, 0.034
    )


def paint_back(canvas: Any, deck: DeckCards, page: BookFormat, lines: Sequence[str]) -> None:
    """Paint the back cover: a card face down (or face up, when its back is plain), and what is in the box."""
    _paint_panel(canvas, page)
    card = CardAt(deck.numbers[0], page.width_mm / 2, page.height_mm * 0.56, 0.0, down=bool(deck.back.stamps))
    place_card(canvas, card, deck, page.width_mm * 0.46)
    canvas.setFillColor("#ffffff")
    for i, line in enumerate(lines):
        font = REGULAR if i else BOLD
        _paint_line(canvas, line, page, page.height_mm * (0.2 - 0.042 * i), font, 0.034 if i else 0.045)


def _paint_panel(canvas: Any, page: BookFormat) -> None:
    inset = -page.bleed_mm if page.bleed_mm else page.width_mm * PANEL_INSET
    box = [mm_to_pt(x) for x in (inset, inset, page.width_mm - 2 * inset, page.height_mm - 2 * inset)]
    canvas.setFillColor(page.accent)
    if page.bleed_mm:
        canvas.rect(*box, stroke=0, fill=1)
    else:
        canvas.roundRect(*box, mm_to_pt(page.width_mm * 0.045), stroke=0, fill=1)


def _paint_titles(canvas: Any, titles: Sequence[str], page: BookFormat) -> float:
    """Paint the titles under each other, as large as they fit, and return where the last one ends, in mm."""
    lines, size = _fit_titles(titles, page)
    top = mm_to_pt(page.height_mm * (1 - PANEL_INSET) - page.width_mm * 0.07) - size * 0.55
    for i, line in enumerate(lines):
        draw_centred(canvas, line, mm_to_pt(page.width_mm / 2), top - i * size * TITLE_PITCH, BOLD, size)
    return (top - (len(lines) - 0.4) * size * TITLE_PITCH) / PT_PER_MM


def _fit_titles(titles: Sequence[str], page: BookFormat) -> tuple[list[str], float]:
    """Return the titles' lines and the largest type that leaves room for the fan; several titles take a line each."""
    room, height = mm_to_pt(page.width_mm * 0.78), mm_to_pt(page.height_mm * TITLES_HEIGHT)
    size, least = mm_to_pt(page.width_mm * 0.13), mm_to_pt(page.width_mm * 0.03)
    while True:
        broken = [break_lines(title, BOLD, size, room) for title in titles]
        lines = [line for title in broken for line in title]
        wide = any(text_width_pt(order_visually(line), BOLD, size) > room for line in lines)
        spills = len(titles) > 1 and len(lines) > len(titles)
        if size < least or not (wide or spills or len(lines) * size * TITLE_PITCH > height):
            return lines, size
        size *= 0.96


def _paint_line(canvas: Any, text: str, page: BookFormat, y_mm: float, font: str, part: float) -> None:
    """Paint a centred line, smaller when it is long."""
    size, room = mm_to_pt(page.width_mm * part), mm_to_pt(page.width_mm * 0.8)
    size *= min(1.0, room / max(1.0, text_width_pt(order_visually(text), font, size)))
    draw_centred(canvas, text, mm_to_pt(page.width_mm / 2), mm_to_pt(y_mm), font, size)


def _paint_fan(canvas: Any, deck: DeckCards, page: BookFormat, y_mm: float) -> None:
    """Paint real cards like a hand of cards; the last one lies on top."""
    card_mm, reach = page.width_mm * 0.41, page.width_mm * 0.5
    step = max(1, len(deck.numbers) // FAN)
    count = min(FAN, len(deck.numbers))
    for i in range(count):
        turn = FAN_DEG * ((count - 1) / 2 - i)
        angle = math.radians(90 + turn)
        x = page.width_mm / 2 + reach * math.cos(angle)
        y = y_mm - reach * 0.97 + reach * math.sin(angle)
        place_card(canvas, CardAt(deck.numbers[i * step], x, y, turn), deck, card_mm)


SCORES = "scores"
MOST_SCORE_PAGES = 3
PLAYERS = 6
EMPTY_ROWS = 5  # for a deck too small for any game


def make_score_page(books: Sequence[Rulebook], page: BookFormat, is_first: bool = True) -> BookPage:
    """Make a page with two score tables, games down and players across; the contents lead to the first."""
    side_by_side = books[: page.columns]
    titles = [book.labels["points"] for book in side_by_side]
    anchor = [Anchor(SCORES, join_titles(titles))] if is_first else []
    flow = [*anchor, Title(titles, page), *[_make_table(side_by_side, page) for _ in range(2)]]
    return BookPage(list(fill_column(flow, *page.frame_pt).placed), join_titles(titles))


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


FEW = 20  # symbols that one page shows well
BOOK_PAGES = (1, 2, 4, 6, 8, 12, 16, 24)
MOST_WITH_SYNONYMS = 4  # pages; a longer legend leaves the synonyms to the poster
TITLE_PITCHES = 2.6  # height of the title with the space under it, in lines


class LegendFlowable(Flowable):  # type: ignore[misc]
    """The cells of one page."""

    def __init__(self, cells: Sequence[Cell], plan: LegendPlan, context: BookContext, height_mm: float) -> None:
        super().__init__()
        self.cells, self.plan, self.context, self.height_mm = cells, plan, context, height_mm

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """Return the width given and the planned height."""
        self.width, self.height = width_pt, mm_to_pt(self.height_mm)
        return self.width, self.height

    def draw(self) -> None:
        """Draw pictures and names."""
        deck = self.context.deck
        draw_cells(self.canv, self.cells, self.plan, deck.theme, deck.artworks)


def make_legend_pages(
    key: str, heading: str, books: Sequence[Rulebook], context: BookContext, languages: Sequence[str]
) -> list[BookPage]:
    """Make one legend page for a few symbols, else a spread, or more where names would be too small to read."""
    page, theme = context.page, context.deck.theme
    shown = shown_symbols(context.deck.printable)
    notes = [make_prose(note, page.styles["small"]) for note in footnotes(theme, languages)]
    width, height = (length / PT_PER_MM for length in page.frame_pt)
    pitch_mm = page.size_pt * page.leading / PT_PER_MM
    room = height - TITLE_PITCHES * pitch_mm - sum(n.wrap(page.frame_pt[0], 1e6)[1] for n in notes) / PT_PER_MM - 1.0
    counts = BOOK_PAGES if len(shown) <= FEW else BOOK_PAGES[1:]
    plan = plan_legend(list_entries(theme, shown, languages, also_words(languages)), width, room, counts)
    if len(plan.pages) > MOST_WITH_SYNONYMS:
        plan = plan_legend(list_entries(theme, shown, languages, [""] * len(languages)), width, room, counts)
    pages = []
    titles = [book.labels["symbols"] for book in books[: page.columns]]
    for i, cells in enumerate(plan.pages):
        flow: list[Any] = [Anchor(key, heading)] if i == 0 else []
        flow += [Title(titles, page), LegendFlowable(cells, plan, context, room)]
        flow += notes if i == len(plan.pages) - 1 else []
        pages.append(BookPage(list(fill_column(flow, page.frame_pt[0], page.frame_pt[1] + 50).placed), heading))
    return pages


LEGEND = "legend"
MOST_SIDE_BY_SIDE = 2
LARGEST_CARD = 0.5  # of the page's width, on the back cover
LARGEST_SYMBOL = 0.2  # of the page's width, on the two cards that show a match
LONG = ("line",)  # games that need more than a page


def plan_booklet(
    deck: PrintableDeck,
    decks: Sequence[Deck],
    artworks: Sequence[Artwork],
    languages: Sequence[str] = (),
    size: str | None = None,
) -> Booklet:
    """Plan every page of a booklet, to be drawn for the screen and for the press."""
    theme = deck.theme
    chosen = tuple(languages) or theme.languages
    books = compose_rules(theme, decks, chosen)
    refuse_missing([book.title for book in books], "the title")
    register_fonts()
    page = make_format(size, [book.language for book in books], theme.card.rim_color)
    if has_room_for_bleed(page.width_mm, page.height_mm, theme.sheet.paper, find_bleed_mm(theme), theme.sheet.edge_mm):
        page = replace(page, bleed_mm=find_bleed_mm(theme))
    numbers: dict[str, int] = {}
    largest = max(decks, key=lambda deck: len(deck.cards))
    context = BookContext(DeckCards(deck, artworks, tuple(card.number for card in largest.cards)), page, numbers)
    pages = plan_pages(books, context, chosen)
    numbers |= find_anchors(pages)
    return Booklet(deck, pages, books, page)


@dataclass(frozen=True, eq=False)
class Booklet:
    """The pages of a booklet, ready to be drawn."""

    deck: PrintableDeck
    pages: Sequence[BookPage]
    books: Sequence[Rulebook]
    page: BookFormat

    def draw(self, press: bool = False) -> bytes:
        """Draw the booklet to read, in screen colours, or as the job's `press` prints its pages."""
        register_fonts()  # a font remembers which letters it drew before
        library, sink = self.deck.library, io.BytesIO()
        title = join_titles([book.title for book in self.books[:MOST_SIDE_BY_SIDE]])
        inks = library.prepress.inks if press else None
        canvas = open_canvas(sink, head_with(title, self.books[0].labels["rules"], self.books[0].language), inks)
        for number, page in enumerate(self.pages, start=1):
            draw_page(canvas, number, page, title, self.page)
        canvas.save()
        forms = _make_forms(self.deck, self.page, press)
        return finish_document(canvas, sink.getvalue(), forms, self.books[0].language, library, press)

    def impose(self, booklet: bytes) -> bytes:
        """Impose the booklet for the machine that prints it; an office printer prints the one that is read."""
        prepress, theme = self.deck.library.prepress, self.deck.theme
        source = self.draw(press=True) if prepress.inks else booklet
        return impose_booklet(source, theme.sheet.paper, find_bleed_mm(theme), prepress, theme.sheet.edge_mm)


def find_bleed_mm(theme: Theme) -> float:
    """Return how far a booklet's covers may run over the edge: 0 unless a press trims it."""
    return theme.sheet.bleed_mm if theme.press.standard != "none" else 0.0


def _make_forms(deck: PrintableDeck, page: BookFormat, press: bool) -> dict[int, Form]:
    """Return the symbols, and the picture on the back when there is one, as large as the booklet shows them.

    A press gets symbols as sharp as the largest card could show them: few on a card are larger than usual.
    """
    on_back = {stamp.piece for stamp in deck.back.stamps} if deck.back else set()
    shown = list_pieces(deck.theme, shown_symbols(deck))
    card = deck.look.background
    symbols = small_forms(deck, shown, page.width_mm * (LARGEST_CARD if press else LARGEST_SYMBOL), card, press)
    return symbols | small_forms(deck, sorted(on_back - set(shown)), page.width_mm * LARGEST_CARD, card, press)


def plan_pages(books: Sequence[Rulebook], context: BookContext, languages: Sequence[str]) -> list[BookPage]:
    """Plan every page of the booklet, in reading order."""
    page, deck = context.page, context.deck
    heading = join_titles([book.labels["symbols"] for book in books[:MOST_SIDE_BY_SIDE]])
    pages = [BookPage(paint=lambda canvas: paint_front(canvas, books, deck, page))]
    pages += lay_groups(_list_groups(books, context, heading), context)
    legend = make_legend_pages(LEGEND, heading, books, context, languages)
    scores = _count_score_pages(len(pages), len(legend))
    pages += [make_score_page(books, page, is_first=i == 0) for i in range(scores)]
    lines = [join_titles([book.title for book in books[:3]]), books[0].figures, "dobble-print"]
    back = BookPage(paint=lambda canvas: paint_back(canvas, deck, page, lines))
    return [*pages, *legend, back]


def _count_score_pages(pages: int, legend: int) -> int:
    """Return how many score pages there are, at least one: the legend is a spread, and few pages stay blank."""
    counts = [count for count in range(1, MOST_SCORE_PAGES + 1) if legend == 1 or (pages + count) % 2]
    return min(counts, key=lambda count: (-(pages + count + legend + 1) % 4, count))


def _list_groups(books: Sequence[Rulebook], context: BookContext, legend: str) -> list[Group]:
    """List the contents first, then one language, or two side by side; or each of many after its own contents."""
    scores = [book.labels["points"] for book in books[:MOST_SIDE_BY_SIDE]]
    more = ((SCORES, scores if len(books) == MOST_SIDE_BY_SIDE else scores[:1]), (LEGEND, [legend]))
    if len(books) <= MOST_SIDE_BY_SIDE:
        return _group_sections(books, "", 0, lambda now: typeset_contents(books, now, "", more))
    groups = [Group(lambda now: [Chunk("contents", books[0].title, tuple(typeset_languages(books, now, more)))])]
    for book in books:
        groups += _group_sections([book], f"{book.language}-", 1, partial(typeset_language, book))
    return [join_groups(groups[:2]), *groups[2:]]


def _group_sections(
    books: Sequence[Rulebook], prefix: str, level: int, contents: Callable[[BookContext], list[Any]]
) -> list[Group]:
    """Group what starts a page: contents with the chapters before the games, every game, the chapters after."""

    def typeset(sections: range, context: BookContext) -> list[Chunk]:
        chunks = [typeset_section(i, books, context, prefix, level) for i in sections]
        if sections.start > 0:
            return chunks
        title = join_titles([book.labels["contents"] for book in books])
        return [Chunk("contents", title, tuple(contents(context))), *chunks]

    kinds = [section.kind for section in books[0].sections]
    starts = [i for i, kind in enumerate(kinds) if i > 0 and (kind == "game" or kinds[i - 1] == "game")]
    return [
        Group(partial(typeset, range(start, end)), kinds[start] == "game", books[0].sections[start].key in LONG)
        for start, end in pairwise([0, *starts, len(kinds)])
    ]
