"""A print shop's mixed day: sixty small jobs of every kind in one batch, and some of them on shared sheets.

    python benchmarks/mixed.py [--workers 2] [--folder FOLDER] [--kill]

Photos (also of phones' size, in CMYK, too coarse), drawings of the customer's own (with hairlines, two alike), icons,
words, copies, and columns of the shop's own in the job list. It prints how each kind went. Jobs that must fail through
their customers' fault (`coarse`, `twins`, `missing`) are counted apart; any other failure is ours. With `--kill` the
batch is killed half way and run again, and the results are compared, byte by byte, with those of a run that was not.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = [sys.executable, "-c", "from dobble_print.cli.app import main; main()", "batch"]
SYMBOLS = 7
EMOJI = list("🐱🐶🍎🍌🚗🚀🌙🌵🍕🎈🐟🐘🦋🌈🔑🎸🐝🍄")
WORDS = (
    "cat",
    "dog",
    "sun",
    "moon",
    "tree",
    "fish",
    "house",
    "apple",
    "table",
    "chair",
    "ball",
    "doll",
    "bread",
    "key",
)
HEAD = "layout: {quality: draft}\nlanguages: [en]\n"
COSTS_CUSTOMER = {"coarse": 9, "twins": 4, "missing": 3}  # exit codes
Write = Callable[[Path, random.Random], list[str]]


def draw_photo(path: Path, luck: random.Random, size: tuple[int, int], mode: str = "RGB") -> None:
    """A picture of blurred blobs, as large as a camera's."""
    noise = np.random.default_rng(luck.randrange(10**9)).integers(0, 255, (6, 8, 3), dtype=np.uint8)
    Image.fromarray(noise).resize(size, Image.Resampling.BICUBIC).convert(mode).save(path, quality=88)


def write_photos(folder: Path, luck: random.Random) -> list[str]:
    """Seven photos; one job in three has those of a good camera, one those of a layout program."""
    size = luck.choice([(1000, 750), (750, 1000), (1000, 1000), (3000, 2250)])
    mode = luck.choice(["RGB", "RGB", "CMYK"])
    for number in range(SYMBOLS):
        draw_photo(folder / f"photo-{number}.jpg", luck, size, mode)
    return [f"photo-{number}.jpg" for number in range(SYMBOLS)]


def write_coarse(folder: Path, luck: random.Random) -> list[str]:
    """One photo of seven is a thumbnail."""
    names = write_photos(folder, luck)
    draw_photo(folder / names[3], luck, (120, 90))
    return names


def write_flags(folder: Path, luck: random.Random) -> list[str]:
    """Flags of three stripes, some with a coat of arms in hairlines."""
    seen: set[tuple[str, ...]] = set()
    while len(seen) < SYMBOLS:
        seen.add(tuple(f"#{luck.randrange(1 << 24):06x}" for _ in range(3)))
    for number, colors in enumerate(sorted(seen)):
        stripes = "".join(f'<rect y="{20 * i}" width="90" height="20" fill="{c}"/>' for i, c in enumerate(colors))
        arms = '<circle cx="45" cy="30" r="12" fill="none" stroke="#222222" stroke-width="0.05"/>' if number % 2 else ""
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 60">{stripes}{arms}</svg>'
        (folder / f"flag-{number}.svg").write_text(drawing)
    return [f"flag-{number}.svg" for number in range(SYMBOLS)]


def write_twins(folder: Path, luck: random.Random) -> list[str]:
    """Two flags under two names are one drawing."""
    names = write_flags(folder, luck)
    (folder / names[4]).write_bytes((folder / names[2]).read_bytes())
    return names


def write_missing(folder: Path, luck: random.Random) -> list[str]:
    """A picture was forgotten."""
    return [*write_flags(folder, luck)[:-1], "forgotten.svg"]


KINDS: dict[str, tuple[int, Write]] = {
    "photos": (14, write_photos),
    "flags": (12, write_flags),
    "icons": (14, lambda folder, luck: luck.sample(EMOJI, SYMBOLS)),
    "words": (14, lambda folder, luck: [f'{{text: "{word}"}}' for word in luck.sample(WORDS, SYMBOLS)]),
    "coarse": (2, write_coarse),
    "twins": (2, write_twins),
    "missing": (2, write_missing),
}


def write_jobs(folder: Path) -> tuple[Path, Path]:
    """Write the themes, the list of all jobs and that of a third of them, the same in every run."""
    luck, rows = random.Random(60), []
    for kind, (count, write) in KINDS.items():
        for number in range(count):
            job = f"{kind}-{number}"
            (folder / job).mkdir(parents=True)
            back = luck.choice(["", "back: navy\n", "back: {pattern: symbols}\n"])
            symbols = ", ".join(
                f"{{image: {each}, names: {each[:-4]}}}" if "." in each else each for each in write(folder / job, luck)
            )
            (folder / job / "theme.yaml").write_text(f"title: {job}\n{HEAD}{back}symbols: [{symbols}]\n")
            copies = luck.choice(["", "", "", "3"])
            rows.append([job, job, copies, f"customer {luck.randrange(9)}", "2026-12-01"])
    lists = folder / "jobs.csv", folder / "third.csv"
    for path, listed in zip(lists, (rows, rows[::3]), strict=True):
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([["id", "theme", "copies", "customer", "due"], *listed])
    return lists


def run_batch(jobs: Path, output: Path, *more: str, kill_after: int = 0) -> list[dict[str, object]]:
    """Run the batch; kill it after so many jobs where that is asked for. Return its events."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(output.parent / f"cache-{output.name}")}
    command = [*PROGRAM, str(jobs), "-o", str(output), "--profile", "shop-sra3-x4", "--json", *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    events, over = [], 0
    assert process.stdout
    for line in process.stdout:
        events.append(json.loads(line))
        over += events[-1]["event"] in ("done", "failed")
        if kill_after and over >= kill_after:
            os.killpg(process.pid, signal.SIGKILL)
            break
    process.wait()
    return events


def tell(events: list[dict[str, object]], title: str) -> int:
    """Print how each kind went, and return how many jobs failed through our fault."""
    outcomes: dict[str, Counter[str]] = {}
    ours = 0
    for event in events:
        if event["event"] not in ("done", "failed", "skipped"):
            continue
        kind = str(event["job"]).rpartition("-")[0] or str(event["job"])
        warned = " with warnings" if event.get("warnings") else ""
        how = f"failed with code {event['exit_code']}" if event["event"] == "failed" else f"{event['event']}{warned}"
        outcomes.setdefault(kind, Counter())[how] += 1
        if event["event"] == "failed" and COSTS_CUSTOMER.get(kind) != event["exit_code"]:
            ours += 1
            print(f"  OURS? {event['job']}: {event['faults']}")
    print(title, flush=True)
    for kind, found in outcomes.items():
        print(f"  {kind:8}", ", ".join(f"{count} {how}" for how, count in sorted(found.items())))
    return ours


def read_results(folder: Path) -> dict[str, object]:
    """Return every result, of reports all but the times."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in ("log.txt", "batch.json"):
            data = path.read_bytes()
            plain = {k: v for k, v in json.loads(data).items() if k != "times"} if path.name == "report.json" else data
            found[str(path.relative_to(folder))] = plain
    return found


def main() -> None:
    """Run the day and print how it went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--kill", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = asked.folder or Path(made)
        (jobs, third), workers = write_jobs(folder / "jobs"), ("-j", str(asked.workers), "--no-legend")
        since = time.monotonic()
        ours = tell(run_batch(jobs, folder / "out", *workers), "sixty jobs, each on its own sheets")
        ours += tell(run_batch(third, folder / "gang", *workers, "--gang"), "a third of them on shared sheets")
        print(f"{ours} failures that are ours; {time.monotonic() - since:.0f} s", flush=True)
        if asked.kill:
            run_batch(third, folder / "killed", *workers, kill_after=8)
            run_batch(third, folder / "killed", *workers)
            again, whole = read_results(folder / "killed"), read_results(folder / "out")
            same = all(whole[name] == data for name, data in again.items())
            print(f"killed after 8 jobs and run again: {len(again)} files", "identical" if same else "DIFFERENT")


if __name__ == "__main__":
    main()
