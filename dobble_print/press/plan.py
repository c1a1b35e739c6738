"""The plan: every page of the result as data. Drawing decides nothing.

Invariant: lengths are millimetres from the lower left corner of the paper; a stamp's matrix maps the symbol's box
(longer side 1) into the card's frame (origin at its centre).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dobble_print.art.artwork import Artwork
from dobble_print.dealing import Owner
from dobble_print.layout.model import Placement
from dobble_print.press.box import Box
from dobble_print.press.nesting import Nest
from dobble_print.theme.model import CutLine, Duplex
from dobble_print.units import CardShape, Correction, Paper, Point

Side = Literal["front", "back"]
TRUE_PRINT = Correction()

Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Stamp:
    """A piece (a face of a symbol, by its number) and the matrix that puts it on a card."""

    piece: int
    matrix: Matrix


@dataclass(frozen=True)
class Front:
    """The front of a card: its number, its symbols, and what tells it from others of the box.

    `letter` tells the copies of a deck apart.
    """

    number: int
    stamps: tuple[Stamp, ...]
    rim_color: str
    dots: int = 0
    letter: str = ""


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
    ticks: bool = False  # short lines in the bleed, straight out from the card's middle
    share_edges: bool = False  # neighbours touch: the colour beyond the cut is drawn under all of them

    def cut(self) -> CardLook:
        """The look of a card that has been cut out."""
        return replace(self, bleed_mm=0.0, cut_line="none", ticks=False, share_edges=False)


@dataclass(frozen=True)
class Pledge:
    """What the file itself says of a card, for whoever reads it back to prove it.

    Which deck and which copy of it the card belongs to, the room its symbols keep between each other and to the cut,
    and, in the order of the front's stamps, which symbol each of them shows: several faces may be one symbol.
    """

    deck: str = ""
    copy: int = 1
    gap_mm: float = 0.0
    margin_mm: float = 0.0
    symbols: tuple[str, ...] = ()


NO_PLEDGE = Pledge()


@dataclass(frozen=True)
class Leaf:
    """One card as it is printed: both its sides, the small print beside it on the waste, and whose card it is."""

    front: Front
    back: Back | None
    look: CardLook
    caption: str
    deck: str
    pledge: Pledge = NO_PLEDGE


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
    dashed: bool = False


@dataclass(frozen=True)
class Patch:
    """A box full of ink: shares of cyan, magenta, yellow and black."""

    box: Box
    ink: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Target:
    """A cross in a circle, by which a press lays its colours over each other."""

    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class Slot:
    """A card's place on a sheet: which leaf lies there, and which side of it shows."""

    leaf: int
    x_mm: float
    y_mm: float
    side: Side = "front"


@dataclass(frozen=True)
class Page:
    """One side of a sheet; `turn_deg` is how the fronts are turned, backs are turned the other way.

    `correction` answers a printer that scales or shifts what it prints.
    """

    paper: Paper
    slots: tuple[Slot, ...]
    turn_deg: float = 0.0
    strokes: tuple[Stroke, ...] = ()
    labels: tuple[Label, ...] = ()
    patches: tuple[Patch, ...] = ()
    targets: tuple[Target, ...] = ()
    correction: Correction = TRUE_PRINT
    grid: tuple[Point, ...] = ()  # the places of a full sheet, which a last sheet need not fill
    slug: str = ""

    @property
    def front_centres(self) -> tuple[Point, ...]:
        """Where the fronts lie."""
        return tuple((slot.x_mm, slot.y_mm) for slot in self.slots if slot.side == "front")


def make_fronts(
    layouts: Mapping[int, Sequence[Placement]], artworks: Sequence[Artwork], owners: Mapping[int, Owner]
) -> dict[int, Front]:
    """Placements turned into matrices for the symbols' forms, by card number."""
    return {
        number: Front(
            number,
            tuple(make_stamp(artworks[spot.piece], spot) for spot in layout),
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
    return Stamp(spot.piece, (cos, sin, -sin, cos, x, y))


def plan_fronts(nest: Nest, leaves: Sequence[int]) -> list[Page]:
    """As many sheets as the cards need, filled in order."""
    per_sheet = len(nest.centres)
    batches = [leaves[i : i + per_sheet] for i in range(0, len(leaves), per_sheet)]
    return [Page(nest.paper, _slots(nest.centres, batch), nest.turn_deg, grid=nest.centres) for batch in batches]


def plan_back(front: Page, duplex: Duplex) -> Page:
    """The page behind a front: mirrored about the axis the paper turns over."""
    sideways = turns_sideways(front.paper, duplex)
    grid = mirror_points(front.grid, front.paper, sideways)
    return Page(front.paper, mirror_slots(front, sideways), front.turn_deg, grid=grid, slug=front.slug)


def mirror_points(points: Iterable[Point], paper: Paper, sideways: bool) -> tuple[Point, ...]:
    """The points as they lie on the other side of the paper."""
    if sideways:
        return tuple((paper.width_mm - x, y) for x, y in points)
    return tuple((x, paper.height_mm - y) for x, y in points)


def turns_sideways(paper: Paper, duplex: Duplex) -> bool:
    """Whether turning the paper over swaps left and right, as flipping on a vertical edge does."""
    return (duplex != "short") == (paper.height_mm >= paper.width_mm)


def mirror_slots(page: Page, sideways: bool) -> tuple[Slot, ...]:
    """The backs that lie behind the fronts of a page, or across its middle."""
    fronts = [slot for slot in page.slots if slot.side == "front"]
    places = mirror_points([(slot.x_mm, slot.y_mm) for slot in fronts], page.paper, sideways)
    return tuple(Slot(slot.leaf, x, y, "back") for slot, (x, y) in zip(fronts, places, strict=True))


def _slots(centres: Iterable[Point], leaves: Sequence[int]) -> tuple[Slot, ...]:
    return tuple(Slot(leaf, x, y) for leaf, (x, y) in zip(leaves, centres, strict=False))
