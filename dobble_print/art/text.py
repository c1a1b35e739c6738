"""Words, sums and fractions as pictures: set as outlines, on nothing, on a shield or on a plate, then an SVG.

Invariant: the drawing is made of filled paths alone, so that it looks the same on every computer; and it says how
high its smallest letters are, so that the layout can keep them readable.
"""

from __future__ import annotations

from collections.abc import Sequence

from dobble_print.art.text_blocks import set_block
from dobble_print.art.text_boxes import UNITS
from dobble_print.art.text_plates import Drawing, draw_plain, draw_plate, draw_shield
from dobble_print.theme.model import Text, TextStyle

SVG = "http://www.w3.org/2000/svg"


def draw_text(source: Text) -> bytes:
    """The SVG of a text symbol; raises an `ArtworkError` without a place."""
    drawing = _draw(source)
    box = " ".join(f"{edge:.6g}" for edge in drawing.box)
    return f'<svg xmlns="{SVG}" viewBox="{box}">{drawing.content}</svg>'.encode()


def text_to_svg(text: str, color: str, badge: Sequence[str] = (), style: TextStyle | None = None) -> bytes:
    """The text as filled outlines, in the lines that make the roundest block; a badge puts it on a shield."""
    return draw_text(Text(text, color, tuple(badge), style or TextStyle()))


def measure_x_height(source: Text) -> float:
    """The x-height of a text's smallest letters as a share of the longer side of its drawing's box.

    Digits of exponents and fractions count for 2.5 / 2.0 of their height: they may print a fifth smaller than the
    x-height asked for. Scripts without small letters count by the x-height of their font.
    """
    return _draw(source).x_height_share


def measure_box(source: Text) -> tuple[float, float, float]:
    """Width, height and x-height of a text's drawing, in units of its type size."""
    drawing = _draw(source)
    _, _, width, height = drawing.box
    return width / UNITS, height / UNITS, drawing.x_height / UNITS


def _draw(source: Text) -> Drawing:
    block = set_block(source.text, source.style, fills_badge=bool(source.badge))
    if source.badge:
        return draw_shield(block, source.color, source.badge)
    if source.style.mark:
        return draw_plate(block, source.color, source.style.mark)
    return draw_plain(block, source.color)
