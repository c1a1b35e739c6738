"""The kinds of values that a key of a theme may hold: numbers, colours, words, paths, rows of tables, faces and fonts.

Invariant: a kind reads a text, describes itself in words and as JSON Schema; the three always agree.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

from dobble_print.errors import InvalidValue
from dobble_print.files import check_inside, find_flood, find_forbidden, find_reordering
from dobble_print.fonts import CHOICES, OWN_ENDINGS
from dobble_print.messages import clip, find_closest, list_words, quote, suggest
from dobble_print.resources import shipped_profiles
from dobble_print.theme.pictures import PICTURE_ENDINGS, check_path, is_picture
from dobble_print.units import PAPER_SIZE, convert_lengths, find_paper, papers
from dobble_print.words.languages import LANGUAGE_TAIL, find_language, language_aliases, languages
from dobble_print.words.lexicon import words
from dobble_print.words.writing import is_emoji

# The colours a theme may call by name: the basic names of CSS and a few more that children know.
NAMED_COLORS = {
    "white": "#ffffff",
    "black": "#000000",
    "gray": "#808080",
    "grey": "#808080",
    "silver": "#c0c0c0",
    "red": "#ff0000",
    "maroon": "#800000",
    "orange": "#ffa500",
    "gold": "#ffd700",
    "yellow": "#ffff00",
    "olive": "#808000",
    "lime": "#00ff00",
    "green": "#008000",
    "teal": "#008080",
    "aqua": "#00ffff",
    "cyan": "#00ffff",
    "turquoise": "#40e0d0",
    "blue": "#0000ff",
    "navy": "#000080",
    "purple": "#800080",
    "violet": "#ee82ee",
    "fuchsia": "#ff00ff",
    "magenta": "#ff00ff",
    "pink": "#ffc0cb",
    "brown": "#a52a2a",
    "beige": "#f5f5dc",
}
Schema = dict[str, Any]
NO_COLOR = "none"


class Kind(Protocol):
    """What a value may be."""

    def read(self, text: str) -> Any:
        """Return the value meant by the text; raise `InvalidValue`."""

    def describe(self) -> str:
        """Return what is allowed, in a few words."""

    def schema(self) -> Schema:
        """Return what is allowed, as JSON Schema."""


@dataclass(frozen=True)
class Number:
    """A number within limits; `unit` may follow it, a decimal comma will do, and `word` may stand for no number."""

    least: float
    most: float
    unit: str = ""
    whole: bool = False
    word: str = ""

    def read(self, text: str) -> float | int | None:
        """Return the number, or None for the word."""
        if self.word and text.casefold() == self.word:
            return None
        metric, hint = convert_lengths(text) if self.unit == "mm" else text, f"Give {self.describe()}."
        written = re.fullmatch(rf"([+-]?[0-9]{{1,12}})(?:[.,]([0-9]{{1,12}}))?\s*(?:{self.unit})?", metric)
        if not written or (self.whole and written[2]):
            raise InvalidValue(f"{quote(text)} is not {'a whole number' if self.whole else 'a number'}", hint)
        number = int(written[1]) if self.whole else float(f"{written[1]}.{written[2] or 0}")
        if not self.least <= number <= self.most:
            raise InvalidValue(f"{quote(text)} is too {'small' if number < self.least else 'large'}", hint)
        return number

    def describe(self) -> str:
        """Return `30 to 300 mm`."""
        limits = f"{self.least:.12g} to {self.most:.12g}{' ' + self.unit if self.unit else ''}"
        return f"{limits} or {self.word}" if self.word else limits

    def schema(self) -> Schema:
        """Return a number, the word, or (for a decimal comma or a unit) a text."""
        number = {"type": "integer" if self.whole else "number", "minimum": self.least, "maximum": self.most}
        words = [{"const": self.word}] if self.word else []
        decimals = "" if self.whole else "([.,][0-9]+)?"
        units = f"({self.unit}{'|cm|in(ch(es)?)?' if self.unit == 'mm' else ''})?" if self.unit else ""
        texts = {"type": "string", "pattern": rf"^[+-]?[0-9]+{decimals}\s*{units}$"}
        return {"anyOf": [number, *words, texts]}


@dataclass(frozen=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, text: str) -> str:
        """Return the word, in the case the program uses."""
        if text.casefold() in self.words:
            return text.casefold()
        raise InvalidValue(f"{quote(text)} is not {self.describe()}", suggest(text, self.words))

    def describe(self) -> str:
        """Return `round, hex or square`."""
        return list_words(self.words)

    def schema(self) -> Schema:
        """Return an enum."""
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class ColorKind:
    """`#rrggbb`, `#rgb` or a colour's English name; `none` where no colour is an answer."""

    allows_none: bool = False

    def read(self, text: str) -> str:
        """Return the colour as `#rrggbb`, or `none`."""
        word = text.casefold()
        if word in NAMED_COLORS:
            return NAMED_COLORS[word]
        if word == NO_COLOR and self.allows_none:
            return NO_COLOR
        if re.fullmatch("#[0-9a-f]{6}", word):
            return word
        if re.fullmatch("#[0-9a-f]{3}", word):
            return "#" + "".join(2 * digit for digit in word[1:])
        if re.fullmatch("[0-9a-f]{6}|[0-9a-f]{3}", word):
            raise InvalidValue(f"{quote(text)} is not a colour", f'Did you mean "#{word}"? (The quotes are needed.)')
        if is_picture(text):
            hint = f"A picture may stand on the back: write back: {{image: {clip(text)}}} in the theme."
            raise InvalidValue(f"{quote(text)} is not a colour", hint)
        hint = suggest(text, NAMED_COLORS, 'Write it as "#1d3557", or as a name such as navy.')
        hint += " Write none to have no colour." if self.allows_none else ""
        raise InvalidValue(f"{quote(text)} is not a colour", hint)

    def describe(self) -> str:
        """Return `a colour or none`."""
        return "a colour or none" if self.allows_none else "a colour"

    def schema(self) -> Schema:
        """Return a pattern or one of the names."""
        names = [*NAMED_COLORS, *([NO_COLOR] if self.allows_none else [])]
        return {"anyOf": [{"type": "string", "pattern": "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"}, {"enum": names}]}


@dataclass(frozen=True)
class LineOfText:
    """A line of text for people: one line, composed letters, nothing invisible."""

    most: int = 80

    def read(self, text: str) -> str:
        """Return the text with single spaces."""
        line = unicodedata.normalize("NFC", " ".join(text.split()))
        if hidden := find_reordering(line):
            what = "the text holds a character that changes the direction of reading"
            raise InvalidValue(what, f"Remove the {hidden}.")
        if not line:
            raise InvalidValue("the text is empty", "Write something, or leave the key out.")
        if flood := find_flood(line):
            raise InvalidValue(flood, "Write plain letters.")
        if len(line) > self.most:
            raise InvalidValue(f"{quote(line)} has {len(line)} characters", f"At most {self.most} fit.")
        return line

    def fit(self, text: str) -> str:
        """Return the text without what `read` would refuse, perhaps empty."""
        kept = "".join(c for c in text if not find_forbidden(c) and not find_reordering(c))
        line = unicodedata.normalize("NFC", " ".join(kept.split()))[: self.most].strip()
        return "" if find_flood(line) else line

    def describe(self) -> str:
        """Return `text`."""
        return f"text, at most {self.most} characters"

    def schema(self) -> Schema:
        """Return a text; a bare number will do."""
        return {"type": ["string", "number"], "minLength": 1, "maxLength": self.most}


@dataclass(frozen=True)
class PlainKind:
    """A kind without settings: how it is read, and what it allows in words and as JSON Schema."""

    read: Callable[[str], Any]
    described: str
    schema: Callable[[], Schema]

    def describe(self) -> str:
        """Return the words."""
        return self.described


def _read_flag(text: str) -> bool:
    if text.casefold() in ("true", "yes", "on"):
        return True
    if text.casefold() in ("false", "no", "off"):
        return False
    raise InvalidValue(f"{quote(text)} is neither true nor false", "Write true or false.")


def _read_emoji(text: str) -> str:
    if is_emoji(text.strip()):
        return text.strip()
    hint = "Give each symbol a single emoji, or use word, image or text."
    raise InvalidValue(f"{quote(text)} is not one emoji", hint)


def complete(known: Iterable[str], pattern: str) -> Schema:
    """Return the schema of a text that editors complete from known ones; the pattern is what else may stand there."""
    return {"anyOf": [{"enum": list(known)}, {"type": "string", "pattern": pattern}]}


def ignore_case(endings: Iterable[str]) -> str:
    """Return a pattern of file endings in capitals and small letters, for JSON Schema has no flag for it."""
    return "|".join("".join(f"[{c}{c.upper()}]" for c in ending[1:]) for ending in endings)


# `yes` and `no` are texts to an editor.
FLAG = PlainKind(_read_flag, "true or false", lambda: {"enum": [True, False, "yes", "no", "on", "off"]})
EMOJI = PlainKind(  # JSON Schema cannot tell one from another short text
    _read_emoji,
    "one emoji",
    lambda: {"type": "string", "minLength": 1, "maxLength": 20, "pattern": r"^(?=.*[^\x00-\x7F])[^A-Za-z./\\]+$"},
)
PICTURE_PATH = PlainKind(
    check_path,
    f"path of a {list_words(PICTURE_ENDINGS)} file",
    lambda: {
        "type": "string",
        "pattern": r"^(?!/|~/|[A-Za-z]:(?! )|.*://|(.*/)?\.\./|.*\\).+\."
        f"({ignore_case(PICTURE_ENDINGS)})$",
    },
)
ICC_PATH = PlainKind(
    LineOfText(200).read,
    "path of an .icc file",
    lambda: {"type": "string", "pattern": r"^(?!/|~/|[A-Za-z]:(?! )|.*://|(.*/)?\.\./|.*\\).+\.[iI][cC][cCmM]$"},
)
# Words and profiles are looked up later, when the theme's folder and languages are known.
WORD = PlainKind(LineOfText().read, "a word (`dobble-print list words`)", lambda: complete(words(), r"^[^./\\0-9]+$"))
PROFILE_NAME = PlainKind(
    LineOfText(200).read,
    "a profile (`dobble-print list profiles`) or the path of a .yaml file",
    lambda: complete(shipped_profiles(), r"\.(yaml|yml)$"),
)
_MOST_MEANT = 4
_SHORTEST_ALIAS = 4  # what is shorter is a code, misspelled


@dataclass(frozen=True)
class TableRow:
    """One row of a table, by its key; `aliases` are what else people call it.

    `pattern` tells editors what else may be written, `such_as` is an example of that.
    """

    what: str
    rows: Callable[[], Iterable[str]]
    find: Callable[[str], Any]
    pattern: Callable[[], str]
    aliases: Callable[[], dict[str, str]] = dict
    such_as: str = ""

    def read(self, text: str) -> Any:
        """Return what the table has for it."""
        found = self.find(text)
        if found is None:
            raise InvalidValue(f"there is no {self.what} {quote(text)}", self._hint(text))
        return found

    def _hint(self, text: str) -> str:
        if "," in text:
            parts = [self._mean(part.strip()) or part.strip() for part in text.split(",")]
            return f"Write several in brackets: [{clip(', '.join(parts))}]."
        otherwise = f"`dobble-print list {self.what}s` shows them all."
        if len(text) < _SHORTEST_ALIAS:
            return self._hint_code(text) or otherwise
        return self._hint_comma(text) or suggest(self._mean(text) or text, list(self.rows()), otherwise)

    def _hint_code(self, text: str) -> str:
        """Suggest codes for one that does not exist: those of names that begin so, and the nearest code."""
        begun = [code for name, code in self.aliases().items() if text and name.startswith(text.casefold())]
        near = find_closest(text, self.rows())
        meant = dict.fromkeys([code for code in (*begun, near) if code in self.rows()])
        return f"Did you mean {list_words(map(quote, meant))}?" if 0 < len(meant) < _MOST_MEANT else ""

    def _mean(self, text: str) -> str:
        """Return the key of a row that goes by another name, perhaps misspelled, or nothing."""
        aliases = self.aliases()
        near = find_closest(text, aliases) if len(text) >= _SHORTEST_ALIAS else ""
        return "" if self.find(text) else aliases.get(text.casefold()) or aliases.get(near, "")

    def _hint_comma(self, text: str) -> str:
        """Suggest a comma between two of them: `nl fr`."""
        parts = text.split()
        keys = [part if self.find(part) else self._mean(part) for part in parts]
        if len(parts) < 2 or not all(keys):
            return ""
        return f"Is a comma missing between {quote(parts[0])} and {quote(parts[1])}? Write [{clip(', '.join(keys))}]."

    def describe(self) -> str:
        """Return `one of dobble-print list papers`."""
        other = f" or {self.such_as}" if self.such_as else ""
        return f"a {self.what} (`dobble-print list {self.what}s`){other}"

    def schema(self) -> Schema:
        """Return an enum of the rows, which editors complete, or the pattern."""
        return complete(self.rows(), f"^{self.pattern()}$")


PAPER = TableRow("paper", papers, find_paper, lambda: PAPER_SIZE, such_as="330x487 (mm)")
LANGUAGE = TableRow(
    "language",
    languages,
    lambda text: getattr(find_language(text), "code", None),
    lambda: f"({'|'.join(languages())}){LANGUAGE_TAIL}",
    language_aliases,
)


MOST_FACES = 4
Shows = Literal["picture", "word", "article", "picture+word", "picture+article"]
_TEXT = LineOfText(40)
_SPEECH = tuple(shows for shows in get_args(Shows) if shows != "picture")
_SPEECH_PATTERN = "|".join(map(re.escape, _SPEECH))
_WITH_LANGUAGE = re.compile(rf"({_SPEECH_PATTERN})\s*:\s*(\S+)", re.IGNORECASE)


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

    def __str__(self) -> str:
        return self.text


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


def _read_own_face(text: str) -> FaceWord | FaceEntry:
    """Return the face meant; whatever is nothing else is a text to print."""
    found = find_face_word(text)
    if found:
        return found
    if is_emoji(text.strip()):
        return FaceEntry("emoji", text.strip())
    if is_picture(text):
        return FaceEntry("image", check_path(text))
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
    lambda: {"type": "string", "pattern": f"^(picture|({_SPEECH_PATTERN}):{LANGUAGE.pattern()})$"},
)
OWN_FACE = PlainKind(
    _read_own_face, "a text, an emoji, the path of a picture, or as in the theme's faces", _TEXT.schema
)
FONT_NAME = PlainKind(
    _read_font,
    f"{', '.join(CHOICES)}, or the path of a .ttf or .otf file",
    lambda: complete(CHOICES, rf"\.({ignore_case(OWN_ENDINGS)})$"),
)
