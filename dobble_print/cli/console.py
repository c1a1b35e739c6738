"""What is printed on a terminal, and how whatever goes wrong with a command's inputs becomes words and an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dobble_print.errors import ExitCode, Fault, explain_exception
from dobble_print.messages import show, write_plain

UNWRITTEN = "cannot write the result"
Plain = dict[str, Any]
Action = Callable[[str], Plain]  # what a command does with one input; returns the result as plain data
STEPS = {
    "theme": "reading the theme",
    "deck": "dealing the cards",
    "artwork": "opening the pictures",
    "layout": "placing the symbols",
    "forms": "preparing the print",
    "sheets": "printing the sheets",
    "pictures": "drawing the cards",
    "preview": "making the preview",
    "booklet": "setting the rules booklet",
    "legend": "setting the legend",
    "proof": "proving the sheets",
    "delivery": "writing the files",
    "preflight": "checking the sheets",
}


RED, YELLOW = "31", "33"


class Console:
    """Progress and messages of one run; `quiet` leaves only faults, `verbose` adds what each step took."""

    def __init__(self, quiet: bool = False, verbose: bool = False) -> None:
        self.quiet, self.verbose = quiet, verbose
        self._status: Any = None

    @property
    def lively(self) -> bool:
        """Whether lines may move: a terminal that a person looks at."""
        return not self.quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def step(self, theme: str, step: str) -> None:
        """Say which step begins, on a terminal as a live line that later vanishes."""
        if not self.lively:
            return
        from rich.console import Console as RichConsole
        from rich.status import Status
        from rich.text import Text

        if self._status is None:
            self._status = Status("", console=RichConsole(stderr=True))
            self._status.start()
        self._status.update(Text(show(f"{theme}: {STEPS[step]} …")))

    def rest(self) -> None:
        """No step is running any more."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def say(self, text: str) -> None:
        """Something a user may like to know."""
        if not self.quiet:
            self._print(text)

    def detail(self, text: str) -> None:
        """Something only a curious user wants to know."""
        if self.verbose:
            self._print(text)

    def suggest(self, text: str) -> None:
        """Say what to do next to a person who sits before a terminal; scripts know that already."""
        if text and sys.stderr.isatty():
            self.say(text)

    def warn(self, faults: Iterable[Fault]) -> None:
        """Doubtful things; the result is still made."""
        for fault in faults:
            if not self.quiet:
                self._print(show(f"warning: {fault}"), YELLOW)

    def remark(self, faults: Iterable[Fault]) -> None:
        """Things that need no change."""
        for fault in faults:
            self.say(show(f"remark: {fault}"))

    def fail(self, faults: Iterable[Fault]) -> None:
        """Faults; they are shown even when quiet."""
        for fault in faults:
            self.complain(str(fault))

    def complain(self, text: str) -> None:
        """Say what is wrong, in one line; even when quiet."""
        self._print(show(text), RED)

    def _print(self, text: str, colour: str = "") -> None:
        self.rest()
        text = "\n".join(map(show, text.split("\n")))
        if colour and sys.stderr.isatty() and "NO_COLOR" not in os.environ:
            text = f"\x1b[{colour}m{text}\x1b[0m"
        print(text, file=sys.stderr, flush=True)


def run_each(
    inputs: Sequence[str], action: Action, console: Console, as_json: bool, debug: bool, keep_code: bool = False
) -> ExitCode:
    """Run a command for every input, print the results, and return the code of it all.

    With `keep_code`, failures of one kind keep their code, however many there are.
    """
    reports: list[Plain] = []
    try:
        for name in inputs:
            reports.append(_run_one(name, action, console, debug))
    finally:  # a run that is interrupted still tells what it finished
        if as_json:
            print(write_plain({"results": reports}, indent=1))
    codes = [ExitCode(report["exit_code"]) for report in reports]
    if len(codes) == 1 or not any(codes):
        return codes[0]
    if keep_code and len(set(filter(None, codes))) == 1:
        return next(filter(None, codes))
    return ExitCode.SOME_FAILED


def _run_one(name: str, action: Action, console: Console, debug: bool) -> Plain:
    report: Plain = {"input": name, "theme": Path(name).stem, "exit_code": ExitCode.OK, "files": [], "faults": []}
    try:
        report |= action(name)
    except BrokenPipeError:
        raise
    except Exception as error:  # reading is guarded where it happens: an OSError is stdout on a full disk
        code, faults = explain_exception(error, UNWRITTEN)
        report |= {"exit_code": code, "faults": [fault.as_dict() for fault in faults]}
        console.fail(faults)
        if debug:
            traceback.print_exc()
    finally:
        console.rest()
    return report


def print_lines(*lines: object) -> None:
    """Print results on standard output, such as paths, each on a line of its own that a terminal acts on in no way."""
    print(*(show(str(line)) for line in lines), sep="\n", flush=True)


@contextmanager
def guard(debug: bool = False) -> Iterator[None]:
    """Turn whatever a command raises into its exit code, with a message instead of a traceback."""
    try:
        yield
    except KeyboardInterrupt:
        print("interrupted; nothing was left half-written", file=sys.stderr)
        sys.exit(ExitCode.INTERRUPTED)
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(ExitCode.OK)
    except Exception as error:
        code, faults = explain_exception(error, UNWRITTEN)
        Console().fail(faults)
        if debug and code is ExitCode.BUG:
            traceback.print_exc()
        sys.exit(code)
