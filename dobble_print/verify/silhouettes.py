"""Silhouettes: the shape that each form or image prints, rendered once and traced from its opacity.

Pictures that are cut out with a stencil have lost theirs: their soft edges are mixed with the colour they lie on. They
are rendered on that colour, and what differs from it is their shape.

Invariant: a silhouette is in the coordinates that the drawing matrix maps (after a form's own matrix), holes filled,
so that a placement's matrix alone puts it on paper. Nothing of how the form was made is used.
"""

from __future__ import annotations

import io
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import contourpy
import numpy as np
import numpy.typing as npt
import shapely
from pikepdf import Array, Dictionary, Name, Pdf, Stream

from dobble_print.preflight.matrix import IDENTITY, measure_sides, move_point, read_matrix
from dobble_print.preflight.thinning import thin_images
from dobble_print.units import PT_PER_MM
from dobble_print.verify.printed import Placed

PIXEL_MM = 0.15  # at the largest size a form is printed
LEAST_PX, MOST_PX = 100, 400
PAD_PX = 2
SOLID = 127.5  # an edge pixel belongs to the shape when more than half of it does
FAINT = 51.0  # glass, fades and shadows already when a fifth of the paper is covered
EDGE_PX = 2  # how far the smoothed edge of a solid shape may reach
SPECK_PX = 1.0  # nothing that a printer would show
SIMPLE_PX = 0.15  # how far the traced line may be straightened

Picture = npt.NDArray[np.uint8]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class _Portrait:
    """A form to render: its box, how many pixels one of its units becomes, and the operators of a colour under it."""

    placed: Placed
    box: Box
    scale: float
    ground: str


def trace_silhouettes(pdf: Pdf, placed: Iterable[Placed]) -> dict[Hashable, Any]:
    """The silhouette of everything placed, by its key; what shows nothing is missing. The file's own pages are lost."""
    portraits = [_plan_portrait(one, size) for one, size in _find_largest(placed).values()]
    data = _write_portraits(pdf, portraits)
    found = {}
    for portrait, picture in zip(portraits, _render(data), strict=True):
        shape = _trace(_see(picture, portrait), portrait)
        if shape is not None:
            found[portrait.placed.key] = shape
    return found


def _find_largest(placed: Iterable[Placed]) -> Mapping[Hashable, tuple[Placed, float]]:
    """Each thing once, with the largest scale it is drawn at."""
    largest: dict[Hashable, tuple[Placed, float]] = {}
    for one in placed:
        size = max(measure_sides(one.matrix))
        if one.key not in largest or size > largest[one.key][1]:
            largest[one.key] = (one, size)
    return largest


def _plan_portrait(placed: Placed, largest_pt: float) -> _Portrait:
    box = _find_box(placed.thing)
    side = max(box[2] - box[0], box[3] - box[1])
    if not (math.isfinite(side) and side > 0 and math.isfinite(largest_pt)):
        raise ValueError("a form without a size")
    pixels = min(max(side * largest_pt / PT_PER_MM / PIXEL_MM, LEAST_PX), MOST_PX)
    return _Portrait(placed, box, pixels / side, _find_ground(placed))


def _find_ground(placed: Placed) -> str:
    """The operators that set the colour under a picture with a stencil; nothing for what has an opacity of its own."""
    inner = placed.thing.get("/Resources", Dictionary()).get("/XObject", Dictionary()).values()
    stencilled = any(isinstance(each, Stream) and "/Mask" in each for each in (placed.thing, *inner))
    setter = {"gray": "g", "rgb": "rg", "cmyk": "k"}.get(placed.ground.space.family) if placed.ground else None
    if not stencilled or setter is None or placed.ground is None:
        return ""
    return " ".join((*(f"{value:.5f}" for value in placed.ground.values), setter))


def _find_box(thing: Any) -> Box:
    """Where a form may paint, its own matrix worked in; an image fills the unit square."""
    if thing.get("/Subtype") != Name.Form:
        return 0.0, 0.0, 1.0, 1.0
    own = read_matrix(thing.Matrix) if "/Matrix" in thing else IDENTITY
    x0, y0, x1, y1 = (float(value) for value in thing.BBox)
    xs, ys = zip(*(move_point(own, x, y) for x in (x0, x1) for y in (y0, y1)), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _write_portraits(pdf: Pdf, portraits: Sequence[_Portrait]) -> bytes:
    """The file with one page a form instead of its own pages; photos are thinned where only their shape counts."""
    del pdf.pages[:]
    for key in ("/Names", "/Outlines", "/StructTreeRoot", "/OCProperties"):
        if key in pdf.Root:
            del pdf.Root[key]
    for portrait in portraits:
        left, bottom, right, top = portrait.box
        scale = portrait.scale
        size = [math.ceil(length * scale) + 2 * PAD_PX for length in (right - left, top - bottom)]
        page = pdf.add_blank_page(page_size=(size[0], size[1]))
        page.obj.MediaBox = Array([0, 0, *size])
        page.obj.Resources = Dictionary(XObject=Dictionary(F=portrait.placed.thing))
        page.obj.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceRGB)
        x, y = PAD_PX - left * scale, PAD_PX - bottom * scale
        ground = f"{portrait.ground} 0 0 {size[0]} {size[1]} re f" if portrait.ground else ""
        drawn = f"{ground} q {scale:.9f} 0 0 {scale:.9f} {x:.9f} {y:.9f} cm /F Do Q"
        page.obj.Contents = pdf.make_stream(drawn.encode())
    sink = io.BytesIO()
    pdf.save(sink, compress_streams=False)
    colored = any(portrait.ground for portrait in portraits)
    return sink.getvalue() if colored else thin_images(sink.getvalue())


def _render(data: bytes) -> Iterator[Picture]:
    """Every page with its opacity, one pixel a point."""
    import pypdfium2
    from pypdfium2 import raw

    document = pypdfium2.PdfDocument(data)
    try:
        for page in document:
            bitmap = page.render(scale=1, fill_color=(0, 0, 0, 0), force_bitmap_format=raw.FPDFBitmap_BGRA)
            picture: Picture = bitmap.to_numpy().copy()
            page.close()
            yield picture
    finally:
        document.close()


def _see(picture: Picture, portrait: _Portrait) -> Picture:
    """The opacity, or how far each pixel differs from the colour around the picture, faint pictures as strong ones."""
    if not portrait.ground:
        return np.asarray(picture[:, :, 3])
    colors = picture[:, :, :3].astype(np.int16)
    differs = np.abs(colors - colors[0, 0]).max(axis=2)
    strongest = max(int(differs.max()), 1)
    stretched = differs * (2 * SOLID / min(strongest, 2 * SOLID))
    return np.asarray(np.minimum(stretched, 255), dtype=np.uint8)


def _trace(alpha: Picture, portrait: _Portrait) -> Any | None:
    """The outer rings as one shape, back in the form's coordinates."""
    lines = contourpy.contour_generator(z=alpha.astype(np.float64)).lines(FAINT if _has_faint_parts(alpha) else SOLID)
    slim = [shapely.simplify(shapely.LinearRing(line), SIMPLE_PX, preserve_topology=False) for line in lines]
    rings = [shapely.Polygon(ring) for ring in slim if len(ring.coords) > 3]
    rings = [ring for ring in rings if ring.area >= SPECK_PX]
    if not rings:
        return None
    shape = shapely.union_all([ring if ring.is_valid else shapely.make_valid(ring) for ring in rings])
    height = alpha.shape[0]
    left, bottom = portrait.box[:2]

    def place(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """From the middles of pixels, y down, to the form's units, y up."""
        x, y = points[:, 0] + 0.5 - PAD_PX, height - points[:, 1] - 0.5 - PAD_PX
        return np.column_stack((x / portrait.scale + left, y / portrait.scale + bottom))

    return shapely.transform(shape, place)


def _has_faint_parts(alpha: Picture) -> bool:
    """Whether something translucent reaches beyond what is solid by more than a smoothed edge."""
    near = alpha > SOLID
    for _ in range(EDGE_PX):
        grown = near.copy()
        grown[1:] |= near[:-1]
        grown[:-1] |= near[1:]
        grown[:, 1:] |= near[:, :-1]
        grown[:, :-1] |= near[:, 1:]
        near = grown
    return int(((alpha > FAINT) & ~near).sum()) > EDGE_PX
