"""The commands of a print shop: batch, cache and calibrate."""

from __future__ import annotations

import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dobble_print.cli.console import Console
from dobble_print.cli.options import NoCache, Quiet, complete_theme, make_flag
from dobble_print.errors import Fault, UsageError
from dobble_print.options import BuildOptions, read_value
from dobble_print.units import Correction, papers

Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for the results; each job gets a folder in it.")]
Workers = Annotated[int | None, typer.Option("--jobs", "-j", help="So many worker processes; else one a core.")]
Timeout = Annotated[float, typer.Option("--timeout", help="End a job that takes longer than so many seconds.")]
Shard = Annotated[str | None, typer.Option("--shard", help="Only a part of the jobs: 2/5 is the second of five.")]
Events = Annotated[bool, typer.Option("--json", help="Print what happens as JSON on stdout, one event a line.")]
CacheAction = StrEnum("CacheAction", ["info", "clear"])


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
    force: Annotated[bool, typer.Option("--force", help="Make every job, unchanged or not.")] = False,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Try unchanged jobs that failed again.")] = False,
    no_cache: NoCache = False,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", help="Workers of a Dask scheduler, such as tcp://host:8786; or local to start one."),
    ] = None,
    shard: Shard = None,
    gang: Annotated[bool, typer.Option("--gang", help="Print the cards of all jobs on shared sheets.")] = False,
    watch: Annotated[
        Path | None, typer.Option("--watch", help="A hot folder: what is dropped into it is built, until Ctrl-C.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="With --watch: build what lies there and stop.")] = False,
    options: BuildOptions,
    as_json: Events = False,
    quiet: Quiet = False,
) -> None:
    """Make many decks: each job in a process and a folder of its own, with a report; what is unchanged is skipped."""
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
    action: Annotated[CacheAction, typer.Argument(help="Tell what is kept, or let it all go.")] = CacheAction.info,
) -> None:
    """Tell how much drawn artwork is kept for the next batch, or clear it."""
    from dobble_print.cache import Cache

    cache = Cache()
    if action is CacheAction.clear:
        print(f"{cache.folder}: {cache.clear()} entries cleared")
        return
    entries = cache.list_entries()
    size, most = (number / 1e6 for number in (sum(entry.size for entry in entries), cache.most_bytes))
    print(f"{cache.folder}: {len(entries)} entries, {size:.1f} MB of {most:.0f} MB at most")


def calibrate(
    paper: Annotated[str | None, make_flag("paper")] = None,
    duplex: Annotated[str, typer.Option("--duplex", help="The edge your printer flips on: long or short.")] = "long",
    back_offset: Annotated[str | None, make_flag("back_offset")] = None,
    scale: Annotated[str | None, make_flag("scale")] = None,
    save: Annotated[
        str | None, typer.Option("--save", help="Keep --back-offset and --scale under this name, for --printer.")
    ] = None,
    printer: Annotated[
        str | None,
        typer.Option("--printer", help="A printer that is kept: test it again; what you read now is added to it."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the test page.")] = Path("output"),
) -> None:
    """Print a test page that shows how far backs and scale are off, and keep what puts them right."""
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
    edge = read_value("--duplex", Choice(("long", "short")), duplex)
    keep_as = save or (printer if is_given else None)
    if keep_as:
        kept = save_printer(keep_as, correction)
        shift = f"backs {correction.dx_mm:g} mm to the right and {correction.dy_mm:g} mm up"
        Console().say(f"{keep_as}: {shift}, scale {correction.scale:g}; use it with --printer {keep_as}")
    paths = deliver(output, {"calibrate.pdf": make_calibration(chosen, edge, correction)})
    print(*([kept] if keep_as else []), *paths, sep="\n")


def _refine(options: BuildOptions, save: str | None) -> Correction:
    """Return what is known of a printer, with what was given in its place or on top of it.

    What is read off a page that was printed for a known printer is added to what is known of it.
    """
    from dobble_print.build import find_fixes
    from dobble_print.press.printers import list_printers, load_printer

    if options.printer is None:
        return find_fixes(replace(options, printer=save if save in list_printers() else None))[0]
    known, (given, _) = load_printer(options.printer), find_fixes(replace(options, printer=None))
    return Correction(
        round(known.dx_mm + given.dx_mm, 3), round(known.dy_mm + given.dy_mm, 3), round(known.scale * given.scale, 6)
    )
