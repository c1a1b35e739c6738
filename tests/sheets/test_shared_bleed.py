"""Cards that lie nearer than their bleeds are wide, and marks beside the cards, measured on plates."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from dobble_print.build import DeckOrder, make
from dobble_print.options import BuildOptions
from dobble_print.theme.reader import read_theme
from tests.conftest import SMALL_THEME
from tests.paper import read_cards
from tests.plates import Plate, separate

SHOP = BuildOptions(profile="shop-sra3-x4", booklet=False, legend=False)


def build(folder: Path, lines: str, options: BuildOptions) -> Path:
    """Build a small theme with more lines; every file has passed proof and preflight."""
    (folder / "theme.yaml").write_text(SMALL_THEME + lines)
    order = DeckOrder(read_theme(folder / "theme.yaml", options.theme_values()), options)
    result = make([order])
    assert result.boxes[0].check and result.boxes[0].check.passed
    for name, data in result.files.items():
        (folder / name).write_bytes(data)
    return folder


def read_inks(plates: dict[str, Plate], x: float, y: float) -> list[float]:
    """How much of each process ink lies on a spot."""
    found = []
    for name in ("Cyan", "Magenta", "Yellow", "Black"):
        plate = plates[name]
        row = plate.ink.shape[0] - 1 - int((y - plate.bottom_mm) / 25.4 * plate.dpi)
        found.append(float(plate.ink[row, int((x - plate.left_mm) / 25.4 * plate.dpi)]))
    return found


@pytest.mark.parametrize("side", ["front", "back"])
def test_bleeds_that_are_shared_end_midway(tmp_path: Path, side: str) -> None:
    """Sixteen cards a sheet with 1 mm between the cuts: beside its cut each card has its own colour, on both sides."""
    lines = "sheet: {gap: 1}\ncard: {rim_width: 2}\n" + ('back: "#1d3557"\n' if side == "back" else "")
    options = BuildOptions(**{**vars(SHOP), "copies": 9, "mark": "color"})
    pdf = build(tmp_path, lines, options) / "cards.pdf"
    centres = [card.centre for card in read_cards(pdf) if card.page == 0]
    assert len(centres) == 16
    one, other = next(
        (a, b) for a, b in itertools.product(centres[:7], centres[7:14]) if math.dist(a, b) < 86.1
    )  # of two copies, whose rims differ
    page = 1
    if side == "back":
        one, other, page = (320 - one[0], one[1]), (320 - other[0], other[1]), 2
    middle, way = np.add(one, other) / 2, np.subtract(other, one) / math.dist(one, other)
    plates = separate(pdf, 600, page, (float(middle[0]) - 5, float(middle[1]) - 5, 10.0, 10.0))
    near, far = (read_inks(plates, *(middle + way * off)) for off in (-0.3, 0.3))
    inside_one, inside_other = (read_inks(plates, *(middle + way * off)) for off in (-1.2, 1.2))
    assert near == pytest.approx(inside_one, abs=0.02)
    assert far == pytest.approx(inside_other, abs=0.02)
    assert (near != pytest.approx(far, abs=0.1)) == (side == "front")


def test_a_shared_bleed_is_whole_where_nobody_is_beside_it(tmp_path: Path) -> None:
    """Away from neighbours the colour goes on for the whole 3 mm, and ends there."""
    pdf = build(tmp_path, 'sheet: {gap: 1}\ncard: {rim: "#1d3557"}\n', SHOP) / "cards.pdf"
    centres = [card.centre for card in read_cards(pdf)]
    x, y = max(centres)  # nobody lies to its right
    plates = separate(pdf, 300, 1, (x + 40, y - 3, 8.0, 6.0))
    assert min(sum(read_inks(plates, x + 42.5 + away, y)) for away in (0.2, 1.5, 2.8)) > 0.5
    assert sum(read_inks(plates, x + 42.5 + 3.3, y)) == 0


@pytest.mark.parametrize(("paper", "edge"), [("SRA3", 5), ("SRA3", 10), ("A3", 5)])
def test_nothing_prints_in_the_edge_that_the_machine_leaves_white(tmp_path: Path, paper: str, edge: int) -> None:
    """Cards with their bleed, crop marks, targets, bar and slug, and all marks of the booklet."""
    lines = f'back: "#1d3557"\nsheet: {{edge: {edge}}}\npress: {{color_bar: true}}\n'
    options = BuildOptions(profile="shop-sra3-x4", paper=paper, legend=False, copies=6)
    folder = build(tmp_path, lines, options)
    for name, page in (("cards.pdf", 1), ("cards.pdf", 2), ("booklet-print.pdf", 1), ("booklet-print.pdf", 2)):
        plates = separate(folder / name, 100, page)
        ink = np.max([plate.ink for plate in plates.values()], axis=0) > 0.02
        rows, columns = np.nonzero(ink)
        height, width = ink.shape
        margins = rows.min(), height - 1 - rows.max(), columns.min(), width - 1 - columns.max()
        assert min(margins) / 100 * 25.4 >= edge - 0.3, (name, page)
        assert plates["Black"].ink.any()
