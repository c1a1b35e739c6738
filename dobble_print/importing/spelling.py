"""Slips in word lists: accents, articles, plurals, letters that are missing or swapped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dobble_print.errors import Fault
from dobble_print.importing.columns import Record
from dobble_print.messages import list_words, quote
from dobble_print.words.forms import INDEFINITE_PATTERNS, read_loosely, strip_any_article, strip_marks
from dobble_print.words.languages import language_name
from dobble_print.words.lexicon import (
    ARTICLE_PATTERNS,
    Word,
    find_emoji_word,
    find_named,
    fold,
    strip_article,
)
from dobble_print.words.near import count_slips
from dobble_print.words.nouns import make_plurals


def settle_articles(records: Sequence[Record], word_language: str) -> tuple[list[Record], bool]:
    """Return the records with names that print alike, and whether most had an article, which the theme then prints."""
    names = [
        (name, code)
        for record in records
        for code, name in record.names.items()
        if code.split("-")[0] in ARTICLE_PATTERNS
    ]
    with_article = sum(strip_article(name, code) != name for name, code in names)
    if 2 * with_article > len(names):
        return list(records), True
    return [_strip_record(record, word_language) for record in records], False


def _strip_record(record: Record, word_language: str) -> Record:
    names = {code: strip_article(name, code) for code, name in record.names.items()}
    return replace(record, names=names, word=strip_article(record.word, word_language))


def mend_accents(record: Record) -> tuple[Record, list[Fault]]:
    """Correct `etoile` to `étoile` and `Schluessel` to `Schlüssel` where one word can be meant; return what changed.

    An indefinite article goes without a word.
    """
    names, told = dict(record.names), list[Fault]()
    for code, written in record.names.items():
        name = names[code] = _strip_indefinite(written, code)
        bare = strip_article(name, code)
        is_known = find_named(bare, code) or strip_any_article(bare, code) != bare  # De Wit is a name
        meant = None if is_known else read_loosely(bare, code)
        if meant and not meant.number:
            names[code] = name.strip()[: len(name) - len(bare)] + meant.name.text
            told.append(Fault(f"{quote(name)} was read as {quote(names[code])}", "", record.place))
    word = next((names[code] for code, name in record.names.items() if name == record.word), record.word)
    return replace(record, names=names, word=word), told


def _strip_indefinite(text: str, code: str) -> str:
    """Return `een kat` as `kat`, where the lexicon knows what follows; `an apple a day` stays."""
    pattern = INDEFINITE_PATTERNS.get(code.split("-")[0])
    found = pattern.match(text.replace("’", "'")) if pattern and not find_named(text, code) else None
    bare = text[found.end() :] if found else ""
    return bare if bare and (find_named(bare, code) or read_loosely(bare, code)) else text


def check_spelling(record: Record, word: Word | None) -> Iterator[Fault]:
    """Warn about names that are nearly what the lexicon calls the thing that the rest of the row means."""
    meant = find_emoji_word(record.emoji) if record.emoji else word
    for code, name in record.names.items() if meant else ():
        base, bare = code.split("-")[0], strip_article(name, code)
        known = [one.text for one in meant.names[base].all] if meant and base in meant.names else []
        near = [text for text in known if count_slips(strip_marks(bare), strip_marks(text))]
        if not near or any(fold(bare) == fold(text) or _are_one_word(bare, text, base) for text in known):
            continue
        what = f"{quote(name)} is not the {language_name(code)} name known for {quote(_name_meant(record, meant))}"
        hint = "It is kept as you wrote it; mend it if it is a slip."
        yield Fault(f"{what}: {list_words(near)}", hint, record.place)


def _are_one_word(one: str, other: str, code: str) -> bool:
    """Return whether one is the plural of the other."""
    pairs = ((fold(one), fold(other)), (fold(other), fold(one)))
    return any(many in make_plurals(single, code) for single, many in pairs)


def _name_meant(record: Record, word: Word | None) -> str:
    """Return what in the row the lexicon knows the thing by."""
    named = (name for code, name in record.names.items() if word and word in find_named(name, code.split("-")[0]))
    return next(named, "") or record.emoji or record.word
