"""Transparency: where a PDF uses it.

Invariant: what merely allows for transparency (opacity 1, the normal blend mode, an empty mask) is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from pikepdf import Dictionary, Name, Object, Pdf

from dobble_print.pdf.document import walk_dictionaries

OPACITIES = ("/ca", "/CA")


def find_transparency(pdf: Pdf, groups: bool) -> list[str]:
    """What is transparent, in words, each kind once; with `groups`, also groups around opaque art."""
    found = [what for thing in walk_dictionaries(pdf) for what in _transparency_in(thing, groups)]
    return list(dict.fromkeys(found))


def _transparency_in(thing: Object, groups: bool) -> Iterator[str]:
    mask = thing.get(Name.SMask)
    if mask is not None and mask != Name("/None"):
        yield "a soft mask"
    group = thing.get(Name.Group)
    if groups and isinstance(group, Dictionary) and group.get(Name.S) == Name.Transparency:
        yield "a transparency group"
    if thing.get(Name.Type, Name.ExtGState) == Name.ExtGState:  # cairo's states have no type
        if any(float(thing.get(key, 1)) != 1 for key in OPACITIES):
            yield "something translucent"
        if thing.get(Name.BM, Name.Normal) not in (Name.Normal, Name.Compatible):
            yield "a blend mode"
