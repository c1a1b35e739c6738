"""The search for the fullest arrangement: a few starts for every card, then hops from the best one found so far.

A hop lifts a card out of its arrangement (symbols change places or spin) and lets it press together again; it is kept
when the card gets fuller. Invariant: the result depends on the scene and on the generator alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dobble_print.layout.outline import SAMPLES, Floats, Integers, Singles
from dobble_print.layout.problem import Scene
from dobble_print.layout.rating import Rater
from dobble_print.layout.relax import Schedule, relax
from dobble_print.layout.start import scatter

MOVES = (0.3, 0.4, 0.3)  # how often a hop spins a symbol in place, swaps two, or moves one into the biggest hole
LIFT = math.exp(-0.06)  # symbols shrink a little before a hop, to have room to move


@dataclass(frozen=True)
class Effort:
    """What a quality costs: starts for every card, hops for every card, and more hops for the weakest third."""

    starts: int
    hops: int
    weak_hops: int


EFFORTS = {"draft": Effort(1, 0, 2), "normal": Effort(2, 6, 6), "best": Effort(6, 70, 50)}
PRESS = Schedule(steps=60, pressure=6.0)
HOP = Schedule(steps=24, pressure=6.0)
HOP_LEGS = (range(12), range(12, 16), range(16, 20), range(20, 24))  # after each, hopeless cards are given up
SEPARATE = Schedule(steps=10, pressure=0.0, final_pressure=0.0, samples=SAMPLES, reach_mm=0.5)
UNFOLD = Schedule(steps=30, pressure=0.5, samples=SAMPLES, reach_mm=0.5)
TIGHTEN = Schedule(steps=7, pressure=0.1, final_pressure=0.03, samples=SAMPLES, reach_mm=0.5)


def find_arrangements(scene: Scene, effort: Effort, rng: np.random.Generator) -> Singles:
    """The best state found for every card; violations of some hundredths of a millimetre may be left."""
    rater = Rater.of(scene)
    state, score = _press_starts(scene, effort.starts, rater, rng)
    everything = np.arange(len(state))
    for hop in range(effort.hops + effort.weak_hops):
        rows = everything if hop < effort.hops else np.argsort(score, kind="stable")[: -(-len(score) // 3)]
        part = scene.take(rows)
        hopeful, tried = _hop(part, _lift(part, state[rows], rater, rng), score[rows], part.covered(state[rows]), rater)
        if not len(hopeful):
            continue
        rows, part = rows[hopeful], part.take(hopeful)
        tried = relax(part, tried, TIGHTEN)
        tried_score = rater.rate(part, tried)
        better = tried_score > score[rows]
        state[rows[better]], score[rows[better]] = tried[better], tried_score[better]
    return state


def _hop(scene: Scene, lifted: Singles, score: Floats, covered: Floats, rater: Rater) -> tuple[Integers, Singles]:
    """Press lifted cards together; returns those that may beat their score, as numbers and states.

    Under pressure symbols overlap, so a card that even then covers less than it did before is given up on the way.
    """
    rows, state = np.arange(len(lifted)), lifted
    for leg in HOP_LEGS:
        part = scene.take(rows)
        state = relax(part, state, HOP, leg)
        hopeful = np.flatnonzero(part.covered(state) > covered[rows])
        rows, state = rows[hopeful], state[hopeful]
        if not len(rows):
            return rows, state
    hopeful = np.flatnonzero(rater.promise(scene.take(rows), state) > score[rows])
    return rows[hopeful], state[hopeful]


def pack_circles(scene: Scene, rng: np.random.Generator) -> Singles:
    """A plain arrangement for cards the search cannot untangle: enclosing circles side by side."""
    circles = scene.as_circles()
    state = relax(circles, find_arrangements(circles, Effort(4, 2, 0), rng), SEPARATE)
    limits = np.minimum(scene.turn_limits, math.pi)
    state[..., 2] = np.clip(state[..., 2], -limits, limits)
    return state


def unfold(scene: Scene, circles: Singles) -> Singles:
    """Let the outlines grow out of their circles; those that start apart and grow slowly hardly ever cross."""
    return relax(scene, relax(scene, circles, UNFOLD), TIGHTEN)


def _press_starts(scene: Scene, starts: int, rater: Rater, rng: np.random.Generator) -> tuple[Singles, Floats]:
    """Press several starts of every card and keep the most promising of each."""
    cards = len(scene.ids)
    many = scene.take(np.tile(np.arange(cards), starts))
    state = relax(many, scatter(many, rng), PRESS)
    best = rater.promise(many, state).reshape(starts, cards).argmax(axis=0) * cards + np.arange(cards)
    state = relax(scene, state[best], TIGHTEN)
    return state, rater.rate(scene, state)


def _lift(scene: Scene, state: Singles, rater: Rater, rng: np.random.Generator) -> Singles:
    """Loosen every card and let one symbol spin, or two change places, or one move into the biggest hole."""
    cards, count = scene.ids.shape
    lifted = state.copy()
    lifted[..., 3] *= LIFT
    one = rng.integers(0, count, (cards,))
    other = (one + rng.integers(1, max(2, count), (cards,))) % count
    move = rng.choice(3, (cards,), p=MOVES)
    swap, fill = np.flatnonzero(move == 1), np.flatnonzero(move == 2)
    lifted[swap, one[swap], :2], lifted[swap, other[swap], :2] = (
        state[swap, other[swap], :2],
        state[swap, one[swap], :2],
    )
    x, y, _ = rater.biggest_holes(scene.take(fill), state[fill])
    lifted[fill, one[fill], 0], lifted[fill, one[fill], 1] = x, y
    spin = np.flatnonzero((move == 0) | (rng.random((cards,)) < 0.5))
    lifted[spin, one[spin], 2] += rng.uniform(0.7, 2 * math.pi - 0.7, (len(spin),))
    limits = scene.turn_limits
    lifted[..., 2] = np.clip(lifted[..., 2], -limits, limits)
    return lifted
