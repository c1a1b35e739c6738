"""Paths of a content stream: their points and how massive the shape is that they enclose.

Invariant: matrices are PDF's, six numbers that map a point (x, y) to (ax + cy + e, bx + dy + f).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dobble_print.units import Point

Matrix = tuple[float, float, float, float, float, float]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
BUILDING = {"m", "l", "c", "v", "y", "h", "re"}
CURVE_STEPS = 6  # enough to weigh a shape


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """What `first` does, followed by what `second` does."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def invert(matrix: Matrix) -> Matrix:
    """The way back."""
    a, b, c, d, e, f = matrix
    det = a * d - b * c
    return d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det


def scale_of(matrix: Matrix) -> float:
    """By how much lengths grow, on average over all directions."""
    a, b, c, d, _, _ = matrix
    return math.sqrt(abs(a * d - b * c)) or 1e-9


@dataclass(frozen=True)
class Mass:
    """How large a shape is, how thick on average, and the size of one of its parts; in the units of its path."""

    area: float
    thickness: float
    part: float


def weigh_path(steps: Sequence[Any]) -> Mass:
    """The area a path encloses, less its holes, and that area spread along the path's length."""
    loops = [loop for loop in _trace(steps) if len(loop) > 1]
    girth = sum(math.dist(a, b) for loop in loops for a, b in pairwise([*loop, loop[0]]))
    holes = [sum(_lies_in(loop, other) for other in loops if other is not loop) % 2 == 1 for loop in loops]
    area = sum((-1 if hole else 1) * abs(_signed_area(loop)) for loop, hole in zip(loops, holes, strict=True))
    area = max(0.0, area)
    return Mass(area, 2 * area / girth if girth else 0.0, area / max(1, holes.count(False)))


def _lies_in(loop: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether a loop lies inside another as a whole; two that overlap are no hole."""
    return all(_is_inside(point, other) for point in loop)


def _is_inside(point: Point, loop: Sequence[Point]) -> bool:
    """Whether a ray from the point crosses the loop an odd number of times."""
    x, y = point
    crossings = 0
    for (x0, y0), (x1, y1) in pairwise([*loop, loop[0]]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            crossings += 1
    return crossings % 2 == 1


def _trace(steps: Sequence[Any]) -> list[list[Point]]:
    loops: list[list[Point]] = []
    for step in steps:
        numbers = [float(value) for value in step.operands]
        match str(step.operator):
            case "m":
                loops.append([(numbers[0], numbers[1])])
            case "re":
                x, y, width, height = numbers
                loops.append([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
            case "l" if loops:
                loops[-1].append((numbers[0], numbers[1]))
            case "c" | "v" | "y" as kind if loops:
                loops[-1] += _sample_curve(loops[-1][-1], kind, numbers)
            case _:
                pass
    return loops


def _sample_curve(start: Point, kind: str, numbers: Sequence[float]) -> list[Point]:
    given = list(zip(numbers[::2], numbers[1::2], strict=True))
    points = [start, *given] if kind == "c" else [start, start, *given] if kind == "v" else [start, *given, given[-1]]
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points
    found = []
    for i in range(1, CURVE_STEPS + 1):
        t = i / CURVE_STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        found.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return found


def _signed_area(loop: Sequence[Point]) -> float:
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise([*loop, loop[0]])) / 2
