"""The lexicon: everyday things with their emoji and their names in eight languages, from `templates/lexicon/`.

Invariant: the tables there are the only list of words, one file a group; nothing is read before a theme asks for a
word or an emoji, and then once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from dobble_print.theme.emoji import strip_tones, strip_variants
from dobble_print.theme.refusal import Refusal
from dobble_print.theme.resources import find_template
from dobble_print.theme.source import read_table
from dobble_print.theme.wording import clip, find_near, list_words, quote

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

_BETWEEN_NAMES = " / "
_ARTICLE = {code: re.compile(rf"({'|'.join(words)})(?:(?<=')|\s+)(?=\S)") for code, words in ARTICLES.items() if words}
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
        """The name or synonym in a language that reads like this, with or without its article."""
        known = self.names[code].all if code in self.names else ()
        return next((name for name in known if fold(text) in (fold(name.text), fold(name.full))), None)


@cache
def words() -> dict[str, Word]:
    """Every word by its key, group after group."""
    groups = sorted(find_template(FOLDER).glob("*.yaml"))
    rows = [(path.stem, key, row) for path in groups for key, row in read_table(f"{FOLDER}/{path.name}").items()]
    return {key: _read_row(group, key, row) for group, key, row in rows}


def groups() -> list[str]:
    """The names of the groups."""
    return list(dict.fromkeys(word.group for word in words().values()))


def _read_row(group: str, key: str, row: Mapping[str, str]) -> Word:
    names = {code: read_name(code, row[code]) for code in ARTICLES if code in row}
    return Word(key, group, row["emoji"], tuple(row.get("variants", "").split()), names)


def read_name(code: str, written: str) -> Name:
    """`de kat / de poes` as a name with its synonyms."""
    first, *others = (_read_one(code, text.strip()) for text in written.split(_BETWEEN_NAMES))
    return Name(first.text, first.article, first.gender, tuple(others))


def _read_one(code: str, written: str) -> Name:
    article = _ARTICLE[code].match(written) if code in _ARTICLE else None
    if article:
        return Name(written[article.end() :], article[1])
    gender = _GENDER.fullmatch(written)
    return Name(gender[1], gender=gender[2]) if gender else Name(written)


def fold(text: str) -> str:
    """A word as it is compared: `Ice-Cream` is `ice cream`, `L’Éléphant` is `l'éléphant`."""
    plain = unicodedata.normalize("NFC", text).casefold().replace("’", "'")
    return " ".join(re.sub(r"[-_]|(?<=')\s+", lambda gap: "" if gap[0].isspace() else " ", plain).split())


@cache
def _by_emoji() -> dict[str, Word]:
    return {strip_variants(char): word for word in words().values() for char in (word.emoji, *word.variants)}


def find_emoji_word(char: str) -> Word | None:
    """The word that an emoji stands for, whatever its skin tone."""
    plain = strip_variants(char)
    return _by_emoji().get(plain) or _by_emoji().get(strip_tones(plain))


@cache
def _by_name(code: str) -> dict[str, tuple[Word, ...]]:
    """The words by each of their names in a language, with and without its article."""
    found: dict[str, dict[str, Word]] = {}
    for word in words().values():
        for name in word.names[code].all if code in word.names else ():
            for text in {name.text, name.full}:
                found.setdefault(fold(text), {})[word.key] = word
    return {text: tuple(same.values()) for text, same in found.items()}


def find_word(text: str, languages: Iterable[str] = ()) -> Word:
    """The word meant by a text: by its key, in English, in the languages given, in any other; raises `Refusal`.

    In a theme without English, a word that means one thing there and another in English must not be guessed.
    """
    wanted, listed = fold(text), [code for code in languages if code in ARTICLES]
    found = _find_false_friend(text, listed) or next(filter(None, _list_meanings(wanted, listed)), ())
    if not found:
        raise Refusal(f"there is no word {quote(text)}", _hint_unknown(text, listed))
    if len(found) > 1:
        hint = f"Write the English word: {list_words(quote(word.key) for word in found)}."
        raise Refusal(f"{quote(text)} can be {_list_pictures(found)}", hint)
    return found[0]


def _list_pictures(found: Iterable[Word]) -> str:
    return list_words(f"{word.key} {word.emoji}" for word in found)


def _find_false_friend(text: str, listed: list[str]) -> tuple[Word, ...]:
    """The native meaning where it is not the English one and the capitals tell (der Hut, a hut); else a refusal."""
    english = _by_name("en").get(fold(text), ())
    native = next(filter(None, (_by_name(code).get(fold(text), ()) for code in listed)), ())
    if "en" in listed or not native or not english or any(word in english for word in native):
        return ()
    if _is_spelt(text, native, listed) and not _is_spelt(text, english, ["en"]):
        return native
    hint = f"Put the emoji in its place: {list_words(word.emoji for word in (*english, *native))}."
    raise Refusal(f"{quote(text)} can be {_list_pictures(english)} in English, but {_list_pictures(native)} here", hint)


def _is_spelt(text: str, found: Iterable[Word], languages: list[str]) -> bool:
    """Whether a text is the name of one of the words to the letter."""
    names = (name for word in found for code in languages for name in word.names[code].all)
    return any(text in (name.text, name.full) for name in names)


def _list_meanings(wanted: str, listed: list[str]) -> Iterator[tuple[Word, ...]]:
    """What a folded word may mean, the likeliest way of reading it first."""
    yield tuple(word for word in _by_name("en").get(wanted, ()) if fold(word.key) == wanted)
    for code in ("en", *listed):
        yield _by_name(code).get(wanted, ())
    others = [word for code in ARTICLES for word in _by_name(code).get(wanted, ())]
    yield tuple({word.key: word for word in others}.values())


def _hint_unknown(text: str, listed: list[str]) -> str:
    known = [name.text for code in dict.fromkeys(("en", *listed)) for name in _list_names(code)]
    near = find_near(text, known)
    if near:
        return f"Did you mean {list_words(map(quote, near))}?"
    return f"`dobble-print list words` shows them all; write {{text: {clip(text)}}} to print the word itself."


@cache
def _list_names(code: str) -> tuple[Name, ...]:
    return tuple(name for word in words().values() if code in word.names for name in word.names[code].all)
