"""Dealing: the decks a theme asks for, who gets which card, and the arithmetic in words.

Invariant: cards are numbered through over all decks of a box; within each deck every two cards share one symbol.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dobble_print.deck.design import (
    FEWEST_CARDS,
    Deck,
    card_count,
    explain_deck,
    full_size,
    make_deck,
    make_levels,
    show_cards,
)
from dobble_print.deck.faces import Crossing, deal_by_card, deal_by_slot, measure_crossing, measure_parts
from dobble_print.errors import DeckError, Fault
from dobble_print.messages import list_words
from dobble_print.theme.filling import explain_unfilled
from dobble_print.theme.model import Symbol, Theme
from dobble_print.theme.options import TeamOptions

# Okabe and Ito's colours: players who confuse red and green still tell the levels apart; dots count them besides.
LEVEL_RIMS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


@dataclass(frozen=True)
class Owner:
    """What tells a card from others of its box: the colour of its rim and, for its level or part, how many dots."""

    rim_color: str
    dots: int = 0


def deal_theme(theme: Theme) -> tuple[Deck, ...]:
    """Return the theme's one deck, or a deck for each of its levels."""
    options, count = theme.deck, len(theme.symbols)
    ranks = [-1 if symbol.keep else int(symbol.filled) for symbol in theme.symbols]  # what the lexicon added goes first
    with DeckError.placed(theme.place_of("deck.levels", "deck.symbols_per_card", "deck.cards", "symbols")):
        if options.levels:
            return tuple(_deal_faces(theme, deck) for deck in make_levels(count, options.levels, options.seed, ranks))
        deck = make_deck(count, options.symbols_per_card, options.cards, options.seed, ranks=ranks)
    with DeckError.placed(theme.place_of("teams.cards_each", "teams")):
        if theme.teams:
            _refuse_small(deck, theme.teams)
    return (_deal_faces(theme, deck),)


def _deal_faces(theme: Theme, deck: Deck) -> Deck:
    """Return the deck with the face that each card shows of each symbol."""
    if theme.faces_by == "card":
        return deal_by_card(deck, max(theme.face_counts))
    return deal_by_slot(deck, theme.face_counts)


def measure_faces(theme: Theme, decks: Sequence[Deck]) -> Crossing | None:
    """Return how many pairs of cards show their common symbol with different faces; None where there is one face."""
    if max(theme.face_counts, default=1) == 1:
        return None
    by_card = theme.faces_by == "card"
    found = [measure_parts(deck) if by_card else measure_crossing(deck, theme.face_counts) for deck in decks]
    return Crossing(*(sum(getattr(one, name) for one in found) for name in ("pairs", "crossing", "most")))


def explain_faces(theme: Theme, decks: Sequence[Deck]) -> str:
    """Return how often a match crosses faces, in words; nothing where symbols have one face."""
    found = measure_faces(theme, decks)
    if found is None:
        return ""
    if theme.faces_by == "card":
        sizes = Counter(card.part for deck in decks for card in deck.cards)
        parts = list_words((str(size) for _, size in sorted(sizes.items())), "and")
        return f"{len(sizes)} parts of {parts} cards: every match across them shows two different faces."
    assert found.is_best  # as any deck dealt evenly is
    share = f"{show_percent(found.share)} of all pairs of cards"
    return f"{share} show their common symbol with different faces, the most possible."


def show_percent(share: Fraction) -> str:
    """Return `57.1 %`, rounded half up."""
    tenths = int(share * 1000 + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10} %"


def assign_owners(theme: Theme, decks: tuple[Deck, ...]) -> dict[int, Owner]:
    """Return the owner of every card by its number: a team, the start of a round, a level, or simply the theme."""
    cards = [(level, card) for level, deck in enumerate(decks) for card in deck.cards]
    if theme.deck.levels or theme.faces_by == "card":
        groups = {card.number: level if theme.deck.levels else card.part for level, card in cards}
        return {number: Owner(LEVEL_RIMS[i % len(LEVEL_RIMS)], i + 1) for number, i in groups.items()}
    if theme.teams:
        return {card.number: Owner(_team_rim(theme.teams, i)) for i, (_, card) in enumerate(cards)}
    return {card.number: Owner(theme.card.rim_color) for _, card in cards}


def _team_rim(options: TeamOptions, index: int) -> str:
    """Deal card after card in blocks: each block is a deck of the same structure, so no team has the better cards."""
    team = index // options.cards_each
    return options.teams[team].color if team < len(options.teams) else options.start_rim


def _refuse_small(deck: Deck, options: TeamOptions) -> None:
    needed = len(options.teams) * options.cards_each
    if needed >= len(deck.cards):
        most = (len(deck.cards) - 1) // len(options.teams)
        what = f"{len(options.teams)} teams of {options.cards_each} cards and a start card need {needed + 1} cards"
        raise DeckError(Fault(f"{what}; this deck has {len(deck.cards)}", f"Use cards_each: {most} or less."))


def explain_theme(theme: Theme) -> str:
    """Return what the theme's symbols give, in words, and what fewer or more of them would give."""
    options, count = theme.deck, len(theme.symbols)
    if not options.levels:
        return explain_deck(count, options.symbols_per_card, options.cards)
    decks = deal_theme(theme)
    parts = [
        f"level {i}: {show_cards(len(deck.cards), deck.symbols_per_card)}" for i, deck in enumerate(decks, start=1)
    ]
    return f"{count} symbols: {', '.join(parts)}{_explain_levels(count, options.levels)}."


def _explain_levels(count: int, levels: Sequence[int]) -> str:
    """Return what one symbol fewer would leave of the levels, and how many more would fill them all."""
    fewer = [card_count(count - 1, k) for k in levels]
    words = ""
    if min(fewer) >= FEWEST_CARDS:
        same = fewer == [card_count(count, k) for k in levels]
        words = f"; one fewer would give {'the same' if same else list_words(map(str, fewer), 'and') + ' cards'}"
    missing = full_size(max(levels)) - count
    if missing > 0:
        words += f"; {'one' if missing == 1 else missing} more would fill all levels"
    return words


def explain_fill(theme: Theme) -> str:
    """Return which symbols the lexicon added, in words; nothing where it added none."""
    filled = [_name_first(symbol) for symbol in theme.symbols if symbol.filled]
    return f"Filled up with {list_words(filled, 'and')}." if filled else ""


def find_unfilled(theme: Theme) -> tuple[Fault, ...]:
    """Return why the lexicon did not complete a deck that asks for it."""
    if not theme.fill or any(symbol.filled for symbol in theme.symbols):
        return ()
    per_card = max(theme.deck.levels) if theme.deck.levels else theme.deck.symbols_per_card
    return explain_unfilled(theme.symbols, theme.fill, per_card, theme.place_of("fill"))


def _name_first(symbol: Symbol) -> str:
    return next(iter(symbol.names.values()), symbol.id)


def find_unused(theme: Theme, decks: Sequence[Deck]) -> tuple[Fault, ...]:
    """Return a warning that names the symbols no card shows."""
    unused = [theme.symbols[i] for i in sorted(set.intersection(*(set(deck.unused) for deck in decks)))]
    if not unused:
        return ()
    names = ", ".join(map(_name_first, unused))
    are = "1 symbol is" if len(unused) == 1 else f"{len(unused)} symbols are"
    return (Fault(f"{are} on no card: {names}", explain_theme(theme), unused[0].place),)
