"""Text as printers set it: curly quotes and apostrophes, and spaces at which no line may end.

Invariant: whatever prints goes through `set_type` once, where its text is found; setting it twice changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from dobble_print.words.languages import find_row
from dobble_print.words.writing import set_apostrophes

TABLE = "typography.yaml"
NO_BREAK = "\u00a0"
_SPACE = f"[ {NO_BREAK}]"
_QUOTED = re.compile(r'(?<![\w"])"([^"\n]*[^\W\d][^"\n]*)"(?!\w)')  # 5' 30" are minutes and seconds
_SIGNS = "×·+=÷:"
_IN_SUM = rf"(?<=\d) (?=[{_SIGNS}]{_SPACE}\d)|(?<=\d{_SPACE}[{_SIGNS}]) (?=\d)"
_COUNTED = r"(?<!\d{4})(?<=\d) (?=[^\W\d])"  # what a number counts; a year counts nothing
_NUMBERED = r"(?<=[^\W\d]) (?=\d+[.,;:!?)](?:\s|$))"  # level 1, order 5


def set_type(text: str, language: str) -> str:
    """Return a text as the printers of its language set it; one that nobody described gets what all have."""
    text = _QUOTED.sub(_find_quotes(language), set_apostrophes(text))
    return _find_ties(language).sub(NO_BREAK, text)


def head_with(head: str, text: str, language: str) -> str:
    """Return a text after a heading and a colon, which some languages keep apart from the word before it."""
    return join_with(":", (head, text), language)


def join_with(sign: str, texts: Iterable[str], language: str) -> str:
    """Return texts with a sign and a space between them; some languages keep the sign apart from the word before it."""
    gap = NO_BREAK if sign in find_row(TABLE, language).get("before", "") else ""
    return f"{gap}{sign} ".join(texts)


@cache
def _find_quotes(language: str) -> str:
    """Return what stands for a quoted text; languages that keep signs apart from words do so inside their quotes."""
    row = find_row(TABLE, language) or find_row(TABLE, "en")
    opening, closing = row["quotes"].split()
    before, after = (
        NO_BREAK if sign in row.get(key, "") else "" for sign, key in ((closing, "before"), (opening, "after"))
    )
    return rf"{opening}{after}\1{before}{closing}"


@cache
def _find_ties(language: str) -> re.Pattern[str]:
    """Return the spaces of a language at which no line may end."""
    row = find_row(TABLE, language)
    before, after, short, numbered = (row.get(key, "").split() for key in ("before", "after", "short", "numbered"))
    ties = [_IN_SUM, _COUNTED, _NUMBERED]
    ties += [rf"(?i:(?<=\b{word})) (?=\d)" for word in numbered]
    ties += [f" (?=[{''.join(before)}])"] if before else []
    ties += [f"(?<=[{''.join(after)}]) "] if after else []
    ties += [rf"(?i:(?<=\b[{''.join(short)}])) (?=\S)"] if short else []
    return re.compile("|".join(ties))
