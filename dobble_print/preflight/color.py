"""The rules about colour: which plates a page uses, and how much ink lies on one spot."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from pikepdf import Dictionary

from dobble_print.pdf.color_spaces import Space, read_space
from dobble_print.pdf.content import PaintedContent, key_of
from dobble_print.pdf.functions import Colors, list_shading_colors
from dobble_print.pdf.images import list_pixel_colors
from dobble_print.pdf.report import Finding, Flaw, Limits, judge, pass_over
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
    for state in drawing.states.values():
        mask = state.get("/SMask")
        if isinstance(mask, Dictionary) and "/G" in mask:
            yield from (("a soft mask", space) for space in _list_in_group(mask.G, drawing.resources))


def _list_in_group(holder: Any, resources: Any) -> list[Space]:
    group = holder.get("/Group")
    space = None if group is None else group.get("/CS")
    return [] if space is None else [read_space(space, resources)]


DECODING = 0.02  # two readers of one JPEG differ by one step in each ink
UNPRINTED = {"All", "None"}


@dataclass(frozen=True, order=True)
class _Load:
    """The most ink of something, and what that is."""

    total: float
    what: str


def check_ink(survey: Survey, limits: Limits) -> Finding:
    """The most ink of any colour stays within the limit; each page that has more is named."""
    meter = _InkMeter(limits)
    flaws, loads = [], []
    for sheet in survey.sheets:
        heaviest = max((load for key, each in sheet.streams.items() for load in meter.measure(key, each)), default=None)
        if heaviest:
            loads.append(heaviest)
        if heaviest and heaviest.total > limits.ink_limit + DECODING:
            flaws.append(
                Flaw(f"{_describe(heaviest)} ({limits.ink_limit:.0%} at most)".replace("%", " %"), sheet.number)
            )
    unknown = meter.missed
    note = f"; {unknown} image{'s' * (unknown != 1)} or gradients could not be measured" if unknown else ""
    if any(drawing.overprints for sheet in survey.sheets for drawing in sheet.streams.values()):
        note += "; fills that overprint are not added to what lies under them"
    if not loads:
        return pass_over("ink", f"nothing to measure{note}")
    return judge("ink", flaws, f"at most {_describe(max(loads))}{note}".replace("%", " %"))


def _describe(load: _Load) -> str:
    return f"{load.total:.0%} in {load.what}"


class _InkMeter:
    """Weighs streams and images, each once."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.missed = 0
        self._streams: dict[Hashable, list[_Load]] = {}

    def measure(self, key: Hashable, drawing: PaintedContent) -> list[_Load]:
        """The heaviest colour of each thing in a stream."""
        if key not in self._streams:
            self._streams[key] = self._measure_stream(drawing)
        return self._streams[key]

    def _measure_stream(self, drawing: PaintedContent) -> list[_Load]:
        loads = []
        for color in drawing.colors:
            if color.values and _is_inked(color.space):
                loads.append(_measure_ink(color.space, np.array([color.values]), "a line, fill or text", self.limits))
        for what, space, colors in _list_sampled(drawing):
            if colors is not None:
                loads.append(_measure_ink(space, colors, what, self.limits))
            elif _is_inked(space):
                self.missed += 1
        return loads


def _list_sampled(drawing: PaintedContent) -> Iterator[tuple[str, Space, Colors | None]]:
    """Images and gradients with the colours to weigh; a single ink is never too much, so its pixels stay unread."""
    for picture in {key_of(each.picture.entries): each.picture for each in drawing.pictures}.values():
        space = picture.space
        shown = space.base if space is not None and space.family == "indexed" else space
        if shown is not None and shown.count > 1:
            yield "an image", shown, list_pixel_colors(picture) if _is_inked(shown) else None
    for shading in drawing.shadings.values():
        space = read_space(shading.ColorSpace, drawing.resources)
        yield "a gradient", space, list_shading_colors(shading, space.count) if _is_inked(space) else None


def _is_inked(space: Space) -> bool:
    """Whether the numbers of a space are inks; light (RGB, Lab) is what the colour rule objects to."""
    return space.family in ("gray", "cmyk", "spot")


def _measure_ink(space: Space, colors: Colors, what: str, limits: Limits) -> _Load:
    """The largest sum of inks among colours."""
    if space.family == "gray":
        inks = 1 - colors
    elif space.family == "spot":
        counts = [plate not in UNPRINTED and not limits.is_cut(plate) for plate in space.plates]
        inks = colors * np.array(counts)[: colors.shape[1]]
    else:
        inks = colors
    total = float(np.clip(inks, 0.0, 1.0).sum(axis=1).max())
    return _Load(round(total, 4), what)
