"""The help of every command, in panels on a terminal and plain elsewhere; and words for what the parser refuses.

Typer brings Click along in one version and a copy of its own in the next: only what both know is used here.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, TextIO

import typer
from typer.core import TyperCommand, TyperGroup

from dobble_print.errors import ExitCode
from dobble_print.messages import clip, quote, show, suggest_related
from dobble_print.options import OUTPUT, PANELS, list_options
from dobble_print.resources import shipped_themes

EVERYDAY, SHOP, MORE = COMMAND_PANELS = "Every day", "Print shop", "More"
ARGUMENTS, OPTIONS = "Arguments", "Options"
MOST_CHOICES = 6  # more than these are listed by a command of their own
LEFT_COLUMN = 33
LEAST_WIDTH = 40
Refusal: type[Exception] = typer.BadParameter.__mro__[1]  # Click's UsageError, of which Typer names only a child
Panels = dict[str, list[tuple[str, str, str]]]  # under each heading: a name, what stands for its value, its help


class Command(TyperCommand):
    """A command with help of our own."""

    def get_help(self, ctx: Any) -> str:
        """Return the help."""
        return write_help(self, ctx, sys.stdout)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what stands behind the command; whatever is refused knows where it stood."""
        words = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except Refusal as error:
            raise _place(error, ctx, words) from None


class Program(TyperGroup):
    """The program itself: its commands, with help of our own."""

    def get_help(self, ctx: Any) -> str:
        """Return the overview."""
        return write_help(self, ctx, sys.stdout)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the command; whoever types none at all is shown the overview."""
        if not args and not ctx.resilient_parsing:
            print(write_help(self, ctx, sys.stderr), file=sys.stderr)
            ctx.exit(ExitCode.USAGE)
        words = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except Refusal as error:
            raise _place(error, ctx, words) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; a theme in its place is a build that somebody meant."""
        name = args[0]
        if name not in self.commands and not ctx.resilient_parsing:
            is_theme = name in shipped_themes() or Path(name).suffix in (".yaml", ".yml")
            meant = f"build {name}" if is_theme else next(iter(suggest_related(name, self.commands)), "")
            ctx.fail(f"there is no command {clip(name)}.{f' Did you mean {meant}?' if meant else ''}")
        return super().resolve_command(ctx, args)


def is_lively(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal that shows colours and frames, and a person who wants them."""
    capable = stream.isatty() and os.environ.get("TERM") != "dumb" and "utf" in (stream.encoding or "").lower()
    return capable and "NO_COLOR" not in os.environ


def write_help(command: TyperCommand | TyperGroup, ctx: Any, stream: TextIO) -> str:
    """Return the help of a command for this stream."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    lively, width, text = is_lively(stream), max(shutil.get_terminal_size().columns, LEAST_WIDTH), io.StringIO()
    screen = Console(file=text, force_terminal=lively, width=width, markup=False, emoji=False, highlight=False)
    panels = list_panels(command, ctx)
    takes = ["COMMAND"] if isinstance(command, TyperGroup) else [name for name, *_ in panels.get(ARGUMENTS, ())]
    texts = [Text(" ".join(["Usage:", ctx.command_path, "[OPTIONS]", *takes]), "bold")]
    for paragraph in (command.help or "").split("\n\n"):
        is_example = paragraph.startswith(" ")
        texts.append(Text(paragraph if is_example else paragraph.replace("\n", " "), "cyan" if is_example else ""))
    for each in texts:
        screen.print(Padding(each, (0, 0, 1, int(lively))))
    apart = OPTIONS if isinstance(command, TyperGroup) else ""  # their names are longer than those of the commands
    for heading, rows in panels.items():
        aligned = [row for other in panels if (other == apart) == (heading == apart) for row in panels[other]]
        left = max(len(f"{name} {value}".strip()) for name, value, _ in aligned)
        table = Table.grid(padding=(0, 2))
        table.add_column(width=min(left, LEFT_COLUMN, width // 2))
        for name, value, words in rows:
            table.add_row(Text.assemble((name, "bold cyan"), f" {value}" if value else ""), words)
        if lively:
            screen.print(Panel(table, title=heading, title_align="left", border_style="dim", width=width))
        else:
            screen.print(f"{heading}:", Padding(table, (0, 0, 1, 2)), sep="\n")
    return "\n".join(line.rstrip() for line in text.getvalue().rstrip().splitlines())


def list_panels(command: TyperCommand | TyperGroup, ctx: Any) -> Panels:
    """Return what a command takes, under the headings of its panels; the commands, for the program itself."""
    params: list[Any] = [each for each in command.get_params(ctx) if not getattr(each, "hidden", False)]
    rest = OUTPUT if any(getattr(each, "rich_help_panel", None) for each in params) else OPTIONS
    is_program = isinstance(command, TyperGroup)
    panels: Panels = {heading: [] for heading in (*(COMMAND_PANELS if is_program else ()), ARGUMENTS, *PANELS, OPTIONS)}
    for name, each in command.commands.items() if isinstance(command, TyperGroup) else ():
        panels[getattr(each, "rich_help_panel", None) or MORE].append((name, "", (each.help or "").split("\n\n")[0]))
    for param in params:
        if param.param_type_name == "argument":
            panels[ARGUMENTS].append((param.metavar or param.name.upper(), "", param.help or ""))
            continue
        default = "" if param.is_flag or not param.default else f" Default: {_show_default(param.default)}."
        value = "" if param.is_flag else param.metavar or _show_choices(param.opts)
        names = ", ".join(sorted((*param.opts, *param.secondary_opts), key=len))
        panels[getattr(param, "rich_help_panel", None) or rest].append((names, value, (param.help or "") + default))
    return {heading: rows for heading, rows in panels.items() if rows}


def _show_default(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _show_choices(flags: Iterable[str]) -> str:
    """Return `[round|hex|square]`, where it is a build option that takes a few words."""
    known = next((option.list_choices() for option in list_options().values() if {*option.flags} & {*flags}), ())
    return f"[{'|'.join(known)}]" if 0 < len(known) <= MOST_CHOICES else "VALUE"


def _place(error: Any, ctx: Any, words: tuple[str, ...]) -> Exception:
    """Return what the parser refused with the context, which some releases leave out, and the words it was given."""
    error.ctx, error.words = error.ctx or ctx, words
    refusal: Exception = error
    return refusal


def explain_refusal(error: Any) -> str:
    """Return what the parser did not understand, in one line, with what was probably meant."""
    flags = {flag: param for param in error.ctx.command.get_params(error.ctx) for flag in param.opts}
    words, name, command = getattr(error, "words", ()), getattr(error, "option_name", ""), error.ctx.info_name
    param, message = getattr(error, "param", None), show(error.message)
    if name in flags:
        return f"{name} takes no value." if flags[name].is_flag else f"{name} needs a value. {flags[name].help}"
    if name:  # the parser takes -lang for the letters l, a, n and g
        written = next((word for word in words if word.startswith(name)), name).partition("=")[0]
        near = suggest_related(written.lstrip("-"), [flag[2:] for flag in flags if flag.startswith("--")])
        return f"there is no option {clip(written)}.{f' Did you mean --{near[0]}?' if near else ''}"
    if param is None:
        extra = re.search(r"extra argument\S* \((.*)\)", message)
        hint = "Put a name with spaces in quotes."
        return f"{command} has no use for {quote(extra[1])}. {hint}" if extra else message
    if param.param_type_name == "argument":
        return f"{command} needs {(param.metavar or param.name).rstrip('.')}. {param.help}"
    given = [after for word, after in pairwise(words) if word in param.opts]
    kind = "a whole number" if "integer" in message else "a number"
    return f"{param.opts[0]} takes {kind}{f', not {quote(given[-1])}' if given else ''}."
