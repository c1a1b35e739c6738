"""Draw the scenes in the rules: the deck's real cards with rings, arrows and captions.

Invariant: a scene is plain data in millimetres; drawing it decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from PIL import ImageColor

from dobble_print.art.artwork import Artwork
from dobble_print.press.cards import draw_card, trace_path
from dobble_print.press.document import PrintableDeck
from dobble_print.press.typography import BOLD, INK, REGULAR, draw_line, order_visually, text_width_pt
from dobble_print.sheets.plan import Back, CardLook, Stamp
from dobble_print.theme.model import Theme
from dobble_print.units import PT_PER_MM, Point, mm_to_pt


@dataclass(frozen=True)
class Spot:
    """Where a symbol lies on its card: centre and diameter of its enclosing circle, in the card's millimetres.

    `piece` is the face that it shows there.
    """

    x_mm: float
    y_mm: float
    diameter_mm: float
    turn_deg: float
    piece: int


@dataclass(frozen=True, eq=False)
class DeckCards:
    """The printed cards of one deck, and the artwork that says where on a card a symbol lies."""

    printable: PrintableDeck
    artworks: Sequence[Artwork]
    numbers: tuple[int, ...]
    cache: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False)  # what takes long to find out

    @property
    def theme(self) -> Theme:
        """Return the theme of the deck."""
        return self.printable.theme

    @property
    def look(self) -> CardLook:
        """Return what all cards have in common."""
        return self.printable.look

    @cached_property
    def back(self) -> Back:
        """Return the back as it prints: white paper, where the cards have none."""
        back = self.printable.back if self.printable.prints_backs else None
        return back or Back(PAPER)

    def find_shared(self, one: int, other: int) -> int:
        """Return the one symbol that two cards share."""
        (shared,) = self.list_symbols(one) & self.list_symbols(other)
        return shared

    def list_symbols(self, number: int) -> set[int]:
        """Return the symbols of a card, whatever faces they show."""
        return {self.theme.pieces[stamp.piece][0] for stamp in self.printable.fronts[number].stamps}

    def find_spot(self, number: int, symbol: int) -> Spot:
        """Return where a symbol lies on a card."""
        stamps = self.printable.fronts[number].stamps
        return self.locate(next(stamp for stamp in stamps if self.theme.pieces[stamp.piece][0] == symbol))

    def locate(self, stamp: Stamp) -> Spot:
        """Return where a stamp lies on its card."""
        (a, b, c, d, e, f), artwork = stamp.matrix, self.artworks[stamp.piece]
        u, v = artwork.silhouette.centre
        scale = (a * a + b * b) ** 0.5
        turn_deg = math.degrees(math.atan2(b, a))
        return Spot(a * u + c * v + e, b * u + d * v + f, scale * artwork.diameter, turn_deg, stamp.piece)

    def measure_extent(self, piece: int) -> tuple[float, float]:
        """Return how far a piece reaches sideways and upwards, as parts of its enclosing circle's radius."""
        rings = self.artworks[piece].silhouette.rings
        return max(float(abs(ring[:, 0]).max()) for ring in rings), max(float(abs(ring[:, 1]).max()) for ring in rings)

    def find_triplet(self) -> tuple[int, tuple[int, ...]]:
        """Return a symbol and three cards that show it; no cards when a few out of a large deck have none such."""
        for symbol in range(len(self.theme.symbols)):
            holders = [n for n in self.numbers if symbol in self.list_symbols(n)]
            if len(holders) >= 3:
                return symbol, tuple(holders[:3])
        return 0, ()


RING_HALO_PT = 2.4  # a ring's breadth with the white line on both sides
PAWN_MM = 2.1  # radius of a player's disc
CAPTION_PT = 6.2
CAPTION_LEADING = 1.25  # from line to line, in sizes of the letters


@dataclass(frozen=True)
class CardAt:
    """A card on the table, face up unless `down`; `blank` shows no symbols, for cards deep in a pile."""

    number: int
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    down: bool = False
    blank: bool = False


@dataclass(frozen=True)
class Ring:
    """A ring around a symbol: a circle, or an ellipse around something long, turned with it.

    Among words it is an `outline` instead, of points around its middle, and only as broad as there is room.
    """

    x_mm: float
    y_mm: float
    radius_mm: float
    flat: tuple[float, float] = (1.0, 1.0)  # its half axes along and across the symbol, as parts of the radius
    turn_deg: float = 0.0
    outline: tuple[Point, ...] = ()
    breadth_pt: float = RING_HALO_PT


@dataclass(frozen=True)
class Arrow:
    """A bent arrow; `bend` is how far it swings out, as a part of its length."""

    start: Point
    end: Point
    bend: float = 0.2


@dataclass(frozen=True)
class Pawn:
    """A player: a number in a disc."""

    text: str
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class Capsule:
    """A line around cards in a row, from the middle of the first to the middle of the last."""

    start: Point
    end: Point
    radius_mm: float


@dataclass(frozen=True)
class Caption:
    """Lines of text one below the other, centred on a point."""

    lines: tuple[str, ...]
    x_mm: float
    y_mm: float
    size_pt: float = CAPTION_PT
    bold: bool = False

    @property
    def font(self) -> str:
        """Return the name of its font."""
        return BOLD if self.bold else REGULAR

    @property
    def width_mm(self) -> float:
        """Return how wide its longest line prints."""
        return max(text_width_pt(order_visually(line), self.font, self.size_pt) for line in self.lines) / PT_PER_MM

    @property
    def height_mm(self) -> float:
        """Return the height from above the first line's capitals to below the last line's descenders."""
        return (1.1 + (len(self.lines) - 1) * CAPTION_LEADING) * self.size_pt / PT_PER_MM


Item = CardAt | Ring | Arrow | Pawn | Capsule | Caption


@dataclass(frozen=True)
class Scene:
    """Everything in drawing order; cards are printed `card_mm` wide."""

    width_mm: float
    height_mm: float
    card_mm: float
    items: tuple[Item, ...]


MARK = "#e4322b"  # rings and arrows: no deck hides it, thanks to the white line around them
EDGE, PAPER = "#8a8f98", "#ffffff"
PALE = 215  # of 255: on a back as pale as this a white edge would be lost


def draw_scene(canvas: Any, scene: Scene, deck: DeckCards, accent: str) -> None:
    """Draw the scene with its lower left corner at the canvas's origin."""
    for item in scene.items:
        canvas.saveState()
        match item:
            case CardAt():
                place_card(canvas, item, deck, scene.card_mm)
            case Ring():
                _draw_ring(canvas, item)
            case Arrow():
                _draw_arrow(canvas, item)
            case Capsule():
                _draw_capsule(canvas, item)
            case Pawn():
                _draw_pawn(canvas, item, accent)
            case Caption():
                _draw_caption(canvas, item)
        canvas.restoreState()


def place_card(canvas: Any, card: CardAt, deck: DeckCards, card_mm: float) -> None:
    """Draw a card anywhere, at any size, either side up."""
    look = deck.look
    canvas.saveState()
    canvas.translate(*_to_pt(card.x_mm, card.y_mm))
    canvas.rotate(card.turn_deg)
    canvas.scale(card_mm / look.shape.width_mm, card_mm / look.shape.width_mm)
    front = deck.printable.fronts[card.number]
    draw_card(canvas, deck.back if card.down else replace(front, stamps=()) if card.blank else front, look)
    # a thin edge parts a card from the next one under it, and a white card from the page
    canvas.setLineWidth(mm_to_pt(look.shape.width_mm * 0.008))
    is_pale = min(ImageColor.getrgb(deck.back.color)[:3]) >= PALE
    canvas.setStrokeColor(EDGE if is_pale or not card.down else PAPER)
    canvas.drawPath(trace_path(canvas, look.shape.outline()), stroke=1, fill=0)
    canvas.restoreState()


def draw_centred(canvas: Any, text: str, x_pt: float, y_pt: float, font: str, size_pt: float) -> None:
    """Draw a line of text with its middle at a point."""
    draw_line(canvas, x_pt, y_pt - size_pt * 0.345, text, font, size_pt, anchor=0.5)


def _to_pt(*lengths_mm: float) -> Sequence[float]:
    return tuple(map(mm_to_pt, lengths_mm))


def _draw_ring(canvas: Any, ring: Ring) -> None:
    canvas.translate(*_to_pt(ring.x_mm, ring.y_mm))
    if ring.outline:
        path = canvas.beginPath()
        path.moveTo(*_to_pt(*ring.outline[0]))
        for point in ring.outline[1:-1]:
            path.lineTo(*_to_pt(*point))
        path.close()
        _stroke_twice(canvas, lambda: canvas.drawPath(path, stroke=1, fill=0), ring.breadth_pt)
    else:
        canvas.rotate(ring.turn_deg)
        along, across = _to_pt(ring.radius_mm * ring.flat[0], ring.radius_mm * ring.flat[1])
        _stroke_twice(canvas, lambda: canvas.ellipse(-along, -across, along, across, stroke=1, fill=0))


def _stroke_twice(canvas: Any, stroke: Any, most_pt: float = RING_HALO_PT) -> None:
    """Stroke a broad white line, then the colour: visible on any picture."""
    for color, width in (("#ffffff", most_pt), (MARK, min(1.3, most_pt))):
        canvas.setStrokeColor(color)
        canvas.setLineWidth(width)
        stroke()


def _draw_arrow(canvas: Any, arrow: Arrow) -> None:
    (x0, y0), (x1, y1) = arrow.start, arrow.end
    bend_x, bend_y = -(y1 - y0) * arrow.bend, (x1 - x0) * arrow.bend
    middle = ((x0 + x1) / 2 + bend_x, (y0 + y1) / 2 + bend_y)
    angle = math.atan2(y1 - middle[1], x1 - middle[0])
    neck = (x1 - 2.0 * math.cos(angle), y1 - 2.0 * math.sin(angle))
    _stroke_twice(canvas, lambda: canvas.bezier(*_to_pt(x0, y0, *middle, *middle, *neck)))
    head = canvas.beginPath()
    head.moveTo(*_to_pt(x1, y1))
    for side in (2.7, -2.7):
        head.lineTo(*_to_pt(x1 + 3.0 * math.cos(angle + side), y1 + 3.0 * math.sin(angle + side)))
    head.close()
    canvas.setFillColor(MARK)
    canvas.drawPath(head, stroke=0, fill=1)


def _draw_capsule(canvas: Any, capsule: Capsule) -> None:
    (x0, y0), (x1, y1), r = capsule.start, capsule.end, capsule.radius_mm
    canvas.translate(*_to_pt(x0, y0))
    canvas.rotate(math.degrees(math.atan2(y1 - y0, x1 - x0)))
    length = math.hypot(x1 - x0, y1 - y0)
    _stroke_twice(canvas, lambda: canvas.roundRect(*_to_pt(-r, -r, length + 2 * r, 2 * r), mm_to_pt(r * 0.7), stroke=1))


def _draw_caption(canvas: Any, caption: Caption) -> None:
    canvas.setFillColor(INK)
    pitch = caption.size_pt * CAPTION_LEADING
    top = mm_to_pt(caption.y_mm) + (len(caption.lines) - 1) * pitch / 2
    for i, line in enumerate(caption.lines):
        draw_centred(canvas, line, mm_to_pt(caption.x_mm), top - i * pitch, caption.font, caption.size_pt)


def _draw_pawn(canvas: Any, pawn: Pawn, accent: str) -> None:
    x, y, radius = _to_pt(pawn.x_mm, pawn.y_mm, PAWN_MM)
    canvas.setFillColor(accent)
    canvas.circle(x, y, radius, stroke=0, fill=1)
    canvas.setFillColor("#ffffff")
    draw_centred(canvas, pawn.text, x, y, BOLD, 7.0)
