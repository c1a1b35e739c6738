"""What machines are told, as the rest of the program sees it: label sheets, plotters, presses, pictures of cards.

Invariant: these options change no card's content, only what it is printed on or written as.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Standard = Literal["none", "x-4", "x-1a"]
CutPath = Literal["none", "art", "page", "file"]
CutFile = Literal["svg", "dxf"]
TargetPlace = Literal["sides", "corners"]
BarPlace = Literal["any", "top", "bottom", "left", "right"]
Pictures = Literal["none", "cards", "tabletop"]


@dataclass(frozen=True)
class LabelOptions:
    """A sheet of labels as its maker describes it: the first label's box from the upper left, then the steps."""

    columns: int
    rows: int
    left_mm: float
    top_mm: float
    across_mm: float
    down_mm: float


@dataclass(frozen=True)
class PlotterOptions:
    """What a cutting machine wants: marks that its camera finds, and the cuts as files."""

    marks: bool = False
    inset_mm: float = 10.0
    square_mm: float = 5.0
    arm_mm: float = 20.0
    line_mm: float = 0.5
    files: tuple[CutFile, ...] = ()


@dataclass(frozen=True)
class PressOptions:
    """What a print shop wants: the standard of the PDF, and the cut as a plate of its own."""

    standard: Standard = "none"
    cut_path: CutPath = "none"
    cut_name: str = "CutContour"
    registration: bool = False
    registration_at: TargetPlace = "sides"
    color_bar: bool = False
    color_bar_at: BarPlace = "any"
    ink_limit: float = 300.0
    least_dpi: float = 300.0


MOST_PIXELS = 21_000_000  # of one picture: a card of 3.5 inches with its bleed at 1200 dpi, in 450 MB of memory
HINT_PIXELS = f"Give them {MOST_PIXELS // 10**6} million pixels at most."


@dataclass(frozen=True)
class PictureOptions:
    """Cards as pictures instead of sheets; sizes of None follow from the card."""

    kind: Pictures = "none"
    width_px: int | None = None
    height_px: int | None = None
    dpi: float = 300.0
    transparent: bool = False
    most_width_mm: float | None = None
    most_height_mm: float | None = None
    url: str = ""
