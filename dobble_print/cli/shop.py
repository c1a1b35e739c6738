"""The commands of a print shop: batch, cache and calibrate."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dobble_print.cli.console import Console
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
    Duplex,
    Languages,
    LowInk,
    Mark,
    NoBooklet,
    NoCache,
    NoLegend,
    OutputProfile,
    Paper,
    Profile,
    Quality,
    Quiet,
    Scale,
    Seed,
    Shape,
    Size,
    complete_theme,
)
from dobble_print.errors import Fault, UsageError
from dobble_print.options import BuildOrder

Jobs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[JOBS]...",
        help="Theme files, folders of themes, zips, or job lists (.csv, .xlsx, .yaml).",
        autocompletion=complete_theme,
    ),
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for the results; each job gets a folder in it.")]
Workers = Annotated[int | None, typer.Option("--jobs", "-j", help="So many worker processes; else one a core.")]
Timeout = Annotated[float, typer.Option("--timeout", help="End a job that takes longer than so many seconds.")]
Force = Annotated[bool, typer.Option("--force", help="Make every job, unchanged or not.")]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Try unchanged jobs that failed again.")]
Cluster = Annotated[
    str | None,
    typer.Option("--cluster", help="Workers of a Dask scheduler, such as tcp://host:8786; or local to start one."),
]
Shard = Annotated[str | None, typer.Option("--shard", help="Only a part of the jobs: 2/5 is the second of five.")]
Gang = Annotated[bool, typer.Option("--gang", help="Print the cards of all jobs on shared sheets.")]
Watch = Annotated[
    Path | None, typer.Option("--watch", help="A hot folder: what is dropped into it is built, until Ctrl-C.")
]
Once = Annotated[bool, typer.Option("--once", help="With --watch: build what lies there and stop.")]
Events = Annotated[bool, typer.Option("--json", help="Print what happens as JSON on stdout, one event a line.")]


class CacheAction(StrEnum):
    """What can be done with the cache."""

    info = "info"
    clear = "clear"


def batch(
    jobs: Jobs = None,
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
    cut_path: CutPath = None,
    cut_name: CutName = None,
    output_profile: OutputProfile = None,
    dated: Dated = False,
    no_booklet: NoBooklet = False,
    no_legend: NoLegend = False,
    booklet_size: BookletSize = None,
    as_json: Events = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Make many decks: each job in a process and a folder of its own, with a report; what is unchanged is skipped."""
    from dobble_print.cli import run as runner
    from dobble_print.cli.batch import BatchOrder, run_batch, run_watch
    from dobble_print.theme.overrides import Overrides

    with runner.guard(debug):
        asked = (seed, cards, paper, shape, size, runner.split_languages(lang), quality, duplex)
        overrides = Overrides(*asked, back, profile, cut_name, cut_path, low_ink or None)
        extras = (not no_booklet, not no_legend, booklet_size, copies, mark, output_profile)
        order = BuildOrder(overrides, (), output, False, *extras, dated=dated)
        ways = (workers, timeout, force, retry_failed, not no_cache, cluster, shard, gang, as_json, quiet)
        whole = BatchOrder(order, *ways)
        if once and not watch:
            raise UsageError(Fault("--once goes with --watch", "Add --watch FOLDER, or leave it out."))
        sys.exit(run_watch(watch, jobs or [], whole, once) if watch else run_batch(jobs or [], whole))


def manage_cache(
    action: Annotated[CacheAction, typer.Argument(help="Tell what is kept, or let it all go.")] = CacheAction.info,
    debug: Debug = False,
) -> None:
    """Tell how much drawn artwork is kept for the next batch, or clear it."""
    from dobble_print.cache import Cache, find_cache_folder
    from dobble_print.cli import run as runner

    with runner.guard(debug):
        cache = Cache(find_cache_folder())
        if action is CacheAction.clear:
            print(f"{cache.folder}: {cache.clear()} entries cleared")
            return
        entries = cache.list_entries()
        size, most = (number / 1e6 for number in (sum(entry.size for entry in entries), cache.most_bytes))
        print(f"{cache.folder}: {len(entries)} entries, {size:.1f} MB of {most:.0f} MB at most")


def calibrate(
    paper: Paper = None,
    duplex: Annotated[str, typer.Option("--duplex", help="The edge your printer flips on: long or short.")] = "long",
    back_offset: BackOffset = None,
    scale: Scale = None,
    save: Annotated[
        str | None, typer.Option("--save", help="Keep --back-offset and --scale under this name, for --printer.")
    ] = None,
    printer: Annotated[
        str | None,
        typer.Option("--printer", help="A printer that is kept: test it again; what you read now is added to it."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the test page.")] = Path("output"),
    debug: Debug = False,
) -> None:
    """Print a test page that shows how far backs and scale are off, and keep what puts them right."""
    from dobble_print.cli import run as runner

    with runner.guard(debug):
        asked = (paper, duplex, back_offset, scale, save, printer)
        print(*runner.write_calibration(*asked, output, Console()), sep="\n")
