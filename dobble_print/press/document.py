"""From planned pages to PDF files: forms are embedded once, sheets and cut files come from the same cards."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

from dobble_print.art.artwork import Form, VectorForm
from dobble_print.errors import Fault
from dobble_print.options import Mark
from dobble_print.pdf.card_marks import name_symbol
from dobble_print.prepress.forms import FormLibrary
from dobble_print.prepress.inks import Inks
from dobble_print.prepress.prepare import OFFICE, Prepress, trace_page
from dobble_print.prepress.thin_lines import LEAST_PT, copy_form, find_thinnest, thicken_lines
from dobble_print.press.cards import MARK_INK, draw_pages, form_name
from dobble_print.press.cut_files import write_dxf, write_svg
from dobble_print.sheets.cutting import Cut
from dobble_print.sheets.marks import choose_words
from dobble_print.sheets.pages import Sheet, add_backs, correct_pages, measure_boxes, plan_separate_back, plan_sheets
from dobble_print.sheets.plan import Back, Batch, CardLook, CardPromise, Front, Page, PrintedCard, copy_cards
from dobble_print.theme.model import Theme
from dobble_print.theme.options import CutFile, Duplex
from dobble_print.units import Correction, Paper, Point, mm_to_pt

NO_SIZES: Mapping[int, float] = {}
SMALLEST = 0.9  # of a booklet's page, which prints a little smaller where it must to fit its sheet
FLIPS = {"long": Name.DuplexFlipLongEdge, "short": Name.DuplexFlipShortEdge}


def finish_document(
    canvas: Any, drawn: bytes, forms: Mapping[int, Form], language: str, library: FormLibrary, press: bool
) -> bytes:
    """Finish a document whose pages are no sheets of cards; `press` tells whether the job's machine prints it.

    Thin lines are made wide enough for the smallest size at which the canvas shows a drawing, as it may be imposed.
    """
    prepress = library.prepress if press else OFFICE
    sizes = {piece: size * SMALLEST for piece, size in canvas.__dict__.get("least_sizes", {}).items()}
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        share_forms(pdf, forms, library, prepress.inks, sizes)
        set_preferences(pdf, language)
        return prepress.finish_document(pdf)


def share_forms(
    pdf: Pdf,
    forms: Mapping[int, Form],
    library: FormLibrary,
    inks: Inks | None,
    sizes_pt: Mapping[int, float] = NO_SIZES,
) -> dict[int, float]:
    """Embed each form once, known to every page; return the thinnest line of each drawing that a press cannot hold.

    Such lines are made wider: `sizes_pt` says how small each form prints.
    """
    embedded = {f"/{form_name(symbol)}": library.embed(pdf, form, inks) for symbol, form in sorted(forms.items())}
    thin: dict[int, float] = {}
    sized = [piece for piece in sorted(forms) if inks and isinstance(forms[piece], VectorForm) and piece in sizes_pt]
    shared_by = Counter(embedded[f"/{form_name(piece)}"].objgen for piece in sized)
    for piece in sized:  # a drawing on fronts and, smaller, in the pattern of backs is one form until its lines differ
        drawn = embedded[f"/{form_name(piece)}"]
        if shared_by[drawn.objgen] > 1 and find_thinnest(drawn, sizes_pt[piece]) < LEAST_PT:
            embedded[f"/{form_name(piece)}"] = copy_form(pdf, drawn)
    for piece in sized:
        thinnest = thicken_lines(embedded[f"/{form_name(piece)}"], sizes_pt[piece])
        thin |= {piece: thinnest} if thinnest < LEAST_PT else {}
    shared = pdf.make_indirect(Dictionary(embedded))
    for page in pdf.pages:
        page.Resources.XObject = shared
    return thin


def _find_least_sizes(sides: Iterable[Front | Back]) -> dict[int, float]:
    """Return how small each form is printed on cards, in points to its unit."""
    sizes: dict[int, float] = {}
    for stamp in (stamp for side in sides for stamp in side.stamps):
        size_pt = mm_to_pt(math.hypot(*stamp.matrix[:2]))
        sizes[stamp.piece] = min(size_pt, sizes.get(stamp.piece, size_pt))
    return sizes


def _add_mark_ink(pdf: Pdf) -> None:
    """Let every page know the ink of marks: the four of the press at once, by which it lays them over each other."""
    numbers = Stream(pdf, b"{}", FunctionType=4, Domain=[0, 1] * 4, Range=[0, 1] * 4)  # inks are these inks
    inks = Array(map(Name, ("/Cyan", "/Magenta", "/Yellow", "/Black")))
    ink = pdf.make_indirect(Array([Name.DeviceN, inks, Name.DeviceCMYK, pdf.make_indirect(numbers)]))
    for page in pdf.pages:
        page.Resources.ColorSpace = Dictionary({MARK_INK: ink})


def _name_symbols(pdf: Pdf, cards: Iterable[PrintedCard]) -> None:
    """Let each form on a front say which symbol it is a face of."""
    shared = pdf.pages[0].Resources.XObject  # all pages know the same forms
    pairs = (zip(card.front.stamps, card.promise.symbols, strict=False) for card in cards)
    names = {f"/{form_name(stamp.piece)}": symbol for pair in pairs for stamp, symbol in pair}
    for name, symbol in names.items():
        if name in shared:
            name_symbol(shared[name], symbol)


def set_preferences(pdf: Pdf, language: str, duplex: Duplex | None = None) -> None:
    """Set how a viewer shows a document, the language of its text, and how sheets are to be printed."""
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
    if duplex:
        sheets = Dictionary(Duplex=FLIPS.get(duplex, Name.Simplex), PrintScaling=Name("/None"), PickTrayByPDFSize=True)
        pdf.Root.ViewerPreferences.update(sheets)
    if language:
        pdf.Root.Lang = String(language)


@dataclass(frozen=True, eq=False)
class PrintableDeck:
    """The fronts and the back of a deck, what they look like, and the form of every symbol with its largest size.

    `library` holds the forms as the job's files share them, and knows the machine that prints those files.
    """

    fronts: Mapping[int, Front]
    back: Back | None
    look: CardLook
    forms: Sequence[Form]
    theme: Theme
    deck_id: str = ""
    sizes_mm: Sequence[float] = ()  # of the forms, by their longer sides
    library: FormLibrary = field(default_factory=FormLibrary)
    warnings: tuple[Fault, ...] = ()

    @property
    def prints_backs(self) -> bool:
        """Return whether the cards get backs, in whatever file."""
        return self.back is not None and self.theme.sheet.duplex != "none"

    @cached_property
    def title(self) -> str:
        """Return the deck's title in its first language."""
        return self.theme.title_in(self.language)

    @property
    def language(self) -> str:
        """Return the deck's first language."""
        return self.theme.languages[0] if self.theme.languages else ""

    def make_card(self, number: int) -> PrintedCard:
        """Return a card of the deck as it is printed."""
        front = self.fronts[number]
        look = replace(self.look, rim_color=front.rim_color)
        deck = f"{self.title} · {choose_words(self.theme).deck.format(id=self.deck_id)}"
        return PrintedCard(front, self.back, look, f"{number} · {self.deck_id}", deck, self._make_promise(front))

    def _make_promise(self, front: Front) -> CardPromise:
        """Return what the card must keep; each level of a box is a deck of its own."""
        theme = self.theme
        deck = f"{self.deck_id}.{front.dots}" if theme.deck.levels else self.deck_id
        symbols = tuple(theme.symbols[theme.pieces[stamp.piece][0]].id for stamp in front.stamps)
        line_mm = 0.0
        if theme.sheet.low_ink:  # outlines stand in for colours, and half of them lies outside
            from dobble_print.prepress.low_ink import LINE

            line_mm = LINE * max((math.hypot(*stamp.matrix[:2]) for stamp in front.stamps), default=0.0)
        return CardPromise(deck, 1, theme.layout.gap_mm - line_mm, self.look.margin_mm - line_mm / 2, symbols)

    def make_batch(self, numbers: Sequence[int], copies: int = 1, mark: Mark = "none") -> Batch:
        """Return the cards to print, in order, and the forms on them, flat where the machine is a press."""
        cards = copy_cards({number: self.make_card(number) for number in numbers}, copies, mark)
        batch = Batch(cards, tuple(self.forms))
        if self.library.prepress.inks is None:
            return batch
        return self.library.flatten_batch(batch, self.look, dict(enumerate(self.sizes_mm)))

    def print_plain(self, page: Page) -> bytes:
        """Print a page with the cards as they are after cutting; its slots name cards of the deck."""
        cut = replace(self, look=self.look.cut())
        return self.print_on_screen([page], {slot.card: cut.make_card(slot.card) for slot in page.slots})

    def print_on_screen(self, pages: Sequence[Page], cards: Mapping[int, PrintedCard]) -> bytes:
        """Print pages in the colours of a screen, to be rendered."""
        return self.print_pages(pages, Batch(dict(cards), tuple(self.forms)), self.title)

    def print_pages(
        self, pages: Sequence[Page], batch: Batch, title: str, prepress: Prepress = OFFICE, duplex: Duplex = "none"
    ) -> bytes:
        """Print the pages as a PDF with just the symbols they show, ready for the machine it is meant for."""
        drawn = draw_pages(pages, batch.cards, title, prepress.inks)
        slots = {(slot.card, slot.side) for page in pages for slot in page.slots}
        sides = [batch.cards[card].front if side == "front" else batch.cards[card].back for card, side in slots]
        shown = {stamp.piece: batch.forms[stamp.piece] for side in sides if side for stamp in side.stamps}
        look = next(iter(batch.cards.values())).look
        with Pdf.open(io.BytesIO(drawn)) as pdf:
            thin = share_forms(pdf, shown, self.library, prepress.inks, _find_least_sizes(filter(None, sides)))
            self.library.note_thin({batch.forms[piece]: width for piece, width in thin.items()})
            for pdf_page, page in zip(pdf.pages, pages, strict=True):
                pdf_page.MediaBox, pdf_page.TrimBox, pdf_page.BleedBox = measure_boxes(page, look)
            if prepress.inks:
                _add_mark_ink(pdf)
            set_preferences(pdf, self.language, duplex)
            _name_symbols(pdf, batch.cards.values())
            return prepress.finish_sheets(pdf, pages, look, title)


@dataclass(frozen=True, eq=False)
class Order:
    """What the sheets of a batch are for: a deck, or the first of several, their title, the note on every sheet.

    The corrections are those of the printer.
    """

    deck: PrintableDeck
    title: str
    note: str
    correction: Correction
    front_offset: Point


def print_sheets(name: str, batch: Batch, sheet: Sheet, order: Order) -> dict[str, bytes]:
    """Print the sheets with their backs, a file of backs where they are printed apart, and the cut files."""
    fronts = plan_sheets(sheet, batch.cards, order.note)
    has_backs = any(card.back for card in batch.cards.values())
    pages = correct_pages(add_backs(fronts, sheet) if has_backs else fronts, order.correction, order.front_offset)

    how = batch, order.title, order.deck.library.prepress, sheet.duplex if has_backs else "none"
    files = {name: order.deck.print_pages(pages, *how)}
    if has_backs and sheet.duplex == "separate":
        some_card = next(iter(batch.cards))
        back = plan_separate_back(sheet, some_card, f"{batch.cards[some_card].deck} · {order.note}")
        files["backs.pdf"] = order.deck.print_pages(correct_pages([back], order.correction), *how)
    return files | _write_cuts([page for page in pages if page.front_centres], sheet, order)


def _write_cuts(fronts: Sequence[Page], sheet: Sheet, order: Order) -> dict[str, bytes]:
    """Return the cuts of a full sheet, and those of the last one where it holds fewer cards."""
    prepress, options = order.deck.library.prepress, order.deck.library.prepress.options
    count, short = len(fronts), len(fronts[-1].slots) < len(fronts[0].slots)
    different = {"cut": range(1, count + 1 - short)} | ({"cut-last": range(count, count + 1)} if short else {})
    files: dict[str, bytes] = {}
    for stem, sheets in different.items():
        page = fronts[sheets[0] - 1]
        cuts = trace_page(page, sheet.look)
        if options.cut_path == "file":
            boxes = measure_boxes(page, sheet.look)
            files[f"{stem}.pdf"] = prepress.print_cuts(cuts, boxes, sheets, order.title)
        files |= write_cut_files(stem, page.paper, cuts, options.cut_name, order.deck.theme.plotter.files)
    return files


def write_cut_files(
    stem: str, paper: Paper, cuts: Sequence[Cut], cut_name: str, wanted: Sequence[CutFile]
) -> dict[str, bytes]:
    """Return the cuts as drawings for a machine's program."""
    writers = {"svg": write_svg, "dxf": write_dxf}
    return {f"{stem}.{kind}": writers[kind](paper, cuts, cut_name) for kind in wanted}
