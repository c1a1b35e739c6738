"""The report: what was asked of a file, what was found, and how that reads.

Invariant: one finding a rule, always in the same order; the words promise no more than that our rules were checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal["pass", "fail", "none"]
Standard = Literal["PDF/X-4", "PDF/X-1a"]
CUT_NAMES = ("CutContour", "Thru-cut", "Kiss-cut", "DieLine", "Artios_Cut", "PerfCutContour")
MOST_TOLD = 3  # faults a line names before it only counts them


@dataclass(frozen=True)
class Limits:
    """What a file must keep to; a cut path or a standard is only missed where one is expected."""

    bleed_mm: float = 3.0
    least_dpi: float = 300.0
    ink_limit: float = 3.0  # the sum of all inks at one spot: 3.0 is 300 %
    cut_names: tuple[str, ...] | None = CUT_NAMES  # plates that are cut paths; None: no plate is
    standard: Standard | None = None
    cut_expected: bool = False

    def is_cut(self, name: str) -> bool:
        """Whether a plate of that name is a cut path; people do not agree on capitals."""
        return name.casefold() in {known.casefold() for known in self.cut_names or ()}


@dataclass(frozen=True)
class Finding:
    """What one rule says about the whole file; pages count from 1."""

    rule: str
    verdict: Verdict
    what: str
    pages: tuple[int, ...] = ()


@dataclass(frozen=True)
class Flaw:
    """One thing a rule objects to, on a page or in the file as a whole."""

    what: str
    page: int | None = None


@dataclass(frozen=True)
class Report:
    """All findings about a file."""

    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether no rule failed."""
        return all(finding.verdict != "fail" for finding in self.findings)

    def as_dict(self) -> dict[str, Any]:
        """The report for programs."""
        rules = [
            {"rule": each.rule, "verdict": each.verdict, "what": each.what, "pages": list(each.pages)}
            for each in self.findings
        ]
        return {"passed": self.passed, "checked_against": "our rules", "rules": rules}


def judge(rule: str, flaws: Sequence[Flaw], well: str) -> Finding:
    """A finding from the flaws a rule found; `well` is what to say when there are none."""
    if not flaws:
        return Finding(rule, "pass", well)
    told = _gather(flaws)
    more = [f"and {len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
    pages = tuple(sorted({flaw.page for flaw in flaws if flaw.page is not None}))
    return Finding(rule, "fail", "; ".join(told[:MOST_TOLD] + more), pages)


def _gather(flaws: Sequence[Flaw]) -> list[str]:
    """The same flaw on many pages is told once."""
    pages: dict[str, list[int]] = {}
    for flaw in flaws:
        where = pages.setdefault(flaw.what, [])
        if flaw.page is not None and flaw.page not in where:
            where.append(flaw.page)
    return [f"{_tell_pages(where)}{what}" for what, where in pages.items()]


def _tell_pages(pages: Sequence[int]) -> str:
    if not pages:
        return ""
    if len(pages) == 1:
        return f"page {pages[0]}: "
    shown = ", ".join(map(str, pages[:MOST_TOLD]))
    return f"pages {shown} and {len(pages) - MOST_TOLD} more: " if len(pages) > MOST_TOLD else f"pages {shown}: "


def pass_over(rule: str, what: str = "nothing to check") -> Finding:
    """The finding of a rule that has nothing to look at."""
    return Finding(rule, "none", what)


def describe(report: Report) -> list[str]:
    """The report as lines: one a rule, and a last one that sums up."""
    words = {"pass": "pass", "fail": "fail", "none": "-"}
    lines = [f"{words[each.verdict]:4}  {each.rule:10}  {each.what}" for each in report.findings]
    failed = sum(each.verdict == "fail" for each in report.findings)
    total = f"{failed} of {len(report.findings)} rules failed" if failed else "no rule failed"
    return [*lines, f"{total}; checked against our rules"]
