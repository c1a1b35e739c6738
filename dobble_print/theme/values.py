"""Read keys, sections, names and titles of a theme file; faults are collected, never raised."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from dobble_print.errors import Fault, InvalidValue, Place
from dobble_print.files import find_inside
from dobble_print.messages import (
    CURLY_QUOTES,
    STRAIGHT_QUOTES,
    clip,
    has_curly_quotes,
    hint_space,
    list_words,
    quote,
    suggest,
)
from dobble_print.theme.kinds import (
    FACE,
    LANGUAGE,
    NO_COLOR,
    OWN_FACE,
    PICTURE_PATH,
    ColorKind,
    Kind,
    find_closest_face,
)
from dobble_print.theme.options import (
    BACK,
    BACK_COLOR,
    CARD,
    HINT_PIXELS,
    MOST_PIXELS,
    PICTURES,
    PRESS,
    SECTIONS,
    TITLE_LINE,
    BackOptions,
    CardOptions,
    Field,
    Section,
)
from dobble_print.theme.pictures import PictureFolder, is_picture
from dobble_print.theme.source import ListNode, MapNode, Node, TextNode, explain_dash
from dobble_print.words.languages import find_language, language_name

MOST_UNKNOWN = 20
Item = TypeVar("Item")
Words = TypeVar("Words")


class FaultCollector:
    """The faults of one theme, in the order they were met."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def add(self, place: Place, what: str, hint: str = "") -> None:
        """Note a fault."""
        self.faults.append(Fault(what, hint, place))

    def add_unknown(self, key: TextNode, known: Iterable[str], section: str = "") -> None:
        """Note a key that does not exist."""
        known = list(known)
        where = f" in {section}" if section else ""
        hint = (
            hint_split(key.text)
            or ("" if section else _hint_section(key.text, known))
            or suggest(key.text, known, f"Known: {', '.join(known)}.")
        )
        self.add(key.place, f"unknown key {quote(key.text)}{where}", hint)

    def read(self, key: str, kind: Kind, node: Node | None) -> Any | None:
        """Return the value of a key; None when it is not there or wrong (or when its word for nothing is None)."""
        if isinstance(node, ListNode | MapNode):
            self._add_several(key, kind, node)
        if not isinstance(node, TextNode):
            return None
        if node.empty:
            self.add(node.place, f"{key} has no value", _hint_empty(key, kind, node))
            return None
        text = node.text if kind is PICTURE_PATH else node.text.strip()  # a file name may end in a space
        try:
            refuse_curly_quotes(text, node)
            return kind.read(text)
        except InvalidValue as refusal:
            self.add(node.place, f"{key}: {refusal.what}", refusal.hint)
            return None

    def _add_several(self, key: str, kind: Kind, node: ListNode | MapNode) -> None:
        """Note a list where a single value belongs; `word: nl` is one value, torn apart by a space."""
        torn = ""
        if kind in (FACE, OWN_FACE) and isinstance(node, MapNode) and len(node.entries) == 1:
            ((first, value),) = node.entries
            torn = find_closest_face(f"{first.text}:{value.text}") if isinstance(value, TextNode) else ""
        if torn:
            self.add(node.place, f"{key}: a space stands after the colon", f"Write {torn}.")
        else:
            self.add(node.place, f"{key} should be a single value, not a list", f"Give {kind.describe()}.")

    def read_field(self, field: Field, node: Node | None) -> Any | None:
        """Return the value of a field, or None when it is wrong; of a list, all its values."""
        return self.read_values(field, node) if field.is_list else self.read(field.key, field.kind, node)

    def read_values(self, field: Field, node: Node | None) -> tuple[Any, ...]:
        """Return the good values of a list, or of the one value that stands for it; none twice."""
        items, values = (node.items if isinstance(node, ListNode) else (node,) if node else ()), dict[Any, None]()
        if len(items) > field.most:
            self.add(items[field.most].place, f"{field.key} takes {field.most} at most", "Remove the rest.")
        for item in items[: field.most]:
            value = self.read(field.key, field.kind, item)
            if value is not None and value in values:
                self.add(item.place, f"{quote(str(value))} is listed twice", "Remove one.")
            elif value is not None:
                values[value] = None
        return tuple(values)

    def entries(self, section: Section, node: MapNode) -> Iterator[tuple[Field, Node]]:
        """Yield the known fields of a mapping with their nodes; unknown, missing and clashing ones become faults."""
        written, known = {key.text: key for key, _ in node.entries}, section.keys
        unknown = [key for key in written.values() if key.text not in known]
        unknown = [key for key in unknown if not (section.names and find_language(key.text))]
        for key in unknown[:MOST_UNKNOWN]:
            self.add_unknown(key, known, section.key)
        missing = [key for key in section.required if key not in written]
        if missing and not unknown:  # an unknown key may be the misspelled one
            self.add(node.place, f"{section.key} needs {list_words(missing, 'and')}", f"Add {missing[0]}: ….")
        for first, second in section.apart:
            if first in written and second in written:
                what = f"{quote(second)} stands beside {quote(first)}"
                self.add(written[second].place, what, "Remove one of them.")
        fields = {field.key: field for field in section.fields}
        yield from ((fields[key.text], value) for key, value in node.entries if key.text in fields)

    def read_section(self, section: Section, node: Node | None) -> dict[str, Any]:
        """Return the values of a section by attribute of the model; what is missing or wrong is left to its default."""
        if node is None or (isinstance(node, TextNode) and node.empty and not section.short):
            return {}
        if not isinstance(node, MapNode):
            hint = isinstance(node, TextNode) and hint_touching(node.text)  # size:85 is a text
            hint = hint or f"It knows {list_words(section.keys, 'and')}."
            self.add(node.place, f"{section.key} should hold keys of its own", hint)
            return {}
        values = {}
        for known, value in self.entries(section, node):
            before = len(self.faults)
            read = self.read_field(known, value)
            if len(self.faults) == before:
                values[known.attribute or known.key] = read
        return values

    def read_entries(self, entries: Section, node: Node | None) -> tuple[Node, ...]:
        """Return the items of a list of sections, as many as it may have."""
        items = self.read_items(entries.key, node) if node else ()
        if isinstance(node, ListNode) and not entries.least <= len(items) <= entries.most:
            self.add(node.place, f"{entries.key} has {len(items)}", f"Give {entries.describe()}.")
        return items[: entries.most]

    def read_items(self, key: str, node: Node) -> tuple[Node, ...]:
        """Return the items of a list."""
        if isinstance(node, ListNode):
            return node.items
        hint = "Start each line below it with a dash and a space."
        if isinstance(node, TextNode) and re.match(r"-[^\W\d_]", node.text):
            self.add(node.place, *explain_dash(node.text.split()[0]))
            return ()
        if isinstance(node, TextNode) and "," in node.text:
            hint = f"Put the list in [ ], or start each of the {key} on a line of its own with a dash and a space."
        self.add(node.place, f"{key} should be a list", hint)
        return ()


def find_alike(
    items: Iterable[Item], list_traits: Callable[[Item], Iterable[tuple[Hashable, Words]]]
) -> Iterator[tuple[Item, Item, Words]]:
    """Find the items that have a trait of an earlier one: yield the item, that earlier one, and words for the trait.

    `list_traits` gives what no two may share, the weightiest first; of several that two share, the first counts.
    """
    first_with: dict[Hashable, Item] = {}
    for item in items:
        traits = list(list_traits(item))
        shared = next(((first_with[trait], words) for trait, words in traits if trait in first_with), None)
        if shared:
            yield item, *shared
        for trait, _ in traits:
            first_with.setdefault(trait, item)


def _hint_section(key: str, known: Collection[str]) -> str:
    """Return where a key belongs that stands at the margin: `size` is one of those below `card:`."""
    owners = [section.key for section in SECTIONS if section.key in known and key in section.keys]
    if not owners:
        return ""
    below = list_words([f"{owner}:" for owner in owners])
    return f"It belongs below {below}, two spaces further to the right; or write {owners[0]}: {{{key}: …}}."


def hint_split(key: str) -> str:
    """Return what to do about a key that is really a piece of a value, or a key with its value."""
    if key.isdigit():  # {size: 85,5} reads as size 85 and a key 5
        return 'A decimal comma needs quotes: "85,5".'
    return hint_touching(key)


def hint_touching(text: str) -> str:
    """Return what to do about a text that is really a key with its value: `size:85`."""
    key, _, value = text.partition(":")
    return hint_space(key, value) if value else ""


def refuse_curly_quotes(text: str, node: TextNode) -> None:
    """Refuse quotes that YAML takes for letters; raise `InvalidValue`."""
    if has_curly_quotes(text) and not node.quoted:
        raise InvalidValue(f"{quote(text)} {CURLY_QUOTES}", STRAIGHT_QUOTES)


def _hint_empty(key: str, kind: Kind, node: TextNode) -> str:
    if node.comment:
        example = clip(node.comment.split()[0].rstrip(",}]"))
        what = "the colour" if isinstance(kind, ColorKind) else "it"
        return f'Everything after # is a comment: put {what} in quotes, {key}: "{example}".'
    return "Write one after the colon, or remove the line."


Values = dict[str, dict[str, Any]]  # by section, then by attribute of its model


def read_sections(
    top: Mapping[str, Node] | MapNode, sections: Iterable[Section], folder: Path, collector: FaultCollector
) -> Values:
    """Return the values of every section; a section that is not there has none."""
    values: Values = {}
    for section in sections:
        node = top.get(section.key)
        if section is BACK:
            values[BACK.key] = asdict(_read_back(node, folder, collector)) if node else {}
            continue
        values[section.key] = collector.read_section(section, node)
        if section is PRESS and "output_profile" in values[PRESS.key] and isinstance(node, MapNode):
            _find_output_profile(node, values[PRESS.key], folder, collector)
        if section is PICTURES and isinstance(node, MapNode):
            _check_pixels(node, values[PICTURES.key], collector)
        if section is CARD and values[CARD.key].get("rim_color") == NO_COLOR:
            values[CARD.key] |= {"rim_color": CardOptions.rim_color, "rim_width_mm": 0.0}
    return values


def _find_output_profile(node: MapNode, values: dict[str, Any], folder: Path, collector: FaultCollector) -> None:
    """Put the file in the place of its name."""
    name = values.pop("output_profile")
    try:
        path = find_inside(folder, name, "Put it beside the file that names it.")
        if not path.is_file():
            raise InvalidValue(f"there is no file {quote(name)}", "Check its name and folder.")
        values["output_profile"] = path
    except InvalidValue as refusal:
        place = (node.get("output_profile") or node).place
        collector.add(place, f"press.output_profile: {refusal.what}", refusal.hint)


def merge_values(*layers: Values) -> Values:
    """Merge layers of values; later ones count more."""
    keys = dict.fromkeys(key for layer in layers for key in layer)
    return {key: {name: value for layer in layers for name, value in layer.get(key, {}).items()} for key in keys}


def make_back(color: str) -> BackOptions:
    """Return a plain back of that colour, or none."""
    return BackOptions() if color == NO_COLOR else BackOptions(color, "color")


def _check_pixels(node: MapNode, values: dict[str, Any], collector: FaultCollector) -> None:
    """Check the size of pictures, each side of which may be large but not both."""
    width, height = values.get("width_px", 0), values.get("height_px", 0)
    if width * height > MOST_PIXELS:
        what = f"pictures of {width} × {height} pixels are too large"
        collector.add((node.get("height") or node).place, what, HINT_PIXELS)
        del values["width_px"], values["height_px"]


def _read_back(node: Node, folder: Path, collector: FaultCollector) -> BackOptions:
    if isinstance(node, TextNode) and is_picture(node.text):
        hint = f"Write {{image: {clip(node.text)}}}."
        collector.add(node.place, f"back: {quote(node.text)} is not a colour", hint)
        return BackOptions()
    if isinstance(node, TextNode):
        return make_back(collector.read(BACK.key, BACK_COLOR, node) or NO_COLOR)
    values = collector.read_section(BACK, node)
    back = BackOptions(values.get("color", BackOptions.color), "color" if values else "none")
    back = replace(back, fit=values.get("fit", "auto"), color_is_chosen="color" in values)
    if "fit" in values and "image" not in values and isinstance(node, MapNode):
        collector.add((node.get("fit") or node).place, "fit: is for a picture", "Add image: …, or leave it out.")
    if "image" not in values or not isinstance(node, MapNode):
        return replace(back, kind="pattern") if "kind" in values else back
    place = (node.get("image") or node).place
    if "kind" in values:
        collector.add(place, "a back has a pattern or a picture, not both", "Remove one.")
    try:
        return replace(back, kind="image", image=PictureFolder(folder).find(values["image"]))
    except InvalidValue as refusal:
        collector.add(place, f"back: {refusal.what}", refusal.hint)
        return back


@dataclass
class Names:
    """The good names by language code, and every code for which one was tried."""

    good: dict[str, str] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)

    def add(self, key: TextNode, node: Node, kind: Kind, collector: FaultCollector) -> None:
        """Read one name; the key must be a known language."""
        language = find_language(key.text)
        assert language is not None
        if language.code in self.tried:
            collector.add(key.place, f"the {language.name} name stands here twice", "Remove one.")
            return
        self.tried.add(language.code)
        name = collector.read(key.text, kind, node)
        if name is not None:
            self.good[language.code] = name

    def add_all(self, what: str, node: Node, kind: Kind, collector: FaultCollector) -> None:
        """Read a mapping of language codes to names."""
        if not isinstance(node, MapNode):
            collector.add(node.place, f"{what} should go by language", f"Write {what}: {{en: …, nl: …}}.")
            return
        for key, value in node.entries:
            if find_language(key.text):
                self.add(key, value, kind, collector)
            else:
                collector.read(what, LANGUAGE, key)  # which refuses it, in the words used for every language

    def adopt(self, listed: Iterable[str]) -> None:
        """Take for each listed region that has no text that of its language: `pt` for `pt-BR`."""
        for code in listed:
            base = code.split("-")[0]
            if code not in self.tried and base in self.tried:
                self.tried.add(code)
                self.good |= {code: self.good[base]} if base in self.good else {}

    def demand(
        self, what: str, listed: Iterable[str], place: Place, collector: FaultCollector, otherwise: str = ""
    ) -> None:
        """Check that every listed language has its text; those that lack it are one fault."""
        listed = tuple(listed)
        self.adopt(listed)
        missing = [code for code in listed if code not in self.tried]
        if missing:
            hint = f"Add {', '.join(f'{code}: …' for code in missing)}{otherwise}."
            collector.add(place, f"{what} is missing in {list_words(map(language_name, missing), 'and')}", hint)


def spread_words(name: str) -> str:
    """Return a file name's words with spaces between them: `my_red-car` is `my red car`."""
    return re.sub(r"[\s_-]+", " ", name).strip() or name


def make_title(name: str) -> str:
    """Return a title made of the name of a theme."""
    title = TITLE_LINE.fit(spread_words(name))
    return title[:1].upper() + title[1:] if title else "My game"


def make_slug(name: str) -> str:
    """Return a name as one lower-case word: `L'été bleu` is `l-ete-bleu`; other scripts keep their letters."""
    bare = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", name))
    return re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", bare).casefold()).strip("-")
