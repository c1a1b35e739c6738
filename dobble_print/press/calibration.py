"""The calibration page: a test print from which shift and scale of a printer are read."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from pikepdf import Name, Pdf

from dobble_print.errors import Fault, LayoutError
from dobble_print.pdf.document import save_pdf
from dobble_print.press.document import FLIPS, set_preferences
from dobble_print.press.typography import (
    BOLD,
    INK,
    QUIET,
    REGULAR,
    break_lines,
    draw_line,
    mix,
    open_canvas,
    register_fonts,
)
from dobble_print.sheets.nesting import Box
from dobble_print.units import PT_PER_MM, Correction, Paper, Point, mm_to_pt

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


PageItem = Trace | Words


@dataclass(frozen=True)
class CalibrationSheet:
    """A sheet with the edge it is turned over: places on the front, and what lies behind them."""

    paper: Paper
    edge: Edge

    @property
    def middle(self) -> Point:
        """Return the middle of the sheet."""
        return self.paper.width_mm / 2, self.paper.height_mm / 2

    @property
    def is_upright(self) -> bool:
        """Return whether the sheet stands on its short edge."""
        return self.paper.height_mm >= self.paper.width_mm

    def behind(self, point: Point) -> Point:
        """Return where a point of the front lies, as one looks at the back; its own inverse."""
        x, y = point
        if (self.edge == "long") == self.is_upright:  # over an upright edge left and right change places
            return self.paper.width_mm - x, y
        return x, self.paper.height_mm - y

    def box_behind(self, box: Box) -> Box:
        """Return the box of the back behind a box of the front."""
        return Box.between(self.behind((box.left, box.bottom)), self.behind((box.right, box.top)))

    @property
    def unit(self) -> float:
        """Return how much larger than on A5 everything is laid out that need not have its true size."""
        short, long = sorted((self.paper.width_mm, self.paper.height_mm))
        return min(LARGEST_UNIT, short / LEAST_WIDTH_MM, long / LEAST_LENGTH_MM)

    def at(self, right: float, up: float) -> Point:
        """Return a place from the middle, in units."""
        return self.middle[0] + right * self.unit, self.middle[1] + up * self.unit

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Return a box from the middle, in units."""
        return Box(*self.at(left, bottom), *self.at(right, top))

    @property
    def crosses(self) -> list[Point]:
        """Return the middle and the places near the corners."""
        x, y = self.paper.width_mm - INSET_MM, self.paper.height_mm - INSET_MM
        return [self.middle, (INSET_MM, y), (x, y), (INSET_MM, INSET_MM), (x, INSET_MM)]

    @property
    def sideways_gauge(self) -> Box:
        """Return the gauge that stands upright and shows shifts to the right and left."""
        return self.box(30, -47, 56, 47)

    @property
    def upright_gauge(self) -> Box:
        """Return the gauge that lies and shows shifts up and down."""
        return self.box(-66, -47, 28, -19)

    @property
    def steps(self) -> Box:
        """Return the box of the instructions on the front."""
        return self.box(-66, 53, 56, 79) if self.is_upright else self.box(-66, 18, 28, 47)

    @property
    def table(self) -> Box:
        """Return the box of the table of scales."""
        return self.box(-66, 21, 28, 45) if self.is_upright else self.box(71, -19, 99, 47)

    @property
    def answer(self) -> Box:
        """Return the box behind which the back says what to type; the front is empty there."""
        return self.box(-66, -75, 56, -50) if self.is_upright else self.box(-99, -42, -69, 47)

    @property
    def rulers(self) -> tuple[Point, Point]:
        """Return where the lying and the standing ruler start."""
        x, y = self.middle
        below = self.at(0, -85 if self.is_upright else -57)[1]
        return (x - RULER_MM / 2, below), (self.at(62, 0)[0], y - RULER_MM / 2)


def sign(value: float) -> str:
    """Return a number as it is typed, with its sign: `+0.3`, `−0.3`, `0`."""
    text = f"{abs(value):.1f}".removesuffix(".0")
    return text if text == "0" else f"{'+' if value > 0 else '−'}{text}"


def plan_grid(sheet: CalibrationSheet) -> Iterator[PageItem]:
    """Yield lines every 5 mm from the middle, every second one stronger."""
    x0, y0 = sheet.middle
    across, up = math.floor((x0 - EDGE_MM) / 5), math.floor((y0 - EDGE_MM) / 5)
    for strong in (False, True):
        color = GRID_STRONG if strong else GRID
        for i in (i for i in range(-across, across + 1) if (i % 2 == 0) == strong):
            yield Trace(((x0 + 5 * i, y0 - 5 * up), (x0 + 5 * i, y0 + 5 * up)), FINE_MM, color)
        for i in (i for i in range(-up, up + 1) if (i % 2 == 0) == strong):
            yield Trace(((x0 - 5 * across, y0 + 5 * i), (x0 + 5 * across, y0 + 5 * i)), FINE_MM, color)


def frame_box(box: Box, fill: str = "#ffffff", color: str = ACCENT) -> Trace:
    """Return a box with its own ground."""
    corners = ((box.left, box.bottom), (box.right, box.bottom), (box.right, box.top), (box.left, box.top))
    return Trace((*corners, corners[0]), LINE_MM, color, fill)


def trace_arc(centre: Point, radius: float, start_deg: float, end_deg: float) -> tuple[Point, ...]:
    """Return points along a part of a circle."""
    count = max(2, math.ceil(abs(end_deg - start_deg) / 6))
    angles = [math.radians(start_deg + (end_deg - start_deg) * i / count) for i in range(count + 1)]
    return tuple((centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles)


def plan_cross(centre: Point) -> Iterator[PageItem]:
    """Yield a pointer of the front: a cross in a ring."""
    x, y = centre
    yield Trace(trace_arc(centre, CROSS_MM + 0.2, 0, 360), 0.0, fill="#ffffff")
    yield Trace(trace_arc(centre, CROSS_MM - 1, 0, 360), LINE_MM, ACCENT)
    yield Trace(((x - CROSS_MM, y), (x + CROSS_MM, y)), LINE_MM)
    yield Trace(((x, y - CROSS_MM), (x, y + CROSS_MM)), LINE_MM)


def plan_reticle(centre: Point) -> Iterator[PageItem]:
    """Yield a scale of the back in both directions, for the pointer that shines through."""
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


def plan_pointer(box: Box, upright: bool, unit: float) -> Iterator[PageItem]:
    """Yield the front of a gauge: a frame and a straight line."""
    x, y = box.middle
    reach = (GAUGE_REACH_MM * GAIN + 2) * unit
    yield frame_box(box)
    yield Trace(((x, y - reach), (x, y + reach)) if upright else ((x - reach, y), (x + reach, y)), LINE_MM)


def plan_gauge(box: Box, upright: bool, unit: float) -> Iterator[PageItem]:
    """Yield the back of a gauge: the leaning line and the scale to read; every half in large, every tenth in small."""
    x, y = box.middle

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
    """Return the number of a tenth; where the scale lies, it is turned, as two would not stand side by side."""
    size, sink = 4.2 * unit, 0.5 * unit
    if upright:
        return Words(text, at[0], at[1] - sink, size, is_half, 0.0, BLACK)
    return Words(text, at[0] + sink, at[1], size, is_half, 1.0, BLACK, 90.0)


def _number_half(text: str, at: Point, upright: bool, unit: float) -> Words:
    if upright:
        return Words(text, at[0], at[1] - 1.1 * unit, 9.0 * unit, True, 1.0, ACCENT)
    return Words(text, at[0], at[1], 9.0 * unit, True, 0.5, ACCENT)


def plan_ruler(start: Point, upright: bool, unit: float) -> Iterator[PageItem]:
    """Yield a line of 100 mm to lay a ruler on, on a white ground; the numbers and the words stand outside."""
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


SUN = "#ffd166"
PALE = mix(ACCENT, 0.25)


def resize(marks: Iterable[Trace], to: Point, scale: float) -> Iterator[Trace]:
    """Yield a picture drawn around the origin, elsewhere and larger."""
    for mark in marks:
        points = tuple((to[0] + x * scale, to[1] + y * scale) for x, y in mark.points)
        yield replace(mark, points=points, width_mm=mark.width_mm * scale)


def picture_print(sheet: CalibrationSheet) -> Iterator[Trace]:
    """Yield a sheet, and an arrow over the edge it turns about."""
    sideways = sheet.behind((0.0, 1.0))[0] > 0
    short, long = (2.8, 4.0) if sideways else (2.0, 2.8)
    half_width, half_height = (short, long) if sheet.is_upright else (long, short)
    for side in (-1, 1):
        x, y = (side * (half_width + 0.4), -0.8) if sideways else (-1.0, side * (half_height + 0.2))
        is_front = (side < 0) == sideways
        yield frame_box(Box.around(x, y, 2 * half_width, 2 * half_height), "#ffffff" if is_front else PALE)
    if sideways:
        yield from _arrow(trace_arc((0.0, half_height - 0.6), 2.8, 165, 15))
    else:
        yield from _arrow(trace_arc((half_width - 0.8, 0.0), 2.8, 75, -75))


def _arrow(points: tuple[Point, ...]) -> Iterator[Trace]:
    yield Trace(points, STRONG_MM, ACCENT)
    (x0, y0), (x1, y1) = points[-2], points[-1]
    ux, uy = (x1 - x0) / math.dist(*points[-2:]), (y1 - y0) / math.dist(*points[-2:])
    left, right = (x1 - 0.8 * uy, y1 + 0.8 * ux), (x1 + 0.8 * uy, y1 - 0.8 * ux)
    yield Trace(((x1 + 1.2 * ux, y1 + 1.2 * uy), left, right), 0.0, fill=ACCENT)


def picture_measure(sheet: CalibrationSheet) -> Iterator[Trace]:
    """Yield a ruler."""
    yield frame_box(Box.around(0.0, 0.0, 16.0, 5.4), fill=mix(SUN, 0.6))
    for i in range(15):
        yield Trace(((i - 7.0, 2.7), (i - 7.0, 0.3 if i % 5 == 2 else 1.4)), LINE_MM, ACCENT)


def picture_window(sheet: CalibrationSheet) -> Iterator[Trace]:
    """Yield sun, pane, sheet and eye, seen from the side."""
    sun = (-5.0, 0.0)
    for angle in range(0, 360, 45):
        yield Trace((trace_arc(sun, 2.3, angle, angle)[0], trace_arc(sun, 3.3, angle, angle)[0]), STRONG_MM, SUN)
    yield Trace(trace_arc(sun, 1.7, 0, 360), 0.0, fill=SUN)
    yield frame_box(Box.around(-0.4, 0.0, 0.8, 10.0), fill=PALE)
    yield Trace(((1.0, -4.0), (1.0, 4.0)), 0.45)
    lids = (*trace_arc((6.0, -1.6), 2.9, 145, 35), *trace_arc((6.0, 1.6), 2.9, -35, -145))
    yield Trace((*lids, lids[0]), STRONG_MM, ACCENT, "#ffffff")
    yield Trace(trace_arc((6.0, 0.0), 0.75, 0, 360), 0.0, fill=ACCENT)


KEEP = (
    "To keep both numbers: dobble-print calibrate --back-offset x,y --scale s --save office. "
    "Then: dobble-print build … --printer office."
)
PITCH = 1.28  # of the size, from line to line
MEASURED_MM = (98.0, 98.5, 99.0, 99.5, 100.5, 101.0, 101.5)


def make_calibration(paper: Paper, duplex: Edge, correction: Correction) -> bytes:
    """Make the front and the back of the page as a PDF; the paper lies as the sheets of cards do."""
    _refuse_small(paper)
    sheet = CalibrationSheet(paper, duplex)
    register_fonts()
    sides = (list(_plan_front(sheet, correction)), list(_plan_back(sheet, correction)))
    return _finish(_draw(sheet, sides, correction), duplex)


def _refuse_small(paper: Paper) -> None:
    short, long = sorted((paper.width_mm, paper.height_mm))
    if short < LEAST_WIDTH_MM or long < LEAST_LENGTH_MM:
        raise LayoutError(Fault(f"{paper.name} is too small for the calibration page", "Use A5 or larger."))


def _plan_front(sheet: CalibrationSheet, correction: Correction) -> Iterator[PageItem]:
    yield from plan_grid(sheet)
    yield from plan_pointer(sheet.sideways_gauge, True, sheet.unit)
    yield from plan_pointer(sheet.upright_gauge, False, sheet.unit)
    for start, upright in zip(sheet.rulers, (False, True), strict=True):
        yield from plan_ruler(start, upright, sheet.unit)
    for centre in sheet.crosses:
        yield from plan_cross(centre)
    yield from _plan_title(sheet)
    yield from _plan_steps(sheet)
    yield from _plan_table(sheet, correction)


def _plan_back(sheet: CalibrationSheet, correction: Correction) -> Iterator[PageItem]:
    for centre in sheet.crosses:
        yield from plan_reticle(sheet.behind(centre))
    sideways, upright = sheet.box_behind(sheet.sideways_gauge), sheet.box_behind(sheet.upright_gauge)
    u = sheet.unit
    yield from plan_gauge(sideways, True, u)
    yield from plan_gauge(upright, False, u)
    yield Words("x", sideways.left + 1.8 * u, sideways.bottom + 2.0 * u, 13.0 * u, True, color=ACCENT)
    yield Words("← −   + →", sideways.right - 1.8 * u, sideways.bottom + 2.0 * u, 6.0 * u, False, 1.0, QUIET)
    yield Words("y", upright.left + 1.8 * u, upright.top - 4.6 * u, 13.0 * u, True, color=ACCENT)
    yield Words("↓ −   + ↑", upright.right - 1.8 * u, upright.top - 3.4 * u, 6.0 * u, False, 1.0, QUIET)
    yield from _plan_answer(sheet, correction)


def _plan_title(sheet: CalibrationSheet) -> Iterator[PageItem]:
    paper, top = sheet.paper, sheet.paper.height_mm
    x = sheet.middle[0]
    edge = f"flip on the {sheet.edge} edge"
    yield frame_box(Box(x - 48, top - 23.5, x + 48, top - 6.5), color="#ffffff")
    yield Words("Line up your printer", x, top - 13.2, 18.0, True, 0.5, ACCENT)
    size = f"{paper.name}, {paper.width_mm:g} × {paper.height_mm:g} mm, {edge}"
    yield Words(size, x, top - 20.0, 9.5, False, 0.5, QUIET)


def _plan_steps(sheet: CalibrationSheet) -> Iterator[PageItem]:
    """Yield what to do, three pictures with their words."""
    box, u = sheet.steps, sheet.unit
    yield frame_box(box)
    steps = (
        (picture_print, "Print both pages on one sheet", f"100 %, two-sided, flip on the {sheet.edge} edge."),
        (picture_measure, "Lay a ruler on both rulers", "100 mm? Good. If not, look at the table."),
        (picture_window, "Turn over, hold to a window", "This side to the glass. Read x and y on the back."),
    )
    width = (box.right - box.left) / len(steps)
    for i, (picture, head, rest) in enumerate(steps):
        left = box.left + width * i + 2.4 * u
        yield Words(str(i + 1), left, box.top - 6.0 * u, 15.0 * u, True, color=ACCENT)
        yield from resize(picture(sheet), (box.left + width * (i + 0.5), box.top - 7.6 * u), u)
        lines = [*_set_text(head, left, box.top - 16.2 * u, width - 3.4 * u, 7.2 * u, True)]
        yield from lines
        yield from _set_text(rest, left, lines[-1].y_mm - 3.3 * u, width - 3.4 * u, 6.4 * u)


def _plan_table(sheet: CalibrationSheet, correction: Correction) -> Iterator[PageItem]:
    """Yield what to type for what was measured, in columns or, where the page is wide, in rows."""
    box, u = sheet.table, sheet.unit
    yield frame_box(box)
    place = "below" if sheet.is_upright else "beside"
    head = f"A ruler is not 100 mm long? Find what you measure, and type --scale with the number {place} it. "
    head += "Less than 98? Print again at 100 %."
    x, width = box.left + 2.4 * u, box.right - box.left - 4.0 * u
    lines = [*_set_text(head, x, box.top - 4.4 * u, width, (7.2 if sheet.is_upright else 6.4) * u, True)]
    yield from lines
    y = lines[-1].y_mm - 5.4 * u
    for i, measured in enumerate(MEASURED_MM):
        scale = f"{100 / measured * correction.scale:.4f}"
        if sheet.is_upright:
            at = x + width * (i + 0.5) / len(MEASURED_MM)
            yield Words(f"{measured:g} mm", at, y, 6.6 * u, False, 0.5)
            yield Words(scale, at, y - 4.2 * u, 7.2 * u, True, 0.5, ACCENT)
        else:
            yield Words(f"{measured:g} mm", x + 10.5 * u, y - 5.6 * u * i, 6.6 * u, False, 1.0)
            yield Words(scale, x + 13.0 * u, y - 5.6 * u * i, 7.2 * u, True, 0.0, ACCENT)
    earlier = "" if correction.scale == 1 else f"{correction.scale:g} × "
    yield Words(f"= {earlier}100 ÷ measured", x, box.bottom + 1.8 * u, 5.6 * u, color=QUIET)


def _plan_answer(sheet: CalibrationSheet, correction: Correction) -> Iterator[PageItem]:
    """Yield what to type, with room to write the numbers in, and what else may be seen."""
    box, u = sheet.box_behind(sheet.answer), sheet.unit
    yield frame_box(box, fill=mix(ACCENT, 0.06))
    x, width = box.left + 2.5 * u, box.right - box.left - 5 * u
    head = "Against the light, two lines cross in box x and in box y. Write down the numbers there, and type:"
    lines = [*_set_text(head, x, box.top - 4.6 * u, width, 7.2 * u, True)]
    yield from lines
    y, wide = lines[-1].y_mm - 9.0 * u, sheet.is_upright
    yield Words("--back-offset", x, y if wide else y + 2.5 * u, (13.0 if wide else 10.5) * u, True, color=ACCENT)
    left, y = (x + 33.0 * u, y) if wide else (x, y - 7.5 * u)
    yield from _plan_blanks(left, y, u)
    notes = _list_notes(sheet, correction)
    if wide:
        yield from _stack([KEEP], x, y - 5.6 * u, left + 25.5 * u - x, u)
        yield from _stack(notes, left + 29.0 * u, y + 4.2 * u, box.right - left - 31.0 * u, u)
    else:
        yield from _stack([*notes, KEEP], x, y - 7.0 * u, width, u)


def _stack(notes: Iterable[str], x: float, y: float, width: float, u: float) -> Iterator[PageItem]:
    """Yield small paragraphs, one below the other."""
    for note in notes:
        lines = [*_set_text(note, x, y, width, 5.6 * u)]
        yield from lines
        y = lines[-1].y_mm - 3.2 * u


def _plan_blanks(left: float, y: float, u: float) -> Iterator[PageItem]:
    """Yield two boxes to write in, and the comma between them."""
    for letter, at in (("x", left), ("y", left + 14.0 * u)):
        yield frame_box(Box(at, y - 2.2 * u, at + 11.5 * u, y + 5.8 * u), color=INK)
        yield Words(letter, at + 0.9 * u, y + 3.4 * u, 6.0 * u, color=QUIET)
    yield Words(",", left + 12.0 * u, y, 13.0 * u, True, color=ACCENT)


def _list_notes(sheet: CalibrationSheet, correction: Correction) -> Iterator[str]:
    """Yield what else may be seen, and what to do then."""
    settings = list(_list_settings(correction))
    if settings:
        yield f"Printed with {' '.join(settings)}: x and y must read 0 now; calibrate --printer NAME adds what is left."
    other = "short" if sheet.edge == "long" else "long"
    yield "No crossing? The small crosses reach 5 mm."
    yield f"Boxes not on top of each other? Flip on the {sheet.edge} edge, or build with --duplex {other}."


def _list_settings(correction: Correction) -> Iterator[str]:
    if correction.dx_mm or correction.dy_mm:
        yield f"--back-offset {correction.dx_mm:g},{correction.dy_mm:g}"
    if correction.scale != 1:
        yield f"--scale {correction.scale:g}"


def _set_text(text: str, x: float, y: float, width: float, size: float, bold: bool = False) -> Iterator[Words]:
    """Yield a paragraph from its first baseline down."""
    for i, line in enumerate(break_lines(text, BOLD if bold else REGULAR, size, mm_to_pt(width))):
        yield Words(line, x, y - i * size * PITCH / PT_PER_MM, size, bold)


def _draw(sheet: CalibrationSheet, sides: Iterable[list[PageItem]], correction: Correction) -> bytes:
    sink = io.BytesIO()
    canvas = open_canvas(sink, f"Line up your printer: {sheet.paper.name}")
    canvas.setPageSize((mm_to_pt(sheet.paper.width_mm), mm_to_pt(sheet.paper.height_mm)))
    shifts = ((0.0, 0.0), (correction.dx_mm, correction.dy_mm))
    for marks, (dx, dy) in zip(sides, shifts, strict=True):
        x, y = sheet.middle
        canvas.translate(mm_to_pt(x + dx), mm_to_pt(y + dy))
        canvas.scale(correction.scale, correction.scale)
        canvas.translate(mm_to_pt(-x), mm_to_pt(-y))
        for mark in marks:
            _draw_mark(canvas, mark)
        canvas.showPage()
    canvas.save()
    return sink.getvalue()


def _draw_mark(canvas: Any, mark: PageItem) -> None:
    if isinstance(mark, Words):
        _draw_words(canvas, mark)
        return
    path = canvas.beginPath()
    path.moveTo(*map(mm_to_pt, mark.points[0]))
    for point in mark.points[1:]:
        path.lineTo(*map(mm_to_pt, point))
    if mark.fill:
        path.close()
        canvas.setFillColor(mark.fill)
    canvas.setStrokeColor(mark.color)
    canvas.setLineWidth(mm_to_pt(mark.width_mm))
    canvas.drawPath(path, stroke=int(mark.width_mm > 0), fill=int(bool(mark.fill)))


def _draw_words(canvas: Any, words: Words) -> None:
    font = BOLD if words.bold else REGULAR
    canvas.saveState()
    canvas.translate(mm_to_pt(words.x_mm), mm_to_pt(words.y_mm))
    canvas.rotate(words.turn_deg)
    canvas.setFillColor(words.color)
    draw_line(canvas, 0.0, 0.0, words.text, font, words.size_pt, words.anchor)
    canvas.restoreState()


def _finish(drawn: bytes, duplex: Edge) -> bytes:
    """Ask viewers to print the page at its size, turned over as it was drawn for."""
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        set_preferences(pdf, "en", Duplex=FLIPS[duplex], PrintScaling=Name("/None"), PickTrayByPDFSize=True)
        return save_pdf(pdf)
