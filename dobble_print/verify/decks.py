"""Sort printed cards into decks, and printed forms into symbols."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pikepdf import Array, Dictionary, Name, Object, Stream

from dobble_print.pdf.content import key_of
from dobble_print.pdf.document import DEEPEST, refuse_depth
from dobble_print.verify.scan import PlacedSymbol, ScannedCard

# keys that say nothing about the look, or how a stream is packed
SILENT = {"/Symbol", "/Length", "/Filter", "/DecodeParms", "/Type", "/Name", "/FormType", "/Parent", "/StructParents"}


@dataclass(frozen=True)
class Symbols:
    """The symbol of every form by its key, the names by which to tell them, and whether the forms say so themselves."""

    by_form: dict[Hashable, int]
    names: tuple[str, ...]
    marked: bool

    def of(self, placed: PlacedSymbol) -> int:
        """Return the symbol that is placed."""
        return self.by_form[placed.key]

    def shown_on(self, card: ScannedCard) -> frozenset[int]:
        """Return the symbols of a card."""
        return frozenset(self.of(one) for one in card.placed)

    def name(self, symbol: int) -> str:
        """Return what to call a symbol."""
        return self.names[symbol]


def sort_symbols(placed: Iterable[PlacedSymbol]) -> Symbols:
    """Return which symbol each thing shows that is drawn on a card."""
    things = {one.key: one for one in placed}
    digests = _Digests()
    groups: dict[Hashable, int] = {}  # what a form has in common with others: its mark or its content
    merged: list[int] = []
    names: list[str] = []
    mine: dict[Hashable, int] = {}
    for key, one in things.items():
        signs = [("content", digests.digest(one.thing)), *([("mark", one.name)] if one.name else [])]
        known = [_find(merged, groups[sign]) for sign in signs if sign in groups]
        symbol = min(known, default=len(merged))
        if not known:
            merged.append(symbol)
            names.append(one.name or f"picture {len(names) + 1}")
        for other in known:
            merged[other] = symbol
        groups |= dict.fromkeys(signs, symbol)
        mine[key] = symbol
    by_form = {key: _find(merged, symbol) for key, symbol in mine.items()}
    return Symbols(by_form, tuple(names), all(one.name for one in things.values()))


def _find(merged: list[int], symbol: int) -> int:
    while merged[symbol] != symbol:
        symbol = merged[symbol]
    return symbol


class _Digests:
    """What forms look like, as far as equal bytes tell; each stream is read once."""

    def __init__(self) -> None:
        self.known: dict[Hashable, bytes] = {}

    def digest(self, thing: Any, depth: int = 0) -> bytes:
        """Return a key that is the same for things that are drawn alike."""
        if depth > DEEPEST:
            raise refuse_depth()
        if not isinstance(thing, Object) or not isinstance(thing, Stream | Dictionary | Array):
            return thing.unparse() if isinstance(thing, Object) else repr(thing).encode()
        if not thing.is_indirect:
            return self._digest_parts(thing, depth)
        key = key_of(thing)
        if key not in self.known:
            self.known[key] = b"itself"
            self.known[key] = self._digest_parts(thing, depth)
        return self.known[key]

    def _digest_parts(self, thing: Any, depth: int) -> bytes:
        work = hashlib.sha256()
        if isinstance(thing, Array):
            for each in thing:
                work.update(self.digest(each, depth + 1) + b",")
            return work.digest()
        for key, value in sorted(thing.items()):
            if key not in SILENT:
                work.update(key.encode() + b"=" + self.digest(value, depth + 1) + b";")
        if isinstance(thing, Stream):
            packed = thing.get("/Subtype") == Name.Image  # unpacking photos is slow, and within a file they are alike
            work.update(thing.read_raw_bytes() if packed else thing.read_bytes())
        return work.digest()


@dataclass(frozen=True, eq=False)
class PrintedDeck:
    """One copy of a deck."""

    name: str
    copy: int
    cards: tuple[ScannedCard, ...]
    sure: bool = True


def sort_decks(cards: Sequence[ScannedCard], symbols: Symbols) -> list[PrintedDeck]:
    """Return the decks in the file; where it does not name them, cards that share symbols are taken for one."""
    if all(card.deck is not None for card in cards):
        groups: dict[tuple[str, int], list[ScannedCard]] = {}
        for card in cards:
            groups.setdefault((card.deck or "", card.copy), []).append(card)
        return [PrintedDeck(name, copy, tuple(found)) for (name, copy), found in groups.items()]
    return _guess_decks(cards, symbols)


def _guess_decks(cards: Sequence[ScannedCard], symbols: Symbols) -> list[PrintedDeck]:
    """Group cards with as many symbols that hang together; the same card again is another copy."""
    shown = [symbols.shown_on(card) for card in cards]
    clusters: list[tuple[set[int], list[int]]] = []
    for i, here in enumerate(shown):
        near = [one for one in clusters if one[0] & here and len(shown[one[1][0]]) == len(here)]
        joined = (set(here).union(*(one[0] for one in near)), sorted([i, *(j for one in near for j in one[1])]))
        clusters = [one for one in clusters if one not in near] + [joined]
    decks = []
    for number, (_, members) in enumerate(clusters, 1):
        seen: Counter[frozenset[int]] = Counter()
        copies: dict[int, list[ScannedCard]] = {}
        for i in members:
            seen[shown[i]] += 1
            copies.setdefault(seen[shown[i]], []).append(cards[i])
        decks += [PrintedDeck(f"no. {number}", copy, tuple(found), False) for copy, found in copies.items()]
    return decks
