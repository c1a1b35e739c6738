"""Outputs: the files a machine needs for the leaves of one or several decks.

Invariant: sheets, cut files and pictures come from the same leaves and the same nest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dobble_print.prepress.cut_layer import make_cut_page
from dobble_print.prepress.prepare import Prepress, label_cuts, trace_page
from dobble_print.press.cutfiles import write_dxf, write_svg
from dobble_print.press.document import Printer, print_leaves
from dobble_print.sheets.cutting import Cut, trace_cuts
from dobble_print.sheets.nesting import Nest
from dobble_print.sheets.pages import Sheet, add_backs, correct_pages, measure_boxes, plan_separate_back, plan_sheets
from dobble_print.sheets.plan import Batch, Page
from dobble_print.theme.machine_model import CutFile
from dobble_print.units import Correction, Paper, Point


@dataclass(frozen=True, eq=False)
class Order:
    """What the sheets of a batch are for: their title and language, the note on every sheet, the machine."""

    title: str
    language: str
    note: str
    prepress: Prepress
    correction: Correction
    front_offset: Point
    cut_files: tuple[CutFile, ...] = ()


def print_sheets(name: str, batch: Batch, sheet: Sheet, order: Order) -> dict[str, bytes]:
    """The sheets with their backs, a file of backs where they are printed apart, and the cut files."""
    fronts = plan_sheets(sheet, batch.leaves, order.note)
    has_backs = any(leaf.back for leaf in batch.leaves.values())
    pages = correct_pages(add_backs(fronts, sheet) if has_backs else fronts, order.correction, order.front_offset)
    files = {name: _print(pages, batch, sheet, order)}
    if has_backs and sheet.duplex == "separate":
        some_leaf = next(iter(batch.leaves))
        back = plan_separate_back(sheet, some_leaf, f"{batch.leaves[some_leaf].deck} · {order.note}")
        files["backs.pdf"] = _print(correct_pages([back], order.correction), batch, sheet, order)
    return files | _write_cuts([page for page in pages if page.front_centres], sheet, order)


def _print(pages: Sequence[Page], batch: Batch, sheet: Sheet, order: Order) -> bytes:
    return print_leaves(pages, batch.leaves, batch.forms, order.title, order.language, sheet.duplex, order.prepress)


def _write_cuts(fronts: Sequence[Page], sheet: Sheet, order: Order) -> dict[str, bytes]:
    """The cuts of a full sheet, and those of the last one where it holds fewer cards."""
    options = order.prepress.options
    count, short = len(fronts), len(fronts[-1].slots) < len(fronts[0].slots)
    different = {"cut": range(1, count + 1 - short)} | ({"cut-last": range(count, count + 1)} if short else {})
    files: dict[str, bytes] = {}
    for stem, sheets in different.items():
        page = fronts[sheets[0] - 1]
        cuts = trace_page(page, sheet.look)
        if options.cut_path == "file":
            claim, layers = order.prepress.make_claim(order.title), order.prepress.layers
            boxes, label = measure_boxes(page, sheet.look), label_cuts(sheets)
            files[f"{stem}.pdf"] = make_cut_page(page.paper, cuts, options.cut_name, layers, claim, boxes, label)
        files |= write_cut_files(stem, page.paper, cuts, options.cut_name, order.cut_files)
    return files


def write_cut_files(
    stem: str, paper: Paper, cuts: Sequence[Cut], cut_name: str, wanted: Sequence[CutFile]
) -> dict[str, bytes]:
    """The cuts as drawings for a machine's program."""
    writers = {"svg": write_svg, "dxf": write_dxf}
    return {f"{stem}.{kind}": writers[kind](paper, cuts, cut_name) for kind in wanted}


def count_sheets(cards: int, nest: Nest) -> int:
    """How many sheets so many cards need."""
    return math.ceil(cards / len(nest.centres))


def make_pictures(printer: Printer, numbers: Sequence[int]) -> dict[str, bytes]:
    """The cards as pictures, as the theme's machine or virtual table wants them."""
    from dobble_print.press.pictures import picture_deck
    from dobble_print.press.tabletop import make_tabletop

    options = printer.theme.pictures
    if options.kind == "tabletop":
        return make_tabletop(printer, numbers, printer.title, options.url)
    files = picture_deck(printer, numbers, options)
    shape, paper = printer.look.shape, Paper("card", printer.look.shape.width_mm, printer.look.shape.height_mm)
    cuts = trace_cuts(shape, [(paper.width_mm / 2, paper.height_mm / 2)], 0.0)
    return files | write_cut_files("cut", paper, cuts, printer.theme.press.cut_name, printer.theme.plotter.files)
