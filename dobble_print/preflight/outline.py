"""Paths of a content stream as points: subpaths with their curves sampled, in the coordinates of the stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from dobble_print.preflight.drawing import Point, Subpath
from dobble_print.preflight.matrix import Matrix, move_point

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
