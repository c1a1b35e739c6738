"""Open the artwork of every face of every symbol of a theme, and report all faults at once.

Invariant: no two symbols of a gallery show the same picture; players would have two right answers. Faces of one symbol
may look as they like.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dobble_print.art.artwork import LEAST_DPI, Artwork, Form, PictureMaster, open_artwork
from dobble_print.art.guarded import BUDGET, BudgetSpent
from dobble_print.art.similarity.twins import find_twins
from dobble_print.errors import ArtworkError, Fault, MissingLibraryError
from dobble_print.theme.model import Captioned, Face, ImageFile, Source, Symbol, Text
from dobble_print.units import DPI_ROUNDING, MM_PER_INCH, show_count


@dataclass(frozen=True, eq=False)
class Gallery:
    """Artwork of the theme's pieces (the faces of its symbols, in their order), with warnings and notes."""

    artworks: tuple[Artwork, ...]
    warnings: tuple[Fault, ...]
    notes: tuple[str, ...]


def open_gallery(symbols: Sequence[Symbol], on_pulse: Callable[[], None] = lambda: None) -> Gallery:
    """Open every symbol's picture, or raise one `ArtworkError` with all faults; `on_pulse` is called before each."""
    gallery, faults = examine_gallery(symbols, on_pulse)
    ArtworkError.raise_any(faults)
    return gallery


def examine_gallery(
    symbols: Sequence[Symbol], on_pulse: Callable[[], None] = lambda: None
) -> tuple[Gallery, list[Fault]]:
    """Open every symbol's picture and collect the faults, each with the symbol's name and line."""
    BUDGET.start()
    opened: list[tuple[Symbol, Face, Artwork]] = []
    faults: list[Fault] = []
    faces = list_faces(symbols)
    spent: list[float] = []
    for symbol, face in faces:
        on_pulse()
        before = BUDGET.seconds
        try:
            opened.append((symbol, face, open_artwork(face.source)))
        except MissingLibraryError:
            raise
        except BudgetSpent as error:
            slowest, left = faces[spent.index(max(spent))], len(faces) - len(spent)
            faults += [_place_fault(_count_unopened(fault, left), *slowest) for fault in error.faults]
            break
        except ArtworkError as error:
            faults += [_place_fault(fault, symbol, face) for fault in error.faults]
        spent.append(before - BUDGET.seconds)
    faults += _find_duplicates(opened)
    warnings = [_place_fault(fault, symbol, face) for symbol, face, artwork in opened for fault in artwork.warnings]
    notes = [f"{symbol.id} {note}" for symbol, _, artwork in opened for note in artwork.notes]
    return Gallery(tuple(artwork for _, _, artwork in opened), tuple(warnings), tuple(notes)), faults


def _count_unopened(fault: Fault, count: int) -> Fault:
    """Say at the symbol that took most what became of those that come after."""
    return replace(fault, what=f"{fault.what}, and this one took most; {show_count(count, 'picture')} not opened")


def list_faces(symbols: Sequence[Symbol]) -> list[tuple[Symbol, Face]]:
    """List every face with its symbol, in the order of the artworks."""
    return [(symbol, face) for symbol in symbols for face in symbol.faces]


def open_back(path: Path) -> Artwork:
    """Open the picture for the back of the cards."""
    try:
        return open_artwork(ImageFile(path), rounded=False)
    except ArtworkError as error:
        named = [replace(fault, what=f"back {path.name}: {fault.what}") for fault in error.faults]
        raise ArtworkError(*named) from None


def warn_about_back(path: Path, artwork: Artwork, diameter_mm: float) -> list[Fault]:
    """Return warnings about the picture of the back, as for any symbol."""
    warnings = [*artwork.warnings, *_warn_about_resolution(artwork, diameter_mm)]
    return [replace(fault, what=f"back {path.name}: {fault.what}") for fault in warnings]


def fit_forms(artworks: Sequence[Artwork], diameters_mm: Sequence[float]) -> list[Form]:
    """Return each artwork in the form the press embeds, given the largest size it prints at."""
    return [
        artwork.master.fit(artwork.longer_side_mm(diameter_mm))
        for artwork, diameter_mm in zip(artworks, diameters_mm, strict=True)
    ]


def find_coarse(symbols: Sequence[Symbol], artworks: Sequence[Artwork], diameters_mm: Sequence[float]) -> list[Fault]:
    """Warn about pictures that have too few pixels for their largest printed size."""
    coarse: list[Fault] = []
    for (symbol, face), artwork, diameter_mm in zip(list_faces(symbols), artworks, diameters_mm, strict=True):
        coarse += [_place_fault(fault, symbol, face) for fault in _warn_about_resolution(artwork, diameter_mm)]
    return coarse


def _warn_about_resolution(artwork: Artwork, diameter_mm: float) -> list[Fault]:
    """Warn about a picture of too few pixels; a drawing can be rendered as finely as needed."""
    if not isinstance(artwork.master, PictureMaster):
        return []
    dpi = max(artwork.master.size) / artwork.longer_side_mm(diameter_mm) * MM_PER_INCH
    if dpi >= LEAST_DPI * DPI_ROUNDING:
        return []
    what = f"prints {diameter_mm:.0f} mm large at only {dpi:.0f} dpi, {LEAST_DPI} look sharp"
    return [Fault(what, "Use a larger picture.")]


def _place_fault(fault: Fault, symbol: Symbol, face: Face) -> Fault:
    source = face.source.picture if isinstance(face.source, Captioned) else face.source
    shown = f" ({source.path.name})" if isinstance(source, ImageFile) else ""
    if isinstance(source, Text) and len(symbol.faces) > 1:
        shown = f' ("{source.text}")'
    return replace(fault, what=f'symbol "{symbol.id}"{shown}: {fault.what}', place=symbol.place)


def _find_duplicates(opened: Sequence[tuple[Symbol, Face, Artwork]]) -> list[Fault]:
    faults = []
    for first, second in find_twins([artwork for _, _, artwork in opened], [face.source for _, face, _ in opened]):
        (twin, other, _), (symbol, face, _) = opened[first], opened[second]
        if twin is symbol:
            continue
        letters = _explain_letters(face.source, other.source)
        what = f'shows the same picture as "{twin.id}" (line {twin.place.line}), so a match would have two answers'
        fault = Fault(what + letters, "Remove one of them.")
        faults.append(_place_fault(fault, symbol, face))
    return faults


def _explain_letters(one: Source, other: Source) -> str:
    """Return a remark where the letters of two texts are not the same, though they look so."""
    if not (isinstance(one, Text) and isinstance(other, Text)) or one.text == other.text:
        return ""
    odd = next((char for char in one.text if char not in other.text), "")
    return f"; {odd} is another letter ({unicodedata.name(odd, 'unknown').lower()}) that prints alike" if odd else ""
