"""The API of the studio: what the page, or any other program with the token, can ask for; all of it JSON.

The docstring of each function is its text in `docs/studio-api.md`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse

from dobble_print.art.emoji import read_drawing, read_emoji
from dobble_print.errors import ArtworkError
from dobble_print.importing.starter import NewSymbol
from dobble_print.studio import catalog, texts
from dobble_print.studio.creating import ENDINGS_BY_TYPE, copy_theme, make_of_file, make_of_words
from dobble_print.studio.document import MOST_SYMBOLS
from dobble_print.studio.faults import StudioFault
from dobble_print.studio.reading import read_words
from dobble_print.studio.safety import read_json
from dobble_print.studio.sessions import Deck, Studio

Plain = dict[str, Any]
Handler = Callable[[Request], Awaitable[Response]]
PULSE_S = 15.0  # between two signs of life of an event stream
_ART = re.compile(r"[0-9a-f]{32}")
_DRAWING = re.compile(r"drawing-([a-z0-9-]{1,60})|emoji-([0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,15})")
FOREVER = "private, max-age=31536000, immutable"


def studio_of(request: Request) -> Studio:
    """Return the studio that a request is for."""
    studio: Studio = request.app.state.studio
    return studio


async def deck_of(request: Request) -> Deck:
    """Return the game that a request names."""
    return await studio_of(request).find(request.path_params["deck"])


async def get_texts(request: Request) -> Response:
    """Return all texts of the page in a language, those it lacks in English.

    `auto` in place of the language takes the first of `Accept-Language` that the studio speaks. A text holds places
    such as `{name}`, and `{cards: card | # cards}`, whose forms stand in the order of `plurals`.

        {"language": "nl", "languages": ["de", "en", …], "plurals": ["one", "other"], "texts": {"page": {…}, …}}
    """
    asked = request.path_params["lang"]
    accepted = request.headers.get("accept-language", "") if asked == "auto" else asked
    language = texts.choose_language(accepted)
    return JSONResponse(texts.describe_texts(language))


async def get_themes(request: Request) -> Response:
    """Return the ready-made games.

    {"themes": [{"id": "kids", "title": {"en": "…"}, "purpose": {"en": "…"}, "languages": ["en", …],
                 "symbols": 31, "cards": 31, "per_card": 6}, …]}
    """
    return JSONResponse({"themes": await run_in_threadpool(catalog.list_themes)})


async def get_profiles(request: Request) -> Response:
    """Return the machines: `id`, `about`, and what each sets in a theme.

    {"profiles": [{"id": "punch", "about": "…", "shapes": ["round"], "sizes": ["63.5", …], "sheet": {…}}, …]}
    """
    return JSONResponse({"profiles": await run_in_threadpool(catalog.list_profiles)})


async def get_papers(request: Request) -> Response:
    """Return the papers, the default first.

    {"papers": [{"id": "A4", "width_mm": 210.0, "height_mm": 297.0}, …]}
    """
    return JSONResponse({"papers": catalog.list_papers()})


async def get_languages(request: Request) -> Response:
    """Return the languages that names may have; of those with `lexicon`, the program knows words.

    {"languages": [{"code": "en", "name": "English", "lexicon": true}, …]}
    """
    return JSONResponse({"languages": catalog.list_languages()})


async def get_limits(request: Request) -> Response:
    """Return how much may be sent and how large a game may be.

    {"version": "…", "fewest_symbols": 6, "fewest_to_fill": 2, "most_symbols": 183, "upload_bytes": 629145600,
     "file_bytes": 67108864, "json_bytes": 2097152, "pictures": [".jpg", …], "lists": [".csv", …]}
    """
    return JSONResponse(catalog.describe_limits())


async def get_arithmetic(request: Request) -> Response:
    """Return what so many symbols give: cards, symbols a card, and how many wait; and the full decks.

    {"fewest": 6, "most": 183, "table": {"28": [21, 5, 7], "31": [31, 6, 0], …}, "full": [[7, 3], [13, 4], …]}
    """
    return JSONResponse(await run_in_threadpool(catalog.describe_arithmetic), headers={"Cache-Control": FOREVER[9:]})


async def get_drawings(request: Request) -> Response:
    """Return drawings by a word in any language, best guesses first; `?q=boat&lang=en&limit=24`.

    `art` is an address below `/api/art/`; `id` is the word to set as a symbol's picture (with `choice`, where a word
    has several).

        {"drawings": [{"id": "sailing boat", "emoji": "⛵", "names": {"en": "sailing boat", …}, "group": "vehicles",
                       "art": "emoji-26f5"}, …]}
    """
    given = request.query_params
    limit = min(int(given.get("limit", "24")), 200) if given.get("limit", "24").isdecimal() else 24
    query, language = given.get("q", "")[:80], given.get("lang", "en")[:12]
    return JSONResponse({"drawings": await run_in_threadpool(catalog.find_drawings, query, language, limit)})


async def get_decks(request: Request) -> Response:
    """Return all games of this studio, the last one changed first.

    {"decks": [{"id": "farm-3fa91c", "changed": 1760000000.123, "title": {"en": "Farm"}, "symbols": 31,
                "languages": ["en"]}, …]}
    """
    return JSONResponse({"decks": await run_in_threadpool(studio_of(request).list)})


async def post_deck(request: Request) -> Response:
    """Make a game, and return it as `GET /api/decks/{deck}` does, with status 201.

    The body is one of

        {"from": "empty", "title": "…"?, "language": "en"?}
        {"from": "words", "text": "cat, dog\\nsun …", "title": "…"?, "language": "en"?}
        {"from": "theme", "theme": "kids"}

    or a file as it is, with its type (`application/zip`, `application/yaml`, `text/csv`, `text/tab-separated-values`,
    `text/plain`, `application/vnd.openxmlformats-officedocument.spreadsheetml.sheet`), and its name and the page's
    language in the query: `?name=words.xlsx&lang=en`. `language` is taken where the words do not tell theirs. A game of
    words also tells how many it `added`, how many were `left_out`, and the rows of which nothing was made (`refused`).
    """
    studio, kind = studio_of(request), request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in ENDINGS_BY_TYPE:
        name, language = request.query_params.get("name", ""), request.query_params.get("lang", "en")
        return JSONResponse((await make_of_file(studio, await request.body(), name, kind, language)).describe(), 201)
    given = await read_json(request.body)
    source, title, language = given.get("from", "empty"), str(given.get("title", "")), str(given.get("language", "en"))
    if source == "theme":
        deck = await copy_theme(studio, str(given.get("theme")))
    elif source == "empty":
        deck = await make_of_words(studio, title, language, None)
    elif source == "words":
        found = await run_in_threadpool(read_words, str(given.get("text", "")), language)
        deck = await make_of_words(studio, title, language, found)
        added = min(len(found.new), MOST_SYMBOLS)
        told = {"added": added, "left_out": len(found.new) - added, "refused": list(found.refused)}
        return JSONResponse(deck.describe() | told, 201)
    else:
        raise StudioFault(400, "request")
    return JSONResponse(deck.describe(), 201)


async def get_deck(request: Request) -> Response:
    """Return a game.

        {"id": "farm-3fa91c", "rev": 12, "title": "Farm", "titles": {"en": "Farm"}, "languages": ["en", "fr"],
         "symbols": [{"id": "cat", "kind": "word", "text": "cat", "names": {"en": "cat", "fr": "chat"},
                      "own_names": [], "art": ["9f…32 digits"], "scale": 1.0, "rotation": null, "background": null,
                      "crop": null, "filled": false, "kept": [], "waiting": false, "missing": []}, …],
         "art": {"9f…": {"w": 1.0, "h": 0.9, "cx": 0.5, "cy": 0.45, "r": 0.6}, …},
         "look": {"card.shape": "round", "card.size": 85.0, "deck.seed": 1, "faces": ["picture", "word:en"], …},
         "print": {"profile": "punch", "sheet.paper": "A4", "sheet.duplex": "long", …},
         "line": {"symbols": 28, "playing": 28, "cards": 21, "per_card": 5, "waiting": ["sun", …],
                  "next": {"missing": 3, "per_card": 6, "cards": 31}, "fault": null},
         "remarks": [{"id": "hegdehog:unknown:", "symbol": "hegdehog", "code": "unknown", "sentence": "",
                      "values": {"text": "hegdehog", "near": ["hedgehog"]}}, …],
         "undo": {"code": "add", "count": 3, "names": ["sun", …]}, "redo": null, "faults": [], "trouble": null}

    - `kind` is `word`, `emoji`, `image`, `text`, `faces` (several texts of its own) or `names`; `text` is what the
      theme file says. `art` has a name for each face, the first is its picture; it is empty until a worker has seen it.
    - `art`: a picture's box in units of its longer side, and the circle (`cx`, `cy`, `r`; y points down) that a card's
      `diameter` means: `<image>` is `w·s` wide and `h·s` high at `x − cx·s`, `y − cy·s`, with `s = diameter / (2·r)`,
      and turned by `turn` degrees clockwise about `x`, `y`.
    - `look` and `print` hold what is in force, whether the theme says it or not; `faces`, `font`, `crop`, `profile`
      and other keys without a dot only where the theme says them.
    - Codes of remarks: `unknown` (`text`, `near`), `twice` (`other`), `same_picture`, `lookalike` (`other`, `score`,
      `reason`: looks, colour or letters; `seen_by`), `small`, `pale`, `long` (`text`), `nameless` (`language`), `sum`,
      `equal`, `fault`. `sentence` is the program's own, in English, for codes without a text.
    - `undo` and `redo` are labels of steps: `code` is an op's, or `opened`, `by_hand`, `paste`, `pictures`, `replace`.
    """
    return JSONResponse((await deck_of(request)).describe())


async def patch_deck(request: Request) -> Response:
    """Do one step, which one undo takes back, and return the game.

        {"rev": 12, "ops": [{"op": "set", "id": "cat", "names": {"en": "kitty"}}], "burst": "name:cat"?, "by": "tab"?}

    `rev` is the game's as last seen; 409 brings the newer game in `deck` (leave `rev` out to change whatever is there).
    Steps with the same `burst`, one after the other, are one. `by` comes back in the event. The ops:

        {"op": "add", "text": "sun, tree" | "symbols": [{"kind": "word", "text": "sun", "names": {…}?}], "at": 3?}
        {"op": "set", "id": "cat", "names": {"en": "kitty", "fr": null}?, "scale": 1.2?, "rotation": "upright"?,
         "crop": "circle"?, "background": "remove"?, "color": "#112233"?,
         "picture": {"kind": "word", "text": "hedgehog", "choice": "…"?} | {"kind": "faces", "text": ["3 × 4", "12"]}?}
        {"op": "remove", "ids": ["cat"]}
        {"op": "move", "id": "cat", "to": 4}
        {"op": "fill", "count": 3?}
        {"op": "join", "ids": ["3-4", "2-6"]}          (one symbol with the faces of both)
        {"op": "keep", "ids": ["hegdehog"], "remark": "unknown"}       (remark "filled": takes the star away)
        {"op": "look", "values": {"card.shape": "hex", "deck.seed": 7, "faces": ["picture", "word:en"], "title": "…",
                                  "languages": ["en", "fr"], "font": null}}
        {"op": "print", "values": {"profile": "punch", "sheet.paper": "A3", "sheet.low_ink": true}}

    Keys of `look` and `print` are those of the theme reference; null takes a key away. What a theme cannot hold is
    refused with 422, and nothing changes.
    """
    deck, given = await deck_of(request), await read_json(request.body)
    ops, rev = given.get("ops"), given.get("rev")
    if not isinstance(ops, list) or not all(isinstance(op, dict) for op in ops) or len(ops) > 500:
        raise StudioFault(400, "request")
    if rev is not None and not isinstance(rev, int):
        raise StudioFault(400, "request")
    ready = await run_in_threadpool(_prepare, ops, deck)
    label = label_step(ready)
    await deck.change(
        rev, lambda document: document.apply(ready), label, str(given.get("burst", "")), str(given.get("by", ""))
    )
    return JSONResponse(deck.describe())


def _prepare(ops: list[Plain], deck: Deck) -> list[Plain]:
    """Read the words of ops that add some."""
    ready = []
    kinds = {"ids": list, "values": dict, "names": dict, "picture": dict}
    if any(key in op and not isinstance(op[key], kind) for op in ops for key, kind in kinds.items()):
        raise StudioFault(400, "request")
    for op in ops:
        if op.get("op") == "add":
            given = op.get("symbols")
            if isinstance(given, list):
                new = tuple(_read_symbol(each) for each in given)
            else:
                new = read_words(str(op.get("text", "")), "en", deck.reading).new
            op = {**op, "new": new}
        picture = op.get("picture")
        if isinstance(picture, dict) and picture.get("kind") == "image":  # files come as files
            raise StudioFault(400, "request")
        ready.append(op)
    return ready


def _read_symbol(given: Any) -> NewSymbol:
    if not isinstance(given, dict) or given.get("kind") not in ("word", "emoji", "text"):
        raise StudioFault(400, "request")
    names = given.get("names") or {}
    if not isinstance(names, dict):
        raise StudioFault(400, "request")
    return NewSymbol((str(given["kind"]), " ".join(str(given.get("text", "")).split())), names)


def label_step(ops: list[Plain]) -> Plain:
    """Return what a step does, for the page to say."""
    op = ops[0] if ops else {}
    code = str(op.get("op", ""))
    if code == "add":
        names = [new.picture[1] for each in ops if each.get("op") == "add" for new in each["new"]]
        return {"code": code, "count": len(names), "names": names[:3]}
    ids = [str(own) for each in ops for own in (each.get("ids") or [each.get("id")]) if own]
    keys = [str(key) for each in ops for key in dict(each.get("values") or {})]
    fields = [key for key in ("picture", "names", "scale", "rotation", "crop", "background", "color") if key in op]
    return {"code": code, "count": len(ids), "names": ids[:3], "keys": keys[:3], "fields": fields}


async def post_undo(request: Request) -> Response:
    """Take the last step back, and return the game; nothing happens where there is none. The body: `{"by": …}?`."""
    deck, given = await deck_of(request), await read_json(request.body)
    await deck.move(-1, str(given.get("by", "")))
    return JSONResponse(deck.describe())


async def post_redo(request: Request) -> Response:
    """Do the step again that was taken back, and return the game."""
    deck, given = await deck_of(request), await read_json(request.body)
    await deck.move(1, str(given.get("by", "")))
    return JSONResponse(deck.describe())


async def delete_deck(request: Request) -> Response:
    """Put a game aside; `POST /api/decks/{deck}/restore` brings it back. Nothing is deleted."""
    await studio_of(request).remove(request.path_params["deck"])
    return JSONResponse({})


async def post_restore(request: Request) -> Response:
    """Bring back a game that was put aside, and return it."""
    deck = await studio_of(request).restore(request.path_params["deck"])
    return JSONResponse(deck.describe())


async def get_cards(request: Request) -> Response:
    """Return the cards as they print, as placements in mm from a card's upper left corner.

        {"rev": 12, "key": "…", "shape": "round", "size_mm": 85.0, "width_mm": 85.0, "height_mm": 85.0,
         "outline": [[85.0, 42.5], …], "background": "#ffffff", "rim": "#1d3557", "rim_width_mm": 1.2,
         "back": {"kind": "none", "color": "#1d3557", "spots": […]}, "deck_id": "a1b2c3",
         "paper": {"name": "A4", "cards_per_sheet": 6}, "unused": ["sun"], "art": {"9f…": {…}},
         "cards": [{"n": 1, "rim": "#1d3557", "dots": 0, "spots": [["9f…", "cat", x, y, turn, diameter], …]}, …]}

    `rev` is that of the game the cards were made of; `key` changes with them and is the ETag. Where they are not
    ready, the answer waits for them, five seconds at most (`?wait=0`: not at all); then `cards` is null.
    """
    deck = await deck_of(request)
    if request.query_params.get("wait") != "0":
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(deck.shown_at.wait(), 5)
    if deck.cards is None:
        return JSONResponse({"rev": deck.rev, "key": None, "cards": None})
    tag = f'"{deck.cards["key"]}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"ETag": tag})
    return JSONResponse({"rev": deck.seen_rev, **deck.cards}, headers={"ETag": tag, "Cache-Control": "no-cache"})


async def get_lookalikes(request: Request) -> Response:
    """Return pairs that players may take for each other, the likeliest first, as far as they are known yet.

        {"rev": 12, "pairs": [{"a": "apple", "b": "tomato", "score": 0.78, "reason": "looks", "seen_by": ["everybody"],
                               "sentence": ""}, …]}

    `reason` is `looks`, `colour` (only to the colour-blind), `copy` (only on a photocopy) or `letters`.
    """
    deck = await deck_of(request)
    return JSONResponse({"rev": deck.seen_rev, "pairs": deck.seen.get("pairs", [])})


async def get_art(request: Request) -> Response:
    """Return a picture as it prints: clean SVG, or WebP of 512 pixels where it has no vectors; it never changes.

    The name is one of a game's `art`, or of a drawing (`emoji-1f431`, `drawing-football-boot`).
    """
    name, studio = request.path_params["digest"], studio_of(request)
    if _ART.fullmatch(name):
        for ending, kind in ((".svg", "image/svg+xml"), (".webp", "image/webp")):
            if (studio.art / f"{name}{ending}").is_file():
                return FileResponse(studio.art / f"{name}{ending}", media_type=kind, headers={"Cache-Control": FOREVER})
        raise StudioFault(404, "missing")
    return Response(_read_drawing(name), media_type="image/svg+xml", headers={"Cache-Control": FOREVER})


def _read_drawing(name: str) -> bytes:
    found = _DRAWING.fullmatch(name)
    try:
        if found and found[1]:
            return read_drawing(found[1])
        if found:
            return read_emoji("".join(chr(int(point, 16)) for point in found[2].split("-")))
    except (ArtworkError, OSError, ValueError):
        pass
    raise StudioFault(404, "missing")


async def get_thumb(request: Request) -> Response:
    """Return a picture small: WebP of 128 pixels for photos, and the drawing itself for drawings."""
    path = studio_of(request).art / f"{request.path_params['digest']}.thumb.webp"
    if _ART.fullmatch(request.path_params["digest"]) and path.is_file():
        return FileResponse(path, media_type="image/webp", headers={"Cache-Control": FOREVER})
    return await get_art(request)


async def get_events(request: Request) -> Response:
    """Tell what happens to a game, as server-sent events; `Last-Event-ID` goes on where a connection broke.

        event: deck      {"rev": 13, "ops": [label], "by": "tab"}       a step was made, here or in another tab
        event: saved     {"rev": 13}                                    it is on the disk
        event: line      {"rev": 13, "numbers": {as `line` of the game}}
        event: art       {"rev": 13, "symbols": {"cat": ["9f…"]}, "art": {"9f…": {…}}}
        event: cards     {"rev": 13, "key": "…", (all but cards of GET cards), "count": 31, "changed": [3, 7],
                          "cards": [only those that differ from the last event]}
        event: remarks   {"rev": 13, "remarks": [all that hold now]}    again when more is known; look-alikes last
        event: trouble   {"rev": 13, "fault": {…}, "details": "…"}      the cards could not be made
        event: job       {"id": "…", "state": "running", "step": "sheets", "share": 0.4, …}  as `GET /api/jobs/{job}`

    The first event is `hello` with `{"rev", "key"}`: a page that has other ones reads the game or its cards anew.
    """
    deck = await deck_of(request)
    last = request.headers.get("last-event-id", "")
    queue = deck.listen(int(last) if last.isdecimal() else None)
    head = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream(deck, queue), media_type="text/event-stream", headers=head)


async def _stream(deck: Deck, queue: asyncio.Queue[tuple[int, str, Plain] | None]) -> AsyncIterator[str]:
    hello = {"rev": deck.rev, "key": deck.cards["key"] if deck.cards else None}
    try:
        yield f"event: hello\ndata: {json.dumps(hello)}\n\n"
        while True:
            try:
                event = await asyncio.wait_for(queue.get(), PULSE_S)
            except TimeoutError:
                yield ": still here\n\n"
                continue
            if event is None:
                return
            number, kind, data = event
            yield f"id: {number}\nevent: {kind}\ndata: {json.dumps(data)}\n\n"
    finally:
        deck.leave(queue)


@dataclass(frozen=True)
class Call:
    """A verb and a path of the API, and what answers it."""

    verb: str
    path: str
    answer: Handler


CALLS = (
    Call("GET", "/api/texts/{lang}", get_texts),
    Call("GET", "/api/themes", get_themes),
    Call("GET", "/api/profiles", get_profiles),
    Call("GET", "/api/papers", get_papers),
    Call("GET", "/api/languages", get_languages),
    Call("GET", "/api/limits", get_limits),
    Call("GET", "/api/arithmetic", get_arithmetic),
    Call("GET", "/api/drawings", get_drawings),
    Call("GET", "/api/decks", get_decks),
    Call("POST", "/api/decks", post_deck),
    Call("GET", "/api/decks/{deck}", get_deck),
    Call("PATCH", "/api/decks/{deck}", patch_deck),
    Call("DELETE", "/api/decks/{deck}", delete_deck),
    Call("POST", "/api/decks/{deck}/restore", post_restore),
    Call("POST", "/api/decks/{deck}/undo", post_undo),
    Call("POST", "/api/decks/{deck}/redo", post_redo),
    Call("GET", "/api/decks/{deck}/cards", get_cards),
    Call("GET", "/api/decks/{deck}/lookalikes", get_lookalikes),
    Call("GET", "/api/decks/{deck}/events", get_events),
    Call("GET", "/api/art/{digest}", get_art),
    Call("GET", "/api/art/{digest}/thumb", get_thumb),
)
