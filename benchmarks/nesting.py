"""How many round cards lie on a sheet, beside what mathematics allows and what a slow search finds.

Run `python -m benchmarks.nesting [SECONDS]`: for each size and paper it prints our number, whether a seeded optimiser
finds room for one more in so many seconds (60 without it), and Oler's upper bound, which no arrangement passes.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import numpy.typing as npt

from dobble_print.sheets.packing import bound_circles, list_packings
from dobble_print.units import find_paper, round_card

SIZES_MM = (63.5, 76.0, 80.0, 85.0, 88.9, 100.0, 120.0)
PAPERS = ("A4", "A3", "SRA3", "Letter", "Tabloid", "330x487", "500x700")
BLEED_MM, EDGE_MM = 3.0, 5.0
TRIES = 48  # arrangements that are improved at once
STEPS = 1200
CLOSE_ENOUGH_MM = 0.01  # an overlap that the optimiser is forgiven
Floats = npt.NDArray[np.float64]


def search(count: int, box: tuple[float, float], distance_mm: float, seconds: float, known: Floats, seed: int) -> bool:
    """Tell whether so many points find room in a box: pushed apart from random and from shaken places."""
    random, until, sides = np.random.default_rng(seed), time.perf_counter() + seconds, np.array(box)
    while time.perf_counter() < until:
        places = random.random((TRIES, count, 2)) * sides
        shaken = TRIES // 2  # half of them begin at what is known, with one more anywhere
        places[:shaken, : len(known)] = known + random.normal(0, distance_mm * 0.12, (shaken, len(known), 2))
        if push_apart(places, sides, distance_mm) < CLOSE_ENOUGH_MM:
            return True
    return False


def push_apart(places: Floats, sides: Floats, distance_mm: float) -> float:
    """Move points away from those that are too near, and return the least overlap that is left in any try."""
    speed = np.zeros_like(places)
    diagonal = np.arange(places.shape[1])
    for step in range(STEPS):
        away = places[:, :, None, :] - places[:, None, :, :]
        apart = np.sqrt((away**2).sum(axis=-1))
        apart[:, diagonal, diagonal] = np.inf
        short = np.maximum(0.0, distance_mm - apart)
        push = (away * (short / np.maximum(apart, 1e-9))[..., None]).sum(axis=2)
        speed = speed * (0.9 if step < STEPS * 0.8 else 0.5) + push * 0.3
        np.clip(places + speed, 0.0, sides, out=places)
    return float(short.max(axis=(1, 2)).min())


def main() -> None:
    """Print the table, a row for each size."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    print(f"{'mm':>6}", *(f"{name:>12}" for name in PAPERS))
    for size in SIZES_MM:
        print(f"{size:>6g}", *(f"{measure(size, name, seconds):>12}" for name in PAPERS), flush=True)


def measure(size_mm: float, paper_name: str, seconds: float) -> str:
    """Return our number, what the optimiser adds, and the bound."""
    paper, distance = find_paper(paper_name), size_mm + 2 * BLEED_MM
    assert paper
    width, height = (side - 2 * EDGE_MM - distance for side in (paper.width_mm, paper.height_mm))
    packing = list_packings(width, height, round_card(distance))[0]
    ours, bound = len(packing), bound_circles(width, height, distance)
    better = ours
    while better < bound and search(better + 1, (width, height), distance, seconds, np.array(packing), better):
        better += 1
    return f"{ours} {better if better > ours else '='} ≤{bound}"


if __name__ == "__main__":
    main()
