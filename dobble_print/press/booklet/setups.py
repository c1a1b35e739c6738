"""Show how the table looks in each game, with real cards of the deck, for a given printed size of a card.

Invariant: what is ringed is a true match; an arrow shows a move that the rules allow in that position.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import shapely

from dobble_print.press.booklet.rings import find_clearest_pair, place_ring
from dobble_print.press.booklet.scene import (
    CAPTION_PT,
    PAWN_MM,
    Arrow,
    Capsule,
    Caption,
    CardAt,
    DeckCards,
    Item,
    Pawn,
    Ring,
    Scene,
)
from dobble_print.rules.facts import PictureKind
from dobble_print.sheets.nesting import Rectangle
from dobble_print.units import Point

AIR_MM = 1.0  # around a scene, and around a caption
BETWEEN = "  |  "  # of two languages on one line
CAPTION_DROP_MM = 1.3  # from a card's edge to the caption under it
CORNERS: dict[int, list[tuple[int, int]]] = {
    2: [(-1, 0), (1, 0)],
    3: [(-1, -1), (-1, 1), (1, 0)],
    4: [(-1, -1), (-1, 1), (1, 1), (1, -1)],
}
TURNS_DEG = (-9.0, 7.0, -6.0, 10.0)

Labels = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class TableSetup:
    """A table to set up: the deck, the words in each language, the number of players, a card's width."""

    deck: DeckCards
    labels: Labels
    players: int
    card_mm: float
    caption_pt: float = CAPTION_PT

    @property
    def card_height_mm(self) -> float:
        """Return how high a card prints."""
        shape = self.deck.look.shape
        return self.card_mm * shape.height_mm / shape.width_mm

    def place_seats(self) -> list[Point]:
        """Return where the players' cards lie around the middle of the table."""
        across, up = self.card_mm * 1.3 + 3, self.card_height_mm * 0.56
        return [(x * across, y * up) for x, y in CORNERS[self.players]]

    def seat_cards(self, first: int, down: bool) -> list[CardAt]:
        """Return one card at each seat, from the deck's card `first` on."""
        numbers = self.deck.numbers
        return [
            CardAt(numbers[(first + i) % len(numbers)], x, y, TURNS_DEG[i], down)
            for i, (x, y) in enumerate(self.place_seats())
        ]

    def place_pawns(self) -> list[Item]:
        """Return the players' numbers, outside their cards."""
        reach = self.card_mm / 2 + PAWN_MM + 1.2
        return [Pawn(str(i), x + math.copysign(reach, x), y) for i, (x, y) in enumerate(self.place_seats(), start=1)]

    def crop_under_middle(self, items: Sequence[Item], key: str) -> Scene:
        """Return the finished scene with one of the short words under the middle of the table."""
        return self.crop_with(items, key, (0.0, -self.card_height_mm / 2 - CAPTION_DROP_MM - self.card_mm * 0.1))

    def crop_with(self, items: Sequence[Item], key: str, top: Point, bold: bool = False) -> Scene:
        """Return the finished scene with a caption in every language, its upper edge at a point if possible."""
        texts = tuple(labels[key] for labels in self.labels)
        return self.crop([*items, self._place_caption(texts, top, items, bold)])

    def _place_caption(self, texts: tuple[str, ...], top: Point, items: Sequence[Item], bold: bool) -> Caption:
        """Place the languages' texts with their upper edge at a point, or below everything where that is covered."""
        box, joined = self._bound(items), (BETWEEN.join(texts),)
        fits = Caption(joined, *top, self.caption_pt, bold).width_mm <= box.right - box.left
        for y_mm in (top[1], box.bottom - AIR_MM):
            for lines in (joined, texts) if fits else (texts,):
                caption = Caption(lines, top[0], 0.0, self.caption_pt, bold)
                caption = replace(caption, y_mm=y_mm - caption.height_mm / 2)
                if self._is_clear(caption, items):
                    return caption
        return caption

    def _is_clear(self, caption: Caption, items: Sequence[Item]) -> bool:
        """Return whether no card, ring or player comes near: each is a point or a polygon, grown by a radius."""
        shape, box = self.deck.look.shape, self._bound([caption])
        scale, words = self.card_mm / shape.width_mm, shapely.box(box.left, box.bottom, box.right, box.top)
        for item in items:
            match item:
                case CardAt(_, x, y, turn_deg):
                    core = [(x + u * scale, y + v * scale) for u, v in shape.turn(turn_deg).core]
                    radius_mm = shape.radius_mm * scale
                case Ring(x, y, radius_mm):
                    core = [(x, y)]
                case Pawn(_, x, y):
                    core, radius_mm = [(x, y)], PAWN_MM
                case _:
                    continue
            if words.distance(shapely.MultiPoint(core).convex_hull) < radius_mm + AIR_MM:
                return False
        return True

    def crop(self, items: Sequence[Item]) -> Scene:
        """Return the finished scene, the smallest around its items."""
        box = self._bound(items)
        left, bottom, right, top = box.left - AIR_MM, box.bottom - AIR_MM, box.right + AIR_MM, box.top + AIR_MM
        return Scene(right - left, top - bottom, self.card_mm, tuple(_move(item, -left, -bottom) for item in items))

    def _bound(self, items: Sequence[Item]) -> Rectangle:
        """Return the box around items."""
        boxes = []
        for item in items:
            match item:
                case Arrow(start, end) | Capsule(start, end):
                    boxes.append(Rectangle.between(start, end))
                    continue
                case CardAt():
                    dx, dy = self.card_mm / 2, self.card_height_mm / 2
                case Caption():
                    dx, dy = item.width_mm / 2, item.height_mm / 2
                case Ring():
                    dx = dy = item.radius_mm
                case Pawn():
                    dx = dy = PAWN_MM
            boxes.append(Rectangle(item.x_mm - dx, item.y_mm - dy, item.x_mm + dx, item.y_mm + dy))
        left, bottom = min(box.left for box in boxes), min(box.bottom for box in boxes)
        return Rectangle(left, bottom, max(box.right for box in boxes), max(box.top for box in boxes))

    def make_pile(self, top: CardAt) -> list[CardAt]:
        """Return a card with some more under it, a little askew so that it looks like a pile."""
        step = self.card_mm * 0.022
        under = [
            replace(top, x_mm=top.x_mm + i * step, y_mm=top.y_mm - i * step * 1.2, blank=True) for i in (4, 3, 2, 1)
        ]
        return [*under, top]


def _move(item: Item, dx: float, dy: float) -> Item:
    if isinstance(item, Arrow | Capsule):
        (x0, y0), (x1, y1) = item.start, item.end
        return replace(item, start=(x0 + dx, y0 + dy), end=(x1 + dx, y1 + dy))
    return replace(item, x_mm=item.x_mm + dx, y_mm=item.y_mm + dy)


def set_up_tower(setup: TableSetup) -> Scene:
    """Set up the tower: a face-down card each, the rest an open pile."""
    pile = setup.make_pile(CardAt(setup.deck.numbers[0], 0, 0))
    items = [*setup.seat_cards(1, down=True), *pile, *setup.place_pawns()]
    return setup.crop_under_middle(items, "pile_up")


def set_up_well(setup: TableSetup) -> Scene:
    """Set up the well: an open card in the middle, a closed pile each."""
    piles = [item for card in setup.seat_cards(1, down=True) for item in setup.make_pile(card)]
    middle = CardAt(setup.deck.numbers[0], 0, 0)
    return setup.crop_under_middle([*piles, middle, *setup.place_pawns()], "face_up")


def set_up_potato(setup: TableSetup) -> Scene:
    """Set up the potato: an open card on every palm, and one player who passes theirs on."""
    cards = setup.seat_cards(0, down=False)
    return setup.crop([*cards, *setup.place_pawns(), *_ring_match(setup, cards[0], cards[-1])])


def set_up_gift(setup: TableSetup) -> Scene:
    """Set up the gift: an open card each, an open pile, and a gift on its way."""
    cards = setup.seat_cards(1, down=False)
    top = CardAt(setup.deck.numbers[0], 0, 0)
    match = _ring_match(setup, top, cards[min(2, len(cards) - 1)])
    return setup.crop_under_middle([*cards, *setup.make_pile(top), *setup.place_pawns(), *match], "pile_up")


def _ring_match(setup: TableSetup, giver: CardAt, taker: CardAt) -> list[Item]:
    """Return rings around the match of two cards, and the arrow along which the first goes to the second."""
    symbol = setup.deck.find_shared(giver.number, taker.number)
    rings: list[Item] = [place_ring(setup.deck, card, symbol, setup.card_mm) for card in (giver, taker)]
    dx, dy = taker.x_mm - giver.x_mm, taker.y_mm - giver.y_mm
    away, gap = math.hypot(dx, dy), setup.card_mm * 0.52
    start = (giver.x_mm + dx / away * gap, giver.y_mm + dy / away * gap)
    end = (taker.x_mm - dx / away * gap, taker.y_mm - dy / away * gap)
    return [*rings, Arrow(start, end)]


def set_up_triplet(setup: TableSetup) -> Scene:
    """Set up the triplet: nine open cards, three of them with the same symbol; a pile beside them."""
    symbol, three = setup.deck.find_triplet()
    others = [n for n in setup.deck.numbers if n not in three]
    order = [three[0], *others[:3], three[1], *others[3:6], three[2]] if three else others
    pitch, rise = setup.card_mm * 1.06, setup.card_height_mm * 1.06
    cards = [CardAt(n, (i % 3 - 1) * pitch, (1 - i // 3) * rise) for i, n in enumerate(order[:9])]
    rings = [place_ring(setup.deck, card, symbol, setup.card_mm) for card in cards if card.number in three]
    pile = setup.make_pile(CardAt(others[-1], pitch * 2.35, 0, down=True))
    drop = -setup.card_height_mm * 0.6 - CAPTION_DROP_MM
    return setup.crop_with([*cards, *rings, *pile], "pile", (pitch * 2.35, drop))


def set_up_match(setup: TableSetup) -> Scene:
    """Place two cards side by side with their match ringed and named."""
    one, other = find_clearest_pair(setup.deck)
    symbol = setup.deck.find_shared(one, other)
    apart = setup.card_mm * 0.56
    cards = [CardAt(one, -apart, 0), CardAt(other, apart, 0)]
    rings = [place_ring(setup.deck, card, symbol, setup.card_mm) for card in cards]
    foot_mm = min(-setup.card_height_mm / 2, *(ring.y_mm - ring.radius_mm for ring in rings))
    return setup.crop_with([*cards, *rings], "the_match", (0.0, foot_mm - CAPTION_DROP_MM), bold=True)


# Places in a honeycomb: x counts half steps to the right, y rows up. The winning row lies above the start card.
_LINE = ((-3, 1), (-1, 1), (1, 1), (3, 1))
_OTHERS = ((-2, 0), (2, 0), (4, 0), (-3, -1), (3, -1))


def set_up_line(setup: TableSetup) -> Scene:
    """Set up the line game just won: four of one colour in a row, the others' cards around the start card."""
    pitch = 2 * setup.deck.look.shape.inner_radius_mm * setup.card_mm / setup.deck.look.shape.width_mm * 1.03
    start, winners, others = _deal_line(setup.deck)
    spots = zip((start, *winners, *others), ((0, 0), *_LINE, *_OTHERS), strict=False)
    cards = [CardAt(n, x * pitch / 2, y * pitch * math.sqrt(3) / 2, 30.0) for n, (x, y) in spots]
    row: list[Item] = [Capsule((cards[1].x_mm, cards[1].y_mm), (cards[4].x_mm, cards[4].y_mm), pitch * 0.54)]
    top = (0.0, -setup.card_mm * 0.56 - CAPTION_DROP_MM)
    return setup.crop_with([*cards, *row], "start_card", top, bold=True)


def _deal_line(deck: DeckCards) -> tuple[int, list[int], list[int]]:
    """Return a start card, four cards of the first team, and cards of the other teams in turn."""
    teams = deck.theme.teams
    assert teams is not None
    hands = [list(deck.numbers[i * teams.cards_each : (i + 1) * teams.cards_each]) for i in range(len(teams.teams))]
    rest = hands[1:] or hands
    others = [rest[i % len(rest)][i // len(rest)] for i in range(len(_OTHERS))]
    return deck.numbers[-1], hands[0][:4], others


SETUPS: dict[PictureKind, Callable[[TableSetup], Scene]] = {
    "match": set_up_match,
    "tower": set_up_tower,
    "well": set_up_well,
    "potato": set_up_potato,
    "gift": set_up_gift,
    "triplet": set_up_triplet,
    "line": set_up_line,
}
