"""Demands of the standards on what pages do: no PostScript, no transfer curves; for PDF/X-1a no transparency either.

Each demand yields what is wrong and nothing when all is well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pikepdf import Array, Dictionary, Name, Stream

from dobble_print.pdf.content import Drawing
from dobble_print.pdf.report import Flaw
from dobble_print.preflight.color import list_spaces
from dobble_print.preflight.survey import Survey

YOUNG_FILTERS = {"/JPXDecode", "/JBIG2Decode", "/LZWDecode"}
OPAQUE_MODES = {"/Normal", "/Compatible"}


def doubt_postscript(survey: Survey) -> Iterator[Flaw]:
    """No fragments of PostScript."""
    for page, drawing in survey.list_streams():
        if any(thing.get("/Subtype") == Name.PS or "/PS" in thing for thing in _list_objects(drawing)):
            yield Flaw("there is PostScript", page)


def doubt_transfer(survey: Survey) -> Iterator[Flaw]:
    """No transfer curves, which change colours behind the printer's back."""
    for page, drawing in survey.list_streams():
        for state in drawing.states.values():
            if "/TR" in state or state.get("/TR2", Name.Default) != Name.Default:
                yield Flaw("a transfer curve is set", page)


def doubt_light(survey: Survey) -> Iterator[Flaw]:
    """PDF/X-4 takes RGB only with a profile that says what it means."""
    for page, what, space in list_spaces(survey):
        if any(each.family == "rgb" and not each.has_profile for each in space.list_all()):
            yield Flaw(f"{what} in RGB without a profile", page)


def doubt_foreign_color(survey: Survey) -> Iterator[Flaw]:
    """PDF/X-1a takes the inks of the press and nothing else, not even with a profile."""
    for page, what, space in list_spaces(survey):
        if any(each.family in ("rgb", "lab", "unknown") or each.has_profile for each in space.list_all()):
            yield Flaw(f"{what} in {space.name}", page)


def doubt_transparency(survey: Survey) -> Iterator[Flaw]:
    """Nothing shines through anything."""
    for sheet in survey.sheets:
        if _is_group(sheet.page.obj):
            yield Flaw("the page is a transparency group", sheet.number)
    for page, drawing in survey.list_streams():
        for what in dict.fromkeys(_list_transparent(drawing)):
            yield Flaw(what, page)


def doubt_filters(survey: Survey) -> Iterator[Flaw]:
    """No picture is packed in a way that PDF/X-1a leaves out."""
    for page, drawing in survey.list_streams():
        for placed in drawing.pictures:
            packed = placed.picture.entries.get("/Filter", Array())
            names = {str(name) for name in (packed if isinstance(packed, Array) else [packed])}
            for name in sorted(names & YOUNG_FILTERS):
                yield Flaw(f"an image is packed with {name[1:]}", page)


def _list_transparent(drawing: Drawing) -> Iterator[str]:
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


def _list_objects(drawing: Drawing) -> list[Any]:
    known = drawing.resources.get("/XObject", Dictionary())
    return [thing for thing in known.values() if isinstance(thing, Stream)]
