"""How long the proof of a finished file takes, in a process of its own and inside a build.

    python benchmarks/verify.py [--themes classic kids connect] [--repeat 3]

CPU seconds, the best of some runs. `cold` is a new process that imports its libraries and proves the file; `warm` is
what the proof adds to a build, whose libraries are there already (aim: at most 1 s for 57 cards).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dobble_print.build import print_deck
from dobble_print.options import BuildOptions
from dobble_print.resources import shipped_themes
from dobble_print.theme.reader import read_theme
from dobble_print.verify.proof import Proof
from dobble_print.verify.prove import prove_pdf

ROOT = Path(__file__).resolve().parent.parent
COLD = """
import sys, time
from pathlib import Path
from dobble_print.verify.prove import prove_pdf
prove_pdf(Path(sys.argv[1]).read_bytes())
print(time.process_time())
"""


def measure_warm(data: bytes, repeat: int) -> tuple[float, Proof]:
    """The least CPU time of a proof in this process, and the proof."""
    best = float("inf")
    for _ in range(repeat):
        start = time.process_time()
        proof = prove_pdf(data)
        best = min(best, time.process_time() - start)
    return best, proof


def measure_cold(data: bytes, repeat: int) -> float:
    """The least CPU time of a whole process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cards.pdf"
        path.write_bytes(data)
        command = [sys.executable, "-c", COLD, str(path)]
        runs = [subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True) for _ in range(repeat)]
    return min(float(run.stdout) for run in runs)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--themes", nargs="+", default=["classic", "kids", "connect", "picture-word-de"])
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print(f"{'theme':18}  cards  symbols  pairs  size kB  cold s  warm s  gap mm  margin mm  verdict")
    for name in options.themes:
        theme = read_theme(shipped_themes()[name], BuildOptions(quality="draft").theme_values())
        data = print_deck(theme, BuildOptions(booklet=False, legend=False)).files["cards.pdf"]
        warm, proof = measure_warm(data, options.repeat)
        cold = measure_cold(data, options.repeat)
        figures = {claim.name: claim.figures for claim in proof.claims}
        counts = f"{figures['cards']['cards']:5}  {figures['cards']['symbols']:7}  {figures['pairs']['pairs']:5}"
        room = f"{figures['gap']['least_mm']:6.2f}  {figures['margin']['least_mm']:9.2f}"
        print(f"{name:18}  {counts}  {len(data) / 1000:7.0f}  {cold:6.2f}  {warm:6.2f}  {room}  {proof.verdict}")


if __name__ == "__main__":
    main()
