"""How cards lie on a sheet of paper, and boxes that they must keep clear of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from dobble_print.errors import Fault, LayoutError
from dobble_print.sheets.cutting import sort_for_reading
from dobble_print.sheets.packing import Points, list_packings
from dobble_print.theme.options import LabelOptions
from dobble_print.units import CardShape, Paper, Point

CLEARANCE_MM = 0.3  # what two marks keep between them
SAMPLE_MM = 3.0


@dataclass(frozen=True)
class Rectangle:
    """A rectangle that something printed fills."""

    left: float
    bottom: float
    right: float
    top: float

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> Rectangle:
        """Return the box with that middle."""
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @classmethod
    def between(cls, one: Point, other: Point) -> Rectangle:
        """Return the box with these two points as opposite corners."""
        (x0, y0), (x1, y1) = one, other
        return cls(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

    @property
    def middle(self) -> Point:
        """Return its centre."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2

    def meets(self, other: Rectangle) -> bool:
        """Return whether two boxes come closer than marks should."""
        apart_x = max(self.left - other.right, other.left - self.right)
        apart_y = max(self.bottom - other.top, other.bottom - self.top)
        return max(apart_x, apart_y) < CLEARANCE_MM

    def samples(self) -> Iterator[Point]:
        """Yield points along its edge, close enough that no card slips in between."""
        width, height = self.right - self.left, self.top - self.bottom
        for i in range((steps := max(4, math.ceil(width / SAMPLE_MM))) + 1):
            x = self.left + width * i / steps
            yield from ((x, self.bottom), (x, self.top))
        for i in range(1, (steps := max(4, math.ceil(height / SAMPLE_MM)))):
            y = self.bottom + height * i / steps
            yield from ((self.left, y), (self.right, y))

    def inside(self, paper: Paper, edge_mm: float) -> bool:
        """Return whether it keeps off the edge of the paper."""
        return (
            self.left >= edge_mm
            and self.bottom >= edge_mm
            and self.right <= paper.width_mm - edge_mm
            and self.top <= paper.height_mm - edge_mm
        )

    def shift(self, dx: float, dy: float) -> Rectangle:
        """Return the same box elsewhere."""
        return Rectangle(self.left + dx, self.bottom + dy, self.right + dx, self.top + dy)

    def nearest_to_origin(self) -> Point:
        """Return its point that is nearest to the origin."""
        return min(max(0.0, self.left), self.right), min(max(0.0, self.bottom), self.top)


EDGE_MM = 5.0  # what office printers leave white; a cut edge must not lie there
ROOM_FOR_DRIFT_MM = 1e-6  # so that rounding never loses a row that fits exactly
Family = Callable[[float, float, CardShape], Iterable[Points]]  # arrangements of middles in a rectangle


@dataclass(frozen=True)
class Nest:
    """The paper as it lies, the card as it is turned, and the centres of the cards from the lower left corner.

    Within `edge_mm` of the paper's edge the printer leaves everything white.
    """

    paper: Paper
    shape: CardShape
    turn_deg: float
    centres: tuple[Point, ...]
    edge_mm: float = EDGE_MM


@dataclass(frozen=True)
class PrintableArea:
    """What the paper offers: the strip along its edge that stays white, zones that stay empty, the cards' gap."""

    edge_mm: float = EDGE_MM
    keep_out: tuple[Rectangle, ...] = ()
    gap_mm: float | None = None  # between the cuts of neighbours; without it each has a bleed of its own
    bleed_inside: bool = False  # whether the bleed, not only the cut, must keep off the edge


OFFICE = PrintableArea()


def nest_cards(
    paper: Paper, shape: CardShape, bleed_mm: float, area: PrintableArea = OFFICE, cards: int | None = None
) -> list[Nest]:
    """Return arrangements of cards on a sheet, the best first: those that need the fewest sheets, the nicest first.

    Where nobody says how many cards there are, most cards a sheet are best. Upright paper, unturned cards, a bleed that
    is all printed and the plainer pattern win a tie.
    """
    lying = (paper,) if area.keep_out else (paper, paper.turned())  # a zone is a place on the paper as it lies
    plain = [nest for sheet in lying for nest in _nests_on(sheet, shape, bleed_mm, area, _list_plain)]
    nests = [
        cleared
        for nest in (*plain, *_nests_on(paper, shape, bleed_mm, area, _list_packed))
        if (cleared := _clear(nest, bleed_mm, area)).centres
    ]
    if not nests:
        space = min(paper.width_mm, paper.height_mm) - 2 * area.edge_mm
        size = min(shape.width_mm, shape.height_mm)
        raise LayoutError(
            Fault(
                f"a {shape.name} card of {size:g} mm does not fit on {paper.name}",
                f"Up to about {math.floor(space)} mm does: choose a smaller --size or a larger --paper.",
            )
        )
    return sorted(dict.fromkeys(nests), key=lambda nest: count_sheets(nest, cards))


def count_sheets(nest: Nest, cards: int | None) -> int:
    """Return how many sheets so many cards need; where nobody says how many, fewer the more cards are on one."""
    return -len(nest.centres) if cards is None else math.ceil(cards / len(nest.centres))


def nest_labels(paper: Paper, shape: CardShape, labels: LabelOptions) -> Nest:
    """Return the places of a sheet of labels, as its maker gives them: from the upper left corner, row by row."""
    centres = tuple(
        (
            labels.left_mm + column * labels.across_mm + shape.width_mm / 2,
            paper.height_mm - labels.top_mm - row * labels.down_mm - shape.height_mm / 2,
        )
        for row in range(labels.rows)
        for column in range(labels.columns)
    )
    boxes = (Rectangle.around(x, y, shape.width_mm, shape.height_mm) for x, y in centres)
    if not all(box.inside(paper, -ROOM_FOR_DRIFT_MM) for box in boxes):
        what = f"{labels.columns} × {labels.rows} labels of {shape.width_mm:g} mm reach beyond {paper.name}"
        raise LayoutError(Fault(what, "Check the labels' distances against their package, and the paper."))
    return Nest(paper, shape, 0.0, centres)


def nest_fold(paper: Paper, shape: CardShape, bleed_mm: float, area: PrintableArea = OFFICE) -> tuple[Nest, bool]:
    """Nest fronts on one half of the paper, to be folded over their backs; return also if left folds over right."""
    found = []
    for sideways in (True, False):
        width, height = paper.width_mm, paper.height_mm
        half = Paper(paper.name, width / 2 if sideways else width, height if sideways else height / 2)
        # the zones of a plotter and paper that is turned make no sense on half a sheet
        half_area = replace(area, keep_out=())
        nests = [
            nest
            for family in (_list_plain, _list_packed)
            for nest in _nests_on(half, shape, bleed_mm, half_area, family)
        ]
        best = max(nests, key=lambda nest: len(nest.centres), default=Nest(half, shape, 0.0, ()))
        lift = 0.0 if sideways else height / 2
        centres = tuple((x, y + lift) for x, y in best.centres)
        found.append((replace(best, paper=paper, centres=centres), sideways))
    best_fold = max(found, key=lambda fold: len(fold[0].centres))
    if not best_fold[0].centres:
        hint = "Choose a smaller --size, a larger --paper, or another --duplex."
        raise LayoutError(Fault(f"half a sheet of {paper.name} is too small to fold over such cards", hint))
    return best_fold


def _clear(nest: Nest, bleed_mm: float, area: PrintableArea) -> Nest:
    """Return the nest without the cards that would print into a zone."""
    grown = nest.shape.grow(bleed_mm)

    def enters(box: Rectangle) -> bool:
        return any(grown.distance_mm(x, y) < 0 for x, y in (box.nearest_to_origin(), *box.samples()))

    kept = [(x, y) for x, y in nest.centres if not any(enters(box.shift(-x, -y)) for box in area.keep_out)]
    return replace(nest, centres=tuple(kept))


def _nests_on(paper: Paper, shape: CardShape, bleed_mm: float, area: PrintableArea, family: Family) -> Iterator[Nest]:
    """Yield what a family of arrangements gives, hexagons standing on a side and on a corner."""
    for turn_deg in (0.0, 30.0) if shape.name == "hex" else (0.0,):
        turned = shape.turn(turn_deg)
        apart = turned.grow(bleed_mm if area.gap_mm is None else area.gap_mm / 2)  # what neighbours keep to themselves
        grown = turned.grow(bleed_mm)
        for is_inside in (True,) if area.bleed_inside else (True, False):
            spare = 2 * (area.edge_mm if is_inside else max(0.0, area.edge_mm - bleed_mm)) - ROOM_FOR_DRIFT_MM
            width, height = paper.width_mm - spare - grown.width_mm, paper.height_mm - spare - grown.height_mm
            if width >= 0 and height >= 0:
                for points in family(width, height, apart):
                    yield Nest(paper, turned, turn_deg, _centre(points, paper), area.edge_mm)


def _centre(points: Iterable[Point], paper: Paper) -> tuple[Point, ...]:
    """Return points in the middle of the paper, in reading order."""
    xs, ys = zip(*points, strict=True)
    dx, dy = (paper.width_mm - min(xs) - max(xs)) / 2, (paper.height_mm - min(ys) - max(ys)) / 2
    return tuple(sort_for_reading((x + dx, y + dy) for x, y in zip(xs, ys, strict=True)))


def _list_plain(width: float, height: float, apart: CardShape) -> Iterator[Points]:
    """Yield columns and rows, and rows or columns shifted by half a card: the honeycomb, which hexagons take first."""
    pitch = 2 * apart.inner_radius_mm  # how close two touching sides bring two centres
    honeycomb = pitch, pitch * math.sqrt(3) / 2, pitch / 2
    is_hex, stands_on_side = apart.name == "hex", apart.width_mm > apart.height_mm + ROOM_FOR_DRIFT_MM
    if not is_hex:
        yield _fill(width, height, apart.width_mm, apart.height_mm)
    if apart.name == "round" or (is_hex and not stands_on_side):
        yield _fill(width, height, *honeycomb)
    if apart.name == "round" or (is_hex and stands_on_side):
        yield tuple((x, y) for y, x in _fill(height, width, *honeycomb))
    if is_hex:
        yield _fill(width, height, apart.width_mm, apart.height_mm)


def _list_packed(width: float, height: float, apart: CardShape) -> Iterator[Points]:
    """Yield what a search of all families finds that holds more."""
    plain = max(map(len, _list_plain(width, height, apart)))
    yield from (points for points in list_packings(width, height, apart) if len(points) > plain)


def _fill(width: float, height: float, across: float, up: float, shift: float = 0.0) -> Points:
    """Return as many points in columns and rows as there is room for; every second row is shifted."""
    columns, rows = int(width / across) + 1, int(height / up) + 1
    shifted_columns = columns if (columns - 1) * across + shift <= width else columns - 1
    return tuple(
        (column * across + (shift if row % 2 else 0.0), row * up)
        for row in range(rows)
        for column in range(shifted_columns if row % 2 else columns)
    )
