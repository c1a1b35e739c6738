"""Draw an SVG: parse it once, then render it to a mask, to a vector PDF or to pixels.

Vectors are drawn by CairoSVG, pixels by resvg. What CairoSVG is known not to draw goes to resvg. The vectors of an
untrusted drawing are rendered as they will be printed and compared with resvg's pixels; where they differ it is printed
as resvg draws it, with a warning unless the two agree on a screen.

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
from dobble_print.art.svg.compare import measure_difference, shows_page, stands_free
from dobble_print.art.svg.sanitizer import AdmittedSvg, admit_svg, drop_first_shape
from dobble_print.errors import ArtworkError, Fault, MissingLibraryError
from dobble_print.pdf.render import CLEAR, Rasterizer

MASK_PX = 256  # longer side of the mask: 0.15 mm a pixel on a symbol of 40 mm, and contours are finer than pixels
LEAST_LINE_PX = 0.5  # a thinner line would not show on a mask, and yet it prints
MOST_PDF_BYTES = 48 << 20  # a photo inside a drawing is not packed as well as a JPEG
PROBE_PX = MASK_PX  # a larger rendering is worth a small one before it, which shows its proportions
FINER = 4  # 1024 pixels: the dots of a printer of 600 dpi on a symbol of 43 mm
VISIBLE = 0.01  # share of pixels in which two renderings may differ; some smooth edges otherwise

MOST_PAGES = 3  # one behind the other: a page, a frame, a shadow
MOST_DPI = 600  # of drawings in pixels
PATHS_HINT = "Convert the text to paths in the drawing program (Inkscape: Path > Object to Path)."
WHITE_PAGE = Fault(
    "it stands on a white page, so the whole rectangle is the symbol",
    "Write background: remove beside the picture, or delete the white rectangle in the drawing program.",
)


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


LOADING = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>.a{stroke:hsl(9 9% 9%)}</style><linearGradient'
    b' id="g"><stop/></linearGradient><path class="a" d="M0 0Q9 0 9 9A9 9 0 0 1 0 0z" fill="url(#g)"/></svg>'
)


def load_renderers() -> None:
    """Import all that drawing needs; afterwards no file is opened for it, except fonts."""
    open_drawing(LOADING, is_compared=True)


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
    """Parse once, then replay the recorded drawing into a PDF page and a mask."""
    with _blaming_the_drawing():
        drawing = _draw_with_cairo(svg)
    if len(drawing.pdf) > MOST_PDF_BYTES:
        raise ArtworkError(Fault("the drawing is too detailed to print", "Simplify it, or save it as PNG."))
    return drawing


def _draw_with_cairo(svg: bytes) -> DrawnSvg:
    import cairocffi

    recording, width, height, thinnest = _record_svg(svg)
    refuse_extreme_shape(width, height)
    size = math.ceil(width), math.ceil(height)
    grid = cairocffi.ImageSurface(cairocffi.FORMAT_A8, *size)
    _replay_recording(recording if thinnest >= LEAST_LINE_PX else _record_svg(svg, 2 * LEAST_LINE_PX)[0], grid)
    sink = io.BytesIO()
    page = cairocffi.PDFSurface(sink, width, height)
    _replay_recording(recording, page)
    page.finish()
    rows = np.frombuffer(grid.get_data(), np.uint8).reshape(grid.get_height(), grid.get_stride())
    alpha = rows[:, : grid.get_width()].copy()  # the surface's memory dies with it
    mask = Mask(alpha, width / MASK_PX, height / MASK_PX, (1 / MASK_PX, 1 / MASK_PX))
    return DrawnSvg(sink.getvalue(), mask)


def _compare_with_print(svg: bytes, picture: Image.Image, pdf: bytes) -> float:
    """Return the share of pixels in which a drawing's picture differs from what is embedded in the sheets.

    Where they differ both are rendered finer, and that counts: no line is finer than a pixel, and shapes that touch let
    what is behind them shine through their smooth edges.
    """
    with _blaming_the_drawing(), Rasterizer(pdf) as rasterizer:
        scale = MASK_PX / max(rasterizer.measure(0))
        share = measure_difference(rasterizer.draw(0, scale, CLEAR, has_alpha=True).to_pil().convert("RGBA"), picture)
        if share <= VISIBLE:
            return share
        printed = _shrink(rasterizer.draw(0, FINER * scale, CLEAR, has_alpha=True).to_pil())
    share = measure_difference(printed, picture)
    return share if share <= VISIBLE else measure_difference(printed, _shrink(render_svg(svg, FINER * MASK_PX)))


def _paint_with_cairo(svg: bytes) -> Image.Image:
    """Return the drawing in pixels as cairo paints it, with lines as fine as they are."""
    import cairocffi

    with _blaming_the_drawing():
        recording, width, height, _ = _record_svg(svg)
        size = math.ceil(width), math.ceil(height)
        surface = cairocffi.ImageSurface(cairocffi.FORMAT_ARGB32, *size)
        _replay_recording(recording, surface)
        painted = Image.frombuffer("RGBa", size, bytes(surface.get_data()), "raw", "BGRa", surface.get_stride())
    return painted.convert("RGBA")


def _shrink(fine: Image.Image) -> Image.Image:
    return fine.convert("RGBA").convert("RGBa").reduce(FINER).convert("RGBA")


def _record_svg(svg: bytes, least_px: float = 0.0) -> tuple[Any, float, float, float]:
    """Return the operations of a drawing, its size where its longer side is that of a mask, and its thinnest line.

    They must be replayed unscaled, also into the PDF: cairo rounds the extent of a scaled recording, and loses what
    lies beyond it. Lines thinner than `least_px` are drawn that wide.
    """
    import cairocffi
    import cairosvg.surface
    from cairosvg.parser import Tree

    thinnest = [math.inf]

    class Pen(cairocffi.Context):  # type: ignore[misc]
        """A context that notes how thin its lines are, and widens those that a mask would not show."""

        def stroke(self) -> None:
            """Draw a line."""
            across, skewed, down, up = self.get_matrix().as_tuple()[:4]
            scale, width = math.sqrt(abs(across * up - skewed * down)), self.get_line_width()
            paint = self.get_source()
            if width > 0 and not (isinstance(paint, cairocffi.SolidPattern) and paint.get_rgba()[3] == 0):
                thinnest[0] = min(thinnest[0], width * scale)
            if 0 < width * scale < least_px:
                self.set_line_width(least_px / scale)
            super().stroke()

    class Recorder(cairosvg.surface.Surface):  # type: ignore[misc]
        """A surface that records the drawing operations instead of rendering them."""

        device_units_per_user_units = 1.0

        @property
        def context(self) -> Any:
            """What draws on it."""
            return self._pen

        @context.setter
        def context(self, given: Any) -> None:
            self._pen = Pen(self.cairo)

        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            scale = self.device_units_per_user_units = MASK_PX / (max(width, height) or 1.0)
            recording = cairocffi.RecordingSurface(cairocffi.CONTENT_COLOR_ALPHA, None)
            return recording, width * scale, height * scale

    surface = Recorder(Tree(bytestring=svg), None, 96)
    return surface.cairo, float(surface.width), float(surface.height), thinnest[0]


def render_svg(svg: bytes, longer_side_px: int) -> Image.Image:
    """Render the drawing in pixels by resvg, which supports filters, masks and blend modes."""
    with _blaming_the_drawing():
        probe = _render(svg, min(PROBE_PX, longer_side_px), None)
        refuse_extreme_shape(probe.width, probe.height)
        if probe.height <= probe.width * (1 + 2 / PROBE_PX):
            first = probe if longer_side_px <= PROBE_PX else _render(svg, longer_side_px, None)
            if first.height <= first.width:
                return first
        return _render(svg, None, longer_side_px)


def _render(svg: bytes, width: int | None, height: int | None) -> Image.Image:
    """Render once, without fonts: text is outlines by now; 96 pixels are an inch, as everywhere in SVG."""
    import resvg_py

    png = resvg_py.svg_to_bytes(svg_string=svg.decode(), skip_system_fonts=True, width=width, height=height, dpi=96)
    picture = Image.open(io.BytesIO(png))
    picture.load()
    return picture.convert("RGBA")


def _replay_recording(recording: Any, surface: Any) -> None:
    import cairocffi

    context = cairocffi.Context(surface)
    context.set_source_surface(recording)
    context.paint()
    surface.flush()


@dataclass(frozen=True, eq=False)
class OpenedDrawing:
    """What an SVG turned out to be: harmless bytes, its vectors if it has any, its mask, and what is to be said."""

    svg: bytes
    pdf: bytes | None
    mask: Mask
    notes: tuple[str, ...] = ()
    warnings: tuple[Fault, ...] = ()


def open_drawing(data: bytes, is_compared: bool = False, removes_page: bool = False) -> OpenedDrawing:
    """Sanitize and draw an SVG in this process; untrusted drawings go through `art.guarded`, and are compared.

    `removes_page` takes away what lies behind the whole drawing.
    """
    admitted = admit_svg(data)
    if removes_page:
        admitted = admit_svg(_remove_page(admitted.data))
    warnings = list(_warn_about_drawing(admitted))
    reasons = admitted.hard_features if admitted.has_size else ("no size", *admitted.hard_features)
    drawn: DrawnSvg | None = None
    if not reasons:
        try:
            drawn = draw_svg(admitted.plain)
        except ArtworkError:
            reasons = ("what only resvg can draw",)
    if drawn is not None and not is_compared:
        return OpenedDrawing(admitted.data, drawn.pdf, drawn.mask, warnings=tuple(warnings))
    picture = render_svg(admitted.data, MASK_PX)
    if is_compared and shows_page(picture):
        warnings.append(WHITE_PAGE)
    if drawn is not None:
        share = _compare_with_print(admitted.data, picture, drawn.pdf)
        if share <= VISIBLE:
            return OpenedDrawing(admitted.data, drawn.pdf, drawn.mask, warnings=tuple(warnings))
        reasons = ("what PDF readers draw coarsely",)
        share = measure_difference(_paint_with_cairo(admitted.plain), picture)
        if share > VISIBLE:
            what = f"two programs draw it differently ({share:.0%} of its area)"
            what += "; it is printed as the more careful one does"
            hint = "Compare the preview with your drawing; if it is wrong, save that as PNG, 2000 pixels wide."
            warnings.append(Fault(what, hint))
            reasons = ("what CairoSVG draws differently",)
    notes = (f"has {', '.join(reasons)}: drawn by resvg at {MOST_DPI} dpi",)
    return OpenedDrawing(admitted.data, None, make_mask(picture, MASK_PX), notes, tuple(warnings))


def _remove_page(svg: bytes) -> bytes:
    """Return a drawing without the shapes that lie behind all of it, at most a few; raise where it stays full."""
    for _ in range(MOST_PAGES + 1):
        picture = render_svg(svg, MASK_PX)
        if stands_free(picture):
            return svg
        svg = drop_first_shape(svg)
    what = "it has no page of its own behind it that could be removed"
    raise ArtworkError(Fault(what, "Remove the background in the drawing program, and leave out background: remove."))


def _warn_about_drawing(svg: AdmittedSvg) -> Iterator[Fault]:
    """Yield what is to be said about a drawing before it is drawn."""
    if svg.dropped:
        what = f"left out of the drawing for safety: {', '.join(svg.dropped)}"
        yield Fault(what, "If you miss something, embed it in the drawing as a picture.")
    if svg.undrawn:
        what = f"the drawing has {', '.join(svg.undrawn)}, which may print otherwise than you see it"
        yield Fault(what, "Export it again as plain SVG, or save it as PNG.")
    if svg.is_faint:
        what = "it has lines finer than a quarter of a printer's dot, which print as faintly as they show"
        yield Fault(what, "If they should be seen, make them wider in the drawing program.")
    if svg.families:
        fonts = ", ".join(f'"{name[:40]}"' for name in svg.families)
        yield Fault(f"text of the drawing that is set in {fonts} is printed in our font FiraGO", PATHS_HINT)
    if svg.missing:
        letters = ", ".join(f'"{char}" (U+{ord(char):04X})' for char in svg.missing[:10])
        yield Fault(f"no installed font has the letters {letters} of the drawing", PATHS_HINT)
