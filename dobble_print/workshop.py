"""Starting and choosing: new themes, and lists of what there is to choose from."""

from __future__ import annotations

import json
from pathlib import Path

from dobble_print.errors import Fault, OutputError, UsageError
from dobble_print.outbox import deliver
from dobble_print.theme.reader import examine_theme
from dobble_print.theme.resources import THEME_FILE, shipped_themes
from dobble_print.theme.schema import write_schema
from dobble_print.theme.starter import starter_theme, theme_from_folder
from dobble_print.theme.tables import languages, papers
from dobble_print.units import SHAPES

SCHEMA_FILE = "theme.schema.json"

Row = dict[str, str]


def write_new_theme(name: str, pictures: Path | None, language: str) -> list[Path]:
    """A folder `NAME` with a commented theme, or a theme beside the pictures of a folder; never over an old one."""
    if not name.strip() or Path(name).name != name or name.startswith("."):
        raise UsageError(Fault(f'"{name}" is no name for a theme', "Use a simple name such as harbour."))
    if pictures:
        text, folder, file = theme_from_folder(pictures, name, language), pictures, f"{name}.yaml"
    else:
        text, folder, file = starter_theme(name), Path(name), THEME_FILE
    if (folder / file).exists():
        raise OutputError(Fault(f"{folder / file} exists already", "Choose another name, or remove it first."))
    return deliver(folder, {file: text.encode(), SCHEMA_FILE: write_schema().encode()})


def describe(what: str) -> list[Row]:
    """What there is of a kind, one row each, the name first."""
    return {"themes": _themes, "papers": _papers, "shapes": _shapes, "languages": _languages}[what]()


def print_rows(rows: list[Row], as_json: bool) -> None:
    """Rows as aligned columns, or as JSON."""
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    widths = {key: max(len(row[key]) for row in rows) for key in rows[0]} if rows else {}
    for row in rows:
        print("  ".join(value.ljust(widths[key]) for key, value in row.items()).rstrip())


def _themes() -> list[Row]:
    found = {name: examine_theme(path)[0] for name, path in shipped_themes().items()}
    return [{"name": name, "purpose": theme.purpose} for name, theme in found.items()]


def _papers() -> list[Row]:
    return [{"name": paper.name, "size": f"{paper.width_mm:g} × {paper.height_mm:g} mm"} for paper in papers().values()]


def _shapes() -> list[Row]:
    return [{"name": name, "meaning": (make.__doc__ or "").strip()} for name, make in SHAPES.items()]


def _languages() -> list[Row]:
    return [{"code": row.code, "name": row.name, "own name": row.own_name} for row in languages().values()]
