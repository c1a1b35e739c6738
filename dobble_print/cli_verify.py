"""The commands that read finished PDFs back: Typer only, registered by `cli`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dobble_print.cli_options import Debug, Json, Profile

Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Finished PDF files.")]


def preflight(
    files: Files,
    profile: Profile = None,
    no_cut: Annotated[
        bool, typer.Option("--no-cut", help="The files have no cut path, such as a booklet, whatever the profile says.")
    ] = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Check finished PDFs against a print shop's rules: boxes, bleed, fonts, images, inks, cut path, standard."""
    from dobble_print import examining, runner
    from dobble_print.console import Console

    with runner.guard(debug):
        console = Console()
        job = examining.preflight_job(profile, not no_cut, as_json, console)
        sys.exit(runner.run_themes(files, job, console, as_json, debug, keep_code=True))


def verify(
    files: Files,
    gap: Annotated[
        float,
        typer.Option("--gap", min=0, max=100, help="Least distance between symbols in mm, if more than promised."),
    ] = 0.0,
    margin: Annotated[
        float, typer.Option("--margin", min=0, max=100, help="Least distance to the cut in mm, if more than promised.")
    ] = 0.0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Prove from finished PDFs that every two cards share one symbol, that all are seen, none overlap, backs fit."""
    from dobble_print import examining, runner
    from dobble_print.console import Console

    with runner.guard(debug):
        console = Console()
        job = examining.verify_job(gap, margin, as_json, console)
        sys.exit(runner.run_themes(files, job, console, as_json, debug, keep_code=True))
