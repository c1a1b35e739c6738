"""Cards: what the cuts of a page enclose, and which stretches of an outline have no other card beyond them.

Invariant: cards that share an edge are cut there once, so a card's outline need not be any one line: it is what all
lines together enclose. Small waste between cards, as rounded corners leave it, is no card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dobble_print.preflight.cut import MEET_PT, CutLine, Points
from dobble_print.units import mm_to_pt

if TYPE_CHECKING:
    import shapely

BEYOND_PT = mm_to_pt(0.2)  # what lies this far outside an edge lies beyond it
CARD_SHARE = 0.5  # of a card's area: less than that beside it is waste

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class CutCard:
    """A card that cuts enclose: its outline, closed, and the cards beside it."""

    outline: Points
    neighbours: shapely.Geometry

    def is_outer(self, feet: Points, ways: Points) -> Flags:
        """For each foot on the outline whether paper lies beyond it, rather than another card."""
        from shapely import contains_xy

        return np.asarray(~contains_xy(self.neighbours, feet + ways * BEYOND_PT))


def find_cards(lines: Sequence[CutLine]) -> list[CutCard]:
    """All that the lines enclose, each with the cards that touch it."""
    import shapely

    runs = [shapely.LineString(_close(line)) for line in lines]
    faces = list(shapely.polygonize([*shapely.get_parts(shapely.union_all(runs, grid_size=MEET_PT))]).geoms)
    tree = shapely.STRtree(faces)
    return [_make_card(face, [faces[i] for i in tree.query(face, "intersects") if faces[i] != face]) for face in faces]


def _make_card(face: shapely.Polygon, beside: Sequence[shapely.Polygon]) -> CutCard:
    import shapely

    large = shapely.MultiPolygon([other for other in beside if other.area >= CARD_SHARE * face.area])
    shapely.prepare(large)
    return CutCard(np.asarray(face.exterior.coords, dtype=float), large)


def _close(line: CutLine) -> Points:
    return np.vstack((line.points, line.points[:1])) if line.closed else line.points
