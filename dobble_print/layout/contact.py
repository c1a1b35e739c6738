"""Contacts: where symbols come too near to each other, to the card's edge or to the free centre.

Every contact is a slack (how far apart beyond what is asked, negative when too near) and its derivative by the four
freedoms of the two symbols concerned. All freedoms are lengths (x, y, turn times radius, growth of the radius), so one
damping suits them all. Invariant: all cards of a batch are measured together, nothing here loops over cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dobble_print.layout.outline import CELL, GRID, TRACK, WINDOW, Integers, Singles
from dobble_print.layout.problem import Scene

F32 = np.float32
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
        """The pose of a state (cards, symbols, 4): x, y, turn, radius."""
        x, y, turn, radius = np.ascontiguousarray(state.reshape(-1, 4).T)
        return cls(x, y, np.cos(turn), np.sin(turn), radius)

    def to_cells(self, body: Integers, rx: Singles, ry: Singles) -> tuple[Singles, Singles]:
        """Points relative to the centres of symbols, in cells of their fields."""
        scale = 1 / (self.radius * F32(CELL))
        cos, sin = (self.cos * scale).take(body), (self.sin * scale).take(body)
        return cos * rx + sin * ry + F32(GRID / 2), cos * ry - sin * rx + F32(GRID / 2)

    def to_card(self, body: Integers, gx: Singles, gy: Singles) -> tuple[Singles, Singles]:
        """Directions in the frames of symbols, turned as the symbols are."""
        cos, sin = self.cos.take(body), self.sin.take(body)
        return cos * gx - sin * gy, sin * gx + cos * gy


@dataclass(frozen=True, eq=False)
class Sight:
    """The contour points by which the symbols of a batch feel each other, (symbols, points); precise: all corners."""

    x: Singles
    y: Singles
    precise: bool

    @classmethod
    def of(cls, scene: Scene, samples: int | None) -> Sight:
        """The first `samples` points of every contour, or (None) its corners."""
        outlines = scene.outlines
        points = (outlines.corners if samples is None else outlines.points[:, :samples])[scene.ids.reshape(-1)]
        x, y = np.ascontiguousarray(np.moveaxis(points, -1, 0))
        return cls(x, y, samples is None)


def find_contacts(scene: Scene, state: Singles, sight: Sight) -> Contacts:
    """All violated contacts, as far as the sight shows them."""
    pose = Pose.of(state)
    cos, sin = (pose.cos * pose.radius)[:, None], (pose.sin * pose.radius)[:, None]
    world_x = cos * sight.x - sin * sight.y + pose.x[:, None]
    world_y = sin * sight.x + cos * sight.y + pose.y[:, None]
    found = [
        _symbol_contacts(scene, pose, world_x, world_y, sight.precise),
        _wall_contacts(scene, pose, world_x, world_y),
    ]
    if scene.free_radius > 0:
        found.append(_centre_contacts(scene, pose))
    count = scene.ids.shape[1]
    joined = [np.concatenate(parts) for parts in zip(*found, strict=True)]
    first, second, slack, by_first, by_second = joined
    return Contacts(np.maximum(first, second) // count, first, second, slack, by_first, by_second)


Rows = tuple[Integers, Integers, Singles, Singles, Singles]


def _symbol_contacts(scene: Scene, pose: Pose, world_x: Singles, world_y: Singles, precise: bool) -> Rows:
    gap = F32(scene.gap)
    reach = gap + F32(BLUR_MM if precise else 0)
    first, second = _near_pairs(scene, pose, reach)
    away_x = world_x.take(first, axis=0) - pose.x[second, None]
    away_y = world_y.take(first, axis=0) - pose.y[second, None]
    limit = (pose.radius[second] + reach) ** 2
    inside = np.flatnonzero(away_x * away_x + away_y * away_y < limit[:, None])
    pair = inside // world_x.shape[1]
    rx, ry, first, second = away_x.take(inside), away_y.take(inside), first[pair], second[pair]
    distance, gx, gy = look_up(scene, pose, second, rx, ry)
    near = np.flatnonzero(distance < reach)
    rx, ry, first, second = rx[near], ry[near], first[near], second[near]
    distance, gx, gy = distance[near], gx[near], gy[near]
    if precise:
        sign = np.sign(distance)
        distance, gx, gy = (sign * part for part in _measure(scene, pose, second, rx, ry))
        near = np.flatnonzero(distance < gap)
        rx, ry, first, second = rx[near], ry[near], first[near], second[near]
        distance, gx, gy = distance[near], gx[near], gy[near]
    nx, ny = pose.to_card(second, gx, gy)
    qx, qy = rx + pose.x[second] - pose.x[first], ry + pose.y[second] - pose.y[first]
    by_first = _by_point(nx, ny, qx, qy, pose.radius[first])
    by_second = _by_field(nx, ny, rx, ry, distance, pose.radius[second])
    return first, second, distance - gap, by_first, by_second


def _near_pairs(scene: Scene, pose: Pose, reach: F32) -> tuple[Integers, Integers]:
    """Ordered pairs of symbols of a card whose enclosing circles come within reach."""
    cards, count = scene.ids.shape
    one, other = np.nonzero(~np.eye(count, dtype=bool))
    x, y, radius = (a.reshape(cards, count) for a in (pose.x, pose.y, pose.radius))
    dx, dy = x[:, one] - x[:, other], y[:, one] - y[:, other]
    card, pair = np.nonzero(dx * dx + dy * dy < (radius[:, one] + radius[:, other] + reach) ** 2)
    return card * count + one[pair], card * count + other[pair]


def _measure(
    scene: Scene, pose: Pose, body: Integers, rx: Singles, ry: Singles, whole: bool = False
) -> tuple[Singles, Singles, Singles]:
    """Distance of points (relative to a symbol's centre) to that symbol's segments; its gradient in the symbol's frame.

    Only segments around the one nearest to the point's cell are looked at, unless the `whole` contour is asked for.
    """
    u, v = pose.to_cells(body, rx, ry)
    piece = scene.ids.reshape(-1)[body]
    if whole:
        around = piece[:, None] * TRACK + np.arange(WINDOW, TRACK - WINDOW)
    else:
        around = scene.outlines.nearest[_cells(piece, u, v)[0]][:, None] + np.arange(-WINDOW, WINDOW + 1)
    u, v = (u - F32(GRID / 2)) * F32(CELL), (v - F32(GRID / 2)) * F32(CELL)
    x, y = _nearest_offset(u[:, None], v[:, None], scene.outlines.track[around])
    length = np.sqrt(x * x + y * y) + F32(1e-6)
    return length * pose.radius[body], x / length, y / length


def _nearest_offset(u: Singles, v: Singles, segments: Singles) -> tuple[Singles, Singles]:
    """The way from the nearest of some segments (points, segments, 4) to each point."""
    x, y, dx, dy = np.moveaxis(segments, -1, 0)
    x, y = u - x, v - y
    along = np.clip((x * dx + y * dy) / (dx * dx + dy * dy + F32(1e-12)), 0, 1)
    x, y = x - along * dx, y - along * dy
    best = (x * x + y * y).argmin(1)[:, None]
    return np.take_along_axis(x, best, 1)[:, 0], np.take_along_axis(y, best, 1)[:, 0]


def look_up(scene: Scene, pose: Pose, body: Integers, rx: Singles, ry: Singles) -> tuple[Singles, Singles, Singles]:
    """Signed distance of points (relative to a symbol's centre) to that symbol; its gradient in the symbol's frame."""
    u, v = pose.to_cells(body, rx, ry)
    index, off_u, off_v = _cells(scene.ids.reshape(-1).take(body), u, v)
    cell = scene.outlines.field.take(index, axis=0)
    gx, gy = cell[:, 1], cell[:, 2]
    distance = (cell[:, 0] + (off_u * gx + off_v * gy) * F32(CELL)) * pose.radius.take(body)
    return distance, gx, gy


def _cells(piece: Integers, u: Singles, v: Singles) -> tuple[Integers, Singles, Singles]:
    """Which cell of a piece's field holds each point, and how far the point is from that cell's centre."""
    column, row = (np.clip(np.floor(w), F32(0), F32(GRID - 1)) for w in (u, v))
    index = (row * F32(GRID) + column).astype(np.intp) + piece * (GRID * GRID)
    return index, u - column - F32(0.5), v - row - F32(0.5)


def _wall_contacts(scene: Scene, pose: Pose, world_x: Singles, world_y: Singles) -> Rows:
    depth, in_x, in_y = scene.wall.depth(world_x, world_y)
    body, point = np.nonzero(depth < F32(scene.margin))
    nx, ny = in_x[body, point], in_y[body, point]
    qx, qy = world_x[body, point] - pose.x[body], world_y[body, point] - pose.y[body]
    by_first = _by_point(nx, ny, qx, qy, pose.radius[body])
    fixed = np.full_like(body, -1)
    return body, fixed, depth[body, point] - F32(scene.margin), by_first, np.zeros_like(by_first)


def _centre_contacts(scene: Scene, pose: Pose) -> Rows:
    """The free disc as one point, the card's centre, that keeps its radius away from every symbol."""
    body = np.arange(len(pose.x))
    sign = np.where(look_up(scene, pose, body, -pose.x, -pose.y)[0] < 0, F32(-1), F32(1))
    distance, gx, gy = (sign * part for part in _measure(scene, pose, body, -pose.x, -pose.y, whole=True))
    body = np.flatnonzero(distance < F32(scene.free_radius))
    distance, (nx, ny) = distance[body], pose.to_card(body, gx[body], gy[body])
    by_second = _by_field(nx, ny, -pose.x[body], -pose.y[body], distance, pose.radius[body])
    fixed = np.full_like(body, -1)
    return fixed, body, distance - F32(scene.free_radius), np.zeros_like(by_second), by_second


def _by_point(nx: Singles, ny: Singles, qx: Singles, qy: Singles, radius: Singles) -> Singles:
    """Derivative of a distance by the freedoms of the symbol whose contour point it is."""
    return np.stack([nx, ny, (qx * ny - qy * nx) / radius, (qx * nx + qy * ny) / radius], -1)


def _by_field(nx: Singles, ny: Singles, rx: Singles, ry: Singles, distance: Singles, radius: Singles) -> Singles:
    """Derivative of a distance by the freedoms of the symbol whose field it was read from."""
    turn, growth = (ry * nx - rx * ny) / radius, (distance - rx * nx - ry * ny) / radius
    return np.stack([-nx, -ny, turn, growth], -1)
