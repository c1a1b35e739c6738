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
from dobble_print.layout.distinct import tell_sizes_apart
from dobble_print.layout.model import Piece, Placement
from dobble_print.layout.outline import Integers, Singles
from dobble_print.layout.problem import Scene, set_scene
from dobble_print.layout.rating import worst_violation
from dobble_print.layout.relax import Schedule, relax
from dobble_print.layout.search import EFFORTS, Effort, find_arrangements, pack_circles, unfold
from dobble_print.theme.model import LayoutOptions
from dobble_print.units import CardShape

DIGITS = 4  # placements are rounded to this many decimals before they are measured
SETTLE = Schedule(steps=5, pressure=0.0, final_pressure=0.0, samples=None, reach_mm=0.3)
SAFETIES_MM = (0.02, 0.04, 0.08, 0.16, 0.32, 0.64)  # asked on top of all distances until the certificate passes
RESCUE = Effort(4, 2, 0)  # a card that fails is solved again from other starts, and then with more care
DOZEN = 12  # cards rescued at a time
MOST_NAMED = 3  # faulty cards described one by one; the others only count

HINT = "Try a larger card, fewer symbols a card, a smaller gap or min_size, or a smaller scale for these symbols."
WORDS_HINT = "Try a larger card, fewer symbols a card, shorter words, a smaller gap or min_x_height."

Card = tuple[Placement, ...]


def lay_out_deck(
    cards: Sequence[Sequence[int]], pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions, seed: int
) -> tuple[Card, ...]:
    """Place the symbols of every card; the slot sets the rung of the size ladder.

    Raises `LayoutError` with a fault for every card that cannot be laid out by the rules.
    """
    if not cards:
        return ()
    _check_room(shape, options)
    scene = set_scene(cards, pieces, shape, options)
    proof = _Proof(Certifier.of(pieces, shape, options))
    lacking = scene.lack_room(_room_mm2(shape, options), options.gap_mm)
    proof.faulty = {card: set(range(len(cards[card]))) for card in np.flatnonzero(lacking).tolist()}
    _solve(scene, np.flatnonzero(~lacking), proof, EFFORTS[options.quality], np.random.default_rng(seed))
    LayoutError.raise_any(_describe(cards, pieces, options, proof.faulty))
    told = tell_sizes_apart(proof.placed, pieces, proof.certifier)
    return tuple(told[card] for card in range(len(cards)))


def _solve(scene: Scene, cards: Integers, proof: _Proof, effort: Effort, rng: np.random.Generator) -> None:
    """Search for full cards and rescue those that fail; when none of a dozen can be rescued, the deck is hopeless."""
    if not len(cards):
        return
    part = scene.take(cards)
    proof.settle(part, cards, find_arrangements(part, effort, rng))
    failed = [card for card in cards.tolist() if card in proof.faulty]
    for start in range(0, len(failed), DOZEN):
        dozen = failed[start : start + DOZEN]
        _rescue(scene, dozen, proof, rng)
        if all(card in proof.faulty for card in dozen):
            break


def _rescue(scene: Scene, cards: list[int], proof: _Proof, rng: np.random.Generator) -> None:
    """Solve cards again: from other starts, then growing out of circles, then as the circles themselves."""
    scene = scene.take(np.array(cards))
    proof.settle(scene, cards, find_arrangements(scene, RESCUE, rng))
    left = [row for row, card in enumerate(cards) if card in proof.faulty]
    if not left:
        return
    scene, cards = scene.take(np.array(left)), [cards[row] for row in left]
    circles = pack_circles(scene, rng)
    proof.settle(scene, cards, unfold(scene, circles))
    left = [row for row, card in enumerate(cards) if card in proof.faulty]
    proof.settle(scene.take(np.array(left, np.intp)), [cards[row] for row in left], circles[left])


def _room_mm2(shape: CardShape, options: LayoutOptions) -> float:
    """The area that symbols with half a gap around each of them share: half a gap more than the safe area."""
    half = options.gap_mm / 2
    free = max(0.0, options.keep_center_free_mm - half)
    return shape.grow(half - options.margin_mm).area_mm2 - math.pi * free**2


def _check_room(shape: CardShape, options: LayoutOptions) -> None:
    """A card whose margin or free centre leaves nothing cannot be laid out at all."""
    left = shape.inner_radius_mm - options.margin_mm
    if left <= options.keep_center_free_mm or left <= 0:
        what = f"a margin of {options.margin_mm:g} mm and a free centre of {options.keep_center_free_mm:g} mm"
        raise LayoutError(
            Fault(f"{what} leave no room on a {shape.name} card", "Try a larger card or a smaller margin.")
        )


@dataclass
class _Proof:
    """Cards that passed the certificate, and the faulty slots of those that did not."""

    certifier: Certifier
    placed: dict[int, Card] = field(default_factory=dict)
    faulty: dict[int, set[int]] = field(default_factory=dict)

    def settle(self, scene: Scene, cards: Iterable[int], state: Singles) -> None:
        """Remove the last violations of some cards, asking for more room as long as the certificate fails."""
        numbers = np.array(list(cards), np.intp)
        for safety in SAFETIES_MM:
            if not len(numbers):
                break
            state = relax(scene.ask_more(safety), state, SETTLE)
            for number, symbols, solved in zip(numbers, scene.ids, state, strict=True):
                self.judge(int(number), _as_printed(symbols, solved))
            near = worst_violation(scene, state, None) < SAFETIES_MM[-1]  # the others are in a tangle: no use asking
            left = np.flatnonzero(np.isin(numbers, list(self.faulty)) & near)
            scene, numbers, state = scene.take(left), numbers[left], state[left]

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
            piece=int(symbol),
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
    for number, slots in sorted(faulty.items())[:MOST_NAMED]:
        lacking = [pieces[cards[number][slot]] for slot in sorted(slots)]
        names = ", ".join(piece.name for piece in lacking)
        least, hint = f"{options.min_size_mm:g} mm or more", HINT
        if any(piece.least_mm > options.min_size_mm for piece in lacking):
            least, hint = "a size at which words can be read", WORDS_HINT
        yield Fault(f"card {number + 1} has no room for {names} at {least}", hint)
    if len(faulty) > MOST_NAMED:
        yield Fault(f"{len(faulty) - MOST_NAMED} more cards have no room for their symbols either")
