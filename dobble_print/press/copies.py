"""Copies of a deck and decks side by side: which leaves go through the press, each under a key of its own.

Invariant: every printed card has one key; cards of different decks keep their own symbols, whose forms are renumbered.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dobble_print.art.artwork import Form
from dobble_print.press.plan import Back, Leaf, Stamp

Mark = Literal["none", "color", "letter"]

# colours that stay apart for colour-blind players and on white
COPY_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#e69f00", "#8c510a", "#6a3d9a")


@dataclass(frozen=True, eq=False)
class Batch:
    """Leaves in printing order and the forms their stamps refer to."""

    leaves: dict[int, Leaf]
    forms: tuple[Form, ...]


def copy_leaves(leaves: Mapping[int, Leaf], copies: int, mark: Mark = "none") -> dict[int, Leaf]:
    """The deck so many times over; marked copies have a rim colour and a letter of their own."""
    printed = [_mark_copy(leaf, copy, mark) for copy in range(copies) for leaf in leaves.values()]
    if copies == 1:
        return dict(zip(leaves, printed, strict=True))
    return dict(enumerate(printed, start=1))


def _mark_copy(leaf: Leaf, copy: int, mark: Mark) -> Leaf:
    leaf = replace(leaf, pledge=replace(leaf.pledge, copy=copy + 1))
    if mark == "none":
        return leaf
    letter = _letter(copy)
    color = COPY_COLORS[copy % len(COPY_COLORS)] if mark == "color" else leaf.look.rim_color
    front = replace(leaf.front, letter=letter, rim_color=color)
    return replace(leaf, front=front, look=replace(leaf.look, rim_color=color), caption=f"{letter} {leaf.caption}")


def _letter(copy: int) -> str:
    """A, B, … Z, AA, AB, …"""
    letters = string.ascii_uppercase
    return (_letter(copy // 26 - 1) if copy >= 26 else "") + letters[copy % 26]


def gang_batches(batches: Sequence[Batch]) -> Batch:
    """Several decks as one batch, one after the other."""
    leaves: list[Leaf] = []
    forms: list[Form] = []
    for batch in batches:
        copies = {leaf.pledge.deck: leaf.pledge.copy for leaf in sorted(leaves, key=lambda leaf: leaf.pledge.copy)}
        leaves += [_shift_leaf(leaf, len(forms), copies.get(leaf.pledge.deck, 0)) for leaf in batch.leaves.values()]
        forms += batch.forms
    return Batch(paint_missing_backs(dict(enumerate(leaves, start=1))), tuple(forms))


def paint_missing_backs(leaves: Mapping[int, Leaf]) -> dict[int, Leaf]:
    """White backs for decks without any, where others on the same sheets have some."""
    if not any(leaf.back for leaf in leaves.values()):
        return dict(leaves)
    return {key: leaf if leaf.back else replace(leaf, back=Back("#ffffff")) for key, leaf in leaves.items()}


def _shift_leaf(leaf: Leaf, by: int, copies: int) -> Leaf:
    """The same card with forms numbered on; a deck that is there already goes on as further copies of it."""
    front = replace(leaf.front, stamps=_shift(leaf.front.stamps, by))
    pledge = replace(leaf.pledge, copy=leaf.pledge.copy + copies)
    return replace(leaf, front=front, back=_shift_back(leaf.back, by), pledge=pledge)


def _shift_back(back: Back | None, by: int) -> Back | None:
    return replace(back, stamps=_shift(back.stamps, by)) if back else None


def _shift(stamps: tuple[Stamp, ...], by: int) -> tuple[Stamp, ...]:
    return tuple(Stamp(stamp.piece + by, stamp.matrix) for stamp in stamps)


def name_decks(leaves: Sequence[Leaf]) -> str:
    """The decks that share a sheet, for its slug line."""
    return " + ".join(dict.fromkeys(leaf.deck for leaf in leaves))
