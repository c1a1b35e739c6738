"""Colour: only inks of the press, in every operator, image, gradient and group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pikepdf import Dictionary

from dobble_print.pdf.color_spaces import Space, read_space
from dobble_print.pdf.content import Drawing
from dobble_print.pdf.report import Finding, Flaw, Limits, judge
from dobble_print.preflight.survey import Survey

PLATES = {"All", "None", "Cyan", "Magenta", "Yellow", "Black"}  # these names need no plate of their own
FOREIGN = {"rgb", "lab", "unknown"}


def check_color(survey: Survey, limits: Limits) -> Finding:
    """Grey, CMYK and spot inks; anything a press would have to convert is named with its place."""
    flaws = []
    profiles = False
    spots: dict[str, None] = {}
    for page, what, space in list_spaces(survey):
        foreign = [each for each in space.list_all() if each.family in FOREIGN]
        flaws += [Flaw(f"{what} in {each.name}", page) for each in foreign]
        profiles = profiles or any(each.has_profile for each in space.list_all())
        spots |= dict.fromkeys(plate for plate in space.plates if plate not in PLATES and not limits.is_cut(plate))
    note = "; some with a profile of their own" if profiles else ""
    note += f"; spot inks besides the cut: {', '.join(sorted(spots))}" if spots else ""
    return judge("colour", flaws, f"only grey, CMYK and spot inks{note}")


def list_spaces(survey: Survey) -> Iterator[tuple[int, str, Space]]:
    """Every colour space a file uses, with its page and what is coloured with it."""
    for page, drawing in survey.list_streams():
        for what, space in _list_in_stream(drawing):
            yield page, what, space
    for sheet in survey.sheets:
        yield from ((sheet.number, "a group", space) for space in _list_in_group(sheet.page.obj, None))


def _list_in_stream(drawing: Drawing) -> Iterator[tuple[str, Space]]:
    for space in dict.fromkeys(color.space for color in drawing.colors):
        yield "a line, fill or text", space
    for placed in drawing.pictures:
        if placed.picture.space is not None:
            yield "an image", placed.picture.space
    for shading in drawing.shadings.values():
        yield "a gradient", read_space(shading.ColorSpace, drawing.resources)
    for form in drawing.forms:
        yield from (("a group", space) for space in _list_in_group(form.stream, drawing.resources))
    for state in drawing.states.values():
        mask = state.get("/SMask")
        if isinstance(mask, Dictionary) and "/G" in mask:
            yield from (("a soft mask", space) for space in _list_in_group(mask.G, drawing.resources))


def _list_in_group(holder: Any, resources: Any) -> list[Space]:
    group = holder.get("/Group")
    space = None if group is None else group.get("/CS")
    return [] if space is None else [read_space(space, resources)]
