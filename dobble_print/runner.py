"""Running a command for one theme or several: each on its own, one bad theme never stops the others.

Invariant: one theme fails with its own exit code; of several, any failure is `SOME_FAILED`. The only place where an
error becomes an exit code.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from dobble_print.console import Console
from dobble_print.errors import DobbleError, ExitCode, Fault, Report, UsageError, describe_bug, list_faults
from dobble_print.theme.overrides import Overrides
from dobble_print.theme.reader import find_theme

Job = Callable[[str], Report]


def run_themes(
    themes: Sequence[str], job: Job, console: Console, as_json: bool, debug: bool, keep_code: bool = False
) -> ExitCode:
    """Run the job for every theme, print its result, and say how it all went.

    With `keep_code`, failures of one kind keep their code, however many there are.
    """
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
    if keep_code and len(set(filter(None, codes))) == 1:
        return next(filter(None, codes))
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
        report |= {"exit_code": ExitCode.BUG, "faults": list_faults([describe_bug(error)])}
        console.fail([describe_bug(error)])
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
        Console().fail([describe_bug(error)])
        if debug:
            traceback.print_exc()
        sys.exit(ExitCode.BUG)


def tell_new(remarks: Sequence[Fault], words: str, advice: str, console: Console) -> None:
    """What to know about a new theme, and what to do with it."""
    console.warn(remarks)
    if words:
        console.say(words)
    suggest_step(advice, console)


def suggest_step(text: str, console: Console) -> None:
    """What to do next, for a person who sits before a terminal; scripts know that already."""
    if sys.stderr.isatty():
        console.say(text)


def check_job(overrides: Overrides, as_json: bool, console: Console, report: Path | None = None) -> Job:
    """A job that checks a theme and prints what deck it gives; with `report`, it draws symbols that look alike."""

    def job(name: str) -> Report:
        from dobble_print.check import check_theme, draw_report
        from dobble_print.files import deliver

        console.step(name, "theme")
        verdict = check_theme(find_theme(name), overrides, report is not None, str(report or ""))
        paths = [] if report is None else deliver(report.parent, draw_report(verdict, report.name))
        console.rest()
        console.fail(verdict.faults)
        console.warn(verdict.warnings)
        for remark in verdict.remarks:
            console.say(f"remark: {remark}")
        if report is not None and not paths:
            console.say(f"{report} was not drawn: the pictures come first")
        if verdict.faults:
            count = len(verdict.faults)
            console.say(f"{verdict.theme.name}: {count} {'fault' if count == 1 else 'faults'} to mend")
        elif not as_json:
            print(f"{verdict.theme.name}: {verdict.words}", *paths, sep="\n", flush=True)
            how = "There is no fault. If the warnings do not matter," if verdict.warnings else "All is well. Now"
            suggest_step(f"{how} type: dobble-print build {shlex.quote(name)}", console)
        return {
            "theme": verdict.theme.name,
            "exit_code": verdict.exit_code,
            "words": verdict.words,
            "files": [str(path) for path in paths],
            "faults": list_faults(verdict.faults),
            "warnings": list_faults(verdict.warnings),
            "lookalikes": verdict.list_lookalikes(),
        }

    return job


def check_report_name(report: Path | None, themes: Sequence[str]) -> None:
    """A report is one picture of one theme; raises a `UsageError`."""
    if report is None:
        return
    if report.suffix.lower() != ".png":
        raise UsageError(Fault(f"--report draws a PNG picture, not {report.name}", "Call it pairs.png."))
    if len(themes) > 1:
        raise UsageError(Fault("--report draws one theme", "Check the themes one by one."))


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
