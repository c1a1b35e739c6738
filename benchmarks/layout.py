"""How full, how safe and how fast the layout is, measured beside what is required of it.

    python -m benchmarks.layout [--quality draft|normal|best] [--png FOLDER] [--seed N]

Everything is measured here from the silhouettes' full contours, without the layout's own measuring code. Two baselines
run beside it on the same symbols, so that the ratios mean something on any machine: random rejection (throw symbols at
the card until they fit) and circle packing (push enclosing circles apart and grow them).
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # CPU time is what is measured: no idle BLAS threads

import argparse
import io
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import shapely

from dobble_print.art.emoji import find_emoji
from dobble_print.art.silhouette import trace_silhouette
from dobble_print.art.svg import draw_svg
from dobble_print.layout import Piece, Placement, lay_out_deck
from dobble_print.theme.model import LayoutOptions
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
DIFFERENCES = {8: (0, 1, 3, 13, 32, 36, 43, 52), 10: (0, 1, 3, 9, 27, 49, 56, 61, 77, 81)}
PX_PER_MM = 6
THROWS = 15  # tries a symbol of the random baseline; it already takes longer than the layout

Cards = Sequence[Sequence[int]]
Layout = Sequence[Sequence[Placement]]


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


def make_deck(symbols_per_card: int) -> Cards:
    """The full deck of a perfect difference set."""
    differences = DIFFERENCES[symbols_per_card]
    count = symbols_per_card * (symbols_per_card - 1) + 1
    return [[(card + difference) % count for difference in differences] for card in range(count)]


def load_piece(emoji: str) -> Piece:
    """An emoji of the installed set as a piece."""
    path = find_emoji(emoji)
    silhouette = trace_silhouette(draw_svg(path.read_bytes()).mask) if path else None
    if silhouette is None:
        raise SystemExit(f"the emoji set has no picture of {emoji}")
    return Piece(emoji, silhouette)


def run_layout(cards: Cards, pieces: Sequence[Piece], column: Column, options: LayoutOptions, seed: int) -> Layout:
    """The layout of the project."""
    return lay_out_deck(cards, pieces, column.shape, options, seed)


def throw_at_random(cards: Cards, pieces: Sequence[Piece], column: Column, options: LayoutOptions, seed: int) -> Layout:
    """Baseline: the largest common size at which a few random throws a symbol find a free place for all of them."""
    rng = np.random.default_rng(seed)
    polygons = [shapely.simplify(to_polygon(piece), 0.01) for piece in pieces]
    safe = shapely.Polygon(column.shape.polygon(48)).buffer(-options.margin_mm)
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
            polygon = put(polygons[new.symbol], new)
            near = any(shapely.dwithin(other, polygon, options.gap_mm) for _, other in placed)
            if not near and shapely.contains_properly(safe, polygon):
                shapely.prepare(polygon)
                placed.append((new, polygon))
                break
        else:
            return None
    return [placement for placement, _ in reversed(placed)]


def pack_circles(cards: Cards, pieces: Sequence[Piece], column: Column, options: LayoutOptions, seed: int) -> Layout:
    """Baseline: enclosing circles on the size ladder, pushed apart while they grow, the largest free state kept."""
    rng = np.random.default_rng(seed)
    reach, count = column.shape.inner_radius_mm - options.margin_mm, len(cards[0])
    rungs = options.size_spread ** np.linspace(-0.5, 0.5, count)
    place = rng.uniform(-0.6, 0.6, (len(cards), count, 2)) * reach
    scale = np.full(len(cards), 0.5 * reach / math.sqrt(count))
    best, best_place = np.zeros(len(cards)), place.copy()
    touch = rungs[:, None] + rungs[None, :]
    for _ in range(600):
        apart = place[:, :, None] - place[:, None, :]
        away = np.hypot(apart[..., 0], apart[..., 1]) + 10 * reach * np.eye(count)
        out = np.hypot(place[..., 0], place[..., 1])
        fits = np.minimum(((away - options.gap_mm) / touch).min((1, 2)), ((reach - out) / rungs).min(1))
        better = fits > best
        best[better], best_place[better] = fits[better], place[better]
        lack = np.maximum(0, touch * scale[:, None, None] + options.gap_mm - away)
        place = place + 0.3 * (apart / away[..., None] * lack[..., None]).sum(2)
        out = np.hypot(place[..., 0], place[..., 1])
        limit = np.maximum(reach - rungs * scale[:, None], 0)
        place *= np.minimum(1, limit / np.maximum(out, 1e-9))[..., None]
        scale = np.where(lack.max((1, 2)) < 0.5, scale * 1.01, scale * 0.997)
    turns = rng.uniform(0, 360, (len(cards), count))
    return [
        [
            Placement(symbol, float(x), float(y), float(turn), float(2 * size * rung))
            for symbol, (x, y), turn, rung in zip(card, spots, card_turns, rungs, strict=True)
        ]
        for card, spots, card_turns, size in zip(cards, best_place, turns, best, strict=True)
    ]


def to_polygon(piece: Piece) -> shapely.Geometry:
    """A silhouette as a polygon, holes filled."""
    return shapely.union_all([shapely.Polygon(ring) for ring in piece.silhouette.rings])


def put(polygon: shapely.Geometry, placed: Placement) -> shapely.Geometry:
    """A polygon where a placement puts it."""
    turn, radius = math.radians(placed.rotation_deg), placed.diameter_mm / 2
    cos, sin = radius * math.cos(turn), radius * math.sin(turn)
    matrix = np.array([[cos, sin], [-sin, cos]])
    return shapely.transform(polygon, lambda points: points @ matrix + (placed.x_mm, placed.y_mm))


def measure(layout: Layout, pieces: Sequence[Piece], column: Column, options: LayoutOptions, cpu: float) -> Figures:
    """Measure a layout from full contours."""
    polygons = [to_polygon(piece) for piece in pieces]
    placed = [[put(polygons[one.symbol], one) for one in card] for card in layout]
    areas = [sum(pieces[one.symbol].silhouette.area * one.diameter_mm**2 / 4 for one in card) for card in layout]
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


def rows_of(figures: Figures, column: Column) -> list[tuple[str, str, str, bool]]:
    """The table's lines for one column: what, measured, required, whether it passes."""
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


def baseline_row(name: str, baseline: Figures, ours: Figures, ratio: float) -> tuple[str, str, str, bool]:
    """How much fuller the layout is than a baseline."""
    times = ours.coverage / baseline.coverage
    note = f"{times:.2f}x ({baseline.coverage:.1f} %, {baseline.cpu:.1f} s)"
    return f"fuller than {name}", note, f">= {ratio:g}x", times >= ratio


Method = Callable[[Cards, Sequence[Piece], Column, LayoutOptions, int], Layout]


def run(
    method: Method, column: Column, pieces: Sequence[Piece], options: LayoutOptions, seed: int
) -> tuple[Layout, Figures]:
    """Lay a column's deck out by some method and measure it."""
    cards = make_deck(column.symbols_per_card)
    start = time.process_time()
    layout = method(cards, pieces[: len(cards)], column, options, seed)
    cpu = time.process_time() - start
    return layout, measure(layout, pieces, column, options, cpu)


def draw_sheet(layout: Layout, shape: CardShape, background: str = "#c8c8cc") -> bytes:
    """Cards side by side in colour, four a row, as PNG."""
    from PIL import Image, ImageDraw

    pitch = math.ceil((max(shape.width_mm, shape.height_mm) + 6) * PX_PER_MM)
    sheet = Image.new("RGBA", (4 * pitch, -(-len(layout) // 4) * pitch), background)
    art = {one.symbol: _emoji_picture(SYMBOLS[one.symbol]) for card in layout for one in card}
    pieces = {symbol: load_piece(SYMBOLS[symbol]) for symbol in art}
    for number, card in enumerate(layout):
        face = Image.new("RGBA", (pitch, pitch), (0, 0, 0, 0))
        edge = [(pitch / 2 + x * PX_PER_MM, pitch / 2 - y * PX_PER_MM) for x, y in shape.polygon(48)]
        ImageDraw.Draw(face).polygon(edge, fill="white")
        for one in card:
            face.alpha_composite(_turned(art[one.symbol], pieces[one.symbol], one, pitch))
        sheet.alpha_composite(face, (number % 4 * pitch, number // 4 * pitch))
    sink = io.BytesIO()
    sheet.convert("RGB").save(sink, "PNG")
    return sink.getvalue()


def _emoji_picture(emoji: str):  # type: ignore[no-untyped-def]
    import cairosvg
    from PIL import Image

    path = find_emoji(emoji)
    assert path is not None
    png = cairosvg.svg2png(bytestring=path.read_bytes(), output_width=512, output_height=512)
    return Image.open(io.BytesIO(png)).convert("RGBA")


def _turned(picture, piece: Piece, placed: Placement, pitch: int):  # type: ignore[no-untyped-def]
    """A picture where a placement puts it on a face of `pitch` pixels."""
    from PIL import Image

    side = placed.diameter_mm / 2 / piece.silhouette.reach * PX_PER_MM / picture.width  # face pixels a picture pixel
    centre_x, centre_y = piece.silhouette.centre[0] * picture.width, (1 - piece.silhouette.centre[1]) * picture.width
    x, y = pitch / 2 + placed.x_mm * PX_PER_MM, pitch / 2 - placed.y_mm * PX_PER_MM
    cos, sin = (f(math.radians(placed.rotation_deg)) / side for f in (math.cos, math.sin))
    matrix = (cos, -sin, centre_x - cos * x + sin * y, sin, cos, centre_y - sin * x - cos * y)
    return picture.transform((pitch, pitch), Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC)


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
        layout, ours = run(run_layout, column, pieces, options, arguments.seed)
        lines = rows_of(ours, column)
        for name, method, ratio in (("random rejection", throw_at_random, 2.4), ("circle packing", pack_circles, 1.9)):
            lines.append(baseline_row(name, run(method, column, pieces, options, arguments.seed)[1], ours, ratio))
        print(f"\n{column.title}, quality {arguments.quality}")
        for what, measured, required, good in lines:
            print(f"  {'pass' if good else 'FAIL'}  {what:<32} {measured:>24}   {required}")
        passed = passed and all(good for *_, good in lines)
        if arguments.png:
            arguments.png.mkdir(parents=True, exist_ok=True)
            (arguments.png / f"{column.shape.name}.png").write_bytes(draw_sheet(layout[:24], column.shape))
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
