"""Prepress: what a document needs for the machine that prints it: inks to draw it in, cut path, standard.

Invariant: an office printer gets the document in screen colours; a shop gets it drawn in inks, the cut on a plate of
its own, and a claim that the document keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from pikepdf import Pdf

from dobble_print.pdf.document import save_pdf
from dobble_print.pdf.report import Standard
from dobble_print.prepress.cut_layer import CutLayer
from dobble_print.sheets.cutting import Cut, trace_cuts
from dobble_print.sheets.pages import PageBoxes, measure_boxes
from dobble_print.sheets.plan import CardLook, Page
from dobble_print.theme.options import PressOptions

if TYPE_CHECKING:
    from dobble_print.prepress.inks import Inks, OutputProfile

STANDARDS: dict[str, Standard] = {"x-4": "PDF/X-4", "x-1a": "PDF/X-1a"}


@dataclass(frozen=True, eq=False)
class Prepress:
    """What the machine that prints asks for; `profile` says what its inks look like, `date` is printed when given."""

    options: PressOptions = field(default_factory=PressOptions)
    profile: OutputProfile | None = None
    date: datetime | None = None

    @property
    def is_opaque(self) -> bool:
        """Whether nothing may be transparent, and nothing may lie on a layer of its own."""
        return self.options.standard == "x-1a"

    @property
    def inks(self) -> Inks | None:
        """The inks that documents are drawn in; None for screens and office printers."""
        if self.profile is None:
            return None
        from dobble_print.prepress.inks import open_inks

        return open_inks(self.profile, self.options.ink_limit / 100)

    def finish_sheets(self, pdf: Pdf, pages: Sequence[Page], look: CardLook, title: str) -> bytes:
        """Add the cut path and the claim to sheets of cards, and save them."""
        if self.options.cut_path in ("art", "page"):
            self._add_cuts(pdf, pages, look)
        return self.save(pdf, title)

    def print_cuts(self, cuts: Sequence[Cut], boxes: PageBoxes, sheets: Sequence[int], title: str) -> bytes:
        """Return a document of one page, as large as the paper, with nothing but the cuts, and with the claim."""
        with Pdf.new() as pdf:
            CutLayer(pdf, self.options.cut_name, not self.is_opaque).append_page(cuts, boxes, sheets)
            return self.save(pdf, title)

    def finish_document(self, pdf: Pdf) -> bytes:
        """Give a document that is no sheet of cards, such as a booklet, page boxes and the claim, and save it."""
        if self.profile:
            for page in pdf.pages:
                page.trimbox, page.bleedbox = page.trimbox, page.bleedbox  # inherited or from the media box
        return self.save(pdf, str(pdf.docinfo.get("/Title", "")))

    def _add_cuts(self, pdf: Pdf, pages: Sequence[Page], look: CardLook) -> None:
        layer = CutLayer(pdf, self.options.cut_name, not self.is_opaque)
        fronts = [(drawn, page) for drawn, page in zip(pdf.pages, pages, strict=True) if page.front_centres]
        alike: dict[tuple[Cut, ...], list[int]] = {}  # sheets, counted from 1; most have the same cuts
        for sheet, (drawn, page) in enumerate(fronts, start=1):
            cuts = trace_page(page, look)
            if self.options.cut_path == "art":
                layer.draw(drawn, cuts)
            else:
                alike.setdefault(cuts, []).append(sheet)
        for cuts, sheets in alike.items():
            layer.append_page(cuts, measure_boxes(fronts[sheets[0] - 1][1], look), sheets)

    def save(self, pdf: Pdf, title: str) -> bytes:
        """Save a document, with the claim of a standard where a press asks for one."""
        if not self.profile:
            return save_pdf(pdf)
        from dobble_print.prepress.pdfx import claim_standard

        standard = STANDARDS[self.options.standard]
        claim_standard(pdf, standard, self.profile, title, self.date)
        return save_pdf(pdf, standard)


OFFICE = Prepress()


def trace_page(page: Page, look: CardLook) -> tuple[Cut, ...]:
    """Trace the cuts around the fronts of a page."""
    return trace_cuts(look.shape, page.front_centres, page.turn_deg)
