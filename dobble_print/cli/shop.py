"""The commands of a print shop: batch, cache and calibrate."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from dobble_print.cli.console import Console, print_lines
from dobble_print.cli.options import NoCache, Quiet, complete_theme, complete_words, find_printers, flag, make_flag
from dobble_print.errors import Fault, UsageError
from dobble_print.messages import quote
from dobble_print.options import MAKE, SHOP, BuildOptions, read_value
from dobble_print.resources import read_table
from dobble_print.units import Correction, papers, show_count

CACHE_ACTIONS, EDGES = ("info", "clear"), ("long", "short")
PAGE_TEXTS = "calibration.yaml"


Output = Annotated[Path, flag("--output -o FOLDER", "Folder for the results. Each job gets a folder in it.")]
Workers = Annotated[int | None, flag("--jobs -j NUMBER", "So many worker processes; else one a core.", SHOP)]
Timeout = Annotated[float, flag("--timeout SECONDS", "End a job that takes longer than that.", SHOP)]
Force = Annotated[bool, flag("--force", "Make every job, unchanged or not.", MAKE)]
RetryFailed = Annotated[bool, flag("--retry-failed", "Try unchanged jobs that failed again.", MAKE)]
Cluster = Annotated[
    str | None,
    flag("--cluster URL", "Workers of a Dask scheduler, such as tcp://host:8786; or local to start one.", SHOP),
]
Shard = Annotated[str | None, flag("--shard PART", "Only a part of the jobs: 2/5 is the second of five.", MAKE)]
Gang = Annotated[bool, flag("--gang", "Print the cards of all jobs on shared sheets.", SHOP)]
Watch = Annotated[
    Path | None, flag("--watch FOLDER", "A hot folder: what is dropped into it is built, until Ctrl-C.", MAKE)
]
Once = Annotated[bool, flag("--once", "With --watch: build what lies there and stop.", MAKE)]
Events = Annotated[bool, flag("--json", "Print what happens as JSON on stdout, one event a line.")]


def batch(
    *,
    jobs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[JOBS]...",
            help="Theme files, folders of themes, zips, or job lists (.csv, .xlsx, .yaml).",
            autocompletion=complete_theme,
        ),
    ] = None,
    output: Output = Path("output"),
    workers: Workers = None,
    timeout: Timeout = 600.0,
    force: Force = False,
    retry_failed: RetryFailed = False,
    no_cache: NoCache = False,
    cluster: Cluster = None,
    shard: Shard = None,
    gang: Gang = False,
    watch: Watch = None,
    once: Once = False,
    options: BuildOptions,
    as_json: Events = False,
    quiet: Quiet = False,
) -> None:
    """Make many decks from job lists and folders of themes.

    Each job runs in a process of its own and gets a folder with a report. What is unchanged since the last run is
    skipped; a job that fails does not stop the others.

      dobble-print batch jobs.csv --output decks
      dobble-print batch --watch incoming --profile shop-sra3-x4
    """
    from dobble_print.batch.jobs import BatchOptions
    from dobble_print.cli.batch import run_batch, run_watch

    if once and not watch:
        raise UsageError(Fault("--once goes with --watch", "Add --watch FOLDER, or leave it out."))
    asked = BatchOptions(
        build=replace(options, output=output, gang=gang),
        workers=workers,
        timeout_s=timeout,
        force=force,
        retry_failed=retry_failed,
        use_cache=not no_cache,
        cluster=cluster,
        shard=shard,
    )
    names, console = jobs or [], Console(quiet)
    sys.exit(
        run_watch(watch, names, asked, console, as_json, once) if watch else run_batch(names, asked, console, as_json)
    )


def manage_cache(
    action: Annotated[
        str,
        typer.Argument(
            metavar="[info|clear]",
            help="Tell what is kept (info), or let it all go (clear).",
            autocompletion=complete_words(lambda: CACHE_ACTIONS),
        ),
    ] = "info",
) -> None:
    """Tell how much drawn artwork is kept for the next build, or clear it.

    What is kept makes the next build of a deck faster. Clearing it loses nothing else.

      dobble-print cache
      dobble-print cache clear
    """
    from dobble_print.cache import Cache
    from dobble_print.theme.kinds import Choice

    cache = Cache()
    if read_value("cache", Choice(CACHE_ACTIONS), action) == "clear":
        print_lines(f"{cache.folder}: {show_count(cache.clear(), 'file')} cleared")
        return
    entries = cache.list_entries()
    size, most = (number / 1e6 for number in (sum(entry.size for entry in entries), cache.most_bytes))
    print_lines(f"{cache.folder}: {show_count(len(entries), 'file')}, {size:.1f} MB of {most:.0f} MB at most")


def calibrate(
    paper: Annotated[str | None, make_flag("paper")] = None,
    duplex: Annotated[
        str, flag("--duplex [long|short]", "The edge your printer flips on.", None, lambda: EDGES)
    ] = EDGES[0],
    back_offset: Annotated[str | None, make_flag("back_offset")] = None,
    scale: Annotated[str | None, make_flag("scale")] = None,
    save: Annotated[
        str | None, flag("--save NAME", "Keep --back-offset and --scale under this name, for --printer.")
    ] = None,
    printer: Annotated[
        str | None,
        flag(
            "--printer NAME",
            "A kept printer, to test it again: a new offset is added to the kept one, a new scale replaces it.",
            choices=find_printers,
        ),
    ] = None,
    lang: Annotated[
        str | None,
        flag("--lang CODE", "Language of the test page, such as nl.", choices=lambda: list(read_table(PAGE_TEXTS))),
    ] = None,
    output: Annotated[Path, flag("--output -o FOLDER", "Folder for the test page.")] = Path("output"),
) -> None:
    """Make a test page that shows how far backs and scale are off, and keep the cure.

    Print the page on both sides at actual size, and read off how far the back is shifted. Then keep what you read.

      dobble-print calibrate
      dobble-print calibrate --back-offset 0.7,-0.3 --save office
    """
    from dobble_print.files import deliver
    from dobble_print.press.calibration import make_calibration
    from dobble_print.press.printers import save_printer
    from dobble_print.theme.kinds import Choice
    from dobble_print.theme.options import SHEET

    is_given = back_offset is not None or scale is not None
    if save and not is_given:
        raise UsageError(Fault("there is nothing to save", "Give --back-offset or --scale, or both."))
    correction = _refine(BuildOptions(back_offset=back_offset, scale=scale, printer=printer), save)
    chosen = read_value("--paper", SHEET.field("paper").kind, paper or next(iter(papers())))
    edge = read_value("--duplex", Choice(EDGES), duplex)
    keep_as = save or (printer if is_given else None)
    if keep_as:
        kept = save_printer(keep_as, correction)
        across, along = "left" if correction.dx_mm < 0 else "right", "down" if correction.dy_mm < 0 else "up"
        shift = f"backs {abs(correction.dx_mm):g} mm to the {across} and {abs(correction.dy_mm):g} mm {along}"
        Console().say(f"{keep_as}: {shift}, scale {correction.scale:g}; use it with --printer {keep_as}")
    paths = deliver(output, {"calibrate.pdf": make_calibration(chosen, edge, correction, _read_language(lang))})
    print_lines(*([kept] if keep_as else []), *paths)
    if not is_given:
        then = "dobble-print calibrate --back-offset X,Y --save NAME"
        Console().suggest(f"Print it on both sides of a sheet, and type what you read there: {then}")


def _read_language(lang: str | None) -> str:
    """Return the language of the test page; refuse one that it is not written in."""
    from dobble_print.words.languages import find_language, find_row

    known = find_language(lang) if lang else None
    if lang and not (known and find_row(PAGE_TEXTS, known.code)):
        what = f"--lang: there is no test page in {quote(lang)}"
        raise UsageError(Fault(what, f"There is one in {', '.join(read_table(PAGE_TEXTS))}."))
    return known.code if known else "en"


def _refine(options: BuildOptions, save: str | None) -> Correction:
    """Return what is known of a printer, with what was given in its place or on top of it.

    An offset that is read off a page printed for a known printer is added to what is known of it. A scale takes the
    place of the known one, which that page has multiplied into the numbers of its table.
    """
    from dobble_print.build import find_fixes
    from dobble_print.press.printers import list_printers, load_printer

    if options.printer is None:
        return find_fixes(replace(options, printer=save if save in list_printers() else None))[0]
    known, (given, _) = load_printer(options.printer), find_fixes(replace(options, printer=None))
    scale = known.scale if options.scale is None else given.scale
    return Correction(round(known.dx_mm + given.dx_mm, 3), round(known.dy_mm + given.dy_mm, 3), scale)
