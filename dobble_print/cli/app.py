"""The command line: Typer only. Parse, call, print, exit."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from dobble_print import __version__
from dobble_print.cli.console import Console, guard
from dobble_print.cli.examine import preflight, verify
from dobble_print.cli.help import EVERYDAY, MORE, SHOP, Command, Program, Refusal, explain_refusal
from dobble_print.cli.make import build, check, new
from dobble_print.cli.options import make_command
from dobble_print.cli.shop import batch, calibrate, manage_cache
from dobble_print.cli.show import list_things, rules, schema
from dobble_print.cli.studio import pack, studio
from dobble_print.errors import ExitCode

NAME = "dobble-print"
app = typer.Typer(
    name=NAME,
    cls=Program,
    help="""Make a find-the-match card game: a list of pictures or words goes in, cut-ready sheets come out.

    To begin:

      dobble-print build classic
      dobble-print new zoo --from "cat, dog, cow, pig, owl, bee, fish"

    More about a command: dobble-print build --help""",
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


COMMANDS: dict[str, dict[str, Callable[..., None]]] = {
    EVERYDAY: {
        "studio": studio,
        "build": build,
        "check": check,
        "new": new,
        "rules": rules,
        "calibrate": calibrate,
        "list": list_things,
    },
    SHOP: {"batch": batch, "preflight": preflight, "verify": verify},
    MORE: {"pack": pack, "schema": schema, "cache": manage_cache},
}
for panel, works in COMMANDS.items():
    for name, work in works.items():
        app.command(name, cls=Command, rich_help_panel=panel)(make_command(work, in_batch=work is batch))


def main() -> None:
    """Run the command `dobble-print`."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy starts: its threads only burn time on small arrays
    _mend_streams()
    stopped = _listen_for_stops()
    try:
        with guard():
            try:
                code = app(prog_name=NAME, standalone_mode=False)
            except Refusal as refusal:
                code = _refuse(refusal)
            sys.stdout.flush()
        sys.exit(code)
    except (KeyboardInterrupt, SystemExit) as end:
        if stopped or isinstance(end, KeyboardInterrupt):
            sys.exit(130)
        raise


def _refuse(refusal: Any) -> ExitCode:
    """Say what the parser did not understand, and where to read more."""
    console = Console()
    console.complain(f"{NAME}: {explain_refusal(refusal)}")
    console.say(f"See: {refusal.ctx.command_path} --help")
    return ExitCode.USAGE


def _listen_for_stops() -> list[int]:
    """Let a machine's SIGTERM stop the program as Ctrl-C does; return the list that signals are noted in.

    A signal that arrives while a C library calls back is swallowed there and ends as a fault of what it drew.
    """
    stopped: list[int] = []

    def stop(number: int, _: object) -> None:
        stopped.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else whoever started us wants it ignored
        signal.signal(signal.SIGINT, stop)
    return stopped


def _mend_streams() -> None:
    """Keep a closed stream or a narrow terminal encoding from being a reason to fail."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - it stays open as long as the program runs
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
