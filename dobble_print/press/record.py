"""The record of a deck: `deck.json`, for reprints, for checking, and for other programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dobble_print import __version__
from dobble_print.dealing import measure_faces
from dobble_print.deck.design import Deck
from dobble_print.files import read_named
from dobble_print.layout.model import Placement
from dobble_print.messages import clip
from dobble_print.theme.model import Captioned, Face, Symbol, Text, Theme


def write_record(
    theme: Theme, decks: Sequence[Deck], deck_id: str, layouts: Mapping[int, Sequence[Placement]]
) -> bytes:
    """Write everything about the deck as JSON; lengths in millimetres, origin at the card's centre, y up.

    Of faces it says how they are dealt, and the share of pairs of cards whose match shows two of them.
    """
    dealt = measure_faces(theme, decks)
    faces = dealt and {"by": theme.faces_by, "share": round(float(dealt.share), 6), "best": dealt.is_best}
    record: dict[str, Any] = {
        "program": f"dobble-print {__version__}",
        "theme": theme.name,
        "title": dict(theme.title),
        "id": deck_id,
        "seed": theme.deck.seed,
        "languages": list(theme.languages),
        "card": {"shape": theme.card.shape, "size_mm": theme.card.size_mm},
        "symbols": [_record_symbol(symbol) for symbol in theme.symbols],
        **({"faces": faces} if faces else {}),
        "decks": [_record_deck(theme, deck, layouts) for deck in decks],
    }
    return (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode()


def _record_symbol(symbol: Symbol) -> dict[str, Any]:
    record: dict[str, Any] = {"id": symbol.id, "names": dict(symbol.names)}
    if len(symbol.faces) > 1:
        record["faces"] = [_record_face(face) for face in symbol.faces]
    return record | ({"filled": True} if symbol.filled else {})


def _record_face(face: Face) -> dict[str, Any]:
    """Return what a face shows: its kind, its text where it is one, its language where it is a name."""
    source = face.source.caption if isinstance(face.source, Captioned) else face.source
    text = {"text": source.text} if isinstance(source, Text) else {}
    return {"kind": face.kind, **text, **({"language": face.language} if face.language else {})}


def _record_deck(theme: Theme, deck: Deck, layouts: Mapping[int, Sequence[Placement]]) -> dict[str, Any]:
    return {
        "symbols_per_card": deck.symbols_per_card,
        "unused": [theme.symbols[i].id for i in deck.unused],
        "cards": [
            {
                "number": card.number,
                **({"part": card.part + 1} if theme.faces_by == "card" else {}),
                "symbols": [_record_spot(theme, spot) for spot in layouts[card.number]],
            }
            for card in deck.cards
        ],
    }


def _record_spot(theme: Theme, spot: Placement) -> dict[str, Any]:
    symbol, face = theme.pieces[spot.piece]
    return {
        "id": theme.symbols[symbol].id,
        **({"face": face} if len(theme.symbols[symbol].faces) > 1 else {}),
        "x_mm": spot.x_mm,
        "y_mm": spot.y_mm,
        "rotation_deg": spot.rotation_deg,
        "diameter_mm": spot.diameter_mm,
    }


MOST_BYTES = 32 << 20


def read_record(path: Path) -> dict[str, Any]:
    """Return the record of an earlier build; nothing where there is none that can be read."""
    try:
        record = json.loads(read_named(path, MOST_BYTES)) if path.is_file() else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def compare_records(earlier: Mapping[str, Any], now: Mapping[str, Any], numbers: Sequence[int]) -> str:
    """Say why these cards would not match those that were printed; nothing where they are the same."""
    if not earlier or not isinstance(earlier.get("id"), str):
        return ""
    if earlier["id"] != now["id"]:
        return f"was made for deck {clip(earlier['id'])}, and this is deck {now['id']}: the cards would not fit it"
    known = _list_cards(earlier)
    if known and all(known.get(number) == card for number, card in _list_cards(now).items() if number in numbers):
        return ""
    made = clip(str(earlier.get("program", ""))) or "another program"
    if made != now["program"]:
        return f"was made by {made}, and this is {now['program']}: symbols may lie elsewhere"
    return "shows these cards laid out in another way: another shape, size or quality"


def _list_cards(record: Mapping[str, Any]) -> dict[int, Any]:
    """Return what a record says of each card, by its number."""
    try:
        return {card["number"]: card["symbols"] for deck in record["decks"] for card in deck["cards"]}
    except (KeyError, TypeError):
        return {}
