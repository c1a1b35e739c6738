"""The command line as a person sees it at a terminal, and what the parser makes of what is typed, without a process."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from typer.main import get_command

from dobble_print.cli.app import NAME, app
from dobble_print.cli.help import write_help

PROGRAM: Any = get_command(app)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Screen(io.StringIO):
    """A stream that is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """It is."""
        return True


def find_context(command: str = "") -> Any:
    """Return the context of a command, or of the program itself."""
    top = PROGRAM.context_class(PROGRAM, info_name=NAME, **PROGRAM.context_settings)
    found = PROGRAM.commands.get(command)
    return found.context_class(found, info_name=command, parent=top) if found else top


def read_help(command: str, patch: pytest.MonkeyPatch, columns: int = 80, **more: str) -> str:
    """Return the help of a command at a terminal, with its colours."""
    patch.delenv("NO_COLOR", raising=False)
    for name, value in {"COLUMNS": str(columns), "TERM": "xterm", **more}.items():
        patch.setenv(name, value)
    return write_help(find_context(command), Screen())


def strip_colours(text: str) -> str:
    """Return what a terminal shows."""
    return COLOUR.sub("", text)
