"""What the layout is asked for and what it answers; its rules are the theme's own `LayoutOptions`."""

from __future__ import annotations

from dataclasses import dataclass

from dobble_print.art.silhouette import Silhouette
from dobble_print.theme.model import Rotation


@dataclass(frozen=True, eq=False)
class Piece:
    """A face of a symbol as the layout sees it: a name for messages, its outline, and how it likes to lie.

    `symbol` tells whose face it is (-1: a symbol with this one face); `least_mm` is a diameter below which it could
    not be read.
    """

    name: str
    silhouette: Silhouette
    rotation: Rotation = "full"
    scale: float = 1.0
    symbol: int = -1
    least_mm: float = 0.0


@dataclass(frozen=True)
class Placement:
    """Where a piece lies on its card: the centre of its enclosing circle, that circle's diameter, and its turn.

    The origin is the card's centre, y points up, the turn is counter-clockwise.
    """

    piece: int
    x_mm: float
    y_mm: float
    rotation_deg: float
    diameter_mm: float
