"""How full, how safe and how fast the layout is, measured beside what is required of it.

    python benchmarks/layout.py [--quality draft|normal|best] [--png FOLDER] [--seed N]

Everything is measured here from the silhouettes' full contours, without the layout's own measuring code. Two baselines
run beside it on the same symbols, so that the ratios mean something on any machine: random rejection (throw symbols at
the card until they fit) and circle packing (push enclosing circles apart and grow them).
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # CPU time is what is measured: no idle BLAS threads

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import shapely
from PIL import Image, ImageDraw

from dobble_print.art.emoji import find_emoji
from dobble_print.art.silhouette import trace_silhouette
from dobble_print.art.svg.render import draw_svg
from dobble_print.deck.design import full_deck
from dobble_print.layout.engine import lay_out_deck
from dobble_print.layout.model import Piece, Placement, Wall
from dobble_print.theme.options import LayoutOptions
from dobble_print.units import CardShape, hex_card, round_card

# Child-friendly, in the order of a shuffle. At least nineteen of the first 57 are long, thin or hollow:
# broom, lightning, pencil, spoon, balloon, giraffe, banana, bow, carrot, toothbrush, ruler, scissors, wand, guitar,
# snake, trumpet, key, moon and crayon.
# fmt: off
SYMBOLS = (
    "🐟", "🍎", "🧹", "⚡", "🧀", "✏️", "🚗", "🐘", "🥄", "🎈", "🦒", "☀️", "🍌", "🍓", "🐶", "🐳", "🍇",
    "🐢", "🐧", "🐝", "🍍", "🍐", "🎁", "⭐", "🏹", "🌻", "🦆", "🥕", "🪥", "🦉", "🐱", "🍕", "📏", "✂️",
    "🍒", "⚽", "🌵", "🔥", "🪄", "🎂", "🐙", "🦀", "🎸", "🐍", "🎺", "🐓", "🍦", "🍄", "🦋", "🔑", "🌳",
    "☂️", "🌙", "❄️", "🐞", "🖍️", "🐸", "🐌", "🥁", "🐰", "⛵", "🚂", "👑", "✈️", "👓", "🐒", "🦓", "🏠",
    "💡", "🎻", "🚲", "👟", "⛄", "🎷", "📷", "🪁", "🧸", "🕷️", "🎩", "🚀", "🐊", "🐼", "🦊", "⚓", "🦁",
    "⛺", "⏰", "🎧", "🌈", "🦖", "🧦",
)
# fmt: on
THROWS = 30  # tries a symbol of random rejection: it then takes about as long as the layout
PX_PER_MM = 6

Cards = Sequence[Sequence[int]]
Layout = Sequence[Sequence[Placement]]
Line = tuple[str, str, str, bool]  # what, measured, required, whether it passes


@dataclass(frozen=True)
class Column:
    """One column of the table: a deck and what is required of its layout."""

    title: str
    shape: CardShape
    symbols_per_card: int
    coverage_percent: tuple[float, float]
    smallest_mm: float
    cpu_s: float


COLUMNS = (
    Column("round, 57 x 8, 85 mm", round_card(85.0), 8, (48, 38), 13.0, 5.0),
    Column("hex, 91 x 10, 85 mm", hex_card(85.0), 10, (49, 38), 12.0, 11.0),
)


@dataclass(frozen=True)
class Figures:
    """What was measured on a deck."""

    coverage: float
    least_coverage: float
    gap: float
    margin: float
    ratios: tuple[float, float]
    smallest: float
    hole: float
    cpu: float


def load_piece(emoji: str) -> Piece:
    """An emoji of the installed set as a piece."""
    path = find_emoji(emoji)
    silhouette = trace_silhouette(draw_svg(path.read_bytes()).mask) if path else None
    if silhouette is None:
        raise SystemExit(f"the emoji set has no picture of {emoji}")
    return Piece(emoji, silhouette)


def to_polygon(piece: Piece) -> shapely.Geometry:
    """A silhouette as a polygon, holes filled."""
    return shapely.union_all([shapely.Polygon(ring) for ring in piece.silhouette.rings])


def put(polygon: shapely.Geometry, placed: Placement) -> shapely.Geometry:
    """A polygon where a placement puts it."""
    turn, radius = math.radians(placed.rotation_deg), placed.diameter_mm / 2
    cos, sin = radius * math.cos(turn), radius * math.sin(turn)
    matrix = np.array([[cos, sin], [-sin, cos]])
    return shapely.transform(polygon, lambda points: points @ matrix + (placed.x_mm, placed.y_mm))


def throw_at_random(
    cards: Cards, pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions, seed: int
) -> Layout:
    """Baseline: the largest common size at which a few random throws a symbol find a free place for all of them."""
    rng = np.random.default_rng(seed)
    polygons = [shapely.simplify(to_polygon(piece), 0.01) for piece in pieces]
    safe = shapely.Polygon(shape.polygon(48)).buffer(-options.margin_mm)
    shapely.prepare(safe)
    layout = []
    for card in cards:
        placed, size = None, 30.0
        while placed is None:
            placed, size = _throw_card(card, polygons, safe, options, size, rng), 0.93 * size
        layout.append(placed)
    return layout


def _throw_card(
    card: Sequence[int],
    polygons: list[shapely.Geometry],
    safe: shapely.Geometry,
    options: LayoutOptions,
    size: float,
    rng: np.random.Generator,
) -> list[Placement] | None:
    """All symbols of a card at a common size, the largest first, or None when one finds no place."""
    sizes = size * options.size_spread ** np.linspace(-0.5, 0.5, len(card))
    reach = safe.bounds[3]
    placed: list[tuple[Placement, shapely.Geometry]] = []
    for slot in range(len(card) - 1, -1, -1):
        for x, y, turn in rng.uniform(-1, 1, (THROWS, 3)) * (reach, reach, 180):
            new = Placement(card[slot], x, y, turn, float(sizes[slot]))
            polygon = put(polygons[new.piece], new)
            near = any(shapely.dwithin(other, polygon, options.gap_mm) for _, other in placed)
            if not near and shapely.contains_properly(safe, polygon):
                shapely.prepare(polygon)
                placed.append((new, polygon))
                break
        else:
            return None
    return [placement for placement, _ in reversed(placed)]


def pack_circles(cards: Cards, pieces: Sequence[Piece], shape: CardShape, options: LayoutOptions, seed: int) -> Layout:
    """Baseline: enclosing circles on the size ladder, pushed apart while they grow, the largest free state kept."""
    rng, wall, count = np.random.default_rng(seed), Wall.around(shape, np.float64), len(cards[0])
    rungs = options.size_spread ** np.linspace(-0.5, 0.5, count)
    touch, apart_from_itself = rungs[:, None] + rungs, 1e3 * np.eye(count)
    place = rng.uniform(-0.6, 0.6, (len(cards), count, 2)) * shape.inner_radius_mm
    scale, best, best_place = np.full(len(cards), 8.0), np.zeros(len(cards)), place.copy()
    for _ in range(600):
        way = place[:, :, None] - place[:, None]
        away = np.hypot(way[..., 0], way[..., 1]) + apart_from_itself
        depth, in_x, in_y = wall.depth(place[..., 0], place[..., 1])
        free = np.minimum(((away - options.gap_mm) / touch).min((1, 2)), ((depth - options.margin_mm) / rungs).min(1))
        better = free > best
        best[better], best_place[better] = free[better], place[better]
        lack = np.maximum(0, touch * scale[:, None, None] + options.gap_mm - away)
        outside = np.maximum(0, rungs * scale[:, None] + options.margin_mm - depth)
        place = place + 0.3 * (way / away[..., None] * lack[..., None]).sum(2)
        place += 0.7 * outside[..., None] * np.stack([in_x, in_y], -1)
        scale = np.where(lack.max((1, 2)) + outside.max(1) < 0.7, scale * 1.01, scale * 0.997)
    turns = rng.uniform(0, 360, (len(cards), count, 1))
    found = np.concatenate(
        [best_place, turns, 2 * best[:, None, None] * np.tile(rungs[:, None], (len(cards), 1, 1))], -1
    )
    return [
        [Placement(i, *one) for i, one in zip(card, row, strict=True)]
        for card, row in zip(cards, found.tolist(), strict=True)
    ]


def measure(layout: Layout, pieces: Sequence[Piece], column: Column, options: LayoutOptions, cpu: float) -> Figures:
    """Measure a layout from full contours."""
    polygons = [to_polygon(piece) for piece in pieces]
    placed = [[put(polygons[one.piece], one) for one in card] for card in layout]
    areas = [sum(pieces[one.piece].silhouette.area * one.diameter_mm**2 / 4 for one in card) for card in layout]
    sizes = np.array([[one.diameter_mm for one in card] for card in layout])
    ratios = sizes.max(1) / sizes.min(1)
    return Figures(
        coverage=float(np.mean(areas)) / column.shape.area_mm2 * 100,
        least_coverage=min(areas) / column.shape.area_mm2 * 100,
        gap=min(smallest_gap(card, options.gap_mm) for card in placed),
        margin=min(smallest_margin(card, column.shape) for card in placed),
        ratios=(float(ratios.min()), float(ratios.max())),
        smallest=float(sizes.min()),
        hole=float(np.mean([biggest_hole(card, column.shape, options.margin_mm) for card in placed])),
        cpu=cpu,
    )


def smallest_gap(card: Sequence[shapely.Geometry], asked_mm: float) -> float:
    """The smallest distance between two symbols of a card; pairs clearly farther than asked are not measured."""
    for polygon in card:
        shapely.prepare(polygon)
    near = [(one, other) for one, other in combinations(card, 2) if shapely.dwithin(one, other, asked_mm + 0.03)]
    return min((float(shapely.distance(one, other)) for one, other in near), default=asked_mm + 0.03)


def smallest_margin(card: Sequence[shapely.Geometry], shape: CardShape) -> float:
    """The smallest distance of a symbol to the cut; on a convex card the corners of its hull are the nearest."""
    corners = shapely.get_coordinates(shapely.convex_hull(np.array(card)))
    return min(-shape.distance_mm(x, y) for x, y in corners.tolist())


def biggest_hole(card: Sequence[shapely.Geometry], shape: CardShape, margin_mm: float) -> float:
    """Diameter of the biggest circle inside the cut, centred in the safe area, that touches no symbol."""
    reach = max(shape.width_mm, shape.height_mm) / 2
    axis = np.linspace(-reach, reach, 80)
    x, y = (grid.ravel() for grid in np.meshgrid(axis, axis))
    depth = np.array([-shape.distance_mm(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])
    safe = depth > margin_mm
    symbols = shapely.union_all(shapely.simplify(np.array(card), 0.05))
    shapely.prepare(symbols)
    outside = ~shapely.contains_xy(symbols, x, y) & safe
    away = shapely.distance(shapely.points(x[outside], y[outside]), symbols)
    return float(2 * np.minimum(away, depth[outside]).max())


def rows_of(figures: Figures, column: Column) -> list[Line]:
    """The table's lines for one column."""
    mean, least = column.coverage_percent
    low, high = figures.ratios
    return [
        ("coverage, mean %", f"{figures.coverage:.1f}", f">= {mean:g}", figures.coverage >= mean),
        ("coverage, least %", f"{figures.least_coverage:.1f}", f">= {least:g}", figures.least_coverage >= least),
        ("smallest gap mm", f"{figures.gap:.3f}", ">= 1.50", figures.gap >= 1.5 - 1e-6),
        ("smallest distance to the cut mm", f"{figures.margin:.3f}", ">= 3.00", figures.margin >= 3 - 1e-6),
        ("largest : smallest, every card", f"{low:.2f}-{high:.2f}", "1.6-2.6", low >= 1.6 and high <= 2.6),
        (
            "smallest symbol mm",
            f"{figures.smallest:.1f}",
            f">= {column.smallest_mm:g}",
            figures.smallest >= column.smallest_mm,
        ),
        ("biggest empty circle, mean mm", f"{figures.hole:.1f}", "<= 14", figures.hole <= 14),
        ("CPU s, silhouettes ready", f"{figures.cpu:.2f}", f"<= {column.cpu_s:g}", figures.cpu <= column.cpu_s),
    ]


def baseline_row(name: str, baseline: Figures, ours: Figures, ratio: float) -> Line:
    """How much fuller the layout is than a baseline."""
    times = ours.coverage / baseline.coverage
    note = f"{times:.2f}x ({baseline.coverage:.1f} %, {baseline.cpu:.1f} s)"
    return f"fuller than {name}", note, f">= {ratio:g}x", times >= ratio


Method = Callable[[Cards, Sequence[Piece], CardShape, LayoutOptions, int], Layout]


def run(
    method: Method, column: Column, pieces: Sequence[Piece], options: LayoutOptions, seed: int
) -> tuple[Layout, Figures]:
    """Lay a column's deck out by some method and measure it."""
    cards = full_deck(column.symbols_per_card)
    start = time.process_time()
    layout = method(cards, pieces[: len(cards)], column.shape, options, seed)
    cpu = time.process_time() - start
    return layout, measure(layout, pieces, column, options, cpu)


def draw_sheet(layout: Layout, pieces: Sequence[Piece], shape: CardShape) -> Image.Image:
    """The silhouettes of some cards in colour, four cards a row; a symbol has the same colour on every card."""
    pitch = math.ceil((max(shape.width_mm, shape.height_mm) + 6) * PX_PER_MM)
    sheet = Image.new("RGB", (4 * pitch, -(-len(layout) // 4) * pitch), "#c8c8cc")
    pen = ImageDraw.Draw(sheet)
    for number, card in enumerate(layout):
        x, y = (number % 4 + 0.5) * pitch, (number // 4 + 0.5) * pitch
        paint = [(shapely.Polygon(shape.polygon(48)), "white")]
        paint += [(put(to_polygon(pieces[one.piece]), one), f"hsl({one.piece * 222 % 360},60%,45%)") for one in card]
        for polygon, color in paint:
            for part in shapely.get_parts(polygon):
                pen.polygon([(x + PX_PER_MM * a, y - PX_PER_MM * b) for a, b in part.exterior.coords], fill=color)
    return sheet


def print_table(title: str, lines: list[Line]) -> None:
    """Measured beside required, with a mark."""
    print(f"\n{title:<38} {'measured':>24}   required")
    for what, measured, required, good in lines:
        print(f"  {'pass' if good else 'FAIL'}  {what:<32}{measured:>24}   {required}")


def main() -> int:
    """Print the table; the exit code says whether every figure passes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quality", choices=("draft", "normal", "best"), default="normal")
    parser.add_argument("--png", type=Path, metavar="FOLDER", help="also draw the cards into this folder")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    options = LayoutOptions(quality=arguments.quality)
    pieces = [load_piece(emoji) for emoji in SYMBOLS]
    passed = True
    for column in COLUMNS:
        layout, ours = run(lay_out_deck, column, pieces, options, arguments.seed)
        lines = rows_of(ours, column)
        for name, method, ratio in (("random rejection", throw_at_random, 2.4), ("circle packing", pack_circles, 1.9)):
            lines.append(baseline_row(name, run(method, column, pieces, options, arguments.seed)[1], ours, ratio))
        print_table(f"{column.title}, quality {arguments.quality}", lines)
        passed = passed and all(good for *_, good in lines)
        if arguments.png:
            arguments.png.mkdir(parents=True, exist_ok=True)
            draw_sheet(layout[:24], pieces, column.shape).save(arguments.png / f"{column.shape.name}.png")
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
