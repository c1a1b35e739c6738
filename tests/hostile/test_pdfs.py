"""Hostile PDFs: whatever a stranger's file does to the libraries that read it, `verify` and `preflight` end in time."""

from __future__ import annotations

import contextlib
import re
import resource
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pypdfium2
import pytest

from dobble_print.cli import examine as examining
from dobble_print.cli.console import Console, Plain
from dobble_print.cli.examine import preflight_file, verify_file
from dobble_print.errors import Fault, UsageError
from dobble_print.sandbox.limits import Limits
from dobble_print.sandbox.pool import FILE_ENDS, TaskFailed, run_once
from dobble_print.sandbox.protocol import Message
from tests.conftest import ENDLESS_S
from tests.hostile.attacks import make_tiled_sheet
from tests.hostile.endless import hang_on
from tests.hostile.harness import MOST_INPUT_BYTES
from tests.verify_samples import make_deck, make_sheet


@pytest.mark.parametrize(
    "examine", [partial(verify_file, gap_mm=0.0, margin_mm=0.0), partial(preflight_file, profile=None, cut=True)]
)
def test_a_file_that_draws_for_ever_is_ended(
    examine: Callable[..., Plain], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told with its name, and the next file is looked at all the same."""
    good = tmp_path / "good.pdf"
    good.write_bytes(make_sheet(make_deck()))
    quietly = partial(examine, as_json=True, console=Console(quiet=True))
    with monkeypatch.context() as patch, pytest.raises(UsageError, match=r"good\.pdf: the file takes too long to read"):
        patch.setattr(examining, "SECONDS", 1.5)
        patch.setattr(pypdfium2, "PdfDocument", hang_on("", pypdfium2.PdfDocument))
        quietly(str(good))
    assert quietly(str(good))


def test_a_file_of_countless_tiles_keeps_the_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is drawn in time, or it is ended."""
    monkeypatch.setattr(examining, "SECONDS", 1.5)
    tiles = tmp_path / "tiles.pdf"
    tiles.write_bytes(make_tiled_sheet())
    assert tiles.stat().st_size < MOST_INPUT_BYTES
    since = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    with contextlib.suppress(UsageError):
        verify_file(str(tiles), 0.0, 0.0, True, Console(quiet=True))
    assert sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - since < ENDLESS_S


def fill_memory() -> Message:
    """Ask for more than there is."""
    return {"bytes": len(bytearray(2 << 30))}, []


def crash() -> Message:
    """End as a broken library does."""
    import faulthandler
    import os
    import signal

    faulthandler.disable()  # which pytest switched on
    os.kill(os.getpid(), signal.SIGSEGV)
    return {}, []


def stumble() -> Message:
    """Meet something that nobody foresaw."""
    return {"share": 1 / int("0")}, []


def refuse() -> Message:
    """Say why in words."""
    raise UsageError(Fault("it is no PDF", "Give one."))


LIMITS = Limits(seconds=ENDLESS_S, memory_bytes=100 << 20)


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (fill_memory, "needs too much memory"),
        (crash, "breaks the library"),
        (stumble, r"cannot be read \(ZeroDivisionError\)"),
        (refuse, r"it is no PDF\. Give one\."),
    ],
)
def test_a_task_that_ends_badly_is_told_in_words(work: Callable[[], Message], words: str) -> None:
    """The program goes on."""
    with pytest.raises(TaskFailed) as failure:
        run_once(f"{__name__}:{work.__name__}", (), LIMITS)
    (fault,) = failure.value.describe(FILE_ENDS)
    assert re.search(words, str(fault))


def write_note(path: Path) -> Message:
    """Try to write to a file."""
    try:
        path.write_text("hello")
    except OSError:
        return {"wrote": False}, []
    return {"wrote": True}, []


def test_a_task_under_limits_answers_and_writes_nothing(tmp_path: Path) -> None:
    """Plain values come back; a file that it opens to write to stays empty."""
    note = tmp_path / "note"
    assert run_once(f"{__name__}:write_note", (note,), LIMITS) == ({"wrote": False}, [])
    assert note.read_text() == ""
