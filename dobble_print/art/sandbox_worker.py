"""The inside of the sandbox: a process that opens strangers' pictures and can be ended at any moment.

Invariant: while a picture is open, the process can open no file and no connection (unless letters need the system's
fonts), write no file, and use only so much memory and processor time; where the system knows no such limits, the
program outside still ends it by the clock.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from PIL import Image

from dobble_print.art.raster import can_read_without_files, load_decoders, read_pixels
from dobble_print.art.sandbox_wire import receive, send
from dobble_print.art.svg.limits import load_encodings
from dobble_print.art.svg.render import load_renderers, open_drawing, render_svg
from dobble_print.art.svg.sanitizer import admit_svg
from dobble_print.errors import ArtworkError, Fault
from dobble_print.sandbox.limits import limit_job, limit_process, silence_streams

MEMORY_BYTES = 320 << 20  # beyond what the process has when it starts; 60 million pixels take 240 MB
BYTES_PER_PIXEL = 16  # of a rendering, for the layers of its filters

Answer = tuple[dict[str, Any], list[bytes]]


def load_libraries() -> None:
    """Import whatever a picture may need, because later no file can be opened."""
    load_encodings()
    load_renderers()
    load_decoders()


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer one request after the other until the program is gone."""
    limit_process()
    while (message := receive(requests)) is not None:
        header, blocks = message
        send(answers, *_answer(header, blocks))


def _answer(header: dict[str, Any], blocks: list[bytes]) -> Answer:
    try:
        memory = MEMORY_BYTES + BYTES_PER_PIXEL * header["options"].get("longer_side_px", 0) ** 2
        with limit_job(header["seconds"], memory, needs_files=not can_read_without_files(blocks[0])):
            return JOBS[header["job"]](blocks[0], **header["options"])
    except ArtworkError as error:
        return {"faults": [(fault.what, fault.hint) for fault in error.faults]}, []
    except MemoryError:
        return {"memory": True}, []
    except Exception as error:  # a picture may break a library in any way; the user must mend the picture
        fault = Fault(f"the picture cannot be read ({error})", "Save or export it again.")
        return {"faults": [(fault.what, fault.hint)]}, []


def _open(data: bytes) -> Answer:
    opened = open_drawing(data)
    svg, alpha = opened.svg, opened.mask.alpha
    header = {
        "dropped": svg.dropped,
        "hard_features": svg.hard_features,
        "has_text": svg.has_text,
        "is_vector": opened.pdf is not None,
        "grid": alpha.shape,
        "mask_height": opened.mask.height,
        "pixel": opened.mask.pixel,
        "size": (opened.width, opened.height),
    }
    return header, [svg.data, opened.pdf or b"", alpha.tobytes()]


def _render(data: bytes, longer_side_px: int) -> Answer:
    return _pack_picture(render_svg(data, longer_side_px))


def _sketch(data: bytes, longer_side_px: int) -> Answer:
    return _pack_picture(render_svg(admit_svg(data).data, longer_side_px))


def _decode(data: bytes, **options: Any) -> Answer:
    return _pack_picture(read_pixels(data, **options))


def _pack_picture(picture: Image.Image) -> Answer:
    return {"size": picture.size}, [picture.tobytes()]


JOBS: dict[str, Callable[..., Answer]] = {"open": _open, "render": _render, "sketch": _sketch, "decode": _decode}


def main() -> None:
    """A sandbox that was started as a program of its own; its messages go through the standard streams."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    silence_streams()
    load_libraries()
    send(answers, {"ready": True})
    serve(requests, answers)


if __name__ == "__main__":
    main()
