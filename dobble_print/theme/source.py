"""YAML text to a tree of nodes that know their line and column; the only place that imports PyYAML.

Invariant: every scalar stays the text that was written (`no` is Norwegian, `010` keeps its zero), and no file, however
hostile, costs more than its capped size: depth and number of nodes are counted on the stream of events, before anything
is built, and what can multiply (anchors, aliases, merge keys) or run code (tags) is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from dobble_print.errors import Fault, Place, ThemeError
from dobble_print.files import decode_text, find_forbidden
from dobble_print.messages import quote
from dobble_print.theme.syntax import explain_syntax

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
        """The value of a key."""
        return next((value for name, value in self.entries if name.text == key), None)


Node = TextNode | ListNode | MapNode


@dataclass
class _Growing:
    """A list or mapping whose end has not come yet; in a mapping, keys and values alternate."""

    place: Place
    is_mapping: bool
    children: list[Node] = field(default_factory=list)


def read_tree(path: Path, shown: str) -> tuple[Node, list[Fault]]:
    """The tree of a file and its duplicate keys; raises `ThemeError` for anything that leaves no tree at all."""
    try:
        if not path.is_file():
            raise ThemeError(Fault(f"{shown} is not a file"))
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ThemeError(Fault(f"{shown} cannot be read: {error.strerror}")) from error
    if len(data) > MOST_BYTES:
        raise ThemeError(Fault(f"{shown} is larger than {MOST_BYTES >> 10} KB", "A theme is a short text file."))
    return parse_tree(decode_text(data, shown), shown)


def parse_tree(text: str, shown: str, most_nodes: int = MOST_NODES) -> tuple[Node, list[Fault]]:
    """The tree of a text and its duplicate keys; raises `ThemeError` for anything that leaves no tree at all."""
    lines, faults = text.split("\n"), list[Fault]()
    open_nodes: list[_Growing] = [_Growing(Place(shown, 1, 1), False)]
    for event in _guard_events(text, lines, shown, most_nodes):
        if isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append(_Growing(_place(event, shown), isinstance(event, yaml.MappingStartEvent)))
        elif isinstance(event, yaml.CollectionEndEvent):
            done = _finish(open_nodes.pop(), faults)
            open_nodes[-1].children.append(done)
        elif isinstance(event, yaml.ScalarEvent):
            open_nodes[-1].children.append(_read_scalar(event, lines, shown))
    if not open_nodes[0].children:
        raise ThemeError(Fault("the file is empty", "`dobble-print new` writes one to start from.", Place(shown, 1, 1)))
    return open_nodes[0].children[0], faults


def _guard_events(text: str, lines: list[str], shown: str, most_nodes: int) -> Iterator[yaml.Event]:
    """The parser's events, one at a time, stopped at the first thing a theme has no use for."""
    depth = nodes = documents = 0
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            nodes += isinstance(event, yaml.NodeEvent)
            documents += isinstance(event, yaml.DocumentStartEvent)
            what, hint = _refuse_event(event, depth, nodes > most_nodes, documents)
            if what:
                raise ThemeError(Fault(what, hint, _place(event, shown)))
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


def _place(event: yaml.Event, shown: str) -> Place:
    mark = event.start_mark
    return Place(shown, mark.line + 1, mark.column + 1) if mark else Place(shown, 1, 1)


def _read_scalar(event: yaml.ScalarEvent, lines: list[str], shown: str) -> TextNode:
    place, quoted = _place(event, shown), bool(event.style)  # plain text has none, or an empty one
    forbidden = find_forbidden(event.value)  # written as an escape, such as "\0"
    if forbidden:
        raise ThemeError(Fault(forbidden, "Remove it.", place))
    if event.value or quoted:
        is_folded = not quoted and event.end_mark is not None and event.end_mark.line >= place.line
        return TextNode(place, event.value, quoted, is_folded=is_folded)
    rest = lines[place.line - 1][place.column - 1 :].lstrip() if place.line <= len(lines) else ""
    return TextNode(place, "", comment=rest if rest.startswith("#") else "")


def _finish(node: _Growing, faults: list[Fault]) -> Node:
    if not node.is_mapping:
        return ListNode(node.place, tuple(node.children))
    entries: dict[str, tuple[TextNode, Node]] = {}
    for key, value in zip(node.children[::2], node.children[1::2], strict=True):
        if not isinstance(key, TextNode):
            raise ThemeError(Fault("a key must be a single word", "Check the brackets and question marks.", key.place))
        if key.text == "<<" and not key.quoted:
            faults.append(Fault('"<<" merges another place into this one', "Write it out.", key.place))
        elif key.text in entries:
            first = entries[key.text][0].place.line
            faults.append(Fault(f"{quote(key.text)} stands here twice", f"It is already on line {first}.", key.place))
        else:
            entries[key.text] = (key, value)
    return MapNode(node.place, tuple(entries.values()))


Plain = str | list["Plain"] | dict[str, "Plain"]


def simplify(node: Node) -> Plain:
    """The tree as plain lists and dictionaries of text, for files that need no places."""
    if isinstance(node, TextNode):
        return node.text
    if isinstance(node, ListNode):
        return [simplify(item) for item in node.items]
    return {key.text: simplify(value) for key, value in node.entries}
