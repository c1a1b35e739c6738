"""What is printed, as data: cards with the symbols drawn in them, backs, and the cuts on a page.

Invariant: everything is in points on its page, as the content stream draws it; `frame` maps a card's own coordinates
(points around its middle) to the page. A value of None is one that the file does not tell.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from dobble_print.preflight.drawing import Color, Subpath
from dobble_print.preflight.matrix import IDENTITY, Matrix


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
    subpaths: tuple[Subpath, ...]


@dataclass(eq=False)
class Side:
    """One side of a card as it is drawn between its marks."""

    page: int
    frame: Matrix = IDENTITY
    placed: list[Placed] = field(default_factory=list)
    clip: tuple[Subpath, ...] = ()
    strokes: list[Subpath] = field(default_factory=list)
    deck: str | None = None


@dataclass(eq=False)
class PrintedCard(Side):
    """The front of a card, with what the file says about it."""

    number: int = 0
    copy: int = 1
    gap_mm: float | None = None
    margin_mm: float | None = None
    ground: Color | None = None  # filled last before the first symbol


@dataclass(eq=False)
class PrintedBack(Side):
    """The other side of a card, with what it fills."""

    patches: list[Patch] = field(default_factory=list)


@dataclass(eq=False)
class PrintedPage:
    """A page with its cards, backs and the lines of its spot plates; boxes are (left, bottom, right, top)."""

    number: int
    media: tuple[float, float, float, float]
    trim: tuple[float, float, float, float] | None
    cards: list[PrintedCard] = field(default_factory=list)
    backs: list[PrintedBack] = field(default_factory=list)
    cuts: list[Subpath] = field(default_factory=list)
