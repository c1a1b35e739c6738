"""The calibration page: a sheet that shows how far a printer's backs miss its fronts, and what to type against it.

Invariant: the page says the numbers to type as they are typed, and applies a correction exactly as sheets of cards do:
both sides scaled about the paper's middle, then the back shifted; so a second print proves the setting.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from pikepdf import Dictionary, Name, Pdf, String

from dobble_print.errors import Fault, LayoutError
from dobble_print.pdf.document import save_pdf
from dobble_print.press.calibration_plan import (
    ACCENT,
    LEAST_LENGTH_MM,
    LEAST_WIDTH_MM,
    Edge,
    Mark,
    Stage,
    Words,
    frame_box,
    plan_cross,
    plan_gauge,
    plan_grid,
    plan_pointer,
    plan_reticle,
    plan_ruler,
)
from dobble_print.press.calibration_steps import picture_measure, picture_print, picture_window, resize
from dobble_print.press.canvas import open_canvas
from dobble_print.press.forms import FLIPS
from dobble_print.press.ink import INK, QUIET, mix
from dobble_print.press.lettering import BOLD, REGULAR, break_lines, draw_line, register_fonts, text_width_pt
from dobble_print.sheets.nesting import Box
from dobble_print.units import PT_PER_MM, Correction, Paper, mm_to_pt

KEEP = (
    "To keep both numbers: dobble-print calibrate --back-offset x,y --scale s --save office. "
    "Then: dobble-print build … --printer office."
)
PITCH = 1.28  # of the size, from line to line
MEASURED_MM = (98.0, 98.5, 99.0, 99.5, 100.5, 101.0, 101.5)


def make_calibration(paper: Paper, duplex: Edge, correction: Correction) -> bytes:
    """The front and the back of the page as a PDF; the paper as the sheets of cards lie on it."""
    _refuse_small(paper)
    stage = Stage(paper, duplex)
    register_fonts()
    sides = (list(_plan_front(stage, correction)), list(_plan_back(stage, correction)))
    return _finish(_draw(stage, sides, correction), duplex)


def _refuse_small(paper: Paper) -> None:
    short, long = sorted((paper.width_mm, paper.height_mm))
    if short < LEAST_WIDTH_MM or long < LEAST_LENGTH_MM:
        raise LayoutError(Fault(f"{paper.name} is too small for the calibration page", "Use A5 or larger."))


def _plan_front(stage: Stage, correction: Correction) -> Iterator[Mark]:
    yield from plan_grid(stage)
    yield from plan_pointer(stage.sideways_gauge, True, stage.unit)
    yield from plan_pointer(stage.upright_gauge, False, stage.unit)
    for start, upright in zip(stage.rulers, (False, True), strict=True):
        yield from plan_ruler(start, upright, stage.unit)
    for centre in stage.crosses:
        yield from plan_cross(centre)
    yield from _plan_title(stage)
    yield from _plan_steps(stage)
    yield from _plan_table(stage, correction)


def _plan_back(stage: Stage, correction: Correction) -> Iterator[Mark]:
    for centre in stage.crosses:
        yield from plan_reticle(stage.behind(centre))
    sideways, upright = stage.box_behind(stage.sideways_gauge), stage.box_behind(stage.upright_gauge)
    u = stage.unit
    yield from plan_gauge(sideways, True, u)
    yield from plan_gauge(upright, False, u)
    yield Words("x", sideways.left + 1.8 * u, sideways.bottom + 2.0 * u, 13.0 * u, True, color=ACCENT)
    yield Words("← −   + →", sideways.right - 1.8 * u, sideways.bottom + 2.0 * u, 6.0 * u, False, 1.0, QUIET)
    yield Words("y", upright.left + 1.8 * u, upright.top - 4.6 * u, 13.0 * u, True, color=ACCENT)
    yield Words("↓ −   + ↑", upright.right - 1.8 * u, upright.top - 3.4 * u, 6.0 * u, False, 1.0, QUIET)
    yield from _plan_answer(stage, correction)


def _plan_title(stage: Stage) -> Iterator[Mark]:
    paper, top = stage.paper, stage.paper.height_mm
    x = stage.middle[0]
    edge = f"flip on the {stage.edge} edge"
    yield frame_box(Box(x - 48, top - 23.5, x + 48, top - 6.5), color="#ffffff")
    yield Words("Line up your printer", x, top - 13.2, 18.0, True, 0.5, ACCENT)
    size = f"{paper.name}, {paper.width_mm:g} × {paper.height_mm:g} mm, {edge}"
    yield Words(size, x, top - 20.0, 9.5, False, 0.5, QUIET)


def _plan_steps(stage: Stage) -> Iterator[Mark]:
    """What to do, three pictures with their words."""
    box, u = stage.steps, stage.unit
    yield frame_box(box)
    steps = (
        (picture_print, "Print both pages on one sheet", f"100 %, two-sided, flip on the {stage.edge} edge."),
        (picture_measure, "Lay a ruler on both rulers", "100 mm? Good. If not, look at the table."),
        (picture_window, "Turn over, hold to a window", "This side to the glass. Read x and y on the back."),
    )
    width = (box.right - box.left) / len(steps)
    for i, (picture, head, rest) in enumerate(steps):
        left = box.left + width * i + 2.4 * u
        yield Words(str(i + 1), left, box.top - 6.0 * u, 15.0 * u, True, color=ACCENT)
        yield from resize(picture(stage), (box.left + width * (i + 0.5), box.top - 7.6 * u), u)
        lines = [*_set_text(head, left, box.top - 16.2 * u, width - 3.4 * u, 7.2 * u, True)]
        yield from lines
        yield from _set_text(rest, left, lines[-1].y_mm - 3.3 * u, width - 3.4 * u, 6.4 * u)


def _plan_table(stage: Stage, correction: Correction) -> Iterator[Mark]:
    """What to type for what was measured, in columns or, where the page is wide, in rows."""
    box, u = stage.table, stage.unit
    yield frame_box(box)
    place = "below" if stage.is_upright else "beside"
    head = f"A ruler is not 100 mm long? Find what you measure, and type --scale with the number {place} it. "
    head += "Less than 98? Print again at 100 %."
    x, width = box.left + 2.4 * u, box.right - box.left - 4.0 * u
    lines = [*_set_text(head, x, box.top - 4.4 * u, width, (7.2 if stage.is_upright else 6.4) * u, True)]
    yield from lines
    y = lines[-1].y_mm - 5.4 * u
    for i, measured in enumerate(MEASURED_MM):
        scale = f"{100 / measured * correction.scale:.4f}"
        if stage.is_upright:
            at = x + width * (i + 0.5) / len(MEASURED_MM)
            yield Words(f"{measured:g} mm", at, y, 6.6 * u, False, 0.5)
            yield Words(scale, at, y - 4.2 * u, 7.2 * u, True, 0.5, ACCENT)
        else:
            yield Words(f"{measured:g} mm", x + 10.5 * u, y - 5.6 * u * i, 6.6 * u, False, 1.0)
            yield Words(scale, x + 13.0 * u, y - 5.6 * u * i, 7.2 * u, True, 0.0, ACCENT)
    earlier = "" if correction.scale == 1 else f"{correction.scale:g} × "
    yield Words(f"= {earlier}100 ÷ measured", x, box.bottom + 1.8 * u, 5.6 * u, color=QUIET)


def _plan_answer(stage: Stage, correction: Correction) -> Iterator[Mark]:
    """What to type, with room to write the numbers in, and what else may be seen."""
    box, u = stage.box_behind(stage.answer), stage.unit
    yield frame_box(box, fill=mix(ACCENT, 0.06))
    x, width = box.left + 2.5 * u, box.right - box.left - 5 * u
    head = "Against the light, two lines cross in box x and in box y. Write down the numbers there, and type:"
    lines = [*_set_text(head, x, box.top - 4.6 * u, width, 7.2 * u, True)]
    yield from lines
    y, wide = lines[-1].y_mm - 9.0 * u, stage.is_upright
    yield Words("--back-offset", x, y if wide else y + 2.5 * u, (13.0 if wide else 10.5) * u, True, color=ACCENT)
    left, y = (x + 33.0 * u, y) if wide else (x, y - 7.5 * u)
    yield from _plan_blanks(left, y, u)
    notes = _list_notes(stage, correction)
    if wide:
        yield from _stack([KEEP], x, y - 5.6 * u, left + 25.5 * u - x, u)
        yield from _stack(notes, left + 29.0 * u, y + 4.2 * u, box.right - left - 31.0 * u, u)
    else:
        yield from _stack([*notes, KEEP], x, y - 7.0 * u, width, u)


def _stack(notes: Iterable[str], x: float, y: float, width: float, u: float) -> Iterator[Mark]:
    """Small paragraphs, one below the other."""
    for note in notes:
        lines = [*_set_text(note, x, y, width, 5.6 * u)]
        yield from lines
        y = lines[-1].y_mm - 3.2 * u


def _plan_blanks(left: float, y: float, u: float) -> Iterator[Mark]:
    """Two boxes to write in, and the comma between them."""
    for letter, at in (("x", left), ("y", left + 14.0 * u)):
        yield frame_box(Box(at, y - 2.2 * u, at + 11.5 * u, y + 5.8 * u), color=INK)
        yield Words(letter, at + 0.9 * u, y + 3.4 * u, 6.0 * u, color=QUIET)
    yield Words(",", left + 12.0 * u, y, 13.0 * u, True, color=ACCENT)


def _list_notes(stage: Stage, correction: Correction) -> Iterator[str]:
    """What else may be seen, and what to do then."""
    settings = list(_list_settings(correction))
    if settings:
        yield f"Printed with {' '.join(settings)}: x and y must read 0 now; calibrate --printer NAME adds what is left."
    other = "short" if stage.edge == "long" else "long"
    yield "No crossing? The small crosses reach 5 mm."
    yield f"Boxes not on top of each other? Flip on the {stage.edge} edge, or build with --duplex {other}."


def _list_settings(correction: Correction) -> Iterator[str]:
    if correction.dx_mm or correction.dy_mm:
        yield f"--back-offset {correction.dx_mm:g},{correction.dy_mm:g}"
    if correction.scale != 1:
        yield f"--scale {correction.scale:g}"


def _set_text(text: str, x: float, y: float, width: float, size: float, bold: bool = False) -> Iterator[Words]:
    """A paragraph from its first baseline down."""
    for i, line in enumerate(break_lines(text, BOLD if bold else REGULAR, size, mm_to_pt(width))):
        yield Words(line, x, y - i * size * PITCH / PT_PER_MM, size, bold)


def _draw(stage: Stage, sides: Iterable[list[Mark]], correction: Correction) -> bytes:
    sink = io.BytesIO()
    canvas = open_canvas(sink, f"Line up your printer: {stage.paper.name}")
    canvas.setPageSize((mm_to_pt(stage.paper.width_mm), mm_to_pt(stage.paper.height_mm)))
    shifts = ((0.0, 0.0), (correction.dx_mm, correction.dy_mm))
    for marks, (dx, dy) in zip(sides, shifts, strict=True):
        x, y = stage.middle
        canvas.translate(mm_to_pt(x + dx), mm_to_pt(y + dy))
        canvas.scale(correction.scale, correction.scale)
        canvas.translate(mm_to_pt(-x), mm_to_pt(-y))
        for mark in marks:
            _draw_mark(canvas, mark)
        canvas.showPage()
    canvas.save()
    return sink.getvalue()


def _draw_mark(canvas: Any, mark: Mark) -> None:
    if isinstance(mark, Words):
        _draw_words(canvas, mark)
        return
    path = canvas.beginPath()
    path.moveTo(*map(mm_to_pt, mark.points[0]))
    for point in mark.points[1:]:
        path.lineTo(*map(mm_to_pt, point))
    if mark.fill:
        path.close()
        canvas.setFillColor(mark.fill)
    canvas.setStrokeColor(mark.color)
    canvas.setLineWidth(mm_to_pt(mark.width_mm))
    canvas.drawPath(path, stroke=int(mark.width_mm > 0), fill=int(bool(mark.fill)))


def _draw_words(canvas: Any, words: Words) -> None:
    font = BOLD if words.bold else REGULAR
    canvas.saveState()
    canvas.translate(mm_to_pt(words.x_mm), mm_to_pt(words.y_mm))
    canvas.rotate(words.turn_deg)
    canvas.setFillColor(words.color)
    width = text_width_pt(words.text, font, words.size_pt)
    draw_line(canvas, -words.anchor * width, 0.0, words.text, font, words.size_pt)
    canvas.restoreState()


def _finish(drawn: bytes, duplex: Edge) -> bytes:
    """A page to measure on must be printed at its size, and turned over as it was drawn for."""
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        pdf.Root.ViewerPreferences = Dictionary(
            DisplayDocTitle=True, Duplex=FLIPS[duplex], PrintScaling=Name("/None"), PickTrayByPDFSize=True
        )
        pdf.Root.Lang = String("en")
        return save_pdf(pdf)
