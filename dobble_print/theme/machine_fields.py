"""The keys that speak of machines: labels, cutting machines, printing presses, pictures, and profiles of all these.

Part of the one description of a theme (`fields`), in a module of its own for its length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from dobble_print.resources import THEME_ENDINGS, shipped_profiles
from dobble_print.theme import model
from dobble_print.theme.form import Field, Section
from dobble_print.theme.kinds import Choice, Flag, Line, Number, Schema
from dobble_print.theme.machine_model import BarPlace, TargetPlace

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
