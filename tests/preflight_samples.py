"""Sheets as a print shop wants them, drawn by hand, and ways to damage them.

A good sheet has two round cards with a back, embedded text, a gradient, a soft-masked photo at 400 dpi in a form, the
cut on a plate of its own, and claims PDF/X-4.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String
from PIL import Image

from dobble_print.fonts import font_bytes
from dobble_print.prepress.cut_layer import CutLayer
from dobble_print.sheets.cutting import trace_cuts
from dobble_print.units import CardShape, hex_card, mm_to_pt, round_card

WIDE_MM, HIGH_MM = 200.0, 100.0
CENTRES = ((55.0, 48.0), (140.0, 48.0))  # off the middle, so that a back on the wrong side shows
CARD = round_card(60.0)
PHOTO_MM = 20.0
FONT = "FiraGO"
DATE_PDF, DATE_XMP = "D:20260102030405+01'00'", "2026-01-02T03:04:05+01:00"

XMP = f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>
<xmp:CreateDate>{DATE_XMP}</xmp:CreateDate><xmp:ModifyDate>{DATE_XMP}</xmp:ModifyDate>
<xmp:MetadataDate>{DATE_XMP}</xmp:MetadataDate>
<xmpMM:DocumentID>uuid:1</xmpMM:DocumentID><xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass><pdf:Trapped>False</pdf:Trapped>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Sample</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""


def make_sheet(
    bleed_mm: float = 3.0,
    shape: CardShape = CARD,
    centres: Sequence[tuple[float, float]] = CENTRES,
    claim: bool = True,
    cut: bool = True,
    flip: str = "long",
) -> bytes:
    """A front and its back, turned over the long or the short edge."""
    backs = [(WIDE_MM - x, y) if flip == "short" else (x, HIGH_MM - y) for x, y in centres]
    with Pdf.open(io.BytesIO(_draw_cards(bleed_mm, shape, [centres, backs]))) as pdf:
        for page, places in zip(pdf.pages, (centres, backs), strict=True):
            _set_boxes(page, shape, places)
        _add_photo(pdf, shape, centres)
        if cut:
            CutLayer(pdf, "CutContour", layers=True).draw(pdf.pages[0], trace_cuts(shape, centres, 0.0))
        if claim:
            claim_x4(pdf)
        return save(pdf)


def make_honeycomb() -> bytes:
    """Three hexagons edge to edge: each shared edge is cut once, and the bleed runs around them all."""
    shape = hex_card(40.0, corner_mm=0.0)
    side = 40.0 / 3**0.5
    return make_sheet(shape=shape, centres=[(60.0, 50.0), (60.0 + 1.5 * side, 70.0), (60.0 + 1.5 * side, 30.0)])


def change(data: bytes, alter: Callable[[Pdf], object]) -> bytes:
    """The same file with something altered."""
    with Pdf.open(io.BytesIO(data)) as pdf:
        alter(pdf)
        return save(pdf)


def save(pdf: Pdf, **options: Any) -> bytes:
    """The bytes of a file."""
    sink = io.BytesIO()
    pdf.save(sink, deterministic_id=not options, **options)
    return sink.getvalue()


def replace_in_page(pdf: Pdf, old: bytes, new: bytes, page: int = 0) -> None:
    """Rewrite a page's content; the old text must be there."""
    pdf.pages[page].contents_coalesce()
    content = pdf.pages[page].Contents.read_bytes()
    assert old in content
    pdf.pages[page].Contents.write(content.replace(old, new))


def make_image(pdf: Pdf, size_px: int, space: str = "DeviceCMYK", ink: int = 120, jpeg: bool = False) -> Stream:
    """A square image in one colour."""
    count = {"DeviceCMYK": 4, "DeviceRGB": 3, "DeviceGray": 1}[space]
    pixels = np.full((size_px, size_px, count), ink, np.uint8)
    entries: dict[str, Any] = {"Filter": Name.FlateDecode}
    data = zlib.compress(pixels.tobytes())
    if jpeg:
        sink = io.BytesIO()
        Image.fromarray(pixels, "CMYK").save(sink, "JPEG", quality=95)
        data = sink.getvalue()
        entries = {"Filter": Name.DCTDecode, "Decode": Array([1, 0] * 4)}  # Pillow writes them turned over
    return Stream(
        pdf,
        data,
        Type=Name.XObject,
        Subtype=Name.Image,
        Width=size_px,
        Height=size_px,
        BitsPerComponent=8,
        ColorSpace=Name(f"/{space}"),
        **entries,
    )


def photo_px(dpi: float) -> int:
    """How many pixels the sample's photo needs."""
    return round(PHOTO_MM / 25.4 * dpi)


def set_photo(pdf: Pdf, image: Stream) -> None:
    """Give the sample's form another photo."""
    pdf.pages[0].Resources.XObject.Photo.Resources.XObject.P = pdf.make_indirect(image)


def claim_x4(pdf: Pdf) -> None:
    """Say PDF/X-4, and all that belongs to it."""
    profile = Stream(pdf, _profile(), N=4)
    intent = Dictionary(Type=Name.OutputIntent, S=Name.GTS_PDFX, OutputConditionIdentifier=String("Coated"))
    intent.DestOutputProfile = pdf.make_indirect(profile)
    pdf.Root.OutputIntents = Array([intent])
    pdf.Root.Metadata = pdf.make_indirect(Stream(pdf, XMP.encode(), Type=Name.Metadata, Subtype=Name.XML))
    pdf.trailer.Info = pdf.make_indirect(
        Dictionary(
            Title=String("Sample"), CreationDate=String(DATE_PDF), ModDate=String(DATE_PDF), Trapped=Name("/False")
        )
    )


def claim_x1a(pdf: Pdf) -> None:
    """Say PDF/X-1a and keep it: no transparency, no layers, no XMP."""
    claim_x4(pdf)
    del pdf.Root.Metadata
    pdf.trailer.Info.GTS_PDFXVersion = String("PDF/X-1a:2003")


def save_x1a(pdf: Pdf) -> bytes:
    """As PDF 1.4, nothing packed."""
    sink = io.BytesIO()
    mode = pikepdf.ObjectStreamMode.disable
    pdf.save(sink, force_version="1.4", object_stream_mode=mode, deterministic_id=True)
    return sink.getvalue()


def _profile() -> bytes:
    """The head of a CMYK printer profile, which is all that a preflight reads."""
    head = bytearray(132)
    head[0:4] = len(head).to_bytes(4, "big")
    head[12:16], head[16:20], head[20:24], head[36:40] = b"prtr", b"CMYK", b"Lab ", b"acsp"
    return bytes(head)


def _draw_cards(bleed_mm: float, shape: CardShape, pages: Sequence[Sequence[tuple[float, float]]]) -> bytes:
    """Cards of flat ink, each with a word."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(TTFont(FONT, io.BytesIO(font_bytes())))
    sink = io.BytesIO()
    canvas = Canvas(sink, (mm_to_pt(WIDE_MM), mm_to_pt(HIGH_MM)), invariant=1, initialFontName=FONT)
    for centres in pages:
        for x, y in centres:
            canvas.setFillColorCMYK(0.1, 0.6, 0.9, 0.0)
            path = canvas.beginPath()
            corners = [(mm_to_pt(x + dx), mm_to_pt(y + dy)) for dx, dy in shape.grow(bleed_mm).polygon(48)]
            path.moveTo(*corners[0])
            for corner in corners[1:]:
                path.lineTo(*corner)
            path.close()
            canvas.drawPath(path, stroke=0, fill=1)
            canvas.setFillColorCMYK(0.0, 0.0, 0.0, 1.0)
            canvas.setFont(FONT, 12)
            canvas.drawCentredString(mm_to_pt(x), mm_to_pt(y + 10), "lion")
        canvas.showPage()
    canvas.save()
    return sink.getvalue()


def _set_boxes(page: pikepdf.Page, shape: CardShape, centres: Sequence[tuple[float, float]]) -> None:
    for name, extra in (("/TrimBox", 0.0), ("/BleedBox", 3.0)):
        wide, high = shape.width_mm / 2 + extra, shape.height_mm / 2 + extra
        xs, ys = [x for x, _ in centres], [y for _, y in centres]
        box = (min(xs) - wide, min(ys) - high, max(xs) + wide, max(ys) + high)
        page.obj[name] = Array([round(mm_to_pt(value), 4) for value in box])


def _add_photo(pdf: Pdf, shape: CardShape, centres: Sequence[tuple[float, float]]) -> None:
    """A form of 20 mm with a gradient and a soft-masked photo, drawn on every card of the front."""
    image = make_image(pdf, photo_px(400), jpeg=True)
    image.SMask = pdf.make_indirect(make_image(pdf, photo_px(400), "DeviceGray", 200))
    blend = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[1, 0.5, 0, 0.2], N=1)
    shading = Dictionary(ShadingType=2, ColorSpace=Name.DeviceCMYK, Coords=[0, 0, 1, 0], Function=blend)
    form = Stream(
        pdf,
        b"q 0 0 1 1 re W n /G sh /P Do Q",
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=Array([0, 0, 1, 1]),
        Group=Dictionary(S=Name.Transparency, CS=Name.DeviceCMYK),
        Resources=Dictionary(XObject=Dictionary(P=pdf.make_indirect(image)), Shading=Dictionary(G=shading)),
    )
    page = pdf.pages[0]
    page.obj.Resources.XObject = Dictionary(Photo=pdf.make_indirect(form))
    side = mm_to_pt(PHOTO_MM)
    corners = [(mm_to_pt(x) - side / 2, mm_to_pt(y - 5) - side / 2) for x, y in centres]
    draw = [f"q {side} 0 0 {side} {x} {y} cm /Photo Do Q" for x, y in corners]
    page.contents_add(("\n" + "\n".join(draw)).encode())
