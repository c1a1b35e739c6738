"""Draw cards, and pages of cards, from their plan."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dobble_print.pdf.card_marks import END, write_back, write_card
from dobble_print.press.typography import REGULAR, TextColor, make_font, open_canvas
from dobble_print.sheets.marks import TARGET_MM, bleed_color, contrast
from dobble_print.sheets.pages import find_share
from dobble_print.sheets.plan import (
    LABEL_COLOR,
    Back,
    CardLook,
    Front,
    InkPatch,
    Label,
    Page,
    PrintedCard,
    Side,
    Stamp,
    Stroke,
    Target,
)
from dobble_print.units import TRUE_PRINT, CardShape, Correction, Line, Outline, Paper, Point, mm_to_pt

if TYPE_CHECKING:
    from dobble_print.prepress.inks import Inks

HAIRLINE_PT = 0.25
MARK_INK = "/Marks"  # a press's marks print on all four plates, and on none of a cut
DASH_MM = (2.0, 1.5)
NUMBER_PT = 4.2
DOT_MM = 3.2
LETTER_SPOT_MM = 5.0
LETTER_AIR_MM = 0.4  # around the spot of a copy's letter
TICK_AIR_MM = 0.4  # ticks keep off the cut, so that none of them stays on the card
CAP_HEIGHT = 0.69  # of the font's size


def form_name(symbol: int) -> str:
    """Return the name under which pages draw a symbol's form."""
    return f"S{symbol}"


def _draw_side(canvas: Any, card: PrintedCard, side: Side) -> None:
    """Draw one side of a card out to its bleed."""
    promise, look = card.promise, card.look
    shape = look.shape.grow(look.bleed_mm)
    if side == "front":
        mark = write_card(card.front.number, promise.deck, promise.copy, promise.gap_mm, promise.margin_mm)
        canvas._code.append(mark)
        _draw_front(canvas, card.front, look, shape)
        canvas._code.append(END)
    elif card.back:
        canvas._code.append(write_back(promise.deck, promise.copy))
        _draw_back(canvas, card.back, shape)
        canvas._code.append(END)


def _draw_front(canvas: Any, front: Front, look: CardLook, shape: CardShape) -> None:
    # nothing of a card may reach its neighbour, whatever its art does
    canvas.clipPath(trace_path(canvas, shape.outline()), stroke=0, fill=0)
    _fill(canvas, shape, bleed_color(look))
    # the last fill before the symbols is read back as the card's colour: see pdf/card_marks.py
    if look.rim_width_mm > 0:
        _fill(canvas, look.shape.grow(-look.rim_width_mm), look.background)
    draw_stamps(canvas, front.stamps)
    if look.rim_note:
        _draw_rim_text(canvas, f"{front.number} · {look.rim_note}", look)
    _draw_dots(canvas, front.dots, look)
    _draw_letter(canvas, front.letter, look)
    _draw_cut(canvas, look)
    if look.ticks:
        _draw_ticks(canvas, look)


def _draw_back(canvas: Any, back: Back, shape: CardShape) -> None:
    _fill(canvas, shape, back.color)
    canvas.saveState()
    canvas.clipPath(trace_path(canvas, shape.outline()), stroke=0, fill=0)
    draw_stamps(canvas, back.stamps)
    canvas.restoreState()


def draw_stamps(canvas: Any, stamps: Iterable[Stamp]) -> None:
    """Draw symbols where their matrices put them."""
    for stamp in stamps:
        _note_size(canvas, stamp)
        matrix = " ".join(f"{mm_to_pt(value):.4f}" for value in stamp.matrix)
        canvas._code.append(f"q {matrix} cm /{form_name(stamp.piece)} Do Q")


def _note_size(canvas: Any, stamp: Stamp) -> None:
    """Remember how small each form is drawn on any page, in points to its unit."""
    a, b, c, d, *_ = canvas._currentMatrix
    size_pt = mm_to_pt(math.hypot(*stamp.matrix[:2])) * math.sqrt(abs(a * d - b * c))
    sizes = canvas.__dict__.setdefault("least_sizes", {})
    sizes[stamp.piece] = min(size_pt, sizes.get(stamp.piece, size_pt))


def _draw_rim_text(canvas: Any, text: str, look: CardLook) -> None:
    """Draw the number at the foot of the card, small enough for its band."""
    middle_mm, width_mm, color = _free_band(look)
    size = min(NUMBER_PT, mm_to_pt(width_mm) * 0.62 / CAP_HEIGHT)
    draw_label(canvas, Label(text, 0.0, -middle_mm, size, 0.0, color))


def _draw_dots(canvas: Any, count: int, look: CardLook) -> None:
    """Draw as many dots as the card's level, at its top."""
    middle_mm, width_mm, color = _free_band(look)
    radius = min(DOT_MM, width_mm * 0.7) / 2
    canvas.setFillColor(color)
    for i in range(count):
        x = (i - (count - 1) / 2) * radius * 3.2
        canvas.circle(mm_to_pt(x), mm_to_pt(middle_mm), mm_to_pt(radius), stroke=0, fill=1)


def _draw_letter(canvas: Any, letter: str, look: CardLook) -> None:
    """Draw the letter of a copy on a spot of its colour, left and right, where neither number nor level stands."""
    if not letter:
        return
    size = min(LETTER_SPOT_MM, look.margin_mm - 2 * LETTER_AIR_MM)
    away = look.shape.inner_radius_mm - LETTER_AIR_MM - size / 2
    for x in (-away, away):
        canvas.setFillColor(look.rim_color)
        canvas.circle(mm_to_pt(x), 0, mm_to_pt(size / 2), stroke=0, fill=1)
        points = mm_to_pt(size) * 0.62 / CAP_HEIGHT / max(1, 0.75 * len(letter))
        draw_label(canvas, Label(letter, x, 0.0, points, 0.0, contrast(look.rim_color)))


def _draw_ticks(canvas: Any, look: CardLook) -> None:
    """Draw four lines in the bleed that a punch is laid against; they fall with the waste."""
    canvas.setLineWidth(HAIRLINE_PT)
    canvas.setStrokeColor(contrast(bleed_color(look)))
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        reach = (look.shape.width_mm if x else look.shape.height_mm) / 2
        ends = [(x * (reach + away), y * (reach + away)) for away in (TICK_AIR_MM, look.bleed_mm)]
        canvas.line(*(mm_to_pt(value) for end in ends for value in end))


def _free_band(look: CardLook) -> tuple[float, float, str]:
    """Return the distance of the middle of a strip that no symbol enters, its width, and a colour seen on it.

    It is the rim where that is broad enough, else the band between rim and symbols that the margin keeps free.
    """
    on_rim = look.rim_width_mm >= 1.6
    outer, inner = (0.0, look.rim_width_mm) if on_rim else (look.rim_width_mm, look.margin_mm)
    color = contrast(look.rim_color if on_rim else look.background)
    return look.shape.inner_radius_mm - (outer + inner) / 2, inner - outer, color


def _draw_cut(canvas: Any, look: CardLook) -> None:
    if look.cut_line == "none":
        return
    canvas.saveState()
    canvas.setLineWidth(HAIRLINE_PT)
    canvas.setStrokeColor(contrast(bleed_color(look)))
    if look.cut_line == "dashed":
        canvas.setDash([mm_to_pt(length) for length in DASH_MM])
    canvas.drawPath(trace_path(canvas, look.shape.outline()), stroke=1, fill=0)
    canvas.restoreState()


def _fill(canvas: Any, shape: CardShape, color: str) -> None:
    canvas.setFillColor(color)
    canvas.drawPath(trace_path(canvas, shape.outline()), stroke=0, fill=1)


def trace_path(canvas: Any, outline: Outline) -> Any:
    """Return an outline as a path of the canvas."""
    path = canvas.beginPath()
    path.moveTo(*map(mm_to_pt, outline.start))
    for step in outline.steps:
        if isinstance(step, Line):
            path.lineTo(*map(mm_to_pt, step.end))
        else:
            path.curveTo(*map(mm_to_pt, (*step.control0, *step.control1, *step.end)))
    path.close()
    return path


def draw_label(canvas: Any, label: Label) -> None:
    """Draw a line of small print."""
    canvas.saveState()
    canvas.translate(mm_to_pt(label.x_mm), mm_to_pt(label.y_mm))
    canvas.rotate(label.turn_deg)
    canvas.setFont(REGULAR, label.size_pt)
    canvas.setFillColor(TextColor(label.color) if label.color == LABEL_COLOR else label.color)
    canvas.drawCentredString(0, -label.size_pt * CAP_HEIGHT / 2, label.text)
    canvas.restoreState()


def draw_card(canvas: Any, shown: Front | Back, look: CardLook) -> None:
    """Draw one card after cutting, either side up, around the canvas's origin; for pages that are no sheets."""
    if isinstance(shown, Front):
        _draw_front(canvas, shown, replace(look.cut(), rim_color=shown.rim_color), look.shape)
    else:
        _draw_back(canvas, shown, look.shape)


def draw_pages(pages: Sequence[Page], cards: Mapping[int, PrintedCard], title: str, inks: Inks | None = None) -> bytes:
    """Draw all pages as a PDF that still lacks the symbols' forms; a press's marks print on every plate."""
    from reportlab.pdfbase import pdfmetrics

    # anew for every document: a font remembers which letters earlier documents used, and output must not depend on them
    pdfmetrics.registerFont(make_font(REGULAR))
    sink = io.BytesIO()
    canvas = open_canvas(sink, title, inks)
    for page in pages:
        canvas.setPageSize((mm_to_pt(page.paper.width_mm), mm_to_pt(page.paper.height_mm)))
        _draw_page(canvas, page, cards, f"{MARK_INK} CS 1 1 1 1 SCN" if inks else "0 G")
        canvas.showPage()
    canvas.save()
    return sink.getvalue()


def _draw_page(canvas: Any, page: Page, cards: Mapping[int, PrintedCard], mark_color: str) -> None:
    canvas.saveState()
    if page.correction != TRUE_PRINT:
        correct_print(canvas, page.paper, page.correction)
    for slot in page.slots:
        canvas.saveState()
        _clip_share(canvas, find_share(page, slot, cards[slot.card].look))
        canvas.translate(mm_to_pt(slot.x_mm), mm_to_pt(slot.y_mm))
        canvas.rotate(page.turn_deg if slot.side == "front" else -page.turn_deg)
        _draw_side(canvas, cards[slot.card], slot.side)
        canvas.restoreState()
    _draw_strokes(canvas, page.strokes, mark_color)
    for target in page.targets:
        _draw_target(canvas, target, mark_color)
    for patch in page.patches:
        _draw_patch(canvas, patch)
    for label in page.labels:
        draw_label(canvas, label)
    canvas.restoreState()


def _clip_share(canvas: Any, corners: Sequence[Point]) -> None:
    """Keep a card off its neighbours, where they share their bleed."""
    if corners:
        start, *others = corners
        canvas.clipPath(trace_path(canvas, Outline(start, tuple(map(Line, others)))), stroke=0, fill=0)


def correct_print(canvas: Any, paper: Paper, fix: Correction) -> None:
    """Undo what the printer will do: scale about the paper's middle, then shift."""
    x, y = paper.width_mm / 2, paper.height_mm / 2
    canvas.translate(mm_to_pt(x + fix.dx_mm), mm_to_pt(y + fix.dy_mm))
    canvas.scale(fix.scale, fix.scale)
    canvas.translate(-mm_to_pt(x), -mm_to_pt(y))


def _draw_strokes(canvas: Any, strokes: Sequence[Stroke], color: str) -> None:
    canvas.setLineWidth(HAIRLINE_PT)
    canvas._code.append(color)
    for dashed in (False, True):
        lines = [stroke for stroke in strokes if stroke.dashed == dashed]
        canvas.setDash([mm_to_pt(length) for length in DASH_MM] if dashed else [])
        canvas.lines([tuple(map(mm_to_pt, (*stroke.start, *stroke.end))) for stroke in lines])
    canvas.setDash([])


def _draw_target(canvas: Any, target: Target, color: str) -> None:
    canvas.setLineWidth(HAIRLINE_PT)
    canvas._code.append(color)
    x, y, arm = mm_to_pt(target.x_mm), mm_to_pt(target.y_mm), mm_to_pt(TARGET_MM / 2)
    canvas.circle(x, y, arm * 0.6, stroke=1, fill=0)
    canvas.lines([(x - arm, y, x + arm, y), (x, y - arm, x, y + arm)])


def _draw_patch(canvas: Any, patch: InkPatch) -> None:
    box, (cyan, magenta, yellow, black) = patch.box, patch.ink
    if cyan or magenta or yellow:
        canvas.setFillColorCMYK(cyan, magenta, yellow, black)
    else:
        canvas.setFillGray(1 - black)
    width, height = mm_to_pt(box.right - box.left), mm_to_pt(box.top - box.bottom)
    canvas.rect(mm_to_pt(box.left), mm_to_pt(box.bottom), width, height, stroke=0, fill=1)
