"""The booklet imposed: page order, blanks, paper, and what stays shared."""

from __future__ import annotations

import io
from functools import cache

import pytest
from pikepdf import Name, Pdf

from dobble_print.press.booklet.book import plan_booklet
from dobble_print.press.booklet.imposition import fold_spreads, impose_booklet, pad_pages, plan_sheets
from dobble_print.units import papers
from tests.booklets import classic, read_text

A4, LETTER = papers()["A4"], papers()["Letter"]


@cache
def booklet(size: str) -> bytes:
    """The classic deck's booklet."""
    press = classic()
    return plan_booklet(press.printer, press.decks, press.artworks, ("en",), size).draw()


@pytest.mark.parametrize("count", range(5, 25))
def test_blanks_go_before_the_back_cover(count: int) -> None:
    """A multiple of four pages; all of them once and in order, the last one last."""
    padded = pad_pages(count)
    assert len(padded) % 4 == 0
    assert len(padded) < count + 4
    assert [page for page in padded if page is not None] == list(range(count))
    assert padded[-1] == count - 1


@pytest.mark.parametrize("count", [4, 8, 16, 20])
def test_folding_the_sheets_gives_the_reading_order(count: int) -> None:
    """Leaf in leaf, front and back: turned one after the other, the pages are 1, 2, 3 …"""
    leaves = fold_spreads(list(range(count)))
    forward = [page for (_, right), (left, _) in leaves for page in (right, left)]
    backward = [page for (left, _), (_, right) in reversed(leaves) for page in (right, left)]
    assert forward + backward == list(range(count))


def test_small_pages_lie_two_spreads_on_a_sheet() -> None:
    """A6 on A4 at full size, to be cut apart; page and paper edges meet."""
    plan = plan_sheets(16, 105, 148, A4)
    assert (plan.sheet, plan.scale) == (A4, 1.0)
    assert len(plan.sides) == 4
    assert all(len(side.pages) == 4 for side in plan.sides)


def test_larger_pages_lie_on_the_sheet_s_side() -> None:
    """A5 on A4 lying, at full size."""
    plan = plan_sheets(16, 148, 210, A4)
    assert plan.sheet == A4.turned()
    assert plan.scale == 1.0
    assert len(plan.sides) == 8


def test_letter_paper_takes_the_booklet_a_little_smaller() -> None:
    """Everything stays on the sheet."""
    plan = plan_sheets(16, 105, 148, LETTER)
    assert 0.9 < plan.scale < 1.0
    for side in plan.sides:
        for spot in side.pages:
            assert spot.x_mm >= -0.01
            assert spot.y_mm >= -0.01
            assert spot.x_mm + 105 * plan.scale <= plan.sheet.width_mm + 0.01


@pytest.mark.parametrize("size", ["A6", "A5"])
def test_a_page_lies_behind_the_one_it_is_printed_with(size: str) -> None:
    """Turned over its fold, page 2 is behind page 1, 4 behind 3, and so on."""
    width, height = (105, 148) if size == "A6" else (148, 210)
    plan = plan_sheets(16, width, height, A4)
    for front, back in zip(plan.sides[::2], plan.sides[1::2], strict=True):
        behind = {(round(spot.x_mm, 2), round(spot.y_mm, 2)): spot.page for spot in back.pages}
        for spot in front.pages:
            mirrored = (round(plan.sheet.width_mm - spot.x_mm - width, 2), round(spot.y_mm, 2))
            assert {spot.page // 2, behind[mirrored] // 2} == {spot.page // 2}


@pytest.mark.parametrize("size", ["A6", "A5"])
def test_the_printed_file_holds_every_page_once(size: str) -> None:
    """Its text is the booklet's text; symbols and fonts are not copied."""
    data = booklet(size)
    imposed = impose_booklet(data, A4)
    whole = " ".join(read_text(imposed))
    for page in read_text(data):
        assert page[:40] in whole
    assert len(imposed) < len(data) * 1.15


def test_the_printer_is_told_which_edge_to_turn_over() -> None:
    """Upright sheets over the long edge, lying ones over the short edge; never scaled."""
    for size, flip in (("A6", Name.DuplexFlipLongEdge), ("A5", Name.DuplexFlipShortEdge)):
        with Pdf.open(io.BytesIO(impose_booklet(booklet(size), A4))) as pdf:
            assert flip == pdf.Root.ViewerPreferences.Duplex
            assert pdf.Root.ViewerPreferences.PrintScaling == Name("/None")
            assert pdf.check_pdf_syntax() == []


def test_fold_and_staples_are_marked_on_the_cover_sheet() -> None:
    """Two ticks to fold at on every side; two staples on the outside only."""
    plan = plan_sheets(16, 148, 210, A4)
    assert [len(side.ticks) for side in plan.sides] == [4, 2, 2, 2, 2, 2, 2, 2]
    assert all(x == A4.turned().width_mm / 2 for side in plan.sides for (x, _), _ in side.ticks)


def test_a_sheet_larger_than_its_pages_is_marked_for_trimming() -> None:
    """On A3 the corners of the pages are marked; the sliver that A4 is larger than two pages of A5 is not."""
    plan = plan_sheets(16, 105, 148, papers()["A3"])
    assert plan.scale == 1.0
    corners = {point for tick in plan.sides[0].ticks for point in tick}
    assert {(43.5, 62.0), (253.5, 62.0), (43.5, 358.0), (253.5, 358.0)} <= corners
    assert all(x == A4.turned().width_mm / 2 for (x, _), _ in plan_sheets(16, 148, 210, A4).sides[1].ticks)


def test_a_press_keeps_the_bleed_of_two_spreads_apart() -> None:
    """On SRA3 two spreads of A5 stand twice the bleed apart, and all marks lie outside pages and bleed."""
    plan = plan_sheets(16, 148, 210, papers()["SRA3"], 3.0)
    assert plan.bleed_mm == 3.0 and plan.scale == 1.0
    assert sorted({spot.y_mm for spot in plan.sides[0].pages}) == pytest.approx([12.0, 12.0 + 210 + 6])
    for (x0, y0), (x1, y1) in plan.sides[0].ticks:
        beside = max(x0, x1) < plan.trim.left - 3 or min(x0, x1) > plan.trim.right + 3
        assert beside or max(y0, y1) < plan.trim.bottom - 3 or min(y0, y1) > plan.trim.top + 3
        assert min(x0, y0, x1, y1) > 0 and max(x0, x1) < 320 and max(y0, y1) < 450


def test_bleed_never_leaves_half_a_sheet_empty() -> None:
    """A3 holds two spreads of A5 only without bleed; then nothing bleeds."""
    assert plan_sheets(16, 148, 210, papers()["A3"], 3.0).bleed_mm == 0.0


def test_the_same_booklet_gives_the_same_bytes() -> None:
    """Twice."""
    assert impose_booklet(booklet("A6"), A4) == impose_booklet(booklet("A6"), A4)
