"""The program's own font: FiraGO (SIL OFL 1.1), TrueType, many alphabets, from the package `pymupdf-fonts`."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=2)
def font_bytes(bold: bool = False) -> bytes:
    """The font file's contents."""
    if bold:
        from pymupdf_fonts import FiraGO_Bold as font
    else:
        from pymupdf_fonts import FiraGO_Regular as font
    return bytes(font.fontbuffer)
