"""Simulate how colours look to everybody, to colour-blind players and on a photocopy, and measure differences.

Invariant: every vision maps linear sRGB within 0…1 to linear sRGB within 0…1, and leaves white and black as they are
(to within rounding), so that a picture keeps its paper.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from PIL import Image

Floats = npt.NDArray[np.float64]
Vision = Literal["everybody", "protanopia", "deuteranopia", "tritanopia", "photocopy"]
VISIONS: tuple[Vision, ...] = get_args(Vision)
COLOR_BLIND: tuple[Vision, ...] = ("protanopia", "deuteranopia", "tritanopia")
_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = _XYZ.sum(axis=1)
# Full dichromacy in linear sRGB, after the physiological model of Machado, Oliveira and Fernandes (2009).
_VISION_MATRICES: dict[Vision, Floats] = {
    "everybody": np.eye(3),
    "photocopy": np.repeat(_XYZ[1:2], 3, axis=0),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
CHROMA_BEND = 0.03  # strong colours differ less than CIELAB counts, as newer colour differences have it
LIGHTNESS_WEIGHT = 0.7  # the same colour, darker, is still "the blue one": lightness tells things apart less than hue


def decode_srgb(srgb: Floats) -> Floats:
    """Return the linear light of sRGB values within 0…1."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def encode_srgb(linear: Floats) -> Floats:
    """Return the sRGB values of linear light within 0…1."""
    bent = 1.055 * np.maximum(linear, 1e-12) ** (1 / 2.4) - 0.055
    return np.where(linear <= 0.0031308, linear * 12.92, bent)


def simulate_vision(linear: Floats, vision: Vision) -> Floats:
    """Return linear light as it looks with this vision; colours are along the last axis."""
    return np.clip(linear @ _VISION_MATRICES[vision].T, 0.0, 1.0)


def measure_lab(linear: Floats) -> Floats:
    """Convert linear light to CIELAB, whose white is that of sRGB."""
    share = linear @ _XYZ.T / _WHITE
    bent = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116)
    x, y, z = bent[..., 0], bent[..., 1], bent[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def measure_appearance(linear: Floats) -> Floats:
    """Convert linear light to a space where straight distances match how different colours appear."""
    lab = measure_lab(linear)
    chroma = CHROMA_BEND * np.hypot(lab[..., 1], lab[..., 2])
    bend = np.log1p(chroma) / np.maximum(chroma, 1e-9)
    return lab * np.stack([np.ones_like(bend), bend, bend], axis=-1)


def simulate_picture(picture: Image.Image, vision: Vision) -> Image.Image:
    """Return a picture (RGBA) as it looks with this vision."""
    if vision == "everybody":
        return picture
    pixels = np.asarray(picture)
    seen = encode_srgb(simulate_vision(decode_srgb(pixels[..., :3] / 255.0), vision))
    colour = np.rint(seen * 255).astype(np.uint8)
    return Image.fromarray(np.concatenate([colour, pixels[..., 3:]], axis=-1))
