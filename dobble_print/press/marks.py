"""Marks around the cards: crop marks, the ruler, card numbers and the sheet's own line.

Invariant: no mark lies on a card or in its bleed, except a card number on a sheet so tightly nested that the bleed is
the only place outside the cut; every mark keeps off the edge that printers cannot reach.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dobble_print.press.nesting import PRINTABLE_MARGIN_MM
from dobble_print.press.plan import CardLook, Label, Page, Slot, Stroke
from dobble_print.units import CardShape, Point

CROP_LENGTH_MM = 3.0
CROP_OFFSET_MM = 0.3  # beyond the bleed
RULER_MM = 100
STRIP_ROOM_MM = 4.2  # the ruler's ticks and the text beside them
LABEL_PT = 4.5
LABEL_COLOR = "#333333"
LABEL_HEIGHT_MM = 1.6
LETTER_MM = 0.95  # generous width of a character at LABEL_PT
LABEL_ANGLES = (-45, -135, 45, 135, -90, 90, 0, 180, -60, -120, 60, 120, -30, -150, 30, 150)


def add_crop_marks(page: Page, look: CardLook) -> Page:
    """Two short lines towards each edge of the paper for every card that looks straight at it."""
    shape = look.shape.turn(page.turn_deg)
    half = (shape.width_mm / 2, shape.height_mm / 2)
    start = look.bleed_mm + CROP_OFFSET_MM
    strokes = []
    for slot in page.slots:
        for axis in (0, 1):
            for sign in (-1, 1):
                if not _is_blocked(slot, page.slots, half, axis, sign):
                    strokes += _crop_pair(slot, half, axis, sign, start)
    inside = [stroke for stroke in strokes if _is_printable(stroke, page)]
    return replace(page, strokes=page.strokes + tuple(dict.fromkeys(inside)))


def _is_blocked(slot: Slot, slots: Sequence[Slot], half: Point, axis: int, sign: int) -> bool:
    """Whether another card stands between this one and the paper's edge in that direction."""
    here = (slot.x_mm, slot.y_mm)
    for other in slots:
        there = (other.x_mm, other.y_mm)
        beside = abs(there[1 - axis] - here[1 - axis]) < 2 * half[1 - axis]
        if other is not slot and beside and (there[axis] - here[axis]) * sign > half[axis]:
            return True
    return False


def _crop_pair(slot: Slot, half: Point, axis: int, sign: int, start: float) -> list[Stroke]:
    """The two lines that continue a card's trim edges outwards."""
    centre = (slot.x_mm, slot.y_mm)
    near = centre[axis] + sign * (half[axis] + start)
    far = near + sign * CROP_LENGTH_MM
    pair = []
    for side in (-1, 1):
        across = round(centre[1 - axis] + side * half[1 - axis], 4)
        ends = [(near, across), (far, across)] if axis == 0 else [(across, near), (across, far)]
        pair.append(Stroke(ends[0], ends[1]))
    return pair


def _is_printable(stroke: Stroke, page: Page) -> bool:
    return all(
        1.0 <= x <= page.paper.width_mm - 1.0 and 1.0 <= y <= page.paper.height_mm - 1.0
        for x, y in (stroke.start, stroke.end)
    )


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


def _strips(page: Page, look: CardLook) -> tuple[_Strip, _Strip] | None:
    """The wider pair of opposite margins, or nothing when the cards leave no room beside them."""
    left, bottom = margins(page, look)
    if max(left, bottom) < PRINTABLE_MARGIN_MM + STRIP_ROOM_MM:
        return None
    width, height, edge = page.paper.width_mm, page.paper.height_mm, PRINTABLE_MARGIN_MM
    if left >= bottom:
        return _Strip(edge, height / 2, -90.0), _Strip(width - edge, height / 2, 90.0)
    return _Strip(width / 2, edge, 0.0), _Strip(width / 2, height - edge, 180.0)


def margins(page: Page, look: CardLook) -> tuple[float, float]:
    """Free paper beside the bleeds: left (and right), bottom (and top)."""
    shape = look.shape.turn(page.turn_deg).grow(look.bleed_mm)
    left = min(slot.x_mm for slot in page.slots) - shape.width_mm / 2
    bottom = min(slot.y_mm for slot in page.slots) - shape.height_mm / 2
    return left, bottom


def add_ruler(page: Page, look: CardLook) -> Page:
    """A ruler of 100 mm in the wider margin, to see at a glance whether the printer scaled the page."""
    strips = _strips(page, look)
    if strips is None:
        return page
    strip, start = strips[0], -RULER_MM / 2
    ticks = [Stroke(strip.at(start, 0.0), strip.at(start + RULER_MM, 0.0))]
    for mm in range(0, RULER_MM + 1, 5):
        length = 2.0 if mm % 50 == 0 else 1.4 if mm % 10 == 0 else 0.8
        ticks.append(Stroke(strip.at(start + mm, 0.0), strip.at(start + mm, length)))
    label = strip.label("100 mm when printed at actual size", 3.2)
    return replace(page, strokes=page.strokes + tuple(ticks), labels=(*page.labels, label))


def add_sheet_line(page: Page, look: CardLook, text: str) -> Page:
    """The line that tells this sheet from others, in the margin opposite the ruler."""
    strips = _strips(page, look)
    if strips is None:
        return page
    return replace(page, labels=(*page.labels, strips[1].label(text, LABEL_HEIGHT_MM / 2)))


@dataclass(frozen=True)
class _NumberPlace:
    """Where a card's number stands on every sheet."""

    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    in_bleed: bool = False


def add_card_numbers(pages: Sequence[Page], look: CardLook, deck_id: str, rims: Mapping[int, str]) -> list[Page]:
    """Each card's number and the deck's id just outside its bleed, so that a lost card can be reprinted.

    The search for a free place happens once on the fullest sheet: the slots of all sheets are the same.
    """
    fullest = max(pages, key=lambda page: len(page.slots))
    longest = max(len(_number_text(slot, deck_id)) for page in pages for slot in page.slots)
    places = {(slot.x_mm, slot.y_mm): _number_place(slot, fullest, look, longest) for slot in fullest.slots}
    numbered = []
    for page in pages:
        labels = [
            _fill_label(
                places[slot.x_mm, slot.y_mm],
                _number_text(slot, deck_id),
                bleed_color(replace(look, rim_color=rims[slot.number])),
            )
            for slot in page.slots
        ]
        numbered.append(replace(page, labels=page.labels + tuple(labels)))
    return numbered


def _fill_label(place: _NumberPlace, text: str, bleed: str) -> Label:
    color = contrast(bleed) if place.in_bleed else LABEL_COLOR
    return Label(text, place.x_mm, place.y_mm, LABEL_PT - place.in_bleed * 0.5, place.turn_deg, color)


def _number_text(slot: Slot, deck_id: str) -> str:
    return f"{slot.number} · {deck_id}"


def _number_place(slot: Slot, page: Page, look: CardLook, letters: int) -> _NumberPlace:
    """Where it is free; in a honeycomb at the foot of the card, between cut and bleed."""
    grown = look.shape.turn(page.turn_deg).grow(look.bleed_mm)
    for angle in LABEL_ANGLES:
        place = _free_place(slot, angle, LETTER_MM * letters, page, grown)
        if place:
            return _NumberPlace(*place)
    away = look.shape.inner_radius_mm + look.bleed_mm / 2
    foot = math.radians(page.turn_deg - 90)
    x, y = slot.x_mm + away * math.cos(foot), slot.y_mm + away * math.sin(foot)
    return _NumberPlace(x, y, page.turn_deg, in_bleed=True)


def _free_place(slot: Slot, angle: float, width: float, page: Page, grown: CardShape) -> Point | None:
    """The nearest spot in a direction where a label touches no card's bleed and no unprintable edge."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    reach = grown.inner_radius_mm
    for step in range(50):
        x, y = slot.x_mm + cos * (reach + step * 0.5), slot.y_mm + sin * (reach + step * 0.5)
        if not _inside_paper(x, y, width, page):
            return None
        if all(_clears(x, y, width, other, grown) for other in page.slots):
            return x, y
    return None


def _inside_paper(x: float, y: float, width: float, page: Page) -> bool:
    edge = PRINTABLE_MARGIN_MM
    return edge + width / 2 <= x <= page.paper.width_mm - edge - width / 2 and edge <= y <= page.paper.height_mm - edge


def _clears(x: float, y: float, width: float, slot: Slot, grown: CardShape) -> bool:
    samples = [(x + dx * width / 2, y + dy * LABEL_HEIGHT_MM / 2) for dx in (-1, -0.5, 0, 0.5, 1) for dy in (-1, 1)]
    return all(grown.distance_mm(px - slot.x_mm, py - slot.y_mm) > 0.6 for px, py in samples)


def bleed_color(look: CardLook) -> str:
    """The colour just outside the cut."""
    return look.rim_color if look.rim_width_mm > 0 else look.background


def contrast(color: str) -> str:
    """Black or white, whichever shows on a colour."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
