"""dobble-print: a list of pictures or words goes in, a boxed game comes out.

The functions here are the public Python API; the command line calls what they call. Nothing heavy is imported before
one of them is used. Whatever a user can cause is raised as a `DobbleError`, which carries every `Fault` found.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dobble_print.build import Result
    from dobble_print.check import CheckResult
    from dobble_print.errors import DobbleError, Fault
    from dobble_print.options import BuildOptions
    from dobble_print.pdf.report import Report
    from dobble_print.theme.model import Theme
    from dobble_print.verify.proof import Proof

__version__ = "0.2.0"
__all__ = [
    "BuildOptions",
    "DobbleError",
    "Fault",
    "Result",
    "build_decks",
    "check_theme",
    "preflight_pdf",
    "read_theme",
    "verify_pdf",
]
_TYPES = {"BuildOptions": "options", "Result": "build", "DobbleError": "errors", "Fault": "errors"}


def __getattr__(name: str) -> Any:
    if name in _TYPES:
        return getattr(import_module(f"dobble_print.{_TYPES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def read_theme(theme: str | Path, options: BuildOptions | None = None) -> Theme:
    """Return a theme: a file, a folder that holds `theme.yaml`, or a shipped one by its name.

    Raises a `DobbleError` with every fault of the file.
    """
    from dobble_print.options import DEFAULTS
    from dobble_print.theme import reader

    return reader.read_theme(reader.find_theme(str(theme)), (options or DEFAULTS).theme_values())


def build_decks(
    *themes: str | Path | Theme, options: BuildOptions | None = None, folder: str | Path | None = None
) -> Result:
    """Return the finished files of one deck or more, in memory, proved and checked.

    With `folder` they are written too, each deck into a folder of its own. With `options.gang` all decks share sheets.
    Themes that are read already were read with their own options; paths and names are read with these.
    """
    from dobble_print.build import DeckOrder, make
    from dobble_print.errors import Fault, UsageError
    from dobble_print.options import DEFAULTS

    chosen = options or DEFAULTS
    if not themes:
        raise UsageError(Fault("build_decks() got no theme", 'Name one at least, such as build_decks("kids").'))
    read = [read_theme(theme, chosen) if isinstance(theme, str | Path) else theme for theme in themes]
    names = [theme.name for theme in read]
    if twins := {name for name in names if names.count(name) > 1}:
        raise UsageError(Fault(f'two of the themes are called "{min(twins)}"', "Rename one, or ask for copies."))
    result = make([DeckOrder(theme, chosen) for theme in read], gang=chosen.gang)
    if folder is not None:
        result.deliver(Path(folder))
    return result


def check_theme(theme: str | Path, options: BuildOptions | None = None) -> CheckResult:
    """Return every fault that a build of the theme would meet, what is doubtful, and symbols that look alike."""
    from dobble_print import check
    from dobble_print.options import DEFAULTS
    from dobble_print.theme.reader import find_theme

    return check.check_theme(find_theme(str(theme)), (options or DEFAULTS).theme_values())


def verify_pdf(pdf: bytes) -> Proof:
    """Return the proof that every two cards of a finished PDF share one symbol, are seen, and do not overlap.

    The file is read in this very process: leave files that you do not trust to `dobble-print verify`, which limits it.
    """
    from dobble_print.verify.prove import prove_pdf

    return prove_pdf(pdf)


def preflight_pdf(pdf: bytes, profile: str | None = None) -> Report:
    """Return what a print shop's rules say about a finished PDF; a profile sets their limits.

    The file is read in this very process: leave files that you do not trust to `dobble-print preflight`.
    """
    from dobble_print.preflight.check import examine_pdf
    from dobble_print.preflight.limits import limits_of_profile

    return examine_pdf(pdf, limits_of_profile(profile))
