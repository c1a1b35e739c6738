"""What a print shop's file is checked against: the limits that follow from a theme or a profile."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from dobble_print.errors import Fault, UsageError
from dobble_print.preflight.report import CUT_NAMES, Limits
from dobble_print.theme.model import PressOptions, SheetOptions, Standard, Theme
from dobble_print.theme.profiles import load_profile

MOST_BYTES = 2_000_000_000
NAMES: dict[Standard, Literal["PDF/X-4", "PDF/X-1a"]] = {"x-4": "PDF/X-4", "x-1a": "PDF/X-1a"}


def make_limits(theme: Theme) -> Limits:
    """What the sheets of a theme must keep to."""
    press = theme.press
    expects_cut = press.cut_path in ("art", "page")
    return _limit(press, theme.sheet.bleed_mm, NAMES.get(press.standard), expects_cut)


def limits_of_profile(name: str | None) -> Limits:
    """What a file for a profile must keep to; without one, what any print shop asks for."""
    if name is None:
        return Limits()
    profile = load_profile(name)
    press = PressOptions(**profile.values.get("press", {}))
    bleed_mm = profile.values.get("sheet", {}).get("bleed_mm", SheetOptions.bleed_mm)
    return _limit(press, bleed_mm, NAMES.get(press.standard), press.cut_path in ("art", "page"))


def _limit(
    press: PressOptions, bleed_mm: float, standard: Literal["PDF/X-4", "PDF/X-1a"] | None, expects_cut: bool
) -> Limits:
    names = tuple(dict.fromkeys((press.cut_name, *CUT_NAMES)))
    return Limits(bleed_mm, press.least_dpi, press.ink_limit / 100, names, standard, expects_cut)


def read_file(path: Path) -> bytes:
    """The bytes of a file that the command line names."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(Fault(f"{path} is too large to check"))
        return path.read_bytes()
    except OSError as error:
        raise UsageError(Fault(f"{path} cannot be read ({error.strerror})", "Check its name and folder.")) from None
