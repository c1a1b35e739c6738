"""Words of several meanings: which is shown, and how to ask for another."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.check import check_theme
from dobble_print.importing.new_theme import write_new_theme
from dobble_print.words.lexicon import ARTICLES, read_choices
from dobble_print.words.reading import explain_choice, find_word


def test_a_homonym_says_what_it_shows_and_how_to_show_the_other() -> None:
    """With or without its article; words of one meaning say nothing, nor do kinds of one thing."""
    told = '"kraan" is shown as "tap"; write {word: kraan, picture: crane} for the other'
    assert explain_choice("kraan", ("nl",)) == told
    assert explain_choice("de kraan", ("nl",)).startswith('"de kraan" is shown as "tap"')
    others = "{word: triangle, picture: set square} or {word: triangle, picture: triangle (instrument)} for another"
    assert explain_choice("triangle", ("en",)).endswith(others)
    assert [explain_choice(text, ("nl",)) for text in ("kat", "boot", "qqqq", "")] == [""] * 4


def test_what_is_said_is_what_is_shown() -> None:
    """For every homonym of every language."""
    for code in ARTICLES:
        for text, keys in read_choices(code, ("homonyms",)).items():
            assert find_word(text, (code,)).key == keys[0] and f'shown as "{keys[0]}"' in explain_choice(text, (code,))


def test_check_and_new_remark_on_homonyms(tmp_path: Path) -> None:
    """It is no warning; and nothing is said where the theme or another language has chosen."""
    path = tmp_path / "theme.yaml"
    symbols = "[kraan, {word: bord, picture: blackboard}, 🐱, hond, zon, maan, huis]"
    path.write_text(f"languages: [nl]\nsymbols: {symbols}\n", encoding="utf-8")
    checked = check_theme(path)
    assert [str(remark) for remark in checked.remarks] == [
        f'{path}:2:11: "kraan" is shown as "tap"; write {{word: kraan, picture: crane}} for the other.'
    ]
    assert checked.warnings == ()


def test_new_remarks_on_homonyms_in_one_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second column tells which is meant; words that are drawn by us are told apart."""
    monkeypatch.chdir(tmp_path)
    Path("two.csv").write_text("nl;fr\nkraan;robinet\nbord;assiette\nkat;chat\nhond;chien\nzon;soleil\nmaan;lune\n")
    assert write_new_theme("two", "two.csv").choices == ()
    told = [str(choice) for choice in write_new_theme("one", "kraan, bord, kat, hond, zon, maan").choices]
    assert told[0] == '"kraan" is shown as "tap"; write {word: kraan, picture: crane} for the other.'
    assert told[1].startswith('"bord" is shown as "plate"') and len(told) == 2
