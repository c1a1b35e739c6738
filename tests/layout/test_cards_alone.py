"""A card lies as its number, its pieces, the options and the seed decide, whatever other cards there are."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from dobble_print.cache import Cache
from dobble_print.layout import engine
from dobble_print.layout.engine import Card, lay_out_deck, recall_layout
from dobble_print.layout.model import Piece
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import CardShape, hex_card, round_card, square_card
from tests.layout.test_samples import PIECES

COUNT, SEED = 6, 11
CARDS = [[(card + 3 * slot) % len(PIECES) for slot in range(8)] for card in range(COUNT)]
# where the margin and small symbols make some cards fail at first, the rescue is on test too
TIGHT = LayoutOptions(min_size_mm=14.5, quality="draft")
KINDS = [(round_card(85), LayoutOptions()), (hex_card(85), LayoutOptions(quality="draft")), (square_card(70), TIGHT)]


def lay_out(numbers: list[int], shape: CardShape, options: LayoutOptions) -> dict[int, Card]:
    """Lay out the cards with these numbers, in this order, without any others."""
    cards = [CARDS[number - 1] for number in numbers]
    return dict(zip(numbers, lay_out_deck(cards, PIECES, shape, options, SEED, numbers), strict=True))


@pytest.mark.parametrize(("shape", "options"), KINDS, ids=["round", "hexagon", "tight"])
def test_cards_lie_alike_alone_together_and_in_any_order(shape: CardShape, options: LayoutOptions) -> None:
    """Whole, one by one, shuffled and in two halves: equal to the last digit."""
    numbers = list(range(1, COUNT + 1))
    whole = lay_out(numbers, shape, options)
    shuffled = random.Random(1).sample(numbers, COUNT)
    assert lay_out(shuffled, shape, options) == whole
    assert lay_out(numbers[:2], shape, options) | lay_out(numbers[2:], shape, options) == whole
    assert lay_out([3], shape, options) == {3: whole[3]}


def test_large_decks_are_solved_in_parts_that_nobody_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many cards are solved side by side does not matter; each part is told as soon as it is certain."""
    whole = lay_out_deck(CARDS, PIECES, round_card(85), TIGHT, SEED)
    monkeypatch.setattr(engine, "MOST_AT_ONCE", 4)
    told: list[dict[int, Card]] = []
    assert lay_out_deck(CARDS, PIECES, round_card(85), TIGHT, SEED, on_cards=told.append) == whole
    assert [len(part) for part in told] == [3, 3]
    assert {number: card for part in told for number, card in part.items()} == dict(enumerate(whole, 1))


def test_the_number_of_a_card_matters() -> None:
    """Two cards that show the same do not lie the same."""
    one, other = lay_out_deck([CARDS[0]] * 2, PIECES, round_card(85), TIGHT, SEED)
    assert one != other


def replaced(number: int, piece: Piece) -> list[Piece]:
    """The pieces with another one in the place of one of them."""
    return [*PIECES[:number], piece, *PIECES[number + 1 :]]


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of cards that were laid out since the test began."""
    seen: list[int] = []

    def watch(
        cards: object, pieces: object, shape: object, options: object, seed: int, numbers: list[int], *more: object
    ) -> object:
        seen.extend(numbers)
        return lay_out_deck(cards, pieces, shape, options, seed, numbers, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "lay_out_deck", watch)
    return seen


def recall(pieces: Sequence[Piece], seed: int = SEED) -> dict[int, Card]:
    """Lay out all cards with what the cache knows."""
    return dict(enumerate(recall_layout(CARDS, pieces, round_card(85), TIGHT, seed), 1))


def test_only_cards_that_hold_a_replaced_symbol_are_laid_out_again(cache: Cache, laid: list[int]) -> None:
    """The others are recalled, and all lie as they would without a cache."""
    before = recall(PIECES)
    assert laid == list(range(1, COUNT + 1))
    laid.clear()
    pieces = replaced(9, replace(PIECES[9], scale=0.8))
    holders = [number for number, card in enumerate(CARDS, 1) if 9 in card]
    assert 0 < len(holders) < COUNT
    after = recall(pieces)
    assert laid == holders
    assert [number for number in after if after[number] != before[number]] == holders
    assert tuple(after.values()) == lay_out_deck(CARDS, pieces, round_card(85), TIGHT, SEED)


def test_a_symbol_that_only_waits_changes_no_card(cache: Cache, laid: list[int]) -> None:
    """Nor does another name: neither is in what a card is known by."""
    before = recall(PIECES)
    laid.clear()
    renamed = [replace(piece, name=piece.name * 2) for piece in PIECES]
    assert recall([*renamed, replace(PIECES[0], name="waiting", least_mm=30.0)]) == before
    assert not laid
    assert recall(PIECES, SEED + 1) != before


def test_a_card_that_was_told_is_kept_when_the_rest_is_cancelled(
    cache: Cache, laid: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a cancelled preview has found is not looked for again."""
    monkeypatch.setattr(engine, "MOST_AT_ONCE", 3)
    told: dict[int, Card] = {}

    def stop() -> None:
        if told:
            raise KeyError

    with pytest.raises(KeyError):
        recall_layout(CARDS, PIECES, round_card(85), TIGHT, SEED, on_cards=told.update, on_pulse=stop)
    assert len(told) == 3
    laid.clear()
    again = recall(PIECES)
    assert laid == [number for number in again if number not in told]
    assert {number: again[number] for number in told} == told
