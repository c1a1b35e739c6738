"""List every name of the lexicon with the plural that the program gives it: `python -m tools.nouns de`.

For proofreading. A name that stands alone is its own plural; one with an article of the plural (`les lunettes`) is
left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from dobble_print.words.lexicon import ARTICLES, list_names
from dobble_print.words.nouns import RULES, make_plurals, read_pairs

PLURAL_ARTICLES = {"fr": ("les",), "es": ("los", "las"), "it": ("i", "gli", "le"), "pt": ("os", "as")}


def list_plurals(code: str) -> Iterator[tuple[str, str]]:
    """Yield the names in a language, each once, with their plurals; those that are plurals already are left out."""
    names = {name.text: name for name in list_names(code)}
    for text, name in sorted(names.items()):
        if name.gender != "pl" and name.article not in PLURAL_ARTICLES.get(code, ()):
            yield text, " / ".join(make_plurals(text, code))


def main() -> None:
    """Print the names of the languages given, or of all."""
    for code in sys.argv[1:] or ARTICLES:
        assert code in RULES, f"no language {code}"
        print(f"# {code}: {len(read_pairs(code))} pairs in the table")
        for text, plural in list_plurals(code):
            print(text if text == plural else f"{text}: {plural}")


if __name__ == "__main__":
    main()
