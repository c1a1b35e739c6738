"""A studio as a process of its own, and a client that sends what browsers, programs and attackers send."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.batches import PROGRAM

TOKEN = "a-token-of-the-tests"
Plain = dict[str, Any]


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def plain(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def fault(self) -> Plain:
        """The fault it tells of."""
        fault: Plain = self.plain["fault"]
        assert fault["sentence"], "a refusal is a sentence"
        return fault


@dataclass
class Client:
    """Talks to a studio; without changes as its own page would."""

    port: int
    token: str | None = TOKEN
    headers: dict[str, str] = field(default_factory=dict)

    def call(
        self, verb: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None, timeout_s: float = 60
    ) -> Answer:
        """Send a request and return its answer; what is no bytes goes as JSON."""
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        try:
            connection.request(verb, path, sent, own | self.headers | dict(headers or {}))
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        """Get something."""
        return self.call("GET", path, headers=headers)

    def ask(self, verb: str, path: str, body: Any = None, status: int = 200) -> Any:
        """Send a request that must succeed, and return what came back as plain data."""
        answer = self.call(verb, path, body)
        assert answer.status == status, answer.body[:2000]
        return answer.plain

    def make_deck(self, text: str, **more: Any) -> Plain:
        """Make a game of words."""
        deck: Plain = self.ask("POST", "/api/decks", {"from": "words", "text": text} | more, 201)
        return deck

    def change(self, deck: Plain, *ops: Plain, **more: Any) -> Plain:
        """Do a step."""
        changed: Plain = self.ask("PATCH", f"/api/decks/{deck['id']}", {"ops": ops} | more)
        return changed

    def wait_for_cards(self, deck: Plain, timeout_s: float = 60) -> Plain:
        """Return the cards of a game as it is now."""
        until = time.monotonic() + timeout_s
        while time.monotonic() < until:
            cards: Plain = self.ask("GET", f"/api/decks/{deck['id']}/cards")
            if cards["cards"] and cards["rev"] == deck["rev"]:
                return cards
        raise AssertionError(f"no cards: {self.ask('GET', '/api/decks/' + deck['id'])['trouble']}")

    def wait_for_job(self, job: Plain, timeout_s: float = 120) -> Plain:
        """Return a job when it is over."""
        until = time.monotonic() + timeout_s
        while time.monotonic() < until:
            job = self.ask("GET", f"/api/jobs/{job['id']}")
            if job["state"] in ("done", "failed", "stopped"):
                return job
            time.sleep(0.1)
        raise AssertionError(job)

    def upload(self, deck: Plain, files: Mapping[str, bytes], **fields: str) -> Answer:
        """Send pictures as a page does."""
        body, kind = make_form(files, fields)
        return self.call("POST", f"/api/decks/{deck['id']}/pictures", body, {"Content-Type": kind})


def make_form(files: Mapping[str, bytes], fields: Mapping[str, str]) -> tuple[bytes, str]:
    """Return the body of a form and its type."""
    mark, parts = "----one-of-the-tests", list[bytes]()
    for name, value in fields.items():
        parts.append(f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
    for name, data in files.items():
        head = (
            f'Content-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: application/octet-stream'
        )
        parts.append(f"--{mark}\r\n{head}\r\n\r\n".encode() + data + b"\r\n")
    return b"".join(parts) + f"--{mark}--\r\n".encode(), f"multipart/form-data; boundary={mark}"


@dataclass
class Running(Client):
    """A studio that runs."""

    process: subprocess.Popen[str] | None = None
    folder: Path = Path()
    address: str = ""
    ready_s: float = 0.0

    def kill(self) -> None:
        """End it without a chance to say goodbye."""
        assert self.process
        self.process.kill()
        self.process.wait()


def start(folder: Path, *options: str, token: str = TOKEN, env: Mapping[str, str] | None = None) -> Running:
    """Start a studio as a user does, and wait for its address."""
    command = [
        *PROGRAM,
        "studio",
        "--no-open",
        "--folder",
        str(folder),
        *(["--token", token] if token else []),
        *options,
    ]
    since = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})}
    )
    assert process.stdout and process.stderr
    address = process.stdout.readline().strip()
    if not address:
        with process:
            raise AssertionError(f"it did not start: {process.stderr.read()}")
    ready = time.monotonic() - since
    split = urlsplit(address)
    assert split.port
    return Running(split.port, token or split.query.partition("=")[2], {}, process, folder, address, ready)


@contextmanager
def running(folder: Path, *options: str, **how: Any) -> Iterator[Running]:
    """Give a studio that is ended afterwards."""
    studio = start(folder, *options, **how)
    try:
        yield studio
    finally:
        assert studio.process
        with studio.process as process:
            process.terminate()
            try:
                process.wait(60)
            finally:
                process.kill()


WORDS = "cat\ndog\nsun\nmoon\ntree\nhouse\nfish\nstar\ncar\nkey\nball\napple\nbanana"
