"""The options of a theme: every key of a theme file, declared once, on the frozen dataclass that holds its value.

Invariant: what a key is called, what it may hold, what it does and what holds without it stands here alone; the reader,
the schema for editors and the reference in the documentation are made of it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from dobble_print.theme.kinds import (
    EMOJI,
    FACE,
    FLAG,
    FONT_NAME,
    ICC_PATH,
    LANGUAGE,
    MOST_FACES,
    OWN_FACE,
    PAPER,
    PICTURE_PATH,
    PROFILE_NAME,
    WORD,
    Choice,
    ColorKind,
    FaceEntry,
    FaceWord,
    Kind,
    LineOfText,
    Number,
)
from dobble_print.units import SHAPES, Paper

Standard = Literal["none", "x-4", "x-1a"]
CutPath = Literal["none", "art", "page", "file"]
CutFile = Literal["svg", "dxf"]
TargetPlace = Literal["sides", "corners"]
BarPlace = Literal["any", "top", "bottom", "left", "right"]
Pictures = Literal["none", "cards", "tabletop"]
Rotation = Literal["full", "tilt", "upright"]
Quality = Literal["draft", "normal", "best"]
CutLine = Literal["hairline", "dashed", "none"]
Duplex = Literal["long", "short", "separate", "fold", "none"]
ShapeName = Literal["round", "hex", "square"]
Notation = Literal["written", "language"]
Crop = Literal["none", "square", "circle"]
EmojiArt = Literal["twemoji", "openmoji", "openmoji-lines"]
BackFit = Literal["auto", "contain", "cover"]
FacesBy = Literal["slot", "card"]
MOST_PIXELS = 21_000_000  # of one picture: a card of 3.5 inches with its bleed at 1200 dpi, in 450 MB of memory
HINT_PIXELS = f"Give them {MOST_PIXELS // 10**6} million pixels at most."
TITLE_LINE = LineOfText(60)
NAME = LineOfText(80)
ID = LineOfText(80)
PARAGRAPH = LineOfText(600)
BACK_COLOR = ColorKind(allows_none=True)


@dataclass(frozen=True)
class Field:
    """One key: `attribute` is its name in the dataclass, `default` what holds without it, as a value or in words.

    A list (of `most` values at most) may also be written as its one value.
    """

    key: str
    kind: Kind
    explain: str
    default: Any = None
    by_language: bool = False
    is_list: bool = False
    most: int = 100
    is_required: bool = False
    attribute: str = ""


def key(
    default: Any, kind: Kind, explain: str, words: str = "", name: str = "", most: int = 0, by_language: bool = False
) -> Any:
    """Declare an attribute of a frozen dataclass as a key of a theme file.

    `default` is a value, a function that makes one, or `MISSING`; `words` say it where neither the value nor the kind's
    own word for none does. `name` is the key where it is not the attribute's without its unit; `most` makes it a list.
    """
    is_made = callable(default)
    shown = words or getattr(kind, "word", "") or (None if is_made or default is MISSING else default)
    declared = Field(name, kind, explain, shown, by_language, most > 0, most, default is MISSING)
    value: dict[str, Any] = {"default_factory": default} if is_made else {"default": default}
    return dataclasses.field(**value, metadata={"key": declared})


def keys_of(model: type) -> tuple[Field, ...]:
    """Return the keys that a dataclass declares, in their order."""
    declared = [(each.name, each.metadata["key"]) for each in dataclasses.fields(model) if "key" in each.metadata]
    return tuple(
        dataclasses.replace(field, key=field.key or re.sub("_(mm|px)$", "", name), attribute=name)
        for name, field in declared
    )


@dataclass(frozen=True)
class Section:
    """A key that holds the keys of a dataclass; `short` is a single value that may stand in their place.

    `apart` names keys that exclude each other, `names` is what languages may hold that stand between the keys. With
    `most` it is a list, each of whose entries holds the keys; `entries` is such a list below another section.
    """

    key: str
    model: type
    explain: str
    short: Kind | None = None
    apart: tuple[tuple[str, str], ...] = ()
    names: Kind | None = None
    entries: Section | None = None
    least: int = 0
    most: int = 0

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The keys of the dataclass."""
        return keys_of(self.model)

    @property
    def keys(self) -> list[str]:
        """Every key it knows, that of its list last."""
        return [*(field.key for field in self.fields), *([self.entries.key] if self.entries else [])]

    @property
    def required(self) -> list[str]:
        """The keys that have no default."""
        needed = [field.key for field in self.fields if field.is_required]
        return [*needed, self.entries.key] if self.entries else needed

    def field(self, key: str) -> Field:
        """Return the field of a key."""
        return next(field for field in self.fields if field.key == key)

    def describe(self) -> str:
        """Say how many entries a list takes: `2 to 6 entries`."""
        return f"{self.least} to {self.most} entries" if self.most else ""


@dataclass(frozen=True)
class DeckOptions:
    """How many symbols a card (None: the best for this many symbols), how many cards (None: all), which shuffle."""

    symbols_per_card: int | None = key(
        None,
        Number(3, 14, whole=True, word="auto"),
        "How many symbols each card shows; auto takes what gives most cards.",
    )
    cards: int | None = key(None, Number(2, 183, whole=True, word="all"), "How many cards to make.")
    seed: int = key(1, Number(0, 999_999_999, whole=True), "Another number shuffles another deck.")
    levels: tuple[int, ...] = key(
        (),
        Number(3, 14, whole=True),
        "Several decks in one box, such as [4, 5, 6]: one a level, each with so many symbols a card.",
        "one deck",
        most=6,
    )


@dataclass(frozen=True)
class CardOptions:
    """What a card looks like; `corner_mm` None means the shape's own default."""

    shape: ShapeName = key("round", Choice(tuple(SHAPES)), "The outline to cut.")
    size_mm: float = key(85.0, Number(30, 300, "mm"), "Diameter, or distance between opposite sides.")
    corner_mm: float | None = key(
        None, Number(0, 12, "mm", word="auto"), "Radius of rounded corners; a round card has none."
    )
    background: str = key("#ffffff", ColorKind(), "Colour behind the symbols.")
    rim_color: str = key(
        "#1d3557", ColorKind(allows_none=True), "Colour of the line along the edge, or none.", name="rim"
    )
    rim_width_mm: float = key(1.2, Number(0, 5, "mm"), "Thickness of that line.")
    number_on_rim: bool = key(False, FLAG, "A tiny number and the deck's id at the foot of each card.", name="number")


_ROTATIONS = Choice(get_args(Rotation))


@dataclass(frozen=True)
class LayoutOptions:
    """How symbols spread over a card; `rotation` None means: pictures any way up, text as its letters bear it."""

    size_spread: float = key(2.0, Number(1, 4), "How many times larger the largest symbol is than the smallest.")
    min_size_mm: float = key(8.0, Number(3, 60, "mm"), "No symbol gets smaller than this.")
    rotation: Rotation | None = key(
        None,
        _ROTATIONS,
        "Turn symbols any way, tilt them a little, or keep them upright.",
        "full (text: tilt, or upright where b could be read as d, 6 as 9, or + as ×)",
    )
    min_x_height_mm: float = key(2.5, Number(1, 10, "mm"), "No word gets smaller letters than this, measured on an x.")
    gap_mm: float = key(1.5, Number(0.5, 10, "mm"), "Least distance between two symbols.")
    margin_mm: float = key(3.0, Number(0, 10, "mm"), "Least distance between a symbol and the cut.")
    keep_center_free_mm: float = key(
        0.0, Number(0, 50, "mm"), "Radius of a circle in the middle that stays free, for a hole or a spinner."
    )
    quality: Quality = key("normal", Choice(get_args(Quality)), "How long to look for a good arrangement.")


@dataclass(frozen=True)
class SheetOptions:
    """The paper, and what it carries around the cards."""

    paper: Paper = key(lambda: PAPER.read("A4"), PAPER, "Size of the paper.", "A4")
    edge_mm: float = key(5.0, Number(0, 30, "mm"), "Strip along the paper's edge that the printer leaves white.")
    bleed_mm: float = key(3.0, Number(0, 10, "mm"), "How far the card's colour runs over the cut line.")
    gap_mm: float | None = key(
        None,
        Number(0, 30, "mm"),
        "Distance between the cuts of neighbours; where it is less than both bleeds, each bleed ends midway.",
        "twice the bleed",
    )
    cut_line: CutLine = key("hairline", Choice(get_args(CutLine)), "The line to cut along.")
    crop_marks: bool = key(True, FLAG, "Short marks outside the cards that show a cutter where to cut.")
    centre_ticks: bool = key(False, FLAG, "Four ticks in the bleed of each card, to lay a punch against.")
    share_edges: bool = key(
        False, FLAG, "Hexagons and squares with sharp corners touch each other; each shared edge is cut once."
    )
    low_ink: bool = key(False, FLAG, "White cards, no coloured rim, and drawings and words as outlines.")
    ruler: bool = key(True, FLAG, "A ruler of 100 mm in the margin, to check the printer's scale.")
    duplex: Duplex = key(
        "long",
        Choice(get_args(Duplex)),
        "How the paper is turned: over its long or short edge; separate: backs as a file of their own; "
        "fold: backs beside the fronts, to fold over and glue; or none.",
    )


@dataclass(frozen=True)
class BackOptions:
    """The other side of a card: none, a colour, with a pattern of the theme's own symbols, or a picture."""

    color: str = key("#1d3557", ColorKind(), "Colour of the back.")
    kind: Literal["none", "color", "pattern", "image"] = key(
        "none", Choice(("symbols",)), "Scatter the theme's own symbols over it.", "no pattern", "pattern"
    )
    image: Path | None = key(None, PICTURE_PATH, "A picture on the back, centred.", "no picture")
    fit: BackFit = key(
        "auto",
        Choice(get_args(BackFit)),
        "The picture covers the back and is trimmed, or stands whole inside it; auto: it covers the back where it has "
        "nearly the card's shape.",
    )
    color_is_chosen: bool = False  # or else the picture chooses what is around it


@dataclass(frozen=True)
class LabelOptions:
    """A sheet of labels as its maker describes it: the first label's box from the upper left, then the steps."""

    columns: int = key(MISSING, Number(1, 20, whole=True), "Labels side by side.")
    rows: int = key(MISSING, Number(1, 30, whole=True), "Labels below each other.")
    left_mm: float = key(MISSING, Number(0, 300, "mm"), "From the paper's left edge to the first label.")
    top_mm: float = key(MISSING, Number(0, 300, "mm"), "From the paper's upper edge to the first label.")
    across_mm: float = key(MISSING, Number(10, 400, "mm"), "From a label to the next one beside it.")
    down_mm: float = key(MISSING, Number(10, 400, "mm"), "From a label to the next one below it.")


@dataclass(frozen=True)
class PlotterOptions:
    """What a cutting machine wants: marks that its camera finds, and the cuts as files."""

    marks: bool = key(False, FLAG, "Print a square and two corners for the machine's camera.")
    inset_mm: float = key(10.0, Number(5, 50, "mm"), "From the paper's edge to the marks.")
    square_mm: float = key(5.0, Number(3, 15, "mm"), "Side of the square.")
    arm_mm: float = key(20.0, Number(5, 50, "mm"), "Length of the corners' arms.")
    line_mm: float = key(0.5, Number(0.3, 2, "mm"), "Thickness of the corners' lines.")
    files: tuple[CutFile, ...] = key(
        (), Choice(get_args(CutFile)), "The cuts as files for the machine's program.", "no files", most=2
    )


@dataclass(frozen=True)
class PressOptions:
    """What a print shop wants: the standard of the PDF, and the cut as a plate of its own."""

    standard: Standard = key("none", Choice(get_args(Standard)), "PDF/X-4 or PDF/X-1a, in CMYK.")
    cut_path: CutPath = key(
        "none",
        Choice(get_args(CutPath)),
        "The cut as a spot colour: on the art, on a page of its own, or in a file of its own.",
    )
    cut_name: str = key(
        "CutContour", LineOfText(40), "Name of that spot colour, such as CutContour, Thru-cut, Kiss-cut or DieLine."
    )
    registration: bool = key(False, FLAG, "Targets by which the press lays its colours over each other.")
    registration_at: TargetPlace = key(
        "sides", Choice(get_args(TargetPlace)), "Near the middles of the sides, or in the corners."
    )
    color_bar: bool = key(False, FLAG, "Patches of every ink in the margin.")
    color_bar_at: BarPlace = key("any", Choice(get_args(BarPlace)), "The edge of the sheet that carries them.")
    output_profile: Path | None = key(
        None,
        ICC_PATH,
        "ICC profile of the press: a file in the folder of the theme or profile that names it.",
        "the one that comes with the program",
    )
    ink_limit: float = key(300.0, Number(200, 400, "%"), "Most ink on one spot, all colours together.")
    least_dpi: float = key(300.0, Number(72, 1200, "dpi"), "Fewest pixels to the inch that pass the check.")


@dataclass(frozen=True)
class PictureOptions:
    """Cards as pictures instead of sheets; sizes of None follow from the card."""

    kind: Pictures = key("none", Choice(get_args(Pictures)), "One picture a card, or sheets for a virtual table.")
    width_px: int | None = key(None, Number(100, 8192, "px", whole=True), "Width of a picture.", "as the card")
    height_px: int | None = key(
        None, Number(100, 8192, "px", whole=True), "Its height; 21 million pixels in all.", "as the card"
    )
    dpi: float = key(300.0, Number(72, 1200, "dpi"), "Pixels to the inch.")
    transparent: bool = key(False, FLAG, "Nothing outside the bleed; otherwise its colour fills the picture.")
    most_width_mm: float | None = key(None, Number(20, 1000, "mm"), "Widest card the machine takes.", "no limit")
    most_height_mm: float | None = key(None, Number(20, 1000, "mm"), "Its greatest height.", "no limit")
    url: str = key("", LineOfText(200), "What stands before the files' names in the list for a virtual table.", "none")


_CROPS = Choice(get_args(Crop))
KEPT = "true"
REMARKS = Choice(
    (
        "unknown",
        "lookalike",
        "same_picture",
        "twice",
        "small",
        "pale",
        "long",
        "nameless",
        "sum",
        "equal",
        "fault",
        KEPT,
    )
)


@dataclass(frozen=True)
class SymbolOptions:
    """What an entry of the list of symbols may say; None and nothing leave it to the theme or to the lexicon."""

    word: str = key("", WORD, "The picture and its names: a word of the lexicon.")
    picture: str = key(
        "", LineOfText(40), "Which picture of a word that has several: the English word for it.", "the commonest"
    )
    emoji: str = key("", EMOJI, "The picture: an emoji.")
    image: str = key("", PICTURE_PATH, "The picture: a file in the theme's folder.")
    text: str = key("", LineOfText(40), "The picture: letters or a sum, such as 3 × 4.")
    names: Mapping[str, str] = key(
        dict,
        NAME,
        "What it is called, by language, or one name for all; nl: … may also stand beside emoji.",
        "those of the lexicon",
        by_language=True,
    )
    faces: tuple[FaceWord | FaceEntry, ...] = key(
        (),
        OWN_FACE,
        'The looks of this symbol alone, such as ["3 × 4", "12"]; two to four.',
        "as in the theme",
        most=MOST_FACES,
    )
    id: str = key("", ID, "A short name that stays when its names change; see above.", "its name")
    background: Literal["keep", "remove"] = key(
        "keep", Choice(("keep", "remove")), "For an image: cut it out of its plain background."
    )
    crop: Crop | None = key(None, _CROPS, "For a photo: trim it to a square or a circle.", "as in the theme")
    color: str = key("", ColorKind(), "For a text: the colour of its letters.", "one that everybody tells apart")
    badge: tuple[str, ...] = key(
        (), ColorKind(), "For a text: draw it on a badge of this colour, or of two.", "no badge", most=2
    )
    rotation: Rotation | None = key(None, _ROTATIONS, "For this symbol alone; see layout.", "as in layout")
    scale: float = key(1.0, Number(0.5, 2), "Larger or smaller than its neighbours.")
    keep: tuple[str, ...] = key(
        (),
        REMARKS,
        "true: it stays on the cards where others are left out. Or remarks of the studio that were answered so.",
        "every remark is shown",
        most=12,
    )
    filled: bool = key(
        False, FLAG, "The studio added this word to complete the deck: left out before others, with a star until kept."
    )


@dataclass(frozen=True)
class Team:
    """Players on one side: the colour of their cards, and what it is called, by language."""

    color: str = key(MISSING, ColorKind(), "Colour of the rim of the team's cards.")
    names: Mapping[str, str] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class TeamOptions:
    """A deck dealt to teams: so many cards each; the rest are start cards, with a rim of their own."""

    teams: tuple[Team, ...]
    cards_each: int = key(MISSING, Number(1, 90, whole=True), "How many cards each team gets.")
    start_rim: str = key("#000000", ColorKind(), "Colour of the rim of the start cards.")


@dataclass(frozen=True)
class Special:
    """A symbol, by its id, with a rule of its own, by language."""

    symbol: str = key(MISSING, ID, "The id of the symbol.")
    rule: Mapping[str, str] = key(MISSING, PARAGRAPH, "The rule, or one a language.", by_language=True)


DECK = Section(
    "deck",
    DeckOptions,
    "How many symbols and cards.",
    apart=(("levels", "symbols_per_card"), ("levels", "cards")),
)
CARD = Section("card", CardOptions, "What each card looks like.")
LAYOUT = Section("layout", LayoutOptions, "How the symbols spread over a card.")
SHEET = Section("sheet", SheetOptions, "The paper to print on.")
BACK = Section(
    "back",
    BackOptions,
    "The other side of the cards: none, a colour, a pattern of the symbols, or a picture.",
    short=BACK_COLOR,
)
LABELS = Section("labels", LabelOptions, "Cards on a sheet of labels: where its maker punched them.")
PLOTTER = Section("plotter", PlotterOptions, "For a cutting machine that looks for printed marks.")
PRESS = Section("press", PressOptions, "What a print shop asks for.")
PICTURES = Section(
    "pictures",
    PictureOptions,
    "Cards as pictures instead of sheets, for print on demand, cutting machines and virtual tables.",
)
SYMBOLS = Section(
    "symbols",
    SymbolOptions,
    "The things to find, one a line: a word, an emoji, the path of a picture, or {…} with the keys below.",
)
TEAM_COLORS = Section(
    "colors",
    Team,
    'The teams, such as {color: "#e63946", en: red, nl: rood}.',
    short=ColorKind(),
    names=NAME,
    least=2,
    most=6,
)
TEAMS = Section(
    "teams",
    TeamOptions,
    "Deal the deck to teams; the cards that are left over start the game.",
    entries=TEAM_COLORS,
)
SPECIALS = Section(
    "specials", Special, "Symbols with a rule of their own, which the booklet shows and explains.", most=20
)
TITLE = Field("title", TITLE_LINE, "Name of the game, or one a language.", "the file's name", by_language=True)
PURPOSE = Field(
    "purpose", LineOfText(200), "One line that says what the theme is for, or one a language.", by_language=True
)
LANGUAGES = Field(
    "languages",
    LANGUAGE,
    "Languages of the names, for the legend and the booklet.",
    "those in which all symbols have names",
    is_list=True,
)
ARTICLE = Field("article", FLAG, 'Print names with their articles, where they are known: "der Hund".', "false")
LEGEND_ORDER = Field(
    "legend_order",
    Choice(("name", "theme")),
    "How the legend is sorted: by name, in the first language's alphabet, or as the symbols stand in the theme.",
    "name",
)
ART = Field(
    "art",
    Choice(get_args(EmojiArt)),
    "Who draws the emoji: twemoji, flat and colourful; openmoji, with black outlines; or its lines alone, for copiers.",
    "twemoji",
)
PROFILE = Field(
    "profile", PROFILE_NAME, "Settings for a printer or machine; what the theme itself says counts more.", "none"
)
FACES = Field(
    "faces",
    FACE,
    "How cards show the symbols, in turn: [picture, word:nl] shows a dog as a picture on one card, as hond on another.",
    "picture",
    is_list=True,
    most=MOST_FACES,
)
FACES_BY = Field(
    "faces_by",
    Choice(get_args(FacesBy)),
    "What decides the face: its slot, so that every card mixes them; or the card: then the deck has parts, one all "
    "pictures, one all words, and a match goes across.",
    "slot",
)
FONT = Field("font", FONT_NAME, "The font of words and sums.", "sans")
NOTATION = Field(
    "notation",
    Choice(get_args(Notation)),
    "Numbers and sums as they stand here, or as the first language writes them: 0,5 in Dutch, 3 · 4 in German.",
    "written",
)
CROP = Field("crop", _CROPS, "Trim photos to a square or a circle around their middle.", "none")
FILL = Field(
    "fill",
    LineOfText(40),
    "Complete the deck with words of the lexicon: lexicon, or a group such as animals (`dobble-print list words`).",
    "only the symbols listed",
)
NOTES = tuple(
    Field(key, PARAGRAPH, f"{what}: a text or a list of texts, or one a language.", by_language=True, is_list=True)
    for key, what in (
        ("credits", "Who made it, in the booklet"),
        ("footnotes", "Small print under the legend"),
        ("license", "What others may do with it, in the booklet"),
    )
)
SECTIONS = (DECK, CARD, LAYOUT, SHEET, BACK, LABELS, PLOTTER, PRESS, PICTURES)
THEME: tuple[Field | Section, ...] = (
    *(TITLE, PURPOSE, LANGUAGES, ARTICLE, LEGEND_ORDER, ART, PROFILE),
    *(FACES, FACES_BY, FONT, NOTATION, CROP, FILL),
    *SECTIONS,
    *(SYMBOLS, TEAMS, SPECIALS),
    *NOTES,
)
