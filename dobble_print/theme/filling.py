"""Filling up: a set that is a few symbols short of a full deck gets them from the lexicon.

Invariant: what is added is marked as such, is named in every language of the theme, and looks and sounds like nothing
that is there already; the same theme and seed add the same symbols.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from dobble_print.deck.design import DIFFERENCE_SETS, full_size, show_cards
from dobble_print.errors import Fault, InvalidValue, Place
from dobble_print.messages import list_words, quote, suggest
from dobble_print.resources import read_yaml
from dobble_print.theme.arithmetic import evaluate
from dobble_print.theme.model import Drawing, Emoji, Source, Symbol, Text
from dobble_print.theme.options import Rotation
from dobble_print.theme.symbols import FEWEST_SYMBOLS, Draft, finish_symbol, show_word
from dobble_print.theme.values import make_slug
from dobble_print.words.languages import language_name
from dobble_print.words.lexicon import Word, find_emoji_word, find_named, fold, groups, words
from dobble_print.words.writing import strip_tones, strip_variants

ANY_GROUP = "lexicon"  # the word for "whatever group the theme's own symbols are of"
MOST_FILLED = 5
FEWEST_TO_FILL = full_size(3) - MOST_FILLED  # symbols that the smallest deck can be made of
MOST_SHARE = 0.2  # of a full deck; a class that brings its own words should find them on the cards


_PICTURE, _PRINTED, _ID = "a picture", "a text", "an id"  # the others are codes of languages
Traits = set[tuple[str, str]]  # pictures, ids, and everything that players may shout, by language


def check_group(wanted: str) -> str:
    """Return the group to fill from, as the program spells it; raise `InvalidValue`."""
    known = [ANY_GROUP, *groups()]
    if wanted.casefold() in known:
        return wanted.casefold()
    hint = suggest(wanted, known, f"The groups are {', '.join(known)}.")
    raise InvalidValue(f"there is no group {quote(wanted)}", hint)


def find_full_deck(count: int, symbols_per_card: int | None = None) -> tuple[int, int]:
    """Return how many symbols the next full deck lacks, and how many are on each of its cards; 0 beyond the last."""
    asked = [symbols_per_card] if symbols_per_card in DIFFERENCE_SETS else DIFFERENCE_SETS
    sizes = [k for k in asked if k and full_size(k) >= max(count, FEWEST_SYMBOLS)]
    return (full_size(min(sizes)) - count, min(sizes)) if sizes else (0, max(DIFFERENCE_SETS))


def may_fill(missing: int, symbols_per_card: int) -> bool:
    """Return whether so many are few enough to add to a deck."""
    return missing <= max(MOST_FILLED, MOST_SHARE * full_size(symbols_per_card))


def fill_symbols(
    symbols: Sequence[Symbol],
    languages: Sequence[str],
    wanted: str = ANY_GROUP,
    seed: int = 1,
    symbols_per_card: int | None = None,
    rotation: Rotation | None = None,
    place: Place | None = None,
) -> tuple[Symbol, ...]:
    """Return the symbols, completed to the next full deck where few enough are missing and the lexicon has them.

    `wanted` is a group of the lexicon, or "lexicon": then the group that most symbols belong to comes first. `place`
    is where the theme asks for it. Raises `InvalidValue` for a group that does not exist.
    """
    missing, k = find_full_deck(len(symbols), symbols_per_card)
    own = tuple(symbols)
    if not may_fill(missing, k):
        return own
    return own + find_fillers(own, languages, missing, wanted, seed, rotation, place)


def find_fillers(
    symbols: Sequence[Symbol],
    languages: Sequence[str],
    count: int,
    wanted: str = ANY_GROUP,
    seed: int = 1,
    rotation: Rotation | None = None,
    place: Place | None = None,
) -> tuple[Symbol, ...]:
    """Return so many words that go with these symbols; none for sums, or where the lexicon has not enough."""
    chosen = [] if are_sums(symbols) else _choose_words(symbols, languages, check_group(wanted), seed, count)
    if len(chosen) < count:  # half a filling gives no full deck, only words that nobody asked for
        return ()
    place = place or Place("", 0, 0)
    drafts = [Draft(place, ("word", word.key), source=show_word(word), word=word) for word in chosen]
    made = (finish_symbol(draft, tuple(languages), rotation) for draft in drafts)
    return tuple(replace(symbol, filled=True) for symbol in made if symbol)


def are_sums(symbols: Sequence[Symbol]) -> bool:
    """Return whether most of these symbols are sums or numbers: among them no word belongs."""
    texts = [symbol.source.text for symbol in symbols if isinstance(symbol.source, Text)]
    return 2 * sum(evaluate(text) is not None for text in texts) > len(symbols)


def explain_unfilled(
    symbols: Sequence[Symbol], wanted: str, symbols_per_card: int | None = None, place: Place | None = None
) -> tuple[Fault, ...]:
    """Say why nothing was filled up; nothing about a deck that was full before."""
    missing, k = find_full_deck(len(symbols), symbols_per_card)
    if not missing:
        return ()
    are = "1 symbol is" if missing == 1 else f"{missing} symbols are"
    what = f"{are} missing for {show_cards(full_size(k), k)}"
    if are_sums(symbols):
        return (Fault(f"{what}, and the lexicon has no sums", "Add sums of your own.", place),)
    if may_fill(missing, k):
        known = set.intersection(*(set(word.names) for word in words().values()))
        codes = sorted({code for symbol in symbols for code in symbol.names} - known)
        lacking = f" in {list_words(map(language_name, codes), 'and')}" if codes else ""
        source = "the lexicon" if wanted == ANY_GROUP else f"the group {wanted}"
        return (Fault(f"{what}, and {source} has not enough words{lacking}", "Add symbols of your own.", place),)
    most = int(max(MOST_FILLED, MOST_SHARE * full_size(k)))
    return (Fault(f"{what}, more than the {most} that can be filled up", "Add symbols of your own.", place),)


def explain_shortage(count: int, fills: bool) -> tuple[str, str] | None:
    """Say what is wrong with too few symbols, and what to do; a few may be completed where the theme `fills`."""
    can_fill = count >= FEWEST_TO_FILL
    if count >= FEWEST_SYMBOLS or (can_fill and fills):
        return None
    shown = {0: "no symbols", 1: "only one symbol"}.get(count, f"only {count} symbols")
    other = f", or add fill: {ANY_GROUP}" if can_fill else ""
    return f"the theme has {shown}", f"That is too few for a game: give at least {FEWEST_SYMBOLS}{other}."


def find_group(symbols: Sequence[Symbol]) -> str:
    """Return the group of the lexicon that most of these symbols belong to, or nothing."""
    counts = Counter(word.group for symbol in symbols for word in _find_words(symbol)[:1])
    return counts.most_common(1)[0][0] if counts else ""


def _find_words(symbol: Symbol) -> list[Word]:
    """Return what the lexicon has for a symbol, by its picture or by one of its names."""
    by_picture = find_emoji_word(symbol.source.char) if isinstance(symbol.source, Emoji) else None
    named = (find_named(name, code.split("-")[0]) for code, name in symbol.names.items())
    return [by_picture] if by_picture else [word for found in named for word in found]


def _choose_words(
    symbols: Sequence[Symbol], languages: Sequence[str], wanted: str, seed: int, count: int
) -> list[Word]:
    """Choose so many words, of the group if it has them, none of which clashes with a symbol or another word."""
    group = find_group(symbols) if wanted == ANY_GROUP else wanted
    named = [word for word in words().values() if all(code in word.names for code in languages)]
    groups_first = [[word for word in named if word.group == group], [word for word in named if word.group != group]]
    chance, taken, chosen = random.Random(f"fill {seed}"), _list_symbol_traits(symbols), list[Word]()
    for pool in groups_first if wanted == ANY_GROUP else groups_first[:1]:
        chance.shuffle(pool)
        for word in pool:
            own, printed = _list_word_traits(word, languages), _list_printed(word, languages)
            if len(chosen) < count and word.key not in list_unfit() and not (own | printed) & taken:
                chosen.append(word)
                taken |= own
    return chosen


@cache
def list_unfit() -> frozenset[str]:
    """Return the keys of words that no deck is completed with."""
    return frozenset(key for keys in read_yaml("filling.yaml").values() for key in keys.split(", "))


def _list_symbol_traits(symbols: Sequence[Symbol]) -> Traits:
    pictures = {(_PICTURE, _picture_of(symbol.source)) for symbol in symbols}
    printed = {(_PRINTED, fold(symbol.source.text)) for symbol in symbols if isinstance(symbol.source, Text)}
    named = {(code, fold(text)) for symbol in symbols for code, text in symbol.names.items()}
    said = {(code, fold(text)) for symbol in symbols for code, texts in symbol.synonyms.items() for text in texts}
    return pictures | printed | named | said | {(_ID, symbol.id) for symbol in symbols}


def _picture_of(source: Source) -> str:
    if isinstance(source, Drawing):
        return source.name
    return strip_tones(strip_variants(source.char)) if isinstance(source, Emoji) else ""


def _list_word_traits(word: Word, languages: Sequence[str]) -> Traits:
    shown = (show_word(word), *map(Emoji, word.variants))
    pictures = {(_PICTURE, _picture_of(source)) for source in shown}
    sounds = {(code, fold(name.text)) for code in languages for name in word.names[code].all}
    return pictures | sounds | {(_ID, make_slug(word.key))}


def _list_printed(word: Word, languages: Sequence[str]) -> Traits:
    """Return what no symbol may print as its text: the word in any of the languages, and its key."""
    names = [name.text for code in languages for name in word.names[code].all]
    return {(_PRINTED, fold(text)) for text in (*names, word.key)}
