"""Sums: what they are worth, and what is doubtful about them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from dobble_print.resources import shipped_themes
from dobble_print.theme.arithmetic import evaluate, warn_about_sums
from dobble_print.theme.reader import read_theme
from tests.conftest import Run

WORTH = {
    "12": 12,
    "3 × 4": 12,
    "3x4": 12,
    "3 · 4": 12,
    "24 : 2": 12,
    "24 ÷ 2": 12,
    "20 − 8": 12,
    "2 × (4 + 2)": 12,
    "7 + 5 × 1": 12,
    "1/2": Fraction(1, 2),
    "½": Fraction(1, 2),
    "1 1/2": Fraction(3, 2),
    "1½": Fraction(3, 2),
    "0,5": Fraction(1, 2),
    "12.5 %": Fraction(1, 8),
    "-3": -3,
}


@pytest.mark.parametrize("text", WORTH)
def test_numbers_and_sums_have_a_value(text: str) -> None:
    """As people write them, in any language."""
    found = evaluate(text)
    assert found and found.value == WORTH[text]


@pytest.mark.parametrize("text", ["", "cat", "8:30", "x", "3 ×", "(3", "1/0", "10³", "√9", "3 kg", "--", "14.30", "+"])
def test_what_is_no_sum_has_none(text: str) -> None:
    """Words, clock times, units and half a sum are left alone."""
    assert evaluate(text) is None


def warnings_of(tmp_path: Path, *faces: str) -> list[str]:
    """What is doubtful about symbols with these faces, with their lines."""
    path = tmp_path / "theme.yaml"
    path.write_text("symbols:\n" + "".join(f"  - {{faces: [{each}]}}\n" for each in faces), encoding="utf-8")
    return [f"{fault.place.line}: {fault.what}" for fault in warn_about_sums(read_theme(path).symbols) if fault.place]


SUMS = ('"1 + 1", "2"', '"1 + 2", "3"', '"2 + 2", "4"', '"2 + 3", "5"', '"3 + 3", "6"', '"3 + 4", "7"')


def test_a_wrong_answer_is_told(tmp_path: Path) -> None:
    """Nobody checks thirty sums by eye."""
    told = warnings_of(tmp_path, '"3 × 4", "13"', *SUMS)
    assert told == ['2: "3 × 4" and "13" are faces of one symbol, but not equal (3 × 4 = 12)']


def test_two_symbols_of_one_value_are_told(tmp_path: Path) -> None:
    """12 and 2 × 6 are a match for any child."""
    told = warnings_of(tmp_path, '"3 × 4", "12"', '"2 × 6", "6 + 6"', *SUMS)
    assert told == ['3: "2 × 6" is equal to "3 × 4" of the symbol on line 2']


def test_a_rounded_decimal_is_no_mistake(tmp_path: Path) -> None:
    """1/3 is 0.33 to everybody."""
    assert warnings_of(tmp_path, '"1/3", "0.33", "33 %"', *SUMS) == []


@pytest.mark.parametrize("name", shipped_themes())
def test_the_sums_that_ship_are_right(name: str) -> None:
    """No theme of the shelf has a wrong answer, or two right ones."""
    assert warn_about_sums(read_theme(shipped_themes()[name]).symbols) == ()


@pytest.mark.parametrize("command", ["check", "build"])
def test_the_commands_warn(run: Run, tmp_path: Path, command: str) -> None:
    """With the line, and the deck is made all the same."""
    symbols = ", ".join(f"{{faces: [{each}]}}" for each in ('"3 × 4", "13"', *SUMS))
    (tmp_path / "sums.yaml").write_text(f"symbols: [{symbols}]\n", encoding="utf-8")
    done = run(command, "sums.yaml", *(["--quality", "draft"] if command == "build" else []))
    assert done.returncode == 0 and "(3 × 4 = 12)" in done.stderr
