"""What is on paper: builds are made once by the real program, then their PDFs are read back."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pikepdf
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from dobble_print.build import print_deck
from dobble_print.options import BuildOptions
from dobble_print.theme.reader import find_theme, read_theme
from tests.conftest import SMALL_THEME
from tests.paper import PrintedCard, forms_of, read_backs, read_cards, render_rgb, render_symbols, streams

DPI = 300
GAP_MM, MARGIN_MM = 1.5, 3.0


@pytest.fixture(scope="module")
def classic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The classic deck, all 57 cards, as a folder of files."""
    folder = tmp_path_factory.mktemp("classic")
    product = print_deck(read_theme(find_theme("classic"), BuildOptions(cards=57, quality="draft").theme_values()))
    for name, data in product.files.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def cards(classic: Path) -> list[PrintedCard]:
    """The fronts as printed."""
    return read_cards(classic / "cards.pdf")


def build_into(folder: Path, text: str, **asked: object) -> Path:
    """Build a theme given as text; returns its cards.pdf."""
    (folder / "theme.yaml").write_text(text, encoding="utf-8")
    product = print_deck(read_theme(folder / "theme.yaml", BuildOptions(**asked).theme_values()))  # type: ignore[arg-type]
    (folder / "cards.pdf").write_bytes(product.files["cards.pdf"])
    return folder / "cards.pdf"


def test_every_two_printed_cards_share_exactly_one_symbol(cards: list[PrintedCard]) -> None:
    """The promise holds for the file, not only for a variable."""
    sets = [{name for name, _ in card.symbols} for card in cards]
    assert len(sets) == 57
    assert all(len(a & b) == 1 for a, b in combinations(sets, 2))


def test_each_symbol_is_embedded_once(classic: Path) -> None:
    """57 symbols on 57 cards and all backs are 57 forms, not 456."""
    with pikepdf.open(classic / "cards.pdf") as pdf:
        forms = {form.objgen for page in pdf.pages for form in forms_of(page).values()}
        tops = [stream for stream in streams(pdf, "/Form") if "/Matrix" in stream]
        images = streams(pdf, "/Image")
    assert len(forms) == 57
    assert len(tops) == 57
    assert not images, "drawings stay vectors"


def test_a_match_always_differs_in_size(cards: list[PrintedCard]) -> None:
    """No symbol has the same printed size on two cards, and its largest is well over its smallest."""
    sizes: dict[str, list[float]] = {}
    for card in cards:
        for name, matrix in card.symbols:
            sizes.setdefault(name, []).append(math.hypot(matrix[0], matrix[1]))
    for found in sizes.values():
        assert len(found) == 8
        assert min(b - a for a, b in combinations(sorted(found), 2)) > 0
        assert max(found) > 1.4 * min(found)


def test_rotations_vary(cards: list[PrintedCard]) -> None:
    """Symbols lie any way up: the eight directions are all well used."""
    turns = Counter(
        int((math.degrees(math.atan2(matrix[1], matrix[0])) % 360) // 45)
        for card in cards
        for _, matrix in card.symbols
    )
    assert len(turns) == 8
    assert min(turns.values()) > 20


def test_cards_are_cut_at_85_mm(cards: list[PrintedCard]) -> None:
    """The cut line is a circle of the promised size around the card's centre."""
    for card in cards:
        reach = [math.dist(card.centre, point) for point in card.cut]
        assert min(reach) == pytest.approx(42.5, abs=0.01)
        assert max(reach) == pytest.approx(42.5, abs=0.01)


def test_boxes_nest_on_every_page(classic: Path) -> None:
    """Trim lies inside bleed, bleed inside media; the bleed is 3 mm."""
    with pikepdf.open(classic / "cards.pdf") as pdf:
        for page in pdf.pages:
            media, bleed, trim = ([float(v) for v in box] for box in (page.MediaBox, page.BleedBox, page.TrimBox))
            assert media[0] <= bleed[0] < trim[0] < trim[2] < bleed[2] <= media[2]
            assert media[1] <= bleed[1] < trim[1] < trim[3] < bleed[3] <= media[3]
            assert (trim[0] - bleed[0]) / 72 * 25.4 == pytest.approx(3.0, abs=0.01)


def test_viewers_are_asked_not_to_scale(classic: Path) -> None:
    """A printed card of 85 mm must be 85 mm."""
    with pikepdf.open(classic / "cards.pdf") as pdf:
        assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
        assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"


def test_all_fonts_are_embedded(classic: Path) -> None:
    """No page relies on a font of the printer."""
    with pikepdf.open(classic / "cards.pdf") as pdf:
        fonts = [font for page in pdf.pages for font in page.Resources.get("/Font", {}).values()]
        assert fonts
        assert all("/FontFile2" in font.FontDescriptor for font in fonts)


def test_the_ruler_measures_100_mm(classic: Path) -> None:
    """On the rasterised page the ruler's line is 100 mm long."""
    page = render_rgb(classic / "cards.pdf", 0, 600)
    dark = (page.max(axis=2) < 140)[:, : round(6 / 25.4 * 600)]  # the strip along the left edge, ticks included
    rows = np.nonzero(dark.any(axis=1))[0]
    assert (rows.max() - rows.min()) / 600 * 25.4 == pytest.approx(100.0, abs=0.2)


def test_bleed_is_covered_with_ink(classic: Path, cards: list[PrintedCard]) -> None:
    """All around every card of a sheet the rim's colour runs 2.8 mm past the cut."""
    page = render_rgb(classic / "cards.pdf", 0, 150)
    for card in (card for card in cards if card.page == 0):
        for turn in range(0, 360, 10):
            x = card.centre[0] + 45.0 * math.cos(math.radians(turn))
            y = 297 - card.centre[1] - 45.0 * math.sin(math.radians(turn))
            colour = page[round(y / 25.4 * 150), round(x / 25.4 * 150)]
            assert tuple(colour) == (0x1D, 0x35, 0x57)


def test_numbers_and_deck_id_stand_outside_the_cut(classic: Path, cards: list[PrintedCard]) -> None:
    """Every card is labelled on the waste, so that a lost card can be reprinted."""
    import pypdfium2

    deck_id = json.loads((classic / "deck.json").read_text(encoding="utf-8"))["id"]
    document = pypdfium2.PdfDocument(classic / "cards.pdf")
    text = document[0].get_textpage()
    for card in (card for card in cards if card.page == 0):
        searcher = text.search(f"{card.number} · {deck_id}")
        found = searcher.get_next()
        assert found
        left, bottom, right, top = (v / 72 * 25.4 for v in text.get_charbox(found[0]))
        assert math.dist(card.centre, ((left + right) / 2, (bottom + top) / 2)) > 45.5
        searcher.close()
    document.close()


def assert_clear(path: Path, card: PrintedCard, safe: shapely.Polygon, half_mm: float) -> None:
    """No two symbols of a printed card come closer than the gap, none leaves the safe area."""
    masks = render_symbols(path, card, DPI, half_mm)
    pixel = 25.4 / DPI
    points = []
    for mask in masks:
        assert mask.any()
        edge = mask & ~(np.roll(mask, 1, 0) & np.roll(mask, -1, 0) & np.roll(mask, 1, 1) & np.roll(mask, -1, 1))
        ys, xs = np.nonzero(edge)
        points.append(np.column_stack([(xs + 0.5) * pixel - half_mm, half_mm - (ys + 0.5) * pixel]))
    slack = 2.5 * pixel
    for cloud in points:
        outside = shapely.distance(safe, shapely.points(cloud)).max()
        assert outside <= slack, f"card {card.number}: {outside:.2f} mm past the margin"
    for one, other in combinations([shapely.multipoints(cloud) for cloud in points], 2):
        gap = shapely.distance(one, other)
        assert gap >= GAP_MM - slack, f"card {card.number}: {gap:.2f} mm apart"
    for a, b in combinations(masks, 2):
        assert not (a & b).any(), f"card {card.number}: two symbols overlap"


def test_no_printed_card_of_the_classic_deck_overlaps(classic: Path, cards: list[PrintedCard]) -> None:
    """Rasterised at 300 dpi symbol by symbol, on every fifth card of the deck."""
    safe = shapely.Point(0, 0).buffer(42.5 - MARGIN_MM, quad_segs=64)
    for card in cards[::5]:
        assert_clear(classic / "cards.pdf", card, safe, 45.0)


EMOJI = "⚓🐱🐶🍎🍌🚗🚀🌙☂🎸🔑✂🐘🦒🦓🐧🐬🦋🐞🐢🐍🦀🦉🍓🍒🍕🍦🎂🥕🧀🍄"
WORDS = ["cat", "umbrella", "i", "3 × 4", "Weihnachtsbaum", "ha ha"]


@settings(max_examples=6)
@given(
    shape=st.sampled_from(["round", "hex", "square"]),
    per_card=st.sampled_from([3, 4, 5, 6]),
    words=st.integers(0, 3),
    seed=st.integers(0, 1000),
)
def test_no_printed_card_overlaps_whatever_its_shape(
    tmp_path_factory: pytest.TempPathFactory, shape: str, per_card: int, words: int, seed: int
) -> None:
    """Shapes, counts, emoji and long words mixed: what is printed keeps its distances."""
    count = per_card * (per_card - 1) + 1
    symbols = [*EMOJI[: count - words], *(f'{{text: "{word}"}}' for word in WORDS[:words])]
    text = (
        f"deck: {{symbols_per_card: {per_card}, seed: {seed}}}\ncard: {{shape: {shape}}}\nlayout: {{quality: draft}}\n"
        "symbols:\n" + "".join(f"  - {symbol}\n" for symbol in symbols)
    )
    path = build_into(tmp_path_factory.mktemp("shape"), text)
    theme = read_theme(path.parent / "theme.yaml")
    from dobble_print.compose import make_look

    look = make_look(theme)
    for card in read_cards(path)[:3]:
        # a turned card is printed turned: compare in its own frame
        turn = math.degrees(math.atan2(card.cut[0][1] - card.centre[1], card.cut[0][0] - card.centre[0]))
        first = look.shape.outline().start
        turn -= math.degrees(math.atan2(first[1], first[0]))
        safe = shapely.Polygon(look.shape.turn(turn).grow(-look.margin_mm).polygon())
        assert_clear(path, card, safe, 60.0)


@pytest.mark.parametrize("duplex", ["long", "short"])
@pytest.mark.parametrize("shape", ["round", "hex"])
def test_backs_land_behind_their_fronts(tmp_path: Path, duplex: str, shape: str) -> None:
    """Turned over the chosen edge, every back covers its front, on a sheet that is not full too."""
    text = SMALL_THEME + f'sheet: {{duplex: {duplex}}}\ncard: {{shape: {shape}, size: 60}}\nback: "#aa3355"\n'
    path = build_into(tmp_path, text)
    with pikepdf.open(path) as pdf:
        width, height = (float(v) / 72 * 25.4 for v in list(pdf.pages[0].MediaBox)[2:])
    fronts = [card.centre for card in read_cards(path) if card.page == 0]
    backs = read_backs(path, 1)
    assert len(backs) == len(fronts) == 7
    sideways = (duplex == "long") == (height > width)
    for x, y in fronts:
        behind = (width - x, y) if sideways else (x, height - y)
        assert min(math.dist(behind, back) for back in backs) < 0.01


def test_a_reprinted_card_is_the_same_card(tmp_path: Path) -> None:
    """`--only` prints the chosen cards with the very placements of the whole deck."""
    whole = {card.number: card for card in read_cards(build_into(tmp_path, SMALL_THEME))}
    product = print_deck(read_theme(tmp_path / "theme.yaml"), BuildOptions(only=(6, 2)))
    (tmp_path / "again.pdf").write_bytes(product.files["cards-2-6.pdf"])
    again = read_cards(tmp_path / "again.pdf")
    assert [card.number for card in again] == [2, 6]
    for card in again:
        before = whole[card.number]
        for (name, new), (old_name, old) in zip(card.symbols, before.symbols, strict=True):
            assert name == old_name
            assert new[:4] == old[:4]
            assert new[4] - card.centre[0] / 25.4 * 72 == pytest.approx(old[4] - before.centre[0] / 25.4 * 72, abs=1e-3)


def test_pixels_are_embedded_once_between_300_and_600_dpi(tmp_path: Path) -> None:
    """A large photo is shrunk to 600 dpi at its largest printed size, and stays one image."""
    from PIL import Image

    rng = np.random.default_rng(1)
    Image.fromarray(rng.integers(0, 255, (3000, 4000, 3), dtype=np.uint8)).save(tmp_path / "photo.jpg", quality=60)
    path = build_into(tmp_path, SMALL_THEME.replace("🚀]", "{image: photo.jpg, en: photo}]"))
    with pikepdf.open(path) as pdf:
        images = [
            o for o in pdf.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Image" and "/SMask" in o
        ]
        assert len(images) == 1
        width_px = int(images[0].Width)
        name = next(name for name, form in forms_of(pdf.pages[0]).items() if b"/P Do" in form.read_bytes())
    largest_mm = max(
        math.hypot(m[0], m[1]) * 25.4 / 72 for card in read_cards(path) for found, m in card.symbols if found == name
    )
    assert 590 <= width_px / largest_mm * 25.4 <= 600


def test_a_coarse_picture_warns_with_its_name(tmp_path: Path) -> None:
    """A picture too small for 300 dpi is printed, but said."""
    from PIL import Image

    Image.new("RGB", (120, 90), "teal").save(tmp_path / "tiny.png")
    (tmp_path / "theme.yaml").write_text(SMALL_THEME.replace("🚀]", "{image: tiny.png, en: tiny}]"), encoding="utf-8")
    (warning,) = print_deck(read_theme(tmp_path / "theme.yaml")).warnings
    assert "tiny" in warning.what
    assert "dpi" in warning.what
    assert warning.place is not None
    assert warning.place.line == 5


def test_separate_backs_are_a_file_of_their_own(tmp_path: Path) -> None:
    """`duplex: separate` leaves cards.pdf with fronts only and adds one sheet of backs."""
    (tmp_path / "theme.yaml").write_text(SMALL_THEME + "sheet: {duplex: separate}\nback: navy\n", encoding="utf-8")
    product = print_deck(read_theme(tmp_path / "theme.yaml"))
    (tmp_path / "cards.pdf").write_bytes(product.files["cards.pdf"])
    (tmp_path / "backs.pdf").write_bytes(product.files["backs.pdf"])
    with pikepdf.open(tmp_path / "cards.pdf") as cards, pikepdf.open(tmp_path / "backs.pdf") as backs:
        assert len(cards.pages) == 2
        assert len(backs.pages) == 1


def test_the_card_number_can_stand_on_the_rim(tmp_path: Path) -> None:
    """With `number: true` each card carries its number and the deck's id inside the cut, clear of symbols."""
    import pypdfium2

    path = build_into(tmp_path, SMALL_THEME + "card: {number: true, rim_width: 2.5}\n")
    centre = read_cards(path)[0].centre
    document = pypdfium2.PdfDocument(path)
    text = document[0].get_textpage()
    inside = []
    for index in range(text.count_chars()):
        left, bottom, right, top = (v / 72 * 25.4 for v in text.get_charbox(index))
        if math.dist(centre, ((left + right) / 2, (bottom + top) / 2)) < 42.5:
            inside.append(text.get_text_range(index, 1))
    document.close()
    assert "".join(inside).startswith("1 · ")
    assert len("".join(inside).strip()) == len("1 · 123456")
