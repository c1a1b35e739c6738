"""The one error family: what is wrong, where it stands, what to do about it, and the exit code it leads to.

Invariant: whatever a user can cause arrives at the command line as a `DobbleError`; anything else is a bug.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from enum import IntEnum
from typing import Any


class ExitCode(IntEnum):
    """What the process tells the shell; the documentation lists each of them by name."""

    OK = 0
    BUG = 1
    USAGE = 2
    THEME = 3
    ARTWORK = 4
    DECK = 5
    LAYOUT = 6
    OUTPUT = 7
    SOME_FAILED = 8
    PREFLIGHT = 9
    VERIFY = 10
    UNPROVED = 11
    INTERRUPTED = 130


@dataclass(frozen=True, order=True)
class Place:
    """A spot in a file a user wrote; line and column count from 1, as editors do. Column 0 means the whole line."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong (or, as a warning, doubtful), with the remedy."""

    what: str
    hint: str = ""
    place: Place | None = None

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return f"{where}{self.what}.{' ' + self.hint if self.hint else ''}"

    def as_dict(self) -> dict[str, Any]:
        """Return the fault as plain data, for reports and other processes."""
        return {"what": self.what, "hint": self.hint, "place": asdict(self.place) if self.place else None}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Fault:
        """Return the fault that `as_dict` wrote; raises `KeyError` or `TypeError` for anything else."""
        return cls(str(plain["what"]), str(plain["hint"]), Place(**plain["place"]) if plain["place"] else None)


def sort_faults(faults: Iterable[Fault]) -> list[Fault]:
    """Each fault once, in reading order; those without a place last."""
    return sorted(dict.fromkeys(faults), key=lambda fault: (fault.place is None, fault.place or Place("", 0, 0)))


class DobbleError(Exception):
    """A failure the user can mend; carries every fault found, not only the first."""

    exit_code = ExitCode.BUG

    def __init_subclass__(cls, exit_code: ExitCode | None = None) -> None:
        cls.exit_code = exit_code or cls.exit_code

    def __init__(self, *faults: Fault | str) -> None:
        self.faults = tuple(Fault(f) if isinstance(f, str) else f for f in faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    @classmethod
    def raise_any(cls, faults: Iterable[Fault]) -> None:
        """Raise one error with all the faults, in reading order; do nothing when there are none."""
        found = sort_faults(faults)
        if found:
            raise cls(*found)

    @classmethod
    @contextmanager
    def placed(cls, place: Place) -> Iterator[None]:
        """Give faults of this kind that arise inside a place, where they have none."""
        try:
            yield
        except cls as error:
            raise cls(*(replace(fault, place=fault.place or place) for fault in error.faults)) from None


class UsageError(DobbleError, exit_code=ExitCode.USAGE):
    """The command line asks for something that does not exist."""


class ThemeError(DobbleError, exit_code=ExitCode.THEME):
    """The theme file cannot be understood."""


class ArtworkError(DobbleError, exit_code=ExitCode.ARTWORK):
    """A picture is missing, unreadable, empty or unsafe."""


class MissingLibraryError(ArtworkError):
    """No picture at all can be drawn on this computer: one fault says so for all of them."""


class DeckError(DobbleError, exit_code=ExitCode.DECK):
    """The symbols, cards and symbols a card do not make a deck."""


class LayoutError(DobbleError, exit_code=ExitCode.LAYOUT):
    """Symbols do not fit on a card, or cards do not fit on a sheet."""


class OutputError(DobbleError, exit_code=ExitCode.OUTPUT):
    """The result cannot be written."""


class VerifyError(DobbleError, exit_code=ExitCode.VERIFY):
    """A finished file breaks a promise of the game."""


class InvalidValue(Exception):
    """What is wrong with a value and what to do about it; whoever knows the place turns it into a `Fault`."""

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.what, self.hint = what, hint


BUG_HINT = "This is a bug in dobble-print. Run again with --debug and send us what it prints."


def explain_exception(
    error: Exception, os_fault: str = "", os_code: ExitCode = ExitCode.OUTPUT
) -> tuple[ExitCode, tuple[Fault, ...]]:
    """Return the exit code and the faults of whatever was raised; what nobody foresaw is a bug.

    `os_fault` says what an `OSError` means where it was caught; without it, that is a bug too.
    """
    if isinstance(error, DobbleError):
        return error.exit_code, error.faults
    if isinstance(error, OSError) and os_fault:
        return os_code, (Fault(f"{os_fault} ({error.strerror or error})"),)
    return ExitCode.BUG, (Fault(f"something went wrong inside ({type(error).__name__}: {error})", BUG_HINT),)
