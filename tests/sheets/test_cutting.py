from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from dobble_print.sheets.cutting import Arc, Cut, sort_for_reading, trace_cuts
from dobble_print.units import SHAPES, CardShape, Line, Point, hex_card, round_card, square_card
from tests.cuts import measure_length, sample

CELLS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=14)
TURNS = st.floats(-180, 180)
SHIFTS = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.625]), min_size=5, max_size=5)


def turn_point(point: Point, degrees: float) -> Point:
    """A point of the sheet after the whole sheet is turned about its corner."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return cos * point[0] - sin * point[1], sin * point[0] + cos * point[1]


def place_bricks(cells: set[tuple[int, int]], shifts: Sequence[float], size: float) -> list[Point]:
    """Rows of squares that touch, each row shifted by part of a square."""
    return [((column + shifts[row]) * size, row * size) for column, row in cells]


def place_honeycomb(cells: set[tuple[int, int]], size: float) -> list[Point]:
    """Columns of hexagons that stand on a side and touch in six directions."""
    return [(column * size * math.sqrt(3) / 2, (row + column % 2 / 2) * size) for column, row in cells]


def draw_edges(shape: CardShape, centres: Sequence[Point]) -> list[shapely.LineString]:
    """The whole edge of every card, for a second opinion by another library; rounded, so that neighbours coincide."""
    outline = shape.polygon(arc_steps=90)
    return [
        shapely.LineString([(round(x + cx, 6), round(y + cy, 6)) for x, y in (*outline, outline[0])])
        for cx, cy in centres
    ]


def draw_cuts(cuts: Sequence[Cut]) -> shapely.MultiLineString:
    """The cuts, for a second opinion."""
    return shapely.MultiLineString([sample(cut, step_deg=1.0) for cut in cuts])


def check_sheet(shape: CardShape, centres: Sequence[Point], turn_deg: float) -> None:
    """The cuts are as long as all edges counted once and lie on all of them; so none is cut twice."""
    edges = draw_edges(shape, centres)
    cuts = trace_cuts(shape, [turn_point(centre, turn_deg) for centre in centres], turn_deg)
    once = float(shapely.unary_union(edges).length)
    assert sum(measure_length(cut) for cut in cuts) == pytest.approx(once, rel=1e-4)
    drawn = draw_cuts(cuts)
    samples = [edge.interpolate(i / 60, normalized=True).coords[0] for edge in edges for i in range(60)]
    assert max(drawn.distance(shapely.Point(turn_point(sample, turn_deg))) for sample in samples) < 0.01


@given(cells=CELLS, shifts=SHIFTS, size=st.sampled_from([30.0, 62.5, 85.0]), turn_deg=TURNS)
def test_squares_that_touch_are_cut_once(
    cells: set[tuple[int, int]], shifts: list[float], size: float, turn_deg: float
) -> None:
    """Also where rows are shifted and only parts of edges meet, at any angle."""
    check_sheet(square_card(size, 0.0), place_bricks(cells, shifts, size), turn_deg)


@given(cells=CELLS, size=st.floats(30, 120), turn_deg=TURNS)
def test_hexagons_that_touch_are_cut_once(cells: set[tuple[int, int]], size: float, turn_deg: float) -> None:
    """A honeycomb without gaps, or with missing cells."""
    check_sheet(hex_card(size, 0.0), place_honeycomb(cells, size), turn_deg)


@settings(max_examples=40)
@given(cells=CELLS, corner=st.floats(0.5, 8))
def test_rounded_squares_that_touch_share_the_straight_part(cells: set[tuple[int, int]], corner: float) -> None:
    """Their corners stay whole arcs."""
    check_sheet(square_card(60, corner), place_bricks(cells, [0.0] * 5, 60), 0.0)


@given(shape=st.sampled_from(sorted(SHAPES)), cells=CELLS, gap=st.floats(0.001, 6), turn_deg=TURNS)
def test_cards_apart_are_closed_paths(shape: str, cells: set[tuple[int, int]], gap: float, turn_deg: float) -> None:
    """One closed cut a card, as long as the card's edge, however small the gap."""
    card = SHAPES[shape](50)
    pitch = math.hypot(card.width_mm, card.height_mm) if shape != "round" else 50
    cuts = trace_cuts(card, [(x * (pitch + gap), y * (pitch + gap)) for x, y in cells], turn_deg)
    assert len(cuts) == len(cells)
    assert all(cut.closed and cut.end == cut.start for cut in cuts)
    edge = shapely.LineString([*card.polygon(180), card.polygon(180)[0]]).length
    assert all(measure_length(cut) == pytest.approx(edge, rel=2e-4) for cut in cuts)


@given(cells=CELLS, shifts=SHIFTS)
def test_open_runs_end_on_other_cuts(cells: set[tuple[int, int]], shifts: list[float]) -> None:
    """A run that ended in the open would leave a card hanging."""
    cuts = trace_cuts(square_card(40, 0.0), place_bricks(cells, shifts, 40), 0.0)
    assert cuts[0].closed or any(cut.closed for cut in cuts)
    for cut in (cut for cut in cuts if not cut.closed):
        others = draw_cuts([other for other in cuts if other is not cut])
        assert max(others.distance(shapely.Point(end)) for end in (cut.start, cut.end)) < 1e-3


def test_runs_that_meet_become_one() -> None:
    """On a sheet of 5 by 7 touching squares the knife comes down far less often than there are cards."""
    cells = {(column, row) for column in range(5) for row in range(7)}
    cuts = trace_cuts(square_card(40, 0.0), place_bricks(cells, [0.0] * 7, 40), 0.0)
    assert sum(measure_length(cut) for cut in cuts) == pytest.approx((6 * 7 + 5 * 8) * 40)
    assert len(cuts) <= 12


def test_the_first_of_two_touching_squares_is_whole() -> None:
    """The second one is a run of its three other edges."""
    whole, run = trace_cuts(square_card(50, 0.0), [(25.0, 25.0), (75.0, 25.0)], 0.0)
    assert whole.closed and measure_length(whole) == pytest.approx(200)
    assert not run.closed and measure_length(run) == pytest.approx(150)
    assert len(run.steps) == 3
    assert {(round(x), round(y)) for x, y in (run.start, run.end)} == {(50, 0), (50, 50)}


@pytest.mark.parametrize(("gap", "runs_closed"), [(0.00009, 1), (-0.00009, 1), (0.00025, 2)])
def test_what_counts_as_touching(gap: float, runs_closed: int) -> None:
    """A tenth of a micrometre is rounding, more is a gap."""
    cuts = trace_cuts(square_card(50, 0.0), [(25.0, 25.0), (75.0 + gap, 25.0)], 0.0)
    assert sum(cut.closed for cut in cuts) == runs_closed


def test_a_round_card_is_one_circle() -> None:
    """Not a chain of curves."""
    (cut,) = trace_cuts(round_card(85), [(100.0, 60.0)], 30.0)
    assert cut.closed and cut.circle is not None
    assert cut.circle.centre == (100.0, 60.0)
    assert cut.circle.radius_mm == 42.5
    assert measure_length(cut) == pytest.approx(math.pi * 85)


def test_rounded_corners_are_exact_arcs() -> None:
    """Every point of an arc has the corner radius from its centre, and lines run into arcs smoothly."""
    (cut,) = trace_cuts(hex_card(85, 3.0), [(60.0, 60.0)], 17.0)
    assert cut.circle is None
    arcs = [(start, step) for start, step in cut.walk() if isinstance(step, Arc)]
    assert len(arcs) == 6
    for start, arc in arcs:
        assert arc.sweep_deg == pytest.approx(60)
        assert math.dist(start, arc.centre) == pytest.approx(3.0) == math.dist(arc.end, arc.centre)
    straight = [(start, step.end) for start, step in cut.walk() if isinstance(step, Line)]
    for (a, b), (_, arc) in zip(straight, arcs, strict=True):
        radius = (b[0] - arc.centre[0], b[1] - arc.centre[1])
        assert radius[0] * (b[0] - a[0]) + radius[1] * (b[1] - a[1]) == pytest.approx(0, abs=1e-9)


@settings(max_examples=20)
@given(cells=CELLS, turn_deg=TURNS)
def test_turning_a_cut_around_changes_nothing_but_its_direction(cells: set[tuple[int, int]], turn_deg: float) -> None:
    """Twice turned around it is the same cut."""
    for cut in trace_cuts(square_card(50, 5.0), place_bricks(cells, [0.0] * 5, 50), turn_deg):
        back = cut.reversed()
        assert back.reversed() == cut
        assert (back.start, back.end) == (cut.end, cut.start)
        assert draw_cuts([back]).hausdorff_distance(draw_cuts([cut])) < 1e-9


@pytest.mark.parametrize("rows", [3, 5, 7])
@pytest.mark.parametrize("columns", [2, 3, 4, 6])
@pytest.mark.parametrize("gap", [0.0, 6.0])
def test_moves_between_cuts_are_short(rows: int, columns: int, gap: float) -> None:
    """It starts at the top left card and seldom moves further than to a neighbour."""
    cells = {(column, row) for column in range(columns) for row in range(rows)}
    for shape, centres in (
        (hex_card(60, 0.0), place_honeycomb(cells, 60 + gap)),
        (square_card(60, 0.0), place_bricks(cells, [0.0] * rows, 60 + gap)),
        (round_card(60), place_honeycomb(cells, 60 + gap)),
    ):
        cuts = trace_cuts(shape, centres, 0.0)
        assert math.dist(cuts[0].start, sort_for_reading(centres)[0]) < shape.width_mm
        moves = [math.dist(a.end, b.start) for a, b in pairwise(cuts)]
        assert sum(moves) / len(moves) < 1.25 * (60 + gap)


def test_the_order_of_the_places_does_not_matter() -> None:
    """The same sheet gives the same cuts."""
    centres = place_honeycomb({(x, y) for x in range(4) for y in range(4)}, 50)
    assert trace_cuts(hex_card(50, 0.0), centres, 0.0) == trace_cuts(hex_card(50, 0.0), centres[::-1], 0.0)
