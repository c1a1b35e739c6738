"""No two symbols overlap and none leaves the safe area: seen by pixels and measured by contours."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import shapely
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dobble_print.layout.engine import lay_out_deck
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import SHAPES, CardShape, hex_card, round_card, square_card
from tests.layout.test_samples import PIECES, PX_MM, Pixels, put, rasterise

DRAFT = LayoutOptions(quality="draft")


@st.composite
def card_decks(draw: st.DrawFn) -> list[list[int]]:
    """Two cards with 3 to 14 symbols out of all samples; a sample may come up several times."""
    count = draw(st.integers(3, 14))
    return [draw(st.lists(st.integers(0, len(PIECES) - 1), min_size=count, max_size=count)) for _ in range(2)]


@settings(max_examples=30, phases=[Phase.explicit, Phase.generate])  # shrinking would lay out decks for minutes
@given(card_decks(), st.sampled_from(sorted(SHAPES)), st.integers(0, 2**31))
def test_printed_symbols_never_overlap_nor_leave_the_safe_area(cards: list[list[int]], name: str, seed: int) -> None:
    """At 300 dpi no pixel belongs to two symbols, and none lies nearer to the cut than the margin."""
    shape = SHAPES[name](85.0)
    for card in lay_out_deck(cards, PIECES, shape, DRAFT, seed):
        layers = np.stack([rasterise(shape, put(PIECES[placed.piece], placed)) for placed in card])
        inked = layers.sum(0)
        assert inked.max() == 1
        assert _deepest_gap_to_cut(shape, inked > 0) >= DRAFT.margin_mm - PX_MM


def _deepest_gap_to_cut(shape: CardShape, inked: Pixels) -> float:
    """The smallest distance of an inked pixel to the cut; rims of rows and columns are the nearest."""
    rim = inked & ~(np.roll(inked, 1, 0) & np.roll(inked, -1, 0) & np.roll(inked, 1, 1) & np.roll(inked, -1, 1))
    row, column = np.nonzero(rim)
    half = inked.shape[0] / 2
    x, y = (column + 0.5 - half) * PX_MM, (half - row - 0.5) * PX_MM
    return min(-shape.distance_mm(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True))


@pytest.mark.parametrize("shape", [round_card(70), hex_card(75), square_card(60)], ids=lambda shape: shape.name)
@pytest.mark.parametrize(("gap", "margin"), [(1.5, 3.0), (0.5, 1.0), (3.0, 5.0)])
def test_gap_and_margin_hold_exactly(shape: CardShape, gap: float, margin: float) -> None:
    """Full contours are never nearer to each other than the gap, nor to the cut than the margin."""
    options = LayoutOptions(gap_mm=gap, margin_mm=margin, quality="draft")
    cards = [[0, 1, 2, 3, 4, 5, 6, 7], [9, 8, 7, 6, 5, 4, 3, 2]]
    for card in lay_out_deck(cards, PIECES, shape, options, 3):
        polygons = [put(PIECES[placed.piece], placed) for placed in card]
        assert min(shapely.distance(a, b) for a, b in combinations(polygons, 2)) >= gap - 1e-5
        corners = np.concatenate([shapely.get_coordinates(polygon) for polygon in polygons])
        assert max(shape.distance_mm(x, y) for x, y in corners.tolist()) <= -margin + 1e-5


@pytest.mark.parametrize("radius", [6.0, 14.0])
def test_the_free_centre_stays_empty(radius: float) -> None:
    """No symbol comes nearer to the card's centre than `keep_center_free_mm`, and none lies around it."""
    options = LayoutOptions(keep_center_free_mm=radius, quality="draft")
    cards = [[0, 1, 2, 3, 4, 5, 6], [9, 8, 7, 6, 5, 4, 3]]
    for card in lay_out_deck(cards, PIECES, hex_card(85), options, 5):
        for placed in card:
            assert shapely.distance(put(PIECES[placed.piece], placed), shapely.Point(0, 0)) >= radius - 1e-5


def test_thin_symbols_alone_are_laid_out_too() -> None:
    """Fourteen needles on one card still find room side by side."""
    needle = next(piece for piece in PIECES if piece.name == "needle")
    for card in lay_out_deck([[0] * 14], [needle], round_card(85), DRAFT, 2):
        polygons = [put(needle, placed) for placed in card]
        assert min(shapely.distance(a, b) for a, b in combinations(polygons, 2)) >= 1.5 - 1e-5


def test_a_small_symbol_may_sit_in_a_hollow() -> None:
    """The true outline counts, not its hull: somewhere a symbol reaches into the hull of another."""
    horseshoe, ball = (next(piece for piece in PIECES if piece.name == name) for name in ("horseshoe", "ball"))
    cards = [[1, 1, 1, 0, 0, 0]] * 6
    layout = lay_out_deck(cards, [horseshoe, ball], round_card(85), LayoutOptions(), 1)
    pairs = [pair for card in layout for pair in combinations(card, 2)]
    hulls = [[shapely.convex_hull(put([horseshoe, ball][one.piece], one)) for one in pair] for pair in pairs]
    assert any(shapely.intersects(*pair) for pair in hulls)
