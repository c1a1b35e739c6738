"""Lists of words: a spreadsheet, or words between commas, becomes the symbols of a theme.

Invariant: every row becomes a symbol, a remark or a fault that names it; the theme made of the symbols has no fault.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dobble_print.errors import Fault, Place, ThemeError, UsageError, sort_faults
from dobble_print.theme.emoji import strip_variants
from dobble_print.theme.encoding import find_forbidden
from dobble_print.theme.fields import ID
from dobble_print.theme.findings import Findings
from dobble_print.theme.lexicon import find_named
from dobble_print.theme.reader import FEWEST_SYMBOLS
from dobble_print.theme.source import MapNode, Node, TextNode
from dobble_print.theme.starter import Claims, Entry, read_language
from dobble_print.theme.symbols import MOST_SYMBOLS, Draft, read_symbols
from dobble_print.theme.tables import language_name
from dobble_print.theme.wording import clip, list_words, quote, suggest
from dobble_print.theme.wordlist_articles import settle_articles
from dobble_print.theme.wordlist_columns import Record, Records, fold_record, guess_language, read_records
from dobble_print.theme.wordlist_slips import doubt_spelling, suggest_word
from dobble_print.theme.wordlist_symbols import (
    find_meaning,
    is_printed_word,
    make_entry,
    name_word,
    refuse_pictures,
    sort_cells,
)
from dobble_print.theme.wordlist_table import LIST_ENDINGS, OTHER_LISTS, is_file, read_table_file

_BETWEEN_WORDS = re.compile(r"[,;\n،、，]")
_TYPED = "--from"  # the "file" of words typed on the command line
_LEAST_SHARE = 0.25  # of a list's words that must be known in a language before it is taken for it
_SURE_SHARE = 0.5
_MOST_DOUBTED = 40  # words that are compared with all others


@dataclass(frozen=True)
class WordList:
    """The symbols of a list, their languages, and what a person should know about how it was read.

    `article`: the list gives its names with articles, so the theme should print them so.
    """

    languages: tuple[str, ...]
    entries: tuple[Entry, ...]
    remarks: tuple[Fault, ...]
    article: bool = False

    @property
    def has_pictures(self) -> bool:
        """Whether symbols need files that lie beside the list."""
        return any(entry.picture[0] == "image" for entry in self.entries)


def find_source(text: str) -> Path | None:
    """The folder or file that `--from` names; None when it holds words itself. Raises `UsageError` for neither."""
    path = Path(text)
    if text.strip() and (_is_folder(path) or is_file(path)):
        return path
    is_file_name = text.casefold().endswith((*LIST_ENDINGS, *OTHER_LISTS)) and "\n" not in text
    if _BETWEEN_WORDS.search(text) and not is_file_name:
        return None
    near = [str(other) for other in path.parent.glob("*")] if _is_folder(path.parent) else []
    kinds = 'a list (.csv, .tsv or .xlsx), a folder of pictures, or words with commas between them: "cat, dog, sun"'
    raise UsageError(Fault(f"there is no file or folder {quote(text)}", suggest(text, near, f"Give {kinds}.")))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # too long a name, or one that no file can have
        return False


def read_list(path: Path, language: str | None = None) -> WordList:
    """The symbols of a spreadsheet or text file; raises `ThemeError` with the fault of every row."""
    return _make_list(read_records(read_table_file(path)), language, path.parent)


def split_list(text: str, language: str | None = None) -> WordList:
    """The symbols of words with commas between them; raises `ThemeError` with every fault."""
    words = [word for part in _BETWEEN_WORDS.split(text) if (word := " ".join(part.split()))]
    ThemeError.raise_any(
        Fault(f"{quote(word)}: {hidden}", "Type it anew.") for word in words if (hidden := find_forbidden(word))
    )
    records = tuple(Record(Place(_TYPED, i, 0), word=word) for i, word in enumerate(words, 1))
    try:
        made = _make_list(Records(records), language, None)
    except ThemeError as error:
        raise ThemeError(*map(_unplace, error.faults)) from None
    return replace(made, remarks=tuple(map(_unplace, made.remarks)))


def _unplace(fault: Fault) -> Fault:
    """Words on a command line have no lines."""
    return replace(fault, place=None)


def _make_list(found: Records, language: str | None, folder: Path | None) -> WordList:
    records, remarks = _drop_repeats([sort_cells(record, folder) for record in found.records])
    languages, word_language, guess = _choose_languages(found, records, read_language(language) if language else "")
    named, article = settle_articles([name_word(record, word_language) for record in records], word_language)
    meanings = [find_meaning(record, languages) for record in named]
    entries = [make_entry(record, word, languages) for record, (word, _) in zip(named, meanings, strict=True)]
    faults = [*filter(None, map(refuse_pictures, named)), *_refuse_number(entries), *_refuse_files(named, folder)]
    checked = _check_entries(entries, named, languages, folder or Path(), faults)
    doubts = [doubt for _, doubt in meanings if doubt]
    slips = [slip for record, (word, _) in zip(named, meanings, strict=True) for slip in doubt_spelling(record, word)]
    remarks = [*found.remarks, *remarks, *doubts, *slips, *guess, *_name_printed(entries, named)]
    return WordList(languages, tuple(checked), tuple(sort_faults(remarks)), article)


def _drop_repeats(records: Sequence[Record]) -> tuple[list[Record], list[Fault]]:
    """Rows that say again what an earlier one said are left out, and named."""
    kept: dict[Hashable, Record] = {}
    remarks: list[Fault] = []
    for record in records:
        first = kept.setdefault(fold_record(record), record)
        if first is not record:
            where = "" if record.place.file == _TYPED else f" in row {first.place.line}"
            what = f"{quote(_label(record))} stands there already{where}"
            remarks.append(Fault(what, "It is used once.", record.place))
    return list(kept.values()), remarks


def _label(record: Record) -> str:
    """What a person calls a row."""
    return next(iter(record.names.values()), "") or record.word or record.text or record.emoji or record.picture


def _choose_languages(
    found: Records, records: Sequence[Record], asked: str
) -> tuple[tuple[str, ...], str, list[Fault]]:
    """The languages of a list, that of its words, and a remark where it was guessed."""
    words = [record.word for record in records if record.word]
    has_words = bool(words) or not found.languages
    if asked and not has_words:
        raise UsageError(Fault("--lang: the columns of this list tell their languages themselves", "Leave it out."))
    if not has_words:
        return found.languages, "", []
    least = _SURE_SHARE if found.languages else _LEAST_SHARE
    guessed = guess_language(words, least)
    language = asked or found.word_language or guessed or ("" if found.languages else "en")
    languages = tuple(dict.fromkeys(filter(None, (language, *found.languages))))
    is_told = bool(asked or found.word_language or language in found.languages)
    return languages, language, [] if is_told or not language else list(_tell_guess(words, language, "the words"))


def guess_words(words: Sequence[str], what: str) -> tuple[str, tuple[Fault, ...]]:
    """The language that most words are of, or else English, with a remark where that is not certain."""
    language = guess_language(words, _LEAST_SHARE) or "en"
    return language, _tell_guess(words, language, what)


def _tell_guess(words: Sequence[str], language: str, what: str) -> tuple[Fault, ...]:
    if all(find_named(word, language) for word in words):
        return ()
    hint = "If they are not, tell their language with --lang."
    return (Fault(f"{what} were taken for {language_name(language)}", hint),)


def _refuse_number(entries: Sequence[Entry]) -> Iterator[Fault]:
    if not FEWEST_SYMBOLS <= len(entries) <= MOST_SYMBOLS:
        count = {0: "no words", 1: "only one word"}.get(len(entries), f"{len(entries)} words")
        yield Fault(f"the list holds {count}", f"A theme needs {FEWEST_SYMBOLS} to {MOST_SYMBOLS} symbols.")


def _refuse_files(records: Sequence[Record], folder: Path | None) -> Iterator[Fault]:
    """Words on a command line lie in no folder that pictures could lie in."""
    for record in records if folder is None else ():
        if record.picture:
            hint = "Give the folder of the pictures itself, or a list that lies beside them."
            yield Fault(f"{quote(record.picture)} is a picture, not a word", hint, record.place)


def _check_entries(
    entries: Sequence[Entry],
    records: Sequence[Record],
    languages: tuple[str, ...],
    folder: Path,
    faults: Sequence[Fault],
) -> list[Entry]:
    """The entries with ids that differ, after the theme's own reader has looked at them; raises all faults at once."""
    findings = Findings()
    nodes = [_make_node(entry, record.place) for entry, record in zip(entries, records, strict=True)]
    drafts = read_symbols(tuple(nodes), folder, languages, findings)
    missing = [_refuse_nameless(draft, record, languages) for draft, record in zip(drafts, records, strict=False)]
    checked = _tell_ids_apart(entries, drafts, languages)
    told = {fault.place for fault in faults}  # one fault a row is enough
    found = [*findings.faults, *filter(None, missing), *_refuse_alike(drafts, languages)]
    ThemeError.raise_any([*faults, *(fault for fault in found if fault.place not in told)])
    return checked


def _make_node(entry: Entry, place: Place) -> Node:
    """An entry as the reader would meet it in a file."""

    def make_text(text: str) -> TextNode:
        return TextNode(place, text, quoted=True)

    kind, text = entry.picture
    names = MapNode(place, tuple((make_text(code), make_text(name)) for code, name in entry.names.items()))
    keys: dict[str, Node] = {kind: make_text(text)}
    keys |= {"id": make_text(entry.id)} if entry.id else {}
    keys |= {"names": names} if entry.names else {}
    return MapNode(place, tuple((make_text(key), value) for key, value in keys.items()))


def _refuse_nameless(draft: Draft, record: Record, languages: Sequence[str]) -> Fault | None:
    missing = [code for code in languages if code not in draft.languages]
    if not missing or draft.picture[0] == "text" or draft.source is None:
        return None
    what = f"{quote(_label(record))} has no {list_words(map(language_name, missing))} name"
    return Fault(what, "Fill in the cell, or remove the column.", record.place)


def _tell_ids_apart(entries: Sequence[Entry], drafts: Sequence[Draft], languages: tuple[str, ...]) -> list[Entry]:
    """An id for each symbol whose own would be another's; ids that the list gives come first."""
    claims, checked = Claims(), list[Entry]()
    for entry in entries:
        claims.taken |= {entry.id.casefold()} if entry.id else set()
    for entry, draft in zip(entries, drafts, strict=False):
        natural = draft.make_id(languages)
        own = entry.id or claims.claim(natural[: ID.most - 5], "-")
        if own != natural:
            draft.options["id"] = own
        checked.append(entry if own == natural else replace(entry, id=own))
    return checked


def _refuse_alike(drafts: Sequence[Draft], languages: tuple[str, ...]) -> Iterator[Fault]:
    """Two symbols that players would take for each other."""
    seen: dict[Hashable, Draft] = {}
    for draft in drafts:
        traits = dict(_list_traits(draft, languages))
        shared = next(((words, seen[trait]) for trait, words in traits.items() if trait in seen), None)
        if shared:
            words, first = shared
            row = "" if first.place.file == _TYPED else f" in row {first.place.line}"
            what = f"{quote(_call(draft, languages))} has the same {words} as {quote(_call(first, languages))}{row}"
            hint = "Remove one of them, or give one an emoji or a picture of its own."
            yield Fault(what, hint, draft.place)
        for trait in traits:
            seen.setdefault(trait, draft)


def _list_traits(draft: Draft, languages: tuple[str, ...]) -> Iterator[tuple[Hashable, str]]:
    kind, text = draft.picture
    if draft.source is None:  # it has a fault already
        return
    char = draft.word.emoji if kind == "word" and draft.word else text
    yield ("emoji", strip_variants(char)) if kind in ("word", "emoji") else (kind, text), f"picture {_show(kind, char)}"
    names = dict.fromkeys(languages, text) if kind == "text" else {}
    for code, name in (names | draft.names_in(languages)).items():
        yield (code, name.casefold()), f"{language_name(code)} name {quote(name)}"
    yield draft.make_id(languages), f"id {quote(draft.make_id(languages))}"


def _show(kind: str, text: str) -> str:
    return text if kind in ("word", "emoji") else quote(text)


def _call(draft: Draft, languages: tuple[str, ...]) -> str:
    return next(iter(draft.names_in(languages).values()), draft.picture[1])


def _name_printed(entries: Sequence[Entry], records: Sequence[Record]) -> Iterator[Fault]:
    """The words that nobody has a picture for; those that are nearly a word that has one on lines of their own."""
    pairs = list(zip(entries, records, strict=True))
    unknown = [(entry.picture[1], record) for entry, record in pairs if is_printed_word(entry, record)]
    is_about_things = 2 * len(unknown) <= len(pairs)  # the name of any person is like that of some thing
    doubted = unknown[:_MOST_DOUBTED] if is_about_things else []
    hints = {text: suggest_word(text, tuple(record.names)) for text, record in doubted}
    for text, record in unknown:
        if hints.get(text):
            yield Fault(f"{quote(text)} has no picture and will be printed as a word", hints[text], record.place)
    printed = [clip(text) for text, _ in unknown if not hints.get(text)]
    if printed:
        are = (
            "1 word has no picture and will be printed as a word"
            if len(printed) == 1
            else (f"{len(printed)} words have no picture and will be printed as words")
        )
        hint = (
            "Give them an emoji or a picture if you want one; `dobble-print list words` shows the words with pictures."
        )
        yield Fault(f"{are}: {', '.join(printed)}", hint)
