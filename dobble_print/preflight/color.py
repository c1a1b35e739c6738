"""The rules about colour: which plates a page uses, and how much ink lies on one spot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dobble_print.pdf.color_spaces import Space, read_space
from dobble_print.pdf.content import PaintedContent, key_of
from dobble_print.pdf.images import Colors, list_pixel_colors, list_shading_colors
from dobble_print.pdf.report import Finding, Flaw, ShopLimits, judge
from dobble_print.preflight.plates import sum_plates
from dobble_print.preflight.survey import Survey

PLATES = {"All", "None", "Cyan", "Magenta", "Yellow", "Black"}  # these names need no plate of their own
FOREIGN = {"rgb", "lab", "unknown"}


def check_color(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that all is grey, CMYK or spot ink; name with its place what a press would have to convert."""
    flaws = []
    profiles = False
    for page, what, space in list_spaces(survey):
        foreign = [each for each in space.list_all() if each.family in FOREIGN]
        flaws += [Flaw(f"{what} in {each.name}", page) for each in foreign]
        profiles = profiles or any(each.has_profile for each in space.list_all())
        strays = [plate for plate in space.plates if plate not in PLATES and not limits.is_cut(plate)]
        flaws += [Flaw(f"{what} on a plate of its own, {plate}, that is no cut", page) for plate in strays]
    note = "; some with a profile of their own" if profiles else ""
    return judge("colour", flaws, f"only grey, CMYK and the ink of the cut{note}")


def list_spaces(survey: Survey) -> Iterator[tuple[int, str, Space]]:
    """Yield every colour space a file uses, with its page and what is coloured with it."""
    for page, drawing in survey.list_streams():
        for what, space in _list_in_stream(drawing):
            yield page, what, space
    for sheet in survey.sheets:
        yield from ((sheet.number, "a group", space) for space in _list_in_group(sheet.page.obj, None))


def _list_in_stream(drawing: PaintedContent) -> Iterator[tuple[str, Space]]:
    for space in dict.fromkeys(color.space for color in drawing.colors):
        yield "a line, fill or text", space
    for placed in drawing.pictures:
        if placed.picture.space is not None:
            yield "an image", placed.picture.space
    for shading in drawing.shadings.values():
        yield "a gradient", read_space(shading.ColorSpace, drawing.resources)
    for form in drawing.forms:
        yield from (("a group", space) for space in _list_in_group(form.stream, drawing.resources))
    for mask in drawing.list_masks():
        yield from (("a soft mask", space) for space in _list_in_group(mask, drawing.resources))


def _list_in_group(holder: Any, resources: Any) -> list[Space]:
    group = holder.get("/Group")
    space = None if group is None else group.get("/CS")
    return [] if space is None else [read_space(space, resources)]


DECODING = 0.02  # two readers of one JPEG differ by one step in each ink
UNPRINTED = {"All", "None"}


_Load = tuple[float, str]  # the most ink of something, and what that is


def check_ink(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that the most ink of any colour stays within the limit; name each page that has more."""
    streams = {key: drawing for sheet in survey.sheets for key, drawing in sheet.streams.items()}
    weighed = {key: list(_weigh(drawing, limits)) for key, drawing in streams.items()}
    flaws, loads = [], []
    for sheet in survey.sheets:
        heaviest = max((load for key in sheet.streams for load in weighed[key] if load), default=None)
        if heaviest:
            loads.append(heaviest)
        if heaviest and heaviest[0] > limits.ink_limit + DECODING:
            what = f"{_describe(heaviest)} ({limits.ink_limit:.0%} at most)".replace("%", " %")
            flaws.append(Flaw(what, sheet.number))
    over = [sheet.number for sheet in survey.sheets if any(each.overprints for each in sheet.streams.values())]
    for page, most in sum_plates(survey.data, over, limits) if over else ():
        loads.append((most, "what overprints and what lies under it"))
        if most > limits.ink_limit + DECODING:
            flaws.append(Flaw(f"{_describe(loads[-1])} ({limits.ink_limit:.0%} at most)".replace("%", " %"), page))
    unknown = sum(load is None for found in weighed.values() for load in found)
    note = f"; {unknown} image{'s' * (unknown != 1)} or gradients could not be measured" if unknown else ""
    if not loads:
        return Finding("ink", "none", f"nothing to measure{note}")
    return judge("ink", flaws, f"at most {_describe(max(loads))}{note}".replace("%", " %"))


def _describe(load: _Load) -> str:
    return f"{load[0]:.0%} in {load[1]}"


def _weigh(drawing: PaintedContent, limits: ShopLimits) -> Iterator[_Load | None]:
    """Yield the heaviest colour of each thing in a stream; None where it could not be measured."""
    for color in drawing.colors:
        if color.values and _is_inked(color.space) and not color.is_for_marks:
            yield _measure_ink(color.space, np.array([color.values]), "a line, fill or text", limits)
    for what, space, colors in _list_sampled(drawing):
        if colors is not None:
            yield _measure_ink(space, colors, what, limits)
        elif _is_inked(space):
            yield None


def _list_sampled(drawing: PaintedContent) -> Iterator[tuple[str, Space, Colors | None]]:
    """Yield images and gradients with their colours; the pixels of a single ink, never too much, stay unread."""
    for picture in {key_of(each.picture.entries): each.picture for each in drawing.pictures}.values():
        space = picture.space
        shown = space.base if space is not None and space.family == "indexed" else space
        if shown is not None and shown.count > 1:
            yield "an image", shown, list_pixel_colors(picture) if _is_inked(shown) else None
    for shading in drawing.shadings.values():
        space = read_space(shading.ColorSpace, drawing.resources)
        yield "a gradient", space, list_shading_colors(shading, space.count) if _is_inked(space) else None


def _is_inked(space: Space) -> bool:
    """Tell whether the numbers of a space are inks; light (RGB, Lab) is what the colour rule objects to."""
    return space.family in ("gray", "cmyk", "spot")


def _measure_ink(space: Space, colors: Colors, what: str, limits: ShopLimits) -> _Load:
    """Return the largest sum of inks among colours."""
    if space.family == "gray":
        inks = 1 - colors
    elif space.family == "spot":
        counts = [plate not in UNPRINTED and not limits.is_cut(plate) for plate in space.plates]
        inks = colors * np.array(counts)[: colors.shape[1]]
    else:
        inks = colors
    return round(float(np.clip(inks, 0.0, 1.0).sum(axis=1).max()), 4), what
