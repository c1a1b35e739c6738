"""The plan: every page of the result as data. Drawing decides nothing.

Invariant: lengths are millimetres from the lower left corner of the paper; a stamp's matrix maps the symbol's box
(longer side 1) into the card's frame (origin at its centre).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from dobble_print.art.artwork import Artwork
from dobble_print.dealing import Owner
from dobble_print.layout.model import Placement
from dobble_print.press.nesting import Nest
from dobble_print.theme.model import CutLine, Duplex
from dobble_print.units import CardShape, Paper, Point

Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Stamp:
    """A symbol (by index) and the matrix that puts it on a card."""

    symbol: int
    matrix: Matrix


@dataclass(frozen=True)
class Face:
    """The front of a card: its number, its symbols, and what tells it from others of the box."""

    number: int
    stamps: tuple[Stamp, ...]
    rim_color: str
    dots: int = 0


@dataclass(frozen=True)
class Back:
    """The other side of every card: a colour and what is stamped on it."""

    color: str
    stamps: tuple[Stamp, ...] = ()


@dataclass(frozen=True)
class CardLook:
    """What all cards have in common."""

    shape: CardShape
    background: str
    rim_color: str
    rim_width_mm: float
    margin_mm: float
    bleed_mm: float
    cut_line: CutLine
    rim_note: str = ""  # follows the card's number on its rim; without it the number is not there either


@dataclass(frozen=True)
class Label:
    """A line of small print, centred on a point."""

    text: str
    x_mm: float
    y_mm: float
    size_pt: float
    turn_deg: float = 0.0
    color: str = "#333333"


@dataclass(frozen=True)
class Stroke:
    """A straight hairline."""

    start: Point
    end: Point


@dataclass(frozen=True)
class Slot:
    """A card's place on a sheet."""

    number: int
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class Page:
    """One side of a sheet."""

    paper: Paper
    side: Literal["front", "back"]
    slots: tuple[Slot, ...]
    turn_deg: float = 0.0
    strokes: tuple[Stroke, ...] = ()
    labels: tuple[Label, ...] = ()


def make_faces(
    layouts: Mapping[int, Sequence[Placement]], artworks: Sequence[Artwork], owners: Mapping[int, Owner]
) -> dict[int, Face]:
    """Placements turned into matrices for the symbols' forms, by card number."""
    return {
        number: Face(
            number,
            tuple(make_stamp(artworks[spot.symbol], spot) for spot in layout),
            owners[number].rim_color,
            owners[number].dots,
        )
        for number, layout in layouts.items()
    }


def make_stamp(artwork: Artwork, spot: Placement) -> Stamp:
    """Move the silhouette's centre to the origin, scale, turn, and move it into place."""
    scale = artwork.longer_side_mm(spot.diameter_mm)
    cos = math.cos(math.radians(spot.rotation_deg)) * scale
    sin = math.sin(math.radians(spot.rotation_deg)) * scale
    u, v = artwork.silhouette.centre
    x, y = spot.x_mm - (cos * u - sin * v), spot.y_mm - (sin * u + cos * v)
    return Stamp(spot.symbol, (cos, sin, -sin, cos, x, y))


def plan_fronts(nest: Nest, numbers: Sequence[int]) -> list[Page]:
    """As many sheets as the cards need, filled in order."""
    per_sheet = len(nest.centres)
    batches = [numbers[i : i + per_sheet] for i in range(0, len(numbers), per_sheet)]
    return [Page(nest.paper, "front", _slots(nest.centres, batch), nest.turn_deg) for batch in batches]


def plan_back(front: Page, duplex: Duplex) -> Page:
    """The page behind a front: mirrored about the axis the paper turns over."""
    upright = front.paper.height_mm >= front.paper.width_mm
    sideways = (duplex != "short") == upright  # flipping on a vertical edge swaps left and right
    slots = tuple(
        Slot(slot.number, front.paper.width_mm - slot.x_mm, slot.y_mm)
        if sideways
        else Slot(slot.number, slot.x_mm, front.paper.height_mm - slot.y_mm)
        for slot in front.slots
    )
    return Page(front.paper, "back", slots, -front.turn_deg)


def _slots(centres: Iterable[Point], numbers: Sequence[int]) -> tuple[Slot, ...]:
    return tuple(Slot(number, x, y) for number, (x, y) in zip(numbers, centres, strict=False))
