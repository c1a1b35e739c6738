"""The sections and keys of a theme file, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from dobble_print.resources import THEME_ENDINGS, shipped_profiles
from dobble_print.theme import model
from dobble_print.theme.face_kinds import CROP, FACES, FACES_BY, FILL, FONT, NOTATION, OWN_CROP, OWN_FACES
from dobble_print.theme.kinds import (
    LANGUAGE,
    PAPER,
    Choice,
    Color,
    Entries,
    Field,
    Flag,
    Line,
    Number,
    OneEmoji,
    OneWord,
    PicturePath,
    Schema,
    Section,
)
from dobble_print.theme.model import BarPlace, TargetPlace
from dobble_print.units import SHAPES

LABELS = Section(
    "labels",
    model.LabelOptions,
    "Cards on a sheet of labels: where its maker punched them.",
    (
        Field("columns", Number(1, 20, whole=True), "Labels side by side."),
        Field("rows", Number(1, 30, whole=True), "Labels below each other."),
        Field("left", Number(0, 300, "mm"), "From the paper's left edge to the first label.", "left_mm"),
        Field("top", Number(0, 300, "mm"), "From the paper's upper edge to the first label.", "top_mm"),
        Field("across", Number(10, 400, "mm"), "From a label to the next one beside it.", "across_mm"),
        Field("down", Number(10, 400, "mm"), "From a label to the next one below it.", "down_mm"),
    ),
    required=("columns", "rows", "left", "top", "across", "down"),
)
PLOTTER = Section(
    "plotter",
    model.PlotterOptions,
    "For a cutting machine that looks for printed marks.",
    (
        Field("marks", Flag(), "Print a square and two corners for the machine's camera."),
        Field("inset", Number(5, 50, "mm"), "From the paper's edge to the marks.", "inset_mm"),
        Field("square", Number(3, 15, "mm"), "Side of the square.", "square_mm"),
        Field("arm", Number(5, 50, "mm"), "Length of the corners' arms.", "arm_mm"),
        Field("line", Number(0.3, 2, "mm"), "Thickness of the corners' lines.", "line_mm"),
        Field(
            "files",
            Choice(get_args(model.CutFile)),
            "The cuts as files for the machine's program.",
            default="no files",
            is_list=True,
            most=2,
        ),
    ),
)
PRESS = Section(
    "press",
    model.PressOptions,
    "What a print shop asks for.",
    (
        Field("standard", Choice(get_args(model.Standard)), "PDF/X-4 or PDF/X-1a, in CMYK."),
        Field(
            "cut_path",
            Choice(get_args(model.CutPath)),
            "The cut as a spot colour: on the art, on a page of its own, or in a file of its own.",
        ),
        Field("cut_name", Line(40), "Name of that spot colour, such as CutContour, Thru-cut, Kiss-cut or DieLine."),
        Field("registration", Flag(), "Targets by which the press lays its colours over each other."),
        Field("registration_at", Choice(get_args(TargetPlace)), "Near the middles of the sides, or in the corners."),
        Field("color_bar", Flag(), "Patches of every ink in the margin."),
        Field("color_bar_at", Choice(get_args(BarPlace)), "The edge of the sheet that carries them."),
        Field("ink_limit", Number(200, 400, "%"), "Most ink on one spot, all colours together."),
        Field("least_dpi", Number(72, 1200, "dpi"), "Fewest pixels to the inch that pass the check.", "least_dpi"),
    ),
)
PICTURES = Section(
    "pictures",
    model.PictureOptions,
    "Cards as pictures instead of sheets, for print on demand, cutting machines and virtual tables.",
    (
        Field("kind", Choice(get_args(model.Pictures)), "One picture a card, or sheets for a virtual table."),
        Field("width", Number(100, 8192, "px", whole=True), "Width of a picture.", "width_px", default="as the card"),
        Field(
            "height",
            Number(100, 8192, "px", whole=True),
            "Its height; 21 million pixels in all.",
            "height_px",
            default="as the card",
        ),
        Field("dpi", Number(72, 1200, "dpi"), "Pixels to the inch."),
        Field("transparent", Flag(), "Nothing outside the bleed; otherwise its colour fills the picture."),
        Field(
            "most_width", Number(20, 1000, "mm"), "Widest card the machine takes.", "most_width_mm", default="no limit"
        ),
        Field("most_height", Number(20, 1000, "mm"), "Its greatest height.", "most_height_mm", default="no limit"),
        Field("url", Line(200), "What stands before the files' names in the list for a virtual table.", default="none"),
    ),
)


@dataclass(frozen=True)
class ProfileName:
    """The name of a shipped profile, or a profile's file; which one is asked later, when the folder is known."""

    def read(self, text: str) -> str:
        """The name as written."""
        return Line(200).read(text)

    def describe(self) -> str:
        """`a profile (dobble-print list profiles) or a .yaml file`."""
        return "a profile (`dobble-print list profiles`) or the path of a .yaml file"

    def schema(self) -> Schema:
        """The shipped names, which editors complete, or the path of a file."""
        endings = "|".join(ending[1:] for ending in THEME_ENDINGS)
        return {"anyOf": [{"enum": list(shipped_profiles())}, {"type": "string", "pattern": rf"\.({endings})$"}]}


PROFILE = Field(
    "profile",
    ProfileName(),
    "Settings for a printer or machine; what the theme itself says counts more.",
    default="none",
)
_ROTATIONS = Choice(get_args(model.Rotation))
DECK = Section(
    "deck",
    model.DeckOptions,
    "How many symbols and cards.",
    (
        Field(
            "symbols_per_card",
            Number(3, 14, whole=True, word="auto"),
            "How many symbols each card shows; auto takes what gives most cards.",
            default="auto",
        ),
        Field("cards", Number(2, 183, whole=True, word="all"), "How many cards to make.", default="all"),
        Field("seed", Number(0, 999_999_999, whole=True), "Another number shuffles another deck."),
        Field(
            "levels",
            Number(3, 14, whole=True),
            "Several decks in one box, such as [4, 5, 6]: one a level, each with so many symbols a card.",
            default="one deck",
            is_list=True,
            most=6,
        ),
    ),
    apart=(("levels", "symbols_per_card"), ("levels", "cards")),
)
CARD = Section(
    "card",
    model.CardOptions,
    "What each card looks like.",
    (
        Field("shape", Choice(tuple(SHAPES)), "The outline to cut."),
        Field("size", Number(30, 300, "mm"), "Diameter, or distance between opposite sides.", "size_mm"),
        Field(
            "corner",
            Number(0, 12, "mm", word="auto"),
            "Radius of rounded corners; a round card has none.",
            "corner_mm",
            default="auto",
        ),
        Field("background", Color(), "Colour behind the symbols."),
        Field("rim", Color(allows_none=True), "Colour of the line along the edge, or none.", "rim_color"),
        Field("rim_width", Number(0, 5, "mm"), "Thickness of that line.", "rim_width_mm"),
        Field("number", Flag(), "A tiny number and the deck's id at the foot of each card.", "number_on_rim"),
    ),
)
LAYOUT = Section(
    "layout",
    model.LayoutOptions,
    "How the symbols spread over a card.",
    (
        Field("size_spread", Number(1, 4), "How many times larger the largest symbol is than the smallest."),
        Field("min_size", Number(3, 60, "mm"), "No symbol gets smaller than this.", "min_size_mm"),
        Field(
            "rotation",
            _ROTATIONS,
            "Turn symbols any way, tilt them a little, or keep them upright.",
            default="full (text: tilt, or upright where b could be read as d, 6 as 9, or + as ×)",
        ),
        Field(
            "min_x_height",
            Number(1, 10, "mm"),
            "No word gets smaller letters than this, measured on an x.",
            "min_x_height_mm",
        ),
        Field("gap", Number(0.5, 10, "mm"), "Least distance between two symbols.", "gap_mm"),
        Field("margin", Number(0, 10, "mm"), "Least distance between a symbol and the cut.", "margin_mm"),
        Field(
            "keep_center_free",
            Number(0, 50, "mm"),
            "Radius of a circle in the middle that stays free, for a hole or a spinner.",
            "keep_center_free_mm",
        ),
        Field("quality", Choice(get_args(model.Quality)), "How long to look for a good arrangement."),
    ),
)
SHEET = Section(
    "sheet",
    model.SheetOptions,
    "The paper to print on.",
    (
        Field("paper", PAPER, "Size of the paper.", default="A4"),
        Field("edge", Number(0, 30, "mm"), "Strip along the paper's edge that the printer leaves white.", "edge_mm"),
        Field("bleed", Number(0, 10, "mm"), "How far the card's colour runs over the cut line.", "bleed_mm"),
        Field("cut_line", Choice(get_args(model.CutLine)), "The line to cut along."),
        Field("crop_marks", Flag(), "Short marks outside the cards that show a cutter where to cut."),
        Field("centre_ticks", Flag(), "Four ticks in the bleed of each card, to lay a punch against."),
        Field(
            "share_edges",
            Flag(),
            "Hexagons and squares with sharp corners touch each other; each shared edge is cut once.",
        ),
        Field("low_ink", Flag(), "White cards, no coloured rim, and drawings as outlines."),
        Field("ruler", Flag(), "A ruler of 100 mm in the margin, to check the printer's scale."),
        Field(
            "duplex",
            Choice(get_args(model.Duplex)),
            "How the paper is turned: over its long or short edge; separate: backs as a file of their own; "
            "fold: backs beside the fronts, to fold over and glue; or none.",
        ),
    ),
)
BACK = Section(
    "back",
    model.BackOptions,
    "The other side of the cards: none, a colour, a pattern of the symbols, or a picture.",
    (
        Field("color", Color(), "Colour of the back."),
        Field("pattern", Choice(("symbols",)), "Scatter the theme's own symbols over it.", default="no pattern"),
        Field("image", PicturePath(), "A picture that fills the back.", default="no picture"),
    ),
    short=Color(allows_none=True),
)
TITLE_LINE = Line(60)
NAME = Line(80)
ID = Line(80)
PARAGRAPH = Line(600)
SYMBOLS = Section(
    "symbols",
    model.Symbol,
    "The things to find, one a line: a word, an emoji, the path of a picture, or {…} with the keys below.",
    (
        Field("word", OneWord(), "The picture and its names: a word of the lexicon."),
        Field("emoji", OneEmoji(), "The picture: an emoji."),
        Field("image", PicturePath(), "The picture: a file in the theme's folder."),
        Field("text", Line(40), "The picture: letters or a sum, such as 3 × 4."),
        Field(
            "names",
            NAME,
            "What it is called, by language; nl: … may also stand beside emoji.",
            default="those of the lexicon",
            by_language=True,
        ),
        OWN_FACES,
        Field("id", ID, "A short name for results; needed only when two would be the same.", default="its name"),
        Field(
            "background",
            Choice(("keep", "remove")),
            "For an image: cut it out of its plain background.",
            default="keep",
        ),
        OWN_CROP,
        Field("color", Color(), "For a text: the colour of its letters.", default="one that everybody tells apart"),
        Field(
            "badge",
            Color(),
            "For a text: draw it on a badge of this colour, or of two.",
            default="no badge",
            is_list=True,
            most=2,
        ),
        Field("rotation", _ROTATIONS, "For this symbol alone; see layout.", default="as in layout"),
        Field("scale", Number(0.5, 2), "Larger or smaller than its neighbours.", default="1"),
    ),
)
TITLE = Field("title", TITLE_LINE, "Name of the game, or one a language.", default="the file's name", by_language=True)
PURPOSE = Field("purpose", Line(200), "One line that says what the theme is for.")
LANGUAGES = Field(
    "languages",
    LANGUAGE,
    "Languages of the names, for the legend and the booklet.",
    default="those in which all symbols have names",
    is_list=True,
)
ARTICLE = Field(
    "article", Flag(), 'Print names with their articles, where they are known: "der Hund".', default="false"
)
ART = Field(
    "art",
    Choice(get_args(model.EmojiArt)),
    "Who draws the emoji: twemoji, flat and colourful; openmoji, with black outlines; or its lines alone, for copiers.",
    default="twemoji",
)
LEGEND_ORDER = Field(
    "legend_order",
    Choice(("name", "theme")),
    "How the legend is sorted: by name, in the first language's alphabet, or as the symbols stand in the theme.",
    default="name",
)
TEAMS = Section(
    "teams",
    model.TeamOptions,
    "Deal the deck to teams; the cards that are left over start the game.",
    (
        Field("cards_each", Number(1, 90, whole=True), "How many cards each team gets."),
        Field("start_rim", Color(), "Colour of the rim of the start cards."),
    ),
    required=("cards_each", "colors"),
    entries=Entries(
        Section(
            "colors",
            model.Team,
            'The teams, such as {color: "#e63946", en: red, nl: rood}.',
            (Field("color", Color(), "Colour of the rim of the team's cards."),),
            short=Color(),
            required=("color",),
            names=NAME,
        ),
        least=2,
        most=6,
    ),
)
SPECIALS = Entries(
    Section(
        "specials",
        model.Special,
        "Symbols with a rule of their own, which the booklet shows and explains.",
        (
            Field("symbol", ID, "The id of the symbol."),
            Field("rule", PARAGRAPH, "The rule, or one a language.", by_language=True),
        ),
        required=("symbol", "rule"),
    ),
    least=0,
    most=20,
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
THEME: tuple[Field | Section | Entries, ...] = (
    *(TITLE, PURPOSE, LANGUAGES, ARTICLE, LEGEND_ORDER, ART, PROFILE),
    *(FACES, FACES_BY, FONT, NOTATION, CROP, FILL),
    *SECTIONS,
    *(SYMBOLS, TEAMS, SPECIALS),
    *NOTES,
)
