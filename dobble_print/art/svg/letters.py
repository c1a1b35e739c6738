"""Turn the text of a drawing into outlines, in the font that comes with the program.

Invariant: no renderer meets a text element, so none needs a font of the computer, and every computer prints the same
letters. A letter that no installed font has is named, never left out in silence.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from dobble_print.art.svg.limits import SVG, XLINK_HREF
from dobble_print.art.text.shaping import Glyph, TextFonts, open_typeface, shape_text
from dobble_print.errors import ArtworkError, Fault
from dobble_print.fonts import FontFile, font_bytes, list_fallbacks

TEXT_TAGS = tuple(f"{SVG}{name}" for name in ("tspan", "textPath", "tref", "a"))
KEPT_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
FONT_KEYS = {
    *("font-family", "font-size", "font-weight", "font-style", "text-anchor", "letter-spacing", "font", "direction"),
    *("dominant-baseline", "alignment-baseline", "baseline-shift", "text-decoration", "writing-mode", "word-spacing"),
    *("font-variant", "text-rendering"),
}
PLACE_KEYS = {
    *("x", "y", "dx", "dy", "rotate", "textLength", "lengthAdjust", KEPT_SPACE, "href", XLINK_HREF, "startOffset"),
    *("method", "spacing", "side"),
}
SIZES = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0}
SIZES |= {"xx-large": 32.0, "smaller": 13.0, "larger": 19.0}
UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(px|pt|pc|mm|cm|in|em|ex|%)?", re.IGNORECASE)
SHORT_FONT = re.compile(r"(?:(.*?)\s)?\s*([\d.]+(?:px|pt|em|mm|%)?)(?:\s*/\s*[\w.%]+)?\s+(.+)", re.DOTALL)
# How far below its place a line stands, in ems, by what of it is meant to be there.
BASELINES = {"central": 0.35, "middle": 0.27, "hanging": 0.74, "text-before-edge": 0.9, "text-after-edge": -0.22}
SHIFTS = {"super": 0.35, "sub": -0.2}  # in ems, upwards
SLANT = math.tan(math.radians(10))  # of letters that are to be oblique
CURVE_STEPS = 16
MOST_SIZE = 1e6  # of letters, in pixels
Matrix = tuple[float, float, float, float, float, float]


@dataclass
class Letters:
    """What is to be said about the letters of a drawing: the fonts they ask for, and what could not be drawn."""

    families: dict[str, None] = field(default_factory=dict)
    missing: dict[str, None] = field(default_factory=dict)
    unknown: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True)
class _Style:
    """How letters are set; lengths in pixels."""

    family: str = "sans-serif"
    size: float = 16.0
    is_bold: bool = False
    is_slanted: bool = False
    anchor: str = "start"
    spacing: float = 0.0
    rise: float = 0.0
    keeps_space: bool = False
    line: str = ""


@dataclass(eq=False)
class _Char:
    """A character, how it is set, where it is told to be, and the element that paints it."""

    char: str
    style: _Style
    painter: ElementTree.Element
    x: float | None = None
    y: float | None = None
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0
    path: _Track | None = None


def outline_text(root: ElementTree.Element) -> Letters:
    """Replace every text below by the outlines of its letters."""
    letters = Letters()
    if root.find(f".//{SVG}text") is not None:
        by_id = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
        _outline_below(root, _Style(), letters, by_id)
    return letters


def _outline_below(
    parent: ElementTree.Element, style: _Style, letters: Letters, by_id: Mapping[str, ElementTree.Element]
) -> None:
    style = _read_style(parent, style, letters)
    for index, child in enumerate(list(parent)):
        if child.tag == f"{SVG}text":
            parent[index] = outlined = _Setter(letters, by_id).set_text(child, style)
            outlined.tail = child.tail
        else:
            _outline_below(child, style, letters, by_id)


def _read_style(element: ElementTree.Element, style: _Style, letters: Letters) -> _Style:
    """Return the style of an element inside one that has `style`."""
    get = element.get
    short = SHORT_FONT.fullmatch(get("font", "").strip())
    words = f"{(short[1] or '') if short else ''} {get('font-weight', '')} {get('font-style', '')}".split()
    size = _read_size(get("font-size", short[2] if short else ""), style.size)
    family = get("font-family", short[3] if short else style.family)
    bold = next((word >= "6" for word in words[::-1] if _is_weight(word)), None)  # also "bold", but not "1000"
    slant = next((word != "normal" for word in words[::-1] if word in ("italic", "oblique", "normal")), None)
    decoration, shift = get("text-decoration", ""), get("baseline-shift", "")
    rise = style.rise + (SHIFTS[shift] * size if shift in SHIFTS else _read_length(shift, size) or 0.0)
    baseline = get("dominant-baseline", get("alignment-baseline", ""))
    if get("writing-mode", "lr")[:2] in ("tb", "ve"):
        letters.unknown["text that runs downwards"] = None
    if "textLength" in element.attrib:
        letters.unknown["textLength"] = None
    spacing = get("letter-spacing", "")
    return replace(
        style,
        family=family,
        size=size,
        is_bold=style.is_bold if bold is None else bold,
        is_slanted=style.is_slanted if slant is None else slant,
        anchor=get("text-anchor", style.anchor),
        spacing=(_read_length(spacing, size) or 0.0) if spacing else style.spacing,
        rise=rise - BASELINES.get(baseline, 0.0) * size,
        keeps_space=get(KEPT_SPACE) == "preserve" if KEPT_SPACE in element.attrib else style.keeps_space,
        line=decoration if decoration in ("underline", "line-through", "none") else style.line,
    )


def _is_weight(word: str) -> bool:
    return word in ("bold", "bolder") or (word.isdecimal() and len(word) == 3)


def _read_size(text: str, parent: float) -> float:
    if not text or text == "inherit":
        return parent
    size = SIZES.get(text) or _read_length(text, parent)
    if size is not None and size > MOST_SIZE:
        what = "the drawing cannot be drawn (its letters are beyond all numbers)"
        raise ArtworkError(Fault(what, "Export it again as plain SVG."))
    return size if size is not None and size >= 0 else parent


def _read_length(text: str, size: float) -> float | None:
    """Return a length in pixels, letters' sizes included; None for what is none."""
    found = NUMBER.fullmatch(text.strip())
    if not found:
        return None
    unit = (found[2] or "").lower()
    factor = {"em": size, "ex": size / 2, "%": size / 100}.get(unit) or UNITS.get(unit, 1.0)
    return float(found[1]) * factor


def _read_lengths(text: str | None, size: float) -> list[float]:
    return [_read_length(found[0], size) or 0.0 for found in NUMBER.finditer(text or "")]


class _Setter:
    """Sets one text element."""

    def __init__(self, letters: Letters, by_id: Mapping[str, ElementTree.Element]) -> None:
        self.letters, self.by_id = letters, by_id
        self.chars: list[_Char] = []

    def set_text(self, element: ElementTree.Element, style: _Style) -> ElementTree.Element:
        """Return a group of paths that stands for a text."""
        self._collect(element, style, None)
        self._trim()
        group = ElementTree.Element(f"{SVG}g", _drop_keys(element))
        x = y = 0.0
        for chunk in self._cut_chunks():
            x = chunk[0].x if chunk[0].x is not None else x
            y = chunk[0].y if chunk[0].y is not None else y
            x, y = self._set_chunk(chunk, x, y, group, element)
        return group

    def _collect(self, element: ElementTree.Element, outer: _Style, path: _Track | None) -> None:
        """Gather the characters of an element with their places."""
        style = _read_style(element, outer, self.letters)
        if element.tag == f"{SVG}textPath":
            path = self._find_track(element, style)
            if path is None:
                return
        first = len(self.chars)
        self._add(element.text, style, element, path)
        for child in element:
            if child.tag in TEXT_TAGS and child.get("display") != "none":
                self._collect(child, style, path)
            self._add(child.tail, style, element, path)
        own = self.chars[first:]
        for name in ("x", "y", "dx", "dy"):
            for char, value in zip(own, _read_lengths(element.get(name), style.size), strict=False):
                setattr(char, name, value)
        turns = _read_lengths(element.get("rotate"), 1.0)
        for index, char in enumerate(own if turns else ()):
            char.turn = turns[min(index, len(turns) - 1)]

    def _add(self, text: str | None, style: _Style, painter: ElementTree.Element, path: _Track | None) -> None:
        """Add characters; runs of spaces count as one, unless they are to be kept."""
        for char in text or "":
            plain = " " if char in "\n\t\r" else char
            is_double = plain == " " and (not self.chars or self.chars[-1].char == " ")
            if style.keeps_space or not is_double:
                self.chars.append(_Char(plain, style, painter, path=path))

    def _trim(self) -> None:
        while self.chars and self.chars[-1].char == " " and not self.chars[-1].style.keeps_space:
            self.chars.pop()

    def _cut_chunks(self) -> list[list[_Char]]:
        """Cut the characters where one is told its place: each part is aligned by itself."""
        chunks: list[list[_Char]] = []
        for char in self.chars:
            is_new = char.x is not None or char.y is not None or not chunks or chunks[-1][-1].path is not char.path
            if is_new:
                chunks.append([])
            chunks[-1].append(char)
        return chunks

    def _set_chunk(
        self, chunk: Sequence[_Char], x: float, y: float, group: ElementTree.Element, text: ElementTree.Element
    ) -> tuple[float, float]:
        """Add the paths of one part; return where the next one begins."""
        placed: list[tuple[list[_Char], tuple[Glyph, ...], float, float]] = []
        across, down = 0.0, 0.0
        for run in _cut_runs(chunk):
            across, down = across + run[0].dx, down + run[0].dy
            style = run[0].style
            box = shape_text("".join(char.char for char in run), self._open_fonts(run), style.size)
            glyphs = tuple(mark for mark in box.marks if isinstance(mark, Glyph))
            placed.append((run, glyphs, across, down))
            across += box.width + style.spacing * len(run)
        style = chunk[0].style
        back = {"middle": across / 2, "end": across}.get(style.anchor, 0.0)
        for run, glyphs, right, below in placed:
            self._draw_run(run, glyphs, (x - back + right, y + below), group, text)
        return x - back + across, y + down

    def _draw_run(
        self,
        run: Sequence[_Char],
        glyphs: tuple[Glyph, ...],
        place: tuple[float, float],
        group: ElementTree.Element,
        text: ElementTree.Element,
    ) -> None:
        style, path = run[0].style, run[0].path
        pen = _make_pen()
        lean = SLANT if style.is_slanted else 0.0
        for glyph in glyphs:
            x, y = place[0] + glyph.x, place[1] - glyph.y - style.rise
            turn = math.radians(run[0].turn)
            if path is not None:
                width = glyph.typeface.font.get_glyph_h_advance(glyph.glyph) * glyph.size / glyph.typeface.em
                spot = path.locate(x + width / 2)
                if spot is None:
                    continue
                at_x, at_y, turn = spot
                offset = y
                x = at_x - width / 2 * math.cos(turn) - offset * math.sin(turn)
                y = at_y - width / 2 * math.sin(turn) + offset * math.cos(turn)
            scale = glyph.size / glyph.typeface.em
            cos, sin = scale * math.cos(turn), scale * math.sin(turn)
            matrix = (cos, sin, lean * cos + sin, lean * sin - cos, x, y)
            _draw_glyph(glyph, matrix, pen)
        drawn = str(pen.getCommands())
        if style.line in ("underline", "line-through") and path is None and glyphs:
            drawn += _draw_line(style, place, glyphs)
        if drawn:
            painter = {} if run[0].painter is text else self._list_paints(run[0].painter, text)
            ElementTree.SubElement(group, f"{SVG}path", {**painter, "d": drawn})

    def _list_paints(self, painter: ElementTree.Element, text: ElementTree.Element) -> dict[str, str]:
        """Return the attributes that a part of a text paints with: its own, and those of the parts around it."""
        parents = {child: parent for parent in text.iter() for child in parent}
        paints: dict[str, str] = {}
        element: ElementTree.Element | None = painter
        while element is not None and element is not text:
            paints = {**_drop_keys(element), **paints}
            element = parents.get(element)
        return paints

    def _open_fonts(self, run: Sequence[_Char]) -> TextFonts:
        """Return the typefaces for some letters, and note what they stand for and what they lack."""
        text, style = "".join(char.char for char in run), run[0].style
        if text.strip():
            self.letters.families[style.family.split(",")[0].strip(" '\"") or "sans-serif"] = None
        main = _open_sans(style.is_bold)
        missing = [char for char in text if not main.can_draw(char)]
        if not missing:
            return TextFonts((main,))
        typefaces = (main, *(open_typeface(file) for file in list_fallbacks(text)))
        for char in missing:
            if not any(face.can_draw(char) for face in typefaces):
                self.letters.missing[char] = None
        return TextFonts(typefaces)

    def _find_track(self, element: ElementTree.Element, style: _Style) -> _Track | None:
        """Return the path that a text runs along; None where there is none."""
        name = element.get("href", element.get(XLINK_HREF, "")).removeprefix("#")
        shape = self.by_id.get(name)
        points = _flatten_path(shape.get("d", "")) if shape is not None else []
        if len(points) < 2 or shape is None or "transform" in shape.attrib:
            self.letters.unknown["text along a path"] = None
            return None
        track = _Track(points)
        offset = element.get("startOffset", "0").strip()
        share = offset.endswith("%")
        start = _read_length(offset.rstrip("%"), style.size) or 0.0
        return replace(track, start=track.length * start / 100 if share else start)


def _cut_runs(chunk: Sequence[_Char]) -> list[list[_Char]]:
    """Cut a part into runs of letters that are set and painted alike, with no letter moved by itself."""
    runs: list[list[_Char]] = []
    for char in chunk:
        before = runs[-1][-1] if runs else None
        is_same = before is not None and before.style is char.style and before.painter is char.painter
        is_moved = bool(char.dx or char.dy or char.turn or char.style.spacing)
        if is_same and not is_moved and before is not None and before.turn == char.turn:
            runs[-1].append(char)
        else:
            runs.append([char])
    return runs


def _drop_keys(element: ElementTree.Element) -> dict[str, str]:
    """Return the attributes of a text element that are not about letters."""
    return {name: value for name, value in element.attrib.items() if name not in FONT_KEYS | PLACE_KEYS}


def _make_pen() -> Any:
    from fontTools.pens.svgPathPen import SVGPathPen

    return SVGPathPen(None, ntos=lambda value: f"{value:.5g}")


def _draw_glyph(glyph: Glyph, matrix: Matrix, pen: Any) -> None:
    from fontTools.pens.transformPen import TransformPen

    glyph.typeface.font.draw_glyph_with_pen(glyph.glyph, TransformPen(pen, matrix))


def _draw_line(style: _Style, place: tuple[float, float], glyphs: Sequence[Glyph]) -> str:
    """Return the line below letters, or through them."""
    bounds = [glyph.bounds for glyph in glyphs]
    right = max((box[2] for box in bounds if box), default=0.0)
    top = place[1] - style.rise + (0.1 if style.line == "underline" else -0.3) * style.size
    return f"M{place[0]:.5g} {top:.5g}h{right:.5g}v{0.06 * style.size:.5g}h{-right:.5g}z"


@lru_cache(maxsize=2)
def _open_sans(is_bold: bool) -> Any:
    return open_typeface(FontFile("FiraGO", font_bytes(bold=is_bold)))


@dataclass(frozen=True)
class _Track:
    """A path that letters stand on, as short straight steps, and where the first one begins."""

    points: Sequence[tuple[float, float]]
    start: float = 0.0

    @property
    def length(self) -> float:
        """Return how long the path is."""
        return sum(math.dist(a, b) for a, b in pairwise(self.points))

    def locate(self, distance: float) -> tuple[float, float, float] | None:
        """Return the place and the direction at a distance along the path; None beyond its ends."""
        rest = distance + self.start
        if rest < 0:
            return None
        for (x0, y0), (x1, y1) in pairwise(self.points):
            step = math.hypot(x1 - x0, y1 - y0)
            if rest <= step and step > 0:
                share = rest / step
                return x0 + share * (x1 - x0), y0 + share * (y1 - y0), math.atan2(y1 - y0, x1 - x0)
            rest -= step
        return None


def _flatten_path(path: str) -> list[tuple[float, float]]:
    """Return the first line of a path as points; none for a damaged one."""
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.svgLib.path import parse_path

    pen = RecordingPen()
    try:
        parse_path(path, pen)
    except Exception:  # the library breaks in many ways on a damaged path
        return []
    points: list[tuple[float, float]] = []
    for operator, operands in pen.value:
        if operator == "moveTo":
            if points:
                break
            points.append(operands[0])
        elif operator == "lineTo":
            points.append(operands[0])
        elif operator in ("curveTo", "qCurveTo"):
            points += _bend((points[-1], *operands))
        elif operator == "closePath":
            points.append(points[0])
    return points


def _bend(corners: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return points along a curve, by its corners."""
    points = []
    for step in range(1, CURVE_STEPS + 1):
        share, row = step / CURVE_STEPS, list(corners)
        while len(row) > 1:
            row = [(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])) for a, b in pairwise(row)]
        points.append(row[0])
    return points
