"""Render pages and single forms of a PDF to pixels."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import numpy.typing as npt
from pikepdf import Array, Dictionary, Name, Page, Pdf

from dobble_print.pdf.document import delete_keys

BULKY = ("/Names", "/Outlines", "/StructTreeRoot")
Picture = npt.NDArray[np.uint8]
Color = tuple[int, int, int, int]  # red, green, blue, opacity; 255 at most
WHITE: Color = (255, 255, 255, 255)
CLEAR: Color = (0, 0, 0, 0)


class Rasterizer(AbstractContextManager["Rasterizer"]):
    """A PDF whose pages are turned into bitmaps, one at a time."""

    def __init__(self, data: bytes, draws_fields: bool = False) -> None:
        import pypdfium2

        self._document = pypdfium2.PdfDocument(data)
        if draws_fields and self._document.get_formtype():
            self._document.init_forms()

    def __exit__(self, *_: object) -> None:
        self._document.close()

    def count(self) -> int:
        """Return how many pages there are."""
        return len(self._document)

    def measure(self, index: int) -> tuple[float, float]:
        """Return width and height of a page in its units."""
        wide, high = self._document.get_page_size(index)  # which need not read the content
        return wide, high

    def draw(self, index: int, scale: float, ground: Color = WHITE, has_alpha: bool = False, **how: Any) -> Any:
        """Return the bitmap of a page on a ground; a ground that is not opaque gives one with opacity."""
        from pypdfium2 import raw

        if has_alpha:
            how["force_bitmap_format"] = raw.FPDFBitmap_BGRA
        page = self._document[index]
        try:
            return page.render(scale=scale, fill_color=ground, **how)
        finally:
            page.close()


class PageRenderer:
    """An opened file whose pages have been taken out; pages to be rendered take their place."""

    def __init__(self, pdf: Pdf) -> None:
        self.pdf = pdf
        self.own = list(pdf.pages)
        self._waiting: list[tuple[Page, float, bool]] = []  # with pixels a point, and whether opacity is wanted
        delete_keys(pdf.Root, *BULKY)

    def add_own_page(self, number: int, scale: float) -> None:
        """Add one of the file's pages as it is, all of its paper, unturned."""
        page = self.own[number - 1]
        box = Array(list(page.mediabox))
        delete_keys(page.obj, "/UserUnit")
        page.obj.MediaBox, page.obj.CropBox, page.obj.Rotate = box, box, 0
        self._waiting.append((page, scale, False))

    def add_drawn_page(
        self, box: Iterable[float], content: str, things: Mapping[str, Any], scale: float, has_alpha: bool = False
    ) -> None:
        """Add a page that draws those things."""
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array(list(box)),
            Resources=Dictionary(XObject=Dictionary(dict(things))),
            Group=Dictionary(S=Name.Transparency, CS=Name.DeviceRGB),
            Contents=self.pdf.make_stream(content.encode()),
        )
        self._waiting.append((Page(page), scale, has_alpha))

    def render(self) -> Iterator[Picture]:
        """Render all pages that were added, in their order, each when it is asked for."""
        pages, self._waiting = self._waiting, []
        del self.pdf.pages[:]
        self.pdf.pages.extend(page for page, _, _ in pages)
        sink = io.BytesIO()
        self.pdf.save(sink, compress_streams=False)
        with Rasterizer(sink.getvalue(), draws_fields=True) as rasterizer:
            for index, (_, scale, has_alpha) in enumerate(pages):
                ground = CLEAR if has_alpha else WHITE
                yield rasterizer.draw(index, scale, ground, has_alpha, optimize_mode="print").to_numpy()


CARD_PX = 200  # a card on the contact sheet: enough to recognise every symbol


def render_page(pdf: bytes, width_px: int) -> bytes:
    """Render the first page as PNG."""
    with Rasterizer(pdf) as rasterizer:
        picture = rasterizer.draw(0, width_px / rasterizer.measure(0)[0]).to_pil()
    sink = io.BytesIO()
    picture.convert("RGB").save(sink, "PNG", compress_level=2)  # a third slower would be 5 % smaller
    return sink.getvalue()
