"""The pack: the deck's real cards as the booklet's drawings use them.

Invariant: every card a drawing shows is a card of the deck, drawn by the same functions as on the sheets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dobble_print.art.artwork import Artwork
from dobble_print.press.document import Printer
from dobble_print.sheets.plan import Back, CardLook, Front, Stamp
from dobble_print.theme.model import Theme


@dataclass(frozen=True)
class Spot:
    """Where a symbol lies on its card: centre and diameter of its enclosing circle, in the card's millimetres.

    `piece` is the face that it shows there.
    """

    x_mm: float
    y_mm: float
    diameter_mm: float
    turn_deg: float
    piece: int


@dataclass(frozen=True, eq=False)
class Pack:
    """The printed cards of one deck, and the artwork that says where on a card a symbol lies."""

    printer: Printer
    artworks: Sequence[Artwork]
    numbers: tuple[int, ...]
    memory: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False)  # what takes long to find out

    @property
    def theme(self) -> Theme:
        """The theme of the deck."""
        return self.printer.theme

    @property
    def look(self) -> CardLook:
        """What all cards have in common."""
        return self.printer.look

    def front(self, number: int) -> Front:
        """A card's front."""
        return self.printer.fronts[number]

    @cached_property
    def back(self) -> Back:
        """The other side; a deck without backs is drawn in a plain colour, so that face down can be told."""
        return self.printer.back or Back(self.theme.back.color)

    def shared(self, one: int, other: int) -> int:
        """The one symbol that two cards share."""
        (shared,) = self.symbols(one) & self.symbols(other)
        return shared

    def symbols(self, number: int) -> set[int]:
        """The symbols of a card, whatever faces they show."""
        return {self.theme.pieces[stamp.piece][0] for stamp in self.front(number).stamps}

    def spot(self, number: int, symbol: int) -> Spot:
        """Where a symbol lies on a card."""
        stamps = self.front(number).stamps
        return self.locate(next(stamp for stamp in stamps if self.theme.pieces[stamp.piece][0] == symbol))

    def locate(self, stamp: Stamp) -> Spot:
        """Where a stamp lies on its card."""
        (a, b, c, d, e, f), artwork = stamp.matrix, self.artworks[stamp.piece]
        u, v = artwork.silhouette.centre
        scale = (a * a + b * b) ** 0.5
        turn_deg = math.degrees(math.atan2(b, a))
        return Spot(a * u + c * v + e, b * u + d * v + f, scale * artwork.diameter, turn_deg, stamp.piece)

    def extent(self, piece: int) -> tuple[float, float]:
        """How far a piece reaches from its middle sideways and upwards, as parts of its enclosing circle's radius."""
        rings = self.artworks[piece].silhouette.rings
        return max(float(abs(ring[:, 0]).max()) for ring in rings), max(float(abs(ring[:, 1]).max()) for ring in rings)

    def triplet(self) -> tuple[int, tuple[int, ...]]:
        """A symbol and three cards that show it; no cards when a few out of a large deck have none such."""
        for symbol in range(len(self.theme.symbols)):
            holders = [n for n in self.numbers if symbol in self.symbols(n)]
            if len(holders) >= 3:
                return symbol, tuple(holders[:3])
        return 0, ()
