"""The frame of a sheet: the marks found so far, what they leave free, and the places along the paper's edges."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from dobble_print.press.box import CLEARANCE_MM, Box
from dobble_print.press.nesting import Nest
from dobble_print.press.plan import Label, Patch, Stroke, Target
from dobble_print.units import CardShape, Point

LABEL_PT = 4.5
LABEL_COLOR = "#333333"
CROP_EDGE_MM = 1.0  # crop marks may enter the unprintable edge: a shop's machine prints there
ROUNDING_MM = 1e-6


@dataclass(frozen=True)
class NumberPlace:
    """Where a card's number stands on every sheet."""

    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    in_bleed: bool = False

    def label(self, text: str, bleed: str) -> Label:
        """The number there, in a colour that shows."""
        color = contrast(bleed) if self.in_bleed else LABEL_COLOR
        return Label(text, self.x_mm, self.y_mm, LABEL_PT - self.in_bleed * 0.5, self.turn_deg, color)


@dataclass
class Frame:
    """The marks of a sheet as they are found, and what they leave free."""

    nest: Nest
    grown: CardShape
    strokes: list[Stroke] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    taken: list[Box] = field(default_factory=list)
    patches: list[Patch] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    sheet_line: Label | None = None
    numbers: dict[Point, NumberPlace | None] = field(default_factory=dict)

    def is_free(self, box: Box) -> bool:
        """Whether a box touches no bleed and no mark."""
        return not any(box.meets(other) for other in self.taken) and self._clears_cards(box)

    def _clears_cards(self, box: Box) -> bool:
        reach = max(self.grown.width_mm, self.grown.height_mm) + box.right - box.left + box.top - box.bottom
        near = [centre for centre in self.nest.centres if math.dist(centre, (box.left, box.bottom)) < reach]
        return all(
            self.grown.distance_mm(x - cx, y - cy) > CLEARANCE_MM * 0.8 for x, y in box.samples() for cx, cy in near
        )


@dataclass(frozen=True)
class Strip:
    """A place along an edge of the paper: its own x runs along the edge, its own y inwards."""

    x_mm: float
    y_mm: float
    turn_deg: float

    def at(self, along: float, inwards: float) -> Point:
        """A place of its own as a place on the paper."""
        cos, sin = round(math.cos(math.radians(self.turn_deg))), round(math.sin(math.radians(self.turn_deg)))
        return self.x_mm + cos * along - sin * inwards, self.y_mm + sin * along + cos * inwards

    def label(self, text: str, inwards: float) -> Label:
        """A line of text in its middle."""
        return Label(text, *self.at(0.0, inwards), LABEL_PT, self.turn_deg % 180)

    def box(self, length: float, inwards: float) -> Box:
        """What something of that length and thickness covers."""
        return Box.between(self.at(-length / 2, 0.0), self.at(length / 2, inwards))


def scan_edges(frame: Frame, length: float, thickness: float, edge_mm: float) -> Iterator[Strip]:
    """Free places for something long and thin along the paper's edges, those near the middle of an edge first."""
    width, height = frame.nest.paper.width_mm, frame.nest.paper.height_mm
    middle = (width / 2, height / 2)
    upright = [Strip(edge_mm, middle[1], -90.0), Strip(width - edge_mm, middle[1], 90.0)]
    level = [Strip(middle[0], edge_mm, 0.0), Strip(middle[0], height - edge_mm, 180.0)]
    left = min(x for x, _ in frame.nest.centres) - frame.grown.width_mm / 2
    bottom = min(y for _, y in frame.nest.centres) - frame.grown.height_mm / 2
    for step in range(0, round(max(middle)), 2):
        for strip in (*upright, *level) if left >= bottom else (*level, *upright):
            for along in (step, -step) if step else (0,):
                moved = replace(strip, x_mm=strip.at(along, 0)[0], y_mm=strip.at(along, 0)[1])
                box = moved.box(length, thickness)
                if box.inside(frame.nest.paper, edge_mm - ROUNDING_MM) and frame.is_free(box):
                    yield moved


def contrast(color: str) -> str:
    """Black or white, whichever shows on a colour."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
