"""Bytes to text: UTF-8 only, and no character that hides, reorders or cuts what a person reads.

Invariant: decoded text has only characters that YAML allows, and its lines are counted as editors count them.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

from dobble_print.errors import Fault, Place, ThemeError

_SAVE_AS_UTF8 = 'In your editor choose "Save as" with the encoding UTF-8.'
_SAVE_AS_TEXT = 'In your word processor choose "Save as" with the type plain text (.txt) and the encoding UTF-8.'
_DOCUMENTS = (b"{\\rtf", b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # RTF; Word, LibreOffice and Pages; old Word
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# Control characters, halves of surrogate pairs, signs that annotate or shape other text, and the line breaks that YAML
# knows but editors do not count.
_FORBIDDEN = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u206a-\u206f\ud800-\udfff\ufff9-\ufffb\ufffe\uffff]"
)
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs by name, but nothing is drawn

_NO_FILE = frozenset('/\\:*?"<>|')
_DEVICES = frozenset(["CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10))])
_MOST_MARKS = 8  # on one letter; no language needs as many
_LONGEST_NAME = 60  # letters of four bytes each still fit into 255


def decode_text(data: bytes, shown: str) -> str:
    """The text of a file, without its byte order mark and with plain line ends; `ThemeError` when it is no text."""
    if data.startswith(_DOCUMENTS):
        what = "the file is a document of a word processor, not plain text"
        raise ThemeError(Fault(what, _SAVE_AS_TEXT, Place(shown, 1, 1)))
    if data.startswith(_UTF16_MARKS) or data[1:2] == b"\0" or data[:1] == b"\0":
        raise ThemeError(Fault("the file is not UTF-8 but looks like UTF-16", _SAVE_AS_UTF8, Place(shown, 1, 1)))
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise ThemeError(Fault("this letter is not UTF-8", _SAVE_AS_UTF8, _place_after(before, shown))) from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace("\u00a0", " ")  # copied from a web page; YAML would take it for a letter
    forbidden = _FORBIDDEN.search(text)
    if forbidden:
        place = _place_after(text[: forbidden.start()], shown)
        raise ThemeError(Fault(find_forbidden(text), "Remove it.", place))
    return text


def find_forbidden(text: str) -> str:
    """What is wrong with the first forbidden character, or nothing."""
    found = _FORBIDDEN.search(text)
    return f"an invisible character (U+{ord(found[0]):04X}) stands here" if found else ""


def _place_after(before: str, shown: str) -> Place:
    lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return Place(shown, len(lines), len(lines[-1]) + 1)


def make_file_name(text: str, otherwise: str) -> str:
    """A text as the name of a file or folder that every system takes and that leads nowhere else."""
    bad = (char in _NO_FILE or find_forbidden(char) or find_reordering(char) for char in text)
    spaced = "".join(" " if is_bad else char for char, is_bad in zip(text, bad, strict=True))
    name = " ".join(spaced.split())[:_LONGEST_NAME].strip(" .")
    return f"{name}_" if is_device_name(name) else name or otherwise


def is_device_name(name: str) -> bool:
    """Whether Windows takes a file name for a device, whatever its ending and folder: `NUL.png`."""
    return name.split(".")[0].strip().upper() in _DEVICES


def find_reordering(text: str) -> str:
    """The name of the first character that reorders text (bidirectional overrides and isolates), or nothing."""
    return next((unicodedata.name(c, "") for c in text if "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069"), "")


def find_flood(text: str) -> str:
    """What is wrong with a text that shows nothing, or whose letters drown in accents; or nothing."""
    kinds = ["Cf" if char in _BLANKS else unicodedata.category(char) for char in text]
    if text and not any(kind[0] in "LNPS" or kind == "Co" for kind in kinds):
        return "the text has nothing visible in it"
    marks = max((len(run) for run in "".join("m" if kind[0] == "M" else " " for kind in kinds).split()), default=0)
    return f"a letter carries {marks} accents" if marks > _MOST_MARKS else ""
