"""A game as plain data, for the page: its symbols, how it looks and prints, and the numbers of its line."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dobble_print.dealing import deal_theme
from dobble_print.errors import DobbleError, Fault
from dobble_print.studio.document import PRINT_KEYS, Entry, Reading, list_unnamed
from dobble_print.studio.faults import describe
from dobble_print.theme.filling import find_full_deck
from dobble_print.theme.model import Theme
from dobble_print.theme.options import SECTIONS, keys_of
from dobble_print.theme.symbols import FEWEST_SYMBOLS
from dobble_print.units import Paper

Plain = dict[str, Any]
_PLAIN_KEYS = ("faces", "faces_by", "font", "notation", "crop", "art", "article", "legend_order", "fill", "profile")


def describe_game(reading: Reading, faces: Mapping[str, Sequence[str]]) -> Plain:
    """Return what a page shows of a game but for its cards."""
    theme, line = reading.theme, count_line(reading)
    settings, waiting = list_settings(theme, reading.written), set(line["waiting"])
    return {
        "title": theme.title_in(),
        "titles": dict(theme.title),
        "languages": list(theme.languages),
        "symbols": [describe_symbol(entry, theme, faces, entry.id in waiting) for entry in reading.entries],
        "look": {key: value for key, value in settings.items() if key.partition(".")[0] not in PRINT_KEYS},
        "print": {key: value for key, value in settings.items() if key.partition(".")[0] in PRINT_KEYS},
        "line": line,
        "faults": [describe(fault, "theme") for fault in reading.faults],
    }


def describe_symbol(entry: Entry, theme: Theme, faces: Mapping[str, Sequence[str]], is_waiting: bool) -> Plain:
    """Return one symbol: what it is called, what it shows, and whether it is on the cards."""
    symbol, written = entry.symbol, entry.written
    names = dict(symbol.names) if symbol else {}
    own = [code for code in names if str(names[code]) in map(str, written.values())]
    return {
        "id": entry.id,
        "kind": entry.kind,
        "text": entry.text,
        "names": names,
        "own_names": own,
        "art": list(faces.get(entry.id, ())),
        "scale": symbol.scale if symbol else 1.0,
        "rotation": str(written.get("rotation", "")) or None,
        "background": written.get("background"),
        "crop": written.get("crop"),
        "filled": bool(written.get("filled")),
        "kept": list(entry.kept),
        "waiting": is_waiting or symbol is None,
        "missing": list_unnamed(symbol, theme.languages) if symbol else [],
    }


def list_settings(theme: Theme, written: Mapping[str, Any]) -> Plain:
    """Return the value of every key that a page can change, by its dotted name: what holds, written or not."""
    found: Plain = {key: _make_plain(written[key]) for key in _PLAIN_KEYS if key in written}
    for section in SECTIONS:
        holder = getattr(theme, section.key)
        for field in keys_of(section.model) if holder is not None else ():
            found[f"{section.key}.{field.key}"] = _make_plain(getattr(holder, field.attribute))
    return found


def _make_plain(value: Any) -> Any:
    if isinstance(value, Paper):
        return value.name
    if isinstance(value, Path):
        return value.name
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {key: _make_plain(inner) for key, inner in dataclasses.asdict(value).items()}
    if isinstance(value, Mapping):
        return {str(key): _make_plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_make_plain(inner) for inner in value]
    return (
        value
        if value is None or isinstance(value, bool)
        else value + 0
        if isinstance(value, int | float)
        else str(value)
    )


def count_line(reading: Reading) -> Plain:
    """Return the numbers of the live line: what the symbols give, who waits, and what the next full deck needs."""
    symbols = len(reading.theme.symbols)
    missing, per_card = find_full_deck(symbols)
    numbers: Plain = {
        "symbols": len(reading.entries),
        "playing": symbols,
        "cards": 0,
        "per_card": 0,
        "waiting": [],
        "next": {"missing": missing, "per_card": per_card, "cards": symbols + missing} if missing else None,
        "fault": None,
    }
    if symbols < FEWEST_SYMBOLS:
        return numbers
    try:
        decks = deal_theme(reading.theme)
    except DobbleError as error:
        return numbers | {"fault": describe(next(iter(error.faults), Fault(str(error))), "deck")}
    unused = set.intersection(*(set(deck.unused) for deck in decks))
    waiting = [reading.theme.symbols[index].id for index in sorted(unused)]
    cards, most = sum(len(deck.cards) for deck in decks), max(deck.symbols_per_card for deck in decks)
    return numbers | {"cards": cards, "per_card": most, "waiting": waiting}
