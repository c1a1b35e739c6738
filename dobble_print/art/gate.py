"""The gate for SVG from strangers: what passes refers to nothing outside itself and cannot blow up.

Invariant: after `admit_svg` no `href`, `url()` or `@import` leads out of the file, no script remains, embedded pictures
are small pixels of known kinds, and following every internal reference stays below a fixed amount of drawing.
"""

from __future__ import annotations

import base64
import binascii
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from dobble_print.art.pixels import open_picture
from dobble_print.errors import ArtworkError, Fault

MAX_BYTES = 8 << 20
MAX_DEPTH = 200
MAX_DRAWN = 200_000  # elements drawn after following every reference

SVG = "{http://www.w3.org/2000/svg}"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
FORBIDDEN_TAGS = {"script", "foreignObject", "iframe", "audio", "video", "handler", "listener"}
URL = re.compile(r"url\(\s*(['\"]?)(.*?)\1\s*\)", re.IGNORECASE | re.DOTALL)
IMPORT = re.compile(r"@import[^;]*;?", re.IGNORECASE)
INNER_REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")\s]+)")
DATA_PICTURE = re.compile(r"data:image/(png|jpe?g|webp|gif)((?:;[\w=-]+)*),(.*)", re.IGNORECASE | re.DOTALL)

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
    """A harmless drawing: its bytes, what had to be dropped, and which features want the careful renderer."""

    data: bytes
    dropped: tuple[str, ...]
    hard_features: tuple[str, ...]
    has_text: bool


def admit_svg(data: bytes) -> AdmittedSvg:
    """Parse, refuse bombs, drop everything that leads outside, and say what remains."""
    root = _parse(data)
    dropped: list[str] = []
    _clean(root, dropped, depth=0)
    _refuse_bombs(root)
    text = ElementTree.tostring(root, encoding="unicode")
    features = {name for tag, name in HARD_TAGS.items() if root.find(f".//{SVG}{tag}") is not None}
    features |= {name for words, name in HARD_WORDS.items() if re.search(words, text)}
    return AdmittedSvg(
        data=text.encode(),
        dropped=tuple(dict.fromkeys(dropped)),
        hard_features=tuple(sorted(features)),
        has_text=root.find(f".//{SVG}text") is not None,
    )


def _parse(data: bytes) -> ElementTree.Element:
    import defusedxml.ElementTree
    from defusedxml.common import DefusedXmlException

    if len(data) > MAX_BYTES:
        raise ArtworkError(Fault(f"the drawing is larger than {MAX_BYTES >> 20} MB", "Simplify it."))
    if data[:2] == b"\x1f\x8b":
        raise ArtworkError(Fault("the drawing is compressed (svgz)", "Unpack it, or save it as plain SVG."))
    try:
        root: ElementTree.Element = defusedxml.ElementTree.fromstring(data)
    except DefusedXmlException:
        raise ArtworkError(
            Fault(
                "the drawing defines XML entities", 'Export it again as "plain SVG" or "SVG, presentation attributes".'
            )
        ) from None
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ArtworkError(Fault(f"the drawing is not valid SVG ({error})", "Export it again as SVG.")) from None
    if root.tag == "svg":  # a drawing without the namespace declaration: browsers refuse it, people write it
        for element in root.iter():
            element.tag = SVG + element.tag if isinstance(element.tag, str) and "}" not in element.tag else element.tag
    if root.tag != f"{SVG}svg":
        raise ArtworkError(Fault("the file is no SVG drawing", "Export it again as SVG."))
    return root


def _clean(element: ElementTree.Element, dropped: list[str], depth: int) -> None:
    if depth > MAX_DEPTH:
        raise ArtworkError(Fault(f"the drawing is nested deeper than {MAX_DEPTH} levels", "Simplify it."))
    for name in list(element.attrib):
        _clean_attribute(element, name, dropped)
    if element.text and _local(element) == "style":
        element.text = _clean_css(element.text, dropped)
    for child in list(element):
        if not isinstance(child.tag, str) or _local(child) in FORBIDDEN_TAGS:
            if isinstance(child.tag, str):
                dropped.append(f"<{_local(child)}>")
            element.remove(child)
        else:
            _clean(child, dropped, depth + 1)


def _clean_attribute(element: ElementTree.Element, name: str, dropped: list[str]) -> None:
    value = element.attrib[name]
    if name in ("href", XLINK_HREF):
        kept = _clean_reference(_local(element), value.strip(), dropped)
    elif name.startswith("on") or name.endswith("}base"):
        kept = None
    else:
        kept = _clean_css(value, dropped) if "(" in value or "@" in value else value
    if kept is None:
        del element.attrib[name]
    else:
        element.attrib[name] = kept


def _clean_reference(tag: str, value: str, dropped: list[str]) -> str | None:
    if value.startswith("#"):
        return value
    picture = DATA_PICTURE.fullmatch(value)
    if tag == "image" and picture:
        return _check_embedded(value, picture)
    if tag != "a":  # a link on a drawing prints as nothing, so nobody misses it
        dropped.append(f"the reference to {value[:60]}")
    return None


def _check_embedded(value: str, picture: re.Match[str]) -> str:
    try:
        raw = unquote_to_bytes(picture.group(3))
        data = base64.b64decode(raw, validate=False) if ";base64" in picture.group(2) else raw
    except binascii.Error:
        raise ArtworkError(Fault("a picture embedded in the drawing is damaged", "Embed it again.")) from None
    open_picture(data)
    return value


def _clean_css(css: str, dropped: list[str]) -> str:
    def keep_inner(found: re.Match[str]) -> str:
        if found.group(2).strip().startswith("#"):
            return found.group(0)
        dropped.append(f"the reference to {found.group(2).strip()[:60]}")
        return "none"

    if IMPORT.search(css):
        dropped.append("@import")
    return URL.sub(keep_inner, IMPORT.sub("", css))


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _references(element: ElementTree.Element) -> Iterator[str]:
    """The ids an element draws again: by `<use>` and friends, and by url(#…) in its attributes."""
    for name, value in element.attrib.items():
        if name in ("href", XLINK_HREF) and value.startswith("#"):
            yield value[1:]
        elif "url(" in value:
            yield from INNER_REFERENCE.findall(value)


def _refuse_bombs(root: ElementTree.Element) -> None:
    """Count the elements drawn when every reference is followed; a circle or too many of them is a bomb."""
    by_id = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
    known: dict[ElementTree.Element, int] = {}
    open_now: set[ElementTree.Element] = set()

    def count(element: ElementTree.Element) -> int:
        if element in known:
            return known[element]
        if element in open_now or len(open_now) > MAX_DEPTH * 2:
            raise ArtworkError(Fault("the drawing refers to itself in a circle", "Export it again as plain SVG."))
        open_now.add(element)
        targets = [by_id[name] for name in _references(element) if name in by_id]
        known[element] = 1 + sum(map(count, element)) + sum(map(count, targets))
        open_now.discard(element)
        if known[element] > MAX_DRAWN:
            raise ArtworkError(Fault(f"the drawing repeats itself more than {MAX_DRAWN} times", "Simplify it."))
        return known[element]

    count(root)
