"""What people and programs see of a batch: one live line for each running job on a terminal, plain lines elsewhere,
or events as JSON, one a line.

Invariant: standard output carries the events or, without `--json`, the table at the end; everything else goes to
standard error.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

from dobble_print.batch.jobs import Outcome
from dobble_print.batch.reports import read_fault
from dobble_print.console import STEPS, Board, Console
from dobble_print.messages import show

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
