"""How many cards lie on a sheet, beside what mathematics allows and what a slow search finds.

Run `python -m benchmarks.nesting [SECONDS]`: for each size and paper it prints how many round cards a shop's sheet
holds, whether a seeded optimiser finds room for more (`=`: it does not, in so many seconds, 60 without it), and Oler's
upper bound, which no arrangement passes. Then the same for cards that share their bleed, and for squares and hexagons,
beside how many would cover the area.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dobble_print.sheets.nesting import PrintableArea, nest_cards
from dobble_print.sheets.packing import bound_circles
from dobble_print.units import CardShape, Paper, find_paper, hex_card, round_card, square_card

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
    """Print the tables, a row for each size."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    print_table("squares ≤ area", lambda size, paper: count(square_card(size), paper))
    print_table("hexagons ≤ area", lambda size, paper: count(hex_card(size), paper))
    print_table("round, bleeds shared, 1 mm between cuts", lambda size, paper: compare(size, paper, 1.0, 0))
    print_table("round", lambda size, paper: compare(size, paper, None, seconds))


def print_table(title: str, measure: Callable[[float, Paper], str]) -> None:
    """Print what is measured for each size and paper."""
    papers = [paper for paper in map(find_paper, PAPERS) if paper]
    print(f"\n{title}\n{'mm':>6}", *(f"{name:>12}" for name in PAPERS))
    for size in SIZES_MM:
        print(f"{size:>6g}", *(f"{measure(size, paper):>12}" for paper in papers), flush=True)


def nest(shape: CardShape, paper: Paper, gap_mm: float | None = None) -> Floats:
    """Return where the cards of a long job lie on a shop's sheet."""
    area = PrintableArea(EDGE_MM, gap_mm=gap_mm, bleed_inside=True)
    best = nest_cards(paper, shape, BLEED_MM, area)[0]
    turned = best.paper.width_mm != paper.width_mm
    return np.array([(y, x) if turned else (x, y) for x, y in best.centres])


def count(shape: CardShape, paper: Paper) -> str:
    """Return our number, and how many cards with their bleed have the area of the sheet."""
    sides = (side - 2 * EDGE_MM for side in (paper.width_mm, paper.height_mm))
    return f"{len(nest(shape, paper))} ≤{int(math.prod(sides) / shape.grow(BLEED_MM).area_mm2)}"


def compare(size_mm: float, paper: Paper, gap_mm: float | None, seconds: float) -> str:
    """Return our number, what the optimiser adds, and the bound."""
    known, grown = nest(round_card(size_mm), paper, gap_mm), size_mm + 2 * BLEED_MM
    distance = grown if gap_mm is None else size_mm + gap_mm
    width, height = (side - 2 * EDGE_MM - grown for side in (paper.width_mm, paper.height_mm))
    ours, bound = len(known), bound_circles(width, height, distance)
    places, better = known - (EDGE_MM + grown / 2), ours
    while seconds and better < bound and search(better + 1, (width, height), distance, seconds, places, better):
        better += 1
    return f"{ours} {'' if not seconds else better if better > ours else '='} ≤{bound}"


if __name__ == "__main__":
    main()
