"""The hot folder: what is dropped into it becomes a job, and then moves to `done` or `failed`, with its report.

A theme that is still being copied is waited for: it counts once nothing about it has changed between two looks, and a
zip once it has its end, too. A second theme of the same name gets a folder of results of its own.

Invariant: whatever was dropped is always in exactly one place: in the folder as long as it is not finished, and then in
`done` or `failed`. A run that was killed goes on where it was.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from dobble_print.batch.inputs import make_task
from dobble_print.batch.jobs import ARCHIVE, InvalidJob, Job, TaskResult, list_themes, make_plain_job
from dobble_print.batch.reports import MOST_BYTES, REPORT, make_report, read_report
from dobble_print.batch.scheduler import Event, Scheduler
from dobble_print.errors import DobbleError, ExitCode, Fault, OutputError, UsageError
from dobble_print.files import ResultFolder, deliver, find_free_name, open_named, read_own
from dobble_print.options import BuildOptions
from dobble_print.resources import THEME_FILE
from dobble_print.theme.reader import show_path

DONE, FAILED = "done", "failed"
LOOK_EVERY_S = 1.0
HALF_S = 10.0  # a zip without an end that has not grown for so long is broken
NO_THEME = "it is no theme: drop a .yaml file, a folder with a theme.yaml, or a zip of one"
MOST_LOOKED_AT = 5000  # files of a dropped folder
Snapshot = tuple[tuple[str, int, int], ...]


@dataclass
class HotFolder:
    """A folder that is looked at again and again; `on_stop` says when to leave."""

    folder: Path
    options: BuildOptions
    on_event: Callable[[Event], None]
    seen: dict[Path, Snapshot] = field(default_factory=dict)
    building: dict[str, Path] = field(default_factory=dict)  # what was dropped, by the id of its job
    stuck: set[Path] = field(default_factory=set)  # what could not be moved away
    ignored: set[Path] = field(default_factory=set)  # what is no theme, and was told so
    since: dict[Path, float] = field(default_factory=dict)  # when it was last seen to change

    def watch(self, scheduler: Scheduler, once: bool) -> None:
        """Build what is dropped, until Ctrl-C; with `once`, what lies there now."""
        self._prepare()
        while True:
            waiting = self._start_settled(scheduler)
            if once and not waiting and not self.building:
                return
            until = time.monotonic() + LOOK_EVERY_S
            while time.monotonic() < until:
                scheduler.collect(until - time.monotonic())

    def finish(self, event: Event) -> None:
        """Pass an event on; move what was dropped once its job is over."""
        self.on_event(event)
        item = self.building.pop(event["job"], None) if event["event"] in ("done", "skipped", "failed") else None
        if item is None:
            return
        try:
            self._move(item, FAILED if event["event"] == "failed" else DONE, event)
        except OSError as error:
            self.stuck.add(item)
            faults = [Fault(f"{show_path(item)} cannot be moved ({error.strerror})").as_dict()]
            self.on_event({"event": "failed", "job": item.name, "folder": "", "exit_code": 7, "faults": faults})

    def _prepare(self) -> None:
        try:
            if not self.folder.is_dir():
                raise UsageError(Fault(f"there is no folder {self.folder} to watch", "Make it first."))
            for name in (DONE, FAILED):
                ResultFolder.open(self.folder, self.folder / name).close()
        except OSError as error:
            hint = "done and failed must be folders in it, which you may write to."
            raise OutputError(Fault(f"cannot write to {self.folder} ({error.strerror})", hint)) from None

    def _start_settled(self, scheduler: Scheduler) -> bool:
        """Start what has not changed since the last look; whether something is still being copied."""
        themes = {theme.parent if theme.parent != self.folder else theme: theme for theme in list_themes(self.folder)}
        others = [path for path in sorted(self.folder.iterdir()) if path not in themes and path not in self.ignored]
        apart = {self.folder / DONE, self.folder / FAILED, *self.stuck, *self.building.values()}
        found = [item for item in (*themes, *others) if item not in apart and not item.name.startswith(".")]
        looks = {item: look_at(item) for item in found}
        waiting = False
        for item in found:
            if not self._is_settled(item, looks[item]):
                waiting = True
            elif item in themes:
                waiting |= not self._start(themes[item], item, scheduler)
            else:
                self.ignored.add(item)
                self.on_event({"event": "ignored", "job": item.name, "reason": NO_THEME})
        self.seen = looks
        return waiting

    def _is_settled(self, item: Path, looks: Snapshot) -> bool:
        if looks != self.seen.get(item):
            self.since[item] = time.monotonic()
            return False
        return not _is_half(item) or time.monotonic() - self.since[item] > HALF_S

    def _start(self, theme: Path, item: Path, scheduler: Scheduler) -> bool:
        """Tell whether a job may begin: not while another has the same id; its turn comes."""
        job = self._make_job(theme, item)
        if job.id in self.building or not scheduler.has_room:
            return False
        self.building[job.id] = item
        scheduler.start(job)
        return True

    def _make_job(self, theme: Path, item: Path) -> Job | InvalidJob:
        try:
            if item.is_symlink() or theme.is_symlink():
                raise UsageError(Fault(f"{show_path(item)} is a link", "Drop the theme itself."))
            job = make_plain_job(theme, self.options, item.name if item.is_dir() else item.stem)
            return replace(job, id=find_free_name(job.id, lambda name: _is_taken(replace(job, id=name))))
        except DobbleError as error:
            return InvalidJob(item.name, error.faults)

    def _move(self, item: Path, where: str, event: Event) -> None:
        """Move a job's files away, its report first: what lies in `done` always has one."""
        folder = self.folder / where
        stem = find_free_name(item.stem, lambda name: os.path.lexists(folder / f"{name}{item.suffix}"))
        target = folder / f"{stem}{item.suffix}"
        with contextlib.suppress(DobbleError):
            deliver(folder, {f"{target.name}.{REPORT}": _read_report(event, item)}, root=self.folder)
        with contextlib.closing(ResultFolder.open(self.folder, folder)) as place:
            place.take(item, target.name)


def _is_taken(job: Job) -> bool:
    """Return whether something else of this name has results already."""
    report = read_report(job.folder)
    if report.get("status") != "done":
        return False
    try:
        return make_task(job, None, travels=False).inputs != report.get("inputs")
    except Exception:  # whoever builds it says why; these results are not its own in any case
        return True


def _is_half(item: Path) -> bool:
    """Whether it is a zip without an end, which is half copied or broken."""
    if item.suffix.lower() != ARCHIVE:
        return False
    try:
        with open_named(item) as file:
            return not zipfile.is_zipfile(file)
    except OSError:
        return False


def _read_report(event: Event, item: Path) -> bytes:
    """Return the job's own report; what was no job at all has one that begins alike."""
    with contextlib.suppress(OSError):
        if event["folder"]:
            return read_own(Path(event["folder"]) / REPORT, MOST_BYTES)
    faults = tuple(map(Fault.from_dict, event.get("faults", ())))
    return make_report(event["job"], show_path(item), "", TaskResult(ExitCode(event.get("exit_code", 0)), faults))


def look_at(item: Path) -> Snapshot:
    """Names, sizes and times of all files of what was dropped."""
    inside = (Path(here, name) for here, _, names in os.walk(item) for name in names)
    found = []
    for path in (item, item / THEME_FILE, *sorted(itertools.islice(inside, MOST_LOOKED_AT))):
        with contextlib.suppress(OSError):
            stat = path.lstat()
            found.append((str(path), stat.st_size, stat.st_mtime_ns))
    return tuple(found)
