"""The Python API: it does what the command line does, importing it is light, and faults are raised as such."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dobble_print
from dobble_print import BuildOptions, DobbleError, build_decks, check_theme, preflight_pdf
from tests.conftest import ROOT, SMALL_THEME

QUICK = BuildOptions(quality="draft", booklet=False, legend=False)


def test_decks_are_written_where_they_are_wanted(tmp_path: Path) -> None:
    """A folder gets what memory has; the check of the theme and of the file know the same deck."""
    path = tmp_path / "small.yaml"
    path.write_text(SMALL_THEME, encoding="utf-8")
    result = build_decks(path, options=QUICK, folder=tmp_path / "out")
    assert {file.name for file in (tmp_path / "out" / "small").iterdir()} == set(result.files)
    assert (tmp_path / "out" / "small" / "cards.pdf").read_bytes() == result.files["cards.pdf"]
    assert check_theme(path).exit_code == 0
    assert not preflight_pdf(result.files["cards.pdf"]).passed  # an office file is none for a print shop


def test_faults_are_raised_with_their_places(tmp_path: Path) -> None:
    """All of them at once."""
    path = tmp_path / "bad.yaml"
    path.write_text("colour: red\nsymbols: [cat, cat]\n", encoding="utf-8")
    with pytest.raises(DobbleError) as caught:
        build_decks(path)
    assert len(caught.value.faults) > 1 and all(fault.place for fault in caught.value.faults)


def test_every_public_name_exists_and_importing_them_is_light() -> None:
    """`import dobble_print` costs next to nothing."""
    assert all(getattr(dobble_print, name).__doc__ for name in dobble_print.__all__)
    probe = "import sys, dobble_print; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert not {"yaml", "typer", "numpy", "pikepdf", "PIL"} & set(loaded.split())
    assert {name for name in loaded.split() if name.startswith("dobble_print")} == {"dobble_print"}
