"""Outline art: drawings as a colouring book has them, for printers that must save ink and for photocopies.

Invariant: shapes turn white with a thin dark outline, in their old order, so that what was hidden stays hidden; what is
too thin to be outlined, and small dark details such as eyes, stay solid. Faint overlays (gloss, shade) are left out,
and so is what fades away.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Operator, Pdf, Stream
from PIL import Image

from dobble_print.art.artwork import Form, PixelForm, VectorForm
from dobble_print.press.color.path import BUILDING, IDENTITY, Matrix, invert, multiply, scale_of, weigh_path

LINE = 0.009  # width of outlines, of the drawing's longer side
DARK = 0.25
THIN = 1.6  # shapes thinner than so many lines stay solid: two outlines would run into each other
DETAIL = 0.022  # dark shapes smaller than this share of the box stay solid
DARK_BELOW = 0.3  # how bright a dark shape may be
FAINT_BELOW = 0.5  # more translucent than this is only a shimmer
PAPER = 0.55  # how much of a photo's darkness goes: pale enough to save ink, dark enough to copy

FILLS = {"f": False, "F": False, "f*": True, "b": False, "B": False, "b*": True, "B*": True}
STROKES = {"S", "s"}
CLOSING = {"s", "b", "b*"}
COLORS = {"g", "rg", "k", "sc", "scn"}
DROPPED = {*COLORS, "G", "RG", "K", "cs", "CS", "SC", "SCN", "gs", "ri", "w", "j", "J", "d", "M", "i"}


def outline_form(form: Form) -> Form:
    """A form that needs little ink: a drawing as outlines, a photo in light greys."""
    return lighten_form(form) if isinstance(form, PixelForm) else _outline_drawing(form)


def _outline_drawing(form: VectorForm) -> VectorForm:
    with Pdf.open(io.BytesIO(form.pdf)) as pdf:
        page = pdf.pages[0]
        x0, y0, x1, y1 = (float(value) for value in page.mediabox)
        side = max(x1 - x0, y1 - y0)
        # a little smaller, so that the outer half of an outline stays inside the box
        shrink = 1 - 1.5 * LINE
        fit = (shrink, 0.0, 0.0, shrink, (x0 + x1) / 2 * (1 - shrink), (y0 + y1) / 2 * (1 - shrink))
        artist = _Artist(pdf, side)
        content = artist.redraw(page, page.obj.get(Name.Resources, Dictionary()), fit)
        page.obj.Contents = pdf.make_stream(b"q %b cm 1 j 1 J\n%b\nQ" % (_write(fit), content))
        _forget(page.obj, "/Group")
        _forget(pdf.trailer, "/Info")
        sink = io.BytesIO()
        pdf.save(sink, deterministic_id=True)
    return VectorForm(sink.getvalue())


def lighten_form(form: PixelForm) -> PixelForm:
    """A photo in light greys."""
    return replace(form, picture=_lighten(form.picture))


def _lighten(picture: Image.Image) -> Image.Image:
    grey = picture.convert("L").point([round(255 - (255 - value) * (1 - PAPER)) for value in range(256)])
    light = grey.convert("RGBA")
    if "A" in picture.getbands():
        light.putalpha(picture.getchannel("A"))
    return light


@dataclass
class _Pen:
    """What is in force while a content stream is read."""

    matrix: Matrix
    brightness: float = 0.0
    opacity: float = 1.0
    width: float = 1.0
    clip: tuple[Matrix, list[Any], bool] | None = None


@dataclass
class _Reading:
    """One content stream: its pens and the path that is being built."""

    pen: _Pen
    resources: Object
    saved: list[_Pen] = field(default_factory=list)
    path: list[Any] = field(default_factory=list)
    clipping: str = ""
    out: list[Any] = field(default_factory=list)


class _Artist:
    """Redraws the content streams of one drawing, each once."""

    def __init__(self, pdf: Pdf, side: float) -> None:
        self.pdf = pdf
        self.side = side
        self.seen: set[tuple[int, int]] = set()

    def redraw(self, content: Any, resources: Object, matrix: Matrix) -> bytes:
        """A content stream with its shapes turned into outlines."""
        reading = _Reading(_Pen(matrix), resources)
        for step in pikepdf.parse_content_stream(content):
            self._take(step, str(step.operator), reading)
        return pikepdf.unparse_content_stream(reading.out)

    def _take(self, step: Any, operator: str, reading: _Reading) -> None:
        if operator in BUILDING:
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
            reading.saved.append(replace(reading.pen))
        elif operator == "Q" and reading.saved:
            reading.pen = reading.saved.pop()
        elif operator == "cm":
            a, b, c, d, e, f = (float(value) for value in step.operands)
            reading.pen.matrix = multiply((a, b, c, d, e, f), reading.pen.matrix)
        elif operator == "BT":
            reading.out += [_do("g", DARK)]

    def _remember(self, step: Any, operator: str, reading: _Reading) -> None:
        """Colours and states that are dropped still say how dark and how faint a shape was."""
        if operator in COLORS:
            numbers = [float(value) for value in step.operands if not isinstance(value, Name)]
            reading.pen.brightness = _brightness(numbers)
        elif operator == "w":
            reading.pen.width = float(step.operands[0])
        elif operator == "gs":
            state = reading.resources.get(Name.ExtGState, Dictionary()).get(step.operands[0], Dictionary())
            reading.pen.opacity = 0.0 if _fades_away(state) else float(state.get(Name.ca, reading.pen.opacity))

    def _paint(self, operator: str, reading: _Reading) -> None:
        path, pen = reading.path, reading.pen
        if operator in CLOSING:
            path = [*path, _do("h")]
        if pen.opacity >= FAINT_BELOW:
            if operator in FILLS:
                reading.out += self._outline(path, FILLS[operator], pen)
            elif operator in STROKES:
                reading.out += self._case(path, pen)
        if reading.clipping:
            reading.out += [*path, _do(reading.clipping), _do("n")]
            pen.clip = (pen.matrix, path, reading.clipping == "W*")
        reading.path, reading.clipping = [], ""

    def _outline(self, path: Sequence[Any], even_odd: bool, pen: _Pen) -> list[Any]:
        """White with an outline; thin shapes and small dark ones stay solid."""
        scale = scale_of(pen.matrix)
        line = LINE * self.side / scale
        mass = weigh_path(path)
        detail = pen.brightness < DARK_BELOW and mass.part * scale**2 < DETAIL * self.side**2
        if mass.thickness < THIN * line or detail:
            return [_do("g", DARK), *path, _do("f*" if even_odd else "f")]
        return [_do("g", 1), _do("G", DARK), _do("w", line), *path, _do("B*" if even_odd else "B")]

    def _case(self, path: Sequence[Any], pen: _Pen) -> list[Any]:
        """A stroke: dark, and a broad one hollow."""
        line = LINE * self.side / scale_of(pen.matrix)
        drawn = [_do("G", DARK), _do("w", max(line, pen.width)), *path, _do("S")]
        if pen.width > 3.5 * line:
            drawn += [_do("G", 1), _do("w", pen.width - 2 * line), *path, _do("S")]
        return drawn

    def _paint_gradient(self, reading: _Reading) -> None:
        """A gradient fills what it is clipped to: that shape is outlined instead."""
        pen = reading.pen
        if pen.clip is None or pen.opacity < FAINT_BELOW:
            return
        matrix, path, even_odd = pen.clip
        back = multiply(matrix, invert(pen.matrix))
        shape = self._outline(path, even_odd, replace(pen, matrix=matrix, brightness=1.0))
        # only the inner half of the line is inside the clip
        wide = [_do("w", float(step.operands[0]) * 2) if str(step.operator) == "w" else step for step in shape]
        reading.out += [_do("q"), _do("cm", *back), *wide, _do("Q")]

    def _draw_inner(self, step: Any, reading: _Reading) -> None:
        inner = reading.resources.get(Name.XObject, Dictionary()).get(step.operands[0])
        if inner is None or reading.pen.opacity < FAINT_BELOW:
            return
        if inner.get(Name.Subtype) == Name.Form and inner.objgen not in self.seen:
            self.seen.add(inner.objgen)
            a, b, c, d, e, f = (float(value) for value in inner.get(Name.Matrix, IDENTITY))
            matrix = multiply((a, b, c, d, e, f), reading.pen.matrix)
            inner.write(self.redraw(inner, inner.get(Name.Resources, reading.resources), matrix))
            air = LINE * self.side / scale_of(matrix)
            x0, y0, x1, y1 = (float(value) for value in inner.BBox)
            inner.BBox = Array([x0 - air, y0 - air, x1 + air, y1 + air])
            _forget(inner, "/Group")
        elif inner.get(Name.Subtype) == Name.Image:
            self._lighten_image(inner)
        reading.out.append(step)

    def _lighten_image(self, image: Object) -> None:
        if image.objgen in self.seen or image.get(Name.ImageMask, False):
            return
        self.seen.add(image.objgen)
        picture = _lighten(pikepdf.PdfImage(cast(Stream, image)).as_pil_image()).convert("L")
        _forget(image, "/Decode", "/DecodeParms")
        image.write(picture.tobytes())
        image.ColorSpace, image.BitsPerComponent = Name.DeviceGray, 8


def _fades_away(state: Object) -> bool:
    """Whether what is painted in this state fades out, as shadows do: such a thing has no edge to outline."""
    mask = state.get(Name.SMask)
    if not isinstance(mask, Dictionary):
        return False
    shadings = mask.G.get(Name.Resources, Dictionary()).get(Name.Shading, Dictionary())
    return any(value < FAINT_BELOW for shading in shadings.values() for value in _list_ends(shading.get(Name.Function)))


def _list_ends(function: Object | None) -> Iterator[float]:
    """The values at the ends of a gradient and of its parts."""
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
    return " ".join(f"{value:.5f}" for value in matrix).encode()


def _forget(holder: Object, *keys: str) -> None:
    for key in keys:
        if key in holder:
            del holder[key]
