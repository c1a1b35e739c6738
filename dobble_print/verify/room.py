"""Room: symbols neither touch each other nor come near the cut, measured between the shapes that print.

Invariant: the least distance of the whole file is measured and told, not only compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import shapely

from dobble_print.verify.outlines import CutCard
from dobble_print.verify.printed import PrintedCard
from dobble_print.verify.proof import Claim, Demands, Flaw, settle
from dobble_print.verify.symbols import Symbols

# tips finer than a pixel are lost in tracing, there and here; the larger a symbol, the larger its pixels
TOLERANCE_MM = 0.25
TOLERANCE = 0.006  # of the larger symbol's longer side
CONVEX = 0.9999  # of its hull is what a card fills whose corners all point outwards
BROAD_MM = 0.5  # boxes farther apart than the promise and this cannot hold the least distance


@dataclass(frozen=True)
class _Near:
    """Two things of a card and how far apart they are; below zero they overlap."""

    card: PrintedCard
    one: int
    other: int
    away_mm: float
    least_mm: float
    size_mm: float  # of the larger one

    @property
    def tolerance_mm(self) -> float:
        """How exactly the distance is known."""
        return max(TOLERANCE_MM, TOLERANCE * self.size_mm)

    @property
    def too_near(self) -> bool:
        """Whether the promise is broken."""
        return self.away_mm <= 0 or self.away_mm < self.least_mm - self.tolerance_mm

    def list_figures(self) -> dict[str, Any]:
        """The same for programs."""
        return {"least_mm": round(self.away_mm, 3), "needed_mm": self.least_mm, "card": self.card.number}


def _find_worst(found: Sequence[_Near]) -> _Near:
    """The one that comes nearest to what its own deck promises: decks on shared sheets promise different things."""
    return min(found, key=lambda near: near.away_mm - near.least_mm)


def claim_gap(cut: Sequence[CutCard], symbols: Symbols, demands: Demands) -> Claim:
    """No two symbols of a card overlap or come nearer than promised."""
    gaps = [gap for each in cut for gap in _measure_gaps(each, max(each.card.gap_mm or 0.0, demands.gap_mm))]
    if not gaps:
        return Claim("gap", "none", "no card has two symbols")
    flaws = [Flaw(_tell_gap(gap, symbols), gap.card.page) for gap in gaps if gap.too_near]
    worst = _find_worst(gaps)
    well = f"symbols keep {worst.away_mm:.2f} mm apart at least ({worst.least_mm:g} needed, {_tell_tolerance(gaps)})"
    return settle("gap", flaws, well, worst.list_figures())


def _measure_gaps(cut: CutCard, least_mm: float) -> list[_Near]:
    """Every two symbols whose boxes come near each other, or the nearest boxes where none do."""
    pairs = [pair for pair in combinations(range(len(cut.shapes)), 2) if _both_show(cut.shapes, *pair)]
    if not pairs:
        return []
    ones, others = (np.array([cut.shapes[pair[side]] for pair in pairs]) for side in (0, 1))
    chosen = _find_near(ones, others, least_mm + BROAD_MM)
    away = shapely.distance(ones[chosen], others[chosen])
    sizes = np.maximum(_measure_sides(ones), _measure_sides(others))[chosen]
    return [
        _Near(cut.card, pairs[i][0], pairs[i][1], float(mm), least_mm, float(size))
        for i, mm, size in zip(chosen, away, sizes, strict=True)
    ]


def _find_near(ones: Any, others: Any, reach_mm: float) -> Any:
    """Which pairs come within reach; where none do, those whose boxes are nearest."""
    apart = _measure_boxes(shapely.bounds(ones), shapely.bounds(others))
    boxed = np.flatnonzero(apart <= reach_mm)
    shapely.prepare(ones)
    near = boxed[shapely.dwithin(ones[boxed], others[boxed], reach_mm)]
    return near if len(near) else np.flatnonzero(apart <= float(apart.min()))


def _measure_sides(shapes: Any) -> Any:
    """The longer sides of the shapes' boxes."""
    boxes = shapely.bounds(shapes)
    return (boxes[:, 2:] - boxes[:, :2]).max(axis=1)


def _tell_tolerance(found: Sequence[_Near]) -> str:
    return f"the measure may be {max(near.tolerance_mm for near in found):.2g} mm off"


def _both_show(shapes: Sequence[Any], one: int, other: int) -> bool:
    return not (shapes[one].is_empty or shapes[other].is_empty)


def _measure_boxes(one: Any, other: Any) -> Any:
    """How far boxes are apart; 0 where they overlap."""
    across = np.maximum(one[:, 0] - other[:, 2], other[:, 0] - one[:, 2])
    up = np.maximum(one[:, 1] - other[:, 3], other[:, 1] - one[:, 3])
    return np.hypot(np.maximum(across, 0), np.maximum(up, 0))


def _tell_gap(gap: _Near, symbols: Symbols) -> str:
    name = _namer(gap.card, symbols)
    both = f"{name(gap.one)} and {name(gap.other)}"
    if gap.away_mm <= 0:
        return f"card {gap.card.number}: {both} overlap"
    return f"card {gap.card.number}: {both} are {gap.away_mm:.2f} mm apart ({gap.least_mm:g} needed)"


def claim_margin(cut: Sequence[CutCard], symbols: Symbols, demands: Demands) -> Claim:
    """No symbol comes nearer to the cut than promised."""
    blind = sorted({each.card.page for each in cut if each.outline is None})
    if blind:
        return Claim("margin", "unknown", "the file does not say where its cards are cut", tuple(blind))
    least = [max(each.card.margin_mm or 0.0, demands.margin_mm) for each in cut]
    found = [near for each, mm in zip(cut, least, strict=True) for near in _measure_margins(each, mm)]
    if not found:
        return Claim("margin", "none", "no card has a symbol")
    flaws = [Flaw(_tell_margin(near, symbols), near.card.page) for near in found if near.too_near]
    worst = _find_worst(found)
    kept = f"symbols keep {worst.away_mm:.2f} mm from the cut at least"
    well = f"{kept} ({worst.least_mm:g} needed, {_tell_tolerance(found)})"
    return settle("margin", flaws, well, worst.list_figures())


def _measure_margins(cut: CutCard, least_mm: float) -> list[_Near]:
    shown = [i for i, shape in enumerate(cut.shapes) if not shape.is_empty]
    if not shown or cut.outline is None:
        return []
    shapes = np.array([cut.shapes[i] for i in shown])
    depth = _measure_depth(cut.outline, [cut.hulls[i] for i in shown])
    sizes = _measure_sides(shapes)
    return [
        _Near(cut.card, i, i, float(mm), least_mm, float(size)) for i, mm, size in zip(shown, depth, sizes, strict=True)
    ]


def _measure_depth(outline: Any, hulls: Sequence[Any]) -> Any:
    """How deep inside the cut each hull lies; below zero it is cut off."""
    whole = shapely.convex_hull(outline)
    if outline.area < CONVEX * whole.area:
        away = shapely.distance(shapely.boundary(outline), hulls)
        return np.where(shapely.contains(outline, hulls), away, -1.0)
    rim = shapely.get_coordinates(whole)
    along = np.diff(rim, axis=0)
    inward = np.column_stack((-along[:, 1], along[:, 0])) / np.hypot(*along.T)[:, None]
    inward *= np.sign(((rim.mean(axis=0) - rim[:-1]) * inward).sum())  # rings may run either way
    points, owner = shapely.get_coordinates(hulls, return_index=True)
    away = (points @ inward.T - (rim[:-1] * inward).sum(axis=1)).min(axis=1)
    return np.minimum.reduceat(away, np.flatnonzero(np.diff(owner, prepend=-1)))


def _tell_margin(near: _Near, symbols: Symbols) -> str:
    name = _namer(near.card, symbols)(near.one)
    if near.away_mm <= 0:
        return f"card {near.card.number}: {name} is cut off"
    return f"card {near.card.number}: {name} is {near.away_mm:.2f} mm from the cut ({near.least_mm:g} needed)"


def _namer(card: PrintedCard, symbols: Symbols) -> Callable[[int], str]:
    return lambda slot: symbols.name(symbols.of(card.placed[slot]))
