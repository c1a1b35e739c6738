"""What MkDocs is told while it builds the site of docs/ (mkdocs.yml names this file)."""

from __future__ import annotations

import html
import re
from typing import Any

MARKED = re.compile(r"^([ \t]*```\w+) (?:theme|fails)[ \t]*$", re.MULTILINE)
INLINE_CODE = re.compile(r"<code>([^<]*)</code>(?!</pre>)")
BLOCK = re.compile(r"<pre\b.*?</pre>", re.DOTALL)
OPTION = re.compile(r"(?<=[\s>(])(--?[a-z][a-z-]*)(?=[\s<=,.)])(?![^<]*>)")  # outside tags
COLUMNS = re.compile(r"\S {3,}\S")
WIDEST_TABLE = 100  # letters; wider ones hold sentences, which wrap
LONGEST_WHOLE = 30  # letters of code that a line or a cell has room for


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Take the words away that tell our tests what a block of code is for: MkDocs knows languages alone."""
    return MARKED.sub(r"\1", markdown)


def on_page_content(content: str, **_: Any) -> str:
    """Mark what docs/style.css wraps or keeps whole.

    Code within a line that is too long for one piece wraps. Options in a wrapped command stay whole, since browsers
    would break them after a hyphen. Tables in blocks of code do not wrap.
    """
    return BLOCK.sub(_mark_block, INLINE_CODE.sub(_mark_long, content))


def _mark_long(code: re.Match[str]) -> str:
    is_long = len(html.unescape(code[1])) > LONGEST_WHOLE
    return f'<code class="long">{_keep_options(code[1])}</code>' if is_long else code[0]


def _mark_block(block: re.Match[str]) -> str:
    text = html.unescape(re.sub("<[^>]*>", "", block[0]))
    is_table = COLUMNS.search(text) and max(map(len, text.splitlines())) <= WIDEST_TABLE
    return block[0].replace("<pre", '<pre class="columns"', 1) if is_table else _keep_options(block[0])


def _keep_options(code: str) -> str:
    return OPTION.sub(r'<span class="whole">\1</span>', code)
