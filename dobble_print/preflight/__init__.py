"""Preflight: a finished PDF is read back and checked, as a print shop would, by rules that know nothing of its making.

Start with `examine.py`: it names every rule once.
"""

from dobble_print.preflight.examine import examine_pdf
from dobble_print.preflight.report import CUT_NAMES, Finding, Limits, Report, describe

__all__ = ["CUT_NAMES", "Finding", "Limits", "Report", "describe", "examine_pdf"]
