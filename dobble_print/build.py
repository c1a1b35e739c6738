"""Build a deck, or several on shared sheets: compose, print, prove; the files of each box are complete in memory."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from dobble_print.art.artwork import Form
from dobble_print.compose import Composition, Report, compose_deck
from dobble_print.deck.design import Deck
from dobble_print.errors import (
    ArtworkError,
    Fault,
    UsageError,
    VerifyError,
)
from dobble_print.options import ALL, Mark, Wishes
from dobble_print.pdf.render import CARD_PX, render_page
from dobble_print.prepress.cut_layer import check_cut_name
from dobble_print.prepress.forms import FormLibrary
from dobble_print.prepress.low_ink import draw_with_little_ink
from dobble_print.prepress.prepare import Prepress
from dobble_print.press.booklet.book import plan_booklet
from dobble_print.press.booklet.format import find_size
from dobble_print.press.document import Order, PrintableDeck, print_sheets
from dobble_print.press.legend import make_legend
from dobble_print.press.record import write_record
from dobble_print.press.tabletop import make_pictures
from dobble_print.sheets.marks import choose_words
from dobble_print.sheets.nesting import Nest
from dobble_print.sheets.pages import Sheet, plan_contact_sheet
from dobble_print.sheets.plan import Batch, gang_batches, plan_fronts
from dobble_print.theme.model import Theme
from dobble_print.theme.options import BackOptions
from dobble_print.units import TRUE_PRINT

if TYPE_CHECKING:
    from dobble_print.preflight.limits import ShopCheck
    from dobble_print.verify.proof import Proof


# files that only some builds of a whole deck make
SOMETIMES = ("cards.pdf", "backs.pdf", "cut.*", "cut-last.*", "cards/*.png", "tabletop/*")


@dataclass(frozen=True, eq=False)
class Product:
    """A finished box: its files by name, and its figures; without a nest it holds no cards."""

    theme: Theme
    decks: tuple[Deck, ...]
    deck_id: str
    files: dict[str, bytes]
    nest: Nest | None
    printed: int
    warnings: tuple[Fault, ...]
    notes: tuple[str, ...]

    @property
    def obsolete(self) -> tuple[str, ...]:
        """Patterns of what an earlier build of the whole deck may have left; files of this one stay."""
        whole = "picklist.csv" in self.files or ("deck.json" in self.files and self.nest)
        return SOMETIMES if whole else ()

    @property
    def name(self) -> str:
        """What its folder is called."""
        return self.theme.name

    @property
    def summary(self) -> dict[str, object]:
        """The box in figures."""
        used = {symbol for deck in self.decks for card in deck.cards for symbol in card.symbols}
        figures: dict[str, object] = {
            "id": self.deck_id,
            "cards": sum(len(deck.cards) for deck in self.decks),
            "symbols": len(used),
            "symbols_per_card": [deck.symbols_per_card for deck in self.decks],
            "printed_cards": self.printed,
        }
        if self.nest and self.theme.pictures.kind == "none":
            figures |= {
                "paper": self.nest.paper.name,
                "cards_per_sheet": len(self.nest.centres),
                "sheets": math.ceil(self.printed / len(self.nest.centres)),
            }
        return figures | ({"profile": self.theme.profile} if self.theme.profile else {})

    def describe(self) -> str:
        """What was made, in one line."""
        figures = self.summary
        decks = " + ".join(f"{len(deck.cards)} cards of {deck.symbols_per_card}" for deck in self.decks)
        label = f"deck {self.deck_id}, " if self.deck_id else ""
        printed = ""
        if "sheets" in figures:
            per_sheet = figures["cards_per_sheet"]
            card = f"{self.theme.card.shape} cards of {self.theme.card.size_mm:g} mm"
            printed = f"; {self.printed} {card} on {figures['sheets']} × {figures['paper']}, {per_sheet} a sheet"
        return f"{self.theme.name}: {label}{decks} from {figures['symbols']} symbols{printed}"


HINT = "Nothing was written. If its pictures can be seen on the card's colour, tell us: it is a bug in dobble-print."


def prove_product(product: Product) -> dict[str, Proof]:
    """The proof of every file of a box that holds cards; a picture that nobody can see is told as what it is."""
    try:
        return prove_files(product.name, product.files)
    except VerifyError:
        _refuse_unseen(product.theme)
        raise


def _refuse_unseen(theme: Theme) -> None:
    from dobble_print.art.gallery import open_gallery
    from dobble_print.art.similarity.contrast import examine_visibility
    from dobble_print.art.similarity.lookalikes import list_shown, sketch_pictures

    shown = list_shown(theme.symbols)
    unseen, _ = examine_visibility(theme, shown, sketch_pictures(shown, open_gallery(theme.symbols).artworks))
    ArtworkError.raise_any(unseen)


def prove_files(folder: str, files: Mapping[str, bytes]) -> dict[str, Proof]:
    """The proof of every file with cards, by its name; raises a `VerifyError` when a promise is not kept."""
    from dobble_print.verify.prove import prove_pdf

    sheets = {name: data for name, data in files.items() if _holds_cards(name)}
    proofs = {name: prove_pdf(data) for name, data in sheets.items()}
    faults = [
        Fault(f"{folder}/{name} breaks a promise: {claim.what}", HINT)
        for name, proof in proofs.items()
        for claim in proof.claims
        if claim.verdict in ("wrong", "unknown")
    ]
    VerifyError.raise_any(faults)
    return proofs


def _holds_cards(name: str) -> bool:
    return name.endswith(".pdf") and name.startswith(("cards", "backs"))


def tell_proofs(proofs: Mapping[str, Proof]) -> list[str]:
    """What was proved of the pairs, in a line a file."""
    pairs = [claim for proof in proofs.values() for claim in proof.claims if claim.name == "pairs"]
    return [f"proved: {claim.what}" for claim in pairs if claim.verdict == "proved"]


def list_proofs(proofs: Mapping[str, Proof]) -> dict[str, Any]:
    """The proofs as plain data."""
    return {name: proof.as_dict() for name, proof in proofs.items()}


MARK_MARGIN_MM = 5.8


def build_product(
    theme: Theme, only: Sequence[int] = (), wishes: Wishes = ALL, report: Report = lambda step: None
) -> Product:
    """Make a deck from a theme; with `only`, the sheets of just those cards, exactly as they were."""
    find_size(wishes.booklet_size)
    if theme.pictures.kind != "none" and wishes.copies > 1:
        raise UsageError(Fault("--copies: pictures are made once; whoever prints them copies them", "Leave it out."))
    library = FormLibrary(make_prepress(theme, wishes))
    deck = compose_deck(make_room_for_mark(theme, wishes.mark), report)
    printable, numbers = make_printable(deck, library), _choose_numbers(list(deck.layouts), only)

    if theme.pictures.kind == "none":
        report("sheets")
        batch = printable.make_batch(numbers, wishes.copies, wishes.mark)
        order = make_order(printable, printable.title, wishes)
        files = print_sheets(_sheet_name(only), batch, deck.sheet, order)
    else:
        report("pictures")
        files = make_pictures(printable, numbers)
    if not only:
        files |= finish_box(deck, printable, wishes, report)
    warnings = (*_doubt_mark(wishes), *deck.warnings, *printable.warnings)
    printed = len(numbers) * wishes.copies
    return Product(theme, deck.decks, deck.deck_id, files, deck.sheet.nest, printed, warnings, deck.notes)


def _doubt_mark(wishes: Wishes) -> list[Fault]:
    """A mark tells copies apart, and one deck has none to be told from."""
    if wishes.mark == "none" or wishes.copies > 1:
        return []
    what = f"--mark {wishes.mark} tells copies apart, but there is only one: all its cards get the letter A"
    return [Fault(what, "Add --copies 2 or more, or leave it out.")]


def make_printable(deck: Composition, library: FormLibrary) -> PrintableDeck:
    """Return a deck as the press prints it, drawn with little ink where the theme asks for that."""
    forms: tuple[Form, ...] = deck.forms
    warnings: tuple[Fault, ...] = ()
    if deck.theme.sheet.low_ink:
        forms, warnings = draw_with_little_ink(deck.forms, deck.theme)
    look = deck.sheet.look
    return PrintableDeck(
        deck.fronts, deck.back, look, forms, deck.theme, deck.deck_id, deck.sizes_mm, library, warnings
    )


def make_order(printable: PrintableDeck, title: str, wishes: Wishes) -> Order:
    """Return what the sheets are for."""
    note = write_note(printable.theme, wishes)
    fixes = (wishes.correction, wishes.front_offset)
    return Order(title, printable.language, note, printable.library, *fixes, printable.theme.plotter.files)


def make_room_for_mark(theme: Theme, mark: Mark) -> Theme:
    """Symbols of marked copies leave room for a letter that a child can read."""
    margin = theme.layout.margin_mm if mark == "none" else max(theme.layout.margin_mm, MARK_MARGIN_MM)
    return replace(theme, layout=replace(theme.layout, margin_mm=margin))


def build_box(theme: Theme, wishes: Wishes = ALL, report: Report = lambda step: None) -> Product:
    """Everything in the box but the cards, which are printed on sheets shared with other decks."""
    library = FormLibrary(make_prepress(theme, wishes))
    deck = compose_deck(make_room_for_mark(theme, wishes.mark), report)
    return _make_box(deck, make_printable(deck, library), wishes, report)


def _make_box(deck: Composition, printable: PrintableDeck, wishes: Wishes, report: Report) -> Product:
    files = finish_box(deck, printable, wishes, report)
    warnings = (*deck.warnings, *printable.warnings)
    return Product(deck.theme, deck.decks, deck.deck_id, files, None, 0, warnings, deck.notes)


def finish_box(
    deck: Composition, printable: PrintableDeck, wishes: Wishes, report: Report = lambda step: None
) -> dict[str, bytes]:
    """Make everything in the box but the cards: record, preview, booklet and legend."""
    theme, shape = deck.theme, deck.sheet.look.shape
    report("preview")
    contact = plan_contact_sheet(list(deck.layouts), shape)
    width_px = round(contact.paper.width_mm / shape.width_mm * CARD_PX)
    files = {
        "deck.json": write_record(theme, deck.decks, deck.deck_id, deck.layouts),
        "preview.png": render_page(printable.print_plain(contact), width_px),
    }
    if wishes.booklet:
        report("booklet")
        booklet = plan_booklet(printable, deck.decks, deck.artworks, size=wishes.booklet_size)
        files["booklet.pdf"] = booklet.draw()
        files["booklet-print.pdf"] = booklet.impose(files["booklet.pdf"])
    if wishes.legend:
        report("legend")
        files["legend.pdf"] = make_legend(printable, deck.artworks)
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
    job = wishes.job and choose_words(theme).job.format(id=wishes.job)
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


GANG = "gang"


def build_gang(
    themes: Sequence[Theme], wishes: Wishes, report: Report = lambda step: None
) -> tuple[Product, list[Product]]:
    """The shared sheets with their pick list, and for each theme what else is in its box."""
    library = FormLibrary(make_prepress(themes[0], wishes))
    decks = [compose_deck(make_room_for_mark(theme, wishes.mark), report) for theme in themes]
    _check_alike(decks)
    report("sheets")
    first = decks[0]
    printables = [make_printable(deck, library) for deck in decks]
    batch = gang_batches([each.make_batch(list(each.fronts), wishes.copies, wishes.mark) for each in printables])
    files = print_gang(printables, batch, first.sheet, wishes)
    boxes = [_make_box(deck, each, wishes, report) for deck, each in zip(decks, printables, strict=True)]
    all_decks = tuple(part for deck in decks for part in deck.decks)
    shared = Product(replace(first.theme, name=GANG), all_decks, "", files, first.sheet.nest, len(batch.cards), (), ())
    return shared, boxes


def print_gang(decks: Sequence[PrintableDeck], batch: Batch, sheet: Sheet, wishes: Wishes) -> dict[str, bytes]:
    """Print the shared sheets of decks that look the same on paper, and list what lies where."""
    title = " + ".join(deck.title for deck in decks)
    order = make_order(decks[0], title, wishes)
    return {**print_sheets("cards.pdf", batch, sheet, order), "picklist.csv": write_pick_list(batch, sheet)}


def _check_alike(decks: Sequence[Composition]) -> None:
    first = decks[0]
    faults = [
        Fault(f"{deck.theme.name} and {first.theme.name} cannot share sheets: {difference}", "Build them apart.")
        for deck in decks[1:]
        for difference in find_differences(first, deck)
    ]
    UsageError.raise_any(faults)


def find_differences(one: Composition, other: Composition) -> list[str]:
    """Why two decks cannot share sheets, or nothing."""
    pairs = {
        "their cards differ in shape or size": (one.sheet.nest.shape, other.sheet.nest.shape),
        "their papers differ": (one.theme.sheet.paper, other.theme.sheet.paper),
        "their sheet options differ": (one.theme.sheet, other.theme.sheet),
        "their press options differ": (one.theme.press, other.theme.press),
        "one is on labels or for a plotter": (
            (one.theme.labels, one.theme.plotter),
            (other.theme.labels, other.theme.plotter),
        ),
        "one is made of pictures": (one.theme.pictures, other.theme.pictures),
        "their backs differ, and separate backs are one page for all": (_separate_back(one), _separate_back(other)),
    }
    return [words for words, (a, b) in pairs.items() if a != b][:1]


def _separate_back(deck: Composition) -> BackOptions | None:
    """The back that is printed on a page of its own, if it is; what else lies on a sheet has its own back behind it."""
    return deck.theme.back if deck.theme.sheet.duplex == "separate" else None


def write_pick_list(batch: Batch, sheet: Sheet) -> bytes:
    """Which card lies where, so that a pile of cut cards becomes decks again."""
    sink = io.StringIO()
    rows = csv.writer(sink, lineterminator="\n")
    rows.writerow(["sheet", "place", "deck", "card", "copy"])
    for number, page in enumerate(plan_fronts(sheet.nest, list(batch.cards)), start=1):
        for place, slot in enumerate(page.slots, start=1):
            card = batch.cards[slot.card]
            rows.writerow([number, place, card.deck, card.front.letter + str(card.front.number), card.promise.copy])
    return sink.getvalue().encode()


def check_shop_files(product: Product) -> ShopCheck | None:
    """What the check says about the files of a print shop; others are not checked."""
    if product.theme.press.standard == "none":
        return None
    from dobble_print.preflight.limits import check_files

    return check_files(product.theme, product.files)
