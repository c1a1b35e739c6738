"""Outlines as the solver sees them: contour points and a signed distance field for every piece.

Everything here is in the silhouette's own frame (its enclosing circle is the unit circle). Invariant: these samples
only steer the solver; whether a card is right is decided by `certify`, from the full contours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from dobble_print.layout.model import Piece

# Precision by name only: numpy's type stubs cannot follow it through arithmetic with mixed operands.
Floats = npt.NDArray[Any]
Singles = npt.NDArray[Any]
Integers = npt.NDArray[Any]

GRID = 56  # cells of the distance field along a side
EXTENT = 1.25  # the field covers [-EXTENT, EXTENT]; beyond it the border cell is extended linearly
CELL = 2 * EXTENT / GRID
SAMPLES = 128  # telling contour points, the most telling first
CORNERS = 320  # corners of the simplified contour, for precise distances
TOLERANCE = 0.001  # how far the simplified contour may leave the true one: 0.02 mm on a symbol of 40 mm
DENSE_STEP = 0.02  # distances are first looked for among points this near to each other
DENSE = 512  # and no more than this many of them
WINDOW = 3  # segments looked at on either side of the one nearest to a cell's centre
TRACK = CORNERS + 2 * WINDOW  # segments of a piece in the track of all
TURN_LIMITS = {"full": math.inf, "tilt": math.radians(30), "upright": 0.0}


@dataclass(frozen=True, eq=False)
class Outlines:
    """The sampled outlines of all pieces of a deck."""

    field: Singles  # (pieces * GRID * GRID, 4): distance, its gradient in x and y, and padding
    nearest: Integers  # (pieces * GRID * GRID): where in `track` the segment nearest to the cell lies
    points: Singles  # (pieces, SAMPLES, 2), farthest first: any prefix spreads evenly over the contour
    corners: Singles  # (pieces, CORNERS, 2) of the simplified contour, in drawing order, the last one repeated
    track: Singles  # (segments, 4): start and stride; each piece has WINDOW segments of overlap at both ends
    area: Floats
    turn_limit: Floats


def sample_outlines(pieces: Sequence[Piece]) -> Outlines:
    """Sample the silhouettes of all pieces."""
    segments = np.stack([_simplify(piece.silhouette.rings) for piece in pieces])
    dense, owners = (np.stack(part) for part in zip(*map(_densify, segments), strict=True))
    fields = [_measure_field(*outline) for outline in zip(segments, dense, owners, strict=True)]
    return Outlines(
        field=np.concatenate([field for field, _ in fields]),
        nearest=np.concatenate([nearest + WINDOW + i * TRACK for i, (_, nearest) in enumerate(fields)]),
        points=_farthest_first(dense),
        corners=segments[..., :2],
        track=np.pad(segments, ((0, 0), (WINDOW, WINDOW), (0, 0)), mode="wrap").reshape(-1, 4),
        area=np.array([piece.silhouette.area for piece in pieces]),
        turn_limit=np.array([TURN_LIMITS[piece.rotation] for piece in pieces]),
    )


def _simplify(rings: Sequence[Floats]) -> Singles:
    """The contour as start and stride of at most CORNERS segments; a piece with fewer repeats its last corner."""
    tolerance, loops = TOLERANCE, [shapely.LinearRing(ring) for ring in rings]
    corners = [shapely.get_coordinates(shapely.simplify(loop, tolerance)) for loop in loops]
    while sum(len(ring) - 1 for ring in corners) > CORNERS:
        tolerance *= 1.5
        corners = [
            shapely.get_coordinates(shapely.simplify(loop, tolerance, preserve_topology=False)) for loop in loops
        ]
        corners = [ring for ring in corners if len(ring) > 3] or corners[:1]
    segments = np.concatenate([np.hstack([ring[:-1], np.diff(ring, axis=0)]) for ring in corners])
    spare = np.array([*segments[-1, :2], 0.0, 0.0])
    return np.concatenate([segments, np.tile(spare, (CORNERS - len(segments), 1))]).astype(np.float32)


def _densify(segments: Singles) -> tuple[Singles, Integers]:
    """DENSE points spread over the segments, and the segment each of them lies on."""
    count = np.maximum(1, np.ceil(np.hypot(segments[:, 2], segments[:, 3]) / DENSE_STEP).astype(np.intp))
    owner = np.repeat(np.arange(len(segments)), count)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    points = segments[owner, :2] + segments[owner, 2:] * (step / count[owner])[:, None]
    spread = np.linspace(0, len(points), DENSE, endpoint=False).astype(np.intp)
    return points[spread].astype(np.float32), owner[spread]


def _farthest_first(contour: Singles) -> Singles:
    """For every piece, contour points in an order that puts the extremes first, each next farthest from those taken."""
    x, y = np.ascontiguousarray(np.moveaxis(contour, -1, 0))
    every, away = np.arange(len(contour)), np.full(x.shape, np.inf, np.float32)
    taken = [(x * x + y * y).argmax(-1)]
    for _ in range(SAMPLES - 1):
        dx, dy = x - x[every, taken[-1], None], y - y[every, taken[-1], None]
        np.minimum(away, dx * dx + dy * dy, out=away)
        taken.append(away.argmax(-1))
    return np.take_along_axis(contour, np.stack(taken, -1)[..., None], axis=1)


def _measure_field(segments: Singles, dense: Singles, owner: Integers) -> tuple[Singles, Integers]:
    """Signed distance (negative inside) with its gradient, and the nearest segment, for every cell's centre."""
    axis = ((np.arange(GRID) + 0.5) * CELL - EXTENT).astype(np.float32)
    squares_x, squares_y = (axis[:, None] - dense[:, 0]) ** 2, (axis[:, None] - dense[:, 1]) ** 2
    nearest = np.stack([(squares_x + row).argmin(1) for row in squares_y])
    away_x, away_y = axis[None, :] - dense[nearest, 0], axis[:, None] - dense[nearest, 1]
    length = np.sqrt(away_x**2 + away_y**2) + np.float32(1e-6)
    sign = np.where(_cells_inside(segments, axis), -1, 1).astype(np.float32)
    packed = np.stack([sign * length, sign * away_x / length, sign * away_y / length, np.zeros_like(length)], -1)
    return packed.reshape(-1, 4), owner[nearest].reshape(-1)


def _cells_inside(segments: Singles, axis: Singles) -> npt.NDArray[Any]:
    """Which cells lie inside: the parity of the contour's crossings to the left of them in their row."""
    x, y, dx, dy = segments.T
    row, edge = np.nonzero((y <= axis[:, None]) != (y + dy <= axis[:, None]))
    crossing = x[edge] + (axis[row] - y[edge]) / dy[edge] * dx[edge]
    crossings = np.zeros((GRID, GRID + 1), np.intp)
    np.add.at(crossings, (row, np.searchsorted(axis, crossing)), 1)
    return np.bitwise_and(np.cumsum(crossings[:, :GRID], axis=1), 1).astype(bool)
