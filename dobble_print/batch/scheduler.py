"""All jobs of a batch through one executor: what is unchanged is skipped, results are delivered as they come.

Invariant: one bad job never stops the others; what is told about a job has happened to its folder already. Only this
process writes results; workers only make them.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, field
from typing import Any

from dobble_print.batch.cluster import DEATH_HINT, Workers
from dobble_print.batch.inputs import make_task
from dobble_print.batch.jobs import BatchOptions, InvalidJob, Job, Outcome, Task, TaskResult
from dobble_print.batch.reports import find_finished, sweep_parts, verify_answer, write_refusal, write_result
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

    def run(self, jobs: Sequence[Job | InvalidJob]) -> None:
        """Every job, in order of the list as far as workers allow; then the sheets that they share, if they do."""
        names = [job.id for job in jobs]
        self.on_event({"event": "begin", "total": len(names) + self.options.build.gang, "jobs": names})
        for job in jobs:
            self.collect(0)
            while not self.has_room:
                self.collect()
            self.start(job)
        while self._running:
            self.collect()
        order = {job.id: number for number, job in enumerate(jobs)}
        self.outcomes.sort(key=lambda outcome: order[outcome.id])
        if self.tasks:
            self._print_gang(tuple(self.tasks[outcome.id] for outcome in self.outcomes if outcome.id in self.tasks))

    @property
    def has_room(self) -> bool:
        """Whether another job may be sent ahead."""
        return len(self._running) < self.workers.count * WAITING_EACH

    def _print_gang(self, members: tuple[Task, ...]) -> None:
        """Print the cards of all jobs that went well on shared sheets, in the order of the list."""
        absent = tuple(outcome.id for outcome in self.outcomes if outcome.id not in self.tasks)
        key = hashlib.sha256("".join([*(member.inputs for member in members), *absent]).encode()).hexdigest()
        first, shown = members[0], " + ".join(member.job.id for member in members)
        job = Job("gang", first.job.theme, first.job.options)
        sweep_parts(job.folder)
        self._send(Task(job, first.program, key, "", shown, cache=first.cache, gang=members, absent=absent))
        self.collect()

    def start(self, job: Job | InvalidJob) -> None:
        """Send a job to the workers, unless it is done already or no job at all."""
        if isinstance(job, InvalidJob):
            self._finish(Outcome(job.id, "failed", faults=job.faults, code=ExitCode.USAGE))
            return
        try:
            sweep_parts(job.folder)
            cache = Cache() if self.options.use_cache else None
            task = make_task(job, cache, self.workers.travels, self.options.build.gang)
        except Exception as error:  # whatever an untrusted file does to its reader
            self._fail(job, error)
            return
        self._send(task)

    def _send(self, task: Task) -> None:
        """Have a task done, unless it is done already."""
        known = None if self.options.force else find_finished(task, self.options.retry_failed)
        if known:
            self._finish(known, task)
            return
        self.on_event({"event": "queued", "job": task.job.id})
        timeout_s = self.options.timeout_s and self.options.timeout_s * max(1, len(task.gang))
        self._running[self.workers.executor.submit(self.workers.run_job, task, timeout_s)] = task

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
        self._finish(write_refusal(job, TaskResult(code, faults)))

    def _finish(self, outcome: Outcome, task: Task | None = None) -> None:
        self.outcomes.append(outcome)
        if self.options.build.gang and task and outcome.status != "failed":
            self.tasks[outcome.id] = task
        times = {} if outcome.status == "failed" else outcome.times
        self.on_event({"event": outcome.status, "job": outcome.id, **outcome.as_dict(), **times})


def _take(future: Future[TaskResult]) -> TaskResult:
    """Return what a worker made, or why there is nothing: its machine may be gone."""
    try:
        return verify_answer(future.result())
    except (KeyboardInterrupt, SystemExit):
        raise
    except (Exception, CancelledError) as error:
        fault = Fault(f"its worker is gone ({type(error).__name__}: {error})", DEATH_HINT)
        return TaskResult(ExitCode.SOME_FAILED, (fault,))


def shard_jobs(jobs: Iterable[Job | InvalidJob], part: int, parts: int) -> list[Job | InvalidJob]:
    """Every so-manieth job: all parts together are all jobs, each once."""
    return [job for number, job in enumerate(jobs) if number % parts == part - 1]
