"""Lists: a line a row for scripts, a table that fits for people; and what a shell completes."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.cli.show import LISTABLE, describe, print_table
from dobble_print.words.lexicon import words
from tests.cli.terminal import find_context
from tests.conftest import Run

Captured = pytest.CaptureFixture[str]
CODES: tuple[tuple[str, ...], ...] = ((), ("nl",), ("pt-BR",), ("cs",))


@pytest.mark.parametrize("what", ["themes", "profiles", "papers", "shapes", None])
def test_a_table_fits_the_terminal(what: str | None, capsys: Captured) -> None:
    """Under a heading."""
    print_table(describe(what), 80)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Name ")
    assert max(map(len, lines)) <= 80


def test_long_texts_wrap_in_their_column(capsys: Captured) -> None:
    """The first column belongs to names."""
    print_table(describe("themes"), 80)
    heading, *lines = capsys.readouterr().out.splitlines()
    start = heading.index("Purpose")
    assert any(not line[:start].strip() for line in lines)
    assert all(line[start - 1] == " " != line[start] for line in lines)


def test_scripts_get_a_line_a_row(run: Run) -> None:
    """Without a heading, however long the line."""
    lines = run("list", "profiles").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [row["name"] for row in describe("profiles")]


def test_list_alone_tells_what_can_be_listed(run: Run) -> None:
    """A line each."""
    told = run("list")
    assert told.returncode == 0
    assert [line.split()[0] for line in told.stdout.splitlines()] == list(LISTABLE)


@pytest.mark.parametrize("what", sorted({*LISTABLE} - {"printers"}))
def test_everything_that_is_named_can_be_listed(what: str) -> None:
    """There is some of it."""
    assert describe(what, list(words().values()))


@pytest.mark.parametrize(
    ("command", "parameter", "typed", "offered"),
    [
        ("build", "themes", "clas", "classic"),
        ("build", "profile", "shop-s", "shop-sra3-x4"),
        ("build", "paper", "SR", "SRA3"),
        ("build", "languages", "n", "nl"),
        ("build", "quality", "d", "draft"),
        ("build", "duplex", "f", "fold"),
        ("build", "shape", "h", "hex"),
        ("build", "cut_path", "p", "page"),
        ("build", "mark", "l", "letter"),
        ("build", "printer", "of", "office"),
        ("calibrate", "printer", "of", "office"),
        ("calibrate", "duplex", "s", "short"),
        ("list", "what", "th", "themes"),
        ("list", "group", "ani", "animals"),
        ("cache", "action", "cl", "clear"),
        ("new", "lang", "f", "fr"),
    ],
)
def test_a_shell_completes_what_is_known(
    command: str, parameter: str, typed: str, offered: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options and arguments that take one of some words."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "dobble-print" / "printers").mkdir(parents=True)
    (tmp_path / "dobble-print" / "printers" / "office.yaml").write_text("dx_mm: 0.5\ndy_mm: 0\nscale: 1\n")
    context = find_context(command)
    (known,) = (each for each in context.command.get_params(context) if each.name == parameter)
    assert offered in [item.value for item in known.shell_complete(context, typed)]


def test_a_shell_is_answered(run: Run) -> None:
    """As bash asks."""
    asked = {"_DOBBLE_PRINT_COMPLETE": "complete_bash", "COMP_WORDS": "dobble-print build zoo --shape h"}
    assert run(**asked, COMP_CWORD="4").stdout.split() == ["hex"]


def test_themes_are_told_in_a_language() -> None:
    """In English where none is asked for, or known; a region speaks its language."""
    told = [{row["name"]: row["purpose"] for row in describe("themes", codes=codes)} for codes in CODES]
    assert [purposes["fractions"].split()[1] for purposes in told] == ["numbers", "getallen", "números", "numbers"]


def test_a_language_of_themes_may_be_asked_for(run: Run) -> None:
    """As for words."""
    assert "57\xa0alledaagse dingen" in run("list", "themes", "--lang", "nl").stdout
