"""The commands around the studio: the studio itself, and packing a game to share it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dobble_print.cli.options import flag


def studio(
    port: Annotated[int, flag("--port NUMBER", "Listen on this port; 0 takes a free one.")] = 0,
    host: Annotated[
        str, flag("--host ADDRESS", "Listen on this address; 0.0.0.0 lets other computers in and needs --token.")
    ] = "127.0.0.1",
    token: Annotated[
        str | None, flag("--token WORD", "What the address ends in; a new one each time without it.")
    ] = None,
    folder: Annotated[Path | None, flag("--folder FOLDER", "Keep the games there.")] = None,
    no_open: Annotated[bool, flag("--no-open", "Open no browser; only print the address.")] = False,
) -> None:
    """Open the studio: a page in your browser where you type words or drop pictures and see the cards at once.

    Everything stays on this computer. The games are kept; stop the studio with Ctrl-C.

      dobble-print studio
      dobble-print studio --port 8080 --no-open
    """
    from dobble_print.cache import Cache
    from dobble_print.studio.app import StudioOptions, find_folder, run

    run(StudioOptions(folder or find_folder(), host, port, token or "", not no_open, Cache()))


def pack(
    theme: Annotated[str, typer.Argument(metavar="THEME", help="A theme file, its folder, or a shipped theme.")],
    output: Annotated[Path | None, flag("--output -o FILE", "The zip to write; without it, one beside you.")] = None,
) -> None:
    """Pack a theme and its pictures into one zip to share, which build and the studio open anywhere.

    A theme that could not be built is refused.

      dobble-print pack zoo.yaml
      dobble-print pack our-class -o class-3b.zip
    """
    from dobble_print.batch.inputs import pack_theme
    from dobble_print.files import deliver
    from dobble_print.theme.reader import find_theme, read_theme

    path = find_theme(theme)
    name = read_theme(path).name  # what cannot be built is not shared
    target = output or Path(f"{name}.zip")
    print(*deliver(target.parent, {target.name: pack_theme(path)}), sep="\n")
