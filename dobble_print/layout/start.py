"""Starts: where the symbols of a card stand before the solver presses them.

Symbols stand on two loose rings, small and turned at random, so that every start leads to another arrangement.
Invariant: all randomness comes from the generator passed in.
"""

from __future__ import annotations

import math

import numpy as np

from dobble_print.layout.outline import Floats, Singles
from dobble_print.layout.problem import Scene

OUTER = 0.68  # radius of the outer ring, as a share of the safe radius
INNER_CHOICES = {3: (0,), 4: (0,), 5: (0, 1), 6: (1,), 7: (1,), 8: (1, 2), 9: (1, 2), 10: (2, 3), 11: (2, 3), 12: (3,)}
MANY_INNER = (3, 4)


def scatter(scene: Scene, safe_radius: float, rng: np.random.Generator) -> Singles:
    """A start for every card: x, y, turn, radius for each symbol."""
    cards, count = scene.ids.shape
    state = np.zeros((cards, count, 4), np.float32)
    for card in range(cards):
        state[card, :, :2] = rng.permutation(_rings(rng, count)) * safe_radius
    limit = np.minimum(scene.turn_limits, math.pi)
    state[..., 2] = rng.uniform(-1, 1, (cards, count)) * limit
    state[..., 3] = np.exp(scene.ladder.rungs) * safe_radius / (1.9 * math.sqrt(count))
    return state


def _rings(rng: np.random.Generator, count: int) -> Floats:
    """Places on an outer and an inner ring of the unit disc."""
    inner = int(rng.choice(INNER_CHOICES.get(count, MANY_INNER)))
    outer = count - inner
    angles = rng.uniform(0, 2 * math.pi) + np.arange(outer) * 2 * math.pi / outer + rng.normal(0, 0.08, outer)
    inner_angles = rng.uniform(0, 2 * math.pi) + np.arange(inner) * 2 * math.pi / max(1, inner)
    inner_radius = 0.0 if inner == 1 else 0.1 + 0.06 * inner
    places = [(OUTER * math.cos(a), OUTER * math.sin(a)) for a in angles]
    places += [(inner_radius * math.cos(a), inner_radius * math.sin(a)) for a in inner_angles]
    return np.array(places)
