"""Numbers and sums as a language writes them: 0.5 is 0,5 in Dutch, 3 × 4 is 3 · 4 in German, from `templates/`.

Invariant: only signs that stand beside figures change; the value of what is printed never does.
"""

from __future__ import annotations

import re
from functools import cache

from dobble_print.theme.source import read_table

_FILE = "notation.yaml"


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
