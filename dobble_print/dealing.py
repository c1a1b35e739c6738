"""Dealing: the decks a theme asks for, who gets which card, and the arithmetic in words.

Invariant: cards are numbered through over all decks of a box; within each deck every two cards share one symbol.
"""

from __future__ import annotations

from dataclasses import dataclass

from dobble_print.deck import Deck, explain_deck, make_deck, make_levels
from dobble_print.errors import DeckError, Fault
from dobble_print.theme.model import TeamOptions, Theme

# Okabe and Ito's colours: players who confuse red and green still tell the levels apart; dots count them besides.
LEVEL_RIMS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


@dataclass(frozen=True)
class Owner:
    """What tells a card from others of its box: the colour of its rim and, in a box of levels, how many dots."""

    rim_color: str
    dots: int = 0


def deal_theme(theme: Theme) -> tuple[Deck, ...]:
    """The theme's one deck, or a deck for each of its levels."""
    options, count = theme.deck, len(theme.symbols)
    with DeckError.placed(theme.place_of("deck.levels", "deck.symbols_per_card", "deck.cards", "symbols")):
        if options.levels:
            return make_levels(count, options.levels, options.seed)
        deck = make_deck(count, options.symbols_per_card, options.cards, options.seed)
    with DeckError.placed(theme.place_of("teams.cards_each", "teams")):
        if theme.teams:
            _refuse_small(deck, theme.teams)
    return (deck,)


def assign_owners(theme: Theme, decks: tuple[Deck, ...]) -> dict[int, Owner]:
    """The owner of every card by its number: a team, the start of a round, a level, or simply the theme."""
    if theme.deck.levels:
        return {
            card.number: Owner(LEVEL_RIMS[level % len(LEVEL_RIMS)], level + 1)
            for level, deck in enumerate(decks)
            for card in deck.cards
        }
    cards = [card.number for deck in decks for card in deck.cards]
    if theme.teams:
        return {number: Owner(_team_rim(theme.teams, i)) for i, number in enumerate(cards)}
    return {number: Owner(theme.card.rim_color) for number in cards}


def _team_rim(options: TeamOptions, index: int) -> str:
    """Card after card in blocks: each block is a deck of the same structure, so no team has the better cards."""
    team = index // options.cards_each
    return options.teams[team].color if team < len(options.teams) else options.start_rim


def _refuse_small(deck: Deck, options: TeamOptions) -> None:
    needed = len(options.teams) * options.cards_each
    if needed >= len(deck.cards):
        most = (len(deck.cards) - 1) // len(options.teams)
        what = f"{len(options.teams)} teams of {options.cards_each} cards and a start card need {needed + 1} cards"
        raise DeckError(Fault(f"{what}; this deck has {len(deck.cards)}", f"Use cards_each: {most} or less."))


def explain_theme(theme: Theme) -> str:
    """What the theme's symbols give, in words."""
    options, count = theme.deck, len(theme.symbols)
    if not options.levels:
        return explain_deck(count, options.symbols_per_card, options.cards)
    decks = deal_theme(theme)
    parts = [f"level {i}: {len(deck.cards)} cards of {deck.symbols_per_card}" for i, deck in enumerate(decks, start=1)]
    return f"{count} symbols: {', '.join(parts)}."
