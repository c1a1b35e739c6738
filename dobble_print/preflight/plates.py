"""Plates: what each ink of a press prints on a page whose art overprints, rendered, so that the inks can be summed.

A page is redrawn in greys for one ink at a time: what overprints without that ink is left out, everything else covers
what lies under it. Cuts, registration marks and masks are no ink. Invariant: the file that is checked stays as it is.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pikepdf
from pikepdf import Array, ContentStreamInstruction, Dictionary, Name, Object, Operator, Pdf, Stream

from dobble_print.pdf.color_spaces import CMYK, GRAY, Space, read_space
from dobble_print.pdf.content import BUILDS, FILLS, STROKES, Color, merge_resources
from dobble_print.pdf.document import delete_keys
from dobble_print.pdf.render import Picture, Rasterizer
from dobble_print.pdf.report import ShopLimits

INKS = ("Cyan", "Magenta", "Yellow", "Black")
DPI = 100
SPECK_PX = 3  # fewer pixels in a row are the rounding of edges
# the share of light that a number of each ink leaves, from the stack of all four
PICKS = (b"{pop pop pop 1 exch sub}", b"{pop pop exch pop 1 exch sub}", b"{pop exch pop exch pop 1 exch sub}",
         b"{exch pop exch pop exch pop 1 exch sub}")  # fmt: skip
WITHOUT_FILL = {"f": "n", "F": "n", "f*": "n", "B": "S", "B*": "S", "b": "s", "b*": "s"}
WITHOUT_STROKE = {"S": "n", "s": "n", "B": "f", "B*": "f*", "b": "f", "b*": "f*"}
SHOWS_TEXT = ("Tj", "TJ", "'", '"')


def sum_plates(data: bytes, numbers: Sequence[int], limits: ShopLimits) -> Iterator[tuple[int, float]]:
    """Yield the most ink on any spot of these pages, counted from 1: 3.0 is 300 %."""
    sums: dict[int, Any] = {}
    for ink in range(len(INKS)):
        for number, plate in zip(numbers, _render(data, numbers, ink, limits), strict=True):
            sums[number] = sums.get(number, 0.0) + (255.0 - plate[..., 0]) / 255.0
    for number, total in sums.items():
        # a spot counts when its neighbours hold as much: the least of three pixels in a row
        rows = np.min([total[:, i : total.shape[1] - SPECK_PX + 1 + i] for i in range(SPECK_PX)], axis=0)
        yield number, round(float(rows.max()), 3)


def _render(data: bytes, numbers: Sequence[int], ink: int, limits: ShopLimits) -> Iterator[Picture]:
    with Pdf.open(io.BytesIO(data)) as pdf:
        pages = [pdf.pages[number - 1] for number in numbers]
        walk = _Plate(pdf, ink, limits)
        for page in pages:
            delete_keys(page.obj, "/Annots", "/Group")
            page.contents_coalesce()
            walk.redraw(page.obj.Contents, page.obj.get("/Resources", Dictionary()))
        del pdf.pages[:]
        pdf.pages.extend(pages)
        sink = io.BytesIO()
        pdf.save(sink)
    with Rasterizer(sink.getvalue()) as rasterizer:
        for index in range(len(numbers)):
            yield rasterizer.draw(index, DPI / 72).to_numpy()


class _Plate:
    """Redraws streams as one ink prints them, each once."""

    def __init__(self, pdf: Pdf, ink: int, limits: ShopLimits) -> None:
        self.pdf, self.ink, self.limits = pdf, ink, limits
        self._done: set[tuple[int, int]] = set()
        self._spaces: dict[int, Object] = {}

    def redraw(self, content: Any, resources: Any) -> None:
        """Rewrite a stream and all that it draws with."""
        if content.objgen in self._done:
            return
        self._done.add(content.objgen)
        reader = _Rewriter(self, resources)
        steps = [new for step in pikepdf.parse_content_stream(content) for new in reader.follow(step)]
        content.write(pikepdf.unparse_content_stream(steps))
        for thing in resources.get("/XObject", Dictionary()).values():
            if thing.get("/Subtype") == Name.Form:
                delete_keys(thing.get("/Group", Dictionary()), "/CS")
                self.redraw(thing, merge_resources(thing.get("/Resources"), resources))
            elif thing.objgen not in self._done:
                self._done.add(thing.objgen)
                self._recolor(thing, resources)
        shadings = [*resources.get("/Shading", Dictionary()).values()]
        for pattern in resources.get("/Pattern", Dictionary()).values():
            if isinstance(pattern, Stream):
                self.redraw(pattern, merge_resources(pattern.get("/Resources"), resources))
            else:
                shadings.append(pattern.Shading)
        for shading in shadings:
            self._recolor(shading, resources)

    def _recolor(self, holder: Any, resources: Any) -> None:
        """Give an image or a gradient a space in which its numbers are the light that this ink leaves."""
        named = holder.get("/ColorSpace")
        if named is None or bool(holder.get("/ImageMask", False)):
            return
        space = read_space(named, resources)
        if space.family == "indexed" and space.base:
            holder.ColorSpace = Array([Name.Indexed, self._light(space.base), named[2], named[3]])
        else:
            holder.ColorSpace = self._light(space)

    def _light(self, space: Space) -> Object:
        """Return a colour space of as many numbers as another one, that shows this ink alone."""
        if space.family == "cmyk":
            pick = PICKS[self.ink]
        elif space.family == "gray":
            pick = b"{}" if INKS[self.ink] == "Black" else b"{pop 1}"
        elif INKS[self.ink] in space.plates:
            at = space.plates.index(INKS[self.ink])
            pick = b"{" + b"pop " * (space.count - 1 - at) + b"exch pop " * at + b"1 exch sub}"
        else:
            pick = b"{" + b"pop " * space.count + b"1}"
        names = Array([Name(f"/N{i}") for i in range(space.count)])
        domain = Array([0, 1] * space.count)
        function = self.pdf.make_indirect(Stream(self.pdf, pick, FunctionType=4, Domain=domain, Range=[0, 1]))
        return Array([Name.DeviceN, names, Name.DeviceGray, function])

    def find_tint(self, color: Color) -> float | None:
        """Return how much of this ink a colour holds; None where it does not name it, or is no ink at all."""
        space, values = color.space, color.values
        if space.family == "gray" and values:
            return 1 - values[0] if INKS[self.ink] == "Black" else 0.0
        if space.family == "cmyk" and len(values) == len(INKS):
            return values[self.ink]
        named = INKS[self.ink] in space.plates and len(values) == len(space.plates)
        return values[space.plates.index(INKS[self.ink])] if named else None

    def is_unprinted(self, color: Color) -> bool:
        """Tell whether something is a cut or a registration mark."""
        return color.is_for_marks or "All" in color.space.plates or any(map(self.limits.is_cut, color.space.plates))


_BLACK = Color(GRAY, (0.0,))


class _Rewriter:
    """The state while a stream is rewritten for a plate."""

    def __init__(self, plate: _Plate, resources: Any) -> None:
        self.plate, self.resources = plate, resources
        self.colors = {"fill": _BLACK, "stroke": _BLACK}
        self.overprint = {"fill": False, "stroke": False}
        self.mode = 0
        self._saved: list[tuple[dict[str, Color], dict[str, bool], int]] = []

    def follow(self, step: Any) -> list[Any]:
        """Return the steps that stand in for one."""
        operator = str(step.operator)
        if operator in BUILDS:
            return [step]
        if operator in FILLS or operator in STROKES:
            return [ContentStreamInstruction([], Operator(self._paint(operator)))]
        if operator in SHOWS_TEXT and not self._prints("fill"):
            return [_step("Tr", 3), step, _step("Tr", 0)]
        if operator == "Do" and not self._prints("fill") and self._is_stencil(step.operands[0]):
            return []
        if operator in ("g", "k", "G", "K"):
            space = GRAY if operator in "gG" else CMYK
            return self._set(operator.isupper(), Color(space, tuple(map(float, step.operands))))
        if operator in ("cs", "CS"):
            space = read_space(step.operands[0], self.resources)
            if space.family == "pattern":
                return [step]
            return self._set(operator.isupper(), Color(space, (1.0,) * space.count if space.plates else ()))
        if operator in ("sc", "scn", "SC", "SCN") and not isinstance(step.operands[-1], Name):
            before = self.colors["stroke" if operator.isupper() else "fill"]
            return self._set(operator.isupper(), Color(before.space, tuple(map(float, step.operands))))
        self._note(operator, step.operands)
        return [step]

    def _note(self, operator: str, operands: Any) -> None:
        match operator:
            case "q":
                self._saved.append((dict(self.colors), dict(self.overprint), self.mode))
            case "Q" if self._saved:
                self.colors, self.overprint, self.mode = self._saved.pop()
            case "gs":
                state = self.resources["/ExtGState"][str(operands[0])]
                lines = bool(state.get("/OP", self.overprint["stroke"]))
                fills = bool(state.get("/op", state.get("/OP", self.overprint["fill"])))
                self.overprint = {"stroke": lines, "fill": fills}
                self.mode = int(state.get("/OPM", self.mode))

    def _set(self, strokes: bool, color: Color) -> list[Any]:
        self.colors["stroke" if strokes else "fill"] = color
        return [_step("G" if strokes else "g", round(1 - (self.plate.find_tint(color) or 0.0), 4))]

    def _prints(self, kind: str) -> bool:
        """Tell whether a colour leaves anything on this plate, be it white."""
        color = self.colors[kind]
        tint = self.plate.find_tint(color)
        if self.plate.is_unprinted(color):
            return False
        return not self.overprint[kind] or not (tint is None or (tint == 0 and self.mode == 1))

    def _paint(self, operator: str) -> str:
        if operator in FILLS and not self._prints("fill"):
            operator = WITHOUT_FILL[operator]
        return WITHOUT_STROKE[operator] if operator in STROKES and not self._prints("stroke") else operator

    def _is_stencil(self, name: Any) -> bool:
        return bool(self.resources["/XObject"][str(name)].get("/ImageMask", False))


def _step(operator: str, value: float) -> ContentStreamInstruction:
    return ContentStreamInstruction([value], Operator(operator))
