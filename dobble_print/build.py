"""The straight line: theme → decks → artwork → layout → plan → PDF. Start reading here.

`composition.compose_deck` makes everything that is on the cards; `build_product` turns it into the files of a box.
Invariant: nothing is written here; a `Product` is complete in memory before the outbox delivers it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from dobble_print.composition import Composition, Report, compose_deck
from dobble_print.errors import Fault, UsageError
from dobble_print.pdf.render import CARD_PX, render_page
from dobble_print.prepress.cut_layer import check_cut_name
from dobble_print.prepress.prepare import Prepress
from dobble_print.press.booklet.book import find_bleed_mm, make_booklet
from dobble_print.press.booklet.format import find_size
from dobble_print.press.booklet.imposition import make_booklet_print
from dobble_print.press.document import Order, print_sheets
from dobble_print.press.legend import make_legend
from dobble_print.press.record import write_record
from dobble_print.press.tabletop import make_pictures
from dobble_print.product import Product
from dobble_print.sheets.marks import choose_words
from dobble_print.sheets.pages import plan_contact_sheet
from dobble_print.sheets.plan import TRUE_PRINT, Mark
from dobble_print.theme.model import Theme
from dobble_print.units import Correction, Point

MARK_MARGIN_MM = 5.8


@dataclass(frozen=True)
class Wishes:
    """What to make of a deck besides one set of sheets, and for which machine."""

    booklet: bool = True
    legend: bool = True
    booklet_size: str | None = None
    copies: int = 1
    mark: Mark = "none"
    output_profile: Path | None = None
    correction: Correction = TRUE_PRINT
    front_offset: Point = (0.0, 0.0)
    date: date | None = None
    job: str = ""  # a print shop's own name for it, on every sheet


ALL = Wishes()


def build_product(
    theme: Theme, only: Sequence[int] = (), wishes: Wishes = ALL, report: Report = lambda step: None
) -> Product:
    """Make a deck from a theme; with `only`, the sheets of just those cards, exactly as they were."""
    find_size(wishes.booklet_size)
    if theme.pictures.kind != "none" and wishes.copies > 1:
        raise UsageError(Fault("--copies: pictures are made once; whoever prints them copies them", "Leave it out."))
    prepress = make_prepress(theme, wishes)
    deck = compose_deck(make_room_for_mark(theme, wishes.mark), report)
    printer, numbers = deck.printer, _choose_numbers(list(deck.layouts), only)

    if theme.pictures.kind == "none":
        report("sheets")
        batch = deck.make_batch(numbers, wishes.copies, wishes.mark)
        order = make_order(deck, printer.title, prepress, wishes)
        files = print_sheets(_sheet_name(only), batch, deck.sheet, order)
    else:
        report("pictures")
        files = make_pictures(printer, numbers)
    if not only:
        files |= finish_box(deck, wishes, report)
    warnings = (*_doubt_mark(wishes), *deck.warnings)
    printed = len(numbers) * wishes.copies
    return Product(theme, deck.decks, deck.deck_id, files, deck.sheet.nest, printed, warnings, deck.notes)


def _doubt_mark(wishes: Wishes) -> list[Fault]:
    """A mark tells copies apart, and one deck has none to be told from."""
    if wishes.mark == "none" or wishes.copies > 1:
        return []
    what = f"--mark {wishes.mark} tells copies apart, but there is only one: all its cards get the letter A"
    return [Fault(what, "Add --copies 2 or more, or leave it out.")]


def make_order(deck: Composition, title: str, prepress: Prepress, wishes: Wishes) -> Order:
    """What the sheets are for."""
    note = write_note(deck.theme, wishes)
    fixes = (wishes.correction, wishes.front_offset)
    return Order(title, deck.printer.language, note, prepress, *fixes, deck.theme.plotter.files)


def make_room_for_mark(theme: Theme, mark: Mark) -> Theme:
    """Symbols of marked copies leave room for a letter that a child can read."""
    margin = theme.layout.margin_mm if mark == "none" else max(theme.layout.margin_mm, MARK_MARGIN_MM)
    return replace(theme, layout=replace(theme.layout, margin_mm=margin))


def build_box(theme: Theme, wishes: Wishes = ALL, report: Report = lambda step: None) -> Product:
    """Everything in the box but the cards, which are printed on sheets shared with other decks."""
    deck = compose_deck(make_room_for_mark(theme, wishes.mark), report)
    files = finish_box(deck, wishes, report)
    return Product(theme, deck.decks, deck.deck_id, files, None, 0, deck.warnings, deck.notes)


def finish_box(deck: Composition, wishes: Wishes, report: Report = lambda step: None) -> dict[str, bytes]:
    """Everything in the box but the cards: record, preview, booklet and legend."""
    theme, printer, prepress = deck.theme, deck.printer, make_prepress(deck.theme, wishes)
    report("preview")
    contact = plan_contact_sheet(list(deck.layouts), printer.look.shape)
    width_px = round(contact.paper.width_mm / printer.look.shape.width_mm * CARD_PX)
    files = {
        "deck.json": write_record(theme, deck.decks, deck.deck_id, deck.layouts),
        "preview.png": render_page(printer.print_plain(contact), width_px),
    }
    if wishes.booklet:
        report("booklet")
        files["booklet.pdf"] = make_booklet(printer, deck.decks, deck.artworks, size=wishes.booklet_size)
        imposed = make_booklet_print(files["booklet.pdf"], theme.sheet.paper, find_bleed_mm(theme))
        files["booklet-print.pdf"] = prepress.convert(imposed, printer.title)
    if wishes.legend:
        report("legend")
        files["legend.pdf"] = prepress.convert(make_legend(printer, deck.artworks), printer.title)
    return files


def make_prepress(theme: Theme, wishes: Wishes) -> Prepress:
    """What the machine needs that prints the sheets; raises a `UsageError` where wishes exclude each other."""
    if theme.press.cut_path != "none":
        check_cut_name(theme.press.cut_name)
    if theme.press.standard == "none":
        if wishes.output_profile:
            what = "--output-profile is for a print shop's PDF"
            raise UsageError(Fault(what, "Add --profile shop-sra3-x4, or leave it out."))
        return Prepress(theme.press)
    if wishes.correction != TRUE_PRINT or wishes.front_offset != (0.0, 0.0):
        what = "offsets and --scale put an office printer right; a press is set on the press"
        raise UsageError(Fault(what, "Leave them out."))
    from dobble_print.prepress.inks import load_output_profile

    moment = datetime(wishes.date.year, wishes.date.month, wishes.date.day) if wishes.date else None
    return Prepress(theme.press, load_output_profile(wishes.output_profile), moment)


def write_note(theme: Theme, wishes: Wishes) -> str:
    """What the line on every sheet says after the deck: job, paper, profile, and the date where it is wanted."""
    date_words = wishes.date.isoformat() if wishes.date else ""
    job = wishes.job and choose_words(theme).name_job(wishes.job)
    parts = (job, theme.sheet.paper.name, theme.profile, date_words)
    return " · ".join(part for part in parts if part)


def _choose_numbers(known: Sequence[int], only: Sequence[int]) -> list[int]:
    unknown = [str(number) for number in only if number not in known]
    if unknown:
        raise UsageError(Fault(f"there is no card {', '.join(unknown)}", f"This deck has cards 1 to {known[-1]}."))
    return sorted(set(only)) or list(known)


def _sheet_name(only: Sequence[int]) -> str:
    """A reprint has a name of its own: the sheets of the whole deck must survive it."""
    if not only:
        return "cards.pdf"
    runs: list[list[int]] = []
    for number in sorted(set(only)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [f"{run[0]}to{run[-1]}" if len(run) > 2 else "-".join(map(str, run)) for run in runs]
    return f"cards-{'-'.join(parts)}.pdf"
