"""Variety: what makes the game hard. The same symbol differs from card to card in size and in turn.

Invariant: this is a statistic, never a fault: a theme may ask for symbols that are all upright or all of one size.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import Any

import shapely

from dobble_print.pdf.geometry import measure_scale
from dobble_print.verify.decks import PrintedDeck
from dobble_print.verify.outlines import find_place
from dobble_print.verify.printed import PrintedCard
from dobble_print.verify.proof import Claim
from dobble_print.verify.symbols import Symbols

SIZE_DIFFERS = 1.05
TURN_DIFFERS_DEG = 10.0


@dataclass(frozen=True)
class _Look:
    """How large a symbol is on a card, by its enclosing circle, and how it is turned."""

    symbol: int
    size_mm: float
    turn_deg: float


def claim_variety(decks: Sequence[PrintedDeck], symbols: Symbols, silhouettes: Mapping[Hashable, Any]) -> Claim:
    """How much the two looks of a match differ, over all pairs of cards."""
    radii = {key: float(shapely.minimum_bounding_radius(shape)) for key, shape in silhouettes.items()}
    looks = [[_look_at(card, symbols, radii) for card in deck.cards] for deck in decks]
    matches = [match for deck in looks for match in _list_matches(deck)]
    spreads = [max(sizes) / min(sizes) for deck in looks for card in deck if (sizes := [one.size_mm for one in card])]
    if not matches:
        return Claim("variety", "none", "no two cards to compare")
    by_size = sum(_differ_in_size(*match) for match in matches) / len(matches)
    by_turn = sum(_differ_in_turn(*match) for match in matches) / len(matches)
    figures = {
        "matches": len(matches),
        "differ_in_size": round(by_size, 4),
        "differ_in_turn": round(by_turn, 4),
        "spread": round(median(spreads), 3),
    }
    spread = f"on a card the largest is {median(spreads):.1f} times the smallest"
    what = f"{by_size:.0%} of matches differ in size, {by_turn:.0%} in turn; {spread}"
    varies = max(by_size, by_turn) >= 0.5
    return Claim("variety", "proved" if varies else "none", what, (), figures)


def _look_at(card: PrintedCard, symbols: Symbols, radii: Mapping[Hashable, float]) -> list[_Look]:
    looks = []
    for one in card.placed:
        matrix = find_place(card, one)
        size = 2 * radii.get(one.key, 0.0) * measure_scale(matrix)
        if size > 0:
            looks.append(_Look(symbols.of(one), size, math.degrees(math.atan2(matrix[1], matrix[0]))))
    return looks


def _list_matches(cards: Sequence[Sequence[_Look]]) -> Iterator[tuple[_Look, _Look]]:
    found: dict[int, list[_Look]] = {}
    for card in cards:
        for look in card:
            found.setdefault(look.symbol, []).append(look)
    for same in found.values():
        yield from combinations(same, 2)


def _differ_in_size(one: _Look, other: _Look) -> bool:
    return max(one.size_mm, other.size_mm) >= SIZE_DIFFERS * min(one.size_mm, other.size_mm)


def _differ_in_turn(one: _Look, other: _Look) -> bool:
    away = abs(one.turn_deg - other.turn_deg) % 360
    return min(away, 360 - away) >= TURN_DIFFERS_DEG
