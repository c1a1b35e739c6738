"""Words and sums as pictures: shaped by HarfBuzz, drawn as outlines of the program's font, then an SVG like any other.

Invariant: every character of the text has a glyph; one that has none is a fault, never a silent gap.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

from dobble_print.errors import ArtworkError, Fault
from dobble_print.fonts import font_bytes

LINE_HEIGHT = 1.12  # in ems; labels of one to three lines want to hang together
MOST_LINES = 3


def text_to_svg(text: str, color: str) -> bytes:
    """The text as filled outlines, broken into the lines that make the roundest block."""
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
    top, height = -1.1 * em, (len(lines) - 1) * LINE_HEIGHT * em + 1.5 * em
    box = f"{-0.1 * em:g} {top:g} {max(widths) + 0.2 * em:g} {height:g}"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" fill="{color}">{"".join(paths)}</svg>'
    return svg.encode()


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
    return min(_line_breaks(text.split()), key=lambda lines: _diagonal(lines, font))


def _line_breaks(words: list[str]) -> Iterator[list[str]]:
    for breaks in range(min(MOST_LINES, len(words))):
        for cuts in combinations(range(1, len(words)), breaks):
            edges = (0, *cuts, len(words))
            yield [" ".join(words[a:b]) for a, b in pairwise(edges)]


def _diagonal(lines: list[str], font: Any) -> float:
    width = max(_advance(line, font) for line in lines)
    return math.hypot(width, (len(lines) - 1) * LINE_HEIGHT * font.face.upem + 0.7 * font.face.upem)
