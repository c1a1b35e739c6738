"""Running the program on bad inputs as a process of its own, and measuring what that costs.

A case is a folder with a theme and whatever lies beside it. Several cases go into one process, because starting it
costs more than refusing them; together they must keep the limits that each of them has to keep.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

MOST_SECONDS = 30.0  # of processor time: with limits it is two or three, without them minutes
MOST_RSS_KB = 500_000
MOST_INPUT_BYTES = 100_000
SYMBOL_LINE = 9
ENDLESS = -9  # the code of what had to be killed

Maker = Callable[[Path], None]


@dataclass(frozen=True)
class Case:
    """One bad input: the theme, files or makers of odd things beside it, and what the program must say."""

    name: str
    theme: bytes | str
    code: int
    words: str
    line: int = SYMBOL_LINE
    files: dict[str, bytes] = field(default_factory=dict)
    make: Maker | None = None
    place: str = ""  # the file named in the message, where it is not the theme

    def write(self, folder: Path) -> Path:
        """Make the folder; returns the theme."""
        home = folder / self.name.replace(" ", "-")
        home.mkdir()
        theme = self.theme if isinstance(self.theme, bytes) else self.theme.encode()
        for name, data in {"theme.yaml": theme, **self.files}.items():
            assert len(data) <= MOST_INPUT_BYTES, f"{self.name}: {name} has {len(data)} bytes"
            (home / name).parent.mkdir(exist_ok=True)
            (home / name).write_bytes(data)
        if self.make:
            self.make(home)
        return home / "theme.yaml"


def with_symbol(symbol: str, head: str = "title: T") -> str:
    """A theme whose seventh symbol, on line 9, is the one given; the head is one line."""
    good = "".join(f"  - {emoji}\n" for emoji in "⚓🐱🐶🍎🍌🚗")
    return f"{head}\nsymbols:\n{good}  - {symbol}\n"


def with_picture(name: str, options: str = "") -> str:
    """A theme whose seventh symbol is a picture file."""
    return with_symbol(f"{{image: {name}{options}}}")


@dataclass(frozen=True)
class Outcome:
    """What a run of the program left: exit code, streams, processor seconds and the largest memory of any process."""

    code: int
    out: str
    err: str
    seconds: float
    rss_kb: int

    def report_of(self, theme: Path) -> dict[str, Any]:
        """What `--json` says about one theme."""
        reports = json.loads(self.out)["results"]
        return next(report for report in reports if report["input"] == str(theme))


def run(
    *arguments: object,
    cwd: Path,
    prelude: str = "",
    longest_s: float = 600.0,
    root: Path = ROOT,
    homes: Mapping[str, str] | None = None,
    **environment: str,
) -> Outcome:
    """Run `dobble-print` after a program `prelude`; processor time and memory count its own children too.

    `root` is the folder of the program, for a comparison with another version of it.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        program = f"{prelude}\nfrom dobble_print.cli.app import main; main()"
        child = subprocess.Popen(
            [sys.executable, "-P", "-c", MEASURED.format(program=program), *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(root), **environment, **(homes or {})},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )
        try:
            code = child.wait(timeout=longest_s)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            return Outcome(ENDLESS, "", "", longest_s, 0)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
    text, _, figures = texts[1].rpartition("\x00")
    seconds, rss_kb = figures.split()
    return Outcome(code, texts[0], text, float(seconds), int(rss_kb))


# The program's exit handlers (which end its worker) run before this, and only then the worker is counted.
MEASURED = """
import atexit, resource, sys
def tell():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    own = int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])  # rusage counts who started it, too
    sys.stderr.write(f"\\0{{seconds}} {{max(own, usages[1].ru_maxrss)}}")
    sys.stderr.flush()
atexit.register(tell)
{program}
"""


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Everything below a folder, with its bytes and times."""
    return {
        str(path.relative_to(folder)): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }


def make_old_result(folder: Path, names: Sequence[str]) -> Path:
    """An output folder with earlier results of these themes."""
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "cards.pdf").write_bytes(b"%PDF-an earlier result")
    return folder


def run_cases(cases: Sequence[Case], folder: Path, command: str = "build", prelude: str = "") -> Outcome:
    """Run all cases in one process and check everything that must hold for each of them."""
    themes = [case.write(folder) for case in cases]
    output = make_old_result(folder / "output", [theme.parent.name for theme in themes])
    before = snapshot(output)
    options = ["--json", *(["-o", output] if command == "build" else [])]
    outcome = run(command, *themes, *options, cwd=folder, prelude=prelude)
    problems = [problem for case, theme in zip(cases, themes, strict=True) for problem in judge(case, theme, outcome)]
    problems += ["output was touched"] if snapshot(output) != before else []
    problems += find_excesses(outcome)
    assert not problems, "\n".join(problems)
    return outcome


def find_excesses(outcome: Outcome) -> list[str]:
    """What no input may cause: a traceback, or more time or memory than there is for it."""
    problems = ["a traceback"] if "Traceback" in outcome.err + outcome.out else []
    problems += [f"{outcome.seconds:.1f} s of processor time"] if outcome.seconds > MOST_SECONDS else []
    problems += [f"{outcome.rss_kb} kB of memory"] if outcome.rss_kb > MOST_RSS_KB else []
    return problems


def run_heavy(case: Case, folder: Path) -> None:
    """Check a theme whose picture is much work: it is done or refused, as the libraries are fast, within the limits."""
    outcome = run("check", case.write(folder), "--json", cwd=folder)
    assert outcome.code == 0 or (outcome.code == case.code and case.words in outcome.err)
    assert not find_excesses(outcome)


def judge(case: Case, theme: Path, outcome: Outcome) -> list[str]:
    """What is wrong with the report on one case: it needs the right exit code and a message with file and line."""
    report = outcome.report_of(theme)
    shown = case.place or f"{theme.parent.name}/theme.yaml"
    fitting = [fault for fault in report["faults"] if case.words in fault["what"]]
    places = [(fault["place"]["file"], fault["place"]["line"]) for fault in fitting if fault["place"]]
    problems = []
    if report["exit_code"] != case.code:
        problems.append(f"{case.name}: exit code {report['exit_code']}")
    if (shown, case.line) not in places or f"{shown}:{case.line}" not in outcome.err:
        problems.append(f"{case.name}: {report['faults'][:5]}")
    return problems
