"""What the command line asks for in place of what the theme says, read by the same kinds as the theme's keys."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from dobble_print.errors import Fault, InvalidValue, UsageError
from dobble_print.theme.kinds import Color
from dobble_print.theme.options import BACK, CARD, DECK, LANGUAGES, LAYOUT, PRESS, SECTIONS, SHEET, Field
from dobble_print.theme.values import Values, make_back


@dataclass(frozen=True)
class Overrides:
    """What the command line asks for in place of what the theme says; None leaves it to the theme."""

    seed: int | None = None
    cards: int | None = None
    paper: str | None = None
    shape: str | None = None
    size_mm: str | float | None = None
    languages: tuple[str, ...] | None = None
    quality: str | None = None
    duplex: str | None = None
    back: str | None = None
    profile: str | None = None
    cut_name: str | None = None
    cut_path: str | None = None
    low_ink: bool | None = None


BACK_COLOR = Field(BACK.key, Color(allows_none=True), "The back of the cards.")

# Which option of the command line stands for which key; both are read by the same kind.
_OPTIONS = (
    ("seed", "--seed", DECK, DECK.field("seed")),
    ("cards", "--cards", DECK, DECK.field("cards")),
    ("paper", "--paper", SHEET, SHEET.field("paper")),
    ("shape", "--shape", CARD, CARD.field("shape")),
    ("size_mm", "--size", CARD, CARD.field("size")),
    ("quality", "--quality", LAYOUT, LAYOUT.field("quality")),
    ("duplex", "--duplex", SHEET, SHEET.field("duplex")),
    ("low_ink", "--low-ink", SHEET, SHEET.field("low_ink")),
    ("cut_name", "--cut-name", PRESS, PRESS.field("cut_name")),
    ("cut_path", "--cut-path", PRESS, PRESS.field("cut_path")),
)


def read_overrides(overrides: Overrides) -> tuple[Values, tuple[str, ...]]:
    """What is asked for, by section, and the languages; raises one `UsageError` for all that is impossible."""
    values: Values = {section.key: {} for section in SECTIONS}
    faults: list[Fault] = []
    for name, option, section, field in _OPTIONS:
        asked = getattr(overrides, name)
        if asked is not None:
            values[section.key][field.attribute or field.key] = _read_option(option, field, str(asked), faults)
    if overrides.back is not None:
        color = _read_option("--back", BACK_COLOR, overrides.back, faults)
        values["back"] = asdict(make_back(color)) if color else {}
    codes = [_read_option("--lang", LANGUAGES, code, faults) for code in overrides.languages or ()]
    UsageError.raise_any(faults)
    return values, tuple(dict.fromkeys(codes))


def read_value(option: str, field: Field, text: str) -> Any:
    """The value of one option; raises a `UsageError`."""
    faults: list[Fault] = []
    value = _read_option(option, field, text, faults)
    UsageError.raise_any(faults)
    return value


def _read_option(option: str, field: Field, text: str, faults: list[Fault]) -> Any:
    try:
        return field.kind.read(text.strip())
    except InvalidValue as refusal:
        faults.append(Fault(f"{option}: {refusal.what}", refusal.hint))
        return None
