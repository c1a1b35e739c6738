"""What a print shop's files are checked against: the limits that follow from a theme or a profile; and what came out.

Invariant: every file of a box that goes to a press is checked, the sheets of cards first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Literal

from dobble_print.errors import Fault, UsageError
from dobble_print.files import read_named
from dobble_print.pdf.report import CUT_NAMES, Finding, Report, ShopLimits, describe
from dobble_print.theme.model import Theme
from dobble_print.theme.options import PressOptions, SheetOptions, Standard
from dobble_print.theme.profiles import load_profile

MOST_BYTES = 500_000_000
NAMES: dict[Standard, Literal["PDF/X-4", "PDF/X-1a"]] = {"x-4": "PDF/X-4", "x-1a": "PDF/X-1a"}
SHEETS, BACKS, CUTS = "cards*.pdf", "backs.pdf", "cut*.pdf"
# Rules that only we can break in files of our own. The others depend on what a customer brings: pictures too coarse or
# with hairlines, colours with too much ink, a back without bleed. Their files are written, and the customer decides.
OUR_RULES = frozenset({"boxes", "fonts", "cut", "standard", "encryption"})
PRINTED = (SHEETS, BACKS, CUTS, "booklet-print.pdf", "legend.pdf")  # what a press and its cutter get


@dataclass(frozen=True)
class ShopCheck:
    """What the rules say about each file that a press prints; the first is told rule by rule, the others in short."""

    files: Mapping[str, Report]

    @property
    def passed(self) -> bool:
        """Whether no rule failed for any file."""
        return all(report.passed for report in self.files.values())

    def list_own_faults(self) -> list[tuple[str, Finding]]:
        """Return the rules that failed through our fault, each with the name of its file."""
        return [
            (name, finding)
            for name, report in self.files.items()
            for finding in report.findings
            if finding.verdict == "fail" and finding.rule in OUR_RULES
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the findings for programs: those about the first file at once, the others by their names."""
        (first, report), *others = self.files.items()
        more = {name: each.as_dict() for name, each in others}
        return report.as_dict() | {"passed": self.passed, "file": first, "others": more}

    def describe(self) -> list[str]:
        """Return the findings as lines; a file that passes needs only one."""
        (_, first), *others = self.files.items()
        lines = describe(first)
        for name, report in others:
            told = describe(report)
            lines += [f"{name}: {line}" for line in (told[-1:] if report.passed else told)]
        return lines


def check_files(theme: Theme, files: Mapping[str, bytes]) -> ShopCheck | None:
    """Return what the rules say about a print shop's files; files for others are not checked."""
    if theme.press.standard == "none":
        return None
    from dobble_print.preflight.check import examine_pdf

    limits = _limit(theme.press, theme.sheet.bleed_mm)
    cuts = [data for name, data in files.items() if fnmatch(name, CUTS)] if theme.press.cut_path == "file" else []
    expected = {SHEETS: limits.cut_expected, CUTS: True}
    found = {
        name: examine_pdf(
            files[name],
            replace(limits, cut_expected=expected.get(pattern, False)),
            cuts if pattern in (SHEETS, BACKS) else (),
        )
        for pattern in PRINTED
        for name in files
        if fnmatch(name, pattern)
    }
    return ShopCheck(found) if found else None


def limits_of_profile(name: str | None, cut: bool = True) -> ShopLimits:
    """Return what a file for a profile must keep to; without one, what any print shop asks for.

    Without `cut` no cut path is expected: the file is a booklet, say, or a sheet of backs.
    """
    if name is None:
        return ShopLimits()
    profile = load_profile(name)
    press = PressOptions(**profile.values.get("press", {}))
    bleed_mm = profile.values.get("sheet", {}).get("bleed_mm", SheetOptions.bleed_mm)
    return _limit(press, bleed_mm, cut)


def _limit(press: PressOptions, bleed_mm: float, cut: bool = True) -> ShopLimits:
    names = tuple(dict.fromkeys((press.cut_name, *CUT_NAMES)))
    expects_cut = cut and press.cut_path in ("art", "page")
    return ShopLimits(bleed_mm, press.least_dpi, press.ink_limit / 100, names, NAMES.get(press.standard), expects_cut)


def read_file(path: Path) -> bytes:
    """Return the bytes of a file that the command line names."""
    try:
        data = read_named(path, MOST_BYTES)
    except OSError as error:
        raise UsageError(Fault(f"{path} cannot be read ({error.strerror})", "Check its name and folder.")) from None
    if len(data) > MOST_BYTES:
        raise UsageError(Fault(f"{path} is too large to check"))
    return data
