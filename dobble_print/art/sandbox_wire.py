"""What travels between the program and its sandbox: a small table of plain values, and blocks of bytes.

Invariant: nothing that is read from a pipe is ever executed or unpickled, and its size is known before it is read.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import Any, BinaryIO

MOST_BYTES = 256 << 20  # a photo that fills a back, in pixels, many times over

_LENGTH = struct.Struct(">Q")

Message = tuple[dict[str, Any], list[bytes]]


def send(stream: BinaryIO, header: dict[str, Any], blocks: Sequence[bytes] = ()) -> None:
    """Write one message."""
    table = json.dumps({"header": header, "lengths": [len(block) for block in blocks]}).encode()
    for part in (_LENGTH.pack(len(table)), table, *blocks):
        stream.write(part)
    stream.flush()


def receive(stream: BinaryIO) -> Message | None:
    """Read one message; None when the other side is gone or talks nonsense."""
    prefix = stream.read(_LENGTH.size)
    if len(prefix) < _LENGTH.size:
        return None
    try:
        table = json.loads(_read(stream, _LENGTH.unpack(prefix)[0]))
        blocks = [_read(stream, int(length)) for length in table["lengths"]]
        return dict(table["header"]), blocks
    except (EOFError, ValueError, KeyError, TypeError):
        return None


def _read(stream: BinaryIO, length: int) -> bytes:
    if not 0 <= length <= MOST_BYTES:
        raise ValueError("too long")
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data
