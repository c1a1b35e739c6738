"""The faces in a legend: all looks of a symbol side by side, so that the legend is the answer key of the deck.

Invariant: faces stand in columns of their own, as wide on every line of a legend as the widest of them needs; a name
that a face shows is not written again beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from dobble_print.art.artwork import Artwork
from dobble_print.art.text.plates import measure_box, measure_x_height
from dobble_print.errors import Fault, LayoutError, ThemeError
from dobble_print.layout.model import Placement
from dobble_print.press.typography import BOLD, REGULAR, explain_missing, order_visually, text_width_pt
from dobble_print.rules.rulebook import name_symbol
from dobble_print.rules.texts import colon
from dobble_print.sheets.plan import Stamp, make_stamp
from dobble_print.theme.faces import fold_print
from dobble_print.theme.model import Captioned, Face, Symbol, Text, Theme
from dobble_print.units import PT_PER_MM, Point
from dobble_print.words.writing import collate, set_apostrophes

WIDEST, NARROWEST = 3.2, 1.0  # of a word's room, in heights of a row
FULLEST = 0.94  # of the height of a row that words may take
SHORT_WORDS = 1.25  # how much larger letters a word of one line may have than one of several
FACE_GAP = 0.22  # between two faces, in heights of a row


def measure_letters(symbols: Iterable[Symbol]) -> float:
    """Return the x-height of words in a legend, in heights of a row: what the text highest for its letters allows.

    Words of fewer lines get a little more; were they to fill the row too, they would shout.
    """
    boxes = [_measure_text(text) for symbol in symbols if len(symbol.faces) > 1 for text in _list_texts(symbol)]
    return min((FULLEST * x_height / height * SHORT_WORDS for _, height, x_height in boxes), default=1.0)


def measure_faces(symbol: Symbol, letters: float) -> tuple[float, ...]:
    """Return how wide a symbol's faces want to be, in heights of a row; its only face is as wide as high."""
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


_measure_text = lru_cache(maxsize=4096)(measure_box)


def join_columns(widths: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return the columns in which all these faces have room."""
    most = max(map(len, widths), default=1)
    return tuple(max((row[i] for row in widths if i < len(row)), default=1.0) for i in range(most))


def measure_columns(columns: Sequence[float]) -> float:
    """Return the room of all columns with the gaps between them, in heights of a row."""
    return sum(columns) + FACE_GAP * (len(columns) - 1)


def stamp_faces(
    pieces: Sequence[tuple[int, Artwork, Face]],
    columns: Sequence[float],
    letters: float,
    x_mm: float,
    middle_mm: float,
    row_mm: float,
) -> list[Stamp]:
    """Place a symbol's faces in their columns: pictures by their enclosing circles, words as large as they fit."""
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
    """Place the middle of a word's box at a point: lines of type look centred by their box, not by their circle."""
    x, y = centre[0] - scale * artwork.width / 2, centre[1] - scale * artwork.height / 2
    return Stamp(piece, (scale, 0.0, 0.0, scale, x, y))


def is_shown(name: str, language: str, symbol: Symbol) -> bool:
    """Return whether the faces of a symbol say its name in a language already."""
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


LEAST_PT = 6.0
SIZES_PT = (*(LEAST_PT + i / 2 for i in range(11)), 12.0, 13.0, 14.0)
MOST_COLUMNS = 12
NARROWEST_MM = 15.0
PICTURE_SHARES = (0.5, 0.44, 0.38, 0.32, 0.27)  # of a cell's width
BARE_SHARES = (0.92, 0.8, 0.68)  # the same where nothing is written beside them
FACES_SHARES = (0.8, 0.72, 0.64, 0.56, 0.48)  # of a cell's width, for several faces beside each other
COLUMN_GAP_MM = 3.0
PICTURE_GAP_MM = 1.8
ROW_GAP_MM = 1.4
LINE_PITCH = 1.17  # of the type size
FILLED = " *"  # behind the name of a symbol that is not the theme's own
ALSO_SIZE = 0.84  # synonyms, as a part of the type size
GOOD_SIZE_PT, GOOD_PICTURE_MM = 8.0, 14.0


@dataclass(frozen=True)
class Line:
    """One line of a cell: bold in the first language, quiet for synonyms."""

    text: str
    bold: bool = False
    quiet: bool = False


@dataclass(frozen=True)
class Entry:
    """A symbol (by index), the texts to set beside it, not yet broken into lines, and how wide its faces are.

    Widths are in units of the pictures' height.
    """

    symbol: int
    texts: tuple[Line, ...]
    widths: tuple[float, ...] = (1.0,)


@dataclass(frozen=True)
class Cell:
    """An entry's place: left edge and middle from the lower left corner of the page's area, its lines broken."""

    symbol: int
    x_mm: float
    middle_mm: float
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class LegendPlan:
    """The cells of every page, the type size, the pictures' diameter, and the widths of the faces' columns."""

    pages: tuple[tuple[Cell, ...], ...]
    size_pt: float
    picture_mm: float
    columns: tuple[float, ...] = (1.0,)

    @property
    def faces_mm(self) -> float:
        """Return the room of all faces of a symbol beside each other."""
        return self.picture_mm * measure_columns(self.columns)


def list_entries(theme: Theme, shown: Sequence[int], languages: Sequence[str], also: Sequence[str]) -> list[Entry]:
    """List the symbols in the theme's order; `also` is the word before synonyms in each language ("": none)."""
    faults = []
    for symbol in (theme.symbols[i] for i in shown):
        names = [name for code, name in symbol.names.items() if code in languages or not languages]
        for name in (*names, *(word for code in languages for word in symbol.synonyms.get(code, ()))):
            faults += explain_missing(name, f'symbol "{symbol.id}"', symbol.place)
    ThemeError.raise_any(faults)
    first = languages[0] if languages else ""
    order = list(shown)
    if theme.legend_order == "name":
        order.sort(key=lambda i: collate(theme.symbols[i].names.get(first, theme.symbols[i].id), first))
    letters = measure_letters(theme.symbols)
    return [
        Entry(i, tuple(_texts_of(theme, i, languages, also)), measure_faces(theme.symbols[i], letters)) for i in order
    ]


def _texts_of(theme: Theme, symbol: int, languages: Sequence[str], also: Sequence[str]) -> list[Line]:
    texts = []
    for i, (language, word) in enumerate(zip(languages or ("",), also or ("",), strict=True)):
        name = name_symbol(theme, symbol, language)
        if is_shown(name, language, theme.symbols[symbol]):
            continue
        texts.append(Line(name + FILLED * theme.symbols[symbol].filled, bold=i == 0))
        synonyms = theme.symbols[symbol].synonyms.get(language, ())
        if synonyms and word:
            texts.append(Line(f"{word}{colon(language)} {set_apostrophes(', '.join(synonyms))}", quiet=True))
    return texts


def plan_legend(entries: Sequence[Entry], width_mm: float, height_mm: float, pages: Sequence[int]) -> LegendPlan:
    """Return the most readable grid on the fewest pages of those allowed."""
    for count in pages:
        plan = _best_grid(entries, width_mm, height_mm, count)
        if plan:
            return plan
    longest = max((line.text for entry in entries for line in entry.texts), key=len, default="")
    raise LayoutError(Fault(f'the legend cannot hold names as long as "{longest}"', "Shorten it."))


@dataclass(frozen=True)
class _Grid:
    columns: int
    size_pt: float
    cell_mm: float
    picture_mm: float
    faces: float  # room for a symbol's faces, in pictures

    @property
    def text_pt(self) -> float:
        """Return the room for text beside the pictures."""
        return (self.cell_mm - self.picture_mm * self.faces - PICTURE_GAP_MM) * PT_PER_MM

    @property
    def score(self) -> float:
        """Return how good it looks: readable type first, then pictures that can be told apart."""
        return self.size_pt / GOOD_SIZE_PT * math.pow(min(self.picture_mm / GOOD_PICTURE_MM, 2.0), 0.7)


def _best_grid(entries: Sequence[Entry], width_mm: float, height_mm: float, pages: int) -> LegendPlan | None:
    per_page = math.ceil(len(entries) / pages)
    columns = join_columns([entry.widths for entry in entries])
    has_texts = any(entry.texts for entry in entries)
    grids = _list_grids(width_mm, height_mm, per_page, measure_columns(columns), has_texts)
    grids.sort(key=lambda grid: -grid.score)
    widths = [_scale(line) * width for entry in entries for line in entry.texts for width in _word_widths(line)]
    widest = max(widths, default=-math.inf)
    fewest = [sum(map(_scale, entry.texts)) for entry in entries]
    for grid in grids:
        # two quick looks spare most grids the breaking of every name: the widest word, and a line for each name
        if widest * grid.size_pt > grid.text_pt:
            continue
        if max(map(sum, _stack_rows(fewest, grid, per_page))) > height_mm:
            continue
        rows = _stack_rows([_count_lines(entry, grid) for entry in entries], grid, per_page)
        if max(map(sum, rows)) <= height_mm:
            return replace(_place(entries, grid, rows, height_mm, per_page), columns=columns)
    return None


def _list_grids(width_mm: float, height_mm: float, per_page: int, faces: float, has_texts: bool) -> list[_Grid]:
    """Return every grid whose pictures alone fit; faces that say all there is to say take the whole cell."""
    grids = []
    shares = BARE_SHARES if not has_texts else PICTURE_SHARES if faces == 1.0 else FACES_SHARES
    sizes = SIZES_PT if has_texts else (LEAST_PT,)
    for columns in range(1, MOST_COLUMNS + 1):
        cell = (width_mm - (columns - 1) * COLUMN_GAP_MM) / columns
        rows = math.ceil(per_page / columns)
        if cell < NARROWEST_MM or columns > per_page:
            break
        for picture in (share * cell / faces for share in shares):
            if rows * (picture + ROW_GAP_MM) <= height_mm:
                grids += [_Grid(columns, size, cell, picture, faces) for size in sizes]
    return grids


def _stack_rows(lines: Sequence[float], grid: _Grid, per_page: int) -> list[list[float]]:
    """Return the height of every row of every page, from the lines in each cell."""
    heights, pages = [_cell_height(count, grid) for count in lines], []
    for start in range(0, len(heights), per_page):
        page = heights[start : start + per_page]
        rows = math.ceil(per_page / grid.columns)
        pages.append([max(page[row::rows], default=0.0) for row in range(rows)])
    return pages


def _cell_height(lines: float, grid: _Grid) -> float:
    """Return the height of the picture or of the text, whichever is higher, with the gap to the next row."""
    return max(grid.picture_mm, lines * grid.size_pt * LINE_PITCH / PT_PER_MM) + ROW_GAP_MM


def _scale(line: Line) -> float:
    """Return a line's type size as a part of the legend's."""
    return ALSO_SIZE if line.quiet else 1.0


def _count_lines(entry: Entry, grid: _Grid) -> float:
    """Return how many lines an entry takes; small ones count as parts."""
    return sum(len(_break(text, grid.text_pt / (grid.size_pt * _scale(text)))) * _scale(text) for text in entry.texts)


@lru_cache(maxsize=4096)
def _word_widths(line: Line) -> tuple[float, ...]:
    font = BOLD if line.bold else REGULAR
    return tuple(text_width_pt(order_visually(word), font, 1.0) for word in line.text.split())


SPACE_WIDTH = 0.28  # of the type size, a little more than the font's


def _break(line: Line, room: float) -> list[int]:
    """Return how many words go on each line; the room in units of the type size."""
    counts: list[int] = []
    used = room
    for width in _word_widths(line):
        if counts and used + SPACE_WIDTH + width <= room:
            counts[-1] += 1
            used += SPACE_WIDTH + width
        else:
            counts.append(1)
            used = width
    return counts


def _place(
    entries: Sequence[Entry], grid: _Grid, rows: list[list[float]], height_mm: float, per_page: int
) -> LegendPlan:
    """Place cells down the columns; what height is left spreads between the rows, within reason."""
    pages = []
    for page, heights in enumerate(rows):
        spare = min((height_mm - sum(heights)) / len(heights), max(heights) * 0.45)
        tops = [height_mm - sum(heights[:row]) - row * spare for row in range(len(heights))]
        cells = []
        for i, entry in enumerate(entries[page * per_page : (page + 1) * per_page]):
            column, row = divmod(i, len(heights))
            middle = tops[row] - (heights[row] - ROW_GAP_MM) / 2
            x = column * (grid.cell_mm + COLUMN_GAP_MM)
            cells.append(Cell(entry.symbol, x, middle, _set_lines(entry, grid)))
        pages.append(tuple(cells))
    return LegendPlan(tuple(pages), grid.size_pt, grid.picture_mm)


def _set_lines(entry: Entry, grid: _Grid) -> tuple[Line, ...]:
    lines = []
    for text in entry.texts:
        words = text.text.split()
        for count in _break(text, grid.text_pt / (grid.size_pt * _scale(text))):
            lines.append(Line(" ".join(words[:count]), text.bold, text.quiet))
            words = words[count:]
    return tuple(lines)
