"""The studio's server: its pages, its API, and how it starts and stops.

Invariant: the first line on stdout is the address, and it is printed when the page is ready to be opened.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from dobble_print.cache import Cache, use_cache
from dobble_print.errors import DobbleError, Fault, OutputError, UsageError
from dobble_print.fonts import font_bytes
from dobble_print.studio import api, transfers
from dobble_print.studio.faults import (
    StudioFault,
    answer_bug,
    answer_error,
    answer_http,
    answer_studio_fault,
)
from dobble_print.studio.jobs import Jobs
from dobble_print.studio.safety import Guard, Safety
from dobble_print.studio.sessions import Studio

CALLS = (*api.CALLS, *transfers.CALLS)
STATIC = Path(__file__).resolve().parent / "static"
FACES = ("regular", "bold")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_CONNECTIONS = 200
LEAST_TOKEN = 12  # letters of a token that somebody chose, where others can reach the studio


@dataclass(frozen=True)
class StudioOptions:
    """How the studio is started."""

    folder: Path
    host: str = "127.0.0.1"
    port: int = 0
    token: str = ""
    opens: bool = True
    cache: Cache | None = None

    @property
    def is_open(self) -> bool:
        """Whether other computers can reach it."""
        return self.host not in LOOPBACK

    def check(self) -> None:
        """Refuse to be reachable without a token that somebody chose; raise `UsageError`."""
        if self.is_open and len(self.token) < LEAST_TOKEN:
            what = f"--host {self.host} lets other computers in, and whoever knows the token sees and changes all games"
            hint = f"Choose one of {LEAST_TOKEN} letters or more: --token {secrets.token_urlsafe(12)}"
            raise UsageError(Fault(what, hint))
        if not 0 <= self.port <= 65535:
            raise UsageError(Fault(f"--port: there is no port {self.port}", "Give 0 to 65535; 0 takes a free one."))


def make_app(studio: Studio, guard: Guard) -> Starlette:
    """Return the application: what may pass comes to the API, or gets a file of the page."""

    @asynccontextmanager
    async def live(app: Starlette) -> AsyncIterator[None]:
        studio.workers.warm_up()
        threading.Thread(target=app.state.jobs.sweep, daemon=True).start()
        yield
        await asyncio.to_thread(studio.close)

    routes = [Route(call.path, call.answer, methods=[call.verb]) for call in CALLS]
    app = Starlette(
        routes=[
            *routes,
            Route("/", get_page),
            Route("/fonts/{face}.ttf", get_font),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        lifespan=live,
        exception_handlers={
            StudioFault: answer_studio_fault,
            DobbleError: answer_error,
            HTTPException: answer_http,
            Exception: answer_bug,
        },
    )
    app.state.studio, app.state.jobs = studio, Jobs(studio)
    app.add_middleware(Safety, guard=guard)
    return app


async def get_page(request: Request) -> Response:
    """Return the page."""
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


async def get_font(request: Request) -> Response:
    """Return the program's own font, regular or bold: words look on the page as they print."""
    face = request.path_params["face"]
    if face not in FACES:
        raise HTTPException(404)
    data = await asyncio.to_thread(font_bytes, face == "bold")
    return Response(data, media_type="font/ttf", headers={"Cache-Control": "private, max-age=86400"})


class Server(uvicorn.Server):
    """A server that says its address as soon as it listens."""

    def __init__(self, config: uvicorn.Config, studio: Studio, address: str, opens: bool) -> None:
        super().__init__(config)
        self.studio, self.address, self.opens = studio, address, opens

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say where."""
        await super().startup(sockets)
        print(self.address, flush=True)
        if self.opens:
            threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End event streams first: nobody waits for pages that stay open."""
        for deck in self.studio.decks.values():
            deck.close()
        await super().shutdown(sockets)


def run(options: StudioOptions) -> None:
    """Run the studio until it is stopped; raise `UsageError` or `OutputError` where it cannot start."""
    options.check()
    use_cache(options.cache)
    studio = Studio(options.folder, options.cache)
    studio.prepare()
    listener = _listen(options)
    port, token = listener.getsockname()[1], options.token or secrets.token_urlsafe(24)
    guard = Guard(token, port, (options.host,) if not options.is_open else (), options.is_open)
    config = uvicorn.Config(
        make_app(studio, guard),
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
        limit_concurrency=MOST_CONNECTIONS,
        lifespan="on",
    )
    shown = f"[{options.host}]" if ":" in options.host else options.host
    address = f"http://{socket.gethostname() if options.is_open else shown}:{port}/?token={token}"
    if options.is_open:
        told = "Other computers can reach this studio. Whoever knows the address sees and changes all its games."
        print(told, file=sys.stderr)
    asyncio.run(Server(config, studio, address, options.opens).serve([listener]))


def find_folder() -> Path:
    """Return where this user's games are kept."""
    from platformdirs import user_data_path

    return user_data_path("dobble-print", appauthor=False) / "studio"


def _listen(options: StudioOptions) -> socket.socket:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((options.host, options.port))
    except OSError as error:
        listener.close()
        what = f"the studio cannot listen on {options.host}:{options.port} ({error.strerror or error})"
        raise OutputError(Fault(what, "Is it running already? Leave out --port for a free one.")) from None
    return listener
