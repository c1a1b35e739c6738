"""The pages of a job: fronts with their marks, backs, corrections, and the page boxes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pikepdf import Array

from dobble_print.errors import Fault
from dobble_print.sheets.marks import (
    LETTER_MM,
    Frame,
    MarkOptions,
    bleed_color,
    choose_words,
    frame_sheet,
    keep_out,
    place_marks,
)
from dobble_print.sheets.nesting import Box, Nest, PrintableArea, nest_cards, nest_fold, nest_labels
from dobble_print.sheets.plan import (
    CardLook,
    Label,
    Page,
    PrintedCard,
    Slot,
    Stroke,
    mirror_points,
    mirror_slots,
    name_decks,
    plan_back,
    plan_fronts,
    turns_sideways,
)
from dobble_print.theme.model import Theme
from dobble_print.theme.options import Duplex
from dobble_print.units import CardShape, Correction, Paper, Point, mm_to_pt


class PageBoxes(NamedTuple):
    """The boxes of a page that a press cares about."""

    media: Array
    trim: Array
    bleed: Array


def measure_boxes(page: Page, look: CardLook) -> PageBoxes:
    """Measure the boxes: the paper, a trim box around all cuts of a full sheet, a bleed box around all bleeds."""
    shape = look.shape.turn(page.turn_deg)
    half_width, half_height = shape.width_mm / 2, shape.height_mm / 2
    return PageBoxes(
        Array([0, 0, *(round(mm_to_pt(length), 4) for length in (page.paper.width_mm, page.paper.height_mm))]),
        _box_around(page, half_width, half_height),
        _box_around(page, half_width + look.bleed_mm, half_height + look.bleed_mm),
    )


def _box_around(page: Page, half_width: float, half_height: float) -> Array:
    places = [*page.grid, *((slot.x_mm, slot.y_mm) for slot in page.slots)]  # every sheet of a deck has the same boxes
    xs, ys = zip(*places, strict=True)
    paper, fix = page.paper, page.correction
    left, right = _corrected(xs, half_width, paper.width_mm, fix.scale, fix.dx_mm)
    bottom, top = _corrected(ys, half_height, paper.height_mm, fix.scale, fix.dy_mm)
    return Array([round(mm_to_pt(value), 4) for value in (left, bottom, right, top)])


def _corrected(places: Sequence[float], half: float, length: float, scale: float, shift: float) -> list[float]:
    """Return the ends of what lies around places, as it prints with the page's correction, kept on the paper."""
    ends = (min(places) - half, max(places) + half)
    return [min(length, max(0.0, (end - length / 2) * scale + length / 2 + shift)) for end in ends]


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
    marks_behind: bool = False  # whether backs carry marks too, as a press needs them

    @property
    def fold(self) -> Stroke | None:
        """Return the line to fold along."""
        width, height = self.nest.paper.width_mm, self.nest.paper.height_mm
        if self.fold_sideways is None:
            return None
        ends = (
            ((width / 2, 0.0), (width / 2, height)) if self.fold_sideways else ((0.0, height / 2), (width, height / 2))
        )
        return Stroke(*ends, dashed=True)

    @property
    def folded_backs(self) -> tuple[Point, ...]:
        """Return where the backs lie on a sheet that is folded."""
        if self.fold_sideways is None:
            return ()
        full = plan_fronts(self.nest, range(len(self.nest.centres)))[0]
        return tuple((slot.x_mm, slot.y_mm) for slot in mirror_slots(full, self.fold_sideways))

    def frame(self, longest_number: int, slug_mm: float) -> Frame:
        """Return the marks of a full sheet; none of them lies on the fold."""
        fold = (Box.between(self.fold.start, self.fold.end),) if self.fold else ()
        marks = replace(self.marks, reserved=(*self.marks.reserved, *fold))
        return frame_sheet(self.nest, self.look, marks, longest_number, slug_mm, self.folded_backs)


def plan_sheets(sheet: Sheet, cards: Mapping[int, PrintedCard], note: str) -> list[Page]:
    """Plan the fronts of all sheets with their marks; the slug names the decks on the sheet, then comes the note."""
    fronts, words = plan_fronts(sheet.nest, list(cards)), sheet.marks.words
    counts = (words.sheet.format(number=i, count=len(fronts)) for i in range(1, len(fronts) + 1))
    decks = (name_decks(cards[slot.card] for slot in page.slots) for page in fronts)
    slugs = [f"{names} · {note} · {count}" for names, count in zip(decks, counts, strict=True)]
    longest = max(len(card.caption) for card in cards.values())
    frame = sheet.frame(longest, LETTER_MM * SLUG_LETTER * max(map(len, slugs)))
    return [_add_marks(page, frame, cards, text) for page, text in zip(fronts, slugs, strict=True)]


def _add_marks(page: Page, frame: Frame, cards: Mapping[int, PrintedCard], slug: str) -> Page:
    numbers = []
    for slot in page.slots:
        place, card = frame.numbers[slot.x_mm, slot.y_mm], cards[slot.card]
        if place:
            numbers.append(place.label(card.caption, bleed_color(card.look)))
    return replace(_put_marks(page, frame, slug, numbers), slug=slug)


def _put_marks(page: Page, frame: Frame, slug: str, numbers: Sequence[Label] = ()) -> Page:
    return replace(
        page,
        strokes=tuple(frame.strokes),
        labels=(*frame.labels, *_sheet_line(frame, slug), *numbers),
        patches=tuple(frame.patches),
        targets=tuple(frame.targets),
    )


def _sheet_line(frame: Frame, text: str) -> list[Label]:
    return [replace(frame.sheet_line, text=text)] if frame.sheet_line else []


def find_missing_marks(sheet: Sheet, on_labels: bool = False) -> tuple[Fault, ...]:
    """Return warnings where the cards leave no room for the ruler or for their numbers."""
    frame = sheet.frame(TYPICAL_NUMBER, 1.0)
    found = []
    if sheet.marks.ruler and not frame.labels:
        hint = "Measure a printed card instead, or choose another size or paper."
        found.append(Fault(f"{sheet.nest.paper.name} has no room left for the ruler", hint))
    found += [
        Fault(f"{sheet.nest.paper.name} has no room left for {what}", hint)
        for what, hint in _miss_press_marks(sheet, frame)
    ]
    bare = sum(place is None for place in frame.numbers.values())
    if bare and not on_labels and not sheet.look.rim_note:
        what = f"{bare} of {len(frame.numbers)} cards on a sheet have no room beside them for their number"
        found.append(Fault(what, "Print it on the cards with card: {number: true}."))
    return tuple(found)


def _miss_press_marks(sheet: Sheet, frame: Frame) -> list[tuple[str, str]]:
    """Return what a press will look for in vain, and what may help."""
    marks, missing = sheet.marks, []
    if marks.registration and len(frame.targets) < TARGETS:
        other = "sides" if marks.registration_at == "corners" else "corners"
        hint = f"Try registration_at: {other}, or choose a larger paper."
        missing.append((f"{TARGETS - len(frame.targets)} of the {TARGETS} registration targets", hint))
    if marks.color_bar and not any(patch.box not in marks.plotter for patch in frame.patches):
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
    if sheet.marks_behind:
        backs = _mark_backs(backs, sheet)
    return [page for pair in zip(fronts, backs, strict=True) for page in pair]


def _mark_backs(backs: Sequence[Page], sheet: Sheet) -> list[Page]:
    """Put the same marks on the other side, and a slug that says which side it is."""
    slugs = [f"{page.slug} · {sheet.marks.words.back}" for page in backs]
    frame = _frame_back(sheet, backs[0].grid, max(slugs, key=len))
    return [_put_marks(page, frame, slug) for page, slug in zip(backs, slugs, strict=True)]


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
    frame = _frame_back(sheet, back.grid, text)
    if sheet.marks_behind:
        return _put_marks(back, frame, text)
    return replace(back, strokes=tuple(frame.strokes), labels=tuple(_sheet_line(frame, text)))


def plan_contact_sheet(numbers: Sequence[int], shape: CardShape) -> Page:
    """Plan all cards on one large page with their numbers, for a look at the whole deck and to find a lost card."""
    across, up = shape.width_mm + CONTACT_GAP_MM, shape.height_mm + CONTACT_GAP_MM
    columns = _contact_columns(len(numbers), up / across)
    rows = math.ceil(len(numbers) / columns)
    paper = Paper("contact sheet", columns * across + CONTACT_GAP_MM, rows * up + CONTACT_GAP_MM)
    slots = tuple(
        Slot(
            number,
            CONTACT_GAP_MM / 2 + (i % columns + 0.5) * across,
            paper.height_mm - CONTACT_GAP_MM / 2 - (i // columns + 0.5) * up,
        )
        for i, number in enumerate(numbers)
    )
    labels = tuple(
        Label(str(slot.card), slot.x_mm + shape.width_mm * 0.44, slot.y_mm - shape.height_mm * 0.44, CONTACT_NUMBER_PT)
        for slot in slots
    )
    return Page(paper, slots, labels=labels)


def _contact_columns(cards: int, card_aspect: float) -> int:
    """Return a number of columns near the wanted proportions that leaves few gaps in the last row."""
    wanted = max(1, round(math.sqrt(cards * CONTACT_ASPECT * card_aspect)))
    near = [columns for columns in range(wanted - 2, wanted + 3) if 1 <= columns <= cards]
    return min(near or [cards], key=lambda columns: (-cards % columns) / columns + 0.15 * abs(columns - wanted))


ZONE_AIR_MM = 0.5  # around the squares that a plotter's marks span, which are wider than its camera looks


def prepare_sheet(theme: Theme, look: CardLook) -> Sheet:
    """Plan how the theme's cards lie on its paper, and which marks are around them."""
    marks = _list_marks(theme)
    strict = theme.press.standard != "none" or theme.plotter.marks  # their machines trust the bleed to be there
    inset_mm = theme.plotter.inset_mm if theme.plotter.marks else 0.0
    area = PrintableArea(max(theme.sheet.edge_mm, inset_mm), marks.reserved, theme.sheet.share_edges, strict)
    paper, duplex = theme.sheet.paper, theme.sheet.duplex
    sideways: bool | None = None
    if theme.labels:
        nest = nest_labels(paper, look.shape, theme.labels)
    elif duplex == "fold":
        nest, sideways = nest_fold(paper, look.shape, look.bleed_mm, area)
    else:
        nest = nest_cards(paper, look.shape, look.bleed_mm, area)
    return Sheet(nest, look, marks, duplex, sideways, theme.press.standard != "none")


def _list_marks(theme: Theme) -> MarkOptions:
    sheet, press, plotter = theme.sheet, theme.press, theme.plotter
    words = choose_words(theme)
    places = (press.registration_at, press.color_bar_at)
    options = MarkOptions(sheet.crop_marks, sheet.ruler, words, press.registration, press.color_bar, *places)
    if not plotter.marks:
        return options
    boxes, zones = place_marks(sheet.paper, plotter), keep_out(sheet.paper, plotter, ZONE_AIR_MM)
    return replace(options, plotter=boxes, reserved=zones)
