"""Pictures are measured in their pixels: size, edges, colours, and that a cell shows the card the list says."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from dobble_print.build import make_printable
from dobble_print.compose import compose_deck
from dobble_print.errors import LayoutError
from dobble_print.prepress.forms import FormLibrary
from dobble_print.press.document import PrintableDeck
from dobble_print.press.pictures import (
    Canvas,
    choose_grid,
    count_sheets,
    draw_fronts,
    find_card_type,
    fit_canvas,
    make_tabletop,
    picture_back,
    picture_cards,
    picture_deck,
)
from dobble_print.theme.options import PictureOptions
from dobble_print.theme.reader import read_theme
from dobble_print.units import hex_card, round_card, square_card

RIM = (29, 53, 87)
BACK = (230, 57, 70)
SYMBOLS = (
    "symbols: [⚓, 🐱, 🐶, 🍎, 🍌, 🚗, 🚀]\nlayout: {quality: draft}\ndeck: {symbols_per_card: 3}\nlanguages: [en]\n"
)
CIRCLE = 'title: Round\ncard: {size: 88.9}\nsheet: {bleed: 3.175}\nback: "#e63946"\n' + SYMBOLS
HEX = "title: Hex\ncard: {shape: hex, size: 82.55, corner: 0}\nsheet: {bleed: 3.175}\nback: none\n" + SYMBOLS
TEAMS = (
    'title: Teams\nback: {color: "#e63946", pattern: symbols}\n'
    'teams: {cards_each: 3, start_rim: "#00ff00", colors: [{color: red, en: r}, {color: blue, en: b}]}\n' + SYMBOLS
)
POD_CIRCLE = Canvas(1125, 1125, 300)

Pixels = npt.NDArray[np.uint8]


@lru_cache(maxsize=8)
def make_printer(text: str, folder: Path) -> PrintableDeck:
    """A small deck as it is printed."""
    path = folder / "small.yaml"
    path.write_text(text, encoding="utf-8")
    return make_printable(compose_deck(read_theme(path)), FormLibrary())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the themes lie."""
    return tmp_path_factory.mktemp("themes")


def open_png(data: bytes) -> tuple[Image.Image, Pixels]:
    """A picture and its pixels, with their opacity."""
    picture = Image.open(io.BytesIO(data))
    return picture, np.asarray(picture.convert("RGBA"))


def is_color(pixels: Pixels, color: tuple[int, int, int]) -> npt.NDArray[np.bool_]:
    """Which pixels have just this colour."""
    return np.asarray((pixels[..., :3] == color).all(axis=-1))


def distance_px(size: tuple[int, int]) -> npt.NDArray[np.float64]:
    """How far each pixel is from the middle of the picture."""
    y, x = np.indices(size[::-1]) + 0.5
    return np.asarray(np.hypot(x - size[0] / 2, y - size[1] / 2))


@pytest.mark.parametrize("transparent", [False, True])
def test_a_picture_has_the_pixels_and_the_dpi_asked_for(folder: Path, transparent: bool) -> None:
    """A round card of 3.5 inches with its bleed is 1125 pixels wide at 300 dpi, also to whoever prints it."""
    files = picture_cards(make_printer(CIRCLE, folder), [1, 2], POD_CIRCLE, transparent)
    assert list(files) == ["cards/card-01.png", "cards/card-02.png"]
    for data in files.values():
        picture, _ = open_png(data)
        assert picture.size == (1125, 1125)
        assert picture.mode == ("RGBA" if transparent else "RGB")
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    assert len(set(files.values())) == 2


def test_the_card_has_its_true_size_in_the_middle(folder: Path) -> None:
    """From rim to rim, 88.9 mm less twice 1.2 mm, measured along both middles; the same left and right."""
    canvas = Canvas(1200, 1300, 300)
    _, pixels = open_png(picture_cards(make_printer(CIRCLE, folder), [1], canvas, False)["cards/card-01.png"])
    inside = (88.9 - 2.4) / 25.4 * 300
    for line, length in ((pixels[650], 1200), (pixels[:, 600], 1300)):
        ground = np.flatnonzero(~is_color(line, RIM))
        assert ground[-1] - ground[0] + 1 == pytest.approx(inside, abs=2.0)
        assert abs(ground[0] + ground[-1] + 1 - length) <= 1


def test_beyond_the_bleed_there_is_its_colour_up_to_the_corners(folder: Path) -> None:
    """Every pixel outside the cut has exactly the colour of the rim: no sliver of white, no seam."""
    canvas = Canvas(1200, 1200, 300)
    _, pixels = open_png(picture_cards(make_printer(CIRCLE, folder), [1], canvas, False)["cards/card-01.png"])
    outside = distance_px((1200, 1200)) > 88.9 / 2 / 25.4 * 300
    assert is_color(pixels, RIM)[outside].all()
    assert not is_color(pixels, RIM)[~outside].all()


def test_beyond_the_bleed_there_is_nothing_when_transparent(folder: Path) -> None:
    """Clear outside, full inside, and a smooth edge in the rim's own colour in between."""
    canvas = Canvas(1200, 1200, 300)
    _, pixels = open_png(picture_cards(make_printer(CIRCLE, folder), [1], canvas, True)["cards/card-01.png"])
    away, edge, opacity = distance_px((1200, 1200)), 95.25 / 2 / 25.4 * 300, pixels[..., 3]
    assert (opacity[away > edge + 1] == 0).all()
    assert (opacity[away < edge - 1] == 255).all()
    between = (opacity > 0) & (opacity < 255)
    assert between.sum() > 2000
    assert opacity.sum() / 255 == pytest.approx(math.pi * edge**2, rel=0.001)  # a fifth of a pixel in radius
    assert np.abs(pixels[between][:, :3].astype(int) - RIM).max() <= 3


def test_each_team_has_its_own_colour_to_the_corners(folder: Path) -> None:
    """The bleed is the rim's colour of that very card."""
    printer = make_printer(TEAMS, folder)
    files = picture_cards(printer, list(printer.fronts), Canvas(400, 400, 100), False)
    corners = {name: tuple(open_png(data)[1][0, 0, :3]) for name, data in files.items()}
    assert list(corners.values()) == [(255, 0, 0)] * 3 + [(0, 0, 255)] * 3 + [(0, 255, 0)]


def test_a_hexagon_of_a_print_service(folder: Path) -> None:
    """1200 by 1050 pixels: the flats lie an eighth of an inch inside, the corners point left and right."""
    printer = make_printer(HEX, folder)
    files = picture_deck(printer, [1], PictureOptions("cards", 1200, 1050, 300.0))
    assert list(files) == ["cards/card-01.png"]
    picture, pixels = open_png(files["cards/card-01.png"])
    assert picture.size == (1200, 1050)
    ground = np.flatnonzero(~is_color(pixels[:, 600], RIM))
    assert (ground[0], ground[-1]) == pytest.approx((37.5 + 14.2, 1050 - 37.5 - 14.2 - 1), abs=1.5)
    middle, top = (np.flatnonzero(~is_color(pixels[row], RIM)) for row in (525, 60))
    assert middle[-1] - middle[0] > 1.8 * (top[-1] - top[0])


def test_the_back_fills_its_picture(folder: Path) -> None:
    """A plain back is one colour, or a disc of it; a theme without backs has no picture of one."""
    printer = make_printer(CIRCLE, folder)
    _, filled = open_png(picture_back(printer, POD_CIRCLE, False)["cards/back.png"])
    assert is_color(filled, BACK).all()
    _, disc = open_png(picture_back(printer, POD_CIRCLE, True)["cards/back.png"])
    assert (disc[0, 0, 3], disc[562, 562, 3]) == (0, 255)
    assert disc[..., 3].sum() / 255 == pytest.approx(math.pi * 562.5**2, rel=0.0005)
    assert picture_back(make_printer(HEX, folder), POD_CIRCLE, False) == {}


def test_the_ground_runs_on_beyond_the_bleed_and_the_pattern_does_not(folder: Path) -> None:
    """A pattern is of whole symbols inside the cut; around the card there is its colour, or nothing."""
    printer = make_printer(TEAMS, folder)
    canvas = Canvas(910, 910, 254)
    _, filled = open_png(picture_back(printer, canvas, False)["cards/back.png"])
    _, clipped = open_png(picture_back(printer, canvas, True)["cards/back.png"])
    beyond = distance_px((910, 910)) > 456
    assert (~is_color(filled, BACK))[~beyond].sum() > 500
    assert is_color(filled, BACK)[beyond].all()
    assert (clipped[..., 3][beyond] == 0).all()
    assert tuple(filled[0, 0, :3]) == BACK


def test_without_a_size_a_picture_is_as_large_as_the_bleed(folder: Path) -> None:
    """The card decides; a machine's limits are told in millimetres, with the place of the size."""
    printer = make_printer(CIRCLE, folder)
    assert fit_canvas(printer, PictureOptions("cards", dpi=300.0)) == POD_CIRCLE
    with pytest.raises(LayoutError, match=r"small.yaml:2.*88\.9 × 88\.9 mm is larger than a picture of 1000 × 1125"):
        fit_canvas(printer, PictureOptions("cards", 1000, None, 300.0))
    with pytest.raises(LayoutError, match=r"95\.2 × 95\.2 mm is larger than what the machine can cut: 90\.0 × 171"):
        fit_canvas(printer, PictureOptions("cards", most_width_mm=90.0, most_height_mm=171.45))


def test_a_large_card_at_many_dots_is_refused(folder: Path) -> None:
    """Nothing in the theme gives the size in pixels, and a profile may give one side and a theme the other."""
    printer = make_printer(CIRCLE.replace("88.9", "200") + "pictures: {dpi: 1200}\n", folder)
    with pytest.raises(LayoutError, match=r"small.yaml:\d+:\d+: pictures of \d+ × \d+ pixels \(1200 dpi\) are"):
        fit_canvas(printer, printer.theme.pictures)
    with pytest.raises(LayoutError, match="pictures of 8000 × 8000 pixels"):
        fit_canvas(printer, PictureOptions("cards", 8000, 8000))
    assert fit_canvas(printer, PictureOptions("cards", 8000, 2600)).width_px == 8000


def test_pictures_are_always_the_same(folder: Path) -> None:
    """The same card twice gives the same bytes, whatever was drawn in between."""
    printer = make_printer(CIRCLE, folder)
    first = picture_cards(printer, [3], POD_CIRCLE, True)
    picture_back(printer, POD_CIRCLE, True)
    assert picture_cards(printer, [3], POD_CIRCLE, True) == first


def read_tabletop(files: dict[str, bytes]) -> dict[str, Any]:
    """The object that the table loads."""
    saved: dict[str, Any] = json.loads(next(data for name, data in files.items() if name.endswith(".json")))
    return saved["ObjectStates"][0]  # type: ignore[no-any-return]


def test_every_card_of_the_object_lies_where_it_says(folder: Path) -> None:
    """The cell of a card's number shows that card, and the last cell of the sheet the back."""
    printer = make_printer(TEAMS, folder)
    files = make_tabletop(printer, list(printer.fronts), "Teams", "https://example.org/a/")
    deck = read_tabletop(files)
    assert (deck["Name"], deck["Nickname"]) == ("DeckCustom", "Teams")
    assert deck["DeckIDs"] == [card["CardID"] for card in deck["ContainedObjects"]] == list(range(100, 107))
    sheet = deck["CustomDeck"]["1"]
    assert {key: sheet[key] for key in ("BackIsHidden", "UniqueBack", "Type")} == {
        "BackIsHidden": True,
        "UniqueBack": False,
        "Type": 4,
    }
    names = {key: sheet[key].removeprefix("https://example.org/a/") for key in ("FaceURL", "BackURL")}
    face, back = (open_png(files[f"tabletop/{name}"])[0] for name in names.values())
    columns, rows = sheet["NumWidth"], sheet["NumHeight"]
    width, height = face.width // columns, face.height // rows
    assert back.size == (width, height)
    canvas = Canvas(width, height, width / 85 * 25.4)
    cells = [
        face.crop((x * width, y * height, (x + 1) * width, (y + 1) * height))
        for y in range(rows)
        for x in range(columns)
    ]
    for cell, front in zip(cells, draw_fronts(printer, list(printer.fronts), canvas, False), strict=False):
        assert cell.tobytes() == front.tobytes()
    assert cells[-1].tobytes() == back.tobytes()


def test_cards_tell_their_symbols_only_to_the_game_master(folder: Path) -> None:
    """A name that shows when the mouse rests on a card would give the match away."""
    deck = read_tabletop(make_tabletop(make_printer(TEAMS, folder), [1, 2], "Teams", ""))
    notes = [card["GMNotes"].split(", ") for card in deck["ContainedObjects"]]
    assert [len(names) for names in notes] == [3, 3]
    assert len(set(notes[0]) & set(notes[1])) == 1
    assert [card["Nickname"] for card in deck["ContainedObjects"]] == ["1", "2"]
    assert len({card["GUID"] for card in deck["ContainedObjects"]}) == 2


def test_more_cards_than_a_sheet_holds_make_a_second_sheet(folder: Path) -> None:
    """Seventy cards: two sheets, ids from 100 and from 200, no picture larger than 4096 pixels."""
    printer = make_printer(HEX, folder)
    files = make_tabletop(printer, list(printer.fronts) * 10, "Ten copies", "")
    deck = read_tabletop(files)
    assert list(deck["CustomDeck"]) == ["1", "2"]
    assert len(deck["DeckIDs"]) == len(set(deck["DeckIDs"])) == 70
    for key, sheet in deck["CustomDeck"].items():
        places = [card_id % 100 for card_id in deck["DeckIDs"] if card_id // 100 == int(key)]
        assert places == list(range(len(places)))
        assert len(places) < sheet["NumWidth"] * sheet["NumHeight"]
        assert max(open_png(files[f"tabletop/{sheet['FaceURL']}"])[0].size) <= 4096
        assert sheet["Type"] == 3


def test_one_card_is_no_deck(folder: Path) -> None:
    """The table refuses a deck of one; it is a card."""
    card = read_tabletop(make_tabletop(make_printer(CIRCLE, folder), [5], "One", ""))
    assert (card["Name"], card["CardID"], list(card["CustomDeck"])) == ("CardCustom", 100, ["1"])


def test_files_are_named_after_theme_and_deck(folder: Path) -> None:
    """A table keeps pictures by their address: another deck must have another one, and the same deck the same."""
    printer = make_printer(CIRCLE, folder)
    stem = f"tabletop/small-{printer.deck_id}"
    files = make_tabletop(printer, [1, 2], "Round", "")
    assert list(files) == [f"{stem}-cards-1.png", f"{stem}-back.png", f"{stem}.json"]
    assert make_tabletop(printer, [1, 2], "Round", "") == files
    odd = replace(printer, theme=replace(printer.theme, name="a b/ü"))
    assert all(name.startswith(f"tabletop/a-b-{printer.deck_id}") for name in make_tabletop(odd, [1, 2], "", ""))


@pytest.mark.parametrize("shape", [round_card(85), hex_card(80), square_card(80)], ids=lambda shape: shape.name)
def test_a_grid_holds_its_cards_and_stays_small_enough(shape: Any) -> None:
    """For every number of cards: at most 10 by 7 cells and 4096 pixels, cells as the card is."""
    for cards in range(1, 70):
        grid = choose_grid(cards, shape)
        assert grid.columns <= 10 and grid.rows <= 7 and grid.most_cards >= cards
        assert max(grid.columns * grid.cell_width_px, grid.rows * grid.cell_height_px) <= 4096
        assert grid.cell_height_px / grid.cell_width_px == pytest.approx(shape.height_mm / shape.width_mm, abs=0.005)
    assert choose_grid(57, round_card(85)).cell_width_px >= 455
    assert [count_sheets(cards) for cards in (1, 69, 70, 138, 139)] == [1, 1, 2, 2, 3]


def test_outlines_have_the_table_s_numbers() -> None:
    """Rounded or sharp rectangles and hexagons, and circles."""
    shapes = [square_card(80), square_card(80, 0), hex_card(80), hex_card(80, 0), round_card(80)]
    assert [find_card_type(shape) for shape in shapes] == [0, 1, 2, 3, 4]
