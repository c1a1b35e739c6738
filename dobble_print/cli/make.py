"""The commands that make: build, check and new."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dobble_print.cli.console import Console, Plain, print_lines, run_each
from dobble_print.cli.options import Debug, Json, Languages, NoCache, Quiet, Themes, flag
from dobble_print.errors import Fault, UsageError
from dobble_print.options import BuildOptions, list_options, split_languages

if TYPE_CHECKING:
    from dobble_print.build import Box, StepTimer
    from dobble_print.theme.model import Theme


def build(
    themes: Themes,
    options: BuildOptions,
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Annotated[bool, flag("--verbose -v", "Tell what each step did and took.")] = False,
    debug: Debug = False,
    dry_run: Annotated[bool, flag("--dry-run", "Do everything but write the files.")] = False,
    no_cache: NoCache = False,
) -> None:
    """Build decks: sheets of cards, a rules booklet, a legend and a preview.

    A theme may be a file of your own, a zip that a colleague shared, or one of those that come along: see dobble-print
    list themes. What an option says wins over what the theme says.

      dobble-print build classic
      dobble-print build zoo.yaml --lang nl --lang fr --paper A4 --low-ink
    """
    from dobble_print.build import find_fixes
    from dobble_print.cache import Cache, use_cache

    use_cache(None if no_cache else Cache())
    find_fixes(options)  # what is wrong with them concerns all decks
    console = Console(quiet, verbose)
    builder = Builder(options, dry_run, as_json, console)
    if options.gang:
        sys.exit(run_each([" + ".join(themes)], lambda _: builder.build(*themes), console, as_json, debug))
    sys.exit(run_each(themes, builder.build, console, as_json, debug))


class Builder:
    """Builds decks one by one or on shared sheets, delivers them, and reports each."""

    def __init__(self, options: BuildOptions, dry_run: bool, as_json: bool, console: Console) -> None:
        self.options, self.dry_run, self.as_json, self.console = options, dry_run, as_json, console
        self.built: dict[str, str] = {}  # inputs by the names of their themes

    def build(self, *names: str) -> Plain:
        """Build one deck, or several on shared sheets and the rest of each box in its own folder."""
        from dobble_print.batch.inputs import opened_theme
        from dobble_print.build import DeckOrder, StepTimer, make
        from dobble_print.theme.reader import read_theme

        options = self.options
        timer = StepTimer(partial(self.console.step, "gang" if options.gang else names[0]))
        timer.begin("theme")
        with ExitStack() as stack:
            paths = [stack.enter_context(opened_theme(name)) for name in names]
            orders = [DeckOrder(read_theme(path, options.theme_values()), options) for path in paths]
            self._refuse_twins(names, [order.theme.name for order in orders])
            made = make(orders, timer.begin, gang=options.gang)
        timer.begin("delivery")
        written = {} if self.dry_run else made.deliver(options.output)
        timer.stop()
        self.console.rest()
        for box in made.boxes:
            self._report(box, written.get(box.name, []), timer)
        files = [str(path) for box in made.boxes for path in written.get(box.name, [])]
        return made.as_dict() | {"files": files, "seconds": timer.seconds}

    def _refuse_twins(self, names: Sequence[str], titles: Sequence[str]) -> None:
        """Refuse themes of one name, which would share a folder."""
        for name, title in zip(names, titles, strict=True):
            if titles.count(title) > 1:
                raise UsageError(Fault(f'two of the themes are called "{title}"', "Rename one, or use --copies."))
            if self.built.setdefault(title, name) != name:
                hint = "Rename one, or build it in a run of its own with another --output."
                raise UsageError(Fault(f'{name} and {self.built[title]} are both called "{title}"', hint))

    def _report(self, box: Box, paths: Sequence[Path], timer: StepTimer) -> None:
        """Print what there is to know about a box, and on stdout where its files are."""
        console, name = self.console, box.name
        console.warn(box.warnings)
        console.say(box.describe())
        if line := box.describe_saving():
            console.say(f"{name}: {line}")
        for line in box.describe_proofs():
            console.say(f"{name}: {line}")
        for note in (*box.notes, *(f"{step}: {seconds:.2f} s" for step, seconds in timer.seconds.items())):
            console.detail(f"{name}: {note}")
        if self.dry_run:
            folder = self.options.output / name
            console.say(f"{name}: dry run, nothing written; would write {', '.join(box.files)} to {folder}")
        if not self.as_json:
            for path in paths:
                print_lines(path)
        for line in box.check.describe() if box.check else ():
            console.say(line)
        if not self.as_json and (box.check is None or box.check.passed):
            console.suggest(suggest_step(box.theme, paths))


def suggest_step(theme: Theme, paths: Sequence[Path]) -> str:
    """Return what to do next with the files of a box, in a line; nothing where no card is among them."""
    from dobble_print.compose import choose_back

    sheets = next((path for path in paths if path.match("cards*.pdf")), None)
    pictures = next((path.parent for path in paths if path.parent.name in ("cards", "tabletop")), None)
    cut = next((path for path in paths if path.match("cut.*")), None)
    if sheets is None:
        return f"The pictures of the cards are in {pictures}. See docs/machines.md" if pictures else ""
    if theme.press.standard != "none":
        return f"Send {sheets} to the print shop. See docs/print-shops.md"
    sides = {
        "separate": "then backs.pdf on the other side of the sheets",
        "fold": "on one side, fold along the dashed line, and glue",
        "long": "on both sides, flip on the long edge",
        "short": "on both sides, flip on the short edge",
    }.get(theme.sheet.duplex if choose_back(theme).kind != "none" else "none", "on one side")
    page, last = "machines" if theme.labels or cut else "printing", "Cut along the lines."
    if theme.labels:
        last = "Try it on plain paper first, held against the labels."
    elif cut:
        last = f"Then open {cut} in the program of your cutting machine."
    return f"Print {sheets} at actual size (100 %), {sides}. {last} See docs/{page}.md"


def check(
    themes: Themes,
    lang: Languages = None,
    report: Annotated[
        Path | None, flag("--report FILE", "Draw the symbols that look alike into a PNG, such as pairs.png.")
    ] = None,
    as_json: Json = False,
    debug: Debug = False,
    no_cache: NoCache = False,
) -> None:
    """Name every fault of a theme at once, and tell what deck it gives.

    It also names symbols that look alike. Nothing is written, save the picture that you ask for.

      dobble-print check zoo.yaml
      dobble-print check zoo.yaml --report pairs.png
    """
    from dobble_print.cache import Cache, use_cache

    use_cache(None if no_cache else Cache())
    console = Console()
    if report is not None and report.suffix.lower() != ".png":
        raise UsageError(Fault(f"--report draws a PNG picture, not {report.name}", "Call it pairs.png."))
    if report is not None and len(themes) > 1:
        raise UsageError(Fault("--report draws one theme", "Check the themes one by one."))
    options = BuildOptions(languages=split_languages(lang or ()))
    action = partial(check_one, options=options, as_json=as_json, console=console, report=report)
    sys.exit(run_each(themes, action, console, as_json, debug))


def check_one(name: str, options: BuildOptions, as_json: bool, console: Console, report: Path | None = None) -> Plain:
    """Check a theme and print what deck it gives; with `report`, draw symbols that look alike."""
    from dobble_print.check import check_theme, draw_report
    from dobble_print.files import deliver
    from dobble_print.theme.reader import find_theme

    console.step(name, "theme")
    found = check_theme(find_theme(name), options.theme_values(), report is not None, str(report or ""))
    paths = [] if report is None else deliver(report.parent, draw_report(found, report.name))
    console.rest()
    console.fail(found.faults)
    console.warn(found.warnings)
    console.remark(found.remarks)
    if report is not None and not paths:
        console.say(f"{report} was not drawn: the pictures come first")
    if found.faults:
        count = len(found.faults)
        console.say(f"{found.theme.name}: {count} {'fault' if count == 1 else 'faults'} to mend")
    elif not as_json:
        print_lines(f"{found.theme.name}: {found.words}", *paths)
        how = "There is no fault. If the warnings do not matter," if found.warnings else "All is well. Now"
        console.suggest(f"{how} type: dobble-print build {shlex.quote(name)}")
    return {
        "theme": found.theme.name,
        "exit_code": found.exit_code,
        "words": found.words,
        "files": [str(path) for path in paths],
        "faults": [fault.as_dict() for fault in found.faults],
        "warnings": [fault.as_dict() for fault in found.warnings],
        "lookalikes": found.list_lookalikes(),
    }


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new theme.")],
    source: Annotated[
        str | None,
        flag(
            "--from LIST|FOLDER|WORDS",
            'A list (.csv, .tsv, .xlsx), words in quotes ("cat, dog, sun"), or a folder of pictures.',
        ),
    ] = None,
    lang: Annotated[
        list[str] | None,
        flag(
            "--lang CODE",
            "With --from: the language of the words or file names, and others for names and rules. Once for each.",
            choices=list_options()["languages"].list_choices,
        ),
    ] = None,
) -> None:
    """Start a theme: an example to change, or one made of your words or pictures.

    The theme is written to a file that you can change in any text editor. No file is ever overwritten.

      dobble-print new zoo --from "cat, dog, cow, pig, owl, bee, fish"
      dobble-print new our-words --from words.xlsx
    """
    from dobble_print.importing.new_theme import write_new_theme

    made = write_new_theme(name, source, split_languages(lang or ()))
    print_lines(*made.paths)
    console = Console()
    console.warn(made.remarks)
    console.remark(made.choices)
    if made.words:
        console.say(made.words)
    console.suggest(made.advice)
