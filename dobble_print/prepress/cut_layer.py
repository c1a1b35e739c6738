"""The cut layer of a PDF: cuts as thin strokes in a spot colour that finishing machines know by its name.

Invariant: the strokes overprint, so the art under them stays whole on every other plate, and nothing that was on a page
before changes. All cuts of a document share one colour, one graphics state and at most one layer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

from pikepdf import Array, Dictionary, Name, Object, Page, Pdf, String

from dobble_print.errors import Fault, UsageError
from dobble_print.sheets.cutting import Arc, Cut, Step, split_arc
from dobble_print.units import Point, mm_to_pt, write_number

if TYPE_CHECKING:
    from dobble_print.sheets.pages import PageBoxes

STROKE_PT = 0.25
CURVE_DEG = 45.0  # a cubic curve of an eighth of a circle is off by less than a thousandth of a millimetre
LONGEST_NAME = 40
PROCESS_INKS = ("cyan", "magenta", "yellow", "black")
NO_INKS = ("all", "none")  # every plate, and no plate
OVERPRINT = {"/Type": Name.ExtGState, "/OP": True, "/op": True, "/OPM": 1}
# What a name stands for (ISO 19593-1, group Structural); all other names mean a plain cut.
KINDS = {"Kiss-cut": "PartialCutting", "PerfCutContour": "Perforating"}


def check_cut_name(name: str) -> None:
    """Refuse a name that no spot ink may have, with a `UsageError`."""
    problem = _find_problem(name)
    if problem:
        shown = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
        raise UsageError(
            Fault(f"the cut cannot be named {shown!r}: {problem}", "Ask the print shop, or use CutContour.")
        )


def _find_problem(name: str) -> str:
    if not name.strip():
        return "a name needs letters"
    if not name.isprintable():
        return "it holds characters that cannot be seen"
    if len(name) > LONGEST_NAME:
        return f"it is longer than {LONGEST_NAME} letters"
    if name.strip().casefold() in PROCESS_INKS:
        return f"{name.strip().capitalize()} is an ink that prints the cards"
    return "that word means all inks or none" if name.strip().casefold() in NO_INKS else ""


class CutLayer:
    """The ink, the graphics state and the layer that all cuts of a document share, made with the first cut."""

    def __init__(self, pdf: Pdf, spot: str, layers: bool) -> None:
        check_cut_name(spot)
        self.pdf, self.spot, self.layers = pdf, spot, layers

    @cached_property
    def _ink(self) -> Object:
        """The spot colour; whoever cannot separate it shows magenta."""
        tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 1, 0, 0], N=1)
        # pikepdf writes spaces and letters beyond ASCII as #20
        return self.pdf.make_indirect(Array([Name.Separation, Name(f"/{self.spot}"), Name.DeviceCMYK, tint]))

    @cached_property
    def _state(self) -> Object:
        return self.pdf.make_indirect(Dictionary(OVERPRINT))

    @cached_property
    def _layer(self) -> Object:
        """An optional content group that says what it is for, listed in the document and switched on."""
        kind = Name(f"/{KINDS.get(self.spot, 'Cutting')}")
        step = Dictionary(GTS_ProcStepsGroup=Name.Structural, GTS_ProcStepsType=kind)
        layer = self.pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(self.spot), GTS_Metadata=step))
        if "/OCProperties" not in self.pdf.Root:
            self.pdf.Root.OCProperties = Dictionary(OCGs=[], D=Dictionary(Name=String("Layers"), Order=[], ON=[]))
        listed = self.pdf.Root.OCProperties
        listed.OCGs.append(layer)
        for key in ("/Order", "/ON"):
            listed.D[key] = Array([*listed.D.get(key, ()), layer])
        return layer

    def draw(self, page: Page, cuts: Sequence[Cut]) -> None:
        """Draw cuts over a page."""
        if not cuts:
            return
        colour = _add_resource(page, "/ColorSpace", "/CutInk", self._ink)
        graphics = _add_resource(page, "/ExtGState", "/CutState", self._state)
        strokes = [f"{graphics} gs {colour} CS 1 SCN {STROKE_PT} w", *map(_write_cut, cuts)]
        if self.layers:
            strokes = [f"/OC {_add_resource(page, '/Properties', '/Cut', self._layer)} BDC", *strokes, "EMC"]
        # what the page's own drawing leaves behind, a dash pattern perhaps, must not reach the cuts
        page.contents_add(b"q\n", prepend=True)
        page.contents_add("\n".join(("\nQ", "q", *strokes, "Q", "")).encode("ascii"))

    def append_page(self, cuts: Sequence[Cut], boxes: PageBoxes, sheets: Sequence[int]) -> None:
        """Add a page with nothing but the cuts, labelled with the sheets, all in a row, that are cut so.

        Programs lay art and cuts over each other by their boxes, so a sheet's cuts take those of the sheet.
        """
        page = self.pdf.add_blank_page()
        page.obj.MediaBox, page.obj.TrimBox, page.obj.BleedBox = boxes
        if "/PageLabels" not in self.pdf.Root:
            self.pdf.Root.PageLabels = Dictionary(Nums=[0, Dictionary(S=Name.D)] if len(self.pdf.pages) > 1 else [])
        first, last = sheets[0], sheets[-1]
        label = f"cut of sheets {first}-{last}" if last > first else f"cut of sheet {first}"
        labels = self.pdf.Root.PageLabels
        labels.Nums = Array([*labels.Nums, len(self.pdf.pages) - 1, Dictionary(P=String(label))])
        self.draw(page, cuts)


def _add_resource(page: Page, kind: str, wanted: str, resource: Object) -> Name:
    """Name a resource of a page, by a name that nothing on the page has."""
    taken = page.resources.get(kind, ())
    name = next(name for i in count(1) if (name := f"{wanted}{i if i > 1 else ''}") not in taken)
    return page.add_resource(resource, Name(kind), Name(name))


def _write_cut(cut: Cut) -> str:
    operators = [f"{_write_points(cut.start)} m"]
    for start, step in cut.walk():
        operators.extend(_write_step(start, step))
    return " ".join((*operators, "h S" if cut.closed else "S"))


def _write_step(start: Point, step: Step) -> Iterator[str]:
    if not isinstance(step, Arc):
        yield f"{_write_points(step.end)} l"
        return
    here = start
    for part in split_arc(start, step, CURVE_DEG):
        yield f"{_write_points(*_control_points(here, part), part.end)} c"
        here = part.end


def _control_points(start: Point, arc: Arc) -> tuple[Point, Point]:
    """Return the handles of the cubic curve that follows a short arc."""
    reach = 4 / 3 * math.tan(math.radians(arc.sweep_deg) / 4)
    (x, y), (x0, y0), (x1, y1) = arc.centre, start, arc.end
    return (x0 - reach * (y0 - y), y0 + reach * (x0 - x)), (x1 + reach * (y1 - y), y1 - reach * (x1 - x))


def _write_points(*points: Point) -> str:
    return " ".join(write_number(mm_to_pt(value)) for point in points for value in point)
