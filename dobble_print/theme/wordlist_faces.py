"""Rows of a list that are several faces of one thing: a sum and its result, a country and its capital.

Invariant: cells of one row stay together; a list is taken for pairs only where it holds sums, or full rows of words
that are in no lexicon, and then a person is told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dobble_print.errors import Fault
from dobble_print.messages import list_words, quote
from dobble_print.theme.face_kinds import MOST_FACES
from dobble_print.theme.wordlist_table import Row

FEWEST_PAIRS = 6  # rows of words: fewer are more likely a few words in a grid

_NUMBER = r"[0-9]+(?:[.,][0-9]+)?"
_OPERATOR = "[-+−–*×·•xX:÷]"
_SUM = re.compile(rf"\(*{_NUMBER}\)*(?:\s*{_OPERATOR}\s*\(*{_NUMBER}\)*){{1,5}}")
_LIKE_SUM = re.compile(rf"{_SUM.pattern}|{_NUMBER}\s*/\s*{_NUMBER}|√{_NUMBER}|{_NUMBER}\s*%|\S*[²³]\S*")
_SIGNS = {"-": "−", "–": "−", "*": "×", "x": "×", "X": "×", "•": "·"}
_EQUALS = re.compile(r"\s*=\s*")


def set_sum(text: str) -> str:
    """A sum as it is printed, `3x4` as `3 × 4`; any other text unchanged."""
    if not _SUM.fullmatch(text):
        return text
    return re.sub(rf"\s*({_OPERATOR})\s*", lambda sign: f" {_SIGNS.get(sign[1], sign[1])} ", text)


def is_sum(text: str) -> bool:
    """Whether a text is something to calculate, or a fraction, a power or per cent."""
    return bool(_LIKE_SUM.fullmatch(text))


def split_equations(rows: Sequence[Row]) -> list[Row]:
    """A single column of `3 × 4 = 12` as columns; other rows as they are."""
    split = [_EQUALS.split(row.cells[0]) for row in rows if len(row.cells) == 1]
    parted = [parts for parts in split if all(parts) and 1 < len(parts) <= MOST_FACES]
    if len(split) < len(rows) or 2 * len(parted) <= len(rows):
        return list(rows)
    return [replace(row, cells=tuple(parts)) for row, parts in zip(rows, split, strict=True)]


@dataclass(frozen=True)
class Pairs:
    """The rows that are faces of one thing each, how many faces, and what to tell about it."""

    rows: Sequence[Row]
    width: int
    remarks: tuple[Fault, ...]


def find_pairs(rows: Sequence[Row], are_plain_words: bool) -> Pairs | None:
    """The faces in a list without headings, where its rows hold any.

    `are_plain_words`: nothing is known about the words of any column.
    """
    width, count = Counter(len(row.cells) for row in rows).most_common(1)[0] if rows else (0, 0)
    if not 1 < width <= MOST_FACES or 2 * count <= len(rows):
        return None
    columns = [[row.cells[i] for row in rows if i < len(row.cells)] for i in range(width)]
    if any(2 * sum(map(is_sum, cells)) > len(cells) for cells in columns):
        above = rows[:1] if _is_heading(rows) else []
        told = [Fault(f"{quote(' '.join(row.cells))} was taken for headings", "", row.place) for row in above]
        return Pairs(rows[len(above) :], width, (*told, _tell_pairs(rows[len(above) :])))
    is_table = are_plain_words and count == len(rows) >= FEWEST_PAIRS
    return Pairs(rows, width, (_tell_pairs(rows),)) if is_table else None


def _tell_pairs(rows: Sequence[Row]) -> Fault:
    """What the first row became; the others are alike."""
    shown = next(row for row in rows if len(row.cells) > 1)
    faces = list_words(map(quote, map(set_sum, shown.cells)), "and")
    hint = "If every cell is a symbol of its own, put them all into one column."
    return Fault(f"each row is one symbol, shown as {faces}, and so on", hint)


def _is_heading(rows: Sequence[Row]) -> bool:
    """Whether the first row of a list of sums has no figures and all others have: then it says what the columns are."""
    has_figures = [any(char.isnumeric() for char in "".join(row.cells)) for row in rows]
    return len(rows) > 1 and not has_figures[0] and all(has_figures[1:])


def doubt_single(place_texts: Sequence[tuple[Row, int]]) -> Iterator[Fault]:
    """Rows with one face among rows with several: a cell was forgotten."""
    most = max((count for _, count in place_texts), default=0)
    for row, count in place_texts:
        if count == 1 and most > 1:
            what = f"{quote(' '.join(row.cells))} has one face, others have {most}"
            yield Fault(what, "It looks the same on every card; fill in the empty cell.", row.place)
