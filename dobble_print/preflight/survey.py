"""The survey: a file opened, every content stream read once, and what lies where on each page.

Invariant: forms, patterns, glyphs, soft masks and annotations are all looked into, each distinct stream once; a file
that draws itself in circles or without end is refused.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pikepdf import Array, Dictionary, Matrix, Page, Pdf, Rectangle, Stream

from dobble_print.pdf.content import (
    FRESH,
    UNLAYERED,
    Color,
    GraphicsState,
    Layering,
    PaintedContent,
    PlacedPicture,
    SpecialPaint,
    find_hidden_layers,
    key_of,
    merge_resources,
    read_content,
)
from dobble_print.pdf.document import DEEPEST, Identity, order_box, read_identity, refuse_depth
from dobble_print.pdf.geometry import IDENTITY, measure_scale, own_matrix

MOST_PLACED = 200_000  # drawn forms of a page; more is a trap


@dataclass(frozen=True)
class PlacedPaint:
    """A mark of a spot ink with the matrix from its stream to the page and the state it inherits."""

    mark: SpecialPaint
    matrix: Matrix
    outer: GraphicsState
    around: Layering = UNLAYERED

    @property
    def layering(self) -> Layering:
        """All layers it lies on."""
        return self.mark.layering.within(self.around)


@dataclass
class SurveyedPage:
    """A page with everything its streams do, and what lies where."""

    number: int
    page: Page
    drawing: PaintedContent
    streams: dict[Hashable, PaintedContent] = field(default_factory=dict)  # all that it reaches, itself first
    pictures: list[PlacedPicture] = field(default_factory=list)
    marks: list[PlacedPaint] = field(default_factory=list)
    hidden: frozenset[Hashable] = frozenset()  # layers that do not show
    thinnest_pt: float = math.inf  # of the lines of the art
    texts: dict[tuple[Color | None, float], None] = field(default_factory=dict)  # by colour and size in points

    @property
    def unit_pt(self) -> float:
        """How many points one unit of the page is."""
        return float(self.page.obj.get("/UserUnit", 1))


class Survey:
    """A file with all its sheets."""

    def __init__(self, pdf: Pdf, data: bytes) -> None:
        self.pdf = pdf
        self.data = data
        self._hidden = find_hidden_layers(pdf)
        self._known: dict[Hashable, PaintedContent] = {}
        self.sheets = [self._survey_page(number, page) for number, page in enumerate(pdf.pages, 1)]

    @cached_property
    def identity(self) -> Identity:
        """What the file says about itself."""
        return read_identity(self.pdf)

    def list_streams(self) -> Iterator[tuple[int, PaintedContent]]:
        """Yield each distinct stream once, with the first page that reaches it."""
        seen: set[Hashable] = set()
        for sheet in self.sheets:
            for key, drawing in sheet.streams.items():
                if key not in seen:
                    seen.add(key)
                    yield sheet.number, drawing

    def _survey_page(self, number: int, page: Page) -> SurveyedPage:
        resources = page.obj.get("/Resources", Dictionary())
        sheet = SurveyedPage(number, page, read_content(page, resources, FRESH), hidden=self._hidden)
        sheet.streams[("page", number)] = sheet.drawing
        looks = list(_list_appearances(page))
        for stream, outer in (*_list_children(sheet.drawing), *((look, resources) for look, _ in looks)):
            self._reach(stream, outer, sheet.streams, 1)
        walk = _Walk(self, sheet)
        walk.place(sheet.drawing, IDENTITY, FRESH, UNLAYERED, 0)
        for stream, matrix in looks:
            walk.place(self.read_stream(stream, resources), own_matrix(stream) @ matrix, FRESH, UNLAYERED, 1)
        return sheet

    def read_stream(self, stream: Any, outer: Any) -> PaintedContent:
        """Read what a form, pattern or glyph does, once."""
        key = key_of(stream)
        if key not in self._known:
            self._known[key] = read_content(stream, merge_resources(stream.get("/Resources"), outer))
        return self._known[key]

    def _reach(self, stream: Any, outer: Any, found: dict[Hashable, PaintedContent], depth: int) -> None:
        key = key_of(stream)
        if key in found:
            return
        if depth > DEEPEST:
            raise refuse_depth()
        found[key] = self.read_stream(stream, outer)
        for inner, resources in _list_children(found[key]):
            self._reach(inner, resources, found, depth + 1)


class _Walk:
    """Places the images and spot marks of a page, forms opened wherever they are drawn."""

    def __init__(self, survey: Survey, sheet: SurveyedPage) -> None:
        self.survey, self.sheet, self.placed = survey, sheet, 0

    def place(
        self, drawing: PaintedContent, matrix: Matrix, outer: GraphicsState, around: Layering, depth: int
    ) -> None:
        """Place everything a stream draws, where the page shows it."""
        self.placed += 1
        if depth > DEEPEST or self.placed > MOST_PLACED:
            raise refuse_depth()
        for placed in drawing.pictures:
            self.sheet.pictures.append(PlacedPicture(placed.picture, placed.matrix @ matrix))
        self.sheet.marks += [PlacedPaint(mark, matrix, outer, around) for mark in drawing.marks]
        self._measure(drawing, matrix, outer)
        for form in drawing.forms:
            inner = own_matrix(form.stream) @ (form.state.matrix @ matrix)
            state, layering = form.state.inherit(outer), form.layering.within(around)
            self.place(self.survey.read_stream(form.stream, drawing.resources), inner, state, layering, depth + 1)
        for pattern in drawing.patterns.values():
            inner = own_matrix(pattern) @ matrix
            self.place(self.survey.read_stream(pattern, drawing.resources), inner, outer, around, depth + 1)

    def _measure(self, drawing: PaintedContent, matrix: Matrix, outer: GraphicsState) -> None:
        """Note how thin the lines of a stream are on the page, and how small its text is, in which colours."""
        inherited = math.inf if outer.width is None else drawing.inherited_scale * outer.width
        thinnest = min(drawing.thinnest, inherited)
        if thinnest < math.inf or drawing.texts:
            scale = measure_scale(matrix) * self.sheet.unit_pt
            self.sheet.thinnest_pt = min(self.sheet.thinnest_pt, thinnest * scale)
            self.sheet.texts |= {(color or outer.fill, round(size * scale, 2)): None for color, size in drawing.texts}


def _list_children(drawing: PaintedContent) -> Iterator[tuple[Any, Any]]:
    """Yield the streams that a stream draws, with the resources they fall back on."""
    for stream in (*(form.stream for form in drawing.forms), *drawing.patterns.values()):
        yield stream, drawing.resources
    for font in drawing.fonts.values():
        for glyph in font.get("/CharProcs", Dictionary()).values():
            yield glyph, merge_resources(font.get("/Resources"), drawing.resources)
    for mask in drawing.list_masks():
        yield mask, drawing.resources


def _list_appearances(page: Page) -> Iterator[tuple[Any, Matrix]]:
    """Yield how the annotations of a page look, each moved to its place."""
    for note in page.obj.get("/Annots", Array()):
        look = note.get("/AP", Dictionary()).get("/N")
        for stream in [look] if isinstance(look, Stream) else look.values() if isinstance(look, Dictionary) else []:
            if isinstance(stream, Stream):
                yield stream, _fit_appearance(stream, note)


def _fit_appearance(stream: Any, note: Any) -> Matrix:
    """Return the matrix that fits an appearance's box into the annotation's rectangle."""
    box = own_matrix(stream).transform(Rectangle(stream.get("/BBox", Array([0, 0, 1, 1]))))
    left, bottom, right, top = order_box(note.get("/Rect", Array([0, 0, 0, 0])))
    wide, high = (right - left) / (box.width or 1), (top - bottom) / (box.height or 1)
    return Matrix(wide, 0.0, 0.0, high, left - box.llx * wide, bottom - box.lly * high)
