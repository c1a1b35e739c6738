"""What is worth a look: remarks about symbols, each with a code and its values, for the page to say and to mend.

Invariant: a remark that was answered with Keep is not made again; none of them stops anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from dobble_print.errors import Fault
from dobble_print.studio.document import Entry, Reading, list_unnamed
from dobble_print.theme.arithmetic import evaluate, warn_about_sums
from dobble_print.theme.model import Text
from dobble_print.words.lexicon import fold
from dobble_print.words.near import suggest_names

Plain = dict[str, Any]
MOST_GUESSED = 25  # unknown words of a list whose meaning is guessed: it takes a while, and nobody reads as many
MOST_LETTERS = 14  # of a word that prints large enough on a card of six symbols
_SAME = re.compile(r'shows the same picture as "([^"]*)"')
_MANY_LETTERS = re.compile(r"[^\W\d_]{2}")


def list_remarks(reading: Reading, seen: Mapping[str, Any]) -> list[Plain]:
    """Return all remarks; `seen` holds what workers have found out about pictures, by kind."""
    found = [*_remark_on_entries(reading), *_remark_on_sums(reading), *_remark_on_pictures(reading, seen)]
    kept = {entry.id: entry.kept for entry in reading.entries}
    unanswered = [each for each in found if each["code"] not in kept.get(each["symbol"], ())]
    order = {entry.id: index for index, entry in enumerate(reading.entries)}
    return sorted(unanswered, key=lambda each: (order.get(each["symbol"], 0), each["code"]))


def make_remark(symbol: str, code: str, sentence: str = "", **values: Any) -> Plain:
    """Return a remark; `sentence` is the program's own, in English, for whoever has no text for the code."""
    return {"id": f"{symbol}:{code}:{values.get('other', '')}", "symbol": symbol, "code": code} | {
        "sentence": sentence,
        "values": values,
    }


def _remark_on_entries(reading: Reading) -> Iterator[Plain]:
    languages, unknown = reading.theme.languages or ("en",), 0
    twins: dict[str, str] = {}
    for entry in reading.entries:
        first = twins.setdefault(f"{entry.kind} {fold(entry.text)}", entry.id)
        if first != entry.id and entry.symbol is None:
            yield make_remark(entry.id, "twice", _tell(reading, entry), other=first, text=entry.text)
            continue
        if entry.kind == "text" and _MANY_LETTERS.search(entry.text) and evaluate(entry.text) is None:
            near = _suggest(entry.text, languages) if (unknown := unknown + 1) <= MOST_GUESSED else ()
            yield make_remark(entry.id, "unknown", text=entry.text, near=list(near))
            if len(entry.text) > MOST_LETTERS:
                yield make_remark(entry.id, "long", text=entry.text)
        missing = list_unnamed(entry.symbol, languages) if entry.symbol else []
        for code in missing:
            yield make_remark(entry.id, "nameless", _tell(reading, entry), language=code)
        faults = reading.symbol_faults.get(entry.id, ())
        if faults and not missing:
            yield make_remark(entry.id, "fault", _say(faults), blocks=entry.symbol is None)


@lru_cache(maxsize=2000)
def _suggest(text: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(suggest_names(text, languages))


def _tell(reading: Reading, entry: Entry) -> str:
    return _say(reading.symbol_faults.get(entry.id, ()))


def _say(faults: Sequence[Fault]) -> str:
    return " ".join(f"{fault.what[:1].upper()}{fault.what[1:]}. {fault.hint}".strip() for fault in faults)


def _remark_on_sums(reading: Reading) -> Iterator[Plain]:
    """Remark on wrong answers, with the right one where it is a whole number; and on sums that are worth the same."""
    by_place = {entry.place: entry for entry in reading.entries}
    worth: dict[Any, tuple[str, str]] = {}
    for entry in reading.entries:
        for amount in filter(None, map(evaluate, _list_texts(entry))):
            worth.setdefault(amount.value, (entry.id, amount.text))
    for fault in warn_about_sums(reading.theme.symbols):
        owner = by_place.get(fault.place) if fault.place else None
        if owner is None:
            continue
        amounts = list(filter(None, map(evaluate, _list_texts(owner))))
        if "not equal" in fault.what:
            right = {"sum": amounts[0].text, "right": str(amounts[0].value), "given": amounts[1].text}
            yield make_remark(owner.id, "sum", _say([fault]), **(right if amounts[0].value.denominator == 1 else {}))
        else:
            found = next((a for a in amounts if worth.get(a.value, ("",))[0] != owner.id), None)
            other, others = worth[found.value] if found else ("", "")
            told = {"other": other, "sum": found.text, "others": others, "value": str(found.value)} if found else {}
            yield make_remark(owner.id, "equal", _say([fault]), **told)


def _list_texts(entry: Entry) -> list[str]:
    symbol = entry.symbol
    faces = symbol.faces if symbol else ()
    return [face.source.text for face in faces if isinstance(face.source, Text)]


def _remark_on_pictures(reading: Reading, seen: Mapping[str, Any]) -> Iterator[Plain]:
    known = {entry.id for entry in reading.entries}
    for code in ("small", "pale", "faults"):
        for symbol, told in seen.get(code, {}).items():
            if symbol in known:
                sentence = _say([Fault.from_dict(each) for each in told])
                twin = _SAME.search(sentence) if code == "faults" else None
                kind = "same_picture" if twin else "fault" if code == "faults" else code
                other = {"other": twin[1]} if twin else {}
                yield make_remark(symbol, kind, sentence, blocks=code == "faults", **other)
    for pair in seen.get("pairs", ()):
        if pair["reason"] in ("looks", "letters", "colour") and {pair["a"], pair["b"]} <= known:
            values = {key: pair[key] for key in ("score", "reason", "seen_by")}
            yield make_remark(pair["b"], "lookalike", pair["sentence"], other=pair["a"], **values)
