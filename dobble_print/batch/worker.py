"""One job, or several on shared sheets, made into files and a report in a worker's process."""

from __future__ import annotations

import hashlib
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from dobble_print import __version__
from dobble_print.batch.inputs import unpack_files
from dobble_print.batch.jobs import GangTask, Task, TaskResult
from dobble_print.build import (
    check_shop_files,
    find_differences,
    list_proofs,
    make_prepress,
    make_printable,
    make_room_for_mark,
    print_gang,
    prove_files,
    prove_product,
    tell_proofs,
)
from dobble_print.cache import take_fingerprint, use_cache
from dobble_print.compose import Composition, compose_deck
from dobble_print.errors import DobbleError, ExitCode, Fault, Place, ThemeError, UsageError, describe_bug, list_faults
from dobble_print.options import BuildOrder, Wishes
from dobble_print.prepress.forms import FormLibrary
from dobble_print.press.document import PrintableDeck
from dobble_print.sandbox.protocol import Message
from dobble_print.sheets.plan import Batch, gang_batches
from dobble_print.theme.model import Theme
from dobble_print.theme.reader import read_theme
from dobble_print.verify.proof import Proof

Tell = Callable[[str], None]
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
    from dobble_print.build import build_product

    with tempfile.TemporaryDirectory(prefix="dobble-print-") as folder:
        path = Path(folder) / "theme.yaml"
        path.write_text(REHEARSAL, encoding="utf-8")
        with suppress(DobbleError, ImportError, OSError):  # the build itself says what is missing
            prove_product(build_product(read_theme(path)))


def run_packed(task: Task | GangTask, on_step: Tell) -> Message:
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


class Stopwatch:
    """How long each step took; tells the next one as it begins."""

    def __init__(self, tell: Tell) -> None:
        self.seconds: dict[str, float] = {}
        self._tell, self._step = tell, ("", 0.0)

    def begin(self, step: str) -> None:
        """The last step is over, this one begins."""
        name, since = self._step
        now = time.perf_counter()
        if name:
            self.seconds[name] = round(self.seconds.get(name, 0.0) + now - since, 3)
        self._step = (step, now)
        if step:
            self._tell(step)


def run_task(task: Task | GangTask, tell: Tell) -> TaskResult:
    """Build a job, or the shared sheets of several; faults of any kind come back as such."""
    watch = Stopwatch(tell)
    first = task.tasks[0] if isinstance(task, GangTask) else task
    use_cache(first.cache)
    try:
        _check_program(first)
        result = build_gangs(task, watch) if isinstance(task, GangTask) else _build(task, watch)
    except DobbleError as error:
        result = TaskResult.make_failure(error.exit_code, error.faults)
    except Exception as error:
        result = TaskResult.make_failure(ExitCode.BUG, [describe_bug(error)], traceback.format_exc().splitlines())
    watch.begin("")
    return replace(result, times=dict(result.times) | {"seconds": watch.seconds})


def _check_program(task: Task) -> None:
    """Another machine with another version would make other bytes under the same name."""
    if task.program != take_fingerprint():
        what = f"the worker has another dobble-print ({__version__}) or other libraries than this computer"
        raise UsageError(Fault(what, "Install the same version with the same libraries on all machines."))


@contextmanager
def open_task(task: Task) -> Iterator[tuple[Theme, BuildOrder]]:
    """The theme and what is asked of it; inputs that travelled lie in a folder of their own meanwhile."""
    order = task.job.order
    if task.files is None:
        yield _read(Path(task.theme), task, order), order
        return
    with tempfile.TemporaryDirectory(prefix="dobble-print-") as name:
        folder = Path(name) / "theme"
        unpack_files(task.files, folder)
        if task.profile:
            unpack_files({task.profile[0]: task.profile[1]}, Path(name) / "profile")
            asked = str(Path(name) / "profile" / task.profile[0])
            order = replace(order, overrides=replace(order.overrides, profile=asked))
        if task.output_profile is not None:
            unpack_files({"press.icc": task.output_profile}, Path(name))
            order = replace(order, output_profile=Path(name) / "press.icc")
        with _shown_as(str(folder / task.theme), task.shown):
            yield _read(folder / task.theme, task, order), order


def _read(path: Path, task: Task, order: BuildOrder) -> Theme:
    return replace(read_theme(path, order.overrides), name=task.job.id)


@contextmanager
def _shown_as(real: str, shown: str) -> Iterator[None]:
    """Faults name the file that people know, not where it lay while it was built."""
    try:
        yield
    except DobbleError as error:
        raise type(error)(*(_rename(fault, real, shown) for fault in error.faults)) from None


def _rename(fault: Fault, real: str, shown: str) -> Fault:
    place = fault.place and Place(fault.place.file.replace(real, shown), fault.place.line, fault.place.column)
    return Fault(fault.what.replace(real, shown), fault.hint.replace(real, shown), place)


def _build(task: Task, watch: Stopwatch) -> TaskResult:
    from dobble_print.build import build_box, build_product

    watch.begin("theme")
    with open_task(task) as (theme, order):
        wishes = replace(order.make_wishes(), job=task.job.id)
        if task.only_box:
            product = build_box(theme, wishes, watch.begin)
        else:
            product = build_product(theme, (), wishes, watch.begin)
    watch.begin("proof")
    proofs = prove_product(product)
    watch.begin("preflight")
    check = check_shop_files(product)
    _refuse_changed(task)
    verdict = rename_verdict(check.as_dict(), task.job.id) if check else None
    files = {name_file(task.job.id, name): data for name, data in product.files.items()}
    report = {
        "deck": product.summary,
        "files": measure_files(files),
        "ink": find_words(verdict, "ink") or OFFICE_INK,
        "preflight": verdict,
        "proof": {name_file(task.job.id, name): proof for name, proof in list_proofs(proofs).items()},
        "warnings": [str(fault) for fault in product.warnings],
        "notes": list(product.notes),
    }
    faults = () if check is None or check.passed else tuple(describe_flaws(verdict))
    return TaskResult(
        ExitCode.PREFLIGHT if faults else ExitCode.OK,
        files,
        tuple(name_file(task.job.id, pattern) for pattern in product.obsolete),
        report | {"faults": list_faults(faults)},
        log=(
            product.describe(),
            *(f"warning: {fault}" for fault in product.warnings),
            *product.notes,
            *describe_report(report),
            *tell_proofs(proofs),
            *(check.describe() if check else ()),
        ),
        faults=faults,
    )


def _refuse_changed(task: Task) -> None:
    """A result stands for the inputs it is made from: if somebody saved one meanwhile, it stands for nothing."""
    from dobble_print.batch.inputs import make_task

    if task.files is None and make_task(task.job, None, False, task.only_box).inputs != task.inputs:
        raise ThemeError(Fault(f"{task.shown} or a file it uses was changed while it was built", "Run it again."))


def name_file(job: str, name: str) -> str:
    """The job's id leads the name of every file, but for those in folders, which other files refer to."""
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
    """What the preflight says, with the files under the names they are delivered by."""
    others = {name_file(job, name): part for name, part in verdict["others"].items()}
    return verdict | {"file": name_file(job, verdict["file"]), "others": others}


def describe_report(report: dict[str, Any]) -> list[str]:
    """The figures of a report for people: every file in a line, and the ink."""
    return [*(_describe_file(each) for each in report["files"]), f"ink: {report['ink']}"]


def _describe_file(file: dict[str, Any]) -> str:
    parts = [f"{file['bytes']:,} bytes"]
    if "pages" in file:
        left, bottom, right, top = (boxes := file["boxes_mm"][0]).get("TrimBox", boxes["MediaBox"])
        parts += [
            f"{file['pages']} page{'s' if file['pages'] > 1 else ''}",
            f"trim {right - left:g} × {top - bottom:g} mm",
            f"dpi: {file['dpi']}",
        ]
        parts.append(f"fonts: {', '.join(file['fonts']) or 'none'}")
    return f"{file['name']}: {'; '.join(parts)}"


def find_words(verdict: dict[str, Any] | None, rule: str) -> str:
    """What the preflight says about one thing."""
    rules = verdict["rules"] if verdict else []
    return next((str(each["what"]) for each in rules if each["rule"] == rule), "")


def describe_flaws(verdict: dict[str, Any] | None) -> list[Fault]:
    """The rules that failed, as faults."""
    if not verdict:
        return []
    found = {verdict["file"]: verdict, **verdict["others"]}
    return [
        Fault(f"preflight, {file}, {each['rule']}: {each['what']}", "The files are written, so you can look at them.")
        for file, part in found.items()
        for each in part["rules"]
        if each["verdict"] == "fail"
    ]


GANG = "gang"


@dataclass(frozen=True, eq=False)
class Member:
    """A job's deck and what is asked of it."""

    id: str
    deck: Composition
    wishes: Wishes

    def make_batch(self, printable: PrintableDeck) -> Batch:
        """Return its cards, each marked with the job's id."""
        batch = printable.make_batch(list(self.deck.layouts), self.wishes.copies, self.wishes.mark)
        cards = {key: replace(card, deck=f"{self.id} · {card.deck}") for key, card in batch.cards.items()}
        return Batch(cards, batch.forms)


def build_gangs(task: GangTask, watch: Stopwatch) -> TaskResult:
    """The shared sheets of all jobs; pictures cannot share any and are told."""
    gangs: list[list[Member]] = []
    with ExitStack() as stack:
        for each in task.tasks:
            theme, order = stack.enter_context(open_task(each))
            if theme.pictures.kind == "none":
                wishes = order.make_wishes()
                deck = compose_deck(make_room_for_mark(theme, wishes.mark), watch.begin)
                _join(gangs, Member(each.job.id, deck, wishes))
        watch.begin("sheets")
        files: dict[str, bytes] = {}
        proofs: dict[str, Proof] = {}
        names = {name_gang(number): gang for number, gang in enumerate(gangs, start=1)}
        for name, gang in names.items():
            made = _print(gang)
            watch.begin("proof")
            proofs |= {f"{name}-{file}": proof for file, proof in prove_files(name, made).items()}
            watch.begin("sheets")
            files |= {f"{name}-{file}": data for file, data in made.items()}
    watch.begin("preflight")
    verdicts, faults = _check(names, files)
    report: dict[str, Any] = {
        "gangs": {name: [member.id for member in gang] for name, gang in names.items()},
        "files": measure_files(files),
        "ink": {name: find_words(verdict, "ink") or OFFICE_INK for name, verdict in verdicts.items()},
        "preflight": verdicts,
        "proof": list_proofs(proofs),
        "warnings": [f"{job} is not on these sheets: it failed" for job in task.absent],
        "deck": _count(gangs),
    }
    code = ExitCode.PREFLIGHT if faults else ExitCode.OK
    log = (
        *(f"{name}: {', '.join(member.id for member in gang)}" for name, gang in names.items()),
        *(f"warning: {warning}" for warning in report["warnings"]),
        *describe_report(report | {"ink": "; ".join(f"{name} {words}" for name, words in report["ink"].items())}),
        *tell_proofs(proofs),
    )
    report["faults"] = list_faults(faults)
    return TaskResult(code, files, (f"{GANG}-*",), report, log=log, faults=faults)


def _count(gangs: Sequence[Sequence[Member]]) -> dict[str, int]:
    """How many cards lie on how many sheets, all gangs together."""
    cards = [sum(len(member.deck.layouts) * member.wishes.copies for member in gang) for gang in gangs]
    each = [len(gang[0].deck.sheet.nest.centres) for gang in gangs]
    return {"cards": sum(cards), "sheets": sum(-(-all_ // room) for all_, room in zip(cards, each, strict=True))}


def name_gang(number: int) -> str:
    """`gang`, `gang-2`, …"""
    return GANG if number == 1 else f"{GANG}-{number}"


def _join(gangs: list[list[Member]], member: Member) -> None:
    """Join the first gang whose sheets look the same and are asked for in the same way."""
    for gang in gangs:
        first = gang[0]
        same_wishes = replace(first.wishes, copies=1, mark="none") == replace(member.wishes, copies=1, mark="none")
        if same_wishes and not find_differences(first.deck, member.deck):
            gang.append(member)
            return
    gangs.append([member])


def _print(gang: Sequence[Member]) -> dict[str, bytes]:
    first = gang[0]
    library = FormLibrary(make_prepress(first.deck.theme, first.wishes))
    printables = [make_printable(member.deck, library) for member in gang]
    batch = gang_batches([member.make_batch(each) for member, each in zip(gang, printables, strict=True)])
    return print_gang(printables, batch, first.deck.sheet, first.wishes)


def _check(names: dict[str, list[Member]], files: dict[str, bytes]) -> tuple[dict[str, Any], tuple[Fault, ...]]:
    """What the preflight says about the sheets that go to a press."""
    from dobble_print.preflight.limits import check_files

    verdicts: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, gang in names.items():
        own = {file.removeprefix(f"{name}-"): data for file, data in files.items() if file.startswith(f"{name}-")}
        check = check_files(gang[0].deck.theme, own)
        if check:
            verdicts[name] = rename_verdict(check.as_dict(), name)
            faults += describe_flaws(verdicts[name])
    return verdicts, tuple(faults)
