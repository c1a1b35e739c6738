"""Patience: slow pictures get less and less time, honest ones always enough."""

from __future__ import annotations

import time

import pytest

from dobble_print.art import guarded
from dobble_print.art.emoji import read_emoji
from dobble_print.art.guarded import _grant_seconds as grant
from dobble_print.errors import ArtworkError
from tests.hostile.drawings import SQUARE, svg
from tests.hostile.pixels import make_png


def test_harmless_drawings_between_slow_ones_buy_them_no_time(
    monkeypatch: pytest.MonkeyPatch, endless_drawing: bytes
) -> None:
    """Of many slow drawings, each of them before a harmless one, only the first few get all their time."""
    monkeypatch.setattr(guarded, "SECONDS", 0.5)
    monkeypatch.setattr(guarded, "LOST_SECONDS", 1.0)
    granted: list[float] = []

    def watch(job: str, size: int, longer_side_px: int) -> float:
        granted.append(grant(job, size, longer_side_px))
        return granted[-1]

    monkeypatch.setattr(guarded, "_grant_seconds", watch)
    for _ in range(8):
        with pytest.raises(ArtworkError, match="takes too long"):
            guarded.open_guarded(endless_drawing)
        assert guarded.open_guarded(svg(SQUARE)).mask.width == 1.0
    slow = granted[::2]
    assert slow[0] > 0.5 and max(slow[4:]) < 0.2 and sum(slow) < 2.0


def test_honest_pictures_open_after_all_patience_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A drawing, a scan of few bytes and many pixels, and a photo of many bytes, which keeps the time of its size."""
    monkeypatch.setattr(guarded, "_lost", guarded.LOST_SECONDS)
    scan = make_png(4000, 3000, 8, 0)
    assert len(scan) < 100_000
    assert guarded.open_guarded(read_emoji("🐱", "twemoji")).mask.width > 0
    assert max(guarded.read_pixels_guarded(scan).size) > 1000
    assert grant("decode", 20_000_000, 0) > 40 and grant("render", 1000, 2000) > 2


def test_pictures_that_open_win_patience_back_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A success is worth a share of its own time, never all that was lost."""
    monkeypatch.setattr(guarded, "_lost", 3.0)
    since = time.monotonic()
    guarded.open_guarded(svg(SQUARE))
    assert 3.0 - guarded.WON_BACK * (time.monotonic() - since) <= guarded._lost < 3.0
