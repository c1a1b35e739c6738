"""The commands that show: list, rules and schema."""

from __future__ import annotations

import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dobble_print.cli.options import Json, Languages, complete_theme, complete_words, flag
from dobble_print.errors import Fault, UsageError
from dobble_print.messages import list_words, quote, show, suggest, write_plain
from dobble_print.options import BuildOptions, read_value, split_languages
from dobble_print.words.lexicon import find_code, groups

if TYPE_CHECKING:
    from dobble_print.words.lexicon import Word

NO_PRINTERS = "None is saved yet. See: dobble-print calibrate --help"
LEAST_COLUMN = 20
Row = dict[str, Any]


LISTABLE = {
    "themes": "the decks that come along",
    "words": "the words that have a picture, in all languages",
    "languages": "the languages of words and rules",
    "papers": "the papers and their sizes",
    "shapes": "the shapes of cards",
    "profiles": "settings for machines, labels and print shops",
    "printers": "the printers whose correction you have kept",
}


def list_things(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHAT]",
            help=f"What to list: {list_words(LISTABLE)}.",
            autocompletion=complete_words(lambda: LISTABLE),
        ),
    ] = None,
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="Only the words that are called so, or nearly: boot.")
    ] = None,
    group: Annotated[
        str | None, flag("--group GROUP", "Only the words of this group, such as animals.", choices=groups)
    ] = None,
    lang: Languages = None,
    pictures: Annotated[bool, flag("--pictures", "Draw the pictures of the words as a PNG.")] = False,
    drawings: Annotated[bool, flag("--drawings", "Only the words that the program's own set draws.")] = False,
    output: Annotated[Path, flag("--output -o FOLDER", "Folder for the pictures.")] = Path("output"),
    as_json: Json = False,
) -> None:
    """List what there is: themes, words, languages, papers and so on.

    Without a word after it, it tells what can be listed.

      dobble-print list themes
      dobble-print list words --group animals --lang nl
      dobble-print list words boot --pictures
    """
    from dobble_print.cache import Cache, use_cache

    use_cache(Cache())
    chosen = what if what in LISTABLE else what and _find_listable(what)
    if chosen != "words":
        spoken = None if chosen == "themes" else lang
        _refuse_for_words(
            {"--group": group, "--lang": spoken, "--pictures": pictures, "--drawings": drawings, "": text}
        )
    codes = split_languages(lang or ())
    words = _choose_words(text, group, codes, drawings) if chosen == "words" else []
    rows = describe(chosen, words, codes, deep=as_json)
    if pictures:
        _draw_words(words, text or group or ("drawings" if drawings else "words"), codes, output)
    if as_json:
        print(write_plain(rows, indent=1))
        return
    if not rows and sys.stderr.isatty():  # only printers can be none
        print(NO_PRINTERS, file=sys.stderr)
    print_table(rows, shutil.get_terminal_size().columns if sys.stdout.isatty() else None)
    if what is None and sys.stderr.isatty():
        print("Type, for example: dobble-print list themes", file=sys.stderr)


def _find_listable(what: str) -> str:
    """Return what is meant by a text that is no name as it stands; the kinds of values take long to load."""
    from dobble_print.theme.kinds import Choice

    return str(read_value("list", Choice(tuple(LISTABLE)), what))


def print_table(rows: Sequence[Row], width: int | None) -> None:
    """Print a line a row; for a terminal of some width with a heading, and with the last column wrapped."""
    if width and rows:
        rows = [{key: key.capitalize() for key in rows[0]}, *rows]
    widths = [max(_measure(row[key]) for row in rows) + 2 for key in list(rows[0])[:-1]] if rows else []
    start = sum(widths)
    for row in rows:
        *cells, last = map(show, row.values())
        before = "".join(cell + " " * (taken - _measure(cell)) for cell, taken in zip(cells, widths, strict=True))
        lines = [last]
        if width:
            lines = textwrap.wrap(last, max(width - start, LEAST_COLUMN), break_on_hyphens=False)
        print((before + ("\n" + " " * start).join(lines)).rstrip())


def rules(
    theme: Annotated[
        str | None,
        typer.Argument(metavar="[THEME]", help="A theme, for the numbers of its deck.", autocompletion=complete_theme),
    ] = None,
    lang: Languages = None,
) -> None:
    """Show the rules of the games in the terminal.

    With a theme, they name the numbers of its deck and speak its languages.

      dobble-print rules --lang nl
      dobble-print rules zoo.yaml
    """
    from dobble_print.dealing import deal_theme
    from dobble_print.rules.rulebook import print_rules_text
    from dobble_print.rules.texts import choose_languages, read_rules
    from dobble_print.theme.reader import find_theme, read_theme

    languages = split_languages(lang or ())
    if theme is None:
        theme, languages = "classic", languages or ("en",)
    for code in languages:
        read_rules(code)  # a language without rules is a matter of usage, whatever names the theme has
    found = read_theme(find_theme(theme), BuildOptions(languages=languages).theme_values())
    print(print_rules_text(found, choose_languages(found.languages), deal_theme(found)), end="")


def schema() -> None:
    """Print the JSON Schema of theme files, for editors that check them.

    The command new puts it beside each theme.

      dobble-print schema > theme.schema.json
    """
    from dobble_print.theme.json_schema import write_schema

    print(write_schema(), end="")


def _refuse_for_words(given: Mapping[str, Any]) -> None:
    """Refuse what only words can be asked for."""
    for name, value in given.items():
        if value:
            only = "words and themes" if name == "--lang" else "words"
            what = f"{name} goes with {only} alone" if name else f"only words can be looked up, not {quote(value)}"
            raise UsageError(Fault(what, "Leave it out."))


def _draw_words(words: Sequence[Word], title: str, codes: Sequence[str], folder: Path) -> None:
    """Write the sheet with the pictures of some words, and say where it is."""
    from dobble_print.files import deliver
    from dobble_print.press.contact_sheets import draw_word_sheet
    from dobble_print.theme.values import make_slug

    language = codes[0] if codes else "en"
    name = f"words-{make_slug(title) or 'chosen'}.png"
    (path,) = deliver(folder, {name: draw_word_sheet(title, words, language)})
    print(show(str(path)), file=sys.stderr)


def describe(what: str | None, words: Sequence[Word] = (), codes: Sequence[str] = (), deep: bool = False) -> list[Row]:
    """Return what there is of a kind, a row each, the name first; words in some languages, perhaps deep."""
    if what == "words":
        return [(_show_deep if deep else _show_flat)(word, [find_code(code) for code in codes]) for word in words]
    from dobble_print.press.printers import list_printers
    from dobble_print.resources import shipped_themes
    from dobble_print.theme.profiles import list_profiles
    from dobble_print.theme.reader import examine_theme
    from dobble_print.units import SHAPES, papers
    from dobble_print.words.languages import languages

    match what:
        case None:
            return [{"name": name, "meaning": meaning} for name, meaning in LISTABLE.items()]
        case "themes":
            language = codes[0] if codes else "en"
            themes = {name: examine_theme(path)[0] for name, path in shipped_themes().items()}
            return [{"name": name, "purpose": theme.purpose_in(language)} for name, theme in themes.items()]
        case "papers":
            known = papers().values()
            return [{"name": paper.name, "size": f"{paper.width_mm:g} × {paper.height_mm:g} mm"} for paper in known]
        case "shapes":
            return [{"name": name, "meaning": (make.__doc__ or "").strip()} for name, make in SHAPES.items()]
        case "languages":
            return [{"code": row.code, "name": row.name, "own name": row.own_name} for row in languages().values()]
        case "profiles":
            return [{"name": name, "purpose": profile.about} for name, profile in list_profiles().items()]
    return [
        {"name": name, "back offset": f"{fix.dx_mm:g},{fix.dy_mm:g} mm", "scale": f"{fix.scale:g}"}
        for name, fix in list_printers().items()
    ]


def _measure(text: str) -> int:
    """How many columns of a terminal a text takes: an emoji takes two, however many characters it is made of."""
    from dobble_print.words.writing import is_emoji

    if text.isascii():
        return len(text)
    return 2 if is_emoji(text) else sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _choose_words(text: str | None, group: str | None, codes: Sequence[str], drawings: bool) -> list[Word]:
    """Return the words asked for: those called so first, then those whose name holds the text."""
    from dobble_print.words.languages import find_language, language_name
    from dobble_print.words.lexicon import ARTICLES, find_named, fold, words

    if group is not None and group not in groups():
        known = f"The groups are {', '.join(groups())}."
        raise UsageError(
            Fault(f"--group: there is no group {quote(group)}", f"{suggest(group, groups())} {known}".strip())
        )
    for code in codes:
        language = find_language(code)
        if language is None or not find_code(language.code):
            what = f"--lang: the lexicon has no words in {quote(language_name(code))}"
            raise UsageError(Fault(what, f"It has {', '.join(ARTICLES)}."))
    chosen = [word for word in words().values() if group in (None, word.group) and (word.drawing or not drawings)]
    if text is None:
        return chosen
    spoken = [*codes, "en"] if codes else list(ARTICLES)
    named = {word.key: word for code in spoken for word in find_named(text, code)}
    holding = [w for w in chosen if any(fold(text) in fold(n.text) for code in spoken for n in w.names[code].printed)]
    found = list(dict.fromkeys((*named, *(word.key for word in holding))))
    if not found:
        raise UsageError(Fault(f"no word is called {quote(text)}", "`dobble-print list words` shows them all."))
    return [words()[key] for key in found if words()[key] in chosen]


def _show_flat(word: Word, codes: list[str]) -> Row:
    """One line without the synonyms: a column a language, or all languages after one another."""
    full = {code: word.names.show_first(code) for code in codes or _list_languages()[1:]}
    names = full if codes else {"names": ", ".join(full.values())}
    return {"emoji": word.emoji, "word": word.key, "group": word.group, **names}


def _show_deep(word: Word, codes: list[str]) -> Row:
    """Everything the lexicon has."""
    names = {
        code: {
            "name": name.text,
            "article": name.article,
            "gender": name.gender,
            "synonyms": [synonym.full for synonym in name.synonyms],
            "understood": [synonym.full for synonym in name.understood],
        }
        for code, name in ((code, word.names[code]) for code in codes or _list_languages())
    }
    picture = {"emoji": word.emoji, "drawing": word.drawing, "variants": word.variants}
    return {"word": word.key, "group": word.group, **picture, "names": names}


def _list_languages() -> list[str]:
    from dobble_print.words.lexicon import ARTICLES

    return list(ARTICLES)
