"""Tell what a drawing needs: what only resvg draws rightly, and what no renderer here draws.

Invariant: only what is used counts; the drawing has been simplified, so leftovers are gone.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import NamedTuple

from dobble_print.art.svg.limits import INNER_REFERENCE, SVG

BLENDING = re.compile(r"mix-blend-mode:\s*(?!normal)\w")
UNSURE_FILTERS = {f"{SVG}fe{name}" for name in ("DisplacementMap", "Tile", "SpecularLighting", "DiffuseLighting")}
CSS_SHAPE = re.compile(r"\s*(?:circle|ellipse|inset|polygon|path|rect|xywh)\(")


class Features(NamedTuple):
    """Names of features in plain words: what only resvg draws rightly, and what no renderer here draws."""

    hard: tuple[str, ...]
    undrawn: tuple[str, ...]


def list_features(root: ElementTree.Element) -> Features:
    """List what a simplified drawing needs."""
    patterns = {element.get("id") for element in root.iter(f"{SVG}pattern")}
    hard: set[str] = set()
    undrawn: set[str] = set()
    for element in root.iter():
        hard.update(_list_hard(element, patterns))
        undrawn.update(_list_undrawn(element))
    for cut in root.iter(f"{SVG}clipPath"):
        hard.update(_list_hard_cuts(cut))
    return Features(tuple(sorted(hard)), tuple(sorted(undrawn)))


def _list_hard(element: ElementTree.Element, patterns: set[str | None]) -> Iterator[str]:
    get = element.get
    if get("filter", "none") != "none":
        yield "filters"
    if get("mask", "none") != "none":
        yield "masks"
    for paint in (get("fill", ""), get("stroke", "")):
        found = INNER_REFERENCE.match(paint)
        if found and found[1] in patterns:
            yield "patterns"
    if any(get(name, "none") != "none" for name in ("marker-start", "marker-mid", "marker-end")):
        yield "markers"
    if BLENDING.search(get("style", "")):
        yield "blend modes"
    if get("paint-order", "normal").startswith(("stroke", "markers")):
        yield "paint order"
    if get("transform-origin"):
        yield "transform-origin"


def _list_hard_cuts(cut: ElementTree.Element) -> Iterator[str]:
    if cut.get("clipPathUnits") == "objectBoundingBox":
        yield "clip paths that go by the box of a shape"
    for element in cut.iter():
        if element.get("clip-rule") == "evenodd" and element is not cut:
            yield "even-odd clip paths"
        if element.get("clip-path", "none") != "none":
            yield "clip paths inside clip paths"


def _list_undrawn(element: ElementTree.Element) -> Iterator[str]:
    get = element.get
    if element.tag in UNSURE_FILTERS:
        yield f"the filter {element.tag.removeprefix(SVG)}"
    if get("vector-effect", "none") == "non-scaling-stroke" and get("stroke", "") != "none":
        yield "non-scaling-stroke"
    if "pathLength" in element.attrib and get("stroke-dasharray", "none") != "none":
        yield "pathLength with dashes"
    if CSS_SHAPE.match(get("clip-path", "")):
        yield "clip-path with a shape of CSS"
    if get("transform-box", "view-box") not in ("view-box", "border-box"):
        yield "transform-box"
