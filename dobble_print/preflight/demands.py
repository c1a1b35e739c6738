"""Demands of the standards on a file's frame: version, output intent, metadata, dates, actions, layers.

Each demand yields what is wrong and nothing when all is well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pikepdf import Array, Dictionary, Name, Stream

from dobble_print.pdf.document import Identity, read_info_date, read_xmp_date
from dobble_print.pdf.report import Flaw
from dobble_print.preflight.boxes import bleed_box, order_box
from dobble_print.preflight.survey import Survey

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


def doubt_version(survey: Survey, newest: str) -> Iterator[Flaw]:
    """The file says a version of PDF that the standard builds on."""
    version = survey.pdf.pdf_version
    if tuple(map(int, version.split("."))) > tuple(map(int, newest.split("."))):
        yield Flaw(f"it is PDF {version} (at most {newest})")


def doubt_intent(survey: Survey, needs_profile: bool) -> Iterator[Flaw]:
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
    yield from _doubt_profile(profile)


def _doubt_profile(profile: Any) -> Iterator[Flaw]:
    if not isinstance(profile, Stream):
        yield Flaw("the output intent carries no profile")
        return
    data = profile.read_bytes()
    if data[36:40] != b"acsp" or int.from_bytes(data[:4], "big") != len(data):
        yield Flaw("the output intent's profile is no ICC profile")
    elif data[12:16] != b"prtr" or data[16:20] != b"CMYK" or int(profile.get("/N", 0)) != 4:
        yield Flaw("the output intent's profile is not that of a CMYK printer")


def doubt_xmp(identity: Identity) -> Iterator[Flaw]:
    """The metadata is complete."""
    missing = [words for key, words in XMP_NEEDS.items() if not identity.xmp.get(key)]
    if missing:
        yield Flaw(f"the metadata lacks {', '.join(missing)}")


def doubt_trapped(identity: Identity, in_xmp: bool) -> Iterator[Flaw]:
    """The file says whether it is trapped, and says it alike in both places."""
    said = [identity.info.get("/Trapped", "").removeprefix("/")] if "/Trapped" in identity.info or not in_xmp else []
    if in_xmp:
        said.append(identity.xmp.get("trapped", ""))
    if not set(said) <= {"True", "False"}:
        yield Flaw("it does not say whether it is trapped (True or False)")
    elif len(set(said)) > 1:
        yield Flaw("metadata and Info disagree on trapping")


def doubt_dates(identity: Identity) -> Iterator[Flaw]:
    """Dates of the metadata and of the Info dictionary are the same moments."""
    for word, key, name in (("created", "/CreationDate", "creation"), ("modified", "/ModDate", "modification")):
        if word in identity.xmp and key in identity.info:
            dates = read_xmp_date(identity.xmp[word]), read_info_date(identity.info[key])
            if None in dates or _moment(dates[0]) != _moment(dates[1]):
                yield Flaw(f"metadata and Info disagree on the {name} date")


def _moment(date: datetime | None) -> float | None:
    """A date without a zone is taken as Greenwich's, so that no machine judges otherwise than another."""
    return None if date is None else (date if date.tzinfo else datetime.fromisoformat(f"{date}+00:00")).timestamp()


def doubt_info(identity: Identity) -> Iterator[Flaw]:
    """The Info dictionary has a title and both dates; older readers know no other place."""
    names = {"/Title": "a title", "/CreationDate": "a creation date", "/ModDate": "a modification date"}
    missing = [words for key, words in names.items() if not identity.info.get(key)]
    if missing:
        yield Flaw(f"Info lacks {', '.join(missing)}")


def doubt_id(survey: Survey) -> Iterator[Flaw]:
    """The file has an id."""
    if len(survey.pdf.trailer.get("/ID", Array())) != 2:
        yield Flaw("it has no id")


def doubt_actions(survey: Survey) -> Iterator[Flaw]:
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


def doubt_notes(survey: Survey) -> Iterator[Flaw]:
    """No annotation lies where the page is printed."""
    for sheet in survey.sheets:
        left, bottom, right, top = bleed_box(sheet)
        for note in sheet.page.obj.get("/Annots", Array()):
            x0, y0, x1, y1 = order_box(note.get("/Rect", Array([0, 0, 0, 0])))
            inside = x0 < right and x1 > left and y0 < top and y1 > bottom
            if inside and str(note.get("/Subtype")) not in HARMLESS_NOTES:
                yield Flaw("an annotation lies inside the bleed box", sheet.number)


def doubt_art_boxes(survey: Survey) -> Iterator[Flaw]:
    """A page is trimmed by its trim box; an art box beside it would say something else."""
    for sheet in survey.sheets:
        if "/ArtBox" in sheet.page.obj:
            yield Flaw("there is an art box beside the trim box", sheet.number)


def doubt_layer_names(survey: Survey) -> Iterator[Flaw]:
    """Layers are allowed where their settings have a name."""
    layers = survey.pdf.Root.get("/OCProperties")
    if layers is None:
        return
    settings = [layers.get("/D", Dictionary()), *layers.get("/Configs", Array())]
    if not all(str(each.get("/Name", "")) for each in settings):
        yield Flaw("the settings of its layers have no name")


def doubt_layers(survey: Survey) -> Iterator[Flaw]:
    """No layers at all."""
    if "/OCProperties" in survey.pdf.Root:
        yield Flaw("it has layers")


def doubt_packing(survey: Survey) -> Iterator[Flaw]:
    """No object streams, which PDF 1.4 does not know."""
    if MODERN_STREAMS.search(survey.data):
        yield Flaw("its objects are packed in a way that PDF 1.4 does not know")
