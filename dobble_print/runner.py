"""Running a command for one theme or several: each on its own, one bad theme never stops the others.

Invariant: one theme fails with its own exit code; of several, any failure is `SOME_FAILED`. The only place where an
error becomes an exit code.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dobble_print.console import Console
from dobble_print.errors import DobbleError, ExitCode, Fault, UsageError
from dobble_print.theme.reader import Overrides, read_theme
from dobble_print.theme.resources import find_theme

BUG_HINT = "This is a bug in dobble-print. Run again with --debug and send us what it prints."

Report = dict[str, Any]
Job = Callable[[str], Report]


def run_themes(themes: Sequence[str], job: Job, console: Console, as_json: bool, debug: bool) -> ExitCode:
    """Run the job for every theme, print its result, and say how it all went."""
    reports: list[Report] = []
    try:
        for theme in themes:
            reports.append(_run_one(theme, job, console, debug))
    finally:  # a run that is interrupted still tells what it finished
        if as_json:
            print(json.dumps({"results": reports}, ensure_ascii=False, indent=1))
    codes = [ExitCode(report["exit_code"]) for report in reports]
    if len(codes) == 1 or not any(codes):
        return codes[0]
    return ExitCode.SOME_FAILED


def _run_one(theme: str, job: Job, console: Console, debug: bool) -> Report:
    console.begin()
    report: Report = {"input": theme, "theme": Path(theme).stem, "exit_code": ExitCode.OK, "files": [], "faults": []}
    try:
        report |= job(theme)
    except DobbleError as error:
        if debug:
            traceback.print_exc()
        report |= {"exit_code": error.exit_code, "faults": list_faults(error.faults)}
        console.fail(error.faults)
    except OSError as error:  # reading is guarded where it happens: this is stdout on a full disk or a broken pipe
        if isinstance(error, BrokenPipeError):
            raise
        fault = Fault(f"cannot write the result ({error.strerror or error})")
        report |= {"exit_code": ExitCode.OUTPUT, "faults": list_faults([fault])}
        console.fail([fault])
    except Exception as error:
        report |= {"exit_code": ExitCode.BUG, "faults": list_faults([_as_bug(error)])}
        console.fail([_as_bug(error)])
        if debug:
            traceback.print_exc()
    finally:
        console.rest()
    return report


def _as_bug(error: Exception) -> Fault:
    return Fault(f"something went wrong inside ({type(error).__name__}: {error})", BUG_HINT)


@contextmanager
def guard(debug: bool = False) -> Iterator[None]:
    """Turn whatever a command raises into its exit code, with a message instead of a traceback."""
    try:
        yield
    except DobbleError as error:
        Console().fail(error.faults)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("interrupted; nothing was left half-written", file=sys.stderr)
        sys.exit(ExitCode.INTERRUPTED)
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(ExitCode.OK)
    except OSError as error:
        Console().fail([Fault(f"cannot write the result ({error.strerror or error})")])
        sys.exit(ExitCode.OUTPUT)
    except Exception as error:
        Console().fail([_as_bug(error)])
        if debug:
            traceback.print_exc()
        sys.exit(ExitCode.BUG)


def list_faults(faults: Sequence[Fault]) -> list[Report]:
    """Faults as plain data."""
    return [{"what": f.what, "hint": f.hint, "place": asdict(f.place) if f.place else None} for f in faults]


@dataclass(frozen=True)
class BuildOrder:
    """What the command line asks of a build."""

    overrides: Overrides
    only: Sequence[int]
    output: Path
    dry_run: bool = False
    booklet: bool = True
    legend: bool = True
    booklet_size: str | None = None


def build_job(order: BuildOrder, as_json: bool, console: Console) -> Job:
    """A job that builds a theme and prints the paths it wrote."""
    built: dict[str, str] = {}

    def job(name: str) -> Report:
        from dobble_print.build import Wishes, build_product
        from dobble_print.outbox import deliver

        console.step(name, "theme")
        theme = read_theme(find_theme(name), order.overrides)
        if built.setdefault(theme.name, name) != name:
            hint = "Rename one, or build it in a run of its own with another --output."
            raise UsageError(Fault(f'{name} and {built[theme.name]} are both called "{theme.name}"', hint))
        wishes = Wishes(order.booklet, order.legend, order.booklet_size)
        product = build_product(theme, order.only, wishes, lambda step: console.step(theme.name, step))
        console.step(theme.name, "delivery")
        folder = order.output / theme.name
        paths = [] if order.dry_run else deliver(folder, product.files, product.obsolete)
        console.rest()
        console.warn(product.warnings)
        console.say(product.describe())
        for note in (*product.notes, *(f"{step}: {seconds:.2f} s" for step, seconds in console.seconds.items())):
            console.detail(f"{theme.name}: {note}")
        if order.dry_run:
            console.say(f"{theme.name}: dry run, nothing written; would write {', '.join(product.files)} to {folder}")
        if not as_json:
            for path in paths:
                print(path, flush=True)
        return {
            "theme": theme.name,
            "files": [str(path) for path in paths],
            "deck": product.summary,
            "warnings": list_faults(product.warnings),
            "notes": list(product.notes),
            "seconds": console.seconds,
        }

    return job


def check_job(overrides: Overrides, as_json: bool, console: Console) -> Job:
    """A job that checks a theme and prints what deck it gives."""

    def job(name: str) -> Report:
        from dobble_print.check import check_theme

        console.step(name, "theme")
        verdict = check_theme(find_theme(name), overrides)
        console.rest()
        console.warn(verdict.warnings)
        console.fail(verdict.faults)
        if verdict.faults:
            count = len(verdict.faults)
            console.say(f"{verdict.theme.name}: {count} {'fault' if count == 1 else 'faults'} to mend")
        elif not as_json:
            print(f"{verdict.theme.name}: {verdict.words}", flush=True)
        return {
            "theme": verdict.theme.name,
            "exit_code": verdict.exit_code,
            "words": verdict.words,
            "faults": list_faults(verdict.faults),
            "warnings": list_faults(verdict.warnings),
        }

    return job


def parse_numbers(text: str) -> list[int]:
    """Card numbers as people write them: `17,23` or `5-8`."""
    numbers: list[int] = []
    for part in filter(None, text.replace(" ", ",").split(",")):
        first, dash, last = part.partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not dash)):
            raise UsageError(Fault(f'--only "{text}" is no list of card numbers', "Write it like 17,23 or 5-8."))
        numbers += range(int(first), min(int(last or first), int(first) + 1000) + 1)
    if not numbers:
        raise UsageError(Fault("--only names no card", "Write it like 17,23 or 5-8."))
    return numbers


def split_languages(languages: Sequence[str] | None) -> tuple[str, ...] | None:
    """`--lang nl --lang fr` and `--lang nl,fr` mean the same."""
    if not languages:
        return None
    return tuple(part.strip() for language in languages for part in language.split(",") if part.strip())
