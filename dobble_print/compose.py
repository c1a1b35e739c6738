"""Composing a deck: everything that is on its cards, from the theme to fronts, back and forms.

Invariant: pure but for reading pictures; the same theme composes the same deck, whatever it is printed on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

from dobble_print.art.artwork import Artwork, Form, least_diameter_mm
from dobble_print.art.gallery import find_coarse, fit_forms, open_back, open_gallery, warn_about_back
from dobble_print.art.similarity.lookalikes import stands_out
from dobble_print.art.similarity.measure import SKETCH_PX
from dobble_print.dealing import assign_owners, deal_theme, find_unfilled, find_unused
from dobble_print.deck.design import Card, Deck
from dobble_print.errors import Fault, LayoutError
from dobble_print.layout.engine import recall_layout
from dobble_print.layout.model import Piece, Placement
from dobble_print.sheets.backs import make_back, picture_diameter_mm
from dobble_print.sheets.pages import Sheet, find_missing_marks, prepare_sheet
from dobble_print.sheets.plan import Back, CardLook, Front, make_fronts
from dobble_print.theme.arithmetic import warn_about_sums
from dobble_print.theme.faces import warn_about_faces
from dobble_print.theme.model import Text, Theme
from dobble_print.theme.options import BackOptions
from dobble_print.units import SHAPES

ID_LENGTH = 6
LEAST_SHOWN = 0.13  # of the card's size: forms are made for at least this, also of symbols that no card shows
PART_RIM_MM = 2.4  # where rims tell the parts of a deck apart, their dots must be seen across a table
RIM_AIR_MM = 1.0  # symbols keep this far from the rim, however broad it is
OnStep = Callable[[str], None]  # is told the name of each step as it begins
Layouts = dict[int, tuple[Placement, ...]]  # by card number


@dataclass(frozen=True)
class Watch:
    """Who is told how far a composition is; whatever these functions raise ends it, which is how one is cancelled.

    `on_step` hears the name of each step as it begins, `on_cards` the placements of cards as soon as they are certain,
    and `on_pulse` is called many times a second while pictures are opened and cards laid out.
    """

    on_step: OnStep = lambda step: None
    on_cards: Callable[[Layouts], None] = lambda cards: None
    on_pulse: Callable[[], None] = lambda: None


UNWATCHED = Watch()
WHITE_BACKS = "Choose a colour with --back, or write back: none in the theme."


@dataclass(frozen=True, eq=False)
class Composition:
    """A deck as data: its cards as they will look, the forms on them, and what is doubtful about them.

    The forms are made when they are first asked for: whoever only shows the cards needs none.
    """

    theme: Theme
    decks: tuple[Deck, ...]
    deck_id: str
    layouts: Layouts
    artworks: tuple[Artwork, ...]
    fronts: dict[int, Front]
    back: Back | None
    shown: tuple[Artwork, ...]  # the artworks, and the back's picture where it has one
    diameters_mm: tuple[float, ...]  # the largest that each of them is shown at
    sheet: Sheet
    warnings: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """What the press embeds."""
        return tuple(fit_forms(self.shown, self.diameters_mm))

    @cached_property
    def sizes_mm(self) -> tuple[float, ...]:
        """The sizes of the forms, by their longer sides."""
        return tuple(art.longer_side_mm(size) for art, size in zip(self.shown, self.diameters_mm, strict=True))


def compose_deck(theme: Theme, watch: Watch = UNWATCHED, copies: int = 1) -> Composition:
    """Compose everything that is on the cards, and how so many copies of them lie on their sheets."""
    watch.on_step("deck")
    decks = deal_theme(theme)
    sheet = sheet_theme(theme, copies * sum(len(deck.cards) for deck in decks))
    owners = assign_owners(theme, decks)

    watch.on_step("artwork")
    gallery = open_gallery(theme.symbols, watch.on_pulse)
    artworks = gallery.artworks
    back_art = open_back(theme.back.image) if theme.back.image else None
    deck_id = make_deck_id(theme, decks, artworks)
    look = make_look(theme, deck_id)
    sheet = replace(sheet, look=look)

    watch.on_step("layout")
    layouts = lay_out(theme, decks, artworks, look, watch)

    watch.on_step("forms")
    shown = (*artworks, back_art) if back_art else artworks
    diameters = _largest_diameters(layouts, len(artworks), LEAST_SHOWN * 2 * look.shape.inner_radius_mm)
    diameters += [picture_diameter_mm(theme.back, look, back_art)] if back_art else []
    back = make_back(choose_back(theme), look, artworks, back_art, _choose_pattern(theme, decks, artworks))
    warnings = [
        *theme.remarks,
        *find_unused(theme, decks),
        *find_unfilled(theme),
        *warn_about_faces(theme.symbols),
        *warn_about_sums(theme.symbols),
        *gallery.warnings,
        *find_coarse(theme.symbols, artworks, diameters[: len(artworks)]),
    ]
    if back_art and theme.back.image:
        warnings += warn_about_back(theme.back.image, back_art, diameters[-1])
    if theme.back.kind == "none" and theme.sheet.duplex in ("separate", "fold") and back:
        warnings.append(Fault("the theme has no backs, so they are plain", "Choose a colour with --back."))
    if theme.press.standard != "none" and back is None and not ("back" in theme.places or theme.sheet.duplex == "none"):
        warnings.append(Fault("the theme names no back: the other side of the cards stays white", WHITE_BACKS))
    if theme.back.kind != "none" and back is None:
        what = "with little ink the cards have no backs"
        warnings.append(Fault(what, "For backs of their own, to print on the other side: --duplex separate."))
    warnings += find_missing_marks(sheet, theme.labels is not None)
    return Composition(
        theme=theme,
        decks=decks,
        deck_id=deck_id,
        layouts=layouts,
        artworks=artworks,
        fronts=make_fronts(layouts, artworks, owners),
        back=back,
        shown=tuple(shown),
        diameters_mm=tuple(diameters),
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


def sheet_theme(theme: Theme, cards: int | None = None) -> Sheet:
    """Return how so many of the theme's cards lie on its paper, or as many as fit."""
    with LayoutError.placed(theme.place_of("card.size", "card", "labels", "sheet.paper")):
        return prepare_sheet(theme, make_look(theme), cards)


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
        gap_mm=0.0 if sheet.share_edges else sheet.gap_mm,
    )


def lay_out(
    theme: Theme, decks: Sequence[Deck], artworks: Sequence[Artwork], look: CardLook, watch: Watch = UNWATCHED
) -> Layouts:
    """Place the symbols of every card; always the whole deck, so that a reprinted card looks as it did."""
    pieces = make_pieces(theme, artworks)
    options = replace(theme.layout, margin_mm=look.margin_mm)
    layouts: Layouts = {}
    for deck in decks:
        numbers = [card.number for card in deck.cards]
        cards = [list_pieces(theme, card) for card in deck.cards]
        with LayoutError.placed(theme.place_of("layout", "card", "symbols")):
            placed = recall_layout(
                cards, pieces, look.shape, options, theme.deck.seed, numbers, watch.on_cards, watch.on_pulse
            )
        layouts |= zip(numbers, placed, strict=True)
    return layouts


def make_pieces(theme: Theme, artworks: Sequence[Artwork]) -> list[Piece]:
    """Return every face of every symbol as the layout sees it; words as large as their letters must be."""
    pieces = []
    for (number, face_number), artwork in zip(theme.pieces, artworks, strict=True):
        symbol = theme.symbols[number]
        face = symbol.faces[face_number]
        name = face.source.text if isinstance(face.source, Text) else symbol.id
        least_mm = least_diameter_mm(face.source, artwork, theme.layout.min_x_height_mm)
        pieces.append(Piece(name, artwork.silhouette, face.rotation, symbol.scale, least_mm))
    return pieces


def list_pieces(theme: Theme, card: Card) -> tuple[int, ...]:
    """Return the pieces that a card shows, in the order of its slots."""
    return tuple(theme.find_piece(symbol, face) for symbol, face in zip(card.symbols, card.faces, strict=True))


def _choose_pattern(theme: Theme, decks: Sequence[Deck], artworks: Sequence[Artwork]) -> list[int]:
    """Return the pieces of a pattern: pictures of the deck that stand out from its colour.

    Words would be too small to read; symbols that are on no card are not on backs either.
    """
    if theme.back.kind != "pattern":
        return []
    dealt = {symbol for deck in decks for card in deck.cards for symbol in card.symbols}
    kinds = [(symbol, theme.symbols[symbol].faces[face].kind) for symbol, face in theme.pieces]
    pictures = [piece for piece, (symbol, kind) in enumerate(kinds) if kind == "picture" and symbol in dealt]
    seen = [piece for piece in pictures if stands_out(artworks[piece].master.sketch(SKETCH_PX), theme.back.color)]
    return seen or pictures


def _largest_diameters(layouts: Layouts, pieces: int, least_mm: float) -> list[float]:
    largest = [least_mm] * pieces
    for spot in chain.from_iterable(layouts.values()):
        largest[spot.piece] = max(largest[spot.piece], spot.diameter_mm)
    return largest
