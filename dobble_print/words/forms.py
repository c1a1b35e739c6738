"""Names in all the forms in which people write them: another number, any article, no accents, other blanks.

Invariant: nothing here is made before a word is met that is no name of the lexicon; then once a language.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache

from dobble_print.words.lexicon import (
    ARTICLE_PATTERNS,
    REGIONAL,
    Name,
    Word,
    find_code,
    find_named,
    fold,
    match_before,
    words,
)
from dobble_print.words.nouns import make_plurals
from dobble_print.words.writing import SPELLED_OUT

# What people also write before a word, and no name starts with.
INDEFINITE: dict[str, tuple[str, ...]] = {
    "en": ("a", "an", "the", "some"),
    "nl": ("een", "'n"),
    "fr": ("un", "une", "des"),
    "de": ("ein", "eine", "einen"),
    "es": ("un", "una", "unos", "unas"),
    "it": ("un", "un'", "uno", "una", "dei", "degli", "delle"),
    "pt": ("um", "uma", "uns", "umas"),
    "pl": (),
}
INDEFINITE_PATTERNS = {code: match_before(articles) for code, articles in INDEFINITE.items() if articles}
VERBS = "actions"  # their group: no Wein is the singular of weinen
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})  # how Germans write without them
_SHORTEST, _LONGEST = 3, 60  # texts that are read as something else than they say


@dataclass(frozen=True)
class Reading:
    """A name that a text stands for, as it was compared; `number` says which of singular and plural the name is."""

    word: Word
    name: Name
    form: str
    number: str = ""


def read_loosely(text: str, code: str) -> Reading | None:
    """Return what a text means that is no name: one of another number, or with other accents, blanks or articles.

    None where it may be several things. A regional code is read as its language.
    """
    bare = strip_any_article(text, code)
    if not _SHORTEST <= len(bare) <= _LONGEST or (known := find_code(code)) == "":
        return None
    index, base = list_forms(known), REGIONAL.get(known, known)
    ranked = [(_rank(bare, each), each) for each in index.get(strip_marks(bare), ())]
    is_name = any(not each.number for _, each in ranked)  # and no singular of another: corazon, of corazones
    for form in () if is_name else make_plurals(bare, base):
        same = (each for each in index.get(strip_marks(form), ()) if not each.number and each.word.group != VERBS)
        ranked += [(_rank(form, replace(each, number="plural")), replace(each, number="plural")) for each in same]
    best = [each for rank, each in ranked if rank == min(rank for rank, _ in ranked)]
    meant = {find_named(each.name.text, known)[0].key for each in best}
    return next(each for each in best if each.word.key in meant) if len(meant) == 1 else None


def _rank(text: str, reading: Reading) -> tuple[bool, bool]:
    """Return how far a reading is from the text: other accents are further than another number."""
    return fold(text) != fold(reading.form), bool(reading.number)


@cache
def list_forms(code: str) -> dict[str, tuple[Reading, ...]]:
    """Return names and their plurals as they are written without accents; German ones also with ae, oe and ue."""
    found: dict[str, list[Reading]] = {}
    base = REGIONAL.get(code, code)
    for word in words().values():
        for name in word.names[code].all if code in word.names else ():
            plurals = make_plurals(name.text, base) if name.gender != "pl" else ()
            forms = [(name.text, ""), *((form, "singular") for form in plurals)]
            for form, number in forms:
                spelled = fold(form).translate(_UMLAUTS) if base == "de" else form
                for bare in {strip_marks(form): 0, strip_marks(spelled): 0}:
                    found.setdefault(bare, []).append(Reading(word, name, form, number))
    return {bare: tuple(readings) for bare, readings in found.items()}


def strip_marks(text: str) -> str:
    """Return the plain letters of a word: no accents, blanks, apostrophes or full stops."""
    plain = "".join(SPELLED_OUT.get(char, char) for char in unicodedata.normalize("NFD", fold(text)))
    return re.sub(r"[^\w]|_", "", plain)


def strip_any_article(text: str, code: str) -> str:
    """Return a text without an article before it, of either kind."""
    base, plain = code.split("-")[0], text.strip().replace("’", "'")
    patterns = (table[base] for table in (ARTICLE_PATTERNS, INDEFINITE_PATTERNS) if base in table)
    return next((plain[found.end() :] for each in patterns if (found := each.match(plain))), plain)
