"""Symbols a player would confuse: found, and told to whom; and pairs that nobody confuses: left alone."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from dobble_print.art.artwork import Artwork, make_artwork
from dobble_print.art.similarity.color_vision import VISIONS
from dobble_print.art.similarity.lookalikes import (
    ALIKE,
    BEGINNERS,
    MOST_WARNINGS,
    TURNS_DEG,
    Lookalike,
    find_lookalikes,
    find_misreading,
    name_players,
    turn_round,
    warn_about_lookalikes,
)
from dobble_print.art.similarity.measure import Pairs, measure_pairs, paint_portraits
from dobble_print.check import check_theme, draw_report
from dobble_print.errors import ExitCode, Place
from dobble_print.layout.model import TURN_LIMITS
from dobble_print.options import BuildOptions
from dobble_print.resources import shipped_themes
from dobble_print.theme.model import Emoji, ImageFile, Source, Symbol, Text
from dobble_print.theme.options import Crop, Rotation
from dobble_print.theme.reader import read_theme
from tests.conftest import SMALL_THEME, Run


@cache
def artwork(source: Source) -> Artwork:
    """A picture, opened once for all tests."""
    return make_artwork(source)


def symbol(source: Source, rotation: Rotation = "full", line: int = 1) -> Symbol:
    """A symbol as the theme reader makes it."""
    return Symbol(f"symbol-{line}", {}, source, rotation, 1.0, Place("theme.yaml", line, 3))


def find(*sources: Source, rotation: Rotation = "full") -> tuple[Lookalike, ...]:
    """The look-alikes among pictures, remarks included."""
    symbols = [symbol(source, rotation, line) for line, source in enumerate(sources, 1)]
    return find_lookalikes(symbols, [artwork(source) for source in sources], with_remarks=True)


def circle(*chars: str, rotation: Rotation = "full") -> tuple[str, ...]:
    """Who would confuse two emoji."""
    found = find(*map(Emoji, chars), rotation=rotation)
    return found[0].seen_by if found else ()


def face(path: Path, change: str = "") -> ImageFile:
    """A drawing without any symmetry, as a PNG file; mirrored, turned or in slightly other colours."""
    picture = Image.new("RGBA", (240, 240))
    pixels = np.zeros((240, 240, 4), np.uint8)
    y, x = np.mgrid[:240, :240]
    pixels[(x - 120) ** 2 + (y - 130) ** 2 < 80**2] = (200, 120, 60, 255)
    pixels[(x - 175) ** 2 + (y - 60) ** 2 < 35**2] = (60, 90, 160, 255)
    pixels[(abs(x - 90) < 15) & (abs(y - 150) < 30)] = (250, 240, 200, 255)
    if change == "recoloured":
        pixels[..., :3] = np.clip(pixels[..., :3] * (1.06, 0.97, 1.0) + 4, 0, 255).astype(np.uint8) * (
            pixels[..., 3:] > 0
        )
    picture = Image.fromarray(pixels)
    if change == "mirrored":
        picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    elif change == "turned":
        picture = picture.rotate(131, Image.Resampling.BICUBIC, expand=True)
    elif change == "larger":
        picture = picture.resize((500, 500), Image.Resampling.BICUBIC)
    elif change == "other":
        picture = Image.fromarray(np.where(pixels[..., 3:] > 0, 255 - pixels + (0, 0, 0, 255), 0).astype(np.uint8))
    file = path / f"face-{change}.png"
    picture.save(file)
    return ImageFile(file)


@pytest.mark.parametrize(
    "pair", ["😀😊", "😀😃", "🍎🍅", "🕐🕑", "🕐🕕", "🌒🌓", "🌓🌗", "🔨⛏", "🥇🥉", "🤛🤜", "🥞🧇", "🎄🌲"]
)
def test_pairs_that_everybody_confuses(pair: str) -> None:
    """Two smiling faces, apple and tomato, clock faces, phases of the moon, left and right fist."""
    assert circle(*pair) == ("everybody",)


@pytest.mark.parametrize(
    "pair", ["⚽🏀", "⚽🏐", "🐱🐶", "🐻🐶", "🍎🍒", "🍎🍌", "🟨🟥", "🐱🐈", "🌑🌕", "🔑🔒", "🐘🐭", "🌞🌻"]
)
def test_pairs_that_nobody_confuses(pair: str) -> None:
    """Same outline in other colours, same colours in another outline, same animal in another drawing."""
    assert circle(*pair) == ()


@pytest.mark.parametrize(("pair", "alike"), [("🐶🌳", False), ("🌳🐟", False), ("😀😃", True)])
def test_black_lines_on_white_are_no_likeness(pair: str, alike: bool) -> None:
    """Every drawing of `openmoji-lines` has the same two colours: dog and tree were told to look alike for it."""
    assert bool(find(*(Emoji(char, "openmoji-lines") for char in pair))) is alike


@pytest.mark.parametrize(
    ("pair", "seen_by"),
    [
        ("💙💜", ("protanopia", "deuteranopia", "photocopy")),
        ("🍎🍏", ("deuteranopia", "photocopy")),
        ("🔴🟢", ("deuteranopia", "photocopy")),
        ("🚗🚙", ("photocopy",)),
        ("🔴🔵", ("photocopy",)),
    ],
)
def test_pairs_that_only_colour_tells_apart(pair: str, seen_by: tuple[str, ...]) -> None:
    """Blue and purple heart, red and green apple, red and blue car: told with who cannot see the difference."""
    assert circle(*pair) == seen_by


@pytest.mark.parametrize(
    ("change", "least"), [("mirrored", 0.97), ("turned", 0.8), ("recoloured", 0.9), ("larger", 0.97)]
)
def test_the_same_picture_changed_a_little(tmp_path: Path, change: str, least: float) -> None:
    """Its mirror image, turned, in slightly other colours or with more pixels."""
    (pair,) = find(face(tmp_path), face(tmp_path, change))
    assert pair.seen_by == ("everybody",)
    assert pair.score >= least


def test_the_same_picture_in_its_opposite_colours_is_no_lookalike(tmp_path: Path) -> None:
    """The outline alone does not make a look-alike."""
    assert "everybody" not in {who for pair in find(face(tmp_path), face(tmp_path, "other")) for who in pair.seen_by}


def test_upright_pictures_are_not_turned(tmp_path: Path) -> None:
    """Where cards never turn a symbol, only its own stand counts."""
    assert find(face(tmp_path), face(tmp_path, "turned"))[0].seen_by == ("everybody",)
    assert find(face(tmp_path), face(tmp_path, "turned"), rotation="upright") == ()


def test_a_score_is_one_for_itself_and_the_same_both_ways() -> None:
    """Order does not matter, and nothing is more alike than the same."""
    sources = [Emoji(char) for char in "🍎🍅😀🚗🍎"]
    portraits = paint_portraits([artwork(source).master.sketch(96) for source in sources])
    there = Pairs(np.array([0, 0, 2]), np.array([4, 1, 3]), np.full(3, 180.0))
    back = Pairs(there.second, there.first, there.turn_deg)
    scores = measure_pairs(portraits, there, VISIONS, 0.0)
    assert scores[:, 0] == pytest.approx(1.0, abs=1e-6)
    assert scores == pytest.approx(measure_pairs(portraits, back, VISIONS, 0.0), abs=1e-9)
    assert scores.min() >= 0 and scores.max() <= 1


def test_dropping_pairs_early_loses_none() -> None:
    """What is compared only in part would not have reached the least score."""
    theme = read_theme(shipped_themes()["kids"])
    portraits = paint_portraits([artwork(s.source).master.sketch(96) for s in theme.symbols])
    first, second = np.triu_indices(len(portraits), 1)
    pairs = Pairs(first, second, np.full(len(first), 180.0))
    fully, early = (measure_pairs(portraits, pairs, VISIONS, least) for least in (0.0, 0.5))
    assert (early > 0).sum() > 20
    assert np.where(fully >= 0.5, fully, 0.0) == pytest.approx(early, abs=1e-9)


def test_classic_has_none() -> None:
    """57 symbols, 1,596 pairs, four visions."""
    theme = read_theme(shipped_themes()["classic"])
    assert find_lookalikes(theme.symbols, [artwork(s.source) for s in theme.symbols]) == ()


def badge(text: str, *colors: str) -> Text:
    """A club's badge."""
    return Text(text, "#ffffff", colors)


def test_badges_are_read_so_only_colours_alike_to_everybody_count() -> None:
    """Two clubs in the same colours are told; a red and a green one are told apart by reading, whoever looks."""
    assert find(badge("FC Komet", "#c1121f"), badge("FC Funke", "#c1121f"))[0].seen_by == ("everybody",)
    assert find(badge("FC Komet", "#a03020"), badge("FC Funke", "#507030")) == ()


@pytest.mark.parametrize(
    ("one", "other", "rotation", "seen_by"),
    [
        ("6", "9", "full", "everybody"),
        ("66", "99", "full", "everybody"),
        ("16", "91", "full", "everybody"),
        ("b", "q", "full", "everybody"),
        ("d", "p", "full", "everybody"),
        ("n", "u", "full", "everybody"),
        ("M", "W", "full", "everybody"),
        ("Z", "N", "full", "everybody"),
        ("+", "×", "tilt", "everybody"),
        ("pod", "pod.", "full", ""),
        ("O", "0", "upright", "everybody"),
        ("I", "l", "upright", "everybody"),
        ("l", "1", "upright", "everybody"),
        ("Anna", "anna", "upright", "everybody"),
        ("6", "9", "tilt", BEGINNERS),
        ("6", "9", "upright", BEGINNERS),
        ("b", "d", "upright", BEGINNERS),
        ("b", "d", "full", BEGINNERS),
        ("big", "dig", "upright", BEGINNERS),
        ("M", "W", "upright", BEGINNERS),
        ("Z", "N", "tilt", BEGINNERS),
        ("+", "×", "upright", ""),
        ("6", "8", "full", ""),
        ("cat", "dog", "full", ""),
    ],
)
def test_letters_that_become_each_other(one: str, other: str, rotation: Rotation, seen_by: str) -> None:
    """Turned as far as the cards turn them, drawn alike, or mixed up by those who learn to read; either way round."""
    for a, b in ((one, other), (other, one)):
        found = find(Text(a), Text(b), rotation=rotation)
        assert [pair.seen_by for pair in found] == ([(seen_by,)] if seen_by else [])


def test_texts_read_upside_down() -> None:
    """Letters change places as well as shapes; where one letter has no reading, the text has none."""
    assert turn_round("pod NOON") == "NOON pod"
    assert turn_round("689") == "689"
    assert turn_round("86") == "98"
    assert turn_round("bun") == "unq"
    assert turn_round("cat") is None


def test_a_picture_is_no_misreading() -> None:
    """Letters are compared with letters alone."""
    assert find_misreading(symbol(Emoji("🍎")), symbol(Text("6"))) is None


def test_the_same_text_twice_is_no_misreading() -> None:
    """The 12 of 3 × 4 and that of 2 × 6 do not differ in capitals: they are a fault, told elsewhere."""
    assert find_misreading(symbol(Text("12")), symbol(Text("12"))) is None
    assert find_misreading(symbol(Text("k")), symbol(Text("K"))) is not None


def test_turns_are_those_of_the_layout() -> None:
    """How far symbols are compared is how far cards turn them."""
    limits = {name: min(math.degrees(limit), 180.0) for name, limit in TURN_LIMITS.items()}
    assert limits == pytest.approx(TURNS_DEG)


@pytest.mark.parametrize("letters", ["6 9 b q d p n u 66 99", "M W Z N 1 7 4"])
def test_letters_stand_upright_by_default_so_none_is_warned_of(tmp_path: Path, letters: str) -> None:
    """The theme's own rule and this one agree: what could be read turned is not turned unless the theme says so."""
    rows = "".join(f'  - {{text: "{letter}"}}\n' for letter in letters.split())
    (tmp_path / "letters.yaml").write_text(f"title: Letters\nsymbols:\n{rows}", encoding="utf-8")
    verdict = check_theme(tmp_path / "letters.yaml", with_remarks=True)
    assert verdict.lookalikes
    assert all(pair.is_remark for pair in verdict.lookalikes)


def test_warnings_name_the_pair_its_score_and_the_later_line() -> None:
    """In words a teacher understands, the softer the fewer it concerns."""
    sources: list[Source] = [Emoji("🍎"), Emoji("🍅"), Emoji("💙"), Emoji("💜"), Text("6"), Text("9")]
    symbols = [symbol(source, line=line) for line, source in enumerate(sources, 1)]
    found = find_lookalikes(symbols, [artwork(source) for source in sources])
    told = [str(fault) for fault in warn_about_lookalikes(symbols, found)]
    assert told[0].startswith('theme.yaml:6:3: "symbol-5" and "symbol-6" become each other when a card is turned')
    assert told[1].startswith('theme.yaml:2:3: "symbol-1" and "symbol-2" look alike (score 0.')
    assert told[1].endswith("): players will confuse them. Replace one.")
    assert told[2].startswith('theme.yaml:4:3: "symbol-3" and "symbol-4" look alike (score 0.')
    assert ") to red-green colour-blind players (no red/no green cones), who see both in one colour." in told[2]
    assert len(told) == 3


def test_a_dozen_clock_faces_do_not_flood_the_terminal() -> None:
    """Sixty-six pairs are three warnings and a word about the rest."""
    sources = [Emoji(chr(0x1F550 + hour)) for hour in range(12)]
    symbols = [symbol(source, line=line) for line, source in enumerate(sources, 1)]
    found = find_lookalikes(symbols, [artwork(source) for source in sources])
    told = warn_about_lookalikes(symbols, found)
    assert (len(found), len(told)) == (66, MOST_WARNINGS + 1)
    assert str(told[-1]) == "63 more pairs look alike. To see them all, add: --report pairs.png"


def colors_of(png: bytes) -> set[tuple[int, int, int]]:
    """Every colour of a picture."""
    with Image.open(io.BytesIO(png)) as picture:
        codes = np.unique(np.asarray(picture.convert("RGB")).astype(np.int32) @ (65536, 256, 1))
    return {(code >> 16, code >> 8 & 255, code & 255) for code in codes.tolist()}


PLANTED = """\
title: Planted
languages: [en]
symbols:
  - {emoji: 🍎, en: apple}
  - {emoji: 🍅, en: tomato}
  - {emoji: 💙, en: blue heart}
  - {emoji: 💜, en: purple heart}
  - {emoji: 🚗, en: car}
  - {emoji: 🚙, en: jeep}
  - {emoji: 🐘, en: elephant}
"""


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A theme with a pair for everybody, one for colour-blind players and one for photocopies."""
    path = tmp_path / "planted.yaml"
    path.write_text(PLANTED, encoding="utf-8")
    return path


def test_check_warns_and_tells_as_json(run: Run, planted: Path) -> None:
    """Pairs are warnings, so the theme is still good; remarks come only with a report."""
    done = run("check", planted, "--json")
    (result,) = json.loads(done.stdout)["results"]
    assert done.returncode == ExitCode.OK
    assert [(p["a"], p["b"], p["for"]) for p in result["lookalikes"]] == [
        ("apple", "tomato", ["everybody"]),
        ("blue-heart", "purple-heart", ["protanopia", "deuteranopia"]),
    ]
    assert all(ALIKE <= p["score"] <= 1 for p in result["lookalikes"])
    assert 'planted.yaml:5:5: "apple" and "tomato" look alike' in done.stderr
    assert '"blue heart" and "purple heart" look alike' in done.stderr
    assert "photocopy" not in done.stderr


def test_a_drawing_of_which_nothing_shows_is_a_fault_and_no_sum_goes_wrong(run: Run, tmp_path: Path) -> None:
    """What is collapsed is not drawn: the check names the symbol, without a word from NumPy."""
    (tmp_path / "unseen.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>rect{visibility:collapse}</style>'
        '<rect width="5" height="5"/></svg>'
    )
    theme = tmp_path / "unseen.yaml"
    theme.write_text("symbols: [🐶, 🐱, 🐭, 🐹, 🐰, 🦊, {id: odd, image: unseen.svg}]\n", encoding="utf-8")
    done = run("check", theme)
    assert done.returncode == ExitCode.ARTWORK
    assert 'symbol "odd" (unseen.svg): the picture is empty' in done.stderr
    assert "Warning" not in done.stderr


def test_the_report_is_a_picture_of_every_pair(run: Run, planted: Path, tmp_path: Path) -> None:
    """Written whole, named on stdout, and it shows the hearts as a deuteranope sees them."""
    done = run("check", planted, "--report", "out/pairs.png")
    assert done.returncode == ExitCode.OK
    assert "out/pairs.png" in done.stdout
    assert "remark: " in done.stderr and '"car" and "jeep" look alike on a black-and-white photocopy' in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["pairs.png"]
    colors = colors_of((tmp_path / "out" / "pairs.png").read_bytes())
    assert (0x5D, 0xAD, 0xEC) in colors  # the blue heart as printed
    assert any(abs(r - 126) < 4 and abs(g - 160) < 4 and abs(b - 234) < 4 for r, g, b in colors)  # and to a deuteranope


def test_the_report_is_the_same_every_time_and_grows_with_its_pairs(planted: Path, small_theme: Path) -> None:
    """Same bytes; a deck without look-alikes gets a small sheet that says so in green."""
    sheets = [draw_report(check_theme(planted, with_remarks=True), "a.png")["a.png"] for _ in range(2)]
    assert sheets[0] == sheets[1]
    empty = draw_report(check_theme(small_theme, with_remarks=True), "a.png")["a.png"]
    with Image.open(io.BytesIO(sheets[0])) as full, Image.open(io.BytesIO(empty)) as none:
        assert full.height > none.height + 500
    assert (0x2D, 0x6A, 0x4F) in colors_of(empty)
    assert (0x2D, 0x6A, 0x4F) not in colors_of(sheets[0])


def test_the_report_is_titled_in_the_language_of_the_deck(tmp_path: Path) -> None:
    """That of the command line, where it names one."""
    titles = '{en: Our pets, nl: "Onze, dieren"}', '"Onze, dieren"'
    sheets = []
    for title in titles:
        (tmp_path / "theme.yaml").write_text(SMALL_THEME.replace("title: Small", f"title: {title}"), encoding="utf-8")
        options = BuildOptions(languages=("nl",)).theme_values()
        sheets.append(draw_report(check_theme(tmp_path / "theme.yaml", options, with_remarks=True), "a.png")["a.png"])
    assert sheets[0] == sheets[1]


def test_a_report_needs_one_theme_and_a_png(run: Run, planted: Path, small_theme: Path, tmp_path: Path) -> None:
    """Anything else is told before any work is done."""
    assert run("check", planted, "--report", "pairs.pdf").returncode == ExitCode.USAGE
    assert run("check", planted, small_theme, "--report", "pairs.png").returncode == ExitCode.USAGE
    assert not list(tmp_path.glob("pairs.*"))


def test_no_report_of_pictures_that_cannot_be_opened(run: Run, tmp_path: Path) -> None:
    """The faults come first; an earlier report stays as it was."""
    (tmp_path / "broken.png").write_bytes(b"no picture")
    (tmp_path / "pairs.png").write_bytes(b"earlier")
    (tmp_path / "bad.yaml").write_text(
        "symbols: [🍎, 🍅, 🐘, 🚗, 🌞, 🔑, {image: broken.png, en: b}]\n", encoding="utf-8"
    )
    done = run("check", "bad.yaml", "--report", "pairs.png")
    assert done.returncode == ExitCode.ARTWORK
    assert "pairs.png was not drawn" in done.stderr
    assert (tmp_path / "pairs.png").read_bytes() == b"earlier"


CLOCKS = "title: Uren\nlanguages: [nl]\nsymbols:\n" + "".join(
    f"  - {{emoji: {chr(0x1F550 + hour)}, id: clock-{hour}, nl: {hour + 1} uur}}\n" for hour in range(7)
)


def test_pairs_are_told_by_the_names_of_the_deck_and_where_to_see_the_rest(run: Run, tmp_path: Path) -> None:
    """In its first language; who asks for the report is told that the others are in it. JSON keeps the ids."""
    (tmp_path / "uren.yaml").write_text(CLOCKS, encoding="utf-8")
    told = run("check", "uren.yaml", "--json")
    assert '"1 uur" and "' in told.stderr and "clock-" not in told.stderr
    assert told.stderr.count("look alike (score") == MOST_WARNINGS
    assert json.loads(told.stdout)["results"][0]["lookalikes"][0]["a"].startswith("clock-")
    assert "18 more pairs look alike. To see them all, add: --report pairs.png" in told.stderr
    drawn = run("check", "uren.yaml", "--report", "pairs.png")
    assert "18 more pairs look alike. They are all in pairs.png." in drawn.stderr


def test_blue_and_yellow_are_told_in_plain_words() -> None:
    """Nobody needs to know what tritanopia is."""
    assert name_players(["tritanopia"]) == "blue-yellow colour-blind players"
    both = "red-green colour-blind players (no green cones) and blue-yellow colour-blind players"
    assert name_players(["deuteranopia", "tritanopia"]) == both


def test_faults_come_first_and_half_a_theme_is_not_counted(run: Run, tmp_path: Path) -> None:
    """The one thing to mend is not buried under warnings, nor under the arithmetic of what is left without it."""
    words = "appel, tomaat, hondd, kat, vis, zon, maan, ster, huis, fiets, sleutel, ballonn"
    rows = "".join(f"  - {word}\n" for word in words.split(", "))
    (tmp_path / "w.yaml").write_text(f"languages: [nl]\nsymbols:\n{rows}", encoding="utf-8")
    done = run("check", "w.yaml")
    lines = done.stderr.splitlines()
    assert done.returncode == ExitCode.THEME
    assert '2 words are unknown: "hondd" and "ballonn" on line 14' in lines[0]
    assert lines[1].startswith('warning: w.yaml:4:5: "appel" and "tomaat" look alike')
    assert lines[2:] == ["w: 1 fault to mend"]
    assert "symbols" not in done.stderr + done.stdout


SKY, GRASS, RED, WALL, SKIN = (120, 180, 235), (90, 150, 70), (205, 40, 40), (110, 150, 190), (235, 190, 160)
Shape = tuple[str, tuple[int, ...], tuple[int, int, int]]
OUTDOORS: list[Shape] = [("rectangle", (0, 0, 480, 220), SKY), ("rectangle", (0, 220, 480, 360), GRASS)]
INDOORS: list[Shape] = [("rectangle", (0, 0, 480, 360), WALL)]
SCENES: dict[str, list[Shape]] = {
    "ball": [*OUTDOORS, ("ellipse", (150, 150, 310, 310), RED)],
    "house": [
        *OUTDOORS,
        ("rectangle", (120, 130, 360, 300), (225, 205, 170)),
        ("polygon", (100, 130, 240, 40, 380, 130), (160, 60, 50)),
    ],
    "tree": [
        *OUTDOORS,
        ("rectangle", (220, 180, 260, 320), (100, 70, 40)),
        ("ellipse", (130, 30, 350, 220), (40, 100, 45)),
    ],
    "ann": [
        *INDOORS,
        ("ellipse", (130, 20, 350, 330), (110, 60, 30)),
        ("ellipse", (160, 60, 320, 270), SKIN),
        ("rectangle", (130, 290, 350, 360), RED),
    ],
    "ben": [
        *INDOORS,
        ("ellipse", (160, 40, 320, 200), (40, 30, 25)),
        ("ellipse", (165, 80, 315, 270), SKIN),
        ("rectangle", (130, 290, 350, 360), GRASS),
    ],
    "beach": [
        ("rectangle", (0, 0, 480, 130), SKY),
        ("rectangle", (0, 130, 480, 220), (40, 110, 170)),
        ("rectangle", (0, 220, 480, 360), (225, 205, 150)),
    ],
    "car": [
        ("rectangle", (0, 0, 480, 360), (150, 150, 150)),
        ("rectangle", (60, 160, 420, 270), RED),
        ("ellipse", (100, 230, 180, 310), (30, 30, 30)),
        ("ellipse", (300, 230, 380, 310), (30, 30, 30)),
    ],
    "moon": [("rectangle", (0, 0, 480, 360), (20, 25, 60)), ("ellipse", (280, 40, 400, 160), (240, 235, 190))],
}


def photo(folder: Path, name: str, change: str = "") -> ImageFile:
    """A picture that fills its frame, lit from one side and grainy as photos are; the same again, a little changed."""
    picture = Image.new("RGB", (480, 360))
    for shape, box, color in SCENES[name]:
        getattr(ImageDraw.Draw(picture), shape)(box, fill=color)
    y, x = np.mgrid[:360, :480]
    grain = np.random.default_rng(len(name) + len(change)).normal(0, 8, (360, 480, 3))
    pixels = np.asarray(picture) * (0.9 + 0.2 * (x + y) / 840)[..., None] + grain
    pixels = pixels * (1.08, 1.04, 0.98) if change == "warmer" else pixels
    picture = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    if change == "cropped":
        picture = picture.crop((14, 10, 470, 352)).resize((240, 180))
    elif change == "turned":
        picture = picture.rotate(90, expand=True)
    elif change == "mirrored":
        picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    picture.save(folder / f"{name}-{change}.jpg", quality=85)
    return ImageFile(folder / f"{name}-{change}.jpg")


@pytest.mark.parametrize("crop", ["none", "circle"])
def test_photos_that_share_a_frame_and_some_colours_are_no_lookalikes(tmp_path: Path, crop: Crop) -> None:
    """The rectangle says nothing: what is in it counts."""
    assert find(*(replace(photo(tmp_path, name), crop=crop) for name in SCENES)) == ()


@pytest.mark.parametrize("change", ["warmer", "cropped", "turned", "mirrored"])
def test_the_same_photo_changed_a_little_is_a_lookalike(tmp_path: Path, change: str) -> None:
    """Every one of them."""
    for name in SCENES:
        assert [pair.seen_by for pair in find(photo(tmp_path, name), photo(tmp_path, name, change))] == [("everybody",)]
