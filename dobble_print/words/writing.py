"""How words are written: what is an emoji, how languages write numbers and apostrophes, alphabetical order."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from dobble_print.resources import read_table
from dobble_print.words.languages import find_row

_VARIANTS = re.compile("[\ufe0e\ufe0f]")
_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_KEYCAP = re.compile("[0-9#*]\ufe0f?\u20e3")
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_REGION_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
_ELEMENT = re.compile("(.)[\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?\ufe0f?")
_LONGEST = 32  # a family of four with skin tones takes 11 characters
# Emoji that Unicode files under punctuation, letters or mathematics rather than "other symbols".
_OTHER_BASES = frozenset("‼⁉ℹ↔⤴⤵◽◾〰")


def is_emoji(text: str) -> bool:
    """Return whether the text is exactly one emoji: simple, keycap, flag, or several joined into one."""
    if len(text) > _LONGEST:
        return False
    if _KEYCAP.fullmatch(text) or _FLAG.fullmatch(text) or _REGION_FLAG.fullmatch(text):
        return True
    elements = [_ELEMENT.fullmatch(part) for part in text.split("\u200d")]
    return all(element and _is_base(element[1]) for element in elements)


def starts_with_emoji(text: str) -> bool:
    """Return whether an emoji stands at the start, so that the text was probably meant as one or several."""
    return bool(text) and (_is_base(text[0]) or bool(_KEYCAP.match(text) or _FLAG.match(text)))


def strip_variants(text: str) -> str:
    """Return the emoji without the marks that only ask for colour or black and white: the same picture either way."""
    return _VARIANTS.sub("", text)


def strip_tones(text: str) -> str:
    """Return the emoji without skin tones: the same thing under the same name."""
    return _TONES.sub("", text)


def _is_base(char: str) -> bool:
    if "\U0001f1e6" <= char <= "\U0001f1ff":  # half a flag
        return False
    is_future = "\U0001f300" <= char <= "\U0001faff" and unicodedata.category(char) == "Cn"
    return unicodedata.category(char) == "So" or char in _OTHER_BASES or is_future


_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'|'(?=[^\W\d_])")  # 5' 30" are minutes and seconds


NOTATION = "notation.yaml"


def write_numbers(text: str, language: str) -> str:
    """Return a text with its numbers, written as in English, as this language writes them; no language, no change."""
    signs = find_row(NOTATION, language)
    if not signs:
        return text
    text = re.sub(r"(?<=[0-9])\.(?=[0-9])", signs["decimal"], text)
    text = re.sub(r"(?<=[0-9]) ?%", signs["percent"], text)
    return write_sums(text, language)


def write_sums(text: str, language: str) -> str:
    """Return a text with the signs of its sums, written as in English, as this language writes them."""
    signs = find_row(NOTATION, language)
    for sign in ("times", "divided") if signs else ():
        english = find_row(NOTATION, "en")[sign]
        text = re.sub(rf"(?<=[0-9)])( ?){english}( ?)(?=[0-9(])", rf"\1{signs[sign]}\2", text)
    return text


def set_apostrophes(text: str) -> str:
    """Return a text with the apostrophes of print: `l'ami` is `l’ami`, `'s avonds` is `’s avonds`."""
    return _APOSTROPHE.sub("’", text)


# Letters that Unicode does not take apart, and what they sort as where no language claims them.
SPELLED_OUT = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ß": "ss"}
LONGEST_LETTER = 3
Rank = tuple[str, int]
SortKey = tuple[tuple[Rank, ...], str, str]


def collate(name: str, language: str) -> SortKey:
    """Return a key that sorts a name where a dictionary of that language has it, and 2 × 6 before 10 × 6."""
    own = _own_letters(language.split("-")[0])
    folded = unicodedata.normalize("NFC", _lower(name, language))
    ranks: list[Rank] = []
    while folded:
        number = re.match("[0-9]+", folded)
        letter = next((folded[:n] for n in range(LONGEST_LETTER, 0, -1) if folded[:n] in own), "")
        if number:
            ranks.append(("0", int(number[0])))
        else:
            ranks += [own[letter]] if letter else [(char, 0) for char in _plain(folded[0])]
        folded = folded[number.end() if number else len(letter) or 1 :]
    return tuple(ranks), name.casefold(), name


def _lower(name: str, language: str) -> str:
    """Return small letters; in Turkish the small letter of I has no dot."""
    return (name.replace("I", "ı").replace("İ", "i") if language.startswith("tr") else name).lower()


def _plain(char: str) -> str:
    """Return a character without its accents, or nothing when it is neither letter nor digit nor space."""
    spelled = SPELLED_OUT.get(char, char)
    kept = [c for c in unicodedata.normalize("NFKD", spelled) if c.isalnum() or c.isspace()]
    return "".join(kept)


@cache
def _own_letters(language: str) -> dict[str, Rank]:
    """Return the letters that a language sorts after another one: where they go, and in what order."""
    groups = read_table("collation.yaml").get(language, {}).get("after", "")
    ranks: dict[str, Rank] = {}
    for group in filter(None, groups.split(",")):
        base, *letters = group.split()
        ranks |= {letter: (base, i) for i, letter in enumerate(letters, start=1)}
    return ranks
