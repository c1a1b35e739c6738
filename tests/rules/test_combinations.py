"""Every kind of deck in every language: whatever the rules are put together from, their type and grammar are right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dobble_print.dealing import deal_theme
from dobble_print.press.booklet.book import plan_booklet
from dobble_print.rules.rulebook import Rulebook, compose_rules
from dobble_print.rules.texts import read_rules
from dobble_print.theme.model import Theme
from dobble_print.theme.reader import read_theme
from dobble_print.words.plurals import find_category, list_categories, list_places
from tests.booklets import TEAMS, WHOLE, list_words, read_text, set_up

FOUR_TEAMS = (
    TEAMS.replace("13", "5")
    + """\
    - {color: "#f9c022", en: yellow, nl: geel, fr: jaune, de: gelb, es: amarillo, it: giallo, pt: amarelo, pl: żółty}
    - {color: "#222222", en: coal, nl: kool, fr: charbon, de: Kohle, es: carbón, it: carbone, pt: carvão, pl: węgiel}
"""
)
SPECIAL = "specials: [{symbol: cat, rule: Miaow.}%s]\n"
SUMS = [f'{{faces: ["{n} + 1", "{n + 1}"]}}' for n in range(1, 14)]
FRACTIONS = [f'{{faces: ["1/{n}", "{n}/{n * n}", "{100 / n:.1f} %"]}}' for n in range(2, 15)]
HALVES = "faces_by: card\n"
DECKS = {
    "plain": ("", list_words(31)),
    "with levels": ("deck: {levels: [3, 4, 6]}\n", list_words(31)),
    "with levels and faces": ("deck: {levels: [4, 6]}\nfaces: [picture, word:nl]\n", list_words(31)),
    "of pictures and words": ("faces: [picture, article:nl]\n", list_words(13)),
    "of two languages": ("faces: [word:nl, word:fr]\n", list_words(13)),
    "of pictures and two languages": ("faces: [picture, word:nl, word:fr]\n", list_words(13)),
    "of sums": ("", SUMS),
    "of fractions": ("", FRACTIONS),
    "in halves": (f"faces: [picture, word:nl]\n{HALVES}", list_words(13)),
    "in thirds, of languages": (f"faces: [word:nl, word:fr, word:de]\n{HALVES}", list_words(21)),
    "with two teams": (TEAMS + SPECIAL % "", list_words(31)),
    "with one start card": (TEAMS.replace("13", "15"), list_words(31)),
    "with four teams": (FOUR_TEAMS, list_words(31)),
    "with teams and faces": (f"{TEAMS}faces: [picture, word:nl]\n", list_words(31)),
    "too small for some games": (SPECIAL % ", {symbol: dog, rule: Woof.}", list_words(7)),
    "of few cards": ("deck: {symbols_per_card: 4, cards: 9}\n", list_words(13)),
}
QUOTES = {"en": "“”", "nl": "“”", "fr": "«»", "de": "„“", "es": "«»", "it": "“”", "pt": "“”", "pl": "„”"}
WRONG = {
    "a place that is not filled in": r"[{}|#]|=\d",
    "two spaces": r"[ \u00a0]{2}|^\s|\s$",
    "a straight quote or apostrophe": r"['\"]",
    "a number that a line may end after": r"(?<!\d{4})(?<=\d) (?=[^\W\d])",
    "a space before a sign": r"[ \u00a0][.,)]",
    "no space after a sign": r"[,;!?][^\W\d]",
}
WRONG_IN = {
    "fr": {"no narrow space at a sign": r"[^\u00a0][?!;»]|[^\u00a0]:(?!//)|«[^\u00a0]"},
    "pl": {"a word of one letter at the end of a line": r"(?i)\b[aiouwz] "},
}
WRONG_ELSEWHERE = {"a space at a sign, as only French has": r"[ \u00a0][?!;:]"}


@cache
def make_theme(folder: Path, deck: str) -> Theme:
    """A deck of a kind, in all languages of the rules."""
    head, symbols = DECKS[deck]
    path = folder / f"{deck.replace(' ', '-')}.yaml"
    rows = "".join(f"  - {symbol}\n" for symbol in symbols)
    path.write_text(f"languages: [{', '.join(WHOLE)}]\n{head}symbols:\n{rows}", encoding="utf-8")
    return read_theme(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the themes are written, once each."""
    return tmp_path_factory.mktemp("combinations")


@pytest.fixture(scope="module", params=DECKS)
def books(folder: Path, request: pytest.FixtureRequest) -> tuple[Rulebook, ...]:
    """The rules of a kind of deck in every language."""
    theme = make_theme(folder, request.param)
    return compose_rules(theme, deal_theme(theme), theme.languages)


def list_texts(node: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a rulebook, with where it stands; labels have places that pages fill in, and are not here."""
    if isinstance(node, str):
        yield where, node
    elif is_dataclass(node):
        for each in fields(node):
            if each.name not in ("key", "kind", "labels", "language", "caption"):
                yield from list_texts(getattr(node, each.name), f"{where}.{getattr(node, 'key', each.name)}")
    elif isinstance(node, tuple):
        for each in node:
            yield from list_texts(each, where)


def find_wrong(book: Rulebook) -> list[tuple[str, str]]:
    """Return what is wrong in a rulebook, with the text it is in."""
    language = book.language.split("-")[0]
    strange = "".join(set("“”„«»‟‹›") - set(QUOTES[language]))
    rules = WRONG | WRONG_IN.get(language, {}) | {"the quotes of another language": f"[{strange}]"}
    rules |= {} if language == "fr" else WRONG_ELSEWHERE
    texts = [text.replace("Spot it!", "Spot it") for _, text in list_texts(book) if text]
    found = [(what, text) for what, sign in rules.items() for text in texts if re.search(sign, text)]
    opening, closing = tuple(QUOTES[language])
    found += [("quotes that do not match", text) for text in texts if text.count(opening) != text.count(closing)]
    return found


@cache
def list_nouns(language: str) -> dict[str, set[str]]:
    """Return the forms of the nouns that the rules count, each with the categories of numbers it goes with."""
    categories, nouns = list_categories(language), dict[str, set[str]]()
    for _, text in walk(dict(read_rules(language).tree)):
        for forms in (forms for _, forms in list_places(text) if len(forms) == len(categories)):
            for category, form in zip(categories, forms if "#" not in "".join(forms) else (), strict=False):
                nouns.setdefault(form.split()[0], set()).add(category)
    return nouns


def walk(node: Any) -> Iterator[tuple[str, str]]:
    """Yield every text of a tree of texts."""
    for name, child in node.items() if isinstance(node, dict) else enumerate(node):
        yield from [(str(name), child)] if isinstance(child, str) else walk(child)


def find_miscounted(book: Rulebook) -> list[str]:
    """Return what stands in a number that does not go with its noun: `1 cards`, `22 kart`."""
    nouns, texts = list_nouns(book.language), " ".join(text for _, text in list_texts(book))
    counted = re.findall(r"(?<![\d/.,+–·:])\b(\d+)[ \u00a0]([^\W\d]+)", texts)
    return [
        f"{number} {noun}"
        for number, noun in counted
        if noun in nouns and find_category(int(number), book.language) not in nouns[noun]
    ]


def test_every_text_is_set_as_its_language_does(books: tuple[Rulebook, ...]) -> None:
    """No places left over, doubled spaces, straight quotes, or lines that end where they must not."""
    assert [book.language for book in books] == list(WHOLE)
    assert not [(book.language, *wrong) for book in books for wrong in find_wrong(book)]


def test_every_number_goes_with_its_noun(books: tuple[Rulebook, ...]) -> None:
    """Never "1 cards"."""
    assert not [(book.language, *wrong) for book in books if (wrong := find_miscounted(book))]


def test_wrong_texts_would_be_found(folder: Path) -> None:
    """Each rule finds what it is about."""
    theme = make_theme(folder, "plain")
    book = compose_rules(theme, deal_theme(theme), ["fr"])[0]
    for wrong in ("{left}", "a  b", "l'œil", "55 cartes", "un ,", "un,deux", "Vu ?", "“Vu”", "« Vu", "ici : là"):
        assert find_wrong(Rulebook("fr", wrong, {}, ())), wrong
    assert find_wrong(Rulebook("pl", "w domu", {}, ()))
    assert find_wrong(Rulebook("en", "So :", {}, ()))
    assert find_miscounted(Rulebook("pl", "22 symboli, 5 symboli, 1 symbol", {}, ())) == ["22 symboli"]
    assert find_miscounted(Rulebook("en", "1 cards, 2 cards", {}, ())) == ["1 cards"]
    assert len(list(list_texts(book))) > 100


def test_pages_show_what_the_rules_say(folder: Path) -> None:
    """Nothing is lost or left unfilled on the way to paper, in French and Polish."""
    setup = set_up(make_theme(folder, "of sums"))
    pages = " ".join(read_text(plan_booklet(setup.printer, setup.decks, setup.artworks, ["fr", "pl"]).draw()))
    assert not re.search(r"[{}]|['\"]|\b1 (?:cartes|karty|kart)\b", pages)
    bare = re.sub(r"\W+", "", pages)
    for book in compose_rules(setup.theme, setup.decks, ["fr", "pl"]):
        assert all(re.sub(r"\W+", "", section.title) in bare for section in book.sections)
