"""SVG drawings: one parse by CairoSVG gives the vector form for print and the mask for the silhouette.

What CairoSVG would draw wrongly goes through resvg instead, as pixels.

Invariant: a drawing that reaches this module has passed the gate (`art.gate`), so it refers to nothing outside itself.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from dobble_print.art.silhouette import Alpha, Mask
from dobble_print.errors import ArtworkError, Fault

MASK_PX = 256  # longer side of the mask: 0.15 mm a pixel on a symbol of 40 mm, and contours are finer than pixels
FORM_PT = 100.0  # longer side of the one-page PDF; the press scales it, so any number does


@dataclass(frozen=True, eq=False)
class Drawing:
    """A picture as a one-page PDF and as a mask, in a box whose longer side is 1."""

    pdf: bytes
    mask: Mask
    width: float
    height: float


def require_cairo() -> None:
    """Say what to install where the system has no cairo library; pip cannot bring it."""
    try:
        import cairocffi  # noqa: F401
    except OSError:
        install = "sudo apt install libcairo2 (Fedora: sudo dnf install cairo; macOS: brew install cairo)"
        raise ArtworkError(Fault("the cairo library is missing on this computer", f"Install it: {install}.")) from None


def draw_svg(svg: bytes) -> Drawing:
    """Parse once, then replay the recorded drawing into a PDF page and into a mask."""
    import cairocffi

    recording, width, height = _record(svg)
    grid = cairocffi.ImageSurface(cairocffi.FORMAT_A8, math.ceil(width), math.ceil(height))
    _replay(recording, grid, 1.0)
    sink = io.BytesIO()
    page = cairocffi.PDFSurface(sink, width * FORM_PT / MASK_PX, height * FORM_PT / MASK_PX)
    _replay(recording, page, FORM_PT / MASK_PX)
    page.finish()
    mask = Mask(_read_alpha(grid), height / MASK_PX, (1 / MASK_PX, 1 / MASK_PX))
    return Drawing(sink.getvalue(), mask, width / MASK_PX, height / MASK_PX)


def _record(svg: bytes) -> tuple[Any, float, float]:
    """The drawing's operations and its size, scaled so that its longer side is that of a mask.

    The mask must replay them unscaled: cairo rounds the extent of a scaled recording to whole pixels.
    """
    import cairocffi
    import cairosvg.surface
    from cairosvg.parser import Tree

    class Recorder(cairosvg.surface.Surface):  # type: ignore[misc]
        """Keeps the drawing operations instead of rendering them."""

        device_units_per_user_units = 1.0

        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            scale = self.device_units_per_user_units = MASK_PX / (max(width, height) or 1.0)
            recording = cairocffi.RecordingSurface(cairocffi.CONTENT_COLOR_ALPHA, None)
            return recording, width * scale, height * scale

    try:
        surface = Recorder(Tree(bytestring=svg), None, 96)
    except Exception as error:  # a drawing may break CairoSVG in any way; the user must mend the drawing
        raise ArtworkError(Fault(f"the drawing cannot be drawn ({error})", "Export it again as plain SVG.")) from None
    return surface.cairo, float(surface.width), float(surface.height)


def render_svg(svg: bytes, longer_side_px: int) -> Image.Image:
    """The drawing in pixels by resvg, which knows filters, masks and blend modes."""
    import resvg_py

    try:
        first = _open_png(resvg_py.svg_to_bytes(svg_string=svg.decode(), width=longer_side_px))
        if first.height <= first.width:
            return first
        return _open_png(resvg_py.svg_to_bytes(svg_string=svg.decode(), height=longer_side_px))
    except Exception as error:  # as above: whatever goes wrong in there, the drawing is at fault
        raise ArtworkError(Fault(f"the drawing cannot be drawn ({error})", "Export it again as plain SVG.")) from None


def _open_png(data: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(data))
    picture.load()
    return picture.convert("RGBA")


def _replay(recording: Any, surface: Any, scale: float) -> None:
    import cairocffi

    context = cairocffi.Context(surface)
    context.scale(scale)
    context.set_source_surface(recording)
    context.paint()
    surface.flush()


def _read_alpha(grid: Any) -> Alpha:
    rows = np.frombuffer(grid.get_data(), np.uint8).reshape(grid.get_height(), grid.get_stride())
    return rows[:, : grid.get_width()].copy()  # the surface's memory dies with it
