"""What the option parser refuses is told in one line of the program's own, with what was probably meant."""

from __future__ import annotations

import pytest

from dobble_print.cli.app import NAME, app
from dobble_print.cli.help import Refusal, explain_refusal
from tests.conftest import Run

REFUSED = {
    "build zoo --papr A4": "there is no option --papr. Did you mean --paper?",
    "build zoo --language nl": "there is no option --language. Did you mean --lang?",
    "build zoo -lang nl": "there is no option -lang. Did you mean --lang?",
    "build zoo --frobnicate": "there is no option --frobnicate.",
    "build zoo --seed many": '--seed takes a whole number, not "many".',
    "batch zoo --timeout soon": '--timeout takes a number, not "soon".',
    "build zoo --seed": "--seed needs a value. Another number deals and lays out another deck.",
    "build zoo --paper": "--paper needs a value. Paper to print on, such as A4 or SRA3. See: dobble-print list papers",
    "build zoo --low-ink=yes": "--low-ink takes no value.",
    "build": "build needs THEME. A theme file, a folder holding theme.yaml, or the name of a shipped theme.",
    "new our zoo": 'new has no use for "zoo". Put a name with spaces in quotes.',
    "new farm from words.csv": 'new has no use for "from words.csv". Write --from words.csv.',
    "build zoo --kaarten 30": "there is no option --kaarten. Did you mean --cards?",
    "build zoo --taille 70": "there is no option --taille. Did you mean --size?",
    "build zoo --cards veel": '--cards takes a whole number, not "veel".',
    "build zoo --back-offset 0.7 -0.3": (
        "-0.3 stands alone. Write both numbers with a comma and no space between them: 0.7,-0.3."
    ),
    "biuld": "there is no command biuld. Did you mean build?",
    "zoo.yaml": "there is no command zoo.yaml. Did you mean build zoo.yaml?",
    "classic": "there is no command classic. Did you mean build classic?",
    "frobnicate": "there is no command frobnicate.",
    "--versoin": "there is no option --versoin. Did you mean --version?",
}


def refuse(typed: list[str]) -> str:
    """Return what the parser says to that."""
    with pytest.raises(Refusal) as refused:
        app(typed, prog_name=NAME, standalone_mode=False)
    return explain_refusal(refused.value)


@pytest.mark.parametrize("typed", REFUSED)
def test_what_is_refused_is_told_in_a_line(typed: str) -> None:
    """With what was probably meant, or what is missing."""
    assert refuse(typed.split()) == REFUSED[typed]


@pytest.mark.parametrize("where", ["build zoo --papr A4", "build zoo --seed", "build", "biuld"])
def test_a_refusal_points_at_the_help(run: Run, where: str) -> None:
    """Two lines on stderr, and exit code 2."""
    told, command = run(*where.split()), "build " if where.startswith("build") else ""
    assert told.stderr.splitlines() == [f"dobble-print: {REFUSED[where]}", f"See: dobble-print {command}--help"]
    assert (told.returncode, told.stdout) == (2, "")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("list themse", 'Did you mean "themes"?'),
        ("cache claer", 'cache: "claer" is not info or clear. Did you mean "clear"?'),
        ("build classic --back logo.png", "write back: {image: logo.png} in the theme"),
        ("verify cards.pdf --gap wide", '--gap: "wide" is not a number. Give 0 to 100 mm.'),
    ],
)
def test_a_word_that_is_no_choice_is_told_with_the_nearest(run: Run, typed: str, message: str) -> None:
    """In one line, with exit code 2."""
    told = run(*typed.split())
    assert message in told.stderr
    assert (told.returncode, told.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("typed", [["build", "--\x1b[2J"], ["\x1b[2J"], ["new", "zoo", "\x1b[2J"]])
def test_what_a_terminal_acts_on_is_not_repeated(typed: list[str]) -> None:
    """A name from who knows where clears no screen."""
    assert "\x1b" not in refuse(typed)
