from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dobble_print.deck.design import (
    DIFFERENCE_SETS,
    card_count,
    explain_deck,
    full_deck,
    full_size,
    make_deck,
)
from dobble_print.errors import DeckError


def find_mismatch(cards: Iterable[Sequence[int]]) -> tuple[int, int, int] | None:
    """Return the first two cards (from 0) that do not share exactly one symbol, and how many they share."""
    sets = [set(card) for card in cards]
    for i, one in enumerate(sets):
        for j in range(i):
            if len(one & sets[j]) != 1:
                return j, i, len(one & sets[j])
    return None


@pytest.mark.parametrize("k", DIFFERENCE_SETS)
def test_every_two_cards_of_a_full_deck_share_exactly_one_symbol(k: int) -> None:
    """Every order in the table is a plane."""
    deck = full_deck(k)
    assert len(deck) == full_size(k)
    assert all(len(set(a) & set(b)) == 1 for a, b in combinations(deck, 2))


@pytest.mark.parametrize("k", DIFFERENCE_SETS)
def test_a_shared_symbol_is_never_in_the_same_slot_on_both_cards(k: int) -> None:
    """So a slot may set a symbol's size, and a match always differs in size."""
    for a, b in combinations(full_deck(k), 2):
        shared = (set(a) & set(b)).pop()
        assert a.index(shared) != b.index(shared)


@pytest.mark.parametrize("k", DIFFERENCE_SETS)
def test_every_symbol_visits_every_slot_once_in_a_full_deck(k: int) -> None:
    """So every symbol prints once at every size."""
    visits = Counter((slot, symbol) for card in full_deck(k) for slot, symbol in enumerate(card))
    assert set(visits.values()) == {1}
    assert len(visits) == k * full_size(k)


@pytest.mark.parametrize("symbols", range(3, 184))
def test_any_number_of_symbols_makes_a_valid_deck(symbols: int) -> None:
    """Partial decks keep the promise too, with equally many symbols on every card."""
    deck = make_deck(symbols)
    cards = [card.symbols for card in deck.cards]
    assert all(len(set(a) & set(b)) == 1 for a, b in combinations(cards, 2))
    assert {len(set(card)) for card in cards} == {deck.symbols_per_card}
    assert set().union(*cards) | set(deck.unused) == set(range(symbols))
    assert not set().union(*cards) & set(deck.unused)
    assert len(cards) == card_count(symbols, deck.symbols_per_card) >= 2


@pytest.mark.parametrize(
    ("symbols", "cards", "per_card"),
    [
        (12, 9, 4),
        (20, 16, 5),
        (30, 25, 6),
        (40, 31, 6),
        (55, 42, 8),
        (56, 49, 8),
        (57, 57, 8),
        (72, 64, 9),
        (90, 81, 10),
    ],
)
def test_the_deck_with_most_cards_is_chosen(symbols: int, cards: int, per_card: int) -> None:
    """The figures of the agreed table."""
    deck = make_deck(symbols)
    assert (len(deck.cards), deck.symbols_per_card) == (cards, per_card)


@given(k=st.sampled_from(sorted(DIFFERENCE_SETS)), missing=st.integers(0, 14), data=st.data())
def test_dropping_cards_keeps_the_promise_and_the_balance(k: int, missing: int, data: st.DataObject) -> None:
    """A smaller deck is still a deck, and no symbol gets rare while others stay common."""
    symbols = full_size(k) - missing
    if card_count(symbols, k) < 2 or missing > k:
        return
    cards = data.draw(st.integers(2, card_count(symbols, k)))
    deck = make_deck(symbols, k, cards)
    assert len(deck.cards) == cards
    assert find_mismatch(card.symbols for card in deck.cards) is None
    if missing == 0 and cards >= full_size(k) - k:
        counts = Counter(symbol for card in deck.cards for symbol in card.symbols)
        assert max(counts.values()) - min(counts.values()) <= 2


def test_fifty_five_of_fifty_seven_leaves_one_symbol_six_times() -> None:
    """The classic deck: two dropped cards share one symbol, their other fourteen are there seven times."""
    deck = make_deck(57, 8, 55)
    counts = Counter(Counter(symbol for card in deck.cards for symbol in card.symbols).values())
    assert counts == {8: 42, 7: 14, 6: 1}


@pytest.mark.parametrize(
    ("symbols", "per_card", "cards", "most"), [(57, 8, 5, 2), (57, 8, 20, 4), (31, 6, 10, 3), (31, 6, 20, 5)]
)
def test_a_small_part_of_a_deck_is_still_a_game(symbols: int, per_card: int, cards: int, most: int) -> None:
    """No symbol becomes the answer to everything: the most common one is on few cards."""
    deck = make_deck(symbols, per_card, cards)
    assert max(Counter(symbol for card in deck.cards for symbol in card.symbols).values()) <= most


def test_cards_are_numbered_from_one_without_gaps() -> None:
    """The numbers on paper are those of `--only`."""
    assert [card.number for card in make_deck(57, 8, 55).cards] == list(range(1, 56))


def test_the_seed_shuffles_who_takes_which_place() -> None:
    """Another seed, another deck; the same seed, the same deck."""
    assert make_deck(31, seed=1) == make_deck(31, seed=1)
    assert make_deck(31, seed=1) != make_deck(31, seed=2)


def test_unused_symbols_are_the_last_ones_of_the_list() -> None:
    """A user can foresee which symbols stay out, and put the dear ones first."""
    assert make_deck(40).unused == tuple(range(31, 40))


@pytest.mark.parametrize(
    ("k", "hint"),
    [
        (7, "6 gives 31 cards, 8 gives 57 cards"),
        (11, "10 gives 91 cards, 12 gives 133 cards"),
        (13, "12 gives 133 cards, 14 gives 183 cards"),
    ],
)
def test_numbers_without_a_plane_offer_their_neighbours(k: int, hint: str) -> None:
    """No deck exists for these; the message says what does."""
    with pytest.raises(DeckError, match=f"{k} a card has no full deck. {hint}"):
        make_deck(183, k)


def test_too_few_symbols_for_a_card_size_say_what_would_do() -> None:
    """The message names the least number and a size that works now."""
    with pytest.raises(DeckError, match=r"20 symbols are too few for 8 a card, .* at least 49\..*5 \(16 cards\)"):
        make_deck(20, 8)


@pytest.mark.parametrize("cards", [0, 1, 58])
def test_an_impossible_number_of_cards_is_refused(cards: int) -> None:
    """One card is no game, and more than the plane has do not exist."""
    with pytest.raises(DeckError, match="give 2 to 57 cards"):
        make_deck(57, 8, cards)


@pytest.mark.parametrize(
    ("symbols", "words"),
    [
        (6, "4 cards of 3; one more would give 7 cards of 3."),
        (40, "31 cards of 6 now, 9 symbols unused; one fewer would give the same; 17 more would give 57 cards of 8."),
        (
            54,
            "36 cards of 8; one fewer would give 31 cards of 6; one more would give 42 cards of 8; "
            "3 more would give 57 cards of 8.",
        ),
        (56, "49 cards of 8; one fewer would give 42 cards of 8; one more would give 57 cards of 8."),
        (57, "57 cards of 8, a full deck; one fewer would give 49 cards of 8; 16 more would give 73 cards of 9."),
        (183, "183 cards of 14, a full deck; one fewer would give 169 cards of 14."),
    ],
)
def test_the_arithmetic_is_explained_in_words(symbols: int, words: str) -> None:
    """A teacher reads what the list gives, and what one fewer and a few more would give."""
    assert explain_deck(symbols) == f"{symbols} symbols: {words}"


def test_a_broken_deck_is_found() -> None:
    """The check itself can fail: two cards sharing two symbols, two sharing none."""
    assert find_mismatch([(0, 1, 2), (0, 1, 3)]) == (0, 1, 2)
    assert find_mismatch([(0, 1, 2), (0, 3, 4), (1, 5, 6)]) == (1, 2, 0)
