"""The card's edge as the solver sees it: signed distance and normal for many points at once.

Invariant: it is the same formula as `CardShape.distance_mm` (a convex core grown by a disc), so one function serves
every card shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dobble_print.units import CardShape

Array = npt.NDArray[Any]
Depth = tuple[Array, Array, Array]


@dataclass(frozen=True, eq=False)
class Wall:
    """The core's corners and outward side normals; a round card has one corner and no side."""

    corners: Array
    normals: Array
    lengths: Array
    radius: Any

    @classmethod
    def around(cls, shape: CardShape, precision: type[np.floating[Any]] = np.float32) -> Wall:
        """The edge of a card shape."""
        corners = np.array(shape.core, precision)
        radius = precision(shape.radius_mm)
        if len(corners) == 1:
            return cls(corners, np.zeros((0, 2), precision), np.zeros(0, precision), radius)
        stride = np.roll(corners, -1, axis=0) - corners
        lengths = np.hypot(stride[:, 0], stride[:, 1])
        normals = np.stack([stride[:, 1], -stride[:, 0]], -1) / lengths[:, None]
        return cls(corners, normals, lengths, radius)

    def depth(self, x: Array, y: Array) -> Depth:
        """How deep points lie inside the edge (negative outside) and the unit vector pointing inwards."""
        if not len(self.normals):
            return self._depth_in_disc(x - self.corners[0, 0], y - self.corners[0, 1])
        sides = zip(self.corners, self.normals, strict=True)
        heights = np.stack([(x - cx) * nx + (y - cy) * ny for (cx, cy), (nx, ny) in sides])
        side = heights.argmax(axis=0)
        height = heights.max(axis=0)
        depth, in_x, in_y = self.radius - height, -self.normals[side, 0], -self.normals[side, 1]
        self._round_corners(x, y, side, height, (depth, in_x, in_y))
        return depth, in_x, in_y

    def _depth_in_disc(self, x: Array, y: Array) -> Depth:
        """Depth inside the disc around a corner, given the offset from that corner."""
        away = np.maximum(np.sqrt(x * x + y * y), self.radius.dtype.type(1e-6))
        return self.radius - away, -x / away, -y / away

    def _round_corners(self, x: Array, y: Array, side: Array, height: Array, result: Depth) -> None:
        """Correct the points outside the core that lie past an end of their nearest side."""
        offset_x, offset_y = x - self.corners[side, 0], y - self.corners[side, 1]
        along = offset_y * self.normals[side, 0] - offset_x * self.normals[side, 1]
        past_end = along > self.lengths[side]
        beyond = np.nonzero((height > 0) & ((along < 0) | past_end))
        corner = (side + past_end)[beyond] % len(self.corners)
        exact = self._depth_in_disc(x[beyond] - self.corners[corner, 0], y[beyond] - self.corners[corner, 1])
        for whole, part in zip(result, exact, strict=True):
            whole[beyond] = part
