"""Cut paths: where the knife goes, as straight lines and exact arcs, in millimetres from the paper's lower left corner.

The spot plate of the PDF, the SVG and the DXF are all drawn from these. Invariant: the cuts of a sheet together cover
the edge of every card, and no stretch of the sheet is cut twice: where cards touch, the later card leaves the shared
stretch to the earlier one and keeps the rest as open runs that end on other cuts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from dobble_print.units import CardShape, Line, Point, distance_to_segment

TOUCH_MM = 1e-4  # edges as close as this are one edge
SLIVER_MM = 4 * TOUCH_MM  # what rounding leaves over at the corners of touching cards
FULL_TURN_DEG = 360.0


@dataclass(frozen=True)
class Arc:
    """A circular step of a cut; a positive sweep runs counter-clockwise."""

    end: Point
    centre: Point
    radius_mm: float
    sweep_deg: float


Step = Line | Arc
Edge = tuple[Point, Point]  # a straight stretch


@dataclass(frozen=True)
class Cut:
    """One stroke of the knife, without lifting; a closed one ends where it starts."""

    start: Point
    steps: tuple[Step, ...]
    closed: bool

    @property
    def end(self) -> Point:
        """Return where the knife is lifted."""
        return self.steps[-1].end

    @property
    def circle(self) -> Arc | None:
        """Return the circle this cut is, if it is one: a whole round card."""
        first = self.steps[0]
        return first if isinstance(first, Arc) and abs(first.sweep_deg) == FULL_TURN_DEG else None

    def walk(self) -> Iterator[tuple[Point, Step]]:
        """Yield every step with the point it starts from."""
        here = self.start
        for step in self.steps:
            yield here, step
            here = step.end

    def reversed(self) -> Cut:
        """Return the same path from its end to its start."""
        steps = (
            replace(step, end=start, sweep_deg=-step.sweep_deg) if isinstance(step, Arc) else Line(start)
            for start, step in reversed(list(self.walk()))
        )
        return Cut(self.end, tuple(steps), self.closed)


def trace_cuts(shape: CardShape, centres: Sequence[Point], turn_deg: float) -> tuple[Cut, ...]:
    """Trace the cuts that free all cards of a sheet, each shared edge once, in an order with short moves in between."""
    outline = trace_outline(shape.turn(turn_deg))
    reach = 2 * max(math.hypot(x, y) + shape.radius_mm for x, y in shape.core) + TOUCH_MM
    edges: dict[Point, list[Edge]] = {}  # of the cards that have their cut
    cuts: list[Cut] = []
    for centre in sort_for_reading(centres):
        card = _move(outline, centre)
        taken = [edge for other, own in edges.items() if math.dist(centre, other) < reach for edge in own]
        cuts.extend(_leave_out(card, taken))
        edges[centre] = _edges_of(card)
    return _order_moves(_join_runs(cuts))


def trace_outline(shape: CardShape) -> Cut:
    """Return the edge of a card around its own centre, counter-clockwise: a circle, or sides with arcs between them."""
    radius = shape.radius_mm
    if len(shape.core) == 1:
        start = _on_circle(shape.core[0], radius, 0.0)
        return Cut(start, (Arc(start, shape.core[0], radius, FULL_TURN_DEG),), closed=True)
    normals = [math.degrees(math.atan2(x0 - x1, y1 - y0)) for (x0, y0), (x1, y1) in shape.sides()]
    start = _on_circle(shape.core[0], radius, normals[0])
    steps: list[Step] = []
    for (_, corner), normal, following in zip(shape.sides(), normals, normals[1:] + normals[:1], strict=True):
        steps.append(Line(_on_circle(corner, radius, normal)))
        if radius > 0:
            sweep = (following - normal) % FULL_TURN_DEG
            steps.append(Arc(_on_circle(corner, radius, following), corner, radius, sweep))
    steps[-1] = replace(steps[-1], end=start)  # exactly, whatever the cosines say
    return Cut(start, tuple(steps), closed=True)


def sort_for_reading(points: Iterable[Point]) -> list[Point]:
    """Sort points from the top row to the bottom row, each from left to right."""
    return sorted(points, key=lambda point: (-round(point[1], 3), round(point[0], 3)))


def _cover(edge: Edge, start: Point, end: Point) -> tuple[float, float] | None:
    """Return between which distances from `start` the stretch to `end` lies on an edge, if it does at all."""
    length = math.dist(start, end)
    ahead, across = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    offsets = [(x - start[0], y - start[1]) for x, y in edge]
    if max(abs(dy * ahead - dx * across) for dx, dy in offsets) > TOUCH_MM:
        return None
    near, far = sorted(dx * ahead + dy * across for dx, dy in offsets)
    low, high = max(0.0, near), min(length, far)
    return (low, high) if high - low > SLIVER_MM else None


def _edges_of(cut: Cut) -> list[Edge]:
    return [(start, step.end) for start, step in cut.walk() if isinstance(step, Line)]


def _leave_out(card: Cut, taken: Sequence[Edge]) -> list[Cut]:
    """Return what is left of a card's outline: all of it, or the runs between the stretches that others have cut."""
    pieces = [piece for start, step in card.walk() for piece in _free_pieces(start, step, taken)]
    if pieces == list(card.walk()):
        return [card]
    runs: list[Cut] = []
    for start, step in pieces:
        if runs and _meet(runs[-1].end, start):
            runs[-1] = replace(runs[-1], steps=(*runs[-1].steps, step))
        else:
            runs.append(Cut(start, (step,), closed=False))
    return runs


def _free_pieces(start: Point, step: Step, taken: Sequence[Edge]) -> list[tuple[Point, Step]]:
    """Return the parts of a step that no earlier edge covers."""
    if isinstance(step, Arc):
        return [(start, step)]
    length = math.dist(start, step.end)
    free, here = [], 0.0
    for low, high in sorted(filter(None, (_cover(edge, start, step.end) for edge in taken))):
        free.append((here, low))
        here = max(here, high)
    free.append((here, length))
    return [
        (_between(start, step.end, low / length), Line(_between(start, step.end, high / length)))
        for low, high in free
        if high - low > SLIVER_MM
    ]


def _join_runs(cuts: Iterable[Cut]) -> list[Cut]:
    """Open runs that meet at their ends become one, so that the knife is lifted as seldom as possible."""
    joined: list[Cut] = []
    for cut in cuts:
        run = cut
        while not run.closed and (partner := next((other for other in joined if _may_join(run, other)), None)):
            joined.remove(partner)
            run = _join(partner, run)
        joined.append(run)
    return joined


def _may_join(run: Cut, other: Cut) -> bool:
    """Return whether two open runs meet, and as one would still end on other cuts rather than on itself."""
    if other.closed or not any(_meet(a, b) for a in (run.start, run.end) for b in (other.start, other.end)):
        return False
    both = _join(other, run)
    return both.closed or not (_lies_on(both.start, run) or _lies_on(both.end, other))


def _lies_on(point: Point, cut: Cut) -> bool:
    return any(distance_to_segment(edge, *point) <= 2 * SLIVER_MM for edge in _edges_of(cut))


def _join(first: Cut, second: Cut) -> Cut:
    """Return two open runs as one path; it is closed when they meet at both ends."""
    if not (_meet(first.end, second.start) or _meet(first.end, second.end)):
        first = first.reversed()
    if not _meet(first.end, second.start):
        second = second.reversed()
    return Cut(first.start, first.steps + second.steps, closed=_meet(second.end, first.start))


def _order_moves(cuts: Sequence[Cut]) -> tuple[Cut, ...]:
    """Order cuts: from each on to the nearest one that is left, the first in reading order among equals."""
    left, ordered = list(cuts), list[Cut]()
    while left:
        here = ordered[-1].end if ordered else left[0].start
        ways = [way for cut in left for way in ((cut,) if cut.closed else (cut, cut.reversed()))]
        nearest = min(ways, key=lambda way: round(math.dist(here, way.start), 3))
        left = [cut for cut in left if cut != nearest and cut.reversed() != nearest]
        ordered.append(nearest)
    return tuple(ordered)


def _meet(one: Point, other: Point) -> bool:
    return math.dist(one, other) <= 2 * SLIVER_MM


def _move(cut: Cut, by: Point) -> Cut:
    def shift(point: Point) -> Point:
        return point[0] + by[0], point[1] + by[1]

    steps = (
        replace(step, end=shift(step.end), centre=shift(step.centre))
        if isinstance(step, Arc)
        else Line(shift(step.end))
        for step in cut.steps
    )
    return Cut(shift(cut.start), tuple(steps), cut.closed)


def split_arc(start: Point, arc: Arc, most_deg: float) -> list[Arc]:
    """Return an arc as equal shorter ones; the last one ends exactly where the arc does."""
    count = max(1, math.ceil(abs(arc.sweep_deg) / most_deg - 1e-9))
    first = math.degrees(math.atan2(start[1] - arc.centre[1], start[0] - arc.centre[0]))
    sweep = arc.sweep_deg / count
    ends = [_on_circle(arc.centre, arc.radius_mm, first + sweep * i) for i in range(1, count)]
    return [replace(arc, end=end, sweep_deg=sweep) for end in (*ends, arc.end)]


def _between(start: Point, end: Point, share: float) -> Point:
    if share in (0.0, 1.0):
        return end if share else start
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _on_circle(centre: Point, radius_mm: float, angle_deg: float) -> Point:
    angle = math.radians(angle_deg)
    return centre[0] + radius_mm * math.cos(angle), centre[1] + radius_mm * math.sin(angle)
