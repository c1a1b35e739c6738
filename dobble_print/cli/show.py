"""The commands that show: list, rules and schema."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dobble_print.cli.options import Json, Languages, complete_group, complete_theme
from dobble_print.errors import Fault, UsageError
from dobble_print.messages import quote, suggest
from dobble_print.options import BuildOptions, split_languages

if TYPE_CHECKING:
    from dobble_print.words.lexicon import Word

NO_PRINTERS = "None is saved yet. See: dobble-print calibrate --help"
Row = dict[str, Any]


Listable = StrEnum("Listable", ["themes", "papers", "shapes", "languages", "words", "profiles", "printers"])


def list_things(
    what: Annotated[Listable, typer.Argument(help="What to list.")],
    group: Annotated[
        str | None,
        typer.Option("--group", help="Only the words of this group, such as animals.", autocompletion=complete_group),
    ] = None,
    lang: Languages = None,
    as_json: Json = False,
) -> None:
    """List the shipped themes, or the papers, shapes, languages, words and profiles a theme can ask for."""
    rows = describe(what.value, group, split_languages(lang or ()), deep=as_json)
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    if not rows and sys.stderr.isatty():  # only printers can be none
        print(NO_PRINTERS, file=sys.stderr)
    widths = {key: max(_measure(row[key]) for row in rows) for key in rows[0]} if rows else {}
    for row in rows:
        cells = (value + " " * (widths[key] - _measure(value)) for key, value in row.items())
        print("  ".join(cells).rstrip())


def rules(
    theme: Annotated[
        str | None, typer.Argument(help="A theme, for the numbers of its deck.", autocompletion=complete_theme)
    ] = None,
    lang: Languages = None,
) -> None:
    """Print the rules of the games in the terminal."""
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
    """Print the JSON Schema of theme files, for editors that complete and check them."""
    from dobble_print.theme.json_schema import write_schema

    print(write_schema(), end="")


def describe(what: str, group: str | None = None, codes: Sequence[str] = (), deep: bool = False) -> list[Row]:
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
    from dobble_print.words.lexicon import ARTICLES, groups, words

    if group is not None and group not in groups():
        known = f"The groups are {', '.join(groups())}."
        raise UsageError(
            Fault(f"--group: there is no group {quote(group)}", f"{suggest(group, groups())} {known}".strip())
        )
    asked = []
    for code in codes:
        language = find_language(code)
        if language is None or language.code not in ARTICLES:
            what = f"--lang: the lexicon has no words in {quote(language_name(code))}"
            raise UsageError(Fault(what, f"It has {', '.join(ARTICLES)}."))
        asked.append(language.code)
    chosen = [word for word in words().values() if group in (None, word.group)]
    return [(_show_deep if deep else _show_flat)(word, asked) for word in chosen]


def _show_flat(word: Word, codes: list[str]) -> Row:
    """One line without the synonyms: a column a language, or all languages after one another."""
    full = {code: name.full for code, name in word.names.items()}
    names = {code: full[code] for code in codes} if codes else {"names": ", ".join(list(full.values())[1:])}
    return {"emoji": word.emoji, "word": word.key, "group": word.group, **names}


def _show_deep(word: Word, codes: list[str]) -> Row:
    """Everything the lexicon has."""
    names = {
        code: {
            "name": name.text,
            "article": name.article,
            "gender": name.gender,
            "synonyms": [synonym.full for synonym in name.synonyms],
        }
        for code, name in ((code, word.names[code]) for code in codes or word.names)
    }
    return {"emoji": word.emoji, "word": word.key, "group": word.group, "variants": word.variants, "names": names}
