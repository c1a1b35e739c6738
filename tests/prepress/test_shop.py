"""A print shop's sheets, measured with the shop's kind of tools: plates by Ghostscript, structure by qpdf."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Callable
from pathlib import Path

import ezdxf
import numpy as np
import numpy.typing as npt
import pikepdf
import pytest
from defusedxml.ElementTree import fromstring
from PIL import Image

from benchmarks.shop import count_calls
from dobble_print.build import DeckOrder, print_deck, print_gang
from dobble_print.options import BuildOptions
from dobble_print.theme.reader import read_theme
from tests.conftest import SMALL_THEME, Run
from tests.plates import Plate, measure_circle, separate
from tests.tools import run_tool

QUICK = BuildOptions(booklet=False, legend=False)
DPI = 200
Built = Callable[..., Path]


@pytest.fixture
def build(tmp_path: Path) -> Built:
    """Build a small theme with more lines and options; the folder of its results."""
    count = itertools.count()

    def build_theme(lines: str = "", wishes: BuildOptions = QUICK, **asked: object) -> Path:
        folder = tmp_path / f"deck{next(count)}"
        folder.mkdir()
        (folder / "theme.yaml").write_text(SMALL_THEME + lines)
        theme = read_theme(folder / "theme.yaml", BuildOptions(**asked).theme_values())  # type: ignore[arg-type]
        for name, data in print_deck(theme, wishes).files.items():
            (folder / name).write_bytes(data)
        return folder

    return build_theme


def find_centres(pdf: Path, page: int = 0) -> list[tuple[float, float]]:
    """The middles of the cards of a page in mm, from the marked content that surrounds each."""
    from tests.paper import read_cards

    return [card.centre for card in read_cards(pdf) if card.page == page]


def flood(plates: dict[str, Plate], but: str = "CutContour") -> npt.NDArray[np.float64]:
    """Where any ink but the cut lies."""
    inks = np.stack([plate.ink for name, plate in plates.items() if name != but])
    return np.asarray(inks.max(axis=0), dtype=np.float64)


def test_the_cut_is_a_plate_and_85_mm_wide(build: Built) -> None:
    """The plate CutContour holds one circle a card, as wide as the card."""
    pdf = build('back: "#1d3557"\n', profile="shop-sra3-x4") / "cards.pdf"
    x, y = find_centres(pdf)[0]
    plates = separate(pdf, 600, crop_mm=(x - 46, y - 46, 92, 92))
    disc = measure_circle(plates["CutContour"], (x, y), 45)
    assert disc.diameter_mm == pytest.approx(85.0, abs=0.05)
    assert disc.centre == pytest.approx((x, y), abs=0.05)


def test_the_art_under_the_cut_is_not_knocked_out(build: Built) -> None:
    """The colour plates are the same with and without the cut path."""
    lines = 'card: {rim: "#e63946", rim_width: 3}\n'
    with_cut = build(lines, profile="shop-sra3-x4") / "cards.pdf"
    without = build(lines, profile="shop-sra3-x4", cut_path="none") / "cards.pdf"
    x, y = find_centres(with_cut)[0]
    crop = (x - 47, y - 47, 94, 94)
    cut, plain = separate(with_cut, DPI, crop_mm=crop), separate(without, DPI, crop_mm=crop)
    assert "CutContour" not in plain
    for ink in ("Cyan", "Magenta", "Yellow", "Black"):
        assert np.array_equal(cut[ink].ink, plain[ink].ink), ink


def test_plate_and_cut_files_agree(build: Built) -> None:
    """PDF, SVG and DXF come from one geometry: centres and diameters within 0.05 mm."""
    folder = build("plotter: {files: [svg, dxf]}\n", profile="shop-sra3-x4")
    centres = find_centres(folder / "cards.pdf")
    drawing = fromstring((folder / "cut.svg").read_text())
    height = float(drawing.get("viewBox", "").split()[3])
    circles = [element for element in drawing.iter() if element.tag.endswith("circle")]
    svg = sorted((float(c.get("cx")), height - float(c.get("cy")), 2 * float(c.get("r"))) for c in circles)
    document = ezdxf.readfile(folder / "cut.dxf")
    assert not document.audit().errors
    found = document.modelspace().query("CIRCLE")
    dxf = sorted((circle.dxf.center.x, circle.dxf.center.y, 2 * circle.dxf.radius) for circle in found)
    assert len(svg) == len(dxf) == len(centres)
    for card, one, other in zip(sorted(centres), svg, dxf, strict=True):
        assert one == pytest.approx((*card, 85.0), abs=0.05)
        assert other == pytest.approx(one, abs=0.001)
    x, y = centres[0]
    plate = separate(folder / "cards.pdf", 600, crop_mm=(x - 46, y - 46, 92, 92))["CutContour"]
    disc = measure_circle(plate, (x, y), 45)
    near = min(svg, key=lambda circle: abs(circle[0] - x) + abs(circle[1] - y))
    assert (*disc.centre, disc.diameter_mm) == pytest.approx(near, abs=0.05)


@pytest.mark.parametrize("duplex", ["long", "short"])
def test_the_back_plate_mirrored_covers_the_front(build: Built, duplex: str) -> None:
    """Turned over its edge, the back's ink lies where the front's bleed lies, within 0.1 mm."""
    lines = 'back: "#1d3557"\ncard: {rim: "#1d3557", background: "#1d3557"}\nsheet: {crop_marks: false}\n'
    lines += "press: {registration: false, standard: x-4, cut_path: art}\n"
    pdf = build(lines, paper="A4", duplex=duplex) / "cards.pdf"
    front, back = (flood(separate(pdf, 150, page)) > 0.2 for page in (1, 2))
    turned = back[:, ::-1] if duplex == "long" else back[::-1]
    xs, ys = find_centres(pdf)[0], 297.0
    half = 45.5
    rows = slice(int((ys - xs[1] - half - 1) / 25.4 * 150), int((ys - xs[1] + half + 1) / 25.4 * 150))
    columns = slice(int((xs[0] - half - 1) / 25.4 * 150), int((xs[0] + half + 1) / 25.4 * 150))
    one, other = front[rows, columns], turned[rows, columns]
    for axis in (0, 1):
        edges = [np.flatnonzero(side.any(axis=axis))[[0, -1]] for side in (one, other)]
        assert np.abs(edges[0] - edges[1]).max() <= 0.1 / 25.4 * 150 + 1


def test_qpdf_finds_no_fault(build: Built) -> None:
    """Every kind of shop file is sound."""
    for profile in ("shop-sra3-x4", "shop-a3-x4", "shop-x1a"):
        pdf = build('back: {color: "#1d3557", pattern: symbols}\n', profile=profile) / "cards.pdf"
        assert "No syntax or stream encoding errors" in run_tool(["qpdf", "--check", str(pdf)]).stdout


@pytest.mark.parametrize("place", ["page", "file"])
def test_the_cut_may_stand_apart(build: Built, place: str) -> None:
    """On a page after the art, or in a file of its own; the art itself carries none."""
    folder = build(profile="shop-sra3-x4", cut_path=place, cut_name="Thru-cut")
    with pikepdf.open(folder / "cards.pdf") as pdf:
        pages = len(pdf.pages)
    if place == "page":
        assert pages == 2
        assert "Thru-cut" not in separate(folder / "cards.pdf", 50, 1)
        assert "Thru-cut" in separate(folder / "cards.pdf", 50, 2)
    else:
        assert pages == 1
        assert "Thru-cut" in separate(folder / "cut.pdf", 50, 1)


def read_boxes(path: Path) -> list[tuple[list[float], ...]]:
    """Media, trim and bleed box of every page."""
    with pikepdf.open(path) as pdf:
        boxes = ((page.obj.MediaBox, page.obj.TrimBox, page.obj.BleedBox) for page in pdf.pages)
        return [tuple([float(value) for value in box] for box in found) for found in boxes]


NOT_FULL = {
    "last sheet": "card: {size: 140}\n",
    "hexagons": "card: {shape: hex, size: 60, corner: 0}\nsheet: {share_edges: true, bleed: 2}\n",
    "folded": "card: {size: 100}\nsheet: {duplex: fold}\n",
}


@pytest.mark.parametrize("kind", NOT_FULL)
def test_cut_pages_have_the_boxes_of_the_sheets_they_cut(build: Built, kind: str) -> None:
    """Also where a sheet is not full: art and cuts are laid over each other by their boxes."""
    boxes = read_boxes(build(NOT_FULL[kind], profile="shop-sra3-x4", cut_path="page") / "cards.pdf")
    assert len(boxes) > 1
    assert all(found == boxes[0] for found in boxes)


@pytest.mark.parametrize("kind", NOT_FULL)
def test_cut_files_have_the_boxes_of_the_sheets_they_cut(build: Built, kind: str) -> None:
    """Those of the last sheet too."""
    folder = build(NOT_FULL[kind], profile="shop-sra3-x4", cut_path="file")
    (art, *_), cuts = read_boxes(folder / "cards.pdf"), sorted(folder.glob("cut*.pdf"))
    assert [path.name for path in cuts] == ["cut-last.pdf", "cut.pdf"][kind == "hexagons" :]
    assert all(read_boxes(path) == [art] for path in cuts)


def test_cut_pages_say_which_sheets_they_cut(build: Built) -> None:
    """By their page labels, which viewers show; the sheets keep their numbers."""
    folder = build(NOT_FULL["last sheet"], profile="shop-sra3-x4", cut_path="page")
    with pikepdf.open(folder / "cards.pdf") as pdf:
        labels = [str(page.label) for page in pdf.pages]
    assert labels == ["1", "2", "cut of sheet 1", "cut of sheet 2"]


def test_hexagons_that_share_edges_are_cut_once(build: Built) -> None:
    """The knife's way is shorter than around every card, and the sheet holds more cards."""
    lines = "card: {shape: hex, corner: 0, size: 60}\nplotter: {files: [dxf]}\n"
    apart, shared = build(lines), build(lines + "sheet: {share_edges: true}\n")
    lengths = []
    for folder in (apart, shared):
        space = ezdxf.readfile(folder / "cut.dxf").modelspace()
        lengths.append(sum(_measure(entity) for entity in space))
    assert lengths[0] == pytest.approx(7 * 6 * 60 / 3**0.5, abs=0.1)
    assert lengths[1] < lengths[0] * 0.85


def _measure(entity: object) -> float:
    from ezdxf.path import make_path

    points = list(make_path(entity).flattening(0.01))
    return float(sum(a.distance(b) for a, b in itertools.pairwise(points)))


def test_a_copy_has_its_own_colour_and_letter(build: Built) -> None:
    """Six copies of a class deck get mixed on the floor, and sort themselves."""
    wishes = BuildOptions(booklet=False, legend=False, copies=3, mark="color")
    folder = build(wishes=wishes)
    with pikepdf.open(folder / "cards.pdf") as pdf:
        streams = b"".join(page.Contents.read_bytes() for page in pdf.pages)
    assert streams.count(b"BDC") == 21
    text = run_tool(["pdftotext", str(folder / "cards.pdf"), "-"]).stdout
    assert all(f"{letter} {number} ·" in text for letter in "ABC" for number in (1, 7))


def test_a_mark_without_copies_is_told(run: Run, small_theme: Path) -> None:
    """It tells copies apart; with two of them, nothing is left to say."""
    quick = ("build", small_theme, "--no-booklet", "--no-legend", "--only", "1", "--mark", "color")
    told = "warning: --mark color tells copies apart, but there is only one: all its cards get the letter A. "
    assert f"{told}Add --copies 2 or more, or leave it out." in run(*quick).stderr
    assert "--mark" not in run(*quick, "--copies", "2").stderr


def test_decks_share_sheets_and_every_sheet_names_them(tmp_path: Path) -> None:
    """Two decks of seven cards need three sheets of six instead of four; the pick list finds every card."""
    themes = []
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(SMALL_THEME.replace("Small", f"Deck {name}"))
        themes.append(read_theme(tmp_path / f"{name}.yaml"))
    shared, *boxes = print_gang([DeckOrder(theme, QUICK) for theme in themes])
    (tmp_path / "cards.pdf").write_bytes(shared.files["cards.pdf"])
    pages = run_tool(["pdftotext", "-layout", str(tmp_path / "cards.pdf"), "-"]).stdout.split("\f")[:-1]
    assert len(pages) == 3
    assert "Deck one" in pages[1] and "Deck two" in pages[1]
    assert "Deck two" not in pages[0]
    rows = list(csv.DictReader(io.StringIO(shared.files["picklist.csv"].decode())))
    assert [row["card"] for row in rows] == [str(n) for n in (*range(1, 8), *range(1, 8))]
    assert [row["sheet"] for row in rows] == ["1"] * 6 + ["2"] * 6 + ["3"] * 2
    assert [sorted(box.files) for box in boxes] == [["deck.json", "preview.png"]] * 2


def test_decks_that_differ_in_size_cannot_share_sheets(run: Run, tmp_path: Path) -> None:
    """The message names both and what differs."""
    (tmp_path / "a.yaml").write_text(SMALL_THEME)
    (tmp_path / "b.yaml").write_text(SMALL_THEME + "card: {size: 70}\n")
    told = run("build", "a.yaml", "b.yaml", "--gang")
    assert told.returncode == 2
    assert "b and a cannot share sheets: their cards differ in shape or size" in told.stderr
    assert not (tmp_path / "output").exists()


def test_separate_backs_of_two_colours_share_no_sheets(run: Run, tmp_path: Path) -> None:
    """Their file has one page for all sheets: half of the cards would get the wrong back."""
    for name, color in (("a", "navy"), ("b", "teal")):
        (tmp_path / f"{name}.yaml").write_text(f"{SMALL_THEME}back: {{color: {color}}}\n", encoding="utf-8")
    told = run("build", "a.yaml", "b.yaml", "--gang", "--duplex", "separate", "--no-booklet", "--no-legend")
    assert told.returncode == 2 and "b and a cannot share sheets: their backs differ" in told.stderr
    assert not (tmp_path / "output").exists()


def test_folded_sheets_hold_front_and_back_on_one_side(build: Built) -> None:
    """For printers without duplex: the backs lie across the fold from their fronts."""
    from tests.paper import read_backs

    pdf = build('back: "#aa3355"\n', duplex="fold") / "cards.pdf"
    fronts = {(round(x, 2), round(y, 2)) for x, y in find_centres(pdf)}
    painted = {(round(x, 2), round(y, 2)) for x, y in read_backs(pdf, 0)}
    assert len(fronts) == 3
    assert painted - fronts == {(round(210 - x, 2), y) for x, y in fronts}


def test_backs_are_shifted_and_all_pages_scaled(build: Built) -> None:
    """--back-offset moves only the backs; --scale works about the paper's middle."""
    from tests.paper import read_backs

    lines = 'back: "#aa3355"\n'
    plain, moved = (
        build(lines, BuildOptions(booklet=False, legend=False, back_offset=offset, scale=scale)) / "cards.pdf"
        for offset, scale in (("0,0 ; 0,0", "1"), ("0.7,-0.3", "0.99"))
    )
    for (x, y), (u, v) in zip(find_centres(plain), find_centres(moved), strict=True):
        assert (u, v) == pytest.approx(((x - 105) * 0.99 + 105, (y - 148.5) * 0.99 + 148.5), abs=0.01)
    for (x, y), (u, v) in zip(read_backs(plain, 1), read_backs(moved, 1), strict=True):
        assert (u, v) == pytest.approx(((x - 105) * 0.99 + 105.7, (y - 148.5) * 0.99 + 148.2), abs=0.01)


def test_a_shop_build_is_checked_and_says_so(run: Run, small_theme: Path) -> None:
    """The rules are listed, nobody is called certified, and the exit code tells."""
    told = run("build", small_theme, "--profile", "shop-sra3-x4", "--no-booklet", "--no-legend", "--json")
    assert told.returncode == 0, told.stderr
    report = json.loads(told.stdout)["results"][0]["preflight"]
    assert report["passed"] and len(report["rules"]) >= 9
    assert "checked against our rules" in told.stderr and "certif" not in told.stderr


def test_preflight_tells_by_its_exit_code(run: Run, small_theme: Path) -> None:
    """An office file fails a shop's rules; the same deck for the shop passes."""
    for profile, code in (("school-a4", 9), ("shop-a3-x4", 0)):
        assert run("build", small_theme, "--profile", profile, "--no-booklet", "--no-legend").returncode == 0
        told = run("preflight", "output/small/cards.pdf")
        assert told.returncode == code, told.stdout
    told = run("preflight", "output/small/deck.json")
    assert told.returncode == 2 and "output/small/deck.json: this is not a PDF file" in told.stderr


def test_shop_files_are_the_same_bytes(build: Built) -> None:
    """Dates and ids come from nowhere but the content."""
    one, two = (build(profile="shop-sra3-x4") / "cards.pdf" for _ in range(2))
    assert one.read_bytes() == two.read_bytes()


def test_a_date_is_printed_only_when_asked_for(build: Built) -> None:
    """The slug names theme, deck, paper, profile and sheet; the date on request."""
    from datetime import date

    for wishes, dated in ((QUICK, False), (BuildOptions(booklet=False, legend=False, dated=True), True)):
        text = run_tool(["pdftotext", str(build("", wishes, profile="shop-a3-x4") / "cards.pdf"), "-"]).stdout
        slug = next(line for line in text.splitlines() if "sheet 1 of" in line)
        assert slug.startswith("Small · deck ") and "A3 · shop-a3-x4" in slug
        assert (date.today().isoformat() in slug) == dated


def test_low_ink_needs_little_ink(build: Built) -> None:
    """Outlines on white take less than a third of the ink, and cover far less of the paper."""

    def ink(folder: Path) -> float:
        shares = run_tool(["gs", "-q", "-o", "-", "-sDEVICE=inkcov", str(folder / "cards.pdf")]).stdout.split()
        return sum(float(share) for share in shares[:4])

    assert ink(build(low_ink=True)) < ink(build()) / 3


def test_plotter_marks_have_their_zones_for_themselves(build: Built) -> None:
    """Six cards of 85 mm lie between the marks on A4, and nothing prints where the camera looks."""
    pdf = build(profile="silhouette-a4") / "cards.pdf"
    assert len(find_centres(pdf)) == 6
    ink = flood(separate(pdf, 100)) > 0.05
    px = 100 / 25.4
    height = ink.shape[0]
    corner = ink[: round(30 * px), : round(30 * px)]
    rows, columns = np.nonzero(corner)
    assert rows.min() == pytest.approx(10 * px, abs=1) and rows.max() == pytest.approx(15 * px, abs=1)
    assert columns.min() == pytest.approx(10 * px, abs=1) and columns.max() == pytest.approx(15 * px, abs=1)
    bracket = ink[height - round(30 * px) :, : round(30 * px)]
    inner = bracket[: -round(11.5 * px), round(11.5 * px) :]
    assert not inner.any()


def test_each_drawing_is_opened_and_parsed_once(tmp_path: Path) -> None:
    """However many files show it: what is left to open are the pages of those files, and nothing re-reads them."""
    (tmp_path / "theme.yaml").write_text(SMALL_THEME)
    theme = read_theme(tmp_path / "theme.yaml", BuildOptions(profile="shop-sra3-x4").theme_values())
    product, counts = count_calls(lambda: print_deck(theme))
    assert {"cards.pdf", "preview.png", "booklet.pdf", "booklet-print.pdf", "legend.pdf"} <= set(product.files)
    assert counts["open"] <= 7 + 6  # seven drawings; five documents, and the booklet once more to impose it
    assert counts["parse"] <= 2 * 7  # the content of a drawing and of the group in it
    assert counts["save"] <= 10


def test_a_picture_with_enough_pixels_is_sharp_in_the_booklet(run: Run, tmp_path: Path) -> None:
    """The booklet does not shrink a picture so far that its own check finds it coarse."""
    Image.effect_noise((1500, 1000), 60).convert("RGB").save(tmp_path / "wide.png")
    text = SMALL_THEME.replace("🚀", "{image: wide.png, en: wide}")
    (tmp_path / "theme.yaml").write_text(text, encoding="utf-8")
    done = run("build", "theme.yaml", "--profile", "shop-sra3-x4", "-o", "out")
    assert done.returncode == 0, done.stdout + done.stderr
