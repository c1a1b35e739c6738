"""Values that are rows of a table: papers and languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dobble_print.errors import Refusal
from dobble_print.messages import clip, find_closest, quote, suggest
from dobble_print.theme.kinds import Schema
from dobble_print.units import PAPER_SIZE, find_paper, papers
from dobble_print.words.languages import LANGUAGE_TAIL, find_language, language_aliases, languages

_SHORTEST_ALIAS = 4  # what is shorter is a code, misspelled


@dataclass(frozen=True)
class Known:
    """One row of a table; `tail` is a pattern of what may follow its key, `aliases` what else people call it.

    `or_written` is a pattern of what may stand in its place, `such_as` an example of that.
    """

    what: str
    rows: Callable[[], Iterable[str]]
    find: Callable[[str], Any]
    tail: str = ""
    aliases: Callable[[], dict[str, str]] = dict
    or_written: str = ""
    such_as: str = ""

    def read(self, text: str) -> Any:
        """What the table has for it."""
        found = self.find(text)
        if found is None:
            raise Refusal(f"there is no {self.what} {quote(text)}", self._hint(text))
        return found

    def _hint(self, text: str) -> str:
        if "," in text:
            parts = [self._mean(part.strip()) or part.strip() for part in text.split(",")]
            return f"Write several in brackets: [{clip(', '.join(parts))}]."
        otherwise = f"`dobble-print list {self.what}s` shows them all."
        return self._hint_comma(text) or suggest(self._mean(text) or text, list(self.rows()), otherwise)

    def _mean(self, text: str) -> str:
        """The key of a row that goes by another name, perhaps misspelled, or nothing."""
        aliases = self.aliases()
        near = find_closest(text, aliases) if len(text) >= _SHORTEST_ALIAS else ""
        return "" if self.find(text) else aliases.get(text.casefold()) or aliases.get(near, "")

    def _hint_comma(self, text: str) -> str:
        """Two of them without a comma: `nl fr`."""
        parts = text.split()
        keys = [part if self.find(part) else self._mean(part) for part in parts]
        if len(parts) < 2 or not all(keys):
            return ""
        return f"Is a comma missing between {quote(parts[0])} and {quote(parts[1])}? Write [{clip(', '.join(keys))}]."

    def describe(self) -> str:
        """`one of dobble-print list papers`."""
        other = f" or {self.such_as}" if self.such_as else ""
        return f"a {self.what} (`dobble-print list {self.what}s`){other}"

    def schema(self) -> Schema:
        """An enum of the rows, which editors complete; where something may follow, a pattern as well."""
        rows = list(self.rows())
        if self.or_written:
            return {"anyOf": [{"enum": rows}, {"type": "string", "pattern": f"^{self.or_written}$"}]}
        if not self.tail:
            return {"enum": rows}
        return {"anyOf": [{"enum": rows}, {"type": "string", "pattern": f"^({'|'.join(rows)}){self.tail}$"}]}


def find_language_code(text: str) -> str | None:
    """The code of a language as the program writes it, or None."""
    language = find_language(text)
    return language.code if language else None


PAPER = Known("paper", papers, find_paper, or_written=PAPER_SIZE, such_as="330x487 (mm)")
LANGUAGE = Known("language", languages, find_language_code, LANGUAGE_TAIL, language_aliases)
