"""Packing: a small file may unpack to more than a computer holds; such a file is refused before anything is read.

Invariant: no stream is unpacked as a whole unless its size is known to be bearable.
"""

from __future__ import annotations

import zlib
from typing import Any

from pikepdf import Array, Pdf, Stream

from dobble_print.errors import Fault, UsageError

MOST_BYTES = 600_000_000
DENSEST = 1032  # deflate packs no better than this
STEP = 1 << 20
PACKERS = {"/FlateDecode", "/Fl", "/LZWDecode", "/LZW", "/RunLengthDecode", "/RL"}


def refuse_bombs(pdf: Pdf) -> None:
    """Raise where a stream is packed twice over or unpacks to more than any page needs."""
    for thing in pdf.objects:
        if isinstance(thing, Stream) and _is_bomb(thing):
            raise UsageError(
                Fault("the PDF unpacks to more than any printer needs", "Export it anew from its program.")
            )


def _is_bomb(stream: Any) -> bool:
    packed = stream.get("/Filter")
    names = [str(name) for name in packed] if isinstance(packed, Array) else [str(packed)]
    packers = [name for name in names if name in PACKERS]
    if len(packers) > 1:
        return True
    if not packers or int(stream.get("/Length", 0)) * DENSEST <= MOST_BYTES:
        return False
    return (
        packers[0] in ("/FlateDecode", "/Fl") and names[0] == packers[0] and _unpacks_to_more(stream.read_raw_bytes())
    )


def _unpacks_to_more(data: bytes) -> bool:
    """Unpack piece by piece, and stop when it is too much."""
    unpacker = zlib.decompressobj()
    total, rest = 0, data
    try:
        while rest and total <= MOST_BYTES and not unpacker.eof:
            total += len(unpacker.decompress(rest, STEP))
            rest = unpacker.unconsumed_tail
    except zlib.error:
        return False  # whoever reads it will say that it is damaged
    return total > MOST_BYTES
