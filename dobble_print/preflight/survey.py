"""The survey: a file opened, every content stream read once, and what lies where on each page.

Invariant: forms, patterns, glyphs, soft masks and annotations are all looked into, each distinct stream once; a file
that draws itself in circles or without end is refused.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pikepdf import Array, Dictionary, Matrix, Page, Pdf, Stream

from dobble_print.pdf.content import (
    FRESH,
    UNLAYERED,
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
from dobble_print.pdf.document import DEEPEST, refuse_depth
from dobble_print.pdf.geometry import IDENTITY, own_matrix

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
    hairline: bool = False  # art holds a line without width

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

    def list_streams(self) -> Iterator[tuple[int, PaintedContent]]:
        """Each distinct stream once, with the first page that reaches it."""
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
        self._reach(sheet.drawing, sheet.streams, 0)
        for stream, _ in looks:
            self._reach_stream(stream, resources, sheet.streams, 0)
        walk = _Walk(self, sheet)
        walk.place(sheet.drawing, IDENTITY, FRESH, UNLAYERED, 0)
        for stream, matrix in looks:
            walk.place_form(stream, resources, matrix, FRESH, UNLAYERED, 0)
        return sheet

    def read_stream(self, stream: Any, outer: Any) -> PaintedContent:
        """What a form, pattern or glyph does, read once."""
        key = key_of(stream)
        if key not in self._known:
            self._known[key] = read_content(stream, merge_resources(stream.get("/Resources"), outer))
        return self._known[key]

    def _reach(self, drawing: PaintedContent, found: dict[Hashable, PaintedContent], depth: int) -> None:
        if depth > DEEPEST:
            raise refuse_depth()
        for stream, resources in _list_children(drawing):
            self._reach_stream(stream, resources, found, depth)

    def _reach_stream(self, stream: Any, resources: Any, found: dict[Hashable, PaintedContent], depth: int) -> None:
        key = key_of(stream)
        if key not in found:
            found[key] = self.read_stream(stream, resources)
            self._reach(found[key], found, depth + 1)


class _Walk:
    """Places the images and spot marks of a page, forms opened wherever they are drawn."""

    def __init__(self, survey: Survey, sheet: SurveyedPage) -> None:
        self.survey, self.sheet, self.placed = survey, sheet, 0

    def place(
        self, drawing: PaintedContent, matrix: Matrix, outer: GraphicsState, around: Layering, depth: int
    ) -> None:
        """Everything a stream draws, where the page shows it."""
        self.placed += 1
        if depth > DEEPEST or self.placed > MOST_PLACED:
            raise refuse_depth()
        for placed in drawing.pictures:
            self.sheet.pictures.append(PlacedPicture(placed.picture, placed.matrix @ matrix))
        self.sheet.marks += [PlacedPaint(mark, matrix, outer, around) for mark in drawing.marks]
        self.sheet.hairline = (
            self.sheet.hairline or drawing.hairline or (drawing.inherits_line_width and outer.width == 0)
        )
        for form in drawing.forms:
            inner = form.state.matrix @ matrix
            state, layering = form.state.inherit(outer), form.layering.within(around)
            self.place_form(form.stream, drawing.resources, inner, state, layering, depth)
        for pattern in drawing.patterns.values():
            self.place_form(pattern, drawing.resources, matrix, outer, around, depth)

    def place_form(
        self, stream: Any, resources: Any, matrix: Matrix, outer: GraphicsState, around: Layering, depth: int
    ) -> None:
        """A form or a pattern: its own matrix comes first."""
        drawing = self.survey.read_stream(stream, resources)
        self.place(drawing, own_matrix(stream) @ matrix, outer, around, depth + 1)


def _list_children(drawing: PaintedContent) -> Iterator[tuple[Any, Any]]:
    """The streams a stream draws, with the resources they fall back on."""
    for form in drawing.forms:
        yield form.stream, drawing.resources
    for pattern in drawing.patterns.values():
        yield pattern, drawing.resources
    for font in drawing.fonts.values():
        for glyph in font.get("/CharProcs", Dictionary()).values():
            yield glyph, merge_resources(font.get("/Resources"), drawing.resources)
    for state in drawing.states.values():
        mask = state.get("/SMask")
        if isinstance(mask, Dictionary) and "/G" in mask:
            yield mask.G, drawing.resources


def _list_appearances(page: Page) -> Iterator[tuple[Any, Matrix]]:
    """How the annotations of a page look, each moved to its place."""
    for note in page.obj.get("/Annots", Array()):
        look = note.get("/AP", Dictionary()).get("/N")
        for stream in [look] if isinstance(look, Stream) else look.values() if isinstance(look, Dictionary) else []:
            if isinstance(stream, Stream):
                yield stream, _fit_appearance(stream, note)


def _fit_appearance(stream: Any, note: Any) -> Matrix:
    """The matrix that fits an appearance's box into the annotation's rectangle."""
    own = own_matrix(stream)
    x0, y0, x1, y1 = (float(value) for value in stream.get("/BBox", Array([0, 0, 1, 1])))
    corners = [own.transform((x, y)) for x in (x0, x1) for y in (y0, y1)]
    left, bottom = min(x for x, _ in corners), min(y for _, y in corners)
    width, height = max(x for x, _ in corners) - left, max(y for _, y in corners) - bottom
    r0, s0, r1, s1 = (float(value) for value in note.get("/Rect", Array([0, 0, 0, 0])))
    wide, high = abs(r1 - r0) / (width or 1), abs(s1 - s0) / (height or 1)
    return Matrix(wide, 0.0, 0.0, high, min(r0, r1) - left * wide, min(s0, s1) - bottom * high)
