"""The legend drawn: its cells on any page, and `legend.pdf`, the poster with every symbol and its names."""

from __future__ import annotations

import io
from collections.abc import Collection, Sequence
from typing import Any

from dobble_print.art.artwork import Artwork, Form, PixelForm, pixels_for
from dobble_print.art.raster import shrink_to
from dobble_print.prepress.inks import Inks
from dobble_print.press.cards import draw_stamps
from dobble_print.press.document import PrintableDeck, finish_document
from dobble_print.press.legend_grid import (
    ALSO_SIZE,
    FILLED,
    LINE_PITCH,
    PICTURE_GAP_MM,
    Cell,
    LegendPlan,
    list_entries,
    measure_columns,
    measure_letters,
    plan_legend,
    stamp_faces,
)
from dobble_print.press.typography import (
    BOLD,
    INK,
    QUIET,
    REGULAR,
    break_lines,
    choose_accent,
    draw_line,
    is_right_to_left,
    isolate,
    open_canvas,
    order_visually,
    refuse_missing,
    register_fonts,
    text_width_pt,
)
from dobble_print.rules.texts import choose_languages, read_rules
from dobble_print.theme.model import Theme
from dobble_print.units import PT_PER_MM, Paper, mm_to_pt
from dobble_print.words.languages import find_language

MARGIN_MM = 12.0
HEADER_MM = 19.0
FOOTER_MM = 5.0
NOTE_PT = 7.5
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
    sheet = paper or theme.sheet.paper
    register_fonts()
    shown = shown_symbols(deck)
    notes = footnotes(theme, chosen)
    entries = list_entries(theme, shown, chosen, also_words(chosen))
    room = sheet.height_mm - 2 * MARGIN_MM - HEADER_MM - _notes_height_mm(notes, sheet) - FOOTER_MM
    plan = plan_legend(entries, sheet.width_mm - 2 * MARGIN_MM, room, POSTER_PAGES)
    drawn = _draw_poster(plan, theme, artworks, chosen, sheet, notes, deck.library.prepress.inks)
    forms = small_forms(deck, list_pieces(theme, shown), plan.picture_mm, PAPER, press=True)
    return finish_document(drawn, forms, chosen[0] if chosen else "", deck.library, press=True)


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
        return PixelForm(shrink_to(form.picture, pixels_for(largest_mm, SMALL_DPI)), form.photo)
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
    sizes = [plan.size_pt * (ALSO_SIZE if line.quiet else 1.0) for line in cell.lines]
    x = mm_to_pt(cell.x_mm + plan.faces_mm + PICTURE_GAP_MM)
    y = mm_to_pt(cell.middle_mm) + sum(sizes) * LINE_PITCH / 2
    for line, size in zip(cell.lines, sizes, strict=True):
        canvas.setFillColor(QUIET if line.quiet else INK)
        draw_line(canvas, x, y - size * 0.92, line.text, BOLD if line.bold else REGULAR, size)
        y -= size * LINE_PITCH


def _draw_poster(
    plan: LegendPlan,
    theme: Theme,
    artworks: Sequence[Artwork],
    languages: Sequence[str],
    sheet: Paper,
    notes: list[str],
    inks: Inks | None,
) -> bytes:
    sink = io.BytesIO()
    first = languages[0] if languages else ""
    canvas = open_canvas(sink, f"{theme.title_in(first)}: {_heading(languages[:1])}", inks)
    canvas.setPageSize((mm_to_pt(sheet.width_mm), mm_to_pt(sheet.height_mm)))
    for cells in plan.pages:
        _draw_header(canvas, theme, languages, sheet)
        canvas.saveState()
        canvas.translate(mm_to_pt(MARGIN_MM), mm_to_pt(MARGIN_MM + FOOTER_MM + _notes_height_mm(notes, sheet)))
        draw_cells(canvas, cells, plan, theme, artworks)
        canvas.restoreState()
        _draw_notes(canvas, notes, sheet)
        canvas.showPage()
    canvas.save()
    return sink.getvalue()


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


def _notes_height_mm(notes: Sequence[str], sheet: Paper) -> float:
    lines = sum(len(break_lines(note, REGULAR, NOTE_PT, _notes_width_pt(sheet))) for note in notes)
    return lines * NOTE_PT * 1.3 / PT_PER_MM


def _notes_width_pt(sheet: Paper) -> float:
    return mm_to_pt(sheet.width_mm - 2 * MARGIN_MM)


def _draw_notes(canvas: Any, notes: Sequence[str], sheet: Paper) -> None:
    """Draw the footnotes at the foot of the page, each from its own side."""
    canvas.setFillColor(QUIET)
    y = mm_to_pt(MARGIN_MM + _notes_height_mm(notes, sheet)) - NOTE_PT
    for note in notes:
        for line in break_lines(note, REGULAR, NOTE_PT, _notes_width_pt(sheet)):
            spare = _notes_width_pt(sheet) - text_width_pt(order_visually(line), REGULAR, NOTE_PT)
            draw_line(canvas, mm_to_pt(MARGIN_MM) + spare * is_right_to_left(note), y, line, REGULAR, NOTE_PT)
            y -= NOTE_PT * 1.3
