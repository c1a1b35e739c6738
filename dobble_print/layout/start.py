"""Starts: where the symbols of a card stand before the solver presses them.

Symbols stand on two loose rings, small and turned at random, so that every start leads to another arrangement.
Invariant: all randomness comes from the generator passed in, and no symbol starts on a centre that is to stay free.
"""

from __future__ import annotations

import math

import numpy as np

from dobble_print.layout.outline import Floats, Singles
from dobble_print.layout.problem import Scene

OUTER = 0.68  # radius of the outer ring, as a share of the safe radius
INNER_SHARE = 0.2  # about this share of a card's symbols stands on the inner ring


def scatter(scene: Scene, rng: np.random.Generator) -> Singles:
    """A start for every card: x, y, turn, radius for each symbol."""
    cards, count = scene.ids.shape
    free = scene.free_radius / scene.safe_radius
    state = np.zeros((cards, count, 4), np.float32)
    for card in range(cards):
        state[card, :, :2] = rng.permutation(_rings(rng, count, free)) * scene.safe_radius
    state[..., 2] = rng.uniform(-1, 1, (cards, count)) * np.minimum(scene.turn_limits, math.pi)
    state[..., 3] = np.exp(scene.ladder.rungs) * scene.safe_radius / (1.9 * math.sqrt(count))
    return state


def _rings(rng: np.random.Generator, count: int, free: float) -> Floats:
    """Places on an outer and an inner ring of the unit disc, around a free centre of the given radius."""
    inner = int(INNER_SHARE * count + rng.uniform(-0.4, 0.6)) if count > 4 else 0
    inner_radius = free + 0.2 if free > 0 else 0.1 + 0.06 * inner if inner > 1 else 0.0
    outer_radius = max(OUTER, free + 0.2)
    outer = _ring(rng, count - inner, outer_radius) + rng.normal(0, 0.05, (count - inner, 2))
    return np.concatenate([outer, _ring(rng, inner, inner_radius)])


def _ring(rng: np.random.Generator, count: int, radius: float) -> Floats:
    angles = rng.uniform(0, 2 * math.pi) + np.arange(count) * 2 * math.pi / max(1, count)
    return radius * np.stack([np.cos(angles), np.sin(angles)], -1)
