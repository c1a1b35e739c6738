"""Trace silhouettes: the true outline of a picture, from its alpha channel.

Invariant: a silhouette's minimum enclosing circle is the unit circle around the origin, y up. `centre` and `reach` say
where that circle lies in the picture's own box, whose longer side is 1, so a placement (centre, diameter, rotation) is
enough to draw it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, cast

import contourpy
import numpy as np
import numpy.typing as npt
import shapely

from dobble_print.errors import ArtworkError, Fault

Floats = npt.NDArray[np.float64]
Alpha = npt.NDArray[np.uint8]

SOLID = 127.5  # a pixel belongs to the silhouette when it is more than half opaque
FAINT = 25.5  # in translucent art (glass, fades, shadows) already when it is a tenth opaque
EDGE_PX = 2  # how far antialiasing may reach beyond what is solid
SPECK_PX = 1.0  # rings smaller than this are antialiasing dust, nothing a printer would show


@dataclass(frozen=True, eq=False)
class Mask:
    """The opacity of a picture on a grid that starts at the upper left corner of its box.

    `width` and `height` are the box's, `pixel` is the size of a grid cell, all in units of the box's longer side. The
    grid may be larger than the box by a part of a pixel, as boxes need not be whole pixels high.
    """

    alpha: Alpha
    width: float
    height: float
    pixel: tuple[float, float]

    def place(self, ring: Floats) -> Floats:
        """Map points of the grid to the box's own frame: from its lower left corner, y up."""
        return np.column_stack([ring[:, 0] * self.pixel[0], self.height - ring[:, 1] * self.pixel[1]])


@dataclass(frozen=True, eq=False)
class Silhouette:
    """The outer rings of a picture (closed, the last point equals the first) and the area it really covers.

    Holes are filled for placing (a symbol inside a ring of another would look like one picture) but do not count in
    `area`, which is the visible area in units of the enclosing circle's radius squared.
    """

    rings: tuple[Floats, ...]
    area: float
    centre: tuple[float, float]
    reach: float

    @cached_property
    def key(self) -> bytes:
        """A hash of the rings, by which whatever is made from them can be kept."""
        digest = hashlib.sha256()
        for ring in self.rings:
            digest.update(len(ring).to_bytes(8, "big") + np.ascontiguousarray(ring, "<f8").tobytes())
        return digest.digest()


def trace_silhouette(mask: Mask) -> Silhouette:
    """Trace what is visible; raise an `ArtworkError` when there is nothing.

    What is more than half opaque is the picture. Where faint parts reach beyond it by more than an antialiased edge,
    they are traced too: they print, and nothing may lie on them.
    """
    level = FAINT if _has_faint_parts(mask.alpha) else SOLID
    polygons = [(mask.place(outer), [mask.place(hole) for hole in holes]) for outer, holes in _trace(mask.alpha, level)]
    if not polygons:
        raise ArtworkError(Fault("the picture is empty: nothing in it is visible", "Choose another picture."))
    area = sum(_ring_area(outer) - sum(map(_ring_area, holes)) for outer, holes in polygons)
    centre, radius = _enclose(np.concatenate([outer for outer, _ in polygons]))
    return Silhouette(
        rings=tuple((outer - centre) / radius for outer, _ in polygons),
        area=area / radius**2,
        centre=(float(centre[0]), float(centre[1])),
        reach=radius,
    )


def _enclose(points: Floats) -> tuple[Floats, float]:
    """Return centre and radius of the smallest circle around the points."""
    circle = shapely.minimum_bounding_circle(shapely.multipoints(points))
    centre = np.array([circle.centroid.x, circle.centroid.y])
    return centre, float(np.hypot(*(points - centre).T).max())


def wrap_silhouette(silhouette: Silhouette, air: float) -> Silhouette:
    """Return the silhouette of a word: its hull, so that nothing comes between its letters.

    The hull of the letters is grown by a share of its shorter side, so that two sums never read as one.
    """
    hull = shapely.convex_hull(shapely.multipoints(np.concatenate(silhouette.rings)))
    left, bottom, right, top = hull.bounds
    grown = shapely.get_coordinates(hull.buffer(air * min(right - left, top - bottom)))
    centre, radius = _enclose(grown)
    x, y = silhouette.centre[0] + silhouette.reach * centre[0], silhouette.centre[1] + silhouette.reach * centre[1]
    return Silhouette(
        ((grown - centre) / radius,), silhouette.area / radius**2, (float(x), float(y)), silhouette.reach * radius
    )


def _has_faint_parts(alpha: Alpha) -> bool:
    near = alpha > SOLID
    for _ in range(EDGE_PX):
        grown = near.copy()
        grown[1:] |= near[:-1]
        grown[:-1] |= near[1:]
        grown[:, 1:] |= near[:, :-1]
        grown[:, :-1] |= near[:, 1:]
        near = grown
    return bool(((alpha > FAINT) & ~near).sum() > EDGE_PX)


def _trace(alpha: Alpha, level: float) -> list[tuple[Floats, list[Floats]]]:
    """Return outer rings with their holes, in pixels from the upper left corner, y down."""
    padded = np.pad(alpha.astype(np.float64), 1)
    tracer = contourpy.contour_generator(*_grid(padded.shape), padded, fill_type=contourpy.FillType.OuterOffset)
    points, offsets = cast("tuple[list[Floats], list[Any]]", tracer.filled(level, 1e9))
    polygons = []
    for ring, cuts in zip(points, offsets, strict=True):
        # pixel centres lie half a pixel in; the padding shifted everything by one
        rings = [np.asarray(ring[a:b], dtype=np.float64) - 0.5 for a, b in pairwise(cuts)]
        if _ring_area(rings[0]) >= SPECK_PX:
            polygons.append((rings[0], rings[1:]))
    return polygons


@lru_cache(maxsize=4)
def _grid(shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return the pixel coordinates, cached: masks have few sizes, and contourpy would make this anew for each."""
    down, across = np.mgrid[: shape[0], : shape[1]].astype(np.float64)
    return across, down


def _ring_area(ring: Floats) -> float:
    x, y = ring[:, 0], ring[:, 1]
    return abs(float(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1]))) / 2
