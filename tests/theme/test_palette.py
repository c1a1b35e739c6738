"""The palette: readable on white, told apart by everyone, dealt out evenly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest

from dobble_print.art.similarity.color_vision import VISIONS, Floats, Vision, decode_srgb, measure_lab, simulate_vision
from dobble_print.theme.faces import PLATES, assign_colors, list_colors, mark_language

COLORED: list[Vision] = [vision for vision in VISIONS if vision != "photocopy"]


def light_of(color: str) -> Floats:
    """Linear light of a colour."""
    return decode_srgb(np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as the accessibility guidelines count it."""
    dark, bright = sorted(float(light_of(color) @ [0.2126, 0.7152, 0.0722]) for color in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def difference(one: Floats, other: Floats) -> float:
    """CIEDE2000 between two CIELAB colours."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    strong = np.mean([np.hypot(a1, b1), np.hypot(a2, b2)]) ** 7
    stretch = 1.5 - 0.5 * np.sqrt(strong / (strong + 25**7))
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue, chroma, lightness = h1 + turn / 2, (c1 + c2) / 2, (l1 + l2) / 2
    waves = [(-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63)]
    t = 1 + sum(size * np.cos(np.radians(times * hue + shift)) for size, times, shift in waves)
    by_l = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2))
    by_c = (c2 - c1) / (1 + 0.045 * chroma)
    by_h = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    bend = (
        -2
        * np.sqrt(chroma**7 / (chroma**7 + 25**7))
        * np.sin(np.radians(60 * np.exp(-(((hue % 360 - 275) / 25) ** 2))))
    )
    return float(np.sqrt(by_l**2 + by_c**2 + by_h**2 + bend * by_c * by_h))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ],
)
def test_the_measure_of_difference_is_the_published_one(one: Floats, other: Floats, expected: float) -> None:
    """Pairs from the data published with CIEDE2000."""
    assert difference(np.array(one), np.array(other)) == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("name", list_colors())
def test_every_colour_reads_on_white(name: str) -> None:
    """Contrast of at least 4.5 : 1, as the guidelines ask for text."""
    assert contrast(list_colors()[name], "#ffffff") >= 4.5


@pytest.mark.parametrize("vision", COLORED)
def test_everyone_tells_the_colours_apart(vision: Vision) -> None:
    """With any colour vision, two colours differ by 16 at least; 2 can just be seen side by side."""
    seen = {name: measure_lab(simulate_vision(light_of(color), vision)) for name, color in list_colors().items()}
    least = min((difference(seen[one], seen[other]), one, other) for one, other in combinations(seen, 2))
    assert least[0] >= 16, least


@pytest.mark.parametrize("seed", range(1, 30))
def test_neighbours_differ_and_colours_are_dealt_evenly(seed: int) -> None:
    """57 symbols: no colour more than once above another, and none again before all others were."""
    colors = assign_colors(57, seed)
    assert all(one != other for one, other in pairwise(colors))
    size = len(list_colors())
    assert all(len(set(colors[i : i + size])) == size for i in range(len(colors) - size))
    counts = Counter(colors).values()
    assert max(counts) - min(counts) <= 1
    assert len(counts) == len(list_colors())


def test_the_same_seed_deals_the_same_colours() -> None:
    """Another seed deals others; a longer theme begins as the shorter one does."""
    assert assign_colors(30, 4) == assign_colors(30, 4)
    assert assign_colors(30, 4) != assign_colors(30, 5)
    assert assign_colors(57, 4)[:30] == assign_colors(30, 4)
    assert assign_colors(0) == []


def test_languages_are_marked_by_shape_as_well_as_colour() -> None:
    """Four languages have four shapes; words, rims and tags read on their plates."""
    marks = [mark_language(index, code) for index, code in enumerate(["en", "nl", "pt-BR", "de"])]
    assert [mark.shape for mark in marks] == list(PLATES)
    assert [mark.tag for mark in marks] == ["EN", "NL", "PT", "DE"]
    assert len({mark.tint for mark in marks}) == 4
    for mark in marks:
        assert contrast(mark.rim, "#ffffff") >= 4.5
        assert all(contrast(color, mark.tint) >= 3.7 for color in list_colors().values())
    assert mark_language(4, "fr").shape == "pill"
