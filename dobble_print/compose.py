"""Composing a deck: everything that is on its cards, from the theme to fronts, back and forms.

Invariant: pure but for reading pictures; the same theme composes the same deck, whatever it is printed on.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from statistics import median
from typing import Any

from dobble_print.art.artwork import Artwork, Form, least_diameter_mm
from dobble_print.art.gallery import find_coarse, fit_forms, open_back, open_gallery, warn_about_back
from dobble_print.dealing import assign_owners, deal_theme, find_unfilled, find_unused
from dobble_print.deck.design import Card, Deck
from dobble_print.errors import Fault, LayoutError
from dobble_print.layout.engine import recall_layout
from dobble_print.layout.model import Piece, Placement
from dobble_print.sheets.pages import Sheet, find_missing_marks, prepare_sheet
from dobble_print.sheets.plan import (
    Back,
    CardLook,
    Front,
    cover_diameter_mm,
    make_back,
    make_fronts,
    pattern_diameter_mm,
)
from dobble_print.theme.arithmetic import warn_about_sums
from dobble_print.theme.model import Text, Theme
from dobble_print.theme.options import BackOptions
from dobble_print.units import SHAPES

ID_LENGTH = 6
WORD_GROWTH = 0.6  # 0 would give all words of a rung one width, 1 letters of one height
LEAST_WORD_SCALE = 0.75
PART_RIM_MM = 2.4  # where rims tell the parts of a deck apart, their dots must be seen across a table
RIM_AIR_MM = 1.0  # symbols keep this far from the rim, however broad it is
OnStep = Callable[[str], None]  # is told the name of each step as it begins
Layouts = dict[int, tuple[Placement, ...]]  # by card number


@dataclass(frozen=True, eq=False)
class Composition:
    """A deck as data: its cards as they will look, the forms on them, and what is doubtful about them."""

    theme: Theme
    decks: tuple[Deck, ...]
    deck_id: str
    layouts: Layouts
    artworks: tuple[Artwork, ...]
    fronts: dict[int, Front]
    back: Back | None
    forms: tuple[Form, ...]
    sizes_mm: tuple[float, ...]  # of the forms, by their longer sides
    sheet: Sheet
    warnings: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()


def compose_deck(theme: Theme, on_step: OnStep = lambda step: None) -> Composition:
    """Compose everything that is on the cards: decks, artwork, layout, forms, fronts and back."""
    on_step("deck")
    decks, sheet = deal_theme(theme), sheet_theme(theme)
    owners = assign_owners(theme, decks)

    on_step("artwork")
    gallery = open_gallery(theme.symbols)
    artworks = gallery.artworks
    back_art = open_back(theme.back.image) if theme.back.image else None
    deck_id = make_deck_id(theme, decks, artworks)
    look = make_look(theme, deck_id)
    sheet = replace(sheet, look=look)

    on_step("layout")
    layouts = lay_out(theme, decks, artworks, look)

    on_step("forms")
    shown = (*artworks, back_art) if back_art else artworks
    diameters = _largest_diameters(layouts, len(artworks), pattern_diameter_mm(look))
    diameters += [cover_diameter_mm(look, back_art)] if back_art else []
    forms = fit_forms(shown, diameters)
    back = make_back(choose_back(theme), look, artworks, back_art, _list_pictures(theme))
    warnings = [
        *theme.remarks,
        *find_unused(theme, decks),
        *find_unfilled(theme),
        *warn_about_sums(theme.symbols),
        *gallery.warnings,
        *find_coarse(theme.symbols, artworks, diameters[: len(artworks)]),
    ]
    if back_art and theme.back.image:
        warnings += warn_about_back(theme.back.image, back_art, diameters[-1])
    if theme.back.kind == "none" and theme.sheet.duplex in ("separate", "fold") and back:
        warnings.append(Fault("the theme has no backs, so they are plain", "Choose a colour with --back."))
    warnings += find_missing_marks(sheet, theme.labels is not None)
    return Composition(
        theme=theme,
        decks=decks,
        deck_id=deck_id,
        layouts=layouts,
        artworks=artworks,
        fronts=make_fronts(layouts, artworks, owners),
        back=back,
        forms=tuple(forms),
        sizes_mm=tuple(art.longer_side_mm(diameter) for art, diameter in zip(shown, diameters, strict=True)),
        sheet=sheet,
        warnings=tuple(warnings),
        notes=gallery.notes,
    )


def make_deck_id(theme: Theme, decks: Sequence[Deck], artworks: Sequence[Artwork]) -> str:
    """Return a short id that changes when a card would show something else, and with nothing else."""
    shown = [(theme.symbols[i].id, artwork.digest) for (i, _), artwork in zip(theme.pieces, artworks, strict=True)]
    dealt: list[Any] = [card.symbols for deck in decks for card in deck.cards]
    if len(theme.pieces) > len(theme.symbols):
        dealt += [card.faces for deck in decks for card in deck.cards]
    content = json.dumps([shown, dealt], ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()[:ID_LENGTH]


def choose_back(theme: Theme) -> BackOptions:
    """Return the theme's back; whoever folds or prints backs apart wants some, and little ink means none."""
    if theme.sheet.duplex in ("separate", "fold") and theme.back.kind == "none":
        return BackOptions(kind="color")
    return BackOptions() if theme.sheet.low_ink and theme.sheet.duplex in ("long", "short") else theme.back


def sheet_theme(theme: Theme) -> Sheet:
    """Return how the theme's cards lie on its paper."""
    with LayoutError.placed(theme.place_of("card.size", "card", "labels", "sheet.paper")):
        return prepare_sheet(theme, make_look(theme))


def make_look(theme: Theme, deck_id: str = "") -> CardLook:
    """Return what all cards have in common, from the theme's options."""
    card, sheet = theme.card, theme.sheet
    if theme.faces_by == "card" and card.rim_width_mm > 0:
        card = replace(card, rim_width_mm=max(card.rim_width_mm, PART_RIM_MM))
    if sheet.low_ink:
        card = replace(card, background="#ffffff", rim_width_mm=0.0)
    corner = {} if card.corner_mm is None else {"corner_mm": card.corner_mm}
    return CardLook(
        shape=SHAPES[card.shape](card.size_mm, **corner),
        background=card.background,
        rim_color=card.rim_color,
        rim_width_mm=card.rim_width_mm,
        margin_mm=max(theme.layout.margin_mm, card.rim_width_mm + RIM_AIR_MM),
        bleed_mm=sheet.bleed_mm,
        cut_line=sheet.cut_line,
        rim_note=deck_id if card.number_on_rim else "",
        ticks=sheet.centre_ticks,
        share_edges=sheet.share_edges,
    )


def lay_out(theme: Theme, decks: Sequence[Deck], artworks: Sequence[Artwork], look: CardLook) -> Layouts:
    """Place the symbols of every card; always the whole deck, so that a reprinted card looks as it did."""
    pieces = make_pieces(theme, artworks)
    options = replace(theme.layout, margin_mm=look.margin_mm)
    layouts: Layouts = {}
    for deck in decks:
        with LayoutError.placed(theme.place_of("layout", "card", "symbols")):
            cards = [list_pieces(theme, card) for card in deck.cards]
            placed = recall_layout(cards, pieces, look.shape, options, theme.deck.seed)
        layouts |= {card.number: layout for card, layout in zip(deck.cards, placed, strict=True)}
    return layouts


def make_pieces(theme: Theme, artworks: Sequence[Artwork]) -> list[Piece]:
    """Return every face of every symbol as the layout sees it; words as large as their letters must be."""
    faces = [theme.symbols[number].faces[face] for number, face in theme.pieces]
    least = [
        least_diameter_mm(face.source, artwork, theme.layout.min_x_height_mm)
        for face, artwork in zip(faces, artworks, strict=True)
    ]
    usual = median([size for size in least if size] or [1.0])
    pieces = []
    for (number, _), face, artwork, size in zip(theme.pieces, faces, artworks, least, strict=True):
        symbol = theme.symbols[number]
        name = face.source.text if isinstance(face.source, Text) else symbol.id
        scale = symbol.scale * (_scale_word(size / usual) if size else 1.0)
        pieces.append(Piece(name, artwork.silhouette, face.rotation, scale, number, size))
    return pieces


def _scale_word(length: float) -> float:
    """Return how much larger a long word is asked to be than a short one, so that their letters are about as high."""
    return min(max(math.pow(length, WORD_GROWTH), LEAST_WORD_SCALE), 1 / LEAST_WORD_SCALE)


def list_pieces(theme: Theme, card: Card) -> tuple[int, ...]:
    """Return the pieces that a card shows, in the order of its slots."""
    return tuple(theme.find_piece(symbol, face) for symbol, face in zip(card.symbols, card.faces, strict=True))


def _list_pictures(theme: Theme) -> list[int]:
    """Return the pieces that are pictures: words would be too small to read in a pattern."""
    kinds = [theme.symbols[symbol].faces[face].kind for symbol, face in theme.pieces]
    return [piece for piece, kind in enumerate(kinds) if kind == "picture"]


def _largest_diameters(layouts: Layouts, pieces: int, least_mm: float) -> list[float]:
    largest = [least_mm] * pieces
    for spot in chain.from_iterable(layouts.values()):
        largest[spot.piece] = max(largest[spot.piece], spot.diameter_mm)
    return largest
