"""Nesting: how many cards fit on a sheet, and where.

Invariant: cards of a nest keep their bleeds apart, stay printable, and the nest as a whole is centred on the paper, so
that a mirrored back lands on its front.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from dobble_print.errors import Fault, LayoutError
from dobble_print.units import CardShape, Paper, Point

PRINTABLE_MARGIN_MM = 5.0  # what office printers leave white; a cut edge must not lie there
ROOM_FOR_DRIFT_MM = 1e-6  # so that rounding never loses a row that fits exactly


@dataclass(frozen=True)
class Nest:
    """The paper as it lies, the card as it is turned, and the centres of the cards from the lower left corner."""

    paper: Paper
    shape: CardShape
    turn_deg: float
    centres: tuple[Point, ...]


@dataclass(frozen=True)
class _Lattice:
    """Columns and rows of centres; `stagger` shifts every second row by half a column step."""

    across: float
    up: float
    stagger: bool


def nest_cards(paper: Paper, shape: CardShape, bleed_mm: float) -> Nest:
    """The arrangement with the most cards; upright paper and unturned cards win a tie."""
    nests = [
        nest
        for lying in (paper, paper.turned())
        for turn_deg in ((0.0, 30.0) if shape.name == "hex" else (0.0,))
        for nest in _nests_on(lying, shape, turn_deg, bleed_mm)
    ]
    best = max(nests, key=lambda nest: len(nest.centres))
    if not best.centres:
        room = min(paper.width_mm, paper.height_mm) - 2 * PRINTABLE_MARGIN_MM
        size = min(shape.width_mm, shape.height_mm)
        raise LayoutError(
            Fault(
                f"a {shape.name} card of {size:g} mm does not fit on {paper.name}",
                f"Up to about {math.floor(room)} mm does: choose a smaller --size or a larger --paper.",
            )
        )
    return best


def _nests_on(paper: Paper, shape: CardShape, turn_deg: float, bleed_mm: float) -> Iterator[Nest]:
    turned = shape.turn(turn_deg)
    grown = turned.grow(bleed_mm)
    pitch = 2 * grown.inner_radius_mm  # how close two touching sides bring two centres
    row_step = pitch * math.sqrt(3) / 2
    yield Nest(paper, turned, turn_deg, _fill(paper, grown, bleed_mm, _Lattice(grown.width_mm, grown.height_mm, False)))
    if shape.name == "round" or (shape.name == "hex" and turn_deg == 30):
        yield Nest(paper, turned, turn_deg, _fill(paper, grown, bleed_mm, _Lattice(pitch, row_step, True)))
    if shape.name == "round" or (shape.name == "hex" and turn_deg == 0):
        lattice = _Lattice(pitch, row_step, True)
        sideways = _fill(paper.turned(), grown.turn(90), bleed_mm, lattice)
        yield Nest(paper, turned, turn_deg, _reading_order([(y, x) for x, y in sideways]))


def _fill(paper: Paper, grown: CardShape, bleed_mm: float, lattice: _Lattice) -> tuple[Point, ...]:
    """As many lattice points as the paper takes, centred."""
    spare = 2 * max(0.0, PRINTABLE_MARGIN_MM - bleed_mm) - ROOM_FOR_DRIFT_MM
    width, height = paper.width_mm - spare - grown.width_mm, paper.height_mm - spare - grown.height_mm
    if width < 0 or height < 0:
        return ()
    columns, rows = int(width / lattice.across) + 1, int(height / lattice.up) + 1
    shift = lattice.across / 2 if lattice.stagger else 0.0
    shifted_columns = columns if (columns - 1) * lattice.across + shift <= width else columns - 1
    points = [
        (column * lattice.across + (shift if row % 2 else 0.0), row * lattice.up)
        for row in range(rows)
        for column in range(shifted_columns if row % 2 else columns)
    ]
    return _reading_order(_centred(points, paper))


def _centred(points: list[Point], paper: Paper) -> list[Point]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    dx = (paper.width_mm - min(xs) - max(xs)) / 2
    dy = (paper.height_mm - min(ys) - max(ys)) / 2
    return [(x + dx, y + dy) for x, y in points]


def _reading_order(points: list[Point]) -> tuple[Point, ...]:
    return tuple(sorted(points, key=lambda point: (-round(point[1], 3), round(point[0], 3))))
