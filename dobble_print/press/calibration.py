"""The calibration page: a test print from which shift and scale of a printer are read."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pikepdf import Pdf

from dobble_print.errors import Fault, LayoutError
from dobble_print.pdf.document import save_pdf
from dobble_print.press.cards import correct_print
from dobble_print.press.document import set_preferences
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
    text_width_pt,
)
from dobble_print.sheets.nesting import Rectangle
from dobble_print.sheets.plan import mirror_points, turns_sideways
from dobble_print.units import PT_PER_MM, Correction, Paper, Point, mm_to_pt
from dobble_print.words.languages import find_row
from dobble_print.words.typesetting import head_with, set_type

Edge = Literal["long", "short"]
BLACK = "#000000"  # what is measured is pure black: printers draw any other colour thin lines in as dots
ACCENT = "#1d3557"
SUN = "#ffd166"
PALE = mix(ACCENT, 0.25)
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
PITCH = 1.28  # of the size, from line to line
HAIR_MM, FINE_MM, LINE_MM, STRONG_MM = 0.07, 0.1, 0.18, 0.3
MEASURED_MM = (98.0, 98.5, 99.0, 99.5, 100.5, 101.0, 101.5)
SAVE = "dobble-print calibrate --back-offset x,y --scale s --save office."
USE = "dobble-print build … --printer office."
TEXTS, FALLBACK = "calibration.yaml", "en"  # the page is laid out for English; longer texts are set smaller
SMALLER = 0.97


@dataclass(frozen=True)
class Wording:
    """A text of the page in its language, and the English one whose room it has."""

    text: str
    model: str


@cache
def say(key: str, language: str, **values: str) -> Wording:
    """Return a text of the page, with its places filled in."""
    row, english = find_row(TEXTS, language) or find_row(TEXTS, FALLBACK), find_row(TEXTS, FALLBACK)
    return Wording(set_type(row[key].format(**values), language), set_type(english[key].format(**values), FALLBACK))


@dataclass(frozen=True, eq=False)
class Pen:
    """Draw on a canvas in millimetres, or in `scale` of them from another `origin`."""

    canvas: Any
    origin: Point = (0.0, 0.0)
    scale: float = 1.0

    def trace(self, points: Sequence[Point], width: float = FINE_MM, color: str = BLACK, fill: str = "") -> None:
        """Draw a line through points, or with `fill` the closed area they surround; no line where its width is 0."""
        start, *others = (
            (mm_to_pt(self.origin[0] + x * self.scale), mm_to_pt(self.origin[1] + y * self.scale)) for x, y in points
        )
        path = self.canvas.beginPath()
        path.moveTo(*start)
        for point in others:
            path.lineTo(*point)
        if fill:
            path.close()
            self.canvas.setFillColor(fill)
        self.canvas.setStrokeColor(color)
        self.canvas.setLineWidth(mm_to_pt(width * self.scale))
        self.canvas.drawPath(path, stroke=int(width > 0), fill=int(bool(fill)))

    def frame(self, box: Rectangle, fill: str = "#ffffff", color: str = ACCENT) -> None:
        """Draw a box with its own ground."""
        corners = ((box.left, box.bottom), (box.right, box.bottom), (box.right, box.top), (box.left, box.top))
        self.trace((*corners, corners[0]), LINE_MM, color, fill)

    def write(
        self,
        text: str,
        x: float,
        y: float,
        size_pt: float,
        bold: bool = False,
        anchor: float = 0.0,
        color: str = INK,
        turn_deg: float = 0.0,
    ) -> None:
        """Write a line on its baseline; `anchor` tells which part of it stands at x: 0 its start, 1 its end."""
        self.canvas.saveState()
        self.canvas.translate(mm_to_pt(x), mm_to_pt(y))
        self.canvas.rotate(turn_deg)
        self.canvas.setFillColor(color)
        draw_line(self.canvas, 0.0, 0.0, text, BOLD if bold else REGULAR, size_pt, anchor)
        self.canvas.restoreState()

    def write_lines(self, said: Wording, x: float, y: float, width: float, size_pt: float, bold: bool = False) -> float:
        """Write a paragraph from its first baseline down, in as many lines as the English has; return the last one."""
        font, room = BOLD if bold else REGULAR, mm_to_pt(width)
        most = len(break_lines(said.model, font, size_pt, room))
        while len(lines := break_lines(said.text, font, size_pt, room)) > most:
            size_pt *= SMALLER
        for i, line in enumerate(lines):
            self.write(line, x, y - i * size_pt * PITCH / PT_PER_MM, size_pt, bold)
        return y - (len(lines) - 1) * size_pt * PITCH / PT_PER_MM


@dataclass(frozen=True)
class CalibrationSheet:
    """A sheet with the edge it is turned over: places on the front, and what lies behind them."""

    paper: Paper
    edge: Edge
    language: str = FALLBACK

    @property
    def middle(self) -> Point:
        """Return the middle of the sheet."""
        return self.paper.width_mm / 2, self.paper.height_mm / 2

    @property
    def is_upright(self) -> bool:
        """Return whether the sheet stands on its short edge."""
        return self.paper.height_mm >= self.paper.width_mm

    def say(self, key: str, **values: str) -> Wording:
        """Return a text of the page; it may tell how to turn the sheet."""
        return say(key, self.language, flip=say(self.edge, self.language).text, **values)

    def behind(self, *points: Point) -> tuple[Point, ...]:
        """Return where points of the front lie, as one looks at the back."""
        return mirror_points(points, self.paper, turns_sideways(self.paper, self.edge))

    def box_behind(self, box: Rectangle) -> Rectangle:
        """Return the box of the back behind a box of the front."""
        return Rectangle.between(*self.behind((box.left, box.bottom), (box.right, box.top)))

    @property
    def unit(self) -> float:
        """Return how much larger than on A5 everything is laid out that need not have its true size."""
        short, long = sorted((self.paper.width_mm, self.paper.height_mm))
        return min(LARGEST_UNIT, short / LEAST_WIDTH_MM, long / LEAST_LENGTH_MM)

    def at(self, right: float, up: float) -> Point:
        """Return a place from the middle, in units."""
        return self.middle[0] + right * self.unit, self.middle[1] + up * self.unit

    def box(self, left: float, bottom: float, right: float, top: float) -> Rectangle:
        """Return a box from the middle, in units."""
        return Rectangle(*self.at(left, bottom), *self.at(right, top))

    @property
    def crosses(self) -> list[Point]:
        """Return the middle and the places near the corners."""
        x, y = self.paper.width_mm - INSET_MM, self.paper.height_mm - INSET_MM
        return [self.middle, (INSET_MM, y), (x, y), (INSET_MM, INSET_MM), (x, INSET_MM)]

    @property
    def sideways_gauge(self) -> Rectangle:
        """Return the gauge that stands upright and shows shifts to the right and left."""
        return self.box(30, -47, 56, 47)

    @property
    def upright_gauge(self) -> Rectangle:
        """Return the gauge that lies and shows shifts up and down."""
        return self.box(-66, -47, 28, -19)

    @property
    def answer(self) -> Rectangle:
        """Return the box behind which the back says what to type; the front is empty there."""
        return self.box(-66, -75, 56, -50) if self.is_upright else self.box(-99, -42, -69, 47)

    @property
    def rulers(self) -> tuple[Point, Point]:
        """Return where the lying and the standing ruler start."""
        x, y = self.middle
        below = self.at(0, -85 if self.is_upright else -57)[1]
        return (x - RULER_MM / 2, below), (self.at(62, 0)[0], y - RULER_MM / 2)


def make_calibration(paper: Paper, duplex: Edge, correction: Correction, language: str = FALLBACK) -> bytes:
    """Make the front and the back of the page as a PDF; the paper lies as the sheets of cards do."""
    short, long = sorted((paper.width_mm, paper.height_mm))
    if short < LEAST_WIDTH_MM or long < LEAST_LENGTH_MM:
        raise LayoutError(Fault(f"{paper.name} is too small for the calibration page", "Use A5 or larger."))
    register_fonts()
    sheet, sink = CalibrationSheet(paper, duplex, language), io.BytesIO()
    canvas = open_canvas(sink, head_with(sheet.say("title").text, paper.name, language))
    canvas.setPageSize((mm_to_pt(paper.width_mm), mm_to_pt(paper.height_mm)))
    for draw, fix in ((_draw_front, Correction(scale=correction.scale)), (_draw_back, correction)):
        correct_print(canvas, paper, fix)
        draw(Pen(canvas), sheet, correction)
        canvas.showPage()
    canvas.save()
    with Pdf.open(sink) as pdf:
        set_preferences(pdf, language, duplex)
        return save_pdf(pdf)


def _draw_front(pen: Pen, sheet: CalibrationSheet, correction: Correction) -> None:
    _draw_grid(pen, sheet)
    _draw_pointer(pen, sheet.sideways_gauge, True, sheet.unit)
    _draw_pointer(pen, sheet.upright_gauge, False, sheet.unit)
    for start, upright in zip(sheet.rulers, (False, True), strict=True):
        _draw_ruler(pen, start, upright, sheet)
    for centre in sheet.crosses:
        _draw_cross(pen, centre)
    _draw_title(pen, sheet)
    _draw_steps(pen, sheet)
    _draw_table(pen, sheet, correction)


def _draw_back(pen: Pen, sheet: CalibrationSheet, correction: Correction) -> None:
    for centre in sheet.behind(*sheet.crosses):
        _draw_reticle(pen, centre)
    sideways, upright = sheet.box_behind(sheet.sideways_gauge), sheet.box_behind(sheet.upright_gauge)
    u = sheet.unit
    _draw_gauge(pen, sideways, True, u)
    _draw_gauge(pen, upright, False, u)
    pen.write("x", sideways.left + 1.8 * u, sideways.bottom + 2.0 * u, 13.0 * u, True, color=ACCENT)
    pen.write("← −   + →", sideways.right - 1.8 * u, sideways.bottom + 2.0 * u, 6.0 * u, False, 1.0, QUIET)
    pen.write("y", upright.left + 1.8 * u, upright.top - 4.6 * u, 13.0 * u, True, color=ACCENT)
    pen.write("↓ −   + ↑", upright.right - 1.8 * u, upright.top - 3.4 * u, 6.0 * u, False, 1.0, QUIET)
    _draw_answer(pen, sheet, correction)


def sign(value: float) -> str:
    """Return a number as it is typed, with its sign: `+0.3`, `−0.3`, `0`."""
    text = f"{abs(value):.1f}".removesuffix(".0")
    return text if text == "0" else f"{'+' if value > 0 else '−'}{text}"


def _draw_grid(pen: Pen, sheet: CalibrationSheet) -> None:
    """Draw lines every 5 mm from the middle, every second one stronger."""
    x0, y0 = sheet.middle
    across, up = math.floor((x0 - EDGE_MM) / 5), math.floor((y0 - EDGE_MM) / 5)
    for color, odd in ((GRID, 1), (GRID_STRONG, 0)):
        for x in (x0 + 5 * i for i in range(-across, across + 1) if i % 2 == odd):
            pen.trace(((x, y0 - 5 * up), (x, y0 + 5 * up)), FINE_MM, color)
        for y in (y0 + 5 * i for i in range(-up, up + 1) if i % 2 == odd):
            pen.trace(((x0 - 5 * across, y), (x0 + 5 * across, y)), FINE_MM, color)


def trace_arc(centre: Point, radius: float, start_deg: float, end_deg: float) -> tuple[Point, ...]:
    """Return points along a part of a circle."""
    count = max(2, math.ceil(abs(end_deg - start_deg) / 6))
    angles = [math.radians(start_deg + (end_deg - start_deg) * i / count) for i in range(count + 1)]
    return tuple((centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles)


def _draw_cross(pen: Pen, centre: Point) -> None:
    """Draw a pointer of the front: a cross in a ring."""
    x, y = centre
    pen.trace(trace_arc(centre, CROSS_MM + 0.2, 0, 360), 0.0, fill="#ffffff")
    pen.trace(trace_arc(centre, CROSS_MM - 1, 0, 360), LINE_MM, ACCENT)
    pen.trace(((x - CROSS_MM, y), (x + CROSS_MM, y)), LINE_MM)
    pen.trace(((x, y - CROSS_MM), (x, y + CROSS_MM)), LINE_MM)


def _draw_reticle(pen: Pen, centre: Point) -> None:
    """Draw a scale of the back in both directions, for the pointer that shines through."""
    x, y = centre
    reach = CROSS_REACH_MM
    pen.trace(((x - reach, y), (x + reach, y)), HAIR_MM)
    pen.trace(((x, y - reach), (x, y + reach)), HAIR_MM)
    for half in (half for half in range(-2 * reach, 2 * reach + 1) if half):
        at, tick = half / 2, 0.9 if half % 4 == 0 else 0.6 if half % 2 == 0 else 0.3
        pen.trace(((x + at, y - tick), (x + at, y + tick)), HAIR_MM)
        pen.trace(((x - tick, y + at), (x + tick, y + at)), HAIR_MM)
        if half % 4 == 0:
            pen.write(sign(at), x + at, y - 2.3, 3.6, anchor=0.5, color=BLACK)
        if half % 4 == 0 and at != -2:  # there the other scale has its own number
            pen.write(sign(at), x - 1.3, y + at - 0.45, 3.6, anchor=1.0, color=BLACK)


def _draw_pointer(pen: Pen, box: Rectangle, upright: bool, unit: float) -> None:
    """Draw the front of a gauge: a frame and a straight line."""
    x, y = box.middle
    reach = (GAUGE_REACH_MM * GAIN + 2) * unit
    pen.frame(box)
    pen.trace(((x, y - reach), (x, y + reach)) if upright else ((x - reach, y), (x + reach, y)), LINE_MM)


def _draw_gauge(pen: Pen, box: Rectangle, upright: bool, unit: float) -> None:
    """Draw the back of a gauge: the leaning line and the scale to read; every half in large, every tenth in small."""
    x, y = box.middle

    def rung(shift: float, aside: float) -> Point:
        length = shift * GAIN * unit
        return (x + aside, y + length) if upright else (x + length, y + aside)

    pen.frame(box, fill="")
    pen.trace((rung(-GAUGE_REACH_MM, -GAUGE_REACH_MM), rung(GAUGE_REACH_MM, GAUGE_REACH_MM)), LINE_MM)
    far, sink = LADDER_MM + 2.9 * unit, 0.5 * unit
    for tenth in range(round(-10 * GAUGE_REACH_MM), round(10 * GAUGE_REACH_MM) + 1):
        shift, is_half = tenth / 10, tenth % 5 == 0
        tick = (2.3 if is_half else 1.2) * unit
        for side in (-1, 1):
            ends = rung(shift, side * LADDER_MM), rung(shift, side * (LADDER_MM + tick))
            pen.trace(ends, LINE_MM if is_half else FINE_MM)
        (left, below), (right, above) = rung(shift, -far), rung(shift, far)
        if upright:
            pen.write(sign(shift), right, above - sink, 4.2 * unit, is_half, 0.0, BLACK)
        else:  # turned, as two would not stand side by side
            pen.write(sign(shift), left + sink, below, 4.2 * unit, is_half, 1.0, BLACK, 90.0)
        if is_half and upright:
            pen.write(sign(shift), left, below - 1.1 * unit, 9.0 * unit, True, 1.0, ACCENT)
        elif is_half:
            pen.write(sign(shift), right, above, 9.0 * unit, True, 0.5, ACCENT)


def _draw_ruler(pen: Pen, start: Point, upright: bool, sheet: CalibrationSheet) -> None:
    """Draw a line of 100 mm to lay a ruler on, on a white ground; the numbers and the words stand outside."""
    x, y = start
    clear = Rectangle(x - 5, y - 3, x + 7, y + 103) if upright else Rectangle(x - 3, y - 7.5, x + 103, y + 5)
    pen.frame(clear, color="#ffffff")
    for mm in range(RULER_MM + 1):
        tick = 4.5 if mm % 10 == 0 else 3.2 if mm % 5 == 0 else 2.0
        ends = ((x - tick, y + mm), (x, y + mm)) if upright else ((x + mm, y), (x + mm, y + tick))
        pen.trace(ends, LINE_MM if mm % 10 == 0 else FINE_MM)
        if mm % 10 == 0:
            at_x, at_y, anchor = (x + 1.0, y + mm - 0.85, 0.0) if upright else (x + mm, y - 2.9, 0.5)
            pen.write(str(mm), at_x, at_y, 7.0, mm % RULER_MM == 0, anchor, BLACK)
    middle = RULER_MM / 2
    pen.trace((start, (x, y + RULER_MM) if upright else (x + RULER_MM, y)), LINE_MM)
    at_x, at_y, turn = (x + 6.4, y + middle, 90.0) if upright else (x + middle, y - 6.6, 0.0)
    words = sheet.say("ruler").text
    pen.write(words, at_x, at_y, _fit(words, RULER_MM, 5.6 * sheet.unit), False, 0.5, INK, turn)


def _fit(text: str, width: float, size_pt: float) -> float:
    """Return the size at which a line is no wider than this, or the one that is wanted."""
    return size_pt * min(1.0, mm_to_pt(width) / text_width_pt(text, BOLD, size_pt))


def _picture_print(pen: Pen, sheet: CalibrationSheet) -> None:
    """Draw a sheet, and an arrow over the edge it turns about."""
    sideways = turns_sideways(sheet.paper, sheet.edge)
    short, long = (2.8, 4.0) if sideways else (2.0, 2.8)
    half_width, half_height = (short, long) if sheet.is_upright else (long, short)
    for side in (-1, 1):
        x, y = (side * (half_width + 0.4), -0.8) if sideways else (-1.0, side * (half_height + 0.2))
        is_front = (side < 0) == sideways
        pen.frame(Rectangle.around(x, y, 2 * half_width, 2 * half_height), "#ffffff" if is_front else PALE)
    if sideways:
        arrow = trace_arc((0.0, half_height - 0.6), 2.8, 165, 15)
    else:
        arrow = trace_arc((half_width - 0.8, 0.0), 2.8, 75, -75)
    pen.trace(arrow, STRONG_MM, ACCENT)
    (x0, y0), (x1, y1) = arrow[-2], arrow[-1]
    ux, uy = (x1 - x0) / math.dist(*arrow[-2:]), (y1 - y0) / math.dist(*arrow[-2:])
    left, right = (x1 - 0.8 * uy, y1 + 0.8 * ux), (x1 + 0.8 * uy, y1 - 0.8 * ux)
    pen.trace(((x1 + 1.2 * ux, y1 + 1.2 * uy), left, right), 0.0, fill=ACCENT)


def _picture_measure(pen: Pen, sheet: CalibrationSheet) -> None:
    """Draw a ruler."""
    pen.frame(Rectangle.around(0.0, 0.0, 16.0, 5.4), fill=mix(SUN, 0.6))
    for i in range(15):
        pen.trace(((i - 7.0, 2.7), (i - 7.0, 0.3 if i % 5 == 2 else 1.4)), LINE_MM, ACCENT)


def _picture_window(pen: Pen, sheet: CalibrationSheet) -> None:
    """Draw sun, pane, sheet and eye, seen from the side."""
    sun = (-5.0, 0.0)
    for angle in range(0, 360, 45):
        pen.trace((trace_arc(sun, 2.3, angle, angle)[0], trace_arc(sun, 3.3, angle, angle)[0]), STRONG_MM, SUN)
    pen.trace(trace_arc(sun, 1.7, 0, 360), 0.0, fill=SUN)
    pen.frame(Rectangle.around(-0.4, 0.0, 0.8, 10.0), fill=PALE)
    pen.trace(((1.0, -4.0), (1.0, 4.0)), 0.45)
    lids = (*trace_arc((6.0, -1.6), 2.9, 145, 35), *trace_arc((6.0, 1.6), 2.9, -35, -145))
    pen.trace((*lids, lids[0]), STRONG_MM, ACCENT, "#ffffff")
    pen.trace(trace_arc((6.0, 0.0), 0.75, 0, 360), 0.0, fill=ACCENT)


def _draw_title(pen: Pen, sheet: CalibrationSheet) -> None:
    paper, x, top = sheet.paper, sheet.middle[0], sheet.paper.height_mm
    pen.frame(Rectangle(x - 48, top - 23.5, x + 48, top - 6.5), color="#ffffff")
    title, flip = sheet.say("title").text, sheet.say(sheet.edge).text
    pen.write(title, x, top - 13.2, _fit(title, 90.0, 18.0), True, 0.5, ACCENT)
    size = f"{paper.name}, {paper.width_mm:g} × {paper.height_mm:g} mm, {flip}"
    pen.write(size, x, top - 20.0, _fit(size, 90.0, 9.5), False, 0.5, QUIET)


def _draw_steps(pen: Pen, sheet: CalibrationSheet) -> None:
    """Draw what to do, three pictures with their words."""
    box, u = sheet.box(-66, 53, 56, 79) if sheet.is_upright else sheet.box(-66, 18, 28, 47), sheet.unit
    pen.frame(box)
    steps = ((_picture_print, "print"), (_picture_measure, "measure"), (_picture_window, "window"))
    width = (box.right - box.left) / len(steps)
    for i, (picture, key) in enumerate(steps):
        left = box.left + width * i + 2.4 * u
        pen.write(str(i + 1), left, box.top - 6.0 * u, 15.0 * u, True, color=ACCENT)
        picture(Pen(pen.canvas, (box.left + width * (i + 0.5), box.top - 7.6 * u), u), sheet)
        y = pen.write_lines(sheet.say(key), left, box.top - 16.2 * u, width - 3.4 * u, 7.2 * u, True)
        pen.write_lines(sheet.say(f"{key}_how"), left, y - 3.3 * u, width - 3.4 * u, 6.4 * u)


def _draw_table(pen: Pen, sheet: CalibrationSheet, correction: Correction) -> None:
    """Draw what to type for what was measured, in columns or, where the page is wide, in rows."""
    box, u = sheet.box(-66, 21, 28, 45) if sheet.is_upright else sheet.box(71, -19, 99, 47), sheet.unit
    pen.frame(box)
    head = sheet.say("table")
    x, width = box.left + 2.4 * u, box.right - box.left - 4.0 * u
    y = pen.write_lines(head, x, box.top - 4.4 * u, width, (7.2 if sheet.is_upright else 6.4) * u, True) - 5.4 * u
    for i, measured in enumerate(MEASURED_MM):
        scale = f"{100 / measured * correction.scale:.4f}"
        if sheet.is_upright:
            at = x + width * (i + 0.5) / len(MEASURED_MM)
            pen.write(f"{measured:g} mm", at, y, 6.6 * u, False, 0.5)
            pen.write(scale, at, y - 4.2 * u, 7.2 * u, True, 0.5, ACCENT)
        else:
            pen.write(f"{measured:g} mm", x + 10.5 * u, y - 5.6 * u * i, 6.6 * u, False, 1.0)
            pen.write(scale, x + 13.0 * u, y - 5.6 * u * i, 7.2 * u, True, 0.0, ACCENT)
    earlier = "" if correction.scale == 1 else f"{correction.scale:g} × "
    pen.write(f"= {earlier}100 ÷ {sheet.say('measured').text}", x, box.bottom + 1.8 * u, 5.6 * u, color=QUIET)


def _draw_answer(pen: Pen, sheet: CalibrationSheet, correction: Correction) -> None:
    """Draw what to type, with room to write the numbers in, and what else may be seen."""
    box, u, wide = sheet.box_behind(sheet.answer), sheet.unit, sheet.is_upright
    pen.frame(box, fill=mix(ACCENT, 0.06))
    x, width = box.left + 2.5 * u, box.right - box.left - 5 * u
    y = pen.write_lines(sheet.say("answer"), x, box.top - 4.6 * u, width, 7.2 * u, True) - 9.0 * u
    pen.write("--back-offset", x, y if wide else y + 2.5 * u, (13.0 if wide else 10.5) * u, True, color=ACCENT)
    left, y = (x + 33.0 * u, y) if wide else (x, y - 7.5 * u)
    for letter, at in (("x", left), ("y", left + 14.0 * u)):  # two boxes to write in, and the comma between them
        pen.frame(Rectangle(at, y - 2.2 * u, at + 11.5 * u, y + 5.8 * u), color=INK)
        pen.write(letter, at + 0.9 * u, y + 3.4 * u, 6.0 * u, color=QUIET)
    pen.write(",", left + 12.0 * u, y, 13.0 * u, True, color=ACCENT)
    notes, keep = _list_notes(sheet, correction), sheet.say("keep", save=SAVE, use=USE)
    if wide:
        _stack(pen, [keep], x, y - 5.6 * u, left + 25.5 * u - x, u)
        _stack(pen, notes, left + 29.0 * u, y + 4.2 * u, box.right - left - 31.0 * u, u)
    else:
        _stack(pen, [*notes, keep], x, y - 7.0 * u, width, u)


def _stack(pen: Pen, notes: Iterable[Wording], x: float, y: float, width: float, u: float) -> None:
    """Write small paragraphs, one below the other."""
    for note in notes:
        y = pen.write_lines(note, x, y, width, 5.6 * u) - 3.2 * u


def _list_notes(sheet: CalibrationSheet, correction: Correction) -> list[Wording]:
    """Return what else may be seen, and what to do then."""
    dx, dy, scale = correction.dx_mm, correction.dy_mm, correction.scale
    settings = f" --back-offset {dx:g},{dy:g}" * bool(dx or dy) + f" --scale {scale:g}" * (scale != 1)
    printed = [sheet.say("printed", settings=settings)] if settings else []
    return [*printed, sheet.say("none"), sheet.say("apart", other="short" if sheet.edge == "long" else "long")]
