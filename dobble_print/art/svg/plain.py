"""Rewrite a drawing so that every renderer understands it: what is used, spelled out.

References to shapes and between gradients are followed, rounded corners become paths, a mask that only cuts becomes a
clip path, strokes below their fills and translucent shapes become groups, and lines far finer than a printer's dots
become wider and fainter. What is not used is left out, so that whoever asks what a drawing needs is not misled by
leftovers.

Invariant: nothing is drawn that was not, and nothing looks different; `ElementCounter` has counted the drawing before.
"""

from __future__ import annotations

import copy
import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

from dobble_print.art.svg.limits import INNER_REFERENCE, SVG, TEMPLATES, XLINK_HREF
from dobble_print.errors import ArtworkError, Fault

MOST_STOPS = 100_000  # copied from one gradient to another
LENGTH = re.compile(r"(\+?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?)(|px|pt|pc|mm|cm|in)", re.IGNORECASE)
PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
GRADIENTS = (f"{SVG}linearGradient", f"{SVG}radialGradient")
SHAPES = {f"{SVG}{name}" for name in ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon")}
COMMON = ("gradientUnits", "gradientTransform", "spreadMethod")
PLACES = {GRADIENTS[0]: ("x1", "y1", "x2", "y2"), GRADIENTS[1]: ("cx", "cy", "r", "fx", "fy")}
NOT_INHERITED = {
    *("id", "transform", "clip-path", "mask", "filter", "opacity", "display", "style", "x", "y", "width", "height"),
    *("viewBox", "preserveAspectRatio", "overflow", "d", "href", XLINK_HREF),
}
LINES = {"stroke-linecap": "butt", "stroke-linejoin": "miter", "stroke-dasharray": "none"}  # and what they are at first
WHITE = {"white", "#fff", "#ffffff", "rgb(255,255,255)"}
CURVED = re.compile("[CSQTAcsqta]")
DOTS = 768  # along the longer side: those of a printer of 600 dpi on a symbol of 32 mm
UNSEEN = 0.25  # of a dot: finer lines hardly show on a screen; wider ones are meant, and a shop's build thickens them
TRANSFORM = re.compile(r"(matrix|scale)\s*\(([^)]*)\)")


def read_length(text: str) -> float | None:
    """Return a length of an SVG in pixels; None for what is none, or goes by the page."""
    found = LENGTH.fullmatch(text.strip())
    return float(found[1]) * PIXELS[found[2].lower()] if found else None


def read_coordinate(text: str | None) -> float | None:
    """Return a length that may be negative; 0 where there is none."""
    stripped = (text or "0").strip()
    length = read_length(stripped.removeprefix("-"))
    return -length if length and stripped.startswith("-") else length


def get_href(element: ElementTree.Element) -> str:
    """Return the id that an element refers to; nothing where it refers to none."""
    value = element.get("href", element.get(XLINK_HREF, ""))
    return value[1:] if value.startswith("#") else ""


def simplify(root: ElementTree.Element) -> bool:
    """Rewrite a drawing in place; return whether lines that are no outlines are too fine to be seen."""
    rewriter = _Rewriter(root)
    rewriter.expand(root)
    rewriter.collect_definitions()
    return rewriter.finish()


def _make(tag: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.Element(f"{SVG}{tag}", {name.replace("_", "-"): value for name, value in attributes.items()})


class _Rewriter:
    """The passes over one drawing."""

    def __init__(self, root: ElementTree.Element) -> None:
        self.root = root
        elements = list(root.iter())
        self.by_id = {element.attrib["id"]: element for element in reversed(elements) if "id" in element.attrib}
        self.parents = {child: parent for parent in elements for child in parent}
        self.copied_stops = 0

    def expand(self, element: ElementTree.Element) -> None:
        """Replace every `use` below by what it shows, and leave out what is never drawn."""
        is_clip = element.tag == f"{SVG}clipPath"
        for index, child in reversed(list(enumerate(element))):
            tag = child.tag.removeprefix(SVG)
            is_hidden = child.get("display") == "none" or (child.tag in SHAPES and child.get("visibility") == "hidden")
            if is_hidden or tag in ("defs", "symbol", *TEMPLATES):
                remove_element(element, child)
                continue
            if tag == "use":
                shown = self._show(child, is_clip)
                if shown is None:
                    remove_element(element, child)
                    continue
                shown.tail = child.tail
                element[index] = child = shown
            elif tag == "a":
                child.tag = f"{SVG}g"
            self.expand(child)

    def _show(self, use: ElementTree.Element, is_clip: bool) -> ElementTree.Element | None:
        """Return a group that shows what a `use` refers to; inside a clip path, which knows no groups, the shape."""
        meant = self.by_id.get(get_href(use))
        x, y = read_coordinate(use.get("x")), read_coordinate(use.get("y"))
        if meant is None or x is None or y is None or meant.get("display") == "none":
            return None
        target = copy.deepcopy(meant)
        target.tail = None
        for each in target.iter():
            if each.tag.removeprefix(SVG) not in TEMPLATES:
                each.attrib.pop("id", None)
        moved = f"{use.get('transform', '')} translate({x:.10g} {y:.10g})" if x or y else use.get("transform", "")
        own = {k: v for k, v in use.attrib.items() if k not in ("x", "y", "width", "height", "href", XLINK_HREF, "id")}
        own.pop("transform", None)
        if is_clip:
            merged = {**own, **target.attrib}
            merged["transform"] = f"{moved} {target.get('transform', '')}".strip()
            target.attrib.clear()
            target.attrib.update(merged)
            return target
        group = _make("g")
        group.attrib.update(own)
        if moved:
            group.set("transform", moved.strip())
        if target.tag in (f"{SVG}symbol", f"{SVG}svg"):
            target.tag = f"{SVG}svg"
            for side in ("width", "height"):
                target.set(side, use.get(side, target.get(side, "100%")))
        group.append(target)
        return group

    def collect_definitions(self) -> None:
        """Gather the definitions that are used, with what they inherit, at the head of the drawing."""
        definitions = _make("defs")
        known: set[str] = set()
        waiting = [self.root]
        while waiting:
            for name in _list_references(waiting.pop()):
                meant = self.by_id.get(name)
                if name in known or meant is None or meant.tag.removeprefix(SVG) not in TEMPLATES:
                    continue
                known.add(name)
                definition = copy.deepcopy(meant)
                definition.tail = None
                self._inherit(meant, definition)
                if definition.tag in GRADIENTS:
                    self._flatten_gradient(meant, definition)
                else:
                    self.expand(definition)
                definitions.append(definition)
                waiting.append(definition)
        if len(definitions):
            self.root.insert(0, definitions)

    def _inherit(self, meant: ElementTree.Element, definition: ElementTree.Element) -> None:
        """Write on a definition what it inherits where it stands, since it is moved."""
        parent = self.parents.get(meant)
        while parent is not None and parent is not self.root:
            for name, value in parent.attrib.items():
                if name not in NOT_INHERITED:
                    definition.attrib.setdefault(name, value)
            parent = self.parents.get(parent)

    def _flatten_gradient(self, meant: ElementTree.Element, gradient: ElementTree.Element) -> None:
        """Write out what a gradient takes from others."""
        seen = {gradient.get("id")}
        other, name = meant, get_href(meant)
        while name in self.by_id and name not in seen and self.by_id[name].tag in GRADIENTS:
            seen.add(name)
            other = self.by_id[name]
            for key in (*COMMON, *(PLACES[gradient.tag] if other.tag == gradient.tag else ())):
                if key in other.attrib:
                    gradient.attrib.setdefault(key, other.attrib[key])
            if gradient.find(f"{SVG}stop") is None:
                self._copy_stops(other, gradient)
            name = get_href(other)
        for key in ("href", XLINK_HREF):
            gradient.attrib.pop(key, None)
        _tidy_stops(gradient)

    def _copy_stops(self, source: ElementTree.Element, gradient: ElementTree.Element) -> None:
        stops = [copy.deepcopy(stop) for stop in source if stop.tag == f"{SVG}stop"]
        self.copied_stops += len(stops)
        if self.copied_stops > MOST_STOPS:
            raise ArtworkError(Fault("the gradients of the drawing have far too many colours", "Simplify it."))
        gradient[:] = stops

    def finish(self) -> bool:
        """Rewrite shapes and masks, now that everything is in its place; return whether lines are lost."""
        self.by_id = {element.attrib["id"]: element for element in self.root.iter() if "id" in element.attrib}
        self.definitions = next((child for child in self.root if child.tag == f"{SVG}defs"), None)
        _paint_currents(self.root, "black")
        _hand_down(self.root, {})
        self._finish_children(self.root, {})
        are_lost = _soften_hairlines(self.root)
        for mask in [each for each in self.definitions or () if each.tag == f"{SVG}mask"]:
            if all(element.get("mask") != f"url(#{mask.get('id')})" for element in self.root.iter()):
                self.definitions.remove(mask)  # type: ignore[union-attr]
        return are_lost

    def _finish_children(self, parent: ElementTree.Element, paints: dict[str, str]) -> None:
        is_cut = parent.tag == f"{SVG}clipPath"
        for index, child in enumerate(list(parent)):
            own = paints | {
                name: child.attrib[name] for name in ("fill", "stroke", "paint-order") if name in child.attrib
            }
            if child.tag in SHAPES:
                if child.tag != f"{SVG}rect":  # of a path it says nothing, but CairoSVG draws none of width 0
                    for name in ("x", "y", "width", "height"):
                        child.attrib.pop(name, None)
                _round_corners(child)
                if not is_cut:
                    self._fit_gradients(child, own)
                    parent[index] = shape = _split_paints(child, own)
                    shape.tail, child.tail = child.tail, None if shape is not child else child.tail
                    child = shape
            elif child.tag not in GRADIENTS:
                self._finish_children(child, own)
            self._replace_mask(parent, index, child)

    def _fit_gradients(self, shape: ElementTree.Element, paints: dict[str, str]) -> None:
        """Give a curved path gradients of its own where they go by its box: CairoSVG takes too large a box."""
        if shape.tag != f"{SVG}path" or not CURVED.search(shape.get("d", "")):
            return
        for name in ("fill", "stroke"):
            found = INNER_REFERENCE.match(paints.get(name, ""))
            gradient = self.by_id.get(found[1]) if found else None
            if gradient is None or gradient.tag not in GRADIENTS or gradient.get("gradientUnits") == "userSpaceOnUse":
                continue
            fitted = self._fit_gradient(gradient, shape)
            if fitted is not None and self.definitions is not None:
                self.definitions.append(fitted)
                shape.set(name, f"url(#{fitted.get('id')})")

    def _fit_gradient(self, gradient: ElementTree.Element, shape: ElementTree.Element) -> ElementTree.Element | None:
        """Return a copy of a gradient for the box of this shape; None where there is no need or no box."""
        box = _measure_path(shape.get("d", ""))
        self.copied_stops += len(gradient)
        if box is None or self.copied_stops > MOST_STOPS:
            return None
        x, y, width, height = box
        fitted = copy.deepcopy(gradient)
        for key in PLACES[gradient.tag]:
            default = {"x2": "1", "cx": "0.5", "cy": "0.5", "r": "0.5"}.get(key, "0" if key[-1] in "12" else None)
            value = gradient.get(key, default)
            if value is not None:
                fitted.set(key, _read_share(value))
        turned = f"matrix({width:.10g} 0 0 {height:.10g} {x:.10g} {y:.10g}) {gradient.get('gradientTransform', '')}"
        fitted.set("gradientTransform", turned.strip())
        fitted.set("gradientUnits", "userSpaceOnUse")
        fitted.set("id", f"{gradient.get('id')}-{self.copied_stops}")
        return fitted

    def _replace_mask(self, parent: ElementTree.Element, index: int, element: ElementTree.Element) -> None:
        """Clip where a mask only cuts: it shows what lies inside white shapes."""
        found = INNER_REFERENCE.match(element.get("mask", ""))
        mask = self.by_id.get(found[1]) if found else None
        if mask is None or self.definitions is None or not _only_cuts(mask):
            return
        name = f"{mask.get('id')}-cut"
        if name not in self.by_id:
            self.by_id[name] = cut = _make("clipPath", id=name)
            for shape in mask:
                copied = copy.deepcopy(shape)
                if copied.get("fill-rule", mask.get("fill-rule")) == "evenodd":
                    copied.set("clip-rule", "evenodd")
                cut.append(copied)
            self.definitions.append(cut)
        del element.attrib["mask"]
        if "clip-path" not in element.attrib and "transform" not in element.attrib:
            element.set("clip-path", f"url(#{name})")
            return
        group = _make("g", clip_path=f"url(#{name})")
        if "transform" in element.attrib:
            group.set("transform", element.attrib.pop("transform"))
        group.append(element)
        group.tail, element.tail = element.tail, None
        parent[index] = group


def _paint_currents(element: ElementTree.Element, color: str) -> None:
    """Replace `currentColor` by the colour that it stands for."""
    own = element.attrib.pop("color", "inherit")
    color = color if own == "inherit" else own
    for name in ("fill", "stroke", "stop-color", "flood-color", "lighting-color"):
        value = element.get(name)
        if value is not None and "currentcolor" in value.lower():
            element.set(name, re.sub("currentcolor", color, value, flags=re.IGNORECASE))
    for child in element:
        _paint_currents(child, color)


def _hand_down(element: ElementTree.Element, inherited: dict[str, str]) -> None:
    """Write how lines begin, bend and break on shapes alone: in CairoSVG a group's cannot be taken back."""
    values = inherited | {name: element.attrib.pop(name) for name in LINES if element.get(name, "inherit") != "inherit"}
    if element.tag in SHAPES:
        element.attrib.update({name: value for name, value in values.items() if value != LINES[name]})
    for child in element:
        _hand_down(child, values)


def _list_references(element: ElementTree.Element) -> Iterator[str]:
    """Yield every id that something below refers to."""
    for each in element.iter():
        for name, value in each.attrib.items():
            if "(" in value:
                yield from INNER_REFERENCE.findall(value)
            elif name in ("href", XLINK_HREF) and value.startswith("#"):
                yield value[1:]


def _tidy_stops(gradient: ElementTree.Element) -> None:
    """Have the last of several colours at the end win, and a lone colour be everywhere: cairo has it otherwise."""
    stops = [stop for stop in gradient if stop.tag == f"{SVG}stop"]
    if len(stops) == 1:
        gradient.append(copy.deepcopy(stops[0]))
        gradient[-1].set("offset", "1")
        return
    last = [stop for stop in stops if float(_read_share(stop.get("offset", "0"))) >= 1]
    if len(last) > 1:  # some PDF readers look up 256 colours and take the last but one for all that follows
        for stop in last[:-1]:
            stop.set("offset", "0.995")
        before = copy.deepcopy(last[-1])
        before.set("offset", "0.995")
        gradient.insert(list(gradient).index(last[-1]), before)


def _read_share(value: str) -> str:
    """Return a share as a plain number; 0 for what is none."""
    text = value.strip()
    try:
        return f"{float(text.removesuffix('%')) / (100 if text.endswith('%') else 1):.10g}"
    except ValueError:
        return "0"


def _measure_path(path: str) -> tuple[float, float, float, float] | None:
    """Return the true box of a path: left, top, width, height; None for one without area, or that is damaged."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.svgLib.path import parse_path

    pen = BoundsPen(None)
    try:
        parse_path(path, pen)
    except Exception:  # the library breaks in many ways on a damaged path, of which renderers draw the sound part
        return None
    if pen.bounds is None:
        return None
    left, top, right, bottom = pen.bounds
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


def _round_corners(shape: ElementTree.Element) -> None:
    """Turn a rectangle with round corners into a path: CairoSVG's corners are not quite round."""
    if shape.tag != f"{SVG}rect" or not ("rx" in shape.attrib or "ry" in shape.attrib):
        return
    x, y = read_coordinate(shape.get("x")), read_coordinate(shape.get("y"))
    width, height = read_length(shape.get("width", "")), read_length(shape.get("height", ""))
    rx, ry = read_length(shape.get("rx", shape.get("ry", ""))), read_length(shape.get("ry", shape.get("rx", "")))
    if x is None or y is None or not width or not height or rx is None or ry is None:
        return
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    for name in ("x", "y", "width", "height", "rx", "ry"):
        shape.attrib.pop(name, None)
    shape.tag = f"{SVG}path"
    if not rx or not ry:
        shape.set("d", f"M{x:.10g} {y:.10g}h{width:.10g}v{height:.10g}h{-width:.10g}z")
        return
    arcs = [f"a{rx:.10g} {ry:.10g} 0 0 1 {rx * a:.10g} {ry * b:.10g}" for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    across, down = width - 2 * rx, height - 2 * ry
    sides = f"M{x + rx:.10g} {y:.10g}h{across:.10g}{arcs[0]}v{down:.10g}{arcs[1]}h{-across:.10g}{arcs[2]}v{-down:.10g}"
    shape.set("d", f"{sides}{arcs[3]}z")


def _split_paints(shape: ElementTree.Element, paints: dict[str, str]) -> ElementTree.Element:
    """Return a group for a shape whose stroke lies below its fill, or whose fill and stroke are translucent as one."""
    if paints.get("fill") == "none" or paints.get("stroke", "none") == "none" or "filter" in shape.attrib:
        return shape
    is_below = paints.get("paint-order", "").startswith("stroke")
    if not is_below and float(shape.get("opacity", 1) if shape.get("opacity") != "inherit" else 1) >= 1:
        return shape
    group = _make("g")
    for name in ("opacity", "clip-path", "mask", "transform", "style"):
        if name in shape.attrib:
            group.set(name, shape.attrib.pop(name))
    if is_below and not any(name.startswith("marker") for name in shape.attrib):
        stroke, fill = copy.deepcopy(shape), copy.deepcopy(shape)
        stroke.set("fill", "none")
        fill.set("stroke", "none")
        stroke.tail = fill.tail = None
        for each in (stroke, fill):
            each.attrib.pop("paint-order", None)
        group.extend([stroke, fill])
    else:
        group.append(shape)
    return group


def _soften_hairlines(root: ElementTree.Element) -> bool:
    """Draw lines far finer than a dot a dot wide, and as much fainter: readers of PDF draw none finer than a dot.

    A drawing that was traced, or made to be seen large, would come out with bold black lines that nobody has seen.
    Return whether some of them surround no fill, so that they are all there was to see.
    """
    box = [read_coordinate(text) for text in root.get("viewBox", "").replace(",", " ").split()]
    sides = box[2:] if len(box) == 4 else [read_length(root.get(side, "")) for side in ("width", "height")]
    dot = max((side or 0.0 for side in sides), default=0.0) / DOTS
    lost = [_soften_below(child, dot, ("none", "1", "1", "black")) for child in root if dot > 0]
    return any(lost)


def _soften_below(element: ElementTree.Element, dot: float, inherited: tuple[str, ...]) -> bool:
    """Soften the lines of an element, in whose units a dot is so wide; return whether one surrounds no fill."""
    scale = _measure_scale(element.get("transform", ""))
    if element.tag.removeprefix(SVG) in ("defs", "svg") or not scale:  # what those scale by is not worth the words
        return False
    dot /= scale
    own = [element.get(name, "inherit") for name in ("stroke", "stroke-width", "stroke-opacity", "fill")]
    paints = tuple(old if new == "inherit" else new for new, old in zip(own, inherited, strict=True))
    stroke, (width, opacity), fill = paints[0], map(read_length, paints[1:3]), paints[3]
    is_faint = bool(element.tag in SHAPES and stroke != "none" and width and width < dot * UNSEEN and opacity)
    if is_faint and width and opacity:
        element.set("stroke-width", f"{dot:.6g}")
        element.set("stroke-opacity", f"{opacity * width / dot:.4g}")
    is_alone = is_faint and (fill == "none" or element.tag == f"{SVG}line")
    return any([is_alone, *(_soften_below(child, dot, paints) for child in element)])


def _measure_scale(transform: str) -> float:
    """Return how many times as large a transform makes things; 0 for one that is damaged, or leaves nothing."""
    area = 1.0
    for name, written in TRANSFORM.findall(transform):
        try:
            numbers = [float(number) for number in written.replace(",", " ").split()]
            if name == "scale":
                area *= numbers[0] * numbers[-1]
            else:
                area *= numbers[0] * numbers[3] - numbers[1] * numbers[2]
        except (ValueError, IndexError):
            return 0.0
    return math.sqrt(abs(area)) if math.isfinite(area) else 0.0


def _only_cuts(mask: ElementTree.Element) -> bool:
    """Return whether a mask holds plain white shapes and nothing else."""
    if mask.get("maskContentUnits") == "objectBoundingBox" or not len(mask) or "mask" in mask.attrib:
        return False
    return all(
        shape.tag in SHAPES
        and shape.get("fill", mask.get("fill", "")).lower().replace(" ", "") in WHITE
        and shape.get("stroke", mask.get("stroke", "none")) == "none"
        and not {"opacity", "fill-opacity", "mask", "filter", "clip-path", "style"} & {*shape.attrib}
        for shape in mask
    )


def remove_element(parent: ElementTree.Element, child: ElementTree.Element) -> None:
    """Remove a child, but not the text behind it."""
    index = list(parent).index(child)
    if child.tail and index:
        parent[index - 1].tail = (parent[index - 1].tail or "") + child.tail
    elif child.tail:
        parent.text = (parent.text or "") + child.tail
    parent.remove(child)
