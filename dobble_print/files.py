"""Files: safe reading of named files, safe names, paths that stay inside a folder, and delivery of results."""

from __future__ import annotations

import codecs
import contextlib
import errno
import itertools
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from dobble_print.errors import Fault, InvalidValue, OutputError, Place, ThemeError
from dobble_print.messages import quote

_PLAINLY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def open_checked(path: Path) -> BinaryIO:
    """Open a plain file by its resolved path; raises an `OSError` for anything else that lies there now."""
    handle = os.open(path, _PLAINLY)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not a file", str(path))
        if not _is_known_as(handle, path):
            raise OSError(errno.ELOOP, "a link was put in its place", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_checked(path: Path, most_bytes: int) -> bytes:
    """Return a file that a theme names, by its resolved path; of one that is too large, one byte more than agreed."""
    with open_checked(path) as file:
        return file.read(most_bytes + 1)


def read_limited(path: Path, most_bytes: int) -> bytes:
    """Return a file that the user names, perhaps a link or a pipe; of one too large, one byte more than agreed."""
    with path.open("rb") as file:
        return file.read(most_bytes + 1)


def _is_known_as(handle: int, path: Path) -> bool:
    """Return whether the system knows an open file by a path, or does not tell; disks change capitals and accents."""
    try:
        real = os.readlink(f"/proc/self/fd/{handle}")
    except OSError:
        return True
    known, asked = (unicodedata.normalize("NFC", each).casefold() for each in (real, str(path)))
    return known == asked


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
_DEVICES = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", *(port + n for port in ("COM", "LPT") for n in "0123456789¹²³")]
)
_MOST_MARKS = 8  # on one letter; no language needs as many
_LONGEST_NAME = 60  # letters of four bytes each still fit into 255


def decode_text(data: bytes, shown: str) -> str:
    """Return a file's text without byte order mark, with plain line ends; raise `ThemeError` when it is no text."""
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
    if forbidden := _FORBIDDEN.search(text):
        place = _place_after(text[: forbidden.start()], shown)
        raise ThemeError(Fault(find_forbidden(text), "Remove it.", place))
    return text


def find_forbidden(text: str) -> str:
    """Return what is wrong with the first forbidden character, or nothing."""
    found = _FORBIDDEN.search(text)
    return f"an invisible character (U+{ord(found[0]):04X}) stands here" if found else ""


def _place_after(before: str, shown: str) -> Place:
    lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return Place(shown, len(lines), len(lines[-1]) + 1)


def make_file_name(text: str, otherwise: str) -> str:
    """Return a text as the name of a file or folder that every system takes and that leads nowhere else."""
    bad = (char in _NO_FILE or find_forbidden(char) or find_reordering(char) for char in text)
    spaced = "".join(" " if is_bad else char for char, is_bad in zip(text, bad, strict=True))
    name = " ".join(spaced.split())[:_LONGEST_NAME].strip(" .")
    return f"{name}_" if is_device_name(name) else name or otherwise


def find_free_name(name: str, is_taken: Callable[[str], bool], joint: str = "-") -> str:
    """Return the name, or the name with the first number that makes it free."""
    tries = itertools.chain([name], (f"{name}{joint}{number}" for number in itertools.count(2)))
    return next(free for free in tries if not is_taken(free))


def is_device_name(name: str) -> bool:
    """Return whether Windows takes a file name for a device, whatever its ending and folder: `NUL.png`."""
    return name.split(".")[0].strip().upper() in _DEVICES


def find_reordering(text: str) -> str:
    """Return the name of the first character that reorders text (bidirectional overrides and isolates), or nothing."""
    return next((unicodedata.name(c, "") for c in text if "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069"), "")


def find_flood(text: str) -> str:
    """Return what is wrong with a text that shows nothing, or whose letters drown in accents; or nothing."""
    kinds = ["Cf" if char in _BLANKS else unicodedata.category(char) for char in text]
    if text and not any(kind[0] in "LNPS" or kind == "Co" for kind in kinds):
        return "the text has nothing visible in it"
    marks = max((len(run) for run in "".join("m" if kind[0] == "M" else " " for kind in kinds).split()), default=0)
    return f"a letter carries {marks} accents" if marks > _MOST_MARKS else ""


_FILE_INSIDE = "Put it in the theme's folder and give its path from there."


def find_inside(folder: Path, text: str, hint: str = _FILE_INSIDE) -> Path:
    """Return the resolved path of a file in the theme's folder, if there is one; raise `InvalidValue` otherwise.

    Names with accents are found as some disks spell them: macOS may write é as e plus an accent.
    """
    check_inside(text, hint)
    spellings = dict.fromkeys((text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)))
    try:
        spelled = next((name for name in spellings if _find_mode(folder / name)), text)
        path = (folder / spelled).resolve()
        mode = _find_mode(path)
    except (OSError, ValueError, RuntimeError):  # too long a name, a zero byte, a circle of links
        raise InvalidValue(f"{quote(text)} is not a file name that can be opened") from None
    if not path.is_relative_to(folder.resolve()):
        raise InvalidValue(f"{quote(text)} is a link that leads out of the theme's folder", hint)
    if mode and not stat.S_ISREG(mode):
        raise InvalidValue(f"{quote(text)} is not a file")
    return path


def _find_mode(path: Path) -> int:
    """Return what kind of thing lies there; 0 for nothing."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def check_inside(text: str, hint: str = _FILE_INSIDE) -> None:
    """Raise `InvalidValue` for a path that could lead out of the theme's folder on any machine."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://|(data|file|https?):", text):
        raise InvalidValue(f"{quote(text)} is an address on the web", "Download it into the theme's folder first.")
    if text.startswith(("/", "\\", "~/")) or re.match(r"[A-Za-z]:(?! )", text):
        raise InvalidValue(f"{quote(text)} is not a path inside the theme's folder", hint)
    if "\\" in text:
        raise InvalidValue(f"{quote(text)} has a backslash", f"Write {quote(text.replace(chr(92), '/'))}.")
    if ".." in PurePosixPath(text).parts:
        raise InvalidValue(f"{quote(text)} leads out of the theme's folder", hint)
    if any(is_device_name(part) for part in PurePosixPath(text).parts):
        raise InvalidValue(f"{quote(text)} is the name of a device on Windows", "Rename the file.")


_FREE = "Free some space, or choose another folder with --output."
HINTS = {errno.ENOSPC: _FREE, errno.EDQUOT: _FREE, errno.EROFS: "Choose another folder with --output."}


def deliver(folder: Path, files: Mapping[str, bytes], obsolete: Iterable[str] = ()) -> list[Path]:
    """Write every file under a temporary name, then rename them all; what `obsolete` matches of an old result goes.

    Names may lead into folders below (`cards/card-01.png`), and obsolete names may be patterns (`cards/*.png`).
    """
    waiting: list[tuple[Path, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            final = folder / name
            final.parent.mkdir(exist_ok=True)
            temporary = final.with_name(f".{final.name}.{os.getpid()}.part")
            waiting.append((temporary, final))
            temporary.write_bytes(data)
        for temporary, final in waiting:
            os.replace(temporary, final)
        old = {path for pattern in obsolete for path in folder.glob(pattern)}
        for path in old - {final for _, final in waiting}:
            path.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        hint = HINTS.get(error.errno or 0, "Close it in other programs, or choose another folder with --output.")
        raise OutputError(Fault(f"cannot write to {folder} ({reason})", hint)) from None
    finally:
        for temporary, _ in waiting:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
    return [final for _, final in waiting]
