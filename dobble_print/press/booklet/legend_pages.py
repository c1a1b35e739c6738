"""The legend as the last pages of the booklet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.platypus.flowables import Flowable

from dobble_print.press.booklet.flow import take
from dobble_print.press.booklet.pages import BookPage
from dobble_print.press.booklet.pieces import Anchor, Title
from dobble_print.press.booklet.prose import make_prose
from dobble_print.press.booklet.typeset import Setting
from dobble_print.press.legend import also_words, draw_cells, footnotes, shown_symbols
from dobble_print.press.legend_grid import Cell, LegendPlan, list_entries, plan_legend
from dobble_print.rules.rulebook import Rulebook
from dobble_print.units import PT_PER_MM, mm_to_pt

FEW = 20  # symbols that one page shows well
BOOK_PAGES = (1, 2, 4, 6, 8, 12, 16, 24)
MOST_WITH_SYNONYMS = 4  # pages; a longer legend leaves the synonyms to the poster
TITLE_PITCHES = 2.6  # height of the title with the space under it, in lines


class LegendPiece(Flowable):  # type: ignore[misc]
    """The cells of one page."""

    def __init__(self, cells: Sequence[Cell], plan: LegendPlan, setting: Setting, height_mm: float) -> None:
        super().__init__()
        self.cells, self.plan, self.setting, self.height_mm = cells, plan, setting, height_mm

    def wrap(self, width_pt: float, room_pt: float) -> tuple[float, float]:
        """The whole area."""
        self.width, self.height = width_pt, mm_to_pt(self.height_mm)
        return self.width, self.height

    def draw(self) -> None:
        """Pictures and names."""
        pack = self.setting.pack
        draw_cells(self.canv, self.cells, self.plan, pack.theme, pack.artworks)


def make_legend_pages(
    key: str, heading: str, books: Sequence[Rulebook], setting: Setting, languages: Sequence[str]
) -> list[BookPage]:
    """One page for a few symbols, else a spread; more only when the names would become too small to read."""
    page, theme = setting.page, setting.pack.theme
    shown = shown_symbols(setting.pack.printer)
    notes = [make_prose(note, page.styles["small"]) for note in footnotes(theme, languages)]
    width, height = (length / PT_PER_MM for length in page.frame_pt)
    pitch_mm = page.size_pt * page.leading / PT_PER_MM
    room = height - TITLE_PITCHES * pitch_mm - sum(n.wrap(page.frame_pt[0], 1e6)[1] for n in notes) / PT_PER_MM - 1.0
    counts = BOOK_PAGES if len(shown) <= FEW else BOOK_PAGES[1:]
    plan = plan_legend(list_entries(theme, shown, languages, also_words(languages)), width, room, counts)
    if len(plan.pages) > MOST_WITH_SYNONYMS:
        plan = plan_legend(list_entries(theme, shown, languages, [""] * len(languages)), width, room, counts)
    pages = []
    for i, cells in enumerate(plan.pages):
        flow: list[Any] = [Anchor(key, heading)] if i == 0 else []
        titles = [book.labels["symbols"] for book in books[: page.columns]]
        flow += [Title(titles, [""] * len(titles), page, bar=False), LegendPiece(cells, plan, setting, room)]
        flow += notes if i == len(plan.pages) - 1 else []
        pages.append(BookPage(list(take(flow, page.frame_pt[0], page.frame_pt[1] + 50).placed), heading))
    return pages
