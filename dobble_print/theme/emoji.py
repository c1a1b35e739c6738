"""Is this text an emoji? Decided by its shape, as Unicode defines emoji sequences.

Invariant: only the shape counts here; whether there is a picture for it is the artwork's question.
"""

from __future__ import annotations

import re
import unicodedata

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
    """Whether the text is exactly one emoji: simple, keycap, flag, or several joined into one."""
    if len(text) > _LONGEST:
        return False
    if _KEYCAP.fullmatch(text) or _FLAG.fullmatch(text) or _REGION_FLAG.fullmatch(text):
        return True
    elements = [_ELEMENT.fullmatch(part) for part in text.split("\u200d")]
    return all(element and _is_base(element[1]) for element in elements)


def starts_with_emoji(text: str) -> bool:
    """Whether an emoji stands at the start, so that the text was probably meant as one or several."""
    return bool(text) and (_is_base(text[0]) or bool(_KEYCAP.match(text) or _FLAG.match(text)))


def strip_variants(text: str) -> str:
    """The emoji without the marks that only ask for colour or black and white: the same picture either way."""
    return _VARIANTS.sub("", text)


def strip_tones(text: str) -> str:
    """The emoji without skin tones: the same thing under the same name."""
    return _TONES.sub("", text)


def _is_base(char: str) -> bool:
    if "\U0001f1e6" <= char <= "\U0001f1ff":  # half a flag
        return False
    is_future = "\U0001f300" <= char <= "\U0001faff" and unicodedata.category(char) == "Cn"
    return unicodedata.category(char) == "So" or char in _OTHER_BASES or is_future
