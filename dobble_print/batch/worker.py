"""One job, or several on shared sheets, made into files and a report in a worker's process."""

from __future__ import annotations

import hashlib
import math
import sys
import tempfile
import time
import traceback
from collections.abc import Container, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Any

from dobble_print import __version__
from dobble_print.batch.inputs import make_task, unpack_archive, unpack_files
from dobble_print.batch.jobs import ARCHIVE, Task, TaskResult
from dobble_print.build import GANG, SOMETIMES, Box, DeckOrder, StepTimer, make, sort_gangs
from dobble_print.cache import take_fingerprint, use_cache
from dobble_print.compose import OnStep
from dobble_print.errors import DobbleError, ExitCode, Fault, ThemeError, UsageError, explain_exception
from dobble_print.sandbox.protocol import Message
from dobble_print.theme.reader import read_theme

OFFICE_INK = "RGB: the office printer decides"
LIBRARIES_OF_A_BUILD = (
    "dobble_print.preflight.check",
    "dobble_print.prepress.forms",
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


def load_libraries() -> None:
    """Load all that a build imports, so that workers are born with it."""
    from dobble_print.art.emoji import emoji_files
    from dobble_print.words.lexicon import groups

    for name in LIBRARIES_OF_A_BUILD:
        with suppress(ImportError, OSError):  # the build itself says what is missing
            import_module(name)
    with suppress(ModuleNotFoundError):
        emoji_files()
    groups()
    take_fingerprint()


def rehearse() -> None:
    """Build and prove a tiny deck, so that workers are born with everything that is read or made when it is needed."""
    with tempfile.TemporaryDirectory(prefix="dobble-print-") as folder:
        path = Path(folder) / "theme.yaml"
        path.write_text(REHEARSAL, encoding="utf-8")
        with suppress(DobbleError, ImportError, OSError):  # the build itself says what is missing
            make([DeckOrder(read_theme(path))])


def run_packed(task: Task, on_step: OnStep) -> Message:
    """Run a task with what it costs; this is what the worker of a job does."""
    import resource

    since = time.perf_counter()
    result = run_task(task, on_step)
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    costs = {
        "wall_s": round(time.perf_counter() - since, 3),
        "cpu_s": round(own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime, 3),
        "peak_mb": round(max(own.ru_maxrss, children.ru_maxrss) / unit, 1),
    }
    return replace(result, times=dict(result.times) | costs).pack()


def run_task(task: Task, on_step: OnStep) -> TaskResult:
    """Build a job, or the shared sheets of several; faults of any kind come back as such."""
    timer = StepTimer(on_step)
    use_cache(task.cache)
    try:
        _check_program(task)
        result = build_gangs(task, timer) if task.gang else build_job(task, timer)
    except Exception as error:
        code, faults = explain_exception(error)
        log = traceback.format_exc().splitlines() if code is ExitCode.BUG else []
        result = TaskResult(code, faults, log=log)
    timer.stop()
    return replace(result, times={"seconds": timer.seconds})


def _check_program(task: Task) -> None:
    """Another machine with another version would make other bytes under the same name."""
    if task.program != take_fingerprint():
        what = f"the worker has another dobble-print ({__version__}) or other libraries than this computer"
        raise UsageError(Fault(what, "Install the same version with the same libraries on all machines."))


@contextmanager
def open_task(task: Task) -> Iterator[DeckOrder]:
    """Read what a task asks for; inputs that travelled lie in a folder of their own meanwhile."""
    theme, options = Path(task.theme), replace(task.job.options, job=task.job.id)
    with ExitStack() as stack:
        if task.files is not None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dobble-print-")))
            theme = folder / "theme" / task.theme
            unpack_files(task.files, folder / "theme")
            if task.profile:
                name, files = task.profile
                unpack_files(files, folder / "profile")
                options = replace(options, profile=str(folder / "profile" / name))
            if task.output_profile is not None:
                unpack_files({"press.icc": task.output_profile}, folder)
                options = replace(options, output_profile=folder / "press.icc")
        elif theme.suffix.lower() == ARCHIVE:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dobble-print-"))) / "theme"
            folder.mkdir()
            theme = folder / unpack_archive(theme, folder)
        if theme != Path(task.theme):
            stack.enter_context(_shown_as(str(theme), task.shown))
        yield DeckOrder(replace(read_theme(theme, options.theme_values()), name=task.job.id), options)


@contextmanager
def _shown_as(real: str, shown: str) -> Iterator[None]:
    """Faults name the file that people know, not where it lay while it was built."""
    try:
        yield
    except DobbleError as error:
        raise type(error)(*(_rename(fault, real, shown) for fault in error.faults)) from None


def _rename(fault: Fault, real: str, shown: str) -> Fault:
    place = fault.place and replace(fault.place, file=fault.place.file.replace(real, shown))
    return Fault(fault.what.replace(real, shown), fault.hint.replace(real, shown), place)


def build_job(task: Task, timer: StepTimer) -> TaskResult:
    """Build one deck, all of it or what is in its box besides cards that are printed elsewhere."""
    timer.begin("theme")
    with open_task(task) as order:
        box = _make_box(order, timer, task.only_box)
    if task.files is None and make_task(task.job, None, False, task.only_box).inputs != task.inputs:
        # somebody saved one of them meanwhile: the result would stand for nothing
        raise ThemeError(Fault(f"{task.shown} or a file it uses was changed while it was built", "Run it again."))
    job, plain = task.job.id, box.as_dict()
    verdict = rename_verdict(plain["preflight"], job) if box.check else None
    files = {name_file(job, name): data for name, data in box.files.items()}
    report = {
        "deck": plain["deck"],
        "files": measure_files(files),
        "ink": find_ink(verdict),
        "preflight": verdict,
        "proof": {name_file(job, name): proof for name, proof in plain["proof"].items()},
        "warnings": [str(fault) for fault in box.warnings],
        "notes": plain["notes"],
    }
    log = (
        box.describe(),
        *(f"warning: {fault}" for fault in box.warnings),
        *box.notes,
        *describe_report(report),
        *box.describe_proofs(),
        *(box.check.describe() if box.check else ()),
    )
    obsolete = [name_file(job, pattern) for pattern in box.obsolete]
    faults = describe_flaws([verdict] if verdict else [], files)
    return TaskResult(ExitCode.PREFLIGHT if faults else ExitCode.OK, faults, files, obsolete, report, log)


def _make_box(order: DeckOrder, timer: StepTimer, only_box: bool) -> Box:
    """Make a deck; without its cards where they share sheets with others.

    What a press prints is checked with the job's own sheets all the same, so that a job with a fault fails by itself
    and is missing from the shared ones, rather than that these fail and nobody knows through whom.
    """
    if not only_box or order.theme.press.standard == "none" or order.theme.pictures.kind != "none":
        return make([order], timer.begin, cards=not only_box).boxes[0]
    box = make([order], timer.begin).boxes[0]
    files = {name: data for name, data in box.files.items() if not any(fnmatch(name, each) for each in SOMETIMES)}
    return replace(box, files=files, nest=None, printed=0)


def name_file(job: str, name: str) -> str:
    """Put the job's id before the name of a file, but for those in folders, which other files refer to."""
    return name if "/" in name else f"{job}-{name}"


def measure_files(files: dict[str, bytes]) -> list[dict[str, Any]]:
    """Name, size and checksum of every file, and the figures of every PDF."""
    from dobble_print.preflight.check import measure_pdf

    return [
        {
            "name": name,
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
            **(measure_pdf(data) if name.endswith(".pdf") else {}),
        }
        for name, data in sorted(files.items())
    ]


def rename_verdict(verdict: dict[str, Any], job: str) -> dict[str, Any]:
    """Return what the preflight says, with the files under the names they are delivered by."""
    others = {name_file(job, name): part for name, part in verdict["others"].items()}
    return verdict | {"file": name_file(job, verdict["file"]), "others": others}


def describe_report(report: dict[str, Any]) -> list[str]:
    """Return the figures of a report for people: every file in a line, and the ink."""
    return [*(_describe_file(each) for each in report["files"]), f"ink: {report['ink']}"]


def _describe_file(file: dict[str, Any]) -> str:
    parts = [f"{file['bytes']:,} bytes"]
    if "pages" in file:
        left, bottom, right, top = (boxes := file["boxes_mm"][0]).get("TrimBox", boxes["MediaBox"])
        parts += [
            f"{file['pages']} page{'s' if file['pages'] > 1 else ''}",
            f"trim {right - left:g} × {top - bottom:g} mm",
            f"dpi: {file['dpi']}",
            f"fonts: {', '.join(file['fonts']) or 'none'}",
        ]
    return f"{file['name']}: {'; '.join(parts)}"


def find_ink(verdict: dict[str, Any] | None) -> str:
    """Return what the preflight says about the ink."""
    rules = verdict["rules"] if verdict else []
    return next((str(each["what"]) for each in rules if each["rule"] == "ink"), OFFICE_INK)


def describe_flaws(verdicts: Iterable[dict[str, Any]], files: Container[str]) -> tuple[Fault, ...]:
    """Return the rules that failed, as faults, and whether their files are among those that are delivered."""
    written = "The files are written, so you can look at them."
    alone = "Such cards are on no shared sheet; to look at them, build the job alone."
    return tuple(
        Fault(f"preflight, {file}, {each['rule']}: {each['what']}", written if file in files else alone)
        for verdict in verdicts
        for file, part in {verdict["file"]: verdict, **verdict["others"]}.items()
        for each in part["rules"]
        if each["verdict"] == "fail"
    )


def build_gangs(task: Task, timer: StepTimer) -> TaskResult:
    """Print the cards of all jobs on shared sheets; pictures cannot share any and are left out."""
    with ExitStack() as stack:
        opened = [stack.enter_context(open_task(each)) for each in task.gang]
        gangs = sort_gangs(order for order in opened if order.theme.pictures.kind == "none")
        names = {GANG if number == 1 else f"{GANG}-{number}": gang for number, gang in enumerate(gangs, start=1)}
        boxes = {name: make(gang, timer.begin, gang=True, box=False).boxes[0] for name, gang in names.items()}
    sheets = [math.ceil(box.printed / len(box.nest.centres)) for box in boxes.values() if box.nest]
    files = {f"{name}-{file}": data for name, box in boxes.items() for file, data in box.files.items()}
    verdicts = {name: rename_verdict(box.check.as_dict(), name) for name, box in boxes.items() if box.check}
    report: dict[str, Any] = {
        "gangs": {name: [order.options.job for order in gang] for name, gang in names.items()},
        "files": measure_files(files),
        "ink": {name: find_ink(verdict) for name, verdict in verdicts.items()},
        "preflight": verdicts,
        "proof": {
            f"{name}-{file}": proof.as_dict() for name, box in boxes.items() for file, proof in box.proofs.items()
        },
        "warnings": [f"{job} is not on these sheets: it failed" for job in task.absent],
        "deck": {"cards": sum(box.printed for box in boxes.values()), "sheets": sum(sheets)},
    }
    log = (
        *(f"{name}: {', '.join(jobs)}" for name, jobs in report["gangs"].items()),
        *(f"warning: {warning}" for warning in report["warnings"]),
        *describe_report(report | {"ink": "; ".join(f"{name} {words}" for name, words in report["ink"].items())}),
        *(line for box in boxes.values() for line in box.describe_proofs()),
    )
    faults = describe_flaws(verdicts.values(), files)
    return TaskResult(ExitCode.PREFLIGHT if faults else ExitCode.OK, faults, files, [f"{GANG}-*"], report, log)
