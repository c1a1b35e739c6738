"""Own the format of a booklet: page size, margins, type sizes, colours.

Invariant: all numbers come from `templates/booklet.yaml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dobble_print.errors import Fault, UsageError
from dobble_print.press.typography import BOLD, INK, QUIET, REGULAR, TextColor, choose_accent, mix
from dobble_print.resources import read_table
from dobble_print.units import mm_to_pt

MOST_ON_A5 = 2  # languages; more follow each other in a small, thick booklet
TINT_PART = 0.1  # how much of the accent colour is left in its tint


@dataclass(frozen=True)
class BookFormat:
    """A page and its type; lengths in millimetres, sizes in points. `columns` languages stand side by side.

    With a bleed, covers run over the edge.
    """

    name: str
    width_mm: float
    height_mm: float
    inner_mm: float
    outer_mm: float
    top_mm: float
    bottom_mm: float
    size_pt: float
    leading: float
    gutter_mm: float
    columns: int
    accent: str
    bleed_mm: float = 0.0

    @property
    def frame_pt(self) -> tuple[float, float]:
        """Return width and height of the text area."""
        width = self.width_mm - self.inner_mm - self.outer_mm
        return mm_to_pt(width), mm_to_pt(self.height_mm - self.top_mm - self.bottom_mm)

    @property
    def column_pt(self) -> float:
        """Return the width of one language's column."""
        return (self.frame_pt[0] - (self.columns - 1) * mm_to_pt(self.gutter_mm)) / self.columns

    @property
    def tint(self) -> str:
        """Return a pale tint of the accent colour, for areas behind text."""
        return mix(self.accent, TINT_PART)

    @cached_property
    def styles(self) -> dict[str, Any]:
        """Return the paragraph styles by name."""
        from reportlab.lib.styles import ParagraphStyle

        size, pitch = self.size_pt, self.size_pt * self.leading
        body = ParagraphStyle(
            "body",
            fontName=REGULAR,
            bulletFontName=BOLD,  # the default is an unembedded Helvetica
            fontSize=size,
            leading=pitch,
            textColor=INK,
            spaceAfter=pitch * 0.35,
            allowWidows=0,
            allowOrphans=0,
            splitLongWords=1,  # an address may be longer than a narrow column
            embeddedHyphenation=1,
        )
        step = ParagraphStyle(
            "step",
            parent=body,
            leftIndent=size * 1.35,
            bulletFontSize=size,
            bulletColor=TextColor(self.accent),  # small letters print in one ink
            spaceAfter=pitch * 0.16,
        )
        part = ParagraphStyle(
            "part",
            parent=body,
            fontName=BOLD,
            textColor=TextColor(self.accent),
            spaceBefore=pitch * 0.3,
            spaceAfter=pitch * 0.08,
        )
        small = ParagraphStyle("small", parent=body, fontSize=size * 0.88, leading=pitch * 0.88, textColor=QUIET)
        return {"body": body, "step": step, "part": part, "small": small}


def find_size(asked: str | None) -> str | None:
    """Return the size meant by a name in any case; None leaves the choice to the format."""
    if asked is None:
        return None
    known = {size.casefold(): size for size in read_table("booklet.yaml")}
    if asked.casefold() not in known:
        raise UsageError(Fault(f'there is no booklet size "{asked}"', f"There are: {', '.join(known.values())}."))
    return known[asked.casefold()]


def make_format(size: str | None, languages: Sequence[str], rim_color: str) -> BookFormat:
    """Return the format of a size, or the one that suits the languages: two side by side need a broader page."""
    side_by_side = len(languages) == 2
    name = find_size(size) or ("A6" if len(languages) > MOST_ON_A5 else "A5")
    numbers = {key: float(value) for key, value in read_table("booklet.yaml")[name].items()}
    body_pt, narrow_pt = numbers.pop("body_pt"), numbers.pop("narrow_pt")
    size_pt, columns = (narrow_pt, 2) if side_by_side else (body_pt, 1)
    return BookFormat(name, **numbers, size_pt=size_pt, columns=columns, accent=choose_accent(rim_color))
