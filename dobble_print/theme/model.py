"""The theme as the rest of the program sees it: frozen, complete, every default filled in.

Invariant: whatever is in a `Theme` has passed the reader; lengths are millimetres, colours are `#rrggbb`, picture paths
are resolved and lie inside the theme's folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from dobble_print.errors import Place
from dobble_print.units import Paper

Rotation = Literal["full", "tilt", "upright"]
Quality = Literal["draft", "normal", "best"]
CutLine = Literal["hairline", "dashed", "none"]
Duplex = Literal["long", "short", "separate", "none"]
ShapeName = Literal["round", "hex", "square"]

ALL_LANGUAGES = ""  # the key of a text that serves every language

Notes = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class ImageFile:
    """A picture in the theme's folder; `remove_background` cuts it out of a plain background."""

    path: Path
    remove_background: bool = False


@dataclass(frozen=True)
class Emoji:
    """An emoji drawn by the installed emoji set."""

    char: str


@dataclass(frozen=True)
class Text:
    """Letters or a sum, drawn as outlines of the program's own font; `badge`: the one or two colours behind them."""

    text: str
    color: str = "#1d3557"
    badge: tuple[str, ...] = ()


Source = ImageFile | Emoji | Text


@dataclass(frozen=True)
class Symbol:
    """The thing to find: its id, its names by language code, and where its picture comes from.

    `full_names` are the names with their articles ("der Hund") where they are known, and the bare names elsewhere;
    `synonyms` are what else players may shout.
    """

    id: str
    names: Mapping[str, str]
    source: Source
    rotation: Rotation
    scale: float
    place: Place
    full_names: Mapping[str, str] = field(default_factory=dict)
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class DeckOptions:
    """How many symbols a card (None: the best for this many symbols), how many cards (None: all), which shuffle.

    `levels` makes several decks in one box instead: one a level, each with so many symbols a card.
    """

    symbols_per_card: int | None = None
    cards: int | None = None
    seed: int = 1
    levels: tuple[int, ...] = ()


@dataclass(frozen=True)
class CardOptions:
    """What a card looks like; `corner_mm` None means the shape's own default."""

    shape: ShapeName = "round"
    size_mm: float = 85.0
    corner_mm: float | None = None
    background: str = "#ffffff"
    rim_color: str = "#1d3557"
    rim_width_mm: float = 1.2
    number_on_rim: bool = False


@dataclass(frozen=True)
class LayoutOptions:
    """How symbols spread over a card; `rotation` None means: pictures any way up, text as its letters bear it."""

    size_spread: float = 2.0
    min_size_mm: float = 8.0
    gap_mm: float = 1.5
    margin_mm: float = 3.0
    keep_center_free_mm: float = 0.0
    quality: Quality = "normal"
    rotation: Rotation | None = None


@dataclass(frozen=True)
class BackOptions:
    """The other side of a card: none, a colour, with a pattern of the theme's own symbols, or a picture."""

    kind: Literal["none", "color", "pattern", "image"] = "none"
    color: str = "#1d3557"
    image: Path | None = None


@dataclass(frozen=True)
class SheetOptions:
    """What a sheet carries around the cards."""

    paper: Paper
    bleed_mm: float = 3.0
    cut_line: CutLine = "hairline"
    crop_marks: bool = True
    ruler: bool = True
    duplex: Duplex = "long"


@dataclass(frozen=True)
class Team:
    """Players on one side: the colour of their cards, and what it is called, by language."""

    color: str
    names: Mapping[str, str]


@dataclass(frozen=True)
class TeamOptions:
    """A deck dealt to teams: so many cards each; the rest are start cards, with a rim of their own."""

    teams: tuple[Team, ...]
    cards_each: int
    start_rim: str = "#000000"


@dataclass(frozen=True)
class Special:
    """A symbol, by its id, with a rule of its own, by language."""

    symbol: str
    rule: Mapping[str, str]


@dataclass(frozen=True)
class Theme:
    """Everything a build needs to know, and where it was read from.

    `title` goes by language; a theme without languages has its one title under the empty code. `file` is how the user
    named the theme file, `name` what its results are called after. `article` asks for names with their articles.
    """

    name: str
    file: str
    folder: Path
    title: Mapping[str, str]
    purpose: str
    languages: tuple[str, ...]
    symbols: tuple[Symbol, ...]
    sheet: SheetOptions
    deck: DeckOptions = field(default_factory=DeckOptions)
    card: CardOptions = field(default_factory=CardOptions)
    layout: LayoutOptions = field(default_factory=LayoutOptions)
    back: BackOptions = field(default_factory=BackOptions)
    article: bool = False
    legend_order: Literal["name", "theme"] = "name"
    teams: TeamOptions | None = None
    specials: tuple[Special, ...] = ()
    credits: Notes = field(default_factory=dict)
    footnotes: Notes = field(default_factory=dict)
    license: Notes = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)

    def place_of(self, *keys: str) -> Place:
        """Where the first of these keys stands in the file (`deck.cards`), for faults that show only later."""
        return next((self.places[key] for key in keys if key in self.places), Place(self.file, 1, 1))

    def title_in(self, language: str = "") -> str:
        """The title in a language, or else the first one the theme gives."""
        return self.title.get(language) or next(iter(self.title.values()), self.name)

    def notes_in(self, notes: Notes, language: str = ALL_LANGUAGES) -> tuple[str, ...]:
        """The notes of a block in a language: those for all languages first, then its own."""
        own = notes.get(language, ()) if language != ALL_LANGUAGES else ()
        return (*notes.get(ALL_LANGUAGES, ()), *own)
