"""Gradients as inks: shadings keep their geometry, and their functions are sampled anew.

Invariant: a gradient's hard stops stay where they are, since stitched functions keep their bounds; a gradient of greys
alone stays black ink alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from dobble_print.errors import Fault, OutputError
from dobble_print.press.color.spaces import Kind, Palette, kind_of

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
