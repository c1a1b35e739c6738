"""The pages of the documentation that are made of the program: `python -m tools.docs` writes them anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tools.command_reference import command_page
from tools.studio_api import api_page
from tools.theme_reference import theme_page

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES: dict[str, Callable[[], str]] = {
    "command-line.md": command_page,
    "studio-api.md": api_page,
    "theme-reference.md": theme_page,
}


def main() -> None:
    """Write every page that is made of the program."""
    DOCS.mkdir(exist_ok=True)
    for name, make in PAGES.items():
        text = make()
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"docs/{name}: {len(text.splitlines())} lines")


if __name__ == "__main__":
    main()
