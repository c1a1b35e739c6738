"""The command line: Typer only. Parse, call, print, exit."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dobble_print import __version__

app = typer.Typer(
    name="dobble-print",
    help="Make a find-the-match card game: a list of pictures or words goes in, cut-ready sheets come out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Listable(StrEnum):
    """What `list` can list."""

    themes = "themes"
    papers = "papers"
    shapes = "shapes"
    languages = "languages"
    words = "words"


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"dobble-print {__version__}")
        raise typer.Exit


def _complete_theme(incomplete: str) -> list[str]:
    from dobble_print.theme.resources import shipped_themes

    near = [str(path) for path in Path().glob(f"{incomplete}*") if path.suffix in (".yaml", ".yml") or path.is_dir()]
    return [name for name in (*shipped_themes(), *sorted(near)) if name.startswith(incomplete)]


def _complete_paper(incomplete: str) -> list[str]:
    from dobble_print.theme.tables import papers

    return [name for name in papers() if name.lower().startswith(incomplete.lower())]


def _complete_shape(incomplete: str) -> list[str]:
    from dobble_print.units import SHAPES

    return [name for name in SHAPES if name.startswith(incomplete)]


def _complete_language(incomplete: str) -> list[tuple[str, str]]:
    from dobble_print.theme.tables import languages

    return [(code, row.name) for code, row in languages().items() if code.startswith(incomplete)]


def _complete_group(incomplete: str) -> list[str]:
    from dobble_print.theme.lexicon import groups

    return [name for name in groups() if name.startswith(incomplete)]


def _complete_book(incomplete: str) -> list[str]:
    from dobble_print.theme.source import read_table

    return [size for size in read_table("booklet.yaml") if size.lower().startswith(incomplete.lower())]


Themes = Annotated[
    list[str],
    typer.Argument(
        metavar="THEME...",
        help="A theme file, a folder holding theme.yaml, or the name of a shipped theme.",
        autocompletion=_complete_theme,
    ),
]
Paper = Annotated[
    str | None, typer.Option("--paper", help="Paper to print on, such as A4 or SRA3.", autocompletion=_complete_paper)
]
Shape = Annotated[
    str | None, typer.Option("--shape", help="Card shape: round, hex or square.", autocompletion=_complete_shape)
]
Languages = Annotated[
    list[str] | None,
    typer.Option("--lang", help="Language code; give it once for each language.", autocompletion=_complete_language),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show where in the program an error arose.")]


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def build(
    themes: Themes,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for the results; each theme gets a folder in it.")
    ] = Path("output"),
    seed: Annotated[int | None, typer.Option("--seed", help="Another number deals and lays out another deck.")] = None,
    cards: Annotated[int | None, typer.Option("--cards", help="Print only so many cards, symbols balanced.")] = None,
    paper: Paper = None,
    shape: Shape = None,
    size: Annotated[
        float | None, typer.Option("--size", help="Card size in mm: diameter, across the flats, or side.")
    ] = None,
    lang: Languages = None,
    quality: Annotated[
        str | None, typer.Option("--quality", help="How hard to try to fill the cards: draft, normal or best.")
    ] = None,
    duplex: Annotated[
        str | None,
        typer.Option("--duplex", help="Backs: long or short (edge to flip on), separate (own file) or none."),
    ] = None,
    no_booklet: Annotated[bool, typer.Option("--no-booklet", help="Make no rules booklet.")] = False,
    no_legend: Annotated[bool, typer.Option("--no-legend", help="Make no legend of the symbols.")] = False,
    booklet_size: Annotated[
        str | None,
        typer.Option(
            "--booklet-size", help="Pages of the booklet: A6, A5 or A4-folded.", autocompletion=_complete_book
        ),
    ] = None,
    only: Annotated[str | None, typer.Option("--only", help="Reprint only these cards, such as 17,23 or 5-8.")] = None,
    as_json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell what each step did and took.")] = False,
    debug: Debug = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Do everything but write the files.")] = False,
) -> None:
    """Build decks: sheets of cards, rules booklet, legend, preview and record for each theme."""
    from dobble_print import runner
    from dobble_print.console import Console
    from dobble_print.theme.reader import Overrides

    with runner.guard(debug):
        overrides = Overrides(seed, cards, paper, shape, size, runner.split_languages(lang), quality, duplex)
        numbers = runner.parse_numbers(only) if only is not None else []
        console = Console(quiet, verbose)
        order = runner.BuildOrder(overrides, numbers, output, dry_run, not no_booklet, not no_legend, booklet_size)
        job = runner.build_job(order, as_json, console)
        sys.exit(runner.run_themes(themes, job, console, as_json, debug))


@app.command()
def check(themes: Themes, lang: Languages = None, as_json: Json = False, debug: Debug = False) -> None:
    """Name every fault of a theme at once and tell what deck it gives. Writes nothing."""
    from dobble_print import runner
    from dobble_print.console import Console
    from dobble_print.theme.reader import Overrides

    with runner.guard(debug):
        console = Console()
        job = runner.check_job(Overrides(languages=runner.split_languages(lang)), as_json, console)
        sys.exit(runner.run_themes(themes, job, console, as_json, debug))


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Name of the new theme.")],
    from_folder: Annotated[
        Path | None, typer.Option("--from", help="A folder of pictures: one symbol a file, named after the file.")
    ] = None,
    lang: Annotated[
        str | None,
        typer.Option("--lang", help="With --from: the language of the file names.", autocompletion=_complete_language),
    ] = None,
    debug: Debug = False,
) -> None:
    """Write a commented theme to start from."""
    from dobble_print import runner
    from dobble_print.workshop import suggest_next_step, write_new_theme

    with runner.guard(debug):
        paths = write_new_theme(name, from_folder, lang)
        print(*paths, sep="\n")
        print(suggest_next_step(paths[0], from_folder), file=sys.stderr)


@app.command(name="list")
def list_things(
    what: Annotated[Listable, typer.Argument(help="What to list.")],
    group: Annotated[
        str | None,
        typer.Option("--group", help="Only the words of this group, such as animals.", autocompletion=_complete_group),
    ] = None,
    lang: Languages = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """List the shipped themes, or the papers, shapes, languages and words a theme can ask for."""
    from dobble_print import runner
    from dobble_print.workshop import describe, print_rows

    with runner.guard(debug):
        print_rows(describe(what.value, group, runner.split_languages(lang), deep=as_json), as_json)


@app.command()
def rules(
    theme: Annotated[
        str | None, typer.Argument(help="A theme, for the numbers of its deck.", autocompletion=_complete_theme)
    ] = None,
    lang: Languages = None,
    debug: Debug = False,
) -> None:
    """Print the rules of the games in the terminal."""
    from dobble_print import runner
    from dobble_print.workshop import write_rules

    with runner.guard(debug):
        print(write_rules(theme, runner.split_languages(lang)), end="")


@app.command()
def schema(debug: Debug = False) -> None:
    """Print the JSON Schema of theme files, for editors that complete and check them."""
    from dobble_print import runner
    from dobble_print.theme.schema import write_schema

    with runner.guard(debug):
        print(write_schema(), end="")


def main() -> None:
    """The command `dobble-print`."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy starts: its threads only burn time on small arrays
    _mend_streams()
    try:
        from dobble_print import runner

        with runner.guard():
            app()
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)


def _mend_streams() -> None:
    """A closed stream or a narrow terminal encoding is no reason to fail."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - it stays open as long as the program runs
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
