"""The palette: colours for letters that everyone tells apart, and the plates that show languages, from `templates/`.

Invariant: every colour reads on white, and no two symbols that follow each other in a theme share one; the same count
and seed always give the same colours.
"""

from __future__ import annotations

import random
from functools import cache

from dobble_print.resources import read_table
from dobble_print.theme.model import LanguageMark, PlateShape

FILE = "palette.yaml"
PLATES: tuple[PlateShape, ...] = ("pill", "rectangle", "underline", "cut")


@cache
def list_colors() -> dict[str, str]:
    """The colours of the palette by name."""
    return _rows()["colors"]


def assign_colors(count: int, seed: int = 1) -> list[str]:
    """A colour for each of so many symbols: all equally often, as far as the count allows; neighbours differ."""
    generator = random.Random(seed)
    colors: list[str] = []
    while len(colors) < count:
        turn = list(list_colors().values())
        generator.shuffle(turn)
        if colors and turn[0] == colors[-1]:
            turn.append(turn.pop(0))
        colors += turn
    return colors[:count]


def mark_language(index: int, code: str) -> LanguageMark:
    """The mark of a theme's first, second, … language; its tag is the code in capitals, without the region."""
    shape = PLATES[index % len(PLATES)]
    row = _rows()[shape]
    return LanguageMark(shape, row["tint"], row["rim"], code.split("-")[0].upper())


@cache
def _rows() -> dict[str, dict[str, str]]:
    return read_table(FILE)
