"""Geometry as PDF has it: matrices of six numbers, and paths flattened to points."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def read_matrix(values: Iterable[Any]) -> Matrix:
    """Six numbers of a file."""
    a, b, c, d, e, f = (float(value) for value in values)
    return a, b, c, d, e, f


def multiply(inner: Matrix, outer: Matrix) -> Matrix:
    """First the inner, then the outer."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def invert(matrix: Matrix) -> Matrix:
    """The way back; raises a `ZeroDivisionError` where everything falls together."""
    a, b, c, d, e, f = matrix
    area = a * d - b * c
    return d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area


def move_point(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Where a point comes to lie."""
    return x * matrix[0] + y * matrix[2] + matrix[4], x * matrix[1] + y * matrix[3] + matrix[5]


def measure_sides(matrix: Matrix) -> tuple[float, float]:
    """How long the sides of the unit square become."""
    return math.hypot(matrix[0], matrix[1]), math.hypot(matrix[2], matrix[3])


def measure_scale(matrix: Matrix) -> float:
    """How much lengths grow, as the mean over all directions."""
    return math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


Point = tuple[float, float]


@dataclass(frozen=True)
class Subpath:
    """A run of a path: its points with curves sampled, and whether it closes."""

    points: tuple[Point, ...]
    closed: bool


CURVE_STEPS = 40  # a quarter of a circle 100 mm wide stays true to 0.01 mm
_T = np.arange(1, CURVE_STEPS + 1) / CURVE_STEPS
BASIS = np.column_stack(((1 - _T) ** 3, 3 * (1 - _T) ** 2 * _T, 3 * (1 - _T) * _T**2, _T**3))


def read_subpaths(path: Iterable[tuple[str, Any]], matrix: Matrix) -> tuple[Subpath, ...]:
    """The runs of a path, moved by a matrix."""
    builder = _Builder()
    for operator, operands in path:
        builder.follow(operator, [float(value) for value in operands])
    return tuple(
        Subpath(tuple(move_point(matrix, x, y) for x, y in points), closed)
        for points, closed in builder.runs
        if len(points) > 1
    )


class _Builder:
    """The runs so far, the last one still open."""

    def __init__(self) -> None:
        self.runs: list[tuple[list[Point], bool]] = []

    def follow(self, operator: str, values: list[float]) -> None:
        """Take one path operator into account."""
        if operator == "m":
            self.runs.append(([(values[0], values[1])], False))
        elif operator == "re":
            x, y, width, height = values
            corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
            self.runs.append((corners, True))
        elif operator == "h":
            self._close()
        else:
            self._continue(operator, values)

    def _close(self) -> None:
        if self.runs and not self.runs[-1][1]:
            points = self.runs[-1][0]
            if points[-1] != points[0]:
                points.append(points[0])
            self.runs[-1] = (points, True)

    def _continue(self, operator: str, values: list[float]) -> None:
        points, closed = self.runs[-1]
        if closed:  # after closing, a path goes on from where it closed
            points = [points[0]]
            self.runs.append((points, False))
        pairs = list(zip(values[::2], values[1::2], strict=True))
        if operator == "l":
            points.append(pairs[0])
            return
        if operator == "v":
            pairs = [points[-1], *pairs]
        elif operator == "y":
            pairs = [*pairs, pairs[-1]]
        points.extend(_sample_curve(points[-1], *pairs))


def _sample_curve(*corners: Point) -> list[Point]:
    samples: list[Point] = [(x, y) for x, y in (BASIS @ np.array(corners)).tolist()]
    samples[-1] = corners[-1]
    return samples
