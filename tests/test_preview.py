"""A preview is the pipeline stopped after the layout: what it found is not looked for again."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.build import preview, print_deck
from dobble_print.cache import Cache, use_cache
from dobble_print.compose import Composition, Layouts, Watch
from dobble_print.layout import engine
from dobble_print.options import BuildOptions
from dobble_print.theme.model import Theme
from dobble_print.theme.reader import read_theme

SHEETS = BuildOptions(booklet=False, legend=False)
SYMBOLS = list("⚓🐱🐶🍎🍌🚗🚀🌙🎸🔑🐘🐧🐬")
START = "title: Preview\ndeck: {symbols_per_card: 4}\nlayout: {quality: draft}\nsymbols:\n"


class StoppedError(Exception):
    """What a watch raises to cancel."""


def theme_of(folder: Path, symbols: list[str]) -> Theme:
    """A theme with these symbols."""
    path = folder / "theme.yaml"
    path.write_text(START + "".join(f"  - {symbol}\n" for symbol in symbols))
    return read_theme(path)


def replaced(place: int, symbol: str) -> list[str]:
    """The symbols with another one in the place of one."""
    return [*SYMBOLS[:place], symbol, *SYMBOLS[place + 1 :]]


def refuse(*_: object) -> None:
    """Stand in for what must not be done again."""
    raise AssertionError("drawn or placed again")


def find_changed(before: Composition, after: Composition) -> list[int]:
    """The numbers of the cards on which anything lies elsewhere."""
    return [number for number, card in after.layouts.items() if card != before.layouts[number]]


def test_a_build_computes_nothing_that_its_preview_has_found(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it prints the cards that were shown."""
    theme = theme_of(tmp_path, SYMBOLS)
    alone = print_deck(theme, SHEETS).files
    use_cache(Cache(tmp_path / "another"))
    preview(theme, SHEETS)
    monkeypatch.setattr("dobble_print.art.artwork.make_artwork", refuse)
    monkeypatch.setattr(engine, "lay_out_deck", refuse)
    assert print_deck(theme, SHEETS).files == alone


def test_a_replaced_symbol_moves_only_its_cards(cache: Cache, tmp_path: Path) -> None:
    """With the words of their theme: the first preview of another deck knows the other cards already."""
    before = preview(theme_of(tmp_path, SYMBOLS))
    after = preview(theme_of(tmp_path, replaced(2, "🦒")))
    holders = [card.number for card in after.decks[0].cards if 2 in card.symbols]
    assert len(holders) == 4
    assert find_changed(before, after) == holders


def test_a_replaced_word_moves_only_its_cards(tmp_path: Path) -> None:
    """Words are as large as their neighbours on the card ask for, not as those of the deck."""
    words = [f'{{text: "{letter * (1 + number % 5)}"}}' for number, letter in enumerate("abcdefghijklm")]
    before = preview(theme_of(tmp_path, words))
    after = preview(theme_of(tmp_path, [*words[:12], '{text: "hippopotamus"}']))
    assert find_changed(before, after) == [card.number for card in after.decks[0].cards if 12 in card.symbols]


def test_a_renamed_symbol_is_the_same_one_by_its_id(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is laid out again, and the deck keeps its number: its cards show what they showed."""
    before = preview(theme_of(tmp_path, replaced(1, "{emoji: 🐱, id: s-2, names: {en: cat}}")))
    monkeypatch.setattr(engine, "lay_out_deck", refuse)
    after = preview(theme_of(tmp_path, replaced(1, "{emoji: 🐱, id: s-2, names: {en: kitten}}")))
    assert (after.layouts, after.deck_id) == (before.layouts, before.deck_id)
    renamed = preview(theme_of(tmp_path, replaced(1, "{emoji: 🐱, names: {en: kitten}}")))
    assert (renamed.layouts == before.layouts, renamed.deck_id == before.deck_id) == (True, False)


def test_cards_are_heard_of_as_soon_as_they_are_certain(cache: Cache, tmp_path: Path) -> None:
    """Those that are known come first, and in the end every card was told once, as it is printed."""
    theme_before = theme_of(tmp_path, SYMBOLS)
    preview(theme_before)
    heard: list[Layouts] = []
    after = preview(theme_of(tmp_path, replaced(2, "🦒")), watch=Watch(on_cards=heard.append))
    assert [len(part) for part in heard] == [9, 4]
    assert {number: card for part in heard for number, card in part.items()} == after.layouts
    assert sum(len(part) for part in heard) == len(after.layouts)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.95])
def test_a_preview_is_cancelled_wherever_it_is(cache: Cache, tmp_path: Path, share: float) -> None:
    """What its watch raises comes out at once, whatever was being done, and the next preview is none the worse."""
    theme, pulses = theme_of(tmp_path, SYMBOLS), [0]

    def count() -> None:
        pulses[0] += 1
        if pulses[0] == stop_at:
            raise StoppedError

    stop_at = 0
    use_cache(None)
    whole = preview(theme, watch=Watch(on_pulse=count))
    assert pulses[0] > 100  # of a deck that takes a tenth of a second
    use_cache(cache)
    stop_at, pulses[0] = 1 + int(share * pulses[0]), 0
    with pytest.raises(StoppedError):
        preview(theme, watch=Watch(on_pulse=count))
    assert pulses[0] == stop_at
    assert preview(theme).layouts == whole.layouts
