"""What tests of batches share: tiny themes, ways to run and to kill the program, and what its results hold."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

PROGRAM = [sys.executable, "-c", "from dobble_print.cli.app import main; main()"]
QUICK = ("--no-booklet", "--no-legend", "--quality", "draft")
EMOJI = ["🐱", "🐶", "🍎", "🍌", "🚗", "🚀", "⚓", "🌞", "🌙", "🌲", "🐟", "🐴", "🐷", "🐸"]


def write_theme(path: Path, first: int = 0, extra: str = "") -> Path:
    """A theme of seven emoji with an English booklet; `first` chooses which."""
    languages = "" if "languages:" in extra else "languages: [en]\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    symbols = ", ".join(EMOJI[first : first + 7])
    path.write_text(f"title: {path.stem}\n{languages}{extra}symbols: [{symbols}]\n", encoding="utf-8")
    return path


def write_themes(folder: Path, count: int) -> Path:
    """A folder of different tiny themes."""
    for number in range(count):
        write_theme(folder / f"deck-{number}.yaml", number)
    return folder


def environment(cache: Path, **more: str) -> dict[str, str]:
    """What a run sees: the program, and a cache of the test's own."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(cache), **more}


def run_batch(cwd: Path, *arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
    """Run `dobble-print batch` to its end."""
    return subprocess.run(
        [*PROGRAM, "batch", *map(str, arguments)],
        cwd=cwd,
        env=environment(cwd / "cache", **more),
        capture_output=True,
        text=True,
        timeout=600,
    )


def start_batch(cwd: Path, *arguments: object) -> subprocess.Popen[str]:
    """Start `dobble-print batch` in a group of its own, to be watched or killed."""
    return subprocess.Popen(
        [*PROGRAM, "batch", *map(str, arguments)],
        cwd=cwd,
        env=environment(cwd / "cache"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def list_events(stdout: str) -> list[dict[str, Any]]:
    """The events of a run with `--json`."""
    return [json.loads(line) for line in stdout.splitlines()]


def read_report(folder: Path) -> dict[str, Any]:
    """A job's report."""
    report: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return report


def read_results(folder: Path) -> dict[str, Any]:
    """Every result of a batch, as bytes; of reports all but the times. Logs and `batch.json` tell of one run only."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or path.name in ("log.txt", "batch.json"):
            continue
        found[name] = path.read_bytes()
        if path.name == "report.json":
            found[name] = {key: value for key, value in json.loads(found[name]).items() if key != "times"}
    return found


def find_processes(cwd: Path) -> list[int]:
    """The program, the server and the workers of batches run in a folder: they see its cache."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"XDG_CACHE_HOME={cwd / 'cache'}".encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found
