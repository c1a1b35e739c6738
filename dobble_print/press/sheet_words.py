"""The words in the margin of a sheet: ruler, slug line, which side it is.

Invariant: the texts stand in `templates/sheets.yaml`. Sheets for an office printer speak the players' first language;
those for a press all speak English, as the program does: decks in many languages lie on one operator's table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from dobble_print.theme.model import Theme
from dobble_print.theme.source import read_table

FALLBACK = "en"


@dataclass(frozen=True)
class SheetWords:
    """The words of one language."""

    ruler: str
    deck: str
    sheet: str
    back: str
    backs: str
    job: str

    def name_deck(self, deck_id: str) -> str:
        """`deck 19ece2`."""
        return self.deck.format(id=deck_id)

    def name_job(self, job: str) -> str:
        """`job class-3b`."""
        return self.job.format(id=job)

    def count_sheet(self, number: int, count: int) -> str:
        """`sheet 1 of 6`."""
        return self.sheet.format(number=number, count=count)


def choose_words(theme: Theme) -> SheetWords:
    """The words for whoever prints a theme's sheets."""
    return find_words(theme.languages if theme.press.standard == "none" else ())


@cache
def find_words(languages: tuple[str, ...] = ()) -> SheetWords:
    """The words of the first of these languages; a region falls back to its language: pt-BR to pt."""
    table, language = read_table("sheets.yaml"), languages[0] if languages else FALLBACK
    return SheetWords(**(table.get(language) or table.get(language.split("-")[0]) or table[FALLBACK]))
