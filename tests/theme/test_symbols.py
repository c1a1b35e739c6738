"""Symbols: both forms, names and languages, ids, and what makes two symbols alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from dobble_print.deck.design import make_deck
from dobble_print.options import DEFAULTS, BuildOptions
from dobble_print.theme.model import Emoji, ImageFile, Symbol, Text
from dobble_print.theme.reader import examine_theme, read_theme
from dobble_print.theme.values import make_slug
from dobble_print.units import papers
from dobble_print.words.languages import find_language, languages
from dobble_print.words.reading import find_word
from dobble_print.words.writing import is_emoji

PLENTY = "".join(f"  - {{text: '{digit}'}}\n" for digit in "78532")


@pytest.fixture(autouse=True)
def inside_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with two pictures."""
    monkeypatch.chdir(tmp_path)
    Path("art").mkdir()
    Path("art/boat.svg").touch()
    Path("art/cat.PNG").touch()


def write(lines: str, head: str = "") -> Path:
    """A theme file with these symbols from line 2 on, and enough others."""
    text = f"{head}\nsymbols:\n" if head else "symbols:\n"
    Path("theme.yaml").write_text(text + lines + "\n" + PLENTY, encoding="utf-8")
    return Path("theme.yaml")


def symbol_of(line: str, head: str = "") -> Symbol:
    """The first symbol of a theme."""
    return read_theme(write("  - " + line, head)).symbols[0]


def faults_of(lines: str, head: str = "", overrides: BuildOptions = DEFAULTS) -> list[str]:
    """The faults of a theme, without the file's name."""
    return [
        str(fault).removeprefix("theme.yaml:")
        for fault in examine_theme(write(lines, head), overrides.theme_values())[1]
    ]


def test_a_bare_emoji_that_no_word_stands_for_is_a_symbol_too() -> None:
    """Its own id, no names, any way up."""
    symbol = symbol_of("🔶")
    assert (symbol.id, symbol.names, symbol.source) == ("🔶", {}, Emoji("🔶"))
    assert (symbol.rotation, symbol.scale, str(symbol.place)) == ("full", 1.0, "theme.yaml:2:5")


def test_a_bare_path_is_a_picture_named_after_its_file() -> None:
    """The ending may be in capitals."""
    symbol = symbol_of("art/cat.PNG")
    assert (symbol.id, symbol.source) == ("cat", ImageFile(Path("art/cat.PNG").resolve()))


def test_names_may_stand_beside_the_picture() -> None:
    """`no` is Norwegian; the English name makes the id."""
    symbol = symbol_of("{emoji: ⚓, nl: anker, no: anker, en: The  anchor}")
    assert (symbol.id, symbol.names) == ("the-anchor", {"nl": "anker", "no": "anker", "en": "The anchor"})


def test_names_may_stand_apart() -> None:
    """Every option of a picture reaches the model."""
    symbol = symbol_of(
        "{image: art/boat.svg, background: remove, id: B1, names: {nl: boot}, fr: bateau, rotation: upright,"
        " scale: 1.2}"
    )
    assert symbol.source == ImageFile(Path("art/boat.svg").resolve(), remove_background=True)
    assert (symbol.id, symbol.names, symbol.rotation) == ("B1", {"nl": "boot", "fr": "bateau"}, "upright")
    assert symbol.scale == 1.2


def test_a_text_names_itself_in_every_language() -> None:
    """Unless a name is given."""
    symbol = symbol_of('{text: "3 × 4", color: "#d62828", nl: twaalf}', "languages: [nl, fr]")
    assert symbol.source == Text("3 × 4", "#d62828")
    assert symbol.names == {"nl": "twaalf", "fr": "3 × 4"}


def test_one_name_may_serve_every_language() -> None:
    """Ada is Ada everywhere; a language of its own counts more, and without languages the name stays."""
    entry = "{image: art/boat.svg, names: Ada, pl: Adzia}"
    symbol = symbol_of(entry, "languages: [nl, pl]")
    assert (symbol.id, symbol.names) == ("adzia", {"nl": "Ada", "pl": "Adzia"})
    symbol = symbol_of("{image: art/boat.svg, names: Ada}", "languages: []")
    assert (symbol.id, symbol.names) == ("ada", {"": "Ada"})
    assert symbol_of("{emoji: 🐱, names: Ada}", "languages: [nl]").full_names == {"nl": "Ada"}
    twins = "  - {image: art/boat.svg, names: Ada}\n  - {image: art/cat.PNG, names: ada, id: b}"
    assert faults_of(twins) == [
        '3:5: this symbol has the same name "ada" as the one on line 2. '
        "The deck would have two right answers: remove or change one."
    ]


@pytest.mark.parametrize(
    ("text", "rotation"), [("3 4", "upright"), ("69", "upright"), ("bed", "upright"), ("A", "tilt"), ("taxi", "tilt")]
)
def test_a_text_that_could_be_misread_stays_upright(text: str, rotation: str) -> None:
    """b and d, 6 and 9 turn into each other."""
    assert symbol_of(f'{{text: "{text}"}}').rotation == rotation


@pytest.mark.parametrize(
    "text", ["3 × 4", "3 x 4", "3x4", "3*4", "3+4", "8÷2", "8:2", "1/2", "5−3", "5-3", "3<4", "±3"]
)
def test_a_sum_stays_upright(text: str) -> None:
    """A plus that is turned is a times."""
    assert symbol_of(f'{{text: "{text}"}}').rotation == "upright"


def test_the_theme_s_rotation_holds_for_texts_too() -> None:
    """Whoever asks for it gets it; the symbol's own word counts more."""
    assert symbol_of("{text: '69'}", "layout: {rotation: full}").rotation == "full"
    assert symbol_of("{text: '69', rotation: tilt}", "layout: {rotation: full}").rotation == "tilt"


def test_languages_are_those_that_every_named_symbol_shares() -> None:
    """In the order of the table; symbols without any name do not count."""
    path = write("  - {emoji: 🐱, de: Katze, en: cat, nl: kat}\n  - {emoji: 🐶, nl: hond, en: dog}\n  - 🔶")
    assert read_theme(path).languages == ("en", "nl")


def test_an_empty_list_of_languages_is_a_choice() -> None:
    """Pictures alone."""
    assert read_theme(write("  - {emoji: 🐱, nl: kat}", "languages: []")).languages == ()


def test_a_single_language_needs_no_list() -> None:
    """`languages: nl` is clear enough."""
    assert read_theme(write("  - {emoji: 🐱, nl: kat}", "languages: nl")).languages == ("nl",)


def test_codes_are_spelled_one_way() -> None:
    """Regions and scripts keep their usual case."""
    symbol = symbol_of("{emoji: ⚓, pt-br: âncora, zh_hant: 錨, NL: anker}", "languages: [pt_BR, ZH-HANT, nl]")
    assert list(symbol.names) == ["pt-BR", "zh-Hant", "nl"]


def test_names_are_composed() -> None:
    """A letter and its accent become one character."""
    assert symbol_of('{emoji: ⚓, fr: "e\\u0301te\\u0301"}').names == {"fr": "\u00e9t\u00e9"}


def test_a_missing_name_is_a_fault_of_its_symbol() -> None:
    """The language is named in English, the key to add as it is written."""
    lines = "  - {image: art/boat.svg, id: kat, nl: kat}\n  - {emoji: 🐶, fr: chien, nl: hond}"
    assert faults_of(lines, "languages: [nl, fr]") == [
        '3:5: symbol "kat" has no French name. Add "fr: …" or remove fr from languages.'
    ]


def test_several_missing_names_are_one_fault() -> None:
    """A short form is told how its long form looks."""
    lines = "  - 🔶\n  - {emoji: 🐶, fr: chien, nl: hond, de: Hund}"
    assert faults_of(lines, "languages: [nl, fr, de]") == [
        '3:5: symbol "🔶" has no Dutch, French or German name. '
        "Write {emoji: 🔶, nl: …, fr: …, de: …} or remove nl, fr and de from languages."
    ]


def test_a_language_that_no_symbol_has_is_one_fault() -> None:
    """Told where it is listed."""
    lines = "  - {emoji: 🐱, nl: kat}\n  - {emoji: 🐶, nl: hond}"
    assert faults_of(lines, "languages: [nl, cs]") == [
        '1:17: no symbol has a Czech name. Add "cs: …" to each symbol or remove cs from languages.'
    ]


def test_a_name_missing_for_the_command_line_says_so() -> None:
    """`--lang` is what to leave out."""
    lines = "  - {emoji: 🐱, nl: kat}\n  - {emoji: 🐶, nl: hond, cs: pes}"
    assert faults_of(lines, "languages: [nl]", BuildOptions(languages=("cs",))) == [
        '3:5: symbol "cat" has no Czech name. Add "cs: …" or leave out --lang cs.'
    ]


def test_languages_have_the_article_they_need() -> None:
    """An Arabic name, a Ukrainian one."""
    lines = "  - {emoji: 🐱, nl: kat}\n  - {emoji: 🐶, nl: hond}"
    told = [fault.partition(". ")[0] for fault in faults_of(lines, "languages: [nl, ar, uk]")]
    assert told == ["1:17: no symbol has an Arabic name", "1:21: no symbol has a Ukrainian name"]


def test_a_missing_comma_between_two_words_is_seen() -> None:
    """Both halves are known."""
    Path("theme.yaml").write_text("languages: [nl]\nsymbols: [kat hond, konijn]\n", encoding="utf-8")
    faults = [str(fault) for fault in examine_theme(Path("theme.yaml"))[1]]
    assert faults == ['theme.yaml:2:11: there is no word "kat hond". Is a comma missing between "kat" and "hond"?']


def test_a_missing_dash_between_two_words_is_seen() -> None:
    """YAML joins the second line to the first."""
    assert faults_of("  - kat\n    hond", "languages: [nl]") == [
        '3:5: there is no word "kat hond". Is a dash missing between "kat" and "hond"?'
    ]


def test_curly_quotes_inside_straight_ones_are_the_author_s() -> None:
    """And so are those inside a text."""
    assert symbol_of('{emoji: ⚓, nl: "“anker”"}').names["nl"] == "“anker”"
    assert symbol_of("{emoji: ⚓, nl: ’t anker}").names["nl"] == "’t anker"


def test_indonesian_names_stand_under_names() -> None:
    """Beside a picture, `id` is the symbol's id."""
    lines = "  - {emoji: 🐱, id: kat}\n  - {emoji: 🐶, names: {id: anjing}}"
    assert faults_of(lines, "languages: [id]") == [
        '3:5: symbol "kat" has no Indonesian name. Add "names: {id: …}" or remove id from languages.'
    ]


ENTRIES = {
    "🐱🐶": '2:5: "🐱🐶" is more than one emoji. Give each symbol a line of its own.',
    "12": '2:5: "12" is no word, emoji or picture. Write {text: "12"} to print it.',
    "1/2": '2:5: "1/2" is no word, emoji or picture. Write {text: "1/2"} to print it.',
    "3 x 4": '2:5: "3 x 4" is no word, emoji or picture. Write {text: "3 x 4"} to print it.',
    "A": '2:5: "A" is no word, emoji or picture. Write {text: "A"} to print it.',
    "“kat”": '2:5: "“kat”" stands in the curly quotes of a word processor. Use straight quotes: " or \'.',
    "{word: „kat“}": '2:12: word: "„kat“" stands in the curly quotes of a word processor. '
    "Use straight quotes: \" or '.",
    "kat\n    - hond": '2:5: below "kat" stands a dash too far to the right. '
    'Put the dash before "hond" right below the one above.',
    "kat - hond": "2:5: several symbols stand here. Give each symbol a line of its own.",
    "kat, hond": "2:5: several symbols stand here. Give each a line of its own, or put the whole list in [ ].",
    "’t qqqq": '2:5: there is no word "’t qqqq". Print a word as a text, {text: "’t qqqq"}, or give it a picture: '
    '{emoji: …, en: "’t qqqq"} or {image: …, en: "’t qqqq"}; `dobble-print list words` shows those that have one.',
    "[🐱, 🐶]": "2:5: a symbol cannot be a list. Start each symbol on a line of its own with a single dash.",
    "": "2:4: this symbol is empty. Write a word, an emoji or the path of a picture after the dash.",
    "#️⃣": "2:4: this symbol is empty. Write a word, an emoji or the path of a picture after the dash. "
    'Everything after # is a comment: write "#️⃣".',
    "{emoji: cat}": '2:13: emoji: "cat" is not one emoji. Give each symbol a single emoji, or use word, image or text.',
    "{nl: kat}": "2:5: this symbol has no picture. Give it word: …, emoji: …, image: … or text: ….",
    "{emoji: 🐱, text: cat}": '2:16: "text" stands beside "emoji". A symbol has one picture: remove one of them.',
    "{emoji: 🐱, color: red}": '2:16: "color" means something only beside "text". Remove it.',
    "{text: A, background: remove}": '2:15: "background" means something only beside "image". Remove it.',
    "{emoij: 🐱, nl: kat}": '2:6: unknown key "emoij" in a symbol. Did you mean "emoji"?',
    "{🐱: kat}": '2:6: unknown key "🐱" in a symbol. Write {emoji: 🐱, en: …}.',
    "{emoji: 🐱, ID: kat}": '2:16: unknown key "ID" in a symbol. Did you mean "id"?',
    "{emoji: 🐱, names: [kat]}": "2:23: names should go by language. Write names: {en: …, nl: …}.",
    "{emoji: 🐱, nll: kat}": '2:16: unknown key "nll" in a symbol. Did you mean "nl"?',
    "{emoji: 🐱, Dutch: kat}": '2:16: unknown key "Dutch" in a symbol. Did you mean "nl"?',
    "{emoji: 🐱, frans: chat}": '2:16: unknown key "frans" in a symbol. Did you mean "fr"?',
    "{emoji:🐱, nl: kat}": '2:6: unknown key "emoji:🐱" in a symbol. Put a space after the colon: emoji: 🐱.',
    "nl:kat": '2:5: no space stands after the colon of "nl". Put a space after the colon: nl: kat.',
    "image:art/boat.svg": '2:5: no space stands after the colon of "image". '
    "Put a space after the colon: image: art/boat.svg.",
    "{text: a, b}": '2:15: unknown key "b" in a symbol. Known: word, picture, emoji, image, text, names, faces, id, '
    "background, crop, color, badge, rotation, scale, keep, filled, and languages such as en. "
    "A text with a comma needs quotes.",
    '{faces: ["1/2", "1/2", "50 %"]}': '2:21: "1/2" is listed twice. Remove one.',
    "{emoji: 🐱, names: {nll: kat}}": '2:24: names: there is no language "nll". Did you mean "nl"?',
    "{emoji: 🐱, nl: kat, names: {nl: poes}}": "2:33: the Dutch name stands here twice. Remove one.",
    "emoji: 🐱\n    nl:": "3:8: nl has no value. Write one after the colon, or remove the line.",
    "{emoji: 🐱, nl: [kat]}": "2:20: nl should be a single value, not a list. Give text, at most 80 characters.",
    '{emoji: 🐱, nl: "a\\u202Eb"}': "2:20: nl: the text holds a character that changes the direction of reading. "
    "Remove the RIGHT-TO-LEFT OVERRIDE.",
    f"{{emoji: 🐱, nl: {'a' * 81}}}": f'2:20: nl: "{"a" * 39}…" has 81 characters. At most 80 fit.',
    "{emoji: 🐱, scale: 9}": '2:23: scale: "9" is too large. Give 0.5 to 2.',
    "{emoji: 🐱, rotation: sideways}": '2:26: rotation: "sideways" is not full, tilt or upright.',
    "🐱\n  - 🐱": "3:5: this symbol has the same picture as the one on line 2. "
    "The deck would have two right answers: remove or change one.",
    "☀️\n  - {emoji: ☀, nl: zon}": "3:5: this symbol has the same picture as the one on line 2. "
    "The deck would have two right answers: remove or change one.",
    "art/boat.svg\n  - {image: ./art/boat.svg, id: x}": "3:5: this symbol has the same picture as the one on line 2. "
    "The deck would have two right answers: remove or change one.",
    "{text: A}\n  - {text: A, id: b}": "3:5: this symbol has the same picture as the one on line 2. "
    "The deck would have two right answers: remove or change one.",
    "{emoji: 🐱, nl: kat}\n  - {emoji: 🐶, nl: Kat}": '3:5: this symbol has the same Dutch name "Kat" as the one on '
    "line 2. The deck would have two right answers: remove or change one.",
    "{emoji: 🐱, id: a}\n  - {emoji: 🐶, id: a}": '3:5: this symbol has the same id "a" as the one on line 2. '
    "Give one of them another: id: ….",
    "art/boat.svg\n  - {emoji: 🐶, en: Boat}": '3:5: this symbol has the same id "boat" as the one on line 2. '
    "Give one of them another: id: ….",
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_each_faulty_symbol_is_told_at_its_place(entry: str) -> None:
    """One mistake, one fault."""
    assert faults_of("  - " + entry) == [ENTRIES[entry]]


ON_ONE_LINE = {
    "{emoji: 🐒, nl: aap}, {emoji: 🐒, nl: beer}": 'this symbol has the same picture as "aap" earlier on this line. '
    "The deck would have two right answers: remove or change one.",
    "kat, poes": 'this symbol has the same picture as "kat" earlier on this line. '
    "The deck would have two right answers: remove or change one.",
    "{faces: [3 x 4, 12]}, {faces: [2 x 6, 12]}": 'this symbol shows "12", and so does "3 x 4 = 12" earlier on this '
    "line. A match would have two answers: remove or change one.",
}


@pytest.mark.parametrize("twins", ON_ONE_LINE)
def test_of_two_alike_on_one_line_the_other_is_named(twins: str) -> None:
    """The number of its own line would tell nobody which one is meant."""
    text = f"languages: [nl]\nsymbols: [{twins}, hond, vis, paard, koe, varken]\n"
    Path("theme.yaml").write_text(text, encoding="utf-8")
    told = [str(fault).split(": ", 1)[1] for fault in examine_theme(Path("theme.yaml"))[1]]
    assert told == [ON_ONE_LINE[twins]]


def test_of_two_alike_the_first_stays_in_the_theme() -> None:
    """Later stages need not find the likeness again."""
    theme, faults = examine_theme(write("  - {emoji: 🐱, nl: kat}\n  - {emoji: 🐱, nl: poes}"))
    assert (len(faults), [symbol.id for symbol in theme.symbols]) == (1, ["cat", *"78532"])


def test_more_symbols_than_any_deck_uses_are_not_read() -> None:
    """The first thousand are."""
    lines = "\n".join(f"  - {{text: t{number}}}" for number in range(1001))
    assert faults_of(lines) == ["1002:5: more than 1000 symbols. A deck uses 183 at most."]


def test_a_word_brings_its_picture_and_its_names() -> None:
    """In the theme's languages, with articles and synonyms; the English key is its id."""
    symbol = symbol_of("ice cream", "languages: [nl, de]")
    assert (symbol.id, symbol.source) == ("ice-cream", Emoji(find_word("ice cream").emoji))
    cat = symbol_of("cat", "languages: [nl, de, pl]")
    assert (cat.id, cat.names) == ("cat", {"nl": "kat", "de": "Katze", "pl": "kot"})
    assert cat.full_names == {"nl": "de kat", "de": "die Katze", "pl": "kot"}
    assert cat.synonyms["nl"] == ("poes",)


def test_an_emoji_brings_its_names_and_keeps_its_drawing() -> None:
    """Also a variant, which another emoji of the same name draws better."""
    symbol = symbol_of("🐈", "languages: [fr]")
    assert (symbol.id, symbol.source, symbol.names) == ("cat", Emoji("🐈"), {"fr": "chat"})


@pytest.mark.parametrize("picture", ["word: cat", "emoji: 🐱", "word: die Katze", "word: KATZE"])
def test_names_beside_a_word_or_emoji_count_more_than_the_lexicon_s(picture: str) -> None:
    """The others stay; the article of a synonym is known, and the other name is still a synonym."""
    symbol = symbol_of(f"{{{picture}, nl: poes}}", "languages: [de, nl]")
    assert (symbol.id, symbol.names) == ("cat", {"de": "Katze", "nl": "poes"})
    assert symbol.full_names == {"de": "die Katze", "nl": "de poes"}
    assert symbol.synonyms["nl"] == ("kat",)


def test_a_name_of_the_theme_s_own_has_no_article_and_no_synonyms() -> None:
    """The lexicon cannot know them."""
    symbol = symbol_of("{word: cat, nl: Minoes}", "languages: [nl]")
    assert (symbol.full_names, dict(symbol.synonyms)) == ({"nl": "Minoes"}, {})


@pytest.mark.parametrize("entry", ["frieten", "de frieten", "Frieten", "{word: frieten}"])
def test_the_word_as_written_is_the_name_in_its_language(entry: str) -> None:
    """With its article; what the lexicon would have said is a synonym, and the id stays English."""
    symbol = symbol_of(entry, "languages: [nl, fr]")
    assert (symbol.id, symbol.names["nl"], symbol.full_names["nl"]) == ("chips", "frieten", "de frieten")
    assert "frieten" not in symbol.synonyms["nl"] and find_word("chips").names["nl"].text in symbol.synonyms["nl"]


def test_a_word_names_itself_in_the_language_it_was_read_in_alone() -> None:
    """`giraffe` beside English is English, and the Dutch name stays the usual one."""
    assert symbol_of("giraffe", "languages: [nl, en]").names == {"nl": "giraf", "en": "giraffe"}
    assert symbol_of("giraffe", "languages: [nl]").names == {"nl": "giraffe"}


def test_a_name_beside_a_word_counts_more_than_the_word_as_written() -> None:
    """Whoever gives both means the name."""
    assert symbol_of("{word: frieten, nl: patat}", "languages: [nl]").names["nl"] == "patat"


def test_a_word_takes_the_options_of_a_symbol() -> None:
    """Rotation, scale and id."""
    symbol = symbol_of("{word: cat, rotation: upright, scale: 1.5, id: Minoes}")
    assert (symbol.id, symbol.rotation, symbol.scale) == ("Minoes", "upright", 1.5)


def test_an_english_name_of_the_theme_makes_the_id_of_an_emoji() -> None:
    """Ids stay when the lexicon learns the emoji."""
    assert symbol_of("{emoji: 🐱, en: Puss in boots}").id == "puss-in-boots"
    assert symbol_of("{word: cat, en: Puss in boots}").id == "cat"


def test_words_are_read_in_the_theme_s_languages() -> None:
    """Italian butter is a Spanish donkey."""
    assert symbol_of("burro", "languages: [it]").id == "butter"
    assert symbol_of("burro", "languages: [es]").id == "donkey"


PLAIN_WORDS = """\
# Thirty-one plain words make a whole deck.
title: Everything
symbols: [
  cat, dog, horse, cow, pig, sheep, duck, fox, bear, lion,
  apple, banana, carrot, cheese, egg, sun, rainbow, snowman,
  tree, mushroom, moon, star, rocket, car, bicycle, train,
  key, book, scissors, drum, umbrella,
]
"""


def test_a_ten_line_theme_of_31_plain_words_is_a_full_deck_in_eight_languages() -> None:
    """Every symbol has its picture, and a name with its article where the language has them."""
    assert len(PLAIN_WORDS.splitlines()) <= 10
    Path("words.yaml").write_text(PLAIN_WORDS, encoding="utf-8")
    theme = read_theme(Path("words.yaml"))
    deck = make_deck(len(theme.symbols), theme.deck.symbols_per_card, theme.deck.cards, theme.deck.seed)
    assert (len(theme.symbols), len(deck.cards), deck.symbols_per_card) == (31, 31, 6)
    assert theme.languages == ("en", "nl", "fr", "de", "es", "it", "pt", "pl")
    assert all(set(symbol.names) == set(theme.languages) for symbol in theme.symbols)
    assert all(symbol.full_names["de"].startswith(("der ", "die ", "das ")) for symbol in theme.symbols)


def test_words_among_other_symbols_leave_the_languages_that_all_share() -> None:
    """What the theme writes itself sets the limit."""
    assert read_theme(write("  - cat\n  - {emoji: 🔶, nl: ruit, fr: losange}\n  - dog")).languages == ("nl", "fr")


def test_titles_by_language_limit_the_languages_of_a_word_list() -> None:
    """Whoever writes two titles wants two languages."""
    head = "title: {nl: Dieren, de: Tiere}"
    assert read_theme(write("  - cat\n  - dog", head)).languages == ("nl", "de")


WORD_FAULTS = {
    "dgo": '2:5: there is no word "dgo". Did you mean "dog"?',
    "umbrela": '2:5: there is no word "umbrela". Did you mean "umbrella"?',
    "{word: umbrela, nl: olifant}": '2:12: there is no word "umbrela". Did you mean "umbrella"?',
    "qqqq": '2:5: there is no word "qqqq". Print a word as a text, {text: qqqq}, or give it a picture: '
    "{emoji: …, en: qqqq} or {image: …, en: qqqq}; `dobble-print list words` shows those that have one.",
    "qqqq\n  - dgo\n  - zzzz": '2:5: 3 words are unknown: "qqqq", "dgo" on line 3 and "zzzz" on line 4. '
    '"dgo" may be "dog". Print a word as a text, {text: qqqq}, or give it a picture: '
    "{emoji: …, en: qqqq} or {image: …, en: qqqq}; `dobble-print list words` shows those that have one.",
    "burro": '2:5: "burro" can be donkey 🫏 or butter 🧈. Write the English word: "donkey" or "butter"; '
    "or add your language: languages: [es].",
    "{word: cat, emoji: 🐱}": '2:17: "emoji" stands beside "word". A symbol has one picture: remove one of them.',
    "{word: cat, color: red}": '2:17: "color" means something only beside "text". Remove it.',
    "{word: }": "2:12: word has no value. Write one after the colon, or remove the line.",
    "cat\n  - kitty": "3:5: this symbol has the same picture as the one on line 2. "
    "The deck would have two right answers: remove or change one.",
    "cat\n  - 🐈": '3:5: this symbol has the same English name "cat" as the one on line 2. '
    "The deck would have two right answers: remove or change one.",
    "cat\n  - {word: dog, nl: Kat}": '3:5: this symbol has the same Dutch name "Kat" as the one on line 2. '
    "The deck would have two right answers: remove or change one.",
}


@pytest.mark.parametrize("entry", WORD_FAULTS)
def test_each_faulty_word_is_told_at_its_place(entry: str) -> None:
    """One mistake, one fault."""
    assert faults_of("  - " + entry) == [WORD_FAULTS[entry]]


def test_a_language_outside_the_lexicon_needs_names() -> None:
    """The short form is told how its long form looks."""
    assert faults_of("  - cat\n  - {word: dog, cs: pes}", "languages: [nl, cs]") == [
        '3:5: symbol "cat" has no Czech name. Write {word: cat, cs: …} or remove cs from languages.'
    ]


def test_an_id_that_nobody_wrote_gives_way() -> None:
    """The text cat is not the picture of a cat."""
    theme = read_theme(write("  - 🐱\n  - {text: cat}\n  - 🐈", "languages: []"))
    assert [symbol.id for symbol in theme.symbols[:3]] == ["cat", "text-cat", "emoji-cat"]


def test_a_text_may_stand_on_a_badge_of_one_or_two_colours() -> None:
    """Two-colour badges are two colours, in their order."""
    assert symbol_of('{text: FC, color: white, badge: "#C1121F"}').source == Text("FC", "#ffffff", ("#c1121f",))
    assert symbol_of('{text: FC, badge: [red, "#fff"]}').source == Text("FC", Text.color, ("#ff0000", "#ffffff"))


BADGE_FAULTS = {
    "{text: FC, badge: [red, white, blue]}": "2:36: badge takes 2 at most. Remove the rest.",
    "{text: FC, badge: [red, naavy]}": '2:29: badge: "naavy" is not a colour. Did you mean "navy"?',
    "{text: FC, badge: [red, red]}": '2:29: "#ff0000" is listed twice. Remove one.',
    "{emoji: 🐱, badge: red}": '2:16: "badge" means something only beside "text". Remove it.',
}


@pytest.mark.parametrize("entry", BADGE_FAULTS)
def test_each_faulty_badge_is_told_at_its_place(entry: str) -> None:
    """One mistake, one fault."""
    assert faults_of("  - " + entry) == [BADGE_FAULTS[entry]]


EMOJI = ["⚓", "☀️", "☀", "❤️", "1️⃣", "#️⃣", "🇳🇱", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "👩‍🚀", "👍🏽", "🏳️‍🌈", "ℹ️", "‼️", "↔️", "〰️", "🫎"]
NO_EMOJI = [
    "",
    "cat",
    "1",
    "#",
    "🐱🐶",
    "🇳",
    "🐱 ",
    "a️",
    "\u200d",
    "\ufe0f",
    "🐱\u200d",
    "é",
    "中",
    "+",
    "3 × 4",
    "🐱\u200d" * 40 + "🐱",
]


@pytest.mark.parametrize("text", EMOJI)
def test_emoji_are_told_by_their_shape(text: str) -> None:
    """Simple, keycap, flag, joined, with skin tone, with or without U+FE0F."""
    assert is_emoji(text)


@pytest.mark.parametrize("text", NO_EMOJI)
def test_other_text_is_no_emoji(text: str) -> None:
    """Letters, digits, two at once, halves."""
    assert not is_emoji(text)


@pytest.mark.parametrize(
    ("name", "slug"), [("L'été bleu", "l-ete-bleu"), ("Straße 2", "strasse-2"), ("кот", "кот"), ("!?", "")]
)
def test_slugs_are_one_lower_case_word(name: str, slug: str) -> None:
    """Accents go, other scripts stay."""
    assert make_slug(name) == slug


PROMISED = """en nl fr de es it pt pl da sv nb nn no fi is et lv lt cs sk sl hr sr bs hu ro bg el tr ru uk be ca eu gl
cy
ga lb mt sq mk ar he fa hi zh ja ko vi th id ms af sw la eo fy"""


def test_every_promised_language_is_known() -> None:
    """With its English and its own name."""
    assert set(PROMISED.split()) <= set(languages())
    assert all(language.name and language.own_name for language in languages().values())


@pytest.mark.parametrize("code", ["xx", "english", "nl-", "nl-B", "nl-BE-x", "", "-", "pt-BRA"])
def test_other_codes_are_no_language(code: str) -> None:
    """Only a code of the table, perhaps with script and region."""
    assert find_language(code) is None


def test_papers_are_upright_and_a4_comes_first() -> None:
    """All that a school or a print shop uses."""
    assert next(iter(papers())) == "A4" and {"A3", "SRA3", "Letter", "Tabloid", "Legal", "A5"} < set(papers())
    assert all(paper.width_mm < paper.height_mm for paper in papers().values())
