from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from pikepdf import Name, Pdf
from reportlab.pdfgen.canvas import Canvas

from dobble_print.errors import UsageError
from dobble_print.pdf.report import CUT_NAMES, ShopLimits, Standard, describe
from dobble_print.preflight.check import examine_pdf
from dobble_print.prepress.cut_layer import CutLayer, check_cut_name
from dobble_print.prepress.inks import load_output_profile
from dobble_print.prepress.prepare import Prepress
from dobble_print.sheets.cutting import Cut, trace_cuts
from dobble_print.theme.options import PressOptions
from dobble_print.units import Paper, Point, hex_card, mm_to_pt, round_card, square_card
from tests.cuts import box_cards, make_cut_page
from tests.plates import measure_circle, measure_corners, separate

PAGE = Paper("test", 100.0, 100.0)
CENTRE = (50.3, 49.6)
BOXES = box_cards(PAGE, round_card(60), [CENTRE])
DPI = 600
CMYK = ["Cyan", "Magenta", "Yellow", "Black"]


def draw_art(paper: Paper, pages: int = 1) -> bytes:
    """Pages full of colour in RGB and CMYK, partly transparent, that end with a dash pattern still in force."""
    sink = io.BytesIO()
    width, height = mm_to_pt(paper.width_mm), mm_to_pt(paper.height_mm)
    canvas = Canvas(sink, (width, height), invariant=1)
    for _ in range(pages):
        canvas.setFillColorCMYK(0.8, 0.1, 0.3, 0.05)
        canvas.rect(0, 0, width / 2, height, stroke=0, fill=1)
        canvas.setFillColorRGB(0.9, 0.5, 0.1)
        canvas.rect(width / 2, 0, width / 2, height, stroke=0, fill=1)
        canvas.setFillAlpha(0.5)
        canvas.setFillColorCMYK(0, 1, 0, 0)
        canvas.rect(0, height * 0.4, width, height * 0.2, stroke=0, fill=1)
        canvas.setDash([20, 20])
        canvas.setLineWidth(5)
        canvas.showPage()
    canvas.save()
    return sink.getvalue()


def add_cuts(drawn: bytes, cuts: Sequence[Cut], spot: str = "CutContour", layers: bool = True) -> Pdf:
    """The art with cuts on every page."""
    pdf = Pdf.open(io.BytesIO(drawn))
    layer = CutLayer(pdf, spot, layers)
    for page in pdf.pages:
        layer.draw(page, cuts)
    return pdf


def save(pdf: Pdf, path: Path) -> Path:
    """A document as a file for Ghostscript."""
    pdf.save(path)
    return path


def corners_of(cut: Cut) -> list[Point]:
    """The corners of a polygon."""
    return [start for start, _ in cut.walk()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where plates are made."""
    return tmp_path_factory.mktemp("plates")


def test_the_cut_is_a_plate_and_measures_85_mm(folder: Path) -> None:
    """Ghostscript separates the spot by its name; the circle on it is 85 mm wide where it should be."""
    pdf = add_cuts(draw_art(PAGE), trace_cuts(round_card(85), [CENTRE], 0.0))
    plates = separate(save(pdf, folder / "circle.pdf"), DPI)
    assert set(plates) == {*CMYK, "CutContour"}
    disc = measure_circle(plates["CutContour"], CENTRE, 50)
    assert disc.diameter_mm == pytest.approx(85.0, abs=0.05)
    assert disc.centre == pytest.approx(CENTRE, abs=0.05)
    assert disc.ragged_mm < 0.12  # the line is 0.09 mm wide
    points, _ = plates["CutContour"].dots()
    angles = np.degrees(np.arctan2(points[:, 1] - CENTRE[1], points[:, 0] - CENTRE[0]))
    assert len(np.unique(np.floor(angles))) == 360  # no dashes: the page's own pattern does not reach it


@pytest.mark.parametrize("layers", [True, False])
def test_art_under_the_line_is_not_knocked_out(folder: Path, layers: bool) -> None:
    """The plates of the art are the same with and without cuts, and the cuts are there."""
    art = draw_art(PAGE)
    cuts = trace_cuts(round_card(60), [CENTRE], 0.0)
    plain = separate(save(Pdf.open(io.BytesIO(art)), folder / "plain.pdf"), 300)
    cut = separate(save(add_cuts(art, cuts, layers=layers), folder / "cut.pdf"), 300)
    assert cut["CutContour"].ink.max() == 1.0
    for name in CMYK:
        assert np.array_equal(plain[name].ink, cut[name].ink), name
    assert plain["Cyan"].ink.max() > 0.5


def test_hexagons_have_their_corners_where_they_should_be(folder: Path) -> None:
    """Measured on the plate by fitting a line to every side."""
    cuts = trace_cuts(hex_card(70, 0.0), [CENTRE], 12.0)
    pdf = add_cuts(draw_art(PAGE), cuts)
    plate = separate(save(pdf, folder / "hexagon.pdf"), DPI)["CutContour"]
    expected = corners_of(cuts[0])
    for corner, found in zip(expected, measure_corners(plate, expected), strict=True):
        assert math.dist(corner, found) < 0.05


def test_a_part_of_a_large_sheet_can_be_separated(folder: Path) -> None:
    """The crop knows where it lies on the page."""
    sheet = Paper("SRA3", 320.0, 450.0)
    card, centres = round_card(85), [(250.0, 390.0)]
    boxes, cuts = box_cards(sheet, card, centres), trace_cuts(card, centres, 0.0)
    pdf = Pdf.open(io.BytesIO(make_cut_page(boxes, cuts, "DieLine", layers=False)))
    plates = separate(save(pdf, folder / "crop.pdf"), DPI, crop_mm=(200.0, 340.0, 100.0, 100.0))
    disc = measure_circle(plates["DieLine"], (250.0, 390.0), 50)
    assert disc.diameter_mm == pytest.approx(85.0, abs=0.05)
    assert disc.centre == pytest.approx((250.0, 390.0), abs=0.05)


@pytest.mark.parametrize("spot", [*CUT_NAMES, "Cut line", "Stanze #1/größer (neu)", "刀版"])
def test_names_survive(spot: str) -> None:
    """The spot and the layer carry the very name, with spaces and letters of any script."""
    sink = io.BytesIO()
    add_cuts(draw_art(PAGE), trace_cuts(round_card(60), [CENTRE], 0.0), spot).save(sink)
    with Pdf.open(sink) as pdf:
        (ink,) = pdf.pages[0].resources.ColorSpace.values()
        assert list(ink)[:3] == [Name.Separation, Name(f"/{spot}"), Name.DeviceCMYK]
        assert str(ink[1])[1:] == spot
        assert [float(part) for part in ink[3].C1] == [0, 1, 0, 0]
        assert str(pdf.Root.OCProperties.OCGs[0].Name) == spot


def test_a_name_with_a_space_is_a_plate(folder: Path) -> None:
    """As Ghostscript reads it."""
    pdf = add_cuts(draw_art(PAGE), trace_cuts(round_card(60), [CENTRE], 0.0), "Cut line")
    assert "Cut line" in separate(save(pdf, folder / "space.pdf"), 72)


def test_a_document_has_one_ink_one_state_and_one_layer() -> None:
    """However many pages; another name gets its own ink, state and layer."""
    cuts = trace_cuts(round_card(60), [CENTRE], 0.0)
    pdf = Pdf.open(io.BytesIO(draw_art(PAGE, pages=3)))
    layer = CutLayer(pdf, "CutContour", layers=True)
    for page in pdf.pages:
        layer.draw(page, cuts)
    layer.append_page(cuts, BOXES, [1, 2, 3])
    CutLayer(pdf, "Kiss-cut", layers=True).draw(pdf.pages[0], cuts)
    inks = [ink for page in pdf.pages for ink in page.resources.ColorSpace.values()]
    assert len(inks) == 5
    assert len({ink.objgen for ink in inks}) == 2
    states = [s for page in pdf.pages for s in page.resources.ExtGState.values() if s.get("/OPM") == 1]
    assert len({state.objgen for state in states}) == 2
    assert [str(layer.Name) for layer in pdf.Root.OCProperties.OCGs] == ["CutContour", "Kiss-cut"]
    assert set(pdf.pages[0].resources.Properties.keys()) == {"/Cut", "/Cut2"}


def test_the_layer_says_what_it_is_for() -> None:
    """Processing steps metadata, and a configuration with a name that lists the layer and switches it on."""
    pdf = add_cuts(draw_art(PAGE), trace_cuts(round_card(60), [CENTRE], 0.0))
    (layer,) = pdf.Root.OCProperties.OCGs
    assert layer.Type == Name.OCG
    assert layer.GTS_Metadata.GTS_ProcStepsGroup == Name.Structural
    assert layer.GTS_Metadata.GTS_ProcStepsType == Name.Cutting
    config = pdf.Root.OCProperties.D
    assert str(config.Name)
    assert [item.objgen for item in config.Order] == [layer.objgen] == [item.objgen for item in config.ON]
    assert "/AS" not in config


def test_layers_that_are_there_stay() -> None:
    """The cut joins the layers of a document."""
    pdf = Pdf.open(io.BytesIO(draw_art(PAGE)))
    art = pdf.make_indirect(pikepdf.Dictionary(Type=Name.OCG, Name="Art"))
    pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=[art], D=pikepdf.Dictionary(Name="All", Order=[art]))
    CutLayer(pdf, "DieLine", layers=True).draw(pdf.pages[0], trace_cuts(round_card(60), [CENTRE], 0.0))
    assert [str(layer.Name) for layer in pdf.Root.OCProperties.OCGs] == ["Art", "DieLine"]
    assert [str(layer.Name) for layer in pdf.Root.OCProperties.D.Order] == ["Art", "DieLine"]


def test_the_strokes_are_thin_closed_and_leave_the_state_as_it_was() -> None:
    """0.25 pt, full tint, inside the layer and inside q and Q; an open run is not closed."""
    cuts = trace_cuts(square_card(30, 0.0), [(20.0, 50.0), (50.0, 50.0)], 0.0)
    pdf = add_cuts(draw_art(PAGE), cuts)
    steps = [
        (str(step.operator), [str(o) for o in step.operands]) for step in pikepdf.parse_content_stream(pdf.pages[0])
    ]
    start = steps.index(("BDC", ["/OC", "/Cut"]))
    layer = steps[start - 1 :]
    assert [name for name, _ in layer[:6]] == ["q", "BDC", "gs", "CS", "SCN", "w"]
    assert layer[4][1] == ["1"]
    assert float(layer[5][1][0]) == 0.25
    assert [name for name, _ in layer[-2:]] == ["EMC", "Q"]
    assert [name for name, _ in layer].count("S") == 2
    assert [name for name, _ in layer].count("h") == 1
    depth = 0
    for name, _ in steps:
        depth += (name == "q") - (name == "Q")
        assert depth >= 0
    assert depth == 0


def test_pages_without_cuts_stay_as_they_are() -> None:
    """No resources, no layer, not a byte of content."""
    pdf = Pdf.open(io.BytesIO(draw_art(PAGE, pages=2)))
    before = pdf.pages[1].obj.unparse(resolved=True)
    layer = CutLayer(pdf, "CutContour", layers=True)
    layer.draw(pdf.pages[1], ())
    assert "/OCProperties" not in pdf.Root
    layer.draw(pdf.pages[0], trace_cuts(round_card(60), [CENTRE], 0.0))
    assert pdf.pages[1].obj.unparse(resolved=True) == before


@pytest.mark.parametrize("layers", [True, False])
def test_a_cut_page_is_as_large_as_the_paper(layers: bool) -> None:
    """Its trim box encloses the cuts, and the same cuts give the same bytes."""
    cuts = trace_cuts(round_card(60), [CENTRE], 0.0)
    data = make_cut_page(BOXES, cuts, layers=layers)
    assert data == make_cut_page(BOXES, cuts, layers=layers)
    with Pdf.open(io.BytesIO(data)) as pdf:
        assert not pdf.check_pdf_syntax()
        assert [float(v) for v in pdf.pages[0].mediabox] == pytest.approx(
            [0, 0, mm_to_pt(100), mm_to_pt(100)], abs=1e-3
        )
        expected = [mm_to_pt(v) for v in (CENTRE[0] - 30, CENTRE[1] - 30, CENTRE[0] + 30, CENTRE[1] + 30)]
        assert [float(v) for v in pdf.pages[0].trimbox] == pytest.approx(expected, abs=1e-3)
        assert ("/OCProperties" in pdf.Root) == layers
        room = [
            expected[0] - mm_to_pt(3),
            expected[1] - mm_to_pt(3),
            expected[2] + mm_to_pt(3),
            expected[3] + mm_to_pt(3),
        ]
        assert [float(v) for v in pdf.pages[0].obj.BleedBox] == pytest.approx(room, abs=1e-3)


def test_the_boxes_of_a_cut_page_stay_on_the_paper() -> None:
    """Cuts near an edge leave less room than the bleed wants."""
    card, centres = round_card(98), [(50.0, 50.0)]
    data = make_cut_page(box_cards(PAGE, card, centres), trace_cuts(card, centres, 0.0))
    with Pdf.open(io.BytesIO(data)) as pdf:
        assert [float(v) for v in pdf.pages[0].obj.BleedBox] == pytest.approx([0, 0, *[mm_to_pt(100)] * 2], abs=1e-3)


@pytest.mark.parametrize("standard", ["PDF/X-4", "PDF/X-1a"])
def test_a_cut_page_can_claim_the_standard_of_its_job(standard: Standard) -> None:
    """Its claim holds, and the same cuts give the same bytes."""
    press = PressOptions(standard="x-4" if standard == "PDF/X-4" else "x-1a", cut_name="Stanze")
    prepress = Prepress(press, load_output_profile())
    cuts = trace_cuts(round_card(60), [CENTRE], 0.0)
    data = prepress.print_cuts(cuts, BOXES, [1], "Cuts")
    assert data == prepress.print_cuts(cuts, BOXES, [1], "Cuts")
    report = examine_pdf(data, ShopLimits(standard=standard, cut_names=("Stanze",), cut_expected=True))
    assert report.passed, describe(report)
    assert {each.rule for each in report.findings if each.verdict == "pass"} >= {"boxes", "cut", "standard"}


@pytest.mark.parametrize("name", ["All", "none", "Cyan", "MAGENTA", "yellow", " Black ", "", "  ", "Cut\x07", "x" * 41])
def test_reserved_names_are_refused(name: str) -> None:
    """A cut on a process ink would print, and one on all plates would print everywhere."""
    with pytest.raises(UsageError, match="cannot be named") as caught:
        check_cut_name(name)
    assert caught.value.faults[0].hint
    with pytest.raises(UsageError):
        make_cut_page(BOXES, trace_cuts(round_card(60), [CENTRE], 0.0), name)


@pytest.mark.parametrize("name", [*CUT_NAMES, "Blackout", "Cut All", "x" * 40, "刀版"])
def test_other_names_are_taken(name: str) -> None:
    """Whatever the shop calls its cut."""
    check_cut_name(name)
