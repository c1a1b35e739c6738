"""The commands that speak of machines: checking a shop's file, and putting a printer right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dobble_print.cli_options import BackOffset, Debug, Paper, Scale


def calibrate(
    paper: Paper = None,
    duplex: Annotated[str, typer.Option("--duplex", help="The edge your printer flips on: long or short.")] = "long",
    back_offset: BackOffset = None,
    scale: Scale = None,
    save: Annotated[
        str | None, typer.Option("--save", help="Keep --back-offset and --scale under this name, for --printer.")
    ] = None,
    printer: Annotated[
        str | None,
        typer.Option("--printer", help="A printer that is kept: test it again; what you read now is added to it."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the test page.")] = Path("output"),
    debug: Debug = False,
) -> None:
    """Print a test page that shows how far backs and scale are off, and keep what puts them right."""
    from dobble_print import jobs, runner
    from dobble_print.console import Console

    with runner.guard(debug):
        asked = (paper, duplex, back_offset, scale, save, printer)
        print(*jobs.write_calibration(*asked, output, Console()), sep="\n")
