"""Marks around the cards: ruler, sheet line, crop marks, card numbers, and what presses and plotters look for.

They are placed once for a full sheet and are the same on every sheet of a deck. Invariant: no mark lies on a card, in a
bleed or on another mark, except a card number on a sheet so tightly nested that the bleed is the only place outside the
cut; every mark keeps off the edge that printers cannot reach.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dobble_print.press.box import Box
from dobble_print.press.frame import CROP_EDGE_MM, Frame, NumberPlace, scan_edges
from dobble_print.press.nesting import Nest
from dobble_print.press.plan import CardLook, Patch, Stroke
from dobble_print.press.press_marks import add_color_bar, add_targets
from dobble_print.press.sheet_words import SheetWords, find_words
from dobble_print.theme.machine_model import BarPlace, TargetPlace
from dobble_print.units import Point

CROP_LENGTH_MM = 3.0
CROP_OFFSET_MM = 0.3  # beyond the bleed
RULER_MM = 100
STRIP_ROOM_MM = 4.2  # the ruler's ticks and the text beside them
LABEL_HEIGHT_MM = 1.6
LETTER_MM = 0.95  # generous width of a character at LABEL_PT
LABEL_ANGLES = (-45, -135, 45, 135, -90, 90, 0, 180, -60, -120, 60, 120, -30, -150, 30, 150)
LABEL_REACH_MM = 14.0  # further away nobody sees whose number it is
LEAST_BLEED_FOR_NUMBER_MM = 2.0  # a number in a narrower bleed would touch the card


@dataclass(frozen=True)
class MarkWishes:
    """Which marks a sheet carries; `plotter` are the marks of a cutting machine, `reserved` the zones around them.

    `targets` are the places of those on the other side of the sheet, seen from here: they must lie behind each other.
    """

    crop_marks: bool = True
    ruler: bool = True
    words: SheetWords = field(default_factory=find_words)
    registration: bool = False
    color_bar: bool = False
    registration_at: TargetPlace = "sides"
    color_bar_at: BarPlace = "any"
    targets: tuple[Point, ...] = ()
    plotter: tuple[Box, ...] = ()
    reserved: tuple[Box, ...] = ()


def frame_sheet(
    nest: Nest,
    look: CardLook,
    wishes: MarkWishes,
    longest_number: int,
    slug_mm: float = RULER_MM,
    others: tuple[Point, ...] = (),
) -> Frame:
    """Place all marks of a full sheet, the less movable ones first; `slug_mm` is how long the sheet line gets.

    `others` are cards on the sheet that have no number, such as the backs of a sheet that is folded.
    """
    frame = Frame(replace(nest, centres=(*nest.centres, *others)), nest.shape.grow(look.bleed_mm))
    frame.taken += wishes.reserved
    frame.patches += [Patch(box) for box in wishes.plotter]
    if wishes.ruler:
        _add_ruler(frame, wishes.words.ruler)
    if wishes.crop_marks:
        _add_crop_marks(frame, look)
    if wishes.registration:
        add_targets(frame, wishes.registration_at, wishes.targets)
    if wishes.color_bar:
        add_color_bar(frame, wishes.color_bar_at)
    _add_slug(frame, slug_mm)
    for centre in nest.centres:
        frame.numbers[centre] = _find_number_place(frame, centre, look, LETTER_MM * longest_number)
    return frame


def _add_ruler(frame: Frame, words: str) -> None:
    """A ruler of 100 mm, to see at a glance whether the printer scaled the page; none where there is no room."""
    strip = next(scan_edges(frame, RULER_MM, STRIP_ROOM_MM, frame.nest.edge_mm), None)
    if strip is None:
        return
    start = -RULER_MM / 2
    frame.strokes.append(Stroke(strip.at(start, 0.0), strip.at(start + RULER_MM, 0.0)))
    for mm in range(0, RULER_MM + 1, 5):
        length = 2.0 if mm % 50 == 0 else 1.4 if mm % 10 == 0 else 0.8
        frame.strokes.append(Stroke(strip.at(start + mm, 0.0), strip.at(start + mm, length)))
    frame.labels.append(strip.label(words, 3.2))
    frame.taken.append(strip.box(RULER_MM, STRIP_ROOM_MM))


def _add_slug(frame: Frame, length: float) -> None:
    """Room for the sheet line; none where the cards leave none."""
    strip = next(scan_edges(frame, length, LABEL_HEIGHT_MM, frame.nest.edge_mm), None)
    if strip:
        frame.sheet_line = strip.label("", LABEL_HEIGHT_MM / 2)
        frame.taken.append(strip.box(length, LABEL_HEIGHT_MM))


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
    kept = [stroke for stroke in found if _may_stand(frame, Box.between(stroke.start, stroke.end))]
    frame.strokes += kept
    frame.taken += (Box.between(stroke.start, stroke.end) for stroke in kept)


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


def _find_number_place(frame: Frame, centre: Point, look: CardLook, width: float) -> NumberPlace | None:
    """Just outside the bleed where it is free; in a honeycomb at the foot of the card, between cut and bleed."""
    for angle in LABEL_ANGLES:
        box = _find_free_box(frame, centre, angle, width)
        if box:
            frame.taken.append(box)
            return NumberPlace(*box.middle)
    if look.bleed_mm < LEAST_BLEED_FOR_NUMBER_MM or look.share_edges:
        return None
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
        if not box.inside(frame.nest.paper, frame.nest.edge_mm):
            return None
        if frame.is_free(box):
            return box
    return None


def bleed_color(look: CardLook) -> str:
    """The colour just outside the cut."""
    return look.rim_color if look.rim_width_mm > 0 else look.background
