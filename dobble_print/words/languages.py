"""The languages the program knows, from `templates/`.

Invariant: a language exists when it has a row there; code holds no second list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from dobble_print.resources import read_table

# A language, perhaps a script, perhaps a region: nl, pt-BR, zh-Hant, zh-Hant-TW, es-419.
LANGUAGE_TAG = re.compile(r"([a-z]{2,3})(?:-([A-Z][a-z]{3}))?(?:-([A-Z]{2}|[0-9]{3}))?")
# The same tail as people write it, in any case.
LANGUAGE_TAIL = "([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?"


@dataclass(frozen=True)
class Language:
    """A language by its code, its English name and its own name."""

    code: str
    name: str
    own_name: str


@cache
def languages() -> dict[str, Language]:
    """Return every language by code, in the order they are printed."""
    return {code: Language(code, row["name"], row["own"]) for code, row in read_table("languages.yaml").items()}


def find_language(code: str) -> Language | None:
    """Return the language of a code in any case and with `-` or `_`; a region or script stays: `pt_br` is `pt-BR`."""
    base, *rest = code.strip().replace("_", "-").split("-")
    parts = [part.title() if len(part) == 4 else part.upper() for part in rest]
    tag = "-".join([base.lower(), *parts])
    known = languages().get(base.lower())
    if known is None or not LANGUAGE_TAG.fullmatch(tag):
        return None
    return Language(tag, f"{known.name} ({', '.join(parts)})", known.own_name) if parts else known


@cache
def language_aliases() -> dict[str, str]:
    """Return the codes of languages by their names in lower case: in English, in their own and a few others."""
    others = read_table("starter-columns.yaml")["language"]
    known = {name: code for code, names in others.items() for name in names.split(", ")}
    own = {name.casefold(): code for code, row in languages().items() for name in (row.name, row.own_name)}
    return known | own


FALLS_BACK = "falls_back_to"


def find_row(table: str, language: str) -> dict[str, str]:
    """Return a language's row of a table of `templates/`: what it lacks comes from the language it falls back to.

    A region falls back to its language; where neither has a row, there is none.
    """
    rows = read_table(table)
    row = rows.get(language)
    base = (row or {}).get(FALLS_BACK) or language.split("-")[0]
    if base == language:
        return row or {}
    return {key: cell for key, cell in (find_row(table, base) | (row or {})).items() if key != FALLS_BACK}


def language_name(code: str) -> str:
    """Return the English name of a language, or the code itself."""
    language = find_language(code)
    return language.name if language else code


def order_of_language(code: str) -> tuple[int, str]:
    """Sort key: the order of the table, regions after their language."""
    order = list(languages())
    base = code.split("-")[0]
    return (order.index(base) if base in order else len(order), code)
