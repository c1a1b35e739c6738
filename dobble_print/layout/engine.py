"""Lay out a whole deck: sizes, search, certificate; layouts are cached.

Invariant: every card returned has passed the certifier with the numbers that will be printed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace

import numpy as np

from dobble_print.cache import find_cache, make_key
from dobble_print.errors import Fault, LayoutError
from dobble_print.layout.certify import Certifier
from dobble_print.layout.model import Integers, LayoutScene, Piece, Placement, Singles, make_scene
from dobble_print.layout.search import (
    EFFORTS,
    Effort,
    find_arrangements,
    measure_violation,
    pack_circles,
    unfold_circles,
)
from dobble_print.layout.solver import Schedule, relax
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import CardShape

Card = tuple[Placement, ...]
STEP = 1.03  # two sizes of a symbol differ by at least this factor
CALM_SPREAD = 1.1  # below this a theme wants all sizes alike
RATIOS = (0.8, 1.3)  # largest : smallest of a card, in units of the spread


def separate_sizes(cards: Mapping[int, Card], pieces: Sequence[Piece], certifier: Certifier) -> dict[int, Card]:
    """Shrink symbols by a few hundredths where two sizes of one symbol are too close, and return the cards."""
    separated, spread = dict(cards), certifier.options.size_spread
    if spread < CALM_SPREAD:
        return separated
    for faces in _group_faces(pieces):
        above = math.inf
        for number, slot in _list_from_largest(separated, faces):
            if separated[number][slot].diameter_mm > above / STEP:
                smaller = _shrink(separated[number], slot, above / STEP)
                if _is_within(smaller, pieces, spread) and not certifier.find_faulty_slots(smaller, slot):
                    separated[number] = smaller
            above = min(above, separated[number][slot].diameter_mm)
    return separated


def _group_faces(pieces: Sequence[Piece]) -> list[set[int]]:
    """Return the pieces of each symbol: its sizes must differ whatever face it shows."""
    groups: dict[tuple[bool, int], set[int]] = {}
    for number, piece in enumerate(pieces):
        groups.setdefault((piece.symbol < 0, number if piece.symbol < 0 else piece.symbol), set()).add(number)
    return list(groups.values())


def _list_from_largest(cards: Mapping[int, Card], faces: Container[int]) -> list[tuple[int, int]]:
    """List the card and slot of every place of a symbol, its largest size first."""
    spots = [
        (-placed.diameter_mm, number, slot)
        for number, card in cards.items()
        for slot, placed in enumerate(card)
        if placed.piece in faces
    ]
    return [(number, slot) for _, number, slot in sorted(spots)]


def _shrink(card: Card, slot: int, most_mm: float) -> Card:
    smaller = replace(card[slot], diameter_mm=math.floor(most_mm * 1e4) / 1e4)
    return (*card[:slot], smaller, *card[slot + 1 :])


def _is_within(card: Card, pieces: Sequence[Piece], spread: float) -> bool:
    """Return whether the sizes of a card, without the theme's scales, keep the promised ratio."""
    sizes = [placed.diameter_mm / pieces[placed.piece].scale for placed in card]
    return RATIOS[0] * spread <= max(sizes) / min(sizes) <= RATIOS[1] * spread


DIGITS = 4  # placements are rounded to this many decimals before they are measured
SETTLE = Schedule(steps=5, pressure=0.0, final_pressure=0.0, samples=None, reach_mm=0.3)
SAFETIES_MM = (0.02, 0.04, 0.08, 0.16, 0.32, 0.64)  # asked on top of all distances until the certificate passes
RESCUE = Effort(4, 2, 0)  # a card that fails is solved again from other starts, and then with more care
DOZEN = 12  # cards rescued at a time
MOST_NAMED = 3  # faulty cards described one by one; the others only count
HINT = "Try a larger card, fewer symbols a card, a smaller gap or min_size, or a smaller scale for these symbols."
WORDS_HINT = "Try a larger card, fewer symbols a card, shorter words, a smaller gap or min_x_height."


def lay_out_deck(
    cards: Sequence[Sequence[int]], pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions, seed: int
) -> tuple[Card, ...]:
    """Place the symbols of every card; the slot sets the rung of the size ladder.

    Raises `LayoutError` with a fault for every card that cannot be laid out by the rules.
    """
    if not cards:
        return ()
    _check_room(shape, options)
    scene = make_scene(cards, pieces, shape, options)
    proof = _Proof(Certifier.of(pieces, shape, options))
    lacking = scene.find_impossible(_measure_room_mm2(shape, options), options.gap_mm)
    proof.faulty = {card: set(range(len(cards[card]))) for card in np.flatnonzero(lacking).tolist()}
    _solve(scene, np.flatnonzero(~lacking), proof, EFFORTS[options.quality], np.random.default_rng(seed))
    LayoutError.raise_any(_describe_faults(cards, pieces, options, proof.faulty))
    separated = separate_sizes(proof.placed, pieces, proof.certifier)
    return tuple(separated[card] for card in range(len(cards)))


def _solve(scene: LayoutScene, cards: Integers, proof: _Proof, effort: Effort, rng: np.random.Generator) -> None:
    """Search for full cards and rescue those that fail; give up when none of a dozen can be rescued."""
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


def _rescue(scene: LayoutScene, cards: list[int], proof: _Proof, rng: np.random.Generator) -> None:
    """Solve cards again: from other starts, then growing out of circles, then as the circles themselves."""
    scene = scene.take(np.array(cards))
    proof.settle(scene, cards, find_arrangements(scene, RESCUE, rng))
    left = [row for row, card in enumerate(cards) if card in proof.faulty]
    if not left:
        return
    scene, cards = scene.take(np.array(left)), [cards[row] for row in left]
    circles = pack_circles(scene, rng)
    proof.settle(scene, cards, unfold_circles(scene, circles))
    left = [row for row, card in enumerate(cards) if card in proof.faulty]
    proof.settle(scene.take(np.array(left, np.intp)), [cards[row] for row in left], circles[left])


def _measure_room_mm2(shape: CardShape, options: LayoutOptions) -> float:
    """Return the area that symbols, each with half a gap around it, share: half a gap more than the safe area."""
    half = options.gap_mm / 2
    free = max(0.0, options.keep_center_free_mm - half)
    return shape.grow(half - options.margin_mm).area_mm2 - math.pi * free**2


def _check_room(shape: CardShape, options: LayoutOptions) -> None:
    """Refuse a card whose margin or free centre leaves no room at all."""
    left = shape.inner_radius_mm - options.margin_mm
    if left <= options.keep_center_free_mm or left <= 0:
        taken = f"a margin of {options.margin_mm:g} mm and a free centre of {options.keep_center_free_mm:g} mm"
        what = f"{taken} leave no room on a {shape.name} card"
        raise LayoutError(Fault(what, "Try a larger card or a smaller margin."))


@dataclass
class _Proof:
    """Cards that passed the certificate, and the faulty slots of those that did not."""

    certifier: Certifier
    placed: dict[int, Card] = field(default_factory=dict)
    faulty: dict[int, set[int]] = field(default_factory=dict)

    def settle(self, scene: LayoutScene, cards: Iterable[int], state: Singles) -> None:
        """Remove the last violations of some cards, asking for larger distances until the certificate passes.

        A card that passes is kept; of one that does not, the faulty slots are noted.
        """
        numbers = np.array(list(cards), np.intp)
        for safety in SAFETIES_MM:
            if not len(numbers):
                break
            state = relax(scene.widen_distances(safety), state, SETTLE)
            for number, symbols, solved in zip(numbers, scene.ids, state, strict=True):
                card = _round_card(symbols, solved)
                slots = self.certifier.find_faulty_slots(card)
                if slots:
                    self.faulty[int(number)] = slots
                else:
                    self.placed[int(number)] = card
                    self.faulty.pop(int(number), None)
            near = measure_violation(scene, state, None) < SAFETIES_MM[-1]  # the others are in a tangle: no use asking
            left = np.flatnonzero(np.isin(numbers, list(self.faulty)) & near)
            scene, numbers, state = scene.take(left), numbers[left], state[left]


def _round_card(symbols: Integers, solved: Singles) -> Card:
    """Return a solved card in the rounded numbers that will be printed."""
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


def _describe_faults(
    cards: Sequence[Sequence[int]], pieces: Sequence[Piece], options: LayoutOptions, faulty: dict[int, set[int]]
) -> Iterable[Fault]:
    """Describe which symbols do not fit on each failed card, and what would help."""
    for number, slots in sorted(faulty.items())[:MOST_NAMED]:
        lacking = [pieces[cards[number][slot]] for slot in sorted(slots)]
        names = ", ".join(piece.name for piece in lacking)
        least, hint = f"{options.min_size_mm:g} mm or more", HINT
        if any(piece.least_mm > options.min_size_mm for piece in lacking):
            least, hint = "a size at which words can be read", WORDS_HINT
        yield Fault(f"card {number + 1} has no room for {names} at {least}", hint)
    if len(faulty) > MOST_NAMED:
        yield Fault(f"{len(faulty) - MOST_NAMED} more cards have no room for their symbols either")


def recall_layout(
    cards: Sequence[Sequence[int]], pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions, seed: int
) -> tuple[Card, ...]:
    """Return the cached layout, or lay the deck out and cache it; failures are not cached."""
    cache = find_cache()
    if cache is None:
        return lay_out_deck(cards, pieces, shape, options, seed)
    parts = [repr(([tuple(card) for card in cards], shape, options, seed)).encode()]
    for piece in pieces:
        outline = piece.silhouette
        figures = (piece.name, piece.rotation, piece.scale, piece.symbol, piece.least_mm)
        parts.append(repr((figures, outline.area, outline.centre, outline.reach)).encode())
        parts += [np.ascontiguousarray(ring, "<f8").tobytes() for ring in outline.rings]
    key = make_key("layout", parts)
    cached = cache.recall(key)
    if cached is not None:
        return tuple(tuple(Placement(*spot) for spot in card) for card in json.loads(cached))
    placed = lay_out_deck(cards, pieces, shape, options, seed)
    cache.keep(key, json.dumps([[astuple(spot) for spot in card] for card in placed]).encode())
    return placed
