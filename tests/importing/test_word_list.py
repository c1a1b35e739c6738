"""Lists of words: whatever a teacher saves becomes a theme that reads back, or a message that names the row."""

from __future__ import annotations

import datetime as dt
import io
import re
import shutil
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dobble_print.errors import ExitCode, OutputError, ThemeError, UsageError
from dobble_print.importing.columns import Column, guess_language, read_heading
from dobble_print.importing.new_theme import write_new_theme
from dobble_print.importing.starter import write_theme
from dobble_print.importing.tables import find_separator, show_cell
from dobble_print.importing.word_list import WordList, find_source, read_list, split_list
from dobble_print.rules.rulebook import name_symbol
from dobble_print.theme.model import Emoji, ImageFile, Text, Theme
from dobble_print.theme.reader import read_theme
from tests.conftest import ENDLESS_S, ROOT, Run

DATA = ROOT / "tests" / "data"
SIX = "cat, dog, sun, moon, house, tree"


@pytest.fixture(autouse=True)
def inside_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


def listed(content: str | bytes, name: str = "words.csv", *languages: str) -> WordList:
    """The list in a file of that content."""
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    return read_list(Path(name), languages)


def themed(found: WordList) -> Theme:
    """The theme made of a list, read back."""
    Path("theme.yaml").write_text(
        write_theme("x", found.languages, found.entries, found.article, found.fill), encoding="utf-8"
    )
    return read_theme(Path("theme.yaml"))


def read(content: str | bytes, name: str = "words.csv", *languages: str) -> Theme:
    """The theme made of a file of that content."""
    return themed(listed(content, name, *languages))


def names(theme: Theme, code: str) -> list[str]:
    """What the symbols are called in a language."""
    return [symbol.names[code] for symbol in theme.symbols]


def remarks(found: WordList) -> str:
    """Everything that is doubtful about a list."""
    return "\n".join(map(str, found.remarks))


def message_of(content: str | bytes, name: str = "words.csv", *languages: str) -> str:
    """What is said about a list that makes no theme."""
    with pytest.raises(ThemeError) as caught:
        listed(content, name, *languages)
    return str(caught.value)


def workbook(*rows: tuple[Any, ...], **formats: str) -> bytes:
    """An .xlsx file with these rows; formats by cell."""
    from openpyxl import Workbook

    book, data = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    for cell, number_format in formats.items():
        book.active[cell].number_format = number_format
    book.save(data)
    return data.getvalue()


# --- words on the command line


def test_words_between_commas_draw_themselves() -> None:
    """Six English words are six emoji in English."""
    theme = themed(split_list(SIX))
    assert (theme.languages, names(theme, "en")) == (("en",), SIX.split(", "))
    assert all(isinstance(symbol.source, Emoji) for symbol in theme.symbols)


def test_the_language_of_words_is_told_or_guessed() -> None:
    """Dutch words make a Dutch theme; `boot` is a boat only there."""
    sure = split_list("kat; hond; zon; maan; boot; boom")
    assert (sure.languages, sure.remarks) == (("nl",), ())
    unsure = split_list("kat; hond; zon; maan; boot; Wubbo")
    assert unsure.languages == ("nl",)
    assert "the words were taken for Dutch" in remarks(unsure)
    assert "taken for" not in remarks(split_list("kat; hond; zon; maan; boot; Wubbo", ["nl"]))
    with pytest.raises(UsageError, match='there is no language "nll"'):
        split_list(SIX, ["nll"])


def test_words_without_a_picture_are_printed_and_named() -> None:
    """A name is printed; a sum is printed without a word about it, since nobody expects a picture."""
    found = split_list(f"{SIX}, Miss Poppins, 3×4, A")
    assert '1 word has no picture and will be printed as a word: "Miss Poppins"' in remarks(found)
    assert [symbol.source.text for symbol in themed(found).symbols if isinstance(symbol.source, Text)] == [
        "Miss Poppins",
        "3 × 4",
        "A",
    ]


def test_emoji_may_stand_among_words_or_before_one() -> None:
    """`🐯 Tigger` is the tiger's picture under another name."""
    theme = themed(split_list(f"{SIX}, 🦁, 🐯 Tigger"))
    assert names(theme, "en")[-2:] == ["lion", "Tigger"]


def test_a_word_that_comes_twice_is_used_once_and_named() -> None:
    """Whatever its case."""
    found = split_list(f"{SIX}, Cat")
    assert len(found.entries) == 6
    assert '"Cat" stands there already. It is used once.' in remarks(found)


def test_of_two_words_for_one_picture_the_second_prints_as_a_word() -> None:
    """A list of first words may well hold both."""
    found = split_list(f"{SIX}, kitty")
    assert ("text", "kitty") in [entry.picture for entry in found.entries]
    assert '"kitty" has the picture of "cat". It will be printed as a word.' in remarks(found)


def test_too_few_words_and_files_among_words_are_refused_at_once() -> None:
    """Both faults are told."""
    with pytest.raises(ThemeError) as caught:
        split_list("art/me.png,")
    assert "the list holds only one word. A theme needs 6 to 1000 symbols." in str(caught.value)
    assert '"art/me.png" is a picture, not a word' in str(caught.value)


def test_a_few_words_are_filled_up_from_the_lexicon(run: Run) -> None:
    """`cat, dog, sun` gives a deck to play with, and the teacher is told how."""
    result = run("new", "pets", "--from", "cat, dog, sun")
    assert result.returncode == 0
    assert "fill: in the theme adds 4 words of the lexicon, which gives 7 cards of 3." in result.stderr
    theme = read_theme(Path("pets/theme.yaml"))
    assert [symbol.id for symbol in theme.symbols[:3]] == ["cat", "dog", "sun"]
    assert [symbol.filled for symbol in theme.symbols] == [False] * 3 + [True] * 4


@pytest.mark.parametrize(
    "typed",
    [
        '"kat", "hond", "zon", "maan", "boom", "huis"',
        "'kat, hond, zon, maan, boom, huis'",
        "„kat“, “hond”, ‘zon’, «maan», boom, huis.",
        "kat, hond, zon, maan, boom en huis",
        "1. kat, 2. hond, 3. zon, 4. maan, 5. boom, 6. huis",
        "kat hond zon maan boom huis",
        "kat / hond / zon / maan / boom / huis",
        "🐱🐶☀️ 🌙🌳🏠",
    ],
)
def test_words_are_read_however_they_are_typed(typed: str) -> None:
    """Quotes, numbers, a full stop, `en` before the last one, blanks alone: six words with pictures each time."""
    assert find_source(typed) is None
    theme = themed(split_list(typed, ["nl"]))
    assert names(theme, "nl") == ["kat", "hond", "zon", "maan", "boom", "huis"]
    assert all(isinstance(symbol.source, Emoji) for symbol in theme.symbols)


def test_marks_that_belong_to_a_word_stay() -> None:
    """An apostrophe that opens a word, a class with a number, and two words that are one thing."""
    found = split_list(f"{SIX}, 's avonds, 3. klas, Tom and Jo")
    assert [entry.picture[1] for entry in found.entries[-3:]] == ["'s avonds", "3. klas", "Tom and Jo"]


@pytest.mark.parametrize(
    ("language", "written", "meant"),
    [("fr", "ETOILE", "étoile"), ("fr", "l'ecole", "école"), ("de", "Schluessel", "Schlüssel"), ("de", "Lowe", "Löwe")],
)
def test_lost_accents_are_put_back_and_told(language: str, written: str, meant: str) -> None:
    """Capitals lose them in French, and keyboards in every language."""
    found = split_list(f"{SIX}, {written}", [language])
    assert names(themed(found), language)[-1] == meant
    assert f'"{written}" was read as' in remarks(found)


def test_what_from_means_is_told_by_what_is_there() -> None:
    """A folder, a file, words; a name that is nothing of these gets a hint."""
    Path("words.csv").touch()
    Path("a, b").mkdir()
    assert find_source("words.csv") == Path("words.csv")
    assert find_source("a, b") == Path("a, b")
    assert find_source("cat\ndog") is None
    for text, hint in {
        "a" * 5000: "Give a list",
        f"{'a' * 5000}/b": "Give a list",
        "wordz.csv": 'Did you mean "words.csv"',
        "x, y.csv": "Give a list",
        "": "Give a list",
    }.items():
        with pytest.raises(UsageError, match=f"there is no file or folder .*{hint}"):
            find_source(text)


TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=20)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.one_of(TEXT, st.sampled_from(["kat", "de hond", "🐱", "chat", "T-shirt", "x/y", "~", "no"])), max_size=14
    )
)
def test_any_words_give_a_good_theme_or_a_clear_refusal(words: list[str]) -> None:
    """Nothing in between."""
    try:
        found = split_list(",".join([*words, SIX]))
    except ThemeError as error:
        assert all(fault.what and fault.hint for fault in error.faults)
        return
    assert len(themed(found).symbols) == len(found.entries) >= 6


CELL = st.one_of(TEXT, st.sampled_from(["", "kat", "🐱", "12", "cat", "le chat", '"', "a.png"]))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CELL, CELL, CELL), max_size=12), st.sampled_from(["emoji;nl;fr", "word;text;id", "x;y;z"]))
def test_any_table_gives_a_good_theme_or_a_clear_refusal(rows: list[tuple[str, str, str]], head: str) -> None:
    """Nothing in between."""
    filler = [(emoji, f"naam {emoji}", f"nom {emoji}") for emoji in "🦊🐺🐻🦁🐯🐮"]
    text = "\n".join([head, *(";".join(row) for row in (*rows, *filler))])
    try:
        found = listed(text.encode("utf-8"))
    except ThemeError as error:
        assert all(fault.what for fault in error.faults)
        return
    assert len(themed(found).symbols) == len(found.entries)


# --- tables and their columns


TABLE = "Wort;English;emoji\nKatze;cat;\nHund;dog;\nSonne;;\nMond;;\nHaus;;\nRübezahl;Turnip Counter;🧙\n"


def test_columns_are_known_by_their_headings() -> None:
    """Words in German, names in English; what is empty comes from the lexicon."""
    theme = read(TABLE)
    assert theme.languages == ("de", "en")
    assert names(theme, "de") == ["Katze", "Hund", "Sonne", "Mond", "Haus", "Rübezahl"]
    assert names(theme, "en") == ["cat", "dog", "sun", "moon", "house", "Turnip Counter"]
    assert theme.symbols[5].source == Emoji("🧙")


@pytest.mark.parametrize(
    ("heading", "column"),
    [
        ("picture", Column("picture")),
        ("BILD", Column("picture")),
        ("Foto", Column("picture")),
        ("woord", Column("word", "nl")),
        ("mot", Column("word", "fr")),
        ("symbol", Column("word")),
        ("nl", Column("name", "nl")),
        ("PT_br", Column("name", "pt-BR")),
        ("Dutch", Column("name", "nl")),
        ("français", Column("name", "fr")),
        ("Engels", Column("name", "en")),
        ("naam (fr)", Column("name", "fr")),
        ("Opmerking", Column("none")),
    ],
)
def test_headings_are_read_in_many_languages(heading: str, column: Column) -> None:
    """By code, English name, own name, and the names that teachers use."""
    assert read_heading(heading) == column


def test_unknown_columns_are_named() -> None:
    """With what was probably meant."""
    found = listed("nl,Germann,x\nkat,Katze,1\nhond,,2\nzon,,3\nmaan,,4\nhuis,,5\nboom,,6\n")
    assert 'words.csv:1: the column "Germann" was not read. Did you mean "german"?' in remarks(found)
    assert 'words.csv:1: the column "x" was not read.' in remarks(found)
    assert found.languages == ("nl",)


def test_a_column_that_comes_twice_is_named() -> None:
    """The first one counts."""
    found = listed("nl;nl;emoji\nkat;poes;\nhond;;\nzon;;\nmaan;;\nhuis;;\nboom;;\n")
    assert "another one like it" in remarks(found)


def test_rows_and_cells_that_say_nothing_are_named() -> None:
    """An id alone is no symbol, and a cell without a heading has no meaning."""
    found = listed("id;word;x\n1;cat;\n2;;\n3;dog;;note\n4;sun\n5;moon\n6;house\n7;tree\n")
    assert 'words.csv:3: "2" was not read.' in remarks(found)
    assert 'words.csv:4: "note" was not read. There is no heading above it.' in remarks(found)
    assert len(found.entries) == 6


def test_titles_above_the_headings_are_skipped_and_named() -> None:
    """Headings are looked for in the first rows."""
    found = listed(f"Our words\n\n{TABLE}")
    assert 'words.csv:1: "Our words" was taken for a title.' in remarks(found)
    assert len(found.entries) == 6


def test_a_single_column_is_a_list_of_words() -> None:
    """Also when its first word could be a heading of its own, such as a key or a picture."""
    theme = read("key\ncat\ndog\nsun\nmoon\nhouse\n", "words.txt")
    assert names(theme, "en")[0] == "key"
    assert names(read("it\nhe\nshe\nwe\nyou\nthey\n", "words.txt"), "en")[0] == "it"
    assert names(read("nl\nkat\nhond\nzon\nmaan\nhuis\nboom\n", "words.txt"), "nl")[0] == "kat"
    assert names(read("Nederlands\nkat\nhond\nzon\nmaan\nhuis\nboom\n", "words.txt"), "nl")[0] == "kat"


def test_words_in_rows_and_columns_are_all_words() -> None:
    """A grid, or everything on one line."""
    assert len(read("cat;dog;sun\nmoon;house;tree\n").symbols) == 6
    assert len(read("Anna;Bram;Chris\nDirk;Els;Fatima\n").symbols) == 6
    assert len(read(SIX).symbols) == 6


def test_columns_without_headings_tell_their_language() -> None:
    """Dutch and French beside each other."""
    theme = read("kat;chat\nhond;chien\nzon;soleil\nmaan;lune\nhuis;maison\nboom;arbre\n")
    assert theme.languages == ("nl", "fr")
    assert guess_language(["kat", "hond", "xx"], 0.5) == "nl"


SUMS = "3 x 4;12\n2*5;10\n6:3;2\n7+8;15\n9-5;4\n5X5;25\n"
SUM_FACES = [("3 × 4", "12"), ("2 × 5", "10"), ("6 : 3", "2"), ("7 + 8", "15"), ("9 − 5", "4"), ("5 × 5", "25")]


def shown(theme: Theme) -> list[tuple[str, ...]]:
    """The texts that every symbol of a theme is shown as."""
    return [
        tuple(face.source.text for face in symbol.faces if isinstance(face.source, Text)) for symbol in theme.symbols
    ]


@pytest.mark.parametrize(
    ("content", "language"),
    [
        (f"Som;Antwoord\n{SUMS}", "nl"),
        (f"calcul;résultat\n{SUMS}", "fr"),
        (f"Aufgabe 1;Ergebnis\n{SUMS}", "de"),
        (f"text;text\n{SUMS}", "en"),
        (SUMS, "en"),
        (f"Zo;Wat\n{SUMS}", "en"),
        (SUMS.replace(";", " = "), "en"),
    ],
)
def test_sums_and_answers_become_faces(content: str, language: str) -> None:
    """Under headings in any language, under none, under unknown ones, or with an equals sign; signs as printed."""
    theme = read(content)
    assert shown(theme) == SUM_FACES
    assert theme.languages == (language,)


def test_sums_typed_with_their_answers_become_faces() -> None:
    """`3x4=12` on the command line; and the rules' language is told."""
    found = split_list(SUMS.replace(";", "=").replace("\n", ", "))
    assert shown(themed(found)) == SUM_FACES
    assert "the rules will be in English. Add --lang nl" in remarks(found)


def test_words_with_an_equals_sign_are_two_languages() -> None:
    """`cat = kat` is no sum."""
    theme = themed(split_list("cat=kat, dog=hond, sun=zon, moon=maan, house=huis, tree=boom"))
    assert theme.languages == ("en", "nl")


def test_rows_of_unknown_words_are_faces_and_a_person_is_told() -> None:
    """A country and its capital."""
    lands = "France;Paris\nSpain;Madrid\nPoland;Warsaw\nNorway;Oslo\nGreece;Athens\nCuba;Havana\n"
    found = listed(lands)
    assert shown(themed(found))[0] == ("France", "Paris")
    assert 'each row is one symbol, shown as "France" and "Paris"' in remarks(found)


def test_two_sums_with_one_answer_are_a_fault_of_their_row() -> None:
    """A match would have two answers."""
    told = message_of(f"{SUMS}2x6;12\n")
    assert 'words.csv:7: "2 × 6" has the same text "12" as "3 × 4" in row 1' in told
    assert "or put all on one row, as faces of one symbol: 3 × 4, 12, 2 × 6." in told


def test_a_forgotten_answer_is_told() -> None:
    """With its row; the deck is made all the same."""
    found = listed(f"sum;answer\n{SUMS}8x8;\n")
    assert 'words.csv:8: "8x8" has one face, others have 2.' in remarks(found)
    assert len(themed(found).symbols) == 7


def test_words_that_mean_different_things_are_doubted() -> None:
    """The picture that was taken is shown."""
    found = listed("nl;fr\nslot;château\nkat;chat\nhond;chien\nzon;soleil\nmaan;lune\nhuis;maison\n")
    assert 'words.csv:2: "slot" and "château" are different things' in remarks(found)


def test_names_of_the_list_count_more_than_those_of_the_lexicon() -> None:
    """Synonyms and own words stay; single articles go."""
    theme = read("nl;fr\npoes;minou\nde hond;le toutou\nzon;soleil\nmaan;lune\nhuis;maison\nboom;arbre\n")
    assert (names(theme, "nl")[:2], names(theme, "fr")[:2]) == (["poes", "hond"], ["minou", "toutou"])
    assert theme.symbols[0].source == Emoji("🐱")


def test_a_missing_name_is_a_fault_of_its_row() -> None:
    """Where neither list nor lexicon knows it; all rows are told."""
    text = message_of("emoji;nl;Welsh\n🐱;kat;cath\n🐶;hond;\n☀;zon;haul\n🌙;maan;\n🏠;huis;tŷ\n🌳;boom;coeden\n")
    assert text.splitlines() == [
        'words.csv:3: "hond" has no Welsh name. Fill in the cell, or remove the column.',
        'words.csv:5: "maan" has no Welsh name. Fill in the cell, or remove the column.',
    ]


def test_two_pictures_in_a_row_are_a_fault() -> None:
    """A symbol has one."""
    text = message_of("word;emoji;text\ncat;🐱;CAT\ndog;;\nsun;;\nmoon;;\nhouse;;\ntree;;\n")
    assert text.startswith("words.csv:2: this row has an emoji and a text.")


def test_two_rows_with_one_name_are_a_fault() -> None:
    """The earlier row is named."""
    text = message_of("nl;emoji\nbank;🏦\nbank;🛋️\nzon;\nmaan;\nhuis;\nboom;\n")
    assert text.startswith('words.csv:3: "bank" has the same Dutch name "bank" as "bank" in row 2.')


def test_an_id_may_be_given_and_others_give_way() -> None:
    """Ids are all different."""
    theme = read("id;word\nsun;cat\n;dog\n;sun\n;moon\n;house\n;tree\n")
    assert [symbol.id for symbol in theme.symbols][:3] == ["sun", "dog", "sun-2"]


def test_pictures_lie_beside_the_list() -> None:
    """With or without ending, in a folder, with the backslash of Windows."""
    Path("art").mkdir()
    for name in ("tom.png", "art/ann.JPG", "zoë.webp"):
        Path(name).touch()
    found = listed("foto;naam\ntom;Tom\nart\\ann.JPG;Ann\nzoë.webp;\n;kat\n;hond\n;zon\n")
    theme = themed(found)
    assert found.has_pictures
    assert names(theme, "nl")[:3] == ["Tom", "Ann", "zoë"]
    assert theme.symbols[1].source == ImageFile(Path("art/ann.JPG").resolve())


def test_pictures_that_are_not_there_or_lie_elsewhere_are_faults() -> None:
    """Each with its row; nothing outside the folder is read."""
    Path("tom.png").touch()
    rows = f"{'a' * 5000};Long\n;zon\n"
    rows += "tomm.png;Tom\n../x.png;Ann\nC:\\me.png;Me\nhttps://x.org/y.png;Web\n;kat\n;hond\n"
    text = message_of(f"foto;naam\n{rows}")
    assert text.startswith("words.csv:2: image: ")
    assert 'words.csv:4: there is no picture "tomm.png". Did you mean "tom.png"?' in text
    assert "words.csv:5: image: " in text and "leads out of the theme's folder" in text
    assert "words.csv:6: image: " in text and "is not a path inside the theme's folder" in text
    assert "words.csv:7: image: " in text and "address on the web" in text


# --- slips, articles, one and many


PAIRS = "nl;fr\nkat;chat\nhond;chien\nzon;soleil\nmaan;lune\nhuis;maison\nboom;arbre\n"


def test_a_name_that_is_nearly_the_right_one_is_doubted() -> None:
    """The row is known by its other column, or by its emoji; what stands there is kept."""
    found = listed(f"{PAIRS}kipp;poule\nsinaasapel;l'orange\nSnuf;lapin\n")
    slip = "It is kept as you wrote it; mend it if it is a slip."
    assert f'words.csv:8: "kipp" is not the Dutch name known for "poule": kip. {slip}' in remarks(found)
    assert '"sinaasapel" is not the Dutch name known for "orange": sinaasappel.' in remarks(found)
    assert names(themed(found), "nl")[6:8] == ["kipp", "sinaasapel"]
    shown = listed("emoji;nl\n🐔;kpi\n🐱;kat\n🐶;hond\n☀;zon\n🌙;maan\n🏠;huis\n")
    assert 'words.csv:2: "kpi" is not the Dutch name known for "🐔": kip.' in remarks(shown)


@pytest.mark.parametrize("row", ["beessie;poule", "kippetje;poule", "Tokkie;poule", "kippen;poule", "kip;poulette"])
def test_other_names_are_the_author_s_own_choice(row: str) -> None:
    """A pet name, a diminutive, a plural, a kind of it."""
    assert "I know for" not in remarks(listed(f"{PAIRS}{row}\n"))


def test_a_misspelt_word_gets_a_suggestion_as_in_a_theme() -> None:
    """Where most words are things; in a list of people everybody would be nearly something."""
    text = remarks(split_list(f"{SIX}, duk, Miss Poppins"))
    assert (
        '2 words have no picture and will be printed as words: "duk" and "Miss Poppins". "duk" may be "duck".' in text
    )
    assert "Leave it so, or add an emoji or a picture" in text
    one = remarks(listed("kat\nhont\nzon\nmaan\nhuis\nboom\n", "w.txt"))
    assert '1 word has no picture and will be printed as a word: "hont" in row 2. Did you mean "hond"?' in one
    assert '"rabbti" may be "rabbit"' in remarks(split_list("elephent, rabbti, spidre, tractr, cstle, pencls"))
    for people in ("Bram, Tess, Bea, Kars, Roos, Otto, Ann, Don", "Zoë, Sara, Liam, Mees, Kees, Emma, Julia, Mila"):
        assert not re.search("Did you mean| may be ", remarks(split_list(people)))


@pytest.mark.parametrize(
    ("language", "written", "key"),
    [
        ("nl", "de kers", "cherries"),
        ("nl", "druif", "grapes"),
        ("nl", "katten", "cat"),
        ("nl", "bananen", "banana"),
        ("fr", "la cerise", "cherries"),
        ("fr", "les chats", "cat"),
        ("fr", "chevaux", "horse"),
        ("de", "die Kirsche", "cherries"),
        ("de", "Äpfel", "apple"),
        ("de", "Hunde", "dog"),
        ("en", "cherry", "cherries"),
        ("en", "foxes", "fox"),
        ("es", "la cereza", "cherries"),
        ("es", "leones", "lion"),
        ("pt", "a cereja", "cherries"),
        ("pt", "leões", "lion"),
        ("it", "la ciliegia", "cherries"),
        ("it", "gatti", "cat"),
    ],
)
def test_one_and_many_are_one_picture(language: str, written: str, key: str) -> None:
    """Where the lexicon has only the other; the name stays, and it is told."""
    found = split_list(f"{written}, ⭐, 🔑, 🚀, ⚓, 🎈, 🚲", [language])
    symbol = themed(found).symbols[0]
    assert f'"{written}" was taken for' in remarks(found)
    assert (symbol.id, symbol.names[language]) == (key, written)


def test_articles_of_most_names_make_a_theme_with_articles() -> None:
    """All names print alike: with the lexicon's articles, and with their own where it has none."""
    theme = themed(split_list("de appel, de druif, de kers, de peer, de klomp, het ei, banaan", ["nl"]))
    assert theme.article
    shown = [name_symbol(theme, i, "nl") for i in range(len(theme.symbols))]
    assert shown == ["de appel", "de druif", "de kers", "de peer", "de klomp", "het ei", "de banaan"]


def test_single_articles_are_left_out() -> None:
    """Of words of the lexicon, others, and those of pictures; names of people keep what looks like one."""
    theme = themed(split_list("appel, de klomp, de kers, peer, banaan, ei, De Wit, L'Oréal", ["nl"]))
    assert not theme.article
    assert names(theme, "nl") == ["appel", "klomp", "kers", "peer", "banaan", "ei", "De Wit", "L’Oréal"]
    french = themed(split_list("L’orange, Le chat, chien, soleil, lune, maison, La Paz", ["fr"]))
    assert names(french, "fr") == ["orange", "chat", "chien", "soleil", "lune", "maison", "La Paz"]


def test_a_list_in_two_languages_is_offered_a_lesson(run: Run) -> None:
    """The line to switch on is in the theme, and it works."""
    Path("words.csv").write_text(PAIRS, encoding="utf-8")
    done = run("new", "lesson", "--from", "words.csv")
    assert f"For a language lesson: remove the # before faces: in {Path('lesson/theme.yaml')}" in done.stderr
    text = Path("lesson/theme.yaml").read_text(encoding="utf-8")
    Path("lesson/theme.yaml").write_text(text.replace("# faces: ", "faces: "), encoding="utf-8")
    faces = read_theme(Path("lesson/theme.yaml")).symbols[0].faces
    assert [face.language for face in faces] == ["nl", "fr"]
    assert "language lesson" not in run("new", "plain", "--from", SIX).stderr


# --- lists as teachers keep them


def test_several_languages_are_all_kept_and_the_words_are_of_the_one_that_knows_them() -> None:
    """Whatever their order; one list of Dutch words becomes a deck in Dutch and French."""
    for codes in (["nl", "fr"], ["fr", "nl"]):
        found = split_list("hond, kat, boom, huis, fiets, boot", codes)
        assert list(found.languages) == codes
        assert names(themed(found), "fr")[0] == "chien"
    assert listed("nl;emoji\nkat;🐱\nhond;🐶\nzon;☀️\nmaan;🌙\nhuis;🏠\nboom;🌳\n", "w.csv", "nl", "fr").languages == (
        "nl",
        "fr",
    )


@pytest.mark.parametrize("asked", [["--lang", "nl", "--lang", "fr"], ["--lang", "nl,fr"], ["--lang", "[nl, fr]"]])
def test_several_languages_are_asked_for_in_any_way(run: Run, asked: list[str]) -> None:
    """Also in the brackets of a theme file."""
    assert run("new", "x", "--from", "hond, kat, boom, huis, fiets, boot", *asked).returncode == ExitCode.OK
    assert "\nlanguages: [nl, fr]\n" in Path("x/theme.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("heading", ["", "nr;woord\n", "#;\n"])
def test_numbers_that_count_the_rows_are_no_words(heading: str) -> None:
    """And tell no language: the rules are in that of the words."""
    words = ["hond", "kat", "boom", "huis", "fiets", "boot"]
    found = listed(heading + "".join(f"{i};{word}\n" for i, word in enumerate(words, 1)))
    assert (found.languages, found.remarks) == (("nl",), ())
    assert names(themed(found), "nl") == words


def test_numbers_beside_names_tell_no_language() -> None:
    """Those that do not count the rows are words; the names beside them say which language the rules are in."""
    found = listed("7;hond\n3;kat\n9;boom\n1;huis\n5;fiets\n8;boot\n")
    assert (found.languages, "English" in remarks(found)) == (("nl",), False)


@pytest.mark.parametrize("heading", ["lidwoord;woord\n", "", "Thema dieren\nlidwoord;woord\n", "artikel;nl\n"])
def test_a_column_of_articles_belongs_to_the_words(heading: str) -> None:
    """With a heading or without; the deck then prints them."""
    found = listed(heading + "de;hond\nhet;paard\nde;koe\nde;vis\nhet;schaap\nde;vogel\n")
    assert (found.article, found.languages) == (True, ("nl",))
    assert [symbol.full_names["nl"] for symbol in themed(found).symbols][:2] == ["de hond", "het paard"]


@pytest.mark.parametrize("title", ["Woordenlijst groep 4\n", "Dieren in het bos\n\n", "Thema: dieren\n"])
def test_a_title_above_the_words_is_no_word(title: str) -> None:
    """It says that it is one, or an empty row follows; it is told."""
    found = listed(f"{title}hond\nkat\nboom\nhuis\nfiets\nboot\n")
    assert (len(found.entries), "was taken for a title" in remarks(found)) == (6, True)


def test_a_first_word_that_only_looks_like_a_title_stays() -> None:
    """A known word, or one of several groups with empty rows between them."""
    assert len(listed("hond\n\nkat\nboom\nhuis\nfiets\nboot\n").entries) == 6
    assert len(listed("Fluppie\n\nkat\nboom\n\nhuis\nfiets\nboot\n").entries) == 6


def test_a_dash_without_a_blank_is_no_part_of_a_known_word() -> None:
    """But of an ending that is to be learnt."""
    assert names(themed(split_list(f"{SIX}, -cow, -ness")), "en")[-2:] == ["cow", "-ness"]


def test_words_that_no_card_shows_are_named_at_once(run: Run) -> None:
    """A child should not look for its own card in vain."""
    told = run("new", "x", "--from", f"{SIX}, fish, bee").stderr
    assert 'warning: 1 symbol is on no card: "bee". Add more, leave some out, or let fill: complete the deck.' in told


def test_sums_are_told_apart_from_words_where_advice_differs(run: Run) -> None:
    """The lexicon has no sums to complete a deck with; and a sum without its answer is nobody's lesson in answers."""
    sums = "3x4, 2x7, 5x6, 6x7, 7x8, 8x9, 9x9, 9x10"
    told = run("new", "x", "--lang", "en", "--from", sums).stderr
    assert (
        "8 sums: every card shows the sum itself. For the answer on another card write both, such as 3 × 4 = 12" in told
    )
    assert '"9 × 10". Add more, or leave some out.' in told


def test_a_wrong_answer_is_told_when_the_theme_is_written() -> None:
    """It would be learned by heart."""
    made = write_new_theme("sums", "3x4 = 12, 2x7 = 14, 5x6 = 30, 6x7 = 43, 7x8 = 56, 8x9 = 72, 9x9 = 81", ["en"])
    told = [str(each) for each in made.remarks]
    assert '"6 × 7" and "43" are faces of one symbol, but not equal (6 × 7 = 42). Change one of them.' in told


# --- how files are saved


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_encodings_separators_and_line_ends_do_not_matter(encoding: str, separator: str, ending: str) -> None:
    """The same list every time."""
    saved = TABLE.replace(";", separator).replace("\n", ending).encode(encoding)
    assert names(read(saved), "de") == names(read(TABLE), "de")


def test_the_windows_encoding_is_read_and_doubted() -> None:
    """Accents may be wrong if it was another one."""
    found = listed(TABLE.replace("🧙", "").encode("cp1252"))
    assert "was read as Windows-1252" in remarks(found)
    assert found.entries[5].picture == ("text", "Rübezahl")


def test_emoji_that_were_lost_in_saving_are_told() -> None:
    """Old encodings write a question mark."""
    text = message_of(TABLE.replace("🧙", "??"))
    assert text.startswith("words.csv:7: the emoji was lost when the list was saved.")


def test_excels_own_separator_line_is_obeyed() -> None:
    """Even against what the rows look like."""
    assert len(listed("sep=;\nword;text\na, b;\nc, d;\ne, f;\ng, h;\ni, j;\nk, l;\n").entries) == 6


def test_quoted_cells_may_hold_separators_quotes_and_line_breaks() -> None:
    """As Excel writes them."""
    theme = read('word;fr\ncat;"le ""chat"";\nsiamois"\ndog;\nsun;\n\n;;\nmoon;\nhouse;\ntree;\n')
    assert names(theme, "fr")[0] == 'le "chat"; siamois'


def test_a_quotation_mark_that_is_never_closed_is_a_fault() -> None:
    """Else it would swallow the rest of the list."""
    text = message_of('word;fr\ncat;chat\ndog;"chien\nsun;\nmoon;\nhouse;\ntree;\n')
    assert text.startswith("words.csv:3: a cell starts with a quotation mark that is never closed")


def test_commas_inside_words_do_not_make_columns() -> None:
    """What most rows have counts."""
    assert find_separator("cat\ndog, big\nsun\n") == "\t"
    assert find_separator("a;b, c\nd;e\nf;g\n") == ";"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("x.xls", "x.xls is an old Excel file. .*xlsx"),
        ("x.ods", "spreadsheet. .*xlsx"),
        ("x.numbers", "Excel or CSV"),
        ("x.docx", "word processor. .*xlsx"),
        ("x.pdf", "PDF. .*xlsx"),
        ("x.png", "is a picture. Give the folder"),
        ("x.yaml", "is a theme already"),
    ],
)
def test_files_of_other_programs_are_refused_with_what_to_do(name: str, hint: str) -> None:
    """Whatever is in them."""
    assert re.search(hint, message_of(b"", name))


def test_a_thousand_rows_do_not_take_for_ever() -> None:
    """As many as a theme can have, in two languages."""
    start = time.process_time()
    found = listed("nl;fr\n" + "\n".join(f"woord {i};mot {i}" for i in range(1000)))
    assert len(found.entries) == 1000
    assert time.process_time() - start < ENDLESS_S


def test_bullets_before_words_are_no_part_of_them() -> None:
    """As in lists copied from a document."""
    assert names(read("- cat\n- dog\n• sun\n* moon\n– house\ntree\n", "w.txt"), "en")[:3] == ["cat", "dog", "sun"]


def test_indonesian_names_are_no_ids() -> None:
    """Its code is also a key."""
    theme = read("Indonesian;emoji\nkucing;🐱\nanjing;🐶\nsapi;🐮\nbabi;🐷\nkuda;🐴\nayam;🐔\n")
    assert (theme.languages, names(theme, "id")[0]) == (("id",), "kucing")


@pytest.mark.parametrize("content", [b"\xd0\xcf\x11\xe0abc", b"PK\x03\x04abc", b"a\0b", b"\x81\x8d\xff"])
def test_files_that_are_something_else_are_refused(content: bytes) -> None:
    """Old Excel, a broken archive, no text at all, an unknown encoding."""
    assert message_of(content).startswith(("words.csv is", "the letters of words.csv"))


def test_empty_and_endless_lists_are_refused() -> None:
    """No rows, only headings, too many rows."""
    assert message_of("").startswith("the list holds no words")
    assert message_of("word;fr\n").startswith("the list holds no words")
    assert "more than 1000 rows" in message_of("\n".join(f"w{i}" for i in range(1100)))


# --- workbooks


def test_a_workbook_of_libreoffice_and_its_csv_give_the_same_theme() -> None:
    """Titles, merged and empty cells, a formula, a number, an empty first sheet, and a second one that is named."""
    from_xlsx, from_csv = read_list(DATA / "woorden.xlsx"), read_list(DATA / "woorden.csv")
    assert from_xlsx.entries == from_csv.entries
    theme = themed(from_xlsx)
    assert theme.languages == ("nl", "fr")
    assert names(theme, "nl")[6:9] == ["zeilboot", "12", "boterham"]
    assert names(theme, "fr")[1] == "chien"
    assert 'only the sheet "Woorden" was read, not "Later"' in remarks(from_xlsx)
    assert '1 word has no picture and will be printed as a word: "klompen" in row 14' in remarks(from_xlsx)


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (12.0, "General", "12"),
        (0.1 + 0.2, "General", "0.3"),
        (2.5, "0.00", "2.50"),
        (0.5, "0%", "50%"),
        (True, "General", "TRUE"),
        (None, "General", ""),
        (dt.datetime(2026, 3, 5), "dd/mm/yyyy", "05/03/2026"),
        (dt.datetime(2026, 3, 5), "mm-dd-yy", "2026-03-05"),
        (dt.datetime(2026, 3, 5), "d mmm", "2026-03-05"),
        (dt.time(9, 30), "h:mm", "09:30"),
    ],
)
def test_cells_are_shown_as_people_see_them(value: object, number_format: str, shown: str) -> None:
    """Numbers without needless zeros, dates as their format says where that is clear."""
    assert show_cell(value, number_format) == shown


def test_dates_are_doubted_with_their_row() -> None:
    """Excel makes a date of 1/2."""
    words = [("cat",), ("dog",), ("sun",), ("moon",), ("house",), (dt.datetime(2026, 2, 1),)]
    found = listed(workbook(*words, A6="d/m/yyyy"), "w.xlsx")
    assert 'w.xlsx:6: "1/2/2026" is a date or a time.' in remarks(found)


def test_formulas_without_a_result_and_errors_are_faults() -> None:
    """Nothing is lost silently; all are told."""
    words = [("word",), ("cat",), ('=CONCATENATE("d","og")',), ("#REF!",), ("sun",), ("moon",), ("house",), ("tree",)]
    text = message_of(workbook(*words), "w.xlsx")
    assert "w.xlsx:3: a cell holds a formula that was never worked out" in text
    assert "w.xlsx:4: a cell shows the error #REF!" in text


def test_an_archive_that_grows_out_of_proportion_is_refused() -> None:
    """Its sizes are added up before anything is unpacked."""
    data = io.BytesIO(workbook(("cat",)))
    with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/bomb.xml", b"0" * (40 << 20))
    assert message_of(data.getvalue(), "w.xlsx").startswith("w.xlsx is far too large when unpacked")


@pytest.mark.parametrize(
    ("part", "packing", "words"),
    [
        ("xl/bomb.bin", zipfile.ZIP_DEFLATED, "is far too large when unpacked"),
        ("xl/bomb.bin", zipfile.ZIP_BZIP2, "is packed in a way that spreadsheet programs do not use"),
        ("xl/bomb.xml", zipfile.ZIP_LZMA, "is packed in a way that spreadsheet programs do not use"),
    ],
)
def test_every_part_of_an_archive_counts_and_must_be_packed_as_usual(part: str, packing: int, words: str) -> None:
    """A workbook itself says which of its parts hold what, whatever they are called."""
    data = io.BytesIO(workbook(("cat",)))
    with zipfile.ZipFile(data, "a", packing) as archive:
        archive.writestr(part, b"0" * (31 << 20))
    assert words in message_of(data.getvalue(), "w.xlsx")


def test_a_text_that_fills_many_cells_is_refused() -> None:
    """It stands in the file only once."""
    rows = [("x" * 30_000,) * 10] * 30
    assert message_of(workbook(*rows), "w.xlsx").startswith("w.xlsx holds far too much text")


def test_sheets_that_are_not_used_are_not_read_through() -> None:
    """What is wrong on the second one is nobody's trouble, but that it holds something is told."""
    from openpyxl import Workbook

    book, data = Workbook(), io.BytesIO()
    for word in SIX.split(", "):
        book.active.append([word])
    other = book.create_sheet("Sums")
    other.append(["sum"])
    other.append(["#REF!"])
    book.save(data)
    assert 'only the sheet "Sheet" was read, not "Sums"' in remarks(listed(data.getvalue(), "w.xlsx"))


def test_a_broken_workbook_is_a_fault() -> None:
    """Whatever the library says about it; also one that declares entities."""
    whole = workbook(("cat",))
    for part, content in {
        "xl/workbook.xml": b"<x",
        "xl/worksheets/sheet1.xml": b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    }.items():
        data = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(data, "w") as new:
            for item in old.namelist():
                new.writestr(item, content if item == part else old.read(item))
        assert "cannot be read as an Excel file" in message_of(data.getvalue(), "w.xlsx")


def test_a_document_with_the_ending_of_a_workbook_is_told_apart() -> None:
    """By what is inside."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    assert "is a document of a word processor" in message_of(data.getvalue(), "w.xlsx")


# --- the command


def test_a_spreadsheet_becomes_a_deck(run: Run, tmp_path: Path) -> None:
    """From a list to cards in three commands; the deck arithmetic and the words without picture are told."""
    for ending in ("csv", "xlsx"):
        shutil.copy(DATA / f"woorden.{ending}", tmp_path)
        done = run("new", f"from-{ending}", "--from", f"woorden.{ending}")
        assert done.returncode == ExitCode.OK, done.stderr
        assert done.stdout.splitlines()[0] == str(Path(f"from-{ending}/theme.yaml"))
        assert "13 symbols: 13 cards of 4, a full deck; one fewer would give 9 cards of 4" in done.stderr
        assert '1 word has no picture and will be printed as a word: "klompen"' in done.stderr
    checked = run("check", "from-csv", "from-xlsx")
    assert [line.partition(": ")[2] for line in checked.stdout.splitlines()] == 2 * [
        "13 symbols: 13 cards of 4, a full deck; one fewer would give 9 cards of 4; 8 more would give 21 cards of 5."
    ]
    built = run("build", "from-xlsx", "--quality", "draft", "--no-booklet", "--no-legend")
    assert built.returncode == ExitCode.OK, built.stderr


def test_an_earlier_theme_is_never_overwritten() -> None:
    """Neither in a folder of its own nor beside the list."""
    write_new_theme("zoo", SIX)
    with pytest.raises(OutputError, match="exists already"):
        write_new_theme("zoo", SIX)


def test_a_list_with_pictures_gets_its_theme_beside_them() -> None:
    """Where their paths are right; the words beside them draw themselves."""
    from PIL import Image

    Path("class").mkdir()
    Image.new("RGB", (300, 300), (200, 90, 20)).save("class/tom.png")
    Path("class/list.csv").write_text("picture,en\ntom.png,Tom\n,cat\n,dog\n,sun\n,moon\n,house\n,tree\n")
    made = write_new_theme("us", "class/list.csv")
    assert made.paths[0] == Path("class/us.yaml")
    assert made.advice.endswith("dobble-print check class/us.yaml")
    assert names(read_theme(made.paths[0]), "en")[:2] == ["Tom", "cat"]


def test_faults_of_a_list_name_file_and_row(run: Run, tmp_path: Path) -> None:
    """And nothing is written."""
    (tmp_path / "w.csv").write_text("word;emoji\ncat;\ndog;xx\nsun;\nmoon;\nhouse;\ntree;\n")
    done = run("new", "w", "--from", "w.csv")
    assert done.returncode == ExitCode.THEME
    assert done.stderr.startswith('w.csv:3: emoji: "xx" is not one emoji.')
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize("heading", ["dibujo", "desenho", "disegno", "tekening", "rysunek", "Zeichnung", "dessin"])
def test_a_column_of_pictures_may_be_called_so_in_any_language(heading: str) -> None:
    """As a teacher heads it in the first row of a spreadsheet."""
    found = listed(f"{heading};nome\n🐱;Tom\n🐶;Rex\n🐟;Bill\n🌞;Sol\n🌙;Lua\n🏠;Casa\n🌳;Pino\n")
    assert "was not read" not in remarks(found)
    assert [entry.picture[0] for entry in found.entries] == ["emoji"] * 7
