"""Numbers and sums: printed as the first language of a deck writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.options import BuildOptions
from dobble_print.rules.rulebook import name_symbol
from dobble_print.theme.model import Text, Theme
from dobble_print.theme.reader import find_theme, read_theme
from dobble_print.words.languages import find_row
from dobble_print.words.writing import NOTATION, collate, set_apostrophes, write_numbers
from tests.booklets import WHOLE


def shown(theme: Theme) -> set[str]:
    """Every text on the cards."""
    sources = [face.source for symbol in theme.symbols for face in symbol.faces]
    return {source.text for source in sources if isinstance(source, Text)}


def test_every_language_of_the_rules_has_its_signs() -> None:
    """The same four signs for each."""
    assert {tuple(find_row(NOTATION, code)) for code in WHOLE} == {("decimal", "times", "divided", "percent")}


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", "0.5 12.5% 3 × 4 6÷3"),
        ("nl", "0,5 12,5% 3 × 4 6:3"),
        ("fr", "0,5 12,5 % 3 × 4 6÷3"),
        ("de", "0,5 12,5 % 3 · 4 6:3"),
        ("de-AT", "0,5 12,5 % 3 · 4 6:3"),
        ("pt-BR", "0,5 12,5% 3 × 4 6÷3"),
        ("tr", "0.5 12.5 % 3 × 4 6÷3"),
        ("", "0.5 12.5 % 3 × 4 6÷3"),
    ],
)
def test_numbers_are_written_as_a_language_does(language: str, written: str) -> None:
    """A language nobody described leaves them alone."""
    assert write_numbers("0.5 12.5 % 3 × 4 6÷3", language) == written


def test_points_and_signs_between_words_stay() -> None:
    """Only what stands beside figures is a number."""
    assert write_numbers("z.B. a × b, 3. klas", "de") == "z.B. a × b, 3. klas"


def test_a_deck_is_printed_in_its_first_language_s_notation() -> None:
    """The theme's own first language, or the command line's; ids and with them the deck stay the same."""
    english = read_theme(find_theme("fractions"))
    dutch = read_theme(find_theme("fractions"), BuildOptions(languages=("nl",)).theme_values())
    assert {"0.5", "12.5%"} <= shown(english)
    assert {"0,5", "12,5%"} <= shown(dutch)
    assert not any("." in text for text in shown(dutch))
    assert [symbol.id for symbol in english.symbols] == [symbol.id for symbol in dutch.symbols]
    assert "0,5" in dutch.symbols[0].names["nl"]  # what the booklet says is what the cards show
    german = read_theme(find_theme("times-tables"), BuildOptions(languages=("de",)).theme_values())
    assert {"3 · 4", "12"} <= shown(german)


@pytest.mark.parametrize(
    ("typed", "printed"), [("l'ami", "l’ami"), ("'s avonds", "’s avonds"), ("foto's", "foto’s"), ("5' 30\"", "5' 30\"")]
)
def test_apostrophes_are_those_of_print(typed: str, printed: str) -> None:
    """Not the straight ones of a keyboard, except where they count minutes."""
    assert set_apostrophes(typed) == printed


def test_names_and_texts_get_the_apostrophes_of_print(tmp_path: Path) -> None:
    """On the cards, in the booklet and in the legend alike; names can still be typed with either."""
    path = tmp_path / "theme.yaml"
    others = "{text: A}, {text: K}, {text: M}, {text: R}, {text: S}"
    path.write_text(f"languages: [fr]\narticle: true\nsymbols: [{{text: l'été}}, l'étoile, {others}]\n", "utf-8")
    theme = read_theme(path)
    assert "l’été" in shown(theme)
    assert name_symbol(theme, 1, "fr") == "l’étoile"


def test_numbers_sort_by_their_value() -> None:
    """A legend of sums goes from the small to the large."""
    sums = ["10 × 6", "2 × 6", "2 × 10", "kat 12", "kat 3"]
    assert sorted(sums, key=lambda name: collate(name, "nl")) == ["2 × 6", "2 × 10", "10 × 6", "kat 3", "kat 12"]
