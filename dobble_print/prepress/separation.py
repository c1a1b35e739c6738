"""Turn the screen colours of a finished PDF into inks: pages, gradients, pictures and colour spaces."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, cast

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Operator, Pdf, Stream
from PIL import Image

from dobble_print.errors import Fault, OutputError
from dobble_print.prepress.inks import Inks, Rgb


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


SAMPLES = 33  # of a plain run from one colour to another: inks do not follow a straight line between them
COMBINED_SAMPLES = 256
Color = tuple[float, ...]
Convert = Callable[[Sequence[Color]], list[tuple[float, ...]]]


def convert_shading(pdf: Pdf, shading: Object, palette: Palette) -> None:
    """Rewrite a shading in place."""
    kind = kind_of(shading.ColorSpace)
    if kind not in (Kind.RGB, Kind.GREY) or (palette.mask and kind is Kind.GREY):
        return
    if Name.Background in shading:
        shading.Background = Array(list(palette.flat([float(value) for value in shading.Background])))
    if Name.Function in shading:
        shading.Function = _convert_function(pdf, shading.Function, palette)
    elif isinstance(shading, Stream):
        _convert_mesh(shading, kind, palette)
    shading.ColorSpace = palette.space


def _convert_function(pdf: Pdf, function: Object, palette: Palette) -> Object:
    """Grey is decided for the gradient as a whole, or colours would jump where two parts meet."""
    if isinstance(function, Array):
        return _combine(pdf, list(function), palette)
    grey = all(max(color) - min(color) < 0.5 / 255 for color in _stops(function))

    def convert(colors: Sequence[Color]) -> list[tuple[float, ...]]:
        if grey or palette.mask:
            return [palette.flat(color) for color in colors]
        return palette.ramp([*colors, (1.0, 0.0, 0.0)])[:-1]  # the red keeps a grey part from being black alone

    return _rewrite(pdf, function, convert)


def _stops(function: Object) -> Iterator[Color]:
    match int(function.FunctionType):
        case 0:
            yield from _read_samples(function)
        case 2:
            yield _floats(function.get(Name.C0, Array([0.0])))
            yield _floats(function.get(Name.C1, Array([1.0])))
        case 3:
            for part in function.Functions:
                yield from _stops(part)
        case other:
            hint = "Export the drawing again as plain SVG."
            raise OutputError(Fault(f"a gradient of function type {other} cannot be turned into inks", hint))


def _rewrite(pdf: Pdf, function: Object, convert: Convert) -> Object:
    match int(function.FunctionType):
        case 0:
            sizes = [int(size) for size in function.Size]
            sampled = _make_sampled(pdf, convert(list(_read_samples(function))), _floats(function.Domain), sizes)
            if Name.Encode in function:
                sampled.Encode = function.Encode
            return sampled
        case 3:
            parts = [_rewrite(pdf, part, convert) for part in function.Functions]
            entries = {key: function[key] for key in ("/Domain", "/Bounds", "/Encode")}
            return pdf.make_indirect(Dictionary({"/FunctionType": 3, "/Functions": Array(parts), **entries}))
        case _:
            domain = _floats(function.Domain)
            colors = [_run(function, at) for at in np.linspace(domain[0], domain[1], SAMPLES)]
            return _make_sampled(pdf, convert(colors), domain, [SAMPLES])


def _combine(pdf: Pdf, functions: list[Object], palette: Palette) -> Object:
    """One function for each channel: sampled together."""
    domain = _floats(functions[0].Domain)
    steps = np.linspace(domain[0], domain[1], COMBINED_SAMPLES)
    colors = [tuple(_evaluate(function, float(at)) for function in functions) for at in steps]
    return _make_sampled(pdf, palette.ramp(colors), domain, [COMBINED_SAMPLES])


def _evaluate(function: Object, at: float) -> float:
    """The single value of a function of one variable."""
    match int(function.FunctionType):
        case 0:
            values = [color[0] for color in _read_samples(function)]
            low, high = _floats(function.Domain)[:2]
            return float(np.interp((at - low) / (high - low), np.linspace(0, 1, len(values)), values))
        case 3:
            low, high = _floats(function.Domain)[:2]
            edges = [low, *_floats(function.Bounds), high]
            part = max(0, min(len(edges) - 2, sum(at >= edge for edge in edges) - 1))
            start, end = _floats(function.Encode)[2 * part : 2 * part + 2]
            width = edges[part + 1] - edges[part] or 1.0
            return _evaluate(function.Functions[part], start + (end - start) * (at - edges[part]) / width)
        case _:
            return _run(function, at)[0]


def _run(function: Object, at: float) -> Color:
    """An exponential function at a point."""
    first, last = _floats(function.get(Name.C0, Array([0.0]))), _floats(function.get(Name.C1, Array([1.0])))
    share = float(at) ** float(function.N)
    return tuple(a + share * (b - a) for a, b in zip(first, last, strict=True))


def _read_samples(function: Object) -> Iterator[Color]:
    """The table of a sampled function, in the order it is stored."""
    bits, ranges = int(function.BitsPerSample), _floats(function.Range)
    decode = _floats(function.get(Name.Decode, function.Range))
    outputs, count = len(ranges) // 2, int(np.prod([int(size) for size in function.Size]))
    data = function.read_bytes()
    if bits not in (8, 16, 32):
        raise OutputError(Fault(f"a gradient with {bits} bits a sample cannot be turned into inks"))
    values = np.frombuffer(data, dtype=f">u{bits // 8}", count=count * outputs).reshape(count, outputs)
    low, high = np.array(decode[::2]), np.array(decode[1::2])
    for row in low + values / (2**bits - 1) * (high - low):
        yield tuple(float(value) for value in row)


def _make_sampled(pdf: Pdf, colors: Sequence[Sequence[float]], domain: Sequence[float], size: Sequence[int]) -> Object:
    data = bytes(round(255 * min(1.0, max(0.0, value))) for color in colors for value in color)
    return pdf.make_indirect(
        Stream(
            pdf,
            data,
            FunctionType=0,
            Domain=Array(list(domain)),
            Range=Array([0, 1] * len(colors[0])),
            Size=Array(list(size)),
            BitsPerSample=8,
        )
    )


def _floats(values: Object) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


# Points and colours in a record of a mesh: by shading type, for a record that starts anew and for one that continues.
MESH_RECORDS = {4: ((1, 1), (1, 1)), 5: ((1, 1), (1, 1)), 6: ((12, 4), (8, 2)), 7: ((16, 4), (12, 2))}


def _convert_mesh(shading: Object, kind: Kind, palette: Palette) -> None:
    """Colours at the corners of a mesh, record by record; cairo writes whole bytes."""
    bits = int(shading.BitsPerCoordinate), int(shading.BitsPerComponent), int(shading.get(Name.BitsPerFlag, 0))
    if any(count % 8 for count in bits):
        raise OutputError(Fault("a mesh gradient that is not made of whole bytes cannot be turned into inks"))
    coordinate, component, flag = (count // 8 for count in bits)
    if int(shading.ShadingType) == 5:
        flag = 0
    channels, decode = 3 if kind is Kind.RGB else 1, _floats(shading.Decode)
    low, high = np.array(decode[4::2]), np.array(decode[5::2])
    data, at, out = shading.read_bytes(), 0, bytearray()
    while at < len(data):
        goes_on = bool(flag) and data[at + flag - 1] & 3 != 0
        points, colors = MESH_RECORDS[int(shading.ShadingType)][goes_on]
        head = flag + points * 2 * coordinate
        out += data[at : at + head]
        at += head
        for _ in range(colors):
            raw = [int.from_bytes(data[at + i * component : at + (i + 1) * component], "big") for i in range(channels)]
            color = low + np.array(raw) / (256**component - 1) * (high - low)
            out += bytes(round(255 * value) for value in palette.flat([float(value) for value in color]))
            at += channels * component
    shading.write(bytes(out))
    shading.BitsPerComponent = 8
    shading.Decode = Array([*decode[:4], *([0, 1] * len(palette.flat([0.0])))])


DRAWN_FROM = 0.5  # the share of pixels that equal their neighbour; drawings have 0.9 and more, photos 0.2
INVERTED = [1, 0] * 4  # what Pillow, as Adobe, writes into a CMYK JPEG


def convert_picture(pdf: Pdf, image: Object, palette: Palette) -> None:
    """Rewrite a picture in place, where its colours are those of a screen."""
    if image.get(Name.ImageMask, False) or Name.ColorSpace not in image:
        return
    kind = kind_of(image.ColorSpace)
    if kind is Kind.INDEXED_RGB:
        image.ColorSpace = convert_space(pdf, image.ColorSpace, palette)
    elif kind is Kind.GREY:
        image.ColorSpace = Name.DeviceGray
    elif kind is Kind.RGB:
        _convert_pixels(pdf, image, palette)
    if Name.SMask in image and Name.Matte in image.SMask:
        image.SMask.Matte = Array(list(palette.flat([float(value) for value in image.SMask.Matte])))


def _convert_pixels(pdf: Pdf, image: Object, palette: Palette) -> None:
    jpeg = _ends_with_jpeg(image)
    picture = _open(image)
    if isinstance(image.get(Name.Mask), Array):
        image.Mask = _mask_keyed(pdf, picture, [int(value) for value in image.Mask])
    _forget(image, "/Decode", "/DecodeParms", "/Intent")
    if palette.mask:
        _store(image, picture.convert("L"), Name.DeviceGray)
        return
    data = palette.inks.encode_photo(picture) if jpeg else None
    if data is None:
        convert = palette.inks.drawing if not jpeg and _is_drawn(picture) else palette.inks.picture
        _store(image, convert(picture), Name.DeviceCMYK)
        return
    image.write(data, filter=Name.DCTDecode)
    image.ColorSpace = Name.DeviceCMYK
    image.Decode = Array(INVERTED)


def _is_drawn(picture: Image.Image) -> bool:
    """Whether a picture is a drawing: most of its pixels equal their neighbours, which a photo's hardly do."""
    pixels = np.asarray(picture)
    if picture.width < 2:
        return False
    return bool(np.all(pixels[:, 1:] == pixels[:, :-1], axis=-1).mean() > DRAWN_FROM)


def _mask_keyed(pdf: Pdf, picture: Image.Image, key: Sequence[int]) -> Object:
    """A picture that hides some of its colours, by a stencil instead: as inks those colours are others."""
    pixels = np.asarray(picture)
    hidden = np.all((pixels >= key[::2]) & (pixels <= key[1::2]), axis=-1)
    mask = pikepdf.Stream(pdf, np.packbits(hidden, axis=1).tobytes(), Type=Name.XObject, Subtype=Name.Image)
    mask.Width, mask.Height, mask.ImageMask, mask.BitsPerComponent = picture.width, picture.height, True, 1
    return pdf.make_indirect(mask)


def _store(image: Object, picture: Image.Image, space: Name) -> None:
    image.write(zlib.compress(picture.tobytes(), 9), filter=Name.FlateDecode)
    image.ColorSpace, image.BitsPerComponent = space, 8


def _open(image: Object) -> Image.Image:
    """The pixels as red, green and blue."""
    if _ends_with_jpeg(image):
        picture = Image.open(io.BytesIO(_jpeg_of(image))).convert("RGB")
    elif int(image.BitsPerComponent) == 8:
        picture = Image.frombytes("RGB", (int(image.Width), int(image.Height)), image.read_bytes())
    else:
        picture = pikepdf.PdfImage(cast(pikepdf.Stream, image)).as_pil_image().convert("RGB")
    if [float(value) for value in image.get(Name.Decode, [])] == [1, 0] * 3:
        picture = Image.fromarray(255 - np.asarray(picture))
    return picture


def _ends_with_jpeg(image: Object) -> bool:
    filters = image.get(Name.Filter)
    last = filters[-1] if isinstance(filters, Array) and len(filters) else filters
    return last == Name.DCTDecode


def _jpeg_of(image: Object) -> bytes:
    """The JPEG itself, without what is wrapped around it."""
    if isinstance(image.Filter, Array) and len(image.Filter) > 1:
        return image.read_bytes(pikepdf.StreamDecodeLevel.generalized)
    return image.read_raw_bytes()


def _forget(holder: Object, *keys: str) -> None:
    for key in keys:
        if key in holder:
            del holder[key]


def _open_inline(inline: Any) -> Image.Image:
    """The pixels of an inline picture; pikepdf opens none below three pixels, which are the likely ones."""
    if inline.colorspace in ("/DeviceRGB", "/RGB") and inline.bits_per_component == 8 and not inline.filters:
        return Image.frombytes("RGB", inline.size, inline.read_raw_bytes()[: 3 * inline.width * inline.height])
    return cast(Image.Image, inline.as_pil_image()).convert("RGB")


def lift_inline(pdf: Pdf, inline: Any, palette: Palette) -> Object | None:
    """A picture that stands inside a page's content, as one of its own; None where it may stay."""
    if inline.image_mask or inline.colorspace not in ("/DeviceRGB", "/RGB", "/CalRGB", "/ICCBased", "/Indexed"):
        return None
    picture = _open_inline(inline)
    image = pikepdf.Stream(pdf, b"", Type=Name.XObject, Subtype=Name.Image, Width=picture.width, Height=picture.height)
    _store(image, picture.convert("L") if palette.mask else palette.inks.picture(picture), palette.space)
    return pdf.make_indirect(image)


PLAIN = {"rg": "fill", "g": "fill", "RG": "stroke", "G": "stroke"}  # set space and colour at once
SPACE = {"cs": "fill", "CS": "stroke"}
COLOR = {"sc": "fill", "scn": "fill", "SC": "stroke", "SCN": "stroke"}
SET = {False: {"fill": Operator("k"), "stroke": Operator("K")}, True: {"fill": Operator("g"), "stroke": Operator("G")}}
BLACK = {Kind.RGB: (0.0, 0.0, 0.0), Kind.GREY: (0.0,)}
DECIMALS = 4
Instruction = Any  # pikepdf's own two kinds of instruction


def separate_colors(pdf: Pdf, inks: Inks) -> None:
    """Turn all colours of a document into inks."""
    walk = _Walk(pdf)
    palette = Palette(inks)
    for page in pdf.pages:
        holder = page.obj
        resources = holder.get(Name.Resources, Dictionary())
        convert_group(holder, palette)
        content = walk.rewrite(page, resources, palette)
        holder.Contents = pdf.make_stream(content)
        walk.visit_resources(resources, palette)
        for annotation in holder.get(Name.Annots, Array()):
            walk.visit_appearances(annotation.get(Name.AP, Dictionary()), palette)
    walk.convert_spaces()


@dataclass
class _State:
    """The colour spaces in force while a content stream is read."""

    kinds: dict[str, Kind] = field(default_factory=lambda: {"fill": Kind.GREY, "stroke": Kind.GREY})
    saved: list[dict[str, Kind]] = field(default_factory=list)


class _Walk:
    """One pass over a document that remembers where it has been."""

    def __init__(self, pdf: Pdf) -> None:
        self.pdf = pdf
        self.seen: set[tuple[int, int]] = set()
        self.lifted = 0
        self.spaces: list[tuple[Object, Palette]] = []

    def _is_new(self, thing: Object) -> bool:
        if not thing.is_indirect:
            return True
        new = thing.objgen not in self.seen
        self.seen.add(thing.objgen)
        return new

    def visit_resources(self, resources: Object, palette: Palette) -> None:
        """Everything a content stream may refer to."""
        if not self._is_new(resources):
            return
        self._visit_dictionary(resources, Name.XObject, self._visit_xobject, palette, resources)
        self._visit_dictionary(resources, Name.Pattern, self._visit_pattern, palette, resources)
        self._visit_dictionary(resources, Name.Shading, self._visit_shading, palette, resources)
        self._visit_dictionary(resources, Name.ExtGState, self._visit_state, palette, resources)
        self._visit_dictionary(resources, Name.Font, self._visit_font, palette, resources)
        spaces = resources.get(Name.ColorSpace)
        if isinstance(spaces, Dictionary) and self._is_new(spaces):
            self.spaces.append((spaces, palette))

    def convert_spaces(self) -> None:
        """Named colour spaces, once nothing that refers to them is left to be read."""
        for spaces, palette in self.spaces:
            for key in list(spaces.keys()):
                if key in ("/DefaultRGB", "/DefaultGray"):
                    del spaces[key]
                else:
                    spaces[key] = convert_space(self.pdf, spaces[key], palette)

    def _visit_dictionary(self, resources: Object, key: Name, visit: Any, palette: Palette, inherited: Object) -> None:
        found = resources.get(key)
        if isinstance(found, Dictionary) and self._is_new(found):
            for name in list(found.keys()):
                if self._is_new(found[name]):
                    visit(found[name], palette, inherited)

    def _visit_xobject(self, thing: Object, palette: Palette, inherited: Object) -> None:
        if thing.get(Name.Subtype) == Name.Image:
            convert_picture(self.pdf, thing, palette)
        elif thing.get(Name.Subtype) == Name.Form:
            self.visit_form(thing, palette, inherited)

    def visit_form(self, form: Object, palette: Palette, inherited: Object) -> None:
        """A form, a tiling pattern or a glyph: content with resources of its own, or those of the page around it."""
        convert_group(form, palette)
        resources = form.get(Name.Resources, inherited)
        form.write(self.rewrite(form, resources, palette))
        self.visit_resources(resources, palette)

    def _visit_pattern(self, pattern: Object, palette: Palette, inherited: Object) -> None:
        if isinstance(pattern, Stream):
            if int(pattern.PaintType) == 1:  # the other type has no colour of its own
                self.visit_form(pattern, palette, inherited)
        elif Name.Shading in pattern:
            self._visit_shading(pattern.Shading, palette, inherited)

    def _visit_shading(self, shading: Object, palette: Palette, inherited: Object) -> None:
        convert_shading(self.pdf, shading, palette)

    def _visit_state(self, state: Object, palette: Palette, inherited: Object) -> None:
        mask = state.get(Name.SMask)
        if not isinstance(mask, Dictionary) or not self._is_new(mask.G):
            return
        greys = Palette(palette.inks, mask=True)
        self.visit_form(mask.G, greys, inherited)
        if Name.BC in mask:
            mask.BC = Array(list(greys.flat([float(value) for value in mask.BC])))

    def _visit_font(self, font: Object, palette: Palette, inherited: Object) -> None:
        if font.get(Name.Subtype) != Name.Type3:
            return
        resources = font.get(Name.Resources, inherited)
        for glyph in font.CharProcs.values():
            if self._is_new(glyph):
                glyph.write(self.rewrite(glyph, resources, palette))
        self.visit_resources(resources, palette)

    def visit_appearances(self, appearances: Object, palette: Palette) -> None:
        """The looks of an annotation, one or several by state."""
        for look in appearances.values():
            if isinstance(look, Stream):
                if self._is_new(look):
                    self.visit_form(look, palette, Dictionary())
            elif isinstance(look, Dictionary):
                self.visit_appearances(look, palette)

    def rewrite(self, content: Any, resources: Object, palette: Palette) -> bytes:
        """A content stream with all its colours replaced."""
        spaces = resources.get(Name.ColorSpace, Dictionary())
        state = _State()
        changed: list[Instruction] = []
        for instruction in pikepdf.parse_content_stream(content):
            changed += self._replace(instruction, state, spaces, resources, palette)
        return pikepdf.unparse_content_stream(changed)

    def _replace(
        self, instruction: Instruction, state: _State, spaces: Object, resources: Object, palette: Palette
    ) -> Sequence[Instruction]:
        operator = str(instruction.operator)
        if operator == "q":
            state.saved.append(dict(state.kinds))
        elif operator == "Q" and state.saved:
            state.kinds = state.saved.pop()
        elif operator in PLAIN:
            state.kinds[PLAIN[operator]] = Kind.RGB if operator in ("rg", "RG") else Kind.GREY
            return [_paint(PLAIN[operator], [float(value) for value in instruction.operands], palette)]
        elif operator in ("k", "K"):
            state.kinds["fill" if operator == "k" else "stroke"] = Kind.INKS
        elif operator in SPACE:
            return self._replace_space(instruction, SPACE[operator], state, spaces, palette)
        elif operator in COLOR and state.kinds[COLOR[operator]] in BLACK:
            return [_paint(COLOR[operator], [float(value) for value in instruction.operands], palette)]
        elif operator in COLOR and state.kinds[COLOR[operator]] is Kind.TINTED_PATTERN:
            *color, pattern = instruction.operands
            tint = [_compact(value) for value in palette.flat([float(value) for value in color])]
            return [pikepdf.ContentStreamInstruction([*tint, pattern], instruction.operator)]
        elif operator == "INLINE IMAGE":
            return self._replace_inline(instruction, resources, palette)
        return [instruction]

    def _replace_space(
        self, instruction: Instruction, use: str, state: _State, spaces: Object, palette: Palette
    ) -> Sequence[Instruction]:
        """A space of screen colours disappears: what sets a colour in it sets inks at once, from black on."""
        name = instruction.operands[0]
        kind = state.kinds[use] = kind_of(spaces.get(name, name))
        return [_paint(use, BLACK[kind], palette)] if kind in BLACK else [instruction]

    def _replace_inline(self, instruction: Instruction, resources: Object, palette: Palette) -> Sequence[Instruction]:
        image = lift_inline(self.pdf, instruction.iimage, palette)
        if image is None:
            return [instruction]
        if Name.XObject not in resources:
            resources.XObject = Dictionary()
        self.lifted += 1
        name = Name(f"/Lifted{self.lifted}")
        resources.XObject[name] = image
        return [pikepdf.ContentStreamInstruction([name], Operator("Do"))]


def _paint(use: str, color: Sequence[float], palette: Palette) -> Instruction:
    values = [_compact(value) for value in palette.flat(color)]
    return pikepdf.ContentStreamInstruction(values, SET[palette.mask][use])


def _compact(value: float) -> Any:
    short = round(value, DECIMALS)
    return int(short) if short == int(short) else short
