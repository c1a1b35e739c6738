"""The figures of a finished PDF, quickly: pages, boxes, fonts and pictures, without reading what the pages draw."""

from __future__ import annotations

import io
import re
from typing import Any

import pikepdf

from dobble_print.preflight.boxes import order_box
from dobble_print.preflight.examine import DEFAULTS
from dobble_print.preflight.images import check_images
from dobble_print.preflight.survey import Survey

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
