"""The plan of the calibration page: what lies where on its front and, mirrored, on its back.

How a gauge reads: the front has a straight line, the back a line that leans by 1 mm on every 20 mm. Seen against the
light they cross, and where they cross the back's own scale gives the number. A back that prints `a` mm too far to the
right moves the leaning line with it, so that it crosses at -a: the shift that brings it home.

Invariant: everything the two sides show together is placed once, on the front, and mirrored by `Stage.behind`; places
are millimetres from the lower left corner of the side one looks at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dobble_print.press.ink import INK, mix
from dobble_print.sheets.nesting import Box
from dobble_print.units import Paper, Point

Edge = Literal["long", "short"]

BLACK = "#000000"  # what is measured is pure black: printers draw any other colour thin lines in as dots
ACCENT = "#1d3557"
GRID = mix(ACCENT, 0.10)
GRID_STRONG = mix(ACCENT, 0.22)

LEAST_WIDTH_MM, LEAST_LENGTH_MM = 148.0, 210.0  # A5
EDGE_MM = 6.0  # the grid keeps off what printers leave white
INSET_MM = 13.0  # the outer crosses, from the edges
CROSS_MM = 8.0  # half a cross
CROSS_REACH_MM = 5  # the scale of a cross, either way
LARGEST_UNIT = 1.5
GAUGE_REACH_MM = 2.0  # the largest shift a gauge shows, either way
GAIN = 20.0  # how much longer than a shift its place on the gauge's scale is, in units
LADDER_MM = 2.9  # from the middle of a gauge to its ticks
RULER_MM = 100
HAIR_MM, FINE_MM, LINE_MM, STRONG_MM = 0.07, 0.1, 0.18, 0.3


@dataclass(frozen=True)
class Trace:
    """A line through points, or with `fill` the closed area they surround; no line where its width is 0."""

    points: tuple[Point, ...]
    width_mm: float = FINE_MM
    color: str = BLACK
    fill: str = ""


@dataclass(frozen=True)
class Words:
    """A line of text on its baseline; `anchor` tells which part of it stands at x: 0 its start, 1 its end."""

    text: str
    x_mm: float
    y_mm: float
    size_pt: float
    bold: bool = False
    anchor: float = 0.0
    color: str = INK
    turn_deg: float = 0.0


Mark = Trace | Words


@dataclass(frozen=True)
class Stage:
    """A sheet with the edge it is turned over: places on the front, and what lies behind them."""

    paper: Paper
    edge: Edge

    @property
    def middle(self) -> Point:
        """The middle of the sheet."""
        return self.paper.width_mm / 2, self.paper.height_mm / 2

    @property
    def is_upright(self) -> bool:
        """Whether the sheet stands on its short edge."""
        return self.paper.height_mm >= self.paper.width_mm

    def behind(self, point: Point) -> Point:
        """Where a point of the front lies, as one looks at the back; its own inverse."""
        x, y = point
        if (self.edge == "long") == self.is_upright:  # over an upright edge left and right change places
            return self.paper.width_mm - x, y
        return x, self.paper.height_mm - y

    def box_behind(self, box: Box) -> Box:
        """The box of the back behind a box of the front."""
        return Box.between(self.behind((box.left, box.bottom)), self.behind((box.right, box.top)))

    @property
    def unit(self) -> float:
        """How much larger than on A5 everything is laid out that need not have its true size."""
        short, long = sorted((self.paper.width_mm, self.paper.height_mm))
        return min(LARGEST_UNIT, short / LEAST_WIDTH_MM, long / LEAST_LENGTH_MM)

    def at(self, right: float, up: float) -> Point:
        """A place from the middle, in units."""
        return self.middle[0] + right * self.unit, self.middle[1] + up * self.unit

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A box from the middle, in units."""
        return Box(*self.at(left, bottom), *self.at(right, top))

    @property
    def crosses(self) -> list[Point]:
        """The middle and near the corners."""
        x, y = self.paper.width_mm - INSET_MM, self.paper.height_mm - INSET_MM
        return [self.middle, (INSET_MM, y), (x, y), (INSET_MM, INSET_MM), (x, INSET_MM)]

    @property
    def sideways_gauge(self) -> Box:
        """It stands upright and shows shifts to the right and left."""
        return self.box(30, -47, 56, 47)

    @property
    def upright_gauge(self) -> Box:
        """It lies and shows shifts up and down."""
        return self.box(-66, -47, 28, -19)

    @property
    def steps(self) -> Box:
        """What the front tells."""
        return self.box(-66, 53, 56, 79) if self.is_upright else self.box(-66, 18, 28, 47)

    @property
    def table(self) -> Box:
        """What to type against a wrong scale."""
        return self.box(-66, 21, 28, 45) if self.is_upright else self.box(71, -19, 99, 47)

    @property
    def answer(self) -> Box:
        """What the back tells, where the front is empty."""
        return self.box(-66, -75, 56, -50) if self.is_upright else self.box(-99, -42, -69, 47)

    @property
    def rulers(self) -> tuple[Point, Point]:
        """Where the lying and the standing ruler start."""
        x, y = self.middle
        below = self.at(0, -85 if self.is_upright else -57)[1]
        return (x - RULER_MM / 2, below), (self.at(62, 0)[0], y - RULER_MM / 2)


def middle_of(box: Box) -> Point:
    """The middle of a box."""
    return (box.left + box.right) / 2, (box.bottom + box.top) / 2


def sign(value: float) -> str:
    """A number as it is typed, with its sign: `+0.3`, `−0.3`, `0`."""
    text = f"{abs(value):.1f}".removesuffix(".0")
    return text if text == "0" else f"{'+' if value > 0 else '−'}{text}"


def plan_grid(stage: Stage) -> Iterator[Mark]:
    """Lines every 5 mm from the middle, every second one stronger."""
    x0, y0 = stage.middle
    across, up = math.floor((x0 - EDGE_MM) / 5), math.floor((y0 - EDGE_MM) / 5)
    for strong in (False, True):
        color = GRID_STRONG if strong else GRID
        for i in (i for i in range(-across, across + 1) if (i % 2 == 0) == strong):
            yield Trace(((x0 + 5 * i, y0 - 5 * up), (x0 + 5 * i, y0 + 5 * up)), FINE_MM, color)
        for i in (i for i in range(-up, up + 1) if (i % 2 == 0) == strong):
            yield Trace(((x0 - 5 * across, y0 + 5 * i), (x0 + 5 * across, y0 + 5 * i)), FINE_MM, color)


def frame_box(box: Box, fill: str = "#ffffff", color: str = ACCENT) -> Trace:
    """A box with its own ground."""
    corners = ((box.left, box.bottom), (box.right, box.bottom), (box.right, box.top), (box.left, box.top))
    return Trace((*corners, corners[0]), LINE_MM, color, fill)


def trace_arc(centre: Point, radius: float, start_deg: float, end_deg: float) -> tuple[Point, ...]:
    """Points along a part of a circle."""
    count = max(2, math.ceil(abs(end_deg - start_deg) / 6))
    angles = [math.radians(start_deg + (end_deg - start_deg) * i / count) for i in range(count + 1)]
    return tuple((centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles)


def plan_cross(centre: Point) -> Iterator[Mark]:
    """A pointer of the front: a cross in a ring."""
    x, y = centre
    yield Trace(trace_arc(centre, CROSS_MM + 0.2, 0, 360), 0.0, fill="#ffffff")
    yield Trace(trace_arc(centre, CROSS_MM - 1, 0, 360), LINE_MM, ACCENT)
    yield Trace(((x - CROSS_MM, y), (x + CROSS_MM, y)), LINE_MM)
    yield Trace(((x, y - CROSS_MM), (x, y + CROSS_MM)), LINE_MM)


def plan_reticle(centre: Point) -> Iterator[Mark]:
    """A scale of the back in both directions, for the pointer that shines through."""
    x, y = centre
    reach = CROSS_REACH_MM
    yield Trace(((x - reach, y), (x + reach, y)), HAIR_MM)
    yield Trace(((x, y - reach), (x, y + reach)), HAIR_MM)
    for half in (half for half in range(-2 * reach, 2 * reach + 1) if half):
        at, tick = half / 2, 0.9 if half % 4 == 0 else 0.6 if half % 2 == 0 else 0.3
        yield Trace(((x + at, y - tick), (x + at, y + tick)), HAIR_MM)
        yield Trace(((x - tick, y + at), (x + tick, y + at)), HAIR_MM)
        if half % 4 == 0:
            yield Words(sign(at), x + at, y - 2.3, 3.6, anchor=0.5, color=BLACK)
        if half % 4 == 0 and at != -2:  # there the other scale has its own number
            yield Words(sign(at), x - 1.3, y + at - 0.45, 3.6, anchor=1.0, color=BLACK)


def plan_pointer(box: Box, upright: bool, unit: float) -> Iterator[Mark]:
    """The front of a gauge: a frame and a straight line."""
    x, y = middle_of(box)
    reach = (GAUGE_REACH_MM * GAIN + 2) * unit
    yield frame_box(box)
    yield Trace(((x, y - reach), (x, y + reach)) if upright else ((x - reach, y), (x + reach, y)), LINE_MM)


def plan_gauge(box: Box, upright: bool, unit: float) -> Iterator[Mark]:
    """The back of a gauge: the leaning line and the scale to read; every half in large, every tenth in small."""
    x, y = middle_of(box)

    def rung(shift: float, aside: float) -> Point:
        length = shift * GAIN * unit
        return (x + aside, y + length) if upright else (x + length, y + aside)

    yield frame_box(box, fill="")
    yield Trace((rung(-GAUGE_REACH_MM, -GAUGE_REACH_MM), rung(GAUGE_REACH_MM, GAUGE_REACH_MM)), LINE_MM)
    far = LADDER_MM + 2.9 * unit
    for tenth in range(round(-10 * GAUGE_REACH_MM), round(10 * GAUGE_REACH_MM) + 1):
        shift, is_half = tenth / 10, tenth % 5 == 0
        tick = (2.3 if is_half else 1.2) * unit
        for side in (-1, 1):
            ends = rung(shift, side * LADDER_MM), rung(shift, side * (LADDER_MM + tick))
            yield Trace(ends, LINE_MM if is_half else FINE_MM)
        small, large = (rung(shift, far), rung(shift, -far)) if upright else (rung(shift, -far), rung(shift, far))
        yield _number_tenth(sign(shift), small, is_half, upright, unit)
        if is_half:
            yield _number_half(sign(shift), large, upright, unit)


def _number_tenth(text: str, at: Point, is_half: bool, upright: bool, unit: float) -> Words:
    """Where the scale lies, its numbers are turned: they would not stand beside each other."""
    size, sink = 4.2 * unit, 0.5 * unit
    if upright:
        return Words(text, at[0], at[1] - sink, size, is_half, 0.0, BLACK)
    return Words(text, at[0] + sink, at[1], size, is_half, 1.0, BLACK, 90.0)


def _number_half(text: str, at: Point, upright: bool, unit: float) -> Words:
    if upright:
        return Words(text, at[0], at[1] - 1.1 * unit, 9.0 * unit, True, 1.0, ACCENT)
    return Words(text, at[0], at[1], 9.0 * unit, True, 0.5, ACCENT)


def plan_ruler(start: Point, upright: bool, unit: float) -> Iterator[Mark]:
    """100 mm to lay a ruler on, on a white ground; the numbers and the words stand outside."""
    x, y = start
    clear = Box(x - 5, y - 3, x + 7, y + 103) if upright else Box(x - 3, y - 7.5, x + 103, y + 5)
    yield frame_box(clear, color="#ffffff")
    for mm in range(RULER_MM + 1):
        tick = 4.5 if mm % 10 == 0 else 3.2 if mm % 5 == 0 else 2.0
        ends = ((x - tick, y + mm), (x, y + mm)) if upright else ((x + mm, y), (x + mm, y + tick))
        yield Trace(ends, LINE_MM if mm % 10 == 0 else FINE_MM)
        if mm % 10 == 0:
            at_x, at_y, anchor = (x + 1.0, y + mm - 0.85, 0.0) if upright else (x + mm, y - 2.9, 0.5)
            yield Words(str(mm), at_x, at_y, 7.0, mm % RULER_MM == 0, anchor, BLACK)
    middle = RULER_MM / 2
    yield Trace((start, (x, y + RULER_MM) if upright else (x + RULER_MM, y)), LINE_MM)
    at_x, at_y, turn = (x + 6.4, y + middle, 90.0) if upright else (x + middle, y - 6.6, 0.0)
    yield Words("lay a ruler here: it must be 100 mm long", at_x, at_y, 5.6 * unit, False, 0.5, INK, turn)
