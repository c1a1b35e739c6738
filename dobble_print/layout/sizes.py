"""Sizes that tell a match apart: every slot has sizes of its own, and each card keeps to them by itself.

Two cards never show the symbol they share in the same slot. So where no size belongs to two slots, no symbol has one
size on two cards, and no card needs to know of another. All sizes are a row, each a STEP larger than the one before,
and the slots take turns in it; slots whose rungs are so far apart that their sizes hardly ever meet share a turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dobble_print.layout.model import SAMPLES, Floats, Integers, LayoutScene, Singles
from dobble_print.layout.solver import SamplePoints, Schedule, find_contacts, relax

STEP = math.log(1.0215)  # between neighbours in the row
TRICE = 0.0004  # by which sizes differ (log) that slots with the same turn have
APART = 0.2  # rungs that differ by so much (log) may share a turn
CALM_SPREAD = 1.1  # below this a theme wants all sizes alike
HOLD = Schedule(steps=6, pressure=0.0, final_pressure=0.0, samples=SAMPLES, reach_mm=0.5)
ROUNDS = 8  # in each of them a card that is still too full gives up one size
TRIALS = 6  # of a card's symbols are tried larger
LEAST_LACK = -0.05  # but not those that are already larger (log) than they were by this
ENOUGH_MM = 0.05  # violations that are left for the last, precise steps
SAFETY_MM = 0.05


@dataclass(frozen=True, eq=False)
class SizeRow:
    """The sizes of every slot of a card: logarithms of radii, `start` and then every `stride`."""

    start: Floats
    stride: float

    @classmethod
    def of(cls, count: int, spread: float) -> SizeRow:
        """Return the row for cards of so many symbols."""
        slots = np.arange(count)
        turns = min(count, max(2, math.ceil(APART * max(1, count - 1) / math.log(spread))))
        return cls(slots % turns * STEP + slots // turns * TRICE - math.log(2), turns * STEP)

    def find_nearest(self, log_radius: Floats, lower: Floats, upper: Floats) -> Floats:
        """Return the sizes nearest to these, within bounds as far as may be."""
        place = np.rint((log_radius - self.start) / self.stride)
        place = np.minimum(place, np.floor((upper - self.start) / self.stride))
        return np.asarray(self.start + self.stride * np.maximum(place, np.ceil((lower - self.start) / self.stride)))


@dataclass(eq=False)
class OwnSizes:
    """Cards on the way to sizes of their own: `sizes` are those they have (cards by symbols, logarithms)."""

    scene: LayoutScene
    state: Singles
    stride: float
    wanted: Floats
    lower: Floats
    upper: Floats
    sizes: Floats

    @classmethod
    def of(cls, scene: LayoutScene, state: Singles, spread: float) -> OwnSizes:
        """Return cards whose symbols have the sizes of their own that are nearest to those found."""
        row = SizeRow.of(scene.ids.shape[1], spread)
        wanted = np.log(state[..., 3].astype(np.float64))
        lower, upper = scene.ladder.find_bounds(wanted)
        sizes = row.find_nearest(wanted, lower, upper)
        return cls(scene.widen_distances(SAFETY_MM), state.copy(), row.stride, wanted, lower, upper, sizes)

    def take(self, rows: Integers) -> LayoutScene:
        """Return a scene of some cards whose symbols keep their sizes."""
        return self._fix(rows, self.sizes[rows])

    def keep_apart(self) -> None:
        """Push symbols apart at their sizes, and let the most crowded shrink; then try which have room to grow."""
        rows = np.arange(len(self.state))
        for _ in range(ROUNDS):
            if not len(rows):
                break
            rows = self.shrink(*self._hold(rows))
        self._fill_up()

    def shrink(self, rows: Integers, burden: Floats) -> Integers:
        """Give the most crowded symbol of some cards its next smaller size; return the cards where one may have it."""
        burden = np.where(self.sizes[rows] - self.stride < self.lower[rows], 0, burden)
        able = burden.max(axis=1) > 0
        rows, burden = rows[able], burden[able]
        self.sizes[rows, burden.argmax(axis=1)] -= self.stride
        self.state[rows, :, 3] = np.exp(self.sizes[rows])
        return rows

    def _hold(self, rows: Integers) -> tuple[Integers, Floats]:
        """Push symbols apart at their sizes; return the cards where that is not enough, and who is too near."""
        part, self.state[rows, :, 3] = self.take(rows), np.exp(self.sizes[rows])
        self.state[rows] = relax(part, self.state[rows], HOLD)
        burden = measure_burdens(part, self.state[rows], SAMPLES)
        crowded = burden.max(axis=1) > ENOUGH_MM
        return rows[crowded], burden[crowded]

    def _fill_up(self) -> None:
        """Try some symbols of every card at their next larger sizes, those first that gave up most."""
        lack = np.where(self.sizes + self.stride > self.upper, -np.inf, self.wanted - self.sizes)
        for slot in np.argsort(-lack, axis=1, kind="stable")[:, :TRIALS].T:
            rows = np.flatnonzero(lack[np.arange(len(lack)), slot] > LEAST_LACK)
            if not len(rows):
                break
            sizes = self.sizes[rows]
            sizes[np.arange(len(rows)), slot[rows]] += self.stride
            part, tried = self._fix(rows, sizes), self.state[rows]
            tried[..., 3] = np.exp(sizes)
            tried = relax(part, tried, HOLD)
            good = measure_burdens(part, tried, SAMPLES).max(axis=1) <= ENOUGH_MM
            self.state[rows[good]], self.sizes[rows[good]] = tried[good], sizes[good]

    def _fix(self, rows: Integers, sizes: Floats) -> LayoutScene:
        part = self.scene.take(rows)
        return replace(part, ladder=part.ladder.fix(sizes))


def measure_burdens(scene: LayoutScene, state: Singles, samples: int | None) -> Floats:
    """Return how much too near each symbol is to what is nearest to it."""
    contacts = find_contacts(scene, state, SamplePoints.of(scene, samples))
    burden = np.zeros(scene.ids.size + 1)  # the last one: what cannot move
    np.maximum.at(burden, contacts.first, -contacts.slack)
    np.maximum.at(burden, contacts.second, -contacts.slack)
    return burden[:-1].reshape(scene.ids.shape)
