"""Sheets: the pages of `cards.pdf`, fronts with everything around the cards, backs behind them where they belong."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dobble_print.press.marks import add_card_numbers, add_crop_marks, add_ruler, add_sheet_line
from dobble_print.press.nesting import Nest
from dobble_print.press.plan import CardLook, Face, Page, Slot, plan_back, plan_fronts
from dobble_print.theme.model import SheetOptions
from dobble_print.units import CardShape, Paper

CONTACT_ASPECT = 4 / 3  # a contact sheet is looked at on a screen
CONTACT_GAP_MM = 4.0


def plan_sheets(
    nest: Nest, faces: Sequence[Face], look: CardLook, options: SheetOptions, deck_line: str, deck_id: str
) -> list[Page]:
    """The fronts of all sheets, complete with marks."""
    rims = {face.number: face.rim_color for face in faces}
    fronts = add_card_numbers(plan_fronts(nest, list(rims)), look, deck_id, rims)
    finished = []
    for i, page in enumerate(fronts, start=1):
        page = add_sheet_line(page, look, f"{deck_line} · {nest.paper.name} · sheet {i} of {len(fronts)}")
        if options.crop_marks:
            page = add_crop_marks(page, look)
        if options.ruler:
            page = add_ruler(page, look)
        finished.append(page)
    return finished


def interleave_backs(fronts: Sequence[Page], options: SheetOptions) -> list[Page]:
    """Each front followed by its back, as a duplex printer wants them."""
    return [page for front in fronts for page in (front, plan_back(front, options.duplex))]


def plan_separate_back(nest: Nest, look: CardLook, options: SheetOptions, deck_line: str) -> Page:
    """One full sheet of backs, to be printed on its own as often as there are sheets."""
    front = plan_fronts(nest, range(1, len(nest.centres) + 1))[0]
    page = add_sheet_line(plan_back(front, options.duplex), look, f"{deck_line} · {nest.paper.name} · backs")
    return add_crop_marks(page, look) if options.crop_marks else page


def plan_contact_sheet(numbers: Sequence[int], shape: CardShape) -> Page:
    """All cards on one large page, for a look at the whole deck."""
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
    return Page(paper, "front", slots)


def _contact_columns(cards: int, card_aspect: float) -> int:
    """Near the wanted proportions, the number of columns that leaves the fewest gaps in the last row."""
    wanted = max(1, round(math.sqrt(cards * CONTACT_ASPECT * card_aspect)))
    near = [columns for columns in range(wanted - 2, wanted + 3) if 1 <= columns <= cards]
    return min(near or [cards], key=lambda columns: (-cards % columns, abs(columns - wanted)))
