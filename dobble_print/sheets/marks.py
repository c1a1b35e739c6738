"""The marks around the cards: crop marks, ruler, sheet line, targets, colour bar and a plotter's marks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, product

from dobble_print.errors import Fault, LayoutError
from dobble_print.sheets.nesting import CLEARANCE_MM, Nest, Rectangle
from dobble_print.sheets.plan import CardLook, InkPatch, Label, Stroke, Target
from dobble_print.theme.model import Theme
from dobble_print.theme.options import BarPlace, PlotterOptions, PressOptions, TargetPlace
from dobble_print.units import CardShape, Paper, Point
from dobble_print.words.languages import find_row
from dobble_print.words.typesetting import set_type

WORDS, FALLBACK = "sheets.yaml", "en"


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
    language = languages[0] if languages else FALLBACK
    words = find_row(WORDS, language) or find_row(WORDS, FALLBACK)
    return SheetWords(**{key: set_type(text, language) for key, text in words.items()})


ZONE_AIR_MM = 0.5  # around the squares that a plotter's marks span, which are wider than its camera looks


def place_marks(paper: Paper, marks: PlotterOptions) -> tuple[Rectangle, ...]:
    """Return what is filled with black: the square, then the two arms of each bracket; no two boxes overlap."""
    area = find_cutting_area(paper, marks)
    left, bottom, right, top = area.left, area.bottom, area.right, area.top
    arm, line = marks.arm_mm, marks.line_mm
    return (
        Rectangle(left, top - marks.square_mm, left + marks.square_mm, top),
        Rectangle(right - arm, top - line, right, top),
        Rectangle(right - line, top - arm, right, top - line),
        Rectangle(left, bottom, left + arm, bottom + line),
        Rectangle(left, bottom + line, left + line, bottom + arm),
    )


def keep_out(paper: Paper, marks: PlotterOptions, clearance_mm: float = ZONE_AIR_MM) -> tuple[Rectangle, ...]:
    """Return where nothing may print: around each mark the square that its arms span, out to the edges of the paper.

    The sensor searches the corner of the black square as widely as those of the brackets.
    """
    find_cutting_area(paper, marks)
    side = marks.inset_mm + max(marks.arm_mm, marks.square_mm) + clearance_mm
    width, height = paper.width_mm, paper.height_mm
    return (
        Rectangle(0.0, height - side, side, height),
        Rectangle(width - side, height - side, width, height),
        Rectangle(0.0, 0.0, side, side),
    )


def find_cutting_area(paper: Paper, marks: PlotterOptions) -> Rectangle:
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
    return Rectangle(inset, inset, paper.width_mm - inset, paper.height_mm - inset)


LABEL_PT = 4.5
ROUNDING_MM = 1e-6


@dataclass
class Frame:
    """The marks of a sheet as they are found, and what they leave free.

    `sheet_line` and `numbers`, by the places of the cards, are labels without their text, which each sheet fills in; a
    number in the bleed has no colour either, but one that shows on its card's.
    """

    nest: Nest
    grown: CardShape
    strokes: list[Stroke] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    taken: list[Rectangle] = field(default_factory=list)
    patches: list[InkPatch] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    sheet_line: Label | None = None
    numbers: dict[Point, Label | None] = field(default_factory=dict)

    def has_room(self, box: Rectangle, edge_mm: float) -> bool:
        """Return whether a box is free and keeps off the edge of the paper."""
        return box.inside(self.nest.paper, edge_mm) and self.is_free(box)

    def is_free(self, box: Rectangle) -> bool:
        """Return whether a box touches no bleed and no mark."""
        return not any(box.meets(other) for other in self.taken) and self._clears_cards(box)

    def _clears_cards(self, box: Rectangle) -> bool:
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

    def box(self, length: float, inwards: float) -> Rectangle:
        """Return what something of that length and thickness covers."""
        return Rectangle.between(self.at(-length / 2, 0.0), self.at(length / 2, inwards))


def take_strip(
    frame: Frame, length: float, thickness: float, edges_mm: Sequence[float], place: BarPlace = "any"
) -> Strip | None:
    """Take a free place for something long and thin along the paper's edges, at the first distance that has one."""
    for edge_mm in edges_mm:
        for strip in _scan_edges(frame, edge_mm):
            box = strip.box(length, thickness)
            if place in ("any", EDGES[strip.turn_deg]) and frame.has_room(box, edge_mm - ROUNDING_MM):
                frame.taken.append(box)
                return strip
    return None


def _scan_edges(frame: Frame, edge_mm: float) -> Iterator[Strip]:
    """Yield places along the paper's edges, those near the middle of an edge first."""
    width, height = frame.nest.paper.width_mm, frame.nest.paper.height_mm
    middle = (width / 2, height / 2)
    upright = [Strip(edge_mm, middle[1], -90.0), Strip(width - edge_mm, middle[1], 90.0)]
    level = [Strip(middle[0], edge_mm, 0.0), Strip(middle[0], height - edge_mm, 180.0)]
    left = min(x for x, _ in frame.nest.centres) - frame.grown.width_mm / 2
    bottom = min(y for _, y in frame.nest.centres) - frame.grown.height_mm / 2
    for step in range(0, round(max(middle)), 2):
        for strip in (*upright, *level) if left >= bottom else (*level, *upright):
            for along in (step, -step) if step else (0,):
                yield Strip(*strip.at(along, 0), strip.turn_deg)


def contrast(color: str) -> str:
    """Return black or white, whichever shows on a colour."""
    return "#000000" if measure_brightness(color) > 140 else "#ffffff"


def measure_brightness(color: str) -> float:
    """Return how bright a colour looks, from 0 to 255."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


TARGET_MM = 6.0
PATCH_MM = 4.0
EDGES = {-90.0: "left", 90.0: "right", 0.0: "bottom", 180.0: "top"}  # by the turn of a strip there
# the inks alone, two by two, black in steps, and grey made of three inks beside grey made of black
BAR = (
    *((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)),
    *((0.0, 1.0, 1.0, 0.0), (1.0, 0.0, 1.0, 0.0), (1.0, 1.0, 0.0, 0.0)),
    *((0.0, 0.0, 0.0, 0.5), (0.5, 0.4, 0.4, 0.0)),
)


def _add_targets(frame: Frame, place: TargetPlace, given: tuple[Point, ...]) -> None:
    """Add two pairs of targets near the middles of the sides, one in each corner, or where the other side has them."""
    for candidates in [iter([given])] if given else _list_places(frame, place):
        found = next((points for points in candidates if given or _has_room_for_targets(frame, points)), ())
        frame.targets += [Target(*point) for point in found]
        frame.taken += [Rectangle.around(*point, TARGET_MM, TARGET_MM) for point in found]


def _has_room_for_targets(frame: Frame, points: Iterable[Point]) -> bool:
    boxes = [Rectangle.around(*point, TARGET_MM, TARGET_MM) for point in points]
    return all(frame.has_room(box, frame.nest.edge_mm - ROUNDING_MM) for box in boxes)


def _list_places(frame: Frame, place: TargetPlace) -> Iterator[Iterator[tuple[Point, ...]]]:
    """Yield corners, each by itself, as a shop wants them there or nowhere, or pairs that face each other.

    Those nearest to the middles of the sides come first. Where the cards reach two sides, their targets move to the
    notches between cards there, or outwards along the other sides.
    """
    width, height = frame.nest.paper.width_mm, frame.nest.paper.height_mm
    inset = frame.nest.edge_mm + TARGET_MM / 2
    level = [((x, inset), (x, height - inset)) for x in _walk_out(width)]  # at head and foot
    upright = [((inset, y), (width - inset, y)) for y in _walk_out(height)]
    if place == "corners":
        for right, top in product((False, True), repeat=2):
            yield iter([((width - inset if right else inset, height - inset if top else inset),)])
    else:
        yield chain(level, _list_notches(frame, level), reversed(upright))
        yield chain(upright, _list_notches(frame, upright), reversed(level))


def _list_notches(frame: Frame, pairs: Sequence[tuple[Point, Point]]) -> Iterator[tuple[Point, ...]]:
    """Yield a pair that does not face each other straight: the first free place on either side."""
    sides = zip(*pairs, strict=True)
    free = [next((point for point in side if _has_room_for_targets(frame, [point])), None) for side in sides]
    if all(free):
        yield tuple(filter(None, free))


def _walk_out(length: float) -> Iterator[float]:
    for step in range(0, round(length / 2), 2):
        yield from (length / 2 + step, length / 2 - step) if step else (length / 2,)


def _add_color_bar(frame: Frame, place: BarPlace) -> None:
    """Add a row of patches along an edge, as near to its middle as there is room."""
    length = PATCH_MM * len(BAR)
    strip = take_strip(frame, length, PATCH_MM, (frame.nest.edge_mm,), place)
    if strip:
        starts = [i * PATCH_MM - length / 2 for i in range(len(BAR))]
        boxes = [Rectangle.between(strip.at(start, 0.0), strip.at(start + PATCH_MM, PATCH_MM)) for start in starts]
        frame.patches += map(InkPatch, boxes, BAR)


CROP_LENGTH_MM = 3.0
CROP_OFFSET_MM = 0.3  # beyond the bleed
RULER_MM = 100
STRIP_ROOM_MM = 4.2  # the ruler's ticks and the text beside them
LABEL_HEIGHT_MM = 1.6
LABEL_MIDDLE_MM = 0.92  # of its capitals, so that letters with tails stay inside its height
LETTER_MM = 0.95  # generous width of a character at LABEL_PT
LABEL_ANGLES = (-45, -135, 45, 135, -90, 90, 0, 180, -60, -120, 60, 120, -30, -150, 30, 150)
LABEL_REACH_MM = 14.0  # further away nobody sees whose number it is
LEAST_BLEED_FOR_NUMBER_MM = 2.0  # a number in a narrower bleed would touch the card


@dataclass(frozen=True)
class MarkOptions:
    """Which marks a sheet carries; `plotter` are the marks of a cutting machine, `reserved` the zones around them.

    `targets` are the places of those on the other side of the sheet, seen from here: they must lie behind each other.
    """

    crop_marks: bool
    ruler: bool
    words: SheetWords
    press: PressOptions
    plotter: tuple[Rectangle, ...] = ()
    reserved: tuple[Rectangle, ...] = ()
    targets: tuple[Point, ...] = ()


def list_marks(theme: Theme) -> MarkOptions:
    """Return the marks that a theme's sheets carry."""
    sheet = theme.sheet
    options = MarkOptions(sheet.crop_marks, sheet.ruler, choose_words(theme), theme.press)
    if not theme.plotter.marks:
        return options
    boxes, zones = place_marks(sheet.paper, theme.plotter), keep_out(sheet.paper, theme.plotter)
    return replace(options, plotter=boxes, reserved=zones)


def frame_sheet(
    nest: Nest,
    look: CardLook,
    options: MarkOptions,
    longest_number: int,
    slug_mm: float,
    others: tuple[Point, ...] = (),
) -> Frame:
    """Place all marks of a full sheet, the less movable ones first; `slug_mm` is how long the sheet line gets.

    `others` are cards on the sheet that have no number, such as the backs of a sheet that is folded.
    """
    frame = Frame(replace(nest, centres=(*nest.centres, *others)), nest.shape.grow(look.bleed_mm))
    frame.taken += options.reserved
    frame.patches += [InkPatch(box) for box in options.plotter]
    if options.ruler:
        _add_ruler(frame, options.words.ruler)
    if options.crop_marks:
        _add_crop_marks(frame, look)
    if options.press.registration:
        _add_targets(frame, options.press.registration_at, options.targets)
    if options.press.color_bar:
        _add_color_bar(frame, options.press.color_bar_at)
    strip = take_strip(frame, slug_mm, LABEL_HEIGHT_MM, (nest.edge_mm,))
    frame.sheet_line = strip.label("", LABEL_MIDDLE_MM) if strip else None
    for centre in nest.centres:
        frame.numbers[centre] = _find_number_place(frame, centre, look, LETTER_MM * longest_number)
    return frame


def _add_ruler(frame: Frame, words: str) -> None:
    """Add a ruler of 100 mm, to see at a glance whether the printer scaled the page; none where there is no room."""
    strip = take_strip(frame, RULER_MM, STRIP_ROOM_MM, (frame.nest.edge_mm,))
    if strip is None:
        return
    start = -RULER_MM / 2
    frame.strokes.append(Stroke(strip.at(start, 0.0), strip.at(start + RULER_MM, 0.0)))
    for mm in range(0, RULER_MM + 1, 5):
        length = 2.0 if mm % 50 == 0 else 1.4 if mm % 10 == 0 else 0.8
        frame.strokes.append(Stroke(strip.at(start + mm, 0.0), strip.at(start + mm, length)))
    frame.labels.append(strip.label(words, 3.2))


def _add_crop_marks(frame: Frame, look: CardLook) -> None:
    """Add two short lines towards each edge of the paper for every card that looks straight at it."""
    half = (frame.nest.shape.width_mm / 2, frame.nest.shape.height_mm / 2)
    start = look.bleed_mm + CROP_OFFSET_MM
    found: dict[Stroke, None] = {}
    for centre in frame.nest.centres:
        for axis, sign in product((0, 1), (-1, 1)):
            if not _is_blocked(centre, frame.nest.centres, half, axis, sign):
                found |= dict.fromkeys(_crop_pair(centre, half, axis, sign, start))
    boxes = {stroke: Rectangle.between(stroke.start, stroke.end) for stroke in found}
    kept = {stroke: box for stroke, box in boxes.items() if frame.has_room(box, frame.nest.edge_mm - ROUNDING_MM)}
    frame.strokes += kept
    frame.taken += kept.values()


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
    edges = [round(centre[1 - axis] + side * half[1 - axis], 4) for side in (-1, 1)]
    if axis == 0:
        return [Stroke((near, across), (far, across)) for across in edges]
    return [Stroke((across, near), (across, far)) for across in edges]


def _find_number_place(frame: Frame, centre: Point, look: CardLook, width: float) -> Label | None:
    """Find a free place just outside the bleed; in a honeycomb at the foot of the card, between cut and bleed."""
    for angle in LABEL_ANGLES:
        box = _find_free_box(frame, centre, angle, width)
        if box:
            frame.taken.append(box)
            return Label("", *box.middle, LABEL_PT)
    if look.bleed_mm < LEAST_BLEED_FOR_NUMBER_MM or look.shares_bleed:
        return None
    away = look.shape.inner_radius_mm + look.bleed_mm / 2
    foot = math.radians(frame.nest.turn_deg - 90)
    x, y = centre[0] + away * math.cos(foot), centre[1] + away * math.sin(foot)
    return Label("", x, y, LABEL_PT - 0.5, frame.nest.turn_deg, color="")


def _find_free_box(frame: Frame, centre: Point, angle: float, width: float) -> Rectangle | None:
    """Return the nearest room for a label in a direction."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    reach = frame.grown.inner_radius_mm
    for step in range(round(2 * LABEL_REACH_MM)):
        away = reach + step * 0.5
        box = Rectangle.around(centre[0] + cos * away, centre[1] + sin * away, width, LABEL_HEIGHT_MM)
        if not box.inside(frame.nest.paper, frame.nest.edge_mm):
            return None
        if frame.is_free(box):
            return box
    return None


def bleed_color(look: CardLook) -> str:
    """Return the colour just outside the cut."""
    return look.rim_color if look.rim_width_mm > 0 else look.background
