"""Decks: which symbols lie on which card. Pure mathematics, no dependency.

Invariant: every two cards of a deck share exactly one symbol, and never in the same slot on both.

The cards are the translates of a perfect difference set D modulo n = q² + q + 1: card i, slot j shows symbol
(i + D[j]) mod n. Because every non-zero difference occurs exactly once in D, two cards meet exactly once; because a
difference within one slot is zero, they never meet in the same slot. So a slot may decide a symbol's size, and a match
differs in size.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dobble_print.errors import DeckError, Fault
from dobble_print.units import show_count

DIFFERENCE_SETS: dict[int, tuple[int, ...]] = {
    2: (0, 1),
    3: (0, 1, 3),
    4: (0, 1, 3, 9),
    5: (0, 1, 4, 14, 16),
    6: (0, 1, 3, 8, 12, 18),
    8: (0, 1, 3, 13, 32, 36, 43, 52),
    9: (0, 1, 3, 7, 15, 31, 36, 54, 63),
    10: (0, 1, 3, 9, 27, 49, 56, 61, 77, 81),
    12: (0, 1, 3, 12, 20, 34, 38, 81, 88, 94, 104, 109),
    14: (0, 1, 3, 16, 23, 28, 42, 76, 82, 86, 119, 137, 154, 175),
}
FEWEST_CARDS = 4  # fewer are no game
MOST_MISSING = 3  # further from a full deck, the next smaller order has more cards
Slots = tuple[int, ...]


@dataclass(frozen=True)
class Card:
    """A card's number (from 1, as printed), its symbols in slot order, and which face of each it shows.

    `part` counts the parts of a deck whose cards are told apart by the faces that they show.
    """

    number: int
    symbols: Slots
    faces: Slots = ()
    part: int = 0

    def __post_init__(self) -> None:
        if not self.faces:
            object.__setattr__(self, "faces", (0,) * len(self.symbols))


@dataclass(frozen=True)
class Deck:
    """The cards, and which of the theme's symbols found no place on any of them."""

    symbols_per_card: int
    cards: tuple[Card, ...]
    unused: tuple[int, ...]


def full_size(symbols_per_card: int) -> int:
    """Return how many symbols, and as many cards, a full deck has."""
    return symbols_per_card * (symbols_per_card - 1) + 1


def full_deck(symbols_per_card: int) -> list[Slots]:
    """Return every card of the full deck."""
    differences, n = DIFFERENCE_SETS[symbols_per_card], full_size(symbols_per_card)
    return [tuple((i + d) % n for d in differences) for i in range(n)]


def card_count(symbols: int, symbols_per_card: int) -> int:
    """Return how many cards so many symbols give at so many a card; zero when they are too few."""
    missing = max(0, full_size(symbols_per_card) - symbols)
    if missing > symbols_per_card:
        return 0
    return full_size(symbols_per_card) - missing * symbols_per_card + missing * (missing - 1) // 2


def choose_symbols_per_card(symbols: int) -> int:
    """Return the number of symbols a card that gives the most cards; the smaller one on a tie."""
    if symbols < full_size(2):
        raise DeckError(Fault(f"{show_count(symbols, 'symbol')} cannot make a deck", "Start with 7 or 13 symbols."))
    near = [k for k in DIFFERENCE_SETS if full_size(k) - symbols <= MOST_MISSING]
    return max(near, key=lambda k: (card_count(symbols, k), -k))


def make_deck(
    symbols: int,
    symbols_per_card: int | None = None,
    cards: int | None = None,
    seed: int = 1,
    first_number: int = 1,
    ranks: Sequence[int] = (),
) -> Deck:
    """Return a deck of as many cards as these symbols allow, or of `cards`; the seed shuffles who takes which place.

    `ranks` says of each symbol how soon it may be left out where not all have room: the highest go first.
    """
    k = symbols_per_card or choose_symbols_per_card(symbols)
    _refuse_impossible(symbols, k, cards)
    dealt = _drop_symbols(k, max(0, full_size(k) - symbols))
    dealt = _choose_cards(dealt, k, len(dealt) if cards is None else cards)
    places = sorted(set().union(*dealt))
    order = list(ranks) or [0] * symbols
    takers = sorted(sorted(range(symbols), key=lambda symbol: order[symbol])[: full_size(k)])
    random.Random(f"deck {seed}").shuffle(takers)
    staying = set(sorted(takers, key=lambda symbol: order[symbol])[: len(places)])
    takers = [symbol for symbol in takers if symbol in staying]
    taker = dict(zip(places, takers, strict=False))
    return Deck(
        symbols_per_card=k,
        cards=tuple(Card(i, tuple(taker[place] for place in card)) for i, card in enumerate(dealt, first_number)),
        unused=tuple(sorted(set(range(symbols)) - set(taker.values()))),
    )


def _drop_symbols(symbols_per_card: int, missing: int) -> list[Slots]:
    """Leave out symbols -D[0], -D[1], … and their cards: no three of them share a card, so fewest cards go."""
    n = full_size(symbols_per_card)
    gone = {-d % n for d in DIFFERENCE_SETS[symbols_per_card][:missing]}
    return [card for card in full_deck(symbols_per_card) if not gone.intersection(card)]


def _choose_cards(dealt: list[Slots], symbols_per_card: int, keep: int) -> list[Slots]:
    """Keep so many cards, every symbol about as common as the others.

    Dropping cards one by one is best for large decks, picking them one by one for small ones; the flatter deck wins.
    """
    dropped = _drop_cards(dealt, symbols_per_card, keep)
    if keep >= len(dealt) - symbols_per_card:
        return dropped
    return min(dropped, _pick_cards(dealt, keep), key=_unevenness)


def _unevenness(cards: list[Slots]) -> tuple[int, list[int]]:
    """Return how far the most common symbol is from the rarest, then how often symbols occur, the most common first."""
    counts = sorted(Counter(symbol for card in cards for symbol in card).values(), reverse=True)
    return counts[0] - counts[-1], counts


def _pick_cards(dealt: list[Slots], keep: int) -> list[Slots]:
    """Pick the card whose symbols are rarest so far, again and again."""
    common: Counter[int] = Counter()
    left, picked = list(dealt), []
    for _ in range(keep):
        card = min(left, key=lambda card: sorted((common[s] for s in card), reverse=True))
        left.remove(card)
        picked.append(card)
        common.update(card)
    return [card for card in dealt if card in picked]


def _drop_cards(dealt: list[Slots], symbols_per_card: int, keep: int) -> list[Slots]:
    """Drop cards so that every symbol stays as common as the others.

    A full deck first loses cards D[0], D[1], … (each new one meets the dropped ones in different symbols); after that,
    and in a partial deck, the card whose symbols are the most common ones goes.
    """
    full = len(dealt) == full_size(symbols_per_card)
    first = [dealt[d] for d in DIFFERENCE_SETS[symbols_per_card]] if full else []
    kept = list(dealt)
    common = Counter(symbol for card in kept for symbol in card)
    while len(kept) > keep:
        out = first.pop(0) if first else max(kept, key=lambda card: sorted(common[s] for s in card))
        kept.remove(out)
        common.subtract(out)
    return kept


def _refuse_impossible(symbols: int, k: int, cards: int | None) -> None:
    if k not in DIFFERENCE_SETS:
        near = [*[i for i in DIFFERENCE_SETS if i < k][-1:], *[i for i in DIFFERENCE_SETS if i > k][:1]]
        hint = ", ".join(f"{other} gives {full_size(other)} cards" for other in near)
        raise DeckError(Fault(f"{k} a card has no full deck", f"{hint}."))
    possible = card_count(symbols, k)
    if possible < 2:
        least = min(v for v in range(1, full_size(k) + 1) if card_count(v, k) >= 2)
        best = choose_symbols_per_card(symbols)
        what = f"{symbols} symbols are too few for {k} a card, which needs at least {least}"
        hint = f"Add symbols, or use symbols_per_card: {best} ({show_count(card_count(symbols, best), 'card')})."
        raise DeckError(Fault(what, hint))
    if cards is not None and not 2 <= cards <= possible:
        what = f"{symbols} symbols at {k} a card give 2 to {possible} cards, not {cards}"
        raise DeckError(Fault(what, explain_deck(symbols)))


def make_levels(symbols: int, levels: Sequence[int], seed: int = 1, ranks: Sequence[int] = ()) -> tuple[Deck, ...]:
    """Return several decks in one box, each with so many symbols a card, the cards numbered through."""
    decks: list[Deck] = []
    for k in levels:
        decks.append(make_deck(symbols, k, None, seed, 1 + sum(len(deck.cards) for deck in decks), ranks))
    return tuple(decks)


def explain_deck(symbols: int, symbols_per_card: int | None = None, cards: int | None = None) -> str:
    """Explain the deck arithmetic: what these symbols give, what is left over, what fewer or more would give."""
    k = symbols_per_card or choose_symbols_per_card(symbols)
    possible = card_count(symbols, k)
    shown = show_cards(possible, k) if cards is None else f"{cards} of {possible} cards of {k}"
    left = symbols - full_size(k)
    words = f"{show_count(symbols, 'symbol')}: {shown}"
    if left > 0:
        words += f" now, {show_count(left, 'symbol')} unused"
    elif left == 0 and cards is None:
        words += ", a full deck"
    steps = (_explain_step(symbols, -1, symbols_per_card), _explain_more(symbols, symbols_per_card))
    return f"{words}{''.join(steps)}."


def show_cards(cards: int, symbols_per_card: int) -> str:
    """Return `57 cards of 8`."""
    return f"{show_count(cards, 'card')} of {symbols_per_card}"


def _explain_step(symbols: int, step: int, symbols_per_card: int | None) -> str:
    """Return what one symbol fewer or more would give; nothing where that is no deck to play with."""
    now, then = (_best_deck(symbols + change, symbols_per_card) for change in (0, step))
    if then[0] < FEWEST_CARDS:
        return ""
    number = "one fewer" if step < 0 else "one more"
    return f"; {number} would give {'the same' if now == then else show_cards(*then)}"


def _best_deck(symbols: int, symbols_per_card: int | None) -> tuple[int, int]:
    """Return how many cards so many symbols give, and how many are on each."""
    if symbols < full_size(2):
        return 0, 2
    k = symbols_per_card or choose_symbols_per_card(symbols)
    return card_count(symbols, k), k


def _explain_more(symbols: int, symbols_per_card: int | None) -> str:
    """Return what one more would give, where that is another deck, and the next full deck there is."""
    now = _best_deck(symbols, symbols_per_card)
    larger = [k for k in DIFFERENCE_SETS if full_size(k) > max(symbols, now[0])]
    if not larger:
        return ""
    n = full_size(min(larger))
    changes = n - symbols > 1 and _best_deck(symbols + 1, symbols_per_card) != now
    one_more = _explain_step(symbols, 1, symbols_per_card) if changes else ""
    number = "one more" if n - symbols == 1 else f"{n - symbols} more"
    return f"{one_more}; {number} would give {show_cards(n, min(larger))}"
