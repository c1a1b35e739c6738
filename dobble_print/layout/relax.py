"""The solver: all symbols of a batch of cards are moved, turned and grown together until they press against each other.

Each step is a damped Gauss-Newton step per card: the squares of all violated contacts are to vanish while a pressure
grows the symbols. The pressure starts high (symbols overlap and slide past each other) and falls geometrically, so the
card ends tight with violations of hundredths of a millimetre. Invariant: a symbol's radius stays within `flex` of its
rung of the ladder, whatever the forces, and its turn within its limit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dobble_print.layout.contact import Contacts, Scene, find_contacts
from dobble_print.layout.outline import Floats, Integers, Singles

FREEDOMS = 4
BLOCK_ROWS = 64  # contacts are multiplied in blocks too small for a BLAS to spread over cores
GROWTH = 0.05  # a symbol grows or shrinks by no more than this (log) in a step, lest thin ones grow across each other


@dataclass(frozen=True, eq=False)
class Ladder:
    """The sizes asked: the rung of each symbol (log), how far it may leave it, and the smallest radius."""

    rungs: Floats
    flex: float
    min_radius: float

    def keep(self, log_radius: Floats) -> Floats:
        """Bring log radii within `flex` of their rungs, around the card's own common size."""
        off = log_radius - self.rungs
        common = off.mean(axis=1, keepdims=True)
        kept: Floats = self.rungs + common + np.clip(off - common, -self.flex, self.flex)
        return np.maximum(kept, np.log(self.min_radius))


@dataclass(frozen=True)
class Schedule:
    """How long to press, from which pressure down to which, and with how many contour points."""

    steps: int
    pressure: float
    final_pressure: float = 0.1
    samples: int = 40
    reach_mm: float = 2.0
    damping: float = 0.3
    spring: float = 2.0


def relax(scene: Scene, state: Singles, ladder: Ladder, schedule: Schedule) -> Singles:
    """Press the cards of a batch; returns the new state (cards, symbols, 4): x, y, turn, radius."""
    state = state.copy()
    span = max(1, schedule.steps - 1)
    for step in range(schedule.steps):
        contacts = find_contacts(scene, state, schedule.samples)
        fall = step / span
        pressure = schedule.pressure ** (1 - fall) * schedule.final_pressure**fall
        move = _newton_move(scene, state, ladder, contacts, pressure, schedule)
        reach = schedule.reach_mm * (1 - 0.8 * fall)
        _apply(scene, state, np.clip(move, -reach, reach), ladder)
    return state


def _apply(scene: Scene, state: Singles, move: Floats, ladder: Ladder) -> None:
    """Move, turn and grow; then bring turns and sizes back within their limits."""
    radius = state[..., 3].astype(np.float64)
    state[..., :2] += move[..., :2]
    limit = scene.outlines.turn_limit[scene.ids]
    state[..., 2] = np.clip(state[..., 2] + move[..., 2] / radius, -limit, limit)
    state[..., 3] = np.exp(ladder.keep(np.log(radius) + np.clip(move[..., 3] / radius, -GROWTH, GROWTH)))


def _newton_move(
    scene: Scene, state: Singles, ladder: Ladder, contacts: Contacts, pressure: float, schedule: Schedule
) -> Floats:
    cards, count = scene.ids.shape
    matrix, force = _assemble(contacts, cards, count)
    radius = state[..., 3].astype(np.float64)
    growth = scene.outlines.area[scene.ids] * radius
    force[:, 3::FREEDOMS] += pressure * growth / growth.mean(axis=1, keepdims=True)
    # a spring between each size and its rung; the card's common size is free, hence the 1/count
    stiff = schedule.spring * (np.eye(count) - 1 / count)
    off = np.log(radius) - ladder.rungs
    mean_radius = radius.mean(axis=1)[:, None, None]
    matrix[:, 3::FREEDOMS, 3::FREEDOMS] += stiff * mean_radius**2 / (radius[:, :, None] * radius[:, None, :])
    force[:, 3::FREEDOMS] -= (off @ stiff) * mean_radius[..., 0] ** 2 / radius
    diagonal = np.arange(count * FREEDOMS)
    matrix[:, diagonal, diagonal] += schedule.damping
    solved = np.linalg.solve(matrix, force[..., None]).astype(np.float64)
    return solved.reshape(cards, count, FREEDOMS)


def _assemble(contacts: Contacts, cards: int, count: int) -> tuple[Floats, Floats]:
    """The Gauss-Newton matrix and force of every card."""
    order = np.argsort(contacts.card, kind="stable")
    card = contacts.card[order]
    per_card = np.bincount(card, minlength=cards)
    place = np.arange(len(card)) - np.repeat(np.cumsum(per_card) - per_card, per_card)
    blocks = max(1, -(-int(per_card.max(initial=0)) // BLOCK_ROWS))
    jacobian = np.zeros((cards, blocks * BLOCK_ROWS, count + 1, FREEDOMS), np.float32)
    jacobian[card, place, _slot(contacts.first[order], count)] = contacts.by_first[order]
    jacobian[card, place, _slot(contacts.second[order], count)] = contacts.by_second[order]
    wide = jacobian[:, :, :count].reshape(cards, blocks, BLOCK_ROWS, count * FREEDOMS)
    violation = np.zeros((cards, blocks * BLOCK_ROWS), np.float32)
    violation[card, place] = -contacts.slack[order]
    matrix = np.matmul(wide.transpose(0, 1, 3, 2), wide).sum(axis=1).astype(np.float64)
    force = np.matmul(violation.reshape(cards, blocks, 1, BLOCK_ROWS), wide).sum(axis=1).astype(np.float64)
    return matrix, force[:, 0]


def _slot(body: Integers, count: int) -> Integers:
    """A symbol's place on its card; what cannot move goes to a spare place that is dropped."""
    return np.where(body < 0, count, body % count)
