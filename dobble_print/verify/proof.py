"""The proof: what was claimed of a file, whether it holds, and how that reads.

Invariant: one claim a line, always in the same order. What the file does not tell is never called wrong, and what was
not looked at is never called proved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dobble_print.pdf.report import Flaw, align, join_flaws, list_pages

Verdict = Literal["proved", "wrong", "unknown", "none"]
Figures = Mapping[str, Any]

WORDS: dict[Verdict, str] = {"proved": "proved", "wrong": "wrong", "unknown": "cannot tell", "none": "-"}


@dataclass(frozen=True)
class Demands:
    """The least distances that symbols must keep, whatever the file itself promises."""

    gap_mm: float = 0.0
    margin_mm: float = 0.0


@dataclass(frozen=True)
class Claim:
    """What is claimed of the whole file, and whether it holds; pages count from 1."""

    name: str
    verdict: Verdict
    what: str
    pages: tuple[int, ...] = ()
    figures: Figures = field(default_factory=dict)


@dataclass(frozen=True)
class Proof:
    """All claims about a file."""

    claims: tuple[Claim, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of all claims: wrong before unknown before proved."""
        found = {claim.verdict for claim in self.claims}
        order: tuple[Verdict, ...] = ("wrong", "unknown", "proved")
        return next((verdict for verdict in order if verdict in found), "unknown")

    def as_dict(self) -> dict[str, Any]:
        """Return the proof as JSON-ready values."""
        claims = [
            {"claim": each.name, "verdict": each.verdict, "what": each.what}
            | {"pages": list(each.pages), "figures": dict(each.figures)}
            for each in self.claims
        ]
        return {"verdict": self.verdict, "claims": claims}


def settle(name: str, flaws: Sequence[Flaw], well: str, figures: Figures | None = None, reason: str = "") -> Claim:
    """Return a claim that holds when it has no flaws; with `reason`, flaws only mean that the file does not say."""
    if not flaws:
        return Claim(name, "proved", well, (), figures or {})
    words, pages = join_flaws(flaws, names_pages=False), list_pages(flaws)
    if reason:
        return Claim(name, "unknown", f"{words}, but {reason}", pages, figures or {})
    return Claim(name, "wrong", words, pages, figures or {})


def describe(proof: Proof) -> list[str]:
    """Return the proof as lines: one a claim, and a last one that sums up."""
    rows = [(WORDS[claim.verdict], claim.name, claim.what) for claim in proof.claims]
    return [*align(rows, 11, 8), SUMS[proof.verdict]]


SUMS: dict[Verdict, str] = {
    "proved": "proved: this file keeps its promises",
    "wrong": "wrong: this file breaks a promise; do not print it",
    "unknown": "cannot tell: this file does not say enough to prove its promises",
    "none": "nothing to prove",
}
