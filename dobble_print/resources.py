"""Where the files that ship with the program are: `templates/` and `themes/`.

Invariant: the answer is the same for an installed package (both travel inside it) and for a checkout (both stand at its
root); nobody else looks for them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

THEME_FILE = "theme.yaml"
THEME_ENDINGS = (".yaml", ".yml")
_PACKAGE = Path(__file__).resolve().parent


def find_shipped_folder(name: str) -> Path:
    """Return the folder of that name inside the installed package, or else at the root of the checkout."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def find_template(name: str) -> Path:
    """Return a file of `templates/`."""
    return find_shipped_folder("templates") / name


def shipped_themes() -> dict[str, Path]:
    """Return the themes that come with the program, by name: `themes/NAME.yaml` or `themes/NAME/theme.yaml`."""
    folder = find_shipped_folder("themes")
    flat = {path.stem: path for path in folder.glob("*.yaml")}
    nested = {path.parent.name: path for path in folder.glob(f"*/{THEME_FILE}")}
    return dict(sorted((flat | nested).items()))


def shipped_profiles() -> dict[str, Path]:
    """Return the shipped profiles of printers and machines by name: `templates/profiles/NAME.yaml`."""
    return {path.stem: path for path in sorted(find_template("profiles").glob("*.yaml"))}


def read_yaml(name: str) -> Any:
    """Return a file of `templates/` as plain lists and dictionaries of text."""
    import yaml

    return yaml.load(find_template(name).read_text(encoding="utf-8"), yaml.CBaseLoader)


@cache
def read_table(name: str) -> dict[str, dict[str, str]]:
    """Return a table of `templates/`: for each key, a row of named texts."""
    table = read_yaml(name)
    return {
        key: {column: cell for column, cell in row.items() if isinstance(cell, str)}
        for key, row in table.items()
        if isinstance(row, dict)
    }
