"""Where captions of drawings go: near what they name, on one line or one a language, and over nothing.

Invariant: a placed caption stays `AIR_MM` away from every card, ring and player of its drawing, and is no wider than
the drawing unless a single word of one language is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from dobble_print.press.booklet.scene import PAWN_MM, Caption, CardAt, Item, Pawn, Ring, bound_items
from dobble_print.units import CardShape, Point

AIR_MM = 1.0
BETWEEN = "  |  "  # of two languages on one line
_STEP_MM = 0.4  # how finely the edge of a caption is felt for cards that are near

Gauge = Callable[[float, float], float]


def place_caption(
    texts: Sequence[str],
    top: Point,
    items: Sequence[Item],
    shape: CardShape,
    card_mm: float,
    size_pt: float,
    bold: bool = False,
) -> Caption:
    """The texts of the languages with their upper edge at a point; where that is over something, below everything."""
    left, bottom, right, _ = bound_items(items, card_mm, card_mm * shape.height_mm / shape.width_mm)
    broken = tuple(texts)
    fits = Caption((BETWEEN.join(texts),), *top, size_pt, bold).width_mm <= right - left
    arrangements = [(BETWEEN.join(texts),), broken] if fits else [broken]
    for y_mm in (top[1], bottom - AIR_MM):
        for lines in arrangements:
            caption = _hang(Caption(lines, top[0], 0.0, size_pt, bold), y_mm)
            if _is_clear(caption, items, shape, card_mm):
                return caption
    return caption


def _hang(caption: Caption, top_mm: float) -> Caption:
    """The caption with its upper edge there."""
    return Caption(caption.lines, caption.x_mm, top_mm - caption.height_mm / 2, caption.size_pt, caption.bold)


def _is_clear(caption: Caption, items: Sequence[Item], shape: CardShape, card_mm: float) -> bool:
    """Whether nothing that has an area comes near; things are larger than a caption, so its edge tells."""
    reach_mm = (max(math.hypot(*corner) for corner in shape.core) + shape.radius_mm) * card_mm / shape.width_mm
    near = [_make_gauge(item, shape, card_mm) for item in items if _may_touch(item, caption, reach_mm)]
    return all(_is_edge_clear(*edge, gauge) for gauge in near for edge in _list_edges(caption))


def _may_touch(item: Item, caption: Caption, card_reach_mm: float) -> bool:
    """Whether the circle around a thing comes near the caption's box: most things are far, and asked no further."""
    match item:
        case CardAt(_, x, y):
            reach_mm = card_reach_mm
        case Ring(x, y, radius_mm):
            reach_mm = radius_mm
        case Pawn(_, x, y):
            reach_mm = PAWN_MM
        case _:
            return False
    beside = max(abs(x - caption.x_mm) - caption.width_mm / 2, 0.0)
    above = max(abs(y - caption.y_mm) - caption.height_mm / 2, 0.0)
    return math.hypot(beside, above) < reach_mm + 2 * AIR_MM


def _list_edges(caption: Caption) -> list[tuple[Point, Point]]:
    left, right = caption.x_mm - caption.width_mm / 2, caption.x_mm + caption.width_mm / 2
    bottom, top = caption.y_mm - caption.height_mm / 2, caption.y_mm + caption.height_mm / 2
    return list(pairwise([(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]))


def _is_edge_clear(start: Point, end: Point, gauge: Gauge) -> bool:
    """Whether a thing keeps away from an edge; what is far can be no nearer than its distance less the way gone."""
    length, along = math.dist(start, end), 0.0
    while along < length:
        share = along / length
        gap_mm = gauge(start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
        if gap_mm < AIR_MM:
            return False
        along += max(gap_mm - AIR_MM, _STEP_MM)
    return True


def _make_gauge(item: Item, shape: CardShape, card_mm: float) -> Gauge:
    """How far points lie outside a card, a ring or a player."""
    match item:
        case CardAt(_, x, y, turn_deg):
            scale, turn = card_mm / shape.width_mm, math.radians(turn_deg)
            cos, sin = math.cos(turn) / scale, math.sin(turn) / scale

            def gauge_card(px: float, py: float) -> float:
                dx, dy = px - x, py - y
                return shape.distance_mm(cos * dx + sin * dy, cos * dy - sin * dx) * scale

            return gauge_card
        case Ring(x, y, radius_mm):
            return lambda px, py: math.hypot(px - x, py - y) - radius_mm
        case Pawn(_, x, y):
            return lambda px, py: math.hypot(px - x, py - y) - PAWN_MM
    return lambda px, py: math.inf
