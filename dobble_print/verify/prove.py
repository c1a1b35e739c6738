"""The proof of a finished PDF: read it back, trace what its forms show, put every claim to the test.

Invariant: the claims rest on content streams and rendered forms alone; a file that cannot be read is told so in plain
words, and a file that no longer says what is a card proves nothing.
"""

from __future__ import annotations

from collections import Counter

import pikepdf

from dobble_print.errors import Fault, UsageError
from dobble_print.pdf.document import open_pdf
from dobble_print.pdf.render import PageRenderer
from dobble_print.verify.backs import claim_backs
from dobble_print.verify.claims import claim_cards, claim_gap, claim_margin, claim_pairs, claim_variety
from dobble_print.verify.decks import sort_decks, sort_symbols
from dobble_print.verify.proof import Claim, Demands, Proof
from dobble_print.verify.scan import PrintedPage, scan_pages
from dobble_print.verify.shapes import outline_cards, put_symbols, trace_silhouettes
from dobble_print.verify.visibility import claim_visibility

MOST_CARDS = 1_000  # of one copy of a deck
MOST_SYMBOLS = 100  # on a card
MOST_FORMS = 20_000
NO_DEMANDS = Demands()
NO_MARKS = "no card is marked in this file: it was not made by this program, or another program went over it"


def prove_pdf(data: bytes, demands: Demands = NO_DEMANDS) -> Proof:
    """Put every claim to the test; raises a `UsageError` where the file cannot be read at all."""
    with open_pdf(data) as pdf:
        return Proof(_make_claims(pdf, demands))


def _make_claims(pdf: pikepdf.Pdf, demands: Demands) -> tuple[Claim, ...]:
    pages = scan_pages(pdf)
    _refuse_excess(pages)
    if not any(page.cards or page.backs for page in pages):
        return (Claim("cards", "unknown", NO_MARKS),)
    backs = claim_backs(pages)
    if not any(page.cards for page in pages):
        return (Claim("cards", "none", "only backs, no fronts"), backs)
    return (*_claim_fronts(pdf, pages, demands), backs)


def _refuse_excess(pages: list[PrintedPage]) -> None:
    """Refuse files where comparing all with all would not end; none of ours comes near these numbers."""
    cards = [card for page in pages for card in page.cards]
    decks = Counter((card.deck, card.copy) for card in cards)
    forms = {one.key for card in cards for one in card.placed}
    fullest = max((len(card.placed) for card in cards), default=0)
    if max(decks.values(), default=0) > MOST_CARDS or fullest > MOST_SYMBOLS or len(forms) > MOST_FORMS:
        raise UsageError(Fault("the PDF holds more cards or symbols than any deck", "Give sheets of this program."))


def _claim_fronts(pdf: pikepdf.Pdf, pages: list[PrintedPage], demands: Demands) -> tuple[Claim, ...]:
    cards = [card for page in pages for card in page.cards]
    placed = [one for card in cards for one in card.placed]
    symbols = sort_symbols(placed)
    decks = sort_decks(cards, symbols)
    renderer = PageRenderer(pdf)
    silhouettes = trace_silhouettes(renderer, placed)
    outlined = [outline_cards(page) for page in pages]
    cut = put_symbols((each for page in outlined for each in page), silhouettes)
    return (
        claim_cards(decks, cut, symbols, pages),
        claim_pairs(decks, symbols),
        claim_visibility(renderer, pages, outlined, silhouettes),
        claim_gap(cut, symbols, demands),
        claim_margin(cut, symbols, demands),
        claim_variety(decks, symbols, silhouettes),
    )
