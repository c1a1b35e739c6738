"""Decks for tests of booklet and legend: real themes and artwork, but symbols simply in a ring on every card."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pypdfium2

from dobble_print.art.artwork import Artwork
from dobble_print.art.gallery import fit_forms, open_gallery
from dobble_print.compose import list_pieces, make_look
from dobble_print.dealing import assign_owners, deal_theme
from dobble_print.deck.design import Deck
from dobble_print.layout.model import Placement
from dobble_print.options import BuildOptions
from dobble_print.press.document import PrintableDeck
from dobble_print.resources import read_table, shipped_themes
from dobble_print.sheets.backs import make_back
from dobble_print.sheets.plan import CardLook, make_fronts
from dobble_print.theme.model import Theme
from dobble_print.theme.reader import read_theme
from dobble_print.words.lexicon import ARTICLES, REGIONAL

# Languages whose words, rules and sheets are all written; those of another may be half done.
WHOLE = tuple(sorted((*ARTICLES, *REGIONAL)))
LEXICON = ("animals", "food", "home", "clothes", "nature")
TEAMS = """\
card: {shape: hex, size: 60, rim_width: 3}
teams:
  cards_each: 13
  colors:
    - {color: "#e63946", en: red, nl: rood, fr: rouge, de: rot, es: rojo, it: rosso, pt: vermelho, pl: czerwony}
    - {color: "#1d70b8", en: blue, nl: blauw, fr: bleu, de: blau, es: azul, it: blu, pt: azul, pl: niebieski}
"""


@dataclass(frozen=True, eq=False)
class Press:
    """All that the makers of booklet and legend ask for."""

    theme: Theme
    decks: tuple[Deck, ...]
    artworks: tuple[Artwork, ...]
    printer: PrintableDeck


def set_up(theme: Theme) -> Press:
    """A theme ready for the press."""
    decks = deal_theme(theme)
    look = make_look(theme)
    artworks = open_gallery(theme.symbols).artworks
    layouts = {card.number: _ring(list_pieces(theme, card), look) for deck in decks for card in deck.cards}
    faces = make_fronts(layouts, artworks, assign_owners(theme, decks))
    back = make_back(theme.back, look, artworks, None)
    return Press(
        theme, decks, artworks, PrintableDeck(faces, back, look, fit_forms(artworks, [20.0] * len(artworks)), theme)
    )


def _ring(pieces: Sequence[int], look: CardLook) -> tuple[Placement, ...]:
    """Symbols around the middle, the later slots larger, as in a real layout."""
    reach = look.shape.inner_radius_mm
    size = 2 * 0.6 * reach * math.sin(math.pi / len(pieces))
    return tuple(
        Placement(
            piece,
            0.6 * reach * math.cos(2 * math.pi * slot / len(pieces)),
            0.6 * reach * math.sin(2 * math.pi * slot / len(pieces)),
            40.0 * slot,
            size * (0.6 + 0.35 * slot / len(pieces)),
        )
        for slot, piece in enumerate(pieces)
    )


def list_words(count: int) -> list[str]:
    """Words of the lexicon."""
    return [word for name in LEXICON for word in read_table(f"lexicon/{name}.yaml")][:count]


def write_theme(folder: Path, symbols: int, head: str) -> Theme:
    """A theme of words of the lexicon."""
    words = list_words(symbols)
    path = folder / "theme.yaml"
    path.write_text(f"{head}symbols:\n" + "".join(f'  - "{word}"\n' for word in words), encoding="utf-8")
    return read_theme(path)


@cache
def classic() -> Press:
    """The classic deck, with its names in every language that has rules."""
    return set_up(read_theme(shipped_themes()["classic"], BuildOptions(languages=WHOLE).theme_values()))


def read_text(pdf: bytes) -> list[str]:
    """The text of every page as a reader would copy it, with single spaces."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [re.sub(r"\s+", " ", page.get_textpage().get_text_range()) for page in document]
    finally:
        document.close()
