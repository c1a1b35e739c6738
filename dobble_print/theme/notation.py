"""What is typed is not what is printed: 0.5 is 0,5 in Dutch, 3 × 4 is 3 · 4 in German, and l'ami is l’ami.

Invariant: only signs that stand beside figures or letters change; what is said never does.
"""

from __future__ import annotations

import re
from functools import cache

from dobble_print.resources import read_table

_FILE = "notation.yaml"
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'|'(?=[^\W\d_])")  # 5' 30" are minutes and seconds


@cache
def notations() -> dict[str, dict[str, str]]:
    """The signs by language."""
    return read_table(_FILE)


def write_numbers(text: str, language: str) -> str:
    """A text with its numbers, written as in English, as this language writes them; no language, no change."""
    signs = notations().get(language.split("-")[0])
    if signs is None:
        return text
    text = re.sub(r"(?<=[0-9])\.(?=[0-9])", signs["decimal"], text)
    text = re.sub(r"(?<=[0-9]) ?%", signs["percent"], text)
    for sign in ("times", "divided"):
        english = notations()["en"][sign]
        text = re.sub(rf"(?<=[0-9)])( ?){english}( ?)(?=[0-9(])", rf"\1{signs[sign]}\2", text)
    return text


def set_apostrophes(text: str) -> str:
    """A text with the apostrophes of print: `l'ami` is `l’ami`, `'s avonds` is `’s avonds`."""
    return _APOSTROPHE.sub("’", text)


def print_text(text: str, language: str) -> str:
    """A text as it stands on a card whose numbers are written as in this language, if any."""
    return set_apostrophes(write_numbers(text, language))
