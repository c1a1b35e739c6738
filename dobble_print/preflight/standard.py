"""The standard: whatever a file claims to be must hold.

A claim is PDF/X-4 in the XMP metadata or PDF/X-1a in the Info dictionary. Embedded fonts, encryption and page boxes
belong to every file, claim or not, and have rules of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from dobble_print.pdf.document import Identity, read_identity
from dobble_print.pdf.report import Finding, Flaw, Limits, Standard, judge, pass_over
from dobble_print.preflight import conduct, demands
from dobble_print.preflight.survey import Survey


def check_standard(survey: Survey, limits: Limits) -> Finding:
    """A claim is kept in every point, and an expected standard is claimed."""
    identity = read_identity(survey.pdf)
    claimed = _recognise(identity.claim)
    if limits.standard and claimed != limits.standard:
        said = f"it claims {identity.claim}" if identity.claim else "it claims no standard"
        return judge("standard", [Flaw(f"{said}; {limits.standard} is expected")], "")
    if claimed is None:
        said = f"it claims {identity.claim}, which these rules do not cover" if identity.claim else "it claims none"
        return pass_over("standard", said)
    flaws = list(DEMANDS[claimed](survey, identity))
    finding = judge("standard", flaws, f"{identity.claim}: what the file claims holds, as far as these rules look")
    if finding.verdict == "fail":
        return Finding("standard", "fail", f"it claims {identity.claim}, but {finding.what}", finding.pages)
    return finding


def _recognise(claim: str) -> Standard | None:
    if claim == "PDF/X-4":
        return "PDF/X-4"
    return "PDF/X-1a" if claim.startswith("PDF/X-1a:") else None


def _doubt_x4(survey: Survey, identity: Identity) -> Iterator[Flaw]:
    return chain(
        demands.doubt_version(survey, "1.6"),
        demands.doubt_intent(survey, needs_profile=True),
        demands.doubt_xmp(identity),
        demands.doubt_trapped(identity, in_xmp=True),
        demands.doubt_layer_names(survey),
        conduct.doubt_light(survey),
        _doubt_any(survey, identity),
    )


def _doubt_x1a(survey: Survey, identity: Identity) -> Iterator[Flaw]:
    return chain(
        demands.doubt_version(survey, "1.4"),
        demands.doubt_packing(survey),
        demands.doubt_intent(survey, needs_profile=False),
        demands.doubt_info(identity),
        demands.doubt_trapped(identity, in_xmp=False),
        demands.doubt_layers(survey),
        conduct.doubt_foreign_color(survey),
        conduct.doubt_transparency(survey),
        conduct.doubt_filters(survey),
        _doubt_any(survey, identity),
    )


def _doubt_any(survey: Survey, identity: Identity) -> Iterator[Flaw]:
    """What all parts of the standard ask for."""
    return chain(
        demands.doubt_dates(identity),
        demands.doubt_id(survey),
        demands.doubt_art_boxes(survey),
        demands.doubt_actions(survey),
        demands.doubt_notes(survey),
        conduct.doubt_postscript(survey),
        conduct.doubt_transfer(survey),
    )


DEMANDS: dict[Standard, Callable[[Survey, Identity], Iterator[Flaw]]] = {"PDF/X-4": _doubt_x4, "PDF/X-1a": _doubt_x1a}
