"""What the layout is asked for and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dobble_print.art.silhouette import Silhouette

Rotation = Literal["full", "tilt", "upright"]
Quality = Literal["draft", "normal", "best"]


@dataclass(frozen=True, eq=False)
class Piece:
    """A symbol as the layout sees it: a name for messages, its outline, and how it likes to lie."""

    name: str
    silhouette: Silhouette
    rotation: Rotation = "full"
    scale: float = 1.0


@dataclass(frozen=True)
class LayoutRules:
    """Distances in millimetres; sizes are diameters of enclosing circles."""

    gap_mm: float = 1.5
    margin_mm: float = 3.0
    size_spread: float = 2.0
    min_size_mm: float = 8.0
    keep_center_free_mm: float = 0.0
    quality: Quality = "normal"


@dataclass(frozen=True)
class Placement:
    """Where a symbol lies on its card: the centre of its enclosing circle, that circle's diameter, and its turn.

    The origin is the card's centre, y points up, the turn is counter-clockwise.
    """

    symbol: int
    x_mm: float
    y_mm: float
    rotation_deg: float
    diameter_mm: float
