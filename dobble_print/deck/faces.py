"""Faces: which face of its symbol every card shows, and how often a match crosses. Pure mathematics, no dependency.

A symbol may have several faces, such as its picture and its name. Face = slot mod f: two cards never meet in the same
slot, so this shows every face equally often on every card and over every symbol. Of the r cards that show a symbol,
those r(r - 1)/2 pairs cross whose faces differ, and most of them do when the faces are spread evenly; in a full deck
each symbol is in every slot once, which spreads them so. That is why no other way of dealing faces does better there.
In a deck with cards left out the slots are no longer even. There the faces are a colouring of the graph whose edges
join cards to their symbols; as it has two sides, its edges can be coloured evenly around every card and every symbol.

Invariant: whatever is dealt, a card's faces stand in the order of its symbols, and each is one that its symbol has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import comb

from dobble_print.deck.design import Card, Deck

Edge = tuple[int, int]  # a card and a symbol on it
Node = tuple[int, int, int]  # side (0: card, 1: symbol), number, and which piece of it
RARITY = tuple(100_000 // (1 + times) ** 3 for times in range(20))  # what a symbol costs that a part shows so often
MOST_ROUNDS = 12  # of swaps: each finds less than the one before


@dataclass(frozen=True)
class Crossing:
    """How many pairs of cards there are to play, and how many of them show their symbol with different faces.

    `most` is how many any way of dealing the faces could reach.
    """

    pairs: int
    crossing: int
    most: int

    @property
    def share(self) -> Fraction:
        """The share of pairs that cross."""
        return Fraction(self.crossing, self.pairs) if self.pairs else Fraction(0)

    @property
    def is_best(self) -> bool:
        """Whether no other way of dealing faces does better."""
        return self.crossing == self.most


def deal_by_slot(deck: Deck, counts: Sequence[int]) -> Deck:
    """Return the deck with a face for every symbol of every card; `counts` says how many faces each symbol has."""
    cards = tuple(
        replace(card, faces=tuple(slot % counts[symbol] for slot, symbol in enumerate(card.symbols)))
        for card in deck.cards
    )
    dealt = replace(deck, cards=cards)
    return dealt if measure_crossing(dealt, counts).is_best else deal_evenly(deck, counts)


def deal_evenly(deck: Deck, counts: Sequence[int]) -> Deck:
    """Do the same for any cards: every symbol, and every card, shows its faces equally often as far as they go."""
    faces: dict[Edge, int] = {}
    for count in sorted(set(counts)):
        faces |= _color_evenly(
            [(number, s) for number, card in enumerate(deck.cards) for s in card.symbols if counts[s] == count], count
        )
    cards = (
        replace(card, faces=tuple(faces[number, symbol] for symbol in card.symbols))
        for number, card in enumerate(deck.cards)
    )
    return replace(deck, cards=tuple(cards))


def _color_evenly(edges: Sequence[Edge], colors: int) -> dict[Edge, int]:
    """Return a colour for each edge, as many of each around every node as can be (de Werra, 1971).

    Every node is split into nodes of as many edges as there are colours, around which no colour may come twice; a
    graph with two sides always has such a colouring (König, 1916).
    """
    at: dict[Node, dict[int, Edge]] = {}
    met: Counter[tuple[bool, int]] = Counter()
    ends: dict[Edge, tuple[Node, Node]] = {}
    for edge in edges:
        one, other = ((side, edge[side], met[bool(side), edge[side]] // colors) for side in (0, 1))
        met.update((bool(side), edge[side]) for side in (0, 1))
        ends[edge] = one, other
        free, wanted = (
            next(color for color in range(colors) if color not in at.setdefault(node, {})) for node in (one, other)
        )
        if free != wanted:
            _swap_colors(at, ends, other, (free, wanted))
        at[one][free] = at[other][free] = edge
    return {edge: color for node, around in at.items() if node[0] == 0 for color, edge in around.items()}


def _swap_colors(
    at: dict[Node, dict[int, Edge]], ends: Mapping[Edge, tuple[Node, Node]], start: Node, colors: tuple[int, int]
) -> None:
    """Free the first colour at a node: along the path of both colours that starts there, each becomes the other."""
    path, node, color = list[tuple[Edge, int]](), start, colors[0]
    while color in at[node]:
        edge = at[node][color]
        path.append((edge, color))
        node = ends[edge][ends[edge][0] == node]
        color = sum(colors) - color
    for edge, color in path:
        for end in ends[edge]:
            if at[end].get(color) == edge:
                del at[end][color]
    for edge, color in path:
        for end in ends[edge]:
            at[end][sum(colors) - color] = edge


def deal_by_card(deck: Deck, parts: int) -> Deck:
    """Deal so many parts of about the same size: every card of a part shows the same face of all its symbols.

    Symbols are spread evenly over the parts: cards change parts two by two as long as that spreads them better.
    """
    part_of = [number % parts for number in range(len(deck.cards))]
    seen = [Counter[int]() for _ in range(parts)]
    for card, part in zip(deck.cards, part_of, strict=True):
        seen[part].update(card.symbols)
    for _ in range(MOST_ROUNDS):
        if not _swap_cards(deck.cards, part_of, seen):
            break
    cards = [
        replace(card, faces=(part,) * len(card.symbols), part=part)
        for card, part in zip(deck.cards, part_of, strict=True)
    ]
    return replace(deck, cards=tuple(cards))


def _swap_cards(cards: Sequence[Card], part_of: list[int], seen: list[Counter[int]]) -> bool:
    """Swap every two cards that do better in each other's part; return whether there were any."""
    swapped = False
    for (i, one), (j, other) in combinations(enumerate(cards), 2):
        p, q = part_of[i], part_of[j]
        if p != q and _measure_swap(one, other, seen[p], seen[q]) < 0:
            part_of[i], part_of[j] = q, p
            for part, comes, goes in ((seen[p], other, one), (seen[q], one, other)):
                part.update(comes.symbols)
                part.subtract(goes.symbols)
            swapped = True
    return swapped


def _measure_swap(one: Card, other: Card, here: Counter[int], there: Counter[int]) -> int:
    """Return by how much the rarity of all symbols changes; the symbol that both cards have stays where it is.

    Squares of counts would tell nothing: every two cards of a part share a symbol, so their sum is always the same.
    """
    moving, coming = set(one.symbols) - set(other.symbols), set(other.symbols) - set(one.symbols)
    changes = [(here[symbol], -1, there[symbol]) for symbol in moving]
    changes += [(here[symbol], 1, there[symbol]) for symbol in coming]
    return sum(RARITY[a + step] - RARITY[a] + RARITY[b - step] - RARITY[b] for a, step, b in changes)


def measure_crossing(deck: Deck, counts: Sequence[int]) -> Crossing:
    """Return how many of all pairs of cards cross."""
    shown: dict[int, Counter[int]] = {}
    for card in deck.cards:
        for symbol, face in zip(card.symbols, card.faces, strict=True):
            shown.setdefault(symbol, Counter())[face] += 1
    pairs = sum(comb(faces.total(), 2) for faces in shown.values())
    alike = sum(comb(times, 2) for faces in shown.values() for times in faces.values())
    most = sum(count_crossings(faces.total(), counts[symbol]) for symbol, faces in shown.items())
    return Crossing(pairs, pairs - alike, most)


def measure_parts(deck: Deck) -> Crossing:
    """Do the same for a deck in parts, where only cards of different parts are matched: every pair crosses."""
    sizes = Counter(card.part for card in deck.cards)
    across = comb(sizes.total(), 2) - sum(comb(size, 2) for size in sizes.values())
    return Crossing(across, across, across)


def count_crossings(times: int, faces: int) -> int:
    """Return the most pairs that can differ among so many cards that show one symbol with so many faces."""
    evenly = [(times + face) // faces for face in range(faces)]
    return comb(times, 2) - sum(comb(size, 2) for size in evenly)
