"""Read the cards, backs and symbols that are printed on the pages of a PDF."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name, Page, Pdf, Stream

from dobble_print.pdf.card_marks import BACK, CARD, may_hold_marks, read_back, read_card, read_symbol
from dobble_print.pdf.content import (
    CLOSES,
    FILLS,
    FRESH,
    STROKES,
    Color,
    PaintedContent,
    PlacedForm,
    Reader,
    key_of,
    merge_resources,
)
from dobble_print.pdf.document import DEEPEST, PageBox, media_box, order_box, refuse_depth, shown_box
from dobble_print.pdf.geometry import (
    IDENTITY,
    Subpath,
    bound_runs,
    measure_scale,
    own_matrix,
    read_matrix,
    read_subpaths,
)


@dataclass(frozen=True, eq=False)
class PlacedSymbol:
    """A form or an image where it is drawn, and the colour under it; `key` tells it from others of the file."""

    key: Hashable
    thing: Any
    matrix: Matrix
    name: str
    ground: Color | None = None


@dataclass(frozen=True, eq=False)
class FilledPath:
    """A filled path."""

    color: Color | None
    subpaths: tuple[Subpath, ...]


@dataclass(eq=False)
class Side:
    """One side of a card as it is drawn between its marks."""

    page: int
    frame: Matrix = field(default_factory=Matrix)  # older ones have no hash, which a default would need
    placed: list[PlacedSymbol] = field(default_factory=list)
    clip: tuple[Subpath, ...] = ()
    strokes: list[Subpath] = field(default_factory=list)
    deck: str | None = None
    copy: int = 1


@dataclass(eq=False)
class ScannedCard(Side):
    """The front of a card, with what the file says about it."""

    number: int = 0
    gap_mm: float | None = None
    margin_mm: float | None = None
    scale: float = 1.0  # by which it is printed larger than it was made
    ground: Color | None = None  # filled last before the first symbol: see pdf/card_marks.py


@dataclass(eq=False)
class PrintedBack(Side):
    """The other side of a card, with what it fills."""

    patches: list[FilledPath] = field(default_factory=list)


@dataclass(eq=False)
class PrintedPage:
    """A page with its cards, backs and the lines of its spot plates; boxes are (left, bottom, right, top).

    `shown` is what of the paper is printed at all; `turn_deg` how far the sheet is turned before it is.
    """

    number: int
    media: PageBox
    trim: PageBox | None
    shown: PageBox
    turn_deg: int = 0
    unit_pt: float = 1.0  # points that one of its units is
    strays: list[str] = field(default_factory=list)  # symbols drawn outside all cards and backs
    cards: list[ScannedCard] = field(default_factory=list)
    backs: list[PrintedBack] = field(default_factory=list)
    cuts: list[Subpath] = field(default_factory=list)


MOST_OPENED = 1_000  # forms of a page that hold cards; more is a trap
NO_CUTS = {"All", "None"}  # plates that are no inks of their own


def scan_pages(pdf: Pdf) -> list[PrintedPage]:
    """Read everything printed, page by page."""
    _refuse_broken(pdf)
    scanner = _Scanner()
    return [scanner.scan(page, number) for number, page in enumerate(pdf.pages, 1)]


def _refuse_broken(pdf: Pdf) -> None:
    """Raise where a page's content is no stream: the parser would take such a page for an empty one."""
    for page in pdf.pages:
        content = page.obj.get("/Contents", Array())
        if not all(isinstance(each, Stream) for each in (content if isinstance(content, Array) else [content])):
            raise ValueError("the content of a page is no stream")


class _Scanner:
    """Reads page after page, forms opened wherever they are drawn outside cards."""

    def __init__(self) -> None:
        self.opened = 0
        self.marked: dict[Hashable, bool] = {}  # forms that were looked into, and whether cards are marked there
        self.paths: dict[Hashable, tuple[Subpath, ...]] = {}  # as they are written

    def scan(self, page: Page, number: int) -> PrintedPage:
        """Read a page."""
        trim = order_box(page.obj.TrimBox) if "/TrimBox" in page.obj else None
        turn = int(page.obj.get("/Rotate", 0)) % 360
        unit = float(page.obj.get("/UserUnit", 1))
        printed = PrintedPage(number, media_box(page), trim, shown_box(page), turn, unit)
        self.opened = 0
        self._read(page, page.obj.get("/Resources", Dictionary()), printed, IDENTITY, 0)
        return printed

    def _read(self, content: Any, resources: Any, page: PrintedPage, outer: Matrix, depth: int) -> None:
        self.opened += 1
        if depth > DEEPEST or self.opened > MOST_OPENED:
            raise refuse_depth()
        reader = _CardReader(resources, page, outer, self.paths)
        for each in pikepdf.parse_content_stream(content):
            reader.follow(str(each.operator), each.operands)
        page.cuts += reader.list_cuts()
        for form in reader.outside:
            if self._holds_cards(form.stream, depth):
                own, inner = form.stream.get("/Resources"), own_matrix(form.stream) @ form.state.matrix
                self._read(form.stream, merge_resources(own, resources), page, inner, depth + 1)

    def _holds_cards(self, form: Any, depth: int) -> bool:
        """Tell whether cards are marked in a form, however deep."""
        if depth > DEEPEST:
            raise refuse_depth()
        key = key_of(form)
        if key not in self.marked:
            self.marked[key] = False  # a form that draws itself adds nothing
            content = form.read_bytes()
            inner = form.get("/Resources", Dictionary()).get("/XObject", Dictionary()).values()
            forms = [each for each in inner if isinstance(each, Stream) and each.get("/Subtype") == Name.Form]
            self.marked[key] = may_hold_marks(content) or any(self._holds_cards(each, depth + 1) for each in forms)
        return self.marked[key]


class _CardReader(Reader):
    """Reads a stream as the preflight does, and notes besides what is drawn between the marks of a card."""

    def __init__(
        self, resources: Any, page: PrintedPage, outer: Matrix, paths: dict[Hashable, tuple[Subpath, ...]]
    ) -> None:
        super().__init__(PaintedContent(resources), FRESH._replace(matrix=outer))
        self.page = page
        self.open: list[Side | None] = []  # what is marked, innermost last
        self.side: Side | None = None
        self.outside: list[PlacedForm] = []
        self.clip: tuple[Subpath, ...] = ()
        self.clips: list[tuple[Subpath, ...]] = []
        self.clipping = False
        self.paths = paths
        self.objects: dict[Hashable, tuple[Any, Hashable, str]] = {}  # by name: the thing, its key, its mark

    def follow(self, operator: str, operands: Any) -> None:
        """Take one operator into account; symbols are many, so what draws them comes first."""
        if operator == "q":
            self.clips.append(self.clip)
            self.saved.append(self.state)
        elif operator == "Q":
            if self.saved:
                self.state, self.clip = self.saved.pop(), self.clips.pop()
        elif operator == "cm":
            self.state = self.state._replace(matrix=read_matrix(operands) @ self.state.matrix)
        elif operator == "Do":
            self._draw_named(operands[0])
        else:
            self._note(operator, operands)
            super().follow(operator, operands)

    def _note(self, operator: str, operands: Any) -> None:
        if operator in ("BDC", "BMC"):
            self._enter_side(operands)
        elif operator == "EMC" and self.open:
            self.open.pop()
            self.side = next((side for side in reversed(self.open) if side), None)
        elif operator in ("W", "W*"):
            self.clipping = True
        elif operator in STROKES or operator in FILLS or operator == "n":
            self._note_path(operator)

    def _enter_side(self, operands: Any) -> None:
        side: Side | None = None
        tag, said = (operands[0], operands[1]) if len(operands) > 1 else (None, None)
        if tag in (CARD, BACK) and isinstance(said, Name):  # its dictionary is kept with the resources
            said = self._find("/Properties", said)
        frame = self.state.matrix
        if tag == CARD:
            scale = measure_scale(frame) * self.page.unit_pt
            side = card = ScannedCard(self.page.number, frame, scale=scale, **read_card(said))
            self.page.cards.append(card)
        elif tag == BACK:
            side = back = PrintedBack(self.page.number, frame, **read_back(said))
            self.page.backs.append(back)
        self.side = side or self.side
        self.open.append(side)

    def _note_path(self, operator: str) -> None:
        runs: tuple[Subpath, ...] = ()
        if self.clipping or (self.side and (operator in STROKES or isinstance(self.side, PrintedBack))):
            runs = self._read_runs(closes=operator in CLOSES)
        if self.clipping:
            self.clip, self.clipping = runs, False
            if self.side:
                self.side.clip = self.side.clip or runs
        if self.side and operator in STROKES:
            self.side.strokes += runs
        if isinstance(self.side, PrintedBack) and operator in FILLS:
            self.side.patches.append(FilledPath(self.state.fill, runs))
        elif isinstance(self.side, ScannedCard) and operator in FILLS and not self.side.placed:
            self.side.ground = self.state.fill

    def _read_runs(self, closes: bool) -> tuple[Subpath, ...]:
        """Return the path on its page; the same outline comes for every card, so its curves are sampled once."""
        path = [*self.path, ("h", ())] if closes else self.path
        key = tuple((operator, *map(float, operands)) for operator, operands in path)
        if key not in self.paths:
            self.paths[key] = read_subpaths(path, IDENTITY)
        return tuple(run.move(self.state.matrix) for run in self.paths[key])

    def _draw_named(self, name: Any) -> None:
        if name not in self.objects:
            thing = self._find("/XObject", name)
            is_stream = isinstance(thing, Stream)
            mark = read_symbol(thing) if is_stream else ""
            self.objects[name] = (thing, key_of(thing) if is_stream else None, mark)
        thing, key, mark = self.objects[name]
        if key is None:
            return
        if self.side is None:
            self.page.strays += [mark] if mark else []
            if thing.get("/Subtype") == Name.Form:
                self.outside.append(PlacedForm(thing, self.state))
            return
        self.side.clip = self.side.clip or self.clip
        ground = self.side.ground if isinstance(self.side, ScannedCard) else None
        self.side.placed.append(PlacedSymbol(key, thing, self.state.matrix, mark, ground))

    def list_cuts(self) -> Iterator[Subpath]:
        """Yield closed lines in an ink of their own."""
        for mark in self.drawing.marks:
            color = mark.state.stroke
            if mark.kind == "stroke" and color and not NO_CUTS & set(color.space.plates):
                yield from (each for each in mark.subpaths if each.closed)


def find_middle(side: Side) -> tuple[float, float]:
    """Return the middle of a card on its page: of what clips it, else of what it fills, else where its frame says."""
    runs = side.clip
    if not runs and isinstance(side, PrintedBack) and side.patches:
        runs = side.patches[0].subpaths
    if not runs:
        return side.frame.e, side.frame.f
    lower, upper = bound_runs(runs)
    x, y = (lower + upper) / 2
    return float(x), float(y)
