"""The ICC profile of the modelled press, as a file: `python -m tools.coated_profile` builds it anew.

Invariant: the bytes depend on the model alone; the date is fixed. Colours are written as ICC version 2 wants them:
CIELAB in 16 bits with 100 at 0xFF00 and grey at 0x8000.
"""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from dobble_print.resources import find_template
from tools.press_model import Array, Press

PROFILE = "color/coated.icc"
DESCRIPTION = "dobble-print coated offset (model of ISO 12647-2 aims, 300 %)"
COPYRIGHT = "Made by dobble-print from published aim values. CC0 1.0: no rights reserved."
DATE = (2024, 1, 1, 0, 0, 0)
INK_GRID = 11
LAB_GRID = 29
GAMUT_GRID = 17
LAB_ENTRIES = 258  # 0xFF00 is the 257th of them, so that paper white falls on a point of the grid
AB_REACH = 112.0  # a* and b* beyond this are clipped; screens reach 112 in their blue
GAMUT_TOLERANCE = 3.0

Words = NDArray[np.uint16]


def build_profile(press: Press | None = None) -> bytes:
    """The whole profile."""
    model = press or Press()
    forward = _make_tag(b"mft2", _write_lut16(_ink_curves(model), _lab_table(model)))
    back_labs = _grid_labs(LAB_GRID)
    backward = _make_tag(b"mft2", _write_lut16(_lab_curves(), model.inks_from_lab(back_labs)))
    gamut = _make_tag(b"mft2", _write_lut16(_lab_curves(), _gamut_table(model)))
    tags = {
        b"desc": _make_tag(b"desc", _write_description(DESCRIPTION)),
        b"cprt": _make_tag(b"text", COPYRIGHT.encode("ascii") + b"\0"),
        b"wtpt": _make_tag(b"XYZ ", _write_xyz(model.paper_xyz)),
        **dict.fromkeys((b"A2B0", b"A2B1", b"A2B2"), forward),
        **dict.fromkeys((b"B2A0", b"B2A1", b"B2A2"), backward),
        b"gamt": gamut,
    }
    return _assemble(tags)


def _ink_curves(press: Press) -> list[Array]:
    return list(press.curves)


def _lab_table(press: Press) -> Array:
    """Colours of all mixtures of dots, as shares of the 16-bit range."""
    steps = np.linspace(0, 1, INK_GRID)
    dots = np.stack(np.meshgrid(steps, steps, steps, steps, indexing="ij"), -1)
    lab = press.lab_from_dots(dots)
    encoded = np.stack([lab[..., 0] * 652.80, (lab[..., 1] + 128) * 256, (lab[..., 2] + 128) * 256], -1)
    return np.clip(encoded, 0, 65535) / 65535


def _lab_curves() -> list[Array]:
    """From encoded colours to the grid: all of the lightness, the middle part of a* and b*."""
    encoded = np.linspace(0, 65535, LAB_ENTRIES)
    opposing = ((encoded / 256 - 128) / AB_REACH + 1) / 2
    return [np.clip(curve, 0, 1) for curve in (encoded / 0xFF00, opposing, opposing)]


def _grid_labs(points: int) -> Array:
    light, opposing = np.linspace(0, 100, points), np.linspace(-AB_REACH, AB_REACH, points)
    return np.stack(np.meshgrid(light, opposing, opposing, indexing="ij"), -1)


def _gamut_table(press: Press) -> Array:
    """0 where inks reach a colour, 1 where they do not."""
    lab = _grid_labs(GAMUT_GRID)
    reached = press.lab_from_inks(press.inks_from_lab(lab))
    missed: Array = (np.linalg.norm(reached - lab, axis=-1) > GAMUT_TOLERANCE).astype(np.float64)
    return missed[..., None]


def _write_lut16(curves: list[Array], table: Array) -> bytes:
    inputs, grid, outputs = table.ndim - 1, table.shape[0], table.shape[-1]
    matrix = [65536, 0, 0, 0, 65536, 0, 0, 0, 65536]
    head = struct.pack(">BBBx9iHH", inputs, outputs, grid, *matrix, len(curves[0]), 2)
    straight = np.tile(np.array([0, 65535], dtype=">u2"), outputs)
    return head + b"".join(map(_words, curves)) + _words(table) + straight.tobytes()


def _words(shares: Array) -> bytes:
    return np.rint(shares * 65535).astype(">u2").tobytes()


def _write_description(text: str) -> bytes:
    data = text.encode("ascii") + b"\0"
    return struct.pack(">I", len(data)) + data + bytes(4 + 4 + 2 + 1 + 67)  # no Unicode, no Macintosh text


def _write_xyz(xyz: Array) -> bytes:
    return struct.pack(">3i", *(round(float(value) * 65536) for value in xyz))


def _make_tag(kind: bytes, data: bytes) -> bytes:
    return kind + bytes(4) + data


def _assemble(tags: dict[bytes, bytes]) -> bytes:
    """Header, table of tags, data; tags with the same data share it."""
    places: dict[bytes, int] = {}
    body, table = b"", struct.pack(">I", len(tags))
    start = 128 + 4 + 12 * len(tags)
    for name, data in tags.items():
        if data not in places:
            places[data] = start + len(body)
            body += data + bytes(-len(data) % 4)
        table += struct.pack(">4sII", name, places[data], len(data))
    return _write_header(start + len(body)) + table + body


def _write_header(size: int) -> bytes:
    light = _write_xyz(np.array([0.9642, 1.0, 0.8249]))
    head = struct.pack(">I4xI4s4s4s6H4s", size, 0x02400000, b"prtr", b"CMYK", b"Lab ", *DATE, b"acsp")
    # no platform, flags, maker, model or attributes; relative colorimetric
    return (head + bytes(24) + struct.pack(">I", 1) + light).ljust(128, b"\0")


def main() -> None:
    """Write the profile that ships."""
    path = find_template(PROFILE)
    path.write_bytes(build_profile())
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
