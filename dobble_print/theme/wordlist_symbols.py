"""From a row of a list to a symbol: which picture it gets, and which of its names must be written down.

Invariant: a row gets the picture it asks for, else the lexicon's for one of its names, else its word is printed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dobble_print.errors import Fault, Refusal
from dobble_print.messages import list_words, quote
from dobble_print.theme.pictures import PICTURE_ENDINGS, is_picture
from dobble_print.theme.starter import Entry, name_file
from dobble_print.theme.wordlist_columns import Record
from dobble_print.theme.wordlist_faces import set_sum
from dobble_print.theme.wordlist_slips import find_other_number
from dobble_print.theme.wordlist_table import is_file
from dobble_print.words.lexicon import Word, find_emoji_word, find_named, find_word, find_written_name, fold
from dobble_print.words.writing import is_emoji

_BULLET = re.compile(r"\A[-*•–]\s+")
_MANY_LETTERS = re.compile(r"[^\W\d_]{2}")


def sort_cells(record: Record, folder: Path | None) -> Record:
    """The record with each cell where it belongs: an emoji or a file may stand among the words, or before one."""
    word, emoji, picture = set_sum(_BULLET.sub("", record.word)), record.emoji, record.picture.replace("\\", "/")
    if is_emoji(picture) and not emoji:
        emoji, picture = picture, ""
    first, _, rest = word.partition(" ")
    if is_emoji(first) and not emoji:
        emoji, word = first, rest.strip()
    elif is_picture(word) and not picture:
        picture, word = word.replace("\\", "/"), ""
    return replace(record, word=word, emoji=emoji, picture=_complete_path(picture, folder))


def _complete_path(picture: str, folder: Path | None) -> str:
    """A file that was named without its ending, with it."""
    if not picture or folder is None or is_picture(picture) or ".." in picture or picture.startswith(("/", "~")):
        return picture
    tries = [f"{picture}{ending}" for ending in (*PICTURE_ENDINGS, *map(str.upper, PICTURE_ENDINGS))]
    return next((name for name in tries if is_file(folder / name)), picture)


def name_word(record: Record, language: str) -> Record:
    """The record with its word as its name in the language of the words."""
    if not record.word or not language or language in record.names:
        return record
    return replace(record, names={language: record.word, **record.names})


def find_meaning(record: Record, languages: Sequence[str]) -> tuple[Word | None, Fault | None]:
    """The word of the lexicon that most names of a record mean, and a doubt where they mean different things."""
    meanings = {name: words for code, name in record.names.items() if (words := find_named(name, _base(code)))}
    if record.word and record.word not in record.names.values():
        meanings |= {record.word: _look_up(record.word, languages)}
    votes = Counter(word.key for words in meanings.values() for word in words)
    found = {word.key: word for words in meanings.values() for word in words}
    if not votes:
        return _find_number(record)
    best = found[votes.most_common(1)[0][0]]
    meant = [name for name, words in meanings.items() if words]
    if votes[best.key] == len(meant):
        return best, None
    what = f"{list_words(map(quote, meant), 'and')} are different things to the lexicon; the picture is {best.emoji}"
    return best, Fault(what, "Give the row an emoji or a picture of its own if that is wrong.", record.place)


def _find_number(record: Record) -> tuple[Word | None, Fault | None]:
    """The word that a name is the singular or plural of; not where the row has a picture of its own."""
    if record.picture or record.emoji or record.text:
        return None, None
    for code, written in record.names.items():
        found = find_other_number(written, code)
        if found:
            word, name, number = found
            what = f"{quote(written)} was taken for {quote(name.text)} {word.emoji}, its {number}"
            return word, Fault(what, "The name stays as you wrote it.", record.place)
    return None, None


def _base(code: str) -> str:
    return code.split("-")[0]


def _look_up(text: str, languages: Sequence[str]) -> tuple[Word, ...]:
    try:
        return (find_word(text, languages),)
    except Refusal:
        return ()


def make_entry(record: Record, word: Word | None, languages: Sequence[str]) -> Entry:
    """The symbol of a record; names that the lexicon adds by itself are left out."""
    if record.faces:
        shown = [picture for picture in (record.picture, record.emoji) if picture]
        faces = (*shown, *record.faces)
        return Entry(("faces", faces[0]), _order(record.names, languages), record.id, faces)
    if record.picture:
        known = {code: name.text for code, name in word.names.items() if code in languages} if word else {}
        names = known | record.names or {languages[0]: name_file(record.picture)}
        return Entry(("image", record.picture), _order(names, languages), record.id)
    if record.emoji:
        known_word = find_emoji_word(record.emoji) or word
        names = _keep_names(record, known_word, {}, languages)
        if known_word is not find_emoji_word(record.emoji) and word:
            names = {code: name.text for code, name in word.names.items() if code in languages} | record.names
        return Entry(("emoji", record.emoji), _order(names, languages), record.id)
    if record.text or word is None:
        text = record.text or record.word or next(iter(record.names.values()))
        names = {code: name for code, name in record.names.items() if name != text}
        return Entry(("text", text), _order(names, languages), record.id)
    return _make_word_entry(record, word, languages)


def _make_word_entry(record: Record, word: Word, languages: Sequence[str]) -> Entry:
    """A word of the lexicon as the list writes it, where the theme reads it so; else its English word, or its emoji."""
    codes = [code for code in languages if code in record.names]
    names = [word.find_name(_base(code), record.names[code]) for code in codes]
    usual = [word.names[_base(code)].text for code in codes if _base(code) in word.names]
    for text in [*(name.text for name in names if name), *usual, word.key]:
        if _look_up(text, languages) == (word,):
            written = find_written_name(word, text, languages)
            spoken = {written[0]: written[1].text} if written else {}
            return Entry(("word", text), _order(_keep_names(record, word, spoken, languages), languages), record.id)
    return Entry(("emoji", word.emoji), _order(_keep_names(record, word, {}, languages), languages), record.id)


def _keep_names(record: Record, word: Word | None, spoken: dict[str, str], languages: Sequence[str]) -> dict[str, str]:
    """The names that differ from what the theme would give the word anyway."""
    kept: dict[str, str] = {}
    for code in languages:
        name, known = record.names.get(code, ""), word.names.get(code) if word else None
        usual = spoken.get(code) or (known.text if known else "")
        as_known = word.find_name(code, name) if word and name else None
        text = as_known.text if as_known else name
        if text and fold(text) != fold(usual):
            kept[code] = text
    return kept


def _order(names: dict[str, str], languages: Sequence[str]) -> dict[str, str]:
    return {code: names[code] for code in languages if code in names}


def is_printed_word(entry: Entry, record: Record) -> bool:
    """Whether a word became a text only because nobody has a picture for it."""
    return entry.picture[0] == "text" and not record.text and bool(_MANY_LETTERS.search(entry.picture[1]))


def refuse_pictures(record: Record) -> Fault | None:
    """A row that asks for more than one picture, or for an emoji that is gone."""
    if record.emoji and not record.emoji.strip("?"):
        hint = "Type it anew and save the list as CSV UTF-8 or as Excel (.xlsx)."
        return Fault("the emoji was lost when the list was saved", hint, record.place)
    asked = [kind for kind in ("picture", "emoji", "text") if getattr(record, kind)]
    if len(asked) < 2:
        return None
    article = {"picture": "a picture", "emoji": "an emoji", "text": "a text"}
    what = f"this row has {list_words((article[kind] for kind in asked), 'and')}"
    return Fault(what, "A symbol has one picture: empty the other cells.", record.place)
