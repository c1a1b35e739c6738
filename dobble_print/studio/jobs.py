"""Jobs: a game built by the one pipeline in a worker, its files kept for a while, and only when they are proved.

Invariant: what can be downloaded was proved; a job that failed or was stopped has no files.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from dobble_print.errors import DobbleError, Fault
from dobble_print.files import deliver
from dobble_print.options import BuildOptions
from dobble_print.sandbox.pool import TaskFailed
from dobble_print.sandbox.protocol import Message
from dobble_print.studio.faults import StudioFault, describe, describe_error
from dobble_print.studio.sessions import Deck, Studio
from dobble_print.studio.workers import BUILD_SECONDS, ENDS, PAGE_SECONDS, Running, Stopped

Plain = dict[str, Any]
JOB_ID = re.compile(r"[0-9a-f]{24}")
RECORD, FILES, PAGES, PACKED = "job.json", "files", "pages", "all.zip"
KEPT_S = 7 * 86400.0  # results are made again at any time
MOST_KEPT = 40
MOST_WAITING = 8
# The pipeline's steps: what the page calls them, and how much of the whole is done when they begin.
STEPS = {
    "deck": ("reading", 0.02),
    "artwork": ("art", 0.05),
    "layout": ("layout", 0.15),
    "forms": ("sheets", 0.35),
    "sheets": ("sheets", 0.4),
    "pictures": ("sheets", 0.4),
    "preview": ("sheets", 0.5),
    "booklet": ("rules", 0.55),
    "legend": ("poster", 0.75),
    "proof": ("checking", 0.85),
    "preflight": ("checking", 0.95),
}
_ORDER = list(STEPS)
# Files that a page may expect, with the step at whose beginning they are made.
_EXPECTED = {"cards.pdf": "preview", "booklet.pdf": "legend", "booklet-print.pdf": "legend", "legend.pdf": "proof"}


@dataclass
class Job:
    """One build of a game: how far it is, and what came of it."""

    id: str
    deck: str
    rev: int
    folder: Path
    state: str = "queued"
    step: str = ""
    share: float = 0.0
    files: list[Plain] = field(default_factory=list)
    proof: Plain | None = None
    warnings: list[Plain] = field(default_factory=list)
    fault: Plain | None = None
    details: str = ""
    running: Running = field(default_factory=Running)

    def as_dict(self) -> Plain:
        """Return the job as the page hears of it."""
        names = ("id", "deck", "rev", "state", "step", "share", "files", "proof", "warnings", "fault", "details")
        return {name: getattr(self, name) for name in names}

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in ("done", "failed", "stopped")

    def begin(self, step: str) -> None:
        """Note which step of the pipeline begins."""
        self.state, (self.step, self.share) = "running", STEPS.get(step, (self.step, self.share))
        begun = _ORDER.index(step) if step in _ORDER else 0
        for file in self.files:
            if _ORDER.index(_EXPECTED.get(file["name"], "proof")) <= begun:
                file["state"] = "made"


class Jobs:
    """All jobs of a studio: one builds at a time, others wait; one game has one at a time."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._jobs: dict[str, Job] = {}
        self._turn = asyncio.Semaphore(1)
        self._tasks: set[asyncio.Task[None]] = set()

    def find(self, job_id: str) -> Job:
        """Return a job, also one of an earlier run of the studio; raise `StudioFault`."""
        if job_id in self._jobs:
            return self._jobs[job_id]
        record = self._studio.builds / job_id / RECORD
        if JOB_ID.fullmatch(job_id) and record.is_file():
            with suppress(OSError, ValueError, TypeError):
                told = json.loads(record.read_text(encoding="utf-8"))
                job = Job(folder=record.parent, **{key: told[key] for key in told})
                return self._jobs.setdefault(job_id, job)
        raise StudioFault(404, "no_job")

    def start(self, deck: Deck, options: BuildOptions) -> Job:
        """Begin to build a game as it is now; what is under way for it is stopped."""
        for other in self._jobs.values():
            if other.deck == deck.id and not other.is_over:
                self.stop(other)
        if sum(not job.is_over for job in self._jobs.values()) >= MOST_WAITING:
            raise StudioFault(429, "busy")
        job_id = secrets.token_hex(12)
        job = Job(job_id, deck.id, deck.rev, self._studio.builds / job_id)
        job.files = [{"name": name, "state": "making"} for name in _list_expected(options)]
        self._jobs[job_id] = job
        task = asyncio.get_running_loop().create_task(self._run(job, deck, deck.document.text, options))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    def stop(self, job: Job) -> None:
        """Stop a job, unless it is over."""
        if not job.is_over:
            job.running.stop()
            job.state = "stopped"
            self._tell(job)

    def _tell(self, job: Job) -> None:
        deck = self._studio.decks.get(job.deck)
        if deck is not None:
            deck.emit("job", job.as_dict())

    async def _run(self, job: Job, deck: Deck, text: str, options: BuildOptions) -> None:
        try:
            async with self._turn:
                if job.is_over:
                    return
                await self._build(job, deck, text, options)
        except Stopped:
            job.state = "stopped"
        except TaskFailed as failure:
            self._fail(job, describe(failure.describe(ENDS)[0], "bug"), str(failure))
        except DobbleError as error:
            self._fail(job, describe_error(error)[1], str(error))
        except Exception as error:
            self._fail(job, describe(ENDS["crash"], "bug"), repr(error))
            raise
        finally:
            self._tell(job)

    async def _build(self, job: Job, deck: Deck, text: str, options: BuildOptions) -> None:
        def hear(event: Plain) -> None:
            if not job.is_over:
                job.begin(event["step"])
                self._tell(job)

        arguments = (str(deck.document.path), text, options, self._studio.cache)
        message = await self._studio.workers.run("build_game", arguments, BUILD_SECONDS, hear, job.running)
        said, blocks = message
        if "faults" in said:
            faults = [Fault.from_dict(each) for each in said["faults"]]
            self._fail(job, describe(faults[0], said["code"]), "\n".join(map(str, faults)))
            return
        await run_in_threadpool(self._keep, job, said, blocks)
        for earlier in self._list_old(job):
            self._jobs.pop(earlier.name, None)
            await run_in_threadpool(shutil.rmtree, earlier, True)

    def _fail(self, job: Job, fault: Plain, details: str) -> None:
        job.state, job.files, job.fault, job.details = "failed", [], fault, details

    def _keep(self, job: Job, said: Plain, blocks: list[bytes]) -> None:
        """Write the files, and last of all that they are there."""
        names = [file["name"] for file in said["files"]]
        deliver(job.folder / FILES, dict(zip(names, blocks, strict=True)))
        done = {"state": "done", "step": "", "share": 1.0, "proof": said["proof"]}
        done |= {"files": [file | {"state": "done"} for file in said["files"]]}
        done |= {"warnings": said["report"]["warnings"]}
        record = json.dumps(job.as_dict() | done).encode()
        deliver(job.folder, {"report.json": json.dumps(said["report"], indent=2).encode(), RECORD: record})
        for key, value in done.items():
            setattr(job, key, value)

    def _list_old(self, new: Job | None = None) -> list[Path]:
        """Return the folders of builds that are too old, or too many."""
        with suppress(OSError):
            folders = [path for path in self._studio.builds.iterdir() if JOB_ID.fullmatch(path.name)]
            aged = sorted(((path.stat().st_mtime, path) for path in folders), reverse=True)
            limit = time.time() - KEPT_S
            return [
                path
                for i, (age, path) in enumerate(aged)
                if (age < limit or i >= MOST_KEPT) and path != (new and new.folder)
            ]
        return []

    def sweep(self) -> None:
        """Delete results that are too old; games are never deleted."""
        for path in self._list_old():
            shutil.rmtree(path, ignore_errors=True)

    async def draw_page(self, job: Job, name: str, number: int, width_px: int) -> Path:
        """Return the picture of a page of a file, drawn where it was not yet."""
        file = self.find_file(job, name)
        pages = next((each["pages"] for each in job.files if each["name"] == name), 0)
        if not 1 <= number <= pages:
            raise StudioFault(404, "missing")
        path = job.folder / PAGES / f"{file.stem}-{number}-{width_px}.webp"
        if not path.is_file():
            data = await run_in_threadpool(file.read_bytes)
            found: Message = await self._studio.workers.run(
                "draw_page", (data, number, width_px), PAGE_SECONDS, lambda event: None
            )
            await run_in_threadpool(deliver, path.parent, {path.name: found[1][0]})
        return path

    def find_file(self, job: Job, name: str) -> Path:
        """Return a file of a job that is done; raise `StudioFault`."""
        if job.state != "done":
            raise StudioFault(409, "unproved" if job.state == "failed" else "not_ready")
        if name not in [file["name"] for file in job.files] or not (job.folder / FILES / name).is_file():
            raise StudioFault(404, "missing")
        return job.folder / FILES / name


def _list_expected(options: BuildOptions) -> list[str]:
    if options.only:
        return []
    booklet = ["booklet.pdf", "booklet-print.pdf"] if options.booklet else []
    return ["cards.pdf", *booklet, *(["legend.pdf"] if options.legend else [])]


def read_wishes(given: Plain) -> BuildOptions:
    """Return what a job is asked for; raise `StudioFault` for what no job can be."""
    try:
        return BuildOptions(
            profile=_text(given.get("profile")),
            paper=_text(given.get("paper")),
            duplex=_text(given.get("backs")),
            languages=tuple(str(code) for code in given.get("languages") or ()),
            copies=int(given.get("copies") or 1),
            booklet=bool(given.get("booklet", True)),
            legend=bool(given.get("legend", True)),
            only=tuple(int(number) for number in given.get("only") or ()),
        )
    except (TypeError, ValueError):
        raise StudioFault(400, "request") from None


def _text(value: Any) -> str | None:
    return str(value) if value else None
