"""The theme file as the studio changes it: every step is a key that a person can read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from dobble_print.errors import DobbleError
from dobble_print.importing.starter import NewSymbol
from dobble_print.studio.document import Document
from dobble_print.theme.reader import examine_theme

BY_HAND = """\
# Our farm, made by hand.
title: Farm       # on the box
languages: [en, nl]

symbols:
  # those with four legs
  - cow
  - {word: pig, nl: big}   # the pink one
  - dog
  - cat
  - "horse"
  - sheep
  - {text: "3 × 4", id: sum}
card:
  size: 76        # for our punch
"""


def open_document(tmp_path: Path, text: str = BY_HAND) -> Document:
    """Return a theme as the studio opens it."""
    return Document(tmp_path / "theme.yaml", text)


def do(document: Document, **op: Any) -> str:
    """Do one change, and return the text."""
    document.apply([op])
    return document.text


def test_a_change_keeps_comments_order_and_quotes(tmp_path: Path) -> None:
    """What a person wrote stays as it is written, but for the line that changes."""
    text = do(open_document(tmp_path), op="set", id="pig", names={"en": "piglet"})
    expected = BY_HAND.replace("{word: pig, nl: big}", "{word: pig, nl: big, id: pig, en: piglet}")
    assert [line.split() for line in text.splitlines()] == [line.split() for line in expected.splitlines()]


def test_a_symbol_keeps_its_id_whatever_it_is_called_and_shows(tmp_path: Path) -> None:
    """Renamed, or with another picture, it is the same symbol."""
    document = open_document(tmp_path)
    do(document, op="set", id="cat", names={"en": "kitty"})
    do(document, op="set", id="cat", picture={"kind": "text", "text": "MEOW"})
    entry = document.reading.entries[3]
    assert entry.id == "cat" and entry.symbol and entry.symbol.id == "cat"
    assert "{text: MEOW, id: cat, en: kitty" in document.text


def test_words_are_added_as_a_person_writes_them(tmp_path: Path) -> None:
    """A word alone needs no braces; a picture has its id, as its name may change."""
    new = [NewSymbol(("word", "duck")), NewSymbol(("image", "pictures/tom.png"), {"en": "Tom", "nl": "Tom"})]
    (tmp_path / "pictures").mkdir()
    Image.new("RGB", (64, 64), "red").save(tmp_path / "pictures" / "tom.png")
    text = do(open_document(tmp_path), op="add", new=new, at=1)
    lines = [line.strip() for line in text.splitlines()]
    at = lines.index("- duck")
    assert lines[at + 1] == "- {image: pictures/tom.png, id: tom, en: Tom, nl: Tom}"
    assert examine_theme(tmp_path / "theme.yaml", text=text)[1] == []


def test_symbols_move_and_go(tmp_path: Path) -> None:
    """The list keeps the order that the page shows."""
    document = open_document(tmp_path)
    do(document, op="move", id="sheep", to=0)
    do(document, op="remove", ids=["pig", "dog"])
    assert [entry.id for entry in document.reading.entries] == ["sheep", "cow", "cat", "horse", "sum"]


def test_every_look_has_its_key(tmp_path: Path) -> None:
    """Looks and prints are keys of the theme; null takes one away, and its section when it is empty."""
    document = open_document(tmp_path)
    do(document, op="look", values={"card.shape": "hex", "deck.seed": 7, "faces": ["picture", "word:en"]})
    do(document, op="print", values={"profile": "school-a4", "sheet.low_ink": True})
    theme = document.reading.theme
    assert (theme.card.shape, theme.deck.seed, theme.sheet.low_ink) == ("hex", 7, True)
    assert theme.card.size_mm == 76 and "# for our punch" in document.text
    do(document, op="look", values={"deck.seed": None, "faces": None})
    do(document, op="print", values={"sheet.low_ink": None})
    assert "deck:" not in document.text and "sheet:" not in document.text and "faces" not in document.text


@pytest.mark.parametrize(
    "op",
    [
        {"op": "look", "values": {"card.shape": "star"}},
        {"op": "look", "values": {"card.size": -5}},
        {"op": "look", "values": {"nonsense": 1}},
        {"op": "look", "values": {"symbols": []}},
        {"op": "look", "values": {"sheet.paper": "A4"}},
        {"op": "print", "values": {"sheet.paper": "A99"}},
        {"op": "print", "values": {"profile": "../../etc/passwd"}},
        {"op": "set", "id": "nobody", "names": {"en": "x"}},
        {"op": "set", "id": "cat", "picture": {"kind": "file", "text": "x"}},
        {"op": "set", "id": "cat", "names": {"en": "a\u0000b"}},
        {"op": "keep", "ids": ["cat"], "remark": "nonsense"},
        {"op": "explode"},
    ],
)
def test_what_no_theme_can_hold_is_refused_and_changes_nothing(tmp_path: Path, op: dict[str, Any]) -> None:
    """The theme's own reader decides; the step before it is undone as well."""
    document = open_document(tmp_path)
    with pytest.raises(DobbleError) as refusal:
        document.apply([{"op": "remove", "ids": ["cow"]}, op])
    assert refusal.value.faults[0].what
    assert document.text == BY_HAND and len(document.reading.entries) == 7


def test_a_kept_remark_is_written_into_the_theme(tmp_path: Path) -> None:
    """Keep is remembered by the file, so whoever opens it next sees no remark either."""
    document = open_document(tmp_path)
    do(document, op="keep", ids=["cow", "dog"], remark="lookalike")
    assert document.reading.entries[0].kept == ("lookalike",)
    assert "keep: [lookalike]" in document.text


def test_added_words_carry_a_star_until_they_are_kept(tmp_path: Path) -> None:
    """The lexicon completes the deck with words of the group that most symbols are of."""
    document = open_document(tmp_path, BY_HAND + "deck: {symbols_per_card: auto}\n")
    do(document, op="remove", ids=["sum"])
    do(document, op="fill")
    added = document.reading.entries[6:]
    assert len(document.reading.entries) == 7 and added[0].written["filled"] is True
    do(document, op="keep", ids=[added[0].id], remark="filled")
    assert "filled" not in document.text


def test_as_many_words_are_added_as_are_asked_for(tmp_path: Path) -> None:
    """Whoever asks for eight gets eight; sums get none, in a sentence."""
    document = open_document(tmp_path)
    do(document, op="remove", ids=["sum"])
    do(document, op="fill", count=8)
    assert [entry.written.get("filled") for entry in document.reading.entries[6:]] == [True] * 8
    with pytest.raises(DobbleError, match="no words to add"):
        document.apply([{"op": "fill", "count": "x"}])


def test_symbols_can_be_joined(tmp_path: Path) -> None:
    """Two sums of one value become one symbol with two faces."""
    document = open_document(tmp_path)
    do(document, op="add", new=[NewSymbol(("text", "2 × 6"))])
    do(document, op="join", ids=["sum", document.reading.entries[-1].id])
    entry = next(entry for entry in document.reading.entries if entry.id == "sum")
    assert entry.kind == "faces" and entry.text == "3 × 4 = 2 × 6"


def test_a_title_by_language_gets_every_language(tmp_path: Path) -> None:
    """Adding a language to a theme whose title goes by language is no fault."""
    document = open_document(tmp_path, BY_HAND.replace("title: Farm ", "title: {en: Farm, nl: Boerderij} "))
    do(document, op="look", values={"languages": ["en", "nl", "fr"]})
    assert document.reading.theme.title["fr"] == "Farm"


def test_a_language_without_names_is_no_refusal(tmp_path: Path) -> None:
    """A photo has no French name yet: the page asks for it beside the photo."""
    (tmp_path / "pictures").mkdir()
    for name in "abcdef":
        Image.new("RGB", (64, 64), "red").save(tmp_path / "pictures" / f"{name}.png")
    photos = "".join(f"  - {{image: pictures/{name}.png, en: {name}}}\n" for name in "abcdef")
    document = open_document(tmp_path, f"title: Us\nlanguages: [en]\nsymbols:\n{photos}")
    do(document, op="look", values={"languages": ["en", "fr"]})
    assert document.reading.theme.languages == ("en", "fr") and not document.reading.faults
