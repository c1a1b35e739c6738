"""Sheets: the pages of `cards.pdf`, fronts with everything around the cards, backs behind them where they belong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from dobble_print.errors import Fault
from dobble_print.press.marks import Frame, bleed_color, frame_sheet
from dobble_print.press.nesting import Nest
from dobble_print.press.plan import CardLook, Face, Label, Page, Slot, plan_back, plan_fronts
from dobble_print.theme.model import SheetOptions
from dobble_print.units import CardShape, Paper

CONTACT_ASPECT = 4 / 3  # a contact sheet is looked at on a screen
CONTACT_GAP_MM = 5.0
CONTACT_NUMBER_PT = 9.0


def plan_sheets(
    nest: Nest, faces: Sequence[Face], look: CardLook, options: SheetOptions, deck_line: str, deck_id: str
) -> list[Page]:
    """The fronts of all sheets, complete with marks."""
    texts = {face.number: f"{face.number} · {deck_id}" for face in faces}
    bleeds = {face.number: bleed_color(replace(look, rim_color=face.rim_color)) for face in faces}
    frame = frame_sheet(nest, look, options.crop_marks, options.ruler, max(map(len, texts.values())))
    fronts = plan_fronts(nest, list(texts))
    pages = []
    for i, page in enumerate(fronts, start=1):
        numbers = [
            frame.numbers[slot.x_mm, slot.y_mm].label(texts[slot.number], bleeds[slot.number]) for slot in page.slots
        ]
        line = _sheet_line(frame, f"{deck_line} · {nest.paper.name} · sheet {i} of {len(fronts)}")
        pages.append(replace(page, strokes=tuple(frame.strokes), labels=(*frame.labels, *line, *numbers)))
    return pages


def _sheet_line(frame: Frame, text: str) -> list[Label]:
    return [replace(frame.sheet_line, text=text)] if frame.sheet_line else []


def find_missing_marks(nest: Nest, look: CardLook, options: SheetOptions) -> tuple[Fault, ...]:
    """A warning where the cards leave no room for the ruler."""
    if not options.ruler or frame_sheet(nest, look, False, True, 1).strokes:
        return ()
    hint = "Measure a printed card instead, or choose another size or paper."
    return (Fault(f"{nest.paper.name} has no room left for the ruler and the sheet line", hint),)


def interleave_backs(fronts: Sequence[Page], options: SheetOptions) -> list[Page]:
    """Each front followed by its back, as a duplex printer wants them."""
    return [page for front in fronts for page in (front, plan_back(front, options.duplex))]


def plan_separate_back(nest: Nest, look: CardLook, options: SheetOptions, deck_line: str) -> Page:
    """One full sheet of backs, to be printed on its own as often as there are sheets."""
    front = plan_fronts(nest, range(1, len(nest.centres) + 1))[0]
    back = plan_back(front, options.duplex)
    mirrored = replace(nest, centres=tuple((slot.x_mm, slot.y_mm) for slot in back.slots))
    frame = frame_sheet(mirrored, look, options.crop_marks, False, 1)
    line = _sheet_line(frame, f"{deck_line} · {nest.paper.name} · backs")
    return replace(back, strokes=tuple(frame.strokes), labels=tuple(line))


def plan_contact_sheet(numbers: Sequence[int], shape: CardShape) -> Page:
    """All cards on one large page with their numbers, for a look at the whole deck and to find a lost card."""
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
        Label(
            str(slot.number), slot.x_mm + shape.width_mm * 0.44, slot.y_mm - shape.height_mm * 0.44, CONTACT_NUMBER_PT
        )
        for slot in slots
    )
    return Page(paper, "front", slots, labels=labels)


def _contact_columns(cards: int, card_aspect: float) -> int:
    """Near the wanted proportions, a number of columns that leaves few gaps in the last row."""
    wanted = max(1, round(math.sqrt(cards * CONTACT_ASPECT * card_aspect)))
    near = [columns for columns in range(wanted - 2, wanted + 3) if 1 <= columns <= cards]
    return min(near or [cards], key=lambda columns: (-cards % columns) / columns + 0.15 * abs(columns - wanted))
