"""Reading YAML: the tree of a theme file with the place of every value, and what a parser's complaint means.

Invariant: nothing that a theme has no use for (aliases, tags, endless nesting) gets through; nothing of the parser's
own vocabulary reaches the user, and both of PyYAML's parsers lead to the same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import yaml

from dobble_print.errors import Fault, Place, ThemeError
from dobble_print.files import decode_text, find_forbidden, read_named
from dobble_print.messages import CURLY_QUOTES, STRAIGHT_QUOTES, begins_curly, clip, has_curly_quotes, hint_space, quote
from dobble_print.theme.options import SYMBOLS, THEME
from dobble_print.words.languages import find_language

_BARE_COLOR = re.compile(r"[:\[,]\s+(#[0-9a-fA-F]{3,8})\b")
# A key whose colon touches its value: `title:Zoo`, also behind a dash; no address and no path of Windows.
_NO_SPACE = re.compile(r"(\s*(?:-\s+)*)([^\W\d][\w-]*):(?![/\\:])(\S.*)")
_TIGHT_DASH = re.compile(r"(\s*)(-[^\s:-][^:]*?)\s*")
_NO_COLON_LINE = re.compile(r"[^\W\d][^:]*")
_TOP_KEYS = {part.key for part in THEME}
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
    ("block (collection|mapping|sequence|entries)", _NOT_LINED_UP, _LINE_UP),
    ("document start", "something follows here that does not belong to the text before it", _QUOTE_IT),
    ("", "this line cannot be understood", f"Check its quotes, brackets and colons. {_LINE_UP}"),
)


def explain_syntax(error: Exception, lines: list[str], shown: str) -> Fault:
    """Return the fault behind a parser's error, at the place where a person would mend it."""
    words = f"{getattr(error, 'context', '')} {getattr(error, 'problem', '')}"
    place = _place(getattr(error, "problem_mark", None), shown)
    start = _place(getattr(error, "context_mark", None), shown)
    found = (find(lines, place, start) for theirs, find in _FINDERS if theirs in words)
    what, hint = next((what, hint) for theirs, what, hint in _MEANINGS if re.search(theirs, words))
    return next(filter(None, found), Fault(what, hint, place))


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _find_tab(lines: list[str], place: Place, start: Place) -> Fault | None:
    """Find a tab in the indentation of this line or of the one before it, where the parser did not stumble yet."""
    for near in (place.line, place.line - 1):
        line = _line(lines, near)
        indent = line[: len(line) - len(line.lstrip(" \t-"))]
        if "\t" in indent:
            place = replace(place, line=near, column=indent.index("\t") + 1)
            return Fault("a tab stands in the indentation", "Use spaces: two for each step to the right.", place)
    return None


def _explain_escape(lines: list[str], place: Place, start: Place) -> Fault:
    column = _line(lines, place.line).rfind("\\", 0, place.column) + 1  # one parser points just behind it
    place = replace(place, column=max(1, column))
    half = _HALF_PAIR.match(_line(lines, place.line), place.column - 1)
    if half:
        return Fault(f"an invisible character (U+{half[1].upper()}) stands here", "Write the character itself.", place)
    hint = "Write / in paths, or use '…'."
    return Fault("a backslash in double quotes starts a special sign", hint, place)


def _explain_open_quote(lines: list[str], place: Place, start: Place) -> Fault:
    return Fault("the quote that opens here is never closed", "Add the same quote at the end of the text.", start)


def _find_tight_dash(lines: list[str], place: Place, start: Place) -> Fault | None:
    """Find `-peer`, at this line or above it in the list: a text to the parser, an entry to its writer.

    The parser takes the entries below for more of that text, and stumbles over the first with a colon.
    """
    above = takewhile(lambda number: _line(lines, number).lstrip().startswith("-"), range(place.line - 1, 0, -1))
    for near in (start.line, place.line - 1, place.line, *above):
        found = _TIGHT_DASH.fullmatch(_line(lines, near))
        if found:
            return Fault(*explain_dash(found[2]), replace(place, line=near, column=len(found[1]) + 1))
    return None


def explain_dash(text: str) -> tuple[str, str]:
    """Return what is wrong with an entry whose dash touches it, and what to write."""
    return f"no space stands after the dash of {quote(text)}", f"Write - {clip(text.lstrip('-'))}."


def _find_curly_quotes(lines: list[str], place: Place, start: Place) -> Fault | None:
    """Find a value in the quotes of a word processor: a colon inside them is one too many."""
    found = re.match(r"\s*(?:- +)?[\w-]+:\s+([“”„«»‘’‚].*[“”«»‘’])\s*$", _line(lines, place.line))
    if found is None or not has_curly_quotes(found[1]):
        return None
    return Fault(f"{quote(found[1])} {CURLY_QUOTES}", STRAIGHT_QUOTES, replace(place, column=found.start(1) + 1))


def _find_lost_colon(lines: list[str], place: Place, start: Place) -> Fault | None:
    """Find `title Zoo` above: the parser reads on to the next key, over comments and empty lines."""
    found = None
    for number in range(place.line - 1, 0, -1):
        written = _line(lines, number).split(" #")[0].rstrip()
        if not written or written.lstrip().startswith("#"):
            continue
        if not _NO_COLON_LINE.fullmatch(written):
            break
        found = number
    return _explain_lost_colon(_line(lines, found), replace(place, line=found, column=1)) if found else None


def _explain_lost_colon(line: str, place: Place) -> Fault:
    first, _, rest = line.strip().partition(" ")
    hint = f"Write {first}: {clip(rest)}." if rest and first in _TOP_KEYS else _ADD_COLON
    return Fault(_NO_COLON, hint, place)


def _explain_missing_colon(lines: list[str], place: Place, start: Place) -> Fault:
    """Explain a key without its colon; the parser notices only where the next key starts, or at the end of the file."""
    return _find_missing_space(lines, start) or _explain_lost_colon(_line(lines, start.line), start)


def _find_missing_spaces(lines: list[str], place: Place, start: Place) -> Fault | None:
    """Find `title:Zoo`, a text to the parser, which stumbles over the key below it; of several, the first counts."""
    found = None
    for number in range(place.line - 1, 0, -1):
        told = _find_missing_space(lines, replace(place, line=number))
        if told is None and _line(lines, number).split("#")[0].strip():
            break
        found = told or found
    return found


def _find_missing_space(lines: list[str], place: Place) -> Fault | None:
    written = _NO_SPACE.fullmatch(_line(lines, place.line).rstrip())
    if written is None:
        return None
    what = f"no space stands after the colon of {quote(written[2])}"
    return Fault(what, hint_space(written[2], written[3]), replace(place, column=written.start(2) + 1))


def _find_second_colon(lines: list[str], place: Place, start: Place) -> Fault | None:
    """Find a colon in the text of a value in brackets: `{text: a: b}`."""
    before, sign = _line(lines, place.line)[: place.column - 1], _line(lines, place.line)[place.column - 1 :]
    is_second = sign.startswith(":") and re.search(r":\s[^,{}\[\]]*$", before)
    forgotten = re.search(r"\s([\w-]+)$", before) if is_second else None
    if forgotten and (forgotten[1] in SYMBOLS.keys or find_language(forgotten[1])):
        before = before[: forgotten.start()].rpartition("{")[2]
        hint = f"Write {{{clip(f'{before}, {forgotten[1]}: …')}}}."
        return Fault(f"a comma is missing before {quote(forgotten[1])}", hint, place)
    curly = re.search(r":\s+(\S[^,{}\[\]:]*)$", before) if is_second else None
    if curly and begins_curly(curly[1]):
        place = replace(place, column=curly.start(1) + 1)
        return Fault(f"{quote(f'{curly[1]}:')} {CURLY_QUOTES}", STRAIGHT_QUOTES, place)
    return Fault(_TWO_COLONS, _QUOTE_IT, place) if is_second else None


def _find_open_bracket(lines: list[str], place: Place, start: Place) -> Fault | None:
    for number in range(place.line, max(0, place.line - 20), -1):  # the comment swallowed the end of its own line
        bare = _BARE_COLOR.search(_line(lines, number))
        if bare:
            place = replace(place, line=number, column=bare.start(1) + 1)
            return Fault("everything after # is a comment", f'Put the colour in quotes: "{bare[1]}".', place)
    bracket = _line(lines, start.line)[start.column - 1 : start.column]
    if bracket not in ("[", "{"):
        return None
    closing = "]" if bracket == "[" else "}"
    hint = f'Look for a missing comma, or a missing "{closing}" at the end.'
    return Fault(f'the list that opens here with "{bracket}" is not complete', hint, start)


def _explain_bad_start(lines: list[str], place: Place, start: Place) -> Fault:
    sign = _line(lines, place.line)[place.column - 1 : place.column]
    return Fault(f"a text cannot start with {quote(sign)}", "Put it in quotes.", place)


def _explain_colon(lines: list[str], place: Place, start: Place) -> Fault:
    """Explain a colon too many: a second one belongs to the text, the first to a key that does not line up.

    Unless the line above is a key that lost its own colon.
    """
    line = _line(lines, place.line)
    if re.search(r":\s", line[: place.column - 1]):
        return Fault(_TWO_COLONS, _hint_braces(line, place.column) or _QUOTE_IT, place)
    indent = len(line) - len(line.lstrip())
    above = _line(lines, place.line - 1)
    if above.strip() and ":" not in above and indent == len(above) - len(above.lstrip()):
        return Fault(_NO_COLON, _ADD_COLON, replace(place, line=place.line - 1, column=indent + 1))
    return Fault(_NOT_LINED_UP, _LINE_UP, replace(place, column=indent + 1))


def _hint_braces(line: str, column: int) -> str:
    """Suggest braces for several keys of a symbol on one line: `- image: art/cat.png, nl: kat`."""
    written = re.fullmatch(r"\s*-\s+(([\w-]+):\s.*,\s*[\w-]+)", line[: column - 1])
    if written is None or not (written[2] in SYMBOLS.keys or find_language(written[2])):
        return ""
    whole = clip(line[written.start(1) :].strip())
    return f"Put {{ }} around the keys of one symbol: {{{whole}}}."


# A part of the parser's words → what may find the cause, given the place where it stumbled and the start of what it
# was reading. They are asked in turn.
_FINDERS: tuple[tuple[str, Callable[[list[str], Place, Place], Fault | None]], ...] = (
    ("", _find_tab),
    ("could not find expected ':'", _find_tight_dash),
    ("block", _find_tight_dash),
    ("mapping values are not allowed", _find_tight_dash),
    ("mapping values are not allowed", _find_curly_quotes),
    ("escape", _explain_escape),
    ("quoted scalar", _explain_open_quote),
    ("could not find expected ':'", _explain_missing_colon),
    ("mapping values are not allowed", _find_missing_spaces),
    ("document start", _find_missing_spaces),
    ("document start", _find_lost_colon),
    ("flow", _find_second_colon),
    ("flow", _find_open_bracket),
    ("cannot start any token", _explain_bad_start),
    ("mapping values are not allowed", _explain_colon),
)


MOST_BYTES = 1 << 20
MOST_DEPTH = 12
MOST_NODES = 20_000
# The C parser hands out one event at a time and never recurses; only its *composer* overruns the stack.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class TextNode:
    """A piece of text, perhaps folded from several lines.

    `comment` is what an empty value lost to a `#`, as in `rim: #ff0000`.
    """

    place: Place
    text: str
    quoted: bool = False
    comment: str = ""
    is_folded: bool = False

    @property
    def empty(self) -> bool:
        """Nothing was written here (`""` is something; `~` and `null` are YAML's words for nothing)."""
        return not self.quoted and self.text in ("", "~", "null", "Null", "NULL")


@dataclass(frozen=True)
class ListNode:
    """A list."""

    place: Place
    items: tuple[Node, ...]


@dataclass(frozen=True)
class MapNode:
    """Keys with their values, in the order written, no key twice."""

    place: Place
    entries: tuple[tuple[TextNode, Node], ...]

    def get(self, key: str) -> Node | None:
        """Return the value of a key."""
        return next((value for name, value in self.entries if name.text == key), None)


Node = TextNode | ListNode | MapNode


def read_tree(path: Path, shown: str) -> tuple[Node, list[Fault]]:
    """Return the tree of a file and its duplicate keys; raise `ThemeError` for anything that leaves no tree at all."""
    try:
        if not path.is_file():
            raise ThemeError(Fault(f"{shown} is not a file"))
        data = read_named(path, MOST_BYTES)
    except OSError as error:
        raise ThemeError(Fault(f"{shown} cannot be read: {error.strerror}")) from error
    if len(data) > MOST_BYTES:
        raise ThemeError(Fault(f"{shown} is larger than {MOST_BYTES >> 10} KB", "A theme is a short text file."))
    return parse_tree(decode_text(data, shown), shown)


def parse_tree(text: str, shown: str, most_nodes: int = MOST_NODES) -> tuple[Node, list[Fault]]:
    """Return the tree of a text and its duplicate keys; raise `ThemeError` for anything that leaves no tree at all."""
    lines, faults = text.split("\n"), list[Fault]()
    events = _guard_events(text, lines, shown, most_nodes)
    trees = [_read_node(event, events, lines, faults, shown) for event in events if isinstance(event, yaml.NodeEvent)]
    if not trees:
        raise ThemeError(Fault("the file is empty", "`dobble-print new` writes one to start from.", Place(shown, 1, 1)))
    return trees[0], faults


def _read_node(
    event: yaml.Event, events: Iterator[yaml.Event], lines: list[str], faults: list[Fault], shown: str
) -> Node:
    """Return the node that starts with an event, and take the events of its children; no deeper than the guard lets."""
    place = _place(event.start_mark, shown)
    if isinstance(event, yaml.ScalarEvent):
        return _read_scalar(event, lines, place)
    children = [
        _read_node(child, events, lines, faults, shown)
        for child in takewhile(lambda child: not isinstance(child, yaml.CollectionEndEvent), events)
    ]
    if isinstance(event, yaml.MappingStartEvent):
        return MapNode(place, tuple(_pair_up(children, faults)))
    return ListNode(place, tuple(children))


def _guard_events(text: str, lines: list[str], shown: str, most_nodes: int) -> Iterator[yaml.Event]:
    """Yield the parser's events, one at a time, stopped at the first thing a theme has no use for."""
    depth = nodes = documents = 0
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            nodes += isinstance(event, yaml.NodeEvent)
            documents += isinstance(event, yaml.DocumentStartEvent)
            what, hint = _refuse_event(event, depth, nodes > most_nodes, documents)
            if what:
                raise ThemeError(Fault(what, hint, _place(event.start_mark, shown)))
            yield event
    except yaml.YAMLError as error:
        raise ThemeError(explain_syntax(error, lines, shown)) from error
    except RecursionError as error:  # the pure Python parser, on a machine without the C one
        raise ThemeError(Fault("the file is nested too deeply", place=Place(shown, 1, 1))) from error


def _refuse_event(event: yaml.Event, depth: int, too_many: bool, documents: int) -> tuple[str, str]:
    if isinstance(event, yaml.AliasEvent):
        return f"*{event.anchor} refers to another place", 'Write it out, or put it in quotes if you mean the sign "*".'
    if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
        return f"&{event.anchor} marks a place", 'Leave it out, or put it in quotes if you mean the sign "&".'
    if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag is not None:
        return f"{quote(event.tag)} is a YAML tag", 'Leave it out, or put the text in quotes if you mean the sign "!".'
    if depth > MOST_DEPTH:
        return f"brackets or indents go more than {MOST_DEPTH} levels deep", "A theme needs four at most."
    if too_many:
        return "the file holds more entries than any deck can use", ""
    if documents > 1:
        return 'a second theme starts here, after "---"', "Put each theme in a file of its own."
    return "", ""


def _place(mark: Any, shown: str) -> Place:
    return Place(shown, mark.line + 1, mark.column + 1) if mark else Place(shown, 1, 1)


def _read_scalar(event: yaml.ScalarEvent, lines: list[str], place: Place) -> TextNode:
    quoted = bool(event.style)  # plain text has none, or an empty one
    forbidden = find_forbidden(event.value)  # written as an escape, such as "\0"
    if forbidden:
        raise ThemeError(Fault(forbidden, "Remove it.", place))
    if event.value or quoted:
        is_folded = not quoted and event.end_mark is not None and event.end_mark.line >= place.line
        return TextNode(place, event.value, quoted, is_folded=is_folded)
    rest = lines[place.line - 1][place.column - 1 :].lstrip() if place.line <= len(lines) else ""
    return TextNode(place, "", comment=rest if rest.startswith("#") else "")


def _pair_up(children: list[Node], faults: list[Fault]) -> Iterable[tuple[TextNode, Node]]:
    """Return the keys with their values, which alternate among the children of a mapping."""
    entries: dict[str, tuple[TextNode, Node]] = {}
    for key, value in zip(children[::2], children[1::2], strict=True):
        if not isinstance(key, TextNode):
            raise ThemeError(Fault("a key must be a single word", "Check the brackets and question marks.", key.place))
        if key.text == "<<" and not key.quoted:
            faults.append(Fault('"<<" merges another place into this one', "Write it out.", key.place))
        elif key.text in entries:
            first = entries[key.text][0].place.line
            faults.append(Fault(f"{quote(key.text)} stands here twice", f"It is already on line {first}.", key.place))
        else:
            entries[key.text] = (key, value)
    return entries.values()
