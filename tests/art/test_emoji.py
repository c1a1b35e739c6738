"""The sets that draw emoji."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from dobble_print.art.artwork import make_artwork
from dobble_print.art.emoji import OPENMOJI, emoji_files, read_emoji
from dobble_print.art.svg.render import render_svg
from dobble_print.dealing import deal_theme
from dobble_print.errors import ArtworkError
from dobble_print.rules.rulebook import print_rules_text
from dobble_print.rules.texts import choose_languages
from dobble_print.theme.model import Emoji
from dobble_print.theme.reader import read_theme
from dobble_print.words.lexicon import words
from tests.conftest import SMALL_THEME


def test_openmoji_draws_every_word_of_the_lexicon() -> None:
    """Whoever changes the art of a theme keeps all its words."""
    missing = []
    for word in filter(lambda word: word.emoji, words().values()):
        try:
            read_emoji(word.emoji, "openmoji")
        except ArtworkError:
            missing.append(word.key)
    assert missing == []


def test_lines_alone_are_black_on_white() -> None:
    """Nothing is grey but the edges of lines, and the shape still hides what lies behind it."""
    picture = np.asarray(render_svg(read_emoji("🐱", "openmoji-lines"), 400)).astype(int)
    shown = picture[picture[..., 3] == 255][:, :3]
    assert np.ptp(shown, axis=1).max() == 0
    assert ((shown[:, 0] < 40) | (shown[:, 0] > 215)).mean() > 0.9
    assert (shown[:, 0] > 215).mean() > 0.5


def test_no_white_layer_hides_the_lines() -> None:
    """The bicycle's frame is coloured over its black lines: its picture has more black than its two wheels."""
    picture = np.asarray(render_svg(read_emoji("🚲", "openmoji-lines"), 400)).astype(int)
    black = (picture[..., 3] == 255) & (picture[..., 0] < 40)
    assert black[150:255, 120:290].sum() > 2000  # between the wheels


def test_lines_have_the_silhouette_of_the_coloured_drawing() -> None:
    """Cards laid out with either set keep their distances."""
    one, other = (make_artwork(Emoji("🐱", art)) for art in ("openmoji", "openmoji-lines"))
    assert one.silhouette.reach == pytest.approx(other.silhouette.reach, rel=0.01)


def test_a_theme_chooses_its_art_and_credits_it(tmp_path: Path) -> None:
    """All emoji change, and the booklet names who drew them."""
    (tmp_path / "theme.yaml").write_text(SMALL_THEME + "art: openmoji\n")
    theme = read_theme(tmp_path / "theme.yaml")
    assert {symbol.source.art for symbol in theme.symbols if isinstance(symbol.source, Emoji)} == {"openmoji"}
    text = print_rules_text(theme, choose_languages(theme.languages), deal_theme(theme))
    assert "OpenMoji" in text and "CC BY-SA 4.0" in text and "Twemoji" not in text


def test_art_that_is_not_installed_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenMoji is an extra."""
    emoji_files.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    try:
        with pytest.raises(ArtworkError, match=r'pip install "dobble-print\[openmoji\]"'):
            emoji_files(OPENMOJI)
    finally:
        emoji_files.cache_clear()
