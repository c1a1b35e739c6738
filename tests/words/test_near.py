"""What an unknown word may mean: things it is a part of before words that are written alike."""

from __future__ import annotations

import pytest

from dobble_print.words.near import count_slips, hint_unknown, name_unknown, suggest_names

MEANT = {
    ("zeil", "nl"): "zeilboot",
    ("voetbalveld", "nl"): "voetbal",
    ("fietsbel", "nl"): "bel",
    ("boompje", "nl"): "boom",
    ("olifantje", "nl"): "olifant",
    ("noel", "fr"): "mère Noël",
    ("olifan", "nl"): "olifant",
    ("de olifan", "nl"): "olifant",
    ("hont", "nl"): "hond",
    ("elefant", "fr"): "éléphant",
    ("schmetterlin", "de"): "Schmetterling",
    ("umbrela", "en"): "umbrella",
    ("ink", "en"): "ink pen",
    ("dgo", "en"): "dog",
}


@pytest.mark.parametrize(("written", "code"), MEANT)
def test_the_nearest_word_comes_first(written: str, code: str) -> None:
    """By its parts, without its article, and by slips."""
    assert suggest_names(written, (code,))[0] == MEANT[written, code]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gum", "gsm"),
        ("bola", "cebola"),
        ("pelota", "paloma"),
        ("oat", "boat"),
        ("bola", "bota"),
        ("klompen", "klopper"),
    ],
)
def test_words_that_only_look_alike_are_no_slips(one: str, other: str) -> None:
    """Nobody who writes the one means the other."""
    assert count_slips(one, other) == 0


@pytest.mark.parametrize(("written", "code"), [("aal", "nl"), ("oat", "en"), ("kraai", "nl")])
def test_no_word_is_better_than_an_absurd_one(written: str, code: str) -> None:
    """No eel is in a sandal."""
    assert suggest_names(written, (code,)) == []


def test_suggestions_in_the_theme_s_languages_come_before_english_ones() -> None:
    """The teacher writes her own language."""
    assert suggest_names("tomat", ("nl", "en")) == ["tomaat", "tomato"]


def test_of_equals_the_groups_of_the_other_words_come_first() -> None:
    """Among animals a poodle is nearer than a puddle."""
    assert suggest_names("poddle", ("en",), {"animals"}) == ["poodle", "puddle"]
    assert suggest_names("poddle", ("en",), {"nature"}) == ["puddle", "poodle"]


def test_unknown_words_are_told_in_one_message() -> None:
    """All are counted, the first twenty named; what they may mean comes before the offer."""
    assert name_unknown({"duk": "on line 4", "qqqq": ""}) == '"duk" on line 4 and "qqqq"'
    assert name_unknown({str(i): "" for i in range(100)}).endswith('"19" and 80 more')
    assert hint_unknown(["duk", "qqqq"], ("en",), (), "Draw it.") == '"duk" may be "duck". Draw it.'
    assert hint_unknown(["duk"], ("en",), (), "Draw it.") == 'Did you mean "duck"?'
