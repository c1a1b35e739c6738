"""What there is to choose from: ready-made games, machines, papers, languages, drawings, and what numbers give.

Invariant: nothing here depends on a game; the same program gives the same answers, so a browser may keep them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from dobble_print import __version__
from dobble_print.deck.design import (
    DIFFERENCE_SETS,
    card_count,
    choose_symbols_per_card,
    full_size,
    make_deck,
)
from dobble_print.resources import read_yaml, shipped_profiles, shipped_themes
from dobble_print.studio import safety
from dobble_print.studio.document import MOST_SYMBOLS
from dobble_print.theme.filling import FEWEST_TO_FILL
from dobble_print.theme.model import Drawing, Emoji
from dobble_print.theme.reader import read_theme
from dobble_print.theme.symbols import FEWEST_SYMBOLS, show_word
from dobble_print.units import papers
from dobble_print.words.languages import languages
from dobble_print.words.lexicon import ARTICLES, Word, find_code, find_named, fold, words
from dobble_print.words.near import suggest_names

Plain = dict[str, Any]


@cache
def list_themes() -> list[Plain]:
    """Return the ready-made games."""
    found = []
    for name, path in shipped_themes().items():
        theme = read_theme(path)
        count, k = len(theme.symbols), theme.deck.symbols_per_card or choose_symbols_per_card(len(theme.symbols))
        found.append(
            {
                "id": name,
                "title": dict(theme.title),
                "purpose": dict(theme.purpose),
                "languages": list(theme.languages),
                "symbols": count,
                "cards": theme.deck.cards or card_count(count, k),
                "per_card": k,
            }
        )
    return found


@cache
def list_profiles() -> list[Plain]:
    """Return the machines: what each is for, and what it sets."""
    return [{"id": name} | read_yaml(f"profiles/{path.name}") for name, path in shipped_profiles().items()]


def list_papers() -> list[Plain]:
    """Return the papers, the default first."""
    return [{"id": name, "width_mm": each.width_mm, "height_mm": each.height_mm} for name, each in papers().items()]


def list_languages() -> list[Plain]:
    """Return the languages that names may have; the lexicon knows words in some of them."""
    return [{"code": code, "name": row.name, "lexicon": code in ARTICLES} for code, row in languages().items()]


def describe_limits() -> Plain:
    """Return how much may be sent, and how large a game may be."""
    return {
        "version": __version__,
        "fewest_symbols": FEWEST_SYMBOLS,
        "fewest_to_fill": FEWEST_TO_FILL,
        "most_symbols": MOST_SYMBOLS,
        "upload_bytes": safety.MOST_UPLOAD,
        "file_bytes": safety.MOST_FILE,
        "json_bytes": safety.MOST_JSON,
        "pictures": [".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".svg"],
        "lists": [".csv", ".tsv", ".txt", ".xlsx"],
    }


@cache
def describe_arithmetic() -> Plain:
    """Return what so many symbols give: cards, symbols a card, and how many wait; and the full decks."""
    table = {}
    for count in range(3, MOST_SYMBOLS + 1):
        k = choose_symbols_per_card(count)
        table[str(count)] = [card_count(count, k), k, count_waiting(count, k)]
    full = [[full_size(k), k] for k in DIFFERENCE_SETS if full_size(k) <= MOST_SYMBOLS]
    return {"fewest": FEWEST_SYMBOLS, "most": MOST_SYMBOLS, "table": table, "full": full}


def count_waiting(symbols: int, per_card: int) -> int:
    """Return how many symbols are on no card."""
    return len(make_deck(symbols, per_card).unused)


def find_drawings(query: str, language: str, most: int) -> list[Plain]:
    """Return drawings by a word in any language: what it names first, then what it may mean, best guesses first."""
    code, wanted = find_code(language) or "en", fold(query.strip())
    codes = [code, *(each for each in ARTICLES if each != code)]
    if not wanted:
        return []
    found: dict[str, Word] = {word.key: word for each in codes for word in find_named(query, each)}
    named = (name for name in suggest_names(query, codes))
    found |= {word.key: word for name in named for each in codes for word in find_named(name, each)}
    rest = [word for word in words().values() if any(wanted in fold(word.names[each].text) for each in (code, "en"))]
    found |= {word.key: word for word in sorted(rest, key=lambda word: len(word.names[code].text))}
    return [describe_word(word) for word in list(found.values())[:most]]


def describe_word(word: Word) -> Plain:
    """Return a drawing: the word that stands for it in a theme, its names, and how to see it."""
    source: Drawing | Emoji = show_word(word)
    names = {code: word.names[code].text for code in ARTICLES if code in word.names}
    return {"id": word.key, "emoji": word.emoji, "names": names, "group": word.group, "art": name_drawing(source)}


def name_drawing(source: Drawing | Emoji) -> str:
    """Return the address of a drawing under `/api/art/`."""
    return (
        f"drawing-{source.name}"
        if isinstance(source, Drawing)
        else f"emoji-{'-'.join(f'{ord(c):x}' for c in source.char)}"
    )
