"""What one content stream does, as data: colours, images, forms, fonts and whatever it paints with a spot ink.

Invariant: everything is in the stream's own coordinates and says nothing about where the stream is used, so that a form
is read once however often it is drawn; a colour, width or overprint of None is inherited from whoever draws it.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from dobble_print.preflight.matrix import IDENTITY, Matrix
from dobble_print.preflight.spaces import Space

Point = tuple[float, float]
Deed = Literal["stroke", "fill", "text", "image"]
Layer = tuple[Hashable, ...]  # the groups that show or hide it together


@dataclass(frozen=True)
class Color:
    """A colour as an operator sets it."""

    space: Space
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class Pen:
    """The graphics state as far as the rules ask for it."""

    matrix: Matrix = IDENTITY
    fill: Color | None = None
    stroke: Color | None = None
    width: float | None = None
    overprint: bool | None = None  # of lines
    overfill: bool = False  # whether fills overprint
    font: Any = None

    def inherit(self, outer: Pen) -> Pen:
        """The same with what it leaves open taken from the stream that draws it; the matrix stays its own."""
        return replace(
            self,
            fill=self.fill or outer.fill,
            stroke=self.stroke or outer.stroke,
            width=outer.width if self.width is None else self.width,
            overprint=outer.overprint if self.overprint is None else self.overprint,
        )


@dataclass(frozen=True)
class Subpath:
    """A run of a path: its points with curves sampled, and whether it closes."""

    points: tuple[Point, ...]
    closed: bool


@dataclass(frozen=True)
class Layering:
    """The layers around something, and whether one of them is for cutting."""

    layers: tuple[Layer, ...] = ()
    cuts: bool = False

    def enter(self, layer: Layer, cuts: bool) -> Layering:
        """One layer further in."""
        return Layering((*self.layers, layer), self.cuts or cuts) if layer else self

    def within(self, outer: Layering) -> Layering:
        """The same inside the layers of whoever draws it."""
        return Layering((*outer.layers, *self.layers), outer.cuts or self.cuts)

    def is_hidden(self, off: Collection[Hashable]) -> bool:
        """Whether one of the layers does not show."""
        return any(all(group in off for group in layer) for layer in self.layers)


UNLAYERED = Layering()


@dataclass(frozen=True)
class Mark:
    """Something painted with a spot ink, or for cutting, or with an ink that whoever draws the stream chooses."""

    deed: Deed
    pen: Pen
    subpaths: tuple[Subpath, ...] = ()
    layering: Layering = UNLAYERED

    def find_color(self, outer: Pen) -> Color | None:
        """The colour it is painted with."""
        pen = self.pen.inherit(outer)
        return pen.stroke if self.deed == "stroke" else pen.fill


@dataclass(frozen=True)
class Picture:
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

    picture: Picture
    matrix: Matrix


@dataclass(frozen=True)
class PlacedForm:
    """A form where its stream draws it, with the pen it finds there."""

    stream: Any
    pen: Pen
    layering: Layering = UNLAYERED


@dataclass
class Drawing:
    """Everything one content stream does."""

    resources: Any
    colors: dict[Color, None] = field(default_factory=dict)
    pictures: list[PlacedPicture] = field(default_factory=list)
    forms: list[PlacedForm] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    patterns: dict[Hashable, Any] = field(default_factory=dict)
    shadings: dict[Hashable, Any] = field(default_factory=dict)
    fonts: dict[Hashable, Any] = field(default_factory=dict)
    states: dict[Hashable, Any] = field(default_factory=dict)
    paints: bool = False  # with anything that is no spot ink for certain
    hairline: bool = False  # such a line has no width
    overprints: bool = False  # with a fill that leaves what lies under it
    leans: bool = False  # such a line has the width of whoever draws the stream


def key_of(thing: Any) -> Hashable:
    """What tells an object of a file from another: its number, or for a nested one its text."""
    key: Hashable = thing.objgen if thing.is_indirect else thing.unparse()
    return key
