"""What people bring: typed words, pasted tables, spreadsheets and pictures become symbols to add.

Invariant: everything is read as `dobble-print new --from` reads it; what cannot be read is refused in a sentence, and
what can is not held up by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from dobble_print.errors import Fault, InvalidValue
from dobble_print.importing.columns import guess_language, read_records
from dobble_print.importing.starter import NewSymbol
from dobble_print.importing.tables import Table, parse_table, read_workbook
from dobble_print.importing.typed import find_table, split_typed
from dobble_print.importing.word_list import read_part
from dobble_print.studio.document import Reading
from dobble_print.words.lexicon import ARTICLES, fold
from dobble_print.words.reading import find_word

Plain = dict[str, Any]
_LEAST_SHARE = 0.25  # of the words that must be known in a language before a new game is taken for it


@dataclass(frozen=True)
class Found:
    """What was read: the symbols to add, those that are there already, their languages, and what is doubtful.

    `columns` are the languages that a table itself tells; of the rows in `refused` nothing was made.
    """

    new: tuple[NewSymbol, ...]
    known: tuple[str, ...]
    languages: tuple[str, ...]
    remarks: tuple[Fault, ...]
    article: bool = False
    columns: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    def as_dict(self) -> Plain:
        """Return it as plain data."""
        return {
            "symbols": [describe_new(entry) for entry in self.new],
            "known": list(self.known),
            "languages": list(self.languages),
            "refused": list(self.refused),
            "remarks": [fault.as_dict() for fault in self.remarks],
        }


def read_words(text: str, language: str, reading: Reading | None = None, data: bytes = b"", name: str = "") -> Found:
    """Return the symbols of what was typed or pasted, or of a spreadsheet; `language` is the page's own.

    Words of a game are of its first language; a new game's are of the language that most of them are of.
    """
    table = read_sheet(data, name or "words.tsv") if data else find_table(text)
    spoken = reading.theme.languages if reading and reading.entries else ()
    first = next((each for each in spoken if each.split("-")[0] in ARTICLES), "")
    columns = read_records(table).languages if table else ()
    code = None if columns else first or _guess(text, table, language)
    found = read_part(text, code, table)
    entries = [_look_again(entry, spoken or found.languages) for entry in found.entries]
    there = _list_known(reading)
    known = tuple(entry.picture[1] for entry in entries if fold(entry.picture[1]) in there)
    new = tuple(entry for entry in entries if fold(entry.picture[1]) not in there)
    return Found(new, known, found.languages, found.remarks, found.article, columns, found.refused)


def read_sheet(data: bytes, name: str) -> Table:
    """Return the table of a spreadsheet or text file, whose name is only data."""
    shown = PurePosixPath(name.replace("\\", "/")).name or "list.csv"
    return read_workbook(data, shown) if shown.lower().endswith(".xlsx") else parse_table(data, shown)


def _guess(text: str, table: Table | None, language: str) -> str | None:
    if table is not None:
        return None
    words = [word for line in text.splitlines() for word in split_typed(line) or [line]]
    return guess_language([word.strip() for word in words if word.strip()], _LEAST_SHARE) or language


def _look_again(entry: NewSymbol, languages: Sequence[str]) -> NewSymbol:
    """Return a word that the list's own language does not know, if another of the game does."""
    kind, text = entry.picture
    if kind == "text" and not entry.names:
        with suppress(InvalidValue):
            find_word(text, languages)
            return replace(entry, picture=("word", text))
    return entry


def _list_known(reading: Reading | None) -> set[str]:
    entries = reading.entries if reading else ()
    names = {name for entry in entries if entry.symbol for name in entry.symbol.names.values()}
    return {fold(text) for text in (*(entry.text for entry in entries), *names)}


def describe_new(entry: NewSymbol) -> Plain:
    """Return a symbol that would be added, as the page shows it."""
    kind, text = entry.picture
    return {"kind": kind, "text": text, "names": dict(entry.names), "faces": list(entry.faces)}
