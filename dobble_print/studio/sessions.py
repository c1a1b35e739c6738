"""The games of the studio: each a folder with its theme, its pictures and its journal; who looks on hears of changes.

Invariant: a change counts only when the journal has it on disk; one change at a time; whatever workers find out belongs
to the text they were given, and what is older than the game is thrown away.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from dobble_print.cache import Cache
from dobble_print.errors import DobbleError, Fault
from dobble_print.resources import THEME_FILE
from dobble_print.sandbox.pool import TaskFailed
from dobble_print.studio.describing import count_line, describe_game
from dobble_print.studio.document import Document, Reading
from dobble_print.studio.faults import StudioFault, describe
from dobble_print.studio.journal import Journal, Step, refuse_write, write_safely
from dobble_print.studio.remarks import list_remarks
from dobble_print.studio.workers import ENDS, PREVIEW_SECONDS, Running, Stopped, Workers
from dobble_print.theme.reader import examine_theme
from dobble_print.theme.values import make_slug

Plain = dict[str, Any]
GAMES, REMOVED, ART, BUILDS, PICTURES = "games", "removed", "art", "builds", "pictures"
JOURNAL = "journal.jsonl"
DECK_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MOST_EVENTS = 100  # that a page that lost its connection can hear again
MOST_WAITING = 200  # events that a page may be behind; one that sleeps longer reads the game anew
MOST_LISTENERS = 24  # event streams of one game
_WAIT_S = 0.01


class Deck:
    """One game that is open: its text, its steps, what workers know of it, and who listens."""

    def __init__(self, folder: Path, studio: Studio) -> None:
        self.folder, self.id, self._studio = folder, folder.name, studio
        self.workers, self.cache = studio.workers, studio.cache
        self.journal = Journal(folder / JOURNAL)
        self._open_journal()
        self.document = Document(folder / THEME_FILE, self.journal.text)
        self.lock = asyncio.Lock()
        self._on_disk, self._age = self.document.text, self._measure_age()
        self.seen: Plain = {}
        self.cards: Plain | None = None
        self.art: Plain = {}
        self.faces: dict[str, list[str]] = {}
        self.trouble: Plain | None = None
        self.seen_rev = 0
        self._events: deque[tuple[int, str, Plain]] = deque(maxlen=MOST_EVENTS)
        self._listeners: set[asyncio.Queue[tuple[int, str, Plain] | None]] = set()
        self._number = int(time.time() * 1000)
        self._running: Running | None = None
        self._task: asyncio.Task[None] | None = None
        self.shown_at = asyncio.Event()

    def _open_journal(self) -> None:
        """Bring file and journal together: whoever was killed between them finds the journal's text in the file."""
        path, steps = self.folder / THEME_FILE, self.journal.steps
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if not steps:
            self.journal.add(Step(text, {"code": "opened"}))
        elif text != self.journal.text:
            before = steps[self.journal.position - 1].text if self.journal.position else None
            after = steps[self.journal.position + 1].text if self.journal.position + 1 < len(steps) else None
            if not text or text in (before, after):
                write_safely(path, self.journal.text.encode())
            else:
                self.journal.add(Step(text, {"code": "by_hand"}))

    def _measure_age(self) -> int:
        try:
            return (self.folder / THEME_FILE).stat().st_mtime_ns
        except OSError:
            return 0

    async def adopt(self) -> None:
        """Take what somebody has meanwhile written into the theme file with another program; one step of its own."""
        if self._measure_age() == self._age:
            return
        async with self.lock:
            self._age = self._measure_age()
            with suppress(OSError, ValueError, DobbleError):  # half written, or no theme: the journal's text holds
                text = await run_in_threadpool((self.folder / THEME_FILE).read_text, "utf-8")
                if text in (self._on_disk, self.document.text):
                    return
                document = await run_in_threadpool(Document, self.document.path, text)
                label = {"code": "by_hand"}
                await run_in_threadpool(self.journal.add, Step(text, label))
                self.document = document
                await self._settle([label], "")

    @property
    def rev(self) -> int:
        """How often the game has changed; what a page sends back to say what it has seen."""
        return self.journal.rev

    @property
    def reading(self) -> Reading:
        """What the program makes of the theme."""
        return self.document.reading

    def describe(self) -> Plain:
        """Return the game as the page shows it."""
        return {
            "id": self.id,
            "rev": self.rev,
            **describe_game(self.reading, self.faces),
            "art": self.art,
            "remarks": list_remarks(self.reading, self.seen),
            "undo": self.journal.undo_label,
            "redo": self.journal.redo_label,
            "trouble": self.trouble,
        }

    async def change(
        self, rev: int | None, make: Callable[[Document], None], label: Plain, burst: str = "", by: str = ""
    ) -> None:
        """Do one step: all of it on disk, or nothing; raise `StudioFault` where the page has not seen the last one."""
        async with self.lock:
            if rev is not None and rev != self.rev:
                raise StudioFault(409, "old", deck=self.describe())
            document = self.document
            before = document.text, document.reading
            try:
                await run_in_threadpool(make, document)
                if document.text == before[0]:
                    return
                await run_in_threadpool(list_remarks, document.reading, {})  # which remembers what takes long
                await run_in_threadpool(self.journal.add, Step(document.text, label, burst))
            except BaseException:
                document.text, document.reading = before
                raise
            await self._settle([label], by)

    async def move(self, by_steps: int, by: str = "") -> None:
        """Undo or redo a step."""
        async with self.lock:
            label = self.journal.undo_label if by_steps < 0 else self.journal.redo_label
            if not await run_in_threadpool(self.journal.move, by_steps):
                return
            self.document = await run_in_threadpool(Document, self.document.path, self.journal.text)
            await self._settle([{"code": "undo" if by_steps < 0 else "redo", "of": label}], by)

    async def _settle(self, ops: Sequence[Plain], by: str) -> None:
        """Write the theme file, tell everybody, and have the cards made."""
        self.emit("deck", {"rev": self.rev, "ops": list(ops), "by": by})
        with suppress(DobbleError):  # the journal has it; the file follows with the next step
            await run_in_threadpool(write_safely, self.folder / THEME_FILE, self.document.text.encode())
            self._on_disk, self._age = self.document.text, self._measure_age()
        self.emit("saved", {"rev": self.rev})
        self.emit("line", {"rev": self.rev, "numbers": count_line(self.reading)})
        self.refresh()

    def refresh(self) -> None:
        """Have the cards made anew; what is under way is stopped."""
        if self._running is not None:
            self._running.stop()
        self.shown_at.clear()
        self._running = Running()
        self._task = asyncio.get_running_loop().create_task(self._preview(self._running, self.rev, self.document.text))

    async def _preview(self, running: Running, rev: int, text: str) -> None:
        def hear(event: Plain) -> None:
            if not running.is_stopped:
                self._take(rev, event)

        arguments = (str(self.folder / THEME_FILE), text, str(self._studio.art), self._studio.cache)
        try:
            async with self._studio.turn:
                await self._studio.workers.run("preview", arguments, PREVIEW_SECONDS, hear, running)
        except Stopped:
            return
        except TaskFailed as failure:
            faults = failure.describe(ENDS)
            code = "layout" if failure.faults else "bug"
            self.trouble = {"rev": rev, "fault": describe(faults[0], code), "details": str(failure)}
            self.emit("trouble", self.trouble)
        finally:
            if not running.is_stopped:
                self.shown_at.set()

    def _take(self, rev: int, event: Plain) -> None:
        """Take what a worker found out, and tell it."""
        kind = event.pop("kind")
        if kind == "art":
            self.faces, self.art, self.trouble = event["symbols"], event["art"], None
            self.seen = {"faults": event["faults"]}
            self.emit("art", {"rev": rev, "symbols": self.faces, "art": self.art})
            self._tell_remarks(rev)
        elif kind == "cards":
            self._take_cards(rev, event["cards"])
        elif kind == "trouble":
            faults = [Fault.from_dict(each) for each in event["faults"]]
            told = describe(faults[0], event["code"])
            self.trouble = {"rev": rev, "fault": told, "details": "\n".join(map(str, faults))}
            self.emit("trouble", self.trouble)
        elif kind == "remarks":
            self.seen |= event
            self._tell_remarks(rev)
        elif kind == "lookalikes":
            self.seen["pairs"] = event["pairs"]
            self._tell_remarks(rev)

    def _take_cards(self, rev: int, cards: Plain | None) -> None:
        old = {card["n"]: card for card in self.cards["cards"]} if self.cards else {}
        self.cards, self.seen_rev = cards, rev
        self.shown_at.set()
        if cards is None:
            self.emit("cards", {"rev": rev, "key": None, "changed": [], "cards": []})
            return
        changed = [card for card in cards["cards"] if old.get(card["n"]) != card]
        look = {key: value for key, value in cards.items() if key != "cards"}
        numbers = [card["n"] for card in changed]
        self.emit("cards", {"rev": rev, **look, "count": len(cards["cards"]), "changed": numbers, "cards": changed})

    def _tell_remarks(self, rev: int) -> None:
        self.emit("remarks", {"rev": rev, "remarks": list_remarks(self.reading, self.seen)})

    def emit(self, kind: str, data: Plain) -> None:
        """Tell everybody who looks at the game."""
        self._number += 1
        event = (self._number, kind, data)
        self._events.append(event)
        for queue in list(self._listeners):
            if queue.qsize() >= MOST_WAITING:
                self._listeners.discard(queue)
                queue.put_nowait(None)
            else:
                queue.put_nowait(event)

    def listen(self, last: int | None) -> asyncio.Queue[tuple[int, str, Plain] | None]:
        """Return a queue of what happens from now on, and of what was missed since the event `last`."""
        if len(self._listeners) >= MOST_LISTENERS:
            raise StudioFault(429, "busy")
        queue: asyncio.Queue[tuple[int, str, Plain] | None] = asyncio.Queue()
        for event in self._events if last is not None else ():
            if event[0] > (last or 0):
                queue.put_nowait(event)
        self._listeners.add(queue)
        return queue

    def leave(self, queue: asyncio.Queue[tuple[int, str, Plain] | None]) -> None:
        """Stop telling somebody."""
        self._listeners.discard(queue)

    def close(self) -> None:
        """Stop what is under way, and end all event streams."""
        if self._running is not None:
            self._running.stop()
        for queue in self._listeners:
            queue.put_nowait(None)


class Studio:
    """All games of one folder, and the workers that they share."""

    def __init__(self, folder: Path, cache: Cache | None) -> None:
        self.folder, self.cache = folder, cache
        self.games, self.removed, self.builds = folder / GAMES, folder / REMOVED, folder / BUILDS
        self.art = (cache.folder if cache else folder) / ART
        self.workers = Workers()
        self.turn = asyncio.Semaphore(2)
        self.decks: dict[str, Deck] = {}
        self._lock = asyncio.Lock()

    def prepare(self) -> None:
        """Make the folders; raise `OutputError` where that cannot be."""
        try:
            for folder in (self.games, self.removed, self.builds, self.art):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise refuse_write(error) from None

    async def find(self, deck_id: str) -> Deck:
        """Return a game, opened where it was not yet; raise `StudioFault`."""
        if not DECK_ID.fullmatch(deck_id) or not (self.games / deck_id / THEME_FILE).is_file():
            raise StudioFault(404, "no_deck")
        async with self._lock:
            if deck_id not in self.decks:
                deck = self.decks[deck_id] = await run_in_threadpool(Deck, self.games / deck_id, self)
                await run_in_threadpool(list_remarks, deck.reading, {})
                deck.refresh()
        deck = self.decks[deck_id]
        await deck.adopt()
        return deck

    async def create(self, title: str, write: Callable[[Path], None]) -> Deck:
        """Make a game: `write` puts its theme and pictures into a new folder, which appears only when it is whole."""
        deck_id = f"{_make_stem(title)}-{secrets.token_hex(3)}"
        temporary = self.games / f".{deck_id}.part"
        try:
            temporary.mkdir(parents=True)
            await run_in_threadpool(write, temporary)
            temporary.rename(self.games / deck_id)
        except OSError as error:
            raise refuse_write(error) from None
        finally:
            if temporary.exists():
                shutil.rmtree(temporary, ignore_errors=True)
        return await self.find(deck_id)

    def list(self) -> list[Plain]:
        """Return all games, the last one changed first."""
        found = []
        for path in self.games.glob(f"*/{THEME_FILE}"):
            with suppress(OSError, DobbleError):
                found.append({"id": path.parent.name, "changed": round(path.stat().st_mtime, 3), **_sum_up(path)})
        return sorted(found, key=lambda each: (-each["changed"], each["id"]))

    async def remove(self, deck_id: str) -> None:
        """Put a game aside; nothing of it is deleted."""
        deck = await self.find(deck_id)
        self._shift(deck.folder, self.removed / deck_id)
        self.decks.pop(deck_id).close()

    async def restore(self, deck_id: str) -> Deck:
        """Bring a game back that was put aside."""
        if not DECK_ID.fullmatch(deck_id) or not (self.removed / deck_id).is_dir():
            raise StudioFault(404, "no_deck")
        self._shift(self.removed / deck_id, self.games / deck_id)
        return await self.find(deck_id)

    def _shift(self, source: Path, target: Path) -> None:
        try:
            source.rename(target)
        except OSError as error:
            raise refuse_write(error) from None

    def close(self) -> None:
        """Stop everything."""
        for deck in self.decks.values():
            deck.close()
        self.workers.close()


def _make_stem(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", make_slug(title)[:30]).strip("-") or "game"


_SUMMARIES: dict[tuple[Path, int], Plain] = {}


def _sum_up(path: Path) -> Plain:
    """Return what a list of games says of one; read again only when its file has changed."""
    key = (path, path.stat().st_mtime_ns)
    if key not in _SUMMARIES:
        theme, _ = examine_theme(path)
        _SUMMARIES[key] = {
            "title": dict(theme.title),
            "symbols": len(theme.symbols),
            "languages": list(theme.languages),
        }
    return _SUMMARIES[key]
