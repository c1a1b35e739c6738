"""Layouts kept in the cache: the same cards with the same pieces under the same rules are placed once.

Invariant: what is recalled is what was certified when it was placed; its key names all that the layout looks at.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple

import numpy as np

from dobble_print.cache import is_cached, make_key, recall, remember
from dobble_print.layout.engine import Card, lay_out_deck
from dobble_print.layout.model import Piece, Placement
from dobble_print.theme.model import LayoutOptions
from dobble_print.units import CardShape


def recall_layout(
    cards: Sequence[Sequence[int]], pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions, seed: int
) -> tuple[Card, ...]:
    """`engine.lay_out_deck`, from the cache where it is kept; decks that cannot be laid out are tried again."""
    if not is_cached():
        return lay_out_deck(cards, pieces, shape, options, seed)
    key = _key_of(cards, pieces, shape, options, seed)
    kept = recall(key)
    if kept is not None:
        return tuple(tuple(Placement(*spot) for spot in card) for card in json.loads(kept))
    placed = lay_out_deck(cards, pieces, shape, options, seed)
    remember(key, json.dumps([[astuple(spot) for spot in card] for card in placed]).encode())
    return placed


def _key_of(
    cards: Sequence[Sequence[int]], pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions, seed: int
) -> str:
    rules = repr(([tuple(card) for card in cards], shape, options, seed))
    parts = [rules.encode()]
    for piece in pieces:
        outline = piece.silhouette
        figures = (piece.name, piece.rotation, piece.scale, piece.symbol, piece.least_mm)
        parts.append(repr((figures, outline.area, outline.centre, outline.reach)).encode())
        parts += [np.ascontiguousarray(ring, "<f8").tobytes() for ring in outline.rings]
    return make_key("layout", parts)
