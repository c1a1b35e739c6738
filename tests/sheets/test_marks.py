"""What stands in the margin of a sheet: words in the players' language, a press's marks where the shop wants them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.build import print_deck
from dobble_print.compose import sheet_theme
from dobble_print.options import BuildOptions
from dobble_print.sheets.marks import find_words
from dobble_print.sheets.pages import Sheet, add_backs, find_missing_marks, plan_sheets
from dobble_print.sheets.plan import Front, Page, PrintedCard, mirror_points
from dobble_print.theme.reader import read_theme
from tests.booklets import WHOLE
from tests.conftest import SMALL_THEME
from tests.tools import run_tool

QUICK = BuildOptions(booklet=False, legend=False)


def make_sheet(folder: Path, lines: str = "", **asked: object) -> Sheet:
    """The sheet of a small theme with more lines."""
    (folder / "small.yaml").write_text(SMALL_THEME + lines)
    return sheet_theme(read_theme(folder / "small.yaml", BuildOptions(**asked).theme_values()))  # type: ignore[arg-type]


def plan_page(sheet: Sheet, deck: str = "Small · deck abc123", note: str = "A4") -> Page:
    """The first sheet of a deck of one card."""
    return plan_sheets(sheet, {1: PrintedCard(Front(1, (), "#000000"), None, sheet.look, "1", deck)}, note)[0]


@pytest.mark.parametrize("language", WHOLE)
def test_every_language_of_the_rules_has_words_for_the_margin(tmp_path: Path, language: str) -> None:
    """Ruler and sheet line are the language's own, with everything filled in."""
    words = find_words((language,))
    deck, job = words.deck.format(id="abc123"), words.job.format(id="3b")
    page = plan_page(make_sheet(tmp_path, languages=(language, "en")), deck, job)
    texts = [label.text for label in page.labels]
    assert language == "en" or words != find_words()
    assert "100\u00a0mm" in words.ruler and words.ruler in texts
    assert f"{deck} · {job} · {words.sheet.format(number=1, count=1)}" in texts
    assert not any("{" in text for text in texts)


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        ("school-a4", ["100 mm si l’impression est en taille réelle", "paquet ", "feuille 1 sur 2"]),
        ("shop-a3-x4", ["deck ", "sheet 1 of 1", "· back"]),
    ],
)
def test_a_teacher_reads_her_own_language_and_a_shop_always_the_same(
    tmp_path: Path, profile: str, words: list[str]
) -> None:
    """On the printed page itself: French for a French deck; for a press English, whatever the deck."""
    (tmp_path / "small.yaml").write_text(SMALL_THEME.replace("[en]", "[fr, en]") + "back: navy\n")
    theme = read_theme(tmp_path / "small.yaml", BuildOptions(profile=profile).theme_values())
    (tmp_path / "cards.pdf").write_bytes(print_deck(theme, QUICK).files["cards.pdf"])
    text = " ".join(run_tool(["pdftotext", str(tmp_path / "cards.pdf"), "-"]).stdout.split())
    assert [word for word in words if word not in text] == []


PRESS = "press: {standard: x-4, registration: true, color_bar: true"


@pytest.mark.parametrize("size", [80, 85, 95])
def test_registration_targets_face_each_other(tmp_path: Path, size: float) -> None:
    """Two at the same height, two at the same distance from the left, as a press operator expects them."""
    page = plan_page(make_sheet(tmp_path, PRESS + "}\n", paper="SRA3", size=size))
    below, above, left, right = page.targets
    assert below.x_mm == above.x_mm and below.y_mm == pytest.approx(450 - above.y_mm)
    assert left.y_mm == right.y_mm and left.x_mm == pytest.approx(320 - right.x_mm)


@pytest.mark.parametrize("duplex", ["long", "short"])
@pytest.mark.parametrize("place", ["sides", "corners"])
def test_the_targets_of_the_back_lie_behind_those_of_the_front(tmp_path: Path, duplex: str, place: str) -> None:
    """So that front and back can be compared against the light."""
    sheet = make_sheet(tmp_path, f"{PRESS}, registration_at: {place}}}\n", paper="SRA3", size=95, duplex=duplex)
    front, back = add_backs([plan_page(sheet)], sheet)
    seen = mirror_points([(target.x_mm, target.y_mm) for target in back.targets], front.paper, duplex == "long")
    seen = tuple((round(x, 3), round(y, 3)) for x, y in seen)
    assert sorted(seen) == sorted((round(target.x_mm, 3), round(target.y_mm, 3)) for target in front.targets)
    assert len(seen) == 4


def test_targets_stand_in_the_corners_where_a_shop_wants_them(tmp_path: Path) -> None:
    """All four, just inside what the machine prints."""
    page = plan_page(make_sheet(tmp_path, PRESS + ", registration_at: corners}\n", paper="SRA3"))
    assert {(target.x_mm, target.y_mm) for target in page.targets} == {(8, 8), (312, 8), (8, 442), (312, 442)}


@pytest.mark.parametrize(("edge", "near"), [("top", 450), ("bottom", 0), ("left", 0), ("right", 320)])
def test_the_colour_bar_keeps_to_its_edge(tmp_path: Path, edge: str, near: float) -> None:
    """Nine patches, none further from the edge than its strip is wide."""
    page = plan_page(make_sheet(tmp_path, f"{PRESS}, color_bar_at: {edge}}}\n", paper="SRA3"))
    assert len(page.patches) == 9
    for patch in page.patches:
        assert abs(patch.box.middle[edge in ("top", "bottom")] - near) < 8


def test_a_mark_without_room_is_told(tmp_path: Path) -> None:
    """A press that looks for a colour bar in vain would stop; its operator is told before."""
    sheet = make_sheet(tmp_path, PRESS + ", color_bar_at: left}\n", paper="210x210", shape="square", size=94)
    told = [str(fault) for fault in find_missing_marks(sheet)]
    assert any("no room left for the colour bar" in line and "color_bar_at" in line for line in told)
