"""Open, guard and save PDF documents: bombs are refused, identity is read, bytes depend on the content alone."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Page, Pdf, Stream

from dobble_print.errors import DobbleError, Fault, UsageError
from dobble_print.pdf.report import Standard
from dobble_print.sandbox.limits import grant

MOST_BYTES = 600_000_000
DENSEST = 1032  # deflate packs no better than this
STEP = 1 << 20
PACKERS = {"/FlateDecode", "/Fl", "/LZWDecode", "/LZW", "/RunLengthDecode", "/RL"}
MOST_PAGES, MOST_NOTES = 5000, 5000
SECONDS_PER_PAGE, SECONDS_PER_PICTURE_MB = 0.4, 0.4  # of processor time to examine a file, where that is limited
BYTES_PER_PAGE, BYTES_PER_PIXEL = 4 << 20, 8
DEEPEST = 24  # forms in forms
PageBox = tuple[float, float, float, float]  # left, bottom, right, top
# what reading a file of wrong shape raises, in pikepdf and in our own arithmetic on its values
UNREADABLE = (
    pikepdf.PdfError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    ArithmeticError,
    NotImplementedError,
    RuntimeError,
)


class LockedPdf(UsageError):
    """A file that opens only with a password."""


@contextmanager
def open_pdf(data: bytes) -> Iterator[Pdf]:
    """Open an untrusted file; whatever cannot be read, now or while it is open, becomes a `UsageError`."""
    if b"%PDF-" not in data[:1024]:
        raise UsageError(Fault("this is not a PDF file", "Give a PDF, such as cards.pdf."))
    try:
        with Pdf.open(io.BytesIO(data), attempt_recovery=False, suppress_warnings=True) as pdf:
            _refuse_many_pages(pdf)
            refuse_bombs(pdf)
            grant(*_measure_work(pdf))
            yield pdf
    except DobbleError:
        raise
    except pikepdf.PasswordError:
        raise LockedPdf(Fault("the PDF needs a password", "Save it without one.")) from None
    except UNREADABLE as error:
        raise UsageError(Fault("the PDF is damaged and cannot be read", "Export or copy it anew.")) from error


def _refuse_many_pages(pdf: Pdf) -> None:
    """Raise where pages or notes on them are too many to look at, before a library makes a list of them."""
    waiting, pages, notes = [pdf.Root.Pages], 0, 0
    while waiting:
        node = waiting.pop()
        if isinstance(kids := node.get("/Kids"), Array):
            pages += len(kids)
            if pages > MOST_PAGES:
                raise UsageError(Fault(f"the PDF has more than {MOST_PAGES} pages", "Split it."))
            waiting += [kid for kid in kids if isinstance(kid, Dictionary)]
        notes += len(found) if isinstance(found := node.get("/Annots"), Array) else 0
    if notes > MOST_NOTES:
        raise UsageError(Fault(f"the PDF has more than {MOST_NOTES} notes on its pages", "Remove them."))


def _measure_work(pdf: Pdf) -> tuple[float, int]:
    """Return the seconds and bytes that a file needs for the different pages and the pictures that it holds."""
    drawn = {str(page.obj["/Contents"].objgen) for page in pdf.pages if "/Contents" in page.obj}
    pictures = [thing for thing in pdf.objects if isinstance(thing, Stream) and thing.get("/Subtype") == Name.Image]
    packed = sum(int(each.get("/Length", 0)) for each in pictures)
    pixels = sum(int(each.get("/Width", 0)) * int(each.get("/Height", 0)) for each in pictures)
    seconds = SECONDS_PER_PAGE * len(drawn) + SECONDS_PER_PICTURE_MB * packed / 1e6
    return seconds, BYTES_PER_PIXEL * pixels + BYTES_PER_PAGE * len(drawn)


def refuse_depth() -> UsageError:
    """Return the error about a file whose forms never end."""
    return UsageError(Fault("the file draws forms inside forms without end", "Export it anew from its program."))


def refuse_bombs(pdf: Pdf) -> None:
    """Raise where a stream is packed twice over or unpacks to more than any page needs."""
    for thing in pdf.objects:
        if isinstance(thing, Stream) and _is_bomb(thing):
            raise UsageError(
                Fault("the PDF unpacks to more than any printer needs", "Export it anew from its program.")
            )


def _is_bomb(stream: Any) -> bool:
    packed = stream.get("/Filter")
    names = [str(name) for name in packed] if isinstance(packed, Array) else [str(packed)]
    packers = [name for name in names if name in PACKERS]
    if len(packers) > 1:
        return True
    if not packers or int(stream.get("/Length", 0)) * DENSEST <= MOST_BYTES:
        return False
    return (
        packers[0] in ("/FlateDecode", "/Fl") and names[0] == packers[0] and _unpacks_to_more(stream.read_raw_bytes())
    )


def _unpacks_to_more(data: bytes) -> bool:
    """Unpack piece by piece, and stop when it is too much."""
    unpacker = zlib.decompressobj()
    total, rest = 0, data
    try:
        while rest and total <= MOST_BYTES and not unpacker.eof:
            total += len(unpacker.decompress(rest, STEP))
            rest = unpacker.unconsumed_tail
    except zlib.error:
        return False  # whoever reads it will say that it is damaged
    return total > MOST_BYTES


def media_box(page: Page) -> PageBox:
    """Return the sheet of paper; it may be inherited from the page tree."""
    return order_box(page.mediabox)


def find_box(page: Page, name: Literal["/BleedBox", "/TrimBox"]) -> PageBox:
    """Return a box of a page, or all of the paper where none is set."""
    value = page.obj.get(name)
    return media_box(page) if value is None else order_box(value)


def shown_box(page: Page) -> PageBox:
    """Return what is shown of a page: its crop box as far as there is paper."""
    media, crop = media_box(page), order_box(page.cropbox)
    return max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3])


def order_box(value: Any) -> PageBox:
    """Return a box with its corners in order; a file may name any two opposite ones."""
    x0, y0, x1, y1 = (float(number) for number in value)
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


XMP_NAMES = {
    "version": "{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion",
    "title": "{http://purl.org/dc/elements/1.1/}title",
    "created": "{http://ns.adobe.com/xap/1.0/}CreateDate",
    "modified": "{http://ns.adobe.com/xap/1.0/}ModifyDate",
    "described": "{http://ns.adobe.com/xap/1.0/}MetadataDate",
    "document": "{http://ns.adobe.com/xap/1.0/mm/}DocumentID",
    "revision": "{http://ns.adobe.com/xap/1.0/mm/}VersionID",
    "rendition": "{http://ns.adobe.com/xap/1.0/mm/}RenditionClass",
    "trapped": "{http://ns.adobe.com/pdf/1.3/}Trapped",
}


@dataclass(frozen=True)
class Identity:
    """The claim and the particulars behind it."""

    xmp: Mapping[str, str]
    info: Mapping[str, str]

    @property
    def claim(self) -> str:
        """The standard the file claims; none is an empty word."""
        conformance = self.info.get("/GTS_PDFXConformance", "")
        return self.xmp.get("version") or conformance or self.info.get("/GTS_PDFXVersion", "")


def read_identity(pdf: Pdf) -> Identity:
    """Read both places."""
    info: dict[str, str] = {}
    if "/Info" in pdf.trailer:
        info = {key: str(value) for key, value in pdf.trailer.Info.items()}
    return Identity(_read_xmp(pdf), info)


def _read_xmp(pdf: Pdf) -> dict[str, str]:
    if "/Metadata" not in pdf.Root:
        return {}
    try:
        metadata = pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False, strict=True)
        found = {word: metadata.get(name) for word, name in XMP_NAMES.items()}
    except (pikepdf.PdfError, ValueError, SyntaxError):
        return {}
    texts = {word: [value] if isinstance(value, str) else value for word, value in found.items() if value is not None}
    return {word: ", ".join(map(str, parts)) for word, parts in texts.items()}


PDF_VERSIONS = {"PDF/X-4": "1.6", "PDF/X-1a": "1.4"}


def save_pdf(pdf: Pdf, standard: Standard | Literal["none"] = "none") -> bytes:
    """Return the bytes of a document, which depend on nothing but its content.

    The environment can set dates (SOURCE_DATE_EPOCH), and ids are made from them: neither may stay, but for the dates
    that a claimed standard set itself and demands.
    """
    delete_keys(pdf.trailer, "/ID")
    if standard == "none":
        delete_keys(pdf.docinfo, "/CreationDate", "/ModDate")
    sink = io.BytesIO()
    # PDF 1.4 knows no object streams
    packing = pikepdf.ObjectStreamMode.disable if standard == "PDF/X-1a" else pikepdf.ObjectStreamMode.generate
    pdf.save(
        sink,
        object_stream_mode=packing,
        deterministic_id=True,
        force_version=PDF_VERSIONS.get(standard, ""),
        fix_metadata_version=False,  # it would rewrite the metadata of a claimed standard
    )
    return sink.getvalue()


def delete_keys(holder: Object, *keys: str) -> None:
    """Delete entries of a dictionary or a stream, as far as it has them."""
    for key in keys:
        if key in holder:
            del holder[key]


def walk_form(form: Object) -> Iterator[Object]:
    """Yield every dictionary and stream that a form draws with, each once, the form itself first."""
    seen: set[tuple[int, int]] = set()
    waiting = [form]
    while waiting:
        thing = waiting.pop()
        if thing.is_indirect:
            if thing.objgen in seen:
                continue
            seen.add(thing.objgen)
        if isinstance(thing, Dictionary | Stream):
            yield thing
        values = thing if isinstance(thing, Array) else [value for _, value in sorted(thing.items())]
        waiting += [value for value in values if isinstance(value, Array | Dictionary | Stream)]
