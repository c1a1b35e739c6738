"""Reports on a file: flaws, findings of rules, and how they read; the proof of `verify` uses the same flaws.

Invariant: one finding a rule, always in the same order; the words promise no more than that our rules were checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Verdict = Literal["pass", "fail", "none"]
Standard = Literal["PDF/X-4", "PDF/X-1a"]
CUT_NAMES = ("CutContour", "Thru-cut", "Kiss-cut", "DieLine", "Artios_Cut", "PerfCutContour")
MOST_NAMED = 3  # flaws that a line names before it only counts them
WORDS: dict[Verdict, str] = {"pass": "pass", "fail": "fail", "none": "-"}


@dataclass(frozen=True)
class ShopLimits:
    """What a file must keep to: a cut path or a standard is only missed where one is expected."""

    bleed_mm: float = 3.0
    least_dpi: float = 300.0
    ink_limit: float = 3.0  # the sum of all inks at one spot: 3.0 is 300 %
    cut_names: tuple[str, ...] | None = CUT_NAMES  # plates that are cut paths; None: no plate is
    standard: Standard | None = None
    cut_expected: bool = False

    def is_cut(self, name: str) -> bool:
        """Tell whether a plate of that name is a cut path; people do not agree on capitals."""
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
    """One thing a rule or a claim objects to, on a page or in the file as a whole."""

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
        """Return the report as JSON-ready values."""
        rules = [asdict(each) | {"pages": list(each.pages)} for each in self.findings]
        return {"passed": self.passed, "checked_against": "our rules", "rules": rules}


def judge(rule: str, flaws: Sequence[Flaw], well: str) -> Finding:
    """Return the finding that follows from the flaws of a rule; `well` is what to say when there are none."""
    if not flaws:
        return Finding(rule, "pass", well)
    return Finding(rule, "fail", join_flaws(flaws, names_pages=True), list_pages(flaws))


def join_flaws(flaws: Sequence[Flaw], names_pages: bool) -> str:
    """Name the first few flaws and count the rest; the same flaw on many pages is named once."""
    pages: dict[str, list[int]] = {}
    for flaw in flaws:
        where = pages.setdefault(flaw.what, [])
        if flaw.page is not None and flaw.page not in where:
            where.append(flaw.page)
    named = [f"{_describe_pages(where) if names_pages else ''}{what}" for what, where in pages.items()]
    more = [f"and {len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
    return "; ".join(named[:MOST_NAMED] + more)


def list_pages(flaws: Sequence[Flaw]) -> tuple[int, ...]:
    """Return the pages with flaws, in order."""
    return tuple(sorted({flaw.page for flaw in flaws if flaw.page is not None}))


def _describe_pages(pages: Sequence[int]) -> str:
    shown = ", ".join(map(str, pages[:MOST_NAMED]))
    more = f" and {len(pages) - MOST_NAMED} more" if len(pages) > MOST_NAMED else ""
    return f"page{'s' * (len(pages) > 1)} {shown}{more}: " if pages else ""


def describe(report: Report) -> list[str]:
    """Return the report as lines: one a rule, and a last one that sums up."""
    rows = [(WORDS[each.verdict], each.rule, each.what) for each in report.findings]
    failed = sum(each.verdict == "fail" for each in report.findings)
    total = f"{failed} of {len(report.findings)} rules failed" if failed else "no rule failed"
    return [*align(rows, 4, 10), f"{total}; checked against our rules"]


def align(rows: Iterable[tuple[str, str, str]], verdict_width: int, name_width: int) -> list[str]:
    """Return verdict, name and words of each row as a line of columns."""
    return [f"{verdict:{verdict_width}}  {name:{name_width}}  {what}" for verdict, name, what in rows]
