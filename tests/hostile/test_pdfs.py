"""Hostile PDFs: whatever a stranger's file does to the libraries that read it, `verify` and `preflight` end in time."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream

from dobble_print.cli import examine as examining
from dobble_print.cli.console import Console
from dobble_print.cli.examine import preflight_file, verify_file
from dobble_print.cli.run import Plain
from dobble_print.errors import Fault, UsageError
from dobble_print.sandbox import limits as confinement
from tests.hostile.harness import MOST_INPUT_BYTES
from tests.verify_samples import make_deck, make_sheet, save


def make_tiled_sheet() -> bytes:
    """A good sheet with a symbol that is filled with tiles that begin every ten-thousandth of its width."""
    with Pdf.open(io.BytesIO(make_sheet(make_deck()))) as pdf:
        tile = Stream(pdf, b"1 0 0 rg 0 0 1 1 re f", Type=Name.Pattern, PatternType=1, PaintType=1, TilingType=1)
        tile.BBox, tile.XStep, tile.YStep = Array([0, 0, 1, 1]), 0.0001, 0.0001
        tile.Resources = Dictionary()
        form = next(iter(pdf.pages[0].Resources.XObject.values()))
        form.Resources = Dictionary(Pattern=Dictionary(P=pdf.make_indirect(tile)))
        form.write(b"/Pattern cs /P scn 0 0 1000 1000 re f")
        pdf.pages[0].trimbox = pdf.pages[0].bleedbox = pdf.pages[0].mediabox
        return save(pdf)


@pytest.mark.parametrize(
    "examine", [partial(verify_file, gap_mm=0.0, margin_mm=0.0), partial(preflight_file, profile=None, cut=True)]
)
def test_a_file_that_draws_for_ever_is_ended(
    examine: Callable[..., Plain], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told with its name, and the next file is looked at all the same."""
    monkeypatch.setattr(examining, "SECONDS", 1.5)
    tiles, good = tmp_path / "tiles.pdf", tmp_path / "good.pdf"
    tiles.write_bytes(make_tiled_sheet())
    good.write_bytes(make_sheet(make_deck()))
    quietly = partial(examine, as_json=True, console=Console(quiet=True))
    with pytest.raises(UsageError, match=r"tiles\.pdf: the file takes too long to read"):
        quietly(str(tiles))
    assert tiles.stat().st_size < MOST_INPUT_BYTES and quietly(str(good))


def fill_memory() -> confinement.Plain:
    """Ask for more than there is."""
    return {"bytes": len(bytearray(2 << 30))}


def crash() -> confinement.Plain:
    """End as a broken library does."""
    import faulthandler
    import os
    import signal

    faulthandler.disable()  # which pytest switched on
    os.kill(os.getpid(), signal.SIGSEGV)
    return {}


def stumble() -> confinement.Plain:
    """Meet something that nobody foresaw."""
    return {"share": 1 / int("0")}


def refuse() -> confinement.Plain:
    """Say why in words."""
    raise UsageError(Fault("it is no PDF", "Give one."))


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (fill_memory, "needs too much memory"),
        (crash, "breaks the library"),
        (stumble, r"cannot be read \(ZeroDivisionError\)"),
        (refuse, r"it is no PDF\. Give one\."),
    ],
)
def test_confined_work_that_ends_badly_is_told_in_words(work: confinement.Work, words: str) -> None:
    """The program goes on."""
    with pytest.raises(UsageError, match=words):
        confinement.run_confined(work, seconds=5, memory=100 << 20)


def test_confined_work_answers_and_writes_nothing(tmp_path: Path) -> None:
    """Plain values come back; a file that it opens to write to stays empty."""

    def write() -> confinement.Plain:
        try:
            (tmp_path / "note").write_text("hello")
        except OSError:
            return {"wrote": False}
        return {"wrote": True}

    assert confinement.run_confined(write, seconds=5, memory=100 << 20) == {"wrote": False}
    assert (tmp_path / "note").read_text() == ""
