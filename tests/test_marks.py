"""What stands in the margin of a sheet: words in the players' language, a press's marks where the shop wants them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.build import Wishes, build_product
from dobble_print.composition import sheet_theme
from dobble_print.press.plan import Front, Leaf, Page
from dobble_print.press.sheet_words import find_words
from dobble_print.press.sheets import Sheet, plan_sheets
from dobble_print.rules.texts import rules_languages
from dobble_print.theme.overrides import Overrides
from dobble_print.theme.reader import read_theme
from tests.conftest import SMALL_THEME
from tests.tools import run_tool

QUICK = Wishes(booklet=False, legend=False)


def make_sheet(folder: Path, lines: str = "", **asked: object) -> Sheet:
    """The sheet of a small theme with more lines."""
    (folder / "small.yaml").write_text(SMALL_THEME + lines)
    return sheet_theme(read_theme(folder / "small.yaml", Overrides(**asked)))  # type: ignore[arg-type]


def plan_page(sheet: Sheet, deck: str = "Small · deck abc123", note: str = "A4") -> Page:
    """The first sheet of a deck of one card."""
    return plan_sheets(sheet, {1: Leaf(Front(1, (), "#000000"), None, sheet.look, "1", deck)}, note)[0]


@pytest.mark.parametrize("language", rules_languages())
def test_every_language_of_the_rules_has_words_for_the_margin(tmp_path: Path, language: str) -> None:
    """Ruler and sheet line are the language's own, with everything filled in."""
    words = find_words((language,))
    page = plan_page(make_sheet(tmp_path, languages=(language, "en")), words.name_deck("abc123"), words.name_job("3b"))
    texts = [label.text for label in page.labels]
    assert language == "en" or words != find_words()
    assert "100 mm" in words.ruler and words.ruler in texts
    assert f"{words.name_deck('abc123')} · {words.name_job('3b')} · {words.count_sheet(1, 1)}" in texts
    assert not any("{" in text for text in texts)


def test_a_french_teacher_reads_a_french_margin(tmp_path: Path) -> None:
    """On the printed page itself, in a shop's sheet on the back too."""
    (tmp_path / "small.yaml").write_text(SMALL_THEME + "languages: [fr, en]\nback: navy\n")
    for profile, words in (("school-a4", "taille réelle"), ("shop-a3-x4", "feuille 1 sur 1 · verso")):
        theme = read_theme(tmp_path / "small.yaml", Overrides(profile=profile))
        (tmp_path / "cards.pdf").write_bytes(build_product(theme, (), QUICK).files["cards.pdf"])
        text = " ".join(run_tool(["pdftotext", str(tmp_path / "cards.pdf"), "-"]).stdout.split())
        assert words in text and "feuille 1 sur" in text and "jeu " in text
