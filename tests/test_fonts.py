"""Fonts: by name, from optional packages, from the theme's folder; and files that are no fonts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dobble_print import fonts
from dobble_print.art.text.plates import draw_text
from dobble_print.errors import ArtworkError
from dobble_print.fonts import CHOICES, SCRIPTS, find_font, list_fallbacks
from dobble_print.theme.model import Text, TextStyle


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A theme's folder with a font of its own."""
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts" / "school.ttf").write_bytes(find_font("school").data)
    return tmp_path


def fault_of(choice: str, folder: Path | None) -> str:
    """What the user is told about a font."""
    with pytest.raises(ArtworkError) as caught:
        find_font(choice, folder)
    return str(caught.value)


@pytest.mark.parametrize("choice", CHOICES)
def test_every_font_by_name_draws_words_and_sums(choice: str) -> None:
    """Each has the letters of the eight languages and the signs of sums."""
    texts = ["Äpfel œuf niño żółw ação", "3 × 4 − 5 ÷ 6 = 7", "1 1/2", "20 °C 50 % 3 €"]
    drawn = {draw_text(Text(text, style=TextStyle(font=choice))) for text in texts}
    assert len(drawn) == len(texts)


def test_fonts_by_name_differ() -> None:
    """The same word looks different in each."""
    assert len({draw_text(Text("Apfel", style=TextStyle(font=choice))) for choice in CHOICES}) == len(CHOICES)


@pytest.mark.parametrize(
    ("choice", "extra"),
    [("serif", "serif"), ("dyslexia", "dyslexia"), ("legible", "dyslexia"), ("handwriting", "handwriting")],
)
def test_a_font_that_is_not_installed_says_how_to_install_it(
    choice: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line to type is in the message."""
    monkeypatch.setattr(fonts, "find_spec", lambda name: None)
    assert f'-m pip install "dobble-print[{extra}]".' in fault_of(choice, None)


@pytest.mark.parametrize(
    ("text", "extra"), [("漢字", "cjk"), ("고양이", "cjk"), ("বিড়াল", "scripts"), ("பூனை", "scripts")]
)
def test_letters_of_a_font_that_is_not_installed_say_how_to_install_it(
    text: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word in Chinese names its letters and the extra that has them; with the extra it is drawn."""
    assert draw_text(Text(text))
    monkeypatch.setattr(fonts, "find_spec", lambda name: None)
    with pytest.raises(ArtworkError, match=rf'no letter for "{text[0]}".*dobble-print\[{extra}\]'):
        draw_text(Text(text))


def test_every_extra_stands_in_the_project_file() -> None:
    """What a message tells people to install exists."""
    import tomllib

    from tests.conftest import ROOT

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages = [package for package in [*CHOICES.values(), *SCRIPTS.values(), fonts.CJK] if package]
    for package in packages:
        wanted = package.module.replace("_", "-")
        assert any(line.startswith(wanted) for line in project["optional-dependencies"][package.extra])


def test_chinese_characters_take_the_shape_of_their_country() -> None:
    """The same character is drawn differently in Japan, China and Taiwan."""
    drawn = [draw_text(Text("骨直", style=TextStyle(language=code))) for code in ("ja", "zh", "zh-TW")]
    assert len(set(drawn)) == 3
    assert draw_text(Text("骨直")) == drawn[1]
    assert [file.face for file in list_fallbacks("ねこ骨") if "CJK" in file.name] == [0]


def test_an_unknown_font_suggests_the_nearest() -> None:
    """A slip of the pen is mended."""
    assert 'Did you mean "dyslexia"?' in fault_of("dislexia", None)
    assert "There are sans, serif" in fault_of("wingdings", None)


def test_a_font_of_the_theme_draws(folder: Path) -> None:
    """A file in the theme's folder is as good as one by name."""
    own = draw_text(Text("Apfel", style=TextStyle(font="fonts/school.ttf", folder=folder)))
    assert own == draw_text(Text("Apfel", style=TextStyle(font="school")))


def test_a_variable_font_of_the_theme_stands_at_its_default(folder: Path) -> None:
    """No axis is touched; the packaged one is set bolder."""
    (folder / "own.ttf").write_bytes(find_font("dyslexia").data)
    assert find_font("own.ttf", folder).weight is None
    own = draw_text(Text("Apfel", style=TextStyle(font="own.ttf", folder=folder)))
    assert own != draw_text(Text("Apfel", style=TextStyle(font="dyslexia")))


def test_a_letter_that_an_own_font_lacks_is_named(folder: Path) -> None:
    """No other font helps out: mixed letters would look like a mistake."""
    with pytest.raises(ArtworkError, match=r'the font "fonts/school.ttf" has no letter for "ж" \(U\+0436\)'):
        draw_text(Text("жук", style=TextStyle(font="fonts/school.ttf", folder=folder)))


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ("../school.ttf", "leads out of the theme's folder"),
        ("/etc/school.ttf", "not a path inside"),
        ("~/school.ttf", "not a path inside"),
        ("C:/school.ttf", "not a path inside"),
        ("https://example.org/school.ttf", "an address on the web"),
        ("fonts\\school.ttf", "has a backslash"),
        ("fonts/none.ttf", "there is no font file"),
        ("folder.ttf", "is not a file"),
        ("linked.ttf", "a link that leads out"),
        ("large.ttf", "is too large: 11 MB"),
        ("school.woff2", "a font for web pages"),
        ("school.txt", "not a font the program can read"),
        ("renamed.ttf", "a font for web pages, whatever its name says"),
        ("several.ttf", "a collection of several fonts"),
        ("picture.ttf", "damaged or is no font"),
        ("empty.ttf", "damaged or is no font"),
        ("a" * 5000 + ".ttf", "not a file name"),
        ("zero\0.ttf", "not a file name that can be opened"),
    ],
)
def test_what_is_no_font_of_the_theme_is_a_fault(
    choice: str, told: str, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Files elsewhere, links out of the folder, web fonts, and files that only pretend."""
    outside = tmp_path_factory.mktemp("outside") / "school.ttf"
    outside.write_bytes(find_font("school").data)
    (folder / "folder.ttf").mkdir()
    (folder / "linked.ttf").symlink_to(outside)
    (folder / "large.ttf").write_bytes(bytes(11_000_000))
    (folder / "renamed.ttf").write_bytes(b"wOF2" + bytes(100))
    (folder / "several.ttf").write_bytes(b"ttcf" + bytes(100))
    (folder / "picture.ttf").write_bytes(b"\x89PNG" + bytes(100))
    (folder / "empty.ttf").write_bytes(b"")
    assert told in fault_of(choice, folder)


@pytest.mark.parametrize("choice", ["legible", "dyslexia"])
def test_a_truncated_font_is_a_fault(choice: str, folder: Path) -> None:
    """Wherever a download broke off, no letter is silently lost."""
    data = find_font(choice).data
    lengths = [0, 1, 4, 11, 12, 13, 28, 100, 300, len(data) // 2, len(data) - 500]
    for length in lengths:
        (folder / "cut.ttf").write_bytes(data[:length])
        assert "damaged or is no font" in fault_of("cut.ttf", folder)


def test_a_damaged_font_draws_something_or_is_a_fault(folder: Path) -> None:
    """Bytes changed at random lead to no other error."""
    data, generator = find_font("legible").data, random.Random(5)
    outcomes = set()
    for _ in range(60):
        broken = bytearray(data)
        for _ in range(generator.choice([3, 40, 1500])):
            broken[generator.randrange(len(broken))] = generator.randrange(256)
        (folder / "broken.ttf").write_bytes(broken)
        try:
            drawn = draw_text(Text("Hax 3/4", style=TextStyle(font="broken.ttf", folder=folder)))
            outcomes.add(drawn[:4])
        except ArtworkError as error:
            outcomes.add(str(error).split()[0].encode())
    assert outcomes == {b"<svg", b"the"}
