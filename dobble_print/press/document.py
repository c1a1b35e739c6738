"""The printer: pages in, a finished PDF out; it holds what every page of a deck shares."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pikepdf import Pdf

from dobble_print.art.artwork import Form
from dobble_print.prepress.prepare import OFFICE, Prepress
from dobble_print.press.draw import draw_pages
from dobble_print.press.forms import finish_sheets, name_symbols
from dobble_print.sheets.marks import choose_words
from dobble_print.sheets.plan import Back, CardLook, Front, Leaf, Page, Pledge
from dobble_print.theme.model import Duplex, Theme


@dataclass(frozen=True, eq=False)
class Printer:
    """The fronts and the back of a deck, what they look like, and the form of every symbol."""

    fronts: Mapping[int, Front]
    back: Back | None
    look: CardLook
    forms: Sequence[Form]
    theme: Theme
    deck_id: str = ""

    @cached_property
    def title(self) -> str:
        """The deck's title in its first language."""
        return self.theme.title_in(self.language)

    @property
    def language(self) -> str:
        """The deck's first language."""
        return self.theme.languages[0] if self.theme.languages else ""

    def make_leaf(self, number: int) -> Leaf:
        """A card of the deck as it is printed."""
        front = self.fronts[number]
        look = replace(self.look, rim_color=front.rim_color)
        deck = f"{self.title} · {choose_words(self.theme).name_deck(self.deck_id)}"
        return Leaf(front, self.back, look, f"{number} · {self.deck_id}", deck, self._make_pledge(front))

    def _make_pledge(self, front: Front) -> Pledge:
        """What the card must keep; each level of a box is a deck of its own."""
        theme = self.theme
        deck = f"{self.deck_id}.{front.dots}" if theme.deck.levels else self.deck_id
        symbols = tuple(theme.symbols[theme.pieces[stamp.piece][0]].id for stamp in front.stamps)
        line_mm = self._outline_mm(front)
        return Pledge(deck, 1, theme.layout.gap_mm - line_mm, self.look.margin_mm - line_mm / 2, symbols)

    def _outline_mm(self, front: Front) -> float:
        """How thick the outlines are that stand in for colours where ink is saved: half of them lies outside."""
        if not self.theme.sheet.low_ink:
            return 0.0
        from dobble_print.prepress.low_ink import LINE

        return LINE * max((math.hypot(*stamp.matrix[:2]) for stamp in front.stamps), default=0.0)

    def make_leaves(self, numbers: Sequence[int]) -> dict[int, Leaf]:
        """Cards of the deck by number."""
        return {number: self.make_leaf(number) for number in numbers}

    def print_plain(self, page: Page) -> bytes:
        """A page with the cards as they are after cutting; its slots name cards of the deck."""
        numbers = dict.fromkeys(slot.leaf for slot in page.slots)
        cut = replace(self, look=self.look.cut())
        return print_leaves([page], cut.make_leaves(list(numbers)), self.forms, self.title, self.language)


def print_leaves(
    pages: Sequence[Page],
    leaves: Mapping[int, Leaf],
    forms: Sequence[Form],
    title: str,
    language: str,
    duplex: Duplex = "none",
    prepress: Prepress = OFFICE,
) -> bytes:
    """The pages as a PDF with just the symbols they show, ready for the machine it is meant for."""
    drawn = draw_pages(pages, leaves, title, prepress.marks_on_all_plates)
    shown = {symbol: forms[symbol] for symbol in _find_shown(pages, leaves)}
    look = next(iter(leaves.values())).look
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        finish_sheets(pdf, shown, pages, look, duplex, language)
        name_symbols(pdf, _find_names(leaves.values()))
        return prepress.finish(pdf, pages, look, title)


def _find_shown(pages: Sequence[Page], leaves: Mapping[int, Leaf]) -> set[int]:
    shown = {(slot.leaf, slot.side) for page in pages for slot in page.slots}
    sides = [leaves[leaf].front if side == "front" else leaves[leaf].back for leaf, side in shown]
    return {stamp.piece for side in sides if side for stamp in side.stamps}


def _find_names(leaves: Iterable[Leaf]) -> dict[int, str]:
    """The symbol that each piece on a front is a face of."""
    return {
        stamp.piece: symbol
        for leaf in leaves
        for stamp, symbol in zip(leaf.front.stamps, leaf.pledge.symbols, strict=False)
    }
