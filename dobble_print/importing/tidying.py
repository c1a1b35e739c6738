"""Tables as people keep them: a title on top, rows that are numbered, articles in a column of their own.

Invariant: a row keeps its place, and a word is taken off only where all that stands around it shows what it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from dobble_print.errors import Fault
from dobble_print.importing.tables import TYPED, Row, Table
from dobble_print.messages import quote
from dobble_print.resources import read_table
from dobble_print.words.forms import INDEFINITE
from dobble_print.words.lexicon import ARTICLES, find_named

_HEADINGS = "starter-columns.yaml"
_NUMBER = re.compile(r"([0-9]{1,4})[.)]?")
_FEWEST_ROWS = 3


def tidy_table(table: Table) -> Table:
    """Return a table without its title and without numbers before the rows, each article with its word."""
    rows, told = _drop_title(list(table.rows))
    return Table(tuple(_join_articles(_drop_counting(rows))), (*table.remarks, *told))


@cache
def _list_headings(key: str) -> frozenset[str]:
    return frozenset(name for names in read_table(_HEADINGS)[key].values() for name in names.split(", "))


def _is_known(text: str) -> bool:
    return any(find_named(text, code) for code in ARTICLES)


def _drop_title(rows: list[Row]) -> tuple[list[Row], list[Fault]]:
    """Leave out a title above the words: an empty row follows it, as nowhere else, or it says that it is one."""
    if len(rows) <= _FEWEST_ROWS or rows[0].place.file == TYPED or len(rows[0].cells) > 1 or not rows[0].cells[0]:
        return rows, []
    title, lines = rows[0].cells[0], [row.place.line for row in rows]
    stands_apart = lines[1] > lines[0] + 1 and lines[-1] - lines[1] == len(lines) - 2
    said = re.findall(r"\w+", title.casefold())
    says_so = len(said) > 1 and not _list_headings("title").isdisjoint(said)
    if _is_known(title) or not (stands_apart or says_so) or not any(map(str.isalpha, title)):
        return rows, []
    return rows[1:], [Fault(f"{quote(title)} was taken for a title", "", rows[0].place)]


def _drop_counting(rows: list[Row]) -> list[Row]:
    """Leave out a first column that counts the rows, also below a heading such as `nr`."""
    has_heading = bool(rows) and (not rows[0].cells[0] or rows[0].cells[0].casefold() in _list_headings("number"))
    counted = [_NUMBER.fullmatch(row.cells[0]) for row in rows[has_heading:]]
    numbers = [int(found[1]) for found in counted if found]
    others = [row.cells[1] if len(row.cells) > 1 else "" for row in rows[has_heading:]]
    are_words = sum(any(map(str.isalpha, text)) and not any(map(str.isdigit, text)) for text in others)
    in_order = numbers == list(range(1, len(counted) + 1))
    if len(numbers) < _FEWEST_ROWS or not in_order or 2 * are_words <= len(others):
        return rows
    return [replace(row, cells=row.cells[1:]) for row in rows if row.cells[1:]]


def _join_articles(rows: list[Row]) -> list[Row]:
    """Join a column of articles with the one that follows it: `het`, `paard` becomes `het paard`."""
    width = max((len(row.cells) for row in rows), default=0)
    at = next((i for i in range(width - 1) if _holds_articles(rows, i)), -1)
    return rows if at < 0 else [_join_row(row, at) for row in rows]


def _holds_articles(rows: Sequence[Row], at: int) -> bool:
    """Return whether a column holds articles of one language, below a heading or not."""
    cells = [row.cells[at].casefold().replace("’", "'") if at < len(row.cells) else "" for row in rows]
    is_headed = cells[0] in _list_headings("article")
    filled = [cell for cell in cells[is_headed:] if cell]
    known = [{*ARTICLES[code], *INDEFINITE[code]} for code in ARTICLES]
    return len(filled) >= (1 if is_headed else _FEWEST_ROWS) and any(each.issuperset(filled) for each in known)


def _join_row(row: Row, at: int) -> Row:
    """Return a row with the article before its word; the heading of articles goes."""
    article, *word = row.cells[at : at + 2] or ("",)
    is_heading = article.casefold() in _list_headings("article")
    joint = "" if article.endswith(("'", "’")) else " "
    joined = word if is_heading or not word else [f"{article}{joint}{word[0]}" if article and word[0] else word[0]]
    return replace(row, cells=(*row.cells[:at], *joined, *row.cells[at + 2 :]))
