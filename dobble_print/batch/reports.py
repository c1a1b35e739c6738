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
from pathlib import Path
from typing import Any

from dobble_print import __version__
from dobble_print.batch.jobs import Job, Outcome, Task, TaskResult
from dobble_print.errors import ExitCode, Fault, OutputError
from dobble_print.files import deliver
from dobble_print.theme.reader import show_path

REPORT, LOG = "report.json", "log.txt"
EARLIER = "The PDF files here are from an earlier run: they are not what this job asks for now."
_PART = re.compile(r"\..*\.(\d+)\.part")


def read_report(folder: Path) -> dict[str, Any]:
    """Return the report of a job; an empty one where there is none that can be read."""
    try:
        report = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return report if isinstance(report, dict) else {}


def find_finished(task: Task, retry_failed: bool) -> Outcome | None:
    """How an earlier run of the very same job went, if that still holds."""
    name, folder = task.job.id, task.job.folder
    report = read_report(folder)
    if report.get("inputs") != task.inputs or (retry_failed and report.get("status") == "failed"):
        return None
    with contextlib.suppress(KeyError, TypeError, ValueError, OSError):
        if report["status"] == "failed":
            faults, code = tuple(map(Fault.from_dict, report["faults"])), ExitCode(report["exit_code"])
            return Outcome(name, "failed", str(folder), faults=faults, code=code, is_remembered=True)
        sums = {folder / each["name"]: each["sha256"] for each in report["files"]}
        if all(hashlib.sha256(path.read_bytes()).hexdigest() == listed for path, listed in sums.items()):
            deck, warnings = dict(report["deck"]), len(report["warnings"])
            return Outcome(name, "skipped", str(folder), tuple(map(str, sums)), deck=deck, warnings=warnings)
    return None


def write_result(task: Task, result: TaskResult) -> Outcome:
    """Write a job's results and then its report; raises `OutputError`."""
    job, folder = task.job, task.job.folder
    if result.files:
        deliver(folder, result.files, result.obsolete)
    earlier = [EARLIER] if result.code and not result.files and any(folder.glob("*.pdf")) else []
    outcome = make_outcome(job, result)
    log = [f"{job.id}: {outcome.status}", *map(str, result.faults), *earlier, *result.log]
    log += [f"{step}: {taken:.2f} s" for step, taken in result.times.get("seconds", {}).items()]
    deliver(folder, {LOG: ("\n".join(log) + "\n").encode("utf-8", "backslashreplace")})
    deliver(folder, {REPORT: make_report(job.id, task.shown, task.inputs, result)})
    return outcome


def write_refusal(job: Job, result: TaskResult) -> Outcome:
    """Write down why a job never came to a worker, if its folder can be written to; earlier results stay."""
    with contextlib.suppress(OutputError):
        return write_result(Task(job, "", "", "", show_path(job.theme)), result)
    return make_outcome(job, result)


def make_outcome(job: Job, result: TaskResult) -> Outcome:
    """Return how a job went, of what its worker handed back."""
    report, times = result.report, result.times
    return Outcome(
        job.id,
        "failed" if result.code else "done",
        str(job.folder),
        tuple(str(job.folder / name) for name in result.files),
        result.faults,
        result.code,
        report.get("deck", {}),
        len(report.get("warnings", ())),
        {"seconds": times.get("wall_s", 0.0), **{key: times.get(key, 0.0) for key in ("cpu_s", "peak_mb")}},
    )


def make_report(job: str, theme: str, inputs: str, result: TaskResult) -> bytes:
    """Return a job's report; a job whose inputs could not be read has no hash of them."""
    content = {
        "job": job,
        "status": "failed" if result.code else "done",
        "exit_code": int(result.code),
        "theme": theme,
        "program": f"dobble-print {__version__}",
        "inputs": inputs,
        **result.report,
        "faults": [fault.as_dict() for fault in result.faults],
        "times": result.times,
    }
    return write_json(content)


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
