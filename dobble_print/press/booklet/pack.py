"""The pack: the deck's real cards as the booklet's drawings use them.

Invariant: every card a drawing shows is a card of the deck, drawn by the same functions as on the sheets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from dobble_print.art.artwork import Artwork
from dobble_print.press.document import Printer
from dobble_print.press.plan import Back, CardLook, Face
from dobble_print.theme.model import Theme

CLEARLY_LARGER = (1.3, 2.2)  # times: what tells a size apart at a glance, and still the same symbol
MOST_TRIED = 14  # cards among which a good pair is looked for: enough choice, no time lost


@dataclass(frozen=True)
class Spot:
    """Where a symbol lies on its card: centre and diameter of its enclosing circle, in the card's millimetres."""

    x_mm: float
    y_mm: float
    diameter_mm: float
    turn_deg: float = 0.0


@dataclass(frozen=True, eq=False)
class Pack:
    """The printed cards of one deck, and the artwork that says where on a card a symbol lies."""

    printer: Printer
    artworks: Sequence[Artwork]
    numbers: tuple[int, ...]

    @property
    def theme(self) -> Theme:
        """The theme of the deck."""
        return self.printer.theme

    @property
    def look(self) -> CardLook:
        """What all cards have in common."""
        return self.printer.look

    def face(self, number: int) -> Face:
        """A card's front."""
        return self.printer.faces[number]

    @cached_property
    def back(self) -> Back:
        """The other side; a deck without backs is drawn in a plain colour, so that face down can be told."""
        return self.printer.back or Back(self.theme.back.color)

    def shared(self, one: int, other: int) -> int:
        """The one symbol that two cards share."""
        symbols = {stamp.symbol for stamp in self.face(one).stamps}
        return next(stamp.symbol for stamp in self.face(other).stamps if stamp.symbol in symbols)

    def spot(self, number: int, symbol: int) -> Spot:
        """Where a symbol lies on a card."""
        a, b, c, d, e, f = next(stamp.matrix for stamp in self.face(number).stamps if stamp.symbol == symbol)
        artwork = self.artworks[symbol]
        u, v = artwork.silhouette.centre
        scale = (a * a + b * b) ** 0.5
        return Spot(a * u + c * v + e, b * u + d * v + f, scale * artwork.diameter, math.degrees(math.atan2(b, a)))

    def extent(self, symbol: int) -> tuple[float, float]:
        """How far a symbol reaches from its middle sideways and upwards, as parts of its enclosing circle's radius."""
        rings = self.artworks[symbol].silhouette.rings
        return max(float(abs(ring[:, 0]).max()) for ring in rings), max(float(abs(ring[:, 1]).max()) for ring in rings)

    def clearest_pair(self) -> tuple[int, int]:
        """Two cards whose match is large on both but clearly larger on one, to show what a match is."""
        return max(combinations(self.numbers[:MOST_TRIED], 2), key=self._clearness)

    def _clearness(self, pair: tuple[int, int]) -> float:
        symbol = self.shared(*pair)
        small, large = sorted(self.spot(number, symbol).diameter_mm for number in pair)
        return small * (1.0 if CLEARLY_LARGER[0] <= large / small <= CLEARLY_LARGER[1] else 0.4)

    def triplet(self) -> tuple[int, tuple[int, ...]]:
        """A symbol and three cards that show it; no cards when a few out of a large deck have none such."""
        for symbol in range(len(self.artworks)):
            holders = [n for n in self.numbers if any(stamp.symbol == symbol for stamp in self.face(n).stamps)]
            if len(holders) >= 3:
                return symbol, tuple(holders[:3])
        return 0, ()
