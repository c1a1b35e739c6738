"""The rating by which arrangements of a card are compared: full, without a big hole, and free of violations.

Invariant: a rating is an area in square millimetres and depends on the state alone, so ratings of any round compare.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dobble_print.layout.contact import Pose, Sight, find_contacts, look_up
from dobble_print.layout.outline import SAMPLES, Floats, Singles
from dobble_print.layout.problem import Scene

PROBE_STEP_MM = 3.0  # holes are looked for at points this far apart
HOLE_WEIGHT = 0.5  # how much of the biggest empty circle's area counts against a card


@dataclass(frozen=True, eq=False)
class Rater:
    """Points all over the safe area, and how far each of them is from the cut."""

    x: Singles
    y: Singles
    depth: Singles

    @classmethod
    def of(cls, scene: Scene) -> Rater:
        """The probes for a scene's card shape."""
        reach = np.abs(scene.wall.corners).max() + scene.wall.radius
        axis = np.arange(-reach, reach + PROBE_STEP_MM, PROBE_STEP_MM, dtype=np.float32)
        x, y = (grid.ravel() for grid in np.meshgrid(axis, axis))
        depth = scene.wall.depth(x, y)[0]
        safe = (depth > scene.margin) & (np.hypot(x, y) >= scene.free_radius)
        if not safe.any():  # a card this small has no hole to speak of
            safe[len(safe) // 2] = True
        return cls(x[safe], y[safe], depth[safe])

    def rate(self, scene: Scene, state: Singles) -> Floats:
        """The area covered, less what removing the worst violation will cost, less a share of the biggest hole."""
        loss = np.minimum(worst_violation(scene, state, SAMPLES) / state[..., 3].mean(axis=1), 1)
        rating: Floats = self.promise(scene, state) - scene.covered(state) * (1 - (1 - loss) ** 2)
        return rating

    def promise(self, scene: Scene, state: Singles) -> Floats:
        """The rating as if nothing were violated: cards that are pressed but not yet tight hardly ever keep more."""
        hole = HOLE_WEIGHT * math.pi * self.biggest_holes(scene, state)[2] ** 2
        promised: Floats = scene.covered(state) - hole
        return promised

    def biggest_holes(self, scene: Scene, state: Singles) -> tuple[Floats, Floats, Floats]:
        """Centre and radius of the biggest empty circle of every card, as far as the probes see it."""
        cards, count = scene.ids.shape
        pose = Pose.of(state)
        body = np.repeat(np.arange(cards * count), len(self.x))
        away_x, away_y = self.x - pose.x[:, None], self.y - pose.y[:, None]
        distance = look_up(scene, pose, body, away_x.ravel(), away_y.ravel())[0]
        radius = np.minimum(distance.reshape(cards, count, len(self.x)).min(axis=1), self.depth)
        return self.x[radius.argmax(axis=1)], self.y[radius.argmax(axis=1)], radius.max(axis=1)


def worst_violation(scene: Scene, state: Singles, samples: int | None) -> Floats:
    """How much too near the nearest symbols of every card are."""
    contacts = find_contacts(scene, state, Sight.of(scene, samples))
    worst = np.zeros(len(state))
    np.maximum.at(worst, contacts.card, -contacts.slack)
    return worst
