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

from dobble_print.batch.cluster import Crew
from dobble_print.batch.inputs import make_parcel
from dobble_print.batch.isolation import DEATH_HINT
from dobble_print.batch.jobs import Delivery, GangParcel, Job, Misfit, Outcome, Parcel
from dobble_print.batch.reports import enter, enter_refusal, find_finished, sweep_parts
from dobble_print.cache import Cache
from dobble_print.errors import DobbleError, ExitCode, Fault, explain_exception

WAITING_EACH = 2  # parcels sent ahead for each worker, so that none waits and memory holds few
Event = dict[str, Any]
Tell = Callable[[Event], None]


@dataclass(frozen=True)
class Settings:
    """How a batch is run."""

    timeout_s: float | None = None
    cache: Cache | None = None
    force: bool = False
    retry_failed: bool = False
    only_boxes: bool = False  # cards are printed later, on shared sheets


@dataclass
class Conductor:
    """One run: jobs in, outcomes out, every event told."""

    crew: Crew
    settings: Settings
    tell: Tell
    outcomes: list[Outcome] = field(default_factory=list)
    parcels: dict[str, Parcel] = field(default_factory=dict)  # of jobs whose cards are still to be printed, by id
    _running: dict[Future[Delivery], Parcel] = field(default_factory=dict)

    def run(self, jobs: Sequence[Job | Misfit]) -> list[Outcome]:
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
        return len(self._running) < self.crew.workers * WAITING_EACH

    def finish_gang(self, page: Parcel, gang: GangParcel) -> None:
        """The sheets that jobs share, after all of them; `page` is how the ledger knows them."""
        job = page.job
        sweep_parts(job.folder)
        known = None if self.settings.force else find_finished(page, self.settings.retry_failed)
        if known:
            self._finish(known)
            return
        self.tell({"event": "queued", "job": job.id})
        timeout_s = self.settings.timeout_s and self.settings.timeout_s * len(gang.parcels)
        future = self.crew.executor.submit(self.crew.run_job, gang, timeout_s)
        self._running[future] = page
        self.collect()

    def start(self, job: Job | Misfit) -> None:
        """Send a job to the workers, unless it is done already or no job at all."""
        if isinstance(job, Misfit):
            self._finish(Outcome(job.id, "failed", faults=job.faults, code=ExitCode.USAGE))
            return
        try:
            sweep_parts(job.folder)
            parcel = make_parcel(job, self.settings.cache, self.crew.travels, self.settings.only_boxes)
        except Exception as error:  # whatever a stranger's file does to whoever reads it
            self._fail(job, error)
            return
        known = None if self.settings.force else find_finished(parcel, self.settings.retry_failed)
        if known:
            self._finish(known, parcel)
            return
        self.tell({"event": "queued", "job": job.id})
        future = self.crew.executor.submit(self.crew.run_job, parcel, self.settings.timeout_s)
        self._running[future] = parcel

    def collect(self, most_s: float | None = None) -> None:
        """Deliver what is finished, waiting so long at most for something to be."""
        if not self._running and most_s:
            time.sleep(most_s)
        done, _ = wait(self._running, most_s, FIRST_COMPLETED)
        for future in done:
            parcel = self._running.pop(future)
            try:
                self._finish(enter(parcel, _take(future)), parcel)
            except (DobbleError, OSError) as error:
                self._fail(parcel.job, error)

    def _fail(self, job: Job, error: Exception) -> None:
        """A job that has no result to write, or whose result cannot be written."""
        code, faults = explain_exception(error, f"{job.theme} cannot be read", ExitCode.USAGE)
        self._finish(enter_refusal(job, faults, code))

    def _finish(self, outcome: Outcome, parcel: Parcel | None = None) -> None:
        self.outcomes.append(outcome)
        if self.settings.only_boxes and parcel and outcome.status != "failed":
            self.parcels[outcome.id] = parcel
        self.tell(describe_outcome(outcome))


def _take(future: Future[Delivery]) -> Delivery:
    """What a worker made, or why there is nothing: its machine may be gone."""
    try:
        return future.result()
    except (KeyboardInterrupt, SystemExit):
        raise
    except (Exception, CancelledError) as error:
        fault = Fault(f"its worker is gone ({type(error).__name__}: {error})", DEATH_HINT)
        return Delivery(ExitCode.SOME_FAILED, faults=(fault,), report={"faults": [fault.as_dict()]})


def describe_outcome(outcome: Outcome) -> Event:
    """An outcome as an event."""
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


def shard_jobs(jobs: Iterable[Job | Misfit], part: int, parts: int) -> list[Job | Misfit]:
    """Every so-manieth job: all parts together are all jobs, each once."""
    return [job for number, job in enumerate(jobs) if number % parts == part - 1]
