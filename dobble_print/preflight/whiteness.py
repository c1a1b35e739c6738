"""Whiteness: a card whose colour ends at the cut because something white lies over its bleed.

Invariant: a card that is white on both sides of the cut is white on purpose; a picture that happens to end near the cut
is no fault, so the colour must end there over a long stretch. An edge that two cards share is not judged: what lies
beyond it is no bleed but the other card. Photos are rendered as black: what they really show is not looked at.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dobble_print.preflight.cards import CutCard
from dobble_print.preflight.cover import Cover, Points
from dobble_print.units import PT_PER_MM

INKED_UP_TO = 247  # tones of 255
WHITE_FROM = 253
INSIDE_MM = (0.4, 0.7)
ALONG_MM = 0.5
STEP_MM = 0.3
AT_CUT_MM = 0.6  # white from here on outwards: the colour ends at the cut
LONGEST_AT_CUT = 15 / 360  # of an outline that may do so in one stretch
NEAR_SHARE = 0.5  # of the bleed: white from here on outwards, the colour ends too near the cut
LONGEST_NEAR = 45 / 360

Flags = npt.NDArray[np.bool_]


def ends_in_white(card: CutCard, cover: Cover, bleed_mm: float) -> bool:
    """Whether a card has ink inside its outer edges and white outside, over more of them than chance explains."""
    if bleed_mm <= AT_CUT_MM + STEP_MM:
        return False
    feet, ways = walk_outline(card.outline)
    inked = np.all([cover.read_tone(feet - ways * mm * PT_PER_MM) <= INKED_UP_TO for mm in INSIDE_MM], axis=0)
    inked &= card.is_outer(feet, ways)
    if not inked.any():
        return False
    away_mm = np.arange(AT_CUT_MM, bleed_mm - STEP_MM, STEP_MM)
    white = np.array([cover.read_tone(feet + ways * mm * PT_PER_MM) >= WHITE_FROM for mm in away_mm])
    at_cut = inked & white.all(axis=0)
    near = inked & white[away_mm >= bleed_mm * NEAR_SHARE].all(axis=0)
    return longest_run(at_cut) > LONGEST_AT_CUT * len(feet) or longest_run(near) > LONGEST_NEAR * len(feet)


def walk_outline(points: Points) -> tuple[Points, Points]:
    """Evenly spaced points of a closed outline, and the directions away from the card."""
    points = points[np.r_[True, (np.abs(np.diff(points, axis=0)) > 1e-6).any(axis=1)]]
    step = np.diff(points, axis=0)
    along = np.r_[0.0, np.cumsum(np.hypot(*step.T))]
    at = np.arange(0.0, along[-1], ALONG_MM * PT_PER_MM)
    which = np.clip(np.searchsorted(along, at, side="right") - 1, 0, len(step) - 1)
    tangent = step[which] / np.hypot(*step[which].T)[:, None]
    feet = points[which] + tangent * (at - along[which])[:, None]
    x, y = points[:-1].T
    clockwise = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) < 0
    ways = np.column_stack((tangent[:, 1], -tangent[:, 0])) * (-1.0 if clockwise else 1.0)
    return feet, ways


def longest_run(flags: Flags) -> int:
    """The longest stretch of set flags, around the end of the outline too."""
    if flags.all():
        return len(flags)
    turned = np.roll(flags, -int(np.argmin(flags)))  # starts with one that is not set
    edges = np.flatnonzero(np.diff(np.r_[turned, False].astype(int)))
    return int((edges[1::2] - edges[::2]).max()) if len(edges) else 0
