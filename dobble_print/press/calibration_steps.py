"""The little pictures of the calibration page: print, measure, look. Each is drawn around the origin in millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from dobble_print.press.calibration_plan import ACCENT, LINE_MM, STRONG_MM, Stage, Trace, frame_box, trace_arc
from dobble_print.press.ink import mix
from dobble_print.sheets.nesting import Box
from dobble_print.units import Point

SUN = "#ffd166"
PALE = mix(ACCENT, 0.25)


def resize(marks: Iterable[Trace], to: Point, scale: float) -> Iterator[Trace]:
    """A picture drawn around the origin, elsewhere and larger."""
    for mark in marks:
        points = tuple((to[0] + x * scale, to[1] + y * scale) for x, y in mark.points)
        yield replace(mark, points=points, width_mm=mark.width_mm * scale)


def picture_print(stage: Stage) -> Iterator[Trace]:
    """A sheet, and an arrow over the edge it turns about."""
    sideways = stage.behind((0.0, 1.0))[0] > 0
    short, long = (2.8, 4.0) if sideways else (2.0, 2.8)
    half_width, half_height = (short, long) if stage.is_upright else (long, short)
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


def picture_measure(stage: Stage) -> Iterator[Trace]:
    """A ruler."""
    yield frame_box(Box.around(0.0, 0.0, 16.0, 5.4), fill=mix(SUN, 0.6))
    for i in range(15):
        yield Trace(((i - 7.0, 2.7), (i - 7.0, 0.3 if i % 5 == 2 else 1.4)), LINE_MM, ACCENT)


def picture_window(stage: Stage) -> Iterator[Trace]:
    """Sun, pane, sheet and eye, seen from the side."""
    sun = (-5.0, 0.0)
    for angle in range(0, 360, 45):
        yield Trace((trace_arc(sun, 2.3, angle, angle)[0], trace_arc(sun, 3.3, angle, angle)[0]), STRONG_MM, SUN)
    yield Trace(trace_arc(sun, 1.7, 0, 360), 0.0, fill=SUN)
    yield frame_box(Box.around(-0.4, 0.0, 0.8, 10.0), fill=PALE)
    yield Trace(((1.0, -4.0), (1.0, 4.0)), 0.45)
    lids = (*trace_arc((6.0, -1.6), 2.9, 145, 35), *trace_arc((6.0, 1.6), 2.9, -35, -145))
    yield Trace((*lids, lids[0]), STRONG_MM, ACCENT, "#ffffff")
    yield Trace(trace_arc((6.0, 0.0), 0.75, 0, 360), 0.0, fill=ACCENT)
