"""The faces in a legend: all looks of a symbol side by side, so that the legend is the answer key of the deck.

Invariant: faces stand in columns of their own, as wide on every line of a legend as the widest of them needs; a name
that a face shows is not written again beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from dobble_print.art.artwork import Artwork
from dobble_print.art.text import measure_box, measure_x_height
from dobble_print.layout.model import Placement
from dobble_print.sheets.plan import Stamp, make_stamp
from dobble_print.theme.faces import fold_print
from dobble_print.theme.model import Captioned, Face, Symbol, Text
from dobble_print.units import Point

WIDEST, NARROWEST = 3.2, 1.0  # of a word's room, in heights of a row
FULLEST = 0.94  # of the height of a row that words may take
SHORT_WORDS = 1.25  # how much larger letters a word of one line may have than one of several
FACE_GAP = 0.22  # between two faces, in heights of a row


def measure_letters(symbols: Iterable[Symbol]) -> float:
    """The x-height of words in a legend, in heights of a row: what the text that is highest for its letters allows.

    Words of fewer lines get a little more; were they to fill the row too, they would shout.
    """
    boxes = [_measure_text(text) for symbol in symbols if len(symbol.faces) > 1 for text in _list_texts(symbol)]
    return min((FULLEST * x_height / height * SHORT_WORDS for _, height, x_height in boxes), default=1.0)


def measure_faces(symbol: Symbol, letters: float) -> tuple[float, ...]:
    """How wide the faces of a symbol want to be, in heights of a row; a symbol's only face is as wide as high."""
    if len(symbol.faces) == 1:
        return (1.0,)
    return tuple(_measure_face(face, letters) for face in symbol.faces)


def _measure_face(face: Face, letters: float) -> float:
    if not isinstance(face.source, Text) or face.source.badge:
        return 1.0
    width, height, x_height = _measure_text(face.source)
    return min(max(width * min(FULLEST / height, letters / x_height), NARROWEST), WIDEST)


def _list_texts(symbol: Symbol) -> list[Text]:
    return [face.source for face in symbol.faces if isinstance(face.source, Text) and not face.source.badge]


@lru_cache(maxsize=4096)
def _measure_text(text: Text) -> tuple[float, float, float]:
    return measure_box(text)


def join_columns(widths: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The columns in which all these faces have room."""
    most = max(map(len, widths), default=1)
    return tuple(max((row[i] for row in widths if i < len(row)), default=1.0) for i in range(most))


def measure_columns(columns: Sequence[float]) -> float:
    """The room of all columns with the gaps between them, in heights of a row."""
    return sum(columns) + FACE_GAP * (len(columns) - 1)


def stamp_faces(
    pieces: Sequence[tuple[int, Artwork, Face]],
    columns: Sequence[float],
    letters: float,
    x_mm: float,
    middle_mm: float,
    row_mm: float,
) -> list[Stamp]:
    """The faces of a symbol in their columns: pictures by their enclosing circles, words as large as they fit."""
    stamps, left = [], x_mm
    for (piece, artwork, face), column in zip(pieces, columns, strict=False):
        width = column * row_mm
        centre = (left + width / 2, middle_mm)
        if len(pieces) > 1 and isinstance(face.source, Text):
            largest = row_mm * letters / measure_x_height(face.source)
            scale = min(width / artwork.width, row_mm * FULLEST / artwork.height, largest)
            stamps.append(_stamp_box(piece, artwork, centre, scale))
        else:
            stamps.append(make_stamp(artwork, Placement(piece, *centre, 0.0, row_mm)))
        left += width + FACE_GAP * row_mm
    return stamps


def _stamp_box(piece: int, artwork: Artwork, centre: Point, scale: float) -> Stamp:
    """A word with the middle of its box at a point: lines of type look centred by their box, not by their circle."""
    x, y = centre[0] - scale * artwork.width / 2, centre[1] - scale * artwork.height / 2
    return Stamp(piece, (scale, 0.0, 0.0, scale, x, y))


def is_shown(name: str, language: str, symbol: Symbol) -> bool:
    """Whether the faces of a symbol say its name in a language already."""
    if language and any(face.language == language for face in symbol.faces):
        return True
    texts = [text.text for text in map(_find_text, symbol.faces) if text]
    only = symbol.faces[0].source if len(symbol.faces) == 1 else None
    if isinstance(only, Text) and only.badge:
        return False  # letters on a badge are small, and the name is what to call out
    joined = [sign.join(texts) for sign in (" = ", " / ")]
    return fold_print(name) in map(fold_print, (*texts, *joined))


def _find_text(face: Face) -> Text | None:
    if isinstance(face.source, Captioned):
        return face.source.caption
    return face.source if isinstance(face.source, Text) else None
