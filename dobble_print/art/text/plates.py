"""Draw text as a symbol: plain, on a plate, or in a shield.

Invariant: text becomes filled outlines, so that a drawing needs no font.
"""

from __future__ import annotations

from dataclasses import dataclass

from dobble_print.art.text.blocks import Block, set_block, set_line
from dobble_print.art.text.shaping import UNITS, Bounds, box_to_path, open_text_fonts, write_number
from dobble_print.theme.model import LanguageMark, Text, TextStyle

SHIELD = "M4 2Q28 10 50 2Q72 10 96 2V58C96 88 72 106 50 118C28 106 4 88 4 58Z"
SHIELD_BOX = (-4.0, -4.0, 108.0, 128.0)
SHIELD_ROOM = (70, 44)  # for the letters, where the shield is still broad
SHIELD_MIDDLE = 52
AIR = 0.1  # in ems, around a text without anything behind it
PAD_X, PAD_Y = 0.42, 0.3  # in ems, between the ink of a word and the edge of its plate
RIM = 0.075
LEAST_TOP, LEAST_BOTTOM = 0.7, -0.12  # plates of one line are equally high, with or without b and g
TAG_SIZE, TAG_PAD_X, TAG_PAD_Y = 0.5, 0.16, 0.1
TAG_INDENTS = {"pill": 0.75, "rectangle": 0.3, "underline": 0.3, "cut": 0.5}  # behind the corner
TAG_DIP = 0.16  # how far a tag reaches into its plate
UNDERLINE = 0.17


@dataclass(frozen=True)
class TextDrawing:
    """Content of an SVG with its view box (x, y, width, height), and how high the smallest letters are in it."""

    content: str
    box: tuple[float, float, float, float]
    x_height: float


def draw_plain(block: Block, color: str) -> TextDrawing:
    """Draw the text alone, with a little air."""
    left, bottom, right, top = block.box.bounds
    box = (left - AIR, -top - AIR, right - left + 2 * AIR, top - bottom + 2 * AIR)
    return TextDrawing(_draw_letters(block, color), _scale_box(box), block.box.x_height * UNITS)


def draw_shield(block: Block, color: str, badge: tuple[str, ...]) -> TextDrawing:
    """Draw the text on a shield: the field in the first colour, the border in the last."""
    left, bottom, right, top = block.box.bounds
    room_x, room_y = SHIELD_ROOM
    scale = min(room_x / (right - left), room_y / (top - bottom))
    x, y = 50 - scale * (left + right) / 2, SHIELD_MIDDLE + scale * (top + bottom) / 2
    field, border = badge[0], badge[-1]
    content = (
        f'<path d="{SHIELD}" fill="{border}" stroke="{border}" stroke-width="8" stroke-linejoin="round"/>'
        f'<path d="{SHIELD}" fill="{field}" stroke="{field}" stroke-width="3" stroke-linejoin="round" '
        f'transform="translate(50 56) scale(0.9) translate(-50 -56)"/>'
        f'<g transform="translate({x:.5g} {y:.5g}) scale({scale / UNITS:.5g})">{_draw_letters(block, color)}</g>'
    )
    return TextDrawing(content, SHIELD_BOX, block.box.x_height * scale)


def draw_plate(block: Block, color: str, mark: LanguageMark) -> TextDrawing:
    """Draw the text on the plate of its language."""
    left, bottom, right, top = _find_plate(block, mark)
    plate = _draw_plate_shape((left, bottom, right, top), mark)
    tag, tag_height = _draw_tag(mark, left, right, top)
    rim = 0.0 if mark.shape == "underline" else RIM / 2
    box = (left - rim, -top - max(rim, tag_height), right - left + 2 * rim, top - bottom + rim + max(rim, tag_height))
    return TextDrawing(plate + _draw_letters(block, color) + tag, _scale_box(box), block.box.x_height * UNITS)


def _draw_letters(block: Block, color: str) -> str:
    return f'<path d="{box_to_path(block.box)}" fill="{color}"/>'


def _scale_box(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x, y, width, height = (edge * UNITS for edge in box)
    return (x, y, width, height)


def _find_plate(block: Block, mark: LanguageMark) -> Bounds:
    """Return the edges of the plate: padding around the ink, a little more at the ends of a pill."""
    left, bottom, right, top = block.box.bounds
    if len(block.lines) == 1:
        baseline = block.box.marks[0].y
        top, bottom = max(top, baseline + LEAST_TOP), min(bottom, baseline + LEAST_BOTTOM)
    pad_top = PAD_Y + (0.1 if mark.tag else 0.0)
    pad_bottom = PAD_Y + (0.5 * UNDERLINE if mark.shape == "underline" else 0.0)
    pad_x = PAD_X + (0.12 * (top - bottom) if mark.shape == "pill" else 0.0)
    return (left - pad_x, bottom - pad_bottom, right + pad_x, top + pad_top)


def _draw_plate_shape(edges: Bounds, mark: LanguageMark) -> str:
    left, bottom, right, top = edges
    height = top - bottom
    rim = f'fill="{mark.tint}" stroke="{mark.rim}" stroke-width="{write_number(RIM * UNITS)}" stroke-linejoin="round"'
    if mark.shape == "cut":
        cut = 0.26 * min(1.3, height)
        corners = [
            (left + cut, top), (right - cut, top), (right, top - cut), (right, bottom + cut),
            (right - cut, bottom), (left + cut, bottom), (left, bottom + cut), (left, top - cut),
        ]  # fmt: skip
        points = [f"{write_number(x * UNITS)} {write_number(-y * UNITS)}" for x, y in corners]
        return f'<path d="M{"L".join(points)}Z" {rim}/>'
    if mark.shape == "underline":
        line = _draw_rectangle((left, bottom, right, bottom + UNDERLINE), 0.0, f'fill="{mark.rim}"')
        return _draw_rectangle(edges, 0.0, f'fill="{mark.tint}"') + line
    radius = min(height / 2, 0.85) if mark.shape == "pill" else 0.06
    return _draw_rectangle(edges, radius, rim)


def _draw_rectangle(edges: Bounds, radius: float, paint: str) -> str:
    left, bottom, right, top = edges
    values = {"x": left, "y": -top, "width": right - left, "height": top - bottom, "rx": radius}
    written = " ".join(f'{name}="{write_number(value * UNITS)}"' for name, value in values.items())
    return f"<rect {written} {paint}/>"


def _draw_tag(mark: LanguageMark, left: float, right: float, top: float) -> tuple[str, float]:
    """Draw the language's code on a tab at the plate's upper edge; return it and how far it rises above the edge."""
    if not mark.tag:
        return "", 0.0
    letters = set_line(mark.tag, open_text_fonts(mark.tag, TextStyle()))
    x0, y0, x1, y1 = (TAG_SIZE * edge for edge in letters.bounds)
    width, height = x1 - x0 + 2 * TAG_PAD_X, y1 - y0 + 2 * TAG_PAD_Y
    start, foot = min(left + TAG_INDENTS[mark.shape], (left + right - width) / 2), top - TAG_DIP
    tab = _draw_rectangle((start, foot, start + width, foot + height), 0.09, f'fill="{mark.rim}"')
    at_x, at_y = (start + TAG_PAD_X - x0) * UNITS, -(foot + TAG_PAD_Y - y0) * UNITS
    moved = f"translate({write_number(at_x)} {write_number(at_y)}) scale({TAG_SIZE})"
    return f'{tab}<path transform="{moved}" d="{box_to_path(letters)}" fill="#ffffff"/>', height - TAG_DIP


SVG = "http://www.w3.org/2000/svg"


def draw_text(source: Text) -> bytes:
    """Return the SVG of a text symbol; raise an `ArtworkError` without a place."""
    drawing = _draw_source(source)
    box = " ".join(f"{edge:.6g}" for edge in drawing.box)
    return f'<svg xmlns="{SVG}" viewBox="{box}">{drawing.content}</svg>'.encode()


def measure_x_height(source: Text) -> float:
    """Return the x-height of a text's smallest letters as a share of its box's longer side.

    Digits of exponents and fractions count for 2.5 / 2.0 of their height: they may print a fifth smaller than the
    x-height asked for. Scripts without small letters count by the x-height of their font.
    """
    drawing = _draw_source(source)
    return drawing.x_height / max(drawing.box[2:])


def measure_box(source: Text) -> tuple[float, float, float]:
    """Return width, height and x-height of a text's drawing, in units of its type size."""
    drawing = _draw_source(source)
    _, _, width, height = drawing.box
    return width / UNITS, height / UNITS, drawing.x_height / UNITS


def _draw_source(source: Text) -> TextDrawing:
    block = set_block(source.text, source.style, fills_badge=bool(source.badge))
    if source.badge:
        return draw_shield(block, source.color, source.badge)
    if source.style.mark:
        return draw_plate(block, source.color, source.style.mark)
    return draw_plain(block, source.color)
