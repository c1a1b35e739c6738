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
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from dobble_print.cache import find_cache, make_key
from dobble_print.errors import InvalidValue
from dobble_print.messages import clip, list_words, quote, suggest, suggest_related
from dobble_print.resources import find_template, read_table, read_yaml
from dobble_print.words.languages import language_name
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
_MOST_NEAR = 3
_MOST_PARTS = 12
_BETWEEN_NAMES, _BEFORE_UNDERSTOOD = " / ", " // "
ARTICLE_PATTERNS = {
    code: re.compile(rf"({'|'.join(words)})(?:(?<=')\s*|\s+)(?=\S)", re.IGNORECASE)
    for code, words in ARTICLES.items()
    if words
}
_GENDER = re.compile(rf"(.+?) \(({'|'.join(GENDERS)})\)")
_REGION = re.compile(r"(.+) \(([A-Z]{2})\)")


@dataclass(frozen=True)
class Name:
    """What a thing is called in one language; the gender is given where no article tells it (Polish).

    `synonyms` may be printed beside it; what is `understood` is read in lists of words, but never printed. `region` is
    the country where it is said.
    """

    text: str
    article: str = ""
    gender: str = ""
    region: str = ""
    synonyms: tuple[Name, ...] = ()
    understood: tuple[Name, ...] = ()

    @property
    def full(self) -> str:
        """With its article: `der Hund`, `l'éléphant`, `cat`."""
        return self.article + ("" if self.article.endswith("'") or not self.article else " ") + self.text

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
            self._read[code] = self._read_regional(code) if code in REGIONAL else read_name(code, self._row[code])
        return self._read[code]

    def _read_regional(self, code: str) -> Name:
        """Return a region's own name, which is understood beside that of its language, or else the latter."""
        usual = self[REGIONAL[code]]
        if code not in self._row:
            return usual
        own = read_name(REGIONAL[code], self._row[code])
        known = {name.text for name in own.all}
        others = tuple(name for name in usual.all if name.text not in known)
        return Name(own.text, own.article, own.gender, "", own.synonyms, (*own.understood, *others))

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
    names: Mapping[str, Name]

    def __str__(self) -> str:
        return f"{self.key} {self.emoji}".rstrip()

    def find_name(self, code: str, text: str) -> Name | None:
        """Return the name or synonym in a language that reads like this, with or without its article."""
        known = self.names[code].all if code in self.names else ()
        return next((name for name in known if fold(text) in (fold(name.text), fold(name.full))), None)


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
    if cache and (cached := cache.recall(key)) is not None:
        rows: dict[str, dict[str, dict[str, str]]] = json.loads(cached)
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
    return Name(first.text, first.article, first.gender, first.region, tuple(synonyms), tuple(others))


def _read_one(code: str, written: str) -> Name:
    regional = _REGION.fullmatch(written.strip())
    bare, region = (regional[1], regional[2]) if regional else (written.strip(), "")
    article = ARTICLE_PATTERNS[code].match(bare) if code in ARTICLE_PATTERNS else None
    if article:
        return Name(bare[article.end() :], article[1], region=region)
    gender = _GENDER.fullmatch(bare)
    return Name(gender[1], gender=gender[2], region=region) if gender else Name(bare, region=region)


def fold(text: str) -> str:
    """Return a word as it is compared: `Ice-Cream` is `ice cream`, `L’Éléphant` is `l'éléphant`, `œuf` is `oeuf`."""
    plain = unicodedata.normalize("NFC", text).casefold().replace("’", "'").replace("œ", "oe").replace("æ", "ae")
    return " ".join(re.sub(r"[-_]|(?<=')\s+", lambda gap: "" if gap[0].isspace() else " ", plain).split())


@cache
def _by_emoji() -> dict[str, Word]:
    variants = {strip_variants(char): word for word in words().values() for char in word.variants}
    return variants | {strip_variants(word.emoji): word for word in words().values() if word.emoji}


def find_emoji_word(char: str) -> Word | None:
    """Return the word that an emoji stands for, whatever its skin tone."""
    plain = strip_variants(char)
    return _by_emoji().get(plain) or _by_emoji().get(strip_tones(plain))


@cache
def _by_name(code: str) -> dict[str, tuple[Word, ...]]:
    """Return the words by each of their names in a language, with and without its article.

    Of several words of one name comes first what `choices.yaml` names first, then what is called so above all.
    """
    found: dict[str, dict[str, tuple[int, Word]]] = {}
    for word in words().values():
        if code == "en":
            found.setdefault(fold(word.key), {})[word.key] = (-1, word)
        for rank, name in enumerate(word.names[code].all if code in word.names else ()):
            for text in {name.text, name.full}:
                found.setdefault(fold(text), {}).setdefault(word.key, (rank, word))
    return {text: _sort_choices(code, text, same) for text, same in found.items()}


def _sort_choices(code: str, text: str, same: Mapping[str, tuple[int, Word]]) -> tuple[Word, ...]:
    if len(same) == 1:
        return (next(iter(same.values()))[1],)
    order = read_choices(code).get(text, ())
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
    return _by_name(known).get(fold(text), ()) if (known := find_code(code)) else ()


def choose_picture(text: str, picture: str, languages: Collection[str] = ()) -> Word:
    """Return that one of the words of a name whose key is given; raise `InvalidValue`."""
    choices = {word.key: word for code in order_reading(languages) for word in _by_name(code).get(fold(text), ())}
    if picture in choices:
        return choices[picture]
    find_word(text, languages)
    known = f"{quote(text)} has the pictures {list_words(map(quote, choices), 'and')}."
    hint = suggest(picture, choices, known if len(choices) > 1 else "Leave the key out, or use emoji: ….")
    raise InvalidValue(f"{quote(text)} has no picture {quote(picture)}", hint)


def find_word(text: str, languages: Collection[str] = ()) -> Word:
    """Return the word meant by a text in the theme's languages, then in English; raise `InvalidValue`.

    English comes first where the theme lists it. A theme that lists no languages may use any, where one word is meant.
    """
    order, wanted = order_reading(languages), fold(text)
    found = next(filter(None, (_by_name(code).get(wanted, ()) for code in order)), ())
    foreign = {} if found else _find_foreign(wanted, order)
    if foreign and languages:
        raise _refuse_foreign(text, foreign, order)
    if len(foreign) > 1:
        raise _refuse_unclear(text, foreign)
    if not found and not foreign:
        raise InvalidValue(f"there is no word {quote(text)}", _hint_near(text, order) or _hint_unknown(text))
    return found[0] if found else words()[next(iter(foreign))]


def find_written_name(word: Word, text: str, languages: Collection[str]) -> tuple[str, Name] | None:
    """Return the language of a theme in which a text was read as this word, and the name that it is there."""
    listed = [code for code in order_reading(languages) if code in languages]
    names = ((code, word.find_name(code, text)) for code in listed)
    return next(((code, name) for code, name in names if name), None)


def split_words(text: str, languages: Iterable[str]) -> list[str]:
    """Return the words that a text of several is made of, such as `kat hond`; none where a part is not known."""
    order, parts = order_reading(languages), text.split()
    return _split_parts(parts, order) if 1 < len(parts) <= _MOST_PARTS else []


def _split_parts(parts: list[str], order: list[str]) -> list[str]:
    for count in range(len(parts), 0, -1):
        first, rest = " ".join(parts[:count]), parts[count:]
        if any(fold(first) in _by_name(code) for code in order):
            others = _split_parts(rest, order)
            if others or not rest:
                return [first, *others]
    return []


def order_reading(languages: Iterable[str]) -> list[str]:
    """Return the languages in which words are read: the theme's in their order, and English, first if listed."""
    listed = [code for code in dict.fromkeys(map(find_code, languages)) if code]
    return ["en", *(code for code in listed if code != "en")] if "en" in listed else [*listed, "en"]


def _find_foreign(wanted: str, order: list[str]) -> dict[str, str]:
    """Return the keys of what a folded word means in the other languages, each with the first of these languages."""
    found: dict[str, str] = {}
    for code in ARTICLES:
        for word in _by_name(code).get(wanted, ()) if code not in order else ():
            found.setdefault(word.key, code)
    return found


def _refuse_foreign(text: str, foreign: Mapping[str, str], order: list[str]) -> InvalidValue:
    here = list_words(map(language_name, order))
    there = [f"in {language_name(code)} it is {words()[key]}" for key, code in foreign.items()]
    instead = [f"{quote(words()[key].names[order[0]].text)} for {words()[key].emoji or key}" for key in foreign]
    hint = f"{_hint_near(text, order)} Write {list_words(instead)}.".strip()
    return InvalidValue(f"{quote(text)} is no word in {here} here; {list_words(there, 'and')}", hint)


def _refuse_unclear(text: str, foreign: Mapping[str, str]) -> InvalidValue:
    meanings = list_words(str(words()[key]) for key in foreign)
    code = next(iter(foreign.values()))
    hint = f"Write the English word: {list_words(map(quote, foreign))}; or add your language: languages: [{code}]."
    return InvalidValue(f"{quote(text)} can be {meanings}", hint)


def _hint_near(text: str, order: list[str]) -> str:
    """Return near words of the theme's languages first, then English ones."""
    articles = (ARTICLE_PATTERNS[code].match(text) for code in order if code in ARTICLE_PATTERNS)
    bare = next((text[found.end() :] for found in articles if found), text)
    own = [name.text for code in order if code != "en" for name in list_names(code)]
    english = [name.text for name in list_names("en")]
    near = list(dict.fromkeys((*suggest_related(bare, own), *suggest_related(bare, english))))[:_MOST_NEAR]
    return f"Did you mean {list_words(map(quote, near))}?" if near else ""


def _hint_unknown(text: str) -> str:
    shown = clip(text) if re.fullmatch(r"\w[\w ]*", text) else f'"{clip(text)}"'
    return f"`dobble-print list words` shows them all; write {{text: {shown}}} to print the word itself."


@cache
def list_names(code: str) -> tuple[Name, ...]:
    """Return every name and synonym in a language."""
    return tuple(name for word in words().values() if code in word.names for name in word.names[code].all)
