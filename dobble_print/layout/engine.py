"""The layout of a deck: many starts, the best of them for every card, then settling until the certificate passes.

Invariant: every placement returned is one that `certify` has measured, with the very numbers that will be printed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dobble_print.errors import Fault, LayoutError
from dobble_print.layout.certify import Certifier
from dobble_print.layout.contact import Scene, find_contacts
from dobble_print.layout.model import Piece, Placement
from dobble_print.layout.outline import SAMPLES, Floats, Integers, Singles, sample_outlines
from dobble_print.layout.relax import Ladder, Schedule, relax
from dobble_print.layout.start import scatter
from dobble_print.layout.wall import Wall
from dobble_print.theme.model import LayoutOptions
from dobble_print.units import CardShape

DIGITS = 4  # placements are rounded to this many decimals before they are measured
FLEX = 0.11  # sizes may leave their rung by this much (log): largest : smallest is 0.8 to 1.25 times the spread
SAFETIES_MM = (0.01, 0.03, 0.06, 0.12, 0.25, 0.5)  # asked on top of the gap until the certificate passes
RESCUES = 4  # how often a card that fails is solved again from other starts


@dataclass(frozen=True)
class Effort:
    """What a quality costs: starts for every card, and the steps of one start."""

    starts: int
    press: Schedule
    tighten: Schedule


TIGHTEN = Schedule(steps=10, pressure=0.1, final_pressure=0.03, samples=SAMPLES, reach_mm=0.5)
SETTLE = Schedule(steps=6, pressure=0.0, final_pressure=0.0, samples=SAMPLES, reach_mm=0.3)
EFFORTS = {
    "draft": Effort(1, Schedule(steps=50, pressure=4.0), TIGHTEN),
    "normal": Effort(4, Schedule(steps=60, pressure=4.0), TIGHTEN),
    "best": Effort(40, Schedule(steps=80, pressure=4.0), TIGHTEN),
}


def lay_out_deck(
    cards: Sequence[Sequence[int]], pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions, seed: int
) -> tuple[tuple[Placement, ...], ...]:
    """Place the symbols of every card; the slot sets the rung of the size ladder.

    Raises `LayoutError` with a fault for every card that cannot be laid out by the rules.
    """
    if not cards:
        return ()
    counts = {len(card) for card in cards}
    if len(counts) > 1:
        raise ValueError("all cards of a deck show the same number of symbols")
    return _Deck(cards, pieces, shape, options, seed).solve()


class _Deck:
    """One deck being laid out."""

    def __init__(
        self,
        cards: Sequence[Sequence[int]],
        pieces: Sequence[Piece],
        shape: CardShape,
        options: LayoutOptions,
        seed: int,
    ) -> None:
        self.ids = np.array(cards, np.intp)
        self.pieces, self.shape, self.options = pieces, shape, options
        self.rng = np.random.default_rng(seed)
        self.outlines = sample_outlines(pieces)
        self.wall = Wall.around(shape)
        self.certifier = Certifier(pieces, shape, options)
        self.effort = EFFORTS[options.quality]
        self.safe_radius = shape.inner_radius_mm - options.margin_mm

    def solve(self) -> tuple[tuple[Placement, ...], ...]:
        """The certified placements of all cards."""
        everything = np.arange(len(self.ids))
        state = self.best_of_starts(everything, self.effort.starts)
        placed: list[tuple[Placement, ...] | None] = [None] * len(self.ids)
        faulty = self.settle(everything, state, placed)
        for _ in range(RESCUES):
            if not faulty:
                break
            again = np.array(sorted(faulty))
            faulty = self.settle(again, self.best_of_starts(again, 4), placed)
        LayoutError.raise_any(self.describe(card, slots) for card, slots in sorted(faulty.items()))
        return tuple(card for card in placed if card is not None)

    def best_of_starts(self, which: Integers, starts: int) -> Singles:
        """Solve the given cards from several starts and keep the fullest of each."""
        scene, ladder = self.scene(np.repeat(which, starts)), self.ladder(np.repeat(which, starts))
        state = scatter(self.rng, self.outlines.turn_limit[scene.ids], ladder.rungs, self.safe_radius)
        state = relax(scene, state, ladder, self.effort.press)
        state = relax(scene, state, ladder, self.effort.tighten)
        best = self.score(scene, state).reshape(-1, starts).argmax(axis=1)
        chosen: Singles = state[np.arange(len(which)) * starts + best]
        return chosen

    def score(self, scene: Scene, state: Singles) -> Floats:
        """Area covered, less what the worst violation would still cost."""
        radius = state[..., 3].astype(np.float64)
        covered = (self.outlines.area[scene.ids] * radius**2).sum(axis=1)
        contacts = find_contacts(scene, state, SAMPLES)
        worst = np.zeros(len(state))
        np.maximum.at(worst, contacts.card, -contacts.slack)
        score: Floats = covered * (1 - np.minimum(worst / radius.mean(axis=1), 1)) ** 2
        return score

    def settle(
        self, which: Integers, state: Singles, placed: list[tuple[Placement, ...] | None]
    ) -> dict[int, set[int]]:
        """Remove the last violations; fills `placed` for cards that pass and returns the faulty slots of the others."""
        faulty: dict[int, set[int]] = {}
        for safety in SAFETIES_MM:
            state = relax(self.scene(which, safety), state, self.ladder(which), SETTLE)
            faulty = {}
            for row, card in enumerate(which):
                candidate = self.placements(int(card), state[row])
                slots = self.certifier.faulty_slots(candidate)
                if slots:
                    faulty[int(card)] = slots
                else:
                    placed[int(card)] = candidate
            if not faulty:
                break
            rows = [row for row, card in enumerate(which) if int(card) in faulty]
            which, state = which[rows], state[rows]
        return faulty

    def scene(self, which: Integers, safety: float = 0.0) -> Scene:
        """The given cards with the distances asked of them."""
        options = self.options
        free = options.keep_center_free_mm + safety if options.keep_center_free_mm > 0 else 0.0
        return Scene(
            self.ids[which], self.outlines, self.wall, options.gap_mm + safety, options.margin_mm + safety, free
        )

    def ladder(self, which: Integers) -> Ladder:
        """The size ladder of the given cards."""
        count = self.ids.shape[1]
        rungs = math.log(self.options.size_spread) * (np.linspace(0, 1, count) - 0.5)
        hints = np.log([piece.scale for piece in self.pieces])
        return Ladder(rungs + hints[self.ids[which]], FLEX, self.options.min_size_mm / 2)

    def placements(self, card: int, state: Singles) -> tuple[Placement, ...]:
        """A solved card as it will be printed."""
        return tuple(
            Placement(
                symbol=int(symbol),
                x_mm=round(float(x), DIGITS),
                y_mm=round(float(y), DIGITS),
                rotation_deg=round(math.degrees(math.remainder(float(turn), 2 * math.pi)), DIGITS),
                diameter_mm=round(2 * float(radius), DIGITS),
            )
            for symbol, (x, y, turn, radius) in zip(self.ids[card], state, strict=True)
        )

    def describe(self, card: int, slots: set[int]) -> Fault:
        """Which card, which symbols, and what would help."""
        names = ", ".join(self.pieces[self.ids[card, slot]].name for slot in sorted(slots))
        return Fault(
            f"card {card + 1} has no room for {names} at {self.options.min_size_mm:g} mm or more",
            "Try a larger card, fewer symbols a card, a smaller gap or min_size, or a smaller scale for these symbols.",
        )
