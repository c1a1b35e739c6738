"""The reference of theme files in the README, made of the declared keys: python -m tools.theme_reference."""

from __future__ import annotations

from dobble_print.theme.options import THEME, Field, Section


def reference_table() -> str:
    """Return every key of a theme as a Markdown table."""
    rows = ["| key | what it may be | default | what it does |", "|---|---|---|---|"]
    for part in THEME:
        rows += [_row(part.key, part)] if isinstance(part, Field) else _list_rows(part.key, part)
    return "\n".join(rows) + "\n"


def _list_rows(key: str, section: Section) -> list[str]:
    """Return a row for the section itself, one a field, and those of the list below it."""
    inner = _list_rows(f"{key}.{section.entries.key}", section.entries) if section.entries else []
    fields = [_row(f"{key}.{field.key}", field) for field in section.fields]
    return [f"| **`{key}`** | {section.describe()} | | {section.explain} |", *fields, *inner]


def _row(key: str, field: Field) -> str:
    default = field.default
    shown = str(default).lower() if isinstance(default, bool) else "" if default is None else str(default)
    shown = shown.removesuffix(".0")
    several = f", or a list of {field.most} at most" if field.is_list else ""
    return f"| `{key}` | {field.kind.describe()}{several} | {shown} | {field.explain} |"


if __name__ == "__main__":
    print(reference_table(), end="")
