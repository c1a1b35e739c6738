"""Trees of themes without their places, for tests."""

from __future__ import annotations

from dobble_print.theme.source import ListNode, Node, TextNode

Plain = str | list["Plain"] | dict[str, "Plain"]


def simplify(node: Node) -> Plain:
    """Return the tree as plain lists and dictionaries of text."""
    if isinstance(node, TextNode):
        return node.text
    if isinstance(node, ListNode):
        return [simplify(item) for item in node.items]
    return {key.text: simplify(value) for key, value in node.entries}
