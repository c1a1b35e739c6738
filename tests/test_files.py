"""Files that untrusted themes name: only what was checked is read, however late something else is put in its place."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from dobble_print.art.artwork import MOST_BYTES, make_artwork, open_artwork
from dobble_print.batch.inputs import collect_inputs, make_task
from dobble_print.batch.jobs import make_plain_job
from dobble_print.cache import Cache, use_cache
from dobble_print.errors import ArtworkError, InvalidValue, UsageError
from dobble_print.files import find_free_name, find_inside, is_device_name, open_checked, read_checked
from dobble_print.options import BuildOptions
from dobble_print.theme.model import ImageFile


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file outside the theme's folder."""
    path = tmp_path / "secret"
    path.mkdir()
    (path / "cat.svg").write_text("do not read")
    (tmp_path / "theme" / "art").mkdir(parents=True)
    return path / "cat.svg"


def test_a_plain_file_is_read(tmp_path: Path) -> None:
    """All of it, or a byte more than agreed."""
    (tmp_path / "Café.txt").write_bytes(b"hello")
    assert read_checked(tmp_path / "Café.txt", 10) == b"hello"
    assert read_checked(tmp_path / "Café.txt", 3) == b"hell"


@pytest.mark.parametrize("swapped", ["the file", "its folder"])
def test_a_link_that_came_after_the_check_is_refused(swapped: str, secret: Path) -> None:
    """Whether the file became a link, or a folder above it."""
    folder = secret.parent.parent / "theme" / "art"
    if swapped == "the file":
        os.symlink(secret, folder / "cat.svg")
    else:
        folder.rmdir()
        os.symlink(secret.parent, folder)
    with pytest.raises(OSError):
        open_checked(folder / "cat.svg")
    with pytest.raises(ArtworkError, match=r"cat\.svg cannot be read"):
        make_artwork(ImageFile(folder / "cat.svg"))


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    """Nobody waits for somebody to write into it."""
    os.mkfifo(tmp_path / "cat.svg")
    with pytest.raises(OSError, match="not a file"):
        open_checked(tmp_path / "cat.svg")


def test_an_endless_drawing_is_not_read_to_its_end(tmp_path: Path) -> None:
    """Gigabytes of nothing are too large a picture, with a cache as well."""
    with (tmp_path / "cat.svg").open("wb") as file:
        file.truncate(50 << 30)
    use_cache(Cache(tmp_path / "cache"))
    with pytest.raises(ArtworkError, match=f"larger than {MOST_BYTES >> 20} MB"):
        open_artwork(ImageFile(tmp_path / "cat.svg"))


def test_an_endless_input_of_a_job_is_not_hashed_to_its_end(tmp_path: Path) -> None:
    """The first of it and its size stand for it; and it is too much to send to another machine."""
    theme = tmp_path / "theme.yaml"
    theme.write_text("symbols: [cat, {image: cat.png}]\n", encoding="utf-8")
    with (tmp_path / "cat.png").open("wb") as file:
        file.truncate(50 << 30)
    job = make_plain_job(theme, BuildOptions(output=tmp_path / "out"))
    first = make_task(job, None, travels=False).inputs
    with (tmp_path / "cat.png").open("r+b") as file:
        file.truncate(51 << 30)
    assert make_task(job, None, travels=False).inputs != first
    with pytest.raises(UsageError, match="too much to send"):
        make_task(job, None, travels=True)


def test_a_theme_that_is_a_link_has_its_pictures_as_inputs(tmp_path: Path) -> None:
    """Paths start beside the link, as for the build; a picture that changes makes another deck."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "theme.yaml").write_text("symbols: [cat, {image: cat.svg}]\n", encoding="utf-8")
    (tmp_path / "own").mkdir()
    os.symlink(tmp_path / "kept" / "theme.yaml", tmp_path / "own" / "theme.yaml")
    (tmp_path / "own" / "cat.svg").write_text("<svg/>")
    assert list(collect_inputs(tmp_path / "own" / "theme.yaml")) == ["cat.svg", "theme.yaml"]


def test_what_is_inside_is_found_by_any_spelling_of_its_accents(tmp_path: Path) -> None:
    """And what is not there yet has a path all the same."""
    stored = unicodedata.normalize("NFD", "été.ttf")
    (tmp_path / stored).touch()
    assert find_inside(tmp_path, "été.ttf") == (tmp_path / stored).resolve()
    assert find_inside(tmp_path, "none.ttf") == (tmp_path / "none.ttf").resolve()


@pytest.mark.parametrize(
    "text", ["../a", "/a", "C:/a", "https://a.b/c", "a\\b", "nul.png", "a\0b", "a" * 300, "folder", "out"]
)
def test_what_is_not_a_file_inside_is_refused(text: str, tmp_path: Path) -> None:
    """Upwards, elsewhere, a device, no name at all, a folder, a link that leads out."""
    folder = tmp_path / "theme"
    (folder / "folder").mkdir(parents=True)
    (folder / "out").symlink_to(tmp_path)
    with pytest.raises(InvalidValue):
        find_inside(folder, text)


@pytest.mark.parametrize("name", ["NUL", "nul.png", "com0", "LPT9.txt", "Aux .svg", "COM¹", "conout$"])
def test_names_of_devices(name: str) -> None:
    """Whatever the ending, case and spaces."""
    assert is_device_name(name) and not is_device_name(f"x{name}")


def test_a_free_name_has_the_first_free_number() -> None:
    """None at all where the name itself is free."""
    assert find_free_name("cat", {"dog"}.__contains__) == "cat"
    assert find_free_name("cat", {"cat", "cat-2"}.__contains__) == "cat-3"
    assert find_free_name("cat", {"cat"}.__contains__, " ") == "cat 2"
