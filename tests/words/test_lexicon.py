"""The lexicon: every word whole and well formed in eight languages, and found however a teacher writes it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from dobble_print.art.emoji import find_emoji
from dobble_print.errors import InvalidValue
from dobble_print.resources import find_template
from dobble_print.theme.kinds import WORD
from dobble_print.theme.reader import read_theme
from dobble_print.theme.source import MapNode, TextNode, parse_tree
from dobble_print.words import lexicon
from dobble_print.words.lexicon import (
    ARTICLES,
    GENDERS,
    REGIONAL,
    Name,
    Word,
    find_emoji_word,
    find_named,
    fold,
    groups,
    read_choices,
    read_name,
    words,
)
from dobble_print.words.reading import find_word, split_words
from dobble_print.words.writing import is_emoji, strip_variants
from tests.conftest import ROOT, Run

FEWEST_WORDS = 400
MOST_NAMES = 3

# Words that keep their capital in every language: names of places, feasts and peoples, and abbreviations.
PROPER = """T CD TV UFO WC PC C Christmas Noël Navidad Natale Natal Halloween Dia Bruxas Earth Terre Tierra Terra Ziemia
Milky Way Melkweg Voie Vía Láctea Via Lattea Droga Mleczna Statue Liberty Vrijheidsbeeld Liberté Estatua Libertad
Statua Libertà Estátua Liberdade Wolności American French Spaanse Russian Greek Griekse Ferris ID DNI Japanese Japanse
Easter Island Paaseilandbeeld Pâques Hindu Shinto Kaaba Kaäba Caaba Al Kaba Jolly Roger LIM ABC DNA ADN Petri Petriego
X Wi Fi April Inde India Befana Avent Adviento Avvento Advento Advent Father Santa Claus Kerstman Papá Babbo Pai Papai
Noel Święty Mikołaj Sinterklaas Sint Saint Nicholas Nicolas Nicolás Nicola São Nicolau Easter Pascua Pasqua Páscoa
SUV HGV MTB VTT BTT TIR Indias Paris Turks Mother Mrs Mamá Mamma Mãe Mamãe Mikołajowa Nicolò RG"""

PLAIN = ("actions", "colours", "numbers", "feelings")  # names without an article
ALL = list(words().values())
NAMES = [(word, code, name) for word in ALL for code in ARTICLES for name in word.names[code].all]


def show(found: list[tuple[Word, str, Name]]) -> list[str]:
    """Words that fail a check, readable."""
    return [f"{word.group}: {word.key}: {code}: {name.full}" for word, code, name in found]


def test_the_lexicon_is_large_and_says_so(record_property: Callable[[str, object], None]) -> None:
    """Its size, languages and checks stand in the test report."""
    synonyms, variants = len(NAMES) - len(ALL) * len(ARTICLES), sum(len(word.variants) for word in ALL)
    report = (
        f"{len(ALL)} words in {len(groups())} groups, {len(ALL) + variants} emoji, names in {len(ARTICLES)}"
        f" languages ({', '.join(ARTICLES)}) with {synonyms} synonyms; checked: all languages, articles and genders,"
        " capitals, drawings, no emoji and no name twice"
    )
    record_property("lexicon", report)
    assert len(ALL) >= FEWEST_WORDS


def test_no_table_has_a_key_twice() -> None:
    """Neither a word within its group nor a language within a word, nor a word in two groups."""
    keys: Counter[str] = Counter()
    for path in find_template(lexicon.FOLDER).glob("*.yaml"):
        tree, faults = parse_tree(path.read_text(encoding="utf-8"), path.name, most_nodes=1_000_000)
        assert faults == []
        keys.update(key.text for key, _ in getattr(tree, "entries", ()))
    assert [key for key, count in keys.items() if count > 1] == []
    assert len(keys) == len(ALL)


def test_every_group_has_words() -> None:
    """A file is a group; an empty one would be a mistake."""
    files = {path.stem for path in find_template(lexicon.FOLDER).iterdir()}
    assert set(groups()) == files >= {"animals", "food", "home", "school", "sport", "transport", "nature", "weather"}
    assert min(Counter(word.group for word in ALL).values()) >= 5


def test_every_word_has_a_name_in_all_eight_languages() -> None:
    """In the order of the table."""
    assert [word.key for word in ALL if tuple(word.names) != (*ARTICLES, *REGIONAL)] == []
    assert tuple(ARTICLES) == ("en", "nl", "fr", "de", "es", "it", "pt", "pl")


def test_the_key_is_the_first_english_name() -> None:
    """In small letters."""
    assert [word.key for word in ALL if word.key.split(" (")[0] != word.names["en"].text.lower()] == []


WITHOUT_ARTICLE = {("father christmas", "es"), ("mother christmas", "es"), ("sinterklaas", "es")}


def test_every_name_has_the_article_or_gender_of_its_language() -> None:
    """English has neither, Polish a gender, the others an article; actions, colours, numbers and feelings have none.

    Nor have the people of Christmas in Spanish.
    """
    assert show([row for row in NAMES if row[0].group in PLAIN and (row[2].article or row[2].gender)]) == []
    wrong = [
        (word, code, name)
        for word, code, name in NAMES
        if word.group not in PLAIN
        and (word.key, code) not in WITHOUT_ARTICLE
        and (
            (name.article in ARTICLES[code] if ARTICLES[code] else name.article == "") is False
            or (name.gender in GENDERS) is not (code == "pl")
        )
    ]
    assert show(wrong) == []


VOWELS = tuple("aàâæeéèêëiîïoôœuûù")
HARD = ("z", "gn", "ps", "pn", "x", "y", "champ", *(f"s{c}" for c in "bcdfghklmnpqrtvz"))  # Italian sounds after `lo`


def test_elided_articles_stand_before_a_vowel() -> None:
    """`l'` before a vowel or a mute h, and no other article of the singular before a vowel."""
    singular = [row for row in NAMES if row[2].article in ("l'", "le", "la", "il", "lo") and row[1] in ("fr", "it")]
    singular = [row for row in singular if (row[1], row[2].article) != ("it", "le")]
    elided = [row for row in singular if row[2].article == "l'"]
    assert show([row for row in elided if not row[2].text.lower().startswith((*VOWELS, "h", "y"))]) == []
    others = [row for row in singular if row not in elided and row[2].text != "iena"]  # its i is half a consonant
    assert show([row for row in others if row[2].text.lower().startswith(VOWELS)]) == []


def test_italian_articles_follow_the_sound_of_the_noun() -> None:
    """`lo` and `gli` before s and a consonant, z, gn, ps, x and y; `il` and `i` before the others."""
    italian = [row for row in NAMES if row[1] == "it"]
    soft = [row for row in italian if row[2].article in ("il", "i")]
    hard = [row for row in italian if row[2].article in ("lo", "gli")]
    assert show([row for row in soft if row[2].text.lower().startswith((*HARD, *VOWELS))]) == []
    assert show([row for row in hard if not row[2].text.lower().startswith((*HARD, *VOWELS))]) == []


def test_german_nouns_have_a_capital() -> None:
    """Adjectives before them have none: `der grüne Tee`."""
    german = [row for row in NAMES if row[1] == "de" and row[0].group not in PLAIN]
    assert show([row for row in german if not any(part[:1].isupper() for part in row[2].text.split())]) == []


def test_other_names_have_no_capital() -> None:
    """But for proper names and abbreviations."""
    others = [(word, code, name) for word, code, name in NAMES if code != "de"]
    parts = {id(name): name.text.replace("-", " ").replace("'", " ").split() for _, _, name in others}
    assert (
        show([row for row in others if any(p[0].isupper() and p not in PROPER.split() for p in parts[id(row[2])])])
        == []
    )


def test_names_are_clean_text() -> None:
    """Single spaces, no brackets or digits, and what an editor takes for a word."""
    stray = set('{}[]()#,;:./\\"’0123456789')
    wrong = [row for row in NAMES if stray & set(row[2].text) or row[2].text != " ".join(row[2].text.split())]
    assert show(wrong) == []
    assert "[^./\\\\0-9]" in WORD.schema()["anyOf"][1]["pattern"]


def test_a_thing_has_few_names_and_each_once() -> None:
    """What players would shout, not what a dictionary lists."""
    firsts = [(word, code, first) for word in ALL for code, first in word.names.items()]
    assert show([row for row in firsts if len(row[2].printed) > MOST_NAMES]) == []
    assert show([row for row in firsts if len({name.full for name in row[2].all}) < len(row[2].all)]) == []
    assert show([row for row in firsts if len({name.text for name in row[2].printed}) < len(row[2].printed)]) == []


def test_a_german_adjective_ends_as_it_must() -> None:
    """Behind its article and without; both are understood."""
    name = read_name("de", "der abnehmende Mond")
    assert (name.text, name.full) == ("abnehmender Mond", "der abnehmende Mond")
    assert read_name("de", "das offene Schloss").text == "offenes Schloss"
    assert read_name("de", "die offene Tür").text == "offene Tür"
    written = ("abnehmender Mond", "abnehmende Mond", "der abnehmende Mond")
    assert {word.key for text in written for word in find_named(text, "de")} == {"waning moon"}


@pytest.mark.parametrize("code", ARTICLES)
def test_words_that_share_a_printed_name_are_listed_as_choices(code: str) -> None:
    """With the commonest first; what is only understood goes to the word that it stands first with."""
    owners: dict[str, set[str]] = {}
    for word in ALL:
        for name in word.names[code].printed:
            owners.setdefault(fold(name.text), set()).add(word.key)
    shared = {text: keys for text, keys in owners.items() if len(keys) > 1}
    assert {text: keys for text, keys in shared.items() if not keys <= set(read_choices(code).get(text, ()))} == {}


@pytest.mark.parametrize("code", ARTICLES)
def test_choices_name_words_that_are_called_so(code: str) -> None:
    """The first of them is what the name stands for."""
    for text, keys in read_choices(code).items():
        found = [word.key for word in find_named(text, code)]
        assert set(keys) <= set(found), text
        assert found[0] == keys[0], text


def test_every_emoji_and_variant_has_a_drawing() -> None:
    """A word that cannot be drawn is no use."""
    chars = [char for word in ALL for char in (word.emoji, *word.variants) if char]
    assert [word.key for word in ALL if bool(word.emoji) is bool(word.drawing)] == []
    assert [char for char in chars if not is_emoji(char) or not find_emoji(char)] == []


def test_no_emoji_stands_for_two_words() -> None:
    """Whatever its variation selectors."""
    chars = Counter(strip_variants(char) for word in ALL for char in (word.emoji, *word.variants) if char)
    assert [char for char, count in chars.items() if count > 1] == []


def test_names_are_read_with_article_gender_and_synonyms() -> None:
    """`full` puts them together again."""
    assert read_name("nl", "de kat / de poes") == Name("kat", "de", synonyms=(Name("poes", "de"),))
    assert read_name("pl", "świnka morska (f)") == Name("świnka morska", gender="f")
    assert read_name("fr", "l'éléphant") == Name("éléphant", "l'")
    full = [read_name(code, text).full for code, text in {"fr": "l'ours", "de": "der Hund", "en": "cat"}.items()]
    assert full == ["l'ours", "der Hund", "cat"]
    assert read_name("pl", "kot (m)").full == "kot"


WRITTEN = {
    "cat": "cat",
    "Cat": "cat",
    "kitty": "cat",
    "der Hund": "dog",
    "HUND": "dog",
    "de kat": "cat",
    "l'éléphant": "elephant",
    "L’éléphant": "elephant",
    "l' éléphant": "elephant",
    "éléphant": "elephant",
    "polar_bear": "polar bear",
    "Polar-Bear": "polar bear",
    "słońce": "sun",
    "oeuf": "egg",
    "l'oeil": "eye",
}


@pytest.mark.parametrize("written", WRITTEN)
def test_a_word_is_found_however_it_is_written(written: str) -> None:
    """In any case, in any language, with or without its article."""
    assert find_word(written).key == WRITTEN[written]


def test_english_counts_first_where_it_is_one_of_the_languages() -> None:
    """A boot is a boot beside Dutch names too, where the same letters mean a boat."""
    assert find_word("boot", ("en", "nl")).key == "boot"
    assert all(find_word(word.key, tuple(ARTICLES)) is word for word in ALL)


def test_the_theme_s_languages_come_before_english() -> None:
    """In a Dutch theme `boot` is a boat, and in a German one `hut` is a hat, whatever the capitals."""
    assert find_word("boot", ("nl", "fr")).key == "sailing boat"
    assert [find_word(text, ("de",)).key for text in ("Hut", "hut", "der Hut")] == ["hat"] * 3
    assert find_word("umbrella", ("nl", "fr")).key == "umbrella"


FOREIGN = {
    ("kot", "nl"): '"kot" is no word in Dutch or English here; in Polish it is cat 🐱',
    ("kat", "cs"): '"kat" is no word in English here; in Dutch it is cat 🐱',
}


INSTEAD = {"nl": "kat", "cs": "cat"}


@pytest.mark.parametrize(("written", "code"), FOREIGN)
def test_a_word_is_never_read_in_a_language_that_is_not_listed(written: str, code: str) -> None:
    """It is told what it means there, and how to say that here."""
    with pytest.raises(InvalidValue) as caught:
        find_word(written, (code,))
    assert caught.value.what == FOREIGN[written, code]
    assert caught.value.hint.endswith(f'Write "{INSTEAD[code]}" for {caught.value.what[-1]}.')


def test_a_region_reads_words_of_its_language() -> None:
    """Brazilian Portuguese is Portuguese."""
    assert find_word("cão", ("pt-BR",)).key == "dog"


SHIPPED = [path for pattern in ("*.yaml", "*/theme.yaml") for path in sorted((ROOT / "themes").glob(pattern))]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(ROOT / "themes")))
def test_english_words_of_shipped_themes_mean_what_they_say(path: Path) -> None:
    """No language of the theme turns one into another thing."""
    tree, _ = parse_tree(path.read_text(encoding="utf-8"), path.name)
    items = getattr(tree.get("symbols") if isinstance(tree, MapNode) else None, "items", ())
    nodes = [item.get("word") if isinstance(item, MapNode) else item for item in items]
    english = [node.text for node in nodes if isinstance(node, TextNode) and node.text in words()]
    languages = read_theme(path).languages
    assert items and [text for text in english if find_word(text, languages).key != text] == []


def test_every_name_finds_its_word_in_its_language() -> None:
    """Whatever it means in another, English too; of words that share a name, as one of them."""
    assert show([row for row in NAMES if row[0] not in find_named(row[2].text, row[1])]) == []
    firsts = [(word, code, word.names[code]) for word in ALL for code in ARTICLES]
    own = [row for row in firsts if fold(row[2].text) not in read_choices(row[1])]
    assert show([row for row in own if find_word(row[2].text, (row[1],)) is not row[0]]) == []


def test_the_theme_s_languages_decide_what_a_word_means() -> None:
    """Spanish donkeys are Italian butter."""
    assert (find_word("burro", ("it",)).key, find_word("burro", ("es", "it")).key) == ("butter", "donkey")


def test_a_word_of_two_meanings_names_both() -> None:
    """The English words tell them apart, or the language."""
    with pytest.raises(InvalidValue) as caught:
        find_word("burro")
    assert caught.value.what == '"burro" can be donkey 🫏 or butter 🧈'
    hint = 'Write the English word: "donkey" or "butter"; or add your language: languages: [es].'
    assert caught.value.hint == hint


def test_words_without_their_comma_are_told_apart() -> None:
    """The longest that are known, and only if all are."""
    assert split_words("ice cream kat hond", ("nl",)) == ["ice cream", "kat", "hond"]
    assert split_words("kat qqqq", ("nl",)) == split_words("kat", ("nl",)) == []


def test_variants_and_skin_tones_find_the_same_word() -> None:
    """☀ with and without its invisible mark, too."""
    found = [find_emoji_word(char) for char in ("🐱", "🐈", "☀", "☀️", "👍🏽", "🔶")]
    assert [word.key if word else None for word in found] == ["cat", "cat", "sun", "sun", "thumb", None]


def test_a_theme_without_words_and_emoji_reads_no_lexicon(tmp_path: Path) -> None:
    """Whoever brings all the pictures does not wait for ours."""
    path = tmp_path / "theme.yaml"
    path.write_text(
        "languages: [nl]\nsymbols: [{text: A}, {text: B}, {text: C}, {text: D}, {text: E}, {text: F}]\n",
        encoding="utf-8",
    )
    before = words.cache_info()
    read_theme(path)
    assert words.cache_info() == before


def test_list_words_shows_a_group_in_columns(run: Run) -> None:
    """With the articles, in the languages asked for."""
    lines = run("list", "words", "--group", "animals", "--lang", "nl,de").stdout.splitlines()
    assert len(lines) == sum(word.group == "animals" for word in ALL)
    assert lines[0].split() == ["🐱", "cat", "animals", "de", "kat", "die", "Katze"]
    assert len({line.index("animals") - len(line.split()[0]) for line in lines if line[0] != " "}) == 1


def test_list_words_shows_every_language_when_none_is_asked_for(run: Run) -> None:
    """After the English word."""
    first = run("list", "words", "--group", "animals").stdout.splitlines()[0]
    assert first.endswith("de kat, le chat, die Katze, el gato, il gatto, o gato, kot")


def test_list_words_gives_everything_as_json(run: Run) -> None:
    """Variants, genders and synonyms too."""
    rows = json.loads(run("list", "words", "--json").stdout)
    assert len(rows) == len(ALL)
    cat = next(row for row in rows if row["word"] == "cat")
    assert (cat["emoji"], cat["group"], list(cat["names"])) == ("🐱", "animals", list(ARTICLES))
    assert cat["names"]["nl"] == {
        "name": "kat",
        "article": "de",
        "gender": "",
        "synonyms": ["de poes"],
        "understood": [],
    }
    assert "🐈" in cat["variants"]


LIST_FAULTS: dict[tuple[str, ...], str] = {
    ("words", "--group", "anmals"): '--group: there is no group "anmals". Did you mean "animals"? The groups are',
    ("words", "--lang", "cs"): '--lang: the lexicon has no words in "Czech". It has en, nl, fr, de, es, it, pt, pl.',
    ("papers", "--lang", "nl"): "--lang goes with words and themes alone. Leave it out.",
    ("themes", "--group", "food"): "--group goes with words alone. Leave it out.",
}


@pytest.mark.parametrize("arguments", LIST_FAULTS)
def test_list_refuses_what_it_cannot_list(run: Run, arguments: tuple[str, ...]) -> None:
    """With the exit code of a wrong command line."""
    done = run("list", *arguments)
    assert done.returncode == 2
    assert LIST_FAULTS[arguments] in " ".join(done.stderr.split())


def test_the_tables_say_what_they_hold() -> None:
    """The first line of each is a comment."""
    tables = [path.read_text(encoding="utf-8") for path in find_template(lexicon.FOLDER).glob("*.yaml")]
    assert all(text.startswith("# ") and text.endswith("\n") for text in tables)


def test_the_words_travel_with_the_program() -> None:
    """They stand in the folder that is packaged."""
    assert find_template(lexicon.FOLDER) == Path(find_template("papers.yaml")).parent / "lexicon"
