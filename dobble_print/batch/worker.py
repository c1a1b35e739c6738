"""One job, or several on shared sheets, made into files and a report in a worker's process."""

from __future__ import annotations

import hashlib
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dobble_print import __version__
from dobble_print.batch.inputs import unpack_files
from dobble_print.batch.jobs import Delivery, GangParcel, Parcel
from dobble_print.build import (
    check_shop_files,
    find_differences,
    list_proofs,
    make_prepress,
    make_room_for_mark,
    print_gang,
    prove_files,
    prove_product,
    tell_proofs,
)
from dobble_print.cache import take_fingerprint, use_cache
from dobble_print.compose import Composition, compose_deck
from dobble_print.errors import DobbleError, ExitCode, Fault, Place, ThemeError, UsageError, explain_exception
from dobble_print.options import BuildOrder, Wishes
from dobble_print.sheets.plan import Batch, gang_batches
from dobble_print.theme.model import Theme
from dobble_print.theme.reader import read_theme
from dobble_print.verify.proof import Proof

Tell = Callable[[str], None]
OFFICE_INK = "RGB: the office printer decides"


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


def build_parcel(parcel: Parcel | GangParcel, tell: Tell) -> Delivery:
    """Build a job, or the shared sheets of several; faults of any kind come back as such."""
    watch = Stopwatch(tell)
    first = parcel.parcels[0] if isinstance(parcel, GangParcel) else parcel
    use_cache(first.cache)
    try:
        _check_program(first)
        delivery = build_gangs(parcel, watch) if isinstance(parcel, GangParcel) else _build(parcel, watch)
    except Exception as error:
        code, faults = explain_exception(error)
        lines = tuple(traceback.format_exc().splitlines()) if code is ExitCode.BUG else ()
        delivery = Delivery(code, faults=faults, report={"faults": [fault.as_dict() for fault in faults]}, log=lines)
    watch.begin("")
    return replace(delivery, times=dict(delivery.times) | {"seconds": watch.seconds})


def _check_program(parcel: Parcel) -> None:
    """Another machine with another version would make other bytes under the same name."""
    if parcel.program != take_fingerprint():
        what = f"the worker has another dobble-print ({__version__}) or other libraries than this computer"
        raise UsageError(Fault(what, "Install the same version with the same libraries on all machines."))


@contextmanager
def open_parcel(parcel: Parcel) -> Iterator[tuple[Theme, BuildOrder]]:
    """The theme and what is asked of it; inputs that travelled lie in a folder of their own meanwhile."""
    order = parcel.job.order
    if parcel.files is None:
        yield _read(Path(parcel.theme), parcel, order), order
        return
    with tempfile.TemporaryDirectory(prefix="dobble-print-") as name:
        folder = Path(name) / "theme"
        unpack_files(parcel.files, folder)
        if parcel.profile:
            unpack_files({parcel.profile[0]: parcel.profile[1]}, Path(name) / "profile")
            asked = str(Path(name) / "profile" / parcel.profile[0])
            order = replace(order, overrides=replace(order.overrides, profile=asked))
        if parcel.output_profile is not None:
            unpack_files({"press.icc": parcel.output_profile}, Path(name))
            order = replace(order, output_profile=Path(name) / "press.icc")
        with _shown_as(str(folder / parcel.theme), parcel.shown):
            yield _read(folder / parcel.theme, parcel, order), order


def _read(path: Path, parcel: Parcel, order: BuildOrder) -> Theme:
    return replace(read_theme(path, order.overrides), name=parcel.job.id)


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


def _build(parcel: Parcel, watch: Stopwatch) -> Delivery:
    from dobble_print.build import build_box, build_product

    watch.begin("theme")
    with open_parcel(parcel) as (theme, order):
        wishes = replace(order.make_wishes(), job=parcel.job.id)
        if parcel.only_box:
            product = build_box(theme, wishes, watch.begin)
        else:
            product = build_product(theme, (), wishes, watch.begin)
    watch.begin("proof")
    proofs = prove_product(product)
    watch.begin("preflight")
    check = check_shop_files(product)
    _refuse_changed(parcel)
    verdict = rename_verdict(check.as_dict(), parcel.job.id) if check else None
    files = {name_file(parcel.job.id, name): data for name, data in product.files.items()}
    report = {
        "deck": product.summary,
        "files": measure_files(files),
        "ink": find_words(verdict, "ink") or OFFICE_INK,
        "preflight": verdict,
        "proof": {name_file(parcel.job.id, name): proof for name, proof in list_proofs(proofs).items()},
        "warnings": [str(fault) for fault in product.warnings],
        "notes": list(product.notes),
    }
    faults = () if check is None or check.passed else tuple(describe_flaws(verdict))
    return Delivery(
        ExitCode.PREFLIGHT if faults else ExitCode.OK,
        files,
        tuple(name_file(parcel.job.id, pattern) for pattern in product.obsolete),
        report | {"faults": [fault.as_dict() for fault in faults]},
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


def _refuse_changed(parcel: Parcel) -> None:
    """A result stands for the inputs it is made from: if somebody saved one meanwhile, it stands for nothing."""
    from dobble_print.batch.inputs import make_parcel

    if parcel.files is None and make_parcel(parcel.job, None, False, parcel.only_box).inputs != parcel.inputs:
        raise ThemeError(Fault(f"{parcel.shown} or a file it uses was changed while it was built", "Run it again."))


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

    def make_batch(self) -> Batch:
        """Its cards, each marked with the job's id."""
        batch = self.deck.make_batch(list(self.deck.layouts), self.wishes.copies, self.wishes.mark)
        leaves = {key: replace(leaf, deck=f"{self.id} · {leaf.deck}") for key, leaf in batch.leaves.items()}
        return Batch(leaves, batch.forms)


def build_gangs(parcel: GangParcel, watch: Stopwatch) -> Delivery:
    """The shared sheets of all jobs; pictures cannot share any and are told."""
    gangs: list[list[Member]] = []
    with ExitStack() as stack:
        for each in parcel.parcels:
            theme, order = stack.enter_context(open_parcel(each))
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
        "warnings": [f"{job} is not on these sheets: it failed" for job in parcel.absent],
        "deck": _count(gangs),
    }
    code = ExitCode.PREFLIGHT if faults else ExitCode.OK
    log = (
        *(f"{name}: {', '.join(member.id for member in gang)}" for name, gang in names.items()),
        *(f"warning: {warning}" for warning in report["warnings"]),
        *describe_report(report | {"ink": "; ".join(f"{name} {words}" for name, words in report["ink"].items())}),
        *tell_proofs(proofs),
    )
    report["faults"] = [fault.as_dict() for fault in faults]
    return Delivery(code, files, (f"{GANG}-*",), report, log=log, faults=faults)


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
    prepress = make_prepress(first.deck.theme, first.wishes)
    batch = gang_batches([member.make_batch() for member in gang])
    return print_gang([member.deck for member in gang], batch, prepress, first.wishes)


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
