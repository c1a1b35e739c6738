"""Set text in blocks: in the lines that print largest, with fractions stacked and exponents raised.

A block is measured by the smallest circle around its lines, because that circle is what the layout places: of all ways
to break a text, the one with the smallest circle has the largest letters on the card.

Invariant: lines are centred on x = 0 and their ink never touches.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dobble_print.art.text.breaking import LONELY, MINUS, Fraction, Piece, Plain, Shifted, list_ways, read_pieces
from dobble_print.art.text.shaping import (
    Bar,
    Bounds,
    TextBox,
    TextFonts,
    has_right_to_left,
    join_boxes,
    open_text_fonts,
    overlay_boxes,
    shape_text,
)
from dobble_print.errors import ArtworkError, Fault
from dobble_print.theme.model import TextStyle

LINE_HEIGHT = 1.12  # in ems; labels of one to three lines want to hang together
LINE_GAP = 0.14  # in ems, between the ink of two lines: fractions and stacked accents push them apart
LONGEST_LINE = 5  # characters that stay together where there is no badge to fill
LINE_COST = 0.03  # another line must win so much: fewer lines read better
SHIFTED_SIZE = 0.62
RAISE, LOWER = 0.37, -0.17
SHIFTED_GAP = 0.04
FRACTION_SIZE = 0.74
FRACTION_GAP = 0.1  # between the digits and the bar
OVERHANG = 0.06  # of the bar beyond its digits
WHOLE_GAP = 0.1  # between a whole number and its fraction
SMALL_DIGIT_MM, X_HEIGHT_MM = 2.0, 2.5  # a raised digit 2 mm high reads as well as letters with an x-height of 2.5 mm


@dataclass(frozen=True, eq=False)
class Block:
    """Lines of type as one box around the origin, and the radius of the circle around it, in ems."""

    box: TextBox
    lines: tuple[str, ...]
    radius: float


def set_block(text: str, style: TextStyle, fills_badge: bool = False) -> Block:
    """Set the text in the lines that fit into the smallest circle."""
    composed = unicodedata.normalize("NFC", text.strip())
    fonts = open_text_fonts(_strip_typing(composed), style)
    longest, lonely = (0, 0) if fills_badge else (LONGEST_LINE, LONELY)
    ways = list_ways(composed, style.lines, longest, lonely)
    made: dict[str, TextBox] = {}
    blocks = [_stack_lines(lines, fonts, made) for lines in ways]
    if not blocks or not all(any(block.box.bounds) for block in blocks):
        raise ArtworkError(Fault("nothing of the text can be seen", "Write letters, digits or signs."))
    return min(blocks, key=lambda block: round(block.radius * (1 + LINE_COST * (len(block.lines) - 1)), 6))


def _strip_typing(text: str) -> str:
    """Return the characters that are drawn, without those that only mark up fractions and exponents."""
    pieces = [piece for line in text.splitlines() for way in list_ways(line, 1) for piece in _read(way[0])]
    return "".join(
        (piece.above + piece.below + piece.whole) if isinstance(piece, Fraction) else piece.text for piece in pieces
    )


def _read(line: str) -> list[Piece]:
    """Return the pieces of a line; a line with right-to-left letters stays as it is written."""
    return [Plain(line)] if has_right_to_left(line) else read_pieces(line)


def set_line(line: str, fonts: TextFonts) -> TextBox:
    """Set one line of text on its baseline."""
    return join_boxes(_set_piece(piece, fonts) for piece in _read(line))


def _set_piece(piece: Piece, fonts: TextFonts) -> TextBox:
    if isinstance(piece, Plain):
        return shape_text(piece.text, fonts)
    if isinstance(piece, Shifted):
        small = _set_small(piece.text, fonts, SHIFTED_SIZE)
        moved = small.move(SHIFTED_GAP, RAISE if piece.is_raised else LOWER)
        return replace(moved, width=moved.width + SHIFTED_GAP)
    fraction = _set_fraction(piece, fonts)
    if not piece.whole:
        return fraction
    return join_boxes([shape_text(piece.whole, fonts), fraction], WHOLE_GAP - OVERHANG)


def _set_small(text: str, fonts: TextFonts, size: float) -> TextBox:
    """Set digits smaller than the rest; they may be smaller than letters and read as well."""
    height = size * fonts.main.digit_height * X_HEIGHT_MM / SMALL_DIGIT_MM
    shaped = shape_text(text, fonts, size)
    return TextBox(shaped.width, shaped.marks, min(height, fonts.main.x_height))


def _set_fraction(piece: Fraction, fonts: TextFonts) -> TextBox:
    """Stack two numbers above and below a bar, which is as high and as thick as a minus."""
    axis, thickness = _measure_minus(fonts)
    above, below = (_set_small(text, fonts, FRACTION_SIZE) for text in (piece.above, piece.below))
    width = max(above.width, below.width) + 2 * OVERHANG
    top, bottom = axis + thickness / 2 + FRACTION_GAP, axis - thickness / 2 - FRACTION_GAP
    above = above.move((width - above.width) / 2, top - above.bounds[1])
    below = below.move((width - below.width) / 2, bottom - below.bounds[3])
    bar = TextBox(width, (Bar(0.0, axis - thickness / 2, width, thickness),))
    stacked = overlay_boxes([above, bar, below])
    return TextBox(width + OVERHANG, stacked.move(OVERHANG / 2).marks, stacked.x_height)


def _measure_minus(fonts: TextFonts) -> tuple[float, float]:
    """Return the middle and the thickness of a minus, or usual values where the font has none."""
    if not fonts.main.can_draw(MINUS):
        return 0.5 * fonts.main.digit_height, 0.1
    _, bottom, _, top = shape_text(MINUS, fonts).bounds
    return (bottom + top) / 2, max(0.06, top - bottom)


def _stack_lines(lines: Sequence[str], fonts: TextFonts, made: dict[str, TextBox]) -> Block:
    placed: list[TextBox] = []
    baseline = 0.0
    for line in lines:
        box = made[line] if line in made else made.setdefault(line, set_line(line, fonts))
        left, _, right, top = box.bounds
        if placed:
            baseline = min(baseline - LINE_HEIGHT, placed[-1].bounds[1] - LINE_GAP - top)
        placed.append(box.move(-(left + right) / 2, baseline))
    centre, radius = enclose_bounds([box.bounds for box in placed])
    return Block(overlay_boxes(placed).move(0.0, -centre), tuple(lines), radius)


def enclose_bounds(boxes: Sequence[Bounds]) -> tuple[float, float]:
    """Return the centre's height and the radius of the smallest circle around boxes centred on x = 0."""

    def reach(y: float) -> float:
        return max(math.hypot(right, max(abs(top - y), abs(bottom - y))) for _, bottom, right, top in boxes)

    low, high = min(box[1] for box in boxes), max(box[3] for box in boxes)
    for _ in range(60):  # the radius is a convex function of the height
        third = (high - low) / 3
        if reach(low + third) <= reach(high - third):
            high -= third
        else:
            low += third
    return (low + high) / 2, reach((low + high) / 2)
