"""The cut layer of a PDF: cuts as thin strokes in a spot colour that finishing machines know by its name.

Invariant: the strokes overprint, so the art under them stays whole on every other plate, and nothing that was on a page
before changes. A document has one colour, one graphics state and at most one layer for each name of a cut.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING

from pikepdf import Array, Dictionary, Name, Object, Page, Pdf, String

from dobble_print.errors import Fault, UsageError
from dobble_print.sheets.cutting import Arc, Cut, Step, split_arc
from dobble_print.units import Paper, Point, mm_to_pt, write_number

if TYPE_CHECKING:
    from dobble_print.prepress.pdfx import Claim
    from dobble_print.sheets.pages import PageBoxes


STROKE_PT = 0.25
CURVE_DEG = 45.0  # a cubic curve of an eighth of a circle is off by less than a thousandth of a millimetre
BLEED_MM = 3.0  # around cuts that belong to no sheet
LONGEST_NAME = 40
PROCESS_INKS = ("cyan", "magenta", "yellow", "black")
NO_INKS = ("all", "none")  # every plate, and no plate
OVERPRINT = {"/Type": Name.ExtGState, "/OP": True, "/op": True, "/OPM": 1}
# Names that finishing software knows, with the kind of cut they stand for (ISO 19593-1, group Structural).
CUT_NAMES: Mapping[str, str] = {
    "CutContour": "Cutting",
    "Thru-cut": "Cutting",
    "Kiss-cut": "PartialCutting",
    "DieLine": "Cutting",
    "Artios_Cut": "Cutting",
    "PerfCutContour": "Perforating",
}


def check_cut_name(name: str) -> None:
    """Refuse a name that no spot ink may have, with a `UsageError`."""
    problem = _doubt_name(name)
    if problem:
        shown = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
        raise UsageError(
            Fault(f"the cut cannot be named {shown!r}: {problem}", "Ask the print shop, or use CutContour.")
        )


def _doubt_name(name: str) -> str:
    if not name.strip():
        return "a name needs letters"
    if not name.isprintable():
        return "it holds characters that cannot be seen"
    if len(name) > LONGEST_NAME:
        return f"it is longer than {LONGEST_NAME} letters"
    if name.strip().casefold() in PROCESS_INKS:
        return f"{name.strip().capitalize()} is an ink that prints the cards"
    return "that word means all inks or none" if name.strip().casefold() in NO_INKS else ""


def add_cut_layer(pdf: Pdf, page_cuts: Mapping[int, Sequence[Cut]], spot: str, layers: bool) -> None:
    """Draw cuts over the given pages, counted from 0; with `layers` on a layer of their own, named like the spot."""
    check_cut_name(spot)
    drawn = {index: cuts for index, cuts in page_cuts.items() if cuts}
    if not drawn:
        return
    ink = _find_ink(pdf, spot) or _make_ink(pdf, spot)
    state = _find_state(pdf) or pdf.make_indirect(Dictionary(OVERPRINT))
    layer = (_find_layer(pdf, spot) or _make_layer(pdf, spot)) if layers else None
    for index, cuts in sorted(drawn.items()):
        _draw_cuts(pdf.pages[index], cuts, ink, state, layer)


def make_cut_page(
    paper: Paper,
    cuts: Sequence[Cut],
    spot: str,
    layers: bool,
    claim: Claim | None = None,
    boxes: PageBoxes | None = None,
    label: str = "",
) -> bytes:
    """A document of one page, as large as the paper, with nothing but the cuts; it may claim a standard."""
    from dobble_print.pdf.document import save_pdf  # here, so that whoever finishes sheets may import this module

    with Pdf.new() as pdf:
        append_cut_page(pdf, paper, cuts, spot, layers, boxes, label)
        if claim is None:
            return save_pdf(pdf)
        claim.make(pdf)
        return save_pdf(pdf, claim.standard)


def append_cut_page(
    pdf: Pdf,
    paper: Paper,
    cuts: Sequence[Cut],
    spot: str,
    layers: bool,
    boxes: PageBoxes | None = None,
    label: str = "",
) -> None:
    """Add a page, as large as the paper, with nothing but the cuts; its label is what viewers call it.

    Programs lay art and cuts over each other by their boxes, so a sheet's cuts take those of the sheet.
    """
    size = (mm_to_pt(paper.width_mm), mm_to_pt(paper.height_mm))
    page = pdf.add_blank_page(page_size=size).obj
    page.MediaBox, page.TrimBox, page.BleedBox = boxes or (
        Array([0, 0, *(round(length, 4) for length in size)]),
        _box_around(cuts, 0.0, paper),
        _box_around(cuts, BLEED_MM, paper),
    )
    if label:
        _label_last(pdf, label)
    add_cut_layer(pdf, {len(pdf.pages) - 1: cuts}, spot, layers)


def _label_last(pdf: Pdf, label: str) -> None:
    """Name the last page; the pages before it are counted as ever."""
    if "/PageLabels" not in pdf.Root:
        pdf.Root.PageLabels = Dictionary(Nums=[0, Dictionary(S=Name.D)] if len(pdf.pages) > 1 else [])
    labels = pdf.Root.PageLabels
    labels.Nums = Array([*labels.Nums, len(pdf.pages) - 1, Dictionary(P=String(label))])


def _box_around(cuts: Sequence[Cut], room_mm: float, paper: Paper) -> Array:
    """The box of all cuts, grown, as far as there is paper; without cuts all of the paper."""
    points = [point for cut in cuts for point in cut.sample()] or [(0.0, 0.0), (paper.width_mm, paper.height_mm)]
    xs, ys = zip(*points, strict=True)
    lower = (max(0.0, min(values) - room_mm) for values in (xs, ys))
    sizes = ((xs, paper.width_mm), (ys, paper.height_mm))
    upper = (min(most, max(values) + room_mm) for values, most in sizes)
    return Array([round(mm_to_pt(value), 4) for value in (*lower, *upper)])


def _make_ink(pdf: Pdf, spot: str) -> Object:
    """The spot colour; whoever cannot separate it shows magenta."""
    tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 1, 0, 0], N=1)
    return pdf.make_indirect(Array([Name.Separation, _spot_name(spot), Name.DeviceCMYK, tint]))


def _spot_name(spot: str) -> Name:
    return Name(f"/{spot}")  # pikepdf writes spaces and letters beyond ASCII as #20


def _make_layer(pdf: Pdf, spot: str) -> Object:
    """An optional content group that says what it is for, known to the document and switched on."""
    step = Dictionary(GTS_ProcStepsGroup=Name.Structural, GTS_ProcStepsType=Name(f"/{CUT_NAMES.get(spot, 'Cutting')}"))
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(spot), GTS_Metadata=step))
    if "/OCProperties" not in pdf.Root:
        pdf.Root.OCProperties = Dictionary(OCGs=[], D=Dictionary(Name=String("Layers"), Order=[], ON=[]))
    known = pdf.Root.OCProperties
    known.OCGs.append(layer)
    for key in ("/Order", "/ON"):
        known.D[key] = Array([*known.D.get(key, ()), layer])
    return layer


def _find_ink(pdf: Pdf, spot: str) -> Object | None:
    return next((space for space in _resources(pdf, "/ColorSpace") if _is_ink(space, spot)), None)


def _is_ink(space: Object, spot: str) -> bool:
    return isinstance(space, Array) and space.is_indirect and list(space)[:2] == [Name.Separation, _spot_name(spot)]


def _find_state(pdf: Pdf) -> Object | None:
    states = _resources(pdf, "/ExtGState")
    return next((state for state in states if state.is_indirect and state == Dictionary(OVERPRINT)), None)


def _find_layer(pdf: Pdf, spot: str) -> Object | None:
    layers = pdf.Root.get("/OCProperties", Dictionary()).get("/OCGs", ())
    return next((layer for layer in layers if "/GTS_Metadata" in layer and str(layer.Name) == spot), None)


def _resources(pdf: Pdf, kind: str) -> Iterator[Object]:
    for page in pdf.pages:
        yield from page.resources.get(kind, Dictionary()).values()


def _name_resource(page: Page, kind: str, wanted: str, resource: Object) -> str:
    """The name under which a page draws with a resource: the one it has, or else a new one."""
    if kind not in page.resources:
        page.resources[kind] = Dictionary()
    names = page.resources[kind]
    known = next((name for name, other in names.items() if other.objgen == resource.objgen), None)
    if known is None:
        known = next(name for i in count(1) if (name := f"/{wanted}{i if i > 1 else ''}") not in names)
        names[known] = resource
    return known


def _draw_cuts(page: Page, cuts: Sequence[Cut], ink: Object, state: Object, layer: Object | None) -> None:
    colour = _name_resource(page, "/ColorSpace", "CutInk", ink)
    graphics = _name_resource(page, "/ExtGState", "CutState", state)
    strokes = [f"{graphics} gs {colour} CS 1 SCN {STROKE_PT} w", *map(_write_cut, cuts)]
    if layer is not None:
        strokes = [f"/OC {_name_resource(page, '/Properties', 'Cut', layer)} BDC", *strokes, "EMC"]
    # what the page's own drawing leaves behind, a dash pattern perhaps, must not reach the cuts
    page.contents_add(b"q\n", prepend=True)
    page.contents_add("\n".join(("\nQ", "q", *strokes, "Q", "")).encode("ascii"))


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
    """The handles of the cubic curve that follows a short arc."""
    reach = 4 / 3 * math.tan(math.radians(arc.sweep_deg) / 4)
    (x, y), (x0, y0), (x1, y1) = arc.centre, start, arc.end
    return (x0 - reach * (y0 - y), y0 + reach * (x0 - x)), (x1 + reach * (y1 - y), y1 - reach * (x1 - x))


def _write_points(*points: Point) -> str:
    return " ".join(write_number(mm_to_pt(value)) for point in points for value in point)
