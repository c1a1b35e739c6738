"""Marks around the cards: ruler, sheet line, crop marks and card numbers.

They are placed once for a full sheet and are the same on every sheet of a deck. Invariant: no mark lies on a card, in a
bleed or on another mark, except a card number on a sheet so tightly nested that the bleed is the only place outside the
cut; every mark keeps off the edge that printers cannot reach.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dobble_print.press.nesting import PRINTABLE_MARGIN_MM, Nest
from dobble_print.press.plan import CardLook, Label, Stroke
from dobble_print.units import CardShape, Paper, Point

CROP_LENGTH_MM = 3.0
CROP_OFFSET_MM = 0.3  # beyond the bleed
CROP_EDGE_MM = 1.0  # crop marks may enter the unprintable edge: a shop's machine prints there
RULER_MM = 100
STRIP_ROOM_MM = 4.2  # the ruler's ticks and the text beside them
LABEL_PT = 4.5
LABEL_COLOR = "#333333"
LABEL_HEIGHT_MM = 1.6
LETTER_MM = 0.95  # generous width of a character at LABEL_PT
LABEL_ANGLES = (-45, -135, 45, 135, -90, 90, 0, 180, -60, -120, 60, 120, -30, -150, 30, 150)
LABEL_REACH_MM = 14.0  # further away nobody sees whose number it is
CLEARANCE_MM = 0.3


@dataclass(frozen=True)
class Box:
    """A rectangle that something printed fills."""

    left: float
    bottom: float
    right: float
    top: float

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> Box:
        """The box with that middle."""
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @classmethod
    def of_stroke(cls, stroke: Stroke) -> Box:
        """The box of a line."""
        (x0, y0), (x1, y1) = stroke.start, stroke.end
        return cls(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

    def meets(self, other: Box) -> bool:
        """Whether two boxes come closer than marks should."""
        apart_x = max(self.left - other.right, other.left - self.right)
        apart_y = max(self.bottom - other.top, other.bottom - self.top)
        return max(apart_x, apart_y) < CLEARANCE_MM

    def samples(self) -> Iterator[Point]:
        """Points along its edge."""
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            x, y = self.left + share * (self.right - self.left), self.bottom + share * (self.top - self.bottom)
            yield from ((x, self.bottom), (x, self.top), (self.left, y), (self.right, y))

    def inside(self, paper: Paper, edge_mm: float) -> bool:
        """Whether it keeps off the edge of the paper."""
        return (
            self.left >= edge_mm
            and self.bottom >= edge_mm
            and self.right <= paper.width_mm - edge_mm
            and self.top <= paper.height_mm - edge_mm
        )


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
    sheet_line: Label | None = None
    numbers: dict[Point, NumberPlace] = field(default_factory=dict)

    def is_free(self, box: Box) -> bool:
        """Whether a box touches no bleed and no mark."""
        return not any(box.meets(other) for other in self.taken) and self._clears_cards(box)

    def _clears_cards(self, box: Box) -> bool:
        reach = max(self.grown.width_mm, self.grown.height_mm) + box.right - box.left + box.top - box.bottom
        near = [centre for centre in self.nest.centres if math.dist(centre, (box.left, box.bottom)) < reach]
        return all(
            self.grown.distance_mm(x - cx, y - cy) > CLEARANCE_MM * 0.8 for x, y in box.samples() for cx, cy in near
        )


def frame_sheet(nest: Nest, look: CardLook, crop_marks: bool, ruler: bool, longest_number: int) -> Frame:
    """Place all marks of a full sheet, the less movable ones first."""
    frame = Frame(nest, nest.shape.grow(look.bleed_mm))
    _add_strips(frame, ruler)
    if crop_marks:
        _add_crop_marks(frame, look)
    for centre in nest.centres:
        frame.numbers[centre] = _find_number_place(frame, centre, look, LETTER_MM * longest_number)
    return frame


def _add_strips(frame: Frame, ruler: bool) -> None:
    """The ruler in the wider margin, the sheet line opposite; nothing where the cards leave no room."""
    strips = _find_strips(frame)
    if strips is None:
        return
    if ruler:
        _add_ruler(frame, strips[0])
    frame.sheet_line = strips[1].label("", LABEL_HEIGHT_MM / 2)
    frame.taken.append(strips[1].box(RULER_MM, LABEL_HEIGHT_MM))


@dataclass(frozen=True)
class _Strip:
    """A margin of the paper: its own x runs along the edge, its own y from the printable edge inwards."""

    x_mm: float
    y_mm: float
    turn_deg: float

    def at(self, along: float, inwards: float) -> Point:
        cos, sin = round(math.cos(math.radians(self.turn_deg))), round(math.sin(math.radians(self.turn_deg)))
        return self.x_mm + cos * along - sin * inwards, self.y_mm + sin * along + cos * inwards

    def label(self, text: str, inwards: float) -> Label:
        return Label(text, *self.at(0.0, inwards), LABEL_PT, self.turn_deg % 180)

    def box(self, length: float, inwards: float) -> Box:
        return Box.of_stroke(Stroke(self.at(-length / 2, 0.0), self.at(length / 2, inwards)))


def _find_strips(frame: Frame) -> tuple[_Strip, _Strip] | None:
    """The wider pair of opposite margins."""
    paper, edge = frame.nest.paper, PRINTABLE_MARGIN_MM
    left = min(x for x, _ in frame.nest.centres) - frame.grown.width_mm / 2
    bottom = min(y for _, y in frame.nest.centres) - frame.grown.height_mm / 2
    if max(left, bottom) < edge + STRIP_ROOM_MM:
        return None
    if left >= bottom:
        return _Strip(edge, paper.height_mm / 2, -90.0), _Strip(paper.width_mm - edge, paper.height_mm / 2, 90.0)
    return _Strip(paper.width_mm / 2, edge, 0.0), _Strip(paper.width_mm / 2, paper.height_mm - edge, 180.0)


def _add_ruler(frame: Frame, strip: _Strip) -> None:
    """A ruler of 100 mm, to see at a glance whether the printer scaled the page."""
    start = -RULER_MM / 2
    frame.strokes.append(Stroke(strip.at(start, 0.0), strip.at(start + RULER_MM, 0.0)))
    for mm in range(0, RULER_MM + 1, 5):
        length = 2.0 if mm % 50 == 0 else 1.4 if mm % 10 == 0 else 0.8
        frame.strokes.append(Stroke(strip.at(start + mm, 0.0), strip.at(start + mm, length)))
    frame.labels.append(strip.label("100 mm when printed at actual size", 3.2))
    frame.taken.append(strip.box(RULER_MM, STRIP_ROOM_MM))


def _add_crop_marks(frame: Frame, look: CardLook) -> None:
    """Two short lines towards each edge of the paper for every card that looks straight at it."""
    half = (frame.nest.shape.width_mm / 2, frame.nest.shape.height_mm / 2)
    start = look.bleed_mm + CROP_OFFSET_MM
    found: dict[Stroke, None] = {}
    for centre in frame.nest.centres:
        for axis in (0, 1):
            for sign in (-1, 1):
                if not _is_blocked(centre, frame.nest.centres, half, axis, sign):
                    found |= dict.fromkeys(_crop_pair(centre, half, axis, sign, start))
    kept = [stroke for stroke in found if _may_stand(frame, Box.of_stroke(stroke))]
    frame.strokes += kept
    frame.taken += map(Box.of_stroke, kept)


def _may_stand(frame: Frame, box: Box) -> bool:
    return box.inside(frame.nest.paper, CROP_EDGE_MM) and frame.is_free(box)


def _is_blocked(centre: Point, centres: Sequence[Point], half: Point, axis: int, sign: int) -> bool:
    """Whether another card stands between this one and the paper's edge in that direction."""
    return any(
        abs(other[1 - axis] - centre[1 - axis]) < 2 * half[1 - axis]
        and (other[axis] - centre[axis]) * sign > half[axis]
        for other in centres
        if other != centre
    )


def _crop_pair(centre: Point, half: Point, axis: int, sign: int, start: float) -> list[Stroke]:
    """The two lines that continue a card's trim edges outwards."""
    near = centre[axis] + sign * (half[axis] + start)
    far = near + sign * CROP_LENGTH_MM
    pair = []
    for side in (-1, 1):
        across = round(centre[1 - axis] + side * half[1 - axis], 4)
        ends = [(near, across), (far, across)] if axis == 0 else [(across, near), (across, far)]
        pair.append(Stroke(ends[0], ends[1]))
    return pair


def _find_number_place(frame: Frame, centre: Point, look: CardLook, width: float) -> NumberPlace:
    """Just outside the bleed where it is free; in a honeycomb at the foot of the card, between cut and bleed."""
    for angle in LABEL_ANGLES:
        box = _find_free_box(frame, centre, angle, width)
        if box:
            frame.taken.append(box)
            return NumberPlace((box.left + box.right) / 2, (box.bottom + box.top) / 2)
    away = look.shape.inner_radius_mm + look.bleed_mm / 2
    foot = math.radians(frame.nest.turn_deg - 90)
    x, y = centre[0] + away * math.cos(foot), centre[1] + away * math.sin(foot)
    return NumberPlace(x, y, frame.nest.turn_deg, in_bleed=True)


def _find_free_box(frame: Frame, centre: Point, angle: float, width: float) -> Box | None:
    """The nearest room for a label in a direction."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    reach = frame.grown.inner_radius_mm
    for step in range(round(2 * LABEL_REACH_MM)):
        away = reach + step * 0.5
        box = Box.around(centre[0] + cos * away, centre[1] + sin * away, width, LABEL_HEIGHT_MM)
        if not box.inside(frame.nest.paper, PRINTABLE_MARGIN_MM):
            return None
        if frame.is_free(box):
            return box
    return None


def bleed_color(look: CardLook) -> str:
    """The colour just outside the cut."""
    return look.rim_color if look.rim_width_mm > 0 else look.background


def contrast(color: str) -> str:
    """Black or white, whichever shows on a colour."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
