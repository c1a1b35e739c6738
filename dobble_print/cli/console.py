"""What is printed on a terminal: messages, steps, progress of a batch."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any

from dobble_print.errors import Fault
from dobble_print.messages import show

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
        if self.lively:
            self._show(f"{theme}: {STEPS[step]} …")

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

    def warn(self, faults: Iterable[Fault]) -> None:
        """Doubtful things; the result is still made."""
        for fault in faults:
            if not self.quiet:
                self._print(show(f"warning: {fault}"), "yellow")

    def fail(self, faults: Iterable[Fault]) -> None:
        """Faults; they are shown even when quiet."""
        for fault in faults:
            self._print(show(str(fault)), "red")

    def _show(self, text: str) -> None:
        if self._status is None:
            from rich.console import Console as RichConsole
            from rich.status import Status

            self._status = Status("", console=RichConsole(stderr=True))
            self._status.start()
        from rich.text import Text

        self._status.update(Text(show(text)))

    def _print(self, text: str, colour: str = "") -> None:
        self.rest()
        text = "\n".join(map(show, text.split("\n")))
        if colour and sys.stderr.isatty() and "NO_COLOR" not in os.environ:
            code = {"red": "31", "yellow": "33"}[colour]
            text = f"\x1b[{code}m{text}\x1b[0m"
        print(text, file=sys.stderr, flush=True)
