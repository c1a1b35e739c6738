"""Articles in lists: `de appel` and `druif` in one column become names that print alike.

Invariant: a list's names either all stand without article, where its language has any, or the theme asks for articles,
and then a name that the lexicon cannot give one keeps its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dobble_print.theme.wordlist_columns import Record
from dobble_print.words.lexicon import ARTICLES

_ARTICLE = {
    code: re.compile(rf"({'|'.join(words)})(?:(?<=')\s*|\s+)(?=\S)", re.IGNORECASE)
    for code, words in ARTICLES.items()
    if words
}


def strip_article(text: str, code: str) -> str:
    """The text without an article of that language; `De Wit` and `La Paz` are names and keep it."""
    pattern = _ARTICLE.get(code.split("-")[0])
    found = pattern.match(text.replace("’", "'")) if pattern else None
    if not found:
        return text
    bare = text[found.end() :]
    is_name = found[1][0].isupper() and bare[0].isupper() and code.split("-")[0] != "de"
    return text if is_name else bare


def settle_articles(records: Sequence[Record], word_language: str) -> tuple[list[Record], bool]:
    """The records with names that print alike, and whether most had an article, so that the theme should print them."""
    names = [
        (name, code) for record in records for code, name in record.names.items() if code.split("-")[0] in _ARTICLE
    ]
    with_article = sum(strip_article(name, code) != name for name, code in names)
    if 2 * with_article > len(names):
        return list(records), True
    return [_strip_record(record, word_language) for record in records], False


def _strip_record(record: Record, word_language: str) -> Record:
    names = {code: strip_article(name, code) for code, name in record.names.items()}
    return replace(record, names=names, word=strip_article(record.word, word_language))
