"""How faults speak: quoting what a person wrote, listing choices, and "did you mean".

Invariant: whatever a file or a command line contains, what comes out here is one short, printable line.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST_QUOTE = 40


def clip(text: str) -> str:
    """The text on one line, shortened, without anything a terminal would act on; joined emoji stay joined."""
    line = " ".join(text.split())
    shown = "".join(c if c.isprintable() or c == "\u200d" else "�" for c in line)
    return f"{shown[: LONGEST_QUOTE - 1]}…" if len(shown) > LONGEST_QUOTE else shown


def quote(text: str) -> str:
    """The same in quotes."""
    return f'"{clip(text)}"'


def list_words(words: Iterable[str], joint: str = "or") -> str:
    """`a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} {joint} {last}" if most else last


def find_closest(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant, or nothing; a different case counts as very close."""
    return next(iter(find_near(word, known, most=1)), "")


def find_near(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known words nearest to this one, the nearest first."""
    if len(word) > LONGEST_QUOTE:  # nobody mistypes that long a word, and comparing takes its square
        return []
    by_folded = {k.casefold(): k for k in known}
    return [by_folded[near] for near in difflib.get_close_matches(word.casefold(), by_folded, n=most, cutoff=0.7)]


def suggest(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """`Did you mean "round"?`, or the other hint when nothing known comes close."""
    closest = find_closest(word, known)
    return f'Did you mean "{closest}"?' if closest else otherwise
