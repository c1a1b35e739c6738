"""What the faces of a theme lack is told: symbols that always look the same, names that print without articles."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.dealing import deal_theme, measure_faces
from dobble_print.theme.faces import warn_about_faces
from dobble_print.theme.model import Theme
from dobble_print.theme.reader import read_theme

FIVE = "hond, boom, fiets, huis, kat"


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """A function that reads a theme."""
    monkeypatch.chdir(tmp_path)

    def read_text(text: str) -> Theme:
        Path("theme.yaml").write_text(f"languages: [nl]\n{text}", encoding="utf-8")
        return read_theme(Path("theme.yaml"))

    return read_text


def test_a_text_and_its_name_are_one_face_and_count_so(read: object) -> None:
    """ "lijm" on one card and "lijm" on the other are no crossing."""
    theme = read(f"faces: [picture, article:nl]\nsymbols: [{FIVE}, auto, {{text: lijm}}]\n")  # type: ignore[operator]
    assert [len(symbol.faces) for symbol in theme.symbols] == [2] * 6 + [1]
    crossing = measure_faces(theme, deal_theme(theme))
    assert crossing
    assert (crossing.pairs, crossing.crossing) == (21, 12)  # 14 of them, were it two faces
    assert "looks the same on every card" in str(warn_about_faces(theme.symbols)[0])


def test_names_without_their_article_are_named_at_once(read: object) -> None:
    """Beside others that have theirs."""
    own = "{emoji: ⚽, nl: bal}, {emoji: 🚗, nl: de auto}"
    theme = read(f"faces: [picture, article:nl]\nsymbols: [{FIVE}, {own}]\n")  # type: ignore[operator]
    (told,) = warn_about_faces(theme.symbols)
    assert told.what == '"bal" has no article and prints without'


def test_half_decks_keep_as_many_faces_for_every_symbol(read: object) -> None:
    """Each half shows its own."""
    theme = read(f"faces: [picture, word:nl]\nfaces_by: card\nsymbols: [{FIVE}, auto, {{text: lijm}}]\n")  # type: ignore[operator]
    assert {len(symbol.faces) for symbol in theme.symbols} == {2}
