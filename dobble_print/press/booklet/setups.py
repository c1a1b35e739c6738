"""The set-ups: how the table looks in each game, with real cards of the deck, for a given printed size of a card.

Invariant: what is ringed is a true match; an arrow shows a move that the rules allow in that position.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dobble_print.press.booklet.rings import clearest_pair, ring_on
from dobble_print.press.booklet.scene import (
    CAPTION_PT,
    PAWN_MM,
    Arrow,
    Capsule,
    CardAt,
    Item,
    Pack,
    Pawn,
    Scene,
    crop_scene,
    make_pile,
    place_caption,
)
from dobble_print.rules.facts import PictureKind
from dobble_print.units import Point

CAPTION_DROP_MM = 1.3  # from a card's edge to the caption under it
CORNERS: dict[int, list[tuple[int, int]]] = {
    2: [(-1, 0), (1, 0)],
    3: [(-1, -1), (-1, 1), (1, 0)],
    4: [(-1, -1), (-1, 1), (1, 1), (1, -1)],
}
TURNS_DEG = (-9.0, 7.0, -6.0, 10.0)

Labels = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class Stage:
    """What a set-up is made of: the pack, the words in each language, how many sit at the table, a card's width."""

    pack: Pack
    labels: Labels
    players: int
    card_mm: float
    caption_pt: float = CAPTION_PT

    @property
    def card_height_mm(self) -> float:
        """How high a card prints."""
        shape = self.pack.look.shape
        return self.card_mm * shape.height_mm / shape.width_mm

    def seats(self) -> list[Point]:
        """Where the players' cards lie around the middle of the table."""
        across, up = self.card_mm * 1.3 + 3, self.card_height_mm * 0.56
        return [(x * across, y * up) for x, y in CORNERS[self.players]]

    def seat_cards(self, first: int, down: bool) -> list[CardAt]:
        """One card at each seat, from the deck's card `first` on."""
        numbers = self.pack.numbers
        return [
            CardAt(numbers[(first + i) % len(numbers)], x, y, TURNS_DEG[i], down)
            for i, (x, y) in enumerate(self.seats())
        ]

    def pawns(self) -> list[Item]:
        """The players' numbers, outside their cards."""
        reach = self.card_mm / 2 + PAWN_MM + 1.2
        return [Pawn(str(i), x + math.copysign(reach, x), y) for i, (x, y) in enumerate(self.seats(), start=1)]

    def crop_under_middle(self, items: Sequence[Item], *keys: str) -> Scene:
        """The finished scene with some of the short words under the middle of the table."""
        return self.crop_with(items, keys, (0.0, -self.card_height_mm / 2 - CAPTION_DROP_MM - self.card_mm * 0.1))

    def crop_with(self, items: Sequence[Item], keys: Sequence[str], top: Point, bold: bool = False) -> Scene:
        """The finished scene with a caption in every language of the page, its upper edge at a point if it can be."""
        texts = [" – ".join(labels[key] for key in keys) for labels in self.labels]
        caption = place_caption(texts, top, items, self.pack.look.shape, self.card_mm, self.caption_pt, bold)
        return self.crop([*items, caption])

    def crop(self, items: Sequence[Item]) -> Scene:
        """The finished scene."""
        return crop_scene(items, self.card_mm, self.card_height_mm)


def set_tower(stage: Stage) -> Scene:
    """A face-down card each, the rest an open pile."""
    pile = make_pile(CardAt(stage.pack.numbers[0], 0, 0), stage.card_mm)
    items = [*stage.seat_cards(1, down=True), *pile, *stage.pawns()]
    return stage.crop_under_middle(items, "pile", "face_up")


def set_well(stage: Stage) -> Scene:
    """An open card in the middle, a closed pile each."""
    piles = [item for card in stage.seat_cards(1, down=True) for item in make_pile(card, stage.card_mm)]
    middle = CardAt(stage.pack.numbers[0], 0, 0)
    return stage.crop_under_middle([*piles, middle, *stage.pawns()], "face_up")


def set_potato(stage: Stage) -> Scene:
    """An open card on every palm, and one player who passes theirs on."""
    cards = stage.seat_cards(0, down=False)
    return stage.crop([*cards, *stage.pawns(), *_match(stage, cards[0], cards[-1])])


def set_gift(stage: Stage) -> Scene:
    """An open card each, an open pile, and a gift on its way."""
    cards = stage.seat_cards(1, down=False)
    top = CardAt(stage.pack.numbers[0], 0, 0)
    pile = make_pile(top, stage.card_mm)
    match = _match(stage, top, cards[min(2, len(cards) - 1)])
    return stage.crop_under_middle([*cards, *pile, *stage.pawns(), *match], "pile", "face_up")


def _match(stage: Stage, giver: CardAt, taker: CardAt) -> list[Item]:
    """The rings around the match of two cards, and the arrow along which the first one goes to the second."""
    symbol = stage.pack.shared(giver.number, taker.number)
    rings: list[Item] = [ring_on(stage.pack, card, symbol, stage.card_mm) for card in (giver, taker)]
    dx, dy = taker.x_mm - giver.x_mm, taker.y_mm - giver.y_mm
    away, gap = math.hypot(dx, dy), stage.card_mm * 0.52
    start = (giver.x_mm + dx / away * gap, giver.y_mm + dy / away * gap)
    end = (taker.x_mm - dx / away * gap, taker.y_mm - dy / away * gap)
    return [*rings, Arrow(start, end)]


def set_triplet(stage: Stage) -> Scene:
    """Nine open cards, three of them with the same symbol; a pile beside them."""
    symbol, three = stage.pack.triplet()
    others = [n for n in stage.pack.numbers if n not in three]
    order = [three[0], *others[:3], three[1], *others[3:6], three[2]] if three else others
    pitch, rise = stage.card_mm * 1.06, stage.card_height_mm * 1.06
    cards = [CardAt(n, (i % 3 - 1) * pitch, (1 - i // 3) * rise) for i, n in enumerate(order[:9])]
    rings = [ring_on(stage.pack, card, symbol, stage.card_mm) for card in cards if card.number in three]
    pile = make_pile(CardAt(others[-1], pitch * 2.35, 0, down=True), stage.card_mm)
    drop = -stage.card_height_mm * 0.6 - CAPTION_DROP_MM
    return stage.crop_with([*cards, *rings, *pile], ("pile",), (pitch * 2.35, drop))


def set_match(stage: Stage) -> Scene:
    """Two cards side by side with their match ringed and named."""
    one, other = clearest_pair(stage.pack)
    symbol = stage.pack.shared(one, other)
    apart = stage.card_mm * 0.56
    cards = [CardAt(one, -apart, 0), CardAt(other, apart, 0)]
    rings = [ring_on(stage.pack, card, symbol, stage.card_mm) for card in cards]
    foot = min(-stage.card_height_mm / 2, *(ring.y_mm - ring.radius_mm for ring in rings))
    return stage.crop_with([*cards, *rings], ("the_match",), (0.0, foot - CAPTION_DROP_MM), bold=True)


# Places in a honeycomb: x counts half steps to the right, y rows up. The winning row lies above the start card.
_LINE = ((-3, 1), (-1, 1), (1, 1), (3, 1))
_OTHERS = ((-2, 0), (2, 0), (4, 0), (-3, -1), (3, -1))


def set_line(stage: Stage) -> Scene:
    """A round of the line game just won: four of one colour in a row, cards of the others around the start card."""
    pitch = 2 * stage.pack.look.shape.inner_radius_mm * stage.card_mm / stage.pack.look.shape.width_mm * 1.03
    start, winners, others = _deal_line(stage.pack)
    spots = zip((start, *winners, *others), ((0, 0), *_LINE, *_OTHERS), strict=False)
    cards = [CardAt(n, x * pitch / 2, y * pitch * math.sqrt(3) / 2, 30.0) for n, (x, y) in spots]
    row: list[Item] = [Capsule((cards[1].x_mm, cards[1].y_mm), (cards[4].x_mm, cards[4].y_mm), pitch * 0.54)]
    top = (0.0, -stage.card_mm * 0.56 - CAPTION_DROP_MM)
    return stage.crop_with([*cards, *row], ("start_card",), top, bold=True)


def _deal_line(pack: Pack) -> tuple[int, list[int], list[int]]:
    """A start card, four cards of the first team, and cards of the other teams in turn."""
    teams = pack.theme.teams
    assert teams is not None
    hands = [list(pack.numbers[i * teams.cards_each : (i + 1) * teams.cards_each]) for i in range(len(teams.teams))]
    rest = hands[1:] or hands
    others = [rest[i % len(rest)][i // len(rest)] for i in range(len(_OTHERS))]
    return pack.numbers[-1], hands[0][:4], others


SETUPS: dict[PictureKind, Callable[[Stage], Scene]] = {
    "match": set_match,
    "tower": set_tower,
    "well": set_well,
    "potato": set_potato,
    "gift": set_gift,
    "triplet": set_triplet,
    "line": set_line,
}
