"""Backs: every front has its back behind it, and no back betrays its front.

Invariant: a back lies where its front lies, seen from behind, whichever edge the paper turns over or folds along; all
backs may be shifted by the same small step, which puts a printer right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dobble_print.pdf.content import Color
from dobble_print.pdf.report import Flaw
from dobble_print.units import PT_PER_MM
from dobble_print.verify.proof import Claim, settle
from dobble_print.verify.scan import PrintedBack, PrintedPage, Side, find_middle

NEAR_PT = 0.1 * PT_PER_MM
MOST_SHIFT_MM = 20.0
SHADE = 0.01  # by which two colours may differ in rounding

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class _PagePair:
    """A page of fronts and the page that holds its backs; the same page where the paper is folded."""

    front: PrintedPage
    back: PrintedPage


@dataclass(frozen=True, eq=False)
class _Fit:
    """How well the backs lie behind their fronts when the paper turns one way."""

    flaws: tuple[Flaw, ...]
    shift_mm: float


def claim_backs(pages: Sequence[PrintedPage]) -> Claim:
    """Every card has a back, where it belongs, and all backs of a copy of a deck look the same."""
    backs = [back for page in pages for back in page.backs]
    if not backs:
        return Claim("backs", "none", "no backs in this file")
    flaws = list(_find_odd_backs(backs))
    count = _count(backs)
    if not any(page.cards for page in pages):
        return settle("backs", flaws, count, {"backs": len(backs)})
    sheets, lonely = _pair_pages(pages)
    fits = [_fit_sheets(sheets, sideways) for sideways in (True, False)]
    best = min(fits, key=lambda fit: (len(fit.flaws), fit.shift_mm))
    shifted = f", shifted by {best.shift_mm:.2f} mm" if best.shift_mm > NEAR_PT / PT_PER_MM else ""
    figures = {"backs": len(backs), "shift_mm": round(best.shift_mm, 3)}
    return settle("backs", [*flaws, *lonely, *best.flaws], f"{count}, one behind every front{shifted}", figures)


def _count(backs: Sequence[PrintedBack]) -> str:
    """How many there are, alike as far as they must be; white ones are told, since nobody sees them."""
    decks = len({back.deck for back in backs})
    white = sum(all(_is_white(patch.color) for patch in back.patches) and not back.placed for back in backs)
    told = f" ({white} of them white)" if white else ""
    return f"{len(backs)} backs{told} are alike{' in each deck' if decks > 1 else ''}"


def _is_white(color: Color | None) -> bool:
    if color is None:
        return False
    paper = 0.0 if len(color.values) == 4 else 1.0
    return all(abs(value - paper) <= SHADE for value in color.values)


def _pair_pages(pages: Sequence[PrintedPage]) -> tuple[list[_PagePair], list[Flaw]]:
    """Fronts with the backs on the same page, else on the next one."""
    sheets, flaws = [], []
    taken = set()
    for page, after in zip(pages, [*pages[1:], None], strict=True):
        if not page.cards:
            continue
        if page.backs:
            sheets.append(_PagePair(page, page))
            taken.add(page.number)
        elif after and after.backs and not after.cards:
            sheets.append(_PagePair(page, after))
            taken.add(after.number)
        else:
            flaws.append(Flaw(f"page {page.number} has no backs", page.number))
    flaws += [
        Flaw(f"page {page.number} holds backs without fronts", page.number)
        for page in pages
        if page.backs and page.number not in taken
    ]
    return sheets, flaws


def _fit_sheets(sheets: Sequence[_PagePair], sideways: bool) -> _Fit:
    """The backs of all sheets against their fronts, mirrored about an upright or a level line."""
    flaws: list[Flaw] = []
    shifts: dict[int, Floats] = {}
    for sheet in sheets:
        wanted, found = _mirror(sheet.front, sideways), _see_middles(sheet.back, sheet.back.backs)
        if len(wanted) != len(found):
            what = f"page {sheet.front.number}: {len(wanted)} fronts but {len(found)} backs"
            flaws.append(Flaw(what, sheet.back.number))
            continue
        shift = np.median(np.sort(found, axis=0) - np.sort(wanted, axis=0), axis=0)
        shifts[sheet.back.number] = shift
        flaws += _find_misplaced(sheet, wanted + shift, found)
    usual = np.median(list(shifts.values()), axis=0) if shifts else np.zeros(2)
    return _Fit((*flaws, *_find_odd_shifts(shifts, usual)), float(np.hypot(*usual)) / PT_PER_MM)


def _mirror(page: PrintedPage, sideways: bool) -> Floats:
    """The fronts as they are seen from behind."""
    middles, (wide, high) = _see_middles(page, page.cards), _see_size(page)
    return middles * (-1, 1) + (wide, 0) if sideways else middles * (1, -1) + (0, high)


def _see_size(page: PrintedPage) -> tuple[float, float]:
    wide, high = page.media[2] - page.media[0], page.media[3] - page.media[1]
    return (high, wide) if page.turn_deg % 180 else (wide, high)


def _see_middles(page: PrintedPage, sides: Sequence[Side]) -> Floats:
    """The middles of cards on the sheet as it comes out of the printer, turned as its page says."""
    x, y = np.array([find_middle(side) for side in sides], dtype=np.float64).reshape(-1, 2).T
    x, y, turn = x - page.media[0], y - page.media[1], page.turn_deg
    wide, high = page.media[2] - page.media[0], page.media[3] - page.media[1]
    turned = {90: (y, wide - x), 180: (wide - x, high - y), 270: (high - y, x)}
    return np.column_stack(turned.get(turn, (x, y)))


def _find_misplaced(sheet: _PagePair, wanted: Floats, found: Floats) -> Iterator[Flaw]:
    """A back near every front, of the same deck."""
    away = np.hypot(*(wanted[:, None, :] - found[None, :, :]).transpose(2, 0, 1))
    for row, card in enumerate(sheet.front.cards):
        nearest = int(away[row].argmin())
        off_mm = float(away[row, nearest]) / PT_PER_MM
        if away[row, nearest] > NEAR_PT:
            yield Flaw(f"the back of card {card.number} lies {off_mm:.1f} mm off", sheet.back.number)
        elif sheet.back.backs[nearest].deck != card.deck:
            yield Flaw(f"card {card.number} has the back of another deck", sheet.back.number)


def _find_odd_shifts(shifts: Mapping[int, Floats], usual: Floats) -> Iterator[Flaw]:
    """A correction is the same on every sheet, and small."""
    for page, shift in shifts.items():
        if np.hypot(*shift) > MOST_SHIFT_MM * PT_PER_MM:
            yield Flaw("the backs do not lie behind the fronts", page)
        elif np.hypot(*(shift - usual)) > NEAR_PT:
            yield Flaw(f"the backs of page {page} are shifted against the others", page)


def _find_odd_backs(backs: Sequence[PrintedBack]) -> Iterator[Flaw]:
    """All backs of a copy of a deck look like the first one; another copy may be for another owner."""
    first: dict[tuple[str | None, int], tuple[PrintedBack, Floats]] = {}
    for back in backs:
        places = _describe(back)
        model, model_places = first.setdefault((back.deck, back.copy), (back, places))
        if not (_are_close(places, model_places, NEAR_PT) and _are_alike(back, model)):
            yield Flaw(f"a back on page {back.page} differs from the others", back.page)


def _are_alike(one: PrintedBack, other: PrintedBack) -> bool:
    """The same things and the same colours, in the same order."""
    if [each.key for each in one.placed] != [each.key for each in other.placed]:
        return False
    if len(one.patches) != len(other.patches):
        return False
    return all(_same_color(a.color, b.color) for a, b in zip(one.patches, other.patches, strict=True))


def _same_color(one: Color | None, other: Color | None) -> bool:
    if one is None or other is None or one == other:
        return one == other
    return _are_close(np.array(one.values), np.array(other.values), SHADE)


def _are_close(one: Floats, other: Floats, most: float) -> bool:
    return one.shape == other.shape and bool((np.abs(one - other) <= most).all())


def _describe(back: PrintedBack) -> Floats:
    """Where everything of a back lies, seen from its middle."""
    middle = np.array(find_middle(back))
    places = np.array([each.matrix.shorthand for each in back.placed]).reshape(-1, 6) - (0, 0, 0, 0, *middle)
    runs = [[run.points for run in patch.subpaths] for patch in back.patches if patch.subpaths]
    lower = [np.min([points.min(axis=0) for points in patch], axis=0) - middle for patch in runs]
    upper = [np.max([points.max(axis=0) for points in patch], axis=0) - middle for patch in runs]
    return np.concatenate([places.ravel(), *lower, *upper])
