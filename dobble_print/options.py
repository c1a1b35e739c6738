"""What a build can be asked for: one object, whose fields are declared once for everybody who can ask.

Each field says how it is asked for on the command line, whether a job list has a column for it, and which key of the
theme it stands in for (`Option`). A new option is one new field.

Invariant: a field that is left at its default leaves the matter to the theme.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from operator import not_
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from dobble_print.errors import Fault, InvalidValue, UsageError
from dobble_print.messages import quote
from dobble_print.resources import read_table, shipped_profiles
from dobble_print.units import papers
from dobble_print.words.languages import languages

if TYPE_CHECKING:
    from dobble_print.theme.kinds import Kind
    from dobble_print.theme.reader import Overrides

PANELS = MAKE, CARDS, PAPER, SHOP, OUTPUT = "What to make", "Cards", "Paper and printer", "Print shop", "Output"
MOST_COPIES = 200
TRUE, FALSE = ("true", "yes", "1", "x"), ("false", "no", "0")
Mark = Literal["none", "color", "letter"]
MARKS: dict[str, Mark] = {"color": "color", "colour": "color", "letter": "letter", "none": "none"}


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
    """Return language codes: `--lang nl --lang fr`, `--lang nl,fr` and `--lang "[nl, fr]"` mean the same."""
    return tuple(part.strip() for text in given for part in text.strip("[] ").split(",") if part.strip())


@dataclass(frozen=True)
class Option:
    """How one option is asked for, whoever asks; it has the name, type and default of its field.

    `panel` is where `--help` lists it, `usage` its flags with what stands for its value, `key` the theme's key that it
    stands in for, `choices` the words it takes (by default those of its key), `has_column` and `in_batch` whether job
    lists and batches know it. `read` turns what stands on the command line into the field's value.
    """

    panel: str
    usage: str
    help: str
    key: str = ""
    has_column: bool = False
    choices: Callable[[], Collection[str]] | None = None
    in_batch: bool = True
    read: Callable[[Any], Any] = lambda given: given
    name: str = ""
    type: Any = None
    default: Any = None

    @property
    def flags(self) -> tuple[str, ...]:
        """The names on the command line."""
        return tuple(word for word in self.usage.split() if word.startswith("-"))

    @property
    def types(self) -> tuple[type, ...]:
        """The types that its value may have, without None."""
        union = get_args(self.type) if get_origin(self.type) is UnionType else (self.type,)
        return tuple(get_origin(each) or each for each in union if each is not type(None))

    def list_choices(self) -> Collection[str]:
        """Return the words that it takes, perhaps with texts that explain them; none where no list has them all."""
        if self.choices or not self.key:
            return self.choices() if self.choices else ()
        from dobble_print.theme.options import SECTIONS

        section, _, key = self.key.partition(".")
        kind: Any = next(each for each in SECTIONS if each.key == section).field(key).kind
        return getattr(kind, "words", ())

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


def _ask(
    panel: str, usage: str, help: str, default: Any = None, key: str = "", has_column: bool = False, **more: Any
) -> Any:
    """Declare an option; one that stands in for a theme's key has a column in job lists."""
    return field(default=default, metadata={"option": Option(panel, usage, help, key, has_column or bool(key), **more)})


@dataclass(frozen=True, kw_only=True)
class BuildOptions:
    """Everything that a build can be asked for, in the order in which `--help` lists it in its panel."""

    output: Path = _ask(
        OUTPUT, "--output -o FOLDER", "Folder for the results. Each theme gets a folder in it.", Path("output")
    )
    seed: int | None = _ask(MAKE, "--seed NUMBER", "Another number deals and lays out another deck.", key="deck.seed")
    cards: int | None = _ask(MAKE, "--cards NUMBER", "Print only so many cards, symbols balanced.", key="deck.cards")
    profile: str | None = _ask(
        PAPER,
        "--profile PROFILE",
        "Settings for a printer or machine, such as shop-sra3-x4, or your own file. See: dobble-print list profiles",
        choices=shipped_profiles,
        has_column=True,
    )
    paper: str | None = _ask(
        PAPER,
        "--paper PAPER",
        "Paper to print on, such as A4 or SRA3. See: dobble-print list papers",
        key="sheet.paper",
        choices=papers,
    )
    shape: str | None = _ask(CARDS, "--shape", "Shape of the cards.", key="card.shape")
    size: str | float | None = _ask(
        CARDS, "--size MM", "Size of a card in mm (or 3in): diameter, across the flats, or side.", key="card.size"
    )
    languages: tuple[str, ...] = _ask(
        MAKE,
        "--lang CODE",
        "Language of rules and legend, such as nl. Give it once for each. See: dobble-print list languages",
        (),
        has_column=True,
        choices=lambda: {code: row.name for code, row in languages().items()},
        read=split_languages,
    )
    quality: str | None = _ask(CARDS, "--quality", "How hard to try to fill the cards.", key="layout.quality")
    duplex: str | None = _ask(
        PAPER,
        "--duplex",
        "Where the backs go: behind the fronts, flipped on the long or short edge; to a file of their own (separate); "
        "beside the fronts, to fold over; or nowhere.",
        key="sheet.duplex",
    )
    back: str | None = _ask(
        CARDS, "--back COLOUR", "Colour of the backs, such as navy or #1d3557; or none.", has_column=True
    )
    low_ink: bool = _ask(
        CARDS,
        "--low-ink",
        "White cards, drawings and words as outlines, no coloured rims or backs.",
        False,
        "sheet.low_ink",
    )
    copies: int = _ask(MAKE, "--copies NUMBER", "Print the deck so many times.", 1, has_column=True)
    mark: str = _ask(
        MAKE,
        "--mark",
        "How copies are told apart: a colour with a letter, a letter alone, or not at all.",
        "none",
        has_column=True,
        choices=lambda: get_args(Mark),
    )
    gang: bool = _ask(SHOP, "--gang", "Print all themes on shared sheets.", False)
    cut_path: str | None = _ask(
        SHOP, "--cut-path", "The cut as a spot colour: on the art, a page or a file of its own.", key="press.cut_path"
    )
    cut_name: str | None = _ask(
        SHOP, "--cut-name NAME", "Name of that spot colour, such as CutContour or Thru-cut.", key="press.cut_name"
    )
    output_profile: Path | None = _ask(
        SHOP, "--output-profile FILE", "ICC profile of the press, for a shop's PDF.", has_column=True
    )
    front_offset: str | None = _ask(
        PAPER, "--front-offset X,Y", "Shift the fronts by so many mm, right and up; for labels.", in_batch=False
    )
    back_offset: str | None = _ask(
        PAPER, "--back-offset X,Y", "Shift the backs by so many mm, right and up, such as 0.7,-0.3.", in_batch=False
    )
    scale: str | None = _ask(PAPER, "--scale FACTOR", "Scale the print, such as 0.998 or 100/100.2.", in_batch=False)
    printer: str | None = _ask(
        PAPER,
        "--printer NAME",
        "A printer that calibrate has kept. See: dobble-print list printers",
        in_batch=False,
    )
    dated: bool = _ask(SHOP, "--date", "Print today's date in the line on every sheet.", False)
    booklet: bool = _ask(MAKE, "--no-booklet", "Make no rules booklet.", True, read=not_)
    legend: bool = _ask(MAKE, "--no-legend", "Make no legend of the symbols.", True, read=not_)
    booklet_size: str | None = _ask(
        MAKE, "--booklet-size", "Pages of the booklet.", has_column=True, choices=lambda: read_table("booklet.yaml")
    )
    only: tuple[int, ...] = _ask(
        MAKE, "--only CARDS", "Reprint only these cards, such as 17,23 or 5-8.", (), in_batch=False, read=parse_numbers
    )
    job: str = ""  # a print shop's own name for it, on every sheet
    passed_on: tuple[tuple[str, str], ...] = ()  # columns of its job list that are the shop's own, with their cells

    def theme_values(self) -> Overrides:
        """Return what stands in for the theme's own keys, read; raises one `UsageError` for all that is impossible."""
        from dobble_print.theme.kinds import ColorKind
        from dobble_print.theme.options import BACK, LANGUAGES, SECTIONS
        from dobble_print.theme.reader import Overrides
        from dobble_print.theme.values import make_back

        sections, faults = {section.key: section for section in SECTIONS}, list[Fault]()
        values: dict[str, dict[str, Any]] = {key: {} for key in sections}

        def read(option: str, kind: Kind, given: object) -> Any:
            try:
                return read_value(option, kind, str(given))
            except UsageError as error:
                faults.extend(error.faults)

        for name, option in list_options().items():
            given = getattr(self, name)
            if option.key and given is not None and given is not False:
                section, _, key = option.key.partition(".")
                known = sections[section].field(key)
                values[section][known.attribute or known.key] = read(option.flags[0], known.kind, given)
        if self.back is not None:
            color = read("--back", ColorKind(allows_none=True), self.back)
            values[BACK.key] = asdict(make_back(color)) if color else {}
        codes = [read("--lang", LANGUAGES.kind, code) for code in self.languages]
        UsageError.raise_any(faults)
        return Overrides(values, tuple(dict.fromkeys(codes)), self.profile)

    def read_mark(self) -> Mark:
        """Return how copies are told apart."""
        if self.mark.casefold() not in MARKS:
            raise UsageError(Fault(f"--mark: there is no mark {self.mark}", "Give color, letter or none."))
        return MARKS[self.mark.casefold()]

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


@cache
def list_options() -> dict[str, Option]:
    """Return every option that can be asked for from outside, by the name of its field."""
    hints, declared = get_type_hints(BuildOptions), [each for each in fields(BuildOptions) if each.metadata]
    return {
        each.name: replace(each.metadata["option"], name=each.name, type=hints[each.name], default=each.default)
        for each in declared
    }


def read_value(option: str, kind: Kind, text: str) -> Any:
    """Return the value of one option of the command line; raises a `UsageError`."""
    try:
        return kind.read(text.strip())
    except InvalidValue as refusal:
        raise UsageError(Fault(f"{option}: {refusal.what}", refusal.hint)) from None
