"""The rules: texts that agree in all languages, and rulebooks whose every number comes from the deck."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dobble_print.check import check_theme
from dobble_print.dealing import deal_theme
from dobble_print.errors import UsageError
from dobble_print.options import BuildOptions
from dobble_print.resources import read_yaml, shipped_themes
from dobble_print.rules import texts
from dobble_print.rules.facts import GAMES, DeckFacts, FaceMix, split_players
from dobble_print.rules.rulebook import (
    Chapter,
    Paragraph,
    Rulebook,
    SpecialRule,
    TextTable,
    compose_book,
    compose_rules,
    print_rules_text,
)
from dobble_print.rules.texts import choose_languages, read_rules, rules_languages
from dobble_print.theme.reader import read_theme
from dobble_print.words.plurals import list_categories, list_places, split_forms
from tests.booklets import TEAMS, WHOLE, classic, set_up, write_theme

FIRST = "en"


def walk(node: Any, path: str = "") -> dict[str, str]:
    """Every text by its path; the paragraphs of a list are one text."""
    if isinstance(node, dict):
        return {key: text for name, child in node.items() for key, text in walk(child, f"{path}.{name}").items()}
    return {path: " ".join(map(str, node)) if isinstance(node, list) else node}


def trees(*languages: str) -> list[dict[str, Any]]:
    """The texts of several languages."""
    return [dict(read_rules(code).tree) for code in languages]


def compose(facts: DeckFacts) -> Rulebook:
    """The English rulebook of a deck."""
    return compose_book(read_rules(FIRST), facts, classic().theme)


def find(book: Rulebook, key: str) -> Chapter:
    """A section by its key."""
    return next(section for section in book.sections if section.key == key)


def list_written(language: str) -> dict[str, str]:
    """The texts of a language by path, without those that it lacks and reads in English."""
    rules = read_rules(language)
    lacking = {f".{path}" for path in rules.lacking}
    return {path: text for path, text in walk({**rules.tree, "colors": {}}).items() if path not in lacking}


@pytest.mark.parametrize("language", WHOLE)
def test_the_languages_of_the_lexicon_have_whole_rules(language: str) -> None:
    """A text that one of them lacks is found here and not by a player."""
    assert language in rules_languages() and not read_rules(language).lacking
    assert set(list_written(language)) == set(list_written(FIRST))


@pytest.mark.parametrize("language", rules_languages())
def test_every_text_has_the_placeholders_of_the_english_one(language: str) -> None:
    """Also in a language that is half done: no number is lost, and none is unknown."""
    first = list_written(FIRST)
    for path, text in list_written(language).items():
        assert text.strip(), path
        assert {name for name, _ in list_places(text)} == {name for name, _ in list_places(first[path])}, path


@pytest.mark.parametrize("language", rules_languages())
def test_every_noun_has_the_forms_of_its_language(language: str) -> None:
    """One for each category that a number can have, or a single one that never changes."""
    texts, colors = list_written(language), read_rules(language).find("colors")
    given = {f"{path} {name}": forms for path, text in texts.items() for name, forms in list_places(text) if forms}
    given |= {color: split_forms(forms) for color, forms in colors.items()}
    wanted = len(list_categories(language))
    assert not {where: forms for where, forms in given.items() if len(forms) not in (1, wanted) or not all(forms)}


@pytest.fixture
def half_done(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Rules in Afrikaans that have two games so far."""
    english = read_yaml("rules/en.yaml")
    games = {key: english["games"][key] for key in ("tower", "well")}
    written = {key: english[key] for key in texts.NEEDED} | {"games": games}
    monkeypatch.setattr(texts, "rules_languages", lambda: (*rules_languages(), "af"))
    monkeypatch.setattr(texts, "read_yaml", lambda name: written if name == "rules/af.yaml" else read_yaml(name))
    yield
    for read in (read_rules, texts._read_tree):
        read.cache_clear()


@pytest.mark.usefixtures("half_done")
def test_a_language_may_have_some_games_only(tmp_path: Path) -> None:
    """Its booklet has these alone, in each of its languages, and the check says what it leaves out."""
    path = tmp_path / "letters.yaml"
    path.write_text("languages: [nl, af]\nsymbols: [" + ", ".join(f"{{text: {c}}}" for c in "ABCDEHIKMNOST") + "]\n")
    theme = read_theme(path)
    for book in compose_rules(theme, deal_theme(theme), theme.languages):
        assert [section.key for section in book.sections if section.kind == "game"] == ["tower", "well"]
        assert {section.key for section in book.sections} >= {"intro", "first", "goal", "credits"}
    (told,) = [str(each) for each in check_theme(path).warnings if "Afrikaans" in str(each)]
    assert "the rules in Afrikaans have no" in told and '"Pass It On"' in told and '"Squirrels"' not in told
    assert told.endswith("the booklet leaves them out.")


@pytest.mark.parametrize("name", ["connect", "connect-fr"])
def test_the_colours_of_shipped_teams_agree_with_their_cards(name: str) -> None:
    """Each is known to the rules of every language that names it."""
    teams = read_theme(shipped_themes()[name]).teams
    assert teams
    named = [(code, color) for team in teams.teams for code, color in team.names.items()]
    assert not [(code, color) for code, color in named if color not in read_rules(code).find("colors")]


def test_a_region_reads_its_language() -> None:
    """Austrian rules are the German ones; a language without a file is refused by name."""
    assert read_rules("de-AT").tree == read_rules("de").tree
    with pytest.raises(UsageError, match='there are no rules in "tlh"'):
        read_rules("tlh")


def test_rules_for_brazil_hold_only_what_differs() -> None:
    """Each of their texts is another than in Portugal, and all others are the same."""
    own, portugal, brazil = (walk(tree) for tree in (read_yaml("rules/pt-BR.yaml"), *trees("pt", "pt-BR")))
    assert not [path for path, text in own.items() if portugal[path] == text]
    assert brazil == portugal | own
    assert brazil[".games.potato.title"] == "Passe adiante"
    assert not re.findall(r"\b(equipa|ronda|baralhem|ponham|aspeto|tua|teu|tu)s?\b", " ".join(brazil.values()))


def test_a_deck_can_be_made_for_brazil() -> None:
    """Titles, team names and rules of its theme are those of Portugal, where it has none for Brazil."""
    theme = read_theme(shipped_themes()["connect"], BuildOptions(languages=("pt-BR",)).theme_values())
    text = print_rules_text(theme, ["pt-BR"], deal_theme(theme))
    assert theme.title_in("pt-BR") == read_theme(shipped_themes()["connect"]).title_in("pt")
    assert "cartas vermelhas" in text.replace("\u00a0", " ")
    assert "equipe" in text


def test_languages_without_rules_fall_back_to_english() -> None:
    """A deck in Greek and Dutch has Dutch rules, one in Greek alone English ones."""
    assert choose_languages(["el", "nl"]) == ("nl",)
    assert choose_languages(["el"]) == ("en",)


def test_no_placeholder_is_left() -> None:
    """Whatever the deck, a player never reads a brace."""
    for language in WHOLE:
        assert not re.search(r"[{}]", print_rules_text(classic().theme, [language], classic().decks))


@pytest.mark.parametrize(
    ("mix", "call"),
    [
        (None, "calls out its name."),
        ("picture_word", "calls out the word."),
        ("languages", "calls out the word in both languages; do the same in all the games."),
        ("texts", "calls out both ways of writing it; do the same in all the games."),
        ("many", "calls out its name. Agree beforehand in which language."),
    ],
)
def test_players_call_out_what_the_cards_show(mix: FaceMix | None, call: str) -> None:
    """A sum has no name, and a word in two languages has two."""
    first = find(compose(DeckFacts(31, 31, 6, faces=mix, looks=("3 × 4", "12"))), "first")
    told = " ".join(block.text for block in first.parts[0].blocks if isinstance(block, Paragraph))
    assert f"Whoever sees it {call}" in told


def test_numbers_come_from_the_deck() -> None:
    """55 cards, 57 symbols, 8 a card, order 7 of 57."""
    book = compose_rules(classic().theme, classic().decks, ["en"])[0]
    intro = " ".join(block.text for block in find(book, "intro").parts[0].blocks if isinstance(block, Paragraph))
    assert all(number in intro for number in ("55", "57", "8"))
    history = find(book, "history").parts[0].blocks[-1]
    assert isinstance(history, Paragraph)
    assert "order\u00a07" in history.text
    assert "left out here" in history.text


@pytest.mark.parametrize(
    ("cards", "tower", "well", "potato", "triplet"),
    [(55, 8, 8, 8, 8), (21, 7, 6, 4, 4), (13, 4, 4, 2, 1), (7, 2, 2, None, None), (6, 2, None, None, None)],
)
def test_players_that_fit(cards: int, tower: int, well: int, potato: int | None, triplet: int | None) -> None:
    """Tower and gift need 3P cards, well 3P + 1, potato 5P, triplet 9 + 3P and at least 12; never more than eight."""
    found = {game.key: game.most_players(cards) if cards >= game.needed else None for game in GAMES}
    assert found == {"tower": tower, "well": well, "potato": potato, "gift": tower, "triplet": triplet}


def test_a_game_the_deck_is_too_small_for_says_so() -> None:
    """It comes after the others, with the cards it needs and the cards there are."""
    book = compose(DeckFacts(7, 7, 3))
    games = [section for section in book.sections if section.key in {game.key for game in GAMES}]
    assert [(game.key, game.kind) for game in games[-2:]] == [("potato", "chapter"), ("triplet", "chapter")]
    block = games[-1].parts[0].blocks[0]
    assert isinstance(block, Paragraph)
    assert "12" in block.text
    assert "7" in block.text


@pytest.mark.parametrize("language", WHOLE)
def test_a_tie_needs_no_game_the_deck_is_too_small_for(language: str) -> None:
    """Nine cards are too few to pass on, so a tie is settled without it; ten are enough."""
    nine, ten = (compose_book(read_rules(language), DeckFacts(cards, 13, 4), classic().theme) for cards in (9, 10))
    few, enough = (find(book, "ties").parts[0].blocks for book in (nine, ten))
    potato = read_rules(language).line("games.potato.title")
    assert [few, enough] == [
        tuple(Paragraph(text) for text in read_rules(language).lines(f"ties.{key}", potato=potato))
        for key in ("few_cards", "text")
    ]


def test_a_fixed_number_of_players_is_no_range() -> None:
    """Thirteen cards allow two players to pass them on, not "2–2"; and one player to look for three."""
    book = compose(DeckFacts(13, 13, 4))
    assert [find(book, key).note for key in ("potato", "triplet")] == ["2\u00a0players", "1\u00a0player"]


@pytest.mark.parametrize(
    ("language", "written"),
    [("en", "2–8~players"), ("fr", "2~à 8~joueurs"), ("es", "De 2~a 8~jugadores"), ("pl", "2–8~graczy")],
)
def test_a_range_is_written_as_its_language_does(language: str, written: str) -> None:
    """With the form that the larger number asks for."""
    book = compose_book(read_rules(language), DeckFacts(55, 57, 8), classic().theme)
    assert find(book, "tower").note.replace("\u00a0", "~") == written


@pytest.mark.parametrize(
    ("players", "teams", "split"),
    [(2, 2, (1, 1)), (5, 2, (3, 2)), (7, 2, ()), (8, 3, (3, 3, 2)), (3, 4, ()), (6, 4, (2, 2, 1, 1)), (8, 4, (2,) * 4)],
)
def test_teams_split_as_evenly_as_can_be(players: int, teams: int, split: tuple[int, ...]) -> None:
    """Teams of one to three players."""
    assert split_players(players, teams) == split


def test_the_line_game_is_for_teams_on_hexagons(tmp_path: Path) -> None:
    """With tables for two to six players in two teams, and the points to win."""
    theme = write_theme(tmp_path, 31, f"languages: [en, nl]\n{TEAMS}")
    line = find(compose_rules(theme, set_up(theme).decks, ["en"])[0], "line")
    grids = [block for part in line.parts for block in part.blocks if isinstance(block, TextTable)]
    assert [row[0] for row in grids[0].rows[1:]] == ["2", "3", "4", "5", "6"]
    assert grids[1].rows[1][1:] == ("4",)
    assert "line" not in [
        section.key for section in compose_rules(classic().theme, classic().decks, ["en"])[0].sections
    ]


@pytest.mark.parametrize(
    ("language", "cards"),
    [
        ("en", "of these, 13 red cards, 13 blue cards, 5 start cards"),
        ("nl", "waarvan 13 rode kaarten, 13 blauwe kaarten, 5 startkaarten"),
        ("fr", "dont 13 cartes rouges, 13 cartes bleues, 5 cartes de départ"),
        ("de", "davon 13 rote Karten, 13 blaue Karten, 5 Startkarten"),
        ("es", "de las cuales 13 cartas rojas, 13 cartas azules, 5 cartas iniciales"),
        ("it", "di cui 13 carte rosse, 13 carte blu, 5 carte iniziali"),
        ("pt", "das quais 13 cartas vermelhas, 13 cartas azuis, 5 cartas iniciais"),
        ("pl", "w tym 13 czerwonych kart, 13 niebieskich kart, 5 kart startowych"),
    ],
)
def test_the_cards_of_teams_are_counted_in_good_grammar(tmp_path: Path, language: str, cards: str) -> None:
    """Colours agree with their cards."""
    theme = write_theme(tmp_path, 31, f"languages: [{language}]\n{TEAMS}")
    assert cards in print_rules_text(theme, [language], set_up(theme).decks).replace("\u00a0", " ")


def test_a_colour_without_forms_stands_in_brackets(tmp_path: Path) -> None:
    """And a single start card is one card, whose points need paper."""
    head = TEAMS.replace("en: red", "en: ultramarine").replace("13", "15")
    theme = write_theme(tmp_path, 31, f"languages: [en]\n{head}")
    text = re.sub(r"\s+", " ", print_rules_text(theme, ["en"], set_up(theme).decks))
    assert "15 cards (ultramarine), 15 blue cards, 1 start card" in text
    assert "The start card belongs to no team. Lay it face up" in text
    assert "Note the points on a sheet of paper." in text
    assert "2–6 players in two teams, with 1 to 3 in each." in text.replace("\u00a0", " ")
    assert "draws one card from the other team" in text
    assert "Lay the start card face up in the middle and begin." in text
    assert "Colours that nobody chooses" not in text
    assert "In all games but “Four in a Line” you play with the whole deck" in text


def test_special_symbols_come_with_their_rule(tmp_path: Path) -> None:
    """The rule in the language of the book."""
    head = "languages: [en, nl]\nspecials: [{symbol: dog, rule: {en: Bark!, nl: Blaf!}}]\n"
    theme = write_theme(tmp_path, 7, head)
    books = compose_rules(theme, set_up(theme).decks, ["en", "nl"])
    rules = [
        [block.text for part in find(book, "variants").parts for block in part.blocks if isinstance(block, SpecialRule)]
        for book in books
    ]
    assert rules == [["Bark!"], ["Blaf!"]]
    text = print_rules_text(theme, ["en", "nl"], set_up(theme).decks)
    assert "\n- dog – Bark!" in text and "\n- hond – Blaf!" in text


def test_levels_are_counted_one_by_one(tmp_path: Path) -> None:
    """A box of levels lists each deck, and explains levels."""
    theme = write_theme(tmp_path, 31, "languages: [en]\ndeck: {levels: [4, 6]}\n")
    text = print_rules_text(theme, ["en"], set_up(theme).decks).replace("\u00a0", " ")
    assert "Level 1: 13 cards with 4 symbols each" in text
    assert "Level 2: 31 cards with 6 symbols each" in text
    assert "- Squirrels: 2–4 · 2–8" in text
    assert "\nSquirrels\n" in text
    told = re.sub(r"\s+", " ", text)
    assert "always play with the cards of one level only" in told
    assert "level 1 on the one of order 3 with 13 cards; level 2 on the one of order 5 with 31 cards." in told
    assert "quick eyes" not in told


def test_levels_are_listed_with_the_signs_of_their_language(tmp_path: Path) -> None:
    """French keeps a semicolon apart, and a level with its number."""
    theme = write_theme(tmp_path, 31, "languages: [fr]\ndeck: {levels: [4, 6]}\n")
    history = find(compose_rules(theme, set_up(theme).decks, ["fr"])[0], "history").parts[0].blocks[-1]
    assert isinstance(history, Paragraph)
    assert "13~cartes~; le niveau~2" in history.text.replace("\u00a0", "~")


def test_credits_name_theme_art_and_font(tmp_path: Path) -> None:
    """Credits and licence of the theme, the emoji set because it is used, the font, the trademark."""
    theme = write_theme(tmp_path, 7, "languages: [en]\ncredits: Drawn by Ann.\nlicense: CC0\n")
    credits = find(compose_rules(theme, set_up(theme).decks, ["en"])[0], "credits")
    text = " ".join(block.text for block in credits.parts[0].blocks if isinstance(block, Paragraph))
    for word in ("Drawn by Ann.", "CC0", "Twemoji", "FiraGO", "trademarks"):
        assert word in text


def test_the_text_fits_a_terminal() -> None:
    """No line is longer than asked for, and every game is there."""
    text = print_rules_text(classic().theme, ["nl", "fr"], classic().decks, width=60)
    assert max(len(line) for line in text.splitlines()) <= 62
    for language in ("nl", "fr"):
        assert all(read_rules(language).line(f"games.{game.key}.title") in text for game in GAMES)
