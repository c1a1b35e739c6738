"""What somebody typed or pasted, taken apart into words: commas, lines, bullets, numbers, quotes, or a pasted table.

Invariant: what is taken off typed words, such as quotes, numbers and full stops, is no part of any word: `'s avonds`
and `3. klas` stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dobble_print.errors import Place
from dobble_print.importing.columns import Records, read_records
from dobble_print.importing.tables import TYPED, Row, Table, keep_rows, parse_table
from dobble_print.words.lexicon import ARTICLES, find_named
from dobble_print.words.writing import is_emoji

_BETWEEN_WORDS = re.compile(r"[,;\n،、，]|\s[/|]\s")
_BETWEEN_CELLS = re.compile(r"[,;](?![0-9])")  # no decimal comma
_FEWEST_ROWS = 3  # of a table with commas: fewer are a few words
_NUMBERED = re.compile(r"([0-9]{1,3})[.)]\s+(?=\D)")
_LAST_JOINT = re.compile(r"(.*?)\s*\b(?:and|en|et|und|y|e|i)\s+(.+)")
_QUOTES = frozenset(('""', "''", "``", "“”", "”“", "””", "„“", "„”", "‘’", "‚‘", "«»", "»«", "‹›", "›‹"))
_FEWEST_BLANK = 2  # words with only blanks between them
_BULLET = re.compile(r"\A[-*•–]\s*")


def split_typed(text: str) -> list[str]:
    """Return the words of a text; none where it does not look like a list of words."""
    if not _BETWEEN_WORDS.search(text):
        return _split_emoji(text) or _split_known(text)
    parts = [" ".join(part.split()) for part in _BETWEEN_WORDS.split(_unquote(text))]
    words = [_unquote(word) for word in _drop_numbers([part for part in parts if part])]
    return _split_last(words) if words else []


def _unquote(text: str) -> str:
    """Return the text without the quotes around it; one that opens or closes inside is a word's own."""
    bare = text.strip()
    is_quoted = len(bare) > 1 and bare[0] + bare[-1] in _QUOTES
    inner = bare[1:-1] if is_quoted else bare
    return inner.strip() if is_quoted and bare[0] not in inner and bare[-1] not in inner else bare


def _drop_numbers(words: Sequence[str]) -> list[str]:
    """Return `1. cat, 2. dog` without the numbers, where they count."""
    found = [_NUMBERED.match(word) for word in words]
    are_counted = bool(words) and all(number and int(number[1]) == i for i, number in enumerate(found[:2], 1))
    return [word[number.end() :] if number and are_counted else word for word, number in zip(words, found, strict=True)]


def _split_last(words: Sequence[str]) -> list[str]:
    """Split `sun and moon.` at the end, where both words are known; the full stop belongs to neither."""
    *others, last = words
    if last.endswith(".") and not any(word.endswith(".") for word in others) and _is_known(last[:-1]):
        last = last[:-1]
    joined = _LAST_JOINT.fullmatch(last)
    if joined and not _is_known(last) and all(_is_known(part.rstrip(".")) for part in joined.groups() if part):
        return [*others, *(part.rstrip(".") for part in joined.groups() if part)]
    return [*others, last]


def _is_known(word: str) -> bool:
    return any(find_named(word, code) for code in ARTICLES)


def _split_known(text: str) -> list[str]:
    """Return words with blanks between them, where one language knows them all."""
    parts = text.split()
    is_list = len(parts) >= _FEWEST_BLANK and any(all(find_named(part, code) for part in parts) for code in ARTICLES)
    return parts if is_list and not _is_known(text) else []


def _split_emoji(text: str) -> list[str]:
    """Split emoji in a row, with or without blanks; each is as long as it can be."""
    found, rest = list[str](), "".join(text.split())
    while rest:
        size = next((size for size in range(len(rest), 0, -1) if is_emoji(rest[:size])), 0)
        if not size:
            return []
        found.append(rest[:size])
        rest = rest[size:]
    return found if len(found) >= _FEWEST_BLANK else []


def strip_bullet(text: str) -> str:
    """Return a word without the dash or dot before it; without a blank between them, only a word that is known."""
    bare = _BULLET.sub("", text)
    return bare if text[1:2].isspace() or _is_known(bare) else text


def find_table(text: str) -> Table | None:
    """Return the table that somebody pasted: with tabs, or with a comma in every row and columns that tell themselves.

    `dog, chien` on each line is a table of two languages; `dog, cat` on each line is a list of words.
    """
    if "\t" in text:
        return parse_table(text.encode(), TYPED)
    if len(text.split("\n")) < _FEWEST_ROWS or not _BETWEEN_CELLS.search(text):
        return None
    table = parse_table(text.encode(), TYPED)
    found = read_records(table) if len({len(row.cells) for row in table.rows}) == 1 else Records(())
    return table if len(found.languages) > 1 or any(record.faces for record in found.records) else None


def split_line(text: str) -> Table:
    """Return a row for each word of a line; for a line that is one word, that."""
    words = split_typed(text) or [" ".join(text.split())]
    return Table(tuple(Row(Place(TYPED, i, 0), (word,)) for i, word in enumerate(words, 1) if word))


def split_lines(text: str) -> Iterator[Row]:
    """Return a row for each word of a text of several lines; a line may hold some with commas between them."""
    lines = list(filter(None, (" ".join(line.split()) for line in text.split("\n"))))
    for i, line in enumerate(_drop_numbers(lines), 1):
        words = split_typed(line) if _BETWEEN_CELLS.search(line) else [line]
        yield from keep_rows(((i, (word,)) for word in words), TYPED)
