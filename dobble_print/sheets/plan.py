"""What lies on a page, as data: fronts, backs, copies of cards, slots and strokes."""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dobble_print.art.artwork import Artwork, Form
from dobble_print.dealing import Owner
from dobble_print.layout.model import Placement
from dobble_print.options import Mark
from dobble_print.sheets.nesting import Nest, Rectangle
from dobble_print.theme.options import CutLine, Duplex
from dobble_print.units import TRUE_PRINT, CardShape, Correction, Paper, Point

LABEL_COLOR = "#333333"
Side = Literal["front", "back"]
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
    gap_mm: float | None = None  # between the cuts of neighbours; without it each has a bleed of its own

    @property
    def shares_bleed(self) -> bool:
        """Whether neighbours lie so near that the bleed between them ends midway."""
        return self.gap_mm is not None and self.gap_mm < 2 * self.bleed_mm

    def cut(self) -> CardLook:
        """Return the look of a card that has been cut out."""
        return replace(self, bleed_mm=0.0, cut_line="none", ticks=False, gap_mm=None)


@dataclass(frozen=True)
class CardPromise:
    """What the file itself says of a card, for whoever reads it back to prove it.

    Which deck and which copy of it the card belongs to, the room its symbols keep between each other and to the cut,
    and, in the order of the front's stamps, which symbol each of them shows: several faces may be one symbol.
    """

    deck: str = ""
    copy: int = 1
    gap_mm: float = 0.0
    margin_mm: float = 0.0
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True)
class PrintedCard:
    """One card as it is printed: both its sides, the small print beside it on the waste, and whose card it is."""

    front: Front
    back: Back | None
    look: CardLook
    caption: str
    deck: str
    promise: CardPromise = CardPromise()
    passed_on: tuple[tuple[str, str], ...] = ()  # what the shop's job list says of its job besides


@dataclass(frozen=True)
class Label:
    """A line of small print, centred on a point."""

    text: str
    x_mm: float
    y_mm: float
    size_pt: float
    turn_deg: float = 0.0
    color: str = LABEL_COLOR


@dataclass(frozen=True)
class Stroke:
    """A straight hairline."""

    start: Point
    end: Point
    dashed: bool = False


@dataclass(frozen=True)
class InkPatch:
    """A box full of ink: shares of cyan, magenta, yellow and black."""

    box: Rectangle
    ink: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Target:
    """A cross in a circle, by which a press lays its colours over each other."""

    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class Slot:
    """A card's place on a sheet: which card lies there, and which side of it shows."""

    card: int
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
    patches: tuple[InkPatch, ...] = ()
    targets: tuple[Target, ...] = ()
    correction: Correction = TRUE_PRINT
    grid: tuple[Point, ...] = ()  # the places of a full sheet, which a last sheet need not fill
    slug: str = ""

    @property
    def front_centres(self) -> tuple[Point, ...]:
        """Return where the fronts lie."""
        return tuple((slot.x_mm, slot.y_mm) for slot in self.slots if slot.side == "front")


def make_fronts(
    layouts: Mapping[int, Sequence[Placement]], artworks: Sequence[Artwork], owners: Mapping[int, Owner]
) -> dict[int, Front]:
    """Turn placements into matrices for the symbols' forms, by card number."""
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


def plan_fronts(nest: Nest, cards: Sequence[int]) -> list[Page]:
    """Return as many sheets as the cards need, filled in order."""
    per_sheet = len(nest.centres)
    batches = [cards[i : i + per_sheet] for i in range(0, len(cards), per_sheet)]
    slots = [tuple(Slot(card, x, y) for card, (x, y) in zip(batch, nest.centres, strict=False)) for batch in batches]
    return [Page(nest.paper, one, nest.turn_deg, grid=nest.centres) for one in slots]


def plan_back(front: Page, duplex: Duplex) -> Page:
    """Return the page behind a front: mirrored about the axis the paper turns over."""
    sideways = turns_sideways(front.paper, duplex)
    grid = mirror_points(front.grid, front.paper, sideways)
    return Page(front.paper, mirror_slots(front, sideways), front.turn_deg, grid=grid, slug=front.slug)


def mirror_points(points: Iterable[Point], paper: Paper, sideways: bool) -> tuple[Point, ...]:
    """Return the points as they lie on the other side of the paper."""
    if sideways:
        return tuple((paper.width_mm - x, y) for x, y in points)
    return tuple((x, paper.height_mm - y) for x, y in points)


def turns_sideways(paper: Paper, duplex: Duplex) -> bool:
    """Return whether turning the paper over swaps left and right, as flipping on a vertical edge does."""
    return (duplex != "short") == (paper.height_mm >= paper.width_mm)


def mirror_slots(page: Page, sideways: bool) -> tuple[Slot, ...]:
    """Return the backs that lie behind the fronts of a page, or across its middle."""
    fronts = [slot for slot in page.slots if slot.side == "front"]
    places = mirror_points([(slot.x_mm, slot.y_mm) for slot in fronts], page.paper, sideways)
    return tuple(Slot(slot.card, x, y, "back") for slot, (x, y) in zip(fronts, places, strict=True))


# colours that stay apart for colour-blind players and on white
COPY_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#e69f00", "#8c510a", "#6a3d9a")


@dataclass(frozen=True, eq=False)
class Batch:
    """Cards in printing order and the forms their stamps refer to."""

    cards: dict[int, PrintedCard]
    forms: tuple[Form, ...]


def copy_cards(cards: Mapping[int, PrintedCard], copies: int, mark: Mark = "none") -> dict[int, PrintedCard]:
    """Return the deck so many times over; marked copies have a rim colour and a letter of their own."""
    printed = [_mark_copy(card, copy, mark) for copy in range(copies) for card in cards.values()]
    if copies == 1:
        return dict(zip(cards, printed, strict=True))
    return dict(enumerate(printed, start=1))


def _mark_copy(card: PrintedCard, copy: int, mark: Mark) -> PrintedCard:
    card = replace(card, promise=replace(card.promise, copy=copy + 1))
    if mark == "none":
        return card
    letter = _letter(copy)
    color = COPY_COLORS[copy % len(COPY_COLORS)] if mark == "color" else card.look.rim_color
    front = replace(card.front, letter=letter, rim_color=color)
    return replace(card, front=front, look=replace(card.look, rim_color=color), caption=f"{letter} {card.caption}")


def _letter(copy: int) -> str:
    """Return A, B, … Z, AA, AB, …"""
    return (_letter(copy // 26 - 1) if copy >= 26 else "") + string.ascii_uppercase[copy % 26]


def gang_batches(batches: Sequence[Batch]) -> Batch:
    """Join several decks into one batch, one after the other."""
    cards: list[PrintedCard] = []
    forms: list[Form] = []
    for batch in batches:
        copies = {card.promise.deck: card.promise.copy for card in sorted(cards, key=lambda card: card.promise.copy)}
        cards += [_shift_card(card, len(forms), copies.get(card.promise.deck, 0)) for card in batch.cards.values()]
        forms += batch.forms
    if any(card.back for card in cards):  # decks without backs get white ones where others on the same sheets have some
        cards = [replace(card, back=card.back or Back("#ffffff")) for card in cards]
    return Batch(dict(enumerate(cards, start=1)), tuple(forms))


def _shift_card(card: PrintedCard, by: int, copies: int) -> PrintedCard:
    """Return the same card with forms numbered on; a deck that is there already goes on as further copies of it."""
    front = replace(card.front, stamps=_shift(card.front.stamps, by))
    promise = replace(card.promise, copy=card.promise.copy + copies)
    back = card.back and replace(card.back, stamps=_shift(card.back.stamps, by))
    return replace(card, front=front, back=back, promise=promise)


def _shift(stamps: tuple[Stamp, ...], by: int) -> tuple[Stamp, ...]:
    return tuple(Stamp(stamp.piece + by, stamp.matrix) for stamp in stamps)
