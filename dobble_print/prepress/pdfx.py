"""Standards: a PDF that says which exchange standard it keeps, PDF/X-4 or PDF/X-1a, with all that the claim needs.

Invariant: ids come from the content and dates are fixed unless one is given, so that the same deck gives the same
bytes. Whether a file keeps what it claims is checked by the preflight of every build, before files are delivered.
"""

from __future__ import annotations

import hashlib
import io
from datetime import UTC, datetime
from uuid import UUID
from xml.sax.saxutils import escape

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

from dobble_print import __version__
from dobble_print.errors import Fault, OutputError
from dobble_print.pdf.document import delete_keys
from dobble_print.pdf.report import Standard
from dobble_print.prepress.inks import OutputProfile

FIXED_DATE = datetime(2024, 1, 1, tzinfo=UTC)
REGISTRY = "http://www.color.org"  # where printing conditions are registered
PRODUCER = f"dobble-print {__version__}"
VERSION_KEYS = {"PDF/X-4": "PDF/X-4", "PDF/X-1a": "PDF/X-1a:2003"}  # X-1a of 2003 has no conformance key any more
YOUNGER_PREFERENCES = ("/PrintScaling", "/Duplex", "/PickTrayByPDFSize", "/NumCopies")  # unknown to PDF 1.4
PRINTABLE_NOTES = (Name.TrapNet, Name.PrinterMark)
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


def claim_standard(
    pdf: Pdf, standard: Standard, profile: OutputProfile, title: str, date: datetime | None = None
) -> None:
    """Make a separated document a PDF/X file; the last step before it is saved with `save_pdf(pdf, standard)`."""
    _drop_interaction(pdf, standard)
    for page in pdf.pages:
        _complete_page(page)
    _check_profile(profile, standard)
    pdf.Root.OutputIntents = Array([pdf.make_indirect(_make_intent(pdf, profile))])
    moment = _to_utc(date or FIXED_DATE)
    name = "".join(char for char in title if char.isprintable()) or "dobble-print"
    _write_info(pdf, standard, name, moment)
    if standard == "PDF/X-4":
        _write_xmp(pdf, standard, name, moment)


def _to_utc(date: datetime) -> datetime:
    """Return a date in universal time, also one without a zone, so that it means the same on every computer."""
    return date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC)


def _check_profile(profile: OutputProfile, standard: Standard) -> None:
    """Refuse what PDF 1.4 cannot read: it is older than the fourth version of ICC profiles."""
    if standard == "PDF/X-1a" and profile.data[8] >= 4:
        hint = "Ask the shop for one of version 2, or write PDF/X-4."
        raise OutputError(Fault(f"the profile {profile.name} is of ICC version 4, which PDF/X-1a does not know", hint))


def _drop_interaction(pdf: Pdf, standard: Standard) -> None:
    """Drop what belongs to a screen: scripts, actions, forms, old metadata."""
    delete_keys(pdf.Root, "/OpenAction", "/AA", "/AcroForm", "/Metadata", "/Version", "/Extensions")
    if Name.Names in pdf.Root:
        delete_keys(pdf.Root.Names, "/JavaScript", "/EmbeddedFiles")
    preferences = pdf.Root.get(Name.ViewerPreferences)
    if standard == "PDF/X-1a" and isinstance(preferences, Dictionary):
        delete_keys(preferences, *YOUNGER_PREFERENCES)


def _complete_page(page: pikepdf.Page) -> None:
    """Give a page a trim box, no art box beside it, nothing to click on and no slide show."""
    holder = page.obj
    delete_keys(holder, "/ArtBox", "/Trans", "/AA", "/Thumb")
    if Name.TrimBox not in holder:
        holder.TrimBox = Array(list(page.mediabox))
    if Name.Annots in holder:
        kept = [note for note in holder.Annots if note.get(Name.Subtype) in PRINTABLE_NOTES]
        delete_keys(holder, "/Annots")
        if kept:
            holder.Annots = Array(kept)


def _make_intent(pdf: Pdf, profile: OutputProfile) -> Dictionary:
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=String(profile.condition or "Custom"),
        OutputCondition=String(profile.name),
        Info=String(profile.name),
        DestOutputProfile=pdf.make_indirect(Stream(pdf, profile.data, N=4)),
    )
    if profile.condition:
        intent.RegistryName = String(REGISTRY)
    return intent


def _write_info(pdf: Pdf, standard: Standard, title: str, moment: datetime) -> None:
    info, stamp = pdf.docinfo, String(f"D:{moment:%Y%m%d%H%M%S}Z")
    delete_keys(info, *(key for key, value in info.items() if not str(value)))  # empty entries say nothing
    info.Title, info.Producer, info.Creator = String(title), String(PRODUCER), String("dobble-print")
    info.CreationDate = info.ModDate = stamp
    info.Trapped = Name("/False")
    info.GTS_PDFXVersion = String(VERSION_KEYS[standard])


def _write_xmp(pdf: Pdf, standard: Standard, title: str, moment: datetime) -> None:
    """Write the facts of the document's information for machines; ids are made from the content."""
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
    delete_keys(pdf.trailer, "/ID")
    sink = io.BytesIO()
    pdf.save(sink, deterministic_id=True, fix_metadata_version=False)
    return hashlib.sha256(sink.getvalue()).digest()
