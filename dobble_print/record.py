"""The record of a deck: `deck.json`, for reprints, for checking, and for other programs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from dobble_print import __version__
from dobble_print.art.artwork import Artwork
from dobble_print.deck import Deck
from dobble_print.layout.model import Placement
from dobble_print.theme.model import Theme

ID_LENGTH = 6


def make_deck_id(theme: Theme, decks: Sequence[Deck], artworks: Sequence[Artwork]) -> str:
    """A short id that changes when a card would show something else, and with nothing else."""
    shown = [(symbol.id, artwork.digest) for symbol, artwork in zip(theme.symbols, artworks, strict=True)]
    content = json.dumps([shown, [card.symbols for deck in decks for card in deck.cards]], ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()[:ID_LENGTH]


def write_record(
    theme: Theme, decks: Sequence[Deck], deck_id: str, layouts: Mapping[int, Sequence[Placement]]
) -> bytes:
    """Everything about the deck as JSON; lengths in millimetres, origin at the card's centre, y up."""
    record: dict[str, Any] = {
        "program": f"dobble-print {__version__}",
        "theme": theme.name,
        "title": dict(theme.title),
        "id": deck_id,
        "seed": theme.deck.seed,
        "languages": list(theme.languages),
        "card": {"shape": theme.card.shape, "size_mm": theme.card.size_mm},
        "symbols": [{"id": symbol.id, "names": dict(symbol.names)} for symbol in theme.symbols],
        "decks": [_record_deck(theme, deck, layouts) for deck in decks],
    }
    return (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode()


def _record_deck(theme: Theme, deck: Deck, layouts: Mapping[int, Sequence[Placement]]) -> dict[str, Any]:
    return {
        "symbols_per_card": deck.symbols_per_card,
        "unused": [theme.symbols[i].id for i in deck.unused],
        "cards": [
            {"number": card.number, "symbols": [_record_spot(theme, spot) for spot in layouts[card.number]]}
            for card in deck.cards
        ],
    }


def _record_spot(theme: Theme, spot: Placement) -> dict[str, Any]:
    return {
        "id": theme.symbols[spot.symbol].id,
        "x_mm": spot.x_mm,
        "y_mm": spot.y_mm,
        "rotation_deg": spot.rotation_deg,
        "diameter_mm": spot.diameter_mm,
    }
