"""The page of all commands, read from the command line itself.

Invariant: a command, an option, its panel, what it takes and what holds without it are those of the Typer app; the
only words of our own here are those around them.
"""

from __future__ import annotations

import enum
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo, CommandInfo, OptionInfo

from dobble_print.cli.app import app
from dobble_print.options import Option, list_options
from dobble_print.theme.kinds import Choice
from dobble_print.theme.options import SECTIONS, Field

WIDTH = 110
MOST_CHOICES = 8  # a longer list is shown by `dobble-print list`
PLAIN_WORDS = {int: "a whole number", float: "a number", Path: "a path", str: "text"}
LISTS = {"profile": "profiles", "languages": "languages", "paper": "papers"}

INTRODUCTION = """\
Every command explains itself: `dobble-print --help` names the commands, `dobble-print build --help` the options of one.
Options stand before or after what they are for, in any order. `--size 80` and `--size=80` mean the same.
"""

OPTION_WORDS = """\
A value in the column *without it* holds when you leave the option out. Where it names a key, such as
[`sheet.paper`](theme-reference.md#sheet), your theme file decides: the option stands in for that key for one run, and
the value in brackets holds when the theme does not say either.
"""


@dataclass(frozen=True)
class Row:
    """One argument or option of a command, in words."""

    names: str
    takes: str
    without: str
    explain: str
    panel: str = ""


def command_page() -> str:
    """Return the whole page."""
    commands = list(list_commands())
    parts = ["# Command line", INTRODUCTION.strip(), *_index(commands), OPTION_WORDS.strip()]
    parts += ["## Options of the program itself", _table(list(_program_rows()), "option")]
    for name, info in commands:
        parts += _describe_command(name, info)
    return "\n\n".join(parts) + "\n"


def _index(commands: list[tuple[str, CommandInfo]]) -> Iterator[str]:
    """Yield a table of the commands, or one for each of their panels."""
    panels = dict[str, list[str]]()
    for name, info in commands:
        panels.setdefault(_panel(info), []).append(f"| [`{name}`](#{name}) | {_cell(_paragraphs(info)[0])} |")
    for panel, rows in panels.items():
        if panel:
            yield f"**{panel}**"
        yield "\n".join(["| command | what it does |", "|---|---|", *rows])


def list_commands() -> Iterator[tuple[str, CommandInfo]]:
    """Yield the commands by their names, in the order in which the program lists them."""
    for info in app.registered_commands:
        if info.callback and not info.hidden:
            yield info.name or info.callback.__name__, info


def list_parameters(callback: Callable[..., Any]) -> Iterator[tuple[str, Any, Any, ArgumentInfo | OptionInfo]]:
    """Yield name, type, default and declaration of whatever a command can be given."""
    hints = get_type_hints(callback, include_extras=True)
    for name, parameter in inspect.signature(callback).parameters.items():
        annotation = hints.get(name, parameter.annotation)
        if get_origin(annotation) is Annotated:
            kind, *notes = get_args(annotation)
            info = next(note for note in notes if isinstance(note, ArgumentInfo | OptionInfo))
            if not info.hidden:
                yield name, kind, parameter.default, info


def _describe_command(name: str, info: CommandInfo) -> Iterator[str]:
    assert info.callback is not None
    arguments, panels = list[Row](), dict[str, list[Row]]()
    usage = [f"dobble-print {name} [OPTIONS]"]
    for field, kind, default, declared in list_parameters(info.callback):
        if isinstance(declared, ArgumentInfo):
            arguments.append(_argument_row(field, kind, default, declared))
            usage.append(arguments[-1].names)
        else:
            row = _option_row(field, kind, default, declared)
            panels.setdefault(row.panel, []).append(row)
    yield f"## {name}"
    yield from map(_show_paragraph, _paragraphs(info))
    yield f"```text\n{' '.join(usage)}\n```"
    if arguments:
        rows = [f"| `{row.names}` | {row.takes} | {row.explain} |".replace("|  |", "| |") for row in arguments]
        yield "\n".join(["| argument | takes | what it is |", "|---|---|---|", *rows])
    for panel, options in panels.items():
        if len(panels) > 1:
            yield f"**{panel or 'Other options'}**"
        yield _table(options, "option")


def _paragraphs(info: CommandInfo) -> list[str]:
    """Return what a command says of itself: a line that sums it up, then more; examples stand indented."""
    text = info.help or inspect.getdoc(info.callback) or ""
    return re.split(r"\n\s*\n", text.split("\f")[0].strip("\n"))


def _show_paragraph(text: str) -> str:
    if text.startswith(" "):
        return f"```sh\n{textwrap.dedent(text)}\n```"
    return _wrap(_mark_commands(" ".join(text.split())))


def _mark_commands(text: str) -> str:
    return re.sub(r"(?<!`)\bdobble-print list \w+", r"`\g<0>`", text)


def _panel(info: CommandInfo | OptionInfo) -> str:
    return info.rich_help_panel if isinstance(info.rich_help_panel, str) else ""


def _table(rows: list[Row], head: str) -> str:
    lines = [f"| {head} | takes | without it | meaning |", "|---|---|---|---|"]
    lines += [f"| {row.names} | {row.takes} | {row.without} | {row.explain} |" for row in rows]
    return "\n".join(lines).replace("|  |", "| |").replace("|  |", "| |")


def _argument_row(field: str, kind: Any, default: Any, info: ArgumentInfo) -> Row:
    name = info.metavar or (field.upper() if default is inspect.Parameter.empty else f"[{field.upper()}]")
    choices = _choices(kind, info)
    takes = _join_choices(choices) if choices else ""
    return Row(name, takes, "", _cell(info.help))


def _option_row(field: str, kind: Any, default: Any, info: OptionInfo) -> Row:
    flags = list_flags(field, info)
    names = ", ".join(f"`{flag}`" for flag in flags)
    option = next((each for each in list_options().values() if each.flags[0] == flags[0]), None)
    key = _theme_key(option) if option and option.help == info.help else None
    takes = "" if _bare(kind) is bool else _takes(kind, info, option, key)
    return Row(names, takes, _without(default, option, key), _cell(info.help), _panel(info))


def list_flags(field: str, info: OptionInfo) -> list[str]:
    """Return the names of an option; in an annotation, the first of them takes the place of the default."""
    names = [str(name) for name in (info.default, *(info.param_decls or ()))]
    flags = [name for name in names if name.startswith("-")]
    return flags or [f"--{field.replace('_', '-')}"]


def _takes(kind: Any, info: OptionInfo, option: Option | None, key: Field | None) -> str:
    """Say what an option may be given: choices, a range, or the kind of value."""
    choices = _choices(kind, info)
    is_same = option is not None and option.help == info.help
    if not choices and is_same and option and option.choices and len(option.choices()) <= MOST_CHOICES:
        choices = [*option.choices()]
    if option and option.name in LISTS:
        others = ", or a size such as `330x487`" if option.name == "paper" else ""
        return f"{_join_choices(choices)}{others}" if choices else f"see `dobble-print list {LISTS[option.name]}`"
    if choices:
        return _join_choices(choices)
    if key:
        return _cell(_join_choices([*key.kind.words]) if isinstance(key.kind, Choice) else key.kind.describe())
    if info.metavar:
        return f"`{_cell(info.metavar)}`"
    if info.min is not None and info.max is not None:
        return f"{info.min:g} to {info.max:g}"
    return PLAIN_WORDS.get(_bare(kind), "text")


def _choices(kind: Any, info: ArgumentInfo | OptionInfo) -> list[str]:
    """Return the values that may be given, where they are few and known."""
    bare, by_click = _bare(kind), getattr(getattr(info, "click_type", None), "choices", None)
    if by_click:
        return [str(getattr(each, "value", each)) for each in by_click]
    if inspect.isclass(bare) and issubclass(bare, enum.Enum):
        return [str(each.value) for each in bare]
    if get_origin(bare) is Literal:
        return [str(each) for each in get_args(bare)]
    if info.metavar and "|" in info.metavar and info.metavar.strip("[]<>").islower():
        return info.metavar.strip("[]<>").split("|")
    return []


def _bare(kind: Any) -> Any:
    """Return a type without None and without its list."""
    if get_origin(kind) in (Union, UnionType):
        kind = next(each for each in get_args(kind) if each is not NoneType)
    return get_args(kind)[0] if get_origin(kind) in (list, tuple) else kind


def _theme_key(option: Option | None) -> Field | None:
    if not option or not option.key:
        return None
    section, _, key = option.key.partition(".")
    return next(each for each in SECTIONS if each.key == section).field(key)


def _without(default: Any, option: Option | None, key: Field | None) -> str:
    """Say what holds when the option is left out."""
    if option and key and default in (None, False):
        value = str(key.default).lower() if isinstance(key.default, bool) else str(key.default)
        section = option.key.partition(".")[0]
        return f"[`{option.key}`](theme-reference.md#{section}) ({value.removesuffix('.0')})"
    if default in (None, False, (), inspect.Parameter.empty):
        return ""
    shown = str(getattr(default, "value", default)).removesuffix(".0")
    return f"`{shown}`" if shown else ""


def _program_rows() -> Iterator[Row]:
    callback = app.registered_callback.callback if app.registered_callback else None
    assert callback is not None
    for field, kind, default, info in list_parameters(callback):
        if isinstance(info, OptionInfo):
            yield _option_row(field, kind, default, info)
    yield Row("`--install-completion`", "", "", "Teach your shell to complete commands, themes, papers and languages.")
    yield Row("`--show-completion`", "", "", "Print what that would add, to copy it yourself.")
    yield Row("`--help`, `-h`", "", "", "Explain the program, or after a command, that command.")


def _join_choices(choices: list[str]) -> str:
    return ", ".join(f"`{each}`" for each in choices[:-1]) + (" or " if choices[1:] else "") + f"`{choices[-1]}`"


def _cell(text: str | None) -> str:
    return _mark_commands(" ".join((text or "").split()).replace("|", "\\|"))


def _wrap(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
