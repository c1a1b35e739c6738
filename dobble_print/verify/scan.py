"""The scan: pages are read back into cards, backs and cuts, by the reader that the preflight reads with.

Invariant: only content streams count. A card is what lies between its marks; inside it every form or image is a symbol
and is not opened; outside, forms are opened, because imposition programs wrap whole pages in them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name, Page, Pdf, Stream

from dobble_print.preflight.boxes import order_box
from dobble_print.preflight.content import FRESH, Reader, merge_resources
from dobble_print.preflight.drawing import Drawing, PlacedForm, Subpath, key_of
from dobble_print.preflight.matrix import IDENTITY, Matrix, move_point, multiply, read_matrix
from dobble_print.preflight.outline import read_subpaths
from dobble_print.preflight.survey import DEEPEST, refuse_depth
from dobble_print.verify.printed import Patch, Placed, PrintedBack, PrintedCard, PrintedPage, Side

STROKES = {"S", "s", "B", "B*", "b", "b*"}
FILLS = {"f", "F", "f*", "B", "B*", "b", "b*"}
MOST_OPENED = 1_000  # forms of a page that hold cards; more is a trap
NO_CUTS = {"All", "None"}  # plates that are no inks of their own


def scan_pages(pdf: Pdf) -> list[PrintedPage]:
    """Everything printed, page by page."""
    marked = _Marked()
    return [_Scan(page, number, marked).page for number, page in enumerate(pdf.pages, 1)]


class _Scan:
    """One page, forms opened wherever they are drawn outside cards."""

    def __init__(self, page: Page, number: int, marked: _Marked) -> None:
        trim = order_box(page.obj.TrimBox) if "/TrimBox" in page.obj else None
        self.page = PrintedPage(number, order_box(page.mediabox), trim)
        self.marked, self.opened = marked, 0
        self._read(page, page.obj.get("/Resources", Dictionary()), IDENTITY, 0)

    def _read(self, content: Any, resources: Any, outer: Matrix, depth: int) -> None:
        self.opened += 1
        if depth > DEEPEST or self.opened > MOST_OPENED:
            raise refuse_depth()
        reader = _CardReader(resources, self.page, outer)
        for instruction in pikepdf.parse_content_stream(content):
            reader.follow(str(instruction.operator), instruction.operands)
        self.page.cuts += reader.list_cuts()
        for form in reader.outside:
            if self.marked.holds_cards(form.stream, depth):
                own = read_matrix(form.stream.Matrix) if "/Matrix" in form.stream else IDENTITY
                inner = multiply(own, form.pen.matrix)
                self._read(form.stream, merge_resources(form.stream.get("/Resources"), resources), inner, depth + 1)


class _Marked:
    """Which forms are worth opening: those that mark a card, or draw forms that do; each is looked into once."""

    def __init__(self) -> None:
        self.known: dict[Hashable, bool] = {}

    def holds_cards(self, form: Any, depth: int) -> bool:
        """Whether cards are marked in a form, however deep."""
        if depth > DEEPEST:
            raise refuse_depth()
        key = key_of(form)
        if key not in self.known:
            self.known[key] = False  # a form that draws itself adds nothing
            content = form.read_bytes()
            inner = form.get("/Resources", Dictionary()).get("/XObject", Dictionary()).values()
            forms = [each for each in inner if isinstance(each, Stream) and each.get("/Subtype") == Name.Form]
            marked = b"/Card" in content or b"/Back" in content
            self.known[key] = marked or any(self.holds_cards(each, depth + 1) for each in forms)
        return self.known[key]


class _CardReader(Reader):
    """Reads a stream as the preflight does, and notes besides what is drawn between the marks of a card."""

    def __init__(self, resources: Any, page: PrintedPage, outer: Matrix) -> None:
        super().__init__(Drawing(resources), replace(FRESH, matrix=outer))
        self.page = page
        self.open: list[Side | None] = []  # what is marked, innermost last
        self.side: Side | None = None
        self.outside: list[PlacedForm] = []
        self.clip: tuple[Subpath, ...] = ()
        self.clips: list[tuple[Subpath, ...]] = []
        self.clipping = False

    def follow(self, operator: str, operands: Any) -> None:
        """Take one operator into account."""
        match operator:
            case "BDC" | "BMC":
                self._enter_side(operands)
            case "EMC" if self.open:
                self.open.pop()
                self.side = next((side for side in reversed(self.open) if side), None)
            case "q":
                self.clips.append(self.clip)
            case "Q" if self.clips:
                self.clip = self.clips.pop()
            case "W" | "W*":
                self.clipping = True
            case _ if operator in STROKES or operator in FILLS or operator == "n":
                self._note_path(operator)
        super().follow(operator, operands)

    def _enter_side(self, operands: Any) -> None:
        side: Side | None = None
        if len(operands) > 1 and operands[0] == Name("/Card"):
            side = card = _read_card(self._find_properties(operands[1]), self.page.number)
            self.page.cards.append(card)
        elif len(operands) > 1 and operands[0] == Name("/Back"):
            deck = _read_text(self._find_properties(operands[1]), "/Deck")
            side = back = PrintedBack(self.page.number, deck=deck)
            self.page.backs.append(back)
        if side:
            side.frame = self.pen.matrix
            self.side = side
        self.open.append(side)

    def _find_properties(self, operand: Any) -> Any:
        """The dictionary of a mark, written in place or kept with the resources."""
        return self._find("/Properties", operand) if isinstance(operand, Name) else operand

    def _note_path(self, operator: str) -> None:
        subpaths: tuple[Subpath, ...] = ()
        if self.clipping or (self.side and (operator in STROKES or isinstance(self.side, PrintedBack))):
            closing = [("h", ())] if operator in ("s", "b", "b*") else []
            subpaths = read_subpaths([*self.path, *closing], self.pen.matrix)
        if self.clipping:
            self.clip, self.clipping = subpaths, False
            if self.side:
                self.side.clip = self.side.clip or subpaths
        if self.side and operator in STROKES:
            self.side.strokes += subpaths
        if isinstance(self.side, PrintedBack) and operator in FILLS:
            self.side.patches.append(Patch(self.pen.fill, subpaths))
        elif isinstance(self.side, PrintedCard) and operator in FILLS and not self.side.placed:
            self.side.ground = self.pen.fill

    def _draw_object(self, thing: Any) -> None:
        if not isinstance(thing, Stream):
            return
        if self.side is None:
            if thing.get("/Subtype") == Name.Form:
                self.outside.append(PlacedForm(thing, self.pen))
            return
        self.side.clip = self.side.clip or self.clip
        name = str(thing.Symbol) if "/Symbol" in thing else ""
        ground = self.side.ground if isinstance(self.side, PrintedCard) else None
        self.side.placed.append(Placed(key_of(thing), thing, self.pen.matrix, name, ground))

    def list_cuts(self) -> Iterator[Subpath]:
        """Closed lines in an ink of their own."""
        for mark in self.drawing.marks:
            color = mark.pen.stroke
            if mark.deed == "stroke" and color and not NO_CUTS & set(color.space.plates):
                yield from (subpath for subpath in mark.subpaths if subpath.closed)


def _read_card(properties: Any, page: int) -> PrintedCard:
    return PrintedCard(
        page,
        deck=_read_text(properties, "/Deck"),
        number=int(properties.get("/Number", 0)),
        copy=int(properties.get("/Copy", 1)),
        gap_mm=_read_length(properties, "/Gap"),
        margin_mm=_read_length(properties, "/Margin"),
    )


def _read_text(properties: Any, key: str) -> str | None:
    return str(properties[key]) if key in properties else None


def _read_length(properties: Any, key: str) -> float | None:
    return float(properties[key]) if key in properties else None


def find_middle(side: Side) -> tuple[float, float]:
    """The middle of a card on its page: of what clips it, else of what it fills, else where its frame says."""
    points = [point for subpath in side.clip for point in subpath.points]
    if not points and isinstance(side, PrintedBack):
        points = [point for patch in side.patches[:1] for subpath in patch.subpaths for point in subpath.points]
    if not points:
        return move_point(side.frame, 0.0, 0.0)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
