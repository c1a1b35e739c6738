"""Shape text: choose typefaces, order runs, place glyphs.

Invariant: a text is refused where a character is in none of its fonts, or a font makes it endless.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any

from dobble_print.errors import ArtworkError, Fault
from dobble_print.fonts import FontFile, find_font, hint_missing, list_fallbacks
from dobble_print.theme.model import TextStyle

UNITS = 1000  # of the drawing to an em: curves rounded to a tenth of a unit are finer than any printer
# Of the outlines of one letter, and of one text: the program's own fonts have up to 300 to a letter, a chalk font 2000.
MOST_LETTER_POINTS = 3_000
MOST_TEXT_POINTS = 12_000
Bounds = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(frozen=True, eq=False)
class Typeface:
    """A font opened by HarfBuzz, and its measures in ems.

    A harmful font is refused for good: each of a theme's texts would have it try again.
    """

    name: str
    font: Any
    em: float
    x_height: float
    digit_height: float
    faults: list[Fault] = field(default_factory=list)
    points: dict[int, int] = field(default_factory=dict)
    extents: dict[int, Bounds] = field(default_factory=dict)

    def refuse(self, fault: Fault) -> None:
        """Raise a fault of the font, now and whenever it is asked for again."""
        self.faults.append(fault)
        ArtworkError.raise_any(self.faults)

    def count_points(self, glyph: int) -> int:
        """Return how many points a glyph's outlines have; counting is a hundred times quicker than drawing."""
        if glyph not in self.points:
            pen = _CountingPen()
            self.font.draw_glyph_with_pen(glyph, pen)
            self.points[glyph] = pen.points
        return self.points[glyph]

    def can_draw(self, char: str) -> bool:
        """Return whether the font has a glyph for the character, or needs none."""
        return char.isspace() or char in UNSEEN or bool(self.font.get_nominal_glyph(ord(char)))

    def bounds(self, glyph: int) -> Bounds:
        """Return the ink of a glyph at a size of 1, cached: every way to break a text asks for it."""
        if glyph not in self.extents:
            self.extents[glyph] = self._measure(glyph)
        return self.extents[glyph]

    def _measure(self, glyph: int) -> Bounds:
        found = self.font.get_glyph_extents(glyph)
        if found is None:
            return (0.0, 0.0, 0.0, 0.0)
        left, top = found.x_bearing / self.em, found.y_bearing / self.em
        return (left, top + found.height / self.em, left + found.width / self.em, top)


class _CountingPen:
    """A pen that counts points and draws nothing; a pen that raises would not stop HarfBuzz."""

    def __init__(self) -> None:
        self.points = 0

    def moveTo(self, *points: Any) -> None:
        self.points += len(points)

    lineTo = curveTo = qCurveTo = moveTo

    def closePath(self) -> None:
        pass

    endPath = closePath


@dataclass(frozen=True, eq=False)
class Glyph:
    """A glyph of a typeface, its origin and its size."""

    typeface: Typeface
    glyph: int
    x: float
    y: float
    size: float

    @property
    def bounds(self) -> Bounds | None:
        """Return where its ink lies; None for a space."""
        left, bottom, right, top = (self.size * edge for edge in self.typeface.bounds(self.glyph))
        if right <= left or top <= bottom:
            return None
        return (self.x + left, self.y + bottom, self.x + right, self.y + top)


@dataclass(frozen=True)
class Bar:
    """The straight bar of a fraction."""

    x: float
    y: float
    width: float
    height: float

    @property
    def bounds(self) -> Bounds:
        """Return the whole bar."""
        return (self.x, self.y, self.x + self.width, self.y + self.height)


Mark = Glyph | Bar


@dataclass(frozen=True, eq=False)
class TextBox:
    """Marks on a baseline; `width` is where the next box begins, `x_height` the least one of its letters."""

    width: float = 0.0
    marks: tuple[Mark, ...] = ()
    x_height: float = float("inf")

    @cached_property
    def bounds(self) -> Bounds:
        """Return the ink; an empty box at the origin where there is none."""
        found = [mark.bounds for mark in self.marks]
        inked = [bounds for bounds in found if bounds]
        if not inked:
            return (0.0, 0.0, 0.0, 0.0)
        lefts, bottoms, rights, tops = zip(*inked, strict=True)
        return (min(lefts), min(bottoms), max(rights), max(tops))

    def move(self, x: float, y: float = 0.0) -> TextBox:
        """Return the box with its marks moved."""
        moved = tuple(replace(mark, x=mark.x + x, y=mark.y + y) for mark in self.marks)
        return replace(self, marks=moved)


def join_boxes(boxes: Iterable[TextBox], gap: float = 0.0) -> TextBox:
    """Join boxes side by side on one baseline."""
    marks: list[Mark] = []
    x, x_height = 0.0, float("inf")
    for index, box in enumerate(boxes):
        x += gap if index else 0.0
        marks += box.move(x).marks
        x, x_height = x + box.width, min(x_height, box.x_height)
    return TextBox(x, tuple(marks), x_height)


def overlay_boxes(boxes: Sequence[TextBox]) -> TextBox:
    """Join boxes that have been moved to their places."""
    marks = tuple(mark for box in boxes for mark in box.marks)
    x_height = min((box.x_height for box in boxes), default=float("inf"))
    return TextBox(max((box.width for box in boxes), default=0.0), marks, x_height)


def box_to_path(box: TextBox) -> str:
    """Return the marks of a box as one SVG path, y down, `UNITS` to the em; raise where a font makes it endless."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    _refuse_endless(box)
    pen = SVGPathPen(None, ntos=write_number)
    for mark in box.marks:
        if isinstance(mark, Bar):
            left, bottom, right, top = mark.bounds
            pen.moveTo((left * UNITS, -bottom * UNITS))
            for x, y in ((left, top), (right, top), (right, bottom)):
                pen.lineTo((x * UNITS, -y * UNITS))
            pen.closePath()
            continue
        scale = mark.size * UNITS / mark.typeface.em
        moved = TransformPen(pen, (scale, 0, 0, -scale, mark.x * UNITS, -mark.y * UNITS))
        mark.typeface.font.draw_glyph_with_pen(mark.glyph, moved)
    return str(pen.getCommands())


def _refuse_endless(box: TextBox) -> None:
    """Count before drawing: a font of a few kilobytes can hold letters of a hundred thousand points."""
    total = 0
    for mark in box.marks:
        if isinstance(mark, Bar):
            continue
        name, points = mark.typeface.name, mark.typeface.count_points(mark.glyph)
        if points > MOST_LETTER_POINTS:
            mark.typeface.refuse(Fault(f'the font "{name}" has letters of far too many points', "Use a simpler font."))
        total += points
        if total > MOST_TEXT_POINTS:
            what = f'the letters of the font "{name}" have too many points for so long a text'
            raise ArtworkError(Fault(what, "Shorten the text, or use a simpler font."))


def write_number(value: float) -> str:
    """Write a number of a drawing, rounded to a tenth."""
    return f"{round(value, 1) + 0.0:.6g}"


RIGHT_TO_LEFT = {"R", "AL"}
LETTER_BY_LETTER = {"liga": False, "clig": False}  # who learns to read looks for the dot of the i in "fiets"
MOST_GLYPHS = 20  # that a font may make of one character; honest ones make up to five
# joiners, direction marks and variation selectors have no ink: a font need not have them
UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2066\u2067\u2068\u2069\ufe0e\ufe0f")


@dataclass(frozen=True)
class TextFonts:
    """The typefaces for a text, the chosen one first, and the language for letters that differ by country."""

    typefaces: tuple[Typeface, ...]
    language: str = ""

    @property
    def main(self) -> Typeface:
        """Return the chosen typeface."""
        return self.typefaces[0]


def open_text_fonts(text: str, style: TextStyle) -> TextFonts:
    """Open the typefaces that a text needs; raise when a letter is in none of them."""
    chosen = find_font(style.font, style.folder)
    files = [chosen]
    if not chosen.is_own and _find_missing(text, [open_typeface(chosen)]):
        files += [font for font in list_fallbacks(text, style.language) if font != chosen]
    fonts = TextFonts(tuple(map(open_typeface, files)), style.language)
    ArtworkError.raise_any(fonts.main.faults)
    missing = _find_missing(text, fonts.typefaces)
    if missing:
        named = ", ".join(f'"{char}" (U+{ord(char):04X})' for char in missing)
        font = f'the font "{chosen.name}"' if chosen.is_own else "the font"
        raise ArtworkError(Fault(f"{font} has no letter for {named}", hint_missing(missing)))
    return fonts


def _find_missing(text: str, typefaces: Sequence[Typeface]) -> list[str]:
    return [char for char in dict.fromkeys(text) if not any(face.can_draw(char) for face in typefaces)]


@lru_cache(maxsize=16)
def open_typeface(file: FontFile) -> Typeface:
    """Open and measure a font file; HarfBuzz parses it with bounds checks."""
    import uharfbuzz

    font = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob(file.data), file.face))
    if file.weight is not None:
        font.set_variations({"wght": file.weight})
    em = float(font.face.upem)
    digit = _measure_height("8", font) or 0.7 * em
    return Typeface(file.name, font, em, (_measure_height("x", font) or 0.72 * digit) / em, digit / em)


def _measure_height(char: str, font: Any) -> float:
    """Return how high a character stands above the baseline; 0 when the font lacks it."""
    glyph = font.get_nominal_glyph(ord(char))
    extents = font.get_glyph_extents(glyph) if glyph else None
    return max(0.0, float(extents.y_bearing)) if extents else 0.0


def has_right_to_left(text: str) -> bool:
    """Return whether any letter runs to the left."""
    return any(unicodedata.bidirectional(char) in RIGHT_TO_LEFT for char in text)


def shape_text(text: str, fonts: TextFonts, size: float = 1.0) -> TextBox:
    """Shape a text on one line; its x-height is its font's, also for scripts without small letters."""
    runs = [
        _shape_run(part, typeface, is_left, fonts.language, size)
        for run, is_left in _order_runs(text)
        for part, typeface in _cut_parts(run, is_left, fonts)
    ]
    return join_boxes(runs)


def _shape_run(text: str, typeface: Typeface, is_left: bool, language: str, size: float) -> TextBox:
    buffer = _fill_buffer(text, typeface, is_left, language)
    x, glyphs, scale = 0.0, [], size / typeface.em
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        at_x, at_y = x + scale * position.x_offset, scale * position.y_offset
        glyphs.append(Glyph(typeface, info.codepoint, at_x, at_y, size))
        x += scale * position.x_advance
    return TextBox(x, tuple(glyphs), size * typeface.x_height if text.strip() else float("inf"))


def _fill_buffer(text: str, typeface: Typeface, is_left: bool, language: str) -> Any:
    """Return the shaped glyphs; refuse a font whose rules multiply letters without end."""
    import uharfbuzz

    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if is_left else "ltr"
    if language:
        buffer.language = language
    try:
        uharfbuzz.shape(typeface.font, buffer, LETTER_BY_LETTER if buffer.script == "Latn" else None)
        is_endless = len(buffer) > MOST_GLYPHS * len(text)
    except MemoryError:  # HarfBuzz has limits of its own
        is_endless = True
    if is_endless:
        what = f'the font "{typeface.name}" is damaged or unusable: its rules multiply letters without end'
        typeface.refuse(Fault(what, "Use another font, or download it again."))
    return buffer


def _order_runs(text: str) -> list[tuple[str, bool]]:
    """Return runs of one direction in drawing order, left to right, and whether each is read to the left."""
    if not has_right_to_left(text):
        return [(text, False)]
    runs = [(level, "".join(char for char, _ in part)) for level, part in groupby(_find_levels(text), lambda c: c[1])]
    for floor in range(max(level for level, _ in runs), 0, -1):
        runs = _reverse_above(runs, floor)
    return [(run, bool(level % 2)) for level, run in runs]


def _reverse_above(runs: Iterable[tuple[int, str]], floor: int) -> list[tuple[int, str]]:
    """Reverse neighbouring runs whose level is that deep or deeper; HarfBuzz turns their letters."""
    ordered: list[tuple[int, str]] = []
    for is_deep, part in groupby(runs, lambda run: run[0] >= floor):
        ordered += list(part)[:: -1 if is_deep else 1]
    return ordered


def _find_levels(text: str) -> list[tuple[str, int]]:
    """Return the characters with their embedding levels, after the Unicode bidirectional algorithm."""
    from bidi import algorithm

    storage = algorithm.get_empty_storage()
    storage["base_level"] = algorithm.get_base_level(text)
    storage["base_dir"] = "LR"[storage["base_level"]]
    algorithm.get_embedding_levels(text, storage)
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    algorithm.resolve_neutral_types(storage, False)
    algorithm.resolve_implicit_levels(storage, False)
    return [(char["ch"], char["level"]) for char in storage["chars"]]


def _cut_parts(text: str, is_left: bool, fonts: TextFonts) -> list[tuple[str, Typeface]]:
    """Cut a run where script or typeface changes, left to right; signs go with the letters before them."""
    items: list[tuple[Typeface, str, str]] = []
    for word in re.findall(r"\s*\S*", text):
        for part, typeface in _choose_typefaces(word, fonts):
            for char in part:
                items.append((typeface, _find_script(char) or (items[-1][1] if items else ""), char))
    if items and not items[0][1]:  # signs at the start go with the letters after them
        first = next((script for _, script, _ in items if script), "")
        items = [(typeface, script or first, char) for typeface, script, char in items]
    grouped = groupby(items, lambda item: item[:2])
    parts = [("".join(char for *_, char in group), typeface) for (typeface, _), group in grouped]
    return parts[::-1] if is_left else parts


def _find_script(char: str) -> str:
    """Return the alphabet of a letter, as its Unicode name begins; nothing for signs, marks and modifiers."""
    is_letter = unicodedata.category(char) in ("Lu", "Ll", "Lt", "Lo")
    return unicodedata.name(char, "").split(" ")[0] if is_letter else ""


def _choose_typefaces(word: str, fonts: TextFonts) -> list[tuple[str, Typeface]]:
    """Set a word in the first typeface that has all of it: two fonts in one word look like a ransom note.

    Where no typeface has the whole word, each letter with its accents, or at last each character, finds its own.
    """
    if not word:
        return []
    able = [face for face in fonts.typefaces if all(face.can_draw(char) for char in word)]
    if able or len(word) == 1:
        return [(word, able[0] if able else fonts.main)]
    clusters = _split_clusters(word)
    smaller = clusters if len(clusters) > 1 else list(word)
    return [choice for part in smaller for choice in _choose_typefaces(part, fonts)]


def _split_clusters(word: str) -> list[str]:
    """Return the letters, each with the marks that stand on it."""
    clusters: list[str] = []
    for char in word:
        if clusters and (unicodedata.category(char).startswith("M") or char in UNSEEN):
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters
