"""Millimetres and points, papers, and the shapes of cards."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from dobble_print.resources import read_table

PT_PER_MM = 72 / 25.4
MM_PER_INCH = 25.4
DPI_ROUNDING = 0.995  # a picture made for 300 dpi may land on 299
Point = tuple[float, float]


def mm_to_pt(length_mm: float) -> float:
    """Convert millimetres to PDF points."""
    return length_mm * PT_PER_MM


def show_count(number: int, noun: str) -> str:
    """Return `1 card` or `2 cards`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def write_number(value: float, digits: int = 4) -> str:
    """Return a number without needless zeros and without a sign before zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}".rstrip("0").rstrip(".")  # adding zero turns -0 into 0


def convert_lengths(text: str) -> str:
    """Convert `3in`, `3"` or `8.5 cm` to millimetres; return anything else as it is."""
    written = re.fullmatch(r"([0-9]{1,3}(?:[.,][0-9]{1,6})?)\s*(in|inch|inches|\"|″|cm)", text)
    if not written:
        return text
    return f"{float(written[1].replace(',', '.')) * (10 if written[2] == 'cm' else MM_PER_INCH):.4f}"


@dataclass(frozen=True)
class Paper:
    """A sheet of paper, upright."""

    name: str
    width_mm: float
    height_mm: float

    def turned(self) -> Paper:
        """Return the same sheet lying on its side."""
        return replace(self, width_mm=self.height_mm, height_mm=self.width_mm)


@dataclass(frozen=True)
class Line:
    """A straight step of an outline."""

    end: Point


@dataclass(frozen=True)
class Curve:
    """A cubic step of an outline."""

    control0: Point
    control1: Point
    end: Point


@dataclass(frozen=True)
class Outline:
    """A closed path: where it starts, then its steps in drawing order; the last one ends at the start."""

    start: Point
    steps: tuple[Line | Curve, ...]


@dataclass(frozen=True)
class CardShape:
    """A convex polygon grown by a disc; `core` runs counter-clockwise and holds one point for a round card."""

    name: str
    core: tuple[Point, ...]
    radius_mm: float

    @property
    def width_mm(self) -> float:
        """Extent from left to right."""
        xs = [x for x, _ in self.core]
        return max(xs) - min(xs) + 2 * self.radius_mm

    @property
    def height_mm(self) -> float:
        """Extent from bottom to top."""
        ys = [y for _, y in self.core]
        return max(ys) - min(ys) + 2 * self.radius_mm

    @property
    def inner_radius_mm(self) -> float:
        """Radius of the largest circle around the centre that stays inside."""
        return -self.distance_mm(0.0, 0.0)

    @property
    def area_mm2(self) -> float:
        """Area inside the cut: the core, a strip along each side, and a full disc shared by the corners."""
        sides = self.sides()
        core = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in sides) / 2
        girth = sum(math.dist(a, b) for a, b in sides)
        return core + girth * self.radius_mm + math.pi * self.radius_mm**2

    def sides(self) -> list[tuple[Point, Point]]:
        """Return the sides of the core polygon; none for a round card."""
        if len(self.core) < 2:
            return []
        return list(zip(self.core, self.core[1:] + self.core[:1], strict=True))

    def distance_mm(self, x: float, y: float) -> float:
        """Return the signed distance of a point to the edge: negative inside, positive outside."""
        if len(self.core) == 1:
            return math.dist((x, y), self.core[0]) - self.radius_mm
        ahead = max(_height_over(side, x, y) for side in self.sides())
        if ahead <= 0:
            return ahead - self.radius_mm
        return min(distance_to_segment(side, x, y) for side in self.sides()) - self.radius_mm

    def facing(self, x: float, y: float) -> Point:
        """Return the direction, one long, in which the edge faces that is nearest to a point."""
        if len(self.core) == 1:
            (u, v), side = self.core[0], None
        else:
            side = max(self.sides(), key=lambda side: _height_over(side, x, y))
            u, v = min((_nearest_on(each, x, y) for each in self.sides()), key=lambda spot: math.dist(spot, (x, y)))
        away = math.dist((u, v), (x, y))
        if side and (away < 1e-9 or _height_over(side, x, y) <= 0):
            (x0, y0), (x1, y1) = side
            return (y1 - y0) / math.dist(*side), (x0 - x1) / math.dist(*side)
        return (x - u) / away, (y - v) / away

    def grow(self, by_mm: float) -> CardShape:
        """Return the shape offset outwards (bleed) or, with a negative length, inwards (safe margin)."""
        if self.radius_mm + by_mm >= 0:
            return replace(self, radius_mm=self.radius_mm + by_mm)
        apothem = self.inner_radius_mm - self.radius_mm
        left = apothem + self.radius_mm + by_mm
        if left <= 0:
            raise ValueError(f"a {self.name} card of this size has nothing left {-by_mm:g} mm inside its edge")
        scale = left / apothem  # every side of a regular core is equally far from the centre
        return replace(self, core=tuple((x * scale, y * scale) for x, y in self.core), radius_mm=0.0)

    def turn(self, degrees: float) -> CardShape:
        """Return the shape rotated about its centre (a honeycomb may fit the paper better standing on a corner)."""
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        return replace(self, core=tuple((cos * x - sin * y, sin * x + cos * y) for x, y in self.core))

    def outline(self) -> Outline:
        """Return the edge as lines and curves, for drawing, clipping and cutting."""
        if len(self.core) == 1:
            centre, r = self.core[0], self.radius_mm
            arcs = [_arc(centre, r, a, b) for a, b in pairwise(math.pi / 2 * i for i in range(5))]
            return Outline(_on_circle(centre, r, 0.0), tuple(arcs))
        normals = [math.atan2(x0 - x1, y1 - y0) for (x0, y0), (x1, y1) in self.sides()]
        steps: list[Line | Curve] = []
        for i, ((_, corner), normal) in enumerate(zip(self.sides(), normals, strict=True)):
            steps.append(Line(_on_circle(corner, self.radius_mm, normal)))
            turn = (normals[(i + 1) % len(normals)] - normal) % (2 * math.pi)
            if self.radius_mm > 0:
                steps.append(_arc(corner, self.radius_mm, normal, normal + turn))
        return Outline(_on_circle(self.core[0], self.radius_mm, normals[0]), tuple(steps))

    def polygon(self, arc_steps: int = 24) -> list[Point]:
        """Return the edge as points; curves are sampled, so the polygon lies on or just inside the true edge."""
        outline = self.outline()
        points = [outline.start]
        for step in outline.steps:
            points.extend(_sample(points[-1], step, arc_steps))
        return points[:-1]


def _height_over(side: tuple[Point, Point], x: float, y: float) -> float:
    """Return how far a point lies beyond a side's line, positive on the outer side of a counter-clockwise polygon."""
    (x0, y0), (x1, y1) = side
    return ((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / math.dist((x0, y0), (x1, y1))


def distance_to_segment(side: tuple[Point, Point], x: float, y: float) -> float:
    """Return how far a point lies from a side, its ends included."""
    return math.dist((x, y), _nearest_on(side, x, y))


def _nearest_on(side: tuple[Point, Point], x: float, y: float) -> Point:
    (x0, y0), (x1, y1) = side
    dx, dy = x1 - x0, y1 - y0
    along = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)))
    return x0 + along * dx, y0 + along * dy


def _on_circle(centre: Point, radius: float, angle: float) -> Point:
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def _arc(centre: Point, radius: float, start: float, end: float) -> Curve:
    """Return a circular arc of at most 90 degrees as one cubic curve (off by 0.03 % of the radius at most)."""
    reach = 4 / 3 * math.tan((end - start) / 4) * radius
    (x0, y0), (x1, y1) = _on_circle(centre, radius, start), _on_circle(centre, radius, end)
    control0 = (x0 - reach * math.sin(start), y0 + reach * math.cos(start))
    control1 = (x1 + reach * math.sin(end), y1 - reach * math.cos(end))
    return Curve(control0, control1, (x1, y1))


def _sample(start: Point, step: Line | Curve, count: int) -> list[Point]:
    """Return the points of a step after its start, the last one its end."""
    if isinstance(step, Line):
        return [step.end]
    return [_on_curve(start, step, i / count) for i in range(1, count + 1)]


def _on_curve(start: Point, curve: Curve, t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3)
    points = (start, curve.control0, curve.control1, curve.end)
    x = sum(w * p[0] for w, p in zip(weights, points, strict=True))
    y = sum(w * p[1] for w, p in zip(weights, points, strict=True))
    return x, y


def _regular(name: str, corners: int, apothem_mm: float, first_deg: float, corner_mm: float) -> CardShape:
    reach = (apothem_mm - corner_mm) / math.cos(math.pi / corners)
    angles = [math.radians(first_deg) + 2 * math.pi * i / corners for i in range(corners)]
    return CardShape(name, tuple((reach * math.cos(a), reach * math.sin(a)) for a in angles), corner_mm)


def round_card(size_mm: float, corner_mm: float = 0.0) -> CardShape:
    """Return a round card; its size is the diameter."""
    return CardShape("round", ((0.0, 0.0),), size_mm / 2)


def hex_card(size_mm: float, corner_mm: float = 3.0) -> CardShape:
    """Return a hexagonal card standing on a side; its size is the distance across the flats."""
    return _regular("hex", 6, size_mm / 2, 0.0, corner_mm)


def square_card(size_mm: float, corner_mm: float = 4.0) -> CardShape:
    """Return a square card; its size is its side."""
    return _regular("square", 4, size_mm / 2, 45.0, corner_mm)


SHAPES: dict[str, Callable[..., CardShape]] = {"round": round_card, "hex": hex_card, "square": square_card}


@dataclass(frozen=True)
class Correction:
    """What puts a printer right: the scale of both sides about the paper's middle, then a shift of the backs alone.

    `dx_mm` moves the back's print to the right and `dy_mm` up, as one looks at the back.
    """

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    scale: float = 1.0


TRUE_PRINT = Correction()
PAPER_SIZE = r"([0-9]{2,4}(?:[.,][0-9]{1,3})?)\s*[x×]\s*([0-9]{2,4}(?:[.,][0-9]{1,3})?)(?:\s*mm)?"
LEAST_PAPER_MM, MOST_PAPER_MM = 50.0, 2000.0


@cache
def papers() -> dict[str, Paper]:
    """Return every paper by name, the default first."""
    rows = read_table("papers.yaml").items()
    return {name: Paper(name, float(row["width"]), float(row["height"])) for name, row in rows}


def find_paper(text: str) -> Paper | None:
    """Return a paper by its name in any case, or by its size in millimetres: `330x487`."""
    named = {name.casefold(): paper for name, paper in papers().items()}.get(text.casefold())
    sides = re.fullmatch(PAPER_SIZE, text)
    if named or not sides:
        return named
    width, height = sorted(float(side.replace(",", ".")) for side in (sides[1], sides[2]))
    if not LEAST_PAPER_MM <= width <= height <= MOST_PAPER_MM:
        return None
    return Paper(f"{width:g} × {height:g} mm", width, height)
