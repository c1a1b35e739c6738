"""A scene: a drawing of cards on a table as data, in millimetres from its lower left corner.

Invariant: a scene says where everything goes and how large; drawing it decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dobble_print.press.typography import BOLD, REGULAR, order_visually, text_width_pt
from dobble_print.units import PT_PER_MM, Point

RING_HALO_PT = 2.4  # a ring's breadth with the white line on both sides
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
        """The name of its font."""
        return BOLD if self.bold else REGULAR

    @property
    def width_mm(self) -> float:
        """How wide its longest line prints."""
        return max(text_width_pt(order_visually(line), self.font, self.size_pt) for line in self.lines) / PT_PER_MM

    @property
    def height_mm(self) -> float:
        """From above the first line's capitals to below the last line's descenders."""
        return (1.1 + (len(self.lines) - 1) * CAPTION_LEADING) * self.size_pt / PT_PER_MM


Item = CardAt | Ring | Arrow | Pawn | Capsule | Caption


@dataclass(frozen=True)
class Scene:
    """Everything in drawing order; cards are printed `card_mm` wide."""

    width_mm: float
    height_mm: float
    card_mm: float
    items: tuple[Item, ...]


def make_pile(top: CardAt, card_mm: float, cards: int = 4) -> list[Item]:
    """A card with some more under it, a little askew so that it looks like a pile."""
    step = card_mm * 0.022
    under = [
        replace(top, x_mm=top.x_mm + i * step, y_mm=top.y_mm - i * step * 1.2, blank=True) for i in range(cards, 0, -1)
    ]
    return [*under, top]


def crop_scene(items: Sequence[Item], card_mm: float, card_height_mm: float, air_mm: float = 1.0) -> Scene:
    """The smallest scene around its items."""
    left, bottom, right, top = bound_items(items, card_mm, card_height_mm, air_mm)
    moved = tuple(_move(item, -left, -bottom) for item in items)
    return Scene(right - left, top - bottom, card_mm, moved)


def bound_items(
    items: Sequence[Item], card_mm: float, card_height_mm: float, air_mm: float = 0.0
) -> tuple[float, float, float, float]:
    """The box around items: left, bottom, right, top."""
    boxes = [_box(item, card_mm, card_height_mm) for item in items]
    left, bottom = min(b[0] for b in boxes) - air_mm, min(b[1] for b in boxes) - air_mm
    return left, bottom, max(b[2] for b in boxes) + air_mm, max(b[3] for b in boxes) + air_mm


def _box(item: Item, card_mm: float, card_height_mm: float) -> tuple[float, float, float, float]:
    match item:
        case CardAt(_, x, y):
            dx, dy = card_mm / 2, card_height_mm / 2
            return x - dx, y - dy, x + dx, y + dy
        case Ring(x, y, r):
            return x - r, y - r, x + r, y + r
        case Pawn(_, x, y):
            return x - PAWN_MM, y - PAWN_MM, x + PAWN_MM, y + PAWN_MM
        case Caption(_, x, y):
            dx, dy = item.width_mm / 2, item.height_mm / 2
            return x - dx, y - dy, x + dx, y + dy
        case Arrow(a, b) | Capsule(a, b):
            return min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])


PAWN_MM = 2.1  # radius of a player's disc


def _move(item: Item, dx: float, dy: float) -> Item:
    if isinstance(item, Arrow | Capsule):
        (x0, y0), (x1, y1) = item.start, item.end
        return replace(item, start=(x0 + dx, y0 + dy), end=(x1 + dx, y1 + dy))
    return replace(item, x_mm=item.x_mm + dx, y_mm=item.y_mm + dy)
