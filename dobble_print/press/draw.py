"""Drawing: planned pages become PDF pages. Symbols are only referred to (`/S12 Do`); `forms` adds them afterwards.

Invariant: nothing here chooses a place, a size or a colour; the only arithmetic is millimetres to points.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dobble_print.press.canvas import open_canvas
from dobble_print.press.card_drawing import (
    DASH_MM,
    HAIRLINE_PT,
    draw_ground,
    draw_label,
    draw_side,
    painted_shape,
    register_font,
)
from dobble_print.sheets.marks import TARGET_MM
from dobble_print.sheets.plan import TRUE_PRINT, Leaf, Page, Patch, Side, Slot, Stroke, Target
from dobble_print.units import CardShape, mm_to_pt


def draw_pages(pages: Sequence[Page], leaves: Mapping[int, Leaf], title: str, shop: bool = False) -> bytes:
    """All pages as a PDF that still lacks the symbols' forms; a shop's marks print on every plate."""
    register_font()
    sink = io.BytesIO()
    canvas = open_canvas(sink, title)
    for page in pages:
        canvas.setPageSize((mm_to_pt(page.paper.width_mm), mm_to_pt(page.paper.height_mm)))
        _draw_page(canvas, page, leaves, _all_plates() if shop else "#000000")
        canvas.showPage()
    canvas.save()
    return sink.getvalue()


def _draw_page(canvas: Any, page: Page, leaves: Mapping[int, Leaf], mark_color: Any) -> None:
    canvas.saveState()
    _correct(canvas, page)
    for slot in page.slots:
        if leaves[slot.leaf].look.share_edges:
            _draw_slot(canvas, page, slot, leaves[slot.leaf], draw_ground)
    for slot in page.slots:
        _draw_slot(canvas, page, slot, leaves[slot.leaf], draw_side)
    _draw_strokes(canvas, page.strokes, mark_color)
    for target in page.targets:
        _draw_target(canvas, target, mark_color)
    for patch in page.patches:
        _draw_patch(canvas, patch)
    for label in page.labels:
        draw_label(canvas, label)
    canvas.restoreState()


def _correct(canvas: Any, page: Page) -> None:
    """Undo what the printer will do: scale about the paper's middle, then shift."""
    fix, middle = page.correction, (page.paper.width_mm / 2, page.paper.height_mm / 2)
    if fix != TRUE_PRINT:
        canvas.translate(*(mm_to_pt(half + shift) for half, shift in zip(middle, (fix.dx_mm, fix.dy_mm), strict=True)))
        canvas.scale(fix.scale, fix.scale)
        canvas.translate(*(-mm_to_pt(half) for half in middle))


def _all_plates() -> Any:
    """The colour of marks that every ink prints."""
    from reportlab.lib.colors import CMYKColorSep

    return CMYKColorSep(1, 1, 1, 1, spotName="All", density=1)


def _draw_slot(
    canvas: Any, page: Page, slot: Slot, leaf: Leaf, draw: Callable[[Any, Leaf, Side, CardShape], None]
) -> None:
    canvas.saveState()
    canvas.translate(mm_to_pt(slot.x_mm), mm_to_pt(slot.y_mm))
    canvas.rotate(page.turn_deg if slot.side == "front" else -page.turn_deg)
    draw(canvas, leaf, slot.side, painted_shape(leaf.look))
    canvas.restoreState()


def _draw_strokes(canvas: Any, strokes: Sequence[Stroke], color: Any) -> None:
    canvas.setLineWidth(HAIRLINE_PT)
    canvas.setStrokeColor(color)
    for dashed in (False, True):
        lines = [stroke for stroke in strokes if stroke.dashed == dashed]
        canvas.setDash([mm_to_pt(length) for length in DASH_MM] if dashed else [])
        canvas.lines([tuple(map(mm_to_pt, (*stroke.start, *stroke.end))) for stroke in lines])
    canvas.setDash([])


def _draw_target(canvas: Any, target: Target, color: Any) -> None:
    canvas.setLineWidth(HAIRLINE_PT)
    canvas.setStrokeColor(color)
    x, y, arm = mm_to_pt(target.x_mm), mm_to_pt(target.y_mm), mm_to_pt(TARGET_MM / 2)
    canvas.circle(x, y, arm * 0.6, stroke=1, fill=0)
    canvas.lines([(x - arm, y, x + arm, y), (x, y - arm, x, y + arm)])


def _draw_patch(canvas: Any, patch: Patch) -> None:
    box, (cyan, magenta, yellow, black) = patch.box, patch.ink
    if cyan or magenta or yellow:
        canvas.setFillColorCMYK(cyan, magenta, yellow, black)
    else:
        canvas.setFillGray(1 - black)
    width, height = mm_to_pt(box.right - box.left), mm_to_pt(box.top - box.bottom)
    canvas.rect(mm_to_pt(box.left), mm_to_pt(box.bottom), width, height, stroke=0, fill=1)
