"""The proof: what was claimed of a file, whether it holds, and how that reads.

Invariant: one claim a line, always in the same order. What the file does not tell is never called wrong, and what was
not looked at is never called proved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Verdict = Literal["proved", "wrong", "unknown", "none"]
Figures = Mapping[str, Any]

WORDS: dict[Verdict, str] = {"proved": "proved", "wrong": "wrong", "unknown": "cannot tell", "none": "-"}
MOST_TOLD = 3  # flaws a line names before it only counts them


@dataclass(frozen=True)
class Demands:
    """The least room the symbols must keep, whatever the file promises itself."""

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
class Flaw:
    """One thing that speaks against a claim."""

    what: str
    page: int


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
        """The proof for programs."""
        claims = [
            {
                "claim": claim.name,
                "verdict": claim.verdict,
                "what": claim.what,
                "pages": list(claim.pages),
                "figures": dict(claim.figures),
            }
            for claim in self.claims
        ]
        return {"verdict": self.verdict, "claims": claims}


def settle(name: str, flaws: Sequence[Flaw], well: str, figures: Figures | None = None, doubt: str = "") -> Claim:
    """A claim that holds when nothing speaks against it; with `doubt`, flaws only mean that the file does not tell."""
    if not flaws:
        return Claim(name, "proved", well, (), figures or {})
    told = list(dict.fromkeys(flaw.what for flaw in flaws))
    more = [f"and {len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
    words = "; ".join(told[:MOST_TOLD] + more)
    pages = tuple(sorted({flaw.page for flaw in flaws}))
    if doubt:
        return Claim(name, "unknown", f"{words}, but {doubt}", pages, figures or {})
    return Claim(name, "wrong", words, pages, figures or {})


def describe(proof: Proof) -> list[str]:
    """The proof as lines: one a claim, and a last one that sums up."""
    lines = [f"{WORDS[claim.verdict]:11}  {claim.name:8}  {claim.what}" for claim in proof.claims]
    return [*lines, SUMS[proof.verdict]]


SUMS: dict[Verdict, str] = {
    "proved": "proved: this file keeps its promises",
    "wrong": "wrong: this file breaks a promise; do not print it",
    "unknown": "cannot tell: this file does not say enough to prove its promises",
    "none": "nothing to prove",
}
