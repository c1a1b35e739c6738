"""Measure how alike pictures look, from portraits of all of them.

A portrait samples a picture on rings and rays around its centre of mass. Invariant: scores lie within 0…1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

from dobble_print.art.similarity.color_vision import (
    LIGHTNESS_WEIGHT,
    Vision,
    decode_srgb,
    measure_appearance,
    simulate_vision,
)

Floats = npt.NDArray[np.float64]
RINGS, RAYS = 16, 64
REACH = 2.4  # how far out the grid goes, in spreads; a disc ends at 1.41, a stick at 1.73
SKETCH_PX = 96  # enough for the details a player takes in at a glance
_FRAME_PX = 64  # the square the grid is laid upon
_FINENESS = 2  # samples of a cell along each side


def paint_portraits(pictures: Sequence[Image.Image]) -> Floats:
    """Return the portraits of pictures: linear light times opacity, and opacity, by picture, ring and ray."""
    frames = np.stack([_frame_picture(picture) for picture in pictures]) / 255.0
    flat = frames.reshape(len(frames), -1, 4)
    cells = np.zeros((len(frames), RINGS * RAYS, 4))
    for places, weights in _list_samples():
        cells += flat[:, places] * weights[:, None]
    alpha = cells[..., 3:]
    light = decode_srgb(np.clip(cells[..., :3] / np.maximum(alpha, 1e-6), 0, 1)) * alpha
    return np.concatenate([light, alpha], axis=-1).reshape(-1, RINGS, RAYS, 4)


def _frame_picture(picture: Image.Image) -> npt.NDArray[np.uint8]:
    """Return the picture around its centre of mass, `REACH` spreads to each side, colours times opacity."""
    alpha = np.asarray(picture.getchannel("A")).astype(np.float64)
    y, x = np.mgrid[: alpha.shape[0], : alpha.shape[1]] + 0.5
    mass = max(alpha.sum(), 1e-9)
    centre_x, centre_y = (alpha * x).sum() / mass, (alpha * y).sum() / mass
    spread = math.sqrt((alpha * ((x - centre_x) ** 2 + (y - centre_y) ** 2)).sum() / mass)
    reach = REACH * max(spread, 1.0)
    pad = math.ceil(max(reach - min(centre_x, centre_y), reach - picture.width + centre_x, 0))
    pad = max(pad, math.ceil(reach - picture.height + centre_y))
    canvas = Image.new("RGBA", (picture.width + 2 * pad, picture.height + 2 * pad))
    canvas.paste(picture, (pad, pad))
    left, top = centre_x + pad - reach, centre_y + pad - reach
    box = (left, top, left + 2 * reach, top + 2 * reach)
    return np.asarray(canvas.convert("RGBa").resize((_FRAME_PX, _FRAME_PX), Image.Resampling.BILINEAR, box=box))


def _list_samples() -> list[tuple[npt.NDArray[np.intp], Floats]]:
    """List which pixels of a frame make up the cells, and the weight of each."""
    samples = []
    steps = (np.arange(_FINENESS) + 0.5) / _FINENESS
    for ring_step in steps:
        radius = (np.arange(RINGS) + ring_step)[:, None] / RINGS * _FRAME_PX / 2
        for ray_step in steps - 0.5:
            angle = (np.arange(RAYS) + ray_step)[None] * 2 * math.pi / RAYS
            x = np.clip(_FRAME_PX / 2 + radius * np.cos(angle) - 0.5, 0, _FRAME_PX - 1.001).ravel()
            y = np.clip(_FRAME_PX / 2 + radius * np.sin(angle) - 0.5, 0, _FRAME_PX - 1.001).ravel()
            column, row = x.astype(np.intp), y.astype(np.intp)
            for next_x, share_x in ((0, 1 - x % 1), (1, x % 1)):
                for next_y, share_y in ((0, 1 - y % 1), (1, y % 1)):
                    samples.append(((row + next_y) * _FRAME_PX + column + next_x, share_x * share_y / _FINENESS**2))
    return samples


Indices = npt.NDArray[np.intp]
Spectrum = npt.NDArray[np.complex128]
SHAPE_TOLERANCE = 0.10  # outlines differ when they deviate from a disc, in unlike ways, by this share of area
DETAIL_TOLERANCE = 10.0  # inner drawing fainter than this colour difference says little
OVERLAP_NONE, OVERLAP_FULL = 0.45, 0.85  # shared area over joint area: below none it is another shape altogether
DETAIL_POWER = 0.3  # the inner drawing weighs less than outline and colours: two smiling faces are alike
COLOUR_SCALE = 21.0  # at this colour difference (about blue and violet) likeness has fallen to a third
RICH_COLOURS = 16.0  # a picture whose colours spread this far is half known by its colours alone
SHARED_COLOURS = 11.0  # how far two sets of colours may lie apart to count as the same set
TURNED = 0.85  # a likeness that needs turning strikes less than one of two things standing upright
SLIGHT_DEG = 25.0  # turned less than this, things still seem to stand upright
PALETTE = 8  # colours a picture is remembered by
PALETTE_SHARE = 0.02  # a colour that covers less than this is no part of the palette
_STEPS = 6  # of each channel, to gather like colours
_QUANTILES = 24
_RAY_STEP = 2  # every other ray tells well enough how much there is of which colour
_CHUNK = 2048  # pairs at a time, to bound the memory
_RING_WEIGHT = ((np.arange(RINGS) + 0.5) / sum(range(1, 2 * RINGS, 2)) * 2)[:, None] / RAYS
_DISC = np.clip((2**0.5 * RINGS / REACH - np.arange(RINGS)), 0, 1)[:, None] * np.ones((1, RAYS))
_DIRECTIONS = np.array([(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0.5**0.5, 0.5**0.5), (0, 0.5**0.5, -(0.5**0.5))])
_MEAN_COSINE = (1 + 2 * 0.5**0.5) / 4  # of the four directions of hue: what a shift of colour shows on the mean
_CHANNEL_WEIGHTS = np.array([LIGHTNESS_WEIGHT, 1.0, 1.0])


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of pictures by their numbers, and how far the two may be turned against each other, in degrees.

    `photos` marks the pairs that are both photos, whose outlines say nothing; `lines` those that are both black lines
    on white, whose colours say nothing.
    """

    first: Indices
    second: Indices
    turn_deg: Floats
    photos: npt.NDArray[np.bool_] | None = None
    lines: npt.NDArray[np.bool_] | None = None

    def pick(self, chosen: npt.NDArray[np.bool_] | Indices | slice) -> Pairs:
        """Return the chosen pairs."""
        photos, lines = (None if marks is None else marks[chosen] for marks in (self.photos, self.lines))
        return Pairs(self.first[chosen], self.second[chosen], self.turn_deg[chosen], photos, lines)


@dataclass(frozen=True, eq=False)
class _Layer:
    """One property of all portraits: its transform along the rays, and its energy."""

    spectrum: Spectrum
    energy: Floats

    def correlate(self, pairs: Pairs) -> Floats:
        """Correlate the pairs at every turn: as they are, then with the second one mirrored."""
        one, other = self.spectrum[pairs.first], self.spectrum[pairs.second]
        plain = np.einsum("pfk,pfk->pf", one.conj(), other)
        mirrored = np.einsum("pfk,pfk->pf", one, other)
        # a mirror image upright has its rays reversed about the vertical: half a turn from where the rays start
        mirrored *= (-1.0) ** np.arange(mirrored.shape[1])
        return np.fft.irfft(np.stack([plain, mirrored], axis=1), n=RAYS, axis=2)


@dataclass(frozen=True, eq=False)
class _Appearance:
    """All portraits as one vision sees them: inner drawings, spread of their colours, and their colours."""

    detail: _Layer
    spread: Floats
    amounts: Floats
    palette: Floats


def measure_pairs(portraits: Floats, pairs: Pairs, visions: Sequence[Vision], least: float) -> Floats:
    """Return the score of each pair, by vision and pair; 0 where it is below `least`."""
    outline = _make_layer(portraits[..., 3:])
    weight = (portraits[..., 3] * _RING_WEIGHT).reshape(len(portraits), -1)
    palettes, shares = _find_palettes(portraits, weight)
    appearances = [_measure_appearance(portraits, weight, palettes, vision) for vision in visions]
    scores = np.zeros((len(visions), len(pairs.first)))
    for start in range(0, len(pairs.first), _CHUNK):
        part = np.arange(start, min(start + _CHUNK, len(pairs.first)))
        overlay = _overlay_pairs(outline, pairs.pick(part))
        near = np.flatnonzero(overlay.overlap.max(axis=(1, 2)) >= least)
        part, overlay = part[near], overlay.pick(near)
        for row, appearance in zip(scores, appearances, strict=True):
            row[part] = _score_pairs(appearance, shares, overlay, least)
    return np.where(scores >= least, np.minimum(scores, 1.0), 0.0)


def _make_layer(values: Floats) -> _Layer:
    weighted = values * np.sqrt(_RING_WEIGHT)[..., None]
    spectrum = np.fft.rfft(weighted, axis=2).transpose(0, 2, 1, 3).reshape(len(values), RAYS // 2 + 1, -1)
    return _Layer(spectrum, (weighted**2).sum(axis=(1, 2, 3)))


def _measure_appearance(portraits: Floats, weight: Floats, palettes: Floats, vision: Vision) -> _Appearance:
    alpha = portraits[..., 3:]
    own = np.clip(portraits[..., :3] / np.maximum(alpha, 1e-6), 0, 1)
    appearance = measure_appearance(simulate_vision(own, vision))
    mass = weight.reshape(alpha.shape)
    mean = (appearance * mass).sum(axis=(1, 2), keepdims=True) / mass.sum(axis=(1, 2), keepdims=True)
    detail = _make_layer((appearance - mean) * alpha)
    colours = (appearance * _CHANNEL_WEIGHTS)[:, :, ::_RAY_STEP].reshape(len(appearance), -1, 3)
    amounts = _find_quantiles(colours, mass[:, :, ::_RAY_STEP].reshape(len(appearance), -1))
    seen = measure_appearance(simulate_vision(palettes, vision)) * _CHANNEL_WEIGHTS
    return _Appearance(detail, np.sqrt(detail.energy / weight.sum(axis=1)), amounts, seen)


@dataclass(frozen=True, eq=False)
class _Overlay:
    """Pairs laid upon each other at every turn, plain and mirrored: how far they overlap, how alike their outlines are.

    `area` is their mean area. The overlap is weighted by how much a likeness at that turn counts.
    """

    pairs: Pairs
    overlap: Floats
    shape: Floats
    area: Floats

    def pick(self, chosen: Indices) -> _Overlay:
        """Return the chosen pairs."""
        return _Overlay(self.pairs.pick(chosen), self.overlap[chosen], self.shape[chosen], self.area[chosen])


def _overlay_pairs(outline: _Layer, pairs: Pairs) -> _Overlay:
    common = outline.correlate(pairs)
    joint = (outline.energy[pairs.first] + outline.energy[pairs.second])[:, None, None]
    overlap = np.clip((common / (joint - common) - OVERLAP_NONE) / (OVERLAP_FULL - OVERLAP_NONE), 0, 1)
    shape = _compare_shapes(outline, pairs, common, joint / 2)
    return _Overlay(pairs, overlap * _weigh_turns(pairs.turn_deg), shape, joint / 2)


def _score_pairs(appearance: _Appearance, shares: Floats, overlay: _Overlay, least: float) -> Floats:
    """Return the scores of pairs that overlap well enough."""
    scores = np.zeros(len(overlay.pairs.first))
    likeness, shared = _compare_colours(appearance, shares, overlay.pairs)
    likely = np.flatnonzero(likeness >= least)
    drawings = _compare_drawings(appearance.detail, overlay.pick(likely), shared[likely][:, None, None])
    scores[likely] = drawings * likeness[likely]
    return scores


def _compare_drawings(detail: _Layer, overlay: _Overlay, shared: Floats) -> Floats:
    """Compare outline and inner drawing of each pair, at the turn where both together are most alike."""
    pairs, shape = overlay.pairs, overlay.shape
    match = 2 * detail.correlate(pairs)
    energy = (detail.energy[pairs.first] + detail.energy[pairs.second])[:, None, None]
    tolerance = DETAIL_TOLERANCE**2 * overlay.area
    drawing = plain = np.clip((match + tolerance) / (energy + tolerance), 0.01, 1)
    # the same details, or the same several colours, make up for an outline that differs a little; and where outline
    # and several colours are the same, the drawing may differ more
    evidence = 1 - (1 - np.clip(match / (energy + tolerance), 0, 1)) * (1 - shared)
    drawing = 1 - (1 - drawing) * (1 - shared * shape / 2)
    score = (1 - (1 - shape) * (1 - evidence)) * drawing**DETAIL_POWER * overlay.overlap
    if pairs.photos is not None:  # all photos are rectangles: only what is in them counts, and in full
        score = np.where(pairs.photos[:, None, None], plain * overlay.overlap, score)
    return np.asarray(score.max(axis=(1, 2), initial=0.0))


def _compare_shapes(outline: _Layer, pairs: Pairs, common: Floats, area: Floats) -> Floats:
    """Compare outlines by how they differ from a disc, since any two compact things overlap well."""
    flat = (_DISC**2 * _RING_WEIGHT).sum()
    inside = np.fft.rfft(np.sqrt(_RING_WEIGHT) * _DISC, axis=1).T  # only its first row is not nought
    shade = (outline.spectrum[:, 0] * inside[0]).sum(axis=1).real / RAYS
    odd = outline.energy - 2 * shade + flat
    joint = common - (shade[pairs.first] + shade[pairs.second])[:, None, None] + flat
    tolerance = SHAPE_TOLERANCE * area
    unlike = (odd[pairs.first] + odd[pairs.second])[:, None, None]
    return np.asarray(np.clip((2 * joint + tolerance) / (unlike + tolerance), 0, 1))


def _weigh_turns(turn_deg: Floats) -> Floats:
    """Return how much a likeness at each turn counts: nothing beyond what the cards allow."""
    step = 360 / RAYS
    turns = np.minimum(np.arange(RAYS), RAYS - np.arange(RAYS)) * step
    weight = np.where(turns <= SLIGHT_DEG, 1.0, TURNED)
    return np.where(turns[None] <= np.maximum(turn_deg, step)[:, None], weight, 0.0)[:, None, :]


def _compare_colours(appearance: _Appearance, shares: Floats, pairs: Pairs) -> tuple[Floats, Floats]:
    """Return by pair how alike the colours are, and how far a set of several colours is the same."""
    apart = np.abs(appearance.amounts[pairs.first] - appearance.amounts[pairs.second]).mean(axis=2)
    gap = np.hypot(apart[:, 0], apart[:, 1:].mean(axis=1) / _MEAN_COSINE)
    palette_gap = _measure_palette_gap(appearance.palette, shares, pairs)
    rich = appearance.spread[pairs.first] * appearance.spread[pairs.second]
    shared = rich / (rich + RICH_COLOURS**2) * np.exp(-((gap / SHARED_COLOURS) ** 2))
    if pairs.lines is not None:
        shared = np.where(pairs.lines, 0.0, shared)
    return np.exp(-(((gap + palette_gap) / 2 / COLOUR_SCALE) ** 2)), shared


def _find_quantiles(appearance: Floats, weight: Floats) -> Floats:
    """Return the colour distribution of each picture: quantiles along a few directions."""
    along = appearance @ _DIRECTIONS.T
    order = np.argsort(along, axis=1, kind="stable")
    values = np.take_along_axis(along, order, axis=1)
    sums = np.cumsum(np.take_along_axis(weight[..., None], order, axis=1), axis=1)
    levels = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    rows = [
        [np.interp(levels, sums[i, :, k] / sums[i, -1, k], values[i, :, k]) for k in range(len(_DIRECTIONS))]
        for i in range(len(appearance))
    ]
    return np.array(rows).reshape(len(appearance), len(_DIRECTIONS), _QUANTILES)


def _find_palettes(portraits: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return the few main colours of each picture, as linear light, and the share each of them covers."""
    palettes, shares = np.ones((len(portraits), PALETTE, 3)), np.zeros((len(portraits), PALETTE))
    flat = portraits.reshape(len(portraits), -1, 4)
    own = np.clip(flat[..., :3] / np.maximum(flat[..., 3:], 1e-6), 0, 1)
    bins = (np.sqrt(own) * (_STEPS - 0.001)).astype(np.intp) @ (_STEPS**2, _STEPS, 1)
    solid = np.where(flat[..., 3] > 0.6, weight, weight * 1e-3)  # edges are mixed with nothing
    for i in range(len(portraits)):
        mass = np.bincount(bins[i], solid[i], _STEPS**3)
        main = np.argsort(-mass, kind="stable")[:PALETTE]
        main = main[mass[main] >= PALETTE_SHARE * mass.sum()]
        light = np.stack([np.bincount(bins[i], solid[i] * own[i, :, k], _STEPS**3)[main] for k in range(3)], axis=-1)
        palettes[i, : len(main)] = light / mass[main][:, None]
        shares[i, : len(main)] = mass[main] / mass[main].sum()
    return palettes, shares


def _measure_palette_gap(seen: Floats, shares: Floats, pairs: Pairs) -> Floats:
    """Return how far, on average, the main colours of each picture lie from the nearest of the other."""
    one, other = pairs.first, pairs.second
    gaps = np.sqrt(((seen[one][:, :, None] - seen[other][:, None]) ** 2).sum(axis=-1))
    there = np.where(shares[other][:, None] > 0, gaps, np.inf).min(axis=2)
    back = np.where(shares[one][:, :, None] > 0, gaps, np.inf).min(axis=1)
    return np.asarray(((there * shares[one]).sum(axis=1) + (back * shares[other]).sum(axis=1)) / 2)
