"""Picture paths: they stay inside the theme's folder, and a missing file is answered with the one that was meant."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dobble_print.errors import InvalidValue
from dobble_print.theme.pictures import PictureFolder, check_path
from dobble_print.theme.reader import examine_theme

INSIDE = "Put the picture in the theme's folder and give its path from there, such as art/cat.png."


@pytest.fixture(autouse=True)
def inside_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a theme's folder with some pictures, beside a secret one."""
    (tmp_path / "secret.png").touch()
    (tmp_path / "theme" / "art").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "theme")
    for name in ("art/Cat.png", "art/boat.svg", "dog.jpeg"):
        Path(name).touch()


def faults_of(path: str) -> list[str]:
    """The faults of a theme with that picture, in its long form."""
    text = f"symbols: [🔺, 🔶, 🔷, {{image: '{path}'}}, 🟥, 🟨]\n"
    Path("theme.yaml").write_text(text, encoding="utf-8")
    return [str(fault) for fault in examine_theme(Path("theme.yaml"))[1]]


PATHS = {
    "/etc/cat.png": f'image: "/etc/cat.png" is not a path inside the theme\'s folder. {INSIDE}',
    "~/cat.png": f'image: "~/cat.png" is not a path inside the theme\'s folder. {INSIDE}',
    "C:/cat.png": f'image: "C:/cat.png" is not a path inside the theme\'s folder. {INSIDE}',
    "C:cat.png": f'image: "C:cat.png" is not a path inside the theme\'s folder. {INSIDE}',
    "\\\\server\\cat.png": f'image: "\\\\server\\cat.png" is not a path inside the theme\'s folder. {INSIDE}',
    "art\\boat.svg": 'image: "art\\boat.svg" has a backslash. Write "art/boat.svg".',
    "../secret.png": f'image: "../secret.png" leads out of the theme\'s folder. {INSIDE}',
    "art/../../secret.png": f'image: "art/../../secret.png" leads out of the theme\'s folder. {INSIDE}',
    "https://x.org/cat.png": 'image: "https://x.org/cat.png" is an address on the web. '
    "Download it into the theme's folder first.",
    "file:///etc/cat.png": 'image: "file:///etc/cat.png" is an address on the web. '
    "Download it into the theme's folder first.",
    "data:image/png,cat.png": 'image: "data:image/png,cat.png" is an address on the web. '
    "Download it into the theme's folder first.",
    "cat.gif": 'image: "cat.gif" is not a picture the program can read. '
    "Use .svg, .png, .jpg, .jpeg, .webp, .heic or .heif.",
    "art/cat.png": 'there is no picture "art/cat.png". Did you mean "art/Cat.png"?',
    "Cat.png": 'there is no picture "Cat.png". Did you mean "art/Cat.png"?',
    "art/boot.svg": 'there is no picture "art/boot.svg". Did you mean "art/boat.svg"?',
    "dog.jpg": 'there is no picture "dog.jpg". Did you mean "dog.jpeg"?',
    "elephant.png": 'there is no picture "elephant.png". Check the spelling; paths start from the theme\'s folder.',
    "a" * 5000 + ".png": f'"{"a" * 39}…" is not a file name that can be opened.',
}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:20])
def test_a_wrong_path_is_told_at_its_place(path: str) -> None:
    """The place is that of the path itself."""
    assert faults_of(path) == [f"theme.yaml:1:28: {PATHS[path]}"]


@pytest.mark.parametrize("path", ["art/Cat.png", "./dog.jpeg", "art/./boat.svg"])
def test_a_path_inside_the_folder_is_found(path: str) -> None:
    """However it is written."""
    assert faults_of(path) == []


@pytest.mark.parametrize(
    "name", ["a b.png", "ab:c.png", "it is: me.png", "-x.png", "~x.png", "..x.png", "x..png", "#.png"]
)
def test_odd_file_names_are_fine(name: str) -> None:
    """What a file system allows and no other machine minds much."""
    Path(name).touch()
    assert faults_of(name) == []


def test_a_symbolic_link_cannot_lead_out() -> None:
    """Neither a file nor a folder on the way."""
    Path("link.png").symlink_to("../secret.png")
    Path("up").symlink_to("..")
    for path in ("link.png", "up/secret.png"):
        assert faults_of(path) == [
            f'theme.yaml:1:28: "{path}" is a link that leads out of the theme\'s folder. {INSIDE}'
        ]


def test_a_symbolic_link_inside_is_followed() -> None:
    """Two links to one picture would be one picture."""
    Path("link.png").symlink_to("art/Cat.png")
    assert PictureFolder(Path(".")).find("link.png") == Path("art/Cat.png").resolve()


def test_links_in_a_circle_are_a_fault() -> None:
    """Not a hang."""
    Path("a.png").symlink_to("b.png")
    Path("b.png").symlink_to("a.png")
    assert len(faults_of("a.png")) == 1


def test_folders_and_pipes_are_no_pictures() -> None:
    """A pipe would wait for ever."""
    Path("folder.png").mkdir()
    os.mkfifo("pipe.png")
    assert faults_of("folder.png") == ['theme.yaml:1:28: "folder.png" is not a file.']
    assert faults_of("pipe.png") == ['theme.yaml:1:28: "pipe.png" is not a file.']


def test_an_accent_may_be_stored_apart_from_its_letter() -> None:
    """A folder copied from a Mac works on Linux."""
    stored = unicodedata.normalize("NFD", "été.png")
    Path(stored).touch()
    assert PictureFolder(Path(".")).find("été.png").name in (stored, "été.png")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="a./\\~:C \0é\n", max_size=12).map(lambda text: text + ".png"))
def test_no_path_leads_out_of_the_folder(text: str) -> None:
    """Either refused or inside."""
    folder = PictureFolder(Path("."))
    try:
        check_path(text)
        found = folder.find(text)
    except InvalidValue:
        return
    assert found.is_relative_to(folder.folder)
