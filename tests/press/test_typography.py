"""Lettering: alphabets, reading directions and missing letters, read from the paper."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from dobble_print.art.svg.render import render_svg
from dobble_print.art.text.plates import draw_text
from dobble_print.press import typography as lettering
from dobble_print.press.typography import (
    BOLD,
    break_lines,
    draw_line,
    explain_missing,
    find_missing,
    is_right_to_left,
    isolate,
    order_visually,
    register_fonts,
)
from dobble_print.theme.model import Text
from dobble_print.words.writing import collate
from tests.booklets import read_text

Mask = npt.NDArray[np.bool_]


def draw(text: str) -> bytes:
    """A page with one line of bold letters."""
    register_fonts()
    sink = io.BytesIO()
    canvas = Canvas(sink, pagesize=(900, 160), invariant=1, initialFontName=BOLD)
    draw_line(canvas, 40, 60, text, BOLD, 60)
    canvas.save()
    return sink.getvalue()


def crop(picture: Image.Image) -> Mask:
    """The ink of a picture, cut to its edges and brought to one size."""
    ink = np.asarray(picture) > 127
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    cut = Image.fromarray(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
    return np.asarray(cut.convert("L").resize((400, 120))) > 127


def printed(text: str) -> Mask:
    """A line as the press draws it."""
    page = pypdfium2.PdfDocument(draw(text))[0]
    return crop(page.render(scale=2, fill_color=(0, 0, 0, 0), maybe_alpha=True).to_pil().getchannel("A"))


def shaped(text: str) -> Mask:
    """The same line shaped by HarfBuzz, which knows nothing of the press."""
    return crop(render_svg(draw_text(Text(text.replace(" ", "\u00a0"), "#000000")), 1600).getchannel("A"))


@pytest.mark.parametrize("text", ["قطة", "سيارة", "تفاحة", "سلحفاة", "گربه", "أرنب", "لا", "חתול", "ילדה", "ג׳ירפה"])
def test_right_to_left_names_print_as_a_shaping_engine_draws_them(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Joined and ordered: the ink is that of HarfBuzz but for its kerning; letters one by one come nowhere near."""
    ours, theirs = printed(text), shaped(text)
    assert (ours & theirs).sum() / (ours | theirs).sum() > 0.7
    monkeypatch.setattr(lettering, "order_visually", lambda line: line)
    naive = printed(text)
    assert (naive & theirs).sum() / (naive | theirs).sum() < 0.8 * (ours & theirs).sum() / (ours | theirs).sum()


@pytest.mark.parametrize("text", ["قطة (صغيرة)", "חתול (קטן)"])
def test_brackets_are_mirrored(text: str) -> None:
    """The bracket drawn first, at the left, opens to the right."""
    line = order_visually(text)
    assert line[0] == "("
    assert line.index("(") < line.index(")")


@pytest.mark.parametrize("text", ["قطة", "حصان (صغير)", "חתול (קטן)"])
def test_a_right_to_left_name_is_copied_as_it_is_read(text: str) -> None:
    """Ordinary letters in reading order, though joined forms are drawn the other way round."""
    assert read_text(draw(text)) == [text]


def test_names_in_a_row_keep_their_order() -> None:
    """Two right-to-left names beside each other do not change places, and their brackets stay with them."""
    line = order_visually(" · ".join(map(isolate, ["kot", "חתול (לבן)", "כלב"])))
    assert line == "kot · (ןבל) לותח · בלכ"


@pytest.mark.parametrize(
    "text", ["łódź żółw", "ñandú", "Straße", "γάτα", "кошка", "їжак", "ağaç", "œuf", "კატა", "Đà Nẵng"]
)
def test_alphabets_of_europe_are_complete(text: str) -> None:
    """Latin with all its accents, Greek, Cyrillic, Georgian."""
    assert find_missing(text) == []


def test_a_letter_without_a_glyph_is_named() -> None:
    """The character, its code and its name; never a gap."""
    fault = explain_missing("猫 cat", 'symbol "cat"')[0]
    assert str(fault).startswith('symbol "cat": the font has no letter for "猫" (U+732B CJK UNIFIED IDEOGRAPH-732B)')


def test_direction_is_that_of_the_first_letter() -> None:
    """Digits and brackets have none of their own."""
    assert is_right_to_left("(3) קטן")
    assert not is_right_to_left("(3) cat קטן")


def test_lines_break_between_words() -> None:
    """In reading order, whatever the direction; no word is lost."""
    register_fonts()
    for text in ("the quick brown fox jumps", "קטן חתול גדול כלב שמח"):
        lines = break_lines(text, BOLD, 10, 70)
        assert len(lines) > 1
        assert " ".join(lines) == text


@pytest.mark.parametrize(
    ("language", "ordered"),
    [
        ("de", "Apfel Äpfel Ofen öl Straße Strauß Übel Zebra"),
        ("fr", "école éléphant étoile œil œuf orange"),
        ("es", "nube ñandú oso"),
        ("pl", "cytryna ćma lampa łódź mysz zebra źrebię żaba"),
        ("sv", "apa zebra åsna ärta öra"),
        ("da", "abe zebra æble ø å"),
        ("cs", "cibule čáp had chléb ibis"),
        ("en", "Apple banana cherry pie"),
    ],
)
def test_names_sort_as_in_a_dictionary_of_their_language(language: str, ordered: str) -> None:
    """Accents with their letter, unless the language counts them as letters of their own."""
    words = ordered.split()
    shuffled = words[::-1]
    assert sorted(shuffled, key=lambda word: collate(word, language)) == words
