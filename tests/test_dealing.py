from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from dobble_print.build import print_deck
from dobble_print.dealing import assign_owners, deal_theme, explain_theme
from dobble_print.deck.design import Deck
from dobble_print.errors import DeckError
from dobble_print.theme.model import Theme
from dobble_print.theme.reader import read_theme
from tests.paper import read_cards, render_rgb

EMOJI = "⚓🐱🐶🍎🍌🚗🚀🌙☂🎸🔑✂🐘🦒🦓🐧🐬🦋🐞🐢🐍🦀🦉🍓🍒🍕🍦🎂🥕🧀🍄"
TEAMS = """\
languages: [en]
teams: {cards_each: 5, start_rim: black, colors: [{color: red, en: red}, {color: blue, en: blue}]}
"""


def theme_of(folder: Path, text: str, symbols: int) -> Theme:
    """A theme with that many emoji."""
    path = folder / "box.yaml"
    path.write_text(text + f"layout: {{quality: draft}}\nsymbols: [{', '.join(EMOJI[:symbols])}]\n", encoding="utf-8")
    return read_theme(path)


def test_teams_get_blocks_of_cards_and_the_rest_start_rounds(tmp_path: Path) -> None:
    """Two teams of five and three start cards out of thirteen."""
    theme = theme_of(tmp_path, TEAMS, 13)
    owners = assign_owners(theme, deal_theme(theme))
    assert Counter(owner.rim_color for owner in owners.values()) == {"#ff0000": 5, "#0000ff": 5, "#000000": 3}


def test_every_team_has_a_deck_of_the_same_structure(tmp_path: Path) -> None:
    """Blocks are translates of each other: each team sees every symbol as often as the other in some order."""
    theme = theme_of(tmp_path, TEAMS, 13)
    (deck,) = deal_theme(theme)
    halves = [[card.symbols for card in deck.cards[start : start + 5]] for start in (0, 5)]
    counts = [sorted(Counter(s for card in half for s in card).values()) for half in halves]
    assert counts[0] == counts[1]


def test_too_many_team_cards_are_refused(tmp_path: Path) -> None:
    """There must be a start card left; the message says how many cards a team can have."""
    theme = theme_of(tmp_path, TEAMS.replace("5", "7"), 13)
    with pytest.raises(
        DeckError, match=r"2 teams of 7 cards and a start card need 15 cards; this deck has 13\..* 6 or less"
    ):
        deal_theme(theme)


def test_an_impossible_deck_is_a_fault_with_its_line(tmp_path: Path) -> None:
    """The number that makes no plane is pointed at."""
    theme = theme_of(tmp_path, "title: Seven\ndeck:\n  symbols_per_card: 7\n", 13)
    with pytest.raises(DeckError, match=r"box\.yaml:3:21: 7 a card has no full deck"):
        deal_theme(theme)


def shares_one(deck: Deck) -> bool:
    """Whether every two cards share exactly one symbol."""
    return all(len(set(a.symbols) & set(b.symbols)) == 1 for a, b in combinations(deck.cards, 2))


def test_levels_are_decks_of_their_own_numbered_through(tmp_path: Path) -> None:
    """4, 5 and 6 a card: 13, 21 and 31 cards, each level valid by itself."""
    theme = theme_of(tmp_path, "deck: {levels: [4, 5, 6]}\n", 31)
    decks = deal_theme(theme)
    assert [len(deck.cards) for deck in decks] == [13, 21, 31]
    assert all(map(shares_one, decks))
    assert [card.number for deck in decks for card in deck.cards] == list(range(1, 66))
    levels = "level 1: 13 cards of 4, level 2: 21 cards of 5, level 3: 31 cards of 6"
    assert explain_theme(theme) == f"31 symbols: {levels}; one fewer would give 13, 21 and 25 cards."


def test_levels_are_marked_on_the_cards(tmp_path: Path) -> None:
    """The rim's colour tells the level on paper, and dots at the top count it."""
    theme = theme_of(tmp_path, "deck: {levels: [3, 4]}\ncard: {rim_width: 3}\n", 13)
    (tmp_path / "cards.pdf").write_bytes(print_deck(theme).files["cards.pdf"])
    cards = {card.number: card for card in read_cards(tmp_path / "cards.pdf")}
    for number, rim, dots in ((1, (0x00, 0x72, 0xB2), 1), (8, (0xD5, 0x5E, 0x00), 2)):
        page = render_rgb(tmp_path / "cards.pdf", cards[number].page, 300)
        x, y = cards[number].centre
        row = page[round((297 - y - 41) / 25.4 * 300), round((x - 8) / 25.4 * 300) : round((x + 8) / 25.4 * 300)]
        assert tuple(row[0]) == rim
        white = (row > 200).all(axis=1).astype(int)
        assert (white[1:] > white[:-1]).sum() == dots
