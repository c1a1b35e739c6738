"""The rules: texts by language, the numbers of a deck, and the rulebook that comes of both; pure data.

The way in: `rulebook.compose_rules` for pages, `rulebook.print_rules_text` for a terminal.
"""
