from __future__ import annotations

import io
from itertools import combinations

import numpy as np
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from dobble_print.errors import LayoutError
from dobble_print.sheets.marks import find_cutting_area, keep_out, place_marks
from dobble_print.sheets.nesting import Rectangle
from dobble_print.theme.options import PlotterOptions
from dobble_print.units import Paper, mm_to_pt

A4 = Paper("A4", 210.0, 297.0)
PAPERS = st.builds(Paper, st.just("any"), st.floats(90, 500), st.floats(90, 500))
MARKS = st.builds(
    PlotterOptions,
    inset_mm=st.floats(5, 18),
    square_mm=st.floats(3, 8),
    arm_mm=st.floats(8, 25),
    line_mm=st.floats(0.3, 1.0),
)


def contains(outer: Rectangle, inner: Rectangle, room_mm: float = 0.0) -> bool:
    """Whether a box lies in another with so much room around it."""
    return (
        outer.left <= inner.left - room_mm
        and outer.bottom <= inner.bottom - room_mm
        and outer.right >= inner.right + room_mm
        and outer.top >= inner.top + room_mm
    )


def test_the_marks_on_a4() -> None:
    """A square of 5 mm at the top left, arms of 20 mm and 0.5 mm width at the top right and the bottom left."""
    square, *arms = place_marks(A4, PlotterOptions())
    assert square == Rectangle(10, 282, 15, 287)
    assert arms == [
        Rectangle(180, 286.5, 200, 287),
        Rectangle(199.5, 267, 200, 286.5),
        Rectangle(10, 10, 30, 10.5),
        Rectangle(10, 10.5, 10.5, 30),
    ]


def test_the_printed_marks_show_their_shape() -> None:
    """Drawn and rendered: the square is full, the brackets open towards the middle, the fourth corner is empty."""
    sink = io.BytesIO()
    canvas = Canvas(sink, (mm_to_pt(A4.width_mm), mm_to_pt(A4.height_mm)))
    for box in place_marks(A4, PlotterOptions()):
        canvas.rect(
            *map(mm_to_pt, (box.left, box.bottom, box.right - box.left, box.top - box.bottom)), stroke=0, fill=1
        )
    canvas.save()
    document = pypdfium2.PdfDocument(sink.getvalue())
    dots_mm = 10
    ink = np.asarray(document[0].render(scale=dots_mm * 25.4 / 72).to_pil().convert("L"))[::-1] < 128
    document.close()

    def share(left: float, bottom: float, right: float, top: float) -> float:
        rows, columns = (slice(round(a * dots_mm), round(b * dots_mm)) for a, b in ((bottom, top), (left, right)))
        return float(ink[rows, columns].mean())

    assert share(10.1, 282.1, 14.9, 286.9) == 1.0
    assert share(180.2, 286.6, 199.9, 286.9) == 1.0
    assert share(199.6, 267.2, 199.9, 286.9) == 1.0
    assert share(180.0, 267.0, 199.3, 286.3) == 0.0
    assert share(10.1, 10.1, 29.8, 10.4) == 1.0
    assert share(10.1, 10.1, 10.4, 29.8) == 1.0
    assert share(10.7, 10.7, 30.0, 30.0) == 0.0
    assert share(170.0, 0.0, 210.0, 40.0) == 0.0


@given(paper=PAPERS, marks=MARKS, clearance=st.floats(0, 5))
def test_marks_lie_in_their_zones_and_never_overlap(paper: Paper, marks: PlotterOptions, clearance: float) -> None:
    """Each mark keeps the clearance to the inner borders of its zone; zones reach the paper's corners."""
    boxes, zones = place_marks(paper, marks), keep_out(paper, marks, clearance)
    for box in boxes:
        assert any(contains(zone, box, min(clearance, marks.inset_mm) - 1e-9) for zone in zones)
        assert contains(find_cutting_area(paper, marks), box, -1e-9)
    for one, other in combinations(boxes, 2):
        assert min(one.right, other.right) - max(one.left, other.left) <= 1e-9 or (
            min(one.top, other.top) - max(one.bottom, other.bottom) <= 1e-9
        )
    corners = [(0.0, paper.height_mm), (paper.width_mm, paper.height_mm), (0.0, 0.0)]
    for zone, (x, y) in zip(zones, corners, strict=True):
        assert zone.left <= x <= zone.right and zone.bottom <= y <= zone.top


def test_what_is_cut_lies_between_the_marks() -> None:
    """A desktop cutter does not reach further."""
    assert find_cutting_area(A4, PlotterOptions(inset_mm=12.0)) == Rectangle(12, 12, 198, 285)


@pytest.mark.parametrize("ask", [place_marks, keep_out, find_cutting_area])
def test_a_small_paper_has_no_room_for_marks(ask: object) -> None:
    """The refusal names the paper and what would do."""
    assert callable(ask)
    with pytest.raises(LayoutError, match=r"postcard is too small.*more than 60 mm"):
        ask(Paper("postcard", 148.0, 60.0), PlotterOptions())
