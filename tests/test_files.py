"""Files that strangers name: only what was checked is read, however late something else is put in its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dobble_print.art.artwork import MOST_BYTES, make_artwork
from dobble_print.art.artwork_cache import open_artwork
from dobble_print.batch.inputs import make_task
from dobble_print.batch.jobs import make_plain_job
from dobble_print.cache import Cache, use_cache
from dobble_print.errors import ArtworkError, UsageError
from dobble_print.files import open_checked, read_checked
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
