"""Paths that lead out: for pictures, backs, fonts and profiles, whatever they are made of; and names of results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from dobble_print.files import make_file_name
from tests.conftest import ROOT, SMALL_THEME
from tests.hostile.harness import Case, Maker, run, run_cases, snapshot, with_picture, with_symbol
from tests.hostile.pixels import encode

SECRET = encode(Image.new("RGB", (60, 40), "lime"), "PNG")
OUTSIDE = "outside-secret"  # a folder beside the themes'


def link(name: str, target: str) -> Maker:
    """A symbolic link in the theme's folder; what it leads to exists."""

    def make(home: Path) -> None:
        secret = home.parent / OUTSIDE
        secret.mkdir(exist_ok=True)
        for file in ("a.png", "a.ttf", "a.yaml"):
            (secret / file).write_bytes(SECRET)
        (home / name).symlink_to(target)

    return make


def pipe(name: str) -> Maker:
    """A pipe that nobody writes to: whoever opens it waits for ever."""

    def make(home: Path) -> None:
        os.mkfifo(home / name)

    return make


def picture(name: str, path: str, words: str, make: Maker | None = None, code: int = 3) -> Case:
    """A theme whose seventh symbol is that path."""
    return Case(name, with_picture(f"'{path}'"), code, words, make=make)


def option(name: str, head: str, words: str, make: Maker | None = None, files: dict[str, bytes] | None = None) -> Case:
    """A theme whose first line is that option."""
    return Case(name, with_symbol("⛵", head), 3, words, 1, files or {}, make)


PICTURES = [
    picture("upwards", f"../{OUTSIDE}/a.png", "leads out"),
    picture("upwards from below", f"art/../../{OUTSIDE}/a.png", "leads out"),
    picture("absolute", "/etc/passwd.png", "not a path inside"),
    picture("home", "~/a.png", "not a path inside"),
    picture("drive", "C:/a.png", "not a path inside"),
    picture("server", "\\\\server\\a.png", "not a path inside"),
    picture("backslash", "..\\a.png", "backslash"),
    picture("device", "NUL.png", "device"),
    picture("device in a folder", "art/com1.svg", "device"),
    picture("web", "https://127.0.0.1/a.png", "address on the web"),
    picture("file address", "file:///etc/a.png", "address on the web"),
    picture("data address", "data:image/png;base64,AAAA.png", "address on the web"),
    picture("long", "a/" * 3000 + "a.png", "not a file name"),
    picture("long name", "a" * 300 + ".png", "not a file name"),
    picture("link", "a.png", "link that leads out", link("a.png", f"../{OUTSIDE}/a.png")),
    picture("linked folder", "art/a.png", "link that leads out", link("art", f"../{OUTSIDE}")),
    picture("link to a device", "a.png", "link that leads out", link("a.png", "/dev/zero")),
    picture("link in a circle", "a.png", "not a file name", link("a.png", "a.png")),
    picture("pipe", "a.png", "not a file", pipe("a.png")),
    picture("pipe as a drawing", "a.svg", "not a file", pipe("a.svg")),
    picture("folder", "a.png", "not a file", lambda home: (home / "a.png").mkdir()),
    Case("zero byte", with_picture('"a\\0.png"'), 3, "invisible character"),
]

OPTIONS = [
    option("back upwards", "back: {image: ../a.png}", "leads out"),
    option("back link", "back: {image: a.png}", "link that leads out", link("a.png", f"../{OUTSIDE}/a.png")),
    option("back pipe", "back: {image: a.png}", "not a file", pipe("a.png")),
    option("back device", "back: {image: con.png}", "device"),
    option("font upwards", "font: ../a.ttf", "leads out"),
    option("font absolute", "font: /etc/a.ttf", "not a path inside"),
    option("font link", "font: a.ttf", "link that leads out", link("a.ttf", f"../{OUTSIDE}/a.ttf")),
    option("font pipe", "font: a.ttf", "not a file", pipe("a.ttf")),
    option("font of noise", "font: a.ttf", "damaged", files={"a.ttf": b"\0\1\0\0" + bytes(range(256)) * 40}),
    option("font of nothing", "font: a.ttf", "damaged", files={"a.ttf": b""}),
    option("font for the web", "font: a.ttf", "web pages", files={"a.ttf": b"wOFF" + bytes(100)}),
    option("profile upwards", "profile: ../a.yaml", "leads out"),
    option("profile link", "profile: a.yaml", "link that leads out", link("a.yaml", f"../{OUTSIDE}/a.yaml")),
    option("profile in a circle", "profile: a.yaml", "file name", link("a.yaml", "a.yaml")),
    option("profile with a long name", f"profile: {'a' * 300}.yaml", "305 characters"),
    Case(
        "profile full of aliases",
        with_symbol("⛵", "profile: a.yaml"),
        3,
        "marks a place",
        1,
        {"a.yaml": b"about: &a x"},
        place="a.yaml",
    ),
    option("font in a circle", "font: a.ttf", "file name", link("a.ttf", "a.ttf")),
    option("font with a long name", f"font: {'a' * 300}.ttf", 'aaa…" is not a file name'),
    option("profile pipe", "profile: a.yaml", "not a file", pipe("a.yaml")),
]


def test_no_picture_leads_out(tmp_path: Path) -> None:
    """Each is a fault with its line; no pipe is waited for."""
    run_cases(PICTURES, tmp_path)


def test_no_option_leads_out(tmp_path: Path) -> None:
    """The same for backs, fonts and profiles; broken fonts are faults too."""
    run_cases(OPTIONS, tmp_path)


FILES = {
    "...yaml": "theme",
    ". .yaml": "theme",
    "a\nb.yaml": "a b",
    "nul.yaml": "nul_",
    "a" * 200 + ".yaml": "a" * 60,
    "x:y.yaml": "x y",
}


def test_results_stay_in_their_folder(tmp_path: Path) -> None:
    """Whatever a theme file is called, its box is a folder inside the output folder, with a name every system takes."""
    for i, name in enumerate(FILES):
        (tmp_path / name).write_text(SMALL_THEME.replace("Small", f"Small {i}"), encoding="utf-8")
    (tmp_path / "precious.txt").write_text("mine", encoding="utf-8")
    before = snapshot(tmp_path)
    outcome = run("build", *FILES, "-o", "deep/out", "--no-booklet", "--no-legend", cwd=tmp_path)
    assert "Traceback" not in outcome.err
    assert 'are both called "theme"' in outcome.err  # two of the names come to nothing
    after = snapshot(tmp_path)
    assert all(after[path] == state for path, state in before.items())
    assert {box.name for box in (tmp_path / "deep" / "out").iterdir()} == set(FILES.values())
    assert {Path(path).parts[0] for path in set(after) - set(before)} == {"deep"}


NAMES = {
    "classic": "classic",
    "Été 2": "Été 2",
    "../x": "x",
    "..": "theme",
    "": "theme",
    "a/b\\c:d": "a b c d",
    "con": "con_",
    "LPT1.old": "LPT1.old_",
    "a\x00\x1b[2J": "a [2J",
    "x" * 100: "x" * 60,
    " . ": "theme",
    "\ud800a": "a",
    "\u202eabc": "abc",
}


@pytest.mark.parametrize("text", NAMES, ids=ascii)
def test_names_of_results_are_harmless(text: str) -> None:
    """No separators, devices, control characters or dots at the ends."""
    assert make_file_name(text, "theme") == NAMES[text]


ODD_NAMES = [
    b"\x1b[31mred",  # colours what follows
    b"two\nlines",
    b"over\rwritten",
    "right\u202eleft".encode(),
    "no\u200bthing\ufeff".encode(),
    b"not-utf-8-\xff",
]


ONE_AFTER_THE_OTHER = """
import json, sys
from dobble_print.cli.app import main
for sys.argv[1:] in json.loads(sys.argv[1]):
    try:
        main()
    except SystemExit as end:
        print(end.code, end="\\0", file=sys.stderr)
"""


@pytest.mark.parametrize("name", ODD_NAMES)
def test_what_a_file_name_hides_is_shown_and_does_nothing(name: bytes, tmp_path: Path) -> None:
    """Wherever a name is told: themes, lists, workbooks, PDFs, and what was perhaps meant."""
    word = os.fsdecode(name)
    files = {
        ".yaml": with_symbol("nosuchthing").encode(),
        ".csv": b'"cow\npig\n',
        ".xlsx": b"PK\x03\x04",
        ".pdf": b"none",
    }
    for ending, data in files.items():
        (tmp_path / f"{word}{ending}").write_bytes(data)
    commands = [
        ("check", f"{word}.yaml"),
        ("check", f"{word}.csv"),
        ("check", f"{word}x.yaml"),
        ("new", "made", "--from", f"{word}.csv"),
        ("new", "made", "--from", f"{word}.xlsx"),
        ("preflight", f"{word}.pdf"),
    ]
    shown = "".join(char if char.isprintable() else "�" for char in word)
    program = [sys.executable, "-c", ONE_AFTER_THE_OTHER, json.dumps(commands)]
    done = subprocess.run(program, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True)
    assert done.stdout == b""
    for command, told in zip(commands, done.stderr.decode().rstrip("\0").split("\0"), strict=True):
        said, code = told[:-1], int(told[-1])
        assert code in (2, 3), said
        assert shown in said, command
        assert all(char.isprintable() for line in said.split("\n") for char in line), (command, said)
        assert "\\udc" not in said
        assert len(said.splitlines()) == 1 + (command == ("check", f"{word}.yaml"))
