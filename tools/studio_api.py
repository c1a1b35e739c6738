"""The page of the studio's API, made of its routes and the docstrings of what answers them.

Invariant: a call that exists stands on the page, with the words beside its code; those around are in `studio_api.md`.
"""

from __future__ import annotations

from inspect import cleandoc
from pathlib import Path
from textwrap import dedent

from dobble_print.studio.api import Call
from dobble_print.studio.app import CALLS

WORDS = Path(__file__).with_name("studio_api.md")
PLACE = "<!-- calls -->"


def api_page() -> str:
    """Return the whole page: our words, with all calls at the end."""
    return WORDS.read_text(encoding="utf-8").replace(PLACE, "\n".join(map(describe_call, CALLS)).rstrip())


def describe_call(call: Call) -> str:
    """Return a call as a section; paragraphs that look like JSON or events are examples."""
    told = cleandoc(call.answer.__doc__ or "").split("\n\n")
    return "\n\n".join([f"## `{call.verb} {call.path}`", *map(_show_paragraph, told)]) + "\n"


def _show_paragraph(text: str) -> str:
    return f"```text\n{dedent(text)}\n```" if text.lstrip().startswith(("{", "event:")) else text


if __name__ == "__main__":
    print(api_page())
