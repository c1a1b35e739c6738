"""Where jobs run: threads that each mind one worker on this machine, or the workers of a Dask cluster.

Invariant: both are executors of `concurrent.futures` and run the same function on the same tasks.
"""

from __future__ import annotations

import logging
import math
import os
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from dobble_print.batch.jobs import Task, TaskResult
from dobble_print.cache import Cache
from dobble_print.errors import ExitCode, Fault, UsageError
from dobble_print.messages import write_install
from dobble_print.sandbox.limits import make_child_environment
from dobble_print.sandbox.pool import TaskFailed, WorkerPool

LOCAL = "local"
TOPIC = "dobble-print"
RETRIES = 2
CONNECT_S = 30  # a busy scheduler takes its time
WORKERS_S = 15  # workers that start together with the batch are there by then
MOST_WORKERS = 256
DEATH_HINT = "Perhaps it ran out of memory: try fewer --jobs, or smaller pictures."
RunJob = Callable[[Task, float | None], TaskResult]
Listen = Callable[[str, str], None]  # a job's id, and the step that begins
PRELOAD, REHEARSAL = "dobble_print.batch.worker:load_libraries", "dobble_print.batch.worker:rehearse"
POOL = WorkerPool(PRELOAD, REHEARSAL)
_listeners: list[Listen] = []


def listen_to_jobs(listen: Listen) -> None:
    """Choose who hears of the steps of jobs that this process runs."""
    _listeners[:] = [listen]


def run_isolated(task: Task, timeout_s: float | None = None) -> TaskResult:
    """Run a task in a worker of its own; once more if not the worker died but its server.

    It always comes back with a result, within the time limit. It is what every executor runs: threads here, or Dask's
    workers on other machines.
    """
    deadline = time.monotonic() + (timeout_s or math.inf)

    def tell(step: str) -> None:
        for listen in _listeners:
            listen(task.job.id, step)

    for _ in range(2):
        try:
            left_s = max(deadline - time.monotonic(), 0.001)
            return TaskResult.unpack(POOL.run("dobble_print.batch.worker:run_packed", (task,), left_s, tell))
        except TaskFailed as failure:
            fault = _explain_failure(failure, timeout_s)
            if failure.end == "slow" or failure.code is not None:
                break
    return TaskResult(ExitCode.SOME_FAILED, (fault,))


def _explain_failure(failure: TaskFailed, timeout_s: float | None) -> Fault:
    if failure.end == "slow":
        hint = "Look for a picture that takes very long, or give it more with --timeout."
        return Fault(f"it took longer than {timeout_s:g} s and was ended", hint)
    if failure.code is None:
        return Fault("its worker died", DEATH_HINT)
    if failure.code >= 0:
        return Fault("its worker stopped without a result", DEATH_HINT)
    return Fault(f"its worker died ({signal.Signals(-failure.code).name})", DEATH_HINT)


@dataclass(frozen=True, eq=False)
class Workers:
    """An executor with its number of workers, the function to submit, and whether inputs must travel."""

    executor: Executor
    count: int
    run_job: RunJob
    travels: bool


def count_workers(asked: int | None) -> int:
    """So many worker processes: as asked, or one for each core that this process may use."""
    if asked is None:
        usable = getattr(os, "sched_getaffinity", None)
        return len(usable(0)) if usable else os.cpu_count() or 1
    if not 1 <= asked <= MOST_WORKERS:
        raise UsageError(Fault(f"--jobs: {asked} workers", f"Give 1 to {MOST_WORKERS}."))
    return asked


@contextmanager
def open_workers(workers: int, cluster: str | None, listen: Listen, many_jobs: bool = True) -> Iterator[Workers]:
    """Workers here, or those of a cluster; they are gone at the end, whatever ends it."""
    if cluster:
        with _open_cluster(workers, cluster, listen) as far:
            yield far
        return
    POOL.open(PRELOAD, *([REHEARSAL] if many_jobs else []))  # for few jobs a rehearsal would not pay
    listen_to_jobs(listen)
    with ThreadPoolExecutor(workers, "job") as executor:
        try:
            yield Workers(executor, workers, run_isolated, travels=False)
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            POOL.close()


@contextmanager
def _open_cluster(workers: int, address: str, listen: Listen) -> Iterator[Workers]:
    try:
        from distributed import Client
    except ImportError:
        hint = f"Install it: {write_install('dobble-print[cluster]')}."
        raise UsageError(Fault("--cluster needs an extra that is not installed", hint)) from None
    warnings.filterwarnings("ignore", message="Sending large graph")
    with _open_scheduler(workers, address) as where:
        try:
            client = Client(where, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            what = f"--cluster: no Dask scheduler answers at {address} ({error})"
            raise UsageError(Fault(what, "Start one with `dask scheduler`, or use --cluster local.")) from None
        with client:
            _wait_for_workers(client, address)
            client.subscribe_topic(TOPIC, lambda event: listen(*event[1]))
            count = max(sum(client.nthreads().values()), workers)
            yield Workers(client.get_executor(pure=False, retries=RETRIES), count, run_on_cluster, travels=True)


def _wait_for_workers(client: Any, address: str) -> None:
    """Wait a while for the first worker; without any, jobs would wait for ever."""
    try:
        client.wait_for_workers(1, timeout=WORKERS_S)
    except TimeoutError:
        what = f"--cluster: the Dask scheduler at {address} has no workers"
        raise UsageError(Fault(what, f"Start some with `dask worker {address}`, then run it again.")) from None


@contextmanager
def _open_scheduler(workers: int, address: str) -> Iterator[Any]:
    """Return the address as it is; or a scheduler and workers started here."""
    if address != LOCAL:
        yield address
        return
    import dask
    from distributed import LocalCluster

    # Dask looks a hundred times a second what its workers do: they only wait for ours
    with (
        _use_child_environment(),
        dask.config.set({"distributed.worker.profile.enabled": False}),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=None,  # jobs run in processes of their own, which Dask would not count
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster,
    ):
        yield cluster


@contextmanager
def _use_child_environment() -> Iterator[None]:
    """Dask's workers start with the environment of this process, and again whenever one of them dies."""
    own, safe = dict(os.environ), make_child_environment()
    try:
        os.environ.clear()
        os.environ.update(safe)
        yield
    finally:
        os.environ.clear()
        os.environ.update(own)


def run_on_cluster(task: Task, timeout_s: float | None = None) -> TaskResult:
    """`run_isolated` on a Dask worker, which passes on what step a job is at."""
    from distributed import get_worker

    worker, cache = get_worker(), Cache()  # of the machine that works
    listen_to_jobs(lambda job, step: worker.log_event(TOPIC, (job, step)))
    return run_isolated(replace(task, cache=task.cache and cache), timeout_s)
