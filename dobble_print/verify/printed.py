"""What is printed, as data: cards with the symbols drawn in them, backs, and the cuts on a page.

Invariant: everything is in points on its page, as the content stream draws it; `frame` maps a card's own coordinates
(points around its middle) to the page. A value of None is one that the file does not tell.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dobble_print.pdf.content import Color
from dobble_print.pdf.geometry import IDENTITY, Matrix

Box = tuple[float, float, float, float]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Run:
    """A run of a path: its points with curves sampled, one a row, and whether it closes."""

    points: Floats
    closed: bool


@dataclass(frozen=True, eq=False)
class Placed:
    """A form or an image where it is drawn, and the colour under it; `key` tells it from others of the file."""

    key: Hashable
    thing: Any
    matrix: Matrix
    name: str
    ground: Color | None = None


@dataclass(frozen=True, eq=False)
class Patch:
    """A filled path."""

    color: Color | None
    subpaths: tuple[Run, ...]


@dataclass(eq=False)
class Side:
    """One side of a card as it is drawn between its marks."""

    page: int
    frame: Matrix = IDENTITY
    placed: list[Placed] = field(default_factory=list)
    clip: tuple[Run, ...] = ()
    strokes: list[Run] = field(default_factory=list)
    deck: str | None = None
    copy: int = 1


@dataclass(eq=False)
class PrintedCard(Side):
    """The front of a card, with what the file says about it."""

    number: int = 0
    gap_mm: float | None = None
    margin_mm: float | None = None
    scale: float = 1.0  # by which it is printed larger than it was made
    ground: Color | None = None  # filled last before the first symbol


@dataclass(eq=False)
class PrintedBack(Side):
    """The other side of a card, with what it fills."""

    patches: list[Patch] = field(default_factory=list)


@dataclass(eq=False)
class PrintedPage:
    """A page with its cards, backs and the lines of its spot plates; boxes are (left, bottom, right, top).

    `shown` is what of the paper is printed at all; `turn_deg` how far the sheet is turned before it is.
    """

    number: int
    media: Box
    trim: Box | None
    shown: Box
    turn_deg: int = 0
    unit_pt: float = 1.0  # points that one of its units is
    strays: list[str] = field(default_factory=list)  # symbols drawn outside all cards and backs
    cards: list[PrintedCard] = field(default_factory=list)
    backs: list[PrintedBack] = field(default_factory=list)
    cuts: list[Run] = field(default_factory=list)
