from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from dobble_print.units import SHAPES, CardShape, Curve

SIZES = st.floats(30, 300)
ANY_SHAPE = st.builds(lambda name, size: SHAPES[name](size), st.sampled_from(sorted(SHAPES)), SIZES)


def as_polygon(shape: CardShape) -> shapely.Polygon:
    """The shape for a second opinion by another library."""
    return shapely.Polygon(shape.polygon(arc_steps=200))


@pytest.mark.parametrize(
    ("name", "width", "height"),
    [("round", 85, 85), ("square", 85, 85), ("hex", 98.15 - 2 * 3 * (2 / math.sqrt(3) - 1), 85)],
)
def test_size_means_diameter_side_and_distance_across_the_flats(name: str, width: float, height: float) -> None:
    """A hexagon stands on a side and is wider than high; its rounded corners cut the width a little."""
    shape = SHAPES[name](85)
    assert shape.width_mm == pytest.approx(width, abs=0.01)
    assert shape.height_mm == pytest.approx(height)


@given(shape=ANY_SHAPE)
def test_area_agrees_with_the_outline(shape: CardShape) -> None:
    """The formula for grown polygons gives the area of the drawn path."""
    assert as_polygon(shape).area == pytest.approx(shape.area_mm2, rel=1e-3)


@given(shape=ANY_SHAPE, by_mm=st.floats(-10, 10))
def test_growing_moves_every_edge_by_the_same_distance(shape: CardShape, by_mm: float) -> None:
    """Bleed and safe margin are true offsets of the cut."""
    other = as_polygon(shape).buffer(by_mm, quad_segs=64)
    assert shape.grow(by_mm).area_mm2 == pytest.approx(other.area, rel=2e-3)


@given(shape=ANY_SHAPE, x=st.floats(-200, 200), y=st.floats(-200, 200))
def test_distance_is_negative_inside_and_true_outside(shape: CardShape, x: float, y: float) -> None:
    """Signed distances agree with an independent library."""
    polygon, point = as_polygon(shape), shapely.Point(x, y)
    expected = -polygon.exterior.distance(point) if polygon.contains(point) else polygon.distance(point)
    assert shape.distance_mm(x, y) == pytest.approx(expected, abs=0.05)


@given(shape=ANY_SHAPE)
def test_the_outline_lies_on_the_edge(shape: CardShape) -> None:
    """Curves stay within a hundredth of a millimetre of the true circle on cards of usual size."""
    worst = max(abs(shape.distance_mm(x, y)) for x, y in shape.polygon())
    assert worst < 3e-4 * shape.radius_mm + 1e-6


def test_a_round_card_is_four_curves() -> None:
    """Cutters and RIPs get curves, not polygons."""
    steps = SHAPES["round"](85).outline().steps
    assert len(steps) == 4
    assert all(isinstance(step, Curve) for step in steps)


def test_shrinking_beyond_the_middle_is_refused() -> None:
    """A margin larger than the card leaves nothing."""
    with pytest.raises(ValueError, match="nothing left"):
        SHAPES["hex"](30).grow(-20)
