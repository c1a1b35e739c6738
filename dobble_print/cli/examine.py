"""The commands that examine PDFs: verify and preflight."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dobble_print.cli.console import Console, Plain, print_lines, run_each
from dobble_print.cli.options import Debug, Json, flag, make_flag
from dobble_print.errors import ExitCode, UsageError
from dobble_print.options import read_value

if TYPE_CHECKING:
    from dobble_print.pdf.report import ShopLimits
    from dobble_print.sandbox.protocol import Message

SECONDS, MEMORY_BYTES = 2.0, 256 << 20  # of processor time and of memory for any file
MOST_SECONDS, MOST_BYTES = (
    60.0,
    1 << 30,
)  # and more at most, for what its pages hold (`open_pdf`)
VERDICTS = {"proved": ExitCode.OK, "wrong": ExitCode.VERIFY, "unknown": ExitCode.UNPROVED}


def preflight_file(name: str, profile: str | None, cut: bool, as_json: bool, console: Console) -> Plain:
    """Check a finished PDF against a print shop's rules."""
    from dobble_print.preflight.limits import limits_of_profile

    limits = limits_of_profile(profile, cut)
    console.step(name, "preflight")
    return _examine(name, "preflight_data", "dobble_print.preflight.check", limits, as_json, console)


def preflight_data(data: bytes, limits: ShopLimits) -> Message:
    """Check a PDF; this runs in a worker."""
    from dobble_print.pdf.report import describe
    from dobble_print.preflight.check import examine_pdf

    found = examine_pdf(data, limits)
    code = ExitCode.OK if found.passed else ExitCode.PREFLIGHT
    return {"lines": describe(found), "plain": {"preflight": found.as_dict(), "exit_code": code}}, []


def verify_file(name: str, gap_mm: float, margin_mm: float, as_json: bool, console: Console) -> Plain:
    """Prove the promises of the game from a finished PDF."""
    console.step(name, "proof")
    return _examine(name, "prove_data", "dobble_print.verify.prove", (gap_mm, margin_mm), as_json, console)


def prove_data(data: bytes, demands: tuple[float, float]) -> Message:
    """Prove what a PDF promises; this runs in a worker."""
    from dobble_print.verify.proof import Demands, describe
    from dobble_print.verify.prove import prove_pdf

    proof = prove_pdf(data, Demands(*demands))
    return {"lines": describe(proof), "plain": {"proof": proof.as_dict(), "exit_code": VERDICTS[proof.verdict]}}, []


def _examine(name: str, task: str, library: str, demands: Any, as_json: bool, console: Console) -> Plain:
    """Return what a task finds in an untrusted PDF, read in a process that is ended when it takes too much."""
    from dobble_print.preflight.limits import read_file
    from dobble_print.sandbox.limits import Limits
    from dobble_print.sandbox.pool import FILE_ENDS, TaskFailed, run_once

    data = read_file(Path(name))
    limits = Limits(SECONDS, MEMORY_BYTES, more_seconds=MOST_SECONDS, more_bytes=MOST_BYTES)
    try:
        found, _ = run_once(f"{__name__}:{task}", (data, demands), limits, library)
    except TaskFailed as failure:  # there may be many files: the fault names this one
        faults = failure.describe(FILE_ENDS)
        raise UsageError(*(replace(fault, what=f"{name}: {fault.what}") for fault in faults)) from failure
    console.rest()
    if not as_json:
        print_lines(*(f"{name}: {line}" for line in found["lines"]))
    return dict(found["plain"])


Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Finished PDF files.")]


def preflight(
    files: Files,
    profile: Annotated[str | None, make_flag("profile")] = None,
    no_cut: Annotated[
        bool, flag("--no-cut", "The files have no cut path, such as a booklet, whatever the profile says.")
    ] = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Check finished PDFs against the rules of a print shop.

    These are page boxes, bleed, fonts, pictures, inks, cut path and the PDF/X standard. The files may come from any
    program.

      dobble-print preflight output/zoo/cards.pdf --profile shop-sra3-x4
    """
    console = Console()
    action = partial(preflight_file, profile=profile, cut=not no_cut, as_json=as_json, console=console)
    sys.exit(run_each(files, action, console, as_json, debug, keep_code=True))


def verify(
    files: Files,
    gap: Annotated[str, flag("--gap MM", "Least distance between symbols, if more than promised.")] = "",
    margin: Annotated[str, flag("--margin MM", "Least distance to the cut, if more than promised.")] = "",
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Prove from finished PDFs that every two cards share exactly one symbol.

    It also proves that every symbol can be seen, that none overlap or come too close to the cut, and that backs lie
    behind their fronts.

      dobble-print verify output/zoo/cards.pdf
    """
    from dobble_print.theme.kinds import Number

    console, distance = Console(), Number(0, 100, "mm")
    gap_mm, margin_mm = (
        read_value(flag, distance, text or "0") for flag, text in (("--gap", gap), ("--margin", margin))
    )
    action = partial(verify_file, gap_mm=gap_mm, margin_mm=margin_mm, as_json=as_json, console=console)
    sys.exit(run_each(files, action, console, as_json, debug, keep_code=True))
