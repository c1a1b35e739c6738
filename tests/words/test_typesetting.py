"""Type as printers set it: quotes, apostrophes, and spaces at which no line may end."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from dobble_print.press.booklet.book import plan_booklet
from dobble_print.press.legend import make_legend
from dobble_print.press.typography import break_lines, register_fonts
from dobble_print.resources import read_table
from dobble_print.rules.rulebook import compose_rules
from dobble_print.rules.texts import read_rules
from dobble_print.sheets.marks import find_words
from dobble_print.words.languages import find_row
from dobble_print.words.typesetting import TABLE, set_type
from tests.booklets import WHOLE, classic, set_up, write_theme

KEYS = {"quotes", "before", "after", "short", "numbered"}


def test_every_language_of_the_rules_says_how_it_sets_type() -> None:
    """Two quotes each, and nothing but the known keys."""
    rows = read_table(TABLE)
    assert all(find_row(TABLE, code) for code in WHOLE)
    assert all(len(row["quotes"].split()) == 2 and set(row) <= KEYS for row in rows.values())


@pytest.mark.parametrize(
    ("language", "typed", "printed"),
    [
        ("en", 'The "owl" isn\'t 5 × 5', "The “owl” isn’t 5~×~5"),
        ("en", "In 1850 there were 55 cards: 100 mm", "In 1850 there were 55~cards: 100~mm"),
        ("en", "Play level 1. Order 5, 31 cards", "Play level~1. Order~5, 31~cards"),
        ("en", "5' 30\" and 4.0", "5' 30\"~and 4.0".replace('"~', '" ')),
        ("fr", 'Vu ? Non ! "Chat" : « Chien » ; 2 cartes', "Vu~? Non~! «~Chat~»~: «~Chien~»~; 2~cartes"),
        ("fr", "le niveau 1 sur celui d’ordre 3 avec", "le niveau~1~sur celui d’ordre~3~avec"),
        ("fr-CA", "Vu ?", "Vu~?"),
        ("de", 'Die "Eule"', "Die „Eule“"),
        ("pl", "A w domu i z psem, ale o tym", "A~w~domu i~z~psem, ale o~tym"),
        ("tr", "3 kart ?", "3~kart ?"),
        ("", "it's 3 x", "it’s 3~x"),
    ],
)
def test_text_is_set_as_a_language_does(language: str, typed: str, printed: str) -> None:
    """A tilde stands for a space that does not break; setting it twice changes nothing."""
    assert set_type(typed, language).replace("\u00a0", "~") == printed
    assert set_type(set_type(typed, language), language) == set_type(typed, language)


def test_sums_in_the_rules_follow_the_notation() -> None:
    """German multiplies with a dot, and a licence keeps its number."""
    history, credits = read_rules("de").line("history.text"), read_rules("de").line("credits.art_twemoji")
    assert "5\u00a0·\u00a05\u00a0+\u00a05\u00a0+\u00a01\u00a0=\u00a031" in history
    assert "4.0" in credits


def test_lines_end_only_where_they_may() -> None:
    """However narrow the column, a number stays with its noun."""
    register_fonts()
    assert break_lines(set_type("all 55 cards", "en"), "FiraGO", 10, 1) == ["all", "55\u00a0cards"]


def test_margins_titles_and_rules_are_set(tmp_path: Path) -> None:
    """The sheet's margin, the title of the theme, its special rule, and the words of the pages."""
    head = 'languages: [fr]\ntitle: {fr: "Vu ? L\'œil"}\nspecials: [{symbol: dog, rule: {fr: "Aboyez !"}}]\n'
    theme = write_theme(tmp_path, 7, head)
    book = compose_rules(theme, set_up(theme).decks, ["fr"])[0]
    assert (theme.title_in("fr"), book.title) == ("Vu\u00a0? L’œil",) * 2
    assert "Aboyez\u00a0!" in str(book.sections).replace("\\xa0", "\u00a0")
    assert "100\u00a0mm" in find_words(("fr",)).ruler
    assert "commun\u00a0:" in book.labels["the_match"]


def test_produced_files_are_set() -> None:
    """Their titles take the French colon; on their pages no line begins with a sign."""
    setup = classic()
    legend = make_legend(setup.printer, setup.artworks, ["fr"])
    booklet = plan_booklet(setup.printer, setup.decks, setup.artworks, ["fr"]).draw()
    for pdf, title in ((legend, "Vite vu\u00a0: Les symboles"), (booklet, "Vite vu\u00a0: Règles du jeu")):
        with pikepdf.open(io.BytesIO(pdf)) as document:
            assert str(document.docinfo["/Title"]) == title
    with pypdfium2.PdfDocument(booklet) as document:
        pages = "".join(page.get_textpage().get_text_range() for page in document)
    assert "trouvé ?" in pages
    assert not re.findall(r"\n[?!:;»]|« ?\r", pages)
