"""Push symbols apart: find contacts, and move everything until none is left.

Invariant: turns and sizes stay within the scene's limits after every step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dobble_print.layout.model import CELL, GRID, TRACK, WINDOW, Floats, Integers, LayoutScene, Singles

F32 = np.float32
WALL_BLUR_MM = 0.01  # room for rounding
BLUR_MM = 0.3  # how far a distance read from the field may be off


@dataclass(frozen=True, eq=False)
class Contacts:
    """Contacts as rows; a symbol is its flat number in the batch, -1 stands for what cannot move."""

    card: Integers
    first: Integers
    second: Integers
    slack: Singles
    by_first: Singles  # (rows, 4)
    by_second: Singles


@dataclass(frozen=True, eq=False)
class Pose:
    """Flat arrays of the symbols' state, with sines and cosines computed once."""

    x: Singles
    y: Singles
    cos: Singles
    sin: Singles
    radius: Singles

    @classmethod
    def of(cls, state: Singles) -> Pose:
        """Return the pose of a state (cards, symbols, 4): x, y, turn, radius."""
        x, y, turn, radius = np.ascontiguousarray(state.reshape(-1, 4).T)
        return cls(x, y, np.cos(turn), np.sin(turn), radius)

    def to_cells(self, body: Integers, rx: Singles, ry: Singles) -> tuple[Singles, Singles]:
        """Convert points relative to the centres of symbols to cells of their fields."""
        scale = 1 / (self.radius * F32(CELL))
        cos, sin = (self.cos * scale).take(body), (self.sin * scale).take(body)
        return cos * rx + sin * ry + F32(GRID / 2), cos * ry - sin * rx + F32(GRID / 2)

    def to_card(self, body: Integers, gx: Singles, gy: Singles) -> tuple[Singles, Singles]:
        """Turn directions in the frames of symbols as the symbols are turned."""
        cos, sin = self.cos.take(body), self.sin.take(body)
        return cos * gx - sin * gy, sin * gx + cos * gy


@dataclass(frozen=True, eq=False)
class SamplePoints:
    """Contour points at which the symbols of a batch are tested, (symbols, points); precise: all corners."""

    x: Singles
    y: Singles
    precise: bool

    @classmethod
    def of(cls, scene: LayoutScene, samples: int | None) -> SamplePoints:
        """Return the first `samples` points of every contour, or (None) its corners."""
        outlines = scene.outlines
        points = (outlines.corners if samples is None else outlines.points[:, :samples])[scene.ids.reshape(-1)]
        x, y = np.ascontiguousarray(np.moveaxis(points, -1, 0))
        return cls(x, y, samples is None)


def find_contacts(scene: LayoutScene, state: Singles, points: SamplePoints) -> Contacts:
    """Return all violated contacts that the sample points show."""
    pose = Pose.of(state)
    cos, sin = (pose.cos * pose.radius)[:, None], (pose.sin * pose.radius)[:, None]
    world_x = cos * points.x - sin * points.y + pose.x[:, None]
    world_y = sin * points.x + cos * points.y + pose.y[:, None]
    found = [
        _find_symbol_contacts(scene, pose, world_x, world_y, points.precise),
        _find_wall_contacts(scene, pose, world_x, world_y),
    ]
    if scene.free_radius > 0:
        found.append(_find_centre_contacts(scene, pose))
    count = scene.ids.shape[1]
    joined = [np.concatenate(parts) for parts in zip(*found, strict=True)]
    first, second, slack, by_first, by_second = joined
    return Contacts(np.maximum(first, second) // count, first, second, slack, by_first, by_second)


Rows = tuple[Integers, Integers, Singles, Singles, Singles]


def _find_symbol_contacts(scene: LayoutScene, pose: Pose, world_x: Singles, world_y: Singles, precise: bool) -> Rows:
    gap = F32(scene.gap)
    reach = gap + F32(BLUR_MM if precise else 0)
    first, second = _find_near_pairs(scene, pose, reach)
    away_x = world_x.take(first, axis=0) - pose.x[second, None]
    away_y = world_y.take(first, axis=0) - pose.y[second, None]
    limit = (pose.radius[second] + reach) ** 2
    inside = np.flatnonzero(away_x * away_x + away_y * away_y < limit[:, None])
    pair = inside // world_x.shape[1]
    rx, ry, first, second = away_x.take(inside), away_y.take(inside), first[pair], second[pair]
    distance, gx, gy = read_distance(scene, pose, second, rx, ry)
    near = np.flatnonzero(distance < reach)
    rx, ry, first, second = rx[near], ry[near], first[near], second[near]
    distance, gx, gy = distance[near], gx[near], gy[near]
    if precise:
        sign = np.sign(distance)
        distance, gx, gy = (sign * part for part in _measure_distance(scene, pose, second, rx, ry))
        near = np.flatnonzero(distance < gap)
        rx, ry, first, second = rx[near], ry[near], first[near], second[near]
        distance, gx, gy = distance[near], gx[near], gy[near]
    nx, ny = pose.to_card(second, gx, gy)
    qx, qy = rx + pose.x[second] - pose.x[first], ry + pose.y[second] - pose.y[first]
    by_first = _derive_by_point(nx, ny, qx, qy, pose.radius[first])
    by_second = _derive_by_field(nx, ny, rx, ry, distance, pose.radius[second])
    return first, second, distance - gap, by_first, by_second


def _find_near_pairs(scene: LayoutScene, pose: Pose, reach: F32) -> tuple[Integers, Integers]:
    """Return ordered pairs of symbols of a card whose enclosing circles come within reach."""
    cards, count = scene.ids.shape
    one, other = np.nonzero(~np.eye(count, dtype=bool))
    x, y, radius = (a.reshape(cards, count) for a in (pose.x, pose.y, pose.radius))
    dx, dy = x[:, one] - x[:, other], y[:, one] - y[:, other]
    card, pair = np.nonzero(dx * dx + dy * dy < (radius[:, one] + radius[:, other] + reach) ** 2)
    return card * count + one[pair], card * count + other[pair]


def _measure_distance(
    scene: LayoutScene, pose: Pose, body: Integers, rx: Singles, ry: Singles, whole: bool = False
) -> tuple[Singles, Singles, Singles]:
    """Return the distance of points to a symbol's segments, and its gradient in the symbol's frame.

    Points are relative to the symbol's centre. Only segments around the one nearest to the point's cell are measured,
    unless the `whole` contour is asked for.
    """
    u, v = pose.to_cells(body, rx, ry)
    piece = scene.ids.reshape(-1)[body]
    if whole:
        around = piece[:, None] * TRACK + np.arange(WINDOW, TRACK - WINDOW)
    else:
        around = scene.outlines.nearest[_find_cells(piece, u, v)[0]][:, None] + np.arange(-WINDOW, WINDOW + 1)
    u, v = (u - F32(GRID / 2)) * F32(CELL), (v - F32(GRID / 2)) * F32(CELL)
    x, y = _find_nearest_offset(u[:, None], v[:, None], scene.outlines.track[around])
    length = np.sqrt(x * x + y * y) + F32(1e-6)
    return length * pose.radius[body], x / length, y / length


def _find_nearest_offset(u: Singles, v: Singles, segments: Singles) -> tuple[Singles, Singles]:
    """Return the offset of each point from the nearest of its segments (points, segments, 4)."""
    x, y, dx, dy = np.moveaxis(segments, -1, 0)
    x, y = u - x, v - y
    along = np.clip((x * dx + y * dy) / (dx * dx + dy * dy + F32(1e-12)), 0, 1)
    x, y = x - along * dx, y - along * dy
    best = (x * x + y * y).argmin(1)[:, None]
    return np.take_along_axis(x, best, 1)[:, 0], np.take_along_axis(y, best, 1)[:, 0]


def read_distance(
    scene: LayoutScene, pose: Pose, body: Integers, rx: Singles, ry: Singles
) -> tuple[Singles, Singles, Singles]:
    """Read the signed distance of points to a symbol from its field, and its gradient in the symbol's frame.

    Points are relative to the symbol's centre.
    """
    u, v = pose.to_cells(body, rx, ry)
    index, off_u, off_v = _find_cells(scene.ids.reshape(-1).take(body), u, v)
    cell = scene.outlines.field.take(index, axis=0)
    gx, gy = cell[:, 1], cell[:, 2]
    distance = (cell[:, 0] + (off_u * gx + off_v * gy) * F32(CELL)) * pose.radius.take(body)
    return distance, gx, gy


def _find_cells(piece: Integers, u: Singles, v: Singles) -> tuple[Integers, Singles, Singles]:
    """Return the cell of a piece's field that holds each point, and the point's offset from that cell's centre."""
    column, row = (np.clip(np.floor(w), F32(0), F32(GRID - 1)) for w in (u, v))
    index = (row * F32(GRID) + column).astype(np.intp) + piece * (GRID * GRID)
    return index, u - column - F32(0.5), v - row - F32(0.5)


def _find_wall_contacts(scene: LayoutScene, pose: Pose, world_x: Singles, world_y: Singles) -> Rows:
    """Find points too near to the cut; those well within the largest circle of the card need no look."""
    safe = max(0.0, scene.wall.inner_radius - scene.margin - WALL_BLUR_MM)
    outer = np.flatnonzero(world_x * world_x + world_y * world_y > F32(safe * safe))
    far_x, far_y = world_x.take(outer), world_y.take(outer)
    depth, nx, ny = scene.wall.depth(far_x, far_y)
    near = np.flatnonzero(depth < F32(scene.margin))
    body = outer[near] // world_x.shape[1]
    nx, ny = nx[near], ny[near]
    qx, qy = far_x[near] - pose.x[body], far_y[near] - pose.y[body]
    by_first = _derive_by_point(nx, ny, qx, qy, pose.radius[body])
    fixed = np.full_like(body, -1)
    return body, fixed, depth[near] - F32(scene.margin), by_first, np.zeros_like(by_first)


def _find_centre_contacts(scene: LayoutScene, pose: Pose) -> Rows:
    """Find contacts with the free disc: one point, the card's centre, that keeps its radius away from symbols."""
    body = np.arange(len(pose.x))
    sign = np.where(read_distance(scene, pose, body, -pose.x, -pose.y)[0] < 0, F32(-1), F32(1))
    distance, gx, gy = (sign * part for part in _measure_distance(scene, pose, body, -pose.x, -pose.y, whole=True))
    body = np.flatnonzero(distance < F32(scene.free_radius))
    distance, (nx, ny) = distance[body], pose.to_card(body, gx[body], gy[body])
    by_second = _derive_by_field(nx, ny, -pose.x[body], -pose.y[body], distance, pose.radius[body])
    fixed = np.full_like(body, -1)
    return fixed, body, distance - F32(scene.free_radius), np.zeros_like(by_second), by_second


def _derive_by_point(nx: Singles, ny: Singles, qx: Singles, qy: Singles, radius: Singles) -> Singles:
    """Return the derivative of a distance by the freedoms of the symbol whose contour point it is."""
    return np.stack([nx, ny, (qx * ny - qy * nx) / radius, (qx * nx + qy * ny) / radius], -1)


def _derive_by_field(nx: Singles, ny: Singles, rx: Singles, ry: Singles, distance: Singles, radius: Singles) -> Singles:
    """Return the derivative of a distance by the freedoms of the symbol whose field it was read from."""
    turn, growth = (ry * nx - rx * ny) / radius, (distance - rx * nx - ry * ny) / radius
    return np.stack([-nx, -ny, turn, growth], -1)


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


def relax(scene: LayoutScene, state: Singles, schedule: Schedule, leg: range | None = None) -> Singles:
    """Press the cards of a batch and return the new state (cards, symbols, 4): x, y, turn, radius.

    A schedule can be run in legs, each a range of its steps.
    """
    state = state.copy()
    span, points = max(1, schedule.steps - 1), SamplePoints.of(scene, schedule.samples)
    for step in leg or range(schedule.steps):
        scene.on_pulse()
        contacts = find_contacts(scene, state, points)
        if scene.ladder.fixed:
            contacts.by_first[:, 3] = contacts.by_second[:, 3] = 0
        fall = step / span
        pressure = schedule.pressure ** (1 - fall) * schedule.final_pressure**fall
        move = _find_newton_move(scene, state, contacts, pressure, schedule)
        reach = schedule.reach_mm * (1 - 0.8 * fall)
        _apply_move(scene, state, np.clip(move, -reach, reach))
    return state


def _apply_move(scene: LayoutScene, state: Singles, move: Floats) -> None:
    """Move, turn and grow; then bring turns and sizes back within their limits."""
    radius = state[..., 3].astype(np.float64)
    state[..., :2] += move[..., :2]
    limit = scene.turn_limits
    state[..., 2] = np.clip(state[..., 2] + move[..., 2] / radius, -limit, limit)
    state[..., 3] = np.exp(scene.ladder.clamp(np.log(radius) + np.clip(move[..., 3] / radius, -GROWTH, GROWTH)))


def _find_newton_move(
    scene: LayoutScene, state: Singles, contacts: Contacts, pressure: float, schedule: Schedule
) -> Floats:
    """Return every symbol's next move: contacts push, pressure grows, a spring holds each size near its rung."""
    cards, count = scene.ids.shape
    matrix, force = _assemble(contacts, cards, count)
    radius = state[..., 3].astype(np.float64)
    growth = scene.outlines.area[scene.ids] * radius
    force[:, 3::FREEDOMS] += pressure * growth / growth.mean(axis=1, keepdims=True)
    # the spring leaves the card's common size free, hence the 1 / count
    spring = schedule.spring * pressure
    stiff = spring * (np.eye(count) - 1 / count)
    off = np.log(radius) - scene.ladder.rungs
    pull = spring * (off - off.mean(axis=1, keepdims=True))
    mean_radius = radius.mean(axis=1)[:, None, None]
    matrix[:, 3::FREEDOMS, 3::FREEDOMS] += stiff * mean_radius**2 / (radius[:, :, None] * radius[:, None, :])
    force[:, 3::FREEDOMS] -= pull * mean_radius[..., 0] ** 2 / radius
    diagonal = np.arange(count * FREEDOMS)
    matrix[:, diagonal, diagonal] += schedule.damping
    return _conjugate_gradients(matrix, force).reshape(cards, count, FREEDOMS)


def _conjugate_gradients(matrix: Singles, force: Singles) -> Singles:
    """Solve roughly: a few steps find the card's common movement and leave out its jitter."""
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
    """Return the Gauss-Newton matrix and force of every card, summed over blocks of contacts."""
    order = _select_worst(contacts, cards)
    card = contacts.card[order]
    rows = np.bincount(card, minlength=cards)
    blocks = np.maximum(1, -(-rows // BLOCK_ROWS))
    first_block = np.cumsum(blocks) - blocks
    rank = np.arange(len(card)) - np.repeat(np.cumsum(rows) - rows, rows)
    block, place = first_block[card] + rank // BLOCK_ROWS, rank % BLOCK_ROWS
    jacobian = np.zeros((int(blocks.sum()), BLOCK_ROWS, count + 1, FREEDOMS), np.float32)
    jacobian[block, place, _find_slot(contacts.first[order], count)] = contacts.by_first[order]
    jacobian[block, place, _find_slot(contacts.second[order], count)] = contacts.by_second[order]
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


def _select_worst(contacts: Contacts, cards: int) -> Integers:
    """Return the contacts in the order of their cards; of a card with very many, only the worst."""
    rows = np.bincount(contacts.card, minlength=cards)
    crowded = rows > MAX_ROWS
    if not crowded.any():
        return np.argsort(contacts.card, kind="stable")
    # a card's rows are summed in one order, whatever cards are beside it
    order = np.lexsort((np.where(crowded[contacts.card], contacts.slack, 0), contacts.card))
    rank = np.arange(len(order)) - np.repeat(np.cumsum(rows) - rows, rows)
    return order[rank < MAX_ROWS]


def _find_slot(body: Integers, count: int) -> Integers:
    """Return a symbol's slot on its card; what cannot move goes to a spare slot that is dropped."""
    return np.where(body < 0, count, body % count)
