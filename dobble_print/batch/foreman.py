"""The foreman: a process that has loaded everything and forks a fresh worker for each job.

A worker starts in milliseconds, shares no state with the others, and can be ended or die without harm to anybody.

Invariant: when whoever asked goes away (closes the conversation about a job, or dies), the worker is ended with all its
own children; when the program goes away, so do the foreman and all workers.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import resource
import select
import signal
import socket
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from dobble_print.batch.jobs import TaskResult as Delivery
from dobble_print.batch.wire import pack_delivery, receive, send
from dobble_print.batch.worker import run_task as build_parcel
from dobble_print.errors import DobbleError

LIBRARIES_OF_A_BUILD = (
    "dobble_print.build",
    "dobble_print.batch.worker",
    "dobble_print.preflight.check",
    "dobble_print.preflight.check",
    "dobble_print.prepress.flattening",
    "dobble_print.prepress.inks",
    "dobble_print.prepress.separation",
    "dobble_print.preflight.limits",
    "cairosvg",
    "cairocffi",
    "resvg_py",
    "pypdfium2",
    "reportlab.pdfgen.canvas",
    "shapely",
    "uharfbuzz",
    "fontTools.ttLib",
    "lxml.etree",
)

REHEARSAL = """\
title: Rehearsal
languages: [en, nl]
layout: {quality: draft}
symbols: [cat, dog, sun, moon, tree, fish, {text: "3", en: three, nl: drie}]
"""


@dataclass
class Foreman:
    """Forks workers on demand and watches them; `calls` brings one end of a socket for every job."""

    calls: socket.socket
    workers: dict[int, socket.socket] = field(default_factory=dict)  # by process id

    def run(self) -> None:
        """Serve until the program hangs up."""
        wake, alarm = os.pipe()
        os.set_blocking(alarm, False)
        signal.set_wakeup_fd(alarm)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        while True:
            watch = select.poll()
            watch.register(self.calls, select.POLLIN)
            watch.register(wake, select.POLLIN)
            for talk in self.workers.values():
                watch.register(talk, 0)  # only its hanging up counts
            ready = {number for number, _ in watch.poll()}
            if wake in ready:
                os.read(wake, 4096)
                self._reap()
            self._end_abandoned(ready)
            if self.calls.fileno() in ready and not self._answer_call():
                break
        for process in self.workers:
            _end_group(process)

    def _answer_call(self) -> bool:
        """A new job: fork its worker; False when nobody will call any more."""
        try:
            message, handles, *_ = socket.recv_fds(self.calls, 1, 1)
        except OSError:
            return False
        if not message or not handles:
            return False
        talk = socket.socket(fileno=handles[0])
        process = os.fork()
        if process == 0:
            _work(talk, [self.calls, *self.workers.values()])
        with contextlib.suppress(OSError):
            os.setpgid(process, process)  # the worker does so too; whoever comes first
        self.workers[process] = talk
        return True

    def _reap(self) -> None:
        """Tell how workers ended, after all they have said themselves."""
        for process in list(self.workers):
            with contextlib.suppress(ChildProcessError):
                ended, status = os.waitpid(process, os.WNOHANG)
                if ended:
                    talk = self.workers.pop(process)
                    with contextlib.suppress(OSError):
                        send(talk, {"end": os.waitstatus_to_exitcode(status)})
                    talk.close()

    def _end_abandoned(self, ready: set[int]) -> None:
        for process, talk in self.workers.items():
            if talk.fileno() in ready:
                _end_group(process)


def _end_group(process: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)


def _work(talk: socket.socket, others: list[socket.socket]) -> None:
    """A worker's whole life: read the job, build it, hand the result over, and end."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        for other in others:
            other.close()
        asked = receive(talk)
        if asked is not None:
            since = time.perf_counter()
            parcel = pickle.loads(asked[1][0])  # from the program itself, never from a theme
            delivery = build_parcel(parcel, lambda step: send(talk, {"step": step}))
            send(talk, *pack_delivery(_add_costs(delivery, since)))
            code = 0
    except OSError:
        code = 2  # nobody listens any more
    finally:
        os._exit(code)


def _add_costs(delivery: Delivery, since: float) -> Delivery:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    costs = {
        "wall_s": round(time.perf_counter() - since, 3),
        "cpu_s": round(cpu_s, 3),
        "peak_mb": round(max(own.ru_maxrss, children.ru_maxrss) / unit, 1),
    }
    return replace(delivery, times=dict(delivery.times) | costs)


def load_everything() -> None:
    """All that a build imports, so that workers are born with it."""
    from importlib import import_module

    from dobble_print.art.emoji import emoji_files
    from dobble_print.cache import take_fingerprint
    from dobble_print.words.lexicon import groups

    for name in LIBRARIES_OF_A_BUILD:
        with contextlib.suppress(ImportError, OSError):  # the build itself says what is missing
            import_module(name)
    with contextlib.suppress(ModuleNotFoundError):
        emoji_files()
    groups()
    take_fingerprint()


def rehearse() -> None:
    """Build and prove a tiny deck, so that workers are born with everything that is read or made when it is needed."""
    from dobble_print.build import DeckOrder, make
    from dobble_print.theme.reader import read_theme

    with tempfile.TemporaryDirectory(prefix="dobble-print-") as folder:
        path = Path(folder) / "theme.yaml"
        path.write_text(REHEARSAL, encoding="utf-8")
        with contextlib.suppress(DobbleError, ImportError, OSError):  # the build itself says what is missing
            make([DeckOrder(read_theme(path))])


def main(handle: int, many_jobs: bool) -> None:
    """The foreman's process; `handle` is its end of the calls. For few jobs a rehearsal would not pay."""
    calls = socket.socket(fileno=handle)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(quiet, stream)
    load_everything()
    if many_jobs:
        rehearse()
    gc.collect()
    gc.freeze()  # workers share these pages as long as nobody writes to them
    Foreman(calls).run()
