"""The texts of the rules: one file a language under `templates/rules/`, all with the same keys and placeholders.

Invariant: adding a language is adding a file; nothing here or elsewhere lists the languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import getitem
from typing import Any

from dobble_print.errors import Fault, UsageError
from dobble_print.resources import find_template, read_yaml
from dobble_print.words.plurals import fill_in
from dobble_print.words.typesetting import set_type
from dobble_print.words.writing import write_sums

FALLBACK = "en"


@dataclass(frozen=True)
class Rules:
    """The texts of one language, found by a path of keys such as `games.tower.aim`, and what fills them in."""

    language: str
    tree: Mapping[str, Any] = field(repr=False)
    values: Mapping[str, object] = field(default_factory=dict)

    def find(self, path: str) -> Any:
        """Return whatever stands at a path."""
        return reduce(getitem, path.split("."), self.tree)

    def lines(self, path: str, **values: object) -> tuple[str, ...]:
        """Return the paragraphs or items at a path, filled in."""
        node = self.find(path)
        texts = node if isinstance(node, list) else [node]
        return tuple(self.fill(text, **values) for text in texts)

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
    code = language if language in rules_languages() else language.split("-")[0]
    if code not in rules_languages():
        known = ", ".join(rules_languages())
        raise UsageError(Fault(f'there are no rules in "{language}"', f"There are: {known}."))
    return Rules(language, read_yaml(f"rules/{code}.yaml"))


def choose_languages(languages: Sequence[str]) -> tuple[str, ...]:
    """Return those of the languages that have rules, or else English."""
    known = [code for code in languages if {code, code.split("-")[0]} & set(rules_languages())]
    return tuple(dict.fromkeys(known)) or (FALLBACK,)
