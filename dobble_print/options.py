"""What a build can be asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dobble_print.errors import Fault, UsageError
from dobble_print.theme.overrides import Overrides
from dobble_print.units import TRUE_PRINT, Correction, Point

if TYPE_CHECKING:
    pass


MOST_COPIES = 200


@dataclass(frozen=True)
class BuildOrder:
    """What the command line asks of a build."""

    overrides: Overrides
    only: Sequence[int]
    output: Path
    dry_run: bool = False
    booklet: bool = True
    legend: bool = True
    booklet_size: str | None = None
    copies: int = 1
    mark: str = "none"
    output_profile: Path | None = None
    correction: Correction = Correction()  # noqa: RUF009 - frozen, and true
    front_offset: Point = (0.0, 0.0)
    dated: bool = False

    def make_wishes(self) -> Wishes:
        """The same for the press."""

        if not 1 <= self.copies <= MOST_COPIES:
            raise UsageError(Fault(f"--copies: {self.copies} is out of range", f"Give 1 to {MOST_COPIES}."))
        return Wishes(
            self.booklet,
            self.legend,
            self.booklet_size,
            self.copies,
            read_mark(self.mark),
            self.output_profile,
            self.correction,
            self.front_offset,
            date.today() if self.dated else None,
        )


def read_mark(text: str) -> Literal["none", "color", "letter"]:
    """How copies are told apart."""
    match text.casefold():
        case "color" | "colour":
            return "color"
        case "letter":
            return "letter"
        case "none":
            return "none"
    raise UsageError(Fault(f"--mark: there is no mark {text}", "Give color, letter or none."))


@dataclass(frozen=True)
class Wishes:
    """What to make of a deck besides one set of sheets, and for which machine."""

    booklet: bool = True
    legend: bool = True
    booklet_size: str | None = None
    copies: int = 1
    mark: Mark = "none"
    output_profile: Path | None = None
    correction: Correction = TRUE_PRINT
    front_offset: Point = (0.0, 0.0)
    date: date | None = None
    job: str = ""  # a print shop's own name for it, on every sheet


ALL = Wishes()
Mark = Literal["none", "color", "letter"]
