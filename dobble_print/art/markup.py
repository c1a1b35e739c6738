"""XML from strangers: parsed under limits that hold while it is parsed, not afterwards.

Invariant: a tree that leaves here is an SVG drawing of bounded size and depth; it was made without reading anything
else, and without entities but plain words (Illustrator names its namespaces by them).
"""

from __future__ import annotations

import codecs
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

from dobble_print.art.references import SVG
from dobble_print.errors import ArtworkError, Fault

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

_EXPORT = 'Export it again as "plain SVG" or "SVG, presentation attributes".'


class _Tree(ElementTree.TreeBuilder):
    """Builds the tree and counts; what words stand for entities is counted as if it had been written out."""

    def __init__(self, most_letters: int) -> None:
        super().__init__()
        self.depth = self.elements = self.letters = 0
        self.most_letters = most_letters

    def start(self, tag: str, attrs: dict[str, str], /) -> ElementTree.Element:
        """An element begins."""
        self.depth += 1
        self.elements += 1
        self._count("".join(attrs.values()))
        if self.depth > MAX_DEPTH:
            raise ArtworkError(Fault(f"the drawing is nested deeper than {MAX_DEPTH} levels", "Simplify it."))
        if self.elements > MAX_ELEMENTS:
            raise ArtworkError(Fault(f"the drawing has more than {MAX_ELEMENTS} elements", "Simplify it."))
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> ElementTree.Element:
        """An element ends."""
        self.depth -= 1
        return super().end(tag)

    def data(self, data: str, /) -> None:
        """Text between elements."""
        self._count(data)
        super().data(data)

    def _count(self, text: str) -> None:
        self.letters += len(text)
        if self.letters > self.most_letters:
            raise ArtworkError(Fault("the drawing grows beyond all bounds while it is read", _EXPORT))


def load_encodings() -> None:
    """Make the encodings known that older drawing programs write; they are files, too."""
    for name in ENCODINGS:
        codecs.lookup(name)


def parse_markup(data: bytes) -> ElementTree.Element:
    """The tree of an SVG file; raises an `ArtworkError` for anything else."""
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
        """Lets entities pass that are plain words."""

        words = 0

        def defused_entity_decl(self, name: str, is_parameter: bool, value: str | None, *where: Any) -> None:
            """A definition of an entity; `where` names a file it would be read from."""
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
        raise ArtworkError(Fault("the drawing defines XML entities that are more than words", _EXPORT)) from None
    except OSError:  # the worker can open no more files, so an encoding it has not loaded is none
        raise ArtworkError(Fault("the drawing is not valid SVG (unknown encoding)", "Save it in UTF-8.")) from None
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ArtworkError(Fault(f"the drawing is not valid SVG ({error})", "Export it again as SVG.")) from None
    return root
