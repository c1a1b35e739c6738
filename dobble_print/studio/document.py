"""A theme file as the studio changes it: one step after the other, comments and order of a hand-written one kept.

Invariant: what is written here is read by the program's own reader at once, and a step that would bring a fault of the
theme itself (not of one of its symbols, which the page shows and helps to mend) is refused and changes nothing.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from dobble_print.errors import Fault, InvalidValue, Place, ThemeError, UsageError
from dobble_print.files import find_forbidden
from dobble_print.importing.starter import NewSymbol
from dobble_print.messages import quote
from dobble_print.theme.faces import list_lacking
from dobble_print.theme.filling import find_fillers, find_full_deck
from dobble_print.theme.model import Symbol, Theme
from dobble_print.theme.options import ID, REMARKS, SYMBOLS, THEME, Section
from dobble_print.theme.pictures import is_picture
from dobble_print.theme.reader import examine_theme, show_path
from dobble_print.theme.source import ListNode, MapNode, Node, parse_tree
from dobble_print.theme.symbols import PICTURES
from dobble_print.theme.values import make_slug
from dobble_print.words.languages import find_language
from dobble_print.words.writing import is_emoji

Op = Mapping[str, Any]
MOST_SYMBOLS = 183
MOST_LETTERS, MOST_WORD = 128_000, 2000  # of a theme, and of one value in it
_PLAIN_WORD = re.compile(r"(?=..)[^\W\d_]+(?:[ -][^\W\d_]+)*")
_OWN_KEYS = ("scale", "rotation", "crop", "background", "color")
PRINT_KEYS = (
    "profile",
    "sheet",
    "labels",
    "plotter",
    "press",
    "pictures",
)  # what op `print` may change; `look` the rest


@dataclass(frozen=True)
class Entry:
    """One line of the list of symbols: its id, its picture as written, where it stands, and what became of it.

    `symbol` is None where the reader could make nothing of it. `kept` are remarks the user has answered with Keep.
    """

    id: str
    kind: str
    text: str
    place: Place
    written: dict[str, Any]
    symbol: Symbol | None = None
    kept: tuple[str, ...] = ()


def list_unnamed(symbol: Symbol, languages: Sequence[str]) -> list[str]:
    """Return the languages in which a symbol needs a name: those of the game, or else those that its faces show."""
    missing = [code for code in languages if code and code not in symbol.names]
    shown = dict.fromkeys(face.language for face in symbol.faces if face.language)
    return missing or list_lacking(symbol, tuple(shown))


@dataclass(frozen=True)
class Reading:
    """What the program makes of a theme: its good parts, its list, faults of symbols by id, and other faults."""

    theme: Theme
    entries: tuple[Entry, ...]
    symbol_faults: Mapping[str, tuple[Fault, ...]]
    faults: tuple[Fault, ...]
    written: Mapping[str, Any]

    def find(self, entry_id: str) -> int:
        """Return where an entry stands; raise `UsageError`."""
        for index, entry in enumerate(self.entries):
            if entry.id == entry_id:
                return index
        raise UsageError(Fault(f"there is no symbol {quote(entry_id)}", "It may have been removed in another tab."))


def read_document(path: Path, text: str) -> Reading:
    """Return what a theme's text means; raise `ThemeError` where it cannot be read at all."""
    tree, _ = parse_tree(text, show_path(path))
    theme, faults = examine_theme(path, text=text)
    nodes = _list_entries(tree)
    symbols = {(symbol.place.line, symbol.place.column): symbol for symbol in theme.symbols if not symbol.filled}
    yaml, taken, entries = load_yaml(text), set[str](), list[Entry]()
    written = yaml.get("symbols") if isinstance(yaml, CommentedMap) else None
    items = list(written) if isinstance(written, list) else []
    for node, item in zip(nodes, items, strict=False):
        symbol = symbols.get((node.place.line, node.place.column))
        entries.append(_read_entry(item, node.place, symbol, taken))
    by_symbol, others = _sort_faults(faults, tree, entries)
    top = yaml if isinstance(yaml, CommentedMap) else {}
    return Reading(theme, tuple(entries), by_symbol, tuple(others), top)


def _list_entries(tree: Node) -> Sequence[Node]:
    listed = tree.get("symbols") if isinstance(tree, MapNode) else None
    return listed.items if isinstance(listed, ListNode) else ()


def _read_entry(item: Any, place: Place, symbol: Symbol | None, taken: set[str]) -> Entry:
    keys = dict(item) if isinstance(item, Mapping) else {}
    kind, text = _find_picture(item)
    stem = make_slug(Path(text).stem if kind == "image" else text) or text[: ID.most] or "symbol"
    wanted = symbol.id if symbol else str(keys.get("id") or stem)
    own, number = wanted, 2
    while own in taken:
        own, number = f"{wanted}-{number}", number + 1
    taken.add(own)
    kept = keys.get("keep") or ()
    return Entry(own, kind, text, place, keys, symbol, tuple(map(str, [kept] if isinstance(kept, str) else kept)))


def _find_picture(item: Any) -> tuple[str, str]:
    if isinstance(item, Mapping):
        kind = next((kind for kind in (*PICTURES, "faces") if kind in item), "names")
        value = item.get(kind, "")
        return kind, " = ".join(map(str, value)) if isinstance(value, list) else str(value or "")
    text = "" if item is None else str(item)
    return ("emoji" if is_emoji(text) else "image" if is_picture(text) or "/" in text else "word"), text


def _sort_faults(
    faults: Iterable[Fault], tree: Node, entries: Sequence[Entry]
) -> tuple[dict[str, tuple[Fault, ...]], list[Fault]]:
    """Give each fault to the symbol in whose lines it lies; those of the list and its languages are no refusals."""
    by_symbol: dict[str, tuple[Fault, ...]] = {}
    others = list[Fault]()
    starts = [(entry.place.line, entry.place.column) for entry in entries]
    end = _find_end(tree)
    for fault in faults:
        spot = (fault.place.line, fault.place.column) if fault.place else (0, 0)
        owner = max((index for index, start in enumerate(starts) if start <= spot), default=-1)
        if owner >= 0 and spot < end:
            own = entries[owner].id
            by_symbol[own] = (*by_symbol.get(own, ()), fault)
        elif not _is_shortage(fault, tree):
            others.append(fault)
    return by_symbol, others


def _find_end(tree: Node) -> tuple[int, int]:
    """Return where the key after the list of symbols stands."""
    keys = [key for key, _ in tree.entries] if isinstance(tree, MapNode) else []
    after = next((index + 1 for index, key in enumerate(keys) if key.text == "symbols"), len(keys))
    return (keys[after].place.line, keys[after].place.column) if after < len(keys) else (1 << 30, 0)


def _is_shortage(fault: Fault, tree: Node) -> bool:
    """Return whether a fault says only that the list is not long enough yet, or that a language has no names yet."""
    listed = {key: tree.get(key) for key in ("symbols", "languages")} if isinstance(tree, MapNode) else {}
    items = listed.get("languages")
    nodes = [*(node for node in listed.values() if node), *(items.items if isinstance(items, ListNode) else ())]
    spots = [(node.place.line, node.place.column) for node in nodes]
    is_there = fault.place is not None and (fault.place.line, fault.place.column) in spots
    return is_there and "symbol" in fault.what


def make_yaml() -> YAML:
    """Return a reader and writer that keeps comments, order and quotes."""
    yaml = YAML(typ="rt", pure=True)
    yaml.preserve_quotes = True
    yaml.width = 1 << 16
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def load_yaml(text: str) -> Any:
    """Return a theme's text, which `parse_tree` has admitted, as a tree that can be changed and written back."""
    if len(text) > MOST_LETTERS:
        raise ThemeError(Fault(f"the theme has more than {MOST_LETTERS // 1000} thousand letters", "Shorten it."))
    try:
        return make_yaml().load(text)
    except Exception as error:  # what our own reader admits and this one does not
        raise ThemeError(Fault(f"the studio cannot change this file ({type(error).__name__})")) from None


def write_yaml(tree: Any) -> str:
    """Return the text of a theme."""
    sink = io.StringIO()
    make_yaml().dump(tree, sink)
    return sink.getvalue()


class Document:
    """A theme's text between two steps."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text
        self.reading = read_document(path, text)

    def apply(self, ops: Sequence[Op]) -> None:
        """Do the changes of one step, all or none; raise `UsageError` or `ThemeError`."""
        path, text = self.path, self.text
        changed = Document(path, text)
        for op in ops:
            tree = load_yaml(changed.text)
            work = OPS.get(str(op.get("op")))
            if work is None:
                raise UsageError(Fault(f"there is no change {quote(str(op.get('op')))}", f"Known: {', '.join(OPS)}."))
            try:
                work(tree, changed.reading, op)
                before, text = changed.reading, write_yaml(tree)
            except (TypeError, ValueError, AttributeError, KeyError):
                raise UsageError(Fault(f"the change {quote(str(op.get('op')))} cannot be understood")) from None
            changed.replace(text)
            ThemeError.raise_any(_find_lost(before, changed.reading))
        self.text, self.reading = changed.text, changed.reading

    def replace(self, text: str) -> None:
        """Take another text; raise `ThemeError` where it brings faults that the page cannot show beside a symbol."""
        reading = read_document(self.path, text)
        known = {fault.what for fault in self.reading.faults}
        ThemeError.raise_any(fault for fault in reading.faults if fault.what not in known)
        self.text, self.reading = text, reading


def _find_lost(before: Reading, after: Reading) -> Iterator[Fault]:
    """Yield why symbols that could be shown cannot be any more."""
    shown = {entry.id for entry in before.entries if entry.symbol}
    for entry in after.entries:
        if entry.symbol is None and entry.id in shown:
            yield from after.symbol_faults.get(entry.id, ())


def _symbols_of(tree: Any) -> CommentedSeq:
    """Return the list of symbols, as a list with a line each."""
    if not isinstance(tree.get("symbols"), CommentedSeq):
        tree["symbols"] = CommentedSeq()
    listed: CommentedSeq = tree["symbols"]
    if not listed:
        listed.fa.set_block_style()
    return listed


def make_entry(new: NewSymbol, kept: Sequence[str] = (), filled: bool = False) -> Any:
    """Return a symbol as it stands in the file: a word or emoji alone, everything else with its keys on one line."""
    kind, text = new.picture
    is_plain = kind == "emoji" or (kind == "word" and _PLAIN_WORD.fullmatch(text))
    if is_plain and not (new.names or new.id or kept or filled):
        return text
    entry = CommentedMap()
    entry[kind] = list(new.faces) if new.faces else text
    if new.id:
        entry["id"] = new.id
    entry.fa.set_flow_style()
    _set_names(entry, new.names)
    if kept:
        entry["keep"] = list(kept)
    if filled:
        entry["filled"] = True
    return entry


def _set_names(entry: CommentedMap, names: Mapping[str, str | None]) -> None:
    """Write names where the entry has its names: beside the picture, or under `names`."""
    inner = entry.get("names")
    for code, name in names.items():
        target = inner if isinstance(inner, CommentedMap) else entry
        known = next((key for key in target if (found := find_language(str(key))) and found.code == code), code)
        if code == "id" and not isinstance(inner, CommentedMap):  # beside a picture, `id` is the symbol's id
            inner = entry["names"] = CommentedMap()
            inner.fa.set_flow_style()
            target = inner
        if find_language(code) is None:
            raise UsageError(Fault(f"there is no language {quote(code)}"))
        if name:
            target[known] = _read_value("names", _clean(name))
        elif known in target and (known != "id" or target is inner):
            del target[known]


def _clean(text: Any) -> str:
    """Return a text as one line; raise `UsageError` for what no theme can hold."""
    line = " ".join(str(text).split())
    if not isinstance(text, str) or len(line) > MOST_WORD:
        raise UsageError(Fault("this is no text that a theme can hold", "Shorten it."))
    if hidden := find_forbidden(line):
        raise UsageError(Fault(hidden, "Type it anew."))
    return line


def _as_map(listed: CommentedSeq, index: int, entry: Entry) -> CommentedMap:
    """Return an entry as keys that can be set; its id stays what it was."""
    item = listed[index]
    if not isinstance(item, CommentedMap):
        item = CommentedMap()
        item[entry.kind] = entry.text
        item.fa.set_flow_style()
        listed[index] = item
    item.setdefault("id", entry.id)
    return item


def _add(tree: Any, reading: Reading, op: Op) -> None:
    """Add symbols, which whoever calls has read already (`new`), at the end or before a position."""
    listed, at = _symbols_of(tree), op.get("at")
    taken = {entry.id for entry in reading.entries}
    for number, new in enumerate(op["new"]):
        entry = make_entry(_name_apart(new, taken), filled=bool(op.get("filled")))
        listed.insert(len(listed) if at is None else min(int(at) + number, len(listed)), entry)
    if len(listed) > MOST_SYMBOLS:
        what = f"that is {len(listed)} symbols; a game holds {MOST_SYMBOLS}"
        raise UsageError(Fault(what, "Leave some out."))


def _name_apart(new: NewSymbol, taken: set[str]) -> NewSymbol:
    """Give a symbol an id of its own, unless a word or an emoji has one by nature."""
    kind, text = new.picture
    natural = new.id or make_slug(next(iter(new.names.values()), "") if kind == "image" else text) or text
    own, number = natural[: ID.most - 5], 2
    while own in taken:
        own, number = f"{natural[: ID.most - 5]}-{number}", number + 1
    taken.add(own)
    has_own = new.id or kind in ("image", "faces") or own != natural
    return NewSymbol(new.picture, new.names, own if has_own else "", new.faces)


def _set(tree: Any, reading: Reading, op: Op) -> None:
    """Change one symbol: names by language, its picture, or one of its keys; null takes a key away."""
    index = reading.find(str(op.get("id")))
    entry = _as_map(_symbols_of(tree), index, reading.entries[index])
    names = op.get("names")
    if isinstance(names, Mapping):
        _set_names(entry, names)
    picture = op.get("picture")
    if isinstance(picture, Mapping):
        _set_picture(entry, picture, reading.entries[index])
    for key in _OWN_KEYS:
        if key in op and op[key] in (None, False, ""):
            entry.pop(key, None)
        elif key in op:
            _read_value(key, str(op[key]))
            entry[key] = _to_yaml(op[key])


def _read_value(key: str, text: str) -> str:
    """Return the value of a symbol's key; raise `UsageError` where the theme's own reader refuses it."""
    try:
        SYMBOLS.field(key).kind.read(text)
    except InvalidValue as refusal:
        raise UsageError(Fault(refusal.what, refusal.hint)) from None
    return text


def _set_picture(entry: CommentedMap, picture: Mapping[str, Any], old: Entry) -> None:
    """Put another picture in place of the old one, and keep what the symbol is called."""
    kind, given = str(picture.get("kind")), picture.get("text", "")
    text = _to_yaml(given) if kind == "faces" and isinstance(given, list) else _clean(given)
    if kind not in (*PICTURES, "faces") or not text:
        raise UsageError(Fault(f"a symbol's picture is one of {', '.join(PICTURES)}", "Give its kind and its text."))
    names = dict(old.symbol.names) if old.symbol and kind != "word" and old.kind != "text" else {}
    place = next((i for i, key in enumerate(entry) if key in (*PICTURES, "faces")), 0)
    for key in (*PICTURES, "faces", "picture", "background", "crop", "color", "badge", "keep"):
        entry.pop(key, None)
    entry.insert(place, kind, text)
    if choice := picture.get("choice"):
        entry.insert(place + 1, "picture", _clean(choice))
    known = {found.code for key in entry if (found := find_language(str(key)))}
    if not isinstance(entry.get("names"), str | Mapping):
        _set_names(entry, {code: name for code, name in names.items() if code and code not in known})


def _join(tree: Any, reading: Reading, op: Op) -> None:
    """Make one symbol of several: the first gets the faces of all."""
    listed, found = _symbols_of(tree), [reading.find(str(own)) for own in op.get("ids", ())]
    if len(found) < 2:
        raise UsageError(Fault("one symbol is made of two or more", "Give the ids of them all."))
    texts = [text for index in found for text in _list_faces(reading.entries[index])]
    item = _as_map(listed, found[0], reading.entries[found[0]])
    _set_picture(item, {"kind": "faces", "text": list(dict.fromkeys(texts))}, reading.entries[found[0]])
    for index in sorted(set(found[1:]), reverse=True):
        del listed[index]


def _list_faces(entry: Entry) -> list[str]:
    faces = entry.written.get("faces")
    return [str(face) for face in faces] if isinstance(faces, list) else [entry.text]


def _remove(tree: Any, reading: Reading, op: Op) -> None:
    listed = _symbols_of(tree)
    for index in sorted({reading.find(str(own)) for own in op.get("ids", ())}, reverse=True):
        del listed[index]


def _move(tree: Any, reading: Reading, op: Op) -> None:
    listed, index = _symbols_of(tree), reading.find(str(op.get("id")))
    item = listed[index]
    del listed[index]
    listed.insert(max(0, min(int(op.get("to", 0)), len(listed))), item)


def _fill(tree: Any, reading: Reading, op: Op) -> None:
    """Add words of the lexicon until the next full deck, or as many of them as asked; they carry a star until kept."""
    theme = reading.theme
    missing, _ = find_full_deck(len(theme.symbols))
    asked = op.get("count") or missing
    count = min(asked, MOST_SYMBOLS - len(reading.entries)) if isinstance(asked, int) else 0
    added = find_fillers(theme.symbols, theme.languages, count, seed=theme.deck.seed) if count > 0 else ()
    if not added:
        raise UsageError(Fault("there are no words to add here", "Add symbols of your own."))
    new = [_write_filled(symbol, theme.languages) for symbol in added]
    _add(tree, reading, {"new": new, "filled": True})


def _write_filled(symbol: Symbol, languages: Sequence[str]) -> NewSymbol:
    name = next((symbol.names[code] for code in languages if code in symbol.names), symbol.id)
    return NewSymbol(("word", name), {})


def _keep(tree: Any, reading: Reading, op: Op) -> None:
    """Remember that a remark was answered with Keep, for one symbol, several, or all that have it."""
    listed, code = _symbols_of(tree), str(op.get("remark", ""))
    for own in op.get("ids", ()):
        index = reading.find(str(own))
        item = _as_map(listed, index, reading.entries[index])
        if code == "filled":
            item.pop("filled", None)
        else:
            item["keep"] = list(dict.fromkeys((*reading.entries[index].kept, REMARKS.read(code))))


def _settle(tree: Any, reading: Reading, op: Op, *, allowed: Callable[[str], bool]) -> None:
    """Set keys of the theme by their dotted names (`card.shape`); null takes a key away."""
    for key, value in dict(op.get("values") or {}).items():
        section, _, inner = str(key).partition(".")
        known = next((part for part in THEME if part.key == section and section != SYMBOLS.key), None)
        if known is None or not allowed(section) or (inner and isinstance(known, Section) and inner not in known.keys):
            raise UsageError(Fault(f"a theme has no key {quote(str(key))} that can be changed so"))
        if inner:
            _set_inner(tree, section, inner, value)
        elif value is None:
            tree.pop(section, None)
        else:
            _put(tree, section, value)
    _complete_titles(tree)


def _set_inner(tree: Any, section: str, key: str, value: Any) -> None:
    holder = tree.get(section)
    if not isinstance(holder, CommentedMap):
        written, holder = holder, CommentedMap()
        if section == "back" and written not in (None, "none"):  # a back may be just its colour
            holder["color"] = written
        _put(tree, section, holder)
    if value is None:
        holder.pop(key, None)
        if not holder:
            tree.pop(section, None)
    else:
        holder[key] = _to_yaml(value)


def _put(tree: Any, key: str, value: Any) -> None:
    """Set a key of the theme; a new one stands before the list of symbols."""
    if key in tree or "symbols" not in tree:
        tree[key] = _to_yaml(value)
    else:
        tree.insert(list(tree).index("symbols"), key, _to_yaml(value))


def _to_yaml(value: Any) -> Any:
    if isinstance(value, CommentedMap):
        return value
    if isinstance(value, Mapping):
        made = CommentedMap({str(key): _to_yaml(inner) for key, inner in value.items()})
        made.fa.set_flow_style()
        return made
    if isinstance(value, list | tuple):
        listed = CommentedSeq(map(_to_yaml, value))
        listed.fa.set_flow_style()
        return listed
    return _clean(value) if isinstance(value, str) else value


def _complete_titles(tree: Any) -> None:
    """Give a title by language one in each language that is listed."""
    title, listed = tree.get("title"), tree.get("languages")
    if isinstance(title, CommentedMap) and title and isinstance(listed, list):
        known = {found.code for key in title if (found := find_language(str(key)))}
        for code in listed:
            if code not in known:
                title[code] = next(iter(title.values()))


OPS: dict[str, Callable[[Any, Reading, Op], None]] = {
    "add": _add,
    "set": _set,
    "join": _join,
    "remove": _remove,
    "move": _move,
    "fill": _fill,
    "keep": _keep,
    "look": partial(_settle, allowed=lambda key: key not in PRINT_KEYS),
    "print": partial(_settle, allowed=lambda key: key in PRINT_KEYS),
}
