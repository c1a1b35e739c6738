"""Bad fonts: files of a few kilobytes whose letters are endless to draw or to shape."""

from __future__ import annotations

import io
import random
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from dobble_print.art.text.plates import draw_text, measure_box, measure_x_height
from dobble_print.art.text.shaping import open_text_fonts
from dobble_print.errors import ArtworkError
from dobble_print.fonts import find_font
from dobble_print.theme.model import Text, TextStyle
from tests.hostile.harness import MOST_INPUT_BYTES, MOST_SECONDS, Outcome, run


@lru_cache(maxsize=1)
def _small_font() -> bytes:
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    font, subsetter = TTFont(io.BytesIO(find_font("school").data)), Subsetter(Options(layout_features=[]))
    subsetter.populate(text="abcdefghijkx8123/ ")
    subsetter.subset(font)
    return _save(font)


def _open_small() -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(io.BytesIO(_small_font()))


def _save(font: Any) -> bytes:
    sink = io.BytesIO()
    font.save(sink)
    assert len(sink.getvalue()) < MOST_INPUT_BYTES
    return sink.getvalue()


def _make_scribble(points: int) -> bytes:
    """A font in which every letter is the same scribble."""
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    font, pen, dice = _open_small(), TTGlyphPen(None), random.Random(2)
    pen.moveTo((0, 0))
    for _ in range(points):
        pen.lineTo((dice.randint(0, 1000), dice.randint(0, 1000)))
    pen.closePath()
    scribble = font.getBestCmap()[ord("a")]
    font["glyf"][scribble] = pen.glyph()
    for table in font["cmap"].tables:
        table.cmap.update(dict.fromkeys(table.cmap.keys() - {ord(" ")}, scribble))
    return _save(font)


def _make_multiplier(times: int, lookups: int) -> bytes:
    """A font that writes an "a" many times over, again and again."""
    from fontTools.feaLib.builder import addOpenTypeFeaturesFromString

    font = _open_small()
    letter = font.getBestCmap()[ord("a")]
    rule = f"sub {letter} by {' '.join([letter] * times)};"
    rules = "".join(f"lookup L{i} {{ {rule} }} L{i};\n" for i in range(lookups))
    called = " ".join(f"lookup L{i};" for i in range(lookups))
    addOpenTypeFeaturesFromString(font, f"{rules} feature ccmp {{ {called} }} ccmp;")
    return _save(font)


def _style(folder: Path, font: bytes) -> TextStyle:
    (folder / "own.ttf").write_bytes(font)
    return TextStyle(font="own.ttf", folder=folder)


def _list_words(count: int) -> list[str]:
    """Different words of 40 letters."""
    return [("".join("abcdefgh"[i >> k & 7] for k in (0, 3, 6)) * 14)[:40] for i in range(count)]


def _check(folder: Path, font: bytes, symbols: list[str], head: str = "languages: [en]") -> Outcome:
    (folder / "own.ttf").write_bytes(font)
    lines = "".join(f"  - {symbol}\n" for symbol in symbols)
    (folder / "theme.yaml").write_text(f"title: T\nfont: own.ttf\n{head}\nsymbols:\n{lines}", encoding="utf-8")
    return run("check", "theme.yaml", cwd=folder)


def test_letters_of_endless_points_end_at_once(tmp_path: Path) -> None:
    """A whole deck of them is refused, each text at its line, before any of them is drawn."""
    outcome = _check(tmp_path, _make_scribble(20_000), [f"{{text: {word}}}" for word in _list_words(57)])
    assert outcome.code == 4 and "Traceback" not in outcome.err
    told = [
        line for line in outcome.err.splitlines() if 'the font "own.ttf" has letters of far too many points' in line
    ]
    assert len(told) == 57 and told[-1].startswith("theme.yaml:61:")
    assert outcome.seconds < MOST_SECONDS


def test_endless_letters_below_a_picture_end_at_once(tmp_path: Path) -> None:
    """The names under pictures are drawn in the same font and refused in the same words."""
    named = [
        f"{{emoji: {emoji}, names: {{en: {word}}}}}" for emoji, word in zip("⚓🐱🐶🍎🍌🚗⛵", "abcdefg", strict=True)
    ]
    outcome = _check(tmp_path, _make_scribble(20_000), named, 'faces: [picture, "picture+word:en"]')
    assert outcome.code == 4 and outcome.err.count("far too many points") == 7, outcome.err
    assert outcome.seconds < MOST_SECONDS


@pytest.mark.parametrize("text", ["a", "a 1/2", "1/2", "2^3"])
@pytest.mark.parametrize("ask", [draw_text, measure_box, measure_x_height])
def test_every_way_to_draw_refuses_endless_letters(tmp_path: Path, text: str, ask: Any) -> None:
    """Words, fractions and exponents, drawn or measured."""
    with pytest.raises(ArtworkError, match=r"far too many points\. Use a simpler font"):
        ask(Text(text, style=_style(tmp_path, _make_scribble(5_000))))


def test_rough_letters_are_drawn_until_the_text_is_too_long(tmp_path: Path) -> None:
    """A chalk font of two thousand points a letter writes a word; forty letters of it are too many, and only they."""
    style = _style(tmp_path, _make_scribble(2_000))
    with pytest.raises(ArtworkError, match=r"too many points for so long a text\. Shorten the text"):
        draw_text(Text("a" * 40, style=style))
    assert draw_text(Text("abcde", style=style)).count(b" ") > 2_000


@pytest.mark.parametrize(("times", "lookups"), [(30, 6), (30, 1), (5, 3)])
def test_rules_that_multiply_letters_are_refused(tmp_path: Path, times: int, lookups: int) -> None:
    """Beyond the limits of the library, and far below them."""
    style = _style(tmp_path, _make_multiplier(times, lookups))
    with pytest.raises(ArtworkError, match=r'the font "own\.ttf" is damaged or unusable'):
        draw_text(Text("a", style=style))
    with pytest.raises(ArtworkError, match="is damaged or unusable"):  # without another try
        draw_text(Text("b", style=style))


def test_a_letter_of_several_glyphs_is_honest(tmp_path: Path) -> None:
    """Letters that are put together of parts are drawn with all of them."""
    assert draw_text(Text("a", style=_style(tmp_path, _make_multiplier(4, 2)))).count(b"M") > 16


def test_a_theme_in_a_font_that_multiplies_letters_ends_at_once(tmp_path: Path) -> None:
    """Each text is a fault of its line; nothing breaks."""
    words = ["{text: a}", *(f"{{text: {word}}}" for word in _list_words(56))]
    outcome = _check(tmp_path, _make_multiplier(30, 6), words)
    assert outcome.code == 4 and outcome.err.count("is damaged or unusable") == 57, outcome.err
    assert outcome.seconds < MOST_SECONDS


def test_a_glyph_is_measured_once(tmp_path: Path) -> None:
    """However many ways there are to break a text: a font can make measuring a letter as slow as drawing it."""
    typeface = open_text_fonts("a", _style(tmp_path, _small_font())).main
    asked: list[int] = []

    class Counting:
        def get_glyph_extents(self, glyph: int) -> None:
            asked.append(glyph)

    counted = replace(typeface, font=Counting(), extents={})
    assert {counted.bounds(7) for _ in range(3)} == {(0.0, 0.0, 0.0, 0.0)} and asked == [7]
