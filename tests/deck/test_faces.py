"""Several faces a symbol: how they are dealt, read, printed, explained and recorded."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb
from pathlib import Path
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pikepdf
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dobble_print.art.artwork import PictureMaster, least_diameter_mm, make_artwork
from dobble_print.art.similarity.lookalikes import find_lookalikes, list_shown
from dobble_print.build import make_printable, print_deck
from dobble_print.check import check_theme
from dobble_print.compose import Composition, compose_deck, make_pieces
from dobble_print.dealing import assign_owners, deal_theme, measure_faces, show_percent
from dobble_print.deck.design import Deck, make_deck
from dobble_print.deck.faces import count_crossings, deal_by_card, deal_by_slot, measure_crossing, measure_parts
from dobble_print.layout.engine import lay_out_deck
from dobble_print.layout.model import Piece
from dobble_print.options import BuildOptions
from dobble_print.prepress.forms import FormLibrary
from dobble_print.press.legend import make_legend
from dobble_print.rules.rulebook import print_rules_text
from dobble_print.sheets.plan import Page, Slot
from dobble_print.theme.faces import INK, fold_print, list_colors
from dobble_print.theme.model import Captioned, Emoji, ImageFile, Source, Symbol, Text, Theme
from dobble_print.theme.options import Crop, LayoutOptions
from dobble_print.theme.reader import examine_theme, read_theme
from dobble_print.units import MM_PER_INCH, Paper, round_card
from tests.booklets import WHOLE, read_text, set_up
from tests.conftest import Run

ANIMALS = "[dog, cat, horse, cow, pig, sheep, mouse]"
SUMS = [
    ("2 × 2", "4"),
    ("2 × 3", "6"),
    ("2 × 4", "8"),
    ("3 × 3", "9"),
    ("2 × 5", "10"),
    ("3 × 4", "12"),
    ("2 × 7", "14"),
]
ORDERS = (3, 4, 5, 7, 8, 9)


def write(folder: Path, text: str) -> Path:
    """A theme file of small cards that are quick to lay out."""
    path = folder / "theme.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, head: str, symbols: str = ANIMALS) -> Theme:
    """A theme without a fault."""
    return read_theme(write(folder, f"{head}\nlayout: {{quality: draft}}\nsymbols: {symbols}\n"))


def faults_of(folder: Path, text: str) -> list[str]:
    """The faults of a theme, without the file's name."""
    return [str(fault).split("theme.yaml:")[-1] for fault in examine_theme(write(folder, text))[1]]


def texts_of(symbol: Symbol) -> list[Text]:
    """The words and texts among a symbol's faces."""
    return [face.source for face in symbol.faces if isinstance(face.source, Text)]


def count_pairs(deck: Deck) -> Fraction:
    """The share of pairs of cards whose common symbol shows different faces, found by looking at every pair."""
    faces = [dict(zip(card.symbols, card.faces, strict=True)) for card in deck.cards]
    crossing = [a[symbol] != b[symbol] for a, b in combinations(faces, 2) for symbol in a.keys() & b.keys()]
    return Fraction(sum(crossing), len(crossing))


# how faces are dealt


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("faces", [2, 3, 4])
def test_the_share_of_a_full_deck_is_the_optimum(order: int, faces: int) -> None:
    """Counted over all pairs, it equals the bound that no way of dealing can pass."""
    k = order + 1
    n = k * (k - 1) + 1
    deck = deal_by_slot(make_deck(n, k), [faces] * n)
    even = [(k + face) // faces for face in range(faces)]
    best = 1 - Fraction(sum(comb(size, 2) for size in even), comb(k, 2))
    found = measure_crossing(deck, [faces] * n)
    assert count_pairs(deck) == found.share == best
    assert found.is_best
    assert found.pairs == comb(n, 2)


@pytest.mark.parametrize(
    ("k", "faces", "percent"),
    [(8, 2, "57.1 %"), (8, 3, "75.0 %"), (6, 2, "60.0 %"), (6, 3, "80.0 %"), (4, 4, "100.0 %")],
)
def test_the_shares_are_those_that_the_program_prints(k: int, faces: int, percent: str) -> None:
    """Rounded to a tenth."""
    n = k * (k - 1) + 1
    assert show_percent(measure_crossing(deal_by_slot(make_deck(n, k), [faces] * n), [faces] * n).share) == percent


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("faces", [2, 3, 4])
def test_faces_are_balanced_on_every_card_and_over_every_symbol(order: int, faces: int) -> None:
    """No face is shown more than once more often than another."""
    k = order + 1
    n = k * (k - 1) + 1
    deck = deal_by_slot(make_deck(n, k), [faces] * n)
    shown: dict[int, Counter[int]] = {symbol: Counter(range(faces)) for symbol in range(n)}
    for card in deck.cards:
        counts = [card.faces.count(face) for face in range(faces)]
        assert max(counts) - min(counts) <= 1
        for symbol, face in zip(card.symbols, card.faces, strict=True):
            shown[symbol][face] += 1
    assert all(max(counts.values()) - min(counts.values()) <= 1 for counts in shown.values())


@settings(max_examples=60)
@given(st.integers(1, 12), st.integers(1, 4), st.randoms(use_true_random=False))
def test_no_way_of_showing_a_symbol_crosses_more_often(times: int, faces: int, chance: random.Random) -> None:
    """Whatever faces so many cards show."""
    shown = [chance.randrange(faces) for _ in range(times)]
    crossing = sum(a != b for a, b in combinations(shown, 2))
    assert crossing <= count_crossings(times, faces)
    assert count_crossings(times, faces) == sum(a != b for a, b in combinations([i % faces for i in range(times)], 2))


def test_symbols_with_other_numbers_of_faces_keep_to_their_own() -> None:
    """A symbol with one face never crosses; the optimum knows that."""
    counts = [1, 2, 3] * 10 + [1]
    deck = deal_by_slot(make_deck(31, 6), counts)
    assert all(face < counts[s] for card in deck.cards for s, face in zip(card.symbols, card.faces, strict=True))
    found = measure_crossing(deck, counts)
    assert count_pairs(deck) == found.share
    assert found.is_best


@pytest.mark.parametrize("faces", [2, 3, 4])
@pytest.mark.parametrize(("symbols", "k", "cards"), [(57, 8, 55), (57, 8, 20), (30, 6, None), (54, 8, 30), (20, 5, 7)])
def test_a_deck_with_cards_left_out_reaches_the_optimum_too(
    symbols: int, k: int, cards: int | None, faces: int
) -> None:
    """Every symbol shows its faces as evenly as its cards allow, and every card does."""
    deck = deal_by_slot(make_deck(symbols, k, cards), [faces] * 57)
    found = measure_crossing(deck, [faces] * 57)
    assert count_pairs(deck) == found.share
    assert found.is_best
    for card in deck.cards:
        counts = [card.faces.count(face) for face in range(faces)]
        assert max(counts) - min(counts) <= 1


@settings(max_examples=60)
@given(st.lists(st.integers(1, 4), min_size=31, max_size=31), st.integers(2, 31))
def test_any_mixture_of_faces_is_dealt_as_well_as_can_be(counts: list[int], cards: int) -> None:
    """Whatever the symbols have, and however many cards there are."""
    deck = deal_by_slot(make_deck(31, 6, cards), counts)
    assert all(face < counts[s] for card in deck.cards for s, face in zip(card.symbols, card.faces, strict=True))
    assert measure_crossing(deck, counts).is_best


@pytest.mark.parametrize("parts", [2, 3, 4])
@pytest.mark.parametrize("k", [4, 6, 8])
def test_parts_are_as_large_as_each_other_and_always_cross(k: int, parts: int) -> None:
    """Every symbol is in every part, and a match of two parts shows two faces."""
    n = k * (k - 1) + 1
    deck = deal_by_card(make_deck(n, k), parts)
    sizes = Counter(card.part for card in deck.cards)
    assert max(sizes.values()) - min(sizes.values()) <= 1
    assert all(set(card.faces) == {card.part} for card in deck.cards)
    across = [(a, b) for a, b in combinations(deck.cards, 2) if a.part != b.part]
    assert measure_parts(deck).pairs == len(across)
    assert measure_parts(deck).share == 1
    if parts == 2:
        for symbol in range(n):
            assert {card.part for card in deck.cards if symbol in card.symbols} == {0, 1}


# what a theme may say


def test_every_symbol_shows_the_faces_of_the_theme(tmp_path: Path) -> None:
    """Picture, name, name with its article; names of languages that the theme does not list are known too."""
    theme = read(tmp_path, "languages: [en]\nfaces: [picture, word:nl, article:de]")
    picture, word, full = theme.symbols[0].faces
    assert picture.source == Emoji("🐶")
    assert isinstance(word.source, Text)
    assert isinstance(full.source, Text)
    assert (word.source.text, word.language, full.source.text, full.language) == ("hond", "nl", "der Hund", "de")
    assert theme.languages == ("en",)
    assert theme.face_counts == (3,) * 7


def test_two_languages_stand_on_plates_that_differ_in_shape_and_name(tmp_path: Path) -> None:
    """One language alone needs none."""
    marks = [text.style.mark for text in texts_of(read(tmp_path, "faces: [word:nl, word:fr]").symbols[0])]
    assert [(mark.shape, mark.tag) for mark in marks if mark] == [("pill", "NL"), ("rectangle", "FR")]
    (alone,) = texts_of(read(tmp_path, "faces: [picture, word:fr]").symbols[0])
    assert alone.style.mark is None


def test_a_symbol_may_have_faces_of_its_own(tmp_path: Path) -> None:
    """Texts, an emoji, names; the others keep those of the theme."""
    own = '{faces: ["3 × 4", "12"]}, {faces: [🐱, poes, word:fr], fr: chat}, {emoji: 🐶, faces: [picture, "Rex"]}'
    theme = read(tmp_path, "languages: [fr]", f"[{own}, cheval, vache, cochon, mouton]")
    shown = [
        [getattr(face.source, "text", getattr(face.source, "char", "")) for face in s.faces] for s in theme.symbols
    ]
    assert shown[:4] == [["3 × 4", "12"], ["🐱", "poes", "chat"], ["🐶", "Rex"], ["🐴"]]
    assert theme.symbols[0].names == {"fr": "3 × 4 = 12"}
    assert {face.rotation for face in theme.symbols[0].faces} == {"upright"}


def test_a_symbol_of_pictures_only_is_named_by_the_lexicon_or_not_at_all(tmp_path: Path) -> None:
    """An emoji is no name."""
    theme = read(tmp_path, "", "[{faces: [🐱, 😺]}, {faces: [🔶, 🔷]}, dog, horse, cow, pig, sheep]")
    assert theme.symbols[0].names["nl"] == "kat"
    assert theme.symbols[1].names == {}


def test_names_alone_make_a_symbol_where_only_words_are_shown(tmp_path: Path) -> None:
    """A vocabulary list needs no pictures; with pictures asked for, it is a fault."""
    entries = [f"{{nl: {a}, fr: {b}}}" for a, b in zip("abcdefg", "hijklmo", strict=True)]
    theme = read(tmp_path, "languages: [nl, fr]\nfaces: [word:nl, word:fr]", f"[{', '.join(entries)}]")
    assert [face.source.text for face in theme.symbols[0].faces if isinstance(face.source, Text)] == ["a", "h"]
    told = faults_of(tmp_path, f"faces: [picture, word:nl]\nsymbols: [{', '.join(entries)}]\n")
    assert len(told) == 7
    assert "has no picture" in told[0]


def test_words_never_stand_on_their_heads(tmp_path: Path) -> None:
    """Even where pictures turn any way."""
    theme = read_theme(write(tmp_path, f"faces: [picture, word:nl]\nlayout: {{rotation: full}}\nsymbols: {ANIMALS}\n"))
    assert [face.rotation for face in theme.symbols[0].faces] == ["full", "tilt"]


def test_letters_have_colours_of_the_palette_that_give_no_match_away(tmp_path: Path) -> None:
    """Both faces of a symbol share a colour about as often as chance has it."""
    entries = ", ".join(f'{{faces: ["{i} + 1", "{i + 1}0"]}}' for i in range(57))
    colors = [[text.color for text in texts_of(symbol)] for symbol in read(tmp_path, "", f"[{entries}]").symbols]
    assert {color for pair in colors for color in pair} == set(list_colors().values())
    assert sum(one == other for one, other in colors) <= 14


FAULTS = {
    f"faces: [picture, word:xx]\nsymbols: {ANIMALS}\n": '1:18: faces: there is no language "xx"',
    f"faces: [picture, wort:nl]\nsymbols: {ANIMALS}\n": '1:18: faces: "wort:nl" is no face',
    f"faces: [picture, picture]\nsymbols: {ANIMALS}\n": '1:18: "picture" is listed twice',
    "faces: [picture, word:nl]\nsymbols: [🔶, dog, cat, cow, pig, sheep]\n": '2:11: symbol "🔶" has no Dutch name',
    f"faces: [picture, word:cy]\nsymbols: {ANIMALS}\n": "1:8: no symbol has a Welsh name",
    f"faces_by: card\nsymbols: {ANIMALS}\n": "1:11: faces_by: card needs symbols with two faces or more",
    f"faces: [picture, word:nl]\nfaces_by: card\ndeck: {{levels: [3]}}\nsymbols: {ANIMALS}\n": "2:11: faces_by: card "
    "stands beside levels",
    'symbols: [{faces: ["12"]}, dog, cat, horse, cow, pig, sheep]\n': "1:19: a symbol has two faces or more",
    'symbols: [{faces: [picture, "a"]}, dog, cat, cow, pig, sheep]\n': '1:11: the face "picture" needs a picture',
    f"font: comic\nsymbols: {ANIMALS}\n": '1:7: there is no font "comic"',
    f"font: none.ttf\nsymbols: {ANIMALS}\n": "1:7: ",
    f"font: ../other.ttf\nsymbols: {ANIMALS}\n": '1:7: font: "../other.ttf" leads out',
    f"fill: anmals\nsymbols: {ANIMALS}\n": '1:7: fill: there is no group "anmals"',
    f"crop: oval\nsymbols: {ANIMALS}\n": '1:7: crop: "oval" is not none, square or circle',
}


@pytest.mark.parametrize("text", FAULTS)
def test_each_fault_is_told_once_at_its_place(tmp_path: Path, text: str) -> None:
    """In words that say what is wrong."""
    told = faults_of(tmp_path, text)
    assert len(told) == 1
    assert told[0].startswith(FAULTS[text].split(" font")[0]) or FAULTS[text].split(": ", 1)[1] in told[0]


def test_two_symbols_that_show_the_same_text_are_a_fault_with_both_lines(tmp_path: Path) -> None:
    """3 × 4 and 2 × 6 are both 12: a match would have two answers."""
    lines = [
        '{faces: ["3 × 4", "12"]}',
        '{faces: ["2 × 6", " 12 "]}',
        *(f'{{faces: ["{a}", "{b}"]}}' for a, b in SUMS[:4]),
    ]
    told = faults_of(tmp_path, "symbols:\n" + "".join(f"  - {line}\n" for line in lines))
    assert len(told) == 1
    assert told[0].startswith('3:5: this symbol shows "12", and so does the one on line 2')


def test_texts_are_compared_as_they_look() -> None:
    """Spaces, signs and case are the same to a player; single letters are not."""
    assert fold_print("3 x 4") == fold_print("3×4")
    assert fold_print("½") == fold_print("1/2")
    assert fold_print("Der Hund") == fold_print("der hund")
    assert fold_print("a") != fold_print("A")


def test_a_deck_is_filled_up_with_words_that_have_the_same_faces(tmp_path: Path) -> None:
    """What was added is marked in words and in the legend."""
    words = "hond, kat, paard, koe, varken, schaap, muis, vis, vogel, bij, leeuw"
    path = write(tmp_path, f"languages: [nl]\nfill: animals\nfaces: [picture, word:fr]\nsymbols: [{words}]\n")
    theme = read_theme(path)
    added = [symbol for symbol in theme.symbols if symbol.filled]
    assert (len(theme.symbols), len(added)) == (13, 2)
    assert all(len(symbol.faces) == 2 for symbol in added)
    assert f"Filled up with {added[0].names['nl']} and {added[1].names['nl']}." in check_theme(path).words
    press = set_up(theme)
    text = " ".join(read_text(make_legend(press.printer, press.artworks)))
    assert f"{added[0].names['nl']} *" in text
    assert "* toegevoegd om de set compleet te maken" in text


# how cards look


@pytest.fixture(scope="module")
def words_deck(tmp_path_factory: pytest.TempPathFactory) -> Composition:
    """Upright words of letters that are all as high as an x, plain and on plates."""
    folder = tmp_path_factory.mktemp("words")
    names = ["oom", "zoo", "neon", "mocca", "rauw", "saus", "vacuum"]
    french = ["maman", "roman", "savon", "ami", "vers", "rose", "mur"]
    entries = ", ".join(
        f"{{nl: {a}, fr: {b}}}" for a, b in zip(names, [n.replace("i", "e") for n in french], strict=True)
    )
    text = "languages: [nl, fr]\nfaces: [word:nl, word:fr]\ndeck: {symbols_per_card: 3}\ncard: {size: 60}\n"
    text += f"layout: {{quality: draft, rotation: upright, size_spread: 2}}\nsymbols: [{entries}]\n"
    return compose_deck(read_theme(write(folder, text)))


def render_alone(deck: Composition, number: int, slot: int, dpi: int = 600) -> Image.Image:
    """A card with one of its symbols only, as printed."""
    front = deck.fronts[number]
    printable = make_printable(deck, FormLibrary())
    alone = replace(printable, fronts={number: replace(front, stamps=(front.stamps[slot],))})
    page = Page(Paper("card", 60.0, 60.0), (Slot(number, 30.0, 30.0),))
    document = pypdfium2.PdfDocument(alone.print_plain(page))
    picture: Image.Image = document[0].render(scale=dpi / 72).to_pil().convert("RGB")
    document.close()
    return picture


def test_every_word_is_readable_on_the_printed_card(words_deck: Composition) -> None:
    """The ink of letters as high as an x is at least 2.5 mm high, on every plate of every card."""
    color = np.array([int(INK[i : i + 2], 16) for i in (1, 3, 5)])
    heights = []
    for number in list(words_deck.layouts)[:4]:
        for slot in range(3):
            picture = np.asarray(render_alone(words_deck, number, slot)).astype(int)
            picture = picture[60:-60, 60:-60]  # the rim has the letters' colour
            distance = np.abs(picture - color).sum(axis=-1)
            yy, xx = np.mgrid[: distance.shape[0], : distance.shape[1]]
            inside = np.hypot(yy - distance.shape[0] / 2, xx - distance.shape[1] / 2) < 27 / MM_PER_INCH * 600
            rows = np.flatnonzero(((distance < 60) & inside).any(axis=1))
            heights.append((rows[-1] - rows[0] + 1) / 600 * MM_PER_INCH)
    assert min(heights) >= 2.5
    assert min(heights) < 3.5  # the smallest are asked to be just large enough, not all of them large


def test_no_piece_is_smaller_than_its_letters_allow(words_deck: Composition) -> None:
    """On any card, in the numbers that are printed."""
    theme, artworks = words_deck.theme, words_deck.artworks
    for layout in words_deck.layouts.values():
        for spot in layout:
            symbol, face = theme.pieces[spot.piece]
            source = theme.symbols[symbol].faces[face].source
            assert spot.diameter_mm >= least_diameter_mm(source, artworks[spot.piece], 2.5)


def test_a_theme_may_ask_for_larger_letters(words_deck: Composition) -> None:
    """Twice the x-height needs twice the room."""
    theme = words_deck.theme
    larger = replace(theme, layout=replace(theme.layout, min_x_height_mm=5.0))
    usual, large = (make_pieces(one, words_deck.artworks) for one in (theme, larger))
    assert [piece.least_mm for piece in large] == pytest.approx([2 * piece.least_mm for piece in usual])


def test_every_card_shows_the_faces_that_were_dealt(words_deck: Composition) -> None:
    """Slot by slot."""
    for card in words_deck.decks[0].cards:
        shown = [words_deck.theme.pieces[spot.piece] for spot in words_deck.layouts[card.number]]
        assert shown == list(zip(card.symbols, card.faces, strict=True))


def test_a_match_differs_in_size_whatever_faces_it_shows() -> None:
    """Sizes are told apart over all faces of a symbol."""
    silhouettes = [make_artwork(Emoji(char)).silhouette for char in "🐱🐶🍎🍌🚗🚀⚓"]
    pieces = [Piece(str(i), outline) for i, outline in enumerate(silhouettes) for _ in range(2)]
    deck = deal_by_slot(make_deck(7, 3), [2] * 7)
    cards = [[2 * s + f for s, f in zip(card.symbols, card.faces, strict=True)] for card in deck.cards]
    laid = lay_out_deck(cards, pieces, round_card(85), LayoutOptions(quality="draft"), 1)
    sizes: dict[int, list[float]] = {}
    for card in laid:
        for spot in card:
            sizes.setdefault(spot.piece // 2, []).append(spot.diameter_mm)
    assert all(
        large / small >= 1.02 for found in sizes.values() for large, small in _steps(sorted(found, reverse=True))
    )


def _steps(sizes: list[float]) -> list[tuple[float, float]]:
    return list(pairwise(sizes))


def test_parts_have_rims_and_dots_of_their_own(tmp_path: Path) -> None:
    """A photocopy still shows the dots."""
    theme = read(tmp_path, "faces: [picture, word:nl]\nfaces_by: card")
    decks = deal_theme(theme)
    owners = assign_owners(theme, decks)
    parts = {(card.part, owners[card.number]) for card in decks[0].cards}
    assert len(parts) == 2
    assert {owner.dots for _, owner in parts} == {1, 2}
    assert len({owner.rim_color for _, owner in parts}) == 2


def opacity_of(source: Source) -> npt.NDArray[Any]:
    """How opaque a photo is, pixel by pixel."""
    master = make_artwork(source).master
    assert isinstance(master, PictureMaster)
    return np.asarray(master.picture.getchannel("A"))


def test_a_name_stands_below_its_picture(tmp_path: Path) -> None:
    """Of drawings and photos alike; the letters are under the picture and touch it nowhere."""
    Image.new("RGB", (400, 300), "#cc2222").save(tmp_path / "photo.jpg")
    symbols = f"[{{image: photo.jpg, crop: circle, en: Ann}}, {', '.join(ANIMALS[1:-1].split(', ')[:6])}]"
    theme = read(tmp_path, "languages: [en]\nfaces: [picture+word:en]", symbols)
    for symbol in theme.symbols[:2]:
        source = symbol.faces[0].source
        assert isinstance(source, Captioned)
        assert symbol.faces[0].rotation == "tilt"
        artwork = make_artwork(source)
        assert artwork.height > artwork.width
        assert least_diameter_mm(source, artwork) > 15
    rows = np.flatnonzero(opacity_of(theme.symbols[0].faces[0].source).max(axis=1) > 0)
    gap = np.flatnonzero(np.diff(rows) > 3)
    assert len(gap) == 1  # one white band between the two
    assert 290 <= rows[gap[0]] <= 300


@pytest.mark.parametrize("crop", get_args(Crop))
def test_photos_are_trimmed_around_their_middle(tmp_path: Path, crop: Crop) -> None:
    """A square is as wide as high; a circle has transparent corners far inside the photo's."""
    Image.new("RGB", (400, 300), "#cc2222").save(tmp_path / "photo.jpg")
    alpha = opacity_of(ImageFile(tmp_path / "photo.jpg", crop=crop))
    assert alpha.shape == ((300, 400) if crop == "none" else (300, 300))
    assert alpha[30, 30] == (0 if crop == "circle" else 255)


# what is told about it


def test_the_legend_shows_all_faces_of_a_symbol_side_by_side(tmp_path: Path) -> None:
    """On one line, in the order of the faces, and the names they show are not written again."""
    press = set_up(read(tmp_path, "languages: [nl, en]\nfaces: [picture, article:nl, word:fr]"))
    pdf = make_legend(press.printer, press.artworks)
    spots = {}
    with pikepdf.open(io.BytesIO(pdf)) as document:
        matrix: list[float] = []
        for step in pikepdf.parse_content_stream(document.pages[0]):
            if str(step.operator) == "cm":
                matrix = [float(value) for value in step.operands]
            elif str(step.operator) == "Do":
                spots[int(str(step.operands[0]).removeprefix("/S"))] = matrix
    assert sorted(spots) == list(range(21))
    for symbol in range(7):
        xs = [spots[symbol * 3 + face][4] for face in range(3)]
        ys = [spots[symbol * 3 + face][5] for face in range(3)]
        assert xs == sorted(xs)
        assert max(ys) - min(ys) < 60
    text = " ".join(read_text(pdf))
    assert "dog" in text
    assert "hond" not in text


@pytest.mark.parametrize("language", WHOLE)
@pytest.mark.parametrize("faces", ["[picture, word:nl]", "[word:nl, word:fr]", "[picture, word:nl, word:fr]"])
def test_the_rules_say_what_holds_for_this_deck(tmp_path: Path, language: str, faces: str) -> None:
    """Not "same shape, same colours", but how a match may look; and what the legend is good for."""
    theme = read(tmp_path, f"faces: {faces}")
    plain = read(tmp_path, "")
    mixed, same = (print_rules_text(one, [language], deal_theme(one), 10_000) for one in (theme, plain))
    new = [line for line in mixed.splitlines() if line not in same.splitlines()]
    gone = [line for line in same.splitlines() if line not in mixed.splitlines() and "Twemoji" not in line]
    assert len(new) == 3
    assert len(gone) == 2
    assert "{" not in mixed


@pytest.mark.parametrize("language", WHOLE)
def test_the_rules_explain_parts_and_how_to_play_across_them(tmp_path: Path, language: str) -> None:
    """With the titles of the games, and the number of parts."""
    theme = read(tmp_path, "faces: [picture, word:nl]\nfaces_by: card")
    text = print_rules_text(theme, [language], deal_theme(theme), 10_000).replace("\N{NO-BREAK SPACE}", " ")
    assert "{" not in text
    told = [line for line in text.splitlines() if (" 2 " in line and len(line) > 120) or "jest ich 2" in line]
    assert told


def test_sums_are_told_as_sums(tmp_path: Path) -> None:
    """The booklet does not speak of pictures where there are none, and its example is one of the deck's own."""
    entries = ", ".join(f'{{faces: ["{a}", "{b}"]}}' for a, b in SUMS)
    theme = read(tmp_path, "", f"[{entries}]")
    text = print_rules_text(theme, ["en"], deal_theme(theme))
    a, b = SUMS[0]
    assert f"such as “{a}” and “{b}”." in " ".join(text.split())


def test_the_record_has_faces_share_and_parts(tmp_path: Path) -> None:
    """For every symbol on every card, which face it shows."""
    theme = read(tmp_path, "faces: [picture, word:nl]\ndeck: {symbols_per_card: 3}")
    wishes = BuildOptions(booklet=False, legend=False)
    record = json.loads(print_deck(theme, wishes).files["deck.json"])
    assert record["faces"] == {"by": "slot", "share": 0.666667, "best": True}
    assert record["symbols"][0]["faces"] == [{"kind": "picture"}, {"kind": "word", "text": "hond", "language": "nl"}]
    assert [spot["face"] for spot in record["decks"][0]["cards"][0]["symbols"]] == [0, 1, 0]
    parts = json.loads(print_deck(replace(theme, faces_by="card"), wishes).files["deck.json"])
    assert parts["faces"] == {"by": "card", "share": 1.0, "best": True}
    assert {card["part"] for card in parts["decks"][0]["cards"]} == {1, 2}
    assert record["id"] != parts["id"]


def test_check_prints_the_share(run: Run, tmp_path: Path) -> None:
    """As the most there can be, or as parts between which every match crosses."""
    path = write(tmp_path, f"faces: [picture, word:nl]\ndeck: {{symbols_per_card: 3}}\nsymbols: {ANIMALS}\n")
    share = "66.7 % of all pairs of cards show their common symbol with different faces, the most possible."
    assert share in run("check", path).stdout
    path.write_text(path.read_text(encoding="utf-8").replace("word:nl]", "word:nl]\nfaces_by: card"), encoding="utf-8")
    assert "2 parts of 4 and 3 cards: every match across them shows two different faces." in run("check", path).stdout


def test_faces_of_one_symbol_are_no_lookalikes(tmp_path: Path) -> None:
    """Those of two symbols are."""
    symbols = "[{faces: [🐱, 😺]}, {faces: [🐶, 🍎]}, {faces: [🚗, 🚀]}, {faces: [⚓, 🍌]}, 🎈, 🌲, {faces: [🍅, 🎃]}]"
    theme = read(tmp_path, "", symbols)
    shown = list_shown(theme.symbols)
    artworks = [make_artwork(symbol.source) for symbol in shown]
    pairs = find_lookalikes(shown, artworks, with_remarks=True)
    assert all(shown[pair.first].id != shown[pair.second].id for pair in pairs)
    twins = (shown[0], replace(shown[0], id="other"))
    assert find_lookalikes(twins, (artworks[0], artworks[0]))


def test_a_deck_without_faces_is_told_nothing_about_them(tmp_path: Path) -> None:
    """Neither in words nor in numbers."""
    theme = read(tmp_path, "")
    assert measure_faces(theme, deal_theme(theme)) is None
