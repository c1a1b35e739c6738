"""Boxes of type: glyphs and bars at their places on a baseline, which can be moved, joined and measured.

Everything is in ems of the text's main size, x to the right, y up, the baseline at y = 0. Only `box_to_path` turns
a box into drawing units.

Invariant: a box knows the ink it holds; what it is measured by is what will be drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from dobble_print.errors import ArtworkError, Fault

UNITS = 1000  # of the drawing to an em: curves rounded to a tenth of a unit are finer than any printer

# Of the outlines of one letter, and of one text: the program's own fonts have up to 300 to a letter, a chalk font 2000.
MOST_LETTER_POINTS = 3_000
MOST_TEXT_POINTS = 12_000

Bounds = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(frozen=True, eq=False)
class Typeface:
    """A font opened by HarfBuzz, and its measures in ems.

    A font that does harm once is refused for good: each of a theme's texts would have it try again.
    """

    name: str
    font: Any
    em: float
    x_height: float
    digit_height: float
    faults: list[Fault] = field(default_factory=list)
    points: dict[int, int] = field(default_factory=dict)
    extents: dict[int, Bounds] = field(default_factory=dict)

    def require_harmless(self) -> None:
        """Raise what the font was refused for, if it was."""
        ArtworkError.raise_any(self.faults)

    def refuse(self, fault: Fault) -> None:
        """Raise a fault of the font, now and whenever it is asked for again."""
        self.faults.append(fault)
        self.require_harmless()

    def count_points(self, glyph: int) -> int:
        """How many points a glyph's outlines have; counting is a hundred times quicker than drawing."""
        if glyph not in self.points:
            pen = _CountingPen()
            self.font.draw_glyph_with_pen(glyph, pen)
            self.points[glyph] = pen.points
        return self.points[glyph]

    def has(self, char: str) -> bool:
        """Whether the font has a letter for the character."""
        return bool(self.font.get_nominal_glyph(ord(char)))

    def bounds(self, glyph: int) -> Bounds:
        """The ink of a glyph at a size of 1, measured once: it is asked for in every way to break a text."""
        if glyph not in self.extents:
            self.extents[glyph] = self._measure(glyph)
        return self.extents[glyph]

    def _measure(self, glyph: int) -> Bounds:
        found = self.font.get_glyph_extents(glyph)
        if found is None:
            return (0.0, 0.0, 0.0, 0.0)
        left, top = found.x_bearing / self.em, found.y_bearing / self.em
        return (left, top + found.height / self.em, left + found.width / self.em, top)


class _CountingPen:
    """Draws nothing; a pen that raises would not stop HarfBuzz."""

    def __init__(self) -> None:
        self.points = 0

    def moveTo(self, *points: Any) -> None:
        self.points += len(points)

    lineTo = curveTo = qCurveTo = moveTo

    def closePath(self) -> None:
        pass

    endPath = closePath


@dataclass(frozen=True, eq=False)
class Glyph:
    """A glyph of a typeface, its origin and its size."""

    typeface: Typeface
    glyph: int
    x: float
    y: float
    size: float

    @property
    def bounds(self) -> Bounds | None:
        """Where its ink lies; None for a space."""
        left, bottom, right, top = (self.size * edge for edge in self.typeface.bounds(self.glyph))
        if right <= left or top <= bottom:
            return None
        return (self.x + left, self.y + bottom, self.x + right, self.y + top)


@dataclass(frozen=True)
class Bar:
    """A straight bar: of a fraction."""

    x: float
    y: float
    width: float
    height: float

    @property
    def bounds(self) -> Bounds:
        """All of it."""
        return (self.x, self.y, self.x + self.width, self.y + self.height)


Mark = Glyph | Bar


@dataclass(frozen=True, eq=False)
class Box:
    """Marks on a baseline; `width` is where the next box begins, `x_height` the least one of its letters."""

    width: float = 0.0
    marks: tuple[Mark, ...] = ()
    x_height: float = float("inf")

    @cached_property
    def bounds(self) -> Bounds:
        """The ink; nothing at the origin for a box without any."""
        found = [mark.bounds for mark in self.marks]
        inked = [bounds for bounds in found if bounds]
        if not inked:
            return (0.0, 0.0, 0.0, 0.0)
        lefts, bottoms, rights, tops = zip(*inked, strict=True)
        return (min(lefts), min(bottoms), max(rights), max(tops))

    def move(self, x: float, y: float = 0.0) -> Box:
        """The same marks elsewhere."""
        moved = tuple(replace(mark, x=mark.x + x, y=mark.y + y) for mark in self.marks)
        return replace(self, marks=moved)


def join_boxes(boxes: Iterable[Box], gap: float = 0.0) -> Box:
    """Boxes side by side on one baseline."""
    marks: list[Mark] = []
    x, x_height = 0.0, float("inf")
    for index, box in enumerate(boxes):
        x += gap if index else 0.0
        marks += box.move(x).marks
        x, x_height = x + box.width, min(x_height, box.x_height)
    return Box(x, tuple(marks), x_height)


def overlay_boxes(boxes: Sequence[Box]) -> Box:
    """Boxes that have been moved to their places, as one."""
    marks = tuple(mark for box in boxes for mark in box.marks)
    x_height = min((box.x_height for box in boxes), default=float("inf"))
    return Box(max((box.width for box in boxes), default=0.0), marks, x_height)


def box_to_path(box: Box) -> str:
    """The marks of a box as one SVG path, y down, `UNITS` to the em; raises when a font would make it endless."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    _refuse_endless(box)
    pen = SVGPathPen(None, ntos=write_number)
    for mark in box.marks:
        if isinstance(mark, Bar):
            left, bottom, right, top = mark.bounds
            corners = [(left, bottom), (left, top), (right, top), (right, bottom)]
            pen.moveTo((corners[0][0] * UNITS, -corners[0][1] * UNITS))
            for x, y in corners[1:]:
                pen.lineTo((x * UNITS, -y * UNITS))
            pen.closePath()
            continue
        scale = mark.size * UNITS / mark.typeface.em
        moved = TransformPen(pen, (scale, 0, 0, -scale, mark.x * UNITS, -mark.y * UNITS))
        mark.typeface.font.draw_glyph_with_pen(mark.glyph, moved)
    return str(pen.getCommands())


def _refuse_endless(box: Box) -> None:
    """Count before drawing: a font of a few kilobytes can hold letters of a hundred thousand points."""
    total = 0
    for mark in box.marks:
        if isinstance(mark, Bar):
            continue
        name, points = mark.typeface.name, mark.typeface.count_points(mark.glyph)
        if points > MOST_LETTER_POINTS:
            mark.typeface.refuse(Fault(f'the font "{name}" has letters of far too many points', "Use a simpler font."))
        total += points
        if total > MOST_TEXT_POINTS:
            what = f'the letters of the font "{name}" have too many points for so long a text'
            raise ArtworkError(Fault(what, "Shorten the text, or use a simpler font."))


def write_number(value: float) -> str:
    """A number of a drawing, rounded to a tenth."""
    return f"{round(value, 1) + 0.0:.6g}"
