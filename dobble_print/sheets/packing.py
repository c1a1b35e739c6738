"""Packings: how equal cards lie in a rectangle, as many as the known families of arrangements give.

A card is a convex shape that looks the same from the left as from the right and from above as from below, so how near
two of them may come depends on how far apart their middles lie along one side alone (`Reach`). The families: rows below
each other, every second one shifted by any amount or holding one card fewer, some of them straight below each other;
the same in columns; and two blocks of these beside each other, pushed together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from dobble_print.units import CardShape, Point

DRIFT_MM = 1e-6  # so that rounding never loses a row that fits exactly
Row = tuple[float, ...]
Points = tuple[Point, ...]
Pair = tuple[Row, Row, float]


class Reach:
    """How near the middles of two equal cards may come: as near as the edge of a card of twice the size lies."""

    def __init__(self, shape: CardShape) -> None:
        self.width_mm, self.height_mm = shape.width_mm, shape.height_mm
        self._radius = 2 * shape.radius_mm
        self._corners = [(2 * x, 2 * y) for x, y in shape.core]
        self._sides = [((2 * x0, 2 * y0), (2 * x1, 2 * y1)) for (x0, y0), (x1, y1) in shape.sides()]

    def rise(self, dx: float) -> float:
        """Return how much higher a card must lie whose middle is so far to one side; nothing beyond its width."""
        if dx > self.width_mm - DRIFT_MM:
            return 0.0
        squares = ((y, self._radius**2 - (dx - x) ** 2) for x, y in self._corners)
        heights = [y + math.sqrt(square) for y, square in squares if square >= 0]
        for (x0, y0), (x1, y1) in self._sides:
            if x0 > x1:  # a side above the middle: corners run counter-clockwise
                length = math.hypot(x1 - x0, y1 - y0)
                out_x, out_y = (y1 - y0) / length * self._radius, (x0 - x1) / length * self._radius
                share = (x0 + out_x - dx) / (x0 - x1)
                if 0 <= share <= 1:
                    heights.append(y0 + out_y + share * (y1 - y0))
        return max(heights, default=0.0)


@lru_cache(256)
def list_packings(width_mm: float, height_mm: float, shape: CardShape) -> tuple[Points, ...]:
    """Return arrangements of middles in a rectangle from its lower left corner, the plainer families first."""
    stacks = tuple(_list_stacks(width_mm, height_mm, shape))
    return (*stacks, *_list_blocks(width_mm, height_mm, shape, max(map(len, stacks))))


def bound_circles(width_mm: float, height_mm: float, distance_mm: float) -> int:
    """Return how many points so far apart a rectangle holds at most, whatever the arrangement (Oler's inequality)."""
    area, half_girth = width_mm * height_mm, width_mm + height_mm
    most = 2 / math.sqrt(3) * area / distance_mm**2 + half_girth / distance_mm + 1
    return math.floor(most + DRIFT_MM)


def _list_stacks(width: float, height: float, shape: CardShape) -> Iterator[Points]:
    """Yield rows below each other, then columns beside each other."""
    for pair in _pair_rows(width, shape):
        yield _alternate(pair, shape.height_mm, height)
    for pair in _pair_rows(height, shape.turn(90)):
        yield tuple((x, y) for y, x in _alternate(pair, shape.width_mm, width))


@lru_cache(256)
def _pair_rows(width: float, shape: CardShape) -> tuple[Pair, ...]:
    """Return two rows that take turns and the step between them, the least one for each two numbers of cards."""
    reach, least = Reach(shape), dict[tuple[int, int], Pair]()
    for one, other in product(_list_rows(width, shape.width_mm), repeat=2):
        away = min(abs(a - b) for a in one for b in other)
        step = max(reach.rise(away), shape.height_mm / 2)  # rows two apart may lie straight above each other
        counts = len(one), len(other)
        if counts not in least or step < least[counts][2] - DRIFT_MM:
            least[counts] = one, other, step
    return tuple(least.values())


def _list_rows(width: float, pitch: float) -> list[Row]:
    """Return rows: to the left, to the right, or spread out, with room for half a card at one end or at both."""
    most = int((width + DRIFT_MM) / pitch) + 1
    rows: list[Row] = []
    for count in (most, most - 1):
        spare = width - (count - 1) * pitch
        if count < 1 or spare < -DRIFT_MM:
            continue
        spread = width / (count - 1) if count > 1 else pitch
        staggered = width / (count - 0.5)
        halves = [(staggered, 0.0), (staggered, staggered / 2)] if staggered >= pitch - DRIFT_MM else []
        between = [(width / count, width / count / 2), (pitch, pitch / 2)] if count < most else []
        starts = [(pitch, 0.0), (pitch, max(0.0, spare)), (spread, 0.0), *halves, *between]
        rows += [tuple(start + i * step for i in range(count)) for step, start in starts]
    return list(dict.fromkeys(row for row in rows if row[-1] <= width + DRIFT_MM))


def _alternate(pair: Pair, straight: float, height: float) -> Points:
    """Return the most cards in rows of the one kind and the other in turn, after some of the one kind alone."""
    one, other, step = pair
    ways = []
    for alone in range(int((height + DRIFT_MM) / straight) + 1):
        turns = int((height - alone * straight + DRIFT_MM) / step)
        ways.append(((alone + 1 + turns // 2) * len(one) + (turns + 1) // 2 * len(other), -alone, turns))
    _, fewest, turns = max(ways)
    levels = [i * straight for i in range(1 - fewest)] + [i * step - fewest * straight for i in range(1, turns + 1)]
    kinds = [one] * (1 - fewest) + [other if i % 2 else one for i in range(1, turns + 1)]
    return tuple((x, y) for y, row in zip(levels, kinds, strict=True) for x in row)


@lru_cache(1024)
def _pack_best(width: float, height: float, shape: CardShape) -> Points:
    """Return the most cards in one block."""
    return max(_list_stacks(width, height, shape), key=len)


def _list_blocks(width: float, height: float, shape: CardShape, beat: int) -> Iterator[Points]:
    """Yield two blocks beside each other, then two above each other, that hold more than so many cards."""
    yield from _join_blocks(width, height, shape, beat)
    for points in _join_blocks(height, width, shape.turn(90), beat):
        yield tuple((x, y) for y, x in points)


def _join_blocks(width: float, height: float, shape: CardShape, beat: int) -> Iterator[Points]:
    pitch, sideways = shape.width_mm, Reach(shape.turn(90))
    for half in range(2 * int(width / pitch) + 1):
        left = _pack_best(half * pitch / 2, height, shape)
        for overlap in (0.0, pitch * (1 - math.sqrt(3) / 2)):  # what two blocks of round cards may save
            rest = width - half * pitch / 2 - pitch + overlap
            right = _pack_best(rest, height, shape) if rest >= 0 else ()
            if len(left) + len(right) > beat:
                shift = _push_together(left, right, sideways)
                if max(x for x, _ in right) + shift <= width + DRIFT_MM:
                    yield (*left, *((x + shift, y) for x, y in right))


def _push_together(left: Sequence[Point], right: Sequence[Point], sideways: Reach) -> float:
    """Return how far to the right the second block must lie."""
    return max(x + sideways.rise(abs(y - v)) - u for x, y in left for u, v in right)
