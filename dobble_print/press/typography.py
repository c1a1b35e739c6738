"""Fonts on pages: widths, line breaks, right-to-left text, the colours of text, and a canvas to draw on."""

from __future__ import annotations

import copy
import io
import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from dobble_print.errors import Fault, Place, ThemeError
from dobble_print.fonts import font_bytes
from dobble_print.sheets.marks import measure_brightness

if TYPE_CHECKING:
    from dobble_print.prepress.inks import Inks


class TextColor(str):
    """A colour of small letters, which a press prints as solid black: no tint of dots, no plates that lie apart."""

    __slots__ = ()


INK = TextColor("#222222")
QUIET = TextColor("#6b7280")
DARK_ENOUGH = 150  # white letters stand out on an accent up to this brightness
FALLBACK_ACCENT = "#1d3557"


def choose_accent(color: str) -> str:
    """Return the deck's own colour where white letters stand out on it, or else a dark blue."""
    return color if measure_brightness(color) <= DARK_ENOUGH else FALLBACK_ACCENT


def mix(color: str, part: float) -> str:
    """Return a colour thinned with white."""
    return "#" + "".join(f"{round(255 - (255 - channel) * part):02x}" for channel in bytes.fromhex(color[1:]))


REGULAR = "FiraGO"
BOLD = "FiraGO-Bold"
# joiners, direction marks and variation selectors shape the text around them and have no ink of their own
INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2066\u2067\u2068\u2069\ufe0e\ufe0f"))
LEFT_TO_RIGHT_MARK = "\u200e"
SOFT_HYPHEN = "\u00ad"
_UNBROKEN = re.compile(r"[^ \t\r\n]+")
RIGHT_TO_LEFT = {"R", "AL"}


def register_fonts() -> None:
    """Register fresh fonts for a new document: a used font remembers which letters earlier documents needed."""
    from reportlab.pdfbase import pdfmetrics

    for name, bold in ((REGULAR, False), (BOLD, True)):
        pdfmetrics.registerFont(make_font(name, bold, shapable=False))
    pdfmetrics.registerFontFamily(REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD)


def make_font(name: str, bold: bool = False, shapable: bool = True) -> Any:
    """Return a font that no document has used yet; its file is read once, what documents need of it is kept apart."""
    from reportlab.pdfbase.ttfonts import TTEncoding

    font = copy.copy(_read_font(name, bold, shapable))
    font.encoding, font.state = TTEncoding(), WeakKeyDictionary()
    return font


@lru_cache(maxsize=8)
def _read_font(name: str, bold: bool, shapable: bool) -> Any:
    from reportlab.pdfbase.ttfonts import TTFont

    return TTFont(name, io.BytesIO(font_bytes(bold)), shapable=shapable)


def text_width_pt(text: str, font: str, size_pt: float) -> float:
    """Return how long a line prints."""
    from reportlab.pdfbase import pdfmetrics

    return float(pdfmetrics.stringWidth(text, font, size_pt))


@lru_cache(maxsize=1)
def _known_letters() -> frozenset[int]:
    """Return the characters that both weights have."""
    regular, bold = (make_font(REGULAR, bold, shapable=False).face for bold in (False, True))
    return frozenset(regular.charToGlyph) & frozenset(bold.charToGlyph)


def find_missing(text: str) -> list[str]:
    """Return the characters of a text that cannot be printed, each once."""
    shown = order_visually(text)
    return [
        char
        for char in dict.fromkeys(shown)
        if ord(char) not in _known_letters() and not char.isspace() and char != SOFT_HYPHEN
    ]


def explain_missing(text: str, what: str, place: Place | None = None) -> list[Fault]:
    """Return a fault that names the characters of a text that have no letter in the font; none when all have."""
    missing = find_missing(text)
    if not missing:
        return []
    named = ", ".join(f'"{char}" (U+{ord(char):04X} {unicodedata.name(char, "?")})' for char in missing)
    hint = "Use other characters, or leave that language out of the booklet and the legend."
    return [Fault(f"{what}: the font has no letter for {named}", hint, place)]


def refuse_missing(texts: Iterable[str], what: str) -> None:
    """Raise one error that names every character without a letter in these texts."""
    ThemeError.raise_any(fault for text in texts for fault in explain_missing(text, what))


def is_right_to_left(text: str) -> bool:
    """Return whether the first letter that has a direction runs to the left."""
    strong = (unicodedata.bidirectional(char) for char in text)
    return next((kind in RIGHT_TO_LEFT for kind in strong if kind in {"L", *RIGHT_TO_LEFT}), False)


def has_right_to_left(text: str) -> bool:
    """Return whether any letter runs to the left."""
    return any(unicodedata.bidirectional(char) in RIGHT_TO_LEFT for char in text)


@cache
def order_visually(line: str) -> str:
    """Return one line as it is drawn from left to right: Arabic letters joined, words ordered, brackets mirrored."""
    if not has_right_to_left(line):
        return line.translate(INVISIBLE)
    if LEFT_TO_RIGHT_MARK in line:  # what it parts is ordered each for itself
        return "".join(order_visually(piece) for piece in line.split(LEFT_TO_RIGHT_MARK))
    from bidi.algorithm import get_display

    base = "R" if is_right_to_left(line) else "L"
    return str(get_display(_reshaper().reshape(line), base_dir=base)).translate(INVISIBLE)


def isolate(words: str) -> str:
    """Return words to stand in a line from left to right, in a direction of their own."""
    return f"{LEFT_TO_RIGHT_MARK}{words}{LEFT_TO_RIGHT_MARK}" if has_right_to_left(words) else words


@lru_cache(maxsize=1)
def _reshaper() -> Any:
    from arabic_reshaper import ArabicReshaper

    # the font maps a letter that stands alone only under its ordinary code
    return ArabicReshaper({"use_unshaped_instead_of_isolated": True, "delete_harakat": False})


def split_words(text: str) -> list[str]:
    """Return the words that a line may end between: not at a space that does not break."""
    return _UNBROKEN.findall(text)


def break_lines(text: str, font: str, size_pt: float, width_pt: float) -> list[str]:
    """Break a text into lines, in reading order; a word that is too wide stands alone for the caller to set smaller."""
    lines: list[str] = []
    for word in split_words(text):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width_pt(order_visually(joined), font, size_pt) <= width_pt:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines


def draw_line(canvas: Any, x_pt: float, y_pt: float, line: str, font: str, size_pt: float, anchor: float = 0.0) -> None:
    """Draw one line of text, in whatever direction it is read; `anchor` says which part lies at x: 0 its left end."""
    shown = order_visually(line)
    canvas.setFont(font, size_pt)
    canvas.drawString(x_pt - anchor * text_width_pt(shown, font, size_pt) if anchor else x_pt, y_pt, shown)


def open_canvas(sink: io.BytesIO, title: str, inks: Inks | None = None) -> Any:
    """Open a canvas that writes into the sink, in inks where they are given; the font must be registered already."""
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0  # letters for bytes, which pikepdf would only have to turn back
    bind = partial(bind_color, inks) if inks else None
    canvas = Canvas(sink, invariant=1, pageCompression=1, initialFontName=REGULAR, enforceColorSpace=bind)
    canvas.setTitle(title)
    canvas.setCreator("dobble-print")
    canvas.setAuthor("")
    canvas.setSubject("")
    return canvas


def bind_color(inks: Inks, color: Any) -> Any:
    """Return the inks of a colour that a canvas is given; letters are solid black, and inks stay as they are."""
    from reportlab.lib.colors import CMYKColor, toColor

    if isinstance(color, CMYKColor) or (isinstance(color, tuple | list) and len(color) == 4):
        return color
    if isinstance(color, TextColor):
        return CMYKColor(0, 0, 0, 1)
    shown = toColor(color)
    return CMYKColor(*inks.vector(shown.red, shown.green, shown.blue), alpha=shown.alpha)
