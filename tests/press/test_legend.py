"""The legend: every name readable on the page, whatever the number of symbols and the alphabet."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest

from dobble_print.errors import ThemeError
from dobble_print.press.legend import LEAST_PT, LegendPlan, is_shown, list_entries, make_legend, plan_legend
from dobble_print.press.typography import BOLD, REGULAR, order_visually, register_fonts, text_width_pt
from dobble_print.theme.model import Theme
from dobble_print.theme.reader import read_theme
from dobble_print.units import papers
from tests.booklets import classic, read_text, set_up, write_theme

WIDTH_MM, HEIGHT_MM = 186.0, 245.0


def plan_for(theme: Theme, languages: tuple[str, ...]) -> LegendPlan:
    """The legend of all symbols on A4."""
    register_fonts()
    entries = list_entries(theme, range(len(theme.symbols)), languages, ["also"] * len(languages))
    return plan_legend(entries, WIDTH_MM, HEIGHT_MM, (1, 2, 3, 4))


@pytest.mark.parametrize("symbols", [31, 57, 91, 133])
def test_it_fits_one_page_by_itself(tmp_path: Path, symbols: int) -> None:
    """In two languages, with nothing outside the page, nothing overlapping and no type under six points."""
    plan = plan_for(write_theme(tmp_path, symbols, "languages: [en, nl]\n"), ("en", "nl"))
    assert len(plan.pages) == 1
    assert len(plan.pages[0]) == symbols
    assert plan.size_pt >= LEAST_PT
    for cell in plan.pages[0]:
        widths = [
            text_width_pt(order_visually(line.text), BOLD if line.bold else REGULAR, plan.size_pt)
            for line in cell.lines
        ]
        assert cell.x_mm + plan.picture_mm + max(widths) * 25.4 / 72 <= WIDTH_MM + 3
        assert plan.picture_mm / 2 - 0.01 <= cell.middle_mm <= HEIGHT_MM - plan.picture_mm / 2 + 0.01


def test_many_languages_take_more_pages(tmp_path: Path) -> None:
    """Eight names each are not squeezed into unreadable type."""
    languages = ("en", "nl", "fr", "de", "es", "it", "pt", "pl")
    plan = plan_for(write_theme(tmp_path, 133, f"languages: [{', '.join(languages)}]\n"), languages)
    assert len(plan.pages) > 1
    assert plan.size_pt >= LEAST_PT
    assert sum(len(page) for page in plan.pages) == 133


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_every_name_is_on_the_poster(paper: str) -> None:
    """In all languages of the theme, on the paper asked for."""
    press = classic()
    pdf = make_legend(press.printer, press.artworks, paper=papers()[paper])
    text = " ".join(read_text(pdf))
    for symbol in press.theme.symbols:
        for name in symbol.names.values():
            assert name in text, name
    with pikepdf.open(io.BytesIO(pdf)) as document:
        assert float(document.pages[0].MediaBox[2]) == pytest.approx(papers()[paper].width_mm * 72 / 25.4, abs=0.1)


def test_symbols_are_in_the_order_of_the_first_language() -> None:
    """Down the columns, as a dictionary has them."""
    register_fonts()
    theme = classic().theme
    entries = list_entries(theme, range(len(theme.symbols)), ("de", "nl"), ["auch", "ook"])
    names = [entry.texts[0].text for entry in entries]
    assert names == sorted(
        names, key=lambda name: name.casefold().replace("ä", "a").replace("ö", "o").replace("ü", "u")
    )


def test_synonyms_articles_and_footnotes_are_told(tmp_path: Path) -> None:
    """The article because the theme wants it, synonyms after the language's word for "also"."""
    head = "languages: [nl]\narticle: true\nfootnotes: {nl: Een hond is geen kat.}\n"
    press = set_up(write_theme(tmp_path, 7, head))
    text = " ".join(read_text(make_legend(press.printer, press.artworks)))
    for words in ("de kat", "ook: ", "poes", "Een hond is geen kat."):
        assert words in text


def test_a_legend_with_articles_is_sorted_by_what_follows_them(tmp_path: Path) -> None:
    """Also where the theme writes the article itself."""
    register_fonts()
    own = "{text: A, nl: de zeppelin}, {text: B, nl: het aapje}, dog, cat, {text: D, nl: de Boot}, fish"
    (tmp_path / "theme.yaml").write_text(f"languages: [nl]\narticle: true\nsymbols: [{own}]\n", encoding="utf-8")
    theme = read_theme(tmp_path / "theme.yaml")
    entries = list_entries(theme, range(len(theme.symbols)), ("nl",), [""])
    named = [entry.texts[0].text for entry in entries]
    assert named == ["het aapje", "de Boot", "de hond", "de kat", "de vis", "de zeppelin"]


def test_symbols_on_no_card_are_left_out(tmp_path: Path) -> None:
    """A symbol that players cannot find is not in the legend."""
    press = set_up(write_theme(tmp_path, 8, "languages: [en]\ndeck: {symbols_per_card: 3}\n"))
    text = " ".join(read_text(make_legend(press.printer, press.artworks)))
    left_out = press.theme.symbols[press.decks[0].unused[0]].names["en"]
    assert left_out not in text


def test_a_name_without_letters_is_a_fault_with_its_line(tmp_path: Path) -> None:
    """All such names at once, each where it stands in the theme."""
    path = tmp_path / "theme.yaml"
    emoji = ["🐱", "🐶", "🍎", "🍌", "🚗", "🚀", "⚓"]
    names = ["猫", "犬", "りんご", "a", "b", "c", "d"]
    lines = [f"  - {{emoji: {e}, ja: {name}}}\n" for e, name in zip(emoji, names, strict=True)]
    path.write_text("languages: [ja]\nsymbols:\n" + "".join(lines), encoding="utf-8")
    press = set_up(read_theme(path))
    with pytest.raises(ThemeError) as error:
        make_legend(press.printer, press.artworks)
    assert [fault.place.line for fault in error.value.faults if fault.place] == [3, 4, 5]
    assert "U+732B" in str(error.value)


def test_symbols_are_embedded_once_and_fonts_entirely(tmp_path: Path) -> None:
    """One form a symbol, on however many pages; every font in the file."""
    press = classic()
    with pikepdf.open(io.BytesIO(make_legend(press.printer, press.artworks, ["nl"]))) as document:
        forms = document.pages[0].Resources.XObject
        assert len(forms.keys()) == 57
        for font in document.pages[0].Resources.Font.values():
            assert "/FontFile2" in font.FontDescriptor


def test_the_same_theme_gives_the_same_bytes() -> None:
    """Twice in one process."""
    press = classic()
    assert make_legend(press.printer, press.artworks) == make_legend(press.printer, press.artworks)


def test_a_theme_without_languages_lists_its_ids(tmp_path: Path) -> None:
    """Names are what the theme calls its symbols."""
    path = tmp_path / "theme.yaml"
    path.write_text("languages: []\nsymbols: [🐱, 🐶, 🍎, 🍌, 🚗, 🚀, ⚓]\n", encoding="utf-8")
    press = set_up(replace(read_theme(path), languages=()))
    text = " ".join(read_text(make_legend(press.printer, press.artworks)))
    assert all(symbol.id in text or symbol.names for symbol in press.theme.symbols)


def test_it_can_follow_the_order_of_the_theme(tmp_path: Path) -> None:
    """Some lists have an order of their own: days, numbers, the pages of a schoolbook."""
    theme = write_theme(tmp_path, 13, "languages: [en]\nlegend_order: theme\n")
    entries = list_entries(theme, range(13), ("en",), ("also",))
    assert [entry.symbol for entry in entries] == list(range(13))
    by_name = list_entries(replace(theme, legend_order="name"), range(13), ("en",), ("also",))
    assert [entry.symbol for entry in by_name] != list(range(13))


def test_letters_name_themselves_once(tmp_path: Path) -> None:
    """The legend of an alphabet shows its letters large, and does not write them again in every language."""
    theme = tmp_path / "theme.yaml"
    letters = ", ".join(f"{{text: {letter}}}" for letter in "AKMRST")
    theme.write_text(f"languages: [en, nl]\nsymbols: [{letters}]\n")
    symbols = read_theme(theme).symbols
    assert all(is_shown(name, code, symbol) for symbol in symbols for code, name in symbol.names.items())
