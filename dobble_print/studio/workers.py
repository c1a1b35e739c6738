"""The studio's worker processes: one for each preview, build or page, ready to run, and ended when nobody needs it.

Invariant: what a worker meets (a hostile picture, a full memory, a bug) never reaches the server; a task that was
stopped leaves no process behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from dobble_print.errors import Fault
from dobble_print.sandbox.limits import End
from dobble_print.sandbox.pool import TaskFailed, Worker, WorkerPool
from dobble_print.sandbox.protocol import Message

PREVIEW_SECONDS, BUILD_SECONDS, PAGE_SECONDS = 120.0, 900.0, 60.0
MOST_AT_ONCE = 3
ENDS: Mapping[End, Fault] = {
    "slow": Fault("this takes too long", "Try fewer or simpler pictures."),
    "large": Fault("this needs more memory than there is", "Try fewer or smaller pictures."),
    "crash": Fault("a picture breaks a library of the program", "Take out the picture that you added last."),
    "error": Fault("something went wrong inside ({0}: {1})", "This is a bug in dobble-print: copy the details to us."),
}
OnEvent = Callable[[dict[str, Any]], None]


class Stopped(Exception):
    """Somebody stopped the task, or something newer took its place."""


class Running:
    """A task on its way; `stop` ends its process at once."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._lock = threading.Lock()
        self.is_stopped = False

    def begin(self, start: Callable[[], Worker]) -> Worker:
        """Start its process; raise `Stopped` where it is not wanted any more."""
        with self._lock:
            if self.is_stopped:
                raise Stopped
            self._worker = start()
            return self._worker

    def stop(self) -> None:
        """End it; whoever waits for it meets `Stopped`."""
        with self._lock:
            self.is_stopped = True
            if self._worker is not None:
                self._worker.kill()


class Workers:
    """Processes for tasks, forked by a server that has all libraries loaded; the first ones wait until it has."""

    def __init__(self) -> None:
        self._pool = WorkerPool("dobble_print.studio.tasks", "dobble_print.studio.tasks:warm_up")
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE, "studio-worker")

    def warm_up(self) -> None:
        """Start the server of the processes, so that the first task need not wait for it."""
        self._threads.submit(self._touch)

    def _touch(self) -> None:
        with contextlib.suppress(OSError, InterruptedError, TaskFailed):
            self._pool.run("builtins:dict", (), PREVIEW_SECONDS, lambda step: None)

    async def run(
        self, task: str, arguments: tuple[Any, ...], seconds: float, on_event: OnEvent, running: Running | None = None
    ) -> Message:
        """Run a task, and hear its events in the server's own thread; raise `TaskFailed` or `Stopped`."""
        loop, handle = asyncio.get_running_loop(), running or Running()

        def hear(step: str) -> None:
            with contextlib.suppress(RuntimeError):  # the server is closing
                loop.call_soon_threadsafe(on_event, json.loads(step))

        def work() -> Message:
            worker = handle.begin(self._pool.start_worker)
            with contextlib.closing(worker):
                try:
                    return worker.run(f"dobble_print.studio.tasks:{task}", arguments, None, seconds, hear)
                except TaskFailed as failure:
                    if handle.is_stopped:
                        raise Stopped from None
                    if failure.end == "error":
                        logging.getLogger("dobble_print.studio").error("%s", failure)
                    raise

        try:
            return await asyncio.wrap_future(self._threads.submit(work))
        except asyncio.CancelledError:
            handle.stop()
            raise

    def close(self) -> None:
        """End every process."""
        self._pool.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
