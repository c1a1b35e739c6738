"""Splinters: pictures that are nothing but long, or have no size.

Invariant: whatever is drawn or decoded has a length and a width in reason, so no grid of pixels grows without bound.
"""

from __future__ import annotations

import math

from dobble_print.errors import ArtworkError, Fault

MOST_LONG = 50.0  # how many times longer than wide; thinner pictures vanish on a card


def refuse_splinter(width: float, height: float) -> None:
    """Raise an `ArtworkError` for a picture of such a shape."""
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise ArtworkError(Fault("the picture has no size", "Give it a viewBox, or export it again."))
    if max(width, height) > MOST_LONG * min(width, height):
        what = f"the picture is more than {MOST_LONG:.0f} times as long as wide"
        raise ArtworkError(Fault(what, "Crop it to what is to be seen."))
