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
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from dobble_print.art.raster import (
    MAX_PIXELS,
    encode_picture,
    normalise_picture,
    open_picture,
    refuse_extreme_shape,
)
from dobble_print.art.svg.limits import SVG, XLINK_HREF, ElementCounter, parse_markup
from dobble_print.art.svg.stylesheets import Dropped, clean_style, clean_stylesheet, leads_outside, match_rules
from dobble_print.errors import ArtworkError, Fault

MOST_LETTERS = 5000  # of live text
MOST_OCTAVES = 8  # finer noise than that is not seen
DRAWN = re.compile(
    "svg|g|defs|symbol|use|switch|a|style|path|rect|circle|ellipse|line|polyline|polygon|image|text|tspan|textPath"
    "|linearGradient|radialGradient|stop|clipPath|mask|pattern|marker|filter|fe[A-Z][A-Za-z]+"
)
UNSEEN = re.compile("title|desc|metadata|view")
KEPT_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
URL = re.compile(r"url\(\s*(['\"]?)(.*?)\1\s*\)", re.IGNORECASE | re.DOTALL)
DATA_PICTURE = re.compile(r"data:image/(png|jpe?g|webp|gif)((?:;[\w=-]+)*),(.*)", re.IGNORECASE | re.DOTALL)
LENGTH = re.compile(r"(\+?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?)(|px|pt|pc|mm|cm|in)", re.IGNORECASE)
PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
# What CairoSVG is known to draw wrongly, by where it shows; resvg draws these right.
HARD_TAGS = {"filter": "filters", "mask": "masks", "pattern": "patterns", "marker": "markers"}
HARD_WORDS = {
    r"mix-blend-mode": "blend modes",
    r"isolation\s*[:=]\s*['\"]?isolate": "blend modes",
    r"clip-rule\s*[:=]\s*['\"]?\s*evenodd": "even-odd clip paths",
    r"hsla?\(": "hsl() colours",
    r"paint-order": "paint order",
    r"[:\"'\s]#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{4})(?=[\s;\"'])": "#rrggbbaa colours",
}


@dataclass(frozen=True)
class AdmittedSvg:
    """A sanitized drawing: its bytes, what had to be dropped, and which features only resvg renders correctly."""

    data: bytes
    dropped: tuple[str, ...]
    hard_features: tuple[str, ...]
    has_text: bool


def admit_svg(data: bytes) -> AdmittedSvg:
    """Parse, drop everything that leads outside, refuse bombs, and describe what remains."""
    root = parse_markup(data)
    cleaner = _Cleaner()
    try:
        cleaner.clean(root)
    except RecursionError:  # elements are not as deep: it is brackets in its styles
        raise ArtworkError(Fault("brackets in the drawing's styles are nested too deeply", "Simplify it.")) from None
    refuse_extreme_shape(*_measure(root))
    ElementCounter(root, match_rules(root, cleaner.sheets)).refuse_bombs(root)
    text = ElementTree.tostring(root, encoding="unicode")
    features = {name for tag, name in HARD_TAGS.items() if root.find(f".//{SVG}{tag}") is not None}
    features |= {name for words, name in HARD_WORDS.items() if re.search(words, text)}
    return AdmittedSvg(
        data=text.encode(),
        dropped=tuple(cleaner.dropped.things),
        hard_features=tuple(sorted(features)),
        has_text=root.find(f".//{SVG}text") is not None,
    )


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
                _remove(element, child)
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
        elif name.startswith("on") or (name.startswith("{") and name != KEPT_SPACE):
            value = None
        elif name == "style":
            value = clean_style(value, self.dropped) if re.search(r"[\\(@/]", value) else value
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
            raw = unquote_to_bytes(found.group(3))
            data = base64.b64decode(raw, validate=False) if ";base64" in found.group(2).lower() else raw
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


def read_length(text: str) -> float | None:
    """Return a length of an SVG in pixels; None for what is none, or goes by the page."""
    found = LENGTH.fullmatch(text.strip())
    return float(found[1]) * PIXELS[found[2].lower()] if found else None


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _remove(parent: ElementTree.Element, child: ElementTree.Element) -> None:
    """Remove a child, but not the text behind it."""
    index = list(parent).index(child)
    if child.tail and index:
        parent[index - 1].tail = (parent[index - 1].tail or "") + child.tail
    elif child.tail:
        parent.text = (parent.text or "") + child.tail
    parent.remove(child)
