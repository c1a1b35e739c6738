"""How long a whole deck takes, cold: the classic theme as a user builds it, beside the floor of starting Python.

    python benchmarks/build.py [--theme classic] [--repeat 3]

Wall and CPU seconds of whole processes, the best of some runs: the machines are noisy, the best run is the least
disturbed. The floor is an interpreter that only imports the libraries a build needs.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMPORTS = (
    "import typer, yaml, numpy, shapely, contourpy, cairosvg, PIL.Image, reportlab.pdfgen.canvas, pikepdf, pypdfium2"
)
PROGRAM = "from dobble_print.cli.app import main; main()"
sys.path.insert(0, str(ROOT))


def measure(code: str, *arguments: str, folder: str) -> tuple[float, float]:
    """Wall and CPU seconds of one process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": f"{folder}/cache"}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, cwd=folder, env=environment, capture_output=True
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(code: str, *arguments: str, repeat: int, warm: bool = False) -> tuple[float, float]:
    """The least wall and CPU time of some runs, each in a new folder with an empty cache, or in one that is warm."""
    runs = []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(1 + warm):
                run = measure(code, *arguments, folder=folder)
            runs.append(run)
    return min(wall for wall, _ in runs), min(cpu for _, cpu in runs)


def compare(name: str, repeat: int) -> tuple[float, float]:
    """The least wall and CPU time in which the opened symbols of a theme are compared for those that look alike."""
    from dobble_print.art.artwork import make_artwork
    from dobble_print.art.similarity.lookalikes import find_lookalikes
    from dobble_print.theme.reader import find_theme, read_theme

    symbols = read_theme(find_theme(name)).symbols
    artworks, runs = [make_artwork(symbol.source) for symbol in symbols], []
    for _ in range(repeat):
        wall, cpu = time.perf_counter(), time.process_time()
        find_lookalikes(symbols, artworks)
        runs.append((time.perf_counter() - wall, time.process_time() - cpu))
    return min(wall for wall, _ in runs), min(cpu for _, cpu in runs)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--theme", default="classic")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    build = (PROGRAM, "build", options.theme, "--quiet")
    cards_only = (*build, "--no-booklet", "--no-legend")
    rows = {
        "python, nothing imported": best("pass", repeat=options.repeat),
        "dobble-print --help (at most 0.35 s)": best(PROGRAM, "--help", repeat=options.repeat),
        "python with all libraries imported": best(IMPORTS, repeat=options.repeat),
        f"check {options.theme}": best(PROGRAM, "check", options.theme, repeat=options.repeat),
        f"symbols of {options.theme} compared (classic: under 1)": compare(options.theme, options.repeat),
        f"build {options.theme}, cards only, draft": best(*cards_only, "--quality", "draft", repeat=options.repeat),
        f"build {options.theme}, cards only (aim: under 5)": best(*cards_only, repeat=options.repeat),
        f"build {options.theme}, all files": best(*build, repeat=options.repeat),
        f"build {options.theme}, all files, again": best(*build, repeat=options.repeat, warm=True),
    }
    print(f"{'':46}  wall s   CPU s")
    for name, (wall, cpu) in rows.items():
        print(f"{name:46}  {wall:6.2f}  {cpu:6.2f}")


if __name__ == "__main__":
    main()
