"""Sizes follow the ladder, turns follow the rotation mode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dobble_print.layout.engine import lay_out_deck
from dobble_print.layout.model import Piece, Placement
from dobble_print.theme.options import LayoutOptions, Rotation
from dobble_print.units import round_card
from tests.layout.test_samples import PIECES, PX_MM, put, rasterise

CARD = round_card(85)
CARDS = [[(card + slot) % len(PIECES) for slot in range(8)] for card in range(6)]


def sizes(layout: Sequence[Sequence[Placement]]) -> npt.NDArray[np.float64]:
    """Diameters, cards by slots."""
    return np.array([[placed.diameter_mm for placed in card] for card in layout])


@settings(max_examples=16, phases=[Phase.explicit, Phase.generate])  # shrinking would lay out decks for minutes
@given(st.integers(3, 14), st.integers(0, 2**31), st.sampled_from(["draft", "normal"]))
def test_largest_to_smallest_stays_near_the_spread(count: int, seed: int, quality: str) -> None:
    """With the default spread of 2 the largest symbol of every card is 1.6 to 2.6 times its smallest."""
    options = LayoutOptions(quality="normal" if quality == "normal" else "draft")
    cards = [[(seed + slot) % len(PIECES) for slot in range(count)]]
    diameters = sizes(lay_out_deck(cards, PIECES, CARD, options, seed))
    ratio = diameters.max() / diameters.min()
    assert 1.6 <= ratio <= 2.6


@pytest.mark.parametrize("spread", [1.0, 1.5, 3.0])
def test_size_spread_sets_the_ratio(spread: float) -> None:
    """Largest to smallest is within 0.8 and 1.3 times the spread that was asked for."""
    diameters = sizes(lay_out_deck(CARDS, PIECES, CARD, LayoutOptions(size_spread=spread, quality="draft"), 4))
    ratio = diameters.max(1) / diameters.min(1)
    assert np.all(ratio >= 0.8 * spread)
    assert np.all(ratio <= 1.3 * spread)


def test_the_slot_sets_the_size() -> None:
    """Every size is near the rung of its slot: within a factor of exp(0.2), around a common size of the card."""
    diameters = sizes(lay_out_deck(CARDS, PIECES, CARD, LayoutOptions(quality="draft"), 4))
    off = np.log(diameters) - np.linspace(0, np.log(2), 8)
    assert np.ptp(off, axis=1).max() <= 0.4 + 1e-3


def test_rungs_keep_their_order() -> None:
    """A slot five rungs up shows the larger symbol on every card."""
    diameters = sizes(lay_out_deck(CARDS, PIECES, CARD, LayoutOptions(quality="draft"), 4))
    assert np.all(diameters[:, 5:] > diameters[:, :-5])


def test_a_scale_hint_makes_a_symbol_larger() -> None:
    """A piece with scale 1.5 is that much larger, beside the same others, than with scale 1."""
    hinted = [replace(piece, scale=1.5) if number == 3 else piece for number, piece in enumerate(PIECES)]
    plain, scaled = (sizes(lay_out_deck(CARDS[:1], deck, CARD, LayoutOptions(), 4))[0] for deck in (PIECES, hinted))
    others = [slot for slot in range(8) if slot != 3]
    gain = (scaled[3] / scaled[others].mean()) / (plain[3] / plain[others].mean())
    assert gain > 1.2


def test_no_symbol_is_smaller_than_min_size() -> None:
    """A symbol that its scale hint would make tiny still keeps `min_size_mm`."""
    pieces = [replace(piece, scale=0.2) if number % 2 else piece for number, piece in enumerate(PIECES)]
    options = LayoutOptions(min_size_mm=10, quality="draft")
    assert sizes(lay_out_deck(CARDS, pieces, CARD, options, 4)).min() >= 10


@pytest.mark.parametrize(("mode", "limit"), [("upright", 0.0), ("tilt", 30.0)])
def test_rotation_modes_limit_the_turn(mode: Rotation, limit: float) -> None:
    """Upright symbols are not turned at all, tilted ones by 30 degrees at most."""
    pieces = [replace(piece, rotation=mode) for piece in PIECES]
    layout = lay_out_deck(CARDS, pieces, CARD, LayoutOptions(), 4)
    assert max(abs(placed.rotation_deg) for card in layout for placed in card) <= limit


def test_rotation_is_per_symbol() -> None:
    """One upright symbol stays upright among others that turn every way."""
    pieces: list[Piece] = [replace(PIECES[0], rotation="upright"), *PIECES[1:]]
    layout = lay_out_deck(CARDS, pieces, CARD, LayoutOptions(quality="draft"), 4)
    turns = {placed.piece: placed.rotation_deg for card in layout for placed in card}
    assert turns[0] == 0
    assert max(abs(turn) for turn in turns.values()) > 90


def test_cards_look_full() -> None:
    """Ordinary symbols cover at least two fifths of every card's pixels."""
    solid = [piece for piece in PIECES if piece.name in ("ball", "brick", "star", "word", "moon")]
    cards = [[(card + slot) % len(solid) for slot in range(8)] for card in range(5)]
    for card in lay_out_deck(cards, solid, CARD, LayoutOptions(), 6):
        inked = sum(rasterise(CARD, put(solid[placed.piece], placed)).sum() for placed in card)
        assert inked * PX_MM**2 >= 0.4 * CARD.area_mm2
