"""Who may talk to the studio, and how much: every request passes here before anything else reads it.

Invariant: without the token nothing is answered but a sentence; a page of another origin, or of a name that was bent to
this computer, gets nothing at all; no request is read further than its limit, nor waited for longer than its patience.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import json
import re
import socket
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dobble_print.studio.faults import StudioFault, answer_fault

MOST_UPLOAD = 600 << 20  # of one request that brings files
MOST_FILE = 64 << 20
MOST_JSON = 2 << 20
MOST_DEPTH = 40
PATIENCE_S = 20.0  # between two pieces of an upload
LEAST_RATE = 20_000  # bytes a second that an upload must bring, after the first half minute
GRACE_S = 30.0
MOST_GUESSES = 20  # wrong tokens a minute, after which all wrong ones wait
MINUTE_S = 60.0
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ART_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_UPLOADS = re.compile(r"/api/decks(/[^/]+/(pictures|read))?")


@dataclass
class Guard:
    """The token of this studio, the names it answers to, and how many wrong tokens came lately."""

    token: str
    port: int
    hosts: tuple[str, ...] = ()
    is_open: bool = False  # reachable from other computers
    _guesses: deque[float] = field(default_factory=deque)

    @property
    def cookie(self) -> str:
        """The name of the cookie; cookies know no ports, so the name does."""
        return f"studio-{self.port}"

    @property
    def secret(self) -> str:
        """What the cookie holds: nothing that opens another studio."""
        return hashlib.sha256(f"cookie {self.token}".encode()).hexdigest()

    def knows_host(self, host: str) -> bool:
        """Return whether a Host header names this computer as a person would."""
        name, _, port = host.rpartition(":") if re.search(r":\d+$", host) else (host, "", "80")
        bare = name.strip("[]").lower().rstrip(".")
        if port and int(port) != self.port and not self.is_open:
            return False
        return bare in ("localhost", *map(str.lower, self.hosts)) or self._is_own_address(bare)

    def _is_own_address(self, text: str) -> bool:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            return self.is_open and text in (socket.gethostname().lower(), f"{socket.gethostname().lower()}.local")
        return self.is_open or address.is_loopback

    def admits(self, headers: Headers, cookies: MutableMapping[str, str]) -> bool:
        """Return whether a request carries the token, as a cookie or as a bearer; raise where guesses are too many."""
        given = headers.get("authorization", "")
        bearer = given[7:].strip() if given[:7].lower() == "bearer " else ""
        tried = (cookies.get(self.cookie, ""), self.secret), (bearer, self.token)
        if any(one and hmac.compare_digest(one.encode(), other.encode()) for one, other in tried):
            return True
        if any(one for one, _ in tried):
            self.count_guess()
        return False

    def is_token(self, text: str) -> bool:
        """Return whether this is the token; raise where guesses are too many."""
        if hmac.compare_digest(text.encode(), self.token.encode()):
            return True
        self.count_guess()
        return False

    def count_guess(self) -> None:
        """Note a wrong token; raise when there were too many."""
        now = time.monotonic()
        while self._guesses and self._guesses[0] < now - MINUTE_S:
            self._guesses.popleft()
        self._guesses.append(now)
        if len(self._guesses) > MOST_GUESSES:
            raise StudioFault(429, "guesses")


class Safety:
    """The outermost part of the server."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        shield = Shield(scope, receive, send)
        try:
            answer = self._refuse(connection, scope)
            shield.check_length(connection.headers)
        except StudioFault as fault:
            answer = answer_fault(fault, connection.headers.get("accept-language", ""))
        if answer is not None:
            await answer(scope, receive, shield.send)
            return
        try:
            await self.app(scope, shield.receive, shield.send)
        except StudioFault as fault:
            if shield.has_begun:
                raise
            answer = answer_fault(fault, connection.headers.get("accept-language", ""))
            await answer(scope, receive, shield.send)

    def _refuse(self, connection: HTTPConnection, scope: Scope) -> Response | None:
        """Return the answer to a request that may not pass; None for one that may."""
        headers, host = connection.headers, connection.headers.get("host", "")
        if not self.guard.knows_host(host):
            raise StudioFault(403, "host")
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise StudioFault(403, "origin")
        if site not in ("same-origin", "none") and (scope["path"] != "/" or scope["method"] != "GET"):
            raise StudioFault(403, "origin")
        given = connection.query_params.get("token")
        if given is not None and scope["path"] == "/" and scope["method"] == "GET" and self.guard.is_token(given):
            answer = RedirectResponse("/", status_code=303)
            answer.set_cookie(self.guard.cookie, self.guard.secret, httponly=True, samesite="strict", path="/")
            return answer
        if self.guard.admits(headers, connection.cookies):
            return None
        if scope["path"].startswith("/api/"):
            raise StudioFault(401, "token")
        from dobble_print.studio.texts import say

        text = say(headers.get("accept-language", ""), "faults.token")
        return HTMLResponse(f"<!doctype html><meta charset=utf-8><title>Studio</title><p>{text}", 401)


class Shield:
    """Reads a request no further and no longer than agreed, and puts the same headers on every answer."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_upload = scope["method"] in ("POST", "PUT") and _UPLOADS.fullmatch(scope["path"]) is not None
        self.most = MOST_UPLOAD if is_upload else MOST_JSON
        self._is_art = scope["path"].startswith("/api/art/")
        self._receive, self._send = receive, send
        self._got, self._since, self._is_read = 0, time.monotonic(), False
        self.has_begun = False

    def check_length(self, headers: Headers) -> None:
        """Refuse at once what says that it is too large."""
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.most:
            raise StudioFault(413, "upload", limit=self.most >> 20)

    async def receive(self) -> Message:
        """Return the next piece of the request; raise `StudioFault` for too much or too slow."""
        if self._is_read:  # what follows is only that somebody left
            return await self._receive()
        try:
            message = await asyncio.wait_for(self._receive(), PATIENCE_S)
        except TimeoutError:
            raise StudioFault(408, "slow") from None
        self._got += len(message.get("body", b""))
        spent = time.monotonic() - self._since
        self._is_read = message["type"] != "http.request" or not message.get("more_body")
        if self._got > self.most:
            raise StudioFault(413, "upload", limit=self.most >> 20)
        if not self._is_read and spent > GRACE_S and self._got < LEAST_RATE * spent:
            raise StudioFault(408, "slow")
        return message

    async def send(self, message: Message) -> None:
        """Send a piece of the answer; the first brings the headers that every answer has."""
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers = MutableHeaders(scope=message)
            headers["x-content-type-options"] = "nosniff"
            headers["referrer-policy"] = "no-referrer"
            headers["cross-origin-resource-policy"] = "same-origin"
            headers["cross-origin-opener-policy"] = "same-origin"
            headers["content-security-policy"] = ART_POLICY if self._is_art else PAGE_POLICY
            headers.setdefault("cache-control", "no-store" if not self._is_art else "private, no-cache")
        await self._send(message)


async def read_json(read: Callable[[], Awaitable[bytes]]) -> dict[str, Any]:
    """Return a request's JSON object; raise `StudioFault` for anything else, however deep or long."""
    data = await read()
    if _measure_depth(data) > MOST_DEPTH:
        raise StudioFault(400, "json")
    try:
        value = json.loads(data or b"{}", parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise StudioFault(400, "json") from None
    if not isinstance(value, dict):
        raise StudioFault(400, "json")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _measure_depth(data: Iterable[int]) -> int:
    """Return how deep brackets go; those in texts count as well, which errs on the safe side."""
    depth = deepest = 0
    for byte in data:
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest
