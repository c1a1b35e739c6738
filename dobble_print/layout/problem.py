"""The deck to lay out, in the solver's terms: arrays instead of pieces, and the rules each batch of cards must keep.

Invariant: a scene knows all a card is asked for (distances, sizes, turns), so the solver needs nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dobble_print.art.silhouette import Silhouette
from dobble_print.layout.ladder import Ladder
from dobble_print.layout.model import Piece
from dobble_print.layout.outline import Floats, Integers, Outlines, Singles, sample_outlines
from dobble_print.layout.wall import Wall
from dobble_print.theme.model import LayoutOptions
from dobble_print.units import CardShape

ROUNDING_MM = 0.001  # words are asked to be this much larger than they must be: placements are rounded
LEAST_GAP_MM = 0.3  # even where no gap is asked for: outlines nearer than this would print as one


@dataclass(frozen=True, eq=False)
class Scene:
    """A batch of cards and what is asked of them; states of it are (cards, symbols, 4): x, y, turn, radius."""

    ids: Integers  # (cards, symbols)
    outlines: Outlines
    wall: Wall
    ladder: Ladder
    gap: float
    margin: float
    free_radius: float
    safe_radius: float  # of the largest circle around the centre that keeps the margin

    @property
    def turn_limits(self) -> Floats:
        """How far each symbol may turn either way."""
        limits: Floats = self.outlines.turn_limit[self.ids]
        return limits

    def take(self, rows: Integers) -> Scene:
        """Some of the cards, in the order asked for, any of them several times."""
        return replace(self, ids=self.ids[rows], ladder=self.ladder.take(rows))

    def ask_more(self, safety_mm: float) -> Scene:
        """The same cards with all distances a little larger."""
        free = self.free_radius + safety_mm if self.free_radius > 0 else 0.0
        return replace(self, gap=self.gap + safety_mm, margin=self.margin + safety_mm, free_radius=free)

    def as_circles(self) -> Scene:
        """The same cards with every symbol replaced by its enclosing circle."""
        angles = np.linspace(0, 2 * math.pi, 65)
        ring = np.stack([np.cos(angles), np.sin(angles)], -1)
        disc = Piece("circle", Silhouette((ring,), math.pi, (0.5, 0.5), 0.5))
        return replace(self, ids=np.zeros_like(self.ids), outlines=sample_outlines([disc]))

    def lack_room(self, room_mm2: float, gap_mm: float) -> npt.NDArray[np.bool_]:
        """Which cards cannot exist: the safe area has less room than their smallest symbols and half gaps need.

        An outline of area A widened by g covers at least (sqrt(A) + g sqrt(pi))^2, whatever its form.
        """
        side = np.sqrt(self.outlines.area[self.ids]) * self.ladder.least_radii() + gap_mm / 2 * math.sqrt(math.pi)
        lacking: npt.NDArray[np.bool_] = (side**2).sum(axis=1) > room_mm2
        return lacking

    def covered(self, state: Singles) -> Floats:
        """The area the symbols of each card cover."""
        area: Floats = (self.outlines.area[self.ids] * state[..., 3].astype(np.float64) ** 2).sum(axis=1)
        return area


def set_scene(
    cards: Sequence[Sequence[int]], pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions
) -> Scene:
    """All cards of a deck as one scene."""
    ids = np.array(cards, np.intp)
    hints = np.array([piece.scale for piece in pieces])[ids]
    least = np.array([piece.least_mm + ROUNDING_MM if piece.least_mm else 0.0 for piece in pieces])[ids]
    return Scene(
        ids=ids,
        outlines=sample_outlines(pieces),
        wall=Wall.around(shape),
        ladder=Ladder.of(ids.shape[1], options.size_spread, hints, options.min_size_mm / 2, least / 2),
        gap=max(options.gap_mm, LEAST_GAP_MM),
        margin=options.margin_mm,
        free_radius=options.keep_center_free_mm,
        safe_radius=shape.inner_radius_mm - options.margin_mm,
    )
