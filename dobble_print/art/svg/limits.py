"""Limit SVG: how large, how deep, and how much drawing a file may ask for.

Invariant: limits are enforced while a file is parsed and before anything is drawn.
"""

from __future__ import annotations

import codecs
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from typing import Any

from PIL import ImageColor

from dobble_print.errors import ArtworkError, Fault

MOST_DRAWN = 50_000  # elements after following every reference; a drawing may always show twice what it holds
MOST_CHAIN = 400  # references and levels on the way to one element
FILTER_STEP = 50  # a step of a filter works on all pixels: it counts as much as so many shapes
SVG = "{http://www.w3.org/2000/svg}"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
INNER_REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")\s]+)", re.IGNORECASE)
INHERITED = ("fill", "stroke", "marker-start", "marker-mid", "marker-end")
PLAIN_COLOR = re.compile(r"none|transparent|currentcolor|#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([^()]*\)")  # and names
SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath"}
POINT = re.compile(r"[-+]?[.\d]+(?:[eE][-+]?\d+)?")
# Drawn only where something refers to them.
TEMPLATES = {"defs", "symbol", "clipPath", "mask", "marker", "pattern", "filter", "linearGradient", "radialGradient"}
STOPS_PER_SHAPE = 50  # so many colours of a gradient take as long as a shape
_EXPORT = "Export it again as plain SVG."
Paints = tuple[tuple[str, ...], ...]  # for each of INHERITED, the ids it refers to
NO_PAINTS: Paints = ((),) * len(INHERITED)


class ElementCounter:
    """Counts what one drawing draws with all references followed; its styles are attributes already."""

    def __init__(self, root: ElementTree.Element) -> None:
        elements = list(root.iter())
        self._by_id = {element.attrib["id"]: element for element in reversed(elements) if "id" in element.attrib}
        self._most = max(MOST_DRAWN, 2 * len(elements))
        self._known: dict[tuple[ElementTree.Element, Paints, bool], int] = {}
        self._open: set[ElementTree.Element] = set()

    def refuse_bombs(self, root: ElementTree.Element) -> None:
        """Raise an `ArtworkError` when the drawing shows far more than it holds, or itself."""
        try:
            self._count(root, NO_PAINTS, False)
        except RecursionError:
            raise ArtworkError(Fault("the drawing's references lead too deep", _EXPORT)) from None

    def _count(self, element: ElementTree.Element, paints: Paints, is_asked_for: bool) -> int:
        key = (element, paints, is_asked_for)
        if key in self._known:
            return self._known[key]
        if element in self._open or len(self._open) > MOST_CHAIN:
            raise ArtworkError(Fault("the drawing refers to itself in a circle", _EXPORT))
        self._open.add(element)
        total = self._count_parts(element, paints, is_asked_for)
        self._open.discard(element)
        self._known[key] = total
        if total > self._most or len(self._known) > 4 * self._most:
            raise ArtworkError(Fault(f"the drawing repeats itself more than {self._most} times", "Simplify it."))
        return total

    def _count_parts(self, element: ElementTree.Element, paints: Paints, is_asked_for: bool) -> int:
        tag = element.tag.removeprefix(SVG)
        if tag in TEMPLATES and not is_asked_for:
            return 1
        if tag.endswith("Gradient"):
            return 1 + len(element) // STOPS_PER_SHAPE + self._follow(self._find_hrefs(element), paints)
        style = self._collect_properties(element)
        paints = tuple(_combine(style.get(name, ()), paints[i]) for i, name in enumerate(INHERITED))
        total = FILTER_STEP if tag.startswith("fe") else 1
        total += sum(self._count(child, paints, False) for child in element)
        for name, values in style.items():
            if name not in INHERITED:
                total += self._follow(_find_ids(values), paints)
        total += self._follow(self._find_hrefs(element), paints)
        if tag in SHAPES:
            total += self._count_paint(element, paints)
        return total

    def _count_paint(self, element: ElementTree.Element, paints: Paints) -> int:
        """Count what fills and strokes a shape, and the markers on each of its corners."""
        fills, markers = (sum(self._follow(ids, NO_PAINTS) for ids in part) for part in (paints[:2], paints[2:]))
        if not markers:
            return fills
        return fills + markers * (len(POINT.findall(element.get("d", "") + element.get("points", ""))) + 2)

    def _follow(self, ids: tuple[str, ...], paints: Paints) -> int:
        return sum(self._count(self._by_id[name], paints, True) for name in ids if name in self._by_id)

    def _find_hrefs(self, element: ElementTree.Element) -> tuple[str, ...]:
        values = (element.get("href", ""), element.get(XLINK_HREF, ""))
        return tuple(dict.fromkeys(value[1:] for value in values if value.startswith("#")))

    def _collect_properties(self, element: ElementTree.Element) -> dict[str, list[str]]:
        """Return all properties of an element that may refer to something."""
        return {name: [value] for name, value in element.attrib.items() if name in INHERITED or "(" in value}


def _combine(said: Sequence[str], inherited: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paints of an element: its own, and its parent's unless all it states are paints of its own."""
    own = _find_ids(said)
    if said and all("url(" in value.lower() or _is_color(value) for value in said):
        return own
    return tuple(dict.fromkeys((*own, *inherited)))


def _is_color(value: str) -> bool:
    word = value.lower().removesuffix("!important").strip()
    return word in ImageColor.colormap or bool(PLAIN_COLOR.fullmatch(word))


def _find_ids(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found for value in values if "(" in value for found in INNER_REFERENCE.findall(value)))


MAX_BYTES = 8 << 20
MAX_DEPTH = 150
MAX_ELEMENTS = 200_000
MAX_ENTITIES = 100
MAX_GROWTH = 1 << 20  # letters that entities may add
MAX_WORD = 300  # letters of an entity
ENCODINGS = (
    *("cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1257", "mac-roman", "koi8-r"),
    *(f"iso8859-{number}" for number in (1, 2, 5, 7, 9, 13, 15)),
)
_EDITOR_EXPORT = 'Export it again as "plain SVG" or "SVG, presentation attributes".'


class _Tree(ElementTree.TreeBuilder):
    """Builds the tree and counts; the text that entities stand for is counted as if it had been written out."""

    def __init__(self, most_letters: int) -> None:
        super().__init__()
        self.depth = self.elements = self.letters = 0
        self.most_letters = most_letters

    def start(self, tag: str, attrs: dict[str, str], /) -> ElementTree.Element:
        """Count an element that begins, and refuse too many or too deep ones."""
        self.depth += 1
        self.elements += 1
        self._count("".join(attrs.values()))
        if self.depth > MAX_DEPTH:
            raise ArtworkError(Fault(f"the drawing is nested deeper than {MAX_DEPTH} levels", "Simplify it."))
        if self.elements > MAX_ELEMENTS:
            raise ArtworkError(Fault(f"the drawing has more than {MAX_ELEMENTS} elements", "Simplify it."))
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> ElementTree.Element:
        """Count an element that ends."""
        self.depth -= 1
        return super().end(tag)

    def data(self, data: str, /) -> None:
        """Count text between elements."""
        self._count(data)
        super().data(data)

    def _count(self, text: str) -> None:
        self.letters += len(text)
        if self.letters > self.most_letters:
            raise ArtworkError(Fault("the drawing grows beyond all bounds while it is read", _EDITOR_EXPORT))


def load_encodings() -> None:
    """Load the encodings that older drawing programs write; they are files, too."""
    for name in ENCODINGS:
        codecs.lookup(name)


def parse_markup(data: bytes) -> ElementTree.Element:
    """Return the tree of an SVG file; raise an `ArtworkError` for anything else."""
    if len(data) > MAX_BYTES:
        raise ArtworkError(Fault(f"the drawing is larger than {MAX_BYTES >> 20} MB", "Simplify it."))
    if data[:2] == b"\x1f\x8b":
        raise ArtworkError(Fault("the drawing is compressed (svgz)", "Unpack it, or save it as plain SVG."))
    root = _parse(data)
    if root.tag == "svg":  # a drawing without the namespace declaration: browsers refuse it, people write it
        for element in root.iter():
            element.tag = SVG + element.tag if "}" not in element.tag else element.tag
    if root.tag != f"{SVG}svg":
        raise ArtworkError(Fault("the file is no SVG drawing", "Export it again as SVG."))
    return root


def _parse(data: bytes) -> ElementTree.Element:
    from defusedxml.common import DefusedXmlException, EntitiesForbidden
    from defusedxml.ElementTree import DefusedXMLParser

    class Parser(DefusedXMLParser):  # type: ignore[misc]
        """An XML parser that accepts only entities that are plain words."""

        words = 0

        def defused_entity_decl(self, name: str, is_parameter: bool, value: str | None, *where: Any) -> None:
            """Refuse an entity that is more than a plain word; `where` names a file it would be read from."""
            self.words += 1
            plain = value is not None and len(value) <= MAX_WORD and not re.search("[&%<]", value)
            if is_parameter or not plain or self.words > MAX_ENTITIES or any(where[1:3]):
                raise EntitiesForbidden(name, value, *where)

    try:
        parser = Parser(
            target=_Tree(len(data) + MAX_GROWTH), forbid_dtd=False, forbid_entities=True, forbid_external=True
        )
        parser.feed(data)
        root: ElementTree.Element = parser.close()
    except DefusedXmlException:
        raise ArtworkError(Fault("the drawing defines XML entities that are more than words", _EDITOR_EXPORT)) from None
    except OSError:  # the worker can open no more files, so an encoding it has not loaded is none
        raise ArtworkError(Fault("the drawing is not valid SVG (unknown encoding)", "Save it in UTF-8.")) from None
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ArtworkError(Fault(f"the drawing is not valid SVG ({error})", "Export it again as SVG.")) from None
    return root
