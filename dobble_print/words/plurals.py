"""Numbers with their nouns: a text gives the forms of a noun, and the number chooses, as its language does.

`{cards: card | cards}` is "1 card" or "55 cards"; in Polish `{cards: karta | karty | kart}`. The forms stand in the
order of `templates/plurals.yaml`. Where one of them holds `#`, the number stands there and nowhere else:
`{starts: the start card | the # start cards}`. Forms may hold other places: `{count: # {color} card | …}`. A form for
number alone begins with it: `{teams: =2 the other team | every other team}`; then, too, numbers stand only at `#`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from gettext import c2py

from dobble_print.words.languages import find_row

TABLE = "plurals.yaml"
NUMBER = "#"
BETWEEN = "|"
FALLBACK = "en"
_COUNTED = 200  # numbers that games count to; a category that none of them has needs no form
_PLACE = re.compile(r"{(\w+)(?::((?:[^{}]|{\w+})*))?}")
_EXACT = re.compile(r"=(\d+)\s*")


def fill_in(text: str, language: str, values: Mapping[str, object]) -> str:
    """Return a text with its places filled in, each noun in the form that its number asks for."""

    def write(place: re.Match[str]) -> str:
        name, forms = place.groups()
        value = values[name]
        if forms is None or not isinstance(value, int):
            return str(value)
        return fill_in(choose_form(value, forms, language), language, values)

    return _PLACE.sub(write, text)


def list_places(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the name of each place of a text, and its forms where it has some; those inside forms as well."""
    for name, forms in _PLACE.findall(text):
        yield name, split_forms(forms) if forms else ()
        yield from list_places(forms)


def split_forms(forms: str) -> tuple[str, ...]:
    """Return the forms that are written in a row, but for those of one number alone."""
    return tuple(form for form in map(str.strip, forms.split(BETWEEN)) if not _EXACT.match(form))


def _find_exact(forms: str) -> dict[int, str]:
    """Return the forms that are for one number alone, by that number."""
    found = ((_EXACT.match(form), form) for form in map(str.strip, forms.split(BETWEEN)))
    return {int(match[1]): form[match.end() :] for match, form in found if match}


def choose_form(number: int, forms: str, language: str) -> str:
    """Return the form for a number, with the number; a single form is the same for all numbers."""
    form, says_where = pick_form(number, forms, language), NUMBER in forms or _find_exact(forms)
    return (form if says_where else f"{NUMBER} {form}").replace(NUMBER, str(number))


def pick_form(number: int, forms: str, language: str) -> str:
    """Return the form for a number alone, such as that of an adjective whose noun has the number already."""
    exact = _find_exact(forms)
    if number in exact:
        return exact[number]
    given, wanted = split_forms(forms), list_categories(language)
    category = find_category(number, language)
    return given[min(wanted.index(category) if category in wanted else len(given), len(given) - 1)]


@cache
def list_categories(language: str) -> tuple[str, ...]:
    """Return the categories that a text needs a form for, in the order of its forms."""
    used = {find_category(number, language) for number in range(_COUNTED)}
    return tuple(category for category in _read_conditions(language) if category in used)


def find_category(number: int, language: str) -> str:
    """Return the plural category of a whole number."""
    conditions = _read_conditions(language).items()
    return next(category for category, holds in conditions if holds is None or holds(number))


@cache
def _read_conditions(language: str) -> dict[str, Callable[[int], int] | None]:
    """Return the conditions of a language by category; the last one has none."""
    row = find_row(TABLE, language) or find_row(TABLE, FALLBACK)
    return {category: c2py(condition) if condition else None for category, condition in row.items()}
