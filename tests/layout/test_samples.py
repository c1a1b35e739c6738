"""Silhouettes for the layout tests, drawn as plain polygons: round, thin, concave and in several parts."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
import shapely
from PIL import Image, ImageDraw

from dobble_print.art.silhouette import Silhouette
from dobble_print.layout.model import Piece, Placement
from dobble_print.units import CardShape

Points = list[tuple[float, float]]
DPI = 300
PX_MM = 25.4 / DPI
Pixels = npt.NDArray[np.bool_]


def _arc(radius: float, start_deg: float, end_deg: float, shift: float = 0.0) -> Points:
    angles = [math.radians(start_deg + (end_deg - start_deg) * i / 30) for i in range(31)]
    return [(radius * math.cos(a) + shift, radius * math.sin(a)) for a in angles]


def _star(points: int, waist: float) -> Points:
    radii = [1.0 if i % 2 == 0 else waist for i in range(2 * points)]
    return [(r * math.cos(math.pi * i / points), r * math.sin(math.pi * i / points)) for i, r in enumerate(radii)]


PARTS: dict[str, list[Points]] = {
    "ball": [_arc(1, 0, 354)],
    "needle": [[(0, 0), (24, 0), (24, 1), (0, 1)]],
    "word": [[(0, 0), (9, 0), (9, 2), (0, 2)]],
    "brick": [[(0, 0), (4, 0), (4, 3), (0, 3)]],
    "moon": [_arc(1, 50, 310) + _arc(0.85, 305, 55, shift=0.35)],
    "horseshoe": [[(0, 0), (10, 0), (10, 10), (8, 10), (8, 2), (2, 2), (2, 10), (0, 10)]],
    "star": [_star(5, 0.4)],
    "snowflake": [_star(6, 0.15)],
    "hook": [[(0, 0), (1, 0), (1, 9), (5, 9), (5, 6), (6, 6), (6, 10), (0, 10)]],
    "dots": [[(x + dx, y) for dx, y in _arc(1, 0, 350)] for x in (0.0, 3.0, 6.0)],
}


def make_piece(name: str) -> Piece:
    """A sample piece, its enclosing circle the unit circle."""
    rings = [np.array([*part, part[0]]) for part in PARTS[name]]
    circle = shapely.minimum_bounding_circle(shapely.multipoints(np.concatenate(rings))).centroid
    rings = [ring - (circle.x, circle.y) for ring in rings]
    reach = max(float(np.hypot(*ring.T).max()) for ring in rings)
    rings = [ring / reach for ring in rings]
    area = sum(float(shapely.area(shapely.Polygon(ring))) for ring in rings)
    return Piece(name, Silhouette(tuple(rings), area, (0.5, 0.5), 0.5))


PIECES = tuple(make_piece(name) for name in PARTS)


def put(piece: Piece, placed: Placement) -> shapely.Geometry:
    """A piece as a polygon where its placement puts it, by the definition of `Placement`."""
    turn, radius = math.radians(placed.rotation_deg), placed.diameter_mm / 2
    cos, sin = math.cos(turn), math.sin(turn)
    rings = [radius * ring @ np.array([[cos, sin], [-sin, cos]]) for ring in piece.silhouette.rings]
    return shapely.union_all([shapely.Polygon(ring + np.array([placed.x_mm, placed.y_mm])) for ring in rings])


def rasterise(shape: CardShape, polygon: shapely.Geometry) -> Pixels:
    """A polygon as pixels of a card at 300 dpi."""
    side = math.ceil(max(shape.width_mm, shape.height_mm) / PX_MM)
    picture = Image.new("1", (side, side))
    for part in shapely.get_parts(polygon):
        corners = [(x / PX_MM + side / 2, side / 2 - y / PX_MM) for x, y in part.exterior.coords]
        ImageDraw.Draw(picture).polygon(corners, fill=1)
    return np.asarray(picture)


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)
def test_samples_keep_the_invariant_of_silhouettes(piece: Piece) -> None:
    """A sample's outline touches the unit circle and stays inside it, as traced pictures do."""
    reach = max(float(np.hypot(*ring.T).max()) for ring in piece.silhouette.rings)
    assert reach == pytest.approx(1.0)
    assert 0 < piece.silhouette.area <= math.pi
