"""The backs of cards: a colour, a pattern of the deck's own symbols, or a picture that fills them or stands whole.

Invariant: what a back shows is centred on the card; symbols of a pattern, and a picture that stands whole, keep off
the cut.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from dobble_print.art.artwork import Artwork, PictureMaster
from dobble_print.layout.model import Placement
from dobble_print.sheets.plan import Back, CardLook, Stamp, make_stamp
from dobble_print.theme.options import BackOptions
from dobble_print.units import Point

WHITE = "#ffffff"
SAFE_SHARE = 0.05  # of the card's size: what stands on a back keeps so far off the cut, or the card's own margin
SQUARE_ENOUGH = 1.15  # a picture is nearly of the card's proportions up to this ratio between the two
LEAST_OPAQUE = 0.97  # of its pixels: a picture with fewer is no photo that fills a back
PATTERN_RINGS = 3
PATTERN_FILL = 0.8  # of the pitch, a symbol's enclosing circle
PATTERN_TURNS_DEG = (-18.0, 12.0, 24.0, -8.0, 18.0)


def make_back(
    options: BackOptions,
    look: CardLook,
    artworks: Sequence[Artwork],
    picture: Artwork | None,
    pattern: Sequence[int] = (),
) -> Back | None:
    """Return the back a theme asks for; a picture's form is numbered after the symbols' forms.

    `pattern` are the pieces that a pattern is made of, where not all of them are.
    """
    match options.kind:
        case "none":
            return None
        case "pattern":
            return Back(options.color, make_pattern(look, artworks, pattern or range(len(artworks))))
        case "image" if picture is not None:
            return Back(choose_ground(options, look, picture), (place_picture(options, look, picture, len(artworks)),))
        case _:
            return Back(options.color)


def fills_back(options: BackOptions, look: CardLook, picture: Artwork) -> bool:
    """Return whether a picture covers the back: as the theme says, or else where it is nearly of the card's shape."""
    if options.fit != "auto":
        return options.fit == "cover"
    stretch = picture.width / picture.height * look.shape.height_mm / look.shape.width_mm
    is_full = not isinstance(picture.master, PictureMaster) or picture.master.measure_opaque() >= LEAST_OPAQUE
    return is_full and max(stretch, 1 / stretch) <= SQUARE_ENOUGH


def choose_ground(options: BackOptions, look: CardLook, picture: Artwork) -> str:
    """Return the colour behind a picture: the theme's, or that of the picture's own edge, or white."""
    if options.color_is_chosen:
        return options.color
    if fills_back(options, look, picture):
        return options.color
    return (picture.master.find_edge_color() if isinstance(picture.master, PictureMaster) else "") or WHITE


def place_picture(options: BackOptions, look: CardLook, picture: Artwork, form: int) -> Stamp:
    """Return the picture centred, so large that it covers the card and its bleed, or that it stands whole inside."""
    if fills_back(options, look, picture):
        grown = look.shape.grow(look.bleed_mm)
        scale = max(grown.width_mm / picture.width, grown.height_mm / picture.height)
    else:
        across, up = picture.width / 2, picture.height / 2
        corners = [(across, up), (-across, up), (across, -up), (-across, -up)]
        scale = _grow_inside(look, lambda size: [(x * size, y * size) for x, y in corners], lambda size: 0.0)
    return Stamp(form, (scale, 0.0, 0.0, scale, -scale * picture.width / 2, -scale * picture.height / 2))


def picture_diameter_mm(options: BackOptions, look: CardLook, picture: Artwork) -> float:
    """Return the size at which the picture of a back prints, as the diameter of its enclosing circle."""
    return place_picture(options, look, picture, 0).matrix[0] * picture.diameter


def _grow_inside(look: CardLook, place: Callable[[float], list[Point]], reach: Callable[[float], float]) -> float:
    """Return the largest size at which points, each with so much around it, keep off the cut."""
    safe_mm = max(look.margin_mm, SAFE_SHARE * 2 * look.shape.inner_radius_mm)
    low, high = 0.0, 2 * max(look.shape.width_mm, look.shape.height_mm)
    for _ in range(60):
        size = (low + high) / 2
        fits = all(look.shape.distance_mm(x, y) <= -safe_mm - reach(size) for x, y in place(size))
        low, high = (size, high) if fits else (low, size)
    return low


def _list_rings() -> Iterator[Point]:
    """Yield points in rings around the middle, the same distance apart, from one ring to the next and along them."""
    yield 0.0, 0.0
    for ring in range(1, PATTERN_RINGS + 1):
        for i in range(6 * ring):
            angle = math.tau * (i + 0.5 * (ring % 2)) / (6 * ring)
            yield ring * math.cos(angle), ring * math.sin(angle)


def _list_triangles(turn_deg: float) -> Iterator[Point]:
    """Yield the points of a triangular grid in a hexagon, turned."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    for row in range(-PATTERN_RINGS, PATTERN_RINGS + 1):
        count = 2 * PATTERN_RINGS + 1 - abs(row)
        for i in range(count):
            x, y = i - (count - 1) / 2, row * math.sqrt(3) / 2
            yield cos * x - sin * y, sin * x + cos * y


def _list_squares() -> Iterator[Point]:
    steps = range(-PATTERN_RINGS, PATTERN_RINGS + 1)
    yield from ((float(x), float(y)) for y in steps for x in steps)


def _spread_pattern(look: CardLook) -> tuple[list[Point], float]:
    """Return the middles of the symbols of a pattern, as whole ones fit the card best, and their pitch."""
    grids = [list(_list_rings()), list(_list_triangles(0)), list(_list_triangles(30)), list(_list_squares())]
    pitches = [_fit_pitch(look, grid) for grid in grids]
    best = max(range(len(grids)), key=lambda i: (round(len(grids[i]) * pitches[i] ** 2, 3), -i))
    return [(x * pitches[best], y * pitches[best]) for x, y in grids[best]], pitches[best]


def _fit_pitch(look: CardLook, grid: Sequence[Point]) -> float:
    return _grow_inside(
        look, lambda pitch: [(x * pitch, y * pitch) for x, y in grid], lambda pitch: pitch * PATTERN_FILL / 2
    )


def make_pattern(look: CardLook, artworks: Sequence[Artwork], pieces: Sequence[int]) -> tuple[Stamp, ...]:
    """Return whole symbols of the theme around the middle of the card, none of which reaches the cut."""
    spots, pitch = _spread_pattern(look)
    stamps = []
    for i, (x, y) in enumerate(spots):
        piece, turn = pieces[i % len(pieces)], PATTERN_TURNS_DEG[i % len(PATTERN_TURNS_DEG)]
        stamps.append(make_stamp(artworks[piece], Placement(piece, x, y, turn, PATTERN_FILL * pitch)))
    return tuple(stamps)
