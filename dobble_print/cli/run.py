"""Run a command for each of its inputs, and turn whatever goes wrong into words and an exit code."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dobble_print.cli.console import Console
from dobble_print.errors import ExitCode, explain_exception

UNWRITTEN = "cannot write the result"
Plain = dict[str, Any]
Action = Callable[[str], Plain]  # what a command does with one input; returns the result as plain data


def run_each(
    inputs: Sequence[str], action: Action, console: Console, as_json: bool, debug: bool, keep_code: bool = False
) -> ExitCode:
    """Run a command for every input, print the results, and return the code of it all.

    With `keep_code`, failures of one kind keep their code, however many there are.
    """
    reports: list[Plain] = []
    try:
        for name in inputs:
            reports.append(_run_one(name, action, console, debug))
    finally:  # a run that is interrupted still tells what it finished
        if as_json:
            print(json.dumps({"results": reports}, ensure_ascii=False, indent=1))
    codes = [ExitCode(report["exit_code"]) for report in reports]
    if len(codes) == 1 or not any(codes):
        return codes[0]
    if keep_code and len(set(filter(None, codes))) == 1:
        return next(filter(None, codes))
    return ExitCode.SOME_FAILED


def _run_one(name: str, action: Action, console: Console, debug: bool) -> Plain:
    report: Plain = {"input": name, "theme": Path(name).stem, "exit_code": ExitCode.OK, "files": [], "faults": []}
    try:
        report |= action(name)
    except BrokenPipeError:
        raise
    except Exception as error:  # reading is guarded where it happens: an OSError is stdout on a full disk
        code, faults = explain_exception(error, UNWRITTEN)
        report |= {"exit_code": code, "faults": [fault.as_dict() for fault in faults]}
        console.fail(faults)
        if debug:
            traceback.print_exc()
    finally:
        console.rest()
    return report


@contextmanager
def guard(debug: bool = False) -> Iterator[None]:
    """Turn whatever a command raises into its exit code, with a message instead of a traceback."""
    try:
        yield
    except KeyboardInterrupt:
        print("interrupted; nothing was left half-written", file=sys.stderr)
        sys.exit(ExitCode.INTERRUPTED)
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(ExitCode.OK)
    except Exception as error:
        code, faults = explain_exception(error, UNWRITTEN)
        Console().fail(faults)
        if debug and code is ExitCode.BUG:
            traceback.print_exc()
        sys.exit(code)


def suggest_step(text: str, console: Console) -> None:
    """Return what to do next, for a person who sits before a terminal; scripts know that already."""
    if sys.stderr.isatty():
        console.say(text)
