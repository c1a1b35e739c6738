"""What to do next is told to people before a terminal, and to nobody else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from dobble_print.cli.make import suggest_step
from dobble_print.theme.reader import read_theme
from tests.conftest import ROOT, Run


def watch(folder: Path, *arguments: str) -> str:
    """What a person reads on the terminal while stdout goes elsewhere."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from dobble_print.cli.app import main; main()", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb", "XDG_CONFIG_HOME": str(folder)}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=theirs) as running:
        os.close(theirs)
        running.communicate(timeout=120)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:  # how Linux says that the other side has gone
        pass
    finally:
        os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def test_after_a_clean_check_comes_the_build(run: Run, tmp_path: Path, small_theme: Path) -> None:
    """Ready to copy, also with a space in the name; not for scripts that read JSON, nor into a pipe."""
    spaced = small_theme.rename(tmp_path / "our words.yaml").name
    assert watch(tmp_path, "check", spaced).endswith("All is well. Now type: dobble-print build 'our words.yaml'\n")
    assert "Now type" not in watch(tmp_path, "check", spaced, "--json")
    assert "Now type" not in run("check", spaced).stderr


def test_after_new_comes_the_file_to_open(run: Run, tmp_path: Path) -> None:
    """Its own path, whether it is a folder's theme or lies beside pictures."""
    told = f"Open {Path('zoo/theme.yaml')} in a text editor, then type: dobble-print check zoo\n"
    assert watch(tmp_path, "new", "zoo") == told
    assert run("new", "farm").stderr == ""


def test_no_printer_yet_says_how_to_save_one(run: Run, tmp_path: Path) -> None:
    """On stderr: the list itself stays empty."""
    assert watch(tmp_path, "list", "printers") == "None is saved yet. See: dobble-print calibrate --help\n"
    assert watch(tmp_path, "list", "printers", "--json") == ""
    done = run("list", "printers", XDG_CONFIG_HOME=str(tmp_path))
    assert (done.stdout, done.stderr) == ("", "")


def test_after_a_build_comes_the_printer(run: Run, tmp_path: Path, small_theme: Path) -> None:
    """Where the sheets are and how to print them; not for scripts, nor for who wants quiet."""
    asked = ("build", small_theme.name, "--quality", "draft", "--no-booklet", "--no-legend")
    told = f"Print {Path('output/small/cards.pdf')} at actual size (100 %), "
    assert told in watch(tmp_path, *asked)
    assert told not in watch(tmp_path, *asked, "--quiet")
    assert told not in run(*asked).stderr


STEPS = {
    "back: navy": "on both sides, flip on the long edge. Cut along the lines. See docs/printing.md",
    "back: navy\nsheet: {duplex: short}": "on both sides, flip on the short edge. Cut along the lines.",
    "sheet: {duplex: fold}": "on one side, fold along the dashed line, and glue. Cut along the lines.",
    "sheet: {duplex: separate}": "then backs.pdf on the other side of the sheets. Cut along the lines.",
    "back: none": "on one side. Cut along the lines.",
    "profile: labels-avery-5195": "on one side. Try it on plain paper first, held against the labels.",
    "profile: shop-sra3-x4": "Send output/small/cards.pdf to the print shop. See docs/print-shops.md",
}


@pytest.mark.parametrize("keys", STEPS)
def test_the_next_step_suits_what_was_made(keys: str, small_theme: Path) -> None:
    """One side or two, labels, or a print shop."""
    small_theme.write_text(f"{small_theme.read_text(encoding='utf-8')}{keys}\n", encoding="utf-8")
    theme = read_theme(small_theme)
    assert STEPS[keys] in suggest_step(theme, [Path("output/small/cards.pdf"), Path("output/small/deck.json")])


@pytest.mark.parametrize(
    ("files", "step"),
    [
        (["cards.pdf", "cut.svg"], "Then open output/cut.svg in the program of your cutting machine."),
        (["cards/1.png", "deck.json"], "The pictures of the cards are in output/cards. See docs/machines.md"),
        (["booklet.pdf"], ""),
    ],
)
def test_the_next_step_names_files_that_are_there(files: list[str], step: str, small_theme: Path) -> None:
    """Cuts and pictures; nothing where there is no card."""
    told = suggest_step(read_theme(small_theme), [Path("output") / name for name in files])
    assert step in told
    assert bool(step) == bool(told)
