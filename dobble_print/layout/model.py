"""Own the data of a layout: pieces and outlines, the size ladder, the card's edge, and the scene of all cards.

Invariant: a scene does not change while it is solved; its states are separate arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from dobble_print.art.silhouette import Silhouette
from dobble_print.cache import Recent
from dobble_print.theme.options import LayoutOptions, Rotation
from dobble_print.units import CardShape


@dataclass(frozen=True, eq=False)
class Piece:
    """A face of a symbol as the layout needs it: a name for messages, its outline, and how it may be turned.

    A word could not be read below a diameter of `least_mm`; a picture has none.
    """

    name: str
    silhouette: Silhouette
    rotation: Rotation = "full"
    scale: float = 1.0
    least_mm: float = 0.0


@dataclass(frozen=True)
class Placement:
    """Where a piece lies on its card: the centre of its enclosing circle, that circle's diameter, and its turn.

    The origin is the card's centre, y points up, the turn is counter-clockwise.
    """

    piece: int
    x_mm: float
    y_mm: float
    rotation_deg: float
    diameter_mm: float


# Precision by name only: numpy's type stubs cannot follow it through arithmetic with mixed operands.
Floats = npt.NDArray[Any]
Singles = npt.NDArray[Any]
Integers = npt.NDArray[Any]
GRID = 56  # cells of the distance field along a side
EXTENT = 1.25  # the field covers [-EXTENT, EXTENT]; beyond it the border cell is extended linearly
CELL = 2 * EXTENT / GRID
SAMPLES = 128  # contour points, those that say most about the shape first
CORNERS = 320  # corners of the simplified contour, for precise distances
TOLERANCE = 0.001  # how far the simplified contour may leave the true one: 0.02 mm on a symbol of 40 mm
DENSE_STEP = 0.02  # distances are first looked for among points this near to each other
DENSE = 512  # and no more than this many of them
WINDOW = 3  # segments looked at on either side of the one nearest to a cell's centre
TRACK = CORNERS + 2 * WINDOW  # segments of a piece in the track of all
TURN_LIMITS = {"full": math.inf, "tilt": math.radians(30), "upright": 0.0}


@dataclass(frozen=True, eq=False)
class Outlines:
    """The sampled outlines of all pieces of a deck."""

    field: Singles  # (pieces * GRID * GRID, 4): distance, its gradient in x and y, and padding
    nearest: Integers  # (pieces * GRID * GRID): where in `track` the segment nearest to the cell lies
    points: Singles  # (pieces, SAMPLES, 2), farthest first: any prefix spreads evenly over the contour
    corners: Singles  # (pieces, CORNERS, 2) of the simplified contour, in drawing order, the last one repeated
    track: Singles  # (segments, 4): start and stride; each piece has WINDOW segments of overlap at both ends
    area: Floats
    turn_limit: Floats


Sampled = tuple[Singles, Singles, Integers, Singles]  # segments, field, nearest and points of a piece
_SAMPLED = Recent[Sampled](400)  # some 40 MB


def sample_outlines(pieces: Sequence[Piece], on_pulse: Callable[[], None] = lambda: None) -> Outlines:
    """Sample the silhouettes of all pieces."""

    def sample(places: list[int]) -> Iterable[Sampled]:
        return _sample([pieces[place].silhouette for place in places], on_pulse)

    sampled = _SAMPLED.recall([piece.silhouette.key for piece in pieces], sample)
    segments, field, nearest, points = (list(part) for part in zip(*sampled, strict=True))
    return Outlines(
        field=np.concatenate(field),
        nearest=np.concatenate([each + WINDOW + i * TRACK for i, each in enumerate(nearest)]),
        points=np.stack(points),
        corners=np.stack(segments)[..., :2],
        track=np.pad(np.stack(segments), ((0, 0), (WINDOW, WINDOW), (0, 0)), mode="wrap").reshape(-1, 4),
        area=np.array([piece.silhouette.area for piece in pieces]),
        turn_limit=np.array([TURN_LIMITS[piece.rotation] for piece in pieces]),
    )


def _sample(silhouettes: Sequence[Silhouette], on_pulse: Callable[[], None]) -> Iterable[Sampled]:
    """Sample silhouettes; their points together, which takes less time than one by one."""
    segments, dense, fields = [], [], []
    for silhouette in silhouettes:
        on_pulse()
        segments.append(_simplify(silhouette.rings))
        points, owner = _densify(segments[-1])
        dense.append(points)
        fields.append(_measure_field(segments[-1], points, owner))
    points = _order_farthest_first(np.stack(dense))
    return ((*each[:1], *each[1], each[2]) for each in zip(segments, fields, points, strict=True))


def _simplify(rings: Sequence[Floats]) -> Singles:
    """Return start and stride of at most CORNERS contour segments; a shorter contour repeats its last corner."""
    tolerance, loops = TOLERANCE, [shapely.LinearRing(ring) for ring in rings]
    corners = [shapely.get_coordinates(shapely.simplify(loop, tolerance, preserve_topology=False)) for loop in loops]
    corners = [ring for ring in corners if len(ring) > 3] or corners[:1]
    while sum(len(ring) - 1 for ring in corners) > CORNERS:
        tolerance *= 1.5
        corners = [
            shapely.get_coordinates(shapely.simplify(loop, tolerance, preserve_topology=False)) for loop in loops
        ]
        corners = [ring for ring in corners if len(ring) > 3] or corners[:1]
    segments = np.concatenate([np.hstack([ring[:-1], np.diff(ring, axis=0)]) for ring in corners])
    spare = np.array([*segments[-1, :2], 0.0, 0.0])
    return np.concatenate([segments, np.tile(spare, (CORNERS - len(segments), 1))]).astype(np.float32)


def _densify(segments: Singles) -> tuple[Singles, Integers]:
    """Spread DENSE points over the segments, and return them with the segment each of them lies on."""
    count = np.maximum(1, np.ceil(np.hypot(segments[:, 2], segments[:, 3]) / DENSE_STEP).astype(np.intp))
    owner = np.repeat(np.arange(len(segments)), count)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    points = segments[owner, :2] + segments[owner, 2:] * (step / count[owner])[:, None]
    spread = np.linspace(0, len(points), DENSE, endpoint=False).astype(np.intp)
    return points[spread].astype(np.float32), owner[spread]


def _order_farthest_first(contour: Singles) -> Singles:
    """Order each piece's contour points: the extremes first, each next one farthest from those before."""
    x, y = np.ascontiguousarray(np.moveaxis(contour, -1, 0))
    every, away = np.arange(len(contour)), np.full(x.shape, np.inf, np.float32)
    taken = [(x * x + y * y).argmax(-1)]
    for _ in range(SAMPLES - 1):
        dx, dy = x - x[every, taken[-1], None], y - y[every, taken[-1], None]
        np.minimum(away, dx * dx + dy * dy, out=away)
        taken.append(away.argmax(-1))
    return np.take_along_axis(contour, np.stack(taken, -1)[..., None], axis=1)


def _measure_field(segments: Singles, dense: Singles, owner: Integers) -> tuple[Singles, Integers]:
    """Return signed distance (negative inside), gradient and nearest segment for every cell's centre."""
    axis = ((np.arange(GRID) + 0.5) * CELL - EXTENT).astype(np.float32)
    squares_x, squares_y = (axis[:, None] - dense[:, 0]) ** 2, (axis[:, None] - dense[:, 1]) ** 2
    nearest = np.stack([(squares_x + row).argmin(1) for row in squares_y])
    away_x, away_y = axis[None, :] - dense[nearest, 0], axis[:, None] - dense[nearest, 1]
    length = np.sqrt(away_x**2 + away_y**2) + np.float32(1e-6)
    sign = np.where(_find_cells_inside(segments, axis), -1, 1).astype(np.float32)
    packed = np.stack([sign * length, sign * away_x / length, sign * away_y / length, np.zeros_like(length)], -1)
    return packed.reshape(-1, 4), owner[nearest].reshape(-1)


def _find_cells_inside(segments: Singles, axis: Singles) -> npt.NDArray[Any]:
    """Return which cells lie inside, by the parity of the contour's crossings to their left."""
    x, y, dx, dy = segments.T
    row, edge = np.nonzero((y <= axis[:, None]) != (y + dy <= axis[:, None]))
    crossing = x[edge] + (axis[row] - y[edge]) / dy[edge] * dx[edge]
    crossings = np.zeros((GRID, GRID + 1), np.intp)
    np.add.at(crossings, (row, np.searchsorted(axis, crossing)), 1)
    return np.bitwise_and(np.cumsum(crossings[:, :GRID], axis=1), 1).astype(bool)


Depth = tuple[Floats, Floats, Floats]


@dataclass(frozen=True, eq=False)
class Wall:
    """The core's corners and outward side normals; a round card has one corner and no side."""

    corners: Floats
    normals: Floats
    lengths: Floats
    radius: Any

    @classmethod
    def around(cls, shape: CardShape, precision: type[np.floating[Any]] = np.float32) -> Wall:
        """Return the edge of a card shape."""
        corners = np.array(shape.core, precision)
        radius = precision(shape.radius_mm)
        if len(corners) == 1:
            return cls(corners, np.zeros((0, 2), precision), np.zeros(0, precision), radius)
        stride = np.roll(corners, -1, axis=0) - corners
        lengths = np.hypot(stride[:, 0], stride[:, 1])
        normals = np.stack([stride[:, 1], -stride[:, 0]], -1) / lengths[:, None]
        return cls(corners, normals, lengths, radius)

    @cached_property
    def inner_radius(self) -> float:
        """Return the radius of the largest circle around the centre inside the edge."""
        centre = np.zeros(1, self.corners.dtype)
        return float(self.depth(centre, centre)[0][0])

    def depth(self, x: Floats, y: Floats) -> Depth:
        """Return how deep points lie inside the edge (negative outside) and the unit vectors pointing inwards."""
        if not len(self.normals):
            return self._depth_in_disc(x - self.corners[0, 0], y - self.corners[0, 1])
        sides = zip(self.corners, self.normals, strict=True)
        heights = np.stack([(x - cx) * nx + (y - cy) * ny for (cx, cy), (nx, ny) in sides])
        side = heights.argmax(axis=0)
        height = heights.max(axis=0)
        depth, in_x, in_y = self.radius - height, -self.normals[side, 0], -self.normals[side, 1]
        self._round_corners(x, y, side, height, (depth, in_x, in_y))
        return depth, in_x, in_y

    def _depth_in_disc(self, x: Floats, y: Floats) -> Depth:
        """Return the depth inside the disc around a corner, given the offset from that corner."""
        away = np.maximum(np.sqrt(x * x + y * y), self.radius.dtype.type(1e-6))
        return self.radius - away, -x / away, -y / away

    def _round_corners(self, x: Floats, y: Floats, side: Floats, height: Floats, result: Depth) -> None:
        """Correct the points outside the core that lie past an end of their nearest side."""
        offset_x, offset_y = x - self.corners[side, 0], y - self.corners[side, 1]
        along = offset_y * self.normals[side, 0] - offset_x * self.normals[side, 1]
        past_end = along > self.lengths[side]
        beyond = np.nonzero((height > 0) & ((along < 0) | past_end))
        corner = (side + past_end)[beyond] % len(self.corners)
        exact = self._depth_in_disc(x[beyond] - self.corners[corner, 0], y[beyond] - self.corners[corner, 1])
        for whole, part in zip(result, exact, strict=True):
            whole[beyond] = part


FLEX = 0.2  # how far a size may leave its rung
END_FLEX = 0.11  # the same for the two ends, whose ratio is promised: exp(-2 * 0.11) = 0.80, exp(2 * 0.11) = 1.25


@dataclass(frozen=True, eq=False)
class Ladder:
    """Rungs and their bounds for a batch of cards, and the smallest radii allowed (cards by symbols, logarithms).

    A word that needs to be larger than its rung allows leaves its rung; the other symbols keep theirs.
    """

    rungs: Floats
    lower: Floats
    upper: Floats
    least: Floats
    min_common: float  # a card's common size never falls below this: every rung can still reach the smallest radius
    fixed: bool = False  # every symbol has the size of its rung and keeps it

    @classmethod
    def of(cls, count: int, spread: float, hints: Floats, min_radius: float, own_radii: Floats) -> Ladder:
        """Return the ladder of cards with `count` symbols; `hints` (cards by symbols) scale single symbols.

        `own_radii` are what single symbols need to be readable, where that is more than `min_radius`.
        """
        half = math.log(spread) / 2 if count > 1 else 0.0
        rungs = np.linspace(-half, half, count)
        lower, upper = rungs - FLEX, rungs + FLEX
        lower[-1], upper[0] = half - END_FLEX, -half + END_FLEX
        lower, upper = np.maximum(lower, -half - END_FLEX), np.minimum(upper, half + END_FLEX)
        shift = np.log(hints)
        least = np.log(np.maximum(own_radii, min_radius))
        return cls(rungs + shift, lower + shift, upper + shift, least, math.log(min_radius) - upper[0])

    def clamp(self, log_radius: Floats) -> Floats:
        """Clamp sizes to their bounds, around the card's own common size.

        A symbol squeezed below its lower bound takes the common size down with it: the others give way, not the bound.
        """
        if self.fixed:
            return self.rungs
        common = (log_radius - self.rungs).mean(axis=1, keepdims=True)
        common = np.minimum(common, (log_radius - self.lower).min(axis=1, keepdims=True))
        common = np.maximum(common, self.min_common)
        kept: Floats = np.clip(log_radius, self.lower + common, self.upper + common)
        return np.maximum(kept, self.least)

    def fix(self, sizes: Floats) -> Ladder:
        """Return a ladder that keeps these sizes (cards by symbols, logarithms of radii)."""
        return replace(self, rungs=sizes, fixed=True)

    def find_bounds(self, log_radius: Floats) -> tuple[Floats, Floats]:
        """Return the least and the greatest sizes of symbols beside others of these sizes."""
        common = (log_radius - self.rungs).mean(axis=1, keepdims=True)
        common = np.maximum(common, self.min_common)
        return np.maximum(self.lower + common, self.least), np.maximum(self.upper + common, self.least)

    def find_least_radii(self) -> Floats:
        """Return the smallest radii the symbols of each card can have together."""
        return np.exp(np.maximum(self.lower + self.min_common, self.least))

    def take(self, rows: Integers) -> Ladder:
        """Return the ladder of some of the cards."""
        rungs, lower, upper, least = (part[rows] for part in (self.rungs, self.lower, self.upper, self.least))
        return Ladder(rungs, lower, upper, least, self.min_common, self.fixed)


WORD_GROWTH = 0.6  # 0 would give all words of a rung one width, 1 letters of one height
LEAST_WORD_SCALE = 0.75
ROUNDING_MM = 0.001  # words are asked to be this much larger than they must be: placements are rounded
LEAST_GAP_MM = 0.3  # even where no gap is asked for: outlines nearer than this would print as one


@dataclass(frozen=True, eq=False)
class LayoutScene:
    """A batch of cards and their required distances; its states are (cards, symbols, 4): x, y, turn, radius."""

    ids: Integers  # (cards, symbols)
    outlines: Outlines
    wall: Wall
    ladder: Ladder
    gap: float
    margin: float
    free_radius: float
    safe_radius: float  # of the largest circle around the centre that keeps the margin
    on_pulse: Callable[[], None] = lambda: None  # called in every step of the solver; what it raises ends the work

    @property
    def turn_limits(self) -> Floats:
        """Return how far each symbol may turn either way."""
        return np.asarray(self.outlines.turn_limit[self.ids])

    def take(self, rows: Integers) -> LayoutScene:
        """Return a scene of the cards in `rows`, in that order; a card may occur several times."""
        return replace(self, ids=self.ids[rows], ladder=self.ladder.take(rows))

    def widen_distances(self, safety_mm: float) -> LayoutScene:
        """Return the scene with all required distances a little larger."""
        free = self.free_radius + safety_mm if self.free_radius > 0 else 0.0
        return replace(self, gap=self.gap + safety_mm, margin=self.margin + safety_mm, free_radius=free)

    def as_circles(self) -> LayoutScene:
        """Return the scene with every symbol replaced by its enclosing circle."""
        angles = np.linspace(0, 2 * math.pi, 65)
        ring = np.stack([np.cos(angles), np.sin(angles)], -1)
        disc = Piece("circle", Silhouette((ring,), math.pi, (0.5, 0.5), 0.5))
        return replace(self, ids=np.zeros_like(self.ids), outlines=sample_outlines([disc]))

    def find_impossible(self, room_mm2: float, gap_mm: float) -> npt.NDArray[np.bool_]:
        """Return which cards are impossible: their smallest symbols and half gaps exceed the safe area.

        An outline of area A widened by g covers at least (sqrt(A) + g sqrt(pi))^2, whatever its form.
        """
        side = np.sqrt(self.outlines.area[self.ids]) * self.ladder.find_least_radii() + gap_mm / 2 * math.sqrt(math.pi)
        return np.asarray((side**2).sum(axis=1) > room_mm2)

    def measure_covered(self, state: Singles) -> Floats:
        """Return the area the symbols of each card cover."""
        return np.asarray((self.outlines.area[self.ids] * state[..., 3].astype(np.float64) ** 2).sum(axis=1))


def _scale_words(least_mm: Floats) -> Floats:
    """Return how much larger each word is asked to be than the usual one of its card, for letters about as high."""
    scales = np.ones_like(least_mm)
    for card, least in zip(scales, least_mm, strict=True):
        words = least > 0
        if words.any():
            growth = (least[words] / np.median(least[words])) ** WORD_GROWTH
            card[words] = np.clip(growth, LEAST_WORD_SCALE, 1 / LEAST_WORD_SCALE)
    return scales


def make_scene(
    cards: Sequence[Sequence[int]],
    pieces: Sequence[Piece],
    shape: CardShape,
    options: LayoutOptions,
    on_pulse: Callable[[], None] = lambda: None,
) -> LayoutScene:
    """Return some cards as one scene."""
    ids = np.array(cards, np.intp)
    least = np.array([piece.least_mm for piece in pieces])[ids]
    hints = np.array([piece.scale for piece in pieces])[ids] * _scale_words(least)
    least = np.where(least > 0, least + ROUNDING_MM, 0)
    return LayoutScene(
        ids=ids,
        outlines=sample_outlines(pieces, on_pulse),
        wall=Wall.around(shape),
        ladder=Ladder.of(ids.shape[1], options.size_spread, hints, options.min_size_mm / 2, least / 2),
        gap=max(options.gap_mm, LEAST_GAP_MM),
        margin=options.margin_mm,
        free_radius=options.keep_center_free_mm,
        safe_radius=shape.inner_radius_mm - options.margin_mm,
        on_pulse=on_pulse,
    )
