from __future__ import annotations

from itertools import combinations

from dobble_print.art.artwork import make_artwork
from dobble_print.deck.design import full_deck
from dobble_print.layout.certify import Certifier
from dobble_print.layout.engine import lay_out_deck
from dobble_print.layout.model import Piece
from dobble_print.theme.model import Emoji
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import round_card

EMOJI = "⚓🐱🐶🍎🍌🚗🚀🌙☂🎸🔑✂🐘🦒🦓🐧🐬🦋🐞🐢🐍🦀🦉🍓🍒🍕🍦🎂🥕🧀🍄"
PIECES = [Piece(char, make_artwork(Emoji(char)).silhouette) for char in EMOJI]


def test_a_match_differs_in_size() -> None:
    """Of all pairs of cards, 99 in 100 show their shared symbol at sizes at least 2 % apart, and none at the same."""
    layouts = lay_out_deck(full_deck(6), PIECES, round_card(85), LayoutOptions(quality="draft"), seed=1)
    sizes: dict[int, list[float]] = {}
    for layout in layouts:
        for placed in layout:
            sizes.setdefault(placed.piece, []).append(placed.diameter_mm)
    ratios = [max(a, b) / min(a, b) for found in sizes.values() for a, b in combinations(found, 2)]
    assert min(ratios) > 1
    assert sum(ratio < 1.02 for ratio in ratios) <= len(ratios) / 100


def test_told_apart_cards_still_pass_the_certificate() -> None:
    """Shrinking a hollow thing could bring it nearer to what lies in the hollow; such a card is left as it was."""
    options = LayoutOptions(quality="draft")
    layouts = lay_out_deck(full_deck(6), PIECES, round_card(85), options, seed=2)
    certifier = Certifier.of(PIECES, round_card(85), options)
    assert all(not certifier.find_faulty_slots(layout) for layout in layouts)


def test_a_theme_that_wants_all_sizes_alike_gets_them() -> None:
    """A spread of 1 keeps every card's sizes within the ladder's own play."""
    layouts = lay_out_deck(
        full_deck(4), PIECES[:13], round_card(85), LayoutOptions(quality="draft", size_spread=1.0), 1
    )
    for layout in layouts:
        found = [placed.diameter_mm for placed in layout]
        assert max(found) / min(found) < 1.3
