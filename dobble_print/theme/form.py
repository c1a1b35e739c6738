"""What the description of a theme is made of: fields, sections of fields, and lists of sections.

Invariant: nothing here knows a key; `fields` names them all.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from dobble_print.theme.kinds import Kind


@dataclass(frozen=True)
class Field:
    """One key: `attribute` is its name in the model, `default` what holds without it when the model cannot say.

    A list (of `most` values at most) may also be written as its one value.
    """

    key: str
    kind: Kind
    explain: str
    attribute: str = ""
    default: str = ""
    by_language: bool = False
    is_list: bool = False
    most: int = 100


@dataclass(frozen=True)
class Section:
    """A key that holds keys of its own; `short` is a single value that may stand in their place.

    `names` is what languages may hold that stand between its keys, `entries` a list below it whose every item is a
    section; `apart` names keys that exclude each other.
    """

    key: str
    model: type
    explain: str
    fields: tuple[Field, ...]
    short: Kind | None = None
    required: tuple[str, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    names: Kind | None = None
    entries: Entries | None = None

    @property
    def keys(self) -> list[str]:
        """Every key it knows, that of its list last."""
        return [*(field.key for field in self.fields), *([self.entries.key] if self.entries else [])]

    def field(self, key: str) -> Field:
        """The field of that key."""
        return next(field for field in self.fields if field.key == key)

    def default_of(self, field: Field) -> Any:
        """What the field is when the theme does not say: a value of the model, or a text."""
        defaults = {f.name: f.default for f in dataclasses.fields(self.model) if f.default is not dataclasses.MISSING}
        return field.default or defaults.get(field.attribute or field.key)


@dataclass(frozen=True)
class Entries:
    """A key that holds a list, each item with the same keys."""

    item: Section
    least: int
    most: int

    @property
    def key(self) -> str:
        """The key of the list."""
        return self.item.key

    @property
    def explain(self) -> str:
        """What the list is for."""
        return self.item.explain

    def describe(self) -> str:
        """`2 to 6 entries`."""
        return f"{self.least} to {self.most} entries"
