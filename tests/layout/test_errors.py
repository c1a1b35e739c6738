"""What does not fit is said: which card, which symbols, and what would help."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dobble_print.errors import LayoutError
from dobble_print.layout.engine import lay_out_deck
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import round_card
from tests.layout.test_samples import PIECES

CARDS = [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9]]
DRAFT = LayoutOptions(quality="draft")


def test_a_card_too_small_names_every_card_and_its_symbols() -> None:
    """On a card of 20 mm each impossible card is a fault of its own, numbered from 1, with its symbols' names."""
    with pytest.raises(LayoutError) as caught:
        lay_out_deck(CARDS, PIECES, round_card(20), DRAFT, 1)
    first, second = caught.value.faults
    assert "card 1" in first.what
    assert all(PIECES[symbol].name in first.what for symbol in CARDS[0])
    assert "card 2" in second.what


def test_the_hint_lists_the_remedies() -> None:
    """The fault says what would help."""
    with pytest.raises(LayoutError) as caught:
        lay_out_deck(CARDS, PIECES, round_card(20), DRAFT, 1)
    for remedy in ("larger card", "fewer symbols", "gap", "min_size", "scale"):
        assert remedy in caught.value.faults[0].hint


def test_only_the_impossible_card_is_named() -> None:
    """A card that fits is not blamed for one that does not."""
    pieces = [replace(piece, scale=6.0) if number in (0, 1, 2) else piece for number, piece in enumerate(PIECES)]
    options = replace(DRAFT, min_size_mm=11)
    with pytest.raises(LayoutError) as caught:
        lay_out_deck(CARDS, pieces, round_card(60), options, 1)
    assert [fault.what.split(" has")[0] for fault in caught.value.faults] == ["card 1"]


def test_a_packing_that_fails_only_when_tried_is_an_error_too() -> None:
    """A min_size that no area argument rules out, but no arrangement reaches, still ends in a named fault."""
    options = replace(DRAFT, min_size_mm=27)
    with pytest.raises(LayoutError, match="card 1 has no room for"):
        lay_out_deck([[0] * 8], PIECES, round_card(85), options, 1)


def test_a_margin_that_leaves_nothing_is_refused() -> None:
    """A margin wider than the card is told at once."""
    with pytest.raises(LayoutError, match="leave no room"):
        lay_out_deck(CARDS, PIECES, round_card(85), replace(DRAFT, margin_mm=50), 1)


def test_no_cards_no_placements() -> None:
    """An empty deck has an empty layout."""
    assert lay_out_deck([], PIECES, round_card(85), DRAFT, 1) == ()


def test_placements_keep_the_order_of_cards_and_slots() -> None:
    """Card by card and slot by slot, the placement shows the symbol that was asked for."""
    layout = lay_out_deck(CARDS, PIECES, round_card(85), DRAFT, 1)
    assert [[placed.piece for placed in card] for card in layout] == CARDS
