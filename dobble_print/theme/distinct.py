"""What holds between symbols: all named in every language, and no two alike.

Invariant: two symbols that a player could take for each other never reach a deck.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator, Mapping, Set

from dobble_print.errors import Place
from dobble_print.messages import clip, list_words, name_one, point_at, quote
from dobble_print.theme.findings import Findings
from dobble_print.theme.model import Emoji, ImageFile, Source, Text
from dobble_print.theme.symbols import FACES, NAMES, Draft
from dobble_print.words.languages import language_name, order_of_language
from dobble_print.words.writing import strip_variants

_TWO_ANSWERS = "The deck would have two right answers: remove or change one."


def derive_languages(drafts: list[Draft], titled: Set[str] | None) -> tuple[str, ...]:
    """The languages in which every symbol that has names is named.

    Where the theme writes all the names itself, those that the lexicon could add are not asked for; nor are those
    for which the theme has no title, when its titles go by language.
    """
    named = [draft.languages for draft in drafts if draft.languages]
    if all(draft.names.tried and draft.picture[0] != "word" for draft in drafts if draft.languages):
        named = [draft.names.tried for draft in drafts if draft.languages]
    elif titled is not None:
        named.append(set(titled))
    common = set.intersection(*named) if named else set()
    return tuple(sorted(common, key=order_of_language))


def check_names(drafts: list[Draft], listed: Mapping[str, Place | None], findings: Findings) -> None:
    """Every symbol (but a text, which names itself) needs a name in each listed language.

    A language that no symbol has is one fault where it is listed, not one a symbol.
    """
    needy = [draft for draft in drafts if _needs_names(draft)]
    absent = [code for code in listed if len(needy) > 1 and all(code not in draft.languages for draft in needy)]
    for code in absent:
        place = listed[code] or needy[0].place
        hint = f"Add {_show_keys([code])} to each symbol or {_give_up([code], listed)}."
        findings.add(place, f"no symbol has {name_one(language_name(code))} name", hint)
    for draft in needy:
        missing = [code for code in listed if code not in absent and code not in draft.languages]
        if missing:
            _add_missing(draft, missing, listed, findings)


def _needs_names(draft: Draft) -> bool:
    """A text names itself; a word that is not in the lexicon has its fault already."""
    key = draft.picture[0]
    return key not in ("text", FACES) and (draft.source is not None or not (draft.is_short or key == "word"))


def _show_keys(codes: list[str]) -> str:
    """The keys to add; beside a picture, `id` is the symbol's id, not Indonesian."""
    keys = ", ".join(f"{code}: …" for code in codes)
    return f'"names: {{{keys}}}"' if "id" in codes else f'"{keys}"'


def _give_up(codes: list[str], listed: Mapping[str, Place | None]) -> str:
    """How to do without these languages: where the theme lists them, or on the command line."""
    if listed[codes[0]] is None:
        return f"leave out {list_words([f'--lang {code}' for code in codes], 'and')}"
    return f"remove {list_words(codes, 'and')} from languages"


def _add_missing(draft: Draft, missing: list[str], listed: Mapping[str, Place | None], findings: Findings) -> None:
    key, written = draft.picture
    is_short = draft.is_short and written
    add = f"Write {{{key}: {clip(written)}, {_show_keys(missing)[1:-1]}}}" if is_short else f"Add {_show_keys(missing)}"
    hint = f"{add} or {_give_up(missing, listed)}."
    label = draft.make_id(tuple(listed))
    who = f"symbol {quote(label)}" if label else "this symbol"
    findings.add(draft.place, f"{who} has no {list_words(map(language_name, missing))} name", hint)


def check_distinct(drafts: list[Draft], listed: tuple[str, ...], findings: Findings) -> None:
    """No two symbols share a picture, a name in one language or an id; of two alike, the first likeness is told.

    The later one loses its picture, so that no later stage finds the two alike again.
    """
    seen: dict[Hashable, Draft] = {}
    for draft in drafts:
        _settle_id(draft, listed, seen)
        traits = list(_list_traits(draft, listed))
        shared = [(seen[trait], words, hint) for trait, words, hint in traits if trait in seen]
        for first, words, hint in shared[:1]:
            twin = point_at(_call(first), first.place.line, draft.place.line)
            findings.add(draft.place, f"this symbol has the same {words} as {twin}", hint)
            draft.source = None
        for trait, _, _ in traits:
            seen.setdefault(trait, draft)


def _call(draft: Draft) -> str:
    """A symbol as its author knows it: by a name that the theme gives, or else by its picture as written."""
    return next(iter(draft.names.good.values()), draft.picture[1])


def _settle_id(draft: Draft, listed: tuple[str, ...], seen: Container[Hashable]) -> None:
    """An id that nobody wrote gives way: beside 🐱, which is "cat", the text cat is "text-cat"."""
    own_id = draft.make_id(listed)
    if own_id in seen and "id" not in draft.options and not draft.names.tried:
        draft.options["id"] = f"{draft.picture[0]}-{own_id}"


def _list_traits(draft: Draft, listed: tuple[str, ...]) -> Iterator[tuple[Hashable, str, str]]:
    """What a symbol may not share with another, the weightiest first: the trait, words for it, what to do about it."""
    if draft.source and draft.picture[0] not in (FACES, NAMES):  # those are compared face by face
        yield ("picture", _picture_of(draft.source)), "picture", _TWO_ANSWERS
    for code, name in draft.names_in(listed).items():
        yield (code, name.casefold()), f"{language_name(code)} name {quote(name)}", _TWO_ANSWERS
    if draft.source or "id" in draft.options:
        own_id = draft.make_id(listed)
        yield own_id, f"id {quote(own_id)}", "Give one of them another: id: …."


def _picture_of(source: Source) -> str:
    """What makes two pictures the same one."""
    if isinstance(source, ImageFile):
        return str(source.path)
    if isinstance(source, Emoji):
        return strip_variants(source.char)
    assert isinstance(source, Text)  # a captioned picture is made of a symbol, never read as one
    return f"text {source.text}"
