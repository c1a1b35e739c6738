"""Drawing: planned pages become PDF pages. Symbols are only referred to (`/S12 Do`); `forms` adds them afterwards.

Invariant: nothing here chooses a place, a size or a colour; the only arithmetic is millimetres to points.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dobble_print.fonts import font_bytes
from dobble_print.press.marks import bleed_color, contrast
from dobble_print.press.plan import Back, CardLook, Face, Label, Page, Slot, Stamp, Stroke
from dobble_print.units import CardShape, Line, Outline, mm_to_pt

FONT = "FiraGO"
HAIRLINE_PT = 0.25
DASH_MM = (2.0, 1.5)
NUMBER_PT = 4.2
DOT_MM = 3.2
CAP_HEIGHT = 0.69  # of the font's size


def form_name(symbol: int) -> str:
    """The name under which pages draw a symbol's form."""
    return f"S{symbol}"


def draw_pages(
    pages: Sequence[Page], faces: Mapping[int, Face], back: Back | None, look: CardLook, title: str
) -> bytes:
    """All pages as a PDF that still lacks the symbols' forms."""
    from reportlab.pdfgen.canvas import Canvas

    _register_font()
    sink = io.BytesIO()
    # an embedded initial font, or ReportLab puts an unembedded Helvetica on every page
    canvas = Canvas(sink, invariant=1, pageCompression=1, initialFontName=FONT)
    canvas.setTitle(title)
    canvas.setCreator("dobble-print")
    canvas.setAuthor("")
    canvas.setSubject("")
    for page in pages:
        canvas.setPageSize((mm_to_pt(page.paper.width_mm), mm_to_pt(page.paper.height_mm)))
        for slot in page.slots:
            _draw_slot(canvas, page, slot, faces, back, look)
        _draw_strokes(canvas, page.strokes)
        for label in page.labels:
            _draw_label(canvas, label)
        canvas.showPage()
    canvas.save()
    return sink.getvalue()


def _register_font() -> None:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    # anew for every document: a font remembers which letters earlier documents used, and output must not depend on them
    pdfmetrics.registerFont(TTFont(FONT, io.BytesIO(font_bytes())))


def _draw_slot(
    canvas: Any, page: Page, slot: Slot, faces: Mapping[int, Face], back: Back | None, look: CardLook
) -> None:
    canvas.saveState()
    canvas.translate(mm_to_pt(slot.x_mm), mm_to_pt(slot.y_mm))
    canvas.rotate(page.turn_deg)
    if page.side == "front":
        face = faces[slot.number]
        canvas._code.append(f"/Card <</Number {slot.number}>> BDC")
        _draw_front(canvas, face, replace(look, rim_color=face.rim_color))
        canvas._code.append("EMC")
    elif back:
        _draw_back(canvas, back, look)
    canvas.restoreState()


def _draw_front(canvas: Any, face: Face, look: CardLook) -> None:
    outline = look.shape.grow(look.bleed_mm)
    # nothing of a card may reach its neighbour, whatever its art does
    canvas.clipPath(_path(canvas, outline.outline()), stroke=0, fill=0)
    _fill(canvas, outline, bleed_color(look))
    if look.rim_width_mm > 0:
        _fill(canvas, look.shape.grow(-look.rim_width_mm), look.background)
    _draw_stamps(canvas, face.stamps)
    if look.rim_note:
        _draw_rim_text(canvas, f"{face.number} · {look.rim_note}", look)
    _draw_dots(canvas, face.dots, look)
    _draw_cut(canvas, look, bleed_color(look))


def _draw_back(canvas: Any, back: Back, look: CardLook) -> None:
    outline = look.shape.grow(look.bleed_mm)
    _fill(canvas, outline, back.color)
    canvas.saveState()
    canvas.clipPath(_path(canvas, outline.outline()), stroke=0, fill=0)
    _draw_stamps(canvas, back.stamps)
    canvas.restoreState()


def _draw_stamps(canvas: Any, stamps: Sequence[Stamp]) -> None:
    for stamp in stamps:
        matrix = " ".join(f"{mm_to_pt(value):.4f}" for value in stamp.matrix)
        canvas._code.append(f"q {matrix} cm /{form_name(stamp.symbol)} Do Q")


def _draw_rim_text(canvas: Any, text: str, look: CardLook) -> None:
    """At the foot of the card, small enough for its band."""
    band = _free_band(look)
    size = min(NUMBER_PT, mm_to_pt(band.width_mm) * 0.62 / CAP_HEIGHT)
    _draw_label(canvas, Label(text, 0.0, -band.middle_mm, size, 0.0, band.color))


def _draw_dots(canvas: Any, count: int, look: CardLook) -> None:
    """As many dots as the card's level, at its top."""
    band = _free_band(look)
    radius = min(DOT_MM, band.width_mm * 0.7) / 2
    canvas.setFillColor(band.color)
    for i in range(count):
        x = (i - (count - 1) / 2) * radius * 3.2
        canvas.circle(mm_to_pt(x), mm_to_pt(band.middle_mm), mm_to_pt(radius), stroke=0, fill=1)


@dataclass(frozen=True)
class _Band:
    """A strip along the cut that no symbol enters: the distance of its middle, its width, a colour seen on it."""

    middle_mm: float
    width_mm: float
    color: str


def _free_band(look: CardLook) -> _Band:
    """The rim where it is broad enough, else between rim and symbols, where the margin keeps a free band."""
    on_rim = look.rim_width_mm >= 1.6
    outer, inner = (0.0, look.rim_width_mm) if on_rim else (look.rim_width_mm, look.margin_mm)
    color = contrast(look.rim_color if on_rim else look.background)
    return _Band(look.shape.inner_radius_mm - (outer + inner) / 2, inner - outer, color)


def _draw_cut(canvas: Any, look: CardLook, on_color: str) -> None:
    if look.cut_line == "none":
        return
    canvas.saveState()
    canvas.setLineWidth(HAIRLINE_PT)
    canvas.setStrokeColor(contrast(on_color))
    if look.cut_line == "dashed":
        canvas.setDash([mm_to_pt(length) for length in DASH_MM])
    canvas.drawPath(_path(canvas, look.shape.outline()), stroke=1, fill=0)
    canvas.restoreState()


def _fill(canvas: Any, shape: CardShape, color: str) -> None:
    canvas.setFillColor(color)
    canvas.drawPath(_path(canvas, shape.outline()), stroke=0, fill=1)


def _path(canvas: Any, outline: Outline) -> Any:
    path = canvas.beginPath()
    path.moveTo(*map(mm_to_pt, outline.start))
    for step in outline.steps:
        if isinstance(step, Line):
            path.lineTo(*map(mm_to_pt, step.end))
        else:
            path.curveTo(*map(mm_to_pt, (*step.control0, *step.control1, *step.end)))
    path.close()
    return path


def _draw_strokes(canvas: Any, strokes: Sequence[Stroke]) -> None:
    canvas.setLineWidth(HAIRLINE_PT)
    canvas.setStrokeColor("#000000")
    canvas.lines([tuple(map(mm_to_pt, (*stroke.start, *stroke.end))) for stroke in strokes])


def _draw_label(canvas: Any, label: Label) -> None:
    canvas.saveState()
    canvas.translate(mm_to_pt(label.x_mm), mm_to_pt(label.y_mm))
    canvas.rotate(label.turn_deg)
    canvas.setFont(FONT, label.size_pt)
    canvas.setFillColor(label.color)
    canvas.drawCentredString(0, -label.size_pt * CAP_HEIGHT / 2, label.text)
    canvas.restoreState()


def draw_card(canvas: Any, shown: Face | Back, look: CardLook) -> None:
    """One card after cutting, either side up, around the canvas's origin; for pages that are no sheets."""
    cut = replace(look, bleed_mm=0.0, cut_line="none")
    if isinstance(shown, Face):
        _draw_front(canvas, shown, replace(cut, rim_color=shown.rim_color))
    else:
        _draw_back(canvas, shown, cut)


def draw_stamp(canvas: Any, stamp: Stamp) -> None:
    """One symbol alone."""
    _draw_stamps(canvas, (stamp,))


def trace_path(canvas: Any, outline: Outline) -> Any:
    """An outline as a path of the canvas."""
    return _path(canvas, outline)
