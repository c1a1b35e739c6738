"""The JSON Schema of a theme: valid itself, accepts what the reader accepts, refuses the typos the reader refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from dobble_print.importing.starter import starter_theme
from dobble_print.resources import shipped_themes
from dobble_print.theme.json_schema import theme_schema, write_schema
from dobble_print.theme.options import SECTIONS, SYMBOLS, THEME
from dobble_print.theme.reader import examine_theme
from dobble_print.theme.source import ListNode, Node, TextNode, parse_tree
from tools.theme_reference import theme_page

SYMBOLS_TEXT = "symbols: [🐱, 🐶, 🐟, 🐴, 🐮, 🐷]\n"


@pytest.fixture(autouse=True)
def inside_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with one picture."""
    monkeypatch.chdir(tmp_path)
    Path("boat.svg").touch()


def as_editor_sees(node: Node) -> Any:
    """The tree with the types that an editor's YAML 1.2 gives its values."""
    if isinstance(node, TextNode):
        if node.quoted:
            return node.text
        if node.empty:
            return None
        if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", node.text):
            return json.loads(node.text.lstrip("0") or "0")
        return {"true": True, "false": False}.get(node.text, node.text)
    if isinstance(node, ListNode):
        return [as_editor_sees(item) for item in node.items]
    return {key.text: as_editor_sees(value) for key, value in node.entries}


def schema_accepts(text: str) -> bool:
    """Whether an editor would be content."""
    return bool(Draft7Validator(theme_schema()).is_valid(as_editor_sees(parse_tree(text, "theme.yaml")[0])))


def reader_accepts(text: str) -> bool:
    """Whether the reader is content."""
    Path("theme.yaml").write_text(text, encoding="utf-8")
    return not examine_theme(Path("theme.yaml"))[1]


def test_the_schema_is_a_valid_schema() -> None:
    """Of draft 7, and written as JSON."""
    Draft7Validator.check_schema(theme_schema())
    assert json.loads(write_schema()) == theme_schema()


def test_the_starter_and_the_shipped_themes_are_valid() -> None:
    """Editors are content with what we hand out."""
    texts = [starter_theme("Harbour"), *(path.read_text(encoding="utf-8") for path in shipped_themes().values())]
    assert all(map(schema_accepts, texts))


GOOD = [
    "languages: [nl]\nfill: animals\nsymbols: [🐱, 🐶]\n",
    "title: {en: Harbour, pt-BR: Porto, no: Havn}\n" + SYMBOLS_TEXT,
    "symbols: [cow, pig, cat, Der Hund, fish, {word: ice cream, nl: ijsje, scale: 1.2, rotation: upright, id: ice}]\n",
    "deck: {levels: [3, 4]}\narticle: true\n" + SYMBOLS_TEXT,
    "deck: {levels: 3}\narticle: no\n" + SYMBOLS_TEXT,
    "symbols: [{text: FC, badge: '#c1121f'}, {text: SV, badge: [red, '#fff']}, 🐱, 🐴, 🐮, 🐷]\n",
    "languages: [nl]\nteams: {cards_each: 3, start_rim: red, colors: [{color: red, nl: rood}, {color: blue, nl: b}]}\n"
    + SYMBOLS_TEXT,
    "languages: []\nteams: {cards_each: 3, colors: [red, blue]}\n" + SYMBOLS_TEXT,
    "languages: [nl]\nspecials: [{symbol: cat, rule: Slap!}, {symbol: dog, rule: {nl: Sla!}}]\n" + SYMBOLS_TEXT,
    "specials: []\ncredits: One\nfootnotes: [One, Two]\nlicense: {en: One, nl: [One, Two]}\n" + SYMBOLS_TEXT,
    "symbols: [{image: boat.svg, names: Bo}, 🐱, 🐶, 🐴, 🐮, 🐷]\npurpose: {en: x, nl: y}\n",
    "title: 2024\npurpose: x\nlanguages: []\n" + SYMBOLS_TEXT,
    "deck: {symbols_per_card: auto, cards: 5, seed: 1}\n" + SYMBOLS_TEXT,
    "deck: {symbols_per_card: 3, cards: all}\n" + SYMBOLS_TEXT,
    "card: {shape: hex, size: 85 mm, corner: auto, rim: none, rim_width: '1,5', number: yes}\n" + SYMBOLS_TEXT,
    "card: {background: navy, rim: '#ABC', number: false}\n" + SYMBOLS_TEXT,
    "card:\ndeck:\n" + SYMBOLS_TEXT,
    "layout: {rotation: tilt, quality: best, gap: 1.5}\nsheet: {paper: SRA3, duplex: none, ruler: off}\n"
    + SYMBOLS_TEXT,
    "back: none\n" + SYMBOLS_TEXT,
    "back: {pattern: symbols, color: red}\n" + SYMBOLS_TEXT,
    "back: {image: boat.svg}\n" + SYMBOLS_TEXT,
    "symbols: [boat.svg, '#️⃣', {text: 12, scale: 1.2}, 🐴, 🐮, 🐷]\n",
    "symbols: [{image: boat.svg, background: remove, id: b, nl: boot}, 🐱, {text: A, color: red}, 🐴, 🐮, 🐷]\n",
    "symbols: [{text: A, names: {id: huruf}}, 🐱, 🐶, 🐴, 🐮, 🐷]\n",
    "languages: [nl, zh-Hant]\nsymbols: [{text: A}, {text: B}, {text: D}, {text: E}, {text: F},"
    " {emoji: 🐱, nl: kat, zh-Hant: 貓}]\n",
    "languages: nl\nsymbols: [{text: A}, {text: B}, {text: D}, {text: E}, {text: F}, {emoji: 🐱, nl: kat}]\n",
]


@pytest.mark.parametrize("text", GOOD)
def test_what_the_reader_accepts_the_schema_accepts(text: str) -> None:
    """No squiggle under a good theme."""
    assert reader_accepts(text)
    assert schema_accepts(text)


BAD = [
    "crad: {}\n" + SYMBOLS_TEXT,
    "title: x\n",
    "symbols: [🐱, 🐶]\n",
    "fill: animals\nsymbols: [🐱]\n",
    "symbols: 🐱\n",
    "title: [x]\n" + SYMBOLS_TEXT,
    "title: {xx: y}\n" + SYMBOLS_TEXT,
    "languages: [nll]\n" + SYMBOLS_TEXT,
    "languages: [nl, nl]\nsymbols: [{text: A}, {text: B}, {text: D}, {text: E}, {text: F}, {text: C}]\n",
    "deck: {symbols_per_card: 15}\n" + SYMBOLS_TEXT,
    "deck: {symbols_per_card: many}\n" + SYMBOLS_TEXT,
    "deck: {seed: 1.5}\n" + SYMBOLS_TEXT,
    "deck: {sed: 1}\n" + SYMBOLS_TEXT,
    "card: {size: 20}\n" + SYMBOLS_TEXT,
    "card: {size: 8.5 ft}\n" + SYMBOLS_TEXT,
    "card: {shape: rond}\n" + SYMBOLS_TEXT,
    "card: {rim: 1d3557}\n" + SYMBOLS_TEXT,
    "card: {rim: naavy}\n" + SYMBOLS_TEXT,
    "card: {background: none}\n" + SYMBOLS_TEXT,
    "card:\n  rim: #123456\n" + SYMBOLS_TEXT,
    "card: {number: maybe}\n" + SYMBOLS_TEXT,
    "card: round\n" + SYMBOLS_TEXT,
    "sheet: {paper: A44}\n" + SYMBOLS_TEXT,
    "back: {pattern: stars}\n" + SYMBOLS_TEXT,
    "back: {colour: red}\n" + SYMBOLS_TEXT,
    "symbols: [{word: 5}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{word: cat, emoji: 🐱}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{word: cat, badge: red}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{text: A, badge: [red, blue, green]}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{text: A, badge: rad}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "deck: {levels: [3, 4], cards: 7}\n" + SYMBOLS_TEXT,
    "deck: {levels: [3, 4], symbols_per_card: auto}\n" + SYMBOLS_TEXT,
    "deck: {levels: [3, 3]}\n" + SYMBOLS_TEXT,
    "deck: {levels: [3, 15]}\n" + SYMBOLS_TEXT,
    "article: maybe\n" + SYMBOLS_TEXT,
    "languages: []\nteams: {colors: [red, blue]}\n" + SYMBOLS_TEXT,
    "languages: []\nteams: {cards_each: 3}\n" + SYMBOLS_TEXT,
    "languages: []\nteams: {cards_each: 3, colors: [red]}\n" + SYMBOLS_TEXT,
    "languages: []\nteams: {cards_each: 3, colors: [red, {color: blue, nll: b}]}\n" + SYMBOLS_TEXT,
    "languages: []\nteams: {cards_each: 3, colors: [red, {}]}\n" + SYMBOLS_TEXT,
    "specials: [{symbol: cat}]\n" + SYMBOLS_TEXT,
    "specials: [cat]\n" + SYMBOLS_TEXT,
    "specials: {symbol: cat, rule: Slap!}\n" + SYMBOLS_TEXT,
    "credits: {xx: One}\n" + SYMBOLS_TEXT,
    "credits: ''\n" + SYMBOLS_TEXT,
    "symbols: [cat.gif, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [/cat.png, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [../cat.png, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: ['art\\cat.png', 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: ['https://x.org/cat.png', 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{emoij: 🐱}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{emoji: cat}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{nl: kat}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{emoji: 🐱, text: cat}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{emoji: 🐱, color: red}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{text: A, background: remove}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{emoji: 🐱, nll: kat}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{emoji: 🐱, names: [kat]}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{emoji: 🐱, scale: 9}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
    "symbols: [{emoji: 🐱, nl: ''}, 🐶, 🐟, 🐴, 🐮, 🐷]\n",
]


@pytest.mark.parametrize("text", BAD)
def test_what_the_reader_refuses_the_schema_refuses(text: str) -> None:
    """The editor shows the mistake before the program does."""
    assert not reader_accepts(text)
    assert not schema_accepts(text)


def test_every_key_is_explained() -> None:
    """What an editor shows beside a key."""
    properties = theme_schema()["properties"]
    assert all(properties[part.key]["description"] for part in THEME)
    assert properties["card"]["properties"]["size"]["default"] == 85
    assert "30 to 300 mm" in properties["card"]["properties"]["size"]["description"]


def test_every_default_is_a_value_the_schema_allows() -> None:
    """Completing a key writes a good value."""
    for section in SECTIONS:
        schema = theme_schema()["properties"][section.key]
        for key, value in schema.get("properties", {}).items():
            if "default" in value:
                assert Draft7Validator(value).is_valid(value["default"]), (section.key, key)


def test_the_reference_names_every_key() -> None:
    """One row a key, four columns each."""
    page = theme_page()
    keys = [f"`{section.key}.{field.key}`" for section in (*SECTIONS, SYMBOLS) for field in section.fields]
    keys += ["`teams.cards_each`", "`teams.colors`", "`teams.colors.color`", "`specials.rule`", "`credits`"]
    assert all(f"| {key} |" in page or f"| **{key}** |" in page for key in keys)
    assert {row.count("|") for row in page.splitlines() if row.startswith("|")} == {5}
