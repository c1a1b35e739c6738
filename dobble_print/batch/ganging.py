"""The cards of a batch's jobs on shared sheets: jobs whose sheets look alike form a gang, each with its pick list.

Invariant: every job lies in exactly one gang, in the order of the batch; every card says on its sheet whose it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from dobble_print.batch.model import Delivery, GangParcel
from dobble_print.batch.work import (
    OFFICE_INK,
    Stopwatch,
    describe_flaws,
    describe_report,
    find_words,
    measure_files,
    open_parcel,
    rename_verdict,
)
from dobble_print.build import (
    Wishes,
    find_differences,
    list_proofs,
    make_prepress,
    make_room_for_mark,
    print_gang,
    prove_files,
    tell_proofs,
)
from dobble_print.compose import Composition, compose_deck
from dobble_print.errors import ExitCode, Fault, list_faults
from dobble_print.sheets.plan import Batch, gang_batches
from dobble_print.verify.proof import Proof

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
    report["faults"] = list_faults(faults)
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
