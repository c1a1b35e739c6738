"""One studio and one browser for all tests of a module that use the page."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.studio.server import Running, running

ROOT = Path(__file__).resolve().parents[2]
WAIT_MS = 60_000  # on a machine that has other things to do; nothing here measures speed
expect.set_options(timeout=WAIT_MS)
TOKEN = "token-of-the-tests"


@dataclass
class Studio:
    """A studio that runs as a user's does, and can be killed and started again on the same folder."""

    folder: Path
    process: subprocess.Popen[str] | None = None
    address: str = ""
    port: int = 0

    def start(self) -> None:
        """Start it and wait for its address; a second start takes the same port."""
        code = "from dobble_print.cli.app import main; main()"
        wanted = ["studio", "--no-open", "--port", str(self.port), "--token", TOKEN, "--folder", str(self.folder)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(self.folder / "cache")}
        command = [sys.executable, "-c", code, *wanted]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), self.address
        self.port = int(self.address.split(":")[2].split("/")[0])

    @property
    def origin(self) -> str:
        """Where the page lies."""
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.process
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        if self.process and self.process.poll() is None:
            self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        assert self.process and self.process.stdout
        self.process.send_signal(how)
        self.process.wait(30)
        self.process.stdout.close()


@dataclass
class Visit:
    """A page in the browser, and what it asked for and complained of."""

    page: Page
    studio: Studio
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    expected: str = ""  # what the browser itself says of an answer that the test provokes

    def open(self, path: str = "") -> None:
        """Open the studio, or a path of it, and wait until the page is ready."""
        self.page.goto(self.studio.address if not path else f"{self.studio.origin}/{path}")
        self.page.wait_for_selector("body:not(.loading)")

    def begin(self, words: str) -> None:
        """Begin a game with words, and wait for its cards."""
        self.open()
        self.page.fill("#first", words)
        self.page.click("#make-cards")
        self.page.wait_for_selector("#mini .card", state="attached")

    def go(self, place: str) -> None:
        """Go to a place by its link."""
        self.page.click(f'.places a[href="#{place}"]')
        self.page.wait_for_selector(f'body[data-place="{place}"]')


Visits = Callable[..., Visit]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio for all tests of a module."""
    found = Studio(tmp_path_factory.mktemp("studio"))
    found.start()
    yield found
    found.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A studio for all tests that ask it without a page; each makes games of its own."""
    with running(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium; where it is not installed, the tests say so and are skipped, but never in CI."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        reason = "chromium is not installed: sudo apt install chromium"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    options = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=options)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(studio: Studio, browser: Browser) -> Iterator[Visits]:
    """Open pages of the studio; each asks nobody but the studio, and none complains."""
    opened: list[Visit] = []

    def open_page(width: int = 1280, height: int = 800, **more: Any) -> Visit:
        settings: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce", "accept_downloads": True} | more
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        found = Visit(page, studio)
        page.on("request", lambda request: found.requests.append(request.url))
        page.on(
            "console",
            lambda said: (
                found.complaints.append(f"{said.text} {said.location.get('url')}") if said.type == "error" else None
            ),
        )
        page.on("pageerror", lambda error: found.complaints.append(str(error)))
        opened.append(found)
        return found

    yield open_page
    for each in opened:
        each.page.context.close()
    own = (studio.origin, "blob:", "data:")
    strangers = [url for each in opened for url in each.requests if not url.startswith(own)]
    assert not strangers
    unexpected = [
        each for found in opened for each in found.complaints if not found.expected or found.expected not in each
    ]
    assert unexpected == []
