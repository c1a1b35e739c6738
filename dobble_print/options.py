"""What a build can be asked for: one object, whose fields are declared once for everybody who can ask.

Each field says how it is asked for on the command line (`Flag`), whether a job list has a column for it, and which key
of the theme it stands in for. A new option is one new field.

Invariant: a field that is left at its default leaves the matter to the theme.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from dobble_print.errors import Fault, InvalidValue, UsageError
from dobble_print.messages import quote
from dobble_print.resources import read_table, shipped_profiles
from dobble_print.theme.kinds import Kind
from dobble_print.theme.options import BACK, BACK_COLOR, LANGUAGES, SECTIONS, Field
from dobble_print.theme.reader import Overrides
from dobble_print.theme.values import Values, make_back
from dobble_print.units import SHAPES, papers
from dobble_print.words.languages import languages

MOST_COPIES = 200
TRUE, FALSE = ("true", "yes", "1", "x"), ("false", "no", "0")
Mark = Literal["none", "color", "letter"]


def parse_numbers(text: str) -> tuple[int, ...]:
    """Return card numbers from what people write: `17,23` or `5-8`."""
    numbers: list[int] = []
    for part in filter(None, text.replace(" ", ",").split(",")):
        first, dash, last = part.partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not dash)):
            raise UsageError(Fault(f'--only "{text}" is no list of card numbers', "Write it like 17,23 or 5-8."))
        numbers += range(int(first), min(int(last or first), int(first) + 1000) + 1)
    if not numbers:
        raise UsageError(Fault("--only names no card", "Write it like 17,23 or 5-8."))
    return tuple(numbers)


def split_languages(given: Iterable[str]) -> tuple[str, ...]:
    """Return language codes: `--lang nl --lang fr` and `--lang nl,fr` mean the same."""
    return tuple(part.strip() for text in given for part in text.split(",") if part.strip())


def list_languages() -> dict[str, str]:
    """Return every language's code with its name."""
    return {code: row.name for code, row in languages().items()}


@dataclass(frozen=True)
class Flag:
    """How one option is asked for, whoever asks.

    `names` are its flags (by default the field's name), `choices` what a shell may complete, `key` the theme's key that
    it stands in for, `has_column` and `in_batch` whether job lists and batches know it. `read` turns what stands on the
    command line into the field's value; `negates` is for a flag that turns something off.
    """

    help: str
    names: tuple[str, ...] = ()
    choices: Callable[[], Mapping[str, Any] | Iterable[str]] | None = None
    key: str = ""
    has_column: bool = False
    in_batch: bool = True
    negates: bool = False
    read: Callable[[Any], Any] | None = None


def _themed(help: str, key: str, *names: str, choices: Callable[[], Mapping[str, Any]] | None = None) -> Flag:
    """Return the flag of an option that stands in for a theme's key; such options have columns in job lists."""
    return Flag(help, names, choices, key, has_column=True)


@dataclass(frozen=True, kw_only=True)
class BuildOptions:
    """Everything that a build can be asked for, in the order in which `--help` lists it."""

    output: Annotated[Path, Flag("Folder for the results; each theme gets a folder in it.", ("--output", "-o"))] = Path(
        "output"
    )
    seed: Annotated[int | None, _themed("Another number deals and lays out another deck.", "deck.seed")] = None
    cards: Annotated[int | None, _themed("Print only so many cards, symbols balanced.", "deck.cards")] = None
    profile: Annotated[
        str | None,
        Flag(
            "Settings for a printer or machine, such as shop-sra3-x4, or a profile file of your own.",
            choices=shipped_profiles,
            has_column=True,
        ),
    ] = None
    paper: Annotated[str | None, _themed("Paper to print on, such as A4 or SRA3.", "sheet.paper", choices=papers)] = (
        None
    )
    shape: Annotated[str | None, _themed("Card shape: round, hex or square.", "card.shape", choices=lambda: SHAPES)] = (
        None
    )
    size: Annotated[
        str | float | None, _themed("Card size in mm (or 3in): diameter, across the flats, or side.", "card.size")
    ] = None
    languages: Annotated[
        tuple[str, ...],
        Flag(
            "Language code; give it once for each language.",
            ("--lang",),
            list_languages,
            has_column=True,
            read=split_languages,
        ),
    ] = ()
    quality: Annotated[
        str | None, _themed("How hard to try to fill the cards: draft, normal or best.", "layout.quality")
    ] = None
    duplex: Annotated[
        str | None,
        _themed("Backs: long or short (edge to flip on), separate (own file), fold, or none.", "sheet.duplex"),
    ] = None
    back: Annotated[str | None, Flag("Colour of the backs, such as navy or #1d3557; or none.", has_column=True)] = None
    low_ink: Annotated[
        bool, _themed("White cards, drawings as outlines, no coloured rims or backs.", "sheet.low_ink")
    ] = False
    copies: Annotated[int, Flag("Print the deck so many times.", has_column=True)] = 1
    mark: Annotated[str, Flag("How copies are told apart: color (with a letter), letter or none.", has_column=True)] = (
        "none"
    )
    gang: Annotated[bool, Flag("Print all themes on shared sheets.")] = False
    cut_path: Annotated[
        str | None, _themed("Cut as a spot colour: on the art, a page, a file, or none.", "press.cut_path")
    ] = None
    cut_name: Annotated[
        str | None, _themed("Name of that spot colour, such as CutContour or Thru-cut.", "press.cut_name")
    ] = None
    output_profile: Annotated[Path | None, Flag("ICC profile of the press, for a print shop's PDF.")] = None
    front_offset: Annotated[
        str | None, Flag("Shift the fronts by so many mm, right and up; for labels.", in_batch=False)
    ] = None
    back_offset: Annotated[
        str | None, Flag("Shift the backs by so many mm, right and up, such as 0.7,-0.3.", in_batch=False)
    ] = None
    scale: Annotated[str | None, Flag("Scale the print, such as 0.998 or 100/100.2.", in_batch=False)] = None
    printer: Annotated[str | None, Flag("A printer whose correction `calibrate` has kept.", in_batch=False)] = None
    dated: Annotated[bool, Flag("Print today's date in the line on every sheet.", ("--date",))] = False
    booklet: Annotated[bool, Flag("Make no rules booklet.", ("--no-booklet",), negates=True)] = True
    legend: Annotated[bool, Flag("Make no legend of the symbols.", ("--no-legend",), negates=True)] = True
    booklet_size: Annotated[
        str | None,
        Flag("Pages of the booklet: A6, A5 or A4-folded.", choices=lambda: read_table("booklet.yaml"), has_column=True),
    ] = None
    only: Annotated[
        tuple[int, ...], Flag("Reprint only these cards, such as 17,23 or 5-8.", in_batch=False, read=parse_numbers)
    ] = ()
    job: str = ""  # a print shop's own name for it, on every sheet

    def theme_values(self) -> Overrides:
        """Return what stands in for the theme's own keys, read; raises one `UsageError` for all that is impossible."""
        values: Values = {section.key: {} for section in SECTIONS}
        sections, faults = {section.key: section for section in SECTIONS}, list[Fault]()
        for name, option in list_options().items():
            given = getattr(self, name)
            if option.flag.key and given is not None and given is not False:
                section, _, key = option.flag.key.partition(".")
                field = sections[section].field(key)
                read = _read_option(option.flags[0], field.kind, str(given), faults)
                values[section][field.attribute or field.key] = read
        if self.back is not None:
            color = _read_option("--back", BACK_COLOR, self.back, faults)
            values[BACK.key] = asdict(make_back(color)) if color else {}
        codes = [_read_option("--lang", LANGUAGES.kind, code, faults) for code in self.languages]
        UsageError.raise_any(faults)
        return Overrides(values, tuple(dict.fromkeys(codes)), self.profile)

    def read_mark(self) -> Mark:
        """Return how copies are told apart."""
        match self.mark.casefold():
            case "color" | "colour":
                return "color"
            case "letter":
                return "letter"
            case "none":
                return "none"
        raise UsageError(Fault(f"--mark: there is no mark {self.mark}", "Give color, letter or none."))

    def check(self) -> None:
        """Refuse what no deck can be made with, whatever its theme; raises a `UsageError`."""
        if not 1 <= self.copies <= MOST_COPIES:
            raise UsageError(Fault(f"--copies: {self.copies} is out of range", f"Give 1 to {MOST_COPIES}."))
        self.read_mark()

    @property
    def date(self) -> datetime.date | None:
        """The date on every sheet, where one is wanted."""
        return datetime.date.today() if self.dated else None


DEFAULTS = BuildOptions()


@dataclass(frozen=True)
class Option:
    """One field of `BuildOptions` as the outside sees it."""

    name: str
    type: Any
    default: Any
    flag: Flag

    @property
    def flags(self) -> tuple[str, ...]:
        """The names on the command line."""
        return self.flag.names or (f"--{self.name.replace('_', '-')}",)

    @property
    def types(self) -> tuple[type, ...]:
        """The types that its value may have, without None."""
        union = get_args(self.type) if get_origin(self.type) is UnionType else (self.type,)
        return tuple(get_origin(each) or each for each in union if each is not type(None))

    def read_cell(self, text: str) -> Any:
        """Return the value of a cell of a job list; raises a `InvalidValue`."""
        if tuple in self.types:
            return tuple(part for part in re.split(r"[\s,;+/|]+", text) if part)
        if bool in self.types:
            if text.casefold() not in (*TRUE, *FALSE):
                raise InvalidValue(f"{self.name}: {quote(text)} is neither yes nor no", "Write yes or no.")
            return text.casefold() in TRUE
        try:
            if float in self.types:
                return float(text.replace(",", "."))
            return int(text) if int in self.types else text
        except ValueError:
            raise InvalidValue(f"{self.name}: {quote(text)} is no number", "Write digits only.") from None


@cache
def list_options() -> dict[str, Option]:
    """Return every option that can be asked for from outside, by the name of its field."""
    found: dict[str, Option] = {}
    hints = get_type_hints(BuildOptions, include_extras=True)
    for each in fields(BuildOptions):
        flags = [mark for mark in getattr(hints[each.name], "__metadata__", ()) if isinstance(mark, Flag)]
        if flags:
            found[each.name] = Option(each.name, get_args(hints[each.name])[0], each.default, flags[0])
    return found


def read_value(option: str, field: Field, text: str) -> Any:
    """Return the value of one option of the command line; raises a `UsageError`."""
    faults: list[Fault] = []
    value = _read_option(option, field.kind, text, faults)
    UsageError.raise_any(faults)
    return value


def _read_option(option: str, kind: Kind, text: str, faults: list[Fault]) -> Any:
    try:
        return kind.read(text.strip())
    except InvalidValue as refusal:
        faults.append(Fault(f"{option}: {refusal.what}", refusal.hint))
        return None
