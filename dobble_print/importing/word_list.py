"""Word lists, from a file or typed on a command line, become the symbols of a theme.

Invariant: a list loses nothing in silence; what is left out, or printed otherwise than written, is a remark.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dobble_print.errors import Fault, InvalidValue, Place, ThemeError, UsageError, sort_faults
from dobble_print.files import find_forbidden
from dobble_print.importing.columns import (
    Record,
    Records,
    fold_record,
    guess_language,
    read_bare,
    read_records,
    set_sum,
)
from dobble_print.importing.spelling import (
    check_spelling,
    mend_accents,
    settle_articles,
)
from dobble_print.importing.starter import NewSymbol, claim, name_file, read_languages
from dobble_print.importing.tables import (
    LIST_ENDINGS,
    OTHER_LISTS,
    TYPED,
    Row,
    Table,
    read_table_file,
)
from dobble_print.importing.typed import split_line, split_lines, split_typed, strip_bullet
from dobble_print.messages import list_words, quote, suggest
from dobble_print.theme.faces import fold_print
from dobble_print.theme.filling import ANY_GROUP, FEWEST_TO_FILL
from dobble_print.theme.kinds import MOST_FACES, FaceEntry
from dobble_print.theme.model import Text
from dobble_print.theme.options import ID
from dobble_print.theme.pictures import PICTURE_ENDINGS, PictureFolder, is_picture
from dobble_print.theme.source import ListNode, MapNode, Node, TextNode
from dobble_print.theme.symbols import FEWEST_SYMBOLS, MOST_SYMBOLS, Draft, SymbolDefaults, read_symbols
from dobble_print.theme.values import FaultCollector, find_alike
from dobble_print.words.forms import Reading, read_loosely
from dobble_print.words.languages import language_name
from dobble_print.words.lexicon import ARTICLES, Word, find_emoji_word, find_named, fold
from dobble_print.words.near import are_slips, hint_unknown, name_unknown
from dobble_print.words.reading import find_word, find_written_name
from dobble_print.words.writing import is_emoji, strip_variants

_MANY_LETTERS = re.compile(r"[^\W\d_]{2}")


def sort_cells(record: Record, folder: Path | None) -> Record:
    """Put each cell where it belongs: an emoji or a file may stand among the words, or before one."""
    word, emoji, picture = set_sum(strip_bullet(record.word)), record.emoji, record.picture.replace("\\", "/")
    if is_emoji(picture) and not emoji:
        emoji, picture = picture, ""
    first, _, rest = word.partition(" ")
    if is_emoji(first) and not emoji:
        emoji, word = first, rest.strip()
    elif is_picture(word) and not picture:
        picture, word = word.replace("\\", "/"), ""
    return replace(record, word=word, emoji=emoji, picture=_complete_path(picture, folder))


def _complete_path(picture: str, folder: Path | None) -> str:
    """Return a file that was named without its ending, with it."""
    if not picture or folder is None or is_picture(picture) or ".." in picture or picture.startswith(("/", "~")):
        return picture
    tries = [f"{picture}{ending}" for ending in (*PICTURE_ENDINGS, *map(str.upper, PICTURE_ENDINGS))]
    return next((name for name in tries if os.path.isfile(folder / name)), picture)


def name_word(record: Record, language: str) -> Record:
    """Return the record with its word as its name in the language of the words."""
    if not record.word or not language or language in record.names:
        return record
    return replace(record, names={language: record.word, **record.names})


def find_meaning(record: Record, languages: Sequence[str]) -> tuple[Word | None, Fault | None]:
    """Return the word of the lexicon that most names of a record mean, and a doubt where they mean different things."""
    meanings = {name: words for code, name in record.names.items() if (words := find_named(name, _base(code)))}
    if record.word and record.word not in record.names.values():
        meanings |= {record.word: _look_up(record.word, languages)}
    votes = Counter(word.key for words in meanings.values() for word in words)
    found = {word.key: word for words in meanings.values() for word in words}
    if not votes:
        return None, None
    best = found[votes.most_common(1)[0][0]]
    meant = [name for name, words in meanings.items() if words]
    if votes[best.key] == len(meant):
        return best, None
    shown = best.emoji or quote(best.key)
    what = f"{list_words(map(quote, meant), 'and')} are different things to the lexicon; the picture is {shown}"
    return best, Fault(what, "Give the row an emoji or a picture of its own if that is wrong.", record.place)


def _find_number(record: Record) -> tuple[str, Reading] | None:
    """Return a name that is the singular or plural of a word, and that word; not beside a picture of its own."""
    if record.picture or record.emoji or record.text:
        return None
    read = ((name, read_loosely(name, code)) for code, name in record.names.items())
    return next(((name, found) for name, found in read if found and found.number), None)


def _name_numbers(found: Sequence[tuple[Place, str, Reading]]) -> Iterator[Fault]:
    """Name the words that were taken for their singulars or plurals, all at once."""
    if len(found) == 1:
        place, name, read = found[0]
        what = f"{quote(name)} was taken for {f'{quote(read.name.text)} {read.word.emoji}'.rstrip()}, its {read.number}"
        yield Fault(what, "The name stays as you wrote it.", place)
    elif found:
        taken = list_words((f"{quote(name)} for {quote(read.name.text)}" for _, name, read in found), "and")
        what = f"{len(found)} words were taken for their singulars or plurals: {taken}"
        yield Fault(what, "The names stay as you wrote them.")


def _base(code: str) -> str:
    return code.split("-")[0]


def _look_up(text: str, languages: Sequence[str]) -> tuple[Word, ...]:
    try:
        return (find_word(text, languages),)
    except InvalidValue:
        return ()


def make_entry(record: Record, word: Word | None, languages: Sequence[str]) -> NewSymbol:
    """Return the symbol of a record; names that the lexicon adds by itself are left out."""
    known = {code: name.text for code, name in word.names.items() if code in languages} if word else {}
    names, faces = record.names, tuple[str, ...]()
    if record.faces:
        faces = (*filter(None, (record.picture, record.emoji)), *record.faces)
        picture = ("faces", faces[0])
    elif record.picture:
        picture = ("image", record.picture)
        names = known | names or {languages[0]: name_file(record.picture)}
    elif record.emoji:
        picture, own = ("emoji", record.emoji), find_emoji_word(record.emoji)
        names = known | names if word and not own else _keep_names(record, own, {}, languages)
    elif record.text or word is None:
        picture = ("text", record.text or record.word or next(iter(names.values())))
        names = {code: name for code, name in names.items() if name != picture[1]}
    else:
        picture, spoken = _write_word(record, word, languages)
        names = _keep_names(record, word, spoken, languages)
    return NewSymbol(picture, {code: names[code] for code in languages if code in names}, record.id, faces)


def _write_word(record: Record, word: Word, languages: Sequence[str]) -> tuple[tuple[str, str], dict[str, str]]:
    """Return a word as the list writes it, where the theme reads it so; else its English word, or its emoji.

    With it comes the name that it has by being written so.
    """
    codes = [code for code in languages if code in record.names]
    names = [word.find_name(_base(code), record.names[code]) for code in codes]
    usual = [name.text for code in codes if _base(code) in word.names for name in word.names[_base(code)].all]
    for text in [*(name.text for name in names if name), *usual, word.key]:
        if _look_up(text, languages) == (word,):
            written = find_written_name(word, text, languages)
            return ("word", text), {written[0]: written[1].text} if written else {}
    return ("emoji", word.emoji), {}


def _keep_names(record: Record, word: Word | None, spoken: dict[str, str], languages: Sequence[str]) -> dict[str, str]:
    """Return the names that differ from what the theme would give the word anyway."""
    kept: dict[str, str] = {}
    for code in languages:
        name, known = record.names.get(code, ""), word.names.get(code) if word else None
        usual = spoken.get(code) or (known.text if known else "")
        as_known = word.find_name(code, name) if word and name else None
        text = as_known.text if as_known else name
        if text and fold(text) != fold(usual):
            kept[code] = text
    return kept


def _refuse_pictures(records: Iterable[Record], is_typed: bool) -> Iterator[Fault]:
    """Refuse rows that ask for two pictures, or for an emoji that is gone; and files that would lie in no folder."""
    for record in records:
        cells = {"a picture": record.picture, "an emoji": record.emoji, "a text": record.text}
        asked = [kind for kind, cell in cells.items() if cell]
        if record.emoji and not record.emoji.strip("?"):
            hint = "Type it anew and save the list as CSV UTF-8 or as Excel (.xlsx)."
            yield Fault("the emoji was lost when the list was saved", hint, record.place)
        elif len(asked) > 1:
            what = f"this row has {list_words(asked, 'and')}"
            yield Fault(what, "A symbol has one picture: empty the other cells.", record.place)
        if record.picture and is_typed:
            hint = "Give the folder of the pictures itself, or a list that lies beside them."
            yield Fault(f"{quote(record.picture)} is a picture, not a word", hint, record.place)


_ONE_OF_THEM = "Remove one of them, or give one an emoji or a picture of its own."
_TWO_ANSWERS = "A match would have two answers: remove or change one of them."


def label_record(record: Record) -> str:
    """Return what a person calls a row."""
    texts = (*record.names.values(), record.word, record.text, record.emoji, record.picture, " = ".join(record.faces))
    return next(filter(None, texts), "")


def check_entries(
    entries: Sequence[NewSymbol],
    records: Sequence[Record],
    languages: tuple[str, ...],
    folder: Path,
    faults: Sequence[Fault],
) -> list[NewSymbol]:
    """Return the entries with ids that differ, checked by the theme's own reader; raise all faults at once."""
    collector = FaultCollector()
    nodes = [_make_node(entry.keys, record.place) for entry, record in zip(entries, records, strict=True)]
    drafts = read_symbols(nodes, SymbolDefaults(PictureFolder(folder), languages), collector)
    missing = [_refuse_nameless(draft, record, languages) for draft, record in zip(drafts, records, strict=False)]
    checked = _make_ids_unique(entries, drafts, languages)
    told = {fault.place for fault in faults}  # one fault a row is enough
    found = [*collector.faults, *filter(None, missing), *_refuse_alike(drafts, languages)]
    ThemeError.raise_any([*faults, *(fault for fault in found if fault.place not in told)])
    return checked


def _make_node(content: str | Sequence[str] | Mapping[str, Any], place: Place) -> Node:
    """Return plain content as the theme reader would meet it in a file."""
    if isinstance(content, str):
        return TextNode(place, content, quoted=True)
    if isinstance(content, Mapping):
        entries = ((TextNode(place, key, quoted=True), _make_node(value, place)) for key, value in content.items())
        return MapNode(place, tuple(entries))
    return ListNode(place, tuple(_make_node(item, place) for item in content))


def _refuse_nameless(draft: Draft, record: Record, languages: Sequence[str]) -> Fault | None:
    missing = [code for code in languages if code not in draft.languages]
    if not missing or draft.picture[0] in ("text", "faces") or draft.source is None:
        return None
    what = f"{quote(label_record(record))} has no {list_words(map(language_name, missing))} name"
    return Fault(what, "Fill in the cell, or remove the column.", record.place)


def _make_ids_unique(
    entries: Sequence[NewSymbol], drafts: Sequence[Draft], languages: tuple[str, ...]
) -> list[NewSymbol]:
    """Give an id to each symbol whose own would be another's; ids that the list gives come first."""
    taken, checked = {entry.id.casefold() for entry in entries if entry.id}, list[NewSymbol]()
    for entry, draft in zip(entries, drafts, strict=False):
        natural = draft.make_id(languages)
        own = entry.id or claim(natural[: ID.most - 5], taken, "-")
        if own != natural:
            draft.options = replace(draft.options, id=own)
        checked.append(entry if own == natural else replace(entry, id=own))
    return checked


def _refuse_alike(drafts: Sequence[Draft], languages: tuple[str, ...]) -> Iterator[Fault]:
    """Two symbols that players would take for each other."""
    for draft, first, words in find_alike(drafts, lambda draft: _list_traits(draft, languages)):
        row = "" if first.place.file == TYPED else f" in row {first.place.line}"
        own, other = (quote(next(iter(one.names_in(languages).values()), one.picture[1])) for one in (draft, first))
        what = f"{own} has the same {words} as {other}{row}"
        yield Fault(what, _hint_equal(draft, first) if draft.faces else _ONE_OF_THEM, draft.place)


def _hint_equal(draft: Draft, first: Draft) -> str:
    """Suggest one row for two sums with the same result: they are faces of one symbol."""
    texts = dict.fromkeys(face.text for one in (first, draft) for face in one.faces if isinstance(face, Text))
    if len(texts) > MOST_FACES:
        return _TWO_ANSWERS
    return f"{_TWO_ANSWERS[:-1]}, or put all on one row, as faces of one symbol: {', '.join(texts)}."


def _list_traits(draft: Draft, languages: tuple[str, ...]) -> Iterator[tuple[Hashable, str]]:
    kind, text = draft.picture
    if draft.source is None:  # it has a fault already
        return
    entries = [face for face in draft.options.faces if isinstance(face, FaceEntry)]
    for printed in [*(face.text for face in entries if face.kind == "text"), *([text] if kind == "text" else [])]:
        yield ("printed", fold_print(printed)), f"text {quote(printed)}"
    if kind == "faces":  # one of its texts may be the id of another
        return
    if kind in ("word", "emoji"):
        char = draft.word.emoji if kind == "word" and draft.word else text
        drawn = draft.word.drawing if kind == "word" and draft.word else ""
        yield ("emoji", drawn or strip_variants(char)), f"picture {char or quote(drawn)}"
    else:
        yield (kind, text), f"picture {quote(text)}"
    names = dict.fromkeys(languages, text) if kind == "text" else {}
    for code, name in (names | draft.names_in(languages)).items():
        yield (code, name.casefold()), f"{language_name(code)} name {quote(name)}"
    yield draft.make_id(languages), f"id {quote(draft.make_id(languages))}"


_LEAST_SHARE = 0.25  # of a list's words that must be known in a language before it is taken for it
_SURE_SHARE = 0.5
_OTHER_RULES = "Add --lang nl for Dutch rules, and so on; or change languages: in the theme."
_OFFER = "Leave it so, or add an emoji or a picture, in a column of the list or in the theme."


@dataclass(frozen=True)
class WordList:
    """The symbols of a list, their languages, and what a person should know about how it was read.

    `article`: the list gives its names with articles, so the theme should print them so. `fill`: it is too short for
    a deck of its own, so the lexicon should complete it. `refused` are rows of which nothing was made.
    """

    languages: tuple[str, ...]
    entries: tuple[NewSymbol, ...]
    remarks: tuple[Fault, ...]
    article: bool = False
    fill: str = ""
    refused: tuple[str, ...] = ()

    @property
    def has_pictures(self) -> bool:
        """Whether symbols need files that lie beside the list."""
        return any(entry.picture[0] == "image" for entry in self.entries)


def find_source(text: str) -> Path | None:
    """Return the folder or file that `--from` names, None for words; raise `UsageError` for neither."""
    path = Path(text)
    if text.strip() and (os.path.isdir(path) or os.path.isfile(path)):  # no name is too long for these two
        return path
    is_file_name = text.casefold().endswith((*LIST_ENDINGS, *OTHER_LISTS)) and "\n" not in text
    if split_typed(text) and not is_file_name:
        return None
    near = [str(other) for other in path.parent.glob("*")] if os.path.isdir(path.parent) else []
    kinds = 'a list (.csv, .tsv or .xlsx), a folder of pictures, or words with commas between them: "cat, dog, sun"'
    raise UsageError(Fault(f"there is no file or folder {quote(text)}", suggest(text, near, f"Give {kinds}.")))


def read_list(path: Path, asked: Sequence[str] = ()) -> WordList:
    """Return the symbols of a spreadsheet or text file; raise `ThemeError` with the fault of every row."""
    return _make_list(read_records(read_table_file(path)), asked, path.parent)


def split_list(text: str, asked: Sequence[str] = ()) -> WordList:
    """Return the symbols of words with commas between them; raise `ThemeError` with every fault."""
    words = split_typed(text)
    ThemeError.raise_any(
        Fault(f"{quote(word)}: {hidden}", "Type it anew.") for word in words if (hidden := find_forbidden(word))
    )
    rows = tuple(Row(Place(TYPED, i, 0), (word,)) for i, word in enumerate(words, 1))
    try:
        made = _make_list(read_bare(Table(rows)), asked, None)
    except ThemeError as error:
        raise ThemeError(*map(_unplace, error.faults)) from None
    return replace(made, remarks=tuple(map(_unplace, made.remarks)))


def read_part(text: str, language: str | None = None, table: Table | None = None) -> WordList:
    """Return the symbols of words or a pasted table that may be few, as a list grows; doubts and faults are remarks."""
    is_list = table is None and "\n" in text.strip()
    found = read_records(table or Table(tuple(split_lines(text)))) if table or is_list else read_bare(split_line(text))
    made = _make_list(found, (language,) if language else (), None, is_part=True)
    return replace(made, remarks=tuple(map(_unplace, made.remarks)))


def _unplace(fault: Fault) -> Fault:
    """Drop the place of a fault: words on a command line have no lines."""
    return replace(fault, place=None)


def _make_list(found: Records, asked: Sequence[str], folder: Path | None, is_part: bool = False) -> WordList:
    records, remarks = _drop_repeats([sort_cells(record, folder) for record in found.records])
    languages, word_language, guess = _choose_languages(found, records, read_languages(asked))
    mended = [mend_accents(name_word(record, word_language)) for record in records]
    named, article = settle_articles([record for record, _ in mended], word_language)
    meanings = [find_meaning(record, languages) for record in named]
    numbers = [None if word else _find_number(record) for record, (word, _) in zip(named, meanings, strict=True)]
    words = [word or (read[1].word if read else None) for (word, _), read in zip(meanings, numbers, strict=True)]
    if not is_part:
        named, told_twice = _write_seconds(named, words)
        remarks += told_twice
    entries = [make_entry(record, word, languages) for record, word in zip(named, words, strict=True)]
    faults = [*_refuse_pictures(named, is_typed=folder is None)]
    if is_part:
        return _make_part(entries, named, languages, [*found.remarks, *remarks, *faults], article)
    faults += _refuse_number(entries, languages)
    checked = check_entries(entries, named, languages, folder or Path(), faults)
    remarks = [
        *found.remarks,
        *remarks,
        *(doubt for _, doubt in meanings if doubt),
        *(slip for _, told in mended for slip in told),
        *(slip for record, word in zip(named, words, strict=True) for slip in check_spelling(record, word)),
        *guess,
        *_name_numbers([(record.place, *read) for record, read in zip(named, numbers, strict=True) if read]),
        *_name_printed(entries, named, words, languages),
    ]
    fill = ANY_GROUP if len(entries) < FEWEST_SYMBOLS else ""
    return WordList(languages, tuple(checked), tuple(sort_faults(remarks)), article, fill)


def _make_part(
    entries: Sequence[NewSymbol],
    records: Sequence[Record],
    languages: tuple[str, ...],
    remarks: list[Fault],
    article: bool,
) -> WordList:
    """Return the entries that the theme's own reader takes one by one, and why it does not take the others."""
    collector = FaultCollector()
    nodes = [_make_node(entry.keys, record.place) for entry, record in zip(entries, records, strict=True)]
    read_symbols(nodes, SymbolDefaults(PictureFolder(Path()), languages), collector)
    faulty = {fault.place for fault in [*collector.faults, *remarks]} - {None}
    taken = [entry for entry, record in zip(entries, records, strict=True) if record.place not in faulty]
    refused = tuple(label_record(record) for record in records if record.place in faulty)
    told = tuple(sort_faults([*remarks, *collector.faults]))
    return WordList(languages, tuple(taken), told, article, refused=refused)


def _write_seconds(records: Sequence[Record], words: Sequence[Word | None]) -> tuple[list[Record], list[Fault]]:
    """Have words whose picture an earlier word has taken printed as words: a list may hold kat and poes."""
    firsts: dict[str, Record] = {}
    written, remarks = list[Record](), list[Fault]()
    for record, word in zip(records, words, strict=True):
        is_bare = not (record.emoji or record.picture or record.text or record.faces)
        first = firsts.setdefault(word.key, record) if word and is_bare else record
        if first is not record:
            what = f"{quote(label_record(record))} has the picture of {quote(label_record(first))}"
            hint = "It will be printed as a word. Give it an emoji or a picture of its own to change that."
            remarks.append(Fault(what, hint, record.place))
            record = replace(record, text=label_record(record))
        written.append(record)
    return written, remarks


def _drop_repeats(records: Sequence[Record]) -> tuple[list[Record], list[Fault]]:
    """Leave out rows that say again what an earlier one said, and name them."""
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
    found: Records, records: Sequence[Record], asked: tuple[str, ...]
) -> tuple[tuple[str, ...], str, list[Fault]]:
    """Return the languages of a list, that of its words, and a remark where it was guessed.

    Of several that are asked for, the words are in the one that knows most of them; the theme gets all.
    """
    words = [record.word for record in records if record.word]
    has_words = bool(words) or not found.languages
    if asked and not has_words and not set(asked) & set(found.languages):
        raise UsageError(Fault("--lang: the columns of this list tell their languages themselves", "Leave it out."))
    if not has_words:
        return asked or found.languages, "", []
    least = _SURE_SHARE if found.languages else _LEAST_SHARE
    guessed = guess_language(words, least)
    spoken = guess_language(words, _LEAST_SHARE, asked) if len(asked) > 1 else ""
    language = spoken or next(iter(asked), "") or found.word_language or guessed or ("" if found.languages else "en")
    languages = tuple(dict.fromkeys(filter(None, (*asked, language, *found.languages))))
    is_told = bool(asked or found.word_language or language in found.languages)
    if not any(map(str.isalpha, "".join(words))) and not (is_told or found.languages):
        return languages, language, [Fault("nothing tells a language, so the rules will be in English", _OTHER_RULES)]
    return languages, language, [] if is_told or not language else list(_describe_guess(words, language, "the words"))


def guess_words(words: Sequence[str], what: str) -> tuple[str, tuple[Fault, ...]]:
    """Return the language that most words are of, or else English, with a remark where that is not certain."""
    language = guess_language(words, _LEAST_SHARE) or "en"
    return language, _describe_guess(words, language, what)


def _describe_guess(words: Sequence[str], language: str, what: str) -> tuple[Fault, ...]:
    if all(find_named(word, language) for word in words):
        return ()
    hint = "If they are not, tell their language with --lang."
    return (Fault(f"{what} were taken for {language_name(language)}", hint),)


def _refuse_number(entries: Sequence[NewSymbol], languages: Sequence[str]) -> Iterator[Fault]:
    """Refuse too many, or so few that even the lexicon could not complete them, or not in these languages."""
    can_fill = all(code in ARTICLES for code in languages) and not any(entry.faces for entry in entries)
    if not (FEWEST_TO_FILL if can_fill else FEWEST_SYMBOLS) <= len(entries) <= MOST_SYMBOLS:
        count = {0: "no words", 1: "only one word"}.get(len(entries), f"{len(entries)} words")
        yield Fault(f"the list holds {count}", f"A theme needs {FEWEST_SYMBOLS} to {MOST_SYMBOLS} symbols.")


def _name_printed(
    entries: Sequence[NewSymbol], records: Sequence[Record], meanings: Iterable[Word | None], languages: Sequence[str]
) -> Iterator[Fault]:
    """Name the words without a picture, all at once, and what they may mean."""
    texts = [(entry.picture, record) for entry, record in zip(entries, records, strict=True) if not record.text]
    places = {text: record.place for (kind, text), record in texts if kind == "text" and _MANY_LETTERS.search(text)}
    if not places:
        return
    groups = {word.group for word in meanings if word}
    is_about_things = 2 * len(places) <= len(entries) or are_slips(list(places), languages)
    hint = hint_unknown(list(places), languages if is_about_things else (), groups, _OFFER)
    rows = {text: "" if place.file == TYPED else f"in row {place.line}" for text, place in places.items()}
    have = "words have no picture and will be printed as words"
    have = "word has no picture and will be printed as a word" if len(places) == 1 else have
    yield Fault(f"{len(places)} {have}: {name_unknown(rows)}", hint)
