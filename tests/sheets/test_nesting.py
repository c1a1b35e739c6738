from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dobble_print.errors import LayoutError
from dobble_print.sheets.nesting import EDGE_MM, PrintableArea, count_sheets, nest_cards
from dobble_print.sheets.packing import bound_circles, list_packings
from dobble_print.sheets.plan import Page, plan_back, plan_fronts
from dobble_print.units import SHAPES, hex_card, papers, round_card, square_card

STRICT = PrintableArea(bleed_inside=True)


@pytest.mark.parametrize(
    ("paper", "size", "cards"),
    [("A4", 85, 6), ("Letter", 85, 6), ("SRA3", 85, 15), ("SRA3", 80, 18), ("A3", 85, 13), ("SRA3", 76, 20)],
)
def test_round_cards_a_sheet(paper: str, size: float, cards: int) -> None:
    """The figures a print shop expects."""
    assert len(nest_cards(papers()[paper], round_card(size), 3)[0].centres) == cards


def test_fifteen_cards_lie_on_a_press_sheet_with_all_bleed_inside_its_edge() -> None:
    """Five rows of three, every second one shifted by what the width leaves over."""
    nest = nest_cards(papers()["SRA3"], round_card(85), 3, STRICT)[0]
    rows = sorted({round(y, 3) for _, y in nest.centres})
    assert len(nest.centres) == 15
    assert [b - a for a, b in pairwise(rows)] == pytest.approx([math.sqrt(91**2 - 37**2)] * 4, abs=1e-3)
    assert min(math.dist(a, b) for a, b in combinations(nest.centres, 2)) == pytest.approx(91)


def test_neighbours_that_share_their_bleed_save_room_for_a_sixteenth() -> None:
    """1 mm between two cuts: each bleed ends midway."""
    nest = nest_cards(papers()["SRA3"], round_card(85), 3, replace(STRICT, gap_mm=1.0))[0]
    assert len(nest.centres) == 16
    assert min(math.dist(a, b) for a, b in combinations(nest.centres, 2)) == pytest.approx(86, abs=1e-3)
    assert max(x for x, _ in nest.centres) <= 320 - 5 - 45.5 + 1e-3


@pytest.mark.parametrize(
    ("cards", "sheets", "on_one"), [(55, 4, 15), (12, 1, 12), (13, 1, 13), (7, 1, 12), (31, 3, 12)]
)
def test_a_short_job_takes_the_fewest_sheets_and_then_the_plainest_pattern(
    cards: int, sheets: int, on_one: int
) -> None:
    """Twelve cards in rows and columns are easier to cut than twelve of fifteen that are shifted."""
    nest = nest_cards(papers()["SRA3"], round_card(85), 3, STRICT, cards)[0]
    assert (count_sheets(nest, cards), len(nest.centres)) == (sheets, on_one)


def test_hexagons_nest_as_a_honeycomb() -> None:
    """Neighbours touch bleed to bleed in six directions."""
    nest = nest_cards(papers()["SRA3"], hex_card(85), 3, cards=13)[0]
    gaps = [math.dist(a, b) for a, b in combinations(nest.centres, 2)]
    assert len(nest.centres) == 13
    assert min(gaps) == pytest.approx(91)
    assert sum(gap < 91.01 for gap in gaps) > 20


@given(
    paper=st.sampled_from(sorted(papers())),
    shape=st.sampled_from(sorted(SHAPES)),
    size=st.floats(30, 130),
    bleed=st.floats(0, 5),
)
def test_cards_never_share_bleed_and_stay_printable(paper: str, shape: str, size: float, bleed: float) -> None:
    """In every arrangement that is weighed, cards lie apart, inside the printable area, and centred."""
    for nest in nest_cards(papers()[paper], SHAPES[shape](size), bleed):
        grown, sheet, places = nest.shape.grow(bleed), nest.paper, np.array(nest.centres)
        one, other = np.triu_indices(len(places), 1)
        # two equal convex shapes are apart when their difference keeps clear of twice the shape
        apart = {tuple(half) for half in np.round(np.abs(places[one] - places[other]) / 2, 9).tolist()}
        assert all(grown.distance_mm(x, y) >= -1e-6 for x, y in apart)
        half = np.array([nest.shape.width_mm, nest.shape.height_mm]) / 2
        assert (places.min(axis=0) - half >= EDGE_MM - 1e-3).all()
        assert (places.max(axis=0) + half <= np.array([sheet.width_mm, sheet.height_mm]) - EDGE_MM + 1e-3).all()
        assert places.min(axis=0) + places.max(axis=0) == pytest.approx([sheet.width_mm, sheet.height_mm])


@given(width=st.floats(60, 700), height=st.floats(60, 700), size=st.floats(30, 130))
def test_no_arrangement_passes_the_bound_of_mathematics(width: float, height: float, size: float) -> None:
    """Oler's inequality holds for every arrangement of circles: more of them would have to overlap."""
    found = list_packings(width, height, round_card(size))
    assert max(map(len, found)) <= bound_circles(width, height, size)


def test_a_card_larger_than_the_paper_says_what_fits() -> None:
    """The message names the paper and a size that would do."""
    with pytest.raises(LayoutError, match=r"a square card of 250 mm does not fit on A4\. Up to about 200 mm does"):
        nest_cards(papers()["A4"], square_card(250), 3)


@pytest.mark.parametrize(
    ("duplex", "expected"), [("long", (180.0, 40.0)), ("separate", (180.0, 40.0)), ("short", (30.0, 257.0))]
)
def test_backs_are_mirrored_about_the_edge_the_paper_turns_over(duplex: str, expected: tuple[float, float]) -> None:
    """Upright paper: the long edge swaps left and right, the short edge top and bottom."""
    nest = nest_cards(papers()["A4"], round_card(85), 3)[0]
    front = plan_fronts(nest, [1])[0]
    moved = Page(front.paper, tuple(type(slot)(slot.card, 30.0, 40.0) for slot in front.slots))
    back = plan_back(moved, duplex)  # type: ignore[arg-type]
    assert (back.slots[0].x_mm, back.slots[0].y_mm) == pytest.approx(expected)
