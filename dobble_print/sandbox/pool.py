"""The outside of the sandbox: workers are started, asked within a time limit, ended, and started again.

A worker is a copy of this process where copying is safe, which takes milliseconds because the libraries are loaded
already; or an interpreter of its own (Windows, macOS, a program with threads); or a child that a server forks for it.

Invariant: whatever a task does to its worker (hang, crash, fill the memory), the program meets a `TaskFailed` in time,
and no worker outlives its task by more than a moment.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from typing import Any, BinaryIO, cast

from dobble_print.errors import Fault
from dobble_print.sandbox.limits import (
    HAS_CPU_CLOCK,
    End,
    Limits,
    make_child_command,
    make_child_environment,
    silence_streams,
)
from dobble_print.sandbox.protocol import MOST_BYTES, Message, receive, send
from dobble_print.sandbox.server import load_libraries, serve

FAREWELL_S = 1.0
MOST_ANSWER_BYTES = 256 << 20  # of a worker that opens a file: a photo in pixels, many times over
OnStep = Callable[[str], None]

_NO_SHEET = "It is damaged, or no sheet of cards: export it anew."
FILE_ENDS: Mapping[End, Fault] = {
    "slow": Fault("the file takes too long to read", _NO_SHEET),
    "late": Fault("the file was not read in time: this computer is too busy", "Try again when it has less to do."),
    "large": Fault("the file needs too much memory", _NO_SHEET),
    "crash": Fault("the file breaks the library that reads it", "Export or copy it anew."),
    "error": Fault("the file cannot be read ({0})", "Export or copy it anew."),
}


class TaskFailed(Exception):
    """A task has no result: it names faults, or its end. The exit code is None where nobody knows it."""

    def __init__(self, end: End, code: int | None = None, answer: Mapping[str, Any] | None = None) -> None:
        said = answer or {}
        super().__init__(said.get("trace", end))  # with --debug one sees where
        self.end, self.code = end, code
        self.faults = tuple(Fault.from_dict(plain) for plain in said.get("faults", ()))
        self._error = said.get("error", ())

    def describe(self, ends: Mapping[End, Fault]) -> tuple[Fault, ...]:
        """Return the faults that were found, or the one that stands for this end."""
        fault = ends.get(self.end, ends["crash"])
        return self.faults or (replace(fault, what=fault.what.format(*self._error)),)


def explain_end(code: int | None) -> End:
    """Return what ended a process, by its exit code: a signal is negative."""
    if code == -getattr(signal, "SIGPROF", 0):
        return "slow"
    if code in (-getattr(signal, "SIGKILL", 9), -signal.SIGABRT):  # the system ran out of memory, or Rust did
        return "large"
    return "crash"


@dataclass(eq=False)
class Worker:
    """A process that runs tasks: how to talk to it, how to end it, and how to wait for its exit code."""

    requests: BinaryIO
    answers: BinaryIO
    end: Callable[[], None]
    wait: Callable[[], int | None]
    pid: int = 0
    most_bytes: int = MOST_ANSWER_BYTES
    code: int | None = None
    cpu_s: float = 0.0  # what the last task took

    def run(
        self,
        task: str,
        arguments: tuple[Any, ...],
        limits: Limits | None = None,
        timeout_s: float | None = None,
        on_step: OnStep | None = None,
    ) -> Message:
        """Return what the function `task` returns; raises `TaskFailed`, after which the worker may be closed."""
        header = {"task": task, "limits": limits and astuple(limits), "steps": on_step is not None}
        try:
            with self._end_after(limits.longest_s if limits else timeout_s) as late:
                with contextlib.suppress(OSError):  # it died: its exit code says how
                    send(self.requests, header, [pickle.dumps(arguments)])
                answer = self._listen(on_step)
        except BaseException:  # Ctrl-C
            self.kill()
            self.close()
            raise
        if answer is None or late.is_set():
            code = self.close()
            self.cpu_s = limits.seconds if limits else 0.0
            overdue: End = "late" if limits and HAS_CPU_CLOCK else "slow"
            raise TaskFailed(overdue if late.is_set() else explain_end(code), code)
        said, blocks = answer
        self.cpu_s = float(said.get("cpu_s", 0.0))
        if "result" not in said:
            raise TaskFailed(said.get("end", "error"), 0, said)
        return said["result"], blocks

    def kill(self) -> None:
        """End it at once, if it still lives."""
        with contextlib.suppress(OSError):
            self.end()

    @property
    def is_closed(self) -> bool:
        """Whether it runs no more tasks."""
        return self.requests.closed

    def close(self) -> int | None:
        """Let it go, wait for its end, and return its exit code: a signal is negative."""
        if not self.is_closed:
            with contextlib.suppress(OSError):
                self.requests.close()
            with self._end_after(FAREWELL_S):
                self.code = self.wait() if self.code is None else self.code
            self.answers.close()
        return self.code

    @contextlib.contextmanager
    def _end_after(self, seconds: float | None) -> Iterator[threading.Event]:
        """Kill the worker after some time; the event tells whether that happened."""
        late = threading.Event()

        def end() -> None:
            late.set()
            self.kill()

        clock = threading.Timer(min(seconds or threading.TIMEOUT_MAX, threading.TIMEOUT_MAX), end)
        clock.daemon = True
        clock.start()
        try:
            yield late
        finally:
            clock.cancel()
            clock.join()

    def _listen(self, on_step: OnStep | None) -> Message | None:
        """Return the answer, or None when there will be none."""
        while (message := receive(self.answers, self.most_bytes)) is not None:
            header, _ = message
            if "exit" in header:
                self.code = int(header["exit"])
                return None
            if "step" not in header:
                return message
            if on_step:
                on_step(str(header["step"]))
        return None


def can_fork() -> bool:
    """Whether this process may be copied: on Linux, with no thread that holds what the copy needs.

    The thread that turns a terminal's spinner holds nothing of that kind.
    """
    others = [thread for thread in threading.enumerate() if thread is not threading.current_thread()]
    return sys.platform == "linux" and all(type(thread).__module__.startswith("rich.") for thread in others)


def start_worker(preload: Sequence[str] = ()) -> Worker:
    """Start a worker for one task after the other; `preload` names modules to import and functions to call first."""
    return _copy_process(preload) if can_fork() else _start_interpreter(preload)


def _copy_process(preload: Sequence[str]) -> Worker:
    load_libraries(preload)
    (their_in, our_out), (our_in, their_out) = os.pipe(), os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of any thread; see `can_fork`
        pid = os.fork()
    if pid:
        os.close(their_in)
        os.close(their_out)
        requests, answers = os.fdopen(our_out, "wb"), os.fdopen(our_in, "rb")
        end = partial(os.kill, pid, signal.SIGKILL)
        return Worker(requests, answers, end, lambda: os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), pid)
    try:
        os.close(our_out)
        os.close(our_in)
        silence_streams()
        serve(os.fdopen(their_in, "rb"), os.fdopen(their_out, "wb"))
    finally:
        os._exit(0)  # nothing of the program's own may be flushed or closed twice


def _run_server(preload: Sequence[str], control: int | None, **how: Any) -> subprocess.Popen[bytes]:
    command = make_child_command("dobble_print.sandbox.server", tuple(preload), control)
    return subprocess.Popen(command, env=make_child_environment(), **how)


def _start_interpreter(preload: Sequence[str]) -> Worker:
    process = _run_server(preload, None, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    requests, answers = cast(BinaryIO, process.stdin), cast(BinaryIO, process.stdout)
    receive(answers)  # it is ready: how long it took to start is no task's fault
    return Worker(requests, answers, process.kill, process.wait, process.pid)


def run_once(task: str, arguments: tuple[Any, ...], limits: Limits, *preload: str) -> Message:
    """Run one task in a worker of its own; raises `TaskFailed`."""
    with contextlib.closing(start_worker(preload)) as worker:
        return worker.run(task, arguments, limits)


class WarmWorker:
    """One worker for many tasks, one at a time: started by the first task, and again after it had to be ended."""

    def __init__(self, *preload: str) -> None:
        self.worker: Worker | None = None
        self._preload, self._owner = preload, 0
        atexit.register(self._kill)

    def run(self, task: str, arguments: tuple[Any, ...], limits: Limits) -> Message:
        """Run a task; raises `TaskFailed`."""
        if self.worker is None or self.worker.is_closed or self._owner != os.getpid():  # a copy needs its own
            self.worker, self._owner = start_worker(self._preload), os.getpid()
        return self.worker.run(task, arguments, limits)

    @property
    def cpu_s(self) -> float:
        """What the last task took, or all that it was given where it had to be ended."""
        return self.worker.cpu_s if self.worker else 0.0

    def close(self) -> None:
        """Let the worker go; the next task starts another."""
        worker, self.worker = self.worker, None
        if worker is not None and self._owner == os.getpid():
            worker.close()

    def _kill(self) -> None:
        """End the worker with the program, when Python starts no more threads to wait for it."""
        if self.worker is not None and not self.worker.is_closed and self._owner == os.getpid():
            self.worker.kill()


class WorkerPool:
    """A worker for each task, forked by a server that the first task starts, and another should it die."""

    def __init__(self, *preload: str) -> None:
        self.preload = preload
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._server: subprocess.Popen[bytes] | None = None
        self._workers = weakref.WeakSet[Worker]()
        self._is_closed = False

    def run(self, task: str, arguments: tuple[Any, ...], timeout_s: float | None, on_step: OnStep) -> Message:
        """Run a task; raises `TaskFailed`, without an exit code where not the worker died but its server."""
        with contextlib.closing(self.start_worker()) as worker:
            return worker.run(task, arguments, None, timeout_s, on_step)

    def open(self, *preload: str) -> None:
        """Take tasks again after `close`, with a server that loads something else."""
        self.preload, self._is_closed = preload, False

    def close(self) -> None:
        """End every worker and the server; tasks under way fail at once."""
        with self._lock:
            self._is_closed = True
            for worker in list(self._workers):
                worker.kill()
            self._end_server()

    def start_worker(self) -> Worker:
        """Start a worker for one task, to be closed by whoever asked; another thread may kill it meanwhile."""
        with self._lock:
            if self._is_closed:
                raise InterruptedError
            worker = self._fork_worker() if hasattr(os, "fork") else _start_interpreter(self.preload)
            self._workers.add(worker)
        return worker

    def _fork_worker(self) -> Worker:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            try:
                socket.send_fds(self._find_server(), [b"t"], [theirs.fileno()])
            except OSError:  # it died since the last task
                self._end_server()
                socket.send_fds(self._find_server(), [b"t"], [theirs.fileno()])
            requests, answers = ours.makefile("wb"), ours.makefile("rb")  # which keep the socket open
        end = partial(ours.shutdown, socket.SHUT_RDWR)  # the server sees that nobody waits for its child, and ends it
        return Worker(requests, answers, end, partial(_read_exit, answers), most_bytes=MOST_BYTES)

    def _find_server(self) -> socket.socket:
        if self._control is None:
            self._control, theirs = socket.socketpair()
            with theirs:
                self._server = _run_server(
                    self.preload,
                    theirs.fileno(),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # Ctrl-C is for the program, which ends its workers itself
                )
        return self._control

    def _end_server(self) -> None:
        """Wait for the server, which ends all its children and itself when nobody can ask it any more."""
        if self._control and self._server:
            self._control.close()
            try:
                self._server.wait(FAREWELL_S)
            except subprocess.TimeoutExpired:  # it still loads libraries, and has no children yet
                self._server.kill()
                self._server.wait()
        self._control = self._server = None


def _read_exit(answers: BinaryIO) -> int | None:
    """Return how a server's child ended, which the server says last; None when the server is gone."""
    while (message := receive(answers)) is not None:
        if "exit" in message[0]:
            return int(message[0]["exit"])
    return None
