"""Draw symbols with little ink: outlines instead of areas, light greys instead of photos."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pikepdf
import shapely
from pikepdf import Array, Dictionary, Matrix, Name, Object, Operator, Pdf, Stream
from PIL import Image, ImageFilter
from shapely import Polygon

from dobble_print.art.artwork import Form, PixelForm, VectorForm
from dobble_print.errors import Fault
from dobble_print.messages import list_words
from dobble_print.pdf.content import BUILDS, CLOSES
from dobble_print.pdf.document import delete_keys
from dobble_print.pdf.geometry import IDENTITY, measure_scale, own_matrix, read_matrix, read_subpaths
from dobble_print.pdf.render import CLEAR, Rasterizer
from dobble_print.theme.model import Captioned, Emoji, Source, Text, Theme

LINE = 0.009  # width of outlines, of the drawing's longer side
DARK = 0.25
THIN = 1.6  # shapes thinner than so many lines stay solid: two outlines would run into each other
DETAIL = 0.022  # dark shapes smaller than this share of the box stay solid
DARK_BELOW = 0.3  # how bright a dark shape may be
FAINT_BELOW = 0.5  # more translucent than this is only a shimmer
PAPER = 0.55  # how much of a photo's darkness goes: pale enough to save ink, dark enough to copy
FILLS = {"f": False, "F": False, "f*": True, "b": False, "B": False, "b*": True, "B*": True}
STROKES = {"S", "s"}
COLORS = {"g", "rg", "k", "sc", "scn"}
DROPPED = {*COLORS, "G", "RG", "K", "cs", "CS", "SC", "SCN", "gs", "ri", "w", "j", "J", "d", "M", "i"}


@dataclass(frozen=True)
class Mass:
    """How large a shape is, how thick on average, and the size of one of its parts; in the units of its path."""

    area: float
    thickness: float
    part: float


def measure_path(steps: Sequence[Any]) -> Mass:
    """Return the area a path encloses, less its holes, and that area spread along the path's length."""
    runs = read_subpaths([(str(step.operator), step.operands) for step in steps], IDENTITY)
    loops = [Polygon(run.points) for run in runs if len(run.points) > 2]
    holes = [sum(_lies_in(loop, other) for other in loops if other is not loop) % 2 == 1 for loop in loops]
    area = max(0.0, sum(-loop.area if hole else loop.area for loop, hole in zip(loops, holes, strict=True)))
    girth = sum(loop.length for loop in loops)
    return Mass(area, 2 * area / girth if girth else 0.0, area / max(1, holes.count(False)))


def _lies_in(loop: Polygon, other: Polygon) -> bool:
    """Tell whether a loop lies inside another as a whole; two that overlap are no hole."""
    return bool(shapely.contains_xy(other, shapely.get_coordinates(loop)).all())


def outline_form(form: Form) -> Form:
    """Return a form that needs little ink: a drawing as outlines, a photo in light greys."""
    return lighten_form(form) if isinstance(form, PixelForm) else _outline_drawing(form)


def _outline_drawing(form: VectorForm) -> VectorForm:
    with Pdf.open(io.BytesIO(form.pdf)) as pdf:
        page = pdf.pages[0]
        x0, y0, x1, y1 = (float(value) for value in page.mediabox)
        side = max(x1 - x0, y1 - y0)
        # a little smaller, so that the outer half of an outline stays inside the box
        shrink = 1 - 1.5 * LINE
        fit = Matrix(shrink, 0.0, 0.0, shrink, (x0 + x1) / 2 * (1 - shrink), (y0 + y1) / 2 * (1 - shrink))
        artist = _Artist(pdf, side)
        content = artist.redraw(page, page.obj.get(Name.Resources, Dictionary()), fit)
        page.obj.Contents = pdf.make_stream(b"q %b cm 1 j 1 J\n%b\nQ" % (_write(fit), content))
        delete_keys(page.obj, "/Group")
        delete_keys(pdf.trailer, "/Info")
        sink = io.BytesIO()
        pdf.save(sink, deterministic_id=True)
    return VectorForm(sink.getvalue())


def lighten_form(form: PixelForm) -> PixelForm:
    """Return a photo in light greys."""
    return replace(form, picture=_lighten(form.picture))


def _lighten(picture: Image.Image) -> Image.Image:
    grey = picture.convert("L").point([round(255 - (255 - value) * (1 - PAPER)) for value in range(256)])
    light = grey.convert("RGBA")
    if "A" in picture.getbands():
        light.putalpha(picture.getchannel("A"))
    return light


@dataclass
class _State:
    """What is in force while a content stream is read."""

    matrix: Matrix
    brightness: float = 0.0
    opacity: float = 1.0
    width: float = 1.0
    clip: tuple[Matrix, list[Any], bool] | None = None


@dataclass
class _Reading:
    """One content stream: its graphics states and the path that is being built."""

    state: _State
    resources: Object
    saved: list[_State] = field(default_factory=list)
    path: list[Any] = field(default_factory=list)
    clipping: str = ""
    out: list[Any] = field(default_factory=list)


class _Artist:
    """Redraw the content streams of one drawing, each once."""

    def __init__(self, pdf: Pdf, side: float) -> None:
        self.pdf = pdf
        self.side = side
        self.seen: set[tuple[int, int]] = set()

    def _line_width(self, matrix: Matrix) -> float:
        """Return the width of an outline, in the units of what is drawn with a matrix."""
        return LINE * self.side / (measure_scale(matrix) or 1e-9)

    def redraw(self, content: Any, resources: Object, matrix: Matrix) -> bytes:
        """Return a content stream with its shapes turned into outlines."""
        reading = _Reading(_State(matrix), resources)
        for step in pikepdf.parse_content_stream(content):
            self._take(step, str(step.operator), reading)
        return pikepdf.unparse_content_stream(reading.out)

    def _take(self, step: Any, operator: str, reading: _Reading) -> None:
        if operator in BUILDS:
            reading.path.append(step)
        elif operator in ("W", "W*"):
            reading.clipping = operator
        elif operator in FILLS or operator in STROKES or operator == "n":
            self._paint(operator, reading)
        elif operator == "sh":
            self._paint_gradient(reading)
        elif operator == "Do":
            self._draw_inner(step, reading)
        elif operator in DROPPED:
            self._remember(step, operator, reading)
        elif operator == "INLINE IMAGE":
            pass  # nothing that a drawing would be poorer without
        else:
            self._follow(step, operator, reading)
            reading.out.append(step)

    def _follow(self, step: Any, operator: str, reading: _Reading) -> None:
        if operator == "q":
            reading.saved.append(replace(reading.state))
        elif operator == "Q" and reading.saved:
            reading.state = reading.saved.pop()
        elif operator == "cm":
            reading.state.matrix = read_matrix(step.operands) @ reading.state.matrix
        elif operator == "BT":
            reading.out += [_do("g", DARK)]

    def _remember(self, step: Any, operator: str, reading: _Reading) -> None:
        """Remember colours and states that are dropped: they say how dark and how faint a shape was."""
        if operator in COLORS:
            numbers = [float(value) for value in step.operands if not isinstance(value, Name)]
            reading.state.brightness = _brightness(numbers)
        elif operator == "w":
            reading.state.width = float(step.operands[0])
        elif operator == "gs":
            given = reading.resources.get(Name.ExtGState, Dictionary()).get(step.operands[0], Dictionary())
            reading.state.opacity = 0.0 if _fades_away(given) else float(given.get(Name.ca, reading.state.opacity))

    def _paint(self, operator: str, reading: _Reading) -> None:
        path, state = reading.path, reading.state
        if operator in CLOSES:
            path = [*path, _do("h")]
        if state.opacity >= FAINT_BELOW:
            if operator in FILLS:
                reading.out += self._outline(path, FILLS[operator], state)
            elif operator in STROKES:
                reading.out += self._case(path, state)
        if reading.clipping:
            reading.out += [*path, _do(reading.clipping), _do("n")]
            state.clip = (state.matrix, path, reading.clipping == "W*")
        reading.path, reading.clipping = [], ""

    def _outline(self, path: Sequence[Any], even_odd: bool, state: _State) -> list[Any]:
        """Fill a shape white with an outline; thin shapes and small dark ones stay solid."""
        line = self._line_width(state.matrix)
        mass = measure_path(path)
        detail = state.brightness < DARK_BELOW and mass.part < DETAIL * (line / LINE) ** 2
        if mass.thickness < THIN * line or detail:
            return [_do("g", DARK), *path, _do("f*" if even_odd else "f")]
        return [_do("g", 1), _do("G", DARK), _do("w", line), *path, _do("B*" if even_odd else "B")]

    def _case(self, path: Sequence[Any], state: _State) -> list[Any]:
        """Draw a stroke dark, and a broad one hollow."""
        line = self._line_width(state.matrix)
        drawn = [_do("G", DARK), _do("w", max(line, state.width)), *path, _do("S")]
        if state.width > 3.5 * line:
            drawn += [_do("G", 1), _do("w", state.width - 2 * line), *path, _do("S")]
        return drawn

    def _paint_gradient(self, reading: _Reading) -> None:
        """Outline the shape that a gradient is clipped to, which it would fill."""
        state = reading.state
        if state.clip is None or state.opacity < FAINT_BELOW:
            return
        matrix, path, even_odd = state.clip
        back = matrix @ state.matrix.inverse()
        shape = self._outline(path, even_odd, replace(state, matrix=matrix, brightness=1.0))
        # only the inner half of the line is inside the clip
        wide = [_do("w", float(step.operands[0]) * 2) if str(step.operator) == "w" else step for step in shape]
        reading.out += [_do("q"), _do("cm", *back.shorthand), *wide, _do("Q")]

    def _draw_inner(self, step: Any, reading: _Reading) -> None:
        inner = reading.resources.get(Name.XObject, Dictionary()).get(step.operands[0])
        if inner is None or reading.state.opacity < FAINT_BELOW:
            return
        if inner.get(Name.Subtype) == Name.Form and inner.objgen not in self.seen:
            self.seen.add(inner.objgen)
            matrix = own_matrix(inner) @ reading.state.matrix
            inner.write(self.redraw(inner, inner.get(Name.Resources, reading.resources), matrix))
            air = self._line_width(matrix)
            x0, y0, x1, y1 = (float(value) for value in inner.BBox)
            inner.BBox = Array([x0 - air, y0 - air, x1 + air, y1 + air])
            delete_keys(inner, "/Group")
        elif inner.get(Name.Subtype) == Name.Image:
            self._lighten_image(inner)
        reading.out.append(step)

    def _lighten_image(self, image: Object) -> None:
        if image.objgen in self.seen or image.get(Name.ImageMask, False):
            return
        self.seen.add(image.objgen)
        picture = _lighten(pikepdf.PdfImage(cast(Stream, image)).as_pil_image()).convert("L")
        delete_keys(image, "/Decode", "/DecodeParms")
        image.write(picture.tobytes())
        image.ColorSpace, image.BitsPerComponent = Name.DeviceGray, 8


def _fades_away(state: Object) -> bool:
    """Tell whether what is painted in this state fades out, as shadows do: such a thing has no edge to outline."""
    mask = state.get(Name.SMask)
    if not isinstance(mask, Dictionary):
        return False
    shadings = mask.G.get(Name.Resources, Dictionary()).get(Name.Shading, Dictionary())
    return any(value < FAINT_BELOW for shading in shadings.values() for value in _list_ends(shading.get(Name.Function)))


def _list_ends(function: Object | None) -> Iterator[float]:
    """Yield the values at the ends of a gradient and of its parts."""
    if isinstance(function, Dictionary):
        for part in function.get(Name.Functions, Array()):
            yield from _list_ends(part)
        for key in (Name.C0, Name.C1):
            yield from (float(value) for value in function.get(key, Array()))


def _brightness(color: Sequence[float]) -> float:
    if len(color) == 3:
        return 0.3 * color[0] + 0.59 * color[1] + 0.11 * color[2]
    if len(color) == 4:
        return max(0.0, 1 - color[3] - 0.3 * color[0] - 0.59 * color[1] - 0.11 * color[2])
    return color[0] if color else 1.0


def _do(operator: str, *numbers: float) -> Any:
    return pikepdf.ContentStreamInstruction([round(number, 5) for number in numbers], Operator(operator))


def _write(matrix: Matrix) -> bytes:
    return " ".join(f"{value:.5f}" for value in matrix.shorthand).encode()


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


def save_ink(forms: Sequence[Form], lean: Collection[int], named: Collection[int] = ()) -> Saving:
    """Return drawings as outlines and photos in light greys.

    `lean` are those that need little ink as they are; `named` bear their names, which tell them apart.
    """
    drawn = [form if i in lean else outline_form(form) for i, form in enumerate(forms)]
    outlined = [i for i, form in enumerate(forms) if i not in lean and isinstance(form, VectorForm)]
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
    inks = {i: _soften(view) for i, view in views.items()}
    group_of = {i: i for i in views}
    for one, other in combinations(views, 2):
        if _differ(inks[one], inks[other]) < ALIKE:
            old, new = group_of[other], group_of[one]
            group_of = {i: new if group == old else group for i, group in group_of.items()}
    groups = [tuple(i for i, group in group_of.items() if group == first) for first in dict.fromkeys(group_of.values())]
    return [group for group in groups if len(group) > 1]


def _soften(view: Pixels) -> Ink:
    """Return the ink of a drawing, a little blurred."""
    return 255.0 - np.asarray(Image.fromarray(view[..., 0]).filter(ImageFilter.GaussianBlur(BLUR_PX)), np.float64)


def _differ(one: Ink, other: Ink) -> float:
    """Return how much of the ink of two drawings lies elsewhere in the other one."""
    return float(np.abs(one - other).sum() / max(1.0, (one.sum() + other.sum()) / 2))


def draw_with_little_ink(forms: Sequence[Form], theme: Theme) -> tuple[tuple[Form, ...], tuple[Fault, ...]]:
    """Return drawings as outlines, photos in light greys; letters and line drawings need little ink as they are.

    Drawings that only their colours tell apart keep them, and so do soft ones that have no outlines: both are reported.
    """
    faces = [theme.symbols[symbol].faces[face] for symbol, face in theme.pieces]
    named = {i for i, face in enumerate(faces) if isinstance(face.source, Captioned)}
    saving = save_ink(forms, {i for i, face in enumerate(faces) if _is_lean(face.source)}, named)
    names = [*(theme.symbols[symbol].id for symbol, _ in theme.pieces), "the back"]
    said = [f"{list_words([names[i] for i in group], 'and')} would look the same as outlines" for group in saving.alike]
    if saving.soft:
        said.append(f"{list_words([names[i] for i in saving.soft], 'and')} cannot be drawn as outlines")
    return tuple(saving.forms), tuple(Fault(f"little ink: {what}", "They keep their colours.") for what in said)


def _is_lean(source: Source) -> bool:
    picture = source.picture if isinstance(source, Captioned) else source
    return isinstance(picture, Text) or (isinstance(picture, Emoji) and picture.art == "openmoji-lines")
