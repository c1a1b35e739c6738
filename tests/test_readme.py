"""The README never lags behind the program."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from dobble_print.cli.app import app
from dobble_print.errors import ExitCode
from dobble_print.resources import shipped_themes
from dobble_print.units import papers
from tests.conftest import ROOT
from tools.theme_reference import reference_table

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [command.name or command.callback.__name__ for command in app.registered_commands if command.callback]


def section(start: str, end: str) -> str:
    """The part of the README between two lines."""
    return README.split(start, 1)[1].split(end, 1)[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_in_the_readme(command: str) -> None:
    """An option that is not documented does not exist for its users."""
    help_text = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).output
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", help_text)) - {"--help"}
    assert options
    assert {option for option in options if option not in README} == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_readme(command: str) -> None:
    """Commands are named as they are typed."""
    assert re.search(rf"`{command} |dobble-print {command}|`{command}`", README)


def test_options_of_build_are_listed_in_full() -> None:
    """The table has every option of build, and no option that does not exist."""
    table = section("### Options of `build`", "Other commands:")
    help_text = CliRunner().invoke(app, ["build", "--help"], env={"COLUMNS": "200"}).output
    listed = set(re.findall(r"^\| `(--[a-z-]+)`", table, re.MULTILINE))
    assert listed == set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", help_text)) - {"--help"}


def test_every_exit_code_is_listed_by_name() -> None:
    """Scripts rely on them."""
    rows = re.findall(r"^\| (\d+) \| ([A-Z_]+) \|", section("### Exit codes", "## The theme file"), re.MULTILINE)
    assert {(int(code), name) for code, name in rows} == {(code.value, code.name) for code in ExitCode}


def test_every_shipped_theme_and_paper_is_listed() -> None:
    """What ships is shown."""
    listed = re.findall(r"^\| `([a-z-]+)` \|", section("### Decks that come with it", "### Questions"), re.MULTILINE)
    assert set(listed) == set(shipped_themes())
    assert all(paper in README for paper in papers())


def test_the_reference_of_the_theme_file_is_the_programs_own() -> None:
    """The README has the table of all keys; paste what `python -m tools.theme_reference` prints when this fails."""
    written = section("<!-- reference table: begin -->", "<!-- reference table: end -->")
    assert written.strip() == reference_table().strip()


def test_the_trademarks_are_named_once_and_disclaimed() -> None:
    """Independent, and said so."""
    assert "trademarks of Asmodee" in README
    assert "neither made nor endorsed" in README


@pytest.mark.parametrize("name", shipped_themes())
def test_no_shipped_theme_bears_a_trademark(name: str) -> None:
    """Titles are our own."""
    text = shipped_themes()[name].read_text(encoding="utf-8").lower()
    assert not re.search(r"\bdobble\b(?!-print)|spot it", text)
