"""Untrusted pictures, opened in a worker that is ended when it takes too much; one warm worker serves a whole build.

Invariant: whatever a picture does to the libraries that open it (hang, crash, fill the memory), the program meets an
`ArtworkError`; and all pictures of a theme together keep to one budget, those that succeed as well. While a picture is
open, its process can open no file and no connection, unless letters need fonts of the program.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np
from PIL import Image

from dobble_print.art.raster import (
    MAX_PIXELS,
    READING_SECONDS_PER_MEGAPIXEL,
    can_read_without_files,
    load_decoders,
    read_pixels,
)
from dobble_print.art.silhouette import Mask
from dobble_print.art.svg.limits import load_encodings
from dobble_print.art.svg.render import OpenedDrawing, load_renderers, open_drawing, render_svg
from dobble_print.errors import ArtworkError, Fault
from dobble_print.sandbox.limits import End, Limits, find_granted
from dobble_print.sandbox.pool import TaskFailed, WarmWorker
from dobble_print.sandbox.protocol import Message

THEME_SECONDS = 2.5  # of processor time for all pictures of a theme, beyond what each may take for its size
SECONDS = 1.25  # of them for one picture; ordinary ones take a hundredth of that
OWN_SECONDS = 0.05  # for any picture
SECONDS_PER_MB = {"open": 2.0, "render": 0.5, "decode": 0.3}  # a large file may be honest work
SECONDS_PER_MEGAPIXEL = 0.15  # and so may a large rendering
MOST_GRANTED_SECONDS = MAX_PIXELS * READING_SECONDS_PER_MEGAPIXEL / 1e6  # and a picture of many pixels in few bytes
THEME_BYTES = 1 << 30  # of pixels that the pictures of a theme become, and so many times what their files hold
FILE_FOLD = 6
MEMORY_BYTES = 320 << 20  # beyond what the process has when it starts; 60 million pixels take 240 MB
PHONE_MEMORY_BYTES = 440 << 20  # the library for photos of phones holds the pixels twice
BYTES_PER_PIXEL = 16  # of a rendering, for the layers of its filters

ENDS: Mapping[End, Fault] = {
    "slow": Fault("the picture takes too long to draw", "Simplify it, or save it as PNG."),
    "late": Fault("the picture was not drawn in time: this computer is too busy", "Try again when it has less to do."),
    "large": Fault("the picture needs too much memory", "Simplify it, or shrink it."),
    "crash": Fault("the picture breaks the library that reads it", "Save or export it again."),
    "error": Fault("the picture cannot be read ({1})", "Save or export it again."),
}
WORKER = WarmWorker("dobble_print.art.guarded:load_libraries")

_lock = threading.Lock()


class BudgetSpent(ArtworkError):
    """The pictures of a theme have taken all that a theme may take; no more are opened."""


class Budget:
    """What the pictures of one theme may still take together, those that succeed as well as those that fail."""

    def __init__(self) -> None:
        self.seconds, self.bytes = THEME_SECONDS, THEME_BYTES

    def start(self) -> None:
        """Begin with another theme."""
        self.__init__()  # type: ignore[misc]

    def spend(self, seconds: float, held_bytes: int) -> None:
        """Take from it what a picture took beyond what it may for its size."""
        self.seconds -= max(0.0, seconds)
        self.bytes -= max(0, held_bytes)

    def refuse_when_spent(self) -> None:
        """Raise `BudgetSpent` when nothing is left."""
        if self.seconds <= 0.0:
            what = "the pictures of the theme take too long to open, all together"
            raise BudgetSpent(Fault(what, "Simplify the drawings, or save them as PNG."))
        if self.bytes <= 0:
            raise BudgetSpent(Fault("the pictures of the theme take too much memory, all together", "Shrink them."))


BUDGET = Budget()


def open_guarded(data: bytes, removes_page: bool = False) -> OpenedDrawing:
    """Open an untrusted drawing as `open_drawing` does, and have it compared."""
    values, (svg, pdf, alpha) = _ask("open", data, {"removes_page": removes_page})
    grid, (width, height), (across, down) = values["grid"], values["box"], values["pixel"]
    mask = Mask(np.frombuffer(alpha, np.uint8).reshape(grid), width, height, (across, down))
    warnings = tuple(Fault(what, hint) for what, hint in values["warnings"])
    return OpenedDrawing(svg, pdf or None, mask, tuple(values["notes"]), warnings)


def render_guarded(svg: bytes, longer_side_px: int) -> Image.Image:
    """Render an untrusted drawing that was admitted already as `render_svg` does."""
    return _unpack_picture(_ask("render", svg, {"longer_side_px": longer_side_px}))


def read_pixels_guarded(data: bytes, **options: Any) -> Image.Image:
    """Read an untrusted picture as `read_pixels` does."""
    return _unpack_picture(_ask("decode", data, options))


def _unpack_picture(message: Message) -> Image.Image:
    values, (pixels,) = message
    picture = Image.frombytes("RGBA", (values["size"][0], values["size"][1]), pixels)
    picture.info["bare_inks"] = values["bare_inks"]
    return picture


def _ask(job: str, data: bytes, options: dict[str, Any]) -> Message:
    """Do one picture's work in the worker."""
    longer_side_px = options.get("longer_side_px", 0)
    with _lock:
        BUDGET.refuse_when_spent()
        own = _allow_seconds(job, len(data), longer_side_px)
        memory = PHONE_MEMORY_BYTES if data[4:8] == b"ftyp" else MEMORY_BYTES
        memory += BYTES_PER_PIXEL * longer_side_px**2
        more = MOST_GRANTED_SECONDS if job == "decode" else 0.0
        limits = Limits(min(SECONDS, BUDGET.seconds) + own, memory, not can_read_without_files(data), more_seconds=more)
        try:
            answer = WORKER.run("dobble_print.art.guarded:open_in_worker", (job, data, options), limits)
        except TaskFailed as failure:
            BUDGET.spend(WORKER.cpu_s - own, 0)
            raise ArtworkError(*failure.describe(ENDS)) from None
        values, blocks = answer
        granted = min(float(values["granted_s"]), more)
        BUDGET.spend(WORKER.cpu_s - own - granted, sum(map(len, blocks)) - FILE_FOLD * len(data))
        return answer


def _allow_seconds(job: str, size: int, longer_side_px: int) -> float:
    """Return what a picture may take for its size: what large ones need they always get, because they may be honest."""
    return OWN_SECONDS + SECONDS_PER_MB[job] * size / 1e6 + SECONDS_PER_MEGAPIXEL * longer_side_px**2 / 1e6


def load_libraries() -> None:
    """Import whatever a picture may need, because later no file can be opened."""
    load_encodings()
    load_renderers()
    load_decoders()


def open_in_worker(job: str, data: bytes, options: dict[str, Any]) -> Message:
    """Do one picture's work; this runs in the worker."""
    if job != "open":
        picture = read_pixels(data, **options) if job == "decode" else render_svg(data, **options)
        bare_inks = picture.info.get("bare_inks", False)
        return {"size": picture.size, "granted_s": find_granted(), "bare_inks": bare_inks}, [picture.tobytes()]
    opened = open_drawing(data, is_compared=True, **options)
    mask = opened.mask
    values = {
        "notes": opened.notes,
        "warnings": [(fault.what, fault.hint) for fault in opened.warnings],
        "grid": mask.alpha.shape,
        "box": (mask.width, mask.height),
        "pixel": mask.pixel,
        "granted_s": 0.0,
    }
    return values, [opened.svg, opened.pdf or b"", mask.alpha.tobytes()]
