"""Words and sums as pictures: shaped by HarfBuzz, drawn as outlines of the program's font, then an SVG like any other.

Invariant: every character of the text has a glyph; one that has none is a fault, never a silent gap.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

from dobble_print.errors import ArtworkError, Fault
from dobble_print.fonts import font_bytes

LINE_HEIGHT = 1.12  # in ems; labels of one to three lines want to hang together
MOST_LINES = 3
LONGEST_LINE = 8  # characters that always stay together
CAP_HEIGHT = 0.69  # in ems

SVG = "http://www.w3.org/2000/svg"
SHIELD = "M4 2Q28 10 50 2Q72 10 96 2V58C96 88 72 106 50 118C28 106 4 88 4 58Z"
SHIELD_ROOM = (70, 44)  # for the letters, where the shield is still broad
SHIELD_MIDDLE = 52


def text_to_svg(text: str, color: str, badge: Sequence[str] = ()) -> bytes:
    """The text as filled outlines, in the lines that make the roundest block; a badge puts it on a shield."""
    block = _set_block(text)
    if not badge:
        air = 0.1 * block.em
        box = f"{-air:g} {-11 * air:g} {block.width + 2 * air:g} {block.height + 8 * air:g}"
        return f'<svg xmlns="{SVG}" viewBox="{box}" fill="{color}">{block.paths}</svg>'.encode()
    field, border = badge[0], badge[-1]
    room_x, room_y = SHIELD_ROOM
    scale = min(room_x / block.width, room_y / block.height)
    x, y = (100 - scale * block.width) / 2, SHIELD_MIDDLE + scale * (CAP_HEIGHT * block.em - block.height / 2)
    return (
        f'<svg xmlns="{SVG}" viewBox="-4 -4 108 128">'
        f'<path d="{SHIELD}" fill="{border}" stroke="{border}" stroke-width="8" stroke-linejoin="round"/>'
        f'<path d="{SHIELD}" fill="{field}" stroke="{field}" stroke-width="3" stroke-linejoin="round" '
        f'transform="translate(50 56) scale(0.9) translate(-50 -56)"/>'
        f'<g transform="translate({x:g} {y:g}) scale({scale:g})" fill="{color}">{block.paths}</g></svg>'
    ).encode()


@dataclass(frozen=True)
class _Block:
    """Lines of text as paths, the first baseline at y = 0; the height is from capitals to last baseline."""

    paths: str
    width: float
    height: float
    em: float


def _set_block(text: str) -> _Block:
    font = _font()
    _refuse_missing_glyphs(text, font)
    lines = _best_lines(text, font)
    em = float(font.face.upem)
    widths = [_advance(line, font) for line in lines]
    places = [((max(widths) - width) / 2, i * LINE_HEIGHT * em) for i, width in enumerate(widths)]
    paths = [
        f'<path transform="translate({x:g} {y:g})" d="{_outline(line, font)}"/>'
        for line, (x, y) in zip(lines, places, strict=True)
    ]
    return _Block("".join(paths), max(widths), (len(lines) - 1) * LINE_HEIGHT * em + CAP_HEIGHT * em, em)


@lru_cache(maxsize=1)
def _font() -> Any:
    import uharfbuzz

    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob(font_bytes(bold=True))))


def _refuse_missing_glyphs(text: str, font: Any) -> None:
    missing = [char for char in dict.fromkeys(text) if not char.isspace() and not font.get_nominal_glyph(ord(char))]
    if missing:
        named = ", ".join(f'"{char}" (U+{ord(char):04X})' for char in missing)
        raise ArtworkError(Fault(f"the font has no letter for {named}", "Use other characters, or a picture."))


def _shape(line: str, font: Any) -> Any:
    import uharfbuzz

    buffer = uharfbuzz.Buffer()
    buffer.add_str(line)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    return buffer


def _advance(line: str, font: Any) -> float:
    return float(sum(position.x_advance for position in _shape(line, font).glyph_positions))


def _outline(line: str, font: Any) -> str:
    """The glyphs of a line as one SVG path, y down, starting at the origin on the baseline."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    pen = SVGPathPen(None)
    shaped, x = _shape(line, font), 0.0
    for info, position in zip(shaped.glyph_infos, shaped.glyph_positions, strict=True):
        moved = TransformPen(pen, (1, 0, 0, -1, x + position.x_offset, -position.y_offset))
        font.draw_glyph_with_pen(info.codepoint, moved)
        x += position.x_advance
    return str(pen.getCommands())


def _best_lines(text: str, font: Any) -> list[str]:
    """The line breaks whose block has the smallest diagonal: the text prints largest on a card."""
    if "\n" in text:
        return [line.strip() for line in text.splitlines() if line.strip()]
    words = text.split()
    if len(text) <= LONGEST_LINE:  # a sum torn apart is hard to read
        return [" ".join(words)]
    return min(_line_breaks(words), key=lambda lines: _diagonal(lines, font))


def _line_breaks(words: list[str]) -> Iterator[list[str]]:
    for breaks in range(min(MOST_LINES, len(words))):
        for cuts in combinations(range(1, len(words)), breaks):
            edges = (0, *cuts, len(words))
            yield [" ".join(words[a:b]) for a, b in pairwise(edges)]


def _diagonal(lines: list[str], font: Any) -> float:
    width = max(_advance(line, font) for line in lines)
    return math.hypot(width, ((len(lines) - 1) * LINE_HEIGHT + CAP_HEIGHT) * font.face.upem)
