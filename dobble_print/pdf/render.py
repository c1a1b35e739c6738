"""Render pages and single forms of a PDF to pixels."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
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


class Rasterizer:
    """A PDF whose pages are turned into bitmaps, one at a time."""

    def __init__(self, data: bytes, draws_fields: bool = False) -> None:
        import pypdfium2

        self._document = pypdfium2.PdfDocument(data)
        if draws_fields and self._document.get_formtype():
            self._document.init_forms()

    def __enter__(self) -> Rasterizer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._document.close()

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


@dataclass(frozen=True)
class _Exposure:
    """A page to render: so many pixels a point, with its opacity or on white paper."""

    page: Page
    scale: float
    has_alpha: bool


class PageRenderer:
    """An opened file whose pages have been taken out; pages to be rendered take their place."""

    def __init__(self, pdf: Pdf) -> None:
        self.pdf = pdf
        self.own = list(pdf.pages)
        self._waiting: list[_Exposure] = []
        delete_keys(pdf.Root, *BULKY)

    def add_own_page(self, number: int, scale: float) -> None:
        """Add one of the file's pages as it is, all of its paper, unturned."""
        page = self.own[number - 1]
        box = Array(list(page.mediabox))
        delete_keys(page.obj, "/UserUnit")
        page.obj.MediaBox, page.obj.CropBox, page.obj.Rotate = box, box, 0
        self._waiting.append(_Exposure(page, scale, has_alpha=False))

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
        self._waiting.append(_Exposure(Page(page), scale, has_alpha))

    def render(self) -> Iterator[Picture]:
        """Render all pages that were added, in their order."""
        pages, self._waiting = self._waiting, []
        del self.pdf.pages[:]
        self.pdf.pages.extend(each.page for each in pages)
        sink = io.BytesIO()
        self.pdf.save(sink, compress_streams=False)
        return _render(sink.getvalue(), pages)


def _render(data: bytes, pages: list[_Exposure]) -> Iterator[Picture]:
    with Rasterizer(data, draws_fields=True) as rasterizer:
        for index, each in enumerate(pages):
            ground = CLEAR if each.has_alpha else WHITE
            bitmap = rasterizer.draw(index, each.scale, ground, each.has_alpha, optimize_mode="print")
            picture: Picture = bitmap.to_numpy().copy()
            yield picture


CARD_PX = 200  # a card on the contact sheet: enough to recognise every symbol


def render_page(pdf: bytes, width_px: int) -> bytes:
    """Render the first page as PNG."""
    with Rasterizer(pdf) as rasterizer:
        picture = rasterizer.draw(0, width_px / rasterizer.measure(0)[0]).to_pil()
    sink = io.BytesIO()
    picture.convert("RGB").save(sink, "PNG", compress_level=2)  # a third slower would be 5 % smaller
    return sink.getvalue()
