"""Write a new theme: a commented start, or one made of a list, of words or of a folder of pictures."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dobble_print.deck.design import explain_deck, make_deck, show_cards
from dobble_print.errors import Fault, OutputError, UsageError
from dobble_print.files import deliver
from dobble_print.importing.starter import (
    NewSymbol,
    find_nameless,
    list_entries,
    list_left_out,
    list_pictures,
    name_file,
    starter_theme,
    write_theme,
)
from dobble_print.importing.word_list import WordList, find_source, guess_words, read_list, split_list
from dobble_print.messages import list_words, quote, show
from dobble_print.resources import THEME_FILE
from dobble_print.theme.arithmetic import evaluate, find_unequal, solve_sum
from dobble_print.theme.filling import find_full_deck
from dobble_print.theme.json_schema import write_schema
from dobble_print.theme.symbols import FEWEST_SYMBOLS
from dobble_print.units import show_count
from dobble_print.words.reading import explain_choice

SCHEMA_FILE = "theme.schema.json"
_MOST_NAMED = 3


@dataclass(frozen=True)
class NewTheme:
    """What `new` wrote: the files, what is doubtful, and what to tell: the deck in words, what to do next.

    `choices` are words of several meanings.
    """

    paths: list[Path]
    remarks: tuple[Fault, ...] = ()
    words: str = ""
    choices: tuple[Fault, ...] = ()

    @property
    def advice(self) -> str:
        """Which file to open, and what to type next, ready to copy whatever the path is."""
        theme = self.paths[0]
        where = theme.parent if theme.name == THEME_FILE else theme
        return f"Open {theme} in a text editor, then type: dobble-print check {shlex.quote(str(where))}"


@dataclass(frozen=True)
class _Draft:
    """A theme not yet written, and the folder and file it is meant for."""

    text: str
    folder: Path
    file: str = THEME_FILE
    count: int = 0
    remarks: tuple[Fault, ...] = ()
    languages: tuple[str, ...] = ()
    fills: bool = False
    choices: tuple[Fault, ...] = ()


def write_new_theme(name: str, source: str | None, languages: Sequence[str] = ()) -> NewTheme:
    """Write a commented theme into a folder `NAME`, or beside the pictures it shows; never over an old one."""
    if not name.strip() or Path(name).name != name or name.startswith(".") or show(name) != name:
        raise UsageError(Fault(f'"{name}" is no name for a theme', "Use a simple name such as harbour."))
    if languages and source is None:
        raise UsageError(Fault("--lang tells the language of --from, so it goes with that", "Leave it out."))
    draft = _Draft(starter_theme(name), Path(name)) if source is None else _draft_from(source, name, languages)
    if (draft.folder / draft.file).exists():
        what = f"{draft.folder / draft.file} exists already"
        raise OutputError(Fault(what, "Choose another name, or remove it first."))
    files = {draft.file: draft.text.encode(), SCHEMA_FILE: write_schema().encode()}
    return NewTheme(deliver(draft.folder, files), draft.remarks, _sum_up(draft), draft.choices)


def _sum_up(draft: _Draft) -> str:
    """Return the deck that the symbols give, or that the lexicon makes of too few; and what two languages are good for.

    Nothing where the symbols are not the user's own.
    """
    if not draft.count:
        return ""
    words = explain_deck(draft.count)
    if draft.fills:
        missing, k = find_full_deck(draft.count)
        filled = f"fill: in the theme adds {show_count(missing, 'word')} of the lexicon"
        words = f"{draft.count} symbols are few; {filled}, which gives {show_cards(draft.count + missing, k)}."
    lesson = f"\nFor a language lesson: remove the # before faces: in {draft.folder / draft.file}"
    return words + (lesson if len(draft.languages) > 1 else "")


def _draft_from(source: str, name: str, languages: Sequence[str]) -> _Draft:
    """Return a theme made of a folder of pictures, of a list, or of words typed between commas."""
    path = find_source(source)
    if path and path.is_dir():
        return _draft_from_folder(path, name, languages)
    found = read_list(path, languages) if path else split_list(source, languages)
    text = write_theme(name, found.languages, found.entries, found.article, found.fill)
    unused = () if found.fill else _name_unused(found.entries)
    remarks = (*found.remarks, *_miss_answers(found.entries), *_doubt_answers(found.entries), *unused)
    told = len(found.entries), remarks, found.languages, bool(found.fill), _list_choices(found)
    if path and found.has_pictures:  # their paths start from the list's own folder
        return _Draft(text, path.parent, f"{name}.yaml", *told)
    return _Draft(text, Path(name), THEME_FILE, *told)


def _list_choices(found: WordList) -> tuple[Fault, ...]:
    """Tell of words with several meanings; in a list of two languages, the other name says which is meant."""
    texts = [text for kind, text in (entry.picture for entry in found.entries) if kind == "word"]
    told = (explain_choice(text, found.languages) for text in texts if len(found.languages) == 1)
    return tuple(Fault(what) for what in told if what)


def _draft_from_folder(folder: Path, name: str, asked: Sequence[str]) -> _Draft:
    """Return a theme with one symbol a picture, in the language that most file names are words of."""
    names, file = [name_file(file) for file in list_pictures(folder)], f"{name}.yaml"
    code, guess = ("", ()) if asked else guess_words(names, "the file names")
    languages, entries = list(asked) or [code], list_entries(folder, asked or [code])
    remarks = (*_doubt_pictures(folder, names, file), *guess, *_name_unused(entries))
    return _Draft(write_theme(name, languages, entries), folder, file, len(names), remarks)


def _name_unused(entries: Sequence[NewSymbol]) -> Iterator[Fault]:
    """Name the symbols that no card of the whole deck shows: a child that looks for its own card in vain."""
    if len(entries) < FEWEST_SYMBOLS:
        return
    unused = sorted(make_deck(len(entries)).unused)
    if unused:
        names = list_words((quote(entries[i].label) for i in unused), "and")
        are = "1 symbol is" if len(unused) == 1 else f"{len(unused)} symbols are"
        has_sums = any(solve_sum(entry.picture[1]) for entry in entries)
        rest = "or leave some out" if has_sums else "leave some out, or let fill: complete the deck"
        yield Fault(f"{are} on no card: {names}", f"Add more, {rest}. In the theme keep: true keeps one on the cards.")


def _miss_answers(entries: Sequence[NewSymbol]) -> Iterator[Fault]:
    """Say how a deck of sums gets their answers, where a list has the sums alone."""
    solved = [solved for entry in entries if entry.picture[0] == "text" and (solved := solve_sum(entry.picture[1]))]
    if solved:
        what = f"no answer stands beside {show_count(len(solved), 'sum')}: every card shows the sum itself"
        yield Fault(what, f"For the answer on another card write both, such as {solved[0]}.")


def _doubt_answers(entries: Sequence[NewSymbol]) -> Iterator[Fault]:
    """Name the sums with a wrong answer beside them."""
    for entry in entries:
        yield from find_unequal(list(filter(None, map(evaluate, entry.faces))))


def _doubt_pictures(folder: Path, names: list[str], file: str) -> Iterator[Fault]:
    """Warn about pictures that are no use, and about those that are called what their camera called them."""
    left_out, found = list_left_out(folder), find_nameless(names)
    if left_out:
        what = f"left out, since the program cannot read them: {', '.join(left_out)}"
        yield Fault(what, "Save them as PNG or JPEG to use them.")
    if found:
        more = [f"{len(found) - _MOST_NAMED} more"] if len(found) > _MOST_NAMED else []
        shown = list_words([*map(quote, found[:_MOST_NAMED]), *more], "and")
        are, them = ("is a name", "it a name") if len(found) == 1 else ("are names", "them names")
        yield Fault(f"{shown} {are} that a camera gave", f"Give {them} in {file}.")
