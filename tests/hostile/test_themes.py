"""Bad theme files: structure that multiplies or nests, encodings, characters that hide, names that never end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.harness import MOST_INPUT_BYTES, Case, run_cases, with_symbol

MANY = MOST_INPUT_BYTES - 100
STEPS = list(zip("abcdefgh", "bcdefghi", strict=True))
ZALGO = "".join(chr(0x300 + number) for number in range(70))

STRUCTURE = [
    Case("alias bomb", "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in STEPS), 3, "marks a", 1),
    Case("merge bomb", "a: {k: v}\n<<: {b: c}\nsymbols: [🐱]\n", 3, "merges another place", 2),
    Case("deep brackets", "[" * MANY, 3, "levels deep", 1),
    Case("deep braces", "{a: " * (MANY // 4), 3, "levels deep", 1),
    Case("deep dashes", "- " * (MANY // 2), 3, "levels deep", 1),
    Case("deep questions", "? " * (MANY // 2), 3, "levels deep", 1),
    Case("deep indents", "\n".join(" " * depth + "a:" for depth in range(400)), 3, "levels deep", 13),
    Case("many keys", "".join(f"key{number}: v\n" for number in range(7000)), 3, "unknown key", 1),
    Case("same key", "title: b\n" * 5000, 3, "stands here twice", 2),
    Case("many symbols", "symbols:\n" + "- a\n" * 15_000, 3, "more", 202),
    Case("python tag", "title: !!python/object/apply:os.system [id]\n", 3, "YAML tag", 1),
    Case("two themes", "title: a\n---\ntitle: b\n", 3, "second theme", 2),
    Case("list as key", "? [a, b]\n: c\n", 3, "single word", 1),
    Case("only a list", "- a\n- b\n", 3, "starts with a key", 1),
    Case("a number for a list", "title: a\nsymbols: 57\n", 3, "symbols", 2),
    Case("a map for a list", "title: a\nsymbols: {a: b}\n", 3, "symbols", 2),
    Case("nested lists", with_symbol("[[[[[a]]]]]"), 3, "cannot be a list"),
    Case("nothing in it", "", 3, "empty", 1),
    Case("only comments", "#" * MANY, 3, "empty", 1),
    Case("open quote", 'title: "' + "a" * 1000, 3, "never closed", 1),
    Case("tabs", "title: a\nsymbols:\n\t- 🐱\n", 3, "tab", 3),
    Case("infinite size", with_symbol("⛵", "card: {size: .inf}"), 3, "not a number", 1),
    Case("huge seed", with_symbol("⛵", f"deck: {{seed: {'9' * 5000}}}"), 3, "not a whole number", 1),
    Case("number with spaces", with_symbol("⛵", "card: {size: 8 5}"), 3, "not a number", 1),
]

FLOODS = [
    Case(f"a flood of U+{ord(sign):04X}", sign * MANY, 3, words, 1)
    for sign, words in (
        ("&", "cannot start"),
        ("%", "cannot start"),
        ("|", "cannot start"),
        ("\t", "tab"),
        ("-", "a key"),
    )
]
NUMBERS = [
    Case(f"a size of {text[:8]}", with_symbol("⛵", f"card: {{size: {text}}}"), 3, "not a number", 1)
    for text in ("1:25", "0x55", "8.5e1", "1e999999999", "1_0")
]

CHARACTERS = [
    Case("a zero byte", b"title: a\0b\nsymbols: [a]\n", 3, "invisible character (U+0000)", 1),
    Case("latin letters", "title: café\n".encode("latin-1"), 3, "not UTF-8", 1),
    Case("two bytes a letter", "title: a\n".encode("utf-16"), 3, "UTF-16", 1),
    Case("a rich text", b"{\\rtf1\\ansi title}", 3, "word processor", 1),
    Case("a zip file", b"PK\x03\x04\x14\0\0\0", 3, "word processor", 1),
    Case("random bytes", bytes(range(256)) * 20, 3, "UTF-16", 1),
    Case("half a surrogate pair", with_symbol('{text: "\\ud800"}'), 3, "U+D800"),
    Case("bell", with_symbol('{text: "a\\x07"}'), 3, "U+0007"),
    Case("escape sequence", with_symbol('{emoji: ⛵, en: "\\e[2J"}'), 3, "U+001B"),
    Case("reading backwards", with_symbol('{emoji: ⛵, en: "a\u202ebc"}'), 3, "direction of reading"),
    Case("isolates", with_symbol('{emoji: ⛵, en: "a\\u2067bc"}'), 3, "direction of reading"),
    Case("endless name", with_symbol(f"{{emoji: ⛵, en: {'x' * 10_000}}}"), 3, "10000 characters"),
    Case("endless title", with_symbol("⛵", f"title: {'x' * 10_000}"), 3, "10000 characters", 1),
    Case("endless text", with_symbol(f"{{text: {'x' * 10_000}}}"), 3, "10000 characters"),
    Case("endless emoji", with_symbol("🐱" * 5000), 3, "🐱"),
    Case("joined emoji", with_symbol("{emoji: " + "\u200d".join("🐱" * 20) + "}"), 3, "not one emoji"),
    Case("a flood of accents", with_symbol(f'{{emoji: ⛵, en: "a{ZALGO}"}}'), 3, "accents"),
    Case("accents in a text", with_symbol(f'{{text: "a{ZALGO[:20]}"}}'), 3, "accents"),
    Case("a name of spaces", with_symbol('{emoji: ⛵, en: "   "}'), 3, "empty"),
    Case("a name of nothing visible", with_symbol('{emoji: ⛵, en: "\\u200b\\u2060"}'), 3, "nothing visible"),
    Case("a name of blank letters", with_symbol('{emoji: ⛵, en: "\\u3164\\u115f"}'), 3, "nothing visible"),
    Case("a blank sign", with_symbol('{text: "\\u2800"}'), 3, "nothing visible"),
    Case("a soft hyphen", with_symbol('{text: "\\u00ad"}'), 3, "nothing visible"),
    Case("an annotation", with_symbol('{text: "\\ufff9a\\ufffab\\ufffb"}'), 3, "U+FFF9"),
    Case("a forgotten sign", with_symbol('{text: "a\\u206a"}'), 3, "U+206A"),
    Case("circles around a letter", with_symbol('{text: "a' + "\\u20dd" * 9 + '"}'), 3, "accents"),
    Case("overlong bytes", b"title: \xc0\xaf\n", 3, "not UTF-8", 1),
    Case("a line of another kind", "title: a\u2028symbols: [a]\n", 3, "U+2028", 1),
    Case("tag letters", with_symbol('{text: "\\U000e0041\\U000e0042"}'), 3, "nothing visible"),
    Case("a private letter", with_symbol('{text: "\\ue000"}'), 4, "U+E000"),
    Case("a letter of no font", with_symbol('{text: "𒀀"}'), 4, "U+12000"),
]


@pytest.mark.parametrize("command", ["build", "check"])
def test_structure_is_refused(tmp_path: Path, command: str) -> None:
    """Nothing multiplies, nests or runs: each is a fault with its line."""
    run_cases([*STRUCTURE, *FLOODS, *NUMBERS], tmp_path, command)


def test_characters_are_refused(tmp_path: Path) -> None:
    """What hides, reorders, floods or cannot be printed is a fault with its line."""
    run_cases(CHARACTERS, tmp_path)
