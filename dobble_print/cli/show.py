"""The commands that show: list, rules and schema."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dobble_print.cli.options import Json, Languages, complete_theme, complete_words, flag
from dobble_print.errors import Fault, UsageError
from dobble_print.messages import list_words, quote, suggest
from dobble_print.options import BuildOptions, read_value, split_languages
from dobble_print.words.lexicon import groups

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
    group: Annotated[
        str | None, flag("--group GROUP", "Only the words of this group, such as animals.", choices=groups)
    ] = None,
    lang: Languages = None,
    as_json: Json = False,
) -> None:
    """List what there is: themes, words, languages, papers and so on.

    Without a word after it, it tells what can be listed.

      dobble-print list themes
      dobble-print list words --group animals --lang nl
    """
    from dobble_print.theme.kinds import Choice

    chosen = what and read_value("list", Choice(tuple(LISTABLE)), what)
    rows = describe(chosen, group, split_languages(lang or ()), deep=as_json)
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    if not rows and sys.stderr.isatty():  # only printers can be none
        print(NO_PRINTERS, file=sys.stderr)
    print_table(rows, shutil.get_terminal_size().columns if sys.stdout.isatty() else None)
    if what is None and sys.stderr.isatty():
        print("Type, for example: dobble-print list themes", file=sys.stderr)


def print_table(rows: Sequence[Row], width: int | None) -> None:
    """Print a line a row; for a terminal of some width with a heading, and with the last column wrapped."""
    if width and rows:
        rows = [{key: key.capitalize() for key in rows[0]}, *rows]
    widths = [max(_measure(row[key]) for row in rows) + 2 for key in list(rows[0])[:-1]] if rows else []
    start = sum(widths)
    for row in rows:
        *cells, last = row.values()
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


def describe(what: str | None, group: str | None = None, codes: Sequence[str] = (), deep: bool = False) -> list[Row]:
    """Return what there is of a kind, a row each, the name first; words in a group and some languages, perhaps deep."""
    if what == "words":
        return _describe_words(group, codes, deep)
    if group is not None or codes:
        raise UsageError(Fault(f"--{'lang' if group is None else 'group'} goes with words alone", "Leave it out."))
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
            return [
                {"name": name, "purpose": examine_theme(path)[0].purpose} for name, path in shipped_themes().items()
            ]
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

    return 2 if is_emoji(text) else sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _describe_words(group: str | None, codes: Sequence[str], deep: bool) -> list[Row]:
    from dobble_print.words.languages import find_language, language_name
    from dobble_print.words.lexicon import ARTICLES, find_code, words

    if group is not None and group not in groups():
        known = f"The groups are {', '.join(groups())}."
        raise UsageError(
            Fault(f"--group: there is no group {quote(group)}", f"{suggest(group, groups())} {known}".strip())
        )
    asked = []
    for code in codes:
        language = find_language(code)
        if language is None or not find_code(language.code):
            what = f"--lang: the lexicon has no words in {quote(language_name(code))}"
            raise UsageError(Fault(what, f"It has {', '.join(ARTICLES)}."))
        asked.append(find_code(language.code))
    chosen = [word for word in words().values() if group in (None, word.group)]
    return [(_show_deep if deep else _show_flat)(word, asked) for word in chosen]


def _show_flat(word: Word, codes: list[str]) -> Row:
    """One line without the synonyms: a column a language, or all languages after one another."""
    full = {code: word.names[code].full for code in codes or _list_languages()[1:]}
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
