"""Ganging: the cards of several decks on shared sheets, each sheet naming the decks on it.

Invariant: decks share sheets only when a sheet of each would look the same: paper, card, bleed, marks and press.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace

from dobble_print.build import Wishes, finish_box, make_order, make_prepress, make_room_for_mark
from dobble_print.composition import Composition, Report, compose_deck
from dobble_print.errors import Fault, UsageError
from dobble_print.prepress.prepare import Prepress
from dobble_print.press.document import print_sheets
from dobble_print.product import Product
from dobble_print.sheets.pages import Sheet
from dobble_print.sheets.plan import Batch, gang_batches, plan_fronts
from dobble_print.theme.model import BackOptions, Theme

GANG = "gang"


def build_gang(
    themes: Sequence[Theme], wishes: Wishes, report: Report = lambda step: None
) -> tuple[Product, list[Product]]:
    """The shared sheets with their pick list, and for each theme what else is in its box."""
    prepress = make_prepress(themes[0], wishes)
    decks = [compose_deck(make_room_for_mark(theme, wishes.mark), report) for theme in themes]
    _check_alike(decks)
    report("sheets")
    first = decks[0]
    batch = gang_batches([deck.make_batch(list(deck.layouts), wishes.copies, wishes.mark) for deck in decks])
    files = print_gang(decks, batch, prepress, wishes)
    boxes = [
        Product(
            deck.theme, deck.decks, deck.deck_id, finish_box(deck, wishes, report), None, 0, deck.warnings, deck.notes
        )
        for deck in decks
    ]
    all_decks = tuple(part for deck in decks for part in deck.decks)
    shared = Product(replace(first.theme, name=GANG), all_decks, "", files, first.sheet.nest, len(batch.leaves), (), ())
    return shared, boxes


def print_gang(decks: Sequence[Composition], batch: Batch, prepress: Prepress, wishes: Wishes) -> dict[str, bytes]:
    """The shared sheets of decks that look the same on paper, and the list of what lies where."""
    first = decks[0]
    title = " + ".join(deck.printer.title for deck in decks)
    order = make_order(first, title, prepress, wishes)
    return {
        **print_sheets("cards.pdf", batch, first.sheet, order),
        "picklist.csv": write_pick_list(batch, first.sheet),
    }


def _check_alike(decks: Sequence[Composition]) -> None:
    first = decks[0]
    faults = [
        Fault(f"{deck.theme.name} and {first.theme.name} cannot share sheets: {difference}", "Build them apart.")
        for deck in decks[1:]
        for difference in find_differences(first, deck)
    ]
    UsageError.raise_any(faults)


def find_differences(one: Composition, other: Composition) -> list[str]:
    """Why two decks cannot share sheets, or nothing."""
    pairs = {
        "their cards differ in shape or size": (one.sheet.nest.shape, other.sheet.nest.shape),
        "their papers differ": (one.theme.sheet.paper, other.theme.sheet.paper),
        "their sheet options differ": (one.theme.sheet, other.theme.sheet),
        "their press options differ": (one.theme.press, other.theme.press),
        "one is on labels or for a plotter": (
            (one.theme.labels, one.theme.plotter),
            (other.theme.labels, other.theme.plotter),
        ),
        "one is made of pictures": (one.theme.pictures, other.theme.pictures),
        "their backs differ, and separate backs are one page for all": (_separate_back(one), _separate_back(other)),
    }
    return [words for words, (a, b) in pairs.items() if a != b][:1]


def _separate_back(deck: Composition) -> BackOptions | None:
    """The back that is printed on a page of its own, if it is; what else lies on a sheet has its own back behind it."""
    return deck.theme.back if deck.theme.sheet.duplex == "separate" else None


def write_pick_list(batch: Batch, sheet: Sheet) -> bytes:
    """Which card lies where, so that a pile of cut cards becomes decks again."""
    sink = io.StringIO()
    rows = csv.writer(sink, lineterminator="\n")
    rows.writerow(["sheet", "place", "deck", "card", "copy"])
    for number, page in enumerate(plan_fronts(sheet.nest, list(batch.leaves)), start=1):
        for place, slot in enumerate(page.slots, start=1):
            leaf = batch.leaves[slot.leaf]
            rows.writerow([number, place, leaf.deck, leaf.front.letter + str(leaf.front.number), leaf.pledge.copy])
    return sink.getvalue().encode()
