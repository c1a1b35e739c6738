"""The one way to open a file that a stranger names: by the path that was checked, and no more of it than agreed.

Between the check of a path and its opening somebody may put a link, a pipe or something endless in its place.

Invariant: what is read is the plain file at that very path; a link on the way to it, however late it came, is refused
where the system can tell.
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from pathlib import Path
from typing import BinaryIO


def open_checked(path: Path) -> BinaryIO:
    """Open a plain file by its resolved path; raises an `OSError` for anything else that lies there now."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not a file", str(path))
        if not _is_same(_find_real(handle), path):
            raise OSError(errno.ELOOP, "a link was put in its place", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_checked(path: Path, most_bytes: int) -> bytes:
    """All of a file, or one byte more than agreed, by which the caller knows that it is too large."""
    with open_checked(path) as file:
        return file.read(most_bytes + 1)


_BINARY = getattr(os, "O_BINARY", 0)


def _find_real(handle: int) -> str | None:
    """The path by which the system knows an open file; None where it does not tell."""
    try:
        return os.readlink(f"/proc/self/fd/{handle}")
    except OSError:
        return None


def _is_same(real: str | None, path: Path) -> bool:
    """Whether it is the path asked for, as some disks spell it: they change capitals and accents."""
    return real is None or _fold(real) == _fold(str(path))


def _fold(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()
