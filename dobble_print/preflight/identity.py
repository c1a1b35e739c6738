"""Identity: what a file says about itself, in its XMP metadata and in its Info dictionary.

Invariant: metadata is only read, never mended; what cannot be read counts as absent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pikepdf
from pikepdf import Pdf

XMP = {
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
        found = {word: metadata.get(name) for word, name in XMP.items()}
    except (pikepdf.PdfError, ValueError, SyntaxError):
        return {}
    return {word: _to_text(value) for word, value in found.items() if value is not None}


def _to_text(value: Any) -> str:
    return str(value) if isinstance(value, str) else ", ".join(map(str, value))


def read_info_date(text: str) -> datetime | None:
    """A date as PDF writes it: D:20260102030405+01'00'."""
    try:
        return pikepdf.models.metadata.decode_pdf_date(text)
    except ValueError:
        return None


def read_xmp_date(text: str) -> datetime | None:
    """A date as XMP writes it: 2026-01-02T03:04:05+01:00."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
