"""What the build command does with each theme: read, build, deliver, check, tell.

Invariant: results are proved first and delivered whole; a print shop's file is always checked, and what the check
says is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dobble_print.build import list_proofs, prove_product, tell_proofs
from dobble_print.console import Console
from dobble_print.errors import ExitCode, Fault, Report, UsageError, list_faults
from dobble_print.press.printers import list_printers, load_printer, parse_offset, parse_scale, save_printer
from dobble_print.runner import Job
from dobble_print.theme.kinds import Choice, Field
from dobble_print.theme.model import Theme
from dobble_print.theme.options import SHEET
from dobble_print.theme.overrides import Overrides, read_value
from dobble_print.theme.reader import find_theme, read_theme
from dobble_print.units import Correction, Point, papers

if TYPE_CHECKING:
    from dobble_print.build import Product, Wishes
    from dobble_print.preflight.limits import ShopCheck

MOST_COPIES = 200


@dataclass(frozen=True)
class BuildOrder:
    """What the command line asks of a build."""

    overrides: Overrides
    only: Sequence[int]
    output: Path
    dry_run: bool = False
    booklet: bool = True
    legend: bool = True
    booklet_size: str | None = None
    copies: int = 1
    mark: str = "none"
    output_profile: Path | None = None
    correction: Correction = Correction()  # noqa: RUF009 - frozen, and true
    front_offset: Point = (0.0, 0.0)
    dated: bool = False

    def make_wishes(self) -> Wishes:
        """The same for the press."""
        from dobble_print.build import Wishes

        if not 1 <= self.copies <= MOST_COPIES:
            raise UsageError(Fault(f"--copies: {self.copies} is out of range", f"Give 1 to {MOST_COPIES}."))
        return Wishes(
            self.booklet,
            self.legend,
            self.booklet_size,
            self.copies,
            read_mark(self.mark),
            self.output_profile,
            self.correction,
            self.front_offset,
            date.today() if self.dated else None,
        )


def read_mark(text: str) -> Literal["none", "color", "letter"]:
    """How copies are told apart."""
    match text.casefold():
        case "color" | "colour":
            return "color"
        case "letter":
            return "letter"
        case "none":
            return "none"
    raise UsageError(Fault(f"--mark: there is no mark {text}", "Give color, letter or none."))


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
        "warnings": list_faults(product.warnings),
        "notes": list(product.notes),
        "proof": list_proofs(proofs),
        "seconds": console.seconds,
    }
    return report | _tell_check(check, console)


def check_shop_files(product: Product) -> ShopCheck | None:
    """What the check says about the files of a print shop; others are not checked."""
    if product.theme.press.standard == "none":
        return None
    from dobble_print.preflight.limits import check_files

    return check_files(product.theme, product.files)


def _tell_check(check: ShopCheck | None, console: Console) -> Report:
    if check is None:
        return {}
    for line in check.describe():
        console.say(line)
    code = ExitCode.OK if check.passed else ExitCode.PREFLIGHT
    return {"preflight": check.as_dict(), "exit_code": code}
