"""The outlines of printed symbols and cut cards, traced from what is drawn and from nothing else."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import contourpy
import numpy as np
import numpy.typing as npt
import shapely
from pikepdf import Dictionary, Matrix, Name, Rectangle, Stream

from dobble_print.pdf.content import Color
from dobble_print.pdf.document import PageBox
from dobble_print.pdf.geometry import bound_runs, measure_sides, move_points, own_matrix
from dobble_print.pdf.images import thin_photos
from dobble_print.pdf.render import PageRenderer, Picture
from dobble_print.units import PT_PER_MM
from dobble_print.verify.scan import PlacedSymbol, PrintedPage, ScannedCard

PIXEL_MM = 0.15  # at the largest size a form is printed
LEAST_PX, MOST_PX = 100, 400
PAD_PX = 2
STRIP = 16  # portraits on a page
SOLID = 127.5  # an edge pixel belongs to the shape when more than half of it does
FAINT = 51.0  # glass, fades and shadows already when a fifth of the paper is covered
EDGE_PX = 2  # how far the smoothed edge of a solid shape may reach
SPECK_PX = 1.0  # nothing that a printer would show
SIMPLE_PX = 0.25  # how far the traced line may be straightened
SHADE = 12  # levels of 255 by which a colour must differ from the card's to be seen at all
LOOK_PX = 5  # every fifth pixel is looked at first
SETTERS = {"gray": "g", "rgb": "rg", "cmyk": "k"}
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Portrait:
    """A form to render: its box, how many pixels it becomes either way, and whether its colours show its shape."""

    placed: PlacedSymbol
    box: PageBox
    size_px: tuple[int, int]
    is_stencilled: bool

    @property
    def frame_px(self) -> tuple[int, int]:
        """With some air around it."""
        return self.size_px[0] + 2 * PAD_PX, self.size_px[1] + 2 * PAD_PX

    @property
    def scale(self) -> tuple[float, float]:
        """Pixels a unit. The box ends with a pixel on all sides: renderers fill the last pixel of an image whole."""
        left, bottom, right, top = self.box
        return self.size_px[0] / (right - left), self.size_px[1] / (top - bottom)


def trace_silhouettes(renderer: PageRenderer, placed: Iterable[PlacedSymbol]) -> dict[Hashable, Any]:
    """Return the silhouette of everything placed, by its key; what shows nothing is missing."""
    portraits = [_plan_portrait(one, size) for one, size in _find_largest(placed).values()]
    # where only the shape counts, a photo is as good as a pixel
    thin_photos(renderer.pdf, keep_stencilled=any(portrait.is_stencilled for portrait in portraits))
    _add_strips(renderer, portraits)
    found = {}
    for portrait, picture in zip(portraits, _cut_strips(portraits, renderer.render()), strict=True):
        shape = _trace(_see(picture, portrait), portrait) if _is_seen(picture, portrait) else None
        if shape is not None:
            found[portrait.placed.key] = shape
    return found


def _find_largest(placed: Iterable[PlacedSymbol]) -> Mapping[Hashable, tuple[PlacedSymbol, float]]:
    """Return each thing once, with the largest scale it is drawn at."""
    largest: dict[Hashable, tuple[PlacedSymbol, float]] = {}
    for one in placed:
        size = max(measure_sides(one.matrix))
        if one.key not in largest or size > largest[one.key][1]:
            largest[one.key] = (one, size)
    return largest


def _plan_portrait(placed: PlacedSymbol, largest_pt: float) -> _Portrait:
    box = _find_box(placed.thing)
    sides = box[2] - box[0], box[3] - box[1]
    if not (math.isfinite(sum(sides)) and min(sides) > 0 and math.isfinite(largest_pt)):
        raise ValueError("a form without a size")
    pixels = min(max(max(sides) * largest_pt / PT_PER_MM / PIXEL_MM, LEAST_PX), MOST_PX) / max(sides)
    size_px = max(1, math.ceil(sides[0] * pixels)), max(1, math.ceil(sides[1] * pixels))
    return _Portrait(placed, box, size_px, _is_stencilled(placed.thing) and write_color(placed.ground) != "")


def _is_stencilled(thing: Any) -> bool:
    inner = thing.get("/Resources", Dictionary()).get("/XObject", Dictionary()).values()
    return any(isinstance(each, Stream) and "/Mask" in each for each in (thing, *inner))


def write_color(color: Color | None) -> str:
    """Return the operators that set a colour for filling; nothing where it is of a kind that only its file knows."""
    setter = SETTERS.get(color.space.family) if color else None
    return " ".join((*(f"{value:.5f}" for value in color.values), setter)) if color and setter else ""


def _find_box(thing: Any) -> PageBox:
    """Return where a form may paint, its own matrix worked in; an image fills the unit square."""
    if thing.get("/Subtype") != Name.Form:
        return 0.0, 0.0, 1.0, 1.0
    box = own_matrix(thing).transform(Rectangle(thing.BBox))
    return box.llx, box.lly, box.urx, box.ury


def _add_strips(renderer: PageRenderer, portraits: Sequence[_Portrait]) -> None:
    """Add some forms to each page, side by side, one pixel a point: a page for each would take longer.

    Forms without a colour of their own are drawn in the card's colour, so that they count as invisible.
    """
    for strip in _list_strips(portraits):
        drawn, left = [], 0
        for i, portrait in enumerate(strip):
            drawn.append(_draw_portrait(portrait, f"/F{i}", left))
            left += portrait.frame_px[0]
        box = (0, 0, left, max(portrait.frame_px[1] for portrait in strip))
        things = {f"/F{i}": portrait.placed.thing for i, portrait in enumerate(strip)}
        renderer.add_drawn_page(box, "\n".join(drawn), things, 1.0, has_alpha=True)


def _list_strips(portraits: Sequence[_Portrait]) -> Iterator[Sequence[_Portrait]]:
    for start in range(0, len(portraits), STRIP):
        yield portraits[start : start + STRIP]


def _draw_portrait(portrait: _Portrait, name: str, left: int) -> str:
    (width, height), (wide, high) = portrait.scale, portrait.frame_px
    x, y = left + PAD_PX - portrait.box[0] * width, PAD_PX - portrait.box[1] * height
    color = write_color(portrait.placed.ground) or "1 g"
    ground = f"{color} {left} 0 {wide} {high} re f" if portrait.is_stencilled else f"{color} {color.upper()}"
    return f"q {ground} {width:.9f} 0 0 {height:.9f} {x:.9f} {y:.9f} cm {name} Do Q"


def _cut_strips(portraits: Sequence[_Portrait], pictures: Iterable[Picture]) -> Iterator[Picture]:
    """Yield the portraits one by one."""
    for strip, picture in zip(_list_strips(portraits), pictures, strict=True):
        left = 0
        for portrait in strip:
            wide, high = portrait.frame_px
            yield picture[len(picture) - high :, left : left + wide]
            left += wide


def _is_seen(picture: Picture, portrait: _Portrait) -> bool:
    """Tell whether anything of it has another colour than the card under it."""
    ground = _mix_color(portrait.placed.ground)
    if portrait.is_stencilled or ground is None:
        return True
    for step in (LOOK_PX, 1):  # nearly always a few pixels tell
        pixels = picture[::step, ::step].reshape(-1, 4)
        colors = pixels[pixels[:, 3] > SHADE][:, :3].T
        seen = [np.abs(channel - level) > SHADE for channel, level in zip(colors, ground, strict=True)]
        if int((seen[0] | seen[1] | seen[2]).sum()) > SPECK_PX:
            return True
    return False


def _mix_color(color: Color | None) -> Floats | None:
    """Return a colour in the order of rendered pixels: blue, green, red; paper is white."""
    if color is None:
        return np.full(3, 255.0)
    values = np.array(color.values)
    if color.space.family == "cmyk" and len(values) == 4:
        return np.asarray(255 * ((1 - values[:3]) * (1 - values[3]))[::-1])
    if color.space.family in ("rgb", "gray") and len(values) in (1, 3):
        return np.asarray(255 * np.broadcast_to(values, 3)[::-1])
    return None


def _see(picture: Picture, portrait: _Portrait) -> Picture:
    """Return the opacity, or how far pixels differ from the colour around the picture, faint ones strengthened."""
    if not portrait.is_stencilled:
        return np.asarray(picture[:, :, 3])
    colors = picture[:, :, :3].astype(np.int16)
    differs = np.abs(colors - colors[0, 0]).max(axis=2)
    strongest = max(int(differs.max()), 1)
    stretched = differs * (2 * SOLID / min(strongest, 2 * SOLID))
    return np.asarray(np.minimum(stretched, 255), dtype=np.uint8)


def _trace(alpha: Picture, portrait: _Portrait) -> Any | None:
    """Return the outer rings as one shape, back in the form's coordinates."""
    # of contourpy's ways to the same lines the oldest is the quickest
    tracer = contourpy.contour_generator(z=alpha.astype(np.float64), name="mpl2005")
    lines: Any = tracer.lines(FAINT if _has_faint_parts(alpha) else SOLID)[0]  # and what kind of point each is
    slim = [shapely.simplify(shapely.LinearRing(line), SIMPLE_PX, preserve_topology=False) for line in lines]
    rings = [shapely.Polygon(ring) for ring in slim if len(ring.coords) > 3]
    rings = [ring for ring in rings if ring.area >= SPECK_PX]
    if not rings:
        return None
    shape = shapely.union_all([ring if ring.is_valid else shapely.make_valid(ring) for ring in rings])
    height, (wide, high) = alpha.shape[0], portrait.scale
    left, bottom = portrait.box[:2]

    def place(points: Floats) -> Floats:
        """Turn the middles of pixels, y down, into the form's units, y up."""
        x, y = points[:, 0] + 0.5 - PAD_PX, height - points[:, 1] - 0.5 - PAD_PX
        return np.column_stack((x / wide + left, y / high + bottom))

    return shapely.transform(shape, place)


def _has_faint_parts(alpha: Picture) -> bool:
    """Tell whether something translucent reaches beyond what is solid by more than a smoothed edge."""
    near = alpha > SOLID
    for _ in range(EDGE_PX):
        grown = near.copy()
        grown[1:] |= near[:-1]
        grown[:-1] |= near[1:]
        grown[:, 1:] |= near[:, :-1]
        grown[:, :-1] |= near[:, 1:]
        near = grown
    return int(((alpha > FAINT) & ~near).sum()) > EDGE_PX


NOTHING = shapely.Polygon()


@dataclass(frozen=True, eq=False)
class CutCard:
    """A card as it will be cut: its outline, None where the file does not tell, and its symbols' shapes and hulls."""

    card: ScannedCard
    outline: Any | None
    shapes: tuple[Any, ...] = ()
    hulls: tuple[Any, ...] = ()


def outline_cards(page: PrintedPage) -> list[CutCard]:
    """Return all cards of a page with their outlines, still without their symbols."""
    cuts = [shapely.Polygon(cut.points) for cut in page.cuts if len(cut.points) > 3]
    bleed_pt = _find_bleed(page)
    return [CutCard(card, _find_outline(card, cuts, bleed_pt)) for card in page.cards]


def put_symbols(cut: Iterable[CutCard], silhouettes: Mapping[Hashable, Any]) -> list[CutCard]:
    """Return the cards with their symbols; one that shows nothing is an empty shape."""
    hulls = {key: shapely.convex_hull(shape) for key, shape in silhouettes.items()}
    return [CutCard(each.card, each.outline, _put(each.card, silhouettes), _put(each.card, hulls)) for each in cut]


def _put(card: ScannedCard, shapes: Mapping[Hashable, Any]) -> tuple[Any, ...]:
    chosen = np.array([shapes.get(one.key, NOTHING) for one in card.placed], dtype=object)
    if not len(chosen):
        return ()
    matrices = np.array([find_place(card, one).shorthand for one in card.placed])
    points, owner = shapely.get_coordinates(chosen, return_index=True)
    return tuple(shapely.set_coordinates(chosen, _turn(points, matrices[owner])))


def _turn(points: Floats, matrices: Floats) -> Floats:
    """Return each point moved by its own matrix."""
    a, b, c, d, e, f = matrices.T
    x, y = points.T
    return np.column_stack((x * a + y * c + e, x * b + y * d + f))


def find_place(card: ScannedCard, placed: PlacedSymbol) -> Matrix:
    """Return the matrix that puts a thing on its card, in millimetres."""
    return placed.matrix @ _to_card(card)


def _to_card(card: ScannedCard) -> Matrix:
    """Turn points on the page into millimetres on the card."""
    mm = 1 / PT_PER_MM
    return card.frame.inverse() @ Matrix(mm, 0.0, 0.0, mm, 0.0, 0.0)


def _find_outline(card: ScannedCard, cuts: Sequence[Any], bleed_pt: float | None) -> Any | None:
    """Return the line of a cutting machine, else the line for scissors, else what clips the card without its bleed."""
    middle = shapely.Point(card.frame.e, card.frame.f)
    around = [shape for shape in cuts if shape.contains(middle)]
    lines = [shapely.Polygon(line.points) for line in card.strokes if line.closed and len(line.points) > 3]
    inside = [line for line in lines if line.contains(middle)]
    if around:
        outline = min(around, key=lambda shape: shape.area)
    elif inside:
        outline = max(inside, key=lambda line: line.area)
    elif bleed_pt is not None and card.clip:
        outline = shapely.Polygon(card.clip[0].points).buffer(-bleed_pt)
    else:
        return None
    return shapely.transform(outline, partial(move_points, _to_card(card)))


def _find_bleed(page: PrintedPage) -> float | None:
    """Return how far the cards of a page paint beyond its trim box, which encloses all cuts of a full page."""
    runs = [clip for card in page.cards for clip in card.clip]
    if page.trim is None or not runs:
        return None
    lower, upper = bound_runs(runs)
    # on the last page cards reach only some of its sides, so the farthest counts
    return max(0.0, float(np.max((page.trim[:2] - lower, upper - page.trim[2:]))))
