"""New games: empty, of words, of a ready-made theme, or of a file that somebody brings or shared.

Invariant: a file is opened by the same readers and with the same limits as on the command line; what it unpacks to lies
in the new game's folder alone, and a game that cannot be read leaves no folder behind.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path, PurePosixPath

from starlette.concurrency import run_in_threadpool

from dobble_print.batch.inputs import read_inputs, unpack_archive, unpack_files
from dobble_print.errors import ThemeError
from dobble_print.files import decode_text
from dobble_print.resources import THEME_ENDINGS, THEME_FILE, shipped_themes
from dobble_print.studio import texts
from dobble_print.studio.document import MOST_SYMBOLS, Document, read_document
from dobble_print.studio.faults import StudioFault
from dobble_print.studio.reading import Found, read_words
from dobble_print.studio.sessions import Deck, Studio
from dobble_print.theme.values import make_title

LISTS = (".csv", ".tsv", ".txt", ".xlsx")
ENDINGS_BY_TYPE = {
    "application/zip": ".zip",
    "application/x-zip-compressed": ".zip",
    "application/yaml": ".yaml",
    "text/yaml": ".yaml",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "text/plain": ".txt",
}
_LOOK = {"back.color": "#1d3557", "back.pattern": "symbols"}  # of a new game: what the gallery shows
_TOO_MUCH = ("is too large", "unpacks to far more", "holds more than")  # what the unpacker says of bombs
_ZIP, _HEAD = b"PK\x03\x04", "# Made in the studio of dobble-print. Any text editor can change it, too.\n"


async def make_of_words(studio: Studio, title: str, language: str, found: Found | None) -> Deck:
    """Make a game of words that were read, or an empty one."""
    shown = title or texts.say(language, "page.untitled") or "My game"
    return await studio.create(shown, partial(_write_new, title=shown, language=language, found=found))


def _write_new(folder: Path, title: str, language: str, found: Found | None) -> None:
    languages = found.languages if found else (texts.choose_language(language),)
    document = Document(folder / THEME_FILE, start_theme(languages, bool(found and found.article)))
    document.apply([{"op": "look", "values": {"title": title, **_LOOK}}])
    if found and found.new:
        document.apply([{"op": "add", "new": found.new[:MOST_SYMBOLS]}])
    (folder / THEME_FILE).write_text(document.text, encoding="utf-8")


def start_theme(languages: tuple[str, ...], article: bool) -> str:
    """Return the theme that a game of the studio starts with; what is chosen later is written as it is chosen."""
    articles = "article: true\n" if article else ""
    return f"{_HEAD}title: …\nlanguages: [{', '.join(languages)}]\n{articles}symbols: []\n"


async def copy_theme(studio: Studio, name: str) -> Deck:
    """Make a game of a ready-made theme."""
    path = shipped_themes().get(name)
    if path is None:
        raise StudioFault(404, "missing")

    def write(folder: Path) -> None:
        files = read_inputs(path)
        unpack_files({THEME_FILE if each == path.name else each: data for each, data in files.items()}, folder)

    return await studio.create(name, write)


async def make_of_file(studio: Studio, data: bytes, name: str, kind: str, language: str) -> Deck:
    """Make a game of a file: a zip that was shared, a theme, or a list; raise `ThemeError` or `StudioFault`."""
    shown = PurePosixPath(name.replace("\\", "/")).name or f"game{ENDINGS_BY_TYPE.get(kind, '')}"
    ending, title = PurePosixPath(shown).suffix.lower(), make_title(PurePosixPath(shown).stem)
    if ending == ".zip" or (data.startswith(_ZIP) and ending != ".xlsx"):
        return await studio.create(title, partial(_unpack, data=data, name=shown))
    if ending in THEME_ENDINGS:
        return await studio.create(title, partial(_write_text, text=decode_text(data, shown)))
    if ending in LISTS:
        found = await run_in_threadpool(read_words, "", language, None, data, shown)
        return await make_of_words(studio, title, language, found)
    raise StudioFault(415, "no_game")


def _unpack(folder: Path, data: bytes, name: str) -> None:
    """Write what a zip holds into the folder of a new game: its theme, and the files that it refers to."""
    packed = folder / "shared.zip"
    packed.write_bytes(data)
    try:
        theme = folder / unpack_archive(packed, folder, name)
    except ThemeError as error:
        is_large = any(part in str(error) for part in _TOO_MUCH)
        raise (StudioFault(422, "grows") if is_large else StudioFault(422, "no_game")) from error
    finally:
        packed.unlink()
    text = decode_text(theme.read_bytes(), THEME_FILE)
    theme.unlink()
    _write_text(folder, text)


def _write_text(folder: Path, text: str) -> None:
    reading = read_document(folder / THEME_FILE, text)
    ThemeError.raise_any(reading.faults)
    if not reading.entries:
        raise StudioFault(422, "no_game")
    (folder / THEME_FILE).write_text(text, encoding="utf-8")
