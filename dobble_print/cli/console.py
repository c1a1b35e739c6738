"""What is printed on a terminal: messages, steps, progress of a batch."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dobble_print.batch.jobs import Outcome
from dobble_print.batch.reports import read_fault
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
        self.seconds: dict[str, float] = {}
        self._step: tuple[str, float] | None = None
        self._status: Any = None

    @property
    def lively(self) -> bool:
        """Whether lines may move: a terminal that a person looks at."""
        return not self.quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def begin(self) -> None:
        """A new theme: forget the last one's times."""
        self.seconds = {}

    def step(self, theme: str, step: str) -> None:
        """Say which step begins, on a terminal as a live line that later vanishes."""
        self._close_step()
        self._step = (step, time.perf_counter())
        if self.lively:
            self._show(f"{theme}: {STEPS[step]} …")

    def rest(self) -> None:
        """No step is running any more."""
        self._close_step()
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

    def _close_step(self) -> None:
        if self._step:
            name, since = self._step
            self.seconds[name] = round(time.perf_counter() - since, 3)
            self._step = None

    def _print(self, text: str, colour: str = "") -> None:
        self.rest()
        text = "\n".join(map(show, text.split("\n")))
        if colour and sys.stderr.isatty() and "NO_COLOR" not in os.environ:
            code = {"red": "31", "yellow": "33"}[colour]
            text = f"\x1b[{code}m{text}\x1b[0m"
        print(text, file=sys.stderr, flush=True)


class Board:
    """Some live lines at the foot of a terminal, above which other lines pass by; it vanishes at the end.

    `list_lines` is asked again and again, from a thread, so that clocks on it move.
    """

    def __init__(self, list_lines: Callable[[], list[str]]) -> None:
        from rich.console import Console as RichConsole
        from rich.live import Live
        from rich.text import Text

        def render() -> Text:
            return Text("\n".join(list_lines()), no_wrap=True, overflow="ellipsis")

        screen = RichConsole(stderr=True)
        self._live = Live(
            get_renderable=render, console=screen, refresh_per_second=2, transient=True, redirect_stdout=False
        )
        self._live.start()

    def say(self, text: str) -> None:
        """A line that stays."""
        from rich.text import Text

        self._live.console.print(Text(text))

    def close(self) -> None:
        """Take the lines away."""
        self._live.stop()


MOST_LINES = 12
MOST_WARNINGS = 1


class Progress:
    """Tells the events of a run as they come, from any thread."""

    def __init__(self, console: Console, as_json: bool, total: int | None) -> None:
        self.console, self.as_json, self.total = console, as_json, total
        self.counts = {"done": 0, "skipped": 0, "failed": 0}
        self._steps: dict[str, tuple[str, float]] = {}
        self._over: set[str] = set()
        self._since = time.monotonic()
        self._lock = threading.Lock()
        self._board = Board(self._list_lines) if console.lively and not as_json else None

    def tell(self, event: dict[str, Any]) -> None:
        """Something happened to a job."""
        with self._lock:
            kind, job = event["event"], event["job"]
            if kind in self.counts:
                self.counts[kind] += 1
                self._steps.pop(job, None)
                self._over.add(job)
                self._say_outcome(event)
            elif kind == "queued":
                self._over.discard(job)
            elif kind == "ignored":
                self._print([f"{job}: ignored; {event['reason']}"])
            elif job not in self._over:  # what a far worker says may come late
                since = self._steps.get(job, ("", time.monotonic()))[1]
                self._steps[job] = (event["step"], since)
            if self.as_json:
                print(json.dumps(event, ensure_ascii=False), flush=True)

    @property
    def seconds(self) -> float:
        """How long the run has taken so far."""
        return round(time.monotonic() - self._since, 3)

    def step(self, job: str, step: str) -> None:
        """A running job begins a step."""
        self.tell({"event": "step", "job": job, "step": step})

    def close(self) -> None:
        """No more live lines."""
        with self._lock:
            if self._board:
                self._board.close()
                self._board = None

    def _say_outcome(self, event: dict[str, Any]) -> None:
        job, kind = event["job"], event["event"]
        if kind == "failed":
            faults = [read_fault(each) for each in event["faults"]]
            self._print([f"{self._count()}{job}: failed", *(f"  {fault}" for fault in faults)], even_quiet=True)
        elif kind == "skipped":
            self._print([f"{self._count()}{job}: unchanged"])
        else:
            doubts = f", {event['warnings']} warnings (see its log)" if event["warnings"] else ""
            self._print([f"{self._count()}{job}: done in {event['seconds']:.1f} s{doubts}"])

    def _count(self) -> str:
        finished = sum(self.counts.values())
        return f"[{finished}/{self.total}] " if self.total else ""

    def _print(self, lines: Sequence[str], even_quiet: bool = False) -> None:
        if self.as_json or (self.console.quiet and not even_quiet):
            return
        for line in map(show, lines):
            if self._board:
                self._board.say(line)
            else:
                print(line, file=sys.stderr, flush=True)

    def _list_lines(self) -> list[str]:
        now = time.monotonic()
        running = [
            f"  {job}: {STEPS.get(step, step)} … {now - since:.0f} s"
            for job, (step, since) in list(self._steps.items())[:MOST_LINES]
        ]
        return [*running, self._sum_up(now)]

    def _sum_up(self, now: float) -> str:
        finished, built = sum(self.counts.values()), self.counts["done"] + self.counts["failed"]
        words = f"{finished} of {self.total} jobs" if self.total else f"{finished} jobs"
        words += f" ({self.counts['failed']} failed)" if self.counts["failed"] else ""
        if not self.total or not built:
            return words
        left = (now - self._since) / built * (self.total - finished)
        return f"{words}, about {_tell_time(left)} left"


def _tell_time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def write_table(outcomes: Sequence[Outcome]) -> list[str]:
    """How every job went, a line each: done, skipped (unchanged), failed with the reason."""
    rows = [("job", "result", "deck", "cards", "sheets", "seconds", "")]
    for each in outcomes:
        figures = [str(each.deck.get(name, "")) for name in ("id", "cards", "sheets")]
        seconds = f"{each.seconds:.1f}" if each.status == "done" else ""
        reason = "unchanged" if each.status == "skipped" else each.reason
        rows.append((each.id, each.status, *figures, seconds, reason))  # type: ignore[arg-type]
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[6]]).rstrip()
        for row in rows
    ]


def count_outcomes(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """How many jobs are done, skipped and failed."""
    return {status: sum(each.status == status for each in outcomes) for status in ("done", "skipped", "failed")}
