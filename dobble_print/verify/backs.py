"""Backs: every front has its back behind it, and no back betrays its front.

Invariant: a back lies where its front lies, seen from behind, whichever edge the paper turns over or folds along; all
backs may be shifted by the same small step, which puts a printer right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from dobble_print.pdf.content import Color
from dobble_print.pdf.geometry import bound_runs
from dobble_print.pdf.report import Flaw
from dobble_print.units import PT_PER_MM, show_count
from dobble_print.verify.proof import Claim, settle
from dobble_print.verify.scan import PrintedBack, PrintedPage, Side, find_middle

NEAR_PT = 0.1 * PT_PER_MM
MOST_SHIFT_MM = 20.0
SHADE = 0.01  # by which two colours may differ in rounding

Floats = npt.NDArray[np.float64]
_PagePair = tuple[PrintedPage, PrintedPage]  # fronts and their backs; the same page where the paper is folded


def claim_backs(pages: Sequence[PrintedPage]) -> Claim:
    """Claim that every card has a back, where it belongs, and that all backs of a copy of a deck look the same."""
    backs = [back for page in pages for back in page.backs]
    if not backs:
        return Claim("backs", "none", "no backs in this file")
    flaws = list(_find_odd_backs(backs))
    count = _count(backs)
    if not any(page.cards for page in pages):
        return settle("backs", flaws, count, {"backs": len(backs)})
    sheets, lonely = _pair_pages(pages)
    fits = [_fit_sheets(sheets, sideways) for sideways in (True, False)]
    misfits, shift_mm = min(fits, key=lambda fit: (len(fit[0]), fit[1]))
    shifted = f", shifted by {shift_mm:.2f} mm" if shift_mm > NEAR_PT / PT_PER_MM else ""
    figures = {"backs": len(backs), "shift_mm": round(shift_mm, 3)}
    return settle("backs", [*flaws, *lonely, *misfits], f"{count}, one behind every front{shifted}", figures)


def _count(backs: Sequence[PrintedBack]) -> str:
    """Say how many backs there are, alike as far as they must be; white ones are named, since nobody sees them."""
    decks = len({back.deck for back in backs})
    white = sum(all(_is_white(patch.color) for patch in back.patches) and not back.placed for back in backs)
    note = f" ({white} of them white)" if white else ""
    note = " (white)" if white == len(backs) == 1 else note
    alike = f" are alike{' in each deck' if decks > 1 else ''}" if len(backs) > 1 else ""
    return f"{show_count(len(backs), 'back')}{note}{alike}"


def _is_white(color: Color | None) -> bool:
    if color is None:
        return False
    paper = 0.0 if len(color.values) == 4 else 1.0
    return all(abs(value - paper) <= SHADE for value in color.values)


def _pair_pages(pages: Sequence[PrintedPage]) -> tuple[list[_PagePair], list[Flaw]]:
    """Pair fronts with the backs on the same page, else on the next one."""
    sheets, flaws = [], []
    taken = set()
    for page, after in zip(pages, [*pages[1:], None], strict=True):
        if not page.cards:
            continue
        if page.backs:
            sheets.append((page, page))
            taken.add(page.number)
        elif after and after.backs and not after.cards:
            sheets.append((page, after))
            taken.add(after.number)
        else:
            flaws.append(Flaw(f"page {page.number} has no backs", page.number))
    flaws += [
        Flaw(f"page {page.number} holds backs without fronts", page.number)
        for page in pages
        if page.backs and page.number not in taken
    ]
    return sheets, flaws


def _fit_sheets(sheets: Sequence[_PagePair], sideways: bool) -> tuple[list[Flaw], float]:
    """Compare the backs of all sheets with their fronts, mirrored about an upright or a level line.

    Return what is wrong when the paper turns that way, and by how many millimetres all backs are shifted.
    """
    flaws: list[Flaw] = []
    shifts: dict[int, Floats] = {}
    for front, back in sheets:
        wanted, found = _mirror(front, sideways), _see_middles(back, back.backs)
        if len(wanted) != len(found):
            counts = f"{show_count(len(wanted), 'front')} but {show_count(len(found), 'back')}"
            flaws.append(Flaw(f"page {front.number}: {counts}", back.number))
            continue
        shifts[back.number] = np.median(np.sort(found, axis=0) - np.sort(wanted, axis=0), axis=0)
        flaws += _find_misplaced(front, back, wanted + shifts[back.number], found)
    usual = np.median(list(shifts.values()), axis=0) if shifts else np.zeros(2)
    return [*flaws, *_find_odd_shifts(shifts, usual)], float(np.hypot(*usual)) / PT_PER_MM


def _mirror(page: PrintedPage, sideways: bool) -> Floats:
    """Return the fronts as they are seen from behind."""
    middles = _see_middles(page, page.cards)
    wide, high = page.media[2] - page.media[0], page.media[3] - page.media[1]
    if page.turn_deg % 180:
        wide, high = high, wide
    return middles * (-1, 1) + (wide, 0) if sideways else middles * (1, -1) + (0, high)


def _see_middles(page: PrintedPage, sides: Sequence[Side]) -> Floats:
    """Return the middles of cards on the sheet as it comes out of the printer, turned as its page says."""
    x, y = np.array([find_middle(side) for side in sides], dtype=np.float64).reshape(-1, 2).T
    x, y, turn = x - page.media[0], y - page.media[1], page.turn_deg
    wide, high = page.media[2] - page.media[0], page.media[3] - page.media[1]
    turned = {90: (y, wide - x), 180: (wide - x, high - y), 270: (high - y, x)}
    return np.column_stack(turned.get(turn, (x, y)))


def _find_misplaced(front: PrintedPage, back: PrintedPage, wanted: Floats, found: Floats) -> Iterator[Flaw]:
    """Find fronts without a back near them, of the same deck."""
    away = np.hypot(*(wanted[:, None, :] - found[None, :, :]).transpose(2, 0, 1))
    for row, card in enumerate(front.cards):
        nearest = int(away[row].argmin())
        off_mm = float(away[row, nearest]) / PT_PER_MM
        if away[row, nearest] > NEAR_PT:
            yield Flaw(f"the back of card {card.number} lies {off_mm:.1f} mm off", back.number)
        elif back.backs[nearest].deck != card.deck:
            yield Flaw(f"card {card.number} has the back of another deck", back.number)


def _find_odd_shifts(shifts: Mapping[int, Floats], usual: Floats) -> Iterator[Flaw]:
    """Find sheets that are shifted otherwise: a correction is the same on every sheet, and small."""
    for page, shift in shifts.items():
        if np.hypot(*shift) > MOST_SHIFT_MM * PT_PER_MM:
            yield Flaw("the backs do not lie behind the fronts", page)
        elif np.hypot(*(shift - usual)) > NEAR_PT:
            yield Flaw(f"the backs of page {page} are shifted against the others", page)


def _find_odd_backs(backs: Sequence[PrintedBack]) -> Iterator[Flaw]:
    """Find backs unlike the first one of their copy of a deck; another copy may be for another owner."""
    first: dict[tuple[str | None, int], tuple[PrintedBack, Floats]] = {}
    for back in backs:
        places = _describe(back)
        model, model_places = first.setdefault((back.deck, back.copy), (back, places))
        if not (_are_close(places, model_places, NEAR_PT) and _are_alike(back, model)):
            yield Flaw(f"a back on page {back.page} differs from the others", back.page)


def _are_alike(one: PrintedBack, other: PrintedBack) -> bool:
    """Tell whether backs show the same things and the same colours, in the same order."""
    if [each.key for each in one.placed] != [each.key for each in other.placed] or len(one.patches) != len(
        other.patches
    ):
        return False
    return all(_same_color(a.color, b.color) for a, b in zip(one.patches, other.patches, strict=True))


def _same_color(one: Color | None, other: Color | None) -> bool:
    if one is None or other is None or one == other:
        return one == other
    return _are_close(np.array(one.values), np.array(other.values), SHADE)


def _are_close(one: Floats, other: Floats, most: float) -> bool:
    return one.shape == other.shape and bool((np.abs(one - other) <= most).all())


def _describe(back: PrintedBack) -> Floats:
    """Return where everything of a back lies, seen from its middle."""
    middle = np.array(find_middle(back))
    places = np.array([each.matrix.shorthand for each in back.placed]).reshape(-1, 6) - (0, 0, 0, 0, *middle)
    corners = [corner - middle for patch in back.patches if patch.subpaths for corner in bound_runs(patch.subpaths)]
    return np.concatenate([places.ravel(), *corners])
