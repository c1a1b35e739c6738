"""What a job is, what travels to its worker, and what comes back.

Invariant: everything here is plain and frozen, so that it means the same in any process on any machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from dobble_print.cache import Cache
from dobble_print.errors import ExitCode, Fault, Place
from dobble_print.jobs import BuildOrder

Status = Literal["done", "skipped", "failed"]


@dataclass(frozen=True)
class Job:
    """One deck to make: its id names folder and files; `theme` is a theme file or a zip; `group` a folder above it.

    `order.output` is the folder of the whole batch. `place` is the row of the job list, where there is one, and `asked`
    the id as it stands there: no file can be called by some of its letters.
    """

    id: str
    theme: Path
    order: BuildOrder
    group: str = ""
    place: Place | None = None
    asked: str = ""

    @property
    def folder(self) -> Path:
        """Where its results go."""
        return self.order.output / self.group / self.id


@dataclass(frozen=True)
class Misfit:
    """A row or an argument that is no job, and why."""

    id: str
    faults: tuple[Fault, ...]


@dataclass(frozen=True, eq=False)
class Parcel:
    """A job on its way to a worker. Without `files` the worker reads the theme where it lies.

    `files` are the bytes of all inputs by their path below the theme's folder, `theme` is the path of the theme file
    (among them, if they travel), `shown` what faults call it. `inputs` is the hash that the result will stand for.
    With `only_box`, the cards are printed elsewhere, on sheets shared with other jobs.
    """

    job: Job
    program: str
    inputs: str
    theme: str
    shown: str
    files: Mapping[str, bytes] | None = None
    profile: tuple[str, bytes] | None = None
    output_profile: bytes | None = None
    cache: Cache | None = None
    only_box: bool = False


@dataclass(frozen=True)
class GangParcel:
    """Several jobs whose cards share sheets; `absent` are those that failed and are missing from them."""

    parcels: tuple[Parcel, ...]
    absent: tuple[str, ...] = ()

    @property
    def job(self) -> Job:
        """The first of them, which says where results go."""
        return self.parcels[0].job


@dataclass(frozen=True, eq=False)
class Delivery:
    """What a worker hands back: files, the report without its times, the times, and lines for the log."""

    code: ExitCode
    files: Mapping[str, bytes] = field(default_factory=dict)
    obsolete: tuple[str, ...] = ()
    report: Mapping[str, Any] = field(default_factory=dict)
    times: Mapping[str, Any] = field(default_factory=dict)
    log: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, eq=False)
class Outcome:
    """How a job went: done, skipped because nothing changed, or failed and why."""

    id: str
    status: Status
    folder: str = ""
    files: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    code: ExitCode = ExitCode.OK
    deck: Mapping[str, Any] = field(default_factory=dict)
    warnings: int = 0
    seconds: float = 0.0
    cpu_s: float = 0.0
    peak_mb: float = 0.0
    is_remembered: bool = False  # it failed in an earlier run, and nothing has changed since

    @property
    def reason(self) -> str:
        """The first fault in a line."""
        if not self.faults:
            return ""
        more = f" (and {len(self.faults) - 1} more)" if len(self.faults) > 1 else ""
        again = "; unchanged, so not tried again: --retry-failed" if self.is_remembered else ""
        return f"{self.faults[0]}{more}{again}"
