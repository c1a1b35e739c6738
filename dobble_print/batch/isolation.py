"""One job in a worker of its own: as long as it may take, and whatever becomes of the worker.

Invariant: `run_isolated` always comes back with a `Delivery`, within the time limit; no worker outlives it. It is what
every executor runs: threads here, or Dask's workers on other machines.
"""

from __future__ import annotations

import contextlib
import pickle
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Mapping

from dobble_print.batch.jobs import GangTask as GangParcel
from dobble_print.batch.jobs import Task as Parcel
from dobble_print.batch.jobs import TaskResult as Delivery
from dobble_print.batch.wire import receive, send, unpack_delivery
from dobble_print.errors import ExitCode, Fault
from dobble_print.sandbox.limits import make_child_command, make_child_environment

DEATH_HINT = "Perhaps it ran out of memory: try fewer --jobs, or smaller pictures."

Listen = Callable[[str, str], None]  # a job's id, and the step that begins


class Hall:
    """This process's foreman, started when the first job comes and again should it die."""

    def __init__(self) -> None:
        self.listen: Listen = lambda job, step: None
        self._lock = threading.Lock()
        self._calls: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._talks: set[socket.socket] = set()
        self._closing = False
        self._many_jobs = True

    def call(self) -> socket.socket:
        """A line to a new worker."""
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            if self._closing:
                raise InterruptedError
            try:
                socket.send_fds(self._find_foreman(), [b"j"], [theirs.fileno()])
            except OSError:  # it died since the last job
                self._bury_foreman()
                socket.send_fds(self._find_foreman(), [b"j"], [theirs.fileno()])
            self._talks.add(ours)
        return ours

    def hang_up(self, talk: socket.socket) -> None:
        """The job is over; a worker that still runs is ended by its foreman."""
        with self._lock:
            self._talks.discard(talk)
        talk.close()

    def close(self) -> None:
        """End every worker and the foreman; jobs under way come back at once."""
        with self._lock:
            self._closing = True
            for talk in self._talks:
                with contextlib.suppress(OSError):
                    talk.shutdown(socket.SHUT_RDWR)
            calls, self._calls, process, self._process = self._calls, None, self._process, None
        if calls:
            calls.close()
        if process:
            process.wait()

    def open(self, many_jobs: bool) -> None:
        """Take jobs again after `close`."""
        self._closing, self._many_jobs = False, many_jobs

    def _bury_foreman(self) -> None:
        if self._calls:
            self._calls.close()
        if self._process:
            self._process.kill()
            self._process.wait()
        self._calls = self._process = None

    def _find_foreman(self) -> socket.socket:
        if self._calls is None:
            self._calls, theirs = socket.socketpair()
            with theirs:
                self._process = _start_foreman(theirs, self._many_jobs)
        return self._calls


def _start_foreman(end: socket.socket, many_jobs: bool) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        make_child_command("dobble_print.batch.foreman", end.fileno(), many_jobs),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[end.fileno()],
        start_new_session=True,  # Ctrl-C is for the program, which ends its workers itself
        env=_make_environment(make_child_environment()),
    )


def _make_environment(given: Mapping[str, str]) -> dict[str, str]:
    """What a foreman sees: one thread a worker, and memory handled as usual.

    A Dask worker is told to give freed memory back at once (MALLOC_TRIM_THRESHOLD_); a layout frees arrays all the time
    and would take half as long again.
    """
    return {name: value for name, value in given.items() if not name.startswith("MALLOC_")} | {"OMP_NUM_THREADS": "1"}


HALL = Hall()


def run_isolated(parcel: Parcel | GangParcel, timeout_s: float | None = None) -> Delivery:
    """Build a parcel in a worker's process of its own; once more if not the worker died but its foreman."""
    deadline = time.monotonic() + timeout_s if timeout_s else None
    try:
        delivery = _try(parcel, deadline) or _try(parcel, deadline)
    except TimeoutError:
        hint = "Look for a picture that takes very long, or give it more with --timeout."
        return _fail(Fault(f"it took longer than {timeout_s:g} s and was ended", hint))
    return delivery or _fail(Fault("its worker died", DEATH_HINT))


def _try(parcel: Parcel | GangParcel, deadline: float | None) -> Delivery | None:
    job = parcel.job.id if isinstance(parcel, Parcel) else "gang"
    talk = HALL.call()
    try:
        send(talk, {}, [pickle.dumps(parcel)])
        return _listen(talk, job, deadline)
    except TimeoutError:
        raise
    except OSError:
        return None
    finally:
        HALL.hang_up(talk)


def _listen(talk: socket.socket, job: str, deadline: float | None) -> Delivery | None:
    """What the worker says until it ends; None when nobody is there any more who could tell of its end."""
    delivery: Delivery | None = None
    while True:
        if deadline is not None:
            talk.settimeout(max(deadline - time.monotonic(), 0.001))
        message = receive(talk)
        if message is None:
            return delivery
        header, _ = message
        if "step" in header:
            HALL.listen(job, str(header["step"]))
        elif "delivery" in header:
            delivery = unpack_delivery(message)
        elif "end" in header:
            return delivery or _fail(_explain_death(int(header["end"])))


def _explain_death(code: int) -> Fault:
    if code >= 0:
        return Fault("its worker stopped without a result", DEATH_HINT)
    return Fault(f"its worker died ({signal.Signals(-code).name})", DEATH_HINT)


def _fail(fault: Fault) -> Delivery:
    return Delivery(ExitCode.SOME_FAILED, faults=(fault,), report={"faults": [fault.as_dict()]})
