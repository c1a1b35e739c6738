"""What the columns of a word list mean: languages, pictures, faces, pairs and sums."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from dobble_print.errors import Fault, Place
from dobble_print.importing.tables import TYPED, Row, Table
from dobble_print.importing.tidying import tidy_table
from dobble_print.messages import list_words, quote, suggest
from dobble_print.resources import read_table
from dobble_print.theme.kinds import MOST_FACES
from dobble_print.theme.pictures import is_picture
from dobble_print.words.forms import strip_any_article
from dobble_print.words.languages import find_language, language_aliases
from dobble_print.words.lexicon import ARTICLES, find_named, fold
from dobble_print.words.writing import is_emoji

Kind = Literal["picture", "emoji", "word", "text", "id", "name", "none"]
_HEADINGS = "starter-columns.yaml"
_KINDS: tuple[Kind, ...] = ("picture", "emoji", "word", "text", "id")
_AROUND = ("article", "number", "title")  # what stands around the words, and is no column of them
_FIRST_ROWS = 5  # titles may stand above the headings
_SHORTEST_NAME = 4  # shorter ones are codes of languages
_LONGEST_HEADING = 60


@dataclass(frozen=True)
class Column:
    """What a column holds; names, and perhaps words and texts, are in a language. Several with texts hold faces."""

    kind: Kind
    language: str = ""


@dataclass(frozen=True)
class Record:
    """One symbol as a row of a list tells it; `faces` are its looks where it has several."""

    place: Place
    picture: str = ""
    emoji: str = ""
    word: str = ""
    text: str = ""
    id: str = ""
    faces: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)

    @property
    def says_something(self) -> bool:
        """Whether there is anything to show or to say; an id alone is nothing."""
        return bool(self.picture or self.emoji or self.word or self.text or self.faces or self.names)


@dataclass(frozen=True)
class Records:
    """The symbols of a list, the languages it has columns for, and that of its words, where the heading tells it."""

    records: tuple[Record, ...]
    languages: tuple[str, ...] = ()
    word_language: str = ""
    remarks: tuple[Fault, ...] = ()


def read_records(table: Table) -> Records:
    """Return the rows of a table as records, by its headings or by what the cells look like."""
    table = tidy_table(table)
    at, columns = find_headings(table.rows)
    if at < 0:
        return read_bare(table)
    above, heading, rows = table.rows[:at], table.rows[at], table.rows[at + 1 :]
    columns, remarks = _settle(columns, heading)
    remarks += [Fault(f"{quote(' '.join(row.cells))} above the headings was not read", "", row.place) for row in above]
    return _collect(rows, columns, (*table.remarks, *remarks))


def find_headings(rows: Sequence[Row]) -> tuple[int, tuple[Column, ...]]:
    """Return which row holds the headings (-1: none), and what they mean; below a title there must be two of them."""
    for at, row in enumerate(rows[:_FIRST_ROWS]):
        columns = tuple(read_heading(cell) for cell in row.cells)
        known = {column for column in columns if column.kind != "none"}
        if (at == 0 or len(known) > 1) and _is_heading(row.cells, columns, rows[at + 1 :]):
            return at, columns
    return -1, ()


def _is_heading(cells: Sequence[str], columns: Sequence[Column], below: Sequence[Row]) -> bool:
    """Return whether a row with possible headings is one: `foto` and `no` may also be the first words of a list."""
    pairs = [(cell, column) for cell, column in zip(cells, columns, strict=True) if column.kind != "none"]
    clear = [cell for cell, _ in pairs if not any(find_named(cell, code) for code in ARTICLES)]
    if any(len(cell) >= _SHORTEST_NAME for cell in clear) or len({column for _, column in pairs}) > 1:
        return True
    near = [cell for cell, column in zip(cells, columns, strict=True) if column.kind == "none" and _suggest(cell)]
    return bool(clear) and (bool(near) or _is_language_of(below, columns))


def _is_language_of(rows: Sequence[Row], columns: Sequence[Column]) -> bool:
    """Return whether the one column with a language is in that language: `it` above Italian words is no word itself."""
    at = next(i for i, column in enumerate(columns) if column.kind != "none")
    return guess_language([row.cells[at] for row in rows if at < len(row.cells)], 0.25) == columns[at].language


@cache
def _headings() -> dict[str, Column]:
    """Return every heading the program knows, in lower case."""
    kinds: dict[str, Kind] = {kind: kind for kind in _KINDS}
    found = {name: Column("name", code) for name, code in language_aliases().items()}
    for key, by_language in read_table(_HEADINGS).items():
        if key in _AROUND:
            continue
        for code, names in by_language.items():
            column = Column(kinds.get(key, "name"), "" if code == "any" else code)
            found |= dict.fromkeys(names.split(", "), column)
    return found


def read_heading(text: str) -> Column:
    """Return what a heading says: a kind of content, or a language by code or name; `name (nl)` is a Dutch name."""
    if len(text) > _LONGEST_HEADING:  # what follows looks at one word less each time
        return Column("none")
    plain = " ".join(re.sub(r"[_()\[\]:/.]", " ", text).casefold().split())
    if plain in _headings():
        return _headings()[plain]
    numbered = _headings().get(re.sub(r" ?[0-9]$", "", plain))
    if numbered and numbered.kind == "text":  # answer 1, answer 2
        return numbered
    language = find_language(plain.replace(" ", "-"))
    if language:
        return Column("name", language.code)
    first, _, last = plain.rpartition(" ")
    if first and read_heading(first).kind == "word" and read_heading(last).kind == "name":
        return read_heading(last)
    return Column("none")


def _settle(columns: tuple[Column, ...], heading: Row) -> tuple[tuple[Column, ...], list[Fault]]:
    """Return the columns without those that come twice; these and unknown ones are named."""
    settled: list[Column] = []
    unknown: list[str] = []
    remarks: list[Fault] = []
    for cell, column in zip(heading.cells, columns, strict=True):
        if column.kind == "none" and cell:
            unknown.append(cell)
        elif column.kind != "none" and _count_alike(column, settled) >= (MOST_FACES if column.kind == "text" else 1):
            what = f"the column {quote(cell)} was not read, since there is another one like it"
            remarks.append(Fault(what, "Give it another heading.", heading.place))
            column = Column("none")
        settled.append(column)
    return tuple(settled), [*_name_unknown(unknown, heading.place), *remarks]


def _count_alike(column: Column, others: Iterable[Column]) -> int:
    """Return how many columns hold the same already; texts are alike in any language."""
    return sum(other == column or column.kind == other.kind == "text" for other in others)


def _name_unknown(cells: Sequence[str], place: Place) -> list[Fault]:
    """Warn about columns with unknown headings; those that are nearly a known one are named one by one."""
    hints = {cell: _suggest(cell) for cell in cells}
    others = [quote(cell) for cell, hint in hints.items() if not hint]
    what = f"{'column' if len(others) == 1 else 'columns'} {list_words(others, 'and')}" if others else ""
    was = "was" if len(others) == 1 else "were"
    known = "Headings it knows: picture, emoji, word, text (several are faces: sum, answer), id, and languages."
    remarks = [Fault(f"the {what} {was} not read", known, place)] if others else []
    near = [(cell, hint) for cell, hint in hints.items() if hint]
    return [*remarks, *(Fault(f"the column {quote(cell)} was not read", hint, place) for cell, hint in near)]


def _suggest(heading: str) -> str:
    return suggest(heading, _headings()) if len(heading) >= _SHORTEST_NAME else ""


def _collect(rows: Sequence[Row], columns: Sequence[Column], remarks: tuple[Fault, ...]) -> Records:
    records, doubts = [_fill_record(row, columns) for row in rows], list(remarks)
    most = max((len(record.faces) for record in records), default=0)
    for row, record in zip(rows, records, strict=True):
        beyond, whole = [cell for cell in row.cells[len(columns) :] if cell], quote(" ".join(row.cells))
        if not record.says_something:
            hint = "It stands in no column with pictures, words or names."
            doubts.append(Fault(f"{whole} was not read", hint, row.place))
        elif beyond:
            doubts.append(Fault(f"{quote(', '.join(beyond))} was not read", "There is no heading above it.", row.place))
        if record.text and most:  # among rows with several faces, a cell was forgotten
            hint = "It looks the same on every card; fill in the empty cell."
            doubts.append(Fault(f"{whole} has one face, others have {most}", hint, row.place))
    languages = tuple(column.language for column in columns if column.kind == "name")
    told = {column.kind: column.language for column in reversed(columns) if column.language}
    told_of = tuple(record for record in records if record.says_something)
    return Records(told_of, languages, told.get("word") or told.get("text", ""), tuple(doubts))


def _fill_record(row: Row, columns: Sequence[Column]) -> Record:
    names, cells, texts = dict[str, str](), dict[Kind, str](), list[str]()
    for cell, column in zip(row.cells, columns, strict=False):
        if cell and column.kind == "name":
            names[column.language] = cell
        elif cell and column.kind == "text":
            texts.append(set_sum(cell))
        elif cell and column.kind != "none":
            cells.setdefault(column.kind, cell)  # two columns may hold words: woord and symbool
    picture, emoji, word, own_id = (cells.get(kind, "") for kind in ("picture", "emoji", "word", "id"))
    text, faces = (texts[0], ()) if len(texts) == 1 else ("", tuple(texts))
    return Record(row.place, picture, emoji, word, text, own_id, faces, names)


def read_bare(table: Table) -> Records:
    """Read a table without headings: a list of words, in one column or many, or columns that tell themselves."""
    rows = split_equations(table.rows)
    width = max((len(row.cells) for row in rows), default=0)
    cells = [[row.cells[i] for row in rows if i < len(row.cells) and row.cells[i]] for i in range(width)]
    columns = [guess_column(column) for column in cells]
    pairs, width = find_pairs(rows, all(column.kind == "word" for column in columns))
    if width:
        return _collect(pairs.rows, [Column("text")] * width, (*table.remarks, *pairs.remarks))
    if len({column for column in columns if column.kind != "none"}) == 1 or len(rows) == 1:
        words = [Record(row.place, word=cell) for row in rows for cell in row.cells if cell]
        return Records(tuple(words), (), "", table.remarks)
    remarks: list[Fault] = []
    for i, column in enumerate(columns):
        is_spare = column.kind == "word" and any(other.kind in ("word", "name") for other in columns[:i])
        if is_spare or (column.kind != "none" and column in columns[:i]):
            what = f"column {i + 1} ({list_words(map(quote, cells[i][:3]), 'and')}) was not read"
            remarks.append(Fault(what, "Write above each column what it holds: picture, emoji, word, or a language."))
            columns[i] = Column("none")
    return _collect(rows, columns, (*table.remarks, *remarks))


def guess_column(cells: Sequence[str]) -> Column:
    """Return what a column without a heading holds: pictures, emoji, names in a language, or else words."""
    if not cells:
        return Column("none")
    if 2 * sum(map(is_picture, cells)) > len(cells):
        return Column("picture")
    if 2 * sum(map(is_emoji, cells)) > len(cells):
        return Column("emoji")
    language = guess_language(cells, 0.5)
    return Column("name", language) if language else Column("word")


def guess_language(words: Sequence[str], least_share: float, codes: Iterable[str] = ()) -> str:
    """Return the language in which the lexicon knows most of these words, if it knows that many.

    It is one of `codes`, by default of all; on a tie the first, which is English.
    """
    known = {code: sum(_is_named(word, code.split("-")[0]) for word in words) for code in codes or ARTICLES}
    best = max(known, key=lambda code: known[code])
    return best if known[best] and known[best] >= least_share * len(words) else ""


def _is_named(word: str, code: str) -> bool:
    return bool(find_named(word, code) or find_named(strip_any_article(word, code), code))


def fold_record(record: Record) -> Hashable:
    """Return what two rows that say the same have in common, whatever the case of their letters."""
    names = tuple(sorted((code, fold(name)) for code, name in record.names.items()))
    return record.picture, record.emoji, fold(record.word), record.text.casefold(), record.faces, record.id, names


FEWEST_PAIRS = 6  # rows of words: fewer are more likely a few words in a grid
_NUMBER = r"[0-9]+(?:[.,][0-9]+)?"
_OPERATOR = "[-+−–*×·•xX:÷]"
_SUM = re.compile(rf"\(*{_NUMBER}\)*(?:\s*{_OPERATOR}\s*\(*{_NUMBER}\)*){{1,5}}")
_LIKE_SUM = re.compile(rf"{_SUM.pattern}|{_NUMBER}\s*/\s*{_NUMBER}|√{_NUMBER}|{_NUMBER}\s*%|\S*[²³]\S*")
_SIGNS = {"-": "−", "–": "−", "*": "×", "x": "×", "X": "×", "•": "·"}
_EQUALS = re.compile(r"\s*=\s*")


def set_sum(text: str) -> str:
    """Return a sum as it is printed, `3x4` as `3 × 4`; any other text unchanged."""
    if not _SUM.fullmatch(text):
        return text
    return re.sub(rf"\s*({_OPERATOR})\s*", lambda sign: f" {_SIGNS.get(sign[1], sign[1])} ", text)


def is_sum(text: str) -> bool:
    """Return whether a text is something to calculate, or a fraction, a power or per cent."""
    return bool(_LIKE_SUM.fullmatch(text))


def split_equations(rows: Sequence[Row]) -> list[Row]:
    """Return a single column of `3 × 4 = 12` as columns; other rows as they are."""
    split = [_EQUALS.split(row.cells[0]) for row in rows if len(row.cells) == 1]
    parted = [parts for parts in split if all(parts) and 1 < len(parts) <= MOST_FACES]
    if len(split) < len(rows) or 2 * len(parted) <= len(rows):
        return list(rows)
    return [replace(row, cells=tuple(parts)) for row, parts in zip(rows, split, strict=True)]


def find_pairs(rows: Sequence[Row], are_plain_words: bool) -> tuple[Table, int]:
    """Return the rows of a list without headings that are faces of one thing each, and how many faces; 0 for none.

    `are_plain_words`: nothing is known about the words of any column.
    """
    width, count = Counter(len(row.cells) for row in rows).most_common(1)[0] if rows else (0, 0)
    if not 1 < width <= MOST_FACES or 2 * count <= len(rows):
        return Table(()), 0
    columns = [[row.cells[i] for row in rows if i < len(row.cells)] for i in range(width)]
    if any(2 * sum(map(is_sum, cells)) > len(cells) for cells in columns):
        above = rows[:1] if _is_pair_heading(rows) else []
        told = [Fault(f"{quote(' '.join(row.cells))} was taken for headings", "", row.place) for row in above]
        rows = rows[len(above) :]
        return Table(tuple(rows), (*told, *_describe_pairs(rows))), width
    is_table = are_plain_words and count == len(rows) >= FEWEST_PAIRS
    return (Table(tuple(rows), tuple(_describe_pairs(rows))), width) if is_table else (Table(()), 0)


def _describe_pairs(rows: Sequence[Row]) -> Iterator[Fault]:
    """Tell what the first row became, the others are alike; who types "3x4=12" knows."""
    shown = next(row for row in rows if len(row.cells) > 1)
    if shown.place.file == TYPED:
        return
    faces = list_words(map(quote, map(set_sum, shown.cells)), "and")
    hint = "If every cell is a symbol of its own, put them all into one column."
    yield Fault(f"each row is one symbol, shown as {faces}, and so on", hint)


def _is_pair_heading(rows: Sequence[Row]) -> bool:
    """Return whether only the first row of a list of sums has no figures: then it says what the columns are."""
    has_figures = [any(char.isnumeric() for char in "".join(row.cells)) for row in rows]
    return len(rows) > 1 and not has_figures[0] and all(has_figures[1:])
