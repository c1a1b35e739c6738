"""What holds between the rows of a list: every symbol has its names, an id of its own, and looks like no other.

Invariant: rows that pass here make a theme without a fault, for the theme's own reader has looked at them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dobble_print.errors import Fault, Place, ThemeError
from dobble_print.messages import list_words, quote
from dobble_print.theme.face_kinds import FaceEntry
from dobble_print.theme.faces import fold_print
from dobble_print.theme.options import ID
from dobble_print.theme.source import ListNode, MapNode, Node, TextNode
from dobble_print.theme.starter import Claims, Entry
from dobble_print.theme.symbols import Draft, read_symbols
from dobble_print.theme.values import Findings
from dobble_print.theme.wordlist_columns import Record
from dobble_print.words.languages import language_name
from dobble_print.words.writing import strip_variants

TYPED = "--from"  # the "file" of words typed on the command line

_ONE_OF_THEM = "Remove one of them, or give one an emoji or a picture of its own."
_TWO_ANSWERS = "A match would have two answers: remove or change one of them."


def label_record(record: Record) -> str:
    """What a person calls a row."""
    texts = (*record.names.values(), record.word, record.text, record.emoji, record.picture, " = ".join(record.faces))
    return next(filter(None, texts), "")


def check_entries(
    entries: Sequence[Entry],
    records: Sequence[Record],
    languages: tuple[str, ...],
    folder: Path,
    faults: Sequence[Fault],
) -> list[Entry]:
    """The entries with ids that differ, after the theme's own reader has looked at them; raises all faults at once."""
    findings = Findings()
    nodes = [_make_node(entry, record.place) for entry, record in zip(entries, records, strict=True)]
    drafts = read_symbols(tuple(nodes), folder, languages, findings)
    missing = [_refuse_nameless(draft, record, languages) for draft, record in zip(drafts, records, strict=False)]
    checked = _tell_ids_apart(entries, drafts, languages)
    told = {fault.place for fault in faults}  # one fault a row is enough
    found = [*findings.faults, *filter(None, missing), *_refuse_alike(drafts, languages)]
    ThemeError.raise_any([*faults, *(fault for fault in found if fault.place not in told)])
    return checked


def _make_node(entry: Entry, place: Place) -> Node:
    """An entry as the reader would meet it in a file."""

    def make_text(text: str) -> TextNode:
        return TextNode(place, text, quoted=True)

    kind, text = entry.picture
    names = MapNode(place, tuple((make_text(code), make_text(name)) for code, name in entry.names.items()))
    faces = ListNode(place, tuple(map(make_text, entry.faces)))
    keys: dict[str, Node] = {kind: faces if entry.faces else make_text(text)}
    keys |= {"id": make_text(entry.id)} if entry.id else {}
    keys |= {"names": names} if entry.names else {}
    return MapNode(place, tuple((make_text(key), value) for key, value in keys.items()))


def _refuse_nameless(draft: Draft, record: Record, languages: Sequence[str]) -> Fault | None:
    missing = [code for code in languages if code not in draft.languages]
    if not missing or draft.picture[0] in ("text", "faces") or draft.source is None:
        return None
    what = f"{quote(label_record(record))} has no {list_words(map(language_name, missing))} name"
    return Fault(what, "Fill in the cell, or remove the column.", record.place)


def _tell_ids_apart(entries: Sequence[Entry], drafts: Sequence[Draft], languages: tuple[str, ...]) -> list[Entry]:
    """An id for each symbol whose own would be another's; ids that the list gives come first."""
    claims, checked = Claims(), list[Entry]()
    for entry in entries:
        claims.taken |= {entry.id.casefold()} if entry.id else set()
    for entry, draft in zip(entries, drafts, strict=False):
        natural = draft.make_id(languages)
        own = entry.id or claims.claim(natural[: ID.most - 5], "-")
        if own != natural:
            draft.options["id"] = own
        checked.append(entry if own == natural else replace(entry, id=own))
    return checked


def _refuse_alike(drafts: Sequence[Draft], languages: tuple[str, ...]) -> Iterator[Fault]:
    """Two symbols that players would take for each other."""
    seen: dict[Hashable, Draft] = {}
    for draft in drafts:
        traits = dict(_list_traits(draft, languages))
        shared = next(((words, seen[trait]) for trait, words in traits.items() if trait in seen), None)
        if shared:
            words, first = shared
            row = "" if first.place.file == TYPED else f" in row {first.place.line}"
            what = f"{quote(_call(draft, languages))} has the same {words} as {quote(_call(first, languages))}{row}"
            yield Fault(what, _TWO_ANSWERS if draft.faces else _ONE_OF_THEM, draft.place)
        for trait in traits:
            seen.setdefault(trait, draft)


def _list_traits(draft: Draft, languages: tuple[str, ...]) -> Iterator[tuple[Hashable, str]]:
    kind, text = draft.picture
    if draft.source is None:  # it has a fault already
        return
    char = draft.word.emoji if kind == "word" and draft.word else text
    for printed in _list_printed(draft):
        yield ("printed", fold_print(printed)), f"text {quote(printed)}"
    if kind == "faces":  # one of its texts may be the id of another
        return
    yield ("emoji", strip_variants(char)) if kind in ("word", "emoji") else (kind, text), f"picture {_show(kind, char)}"
    names = dict.fromkeys(languages, text) if kind == "text" else {}
    for code, name in (names | draft.names_in(languages)).items():
        yield (code, name.casefold()), f"{language_name(code)} name {quote(name)}"
    yield draft.make_id(languages), f"id {quote(draft.make_id(languages))}"


def _show(kind: str, text: str) -> str:
    return text if kind in ("word", "emoji") else quote(text)


def _call(draft: Draft, languages: tuple[str, ...]) -> str:
    return next(iter(draft.names_in(languages).values()), draft.picture[1])


def _list_printed(draft: Draft) -> list[str]:
    """The texts that cards will show for a symbol."""
    faces = [face for face in draft.options.get("faces", ()) if isinstance(face, FaceEntry)]
    texts = [face.text for face in faces if face.kind == "text"]
    return [*texts, draft.picture[1]] if draft.picture[0] == "text" else texts
