"""The same deck and seed give the same numbers, whatever the process or the number of cores."""

from __future__ import annotations

import os
import subprocess
import sys

from dobble_print.layout.engine import lay_out_deck
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import hex_card
from tests.layout.test_samples import PIECES

CARDS = [[(card + slot) % len(PIECES) for slot in range(10)] for card in range(8)]
PROGRAM = "from tests.layout.test_determinism import lay_out; print(repr(lay_out(11)))"


def lay_out(seed: int) -> object:
    """A deck that takes every step of the search."""
    return lay_out_deck(CARDS, PIECES, hex_card(85), LayoutOptions(), seed)


def _in_process(**environment: str) -> str:
    run = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(run, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_same_seed_same_numbers() -> None:
    """Two runs with one seed are equal to the last digit."""
    assert lay_out(11) == lay_out(11)


def test_another_seed_gives_another_layout() -> None:
    """The seed matters."""
    assert lay_out(11) != lay_out(12)


def test_numbers_do_not_depend_on_the_process_or_the_cores() -> None:
    """Other hash seeds and thread counts in other processes give the very same numbers."""
    one = _in_process(PYTHONHASHSEED="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    other = _in_process(PYTHONHASHSEED="77", OMP_NUM_THREADS="4", OPENBLAS_NUM_THREADS="4")
    assert one == other == repr(lay_out(11))
