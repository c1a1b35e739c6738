"""Words, sums and fractions as symbols: measured on the ink, as it is rendered."""

from __future__ import annotations

import re
from itertools import groupby, pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dobble_print.art.artwork import DrawingMaster, least_diameter_mm, make_artwork
from dobble_print.art.svg.render import render_svg
from dobble_print.art.text.blocks import enclose_bounds, set_block
from dobble_print.art.text.breaking import Fraction, Plain, Shifted, list_ways, mend_minus, read_pieces
from dobble_print.art.text.plates import draw_text, measure_x_height
from dobble_print.art.text.shaping import Glyph, TextBox, open_text_fonts, shape_text
from dobble_print.errors import ArtworkError
from dobble_print.theme.faces import mark_language
from dobble_print.theme.model import Emoji, Text, TextStyle

PX = 600
Ink = npt.NDArray[np.bool_]


def ink_of(source: Text, px: int = PX) -> Ink:
    """Where the rendered drawing has ink."""
    return np.asarray(render_svg(draw_text(source), px).getchannel("A")) > 127


def runs_of(line: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where a row or column of pixels is set: starts and ends of its runs."""
    runs, at = [], 0
    for is_set, group in groupby(line):
        length = len(list(group))
        runs += [(at, at + length)] if is_set else []
        at += length
    return runs


def rows_of(ink: Ink) -> list[tuple[int, int]]:
    """Bands of ink from the top down."""
    return runs_of(np.asarray(ink.any(axis=1)))


def columns_of(ink: Ink) -> list[tuple[int, int]]:
    """Bands of ink from left to right."""
    return runs_of(np.asarray(ink.any(axis=0)))


def lines_of(text: str, lines: int = 3, badge: bool = False) -> list[str]:
    """The lines a text is set in."""
    return list(set_block(text, TextStyle(lines=lines), badge).lines)


def visual(text: str, box: TextBox | None = None) -> str:
    """The characters of a line from left to right, as their glyphs are placed; for scripts that do not join."""
    fonts = open_text_fonts(text, TextStyle())
    names = {fonts.main.font.get_nominal_glyph(ord(char)): char for char in text}
    marks = [mark for mark in (box or shape_text(text, fonts)).marks if isinstance(mark, Glyph)]
    return "".join(names[mark.glyph] for mark in sorted(marks, key=lambda mark: mark.x))


# --- lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("3 × 4", ["3 × 4"]),
        ("der Hund", ["der", "Hund"]),
        ("die Giraffe", ["die", "Giraffe"]),
        ("la pomme de terre", ["la pomme", "de terre"]),
        ("birthday birthday", ["birthday", "birthday"]),
        ("guten Morgen liebe Sonne", ["guten", "Morgen", "liebe Sonne"]),
        ("12 + 35 = 47", ["12 + 35", "= 47"]),
        ("l'arc-en-ciel", ["l'arc-", "en-ciel"]),
        ("Schmetterling", ["Schmetterling"]),
        ("Apfel|baum", ["Apfelbaum"]),
        ("Apfel\u00adbaum", ["Apfelbaum"]),
        ("Donau|dampf|schiff|fahrt", ["Donau-", "dampf-", "schifffahrt"]),
        ("Wassermelone 1 1/2", ["Wassermelone", "1 1/2"]),
        ("one\ntwo", ["one", "two"]),
    ],
)
def test_a_text_breaks_where_it_prints_largest(text: str, lines: list[str]) -> None:
    """Balanced lines; sums, articles and numbers with their units hold together."""
    assert lines_of(text) == lines


@pytest.mark.parametrize("text", ["the big brown hedgehog", "un petit papillon bleu", "Guten Morgen", "arc-en-ciel"])
def test_no_other_way_has_a_smaller_circle(text: str) -> None:
    """Of all ways the chosen one wins, but for the small price of another line."""
    best = set_block(text, TextStyle())
    for lines in list_ways(text, 3, 5):
        other = set_block("\n".join(lines) if len(lines) > 1 else lines[0].replace(" ", "\u00a0"), TextStyle())
        assert best.radius <= other.radius * 1.07


@pytest.mark.parametrize("text", ["ice cream cup", "what did he see", "eine sehr lange Geschichte um uns"])
def test_a_short_word_is_never_alone_on_the_last_line(text: str) -> None:
    """However the rest falls."""
    for lines in list_ways(text, 3):
        assert len(lines) == 1 or len(lines[-1].replace(" ", "")) > 3


def test_lines_are_limited_and_a_shield_takes_its_own() -> None:
    """A theme may ask for fewer lines; a shield is filled as well as can be."""
    assert len(lines_of("guten Morgen liebe Sonne", lines=1)) == 1
    assert len(lines_of("guten Morgen liebe Sonne", lines=2)) == 2
    assert lines_of("FC Komet", badge=True) == ["FC", "Komet"]


def test_lines_are_centred_and_never_touch() -> None:
    """Ink of each line is as far from the left as from the right; between lines the paper shows."""
    ink = ink_of(Text("xxxx xxxxxxx"))
    bands = rows_of(ink)
    assert len(bands) == 2
    for top, bottom in bands:
        inked = np.flatnonzero(ink[top:bottom].any(axis=0))
        assert inked[0] + inked[-1] == pytest.approx(ink.shape[1], abs=4)


@pytest.mark.parametrize("text", ["Ähre\ngjpq\nÅÄÖ", "1/2\n3/4\n5/6", "Ẫ\nẪ", "น้ำ\nน้ำ"])
def test_tall_lines_push_the_next_one_down(text: str) -> None:
    """Accents, fractions and stacked marks never run into the line above."""
    parts = text.split("\n")
    block = set_block(text, TextStyle())
    assert len(block.lines) == len(parts)
    counts = [len(set_block(part, TextStyle()).box.marks) for part in parts]
    starts = np.cumsum([0, *counts])
    bounds = [TextBox(0.0, block.box.marks[a:b]).bounds for a, b in pairwise(starts)]
    assert all(upper[1] - lower[3] >= 0.13 for upper, lower in pairwise(bounds))


def test_the_circle_around_lines_is_the_smallest() -> None:
    """A square of half-width 1 fits a circle of √2; a narrow line on top changes nothing until it sticks out."""
    assert enclose_bounds([(-1, -1, 1, 1)]) == pytest.approx((0, 2**0.5), abs=1e-6)
    assert enclose_bounds([(-1, -1, 1, 1), (-0.1, 1, 0.1, 1.2)])[1] == pytest.approx(2**0.5, abs=1e-6)
    centre, radius = enclose_bounds([(-1, -1, 1, 1), (-0.1, 1, 0.1, 3)])
    assert centre > 0.5
    assert radius == pytest.approx(np.hypot(1, centre + 1), abs=1e-6)


# --- readability


@pytest.mark.parametrize("font", ["sans", "serif", "dyslexia", "legible", "handwriting", "school"])
def test_the_x_height_is_that_of_the_rendered_letters(font: str) -> None:
    """As a share of the longer side of the drawing, to within what an x dips below the line."""
    source = Text("xxxx", style=TextStyle(font=font))
    ink = ink_of(source, 2000)
    ((top, bottom),) = rows_of(ink)
    assert (bottom - top) / max(ink.shape) == pytest.approx(measure_x_height(source), rel=0.04)


@pytest.mark.parametrize(("text", "badge"), [("xxxx", ()), ("xxxxxx xxxxxx", ()), ("xxx", ("#ffffff", "#000000"))])
def test_at_the_least_diameter_letters_are_two_and_a_half_millimetres_high(text: str, badge: tuple[str, ...]) -> None:
    """Measured in pixels of 600 to the inch on the symbol as large as the layout would print it."""
    source = Text(text, "#ff0000", badge)
    artwork = make_artwork(source)
    side_mm = artwork.longer_side_mm(least_diameter_mm(source, artwork))
    pixels = np.asarray(render_svg(draw_text(source), round(side_mm / 25.4 * 600)).convert("RGBA")).astype(int)
    red = (pixels[..., 0] > 200) & (pixels[..., 1] < 100) & (pixels[..., 3] > 127)
    top, bottom = rows_of(red)[0]
    assert (bottom - top) / 600 * 25.4 == pytest.approx(2.5, abs=0.1)
    assert measure_x_height(source) * side_mm == pytest.approx(2.5)


@pytest.mark.parametrize(("text", "band"), [("3/4", 0), ("3/4", 2), ("8/8", 0)])
def test_digits_of_fractions_are_two_millimetres_high(text: str, band: int) -> None:
    """At the least diameter, numerator and denominator alike."""
    source = Text(text)
    artwork = make_artwork(source)
    px = round(artwork.longer_side_mm(least_diameter_mm(source, artwork)) / 25.4 * 1200)
    top, bottom = rows_of(ink_of(source, px))[band]
    assert (bottom - top) / 1200 * 25.4 + 0.06 >= 2.0
    assert (bottom - top) / 1200 * 25.4 < 2.6


def test_raised_digits_are_two_millimetres_high() -> None:
    """The exponent stands above the x and is large enough to read."""
    source = Text("x^2")
    artwork = make_artwork(source)
    px = round(artwork.longer_side_mm(least_diameter_mm(source, artwork)) / 25.4 * 1200)
    ink = ink_of(source, px)
    letter, digit = (ink[:, start:end] for start, end in columns_of(ink))
    ((letter_top, letter_foot),), ((digit_top, digit_foot),) = rows_of(letter), rows_of(digit)
    assert digit_top < letter_top
    assert digit_foot < letter_foot
    assert (digit_foot - digit_top) / 1200 * 25.4 + 0.04 >= 2.0


def test_pictures_have_no_least_diameter_and_more_letters_a_larger_one() -> None:
    """Longer words need more room; a plate needs a little more than the word."""
    cat = make_artwork(Emoji("🐱"))
    assert least_diameter_mm(Emoji("🐱"), cat) == 0
    short, long = Text("cat"), Text("caterpillar")
    plate = Text("cat", style=TextStyle(mark=mark_language(0, "en")))
    sizes = [least_diameter_mm(source, make_artwork(source)) for source in (short, plate, long)]
    assert sizes == sorted(sizes)
    assert least_diameter_mm(short, make_artwork(short), 5.0) == pytest.approx(2 * sizes[0])


# --- fractions, exponents, signs


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("3/4", [Fraction("3", "4")]),
        ("1 1/2", [Fraction("1", "2", "1")]),
        ("2½ kg", [Fraction("1", "2", "2"), Plain(" kg")]),
        ("¾", [Fraction("3", "4")]),
        ("1/2+1/4", [Fraction("1", "2"), Plain("+"), Fraction("1", "4")]),
        ("3/4-1/2", [Fraction("3", "4"), Plain("−"), Fraction("1", "2")]),
        ("3 × 1/2", [Plain("3 × "), Fraction("1", "2")]),
        ("m²", [Plain("m"), Shifted("2", True)]),
        ("10^-3", [Plain("10"), Shifted("−3", True)]),
        ("x^{n+1}", [Plain("x"), Shifted("n+1", True)]),
        ("a^2b", [Plain("a"), Shifted("2", True), Plain("b")]),
        ("H₂O", [Plain("H"), Shifted("2", False), Plain("O")]),
    ],
)
def test_fractions_and_exponents_are_read_as_teachers_type_them(text: str, pieces: list[object]) -> None:
    """With slashes, carets or the small characters of Unicode."""
    assert read_pieces(text) == pieces


@pytest.mark.parametrize(
    "text", ["km/h", "and/or", "12/05/2024", "12/05", "24.5/7", "1000/25", "24∕7", "1/2kg", ":^)", "^2", "|x|", "3/0"]
)
def test_other_strokes_and_carets_stay(text: str) -> None:
    """Units, choices, dates and faces are no sums."""
    assert read_pieces(text) == [Plain(text)]


@pytest.mark.parametrize(
    ("typed", "drawn"),
    [
        ("5 - 3", "5 − 3"),
        ("12-5", "12−5"),
        ("-5 °C", "−5 °C"),
        ("7-3=4", "7−3=4"),
        ("555-1234", "555-1234"),
        ("2024-12-05", "2024-12-05"),
        ("co-op", "co-op"),
        ("A-1", "A-1"),
    ],
)
def test_a_hyphen_in_a_sum_is_a_minus(typed: str, drawn: str) -> None:
    """Elsewhere it stays a hyphen."""
    assert mend_minus(typed) == drawn


@pytest.mark.parametrize("text", ["3/4", "12/5", "7/100", "½"])
def test_a_fraction_is_a_number_over_a_bar_over_a_number(text: str) -> None:
    """Three bands of ink; the bar is the widest, straight, and the numbers stand in its middle."""
    ink = ink_of(Text(text))
    above, bar, below = rows_of(ink)
    middle = [np.flatnonzero(ink[top:bottom].any(axis=0)) for top, bottom in (above, bar, below)]
    assert ink[bar[0] + 1 : bar[1] - 1, middle[1][0] + 1 : middle[1][-1]].all()
    assert middle[1][0] < min(middle[0][0], middle[2][0])
    assert middle[1][-1] > max(middle[0][-1], middle[2][-1])
    for inked in (middle[0], middle[2]):
        assert inked[0] + inked[-1] == pytest.approx(middle[1][0] + middle[1][-1], abs=0.05 * PX)
    assert bar[1] - bar[0] < 0.5 * (above[1] - above[0])
    assert above[0] > 0
    assert below[1] < ink.shape[0]


def test_the_bar_stands_where_a_minus_stands() -> None:
    """In 1 1/2 − 1/4 the bars and the minus are on one line and equally thick."""
    box = set_block("1/2 − 1/4", TextStyle()).box
    fonts = open_text_fonts("−", TextStyle())
    minus = fonts.main.font.get_nominal_glyph(ord("−"))
    bars = [mark.bounds for mark in box.marks if not isinstance(mark, Glyph)]
    glyphs = [mark.bounds for mark in box.marks if isinstance(mark, Glyph) and mark.glyph == minus]
    edges = [(bounds[1], bounds[3]) for bounds in [*bars, *glyphs] if bounds]
    assert len(edges) == 3
    assert all(edge == pytest.approx(edges[0], abs=1e-6) for edge in edges)


def test_a_whole_number_is_larger_than_its_fraction() -> None:
    """The 1 of 1 1/2 stands left, as high as any digit; the fraction is taller than it."""
    ink = ink_of(Text("1 1/2"))
    whole, fraction = (ink[:, start:end] for start, end in columns_of(ink))
    ((top, bottom),), bands = rows_of(whole), rows_of(fraction)
    assert len(bands) == 3
    assert bottom - top > 1.2 * (bands[0][1] - bands[0][0])
    assert bands[0][0] < top < bottom < bands[2][1]


# --- directions and scripts


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("חתול", "לותח"),
        ("cat חתול", "cat לותח"),
        ("חתול 12", "12 לותח"),
        ("abc חתול 12 xyz", "abc 12 לותח xyz"),
        ("חתול cat", "cat לותח"),
        ("abc 12", "abc 12"),
    ],
)
def test_letters_stand_in_the_order_of_their_script(text: str, drawn: str) -> None:
    """Hebrew from the right, Latin and numbers from the left, mixed as the Unicode algorithm has it."""
    assert visual(text) == drawn


def test_brackets_around_hebrew_open_towards_it() -> None:
    """At the left end stands the glyph that opens to the right, as in any script."""
    fonts = open_text_fonts("(קטן) (", TextStyle())
    opening = fonts.main.font.get_nominal_glyph(ord("("))
    glyphs = [mark for mark in shape_text("חתול (קטן)", fonts).marks if isinstance(mark, Glyph)]
    assert min(glyphs, key=lambda mark: mark.x).glyph == opening


def test_arabic_letters_join() -> None:
    """A word is drawn in fewer, connected strokes than its letters one by one."""
    joined, apart = (columns_of(ink_of(Text(text))) for text in ("بيت", "ب ي ت"))
    assert (len(joined), len(apart)) == (1, 3)


@pytest.mark.parametrize("text", ["dog कुत्ता", "कुत्ता dog"])
def test_each_script_is_shaped_by_its_own_rules(text: str) -> None:
    """Hindi beside English takes as many glyphs as alone: its letters still combine."""
    fonts = open_text_fonts(text, TextStyle())
    alone = len(shape_text("कुत्ता", fonts).marks)
    assert alone < len("कुत्ता") + 1
    assert len(shape_text(text, fonts).marks) == alone + len("dog ")


@pytest.mark.parametrize("word", ["fiets", "fles", "affe"])
def test_letters_of_a_word_stand_one_by_one(word: str) -> None:
    """Who learns to read finds every letter, and the dot of every i: nothing is joined to fi, fl or ff."""
    assert len(shape_text(word, open_text_fonts(word, TextStyle())).marks) == len(word)


def test_accents_typed_apart_are_drawn_together() -> None:
    """é as one character or as two is the same picture; marks without a composed letter sit on it."""
    assert draw_text(Text("e\u0301te\u0301", "#000000")) == draw_text(Text("été", "#000000"))
    ink = ink_of(Text("x\u0301"))
    assert len(columns_of(ink)) == 1
    assert len(rows_of(ink)) == 2


SAMPLES = """der Schmetterling|het konijn|l'écureuil|el niño|la città|o coração|żółw|the hedgehog|Straße|œuf|Việt Nam
3×4|12 ÷ 4 = 3|7 − 5|½ + ¼|2 1/3|10^3|x^2 + y^2|√9|π|20 °C|50 %|4,50 €|5 ≤ 6|∠ ABC|H₂O|±1
ˈhɛdʒhɒɡ|[ʃaˈto]|/ˈθɪŋkɪŋ/|t͡ʃʰ|ɲ̟ ɬ ʘ ǃ|قطة صغيرة|سلحفاة|חתול|گربه|γάτα|кошка|ґава|แมวน้ำ|კატა|बिल्ली
猫と犬|高鐵|고양이|বিড়াল|பூனை|పిల్లి|ឆ្មា|x̌y̋ ạ̈|A|g|?|♥|→|1\u202f000 €|C’est l’été !""".replace("\n", "|").split("|")


@pytest.mark.parametrize("text", SAMPLES)
def test_every_sample_draws_inside_its_box(text: str) -> None:
    """Vector outlines, ink that keeps off the edge of the box, and a sane x-height."""
    source = Text(text)
    artwork = make_artwork(source)
    assert isinstance(artwork.master, DrawingMaster) and artwork.master.pdf
    ink = ink_of(source, 300)
    assert ink.any()
    assert not (ink[0].any() or ink[-1].any() or ink[:, 0].any() or ink[:, -1].any())
    assert 0.02 < measure_x_height(source) < 1


def test_a_letter_that_no_font_has_is_named() -> None:
    """All of them at once, each once; a caret or stroke that is only typed is not looked for."""
    with pytest.raises(ArtworkError, match=r'"𒀀" \(U\+12000\), "𓀀" \(U\+13000\)'):
        draw_text(Text("a𒀀b𓀀𒀀"))


@pytest.mark.parametrize("text", ["", " ", "\n", "\u200d"])
def test_a_text_without_ink_is_a_fault(text: str) -> None:
    """Nothing to find on a card."""
    with pytest.raises(ArtworkError, match="nothing of the text can be seen"):
        draw_text(Text(text))


def test_a_word_is_never_mixed_from_two_fonts() -> None:
    """A Cyrillic word in a font without Cyrillic is set in another one as a whole; the rest keeps the font."""
    style = TextStyle(font="dyslexia")
    fonts = open_text_fonts("Haus жук", style)
    faces = [mark.typeface.name for mark in shape_text("Haus жук", fonts).marks if isinstance(mark, Glyph)]
    assert faces[:4] == ["Lexend"] * 4
    assert faces[-3:] == ["FiraGO"] * 3
    mixed = open_text_fonts("Haжs", style)
    assert len({mark.typeface.name for mark in shape_text("Haжs", mixed).marks if isinstance(mark, Glyph)}) == 1


# --- plates


@pytest.mark.parametrize("index", range(4))
@pytest.mark.parametrize("text", ["x", "gjpq", "Ägypten", "der blaue Vogel", "3/4"])
def test_a_plate_holds_its_word(index: int, text: str) -> None:
    """All ink of the word lies on the tint, with a margin, and the tag does not touch it."""
    source = Text(text, "#ff0000", style=TextStyle(mark=mark_language(index, "nl")))
    pixels = np.asarray(render_svg(draw_text(source), 600).convert("RGBA")).astype(int)
    red = (pixels[..., 0] > 220) & (pixels[..., 1] < 60) & (pixels[..., 3] > 127)
    rim = tuple(int(mark_language(index, "nl").rim[i : i + 2], 16) for i in (1, 3, 5))
    rims = (np.abs(pixels[..., :3] - rim).max(axis=2) < 12) & (pixels[..., 3] > 200)
    near = red.copy()
    for _ in range(6):
        near[1:] |= near[:-1].copy()
        near[:-1] |= near[1:].copy()
        near[:, 1:] |= near[:, :-1].copy()
        near[:, :-1] |= near[:, 1:].copy()
    assert red.any()
    assert not (near & rims).any()
    assert (pixels[..., 3][near] > 200).all()


def test_plates_differ_without_colour() -> None:
    """The silhouettes of the four plates around one word differ, so a photocopy still shows the language."""
    shapes = [ink_of(Text("kat", style=TextStyle(mark=mark_language(i, "")))) for i in range(4)]
    grey = [
        np.asarray(render_svg(draw_text(Text("kat", style=TextStyle(mark=mark_language(i, "")))), PX).convert("L"))
        < 128
        for i in range(4)
    ]
    assert (
        len({(shape.shape, shape.sum() // 700, dark.sum() // 700) for shape, dark in zip(shapes, grey, strict=True)})
        == 4
    )
    corners = [shape[: shape.shape[0] // 10, : shape.shape[0] // 10].mean() for shape in shapes]
    assert corners[0] < 0.1
    assert corners[1] > 0.9
    assert corners[2] > 0.9
    assert corners[3] < 0.9


def test_the_same_text_is_the_same_bytes() -> None:
    """Drawn twice, with other texts between."""
    first = draw_text(Text("der Hund 3/4", "#1d3557"))
    draw_text(Text("قطة", "#000000"))
    assert draw_text(Text("der Hund 3/4", "#1d3557")) == first
    assert not re.search(rb"nan|inf|e[+-]\d", first)


@given(st.text(st.sampled_from("aZgxß09½²₂^/|-−=+ ×\u00ad\n()\u0301קח ال漢ガ한бไมก็\u200d{}_"), max_size=24))
def test_any_text_draws_or_is_a_fault(text: str) -> None:
    """Whatever is typed, in any mixture of scripts and signs."""
    try:
        drawn = draw_text(Text(text))
    except ArtworkError:
        return
    assert drawn.startswith(b"<svg")
    assert b"nan" not in drawn
    assert measure_x_height(Text(text)) > 0


@pytest.mark.parametrize(("text", "least", "most"), [("9", 1.3, 1.6), ("S", 0.95, 1.05)])
def test_numbers_keep_their_distance(text: str, least: float, most: float) -> None:
    """Beside a 6, a 9 would be 96: a figure takes more room than it fills; a letter does not."""
    source = Text(text, "#000000")
    artwork = make_artwork(source)
    inked = np.asarray(render_svg(draw_text(source), 500))[..., 3].any(axis=0).mean() * artwork.width
    taken = np.ptp(artwork.silhouette.rings[0][:, 0]) * artwork.silhouette.reach
    assert least < taken / inked < most
