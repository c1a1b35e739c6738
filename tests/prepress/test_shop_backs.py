"""The other side of a print shop's sheets, and sheets on paper of any size."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest

from dobble_print.build import print_deck
from dobble_print.compose import sheet_theme
from dobble_print.errors import UsageError
from dobble_print.options import BuildOptions
from dobble_print.theme.reader import read_theme
from tests.conftest import SMALL_THEME
from tests.tools import run_tool

QUICK = BuildOptions(booklet=False, legend=False)


def write_theme(folder: Path, lines: str = "") -> Path:
    """A small theme with more lines."""
    path = folder / "small.yaml"
    path.write_text(SMALL_THEME + lines)
    return path


def test_a_picture_fills_the_back(tmp_path: Path) -> None:
    """Pixels or vectors: the sheets are made, and the coarse picture is told."""
    from PIL import Image

    Image.new("RGB", (200, 200), "#336699").save(tmp_path / "back.png")
    (tmp_path / "back.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="9"/></svg>'
    )
    for name, warnings in (("back.png", 1), ("back.svg", 0)):
        theme = read_theme(write_theme(tmp_path, f"back: {{image: {name}}}\n"))
        product = print_deck(theme, QUICK)
        assert sum("dpi" in warning.what for warning in product.warnings) == warnings


def test_a_shops_backs_carry_marks_and_say_which_side_they_are(tmp_path: Path) -> None:
    """A loose sheet of backs is not anonymous."""
    theme = read_theme(write_theme(tmp_path, "back: navy\n"), BuildOptions(profile="shop-a3-x4").theme_values())
    (tmp_path / "cards.pdf").write_bytes(print_deck(theme, QUICK).files["cards.pdf"])
    back = run_tool(["pdftotext", "-f", "2", "-l", "2", str(tmp_path / "cards.pdf"), "-"]).stdout
    assert "sheet 1 of" in back and "· back" in back
    with pikepdf.open(tmp_path / "cards.pdf") as pdf:
        ink = pdf.pages[1].Resources.ColorSpace["/Marks"]
        assert [str(name) for name in ink[1]] == ["/Cyan", "/Magenta", "/Yellow", "/Black"]


def test_every_sheet_has_the_same_boxes(tmp_path: Path) -> None:
    """A last sheet that is not full is cut like the others."""
    theme = read_theme(write_theme(tmp_path))
    (tmp_path / "cards.pdf").write_bytes(print_deck(theme, QUICK).files["cards.pdf"])
    with pikepdf.open(tmp_path / "cards.pdf") as pdf:
        boxes = {tuple(float(value) for value in page.trimbox) for page in pdf.pages}
        assert len(pdf.pages) == 2 and len(boxes) == 1


def test_a_shops_bleed_keeps_off_the_edge(tmp_path: Path) -> None:
    """What the machine cannot print is no bleed."""
    lines = "card: {shape: hex, size: 88}\nsheet: {edge: 8}\n"
    sheet = sheet_theme(
        read_theme(write_theme(tmp_path, lines + "press: {standard: x-4}\n"), BuildOptions(paper="SRA3").theme_values())
    )
    grown = sheet.nest.shape.grow(3.0)
    for x, y in sheet.nest.centres:
        assert x - grown.width_mm / 2 >= 8 - 1e-3 and y - grown.height_mm / 2 >= 8 - 1e-3


@pytest.mark.parametrize(
    ("written", "size"), [("330x487", (330, 487)), ("487 × 330 mm", (330, 487)), ("100,5x200", (100.5, 200))]
)
def test_paper_goes_by_its_size_too(tmp_path: Path, written: str, size: tuple[float, float]) -> None:
    """A shop has more papers than any list."""
    paper = read_theme(write_theme(tmp_path), BuildOptions(paper=written).theme_values()).sheet.paper
    assert (paper.width_mm, paper.height_mm) == size


def test_paper_that_no_printer_takes_is_refused(tmp_path: Path) -> None:
    """Ten by ten millimetres is a slip."""
    with pytest.raises(UsageError, match='there is no paper "10x10"'):
        read_theme(write_theme(tmp_path), BuildOptions(paper="10x10").theme_values())


@pytest.mark.parametrize("name", ["Black", "all", "None"])
def test_a_process_ink_is_no_cut(tmp_path: Path, name: str) -> None:
    """A cut on the black plate would be printed."""
    theme = read_theme(write_theme(tmp_path), BuildOptions(profile="shop-a3-x4", cut_name=name).theme_values())
    with pytest.raises(UsageError):
        print_deck(theme, QUICK)


SHADOW = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">
<circle cx="4" cy="4" r="4" fill="#c1121f"/><circle cx="5" cy="5" r="3" fill="#fff" opacity="0.4"/></svg>"""


@pytest.mark.parametrize(("profile", "claim"), [("shop-sra3-x4", "PDF/X-4"), ("shop-x1a", "PDF/X-1a:2003")])
def test_booklet_and_legend_for_a_shop_keep_its_standard(tmp_path: Path, profile: str, claim: str) -> None:
    """Every file a press prints claims the standard and passes, translucent drawings or not; the cover bleeds."""
    from dobble_print.preflight.limits import check_files
    from tests.separations import find_screen_colors

    (tmp_path / "glass.svg").write_text(SHADOW)
    (tmp_path / "small.yaml").write_text(SMALL_THEME.replace("⚓", "{image: glass.svg, en: glass}"))
    theme = read_theme(tmp_path / "small.yaml", BuildOptions(profile=profile).theme_values())
    files = print_deck(theme).files
    check = check_files(theme, files)
    assert check and list(check.files) == ["cards.pdf", "booklet-print.pdf", "legend.pdf"]
    assert check.passed, check.describe()
    assert "beyond the trim on 1 page" in str(check.as_dict()["others"]["booklet-print.pdf"])
    for name in ("booklet-print.pdf", "legend.pdf"):
        (tmp_path / name).write_bytes(files[name])
        with pikepdf.open(tmp_path / name) as pdf:
            assert str(pdf.docinfo.GTS_PDFXVersion) == claim
            assert find_screen_colors(pdf) == []
            assert all("/TrimBox" in page.obj and "/BleedBox" in page.obj for page in pdf.pages)
