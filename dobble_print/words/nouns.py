"""One and many: the plural of any name, by one rule a language and the tables of `templates/nouns/`.

A table pairs `singular: plural` where the rule gives another plural; a pair such as `-man: -men` holds for all words
that end so. A name that is never counted is its own pair.

Invariant: nothing is read before a plural is asked for; what comes out has the capitals of what went in.
"""

from __future__ import annotations

import re
from functools import cache

from dobble_print.resources import read_yaml

FOLDER = "nouns"
_CONSONANT = "[b-df-hj-np-tv-z]"
# What a plural does to the end of a word; the first pattern that is found counts.
RULES: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (rf"(?<={_CONSONANT})y$", "ies"),
        ("(?<=[sxz])$|(?<=[cs]h)$", "es"),
        ("$", "s"),
    ),
    "nl": (
        ("(?<=eau)$|(?<=[^aeiou]e|ie|.é)$", "s"),
        ("(?<=[aiouy])(?<![aeou][aeiou])$", "'s"),
        (r"([aeou])\1f$", r"\1ven"),
        (r"([aeou])\1s$", r"\1zen"),
        ("(?<=ij|ui|eu|oe|ie|.l|.r)f$", "ven"),
        ("(?<=ij|ui|eu|oe|ie)s$", "zen"),
        ("([aeiouy].*(?:[^aeiou]e[lmnr]|aaier|aar|eur))$", r"\1s"),
        (rf"([aeou])\1({_CONSONANT})$", r"\1\2en"),
        (rf"(?<![aeiou])([aeiou])({_CONSONANT})(?<![wxj])$", r"\1\2\2en"),
        ("$", "en"),
    ),
    "fr": (
        ("(?<=[sxz])$", ""),
        ("al$", "aux"),
        ("(?<=au|eu)$", "x"),
        ("$", "s"),
    ),
    "de": (
        ("in$", "innen"),
        ("(?<=e)$", "n"),
        ("(?<=chen|lein)$|(?<=e[lnr])$", ""),
        ("(?<=ung|eit|ion|tät|aft|rei)$", "en"),
        ("(?<=[aiouy])(?<![aeo][iu])$", "s"),
        ("nis$", "nisse"),
        ("$", "e"),
    ),
    "es": (
        ("z$", "ces"),
        ("(?<=[aeiouáéó])$", "s"),
        ("án$", "anes"),
        ("én$", "enes"),
        ("ín$", "ines"),
        ("ón$", "ones"),
        ("ún$", "unes"),
        ("és$", "eses"),
        ("ás$", "ases"),
        ("ús$", "uses"),
        ("(?<=s|x)$", ""),
        ("(?<=[bcfgkmptíúy])$", "s"),
        ("$", "es"),
    ),
    "it": (
        ("(?<=[cg])a$", "he"),
        ("(?<=[^aeiou][cg])ia$", "e"),
        ("a$", "e"),
        ("io$", "i"),
        ("(?<=[iae]c)o$", "i"),
        ("(?<=[cg])o$", "hi"),
        ("[oe]$", "i"),
        ("$", ""),
    ),
    "pt": (
        ("ão$", "ões"),
        ("m$", "ns"),
        ("([áâéêíóôú].*)[ei]l$", r"\1eis"),
        ("([au])l$", r"\1is"),
        ("ol$", "óis"),
        ("el$", "éis"),
        ("il$", "is"),
        ("ês$", "eses"),
        ("(?<=[rz])$", "es"),
        ("(?<=[sx])$", ""),
        ("$", "s"),
    ),
    "pl": (
        ("ek$", "ki"),
        ("i?ec$", "ce"),
        ("(?<=[kg])a$", "i"),
        ("(?<=sz|cz|rz|dz)a$|(?<=[cjlż])a$", "e"),
        ("(?<=[bcdfghjklłmnprstwzżźśćń]i)a$", "e"),
        ("a$", "y"),
        ("(?<=[iu])$", ""),
        ("y$", "e"),
        ("(?:um|[oe])$", "a"),
        ("ę$", "ęta"),
        ("ość$", "ości"),
        ("ć$", "cie"),
        ("dź$", "dzie"),
        ("ś$", "sie"),
        ("ź$", "zie"),
        ("ń$", "nie"),
        ("(?<=sz|cz|rz)$|(?<=[cjlż])$", "e"),
        ("(?<=[kg])$", "i"),
        ("$", "y"),
    ),
}
_ADJECTIVES = (("(?<=[kg])[ai]$", "ie"), ("[yae]$", "e"), ("i$", "ie"))  # Polish, behind their noun
# Words behind which nothing changes: `máquinas de coser`, `Fische am Stiel`.
LINKS = {
    "en": "of in and on with without for to at over",
    "nl": "van met zonder op in en voor aan uit bij naar dat",
    "fr": "de d du des à au aux en et pour sur sous avec sans vers dans par chez qui l la le",
    "de": "mit ohne und am im aus zum zur auf von der für bei nach",
    "es": "de del a al con para por y en sin hacia entre bajo sobre que",
    "it": "di del della dell d dello delle dei degli da a al alla ai alle con senza e in nel nella su sul per che",
    "pt": "de do da dos das d a à ao com para por e em no na nos nas sem que",
    "pl": "do na w we z ze od dla i pod za bez przez po",
}
_ALL_CHANGE = ("fr", "es", "it", "pt")  # noun and adjective have a plural each; elsewhere it is the last word's


@cache
def read_pairs(code: str) -> dict[str, tuple[str, ...]]:
    """Return the table of a language, the singulars in small letters; the usual one of several plurals first."""
    return {one.lower(): tuple(many.split(" / ")) for one, many in read_yaml(f"{FOLDER}/{code}.yaml").items()}


def make_plurals(text: str, code: str) -> tuple[str, ...]:
    """Return the plural of a name, the usual one first where there are several."""
    if text.lower() in read_pairs(code):
        return tuple(_copy_capital(text, form) for form in read_pairs(code)[text.lower()])
    parts = re.split(r"([ '’-])" if code in _ALL_CHANGE else "( )", text)
    end = next((i for i, part in enumerate(parts) if i and part.lower() in LINKS[code].split()), len(parts) + 1) - 1
    changed = range(0, end, 2) if code in (*_ALL_CHANGE, "pl") else [end - 1]
    made = [""]
    for i, part in enumerate(parts):
        forms = _change_word(part, code, is_first=not i) if i in changed else (part,)
        made = [before + form for before in made for form in forms]
    return tuple(made)


def _change_word(word: str, code: str, is_first: bool) -> tuple[str, ...]:
    """Return the plurals of one word: by the table, whole or by its longest ending there, or else by the rule."""
    if code == "pl" and not is_first:
        return (_apply(_ADJECTIVES, word),)
    pairs, small = read_pairs(code), word.lower()
    if small in pairs:
        return tuple(_copy_capital(word, form) for form in pairs[small])
    for at in range(len(word)):
        if forms := pairs.get(f"-{small[at:]}"):
            return tuple(_copy_capital(word, word[:at] + form.removeprefix("-")) for form in forms)
    return (_apply(RULES[code], word),)


def _apply(rules: tuple[tuple[str, str], ...], word: str) -> str:
    found = next(((ending, plural) for ending, plural in rules if re.search(ending, word, re.IGNORECASE)), None)
    return re.sub(*found, word, count=1, flags=re.IGNORECASE) if found else word


def _copy_capital(word: str, form: str) -> str:
    return form[:1].upper() + form[1:] if word[:1].isupper() else form
