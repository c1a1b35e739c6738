"""The page's texts and the studio's faults: one file a language under `templates/studio/`, in whole sentences.

Invariant: what a language lacks is English; which languages there are is decided by the files alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, reduce
from typing import Any

from dobble_print.resources import find_template, read_yaml
from dobble_print.words.plurals import fill_in, list_categories

FOLDER, FAULTS = "studio", "studio/faults"
FALLBACK = "en"
_MOST_ASKED = 400  # letters of an Accept-Language header that are read


def studio_languages() -> tuple[str, ...]:
    """Return the languages that the page speaks."""
    folders = (find_template(FOLDER), find_template(FAULTS))
    return tuple(sorted({path.stem for folder in folders for path in folder.glob("*.yaml")}))


def choose_language(asked: str) -> str:
    """Return the language of the page for an Accept-Language header: the first that it speaks, whatever the region."""
    known = studio_languages()
    wanted: list[tuple[float, str]] = []
    for part in asked[:_MOST_ASKED].split(","):
        code, _, weight = part.strip().partition(";")
        number = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", weight)
        wanted.append((-float(number[1]) if number else -1.0, code.strip().lower()))
    for _, code in sorted(wanted, key=lambda each: each[0]):
        if code.split("-")[0] in known:
            return code.split("-")[0]
    return FALLBACK


@cache
def read_texts(language: str) -> dict[str, Any]:
    """Return all texts in a language, those it lacks in English."""
    own = _read_files(language)
    return own if language == FALLBACK else _merge(read_texts(FALLBACK), own)


def _read_files(language: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for folder in (FOLDER, FAULTS):
        if (find_template(folder) / f"{language}.yaml").is_file():
            found = _merge(found, read_yaml(f"{folder}/{language}.yaml") or {})
    return found


def _merge(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    both = {
        key: _merge(base[key], own[key])
        for key in base
        if isinstance(base[key], Mapping) and isinstance(own.get(key), Mapping)
    }
    return {**base, **own, **both}


def describe_texts(language: str) -> dict[str, Any]:
    """Return what the page needs to speak a language: its texts, and the order of its plural forms."""
    return {
        "language": language,
        "languages": list(studio_languages()),
        "plurals": list(list_categories(language)),
        "texts": read_texts(language),
    }


def say(asked: str, path: str, **values: Any) -> str:
    """Return the text at a path in the language asked for, filled in; nothing where there is none."""
    language = choose_language(asked)
    try:
        text = reduce(lambda node, key: node[key], path.split("."), read_texts(language))
    except (KeyError, TypeError):
        return ""
    return fill_in(text, language, values) if isinstance(text, str) else ""
