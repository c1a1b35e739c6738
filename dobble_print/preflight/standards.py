"""What PDF/X-4 and PDF/X-1a demand: a table of demands for each, at the end; each demand names the flaws."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from pikepdf import Array, Dictionary, Name, Page, Stream
from pikepdf.models.metadata import decode_pdf_date

from dobble_print.pdf.content import PaintedContent
from dobble_print.pdf.document import find_box, order_box
from dobble_print.pdf.report import Finding, Flaw, ShopLimits, Standard, judge
from dobble_print.preflight.color import FOREIGN, list_spaces
from dobble_print.preflight.survey import Survey

Demand = Callable[[Survey], Iterable[Flaw]]
YOUNG_FILTERS = {"/JPXDecode", "/JBIG2Decode", "/LZWDecode"}
OPAQUE_MODES = {"/Normal", "/Compatible"}
HARMLESS_NOTES = {"/PrinterMark", "/TrapNet", "/Popup"}
MODERN_STREAMS = re.compile(rb"/Type\s*/(ObjStm|XRef)\b")
XMP_NEEDS = {
    "version": "the standard's name",
    "title": "a title",
    "created": "a creation date",
    "modified": "a modification date",
    "described": "a metadata date",
    "document": "a document id",
    "revision": "a version id",
    "rendition": "a rendition class",
}
INFO_NEEDS = {"/Title": "a title", "/CreationDate": "a creation date", "/ModDate": "a modification date"}


def _of_file(what: str, is_wrong: Callable[[Survey], bool]) -> Demand:
    return lambda survey: [Flaw(what)] if is_wrong(survey) else []


def _of_pages(what: str, is_wrong: Callable[[Page], bool]) -> Demand:
    return lambda survey: [Flaw(what, sheet.number) for sheet in survey.sheets if is_wrong(sheet.page)]


def _of_streams(what: str, is_wrong: Callable[[PaintedContent], bool]) -> Demand:
    return lambda survey: [Flaw(what, page) for page, drawing in survey.list_streams() if is_wrong(drawing)]


def _holds_postscript(drawing: PaintedContent) -> bool:
    things = drawing.resources.get("/XObject", Dictionary()).values()
    return any(isinstance(each, Stream) and (each.get("/Subtype") == Name.PS or "/PS" in each) for each in things)


def _sets_transfer_curve(drawing: PaintedContent) -> bool:
    """Tell whether a curve changes colours behind the printer's back."""
    states = drawing.states.values()
    return any("/TR" in state or state.get("/TR2", Name.Default) != Name.Default for state in states)


def find_untagged_rgb(survey: Survey) -> Iterator[Flaw]:
    """Find RGB without a profile that says what it means, which PDF/X-4 does not take."""
    for page, what, space in list_spaces(survey):
        if any(each.family == "rgb" and not each.has_profile for each in space.list_all()):
            yield Flaw(f"{what} in RGB without a profile", page)


def find_foreign_colors(survey: Survey) -> Iterator[Flaw]:
    """Find colours other than inks of the press, even with a profile: PDF/X-1a takes none."""
    for page, what, space in list_spaces(survey):
        if any(each.family in FOREIGN or each.has_profile for each in space.list_all()):
            yield Flaw(f"{what} in {space.name}", page)


def find_transparency(survey: Survey) -> Iterator[Flaw]:
    """Find what shines through in content."""
    for page, drawing in survey.list_streams():
        for form in drawing.forms:
            if _is_group(form.stream):
                yield Flaw("there is a transparency group", page)
        for placed in drawing.pictures:
            if "/SMask" in placed.picture.entries or int(placed.picture.entries.get("/SMaskInData", 0)):
                yield Flaw("an image has a soft mask", page)
        for state in drawing.states.values():
            if _shines_through(state):
                yield Flaw("something is transparent", page)


def _shines_through(state: Any) -> bool:
    if isinstance(state.get("/SMask"), Dictionary) or min(float(state.get(key, 1)) for key in ("/ca", "/CA")) < 1:
        return True
    mode = state.get("/BM", Name.Normal)
    return str(mode[0] if isinstance(mode, Array) else mode) not in OPAQUE_MODES


def _is_group(holder: Any) -> bool:
    return bool(holder.get("/Group", Dictionary()).get("/S") == Name.Transparency)


def find_modern_filters(survey: Survey) -> Iterator[Flaw]:
    """Find pictures that are packed in a way that PDF/X-1a leaves out."""
    for page, drawing in survey.list_streams():
        for placed in drawing.pictures:
            packed = placed.picture.entries.get("/Filter", Array())
            names = {str(name) for name in (packed if isinstance(packed, Array) else [packed])}
            for name in sorted(names & YOUNG_FILTERS):
                yield Flaw(f"an image is packed with {name[1:]}", page)


def check_version(survey: Survey, newest: str) -> Iterator[Flaw]:
    """Check that the file says a version of PDF that the standard builds on."""
    version = survey.pdf.pdf_version
    if tuple(map(int, version.split("."))) > tuple(map(int, newest.split("."))):
        yield Flaw(f"it is PDF {version} (at most {newest})")


def check_output_intent(survey: Survey, needs_profile: bool) -> Iterator[Flaw]:
    """Check that one output intent names the press of the colours, with a true CMYK printer profile."""
    intents = [each for each in survey.pdf.Root.get("/OutputIntents", Array()) if each.get("/S") == Name.GTS_PDFX]
    if len(intents) != 1:
        yield Flaw("there is no output intent" if not intents else f"there are {len(intents)} output intents")
        return
    if not str(intents[0].get("/OutputConditionIdentifier", "")):
        yield Flaw("the output intent names no printing condition")
    profile = intents[0].get("/DestOutputProfile")
    if profile is None and not needs_profile and "/RegistryName" in intents[0]:
        return
    if not isinstance(profile, Stream):
        yield Flaw("the output intent carries no profile")
        return
    data = profile.read_bytes()
    if data[36:40] != b"acsp" or int.from_bytes(data[:4], "big") != len(data):
        yield Flaw("the output intent's profile is no ICC profile")
    elif data[12:16] != b"prtr" or data[16:20] != b"CMYK" or int(profile.get("/N", 0)) != 4:
        yield Flaw("the output intent's profile is not that of a CMYK printer")


def _find_lacking(where: str, said: Mapping[str, str], needs: Mapping[str, str]) -> Iterator[Flaw]:
    missing = [words for key, words in needs.items() if not said.get(key)]
    if missing:
        yield Flaw(f"{where} lacks {', '.join(missing)}")


def check_trapped(survey: Survey, in_xmp: bool) -> Iterator[Flaw]:
    """Check that the file says whether it is trapped, and says it alike in both places."""
    info, xmp = survey.identity.info, survey.identity.xmp
    said = [info.get("/Trapped", "").removeprefix("/")] if "/Trapped" in info or not in_xmp else []
    if in_xmp:
        said.append(xmp.get("trapped", ""))
    if not set(said) <= {"True", "False"}:
        yield Flaw("it does not say whether it is trapped (True or False)")
    elif len(set(said)) > 1:
        yield Flaw("metadata and Info disagree on trapping")


def check_dates(survey: Survey) -> Iterator[Flaw]:
    """Check that dates of the metadata and of the Info dictionary are the same moments."""
    info, xmp = survey.identity.info, survey.identity.xmp
    for word, key, name in (("created", "/CreationDate", "creation"), ("modified", "/ModDate", "modification")):
        if word in xmp and key in info and not _is_same_moment(xmp[word], info[key]):
            yield Flaw(f"metadata and Info disagree on the {name} date")


def _is_same_moment(xmp: str, info: str) -> bool:
    """Compare 2026-01-02T03:04:05+01:00 with D:20260102030405+01'00'; without a zone it is Greenwich's everywhere."""
    try:
        dates = datetime.fromisoformat(xmp), decode_pdf_date(info)
    except ValueError:
        return False
    one, other = (date if date.tzinfo else date.replace(tzinfo=UTC) for date in dates)
    return one == other


def _has_action(page: Page) -> bool:
    return "/AA" in page.obj or any("/A" in note or "/AA" in note for note in page.obj.get("/Annots", Array()))


def _has_printed_note(page: Page) -> bool:
    """Tell whether an annotation lies where the page is printed."""
    left, bottom, right, top = find_box(page, "/BleedBox")
    for note in page.obj.get("/Annots", Array()):
        x0, y0, x1, y1 = order_box(note.get("/Rect", Array([0, 0, 0, 0])))
        inside = x0 < right and x1 > left and y0 < top and y1 > bottom
        if inside and str(note.get("/Subtype")) not in HARMLESS_NOTES:
            return True
    return False


def _has_nameless_layers(survey: Survey) -> bool:
    layers = survey.pdf.Root.get("/OCProperties")
    settings = [] if layers is None else [layers.get("/D", Dictionary()), *layers.get("/Configs", Array())]
    return not all(str(each.get("/Name", "")) for each in settings)


def _starts_action(survey: Survey) -> bool:
    return "/AA" in survey.pdf.Root or isinstance(survey.pdf.Root.get("/OpenAction"), Dictionary)


COMMON: tuple[Demand, ...] = (  # what all parts of the standard ask for
    check_dates,
    _of_file("it has no id", lambda survey: len(survey.pdf.trailer.get("/ID", Array())) != 2),
    # a page is trimmed by its trim box, and an art box would say something else
    _of_pages("there is an art box beside the trim box", lambda page: "/ArtBox" in page.obj),
    # nothing may happen by itself
    _of_file("it carries JavaScript", lambda survey: "/JavaScript" in survey.pdf.Root.get("/Names", Dictionary())),
    _of_file("it starts an action when it is opened", _starts_action),
    _of_pages("there is an action", _has_action),
    _of_pages("an annotation lies inside the bleed box", _has_printed_note),
    _of_streams("there is PostScript", _holds_postscript),
    _of_streams("a transfer curve is set", _sets_transfer_curve),
)
DEMANDS: dict[Standard, tuple[Demand, ...]] = {
    "PDF/X-4": (
        partial(check_version, newest="1.6"),
        partial(check_output_intent, needs_profile=True),
        lambda survey: _find_lacking("the metadata", survey.identity.xmp, XMP_NEEDS),
        partial(check_trapped, in_xmp=True),
        _of_file("the settings of its layers have no name", _has_nameless_layers),
        find_untagged_rgb,
        *COMMON,
    ),
    "PDF/X-1a": (
        partial(check_version, newest="1.4"),
        _of_file(
            "its objects are packed in a way that PDF 1.4 does not know",
            lambda survey: bool(MODERN_STREAMS.search(survey.data)),
        ),
        partial(check_output_intent, needs_profile=False),
        lambda survey: _find_lacking("Info", survey.identity.info, INFO_NEEDS),  # older readers look nowhere else
        partial(check_trapped, in_xmp=False),
        _of_file("it has layers", lambda survey: "/OCProperties" in survey.pdf.Root),
        find_foreign_colors,
        _of_pages("the page is a transparency group", lambda page: _is_group(page.obj)),
        find_transparency,
        find_modern_filters,
        *COMMON,
    ),
}


def check_standard(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that a claim is kept in every point, and that an expected standard is claimed."""
    claim = survey.identity.claim
    claimed: Standard | None = (
        "PDF/X-1a" if claim.startswith("PDF/X-1a:") else "PDF/X-4" if claim == "PDF/X-4" else None
    )
    if limits.standard and claimed != limits.standard:
        said = f"it claims {claim}" if claim else "it claims no standard"
        return judge("standard", [Flaw(f"{said}; {limits.standard} is expected")], "")
    if claimed is None:
        said = f"it claims {claim}, which these rules do not cover" if claim else "it claims none"
        return Finding("standard", "none", said)
    flaws = [flaw for demand in DEMANDS[claimed] for flaw in demand(survey)]
    finding = judge("standard", flaws, f"{claim}: what the file claims holds, as far as these rules look")
    return replace(finding, what=f"it claims {claim}, but {finding.what}") if flaws else finding
