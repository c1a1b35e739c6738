"""What attacks cost that once broke a promise: processor time and memory of the program with all its children.

    python benchmarks/attacks.py [--only 5 6] [--root ../an/older/version]

Each must be answered within 5 s of processor time and 500 MB, with the exit code that the manual tells, and what it
aims at must not happen. The last column says what is broken.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the attacks are those of the tests

from tests.hostile.attacks import ATTACKS  # noqa: E402

MOST_SECONDS = 5.0  # of processor time, with all that starting the program takes


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="NUMBER", help="attacks of these numbers")
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder of the program to attack")
    options = parser.parse_args()
    print(f"{'attack':36}  code     CPU s     MB  broken")
    for name, make in ATTACKS.items():
        if options.only and name.split()[0] not in options.only:
            continue
        with tempfile.TemporaryDirectory() as home:
            folder = Path(home)
            attack = make(folder)
            outcome = attack.run(folder, options.root.resolve())
            broken = "; ".join(attack.judge(folder, outcome, MOST_SECONDS)[:-1])
        print(
            f"{name:36}  {outcome.code:4}  {outcome.seconds:8.2f}  {outcome.rss_kb / 1024:5.0f}  {broken or '-'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
