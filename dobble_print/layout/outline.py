"""Outlines as the solver sees them: contour points and a signed distance field for every piece.

Everything here is in the silhouette's own frame (its enclosing circle is the unit circle). Invariant: these samples
only steer the solver; whether a card is right is decided by `certify`, from the full contours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dobble_print.layout.model import Piece

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Integers = npt.NDArray[np.intp]

GRID = 56  # cells of the distance field along a side
EXTENT = 1.25  # the field covers [-EXTENT, EXTENT]; beyond it the border cell is extended linearly
CELL = 2 * EXTENT / GRID
SAMPLES = 128  # contour points kept, the most telling first
DENSE_STEP = 0.015  # contours are resampled to steps no longer than this
FIELD_POINTS = 400  # nearest points are searched among about this many
TURN_LIMITS = {"full": math.inf, "tilt": math.radians(30), "upright": 0.0}


@dataclass(frozen=True, eq=False)
class Outlines:
    """The sampled outlines of all pieces of a deck."""

    field: Singles  # (pieces * GRID * GRID, 4): distance, its gradient in x and y, and padding
    points: Singles  # (pieces, SAMPLES, 2), farthest first: any prefix spreads evenly over the contour
    dense: tuple[Floats, ...]  # every contour point, steps at most DENSE_STEP
    area: Floats
    turn_limit: Floats


def sample_outlines(pieces: Sequence[Piece]) -> Outlines:
    """Sample the silhouettes of all pieces."""
    rings = [[_densify(ring) for ring in piece.silhouette.rings] for piece in pieces]
    dense = [np.concatenate(parts) for parts in rings]
    fields = [_measure_field(parts, points) for parts, points in zip(rings, dense, strict=True)]
    return Outlines(
        field=np.concatenate(fields),
        points=np.stack([_farthest_first(points, SAMPLES) for points in dense]),
        dense=tuple(dense),
        area=np.array([piece.silhouette.area for piece in pieces]),
        turn_limit=np.array([TURN_LIMITS[piece.rotation] for piece in pieces]),
    )


def _densify(ring: Floats) -> Floats:
    """The ring's own points plus evenly spread ones on its long segments (no closing point)."""
    start, stride = ring[:-1], np.diff(ring, axis=0)
    count = np.maximum(1, np.ceil(np.hypot(*stride.T) / DENSE_STEP).astype(np.intp))
    segment = np.repeat(np.arange(len(start)), count)
    step = np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count)
    points: Floats = start[segment] + stride[segment] * (step / count[segment])[:, None]
    return points


def _farthest_first(points: Floats, count: int) -> Singles:
    """Contour points in an order that puts the extremes first, each next one farthest from those taken."""
    thinned = points[:: max(1, len(points) // 500)]
    taken = [int((thinned**2).sum(1).argmax())]
    away = ((thinned - thinned[taken[0]]) ** 2).sum(1)
    for _ in range(count - 1):
        taken.append(int(away.argmax()))
        np.minimum(away, ((thinned - thinned[taken[-1]]) ** 2).sum(1), out=away)
    return thinned[taken].astype(np.float32)


def _measure_field(rings: list[Floats], dense: Floats) -> Singles:
    """Signed distance (negative inside) and its gradient at the centre of every cell, row by row."""
    axis = ((np.arange(GRID) + 0.5) * CELL - EXTENT).astype(np.float32)
    near = dense[:: max(1, len(dense) // FIELD_POINTS)].astype(np.float32)
    squares_x, squares_y = (axis[:, None] - near[:, 0]) ** 2, (axis[:, None] - near[:, 1]) ** 2
    nearest = np.stack([(squares_x + row).argmin(1) for row in squares_y])
    away_x, away_y = axis[None, :] - near[nearest, 0], axis[:, None] - near[nearest, 1]
    length = np.sqrt(away_x**2 + away_y**2) + np.float32(1e-6)
    sign = np.where(_cells_inside(rings, axis), -1, 1).astype(np.float32)
    packed = np.stack([sign * length, sign * away_x / length, sign * away_y / length, np.zeros_like(length)], -1)
    return packed.reshape(-1, 4)


def _cells_inside(rings: list[Floats], axis: Singles) -> npt.NDArray[np.bool_]:
    """Which cells lie inside: the parity of the contour's crossings to the left of them in their row."""
    crossings = np.zeros((GRID, GRID + 1), np.intp)
    for ring in rings:
        start, end = ring, np.roll(ring, -1, axis=0)
        row, edge = np.nonzero((start[:, 1] <= axis[:, None]) != (end[:, 1] <= axis[:, None]))
        x0, y0, x1, y1 = start[edge, 0], start[edge, 1], end[edge, 0], end[edge, 1]
        x = x0 + (axis[row] - y0) / (y1 - y0) * (x1 - x0)
        np.add.at(crossings, (row, np.clip(np.searchsorted(axis, x), 0, GRID)), 1)
    inside: npt.NDArray[np.bool_] = np.cumsum(crossings, axis=1)[:, :GRID] % 2 == 1
    return inside
