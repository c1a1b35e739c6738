"""The texts of the rules: one file a language under `templates/rules/`, with the keys and placeholders of English.

A file may lack games and most chapters, which booklets in its language then leave out. What a region's file lacks is
that of its language; any file may name another that it falls back to.

Invariant: adding a language is adding a file; nothing here or elsewhere lists the languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import getitem
from typing import Any

from dobble_print.errors import Fault, UsageError
from dobble_print.messages import list_words
from dobble_print.resources import find_template, read_yaml
from dobble_print.words.languages import FALLS_BACK, language_name
from dobble_print.words.plurals import fill_in
from dobble_print.words.typesetting import set_type
from dobble_print.words.writing import write_sums

FALLBACK = "en"
GAMES, COLORS = "games", "colors"
NEEDED = ("labels", "intro", "box", "first", "first_faces", "goal", "credits")  # what no booklet can do without


@dataclass(frozen=True)
class Rules:
    """The texts of one language, found by a path of keys such as `games.tower.aim`, and what fills them in.

    Those it is `lacking` are English, and not for print.
    """

    language: str
    tree: Mapping[str, Any] = field(repr=False)
    lacking: tuple[str, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def gaps(self) -> set[str]:
        """The games and chapters that lack a text, by their keys; one that tells of a missing game is missing, too."""
        paths = [path.split(".") for path in self.lacking]
        keys = {keys[1] if keys[0] == GAMES else keys[0] for keys in paths}
        return keys | ({"parts"} if keys & {"tower", "well"} else set())

    def find(self, path: str) -> Any:
        """Return whatever stands at a path."""
        return reduce(getitem, path.split("."), self.tree)

    def lines(self, path: str, **values: object) -> tuple[str, ...]:
        """Return the paragraphs or items at a path, filled in."""
        node = self.find(path)
        texts = node if isinstance(node, list) else [node]
        return tuple(self.fill(text, **values).strip() for text in texts)

    def fill(self, text: str, **values: object) -> str:
        """Return a text of this language filled in and set as its printers do."""
        filled = fill_in(write_sums(text, self.language), self.language, {**self.values, **values})
        return set_type(filled, self.language)

    @property
    def labels(self) -> dict[str, str]:
        """The short words of the pages, some of them with places that are filled in later."""
        return {key: set_type(text, self.language) for key, text in self.find("labels").items()}

    def line(self, path: str, **values: object) -> str:
        """Return the one text at a path, filled in."""
        return " ".join(self.lines(path, **values))


def rules_languages() -> tuple[str, ...]:
    """Return the languages the rules are written in."""
    return tuple(sorted(path.stem for path in find_template("rules").glob("*.yaml")))


@cache
def read_rules(language: str) -> Rules:
    """Return the rules in a language; a region falls back to its language: pt-BR to pt."""
    tree, english = _read_tree(language), _read_tree(FALLBACK)
    if not tree:
        known = ", ".join(rules_languages())
        raise UsageError(Fault(f'there are no rules in "{language}"', f"There are: {known}."))
    written = set(list_paths(tree))
    lacking = tuple(path for path in list_paths(english) if path not in written)
    needed = [path for path in lacking if path.split(".")[0] in NEEDED]
    if needed:
        what = f"the rules in {language_name(language)} lack {list_words(needed, 'and')}"
        raise UsageError(Fault(what, f"Write them as rules/{FALLBACK}.yaml has them."))
    return Rules(language, _merge({**english, COLORS: {}}, tree), lacking)


@cache
def _read_tree(language: str) -> dict[str, Any]:
    """Return the texts of a file, with those it lacks from the one it falls back to; nothing where there is neither."""
    own = read_yaml(f"rules/{language}.yaml") if language in rules_languages() else {}
    base = own.pop(FALLS_BACK, language.split("-")[0])
    return own if base == language else _merge(_read_tree(base), own)


def _merge(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return two trees as one; what stands in both is taken from the second."""
    both = {key: _merge(base[key], own[key]) for key in base if isinstance(own.get(key), dict)}
    return {**base, **own, **both}


def list_paths(node: Any, path: str = "") -> list[str]:
    """Return the paths of all texts but the colours, of which each language has its own."""
    if not isinstance(node, dict):
        return [path]
    below = ((f"{path}.{key}" if path else key, child) for key, child in node.items() if key != COLORS)
    return [found for name, child in below for found in list_paths(child, name)]


def choose_languages(languages: Sequence[str]) -> tuple[str, ...]:
    """Return those of the languages that have rules, or else English."""
    known = [code for code in languages if {code, code.split("-")[0]} & set(rules_languages())]
    return tuple(dict.fromkeys(known)) or (FALLBACK,)
