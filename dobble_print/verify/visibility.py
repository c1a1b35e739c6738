"""Visibility: what is seen on a card is its symbols, all of them, whole, and nothing else.

Every symbol is replaced by its silhouette in one strong colour. Then the page is drawn a second time from what was
read: the card's colour and the symbols, each with its matrix. Both are rendered alike, so wherever they differ,
something hides, clips or fades a symbol, or is drawn beside it.

Invariant: only the inside of a card is compared, as far as the symbols may reach; whatever lies there must be accounted
for, by whichever means a file paints it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import shapely
from pikepdf import Array, Dictionary, Matrix, Name

from dobble_print.pdf.geometry import Points, measure_scale, move_points
from dobble_print.pdf.render import PageRenderer, Picture
from dobble_print.pdf.report import Flaw
from dobble_print.units import PT_PER_MM
from dobble_print.verify.proof import Claim, settle
from dobble_print.verify.scan import PrintedPage
from dobble_print.verify.shapes import CutCard, write_color

SCALE = 0.5  # pixels a point: a pixel is 0.7 mm
MOST_PX = 1200  # along a side of the sheet
USUAL_MARGIN_MM = 3.0  # where the file promises none
EDGE_PX = 1.5  # what lies nearer to the margin mixes with what is drawn there
SHADE = 40  # levels of 255 that a player sees
FEWEST_PX = 2  # of them; fewer are rounding
KEPT = ("/Length", "/OC")  # of a symbol: how long it is, and on which layer
STRONG = "0.85 0.15 0.55 rg"  # no card has this colour
SMOOTH_MM = 0.05  # by which an outline may be simplified
ROUGH = 0.005  # of its size by which a silhouette may be simplified
NO_GROUND = "the file does not tell the colour under the symbols"
NO_CUT = "the file does not say where its cards are cut"


@dataclass(frozen=True, eq=False)
class _Field:
    """The inside of a card, in points around its middle: its outline and colour, and how far symbols may reach."""

    ring: str
    color: str
    reach: Points


@dataclass(frozen=True, eq=False)
class _Scene:
    """A page with its cards and their fields, and how many pixels a point becomes."""

    page: PrintedPage
    cut: Sequence[CutCard]
    fields: Sequence[_Field]
    scale: float


def claim_visibility(
    renderer: PageRenderer,
    pages: Sequence[PrintedPage],
    cut: Sequence[Sequence[CutCard]],
    silhouettes: Mapping[Hashable, Any],
) -> Claim:
    """Claim that all symbols are seen whole, and nothing else. The symbols of the file are lost."""
    cards = [each for page in cut for each in page]
    if any(each.outline is None for each in cards):
        return Claim("sight", "unknown", NO_CUT)
    if any(each.card.ground is not None and not write_color(each.card.ground) for each in cards):
        return Claim("sight", "unknown", NO_GROUND)
    scenes = _plan_scenes(pages, cut)
    _simplify_symbols(cards, silhouettes)
    for scene in scenes:
        _add_pages(renderer, scene)
    pictures = renderer.render()
    views = zip(pictures, pictures, strict=True)  # two by two
    flaws = [
        flaw for scene, (real, drawn) in zip(scenes, views, strict=True) for flaw in _find_hidden(scene, real, drawn)
    ]
    return settle("sight", flaws, "every symbol is seen whole, and nothing else on the cards", {"cards": len(cards)})


def _plan_scenes(pages: Sequence[PrintedPage], cut: Sequence[Sequence[CutCard]]) -> list[_Scene]:
    known: dict[Hashable, _Field] = {}  # cards of a deck are alike
    scenes = []
    for page, cards in zip(pages, cut, strict=True):
        left, bottom, right, top = page.media
        scale = min(SCALE, MOST_PX / max(right - left, top - bottom, 1.0))
        if cards:
            scenes.append(_Scene(page, cards, [_find_field(each, scale, known) for each in cards], scale))
    return scenes


def _find_field(cut: CutCard, scale: float, known: dict[Hashable, _Field]) -> _Field:
    card, points = cut.card, shapely.get_coordinates(cut.outline)
    key = (np.round(points, 3).tobytes(), card.margin_mm, write_color(card.ground), scale)
    if key not in known:
        whole = shapely.convex_hull(cut.outline)
        margin = card.margin_mm if card.margin_mm is not None else USUAL_MARGIN_MM
        edge = EDGE_PX / scale / PT_PER_MM / measure_scale(card.frame)
        reach = shapely.simplify(whole.buffer(-margin - edge), SMOOTH_MM)
        ring = _write_ring(shapely.get_coordinates(shapely.simplify(whole, SMOOTH_MM)) * PT_PER_MM)
        known[key] = _Field(ring, write_color(card.ground), shapely.get_coordinates(reach) * PT_PER_MM)
    return known[key]


def _simplify_symbols(cards: Sequence[CutCard], silhouettes: Mapping[Hashable, Any]) -> None:
    """Turn every symbol into a form that fills its silhouette."""
    things = {one.key: one.thing for each in cards for one in each.card.placed}
    for key, thing in things.items():
        shape = silhouettes.get(key)
        content = "" if shape is None else f"{STRONG} {_write_shape(shape)} f"
        for entry in [name for name in thing if name not in KEPT]:
            del thing[entry]
        thing.Type, thing.Subtype, thing.Resources = Name.XObject, Name.Form, Dictionary()
        thing.BBox = Array([float(value) for value in (shape.bounds if shape is not None else (0, 0, 1, 1))])
        thing.write(content.encode())


def _write_shape(shape: Any) -> str:
    left, bottom, right, top = shape.bounds
    rough = shapely.simplify(shape, ROUGH * max(right - left, top - bottom))
    return " ".join(_write_ring(shapely.get_coordinates(part.exterior)) for part in shapely.get_parts(rough))


def _write_ring(points: Any) -> str:
    return " l ".join(f"{x:.6g} {y:.6g}" for x, y in points.tolist()).replace(" l ", " m ", 1) + " l h"


def _add_pages(renderer: PageRenderer, scene: _Scene) -> None:
    """Add the page as it is, and then as it was read."""
    renderer.add_own_page(scene.page.number, scene.scale)
    things = {one.key: one.thing for each in scene.cut for one in each.card.placed}
    names = {key: f"/F{i}" for i, key in enumerate(things)}
    drawn = "\n".join(map(partial(_draw_again, names=names), scene.cut, scene.fields))
    renderer.add_drawn_page(scene.page.media, drawn, {names[key]: thing for key, thing in things.items()}, scene.scale)


def _draw_again(cut: CutCard, field: _Field, names: Mapping[Hashable, str]) -> str:
    """Draw the card's colour and its symbols."""
    frame, back = _write_matrix(cut.card.frame), _write_matrix(cut.card.frame.inverse())
    ground = f"{field.color} {field.ring} f" if field.color else ""
    stamps = (f"q {_write_matrix(one.matrix)} cm {names[one.key]} Do Q" for one in cut.card.placed)
    return "\n".join((f"q {frame} cm {field.ring} W n {ground} {back} cm", *stamps, "Q"))


def _write_matrix(matrix: Matrix) -> str:
    return "{:.7f} {:.7f} {:.7f} {:.7f} {:.5f} {:.5f}".format(*matrix.shorthand)


def _find_hidden(scene: _Scene, real: Picture, drawn: Picture) -> Iterator[Flaw]:
    away = np.maximum(real, drawn) - np.minimum(real, drawn) > SHADE
    differs = away[:, :, 0] | away[:, :, 1] | away[:, :, 2]
    left, bottom, right, top = scene.page.shown
    for each, field in zip(scene.cut, scene.fields, strict=True):
        card, reach = each.card, move_points(each.card.frame, field.reach)
        if not ((reach >= (left, bottom)) & (reach <= (right, top))).all():
            yield Flaw(f"card {card.number} reaches beyond what is printed of its page", card.page)
            continue
        corners = (reach - scene.page.media[:2]) * (scene.scale, -scene.scale) + (0, len(differs))
        if _count_inside(differs, corners) > FEWEST_PX:
            yield Flaw(f"card {card.number}: something hides a symbol, or is drawn beside it", card.page)


def _count_inside(differs: Any, corners: Points) -> int:
    """Return how many of the pixels inside a polygon are marked."""
    if not len(corners):
        return 0
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    right, bottom = np.maximum(np.ceil(corners.max(axis=0)).astype(int), 0)
    down, across = np.nonzero(differs[top : bottom + 1, left : right + 1])
    field = shapely.polygons(corners)
    shapely.prepare(field)
    return int(shapely.contains_xy(field, across + left + 0.5, down + top + 0.5).sum())
