"""Filling up: a set a few symbols short of a full deck gets free words of the lexicon, marked and named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dobble_print.dealing import deal_theme, find_unfilled
from dobble_print.errors import InvalidValue, Place
from dobble_print.options import BuildOptions
from dobble_print.press.legend import list_entries
from dobble_print.theme.filling import (
    ANY_GROUP,
    check_group,
    explain_unfilled,
    fill_symbols,
    find_full_deck,
    find_group,
    list_unfit,
    may_fill,
)
from dobble_print.theme.model import Emoji, ImageFile, Symbol
from dobble_print.theme.reader import read_theme
from dobble_print.theme.values import make_slug
from dobble_print.words.lexicon import Word, words

ANIMALS = [word for word in words().values() if word.group == "animals" and word.emoji]


def symbols_of(found: Sequence[Word], *languages: str) -> tuple[Symbol, ...]:
    """The symbols of words, as a theme would have them."""
    lines = "".join(f"  - {word.emoji}\n" for word in found)
    Path("theme.yaml").write_text(f"languages: [{', '.join(languages)}]\nsymbols:\n{lines}", encoding="utf-8")
    return read_theme(Path("theme.yaml")).symbols


@pytest.fixture(autouse=True)
def inside_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


def photo(name: str) -> Symbol:
    """A picture of one's own, named in Dutch."""
    return Symbol(name, {"nl": name}, ImageFile(Path(f"{name}.png")), "full", 1.0, Place("x", 1, 1))


def test_28_animals_become_31() -> None:
    """The three that are missing are animals, marked, and named in the theme's languages."""
    own = symbols_of(ANIMALS[:28], "nl", "fr")
    filled = fill_symbols(own, ("nl", "fr"), ANY_GROUP, 1)
    assert (len(filled), filled[:28]) == (31, own)
    added = filled[28:]
    assert all(symbol.filled and set(symbol.names) == {"nl", "fr"} for symbol in added)
    animals = {word.names["nl"].text for word in words().values() if word.group == "animals"}
    assert {symbol.names["nl"] for symbol in added} <= animals
    assert added[0].full_names["nl"].startswith(("de ", "het "))


def test_nothing_that_is_filled_looks_or_sounds_like_another() -> None:
    """Over many seeds: no picture, variant, name, synonym or id twice."""
    own = symbols_of(ANIMALS[:27], "en", "nl")
    for seed in range(30):
        filled = fill_symbols(own, ("en", "nl"), "animals", seed)
        assert len(filled) == 31
        assert len({symbol.id for symbol in filled}) == 31
        for code in ("en", "nl"):
            sounds = [(text.casefold(), s.id) for s in filled for text in {s.names[code], *s.synonyms[code]}]
            own_names = [(s.names[code].casefold(), s.id) for s in filled if s.filled]
            assert not [
                (name, who) for name, who in own_names for text, other in sounds if text == name and who != other
            ]


def test_the_seed_decides() -> None:
    """The same seed gives the same symbols; another one others."""
    own = symbols_of(ANIMALS[:28], "nl")
    first = fill_symbols(own, ("nl",), ANY_GROUP, 1)
    assert first == fill_symbols(own, ("nl",), ANY_GROUP, 1)
    assert any(fill_symbols(own, ("nl",), ANY_GROUP, seed) != first for seed in range(2, 6))


def test_a_picture_of_ones_own_keeps_its_word() -> None:
    """A photo called `kat` is a cat, also by the cat's other name."""
    own = tuple(photo(word.names["nl"].text) for word in ANIMALS[:12])
    animals = {word.names["nl"].text for word in words().values() if word.group == "animals"}
    rest = animals - {word.names["nl"].text for word in ANIMALS[:12]}
    for seed in range(20):
        (added,) = fill_symbols(own, ("nl",), "animals", seed)[12:]
        assert added.names["nl"] in rest
    assert find_group(own) == "animals"


def test_a_named_group_counts_more_than_the_themes_own() -> None:
    """Food among animals, if that is wanted."""
    (added,) = fill_symbols(symbols_of(ANIMALS[:12], "en"), ("en",), "food", 1)[12:]
    assert added.names["en"] in {word.names["en"].text for word in words().values() if word.group == "food"}


def test_symbols_of_no_group_are_filled_from_all_words() -> None:
    """Pupils belong to no group of the lexicon."""
    own = tuple(photo(f"kind {i}") for i in range(12))
    assert (find_group(own), len(fill_symbols(own, ("nl",)))) == ("", 13)


@pytest.mark.parametrize(
    ("count", "size"), [(7, 7), (22, 22), (24, 24), (25, 31), (26, 31), (46, 57), (45, 45), (57, 57)]
)
def test_only_a_few_are_filled(count: int, size: int) -> None:
    """At most five, or a fifth of the deck; else the theme would no longer be the teacher's own."""
    own = tuple(photo(f"kind {i}") for i in range(count))
    assert len(fill_symbols(own, ("nl",))) == size


def test_the_deck_in_view_is_the_one_that_was_asked_for() -> None:
    """So many symbols a card, or the next full deck; beyond the largest there is none."""
    assert find_full_deck(28) == (3, 6)
    assert find_full_deck(55, 8) == (2, 8)
    assert find_full_deck(31) == (0, 6)
    assert find_full_deck(200)[0] == 0
    assert may_fill(6, 6) and not may_fill(7, 6)


def test_a_language_without_words_is_not_filled() -> None:
    """A symbol without a name would be a fault; the remark names the language."""
    own = tuple(Symbol(f"k{i}", {"cy": f"k{i}"}, Emoji("🐱"), "full", 1.0, Place("x", 1, 1)) for i in range(12))
    assert fill_symbols(own, ("cy",)) == own
    (remark,) = explain_unfilled(own, ANY_GROUP)
    assert remark.what == "1 symbol is missing for 13 cards of 4, and the lexicon has not enough words in Welsh"


def test_what_is_missing_is_said() -> None:
    """Nothing about a full deck."""
    assert explain_unfilled(fill_symbols(symbols_of(ANIMALS[:12], "en"), ("en",)), ANY_GROUP) == ()
    assert explain_unfilled(symbols_of(ANIMALS[:13], "en"), ANY_GROUP) == ()
    many = explain_unfilled(tuple(photo(f"kind {i}") for i in range(22)), ANY_GROUP)
    assert many[0].what == "9 symbols are missing for 31 cards of 6, more than the 6 that can be filled up"


def test_a_group_that_does_not_exist_is_refused() -> None:
    """With what was probably meant."""
    assert check_group("Animals") == "animals"
    with pytest.raises(InvalidValue) as caught:
        fill_symbols(tuple(photo(f"k{i}") for i in range(12)), ("nl",), "anmals")
    assert caught.value.hint == 'Did you mean "animals"?'


def test_a_deck_of_sums_is_not_filled_with_words() -> None:
    """A robot among sums; it is told why nothing was added."""
    sums = "".join(f'  - {{faces: ["{i} × 7", "{i * 7}"]}}\n' for i in range(1, 13))
    Path("theme.yaml").write_text(f"languages: [en]\nfill: lexicon\nsymbols:\n{sums}", encoding="utf-8")
    theme = read_theme(Path("theme.yaml"))
    assert len(theme.symbols) == 12
    (fault,) = find_unfilled(theme)
    assert fault.what == "1 symbol is missing for 13 cards of 4, and the lexicon has no sums"


def test_what_the_lexicon_added_is_left_out_before_what_a_person_chose() -> None:
    """Fewer cards show fewer symbols: `--cards 24` dropped a word of the list and kept one that filled it up."""
    words_of_list = ", ".join(word.key for word in ANIMALS[:28])
    Path("theme.yaml").write_text(f"languages: [en]\nfill: animals\nsymbols: [{words_of_list}]\n", encoding="utf-8")
    for cards in (8, 16, 24):
        theme = read_theme(Path("theme.yaml"), BuildOptions(cards=cards).theme_values())
        (deck,) = deal_theme(theme)
        left_out = [theme.symbols[i] for i in deck.unused]
        assert [symbol.filled for symbol in left_out][-3:] == [True] * min(3, len(left_out))


def test_what_the_studio_added_is_left_out_before_what_a_person_wrote_later() -> None:
    """Its words stand in the list, and those of a person may come behind them."""
    added = [f"{{word: {word.key}, filled: true}}" for word in ANIMALS[:2]]
    entries = ", ".join([*(word.key for word in ANIMALS[2:13]), *added, *(word.key for word in ANIMALS[13:15])])
    Path("theme.yaml").write_text(f"languages: [en]\nsymbols: [{entries}]\n", encoding="utf-8")
    theme = read_theme(Path("theme.yaml"))
    (deck,) = deal_theme(theme)
    assert [theme.symbols[i].word for i in sorted(deck.unused)] == [word.key for word in ANIMALS[:2]]


def test_a_symbol_that_is_kept_stays_on_the_cards() -> None:
    """Of a list that is too long, others go: the hard sums were the last ones, and went."""
    entries = ", ".join([*(word.key for word in ANIMALS[:14]), "{word: robot, keep: true}"])
    for text, is_kept in ((entries, True), (entries.replace(", keep: true", ""), False)):
        Path("theme.yaml").write_text(f"languages: [en]\nsymbols: [{text}]\n", encoding="utf-8")
        theme = read_theme(Path("theme.yaml"))
        (deck,) = deal_theme(theme)
        assert len(deck.unused) == 2
        assert ("robot" not in {theme.symbols[i].id for i in deck.unused}) == is_kept


def test_a_filled_word_has_its_star_in_the_legend_also_where_its_name_is_a_picture() -> None:
    """The footnote was there, the stars were not."""
    text = "languages: [nl]\nfill: lexicon\nfaces: [picture, word:nl]\nsymbols: [hond, boom, fiets, kat, huis]\n"
    Path("theme.yaml").write_text(text, encoding="utf-8")
    theme = read_theme(Path("theme.yaml"))
    starred = [entry.symbol for entry in list_entries(theme, range(7), ["nl"], [""]) if "*" in str(entry.texts)]
    assert sorted(starred) == [5, 6]


def test_a_deck_is_completed_with_everyday_things() -> None:
    """A school gets no inbox and no fax machine, whatever the seed, and every word that is left out is one."""
    unfit = list_unfit()
    assert unfit <= set(words())
    school = [word for word in words().values() if word.group == "school" and word.emoji and word.key not in unfit]
    own = symbols_of(school[:27], "en")
    added = {symbol.id for seed in range(20) for symbol in fill_symbols(own, ("en",), "school", seed)[27:]}
    assert added and not added & {make_slug(key) for key in unfit}
