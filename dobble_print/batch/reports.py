"""Reports: `report.json` in each job's folder says what was made from which inputs, and is written last.

Invariant: a job counts as done only while its report names these very inputs and every file it lists is there, whole.
A run that was killed at any moment leaves a folder that the next run takes for what it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dobble_print import __version__
from dobble_print.batch.jobs import Job, Outcome, Status, Task, TaskResult
from dobble_print.errors import ExitCode, Fault, OutputError
from dobble_print.files import deliver
from dobble_print.theme.reader import show_path

REPORT, LOG = "report.json", "log.txt"
EARLIER = "The PDF files here are from an earlier run: they are not what this job asks for now."
_PART = re.compile(r"\..*\.(\d+)\.part")


@dataclass(frozen=True)
class JobReport:
    """What is written down of a job: the hash of its inputs, how it went, and the whole report."""

    inputs: str
    status: str
    content: dict[str, Any]


def read_report(folder: Path) -> JobReport | None:
    """Return the report of a job, if there is one that can be read."""
    try:
        report = json.loads((folder / REPORT).read_text(encoding="utf-8"))
        return JobReport(str(report["inputs"]), str(report["status"]), report)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def find_finished(task: Task, retry_failed: bool) -> Outcome | None:
    """How an earlier run of the very same job went, if that still holds."""
    report = read_report(task.job.folder)
    if report is None or report.inputs != task.inputs:
        return None
    if report.status == "failed":
        return None if retry_failed else _remember_failure(task, report)
    try:
        if not all(_is_whole(task.job.folder / each["name"], each) for each in report.content["files"]):
            return None
        paths = tuple(str(task.job.folder / each["name"]) for each in report.content["files"])
        deck, warnings = dict(report.content["deck"]), len(report.content["warnings"])
    except (KeyError, TypeError):
        return None
    return Outcome(task.job.id, "skipped", str(task.job.folder), paths, deck=deck, warnings=warnings)


def _remember_failure(task: Task, report: JobReport) -> Outcome | None:
    try:
        faults = tuple(Fault.from_dict(each) for each in report.content["faults"])
        code = ExitCode(report.content["exit_code"])
    except (KeyError, TypeError, ValueError):
        return None
    return Outcome(task.job.id, "failed", str(task.job.folder), faults=faults, code=code, is_remembered=True)


def _is_whole(path: Path, listed: dict[str, Any]) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == str(listed["sha256"])
    except OSError:
        return False


def write_result(task: Task, result: TaskResult) -> Outcome:
    """Write a job's results and then its report; raises `OutputError`."""
    job, folder = task.job, task.job.folder
    paths = deliver(folder, result.files, result.obsolete) if result.files else []
    status: Status = "failed" if result.code else "done"
    start = make_report(job.id, result.code, task.shown, task.inputs)
    earlier = [EARLIER] if result.code and not result.files and any(folder.glob("*.pdf")) else []
    log = [f"{job.id}: {status}", *map(str, result.faults), *earlier, *result.log]
    seconds = result.times.get("seconds", {})
    log += [f"{step}: {taken:.2f} s" for step, taken in seconds.items()]
    deliver(folder, {LOG: _lines(log)})
    deliver(folder, {REPORT: write_json({**start, **result.report, "times": result.times})})
    return Outcome(
        job.id,
        status,
        str(folder),
        tuple(map(str, paths)),
        result.faults,
        result.code,
        dict(result.report.get("deck", {})),
        len(result.report.get("warnings", ())),
        float(result.times.get("wall_s", 0.0)),
        float(result.times.get("cpu_s", 0.0)),
        float(result.times.get("peak_mb", 0.0)),
    )


def write_refusal(job: Job, faults: Sequence[Fault], code: ExitCode) -> Outcome:
    """Write down why a job never came to a worker, if its folder can be written to; earlier results stay."""
    report = make_report(job.id, code, show_path(job.theme), "") | {
        "faults": [fault.as_dict() for fault in faults],
        "times": {},
    }
    earlier = [EARLIER] if any(job.folder.glob("*.pdf")) else []
    with contextlib.suppress(OutputError):
        deliver(job.folder, {LOG: _lines([f"{job.id}: failed", *map(str, faults), *earlier])})
        deliver(job.folder, {REPORT: write_json(report)})
    return Outcome(job.id, "failed", str(job.folder), faults=tuple(faults), code=code)


def make_report(job: str, code: ExitCode, theme: str, inputs: str) -> dict[str, Any]:
    """How every report begins; a job whose inputs could not be read has no hash of them."""
    return {
        "job": job,
        "status": "failed" if code else "done",
        "exit_code": int(code),
        "theme": theme,
        "program": f"dobble-print {__version__}",
        "inputs": inputs,
    }


def _lines(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace")


def write_json(content: Any) -> bytes:
    """Return a document for people and programs; what no file can hold, such as half a letter, is written out."""
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "backslashreplace")


def sweep_parts(folder: Path) -> None:
    """Remove files that a killed run was still writing; those of a living process are its own business."""
    for path in (*folder.glob(".*.part"), *folder.glob("*/.*.part")):
        found = _PART.fullmatch(path.name)
        if found and (int(found[1]) == os.getpid() or not _is_alive(int(found[1]))):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
