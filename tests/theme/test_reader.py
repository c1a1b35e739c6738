"""From a theme file to a `Theme`: defaults, every option, and the exact words and place of each fault."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dobble_print.errors import ThemeError, UsageError
from dobble_print.options import DEFAULTS, BuildOptions
from dobble_print.theme.model import Theme
from dobble_print.theme.options import BackOptions, CardOptions, DeckOptions, LayoutOptions, SheetOptions
from dobble_print.theme.reader import examine_theme, read_theme
from dobble_print.units import papers
from tests.conftest import ENDLESS_S

SYMBOLS = "symbols: [🐱, 🐶, 🐟, 🐴, 🐮, 🐷]\n"
NAMED = """symbols:
  - {emoji: 🐱, en: cat, nl: kat}
  - {emoji: 🐶, en: dog, nl: hond}
  - {emoji: 🐟, en: fish, nl: vis}
  - {emoji: 🐴, en: horse, nl: paard}
  - {emoji: 🐮, en: cow, nl: koe}
  - {emoji: 🐷, en: pig, nl: varken}
"""


@pytest.fixture(autouse=True)
def inside_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that faults show the bare file name."""
    monkeypatch.chdir(tmp_path)


def read(text: str, overrides: BuildOptions = DEFAULTS) -> Theme:
    """The theme of a text."""
    Path("theme.yaml").write_text(text, encoding="utf-8")
    return read_theme(Path("theme.yaml"), overrides.theme_values())


def faults_of(text: str, overrides: BuildOptions = DEFAULTS) -> list[str]:
    """The faults of a text, without the file's name."""
    Path("theme.yaml").write_text(text, encoding="utf-8")
    _, faults = examine_theme(Path("theme.yaml"), overrides.theme_values())
    assert all(fault.place and fault.place.file == "theme.yaml" for fault in faults)
    return [str(fault).removeprefix("theme.yaml:") for fault in faults]


def test_a_theme_of_symbols_alone_gets_every_default() -> None:
    """Nothing else is needed."""
    theme = read("symbols: [🔸, 🔶, 🔹, 🟪, 🟨, 🟩]\n")
    assert theme.deck == DeckOptions() and theme.card == CardOptions() and theme.layout == LayoutOptions()
    assert theme.sheet == SheetOptions(papers()["A4"]) and theme.back == BackOptions()
    assert (theme.languages, theme.purpose, theme.file) == ((), {}, "theme.yaml")


def test_every_option_reaches_the_model() -> None:
    """Each key of each section has its place in the theme."""
    theme = read(
        "purpose: For  the\n  harbour class\n"
        "deck: {symbols_per_card: 4, cards: 10, seed: 7}\n"
        'card: {shape: hex, size: 90.5, corner: 2, background: "#FED", rim: navy, rim_width: "0,8", number: yes}\n'
        "layout: {size_spread: 1.5, min_size: 9 mm, rotation: tilt, gap: 2, margin: 4, keep_center_free: 5,"
        " quality: best}\n"
        "sheet: {paper: sra3, bleed: 2, cut_line: dashed, crop_marks: false, ruler: off, duplex: short}\n"
        'back: {color: "#102030", pattern: symbols}\n' + SYMBOLS
    )
    assert theme.purpose_in("nl") == "For the harbour class"
    assert theme.deck == DeckOptions(4, 10, 7)
    assert theme.card == CardOptions("hex", 90.5, 2.0, "#ffeedd", "#000080", 0.8, True)
    assert theme.layout == LayoutOptions(1.5, 9.0, "tilt", 2.5, 2.0, 4.0, 5.0, "best")
    assert theme.sheet == SheetOptions(
        papers()["SRA3"], bleed_mm=2.0, cut_line="dashed", crop_marks=False, ruler=False, duplex="short"
    )
    assert theme.back == BackOptions("#102030", "pattern", color_is_chosen=True)
    assert {symbol.rotation for symbol in theme.symbols} == {"tilt"}


def test_words_for_the_default_give_the_default() -> None:
    """`auto` and `all` say what would hold anyway."""
    theme = read("deck: {symbols_per_card: auto, cards: all}\ncard: {corner: Auto}\n" + SYMBOLS)
    assert (theme.deck, theme.card) == (DeckOptions(), CardOptions())


def test_an_empty_section_gives_its_defaults() -> None:
    """As when every line of it is commented out."""
    assert read("deck:\ncard:\nlayout:\nsheet:\n" + SYMBOLS).card == CardOptions()


def test_a_rim_of_none_has_no_width() -> None:
    """Whatever width is given beside it."""
    assert read("card: {rim: none, rim_width: 3}\n" + SYMBOLS).card.rim_width_mm == 0


BACKS = {
    "none": BackOptions(),
    '"#1D3557"': BackOptions("#1d3557", "color"),
    "red": BackOptions("#ff0000", "color"),
    "{color: red}": BackOptions("#ff0000", "color", color_is_chosen=True),
    "{pattern: symbols}": BackOptions(kind="pattern"),
}


@pytest.mark.parametrize("written", BACKS)
def test_backs_have_a_short_and_a_long_form(written: str) -> None:
    """A colour, none, or keys."""
    assert read(f"back: {written}\n{SYMBOLS}").back == BACKS[written]


def test_a_picture_on_the_back_is_found_in_the_folder() -> None:
    """Its colour stays behind it."""
    Path("back.png").touch()
    expected = BackOptions("#ffffff", "image", Path("back.png").resolve(), color_is_chosen=True)
    assert read("back: {image: back.png, color: white}\n" + SYMBOLS).back == expected


def test_the_title_defaults_to_the_file_name() -> None:
    """Dashes and underscores become spaces."""
    Path("my-red_harbour.yaml").write_text(SYMBOLS, encoding="utf-8")
    theme = read_theme(Path("my-red_harbour.yaml"))
    assert (theme.name, theme.title_in("nl")) == ("my-red_harbour", "My red harbour")


def test_a_theme_called_theme_takes_the_name_of_its_folder() -> None:
    """`harbour/theme.yaml` is the theme harbour."""
    Path("harbour").mkdir()
    Path("harbour/theme.yaml").write_text(SYMBOLS, encoding="utf-8")
    assert read_theme(Path("harbour/theme.yaml")).name == "harbour"


def test_a_plain_title_serves_every_language() -> None:
    """Nobody has to repeat it."""
    assert read("title: Haven\n" + NAMED).title == {"en": "Haven", "nl": "Haven"}


def test_a_title_may_go_by_language() -> None:
    """An unknown language falls back to the first title."""
    theme = read("title: {nl: De haven, en: The harbour}\n" + NAMED)
    assert (theme.title_in("en"), theme.title_in("fr")) == ("The harbour", "De haven")


def test_the_file_is_shown_relative_to_the_current_folder() -> None:
    """However it was given."""
    Path("sub").mkdir()
    Path("sub/x.yaml").write_text(SYMBOLS, encoding="utf-8")
    assert read_theme(Path("sub/x.yaml").resolve()).file == "sub/x.yaml"


def test_a_file_elsewhere_is_shown_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that leads out of the current folder stays as it is."""
    (tmp_path / "x.yaml").write_text(SYMBOLS, encoding="utf-8")
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert read_theme(Path("../x.yaml")).file == "../x.yaml"


FAULTS = {
    "crad: {}\n": '1:1: unknown key "crad". Did you mean "card"?',
    "xyzzy: 1\n": '1:1: unknown key "xyzzy". '
    "Known: title, purpose, languages, article, legend_order, art, profile, faces, faces_by, font, notation, crop, "
    "fill, deck, card, layout, sheet, back, labels, plotter, press, pictures, symbols, teams, specials, "
    "credits, footnotes, license.",
    "card: {shap: round}\n": '1:8: unknown key "shap" in card. Did you mean "shape"?',
    "card: {size: 85,5}\n": '1:17: unknown key "5" in card. A decimal comma needs quotes: "85,5".',
    "card: {shape: rond}\n": '1:15: shape: "rond" is not round, hex or square. Did you mean "round"?',
    "card: {size: 20}\n": '1:14: size: "20" is too small. Give 30 to 300 mm.',
    "card: {size: 8.5 ft}\n": '1:14: size: "8.5 ft" is not a number. Give 30 to 300 mm.',
    "card: {size: 1e999}\n": '1:14: size: "1e999" is not a number. Give 30 to 300 mm.',
    "card: {size: nan}\n": '1:14: size: "nan" is not a number. Give 30 to 300 mm.',
    "card: {size: [85]}\n": "1:14: size should be a single value, not a list. Give 30 to 300 mm.",
    "card: {number: maybe}\n": '1:16: number: "maybe" is neither true nor false. Write true or false.',
    "card:\n  size:\n": "2:8: size has no value. Write one after the colon, or remove the line.",
    "card:\n  rim: #123456\n": "2:7: rim has no value. "
    'Everything after # is a comment: put the colour in quotes, rim: "#123456".',
    "card: {rim: 1d3557}\n": '1:13: rim: "1d3557" is not a colour. Did you mean "#1d3557"? (The quotes are needed.)',
    "card: {background: none}\n": '1:20: background: "none" is not a colour. '
    'Write it as "#1d3557", or as a name such as navy.',
    'card: {rim: "#12345g"}\n': '1:13: rim: "#12345g" is not a colour. '
    'Write it as "#1d3557", or as a name such as navy. Write none to have no colour.',
    "pictures: {width: 8192, height: 8192}\n": "1:33: pictures of 8192 × 8192 pixels are too large. "
    "Give them 21 million pixels at most.",
    "card: {rim: naavy}\n": '1:13: rim: "naavy" is not a colour. Did you mean "navy"? Write none to have no colour.',
    "card: round\n": "1:7: card should hold keys of its own. "
    "It knows shape, size, corner, background, rim, rim_width and number.",
    "deck: {symbols_per_card: 15}\n": '1:26: symbols_per_card: "15" is too large. Give 3 to 14 or auto.',
    "deck: {seed: 1.5}\n": '1:14: seed: "1.5" is not a whole number. Give 0 to 999999999.',
    "deck: {seed: -1}\n": '1:14: seed: "-1" is too small. Give 0 to 999999999.',
    "sheet: {paper: A44}\n": '1:16: paper: there is no paper "A44". Did you mean "A4"?',
    "sheet: {paper: foolscap}\n": '1:16: paper: there is no paper "foolscap". '
    "`dobble-print list papers` shows them all.",
    "back: {image: nope.png}\n": '1:15: back: there is no picture "nope.png". '
    "Put the picture in the theme's folder and give its path from there, such as art/cat.png.",
    "back: back.png\n": '1:7: back: "back.png" is not a colour. Write {image: back.png}.',
    "card: {rim: “#ffffff”}\n": '1:13: rim: "“#ffffff”" stands in the curly quotes of a word processor. '
    "Use straight quotes: \" or '.",
    "card: {size:85}\n": '1:8: unknown key "size:85" in card. Put a space after the colon: size: 85.',
    "card:\n  size:85\n": "2:3: card should hold keys of its own. Put a space after the colon: size: 85.",
    "faces: [picture, woord:nl]\n": '1:18: faces: "woord:nl" is no face. Did you mean "word:nl"?',
    "faces: [picture, word: nl]\n": "1:18: faces: a space stands after the colon. Write word:nl.",
    "faces: [picture, woord: pt_br]\n": "1:18: faces: a space stands after the colon. Write word:pt-BR.",
    "faces: [picture, {a: b}]\n": "1:18: faces should be a single value, not a list. Give picture, word:nl (its name), "
    "article:nl (with its article) or picture+word:nl (name below).",
    "back: {pattern: stars}\n": '1:17: pattern: "stars" is not symbols.',
    "title: ''\n": "1:8: title: the text is empty. Write something, or leave the key out.",
    "title: {xx: Haven}\n": '1:9: title: there is no language "xx". `dobble-print list languages` shows them all.',
    "title: [Haven]\n": "1:8: title should be a single value, not a list. Give text, at most 60 characters.",
    "purpose: a\u202eb\n": "1:10: purpose: the text holds a character that changes the direction of reading. "
    "Remove the RIGHT-TO-LEFT OVERRIDE.",
    "languages: [Nederlands]\n": '1:13: languages: there is no language "Nederlands". Did you mean "nl"?',
    "languages: nl, fr\n": '1:12: languages: there is no language "nl, fr". Write several in brackets: [nl, fr].',
    "languages: nederlands, frans\n": '1:12: languages: there is no language "nederlands, frans". '
    "Write several in brackets: [nl, fr].",
    "languages: nl, klingon\n": '1:12: languages: there is no language "nl, klingon". '
    "Write several in brackets: [nl, klingon].",
    "languages: [nederlands frans]\n": '1:13: languages: there is no language "nederlands frans". '
    'Is a comma missing between "nederlands" and "frans"? Write [nl, fr].',
    "languages: [frans]\n": '1:13: languages: there is no language "frans". Did you mean "fr"?',
    "languages: [Allemand]\n": '1:13: languages: there is no language "Allemand". Did you mean "de"?',
    "languages: [Englisch]\n": '1:13: languages: there is no language "Englisch". Did you mean "en"?',
    "languages: [Duch]\n": '1:13: languages: there is no language "Duch". Did you mean "nl"?',
    "languages: [nl fr]\n": '1:13: languages: there is no language "nl fr". '
    'Is a comma missing between "nl" and "fr"? Write [nl, fr].',
    "title: “De haven”\n": '1:8: title: "“De haven”" stands in the curly quotes of a word processor. '
    "Use straight quotes: \" or '.",
    "back: geen\n": '1:7: back: "geen" is not a colour. Did you mean "green"? Write none to have no colour.',
    "back: aucun\n": '1:7: back: "aucun" is not a colour. Write it as "#1d3557", or as a name such as navy. '
    "Write none to have no colour.",
    "languages: [nll]\n": '1:13: languages: there is no language "nll". Did you mean "nl"?',
    "languages:\n": "1:11: languages should be a list. Start each line below it with a dash and a space.",
}


@pytest.mark.parametrize("written", FAULTS)
def test_each_fault_has_its_place_and_its_remedy(written: str) -> None:
    """One mistake, one fault, and the rest of the theme is read."""
    assert faults_of(written + SYMBOLS) == [FAULTS[written]]


def test_all_faults_come_at_once_in_reading_order() -> None:
    """Duplicate keys, unknown keys, wrong values and wrong symbols together."""
    text = "card: {size: 1}\ndeck: {sed: 1}\ncard: {}\nsymbols: [🐱, cat, 🐟, 🐱, 🐴, 🐮]\n"
    assert [fault.split(": ")[0] for fault in faults_of(text)] == ["1:14", "2:8", "3:1", "4:14", "4:22"]
    with pytest.raises(ThemeError) as caught:
        read(text)
    assert len(caught.value.faults) == 5


def test_what_stands_below_a_misspelled_key_is_read_all_the_same() -> None:
    """One mistake does not hide another."""
    assert faults_of("Symbols: [🐱, 🐶, fishh]\n") == [
        '1:1: unknown key "Symbols". Did you mean "symbols"?',
        '1:17: there is no word "fishh". Did you mean "fish"?',
    ]


def test_the_good_parts_survive_the_faults() -> None:
    """Later stages look for their own faults in what is left."""
    Path("theme.yaml").write_text("card: {size: 1, shape: hex}\nsymbols: [🐱, catt, 🐟]\n", encoding="utf-8")
    theme, faults = examine_theme(Path("theme.yaml"))
    assert len(faults) == 2
    assert (theme.card, [symbol.id for symbol in theme.symbols]) == (CardOptions(shape="hex"), ["cat", "fish"])


def test_a_file_that_is_no_yaml_gives_an_empty_theme_and_one_fault() -> None:
    """Nothing else can be said about it."""
    Path("theme.yaml").write_text("symbols: [🐱", encoding="utf-8")
    theme, faults = examine_theme(Path("theme.yaml"))
    assert (len(faults), theme.symbols, theme.name) == (1, (), Path.cwd().name)


def test_a_list_at_the_top_is_explained() -> None:
    """The commonest way to forget a key."""
    assert faults_of("- 🐱\n- 🐶\n") == [
        "1:1: a theme starts with a key, not with a list or a text. "
        'Write "symbols:" on a line of its own above the list.'
    ]


def test_a_text_at_the_top_may_lack_a_space() -> None:
    """A key that touches its value is a text."""
    assert faults_of("symbols:[🐱, 🐶]\n") == [
        "1:1: a theme starts with a key, not with a list or a text. Put a space after the colon: symbols: [🐱, 🐶]."
    ]


def test_a_theme_needs_symbols() -> None:
    """At least six, which make four cards of three."""
    few = "That is too few for a game: give at least 6."
    to_fill = f"{few[:-1]}, or add fill: lexicon."
    assert faults_of("title: x\n") == ["1:1: the theme has no symbols. Add symbols: and a list below it."]
    assert faults_of("symbols: [🐱, 🐶]\n") == [f"1:10: the theme has only 2 symbols. {to_fill}"]
    assert faults_of("symbols:\n") == [
        "1:9: symbols should be a list. Start each line below it with a dash and a space."
    ]
    assert faults_of("symbols: []\n") == [f"1:10: the theme has no symbols. {few}"]
    assert faults_of("symbols: [🐱]\n") == [f"1:10: the theme has only one symbol. {few}"]
    assert faults_of("symbols: [🐱, 🐶, 🐟, 🐴, 🐮]\n") == [f"1:10: the theme has only 5 symbols. {to_fill}"]


def test_symbols_must_be_a_list() -> None:
    """A dash without its space is no dash."""
    hint = "symbols should be a list. Start each line below it with a dash and a space."
    assert faults_of("symbols:\n  -🐱\n  -🐶\n") == [f"2:3: {hint}"]
    assert faults_of("symbols: {cat: 🐱}\n") == [
        "1:10: symbols should be a list. Start each line below it with a dash and a space."
    ]


def test_symbols_without_dashes_are_told_both_ways_to_write_a_list() -> None:
    """Brackets or dashes."""
    assert faults_of("symbols:\n  kat, hond, vis\n") == [
        "2:3: symbols should be a list. "
        "Put the list in [ ], or start each of the symbols on a line of its own with a dash and a space."
    ]


def test_a_title_by_language_needs_every_language() -> None:
    """The missing ones are named."""
    assert faults_of("title: {nl: De haven}\n" + NAMED) == [
        "1:8: the title is missing in English. Add en: …, or give one title for all."
    ]


def test_a_back_cannot_be_both_pattern_and_picture() -> None:
    """The picture would hide the pattern."""
    Path("b.png").touch()
    assert faults_of("back: {image: b.png, pattern: symbols}\n" + SYMBOLS) == [
        "1:15: a back has a pattern or a picture, not both. Remove one."
    ]


def test_overrides_count_more_than_the_theme() -> None:
    """The command line is read by the same rules as the file."""
    overrides = BuildOptions(
        seed=9, cards=5, paper="letter", shape="square", size=70, languages=("NL",), quality="best", duplex="short"
    )
    theme = read("deck: {seed: 1, cards: 7}\nlanguages: [en]\n" + NAMED, overrides)
    assert theme.deck == DeckOptions(None, 5, 9)
    assert (theme.card.shape, theme.card.size_mm, theme.sheet.paper) == ("square", 70, papers()["Letter"])
    assert (theme.languages, theme.layout.quality, theme.sheet.duplex) == (("nl",), "best", "short")


BAD_OVERRIDES = [
    (BuildOptions(seed=-1), '--seed: "-1" is too small. Give 0 to 999999999.'),
    (BuildOptions(cards=1), '--cards: "1" is too small. Give 2 to 183 or all.'),
    (BuildOptions(paper="A44"), '--paper: there is no paper "A44". Did you mean "A4"?'),
    (BuildOptions(shape="rond"), '--shape: "rond" is not round, hex or square. Did you mean "round"?'),
    (BuildOptions(size=1000), '--size: "1000" is too large. Give 30 to 300 mm.'),
    (BuildOptions(size=float("nan")), '--size: "nan" is not a number. Give 30 to 300 mm.'),
    (BuildOptions(quality="bets"), '--quality: "bets" is not draft, normal or best. Did you mean "best"?'),
    (BuildOptions(duplex="sort"), '--duplex: "sort" is not long, short, separate, fold or none. Did you mean "short"?'),
    (BuildOptions(languages=("nll",)), '--lang: there is no language "nll". Did you mean "nl"?'),
]


@pytest.mark.parametrize(("overrides", "message"), BAD_OVERRIDES)
def test_a_bad_override_names_its_option(overrides: BuildOptions, message: str) -> None:
    """It is a fault of the command line, not of the theme."""
    with pytest.raises(UsageError) as caught:
        read(SYMBOLS, overrides)
    assert str(caught.value) == message


def test_all_bad_overrides_come_at_once() -> None:
    """Two wrong options give two faults."""
    with pytest.raises(UsageError) as caught:
        read(SYMBOLS, BuildOptions(seed=-1, shape="rond"))
    assert len(caught.value.faults) == 2


def test_a_language_of_the_command_line_that_nobody_has_is_a_fault() -> None:
    """As if the theme had listed it."""
    assert faults_of(NAMED, BuildOptions(languages=("cs",))) == [
        '2:5: no symbol has a Czech name. Add "cs: …" to each symbol or leave out --lang cs.'
    ]


def test_thousands_of_faults_are_told_quickly() -> None:
    """Looking for what was meant stays bounded."""
    many_keys = "".join(f"keyword{number}: x\n" for number in range(9000))
    many_symbols = "symbols:\n" + "".join(f"  - {{imoge{n}: x, rotaton: y, pic{n}: z}}\n" for n in range(2000))
    many_languages = f"languages: [{', '.join(f'english{number}' for number in range(15_000))}]\n"
    start = time.process_time()
    counts = [len(faults_of(text)) for text in (many_keys, many_symbols, many_languages + SYMBOLS)]
    assert time.process_time() - start < ENDLESS_S
    assert all(20 <= count < 1000 for count in counts)


WORDS = """title languages article deck card back symbols word emoji image text badge names nl id size rim paper
levels teams colors color cards_each specials symbol rule credits <<"""
KEYS = st.sampled_from(WORDS.split())
TEXTS = st.one_of(
    KEYS, st.text(max_size=8), st.sampled_from(["🐱", "cat", "a.png", "none", "#fff", "1", "~", "../a.png"])
)
TREES = st.recursive(
    TEXTS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=25
)


def write_flow(tree: object) -> str:
    """Any tree as YAML in brackets."""
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{key}: {write_flow(value)}" for key, value in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(map(write_flow, tree)) + "]"
    return '"' + "".join(f"\\U{ord(c):08x}" for c in str(tree)) + '"'


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(KEYS, TREES, max_size=8))
def test_any_structure_gives_a_theme_or_faults(tmp_path_factory: pytest.TempPathFactory, tree: object) -> None:
    """Never anything but faults with their place."""
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_text(write_flow(tree), encoding="utf-8")
    theme, faults = examine_theme(path)
    assert faults or len(theme.symbols) >= 6
    assert all(fault.place and "\n" not in str(fault) for fault in faults)
