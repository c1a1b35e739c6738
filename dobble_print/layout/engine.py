"""The layout of a deck: search for full cards, settle the last hundredths of a millimetre, and prove the result.

Invariant: every placement returned is one that `certify` has measured, with the very numbers that will be printed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from dobble_print.errors import Fault, LayoutError
from dobble_print.layout.certify import Certifier
from dobble_print.layout.model import Piece, Placement
from dobble_print.layout.outline import Integers, Singles
from dobble_print.layout.problem import Scene, set_scene
from dobble_print.layout.relax import Schedule, relax
from dobble_print.layout.search import EFFORTS, Effort, find_arrangements
from dobble_print.theme.model import LayoutOptions
from dobble_print.units import CardShape

DIGITS = 4  # placements are rounded to this many decimals before they are measured
SETTLE = Schedule(steps=5, pressure=0.0, final_pressure=0.0, samples=None, reach_mm=0.3)
SAFETIES_MM = (0.02, 0.04, 0.08, 0.16, 0.32, 0.64)  # asked on top of all distances until the certificate passes
RESCUE = Effort(4, 2, 0)  # a card that fails is solved again from other starts
RESCUES = 3

Card = tuple[Placement, ...]


def lay_out_deck(
    cards: Sequence[Sequence[int]], pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions, seed: int
) -> tuple[Card, ...]:
    """Place the symbols of every card; the slot sets the rung of the size ladder.

    Raises `LayoutError` with a fault for every card that cannot be laid out by the rules.
    """
    if not cards:
        return ()
    scene = set_scene(cards, pieces, shape, options)
    safe_radius = shape.inner_radius_mm - options.margin_mm
    rng = np.random.default_rng(seed)
    proof = _Proof(Certifier.of(pieces, shape, options))
    effort, rows = EFFORTS[options.quality], np.arange(len(cards))
    for _ in range(1 + RESCUES):
        part = scene.take(rows)
        proof.settle(part, rows, find_arrangements(part, effort, safe_radius, rng))
        rows, effort = np.array(sorted(proof.faulty), np.intp), RESCUE
        if not len(rows):
            break
    LayoutError.raise_any(_describe(cards, pieces, options, proof.faulty))
    return tuple(proof.placed[card] for card in range(len(cards)))


@dataclass
class _Proof:
    """Cards that passed the certificate, and the faulty slots of those that did not."""

    certifier: Certifier
    placed: dict[int, Card] = field(default_factory=dict)
    faulty: dict[int, set[int]] = field(default_factory=dict)

    def settle(self, scene: Scene, rows: Integers, state: Singles) -> None:
        """Remove the last violations of some cards, asking for more room as long as the certificate fails."""
        for safety in SAFETIES_MM:
            state = relax(scene.ask_more(safety), state, SETTLE)
            for card, symbols, solved in zip(rows, scene.ids, state, strict=True):
                self.judge(int(card), _as_printed(symbols, solved))
            left = np.array([i for i, card in enumerate(rows) if int(card) in self.faulty], np.intp)
            if not len(left):
                break
            scene, rows, state = scene.take(left), rows[left], state[left]

    def judge(self, number: int, card: Card) -> None:
        """Keep a card that passes; note the faulty slots of one that does not."""
        slots = self.certifier.faulty_slots(card)
        if slots:
            self.faulty[number] = slots
        else:
            self.placed[number] = card
            self.faulty.pop(number, None)


def _as_printed(symbols: Integers, solved: Singles) -> Card:
    """A solved card in the numbers that will be printed."""
    return tuple(
        Placement(
            symbol=int(symbol),
            x_mm=round(float(x), DIGITS),
            y_mm=round(float(y), DIGITS),
            rotation_deg=round(math.degrees(math.remainder(float(turn), 2 * math.pi)), DIGITS),
            diameter_mm=round(2 * float(radius), DIGITS),
        )
        for symbol, (x, y, turn, radius) in zip(symbols, solved, strict=True)
    )


def _describe(
    cards: Sequence[Sequence[int]], pieces: Sequence[Piece], options: LayoutOptions, faulty: dict[int, set[int]]
) -> Iterable[Fault]:
    """For every card that failed: which symbols do not fit, and what would help."""
    for number, slots in sorted(faulty.items()):
        names = ", ".join(pieces[cards[number][slot]].name for slot in sorted(slots))
        yield Fault(
            f"card {number + 1} has no room for {names} at {options.min_size_mm:g} mm or more",
            "Try a larger card, fewer symbols a card, a smaller gap or min_size, or a smaller scale for these symbols.",
        )
