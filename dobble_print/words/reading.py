"""What a text in a theme means: the one word of the lexicon, in the languages of the theme; or why there is none."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from dobble_print.errors import InvalidValue
from dobble_print.messages import clip, list_words, quote, suggest
from dobble_print.words.forms import VERBS, list_forms, read_loosely, strip_any_article, strip_marks
from dobble_print.words.languages import language_name
from dobble_print.words.lexicon import ARTICLES, Name, Word, find_code, find_named, fold, read_choices, words
from dobble_print.words.near import hint_near, suggest_names

_MOST_PARTS = 12


class UnknownWord(InvalidValue):
    """A text that means no word in any language; what it may mean is told of all such words at once."""


def choose_picture(text: str, picture: str, languages: Collection[str] = ()) -> Word:
    """Return that one of the words of a name whose key is given; raise `InvalidValue`."""
    choices = {word.key: word for code in order_reading(languages) for word in find_named(text, code)}
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
    order = order_reading(languages)
    found = next(filter(None, (find_named(text, code) for code in order)), ())
    found = found or (_find_meant(text, order) if languages else ())
    foreign = {} if found else _find_foreign(text, order)
    found = found or (() if foreign or languages else _find_meant(text, ARTICLES))
    if foreign and languages:
        raise _refuse_foreign(text, foreign, order)
    if len(foreign) > 1:
        raise _refuse_unclear(text, foreign)
    if not found and not foreign:
        raise UnknownWord(f"there is no word {quote(text)}")
    return found[0] if found else words()[next(iter(foreign))]


def explain_choice(text: str, languages: Collection[str]) -> str:
    """Say which thing a homonym shows, and how to ask for another; nothing for other words."""
    code = next((code for code in order_reading(languages) if find_named(text, code)), "")
    homonyms = read_choices(code, ("homonyms",)) if code else {}
    meant, *others = homonyms.get(fold(strip_any_article(text, code))) or ("",)
    if not others:
        return _explain_verb(text, code)
    written = list_words(f"{{word: {clip(text)}, picture: {other}}}" for other in others)
    rest = "the other" if len(others) == 1 else "another"
    return f"{quote(text)} is shown as {quote(meant)}; write {written} for {rest}"


def _explain_verb(text: str, code: str) -> str:
    """Say the same of a verb that is also the plural of a thing: Dutch `fietsen`."""
    found = find_named(text, code) if code else ()
    if not found or found[0].group != VERBS:
        return ""
    readings = list_forms(find_code(code)).get(strip_marks(strip_any_article(text, code)), ())
    things = [each for each in readings if each.number == "singular" and each.word.group != VERBS]
    shown = f"{quote(text)} is shown as {quote(found[0].key)}"
    return f"{shown}; write {quote(things[0].name.text)} for {quote(things[0].word.key)}" if things else ""


def _find_meant(text: str, codes: Iterable[str]) -> tuple[Word, ...]:
    """Return the word that a text means in the first language that can read it loosely."""
    return next(((found.word,) for code in codes if (found := read_loosely(text, code))), ())


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
        if any(find_named(first, code) for code in order):
            others = _split_parts(rest, order)
            if others or not rest:
                return [first, *others]
    return []


def order_reading(languages: Iterable[str]) -> list[str]:
    """Return the languages in which words are read: the theme's in their order, and English, first if listed."""
    listed = [code for code in dict.fromkeys(map(find_code, languages)) if code]
    return ["en", *(code for code in listed if code != "en")] if "en" in listed else [*listed, "en"]


def _find_foreign(text: str, order: list[str]) -> dict[str, str]:
    """Return the keys of what a word means in the other languages, each with the first of these languages."""
    found: dict[str, str] = {}
    for code in ARTICLES:
        for word in find_named(text, code) if code not in order else ():
            found.setdefault(word.key, code)
    return found


def _refuse_foreign(text: str, foreign: Mapping[str, str], order: list[str]) -> InvalidValue:
    here = list_words(map(language_name, order))
    there = [f"in {language_name(code)} it is {words()[key]}" for key, code in foreign.items()]
    instead = [f"{quote(words()[key].names[order[0]].text)} for {words()[key].emoji or key}" for key in foreign]
    hint = f"{hint_near(suggest_names(text, order))} Write {list_words(instead)}.".strip()
    return InvalidValue(f"{quote(text)} is no word in {here} here; {list_words(there, 'and')}", hint)


def _refuse_unclear(text: str, foreign: Mapping[str, str]) -> InvalidValue:
    meanings = list_words(str(words()[key]) for key in foreign)
    code = next(iter(foreign.values()))
    hint = f"Write the English word: {list_words(map(quote, foreign))}; or add your language: languages: [{code}]."
    return InvalidValue(f"{quote(text)} can be {meanings}", hint)
