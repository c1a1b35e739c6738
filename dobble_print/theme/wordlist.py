"""Lists of words: a spreadsheet, or words between commas, becomes the symbols of a theme.

Invariant: every row becomes a symbol, a remark or a fault that names it; the theme made of the symbols has no fault.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dobble_print.errors import Fault, Place, ThemeError, UsageError, sort_faults
from dobble_print.files import find_forbidden
from dobble_print.messages import clip, quote, suggest
from dobble_print.theme.filling import ANY_GROUP, FEWEST_TO_FILL
from dobble_print.theme.starter import Entry, read_language
from dobble_print.theme.symbols import FEWEST_SYMBOLS, MOST_SYMBOLS
from dobble_print.theme.wordlist_articles import settle_articles
from dobble_print.theme.wordlist_checks import TYPED, check_entries, label_record
from dobble_print.theme.wordlist_columns import Record, Records, fold_record, guess_language, read_bare, read_records
from dobble_print.theme.wordlist_slips import doubt_spelling, mend_accents, suggest_word
from dobble_print.theme.wordlist_symbols import (
    find_meaning,
    is_printed_word,
    make_entry,
    name_word,
    refuse_pictures,
    sort_cells,
)
from dobble_print.theme.wordlist_table import LIST_ENDINGS, OTHER_LISTS, Row, Table, is_file, read_table_file
from dobble_print.theme.wordlist_typed import split_typed
from dobble_print.words.languages import language_name
from dobble_print.words.lexicon import ARTICLES, find_named

_LEAST_SHARE = 0.25  # of a list's words that must be known in a language before it is taken for it
_SURE_SHARE = 0.5
_OTHER_RULES = "Add --lang nl for Dutch rules, and so on; or change languages: in the theme."
_MOST_DOUBTED = 40  # words that are compared with all others


@dataclass(frozen=True)
class WordList:
    """The symbols of a list, their languages, and what a person should know about how it was read.

    `article`: the list gives its names with articles, so the theme should print them so. `fill`: it is too short for
    a deck of its own, so the lexicon should complete it.
    """

    languages: tuple[str, ...]
    entries: tuple[Entry, ...]
    remarks: tuple[Fault, ...]
    article: bool = False
    fill: str = ""

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
    if split_typed(text) and not is_file_name:
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
    words = split_typed(text)
    ThemeError.raise_any(
        Fault(f"{quote(word)}: {hidden}", "Type it anew.") for word in words if (hidden := find_forbidden(word))
    )
    rows = tuple(Row(Place(TYPED, i, 0), (word,)) for i, word in enumerate(words, 1))
    try:
        made = _make_list(read_bare(Table(rows)), language, None)
    except ThemeError as error:
        raise ThemeError(*map(_unplace, error.faults)) from None
    return replace(made, remarks=tuple(map(_unplace, made.remarks)))


def _unplace(fault: Fault) -> Fault:
    """Words on a command line have no lines."""
    return replace(fault, place=None)


def _make_list(found: Records, language: str | None, folder: Path | None) -> WordList:
    records, remarks = _drop_repeats([sort_cells(record, folder) for record in found.records])
    languages, word_language, guess = _choose_languages(found, records, read_language(language) if language else "")
    mended = [mend_accents(name_word(record, word_language)) for record in records]
    named, article = settle_articles([record for record, _ in mended], word_language)
    meanings = [find_meaning(record, languages) for record in named]
    entries = [make_entry(record, word, languages) for record, (word, _) in zip(named, meanings, strict=True)]
    pictures = [*filter(None, map(refuse_pictures, named)), *_refuse_files(named, folder)]
    faults = [*pictures, *_refuse_number(entries, languages)]
    checked = check_entries(entries, named, languages, folder or Path(), faults)
    doubts = [doubt for _, doubt in meanings if doubt] + [slip for _, told in mended for slip in told]
    slips = [slip for record, (word, _) in zip(named, meanings, strict=True) for slip in doubt_spelling(record, word)]
    remarks = [*found.remarks, *remarks, *doubts, *slips, *guess, *_name_printed(entries, named)]
    fill = ANY_GROUP if len(entries) < FEWEST_SYMBOLS else ""
    return WordList(languages, tuple(checked), tuple(sort_faults(remarks)), article, fill)


def _drop_repeats(records: Sequence[Record]) -> tuple[list[Record], list[Fault]]:
    """Rows that say again what an earlier one said are left out, and named."""
    kept: dict[Hashable, Record] = {}
    remarks: list[Fault] = []
    for record in records:
        first = kept.setdefault(fold_record(record), record)
        if first is not record:
            where = "" if record.place.file == TYPED else f" in row {first.place.line}"
            what = f"{quote(label_record(record))} stands there already{where}"
            remarks.append(Fault(what, "It is used once.", record.place))
    return list(kept.values()), remarks


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
    if not any(map(str.isalpha, "".join(words))) and not is_told:
        return languages, language, [Fault("nothing tells a language, so the rules will be in English", _OTHER_RULES)]
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


def _refuse_number(entries: Sequence[Entry], languages: Sequence[str]) -> Iterator[Fault]:
    """Too many, or so few that even the lexicon could not complete them, or not in these languages."""
    can_fill = all(code in ARTICLES for code in languages) and not any(entry.faces for entry in entries)
    if not (FEWEST_TO_FILL if can_fill else FEWEST_SYMBOLS) <= len(entries) <= MOST_SYMBOLS:
        count = {0: "no words", 1: "only one word"}.get(len(entries), f"{len(entries)} words")
        yield Fault(f"the list holds {count}", f"A theme needs {FEWEST_SYMBOLS} to {MOST_SYMBOLS} symbols.")


def _refuse_files(records: Sequence[Record], folder: Path | None) -> Iterator[Fault]:
    """Words on a command line lie in no folder that pictures could lie in."""
    for record in records if folder is None else ():
        if record.picture:
            hint = "Give the folder of the pictures itself, or a list that lies beside them."
            yield Fault(f"{quote(record.picture)} is a picture, not a word", hint, record.place)


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
