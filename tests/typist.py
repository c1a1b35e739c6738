"""Runs the commands of a page one after the other in one process, which starts the program only once.

    python -m tests.typist < commands

A line of JSON for each: its exit code, and what it told.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import tempfile

from dobble_print.cli.app import main


def type_all(commands: list[str]) -> None:
    """Run the commands; what they print goes to files, what comes of them to where they would print."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as results:
        for command in commands:
            with tempfile.TemporaryFile() as told:
                os.dup2(told.fileno(), 1)
                os.dup2(told.fileno(), 2)
                code = type_one(command)
                told.seek(0)
                text = told.read().decode("utf-8", "replace")
            print(json.dumps([code, text]), file=results, flush=True)


def type_one(command: str) -> int:
    """Run a command and return its exit code."""
    sys.argv = shlex.split(command)
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    type_all(sys.stdin.read().splitlines())
