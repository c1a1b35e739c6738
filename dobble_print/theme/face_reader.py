"""Reading how a theme shows its symbols: faces, font, parts of a deck, and the words that complete it.

Invariant: symbols leave here with all their faces; what is wrong about them is noted where it was written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dobble_print.errors import ArtworkError, Place, Refusal
from dobble_print.fonts import find_font
from dobble_print.theme.face_fields import FACES, FACES_BY, FILL, FONT
from dobble_print.theme.faces import Wardrobe, check_faces, dress_symbols, list_face_languages
from dobble_print.theme.filling import ANY_GROUP, check_group, fill_symbols
from dobble_print.theme.findings import Findings
from dobble_print.theme.model import DeckOptions, FacesBy, LayoutOptions, Symbol, TextStyle
from dobble_print.theme.source import Node
from dobble_print.theme.symbols import FEWEST_SYMBOLS, Draft, finish_symbol

Top = Mapping[str, Node]


def read_wardrobe(top: Top, folder: Path, seed: int, findings: Findings) -> Wardrobe:
    """What all symbols of a theme are dressed in."""
    node = top.get(FACES.key)
    faces = findings.read_values(FACES, node) if node else ()
    return Wardrobe(faces, _read_font(top, folder, findings), folder, seed, node.place if node else None)


def _read_font(top: Top, folder: Path, findings: Findings) -> str:
    """The font's name or path; one that cannot be opened is a fault here, not one a symbol."""
    node = top.get(FONT.key)
    font = findings.read(FONT.key, FONT.kind, node) if node else None
    if node is None or font is None:
        return TextStyle.font
    try:
        find_font(font, folder)
    except ArtworkError as error:
        findings.faults += [replace(fault, place=node.place) for fault in error.faults]
        return TextStyle.font
    return str(font)


def read_fill(top: Top, findings: Findings) -> str:
    """The group of the lexicon that completes the deck, or nothing."""
    node = top.get(FILL.key)
    wanted = findings.read(FILL.key, FILL.kind, node) if node else None
    if node is None or wanted is None:
        return ""
    try:
        return check_group(wanted)
    except Refusal as refusal:
        findings.add(node.place, f"fill: {refusal.what}", refusal.hint)
        return ""


def finish_symbols(
    drafts: Sequence[Draft],
    languages: tuple[str, ...],
    wardrobe: Wardrobe,
    deck: DeckOptions,
    layout: LayoutOptions,
    fill: tuple[str, Place] | None,
    findings: Findings,
) -> tuple[Symbol, ...]:
    """The symbols of good drafts with all their faces, completed from the lexicon where the theme wants it."""
    spoken = list_face_languages([*wardrobe.faces, *(face for draft in drafts for face in draft.faces)])
    finished = [finish_symbol(draft, languages, layout.rotation, spoken) for draft in drafts]
    symbols = tuple(symbol for symbol in finished if symbol)
    own = {symbol.id: draft.faces for draft, symbol in zip(drafts, finished, strict=True) if symbol and draft.faces}
    if fill and not findings.faults:  # a theme with faults may have more symbols than could be read
        named = tuple(dict.fromkeys((*languages, *spoken)))
        per_card = max(deck.levels) if deck.levels else deck.symbols_per_card
        symbols = fill_symbols(symbols, named, fill[0], deck.seed, per_card, layout.rotation, fill[1])
        _check_enough(symbols, fill, findings)
    dressed = dress_symbols(symbols, own, wardrobe, findings)
    check_faces(dressed, findings)
    return dressed


def _check_enough(symbols: Sequence[Symbol], fill: tuple[str, Place], findings: Findings) -> None:
    """A few symbols may rely on being completed; where the lexicon cannot, they are too few."""
    if len(symbols) < FEWEST_SYMBOLS:
        what = f"the theme has only {len(symbols)} symbols, and they cannot be filled up"
        findings.add(fill[1], what, f"Give at least {FEWEST_SYMBOLS}, or another group: fill: {ANY_GROUP}.")


def read_faces_by(top: Top, symbols: Sequence[Symbol], findings: Findings) -> FacesBy:
    """Whether a slot or the card decides the face; parts of a deck need as many faces for every symbol."""
    node = top.get(FACES_BY.key)
    value: FacesBy | None = findings.read(FACES_BY.key, FACES_BY.kind, node) if node else None
    if node is None or value != "card":
        return "slot"
    counts = sorted({len(symbol.faces) for symbol in symbols})
    if counts in ([], [1]):
        what = "faces_by: card needs symbols with two faces or more"
        findings.add(node.place, what, "Add faces: [picture, word:en].")
    elif len(counts) > 1:
        few = next(symbol for symbol in symbols if len(symbol.faces) == counts[0])
        what = f"faces_by: card needs as many faces for every symbol; this one has {counts[0]}, others {counts[-1]}"
        findings.add(few.place, what, "Give all of them as many, or use faces_by: slot.")
    for key in ("teams", "deck.levels"):
        section, _, inner = key.partition(".")
        other = top.get(section)
        found = getattr(other, "get", lambda key: None)(inner) if inner else other
        if found:
            what = f"faces_by: card stands beside {inner or section}; both would colour the rims"
            findings.add(node.place, what, "Remove one of them.")
    return "card" if len(counts) == 1 and counts[0] > 1 else "slot"
