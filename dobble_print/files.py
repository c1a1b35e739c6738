"""Files: safe reading of named files, safe names, paths that stay inside a folder, and delivery of results."""

from __future__ import annotations

import codecs
import contextlib
import errno
import fnmatch
import itertools
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import Any

from dobble_print.errors import Fault, InvalidValue, OutputError, Place, ThemeError
from dobble_print.messages import quote

_AT_ONCE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def open_checked(path: Path) -> BufferedReader:
    """Open a plain file by its resolved path; raises an `OSError` for anything else that lies there now."""
    file = _open_plain(path, _AT_ONCE | _NO_LINK)
    if not _is_known_as(file.fileno(), path):
        file.close()
        raise OSError(errno.ELOOP, "a link was put in its place", str(path))
    return file


def open_named(path: Path) -> BufferedReader:
    """Open a plain file that the user names, perhaps through a link; raises an `OSError` for a pipe or a device."""
    if not stat.S_ISREG(path.stat().st_mode):  # opening a device may set it going
        raise OSError(errno.EINVAL, "it is not a file", str(path))
    return _open_plain(path, _AT_ONCE)


def _open_plain(path: Path, how: int) -> BufferedReader:
    handle = os.open(path, how)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not a file", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_checked(path: Path, most_bytes: int) -> bytes:
    """Return a file that a theme names, by its resolved path; of one that is too large, one byte more than agreed."""
    with open_checked(path) as file:
        return file.read(most_bytes + 1)


def read_named(path: Path, most_bytes: int) -> bytes:
    """Return a file that the user names, perhaps through a link; of one too large, one byte more than agreed."""
    with open_named(path) as file:
        return file.read(most_bytes + 1)


def read_own(path: Path, most_bytes: int) -> bytes:
    """Return a file where we write our own; raises an `OSError` for a link, a pipe and what is larger than agreed."""
    with _open_plain(path, _AT_ONCE | _NO_LINK) as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, "it is too large", str(path))
    return data


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
HINTS = {
    errno.ENOSPC: _FREE,
    errno.EDQUOT: _FREE,
    errno.EROFS: "Choose another folder with --output.",
    errno.ELOOP: "Remove it, or choose another folder with --output.",
}
_HAS_HANDLES = {os.open, os.mkdir, os.unlink, os.stat} <= os.supports_dir_fd and hasattr(os, "O_DIRECTORY")


class ResultFolder:
    """A folder of results, held open: what it leads to stays the same, and no link in it is followed."""

    def __init__(self, path: Path, handle: int | None) -> None:
        self.path, self.handle = path, handle

    @classmethod
    def open(cls, root: Path, folder: Path) -> ResultFolder:
        """Open a folder below the one that the user named, made where it is missing; the latter may be a link."""
        root.mkdir(parents=True, exist_ok=True)
        here = cls(root, os.open(root, os.O_RDONLY | os.O_DIRECTORY) if _HAS_HANDLES else None)
        for part in folder.relative_to(root).parts:
            try:
                below = here.enter(part)
            finally:
                here.close()
            here = below
        return here

    def enter(self, part: str) -> ResultFolder:
        """Open a folder in this one, made where it is missing; raises an `OSError` for a link in its place."""
        path, at = self._find(part)
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, **at)
        if stat.S_ISLNK(os.stat(path, follow_symlinks=False, **at).st_mode):
            raise OSError(errno.ELOOP, f"{part} is a link", str(self.path / part))
        if not _HAS_HANDLES:
            return ResultFolder(self.path / part, None)
        return ResultFolder(self.path / part, os.open(path, os.O_RDONLY | os.O_DIRECTORY | _NO_LINK, **at))

    def close(self) -> None:
        """Let it go."""
        if self.handle is not None:
            os.close(self.handle)

    def write(self, name: str, data: bytes) -> None:
        """Write a file that must be new."""
        path, at = self._find(name)
        how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, how, 0o666, **at), "wb") as file:
            file.write(data)

    def rename(self, name: str, final: str) -> None:
        """Put a file in the place of another."""
        (path, _), (target, _) = self._find(name), self._find(final)
        os.replace(path, target, src_dir_fd=self.handle, dst_dir_fd=self.handle)

    def take(self, item: Path, name: str) -> None:
        """Move a file or folder here, which must lie on the same disk."""
        os.replace(item, self._find(name)[0], dst_dir_fd=self.handle)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        path, at = self._find(name)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path, **at)

    def list_matching(self, pattern: str) -> list[str]:
        """Return the names in it that match a pattern."""
        return fnmatch.filter(os.listdir(self.path if self.handle is None else self.handle), pattern)

    def _find(self, name: str) -> tuple[Path | str, dict[str, Any]]:
        return (self.path / name, {}) if self.handle is None else (name, {"dir_fd": self.handle})


def deliver(
    folder: Path, files: Mapping[str, bytes], obsolete: Iterable[str] = (), root: Path | None = None
) -> list[Path]:
    """Write every file under a temporary name, then rename them all; what `obsolete` matches of an old result goes.

    Names may lead into folders below (`cards/card-01.png`), and obsolete names may be patterns (`cards/*.png`). Of the
    folder's path only `root`, which the user named, may be a link.
    """
    waiting: list[tuple[ResultFolder, str, str]] = []
    opened: dict[str, ResultFolder] = {}
    try:
        opened["."] = ResultFolder.open(root or folder, folder)
        for name, data in files.items():
            inner, final = os.path.split(name)
            inside = _open_inner(opened, inner or ".")
            temporary = f".{final}.{os.getpid()}.part"
            inside.remove(temporary)  # of a process of this number that was killed
            waiting.append((inside, temporary, final))
            inside.write(temporary, data)
        for inside, temporary, final in waiting:
            inside.rename(temporary, final)
        _remove_old(opened, obsolete, set(files))
    except OSError as error:
        reason = error.strerror or str(error)
        hint = HINTS.get(error.errno or 0, "Close it in other programs, or choose another folder with --output.")
        raise OutputError(Fault(f"cannot write to {folder} ({reason})", hint)) from None
    finally:
        for inside, temporary, _ in waiting:
            with contextlib.suppress(OSError):
                inside.remove(temporary)
        for each in opened.values():
            each.close()
    return [folder / name for name in files]


def _open_inner(opened: dict[str, ResultFolder], inner: str) -> ResultFolder:
    if inner not in opened:
        opened[inner] = opened["."].enter(inner)
    return opened[inner]


def _remove_old(opened: dict[str, ResultFolder], obsolete: Iterable[str], new: Container[str]) -> None:
    """Remove what matches a pattern and is not new; folders that are not there have nothing to remove."""
    for pattern in obsolete:
        inner, last = os.path.split(pattern)
        if inner and not os.path.isdir(opened["."].path / inner):
            continue
        for name in _open_inner(opened, inner or ".").list_matching(last):
            if os.path.join(inner, name) not in new:
                opened[inner or "."].remove(name)
