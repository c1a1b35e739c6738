"""Cuts in tests: how long they are, where they run, and a page of their own around cards of one shape."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pikepdf import Pdf

from dobble_print.pdf.document import save_pdf
from dobble_print.prepress.cut_layer import CutLayer
from dobble_print.sheets.cutting import Arc, Cut, split_arc
from dobble_print.sheets.pages import PageBoxes, measure_boxes
from dobble_print.sheets.plan import CardLook, Page, Slot
from dobble_print.units import CardShape, Paper, Point


def measure_length(cut: Cut) -> float:
    """How far the knife travels, in millimetres."""
    return sum(
        math.radians(abs(step.sweep_deg)) * step.radius_mm if isinstance(step, Arc) else math.dist(start, step.end)
        for start, step in cut.walk()
    )


def sample(cut: Cut, step_deg: float = 5.0) -> list[Point]:
    """Points on the path: all corners, and arcs in small steps."""
    points = [cut.start]
    for start, step in cut.walk():
        points += [part.end for part in split_arc(start, step, step_deg)] if isinstance(step, Arc) else [step.end]
    return points


def box_cards(paper: Paper, shape: CardShape, centres: Sequence[Point]) -> PageBoxes:
    """The boxes of a sheet of cards with 3 mm of bleed."""
    look = CardLook(shape, "#ffffff", "#000000", 0.0, 2.0, 3.0, "none")
    return measure_boxes(Page(paper, tuple(Slot(1, x, y) for x, y in centres)), look)


def make_cut_page(boxes: PageBoxes, cuts: Sequence[Cut], spot: str = "CutContour", layers: bool = True) -> bytes:
    """A document of one page with nothing but cuts."""
    with Pdf.new() as pdf:
        CutLayer(pdf, spot, layers).append_page(cuts, boxes, [1])
        return save_pdf(pdf)
