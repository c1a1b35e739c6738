"""Flags of the command line: those of every build, made from `BuildOptions`, and those that several commands share."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from dobble_print.cli.console import guard
from dobble_print.options import BuildOptions, Option, list_options

Command = Callable[..., None]


def make_command(work: Command, *, in_batch: bool = False) -> Command:
    """Return a command that does this work, and ends with a message and an exit code whatever it raises.

    Work that takes `options` gets all build options as one object, and the command a flag for each; one that the work
    declares itself, in other words, is left to it. With `in_batch`, only options that a batch knows become flags. Work
    that has no use for `debug` still gets the flag.
    """
    own, hints = inspect.signature(work).parameters, get_type_hints(work, include_extras=True)
    known = list_options().items() if "options" in own else ()
    flags = {name: option for name, option in known if name not in own and (option.in_batch or not in_batch)}
    shown: list[inspect.Parameter] = []
    for name, parameter in own.items():
        if name == "options":
            shown += [_make_parameter(option) for option in flags.values()]
        else:
            shown.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))
    if "debug" not in own:
        shown.append(inspect.Parameter("debug", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Debug))

    @functools.wraps(work)
    def run(**given: Any) -> None:
        with guard(given["debug"]):
            asked = {name: option.read(given[name]) for name, option in flags.items() if given[name] is not None}
            if "options" in own:
                given["options"] = BuildOptions(**asked)
            work(**{name: given[name] for name in own})

    run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return run


def make_flag(name: str, panel: str | None = None) -> Any:
    """Return the flag of a build option, for commands that have just this one."""
    option = list_options()[name]
    choices = find_printers if name == "printer" else option.list_choices
    return flag(option.usage, option.help, panel, None if Path in option.types else choices)


def flag(usage: str, help: str, panel: str | None = None, choices: Callable[[], Collection[str]] | None = None) -> Any:
    """Return a flag from how it is typed: `--output -o FOLDER`."""
    names = [word for word in usage.split() if word.startswith("-")]
    value = " ".join(usage.split()[len(names) :]) or None
    complete = complete_words(choices) if choices else None
    return typer.Option(*names, metavar=value, help=help, autocompletion=complete, rich_help_panel=panel)


def _make_parameter(option: Option) -> inspect.Parameter:
    """Return the flag as the parameter of a command; what is no plain value is read from its text."""
    kind: Any = option.type
    default = option.default
    if option.type == tuple[str, ...]:
        kind, default = list[str] | None, None
    elif tuple in option.types:
        kind, default = str | None, None
    elif str in option.types:
        kind = str if default is not None else str | None
    elif bool in option.types:
        default = False  # a flag turns something on, or off what is on by default
    annotation = Annotated[kind, make_flag(option.name, option.panel)]
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def complete_words(choices: Callable[[], Collection[str]]) -> Callable[[str], list[Any]]:
    """Return what completes one of some words; where they have texts, they explain them."""

    def complete(incomplete: str) -> list[Any]:
        known: Any = choices()
        found = [each for each in known if each.lower().startswith(incomplete.lower())]
        explained = isinstance(known, dict) and all(isinstance(known[each], str) for each in found)
        return [(each, known[each]) for each in found] if explained else found

    return complete


def find_printers() -> Collection[str]:
    """Return the printers that are kept."""
    from dobble_print.press.printers import list_printers

    return list(list_printers())


def complete_theme(incomplete: str) -> list[str]:
    """Themes that may be meant."""
    from dobble_print.resources import shipped_themes

    near = [str(path) for path in Path().glob(f"{incomplete}*") if path.suffix in (".yaml", ".yml") or path.is_dir()]
    return [name for name in (*shipped_themes(), *sorted(near)) if name.startswith(incomplete)]


Themes = Annotated[
    list[str],
    typer.Argument(
        metavar="THEME...",
        help="A theme file, a folder holding theme.yaml, or the name of a shipped theme.",
        autocompletion=complete_theme,
    ),
]
Languages = Annotated[list[str] | None, make_flag("languages")]
Json = Annotated[bool, flag("--json", "Print the result as JSON on stdout.")]
Debug = Annotated[bool, flag("--debug", "Show where in the program an error arose.")]
Quiet = Annotated[bool, flag("--quiet -q", "Say nothing but errors.")]
NoCache = Annotated[bool, flag("--no-cache", "Draw and place everything anew.")]
