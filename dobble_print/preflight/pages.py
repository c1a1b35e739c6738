"""The rules about pages: their boxes, fonts, pictures and thin lines."""

from __future__ import annotations

import math
from typing import Any

from pikepdf import Name, Stream

from dobble_print.pdf.content import Color, PlacedPicture, key_of
from dobble_print.pdf.document import PageBox, media_box, order_box
from dobble_print.pdf.geometry import measure_scale, measure_sides
from dobble_print.pdf.report import Finding, Flaw, ShopLimits, judge
from dobble_print.preflight.cut import find_cut_color, paints_art
from dobble_print.preflight.survey import PlacedPaint, Survey, SurveyedPage
from dobble_print.units import DPI_ROUNDING

SLACK_PT = 0.01  # boxes are written with few digits


def check_boxes(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that every page has its boxes, finite, not empty, trim inside bleed inside media."""
    flaws = [Flaw(what, sheet.number) for sheet in survey.sheets for what in _find_box_flaws(sheet, limits)]
    pages = "the one page" if len(survey.sheets) == 1 else f"all {len(survey.sheets)} pages"
    return judge("boxes", flaws, f"trim lies inside bleed inside media on {pages}")


def _find_box_flaws(sheet: SurveyedPage, limits: ShopLimits) -> list[str]:
    # a page of nothing but cut paths prints nothing that could bleed
    needed = ("TrimBox", "BleedBox") if paints_art(sheet, limits) else ("TrimBox",)
    found = {"MediaBox": media_box(sheet.page)}
    for name in ("BleedBox", "TrimBox"):
        value = sheet.page.obj.get(f"/{name}")
        if value is not None:
            found[name] = order_box(value)
    flaws = [f"no {name}" for name in needed if name not in found]
    flaws += [f"the {name} is empty or endless" for name, box in found.items() if not _is_sound(box)]
    pairs = (("TrimBox", "BleedBox"), ("BleedBox", "MediaBox"), ("TrimBox", "MediaBox"))
    outside = [(a, b) for a, b in pairs if a in found and b in found and not _is_inside(found[a], found[b])]
    return flaws + [f"the {inner} reaches outside the {outer}" for inner, outer in outside]


def _is_sound(box: PageBox) -> bool:
    return all(math.isfinite(value) for value in box) and box[2] > box[0] and box[3] > box[1]


def _is_inside(inner: PageBox, outer: PageBox) -> bool:
    lower = inner[0] >= outer[0] - SLACK_PT and inner[1] >= outer[1] - SLACK_PT
    return lower and inner[2] <= outer[2] + SLACK_PT and inner[3] <= outer[3] + SLACK_PT


FONT_FILES = ("/FontFile", "/FontFile2", "/FontFile3")


def check_fonts(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that all fonts of any text are embedded, in forms, patterns and annotations too."""
    used = {key_of(font): (page, font) for page, drawing in survey.list_streams() for font in drawing.fonts.values()}
    if not used:
        return Finding("fonts", "none", "no text, no fonts")
    missing = [(page, font) for page, font in used.values() if not _is_embedded(font)]
    named = [(page, str(font.get("/BaseFont", "/a font without a name"))[1:]) for page, font in missing]
    flaws = [Flaw(f"{name} is not embedded", page) for page, name in named]
    many = "the one font is embedded" if len(used) == 1 else f"all {len(used)} fonts are embedded"
    return judge("fonts", flaws, many)


def _is_embedded(font: Any) -> bool:
    """Tell whether a font is embedded: a Type 3 font is drawn by the file, a composite one by its descendant."""
    if font.get("/Subtype") == Name.Type3:
        return True
    holder = font.DescendantFonts[0] if "/DescendantFonts" in font else font
    described = holder.get("/FontDescriptor")
    return described is not None and any(key in described for key in FONT_FILES)


def check_images(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that no image and no mask is coarser than asked, in either direction, wherever it is drawn."""
    measured = [(sheet.number, *_measure(placed, sheet)) for sheet in survey.sheets for placed in sheet.pictures]
    if not measured:
        return Finding("images", "none", "no images")
    needed = f"({limits.least_dpi:g} needed)"
    coarse = [each for each in measured if each[1] < limits.least_dpi * DPI_ROUNDING]
    flaws = [Flaw(f"{what} at {dpi:.0f} dpi {needed}", page) for page, dpi, what in coarse]
    least = min(dpi for _, dpi, _ in measured)
    return judge("images", flaws, f"the coarsest image has {least:.0f} dpi {needed}")


def _measure(placed: PlacedPicture, sheet: SurveyedPage) -> tuple[float, str]:
    """Return the fewest dots an inch of an image or, where that is coarser, of its mask; and how large it is."""
    wide, high = (max(side * sheet.unit_pt, 1e-9) for side in measure_sides(placed.matrix))
    parts = {"an image": placed.picture.entries}
    for key in ("/SMask", "/Mask"):
        mask = placed.picture.entries.get(key)
        if isinstance(mask, Stream):
            parts["the mask of an image"] = mask
    dpi, part = min(
        (min(int(entries.get("/Width", 0)) / wide, int(entries.get("/Height", 0)) / high) * 72, part)
        for part, entries in parts.items()
    )
    return dpi, f"{part} of {wide / 72 * 25.4:.0f} × {high / 72 * 25.4:.0f} mm"


THINNEST_PT = 0.25  # a plate holds thinner lines in pieces, or not at all
LINE_SLACK_PT = 0.005


def check_lines(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that whatever is stroked and printed is wide enough to print; a cut path is not printed."""
    flaws = []
    for sheet in survey.sheets:
        widths = (_measure_width(each, sheet) for each in sheet.marks if _is_printed_line(each, limits))
        thinnest = min((sheet.thinnest_pt, *widths))
        if thinnest < THINNEST_PT - LINE_SLACK_PT:
            shown = f"{thinnest:.3g} pt" if thinnest else "width 0"
            flaws.append(Flaw(f"a hairline of {shown} ({THINNEST_PT:g} pt needed)", sheet.number))
    return judge("lines", flaws, f"no line is thinner than {THINNEST_PT:g} pt")


def _is_printed_line(placed: PlacedPaint, limits: ShopLimits) -> bool:
    return placed.mark.kind == "stroke" and find_cut_color(placed, limits) is None


def _measure_width(placed: PlacedPaint, sheet: SurveyedPage) -> float:
    state = placed.mark.state.inherit(placed.outer)
    scale = measure_scale(state.matrix @ placed.matrix) * sheet.unit_pt
    return (1.0 if state.width is None else state.width) * scale


def check_overprint(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that nothing white overprints: it would not show, since white is no ink."""
    pages = {page: None for page, drawing in survey.list_streams() if drawing.white_overprints}
    flaws = [Flaw("something white overprints, so it does not show", page) for page in pages]
    return judge("overprint", flaws, "nothing white overprints")


SMALL_PT = 8.0  # plates that lie a little beside each other make smaller letters in several inks unreadable
USED_FROM = 0.02  # of an ink; less does not show
NEARLY_BLACK = 0.85


def check_text(survey: Survey, limits: ShopLimits) -> Finding:
    """Check that small text is in one ink, and that what looks like black text is solid."""
    flaws = [
        Flaw(what, sheet.number)
        for sheet in survey.sheets
        for color, size in sheet.texts
        if color and (what := _find_text_flaw(color, size))
    ]
    if not any(sheet.texts for sheet in survey.sheets):
        return Finding("text", "none", "no text")
    return judge("text", flaws, f"text below {SMALL_PT:g} pt is in one ink, and black text is solid")


def _find_text_flaw(color: Color, size_pt: float) -> str:
    family, values = color.space.family, color.values
    if family == "gray" and values:
        values = (0.0, 0.0, 0.0, 1 - values[0])
    used = sum(value > USED_FROM for value in values) if family in ("cmyk", "gray", "spot") else 0
    if used > 1 and size_pt < SMALL_PT - SLACK_PT and not color.is_for_marks:
        return f"text of {size_pt:.1f} pt is in {used} inks ({SMALL_PT:g} pt needed, or one ink)"
    if used == 1 and len(values) == 4 and NEARLY_BLACK <= values[3] < 1 - SLACK_PT:
        return f"black text is not solid: {values[3]:.0%} of black".replace("%", " %")
    return ""
