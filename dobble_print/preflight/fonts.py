"""Fonts: every font that shows text travels inside the file."""

from __future__ import annotations

from typing import Any

from pikepdf import Name

from dobble_print.pdf.content import key_of
from dobble_print.pdf.report import Finding, Flaw, Limits, judge, pass_over
from dobble_print.preflight.survey import Survey

FILES = ("/FontFile", "/FontFile2", "/FontFile3")


def check_fonts(survey: Survey, limits: Limits) -> Finding:
    """All fonts that any text uses are embedded, in forms, patterns and annotations too."""
    used = {key_of(font): (page, font) for page, drawing in survey.list_streams() for font in drawing.fonts.values()}
    if not used:
        return pass_over("fonts", "no text, no fonts")
    flaws = [Flaw(f"{_name(font)} is not embedded", page) for page, font in used.values() if not _is_embedded(font)]
    many = "the one font is embedded" if len(used) == 1 else f"all {len(used)} fonts are embedded"
    return judge("fonts", flaws, many)


def _name(font: Any) -> str:
    return str(font.get("/BaseFont", "/a font without a name"))[1:]


def _is_embedded(font: Any) -> bool:
    """A Type 3 font is drawn by the file itself; a composite font keeps its file in its descendant."""
    if font.get("/Subtype") == Name.Type3:
        return True
    holder = font.DescendantFonts[0] if "/DescendantFonts" in font else font
    described = holder.get("/FontDescriptor")
    return described is not None and any(key in described for key in FILES)
