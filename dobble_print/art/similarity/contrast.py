"""Find faint pictures: symbols that hardly show on the colour of the card.

Invariant: what counts is how much of a picture differs from the card it is printed on, not how pale it is by itself: a
white cloud is well seen on a blue card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PIL import Image, ImageColor

from dobble_print.art.similarity.color_vision import decode_srgb, measure_lab
from dobble_print.art.similarity.lookalikes import call_symbol
from dobble_print.errors import Fault
from dobble_print.messages import quote
from dobble_print.theme.model import Emoji, Symbol, Theme

SEEN = 3.0  # a colour difference that is seen at all
CLEAR = 6.0  # one that is seen at a glance; a pale grey cloud on white has 8
LEAST_SEEN = 0.01  # share of a picture's pixels that must be seen at all
LEAST_CLEAR = 0.04  # and at a glance; a white drawing with a thin outline shows 0.1
_COLOR_HINT = "Give the cards a colour (card: {background: lightblue})"


def measure_visibility(picture: Image.Image, background: str) -> tuple[float, float]:
    """Return the shares of a picture's pixels (RGBA) that are seen on a colour at all, and at a glance."""
    pixels = np.asarray(picture.convert("RGBA")) / 255.0
    alpha = pixels[..., 3:]
    ground = np.array(ImageColor.getrgb(background)[:3]) / 255.0
    printed = pixels[..., :3] * alpha + ground * (1 - alpha)
    difference = np.linalg.norm(measure_lab(decode_srgb(printed)) - measure_lab(decode_srgb(ground)), axis=-1)
    inside = alpha[..., 0] > 0.5
    count = max(int(inside.sum()), 1)
    return float((difference[inside] > SEEN).sum() / count), float((difference[inside] > CLEAR).sum() / count)


def examine_visibility(
    theme: Theme, symbols: Sequence[Symbol], pictures: Mapping[int, Image.Image]
) -> tuple[list[Fault], list[Fault]]:
    """Return faults for symbols that are invisible on the theme's cards, and warnings for those hardly visible.

    With little ink drawings become outlines, which are always seen.
    """
    faults: list[Fault] = []
    warnings: list[Fault] = []
    if theme.sheet.low_ink:
        return faults, warnings
    background = theme.card.background
    for number, picture in pictures.items():
        seen, clear = measure_visibility(picture, background)
        if seen < LEAST_SEEN:
            faults.append(_describe_faintness(symbols[number], background, "cannot be seen"))
        elif clear < LEAST_CLEAR:
            warnings.append(_describe_faintness(symbols[number], background, "is hardly seen"))
    return faults, warnings


def _describe_faintness(symbol: Symbol, background: str, what: str) -> Fault:
    color = "white" if background == "#ffffff" else background
    other = ", or take `art: openmoji`, which has outlines." if isinstance(symbol.source, Emoji) else "."
    return Fault(f"{quote(call_symbol(symbol))} {what} on {color} cards", f"{_COLOR_HINT}{other}", symbol.place)
