"""What MkDocs is told while it builds the site of docs/ (mkdocs.yml names this file)."""

from __future__ import annotations

import html
import re
from typing import Any

MARKED = re.compile(r"^([ \t]*```\w+) (?:theme|fails)[ \t]*$", re.MULTILINE)
INLINE_CODE = re.compile(r"<code>([^<]*)</code>(?!</pre>)")
LONGEST_WHOLE = 34  # letters of code that a line or a cell has room for


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Take the words away that tell our tests what a block of code is for: MkDocs knows languages alone."""
    return MARKED.sub(r"\1", markdown)


def on_page_content(content: str, **_: Any) -> str:
    """Mark code within a line that is too long to stay in one piece; docs/style.css lets it wrap."""
    return INLINE_CODE.sub(_mark_long, content)


def _mark_long(code: re.Match[str]) -> str:
    is_long = len(html.unescape(code[1])) > LONGEST_WHOLE
    return f'<code class="long">{code[1]}</code>' if is_long else code[0]
