"""What a YAML parser's complaint means, in words for someone who never heard of a parser.

Invariant: nothing of the parser's own vocabulary reaches the user; both of PyYAML's parsers lead to the same words.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from dobble_print.errors import Fault, Place
from dobble_print.messages import clip, hint_space, quote

_BARE_COLOR = re.compile(r"[:\[,]\s+(#[0-9a-fA-F]{3,8})\b")

# A key whose colon touches its value: `title:Zoo`, also behind a dash; no address and no path of Windows.
_NO_SPACE = re.compile(r"(\s*(?:-\s+)*)([^\W\d][\w-]*):(?![/\\:])(\S.*)")

_HALF_PAIR = re.compile(r"\\u([dD][89a-fA-F][0-9a-fA-F]{2})")  # JSON writes emoji as two of these, YAML knows none

_NOT_LINED_UP = "this line does not line up with the ones above"
_LINE_UP = "Lines that belong together start in the same column; indent with two spaces."
_NO_COLON = "this line has no colon after its key"
_ADD_COLON = "Write it as key: value."
_TWO_COLONS = "a second colon stands in this line"
_QUOTE_IT = "If it belongs to the text, put the whole text in quotes."

# A part of the parser's words → ours. The first that matches counts.
_MEANINGS = (
    ("scanning an alias", 'a text cannot start with "*"', "Put it in quotes."),
    ("scanning an anchor", 'a text cannot start with "&"', "Put it in quotes."),
    ("scanning a tag", 'a text cannot start with "!"', "Put it in quotes."),
    ("node content", "a bracket, a comma or a question mark stands where none can be", _QUOTE_IT),
    ("directive", 'a line cannot start with "%"', "Put it in quotes."),
    ("block scalar", 'a text cannot start with "|" or ">"', "Put it in quotes."),
    ("block collection", _NOT_LINED_UP, _LINE_UP),
    ("block mapping", _NOT_LINED_UP, _LINE_UP),
    ("block sequence", _NOT_LINED_UP, _LINE_UP),
    ("block entries", _NOT_LINED_UP, _LINE_UP),
    ("document start", "something follows here that does not belong to the text before it", _QUOTE_IT),
)


def explain_syntax(error: Exception, lines: list[str], shown: str) -> Fault:
    """The fault behind a parser's error, at the place where a person would mend it."""
    words = f"{getattr(error, 'context', '')} {getattr(error, 'problem', '')}"
    line, column = _position(getattr(error, "problem_mark", None))
    start_line, start_column = _position(getattr(error, "context_mark", None))
    return (
        _find_tab(lines, line, shown)
        or _find_escape(words, lines, Place(shown, line, column))
        or _find_open_quote(words, Place(shown, start_line, start_column))
        or _find_missing_space(words, lines, Place(shown, line, column), start_line)
        or _find_missing_colon(words, Place(shown, start_line, start_column))
        or _find_second_colon(words, lines, Place(shown, line, column))
        or _find_open_bracket(words, lines, Place(shown, start_line, start_column), line)
        or _find_bad_start(words, lines, Place(shown, line, column))
        or _find_colon(words, lines, Place(shown, line, column))
        or _find_meaning(words, Place(shown, line, column))
    )


def _position(mark: Any) -> tuple[int, int]:
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _find_tab(lines: list[str], number: int, shown: str) -> Fault | None:
    """A tab in the indentation of this line or of the one before it; the parser may stumble only one line later."""
    for near in (number, number - 1):
        line = _line(lines, near)
        indent = line[: len(line) - len(line.lstrip(" \t-"))]
        if "\t" in indent:
            place = Place(shown, near, indent.index("\t") + 1)
            return Fault("a tab stands in the indentation", "Use spaces: two for each step to the right.", place)
    return None


def _find_escape(words: str, lines: list[str], place: Place) -> Fault | None:
    if "escape" not in words:
        return None
    column = _line(lines, place.line).rfind("\\", 0, place.column) + 1  # one parser points just behind it
    place = replace(place, column=max(1, column))
    half = _HALF_PAIR.match(_line(lines, place.line), place.column - 1)
    if half:
        return Fault(f"an invisible character (U+{half[1].upper()}) stands here", "Write the character itself.", place)
    hint = "Write / in paths, or use '…'."
    return Fault("a backslash in double quotes starts a special sign", hint, place)


def _find_open_quote(words: str, start: Place) -> Fault | None:
    if "quoted scalar" not in words:
        return None
    return Fault("the quote that opens here is never closed", "Add the same quote at the end of the text.", start)


def _find_missing_space(words: str, lines: list[str], place: Place, start: int) -> Fault | None:
    """The parser takes `title:Zoo` for a text, and stumbles over the key below it; of several, the first is told."""
    if "could not find expected ':'" in words:
        return _tell_missing_space(_line(lines, start), replace(place, line=start))
    if "mapping values are not allowed" not in words and "document start" not in words:
        return None
    found = None
    for number in range(place.line - 1, 0, -1):
        line = _line(lines, number)
        told = _tell_missing_space(line, replace(place, line=number))
        if told is None and line.split("#")[0].strip():
            break
        found = told or found
    return found


def _tell_missing_space(line: str, place: Place) -> Fault | None:
    written = _NO_SPACE.fullmatch(line.rstrip())
    if written is None:
        return None
    what = f"no space stands after the colon of {quote(written[2])}"
    return Fault(what, hint_space(written[2], written[3]), replace(place, column=written.start(2) + 1))


def _find_missing_colon(words: str, start: Place) -> Fault | None:
    """The parser notices only where the next key starts, or at the end of the file."""
    if "could not find expected ':'" not in words:
        return None
    return Fault(_NO_COLON, _ADD_COLON, start)


def _find_second_colon(words: str, lines: list[str], place: Place) -> Fault | None:
    """A colon in the text of a value in brackets: `{text: a: b}`."""
    line = _line(lines, place.line)
    if "flow" not in words or line[place.column - 1 : place.column] != ":":
        return None
    before = re.search(r":\s[^,{}\[\]]*$", line[: place.column - 1])
    return Fault(_TWO_COLONS, _QUOTE_IT, place) if before else None


def _find_open_bracket(words: str, lines: list[str], start: Place, last: int) -> Fault | None:
    if "flow" not in words:
        return None
    for number in range(last, max(0, last - 20), -1):  # the comment swallowed the end of its own line
        bare = _BARE_COLOR.search(_line(lines, number))
        if bare:
            place = Place(start.file, number, bare.start(1) + 1)
            return Fault("everything after # is a comment", f'Put the colour in quotes: "{bare[1]}".', place)
    bracket = _line(lines, start.line)[start.column - 1 : start.column]
    if bracket not in ("[", "{"):
        return None
    closing = "]" if bracket == "[" else "}"
    hint = f'Look for a missing comma, or a missing "{closing}" at the end.'
    return Fault(f'the list that opens here with "{bracket}" is not complete', hint, start)


def _find_bad_start(words: str, lines: list[str], place: Place) -> Fault | None:
    if "cannot start any token" not in words:
        return None
    sign = _line(lines, place.line)[place.column - 1 : place.column]
    return Fault(f"a text cannot start with {quote(sign)}", "Put it in quotes.", place)


def _find_colon(words: str, lines: list[str], place: Place) -> Fault | None:
    """A second colon on a line belongs to the text; the first one belongs to a key that does not line up.

    Unless the line above is a key that lost its own colon.
    """
    if "mapping values are not allowed" not in words:
        return None
    line = _line(lines, place.line)
    if re.search(r":\s", line[: place.column - 1]):
        return Fault(_TWO_COLONS, _hint_braces(line, place.column) or _QUOTE_IT, place)
    indent = len(line) - len(line.lstrip())
    above = _line(lines, place.line - 1)
    if above.strip() and ":" not in above and indent == len(above) - len(above.lstrip()):
        return Fault(_NO_COLON, _ADD_COLON, replace(place, line=place.line - 1, column=indent + 1))
    return Fault(_NOT_LINED_UP, _LINE_UP, replace(place, column=indent + 1))


def _hint_braces(line: str, column: int) -> str:
    """Several keys of a symbol on one line: `- image: art/cat.png, nl: kat`."""
    from dobble_print.theme.fields import SYMBOLS  # the keys of a theme are themselves read from YAML
    from dobble_print.words.languages import find_language

    written = re.fullmatch(r"\s*-\s+(([\w-]+):\s.*,\s*[\w-]+)", line[: column - 1])
    if written is None or not (written[2] in SYMBOLS.keys or find_language(written[2])):
        return ""
    whole = clip(line[written.start(1) :].strip())
    return f"Put {{ }} around the keys of one symbol: {{{whole}}}."


def _find_meaning(words: str, place: Place) -> Fault:
    for theirs, what, hint in _MEANINGS:
        if theirs in words:
            return Fault(what, hint, place)
    return Fault("this line cannot be understood", f"Check its quotes, brackets and colons. {_LINE_UP}", place)
