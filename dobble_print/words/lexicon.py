"""The lexicon: everyday things with their pictures and their names in eight languages, from `templates/lexicon/`.

A row names its picture (an emoji, or a drawing of `templates/art/`) and, by language, what the thing is called:
`de kat / de poes // de minoes (BE)` is printed as kat, may be called poes, and is understood as minoes, too.

Invariant: the tables there are the only list of words, one file a group; nothing is read before a theme asks for a
word or an emoji, and then once; the names in a language are read when that language is asked for.
"""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from dobble_print.cache import find_cache, make_key
from dobble_print.resources import find_template, read_table, read_yaml
from dobble_print.words.writing import strip_tones, strip_variants

FOLDER, CHOICES = "lexicon", "choices.yaml"
# The articles a name may start with; English needs none, Polish has none and gives the gender behind the name.
ARTICLES: dict[str, tuple[str, ...]] = {
    "en": (),
    "nl": ("de", "het"),
    "fr": ("le", "la", "l'", "les"),
    "de": ("der", "die", "das"),
    "es": ("el", "la", "los", "las"),
    "it": ("il", "lo", "la", "l'", "i", "gli", "le"),
    "pt": ("o", "a", "os", "as"),
    "pl": (),
}
REGIONAL = {"pt-BR": "pt"}  # languages with some names of their own; the others are those of the second
GENDERS = ("m", "f", "n", "pl")
_BETWEEN_NAMES, _BEFORE_UNDERSTOOD = " / ", " // "


def match_before(words: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of one of these articles before a word."""
    return re.compile(rf"({'|'.join(words)})(?:(?<=\w')\s*|\s+)(?=\S)", re.IGNORECASE)


ARTICLE_PATTERNS = {code: match_before(words) for code, words in ARTICLES.items() if words}
_GENDER = re.compile(rf"(.+?) \(({'|'.join(GENDERS)})\)")
_STRONG = {"der": "er", "das": "es"}  # endings of adjectives that no article stands before
_REGION = re.compile(r"(.+) \(([A-Z]{2})\)")


@dataclass(frozen=True)
class Name:
    """What a thing is called in one language; the gender is given where no article tells it (Polish).

    `synonyms` may be printed beside it; what is `understood` is read in lists of words, but never printed. `region` is
    the country where it is said. `inflected` is its text behind the article, where that changes it: zunehmender Mond,
    but der zunehmende Mond.
    """

    text: str
    article: str = ""
    gender: str = ""
    region: str = ""
    synonyms: tuple[Name, ...] = ()
    understood: tuple[Name, ...] = ()
    inflected: str = ""

    @property
    def full(self) -> str:
        """With its article: `der Hund`, `l'éléphant`, `cat`."""
        return self._put_article(self.inflected or self.text)

    @property
    def folded(self) -> set[str]:
        """How it is compared, with its article and without."""
        bare = fold(self.text)
        last = fold(self.inflected) if self.inflected else bare
        return {bare, last, self._put_article(last)}

    def _put_article(self, text: str) -> str:
        return self.article + ("" if self.article.endswith("'") or not self.article else " ") + text

    @property
    def printed(self) -> tuple[Name, ...]:
        """The name and its synonyms."""
        return (self, *self.synonyms)

    @property
    def all(self) -> tuple[Name, ...]:
        """Everything that is read as this name."""
        return (*self.printed, *self.understood)


class Names(Mapping[str, Name]):
    """The names of a word by language, each read from its row when it is asked for."""

    def __init__(self, row: Mapping[str, str]) -> None:
        codes = [*(code for code in ARTICLES if code in row), *(code for code, base in REGIONAL.items() if base in row)]
        self._row, self._codes = row, codes
        self._read: dict[str, Name] = {}

    def __getitem__(self, code: str) -> Name:
        if code not in self._read:
            if code not in self._codes:
                raise KeyError(code)
            self._read[code] = self._read_regional(code) if code in REGIONAL else self._read_usual(code)
        return self._read[code]

    def written(self, code: str) -> str:
        """Return all that is written of a language and its regions, or of a region and its language."""
        codes = (code, REGIONAL.get(code, ""), *(each for each, base in REGIONAL.items() if base == code))
        return _BETWEEN_NAMES.join([self._row[each] for each in codes if each in self._row])

    def show_first(self, code: str) -> str:
        """Return the first name with its article, as it is written; that takes a tenth of reading all names."""
        written = self._row.get(code) or self._row[REGIONAL[code]]
        first = written.partition(_BEFORE_UNDERSTOOD)[0].partition(_BETWEEN_NAMES)[0]
        return _read_one(code, first).full if first.endswith(")") else first.strip()

    def _read_usual(self, code: str) -> Name:
        """Return a language's own name; what a region of it says is understood, too."""
        own = read_name(code, self._row[code])
        known = {name.text for name in own.all}
        regions = (each for each, base in REGIONAL.items() if base == code and each in self._row)
        there = (name for each in regions for name in read_name(code, self._row[each]).all)
        others = tuple(name for name in there if name.text not in known)
        return replace(own, understood=(*own.understood, *others)) if others else own

    def _read_regional(self, code: str) -> Name:
        """Return a region's own name, which is understood beside that of its language, or else the latter."""
        usual = self[REGIONAL[code]]
        if code not in self._row:
            return usual
        own = read_name(REGIONAL[code], self._row[code])
        known = {name.text for name in own.all}
        others = tuple(name for name in usual.all if name.text not in known)
        return replace(own, region="", understood=(*own.understood, *others))

    def __iter__(self) -> Iterator[str]:
        return iter(self._codes)

    def __len__(self) -> int:
        return len(self._codes)


@dataclass(frozen=True)
class Word:
    """One thing: its English key, the emoji or drawing that shows it, other emoji of the same name, its names."""

    key: str
    group: str
    emoji: str
    drawing: str
    variants: tuple[str, ...]
    names: Names

    def __str__(self) -> str:
        return f"{self.key} {self.emoji}".rstrip()

    def find_name(self, code: str, text: str) -> Name | None:
        """Return the name or synonym in a language that reads like this, with or without its article."""
        known = self.names[code].all if code in self.names else ()
        return next((name for name in known if fold(text) in name.folded), None)


@cache
def words() -> dict[str, Word]:
    """Return every word by its key, group after group."""
    found: dict[str, Word] = {}
    for group, rows in _read_rows().items():
        for key, row in rows.items():
            emoji, drawing = row.get("emoji", ""), row.get("drawing", "")
            found[key] = Word(key, group, emoji, drawing, tuple(row.get("variants", "").split()), Names(row))
    return found


def _read_rows() -> dict[str, dict[str, dict[str, str]]]:
    """Return the rows of every table by group; they are cached as JSON, which is read in a tenth of the time."""
    paths, cache = sorted(find_template(FOLDER).glob("*.yaml")), find_cache()
    key = make_key("lexicon", [path.read_bytes() for path in paths], is_plain=True) if cache else ""
    rows: dict[str, dict[str, dict[str, str]]] | None = cache.recall_as(key, json.loads) if cache else None
    if rows is not None:
        return rows
    rows = {path.stem: read_table(f"{FOLDER}/{path.name}") for path in paths}
    if cache:
        cache.keep(key, json.dumps(rows, ensure_ascii=False).encode())
    return rows


def groups() -> list[str]:
    """Return the names of the groups."""
    return [path.stem for path in sorted(find_template(FOLDER).glob("*.yaml"))]


def find_code(code: str) -> str:
    """Return the language of the lexicon that a code stands for: `pt-BR`, `de` for `de-AT`; or nothing."""
    return next((known for known in (code, code.split("-")[0]) if known in ARTICLES or known in REGIONAL), "")


def read_name(code: str, written: str) -> Name:
    """Read `de kat / de poes // de minoes` as a name with its synonyms and with what else is understood."""
    printed, _, understood = written.partition(_BEFORE_UNDERSTOOD)
    first, *synonyms = (_read_one(code, text) for text in printed.split(_BETWEEN_NAMES))
    others = (_read_one(code, text) for text in understood.split(_BETWEEN_NAMES) if text)
    rest = tuple(synonyms), tuple(others)
    return Name(first.text, first.article, first.gender, first.region, *rest, first.inflected)


def _read_one(code: str, written: str) -> Name:
    regional = _REGION.fullmatch(written.strip())
    bare, region = (regional[1], regional[2]) if regional else (written.strip(), "")
    article = ARTICLE_PATTERNS[code].match(bare) if code in ARTICLE_PATTERNS else None
    if article:
        text = bare[article.end() :]
        strong = _strengthen(article[1], text) if code == "de" else text
        return Name(strong, article[1], region=region, inflected=text if strong != text else "")
    gender = _GENDER.fullmatch(bare)
    return Name(gender[1], gender=gender[2], region=region) if gender else Name(bare, region=region)


def _strengthen(article: str, text: str) -> str:
    """Return a German name as it is without its article: `das offene Buch`, but `offenes Buch`."""
    first, _, rest = text.partition(" ")
    inflected = article in _STRONG and rest and first.islower() and first.endswith("e")
    return f"{first[:-1]}{_STRONG[article]} {rest}" if inflected else text


def strip_article(text: str, code: str) -> str:
    """Return the text without an article of that language; `De Wit` and `La Paz` are names and keep it."""
    pattern = ARTICLE_PATTERNS.get(code.split("-")[0])
    found = pattern.match(text.replace("’", "'")) if pattern else None
    if not found:
        return text
    bare = text[found.end() :]
    is_name = found[1][0].isupper() and bare[0].isupper() and code.split("-")[0] != "de"
    return text if is_name else bare


_SPELLINGS = (("’", "'"), ("œ", "oe"), ("æ", "ae"), ("ĳ", "ij"))
_AFTER_ELISION = re.compile(r"'\s+")


def fold(text: str) -> str:
    """Return a word as it is compared: `Ice-Cream` is `ice cream`, `L’Éléphant` is `l'éléphant`, `œuf` is `oeuf`."""
    if text.isascii():
        plain = text.lower()
    else:
        plain = unicodedata.normalize("NFC", text).casefold()
        for spelling, plainer in _SPELLINGS:
            plain = plain.replace(spelling, plainer)
    if not plain.isalpha():  # most are
        plain = _AFTER_ELISION.sub("'", plain.replace("-", " ").replace("_", " "))
    return " ".join(plain.split())


@cache
def _by_emoji() -> dict[str, Word]:
    variants = {strip_variants(char): word for word in words().values() for char in word.variants}
    return variants | {strip_variants(word.emoji): word for word in words().values() if word.emoji}


def find_emoji_word(char: str) -> Word | None:
    """Return the word that an emoji stands for, whatever its skin tone."""
    plain = strip_variants(char)
    return _by_emoji().get(plain) or _by_emoji().get(strip_tones(plain))


@cache
def _fold_rows(code: str) -> tuple[str, list[int], list[Word]]:
    """Return all that is written in a language as it is compared, row after row, and where each begins.

    To look into this takes a fiftieth of the time of reading every name.
    """
    rows = [word.key + _BETWEEN_NAMES + word.names.written(code) for word in words().values()]
    text = fold("|" + "|".join(rows) + "|")
    return text, [found.start() for found in re.finditer(r"\|", text)], list(words().values())


def _find_rows(wanted: str, code: str) -> Iterator[Word]:
    """Yield the words in whose row a text stands by itself."""
    text, starts, rows = _fold_rows(code)
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if text[at - 1] in " '|" and text[end] in " |":
            yield rows[bisect(starts, at) - 1]
        at = text.find(wanted, end)


@lru_cache(maxsize=10_000)
def _find_by_name(wanted: str, code: str) -> tuple[Word, ...]:
    """Return the words of this name, with or without its article.

    Of several words of one name comes first what `choices.yaml` names first, then what is called so above all.
    """
    weak = re.sub("^(\\w+e)[rs] ", r"\1 ", wanted) if code == "de" else wanted  # as it is written behind its article
    found: dict[str, tuple[int, Word]] = {}
    for word in (*_find_rows(wanted, code), *(_find_rows(weak, code) if weak != wanted else ())):
        if code == "en" and fold(word.key) == wanted:
            found[word.key] = (-1, word)
        ranks = (rank for rank, name in enumerate(word.names[code].all) if wanted in name.folded)
        if (rank := next(ranks, None)) is not None:
            found.setdefault(word.key, (rank, word))
    return tuple(word for _, word in found.values()) if len(found) < 2 else _sort_choices(code, wanted, found)


def _sort_choices(code: str, text: str, same: Mapping[str, tuple[int, Word]]) -> tuple[Word, ...]:
    article, choices = ARTICLE_PATTERNS[code].match(text) if code in ARTICLE_PATTERNS else None, read_choices(code)
    order = choices.get(text) or choices.get(text[article.end() :] if article else "", ())
    ranked = sorted(same.values(), key=lambda row: (order.index(row[1].key) if row[1].key in order else 99, row[0]))
    return tuple(word for _, word in ranked)


@cache
def read_choices(code: str, kinds: tuple[str, ...] = ("homonyms", "pictures")) -> dict[str, tuple[str, ...]]:
    """Return the names in a language that several words share, with the keys of these words, the commonest first.

    Homonyms are different things of one name (a tap and a crane in Dutch); pictures are kinds of the same thing.
    """
    base = REGIONAL.get(code, code)
    tables = [read_yaml(CHOICES)[kind].get(base, {}) for kind in kinds]
    return {fold(text): tuple(keys.split(", ")) for table in tables for text, keys in table.items()}


def find_named(text: str, code: str) -> tuple[Word, ...]:
    """Return every word that has this name in a language, the commonest for children first."""
    return _find_by_name(wanted, known) if (known := find_code(code)) and (wanted := fold(text)) else ()


@cache
def list_names(code: str) -> tuple[Name, ...]:
    """Return every name and synonym in a language."""
    return tuple(name for word in words().values() if code in word.names for name in word.names[code].all)
