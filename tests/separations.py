"""Reading colours back from a PDF: which device colours every content stream, picture and gradient uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

SCREEN = {"/DeviceRGB", "/CalRGB", "/RGB"}
SCREEN_OPERATORS = {"rg", "RG"}


def find_screen_colors(pdf: Pdf) -> list[str]:
    """Where red, green and blue are left in a document; empty after a good separation.

    Streams are recognised by what they are, not by how they are reached, so that nothing hides from the walk.
    """
    found = []
    for number, page in enumerate(pdf.pages, start=1):
        found += [f"page {number}: {operator}" for operator in _screen_operators(page)]
    for thing in pdf.objects:
        if isinstance(thing, Stream):
            if _is_content(thing):
                found += [f"stream {thing.objgen[0]}: {operator}" for operator in _screen_operators(thing)]
            found += [f"stream {thing.objgen[0]}: {name}" for name in _screen_names(thing.stream_dict)]
        elif isinstance(thing, Dictionary | Array):
            found += [f"object {thing.objgen[0]}: {name}" for name in _screen_names(thing)]
    return found


def _is_content(stream: Object) -> bool:
    return stream.get(Name.Subtype) == Name.Form or Name.PaintType in stream


def _screen_operators(content: Any) -> list[str]:
    return [
        str(step.operator)
        for step in pikepdf.parse_content_stream(content)
        if str(step.operator) in SCREEN_OPERATORS or any(str(value) in SCREEN for value in step.operands)
    ]


def _screen_names(thing: Any) -> Iterator[str]:
    """Names of screen colour spaces in an object, and profiles of three channels, down to the next indirect object."""
    if isinstance(thing, Array) and len(thing) > 1 and thing[0] == Name.ICCBased and int(thing[1].N) == 3:
        yield "/ICCBased"
    values = thing.values() if isinstance(thing, Dictionary) else thing
    for value in values:
        if isinstance(value, Name) and str(value) in SCREEN:
            yield str(value)
        elif isinstance(value, Dictionary | Array) and not value.is_indirect:
            yield from _screen_names(value)
