"""A drawing, opened: through the gate, then as vectors or as pixels, with the mask its silhouette is traced from.

Invariant: an `OpenedDrawing` holds either a one-page PDF or, where only resvg draws it right, none.
"""

from __future__ import annotations

from dataclasses import dataclass

from dobble_print.art.gate import AdmittedSvg, admit_svg
from dobble_print.art.pixels import mask_of
from dobble_print.art.silhouette import Mask
from dobble_print.art.svg import MASK_PX, draw_svg, render_svg


@dataclass(frozen=True, eq=False)
class OpenedDrawing:
    """What an SVG turned out to be: harmless bytes, its vectors if it has any, its mask, and its box."""

    svg: AdmittedSvg
    pdf: bytes | None
    mask: Mask
    width: float
    height: float


def open_drawing(data: bytes) -> OpenedDrawing:
    """Admit and draw an SVG in this process; strangers' drawings go through `art.sandbox`."""
    svg = admit_svg(data)
    if not svg.hard_features:
        drawing = draw_svg(svg.data)
        return OpenedDrawing(svg, drawing.pdf, drawing.mask, drawing.width, drawing.height)
    picture = render_svg(svg.data, MASK_PX)
    side = max(picture.size)
    return OpenedDrawing(svg, None, mask_of(picture, MASK_PX), picture.width / side, picture.height / side)
