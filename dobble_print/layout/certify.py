"""Certify laid-out cards from their full contours, independently of the solver.

The silhouettes' own rings are placed where they will be printed and measured with shapely. Invariant: nothing leaves
the layout that has not passed here, with exactly the numbers that will be printed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import shapely

from dobble_print.layout.model import Floats, Piece, Placement, Wall
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import CardShape

CENTRE = shapely.Point(0, 0)
ROUNDING_MM = 1e-6  # room for the rounding of a sum of floats; far below what any printer can show


@dataclass(frozen=True, eq=False)
class Certifier:
    """Measures cards made of the given pieces."""

    options: LayoutOptions
    wall: Wall
    polygons: tuple[shapely.Geometry, ...]
    hulls: tuple[Floats, ...]
    least_mm: tuple[float, ...]

    @classmethod
    def of(cls, pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions) -> Certifier:
        """Return the certifier for a deck's pieces, card shape and layout options."""
        polygons = tuple(map(_make_polygon, pieces))
        hulls = tuple(shapely.get_coordinates(shapely.convex_hull(polygon)) for polygon in polygons)
        least_mm = tuple(max(options.min_size_mm, piece.least_mm) for piece in pieces)
        return cls(options, Wall.around(shape, np.float64), polygons, hulls, least_mm)

    def find_faulty_slots(self, card: Sequence[Placement], changed: int | None = None) -> set[int]:
        """Return the slots whose symbol is too small or too near to another, to the cut or to the free centre.

        Give `changed` for a card that passed before: only that slot is measured again.
        """
        measured = range(len(card)) if changed is None else [changed]
        faulty = {slot for slot in measured if self._is_misplaced(card[slot])}
        shapes = [shapely.transform(self.polygons[each.piece], partial(_map_points, placed=each)) for each in card]
        for slot in measured:
            shapely.prepare(shapes[slot])
        for one, other in _list_pairs(len(card), changed):
            if self._circles_near(card[one], card[other]) and self._too_near(shapes[one], shapes[other]):
                faulty |= {one, other}
        if self.options.keep_center_free_mm > 0:
            reach = self.options.keep_center_free_mm - ROUNDING_MM
            faulty |= {slot for slot in measured if shapely.dwithin(shapes[slot], CENTRE, reach)}
        return faulty

    def _is_misplaced(self, placed: Placement) -> bool:
        """Return whether a symbol is too small, or a corner of its hull leaves the safe area, which is convex."""
        if placed.diameter_mm < self.least_mm[placed.piece] - ROUNDING_MM:
            return True
        x, y = _map_points(self.hulls[placed.piece], placed).T
        return bool(self.wall.depth(x, y)[0].min() < self.options.margin_mm - ROUNDING_MM)

    def _circles_near(self, one: Placement, other: Placement) -> bool:
        away = math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm))
        return away < (one.diameter_mm + other.diameter_mm) / 2 + self.options.gap_mm

    def _too_near(self, one: shapely.Geometry, other: shapely.Geometry) -> bool:
        return bool(shapely.dwithin(one, other, max(0.0, self.options.gap_mm - ROUNDING_MM)))


def _list_pairs(count: int, changed: int | None) -> Iterable[tuple[int, int]]:
    """List all pairs of slots, or only those of the changed slot."""
    if changed is None:
        return combinations(range(count), 2)
    return ((changed, other) for other in range(count) if other != changed)


def _make_polygon(piece: Piece) -> shapely.Geometry:
    """Return the outline with its holes filled; one that touches itself is repaired, not refused."""
    rings = [shapely.Polygon(ring) for ring in piece.silhouette.rings]
    return shapely.union_all([ring if shapely.is_valid(ring) else shapely.make_valid(ring) for ring in rings])


def _map_points(points: Floats, placed: Placement) -> Floats:
    """Map points of the silhouette's frame to the card."""
    turn, radius = math.radians(placed.rotation_deg), placed.diameter_mm / 2
    cos, sin = math.cos(turn) * radius, math.sin(turn) * radius
    x, y = points[:, 0], points[:, 1]
    return np.stack([cos * x - sin * y + placed.x_mm, sin * x + cos * y + placed.y_mm], -1)
