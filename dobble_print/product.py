"""What a build makes: the files of a deck, complete in memory, and what is worth saying about them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dobble_print.deck import Deck
from dobble_print.errors import Fault
from dobble_print.sheets.nesting import Nest
from dobble_print.theme.model import Theme

# files that only some builds of a whole deck make
SOMETIMES = ("cards.pdf", "backs.pdf", "cut.*", "cut-last.*", "cards/*.png", "tabletop/*")


@dataclass(frozen=True, eq=False)
class Product:
    """A finished box: its files by name, and its figures; without a nest it holds no cards."""

    theme: Theme
    decks: tuple[Deck, ...]
    deck_id: str
    files: dict[str, bytes]
    nest: Nest | None
    printed: int
    warnings: tuple[Fault, ...]
    notes: tuple[str, ...]

    @property
    def obsolete(self) -> tuple[str, ...]:
        """Patterns of what an earlier build of the whole deck may have left; files of this one stay."""
        whole = "picklist.csv" in self.files or ("deck.json" in self.files and self.nest)
        return SOMETIMES if whole else ()

    @property
    def name(self) -> str:
        """What its folder is called."""
        return self.theme.name

    @property
    def summary(self) -> dict[str, object]:
        """The box in figures."""
        used = {symbol for deck in self.decks for card in deck.cards for symbol in card.symbols}
        figures: dict[str, object] = {
            "id": self.deck_id,
            "cards": sum(len(deck.cards) for deck in self.decks),
            "symbols": len(used),
            "symbols_per_card": [deck.symbols_per_card for deck in self.decks],
            "printed_cards": self.printed,
        }
        if self.nest and self.theme.pictures.kind == "none":
            figures |= {
                "paper": self.nest.paper.name,
                "cards_per_sheet": len(self.nest.centres),
                "sheets": math.ceil(self.printed / len(self.nest.centres)),
            }
        return figures | ({"profile": self.theme.profile} if self.theme.profile else {})

    def describe(self) -> str:
        """What was made, in one line."""
        figures = self.summary
        decks = " + ".join(f"{len(deck.cards)} cards of {deck.symbols_per_card}" for deck in self.decks)
        label = f"deck {self.deck_id}, " if self.deck_id else ""
        printed = ""
        if "sheets" in figures:
            per_sheet = figures["cards_per_sheet"]
            card = f"{self.theme.card.shape} cards of {self.theme.card.size_mm:g} mm"
            printed = f"; {self.printed} {card} on {figures['sheets']} × {figures['paper']}, {per_sheet} a sheet"
        return f"{self.theme.name}: {label}{decks} from {figures['symbols']} symbols{printed}"
