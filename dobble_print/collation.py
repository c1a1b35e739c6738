"""Alphabetical order by each language's own rules, from the table `templates/collation.yaml`.

Invariant: case, accents and punctuation decide only between names that are otherwise equal, except where a language
counts an accented letter as a letter of its own.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from dobble_print.resources import read_table

# Letters that Unicode does not take apart, and what they sort as where no language claims them.
SPELLED_OUT = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ß": "ss"}
LONGEST_LETTER = 3

Rank = tuple[str, int]
SortKey = tuple[tuple[Rank, ...], str, str]


def collate(name: str, language: str) -> SortKey:
    """A key that sorts a name where a dictionary of that language has it."""
    own = _own_letters(language.split("-")[0])
    folded = unicodedata.normalize("NFC", _lower(name, language))
    ranks: list[Rank] = []
    while folded:
        letter = next((folded[:n] for n in range(LONGEST_LETTER, 0, -1) if folded[:n] in own), "")
        ranks += [own[letter]] if letter else [(char, 0) for char in _plain(folded[0])]
        folded = folded[len(letter) or 1 :]
    return tuple(ranks), name.casefold(), name


def _lower(name: str, language: str) -> str:
    """Small letters; in Turkish the small letter of I has no dot."""
    return (name.replace("I", "ı").replace("İ", "i") if language.startswith("tr") else name).lower()


def _plain(char: str) -> str:
    """A character without its accents, or nothing when it is neither letter nor digit nor space."""
    spelled = SPELLED_OUT.get(char, char)
    kept = [c for c in unicodedata.normalize("NFKD", spelled) if c.isalnum() or c.isspace()]
    return "".join(kept)


@cache
def _own_letters(language: str) -> dict[str, Rank]:
    """The letters that a language sorts after another one: where they go, and in what order."""
    groups = read_table("collation.yaml").get(language, {}).get("after", "")
    ranks: dict[str, Rank] = {}
    for group in filter(None, groups.split(",")):
        base, *letters = group.split()
        ranks |= {letter: (base, i) for i, letter in enumerate(letters, start=1)}
    return ranks
