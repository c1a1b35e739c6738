"""What to do next is told to people before a terminal, and to nobody else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

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
