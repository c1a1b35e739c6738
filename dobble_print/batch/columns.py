"""The columns of a job list: what each may hold, and how a row of them becomes a job.

Invariant: a cell means what the option of the same name means on the command line, and is read by the same rules; an
empty cell leaves it to the command line, and that to the theme.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dobble_print.batch.model import Job
from dobble_print.errors import DobbleError, Fault, Place, Refusal, UsageError
from dobble_print.jobs import BuildOrder
from dobble_print.messages import quote, suggest
from dobble_print.resources import THEME_ENDINGS, THEME_FILE, shipped_themes
from dobble_print.theme.overrides import read_overrides
from dobble_print.theme.profiles import find_profile
from dobble_print.theme.reader import find_theme

LONGEST_ID = 60
ARCHIVE = ".zip"

NUMBERS = {"seed": int, "cards": int, "copies": int, "size": float}
OVERRIDES = ("seed", "cards", "paper", "shape", "size", "languages", "quality", "duplex", "back", "profile")
OVERRIDES_PRESS = ("cut_name", "cut_path", "low_ink")
ORDERS = ("copies", "mark", "booklet_size")
COLUMNS = ("id", "theme", "output", *OVERRIDES, *OVERRIDES_PRESS, *ORDERS)
OTHER_SPELLINGS = {"lang": "languages", "language": "languages", "name": "id", "job": "id", "folder": "output"}
TRUE, FALSE = ("true", "yes", "1", "x"), ("false", "no", "0")

_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(10))}
_OWN = re.compile(r"gang(-\d+)?|batch(-\d+of\d+)?\.json")  # folders and files of the batch itself


def find_column(heading: str) -> str:
    """The column meant by a heading; raises `Refusal`."""
    plain = re.sub(r"[\s-]+", "_", heading.strip().casefold())
    plain = OTHER_SPELLINGS.get(plain, plain)
    if plain not in COLUMNS:
        hint = suggest(plain, COLUMNS, f"Columns are: {', '.join(COLUMNS)}.")
        raise Refusal(f"there is no column {quote(heading)}", hint)
    return plain


def make_job(cells: Mapping[str, str], base: BuildOrder, folder: Path, place: Place) -> Job:
    """The job of a row; paths start from the list's own folder. Raises one `UsageError` with all that is wrong."""
    faults: list[Fault] = []
    theme = _read(faults, _find_theme, cells.get("theme", ""), folder)
    name = _read(faults, make_id, cells.get("id") or (derive_name(theme) if theme else ""))
    group = _read(faults, _read_group, cells.get("output", ""))
    order = _read(faults, _make_order, cells, base, folder)
    UsageError.raise_any(replace(fault, place=fault.place or place) for fault in faults)
    assert theme is not None and order is not None
    return Job(name or "", theme, order, group or "", place, cells.get("id", ""))


def _read(faults: list[Fault], read: Any, *given: Any) -> Any:
    try:
        return read(*given)
    except Refusal as refusal:
        faults.append(Fault(refusal.what, refusal.hint))
    except DobbleError as error:
        faults += [replace(fault, what=fault.what.removeprefix("--")) for fault in error.faults]
    except OSError as error:  # a name so long that nobody can even look it up
        faults.append(Fault(f"{quote(given[0])[:80]} is no file name ({error.strerror})"))
    return None


def _find_theme(text: str, folder: Path) -> Path:
    if not text:
        raise Refusal("the row names no theme", "Give a theme file, a folder, a zip, or the name of a shipped theme.")
    path = folder / text
    if path.is_file() and path.suffix.lower() == ARCHIVE:
        return path
    if path.is_file() and path.suffix.lower() not in THEME_ENDINGS:
        raise Refusal(f"{quote(text)} is no theme", f"A theme ends in {' or '.join(THEME_ENDINGS)}, or is a zip.")
    return find_theme(text if text in shipped_themes() and not path.exists() else str(path))


def derive_name(theme: Path) -> str:
    """What a theme is called where no id is given: its file, or its folder."""
    return theme.resolve().parent.name if theme.name == THEME_FILE else theme.stem


def make_id(text: str) -> str:
    """An id that is a file name on every system: letters, digits, dots, hyphens and underscores."""
    plain = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", text)).strip("-._")[:LONGEST_ID].rstrip("-._")
    if not plain:
        raise Refusal(f"{quote(text)} is no id" if text else "the row has no id", "Use letters and digits.")
    if plain.casefold() in _DEVICES or _OWN.fullmatch(plain.casefold()):
        raise Refusal(f"{quote(text)} is an id that the program or the system needs itself", "Choose another.")
    return plain


def _read_group(text: str) -> str:
    """A folder below that of the batch, perhaps some levels deep."""
    if text.startswith(("/", "\\", "~")) or ":" in text or "\\" in text or ".." in Path(text).parts:
        raise Refusal(f"output: {quote(text)} leads out of the folder of results", "Give a folder's name.")
    return "/".join(make_id(part) for part in Path(text).parts)


def _make_order(cells: Mapping[str, str], base: BuildOrder, folder: Path) -> BuildOrder:
    asked = {column: _read_cell(column, text) for column, text in cells.items() if text}
    if "profile" in asked:
        path = find_profile(asked["profile"], folder)
        shipped = path.stem == asked["profile"].casefold()
        asked["profile"] = path.stem if shipped else str(path)
    names = {"size": "size_mm"}
    overrides = {names.get(key, key): asked[key] for key in (*OVERRIDES, *OVERRIDES_PRESS) if key in asked}
    order = replace(
        base,
        overrides=replace(base.overrides, **overrides),
        **{key: asked[key] for key in ORDERS if key in asked},
    )
    read_overrides(order.overrides)
    order.make_wishes()
    return order


def _read_cell(column: str, text: str) -> Any:
    if column == "languages":
        return tuple(part for part in re.split(r"[\s,;+/|]+", text) if part)
    if column == "low_ink":
        if text.casefold() not in (*TRUE, *FALSE):
            raise Refusal(f"low_ink: {quote(text)} is neither yes nor no", "Write yes or no.")
        return text.casefold() in TRUE or None
    if column in NUMBERS:
        try:
            return NUMBERS[column](text.replace(",", ".") if NUMBERS[column] is float else text)
        except ValueError:
            raise Refusal(f"{column}: {quote(text)} is no number", "Write digits only.") from None
    return text
