"""The command line: Typer only. Parse, call, print, exit."""

from __future__ import annotations

import os
import signal
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dobble_print import __version__
from dobble_print.cli.examine import preflight, verify
from dobble_print.cli.options import (
    Back,
    BackOffset,
    BookletSize,
    Cards,
    Copies,
    CutName,
    CutPath,
    Dated,
    Debug,
    DryRun,
    Duplex,
    FrontOffset,
    Gang,
    Json,
    Languages,
    LowInk,
    Mark,
    NoBooklet,
    NoCache,
    NoLegend,
    Only,
    Output,
    OutputProfile,
    Paper,
    Printer,
    Profile,
    Quality,
    Quiet,
    Scale,
    Seed,
    Shape,
    Size,
    Themes,
    Verbose,
    complete_group,
    complete_language,
    complete_theme,
)
from dobble_print.cli.shop import batch, calibrate, manage_cache

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
    profiles = "profiles"
    printers = "printers"


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"dobble-print {__version__}")
        raise typer.Exit


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
    output: Output = Path("output"),
    seed: Seed = None,
    cards: Cards = None,
    profile: Profile = None,
    paper: Paper = None,
    shape: Shape = None,
    size: Size = None,
    lang: Languages = None,
    quality: Quality = None,
    duplex: Duplex = None,
    back: Back = None,
    low_ink: LowInk = False,
    copies: Copies = 1,
    mark: Mark = "none",
    gang: Gang = False,
    cut_path: CutPath = None,
    cut_name: CutName = None,
    output_profile: OutputProfile = None,
    front_offset: FrontOffset = None,
    back_offset: BackOffset = None,
    scale: Scale = None,
    printer: Printer = None,
    dated: Dated = False,
    no_booklet: NoBooklet = False,
    no_legend: NoLegend = False,
    booklet_size: BookletSize = None,
    only: Only = None,
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    debug: Debug = False,
    dry_run: DryRun = False,
    no_cache: NoCache = False,
) -> None:
    """Build decks: sheets of cards, rules booklet, legend, preview and record for each theme."""
    from dobble_print import cache
    from dobble_print.cli import run as jobs
    from dobble_print.cli import run as runner
    from dobble_print.cli.console import Console
    from dobble_print.options import BuildOrder
    from dobble_print.theme.overrides import Overrides

    with runner.guard(debug):
        cache.use_cache(cache.open_own_cache(not no_cache))
        asked = (seed, cards, paper, shape, size, runner.split_languages(lang), quality, duplex)
        overrides = Overrides(*asked, back, profile, cut_name, cut_path, low_ink or None)
        numbers = runner.parse_numbers(only) if only is not None else []
        correction = jobs.read_correction(printer, back_offset, scale)
        shift = jobs.read_front_offset(front_offset)
        extras = (not no_booklet, not no_legend, booklet_size, copies, mark, output_profile, correction, shift, dated)
        order = BuildOrder(overrides, numbers, output, dry_run, *extras)
        console = Console(quiet, verbose)
        job = (jobs.gang_job if gang else jobs.build_job)(themes, order, as_json, console)
        inputs = [" + ".join(themes)] if gang else themes
        sys.exit(runner.run_themes(inputs, job, console, as_json, debug))


app.command()(preflight)


app.command()(calibrate)


app.command()(verify)


@app.command()
def check(
    themes: Themes,
    lang: Languages = None,
    report: Annotated[Path | None, typer.Option("--report", help="Draw symbols that look alike: pairs.png.")] = None,
    as_json: Json = False,
    debug: Debug = False,
    no_cache: NoCache = False,
) -> None:
    """Name every fault of a theme at once, and symbols that look alike, and tell what deck it gives."""
    from dobble_print import cache
    from dobble_print.cli import run as runner
    from dobble_print.cli.console import Console
    from dobble_print.theme.overrides import Overrides

    with runner.guard(debug):
        cache.use_cache(cache.open_own_cache(not no_cache))
        console = Console()
        runner.check_report_name(report, themes)
        job = runner.check_job(Overrides(languages=runner.split_languages(lang)), as_json, console, report)
        sys.exit(runner.run_themes(themes, job, console, as_json, debug))


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Name of the new theme.")],
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="LIST|FOLDER|WORDS",
            help='A list (.csv, .tsv, .xlsx), words in quotes ("cat, dog, sun"), or a folder of pictures.',
        ),
    ] = None,
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang", help="With --from: the language of the words or file names.", autocompletion=complete_language
        ),
    ] = None,
    debug: Debug = False,
) -> None:
    """Write a commented theme to start from, or one made of your list, words or pictures."""
    from dobble_print.cli import run as runner
    from dobble_print.cli.console import Console
    from dobble_print.importing.new_theme import write_new_theme

    with runner.guard(debug):
        made = write_new_theme(name, source, lang)
        print(*made.paths, sep="\n")
        runner.tell_new(made.remarks, made.words, made.advice, Console())


@app.command(name="list")
def list_things(
    what: Annotated[Listable, typer.Argument(help="What to list.")],
    group: Annotated[
        str | None,
        typer.Option("--group", help="Only the words of this group, such as animals.", autocompletion=complete_group),
    ] = None,
    lang: Languages = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """List the shipped themes, or the papers, shapes, languages, words and profiles a theme can ask for."""
    from dobble_print.cli import run as runner
    from dobble_print.cli.show import describe, print_rows

    with runner.guard(debug):
        print_rows(describe(what.value, group, runner.split_languages(lang), deep=as_json), as_json)


@app.command()
def rules(
    theme: Annotated[
        str | None, typer.Argument(help="A theme, for the numbers of its deck.", autocompletion=complete_theme)
    ] = None,
    lang: Languages = None,
    debug: Debug = False,
) -> None:
    """Print the rules of the games in the terminal."""
    from dobble_print.cli import run as runner
    from dobble_print.cli.show import write_rules

    with runner.guard(debug):
        print(write_rules(theme, runner.split_languages(lang)), end="")


@app.command()
def schema(debug: Debug = False) -> None:
    """Print the JSON Schema of theme files, for editors that complete and check them."""
    from dobble_print.cli import run as runner
    from dobble_print.theme.json_schema import write_schema

    with runner.guard(debug):
        print(write_schema(), end="")


app.command()(batch)


app.command(name="cache")(manage_cache)


def main() -> None:
    """The command `dobble-print`."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy starts: its threads only burn time on small arrays
    _mend_streams()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        from dobble_print.cli import run as runner

        with runner.guard():
            app()
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)


def _interrupt(*_: object) -> None:
    """Being told to stop by a machine is the same as by a person: tell how far it came, leave nothing half-written."""
    raise KeyboardInterrupt


def _mend_streams() -> None:
    """A closed stream or a narrow terminal encoding is no reason to fail."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - it stays open as long as the program runs
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
