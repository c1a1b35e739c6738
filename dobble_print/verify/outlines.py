"""Outlines: where each card is cut, and its symbols in millimetres around its middle.

Invariant: all lengths are in the card's own frame, so that a print that is scaled to put a printer right is judged by
what comes out of that printer.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from dobble_print.preflight.drawing import Subpath
from dobble_print.preflight.matrix import Matrix, move_point, multiply
from dobble_print.units import PT_PER_MM
from dobble_print.verify.printed import Placed, PrintedCard, PrintedPage

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CutCard:
    """A card as it will be cut: its outline, None where the file does not tell, and the shapes of its symbols."""

    card: PrintedCard
    outline: Any | None
    shapes: tuple[Any, ...]


def cut_cards(page: PrintedPage, silhouettes: Mapping[Hashable, Any]) -> list[CutCard]:
    """All cards of a page; a symbol that shows nothing is an empty shape."""
    cuts = [(cut, shapely.Polygon(cut.points)) for cut in page.cuts if len(cut.points) > 3]
    bleed_pt = _find_bleed(page)
    return [CutCard(card, _find_outline(card, cuts, bleed_pt), _put_symbols(card, silhouettes)) for card in page.cards]


def _put_symbols(card: PrintedCard, silhouettes: Mapping[Hashable, Any]) -> tuple[Any, ...]:
    nothing = shapely.Polygon()
    return tuple(_move(silhouettes.get(one.key, nothing), find_place(card, one)) for one in card.placed)


def find_place(card: PrintedCard, placed: Placed) -> Matrix:
    """The matrix that puts a thing on its card, in millimetres."""
    return multiply(placed.matrix, _to_card(card))


def _to_card(card: PrintedCard) -> Matrix:
    """From points on the page to millimetres on the card."""
    a, b, c, d, e, f = card.frame
    area = (a * d - b * c) * PT_PER_MM
    return d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area


def _move(shape: Any, matrix: Matrix) -> Any:
    turn = np.array([[matrix[0], matrix[1]], [matrix[2], matrix[3]]])
    return shapely.transform(shape, lambda points: points @ turn + matrix[4:])


def _find_outline(card: PrintedCard, cuts: Sequence[tuple[Subpath, Any]], bleed_pt: float | None) -> Any | None:
    """The line of a cutting machine, else the line for scissors, else what clips the card without its bleed."""
    back = _to_card(card)
    middle = shapely.Point(move_point(card.frame, 0.0, 0.0))
    around = [shape for _, shape in cuts if shape.contains(middle)]
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
    """How far the cards of a page paint beyond its trim box, which encloses all cuts."""
    points = np.array([point for card in page.cards for clip in card.clip for point in clip.points])
    if page.trim is None or not len(points):
        return None
    (left, bottom), (right, top) = points.min(axis=0), points.max(axis=0)
    trim = page.trim
    return max(0.0, float(np.mean([trim[0] - left, trim[1] - bottom, right - trim[2], top - trim[3]])))
