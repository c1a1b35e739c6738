"""Boxes: rectangles on paper that something printed fills, or that must stay empty."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from dobble_print.units import Paper, Point

CLEARANCE_MM = 0.3  # what two marks keep between them
SAMPLE_MM = 3.0


@dataclass(frozen=True)
class Box:
    """A rectangle that something printed fills."""

    left: float
    bottom: float
    right: float
    top: float

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> Box:
        """The box with that middle."""
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @classmethod
    def between(cls, one: Point, other: Point) -> Box:
        """The box with these two points as opposite corners."""
        (x0, y0), (x1, y1) = one, other
        return cls(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

    @property
    def middle(self) -> Point:
        """Its centre."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2

    def meets(self, other: Box) -> bool:
        """Whether two boxes come closer than marks should."""
        apart_x = max(self.left - other.right, other.left - self.right)
        apart_y = max(self.bottom - other.top, other.bottom - self.top)
        return max(apart_x, apart_y) < CLEARANCE_MM

    def samples(self) -> Iterator[Point]:
        """Points along its edge, close enough that no card slips in between."""
        width, height = self.right - self.left, self.top - self.bottom
        for i in range((steps := max(4, math.ceil(width / SAMPLE_MM))) + 1):
            x = self.left + width * i / steps
            yield from ((x, self.bottom), (x, self.top))
        for i in range(1, (steps := max(4, math.ceil(height / SAMPLE_MM)))):
            y = self.bottom + height * i / steps
            yield from ((self.left, y), (self.right, y))

    def inside(self, paper: Paper, edge_mm: float) -> bool:
        """Whether it keeps off the edge of the paper."""
        return (
            self.left >= edge_mm
            and self.bottom >= edge_mm
            and self.right <= paper.width_mm - edge_mm
            and self.top <= paper.height_mm - edge_mm
        )

    def shift(self, dx: float, dy: float) -> Box:
        """The same box elsewhere."""
        return Box(self.left + dx, self.bottom + dy, self.right + dx, self.top + dy)

    def nearest_to_origin(self) -> Point:
        """Its point that is nearest to the origin."""
        return min(max(0.0, self.left), self.right), min(max(0.0, self.bottom), self.top)
