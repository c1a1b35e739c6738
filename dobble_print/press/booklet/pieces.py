"""The pieces of a page that Platypus does not have: headings with bookmarks, drawings, contents, special symbols.

Invariant: a piece knows its height before the page is made, whatever the page numbers will be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reportlab.platypus.flowables import Flowable

from dobble_print.layout.model import Placement
from dobble_print.press.booklet.format import BookFormat
from dobble_print.press.booklet.pack import Pack
from dobble_print.press.booklet.scene import Scene
from dobble_print.press.booklet.scenery import draw_scene
from dobble_print.press.cards import draw_stamp
from dobble_print.press.typography import BOLD, INK, QUIET, REGULAR, draw_line, order_visually, text_width_pt
from dobble_print.sheets.plan import make_stamp
from dobble_print.units import PT_PER_MM, mm_to_pt

CARD_STEP = 0.97  # each try at a smaller card


class Anchor(Flowable):  # type: ignore[misc]
    """A place to which contents and bookmarks lead; it takes no room."""

    def __init__(self, key: str, title: str, level: int = 0) -> None:
        super().__init__()
        self.key, self.title, self.level = key, title, level
        self.keepWithNext = 1

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """Nothing to see."""
        return 0.0, 0.0

    def draw(self) -> None:
        """Mark the place and add it to the outline of the document."""
        self.canv.bookmarkHorizontal(self.key, 0, 12)
        self.canv.addOutlineEntry(self.title, self.key, self.level, closed=False)


class Title(Flowable):  # type: ignore[misc]
    """A section's title in each language over its column: a chapter's on a line, a game's on a bar of colour."""

    def __init__(self, titles: Sequence[str], notes: Sequence[str], page: BookFormat, bar: bool) -> None:
        super().__init__()
        self.titles, self.notes, self.page, self.bar = list(titles), list(notes), page, bar
        self.keepWithNext = 1
        pitch = page.size_pt * page.leading
        self.spaceBefore, self.spaceAfter = pitch * 1.1, pitch * 0.55

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """As wide as the page; long titles in narrow columns are set smaller, never broken."""
        size = self.page.size_pt * (1.55 if self.bar else 1.35)
        step = width_pt / len(self.titles) - self._shift()
        longest = max(text_width_pt(title, BOLD, size) for title in self.titles)
        self.size_pt = size * min(1.0, (step - 12) / longest)
        self.note_pt = self._note_size(step)
        two_lines = any(self.notes) and self._note_below(step)
        self.below = two_lines
        self.width = width_pt
        self.height = size * (1.95 if self.bar else 1.5) + (self.note_pt * 1.3 if two_lines else 0)
        return self.width, self.height

    def _shift(self) -> float:
        """How far a column starts right of its even share of the width: where the text under it starts."""
        return mm_to_pt(self.page.gutter_mm) / len(self.titles) if len(self.titles) > 1 else 0.0

    def _note_size(self, step: float) -> float:
        size = self.page.size_pt * 0.92
        longest = max((text_width_pt(note, REGULAR, size) for note in self.notes), default=0)
        return size * min(1.0, (step - 12) / longest) if longest else size

    def _note_below(self, step: float) -> bool:
        """Whether a note finds no room beside its title."""
        return any(
            text_width_pt(title, BOLD, self.size_pt) + text_width_pt(note, REGULAR, self.note_pt) + 20 > step
            for title, note in zip(self.titles, self.notes, strict=True)
        )

    def draw(self) -> None:
        """Bar or line first, then the words."""
        canvas, page = self.canv, self.page
        canvas.setFillColor(page.accent)
        canvas.setStrokeColor(page.accent)
        if self.bar:
            canvas.roundRect(0, 0, self.width, self.height, 3.5, stroke=0, fill=1)
        else:
            canvas.setLineWidth(0.7)
            canvas.line(0, 0, self.width, 0)
        step = self.width / len(self.titles)
        shift = self._shift()
        for i, (title, note) in enumerate(zip(self.titles, self.notes, strict=True)):
            self._draw_words(title, note, i * (step + shift), (i + 1) * step)

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


class Drawing(Flowable):  # type: ignore[misc]
    """A scene as large as the page has room for; `room_pt` may be narrowed to what the text leaves."""

    def __init__(
        self, make_scene: Callable[[float], Scene], pack: Pack, page: BookFormat, largest_card_mm: float, least: float
    ) -> None:
        super().__init__()
        self.make_scene, self.pack, self.page = make_scene, pack, page
        self.largest_card_mm, self.least_card_mm = largest_card_mm, least
        self.room_pt = 1e6
        self.scene: Scene | None = None
        self.fitted: tuple[float, float] | None = None
        pitch = page.size_pt * page.leading
        self.spaceBefore, self.spaceAfter = pitch * 0.35, pitch * 0.5

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """The largest scene that fits the width, and the height it was given."""
        if self.fitted != (width_pt, self.room_pt):
            self.fitted = (width_pt, self.room_pt)
            self.scene = self._fit(width_pt)
            self.width, self.height = width_pt, mm_to_pt(self.scene.height_mm)
        return self.width, self.height

    def _fit(self, width_pt: float) -> Scene:
        card = self.largest_card_mm
        scene = self.make_scene(card)
        while card > self.least_card_mm and not self._fits(scene, width_pt):
            card *= CARD_STEP
            scene = self.make_scene(card)
        return scene

    @property
    def least_pt(self) -> float:
        """The height of the smallest drawing that is still clear."""
        return mm_to_pt(self.make_scene(self.least_card_mm).height_mm)

    def _fits(self, scene: Scene, width_pt: float) -> bool:
        return mm_to_pt(scene.width_mm) <= width_pt and mm_to_pt(scene.height_mm) <= self.room_pt

    def draw(self) -> None:
        """In the middle of the column."""
        assert self.scene is not None
        self.canv.translate((self.width - mm_to_pt(self.scene.width_mm)) / 2, 0)
        draw_scene(self.canv, self.scene, self.pack, self.page.accent)


class ContentsLine(Flowable):  # type: ignore[misc]
    """A title, dots and a page number, all of it a link; the number is looked up when the page is drawn."""

    def __init__(self, key: str, titles: Sequence[str], page: BookFormat, pages: Mapping[str, int]) -> None:
        super().__init__()
        self.key, self.titles, self.page, self.pages = key, list(titles), page, pages
        self.spaceAfter = 0

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """One line."""
        self.width, self.height = width_pt, self.page.size_pt * self.page.leading * 1.32
        return self.width, self.height

    def draw(self) -> None:
        """The titles in their columns, the number at the right edge."""
        canvas, size = self.canv, self.page.size_pt
        font, number = BOLD, str(self.pages[self.key])
        canvas.setFillColor(INK)
        room = self.width - text_width_pt("000", font, size)
        end = 0.0
        for i, title in enumerate(self.titles):
            left = i * room / len(self.titles)
            draw_line(canvas, left, size * 0.35, title, font, size)
            end = left + text_width_pt(order_visually(title), font, size)
        draw_line(canvas, self.width - text_width_pt(number, font, size), size * 0.35, number, font, size)
        self._draw_dots(end + 4, self.width - text_width_pt(number, font, size) - 4)
        canvas.linkRect("", self.key, (0, 0, self.width, self.height), relative=1, thickness=0)

    def _draw_dots(self, left: float, right: float) -> None:
        if right <= left:
            return
        self.canv.setStrokeColor(QUIET)
        self.canv.setLineWidth(0.5)
        self.canv.setDash([0.5, 2.5])
        self.canv.line(left, self.page.size_pt * 0.4, right, self.page.size_pt * 0.4)
        self.canv.setDash()


class SymbolBeside(Flowable):  # type: ignore[misc]
    """A symbol's picture with text to its right."""

    def __init__(self, symbol: int, text: Any, pack: Pack, page: BookFormat) -> None:
        super().__init__()
        self.symbol, self.text, self.pack = symbol, text, pack
        self.size_pt = page.size_pt * page.leading * 2.6
        self.spaceBefore = self.spaceAfter = page.size_pt * 0.5

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """As high as the picture, or the text when that is higher."""
        _, height = self.text.wrap(width_pt - self.size_pt * 1.2, room_pt)
        self.text_pt = height
        self.width, self.height = width_pt, max(height, self.size_pt)
        return self.width, self.height

    def draw(self) -> None:
        """Picture and text on the same middle line."""
        middle, reach = self.height / 2, self.size_pt / 2 / PT_PER_MM
        piece = self.pack.theme.find_piece(self.symbol, 0)
        spot = Placement(piece, reach, middle / PT_PER_MM, 0.0, 2 * reach)
        draw_stamp(self.canv, make_stamp(self.pack.artworks[piece], spot))
        self.text.drawOn(self.canv, self.size_pt * 1.2, middle - self.text_pt / 2)
