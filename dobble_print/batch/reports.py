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
from pathlib import Path
from typing import Any

from dobble_print import __version__
from dobble_print.batch.jobs import Job, Outcome, Task, TaskResult
from dobble_print.errors import ExitCode, Fault, OutputError
from dobble_print.files import deliver, open_checked, read_own
from dobble_print.messages import clip, show
from dobble_print.theme.reader import show_path

REPORT, LOG = "report.json", "log.txt"
EARLIER = "The PDF files here are from an earlier run: they are not what this job asks for now."
_RESULT = re.compile(r"(?:[^./\\\0-\x1f][^/\\\0-\x1f]*/)?[^./\\\0-\x1f][^/\\\0-\x1f]*")  # in a folder, or not
MOST_BYTES = 20_000_000  # of a report; the largest deck's takes a hundredth of that
_PART = re.compile(r"\..*\.(\d+)\.part")


def read_report(folder: Path) -> dict[str, Any]:
    """Return the report of a job, whoever put it there; an empty one where there is none that can be read."""
    try:
        report = json.loads(read_own(folder / REPORT, MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return report if isinstance(report, dict) else {}


def find_finished(task: Task, retry_failed: bool) -> Outcome | None:
    """How an earlier run of the very same job went, if that still holds."""
    name, folder = task.job.id, task.job.folder
    report = read_report(folder)
    if report.get("inputs") != task.inputs or (retry_failed and report.get("status") == "failed"):
        return None
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError, OSError):
        if report["status"] == "failed":
            faults, code = tuple(map(Fault.from_dict, report["faults"])), ExitCode(report["exit_code"])
            return Outcome(name, "failed", str(folder), faults=faults, code=code, is_remembered=True)
        sums = {_find_listed(folder, each["name"]): each["sha256"] for each in report["files"]}
        if all(_hash_file(path) == listed for path, listed in sums.items()):
            deck = {str(key): value for key, value in report["deck"].items() if isinstance(value, str | int | list)}
            warnings = len(report["warnings"])
            return Outcome(name, "skipped", str(folder), tuple(map(str, sums)), deck=deck, warnings=warnings)
    return None


def _find_listed(folder: Path, name: str) -> Path:
    """Return a file of a job's results, which lie in its folder or one below."""
    if not _RESULT.fullmatch(name):
        raise ValueError("it leads elsewhere")
    return folder.resolve() / name


def verify_answer(answer: object) -> TaskResult:
    """Return what a worker answered, perhaps on another machine; raises `ValueError` unless it is a whole result.

    Every file goes into the job's folder or one below, and is the one that the worker measured and proved.
    """
    if not isinstance(answer, TaskResult) or not all(isinstance(each, dict) for each in (answer.report, answer.times)):
        raise ValueError("no result")
    if not isinstance(answer.code, ExitCode) or not all(isinstance(fault, Fault) for fault in answer.faults):
        raise ValueError("no result")
    for name in (*answer.files, *answer.obsolete):
        if not _RESULT.fullmatch(name):
            raise ValueError(f"a file called {clip(name)}")
    listed = {each["name"]: each["sha256"] for each in answer.report.get("files", ())}
    if listed != {name: hashlib.sha256(data).hexdigest() for name, data in answer.files.items()}:
        raise ValueError("other files than it says")
    return answer


def _hash_file(path: Path) -> str:
    with open_checked(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_result(task: Task, result: TaskResult) -> Outcome:
    """Write a job's results and then its report; raises `OutputError`."""
    job, folder = task.job, task.job.folder
    if result.files:
        deliver(folder, result.files, result.obsolete, job.options.output)
    earlier = [EARLIER] if result.code and not result.files and any(folder.glob("*.pdf")) else []
    outcome = make_outcome(job, result)
    log = [f"{job.id}: {outcome.status}", *map(str, result.faults), *earlier, *result.log]
    log += [f"{step}: {taken:.2f} s" for step, taken in result.times.get("seconds", {}).items()]
    written = "\n".join(map(show, "\n".join(log).split("\n"))) + "\n"
    deliver(folder, {LOG: written.encode("utf-8", "backslashreplace")}, root=job.options.output)
    passed_on = () if task.gang else job.options.passed_on  # whose the cards of shared sheets are, the pick list says
    report = make_report(job.id, task.shown, task.inputs, result, passed_on)
    deliver(folder, {REPORT: report}, root=job.options.output)
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


def make_report(
    job: str, theme: str, inputs: str, result: TaskResult, passed_on: Sequence[tuple[str, str]] = ()
) -> bytes:
    """Return a job's report; a job whose inputs could not be read has no hash of them.

    What the program knows itself is not taken from the worker's part.
    """
    known = {
        "job": job,
        "status": "failed" if result.code else "done",
        "exit_code": int(result.code),
        "theme": theme,
        "program": f"dobble-print {__version__}",
        "inputs": inputs,
        **({"columns": dict(passed_on)} if passed_on else {}),
    }
    told = {"faults": [fault.as_dict() for fault in result.faults], "times": result.times}
    return write_json(known | {key: value for key, value in result.report.items() if key not in known} | told)


def write_json(content: Any) -> bytes:
    """Return a document for people and programs; what no file can hold, such as half a letter, is written out."""
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "backslashreplace")


def sweep_parts(folder: Path) -> None:
    """Remove files that a killed run was still writing; those of a living process are its own business."""
    if folder.is_symlink():
        return
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
