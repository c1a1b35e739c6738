"""Arguments and options that several commands share, and how a shell completes them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def complete_theme(incomplete: str) -> list[str]:
    """Themes that may be meant."""
    from dobble_print.resources import shipped_themes

    near = [str(path) for path in Path().glob(f"{incomplete}*") if path.suffix in (".yaml", ".yml") or path.is_dir()]
    return [name for name in (*shipped_themes(), *sorted(near)) if name.startswith(incomplete)]


def complete_paper(incomplete: str) -> list[str]:
    """Papers that may be meant."""
    from dobble_print.units import papers

    return [name for name in papers() if name.lower().startswith(incomplete.lower())]


def complete_profile(incomplete: str) -> list[str]:
    """Profiles that may be meant."""
    from dobble_print.resources import shipped_profiles

    return [name for name in shipped_profiles() if name.startswith(incomplete)]


def complete_shape(incomplete: str) -> list[str]:
    """Shapes that may be meant."""
    from dobble_print.units import SHAPES

    return [name for name in SHAPES if name.startswith(incomplete)]


def complete_language(incomplete: str) -> list[tuple[str, str]]:
    """Languages that may be meant."""
    from dobble_print.words.languages import languages

    return [(code, row.name) for code, row in languages().items() if code.startswith(incomplete)]


def complete_group(incomplete: str) -> list[str]:
    """Groups of words that may be meant."""
    from dobble_print.words.lexicon import groups

    return [name for name in groups() if name.startswith(incomplete)]


def complete_book(incomplete: str) -> list[str]:
    """Booklet sizes that may be meant."""
    from dobble_print.resources import read_table

    return [size for size in read_table("booklet.yaml") if size.lower().startswith(incomplete.lower())]


Themes = Annotated[
    list[str],
    typer.Argument(
        metavar="THEME...",
        help="A theme file, a folder holding theme.yaml, or the name of a shipped theme.",
        autocompletion=complete_theme,
    ),
]
Paper = Annotated[
    str | None, typer.Option("--paper", help="Paper to print on, such as A4 or SRA3.", autocompletion=complete_paper)
]
Shape = Annotated[
    str | None, typer.Option("--shape", help="Card shape: round, hex or square.", autocompletion=complete_shape)
]
Languages = Annotated[
    list[str] | None,
    typer.Option("--lang", help="Language code; give it once for each language.", autocompletion=complete_language),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show where in the program an error arose.")]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        help="Settings for a printer or machine, such as shop-sra3-x4, or a profile file of your own.",
        autocompletion=complete_profile,
    ),
]
BackOffset = Annotated[
    str | None,
    typer.Option("--back-offset", help="Shift the backs by so many mm, right and up, such as 0.7,-0.3."),
]
FrontOffset = Annotated[
    str | None,
    typer.Option("--front-offset", help="Shift the fronts by so many mm, right and up; for labels."),
]
Scale = Annotated[str | None, typer.Option("--scale", help="Scale the print, such as 0.998 or 100/100.2.")]
# The options of `build` alone.
Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for the results; each theme gets a folder in it.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Another number deals and lays out another deck.")]
Cards = Annotated[int | None, typer.Option("--cards", help="Print only so many cards, symbols balanced.")]
Size = Annotated[
    str | None, typer.Option("--size", help="Card size in mm (or 3in): diameter, across the flats, or side.")
]
Quality = Annotated[
    str | None, typer.Option("--quality", help="How hard to try to fill the cards: draft, normal or best.")
]
Duplex = Annotated[
    str | None,
    typer.Option("--duplex", help="Backs: long or short (edge to flip on), separate (own file), fold, or none."),
]
Back = Annotated[str | None, typer.Option("--back", help="Colour of the backs, such as navy or #1d3557; or none.")]
LowInk = Annotated[
    bool, typer.Option("--low-ink", help="White cards, drawings as outlines, no coloured rims or backs.")
]
Copies = Annotated[int, typer.Option("--copies", help="Print the deck so many times.")]
Mark = Annotated[str, typer.Option("--mark", help="How copies are told apart: color (with a letter), letter or none.")]
Gang = Annotated[bool, typer.Option("--gang", help="Print all themes on shared sheets.")]
CutPath = Annotated[
    str | None, typer.Option("--cut-path", help="Cut as a spot colour: on the art, a page, a file, or none.")
]
CutName = Annotated[
    str | None, typer.Option("--cut-name", help="Name of that spot colour, such as CutContour or Thru-cut.")
]
OutputProfile = Annotated[
    Path | None, typer.Option("--output-profile", help="ICC profile of the press, for a print shop's PDF.")
]
Printer = Annotated[str | None, typer.Option("--printer", help="A printer whose correction `calibrate` has kept.")]
Dated = Annotated[bool, typer.Option("--date", help="Print today's date in the line on every sheet.")]
NoBooklet = Annotated[bool, typer.Option("--no-booklet", help="Make no rules booklet.")]
NoLegend = Annotated[bool, typer.Option("--no-legend", help="Make no legend of the symbols.")]
BookletSize = Annotated[
    str | None,
    typer.Option("--booklet-size", help="Pages of the booklet: A6, A5 or A4-folded.", autocompletion=complete_book),
]
Only = Annotated[str | None, typer.Option("--only", help="Reprint only these cards, such as 17,23 or 5-8.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Tell what each step did and took.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Do everything but write the files.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Draw and place everything anew.")]
