"""Render pages and single forms of a PDF to pixels."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pikepdf import Array, Dictionary, Name, Page, Pdf

BULKY = ("/Names", "/Outlines", "/StructTreeRoot")
Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class _Exposure:
    """A page to render: so many pixels a point, with its opacity or on white paper."""

    page: Page
    scale: float
    has_alpha: bool


class Darkroom:
    """An opened file whose pages have been taken out; what is exposed takes their place."""

    def __init__(self, pdf: Pdf) -> None:
        self.pdf = pdf
        self.own = list(pdf.pages)
        self._film: list[_Exposure] = []
        for key in BULKY:
            if key in pdf.Root:
                del pdf.Root[key]

    def expose_own(self, number: int, scale: float) -> None:
        """One of the file's pages as it is, all of its paper, unturned."""
        page = self.own[number - 1]
        box = Array(list(page.mediabox))
        if "/UserUnit" in page.obj:
            del page.obj["/UserUnit"]
        page.obj.MediaBox, page.obj.CropBox, page.obj.Rotate = box, box, 0
        self._film.append(_Exposure(page, scale, has_alpha=False))

    def expose_drawn(
        self, box: Iterable[float], content: str, things: Mapping[str, Any], scale: float, has_alpha: bool = False
    ) -> None:
        """A page that draws those things."""
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array(list(box)),
            Resources=Dictionary(XObject=Dictionary(dict(things))),
            Group=Dictionary(S=Name.Transparency, CS=Name.DeviceRGB),
            Contents=self.pdf.make_stream(content.encode()),
        )
        self._film.append(_Exposure(Page(page), scale, has_alpha))

    def develop(self) -> Iterator[Picture]:
        """All pictures, in the order of their exposure."""
        film, self._film = self._film, []
        del self.pdf.pages[:]
        self.pdf.pages.extend(exposure.page for exposure in film)
        sink = io.BytesIO()
        self.pdf.save(sink, compress_streams=False)
        return _render(sink.getvalue(), film)


def _render(data: bytes, film: list[_Exposure]) -> Iterator[Picture]:
    import pypdfium2
    from pypdfium2 import raw

    document = pypdfium2.PdfDocument(data)
    try:
        if document.get_formtype():
            document.init_forms()
        for page, exposure in zip(document, film, strict=True):
            how: dict[str, Any] = {"force_bitmap_format": raw.FPDFBitmap_BGRA, "fill_color": (0, 0, 0, 0)}
            bitmap = page.render(scale=exposure.scale, optimize_mode="print", **(how if exposure.has_alpha else {}))
            picture: Picture = bitmap.to_numpy().copy()
            page.close()
            yield picture
    finally:
        document.close()


CARD_PX = 200  # a card on the contact sheet: enough to recognise every symbol


def render_page(pdf: bytes, width_px: int) -> bytes:
    """The first page as PNG."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        page = document[0]
        picture = page.render(scale=width_px / page.get_width()).to_pil()
    finally:
        document.close()
    sink = io.BytesIO()
    picture.convert("RGB").save(sink, "PNG", compress_level=2)  # a third slower would be 5 % smaller
    return sink.getvalue()
