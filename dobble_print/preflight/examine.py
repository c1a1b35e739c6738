"""The check of a finished PDF: open it, look at it once, ask every rule.

Invariant: the rules know nothing of how the file was made; a file that cannot be read is told so in plain words.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

import pikepdf

from dobble_print.errors import DobbleError, Fault, UsageError
from dobble_print.pdf.document import refuse_bombs
from dobble_print.pdf.report import Finding, Flaw, Limits, Report, judge
from dobble_print.preflight.bleed import check_bleed
from dobble_print.preflight.boxes import check_boxes
from dobble_print.preflight.color import check_color
from dobble_print.preflight.cut import check_cut, know_cut_plates
from dobble_print.preflight.fonts import check_fonts
from dobble_print.preflight.images import check_images
from dobble_print.preflight.ink import check_ink
from dobble_print.preflight.lines import check_lines
from dobble_print.preflight.standard import check_standard
from dobble_print.preflight.survey import Survey

DEFAULTS = Limits()

# what reading a file of wrong shape raises, in pikepdf and in our own arithmetic on its values
UNREADABLE = (
    pikepdf.PdfError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    ArithmeticError,
    NotImplementedError,
    RuntimeError,
)


@dataclass(frozen=True)
class Rule:
    """A rule by its name."""

    name: str
    check: Callable[[Survey, Limits], Finding]


def check_encryption(survey: Survey, limits: Limits) -> Finding:
    """The file opens for everybody, for every purpose."""
    flaws = [Flaw("the file is encrypted; save it without a password")] if survey.pdf.is_encrypted else []
    return judge("encryption", flaws, "not encrypted")


RULES = (
    Rule("boxes", check_boxes),
    Rule("bleed", check_bleed),
    Rule("fonts", check_fonts),
    Rule("images", check_images),
    Rule("lines", check_lines),
    Rule("colour", check_color),
    Rule("ink", check_ink),
    Rule("cut", check_cut),
    Rule("standard", check_standard),
    Rule("encryption", check_encryption),
)


def examine_pdf(data: bytes, limits: Limits = DEFAULTS) -> Report:
    """Ask every rule; a file behind a password only tells that it is."""
    if b"%PDF-" not in data[:1024]:
        raise UsageError(Fault("this is not a PDF file", "Give a PDF, such as cards.pdf."))
    try:
        pdf = pikepdf.Pdf.open(io.BytesIO(data), attempt_recovery=False, suppress_warnings=True)
    except pikepdf.PasswordError:
        locked = Flaw("the file is encrypted and needs a password; nothing else can be checked")
        return Report((judge("encryption", [locked], ""),))
    except UNREADABLE as error:
        raise _refuse() from error
    with pdf:
        return _ask_rules(pdf, data, limits)


def _ask_rules(pdf: pikepdf.Pdf, data: bytes, limits: Limits) -> Report:
    try:
        refuse_bombs(pdf)
        survey = Survey(pdf, data)
        if not survey.sheets:
            raise UsageError(Fault("the PDF has no pages", "Export it anew from its program."))
        known = know_cut_plates(survey, limits)
        return Report(tuple(rule.check(survey, known) for rule in RULES))
    except DobbleError:
        raise
    except UNREADABLE as error:
        raise _refuse() from error


def _refuse() -> UsageError:
    return UsageError(Fault("the PDF is damaged and cannot be read", "Export or copy it anew."))
