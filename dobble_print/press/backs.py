"""Backs: the other side of the cards, the same for all of them so that no back betrays its front."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dobble_print.art.artwork import Artwork
from dobble_print.layout.model import Placement
from dobble_print.press.plan import Back, CardLook, Stamp, make_stamp
from dobble_print.theme.model import BackOptions

PATTERN_PITCH = 0.17  # of the card's size, from one symbol of the pattern to the next
PATTERN_SIZE = 0.13  # of the card's size, a symbol's enclosing circle
PATTERN_TURNS_DEG = (-18.0, 12.0, 24.0, -8.0, 18.0)


def pattern_diameter_mm(look: CardLook) -> float:
    """How large the symbols of a pattern print."""
    return PATTERN_SIZE * 2 * look.shape.inner_radius_mm


def make_back(
    options: BackOptions,
    look: CardLook,
    artworks: Sequence[Artwork],
    picture: Artwork | None,
    pattern: Sequence[int] = (),
) -> Back | None:
    """The back a theme asks for; a picture's form is numbered after the symbols' forms.

    `pattern` are the pieces that a pattern is made of, where not all of them are.
    """
    match options.kind:
        case "none":
            return None
        case "pattern":
            return Back(options.color, _make_pattern(look, artworks, pattern or range(len(artworks))))
        case "image" if picture is not None:
            return Back(options.color, (_cover(look, picture, len(artworks)),))
        case _:
            return Back(options.color)


def _make_pattern(look: CardLook, artworks: Sequence[Artwork], pieces: Sequence[int]) -> tuple[Stamp, ...]:
    """The theme's symbols in rows like a wallpaper, out to the bleed."""
    grown = look.shape.grow(look.bleed_mm)
    pitch = PATTERN_PITCH * 2 * look.shape.inner_radius_mm
    diameter = pattern_diameter_mm(look)
    rows = math.ceil(grown.height_mm / 2 / (pitch * math.sqrt(3) / 2)) + 1
    columns = math.ceil(grown.width_mm / 2 / pitch) + 1
    stamps: list[Stamp] = []
    for row in range(-rows, rows + 1):
        for column in range(-columns, columns + 1):
            x, y = (column + (row % 2) / 2) * pitch, row * pitch * math.sqrt(3) / 2
            if grown.distance_mm(x, y) < diameter / 2:
                count = len(stamps)
                turn = PATTERN_TURNS_DEG[count % len(PATTERN_TURNS_DEG)]
                piece = pieces[count % len(pieces)]
                stamps.append(make_stamp(artworks[piece], Placement(piece, x, y, turn, diameter)))
    return tuple(stamps)


def _cover(look: CardLook, picture: Artwork, form: int) -> Stamp:
    """The picture as large as it must be to cover the card and its bleed, centred."""
    grown = look.shape.grow(look.bleed_mm)
    scale = max(grown.width_mm / picture.width, grown.height_mm / picture.height)
    return Stamp(form, (scale, 0.0, 0.0, scale, -scale * picture.width / 2, -scale * picture.height / 2))


def cover_diameter_mm(look: CardLook, picture: Artwork) -> float:
    """The size at which a covering picture prints, as the diameter of its enclosing circle."""
    return _cover(look, picture, 0).matrix[0] * picture.diameter
