"""Forms: each symbol enters the PDF once and is drawn on many cards; page boxes and viewer wishes are set here too.

Invariant: a symbol's form maps to a box whose longer side is 1, whether it is made of vectors or of pixels; the bytes
depend on nothing but the input.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream
from PIL import Image

from dobble_print.art.artwork import Form, PixelForm, VectorForm, encode_jpeg
from dobble_print.press.draw import form_name
from dobble_print.press.plan import CardLook, Page
from dobble_print.theme.model import Duplex
from dobble_print.units import mm_to_pt

FLIPS = {
    "long": Name.DuplexFlipLongEdge,
    "short": Name.DuplexFlipShortEdge,
    "separate": Name.Simplex,
    "none": Name.Simplex,
}


def finish_pdf(
    drawn: bytes, forms: Mapping[int, Form], pages: Sequence[Page], look: CardLook, duplex: Duplex, language: str
) -> bytes:
    """Finish sheets of cards: the forms, the boxes, and the wish to be printed at actual size."""
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        _share_forms(pdf, forms)
        for pdf_page, page in zip(pdf.pages, pages, strict=True):
            _set_boxes(pdf_page, page, look)
        _set_wishes(pdf, language, Duplex=FLIPS[duplex], PrintScaling=Name("/None"), PickTrayByPDFSize=True)
        return save_pdf(pdf)


def finish_document(drawn: bytes, forms: Mapping[int, Form], language: str) -> bytes:
    """Finish a document whose pages are no sheets of cards."""
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        _share_forms(pdf, forms)
        _set_wishes(pdf, language)
        return save_pdf(pdf)


def save_pdf(pdf: Pdf) -> bytes:
    """The bytes of a document, which depend on nothing but its content.

    The environment can set dates (SOURCE_DATE_EPOCH), and ids are made from them: neither may stay.
    """
    for key in ("/CreationDate", "/ModDate"):
        if key in pdf.docinfo:
            del pdf.docinfo[key]
    if "/ID" in pdf.trailer:
        del pdf.trailer["/ID"]
    sink = io.BytesIO()
    pdf.save(sink, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return sink.getvalue()


def _share_forms(pdf: Pdf, forms: Mapping[int, Form]) -> None:
    """Each form enters once and is known to every page."""
    embedded = {f"/{form_name(symbol)}": _embed(pdf, form) for symbol, form in sorted(forms.items())}
    shared = pdf.make_indirect(Dictionary(embedded))
    for page in pdf.pages:
        page.Resources.XObject = shared


def _embed(pdf: Pdf, form: Form) -> pikepdf.Object:
    match form:
        case VectorForm(data):
            return _embed_vector(pdf, data)
        case PixelForm(picture, photo):
            return _embed_pixels(pdf, picture, photo)


def _embed_vector(pdf: Pdf, data: bytes) -> pikepdf.Object:
    with Pdf.open(io.BytesIO(data)) as drawing:
        form = pdf.copy_foreign(drawing.pages[0].as_form_xobject())
    x0, y0, x1, y1 = (float(value) for value in form.BBox)
    side = max(x1 - x0, y1 - y0)
    form.Matrix = Array([1 / side, 0, 0, 1 / side, -x0 / side, -y0 / side])
    return form


def _embed_pixels(pdf: Pdf, picture: Image.Image, photo: bool) -> pikepdf.Object:
    """A picture with its transparency, wrapped in a form like any drawing."""
    side = max(picture.size)
    width, height = picture.width / side, picture.height / side
    colours = {"Filter": Name.DCTDecode} if photo else {"Filter": Name.FlateDecode}
    data = encode_jpeg(picture) if photo else zlib.compress(picture.convert("RGB").tobytes(), 9)
    image = _image(pdf, data, picture.size, ColorSpace=Name.DeviceRGB, **colours)
    opacity = picture.getchannel("A")
    if opacity.getextrema() != (255, 255):
        packed = zlib.compress(opacity.tobytes(), 9)
        image.SMask = _image(pdf, packed, picture.size, ColorSpace=Name.DeviceGray, Filter=Name.FlateDecode)
    return pdf.make_indirect(
        Stream(
            pdf,
            f"q {width:.6f} 0 0 {height:.6f} 0 0 cm /P Do Q".encode(),
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=Array([0, 0, width, height]),
            Resources=Dictionary(XObject=Dictionary(P=image)),
        )
    )


def _image(pdf: Pdf, data: bytes, size: tuple[int, int], **entries: pikepdf.Object) -> pikepdf.Object:
    common = {"Type": Name.XObject, "Subtype": Name.Image, "BitsPerComponent": 8}
    return pdf.make_indirect(Stream(pdf, data, Width=size[0], Height=size[1], **common, **entries))


def _set_boxes(pdf_page: pikepdf.Page, page: Page, look: CardLook) -> None:
    """The trim box encloses all cuts of the sheet, the bleed box all bleeds."""
    shape = look.shape.turn(page.turn_deg)
    pdf_page.TrimBox = _box_around(page, shape.width_mm / 2, shape.height_mm / 2)
    pdf_page.BleedBox = _box_around(page, shape.width_mm / 2 + look.bleed_mm, shape.height_mm / 2 + look.bleed_mm)


def _box_around(page: Page, half_width: float, half_height: float) -> Array:
    xs, ys = _extent(slot.x_mm for slot in page.slots), _extent(slot.y_mm for slot in page.slots)
    left, right = max(0.0, xs[0] - half_width), min(page.paper.width_mm, xs[1] + half_width)
    bottom, top = max(0.0, ys[0] - half_height), min(page.paper.height_mm, ys[1] + half_height)
    return Array([round(mm_to_pt(value), 4) for value in (left, bottom, right, top)])


def _extent(values: Iterable[float]) -> tuple[float, float]:
    found = list(values)
    return min(found), max(found)


def _set_wishes(pdf: Pdf, language: str, **wishes: Any) -> None:
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True, **wishes)
    if language:
        pdf.Root.Lang = pikepdf.String(language)
