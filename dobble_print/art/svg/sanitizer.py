"""Sanitize untrusted SVG: what passes refers to nothing outside itself and cannot blow up.

Invariant: after `admit_svg` only elements of a drawing remain, no `href`, `url()` or `@import` leads out of the file,
embedded pictures were decoded and written anew, and following every internal reference stays below a fixed amount of
drawing.
"""

from __future__ import annotations

import base64
import binascii
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from dobble_print.art.raster import (
    MAX_PIXELS,
    encode_picture,
    normalise_picture,
    open_picture,
    refuse_extreme_shape,
)
from dobble_print.art.svg.cascade import apply_styles
from dobble_print.art.svg.features import list_features
from dobble_print.art.svg.letters import outline_text
from dobble_print.art.svg.limits import INNER_REFERENCE, SVG, TEMPLATES, XLINK_HREF, ElementCounter, parse_markup
from dobble_print.art.svg.plain import SHAPES, read_coordinate, read_length, remove_element, simplify
from dobble_print.art.svg.stylesheets import Dropped, clean_style, clean_stylesheet, leads_outside
from dobble_print.errors import ArtworkError, Fault

MOST_LETTERS = 5000  # of live text
MOST_LENGTH = 1e9  # of a page
MOST_OCTAVES = 8  # finer noise than that is not seen
DRAWN = re.compile(
    "svg|g|defs|symbol|use|switch|a|style|path|rect|circle|ellipse|line|polyline|polygon|image|text|tspan|textPath"
    "|linearGradient|radialGradient|stop|clipPath|mask|pattern|marker|filter|fe[A-Z][A-Za-z]+"
)
UNSEEN = re.compile("title|desc|metadata|view")
KEPT_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
PLAIN_STYLE = re.compile(r"(?:[^\\(@/]|(?<=url)\(#[\w.-]+\))*")  # leads nowhere, so it needs no cleaning
URL = re.compile(r"url\(\s*(['\"]?)(.*?)\1\s*\)", re.IGNORECASE | re.DOTALL)
DATA_PICTURE = re.compile(
    r"data:(?:image/(?:png|jpe?g|webp|gif|x-png))?((?:;[\w=-]+)*),(.*)", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True)
class AdmittedSvg:
    """A sanitized drawing: its bytes, the same in the plainest terms, and what is to be said about it.

    `dropped` names what had to be left out, `hard_features` what only resvg renders correctly, `undrawn` what nobody
    here draws, `families` the fonts of its text, `missing` letters that no font has. Without `has_size` it says
    nowhere how large it is; with `is_faint` it has lines that are too fine to be seen.
    """

    data: bytes
    plain: bytes
    dropped: tuple[str, ...]
    hard_features: tuple[str, ...]
    undrawn: tuple[str, ...]
    families: tuple[str, ...]
    missing: tuple[str, ...]
    has_size: bool
    is_faint: bool


def admit_svg(data: bytes) -> AdmittedSvg:
    """Parse, drop everything that leads outside, refuse bombs, write it in plain terms, and describe what remains."""
    root = parse_markup(data)
    cleaner = _Cleaner()
    try:
        cleaner.clean(root)
        unknown = apply_styles(root, cleaner.sheets, cleaner.dropped)
    except RecursionError:  # elements are not as deep: it is brackets in its styles
        raise ArtworkError(Fault("brackets in the drawing's styles are nested too deeply", "Simplify it.")) from None
    has_size = _settle_size(root)
    _drop_dangling(root)
    ElementCounter(root).refuse_bombs(root)
    letters = outline_text(root)
    kept = ElementTree.tostring(root, encoding="unicode").encode()
    is_faint = simplify(root)
    features = list_features(root)
    return AdmittedSvg(
        data=kept,
        plain=ElementTree.tostring(root, encoding="unicode").encode(),
        dropped=tuple(cleaner.dropped.things),
        hard_features=features.hard,
        undrawn=(*features.undrawn, *sorted(unknown), *letters.unknown),
        families=tuple(letters.families),
        missing=tuple(letters.missing),
        has_size=has_size,
        is_faint=is_faint,
    )


def _drop_dangling(root: ElementTree.Element) -> None:
    """Drop filters, masks and clips that are not in the file: browsers ignore them, where resvg hides the shape."""
    known = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    for element in root.iter():
        for name in ("filter", "mask", "clip-path"):
            found = INNER_REFERENCE.match(element.get(name, ""))
            if found and found[1] not in known:
                del element.attrib[name]


def drop_first_shape(svg: bytes) -> bytes:
    """Return a sanitized drawing without the first shape that it draws."""
    root = parse_markup(svg)
    for parent, child in _list_drawn(root):
        if child.tag in (*SHAPES, f"{SVG}image", f"{SVG}use"):
            remove_element(parent, child)
            break
    return ElementTree.tostring(root, encoding="unicode").encode()


def _list_drawn(parent: ElementTree.Element) -> Iterator[tuple[ElementTree.Element, ElementTree.Element]]:
    """Yield what is drawn, each with its parent, in drawing order."""
    for child in list(parent):
        if child.tag.removeprefix(SVG) not in ("defs", "symbol", *TEMPLATES) and child.get("display") != "none":
            yield parent, child
            yield from _list_drawn(child)


def _settle_size(root: ElementTree.Element) -> bool:
    """Drop sizes that go by the page, refuse absurd ones; return whether the drawing still says how large it is."""
    for side in ("width", "height"):
        if read_length(root.get(side, "")) is None:
            root.attrib.pop(side, None)
    box = [read_coordinate(text) for text in root.get("viewBox", "").replace(",", " ").split()]
    if any(edge is not None and abs(edge) > MOST_LENGTH for edge in box):
        what = "the drawing cannot be drawn (its page is beyond all numbers)"
        raise ArtworkError(Fault(what, "Export it again as plain SVG."))
    if len(box) != 4 or not all(edge is not None for edge in box) or not (box[2] or 0) > 0 or not (box[3] or 0) > 0:
        root.attrib.pop("viewBox", None)
    refuse_extreme_shape(*_measure(root))
    return "viewBox" in root.attrib or ("width" in root.attrib and "height" in root.attrib)


@dataclass
class _Cleaner:
    """One pass over one drawing: what it drops, its style sheets, and its totals of pixels and letters."""

    dropped: Dropped = field(default_factory=Dropped)
    sheets: list[str] = field(default_factory=list)
    pixels: int = 0
    letters: int = 0

    def clean(self, element: ElementTree.Element) -> None:
        """Keep what a drawing is made of, here and below."""
        tag = _local(element)
        for name in list(element.attrib):
            self._clean_attribute(element, tag, name)
        if tag == "style":
            element.text = clean_stylesheet("".join(element.itertext()), self.dropped)
            self.sheets.append(element.text)
            del element[:]
        for child in list(element):
            if self._is_kept(child):
                self.clean(child)
            else:
                remove_element(element, child)
        if tag in ("text", "tspan", "textPath"):
            self._count_letters(element)

    def _is_kept(self, element: ElementTree.Element) -> bool:
        """Return whether an element belongs to a drawing; report what a browser would have shown or played."""
        tag = _local(element)
        if not element.tag.startswith(SVG) or UNSEEN.fullmatch(tag):
            return False
        if DRAWN.fullmatch(tag):
            return True
        if "requiredExtensions" not in element.attrib:  # what some program keeps for itself is never shown
            self.dropped.add(f"<{tag[:30]}>")
        return False

    def _clean_attribute(self, element: ElementTree.Element, tag: str, name: str) -> None:
        value: str | None = element.attrib.pop(name)
        assert value is not None
        if name in ("href", XLINK_HREF):
            value = self._clean_reference(tag, value.strip())
        elif name.startswith("on") or (name == "id" and not value) or (name.startswith("{") and name != KEPT_SPACE):
            value = None
        elif name == "style":
            value = value if PLAIN_STYLE.fullmatch(value) else clean_style(value, self.dropped)
        elif name == "numOctaves":
            value = value if re.fullmatch(f"[0-{MOST_OCTAVES}]", value.strip()) else str(MOST_OCTAVES)
        elif "(" in value:
            value = URL.sub(self._keep_inner, value)
        if value is not None and not ("(" in value and leads_outside(value, self.dropped)):
            element.attrib[name] = value

    def _keep_inner(self, found: re.Match[str]) -> str:
        if found.group(2).strip().startswith("#"):
            return found.group(0)
        self.dropped.add_reference(found.group(2))
        return "none"

    def _clean_reference(self, tag: str, value: str) -> str | None:
        if value.startswith("#"):
            return value
        picture = DATA_PICTURE.fullmatch(value)
        if tag in ("image", "feImage") and picture:
            return self._rewrite_picture(picture)
        if tag != "a":  # a link on a drawing prints as nothing, so nobody misses it
            self.dropped.add_reference(value)
        return None

    def _rewrite_picture(self, found: re.Match[str]) -> str:
        """Decode an embedded picture and encode it anew, so that no renderer reads an untrusted file."""
        try:
            raw = unquote_to_bytes(found.group(2))
            data = base64.b64decode(raw, validate=False) if ";base64" in found.group(1).lower() else raw
        except binascii.Error:
            raise ArtworkError(Fault("a picture embedded in the drawing is damaged", "Embed it again.")) from None
        picture = open_picture(data)
        self.pixels += picture.width * picture.height
        if self.pixels > MAX_PIXELS:
            raise ArtworkError(Fault("the pictures embedded in the drawing have too many pixels", "Shrink them."))
        shown = normalise_picture(picture)
        if picture.format == "JPEG":  # photos stay JPEG, or the drawing would grow tenfold
            kind, data = "jpeg", encode_picture(shown.convert("RGB"), "JPEG", quality=95, subsampling=0)
        else:
            kind, data = "png", encode_picture(shown, "PNG", compress_level=1)
        return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"

    def _count_letters(self, element: ElementTree.Element) -> None:
        self.letters += len(element.text or "") + sum(len(child.tail or "") for child in element)
        if self.letters > MOST_LETTERS:
            raise ArtworkError(Fault("the drawing holds too much text", "Convert text to paths."))


def _measure(root: ElementTree.Element) -> tuple[float, float]:
    """Return width and height as far as the drawing gives them, else from its viewBox, else 1."""
    box = [*map(read_length, root.get("viewBox", "").replace(",", " ").split()), None, None, None, None]
    sides = (read_length(root.get("width", "")) or box[2], read_length(root.get("height", "")) or box[3])
    return sides[0] or 1.0, sides[1] or 1.0


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
