"""Line breaks: where a text may be broken, and the ways to break it into a few lines.

A text breaks at spaces and after its own hyphens; a word of more than 14 letters also at a soft hyphen or at a hint,
`Donau|dampf|schiff`. A sum breaks only before its `=`, a mixed number and a number with its unit never.

Invariant: the one line of the whole text is always among the ways; no way leaves a word of up to three letters alone
on its last line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

from dobble_print.art.text_pieces import is_fraction

LONG_WORD = 14  # letters that stay together even where a hint would let them go
LONELY = 3  # so few letters do not stand alone on the last line
SOFT_HYPHEN = "\u00ad"

_ARTICLES = re.compile(
    "der|die|das|den|dem|ein|eine|de|het|een|'t|le|la|les|un|une|des|du|el|los|las|una|il|lo|gli|i|o|a|os|as|um|uma"
    "|the|an|of|to",
    re.IGNORECASE,
)
_HINT = re.compile(rf"(?<=[^\W\d_]{{2}})[{SOFT_HYPHEN}|](?=[^\W\d_]{{2}})")
_SIGN = re.compile(r"[+\-−×÷·*:<>≤≥≈≠±/%€°=]+|[xX]")
_PUNCTUATION = re.compile(r"[!?:;.,»”’)\]…]+")


@dataclass(frozen=True)
class Part:
    """A stretch of text that stays on one line; `link` joins it to the next one, `tail` ends it at a break."""

    text: str
    link: str = " "
    tail: str = ""


def list_ways(text: str, most_lines: int, longest: int = 0, lonely: int = LONELY) -> Iterator[list[str]]:
    """The ways to set a text in lines, the one line first; a text of up to `longest` characters stays whole."""
    if "\n" in text:
        yield [remove_hints(" ".join(line.split())) for line in text.splitlines() if line.strip()]
        return
    parts = find_parts(text, longest)
    for breaks in range(min(most_lines, len(parts))):
        for cuts in combinations(range(1, len(parts)), breaks):
            lines = [_join(parts[a:b]) for a, b in pairwise((0, *cuts, len(parts)))]
            if not breaks or not _is_lonely(lines[-1], lonely):
                yield lines


def find_parts(text: str, longest: int = 0) -> list[Part]:
    """The stretches of a text that stay together."""
    words = re.split(r"[ \t]+", text.strip())
    if len(remove_hints(text)) <= longest:
        return [Part(remove_hints(" ".join(words)))]
    glued: list[str] = [words[0]]
    for before, word in pairwise(words):
        if _belong_together(before, word, len(words)):
            glued[-1] += f" {word}"
        else:
            glued.append(word)
    return [part for stretch in glued for part in _split_word(stretch)]


def remove_hints(text: str) -> str:
    """The text without soft hyphens and break hints."""
    return _HINT.sub("", text).replace(SOFT_HYPHEN, "")


def _belong_together(before: str, word: str, count: int) -> bool:
    if word == "=" or _PUNCTUATION.fullmatch(word):
        return word != "="
    if _SIGN.fullmatch(before) or _SIGN.fullmatch(word):
        return True
    if before[-1:].isdigit():
        return is_fraction(word) or len(word) <= LONELY
    return count > 2 and bool(_ARTICLES.fullmatch(before))


def _split_word(word: str) -> list[Part]:
    """A word cut after its hyphens and, when it is long, at its hints."""
    whole = remove_hints(word)
    hints = _HINT.split(word) if _count_letters(whole) > LONG_WORD else [whole]
    parts: list[Part] = []
    for hinted in hints:
        pieces = re.split(r"(?<=[^\W\d_]{2}[-‐])(?=[^\W\d_]{2})", hinted)
        parts += [Part(remove_hints(piece), link="") for piece in pieces[:-1]]
        parts.append(Part(remove_hints(pieces[-1]), link="", tail="-"))
    return [*parts[:-1], Part(parts[-1].text)]


def _join(parts: list[Part]) -> str:
    return "".join(part.text + part.link for part in parts[:-1]) + parts[-1].text + parts[-1].tail


def _count_letters(line: str) -> int:
    return sum(char.isalpha() for char in line)


def _is_lonely(line: str, lonely: int) -> bool:
    """Whether a line is a word so short that it looks lost; a number is not."""
    return 0 < _count_letters(line) <= lonely and not any(char.isdigit() for char in line)
