"""Parse and break text: words, fractions, raised and lowered digits, and where lines may end.

Invariant: the program itself breaks no fraction, and no word without a hyphen or a hint.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

MINUS = "−"
RAISED = {char: unicodedata.normalize("NFKC", char) for char in "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ"}
LOWERED = {char: unicodedata.normalize("NFKC", char) for char in "₀₁₂₃₄₅₆₇₈₉₊₋ₙ"}
_NUMBER = r"(?:0|[1-9]\d{0,2})"
_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒"
_SIGNS = r"+\-−×÷·*:=<>≤≥≈≠±()\[\]?…_ "  # what may stand beside a fraction in a sum
_SUM = re.compile(rf"[\d,.{_SIGNS}/{_VULGAR}]+")
_FRACTION = re.compile(rf"(?:(?<![\d/.,])({_NUMBER})[/⁄]([1-9]\d{{0,2}})|([{_VULGAR}]))(?![\d/⁄.,{_VULGAR}])")
_SHIFTED = re.compile(
    rf"(?<=[\w)\]])\^(?:\{{([^{{}}^]+)\}}|([+\-−]?(?:\d+|\w+)))|([{re.escape(''.join(RAISED))}]+)|([{''.join(LOWERED)}]+)"
)
_TOKEN = re.compile(r"(\S+)")


@dataclass(frozen=True)
class Plain:
    """Letters on the baseline."""

    text: str


@dataclass(frozen=True)
class Shifted:
    """Small letters above the line, or below it."""

    text: str
    is_raised: bool


@dataclass(frozen=True)
class Fraction:
    """A number above a bar above a number; `whole` is the number beside it in a mixed one."""

    above: str
    below: str
    whole: str = ""


Piece = Plain | Shifted | Fraction


def read_pieces(line: str) -> list[Piece]:
    """Return the pieces of a line from left to right."""
    pieces: list[Piece] = []
    for token in _TOKEN.split(mend_minus(line)):
        pieces += _read_sum(token) if _SUM.fullmatch(token) and not is_date(token) else _read_shifts(token)
    return _join_pieces(pieces)


def mend_minus(line: str) -> str:
    """Replace hyphens between the numbers of a sum by a minus, but not in dates, telephone numbers or words."""
    spaced = re.sub(r"(?<=[\d)²³]) - (?=[\d(])", f" {MINUS} ", line)
    signed = re.sub(r"(?:(?<=^)|(?<=[\s(=]))-(?=\d)", MINUS, spaced)
    return _TOKEN.sub(lambda token: _mend_token(token[0]), signed)


def _mend_token(token: str) -> str:
    is_difference = re.fullmatch(rf"{_NUMBER}-{_NUMBER}(=.*)?", token)
    has_clue = _SUM.fullmatch(token) and not is_date(token) and re.search(r"[+×÷=/½¼¾]", token)
    return re.sub(r"(?<=[\d)½¼¾])-(?=[\d(½¼¾])", MINUS, token) if is_difference or has_clue else token


def is_date(token: str) -> bool:
    """Return whether a token is a date or the like: more than one stroke among numbers, or a leading zero."""
    return bool(re.search(r"\d+([/.-])\d+\1\d+|\b0\d|/0", token)) and not re.search(r"[+×÷=]", token)


def _read_sum(token: str) -> list[Piece]:
    pieces: list[Piece] = []
    end = 0
    for found in _FRACTION.finditer(token):
        pieces += _read_shifts(token[end : found.start()])
        above, below = (found[1], found[2]) if found[1] else unicodedata.normalize("NFKC", found[3]).split("⁄")
        pieces.append(Fraction(above, below))
        end = found.end()
    return pieces + _read_shifts(token[end:])


def _read_shifts(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    end = 0
    for found in _SHIFTED.finditer(text):
        pieces += [Plain(text[end : found.start()])] if found.start() > end else []
        raised = found[1] or found[2] or "".join(RAISED[char] for char in found[3] or "")
        lowered = "".join(LOWERED[char] for char in found[4] or "")
        pieces.append(Shifted(re.sub(r"^-(?=\w)", MINUS, raised or lowered), bool(raised)))
        end = found.end()
    return pieces + ([Plain(text[end:])] if text[end:] else [])


def _join_pieces(pieces: list[Piece]) -> list[Piece]:
    """Join letters to letters, and a whole number to the fraction after it, with or without a space: 1 1/2, 2½."""
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if isinstance(last, Plain) and isinstance(piece, Plain):
            piece = Plain(last.text + piece.text)
            joined.pop()
        elif isinstance(last, Plain) and isinstance(piece, Fraction):
            found = re.search(r"(?:^|(?<=[^\d.,/]))(\d{1,3})\s*$", last.text)
            if found:
                before = last.text[: found.start()]
                joined[-1:] = [Plain(before)] if before else []
                piece = Fraction(piece.above, piece.below, found[1])
        joined.append(piece)
    return joined


def is_fraction(token: str) -> bool:
    """Return whether a token begins with a fraction, so that a whole number before it belongs to it."""
    return bool(_SUM.fullmatch(token)) and not is_date(token) and bool(_FRACTION.match(token))


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
class Stretch:
    """A stretch of text that stays on one line; `link` joins it to the next one, `tail` ends it at a break."""

    text: str
    link: str = " "
    tail: str = ""


def list_ways(text: str, most_lines: int, longest: int = 0, lonely: int = LONELY) -> Iterator[list[str]]:
    """Yield the ways to set a text in lines, one line first; up to `longest` characters stay on one line."""
    if "\n" in text:
        yield [remove_hints(" ".join(line.split())) for line in text.splitlines() if line.strip()]
        return
    parts = find_parts(text, longest)
    for breaks in range(min(most_lines, len(parts))):
        for cuts in combinations(range(1, len(parts)), breaks):
            lines = [_join(parts[a:b]) for a, b in pairwise((0, *cuts, len(parts)))]
            if not breaks or not _is_lonely(lines[-1], lonely):
                yield lines


def find_parts(text: str, longest: int = 0) -> list[Stretch]:
    """Return the stretches of a text that stay together."""
    words = re.split(r"[ \t]+", text.strip())
    if len(remove_hints(text)) <= longest:
        return [Stretch(remove_hints(" ".join(words)))]
    glued: list[str] = [words[0]]
    for before, word in pairwise(words):
        if _belong_together(before, word, len(words)):
            glued[-1] += f" {word}"
        else:
            glued.append(word)
    return [part for stretch in glued for part in _split_word(stretch)]


def remove_hints(text: str) -> str:
    """Return the text without soft hyphens and break hints."""
    return _HINT.sub("", text).replace(SOFT_HYPHEN, "")


def _belong_together(before: str, word: str, count: int) -> bool:
    if word == "=" or _PUNCTUATION.fullmatch(word):
        return word != "="
    if _SIGN.fullmatch(before) or _SIGN.fullmatch(word):
        return True
    if before[-1:].isdigit():
        return is_fraction(word) or len(word) <= LONELY
    return count > 2 and bool(_ARTICLES.fullmatch(before))


def _split_word(word: str) -> list[Stretch]:
    """Split a word after its hyphens and, when it is long, at its hints."""
    whole = remove_hints(word)
    hints = _HINT.split(word) if _count_letters(whole) > LONG_WORD else [whole]
    parts: list[Stretch] = []
    for hinted in hints:
        pieces = re.split(r"(?<=[^\W\d_]{2}[-‐])(?=[^\W\d_]{2})", hinted)
        parts += [Stretch(remove_hints(piece), link="") for piece in pieces[:-1]]
        parts.append(Stretch(remove_hints(pieces[-1]), link="", tail="-"))
    return [*parts[:-1], Stretch(parts[-1].text)]


def _join(parts: list[Stretch]) -> str:
    return "".join(part.text + part.link for part in parts[:-1]) + parts[-1].text + parts[-1].tail


def _count_letters(line: str) -> int:
    return sum(char.isalpha() for char in line)


def _is_lonely(line: str, lonely: int) -> bool:
    """Return whether a line is a word so short that it looks lost; a number is not."""
    return 0 < _count_letters(line) <= lonely and not any(char.isdigit() for char in line)
