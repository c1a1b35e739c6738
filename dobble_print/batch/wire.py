"""What a worker says: lines of plain values with blocks of bytes, over a socket.

Invariant: nothing a worker sends is executed or unpickled; a worker may have met hostile pictures.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Sequence
from typing import Any

from dobble_print.batch.jobs import TaskResult as Delivery
from dobble_print.errors import ExitCode, Fault, Place

MOST_BYTES = 4 << 30
_LENGTH = struct.Struct(">Q")
_CHUNK = 1 << 20

Message = tuple[dict[str, Any], list[bytes]]


def send(talk: socket.socket, header: dict[str, Any], blocks: Sequence[bytes] = ()) -> None:
    """Send one message."""
    table = json.dumps({"header": header, "lengths": [len(block) for block in blocks]}).encode()
    talk.sendall(_LENGTH.pack(len(table)) + table)
    for block in blocks:
        talk.sendall(block)


def receive(talk: socket.socket) -> Message | None:
    """The next message, or None when the other side is gone; raises `TimeoutError` where the socket has a limit."""
    try:
        table = json.loads(_read(talk, _LENGTH.unpack(_read(talk, _LENGTH.size))[0]))
        blocks = [_read(talk, int(length)) for length in table["lengths"]]
        return dict(table["header"]), blocks
    except TimeoutError:
        raise
    except (EOFError, ConnectionError, ValueError, KeyError, TypeError):
        return None


def _read(talk: socket.socket, length: int) -> bytes:
    if not 0 <= length <= MOST_BYTES:
        raise ValueError("too long")
    data = bytearray(length)
    view, start = memoryview(data), 0
    while start < length:
        count = talk.recv_into(view[start : start + _CHUNK])
        if not count:
            raise EOFError
        start += count
    return bytes(data)


def pack_delivery(delivery: Delivery) -> Message:
    """A delivery as a message."""
    header = {
        "delivery": {
            "code": int(delivery.code),
            "names": list(delivery.files),
            "obsolete": list(delivery.obsolete),
            "report": delivery.report,
            "times": delivery.times,
            "log": list(delivery.log),
            "faults": [pack_fault(fault) for fault in delivery.faults],
        }
    }
    return header, list(delivery.files.values())


def unpack_delivery(message: Message) -> Delivery:
    """The delivery again."""
    plain, blocks = message[0]["delivery"], message[1]
    return Delivery(
        ExitCode(plain["code"]),
        dict(zip(plain["names"], blocks, strict=True)),
        tuple(plain["obsolete"]),
        plain["report"],
        plain["times"],
        tuple(plain["log"]),
        tuple(unpack_fault(each) for each in plain["faults"]),
    )


def pack_fault(fault: Fault) -> list[Any]:
    """A fault as plain values."""
    place = fault.place
    return [fault.what, fault.hint, [place.file, place.line, place.column] if place else None]


def unpack_fault(plain: list[Any]) -> Fault:
    """The fault again."""
    what, hint, place = plain
    return Fault(what, hint, Place(*place) if place else None)
