"""Lay out a whole deck: sizes, search, certificate; layouts are cached.

Invariant: every card returned has passed the certifier with the numbers that will be printed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, field
from functools import partial

import numpy as np

from dobble_print.cache import find_cache, make_key
from dobble_print.errors import Fault, LayoutError
from dobble_print.layout.certify import Certifier
from dobble_print.layout.model import Integers, LayoutScene, Piece, Placement, Singles, make_scene
from dobble_print.layout.search import (
    EFFORTS,
    Effort,
    Streams,
    find_arrangements,
    measure_violation,
    open_streams,
    pack_circles,
    unfold_circles,
)
from dobble_print.layout.sizes import CALM_SPREAD, HOLD, OwnSizes, measure_burdens
from dobble_print.layout.solver import Schedule, relax
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import CardShape

Card = tuple[Placement, ...]
OnCards = Callable[[dict[int, Card]], None]
OnPulse = Callable[[], None]
DIGITS = 4  # placements are rounded to this many decimals before they are measured
SETTLE = Schedule(steps=5, pressure=0.0, final_pressure=0.0, samples=None, reach_mm=0.3)
SAFETIES_MM = (0.02, 0.04, 0.08, 0.16, 0.32, 0.64)  # asked on top of all distances until the certificate passes
FIRST_SAFETIES_MM = (0.02, 0.06)  # for symbols that keep their sizes: more would not help them
LAST_SHRINKS = 3  # symbols of a card that then may still take a smaller size of their own
RESCUE = Effort(4, 2)  # a card that fails is solved again from other starts, and then with more care
DOZEN = 12  # cards rescued at a time
MOST_AT_ONCE = 64  # cards solved side by side: more take more memory and hardly less time
MOST_NAMED = 3  # faulty cards described one by one; the others only count
HINT = "Try a larger card, fewer symbols a card, a smaller gap or min_size, or a smaller scale for these symbols."
WORDS_HINT = "Try a larger card, fewer symbols a card, shorter words, a smaller gap or min_x_height."


def lay_out_deck(
    cards: Sequence[Sequence[int]],
    pieces: Sequence[Piece],
    shape: CardShape,
    options: LayoutOptions,
    seed: int,
    numbers: Sequence[int] = (),
    on_cards: OnCards = lambda cards: None,
    on_pulse: OnPulse = lambda: None,
) -> tuple[Card, ...]:
    """Place the symbols of every card; the slot sets the rung of the size ladder.

    A card lies as its number (from 1 on, unless `numbers` are given), its pieces, the options and the seed decide, and
    no other card. Raises `LayoutError` with a fault for every card that cannot be laid out by the rules.
    """
    if not cards:
        return ()
    _check_room(shape, options)
    numbers = numbers or range(1, len(cards) + 1)
    scene = make_scene(cards, pieces, shape, options, on_pulse)
    proof = _Proof(Certifier.of(pieces, shape, options))
    lacking = scene.find_impossible(_measure_room_mm2(shape, options), options.gap_mm)
    proof.faulty = {row: set(range(len(cards[row]))) for row in np.flatnonzero(lacking).tolist()}
    streams, possible = open_streams(seed, numbers), np.flatnonzero(~lacking)
    for rows in np.array_split(possible, -(-len(possible) // MOST_AT_ONCE) or 1):
        _solve(scene, rows, proof, options, streams)
        on_cards({numbers[row]: proof.placed[row] for row in rows.tolist() if row in proof.placed})
    LayoutError.raise_any(_describe_faults(cards, numbers, pieces, options, proof.faulty))
    return tuple(proof.placed[row] for row in range(len(cards)))


def _solve(scene: LayoutScene, rows: Integers, proof: _Proof, options: LayoutOptions, streams: Streams) -> None:
    """Search for full cards and rescue those that fail; give up when none of a dozen can be rescued."""
    if not len(rows):
        return
    part = scene.take(rows)
    state = find_arrangements(part, EFFORTS[options.quality], [streams[row] for row in rows])
    if options.size_spread >= CALM_SPREAD:
        _settle_own_sizes(part, rows, state, proof, options.size_spread)
    left = proof.find_left(rows)
    proof.settle(part.take(left), rows[left], state[left])
    failed = rows[proof.find_left(rows)].tolist()
    for start in range(0, len(failed), DOZEN):
        dozen = failed[start : start + DOZEN]
        _rescue(scene, dozen, proof, streams)
        if all(row in proof.faulty for row in dozen):
            break


def _settle_own_sizes(scene: LayoutScene, rows: Integers, state: Singles, proof: _Proof, spread: float) -> None:
    """Settle cards whose symbols have sizes of their own; those that could not be brought to that are not settled."""
    own = OwnSizes.of(scene, state, spread)
    own.keep_apart()
    left = np.arange(len(rows))
    for _ in range(1 + LAST_SHRINKS):
        proof.settle(own.take(left), rows[left], own.state[left], FIRST_SAFETIES_MM)
        left = proof.find_left(rows)
        left = own.shrink(left, measure_burdens(own.take(left), own.state[left], None)) if len(left) else left
        if not len(left):
            break
        own.state[left] = relax(own.take(left), own.state[left], HOLD)


def _rescue(scene: LayoutScene, rows: list[int], proof: _Proof, streams: Streams) -> None:
    """Solve cards again: from other starts, then growing out of circles, then as the circles themselves."""
    part = scene.take(np.array(rows))
    proof.settle(part, rows, find_arrangements(part, RESCUE, [streams[row] for row in rows]))
    rows = [row for row in rows if row in proof.faulty]
    if not rows:
        return
    part = scene.take(np.array(rows))
    circles = pack_circles(part, [streams[row] for row in rows])
    proof.settle(part, rows, unfold_circles(part, circles))
    left = proof.find_left(np.array(rows))
    proof.settle(part.take(left), [rows[each] for each in left], circles[left])


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
    """Cards, by their row, that passed the certificate, and the faulty slots of those that did not."""

    certifier: Certifier
    placed: dict[int, Card] = field(default_factory=dict)
    faulty: dict[int, set[int]] = field(default_factory=dict)

    def find_left(self, rows: Integers) -> Integers:
        """Return where those of some cards stand that have not passed."""
        return np.array([place for place, row in enumerate(rows.tolist()) if row not in self.placed], np.intp)

    def settle(
        self, scene: LayoutScene, rows: Iterable[int], state: Singles, safeties_mm: Sequence[float] = SAFETIES_MM
    ) -> None:
        """Remove the last violations of some cards, asking for larger distances until the certificate passes.

        A card that passes is kept; of one that does not, the faulty slots are noted.
        """
        numbers = np.array(list(rows), np.intp)
        for safety in safeties_mm:
            if not len(numbers):
                break
            state = relax(scene.widen_distances(safety), state, SETTLE)
            for number, symbols, solved in zip(numbers, scene.ids, state, strict=True):
                scene.on_pulse()
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
    cards: Sequence[Sequence[int]],
    numbers: Sequence[int],
    pieces: Sequence[Piece],
    options: LayoutOptions,
    faulty: dict[int, set[int]],
) -> Iterable[Fault]:
    """Describe which symbols do not fit on each failed card, and what would help."""
    for row, slots in sorted(faulty.items())[:MOST_NAMED]:
        lacking = [pieces[cards[row][slot]] for slot in sorted(slots)]
        names = ", ".join(piece.name for piece in lacking)
        least, hint = f"{options.min_size_mm:g} mm or more", HINT
        if any(piece.least_mm > options.min_size_mm for piece in lacking):
            least, hint = "a size at which words can be read", WORDS_HINT
        yield Fault(f"card {numbers[row]} has no room for {names} at {least}", hint)
    if len(faulty) > MOST_NAMED:
        yield Fault(f"{len(faulty) - MOST_NAMED} more cards have no room for their symbols either")


def _unpack_card(shown: Sequence[int], data: bytes) -> Card:
    return tuple(Placement(piece, *spot) for piece, spot in zip(shown, json.loads(data), strict=True))


def recall_layout(
    cards: Sequence[Sequence[int]],
    pieces: Sequence[Piece],
    shape: CardShape,
    options: LayoutOptions,
    seed: int,
    numbers: Sequence[int] = (),
    on_cards: OnCards = lambda cards: None,
    on_pulse: OnPulse = lambda: None,
) -> tuple[Card, ...]:
    """Lay out a deck as `lay_out_deck` does, but of its cards only those that the cache does not know."""
    cache, numbers = find_cache(), numbers or range(1, len(cards) + 1)
    if cache is None:
        return lay_out_deck(cards, pieces, shape, options, seed, numbers, on_cards, on_pulse)
    shown, common = dict(zip(numbers, cards, strict=True)), repr((shape, options, seed))
    described = [_describe_piece(piece) for piece in pieces]
    keys = {
        number: make_key("card", [f"{number} {common}".encode(), *(described[piece] for piece in card)])
        for number, card in shown.items()
    }
    found: dict[int, Card] = {}
    for number, key in keys.items():
        card = cache.recall_as(key, partial(_unpack_card, shown[number]))
        if card is not None:
            found[number] = card

    def keep(laid: dict[int, Card]) -> None:
        for number, card in laid.items():
            cache.keep(keys[number], json.dumps([astuple(spot)[1:] for spot in card]).encode())
        found.update(laid)
        on_cards(laid)

    if found:
        on_cards(dict(found))
    left = [number for number in numbers if number not in found]
    if left:
        lay_out_deck([shown[number] for number in left], pieces, shape, options, seed, left, keep, on_pulse)
    return tuple(found[number] for number in numbers)


def _describe_piece(piece: Piece) -> bytes:
    """Return all that the layout sees of a piece; its name is only for messages."""
    outline = piece.silhouette
    figures = (piece.rotation, piece.scale, piece.least_mm, outline.area, outline.centre, outline.reach, outline.key)
    return repr(figures).encode()
