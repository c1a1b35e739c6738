"""Untrusted pictures, opened in a worker that is ended when it takes too much; one warm worker serves a whole build.

Invariant: whatever a picture does to the libraries that open it (hang, crash, fill the memory), the program meets an
`ArtworkError`. While it is open, its process can open no file and no connection, unless letters need fonts of the
system.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from PIL import Image

from dobble_print.art.raster import can_read_without_files, load_decoders, read_pixels
from dobble_print.art.silhouette import Mask
from dobble_print.art.svg.limits import load_encodings
from dobble_print.art.svg.render import OpenedDrawing, load_renderers, open_drawing, render_svg
from dobble_print.art.svg.sanitizer import AdmittedSvg
from dobble_print.errors import ArtworkError, Fault
from dobble_print.sandbox.limits import End, Limits
from dobble_print.sandbox.pool import TaskFailed, WarmWorker
from dobble_print.sandbox.protocol import Message

SECONDS = 2.0  # of processor time for a small picture; ordinary ones take a hundredth of that
SECONDS_PER_MB = 2.0  # a large file may be honest work
SECONDS_PER_MEGAPIXEL = 0.5  # and so may a large rendering
LOST_SECONDS = 4.0  # on pictures that came to nothing; the more is lost, the less time the next one gets
WON_BACK = 0.1  # of the time of a picture that opens, so that a program that runs for days forgets its losses
LEAST_SECONDS = 0.1  # but never less than honest small drawings need
LEAST_PIXEL_SECONDS = 1.0  # nor than a scan of few bytes and many pixels
MEMORY_BYTES = 320 << 20  # beyond what the process has when it starts; 60 million pixels take 240 MB
BYTES_PER_PIXEL = 16  # of a rendering, for the layers of its filters

ENDS: Mapping[End, Fault] = {
    "slow": Fault("the picture takes too long to draw", "Simplify it, or save it as PNG."),
    "large": Fault("the picture needs too much memory", "Simplify it, or shrink it."),
    "crash": Fault("the picture breaks the library that reads it", "Save or export it again."),
    "error": Fault("the picture cannot be read ({1})", "Save or export it again."),
}
WORKER = WarmWorker("dobble_print.art.guarded:load_libraries")

_lost = 0.0  # seconds spent on pictures that came to nothing: a theme full of them must not take for ever
_lock = threading.Lock()


def open_guarded(data: bytes) -> OpenedDrawing:
    """Open an untrusted drawing as `open_drawing` does."""
    values, (svg, pdf, alpha) = _ask("open", data, {})
    admitted = AdmittedSvg(svg, tuple(values["dropped"]), tuple(values["hard_features"]), values["has_text"])
    grid, (width, height), (across, down) = values["grid"], values["box"], values["pixel"]
    mask = Mask(np.frombuffer(alpha, np.uint8).reshape(grid), width, height, (across, down))
    return OpenedDrawing(admitted, pdf or None, mask)


def render_guarded(svg: bytes, longer_side_px: int) -> Image.Image:
    """Render an untrusted drawing that was admitted already as `render_svg` does."""
    return _unpack_picture(_ask("render", svg, {"longer_side_px": longer_side_px}))


def read_pixels_guarded(data: bytes, **options: Any) -> Image.Image:
    """Read an untrusted picture as `read_pixels` does."""
    return _unpack_picture(_ask("decode", data, options))


def _unpack_picture(message: Message) -> Image.Image:
    values, (pixels,) = message
    return Image.frombytes("RGBA", (values["size"][0], values["size"][1]), pixels)


def _ask(job: str, data: bytes, options: dict[str, Any]) -> Message:
    """Do one picture's work in the worker."""
    global _lost
    longer_side_px = options.get("longer_side_px", 0)
    with _lock:
        seconds = _grant_seconds(job, len(data), longer_side_px)
        memory = MEMORY_BYTES + BYTES_PER_PIXEL * longer_side_px**2
        limits = Limits(seconds, memory, may_open_files=not can_read_without_files(data))
        start = time.monotonic()
        try:
            answer = WORKER.run("dobble_print.art.guarded:open_in_worker", (job, data, options), limits)
        except TaskFailed as failure:
            _lost = min(LOST_SECONDS, _lost + min(seconds, time.monotonic() - start))
            raise ArtworkError(*failure.describe(ENDS)) from None
        _lost = max(0.0, _lost - WON_BACK * (time.monotonic() - start))  # harmless pictures buy slow ones hardly any
        return answer


def _grant_seconds(job: str, size: int, longer_side_px: int) -> float:
    """Return the time for a picture; what large ones need they always get, because they may be honest."""
    least = LEAST_PIXEL_SECONDS if job == "decode" else LEAST_SECONDS
    patience = max(least, SECONDS * (1 - _lost / LOST_SECONDS))
    return patience + SECONDS_PER_MB * size / 1e6 + SECONDS_PER_MEGAPIXEL * longer_side_px**2 / 1e6


def load_libraries() -> None:
    """Import whatever a picture may need, because later no file can be opened."""
    load_encodings()
    load_renderers()
    load_decoders()


def open_in_worker(job: str, data: bytes, options: dict[str, Any]) -> Message:
    """Do one picture's work; this runs in the worker."""
    if job != "open":
        picture = read_pixels(data, **options) if job == "decode" else render_svg(data, **options)
        return {"size": picture.size}, [picture.tobytes()]
    opened = open_drawing(data)
    svg, mask = opened.svg, opened.mask
    values = {
        "dropped": svg.dropped,
        "hard_features": svg.hard_features,
        "has_text": svg.has_text,
        "grid": mask.alpha.shape,
        "box": (mask.width, mask.height),
        "pixel": mask.pixel,
    }
    return values, [svg.data, opened.pdf or b"", mask.alpha.tobytes()]
