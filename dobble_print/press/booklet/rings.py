"""Ring a match: an ellipse where it strikes through no word, or else a line close to the symbol's own outline.

Invariant: no part of a ring, nor of the white line around it, lies over another word of its card. Over the edge of a
picture it may lie: among pictures that fit closely a thinner line would not be seen.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import shapely

from dobble_print.press.booklet.scene import RING_HALO_PT, CardAt, DeckCards, Ring
from dobble_print.sheets.plan import Stamp
from dobble_print.theme.model import Captioned, Text
from dobble_print.units import PT_PER_MM

FULLNESS = 1.2  # an ellipse bulges this much more than the box it marks; what is less than a fifth longer gets a circle
RING_AIR = 1.12  # a ring is this much wider than the symbol it marks
BROAD_MM = RING_HALO_PT / 2 / PT_PER_MM  # half the breadth of a ring with its white line
LEAST_MM = 0.14  # half the breadth of the thinnest ring that is seen
HUG_MM = 0.6  # from a symbol to a ring that follows its outline, at most
FINE_MM = 0.05  # how closely outlines are followed
EXAMPLE_MM = 38.0  # about as wide are the two cards that show a match
CROWDED = 0.6  # what a place without room for an ellipse is worth in an example
CLEARLY_LARGER = (1.3, 2.2)  # times: a difference seen at a glance, and still the same symbol
MOST_TRIED = 14  # cards among which a good pair is looked for: enough choice, no time lost


def place_ring(deck: DeckCards, card: CardAt, symbol: int, card_mm: float) -> Ring:
    """Return the ring around a symbol of a card that lies on the table."""
    scale = card_mm / deck.look.shape.width_mm
    spot = deck.find_spot(card.number, symbol)
    turn = _make_rotation(card.turn_deg, scale)
    x, y = (float(along) for along in np.array([spot.x_mm, spot.y_mm]) @ turn + (card.x_mm, card.y_mm))
    if _has_room(deck, card.number, symbol, card_mm):
        flat = _flatten(*deck.measure_extent(spot.piece))
        return Ring(x, y, spot.diameter_mm * scale / 2 * RING_AIR, flat, card.turn_deg + spot.turn_deg)
    line, breadth_mm = _follow_outline(*_find_shapes(deck, card.number, symbol), scale)
    points = (shapely.get_coordinates(line) - (spot.x_mm, spot.y_mm)) @ turn
    outline = tuple((float(px), float(py)) for px, py in points)
    return Ring(x, y, float(np.hypot(*points.T).max()), outline=outline, breadth_pt=breadth_mm * PT_PER_MM)


def _make_rotation(turn_deg: float, scale: float) -> Any:
    """Return the matrix that turns and scales rows of points."""
    cos, sin = math.cos(math.radians(turn_deg)) * scale, math.sin(math.radians(turn_deg)) * scale
    return np.array([[cos, sin], [-sin, cos]])


def _flatten(width: float, height: float) -> tuple[float, float]:
    """Return a ring's half axes as parts of its radius: a circle around a word would strike through others."""
    across = min(1.0, FULLNESS * min(width, height) / max(width, height))
    return (1.0, across) if width >= height else (across, 1.0)


def _follow_outline(own: Any, words: Any, scale: float) -> tuple[Any, float]:
    """Return a line half way between a symbol and the nearest word, on the card, and how broad it may print."""
    gap_mm = shapely.distance(own, words) * scale
    away_mm = min(HUG_MM, gap_mm / 2)
    line = own.buffer(away_mm / scale).simplify(FINE_MM)
    parts = shapely.get_parts(line)
    return max(parts, key=lambda part: part.area).exterior, 2 * max(LEAST_MM, min(BROAD_MM, gap_mm - away_mm))


def find_clearest_pair(deck: DeckCards) -> tuple[int, int]:
    """Return two cards whose match is large on both but clearly larger on one, or shows another face on each.

    Cards on which the match has room for its ring are preferred.
    """
    if ("pair",) not in deck.cache:
        deck.cache[("pair",)] = max(combinations(deck.numbers[:MOST_TRIED], 2), key=partial(_rate_clearness, deck))
    pair: tuple[int, int] = deck.cache[("pair",)]
    return pair


def _rate_clearness(deck: DeckCards, pair: tuple[int, int]) -> float:
    symbol = deck.find_shared(*pair)
    spots = [deck.find_spot(number, symbol) for number in pair]
    small, large = sorted(spot.diameter_mm for spot in spots)
    crowded = CROWDED ** sum(not _has_room(deck, number, symbol, EXAMPLE_MM) for number in pair)
    if len(deck.theme.symbols[symbol].faces) > 1:  # what is to be shown is how a match may look
        return small * crowded * (1.0 if spots[0].piece != spots[1].piece else 0.2)
    return small * crowded * (1.0 if CLEARLY_LARGER[0] <= large / small <= CLEARLY_LARGER[1] else 0.4)


def _has_room(deck: DeckCards, number: int, symbol: int, card_mm: float) -> bool:
    """Return whether a symbol's ellipse touches no word, on a card of that size."""
    _, words = _find_shapes(deck, number, symbol)
    if words.is_empty:
        return True
    spot = deck.find_spot(number, symbol)
    flat, angles = _flatten(*deck.measure_extent(spot.piece)), np.linspace(0.0, 2 * math.pi, 73)
    points = np.column_stack([flat[0] * np.cos(angles), flat[1] * np.sin(angles)])
    turn = _make_rotation(spot.turn_deg, spot.diameter_mm / 2 * RING_AIR)
    gap = shapely.distance(shapely.Polygon(points @ turn + (spot.x_mm, spot.y_mm)), words)
    return bool(gap >= BROAD_MM * deck.look.shape.width_mm / card_mm)


def _find_shapes(deck: DeckCards, number: int, symbol: int) -> tuple[Any, Any]:
    """Return what a symbol covers on a card, and what the words beside it do; cached, as many sizes are tried."""
    key = ("shapes", number, symbol)
    if key not in deck.cache:
        stamps = {deck.theme.pieces[stamp.piece][0]: stamp for stamp in deck.printable.fronts[number].stamps}
        own = stamps.pop(symbol)
        faces = {stamp: deck.theme.symbols[i].faces[deck.theme.pieces[stamp.piece][1]] for i, stamp in stamps.items()}
        words = [
            _trace_cover(deck, stamp) for stamp, face in faces.items() if isinstance(face.source, Text | Captioned)
        ]
        deck.cache[key] = (_trace_cover(deck, own) if words else None, shapely.geometrycollections(words))
    own, words = deck.cache[key]
    return own, words


def _trace_cover(deck: DeckCards, stamp: Stamp) -> Any:
    """Return what a symbol covers with its holes filled, in the card's millimetres."""
    spot = deck.locate(stamp)
    turn = _make_rotation(spot.turn_deg, spot.diameter_mm / 2)
    rings = [
        shapely.Polygon(ring @ turn + (spot.x_mm, spot.y_mm)).simplify(FINE_MM)
        for ring in deck.artworks[stamp.piece].silhouette.rings
    ]
    return shapely.union_all(shapely.make_valid(rings))
