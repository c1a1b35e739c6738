"""The colours of printed pages: ink for text, and an accent that comes from the deck."""

from __future__ import annotations

INK = "#222222"
QUIET = "#6b7280"
DARK_ENOUGH = 150  # white letters stand out on an accent up to this brightness
FALLBACK_ACCENT = "#1d3557"


def choose_accent(color: str) -> str:
    """The deck's own colour where white letters stand out on it, or else a dark blue."""
    red, green, blue = _channels(color)
    return color if 0.299 * red + 0.587 * green + 0.114 * blue <= DARK_ENOUGH else FALLBACK_ACCENT


def mix(color: str, part: float) -> str:
    """A colour thinned with white."""
    return "#" + "".join(f"{round(255 - (255 - channel) * part):02x}" for channel in _channels(color))


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
