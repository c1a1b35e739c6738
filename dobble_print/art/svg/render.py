"""Draw an SVG: parse it once, then render it to a mask, to a vector PDF or to pixels.

Invariant: whatever goes wrong in a renderer, but for lack of memory, becomes an `ArtworkError` about the drawing.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from dobble_print.art.raster import make_mask, refuse_extreme_shape
from dobble_print.art.silhouette import Mask
from dobble_print.art.svg.sanitizer import AdmittedSvg, admit_svg
from dobble_print.errors import ArtworkError, Fault, MissingLibraryError

MASK_PX = 256  # longer side of the mask: 0.15 mm a pixel on a symbol of 40 mm, and contours are finer than pixels
MOST_PDF_BYTES = 48 << 20  # a photo inside a drawing is not packed as well as a JPEG
PROBE_PX = 64
FORM_PT = 100.0  # longer side of the one-page PDF; the press scales it, so any number does


class DrawnSvg(NamedTuple):
    """A picture as a one-page PDF and as a mask."""

    pdf: bytes
    mask: Mask


def require_cairo() -> None:
    """Raise an error that says what to install where the system has no cairo library; pip cannot bring it."""
    try:
        import cairocffi  # noqa: F401
    except OSError:
        hint = "Install it: sudo apt install libcairo2 (Fedora: sudo dnf install cairo; macOS: brew install cairo)."
        raise MissingLibraryError(Fault("the cairo library is missing on this computer", hint)) from None


def load_renderers() -> None:
    """Import all that drawing needs; afterwards no file is opened for it, except fonts."""
    square = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    draw_svg(square)
    render_svg(square, 9)


@contextmanager
def _blaming_the_drawing() -> Iterator[None]:
    """Refuse a drawing that a renderer does not get drawn: it may break one in any way, and the user must mend it."""
    try:
        yield
    except (ArtworkError, MemoryError):
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:100] or type(error).__name__
        what = f"the drawing cannot be drawn ({reason})"
        raise ArtworkError(Fault(what, "Export it again as plain SVG.")) from None


def draw_svg(svg: bytes) -> DrawnSvg:
    """Parse once, then replay the recorded drawing into a PDF page and into a mask."""
    with _blaming_the_drawing():
        drawing = _draw_with_cairo(svg)
    if len(drawing.pdf) > MOST_PDF_BYTES:
        raise ArtworkError(Fault("the drawing is too detailed to print", "Simplify it, or save it as PNG."))
    return drawing


def _draw_with_cairo(svg: bytes) -> DrawnSvg:
    import cairocffi

    recording, width, height = _record_svg(svg)
    refuse_extreme_shape(width, height)
    grid = cairocffi.ImageSurface(cairocffi.FORMAT_A8, math.ceil(width), math.ceil(height))
    _replay_recording(recording, grid, 1.0)
    sink = io.BytesIO()
    page = cairocffi.PDFSurface(sink, width * FORM_PT / MASK_PX, height * FORM_PT / MASK_PX)
    _replay_recording(recording, page, FORM_PT / MASK_PX)
    page.finish()
    rows = np.frombuffer(grid.get_data(), np.uint8).reshape(grid.get_height(), grid.get_stride())
    alpha = rows[:, : grid.get_width()].copy()  # the surface's memory dies with it
    mask = Mask(alpha, width / MASK_PX, height / MASK_PX, (1 / MASK_PX, 1 / MASK_PX))
    return DrawnSvg(sink.getvalue(), mask)


def _record_svg(svg: bytes) -> tuple[Any, float, float]:
    """Return the drawing's operations and its size, scaled so that its longer side is that of a mask.

    The mask must replay them unscaled: cairo rounds the extent of a scaled recording to whole pixels.
    """
    import cairocffi
    import cairosvg.surface
    from cairosvg.parser import Tree

    class Recorder(cairosvg.surface.Surface):  # type: ignore[misc]
        """A surface that records the drawing operations instead of rendering them."""

        device_units_per_user_units = 1.0

        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            scale = self.device_units_per_user_units = MASK_PX / (max(width, height) or 1.0)
            recording = cairocffi.RecordingSurface(cairocffi.CONTENT_COLOR_ALPHA, None)
            return recording, width * scale, height * scale

    surface = Recorder(Tree(bytestring=svg), None, 96)
    return surface.cairo, float(surface.width), float(surface.height)


def render_svg(svg: bytes, longer_side_px: int) -> Image.Image:
    """Render the drawing in pixels by resvg, which supports filters, masks and blend modes."""
    with _blaming_the_drawing():
        probe = _render(svg, PROBE_PX, None)
        refuse_extreme_shape(probe.width, probe.height)
        if probe.height <= probe.width * (1 + 2 / PROBE_PX):
            first = _render(svg, longer_side_px, None)
            if first.height <= first.width:
                return first
        return _render(svg, None, longer_side_px)


def _render(svg: bytes, width: int | None, height: int | None) -> Image.Image:
    """Render once; the computer's fonts are read only for live text."""
    import resvg_py

    text = svg.decode()
    png = resvg_py.svg_to_bytes(svg_string=text, skip_system_fonts="text" not in text, width=width, height=height)
    picture = Image.open(io.BytesIO(png))
    picture.load()
    return picture.convert("RGBA")


def _replay_recording(recording: Any, surface: Any, scale: float) -> None:
    import cairocffi

    context = cairocffi.Context(surface)
    context.scale(scale)
    context.set_source_surface(recording)
    context.paint()
    surface.flush()


@dataclass(frozen=True, eq=False)
class OpenedDrawing:
    """What an SVG turned out to be: harmless bytes, its vectors if it has any, and its mask."""

    svg: AdmittedSvg
    pdf: bytes | None
    mask: Mask


def open_drawing(data: bytes) -> OpenedDrawing:
    """Sanitize and draw an SVG in this process; untrusted drawings go through `art.guarded`."""
    svg = admit_svg(data)
    if svg.hard_features:
        return OpenedDrawing(svg, None, make_mask(render_svg(svg.data, MASK_PX), MASK_PX))
    return OpenedDrawing(svg, *draw_svg(svg.data))
