"""Pieces of a line: plain letters, raised and lowered ones, and fractions, as a teacher types them.

`x^2`, `10^-3` and `m²` are raised, `H₂O` is lowered; `3/4`, `1 1/2` and `¾` are fractions. `km/h`, `and/or`,
`12/05/2024` and `24.5/7` stay as they are: a fraction is a token of its own, of whole numbers of up to three digits.
To keep the stroke of `24/7`, type the division slash: `24∕7`.

Invariant: the pieces say in order all that the line says; nothing is dropped.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MINUS = "−"
SMALL_DIGITS = {unicodedata.normalize("NFKC", char): char for char in "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ"}
RAISED = {char: plain for plain, char in SMALL_DIGITS.items()}
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
    """The pieces of a line from left to right."""
    pieces: list[Piece] = []
    for token in _TOKEN.split(mend_minus(line)):
        pieces += _read_sum(token) if _SUM.fullmatch(token) and not is_date(token) else _read_shifts(token)
    return _mix_numbers(_merge_plain(pieces))


def mend_minus(line: str) -> str:
    """Hyphens that stand for a minus as one: between numbers of a sum, not in dates, numbers of telephones or words."""
    spaced = re.sub(r"(?<=[\d)²³]) - (?=[\d(])", f" {MINUS} ", line)
    signed = re.sub(r"(?:(?<=^)|(?<=[\s(=]))-(?=\d)", MINUS, spaced)
    return _TOKEN.sub(lambda token: _mend_token(token[0]), signed)


def _mend_token(token: str) -> str:
    is_difference = re.fullmatch(rf"{_NUMBER}-{_NUMBER}(=.*)?", token)
    has_clue = _SUM.fullmatch(token) and not is_date(token) and re.search(r"[+×÷=/½¼¾]", token)
    return re.sub(r"(?<=[\d)½¼¾])-(?=[\d(½¼¾])", MINUS, token) if is_difference or has_clue else token


def is_date(token: str) -> bool:
    """Whether a token is a date or the like: more than one stroke in a row of numbers, or a leading zero."""
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


def _merge_plain(pieces: list[Piece]) -> list[Piece]:
    merged: list[Piece] = []
    for piece in pieces:
        last = merged[-1] if merged else None
        if isinstance(piece, Plain) and isinstance(last, Plain):
            merged[-1] = Plain(last.text + piece.text)
        else:
            merged.append(piece)
    return merged


def _mix_numbers(pieces: list[Piece]) -> list[Piece]:
    """A whole number just before a fraction, with or without a space, becomes part of it: 1 1/2, 2½."""
    mixed: list[Piece] = []
    for piece in pieces:
        last = mixed[-1] if mixed else None
        found = re.search(r"(?:^|(?<=[^\d.,/]))(\d{1,3})\s*$", last.text) if isinstance(last, Plain) else None
        if isinstance(piece, Fraction) and isinstance(last, Plain) and found:
            before = last.text[: found.start()]
            mixed[-1:] = [Plain(before)] if before else []
            piece = Fraction(piece.above, piece.below, found[1])
        mixed.append(piece)
    return mixed


def is_fraction(token: str) -> bool:
    """Whether a token begins with a fraction, so that a whole number before it belongs to it."""
    return bool(_SUM.fullmatch(token)) and not is_date(token) and bool(_FRACTION.match(token))
