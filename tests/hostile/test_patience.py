"""Patience: all pictures of a theme keep to one budget, which those that succeed spend too; honest ones have enough."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.art import guarded
from dobble_print.art.emoji import read_emoji
from dobble_print.art.gallery import examine_gallery
from dobble_print.art.guarded import BUDGET, BudgetSpent
from dobble_print.art.guarded import _allow_seconds as allow
from dobble_print.errors import ArtworkError
from dobble_print.sandbox.limits import Limits, find_granted, grant
from dobble_print.sandbox.pool import TaskFailed, run_once
from dobble_print.sandbox.protocol import Message
from dobble_print.theme.reader import read_theme
from tests.hostile.drawings import SQUARE, svg
from tests.hostile.pixels import make_png


def test_slow_drawings_end_the_work_on_a_theme(monkeypatch: pytest.MonkeyPatch, endless_drawing: bytes) -> None:
    """The first few get their time, and those that come after are not opened at all."""
    monkeypatch.setattr(guarded, "SECONDS", 0.3)
    monkeypatch.setattr(guarded, "THEME_SECONDS", 0.5)
    BUDGET.start()
    for _ in range(2):
        with pytest.raises(ArtworkError, match="takes too long"):
            guarded.open_guarded(endless_drawing)
    with pytest.raises(BudgetSpent, match="all together"):
        guarded.open_guarded(svg(SQUARE))
    BUDGET.start()
    assert guarded.open_guarded(svg(SQUARE)).mask.width == 1.0


def test_drawings_that_succeed_spend_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What takes longer than its size allows is taken from the budget; the fault stands at what took most."""
    for number in range(8):
        mark = f'<circle cx="{number}" cy="3" r="9"/>' * (12000 if number == 1 else 1)
        (tmp_path / f"d{number}.svg").write_bytes(svg(SQUARE + mark))
    listed = "".join(f"  - {{image: d{number}.svg}}\n" for number in range(8))
    (tmp_path / "theme.yaml").write_text(f"title: T\nsymbols:\n{listed}", encoding="utf-8")
    monkeypatch.setattr(guarded, "OWN_SECONDS", 0.0)
    monkeypatch.setitem(guarded.SECONDS_PER_MB, "open", 0.0)
    monkeypatch.setattr(guarded, "SECONDS", 60.0)
    monkeypatch.setattr(guarded, "THEME_SECONDS", 0.4)
    _, faults = examine_gallery(read_theme(tmp_path / "theme.yaml").symbols)
    fault = next(fault for fault in faults if "all together" in fault.what)
    assert "all together, and this one took most; " in fault.what and "not opened" in fault.what
    assert fault.place and fault.place.line == 4


def test_pixels_that_fill_the_memory_end_the_work_on_a_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few bytes that become many pixels are taken from a budget, too."""
    monkeypatch.setattr(guarded, "THEME_BYTES", 1000)
    BUDGET.start()
    guarded.read_pixels_guarded(make_png(200, 200, 8, 0))
    with pytest.raises(BudgetSpent, match="too much memory"):
        guarded.open_guarded(svg(SQUARE))


def test_honest_pictures_hardly_spend(monkeypatch: pytest.MonkeyPatch) -> None:
    """A drawing, a scan of few bytes and many pixels; and a photo of many bytes may take the time of its size."""
    scan = make_png(4000, 3000, 8, 0)
    assert len(scan) < 100_000
    assert guarded.open_guarded(read_emoji("🐱", "twemoji")).mask.width > 0
    assert max(guarded.read_pixels_guarded(scan).size) > 1000
    assert BUDGET.seconds > guarded.THEME_SECONDS - 1.0 and BUDGET.bytes > guarded.THEME_BYTES * 0.9
    assert allow("decode", 20_000_000, 0) > 5 and allow("open", 1_000_000, 0) > 2


def take(asked: float) -> Message:
    """Ask for more time, and say what was granted."""
    grant(asked, 1 << 20)
    return {"granted": find_granted()}, []


def spin(asked: float) -> Message:
    """Ask for more time, and work for ever."""
    grant(asked)
    while True:
        pass


def test_a_task_is_granted_no_more_than_was_agreed() -> None:
    """However much it asks for; and it ends when that is used up."""
    limits = Limits(0.2, 100 << 20, more_seconds=0.3, more_bytes=1 << 20)
    assert run_once(f"{__name__}:take", (0.1,), limits)[0] == {"granted": 0.1}
    assert run_once(f"{__name__}:take", (1e9,), limits)[0] == {"granted": 0.3}
    with pytest.raises(TaskFailed) as failure:
        run_once(f"{__name__}:spin", (1e9,), limits)
    assert failure.value.end == "slow"
    grant(1.0)  # outside of limits, nothing happens
