"""Turn a drawing that cairo wrote into inks: its colours, gradients, pictures and groups.

Invariant: no screen colour is passed on. Cairo writes `rg RG g G`, axial and radial shadings with functions of type 2
and 3, and pictures without palettes; whatever else turns up is refused. What only masks see stays or becomes grey.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, cast

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Operator, Pdf, Stream
from PIL import Image

from dobble_print.errors import Fault, OutputError
from dobble_print.pdf.document import delete_keys
from dobble_print.prepress.inks import Inks, Rgb

SAMPLES = 33  # of a plain run from one colour to another: inks do not follow a straight line between them
DRAWN_FROM = 0.5  # the share of pixels that equal their neighbour; drawings have 0.9 and more, photos 0.2
INVERTED = [1, 0] * 4  # what Pillow, as Adobe, writes into a CMYK JPEG
DECIMALS = 4
SETS_COLOR = {"rg": ("k", "g"), "g": ("k", "g"), "RG": ("K", "G"), "G": ("K", "G")}  # as inks, and in a mask
PATTERN_ONLY = ("cs", "CS", "scn", "SCN", "sc", "SC")
SCREEN_SPACES = (Name.DeviceRGB, Name.DeviceGray)
Color = tuple[float, ...]


class Palette:
    """How colours become inks; under a luminosity mask they become greys, which is all a mask can see."""

    def __init__(self, inks: Inks, mask: bool = False) -> None:
        self.inks = inks
        self.mask = mask
        self.space = Name.DeviceGray if mask else Name.DeviceCMYK

    def flat(self, color: Color) -> Color:
        """Return a flat colour, given as one grey or as red, green and blue."""
        return (measure_luminosity(color),) if self.mask else self.inks.vector(*_spread(color))

    def ramp(self, colors: Sequence[Color]) -> list[Color]:
        """Return colours that run into each other."""
        return [self.flat(color) for color in colors] if self.mask else [*self.inks.ramp([*map(_spread, colors)])]


def _spread(color: Color) -> Rgb:
    red, green, blue = color * 3 if len(color) == 1 else color
    return red, green, blue


def measure_luminosity(color: Color) -> float:
    """Return a colour's grey, as PDF converts it."""
    red, green, blue = _spread(color)
    return round(0.3 * red + 0.59 * green + 0.11 * blue, 5)


def separate_form(pdf: Pdf, form: Object, inks: Inks) -> None:
    """Replace every screen colour of a drawing, a form of this document, by inks."""
    walk = _Walk(pdf)
    walk.visit_content(form, Palette(inks))
    for mask in walk.masks:
        walk.visit_content(mask.G, Palette(inks, mask=True))
        if Name.BC in mask:
            mask.BC = Array(Palette(inks, mask=True).flat(_floats(mask.BC)))


class _Walk:
    """Visit a form and all that it draws with, each thing once, in the order of their names."""

    def __init__(self, pdf: Pdf) -> None:
        self.pdf = pdf
        self.seen: set[tuple[int, int]] = set()
        self.masks: list[Object] = []  # read last: what a page shows too is no mere mask

    def visit_content(self, content: Object, palette: Palette) -> None:
        """Rewrite a form, a tiling pattern or a glyph, and what it refers to."""
        if self._is_known(content):
            return
        group = content.get(Name.Group)
        if isinstance(group, Dictionary) and Name.CS in group and (palette.mask or Name.DeviceRGB == group.CS):
            group.CS = palette.space
        steps = [_replace(step, palette) for step in pikepdf.parse_content_stream(content)]
        content.write(pikepdf.unparse_content_stream(steps))
        resources = content.get(Name.Resources, Dictionary())
        if Name.ColorSpace in resources:
            raise _refuse("a colour space of its own")
        for kind in ("/XObject", "/Pattern", "/Shading", "/ExtGState", "/Font"):
            for _, thing in sorted(resources.get(kind, Dictionary()).items()):
                self._visit_resource(kind, thing, palette)

    def _visit_resource(self, kind: str, thing: Object, palette: Palette) -> None:
        match kind:
            case "/XObject" if thing.get(Name.Subtype) != Name.Form:
                if not self._is_known(thing):
                    _separate_picture(thing, palette)
            case "/Pattern" if not isinstance(thing, Stream):
                self._visit_shading(thing.Shading, palette)
            case "/Pattern" if int(thing.PaintType) != 1:
                raise _refuse("a pattern without colours")
            case "/XObject" | "/Pattern":
                self.visit_content(thing, palette)
            case "/Shading":
                self._visit_shading(thing, palette)
            case "/ExtGState" if isinstance(thing.get(Name.SMask), Dictionary):
                self.masks.append(thing.SMask)
            case "/Font":
                for _, glyph in sorted(thing.get(Name.CharProcs, Dictionary()).items()):
                    self.visit_content(glyph, palette)

    def _is_known(self, thing: Object) -> bool:
        known = thing.is_indirect and thing.objgen in self.seen
        self.seen.add(thing.objgen)
        return known

    def _visit_shading(self, shading: Object, palette: Palette) -> None:
        if self._is_known(shading) or (palette.mask and shading.ColorSpace == Name.DeviceGray):
            return
        if int(shading.ShadingType) not in (2, 3) or shading.ColorSpace not in SCREEN_SPACES:
            raise _refuse(f"a gradient of type {shading.ShadingType}")
        shading.Function = _separate_function(self.pdf, shading.Function, palette)
        shading.ColorSpace = palette.space


def _refuse(what: str) -> OutputError:
    hint = "Export the drawing again as plain SVG."
    return OutputError(Fault(f"a drawing with {what} cannot be turned into inks", hint))


def _replace(step: Any, palette: Palette) -> Any:
    operator = str(step.operator)
    if operator in SETS_COLOR:
        rounded = [round(value, DECIMALS) for value in palette.flat(_floats(step.operands))]
        values = [int(value) if value == int(value) else value for value in rounded]
        return pikepdf.ContentStreamInstruction(values, Operator(SETS_COLOR[operator][palette.mask]))
    if operator == "INLINE IMAGE" or (operator in PATTERN_ONLY and not isinstance(step.operands[-1], Name)):
        raise _refuse(f"the operator {operator}")
    if operator in ("cs", "CS") and step.operands[0] != Name.Pattern:
        raise _refuse(f"the colour space {step.operands[0]}")
    return step


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _separate_function(pdf: Pdf, function: Object, palette: Palette) -> Object:
    """Turn all runs of a gradient into inks as a whole: where a part of it were grey alone, colours would jump."""
    return _put_samples(pdf, function, iter(palette.ramp([*_sample(function)])))


def _sample(function: Object) -> Iterator[Color]:
    match 0 if isinstance(function, Array) else int(function.FunctionType):
        case 2:
            first, last = np.array(_floats(function.C0)), np.array(_floats(function.C1))
            low, high = _floats(function.Domain)
            shares = np.linspace(low, high, SAMPLES) ** float(function.N)
            yield from (tuple(map(float, first + share * (last - first))) for share in shares)
        case 3:
            for part in function.Functions:
                yield from _sample(part)
        case other:
            raise _refuse(f"a gradient of function type {other}")


def _put_samples(pdf: Pdf, function: Object, colors: Iterator[Color]) -> Object:
    """Replace the plain runs of a gradient; stitched ones keep their bounds, so that hard stops stay hard."""
    if int(function.FunctionType) == 3:
        parts = [_put_samples(pdf, part, colors) for part in function.Functions]
        entries = {key: function[key] for key in ("/Domain", "/Bounds", "/Encode")}
        return pdf.make_indirect(Dictionary({"/FunctionType": 3, "/Functions": Array(parts), **entries}))
    run = list(islice(colors, SAMPLES))
    data = bytes(round(255 * min(1.0, max(0.0, value))) for color in run for value in color)
    limits = {"Domain": function.Domain, "Range": Array([0, 1] * len(run[0])), "Size": Array([SAMPLES])}
    return pdf.make_indirect(Stream(pdf, data, FunctionType=0, BitsPerSample=8, **limits))


def _separate_picture(image: Object, palette: Palette) -> None:
    """Rewrite a picture inside a drawing in place; stencils and greys stay as they are."""
    if image.get(Name.ImageMask, False) or image.ColorSpace in (Name.DeviceGray, Name.DeviceCMYK):
        return
    if image.ColorSpace != Name.DeviceRGB or isinstance(image.get(Name.Mask), Array):
        raise _refuse(f"a picture in {image.ColorSpace}")
    picture = pikepdf.PdfImage(cast(pikepdf.Stream, image)).as_pil_image().convert("RGB")
    photo = image.get(Name.Filter) == Name.DCTDecode
    delete_keys(image, "/Decode", "/DecodeParms", "/Intent")
    if palette.mask:
        data, entries = zlib.compress(picture.convert("L").tobytes(), 9), {"ColorSpace": Name.DeviceGray}
    else:
        data, entries = encode_inks(picture, photo, palette.inks)
    image.write(data, filter=entries.pop("Filter", Name.FlateDecode))
    image.BitsPerComponent = 8
    for key, value in entries.items():
        image[f"/{key}"] = value


def encode_inks(picture: Image.Image, photo: bool, inks: Inks) -> tuple[bytes, dict[str, Any]]:
    """Return a picture in the inks it prints in, encoded once, and what a PDF says of it.

    A photo becomes a JPEG where that keeps the limit of ink; the greys of a drawing are black ink alone.
    """
    data = inks.encode_photo(picture) if photo else None
    if data is not None:
        return data, {"ColorSpace": Name.DeviceCMYK, "Filter": Name.DCTDecode, "Decode": Array(INVERTED)}
    convert = inks.drawing if not photo and _is_drawn(picture) else inks.picture
    return zlib.compress(convert(picture).tobytes(), 9), {"ColorSpace": Name.DeviceCMYK, "Filter": Name.FlateDecode}


def _is_drawn(picture: Image.Image) -> bool:
    """Tell whether a picture is a drawing: most of its pixels equal their neighbours, which a photo's hardly do."""
    if picture.width < 2:
        return False
    pixels = np.asarray(picture.convert("RGB"))
    return bool(np.all(pixels[:, 1:] == pixels[:, :-1], axis=-1).mean() > DRAWN_FROM)
