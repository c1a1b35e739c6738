"""The kinds of values that say how symbols show themselves: faces and fonts.

Invariant: what a word such as `article:de` means is read here alone, for the theme's faces and for those of a symbol.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from dobble_print.errors import InvalidValue
from dobble_print.files import check_inside
from dobble_print.fonts import CHOICES, OWN_ENDINGS
from dobble_print.messages import find_closest, quote, suggest
from dobble_print.theme.kinds import LANGUAGE, Line, PlainKind, Schema, complete, ignore_case
from dobble_print.theme.pictures import check_path, is_picture
from dobble_print.words.languages import LANGUAGE_TAIL, languages
from dobble_print.words.writing import is_emoji

MOST_FACES = 4
Shows = Literal["picture", "word", "article", "picture+word", "picture+article"]
_TEXT = Line(40)
_SPEECH = tuple(shows for shows in get_args(Shows) if shows != "picture")
_WITH_LANGUAGE = re.compile(rf"({'|'.join(map(re.escape, _SPEECH))})\s*:\s*(\S+)", re.IGNORECASE)


@dataclass(frozen=True)
class FaceWord:
    """A face that every symbol can have: its picture, its name in a language, or the picture with the name below."""

    shows: Shows
    language: str = ""

    @property
    def has_picture(self) -> bool:
        """Whether the picture is part of it."""
        return self.shows.startswith("picture")

    @property
    def has_name(self) -> bool:
        """Whether a name is part of it."""
        return self.shows != "picture"

    @property
    def is_full(self) -> bool:
        """Whether the name has its article."""
        return self.shows.endswith("article")

    def __str__(self) -> str:
        return f"{self.shows}:{self.language}" if self.language else self.shows


@dataclass(frozen=True)
class FaceEntry:
    """A face that one symbol has: the kind of picture, and its text or path."""

    kind: Literal["emoji", "image", "text"]
    text: str


def find_face_word(text: str) -> FaceWord | None:
    """Return the face meant by `picture` or `word:nl`, or None; raise `InvalidValue` for an unknown language."""
    word = text.strip()
    if word.casefold() == "picture":
        return FaceWord("picture")
    written = _WITH_LANGUAGE.fullmatch(word)
    if not written:
        return None
    shows = next(known for known in _SPEECH if known == written[1].casefold())
    return FaceWord(shows, LANGUAGE.read(written[2]))


def find_closest_face(text: str) -> str:
    """Return the face nearest to what was written, or nothing; a language that was written right stays."""
    _, _, language = text.partition(":")
    code = LANGUAGE.find(language.strip()) or "en"
    return find_closest(text, ["picture", *(f"{shows}:{code}" for shows in _SPEECH)])


def _read_face(text: str) -> FaceWord:
    found = find_face_word(text)
    if found:
        return found
    closest = find_closest_face(text)
    hint = f"Did you mean {quote(closest)}?" if closest else f"Give {FACE.describe()}."
    raise InvalidValue(f"{quote(text)} is no face", hint)


def _describe_face_pattern() -> Schema:
    speech = "|".join(re.escape(shows) for shows in _SPEECH)
    return {"type": "string", "pattern": f"^(picture|({speech}):({'|'.join(languages())}){LANGUAGE_TAIL})$"}


def _read_own_face(text: str) -> FaceWord | FaceEntry:
    """Return the face meant; whatever is nothing else is a text to print."""
    found = find_face_word(text)
    if found:
        return found
    if is_emoji(text.strip()):
        return FaceEntry("emoji", text.strip())
    if is_picture(text):
        check_path(text)
        return FaceEntry("image", text)
    return FaceEntry("text", _TEXT.read(text))


def _read_font(text: str) -> str:
    """Return the name or path of a font; whether the file exists is asked later."""
    if text.casefold() in CHOICES:
        return text.casefold()
    if text.casefold().endswith(OWN_ENDINGS):
        check_inside(text)
        return text
    raise InvalidValue(f"there is no font {quote(text)}", suggest(text, CHOICES, f"Give {FONT_NAME.describe()}."))


# A face that every symbol can have, and one that a single symbol has.
FACE = PlainKind(
    _read_face,
    "picture, word:nl (its name), article:nl (with its article) or picture+word:nl (name below)",
    _describe_face_pattern,
)
OWN_FACE = PlainKind(
    _read_own_face, "a text, an emoji, the path of a picture, or as in the theme's faces", _TEXT.schema
)
FONT_NAME = PlainKind(
    _read_font,
    f"{', '.join(CHOICES)}, or the path of a .ttf or .otf file",
    lambda: complete(CHOICES, rf"\.({ignore_case(OWN_ENDINGS)})$"),
)
