"""The help of every command, in panels on a terminal and plain elsewhere; and words for what the parser refuses.

Typer brings Click along in one version and a copy of its own in the next: only what both know is used here.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, TextIO

import typer
from typer.core import TyperCommand, TyperGroup

from dobble_print.errors import ExitCode
from dobble_print.messages import clip, quote, show, suggest_related
from dobble_print.options import OUTPUT, PANELS, list_options
from dobble_print.resources import read_yaml, shipped_themes

EVERYDAY, SHOP, MORE = COMMAND_PANELS = "Every day", "Print shop", "More"
ARGUMENTS, OPTIONS = "Arguments", "Options"
LEFT_COLUMN, LEAST_WIDTH = 33, 40
_OPTION_WORDS = "option-words.yaml"
Refusal: type[Exception] = typer.BadParameter.__mro__[1]  # Click's UsageError, of which Typer names only a child
Panels = dict[str, list[tuple[str, str, str]]]  # under each heading: a name, what stands for its value, its help


class _Helpful:
    """What a command and the program have in common."""

    def get_help(self, ctx: Any) -> str:
        """Return the help."""
        return write_help(ctx, sys.stdout)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words; what is refused knows them, and the context, which some releases leave out."""
        words = tuple(args)
        try:
            return list(super().parse_args(ctx, args))  # type: ignore[misc]
        except Refusal as error:
            error.ctx, error.words = getattr(error, "ctx", None) or ctx, words  # type: ignore[attr-defined]
            raise


class Command(_Helpful, TyperCommand):
    """A command with help of our own."""


class Program(_Helpful, TyperGroup):
    """The program itself: its commands, with help of our own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the command; whoever types nothing at all is shown the overview."""
        if not args and not ctx.resilient_parsing:
            print(write_help(ctx, sys.stderr), file=sys.stderr)
            ctx.exit(ExitCode.USAGE)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; a theme in its place is a build that somebody meant."""
        name = args[0]
        if name not in self.commands and not ctx.resilient_parsing:
            is_theme = name in shipped_themes() or Path(name).suffix in (".yaml", ".yml")
            meant = f"build {clip(name)}" if is_theme else next(iter(suggest_related(name, self.commands)), "")
            ctx.fail(f"there is no command {clip(name)}.{f' Did you mean {meant}?' if meant else ''}")
        return super().resolve_command(ctx, args)


def is_lively(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal that shows colours and frames, and a person who wants them."""
    capable = stream.isatty() and os.environ.get("TERM") != "dumb" and "utf" in (stream.encoding or "").lower()
    return capable and "NO_COLOR" not in os.environ


def write_help(ctx: Any, stream: TextIO) -> str:
    """Return the help of a command for this stream."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    lively, width, text = is_lively(stream), max(shutil.get_terminal_size().columns, LEAST_WIDTH), io.StringIO()
    screen = Console(file=text, force_terminal=lively, width=width, markup=False, emoji=False, highlight=False)
    command, panels, is_program = ctx.command, list_panels(ctx), isinstance(ctx.command, TyperGroup)
    takes = ["COMMAND"] if is_program else [name for name, *_ in panels.get(ARGUMENTS, ())]
    texts = [Text(" ".join(["Usage:", ctx.command_path, "[OPTIONS]", *takes]), "bold")]
    for paragraph in (command.help or "").split("\n\n"):
        is_example = paragraph.startswith(" ")
        texts.append(Text(paragraph if is_example else paragraph.replace("\n", " "), "cyan" if is_example else ""))
    for each in texts:
        screen.print(Padding(each, (0, 0, 1, int(lively))))
    lefts = {heading: max(len(f"{name} {value}".strip()) for name, value, _ in panels[heading]) for heading in panels}
    options_left = lefts.pop(OPTIONS) if is_program else 0  # which are longer than the names of commands
    for heading, rows in panels.items():
        table = Table.grid(padding=(0, 2))
        left = max(lefts.values()) if heading in lefts else options_left
        table.add_column(width=min(left, LEFT_COLUMN, width // 2), overflow="fold")
        for name, value, words in rows:
            table.add_row(Text.assemble((name, "bold cyan"), f" {value}" if value else ""), words)
        if lively:
            screen.print(Panel(table, title=heading, title_align="left", border_style="dim", width=width))
        else:
            screen.print(f"{heading}:", Padding(table, (0, 0, 1, 2)), sep="\n")
    return "\n".join(line.rstrip() for line in text.getvalue().rstrip().splitlines())


def list_panels(ctx: Any) -> Panels:
    """Return what a command takes, under the headings of its panels; the commands, for the program itself."""
    params = [each for each in ctx.command.get_params(ctx) if not getattr(each, "hidden", False)]
    commands = getattr(ctx.command, "commands", {})
    rest = OUTPUT if any(getattr(each, "rich_help_panel", None) for each in params) else OPTIONS
    panels: Panels = {heading: [] for heading in (*(COMMAND_PANELS if commands else ()), ARGUMENTS, *PANELS, OPTIONS)}
    for name, each in commands.items():
        panels[each.rich_help_panel].append((name, "", each.help.split("\n\n")[0]))
    for param in params:
        if param.param_type_name == "argument":
            panels[ARGUMENTS].append((param.metavar, "", param.help))
            continue
        value, default = "" if param.is_flag else param.metavar or _show_choices(param.opts), param.default
        shown = f"{default:g}" if isinstance(default, float) else default
        words = f"{param.help} Default: {shown}." if value and default else param.help
        row = ", ".join(sorted(param.opts, key=len)), value, words
        panels[getattr(param, "rich_help_panel", None) or rest].append(row)
    return {heading: rows for heading, rows in panels.items() if rows}


def _show_choices(flags: list[str]) -> str:
    """Return `[round|hex|square]` for a build option that takes one of a few words."""
    option = next(option for option in list_options().values() if option.flags[0] in flags)
    return f"[{'|'.join(option.list_choices())}]"


def _translate(flag: str) -> list[str]:
    """Return what an option is called in other languages, by those who guess its name."""
    return str(read_yaml(_OPTION_WORDS).get(flag, "")).split()


def explain_refusal(error: Any) -> str:
    """Return what the parser did not understand, in one line, with what was probably meant."""
    flags = {flag: param for param in error.ctx.command.get_params(error.ctx) for flag in param.opts}
    words, name, command = getattr(error, "words", ()), getattr(error, "option_name", ""), error.ctx.info_name
    param, message = getattr(error, "param", None), show(error.message)
    if name in flags:
        return f"{name} takes no value." if flags[name].is_flag else f"{name} needs a value. {flags[name].help}"
    if name:  # the parser takes -lang for the letters l, a, n and g
        written = next((word for word in words if word.startswith(name)), name).partition("=")[0]
        if re.fullmatch(r"-[\d.,]+", written):
            return f"{written} stands alone. Write both numbers with a comma and no space between them: 0.7,-0.3."
        long = [flag[2:] for flag in flags if flag.startswith("--")]
        near = [each for each in long if written.lstrip("-").casefold() in _translate(each)]
        near = near or suggest_related(written.lstrip("-"), long)
        return f"there is no option {clip(written)}.{f' Did you mean --{near[0]}?' if near else ''}"
    if param is None:
        extra = re.search(r"extra argument\S* \((.*)\)", message)
        flag, _, value = (extra[1] if extra else "").partition(" ")
        is_flag = value and f"--{flag}" in flags
        hint = f"Write --{flag} {value}." if is_flag else "Put a name with spaces in quotes."
        return f"{command} has no use for {quote(extra[1])}. {hint}" if extra else message
    if param.param_type_name == "argument":
        return f"{command} needs {(param.metavar or param.name).rstrip('.')}. {param.help}"
    given = [after for word, after in pairwise(words) if word in param.opts]
    kind = "a whole number" if "integer" in message else "a number"
    return f"{param.opts[0]} takes {kind}{f', not {quote(given[-1])}' if given else ''}."
