"""What a build makes: the files of a deck, complete in memory, and what is worth saying about them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dobble_print.deck import Deck
from dobble_print.errors import Fault
from dobble_print.press.nesting import Nest
from dobble_print.theme.model import Theme

SOMETIMES = {"backs.pdf"}  # files that only some builds of a whole deck make


@dataclass(frozen=True, eq=False)
class Product:
    """A finished box: its files by name, and its figures."""

    theme: Theme
    decks: tuple[Deck, ...]
    deck_id: str
    files: dict[str, bytes]
    nest: Nest
    printed: int
    warnings: tuple[Fault, ...]
    notes: tuple[str, ...]

    @property
    def obsolete(self) -> set[str]:
        """Files that an earlier build of the whole deck may have left and that this one does not make."""
        return SOMETIMES - set(self.files) if "cards.pdf" in self.files else set()

    @property
    def summary(self) -> dict[str, object]:
        """The box in figures."""
        used = {symbol for deck in self.decks for card in deck.cards for symbol in card.symbols}
        return {
            "id": self.deck_id,
            "cards": sum(len(deck.cards) for deck in self.decks),
            "symbols": len(used),
            "symbols_per_card": [deck.symbols_per_card for deck in self.decks],
            "printed_cards": self.printed,
            "paper": self.nest.paper.name,
            "cards_per_sheet": len(self.nest.centres),
            "sheets": math.ceil(self.printed / len(self.nest.centres)),
        }

    def describe(self) -> str:
        """What was made, in one line."""
        figures = self.summary
        decks = " + ".join(f"{len(deck.cards)} cards of {deck.symbols_per_card}" for deck in self.decks)
        return (
            f"{self.theme.name}: deck {self.deck_id}, {decks} from {figures['symbols']} symbols; "
            f"{self.printed} on {figures['sheets']} × {figures['paper']}, {figures['cards_per_sheet']} a sheet"
        )
