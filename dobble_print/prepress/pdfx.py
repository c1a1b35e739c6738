"""Standards: a PDF that says which exchange standard it keeps, PDF/X-4 or PDF/X-1a, with all that the claim needs.

Invariant: nothing is claimed that a look at the file refutes; ids come from the content and dates are fixed unless one
is given, so that the same deck gives the same bytes.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID
from xml.sax.saxutils import escape

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

from dobble_print import __version__
from dobble_print.errors import Fault, OutputError
from dobble_print.pdf.document import Standard, walk_dictionaries
from dobble_print.prepress.flattening import find_transparency
from dobble_print.prepress.inks import OutputProfile

FIXED_DATE = datetime(2024, 1, 1, tzinfo=UTC)
PRODUCER = f"dobble-print {__version__}"
VERSION_KEYS = {"PDF/X-4": "PDF/X-4", "PDF/X-1a": "PDF/X-1a:2003"}  # X-1a of 2003 has no conformance key any more
YOUNGER_WISHES = ("/PrintScaling", "/Duplex", "/PickTrayByPDFSize", "/NumCopies")  # unknown to PDF 1.4
PRINTABLE_NOTES = (Name.TrapNet, Name.PrinterMark)
SIMPLE_FONTS = (Name.Type1, Name.MMType1, Name.TrueType)
EMBEDDED = ("/FontFile", "/FontFile2", "/FontFile3")
XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/">
<pdfxid:GTS_PDFXVersion>{version}</pdfxid:GTS_PDFXVersion>
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<pdf:Producer>{producer}</pdf:Producer>
<pdf:Trapped>False</pdf:Trapped>
<xmp:CreatorTool>{creator}</xmp:CreatorTool>
<xmp:CreateDate>{date}</xmp:CreateDate>
<xmp:ModifyDate>{date}</xmp:ModifyDate>
<xmp:MetadataDate>{date}</xmp:MetadataDate>
<xmpMM:DocumentID>uuid:{document}</xmpMM:DocumentID>
<xmpMM:InstanceID>uuid:{instance}</xmpMM:InstanceID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass>
<xmpMM:VersionID>1</xmpMM:VersionID>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""


@dataclass(frozen=True, eq=False)
class Claim:
    """A standard and what it takes to claim it, the same for all files of a job."""

    standard: Standard
    profile: OutputProfile
    title: str
    date: datetime | None = None

    def make(self, pdf: Pdf) -> None:
        """Claim it for a document."""
        claim_standard(pdf, self.standard, self.profile, self.title, self.date)


def claim_standard(
    pdf: Pdf, standard: Standard, profile: OutputProfile, title: str, date: datetime | None = None
) -> None:
    """Make a separated document a PDF/X file; the last step before it is saved with `save_pdf(pdf, standard)`."""
    _drop_interaction(pdf, standard)
    for page in pdf.pages:
        _complete_page(page)
    OutputError.raise_any([*find_obstacles(pdf, standard), *_doubt_profile(profile, standard)])
    pdf.Root.OutputIntents = Array([pdf.make_indirect(_make_intent(pdf, profile))])
    moment = _to_utc(date or FIXED_DATE)
    name = "".join(char for char in title if char.isprintable()) or "dobble-print"
    _write_info(pdf, standard, name, moment)
    if standard == "PDF/X-4":
        _write_xmp(pdf, standard, name, moment)


def _to_utc(date: datetime) -> datetime:
    """A date without a zone is taken for universal time, so that it means the same on every computer."""
    return date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC)


def _doubt_profile(profile: OutputProfile, standard: Standard) -> list[Fault]:
    """PDF 1.4 is older than the fourth version of ICC profiles."""
    if standard == "PDF/X-4" or profile.data[8] < 4:
        return []
    hint = "Ask the shop for one of version 2, or write PDF/X-4."
    return [Fault(f"the profile {profile.name} is of ICC version 4, which PDF/X-1a does not know", hint)]


def _drop_interaction(pdf: Pdf, standard: Standard) -> None:
    """What belongs to a screen: scripts, actions, forms, old metadata."""
    for key in ("/OpenAction", "/AA", "/AcroForm", "/Metadata", "/Version", "/Extensions"):
        _forget(pdf.Root, key)
    if Name.Names in pdf.Root:
        _forget(pdf.Root.Names, "/JavaScript", "/EmbeddedFiles")
    wishes = pdf.Root.get(Name.ViewerPreferences)
    if standard == "PDF/X-1a" and isinstance(wishes, Dictionary):
        _forget(wishes, *YOUNGER_WISHES)


def _complete_page(page: pikepdf.Page) -> None:
    """A trim box everywhere, no art box beside it, nothing to click on, no slide show."""
    holder = page.obj
    _forget(holder, "/ArtBox", "/Trans", "/AA", "/Thumb")
    if Name.TrimBox not in holder:
        holder.TrimBox = Array(list(page.mediabox))
    if Name.Annots in holder:
        kept = [note for note in holder.Annots if note.get(Name.Subtype) in PRINTABLE_NOTES]
        _forget(holder, "/Annots")
        if kept:
            holder.Annots = Array(kept)


def _make_intent(pdf: Pdf, profile: OutputProfile) -> Dictionary:
    embedded = Stream(pdf, profile.data, N=4)
    return Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=String("Custom"),
        OutputCondition=String(profile.name),
        Info=String(profile.name),
        DestOutputProfile=pdf.make_indirect(embedded),
    )


def _write_info(pdf: Pdf, standard: Standard, title: str, moment: datetime) -> None:
    info, stamp = pdf.docinfo, String(f"D:{moment:%Y%m%d%H%M%S}Z")
    _forget(info, *(key for key, value in info.items() if not str(value)))  # empty entries say nothing
    info.Title, info.Producer, info.Creator = String(title), String(PRODUCER), String("dobble-print")
    info.CreationDate = info.ModDate = stamp
    info.Trapped = Name("/False")
    info.GTS_PDFXVersion = String(VERSION_KEYS[standard])


def _write_xmp(pdf: Pdf, standard: Standard, title: str, moment: datetime) -> None:
    """The same facts as the document's information, for machines; ids are made from the content."""
    digest = _digest(pdf)
    text = XMP.format(
        version=VERSION_KEYS[standard],
        title=escape(title),
        producer=escape(PRODUCER),
        creator="dobble-print",
        date=f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        document=UUID(bytes=digest[:16], version=4),
        instance=UUID(bytes=digest[16:], version=4),
    )
    pdf.Root.Metadata = pdf.make_indirect(Stream(pdf, text.encode(), Type=Name.Metadata, Subtype=Name.XML))


def _digest(pdf: Pdf) -> bytes:
    """Return the sum of the content; an id that the document had before is none of it."""
    _forget(pdf.trailer, "/ID")
    sink = io.BytesIO()
    pdf.save(sink, deterministic_id=True, fix_metadata_version=False)
    return hashlib.sha256(sink.getvalue()).digest()


def find_obstacles(pdf: Pdf, standard: Standard) -> list[Fault]:
    """Why a document cannot make the claim; empty where it can."""
    found = ["it is locked"] if pdf.is_encrypted else []
    if standard == "PDF/X-1a":
        found += ["it has layers"] if Name.OCProperties in pdf.Root else []
        found += [f"it holds {what}" for what in find_transparency(pdf, groups=True)]
    for thing in walk_dictionaries(pdf):
        found += _object_obstacles(thing, standard)
    return [Fault(f"this is no {standard} file: {what}") for what in dict.fromkeys(found)]


def _object_obstacles(thing: Object, standard: Standard) -> Iterator[str]:
    simple = thing.get(Name.Type) == Name.Font and thing.get(Name.Subtype) in SIMPLE_FONTS
    if simple and Name.FontDescriptor not in thing:
        yield f"the font {str(thing.get(Name.BaseFont, '?')).lstrip('/')} is not embedded"
    if thing.get(Name.Type) == Name.FontDescriptor and not any(key in thing for key in EMBEDDED):
        yield f"the font {str(thing.get(Name.FontName, '?')).lstrip('/')} is not embedded"
    if thing.get(Name.S) == Name.JavaScript:
        yield "it holds a script"
    if standard == "PDF/X-1a" and Name.JPXDecode in _filters(thing):
        yield "it holds a JPEG 2000 picture"


def _filters(thing: Object) -> list[Object]:
    found = thing.get(Name.Filter)
    return list(found) if isinstance(found, Array) else [found] if found is not None else []


def _forget(holder: Object, *keys: str) -> None:
    for key in keys:
        if key in holder:
            del holder[key]
