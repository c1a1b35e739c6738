"""The help: panels at a terminal, the same grouping as plain text elsewhere, and nothing cut short."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from dobble_print.cli.app import COMMANDS
from dobble_print.cli.help import write_help
from dobble_print.options import PANELS, list_options
from tests.cli.terminal import find_context, read_help, strip_colours
from tests.conftest import ROOT, Run

NAMES = [name for works in COMMANDS.values() for name in works]
FRAMED, PLAIN = re.compile(r"^╭─ (.*?) ─", re.MULTILINE), re.compile(r"^(\w[\w ]*):$(?!\n\n)", re.MULTILINE)


def read_plain(command: str = "") -> str:
    """Return the help of a command as a file gets it."""
    return write_help(find_context(command), io.StringIO())


@pytest.mark.parametrize("command", ["build", "batch"])
def test_options_stand_in_panels(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Framed, in the order in which a reader needs them."""
    assert FRAMED.findall(strip_colours(read_help(command, monkeypatch))) == ["Arguments", *PANELS]


def test_commands_stand_in_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everyday work first."""
    assert FRAMED.findall(strip_colours(read_help("", monkeypatch))) == [*COMMANDS, "Options"]


@pytest.mark.parametrize(("command", "headings"), [("build", ["Arguments", *PANELS]), ("", [*COMMANDS, "Options"])])
def test_plain_help_has_the_same_groups(command: str, headings: list[str]) -> None:
    """No frame and no colour where nobody looks."""
    told = read_plain(command)
    assert PLAIN.findall(told) == headings
    assert not re.search("[│╭╰─\x1b]", told)


def test_a_pipe_gets_plain_help(run: Run) -> None:
    """The program itself sees whether somebody looks."""
    told = run("cache", "--help")
    assert (told.returncode, told.stdout.strip()) == (0, read_plain("cache"))


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_whoever_wants_no_colour_gets_plain_help(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal just as in a file."""
    assert read_help("check", monkeypatch, 80, **{name: value}) == read_plain("check")


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("command", ["", *NAMES])
def test_help_fits_the_terminal_and_is_whole(command: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No line is wider, and no sentence ends in dots."""
    shown = strip_colours(read_help(command, monkeypatch, columns))
    examples = [line for line in shown.splitlines() if not line.startswith("   dobble-print ")]
    assert max(map(len, examples)) <= columns
    assert "…" not in shown


def test_columns_are_respected_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pager of 100 columns gets lines of up to 100."""
    monkeypatch.setenv("COLUMNS", "100")
    assert 80 < max(map(len, read_plain("build").splitlines())) <= 100


@pytest.mark.parametrize(
    "choices",
    [
        "--shape [round|hex|square]",
        "--quality [draft|normal|best]",
        "[long|short|separate|fold|none]",
        "--mark [none|color|letter]",
        "--cut-path [none|art|page|file]",
        "--booklet-size [A6|A5|A4-folded]",
    ],
)
def test_a_few_choices_are_spelled_out(choices: str) -> None:
    """As the theme knows them."""
    assert choices in read_plain("build")


@pytest.mark.parametrize("what", ["papers", "profiles", "languages", "printers"])
def test_many_choices_are_listed_elsewhere(what: str) -> None:
    """The help says by which command."""
    assert f"dobble-print list {what}" in " ".join(read_plain("build").split())


def test_every_option_has_a_panel() -> None:
    """One of those that the help knows."""
    assert {option.panel for option in list_options().values()} == set(PANELS)


@pytest.mark.parametrize("command", NAMES)
def test_every_command_shows_an_example(command: str) -> None:
    """On a line of its own, ready to copy."""
    assert re.search(rf"^  dobble-print {command}\b", read_plain(command), re.MULTILINE)


@pytest.mark.parametrize("command", NAMES)
def test_the_overview_has_whole_first_sentences(command: str) -> None:
    """The same words as in the help of the command."""
    first = read_plain(command).split("\n\n")[1]
    assert first.endswith(".")
    assert " ".join(first.split()) in " ".join(read_plain().split())


def test_nothing_typed_shows_the_overview(run: Run) -> None:
    """On stderr: for a script it is a mistake."""
    told = run()
    assert (told.returncode, told.stdout, told.stderr.strip()) == (2, "", read_plain())


def test_rich_is_loaded_only_when_needed(run: Run, tmp_path: Path) -> None:
    """`--version` answers at once."""
    (tmp_path / "rich.py").write_text("raise SystemExit('loaded')")
    assert run("--version", PYTHONPATH=f"{tmp_path}:{ROOT}").returncode == 0
