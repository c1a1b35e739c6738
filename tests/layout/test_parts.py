"""The parts of the layout, each against an independent measure."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from dobble_print.layout.certify import Certifier
from dobble_print.layout.model import CELL, EXTENT, GRID, Placement, Wall, sample_outlines
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import SHAPES, round_card
from tests.layout.test_samples import PIECES, put

CERTIFIER = Certifier.of(PIECES, round_card(85), LayoutOptions(keep_center_free_mm=4))
BALL = 0


@given(st.sampled_from(sorted(SHAPES)), st.floats(-60, 60), st.floats(-60, 60))
def test_the_wall_is_the_card_shape(name: str, x: float, y: float) -> None:
    """The vectorised distance to the edge is `CardShape.distance_mm`, inside and outside, on every shape."""
    shape = SHAPES[name](85.0)
    depth, _, _ = Wall.around(shape, np.float64).depth(np.array([x]), np.array([y]))
    assert depth[0] == pytest.approx(-shape.distance_mm(x, y), abs=1e-5)


@given(st.sampled_from(sorted(SHAPES)), st.floats(-60, 60), st.floats(-60, 60))
def test_the_wall_points_back_to_the_edge(name: str, x: float, y: float) -> None:
    """A point outside, moved along the normal by what it lacks, lands on the edge."""
    shape = SHAPES[name](85.0)
    (depth,), (in_x,), (in_y,) = Wall.around(shape, np.float64).depth(np.array([x]), np.array([y]))
    lack = max(0.0, -depth)
    assert shape.distance_mm(x + lack * in_x, y + lack * in_y) == pytest.approx(min(0.0, -depth), abs=1e-5)


@pytest.mark.parametrize("number", range(len(PIECES)), ids=[piece.name for piece in PIECES])
def test_the_field_is_the_signed_distance(number: int) -> None:
    """At the centre of every cell the field agrees with shapely: the distance within 0.02, the sign away from edges."""
    field = sample_outlines([PIECES[number]]).field
    axis = (np.arange(GRID) + 0.5) * CELL - EXTENT
    x, y = (grid.ravel() for grid in np.meshgrid(axis, axis))
    polygon = put(PIECES[number], Placement(number, 0, 0, 0, 2))
    points = shapely.points(x, y)
    away = shapely.distance(points, shapely.boundary(polygon))
    assert np.abs(np.abs(field[:, 0]) - away).max() < 0.02
    clear = away > 0.01
    assert np.array_equal(field[clear, 0] < 0, shapely.contains_xy(polygon, x, y)[clear])


def test_the_certificate_passes_a_good_card() -> None:
    """Two balls far apart have no faulty slot."""
    assert CERTIFIER.find_faulty_slots([Placement(BALL, -20, 0, 0, 20), Placement(BALL, 20, 0, 0, 20)]) == set()


@pytest.mark.parametrize(
    ("card", "faulty"),
    [
        ([Placement(BALL, -10, 10, 0, 18.6), Placement(BALL, 10, 10, 0, 18.6)], {0, 1}),
        ([Placement(BALL, -10, 10, 0, 30), Placement(BALL, -10, 10, 0, 10)], {0, 1}),
        ([Placement(BALL, -20, 0, 0, 20), Placement(BALL, 30, 0, 0, 20)], {1}),
        ([Placement(BALL, -20, 0, 0, 20), Placement(BALL, 20, 0, 0, 7.9)], {1}),
        ([Placement(BALL, -20, 0, 0, 20), Placement(BALL, 12, 0, 0, 18)], {1}),
        ([Placement(BALL, 0, 0, 0, 40)], {0}),
    ],
    ids=[
        "too near",
        "one inside the other",
        "beyond the margin",
        "too small",
        "on the free centre",
        "around the centre",
    ],
)
def test_the_certificate_finds_each_fault(card: list[Placement], faulty: set[int]) -> None:
    """Whatever is wrong with a card, the slots concerned are named."""
    assert CERTIFIER.find_faulty_slots(card) == faulty
