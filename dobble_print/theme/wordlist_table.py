"""The cells of a list that people keep in a spreadsheet or a text file: rows of plain text, whatever saved them.

Invariant: a row keeps the number it has in a spreadsheet program; a file that cannot be read whole is refused.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dobble_print.errors import Fault, Place, ThemeError
from dobble_print.files import find_forbidden
from dobble_print.resources import THEME_ENDINGS
from dobble_print.theme.pictures import PHONE_ENDINGS, PICTURE_ENDINGS
from dobble_print.theme.reader import show_path

MOST_BYTES = 20 << 20
MOST_ROWS = 1001  # as many as a theme has symbols, and the headings
MOST_COLUMNS = 100

TEXT_ENDINGS = (".csv", ".tsv", ".tab", ".txt")
LIST_ENDINGS = (*TEXT_ENDINGS, ".xlsx", ".xlsm")

SAVE_AS = 'In your spreadsheet program choose "Save as" with the type Excel (.xlsx) or CSV (.csv).'
_COPY = "Copy the list into a spreadsheet and save it as .xlsx or .csv."

# Files that people try, by their ending: what they are, and what to do.
OTHER_LISTS = {
    ".xls": ("an old Excel file", SAVE_AS),
    ".xlsb": ("a binary Excel file", SAVE_AS),
    ".ods": ("a LibreOffice spreadsheet", SAVE_AS),
    ".numbers": ("a Numbers spreadsheet", "In Numbers choose File, Export To, and then Excel or CSV."),
    **dict.fromkeys((".doc", ".docx", ".odt", ".rtf", ".pages"), ("a document of a word processor", _COPY)),
    ".pdf": ("a PDF", _COPY),
}

_NO_LISTS = {
    **dict.fromkeys((*PICTURE_ENDINGS, *PHONE_ENDINGS), ("a picture", "Give the folder that it lies in.")),
    **dict.fromkeys(THEME_ENDINGS, ("a theme already", "Copy it and change the copy.")),
}

_ZIP, _OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_SEPARATORS = "\t;,"
_SEPARATOR_LINE = re.compile(r"sep=([;,\t|])\r?\n?", re.IGNORECASE)  # Excel's own way to say it
_SAMPLE = 50


@dataclass(frozen=True)
class Row:
    """The cells of one row, and where it stands."""

    place: Place
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """The rows that hold something, and what a person should know about how they were read."""

    rows: tuple[Row, ...]
    remarks: tuple[Fault, ...] = ()


def read_table_file(path: Path) -> Table:
    """The cells of a list, from CSV or from the first filled sheet of a workbook; raises `ThemeError`."""
    shown = show_path(path)
    _refuse_ending(path.suffix.casefold(), shown)
    data = _read_bytes(path, shown)
    if data.startswith(_ZIP):
        from dobble_print.theme.wordlist_workbook import read_workbook

        return read_workbook(data, shown)
    if data.startswith(_OLD_OFFICE):
        what = f"{shown} is an old Excel file, or one that opens with a password only"
        raise ThemeError(Fault(what, f"{SAVE_AS} Leave out the password."))
    return parse_table(data, shown)


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that the file system cannot even look up is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _refuse_ending(ending: str, shown: str) -> None:
    refused = OTHER_LISTS | _NO_LISTS
    if ending in refused:
        what, hint = refused[ending]
        raise ThemeError(Fault(f"{shown} is {what}", hint))


def _read_bytes(path: Path, shown: str) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ThemeError(Fault(f"{shown} cannot be read: {error.strerror}")) from error
    if len(data) > MOST_BYTES:
        raise ThemeError(Fault(f"{shown} is larger than {MOST_BYTES >> 20} MB", "A list of words is a small file."))
    return data


def parse_table(data: bytes, shown: str) -> Table:
    """The cells of a text with commas, semicolons or tabs between them."""
    text, remarks = _decode(data, shown)
    said = _SEPARATOR_LINE.match(text)
    separator = said[1] if said else find_separator(text)
    rows = _split_rows(text[said.end() :] if said else text, separator, shown, 2 if said else 1)
    return Table(tuple(keep_rows(rows, shown)), remarks)


def keep_rows(rows: Iterable[tuple[int, Iterable[str]]], shown: str) -> Iterator[Row]:
    """The rows that hold something, their cells on one line each, without empty ones at the end."""
    kept = 0
    for number, written in rows:
        cells = [" ".join(cell.split()) for cell in written]
        if not any(cells):
            continue
        while not cells[-1]:
            cells.pop()
        place = Place(shown, number, 0)
        kept += 1
        if kept > MOST_ROWS:
            raise ThemeError(Fault(f"the list has more than {MOST_ROWS - 1} rows", "A deck uses 183 at most.", place))
        hidden = next(filter(None, map(find_forbidden, cells)), "")
        if hidden:
            raise ThemeError(Fault(hidden, "Type the cell anew.", place))
        yield Row(place, tuple(cells))


def _decode(data: bytes, shown: str) -> tuple[str, tuple[Fault, ...]]:
    """The text of a list: UTF-8, UTF-16 (Excel's "Unicode text") or the Windows encoding of western Europe."""
    try:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return data.decode("utf-16"), ()
        if b"\0" in data:
            raise ThemeError(Fault(f"{shown} is not a list of words", SAVE_AS))
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        pass
    try:
        remark = Fault(f"{shown} is not UTF-8 and was read as Windows-1252", "Look whether the accents are right.")
        return data.decode("cp1252"), (remark,)
    except UnicodeDecodeError:
        hint = 'In your spreadsheet program choose "Save as" with the type CSV UTF-8, or Excel (.xlsx).'
        raise ThemeError(Fault(f"the letters of {shown} cannot be read", hint)) from None


def find_separator(text: str) -> str:
    """What stands between the cells: the mark that cuts the most rows into the same number of cells."""
    return max(_SEPARATORS, key=lambda mark: _count_even_rows(text, mark))


def _count_even_rows(text: str, mark: str) -> tuple[int, int]:
    """How many of the first rows have the usual number of cells, and that number; nothing for a single column."""
    widths: Counter[int] = Counter()
    try:
        for cells in csv.reader(io.StringIO(text, newline=""), delimiter=mark):
            widths[len(cells)] += bool("".join(cells).strip())
            if widths.total() >= _SAMPLE:
                break
    except csv.Error:
        return 0, 0
    usual, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    return (count, usual) if usual > 1 else (0, 0)


def _split_rows(text: str, separator: str, shown: str, first: int) -> Iterator[tuple[int, list[str]]]:
    number = first - 1
    try:
        for cells in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True):
            number += 1
            yield number, cells[:MOST_COLUMNS]
    except csv.Error:
        what = "a cell starts with a quotation mark that is never closed, or goes on after it"
        raise ThemeError(Fault(what, 'Remove the ", or write it twice.', Place(shown, number + 1, 0))) from None
