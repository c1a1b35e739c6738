"""Edges: pages that are trimmed rather than cut out, such as a booklet's: what touches the trim runs on beyond it.

Invariant: only where ink reaches the trim is bleed asked for; a page with a white margin needs none. What is found is
paint that ends along the trim, as an area without bleed does: round cards, which only touch it, end askew to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dobble_print.pdf.report import Finding, Flaw, Limits, judge
from dobble_print.preflight.boxes import trim_box
from dobble_print.preflight.cover import Cover, Points, Renderer
from dobble_print.preflight.survey import Sheet, Survey
from dobble_print.preflight.whiteness import INKED_UP_TO, INSIDE_MM, WHITE_FROM, longest_run, walk_outline
from dobble_print.units import PT_PER_MM

NEAREST_MM = 0.3
STEP_MM = 0.3
TOLERANCE_MM = 0.15  # of a pixel's corner
FEWEST = 24  # samples, half a millimetre apart


@dataclass(frozen=True)
class _Edge:
    """How much of a page's trim has ink, the longest stretch that ends too soon, and how near to the trim."""

    inked: int
    short: int = 0
    reach_mm: float = 0.0


def check_edges(survey: Survey, renderer: Renderer, limits: Limits) -> Finding:
    """Ink that reaches a page's trim goes on to the end of the bleed."""
    edges = {sheet.number: _look_along(sheet, renderer.render(sheet), limits.bleed_mm) for sheet in survey.sheets}
    flaws = [
        Flaw(f"ink that reaches the trim ends {edge.reach_mm:.1f} mm outside it ({limits.bleed_mm:g} mm needed)", page)
        for page, edge in edges.items()
        if edge.short >= FEWEST
    ]
    touched = sum(edge.inked >= FEWEST for edge in edges.values())
    pages = f"{touched} page{'s' * (touched != 1)}"
    well = f"ink runs {limits.bleed_mm:g} mm beyond the trim on {pages}" if touched else "no ink reaches the trim"
    return judge("bleed", flaws, well)


def _look_along(sheet: Sheet, cover: Cover, bleed_mm: float) -> _Edge:
    feet, ways = walk_outline(_trace_trim(sheet))
    inked = np.all([cover.read_tone(feet - ways * mm * PT_PER_MM) <= INKED_UP_TO for mm in INSIDE_MM], axis=0)
    away_mm = np.arange(NEAREST_MM, bleed_mm - TOLERANCE_MM, STEP_MM)
    white = np.array([cover.read_tone(feet + ways * mm * PT_PER_MM) >= WHITE_FROM for mm in away_mm])
    ends = np.where(inked & white.any(axis=0), white.argmax(axis=0), -1)
    runs = [(longest_run(ends == step), step) for step in range(len(away_mm))]
    short, step = max(runs)
    return _Edge(int(inked.sum()), short, float(away_mm[step]) - STEP_MM / 2 if step else 0.0)


def _trace_trim(sheet: Sheet) -> Points:
    left, bottom, right, top = (value * sheet.unit_pt for value in trim_box(sheet))
    return np.array([(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)])
