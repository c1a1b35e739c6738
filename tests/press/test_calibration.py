"""The calibration page is read as a person reads it: rendered, shifted, laid over its front, the number looked up."""

from __future__ import annotations

import io
import itertools
import re
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pikepdf
import pypdfium2
import pytest

from dobble_print.errors import LayoutError
from dobble_print.press.calibration import TEXTS, CalibrationSheet, Edge, make_calibration
from dobble_print.resources import read_table
from dobble_print.sheets.nesting import Rectangle
from dobble_print.units import Correction, Paper, papers
from dobble_print.words.languages import find_row
from tests.booklets import WHOLE

PLACE = re.compile(r"{\w+}")
PX = 10  # a millimetre
A5 = papers()["A5"]
SHEETS = [(paper, edge) for paper in (A5, A5.turned()) for edge in ("long", "short")]
EVERY_PAPER = [lying for paper in papers().values() for lying in (paper, paper.turned())]


@dataclass(frozen=True)
class Written:
    """A text on a page and the box of its ink, in millimetres."""

    text: str
    box: Rectangle

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the ink."""
        return self.box.middle


@dataclass(frozen=True, eq=False)
class Sight:
    """A rendered page: how dark each pixel is, row 0 at the bottom; PDFium stretches it to whole pixels."""

    ink: npt.NDArray[np.float64]
    px_per_mm: tuple[float, float]

    def turn(self) -> Sight:
        """The same with its axes swapped."""
        return Sight(self.ink.T, self.px_per_mm[::-1])


@lru_cache(maxsize=16)
def render(data: bytes, page: int) -> Sight:
    """One page, at about ten pixels a millimetre."""
    document = pypdfium2.PdfDocument(data)
    bitmap = document[page].render(scale=PX * 25.4 / 72, grayscale=True)
    ink = 1 - np.asarray(bitmap.to_pil(), dtype=float)[::-1] / 255
    width_mm, height_mm = (length * 25.4 / 72 for length in document[page].get_size())
    document.close()
    return Sight(ink, (ink.shape[1] / width_mm, ink.shape[0] / height_mm))


@lru_cache(maxsize=64)
def read_texts(data: bytes, page: int) -> tuple[Written, ...]:
    """Every piece of text of a page."""
    document = pypdfium2.PdfDocument(data)
    texts = document[page].get_textpage()
    boxes = [texts.get_rect(i) for i in range(texts.count_rects())]
    found = tuple(
        Written(texts.get_text_bounded(*box).strip(), Rectangle(*(v * 25.4 / 72 for v in box))) for box in boxes
    )
    texts.close()
    document.close()
    return found


def mirror(paper: Paper, edge: str, point: tuple[float, float]) -> tuple[float, float]:
    """Where a point of the front comes to lie when one turns the sheet over an edge with one's hands."""
    long_edge_is_upright = paper.height_mm > paper.width_mm
    turned_like_a_book_page = long_edge_is_upright if edge == "long" else not long_edge_is_upright
    x, y = point
    return (paper.width_mm - x, y) if turned_like_a_book_page else (x, paper.height_mm - y)


def find_line(sight: Sight, box: Rectangle, upright: bool) -> dict[float, float]:
    """The line in the middle of a gauge: for places along it, how far aside it is, in mm from the paper's corner."""
    view = sight if upright else sight.turn()
    aside, along = box.middle if upright else box.middle[::-1]
    across, up = view.px_per_mm
    left, right = round((aside - 2.6) * across), round((aside + 2.6) * across)
    return {
        (row + 0.5) / up: float(np.average(np.arange(left, right) + 0.5, weights=view.ink[row, left:right])) / across
        for row in range(round((along - 38) * up), round((along + 38) * up))
    }


Shift = tuple[float, float]
make_once = lru_cache(maxsize=16)(make_calibration)


def read_gauge(sheet: CalibrationSheet, correction: Correction, upright: bool, shift: Shift) -> float:
    """The number a person reads on a sheet whose back printed `shift` mm to the right and up."""
    data = make_once(sheet.paper, sheet.edge, correction)
    box = sheet.sideways_gauge if upright else sheet.upright_gauge
    front = find_line(render(data, 0), box, upright)
    place = next(iter(front))
    straight = (front[place], place) if upright else (place, front[place])
    pointer = mirror(sheet.paper, sheet.edge, straight)[0 if upright else 1]
    behind = sheet.box_behind(box).shift(correction.dx_mm, correction.dy_mm)  # where it is drawn
    aside, along = shift if upright else shift[::-1]
    leaning = {at + along: off + aside for at, off in find_line(render(data, 1), behind, upright).items()}
    crossing = min(leaning, key=lambda at: abs(leaning[at] - pointer))
    return _nearest_number(read_texts(data, 1), behind, upright, crossing - along)


def _nearest_number(texts: tuple[Written, ...], box: Rectangle, upright: bool, along: float) -> float:
    x, y = box.middle
    numbers = {
        text.middle[1 if upright else 0]: float(text.text.replace("−", "-"))
        for text in texts
        if text.text.strip("+−.0123456789") == ""
        if box.left < text.middle[0] < box.right and box.bottom < text.middle[1] < box.top
        if (text.middle[0] > x if upright else text.middle[1] < y)  # the fine scale
    }
    return numbers[min(numbers, key=lambda place: abs(place - along))]


def read_offset(sheet: CalibrationSheet, correction: Correction, shift: Shift) -> Shift:
    """Both numbers."""
    return read_gauge(sheet, correction, True, shift), read_gauge(sheet, correction, False, shift)


@pytest.mark.parametrize(("paper", "edge"), SHEETS)
@pytest.mark.parametrize("shift", [(0.7, -0.3), (-1.4, 1.8)])
def test_the_numbers_read_cancel_the_shift(paper: Paper, edge: Edge, shift: Shift) -> None:
    """A printer shifts the back; what the page shows, typed as the offset, brings the next print home."""
    sheet = CalibrationSheet(paper, edge)
    x, y = read_offset(sheet, Correction(), shift)
    assert (x, y) == (-shift[0], -shift[1])
    assert read_offset(sheet, Correction(x, y), shift) == (0, 0)


def test_what_a_second_print_shows_is_added() -> None:
    """A first guess that was not right is mended by the rest that is still to be read."""
    paper = papers()["A4"]
    data = make_calibration(paper, "long", Correction(0.5, -0.5))
    assert read_offset(CalibrationSheet(paper, "long"), Correction(0.5, -0.5), (-0.8, 0.2)) == (0.3, 0.3)
    told = " ".join(text.text for text in read_texts(data, 1))
    assert "Printed with --back-offset 0.5,-0.5" in told
    assert "calibrate --printer NAME adds what is left" in told


@pytest.mark.parametrize(("paper", "edge"), SHEETS)
def test_every_cross_has_its_scale_behind_it(paper: Paper, edge: Edge) -> None:
    """In the middle and near the corners, zero lies behind the pointer and plus is right and up."""
    data = make_once(paper, edge, Correction())
    texts = read_texts(data, 1)
    for cross in CalibrationSheet(paper, edge).crosses:
        assert _is_cross(render(data, 0), cross)
        x, y = mirror(paper, edge, cross)
        near = [t for t in texts if abs(t.middle[0] - x) < 6 and abs(t.middle[1] - y) < 6]
        across = {t.text: t.middle[0] for t in near if t.text in ("+4", "−4") and abs(t.middle[1] - y) < 3}
        up = {t.text: t.middle[1] for t in near if t.text in ("+4", "−4") and abs(t.middle[1] - y) > 3}
        assert (across["+4"] - x, across["−4"] - x) == pytest.approx((4, -4), abs=0.2)
        assert (up["+4"] - y, up["−4"] - y) == pytest.approx((4, -4), abs=0.2)


def _is_cross(sight: Sight, at: tuple[float, float]) -> bool:
    x, y = (round(place * px) for place, px in zip(at, sight.px_per_mm, strict=True))
    around = sight.ink[y - 60 : y + 60, x - 60 : x + 60]
    full_column, full_row = around.mean(axis=0).argmax(), around.mean(axis=1).argmax()
    return bool(abs(full_column - 59.5) < 1.6 and abs(full_row - 59.5) < 1.6 and around.mean() < 0.1)


@pytest.mark.parametrize("scale", [1.0, 0.98, 1.0101])
def test_both_rulers_are_as_long_as_they_say(scale: float) -> None:
    """100 mm from the first to the last tick, times the scale that was asked for."""
    paper = papers()["A4"]
    data = make_calibration(paper, "long", Correction(scale=scale))
    sheet = CalibrationSheet(paper, "long")
    for start, upright in zip(sheet.rulers, (False, True), strict=True):
        on_ticks = (start[0] - 1.0, start[1]) if upright else (start[0], start[1] + 1.0)
        x, y = ((at - middle) * scale + middle for at, middle in zip(on_ticks, sheet.middle, strict=True))
        view = render(data, 0) if upright else render(data, 0).turn()
        (across, along), (px_across, px) = ((x, y) if upright else (y, x)), view.px_per_mm
        column = view.ink[:, int(across * px_across)]
        first, last = (_middle_of_ink(column, at * px, 0.4 * px) for at in (along, along + 100 * scale))
        assert (last - first) / px == pytest.approx(100 * scale, abs=0.05)
        beyond = column[round((along - 0.9) * px) : round((along - 0.4) * px)]
        assert beyond.max() == 0


def _middle_of_ink(column: npt.NDArray[np.float64], at: float, reach: float) -> float:
    places = np.arange(round(at - reach), round(at + reach))
    return float(np.average(places, weights=column[places]))


def test_the_scale_to_type_stands_below_what_is_measured() -> None:
    """A printer that makes 99 mm of 100 gets the scale that makes it 100, also on top of an earlier one."""
    for earlier in (1.0, 1.01):
        texts = read_texts(make_calibration(papers()["A4"], "long", Correction(scale=earlier)), 0)
        measured = next(t for t in texts if t.text == "99 mm")
        below = [
            t for t in texts if abs(t.middle[0] - measured.middle[0]) < 3 and 0 < measured.middle[1] - t.middle[1] < 9
        ]
        assert float(below[0].text) == pytest.approx(earlier * 100 / 99, abs=0.0001)


@pytest.mark.parametrize(
    ("paper", "language"),
    [*((paper, "en") for paper in EVERY_PAPER), *((A5, language) for language in read_table(TEXTS))],
    ids=lambda each: each if isinstance(each, str) else f"{each.name}-{each.width_mm:g}",
)
def test_no_text_runs_into_another_or_off_the_paper(paper: Paper, language: str) -> None:
    """On every paper, either way up, with all notes, and in every language."""
    data = make_calibration(paper, "short", Correction(-0.25, -0.75, 0.9901), language)
    for page in (0, 1):
        texts = read_texts(data, page)
        assert len(texts) > 40
        assert all(text.box.inside(paper, 4.0) for text in texts)
        for one, other in itertools.combinations(texts, 2):
            apart_x = max(one.box.left - other.box.right, other.box.left - one.box.right)
            apart_y = max(one.box.bottom - other.box.top, other.box.bottom - one.box.top)
            assert max(apart_x, apart_y) > -0.05, f"{one.text!r} meets {other.text!r}"


@pytest.mark.parametrize("language", WHOLE)
def test_the_page_speaks_every_language_of_the_rules(language: str) -> None:
    """With all texts and places of the English ones, and the language in the file."""
    own, english = find_row(TEXTS, language), find_row(TEXTS, "en")
    assert set(own) == set(english)
    assert [sorted(PLACE.findall(own[key])) for key in english] == [
        sorted(PLACE.findall(text)) for text in english.values()
    ]
    with pikepdf.open(io.BytesIO(make_calibration(A5, "long", Correction(), language))) as pdf:
        assert (str(pdf.Root.Lang), str(pdf.docinfo["/Title"]).split()[0]) == (language, own["title"].split()[0])


@pytest.mark.parametrize(("paper", "edge"), SHEETS)
def test_what_to_type_stands_in_its_box(paper: Paper, edge: Edge) -> None:
    """Also with the longest notes, from the heading to the last line."""
    data = make_once(paper, edge, Correction(-1.25, -1.75, 0.990099))
    sheet = CalibrationSheet(paper, edge)
    box = sheet.box_behind(sheet.answer).shift(-1.25, -1.75)
    told = [t for t in read_texts(data, 1) if t.text.startswith(("Against", "To keep", "No crossing", "Boxes"))]
    assert len(told) >= 2
    for text in told:
        assert box.left < text.box.left and text.box.right < box.right
        assert box.bottom + 0.5 < text.box.bottom and text.box.top < box.top


@pytest.mark.parametrize(("paper", "edge"), SHEETS)
def test_nothing_lies_where_printers_leave_the_paper_white(paper: Paper, edge: Edge) -> None:
    """The outer 4.9 mm are empty on both sides."""
    data = make_once(paper, edge, Correction())
    for page in (0, 1):
        ink = render(data, page).ink.copy()
        ink[49:-49, 49:-49] = 0
        assert ink.max() == 0


def test_the_page_asks_to_be_printed_as_it_is() -> None:
    """At its own size, two-sided, over the edge it was drawn for; one paper for both sides; fonts inside."""
    for edge, wish in (("long", "/DuplexFlipLongEdge"), ("short", "/DuplexFlipShortEdge")):
        with pikepdf.open(io.BytesIO(make_calibration(A5, edge, Correction()))) as pdf:  # type: ignore[arg-type]
            wishes = pdf.Root.ViewerPreferences
            assert [str(wishes.Duplex), str(wishes.PrintScaling)] == [wish, "/None"]
            sizes = [[round(float(v) * 25.4 / 72, 3) for v in page.MediaBox] for page in pdf.pages]
            assert sizes == [[0, 0, 148, 210]] * 2
            fonts = [font for page in pdf.pages for font in page.Resources.Font.values()]
            assert fonts and all("/FontFile2" in font.FontDescriptor for font in fonts)


def test_the_same_page_has_the_same_bytes() -> None:
    """No date, no id, no memory of pages made before."""
    first = make_calibration(A5, "long", Correction(0.1, 0.2, 1.001))
    make_calibration(papers()["A4"], "short", Correction())
    assert make_calibration(A5, "long", Correction(0.1, 0.2, 1.001)) == first


def test_a_paper_without_room_is_refused() -> None:
    """A postcard cannot carry the gauges; the fault says what can."""
    with pytest.raises(LayoutError, match=r"postcard is too small for the calibration page\. Use A5 or larger"):
        make_calibration(replace(A5, name="postcard", width_mm=100.0), "long", Correction())
