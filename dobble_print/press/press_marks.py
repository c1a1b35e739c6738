"""What a press looks for on a sheet: registration targets and a colour bar.

Invariant: targets stand in pairs across the sheet, at the same height or the same distance from the left, and those of
the back lie behind those of the front; where the cards leave no room for a mark there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dobble_print.press.box import Box
from dobble_print.press.frame import CROP_EDGE_MM, ROUNDING_MM, Frame, scan_edges
from dobble_print.press.plan import Patch, Target
from dobble_print.theme.machine_model import BarPlace, TargetPlace
from dobble_print.units import Point

TARGET_MM = 6.0
PATCH_MM = 4.0
TURNS: dict[BarPlace, float] = {"left": -90.0, "right": 90.0, "bottom": 0.0, "top": 180.0}  # of a strip there
# the inks alone, two by two, black in steps, and grey made of three inks beside grey made of black
BAR = (
    *((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)),
    *((0.0, 1.0, 1.0, 0.0), (1.0, 0.0, 1.0, 0.0), (1.0, 1.0, 0.0, 0.0)),
    *((0.0, 0.0, 0.0, 0.5), (0.5, 0.4, 0.4, 0.0)),
)


def add_targets(frame: Frame, place: TargetPlace, given: Sequence[Point] = ()) -> None:
    """Two pairs of targets near the middles of the sides, or one in each corner; or where the other side has them."""
    if given:
        _take(frame, given)
        return
    for candidates in _list_corners(frame) if place == "corners" else _list_sides(frame):
        pair = next((pair for pair in candidates if all(_has_room(frame, point) for point in pair)), None)
        _take(frame, pair or ())


def _take(frame: Frame, points: Sequence[Point]) -> None:
    frame.targets += [Target(*point) for point in points]
    frame.taken += [_box(point) for point in points]


def _box(point: Point) -> Box:
    return Box.around(*point, TARGET_MM, TARGET_MM)


def _has_room(frame: Frame, point: Point) -> bool:
    return _box(point).inside(frame.nest.paper, CROP_EDGE_MM - ROUNDING_MM) and frame.is_free(_box(point))


def _insets(frame: Frame) -> tuple[float, float]:
    """Where the machine prints, if there is room; else nearer to the edge."""
    return frame.nest.edge_mm + TARGET_MM / 2, CROP_EDGE_MM + TARGET_MM / 2


def _list_sides(frame: Frame) -> Iterator[Iterator[tuple[Point, ...]]]:
    """Below and above, left and right: pairs that face each other, those nearest to the middle first."""
    width, height = frame.nest.paper.width_mm, frame.nest.paper.height_mm
    yield (((x, inset), (x, height - inset)) for inset in _insets(frame) for x in _walk_out(width))
    yield (((inset, y), (width - inset, y)) for inset in _insets(frame) for y in _walk_out(height))


def _walk_out(length: float) -> Iterator[float]:
    for step in range(0, round(length / 2), 2):
        yield from (length / 2 + step, length / 2 - step) if step else (length / 2,)


def _list_corners(frame: Frame) -> Iterator[Iterator[tuple[Point, ...]]]:
    """The four corners, each by itself: a shop that wants them there wants them nowhere else."""
    width, height = frame.nest.paper.width_mm, frame.nest.paper.height_mm
    for right in (False, True):
        for top in (False, True):
            yield (((width - inset if right else inset, height - inset if top else inset),) for inset in _insets(frame))


def add_color_bar(frame: Frame, place: BarPlace) -> None:
    """A row of patches along an edge, as near to its middle as there is room."""
    length = PATCH_MM * len(BAR)
    strips = (
        strip
        for edge_mm in (frame.nest.edge_mm, CROP_EDGE_MM)
        for strip in scan_edges(frame, length, PATCH_MM, edge_mm)
        if place == "any" or strip.turn_deg == TURNS[place]
    )
    strip = next(strips, None)
    if strip is None:
        return
    frame.taken.append(strip.box(length, PATCH_MM))
    for i, ink in enumerate(BAR):
        start = i * PATCH_MM - length / 2
        frame.patches.append(Patch(Box.between(strip.at(start, 0.0), strip.at(start + PATCH_MM, PATCH_MM)), ink))
