"""Which plural form goes with which number, as a table: `python -m tools.plural_rules` writes it anew from CLDR.

Invariant: only whole numbers count. For each category there is a condition on the number `n`, written as gettext writes
them; the last category has none, as it takes all that is left.
"""

from __future__ import annotations

from typing import Any

from babel import Locale, UnknownLocaleError
from babel.plural import PluralRule

from dobble_print.resources import find_template
from dobble_print.words.languages import languages
from dobble_print.words.plurals import TABLE

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
ZERO = {"v", "w", "f", "t", "c", "e"}  # operands that look at decimals and powers of ten
SAMPLE = (*range(1000), *(10**power + step for power in range(3, 8) for step in (0, 1, 2, 5, 11)))
HEAD = """\
# Which form of a noun goes with a number, by language; made of CLDR by `python -m tools.plural_rules`, not by hand.
# A text gives its forms in this order: {cards: card | cards}, in Polish {cards: karta | karty | kart}. The first
# condition that holds for the number n counts. A category for millions alone (French many) needs no form in a text.
"""


def find_rule(code: str) -> PluralRule | None:
    """The rule of a language, where CLDR knows it."""
    try:
        return Locale.parse(code).plural_form
    except UnknownLocaleError:
        return None


def write_table() -> str:
    """The whole table."""
    rules = {code: find_rule(code) for code in languages()}
    return HEAD + "".join(f"{code}: {{{_write_row(rule)}}}\n" for code, rule in rules.items() if rule)


def _write_row(rule: PluralRule) -> str:
    """The conditions of one language, but for those that no whole number meets."""
    used = {rule(number) for number in SAMPLE}
    conditions = {tag: _write(ast) for tag, ast in rule.abstract}
    *first, last = (tag for tag in CATEGORIES if tag in used)
    return ", ".join([*(f'{tag}: "{conditions[tag]}"' for tag in first), f'{last}: ""'])


def _write(ast: Any) -> str | bool:
    """A condition, or what it always is for whole numbers."""
    kind, parts = ast
    if kind in ("and", "or"):
        sides, decided = [_write(part) for part in parts], kind == "or"
        if decided in sides:
            return bool(decided)
        texts = [side for side in sides if isinstance(side, str)]
        return _join(texts, kind) if texts else not decided
    if kind == "not":
        inner = _write(parts[0])
        if not isinstance(inner, str):
            return not inner
        return f"!{inner}" if inner.startswith("(") else f"!({inner})"
    return _write_relation(*parts)


def _join(sides: list[str], kind: str) -> str:
    return sides[0] if len(sides) == 1 else f"({(' && ' if kind == 'and' else ' || ').join(sides)})"


def _write_relation(_: str, left: Any, right: Any) -> str | bool:
    """Whether an operand lies in one of several ranges."""
    operand, ranges = _write_operand(left), [(low[1][0], high[1][0]) for low, high in right[1]]
    if operand is None:
        return any(low <= 0 <= high for low, high in ranges)
    return _join(
        [
            f"{operand} == {low}" if low == high else f"({operand} >= {low} && {operand} <= {high})"
            for low, high in ranges
        ],
        "or",
    )


def _write_operand(ast: Any) -> str | None:
    """A whole number's operand; none where it is always 0."""
    kind, parts = ast
    if kind == "mod":
        operand = _write_operand(parts[0])
        return operand and f"{operand} % {parts[1][1][0]}"
    return None if kind in ZERO else "n"


def main() -> None:
    """Write the table."""
    text = write_table()
    find_template(TABLE).write_text(text, encoding="utf-8")
    print(f"templates/{TABLE}: {len(text.splitlines())} lines")


if __name__ == "__main__":
    main()
