"""What a single entry of the list of symbols stands for: an emoji, a picture file or, last, a word.

Invariant: an entry that can be none of these is refused here, with what was probably meant.
"""

from __future__ import annotations

import re

from dobble_print.errors import Refusal
from dobble_print.messages import CURLY_QUOTES, STRAIGHT_QUOTES, clip, has_curly_quotes, hint_space, quote
from dobble_print.theme.fields import SYMBOLS
from dobble_print.theme.pictures import is_picture
from dobble_print.theme.source import TextNode
from dobble_print.words.languages import find_language
from dobble_print.words.lexicon import split_words
from dobble_print.words.writing import is_emoji, starts_with_emoji

# A sum, a number or a single letter: something to print, not a thing with a picture.
_FOR_PRINT = re.compile(r"(?:[\W\d_]|(?<![^\W\d_])x(?![^\W\d_]))+|.")


def read_entry(node: TextNode, languages: tuple[str, ...]) -> tuple[str, str]:
    """The kind of picture and its text; raises `Refusal`."""
    word = node.text if is_picture(node.text) else node.text.strip()
    if node.empty or not word:
        raise _refuse_empty(node)
    _refuse_touching(node)
    if is_emoji(word):
        return "emoji", word
    if has_curly_quotes(word) and not node.quoted:
        raise Refusal(f"{quote(word)} {CURLY_QUOTES}", STRAIGHT_QUOTES)
    if is_picture(word):
        return "image", word
    if starts_with_emoji(word):
        raise Refusal(f"{quote(word)} is more than one emoji", "Give each symbol a line of its own.")
    if _FOR_PRINT.fullmatch(word):
        raise Refusal(f"{quote(word)} is no word, emoji or picture", f'Write {{text: "{clip(word)}"}} to print it.')
    if "/" in word or "\\" in word:
        return "image", word
    _refuse_several(node, word, languages)
    return "word", word


def _refuse_touching(node: TextNode) -> None:
    """Refuse a key that touches its value: `- image:art/cat.png` is a text to YAML."""
    key, _, value = node.text.partition(":")
    if value and not node.quoted and (key in SYMBOLS.keys or find_language(key)):
        raise Refusal(f"no space stands after the colon of {quote(key)}", hint_space(key, value))


def _refuse_empty(node: TextNode) -> Refusal:
    comment = f" Everything after # is a comment: write {quote(node.comment.split()[0])}." if node.comment else ""
    return Refusal("this symbol is empty", f"Write a word, an emoji or the path of a picture after the dash.{comment}")


def _refuse_several(node: TextNode, word: str, languages: tuple[str, ...]) -> None:
    """Refuse two symbols in one: YAML joins a line to the one above when its dash stands too far to the right."""
    first, dash, rest = word.partition(" - ")
    if dash and not node.quoted:
        what = (
            f"below {quote(first)} stands a dash too far to the right"
            if node.is_folded
            else "several symbols stand here"
        )
        hint = f"Put the dash before {quote(rest.partition(' - ')[0])} right below the one above."
        raise Refusal(what, hint if node.is_folded else "Give each symbol a line of its own.")
    if "," in word and not node.quoted:
        raise Refusal("several symbols stand here", "Give each a line of its own, or put the whole list in [ ].")
    known = split_words(word, languages)
    if len(known) > 1:
        missing = "a dash" if node.is_folded else "a comma"
        hint = f"Is {missing} missing between {quote(known[0])} and {quote(known[1])}?"
        raise Refusal(f"there is no word {quote(word)}", hint)
