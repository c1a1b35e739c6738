"""A press of the shop's own, and what customers bring for another one."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from PIL import Image

from dobble_print.build import print_deck
from dobble_print.errors import ThemeError
from dobble_print.options import BuildOptions
from dobble_print.prepress.inks import load_output_profile
from dobble_print.resources import find_template
from dobble_print.theme.reader import read_theme
from tests.conftest import SMALL_THEME
from tests.plates import separate

SHOP = BuildOptions(profile="shop-sra3-x4", booklet=False, legend=False)


def build(theme: Path, options: BuildOptions = SHOP) -> tuple[Path, list[str]]:
    """Build a theme for a shop; the sheets and the warnings."""
    product = print_deck(read_theme(theme, options.theme_values()), options)
    path = theme.parent / "cards.pdf"
    path.write_bytes(product.files["cards.pdf"])
    return path, [str(warning) for warning in product.warnings]


def rename_profile(path: Path, name: str) -> None:
    """Write our own profile under another description of the same length or less."""
    profile = load_output_profile()
    old, new = profile.name.encode("ascii"), name.encode("ascii").ljust(len(profile.name))
    data = profile.data.replace(old, new[: len(old)])
    wide = profile.data.replace(old.decode().encode("utf-16-be"), new[: len(old)].decode().encode("utf-16-be"))
    path.write_bytes(data if data != profile.data else wide)


@pytest.mark.parametrize("where", ["theme", "profile"])
def test_the_profile_of_the_press_is_named_in_a_theme_or_a_profile(tmp_path: Path, where: str) -> None:
    """The file lies beside whatever names it; it becomes the output intent, with its registered name."""
    (tmp_path / "house").mkdir()
    line = "press: {output_profile: our-press.icc}\n"
    holder = tmp_path if where == "theme" else tmp_path / "house"
    rename_profile(holder / "our-press.icc", "PSO Coated v3")
    own = find_template("profiles/shop-sra3-x4.yaml").read_text()
    (tmp_path / "house" / "shop.yaml").write_text(
        own.replace("press: {", "press: {output_profile: our-press.icc, ") if where == "profile" else own
    )
    (tmp_path / "theme.yaml").write_text(SMALL_THEME + (line if where == "theme" else ""))
    options = BuildOptions(profile=str(tmp_path / "house" / "shop.yaml"), booklet=False, legend=False)
    pdf, _ = build(tmp_path / "theme.yaml", options)
    with pikepdf.open(pdf) as file:
        (intent,) = file.Root.OutputIntents
        assert intent.DestOutputProfile.read_bytes() == (holder / "our-press.icc").read_bytes()
        assert str(intent.OutputConditionIdentifier) == "FOGRA51"


def test_a_theme_names_no_profile_outside_its_folder(tmp_path: Path) -> None:
    """As with any other file: a stranger's theme reads nothing of ours."""
    shutil.copy(find_template("color/coated.icc"), tmp_path / "press.icc")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "theme.yaml").write_text(SMALL_THEME + "press: {output_profile: ../press.icc}\n")
    with pytest.raises(ThemeError, match="output_profile"):
        read_theme(tmp_path / "inside" / "theme.yaml")


def test_a_photo_in_inks_of_no_press_is_told(tmp_path: Path) -> None:
    """Its black is no longer the black of a formula, and whoever sent it hears that it was separated anew."""
    Image.new("CMYK", (900, 900), (0, 0, 0, 255)).save(tmp_path / "black.jpg", quality=95)
    (tmp_path / "theme.yaml").write_text(SMALL_THEME.replace("⚓", "{image: black.jpg, en: black}"))
    pdf, warnings = build(tmp_path / "theme.yaml")
    (told,) = [each for each in warnings if "CMYK" in each]
    assert 'symbol "black" (black.jpg)' in told and "separated anew" in told
    plates = separate(pdf, 50)
    photo = (plates["Cyan"].ink > 0.3) & (plates["Magenta"].ink > 0.3) & (plates["Black"].ink > 0.3)
    assert photo.sum() > 100
    total = np.sum([plates[ink].ink for ink in ("Cyan", "Magenta", "Yellow", "Black")], axis=0)
    assert np.percentile(total[photo], 90) <= 3.02  # the rest are registration marks


@pytest.mark.parametrize(("line", "told"), [("", True), ("back: none\n", False), ("back: navy\n", False)])
def test_backs_that_nobody_named_are_told(tmp_path: Path, line: str, told: bool) -> None:
    """White backs may be what is wanted; then the theme says so."""
    (tmp_path / "theme.yaml").write_text(SMALL_THEME + line)
    _, warnings = build(tmp_path / "theme.yaml")
    assert any("stays white" in each for each in warnings) == told


def test_marks_print_on_the_plates_of_the_press_and_not_on_that_of_the_cut(tmp_path: Path) -> None:
    """A cutter that follows its plate does not cut along targets and crop marks."""
    (tmp_path / "theme.yaml").write_text(SMALL_THEME + "back: navy\n")
    pdf, _ = build(tmp_path / "theme.yaml")
    with pikepdf.open(pdf) as file:
        left, bottom, right, top = (float(value) / 72 * 25.4 for value in file.pages[0].BleedBox)
    plates = separate(pdf, 100)
    height, width = plates["Cyan"].ink.shape
    outside = np.ones((height, width), bool)
    rows = slice(int(height - top / 25.4 * 100), int(height - bottom / 25.4 * 100) + 1)
    outside[rows, int(left / 25.4 * 100) : int(right / 25.4 * 100) + 1] = False
    for ink in ("Cyan", "Magenta", "Yellow"):
        assert plates[ink].ink[outside].max() > 0.5
    assert plates["CutContour"].ink[outside].max() == 0


def test_a_legend_is_trimmed_to_a_paper_that_people_know(tmp_path: Path) -> None:
    """A3 out of SRA3: its trim box lies inside the sheet, and crop marks stand outside it."""
    (tmp_path / "theme.yaml").write_text(SMALL_THEME + "back: navy\n")
    options = BuildOptions(profile="shop-sra3-x4", booklet=False)
    files = print_deck(read_theme(tmp_path / "theme.yaml", options.theme_values()), options).files
    (tmp_path / "legend.pdf").write_bytes(files["legend.pdf"])
    with pikepdf.open(tmp_path / "legend.pdf") as pdf:
        media, trim = (
            [float(value) / 72 * 25.4 for value in box] for box in (pdf.pages[0].MediaBox, pdf.pages[0].TrimBox)
        )
    assert media == pytest.approx([0, 0, 320, 450], abs=0.01)
    assert trim == pytest.approx([11.5, 15, 308.5, 435], abs=0.01)
    black = separate(tmp_path / "legend.pdf", 150)["Black"].ink > 0.3
    ring = black.copy()
    ring[int(14 / 25.4 * 150) : -int(14 / 25.4 * 150), int(10.5 / 25.4 * 150) : -int(10.5 / 25.4 * 150)] = False
    assert ring.sum() > 60
