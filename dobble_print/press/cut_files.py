"""Cut files: the cuts of a sheet alone, as SVG for desktop cutters and DXF for plotters and laser cutters.

Invariant: one element a cut, in cutting order and in millimetres, circles as circles and arcs as arcs; nothing else in
the file could be taken for a cut. The same cuts give the same bytes.
"""

from __future__ import annotations

import io
import logging
import math
import re
from collections.abc import Iterator, Sequence
from configparser import ConfigParser
from contextlib import contextmanager
from typing import Any
from xml.sax.saxutils import quoteattr

from dobble_print.sheets.cutting import Arc, Cut, Step
from dobble_print.units import Paper, Point, write_number

HAIRLINE_MM = 0.1
STROKE_COLOR = "#ec008c"  # the magenta that stands for the spot colour on a screen
MAGENTA = 6  # of the fixed colours of DXF
MILLIMETRES = 4  # of the units of DXF
NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'


def write_svg(paper: Paper, cuts: Sequence[Cut], cut_name: str) -> bytes:
    """Return the cuts as a drawing as large as the paper, on a layer with the name of the cut."""
    width, height = write_number(paper.width_mm), write_number(paper.height_mm)
    plain = re.sub(r"[^A-Za-z0-9_.-]", "_", cut_name)  # what XML wants for an id, which no digit may begin
    identity = plain if re.match(r"[A-Za-z_]", plain) else f"_{plain}"
    label = quoteattr(_make_printable(cut_name))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg {NAMESPACES} version="1.1" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">',
        f'<g id="{identity}" inkscape:groupmode="layer" inkscape:label={label}'
        f' fill="none" stroke="{STROKE_COLOR}" stroke-width="{HAIRLINE_MM}">',
        *(_write_element(cut, paper.height_mm) for cut in cuts),
        "</g>",
        "</svg>",
        "",
    ]
    return "\n".join(lines).encode("utf-8")


def _write_element(cut: Cut, height_mm: float) -> str:
    circle = cut.circle
    if circle:
        x, y = _write_point(circle.centre, height_mm).split()
        return f'<circle cx="{x}" cy="{y}" r="{write_number(circle.radius_mm)}"/>'
    # a closed path ends with Z: a straight way home needs no command of its own
    steps = cut.steps[:-1] if cut.closed and not isinstance(cut.steps[-1], Arc) else cut.steps
    commands = [f"M {_write_point(cut.start, height_mm)}", *(_write_step(step, height_mm) for step in steps)]
    return f'<path d="{" ".join(commands)}{" Z" if cut.closed else ""}"/>'


def _write_step(step: Step, height_mm: float) -> str:
    end = _write_point(step.end, height_mm)
    if not isinstance(step, Arc):
        return f"L {end}"
    radius = write_number(step.radius_mm)
    clockwise = int(step.sweep_deg < 0)  # as seen; SVG calls it the positive direction, because its y runs down
    return f"A {radius} {radius} 0 {int(abs(step.sweep_deg) > 180)} {clockwise} {end}"


def _write_point(point: Point, height_mm: float) -> str:
    """Return a point with y counted from the top."""
    return f"{write_number(point[0])} {write_number(height_mm - point[1])}"


def _make_printable(name: str) -> str:
    return "".join(letter if letter.isprintable() else "_" for letter in name)


def write_dxf(paper: Paper, cuts: Sequence[Cut], cut_name: str) -> bytes:
    """Return the cuts as a drawing in millimetres with its origin in the paper's lower left corner."""
    ezdxf = _import_ezdxf()
    layer = re.sub(r'[<>/\\":;?*|=`,]', "_", _make_printable(cut_name)).strip() or "_"  # DXF forbids these in a name
    # no hour and no random ids in a drawing: ezdxf has a switch for that, for all drawings at once
    with _replaced(ezdxf.options, "write_fixed_meta_data_for_testing", True):
        drawing = ezdxf.new("R2000", units=MILLIMETRES)
        drawing.layers.add(layer, color=MAGENTA)
        space = drawing.modelspace()
        space.reset_limits((0, 0), (paper.width_mm, paper.height_mm))
        space.reset_extents((0, 0, 0), (paper.width_mm, paper.height_mm, 0))
        for cut in cuts:
            _add_entity(space, cut, layer)
        sink = io.StringIO()
        drawing.write(sink)
    return sink.getvalue().encode(drawing.output_encoding, errors="dxfreplace")


def _import_ezdxf() -> Any:
    """Import ezdxf without the `ezdxf.ini` that it looks for in the working folder and in the user's settings.

    It has no switch for that; a file of that name that is broken, or is none of its own, would end the program.
    """
    logging.getLogger("ezdxf").addHandler(logging.NullHandler())  # it grumbles where a home cannot be written to
    with _replaced(ConfigParser, "read", lambda *_, **__: []):
        import ezdxf
    return ezdxf


@contextmanager
def _replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Give an attribute another value for a while."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def _add_entity(space: Any, cut: Cut, layer: str) -> None:
    circle = cut.circle
    if circle:
        space.add_circle(_round_point(circle.centre), round(circle.radius_mm, 6), dxfattribs={"layer": layer})
        return
    corners = [(*_round_point(start), _bulge(step)) for start, step in cut.walk()]
    if not cut.closed:
        corners.append((*_round_point(cut.end), 0.0))
    space.add_lwpolyline(corners, format="xyb", close=cut.closed, dxfattribs={"layer": layer})


def _round_point(point: Point) -> Point:
    return round(point[0], 6) + 0.0, round(point[1], 6) + 0.0


def _bulge(step: Step) -> float:
    """Return what makes a side of a polyline an arc: the tangent of a quarter of its angle."""
    return round(math.tan(math.radians(step.sweep_deg) / 4), 12) if isinstance(step, Arc) else 0.0
