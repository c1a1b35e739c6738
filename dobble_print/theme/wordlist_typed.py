"""Words typed on a command line, as people type them: in quotes, numbered, with a full stop, with blanks only.

Invariant: what is taken off here is no part of any word: `'s avonds` and `3. klas` stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dobble_print.words.lexicon import ARTICLES, find_named
from dobble_print.words.writing import is_emoji

_BETWEEN_WORDS = re.compile(r"[,;\n،、，]|\s[/|]\s")
_NUMBERED = re.compile(r"([0-9]{1,3})[.)]\s+(?=\D)")
_LAST_JOINT = re.compile(r"(.*?)\s*\b(?:and|en|et|und|y|e|i)\s+(.+)")
_QUOTES = frozenset(('""', "''", "``", "“”", "”“", "””", "„“", "„”", "‘’", "‚‘", "«»", "»«", "‹›", "›‹"))
_FEWEST_BLANK = 2  # words with only blanks between them


def split_typed(text: str) -> list[str]:
    """The words of a text; none where it does not look like a list of words."""
    if not _BETWEEN_WORDS.search(text):
        return _split_emoji(text) or _split_known(text)
    parts = [" ".join(part.split()) for part in _BETWEEN_WORDS.split(_unquote(text))]
    words = [_unquote(word) for word in _drop_numbers([part for part in parts if part])]
    return _split_last(words) if words else []


def _unquote(text: str) -> str:
    """The text without the quotes around it; one that opens or closes inside is a word's own."""
    bare = text.strip()
    is_quoted = len(bare) > 1 and bare[0] + bare[-1] in _QUOTES
    inner = bare[1:-1] if is_quoted else bare
    return inner.strip() if is_quoted and bare[0] not in inner and bare[-1] not in inner else bare


def _drop_numbers(words: Sequence[str]) -> list[str]:
    """`1. cat, 2. dog` without the numbers, where they count."""
    found = [_NUMBERED.match(word) for word in words]
    are_counted = bool(words) and all(number and int(number[1]) == i for i, number in enumerate(found[:2], 1))
    return [word[number.end() :] if number and are_counted else word for word, number in zip(words, found, strict=True)]


def _split_last(words: Sequence[str]) -> list[str]:
    """`sun and moon.` at the end are two words, where both are known, and the full stop belongs to neither."""
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
    """Words with blanks between them, where one language knows them all."""
    parts = text.split()
    is_list = len(parts) >= _FEWEST_BLANK and any(all(find_named(part, code) for part in parts) for code in ARTICLES)
    return parts if is_list and not _is_known(text) else []


def _split_emoji(text: str) -> list[str]:
    """Emoji in a row, with or without blanks; each as long as it can be."""
    found, rest = list[str](), "".join(text.split())
    while rest:
        size = next((size for size in range(len(rest), 0, -1) if is_emoji(rest[:size])), 0)
        if not size:
            return []
        found.append(rest[:size])
        rest = rest[size:]
    return found if len(found) >= _FEWEST_BLANK else []
