"""Check a PDF as a print shop would: every rule is named once here."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pikepdf

from dobble_print.errors import Fault, UsageError
from dobble_print.pdf.document import LockedPdf, open_pdf, order_box
from dobble_print.pdf.report import Finding, Flaw, Limits, Report, judge
from dobble_print.preflight.bleed import check_bleed
from dobble_print.preflight.color import check_color, check_ink
from dobble_print.preflight.cut import check_cut, with_declared_cut_inks
from dobble_print.preflight.pages import check_boxes, check_fonts, check_images, check_lines
from dobble_print.preflight.standards import check_standard
from dobble_print.preflight.survey import Survey

DEFAULTS = Limits()


@dataclass(frozen=True)
class Rule:
    """A rule by its name."""

    name: str
    check: Callable[[Survey, Limits], Finding]


def check_encryption(survey: Survey, limits: Limits) -> Finding:
    """The file opens for everybody, for every purpose."""
    flaws = [Flaw("the file is encrypted; save it without a password")] if survey.pdf.is_encrypted else []
    return judge("encryption", flaws, "not encrypted")


RULES = (
    Rule("boxes", check_boxes),
    Rule("bleed", check_bleed),
    Rule("fonts", check_fonts),
    Rule("images", check_images),
    Rule("lines", check_lines),
    Rule("colour", check_color),
    Rule("ink", check_ink),
    Rule("cut", check_cut),
    Rule("standard", check_standard),
    Rule("encryption", check_encryption),
)


def examine_pdf(data: bytes, limits: Limits = DEFAULTS) -> Report:
    """Ask every rule; a file behind a password only tells that it is."""
    try:
        with open_pdf(data) as pdf:
            survey = Survey(pdf, data)
            if not survey.sheets:
                raise UsageError(Fault("the PDF has no pages", "Export it anew from its program."))
            known = with_declared_cut_inks(survey, limits)
            return Report(_ask_rules(survey, known))
    except LockedPdf:
        locked = Flaw("the file is encrypted and needs a password; nothing else can be checked")
        return Report((judge("encryption", [locked], ""),))


def _ask_rules(survey: Survey, limits: Limits) -> tuple[Finding, ...]:
    """Ask about bleed last: it thins the photos of the opened file so that its pages are rendered quickly."""
    findings = {rule.name: rule.check(survey, limits) for rule in sorted(RULES, key=lambda rule: rule.name == "bleed")}
    return tuple(findings[rule.name] for rule in RULES)


MM_PER_PT = 25.4 / 72
BOXES = ("MediaBox", "BleedBox", "TrimBox")
_SUBSET = re.compile(r"^/([A-Z]{6}\+)?")


def measure_pdf(data: bytes) -> dict[str, Any]:
    """How many pages, the different boxes on them in millimetres, the fonts, and how fine the pictures are."""
    with pikepdf.Pdf.open(io.BytesIO(data)) as pdf:
        boxes: list[dict[str, list[float]]] = []
        for page in pdf.pages:
            found = {name: _measure_box(page, name) for name in BOXES if f"/{name}" in page.obj}
            if found not in boxes:
                boxes.append(found)
        pictures = sum(_is_a(each, "/Subtype", "/Image") for each in pdf.objects)
        words = check_images(Survey(pdf, data), DEFAULTS).what if pictures else "no images"
        return {"pages": len(pdf.pages), "boxes_mm": boxes, "fonts": _list_fonts(pdf), "dpi": words}


def _measure_box(page: pikepdf.Page, name: str) -> list[float]:
    return [round(value * MM_PER_PT, 2) for value in order_box(page.obj[f"/{name}"])]


def _is_a(thing: Any, key: str, value: str) -> bool:
    return isinstance(thing, pikepdf.Dictionary | pikepdf.Stream) and thing.get(key) == pikepdf.Name(value)


def _list_fonts(pdf: pikepdf.Pdf) -> list[str]:
    fonts = [each for each in pdf.objects if _is_a(each, "/Type", "/Font") and "/BaseFont" in each]
    return sorted({_SUBSET.sub("", str(font.BaseFont)) for font in fonts})
