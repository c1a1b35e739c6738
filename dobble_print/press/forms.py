"""Forms: each symbol enters the PDF once and is drawn on many cards; page boxes and viewer wishes are set here too.

Invariant: a symbol's form maps to a box whose longer side is 1, whether it is made of vectors or of pixels; the bytes
depend on nothing but the input.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String
from PIL import Image, ImageChops

from dobble_print.art.artwork import Form, PixelForm, VectorForm, encode_jpeg
from dobble_print.pdf.document import save_pdf
from dobble_print.press.card_drawing import form_name
from dobble_print.sheets.pages import measure_boxes
from dobble_print.sheets.plan import CardLook, Page
from dobble_print.theme.model import Duplex

FLIPS = {
    "long": Name.DuplexFlipLongEdge,
    "short": Name.DuplexFlipShortEdge,
    "separate": Name.Simplex,
    "fold": Name.Simplex,
    "none": Name.Simplex,
}


def finish_sheets(
    pdf: Pdf, forms: Mapping[int, Form], pages: Sequence[Page], look: CardLook, duplex: Duplex, language: str
) -> None:
    """Finish sheets of cards: the forms, the boxes, and the wish to be printed at actual size."""
    _share_forms(pdf, forms)
    for pdf_page, page in zip(pdf.pages, pages, strict=True):
        pdf_page.MediaBox, pdf_page.TrimBox, pdf_page.BleedBox = measure_boxes(page, look)
    _set_wishes(pdf, language, Duplex=FLIPS[duplex], PrintScaling=Name("/None"), PickTrayByPDFSize=True)


def finish_document(drawn: bytes, forms: Mapping[int, Form], language: str) -> bytes:
    """Finish a document whose pages are no sheets of cards."""
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        _share_forms(pdf, forms)
        _set_wishes(pdf, language)
        return save_pdf(pdf)


def _share_forms(pdf: Pdf, forms: Mapping[int, Form]) -> None:
    """Each form enters once and is known to every page."""
    embedded = {f"/{form_name(symbol)}": _embed(pdf, form) for symbol, form in sorted(forms.items())}
    shared = pdf.make_indirect(Dictionary(embedded))
    for page in pdf.pages:
        page.Resources.XObject = shared


def name_symbols(pdf: Pdf, names: Mapping[int, str]) -> None:
    """Let each form say which symbol it shows: without that, nobody could tell that two faces are one symbol."""
    for form, symbol in _list_named(pdf, names):
        form.Symbol = String(symbol)


def _list_named(pdf: Pdf, names: Mapping[int, str]) -> Iterator[tuple[pikepdf.Object, str]]:
    shared = pdf.pages[0].Resources.XObject  # all pages know the same forms
    for piece, symbol in names.items():
        name = f"/{form_name(piece)}"
        if name in shared:
            yield shared[name], symbol


def _embed(pdf: Pdf, form: Form) -> pikepdf.Object:
    match form:
        case VectorForm(data):
            return _embed_vector(pdf, data)
        case PixelForm():
            return _embed_pixels(pdf, form)


def _embed_vector(pdf: Pdf, data: bytes) -> pikepdf.Object:
    with Pdf.open(io.BytesIO(data)) as drawing:
        form = pdf.copy_foreign(drawing.pages[0].as_form_xobject())
    x0, y0, x1, y1 = (float(value) for value in form.BBox)
    side = max(x1 - x0, y1 - y0)
    form.Matrix = Array([1 / side, 0, 0, 1 / side, -x0 / side, -y0 / side])
    return form


def _embed_pixels(pdf: Pdf, form: PixelForm) -> pikepdf.Object:
    """A picture with its transparency, wrapped in a form like any drawing."""
    picture, photo = form.picture, form.photo
    side = max(picture.size)
    width, height = picture.width / side, picture.height / side
    colours = {"Filter": Name.DCTDecode} if photo else {"Filter": Name.FlateDecode}
    data = encode_jpeg(picture) if photo else zlib.compress(picture.convert("RGB").tobytes(), 9)
    image = _image(pdf, data, picture.size, ColorSpace=Name.DeviceRGB, **colours)
    opacity = picture.getchannel("A")
    if form.hard_mask:
        image.Mask = _stencil(pdf, opacity)
    elif opacity.getextrema() != (255, 255):
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


def _stencil(pdf: Pdf, opacity: Image.Image) -> pikepdf.Object:
    """A mask of single bits, in which a one hides."""
    hidden = ImageChops.invert(opacity).convert("1", dither=Image.Dither.NONE)
    packed = zlib.compress(hidden.tobytes(), 9)
    mask = _image(pdf, packed, opacity.size, Filter=Name.FlateDecode)
    mask.ImageMask, mask.BitsPerComponent = True, 1
    return mask


def _image(pdf: Pdf, data: bytes, size: tuple[int, int], **entries: pikepdf.Object) -> pikepdf.Object:
    common = {"Type": Name.XObject, "Subtype": Name.Image, "BitsPerComponent": 8}
    return pdf.make_indirect(Stream(pdf, data, Width=size[0], Height=size[1], **common, **entries))


def _set_wishes(pdf: Pdf, language: str, **wishes: Any) -> None:
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True, **wishes)
    if language:
        pdf.Root.Lang = pikepdf.String(language)
