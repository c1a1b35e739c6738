"""How soon a preview shows the cards after a change, in a process that runs already, as behind a page with a list.

    python benchmarks/preview.py [--symbols 31 57] [--runs N]

Each figure is the median of some runs, in seconds that pass and in seconds of CPU: on a busy machine only the latter
mean something. Pictures are drawn before the clock starts, but for the one that a change brings.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # CPU time is measured: no idle BLAS threads

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.layout import SYMBOLS
from dobble_print.build import preview
from dobble_print.cache import Cache, use_cache
from dobble_print.theme.reader import read_theme

RIM = "🧦"  # not among the first symbols: what a change brings
LIMITS_S = {"a word added": 0.5, "a picture replaced": 0.5, "a rename": 0.1, "a shuffle": 0.6, "a look again": 0.1}

Change = Callable[[list[str], int], tuple[list[str], int]]
CHANGES: dict[str, Change] = {
    "a word added": lambda lines, run: ([*lines[:-1], f'{{text: "word {run}"}}'], run),
    "a picture replaced": lambda lines, run: ([f"{{emoji: {RIM}, scale: 1.{run}}}", *lines[1:]], 1),
    "a rename": lambda lines, run: ([lines[0].replace("first", f"name {run}"), *lines[1:]], 1),
    "a shuffle": lambda lines, run: (lines, 100 + run),
    "a look again": lambda lines, run: (lines, 1),
}


def show(folder: Path, lines: Sequence[str], seed: int) -> tuple[float, float]:
    """Write a theme, read and preview it; return how long that took, and how much CPU."""
    path = folder / "theme.yaml"
    symbols = "\n".join(f"  - {line}" for line in lines)
    path.write_text(f"title: Preview\ndeck: {{seed: {seed}}}\nsymbols:\n{symbols}\n")
    since, cpu = time.perf_counter(), time.process_time()
    preview(read_theme(path))
    return time.perf_counter() - since, time.process_time() - cpu


def measure(count: int, runs: int) -> list[tuple[str, float, float]]:
    """Return every change with its median seconds, passed and of CPU."""
    lines = [f"{{emoji: {SYMBOLS[0]}, id: s-1, names: {{en: first}}}}", *SYMBOLS[1:count]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        use_cache(Cache(folder / "cache"))
        show(folder, [*lines[:-1], RIM], 1)
        show(folder, lines, 1)
        found = []
        for what, change in CHANGES.items():
            taken = [show(folder, *change(lines, run)) for run in range(2, 2 + runs)]
            found.append((what, median(wall for wall, _ in taken), median(cpu for _, cpu in taken)))
        use_cache(None)
    return found


def main() -> int:
    """Print the table; the exit code says whether every figure for 31 symbols passes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--symbols", type=int, nargs="+", default=[31, 57])
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    passed = True
    for count in arguments.symbols:
        print(f"\n{count} symbols{'':<20} {'passed s':>10} {'CPU s':>8}   at most")
        for what, wall, cpu in measure(count, arguments.runs):
            most = LIMITS_S[what] if count == 31 or LIMITS_S[what] < 0.2 else 1.1
            passed = passed and (cpu <= most or count != 31)
            print(f"  {what:<28} {wall:>10.2f} {cpu:>8.2f}   {most:g}")
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
