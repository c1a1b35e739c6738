"""Search for full cards: scatter symbols, press them together, hop out of local optima, rate the results.

Invariant: every card draws from a generator of its own and is never compared with another, so that it is found alike
alone and among others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dobble_print.layout.model import SAMPLES, Floats, Integers, LayoutScene, Singles
from dobble_print.layout.solver import Pose, SamplePoints, Schedule, find_contacts, read_distance, relax

OUTER = 0.68  # radius of the outer ring, as a share of the safe radius
INNER_SHARE = 0.2  # about this share of a card's symbols stands on the inner ring


Streams = Sequence[np.random.Generator]  # one a card


def open_streams(seed: int, cards: Iterable[int]) -> list[np.random.Generator]:
    """Return the generators of the cards with these numbers."""
    return [np.random.default_rng((seed, card)) for card in cards]


def scatter_symbols(scene: LayoutScene, streams: Streams) -> Singles:
    """Return a start for every card: x, y, turn, radius for each symbol."""
    cards, count = scene.ids.shape
    free = scene.free_radius / scene.safe_radius
    state = np.zeros((cards, count, 4), np.float32)
    for card, rng in enumerate(streams):
        state[card, :, :2] = rng.permutation(_place_on_rings(rng, count, free)) * scene.safe_radius
        state[card, :, 2] = rng.uniform(-1, 1, count)
    state[..., 2] *= np.minimum(scene.turn_limits, math.pi)
    state[..., 3] = np.exp(scene.ladder.rungs) * scene.safe_radius / (1.9 * math.sqrt(count))
    return state


def _place_on_rings(rng: np.random.Generator, count: int, free: float) -> Floats:
    """Return places on an outer and an inner ring of the unit disc, around a free centre of the given radius."""
    inner = int(INNER_SHARE * count + rng.uniform(-0.4, 0.6)) if count > 4 else 0
    inner_radius = free + 0.2 if free > 0 else 0.1 + 0.06 * inner if inner > 1 else 0.0
    outer_radius = max(OUTER, free + 0.2)
    outer = _place_on_ring(rng, count - inner, outer_radius) + rng.normal(0, 0.05, (count - inner, 2))
    return np.concatenate([outer, _place_on_ring(rng, inner, inner_radius)])


def _place_on_ring(rng: np.random.Generator, count: int, radius: float) -> Floats:
    angles = rng.uniform(0, 2 * math.pi) + np.arange(count) * 2 * math.pi / max(1, count)
    return radius * np.stack([np.cos(angles), np.sin(angles)], -1)


PROBE_STEP_MM = 3.0  # holes are looked for at points this far apart
HOLE_WEIGHT = 0.5  # how much of the biggest empty circle's area counts against a card


@dataclass(frozen=True, eq=False)
class Rater:
    """Probe points all over the safe area, and how far each of them is from the cut."""

    x: Singles
    y: Singles
    depth: Singles

    @classmethod
    def of(cls, scene: LayoutScene) -> Rater:
        """Return the probes for a scene's card shape."""
        reach = np.abs(scene.wall.corners).max() + scene.wall.radius
        axis = np.arange(-reach, reach + PROBE_STEP_MM, PROBE_STEP_MM, dtype=np.float32)
        x, y = (grid.ravel() for grid in np.meshgrid(axis, axis))
        depth = scene.wall.depth(x, y)[0]
        safe = (depth > scene.margin) & (np.hypot(x, y) >= scene.free_radius)
        if not safe.any():  # a card this small has no hole to speak of
            safe[len(safe) // 2] = True
        return cls(x[safe], y[safe], depth[safe])

    def rate(self, scene: LayoutScene, state: Singles) -> Floats:
        """Return the area covered, less the cost of the worst violation, less a share of the biggest hole."""
        loss = np.minimum(measure_violation(scene, state, SAMPLES) / state[..., 3].mean(axis=1), 1)
        return np.asarray(self.rate_potential(scene, state) - scene.measure_covered(state) * (1 - (1 - loss) ** 2))

    def rate_potential(self, scene: LayoutScene, state: Singles) -> Floats:
        """Return the rating as if nothing were violated: an upper bound that pressed cards hardly ever exceed."""
        hole = HOLE_WEIGHT * math.pi * self.find_biggest_holes(scene, state)[2] ** 2
        return np.asarray(scene.measure_covered(state) - hole)

    def find_biggest_holes(self, scene: LayoutScene, state: Singles) -> tuple[Floats, Floats, Floats]:
        """Return centre and radius of every card's biggest empty circle, as far as the probes show it."""
        cards, count = scene.ids.shape
        pose = Pose.of(state)
        body = np.repeat(np.arange(cards * count), len(self.x))
        away_x, away_y = self.x - pose.x[:, None], self.y - pose.y[:, None]
        distance = read_distance(scene, pose, body, away_x.ravel(), away_y.ravel())[0]
        radius = np.minimum(distance.reshape(cards, count, len(self.x)).min(axis=1), self.depth)
        return self.x[radius.argmax(axis=1)], self.y[radius.argmax(axis=1)], radius.max(axis=1)


def measure_violation(scene: LayoutScene, state: Singles, samples: int | None) -> Floats:
    """Return how much too near the nearest symbols of every card are."""
    contacts = find_contacts(scene, state, SamplePoints.of(scene, samples))
    worst = np.zeros(len(state))
    np.maximum.at(worst, contacts.card, -contacts.slack)
    return worst


MOVES = (0.3, 0.7)  # up to these numbers in [0, 1) a hop spins a symbol in place or swaps two; beyond, it fills a hole
LIFT = math.exp(-0.06)  # symbols shrink a little before a hop, to have room to move
DRAWS = 5  # random numbers that a hop takes


@dataclass(frozen=True)
class Effort:
    """What a quality costs: starts and hops for every card."""

    starts: int
    hops: int


EFFORTS = {"draft": Effort(1, 1), "normal": Effort(3, 13), "best": Effort(6, 90)}
PRESS = Schedule(steps=30, pressure=6.0)
HOP = Schedule(steps=24, pressure=6.0)
HOP_LEGS = (range(12), range(12, 16), range(16, 20), range(20, 24))  # after each, hopeless cards are given up
SEPARATE = Schedule(steps=10, pressure=0.0, final_pressure=0.0, samples=SAMPLES, reach_mm=0.5)
UNFOLD = Schedule(steps=30, pressure=0.5, samples=SAMPLES, reach_mm=0.5)
TIGHTEN = Schedule(steps=7, pressure=0.1, final_pressure=0.03, samples=SAMPLES, reach_mm=0.5)


def find_arrangements(scene: LayoutScene, effort: Effort, streams: Streams) -> Singles:
    """Return the best state found for every card; violations of some hundredths of a millimetre may remain."""
    rater = Rater.of(scene)
    state, score = _press_starts(scene, effort.starts, rater, streams)
    draws = np.stack([rng.random((effort.hops, DRAWS)) for rng in streams], axis=1)
    for hop_draws in draws:
        lifted = _lift(scene, state, rater, hop_draws)
        hopeful, tried = _hop(scene, lifted, score, scene.measure_covered(state), rater)
        if not len(hopeful):
            continue
        part = scene.take(hopeful)
        tried = relax(part, tried, TIGHTEN)
        tried_score = rater.rate(part, tried)
        better = tried_score > score[hopeful]
        improved = hopeful[better]
        state[improved], score[improved] = tried[better], tried_score[better]
    return state


def _hop(scene: LayoutScene, lifted: Singles, score: Floats, covered: Floats, rater: Rater) -> tuple[Integers, Singles]:
    """Press lifted cards together; return the rows and states of those that may beat their score.

    Under pressure symbols overlap, so a card that even then covers less than it did before is given up on the way.
    """
    rows, state = np.arange(len(lifted)), lifted
    for leg in HOP_LEGS:
        part = scene.take(rows)
        state = relax(part, state, HOP, leg)
        hopeful = np.flatnonzero(part.measure_covered(state) > covered[rows])
        rows, state = rows[hopeful], state[hopeful]
        if not len(rows):
            return rows, state
    hopeful = np.flatnonzero(rater.rate_potential(scene.take(rows), state) > score[rows])
    return rows[hopeful], state[hopeful]


def pack_circles(scene: LayoutScene, streams: Streams) -> Singles:
    """Place enclosing circles side by side, for cards whose symbols the search cannot untangle."""
    circles = scene.as_circles()
    state = relax(circles, find_arrangements(circles, Effort(4, 2), streams), SEPARATE)
    limits = np.minimum(scene.turn_limits, math.pi)
    state[..., 2] = np.clip(state[..., 2], -limits, limits)
    return state


def unfold_circles(scene: LayoutScene, circles: Singles) -> Singles:
    """Grow the outlines out of their circles; those that start apart and grow slowly hardly ever cross."""
    return relax(scene, relax(scene, circles, UNFOLD), TIGHTEN)


def _press_starts(scene: LayoutScene, starts: int, rater: Rater, streams: Streams) -> tuple[Singles, Floats]:
    """Press several starts of every card and keep the most promising of each."""
    cards = len(scene.ids)
    many = scene.take(np.tile(np.arange(cards), starts))
    state = relax(many, scatter_symbols(many, [*streams] * starts), PRESS)
    best = rater.rate_potential(many, state).reshape(starts, cards).argmax(axis=0) * cards + np.arange(cards)
    state = relax(scene, state[best], TIGHTEN)
    return state, rater.rate(scene, state)


def _lift(scene: LayoutScene, state: Singles, rater: Rater, draws: Floats) -> Singles:
    """Loosen every card and let one symbol spin, or two change places, or one move into the biggest hole."""
    count = scene.ids.shape[1]
    lifted = state.copy()
    lifted[..., 3] *= LIFT
    one = (draws[:, 0] * count).astype(np.intp)
    other = (one + 1 + (draws[:, 1] * (count - 1)).astype(np.intp)) % count
    move = np.digitize(draws[:, 2], MOVES)
    swap, fill = np.flatnonzero(move == 1), np.flatnonzero(move == 2)
    lifted[swap, one[swap], :2], lifted[swap, other[swap], :2] = (
        state[swap, other[swap], :2],
        state[swap, one[swap], :2],
    )
    x, y, _ = rater.find_biggest_holes(scene.take(fill), state[fill])
    lifted[fill, one[fill], 0], lifted[fill, one[fill], 1] = x, y
    spin = np.flatnonzero((move == 0) | (draws[:, 3] < 0.5))
    lifted[spin, one[spin], 2] += 0.7 + draws[spin, 4] * (2 * math.pi - 1.4)
    limits = scene.turn_limits
    lifted[..., 2] = np.clip(lifted[..., 2], -limits, limits)
    return lifted
