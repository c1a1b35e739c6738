"""The themes that ship: each is clean, builds without a warning, and is what the shelf promises."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from dobble_print.build import print_deck, prove_box
from dobble_print.check import check_theme
from dobble_print.dealing import assign_owners, deal_theme, measure_faces, show_percent
from dobble_print.resources import shipped_themes
from dobble_print.rules.texts import read_rules
from dobble_print.theme.model import Captioned, Face, Text
from dobble_print.theme.reader import Overrides, read_theme

THEMES = sorted(shipped_themes())
EIGHT = ("en", "nl", "fr", "de", "es", "it", "pt", "pl")


@pytest.mark.parametrize("name", THEMES)
def test_every_theme_is_clean_and_has_a_purpose(name: str) -> None:
    """No fault, no warning, one line for `list themes`."""
    verdict = check_theme(shipped_themes()[name])
    assert verdict.faults == []
    assert verdict.warnings == ()
    assert verdict.theme.purpose
    assert not any("\n" in told for told in verdict.theme.purpose.values())


@pytest.mark.parametrize("code", EIGHT)
@pytest.mark.parametrize("name", THEMES)
def test_every_theme_speaks_all_eight_languages(name: str, code: str) -> None:
    """Whatever is printed with --lang is there in that language: no text stands in for one that is missing."""
    theme = read_theme(shipped_themes()[name], Overrides(languages=(code,)))
    assert theme.title[code] and theme.purpose[code]
    assert all(symbol.names[code] and symbol.full_names[code] for symbol in theme.symbols)
    assert all(special.rule[code] for special in theme.specials)
    assert all(team.names[code] for team in theme.teams.teams) if theme.teams else True
    notes = [block for block in (theme.credits, theme.footnotes, theme.license) if block]
    assert all(block[code] for block in notes)


@pytest.mark.parametrize("code", EIGHT)
def test_themes_call_games_and_colours_as_the_rules_do(code: str) -> None:
    """The game of four in a line, the game that the fox and the wolf come to, and colours beside "cards"."""
    rules = read_rules(code)
    connect, other, village = (
        read_theme(shipped_themes()[name], Overrides(languages=(code,)))
        for name in ("connect", "connect-fr", "village")
    )
    assert connect.title[code] == rules.find("line.title")
    assert rules.find("line.title").casefold() in other.title[code].casefold()
    assert all(f'"{rules.find("games.tower.title")}"' in special.rule[code] for special in village.specials)
    teams = [team for theme in (connect, other) if theme.teams for team in theme.teams.teams]
    assert len(teams) == 8 and {team.names[code] for team in teams} <= set(rules.find("colors"))


@pytest.mark.parametrize("name", THEMES)
def test_every_theme_builds_without_a_warning(name: str) -> None:
    """From the shelf to the sheets, which prove what they promise."""
    theme = read_theme(shipped_themes()[name])
    product = print_deck(replace(theme, layout=replace(theme.layout, quality="draft")))
    assert product.warnings == ()
    assert prove_box(product)["cards.pdf"].verdict == "proved"


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


def test_every_sum_has_one_result_and_no_result_has_two_sums() -> None:
    """What stands on the cards of the times tables is true."""
    theme = read_theme(shipped_themes()["times-tables"])
    shown = [[text_of(face) for face in symbol.faces] for symbol in theme.symbols]
    for product, result in shown:
        one, other = product.split(" × ")
        assert int(one) * int(other) == int(result)
    assert len({result for _, result in shown}) == 31


def test_all_looks_of_a_fraction_are_the_same_number() -> None:
    """One half is 0.5, 50% and 2/4; and no two symbols are the same number."""
    theme = read_theme(shipped_themes()["fractions"])
    values = [{read_number(text_of(face)) for face in symbol.faces} for symbol in theme.symbols]
    assert all(len(value) == 1 for value in values)
    assert len(set.union(*values)) == len(theme.symbols) == 21


def text_of(face: Face) -> str:
    """What a text face says."""
    assert isinstance(face.source, Text)
    return face.source.text


def read_number(text: str) -> Fraction:
    """`12.5%`, `0.125` or `1/8`."""
    return Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)


@pytest.mark.parametrize(
    ("name", "faces", "share"),
    [
        ("times-tables", 2, "60.0 %"),
        ("fractions", 4, "90.0 %"),
        ("animals-nl-fr", 2, "60.0 %"),
        ("picture-word-de", 2, "60.0 %"),
    ],
)
def test_decks_with_several_faces_cross_as_often_as_can_be(name: str, faces: int, share: str) -> None:
    """The share is the proven best."""
    theme = read_theme(shipped_themes()[name])
    found = measure_faces(theme, deal_theme(theme))
    assert set(theme.face_counts) == {faces}
    assert found is not None
    assert found.is_best
    assert show_percent(found.share) == share


def test_the_class_shows_every_name_below_its_portrait() -> None:
    """Twenty-one of them, and each is another one."""
    theme = read_theme(shipped_themes()["class-photos"])
    captions = [symbol.faces[0].source for symbol in theme.symbols]
    assert len({source.caption.text for source in captions if isinstance(source, Captioned)}) == 21


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
