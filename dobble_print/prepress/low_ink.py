"""Draw symbols with little ink: outlines instead of areas and letters, light greys instead of photos."""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pikepdf
import shapely
from pikepdf import Array, Dictionary, Matrix, Name, Object, Operator, Pdf
from PIL import Image, ImageFilter
from shapely import Polygon

from dobble_print.art.artwork import Form, PixelForm, VectorForm
from dobble_print.errors import Fault
from dobble_print.messages import list_words
from dobble_print.pdf.content import BUILDS, CLOSES, FILLS, FRESH, STROKES, GraphicsState, PaintedContent, Reader
from dobble_print.pdf.document import delete_keys, walk_form
from dobble_print.pdf.geometry import IDENTITY, measure_scale, own_matrix, read_subpaths
from dobble_print.pdf.render import CLEAR, Rasterizer
from dobble_print.prepress.separation import measure_luminosity
from dobble_print.theme.model import Captioned, Emoji, Source, Text, Theme

LINE = 0.009  # width of outlines, of the drawing's longer side
LETTER_LINE = 0.025  # and of those of letters, of the height of their text: a fifth of a stem
DARK = 0.25
THIN = 1.6  # shapes thinner than so many lines stay solid: two outlines would run into each other
DETAIL = 0.022  # dark shapes smaller than this share of the box stay solid
DARK_BELOW = 0.3  # how bright a dark shape may be
FAINT_BELOW = 0.5  # more translucent than this is only a shimmer
PAPER = 0.55  # how much of a photo's darkness goes: pale enough to save ink, dark enough to copy
COLORS = ("g", "G", "rg", "RG", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN", "ri")
DROPPED = {*BUILDS, *COLORS, "w", "j", "J", "d", "M", "i", "INLINE IMAGE"}  # outlines do without
Path = list[tuple[str, Any]]  # operators with their operands


def outline_form(form: Form, letters: bool = False) -> Form:
    """Return a form that needs little ink: a drawing or letters as outlines, a photo in light greys."""
    if isinstance(form, PixelForm):
        return replace(form, picture=_lighten(form.picture))
    with Pdf.open(io.BytesIO(form.pdf)) as pdf:
        page = pdf.pages[0]
        x0, y0, x1, y1 = (float(value) for value in page.mediabox)
        side = max(x1 - x0, y1 - y0)
        line, detail = (LETTER_LINE * (y1 - y0), 0.0) if letters else (LINE * side, DETAIL * side**2)
        # a little smaller, so that the outer half of an outline stays inside the box
        shrink = 1 - 1.5 * line / side
        fit = Matrix(shrink, 0.0, 0.0, shrink, (x0 + x1) / 2 * (1 - shrink), (y0 + y1) / 2 * (1 - shrink))
        artist = _Artist(page.obj.get(Name.Resources, Dictionary()), fit, line, detail, set())
        moved = " ".join(f"{value:.5f}" for value in fit.shorthand).encode()
        page.obj.Contents = pdf.make_stream(b"q %b cm 1 j 1 J\n%b\nQ" % (moved, artist.redraw(page)))
        delete_keys(page.obj, "/Group")
        delete_keys(pdf.trailer, "/Info")
        sink = io.BytesIO()
        pdf.save(sink, deterministic_id=True)
    return VectorForm(sink.getvalue())


def _lighten(picture: Image.Image) -> Image.Image:
    grey = picture.convert("L").point([round(255 - (255 - value) * (1 - PAPER)) for value in range(256)])
    light = grey.convert("RGBA")
    if "A" in picture.getbands():
        light.putalpha(picture.getchannel("A"))
    return light


class _Artist:
    """Redraw a content stream, and what it draws with, each once.

    `line` is the width of an outline on the page, `detail` the area below which dark shapes stay solid.
    """

    def __init__(
        self, resources: Object, matrix: Matrix, line: float, detail: float, seen: set[tuple[int, int]]
    ) -> None:
        self.reader = Reader(PaintedContent(resources), GraphicsState(matrix, FRESH.fill, FRESH.stroke, FRESH.width))
        self.resources, self.line, self.detail, self.seen = resources, line, detail, seen
        self.clipping = ""
        self.out: Path = []

    @property
    def state(self) -> GraphicsState:
        """What is in force where the stream has been read to."""
        return self.reader.state

    def redraw(self, content: Any) -> bytes:
        """Return a content stream with its shapes turned into outlines."""
        for step in pikepdf.parse_content_stream(content):
            self._take(str(step.operator), step.operands)
        return pikepdf.unparse_content_stream([(operands, Operator(operator)) for operator, operands in self.out])

    def _take(self, operator: str, operands: Any) -> None:
        path = [*self.reader.path, _do("h")] if operator in CLOSES else self.reader.path
        self.reader.follow(operator, operands)
        if operator in ("W", "W*"):
            self.clipping = operator
        elif operator in FILLS or operator in STROKES or operator == "n":
            self._paint(operator, path)
        elif operator == "sh":
            self._paint_gradient()
        elif operator == "Do":
            self._draw_inner(operands)
        elif operator == "gs":
            self._use_state(self.resources.ExtGState[operands[0]])
        elif operator not in DROPPED:
            self.out += [*([_do("g", DARK)] if operator == "BT" else []), (operator, operands)]

    def _use_state(self, given: Object) -> None:
        opacity = 0.0 if _fades_away(given) else float(given.get(Name.ca, self.state.opacity))
        self.reader.state = self.state._replace(opacity=opacity)

    def _paint(self, operator: str, path: Path) -> None:
        if self.state.opacity >= FAINT_BELOW:
            if operator in FILLS:
                self.out += self._outline(path, "*" in operator, self.state.matrix, _brightness(self.state))
            elif operator in STROKES:
                self.out += self._case(path)
        if self.clipping:
            self.out += [*path, _do(self.clipping), _do("n")]
            self.reader.state = self.state._replace(clip=(self.state.matrix, path, self.clipping == "W*"))
            self.clipping = ""

    def _outline(self, path: Path, even_odd: bool, matrix: Matrix, brightness: float) -> Path:
        """Fill a shape white with an outline; thin shapes and small dark ones stay solid."""
        line = self._line_width(matrix)
        thickness, part = _measure_path(path)
        if thickness < THIN * line or (brightness < DARK_BELOW and part < self.detail * (line / self.line) ** 2):
            return [_do("g", DARK), *path, _do("f*" if even_odd else "f")]
        return [_do("g", 1), _do("G", DARK), _do("w", line), *path, _do("B*" if even_odd else "B")]

    def _line_width(self, matrix: Matrix) -> float:
        """Return the width of an outline, in the units of what is drawn with a matrix."""
        return self.line / (measure_scale(matrix) or 1e-9)

    def _case(self, path: Path) -> Path:
        """Draw a stroke dark, and a broad one hollow."""
        line, width = self._line_width(self.state.matrix), self.state.width or 0.0
        drawn = [_do("G", DARK), _do("w", max(line, width)), *path, _do("S")]
        if width > 3.5 * line:
            drawn += [_do("G", 1), _do("w", width - 2 * line), *path, _do("S")]
        return drawn

    def _paint_gradient(self) -> None:
        """Outline the shape that a gradient is clipped to, which it would fill."""
        if self.state.clip is None or self.state.opacity < FAINT_BELOW:
            return
        matrix, path, even_odd = self.state.clip
        back = matrix @ self.state.matrix.inverse()
        shape = self._outline(path, even_odd, matrix, brightness=1.0)
        # only the inner half of the line is inside the clip
        wide = [_do("w", operands[0] * 2) if operator == "w" else (operator, operands) for operator, operands in shape]
        self.out += [_do("q"), _do("cm", *back.shorthand), *wide, _do("Q")]

    def _draw_inner(self, operands: Any) -> None:
        inner: Any = self.resources.XObject[operands[0]]
        if self.state.opacity < FAINT_BELOW:
            return
        self.out.append(("Do", operands))
        if inner.objgen in self.seen:
            return
        self.seen.add(inner.objgen)
        if inner.get(Name.Subtype) == Name.Form:
            self._redraw_form(inner, own_matrix(inner) @ self.state.matrix)
        elif not inner.get(Name.ImageMask, False):
            picture = _lighten(pikepdf.PdfImage(inner).as_pil_image()).convert("L")
            delete_keys(inner, "/Decode", "/DecodeParms")
            inner.write(picture.tobytes())
            inner.ColorSpace, inner.BitsPerComponent = Name.DeviceGray, 8

    def _redraw_form(self, form: Object, matrix: Matrix) -> None:
        artist = _Artist(form.get(Name.Resources, self.resources), matrix, self.line, self.detail, self.seen)
        form.write(artist.redraw(form))
        air = self._line_width(matrix)
        x0, y0, x1, y1 = (float(value) for value in form.BBox)
        form.BBox = Array([x0 - air, y0 - air, x1 + air, y1 + air])
        delete_keys(form, "/Group")


def _measure_path(path: Path) -> tuple[float, float]:
    """Return how thick a shape is on average, and the area of one of its parts, in the units of its path.

    The thickness is the area it encloses, less its holes, spread along its length.
    """
    loops = [Polygon(run.points) for run in read_subpaths(path, IDENTITY) if len(run.points) > 2]
    holes = [sum(_lies_in(loop, other) for other in loops if other is not loop) % 2 == 1 for loop in loops]
    area = max(0.0, sum(-loop.area if hole else loop.area for loop, hole in zip(loops, holes, strict=True)))
    girth = sum(loop.length for loop in loops)
    return 2 * area / girth if girth else 0.0, area / max(1, holes.count(False))


def _lies_in(loop: Polygon, other: Polygon) -> bool:
    """Tell whether a loop lies inside another as a whole; two that overlap are no hole."""
    return bool(shapely.contains_xy(other, shapely.get_coordinates(loop)).all())


def _fades_away(state: Object) -> bool:
    """Tell whether what is painted in this state fades out, as shadows do: such a thing has no edge to outline."""
    mask = state.get(Name.SMask)
    if not isinstance(mask, Dictionary):
        return False
    shadings = mask.G.get(Name.Resources, Dictionary()).get(Name.Shading, Dictionary())
    ends = [end for part in walk_form(shadings) for key in ("/C0", "/C1") for end in part.get(key, Array())]
    return any(float(end) < FAINT_BELOW for end in ends)


def _brightness(state: GraphicsState) -> float:
    """Return how bright fills are; a pattern counts as bright."""
    values = state.fill.values if state.fill else ()
    return measure_luminosity(values) if values else 1.0


def _do(operator: str, *numbers: float) -> tuple[str, Any]:
    return operator, [round(number, 5) for number in numbers]


VIEW_PX = 96
SEEN = 25  # opacity of 255 from which something belongs to a soft drawing
SOLID = 127
STRAY_SHARE = 0.02  # of a drawing's area that its outlines may cover beside it
LEAST_COVERED = 0.7  # of a drawing's area that its outlines must cover
ALIKE = 0.35  # of the ink of two drawings that may lie elsewhere: two apples 0.29, a fox and a wolf 0.42
BLUR_PX = 2.0  # lines a hair apart are the same line to a player
Pixels = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Ink = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Saving:
    """The forms to print, groups of drawings that differ in colour alone, and drawings that have no outlines."""

    forms: list[Form]
    alike: tuple[tuple[int, ...], ...]
    soft: tuple[int, ...]


def save_ink(
    forms: Sequence[Form], lean: Collection[int], named: Collection[int] = (), letters: Collection[int] = ()
) -> Saving:
    """Return drawings and letters as outlines, and photos in light greys.

    `lean` are those that need little ink as they are; `named` are texts or bear their names, which tell them apart.
    """
    drawn = [form if i in lean else outline_form(form, i in letters) for i, form in enumerate(forms)]
    outlined = [i for i, form in enumerate(forms) if i not in {*lean, *letters} and isinstance(form, VectorForm)]
    views = {i: _view(drawn[i]) for i in outlined}
    soft = [i for i in outlined if not _covers(views[i], _view(forms[i]))]
    alike = _group({i: view for i, view in views.items() if i not in soft and i not in named})
    kept = {*soft, *(i for group in alike for i in group)}
    return Saving([forms[i] if i in kept else form for i, form in enumerate(drawn)], tuple(alike), tuple(soft))


def _view(form: Form) -> Pixels:
    """Return a drawing at a glance: grey and opacity, in the lower left of a square."""
    assert isinstance(form, VectorForm)
    with Rasterizer(form.pdf) as rasterizer:
        picture = rasterizer.draw(0, VIEW_PX / max(rasterizer.measure(0)), CLEAR).to_pil()
    square = Image.new("RGBA", (VIEW_PX, VIEW_PX), (0, 0, 0, 0))
    square.paste(picture.convert("RGBA"))
    white = Image.new("RGBA", square.size, "#ffffff")
    white.alpha_composite(square)
    return np.dstack([np.asarray(white.convert("L")), np.asarray(square.getchannel("A"))])


def _covers(outlined: Pixels, drawing: Pixels) -> bool:
    """Tell whether outlines stand for a drawing: a soft shadow outlined at its full extent, or nothing, does not."""
    now, before = outlined[..., 1] > SOLID, drawing[..., 1] > SEEN
    area = max(1, int(before.sum()))
    stray = (now & ~_grow(before)).sum() / area
    missing = (drawing[..., 1] > SOLID) & ~_grow(now)
    return bool(stray <= STRAY_SHARE and missing.sum() <= (1 - LEAST_COVERED) * area)


def _grow(mask: Flags) -> Flags:
    """Return a mask one pixel larger on every side."""
    padded = np.pad(mask, 1)
    return np.asarray(
        padded[1:-1, 1:-1] | padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:], dtype=np.bool_
    )


def _group(views: Mapping[int, Pixels]) -> list[tuple[int, ...]]:
    """Group drawings that look like each other."""
    blur = ImageFilter.GaussianBlur(BLUR_PX)
    inks = {i: 255.0 - np.asarray(Image.fromarray(view[..., 0]).filter(blur), np.float64) for i, view in views.items()}
    group_of = {i: i for i in views}
    for one, other in combinations(views, 2):
        if _differ(inks[one], inks[other]) < ALIKE:
            old, new = group_of[other], group_of[one]
            group_of = {i: new if group == old else group for i, group in group_of.items()}
    groups = [tuple(i for i, group in group_of.items() if group == first) for first in dict.fromkeys(group_of.values())]
    return [group for group in groups if len(group) > 1]


def _differ(one: Ink, other: Ink) -> float:
    """Return how much of the ink of two drawings lies elsewhere in the other one."""
    return float(np.abs(one - other).sum() / max(1.0, (one.sum() + other.sum()) / 2))


def draw_with_little_ink(forms: Sequence[Form], theme: Theme) -> tuple[tuple[Form, ...], tuple[Fault, ...]]:
    """Return drawings and letters as outlines, photos in light greys; line drawings need little ink as they are.

    Drawings that only their colours tell apart keep them, and so do soft ones that have no outlines: both are reported.
    """
    sources = [theme.symbols[symbol].faces[face].source for symbol, face in theme.pieces]
    lean = {i for i, source in enumerate(sources) if _is_lean(source)}
    named = {i for i, source in enumerate(sources) if isinstance(source, Captioned | Text)}
    letters = {i for i, source in enumerate(sources) if _is_bare(source)}
    saving = save_ink(forms, lean, named, letters)
    names = [*(theme.symbols[symbol].id for symbol, _ in theme.pieces), "the back"]
    said = [f"{list_words([names[i] for i in group], 'and')} would look the same as outlines" for group in saving.alike]
    if saving.soft:
        said.append(f"{list_words([names[i] for i in saving.soft], 'and')} cannot be drawn as outlines")
    return tuple(saving.forms), tuple(Fault(f"little ink: {what}", "They keep their colours.") for what in said)


def _is_bare(source: Source) -> bool:
    """Tell whether letters stand on the card alone, without a plate or a badge behind them."""
    return isinstance(source, Text) and not source.badge and source.style.mark is None


def _is_lean(source: Source) -> bool:
    picture = source.picture if isinstance(source, Captioned) else source
    return isinstance(picture, Emoji) and picture.art == "openmoji-lines"
