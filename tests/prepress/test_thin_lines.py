"""Lines that a plate cannot hold are made wider, measured on what is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.build import DeckOrder, make
from dobble_print.options import BuildOptions
from dobble_print.theme.reader import read_theme
from tests.conftest import SMALL_THEME
from tests.paper import read_cards
from tests.plates import separate

RING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60"><rect width="60" height="60" fill="#ffcc00"/>
<circle cx="30" cy="30" r="20" fill="none" stroke="#000000" stroke-width="{width}"/></svg>"""

PATTERN = "back: {color: navy, pattern: symbols}\n"


@pytest.mark.parametrize(("width", "told"), [(0.02, True), (2.0, False)])
def test_a_customers_hairline_is_made_printable_and_told(tmp_path: Path, width: float, told: bool) -> None:
    """At the smallest size on the cards it is 0.25 pt wide, however small the backs' pattern has it; others stay."""
    (tmp_path / "ring.svg").write_text(RING.format(width=width))
    (tmp_path / "theme.yaml").write_text(SMALL_THEME.replace("⚓", "{image: ring.svg, en: ring}") + PATTERN)
    options = BuildOptions(profile="shop-sra3-x4")
    result = make([DeckOrder(read_theme(tmp_path / "theme.yaml", options.theme_values()), options)])
    check, pdf = result.boxes[0].check, tmp_path / "cards.pdf"
    assert check and check.passed, check and check.describe()
    warnings = [str(each) for each in result.boxes[0].warnings if "0.25 pt wide now" in str(each)]
    assert len(warnings) == told and all('symbol "ring"' in each for each in warnings)
    pdf.write_bytes(result.files["cards.pdf"])
    cards = read_cards(pdf)
    rings = [(card, matrix) for card in cards for name, matrix in card.symbols if name == "/S0"]
    card, matrix = min(rings, key=lambda each: abs(each[1][0] * each[1][3] - each[1][1] * each[1][2]))
    side_mm = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5 * 25.4 / 72
    x, y = (matrix[0] / 2 + matrix[2] / 2 + matrix[4], matrix[1] / 2 + matrix[3] / 2 + matrix[5])
    middle = x * 25.4 / 72, y * 25.4 / 72
    crop = (middle[0] - side_mm / 2, middle[1] - 0.3, side_mm / 2, 0.6)  # from the middle to the left
    black = separate(pdf, 2400, 1, crop)["Black"].ink
    line_mm = float((black > 0.5).sum(axis=1).mean()) / 2400 * 25.4
    wanted = max(0.25 * 25.4 / 72, width * side_mm / 60)
    assert line_mm == pytest.approx(wanted, abs=0.02)  # a dot of the plate on either side
    assert card.page == 0
