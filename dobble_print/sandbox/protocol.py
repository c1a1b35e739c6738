"""What travels between the program and its workers: a header of plain values, and blocks of bytes.

Invariant: nothing that a worker says is executed or unpickled, and its size is known before it is read; the worker may
have met hostile files.
"""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Sequence
from typing import Any, BinaryIO

MOST_BYTES = 4 << 30  # of a block: the files of a job
_LENGTH = struct.Struct(">Q")

Message = tuple[dict[str, Any], list[bytes]]


def send(stream: BinaryIO, header: dict[str, Any], blocks: Sequence[bytes] = ()) -> None:
    """Write one message."""
    table = json.dumps({"header": header, "lengths": [len(block) for block in blocks]}).encode()
    for part in (_LENGTH.pack(len(table)), table, *blocks):
        stream.write(part)
    stream.flush()


def receive(stream: BinaryIO, most_bytes: int = MOST_BYTES) -> Message | None:
    """Read one message; return None when the other side is gone or talks nonsense."""
    try:
        (length,) = _LENGTH.unpack(_read(stream, _LENGTH.size, most_bytes))
        table = json.loads(_read(stream, length, most_bytes))
        blocks = [_read(stream, int(length), most_bytes) for length in table["lengths"]]
        return dict(table["header"]), blocks
    except (EOFError, ConnectionError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _read(stream: BinaryIO, length: int, most_bytes: int) -> bytes:
    if not 0 <= length <= most_bytes:
        raise ValueError("too long")
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


def pack(header: dict[str, Any], blocks: Sequence[bytes] = ()) -> bytes:
    """Return a message as bytes, to be kept."""
    stream = io.BytesIO()
    send(stream, header, blocks)
    return stream.getvalue()


def unpack(data: bytes) -> Message:
    """Return the message that `pack` made; raises `ValueError`."""
    message = receive(io.BytesIO(data))
    if message is None:
        raise ValueError("no message")
    return message
