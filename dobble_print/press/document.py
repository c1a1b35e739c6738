"""The printer: pages in, a finished PDF out; it holds what every page of a deck shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dobble_print.art.artwork import Form
from dobble_print.press.draw import draw_pages
from dobble_print.press.forms import finish_pdf
from dobble_print.press.plan import Back, CardLook, Face, Page
from dobble_print.theme.model import Theme


@dataclass(frozen=True, eq=False)
class Printer:
    """The faces and the back of a deck, what they look like, and the form of every symbol."""

    faces: Mapping[int, Face]
    back: Back | None
    look: CardLook
    forms: Sequence[Form]
    theme: Theme

    @cached_property
    def title(self) -> str:
        """The deck's title in its first language."""
        return self.theme.title_in(self._language)

    @property
    def _language(self) -> str:
        return self.theme.languages[0] if self.theme.languages else ""

    def print_pages(self, pages: Sequence[Page]) -> bytes:
        """The pages as a PDF with just the symbols they show."""
        drawn = draw_pages(pages, self.faces, self.back, self.look, self.title)
        shown = {number: self.forms[number] for number in self._shown_on(pages)}
        return finish_pdf(drawn, shown, pages, self.look, self.theme.sheet.duplex, self._language)

    def print_plain(self, page: Page) -> bytes:
        """A page with the cards as they are after cutting."""
        cut = replace(self.look, bleed_mm=0.0, cut_line="none")
        return replace(self, look=cut).print_pages([page])

    def _shown_on(self, pages: Sequence[Page]) -> set[int]:
        fronts = {slot.number for page in pages if page.side == "front" for slot in page.slots}
        stamps = [stamp for number in fronts for stamp in self.faces[number].stamps]
        if self.back and any(page.side == "back" for page in pages):
            stamps += self.back.stamps
        return {stamp.symbol for stamp in stamps}
