"""The page of all keys of a theme file, made of the declared keys.

Invariant: what a key may be, what holds without it and what it does is said where the key is declared; the words
around the tables are in `tools/theme_reference.md`.
"""

from __future__ import annotations

import re
from pathlib import Path

from dobble_print.theme.options import THEME, Field, Section

WORDS = Path(__file__).with_name("theme_reference.md")
HEAD = "| key | what it may be | default | what it does |\n|---|---|---|---|"
PLACE = re.compile(r"^<!-- keys: ([a-z]+) -->$", re.MULTILINE)


def theme_page() -> str:
    """Return the whole page: our words, with a table at each place that asks for one."""
    text = WORDS.read_text(encoding="utf-8")
    asked = PLACE.findall(text)
    sections = [part.key for part in THEME if isinstance(part, Section)]
    if sorted(asked) != sorted([*sections, "general", "notes"]):
        raise SystemExit(f"{WORDS.name} has tables for {', '.join(asked)}; the theme has {', '.join(sections)}")
    return PLACE.sub(lambda found: make_table(found[1]), text)


def make_table(name: str) -> str:
    """Return the keys of a section as a Markdown table; those of none are general, or notes at the end of a file."""
    rows = [HEAD]
    for part in THEME:
        if isinstance(part, Section) and part.key == name:
            rows += _list_rows(part.key, part)[1:]
        elif isinstance(part, Field) and name == _home_of(part):
            rows.append(_row(part.key, part))
    return "\n".join(rows)


def _home_of(field: Field) -> str:
    position = [part.key for part in THEME].index(field.key)
    first_section = next(place for place, part in enumerate(THEME) if isinstance(part, Section))
    return "general" if position < first_section else "notes"


def _list_rows(key: str, section: Section) -> list[str]:
    """Return a row for the section itself, one a field, and those of the list below it."""
    inner = _list_rows(f"{key}.{section.entries.key}", section.entries) if section.entries else []
    fields = [_row(f"{key}.{field.key}", field) for field in section.fields]
    return [f"| **`{key}`** | {section.describe()} | | {section.explain} |", *fields, *inner]


def _row(key: str, field: Field) -> str:
    default = field.default
    shown = str(default).lower() if isinstance(default, bool) else "" if default is None else str(default)
    shown = "needed" if field.is_required else shown.removesuffix(".0")
    several = f", or a list of {field.most} at most" if field.is_list else ""
    return f"| `{key}` | {field.kind.describe()}{several} | {shown} | {field.explain} |".replace("|  |", "| |")
