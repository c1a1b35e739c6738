"""The API of what comes in and goes out: words and tables, pictures, themes, jobs and their files.

The docstring of each function is its text in `docs/studio-api.md`.
"""

from __future__ import annotations

import asyncio
import json
import zipfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse

from dobble_print.batch.inputs import pack_theme
from dobble_print.errors import InvalidValue
from dobble_print.files import decode_text, find_free_name, make_file_name
from dobble_print.importing.starter import NewSymbol, claim, name_pictures
from dobble_print.resources import THEME_FILE
from dobble_print.studio.api import PULSE_S, Call, deck_of, studio_of
from dobble_print.studio.creating import ENDINGS_BY_TYPE
from dobble_print.studio.document import MOST_SYMBOLS
from dobble_print.studio.faults import StudioFault, answer_fault
from dobble_print.studio.jobs import PACKED, Job, Jobs, read_wishes
from dobble_print.studio.journal import write_safely
from dobble_print.studio.reading import read_words
from dobble_print.studio.safety import MOST_FILE, read_json
from dobble_print.studio.sessions import PICTURES, Deck
from dobble_print.studio.workers import PREVIEW_SECONDS
from dobble_print.theme.options import SYMBOLS
from dobble_print.theme.pictures import is_picture
from dobble_print.theme.values import make_slug

Plain = dict[str, Any]
MOST_PARTS = 300  # files of one upload
MOST_PICTURES = 2000  # files of one game
MOST_WIDTH = 2400
_STEP_PX = 46  # widths of pages are rounded to multiples of this, so that few are drawn


async def post_read(request: Request) -> Response:
    """Add what words, a pasted table or a spreadsheet hold, in one step, and tell what that was.

    The body is `{"rev": 12?, "text": "cat, dog\\nsun", "by": "tab"?}`, or a file with its type (`text/csv`, …) and
    `?name=words.xlsx`. With `?dry=1` nothing is added, and there is no `deck`.

        {"added": ["cat", "dog"], "there": ["sun"], "symbols": [{"kind": "word", "text": "cat", "names": {…},
         "faces": []}, …], "languages": ["en"], "refused": ["3 × 3"], "left_out": 0,
         "remarks": [{"what": "…", "hint": "…", "place": null}], "deck": {the game}}

    Of rows in `refused` nothing was made; `left_out` are more than a game holds.
    """
    deck, given, data, name = await deck_of(request), {}, b"", request.query_params.get("name", "")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in ENDINGS_BY_TYPE:
        data, name = await request.body(), name or f"list{ENDINGS_BY_TYPE[kind]}"
    else:
        given = await read_json(request.body)
    text = str(given.get("text", ""))
    found = await run_in_threadpool(read_words, text, "en", deck.reading, data, name)
    room = max(0, MOST_SYMBOLS - len(deck.reading.entries))
    new, names = found.new[:room], [entry.picture[1] for entry in found.new[:room]]
    told = {"added": names, "there": list(found.known), "left_out": len(found.new) - len(new), **found.as_dict()}
    if request.query_params.get("dry"):
        return JSONResponse(told)
    if new:
        ops: list[Plain] = [{"op": "add", "new": new}]
        spoken = deck.reading.theme.languages if deck.reading.entries else ()
        wanted = list(dict.fromkeys((*spoken, *(found.columns if spoken else found.languages))))
        if wanted and wanted != list(spoken):
            ops = [{"op": "look", "values": {"languages": wanted}}, *ops]
        label = {"code": "paste", "count": len(names), "names": names[:3]}
        rev = given.get("rev") if isinstance(given.get("rev"), int) else None
        await deck.change(rev, lambda document: document.apply(ops), label, by=str(given.get("by", "")))
    return JSONResponse(told | {"deck": deck.describe()})


async def post_pictures(request: Request) -> Response:
    """Add pictures, one part each (`multipart/form-data`), in one step; or replace one.

    A part `symbol` names the symbol whose picture the one file becomes; a part `role` with `back` puts it on the backs.
    What cannot be read is refused by itself, in a sentence; what can be is added.

        {"pictures": [{"name": "anna-sofie.jpg", "id": "anna-sofie", "fault": null},
                      {"name": "notes.docx", "id": null, "fault": {"code": "no_picture", "sentence": "…", …}}],
         "deck": {the game}}
    """
    deck, language = await deck_of(request), request.headers.get("accept-language", "")
    async with request.form(max_files=MOST_PARTS, max_fields=8, max_part_size=1 << 16) as form:
        files = [part for _, part in form.multi_items() if isinstance(part, UploadFile)]
        if not files:
            raise StudioFault(400, "no_file")
        symbol, role, by = (str(form.get(key) or "") for key in ("symbol", "role", "by"))
        results = [await _take_file(deck, file, language) for file in files]
    await _examine(deck, results, language)
    good = [each for each in results if each["path"]]
    if good:
        await _add_pictures(deck, good, symbol, role, by)
    told = [{key: each[key] for key in ("name", "id", "fault")} for each in results]
    return JSONResponse({"pictures": told, "deck": deck.describe()})


async def _take_file(deck: Deck, file: UploadFile, language: str) -> Plain:
    """Write one uploaded file into the game's folder; what is no picture, or too large, is refused."""
    name = PurePosixPath((file.filename or "picture").replace("\\", "/")).name[-200:]
    if not is_picture(name):
        return _refuse(name, StudioFault(415, "no_picture", name=name), language)
    if (file.size or 0) > MOST_FILE:
        return _refuse(name, StudioFault(413, "file_size", name=name, limit=MOST_FILE >> 20), language)
    folder = deck.folder / PICTURES
    if folder.is_dir() and sum(1 for _ in folder.iterdir()) >= MOST_PICTURES:
        raise StudioFault(507, "full")
    data = await file.read()
    return {
        "name": name,
        "id": None,
        "fault": None,
        "path": await run_in_threadpool(_write_picture, folder, name, data),
    }


def _refuse(name: str, fault: StudioFault, language: str) -> Plain:
    told = json.loads(bytes(answer_fault(fault, language).body))["fault"]
    return {"name": name, "id": None, "fault": told, "path": None}


def _write_picture(folder: Path, name: str, data: bytes) -> Path:
    """Write a picture under a name that every theme can hold, its own where that is possible."""
    stem, ending = PurePosixPath(name).stem, PurePosixPath(name).suffix.lower()
    plain = make_file_name(stem, "picture")
    try:
        SYMBOLS.field("image").kind.read(f"{PICTURES}/{plain}{ending}")
    except InvalidValue:
        plain = make_slug(stem) or "picture"
    folder.mkdir(exist_ok=True, mode=0o700)
    free = find_free_name(plain, lambda each: (folder / f"{each}{ending}").exists())
    path = folder / f"{free}{ending}"
    write_safely(path, data)
    return path


# What the program says of a picture that it does not take, and the code of the studio's own sentence.
_REASONS = {
    "cannot be read": "damaged",
    "breaks the library": "damaged",
    "is empty": "nothing_seen",
    "too large": "too_large",
    "too much memory": "too_large",
    "larger than": "too_large",
}


async def _examine(deck: Deck, results: Sequence[Plain], language: str) -> None:
    """Open what came as a game would, in a worker; what cannot be opened is refused, and its file goes."""
    waiting = [each for each in results if each["path"]]
    paths = [str(each["path"]) for each in waiting]
    if not paths:
        return
    said, _ = await deck.workers.run("examine_pictures", (paths, deck.cache), PREVIEW_SECONDS, lambda event: None)
    for each, faults in zip(waiting, said["faults"], strict=True):
        if faults:
            reason = str(faults[0]["what"])
            code = next((code for part, code in _REASONS.items() if part in reason), "no_print")
            each["path"].unlink(missing_ok=True)
            each |= _refuse(each["name"], StudioFault(422, code, name=each["name"], reason=reason), language)


async def _add_pictures(deck: Deck, good: Sequence[Plain], symbol: str, role: str, by: str) -> None:
    """Add pictures as symbols that are named after their files, or put one in the place of another."""
    files = [f"{PICTURES}/{each['path'].name}" for each in good]
    label: Plain = {"code": "pictures", "count": len(files), "names": [each["name"] for each in good[:3]]}
    if role == "back":
        ops: list[Plain] = [
            {"op": "look", "values": {"back.image": files[0], "back.pattern": None, "back.color": None}}
        ]
        label = {"code": "back", "count": 1, "names": []}
    elif symbol:
        ops = [{"op": "set", "id": symbol, "picture": {"kind": "image", "text": files[0]}}]
        label, good[0]["id"] = {"code": "replace", "count": 1, "names": [symbol]}, symbol
    else:
        ops = [{"op": "add", "new": _name_new(deck, good, files)}]
    await deck.change(None, lambda document: document.apply(ops), label, by=by)


def _name_new(deck: Deck, good: Sequence[Plain], files: Sequence[str]) -> list[NewSymbol]:
    theme, ids = deck.reading.theme, {entry.id.casefold() for entry in deck.reading.entries}
    names = {name.casefold() for symbol in theme.symbols for name in symbol.names.values()}
    fit = list(zip(good, files, strict=True))[: max(0, MOST_SYMBOLS - len(deck.reading.entries))]
    named = name_pictures([each["name"] for each, _ in fit], theme.languages or ("en",), names, ids)
    for (each, _), symbol in zip(fit, named, strict=True):
        each["id"] = symbol.id or make_slug(next(iter(symbol.names.values()))) or claim("picture", ids, "-")
    return [
        replace(symbol, picture=("image", file), id=each["id"]) for (each, file), symbol in zip(fit, named, strict=True)
    ]


async def get_theme_file(request: Request) -> Response:
    """Return the theme file, which is the truth about a game."""
    deck = await deck_of(request)
    return Response(deck.document.text, media_type="text/yaml; charset=utf-8")


async def put_theme_file(request: Request) -> Response:
    """Replace the game by a theme written by hand, in one step; its comments and order are kept. Return the game.

    The body is the file. A theme with faults is refused with 422; `fault` is the first, `others` the rest.
    """
    deck = await deck_of(request)
    text = decode_text(await request.body(), THEME_FILE)
    await deck.change(None, lambda document: document.replace(text), {"code": "by_hand"})
    return JSONResponse(deck.describe())


async def get_theme_zip(request: Request) -> Response:
    """Return the game as one file to share: its theme and every picture it shows. Any studio opens it, and `build`."""
    deck = await deck_of(request)
    data = await run_in_threadpool(pack_theme, deck.document.path)
    name = make_file_name(deck.reading.theme.title_in(), "game")
    return Response(data, media_type="application/zip", headers=_attach(f"{name}.zip"))


def _attach(name: str) -> dict[str, str]:
    """Return the header that saves an answer under a name, whatever its letters."""
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}


def jobs_of(request: Request) -> Jobs:
    """Return the jobs of the studio that a request is for."""
    jobs: Jobs = request.app.state.jobs
    return jobs


def job_of(request: Request) -> Job:
    """Return the job that a request names."""
    return jobs_of(request).find(request.path_params["job"])


async def post_job(request: Request) -> Response:
    """Make the game as it is now, and return the job, with status 202; a job under way for the same game is stopped.

    {"copies": 1?, "booklet": true?, "legend": true?, "only": [3, 7]?, "profile": "punch"?, "paper": "A4"?,
     "backs": "long"?, "languages": ["en"]?}
    """
    deck = await deck_of(request)
    return JSONResponse(jobs_of(request).start(deck, read_wishes(await read_json(request.body))).as_dict(), 202)


async def get_job(request: Request) -> Response:
    """Return a job.

        {"id": "…", "deck": "farm-3fa91c", "rev": 12, "state": "queued" | "running" | "done" | "failed" | "stopped",
         "step": "reading" | "art" | "layout" | "sheets" | "rules" | "poster" | "checking", "share": 0.4,
         "files": [{"name": "cards.pdf", "bytes": 412345, "pages": 12, "state": "making" | "made" | "done"}, …],
         "proof": {"pairs": 465, "lines": ["…"]}, "warnings": [{"what": "…", "hint": "…", "place": null}],
         "fault": {…} | null, "details": "…"}

    A fault with the code `unproved` is ours: a check failed. The event `job` of the game's events has the same.
    """
    return JSONResponse(job_of(request).as_dict())


async def delete_job(request: Request) -> Response:
    """Stop a job; nothing happens to one that is over."""
    job = job_of(request)
    jobs_of(request).stop(job)
    return JSONResponse(job.as_dict())


async def get_job_events(request: Request) -> Response:
    """Tell how far a job is, as server-sent events `job`, with what `GET /api/jobs/{job}` says; they end with it."""
    job = job_of(request)
    return StreamingResponse(_follow(job), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def _follow(job: Job) -> AsyncIterator[str]:
    told, waited = "", 0.0
    while True:
        now = json.dumps(job.as_dict())
        if now != told:
            told, waited = now, 0.0
            yield f"event: job\ndata: {now}\n\n"
        if job.is_over:
            return
        await asyncio.sleep(0.1)
        waited += 0.1
        if waited > PULSE_S:
            waited = 0.0
            yield ": still here\n\n"


async def get_job_file(request: Request) -> Response:
    """Return a file of a job that is done, to be saved; parts of it where a range is asked for."""
    name = request.path_params["name"]
    path = jobs_of(request).find_file(job_of(request), name)
    return FileResponse(path, filename=path.name)


async def get_job_zip(request: Request) -> Response:
    """Return all files of a job that is done as one zip, named after the game."""
    job, jobs = job_of(request), jobs_of(request)
    paths = {file["name"]: jobs.find_file(job, file["name"]) for file in job.files}
    packed = job.folder / PACKED
    if not packed.is_file():
        await run_in_threadpool(_pack_files, packed, paths)
    deck = await studio_of(request).find(job.deck)
    name = make_file_name(deck.reading.theme.title_in(), "game")
    return FileResponse(packed, media_type="application/zip", headers=_attach(f"{name}.zip"))


def _pack_files(packed: Path, paths: dict[str, Path]) -> None:
    temporary = packed.with_suffix(".part")
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED) as archive:
        for name, path in paths.items():
            archive.write(path, name)
    temporary.replace(packed)


async def get_job_report(request: Request) -> Response:
    """Return the report of a job that is done, as `build --json` and batches write it."""
    job = job_of(request)
    jobs_of(request).find_file(job, job.files[0]["name"] if job.files else "")
    return FileResponse(job.folder / "report.json", media_type="application/json")


async def get_job_page(request: Request) -> Response:
    """Return a page of a file as a picture (WebP), drawn when it is asked for; `?width=` in pixels, 2400 at most."""
    asked = request.query_params.get("width", "920")
    width = min(max(int(asked) if asked.isdecimal() and len(asked) < 6 else 920, 92), MOST_WIDTH)
    width = -(-width // _STEP_PX) * _STEP_PX
    number = request.path_params["page"]
    path = await jobs_of(request).draw_page(job_of(request), request.path_params["name"], number, width)
    return FileResponse(path, media_type="image/webp", headers={"Cache-Control": "private, max-age=604800"})


CALLS = (
    Call("POST", "/api/decks/{deck}/read", post_read),
    Call("POST", "/api/decks/{deck}/pictures", post_pictures),
    Call("GET", "/api/decks/{deck}/theme.yaml", get_theme_file),
    Call("PUT", "/api/decks/{deck}/theme.yaml", put_theme_file),
    Call("GET", "/api/decks/{deck}/theme.zip", get_theme_zip),
    Call("POST", "/api/decks/{deck}/jobs", post_job),
    Call("GET", "/api/jobs/{job}", get_job),
    Call("DELETE", "/api/jobs/{job}", delete_job),
    Call("GET", "/api/jobs/{job}/events", get_job_events),
    Call("GET", "/api/jobs/{job}/files.zip", get_job_zip),
    Call("GET", "/api/jobs/{job}/report.json", get_job_report),
    Call("GET", "/api/jobs/{job}/files/{name:path}", get_job_file),
    Call("GET", "/api/jobs/{job}/pages/{name}/{page:int}", get_job_page),
)
