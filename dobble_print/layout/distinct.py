"""Telling sizes apart: the symbol two cards share should not print at nearly the same size on both.

The slot gives each symbol another rung on every card, but cards differ in their common size and symbols leave their
rungs a little, so two of its sizes may come close. Invariant: placements only shrink, about their own centre, within
what is promised for a card; and a card changes only when the certificate passes it as it will be printed.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from dobble_print.layout.certify import Certifier
from dobble_print.layout.model import Piece, Placement

Card = tuple[Placement, ...]

STEP = 1.03  # two sizes of a symbol differ by at least this factor
CALM_SPREAD = 1.1  # below this a theme wants all sizes alike
RATIOS = (0.8, 1.3)  # largest : smallest of a card, in units of the spread


def tell_sizes_apart(cards: Mapping[int, Card], pieces: Sequence[Piece], certifier: Certifier) -> dict[int, Card]:
    """The cards with symbols shrunk by a few hundredths where two of their sizes come too close."""
    told = dict(cards)
    if certifier.options.size_spread < CALM_SPREAD:
        return told
    for faces in _group_faces(pieces):
        above = math.inf
        for number, slot in _from_largest(told, faces):
            if told[number][slot].diameter_mm > above / STEP:
                smaller = _shrink(told[number], slot, above / STEP)
                if _is_within(smaller, pieces, certifier.options.size_spread) and not certifier.faulty_slots(
                    smaller, slot
                ):
                    told[number] = smaller
            above = min(above, told[number][slot].diameter_mm)
    return told


def _group_faces(pieces: Sequence[Piece]) -> list[set[int]]:
    """The pieces of each symbol: whatever face it shows, its sizes are told apart."""
    groups: dict[tuple[bool, int], set[int]] = {}
    for number, piece in enumerate(pieces):
        groups.setdefault((piece.symbol < 0, number if piece.symbol < 0 else piece.symbol), set()).add(number)
    return list(groups.values())


def _from_largest(cards: Mapping[int, Card], faces: Container[int]) -> list[tuple[int, int]]:
    """Where a symbol is, card and slot, its largest size first."""
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
    """Whether the sizes of a card, hints aside, keep the promised ratio."""
    sizes = [placed.diameter_mm / pieces[placed.piece].scale for placed in card]
    return RATIOS[0] * spread <= max(sizes) / min(sizes) <= RATIOS[1] * spread
