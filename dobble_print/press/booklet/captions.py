"""Where captions of drawings go: near what they name, on one line or one a language, and over nothing.

Invariant: a placed caption stays `AIR_MM` away from every card, ring and player of its drawing, and is no wider than
the drawing unless a single word of one language is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from dobble_print.press.booklet.scene import PAWN_MM, Caption, CardAt, Item, Pawn, Ring, bound_items
from dobble_print.units import CardShape, Point

AIR_MM = 1.0
BETWEEN = "  |  "  # of two languages on one line
_STEP_MM = 0.4  # how finely the edge of a caption is felt for cards


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
    near = [item for item in items if _may_touch(item, caption, reach_mm)]
    return all(_measure_gap_mm(point, item, shape, card_mm) >= AIR_MM for point in _walk_edge(caption) for item in near)


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


def _walk_edge(caption: Caption) -> Iterator[Point]:
    half_width, half_height = caption.width_mm / 2, caption.height_mm / 2
    across, down = (max(2, math.ceil(2 * half / _STEP_MM)) for half in (half_width, half_height))
    for i in range(across + 1):
        for side in (-1, 1):
            yield caption.x_mm + half_width * (2 * i / across - 1), caption.y_mm + side * half_height
    for i in range(down + 1):
        for side in (-1, 1):
            yield caption.x_mm + side * half_width, caption.y_mm + half_height * (2 * i / down - 1)


def _measure_gap_mm(point: Point, item: Item, shape: CardShape, card_mm: float) -> float:
    """How far a point lies outside a card, a ring or a player."""
    match item:
        case CardAt(_, x, y, turn_deg):
            cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
            dx, dy, scale = point[0] - x, point[1] - y, card_mm / shape.width_mm
            return shape.distance_mm((cos * dx + sin * dy) / scale, (cos * dy - sin * dx) / scale) * scale
        case Ring(x, y, radius_mm):
            return math.dist(point, (x, y)) - radius_mm
        case Pawn(_, x, y):
            return math.dist(point, (x, y)) - PAWN_MM
    return math.inf
