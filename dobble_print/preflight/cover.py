"""Cover: where a rendered page has paint, whatever its colour (white on white paper is paint too), and how dark it is.

Invariant: a page is rendered over nothing at all, so that the opacity left in the picture is what the page painted.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt
from pikepdf import Array, Stream
from PIL import Image, ImageDraw

from dobble_print.pdf.images import thin_images
from dobble_print.preflight.boxes import Box, order_box
from dobble_print.preflight.survey import Sheet

DPI = 150
MOST_PIXELS = 24_000_000  # larger pages are rendered more coarsely
KEPT = 4  # rendered pages held at a time; a picture of a large sheet takes 20 MB while it is made
HALF = 128  # an edge pixel counts as painted when most of it is

Points = npt.NDArray[np.float64]


class Cover:
    """The opacity of a rendered page, asked in the page's own coordinates."""

    def __init__(self, opacity: npt.NDArray[np.uint8], tone: npt.NDArray[np.uint8], box: Box, turn_deg: int) -> None:
        self.opacity, self.tone, self.box, self.turn_deg = opacity, tone, box, turn_deg

    def is_painted(self, points: Points) -> npt.NDArray[np.bool_]:
        """For each point whether paint lies there; beyond the page nothing does.

        Between the middles of pixels the opacity is mixed: so an edge is found to a fraction of a pixel.
        """
        height, width = self.opacity.shape
        pixels = self.to_pixels(points)
        inside = ((pixels >= 0) & (pixels < (width, height))).all(axis=1)
        corner = np.floor(pixels - 0.5).astype(int)
        share = pixels - 0.5 - corner
        opacity = np.zeros(len(pixels))
        for right, down in ((0, 0), (1, 0), (0, 1), (1, 1)):
            x, y = np.clip(corner[:, 0] + right, 0, width - 1), np.clip(corner[:, 1] + down, 0, height - 1)
            weight = np.abs(1 - right - share[:, 0]) * np.abs(1 - down - share[:, 1])
            opacity += weight * self.opacity[y, x]
        return np.asarray(inside & (opacity >= HALF))

    def read_tone(self, points: Points) -> npt.NDArray[np.uint8]:
        """For each point the darkest of the three colours of light there: 255 is white, as bare paper is."""
        height, width = self.tone.shape
        pixels = np.floor(self.to_pixels(points)).astype(int)
        inside = ((pixels >= 0) & (pixels < (width, height))).all(axis=1)
        x, y = np.clip(pixels[:, 0], 0, width - 1), np.clip(pixels[:, 1], 0, height - 1)
        return np.where(inside & (self.opacity[y, x] >= HALF), self.tone[y, x], 255).astype(np.uint8)

    def measure_share(self, outline: Points) -> float:
        """How much of the area inside an outline is painted."""
        pixels = self.to_pixels(outline)
        left, top = (max(int(value), 0) for value in pixels.min(axis=0))
        part = self.opacity[top : int(pixels[:, 1].max()) + 1, left : int(pixels[:, 0].max()) + 1]
        if not part.size:
            return 0.0
        mask = Image.new("1", (part.shape[1], part.shape[0]))
        ImageDraw.Draw(mask).polygon([(x - left, y - top) for x, y in pixels.tolist()], fill=1)
        chosen = part[np.asarray(mask)]
        return float(chosen.mean()) / 255 if chosen.size else 0.0

    def to_pixels(self, points: Points) -> Points:
        """Points of the page as places in the picture, its top left corner first."""
        x0, y0, x1, y1 = self.box
        right, down = points[:, 0] - x0, y1 - points[:, 1]
        wide, high = x1 - x0, y1 - y0
        turned = {
            0: (right, down, wide),
            90: (high - down, right, high),
            180: (wide - right, high - down, wide),
            270: (down, wide - right, high),
        }
        x, y, across = turned[self.turn_deg]
        return np.asarray(np.column_stack((x, y)) * (self.opacity.shape[1] / across))


class Renderer:
    """Renders pages of a file, equal ones once."""

    def __init__(self, data: bytes) -> None:
        import pypdfium2

        self._document = pypdfium2.PdfDocument(thin_images(data))
        self._known: dict[Hashable, Cover] = {}

    def close(self) -> None:
        """Let go of the file."""
        self._document.close()

    def render(self, sheet: Sheet) -> Cover:
        """The cover of a page; the backs of a deck are mostly the same page again and again."""
        key = _identify(sheet)
        if key not in self._known:
            box, turn = _visible_box(sheet), int(sheet.page.obj.get("/Rotate", 0)) % 360
            if len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            self._known[key] = Cover(*self._draw(sheet.number - 1), box, turn)
        return self._known[key]

    def _draw(self, index: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        from pypdfium2 import raw

        page = self._document[index]
        wide, high = page.get_size()
        scale = min(DPI / 72, (MOST_PIXELS / (wide * high)) ** 0.5)
        bitmap = page.render(scale=scale, fill_color=(0, 0, 0, 0), force_bitmap_format=raw.FPDFBitmap_BGRA)
        blue, green, red, alpha = np.moveaxis(bitmap.to_numpy(), -1, 0)
        return alpha.copy(), np.minimum(np.minimum(blue, green), red)  # far quicker than the least along an axis of 3


def _visible_box(sheet: Sheet) -> Box:
    """What a renderer shows of a page: its crop box as far as there is paper."""
    media, crop = order_box(sheet.page.mediabox), order_box(sheet.page.cropbox)
    inner = [*map(max, media[:2], crop[:2]), *map(min, media[2:], crop[2:])]
    left, bottom, right, top = (value * sheet.unit_pt for value in inner)
    return left, bottom, right, top


def _identify(sheet: Sheet) -> Hashable:
    """Pages with equal boxes, resources and content look the same."""
    page: Any = sheet.page
    if "/Annots" in page.obj:
        return sheet.number
    content = page.obj.get("/Contents")
    parts = list(content) if isinstance(content, Array) else [content]
    text = tuple(part.read_raw_bytes() for part in parts if isinstance(part, Stream))
    resources = page.obj.get("/Resources")
    known = None if resources is None else resources.unparse()
    turn = int(page.obj.get("/Rotate", 0))
    return text, known, _visible_box(sheet), turn, sheet.unit_pt
