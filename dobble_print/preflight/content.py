"""Reading a content stream: operators in, a `Drawing` out.

Invariant: follows the graphics state as a printer does (q, Q, cm, gs, colours), and takes no operand on trust: whatever
does not fit the operator is an error of the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from dobble_print.preflight.drawing import (
    UNLAYERED,
    Color,
    Deed,
    Drawing,
    Layering,
    Mark,
    Pen,
    Picture,
    PlacedForm,
    PlacedPicture,
    key_of,
)
from dobble_print.preflight.layers import read_layer
from dobble_print.preflight.matrix import multiply, read_matrix
from dobble_print.preflight.outline import read_subpaths
from dobble_print.preflight.spaces import CMYK, GRAY, RGB, UNKNOWN, Space, read_space

DIRECT: dict[str, tuple[str, Space]] = {
    "g": ("fill", GRAY),
    "G": ("stroke", GRAY),
    "rg": ("fill", RGB),
    "RG": ("stroke", RGB),
    "k": ("fill", CMYK),
    "K": ("stroke", CMYK),
}
STROKES = {"S", "s", "B", "B*", "b", "b*"}
FILLS = {"f", "F", "f*", "B", "B*", "b", "b*"}
CLOSES = {"s", "b", "b*"}
BUILDS = {"m", "l", "c", "v", "y", "re", "h"}
SHOWS = {"Tj", "TJ", "'", '"'}
INHERITED = Pen()
FRESH = Pen(fill=Color(GRAY, (0.0,)), stroke=Color(GRAY, (0.0,)), width=1.0, overprint=False)  # as a page starts


def read_drawing(content: Any, resources: Any, pen: Pen = INHERITED) -> Drawing:
    """What a page or a stream with these resources does; a page starts with a pen of its own."""
    reader = Reader(Drawing(resources), pen)
    for instruction in pikepdf.parse_content_stream(content):
        reader.follow(str(instruction.operator), instruction.operands)
    return reader.drawing


class Reader:
    """The state while a stream is read."""

    def __init__(self, drawing: Drawing, pen: Pen) -> None:
        self.drawing = drawing
        self.pen = pen
        self.saved: list[Pen] = []
        self.path: list[tuple[str, Any]] = []
        self.layerings: list[Layering] = [UNLAYERED]

    def follow(self, operator: str, operands: Any) -> None:
        """Take one operator into account."""
        if operator in BUILDS:
            self.path.append((operator, operands))
        elif operator in STROKES or operator in FILLS or operator == "n":
            self._paint_path(operator)
        elif operator in DIRECT:
            which, space = DIRECT[operator]
            self._set_color(which, Color(space, _numbers(operands)))
        elif operator in SHOWS:
            self._show_text()
        else:
            self._follow_rest(operator, operands)

    def _follow_rest(self, operator: str, operands: Any) -> None:
        match operator:
            case "q":
                self.saved.append(self.pen)
            case "Q" if self.saved:
                self.pen = self.saved.pop()
            case "cm":
                self.pen = replace(self.pen, matrix=multiply(read_matrix(operands), self.pen.matrix))
            case "w":
                self.pen = replace(self.pen, width=float(operands[0]))
            case "gs":
                self._use_state(self._find("/ExtGState", operands[0]))
            case "cs" | "CS":
                space = read_space(operands[0], self.drawing.resources)
                start = (1.0,) * space.count if space.family == "spot" else (0.0,) * space.count
                self._set_color("fill" if operator == "cs" else "stroke", Color(space, start))
            case "sc" | "scn" | "SC" | "SCN":
                self._tint("fill" if operator[0] == "s" else "stroke", operands)
            case "Tf":
                self.pen = replace(self.pen, font=self._find("/Font", operands[0]))
            case "sh":
                shading = self._find("/Shading", operands[0])
                self.drawing.shadings[key_of(shading)] = shading
                self.drawing.paints = True
            case "Do":
                self._draw_object(self._find("/XObject", operands[0]))
            case "BMC" | "BDC":
                self.layerings.append(self._enter(operands))
            case "EMC" if len(self.layerings) > 1:
                self.layerings.pop()
            case "INLINE IMAGE":
                self._place_picture(operands[0].obj, operands[0])

    def _enter(self, operands: Any) -> Layering:
        """Where marked content leads: only optional content is a layer."""
        if len(operands) < 2 or operands[0] != Name.OC or not isinstance(operands[1], Name):
            return self.layerings[-1]
        known = self.drawing.resources.get("/Properties", Dictionary())
        return self.layerings[-1].enter(*read_layer(known.get(str(operands[1]))))

    def _find(self, kind: str, name: Any) -> Any:
        """A resource by its name."""
        return self.drawing.resources[kind][str(name)]

    def _set_color(self, which: str, color: Color) -> None:
        self.drawing.colors[color] = None
        self.pen = replace(self.pen, fill=color) if which == "fill" else replace(self.pen, stroke=color)

    def _tint(self, which: str, operands: Any) -> None:
        now = self.pen.fill if which == "fill" else self.pen.stroke
        values = list(operands)
        if now is None:  # the space is that of whoever draws this form, and so is judged there
            return
        if values and isinstance(values[-1], Name):
            self._use_pattern(self._find("/Pattern", values.pop()))
        self._set_color(which, Color(now.space, _numbers(values)))

    def _use_pattern(self, pattern: Any) -> None:
        if int(pattern.get("/PatternType", 0)) == 2:
            self.drawing.shadings[key_of(pattern.Shading)] = pattern.Shading
        else:
            self.drawing.patterns[key_of(pattern)] = pattern

    def _use_state(self, state: Any) -> None:
        self.drawing.states[key_of(state)] = state
        if "/LW" in state:
            self.pen = replace(self.pen, width=float(state.LW))
        if "/OP" in state:
            self.pen = replace(self.pen, overprint=bool(state.OP))
        if "/op" in state or "/OP" in state:
            self.pen = replace(self.pen, overfill=bool(state.get("/op", state.get("/OP"))))
        if "/Font" in state:
            self.pen = replace(self.pen, font=state.Font[0])

    def _paint_path(self, operator: str) -> None:
        if operator in FILLS:
            self._paint("fill", ())
        if operator in STROKES:
            self._paint("stroke", [*self.path, ("h", ())] if operator in CLOSES else self.path)
        self.path = []

    def _paint(self, deed: Deed, path: Iterable[tuple[str, Any]]) -> None:
        """Only spot inks, inherited ones and cuts are kept with their paths: the rest is art, and there is a lot."""
        color = self.pen.stroke if deed == "stroke" else self.pen.fill
        if color is not None and not color.space.plates:
            self.drawing.paints = True
            self._judge_paint(deed)
            if not self.layerings[-1].cuts:
                return
        subpaths = read_subpaths(path, self.pen.matrix)
        self.drawing.marks.append(Mark(deed, self.pen, subpaths, self.layerings[-1]))

    def _judge_paint(self, deed: Deed) -> None:
        if deed != "stroke":
            self.drawing.overprints = self.drawing.overprints or self.pen.overfill
        else:
            self.drawing.hairline = self.drawing.hairline or self.pen.width == 0
            self.drawing.leans = self.drawing.leans or self.pen.width is None

    def _show_text(self) -> None:
        font = self.pen.font
        if font is not None:
            self.drawing.fonts[key_of(font)] = font
        self._paint("text", ())

    def _draw_object(self, thing: Any) -> None:
        if not isinstance(thing, Stream):
            return
        if thing.get("/Subtype") == Name.Form:
            self.drawing.forms.append(PlacedForm(thing, self.pen, self._enter_object(thing)))
        elif thing.get("/Subtype") == Name.Image:
            self._place_picture(thing, thing)

    def _enter_object(self, thing: Any) -> Layering:
        return self.layerings[-1].enter(*read_layer(thing.get("/OC")))

    def _place_picture(self, entries: Any, source: Any) -> None:
        picture = read_picture(entries, source, self.drawing.resources)
        self.drawing.pictures.append(PlacedPicture(picture, self.pen.matrix))
        if picture.space is None or picture.space.plates:
            space = picture.space
            pen = self.pen if space is None else replace(self.pen, fill=Color(space))
            self.drawing.marks.append(Mark("image", pen, (), self.layerings[-1]))
        else:
            self.drawing.paints = True


def read_picture(entries: Any, source: Any, resources: Any) -> Picture:
    """An image with its colour space; a JPEG 2000 may keep its own to itself."""
    if bool(entries.get("/ImageMask", False)):
        return Picture(entries, source, None)
    space = entries.get("/ColorSpace")
    return Picture(entries, source, UNKNOWN if space is None else read_space(space, resources))


def merge_resources(own: Any, outer: Any) -> Any:
    """A form's own resources, or, in old files, those of whoever draws it."""
    return own if isinstance(own, Dictionary) else outer


def _numbers(operands: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in operands if not isinstance(value, Name | Array))
