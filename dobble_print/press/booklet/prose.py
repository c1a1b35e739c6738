"""Prose: running text as Platypus paragraphs, in either reading direction.

Invariant: every paragraph was checked for letters the font lacks, and no line is wider than its column.
"""

from __future__ import annotations

import re
from typing import Any
from xml.sax.saxutils import escape

from reportlab.platypus.flowables import Flowable
from reportlab.platypus.paragraph import Paragraph

from dobble_print.press.typography import (
    break_lines,
    draw_line,
    has_right_to_left,
    is_right_to_left,
    order_visually,
    refuse_missing,
    text_width_pt,
)

_RTL_RUN = re.compile("[\u0590-\u08ff\ufb1d-\ufefc][\u0590-\u08ff\ufb1d-\ufefc\\s()]*[\u0590-\u08ff\ufb1d-\ufefc)]")
# no line ends inside a sum, before a French question mark or after an opening guillemet
_TIED = re.compile(r"(?<=\d) (?=[×+=] \d)|(?<=\d [×+=]) (?=\d)|(?<=\d\u00a0[×+=]) (?=\d)| (?=[?!:;»])|(?<=«) ")
_ADDRESS = re.compile(r"https://[\w./?=#%~-]*[\w/]")


def make_prose(text: str, style: Any, bullet: str | None = None) -> Any:
    """A paragraph of running text; one that begins with a right-to-left letter runs that way."""
    refuse_missing([text], "the booklet")
    text = _TIED.sub("\u00a0", text)
    if is_right_to_left(text):
        return RightToLeft(text, style)
    if has_right_to_left(text):
        text = _RTL_RUN.sub(lambda run: order_visually(run[0]).replace(" ", "\u00a0"), text)
    return Paragraph(_ADDRESS.sub(lambda found: _link(found[0], style), escape(text)), style, bulletText=bullet)


def _link(address: str, style: Any) -> str:
    """A web address without what readers need not see, a little smaller: it fits a narrow column in one piece."""
    shown = address.removeprefix("https://").rstrip("/")
    return f'<a href="{address}"><font size="{style.fontSize * 0.92:.2f}">{shown}</font></a>'


class RightToLeft(Flowable):  # type: ignore[misc]
    """A paragraph that runs from right to left: broken into lines first, then each line put in drawing order."""

    def __init__(self, text: str, style: Any, lines: list[str] | None = None) -> None:
        super().__init__()
        self.text, self.style, self.lines = text, style, lines
        self.spaceBefore, self.spaceAfter = style.spaceBefore, style.spaceAfter

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """As many lines as it takes."""
        if self.lines is None:
            self.lines = break_lines(self.text, self.style.fontName, self.style.fontSize, width_pt)
        self.width, self.height = width_pt, len(self.lines) * self.style.leading
        return self.width, self.height

    def split(self, width_pt: float, room_pt: float) -> list[Any]:
        """The lines that fit and the others."""
        self.wrap(width_pt, room_pt)
        assert self.lines is not None
        count = int(room_pt / self.style.leading)
        if not 0 < count < len(self.lines):
            return []
        return [RightToLeft("", self.style, lines) for lines in (self.lines[:count], self.lines[count:])]

    def draw(self) -> None:
        """Every line ends at the right edge."""
        self.canv.setFillColor(self.style.textColor)
        for i, line in enumerate(self.lines or ()):
            width = text_width_pt(order_visually(line), self.style.fontName, self.style.fontSize)
            y = self.height - i * self.style.leading - self.style.fontSize
            draw_line(self.canv, self.width - width, y, line, self.style.fontName, self.style.fontSize)
