"""Hostile and broken YAML: every file gives a tree or a fault with its place, quickly, in words for a teacher."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dobble_print.errors import ThemeError
from dobble_print.resources import read_table
from dobble_print.theme import source
from dobble_print.theme.source import ListNode, MapNode, parse_tree, read_tree
from tests.trees import simplify

PARSERS = [pytest.param(yaml.CSafeLoader, id="c"), pytest.param(yaml.SafeLoader, id="pure")]

# Words of the parser that would tell a teacher nothing.
JARGON = ("scanning", "token", "block", "scalar", "mapping", "sequence", "flow", "node", "stream", "anchor", "alias")


@pytest.fixture(params=PARSERS)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read with PyYAML's C parser, then with its pure Python one."""
    monkeypatch.setattr(source, "_LOADER", request.param)


def fault_of(text: str) -> str:
    """The one fault of a text that leaves no tree."""
    with pytest.raises(ThemeError) as caught:
        parse_tree(text, "theme.yaml")
    (fault,) = caught.value.faults
    return str(fault)


def fault_of_bytes(data: bytes, folder: Path) -> str:
    """The one fault of a file that leaves no tree."""
    path = folder / "theme.yaml"
    path.write_bytes(data)
    with pytest.raises(ThemeError) as caught:
        read_tree(path, "theme.yaml")
    return str(caught.value)


@pytest.mark.usefixtures("parser")
def test_scalars_stay_the_text_that_was_written() -> None:
    """Nothing becomes a number, a truth value or nothing."""
    tree, faults = parse_tree("no: 010\nyes: [1e3, 0x1F, 12:30, null, ~, 2024-01-01, .inf]\n", "theme.yaml")
    assert simplify(tree) == {"no": "010", "yes": ["1e3", "0x1F", "12:30", "null", "~", "2024-01-01", ".inf"]}
    assert faults == []


@pytest.mark.usefixtures("parser")
def test_nodes_know_their_line_and_column() -> None:
    """Lines and columns count characters from 1, also behind an emoji."""
    tree, _ = parse_tree("a: 1\nb:\n  - {⚓: é, c: d}\n", "theme.yaml")
    assert isinstance(tree, MapNode)
    places = {key.text: str(key.place) for key, _ in tree.entries}
    assert places == {"a": "theme.yaml:1:1", "b": "theme.yaml:2:1"}
    outer = tree.entries[1][1]
    assert isinstance(outer, ListNode)
    (inner,) = outer.items
    assert isinstance(inner, MapNode)
    assert [str(value.place) for _, value in inner.entries] == ["theme.yaml:3:9", "theme.yaml:3:15"]


@pytest.mark.usefixtures("parser")
def test_duplicate_keys_are_faults_and_the_first_one_counts() -> None:
    """Both lines are named."""
    tree, faults = parse_tree("a: 1\nb: 2\na: 3\n", "theme.yaml")
    assert simplify(tree) == {"a": "1", "b": "2"}
    assert [str(fault) for fault in faults] == ['theme.yaml:3:1: "a" stands here twice. It is already on line 1.']


@pytest.mark.usefixtures("parser")
def test_merge_keys_are_faults() -> None:
    """`<<` is refused even without an alias."""
    _, faults = parse_tree("a:\n  <<: {b: c}\n", "theme.yaml")
    assert [str(fault) for fault in faults] == [
        'theme.yaml:2:3: "<<" merges another place into this one. Write it out.'
    ]


SYNTAX = {
    "a: 1\n\tb: 2\n": "2:1: a tab stands in the indentation. Use spaces: two for each step to the right.",
    'a: "open\nb: 2\n': "1:4: the quote that opens here is never closed. Add the same quote at the end of the text.",
    "a: it's: b\n": "1:8: a second colon stands in this line. If it belongs to the text, put the whole text in quotes.",
    "a: [1, 2\nb: 3\n": '1:4: the list that opens here with "[" is not complete. '
    'Look for a missing comma, or a missing "]" at the end.',
    "a: {b: 1\n": '1:4: the list that opens here with "{" is not complete. '
    'Look for a missing comma, or a missing "}" at the end.',
    "card: {rim: #123456, size: 85}\n": '1:13: everything after # is a comment. Put the colour in quotes: "#123456".',
    "a: @b\n": '1:4: a text cannot start with "@". Put it in quotes.',
    "a: `b\n": '1:4: a text cannot start with "`". Put it in quotes.',
    "- *️⃣\n": '1:4: a text cannot start with "*". Put it in quotes.',
    "a: *b\n": '1:4: *b refers to another place. Write it out, or put it in quotes if you mean the sign "*".',
    "a: &b c\n": '1:4: &b marks a place. Leave it out, or put it in quotes if you mean the sign "&".',
    "a: !!python/name:os.system x\n": '1:4: "tag:yaml.org,2002:python/name:os.system" is a YAML tag. '
    'Leave it out, or put the text in quotes if you mean the sign "!".',
    'a: "art\\cat.png"\n': "1:8: a backslash in double quotes starts a special sign. Write / in paths, or use '…'.",
    "a: 1\n b: 2\n": "2:2: this line does not line up with the ones above. "
    "Lines that belong together start in the same column; indent with two spaces.",
    "a: {b: ?}\n": "1:8: a bracket, a comma or a question mark stands where none can be. "
    "If it belongs to the text, put the whole text in quotes.",
    "a:\n  - b\n c: d\n": "3:2: this line does not line up with the ones above. "
    "Lines that belong together start in the same column; indent with two spaces.",
    "title\nsymbols:\n  - kat\n": "1:1: this line has no colon after its key. Write it as key: value.",
    "a: {text: b: c}\n": "1:12: a second colon stands in this line. "
    "If it belongs to the text, put the whole text in quotes.",
    "title: x\nlanguages: [nl]\nsymbols\n  - kat\n  - hond\n": "3:1: this line has no colon after its key. "
    "Write it as key: value.",
    "a: 1\nb\nc: 2\n": "2:1: this line has no colon after its key. Write it as key: value.",
    "title:Zoo\nlanguages: [nl]\n": '1:1: no space stands after the colon of "title". '
    "Put a space after the colon: title: Zoo.",
    "title:Zoo\n\n# note\npurpose:x\nlanguages: [nl]\n": '1:1: no space stands after the colon of "title". '
    "Put a space after the colon: title: Zoo.",
    "title: Zoo\nlanguages:[nl]\nsymbols: [a]\n": '2:1: no space stands after the colon of "languages". '
    "Put a space after the colon: languages: [nl].",
    "a: 1\ntitle:Zoo\n": '2:1: no space stands after the colon of "title". Put a space after the colon: title: Zoo.',
    "a:\n  - nl:aap\n    text: x\n": '2:5: no space stands after the colon of "nl". '
    "Put a space after the colon: nl: aap.",
    "a: 1\nhttp://x\nb: 2\n": "2:1: this line has no colon after its key. Write it as key: value.",
    "symbols:\n  - image: art/juf.jpg, nl: juf\n": "2:27: a second colon stands in this line. "
    "Put { } around the keys of one symbol: {image: art/juf.jpg, nl: juf}.",
    "symbols:\n  - nl: juf, text: J\n": "2:18: a second colon stands in this line. "
    "Put { } around the keys of one symbol: {nl: juf, text: J}.",
    "symbols:\n  - note: a, b: c\n": "2:15: a second colon stands in this line. "
    "If it belongs to the text, put the whole text in quotes.",
    "a: 1\n---\nb: 2\n": '2:1: a second theme starts here, after "---". Put each theme in a file of its own.',
    "? [a, b]\n: c\n": "1:3: a key must be a single word. Check the brackets and question marks.",
    'a: "\\0"\n': "1:4: an invisible character (U+0000) stands here. Remove it.",
    'a: "\\x07"\n': "1:4: an invisible character (U+0007) stands here. Remove it.",
    "": "1:1: the file is empty. `dobble-print new` writes one to start from.",
    "# nothing\n": "1:1: the file is empty. `dobble-print new` writes one to start from.",
}


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("text", SYNTAX)
def test_broken_syntax_is_explained_at_its_place(text: str) -> None:
    """Both parsers lead to the same words."""
    assert fault_of(text) == f"theme.yaml:{SYNTAX[text]}"


ENCODINGS = {
    "é".encode("latin-1"): "theme.yaml:1:1: this letter is not UTF-8.",
    "a: b\nnaam: café\n".encode("latin-1"): "theme.yaml:2:10: this letter is not UTF-8.",
    "a: b\n".encode("utf-16"): "theme.yaml:1:1: the file is not UTF-8 but looks like UTF-16.",
    "a: b\n".encode("utf-16-le"): "theme.yaml:1:1: the file is not UTF-8 but looks like UTF-16.",
    "a: b\n".encode("utf-16-be"): "theme.yaml:1:1: the file is not UTF-8 but looks like UTF-16.",
}


@pytest.mark.parametrize("data", ENCODINGS)
def test_another_encoding_is_named_with_its_place(data: bytes, tmp_path: Path) -> None:
    """The hint says how to save the file."""
    hint = 'In your editor choose "Save as" with the encoding UTF-8.'
    assert fault_of_bytes(data, tmp_path) == f"{ENCODINGS[data]} {hint}"


@pytest.mark.parametrize("start", [b"{\\rtf1\\ansi", b"PK\x03\x04\x14\x00", b"\xd0\xcf\x11\xe0"])
def test_a_word_processor_s_document_is_told_from_text(start: bytes, tmp_path: Path) -> None:
    """The hint says how to save it."""
    message = fault_of_bytes(start, tmp_path)
    assert message.startswith("theme.yaml:1:1: the file is a document of a word processor, not plain text. ")
    assert "plain text (.txt)" in message


@pytest.mark.parametrize("code", [0x00, 0x08, 0x1B, 0x7F, 0x85, 0x9B, 0x2028, 0xFFFF])
def test_an_invisible_character_is_named_with_its_place(code: int, tmp_path: Path) -> None:
    """Control characters and line breaks that no editor counts."""
    expected = f"theme.yaml:2:4: an invisible character (U+{code:04X}) stands here. Remove it."
    assert fault_of_bytes(f"a: b\nc: {chr(code)}".encode(), tmp_path) == expected


def test_a_byte_order_mark_and_foreign_line_ends_are_fine(tmp_path: Path) -> None:
    """Windows and old Macs write them."""
    path = tmp_path / "theme.yaml"
    path.write_bytes("\ufeffa: b\r\nc: d\re: f\n".encode())
    tree, _ = read_tree(path, "theme.yaml")
    assert simplify(tree) == {"a": "b", "c": "d", "e": "f"}


def test_spaces_copied_from_a_web_page_are_spaces(tmp_path: Path) -> None:
    """A non-breaking space looks like any other."""
    path = tmp_path / "theme.yaml"
    path.write_text("a:\n\u00a0\u00a0b:\u00a0c\n", encoding="utf-8")
    assert simplify(read_tree(path, "theme.yaml")[0]) == {"a": {"b": "c"}}


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    """The size is capped before anything is parsed."""
    message = fault_of_bytes(b"a" * (source.MOST_BYTES + 1), tmp_path)
    assert message == "theme.yaml is larger than 1024 KB. A theme is a short text file."


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    """So is a pipe or a device: nothing to wait for."""
    with pytest.raises(ThemeError, match="themes is not a file"):
        read_tree(tmp_path, "themes")


STEPS = list(zip("abcdefgh", "bcdefghi", strict=True))
ALIAS_BOMB = "a: &a [x, x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}, *{a}]\n" for a, b in STEPS)
MERGE_BOMB = "a: &a {k: v}\n" + "".join(f"{b}: &{b} {{<<: [*{a}, *{a}]}}\n" for a, b in STEPS)
MEGABYTE = 1_000_000

HOSTILE = {
    "alias bomb": ALIAS_BOMB,
    "merge bomb": MERGE_BOMB,
    "deep brackets": "[" * MEGABYTE,
    "deep braces": "{a: " * (MEGABYTE // 4),
    "deep dashes": "- " * (MEGABYTE // 2),
    "deep questions": "? " * (MEGABYTE // 2),
    "deep indents": "\n".join(" " * depth + "a:" for depth in range(1400)),
    "many keys": "".join(f"k{number}: v\n" for number in range(90_000)),
    "same key": "a: b\n" * (MEGABYTE // 5),
    "many commas": "[" + "," * MEGABYTE,
    "quotes": '"' * MEGABYTE,
    "percent": "%" * MEGABYTE,
    "tabs": "\t" * MEGABYTE,
    "colons": ":" * MEGABYTE,
    "comment": "#" * MEGABYTE,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_at_once(name: str) -> None:
    """Nothing multiplies, recurses or is read to its end."""
    start = time.process_time()
    message = fault_of(HOSTILE[name])
    assert time.process_time() - start < 5  # an expansion would take for ever
    assert len(message) < 250 and not any(word in message for word in JARGON)


@pytest.mark.parametrize("name", ["alias bomb", "merge bomb", "deep brackets", "deep dashes", "deep indents"])
def test_the_pure_parser_is_as_safe(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machines without the C parser keep the same caps."""
    monkeypatch.setattr(source, "_LOADER", yaml.SafeLoader)
    start = time.process_time()
    fault_of(HOSTILE[name])
    assert time.process_time() - start < 0.9


def test_nesting_as_deep_as_allowed_is_read() -> None:
    """The cap is exact."""
    depth = source.MOST_DEPTH
    tree, _ = parse_tree("[" * depth + "]" * depth, "theme.yaml")
    assert str(simplify(tree)) == "[" * depth + "]" * depth
    assert "levels deep" in fault_of("[" * (depth + 1) + "]" * (depth + 1))


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.text(alphabet=":-?[]{},#&*!|>'\"%@` \n\tab<~\\")))
def test_any_text_gives_a_tree_or_a_fault_in_plain_words(text: str) -> None:
    """No other exception, and none of the parser's vocabulary."""
    try:
        parse_tree(text, "theme.yaml")
    except ThemeError as error:
        (fault,) = error.faults
        assert fault.place is not None and fault.place.line >= 1
        assert not any(word in fault.what + fault.hint for word in JARGON)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_a_tree_or_a_fault(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Whatever is on the disk."""
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_bytes(data)
    try:
        read_tree(path, "any.yaml")
    except ThemeError as error:
        assert str(error)


def test_a_table_is_rows_of_named_texts() -> None:
    """Our own templates go through the same reader."""
    assert read_table("papers.yaml")["A4"]["width"] == "210"
