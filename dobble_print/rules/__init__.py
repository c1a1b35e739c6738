"""The rules: texts by language, the numbers of a deck, and the rulebook that comes of both; pure data.

The way in: `compose_rules` for pages, `print_rules_text` for a terminal.
"""

from dobble_print.rules.compose import compose_rules, name_symbol
from dobble_print.rules.plain import print_rules_text
from dobble_print.rules.texts import choose_languages, read_rules, rules_languages

__all__ = [
    "choose_languages",
    "compose_rules",
    "name_symbol",
    "print_rules_text",
    "read_rules",
    "rules_languages",
]
