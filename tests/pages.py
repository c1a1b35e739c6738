"""The pages that people read, taken apart: blocks of code, links, headings and pictures."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.conftest import ROOT

DOCS = ROOT / "docs"
FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})[ \t]*([^`\n]*)$")
LINK = re.compile(r"(!?)\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$")


@dataclass(frozen=True)
class Block:
    """A fenced block: the words after its fence, its lines, and the line of the page where they begin."""

    info: str
    lines: tuple[str, ...]
    start: int

    @property
    def text(self) -> str:
        """The lines as a file."""
        return "\n".join(self.lines) + "\n"


@dataclass(frozen=True)
class Page:
    """A page of the documentation."""

    path: Path

    @property
    def name(self) -> str:
        """The path from the root of the project."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def text(self) -> str:
        """What is written there."""
        return self.path.read_text(encoding="utf-8")

    def list_blocks(self, *infos: str) -> list[Block]:
        """Return the fenced blocks with one of these words after the fence."""
        return [block for block in self._split()[0] if block.info in infos]

    def list_commands(self) -> Iterator[tuple[str, bool, int]]:
        """Yield the commands of our program, whether each should succeed, and its line; a backslash joins lines."""
        for block in self.list_blocks("console", "console fails"):
            joined = re.sub(r"\\\n[ \t]*(?:> )?", " ", block.text)
            for line in joined.splitlines():
                if line.startswith("$ dobble-print"):
                    yield line.removeprefix("$ "), block.info == "console", block.start

    def list_links(self) -> list[tuple[str, bool]]:
        """Return where links and pictures lead, and whether each is a picture."""
        prose = re.sub(r"`[^`\n]+`", "`", "\n".join(self._split()[1]))
        return [(target, bool(mark)) for mark, target in LINK.findall(prose)]

    def list_anchors(self) -> set[str]:
        """Return what links can lead to on this page, where GitHub and the site give it the same name."""
        titles = [match[1] for line in self._split()[1] if (match := HEADING.match(line))]
        return {_slug_of_github(title) for title in titles} & {_slug_of_site(title) for title in titles}

    def _split(self) -> tuple[list[Block], list[str]]:
        """Return the fenced blocks, and the lines of prose between them."""
        blocks, prose, lines = list[Block](), list[str](), self.text.splitlines()
        position = 0
        while position < len(lines):
            if found := FENCE.match(lines[position]):
                indent, fence, info = found.groups()
                end = next(
                    place
                    for place in range(position + 1, len(lines))
                    if lines[place].strip() == fence[0] * max(len(fence), len(lines[place].strip()))
                )
                inner = tuple(line.removeprefix(indent) for line in lines[position + 1 : end])
                blocks.append(Block(" ".join(info.split()), inner, position + 2))
                position = end
            else:
                prose.append(lines[position])
            position += 1
        return blocks, prose


def _plain(title: str) -> str:
    return re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", title)


def _slug_of_github(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", _plain(title).lower()).replace(" ", "-")


def _slug_of_site(title: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", _plain(title)).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_only).strip().lower())


@cache
def list_pages() -> dict[str, Page]:
    """Return all pages by their names: the README and those of docs/."""
    pages = [Page(ROOT / "README.md"), *(Page(path) for path in sorted(DOCS.glob("*.md")))]
    return {page.name: page for page in pages}
