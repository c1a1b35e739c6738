"""The themes that ship: each is clean, builds without a warning, and is what the shelf promises."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from dobble_print.build import build_product
from dobble_print.check import check_theme
from dobble_print.dealing import assign_owners, deal_theme
from dobble_print.theme.reader import read_theme
from dobble_print.theme.resources import shipped_themes

THEMES = sorted(shipped_themes())


@pytest.mark.parametrize("name", THEMES)
def test_every_theme_is_clean_and_has_a_purpose(name: str) -> None:
    """No fault, no warning, one line for `list themes`."""
    verdict = check_theme(shipped_themes()[name])
    assert verdict.faults == []
    assert verdict.warnings == ()
    assert verdict.theme.purpose
    assert "\n" not in verdict.theme.purpose


@pytest.mark.parametrize("name", THEMES)
def test_every_theme_builds_without_a_warning(name: str) -> None:
    """From the shelf to the sheets."""
    theme = read_theme(shipped_themes()[name])
    product = build_product(replace(theme, layout=replace(theme.layout, quality="draft")))
    assert product.warnings == ()
    assert product.files["cards.pdf"].startswith(b"%PDF")


@pytest.mark.parametrize(
    ("name", "shape", "symbols", "cards", "per_card"),
    [
        ("classic", "round", 57, [55], [8]),
        ("kids", "round", 31, [30], [6]),
        ("connect", "hex", 91, [90], [10]),
        ("connect-fr", "hex", 91, [90], [10]),
        ("access", "round", 31, [13, 21, 31], [4, 5, 6]),
    ],
)
def test_decks_are_what_the_shelf_promises(
    name: str, shape: str, symbols: int, cards: list[int], per_card: list[int]
) -> None:
    """Shape, symbols, cards and symbols a card."""
    theme = read_theme(shipped_themes()[name])
    decks = deal_theme(theme)
    assert (theme.card.shape, len(theme.symbols)) == (shape, symbols)
    assert [len(deck.cards) for deck in decks] == cards
    assert [deck.symbols_per_card for deck in decks] == per_card


@pytest.mark.parametrize("name", ["connect", "connect-fr"])
def test_team_decks_have_four_colours_of_twenty_and_ten_black_starts(name: str) -> None:
    """As the game of four in a line needs them."""
    theme = read_theme(shipped_themes()[name])
    rims = Counter(owner.rim_color for owner in assign_owners(theme, deal_theme(theme)).values())
    assert sorted(rims.values()) == [10, 20, 20, 20, 20]
    assert rims["#000000"] == 10


def test_the_two_team_decks_show_different_symbols() -> None:
    """Someone who owns both sees new pictures."""
    one, other = (read_theme(shipped_themes()[name]) for name in ("connect", "connect-fr"))
    assert not {symbol.id for symbol in one.symbols} & {symbol.id for symbol in other.symbols}


def test_letters_that_look_alike_are_not_in_one_deck() -> None:
    """E and F, C and G, O and Q, P and R, U and V never meet; every letter stands upright."""
    theme = read_theme(shipped_themes()["alphabet"])
    letters = {symbol.id.upper() for symbol in theme.symbols}
    assert all(len(letters & set(pair)) <= 1 for pair in ("EF", "CG", "OQ", "PR", "UV"))
    assert {symbol.rotation for symbol in theme.symbols} == {"upright"}


def test_the_village_has_two_intruders_with_a_rule() -> None:
    """Both are symbols of the deck."""
    theme = read_theme(shipped_themes()["village"])
    assert [special.symbol for special in theme.specials] == ["fox", "wolf"]


def test_football_is_german_with_a_footnote_credits_and_a_licence() -> None:
    """And its clubs are badges in two colours."""
    theme = read_theme(shipped_themes()["football"])
    assert theme.languages == ("de",)
    assert theme.notes_in(theme.footnotes, "de")
    assert theme.notes_in(theme.credits, "de")
    assert theme.notes_in(theme.license, "de")
    assert sum(len(getattr(symbol.source, "badge", ())) == 2 for symbol in theme.symbols) == 12


def test_ten_lines_give_a_deck_in_eight_languages(tmp_path: Path) -> None:
    """Thirty-one plain English words are a full deck with names in every language of the lexicon."""
    words = """
        cat, dog, sun, moon, star, tree, fish, bird, car, bus, house, key, book, pencil, apple, pear, banana, carrot,
        cheese, egg, clock, chair, bed, drum, guitar, football, kite, balloon, crown, rocket, anchor"""
    (tmp_path / "ten.yaml").write_text(f"title: Ten lines\nsymbols: [{words}]\n", encoding="utf-8")
    theme = read_theme(tmp_path / "ten.yaml")
    (deck,) = deal_theme(theme)
    assert (len(deck.cards), deck.symbols_per_card) == (31, 6)
    assert theme.languages == ("en", "nl", "fr", "de", "es", "it", "pt", "pl")
    assert all(symbol.names[code] for symbol in theme.symbols for code in theme.languages)
