"""A theme packed to share, and a shared zip built as it is."""

from __future__ import annotations

import zipfile
from pathlib import Path

from dobble_print.batch.inputs import opened_theme, pack_theme
from dobble_print.resources import shipped_themes
from dobble_print.theme.reader import read_theme
from tests.conftest import Run


def test_a_zip_holds_the_theme_and_what_it_names(tmp_path: Path) -> None:
    """Nothing else that lies in the folder is shared; the same theme gives the same bytes."""
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "tom.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    (tmp_path / "private.txt").write_text("mine")
    path = tmp_path / "zoo.yaml"
    path.write_text("symbols: [cat, dog, sun, moon, tree, fish, {image: art/tom.svg, en: Tom}]\n")
    packed = pack_theme(path)
    (tmp_path / "x.zip").write_bytes(packed)
    assert zipfile.ZipFile(tmp_path / "x.zip").namelist() == ["art/tom.svg", "theme.yaml"]
    assert pack_theme(path) == packed


def test_a_shared_zip_is_built_under_its_own_name(tmp_path: Path, run: Run) -> None:
    """Pack, and build what was packed; results are called after the zip, and no folder is left behind."""
    assert run("pack", "kids", "-o", str(tmp_path / "for-ann.zip")).returncode == 0
    out = tmp_path / "out"
    done = run(
        "build", str(tmp_path / "for-ann.zip"), "--dry-run", "--quality", "draft", "--cards", "7", "-o", str(out)
    )
    assert done.returncode == 0 and "for-ann: dry run" in done.stderr
    with opened_theme(str(tmp_path / "for-ann.zip")) as path:
        theme = read_theme(path)
    assert theme.symbols[0].names == read_theme(shipped_themes()["kids"]).symbols[0].names and not path.exists()


def test_a_zip_that_holds_no_theme_is_refused(tmp_path: Path, run: Run) -> None:
    """In a sentence, with the exit code of a theme."""
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("readme.txt", "x")
    done = run("build", str(tmp_path / "x.zip"))
    assert done.returncode == 3 and "holds no theme" in done.stderr
