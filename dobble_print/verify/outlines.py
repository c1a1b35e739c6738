"""Outlines: where each card is cut, and its symbols in millimetres around its middle.

Invariant: all lengths are in the card's own frame, so that a print that is scaled to put a printer right is judged by
what comes out of that printer.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from dobble_print.pdf.geometry import Matrix, invert, move_point, multiply
from dobble_print.units import PT_PER_MM
from dobble_print.verify.printed import Floats, Placed, PrintedCard, PrintedPage

NOTHING = shapely.Polygon()


@dataclass(frozen=True, eq=False)
class CutCard:
    """A card as it will be cut: its outline, None where the file does not tell, and its symbols' shapes and hulls."""

    card: PrintedCard
    outline: Any | None
    shapes: tuple[Any, ...] = ()
    hulls: tuple[Any, ...] = ()


def outline_cards(page: PrintedPage) -> list[CutCard]:
    """All cards of a page with their outlines, still without their symbols."""
    cuts = [shapely.Polygon(cut.points) for cut in page.cuts if len(cut.points) > 3]
    bleed_pt = _find_bleed(page)
    return [CutCard(card, _find_outline(card, cuts, bleed_pt)) for card in page.cards]


def put_symbols(cut: Iterable[CutCard], silhouettes: Mapping[Hashable, Any]) -> list[CutCard]:
    """The cards with their symbols; one that shows nothing is an empty shape."""
    hulls = {key: shapely.convex_hull(shape) for key, shape in silhouettes.items()}
    return [CutCard(each.card, each.outline, _put(each.card, silhouettes), _put(each.card, hulls)) for each in cut]


def _put(card: PrintedCard, shapes: Mapping[Hashable, Any]) -> tuple[Any, ...]:
    chosen = np.array([shapes.get(one.key, NOTHING) for one in card.placed], dtype=object)
    if not len(chosen):
        return ()
    matrices = np.array([find_place(card, one) for one in card.placed])
    points, owner = shapely.get_coordinates(chosen, return_index=True)
    return tuple(shapely.set_coordinates(chosen, _turn(points, matrices[owner])))


def _turn(points: Floats, matrices: Floats) -> Floats:
    """Each point moved by its own matrix, or all by one."""
    a, b, c, d, e, f = matrices.T
    x, y = points.T
    return np.column_stack((x * a + y * c + e, x * b + y * d + f))


def find_place(card: PrintedCard, placed: Placed) -> Matrix:
    """The matrix that puts a thing on its card, in millimetres."""
    return multiply(placed.matrix, _to_card(card))


def _to_card(card: PrintedCard) -> Matrix:
    """From points on the page to millimetres on the card."""
    mm = 1 / PT_PER_MM
    return multiply(invert(card.frame), (mm, 0.0, 0.0, mm, 0.0, 0.0))


def _move(shape: Any, matrix: Matrix) -> Any:
    return shapely.transform(shape, lambda points: _turn(points, np.array(matrix)))


def _find_outline(card: PrintedCard, cuts: Sequence[Any], bleed_pt: float | None) -> Any | None:
    """The line of a cutting machine, else the line for scissors, else what clips the card without its bleed."""
    back = _to_card(card)
    middle = shapely.Point(move_point(card.frame, 0.0, 0.0))
    around = [shape for shape in cuts if shape.contains(middle)]
    if around:
        return _move(min(around, key=lambda shape: shape.area), back)
    lines = [shapely.Polygon(line.points) for line in card.strokes if line.closed and len(line.points) > 3]
    lines = [line for line in lines if line.contains(middle)]
    if lines:
        return _move(max(lines, key=lambda line: line.area), back)
    if bleed_pt is None or not card.clip:
        return None
    return _move(shapely.Polygon(card.clip[0].points).buffer(-bleed_pt), back)


def _find_bleed(page: PrintedPage) -> float | None:
    """How far the cards of a page paint beyond its trim box, which encloses all cuts of a full page."""
    runs = [clip.points for card in page.cards for clip in card.clip]
    if page.trim is None or not runs:
        return None
    left, bottom = np.min([points.min(axis=0) for points in runs], axis=0)
    right, top = np.max([points.max(axis=0) for points in runs], axis=0)
    trim = page.trim
    # on the last page cards reach only some of its sides, so the farthest counts
    return max(0.0, float(max(trim[0] - left, trim[1] - bottom, right - trim[2], top - trim[3])))
