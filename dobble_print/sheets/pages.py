"""The pages of a job: fronts with their marks, backs, corrections, and the page boxes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pikepdf import Array

from dobble_print.errors import Fault
from dobble_print.sheets.marks import LETTER_MM, Frame, MarkOptions, bleed_color, contrast, frame_sheet, list_marks
from dobble_print.sheets.nesting import Nest, PrintableArea, Rectangle, count_sheets, nest_cards, nest_fold, nest_labels
from dobble_print.sheets.plan import (
    CardLook,
    Label,
    Page,
    PrintedCard,
    Side,
    Slot,
    Stroke,
    mirror_points,
    mirror_slots,
    plan_back,
    plan_fronts,
    turns_sideways,
)
from dobble_print.theme.model import Theme
from dobble_print.theme.options import Duplex
from dobble_print.units import CardShape, Correction, Paper, Point, mm_to_pt

PageBoxes = tuple[Array, Array, Array]  # media, trim and bleed: those that a press cares about


def measure_boxes(page: Page, look: CardLook) -> PageBoxes:
    """Measure the boxes: the paper, a trim box around all cuts of a full sheet, a bleed box around all bleeds."""
    media = Array([0, 0, *(round(mm_to_pt(length), 4) for length in (page.paper.width_mm, page.paper.height_mm))])
    return media, _box_around(page, look, 0.0), _box_around(page, look, look.bleed_mm)


def _box_around(page: Page, look: CardLook, room_mm: float) -> Array:
    """Return the box of all cards, grown, as it prints with the page's correction, kept on the paper."""
    shape, paper, fix = look.shape.turn(page.turn_deg), page.paper, page.correction
    places = [*page.grid, *((slot.x_mm, slot.y_mm) for slot in page.slots)]  # every sheet of a deck has the same boxes
    xs, ys = zip(*places, strict=True)
    left, right = _correct(xs, shape.width_mm / 2 + room_mm, paper.width_mm, fix.scale, fix.dx_mm)
    bottom, top = _correct(ys, shape.height_mm / 2 + room_mm, paper.height_mm, fix.scale, fix.dy_mm)
    return Array([round(mm_to_pt(value), 4) for value in (left, bottom, right, top)])


def _correct(places: Sequence[float], half: float, length: float, scale: float, shift: float) -> list[float]:
    ends = (min(places) - half, max(places) + half)
    return [min(length, max(0.0, (end - length / 2) * scale + length / 2 + shift)) for end in ends]


def find_share(page: Page, slot: Slot, look: CardLook) -> tuple[Point, ...]:
    """Return the corners of the part of the paper that a card may paint, or none where nobody is near.

    It ends midway to each neighbour, on the straight line on which both bleeds would meet.
    """
    if not look.shares_bleed:
        return ()
    shape, here = look.shape.turn(page.turn_deg), (slot.x_mm, slot.y_mm)
    reach = max(shape.width_mm, shape.height_mm) + 2 * look.bleed_mm
    near = [each for each in page.slots if 0 < math.dist(here, (each.x_mm, each.y_mm)) < reach]
    if not near:
        return ()
    corners = [(here[0] + x * reach, here[1] + y * reach) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    for other in near:
        half = (other.x_mm - here[0]) / 2, (other.y_mm - here[1]) / 2
        corners = cut_off(corners, (here[0] + half[0], here[1] + half[1]), shape.facing(*half))
    return tuple(corners)


def cut_off(corners: Sequence[Point], on: Point, facing: Point) -> list[Point]:
    """Return a convex polygon without what lies beyond a straight line."""
    beyond = [(x - on[0]) * facing[0] + (y - on[1]) * facing[1] for x, y in corners]
    kept: list[Point] = []
    for (x0, y0), before, (x1, y1), after in zip(
        corners, beyond, (*corners[1:], corners[0]), (*beyond[1:], beyond[0]), strict=True
    ):
        kept += [(x0, y0)] if before <= 0 else []
        if (before < 0 < after) or (after < 0 < before):
            share = before / (before - after)
            kept.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
    return kept


TYPICAL_NUMBER = 11  # letters of a card's number with the deck's id
SLUG_LETTER = 0.85  # of the room for a letter of a number: a long line evens out
TARGETS = 4
CONTACT_ASPECT = 4 / 3  # a contact sheet is looked at on a screen
CONTACT_GAP_MM = 5.0
CONTACT_NUMBER_PT = 9.0


@dataclass(frozen=True)
class Sheet:
    """The paper of a deck: how its cards lie on it, its marks, and how its backs come about."""

    nest: Nest
    look: CardLook
    marks: MarkOptions
    duplex: Duplex
    fold_sideways: bool | None = None  # only for sheets that are folded

    @property
    def fold(self) -> Stroke | None:
        """Return the line to fold along."""
        width, height = self.nest.paper.width_mm, self.nest.paper.height_mm
        if self.fold_sideways is None:
            return None
        if self.fold_sideways:
            return Stroke((width / 2, 0.0), (width / 2, height), dashed=True)
        return Stroke((0.0, height / 2), (width, height / 2), dashed=True)

    def frame(self, longest_number: int, slug_mm: float) -> Frame:
        """Return the marks of a full sheet; none of them lies on the fold or on the backs beyond it."""
        marks, backs, nest = self.marks, tuple[Point, ...](), self.nest
        if self.fold and self.fold_sideways is not None:
            marks = replace(marks, reserved=(*marks.reserved, Rectangle.between(self.fold.start, self.fold.end)))
            backs = mirror_points(nest.centres, nest.paper, self.fold_sideways)
        return frame_sheet(nest, self.look, marks, longest_number, slug_mm, backs)


def plan_sheets(sheet: Sheet, cards: Mapping[int, PrintedCard], note: str) -> list[Page]:
    """Plan the fronts of all sheets with their marks; the slug names the decks on the sheet, then comes the note."""
    fronts, words = plan_fronts(sheet.nest, list(cards)), sheet.marks.words
    counts = (words.sheet.format(number=i, count=len(fronts)) for i in range(1, len(fronts) + 1))
    decks = (" + ".join(dict.fromkeys(cards[slot.card].deck for slot in page.slots)) for page in fronts)
    slugs = [f"{names} · {note} · {count}" for names, count in zip(decks, counts, strict=True)]
    longest = max(len(card.caption) for card in cards.values())
    frame = sheet.frame(longest, LETTER_MM * SLUG_LETTER * max(map(len, slugs)))
    return [
        _put_marks(page, frame, text, _number_cards(page, frame, cards))
        for page, text in zip(fronts, slugs, strict=True)
    ]


def _number_cards(page: Page, frame: Frame, cards: Mapping[int, PrintedCard]) -> Iterator[Label]:
    for slot in page.slots:
        place, card = frame.numbers[slot.x_mm, slot.y_mm], cards[slot.card]
        if place:
            yield replace(place, text=card.caption, color=place.color or contrast(bleed_color(card.look)))


def _put_marks(page: Page, frame: Frame, slug: str, numbers: Iterable[Label] = ()) -> Page:
    line = [replace(frame.sheet_line, text=slug)] if frame.sheet_line else []
    return replace(
        page,
        strokes=tuple(frame.strokes),
        labels=(*frame.labels, *line, *numbers),
        patches=tuple(frame.patches),
        targets=tuple(frame.targets),
        slug=slug,
    )


def find_missing_marks(sheet: Sheet, on_labels: bool = False) -> tuple[Fault, ...]:
    """Return warnings where the cards leave no room for the ruler, for what a press looks for, or for their numbers."""
    frame = sheet.frame(TYPICAL_NUMBER, 1.0)
    paper = sheet.nest.paper.name
    found = [Fault(f"{paper} has no room left for {what}", hint) for what, hint in _list_missing(sheet, frame)]
    bare = sum(place is None for place in frame.numbers.values())
    if bare and not on_labels and not sheet.look.rim_note:
        what = f"{bare} of {len(frame.numbers)} cards on a sheet have no room beside them for their number"
        found.append(Fault(what, "Print it on the cards with card: {number: true}."))
    return tuple(found)


def _list_missing(sheet: Sheet, frame: Frame) -> list[tuple[str, str]]:
    """Return which marks there is no room for, each with a hint."""
    press, missing = sheet.marks.press, []
    if sheet.marks.ruler and not frame.labels:
        missing.append(("the ruler", "Measure a printed card instead, or choose another size or paper."))
    if press.registration and len(frame.targets) < TARGETS:
        other = "sides" if press.registration_at == "corners" else "corners"
        hint = f"Try registration_at: {other}, or choose a larger paper."
        missing.append((f"{TARGETS - len(frame.targets)} of the {TARGETS} registration targets", hint))
    if press.color_bar and not any(patch.box not in sheet.marks.plotter for patch in frame.patches):
        missing.append(("the colour bar", "Choose another edge with color_bar_at, or a larger paper."))
    return missing


def add_backs(fronts: Sequence[Page], sheet: Sheet) -> list[Page]:
    """Return the backs where they belong: behind each front, or beside it across a fold."""
    if sheet.fold and sheet.fold_sideways is not None:
        return [
            replace(
                page,
                slots=(*page.slots, *mirror_slots(page, sheet.fold_sideways)),
                strokes=(*page.strokes, sheet.fold),
            )
            for page in fronts
        ]
    if sheet.duplex not in ("long", "short"):
        return list(fronts)
    backs = [plan_back(front, sheet.duplex) for front in fronts]
    if sheet.marks.press.standard != "none":  # a press needs marks there too, and a slug that says which side it is
        slugs = [f"{page.slug} · {sheet.marks.words.back}" for page in backs]
        frame = _frame_back(sheet, backs[0].grid, max(slugs, key=len))
        backs = [_put_marks(page, frame, slug) for page, slug in zip(backs, slugs, strict=True)]
    return [page for pair in zip(fronts, backs, strict=True) for page in pair]


def _frame_back(sheet: Sheet, centres: tuple[Point, ...], slug: str) -> Frame:
    """Return the marks of the other side; its targets lie behind those of the front."""
    sideways = turns_sideways(sheet.nest.paper, sheet.duplex)
    front = [(target.x_mm, target.y_mm) for target in sheet.frame(1, 1.0).targets]
    marks = replace(sheet.marks, ruler=False, targets=mirror_points(front, sheet.nest.paper, sideways))
    nest = replace(sheet.nest, centres=centres)
    return frame_sheet(nest, sheet.look, marks, 1, LETTER_MM * SLUG_LETTER * len(slug))


def correct_pages(pages: Sequence[Page], correction: Correction, front_offset: Point = (0.0, 0.0)) -> list[Page]:
    """Return the pages as this printer needs them: all are scaled, fronts and backs shifted each by their own."""
    front = Correction(*front_offset, correction.scale)
    return [replace(page, correction=front if page.front_centres else correction) for page in pages]


def plan_separate_back(sheet: Sheet, card: int, slug: str) -> Page:
    """Plan one full sheet of backs, to be printed on its own as often as there are sheets."""
    front = plan_fronts(sheet.nest, [card] * len(sheet.nest.centres))[0]
    back = plan_back(front, sheet.duplex)
    text = f"{slug} · {sheet.marks.words.backs}"
    marked = _put_marks(back, _frame_back(sheet, back.grid, text), text)
    return marked if sheet.marks.press.standard != "none" else replace(marked, patches=(), targets=())


def plan_contact_sheet(numbers: Sequence[int], shape: CardShape, has_back: bool = False) -> Page:
    """Plan all cards on one large page with their numbers, for a look at the whole deck and to find a lost card.

    With `has_back`, the back that they share comes last.
    """
    sides: list[tuple[int, Side]] = [(number, "front") for number in numbers]
    sides += [(numbers[0], "back")] if has_back else []
    across, up = shape.width_mm + CONTACT_GAP_MM, shape.height_mm + CONTACT_GAP_MM
    columns = _contact_columns(len(sides), up / across)
    rows = math.ceil(len(sides) / columns)
    paper = Paper("contact sheet", columns * across + CONTACT_GAP_MM, rows * up + CONTACT_GAP_MM)
    slots = tuple(
        Slot(
            number,
            CONTACT_GAP_MM / 2 + (i % columns + 0.5) * across,
            paper.height_mm - CONTACT_GAP_MM / 2 - (i // columns + 0.5) * up,
            side,
        )
        for i, (number, side) in enumerate(sides)
    )
    labels = tuple(
        Label(str(slot.card), slot.x_mm + shape.width_mm * 0.44, slot.y_mm - shape.height_mm * 0.44, CONTACT_NUMBER_PT)
        for slot in slots
        if slot.side == "front"
    )
    return Page(paper, slots, labels=labels)


def _contact_columns(cards: int, card_aspect: float) -> int:
    """Return a number of columns near the wanted proportions that leaves few gaps in the last row."""
    wanted = max(1, round(math.sqrt(cards * CONTACT_ASPECT * card_aspect)))
    near = [columns for columns in range(wanted - 1, wanted + 3) if 1 <= columns <= cards]
    return min(
        near or [cards], key=lambda columns: ((-cards % columns) / columns + 0.2 * abs(columns - wanted), -columns)
    )


def prepare_sheet(theme: Theme, look: CardLook, cards: int | None = None) -> Sheet:
    """Plan how so many cards lie on the theme's paper, or as many as it takes, and which marks are around them."""
    marks = list_marks(theme)
    strict = theme.press.standard != "none" or theme.plotter.marks  # their machines trust the bleed to be there
    inset_mm = theme.plotter.inset_mm if theme.plotter.marks else 0.0
    area = PrintableArea(max(theme.sheet.edge_mm, inset_mm), marks.reserved, look.gap_mm, strict)
    paper, duplex = theme.sheet.paper, theme.sheet.duplex
    if theme.labels:
        return Sheet(nest_labels(paper, look.shape, theme.labels), look, marks, duplex)
    if duplex == "fold":
        nest, sideways = nest_fold(paper, look.shape, look.bleed_mm, area)
        return Sheet(nest, look, marks, duplex, sideways)
    nests = nest_cards(paper, look.shape, look.bleed_mm, area, cards)
    return _choose_sheet([Sheet(nest, look, marks, duplex) for nest in nests], cards)


def _choose_sheet(sheets: Sequence[Sheet], cards: int | None) -> Sheet:
    """Return the first sheet, best first, that has room for what a press looks for; else the one that lacks least."""
    best: list[tuple[int, Sheet]] = []
    for _, alike in groupby(sheets, lambda sheet: count_sheets(sheet.nest, cards)):
        lacking = ((len(_list_missing(sheet, sheet.frame(TYPICAL_NUMBER, 1.0))), sheet) for sheet in alike)
        best.append(_take_least(lacking))
        if not (best[-1][0] and sheets[0].marks.press.registration):
            return best[-1][1]
    return min(best, key=lambda each: each[0])[1]


def _take_least(lacking: Iterable[tuple[int, Sheet]]) -> tuple[int, Sheet]:
    """Return the first sheet that lacks nothing, else the first of those that lack least."""
    looked_at: list[tuple[int, Sheet]] = []
    for each in lacking:
        if not each[0]:
            return each
        looked_at.append(each)
    return min(looked_at, key=lambda each: each[0])
