"""Levels, articles, teams, special symbols and notes: what reaches the model, and the words of each fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.errors import UsageError
from dobble_print.options import DEFAULTS, BuildOptions
from dobble_print.theme.model import Theme
from dobble_print.theme.options import DeckOptions, Special, Team, TeamOptions
from dobble_print.theme.reader import examine_theme, read_theme

SYMBOLS = "languages: [nl, fr]\nsymbols: [cat, dog, fish, wolf, cow, pig]\n"
TEAMS = """\
teams:
  cards_each: 20
  colors:
    - {color: "#e63946", nl: rood, fr: rouge}
    - {color: blue, nl: blauw, fr: bleu}
"""


@pytest.fixture(autouse=True)
def inside_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that faults show the bare file name."""
    monkeypatch.chdir(tmp_path)


def read(head: str, overrides: BuildOptions = DEFAULTS) -> Theme:
    """The theme of a text with four symbols in two languages."""
    Path("theme.yaml").write_text(head + SYMBOLS, encoding="utf-8")
    return read_theme(Path("theme.yaml"), overrides.theme_values())


def faults_of(head: str) -> list[str]:
    """The faults of a text, without the file's name."""
    Path("theme.yaml").write_text(head + SYMBOLS, encoding="utf-8")
    return [str(fault).removeprefix("theme.yaml:") for fault in examine_theme(Path("theme.yaml"))[1]]


def test_a_theme_without_extras_has_none() -> None:
    """Every one of them is optional."""
    theme = read("")
    assert (theme.deck.levels, theme.article, theme.teams, theme.specials) == ((), False, None, ())
    assert (theme.credits, theme.footnotes, theme.license) == ({}, {}, {})


def test_levels_are_several_decks_in_one_box() -> None:
    """In the order written."""
    assert read("deck: {levels: [4, 5, 6], seed: 3}\n").deck == DeckOptions(seed=3, levels=(4, 5, 6))


def test_levels_leave_no_room_for_cards_on_the_command_line() -> None:
    """Which deck would get them?"""
    with pytest.raises(UsageError, match="--cards: this theme makes a deck of its own for each level"):
        read("deck: {levels: [4, 5]}\n", BuildOptions(cards=9))


def test_articles_are_asked_for_once_for_the_whole_theme() -> None:
    """Names with and without them are both there."""
    theme = read("article: yes\n")
    assert theme.article
    assert theme.symbols[0].full_names == {"nl": "de kat", "fr": "le chat"}


def test_teams_have_a_colour_and_a_name_in_every_language() -> None:
    """Start cards have a black rim."""
    red, blue = {"nl": "rood", "fr": "rouge"}, {"nl": "blauw", "fr": "bleu"}
    assert read(TEAMS).teams == TeamOptions((Team("#e63946", red), Team("#0000ff", blue)), 20, "#000000")


def test_teams_of_a_theme_without_languages_need_no_names() -> None:
    """A colour is enough."""
    Path("theme.yaml").write_text(
        "languages: []\nteams: {cards_each: 4, start_rim: gold, colors: [red, blue]}\n"
        "symbols: [cat, dog, fish, wolf, cow, pig]\n",
        encoding="utf-8",
    )
    expected = TeamOptions((Team("#ff0000", {}), Team("#0000ff", {})), 4, "#ffd700")
    assert read_theme(Path("theme.yaml")).teams == expected


def test_special_symbols_have_a_rule() -> None:
    """By language, or one text for all."""
    theme = read("specials: [{symbol: wolf, rule: {nl: Sla!, fr: Tapez !}}, {symbol: cat, rule: Miaow!}]\n")
    assert theme.specials == (Special("wolf", {"nl": "Sla!", "fr": "Tapez !"}), Special("cat", {"": "Miaow!"}))


NOTES = {
    "Me": {"": ("Me",)},
    "[Me, You]": {"": ("Me", "You")},
    "{nl: Ik, fr: [Moi, Toi]}": {"nl": ("Ik",), "fr": ("Moi", "Toi")},
}


@pytest.mark.parametrize("key", ["credits", "footnotes", "license"])
@pytest.mark.parametrize("written", NOTES)
def test_notes_are_texts_lists_or_go_by_language(key: str, written: str) -> None:
    """All three blocks alike."""
    assert getattr(read(f"{key}: {written}\n"), key) == NOTES[written]


def test_notes_in_a_language_are_those_for_all_or_its_own() -> None:
    """A language without any has none."""
    theme = read("credits: {nl: Ik}\nfootnotes: [One, Two]\n")
    assert [theme.notes_in(theme.credits, code) for code in ("nl", "fr")] == [("Ik",), ()]
    assert [theme.notes_in(theme.footnotes, code) for code in ("nl", "")] == [("One", "Two")] * 2


FAULTS = {
    "deck: {levels: [4, 5], cards: 9}\n": '1:24: "cards" stands beside "levels". Remove one of them.',
    "deck: {symbols_per_card: 4, levels: [4]}\n": '1:8: "symbols_per_card" stands beside "levels". Remove one of them.',
    "deck: {levels: [4, 15]}\n": '1:20: levels: "15" is too large. Give 3 to 14.',
    "deck: {levels: [4, 4]}\n": '1:20: "4" is listed twice. Remove one.',
    "deck: {levels: [4, [5]]}\n": "1:20: levels should be a single value, not a list. Give 3 to 14.",
    "deck: {levels: [3, 4, 5, 6, 8, 9, 10]}\n": "1:35: levels takes 6 at most. Remove the rest.",
    "article: perhaps\n": '1:10: article: "perhaps" is neither true nor false. Write true or false.',
    "teams: 4\n": "1:8: teams should hold keys of its own. It knows cards_each, start_rim and colors.",
    "teams: {cards_each: 4}\n": "1:8: teams needs colors. Add colors: ….",
    "teams: {colors: [{color: red, nl: r, fr: r}, {color: blue, nl: b, fr: b}]}\n": "1:8: teams needs cards_each. "
    "Add cards_each: ….",
    "teams: {card_each: 4}\n": '1:9: unknown key "card_each" in teams. Did you mean "cards_each"?',
    "teams: {cards_each: 4, colors: [{color: red, nl: r, fr: r}]}\n": "1:32: colors has 1. Give 2 to 6 entries.",
    "teams: {cards_each: 4, colors: [{color: red, nl: r, fr: r}, {color: blue, nl: b}]}\n": "1:61: the name of this "
    "team is missing in French. Add fr: ….",
    "teams: {cards_each: 4, colors: [{color: red, nl: r, fr: r}, {nl: b, fr: b}]}\n": "1:61: colors needs color. "
    "Add color: ….",
    "teams: {cards_each: 4, colors: [{color: red, nl: r, fr: r}, {color: '#f00', nl: b, fr: b}]}\n": "1:61: two teams "
    'have the colour "#ff0000". Change one.',
    "teams: {cards_each: 4, colors: [{color: red, nl: r, fr: r}, {color: blue, nl: b, fr: R}]}\n": "1:61: two teams "
    'have the French name "R". Change one.',
    "teams: {cards_each: 4, colors: [{color: red, nl: r, fr: r}, {color: blue, nl: b, fr: b, nll: c}]}\n": "1:89: "
    'unknown key "nll" in colors. Known: color.',
    "specials: [{symbol: wolff, rule: Slap!}]\n": '1:21: there is no symbol "wolff". Did you mean "wolf"?',
    "specials: [{symbol: 🔶, rule: Slap!}]\n": '1:21: there is no symbol "🔶". Give the id of one of the symbols.',
    "specials: [wolf]\n": "1:12: a special symbol has keys of its own. Write {symbol: …, rule: …}.",
    "specials: [{symbol: wolf}]\n": "1:12: specials needs rule. Add rule: ….",
    "specials: [{symbol: wolf, rule: {nl: Sla!}}]\n": "1:33: the rule is missing in French. "
    "Add fr: …, or give one text for all.",
    "specials: [{symbol: wolf, rule: A}, {symbol: wolf, rule: B}]\n": '1:37: "wolf" has two rules. Write them as one.',
    f"specials: [{{symbol: wolf, rule: {'a' * 601}}}]\n": f'1:33: rule: "{"a" * 39}…" has 601 characters. '
    "At most 600 fit.",
    "specials: wolf\n": "1:11: specials should be a list. Start each line below it with a dash and a space.",
    "credits:\n": "1:9: credits has no value. Write one after the colon, or remove the line.",
    "credits: {xx: Me}\n": '1:11: credits: there is no language "xx". `dobble-print list languages` shows them all.',
    "credits: {nl: Ik, NL: Jij}\n": "1:19: the Dutch credits stand here twice. Remove one.",
    "footnotes: [One, {a: b}]\n": "1:18: footnotes should be a single value, not a list. "
    "Give text, at most 600 characters.",
}


@pytest.mark.parametrize("written", FAULTS)
def test_each_fault_has_its_place_and_its_remedy(written: str) -> None:
    """One mistake, one fault, and the rest of the theme is read."""
    assert faults_of(written) == [FAULTS[written]]


def test_a_special_symbol_that_is_faulty_itself_is_one_fault() -> None:
    """Its rule is not to blame, and goes with it."""
    text = "specials: [{symbol: b, rule: Slap!}]\nsymbols: [cat, dog, fish, {image: b.png, id: b}, cow, pig]\n"
    Path("theme.yaml").write_text(text, encoding="utf-8")
    theme, faults = examine_theme(Path("theme.yaml"))
    assert (len(faults), theme.specials) == (1, ())
