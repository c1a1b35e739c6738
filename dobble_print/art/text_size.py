"""The least size at which a text symbol may print, so that a child reads it across the table.

Invariant: at `least_diameter_mm`, letters have at least the x-height asked for; 2.5 mm is that of a 13 point font.
"""

from __future__ import annotations

from dobble_print.art.artwork import Artwork
from dobble_print.art.captions import measure_caption
from dobble_print.art.text import measure_x_height
from dobble_print.art.text_blocks import X_HEIGHT_MM
from dobble_print.theme.model import Captioned, Source, Text


def least_diameter_mm(source: Source, artwork: Artwork, x_height_mm: float = X_HEIGHT_MM) -> float:
    """The diameter of the symbol's enclosing circle at which its smallest letters have this x-height; 0 for pictures.

    The diameter is the layout's: of the circle around the silhouette, with the air around a word.
    """
    if isinstance(source, Captioned):
        return x_height_mm / measure_caption(source.caption, artwork.width, artwork.height) * artwork.diameter
    if not isinstance(source, Text):
        return 0.0
    return x_height_mm / measure_x_height(source) * artwork.diameter


def x_height_mm(source: Text, artwork: Artwork, diameter_mm: float) -> float:
    """How high the smallest letters print when the symbol's enclosing circle has this diameter."""
    return measure_x_height(source) * artwork.longer_side_mm(diameter_mm)
