"""Starting and choosing: new themes, and lists of what there is to choose from."""

from __future__ import annotations

import json
import shlex
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dobble_print.dealing import deal_theme
from dobble_print.deck.design import explain_deck, show_cards
from dobble_print.errors import Fault, OutputError, UsageError
from dobble_print.files import deliver
from dobble_print.messages import list_words, quote, suggest
from dobble_print.press.printers import list_printers
from dobble_print.resources import THEME_FILE, shipped_themes
from dobble_print.rules.rulebook import print_rules_text
from dobble_print.rules.texts import choose_languages, read_rules
from dobble_print.theme.filling import find_full_deck
from dobble_print.theme.json_schema import write_schema
from dobble_print.theme.overrides import Overrides
from dobble_print.theme.pictures import PHONE_ENDINGS
from dobble_print.theme.profiles import list_profiles
from dobble_print.theme.reader import examine_theme, find_theme, read_theme
from dobble_print.theme.starter import (
    INSTALL_HEIC,
    find_nameless,
    list_left_out,
    list_pictures,
    name_file,
    starter_theme,
    theme_from_folder,
    write_theme,
)
from dobble_print.theme.wordlist import find_source, guess_words, read_list, split_list
from dobble_print.units import SHAPES, papers
from dobble_print.words.languages import find_language, language_name, languages
from dobble_print.words.lexicon import ARTICLES, Name, Word, groups, words
from dobble_print.words.writing import is_emoji

SCHEMA_FILE = "theme.schema.json"
NO_PRINTERS = "None is saved yet. See: dobble-print calibrate --help"

_MOST_NAMED = 3

Row = dict[str, Any]


@dataclass(frozen=True)
class NewTheme:
    """What `new` wrote: the files, what is doubtful, and what to tell: the deck in words, what to do next."""

    paths: list[Path]
    remarks: tuple[Fault, ...] = ()
    words: str = ""

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


def write_new_theme(name: str, source: str | None, language: str | None) -> NewTheme:
    """A commented theme in a folder `NAME`, or beside the pictures it shows; never over an old one."""
    if not name.strip() or Path(name).name != name or name.startswith("."):
        raise UsageError(Fault(f'"{name}" is no name for a theme', "Use a simple name such as harbour."))
    if language and source is None:
        raise UsageError(Fault("--lang tells the language of --from, so it goes with that", "Leave it out."))
    draft = _Draft(starter_theme(name), Path(name)) if source is None else _draft_from(source, name, language)
    if (draft.folder / draft.file).exists():
        what = f"{draft.folder / draft.file} exists already"
        raise OutputError(Fault(what, "Choose another name, or remove it first."))
    files = {draft.file: draft.text.encode(), SCHEMA_FILE: write_schema().encode()}
    return NewTheme(deliver(draft.folder, files), draft.remarks, _sum_up(draft))


def _sum_up(draft: _Draft) -> str:
    """The deck in words, if it is the user's own; of a list in two languages also what it is good for."""
    if not draft.count:
        return ""
    lesson = f"For a language lesson: remove the # before faces: in {draft.folder / draft.file}"
    return "\n".join([_explain_count(draft), *([lesson] if len(draft.languages) > 1 else [])])


def _explain_count(draft: _Draft) -> str:
    """The deck that the symbols give, or that the lexicon makes of too few."""
    if not draft.fills:
        return explain_deck(draft.count)
    missing, k = find_full_deck(draft.count)
    full = show_cards(draft.count + missing, k)
    return f"{draft.count} symbols are few; fill: in the theme adds {missing} words of the lexicon, which gives {full}."


def _draft_from(source: str, name: str, language: str | None) -> _Draft:
    """A theme made of a folder of pictures, of a list, or of words typed between commas."""
    path = find_source(source)
    if path and path.is_dir():
        return _draft_from_folder(path, name, language)
    found = read_list(path, language) if path else split_list(source, language)
    text = write_theme(name, found.languages, found.entries, found.article, found.fill)
    told = len(found.entries), found.remarks, found.languages, bool(found.fill)
    if path and found.has_pictures:  # their paths start from the list's own folder
        return _Draft(text, path.parent, f"{name}.yaml", *told)
    return _Draft(text, Path(name), THEME_FILE, *told)


def _draft_from_folder(folder: Path, name: str, language: str | None) -> _Draft:
    """A theme with one symbol a picture, in the language that most file names are words of."""
    names = [name_file(file) for file in list_pictures(folder)]
    code, guess = (language, ()) if language else guess_words(names, "the file names")
    remarks = (*_name_left_out(folder), *_name_nameless(names, f"{name}.yaml"), *guess)
    return _Draft(theme_from_folder(folder, name, code), folder, f"{name}.yaml", len(names), remarks)


def _name_nameless(names: list[str], file: str) -> tuple[Fault, ...]:
    """Pictures that are called what their camera called them."""
    found = find_nameless(names)
    if not found:
        return ()
    shown = [
        *map(quote, found[:_MOST_NAMED]),
        *([f"{len(found) - _MOST_NAMED} more"] if len(found) > _MOST_NAMED else []),
    ]
    what = f"{list_words(shown, 'and')} {'is a name' if len(found) == 1 else 'are names'} that a camera gave"
    return (Fault(what, f"Give {'it a name' if len(found) == 1 else 'them names'} in {file}."),)


def _name_left_out(folder: Path) -> tuple[Fault, ...]:
    """Which pictures of a folder were no use."""
    left_out = list_left_out(folder)
    if not left_out:
        return ()
    is_phone = any(name.casefold().endswith(PHONE_ENDINGS) for name in left_out)
    hint = f"{INSTALL_HEIC}." if is_phone else "Save them as PNG or JPEG to use them."
    return (Fault(f"left out, since the program cannot read them: {', '.join(left_out)}", hint),)


def write_rules(theme: str | None, languages: tuple[str, ...] | None) -> str:
    """The rules as plain text, with the numbers of a theme's deck; without a theme, of the classic one in English."""
    if theme is None:
        theme, languages = "classic", languages or ("en",)
    for code in languages or ():
        read_rules(code)  # a language without rules is a matter of usage, whatever names the theme has
    found = read_theme(find_theme(theme), Overrides(languages=languages))
    return print_rules_text(found, choose_languages(found.languages), deal_theme(found))


def describe(
    what: str, group: str | None = None, codes: tuple[str, ...] | None = None, deep: bool = False
) -> list[Row]:
    """What there is of a kind, one row each, the name first; words in a group and in some languages, perhaps deep."""
    if what == "words":
        return _words(group, codes or (), deep)
    if group is not None or codes:
        raise UsageError(Fault(f"--{'lang' if group is None else 'group'} goes with words alone", "Leave it out."))
    rows = {"themes": _themes, "papers": _papers, "shapes": _shapes, "languages": _languages}
    return (rows | {"profiles": _profiles, "printers": _printers})[what]()


def print_rows(rows: list[Row], as_json: bool) -> None:
    """Rows as aligned columns, or as JSON."""
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    if not rows and sys.stderr.isatty():  # only printers can be none
        print(NO_PRINTERS, file=sys.stderr)
    widths = {key: max(_measure(row[key]) for row in rows) for key in rows[0]} if rows else {}
    for row in rows:
        cells = (value + " " * (widths[key] - _measure(value)) for key, value in row.items())
        print("  ".join(cells).rstrip())


def _measure(text: str) -> int:
    """How many columns of a terminal a text takes: an emoji takes two, however many characters it is made of."""
    if is_emoji(text):
        return 2
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _themes() -> list[Row]:
    found = {name: examine_theme(path)[0] for name, path in shipped_themes().items()}
    return [{"name": name, "purpose": theme.purpose} for name, theme in found.items()]


def _papers() -> list[Row]:
    return [{"name": paper.name, "size": f"{paper.width_mm:g} × {paper.height_mm:g} mm"} for paper in papers().values()]


def _shapes() -> list[Row]:
    return [{"name": name, "meaning": (make.__doc__ or "").strip()} for name, make in SHAPES.items()]


def _languages() -> list[Row]:
    return [{"code": row.code, "name": row.name, "own name": row.own_name} for row in languages().values()]


def _profiles() -> list[Row]:
    return [{"name": name, "purpose": profile.about} for name, profile in list_profiles().items()]


def _printers() -> list[Row]:
    return [
        {"name": name, "back offset": f"{fix.dx_mm:g},{fix.dy_mm:g} mm", "scale": f"{fix.scale:g}"}
        for name, fix in list_printers().items()
    ]


def _words(group: str | None, codes: tuple[str, ...], deep: bool) -> list[Row]:
    if group is not None and group not in groups():
        known = f"The groups are {', '.join(groups())}."
        raise UsageError(
            Fault(f"--group: there is no group {quote(group)}", f"{suggest(group, groups())} {known}".strip())
        )
    asked = [_find_named_language(code) for code in codes]
    chosen = [word for word in words().values() if group in (None, word.group)]
    return [(_show_deep if deep else _show_flat)(word, asked) for word in chosen]


def _find_named_language(code: str) -> str:
    language = find_language(code)
    if language is None or language.code not in ARTICLES:
        what = f"--lang: the lexicon has no words in {quote(language_name(code))}"
        raise UsageError(Fault(what, f"It has {', '.join(ARTICLES)}."))
    return language.code


def _show_flat(word: Word, codes: list[str]) -> Row:
    """One line without the synonyms: a column a language, or all languages after one another."""
    full = {code: name.full for code, name in word.names.items()}
    names = {code: full[code] for code in codes} if codes else {"names": ", ".join(list(full.values())[1:])}
    return {"emoji": word.emoji, "word": word.key, "group": word.group, **names}


def _show_deep(word: Word, codes: list[str]) -> Row:
    """Everything the lexicon has."""
    names = {code: _show_name(word.names[code]) for code in codes or word.names}
    return {"emoji": word.emoji, "word": word.key, "group": word.group, "variants": word.variants, "names": names}


def _show_name(name: Name) -> Row:
    synonyms = [synonym.full for synonym in name.synonyms]
    return {"name": name.text, "article": name.article, "gender": name.gender, "synonyms": synonyms}
