"""The straight line: theme → decks → artwork → layout → plan → PDF. Start reading here.

Invariant: nothing is written here; a `Product` is complete in memory before the outbox delivers it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dobble_print.art.artwork import Artwork
from dobble_print.art.gallery import doubt_back, find_coarse, fit_forms, open_back, open_gallery
from dobble_print.dealing import assign_owners, deal_theme, find_unused
from dobble_print.deck import Deck
from dobble_print.errors import Fault, LayoutError, UsageError
from dobble_print.layout import Piece, Placement, lay_out_deck
from dobble_print.press.backs import cover_diameter_mm, make_back, pattern_diameter_mm
from dobble_print.press.booklet.book import make_booklet
from dobble_print.press.booklet.format import find_size
from dobble_print.press.booklet.imposition import make_booklet_print
from dobble_print.press.document import Printer
from dobble_print.press.legend import make_legend
from dobble_print.press.nesting import Nest, nest_cards
from dobble_print.press.plan import CardLook, make_faces
from dobble_print.press.preview import CARD_PX, render_page
from dobble_print.press.sheets import (
    find_missing_marks,
    interleave_backs,
    plan_contact_sheet,
    plan_separate_back,
    plan_sheets,
)
from dobble_print.product import Product
from dobble_print.record import make_deck_id, write_record
from dobble_print.theme.model import Theme
from dobble_print.units import SHAPES

RIM_AIR_MM = 1.0  # symbols keep this far from the rim, however broad it is

Report = Callable[[str], None]
Layouts = dict[int, tuple[Placement, ...]]  # by card number


@dataclass(frozen=True)
class Wishes:
    """What to make besides the sheets of a whole deck."""

    booklet: bool = True
    legend: bool = True
    booklet_size: str | None = None


ALL = Wishes()


def build_product(
    theme: Theme, only: Sequence[int] = (), wishes: Wishes = ALL, report: Report = lambda step: None
) -> Product:
    """Make a deck from a theme; with `only`, the sheets of just those cards, exactly as they were."""
    report("deck")
    find_size(wishes.booklet_size)
    decks = deal_theme(theme)
    owners = assign_owners(theme, decks)
    numbers = _choose_numbers(list(owners), only)
    nest = nest_theme(theme)

    report("artwork")
    gallery = open_gallery(theme.symbols)
    artworks = gallery.artworks
    back_art = open_back(theme.back.image) if theme.back.image else None

    deck_id = make_deck_id(theme, decks, artworks)
    look = make_look(theme, deck_id)

    report("layout")
    layouts = lay_out(theme, decks, artworks, look)

    report("forms")
    diameters = _largest_diameters(layouts, len(artworks), pattern_diameter_mm(look))
    forms = fit_forms(artworks, diameters)
    if back_art:
        forms += fit_forms([back_art], [cover_diameter_mm(look, back_art)])
    faces = make_faces(layouts, artworks, owners)
    back = make_back(theme.back, look, artworks, back_art)
    printer = Printer(faces, back, look, forms, theme)

    report("sheets")
    deck_line = f"{printer.title} · deck {deck_id}"
    fronts = plan_sheets(nest, [faces[number] for number in numbers], look, theme.sheet, deck_line, deck_id)
    duplex = back is not None and theme.sheet.duplex in ("long", "short")
    files = {_sheet_name(only): printer.print_pages(interleave_backs(fronts, theme.sheet) if duplex else fronts)}
    if back is not None and theme.sheet.duplex == "separate":
        files["backs.pdf"] = printer.print_pages([plan_separate_back(nest, look, theme.sheet, deck_line)])

    if not only:
        report("preview")
        files["deck.json"] = write_record(theme, decks, deck_id, layouts)
        contact = plan_contact_sheet(numbers, look.shape)
        width_px = round(contact.paper.width_mm / look.shape.width_mm * CARD_PX)
        files["preview.png"] = render_page(printer.print_plain(contact), width_px)
    if wishes.booklet and not only:
        report("booklet")
        files["booklet.pdf"] = make_booklet(printer, decks, artworks, size=wishes.booklet_size)
        files["booklet-print.pdf"] = make_booklet_print(files["booklet.pdf"], theme.sheet.paper)
    if wishes.legend and not only:
        report("legend")
        files["legend.pdf"] = make_legend(printer, artworks)
    warnings = [*find_unused(theme, decks), *gallery.warnings, *find_coarse(theme.symbols, artworks, diameters)]
    if back_art and theme.back.image:
        warnings += doubt_back(theme.back.image, back_art, cover_diameter_mm(look, back_art))
    if back is None and theme.sheet.duplex == "separate":
        warnings.append(Fault("there are no backs to print: the theme says back: none", 'Write back: "#1d3557".'))
    warnings += find_missing_marks(nest, look, theme.sheet)
    return Product(theme, decks, deck_id, files, nest, len(numbers), tuple(warnings), gallery.notes)


def nest_theme(theme: Theme) -> Nest:
    """How the theme's cards lie on its paper."""
    look = make_look(theme)
    with LayoutError.placed(theme.place_of("card.size", "card", "sheet.paper")):
        return nest_cards(theme.sheet.paper, look.shape, look.bleed_mm)


def make_look(theme: Theme, deck_id: str = "") -> CardLook:
    """What all cards have in common, from the theme's options."""
    card, sheet = theme.card, theme.sheet
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
    )


def lay_out(theme: Theme, decks: Sequence[Deck], artworks: Sequence[Artwork], look: CardLook) -> Layouts:
    """Place the symbols of every card; always the whole deck, so that a reprinted card looks as it did."""
    pieces = [
        Piece(symbol.id, artwork.silhouette, symbol.rotation, symbol.scale)
        for symbol, artwork in zip(theme.symbols, artworks, strict=True)
    ]
    options = replace(theme.layout, margin_mm=look.margin_mm)
    layouts: Layouts = {}
    for deck in decks:
        with LayoutError.placed(theme.place_of("layout", "card", "symbols")):
            placed = lay_out_deck([card.symbols for card in deck.cards], pieces, look.shape, options, theme.deck.seed)
        layouts |= {card.number: layout for card, layout in zip(deck.cards, placed, strict=True)}
    return layouts


def _choose_numbers(known: Sequence[int], only: Sequence[int]) -> list[int]:
    unknown = [str(number) for number in only if number not in known]
    if unknown:
        raise UsageError(Fault(f"there is no card {', '.join(unknown)}", f"This deck has cards 1 to {known[-1]}."))
    return sorted(set(only)) or list(known)


def _largest_diameters(layouts: Layouts, symbols: int, least_mm: float) -> list[float]:
    largest = [least_mm] * symbols
    for layout in layouts.values():
        for spot in layout:
            largest[spot.symbol] = max(largest[spot.symbol], spot.diameter_mm)
    return largest


def _sheet_name(only: Sequence[int]) -> str:
    """A reprint has a name of its own: the sheets of the whole deck must survive it."""
    if not only:
        return "cards.pdf"
    runs: list[list[int]] = []
    for number in sorted(set(only)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [f"{run[0]}to{run[-1]}" if len(run) > 2 else "-".join(map(str, run)) for run in runs]
    return f"cards-{'-'.join(parts)}.pdf"
