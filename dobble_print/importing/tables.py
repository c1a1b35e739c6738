"""Word lists as tables: CSV, TSV and workbooks, read with limits."""

from __future__ import annotations

import codecs
import csv
import datetime as dt
import io
import itertools
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dobble_print.errors import Fault, Place, ThemeError
from dobble_print.files import find_forbidden, read_named
from dobble_print.messages import list_words, quote
from dobble_print.resources import THEME_ENDINGS
from dobble_print.sandbox.limits import Limits
from dobble_print.sandbox.pool import FILE_ENDS, TaskFailed, run_once
from dobble_print.sandbox.protocol import Message
from dobble_print.theme.pictures import PICTURE_ENDINGS
from dobble_print.theme.reader import show_path

MOST_BYTES = 20 << 20
MOST_ROWS = 1001  # as many as a theme has symbols, and the headings
MOST_COLUMNS = 100
TYPED = "--from"  # the "file" of words typed on the command line
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
    **dict.fromkeys(PICTURE_ENDINGS, ("a picture", "Give the folder that it lies in.")),
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
    """Return the cells of a list, from CSV or from the first filled sheet of a workbook; raise `ThemeError`."""
    shown, refused = show_path(path), OTHER_LISTS | _NO_LISTS
    if path.suffix.casefold() in refused:
        what, hint = refused[path.suffix.casefold()]
        raise ThemeError(Fault(f"{shown} is {what}", hint))
    try:
        data = read_named(path, MOST_BYTES)
    except OSError as error:
        raise ThemeError(Fault(f"{shown} cannot be read: {error.strerror}")) from error
    if len(data) > MOST_BYTES:
        raise ThemeError(Fault(f"{shown} is larger than {MOST_BYTES >> 20} MB", "A list of words is a small file."))
    if data.startswith(_ZIP):
        return read_workbook(data, shown)
    if data.startswith(_OLD_OFFICE):
        what = f"{shown} is an old Excel file, or one that opens with a password only"
        raise ThemeError(Fault(what, f"{SAVE_AS} Leave out the password."))
    return parse_table(data, shown)


def parse_table(data: bytes, shown: str) -> Table:
    """Return the cells of a text with commas, semicolons or tabs between them."""
    text, remarks = _decode(data, shown)
    said = _SEPARATOR_LINE.match(text)
    separator = said[1] if said else find_separator(text)
    rows = _split_rows(text[said.end() :] if said else text, separator, shown, 2 if said else 1)
    return Table(tuple(keep_rows(rows, shown)), remarks)


def keep_rows(rows: Iterable[tuple[int, Iterable[str]]], shown: str) -> Iterator[Row]:
    """Yield the rows that hold something, their cells on one line each, without empty ones at the end."""
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
    """Return the text of a list: UTF-8, UTF-16 (Excel's "Unicode text") or the Windows encoding of western Europe."""
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
    """Return what stands between the cells: the mark that cuts the most rows into the same number of cells."""
    return max(_SEPARATORS, key=lambda mark: _count_even_rows(text, mark))


def _count_even_rows(text: str, mark: str) -> tuple[int, int]:
    """Return how many of the first rows have the usual number of cells, and that number; 0 for one column."""
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


MOST_UNPACKED = 30 << 20
MOST_PARTS = 5000
MOST_LETTERS = 5 << 20  # in all cells: a text that stands in the file once may fill many
SECONDS, SECONDS_PER_MB, MOST_SECONDS = 2.5, 10.0, 20.0  # of processor time; a thousand words take a tenth of one
MEMORY_BYTES = 300 << 20
LAST_ROW = 5000  # formats without content often run on to the last row there is
# What an archive is when it is no workbook, by what is in it.
_MARKS = {
    "word/document.xml": ".docx",
    "xl/workbook.bin": ".xlsb",
    "content.xml": ".ods",
    "Index/Document.iwa": ".numbers",
}
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # no spreadsheet program writes another
_COPY_LIST = "Copy the list alone into a new spreadsheet and save that."
_SAVE_AS_CSV = 'In your spreadsheet program choose "Save as" with the type CSV (.csv).'
_NO_DATE = "If you typed something else, such as 1/2, format the cells as text and type it again."
_OWN_DATE = ("mm-dd-yy", "m/d/yyyy")  # Excel's names for "short date", which each country shows in its own way


def read_workbook(data: bytes, shown: str) -> Table:
    """Return the first sheet that holds something; other filled sheets are named."""
    _check_archive(data, shown)
    limits = Limits(min(SECONDS + SECONDS_PER_MB * len(data) / 1e6, MOST_SECONDS), MEMORY_BYTES)
    try:
        table, _ = run_once("dobble_print.importing.tables:read_packed", (data, shown), limits, "openpyxl")
    except TaskFailed as failure:
        ends = (Fault(f"{shown}: {fault.what}", _SAVE_AS_CSV) for fault in failure.describe(FILE_ENDS))
        raise ThemeError(*(failure.faults or ends)) from failure
    rows = (Row(Place(shown, line, 0), tuple(cells)) for line, cells in table["rows"])
    return Table(tuple(rows), tuple(map(Fault.from_dict, table["remarks"])))


def read_packed(data: bytes, shown: str) -> Message:
    """Return a workbook's table as plain values; this runs in a worker."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the library does not support (charts, styles) has no words in it
            table = _read_sheets(data, shown)
    except (ThemeError, MemoryError):
        raise
    except Exception as error:  # a broken workbook fails in a dozen ways inside the library
        what = f"{shown} cannot be read as an Excel file ({type(error).__name__})"
        raise ThemeError(Fault(what, SAVE_AS)) from error
    if sum(len(cell) for row in table.rows for cell in row.cells) > MOST_LETTERS:
        raise ThemeError(Fault(f"{shown} holds far too much text", _COPY_LIST))
    rows = [(row.place.line, row.cells) for row in table.rows]
    return {"rows": rows, "remarks": [fault.as_dict() for fault in table.remarks]}, []


def _check_archive(data: bytes, shown: str) -> None:
    """Refuse what is no workbook, and what would grow out of all proportion when unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise ThemeError(Fault(f"{shown} is damaged", SAVE_AS)) from None
    names = {part.filename for part in parts}
    if "xl/workbook.xml" not in names:
        others = [OTHER_LISTS[ending] for mark, ending in _MARKS.items() if mark in names]
        what, hint = next(iter(others), ("no list of words", SAVE_AS))
        raise ThemeError(Fault(f"{shown} is {what}", hint))
    if any(part.compress_type not in _PACKINGS for part in parts):
        raise ThemeError(Fault(f"{shown} is packed in a way that spreadsheet programs do not use", SAVE_AS))
    if sum(part.file_size for part in parts) > MOST_UNPACKED or len(parts) > MOST_PARTS:
        raise ThemeError(Fault(f"{shown} is far too large when unpacked", _COPY_LIST))


def _read_sheets(data: bytes, shown: str) -> Table:
    from openpyxl import load_workbook

    shown_values = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    formulas = load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
    sheets = list(zip(shown_values.worksheets, formulas.worksheets, strict=True))
    sheets.sort(key=lambda pair: pair[0].sheet_state != "visible")
    table, titles = Table(()), list[str]()
    for values, written in sheets:
        remarks: list[Fault] = []
        found = keep_rows(_read_rows(values, written, shown, remarks), shown)
        rows = tuple(itertools.islice(found, 1) if table.rows else found)  # of others, whether they hold anything
        if rows and not table.rows:
            table = Table(rows, tuple(remarks))
        titles += [quote(values.title)] if rows else []
    if len(titles) > 1:
        what = f"only the sheet {titles[0]} was read, not {list_words(titles[1:], 'and')}"
        table = Table(table.rows, (*table.remarks, Fault(what, "Copy all words into one sheet to use them.")))
    return table


def _read_rows(values: Any, written: Any, shown: str, remarks: list[Fault]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a sheet as text; dates are doubtful, errors and formulas without a result are refused."""
    for sheet in (values, written):
        sheet.reset_dimensions()  # what a file says about its size is often wrong
    faults: list[Fault] = []
    pairs = zip(values.iter_rows(max_col=MOST_COLUMNS), written.iter_rows(max_col=MOST_COLUMNS), strict=False)
    for number, (cells, sources) in enumerate(itertools.islice(pairs, LAST_ROW), 1):
        place = Place(shown, number, 0)
        checked = (_check_cell(cell, source, place) for cell, source in zip(cells, sources, strict=False))
        faults += filter(None, checked)
        shown_cells = [show_cell(cell.value, getattr(cell, "number_format", "")) for cell in cells]
        yield number, shown_cells
        dates = [
            text for cell, text in zip(cells, shown_cells, strict=True) if isinstance(cell.value, dt.date | dt.time)
        ]
        remarks += [Fault(f"{quote(text)} is a date or a time", _NO_DATE, place) for text in dates]
    ThemeError.raise_any(faults)


def _check_cell(cell: Any, source: Any, place: Place) -> Fault | None:
    if getattr(cell, "data_type", "") == "e":
        return Fault(f"a cell shows the error {cell.value}", "Mend its formula, or type the word.", place)
    if cell.value is None and getattr(source, "data_type", "") == "f":
        hint = "Open the file in your spreadsheet program, save it, and try again."
        return Fault("a cell holds a formula that was never worked out", hint, place)
    return None


def show_cell(value: object, number_format: str) -> str:
    """Return a cell as a person sees it, as far as that can be told from the file."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _show_number(value, number_format)
    if isinstance(value, dt.date | dt.time):
        return _show_date(value, number_format)
    return str(value)


def _show_number(value: float, number_format: str) -> str:
    plain = re.fullmatch(r"0(?:\.(0+))?(%?)", number_format)
    if not plain:
        return f"{value:.10g}"
    decimals, percent = len(plain[1] or ""), plain[2]
    return f"{value * 100 if percent else value:.{decimals}f}{percent}"


def _show_date(value: dt.date | dt.time, number_format: str) -> str:
    """Return a date as its format says, where that is only digits; months by name are in an unknown language."""
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    year, month, day = f"{value:%Y}", value.month, value.day
    shown = {"yyyy": year, "yy": year[2:], "mm": f"{month:02}", "m": f"{month}", "dd": f"{day:02}", "d": f"{day}"}
    parts = re.findall("[a-z]+|[^a-z]+", number_format.casefold())
    is_clear = all(part in shown or re.fullmatch("[-/. ]", part) for part in parts)
    if not is_clear or not parts or number_format.casefold() in _OWN_DATE:
        return f"{value:%Y-%m-%d}"
    return "".join(shown.get(part, part) for part in parts)
