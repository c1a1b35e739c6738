"""Names: by language, of titles and symbols; and names made of file names.

Invariant: codes are spelled one way (`pt-BR`), and each language names a thing once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from dobble_print.errors import Place
from dobble_print.messages import list_words
from dobble_print.theme.fields import TITLE_LINE
from dobble_print.theme.findings import Findings
from dobble_print.theme.kinds import Kind
from dobble_print.theme.known import LANGUAGE
from dobble_print.theme.source import MapNode, Node, TextNode
from dobble_print.words.languages import find_language, language_name


@dataclass
class Names:
    """The good names by language code, and every code for which one was tried."""

    good: dict[str, str] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)

    def add(self, key: TextNode, node: Node, kind: Kind, findings: Findings) -> None:
        """Read one name; the key must be a known language."""
        language = find_language(key.text)
        assert language is not None
        if language.code in self.tried:
            findings.add(key.place, f"the {language.name} name stands here twice", "Remove one.")
            return
        self.tried.add(language.code)
        name = findings.read(key.text, kind, node)
        if name is not None:
            self.good[language.code] = name

    def add_all(self, what: str, node: Node, kind: Kind, findings: Findings) -> None:
        """Read a mapping of language codes to names."""
        if not isinstance(node, MapNode):
            findings.add(node.place, f"{what} should go by language", f"Write {what}: {{en: …, nl: …}}.")
            return
        for key, value in node.entries:
            if find_language(key.text):
                self.add(key, value, kind, findings)
            else:
                findings.read(what, LANGUAGE, key)  # which refuses it, in the words used for every language

    def demand(self, what: str, listed: Iterable[str], place: Place, findings: Findings, otherwise: str = "") -> None:
        """Every listed language needs its text; those that lack it are one fault."""
        missing = [code for code in listed if code not in self.tried]
        if missing:
            hint = f"Add {', '.join(f'{code}: …' for code in missing)}{otherwise}."
            findings.add(place, f"{what} is missing in {list_words(map(language_name, missing), 'and')}", hint)


def spread_words(name: str) -> str:
    """A file name's words with spaces between them: `my_red-car` is `my red car`."""
    return re.sub(r"[\s_-]+", " ", name).strip() or name


def make_title(name: str) -> str:
    """A title made of the name of a theme."""
    title = TITLE_LINE.fit(spread_words(name))
    return title[:1].upper() + title[1:] if title else "My game"


def make_slug(name: str) -> str:
    """A name as one lower-case word: `L'été bleu` is `l-ete-bleu`; other scripts keep their letters."""
    bare = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", name))
    return re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", bare).casefold()).strip("-")
