"""The legend: every symbol with its names, on pages of the booklet and as `legend.pdf`, a poster.

All faces of a symbol stand side by side, so that the legend is the answer key of the deck.
Invariant: faces stand in columns of their own, as wide on every line of a legend as the widest of them needs; a name
that a face shows is not written again beside it.
"""

from __future__ import annotations

import io
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from dobble_print.art.artwork import Artwork, Form, PixelForm, pixels_for
from dobble_print.art.raster import shrink_to
from dobble_print.art.text.plates import measure_box, measure_x_height
from dobble_print.errors import Fault, LayoutError, ThemeError
from dobble_print.layout.model import Placement
from dobble_print.press.cards import draw_stamps
from dobble_print.press.document import PrintableDeck, finish_document
from dobble_print.press.typography import (
    BOLD,
    INK,
    QUIET,
    REGULAR,
    break_lines,
    choose_accent,
    draw_line,
    explain_missing,
    is_right_to_left,
    isolate,
    open_canvas,
    order_visually,
    refuse_missing,
    register_fonts,
    split_words,
    text_width_pt,
)
from dobble_print.rules.rulebook import name_symbol
from dobble_print.rules.texts import choose_languages, read_rules
from dobble_print.sheets.plan import Stamp, make_stamp
from dobble_print.theme.faces import fold_print
from dobble_print.theme.model import Captioned, Face, Symbol, Text, Theme
from dobble_print.units import PT_PER_MM, Paper, mm_to_pt, papers
from dobble_print.words.languages import find_language
from dobble_print.words.lexicon import strip_article
from dobble_print.words.typesetting import head_with, set_type
from dobble_print.words.writing import collate

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
            # lines of type look centred by their box, not by their circle
            x, y = centre[0] - scale * artwork.width / 2, centre[1] - scale * artwork.height / 2
            stamps.append(Stamp(piece, (scale, 0.0, 0.0, scale, x, y)))
        else:
            stamps.append(make_stamp(artwork, Placement(piece, *centre, 0.0, row_mm)))
        left += width + FACE_GAP * row_mm
    return stamps


def is_shown(name: str, language: str, symbol: Symbol) -> bool:
    """Return whether the faces of a symbol say its name in a language already."""
    if language and any(face.language == language for face in symbol.faces):
        return True
    sources = [face.source.caption if isinstance(face.source, Captioned) else face.source for face in symbol.faces]
    texts = [source.text for source in sources if isinstance(source, Text)]
    only = symbol.faces[0].source if len(symbol.faces) == 1 else None
    if isinstance(only, Text) and only.badge:
        return False  # letters on a badge are small, and the name is what to call out
    joined = [sign.join(texts) for sign in (" = ", " / ")]
    return fold_print(name) in map(fold_print, (*texts, *joined))


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
class LegendLine:
    """One line of a cell: bold in the first language, quiet for synonyms."""

    text: str
    bold: bool = False
    quiet: bool = False

    @property
    def scale(self) -> float:
        """Return its type size as a part of the legend's."""
        return ALSO_SIZE if self.quiet else 1.0


@dataclass(frozen=True)
class LegendEntry:
    """A symbol (by index), the texts to set beside it, not yet broken into lines, and how wide its faces are.

    Widths are in units of the pictures' height.
    """

    symbol: int
    texts: tuple[LegendLine, ...]
    widths: tuple[float, ...] = (1.0,)


@dataclass(frozen=True)
class Cell:
    """An entry's place: left edge and middle from the lower left corner of the page's area, its lines broken."""

    symbol: int
    x_mm: float
    middle_mm: float
    lines: tuple[LegendLine, ...]


@dataclass(frozen=True)
class LegendPlan:
    """The cells of every page, the type size, the pictures' diameter, and the widths of the faces' columns."""

    pages: tuple[tuple[Cell, ...], ...]
    size_pt: float
    picture_mm: float
    columns: tuple[float, ...] = (1.0,)


def list_entries(
    theme: Theme, shown: Sequence[int], languages: Sequence[str], also: Sequence[str]
) -> list[LegendEntry]:
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
        named = [symbol.names.get(first, symbol.id) for symbol in theme.symbols]
        bare = [strip_article(name, first) if theme.article else name for name in named]
        order.sort(key=lambda i: collate(bare[i], first))
    letters = measure_letters(theme.symbols)
    return [
        LegendEntry(i, tuple(_texts_of(theme, i, languages, also)), measure_faces(theme.symbols[i], letters))
        for i in order
    ]


def _texts_of(theme: Theme, symbol: int, languages: Sequence[str], also: Sequence[str]) -> list[LegendLine]:
    texts = []
    for i, (language, word) in enumerate(zip(languages or ("",), also or ("",), strict=True)):
        name = name_symbol(theme, symbol, language)
        if is_shown(name, language, theme.symbols[symbol]):
            continue
        texts.append(LegendLine(name + FILLED * theme.symbols[symbol].filled, bold=i == 0))
        synonyms = theme.symbols[symbol].synonyms.get(language, ())
        if synonyms and word:
            texts.append(LegendLine(head_with(word, set_type(", ".join(synonyms), language), language), quiet=True))
    if theme.symbols[symbol].filled and not any(FILLED in line.text for line in texts):
        texts.insert(0, LegendLine(FILLED.strip(), bold=True))  # its name is among its pictures
    return texts


def plan_legend(entries: Sequence[LegendEntry], width_mm: float, height_mm: float, pages: Sequence[int]) -> LegendPlan:
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


def _best_grid(entries: Sequence[LegendEntry], width_mm: float, height_mm: float, pages: int) -> LegendPlan | None:
    per_page = math.ceil(len(entries) / pages)
    columns = tuple(map(max, zip_longest(*(entry.widths for entry in entries), fillvalue=0.0))) or (1.0,)
    has_texts = any(entry.texts for entry in entries)
    grids = _list_grids(width_mm, height_mm, per_page, measure_columns(columns), has_texts)
    grids.sort(key=lambda grid: -grid.score)
    widths = [line.scale * width for entry in entries for line in entry.texts for width in _word_widths(line)]
    widest = max(widths, default=-math.inf)
    fewest = [sum(line.scale for line in entry.texts) for entry in entries]
    for grid in grids:
        # two quick looks spare most grids the breaking of every name: the widest word, and a line for each name
        if widest * grid.size_pt > grid.text_pt:
            continue
        if max(map(sum, _stack_rows(fewest, grid, per_page))) > height_mm:
            continue
        lines = [sum(len(_break(line, grid)) * line.scale for line in entry.texts) for entry in entries]
        rows = _stack_rows(lines, grid, per_page)
        if max(map(sum, rows)) <= height_mm:
            placed = _place(entries, grid, rows, height_mm, per_page)
            return LegendPlan(placed, grid.size_pt, grid.picture_mm, columns)
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
    """Return the height of every row of every page, with the gap to the next one: of its lines or its picture."""
    texts = [count * grid.size_pt * LINE_PITCH / PT_PER_MM for count in lines]
    heights, pages = [max(grid.picture_mm, text) + ROW_GAP_MM for text in texts], []
    for start in range(0, len(heights), per_page):
        page = heights[start : start + per_page]
        rows = math.ceil(per_page / grid.columns)
        pages.append([max(page[row::rows], default=0.0) for row in range(rows)])
    return pages


@lru_cache(maxsize=4096)
def _word_widths(line: LegendLine) -> tuple[float, ...]:
    font = BOLD if line.bold else REGULAR
    return tuple(text_width_pt(order_visually(word), font, 1.0) for word in split_words(line.text))


SPACE_WIDTH = 0.28  # of the type size, a little more than the font's


def _break(line: LegendLine, grid: _Grid) -> list[int]:
    """Return how many words go on each line; widths are in units of the type size."""
    counts: list[int] = []
    used = room = grid.text_pt / (grid.size_pt * line.scale)
    for width in _word_widths(line):
        if counts and used + SPACE_WIDTH + width <= room:
            counts[-1] += 1
            used += SPACE_WIDTH + width
        else:
            counts.append(1)
            used = width
    return counts


def _place(
    entries: Sequence[LegendEntry], grid: _Grid, rows: list[list[float]], height_mm: float, per_page: int
) -> tuple[tuple[Cell, ...], ...]:
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
    return tuple(pages)


def _set_lines(entry: LegendEntry, grid: _Grid) -> tuple[LegendLine, ...]:
    lines = []
    for text in entry.texts:
        words = split_words(text.text)
        for count in _break(text, grid):
            lines.append(LegendLine(" ".join(words[:count]), text.bold, text.quiet))
            words = words[count:]
    return tuple(lines)


MARGIN_MM = 12.0
HEADER_MM = 19.0
FOOTER_MM = 5.0
NOTE_PT = 7.5
TRIM_GAP_MM, TRIM_MARK_MM, TRIM_LINE_PT = 1.0, 2.5, 0.25  # of crop marks: off the trim, length, width
POSTER_PAGES = (1, 2, 3, 4, 6, 8, 12)
SMALL_DPI = 300
PAPER = "#ffffff"
BED = "#f1f3f6"
BED_AIR_MM = 0.8
BED_CORNER_MM = 2.0


def make_legend(
    deck: PrintableDeck, artworks: Sequence[Artwork], languages: Sequence[str] = (), paper: Paper | None = None
) -> bytes:
    """Make the poster: every symbol of the deck with its names in the chosen languages (the theme's when none are)."""
    theme = deck.theme
    chosen = tuple(languages) or theme.languages
    whole = paper or theme.sheet.paper
    sheet = choose_trim(whole, theme.sheet.edge_mm) if deck.library.prepress.inks else whole
    register_fonts()
    shown, width_mm = shown_symbols(deck), sheet.width_mm - 2 * MARGIN_MM
    notes = [
        (line, is_right_to_left(note))
        for note in footnotes(theme, chosen)
        for line in break_lines(note, REGULAR, NOTE_PT, mm_to_pt(width_mm))
    ]
    notes_mm = len(notes) * NOTE_PT * 1.3 / PT_PER_MM
    entries = list_entries(theme, shown, chosen, also_words(chosen))
    room = sheet.height_mm - 2 * MARGIN_MM - HEADER_MM - notes_mm - FOOTER_MM
    plan, sink, first = plan_legend(entries, width_mm, room, POSTER_PAGES), io.BytesIO(), chosen[0] if chosen else ""
    title = head_with(theme.title_in(first), _heading(chosen[:1]), first)
    canvas = open_canvas(sink, title, deck.library.prepress.inks)
    canvas.setPageSize((mm_to_pt(whole.width_mm), mm_to_pt(whole.height_mm)))
    for cells in plan.pages:
        if sheet != whole:
            _trim_page(canvas, whole, sheet)
        _draw_header(canvas, theme, chosen, sheet)
        canvas.saveState()
        canvas.translate(mm_to_pt(MARGIN_MM), mm_to_pt(MARGIN_MM + FOOTER_MM + notes_mm))
        draw_cells(canvas, cells, plan, theme, artworks)
        canvas.restoreState()
        _draw_notes(canvas, notes, mm_to_pt(MARGIN_MM + notes_mm), mm_to_pt(width_mm))
        canvas.showPage()
    canvas.save()
    forms = small_forms(deck, list_pieces(theme, shown), plan.picture_mm, PAPER, press=True)
    return finish_document(canvas, sink.getvalue(), forms, first, deck.library, press=True)


def choose_trim(sheet: Paper, edge_mm: float) -> Paper:
    """Return what a legend is trimmed to: the largest paper that leaves room for crop marks on a press's sheet."""
    lost = 2 * (edge_mm + TRIM_GAP_MM + TRIM_MARK_MM)
    width, height = sheet.width_mm - lost, sheet.height_mm - lost
    fitting = [each for each in papers().values() if each.width_mm <= width and each.height_mm <= height]
    known = max(fitting, key=lambda each: each.width_mm * each.height_mm, default=None)
    return known or Paper(sheet.name, math.floor(width), math.floor(height))


def _trim_page(canvas: Any, sheet: Paper, trim: Paper) -> None:
    """Set the boxes of a page, draw its crop marks, and move on to the corner of what is left after trimming."""
    left, bottom = (sheet.width_mm - trim.width_mm) / 2, (sheet.height_mm - trim.height_mm) / 2
    right, top = left + trim.width_mm, bottom + trim.height_mm
    canvas.setTrimBox(tuple(map(mm_to_pt, (left, bottom, right, top))))
    canvas.setBleedBox(tuple(map(mm_to_pt, (left, bottom, right, top))))
    near, far = TRIM_GAP_MM, TRIM_GAP_MM + TRIM_MARK_MM
    level = [(x + way * near, y, x + way * far, y) for x, way in ((left, -1), (right, 1)) for y in (bottom, top)]
    upright = [(x, y + way * near, x, y + way * far) for y, way in ((bottom, -1), (top, 1)) for x in (left, right)]
    canvas.setStrokeColorCMYK(0, 0, 0, 1)
    canvas.setLineWidth(TRIM_LINE_PT)
    canvas.lines([tuple(map(mm_to_pt, line)) for line in (*level, *upright)])
    canvas.translate(mm_to_pt(left), mm_to_pt(bottom))


def shown_symbols(deck: PrintableDeck) -> list[int]:
    """Return the symbols that are on any card."""
    return sorted({deck.theme.pieces[stamp.piece][0] for front in deck.fronts.values() for stamp in front.stamps})


def list_pieces(theme: Theme, symbols: Collection[int]) -> list[int]:
    """Return all faces of these symbols: the legend shows even one that a few cards left out."""
    return [piece for piece, (symbol, _) in enumerate(theme.pieces) if symbol in symbols]


def also_words(languages: Sequence[str]) -> list[str]:
    """Return the word before synonyms in each language; English where there are no rules."""
    return [read_rules(choose_languages([code])[0]).line("labels.also") for code in languages]


def footnotes(theme: Theme, languages: Sequence[str]) -> list[str]:
    """Return the theme's footnotes in every language, those for all of them once."""
    notes = [note for language in languages or ("",) for note in theme.notes_in(theme.footnotes, language)]
    if any(symbol.filled for symbol in theme.symbols):
        words = [read_rules(code).line("labels.filled") for code in choose_languages(languages)]
        notes.append(f"{FILLED.strip()} {' · '.join(words)}")
    found = list(dict.fromkeys(notes))
    refuse_missing(found, "a footnote")
    return found


def small_forms(
    deck: PrintableDeck, shown: Sequence[int], largest_mm: float, ground: str, press: bool
) -> dict[int, Form]:
    """Return the pieces' forms for pages where none prints larger than a length: unseen pixels make files heavy.

    A `press` that knows no transparency gets them laid on the colour of the ground.
    """
    small = {piece: _shrink(deck.forms[piece], largest_mm) for piece in shown}
    if not (press and deck.library.prepress.is_opaque):
        return small
    return {piece: deck.library.flatten(form, ground, largest_mm) for piece, form in small.items()}


def _shrink(form: Form, largest_mm: float) -> Form:
    if isinstance(form, PixelForm):
        part = form.frame.size if form.frame else 1.0
        return replace(form, picture=shrink_to(form.picture, pixels_for(largest_mm * part, SMALL_DPI)), hard_mask=False)
    return form


def draw_cells(canvas: Any, cells: Sequence[Cell], plan: LegendPlan, theme: Theme, artworks: Sequence[Artwork]) -> None:
    """Draw the cells of one page, from the lower left corner of its area."""
    letters = measure_letters(theme.symbols)
    for cell in cells:
        first, faces = theme.find_piece(cell.symbol, 0), theme.symbols[cell.symbol].faces
        pieces = [(first + i, artworks[first + i], face) for i, face in enumerate(faces)]
        if len(faces) > 1:
            _draw_bed(canvas, cell, plan, len(faces))
        draw_stamps(canvas, stamp_faces(pieces, plan.columns, letters, cell.x_mm, cell.middle_mm, plan.picture_mm))
        _draw_names(canvas, cell, plan)


def _draw_bed(canvas: Any, cell: Cell, plan: LegendPlan, faces: int) -> None:
    """Draw a soft ground under the faces of a symbol, which shows at a glance what belongs together."""
    x, y = cell.x_mm - BED_AIR_MM, cell.middle_mm - plan.picture_mm / 2 - BED_AIR_MM / 2
    width = plan.picture_mm * measure_columns(plan.columns[:faces]) + 2 * BED_AIR_MM
    height = plan.picture_mm + BED_AIR_MM
    canvas.setFillColor(BED)
    canvas.roundRect(*map(mm_to_pt, (x, y, width, height, BED_CORNER_MM)), stroke=0, fill=1)


def _draw_names(canvas: Any, cell: Cell, plan: LegendPlan) -> None:
    """Draw the lines of a cell, centred on the picture's middle."""
    sizes = [plan.size_pt * line.scale for line in cell.lines]
    x = mm_to_pt(cell.x_mm + plan.picture_mm * measure_columns(plan.columns) + PICTURE_GAP_MM)
    y = mm_to_pt(cell.middle_mm) + sum(sizes) * LINE_PITCH / 2
    for line, size in zip(cell.lines, sizes, strict=True):
        canvas.setFillColor(QUIET if line.quiet else INK)
        draw_line(canvas, x, y - size * 0.92, line.text, BOLD if line.bold else REGULAR, size)
        y -= size * LINE_PITCH


def _heading(languages: Sequence[str]) -> str:
    words = [read_rules(code).line("labels.symbols") for code in choose_languages(languages)]
    return " · ".join(dict.fromkeys(words))


def _draw_header(canvas: Any, theme: Theme, languages: Sequence[str], sheet: Paper) -> None:
    """Draw the deck's title, what the page is, and the languages in the order of the names."""
    left, right, top = MARGIN_MM, sheet.width_mm - MARGIN_MM, sheet.height_mm - MARGIN_MM
    titles = " · ".join(isolate(title) for title in dict.fromkeys(theme.title_in(code) for code in languages or ("",)))
    refuse_missing([titles], "the title")
    canvas.setFillColor(choose_accent(theme.card.rim_color))
    _draw_fitting(canvas, titles, left, top - 6.5, right - left, BOLD, 20.0)
    own_names = [isolate(language.own_name) for code in languages if (language := find_language(code))]
    words = _heading(languages) if len(own_names) < 2 else f"{_heading(languages)}   ({', '.join(own_names)})"
    canvas.setFillColor(QUIET)
    _draw_fitting(canvas, words, left, top - 12.5, right - left, REGULAR, 9.5)
    canvas.setStrokeColor(choose_accent(theme.card.rim_color))
    canvas.setLineWidth(1.2)
    canvas.line(*map(mm_to_pt, (left, top - 15.0, right, top - 15.0)))


def _draw_fitting(canvas: Any, text: str, x_mm: float, y_mm: float, width_mm: float, font: str, size_pt: float) -> None:
    """Draw a line at its size, or as much smaller as the width asks."""
    size = size_pt * min(1.0, mm_to_pt(width_mm) / max(1.0, text_width_pt(order_visually(text), font, size_pt)))
    draw_line(canvas, mm_to_pt(x_mm), mm_to_pt(y_mm), text, font, size)


def _draw_notes(canvas: Any, lines: Sequence[tuple[str, bool]], top_pt: float, width_pt: float) -> None:
    """Draw the lines of the footnotes at the foot of the page, each from its own side."""
    canvas.setFillColor(QUIET)
    y = top_pt - NOTE_PT
    for line, from_right in lines:
        spare = width_pt - text_width_pt(order_visually(line), REGULAR, NOTE_PT)
        draw_line(canvas, mm_to_pt(MARGIN_MM) + spare * from_right, y, line, REGULAR, NOTE_PT)
        y -= NOTE_PT * 1.3
