"""What is claimed of the fronts: pairs that share one symbol, gaps, margins and variety."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import Any

import numpy as np
import shapely

from dobble_print.pdf.geometry import measure_scale
from dobble_print.pdf.report import Flaw
from dobble_print.units import show_count
from dobble_print.verify.decks import PrintedDeck, Symbols
from dobble_print.verify.proof import Claim, Demands, settle
from dobble_print.verify.scan import PrintedPage, ScannedCard
from dobble_print.verify.shapes import CutCard, find_place

SAME_SIZE = 1.002  # by which cards of a deck may differ in size
LEAST_MM2 = 1.0  # of a symbol on paper; less is a dot
NO_DECKS = "the file does not say which cards belong together"
NO_FACES = "the file does not say which pictures are the same symbol"


def claim_cards(
    decks: Sequence[PrintedDeck], cut: Sequence[CutCard], symbols: Symbols, pages: Sequence[PrintedPage]
) -> Claim:
    """Claim that the cards of a deck have equally many different symbols, all seen, and none is there twice."""
    strays = {page.number: page.strays[0] for page in pages if page.strays}
    flaws = [Flaw(f"page {page}: {name} is drawn outside all cards", page) for page, name in strays.items()]
    flaws += [flaw for deck in decks for flaw in _find_odd_cards(deck, symbols)]
    flaws += [flaw for each in cut for flaw in _find_unseen(each, symbols)]
    flaws += list(_find_odd_copies(decks, symbols))
    cards = sum(len(deck.cards) for deck in decks)
    names = {deck.name: deck for deck in decks}
    sizes = " + ".join(f"{show_count(len(deck.cards), 'card')} of {_usual_size(deck)}" for deck in names.values())
    copies = max(deck.copy for deck in decks)
    times = f", {copies} copies" if copies > 1 else ""
    used = {symbols.of(one) for deck in decks for card in deck.cards for one in card.placed}
    figures = {
        "cards": cards,
        "symbols": len(used),
        "decks": [
            {"deck": deck.name, "copy": deck.copy, "cards": len(deck.cards), "symbols_per_card": _usual_size(deck)}
            for deck in decks
        ],
    }
    reason = "" if all(deck.sure for deck in decks) else NO_DECKS
    return settle("cards", flaws, f"{sizes}{times}, {show_count(len(used), 'symbol')}; no card twice", figures, reason)


def _usual_size(deck: PrintedDeck) -> int:
    return Counter(len(card.placed) for card in deck.cards).most_common(1)[0][0]


def _find_odd_cards(deck: PrintedDeck, symbols: Symbols) -> Iterator[Flaw]:
    usual, scale = _usual_size(deck), median(card.scale for card in deck.cards)
    numbers = Counter(card.number for card in deck.cards)
    for card in deck.cards:
        shown = Counter(symbols.of(one) for one in card.placed)
        if len(card.placed) != usual:
            count = show_count(len(card.placed), "symbol")
            yield Flaw(f"card {card.number} has {count}, the others {usual}", card.page)
        if not 1 / SAME_SIZE < card.scale / scale < SAME_SIZE:
            yield Flaw(f"card {card.number} is not as large as the others", card.page)
        if numbers[card.number] > 1:
            yield Flaw(f"card {card.number} is there {_times(numbers[card.number])}", card.page)
        for symbol in (symbol for symbol, count in shown.items() if count > 1):
            yield Flaw(f"card {card.number} shows {symbols.name(symbol)} {_times(shown[symbol])}", card.page)


def _find_unseen(cut: CutCard, symbols: Symbols) -> Iterator[Flaw]:
    """Find forms that paint nothing or are squeezed to nothing: they are drawn but never found."""
    for one, shape in zip(cut.card.placed, cut.shapes, strict=True):
        if not shape.area >= LEAST_MM2:
            yield Flaw(f"card {cut.card.number}: nothing is seen of {symbols.name(symbols.of(one))}", cut.card.page)


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def _find_odd_copies(decks: Sequence[PrintedDeck], symbols: Symbols) -> Iterator[Flaw]:
    """Find copies of a deck with other cards than the first."""
    first: dict[str, dict[int, frozenset[int]]] = {}
    for deck in decks:
        cards = {card.number: symbols.shown_on(card) for card in deck.cards}
        model = first.setdefault(deck.name, cards)
        for number in sorted(model.keys() | cards.keys()):
            if model.get(number) != cards.get(number):
                yield Flaw(f"card {number} is not the same in every copy", deck.cards[0].page)


def claim_pairs(decks: Sequence[PrintedDeck], symbols: Symbols) -> Claim:
    """Claim that every two cards of a deck share exactly one symbol."""
    flaws: list[Flaw] = []
    certain = False
    for deck in decks:
        for one, other, common in _find_odd_pairs(deck, symbols):
            certain = certain or (deck.sure and (symbols.marked or len(common) > 1))
            flaws.append(Flaw(_describe_pair(one, other, common, symbols), other.page))
    pairs = sum(len(deck.cards) * (len(deck.cards) - 1) // 2 for deck in decks)
    if not pairs:
        return Claim("pairs", "none", "no two cards of a deck to compare")
    cards = sum(len(deck.cards) for deck in decks)
    each = "" if len(decks) == 1 else f" in {len(decks)} decks"
    share = "shares" if pairs == 1 else "share"
    well = f"{show_count(pairs, 'pair')} of {cards} cards{each} {share} exactly one symbol"
    reason = "" if certain else NO_FACES if all(deck.sure for deck in decks) else NO_DECKS
    return settle("pairs", flaws, well, {"pairs": pairs, "odd": len(flaws)}, reason)


def _find_odd_pairs(deck: PrintedDeck, symbols: Symbols) -> Iterator[tuple[ScannedCard, ScannedCard, list[int]]]:
    """Find pairs that share nothing, or more than one symbol."""
    columns = {symbol: i for i, symbol in enumerate(dict.fromkeys(symbols.by_form.values()))}
    shows = np.zeros((len(deck.cards), len(columns)), np.int32)
    for row, card in enumerate(deck.cards):
        shows[row, [columns[symbol] for symbol in symbols.shown_on(card)]] = 1
    common = shows @ shows.T
    for i, j in zip(*np.nonzero(np.triu(common != 1, 1)), strict=True):
        one, other = deck.cards[i], deck.cards[j]
        yield one, other, sorted(symbols.shown_on(one) & symbols.shown_on(other))


def _describe_pair(one: ScannedCard, other: ScannedCard, common: Sequence[int], symbols: Symbols) -> str:
    if not common:
        return f"cards {one.number} and {other.number} share no symbol"
    names = [symbols.name(symbol) for symbol in common]
    return f"cards {one.number} and {other.number} share {', '.join(names[:-1])} and {names[-1]}"


# tips finer than a pixel are lost in tracing, there and here; the larger a symbol, the larger its pixels
TOLERANCE_MM = 0.25
TOLERANCE = 0.006  # of the larger symbol's longer side
CONVEX = 0.9999  # of its hull is what a card fills whose corners all point outwards
BROAD_MM = 0.5  # boxes farther apart than the promise and this cannot hold the least distance


@dataclass(frozen=True)
class _Near:
    """Two things of a card and how far apart they are; below zero they overlap."""

    card: ScannedCard
    one: int
    other: int
    away_mm: float
    least_mm: float
    size_mm: float  # of the larger one

    @property
    def tolerance_mm(self) -> float:
        """How exactly the distance is known."""
        return max(TOLERANCE_MM, TOLERANCE * self.size_mm)

    @property
    def too_near(self) -> bool:
        """Whether the promise is broken."""
        return self.away_mm <= 0 or self.away_mm < self.least_mm - self.tolerance_mm


def _settle_distances(name: str, found: Sequence[_Near], apart: str, symbols: Symbols) -> Claim:
    # what comes nearest to the promise of its own deck: decks on shared sheets promise different things
    worst = min(found, key=lambda near: near.away_mm - near.least_mm)
    flaws = [
        Flaw(f"card {near.card.number}: {_describe_near(near, apart, symbols)}", near.card.page)
        for near in found
        if near.too_near
    ]
    exact = f"the measure may be {max(near.tolerance_mm for near in found):.2g} mm off"
    well = f"symbols keep {worst.away_mm:.2f} mm {apart} at least ({worst.least_mm:g} needed, {exact})"
    figures = {"least_mm": round(worst.away_mm, 3), "needed_mm": worst.least_mm, "card": worst.card.number}
    return settle(name, flaws, well, figures)


def _describe_near(near: _Near, apart: str, symbols: Symbols) -> str:
    one, other = (symbols.name(symbols.of(near.card.placed[slot])) for slot in (near.one, near.other))
    who, is_so, touches = (
        (one, "is", "is cut off") if near.one == near.other else (f"{one} and {other}", "are", "overlap")
    )
    if near.away_mm <= 0:
        return f"{who} {touches}"
    return f"{who} {is_so} {near.away_mm:.2f} mm {apart} ({near.least_mm:g} needed)"


def claim_gap(cut: Sequence[CutCard], symbols: Symbols, demands: Demands) -> Claim:
    """Claim that no two symbols of a card overlap or come nearer than promised."""
    gaps = [gap for each in cut for gap in _measure_gaps(each, max(each.card.gap_mm or 0.0, demands.gap_mm))]
    if not gaps:
        return Claim("gap", "none", "no card has two symbols")
    return _settle_distances("gap", gaps, "apart", symbols)


def _measure_gaps(cut: CutCard, least_mm: float) -> list[_Near]:
    """Measure every two symbols whose boxes come near each other, or the nearest boxes where none do."""
    pairs = list(combinations(_list_seen(cut), 2))
    if not pairs:
        return []
    ones, others = (np.array([cut.shapes[pair[side]] for pair in pairs]) for side in (0, 1))
    chosen = _find_near(ones, others, least_mm + BROAD_MM)
    away = shapely.distance(ones[chosen], others[chosen])
    sizes = np.maximum(_measure_sides(ones), _measure_sides(others))[chosen]
    return [
        _Near(cut.card, pairs[i][0], pairs[i][1], float(mm), least_mm, float(size))
        for i, mm, size in zip(chosen, away, sizes, strict=True)
    ]


def _find_near(ones: Any, others: Any, reach_mm: float) -> Any:
    """Find the pairs that come within reach; where none do, those whose boxes are nearest."""
    apart = _measure_boxes(shapely.bounds(ones), shapely.bounds(others))
    boxed = np.flatnonzero(apart <= reach_mm)
    shapely.prepare(ones)
    near = boxed[shapely.dwithin(ones[boxed], others[boxed], reach_mm)]
    return near if len(near) else np.flatnonzero(apart <= float(apart.min()))


def _measure_sides(shapes: Any) -> Any:
    """Return the longer sides of the shapes' boxes."""
    boxes = shapely.bounds(shapes)
    return (boxes[:, 2:] - boxes[:, :2]).max(axis=1)


def _list_seen(cut: CutCard) -> list[int]:
    return [i for i, shape in enumerate(cut.shapes) if not shape.is_empty]


def _measure_boxes(one: Any, other: Any) -> Any:
    """Return how far boxes are apart; 0 where they overlap."""
    across = np.maximum(one[:, 0] - other[:, 2], other[:, 0] - one[:, 2])
    up = np.maximum(one[:, 1] - other[:, 3], other[:, 1] - one[:, 3])
    return np.hypot(np.maximum(across, 0), np.maximum(up, 0))


def claim_margin(cut: Sequence[CutCard], symbols: Symbols, demands: Demands) -> Claim:
    """Claim that no symbol comes nearer to the cut than promised."""
    blind = sorted({each.card.page for each in cut if each.outline is None})
    if blind:
        return Claim("margin", "unknown", "the file does not say where its cards are cut", tuple(blind))
    least = [max(each.card.margin_mm or 0.0, demands.margin_mm) for each in cut]
    found = [near for each, mm in zip(cut, least, strict=True) for near in _measure_margins(each, mm)]
    if not found:
        return Claim("margin", "none", "no card has a symbol")
    return _settle_distances("margin", found, "from the cut", symbols)


def _measure_margins(cut: CutCard, least_mm: float) -> list[_Near]:
    shown = _list_seen(cut)
    if not shown or cut.outline is None:
        return []
    shapes = np.array([cut.shapes[i] for i in shown])
    depth = _measure_depth(cut.outline, [cut.hulls[i] for i in shown])
    sizes = _measure_sides(shapes)
    return [
        _Near(cut.card, i, i, float(mm), least_mm, float(size)) for i, mm, size in zip(shown, depth, sizes, strict=True)
    ]


def _measure_depth(outline: Any, hulls: Sequence[Any]) -> Any:
    """Return how deep inside the cut each hull lies; below zero it is cut off."""
    whole = shapely.convex_hull(outline)
    if outline.area < CONVEX * whole.area:
        away = shapely.distance(shapely.boundary(outline), hulls)
        return np.where(shapely.contains(outline, hulls), away, -1.0)
    rim = shapely.get_coordinates(whole)
    along = np.diff(rim, axis=0)
    inward = np.column_stack((-along[:, 1], along[:, 0])) / np.hypot(*along.T)[:, None]
    inward *= np.sign(((rim.mean(axis=0) - rim[:-1]) * inward).sum())  # rings may run either way
    points, owner = shapely.get_coordinates(hulls, return_index=True)
    away = (points @ inward.T - (rim[:-1] * inward).sum(axis=1)).min(axis=1)
    return np.minimum.reduceat(away, np.flatnonzero(np.diff(owner, prepend=-1)))


SIZE_DIFFERS = 1.05
TURN_DIFFERS_DEG = 10.0


@dataclass(frozen=True)
class _Look:
    """How large a symbol is on a card, by its enclosing circle, and how it is turned."""

    symbol: int
    size_mm: float
    turn_deg: float


def claim_variety(decks: Sequence[PrintedDeck], symbols: Symbols, silhouettes: Mapping[Hashable, Any]) -> Claim:
    """Claim how much the two looks of a match differ, over all pairs of cards."""
    radii = {key: float(shapely.minimum_bounding_radius(shape)) for key, shape in silhouettes.items()}
    looks = [[_look_at(card, symbols, radii) for card in deck.cards] for deck in decks]
    matches = [match for deck in looks for match in _list_matches(deck)]
    if not matches:
        return Claim("variety", "none", "no two cards to compare")
    sizes = np.array([(one.size_mm, other.size_mm) for one, other in matches])
    away = np.array([abs(one.turn_deg - other.turn_deg) % 360 for one, other in matches])
    by_size = float(np.mean(sizes.max(axis=1) >= SIZE_DIFFERS * sizes.min(axis=1)))
    by_turn = float(np.mean(np.minimum(away, 360 - away) >= TURN_DIFFERS_DEG))
    seen = [[one.size_mm for one in card] for deck in looks for card in deck if card]
    spread = median(max(each) / min(each) for each in seen)
    figures = {
        "matches": len(matches),
        "differ_in_size": round(by_size, 4),
        "differ_in_turn": round(by_turn, 4),
        "spread": round(spread, 3),
    }
    what = f"{by_size:.0%} of matches differ in size, {by_turn:.0%} in turn"
    what += f"; on a card the largest is {spread:.1f} times the smallest"
    return Claim("variety", "proved" if max(by_size, by_turn) >= 0.5 else "none", what, (), figures)


def _look_at(card: ScannedCard, symbols: Symbols, radii: Mapping[Hashable, float]) -> list[_Look]:
    looks = []
    for one in card.placed:
        matrix = find_place(card, one)
        size = 2 * radii.get(one.key, 0.0) * measure_scale(matrix)
        if size > 0:
            looks.append(_Look(symbols.of(one), size, math.degrees(math.atan2(matrix.b, matrix.a))))
    return looks


def _list_matches(cards: Sequence[Sequence[_Look]]) -> Iterator[tuple[_Look, _Look]]:
    found: dict[int, list[_Look]] = {}
    for card in cards:
        for look in card:
            found.setdefault(look.symbol, []).append(look)
    for same in found.values():
        yield from combinations(same, 2)
