"""Bleed: the paper around every cut is really painted, as far out as a cutter may stray.

The outlines come from the cut paths, the paint from rendering the page: a box that claims bleed proves nothing, and
white around a card that is not white is no bleed.
A page without cut paths is a back: it is cut where the page before it is cut, seen from behind. Files without any cut
path are trimmed, which `edges` looks at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np

from dobble_print.pdf.report import Finding, Flaw, Limits, judge, pass_over
from dobble_print.preflight.boxes import media_box
from dobble_print.preflight.cards import find_cards
from dobble_print.preflight.cover import Cover, Points, Renderer
from dobble_print.preflight.cut import CutLine, find_cut_lines, paints_art
from dobble_print.preflight.edges import check_edges
from dobble_print.preflight.survey import Sheet, Survey
from dobble_print.preflight.whiteness import ends_in_white
from dobble_print.units import PT_PER_MM, mm_to_pt

TOLERANCE_MM = 0.15  # of a pixel's corner and a curve's rounding
NEAREST_MM = 0.3  # the cut line itself must not pass for paint
STEP_MM = 0.3
ALONG_MM = 0.5
FAN = math.radians(12)
EMPTY = 0.01  # less paint than this inside an outline is only the line itself
FEWEST = 3  # unpainted samples; fewer are a speck of the renderer


@dataclass(frozen=True, eq=False)
class _Ring:
    """Samples around the cuts of a page: where, and how far outside the cut."""

    points: Points
    away_mm: Points


@dataclass(frozen=True)
class _Gap:
    """How much of a ring has no paint, how far out the paint is sure, and where it ends."""

    samples: int
    reach_mm: float = 0.0
    x_mm: float = 0.0
    y_mm: float = 0.0
    white: bool = False  # it is painted, but white where the card is not


def check_bleed(survey: Survey, limits: Limits) -> Finding:
    """Every card's outline, grown by the bleed, is painted, on fronts and backs."""
    lines = [find_cut_lines(sheet, limits) for sheet in survey.sheets]
    if limits.bleed_mm <= NEAREST_MM + TOLERANCE_MM:
        return pass_over("bleed", "no bleed asked for")
    with closing(Renderer(survey.data)) as renderer:
        if not any(lines):
            return check_edges(survey, renderer, limits)
        return _judge_cuts(_judge_pages(survey, lines, renderer, limits), limits)


def _judge_cuts(judged: Sequence[tuple[int, _Gap]], limits: Limits) -> Finding:
    if not judged:
        return pass_over("bleed", "only cut paths, no art")
    flaws = [Flaw(_tell(gap, limits), page) for page, gap in judged if gap.samples >= FEWEST]
    flaws += [
        Flaw("the bleed is covered with white: the colour ends at the cut", page) for page, gap in judged if gap.white
    ]
    pages = f"{len(judged)} page{'s' * (len(judged) != 1)}"
    return judge("bleed", flaws, f"painted {limits.bleed_mm:g} mm beyond every cut on {pages}")


def _judge_pages(
    survey: Survey, lines: Sequence[list[CutLine]], renderer: Renderer, limits: Limits
) -> list[tuple[int, _Gap]]:
    """The gap of every page with art: first the pages that say where they are cut, then those behind them."""
    judged: dict[int, _Gap] = {}
    plates: list[list[CutLine]] = []
    sheets = list(zip(survey.sheets, lines, strict=True))
    for sheet, found in sheets:
        if found and _is_bare(sheet, found, renderer, limits):
            plates.append(found)
        elif found:
            judged[sheet.number] = _find_gap(found, renderer.render(sheet), limits)
    for sheet, found in sheets:
        if not found:
            cover = renderer.render(sheet)
            before = lines[sheet.number - 2] if sheet.number - 1 in judged else []
            ways = _mirror(sheet, before) if before else _borrow(sheet, plates, cover)
            gaps = [_find_gap(each, cover, limits) for each in ways if each]
            if gaps:  # where a page may be cut in several ways, the one that fits it best
                judged[sheet.number] = min(gaps, key=lambda gap: (-gap.reach_mm, gap.samples, gap.white))
    return [(number, judged[number]) for number in sorted(judged)]


def _is_bare(sheet: Sheet, lines: Sequence[CutLine], renderer: Renderer, limits: Limits) -> bool:
    """Whether a page only says where to cut; it may carry marks, but nothing on the cards themselves."""
    if not paints_art(sheet, limits):
        return True
    cover = renderer.render(sheet)
    return not any(cover.measure_share(line.points) > EMPTY for line in lines)


def _tell(gap: _Gap, limits: Limits) -> str:
    where = f"{gap.x_mm:.0f} mm from the left and {gap.y_mm:.0f} mm from the foot"
    return f"paint ends {gap.reach_mm:.1f} mm outside a cut, {where} ({limits.bleed_mm:g} mm needed)"


def _mirror(sheet: Sheet, lines: Sequence[CutLine]) -> list[list[CutLine]]:
    """The cuts seen from behind: the sheet was turned over its long or its short edge."""
    left, bottom, right, top = (value * sheet.unit_pt for value in media_box(sheet))
    flips = [((-1.0, 1.0), (left + right, 0.0)), ((1.0, -1.0), (0.0, bottom + top))]
    return [[replace(line, points=line.points * turn + shift) for line in lines] for turn, shift in flips]


def _borrow(sheet: Sheet, plates: Sequence[list[CutLine]], cover: Cover) -> list[list[CutLine]]:
    """Cuts that stand on a page of their own, as they are or seen from behind; a last sheet may leave slots empty."""
    found = [candidate for plate in plates for candidate in (plate, *_mirror(sheet, plate))]
    return [[line for line in each if cover.measure_share(line.points) > EMPTY] for each in found]


def _find_gap(lines: Sequence[CutLine], cover: Cover, limits: Limits) -> _Gap:
    ring = _surround(lines, limits)
    bare = ~cover.is_painted(ring.points)
    white = bare.sum() < FEWEST and any(ends_in_white(card, cover, limits.bleed_mm) for card in find_cards(lines))
    if not bare.any():
        return _Gap(0, math.inf, white=white)
    nearest = int(np.argmin(np.where(bare, ring.away_mm, np.inf)))
    x, y = ring.points[nearest] / PT_PER_MM
    reach = ring.away_mm[nearest]
    sure = 0.0 if reach <= NEAREST_MM + 1e-9 else reach - STEP_MM / 2
    return _Gap(int(bare.sum()), float(sure), float(x), float(y), white)


def _surround(lines: Sequence[CutLine], limits: Limits) -> _Ring:
    """Samples from just outside the cuts to the edge of the bleed."""
    reach = limits.bleed_mm - TOLERANCE_MM
    away = np.linspace(NEAREST_MM, reach, max(2, math.ceil((reach - NEAREST_MM) / STEP_MM) + 1))
    feet, ways = (np.concatenate(parts) for parts in zip(*(_point_outwards(line) for line in lines), strict=True))
    points = feet[None, :, :] + ways[None, :, :] * (away * PT_PER_MM)[:, None, None]
    return _Ring(points.reshape(-1, 2), np.repeat(away, len(feet)))


def _point_outwards(line: CutLine) -> tuple[Points, Points]:
    """Feet on a line and directions away from the card; an open line divides two cards, so both its sides count."""
    points = line.points[np.r_[True, (np.abs(np.diff(line.points, axis=0)) > 1e-6).any(axis=1)]]
    step = np.diff(points, axis=0)
    heading = np.arctan2(step[:, 1], step[:, 0])
    feet, angles = [points[:0]], [heading[:0]]
    for side in (-_sense(points),) if line.closed else (-1, 1):
        for found_feet, found_angles in (
            _stand_along(points, step, heading, side),
            *_fan_corners(points, heading, side, line.closed),
        ):
            feet.append(found_feet)
            angles.append(found_angles)
    if not line.closed:
        around = np.arange(0, 2 * math.pi, FAN)
        feet += [np.repeat(points[[0, -1]], len(around), axis=0)]
        angles += [around, around]
    ways = np.concatenate(angles)
    return np.concatenate(feet), np.column_stack((np.cos(ways), np.sin(ways)))


def _stand_along(points: Points, step: Points, heading: Points, side: int) -> tuple[Points, Points]:
    """Feet at even distances along every stretch, looking straight away from it."""
    count = np.maximum(1, np.ceil(np.hypot(*step.T) / mm_to_pt(ALONG_MM))).astype(int)
    which = np.repeat(np.arange(len(step)), count)
    share = (np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)) / count[which]
    return points[which] + step[which] * share[:, None], heading[which] + side * math.pi / 2


def _fan_corners(points: Points, heading: Points, side: int, closed: bool) -> Iterator[tuple[Points, Points]]:
    """At each corner that points outwards, the directions between those of its two stretches."""
    turn = (np.roll(heading, -1) - heading + math.pi) % (2 * math.pi) - math.pi
    if not closed:
        turn[-1] = 0.0
    for at in np.flatnonzero((turn * side < 0) & (np.abs(turn) > FAN)):
        fan = np.arange(FAN, abs(turn[at]), FAN) * math.copysign(1.0, turn[at])
        yield np.repeat(points[at + 1][None], len(fan), axis=0), heading[at] + side * math.pi / 2 + fan


def _sense(points: Points) -> int:
    """1 for a line that runs counter-clockwise, its outside on the right."""
    x, y = points[:, 0], points[:, 1]
    return 1 if float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) > 0 else -1
