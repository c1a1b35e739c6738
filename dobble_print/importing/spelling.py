"""Slips in word lists: accents, articles, plurals, letters that are missing or swapped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from rapidfuzz.distance import OSA

from dobble_print.errors import Fault
from dobble_print.importing.columns import Record
from dobble_print.messages import list_words, quote
from dobble_print.words.languages import language_name
from dobble_print.words.lexicon import (
    ARTICLE_PATTERNS,
    ARTICLES,
    Name,
    Word,
    find_emoji_word,
    find_named,
    fold,
    list_names,
)


def strip_article(text: str, code: str) -> str:
    """Return the text without an article of that language; `De Wit` and `La Paz` are names and keep it."""
    pattern = ARTICLE_PATTERNS.get(code.split("-")[0])
    found = pattern.match(text.replace("’", "'")) if pattern else None
    if not found:
        return text
    bare = text[found.end() :]
    is_name = found[1][0].isupper() and bare[0].isupper() and code.split("-")[0] != "de"
    return text if is_name else bare


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


_SHORTEST = 3
_LONGEST = 30  # of texts that are compared letter by letter
_LONG = 6  # letters of a word in which two slips are still one word
_MOST_MEANT = 3
_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})  # how Germans write without umlauts
# What a plural does to the end of a word, as patterns; a rule too many does no harm, for only real words are found.
_CONSONANT = "[b-df-hj-np-tv-z]"
_PLURALS: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (("$", "s"), ("(?<=[sxzho])$", "es"), ("y$", "ies"), ("fe?$", "ves")),
    "nl": (
        *(("$", "en"), ("$", "s"), ("$", "'s"), ("$", "eren"), ("e$", "en"), ("s$", "zen"), ("f$", "ven")),
        (rf"([aeou])\1({_CONSONANT})$", r"\1\2en"),
        (rf"([aeiou])({_CONSONANT})$", r"\1\2\2en"),
        (r"([aeou])\1f$", r"\1ven"),
        (r"([aeou])\1s$", r"\1zen"),
    ),
    "fr": (("$", "s"), ("$", "x"), ("ail?$", "aux"), ("al$", "aux")),
    "de": (
        *(("$", "e"), ("$", "n"), ("$", "en"), ("$", "er"), ("$", "s"), ("in$", "innen")),
        *(
            (f"{plain}([^aeiouäöü]*(?:e[lnr])?)$", rf"{bent}\1{end}")
            for plain, bent in ("aä", "oö", "uü")
            for end in ("", "e", "er")
        ),
    ),
    "es": (("$", "s"), ("$", "es"), ("z$", "ces"), ("ón$", "ones")),
    "pt": (("$", "s"), ("$", "es"), ("ão$", "ões"), ("ão$", "ães"), ("l$", "is"), ("m$", "ns")),
    "it": (("o$", "i"), ("a$", "e"), ("e$", "i"), ("ca$", "che"), ("co$", "chi"), ("ga$", "ghe"), ("go$", "ghi")),
}


def find_other_number(text: str, code: str) -> tuple[Word, Name, str] | None:
    """Return the one word that a text is the singular or plural of, its name, and which of the two that name is."""
    base, bare = code.split("-")[0], fold(strip_article(text, code))
    if len(bare) < _SHORTEST or base not in _PLURALS:
        return None
    plurals = [(form, "plural") for form in _make_plurals(bare, base)]
    for form, number in [*plurals, *((name, "singular") for name in _by_plural(base).get(bare, ()))]:
        found = find_named(form, base)
        if len(found) == 1:
            name = next(name for name in found[0].names[base].all if fold(name.text) == fold(form))
            return found[0], name, number
    return None


def _make_plurals(word: str, code: str) -> list[str]:
    """Return what the plural of a word may be."""
    made = [
        re.sub(ending, plural, word, count=1) for ending, plural in _PLURALS.get(code, ()) if re.search(ending, word)
    ]
    return [form for form in dict.fromkeys(made) if form != word]


@cache
def _by_plural(code: str) -> dict[str, list[str]]:
    """Return the names of the lexicon by what their plurals may be."""
    found: dict[str, list[str]] = {}
    for name in (each.text for each in list_names(code)):
        for form in _make_plurals(fold(name), code):
            found.setdefault(form, []).append(name)
    return found


def mend_accents(record: Record) -> tuple[Record, list[Fault]]:
    """Correct `etoile` to `étoile` and `Schluessel` to `Schlüssel` where one word can be meant; return what changed."""
    names, told = dict(record.names), list[Fault]()
    for code, name in record.names.items():
        base, bare = code.split("-")[0], strip_article(name, code)
        meant = _by_bare_letters(base).get(_strip_marks(bare), ()) if base in ARTICLES else ()
        if len(meant) == 1 and not find_named(bare, base):
            names[code] = name[: len(name) - len(bare)] + meant[0]
            told.append(Fault(f"{quote(name)} was read as {quote(names[code])}", "", record.place))
    word = next((names[code] for code, name in record.names.items() if name == record.word), record.word)
    return replace(record, names=names, word=word), told


def _strip_marks(text: str) -> str:
    """Return the letters of a word without their accents."""
    return re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFD", fold(text))).replace("ł", "l")


@cache
def _by_bare_letters(code: str) -> dict[str, tuple[str, ...]]:
    """Return the names of a language as they are written without accents; German ones also with ae, oe and ue."""
    found: dict[str, tuple[str, ...]] = {}
    for name in (each.text for each in list_names(code)):
        spelled = fold(name).translate(_SPELLED) if code == "de" else name
        for bare in {_strip_marks(name), _strip_marks(spelled)} - {fold(name)}:
            found[bare] = tuple(dict.fromkeys((*found.get(bare, ()), name)))
    return found


def is_slip(text: str, name: str) -> bool:
    """Return whether a text is nearly that name: one letter wrong, missing, too many or swapped, in a long word two."""
    one, other = fold(text), fold(name)
    if one == other or min(len(one), len(other)) < _SHORTEST or max(len(one), len(other)) > _LONGEST:
        return False
    most = 2 if min(len(one), len(other)) >= _LONG else 1
    return OSA.distance(one, other) <= most


def check_spelling(record: Record, word: Word | None) -> Iterator[Fault]:
    """Warn about names that are nearly what the lexicon calls the thing that the rest of the row means."""
    meant = find_emoji_word(record.emoji) if record.emoji else word
    for code, name in record.names.items() if meant else ():
        base, bare = code.split("-")[0], strip_article(name, code)
        known = [one.text for one in meant.names[base].all] if meant and base in meant.names else []
        near = [text for text in known if is_slip(bare, text)]
        if not near or any(fold(bare) == fold(text) or _are_one_word(bare, text, base) for text in known):
            continue
        what = f"{quote(name)} is not the {language_name(code)} name I know for {quote(_name_meant(record, meant))}"
        hint = "It is kept as you wrote it; mend it if it is a slip."
        yield Fault(f"{what}: {list_words(near)}", hint, record.place)


def _are_one_word(one: str, other: str, code: str) -> bool:
    """Return whether one is the plural of the other."""
    return fold(one) in _make_plurals(fold(other), code) or fold(other) in _make_plurals(fold(one), code)


def _name_meant(record: Record, word: Word | None) -> str:
    """Return what in the row the lexicon knows the thing by."""
    named = (name for code, name in record.names.items() if word and word in find_named(name, code.split("-")[0]))
    return next(named, "") or record.emoji or record.word


def suggest_word(text: str, codes: Sequence[str]) -> str:
    """Return `Did you mean "duck"?`, where a text that has no picture is nearly one that has; else nothing."""
    near = [
        name
        for code in dict.fromkeys(code.split("-")[0] for code in codes)
        if code in ARTICLES
        for name in (each.text for each in list_names(code))
        if is_slip(strip_article(text, code), name)
    ]
    near.sort(key=lambda name: OSA.distance(fold(text), fold(name)))
    return f"Did you mean {list_words(map(quote, dict.fromkeys(near[:_MOST_MEANT])))}?" if near else ""
