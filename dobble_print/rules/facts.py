"""The numbers of a deck, and what each mini-game needs of them.

Invariant: whatever the rules say in numbers comes from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dobble_print.deck.design import Deck, full_size
from dobble_print.theme.model import Text, Theme

PictureKind = Literal["match", "tower", "well", "potato", "gift", "triplet", "line"]
FaceMix = Literal["picture_word", "languages", "texts", "many"]
MOST_PLAYERS = 8
MOST_IN_TEAM = 3
POINTS_TO_WIN = {2: 4, 3: 3, 4: 3}  # by number of teams
MOST_TEAMS = max(POINTS_TO_WIN)


@dataclass(frozen=True)
class Game:
    """How many cards a mini-game takes: some for the table, some for each player."""

    key: PictureKind
    table_cards: int
    cards_each: int
    least_players: int = 2

    @property
    def needed(self) -> int:
        """The fewest cards it can be played with."""
        return self.table_cards + self.least_players * self.cards_each

    def most_players(self, cards: int) -> int:
        """Return how many can play with so many cards."""
        return min(MOST_PLAYERS, (cards - self.table_cards) // self.cards_each)


GAMES = (
    Game("tower", 0, 3),
    Game("well", 1, 3),
    Game("potato", 0, 5),  # one card each in five rounds
    Game("gift", 0, 3),
    Game("triplet", 9, 3, least_players=1),
)


@dataclass(frozen=True)
class DeckFacts:
    """The numbers of a deck, and what sets it apart; with levels, those of the largest deck and the size of each."""

    cards: int
    symbols: int
    per_card: int
    level_cards: tuple[int, ...] = ()
    level_sizes: tuple[int, ...] = ()  # symbols on a card
    teams: int = 0
    cards_each: int = 0
    start_cards: int = 0
    line: bool = False
    faces: FaceMix | None = None  # how a symbol's looks differ, where it has several
    looks: tuple[str, ...] = ()  # two ways in which one symbol is written, as an example
    parts: int = 0  # of a deck whose cards are told apart by the faces they show

    @property
    def numbers(self) -> dict[str, object]:
        """The placeholders that every text may use."""
        return vars(self) | {
            "order": self.per_card - 1,
            "full": full_size(self.per_card),
            "levels": len(self.level_cards),
        }

    @property
    def can_spend_starts(self) -> bool:
        """Whether there are start cards enough to count every point with one, however long the game."""
        longest = (count * (POINTS_TO_WIN[count] - 1) + 1 for count in range(2, self.teams + 1))
        return self.start_cards >= max(longest, default=0)


def gather_facts(theme: Theme, decks: Sequence[Deck]) -> DeckFacts:
    """Return the numbers of a theme's deck, or of the largest of its decks."""
    deck = max(decks, key=lambda deck: len(deck.cards))
    teams = theme.teams
    return DeckFacts(
        cards=len(deck.cards),
        symbols=len(set().union(*(card.symbols for card in deck.cards))),
        per_card=deck.symbols_per_card,
        level_cards=tuple(len(deck.cards) for deck in decks) if len(decks) > 1 else (),
        level_sizes=tuple(deck.symbols_per_card for deck in decks) if len(decks) > 1 else (),
        teams=min(len(teams.teams), MOST_TEAMS) if teams else 0,
        cards_each=teams.cards_each if teams else 0,
        start_cards=len(deck.cards) - len(teams.teams) * teams.cards_each if teams else 0,
        line=teams is not None and len(teams.teams) > 1 and theme.card.shape == "hex",
        faces=_find_mix(theme),
        looks=_find_looks(theme),
        parts=max(theme.face_counts) if theme.faces_by == "card" else 0,
    )


def _find_mix(theme: Theme) -> FaceMix | None:
    """Return what the faces of the symbols are, taken together."""
    several = [face for symbol in theme.symbols if len(symbol.faces) > 1 for face in symbol.faces]
    if not several:
        return None
    kinds, spoken = {face.kind for face in several}, {face.language for face in several if face.kind == "word"}
    if kinds == {"picture", "word"} and len(spoken) == 1:
        return "picture_word"
    if kinds == {"word"}:
        return "languages"
    if _find_looks(theme):
        return "texts"
    return "picture_word" if kinds == {"picture", "text"} else "many"


def _find_looks(theme: Theme) -> tuple[str, ...]:
    """Return the first two texts of the first symbol that is written in several ways."""
    texts = ([face for face in symbol.faces if face.kind == "text"] for symbol in theme.symbols)
    found = next((faces for faces in texts if len(faces) > 1), [])[:2]
    return tuple(face.source.text for face in found if isinstance(face.source, Text))


def split_players(players: int, teams: int) -> tuple[int, ...]:
    """Return how many players each team has, as even as can be; nothing when they do not make that many teams."""
    if not teams <= players <= teams * MOST_IN_TEAM:
        return ()
    return tuple(sorted((players // teams + (i < players % teams) for i in range(teams)), reverse=True))
