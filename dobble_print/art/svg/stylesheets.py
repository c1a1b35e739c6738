"""Clean style sheets of untrusted drawings: read as the renderers read them, kept as far as they are plain rules.

Invariant: what leaves here is spelled without escapes, names no place outside the drawing, imports nothing, and has
only selectors that are matched quickly.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

MOST_RULES = 5000
MOST_STEPS = 2  # "g > path" is one step; each further one multiplies the work
SLOW_SELECTORS = ("has(", "~")
NO_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
LOOSE_ADDRESS = re.compile(r"url\(\s*['\"]?([^'\")]*)", re.IGNORECASE)  # some renderers find it in any text: #aurl(b)
PLAIN_SELECTOR = re.compile(r"[\w\s.#*:>+~,()=\[\]\"'^$|-]*")
MISLEADING = re.compile(r"[@{};\\]")  # a hasty reader takes what follows for a rule or a declaration of its own
Declarations = list[tuple[str, str]]


@dataclass
class Dropped:
    """What had to be left out, each thing once, in words for the user."""

    things: dict[str, None] = field(default_factory=dict)

    def add(self, thing: str) -> None:
        """Note one thing."""
        self.things[thing] = None

    def add_reference(self, address: str) -> None:
        """Note an address that leads out of the drawing."""
        shown = "".join(char if char.isprintable() else "?" for char in " ".join(address.split()))
        self.add(f"the reference to {shown[:60]}")


def clean_stylesheet(css: str, dropped: Dropped) -> str:
    """Return the plain rules of a `<style>` element."""
    import tinycss2

    kept: list[str] = []
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type == "at-rule":
            dropped.add(f"@{rule.lower_at_keyword}")
        elif rule.type == "qualified-rule" and len(kept) < MOST_RULES:
            selector = tinycss2.serialize(rule.prelude).strip()
            if leads_outside(selector, dropped, rule.prelude) or not _is_sound(rule.prelude, selector):
                continue
            if PLAIN_SELECTOR.fullmatch(selector) and _is_quick(selector):
                kept.append(f"{selector}{{{clean_style(rule.content, dropped)}}}")
            else:
                dropped.add(f"the rule for {selector[:40]}")
    return "\n".join(kept)


def clean_style(css: Any, dropped: Dropped) -> str:
    """Return the plain declarations of a `style` attribute, or of a rule's tokens."""
    return ";".join(f"{name}:{value}" for name, value in _read_declarations(css, dropped))


def split_style(style: str) -> Declarations:
    """Return the declarations of a cleaned `style` attribute: no quote and no bracket of it hides a semicolon."""
    pairs = (declaration.partition(":") for declaration in style.split(";"))
    return [(name.strip().lower(), value.strip()) for name, _, value in pairs if value]


def _is_sound(tokens: Iterable[Any], text: str) -> bool:
    """Return whether a value has no parse error and no escape for a character that XML does not allow."""
    return not NO_XML.search(text) and all(
        token.type != "error"
        and _is_sound(getattr(token, "arguments", None) or getattr(token, "content", None) or (), "")
        for token in tokens
    )


def _is_quick(selector: str) -> bool:
    """Return whether few steps lead to an element; a nested list of selectors counts as steps."""
    if len(selector) > 1000 or any(word in selector for word in SLOW_SELECTORS) or selector.count("(") > MOST_STEPS:
        return False
    return all(len(part.replace(">", " ").replace("+", " ").split()) <= MOST_STEPS + 1 for part in selector.split(","))


def _read_declarations(css: Any, dropped: Dropped) -> Declarations:
    import tinycss2

    found: Declarations = []
    for declaration in tinycss2.parse_declaration_list(css, skip_comments=True, skip_whitespace=True):
        if declaration.type != "declaration":
            continue
        value = tinycss2.serialize(declaration.value).strip()
        if leads_outside(value, dropped, declaration.value) or MISLEADING.search(value):
            continue
        if _is_sound(declaration.value, declaration.lower_name + value):
            found.append((declaration.lower_name, f"{value} !important" if declaration.important else value))
    return found


def leads_outside(text: str, dropped: Dropped, tokens: Iterable[Any] = ()) -> bool:
    """Note every address in a text, or in its tokens, that leads out of the drawing, and return whether there is one.

    An address counts whatever it is for and however it is written.
    """
    addresses = [*_list_addresses(tokens), *LOOSE_ADDRESS.findall(text)]
    outside = [address for address in addresses if not address.strip().startswith("#")]
    for address in outside:
        dropped.add_reference(address)
    return bool(outside)


def _list_addresses(tokens: Iterable[Any]) -> Iterator[str]:
    """Yield every url(…) among the tokens of a value, whatever its spelling and however deep in brackets."""
    for token in tokens:
        if token.type == "url":
            yield str(token.value)
        elif token.type == "function" and token.lower_name in ("url", "src", "image", "image-set", "attr"):
            inner = [str(part.value) for part in token.arguments if part.type in ("string", "url")]
            yield from inner or [""]
        elif token.type == "function":
            yield from _list_addresses(token.arguments)
        elif token.type in ("() block", "[] block", "{} block"):
            yield from _list_addresses(token.content)


def match_rules(root: ElementTree.Element, sheets: Sequence[str]) -> dict[ElementTree.Element, Declarations]:
    """Return what cleaned style sheets declare for each element, the strongest last."""
    css = "\n".join(sheets)
    if not css.strip():
        return {}
    import cssselect2
    import tinycss2

    matcher, ignored = cssselect2.Matcher(), Dropped()
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule":
            continue
        declarations = _read_declarations(rule.content, ignored)
        try:
            for selector in cssselect2.compile_selector_list(rule.prelude):
                matcher.add_selector(selector, declarations)
        except cssselect2.SelectorError:  # whoever draws it does not understand it either
            continue
    wrappers = cssselect2.ElementWrapper.from_xml_root(root).iter_subtree()
    return {each.etree_element: [pair for match in matcher.match(each) for pair in match[-1]] for each in wrappers}
