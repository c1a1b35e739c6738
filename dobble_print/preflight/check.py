"""Check a PDF as a print shop would: every rule is named once here."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import pikepdf

from dobble_print.errors import Fault, UsageError
from dobble_print.pdf.document import LockedPdf, open_pdf, order_box
from dobble_print.pdf.report import Finding, Flaw, Report, ShopLimits, judge
from dobble_print.preflight.bleed import check_bleed
from dobble_print.preflight.color import check_color, check_ink
from dobble_print.preflight.cut import check_cut, with_declared_cut_inks
from dobble_print.preflight.pages import (
    check_boxes,
    check_fonts,
    check_images,
    check_lines,
    check_overprint,
    check_text,
)
from dobble_print.preflight.standards import check_standard
from dobble_print.preflight.survey import Survey

DEFAULTS = ShopLimits()


def check_encryption(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that the file opens for everybody, for every purpose."""
    flaws = [Flaw("the file is encrypted; save it without a password")] if survey.pdf.is_encrypted else []
    return judge("encryption", flaws, "not encrypted")


RULES = (
    check_boxes,
    check_bleed,
    check_fonts,
    check_images,
    check_lines,
    check_overprint,
    check_text,
    check_color,
    check_ink,
    check_cut,
    check_standard,
    check_encryption,
)


def examine_pdf(data: bytes, limits: ShopLimits = DEFAULTS, cut_files: Sequence[bytes] = ()) -> Report:
    """Ask every rule; of a file behind a password only that is reported.

    Where the cuts are in files of their own, the bleed is looked for around those.
    """
    try:
        with open_pdf(data) as pdf:
            survey = Survey(pdf, data)
            if not survey.sheets:
                raise UsageError(Fault("the PDF has no pages", "Export it anew from its program."))
            limits = with_declared_cut_inks(survey, limits)
            # bleed comes last: it thins the photos of the opened file so that its pages are rendered quickly
            findings = {check: check(survey, limits) for check in sorted(RULES, key=lambda check: check is check_bleed)}
            if cut_files:
                findings[check_bleed] = _check_bleed_around(data, cut_files, limits)
            return Report(tuple(findings[check] for check in RULES))
    except LockedPdf:
        locked = Flaw("the file is encrypted and needs a password; nothing else can be checked")
        return Report((judge("encryption", [locked], ""),))


def _check_bleed_around(data: bytes, cut_files: Sequence[bytes], limits: ShopLimits) -> Finding:
    """Check the bleed of a file whose cuts are in others: as if they were its last pages."""
    with open_pdf(data) as pdf, ExitStack() as stack:
        for cuts in cut_files:
            pdf.pages.extend(stack.enter_context(open_pdf(cuts)).pages)
        sink = io.BytesIO()
        pdf.save(sink)
    with open_pdf(sink.getvalue()) as joined:
        return check_bleed(Survey(joined, sink.getvalue()), limits)


MM_PER_PT = 25.4 / 72
BOXES = ("MediaBox", "BleedBox", "TrimBox")
_SUBSET = re.compile(r"^/([A-Z]{6}\+)?")


def measure_pdf(data: bytes) -> dict[str, Any]:
    """Return the number of pages, the boxes on them in millimetres, the fonts, and how fine the pictures are."""
    with pikepdf.Pdf.open(io.BytesIO(data)) as pdf:
        boxes: list[dict[str, list[float]]] = []
        for page in pdf.pages:
            known = {name: order_box(page.obj[f"/{name}"]) for name in BOXES if f"/{name}" in page.obj}
            found = {name: [round(value * MM_PER_PT, 2) for value in box] for name, box in known.items()}
            if found not in boxes:
                boxes.append(found)
        pictures = sum(_is_a(each, "/Subtype", "/Image") for each in pdf.objects)
        words = check_images(Survey(pdf, data), DEFAULTS).what if pictures else "no images"
        fonts = {str(each.BaseFont) for each in pdf.objects if _is_a(each, "/Type", "/Font") and "/BaseFont" in each}
        names = sorted({_SUBSET.sub("", font) for font in fonts})
        return {"pages": len(pdf.pages), "boxes_mm": boxes, "fonts": names, "dpi": words}


def _is_a(thing: Any, key: str, value: str) -> bool:
    return isinstance(thing, pikepdf.Dictionary | pikepdf.Stream) and thing.get(key) == pikepdf.Name(value)
