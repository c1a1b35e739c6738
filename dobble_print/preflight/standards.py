"""What PDF/X-4 and PDF/X-1a demand, each demand a function that names the flaws."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain
from typing import Any

from pikepdf import Array, Dictionary, Name, Stream

from dobble_print.pdf.content import PaintedContent
from dobble_print.pdf.document import Identity, bleed_box, order_box, read_identity, read_info_date, read_xmp_date
from dobble_print.pdf.report import Finding, Flaw, Limits, Standard, judge, pass_over
from dobble_print.preflight.color import list_spaces
from dobble_print.preflight.survey import Survey

YOUNG_FILTERS = {"/JPXDecode", "/JBIG2Decode", "/LZWDecode"}
OPAQUE_MODES = {"/Normal", "/Compatible"}


def find_postscript(survey: Survey) -> Iterator[Flaw]:
    """No fragments of PostScript."""
    for page, drawing in survey.list_streams():
        if any(thing.get("/Subtype") == Name.PS or "/PS" in thing for thing in _list_objects(drawing)):
            yield Flaw("there is PostScript", page)


def find_transfer_curves(survey: Survey) -> Iterator[Flaw]:
    """No transfer curves, which change colours behind the printer's back."""
    for page, drawing in survey.list_streams():
        for state in drawing.states.values():
            if "/TR" in state or state.get("/TR2", Name.Default) != Name.Default:
                yield Flaw("a transfer curve is set", page)


def find_untagged_rgb(survey: Survey) -> Iterator[Flaw]:
    """PDF/X-4 takes RGB only with a profile that says what it means."""
    for page, what, space in list_spaces(survey):
        if any(each.family == "rgb" and not each.has_profile for each in space.list_all()):
            yield Flaw(f"{what} in RGB without a profile", page)


def find_foreign_colors(survey: Survey) -> Iterator[Flaw]:
    """PDF/X-1a takes the inks of the press and nothing else, not even with a profile."""
    for page, what, space in list_spaces(survey):
        if any(each.family in ("rgb", "lab", "unknown") or each.has_profile for each in space.list_all()):
            yield Flaw(f"{what} in {space.name}", page)


def find_transparency(survey: Survey) -> Iterator[Flaw]:
    """Nothing shines through anything."""
    for sheet in survey.sheets:
        if _is_group(sheet.page.obj):
            yield Flaw("the page is a transparency group", sheet.number)
    for page, drawing in survey.list_streams():
        for what in dict.fromkeys(_list_transparent(drawing)):
            yield Flaw(what, page)


def find_modern_filters(survey: Survey) -> Iterator[Flaw]:
    """No picture is packed in a way that PDF/X-1a leaves out."""
    for page, drawing in survey.list_streams():
        for placed in drawing.pictures:
            packed = placed.picture.entries.get("/Filter", Array())
            names = {str(name) for name in (packed if isinstance(packed, Array) else [packed])}
            for name in sorted(names & YOUNG_FILTERS):
                yield Flaw(f"an image is packed with {name[1:]}", page)


def _list_transparent(drawing: PaintedContent) -> Iterator[str]:
    for form in drawing.forms:
        if _is_group(form.stream):
            yield "there is a transparency group"
    for placed in drawing.pictures:
        if "/SMask" in placed.picture.entries or int(placed.picture.entries.get("/SMaskInData", 0)):
            yield "an image has a soft mask"
    for state in drawing.states.values():
        if _shines_through(state):
            yield "something is transparent"


def _shines_through(state: Any) -> bool:
    if isinstance(state.get("/SMask"), Dictionary) or min(float(state.get(key, 1)) for key in ("/ca", "/CA")) < 1:
        return True
    mode = state.get("/BM", Name.Normal)
    return str(mode[0] if isinstance(mode, Array) else mode) not in OPAQUE_MODES


def _is_group(holder: Any) -> bool:
    return bool(holder.get("/Group", Dictionary()).get("/S") == Name.Transparency)


def _list_objects(drawing: PaintedContent) -> list[Any]:
    known = drawing.resources.get("/XObject", Dictionary())
    return [thing for thing in known.values() if isinstance(thing, Stream)]


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


def check_version(survey: Survey, newest: str) -> Iterator[Flaw]:
    """The file says a version of PDF that the standard builds on."""
    version = survey.pdf.pdf_version
    if tuple(map(int, version.split("."))) > tuple(map(int, newest.split("."))):
        yield Flaw(f"it is PDF {version} (at most {newest})")


def check_output_intent(survey: Survey, needs_profile: bool) -> Iterator[Flaw]:
    """One output intent says for which press the colours are made, with a true CMYK printer profile."""
    intents = [each for each in survey.pdf.Root.get("/OutputIntents", Array()) if each.get("/S") == Name.GTS_PDFX]
    if len(intents) != 1:
        yield Flaw("there is no output intent" if not intents else f"there are {len(intents)} output intents")
        return
    if not str(intents[0].get("/OutputConditionIdentifier", "")):
        yield Flaw("the output intent names no printing condition")
    profile = intents[0].get("/DestOutputProfile")
    if profile is None and not needs_profile and "/RegistryName" in intents[0]:
        return
    yield from _check_profile(profile)


def _check_profile(profile: Any) -> Iterator[Flaw]:
    if not isinstance(profile, Stream):
        yield Flaw("the output intent carries no profile")
        return
    data = profile.read_bytes()
    if data[36:40] != b"acsp" or int.from_bytes(data[:4], "big") != len(data):
        yield Flaw("the output intent's profile is no ICC profile")
    elif data[12:16] != b"prtr" or data[16:20] != b"CMYK" or int(profile.get("/N", 0)) != 4:
        yield Flaw("the output intent's profile is not that of a CMYK printer")


def check_xmp(identity: Identity) -> Iterator[Flaw]:
    """The metadata is complete."""
    missing = [words for key, words in XMP_NEEDS.items() if not identity.xmp.get(key)]
    if missing:
        yield Flaw(f"the metadata lacks {', '.join(missing)}")


def check_trapped(identity: Identity, in_xmp: bool) -> Iterator[Flaw]:
    """The file says whether it is trapped, and says it alike in both places."""
    said = [identity.info.get("/Trapped", "").removeprefix("/")] if "/Trapped" in identity.info or not in_xmp else []
    if in_xmp:
        said.append(identity.xmp.get("trapped", ""))
    if not set(said) <= {"True", "False"}:
        yield Flaw("it does not say whether it is trapped (True or False)")
    elif len(set(said)) > 1:
        yield Flaw("metadata and Info disagree on trapping")


def check_dates(identity: Identity) -> Iterator[Flaw]:
    """Dates of the metadata and of the Info dictionary are the same moments."""
    for word, key, name in (("created", "/CreationDate", "creation"), ("modified", "/ModDate", "modification")):
        if word in identity.xmp and key in identity.info:
            dates = read_xmp_date(identity.xmp[word]), read_info_date(identity.info[key])
            if None in dates or _moment(dates[0]) != _moment(dates[1]):
                yield Flaw(f"metadata and Info disagree on the {name} date")


def _moment(date: datetime | None) -> float | None:
    """A date without a zone is taken as Greenwich's, so that no machine judges otherwise than another."""
    return None if date is None else (date if date.tzinfo else datetime.fromisoformat(f"{date}+00:00")).timestamp()


def check_info(identity: Identity) -> Iterator[Flaw]:
    """The Info dictionary has a title and both dates; older readers know no other place."""
    names = {"/Title": "a title", "/CreationDate": "a creation date", "/ModDate": "a modification date"}
    missing = [words for key, words in names.items() if not identity.info.get(key)]
    if missing:
        yield Flaw(f"Info lacks {', '.join(missing)}")


def check_id(survey: Survey) -> Iterator[Flaw]:
    """The file has an id."""
    if len(survey.pdf.trailer.get("/ID", Array())) != 2:
        yield Flaw("it has no id")


def find_actions(survey: Survey) -> Iterator[Flaw]:
    """Nothing happens by itself: no scripts, no actions."""
    root = survey.pdf.Root
    if "/JavaScript" in root.get("/Names", Dictionary()):
        yield Flaw("it carries JavaScript")
    if "/AA" in root or isinstance(root.get("/OpenAction"), Dictionary):
        yield Flaw("it starts an action when it is opened")
    for sheet in survey.sheets:
        notes = sheet.page.obj.get("/Annots", Array())
        if "/AA" in sheet.page.obj or any("/A" in note or "/AA" in note for note in notes):
            yield Flaw("there is an action", sheet.number)


def find_annotations(survey: Survey) -> Iterator[Flaw]:
    """No annotation lies where the page is printed."""
    for sheet in survey.sheets:
        left, bottom, right, top = bleed_box(sheet.page)
        for note in sheet.page.obj.get("/Annots", Array()):
            x0, y0, x1, y1 = order_box(note.get("/Rect", Array([0, 0, 0, 0])))
            inside = x0 < right and x1 > left and y0 < top and y1 > bottom
            if inside and str(note.get("/Subtype")) not in HARMLESS_NOTES:
                yield Flaw("an annotation lies inside the bleed box", sheet.number)


def find_art_boxes(survey: Survey) -> Iterator[Flaw]:
    """A page is trimmed by its trim box; an art box beside it would say something else."""
    for sheet in survey.sheets:
        if "/ArtBox" in sheet.page.obj:
            yield Flaw("there is an art box beside the trim box", sheet.number)


def check_layer_names(survey: Survey) -> Iterator[Flaw]:
    """Layers are allowed where their settings have a name."""
    layers = survey.pdf.Root.get("/OCProperties")
    if layers is None:
        return
    settings = [layers.get("/D", Dictionary()), *layers.get("/Configs", Array())]
    if not all(str(each.get("/Name", "")) for each in settings):
        yield Flaw("the settings of its layers have no name")


def find_layers(survey: Survey) -> Iterator[Flaw]:
    """No layers at all."""
    if "/OCProperties" in survey.pdf.Root:
        yield Flaw("it has layers")


def find_object_streams(survey: Survey) -> Iterator[Flaw]:
    """No object streams, which PDF 1.4 does not know."""
    if MODERN_STREAMS.search(survey.data):
        yield Flaw("its objects are packed in a way that PDF 1.4 does not know")


def check_standard(survey: Survey, limits: Limits) -> Finding:
    """A claim is kept in every point, and an expected standard is claimed."""
    identity = read_identity(survey.pdf)
    claimed = _recognise(identity.claim)
    if limits.standard and claimed != limits.standard:
        said = f"it claims {identity.claim}" if identity.claim else "it claims no standard"
        return judge("standard", [Flaw(f"{said}; {limits.standard} is expected")], "")
    if claimed is None:
        said = f"it claims {identity.claim}, which these rules do not cover" if identity.claim else "it claims none"
        return pass_over("standard", said)
    flaws = list(DEMANDS[claimed](survey, identity))
    finding = judge("standard", flaws, f"{identity.claim}: what the file claims holds, as far as these rules look")
    if finding.verdict == "fail":
        return Finding("standard", "fail", f"it claims {identity.claim}, but {finding.what}", finding.pages)
    return finding


def _recognise(claim: str) -> Standard | None:
    if claim == "PDF/X-4":
        return "PDF/X-4"
    return "PDF/X-1a" if claim.startswith("PDF/X-1a:") else None


def _check_x4(survey: Survey, identity: Identity) -> Iterator[Flaw]:
    return chain(
        check_version(survey, "1.6"),
        check_output_intent(survey, needs_profile=True),
        check_xmp(identity),
        check_trapped(identity, in_xmp=True),
        check_layer_names(survey),
        find_untagged_rgb(survey),
        _check_common_rules(survey, identity),
    )


def _check_x1a(survey: Survey, identity: Identity) -> Iterator[Flaw]:
    return chain(
        check_version(survey, "1.4"),
        find_object_streams(survey),
        check_output_intent(survey, needs_profile=False),
        check_info(identity),
        check_trapped(identity, in_xmp=False),
        find_layers(survey),
        find_foreign_colors(survey),
        find_transparency(survey),
        find_modern_filters(survey),
        _check_common_rules(survey, identity),
    )


def _check_common_rules(survey: Survey, identity: Identity) -> Iterator[Flaw]:
    """What all parts of the standard ask for."""
    return chain(
        check_dates(identity),
        check_id(survey),
        find_art_boxes(survey),
        find_actions(survey),
        find_annotations(survey),
        find_postscript(survey),
        find_transfer_curves(survey),
    )


DEMANDS: dict[Standard, Callable[[Survey, Identity], Iterator[Flaw]]] = {"PDF/X-4": _check_x4, "PDF/X-1a": _check_x1a}
