"""Plural forms: the table is CLDR's, and texts choose by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.resources import find_template
from dobble_print.words.languages import languages
from dobble_print.words.plurals import TABLE, choose_form, fill_in, find_category, list_categories, list_places
from tools.plural_rules import find_rule, write_table

LARGE = (201, 211, 1000, 1001, 1012, 9999, 10_000, 100_021, 999_999, 1_000_000, 2_000_000, 1_000_003)


def test_the_table_is_made_of_cldr() -> None:
    """Whoever edits it by hand, or takes a newer CLDR, hears of it."""
    found = Path(find_template(TABLE)).read_text(encoding="utf-8")
    assert found == write_table(), f"templates/{TABLE} is old: run python -m tools.plural_rules"


@pytest.mark.parametrize("language", languages())
def test_every_number_has_the_category_that_cldr_gives_it(language: str) -> None:
    """Small numbers one by one, and some large ones."""
    rule = find_rule(language)
    assert rule
    numbers = (*range(201), *LARGE)
    assert [find_category(number, language) for number in numbers] == [rule(number) for number in numbers]


@pytest.mark.parametrize(
    ("language", "categories"),
    [
        ("en", ("one", "other")),
        ("fr", ("one", "other")),  # its third category begins at a million
        ("pl", ("one", "few", "many")),
        ("pt-BR", ("one", "other")),
        ("ja", ("other",)),
        ("tlh", ("one", "other")),
    ],
)
def test_a_text_needs_the_forms_that_games_count_to(language: str, categories: tuple[str, ...]) -> None:
    """A region has those of its language; a language nobody described those of English."""
    assert list_categories(language) == categories


@pytest.mark.parametrize(
    ("language", "forms", "written"),
    [
        ("en", "card | cards", {1: "1 card", 2: "2 cards", 55: "55 cards"}),
        ("pl", "karta | karty | kart", {1: "1 karta", 3: "3 karty", 12: "12 kart", 22: "22 karty", 55: "55 kart"}),
        ("es", "la carta | las # cartas", {1: "la carta", 10: "las 10 cartas"}),
        ("fr", "carte | cartes", {0: "0 carte", 1: "1 carte", 2_000_000: "2000000 cartes"}),
        ("nl", "stuks", {1: "1 stuks", 7: "7 stuks"}),
        ("en", "=2 the other team | each of the others", {2: "the other team", 3: "each of the others"}),
        ("pl", "=2 obie | # drużyna | # drużyny | # drużyn", {2: "obie", 3: "3 drużyny", 5: "5 drużyn"}),
        ("en", "=2 | of # colours", {2: "", 4: "of 4 colours"}),
    ],
)
def test_a_number_chooses_the_form_of_its_noun(language: str, forms: str, written: dict[int, str]) -> None:
    """It stands before the noun, or where the sign for it stands."""
    assert {number: choose_form(number, forms, language) for number in written} == written


def test_places_are_filled_in_once_and_inside_forms_too() -> None:
    """What a value says is never taken for a place."""
    text = "“{title}”: {count: # {color} card | # {color} cards}, {left} left"
    values = {"title": "{left}", "count": 20, "color": "red", "left": 3}
    assert fill_in(text, "en", values) == "“{left}”: 20 red cards, 3 left"
    places = [
        ("title", ()),
        ("count", ("# {color} card", "# {color} cards")),
        ("color", ()),
        ("color", ()),
        ("left", ()),
    ]
    assert list(list_places(text)) == places
