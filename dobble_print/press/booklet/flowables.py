"""Build the columns of the booklet: titles, drawings, contents lines, and how they are stacked and split.

Invariant: what fits a column is decided before it is drawn; a heading never stands alone at the foot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from reportlab.platypus.flowables import Flowable
from reportlab.platypus.paragraph import Paragraph

from dobble_print.layout.model import Placement
from dobble_print.press.booklet.format import BookFormat
from dobble_print.press.booklet.scene import DeckCards, Scene, draw_scene
from dobble_print.press.cards import draw_stamps
from dobble_print.press.typography import (
    BOLD,
    INK,
    QUIET,
    REGULAR,
    break_lines,
    draw_line,
    has_right_to_left,
    is_right_to_left,
    order_visually,
    refuse_missing,
    text_width_pt,
)
from dobble_print.sheets.plan import make_stamp
from dobble_print.units import PT_PER_MM, mm_to_pt

_RTL_RUN = re.compile("[\u0590-\u08ff\ufb1d-\ufefc][\u0590-\u08ff\ufb1d-\ufefc\\s()]*[\u0590-\u08ff\ufb1d-\ufefc)]")
_ADDRESS = re.compile(r"https://[\w./?=#%~-]*[\w/]")


def make_prose(text: str, style: Any, bullet: str | None = None) -> Any:
    """Make a paragraph of running text; one that begins with a right-to-left letter runs that way."""
    refuse_missing([text], "the booklet")
    if is_right_to_left(text):
        return RightToLeft(text, style)
    if has_right_to_left(text):
        text = _RTL_RUN.sub(lambda run: order_visually(run[0]).replace(" ", "\u00a0"), text)
    return Paragraph(_ADDRESS.sub(lambda found: _link(found[0], style), escape(text)), style, bulletText=bullet)


def _link(address: str, style: Any) -> str:
    """Return the link to a web address, shown short and a little smaller, so that it fits a narrow column."""
    shown = address.removeprefix("https://").rstrip("/")
    return f'<a href="{address}"><font size="{style.fontSize * 0.92:.2f}">{shown}</font></a>'


class RightToLeft(Flowable):  # type: ignore[misc]
    """A paragraph that runs from right to left: broken into lines first, then each line put in drawing order."""

    def __init__(self, text: str, style: Any, lines: list[str] | None = None) -> None:
        super().__init__()
        self.text, self.style, self.lines = text, style, lines
        self.spaceBefore, self.spaceAfter = style.spaceBefore, style.spaceAfter

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """Break the text into lines and return the size they need."""
        if self.lines is None:
            self.lines = break_lines(self.text, self.style.fontName, self.style.fontSize, width_pt)
        self.width, self.height = width_pt, len(self.lines) * self.style.leading
        return self.width, self.height

    def split(self, width_pt: float, room_pt: float) -> list[Any]:
        """Split into the lines that fit and the others."""
        self.wrap(width_pt, room_pt)
        assert self.lines is not None
        count = int(room_pt / self.style.leading)
        if not 0 < count < len(self.lines):
            return []
        return [RightToLeft("", self.style, lines) for lines in (self.lines[:count], self.lines[count:])]

    def draw(self) -> None:
        """Draw every line up to the right edge."""
        self.canv.setFillColor(self.style.textColor)
        for i, line in enumerate(self.lines or ()):
            y = self.height - i * self.style.leading - self.style.fontSize
            draw_line(self.canv, self.width, y, line, self.style.fontName, self.style.fontSize, anchor=1.0)


NO_LIMIT_PT = 1e6


@dataclass(frozen=True, eq=False)
class Placed:
    """A flowable and how far its top lies under the top of the column."""

    flowable: Any
    drop_pt: float
    height_pt: float


@dataclass(frozen=True, eq=False)
class FilledColumn:
    """What fits a column, how high it is, and what is left."""

    placed: tuple[Placed, ...]
    height_pt: float
    rest: tuple[Any, ...]


def fill_column(flow: Sequence[Any], width_pt: float, room_pt: float) -> FilledColumn:
    """Fill a column with as much of a flow as fits; headings move on together with what follows them."""
    placed: list[Placed] = []
    used, after = 0.0, 0.0
    queue = list(flow)
    while queue:
        end = 1
        while end < len(queue) and queue[end - 1].getKeepWithNext():
            end += 1
        chain, rest = queue[:end], queue[end:]
        trial = _stack_flowables(chain, width_pt, used, after if placed else None)
        if trial[-1].drop_pt + trial[-1].height_pt > room_pt + 0.01:
            halves = _split_last(trial, width_pt, room_pt)
            if halves is None:
                break
            placed += halves[0]
            queue = [*halves[1], *rest]
            used = placed[-1].drop_pt + placed[-1].height_pt
            break
        placed += trial
        used = trial[-1].drop_pt + trial[-1].height_pt
        after = chain[-1].getSpaceAfter()
        queue = rest
    return FilledColumn(tuple(placed), used, tuple(queue))


def _stack_flowables(chain: Sequence[Any], width_pt: float, used: float, after: float | None) -> list[Placed]:
    """Place flowables under each other; of two spaces that meet the larger counts, at the top none."""
    placed = []
    for flowable in chain:
        drop = used if after is None else used + max(after, flowable.getSpaceBefore())
        _, height = flowable.wrap(width_pt, NO_LIMIT_PT)
        placed.append(Placed(flowable, drop, height))
        if height:  # what takes no room has no space around it either
            used, after = drop + height, flowable.getSpaceAfter()
    return placed


def _split_last(trial: list[Placed], width_pt: float, room_pt: float) -> tuple[list[Placed], list[Any]] | None:
    """Split the last flowable of a chain; return what fits and what does not, or None."""
    last = trial[-1]
    room = room_pt - last.drop_pt
    pieces = last.flowable.split(width_pt, room) if room > 0 else []
    if len(pieces) < 2:
        return None
    _, height = pieces[0].wrap(width_pt, room)
    return [*trial[:-1], Placed(pieces[0], last.drop_pt, height)], list(pieces[1:])


def draw_column(canvas: Any, placed: Sequence[Placed], x_pt: float, top_pt: float) -> None:
    """Draw a filled column from its upper left corner."""
    for item in placed:
        item.flowable.drawOn(canvas, x_pt, top_pt - item.drop_pt - item.height_pt)


class SideBySide(Flowable):  # type: ignore[misc]
    """The same part in several languages, a column each; every column breaks by itself when the page ends."""

    def __init__(self, columns: Sequence[Sequence[Any]], languages: Sequence[str], gutter_pt: float) -> None:
        super().__init__()
        self.columns, self.languages, self.gutter_pt = columns, languages, gutter_pt
        self.spaceBefore = max((column[0].getSpaceBefore() for column in self.columns if column), default=0)
        self.spaceAfter = max((column[-1].getSpaceAfter() for column in self.columns if column), default=0)

    def _column_pt(self, width_pt: float) -> float:
        return (width_pt - self.gutter_pt * (len(self.columns) - 1)) / len(self.columns)

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """Return the width given and the height of the longest column."""
        self.taken = [fill_column(column, self._column_pt(width_pt), NO_LIMIT_PT) for column in self.columns]
        self.width, self.height = width_pt, max(taken.height_pt for taken in self.taken)
        return self.width, self.height

    def split(self, width_pt: float, room_pt: float) -> list[Any]:
        """Split into two rows of columns, the first of which fits; return nothing when a column cannot even begin."""
        taken = [fill_column(column, self._column_pt(width_pt), room_pt) for column in self.columns]
        if any(column and not part.placed for column, part in zip(self.columns, taken, strict=True)):
            return []
        heads = [[placed.flowable for placed in part.placed] for part in taken]
        rests = [part.rest for part in taken]
        return [SideBySide(columns, self.languages, self.gutter_pt) for columns in (heads, rests)]

    def draw(self) -> None:
        """Draw each column, marked with its language for screen readers."""
        step = self._column_pt(self.width) + self.gutter_pt
        for i, (taken, language) in enumerate(zip(self.taken, self.languages, strict=True)):
            self.canv._code.append(f"/Span <</Lang ({language})>> BDC")
            draw_column(self.canv, taken.placed, i * step, self.height)
            self.canv._code.append("EMC")


CARD_STEP = 0.97  # each try at a smaller card
LEAST_SHARE = 0.55  # of the largest card, the smallest that is still clear


class Anchor(Flowable):  # type: ignore[misc]
    """A target of contents and bookmarks; it takes no room."""

    def __init__(self, key: str, title: str, level: int = 0) -> None:
        super().__init__()
        self.key, self.title, self.level = key, title, level
        self.keepWithNext = 1

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """Return no size, as an anchor is invisible."""
        return 0.0, 0.0

    def draw(self) -> None:
        """Mark the target and add it to the document's outline."""
        self.canv.bookmarkHorizontal(self.key, 0, 12)
        self.canv.addOutlineEntry(self.title, self.key, self.level, closed=False)


class Title(Flowable):  # type: ignore[misc]
    """A section's title in each language over its column: a chapter's on a line, a game's on a bar of colour."""

    def __init__(self, titles: Sequence[str], page: BookFormat, notes: Sequence[str] = (), bar: bool = False) -> None:
        super().__init__()
        self.titles, self.page, self.bar = titles, page, bar
        self.notes = notes or [""] * len(titles)
        # a column starts where its text does, right of its even share of the width
        self.shift_pt = mm_to_pt(page.gutter_mm) / len(titles) if len(titles) > 1 else 0.0
        self.keepWithNext = 1
        pitch = page.size_pt * page.leading
        self.spaceBefore, self.spaceAfter = pitch * 1.1, pitch * 0.55

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """Return the size of the title row; long titles in narrow columns are set smaller, never broken."""
        size, note_pt = self.page.size_pt * (1.55 if self.bar else 1.35), self.page.size_pt * 0.92
        step = width_pt / len(self.titles) - self.shift_pt
        longest = max(text_width_pt(title, BOLD, size) for title in self.titles)
        self.size_pt = size * min(1.0, (step - 12) / longest)
        longest = max(text_width_pt(note, REGULAR, note_pt) for note in self.notes)
        self.note_pt = note_pt * min(1.0, (step - 12) / longest) if longest else note_pt
        self.below = any(self.notes) and any(
            text_width_pt(title, BOLD, self.size_pt) + text_width_pt(note, REGULAR, self.note_pt) + 20 > step
            for title, note in zip(self.titles, self.notes, strict=True)
        )
        self.width = width_pt
        self.height = size * (1.95 if self.bar else 1.5) + (self.note_pt * 1.3 if self.below else 0)
        return self.width, self.height

    def draw(self) -> None:
        """Draw the bar or line, then the words."""
        canvas, page = self.canv, self.page
        canvas.setFillColor(page.accent)
        canvas.setStrokeColor(page.accent)
        if self.bar:
            canvas.roundRect(0, 0, self.width, self.height, 3.5, stroke=0, fill=1)
        else:
            canvas.setLineWidth(0.7)
            canvas.line(0, 0, self.width, 0)
        step = self.width / len(self.titles)
        for i, (title, note) in enumerate(zip(self.titles, self.notes, strict=True)):
            self._draw_words(title, note, i * (step + self.shift_pt), (i + 1) * step)

    def _draw_words(self, title: str, note: str, left: float, right: float) -> None:
        canvas, pad = self.canv, 6.0 if self.bar else 0.0
        canvas.setFillColor("#ffffff" if self.bar else self.page.accent)
        first_line = self.height - self.note_pt * 1.3 if self.below else self.height
        base = self.height - first_line / 2 - self.size_pt * (0.34 if self.bar else 0.22)
        if self.below:
            base += self.note_pt * 0.25
        draw_line(canvas, left + pad, base, title, BOLD, self.size_pt)
        if note and self.below:
            draw_line(canvas, left + pad, base - self.note_pt * 1.55, note, REGULAR, self.note_pt)
        elif note:
            width = text_width_pt(note, REGULAR, self.note_pt)
            draw_line(canvas, right - pad - width, base, note, REGULAR, self.note_pt)


class DrawingFlowable(Flowable):  # type: ignore[misc]
    """A scene as large as the page has room for; `room_pt` may be reduced to what the text leaves."""

    def __init__(self, make_scene: Callable[[float], Scene], deck: DeckCards, page: BookFormat, card_mm: float) -> None:
        super().__init__()
        self.make_scene, self.deck, self.page = make_scene, deck, page
        self.largest_card_mm, self.least_card_mm = card_mm, card_mm * LEAST_SHARE
        self.room_pt = NO_LIMIT_PT
        self.scene: Scene | None = None
        self.fitted: tuple[float, float] | None = None
        pitch = page.size_pt * page.leading
        self.spaceBefore, self.spaceAfter = pitch * 0.35, pitch * 0.5

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """Make the largest scene that fits the width and `room_pt`, and return its size."""
        if self.fitted != (width_pt, self.room_pt):
            self.fitted = (width_pt, self.room_pt)
            card, self.scene = self.largest_card_mm, self.make_scene(self.largest_card_mm)
            while card > self.least_card_mm and (
                mm_to_pt(self.scene.width_mm) > width_pt or mm_to_pt(self.scene.height_mm) > self.room_pt
            ):
                card *= CARD_STEP
                self.scene = self.make_scene(card)
            self.width, self.height = width_pt, mm_to_pt(self.scene.height_mm)
        return self.width, self.height

    def draw(self) -> None:
        """Draw the scene in the middle of the column."""
        assert self.scene is not None
        self.canv.translate((self.width - mm_to_pt(self.scene.width_mm)) / 2, 0)
        draw_scene(self.canv, self.scene, self.deck, self.page.accent)


class ContentsLine(Flowable):  # type: ignore[misc]
    """A title, dots and a page number, all of it a link; the number is looked up when the page is drawn."""

    def __init__(self, key: str, titles: Sequence[str], page: BookFormat, pages: Mapping[str, int]) -> None:
        super().__init__()
        self.key, self.titles, self.page, self.pages = key, titles, page, pages
        self.spaceAfter = 0

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """Return the size of one line."""
        self.width, self.height = width_pt, self.page.size_pt * self.page.leading * 1.32
        return self.width, self.height

    def draw(self) -> None:
        """Draw the titles in their columns, and the page number at the right edge."""
        canvas, size = self.canv, self.page.size_pt
        font, number = BOLD, str(self.pages[self.key])
        canvas.setFillColor(INK)
        room = self.width - text_width_pt("000", font, size)
        start, end = 0.0, self.width - text_width_pt(number, font, size)
        for i, title in enumerate(self.titles):
            left = i * room / len(self.titles)
            draw_line(canvas, left, size * 0.35, title, font, size)
            start = left + text_width_pt(order_visually(title), font, size)
        draw_line(canvas, end, size * 0.35, number, font, size)
        if start + 4 < end - 4:
            canvas.setStrokeColor(QUIET)
            canvas.setLineWidth(0.5)
            canvas.setDash([0.5, 2.5])
            canvas.line(start + 4, size * 0.4, end - 4, size * 0.4)
            canvas.setDash()
        canvas.linkRect("", self.key, (0, 0, self.width, self.height), relative=1, thickness=0)


class SymbolBeside(Flowable):  # type: ignore[misc]
    """A symbol's picture with text to its right."""

    def __init__(self, symbol: int, text: Any, deck: DeckCards, page: BookFormat) -> None:
        super().__init__()
        self.symbol, self.text, self.deck = symbol, text, deck
        self.size_pt = page.size_pt * page.leading * 2.6
        self.spaceBefore = self.spaceAfter = page.size_pt * 0.5

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """Return the height of the picture, or of the text when that is higher."""
        _, self.text_pt = self.text.wrap(width_pt - self.size_pt * 1.2, room_pt)
        self.width, self.height = width_pt, max(self.text_pt, self.size_pt)
        return self.width, self.height

    def draw(self) -> None:
        """Draw picture and text on the same middle line."""
        middle, reach = self.height / 2, self.size_pt / 2 / PT_PER_MM
        piece = self.deck.theme.find_piece(self.symbol, 0)
        spot = Placement(piece, reach, middle / PT_PER_MM, 0.0, 2 * reach)
        draw_stamps(self.canv, [make_stamp(self.deck.artworks[piece], spot)])
        self.text.drawOn(self.canv, self.size_pt * 1.2, middle - self.text_pt / 2)
