"""What teachers mistype in a theme: each slip is named where it stands, with what to write in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.errors import ThemeError, UsageError
from dobble_print.options import BuildOptions
from dobble_print.theme.reader import find_theme, read_theme

SEVEN = "symbols: [kat, hond, boom, huis, fiets, auto, peer]\n"
DUTCH = "languages: [nl]\n"

SLIPS = {
    # a dash that touches its word
    f"{DUTCH}symbols:\n  - kat\n  - hond\n  -peer\n": (
        'theme.yaml:5:3: no space stands after the dash of "-peer". Write - peer.'
    ),
    f"{DUTCH}symbols:\n  -kat\n  -hond\n": 'theme.yaml:3:3: no space stands after the dash of "-kat". Write - kat.',
    f"{DUTCH}symbols:\n-kat\n-hond\n": 'theme.yaml:3:1: no space stands after the dash of "-kat". Write - kat.',
    f"{DUTCH}symbols:\n  -peer\n  - hond\n": 'theme.yaml:3:3: no space stands after the dash of "-peer". Write - peer.',
    f"{DUTCH}symbols:\n  -peer\n  - hond\n  - {{word: kat, fr: chat}}\n": (
        'theme.yaml:3:3: no space stands after the dash of "-peer". Write - peer.'
    ),
    # a comma
    f"{DUTCH}symbols:\n  - {{emoji: 🔶 nl: ruit}}\n": (
        'theme.yaml:3:17: a comma is missing before "nl". Write {emoji: 🔶, nl: …}.'
    ),
    # a colon, told where it is missing
    f"title Zoo\n# a note\n\n# another\n{DUTCH}{SEVEN}": (
        "theme.yaml:1:1: this line has no colon after its key. Write title: Zoo."
    ),
    f"{DUTCH}title Zoo\n# a note\n{SEVEN}": "theme.yaml:2:1: this line has no colon after its key. Write title: Zoo.",
    # the quotes of a word processor
    f"title: “Zoo: dieren”\n{DUTCH}{SEVEN}": (
        'theme.yaml:1:8: "“Zoo: dieren”" stands in the curly quotes of a word processor. Use straight quotes: " or \'.'
    ),
    f"{DUTCH}symbols:\n  - kat\n  - “a: b”\n": (
        'theme.yaml:4:5: "“a:" stands in the curly quotes of a word processor. Use straight quotes: " or \'.'
    ),
    f"{DUTCH}symbols:\n  - {{text: “3: 4”}}\n": (
        'theme.yaml:3:12: "“3:" stands in the curly quotes of a word processor. Use straight quotes: " or \'.'
    ),
    # keys at the margin
    f"{DUTCH}card:\nsize: 85\n{SEVEN}": (
        'theme.yaml:3:1: unknown key "size". It belongs below card:, two spaces further to the right; '
        "or write card: {size: …}."
    ),
    # languages
    f"languages: [ne]\n{SEVEN}": 'theme.yaml:1:13: languages: there is no language "ne". Did you mean "nl" or "en"?',
    f"languages: nl,fr\n{SEVEN}": (
        'theme.yaml:1:12: languages: there is no language "nl,fr". Write several in brackets: [nl, fr].'
    ),
    f"{DUTCH}symbols: [kat, hond, boom, huis, fiets, auto, hagelslag]\n": (
        'theme.yaml:2:47: there is no word "hagelslag". Print a word as a text, {text: hagelslag}'
    ),
}


@pytest.mark.parametrize("text", SLIPS)
def test_a_slip_is_told_where_it_stands_with_what_to_write(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first fault is the slip, at its own line."""
    monkeypatch.chdir(tmp_path)
    Path("theme.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ThemeError) as caught:
        read_theme(Path("theme.yaml"))
    assert str(caught.value.faults[0]).startswith(SLIPS[text])


@pytest.mark.parametrize("written", ["nl,fr", "[ne]", "[nl, ne]"])
def test_words_are_no_further_faults_of_a_wrong_language(written: str, tmp_path: Path) -> None:
    """One slip is one message, however many words of the list mean something in another language."""
    path = tmp_path / "theme.yaml"
    path.write_text(f"languages: {written}\nsymbols: [vis, huis, hond, boom, fiets, auto, peer]\n", encoding="utf-8")
    with pytest.raises(ThemeError) as caught:
        read_theme(path)
    assert len(caught.value.faults) == 1


@pytest.mark.parametrize("size", ["8.5 cm", "8,5cm", "85mm", "85", '3.3465"', "3.3465 in"])
def test_sizes_may_be_in_centimetres_and_inches(size: str, tmp_path: Path) -> None:
    """In the theme and on the command line."""
    path = tmp_path / "theme.yaml"
    path.write_text(f"{DUTCH}{SEVEN}card: {{size: '{size}'}}\n", encoding="utf-8")
    assert read_theme(path).card.size_mm == pytest.approx(85, abs=0.01)
    assert read_theme(path, BuildOptions(size=size).theme_values()).card.size_mm == pytest.approx(85, abs=0.01)


def test_a_language_in_quotes_with_blanks_is_that_language(tmp_path: Path) -> None:
    """In titles, names and credits alike; it was lost in silence."""
    path = tmp_path / "theme.yaml"
    path.write_text(f'{DUTCH}{SEVEN}title: {{" nl ": Zoo}}\ncredits: {{" nl ": Juf An}}\n', encoding="utf-8")
    theme = read_theme(path)
    assert (theme.title_in("nl"), theme.notes_in(theme.credits, "nl")) == ("Zoo", ("Juf An",))


def test_a_theme_with_an_ending_too_many_is_found_and_its_new_name_told(tmp_path: Path) -> None:
    """As some editors save it."""
    (tmp_path / "theme.yaml.txt").write_text(f"{DUTCH}{SEVEN}", encoding="utf-8")
    with pytest.raises(UsageError, match=r"Rename .*theme\.yaml\.txt to theme\.yaml\."):
        find_theme(str(tmp_path))


def test_a_theme_beside_photos_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`new our-class --from photos` writes photos/our-class.yaml."""
    monkeypatch.chdir(tmp_path)
    Path("photos").mkdir()
    Path("photos/our-class.yaml").touch()
    with pytest.raises(UsageError, match=r'Did you mean "photos/our-class\.yaml"'):
        find_theme("our-class")
