"""A theme as the rest of the program sees it: symbols, their pictures and faces, and the options of every section.

Invariant: everything is frozen; whatever a theme file may leave out has its default here or in `options`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from dobble_print.errors import Fault, Place
from dobble_print.theme.options import (
    BackOptions,
    CardOptions,
    Crop,
    DeckOptions,
    EmojiArt,
    FacesBy,
    LabelOptions,
    LayoutOptions,
    PictureOptions,
    PlotterOptions,
    PressOptions,
    Rotation,
    SheetOptions,
    Special,
    TeamOptions,
)
from dobble_print.words.typesetting import set_type

PlateShape = Literal["pill", "rectangle", "underline", "cut"]
FaceKind = Literal["picture", "word", "text"]
ALL_LANGUAGES = ""  # the key of a text that serves every language
Notes = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class ImageFile:
    """A picture in the theme's folder; `remove_background` cuts it out of a plain background, `crop` trims a photo."""

    path: Path
    remove_background: bool = False
    crop: Crop = "none"


@dataclass(frozen=True)
class Emoji:
    """An emoji, drawn by one of the emoji sets."""

    char: str
    art: EmojiArt = "twemoji"


@dataclass(frozen=True)
class Drawing:
    """A drawing of our own set, by the name of its file in `templates/art/`: what emoji lack."""

    name: str


@dataclass(frozen=True)
class LanguageMark:
    """What shows which language a word is in: a plate whose shape survives a photocopier, its colours, a short tag."""

    shape: PlateShape
    tint: str
    rim: str
    tag: str = ""


@dataclass(frozen=True)
class TextStyle:
    """How a text is set: a font by name or by its path from `folder`, in so many lines at most, in a language.

    `language` chooses between letters that look different in two countries; `mark` shows the language to players.
    """

    font: str = "sans"
    folder: Path | None = None
    lines: int = 3
    language: str = ""
    mark: LanguageMark | None = None


@dataclass(frozen=True)
class Text:
    """Letters or a sum, drawn as outlines of a font; `badge`: the one or two colours behind them."""

    text: str
    color: str = "#1d3557"
    badge: tuple[str, ...] = ()
    style: TextStyle = TextStyle()


@dataclass(frozen=True)
class Captioned:
    """A picture with a name under it."""

    picture: ImageFile | Emoji | Drawing
    caption: Text


Source = ImageFile | Emoji | Drawing | Text | Captioned


@dataclass(frozen=True)
class Face:
    """One look of a symbol: what is drawn, how it may lie, and whether it is a picture, a name or another text.

    `language` is that of a name; `full` ones have their article.
    """

    source: Source
    rotation: Rotation
    kind: FaceKind = "picture"
    language: str = ""
    full: bool = False


@dataclass(frozen=True)
class Symbol:
    """The thing to find: its id, its names by language code, and what it looks like.

    `source` is its picture, which is its one face unless `faces` says how else cards show it.
    `full_names` are the names with their articles ("der Hund") where they are known, and the bare names elsewhere;
    `synonyms` are what else players may shout. `filled` ones are not the theme's own: the lexicon completed the deck.
    `word` is what the theme writes, where it leaves the choice of the picture to the lexicon. One to `keep` stays where
    others are left out.
    """

    id: str
    names: Mapping[str, str]
    source: Source
    rotation: Rotation
    scale: float
    place: Place
    full_names: Mapping[str, str] = field(default_factory=dict)
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    filled: bool = False
    faces: tuple[Face, ...] = ()
    word: str = ""
    keep: bool = False

    def __post_init__(self) -> None:
        if not self.faces:
            kind: FaceKind = "text" if isinstance(self.source, Text) else "picture"
            object.__setattr__(self, "faces", (Face(self.source, self.rotation, kind),))


@dataclass(frozen=True)
class Theme:
    """Everything a build needs to know, and where it was read from.

    `title` goes by language; a theme without languages has its one title under the empty code, as has `purpose` where
    one text serves all. `file` is how the user
    named the theme file, `name` what its results are called after. `article` asks for names with their articles.
    `faces_by` says whether a slot or a whole card decides the face; `fill` is the group that completed the deck.
    """

    name: str
    file: str
    folder: Path
    title: Mapping[str, str]
    purpose: Mapping[str, str]
    languages: tuple[str, ...]
    symbols: tuple[Symbol, ...]
    sheet: SheetOptions = field(default_factory=SheetOptions)
    deck: DeckOptions = field(default_factory=DeckOptions)
    card: CardOptions = field(default_factory=CardOptions)
    layout: LayoutOptions = field(default_factory=LayoutOptions)
    back: BackOptions = field(default_factory=BackOptions)
    article: bool = False
    legend_order: Literal["name", "theme"] = "name"
    faces_by: FacesBy = "slot"
    fill: str = ""
    teams: TeamOptions | None = None
    specials: tuple[Special, ...] = ()
    credits: Notes = field(default_factory=dict)
    footnotes: Notes = field(default_factory=dict)
    license: Notes = field(default_factory=dict)
    profile: str = ""
    remarks: tuple[Fault, ...] = ()  # what is not as the theme says
    press: PressOptions = field(default_factory=PressOptions)
    labels: LabelOptions | None = None
    plotter: PlotterOptions = field(default_factory=PlotterOptions)
    pictures: PictureOptions = field(default_factory=PictureOptions)
    places: Mapping[str, Place] = field(default_factory=dict)

    @cached_property
    def pieces(self) -> tuple[tuple[int, int], ...]:
        """Every face of every symbol (symbol, face), in the order of artworks, layout pieces and forms."""
        return tuple((i, face) for i, symbol in enumerate(self.symbols) for face in range(len(symbol.faces)))

    @cached_property
    def face_counts(self) -> tuple[int, ...]:
        """How many faces each symbol has."""
        return tuple(len(symbol.faces) for symbol in self.symbols)

    def find_piece(self, symbol: int, face: int) -> int:
        """Return the number of a face among all pieces."""
        return sum(self.face_counts[:symbol]) + face

    def place_of(self, *keys: str) -> Place:
        """Return where the first of these keys stands in the file (`deck.cards`), for faults that show only later."""
        return next((self.places[key] for key in keys if key in self.places), Place(self.file, 1, 1))

    def title_in(self, language: str = "") -> str:
        """Return the title in a language, or else the first one the theme gives."""
        found = language if self.title.get(language) else next(iter(self.title), "")
        return set_type(self.title.get(found, self.name), found)

    def purpose_in(self, language: str = "en") -> str:
        """Return what the theme is for, in a language, or else in English or the first one it gives."""
        wanted = (language, language.split("-")[0], ALL_LANGUAGES, "en", *self.purpose)
        found = next((code for code in wanted if code in self.purpose), "")
        return set_type(self.purpose.get(found, ""), found)

    def notes_in(self, notes: Notes, language: str = ALL_LANGUAGES) -> tuple[str, ...]:
        """Return the notes of a block in a language: those for all languages first, then its own."""
        own = notes.get(language) or notes.get(language.split("-")[0], ()) if language != ALL_LANGUAGES else ()
        return tuple(set_type(note, language) for note in (*notes.get(ALL_LANGUAGES, ()), *own))
