"""Certify laid-out cards from their full contours, independently of the solver.

The silhouettes' own rings are placed where they will be printed and measured with shapely. Invariant: nothing leaves
the layout that has not passed here, with exactly the numbers that will be printed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations

import numpy as np
import shapely

from dobble_print.cache import Recent
from dobble_print.layout.model import Floats, Piece, Placement, Wall
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import CardShape

CENTRE = shapely.Point(0, 0)
ROUNDING_MM = 1e-6  # room for the rounding of a sum of floats; far below what any printer can show


ROUGH = 0.0004  # rough outlines leave the true ones by no more; where they are far enough apart, so are the true ones


@dataclass(frozen=True, eq=False)
class Body:
    """A silhouette as the certifier needs it: the full outline, holes filled, a rough one, and its hull's corners."""

    outline: shapely.Geometry
    rough: shapely.Geometry
    hull: Floats


_BODIES = Recent[Body](400)


@dataclass(frozen=True, eq=False)
class Certifier:
    """Measures cards made of the given pieces."""

    options: LayoutOptions
    wall: Wall
    bodies: tuple[Body, ...]
    least_mm: tuple[float, ...]

    @classmethod
    def of(cls, pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions) -> Certifier:
        """Return the certifier for a deck's pieces, card shape and layout options."""
        keys = [piece.silhouette.key for piece in pieces]
        bodies = _BODIES.recall(keys, lambda places: [_make_body(pieces[place]) for place in places])
        least_mm = tuple(max(options.min_size_mm, piece.least_mm) for piece in pieces)
        return cls(options, Wall.around(shape, np.float64), tuple(bodies), least_mm)

    def find_faulty_slots(self, card: Sequence[Placement]) -> set[int]:
        """Return the slots whose symbol is too small or too near to another, to the cut or to the free centre."""
        faulty = {slot for slot, placed in enumerate(card) if self._is_misplaced(placed)}
        near = [pair for pair in combinations(range(len(card)), 2) if self._circles_near(*(card[i] for i in pair))]
        rough = {slot: _put(self.bodies[card[slot].piece].rough, card[slot]) for slot in set(chain(*near))}
        shapely.prepare([rough[one] for one, _ in near])
        exact: dict[int, shapely.Geometry] = {}
        for one, other in near:
            blur = ROUGH * (card[one].diameter_mm + card[other].diameter_mm) / 2
            if not shapely.dwithin(rough[one], rough[other], self.options.gap_mm + blur):
                continue
            for slot in {one, other}.difference(exact):
                exact[slot] = _put(self.bodies[card[slot].piece].outline, card[slot])
                shapely.prepare(exact[slot])
            if self._too_near(exact[one], exact[other]):
                faulty |= {one, other}
        if self.options.keep_center_free_mm > 0:
            reach = self.options.keep_center_free_mm - ROUNDING_MM
            shapes = (_put(self.bodies[placed.piece].outline, placed) for placed in card)
            faulty |= {slot for slot, shape in enumerate(shapes) if shapely.dwithin(shape, CENTRE, reach)}
        return faulty

    def _is_misplaced(self, placed: Placement) -> bool:
        """Return whether a symbol is too small, or a corner of its hull leaves the safe area, which is convex."""
        if placed.diameter_mm < self.least_mm[placed.piece] - ROUNDING_MM:
            return True
        reach = math.hypot(placed.x_mm, placed.y_mm) + placed.diameter_mm / 2
        if reach < self.wall.inner_radius - self.options.margin_mm - ROUNDING_MM:
            return False
        x, y = _map_points(self.bodies[placed.piece].hull, placed).T
        return bool(self.wall.depth(x, y)[0].min() < self.options.margin_mm - ROUNDING_MM)

    def _circles_near(self, one: Placement, other: Placement) -> bool:
        away = math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm))
        return away < (one.diameter_mm + other.diameter_mm) / 2 + self.options.gap_mm

    def _too_near(self, one: shapely.Geometry, other: shapely.Geometry) -> bool:
        return bool(shapely.dwithin(one, other, max(0.0, self.options.gap_mm - ROUNDING_MM)))


def _make_body(piece: Piece) -> Body:
    """Return the outline with its holes filled; one that touches itself is repaired, not refused."""
    rings = [shapely.Polygon(ring) for ring in piece.silhouette.rings]
    outline = shapely.union_all([ring if shapely.is_valid(ring) else shapely.make_valid(ring) for ring in rings])
    rough = shapely.simplify(outline, ROUGH, preserve_topology=False)
    is_good = shapely.is_valid(rough) and not shapely.is_empty(rough)
    return Body(outline, rough if is_good else outline, shapely.get_coordinates(shapely.convex_hull(outline)))


def _put(shape: shapely.Geometry, placed: Placement) -> shapely.Geometry:
    """Put a shape of the silhouette's frame where it is placed."""
    return shapely.transform(shape, partial(_map_points, placed=placed))


def _map_points(points: Floats, placed: Placement) -> Floats:
    """Map points of the silhouette's frame to the card."""
    turn, radius = math.radians(placed.rotation_deg), placed.diameter_mm / 2
    cos, sin = math.cos(turn) * radius, math.sin(turn) * radius
    x, y = points[:, 0], points[:, 1]
    return np.stack([cos * x - sin * y + placed.x_mm, sin * x + cos * y + placed.y_mm], -1)
