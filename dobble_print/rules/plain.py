"""The rules as plain text, for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from dobble_print.deck import Deck
from dobble_print.rules.compose import compose_book
from dobble_print.rules.facts import CLASSIC_FACTS, gather_facts
from dobble_print.rules.rulebook import Block, Grid, Paragraph, Rulebook, SpecialRule, Steps
from dobble_print.rules.texts import read_rules
from dobble_print.theme.model import Theme


def print_rules_text(theme: Theme | None, languages: Sequence[str], decks: Sequence[Deck] = (), width: int = 80) -> str:
    """The rules in each of the languages; without a theme or its decks, with the numbers of the classic deck."""
    facts = gather_facts(theme, decks) if theme and decks else CLASSIC_FACTS
    books = [compose_book(read_rules(code), facts, theme) for code in languages]
    return "\n\n\n".join("\n".join(_print_book(book, width)) for book in books) + "\n"


def _print_book(book: Rulebook, width: int) -> list[str]:
    lines = [f"{book.title}: {book.labels['rules']}"]
    for section in book.sections:
        note = f" ({section.note})" if section.note else ""
        lines += ["", f"{section.title}{note}", "=" * len(section.title + note)]
        for part in section.parts:
            lines += ["", *([part.heading] if part.heading else [])]
            lines += [line for block in part.blocks for line in _print_block(block, width)]
    return lines


def _print_block(block: Block, width: int) -> list[str]:
    match block:
        case Paragraph(text) | SpecialRule(_, text):
            return textwrap.wrap(text, width)
        case Steps(items, numbered):
            marks = [f"{i}. " if numbered else "- " for i in range(1, len(items) + 1)]
            return [
                line
                for mark, item in zip(marks, items, strict=True)
                for line in textwrap.wrap(item, width, initial_indent=mark, subsequent_indent=" " * len(mark))
            ]
        case Grid(rows):
            widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
            return ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        case _:
            return []
