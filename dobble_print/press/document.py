"""From planned pages to PDF files: forms are embedded once, sheets and cut files come from the same cards."""

from __future__ import annotations

import io
import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream
from PIL import Image, ImageChops

from dobble_print.art.artwork import Form, PixelForm, VectorForm, encode_jpeg
from dobble_print.pdf.card_marks import name_symbol
from dobble_print.pdf.document import save_pdf
from dobble_print.prepress.cut_layer import make_cut_page
from dobble_print.prepress.prepare import OFFICE, Prepress, label_cuts, trace_page
from dobble_print.press.cards import draw_pages, form_name
from dobble_print.press.cut_files import write_dxf, write_svg
from dobble_print.sheets.cutting import Cut
from dobble_print.sheets.marks import choose_words
from dobble_print.sheets.nesting import Nest
from dobble_print.sheets.pages import Sheet, add_backs, correct_pages, measure_boxes, plan_separate_back, plan_sheets
from dobble_print.sheets.plan import Back, Batch, CardLook, Front, Leaf, Page, Pledge
from dobble_print.theme.model import Theme
from dobble_print.theme.options import CutFile, Duplex
from dobble_print.units import Correction, Paper, Point

FLIPS = {
    "long": Name.DuplexFlipLongEdge,
    "short": Name.DuplexFlipShortEdge,
    "separate": Name.Simplex,
    "fold": Name.Simplex,
    "none": Name.Simplex,
}


def finish_sheets(
    pdf: Pdf, forms: Mapping[int, Form], pages: Sequence[Page], look: CardLook, duplex: Duplex, language: str
) -> None:
    """Finish sheets of cards: the forms, the boxes, and the wish to be printed at actual size."""
    _share_forms(pdf, forms)
    for pdf_page, page in zip(pdf.pages, pages, strict=True):
        pdf_page.MediaBox, pdf_page.TrimBox, pdf_page.BleedBox = measure_boxes(page, look)
    _set_wishes(pdf, language, Duplex=FLIPS[duplex], PrintScaling=Name("/None"), PickTrayByPDFSize=True)


def finish_document(drawn: bytes, forms: Mapping[int, Form], language: str) -> bytes:
    """Finish a document whose pages are no sheets of cards."""
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        _share_forms(pdf, forms)
        _set_wishes(pdf, language)
        return save_pdf(pdf)


def _share_forms(pdf: Pdf, forms: Mapping[int, Form]) -> None:
    """Each form enters once and is known to every page."""
    embedded = {f"/{form_name(symbol)}": _embed(pdf, form) for symbol, form in sorted(forms.items())}
    shared = pdf.make_indirect(Dictionary(embedded))
    for page in pdf.pages:
        page.Resources.XObject = shared


def name_symbols(pdf: Pdf, names: Mapping[int, str]) -> None:
    """Let each form say which symbol it shows."""
    shared = pdf.pages[0].Resources.XObject  # all pages know the same forms
    for piece, symbol in names.items():
        if (name := f"/{form_name(piece)}") in shared:
            name_symbol(shared[name], symbol)


def _embed(pdf: Pdf, form: Form) -> pikepdf.Object:
    match form:
        case VectorForm(data):
            return _embed_vector(pdf, data)
        case PixelForm():
            return _embed_pixels(pdf, form)


def _embed_vector(pdf: Pdf, data: bytes) -> pikepdf.Object:
    with Pdf.open(io.BytesIO(data)) as drawing:
        form = pdf.copy_foreign(drawing.pages[0].as_form_xobject())
    x0, y0, x1, y1 = (float(value) for value in form.BBox)
    side = max(x1 - x0, y1 - y0)
    form.Matrix = Array([1 / side, 0, 0, 1 / side, -x0 / side, -y0 / side])
    return form


def _embed_pixels(pdf: Pdf, form: PixelForm) -> pikepdf.Object:
    """A picture with its transparency, wrapped in a form like any drawing."""
    picture, photo = form.picture, form.photo
    side = max(picture.size)
    width, height = picture.width / side, picture.height / side
    colours = {"Filter": Name.DCTDecode} if photo else {"Filter": Name.FlateDecode}
    data = encode_jpeg(picture) if photo else zlib.compress(picture.convert("RGB").tobytes(), 9)
    image = _image(pdf, data, picture.size, ColorSpace=Name.DeviceRGB, **colours)
    opacity = picture.getchannel("A")
    if form.hard_mask:
        image.Mask = _stencil(pdf, opacity)
    elif opacity.getextrema() != (255, 255):
        packed = zlib.compress(opacity.tobytes(), 9)
        image.SMask = _image(pdf, packed, picture.size, ColorSpace=Name.DeviceGray, Filter=Name.FlateDecode)
    return pdf.make_indirect(
        Stream(
            pdf,
            f"q {width:.6f} 0 0 {height:.6f} 0 0 cm /P Do Q".encode(),
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=Array([0, 0, width, height]),
            Resources=Dictionary(XObject=Dictionary(P=image)),
        )
    )


def _stencil(pdf: Pdf, opacity: Image.Image) -> pikepdf.Object:
    """A mask of single bits, in which a one hides."""
    hidden = ImageChops.invert(opacity).convert("1", dither=Image.Dither.NONE)
    packed = zlib.compress(hidden.tobytes(), 9)
    mask = _image(pdf, packed, opacity.size, Filter=Name.FlateDecode)
    mask.ImageMask, mask.BitsPerComponent = True, 1
    return mask


def _image(pdf: Pdf, data: bytes, size: tuple[int, int], **entries: pikepdf.Object) -> pikepdf.Object:
    common = {"Type": Name.XObject, "Subtype": Name.Image, "BitsPerComponent": 8}
    return pdf.make_indirect(Stream(pdf, data, Width=size[0], Height=size[1], **common, **entries))


def _set_wishes(pdf: Pdf, language: str, **wishes: Any) -> None:
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True, **wishes)
    if language:
        pdf.Root.Lang = pikepdf.String(language)


@dataclass(frozen=True, eq=False)
class Printer:
    """The fronts and the back of a deck, what they look like, and the form of every symbol."""

    fronts: Mapping[int, Front]
    back: Back | None
    look: CardLook
    forms: Sequence[Form]
    theme: Theme
    deck_id: str = ""

    @cached_property
    def title(self) -> str:
        """The deck's title in its first language."""
        return self.theme.title_in(self.language)

    @property
    def language(self) -> str:
        """The deck's first language."""
        return self.theme.languages[0] if self.theme.languages else ""

    def make_leaf(self, number: int) -> Leaf:
        """A card of the deck as it is printed."""
        front = self.fronts[number]
        look = replace(self.look, rim_color=front.rim_color)
        deck = f"{self.title} · {choose_words(self.theme).name_deck(self.deck_id)}"
        return Leaf(front, self.back, look, f"{number} · {self.deck_id}", deck, self._make_pledge(front))

    def _make_pledge(self, front: Front) -> Pledge:
        """What the card must keep; each level of a box is a deck of its own."""
        theme = self.theme
        deck = f"{self.deck_id}.{front.dots}" if theme.deck.levels else self.deck_id
        symbols = tuple(theme.symbols[theme.pieces[stamp.piece][0]].id for stamp in front.stamps)
        line_mm = self._outline_mm(front)
        return Pledge(deck, 1, theme.layout.gap_mm - line_mm, self.look.margin_mm - line_mm / 2, symbols)

    def _outline_mm(self, front: Front) -> float:
        """How thick the outlines are that stand in for colours where ink is saved: half of them lies outside."""
        if not self.theme.sheet.low_ink:
            return 0.0
        from dobble_print.prepress.low_ink import LINE

        return LINE * max((math.hypot(*stamp.matrix[:2]) for stamp in front.stamps), default=0.0)

    def make_leaves(self, numbers: Sequence[int]) -> dict[int, Leaf]:
        """Cards of the deck by number."""
        return {number: self.make_leaf(number) for number in numbers}

    def print_plain(self, page: Page) -> bytes:
        """A page with the cards as they are after cutting; its slots name cards of the deck."""
        numbers = dict.fromkeys(slot.leaf for slot in page.slots)
        cut = replace(self, look=self.look.cut())
        return print_leaves([page], cut.make_leaves(list(numbers)), self.forms, self.title, self.language)


def print_leaves(
    pages: Sequence[Page],
    leaves: Mapping[int, Leaf],
    forms: Sequence[Form],
    title: str,
    language: str,
    duplex: Duplex = "none",
    prepress: Prepress = OFFICE,
) -> bytes:
    """The pages as a PDF with just the symbols they show, ready for the machine it is meant for."""
    drawn = draw_pages(pages, leaves, title, prepress.marks_on_all_plates)
    shown = {symbol: forms[symbol] for symbol in _find_shown(pages, leaves)}
    look = next(iter(leaves.values())).look
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        finish_sheets(pdf, shown, pages, look, duplex, language)
        name_symbols(pdf, _find_names(leaves.values()))
        return prepress.finish(pdf, pages, look, title)


def _find_shown(pages: Sequence[Page], leaves: Mapping[int, Leaf]) -> set[int]:
    shown = {(slot.leaf, slot.side) for page in pages for slot in page.slots}
    sides = [leaves[leaf].front if side == "front" else leaves[leaf].back for leaf, side in shown]
    return {stamp.piece for side in sides if side for stamp in side.stamps}


def _find_names(leaves: Iterable[Leaf]) -> dict[int, str]:
    """The symbol that each piece on a front is a face of."""
    return {
        stamp.piece: symbol
        for leaf in leaves
        for stamp, symbol in zip(leaf.front.stamps, leaf.pledge.symbols, strict=False)
    }


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
