"""The lexicon: everyday things with their emoji and their names in eight languages, from `templates/lexicon/`.

Invariant: the tables there are the only list of words, one file a group; nothing is read before a theme asks for a
word or an emoji, and then once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from dobble_print.errors import InvalidValue
from dobble_print.messages import clip, list_words, quote, suggest_related
from dobble_print.resources import find_template, read_table
from dobble_print.words.languages import language_name
from dobble_print.words.writing import strip_tones, strip_variants

FOLDER = "lexicon"
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
GENDERS = ("m", "f", "n", "pl")
_MOST_NEAR = 3
_MOST_PARTS = 12
_BETWEEN_NAMES = " / "
ARTICLE_PATTERNS = {
    code: re.compile(rf"({'|'.join(words)})(?:(?<=')\s*|\s+)(?=\S)", re.IGNORECASE)
    for code, words in ARTICLES.items()
    if words
}
_GENDER = re.compile(rf"(.+?) \(({'|'.join(GENDERS)})\)")


@dataclass(frozen=True)
class Name:
    """What a thing is called in one language; the gender is given where no article tells it (Polish)."""

    text: str
    article: str = ""
    gender: str = ""
    synonyms: tuple[Name, ...] = ()

    @property
    def full(self) -> str:
        """With its article: `der Hund`, `l'éléphant`, `cat`."""
        return self.article + ("" if self.article.endswith("'") or not self.article else " ") + self.text

    @property
    def all(self) -> tuple[Name, ...]:
        """The name and its synonyms."""
        return (self, *self.synonyms)


@dataclass(frozen=True)
class Word:
    """One thing: its English key, the emoji that draws it, other emoji of the same name, its names by language."""

    key: str
    group: str
    emoji: str
    variants: tuple[str, ...]
    names: Mapping[str, Name]

    def find_name(self, code: str, text: str) -> Name | None:
        """Return the name or synonym in a language that reads like this, with or without its article."""
        known = self.names[code].all if code in self.names else ()
        return next((name for name in known if fold(text) in (fold(name.text), fold(name.full))), None)


@cache
def words() -> dict[str, Word]:
    """Return every word by its key, group after group."""
    found: dict[str, Word] = {}
    for path in sorted(find_template(FOLDER).glob("*.yaml")):
        for key, row in read_table(f"{FOLDER}/{path.name}").items():
            names = {code: read_name(code, row[code]) for code in ARTICLES if code in row}
            found[key] = Word(key, path.stem, row["emoji"], tuple(row.get("variants", "").split()), names)
    return found


def groups() -> list[str]:
    """Return the names of the groups."""
    return list(dict.fromkeys(word.group for word in words().values()))


def read_name(code: str, written: str) -> Name:
    """Read `de kat / de poes` as a name with its synonyms."""
    first, *others = (_read_one(code, text.strip()) for text in written.split(_BETWEEN_NAMES))
    return Name(first.text, first.article, first.gender, tuple(others))


def _read_one(code: str, written: str) -> Name:
    article = ARTICLE_PATTERNS[code].match(written) if code in ARTICLE_PATTERNS else None
    if article:
        return Name(written[article.end() :], article[1])
    gender = _GENDER.fullmatch(written)
    return Name(gender[1], gender=gender[2]) if gender else Name(written)


def fold(text: str) -> str:
    """Return a word as it is compared: `Ice-Cream` is `ice cream`, `L’Éléphant` is `l'éléphant`, `œuf` is `oeuf`."""
    plain = unicodedata.normalize("NFC", text).casefold().replace("’", "'").replace("œ", "oe").replace("æ", "ae")
    return " ".join(re.sub(r"[-_]|(?<=')\s+", lambda gap: "" if gap[0].isspace() else " ", plain).split())


@cache
def _by_emoji() -> dict[str, Word]:
    return {strip_variants(char): word for word in words().values() for char in (word.emoji, *word.variants)}


def find_emoji_word(char: str) -> Word | None:
    """Return the word that an emoji stands for, whatever its skin tone."""
    plain = strip_variants(char)
    return _by_emoji().get(plain) or _by_emoji().get(strip_tones(plain))


@cache
def _by_name(code: str) -> dict[str, tuple[Word, ...]]:
    """Return the words by each of their names in a language, with and without its article."""
    found: dict[str, dict[str, Word]] = {}
    for word in words().values():
        for name in word.names[code].all if code in word.names else ():
            for text in {name.text, name.full}:
                found.setdefault(fold(text), {})[word.key] = word
    return {text: tuple(same.values()) for text, same in found.items()}


def find_named(text: str, code: str) -> tuple[Word, ...]:
    """Return every word that has this name in a language."""
    return _by_name(code).get(fold(text), ()) if code in ARTICLES else ()


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
    listed = [code for code in dict.fromkeys(code.split("-")[0] for code in languages) if code in ARTICLES]
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
    there = [f"in {language_name(code)} it is {key} {words()[key].emoji}" for key, code in foreign.items()]
    instead = [f"{quote(words()[key].names[order[0]].text)} for {words()[key].emoji}" for key in foreign]
    hint = f"{_hint_near(text, order)} Write {list_words(instead)}.".strip()
    return InvalidValue(f"{quote(text)} is no word in {here} here; {list_words(there, 'and')}", hint)


def _refuse_unclear(text: str, foreign: Mapping[str, str]) -> InvalidValue:
    meanings = list_words(f"{key} {words()[key].emoji}" for key in foreign)
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
