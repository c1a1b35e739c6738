"""The rules of one deck as data: sections made of blocks, every number filled in, ready to be typeset or printed.

Invariant: two rulebooks of the same deck in different languages have the same sections in the same order, and each
section has the same parts; so they can stand side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SectionKind = Literal["chapter", "game"]
PictureKind = Literal["match", "tower", "well", "potato", "gift", "triplet", "line"]


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True)
class Steps:
    """Things to do in order, or (not numbered) a list of things."""

    items: tuple[str, ...]
    numbered: bool = True


@dataclass(frozen=True)
class Picture:
    """A drawing made of the deck's own cards; `caption` may lack the name of a symbol: `{symbol}`."""

    kind: PictureKind
    caption: str = ""


@dataclass(frozen=True)
class Grid:
    """A small table; the first row and the first column are headings."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SpecialRule:
    """A symbol (by index) with a rule of its own."""

    symbol: int
    text: str


Block = Paragraph | Steps | Picture | Grid | SpecialRule


@dataclass(frozen=True)
class Part:
    """Blocks that belong together under a small heading, which may be empty."""

    blocks: tuple[Block, ...]
    heading: str = ""


@dataclass(frozen=True)
class Section:
    """A chapter or a game; `note` stands beside its title, such as "2–8 players"."""

    key: str
    title: str
    parts: tuple[Part, ...]
    kind: SectionKind = "chapter"
    note: str = ""


@dataclass(frozen=True)
class Rulebook:
    """The rules of a deck in one language; `labels` are the short words of its pages."""

    language: str
    title: str
    labels: dict[str, str]
    sections: tuple[Section, ...]
    figures: str = ""
