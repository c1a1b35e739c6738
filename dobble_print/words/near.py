"""What an unknown word may mean: first the things it is a part or the head of, then words it is a slip of.

Invariant: a slip keeps the first letter, or takes one that sounds alike; where there are two, both ends are right.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from rapidfuzz.distance import OSA

from dobble_print.messages import list_words, quote
from dobble_print.words.forms import list_forms, strip_any_article, strip_marks
from dobble_print.words.lexicon import Word, find_code, find_named, fold, words
from dobble_print.words.nouns import LINKS

COMPOUNDING = ("en", "nl", "de")  # the head of a name is last, often in one word with the rest: voetbal, Fußball
# Endings that make a thing small: huisje, Häuschen, gatito.
_SMALL = {
    "nl": "(?:e?t|p|k)?jes?",
    "de": "(?:chen|lein)",
    "fr": "ettes?",
    "es": "c?it[oa]s?",
    "it": "(?:in|ett)[oaie]",
    "pt": "z?inh[oa]s?",
    "pl": "(?:e[kc]|[kc]a|ik|yk|ko)",
}
_ALIKE = ("aeiouy", "td", "bp", "ckgqx", "csz", "fvw", "mn", "gjy")  # letters that writers take for each other
_SHORTEST, _LONGEST = 3, 30
_SURE = 5  # letters of a part that is no accident: no Lade is in Schokolade
_SHORT = 6  # letters of a word in which a letter may not become just any other
_LONG = 7  # letters of a word in which two slips are still one word
_LONG_PLURAL = 10
_MOST_NEAR = 3
_TRIED = 10  # of unknown words, to tell slips from the names of people
_MOST_NAMED = 20


def suggest_names(text: str, codes: Iterable[str], groups: Collection[str] = ()) -> list[str]:
    """Return names that may be meant, those of the first language first; of equals those of the groups given."""
    found: dict[str, None] = {}
    for code in dict.fromkeys(filter(None, map(find_code, codes))):
        bare = fold(strip_any_article(text, code)).strip(".")
        if _SHORTEST <= len(bare) <= _LONGEST:
            for ranked in (_find_kin(bare, code), _find_slips(bare, code)):
                rows = sorted((rank, word.group not in groups, len(name), name) for rank, name, word in ranked)
                found |= dict.fromkeys(name for *_, name in rows)
    return list(found)[:_MOST_NEAR]


def hint_near(names: Sequence[str]) -> str:
    """Return `Did you mean "duck"?`, or nothing without a name."""
    return f"Did you mean {list_words(map(quote, names))}?" if names else ""


def name_unknown(places: Mapping[str, str]) -> str:
    """Return unknown words in a row, each with its place where one is given: `"duk" on line 4 and "kipp"`."""
    named = [f"{quote(text)} {place}".rstrip() for text, place in list(places.items())[:_MOST_NAMED]]
    more = [f"{len(places) - _MOST_NAMED} more"] if len(places) > _MOST_NAMED else []
    return list_words([*named, *more], "and")


def hint_unknown(texts: Sequence[str], codes: Sequence[str], groups: Collection[str], offer: str) -> str:
    """Return what unknown words may mean, and the offer for those that mean nothing else."""
    near = {text: names for text in texts[:_MOST_NAMED] if (names := suggest_names(text, codes, groups))}
    if len(texts) == 1 and near:
        return hint_near(near[texts[0]])
    told = [f"{quote(text)} may be {list_words(map(quote, names))}" for text, names in near.items()]
    return f"{'; '.join(told)}. {offer}" if told else offer


def are_slips(texts: Sequence[str], codes: Sequence[str]) -> bool:
    """Return whether nearly all of these are nearly words; of the names of people some are, by accident."""
    tried = texts[:_TRIED]
    return 3 * sum(bool(suggest_names(text, codes)) for text in tried) > 2 * len(tried)


def _find_kin(wanted: str, code: str) -> Iterator[tuple[int, str, Word]]:
    """Yield names that are near in meaning, with how near: its head, a part, a kind."""
    bare, base = _strip_accents(wanted), code.split("-")[0]
    for folded, plain, name, word in _list_folded(code):
        rank = _rate_kin(wanted, folded, base) or (plain != folded and _rate_kin(bare, plain, base))
        if rank:
            yield rank, name, word


@cache
def _list_folded(code: str) -> list[tuple[str, str, str, Word]]:
    """Return every name of a language as it is compared, the same without accents, and as it is written."""
    named = ((name.text, word) for word in words().values() if code in word.names for name in word.names[code].all)
    return [(folded := fold(text), _strip_accents(folded), text, word) for text, word in named]


def _strip_accents(text: str) -> str:
    return text if text.isascii() else " ".join(map(strip_marks, text.split()))


def _rate_kin(wanted: str, name: str, code: str) -> int:
    head, parts = -1 if code in COMPOUNDING else 0, name.split()
    if wanted in parts:
        return 0 if wanted in LINKS[code].split() else 1 if parts[head] == wanted else 2
    last = wanted.split()[head]
    if last == name or _is_small(wanted, name, code):
        return 3
    return _rate_compound(wanted, last, name, code) if code in COMPOUNDING else 0


def _rate_compound(wanted: str, last: str, name: str, code: str) -> int:
    """Return the same where words are joined: `bal` is the head of voetbal, `zeil` a part of zeilboot."""
    if name.endswith(wanted) and _is_joined(name.removesuffix(wanted), wanted, code):
        return 1
    if name.startswith(wanted) and find_named(name.removeprefix(wanted), code):
        return 2
    if last.endswith(name) and _is_joined(last.removesuffix(name), name, code):
        return 3
    is_first = wanted.startswith(name) and len(wanted) - len(name) >= _SHORTEST
    return 4 if is_first and len(name) >= _SURE else 0


def _is_joined(rest: str, head: str, code: str) -> bool:
    """Return whether a word is made of these two parts, and does not just end so."""
    stems = (rest.removesuffix(joint) for joint in ("", "s", "e", "n", "en"))
    are_long = min(len(head), len(rest)) >= _SHORTEST
    return are_long and (len(head) >= _SURE or any(find_named(stem, code) for stem in stems))


def _is_small(text: str, name: str, code: str) -> bool:
    """Return whether a text is a name with an ending that makes it small."""
    ending = re.search(f"{_SMALL[code]}$", text) if code in _SMALL else None
    stem = strip_marks(text[: ending.start()]) if ending else ""
    whole = strip_marks(name)
    stems = (whole, whole.rstrip("aeio"), whole + whole[-1:], whole.removesuffix("t"))  # -pje, gatito, kammetje, kastje
    return len(stem) >= _SHORTEST and stem in stems


def _find_slips(text: str, code: str) -> Iterator[tuple[int, str, Word]]:
    """Yield names that the text is nearly written like, with how many letters differ."""
    bare = strip_marks(text)
    for form, readings in list_forms(code).items():
        slips = count_slips(bare, form)
        for reading in readings if slips else ():
            if slips == 1 or not reading.number or len(form) >= _LONG_PLURAL:  # short ones are alike by their endings
                yield slips, reading.name.text, reading.word


def count_slips(one: str, other: str) -> int:
    """Return how many letters were missed, added, mistaken or swapped; 0 where that is not likely, or none was."""
    short, long = sorted((len(one), len(other)))
    if one == other or short < _SHORTEST or long > _LONGEST:
        return 0
    most = 2 if short >= _LONG else 1
    slips = OSA.distance(one, other, score_cutoff=most)
    is_likely = one[0] + one[-1] == other[0] + other[-1] if slips > 1 else _is_likely(one, other)
    return slips if slips <= most and is_likely else 0


def _is_likely(one: str, other: str) -> bool:
    """Return whether a writer may slip so: a letter that is mistaken sounds alike, or stands inside a long word."""
    if sorted(one) == sorted(other):
        return True
    if len(one) != len(other):
        return one[0] == other[0] or min(len(one), len(other)) >= _SURE
    at = next(i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
    sounds_alike = any(one[at] in letters and other[at] in letters for letters in _ALIKE)
    return len(one) > _SHORTEST and (sounds_alike or (at > 0 and len(one) >= _SHORT))
