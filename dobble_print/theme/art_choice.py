"""Which set draws the emoji of a theme."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dobble_print.theme.model import Captioned, Emoji, EmojiArt, Source, Symbol


def choose_art(symbols: Iterable[Symbol], art: EmojiArt, low_ink: bool = False) -> tuple[Symbol, ...]:
    """The symbols with every emoji, on whatever face, drawn by that set; for little ink by its lines alone."""
    if low_ink and art == "openmoji":
        art = "openmoji-lines"
    return tuple(
        replace(
            symbol,
            source=_redraw(symbol.source, art),
            faces=tuple(replace(face, source=_redraw(face.source, art)) for face in symbol.faces),
        )
        for symbol in symbols
    )


def _redraw(source: Source, art: EmojiArt) -> Source:
    match source:
        case Emoji():
            return replace(source, art=art)
        case Captioned(Emoji() as picture):
            return replace(source, picture=replace(picture, art=art))
    return source
