"""All jobs of a batch through one executor: what is unchanged is skipped, results are delivered as they come.

Invariant: one bad job never stops the others; what is told about a job has happened to its folder already. Only this
process writes results; workers only make them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, field
from typing import Any

from dobble_print.batch.cluster import DEATH_HINT, Workers
from dobble_print.batch.inputs import make_task
from dobble_print.batch.jobs import BatchOptions, GangTask, InvalidJob, Job, Outcome, Task, TaskResult
from dobble_print.batch.reports import find_finished, sweep_parts, write_refusal, write_result
from dobble_print.cache import Cache
from dobble_print.errors import DobbleError, ExitCode, Fault, explain_exception

WAITING_EACH = 2  # tasks sent ahead for each worker, so that none waits and memory holds few
Event = dict[str, Any]
OnEvent = Callable[[Event], None]


@dataclass
class Scheduler:
    """One run: jobs in, outcomes out, every event told."""

    workers: Workers
    options: BatchOptions
    on_event: OnEvent
    outcomes: list[Outcome] = field(default_factory=list)
    tasks: dict[str, Task] = field(default_factory=dict)  # of jobs whose cards are still to be printed, by id
    _running: dict[Future[TaskResult], Task] = field(default_factory=dict)

    @property
    def cache(self) -> Cache | None:
        """Where workers keep artwork and layouts, if they do."""
        return Cache() if self.options.use_cache else None

    def run(self, jobs: Sequence[Job | InvalidJob]) -> list[Outcome]:
        """Every job, in order of the list as far as workers allow."""
        for job in jobs:
            self.collect(0)
            while not self.has_room:
                self.collect()
            self.start(job)
        while self._running:
            self.collect()
        order = {job.id: number for number, job in enumerate(jobs)}
        self.outcomes.sort(key=lambda outcome: order[outcome.id])
        return self.outcomes

    @property
    def has_room(self) -> bool:
        """Whether another job may be sent ahead."""
        return len(self._running) < self.workers.count * WAITING_EACH

    def finish_gang(self, sheets: Task, gang: GangTask) -> None:
        """Print the sheets that jobs share, after all of them; `sheets` is what their report is about."""
        job = sheets.job
        sweep_parts(job.folder)
        known = None if self.options.force else find_finished(sheets, self.options.retry_failed)
        if known:
            self._finish(known)
            return
        self.on_event({"event": "queued", "job": job.id})
        timeout_s = self.options.timeout_s and self.options.timeout_s * len(gang.tasks)
        future = self.workers.executor.submit(self.workers.run_job, gang, timeout_s)
        self._running[future] = sheets
        self.collect()

    def start(self, job: Job | InvalidJob) -> None:
        """Send a job to the workers, unless it is done already or no job at all."""
        if isinstance(job, InvalidJob):
            self._finish(Outcome(job.id, "failed", faults=job.faults, code=ExitCode.USAGE))
            return
        try:
            sweep_parts(job.folder)
            task = make_task(job, self.cache, self.workers.travels, self.options.build.gang)
        except Exception as error:  # whatever an untrusted file does to its reader
            self._fail(job, error)
            return
        known = None if self.options.force else find_finished(task, self.options.retry_failed)
        if known:
            self._finish(known, task)
            return
        self.on_event({"event": "queued", "job": job.id})
        future = self.workers.executor.submit(self.workers.run_job, task, self.options.timeout_s)
        self._running[future] = task

    def collect(self, most_s: float | None = None) -> None:
        """Deliver what is finished, waiting so long at most for something to be."""
        if not self._running and most_s:
            time.sleep(most_s)
        done, _ = wait(self._running, most_s, FIRST_COMPLETED)
        for future in done:
            task = self._running.pop(future)
            try:
                self._finish(write_result(task, _take(future)), task)
            except (DobbleError, OSError) as error:
                self._fail(task.job, error)

    def _fail(self, job: Job, error: Exception) -> None:
        """Report a job that has no result to write, or whose result cannot be written."""
        code, faults = explain_exception(error, f"{job.theme} cannot be read", ExitCode.USAGE)
        self._finish(write_refusal(job, faults, code))

    def _finish(self, outcome: Outcome, task: Task | None = None) -> None:
        self.outcomes.append(outcome)
        if self.options.build.gang and task and outcome.status != "failed":
            self.tasks[outcome.id] = task
        self.on_event(describe_outcome(outcome))


def _take(future: Future[TaskResult]) -> TaskResult:
    """Return what a worker made, or why there is nothing: its machine may be gone."""
    try:
        return future.result()
    except (KeyboardInterrupt, SystemExit):
        raise
    except (Exception, CancelledError) as error:
        fault = Fault(f"its worker is gone ({type(error).__name__}: {error})", DEATH_HINT)
        return TaskResult.make_failure(ExitCode.SOME_FAILED, [fault])


def describe_outcome(outcome: Outcome) -> Event:
    """Return an outcome as an event."""
    event: Event = {"event": outcome.status, "job": outcome.id, "folder": outcome.folder}
    if outcome.status == "failed":
        return event | {"exit_code": int(outcome.code), "faults": [fault.as_dict() for fault in outcome.faults]}
    return event | {
        "files": list(outcome.files),
        "deck": dict(outcome.deck),
        "warnings": outcome.warnings,
        "seconds": outcome.seconds,
        "cpu_s": outcome.cpu_s,
        "peak_mb": outcome.peak_mb,
    }


def shard_jobs(jobs: Iterable[Job | InvalidJob], part: int, parts: int) -> list[Job | InvalidJob]:
    """Every so-manieth job: all parts together are all jobs, each once."""
    return [job for number, job in enumerate(jobs) if number % parts == part - 1]
