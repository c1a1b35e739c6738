"""What a check of a theme, and a call from Python, tell that they did not."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print import build_decks
from dobble_print.check import find_slips
from dobble_print.errors import UsageError
from dobble_print.theme.reader import read_theme

SIX = "kat, boom, huis, auto, vis, koe"


def test_check_names_texts_that_are_nearly_words(tmp_path: Path) -> None:
    """Slips of the pen among words; nothing is said of a name, nor in a deck of texts."""
    path = tmp_path / "theme.yaml"
    path.write_text(
        f"languages: [nl]\nsymbols: [{SIX}, {{text: hont}}, {{text: paart}}, {{text: Wubbo}}]\n", encoding="utf-8"
    )
    (told,) = find_slips(read_theme(path))
    assert told.what == 'printed as words: "hont" may be "hond" and "paart" may be "paar" or "paard"'
    names = ", ".join(f"{{text: {name}}}" for name in ("Bram", "Tess", "Bea", "Kars", "Roos", "Otto", "Hont"))
    path.write_text(f"languages: [nl]\nsymbols: [{names}]\n", encoding="utf-8")
    assert find_slips(read_theme(path)) == ()


def test_no_theme_and_twins_are_refused_in_words() -> None:
    """They ended in a traceback, or in one deck over the other."""
    with pytest.raises(UsageError, match="got no theme"):
        build_decks()
    with pytest.raises(UsageError, match='called "kids"'):
        build_decks("kids", "kids")
