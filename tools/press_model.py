"""The press as a model: which colour a mixture of four inks gives on coated paper, and which mixture gives a colour.

The colours of paper, solids and overprints and the tone value increase are the aims published for sheet-fed offset on
coated paper (ISO 12647-2); between them the Yule-Nielsen modified Neugebauer equations interpolate. No measured data.

Invariant: colours are CIELAB (D50) relative to the paper, so that bare paper is 100, 0, 0; inks are shares from 0 to 1
as they stand in a file, in the order cyan, magenta, yellow, black; no mixture found here holds more than `INK_LIMIT`.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

D50 = np.array([0.9642, 1.0, 0.8249])
PAPER_LAB = (95.0, 1.0, -4.0)
# Printed in full over each other, without black; the key says which of cyan, magenta and yellow are there.
SOLIDS_LAB = {
    (0, 0, 0): PAPER_LAB,
    (1, 0, 0): (56.0, -36.0, -51.0),
    (0, 1, 0): (48.0, 75.0, -4.0),
    (0, 0, 1): (89.0, -4.0, 93.0),
    (0, 1, 1): (48.0, 68.0, 47.0),
    (1, 0, 1): (50.0, -65.0, 26.0),
    (1, 1, 0): (25.0, 20.0, -46.0),
    (1, 1, 1): (23.0, 0.0, -1.0),
}
BLACK_LAB = (16.0, 0.0, 0.0)
UNDER_BLACK = 0.25  # how much of a colour's darkness remains under solid black: 400 % of ink is about L* 9
TONE_VALUE_INCREASE = 0.16  # of a half tone on paper, for every ink
YULE_NIELSEN = 2.0  # light spreads in the paper between the dots
INK_CHANNEL = (0, 1, 2, 1)  # the tristimulus value each ink darkens most: X, Y, Z, Y
CURVE_STEPS = 256

INK_LIMIT = 2.98  # a little less than 300 %, so that rounding to bytes never exceeds it
BLACK_STARTS_L = 82.0  # lighter colours hold no black: skin and pale tones stay free of black dots
BLACK_FULL_L = 24.0
BLACK_SHARE = 0.92  # of a dark grey that black carries; the rest of the inks keep it from looking thin
BLACK_CHROMA = 38.0  # the more colourful, the less black
BLUE_HUE = np.radians(-58.0)
BLUE_TURN = np.radians(12.0)
# What counts where no ink reaches a colour: lightness, chroma, hue. Light colours may darken to stay lively.
DARK_L, DARK_WEIGHTS = 22.0, np.array([4.0, 0.4, 1.5])
LIGHT_L, LIGHT_WEIGHTS = 78.0, np.array([1.25, 0.85, 1.2])
PATIENCE = 24
SETTLED = 1e-7  # a gain, in squared colour differences, that is not worth another step


def lab_to_xyz(lab: Array) -> Array:
    """CIELAB to tristimulus values under D50."""
    fy = (lab[..., 0] + 16) / 116
    f = np.stack([fy + lab[..., 1] / 500, fy, fy - lab[..., 2] / 200], -1)
    xyz: Array = D50 * np.where(f > 6 / 29, f**3, (f - 4 / 29) * 3 * (6 / 29) ** 2)
    return xyz


def xyz_to_lab(xyz: Array) -> Array:
    """Tristimulus values under D50 to CIELAB."""
    ratio = xyz / D50
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


class Press:
    """Offset on coated paper, after its published aims."""

    @cached_property
    def paper_xyz(self) -> Array:
        """The paper's colour, absolute."""
        return lab_to_xyz(np.array(PAPER_LAB))

    @cached_property
    def _roots(self) -> Array:
        """The sixteen Neugebauer primaries, relative to paper, where they mix linearly; indices are C, M, Y, K."""
        black = lab_to_xyz(np.array(BLACK_LAB)) / self.paper_xyz
        roots = np.empty((2, 2, 2, 2, 3))
        for inks, lab in SOLIDS_LAB.items():
            color = lab_to_xyz(np.array(lab)) / self.paper_xyz
            roots[inks] = np.stack([color, black * color**UNDER_BLACK]) ** (1 / YULE_NIELSEN)
        return roots

    @cached_property
    def curves(self) -> Array:
        """For each ink, the dot area that acts in the model at evenly spaced shares in the file.

        Tone value increase is defined by Murray and Davies, which the model's own spread of light must not add to.
        """
        share = np.linspace(0, 1, CURVE_STEPS)
        printed = share + 4 * TONE_VALUE_INCREASE * share * (1 - share)
        curves = []
        for ink, channel in enumerate(INK_CHANNEL):
            solid = self._roots[tuple(int(i == ink) for i in range(4))][channel]
            light = 1 - printed * (1 - solid**YULE_NIELSEN)
            curves.append((1 - light ** (1 / YULE_NIELSEN)) / (1 - solid))
        return np.array(curves)

    def dots_from_inks(self, inks: Array) -> Array:
        """Shares in the file to dot areas that act."""
        steps = np.linspace(0, 1, CURVE_STEPS)
        return np.stack([np.interp(inks[..., i], steps, self.curves[i]) for i in range(4)], -1)

    def inks_from_dots(self, dots: Array) -> Array:
        """Dot areas back to shares in the file."""
        steps = np.linspace(0, 1, CURVE_STEPS)
        return np.stack([np.interp(dots[..., i], self.curves[i], steps) for i in range(4)], -1)

    def lab_from_dots(self, dots: Array) -> Array:
        """The colour on paper; Demichel: dots fall independently, so a primary's area is a product."""
        mixed = self._roots[..., None]
        for dot in np.moveaxis(dots.reshape(-1, 4), -1, 0):
            mixed = mixed[0] + dot * (mixed[1] - mixed[0])
        return xyz_to_lab(D50 * mixed.T**YULE_NIELSEN).reshape(*dots.shape[:-1], 3)

    def lab_from_inks(self, inks: Array) -> Array:
        """The colour that shares in the file give on paper."""
        return self.lab_from_dots(self.dots_from_inks(inks))

    def inks_from_lab(self, lab: Array) -> Array:
        """The mixture that comes nearest to each colour: black is chosen first, then the colours around it."""
        flat = _bend_blue(lab.reshape(-1, 3))
        aim = self._aim_black(flat)
        rough = self._descend(flat, self._first_guess(flat, aim), aim, pull=4.0)
        fine = self._descend(flat, rough, rough[:, 3], pull=1000.0)
        inks = self.inks_from_dots(fine)
        return limit_inks(inks, INK_LIMIT).reshape(*lab.shape[:-1], 4)

    def _aim_black(self, lab: Array) -> Array:
        """How much black a colour should hold, as a dot area."""
        ramp = np.zeros((CURVE_STEPS, 4))
        ramp[:, 3] = np.linspace(1, 0, CURVE_STEPS)
        alone = np.interp(lab[:, 0], self.lab_from_dots(ramp)[:, 0], ramp[:, 3])
        part = np.clip((BLACK_STARTS_L - lab[:, 0]) / (BLACK_STARTS_L - BLACK_FULL_L), 0, 1)
        calm = np.exp(-np.sum(lab[:, 1:] ** 2, -1) / BLACK_CHROMA**2)
        aim: Array = alone * BLACK_SHARE * part * calm
        deep: Array = np.clip((BLACK_FULL_L - lab[:, 0]) / 10, 0, 1) * (0.5 + 0.5 * calm)
        return np.maximum(aim, deep)

    def _first_guess(self, lab: Array, black: Array) -> Array:
        light = np.clip(lab[:, 0] / 100, 0, 1)
        grey = np.clip(1 - light - 0.5 * black, 0.05, 0.9)
        return np.stack([grey, grey, grey, black], -1)

    def _descend(self, lab: Array, start: Array, black: Array, pull: float) -> Array:
        """Levenberg and Marquardt's method for all colours at once; dots that reach 0 or 1 stay there while pushed."""
        dots, damping = start.copy(), np.full(len(lab), 1.0)
        error = self._residuals(lab, dots, black, pull)
        moving = np.arange(len(lab))
        for _ in range(PATIENCE):
            lab_, dots_, black_, error_ = lab[moving], dots[moving], black[moving], error[moving]
            slope = self._slopes(lab_, dots_, black_, pull, error_)
            tried = np.clip(dots_ + _solve_bounded(slope, error_, dots_, damping[moving]), 0, 1)
            found = self._residuals(lab_, tried, black_, pull)
            gain = np.sum(error_**2, -1) - np.sum(found**2, -1)
            better = gain > 0
            dots[moving[better]], error[moving[better]] = tried[better], found[better]
            damping[moving] = np.clip(np.where(better, damping[moving] / 3, damping[moving] * 4), 1e-3, 1e6)
            moving = moving[((gain > SETTLED) | ~better) & (damping[moving] < 1e5)]
        return dots

    def _residuals(self, lab: Array, dots: Array, black: Array, pull: float) -> Array:
        """What is wrong with a mixture: its colour, its black, and its weight of ink."""
        wrong = _weigh_difference(self.lab_from_dots(dots), lab)
        total = self.inks_from_dots(dots).sum(-1)
        over = 100 * np.maximum(0, total - INK_LIMIT)
        return np.concatenate([wrong, (pull * (dots[:, 3] - black))[:, None], over[:, None]], -1)

    def _slopes(self, lab: Array, dots: Array, black: Array, pull: float, error: Array) -> Array:
        columns = []
        for ink in range(4):
            nudge = np.where(dots[:, ink] > 0.5, -1e-4, 1e-4)
            moved = dots.copy()
            moved[:, ink] += nudge
            columns.append((self._residuals(lab, moved, black, pull) - error) / nudge[:, None])
        return np.stack(columns, -1)


def _weigh_difference(found: Array, wanted: Array) -> Array:
    """Lightness, chroma and hue apart, so that a colour no ink reaches loses chroma before it changes the others."""
    chroma = np.hypot(wanted[:, 1], wanted[:, 2])
    safe = np.maximum(chroma, 1e-9)
    along = np.stack([wanted[:, 1] / safe, wanted[:, 2] / safe], -1)
    along[chroma < 1e-9] = (1.0, 0.0)
    da, db = found[:, 1] - wanted[:, 1], found[:, 2] - wanted[:, 2]
    radial = da * along[:, 0] + db * along[:, 1]
    across = db * along[:, 0] - da * along[:, 1]
    light = found[:, 0] - wanted[:, 0]
    return np.stack([light, radial, across], -1) * _choose_weights(wanted[:, 0], chroma)


def _choose_weights(light: Array, chroma: Array) -> Array:
    """How much an error in lightness, chroma and hue counts; dark colours stay dark, or navy would print as blue."""
    rise = np.clip((light - DARK_L) / (LIGHT_L - DARK_L), 0, 1)
    rise = rise * rise * (3 - 2 * rise)
    weights = DARK_WEIGHTS + (LIGHT_WEIGHTS - DARK_WEIGHTS) * rise[:, None]
    # near grey all directions weigh the same, or the weights would jump there
    vivid = np.clip((chroma - 10) / 40, 0, 1)
    chosen: Array = 1 + (weights - 1) * vivid[:, None]
    return chosen


def _bend_blue(lab: Array) -> Array:
    """Blues that no ink reaches, turned towards cyan: on CIELAB's lines of equal hue they would fade into purple."""
    chroma, hue = np.hypot(lab[:, 1], lab[:, 2]), np.arctan2(lab[:, 2], lab[:, 1])
    blue = np.clip(np.cos(hue - BLUE_HUE), 0, 1) ** 10
    hue = hue - BLUE_TURN * blue * np.clip((chroma - 50) / 50, 0, 1)
    return np.stack([lab[:, 0], chroma * np.cos(hue), chroma * np.sin(hue)], -1)


def _solve_bounded(slope: Array, error: Array, dots: Array, damping: Array) -> Array:
    gradient = np.einsum("nri,nr->ni", slope, error)
    stuck = ((dots <= 0) & (gradient > 0)) | ((dots >= 1) & (gradient < 0))
    slope = np.where(stuck[:, None, :], 0.0, slope)
    normal = np.einsum("nri,nrj->nij", slope, slope) + damping[:, None, None] * np.eye(4)
    return -np.linalg.solve(normal, np.where(stuck, 0.0, gradient)[..., None])[..., 0]


def limit_inks(inks: Array, limit: float) -> Array:
    """Less cyan, magenta and yellow, in proportion, where all inks together exceed the limit; black stays."""
    color = inks[..., :3].sum(-1, keepdims=True)
    room = np.maximum(0, limit - inks[..., 3:])
    scale = np.where(color > room, room / np.maximum(color, 1e-9), 1.0)
    return np.concatenate([inks[..., :3] * scale, inks[..., 3:]], -1)
