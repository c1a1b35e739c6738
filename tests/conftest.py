"""What all tests share: random-test profiles, and a way to run the program as a user does."""

from __future__ import annotations

import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from dobble_print.cache import Cache, use_cache

settings.register_profile("default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "fuzz",
    settings.get_profile("default"),
    derandomize=False,
    max_examples=1000,
    print_blob=True,
    database=DirectoryBasedExampleDatabase(Path(".hypothesis/examples")),  # what fails is tried first in the next run
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

ROOT = Path(__file__).resolve().parent.parent
Run = Callable[..., "subprocess.CompletedProcess[str]"]

ENDLESS_S = 60  # no test measures speed, which benchmarks/ do: what takes this long would never have ended

SMALL_THEME = """\
title: Small
languages: [en]
deck: {symbols_per_card: 3}
layout: {quality: draft}
symbols: [⚓, 🐱, 🐶, 🍎, 🍌, 🚗, 🚀]
"""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests recorded about the data that ships, such as the size of the lexicon."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            terminalreporter.write_line(f"{name}: {value}")


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nobody's own cache is touched, not by fixtures that many tests share either."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    """A cache in use by this process, for one test."""
    mine = Cache(tmp_path / "cache")
    use_cache(mine)
    yield mine
    use_cache(None)


@pytest.fixture(autouse=True)
def empty_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test starts with nothing kept, neither here nor in the programs it runs."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    use_cache(None)


@pytest.fixture(autouse=True)
def full_patience() -> None:
    """What one test loses on slow pictures does not shorten the time of the next one's."""
    guarded = sys.modules.get("dobble_print.art.guarded")
    if guarded is not None:
        guarded.BUDGET.start()


@pytest.fixture
def small_theme(tmp_path: Path) -> Path:
    """A theme of seven emoji: seven cards of three, quick to build."""
    path = tmp_path / "small.yaml"
    path.write_text(SMALL_THEME, encoding="utf-8")
    return path


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `dobble-print` as a process of its own in an empty folder."""

    def run_program(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", "from dobble_print.cli.app import main; main()", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            capture_output=True,
            text=True,
            timeout=600,
        )

    return run_program


@pytest.fixture
def visitors() -> Iterator[tuple[str, list[str]]]:
    """A server on this machine that remembers who came."""
    seen: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", seen
    server.shutdown()
    server.server_close()
    thread.join()
