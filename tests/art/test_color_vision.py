"""How colours look to players and on a photocopy."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from dobble_print.art.similarity.color_vision import (
    COLOR_BLIND,
    VISIONS,
    Vision,
    decode_srgb,
    encode_srgb,
    measure_appearance,
    measure_lab,
    simulate_picture,
    simulate_vision,
)

RED, GREEN, BLUE, YELLOW = np.array([(0xDD, 0x2E, 0x44), (0x77, 0xB2, 0x55), (0x55, 0xAC, 0xEE), (0xFF, 0xCC, 0x4D)])


def distance(a: np.ndarray, b: np.ndarray, vision: Vision) -> float:
    """How different two sRGB colours seem."""
    one, other = (measure_appearance(simulate_vision(decode_srgb(color / 255), vision)) for color in (a, b))
    return float(np.linalg.norm(one - other))


@pytest.mark.parametrize("vision", VISIONS)
def test_paper_stays_white_and_ink_black(vision: Vision) -> None:
    """A picture keeps its background with every vision."""
    assert simulate_vision(np.ones(3), vision) == pytest.approx(np.ones(3), abs=0.01)
    assert simulate_vision(np.zeros(3), vision) == pytest.approx(np.zeros(3))


@pytest.mark.parametrize("vision", COLOR_BLIND)
def test_greys_stay_grey(vision: Vision) -> None:
    """Only colours change."""
    assert simulate_vision(np.full(3, 0.3), vision) == pytest.approx(np.full(3, 0.3), abs=0.005)


def test_a_known_red_for_protanopes() -> None:
    """Pure red turns into the dark olive that the published matrix gives."""
    assert simulate_vision(np.array([1.0, 0, 0]), "protanopia") == pytest.approx([0.152286, 0.114503, 0.0], abs=1e-6)


@pytest.mark.parametrize(
    ("srgb", "lab"),
    [((1, 0, 0), (53.24, 80.09, 67.20)), ((0, 0, 1), (32.30, 79.19, -107.86)), ((0.5, 0.5, 0.5), (53.39, 0, 0))],
)
def test_cielab_of_known_colours(srgb: tuple[float, ...], lab: tuple[float, ...]) -> None:
    """The values of colour tables."""
    assert measure_lab(decode_srgb(np.array(srgb, float))) == pytest.approx(lab, abs=0.05)


def test_srgb_there_and_back() -> None:
    """Decoding and encoding undo each other."""
    values = np.linspace(0, 1, 256)
    assert encode_srgb(decode_srgb(values)) == pytest.approx(values, abs=1e-6)


def test_red_and_green_are_near_for_deuteranopes_alone() -> None:
    """Far apart for everybody and for tritanopes, near for deuteranopes."""
    assert distance(RED, GREEN, "everybody") > 50
    assert distance(RED, GREEN, "tritanopia") > 50
    assert distance(RED, GREEN, "deuteranopia") < 20


@pytest.mark.parametrize("vision", COLOR_BLIND)
def test_blue_and_yellow_stay_apart_for_all_but_tritanopes(vision: Vision) -> None:
    """The pair of colours that is safe for nearly everybody; even tritanopes see one of them lighter or redder."""
    assert distance(BLUE, YELLOW, vision) > 40


def test_a_photocopy_has_no_colour() -> None:
    """Red, green and blue become greys as light as they were."""
    for color in (RED, GREEN, BLUE):
        grey = simulate_vision(decode_srgb(color / 255), "photocopy")
        assert np.ptp(grey) < 1e-9
        assert measure_lab(grey)[0] == pytest.approx(measure_lab(decode_srgb(color / 255))[0], abs=0.05)


def test_a_picture_keeps_its_outline() -> None:
    """Seen by others, a picture changes its colours and nothing else."""
    picture = Image.new("RGBA", (4, 3), (221, 46, 68, 200))
    picture.putpixel((0, 0), (0, 0, 0, 0))
    seen = simulate_picture(picture, "deuteranopia")
    assert (seen.size, seen.mode) == (picture.size, "RGBA")
    assert seen.getchannel("A").tobytes() == picture.getchannel("A").tobytes()
    red, green, blue, _ = seen.getpixel((1, 1))  # type: ignore[misc]
    assert abs(int(red) - int(green)) < 40 and int(blue) < int(red)
    assert simulate_picture(picture, "everybody").tobytes() == picture.tobytes()
