"""Operators of a content stream, read quickly: the plain streams that print programs write need no full parser.

Invariant: a stream is read here in full or not at all; whatever is not plain (comments, inline images, nested arrays
or strings) goes to pikepdf's parser, which knows everything, and both give the same operators with the same operands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pikepdf
from pikepdf import Array, Name, Object, Page

_STRING = rb"\((?:[^()\\]|\\.)*\)"
_TOKEN = re.compile(
    rb"[\s\0]*(?:"
    rb"([-+]?(?:\d+\.?\d*|\.\d+)(?=[\s/\[(<]|\Z))"  # a number
    rb"|/([A-Za-z0-9_.+-]+)"  # a name without escapes
    rb"|([A-Za-z'\"][A-Za-z0-9*]*(?=[\s/\[(<]|\Z))"  # an operator
    rb"|(<<(?:[^<>()]|" + _STRING + rb")*>>|\[(?:[^\[\]<>()]|" + _STRING + rb")*\]|" + _STRING + rb"|<[0-9A-Fa-f\s]*>)"
    rb"|(\S))",  # anything else
    re.DOTALL,
)
_MARK = re.compile(rb"(?<=[\s]BDC)(?=\s)|(?<=[\s]EMC)(?=\s)")  # ends a piece of a sheet
NOT_PLAIN = {b"BI", b"true", b"false", b"null"}

Operator = tuple[str, Any]


class Operators:
    """The operators of streams; sheets repeat themselves, so a piece between two marks is read once in a file."""

    def __init__(self) -> None:
        self._known: dict[bytes, list[Operator]] = {}
        self._names: dict[bytes, Any] = {}

    def read(self, content: Any) -> Iterable[Operator]:
        """Every operator of a page or a form, with its operands."""
        plain = self._read_plain(_read_bytes(content))
        if plain is not None:
            return plain
        return ((str(each.operator), each.operands) for each in pikepdf.parse_content_stream(content))

    def _read_plain(self, data: bytes) -> list[Operator] | None:
        """All operators, or None where something is more than plain.

        A cut through a string leaves a bracket without its partner, and that is not plain.
        """
        found: list[Operator] = []
        for piece in _MARK.split(data):
            read = self._known.get(piece) or self._read_piece(piece)
            if read is None:
                return None
            self._known[piece] = read
            found += read
        return found

    def _read_piece(self, data: bytes) -> list[Operator] | None:
        found: list[Operator] = []
        operands: list[Any] = []
        for number, name, operator, packed, other in _TOKEN.findall(data):
            if number:
                operands.append(float(number))
            elif operator:
                if operator in NOT_PLAIN:
                    return None
                found.append((operator.decode(), operands))
                operands = []
            elif name:
                operands.append(self._names.get(name) or self._names.setdefault(name, Name("/" + name.decode())))
            elif packed:
                operands.append(Object.parse(packed))
            elif other:
                return None
        return None if operands else found


def _read_bytes(content: Any) -> bytes:
    if not isinstance(content, Page):
        return bytes(content.read_bytes())
    streams = content.obj.get("/Contents", Array())
    return b"\n".join(each.read_bytes() for each in (streams if isinstance(streams, Array) else [streams]))
