"""The size ladder: which size each slot of a card is asked to have, and how far the solver may leave it.

Sizes are logarithms of radii, relative to a common size each card finds for itself. Invariant: with neutral scale hints
the largest symbol of a card is between 0.8 and 1.3 times `spread` as large as its smallest, whatever the solver does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dobble_print.layout.outline import Floats, Integers

FLEX = 0.2  # how far a size may leave its rung
END_FLEX = 0.11  # the same for the two ends, whose ratio is promised: exp(-2 * 0.11) = 0.80, exp(2 * 0.11) = 1.25


@dataclass(frozen=True, eq=False)
class Ladder:
    """Rungs and their bounds for a batch of cards, and the smallest radii allowed (cards by symbols, logarithms).

    A word that needs more room than its rung gives leaves its rung, and it alone.
    """

    rungs: Floats
    lower: Floats
    upper: Floats
    least: Floats
    min_common: float  # a card's common size never falls below this: every rung can still reach the smallest radius

    @classmethod
    def of(cls, count: int, spread: float, hints: Floats, min_radius: float, own_radii: Floats | None = None) -> Ladder:
        """The ladder of cards with `count` symbols; `hints` (cards by symbols) scale single symbols.

        `own_radii` are what single symbols need to be readable, where that is more than `min_radius`.
        """
        half = math.log(spread) / 2 if count > 1 else 0.0
        rungs = np.linspace(-half, half, count)
        lower, upper = rungs - FLEX, rungs + FLEX
        lower[-1], upper[0] = half - END_FLEX, -half + END_FLEX
        lower, upper = np.maximum(lower, -half - END_FLEX), np.minimum(upper, half + END_FLEX)
        shift = np.log(hints)
        least = np.full_like(shift, math.log(min_radius))
        if own_radii is not None:
            least = np.log(np.maximum(own_radii, min_radius))
        return cls(rungs + shift, lower + shift, upper + shift, least, math.log(min_radius) - upper[0])

    def keep(self, log_radius: Floats) -> Floats:
        """Bring sizes within their bounds, around the card's own common size.

        A symbol squeezed below its lower bound takes the common size down with it: the others give way, not the bound.
        """
        common = (log_radius - self.rungs).mean(axis=1, keepdims=True)
        common = np.minimum(common, (log_radius - self.lower).min(axis=1, keepdims=True))
        common = np.maximum(common, self.min_common)
        kept: Floats = np.clip(log_radius, self.lower + common, self.upper + common)
        return np.maximum(kept, self.least)

    def least_radii(self) -> Floats:
        """The smallest radii the symbols of each card can have together."""
        return np.exp(np.maximum(self.lower + self.min_common, self.least))

    def take(self, rows: Integers) -> Ladder:
        """The ladder of some of the cards."""
        return Ladder(self.rungs[rows], self.lower[rows], self.upper[rows], self.least[rows], self.min_common)
