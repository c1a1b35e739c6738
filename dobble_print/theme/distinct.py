"""What holds between symbols: all named in every language, and no two alike.

Invariant: two symbols that a player could take for each other never reach a deck.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial

from dobble_print.errors import Place
from dobble_print.theme.emoji import strip_variants
from dobble_print.theme.findings import Findings
from dobble_print.theme.model import Emoji, ImageFile
from dobble_print.theme.symbols import Draft
from dobble_print.theme.tables import language_name, order_of_language
from dobble_print.theme.wording import clip, list_words, quote

_TWO_ANSWERS = "The deck would have two right answers: remove or change one."


def derive_languages(drafts: list[Draft]) -> tuple[str, ...]:
    """The languages in which every symbol that has names is named."""
    named = [set(draft.names.tried) for draft in drafts if draft.names.tried]
    common = set.intersection(*named) if named else set()
    return tuple(sorted(common, key=order_of_language))


def check_names(drafts: list[Draft], listed: Mapping[str, Place | None], findings: Findings) -> None:
    """Every symbol (but a text, which names itself) needs a name in each listed language.

    A language that no symbol has is one fault where it is listed, not one a symbol.
    """
    needy = [draft for draft in drafts if draft.picture[0] != "text" and (draft.source or not draft.is_short)]
    absent = [code for code in listed if len(needy) > 1 and all(code not in draft.names.tried for draft in needy)]
    for code in absent:
        place = listed[code] or needy[0].place
        hint = f'Add "{code}: …" to each symbol or {_give_up([code], listed)}.'
        findings.add(place, f"no symbol has a {language_name(code)} name", hint)
    for draft in needy:
        missing = [code for code in listed if code not in absent and code not in draft.names.tried]
        if missing:
            _add_missing(draft, missing, listed, findings)


def _give_up(codes: list[str], listed: Mapping[str, Place | None]) -> str:
    """How to do without these languages: where the theme lists them, or on the command line."""
    if listed[codes[0]] is None:
        return f"leave out {list_words([f'--lang {code}' for code in codes], 'and')}"
    return f"remove {list_words(codes, 'and')} from languages"


def _add_missing(draft: Draft, missing: list[str], listed: Mapping[str, Place | None], findings: Findings) -> None:
    names = ", ".join(f"{code}: …" for code in missing)
    key, written = draft.picture
    if draft.is_short and written:
        add = f"Write {{{key}: {clip(written)}, {names}}}"
    else:  # beside the other keys, id is the symbol's id, not Indonesian
        add = f'Add "names: {{{names}}}"' if "id" in missing else f'Add "{names}"'
    hint = f"{add} or {_give_up(missing, listed)}."
    label = draft.make_id(tuple(listed))
    who = f"symbol {quote(label)}" if label else "this symbol"
    findings.add(draft.place, f"{who} has no {list_words(map(language_name, missing))} name", hint)


def check_distinct(drafts: list[Draft], listed: tuple[str, ...], findings: Findings) -> None:
    """No two symbols share a picture, a name in one language or an id; the first likeness found of two is told."""
    alike: set[int] = set()
    for index, first in _repeats(drafts, _picture_of, alike):
        findings.add(drafts[index].place, f"this symbol has the same picture as {first}", _TWO_ANSWERS)
    for code in dict.fromkeys(code for draft in drafts for code in draft.names.good):
        for index, first in _repeats(drafts, partial(_name_of, code), alike):
            name = f"{language_name(code)} name {quote(drafts[index].names.good[code])}"
            findings.add(drafts[index].place, f"this symbol has the same {name} as {first}", _TWO_ANSWERS)
    for index, first in _repeats(drafts, partial(_id_of, listed), alike):
        label = quote(drafts[index].make_id(listed))
        findings.add(drafts[index].place, f"the id {label} is already taken by {first}", "Give one another id: id: ….")


def _repeats(drafts: list[Draft], trait: Callable[[Draft], Hashable], alike: set[int]) -> Iterable[tuple[int, str]]:
    """The drafts that repeat an earlier one's trait, with words for the earlier one; each is told once only."""
    seen: dict[Hashable, Draft] = {}
    for index, draft in enumerate(drafts):
        value = trait(draft)
        if not value or index in alike:
            continue
        first = seen.setdefault(value, draft)
        if first is not draft:
            alike.add(index)
            yield index, f"the one on line {first.place.line}"


def _id_of(listed: tuple[str, ...], draft: Draft) -> Hashable:
    return draft.make_id(listed) if draft.source or "id" in draft.options else ""


def _name_of(code: str, draft: Draft) -> Hashable:
    return draft.names.good.get(code, "").casefold()


def _picture_of(draft: Draft) -> Hashable:
    if isinstance(draft.source, ImageFile):
        return draft.source.path
    if isinstance(draft.source, Emoji):
        return strip_variants(draft.source.char)
    return draft.picture if draft.source else ""
