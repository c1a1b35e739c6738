"""Wording of faults: quoting what a person wrote, listing choices, and "did you mean".

Invariant: whatever a file or a command line contains, what comes out here is one short, printable line.
"""

from __future__ import annotations

import difflib
import json
import re
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any

LONGEST_QUOTE = 40
CURLY_QUOTES = "stands in the curly quotes of a word processor"
STRAIGHT_QUOTES = "Use straight quotes: \" or '."
# Around a whole text, or before one that a comma has cut short; in it, they are the author's own. ’t is Dutch.
_CURLY = re.compile(r"[“”„«»][^“”„«»]*[“”«»]|[‘’‚][^‘’‚]*[‘’]|[“”„«»][^“”„«»]*")
_SHORTEST_PART = 3
_LONGEST_ENDING = 2


def show(text: str) -> str:
    """Return the text on one line, with a sign for all that a terminal acts on or nobody sees, save joined emoji."""
    return "".join(c if _is_harmless(c) else "�" for c in text)


def _is_harmless(char: str) -> bool:
    return char.isprintable() or char == "\u200d" or unicodedata.category(char) == "Zs"


def write_plain(content: Any, indent: int | None = None) -> str:
    """Return plain data as JSON, with what a terminal acts on or nobody sees written as numbers."""
    text = json.dumps(content, ensure_ascii=False, indent=indent)
    return "".join(c if c == "\n" or _is_harmless(c) else json.dumps(c)[1:-1] for c in text)


def clip(text: str) -> str:
    """Return the same, shortened, its spaces made plain."""
    shown = show(" ".join(text.split()))
    return f"{shown[: LONGEST_QUOTE - 1]}…" if len(shown) > LONGEST_QUOTE else shown


def quote(text: str) -> str:
    """Return the same in quotes."""
    return f'"{clip(text)}"'


def has_curly_quotes(text: str) -> bool:
    """Return whether a text stands in quotes that YAML takes for letters."""
    return bool(_CURLY.fullmatch(text))


def begins_curly(text: str) -> bool:
    """Return whether a text opens a quote that YAML takes for a letter."""
    return text.startswith(("“", "”", "„", "«", "»", "‘", "‚"))


def hint_space(key: str, value: str) -> str:
    """Return what to do about `title:Zoo`."""
    return f"Put a space after the colon: {clip(f'{key}: {value}')}."


def point_at(name: str, line: int, here: int) -> str:
    """Name another symbol by its line, or by its name where it stands on this very line."""
    return f"{quote(name)} earlier on this line" if line == here and name else f"the one on line {line}"


def name_one(name: str) -> str:
    """Return a language's name with its article: `a Dutch`, `an Arabic`, `a Ukrainian`."""
    return f"{'an' if name.startswith(tuple('AEIO')) else 'a'} {name}"


def list_words(words: Iterable[str], joint: str = "or") -> str:
    """Return `a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} {joint} {last}" if most else last


def find_closest(word: str, known: Iterable[str]) -> str:
    """Return the known word that was probably meant, or nothing; a different case counts as very close."""
    return next(iter(find_near(word, known, most=1)), "")


def find_near(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the known words nearest to this one, the nearest first; letters in another order count as very near."""
    if len(word) > LONGEST_QUOTE:  # nobody mistypes that long a word, and comparing takes its square
        return []
    by_folded = {k.casefold(): k for k in known}
    letters = sorted(word.casefold())
    swapped = [
        each for each in by_folded if len(each) == len(letters) and each[:1] in letters and sorted(each) == letters
    ]
    close = difflib.get_close_matches(word.casefold(), by_folded, n=most, cutoff=0.7)
    return [by_folded[near] for near in dict.fromkeys([*swapped, *close])][:most]


def suggest_related(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the known words that look like this one, hold it (voetbal, bal) or share its stem (druiven, druif)."""
    names, wanted = {name.casefold(): name for name in known}, word.casefold()
    near = {name.casefold() for name in find_near(word, names.values(), most)}
    kin = {name: _rate_relation(wanted, name, name in near) for name in names}
    best = sorted((name for name in names if kin[name]), key=lambda name: (-kin[name], len(name), name))
    return [names[name] for name in best[:most]]


def _rate_relation(wanted: str, name: str, is_near: bool) -> float:
    """Return how likely a name was meant by another text, from 0 to 1."""
    if is_near and (name[:1] == wanted[:1] or len(name) == len(wanted)):
        return difflib.SequenceMatcher(None, name, wanted).ratio()
    if not _SHORTEST_PART <= len(wanted) <= LONGEST_QUOTE:
        return 0
    if wanted in name:
        return 0.8 if wanted in name.split() or name.endswith(wanted) else 0.78 if name.startswith(wanted) else 0.7
    if wanted.startswith(name) and len(name) >= _SHORTEST_PART:
        return 0.7
    stem = wanted[:-1] if len(wanted) > _SHORTEST_PART else ""
    return 0.7 if stem and name.startswith(stem) and abs(len(name) - len(wanted)) <= _LONGEST_ENDING else 0


def is_slip(word: str, meant: str) -> bool:
    """Return whether one letter more, less or other, or two that changed places, make one word of the other."""
    shorter = min(len(word), len(meant))
    begin = next((i for i in range(shorter) if word[i] != meant[i]), shorter)
    end = next((i for i in range(shorter - begin) if word[-1 - i] != meant[-1 - i]), shorter - begin)
    one, other = word[begin : len(word) - end], meant[begin : len(meant) - end]
    return max(len(one), len(other)) <= 1 or (len(one) == 2 and one == other[::-1])


def suggest(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return `Did you mean "round"?`, or the other hint when nothing known comes close."""
    closest = find_closest(word, known)
    return f'Did you mean "{show(closest)}"?' if closest else otherwise


def write_install(package: str) -> str:
    """Return the command that installs a package for the Python at work, as it can be typed in this folder."""
    python = Path(sys.executable)
    shown = str(python.relative_to(Path.cwd()) if python.is_relative_to(Path.cwd()) else python)
    if " " in shown:
        shown = f'"{shown}"'
    return f'{shown} -m pip install "{package}"'
