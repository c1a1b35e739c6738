"""The sandbox: strangers' pictures are opened in a process of their own, which ends when it takes too much.

One warm worker serves a whole build. Where forking is safe it starts in milliseconds, because the program has loaded
the libraries already; elsewhere (Windows, macOS, a program with threads) it is a fresh interpreter.

Invariant: whatever a picture does to the libraries that open it (hang, crash, fill the memory), the program meets an
`ArtworkError`; and nothing the worker answers is executed.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from PIL import Image

from dobble_print.art.sandbox_wire import Message, receive, send
from dobble_print.art.silhouette import Mask
from dobble_print.art.svg.render import OpenedDrawing
from dobble_print.art.svg.sanitizer import AdmittedSvg
from dobble_print.errors import ArtworkError, Fault
from dobble_print.sandbox.limits import (
    PATIENCE,
    End,
    can_fork,
    explain_end,
    fork,
    make_child_command,
    make_child_environment,
    silence_streams,
)

SECONDS = 2.0  # of processor time for a small picture; ordinary ones take a hundredth of that
SECONDS_PER_MB = 2.0  # a large file may be honest work
SECONDS_PER_MEGAPIXEL = 0.5  # and so may a large rendering
LOST_SECONDS = 4.0  # on pictures that came to nothing; the more is lost, the less time the next one gets
WON_BACK = 0.1  # of the time of a picture that opens, so that a program that runs for days forgets its losses
LEAST_SECONDS = 0.1  # but never less than honest small drawings need
LEAST_PIXEL_SECONDS = 1.0  # nor than a scan of few bytes and many pixels
FAREWELL_S = 1.0

ENDS: dict[End, Fault] = {
    "slow": Fault("the picture takes too long to draw", "Simplify it, or save it as PNG."),
    "large": Fault("the picture needs too much memory", "Simplify it, or shrink it."),
    "crash": Fault("the picture breaks the library that reads it", "Save or export it again."),
}


@dataclass
class _Worker:
    """A running worker: its number, and the two ends of the conversation."""

    pid: int
    requests: BinaryIO
    answers: BinaryIO
    process: subprocess.Popen[bytes] | None = None
    owner: int = 0

    def kill(self) -> None:
        """End it at once."""
        if self.process is not None:
            self.process.kill()
        else:
            os.kill(self.pid, signal.SIGKILL)

    def bury(self) -> int:
        """Close the conversation, wait for the end, and say what ended it: a signal is negative."""
        for stream in (self.requests, self.answers):
            with contextlib.suppress(OSError):
                stream.close()
        code = self._wait(FAREWELL_S)
        if code is None:
            self.kill()
            self._wait(None)
        return 1 if code is None else code

    def _wait(self, seconds: float | None) -> int | None:
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.process.wait(seconds)
            return None
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            pid, status = os.waitpid(self.pid, 0 if until is None else os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if until is not None and time.monotonic() > until:
                return None
            time.sleep(0.002)


_running: _Worker | None = None
_lost = 0.0  # seconds spent on pictures that came to nothing: a theme full of them must not take for ever
_lock = threading.Lock()


def open_guarded(data: bytes) -> OpenedDrawing:
    """`drawing.open_drawing` for a stranger's drawing."""
    header, (svg, pdf, alpha) = _ask("open", data, {})
    admitted = AdmittedSvg(svg, tuple(header["dropped"]), tuple(header["hard_features"]), header["has_text"])
    grid = np.frombuffer(alpha, np.uint8).reshape(header["grid"])
    mask = Mask(grid, header["mask_height"], (header["pixel"][0], header["pixel"][1]))
    return OpenedDrawing(admitted, pdf if header["is_vector"] else None, mask, *header["size"])


def render_guarded(svg: bytes, longer_side_px: int) -> Image.Image:
    """`svg.render_svg` for a stranger's drawing that has passed the gate."""
    return _unpack_picture(_ask("render", svg, {"longer_side_px": longer_side_px}))


def sketch_guarded(data: bytes, longer_side_px: int) -> Image.Image:
    """A stranger's drawing in few pixels, whatever draws it in print."""
    return _unpack_picture(_ask("sketch", data, {"longer_side_px": longer_side_px}))


def read_pixels_guarded(data: bytes, **options: Any) -> Image.Image:
    """`pixels.read_pixels` for a stranger's picture."""
    return _unpack_picture(_ask("decode", data, options))


def _unpack_picture(message: Message) -> Image.Image:
    header, (pixels,) = message
    return Image.frombytes("RGBA", (header["size"][0], header["size"][1]), pixels)


def _ask(job: str, data: bytes, options: dict[str, Any]) -> Message:
    """One picture's work, in the worker; a new one is started when the last one had to be ended."""
    with _lock:
        seconds = _grant_seconds(job, len(data), options.get("longer_side_px", 0))
        with _counting_losses(seconds):
            answer = _talk({"job": job, "seconds": seconds, "options": options}, data, seconds * PATIENCE)
            header, _ = answer
            if header.get("memory"):
                raise ArtworkError(ENDS["large"])
            if "faults" in header:
                raise ArtworkError(*(Fault(str(what), str(hint)) for what, hint in header["faults"]))
    return answer


def _grant_seconds(job: str, size: int, longer_side_px: int) -> float:
    """The time for a picture; what large ones need they always get, because they may be honest."""
    least = LEAST_PIXEL_SECONDS if job == "decode" else LEAST_SECONDS
    patience = max(least, SECONDS * (1 - _lost / LOST_SECONDS))
    return patience + SECONDS_PER_MB * size / 1e6 + SECONDS_PER_MEGAPIXEL * longer_side_px**2 / 1e6


@contextlib.contextmanager
def _counting_losses(seconds: float) -> Iterator[None]:
    """Time is lost on a picture that is refused; harmless pictures between slow ones buy them hardly any."""
    global _lost
    start = time.monotonic()
    try:
        yield
    except ArtworkError:
        _lost = min(LOST_SECONDS, _lost + min(seconds, time.monotonic() - start))
        raise
    _lost = max(0.0, _lost - WON_BACK * (time.monotonic() - start))


def _talk(header: dict[str, Any], data: bytes, most_seconds: float) -> Message:
    global _running
    if _running is None or _running.owner != os.getpid():  # a forked copy of the program needs a worker of its own
        _running = _start()
    worker, late = _running, threading.Event()

    def end() -> None:
        late.set()
        worker.kill()

    clock = threading.Timer(most_seconds, end)
    clock.daemon = True
    clock.start()
    try:
        with contextlib.suppress(BrokenPipeError):
            send(worker.requests, header, [data])
        answer = receive(worker.answers)
    finally:
        clock.cancel()
        clock.join()
    if answer is not None and not late.is_set():
        return answer
    _running = None
    code = worker.bury()
    raise ArtworkError(ENDS["slow" if late.is_set() else explain_end(code)])


def _start() -> _Worker:
    return _start_forked() if can_fork() else _start_fresh()


def _start_forked() -> _Worker:
    from dobble_print.art import sandbox_worker

    sandbox_worker.load_libraries()
    (their_in, our_out), (our_in, their_out) = os.pipe(), os.pipe()
    pid = fork()
    if pid:
        os.close(their_in)
        os.close(their_out)
        return _Worker(pid, os.fdopen(our_out, "wb"), os.fdopen(our_in, "rb"), owner=os.getpid())
    try:
        os.close(our_out)
        os.close(our_in)
        silence_streams()
        sandbox_worker.serve(os.fdopen(their_in, "rb"), os.fdopen(their_out, "wb"))
    finally:
        os._exit(0)  # nothing of the program's own may be flushed or closed twice


def _start_fresh() -> _Worker:
    command = make_child_command("dobble_print.art.sandbox_worker")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=make_child_environment())
    assert process.stdin and process.stdout
    worker = _Worker(process.pid, process.stdin, process.stdout, process, os.getpid())  # type: ignore[arg-type]
    receive(worker.answers)  # it is ready: how long it took to start is no picture's fault
    return worker


def close_sandbox() -> None:
    """Let the worker go; the next picture starts another."""
    global _running
    worker, _running = _running, None
    if worker is not None and worker.owner == os.getpid():
        worker.bury()


atexit.register(close_sandbox)
