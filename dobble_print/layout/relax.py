"""The solver: all symbols of a batch of cards are moved, turned and grown together until they press against each other.

Each step is a damped Gauss-Newton step per card: the squares of all violated contacts are to vanish while a pressure
grows the symbols. The pressure starts high (symbols overlap and slide past each other) and falls geometrically, so the
card ends tight with violations of hundredths of a millimetre. Invariant: whatever the forces, sizes keep to the ladder
and turns to their limits after every step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dobble_print.layout.contact import Contacts, Sight, find_contacts
from dobble_print.layout.outline import Floats, Integers, Singles
from dobble_print.layout.problem import Scene

FREEDOMS = 4
MAX_ROWS = 256  # a card in such a tangle is far from its solution anyway
BLOCK_ROWS = 32  # contacts are multiplied in blocks too small for a BLAS to spread over cores
SOLVER_STEPS = 6  # more would chase contacts that have changed by the next step
TINY = np.float32(1e-20)
GROWTH = 0.05  # a symbol grows or shrinks by no more than this (log) in a step, lest thin ones grow across each other


@dataclass(frozen=True)
class Schedule:
    """How long to press, from which pressure down to which, and with how many contour points (None: precisely)."""

    steps: int
    pressure: float
    final_pressure: float = 0.1
    samples: int | None = 40
    reach_mm: float = 2.0  # how far a symbol goes in a step at first; a fifth of it at last
    damping: float = 0.1
    spring: float = 0.3  # stiffness between sizes and rungs, as a share of the pressure


def relax(scene: Scene, state: Singles, schedule: Schedule, leg: range | None = None) -> Singles:
    """Press the cards of a batch; returns the new state (cards, symbols, 4): x, y, turn, radius.

    A schedule can be gone through in legs, each a range of its steps.
    """
    state = state.copy()
    span, sight = max(1, schedule.steps - 1), Sight.of(scene, schedule.samples)
    for step in leg or range(schedule.steps):
        contacts = find_contacts(scene, state, sight)
        fall = step / span
        pressure = schedule.pressure ** (1 - fall) * schedule.final_pressure**fall
        move = _newton_move(scene, state, contacts, pressure, schedule)
        reach = schedule.reach_mm * (1 - 0.8 * fall)
        _apply(scene, state, np.clip(move, -reach, reach))
    return state


def _apply(scene: Scene, state: Singles, move: Floats) -> None:
    """Move, turn and grow; then bring turns and sizes back within their limits."""
    radius = state[..., 3].astype(np.float64)
    state[..., :2] += move[..., :2]
    limit = scene.turn_limits
    state[..., 2] = np.clip(state[..., 2] + move[..., 2] / radius, -limit, limit)
    state[..., 3] = np.exp(scene.ladder.keep(np.log(radius) + np.clip(move[..., 3] / radius, -GROWTH, GROWTH)))


def _newton_move(scene: Scene, state: Singles, contacts: Contacts, pressure: float, schedule: Schedule) -> Floats:
    """What every symbol should do next: contacts push, the pressure grows, a spring holds each size near its rung."""
    cards, count = scene.ids.shape
    matrix, force = _assemble(contacts, cards, count)
    radius = state[..., 3].astype(np.float64)
    growth = scene.outlines.area[scene.ids] * radius
    force[:, 3::FREEDOMS] += pressure * growth / growth.mean(axis=1, keepdims=True)
    # the spring leaves the card's common size free, hence the 1 / count
    stiff = schedule.spring * pressure * (np.eye(count) - 1 / count)
    off = np.log(radius) - scene.ladder.rungs
    mean_radius = radius.mean(axis=1)[:, None, None]
    matrix[:, 3::FREEDOMS, 3::FREEDOMS] += stiff * mean_radius**2 / (radius[:, :, None] * radius[:, None, :])
    force[:, 3::FREEDOMS] -= (off @ stiff) * mean_radius[..., 0] ** 2 / radius
    diagonal = np.arange(count * FREEDOMS)
    matrix[:, diagonal, diagonal] += schedule.damping
    return _conjugate_gradients(matrix, force).reshape(cards, count, FREEDOMS)


def _conjugate_gradients(matrix: Singles, force: Singles) -> Singles:
    """Solve roughly: a few steps find the way the card as a whole wants to go and leave out its jitter."""
    precondition = 1 / np.diagonal(matrix, axis1=1, axis2=2)
    solution, residual = np.zeros_like(force), force
    search = precondition * residual
    energy = (residual * search).sum(axis=1, keepdims=True)
    for _ in range(SOLVER_STEPS):
        image = np.matmul(matrix, search[..., None])[..., 0]
        stride = energy / ((search * image).sum(axis=1, keepdims=True) + TINY)
        solution = solution + stride * search
        residual = residual - stride * image
        steepest = precondition * residual
        energy, before = (residual * steepest).sum(axis=1, keepdims=True), energy
        search = steepest + energy / (before + TINY) * search
    return solution


def _assemble(contacts: Contacts, cards: int, count: int) -> tuple[Singles, Singles]:
    """The Gauss-Newton matrix and force of every card, summed over blocks of contacts."""
    order = _worst_of_each_card(contacts, cards)
    card = contacts.card[order]
    rows = np.bincount(card, minlength=cards)
    blocks = np.maximum(1, -(-rows // BLOCK_ROWS))
    first_block = np.cumsum(blocks) - blocks
    rank = np.arange(len(card)) - np.repeat(np.cumsum(rows) - rows, rows)
    block, place = first_block[card] + rank // BLOCK_ROWS, rank % BLOCK_ROWS
    jacobian = np.zeros((int(blocks.sum()), BLOCK_ROWS, count + 1, FREEDOMS), np.float32)
    jacobian[block, place, _slot(contacts.first[order], count)] = contacts.by_first[order]
    jacobian[block, place, _slot(contacts.second[order], count)] = contacts.by_second[order]
    jacobian[:, :, count] = 0  # what cannot move takes no part; its last column carries the violation instead
    jacobian[block, place, count, 0] = -contacts.slack[order]
    wide = jacobian.reshape(-1, BLOCK_ROWS, (count + 1) * FREEDOMS)
    products = np.matmul(wide.transpose(0, 2, 1), wide.copy())  # a copy: numpy is slower when both are one array
    total = products[first_block]
    for number in range(1, int(blocks.max())):
        longer = np.flatnonzero(blocks > number)
        total[longer] += products[first_block[longer] + number]
    size = count * FREEDOMS
    return total[:, :size, :size], total[:, :size, size]


def _worst_of_each_card(contacts: Contacts, cards: int) -> Integers:
    """The contacts in the order of their cards; of a card with very many, only the worst."""
    rows = np.bincount(contacts.card, minlength=cards)
    if rows.max(initial=0) <= MAX_ROWS:
        return np.argsort(contacts.card, kind="stable")
    order = np.lexsort((contacts.slack, contacts.card))
    rank = np.arange(len(order)) - np.repeat(np.cumsum(rows) - rows, rows)
    return order[rank < MAX_ROWS]


def _slot(body: Integers, count: int) -> Integers:
    """A symbol's place on its card; what cannot move goes to a spare place that is dropped."""
    return np.where(body < 0, count, body % count)
