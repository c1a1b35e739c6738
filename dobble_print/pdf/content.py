"""What a content stream paints: its fills, strokes, pictures and forms, each with its graphics state and layer."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name, Pdf, Stream

from dobble_print.pdf.color_spaces import CMYK, GRAY, RGB, UNKNOWN, Space, read_space
from dobble_print.pdf.geometry import IDENTITY, Subpath, measure_scale, read_matrix, read_subpaths

PROCESS = {"Cyan", "Magenta", "Yellow", "Black"}
PaintKind = Literal["stroke", "fill", "text", "image"]
Layer = tuple[Hashable, ...]  # the groups that show or hide it together


@dataclass(frozen=True)
class Color:
    """A colour as an operator sets it."""

    space: Space
    values: tuple[float, ...] = ()

    @property
    def is_for_marks(self) -> bool:
        """Whether it is that of registration marks: all four inks of the press, by name, at full strength."""
        return set(self.space.plates) >= PROCESS and all(value == 1 for value in self.values)

    @property
    def is_white(self) -> bool:
        """Whether it is no ink at all."""
        paper = 1.0 if self.space.family == "gray" else 0.0
        return self.space.family in ("gray", "cmyk", "spot") and all(value == paper for value in self.values)


class GraphicsState(NamedTuple):
    """The graphics state as far as anybody asks for it; a tuple, since files change it with every other operator.

    Opacity and clip are set by who redraws a stream: the reader leaves them alone.
    """

    matrix: Matrix = IDENTITY
    fill: Color | None = None
    stroke: Color | None = None
    width: float | None = None
    overprint: bool | None = None  # of lines
    fill_overprint: bool = False  # whether fills overprint
    font: Any = None
    font_size: float = 0.0
    opacity: float = 1.0
    clip: tuple[Matrix, list[tuple[str, Any]], bool] | None = (
        None  # a path with its matrix, and whether it counts even-odd
    )

    def inherit(self, outer: GraphicsState) -> GraphicsState:
        """Return the state with what it leaves open taken from the stream that draws it; the matrix stays its own."""
        return self._replace(
            fill=self.fill or outer.fill,
            stroke=self.stroke or outer.stroke,
            width=outer.width if self.width is None else self.width,
            overprint=outer.overprint if self.overprint is None else self.overprint,
        )


@dataclass(frozen=True)
class Layering:
    """The layers around something, and whether one of them is for cutting."""

    layers: tuple[Layer, ...] = ()
    cuts: bool = False

    def enter(self, layer: Layer, cuts: bool) -> Layering:
        """Return the layering one layer further in."""
        return Layering((*self.layers, layer), self.cuts or cuts) if layer else self

    def within(self, outer: Layering) -> Layering:
        """Return the layering inside the layers of the stream that draws it."""
        return Layering((*outer.layers, *self.layers), outer.cuts or self.cuts)

    def is_hidden(self, off: Collection[Hashable]) -> bool:
        """Tell whether one of the layers does not show."""
        return any(all(group in off for group in layer) for layer in self.layers)


UNLAYERED = Layering()


@dataclass(frozen=True)
class SpecialPaint:
    """Something painted with a spot ink, or for cutting, or with an ink that the drawing stream chooses."""

    kind: PaintKind
    state: GraphicsState
    subpaths: tuple[Subpath, ...] = ()
    layering: Layering = UNLAYERED

    def find_color(self, outer: GraphicsState) -> Color | None:
        """Return the colour it is painted with."""
        state = self.state.inherit(outer)
        return state.stroke if self.kind == "stroke" else state.fill


@dataclass(frozen=True)
class EmbeddedImage:
    """An image; `source` can be read for its pixels, `space` is None for a stencil."""

    entries: Any
    source: Any
    space: Space | None

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return int(self.entries.get("/Width", 0)), int(self.entries.get("/Height", 0))


@dataclass(frozen=True)
class PlacedPicture:
    """An image where its stream draws it; the matrix maps the unit square."""

    picture: EmbeddedImage
    matrix: Matrix


@dataclass(frozen=True)
class PlacedForm:
    """A form where its stream draws it, with the state it finds there."""

    stream: Any
    state: GraphicsState
    layering: Layering = UNLAYERED


@dataclass
class PaintedContent:
    """Everything one content stream does."""

    resources: Any
    colors: dict[Color, None] = field(default_factory=dict)
    pictures: list[PlacedPicture] = field(default_factory=list)
    forms: list[PlacedForm] = field(default_factory=list)
    marks: list[SpecialPaint] = field(default_factory=list)
    patterns: dict[Hashable, Any] = field(default_factory=dict)
    shadings: dict[Hashable, Any] = field(default_factory=dict)
    fonts: dict[Hashable, Any] = field(default_factory=dict)
    states: dict[Hashable, Any] = field(default_factory=dict)
    paints: bool = False  # with anything that is no spot ink for certain
    thinnest: float = math.inf  # of its lines, in its own units
    overprints: bool = False  # with something that leaves what lies under it
    white_overprints: bool = False  # with white, which then does not show
    inherited_scale: float = math.inf  # of lines that take their width from the stream that draws this one
    texts: dict[tuple[Color | None, float], None] = field(default_factory=dict)  # by colour and size in its own units

    def list_masks(self) -> list[Any]:
        """Return the groups of its soft masks."""
        masks = [state.get("/SMask") for state in self.states.values()]
        return [mask.G for mask in masks if isinstance(mask, Dictionary) and "/G" in mask]


def key_of(thing: Any) -> Hashable:
    """Return what tells an object of a file from another: its number, or for a nested one its text."""
    key: Hashable = thing.objgen if thing.is_indirect else thing.unparse()
    return key


def read_layer(value: Any) -> tuple[Layer, bool]:
    """Return the groups a piece of optional content belongs to, and whether one of them says that it is cut."""
    groups = [value]
    if isinstance(value, Dictionary) and value.get("/Type") == Name.OCMD:  # a membership dictionary names several
        named = value.get("/OCGs", Array())
        groups = list(named) if isinstance(named, Array) else [named]
    known = [group for group in groups if isinstance(group, Dictionary)]
    return tuple(key_of(group) for group in known), any(_is_cutting(group) for group in known)


def _is_cutting(group: Any) -> bool:
    step = group.get("/GTS_Metadata")
    if not isinstance(step, Dictionary) or step.get("/GTS_ProcStepsGroup") != Name.Structural:
        return False
    kind = str(step.get("/GTS_ProcStepsType", ""))
    return "Cutting" in kind or kind == "/Perforating"


def find_hidden_layers(pdf: Pdf) -> frozenset[Hashable]:
    """Return the groups that are off when the file is opened."""
    known = pdf.Root.get("/OCProperties")
    if not isinstance(known, Dictionary):
        return frozenset()
    start = known.get("/D", Dictionary())
    off = {key_of(group) for group in start.get("/OFF", Array())}
    if start.get("/BaseState") == Name.OFF:
        groups = {key_of(group) for group in known.get("/OCGs", Array())}
        off |= groups - {key_of(group) for group in start.get("/ON", Array())}
    return frozenset(off)


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
INHERITED = GraphicsState()
BLACK = Color(GRAY, (0.0,))
FRESH = GraphicsState(fill=BLACK, stroke=BLACK, width=1.0, overprint=False)  # as a page starts


def read_content(content: Any, resources: Any, state: GraphicsState = INHERITED) -> PaintedContent:
    """Read what a page or a stream with these resources does; a page starts with a state of its own."""
    reader = Reader(PaintedContent(resources), state)
    for instruction in pikepdf.parse_content_stream(content):
        reader.follow(str(instruction.operator), instruction.operands)
    return reader.drawing


class Reader:
    """The state while a stream is read."""

    def __init__(self, drawing: PaintedContent, state: GraphicsState) -> None:
        self.drawing = drawing
        self.state = state
        self.saved: list[GraphicsState] = []
        self.path: list[tuple[str, Any]] = []
        self.layerings: list[Layering] = [UNLAYERED]
        self.text_scale = 1.0

    def follow(self, operator: str, operands: Any) -> None:
        """Take one operator into account."""
        if operator in BUILDS:
            self.path.append((operator, operands))
        elif operator in STROKES or operator in FILLS or operator == "n":
            self._paint_path(operator)
        elif operator in DIRECT:
            which, space = DIRECT[operator]
            self._set_color(which, Color(space, _numbers(operands)))
        else:
            self._follow_rest(operator, operands)

    def _follow_rest(self, operator: str, operands: Any) -> None:
        match operator:
            case "q":
                self.saved.append(self.state)
            case "Q" if self.saved:
                self.state = self.saved.pop()
            case "cm":
                self.state = self.state._replace(matrix=read_matrix(operands) @ self.state.matrix)
            case "w":
                self.state = self.state._replace(width=float(operands[0]))
            case "gs":
                self._use_state(self._find("/ExtGState", operands[0]))
            case "cs" | "CS":
                space = read_space(operands[0], self.drawing.resources)
                start = (1.0,) * space.count if space.family == "spot" else (0.0,) * space.count
                self._set_color("fill" if operator == "cs" else "stroke", Color(space, start))
            case "sc" | "scn" | "SC" | "SCN":
                self._tint("fill" if operator[0] == "s" else "stroke", operands)
            case "Tj" | "TJ" | "'" | '"':
                if self.state.font is not None:
                    self.drawing.fonts[key_of(self.state.font)] = self.state.font
                size = self.state.font_size * self.text_scale * measure_scale(self.state.matrix)
                self.drawing.texts[self.state.fill, round(size, 3)] = None
                self._paint("text", ())
            case "Tf":
                self.state = self.state._replace(font=self._find("/Font", operands[0]), font_size=float(operands[1]))
            case "BT":
                self.text_scale = 1.0
            case "Tm":
                self.text_scale = measure_scale(read_matrix(operands))
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
        """Return the layering inside marked content; only optional content is a layer."""
        if len(operands) < 2 or operands[0] != Name.OC or not isinstance(operands[1], Name):
            return self.layerings[-1]
        known = self.drawing.resources.get("/Properties", Dictionary())
        return self.layerings[-1].enter(*read_layer(known.get(str(operands[1]))))

    def _find(self, kind: str, name: Any) -> Any:
        """Find a resource by its name."""
        return self.drawing.resources[kind][str(name)]

    def _set_color(self, which: str, color: Color) -> None:
        self.drawing.colors[color] = None
        self.state = self.state._replace(fill=color) if which == "fill" else self.state._replace(stroke=color)

    def _tint(self, which: str, operands: Any) -> None:
        now = self.state.fill if which == "fill" else self.state.stroke
        values = list(operands)
        if now is None:  # the space is that of the stream that draws this form, and is judged there
            return
        if values and isinstance(values[-1], Name):
            pattern = self._find("/Pattern", values.pop())
            if int(pattern.get("/PatternType", 0)) == 2:
                self.drawing.shadings[key_of(pattern.Shading)] = pattern.Shading
            else:
                self.drawing.patterns[key_of(pattern)] = pattern
        self._set_color(which, Color(now.space, _numbers(values)))

    def _use_state(self, state: Any) -> None:
        self.drawing.states[key_of(state)] = state
        if "/LW" in state:
            self.state = self.state._replace(width=float(state.LW))
        if "/OP" in state:
            self.state = self.state._replace(overprint=bool(state.OP))
        if "/op" in state or "/OP" in state:
            self.state = self.state._replace(fill_overprint=bool(state.get("/op", state.get("/OP"))))
        if "/Font" in state:
            self.state = self.state._replace(font=state.Font[0])

    def _paint_path(self, operator: str) -> None:
        if operator in FILLS:
            self._paint("fill", ())
        if operator in STROKES:
            self._paint("stroke", [*self.path, ("h", ())] if operator in CLOSES else self.path)
        self.path = []

    def _paint(self, kind: PaintKind, path: Iterable[tuple[str, Any]]) -> None:
        """Keep paths only of spot inks, inherited ones and cuts: the rest is art, and there is a lot."""
        color = self.state.stroke if kind == "stroke" else self.state.fill
        overprints = self.state.overprint if kind == "stroke" else self.state.fill_overprint
        self.drawing.white_overprints |= bool(overprints and color and color.is_white)
        if color is not None and not color.space.plates:
            self.drawing.paints = True
            self.drawing.overprints |= bool(overprints) and not self.layerings[-1].cuts
            if kind == "stroke":
                self._measure_line()
            if not self.layerings[-1].cuts:
                return
        subpaths = read_subpaths(path, self.state.matrix)
        self.drawing.marks.append(SpecialPaint(kind, self.state, subpaths, self.layerings[-1]))

    def _measure_line(self) -> None:
        scale = measure_scale(self.state.matrix)
        if self.state.width is None:
            self.drawing.inherited_scale = min(self.drawing.inherited_scale, scale)
        else:
            self.drawing.thinnest = min(self.drawing.thinnest, self.state.width * scale)

    def _draw_object(self, thing: Any) -> None:
        if not isinstance(thing, Stream):
            return
        if thing.get("/Subtype") == Name.Form:
            layering = self.layerings[-1].enter(*read_layer(thing.get("/OC")))
            self.drawing.forms.append(PlacedForm(thing, self.state, layering))
        elif thing.get("/Subtype") == Name.Image:
            self._place_picture(thing, thing)

    def _place_picture(self, entries: Any, source: Any) -> None:
        """Place an image with its colour space; a JPEG 2000 may keep its own to itself."""
        space = None
        if not bool(entries.get("/ImageMask", False)):
            named = entries.get("/ColorSpace")
            space = UNKNOWN if named is None else read_space(named, self.drawing.resources)
        self.drawing.pictures.append(PlacedPicture(EmbeddedImage(entries, source, space), self.state.matrix))
        if space is None or space.plates:
            state = self.state if space is None else self.state._replace(fill=Color(space))
            self.drawing.marks.append(SpecialPaint("image", state, (), self.layerings[-1]))
        else:
            self.drawing.paints = True


def merge_resources(own: Any, outer: Any) -> Any:
    """Return a form's own resources, or, in old files, those of the stream that draws it."""
    return own if isinstance(own, Dictionary) else outer


def _numbers(operands: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in operands if not isinstance(value, Name | Array))
