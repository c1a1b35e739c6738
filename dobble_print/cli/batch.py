"""Run a batch or a hot folder, and report on the terminal how it goes and how it went."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dobble_print import __version__
from dobble_print.batch.cluster import count_workers, open_workers
from dobble_print.batch.hot_folder import HotFolder
from dobble_print.batch.jobs import BatchOptions, GangTask, InvalidJob, Job, Outcome, list_jobs
from dobble_print.batch.reports import sweep_parts, write_json
from dobble_print.batch.scheduler import Scheduler, describe_outcome, shard_jobs
from dobble_print.cli.console import STEPS, Board, Console
from dobble_print.errors import ExitCode, Fault, InvalidValue, OutputError, UsageError
from dobble_print.files import deliver
from dobble_print.messages import quote, show
from dobble_print.theme.profiles import find_profile

MOST_LINES = 12


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
        """Show that a running job begins a step."""
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
            faults = [Fault.from_dict(each) for each in event["faults"]]
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
        return f"{words}, about {_format_time(left)} left"


def _format_time(seconds: float) -> str:
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
            options.output_profile.open("rb").close()
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
        console.warn(list_renamed(jobs))
    progress = Progress(console, as_json, len(jobs) + asked.build.gang)
    outcomes: list[Outcome] = []
    is_told = False
    try:
        count, many = min(workers, max(len(jobs), 1)), len(jobs) >= MANY_JOBS
        with open_workers(count, asked.cluster, progress.step, many) as pool:
            scheduler = Scheduler(pool, asked, progress.tell, outcomes)
            scheduler.run(jobs)
            if asked.build.gang:
                run_gang(scheduler)
    finally:
        progress.close()
        over = {outcome.id for outcome in outcomes}
        left = [job.id for job in jobs if job.id not in over]
        is_told = write_summary(asked, outcomes, progress, left)
    return _sum_up(outcomes, is_told)


def list_renamed(jobs: Iterable[Job | InvalidJob]) -> list[Fault]:
    """Jobs whose ids had to change to be names of files on every system."""
    renamed = [job for job in jobs if isinstance(job, Job) and job.asked and job.id != job.asked]
    return [Fault(f"the id {quote(job.asked)} becomes {quote(job.id)}", place=job.place) for job in renamed]


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
    is_told = False
    try:
        with open_workers(workers, asked.cluster, progress.step, not once) as pool:
            hot.watch(Scheduler(pool, replace(asked, retry_failed=True), hot.finish, outcomes), once)
    finally:
        progress.close()
        is_told = write_summary(asked, outcomes, progress)
    return _sum_up(outcomes, is_told)


def _sum_up(outcomes: Sequence[Outcome], is_told: bool) -> ExitCode:
    """Return the code of the whole run; a run of which nobody can read the summary is none."""
    if any(each.status == "failed" for each in outcomes):
        return ExitCode.SOME_FAILED
    return ExitCode.OK if is_told else ExitCode.OUTPUT


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


def run_gang(scheduler: Scheduler) -> None:
    """Print the cards of all jobs that went well on shared sheets, in the order of the list."""
    tasks = scheduler.tasks
    members = tuple(tasks[outcome.id] for outcome in scheduler.outcomes if outcome.id in tasks)
    if not members:
        return
    absent = tuple(outcome.id for outcome in scheduler.outcomes if outcome.id not in tasks)
    key = hashlib.sha256("".join([*(member.inputs for member in members), *absent]).encode()).hexdigest()
    first = members[0]
    job = Job("gang", first.job.theme, first.job.options)
    sheets = replace(first, job=job, inputs=key, shown=" + ".join(member.job.id for member in members))
    scheduler.finish_gang(sheets, GangTask(members, absent))


def write_summary(
    asked: BatchOptions, outcomes: Sequence[Outcome], progress: Progress, left: Sequence[str] = ()
) -> bool:
    """Print the table, and write `batch.json` beside the jobs' folders, if that can be written.

    `left` are jobs that an interrupted run did not get to.
    """
    seconds = progress.seconds
    part, parts = read_shard(asked.shard)
    name = "batch.json" if parts == 1 else f"batch-{part}of{parts}.json"
    counts = count_outcomes(outcomes)
    content: dict[str, Any] = {
        "program": f"dobble-print {__version__}",
        **counts,
        "left": len(left),
        "left_jobs": list(left),
        "jobs": [_describe(each) for each in outcomes],
        "times": {"wall_s": seconds, "cpu_s": round(sum(each.cpu_s for each in outcomes), 3)},
    }
    path, is_told = None, True
    try:  # a run without any job must not wipe out what the last one told
        path = deliver(asked.build.output, {name: write_json(content)})[0] if outcomes else None
    except OutputError as error:
        progress.console.fail(error.faults)
        is_told = False
    if progress.as_json:
        end = {"event": "end", **counts, "left": len(left), "seconds": seconds, "report": path and str(path)}
        print(json.dumps(end), flush=True)
        return is_told
    print(*(write_table(outcomes) if outcomes else ()), sep="\n", end="\n" if outcomes else "")
    told = f"{counts['done']} done, {counts['skipped']} skipped (unchanged), {counts['failed']} failed"
    print(f"{told}{f', {len(left)} left' if left else ''} in {seconds:.1f} s", flush=True)
    if path:
        print(path, flush=True)
    return is_told


def _describe(outcome: Outcome) -> dict[str, Any]:
    event = describe_outcome(outcome)
    times = {key: event.pop(key) for key in ("seconds", "cpu_s", "peak_mb") if key in event}
    return {"id": event.pop("job"), "status": event.pop("event"), **event, "reason": outcome.reason, "times": times}
