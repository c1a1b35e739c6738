"""The command line: Typer only. Parse, call, print, exit."""

from __future__ import annotations

import os
import signal
import sys
from typing import Annotated

import typer

from dobble_print import __version__
from dobble_print.cli.examine import preflight, verify
from dobble_print.cli.make import build, check, new
from dobble_print.cli.run import guard
from dobble_print.cli.shop import batch, calibrate, manage_cache
from dobble_print.cli.show import list_things, rules, schema

app = typer.Typer(
    name="dobble-print",
    help="Make a find-the-match card game: a list of pictures or words goes in, cut-ready sheets come out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"dobble-print {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


app.command()(build)
app.command()(preflight)
app.command()(calibrate)
app.command()(verify)
app.command()(check)
app.command()(new)
app.command(name="list")(list_things)
app.command()(rules)
app.command()(schema)
app.command()(batch)
app.command(name="cache")(manage_cache)


def main() -> None:
    """The command `dobble-print`."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy starts: its threads only burn time on small arrays
    _mend_streams()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with guard():
            app()
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)


def _interrupt(*_: object) -> None:
    """Being told to stop by a machine is the same as by a person: tell how far it came, leave nothing half-written."""
    raise KeyboardInterrupt


def _mend_streams() -> None:
    """A closed stream or a narrow terminal encoding is no reason to fail."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - it stays open as long as the program runs
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
