"""Run a batch or a hot folder, and report on the terminal how it goes and how it went."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dobble_print import __version__
from dobble_print.batch.cluster import count_workers, open_workers
from dobble_print.batch.hot_folder import HotFolder
from dobble_print.batch.jobs import BatchOptions, InvalidJob, Job, Outcome, list_jobs
from dobble_print.batch.reports import sweep_parts, write_json
from dobble_print.batch.scheduler import Scheduler, shard_jobs
from dobble_print.cli.console import STEPS, Console, print_lines
from dobble_print.errors import ExitCode, Fault, InvalidValue, OutputError, UsageError
from dobble_print.files import deliver, open_named
from dobble_print.messages import quote, show, write_plain
from dobble_print.theme.profiles import find_profile
from dobble_print.units import show_count

if TYPE_CHECKING:
    from rich.live import Live

MOST_LINES = 12


class Progress:
    """Tells the events of a run as they come, from any thread; on a terminal also some live lines at its foot."""

    def __init__(self, console: Console, as_json: bool, total: int | None) -> None:
        self.console, self.as_json, self.total = console, as_json, total
        self.counts = {"done": 0, "skipped": 0, "failed": 0}
        self._steps: dict[str, tuple[str, float]] = {}
        self._over: set[str] = set()
        self._since = time.monotonic()
        self._lock = threading.Lock()
        self._live = self._open_board() if console.lively and not as_json else None

    def _open_board(self) -> Live:
        """Show lines that are asked for again and again, from a thread, so that clocks on them move."""
        from rich.console import Console as Screen
        from rich.live import Live
        from rich.text import Text

        def render() -> Text:
            return Text("\n".join(self._list_lines()), no_wrap=True, overflow="ellipsis")

        screen = Screen(stderr=True)
        live = Live(get_renderable=render, console=screen, refresh_per_second=2, transient=True, redirect_stdout=False)
        live.start()
        return live

    def tell(self, event: dict[str, Any]) -> None:
        """Something happened to a job."""
        with self._lock:
            kind, job = event["event"], event.get("job", "")
            if kind in self.counts:
                self.counts[kind] += 1
                self._steps.pop(job, None)
                self._over.add(job)
                self._say_outcome(event)
            elif kind == "begin":
                pass
            elif kind == "queued":
                self._over.discard(job)
            elif kind == "ignored":
                self._print(f"{job}: ignored; {event['reason']}")
            elif job not in self._over:  # what a far worker says may come late
                since = self._steps.get(job, ("", time.monotonic()))[1]
                self._steps[job] = (event["step"], since)
            if self.as_json:
                print(write_plain(event), flush=True)

    @property
    def seconds(self) -> float:
        """How long the run has taken so far."""
        return round(time.monotonic() - self._since, 3)

    def step(self, job: str, step: str) -> None:
        """Show that a running job begins a step."""
        self.tell({"event": "step", "job": job, "step": step})

    def close(self) -> None:
        """No more live lines."""
        with self._lock:
            if self._live:
                self._live.stop()
                self._live = None

    def _say_outcome(self, event: dict[str, Any]) -> None:
        job, kind = event["job"], event["event"]
        count = f"[{sum(self.counts.values())}/{self.total}] " if self.total else ""
        if kind == "failed":
            faults = [f"  {Fault.from_dict(each)}" for each in event["faults"]]
            self._print(f"{count}{job}: failed", *faults, even_quiet=True)
        elif kind == "skipped":
            self._print(f"{count}{job}: unchanged")
        else:
            doubts = f", {show_count(event['warnings'], 'warning')} (see its log)" if event["warnings"] else ""
            self._print(f"{count}{job}: done in {event['seconds']:.1f} s{doubts}")

    def _print(self, *lines: str, even_quiet: bool = False) -> None:
        if self.as_json or (self.console.quiet and not even_quiet):
            return
        for line in map(show, lines):
            if self._live:
                self._live.console.print(line, markup=False, emoji=False, highlight=False)
            else:
                print(line, file=sys.stderr, flush=True)

    def _list_lines(self) -> list[str]:
        now, steps = time.monotonic(), list(self._steps.items())[:MOST_LINES]
        running = [f"  {job}: {STEPS.get(step, step)} … {now - since:.0f} s" for job, (step, since) in steps]
        finished, built = sum(self.counts.values()), self.counts["done"] + self.counts["failed"]
        words = f"{finished} of {self.total} jobs" if self.total else f"{finished} jobs"
        words += f" ({self.counts['failed']} failed)" if self.counts["failed"] else ""
        if self.total and built:
            left = (now - self._since) / built * (self.total - finished)
            words += f", about {f'{left:.0f} s' if left < 90 else f'{left / 60:.0f} min'} left"
        return [*running, words]


def write_table(outcomes: Sequence[Outcome]) -> list[str]:
    """How every job went, a line each: done, skipped (unchanged), failed with the reason."""
    rows = [["job", "result", "deck", "cards", "sheets", "seconds", ""]]
    for each in outcomes:
        figures = [str(each.deck.get(name, "")) for name in ("id", "cards", "sheets")]
        seconds = f"{each.times['seconds']:.1f}" if each.status == "done" else ""
        rows.append([each.id, each.status, *figures, seconds, "unchanged" if each.status == "skipped" else each.reason])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


MOST_TIMEOUT_S = 86_400.0
MANY_JOBS = 4  # from here on it pays to prepare workers thoroughly


def check_options(asked: BatchOptions) -> None:
    """Refuse what no job could be made with, and profiles that are not there, before any job is looked at."""
    options = asked.build
    options.check()
    options.theme_values()
    try:
        if options.profile:
            find_profile(options.profile, Path())
        if options.output_profile:
            open_named(options.output_profile).close()
    except InvalidValue as refusal:
        raise UsageError(Fault(f"--profile: {refusal.what}", refusal.hint)) from None
    except OSError as error:
        what = f"--output-profile: {options.output_profile} cannot be read ({error.strerror})"
        raise UsageError(Fault(what, "Give the ICC profile that the print shop named.")) from None
    if asked.timeout_s is not None and not 1 <= asked.timeout_s <= MOST_TIMEOUT_S:
        raise UsageError(Fault(f"--timeout: {asked.timeout_s:g} seconds", f"Give 1 to {MOST_TIMEOUT_S:g}."))


def run_batch(names: Sequence[str], asked: BatchOptions, console: Console, as_json: bool) -> ExitCode:
    """Make every job, report how each went, and write it all down."""
    check_options(asked)
    workers, part = count_workers(asked.workers), read_shard(asked.shard)
    if not names:
        raise UsageError(Fault("there are no jobs", "Name themes, folders or job lists, or a folder with --watch."))
    jobs = shard_jobs(list_jobs(names, asked.build), *part)
    prepare_output(asked.build.output)
    if not as_json:
        console.warn([*list_renamed(jobs), *list_passed_on(jobs)])
    progress = Progress(console, as_json, len(jobs) + asked.build.gang)
    outcomes: list[Outcome] = []
    try:
        count, many = min(workers, max(len(jobs), 1)), len(jobs) >= MANY_JOBS
        with open_workers(count, asked.cluster, progress.step, many) as pool:
            Scheduler(pool, asked, progress.tell, outcomes).run(jobs)
    finally:
        over = {outcome.id for outcome in outcomes}
        code = write_summary(asked, outcomes, progress, [job.id for job in jobs if job.id not in over])
    return code


def list_renamed(jobs: Iterable[Job | InvalidJob]) -> list[Fault]:
    """Jobs whose ids had to change to be names of files on every system."""
    renamed = [job for job in jobs if isinstance(job, Job) and job.asked and job.id != job.asked]
    return [Fault(f"the id {quote(job.asked)} becomes {quote(job.id)}", place=job.place) for job in renamed]


def list_passed_on(jobs: Iterable[Job | InvalidJob]) -> list[Fault]:
    """Columns that are none of ours: somebody may have meant one of ours by them."""
    places = [(name, job.place) for job in jobs if isinstance(job, Job) for name, _ in job.options.passed_on]
    own = {name: place and replace(place, line=1) for name, place in places}
    what = "is none of ours: its cells go into the reports and the pick list as they are"
    return [
        Fault(f"the column {quote(name)} {what}", place=place and replace(place, line=1)) for name, place in own.items()
    ]


def run_watch(
    folder: Path, names: Sequence[str], asked: BatchOptions, console: Console, as_json: bool, once: bool
) -> ExitCode:
    """Build whatever is dropped into a folder; the same theme dropped again is tried again."""
    if names or asked.build.gang or asked.shard:
        raise UsageError(Fault("--watch takes its jobs from the folder alone", "Leave out jobs, --gang and --shard."))
    check_options(asked)
    workers = count_workers(asked.workers)
    prepare_output(asked.build.output)
    progress = Progress(console, as_json, None)
    hot = HotFolder(folder, asked.build, progress.tell)
    outcomes: list[Outcome] = []
    try:
        with open_workers(workers, asked.cluster, progress.step, not once) as pool:
            hot.watch(Scheduler(pool, replace(asked, retry_failed=True), hot.finish, outcomes), once)
    finally:
        code = write_summary(asked, outcomes, progress)
    return code


def read_shard(text: str | None) -> tuple[int, int]:
    """`2/5`: the second of five parts."""
    found = re.fullmatch(r"\s*(\d{1,4})\s*/\s*(\d{1,4})\s*", text or "1/1")
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError(Fault(f'--shard: "{text}" is no part', "Write 2/5 for the second of five parts."))
    return int(found[1]), int(found[2])


def prepare_output(folder: Path) -> None:
    """Make the folder of results, and see that it is writable before hours of work are put into it."""
    probe = folder / f".probe.{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        sweep_parts(folder)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        hint = "Choose another folder with --output, or ask for the right to write there."
        raise OutputError(Fault(f"cannot write to {folder} ({error.strerror})", hint)) from None


def write_summary(
    asked: BatchOptions, outcomes: Sequence[Outcome], progress: Progress, left: Sequence[str] = ()
) -> ExitCode:
    """Print the table, and write `batch.json` beside the jobs' folders, if that can be written; return the exit code.

    `left` are jobs that an interrupted run did not get to.
    """
    progress.close()
    seconds = progress.seconds
    part, parts = read_shard(asked.shard)
    name = "batch.json" if parts == 1 else f"batch-{part}of{parts}.json"
    counts = {status: sum(each.status == status for each in outcomes) for status in ("done", "skipped", "failed")}
    content: dict[str, Any] = {
        "program": f"dobble-print {__version__}",
        **counts,
        "left": len(left),
        "left_jobs": list(left),
        "jobs": [_describe(each) for each in outcomes],
        "times": {"wall_s": seconds, "cpu_s": round(sum(each.times["cpu_s"] for each in outcomes), 3)},
    }
    path, code = None, ExitCode.OK
    try:  # a run without any job must not wipe out what the last one told
        path = deliver(asked.build.output, {name: write_json(content)})[0] if outcomes else None
    except OutputError as error:  # a run of which nobody can read the summary is none
        progress.console.fail(error.faults)
        code = ExitCode.OUTPUT
    if progress.as_json:
        end = {"event": "end", **counts, "left": len(left), "seconds": seconds, "report": path and str(path)}
        print(write_plain(end), flush=True)
    else:
        told = f"{counts['done']} done, {counts['skipped']} skipped (unchanged), {counts['failed']} failed"
        told += f"{f', {len(left)} left' if left else ''} in {seconds:.1f} s"
        print_lines(*(write_table(outcomes) if outcomes else ()), told, *([path] if path else []))
    return ExitCode.SOME_FAILED if counts["failed"] else code


def _describe(outcome: Outcome) -> dict[str, Any]:
    times = {} if outcome.status == "failed" else outcome.times
    told = {"id": outcome.id, "status": outcome.status, **outcome.as_dict()}
    return {**told, "reason": outcome.reason, "times": times}
