"""What the tests of hostile pictures share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import resvg_py

from dobble_print.art import guarded
from dobble_print.sandbox import pool
from tests.hostile.drawings import ENDLESS
from tests.hostile.endless import hang_on


@pytest.fixture
def endless_drawing(monkeypatch: pytest.MonkeyPatch) -> Iterator[bytes]:
    """Return a drawing that the renderer never comes to an end with."""
    guarded.WORKER.close()
    monkeypatch.setattr(pool, "can_fork", lambda: True)  # a worker that is a copy meets the same renderer
    monkeypatch.setattr(resvg_py, "svg_to_bytes", hang_on("endless", resvg_py.svg_to_bytes))
    yield ENDLESS
    guarded.WORKER.close()
