"""The README and the pages of docs/ never lag behind the program: what they tell is tried."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from shutil import copytree

import openpyxl
import pytest
import typer
import yaml
from PIL import Image, ImageDraw

from dobble_print.cli.app import app
from dobble_print.errors import ExitCode
from dobble_print.resources import shipped_themes
from dobble_print.units import papers
from tests.batches import PROGRAM
from tests.conftest import ROOT
from tests.pages import DOCS, Page, list_pages
from tools.docs import PAGES
from tools.pictures import PICTURES

NAMES = list(list_pages())
EVERYTHING = "\n".join(page.text for page in list_pages().values())
COMMANDS = [command.name or command.callback.__name__ for command in app.registered_commands if command.callback]

ANIMALS = ["cat", "dog", "horse", "cow", "pig", "sheep", "duck", "mouse", "lion", "tiger", "zebra", "frog", "owl"]
DUTCH_AND_FRENCH = {
    "hond": "chien",
    "kat": "chat",
    "paard": "cheval",
    "koe": "vache",
    "varken": "cochon",
    "schaap": "mouton",
    "muis": "souris",
    "leeuw": "lion",
}
CHILDREN = ["Anna", "Bram", "Chloe", "Daan", "Emma", "Finn", "Noor", "Sam"]
ZOO = """\
title: At the zoo
languages: [en, nl, fr]
symbols: [lion, tiger, zebra, giraffe, penguin, crocodile, flamingo]
"""
TABLES = """\
title: Our tables
languages: [nl]
symbols:
  - {faces: ["3 × 4", "12"]}
  - {faces: ["2 × 7", "14"]}
  - {faces: ["5 × 6", "30"]}
  - {faces: ["6 × 7", "42"]}
  - {faces: ["7 × 8", "56"]}
  - {faces: ["8 × 9", "72"]}
  - {faces: ["9 × 9", "81"]}
"""
FEW_CARDS, NOTHING_ELSE = " --cards 12", " --no-booklet --no-legend"
JOBS = [
    ["id", "theme", "profile", "languages", "copies", "seed", "output"],
    ["class-3b", "themes/zoo.yaml", "shop-sra3-x4", "nl+fr", "2", "1", "north-school"],
    ["class-4a", "themes/tables.yaml", "shop-sra3-x4", "nl", "2", "2", "north-school"],
    ["class-4b", "themes/zoo.yaml", "school-a4", "en", "1", "3", "south-school"],
]


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a reader who follows a page: lists, photos, a logo, themes and jobs."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "words.csv").write_text("\n".join(ANIMALS) + "\n", encoding="utf-8")
    book = openpyxl.Workbook()
    sheet = book.active
    for row in [("nl", "fr"), *DUTCH_AND_FRENCH.items()]:
        sheet.append(row)
    book.save(folder / "words.xlsx")
    (folder / "photos").mkdir()
    for number, child in enumerate(CHILDREN):
        _draw_face(number).save(folder / "photos" / f"{child}.jpg", quality=80)
    _draw_face(9).save(folder / "logo.png")
    (folder / "themes").mkdir()
    (folder / "themes" / "zoo.yaml").write_text(ZOO, encoding="utf-8")
    (folder / "themes" / "tables.yaml").write_text(TABLES, encoding="utf-8")
    with (folder / "jobs.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(JOBS)
    return folder


def _draw_face(number: int) -> Image.Image:
    """A stand-in for a photo: a head on a ground, each in colours and with a hat of its own."""
    picture = Image.new("RGB", (240, 240), f"hsl({number * 40}, 60%, 70%)")
    draw = ImageDraw.Draw(picture)
    draw.ellipse((60, 50, 180, 210), fill=f"hsl({25 + number * 2}, 55%, {40 + number * 5}%)")
    draw.rectangle((50, 40, 190, 70 + number * 5), fill=f"hsl({number * 40 + 180}, 70%, 35%)")
    for x in (95, 145):
        draw.ellipse((x - 8, 120, x + 8, 136), fill="black")
    draw.arc((90, 140, 150, 185), 20 + number * 5, 160, fill="black", width=6)
    return picture


@pytest.fixture(scope="session")
def shell(desk: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a reader: the program on the path, a cache that all pages share, nothing of anybody's own."""
    here = tmp_path_factory.mktemp("reader")
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    program = here / "bin" / "dobble-print"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return os.environ | {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(shared / "docs-cache"),
        "HOME": str(here),
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "",  # readers' modules are compiled once, not for each command
        **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),  # the tests fill the cores themselves
    }


def _hurry(name: str) -> list[str]:
    """Ask a page's builds for drafts, and for few cards and nothing else, unless the page speaks of them.

    The README's first build is whole; other pages build the same deck to show something else.
    """
    commands = [command for command, _, _ in list_pages()[name].list_commands()]
    hurried, is_whole = list[str](), name == "README.md"
    for number, command in enumerate(commands):
        if found := re.match(r"dobble-print (build|batch)\b", command):
            later = " ".join(commands[number:])
            asked = "" if "--quality" in command else " --quality draft"
            asked += "" if is_whole or re.search("booklet|legend", later) or "--only" in command else NOTHING_ELSE
            asked += "" if is_whole or not re.search(r" classic\b(?!.*--(?:cards|only))", command) else FEW_CARDS
            command, is_whole = f"{found[0]}{asked}{command[found.end() :]}", False
        hurried.append(command)
    return hurried


def _list_names(*infos: str) -> list[str]:
    return [name for name, page in list_pages().items() if page.list_blocks(*infos)]


@pytest.mark.parametrize("name", _list_names("console", "console fails"))
def test_every_command_of_a_page_works(name: str, desk: Path, shell: dict[str, str], tmp_path: Path) -> None:
    """All commands in their order, in one folder; what should fail does.

    Those of the README are typed in a shell. Those of other pages share a process, since most of their time would go
    into starting the program.
    """
    folder = copytree(desk, tmp_path / "desk")
    reader = shell | {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    commands, typed = list(list_pages()[name].list_commands()), _hurry(name)
    done = _run_in_shell(typed, folder, reader) if name == "README.md" else _run_together(typed, folder, reader)
    for (command, should_work, line), (code, told) in zip(commands, done, strict=True):
        place = f"{name}:{line}: {command}\n{told[-3000:]}"
        assert (code == 0) is should_work, place
        assert code != ExitCode.BUG, place


def _run_in_shell(typed: list[str], folder: Path, reader: dict[str, str]) -> Iterator[tuple[int, str]]:
    for command in typed:
        done = subprocess.run(
            ["sh", "-c", command], cwd=folder, env=reader, capture_output=True, text=True, timeout=600
        )
        yield done.returncode, done.stdout + done.stderr


def _run_together(typed: list[str], folder: Path, reader: dict[str, str]) -> Iterator[tuple[int, str]]:
    together = [sys.executable, "-m", "tests.typist"]
    lines = "\n".join(typed)
    done = subprocess.run(together, cwd=folder, env=reader, input=lines, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        yield json.loads(line)


@pytest.mark.parametrize("name", _list_names("yaml theme"))
def test_every_theme_on_a_page_is_one(name: str, desk: Path, shell: dict[str, str], tmp_path: Path) -> None:
    """`check` finds no fault in it."""
    folder, themes = copytree(desk, tmp_path / "desk"), list_pages()[name].list_blocks("yaml theme")
    paths = [folder / f"line-{block.start}.yaml" for block in themes]
    for path, block in zip(paths, themes, strict=True):
        path.write_text(block.text, encoding="utf-8")
    done = subprocess.run([*PROGRAM, "check", *paths], cwd=folder, env=shell, capture_output=True, text=True)
    assert done.returncode == 0, f"{name}: {done.stderr}"


@pytest.mark.parametrize("name", NAMES)
def test_every_fragment_of_yaml_is_yaml(name: str) -> None:
    """Also those that are no whole theme."""
    for block in list_pages()[name].list_blocks("yaml"):
        assert yaml.safe_load(block.text) is not None, f"{name}:{block.start}"


@pytest.mark.parametrize("name", _list_names("python"))
def test_the_python_of_a_page_runs(name: str, desk: Path, shell: dict[str, str], tmp_path: Path) -> None:
    """All blocks as one program, whose lines have the numbers that they have on the page."""
    folder, lines = copytree(desk, tmp_path / "desk"), list[str]()
    for block in list_pages()[name].list_blocks("python"):
        lines += [""] * (block.start - 1 - len(lines)) + list(block.lines)
    program = tmp_path / f"{Path(name).stem.replace('-', '_')}_page.py"
    program.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run([sys.executable, program], cwd=folder, env=shell, capture_output=True, text=True)
    assert done.returncode == 0, f"{name}\n{done.stderr}"


@pytest.mark.parametrize("name", NAMES)
def test_every_block_of_code_says_what_it_is(name: str) -> None:
    """A block without a language, or with one that no test knows, is a slip."""
    known = {"console", "console fails", "yaml", "yaml theme", "python", "text", "sh", "csv", "json", "toml", "html"}
    blocks = list_pages()[name]._split()[0]
    assert {(block.start, block.info) for block in blocks if block.info not in known} == set()


@pytest.mark.parametrize("name", PAGES)
def test_pages_made_of_the_program_are_current(name: str) -> None:
    """Options and keys stand there as the program has them now."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), f"docs/{name} is old: run python -m tools.docs"


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_somewhere(name: str) -> None:
    """To a file that is there, and to a heading that both GitHub and the site call by that name."""
    page = list_pages()[name]
    for target, _ in page.list_links():
        if re.match(r"https://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (page.path.parent / path).resolve() if path else page.path
        assert found.exists(), f"{name}: {target} is not there"
        assert found.is_relative_to(ROOT), f"{name}: {target} leads out of the project"
        if anchor and found.suffix == ".md":
            assert anchor in Page(found).list_anchors(), f"{name}: no heading {target}"


@pytest.mark.parametrize("name", NAMES)
def test_no_page_names_a_machine_or_runs_what_it_fetches(name: str) -> None:
    """Pages speak of nobody's folders, and never pipe a download into a shell."""
    text = list_pages()[name].text
    assert not re.search(r"/(?:home|root|Users|work|tmp|opt|mnt)/\w|[A-Z]:\\\\?\w|file://", text)
    assert not re.search(r"<script|<iframe|javascript:|(?:curl|wget)\b[^\n]*\|", text)


NOT_PROSE = {"a", "strong", "em", "code", "pre", "script"}


class References(HTMLParser):
    """Collects what a browser would load for a page, and text that looks like Markdown that was not understood."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.raw: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what is loaded."""
        given = dict(attrs)
        if tag in ("script", "img", "iframe", "source", "link") and given.get("rel") != "canonical":
            self.loaded += [value for key in ("src", "href") if (value := given.get(key))]
        if tag in ("p", "li", *NOT_PROSE):
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Note where text stands."""
        if tag in self._inside:
            while self._inside.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Note lists, tables and fences that were taken for prose, and fences that became code within a line."""
        if (
            self._inside[-1:] == ["code"]
            and "pre" not in self._inside
            and re.match(r"(?:console|yaml|python|text)\n", data)
        ):
            self.raw.append(data)
        if self._inside and not NOT_PROSE & set(self._inside):
            self.raw += [line for line in data.splitlines() if re.match(r"\s*(?:[-*] |\d+\. |\||```)", line)]


def test_the_site_builds_and_needs_nothing_from_the_web(tmp_path: Path) -> None:
    """Strictly: a dead link or a page that no menu leads to stops it. Lists and tables are understood as such."""
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(tmp_path / "site")]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pages = sorted((tmp_path / "site").glob("*.html"))
    assert {page.stem for page in pages} >= {path.stem for path in DOCS.glob("*.md")}
    for page in pages:
        references = References()
        references.feed(page.read_text(encoding="utf-8"))
        assert [each for each in references.loaded if re.match(r"(?:https?:)?//", each)] == [], page.name
        assert references.raw == [], f"{page.name}: a list, a table or a block needs an empty line before it"
    for style in (tmp_path / "site").rglob("*.css"):
        assert not re.search(r"(?:@import|url\()[^;)]*//", style.read_text(encoding="utf-8")), style.name


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_is_documented(command: str) -> None:
    """An option that is not documented does not exist for its users; one that does not exist is not documented."""
    text = (DOCS / "command-line.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {command}\n", 1)[1].split("\n## ", 1)[0]
    known = typer.main.get_command(app).commands[command].params  # type: ignore[attr-defined]
    options = {flag for parameter in known for flag in parameter.opts if flag.startswith("-")}
    assert set(re.findall(r"(?<=[|,] `)--?[a-z-]+(?=`)", section)) == options - {"--help", "-h"}
    assert f"dobble-print {command}" in EVERYTHING


def test_every_exit_code_is_listed_by_name() -> None:
    """Scripts rely on them."""
    rows = re.findall(r"^\| (\d+) \| `?([A-Z_]+)`? \|", EVERYTHING, re.MULTILINE)
    assert {(int(code), name) for code, name in rows} == {(code.value, code.name) for code in ExitCode}


def test_every_shipped_theme_and_paper_is_listed() -> None:
    """What ships is shown."""
    listed = re.findall(r"^\| `([a-z-]+)` \|", EVERYTHING, re.MULTILINE)
    assert set(shipped_themes()) <= set(listed)
    assert all(paper in EVERYTHING for paper in papers())


def test_the_trademarks_are_named_once_and_disclaimed() -> None:
    """Independent, and said so."""
    readme = list_pages()["README.md"].text
    assert "trademarks of Asmodee" in readme
    assert "neither made nor endorsed" in readme
    others = EVERYTHING.replace(readme, "")
    assert not re.search(r"\bDobble\b|Spot it", others)


@pytest.mark.parametrize("name", shipped_themes())
def test_no_shipped_theme_bears_a_trademark(name: str) -> None:
    """Titles are our own."""
    text = shipped_themes()[name].read_text(encoding="utf-8").lower()
    assert not re.search(r"\bdobble\b(?!-print)|spot it", text)


def test_every_picture_is_made_by_the_script_and_every_page_shows_one_that_is_there() -> None:
    """`python -m tools.pictures` makes them all anew; one that it does not know would age."""
    assert {path.name for path in (DOCS / "pictures").iterdir()} == {f"{name}.png" for name in PICTURES}
    for page in list_pages().values():
        for target, is_picture in page.list_links():
            if is_picture:
                assert (page.path.parent / target).is_file(), f"{page.name}: {target}; see python -m tools.pictures"


@pytest.mark.parametrize("path", sorted((DOCS / "pictures").glob("*.png")), ids=lambda path: path.stem)
def test_pictures_are_of_a_size_for_pages(path: Path) -> None:
    """Wide enough to see something, light enough to load."""
    with Image.open(path) as picture:
        assert 500 <= picture.width <= 1250
    assert path.stat().st_size < 250_000
