"""How fast a print shop's day is: many different 57-symbol themes through `dobble-print batch`.

    python benchmarks/batch.py [--themes 100] [--workers 2]

Every deck is full: cards, booklet in two languages, legend, preview and record. The themes are different (57 words of
the lexicon each, drawn at random with a fixed seed), so every deck is dealt and laid out anew. *Cold* starts with an
empty cache; *warm* starts with a cache that knows the artwork but none of the layouts; *again* knows both, as when a
shop prints the same decks for another machine. The Dask row runs a real scheduler and worker processes of its own; as
machines are not equally fast all the time, the warm batch runs before and after it, and the mean of both counts.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
PROGRAM = "from dobble_print.cli.app import main; main()"
SYMBOLS = 57
GOAL_DECKS, GOAL_MB, GOAL_SPEEDUP, GOAL_OVERHEAD = 30.0, 400.0, 1.7, 0.10


@dataclass(frozen=True)
class Run:
    """One batch: wall seconds, and for each deck its CPU seconds and the peak memory of its worker."""

    wall_s: float
    cpu_s: list[float]
    peak_mb: list[float]

    @property
    def per_minute(self) -> float:
        """Decks a minute."""
        return 60 * len(self.cpu_s) / self.wall_s

    def describe(self) -> str:
        """A row of the table."""
        mean_cpu = sum(self.cpu_s) / len(self.cpu_s)
        return f"{self.wall_s:7.1f}  {self.per_minute:9.1f}  {mean_cpu:8.2f}  {max(self.peak_mb):8.0f}"


def write_themes(folder: Path, count: int) -> None:
    """Different themes, the same in every run."""
    from dobble_print.words.lexicon import words

    known = sorted(words())
    folder.mkdir()
    for number in range(count):
        chosen = random.Random(number).sample(known, SYMBOLS)
        lines = [f"title: Class {number}", "languages: [en, nl]", "symbols:", *(f"  - {{word: {w}}}" for w in chosen)]
        (folder / f"class-{number:03}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def environment(cache: Path) -> dict[str, str]:
    """What the program's processes see."""
    settings = {"OMP_NUM_THREADS": "1", "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false"}  # as the README advises
    return {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(cache), **settings}


def run_batch(folder: Path, themes: Path, *options: str) -> Run:
    """One batch into a new folder of results."""
    output = folder / "out"
    shutil.rmtree(output, ignore_errors=True)
    arguments = ["batch", str(themes), "--output", str(output), "--json", *options]
    since = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], env=environment(folder / "cache"), capture_output=True, text=True
    )
    wall_s = time.perf_counter() - since
    if done.returncode:
        sys.exit(done.stdout[-2000:] + done.stderr[-2000:])
    events = [json.loads(line) for line in done.stdout.splitlines()]
    decks = [event for event in events if event["event"] == "done"]
    return Run(wall_s, [deck["cpu_s"] for deck in decks], [deck["peak_mb"] for deck in decks])


def _start_quietly(command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    silence = subprocess.DEVNULL
    return subprocess.Popen(command, env=environment(folder / "cache"), cwd=folder, stdout=silence, stderr=silence)


@contextmanager
def open_cluster(folder: Path, workers: int) -> Iterator[str]:
    """A Dask scheduler and workers, each a process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    scheduler = ["scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    worker = ["worker", address, "--nthreads", "1", "--memory-limit", "0", "--no-dashboard"]
    start = [sys.executable, "-m", "dask"]
    processes = [_start_quietly([*start, *each], folder) for each in [scheduler, *[worker] * workers]]
    try:
        from distributed import Client

        with Client(address, timeout=60) as client:
            client.wait_for_workers(workers, timeout=60)
        yield address
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            process.wait()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--themes", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        rows = measure(Path(name), asked.themes, asked.workers)
    print(f"{asked.themes} themes of {SYMBOLS} symbols; full decks: cards, booklet in two languages, legend")
    print(f"{'':34}   wall s  decks/min  CPU/deck   peak MB")
    for title, run in rows.items():
        print(f"{title:34}  {run.describe()}")
    cold, warm, dask, after, alone, again = rows.values()
    both = Run((warm.wall_s + after.wall_s) / 2, warm.cpu_s, warm.peak_mb)
    print(f"speed-up of {asked.workers} workers over 1: {alone.wall_s / both.wall_s:.2f} (goal: {GOAL_SPEEDUP})")
    print(f"warm over cold: {cold.wall_s / both.wall_s:.2f}; again over cold: {cold.wall_s / again.wall_s:.2f}")
    print(f"overhead of Dask: {dask.wall_s / both.wall_s - 1:+.1%} (goal: at most {GOAL_OVERHEAD:.0%})")
    peak = max(max(run.peak_mb) for run in rows.values())
    print(f"peak memory of a worker: {peak:.0f} MB (goal: at most {GOAL_MB:.0f})")
    print(f"warm: {both.per_minute:.1f} full decks a minute (goal: {GOAL_DECKS:.0f})")


def measure(folder: Path, count: int, workers: int) -> dict[str, Run]:
    """All rows of the table; each warm one starts from the same cache of artwork."""
    themes, many = folder / "themes", str(workers)
    write_themes(themes, count)
    cold = run_batch(folder, themes, "-j", many)
    again = run_batch(folder, themes, "-j", many, "--force")
    shutil.rmtree(folder / "cache")
    run_batch(folder, themes, "-j", many, "--quality", "draft", "--no-booklet", "--no-legend")  # artwork only
    shutil.copytree(folder / "cache", folder / "artwork")
    warm = run_warm(folder, themes, "-j", many)
    with open_cluster(folder, workers) as address:
        dask = run_warm(folder, themes, "--cluster", address)
    after = run_warm(folder, themes, "-j", many)
    alone = run_warm(folder, themes, "-j", "1")
    return {
        f"cold, {workers} workers": cold,
        f"warm, {workers} workers": warm,
        f"warm, Dask with {workers} workers": dask,
        f"warm, {workers} workers, after Dask": after,
        "warm, 1 worker": alone,
        f"again, {workers} workers": again,
    }


def run_warm(folder: Path, themes: Path, *options: str) -> Run:
    """A batch whose cache knows the artwork and no layout."""
    shutil.rmtree(folder / "cache")
    shutil.copytree(folder / "artwork", folder / "cache")
    return run_batch(folder, themes, *options)


if __name__ == "__main__":
    main()
