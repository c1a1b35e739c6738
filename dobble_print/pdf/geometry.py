"""Geometry as PDF has it: matrices of six numbers, and paths flattened to points."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pikepdf import Matrix

# a matrix compares by its numbers but hashes by identity: never use one as a key
IDENTITY = Matrix()
Point = tuple[float, float]
Points = npt.NDArray[np.float64]  # one a row


def read_matrix(values: Iterable[Any]) -> Matrix:
    """Return the matrix that six numbers of a file stand for."""
    a, b, c, d, e, f = map(float, values)
    return Matrix(a, b, c, d, e, f)


def own_matrix(form: Any) -> Matrix:
    """Return the matrix that a form or a pattern brings along."""
    return read_matrix(form.Matrix) if "/Matrix" in form else IDENTITY


def move_points(matrix: Matrix, points: Points) -> Points:
    """Return where points come to lie."""
    return np.asarray(points @ np.array([[matrix.a, matrix.b], [matrix.c, matrix.d]]) + (matrix.e, matrix.f))


def measure_sides(matrix: Matrix) -> tuple[float, float]:
    """Return how long the sides of the unit square become."""
    return math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)


def measure_scale(matrix: Matrix) -> float:
    """Return how much lengths grow, as the mean over all directions."""
    return math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))


@dataclass(frozen=True, eq=False)
class Subpath:
    """A run of a path: its points with curves sampled, and whether it closes."""

    points: Points
    closed: bool

    def move(self, matrix: Matrix) -> Subpath:
        """Return the run moved by a matrix."""
        return Subpath(move_points(matrix, self.points), self.closed)


CURVE_STEPS = 40  # a quarter of a circle 100 mm wide stays true to 0.01 mm
_T = np.arange(1, CURVE_STEPS + 1) / CURVE_STEPS
BASIS = np.column_stack(((1 - _T) ** 3, 3 * (1 - _T) ** 2 * _T, 3 * (1 - _T) * _T**2, _T**3))


def read_subpaths(path: Iterable[tuple[str, Any]], matrix: Matrix) -> tuple[Subpath, ...]:
    """Return the runs of a path, moved by a matrix."""
    builder = _Builder()
    for operator, operands in path:
        builder.follow(operator, [float(value) for value in operands])
    runs = [(np.array(points), closed) for points, closed in builder.runs if len(points) > 1]
    return tuple(Subpath(move_points(matrix, points), closed) for points, closed in runs)


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
