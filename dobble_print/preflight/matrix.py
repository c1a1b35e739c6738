"""Matrices of PDF: where a form, an image or a path lies on its page.

Invariant: a matrix is six numbers (a, b, c, d, e, f) as PDF writes them; `multiply` applies the inner one first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

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
