"""Run a command for each theme: read, build, deliver, check, report."""

from __future__ import annotations

import json
import os
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dobble_print.cli.console import Console
from dobble_print.errors import ExitCode, Fault, UsageError, explain_exception
from dobble_print.options import BuildOrder
from dobble_print.press.printers import list_printers, load_printer, parse_offset, parse_scale, save_printer
from dobble_print.theme.kinds import Choice, Field
from dobble_print.theme.model import Theme
from dobble_print.theme.options import SHEET
from dobble_print.theme.overrides import Overrides, read_value
from dobble_print.theme.reader import find_theme, read_theme
from dobble_print.units import Correction, Point, papers

if TYPE_CHECKING:
    from dobble_print.build import Product
    from dobble_print.preflight.limits import ShopCheck


UNWRITTEN = "cannot write the result"
Report = dict[str, Any]
Job = Callable[[str], Report]


def run_themes(
    themes: Sequence[str], job: Job, console: Console, as_json: bool, debug: bool, keep_code: bool = False
) -> ExitCode:
    """Run the job for every theme, print its result, and say how it all went.

    With `keep_code`, failures of one kind keep their code, however many there are.
    """
    reports: list[Report] = []
    try:
        for theme in themes:
            reports.append(_run_one(theme, job, console, debug))
    finally:  # a run that is interrupted still tells what it finished
        if as_json:
            print(json.dumps({"results": reports}, ensure_ascii=False, indent=1))
    codes = [ExitCode(report["exit_code"]) for report in reports]
    if len(codes) == 1 or not any(codes):
        return codes[0]
    if keep_code and len(set(filter(None, codes))) == 1:
        return next(filter(None, codes))
    return ExitCode.SOME_FAILED


def _run_one(theme: str, job: Job, console: Console, debug: bool) -> Report:
    console.begin()
    report: Report = {"input": theme, "theme": Path(theme).stem, "exit_code": ExitCode.OK, "files": [], "faults": []}
    try:
        report |= job(theme)
    except BrokenPipeError:
        raise
    except Exception as error:  # reading is guarded where it happens: an OSError is stdout on a full disk
        code, faults = explain_exception(error, UNWRITTEN)
        report |= {"exit_code": code, "faults": [fault.as_dict() for fault in faults]}
        console.fail(faults)
        if debug:
            traceback.print_exc()
    finally:
        console.rest()
    return report


@contextmanager
def guard(debug: bool = False) -> Iterator[None]:
    """Turn whatever a command raises into its exit code, with a message instead of a traceback."""
    try:
        yield
    except KeyboardInterrupt:
        print("interrupted; nothing was left half-written", file=sys.stderr)
        sys.exit(ExitCode.INTERRUPTED)
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(ExitCode.OK)
    except Exception as error:
        code, faults = explain_exception(error, UNWRITTEN)
        Console().fail(faults)
        if debug and code is ExitCode.BUG:
            traceback.print_exc()
        sys.exit(code)


def tell_new(remarks: Sequence[Fault], words: str, advice: str, console: Console) -> None:
    """What to know about a new theme, and what to do with it."""
    console.warn(remarks)
    if words:
        console.say(words)
    suggest_step(advice, console)


def suggest_step(text: str, console: Console) -> None:
    """What to do next, for a person who sits before a terminal; scripts know that already."""
    if sys.stderr.isatty():
        console.say(text)


def check_job(overrides: Overrides, as_json: bool, console: Console, report: Path | None = None) -> Job:
    """A job that checks a theme and prints what deck it gives; with `report`, it draws symbols that look alike."""

    def job(name: str) -> Report:
        from dobble_print.check import check_theme, draw_report
        from dobble_print.files import deliver

        console.step(name, "theme")
        verdict = check_theme(find_theme(name), overrides, report is not None, str(report or ""))
        paths = [] if report is None else deliver(report.parent, draw_report(verdict, report.name))
        console.rest()
        console.fail(verdict.faults)
        console.warn(verdict.warnings)
        for remark in verdict.remarks:
            console.say(f"remark: {remark}")
        if report is not None and not paths:
            console.say(f"{report} was not drawn: the pictures come first")
        if verdict.faults:
            count = len(verdict.faults)
            console.say(f"{verdict.theme.name}: {count} {'fault' if count == 1 else 'faults'} to mend")
        elif not as_json:
            print(f"{verdict.theme.name}: {verdict.words}", *paths, sep="\n", flush=True)
            how = "There is no fault. If the warnings do not matter," if verdict.warnings else "All is well. Now"
            suggest_step(f"{how} type: dobble-print build {shlex.quote(name)}", console)
        return {
            "theme": verdict.theme.name,
            "exit_code": verdict.exit_code,
            "words": verdict.words,
            "files": [str(path) for path in paths],
            "faults": [fault.as_dict() for fault in verdict.faults],
            "warnings": [fault.as_dict() for fault in verdict.warnings],
            "lookalikes": verdict.list_lookalikes(),
        }

    return job


def check_report_name(report: Path | None, themes: Sequence[str]) -> None:
    """A report is one picture of one theme; raises a `UsageError`."""
    if report is None:
        return
    if report.suffix.lower() != ".png":
        raise UsageError(Fault(f"--report draws a PNG picture, not {report.name}", "Call it pairs.png."))
    if len(themes) > 1:
        raise UsageError(Fault("--report draws one theme", "Check the themes one by one."))


def parse_numbers(text: str) -> list[int]:
    """Card numbers as people write them: `17,23` or `5-8`."""
    numbers: list[int] = []
    for part in filter(None, text.replace(" ", ",").split(",")):
        first, dash, last = part.partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not dash)):
            raise UsageError(Fault(f'--only "{text}" is no list of card numbers', "Write it like 17,23 or 5-8."))
        numbers += range(int(first), min(int(last or first), int(first) + 1000) + 1)
    if not numbers:
        raise UsageError(Fault("--only names no card", "Write it like 17,23 or 5-8."))
    return numbers


def split_languages(languages: Sequence[str] | None) -> tuple[str, ...] | None:
    """`--lang nl --lang fr` and `--lang nl,fr` mean the same."""
    if not languages:
        return None
    return tuple(part.strip() for language in languages for part in language.split(",") if part.strip())


def read_correction(printer: str | None, offset: str | None, scale: str | None) -> Correction:
    """The saved printer's correction, or what is given in its place."""
    known = load_printer(printer) if printer else Correction()
    dx_mm, dy_mm = parse_offset(offset) if offset is not None else (known.dx_mm, known.dy_mm)
    return Correction(dx_mm, dy_mm, parse_scale(scale) if scale is not None else known.scale)


def read_front_offset(text: str | None) -> Point:
    """How far the fronts are to be shifted."""
    return parse_offset(text) if text is not None else (0.0, 0.0)


def write_calibration(
    paper: str | None,
    duplex: str,
    offset: str | None,
    scale: str | None,
    save: str | None,
    printer: str | None,
    output: Path,
    console: Console,
) -> list[Path]:
    """The test page, drawn with the correction it is asked to check; with `save` the correction is kept too.

    What is read off a page that was printed for a known printer is added to what is known of it.
    """
    from dobble_print.files import deliver
    from dobble_print.press.calibration import make_calibration

    if save and offset is None and scale is None:
        raise UsageError(Fault("there is nothing to save", "Give --back-offset or --scale, or both."))
    correction = _refine(printer or (save if save in list_printers() else None), offset, scale, printer is not None)
    chosen = read_value("--paper", SHEET.field("paper"), paper or next(iter(papers())))
    edge = read_value("--duplex", Field("duplex", Choice(("long", "short")), ""), duplex)
    keep_as = save or (printer if offset is not None or scale is not None else None)
    kept = [save_printer(keep_as, correction)] if keep_as else []
    if keep_as:
        shift = f"backs {correction.dx_mm:g} mm to the right and {correction.dy_mm:g} mm up"
        console.say(f"{keep_as}: {shift}, scale {correction.scale:g}; use it with --printer {keep_as}")
    return [*kept, *deliver(output, {"calibrate.pdf": make_calibration(chosen, edge, correction)})]


def _refine(printer: str | None, offset: str | None, scale: str | None, is_added: bool) -> Correction:
    """What is known of a printer, with what was given in its place or, for a second page, on top of it."""
    given = read_correction(None, offset, scale)
    if not is_added or printer is None:
        return read_correction(printer, offset, scale)
    known = load_printer(printer)
    return Correction(
        round(known.dx_mm + given.dx_mm, 3), round(known.dy_mm + given.dy_mm, 3), round(known.scale * given.scale, 6)
    )


def build_job(names: Sequence[str], order: BuildOrder, as_json: bool, console: Console) -> Job:
    """A job that builds one of the themes and prints the paths it wrote."""
    built: dict[str, str] = {}

    def job(name: str) -> Report:
        from dobble_print.build import build_product

        console.step(name, "theme")
        theme = read_theme(find_theme(name), order.overrides)
        if built.setdefault(theme.name, name) != name:
            hint = "Rename one, or build it in a run of its own with another --output."
            raise UsageError(Fault(f'{name} and {built[theme.name]} are both called "{theme.name}"', hint))
        product = build_product(theme, order.only, order.make_wishes(), lambda step: console.step(theme.name, step))
        return hand_over(product, order, as_json, console)

    return job


def gang_job(names: Sequence[str], order: BuildOrder, as_json: bool, console: Console) -> Job:
    """A job that builds several themes on shared sheets, and the rest of each box in its own folder."""

    def job(_: str) -> Report:
        from dobble_print.build import build_gang

        themes = [read_theme(find_theme(name), order.overrides) for name in names]
        _refuse_twins(themes)
        shared, boxes = build_gang(themes, order.make_wishes(), lambda step: console.step("gang", step))
        reports = [hand_over(product, order, as_json, console) for product in (shared, *boxes)]  # sheets may be refused
        return reports[0] | {"files": [path for report in reports for path in report["files"]]}

    return job


def _refuse_twins(themes: Sequence[Theme]) -> None:
    names = [theme.name for theme in themes]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(Fault(f'two of the themes are called "{name}"', "Rename one, or use --copies."))


def hand_over(product: Product, order: BuildOrder, as_json: bool, console: Console) -> Report:
    """Prove and deliver a finished box, check a shop's file, and tell what there is to tell."""
    from dobble_print.build import check_shop_files, list_proofs, prove_product, tell_proofs
    from dobble_print.files import deliver

    name = product.name
    console.step(name, "proof")
    proofs = prove_product(product)
    console.step(name, "delivery")
    folder = order.output / name
    paths = [] if order.dry_run else deliver(folder, product.files, product.obsolete)
    console.step(name, "preflight")
    check = check_shop_files(product)
    console.rest()
    console.warn(product.warnings)
    console.say(product.describe())
    for line in tell_proofs(proofs):
        console.say(f"{name}: {line}")
    for note in (*product.notes, *(f"{step}: {seconds:.2f} s" for step, seconds in console.seconds.items())):
        console.detail(f"{name}: {note}")
    if order.dry_run:
        console.say(f"{name}: dry run, nothing written; would write {', '.join(product.files)} to {folder}")
    if not as_json:
        for path in paths:
            print(path, flush=True)
    report: Report = {
        "theme": name,
        "files": [str(path) for path in paths],
        "deck": product.summary,
        "warnings": [fault.as_dict() for fault in product.warnings],
        "notes": list(product.notes),
        "proof": list_proofs(proofs),
        "seconds": console.seconds,
    }
    return report | _tell_check(check, console)


def _tell_check(check: ShopCheck | None, console: Console) -> Report:
    if check is None:
        return {}
    for line in check.describe():
        console.say(line)
    code = ExitCode.OK if check.passed else ExitCode.PREFLIGHT
    return {"preflight": check.as_dict(), "exit_code": code}
