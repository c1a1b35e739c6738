"""The marks around the cards: crop marks, ruler, sheet line, targets, colour bar and a plotter's marks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from dobble_print.errors import Fault, LayoutError
from dobble_print.resources import read_table
from dobble_print.sheets.nesting import CLEARANCE_MM, Box, Nest
from dobble_print.sheets.plan import CardLook, Label, Patch, Stroke, Target
from dobble_print.theme.model import Theme
from dobble_print.theme.options import BarPlace, PlotterOptions, TargetPlace
from dobble_print.units import CardShape, Paper, Point

FALLBACK = "en"


@dataclass(frozen=True)
class SheetWords:
    """The words of one language; `deck`, `sheet` and `job` are formats."""

    ruler: str
    deck: str  # deck {id}
    sheet: str  # sheet {number} of {count}
    back: str
    backs: str
    job: str


def choose_words(theme: Theme) -> SheetWords:
    """Return the words for whoever prints a theme's sheets."""
    return find_words(theme.languages if theme.press.standard == "none" else ())


@cache
def find_words(languages: tuple[str, ...] = ()) -> SheetWords:
    """Return the words of the first of these languages; a region falls back to its language: pt-BR to pt."""
    table, language = read_table("sheets.yaml"), languages[0] if languages else FALLBACK
    return SheetWords(**(table.get(language) or table.get(language.split("-")[0]) or table[FALLBACK]))


PLOTTER_CLEARANCE_MM = 2.0


def place_marks(paper: Paper, marks: PlotterOptions) -> tuple[Box, ...]:
    """Return what is filled with black: the square, then the two arms of each bracket; no two boxes overlap."""
    area = find_cutting_area(paper, marks)
    left, bottom, right, top = area.left, area.bottom, area.right, area.top
    arm, line = marks.arm_mm, marks.line_mm
    return (
        Box(left, top - marks.square_mm, left + marks.square_mm, top),
        Box(right - arm, top - line, right, top),
        Box(right - line, top - arm, right, top - line),
        Box(left, bottom, left + arm, bottom + line),
        Box(left, bottom + line, left + line, bottom + arm),
    )


def keep_out(paper: Paper, marks: PlotterOptions, clearance_mm: float = PLOTTER_CLEARANCE_MM) -> tuple[Box, ...]:
    """Return where nothing may print: around each mark the square that its arms span, out to the edges of the paper.

    The sensor searches the corner of the black square as widely as those of the brackets.
    """
    find_cutting_area(paper, marks)
    side = marks.inset_mm + max(marks.arm_mm, marks.square_mm) + clearance_mm
    width, height = paper.width_mm, paper.height_mm
    return (
        Box(0.0, height - side, side, height),
        Box(width - side, height - side, width, height),
        Box(0.0, 0.0, side, side),
    )


def find_cutting_area(paper: Paper, marks: PlotterOptions) -> Box:
    """Return the rectangle between the marks: a desktop cutter does not cut outside it."""
    room = 2 * (marks.inset_mm + max(marks.arm_mm, marks.square_mm))
    if min(paper.width_mm, paper.height_mm) <= room:
        raise LayoutError(
            Fault(
                f"{paper.name} is too small for registration marks",
                f"They need a sheet of more than {room:g} mm on each side: choose a larger --paper.",
            )
        )
    inset = marks.inset_mm
    return Box(inset, inset, paper.width_mm - inset, paper.height_mm - inset)


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
        """Return the number there, in a colour that shows."""
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

    def has_room(self, box: Box, edge_mm: float) -> bool:
        """Return whether a box is free and keeps off the edge of the paper."""
        return box.inside(self.nest.paper, edge_mm) and self.is_free(box)

    def is_free(self, box: Box) -> bool:
        """Return whether a box touches no bleed and no mark."""
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
        """Return a place of its own as a place on the paper."""
        cos, sin = round(math.cos(math.radians(self.turn_deg))), round(math.sin(math.radians(self.turn_deg)))
        return self.x_mm + cos * along - sin * inwards, self.y_mm + sin * along + cos * inwards

    def label(self, text: str, inwards: float) -> Label:
        """Return a line of text in its middle."""
        return Label(text, *self.at(0.0, inwards), LABEL_PT, self.turn_deg % 180)

    def box(self, length: float, inwards: float) -> Box:
        """Return what something of that length and thickness covers."""
        return Box.between(self.at(-length / 2, 0.0), self.at(length / 2, inwards))


def scan_edges(frame: Frame, length: float, thickness: float, edge_mm: float) -> Iterator[Strip]:
    """Yield free places for something long and thin along the paper's edges, those near the middle of an edge first."""
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
                if frame.has_room(box, edge_mm - ROUNDING_MM):
                    yield moved


def contrast(color: str) -> str:
    """Return black or white, whichever shows on a colour."""
    return "#000000" if measure_brightness(color) > 140 else "#ffffff"


def measure_brightness(color: str) -> float:
    """Return how bright a colour looks, from 0 to 255."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


TARGET_MM = 6.0
PATCH_MM = 4.0
TURNS: dict[BarPlace, float] = {"left": -90.0, "right": 90.0, "bottom": 0.0, "top": 180.0}  # of a strip there
# the inks alone, two by two, black in steps, and grey made of three inks beside grey made of black
BAR = (
    *((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)),
    *((0.0, 1.0, 1.0, 0.0), (1.0, 0.0, 1.0, 0.0), (1.0, 1.0, 0.0, 0.0)),
    *((0.0, 0.0, 0.0, 0.5), (0.5, 0.4, 0.4, 0.0)),
)


def add_targets(frame: Frame, place: TargetPlace, given: Sequence[Point] = ()) -> None:
    """Add two pairs of targets near the middles of the sides, one in each corner, or where the other side has them."""
    if given:
        _take(frame, given)
        return
    for candidates in _list_corners(frame) if place == "corners" else _list_sides(frame):
        fitting = (
            pair for pair in candidates if all(frame.has_room(_box(at), CROP_EDGE_MM - ROUNDING_MM) for at in pair)
        )
        _take(frame, next(fitting, ()))


def _take(frame: Frame, points: Sequence[Point]) -> None:
    frame.targets += [Target(*point) for point in points]
    frame.taken += [_box(point) for point in points]


def _box(point: Point) -> Box:
    return Box.around(*point, TARGET_MM, TARGET_MM)


def _insets(frame: Frame) -> tuple[float, float]:
    """Return the distances of targets from the edge to try: where the machine prints, else nearer to the edge."""
    return frame.nest.edge_mm + TARGET_MM / 2, CROP_EDGE_MM + TARGET_MM / 2


def _list_sides(frame: Frame) -> Iterator[Iterator[tuple[Point, ...]]]:
    """Yield places below and above, left and right: pairs that face each other, those nearest to the middle first."""
    width, height = frame.nest.paper.width_mm, frame.nest.paper.height_mm
    yield (((x, inset), (x, height - inset)) for inset in _insets(frame) for x in _walk_out(width))
    yield (((inset, y), (width - inset, y)) for inset in _insets(frame) for y in _walk_out(height))


def _walk_out(length: float) -> Iterator[float]:
    for step in range(0, round(length / 2), 2):
        yield from (length / 2 + step, length / 2 - step) if step else (length / 2,)


def _list_corners(frame: Frame) -> Iterator[Iterator[tuple[Point, ...]]]:
    """Yield the four corners, each by itself: a shop that wants them there wants them nowhere else."""
    width, height = frame.nest.paper.width_mm, frame.nest.paper.height_mm
    for right in (False, True):
        for top in (False, True):
            yield (((width - inset if right else inset, height - inset if top else inset),) for inset in _insets(frame))


def add_color_bar(frame: Frame, place: BarPlace) -> None:
    """Add a row of patches along an edge, as near to its middle as there is room."""
    length = PATCH_MM * len(BAR)
    strips = (
        strip
        for edge_mm in (frame.nest.edge_mm, CROP_EDGE_MM)
        for strip in scan_edges(frame, length, PATCH_MM, edge_mm)
        if place == "any" or strip.turn_deg == TURNS[place]
    )
    strip = next(strips, None)
    if strip is None:
        return
    frame.taken.append(strip.box(length, PATCH_MM))
    for i, ink in enumerate(BAR):
        start = i * PATCH_MM - length / 2
        frame.patches.append(Patch(Box.between(strip.at(start, 0.0), strip.at(start + PATCH_MM, PATCH_MM)), ink))


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
class MarkOptions:
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
    options: MarkOptions,
    longest_number: int,
    slug_mm: float = RULER_MM,
    others: tuple[Point, ...] = (),
) -> Frame:
    """Place all marks of a full sheet, the less movable ones first; `slug_mm` is how long the sheet line gets.

    `others` are cards on the sheet that have no number, such as the backs of a sheet that is folded.
    """
    frame = Frame(replace(nest, centres=(*nest.centres, *others)), nest.shape.grow(look.bleed_mm))
    frame.taken += options.reserved
    frame.patches += [Patch(box) for box in options.plotter]
    if options.ruler:
        _add_ruler(frame, options.words.ruler)
    if options.crop_marks:
        _add_crop_marks(frame, look)
    if options.registration:
        add_targets(frame, options.registration_at, options.targets)
    if options.color_bar:
        add_color_bar(frame, options.color_bar_at)
    _add_slug(frame, slug_mm)
    for centre in nest.centres:
        frame.numbers[centre] = _find_number_place(frame, centre, look, LETTER_MM * longest_number)
    return frame


def _add_ruler(frame: Frame, words: str) -> None:
    """Add a ruler of 100 mm, to see at a glance whether the printer scaled the page; none where there is no room."""
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
    """Add room for the sheet line; none where the cards leave none."""
    strip = next(scan_edges(frame, length, LABEL_HEIGHT_MM, frame.nest.edge_mm), None)
    if strip:
        frame.sheet_line = strip.label("", LABEL_HEIGHT_MM / 2)
        frame.taken.append(strip.box(length, LABEL_HEIGHT_MM))


def _add_crop_marks(frame: Frame, look: CardLook) -> None:
    """Add two short lines towards each edge of the paper for every card that looks straight at it."""
    half = (frame.nest.shape.width_mm / 2, frame.nest.shape.height_mm / 2)
    start = look.bleed_mm + CROP_OFFSET_MM
    found: dict[Stroke, None] = {}
    for centre in frame.nest.centres:
        for axis in (0, 1):
            for sign in (-1, 1):
                if not _is_blocked(centre, frame.nest.centres, half, axis, sign):
                    found |= dict.fromkeys(_crop_pair(centre, half, axis, sign, start))
    kept = [stroke for stroke in found if frame.has_room(Box.between(stroke.start, stroke.end), CROP_EDGE_MM)]
    frame.strokes += kept
    frame.taken += (Box.between(stroke.start, stroke.end) for stroke in kept)


def _is_blocked(centre: Point, centres: Sequence[Point], half: Point, axis: int, sign: int) -> bool:
    """Return whether another card stands between this one and the paper's edge in that direction."""
    return any(
        abs(other[1 - axis] - centre[1 - axis]) < 2 * half[1 - axis]
        and (other[axis] - centre[axis]) * sign > half[axis]
        for other in centres
        if other != centre
    )


def _crop_pair(centre: Point, half: Point, axis: int, sign: int, start: float) -> list[Stroke]:
    """Return the two lines that continue a card's trim edges outwards."""
    near = centre[axis] + sign * (half[axis] + start)
    far = near + sign * CROP_LENGTH_MM
    pair = []
    for side in (-1, 1):
        across = round(centre[1 - axis] + side * half[1 - axis], 4)
        ends = [(near, across), (far, across)] if axis == 0 else [(across, near), (across, far)]
        pair.append(Stroke(ends[0], ends[1]))
    return pair


def _find_number_place(frame: Frame, centre: Point, look: CardLook, width: float) -> NumberPlace | None:
    """Find a free place just outside the bleed; in a honeycomb at the foot of the card, between cut and bleed."""
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
    """Return the nearest room for a label in a direction."""
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
    """Return the colour just outside the cut."""
    return look.rim_color if look.rim_width_mm > 0 else look.background
