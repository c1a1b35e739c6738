"""Sums that are worked out: whether the faces of a symbol are equal, and those of different symbols are not.

Invariant: only what is surely a number, a fraction, a percentage or a sum has a value; anything else has none, and
nothing is said about it.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dobble_print.errors import Fault, Place
from dobble_print.messages import quote
from dobble_print.theme.model import Symbol, Text
from dobble_print.theme.values import find_alike

_SIGNS = str.maketrans({"×": "*", "·": "*", "x": "*", "X": "*", "÷": "/", ":": "/", "−": "-", "–": "-", "⁄": "/"})
_CLOCK = re.compile(r"([01]?\d|2[0-4])[:.h][0-5]\d")  # half past eight is no division
_TOKEN = re.compile(r"\d+(?:\.\d+)?%?|[-+*/()]")
_LEVELS: tuple[dict[str, Callable[[Fraction, Fraction], Fraction]], ...] = (
    {"+": operator.add, "-": operator.sub},
    {"*": operator.mul, "/": operator.truediv},
)
_TWO_ANSWERS = "A match would have two right answers: change one of them."


@dataclass(frozen=True)
class Amount:
    """What a text is worth, and how far rounding may have moved it: 0.33 can stand for 1/3."""

    text: str
    value: Fraction
    blur: Fraction

    def equals(self, other: Amount) -> bool:
        """Return whether both may mean the same."""
        return abs(self.value - other.value) <= max(self.blur, other.blur)


def evaluate(text: str) -> Amount | None:
    """Return the value of a number or sum as people write it; None for everything else."""
    if _CLOCK.fullmatch(text.strip()):
        return None
    plain = re.sub(r"(?<=\d),(?=\d)", ".", _spell_fractions(text)).translate(_SIGNS)
    plain = re.sub(r"(?<=\d)\s+(?=\d+\s*/\s*\d)", "+", plain)  # 1 1/2 is one and a half
    plain = re.sub(r"\s", "", plain)
    tokens = _TOKEN.findall(plain)
    if not tokens or "".join(tokens) != plain:
        return None
    try:
        value, rest = _work_out(tokens)
    except (ValueError, ZeroDivisionError):
        return None
    return None if rest else Amount(text, value, max(map(_blur, tokens)))


def solve_sum(text: str) -> str:
    """Return a sum with what it is worth, such as `3 × 4 = 12`; nothing for a number, a fraction or a word."""
    amount = evaluate(text)
    return _solve(amount) if amount else ""


def _spell_fractions(text: str) -> str:
    """Write ½ as 1/2, with a space before it."""
    return "".join(
        f" {unicodedata.normalize('NFKC', char)}" if unicodedata.decomposition(char).startswith("<fraction>") else char
        for char in text
    )


def _blur(token: str) -> Fraction:
    """Return half of the last digit of a decimal or a percentage; other numbers are exact."""
    digits = len(token.rstrip("%").partition(".")[2])
    is_rough = digits or token.endswith("%")
    return Fraction(1, 2 * 10 ** (digits + 2 * token.endswith("%"))) if is_rough else Fraction(0)


def _work_out(tokens: list[str], level: int = 0) -> tuple[Fraction, list[str]]:
    """Return what the first tokens are worth, and those after them; products are worked out before sums."""
    if level == len(_LEVELS):
        return _take(tokens)
    value, tokens = _work_out(tokens, level + 1)
    while tokens and tokens[0] in _LEVELS[level]:
        part, rest = _work_out(tokens[1:], level + 1)
        value, tokens = _LEVELS[level][tokens[0]](value, part), rest
    return value, tokens


def _take(tokens: list[str]) -> tuple[Fraction, list[str]]:
    """Return a number, or a sum in brackets."""
    if not tokens:
        raise ValueError
    first, *rest = tokens
    if first == "(":
        value, rest = _work_out(rest)
        if rest[:1] != [")"]:
            raise ValueError
        return value, rest[1:]
    if first == "-":
        value, rest = _take(rest)
        return -value, rest
    return Fraction(first.rstrip("%")) / (100 if first.endswith("%") else 1), rest


def warn_about_sums(symbols: Sequence[Symbol]) -> tuple[Fault, ...]:
    """Warn about sums: faces of one symbol that are not equal, and faces of two symbols that are."""
    evaluated = [(symbol, list(_evaluate_faces(symbol))) for symbol in symbols if len(symbol.faces) > 1]
    return (
        *(fault for symbol, amounts in evaluated for fault in find_unequal(amounts, symbol.place)),
        *_find_equal_symbols(evaluated),
    )


def _evaluate_faces(symbol: Symbol) -> Iterator[Amount]:
    for face in symbol.faces:
        amount = evaluate(face.source.text) if face.kind == "text" and isinstance(face.source, Text) else None
        if amount:
            yield amount


def find_unequal(amounts: Sequence[Amount], place: Place | None = None) -> Iterator[Fault]:
    """Tell of faces of one symbol that are not equal, once."""
    for amount in amounts[1:]:
        if not amount.equals(amounts[0]):
            what = f"{quote(amounts[0].text)} and {quote(amount.text)} are faces of one symbol, but not equal"
            worth = " and ".join(filter(None, map(_solve, (amounts[0], amount))))
            yield Fault(f"{what}{worth and f' ({worth})'}", "Change one of them.", place)
            return


def _find_equal_symbols(evaluated: Sequence[tuple[Symbol, Sequence[Amount]]]) -> Iterator[Fault]:
    pairs = find_alike(evaluated, lambda item: ((amount.value, amount) for amount in item[1]))
    for (symbol, _), (other, amounts), amount in pairs:
        twin = next(each for each in amounts if each.value == amount.value)
        what = f"{quote(amount.text)} is equal to {quote(twin.text)} of the symbol on line {other.place.line}"
        yield Fault(what, _TWO_ANSWERS, symbol.place)


def _solve(amount: Amount) -> str:
    """Return a sum with what it is worth, where that is a whole number; nothing for a number."""
    is_sum = amount.value.denominator == 1 and amount.text.strip() != str(amount.value)
    return f"{amount.text} = {amount.value}" if is_sum else ""
