from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dobble_print.errors import LayoutError
from dobble_print.sheets.nesting import EDGE_MM, nest_cards
from dobble_print.sheets.plan import Page, plan_back, plan_fronts
from dobble_print.units import SHAPES, hex_card, papers, round_card, square_card


@pytest.mark.parametrize(
    ("paper", "size", "cards"), [("A4", 85, 6), ("Letter", 85, 6), ("SRA3", 85, 13), ("SRA3", 80, 18), ("A3", 85, 13)]
)
def test_round_cards_a_sheet(paper: str, size: float, cards: int) -> None:
    """The figures a print shop expects."""
    assert len(nest_cards(papers()[paper], round_card(size), 3).centres) == cards


def test_hexagons_nest_as_a_honeycomb() -> None:
    """Neighbours touch bleed to bleed in six directions."""
    nest = nest_cards(papers()["SRA3"], hex_card(85), 3)
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
    """Whatever fits lies apart, inside the printable area, and centred."""
    nest = nest_cards(papers()[paper], SHAPES[shape](size), bleed)
    grown = nest.shape.grow(bleed)
    for (x, y), (u, v) in combinations(nest.centres, 2):
        # two equal convex shapes are apart when their difference keeps clear of twice the shape
        assert grown.turn(0).distance_mm((x - u) / 2, (y - v) / 2) >= -1e-6
    for x, y in nest.centres:
        assert x - nest.shape.width_mm / 2 >= EDGE_MM - 1e-3
        assert y - nest.shape.height_mm / 2 >= EDGE_MM - 1e-3
        assert x + nest.shape.width_mm / 2 <= nest.paper.width_mm - EDGE_MM + 1e-3
        assert y + nest.shape.height_mm / 2 <= nest.paper.height_mm - EDGE_MM + 1e-3
    xs, ys = [x for x, _ in nest.centres], [y for _, y in nest.centres]
    assert min(xs) + max(xs) == pytest.approx(nest.paper.width_mm)
    assert min(ys) + max(ys) == pytest.approx(nest.paper.height_mm)


def test_a_card_larger_than_the_paper_says_what_fits() -> None:
    """The message names the paper and a size that would do."""
    with pytest.raises(LayoutError, match=r"a square card of 250 mm does not fit on A4\. Up to about 200 mm does"):
        nest_cards(papers()["A4"], square_card(250), 3)


@pytest.mark.parametrize(
    ("duplex", "expected"), [("long", (180.0, 40.0)), ("separate", (180.0, 40.0)), ("short", (30.0, 257.0))]
)
def test_backs_are_mirrored_about_the_edge_the_paper_turns_over(duplex: str, expected: tuple[float, float]) -> None:
    """Upright paper: the long edge swaps left and right, the short edge top and bottom."""
    nest = nest_cards(papers()["A4"], round_card(85), 3)
    front = plan_fronts(nest, [1])[0]
    moved = Page(front.paper, tuple(type(slot)(slot.card, 30.0, 40.0) for slot in front.slots))
    back = plan_back(moved, duplex)  # type: ignore[arg-type]
    assert (back.slots[0].x_mm, back.slots[0].y_mm) == pytest.approx(expected)
