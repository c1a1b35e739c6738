"""Geometry as PDF has it: matrices of six numbers, and paths flattened to points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
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


def bound_runs(runs: Sequence[Subpath]) -> tuple[Points, Points]:
    """Return the lower left and the upper right corner of the box around runs."""
    points = np.concatenate([run.points for run in runs])
    return points.min(axis=0), points.max(axis=0)


CURVE_STEPS = 40  # a quarter of a circle 100 mm wide stays true to 0.01 mm
_T = np.arange(1, CURVE_STEPS + 1) / CURVE_STEPS
BASIS = np.column_stack(((1 - _T) ** 3, 3 * (1 - _T) ** 2 * _T, 3 * (1 - _T) * _T**2, _T**3))


def read_subpaths(path: Iterable[tuple[str, Any]], matrix: Matrix) -> tuple[Subpath, ...]:
    """Return the runs of a path, moved by a matrix."""
    runs: list[tuple[list[Point], bool]] = []  # the last one still open
    for operator, operands in path:
        values = [float(value) for value in operands]
        if operator == "m":
            runs.append(([(values[0], values[1])], False))
        elif operator == "re":
            x, y, width, height = values
            runs.append(([(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)], True))
        elif operator != "h":
            _continue(runs, operator, list(zip(values[::2], values[1::2], strict=True)))
        elif runs:
            points, closed = runs[-1]
            runs[-1] = (points if closed or points[-1] == points[0] else [*points, points[0]], True)
    return tuple(Subpath(move_points(matrix, np.array(points)), closed) for points, closed in runs if len(points) > 1)


def _continue(runs: list[tuple[list[Point], bool]], operator: str, corners: list[Point]) -> None:
    """Add a line or a curve to the last run."""
    points, closed = runs[-1]
    if closed:  # after closing, a path goes on from where it closed
        points = [points[0]]
        runs.append((points, False))
    if operator == "l":
        points.append(corners[0])
        return
    if operator == "v":
        corners = [points[-1], *corners]
    elif operator == "y":
        corners = [*corners, corners[-1]]
    samples = BASIS @ np.array([points[-1], *corners])
    points += [*((x, y) for x, y in samples[:-1].tolist()), corners[-1]]
