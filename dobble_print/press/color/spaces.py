"""Colour spaces of a PDF: which kind one is, and the space of inks that takes its place.

Invariant: spaces that already speak of inks (DeviceCMYK, Separation, DeviceN) are never touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from dobble_print.press.color.inks import Inks, Rgb


class Kind(Enum):
    """What the numbers of a colour space mean."""

    RGB = 3
    GREY = 1
    INDEXED_RGB = 0
    PATTERN = -1
    TINTED_PATTERN = -2
    INKS = -3


class Palette:
    """How colours become inks on a page; under a luminosity mask they become greys, which is all a mask can see."""

    def __init__(self, inks: Inks, mask: bool = False) -> None:
        self.inks = inks
        self.mask = mask
        self.space = Name.DeviceGray if mask else Name.DeviceCMYK

    def flat(self, color: Sequence[float]) -> tuple[float, ...]:
        """A flat colour given as one grey or as red, green and blue."""
        red, green, blue = spread(color)
        return (_luminosity((red, green, blue)),) if self.mask else self.inks.vector(red, green, blue)

    def ramp(self, colors: Sequence[Sequence[float]]) -> list[tuple[float, ...]]:
        """Colours that run into each other."""
        screen = [spread(color) for color in colors]
        return [(_luminosity(color),) for color in screen] if self.mask else [*self.inks.ramp(screen)]


def spread(color: Sequence[float]) -> Rgb:
    """Red, green and blue from one grey or from three values."""
    if len(color) == 1:
        return (color[0], color[0], color[0])
    return (color[0], color[1], color[2])


def _luminosity(color: Rgb) -> float:
    """As PDF converts colours to grey."""
    return round(0.3 * color[0] + 0.59 * color[1] + 0.11 * color[2], 5)


def kind_of(space: Any) -> Kind:
    """The kind of a colour space, given by name or as an array."""
    if not isinstance(space, Array):
        names = {"/DeviceRGB": Kind.RGB, "/RGB": Kind.RGB, "/CalRGB": Kind.RGB, "/Pattern": Kind.PATTERN}
        names |= {"/DeviceGray": Kind.GREY, "/G": Kind.GREY, "/CalGray": Kind.GREY}
        return names.get(str(space), Kind.INKS)
    family = str(space[0])
    if family == "/ICCBased":
        return {3: Kind.RGB, 1: Kind.GREY}.get(int(space[1].N), Kind.INKS)
    if family in ("/Indexed", "/I"):
        return Kind.INDEXED_RGB if kind_of(space[1]) is Kind.RGB else Kind.INKS
    if family == "/Pattern" and len(space) > 1 and kind_of(space[1]) in (Kind.RGB, Kind.GREY):
        return Kind.TINTED_PATTERN
    if family in ("/CalRGB", "/CalGray", "/Pattern", "/DeviceRGB", "/DeviceGray"):
        return kind_of(space[0])
    return Kind.INKS


def convert_space(pdf: Pdf, space: Object, palette: Palette) -> Object:
    """The space of inks that takes a space's place."""
    match kind_of(space):
        case Kind.RGB | Kind.GREY:
            return palette.space
        case Kind.INDEXED_RGB:
            return _convert_indexed(pdf, space, palette)
        case Kind.TINTED_PATTERN:
            return Array([Name.Pattern, convert_space(pdf, space[1], palette)])
        case _:
            return space


def _convert_indexed(pdf: Pdf, space: Object, palette: Palette) -> Object:
    """The same numbers, looked up in a table of inks."""
    table = space[3].read_bytes() if isinstance(space[3], Stream) else bytes(space[3])
    colors = [tuple(value / 255 for value in table[i : i + 3]) for i in range(0, len(table) - 2, 3)]
    data = bytes(round(value * 255) for color in colors for value in palette.flat(color))
    return Array([Name.Indexed, palette.space, space[2], pdf.make_stream(data)])


def convert_group(holder: Object, palette: Palette) -> None:
    """A transparency group mixes its colours as inks, too."""
    group = holder.get(Name.Group)
    if isinstance(group, Dictionary) and Name.CS in group and (palette.mask or kind_of(group.CS) is Kind.RGB):
        group.CS = palette.space
