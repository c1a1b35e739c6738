"""Decks: which printed cards belong together, as the file tells or as their symbols show.

Invariant: cards of one `PrintedDeck` are one copy of one deck, so every two of them must share exactly one symbol.
`sure` says whether the file itself tells so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dobble_print.verify.printed import PrintedCard
from dobble_print.verify.symbols import Symbols


@dataclass(frozen=True, eq=False)
class PrintedDeck:
    """One copy of a deck."""

    name: str
    copy: int
    cards: tuple[PrintedCard, ...]
    sure: bool = True


def sort_decks(cards: Sequence[PrintedCard], symbols: Symbols) -> list[PrintedDeck]:
    """The decks in the file; where it does not name them, cards that share symbols are taken for one."""
    if all(card.deck is not None for card in cards):
        groups: dict[tuple[str, int], list[PrintedCard]] = {}
        for card in cards:
            groups.setdefault((card.deck or "", card.copy), []).append(card)
        return [PrintedDeck(name, copy, tuple(found)) for (name, copy), found in groups.items()]
    return _guess_decks(cards, symbols)


def _guess_decks(cards: Sequence[PrintedCard], symbols: Symbols) -> list[PrintedDeck]:
    """Cards with as many symbols that hang together; the same card again is another copy."""
    shown = [frozenset(symbols.of(one) for one in card.placed) for card in cards]
    clusters: list[tuple[set[int], list[int]]] = []
    for i, here in enumerate(shown):
        near = [one for one in clusters if one[0] & here and len(shown[one[1][0]]) == len(here)]
        joined = (set(here).union(*(one[0] for one in near)), sorted([i, *(j for one in near for j in one[1])]))
        clusters = [one for one in clusters if one not in near] + [joined]
    decks = []
    for number, (_, members) in enumerate(clusters, 1):
        seen: Counter[frozenset[int]] = Counter()
        copies: dict[int, list[PrintedCard]] = {}
        for i in members:
            seen[shown[i]] += 1
            copies.setdefault(seen[shown[i]], []).append(cards[i])
        decks += [PrintedDeck(f"no. {number}", copy, tuple(found), False) for copy, found in copies.items()]
    return decks
