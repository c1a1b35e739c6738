"""Checking a theme: every fault that a build would meet, and the deck arithmetic in words. Writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dobble_print.art.gallery import examine_gallery, open_back
from dobble_print.build import nest_theme
from dobble_print.dealing import deal_theme, explain_theme
from dobble_print.errors import ArtworkError, DobbleError, ExitCode, Fault, ThemeError, sort_faults
from dobble_print.theme.model import Theme
from dobble_print.theme.reader import Overrides, examine_theme


@dataclass(frozen=True)
class Verdict:
    """What a check found: the deck in words, faults by kind, and what is merely doubtful."""

    theme: Theme
    words: str
    errors: tuple[DobbleError, ...]
    warnings: tuple[Fault, ...]

    @property
    def faults(self) -> list[Fault]:
        """All faults in reading order; those without a line last."""
        return sort_faults(fault for error in self.errors for fault in error.faults)

    @property
    def exit_code(self) -> ExitCode:
        """The code of the earliest stage that would fail."""
        return self.errors[0].exit_code if self.errors else ExitCode.OK


def check_theme(path: Path, overrides: Overrides | None = None) -> Verdict:
    """Look at everything but the layout: theme, pictures, deck, paper."""
    theme, faults = examine_theme(path, overrides)
    errors: list[DobbleError] = [ThemeError(*faults)] if faults else []
    gallery, art_faults = examine_gallery(theme.symbols)
    art_faults += _examine_back(theme)
    if art_faults:
        errors.append(ArtworkError(*art_faults))
    words = ""
    try:
        deal_theme(theme)
        words = explain_theme(theme)
        nest_theme(theme)
    except DobbleError as error:
        if not faults:  # a deck of half a theme would only confuse
            errors.append(error)
    return Verdict(theme, words, tuple(errors), gallery.warnings)


def _examine_back(theme: Theme) -> list[Fault]:
    try:
        if theme.back.image:
            open_back(theme.back.image)
    except ArtworkError as error:
        return list(error.faults)
    return []
