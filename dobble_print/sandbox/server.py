"""The inside of the sandbox: a process that runs tasks, itself or in children that it forks with all libraries loaded.

A task is named as `module:function`. The function returns a message (plain values and blocks of bytes); its arguments
come pickled, which is safe in this direction: they come from the program itself, never from a file.

Invariant: when whoever asked goes away, so does the process that works for it, with all its own children; when the
program goes away, so do the server and all its children.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, BinaryIO

from dobble_print.errors import DobbleError
from dobble_print.sandbox.limits import Limits, silence_streams
from dobble_print.sandbox.protocol import Message, receive, send


def find_function(name: str) -> Callable[..., Any]:
    """Return the function that is named `module:function`."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def load_libraries(preload: Iterable[str]) -> None:
    """Import modules, and call functions that load what tasks need: under limits perhaps no file can be opened."""
    for name in preload:
        find_function(name)() if ":" in name else import_module(name)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Run one task after the other until the program is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program decides when to stop
    while (request := receive(requests)) is not None:
        run_task(request, answers)


def run_task(request: Message, answers: BinaryIO) -> None:
    """Run a task and send its result, or why there is none."""
    header, (arguments,) = request
    since = time.process_time()
    given = {"on_step": lambda step: send(answers, {"step": step})} if header["steps"] else {}
    try:
        function, positional = find_function(header["task"]), pickle.loads(arguments)
        with Limits(*header["limits"]).enforce() if header["limits"] else contextlib.nullcontext():
            values, blocks = function(*positional, **given)
        answer: Message = {"result": values}, blocks
    except DobbleError as error:
        answer = {"faults": [fault.as_dict() for fault in error.faults], "trace": traceback.format_exc()}, []
    except MemoryError:
        answer = {"end": "large"}, []
    except Exception as error:  # a file may break a library in any way; the user must mend the file
        words = [type(error).__name__, str(error)]
        answer = {"end": "error", "error": words, "trace": traceback.format_exc()}, []
    said, blocks = answer
    send(answers, {**said, "cpu_s": time.process_time() - since}, blocks)


class Server:
    """Forks a child for each task and watches it; `control` brings one end of a socket for every task."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.children: dict[int, socket.socket] = {}  # by process id

    def run(self) -> None:
        """Serve until the program is gone."""
        wake, alarm = os.pipe()
        os.set_blocking(alarm, False)
        signal.set_wakeup_fd(alarm)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        while True:
            ready = self._wait(wake)
            if wake in ready:
                os.read(wake, 4096)
                self._reap()
            for process, connection in self.children.items():
                if connection.fileno() in ready:  # nobody waits for its result any more
                    _end_group(process)
            if self.control.fileno() in ready and not self._fork_child():
                break
        for process in self.children:
            _end_group(process)

    def _wait(self, wake: int) -> set[int]:
        watch = select.poll()
        watch.register(self.control, select.POLLIN)
        watch.register(wake, select.POLLIN)
        for connection in self.children.values():
            watch.register(connection, 0)  # only its end counts
        return {number for number, _ in watch.poll()}

    def _fork_child(self) -> bool:
        """Fork a child for a new task; return False when no task will come any more."""
        try:
            message, handles, *_ = socket.recv_fds(self.control, 1, 1)
        except OSError:
            return False
        if not message or not handles:
            return False
        connection = socket.socket(fileno=handles[0])
        process = os.fork()
        if process == 0:
            _run_child(connection, [self.control, *self.children.values()])
        with contextlib.suppress(OSError):
            os.setpgid(process, process)  # the child does so too; whoever comes first
        self.children[process] = connection
        return True

    def _reap(self) -> None:
        """Report how children ended, after all they have said themselves."""
        for process in list(self.children):
            with contextlib.suppress(ChildProcessError):
                ended, status = os.waitpid(process, os.WNOHANG)
                if ended:
                    connection = self.children.pop(process)
                    with contextlib.suppress(OSError), connection, connection.makefile("wb") as answers:
                        send(answers, {"exit": os.waitstatus_to_exitcode(status)})


def _end_group(process: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)


def _run_child(connection: socket.socket, others: Iterable[socket.socket]) -> None:
    """Live a child's whole life: run one task, and end."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        for other in others:
            other.close()
        request = receive(connection.makefile("rb"))
        if request is not None:
            run_task(request, connection.makefile("wb"))
            code = 0
    except OSError:
        code = 2  # nobody listens any more
    finally:
        os._exit(code)


def main(preload: Iterable[str], control: int | None) -> None:
    """Fork a child for each task that comes through a socket; without one, run those that come by standard input."""
    if control is not None:
        load_libraries(preload)
        gc.collect()
        gc.freeze()  # children share these pages as long as nobody writes to them
        Server(socket.socket(fileno=control)).run()
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    silence_streams()
    load_libraries(preload)
    send(answers, {"ready": True})
    serve(requests, answers)
