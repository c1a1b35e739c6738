"""Gradients: the colours a shading runs through, from its functions or from the corners of its mesh.

Invariant: functions are sampled where they can be extreme (their samples, their ends, and points between); what cannot
be worked out here gives None, never a guess.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pikepdf import Array, Stream

Colors = npt.NDArray[np.float64]  # one row a colour
STEPS = 33
DEEPEST = 8
MOST_SAMPLES = 1_000_000


def list_shading_colors(shading: Any, count: int) -> Colors | None:
    """Return colours that a shading shows, `count` numbers each."""
    function = shading.get("/Function")
    if function is not None:
        return _join(function)
    if int(shading.ShadingType) >= 4 and isinstance(shading, Stream):
        return _read_mesh(shading, count)
    return None


def _join(function: Any) -> Colors | None:
    """Sample one function for all inks, or one for each."""
    if not isinstance(function, Array):
        return _sample(function, 0)
    parts = [_sample(each, 0) for each in function]
    if any(part is None for part in parts):
        return None
    # inks that are given one by one are sampled at different places: their largest values together are the safe bound
    return np.array([[float(part.max()) for part in parts if part is not None]])


def _sample(function: Any, depth: int) -> Colors | None:
    if depth > DEEPEST:
        return None
    kind = int(function.FunctionType)
    if kind == 0:
        return _sample_table(function)
    if kind == 2:
        return _sample_power(function)
    if kind == 3:
        parts = [_sample(each, depth + 1) for each in function.Functions]
        known = [part for part in parts if part is not None]
        return np.concatenate(known) if len(known) == len(parts) and known else None
    return None


def _sample_power(function: Any) -> Colors:
    start = np.array([float(value) for value in function.get("/C0", Array([0]))])
    end = np.array([float(value) for value in function.get("/C1", Array([1]))])
    shares = np.linspace(0.0, 1.0, STEPS)[:, None] ** float(function.N)
    return np.asarray(start + shares * (end - start))


def _sample_table(function: Any) -> Colors | None:
    """Return the samples of a table: it is straight between them, so nothing else can be extreme."""
    bits, ends = int(function.BitsPerSample), [float(value) for value in function.Range]
    count = len(ends) // 2
    total = int(np.prod([int(size) for size in function.Size])) * count
    if total > MOST_SAMPLES or not 1 <= bits <= 32:
        return None
    raw = read_bits(function.read_bytes(), bits, total).reshape(-1, count) / (2**bits - 1)
    return _stretch(raw, [float(value) for value in function.get("/Decode", Array(function.Range))])


def read_bits(data: bytes, bits: int, count: int) -> Colors:
    """Read numbers of so many bits, packed one after the other."""
    flat = np.unpackbits(np.frombuffer(data, np.uint8), count=bits * count).reshape(count, bits)
    return np.asarray(flat @ (2.0 ** np.arange(bits - 1, -1, -1)))


def _read_mesh(shading: Any, count: int) -> Colors | None:
    """Return the colours of the corners of free and lattice triangles; patches are left out."""
    kind = int(shading.ShadingType)
    if kind not in (4, 5):
        return None
    flag = int(shading.BitsPerFlag) if kind == 4 else 0
    place, tint = int(shading.BitsPerCoordinate), int(shading.BitsPerComponent)
    size = -(-(flag + 2 * place + count * tint) // 8)  # each corner starts on a byte
    data = shading.read_bytes()
    corners = np.frombuffer(data[: len(data) // size * size], np.uint8).reshape(-1, size)
    flat = np.unpackbits(corners, axis=1)[:, flag + 2 * place : flag + 2 * place + count * tint]
    raw = flat.reshape(-1, count, tint) @ (2.0 ** np.arange(tint - 1, -1, -1)) / (2**tint - 1)
    return _stretch(raw, [float(value) for value in shading.Decode][4:])


def _stretch(shares: Colors, decode: list[float]) -> Colors:
    """Return shares of the ranges that an array of their ends gives."""
    low, high = np.array(decode[::2]), np.array(decode[1::2])
    return np.asarray(low + shares * (high - low))
