"""Backs: logos stand whole, pictures fill, patterns are centred and made of whole symbols that can be seen."""

from __future__ import annotations

import io
import math
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageDraw

from dobble_print.art.gallery import open_back
from dobble_print.build import preview
from dobble_print.errors import ThemeError
from dobble_print.options import BuildOptions
from dobble_print.sheets.backs import SAFE_SHARE, choose_ground, make_back
from dobble_print.sheets.pages import plan_contact_sheet
from dobble_print.sheets.plan import CardLook
from dobble_print.theme.options import BackOptions
from dobble_print.theme.reader import read_theme
from dobble_print.units import SHAPES
from tests.conftest import Run

SEVEN = "languages: [nl]\nsymbols: [hond, boom, fiets, kat, huis, auto, boot]\n"


def make_look(shape: str) -> CardLook:
    """The look of plain cards."""
    return CardLook(SHAPES[shape](85), "#ffffff", "#000000", 1.2, 3.0, 3.0, "hairline")


def paint(folder: Path, size: tuple[int, int], color: str = "#2040a0") -> Path:
    """A picture of one colour."""
    Image.new("RGBA", size, color).save(folder / "logo.png")
    return folder / "logo.png"


@pytest.mark.parametrize("shape", ["round", "hex", "square"])
@pytest.mark.parametrize("size", [(900, 300), (300, 900), (600, 400)])
def test_a_logo_stands_whole_and_centred_off_the_cut(tmp_path: Path, shape: str, size: tuple[int, int]) -> None:
    """It was cropped to its middle."""
    look, picture = make_look(shape), open_back(paint(tmp_path, size))
    back = make_back(BackOptions(kind="image"), look, [], picture)
    assert back
    scale, _, _, _, left, foot = back.stamps[0].matrix
    assert (left + scale * picture.width / 2, foot + scale * picture.height / 2) == pytest.approx((0, 0))
    corners = [(x, y) for x in (left, -left) for y in (foot, -foot)]
    nearest = max(look.shape.distance_mm(x, y) for x, y in corners)
    assert nearest == pytest.approx(-SAFE_SHARE * 2 * look.shape.inner_radius_mm, abs=0.01)


@pytest.mark.parametrize(("fit", "size"), [("auto", (1000, 1000)), ("auto", (1000, 920)), ("cover", (900, 300))])
def test_a_picture_of_the_cards_shape_fills_the_back_with_its_bleed(
    tmp_path: Path, fit: str, size: tuple[int, int]
) -> None:
    """And any picture that is asked to."""
    look, picture = make_look("round"), open_back(paint(tmp_path, size))
    back = make_back(BackOptions(kind="image", fit=fit), look, [], picture)  # type: ignore[arg-type]
    assert back
    scale = back.stamps[0].matrix[0]
    assert min(scale * picture.width, scale * picture.height) == pytest.approx(85 + 2 * look.bleed_mm)


def test_around_a_logo_is_the_chosen_colour_or_that_of_its_edge_or_white(tmp_path: Path) -> None:
    """A white logo on navy would be a white box."""
    look, wide = make_look("round"), (900, 300)
    picture = open_back(paint(tmp_path, wide, "#ffe0a0"))
    assert choose_ground(BackOptions(kind="image"), look, picture) == "#ffe0a0"
    chosen = BackOptions("#123456", kind="image", color_is_chosen=True)
    assert choose_ground(chosen, look, picture) == "#123456"
    clear = Image.new("RGBA", wide, (0, 0, 0, 0))
    ImageDraw.Draw(clear).ellipse((0, 0, 899, 299), fill="red")
    clear.save(tmp_path / "clear.png")
    assert choose_ground(BackOptions(kind="image"), look, open_back(tmp_path / "clear.png")) == "#ffffff"


def test_the_theme_says_how_a_picture_stands(tmp_path: Path) -> None:
    """And is told where there is none."""
    paint(tmp_path, (90, 30))
    path = tmp_path / "theme.yaml"
    path.write_text(f'{SEVEN}back: {{image: logo.png, fit: contain, color: "#ffd166"}}\n', encoding="utf-8")
    back = read_theme(path).back
    assert (back.kind, back.fit, back.color, back.color_is_chosen) == ("image", "contain", "#ffd166", True)
    path.write_text(f"{SEVEN}back: {{color: navy, fit: contain}}\n", encoding="utf-8")
    with pytest.raises(ThemeError, match=r"fit: is for a picture\. Add image: …, or leave it out"):
        read_theme(path)


@pytest.mark.parametrize("shape", ["round", "hex", "square"])
def test_a_pattern_is_centred_and_made_of_whole_symbols(tmp_path: Path, shape: str) -> None:
    """It was an off-centre grid, chopped at the rim."""
    path = tmp_path / "theme.yaml"
    look = f"card: {{shape: {shape}}}\nlayout: {{quality: draft}}\n"
    path.write_text(f"{SEVEN}{look}back: {{color: navy, pattern: symbols}}\n", encoding="utf-8")
    deck = preview(read_theme(path))
    assert deck.back
    spots = []
    for stamp in deck.back.stamps:
        (a, b, c, d, e, f), art = stamp.matrix, deck.artworks[stamp.piece]
        u, v = art.silhouette.centre
        spots.append((a * u + c * v + e, b * u + d * v + f, math.hypot(a, b) * art.diameter / 2))
    assert len(spots) >= 37
    assert [sum(each) / len(spots) for each in list(zip(*spots, strict=True))[:2]] == pytest.approx([0, 0], abs=0.01)
    card = SHAPES[shape](85)
    assert max(card.distance_mm(x, y) + reach for x, y, reach in spots) <= -3
    assert all(math.dist(one[:2], other[:2]) >= one[2] + other[2] for i, one in enumerate(spots) for other in spots[:i])


def test_a_pattern_leaves_out_what_would_vanish_on_its_colour_or_is_on_no_card(tmp_path: Path) -> None:
    """A red heart on red; an eighth symbol, which waits for five more."""
    path = tmp_path / "theme.yaml"
    symbols = "symbols: [❤️, boom, fiets, kat, huis, auto, boot, maan]\nlanguages: [nl]\nlayout: {quality: draft}\n"
    path.write_text(f'{symbols}back: {{color: "#dd2e44", pattern: symbols}}\n', encoding="utf-8")
    deck = preview(read_theme(path))
    assert deck.back
    shown = {stamp.piece for stamp in deck.back.stamps}
    assert 0 not in shown
    assert {1, 2, 3} <= shown
    assert deck.decks[0].unused and not shown & set(deck.decks[0].unused)


def test_the_preview_shows_the_back_last() -> None:
    """Without a number, and not where there is none."""
    page = plan_contact_sheet(range(1, 8), SHAPES["round"](85), has_back=True)
    assert [slot.side for slot in page.slots] == ["front"] * 7 + ["back"]
    assert [label.text for label in page.labels] == list("1234567")
    assert page.paper.width_mm > page.paper.height_mm
    assert len(plan_contact_sheet(range(1, 8), SHAPES["round"](85)).slots) == 7


def test_without_backs_the_printer_is_not_asked_for_two_sides(tmp_path: Path, run: Run) -> None:
    """Else sheet 2 lands behind sheet 1."""
    path = tmp_path / "theme.yaml"
    path.write_text(f"{SEVEN}layout: {{quality: draft}}\n", encoding="utf-8")
    asked = {}
    for back in ("none", "navy"):
        options = ["--back", back, "--no-booklet", "--no-legend", "--output", f"{tmp_path}/{back}"]
        run("build", str(path), *options)
        (cards,) = Path(tmp_path / back).glob("*/cards.pdf")
        with pikepdf.open(io.BytesIO(cards.read_bytes())) as pdf:
            asked[back] = str(pdf.Root.ViewerPreferences.Duplex), len(pdf.pages)
    assert asked == {"none": ("/Simplex", 2), "navy": ("/DuplexFlipLongEdge", 4)}


def test_little_ink_says_that_it_leaves_out_the_backs(tmp_path: Path) -> None:
    """They vanished in silence."""
    path = tmp_path / "theme.yaml"
    path.write_text(f"{SEVEN}layout: {{quality: draft}}\nback: navy\n", encoding="utf-8")
    deck = preview(read_theme(path, BuildOptions(low_ink=True).theme_values()))
    assert any(fault.what == "with little ink the cards have no backs" for fault in deck.warnings)


@pytest.mark.parametrize("cards", [5, 7, 8, 13, 21, 31, 55, 57])
def test_the_preview_has_the_proportions_of_a_screen(cards: int) -> None:
    """Seven cards stood below each other once."""
    paper = plan_contact_sheet(range(1, cards + 1), SHAPES["round"](85)).paper
    assert 1.0 <= paper.width_mm / paper.height_mm <= 2.4
