"""Finding themes: by path, by folder, by the name of a shipped one; and saying what was probably meant."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dobble_print
from dobble_print import resources
from dobble_print.errors import UsageError
from dobble_print.resources import find_template, shipped_themes
from dobble_print.theme.reader import examine_theme, find_theme


@pytest.fixture(autouse=True)
def two_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with the themes classic and letters, and an empty current folder."""
    package = tmp_path / "program" / "dobble_print"
    (package.parent / "themes" / "letters").mkdir(parents=True)
    package.mkdir()
    for name in ("classic.yaml", "letters/theme.yaml"):
        (package.parent / "themes" / name).touch()
    (tmp_path / "here").mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    monkeypatch.chdir(tmp_path / "here")
    return package


def message_of(name: str) -> str:
    """What is said about a theme that is not there."""
    with pytest.raises(UsageError) as caught:
        find_theme(name)
    return str(caught.value)


def test_shipped_themes_are_files_or_folders() -> None:
    """Both go by one name."""
    assert list(shipped_themes()) == ["classic", "letters"]


def test_an_installed_program_has_its_themes_inside(two_shipped: Path) -> None:
    """They count more than those of a checkout around it."""
    (two_shipped / "themes").mkdir()
    (two_shipped / "themes" / "inner.yaml").touch()
    assert list(shipped_themes()) == ["inner"]


def test_a_path_a_folder_or_a_name_finds_a_theme() -> None:
    """A file of one's own counts more than a shipped theme."""
    Path("mine").mkdir()
    Path("mine/theme.yaml").touch()
    Path("letters").touch()
    assert find_theme("mine/theme.yaml") == Path("mine/theme.yaml")
    assert find_theme("mine") == Path("mine/theme.yaml")
    assert find_theme("classic") == shipped_themes()["classic"]
    assert find_theme("letters") == Path("letters")


def test_a_folder_of_results_does_not_hide_a_shipped_theme() -> None:
    """`output/classic` is not what `classic` means."""
    Path("classic").mkdir()
    assert find_theme("classic") == shipped_themes()["classic"]


def test_a_misspelled_name_is_answered_with_the_right_one() -> None:
    """Of the shipped themes or of the files near it."""
    Path("harbour.yaml").touch()
    assert message_of("clasic") == 'there is no theme "clasic". Did you mean "classic"?'
    assert message_of("classic.yaml") == 'there is no theme "classic.yaml". Did you mean "classic"?'
    assert message_of("harbor.yaml") == 'there is no theme "harbor.yaml". Did you mean "harbour.yaml"?'
    assert message_of("zzz") == (
        'there is no theme "zzz". Give the path of a theme file or one of the shipped themes: classic, letters.'
    )


def test_a_folder_in_common_makes_no_theme_likely() -> None:
    """Only the names are compared; what is suggested is the whole path."""
    Path("mythemes").mkdir()
    Path("mythemes/alphabet.yaml").touch()
    assert "Did you mean" not in message_of("mythemes/nothere.yaml")
    assert 'Did you mean "mythemes/alphabet.yaml"?' in message_of("mythemes/alfabet.yaml")
    assert 'Did you mean "mythemes/alphabet.yaml"?' in message_of("mythemes/alphabet")
    assert 'Did you mean "mythemes/alphabet.yaml"?' in message_of("mythemes/alphabet.yml")
    assert 'Did you mean "classic"?' in message_of("mythemes/clasic.yaml")


def test_a_folder_without_a_theme_says_what_it_holds() -> None:
    """One of these is probably meant."""
    Path("mine").mkdir()
    assert message_of("mine") == 'the folder "mine" holds no theme.yaml. Give it the theme file itself.'
    Path("mine/a.yaml").touch()
    assert message_of("mine") == 'the folder "mine" holds no theme.yaml. It does hold mine/a.yaml.'


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000, "/", "..", "\ud800", "a/b/c", "\x1b[31m"])
def test_names_that_cannot_be_are_refused_like_others(name: str) -> None:
    """No other exception, nothing a terminal would act on."""
    message = message_of(name)
    assert message.isprintable() and len(message) < 300


def test_every_shipped_theme_reads_without_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """What we ship is what we teach."""
    monkeypatch.undo()
    assert {name: examine_theme(path)[1] for name, path in shipped_themes().items() if examine_theme(path)[1]} == {}
    assert find_template("papers.yaml").is_file()


def test_reading_themes_loads_no_heavy_library() -> None:
    """`--help` must stay quick."""
    code = "import sys, dobble_print.importing.starter, dobble_print.theme.json_schema; print(*sorted(sys.modules))"
    root = Path(dobble_print.__file__).resolve().parent.parent
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    loaded = done.stdout.split()
    assert "yaml" in loaded
    assert not {"numpy", "reportlab", "PIL", "cairosvg", "jsonschema", "typer", "rich"} & set(loaded)
