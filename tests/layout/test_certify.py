"""The certificate on its own: it finds what is wrong with a card, whoever placed the symbols."""

from __future__ import annotations

import numpy as np
import pytest

from dobble_print.art.silhouette import Silhouette
from dobble_print.layout.certify import Certifier
from dobble_print.layout.model import Piece, Placement
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import SHAPES

OPTIONS = LayoutOptions(gap_mm=1.5, margin_mm=3.0, min_size_mm=8.0, keep_center_free_mm=5.0)
TURNS = np.linspace(0, 2 * np.pi, 181)
DISC = Piece("disc", Silhouette((np.column_stack([np.cos(TURNS), np.sin(TURNS)]),), np.pi, (0.5, 0.5), 0.5))
GOOD = (Placement(0, 20.0, 0.0, 0.0, 12.0), Placement(0, -20.0, 0.0, 0.0, 12.0), Placement(0, 0.0, 20.0, 0.0, 12.0))


def place(x_mm: float, y_mm: float, diameter_mm: float = 12.0) -> Placement:
    """A disc somewhere."""
    return Placement(0, x_mm, y_mm, 0.0, diameter_mm)


BAD = {
    "overlapping another": (place(20.0, 5.0), {0, 3}),
    "nearer to another than the gap": (place(20.0, 13.4), {0, 3}),
    "over the cut": (place(0.0, -40.0), {3}),
    "nearer to the cut than the margin": (place(0.0, -33.6), {3}),
    "too small": (place(0.0, -20.0, 7.9), {3}),
    "on the free centre": (place(0.0, -10.9), {3}),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_good_card_passes(shape: str) -> None:
    """Nothing is wrong with discs that keep all distances, a hair within them."""
    certifier = Certifier.of([DISC], SHAPES[shape](85.0), OPTIONS)
    for extra in (place(0.0, -20.0), place(20.0, 13.6), place(0.0, -33.4), place(0.0, -20.0, 8.0), place(0.0, -11.1)):
        assert certifier.find_faulty_slots((*GOOD, extra)) == set()


@pytest.mark.parametrize("name", BAD)
def test_a_bad_card_is_found_with_its_slots(name: str) -> None:
    """Each rule alone, broken by a tenth of a millimetre or so."""
    extra, slots = BAD[name]
    assert Certifier.of([DISC], SHAPES["round"](85.0), OPTIONS).find_faulty_slots((*GOOD, extra)) == slots
