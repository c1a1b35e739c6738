"""What the studio refuses and what its page says, in every language that it speaks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dobble_print.studio
from dobble_print.resources import find_template, read_yaml, shipped_themes
from dobble_print.studio.texts import choose_language, say
from dobble_print.studio.transfers import _REASONS
from dobble_print.words.plurals import list_categories, list_places

FAULTS = sorted(path.stem for path in find_template("studio/faults").glob("*.yaml"))
ENGLISH = read_yaml("studio/faults/en.yaml")


@pytest.mark.parametrize("language", FAULTS)
def test_every_refusal_is_a_sentence_in_every_language(language: str) -> None:
    """None is missing, none is English by mistake, and each has the places of the English one."""
    own = read_yaml(f"studio/faults/{language}.yaml")
    for part in ("faults", "hints"):
        assert list(own[part]) == list(ENGLISH[part])
        for code, text in own[part].items():
            assert set(re.findall(r"{(\w+)", text)) == set(re.findall(r"{(\w+)", ENGLISH[part][code]))
            assert text.rstrip()[-1] in ".!?" and (language == "en" or text != ENGLISH[part][code])
    assert len(FAULTS) == 8


def test_every_code_has_its_sentence() -> None:
    """Codes in the program are those of the texts."""
    code = "\n".join(path.read_text() for path in (find_template("").parent / "dobble_print/studio").glob("*.py"))
    used = set(re.findall(r'StudioFault\(\d+, "(\w+)"', code)) | {*_REASONS.values(), "no_print"}
    assert used | {"missing", "verb", "request", "bug", "not_ready"} == set(ENGLISH["faults"])


@pytest.mark.parametrize(
    ("asked", "language"),
    [("nl-BE,fr;q=0.8", "nl"), ("xx, pl;q=0.5, de;q=0.7", "de"), ("", "en"), ("*;q=x,,;", "en"), ("PT-br", "pt")],
)
def test_the_browser_chooses_the_language(asked: str, language: str) -> None:
    """The first language that the studio speaks, by the browser's own weights."""
    assert choose_language(asked) == language
    assert say(asked, "faults.upload", limit=7) == ENGLISH["faults"]["upload"].format(limit=7) or language != "en"


PAGE = sorted(path.stem for path in find_template("studio").glob("*.yaml"))
STATIC = Path(dobble_print.studio.__file__).parent / "static"


def list_page_texts(language: str) -> dict[str, str]:
    """Return the texts of the page by section and name."""
    read = read_yaml(f"studio/{language}.yaml")
    return {f"{part}.{key}": text for part, own in read.items() if part != "numbers" for key, text in own.items()}


@pytest.mark.parametrize("language", PAGE)
def test_the_page_says_everything_in_every_language(language: str) -> None:
    """Each text has the places of the English one, and as many forms as the language has, or one for all."""
    own, english = list_page_texts(language), list_page_texts("en")
    assert list(own) == list(english)
    for key, text in own.items():
        assert {name for name, _ in list_places(text)} == {name for name, _ in list_places(english[key])}, key
        assert all(len(forms) in (0, len(list_categories(language))) for _, forms in list_places(text)), key
    assert len(read_yaml(f"studio/{language}.yaml")["numbers"]) == 13
    assert len(PAGE) == 8


def test_the_page_asks_for_no_text_that_is_not_there() -> None:
    """Every text that is named in markup or script exists, and every section is in use."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in STATIC.iterdir() if path.suffix in (".js", ".html"))
    known = list_page_texts("en")
    sections = {key.split(".")[0] for key in known}
    named = {name for name in re.findall(r'"([a-z]+\.[a-z_]+)"', code) if name.split(".")[0] in sections}
    assert named <= set(known) | {"cards.pdf"}
    assert {name.split(".")[0] for name in named} >= sections - {"steps", "keys"}


def test_every_ready_made_game_has_its_picture() -> None:
    """The gallery shows a real card of each theme that ships, and of nothing else."""
    assert {path.stem for path in (STATIC / "gallery").iterdir()} == set(shipped_themes())
