"""Pairs: the heart of the game. Every two cards of a deck share exactly one symbol.

Invariant: where the file names neither decks nor faces, two cards that seem to share nothing prove nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np

from dobble_print.verify.decks import PrintedDeck
from dobble_print.verify.outlines import CutCard
from dobble_print.verify.printed import PrintedCard, PrintedPage
from dobble_print.verify.proof import Claim, Flaw, settle
from dobble_print.verify.symbols import Symbols

SAME_SIZE = 1.002  # by which cards of a deck may differ in size
LEAST_MM2 = 1.0  # of a symbol on paper; less is a dot
NO_DECKS = "the file does not say which cards belong together"
NO_FACES = "the file does not say which pictures are the same symbol"


def claim_cards(
    decks: Sequence[PrintedDeck], cut: Sequence[CutCard], symbols: Symbols, pages: Sequence[PrintedPage]
) -> Claim:
    """Every card of a deck shows as many different symbols, each of them is seen, and no card is there twice."""
    strays = {page.number: page.strays[0] for page in pages if page.strays}
    flaws = [Flaw(f"page {page}: {name} is drawn outside all cards", page) for page, name in strays.items()]
    flaws += [flaw for deck in decks for flaw in _doubt_cards(deck, symbols)]
    flaws += [flaw for each in cut for flaw in _doubt_sight(each, symbols)]
    flaws += list(_doubt_copies(decks, symbols))
    cards = sum(len(deck.cards) for deck in decks)
    names = {deck.name: deck for deck in decks}
    sizes = " + ".join(f"{len(deck.cards)} cards of {_usual_size(deck)}" for deck in names.values())
    copies = max(deck.copy for deck in decks)
    times = f", {copies} copies" if copies > 1 else ""
    used = {symbols.of(one) for deck in decks for card in deck.cards for one in card.placed}
    figures = {
        "cards": cards,
        "symbols": len(used),
        "decks": [
            {"deck": deck.name, "copy": deck.copy, "cards": len(deck.cards), "symbols_per_card": _usual_size(deck)}
            for deck in decks
        ],
    }
    doubt = "" if all(deck.sure for deck in decks) else NO_DECKS
    return settle("cards", flaws, f"{sizes}{times}, {len(used)} symbols; no card twice", figures, doubt)


def _usual_size(deck: PrintedDeck) -> int:
    return Counter(len(card.placed) for card in deck.cards).most_common(1)[0][0]


def _doubt_cards(deck: PrintedDeck, symbols: Symbols) -> Iterator[Flaw]:
    usual, scale = _usual_size(deck), median(card.scale for card in deck.cards)
    numbers = Counter(card.number for card in deck.cards)
    for card in deck.cards:
        shown = Counter(symbols.of(one) for one in card.placed)
        if len(card.placed) != usual:
            yield Flaw(f"card {card.number} has {len(card.placed)} symbols, the others {usual}", card.page)
        if not 1 / SAME_SIZE < card.scale / scale < SAME_SIZE:
            yield Flaw(f"card {card.number} is not as large as the others", card.page)
        if numbers[card.number] > 1:
            yield Flaw(f"card {card.number} is there {_times(numbers[card.number])}", card.page)
        for symbol in (symbol for symbol, count in shown.items() if count > 1):
            yield Flaw(f"card {card.number} shows {symbols.name(symbol)} {_times(shown[symbol])}", card.page)


def _doubt_sight(cut: CutCard, symbols: Symbols) -> Iterator[Flaw]:
    """A form that paints nothing, or that is squeezed to nothing, is drawn but never found."""
    for one, shape in zip(cut.card.placed, cut.shapes, strict=True):
        if not shape.area >= LEAST_MM2:
            yield Flaw(f"card {cut.card.number}: nothing is seen of {symbols.name(symbols.of(one))}", cut.card.page)


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def _doubt_copies(decks: Sequence[PrintedDeck], symbols: Symbols) -> Iterator[Flaw]:
    """All copies of a deck are the same cards."""
    first: dict[str, dict[int, frozenset[int]]] = {}
    for deck in decks:
        cards = {card.number: _shown(card, symbols) for card in deck.cards}
        model = first.setdefault(deck.name, cards)
        for number in sorted(model.keys() | cards.keys()):
            if model.get(number) != cards.get(number):
                yield Flaw(f"card {number} is not the same in every copy", deck.cards[0].page)


def _shown(card: PrintedCard, symbols: Symbols) -> frozenset[int]:
    return frozenset(symbols.of(one) for one in card.placed)


def claim_pairs(decks: Sequence[PrintedDeck], symbols: Symbols) -> Claim:
    """Every two cards of a deck share exactly one symbol."""
    flaws: list[Flaw] = []
    certain = False
    for deck in decks:
        for one, other, common in _find_odd_pairs(deck, symbols):
            certain = certain or (deck.sure and (symbols.marked or len(common) > 1))
            flaws.append(Flaw(_tell_pair(one, other, common, symbols), other.page))
    pairs = sum(len(deck.cards) * (len(deck.cards) - 1) // 2 for deck in decks)
    if not pairs:
        return Claim("pairs", "none", "no two cards of a deck to compare")
    cards = sum(len(deck.cards) for deck in decks)
    each = "" if len(decks) == 1 else f" in {len(decks)} decks"
    well = f"{pairs:,} pairs of {cards} cards{each} share exactly one symbol"
    doubt = "" if certain else NO_FACES if all(deck.sure for deck in decks) else NO_DECKS
    return settle("pairs", flaws, well, {"pairs": pairs, "odd": len(flaws)}, doubt)


def _find_odd_pairs(deck: PrintedDeck, symbols: Symbols) -> Iterator[tuple[PrintedCard, PrintedCard, list[int]]]:
    """Pairs that share nothing, or more than one symbol."""
    columns = {symbol: i for i, symbol in enumerate(dict.fromkeys(symbols.by_form.values()))}
    shows = np.zeros((len(deck.cards), len(columns)), np.int32)
    for row, card in enumerate(deck.cards):
        shows[row, [columns[symbol] for symbol in _shown(card, symbols)]] = 1
    common = shows @ shows.T
    for i, j in zip(*np.nonzero(np.triu(common != 1, 1)), strict=True):
        both = _shown(deck.cards[i], symbols) & _shown(deck.cards[j], symbols)
        yield deck.cards[i], deck.cards[j], sorted(both)


def _tell_pair(one: PrintedCard, other: PrintedCard, common: Sequence[int], symbols: Symbols) -> str:
    if not common:
        return f"cards {one.number} and {other.number} share no symbol"
    names = [symbols.name(symbol) for symbol in common]
    return f"cards {one.number} and {other.number} share {', '.join(names[:-1])} and {names[-1]}"
