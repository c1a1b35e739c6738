"""The commands of a print shop: batch, cache and calibrate."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from dobble_print import __version__
from dobble_print.batch.cluster import count_workers, open_crew
from dobble_print.batch.hot_folder import HotFolder
from dobble_print.batch.jobs import GangParcel, Job, Misfit, Outcome, list_jobs
from dobble_print.batch.reports import sweep_parts, write_json
from dobble_print.batch.scheduler import Conductor, Settings, describe_outcome, shard_jobs
from dobble_print.cache import open_own_cache
from dobble_print.cli.console import Console, Progress, count_outcomes, write_table
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
from dobble_print.errors import ExitCode, Fault, OutputError, Refusal, UsageError
from dobble_print.files import deliver
from dobble_print.messages import quote
from dobble_print.options import BuildOrder
from dobble_print.theme.overrides import read_overrides
from dobble_print.theme.profiles import find_profile

MOST_TIMEOUT_S = 86_400.0
MANY_JOBS = 4  # from here on it pays to prepare workers thoroughly


@dataclass(frozen=True)
class BatchOrder:
    """What the command line asks of a batch."""

    order: BuildOrder
    jobs: int | None = None
    timeout_s: float = 600.0
    force: bool = False
    retry_failed: bool = False
    use_cache: bool = True
    cluster: str | None = None
    shard: str | None = None
    gang: bool = False
    as_json: bool = False
    quiet: bool = False

    def make_settings(self) -> Settings:
        """The same for the conductor; raises a `UsageError` for what no job could be made with."""
        _refuse_missing(self.order)
        if not 1 <= self.timeout_s <= MOST_TIMEOUT_S:
            raise UsageError(Fault(f"--timeout: {self.timeout_s:g} seconds", f"Give 1 to {MOST_TIMEOUT_S:g}."))
        cache = open_own_cache(self.use_cache)
        return Settings(self.timeout_s, cache, self.force, self.retry_failed, self.gang)


def _refuse_missing(order: BuildOrder) -> None:
    """Profiles that the command line names are there, even if every row of a list has its own."""
    order.make_wishes()
    read_overrides(order.overrides)
    try:
        if order.overrides.profile:
            find_profile(order.overrides.profile, Path())
        if order.output_profile:
            order.output_profile.open("rb").close()
    except Refusal as refusal:
        raise UsageError(Fault(f"--profile: {refusal.what}", refusal.hint)) from None
    except OSError as error:
        what = f"--output-profile: {order.output_profile} cannot be read ({error.strerror})"
        raise UsageError(Fault(what, "Give the ICC profile that the print shop named.")) from None


def run_batch(names: Sequence[str], asked: BatchOrder) -> ExitCode:
    """Make every job, tell how each went, and write it all down."""
    settings, workers, part = asked.make_settings(), count_workers(asked.jobs), read_shard(asked.shard)
    if not names:
        raise UsageError(Fault("there are no jobs", "Name themes, folders or job lists, or a folder with --watch."))
    jobs = shard_jobs(list_jobs(names, asked.order), *part)
    output = asked.order.output
    prepare_output(output)
    if not asked.as_json:
        Console(asked.quiet).warn(list_renamed(jobs))
    progress = Progress(Console(asked.quiet), asked.as_json, len(jobs) + asked.gang)
    outcomes: list[Outcome] = []
    is_told = False
    try:
        with open_crew(min(workers, max(len(jobs), 1)), asked.cluster, progress.step, len(jobs) >= MANY_JOBS) as crew:
            conductor = Conductor(crew, settings, progress.tell, outcomes)
            conductor.run(jobs)
            if asked.gang:
                run_gang(conductor)
    finally:
        progress.close()
        over = {outcome.id for outcome in outcomes}
        is_told = _tell_end(asked, outcomes, progress.seconds, [job.id for job in jobs if job.id not in over])
    return _sum_up(outcomes, is_told)


def list_renamed(jobs: Iterable[Job | Misfit]) -> list[Fault]:
    """Jobs whose ids had to change to be names of files on every system."""
    renamed = [job for job in jobs if isinstance(job, Job) and job.asked and job.id != job.asked]
    return [Fault(f"the id {quote(job.asked)} becomes {quote(job.id)}", place=job.place) for job in renamed]


def run_watch(folder: Path, names: Sequence[str], asked: BatchOrder, once: bool) -> ExitCode:
    """Build whatever is dropped into a folder; the same theme dropped again is tried again."""
    if names or asked.gang or asked.shard:
        raise UsageError(Fault("--watch takes its jobs from the folder alone", "Leave out jobs, --gang and --shard."))
    settings, workers = replace(asked.make_settings(), retry_failed=True), count_workers(asked.jobs)
    prepare_output(asked.order.output)
    progress = Progress(Console(asked.quiet), asked.as_json, None)
    hot = HotFolder(folder, asked.order, progress.tell)
    conductor: Conductor | None = None
    try:
        with open_crew(workers, asked.cluster, progress.step, not once) as crew:
            conductor = Conductor(crew, settings, hot.finish)
            hot.watch(conductor, once)
    finally:
        progress.close()
        is_told = conductor is not None and _tell_end(asked, conductor.outcomes, progress.seconds)
    return _sum_up(conductor.outcomes, is_told)


def _sum_up(outcomes: Sequence[Outcome], is_told: bool) -> ExitCode:
    """The code of the whole run; a run of which nobody can read the summary is none."""
    if any(each.status == "failed" for each in outcomes):
        return ExitCode.SOME_FAILED
    return ExitCode.OK if is_told else ExitCode.OUTPUT


def read_shard(text: str | None) -> tuple[int, int]:
    """`2/5`: the second of five parts."""
    found = re.fullmatch(r"\s*(\d{1,4})\s*/\s*(\d{1,4})\s*", text or "1/1")
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError(Fault(f'--shard: "{text}" is no part', "Write 2/5 for the second of five parts."))
    return int(found[1]), int(found[2])


def prepare_output(folder: Path) -> None:
    """The folder of results, there and writable, before hours of work are put into it."""
    probe = folder / f".probe.{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        sweep_parts(folder)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        hint = "Choose another folder with --output, or ask for the right to write there."
        raise OutputError(Fault(f"cannot write to {folder} ({error.strerror})", hint)) from None


def run_gang(conductor: Conductor) -> None:
    """The cards of all jobs that went well, on shared sheets, in the order of the list."""
    parcels = conductor.parcels
    members = tuple(parcels[outcome.id] for outcome in conductor.outcomes if outcome.id in parcels)
    if not members:
        return
    absent = tuple(outcome.id for outcome in conductor.outcomes if outcome.id not in parcels)
    key = hashlib.sha256("".join([*(member.inputs for member in members), *absent]).encode()).hexdigest()
    first = members[0]
    job = Job("gang", first.job.theme, first.job.order)
    ledger = replace(first, job=job, inputs=key, shown=" + ".join(member.job.id for member in members))
    conductor.finish_gang(ledger, GangParcel(members, absent))


def _tell_end(asked: BatchOrder, outcomes: Sequence[Outcome], seconds: float, left: Sequence[str] = ()) -> bool:
    """The table, and `batch.json` beside the jobs' folders, if that can be written.

    `left` are jobs that an interrupted run did not get to.
    """
    part, parts = read_shard(asked.shard)
    name = "batch.json" if parts == 1 else f"batch-{part}of{parts}.json"
    counts = count_outcomes(outcomes)
    content: dict[str, Any] = {
        "program": f"dobble-print {__version__}",
        **counts,
        "left": len(left),
        "left_jobs": list(left),
        "jobs": [_describe(each) for each in outcomes],
        "times": {"wall_s": seconds, "cpu_s": round(sum(each.cpu_s for each in outcomes), 3)},
    }
    console, path, is_told = Console(asked.quiet), None, True
    try:  # a run without any job must not wipe out what the last one told
        path = deliver(asked.order.output, {name: write_json(content)})[0] if outcomes else None
    except OutputError as error:
        console.fail(error.faults)
        is_told = False
    if asked.as_json:
        import json

        end = {"event": "end", **counts, "left": len(left), "seconds": seconds, "report": path and str(path)}
        print(json.dumps(end), flush=True)
        return is_told
    print(*(write_table(outcomes) if outcomes else ()), sep="\n", end="\n" if outcomes else "")
    told = f"{counts['done']} done, {counts['skipped']} skipped (unchanged), {counts['failed']} failed"
    print(f"{told}{f', {len(left)} left' if left else ''} in {seconds:.1f} s", flush=True)
    if path:
        print(path, flush=True)
    return is_told


def _describe(outcome: Outcome) -> dict[str, Any]:
    event = describe_outcome(outcome)
    times = {key: event.pop(key) for key in ("seconds", "cpu_s", "peak_mb") if key in event}
    return {"id": event.pop("job"), "status": event.pop("event"), **event, "reason": outcome.reason, "times": times}


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
    from dobble_print.errors import Fault, UsageError
    from dobble_print.options import BuildOrder
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
    from dobble_print.cli import run as jobs
    from dobble_print.cli import run as runner
    from dobble_print.cli.console import Console

    with runner.guard(debug):
        asked = (paper, duplex, back_offset, scale, save, printer)
        print(*jobs.write_calibration(*asked, output, Console()), sep="\n")
