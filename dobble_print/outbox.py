"""The outbox: finished files reach their folder whole or not at all.

Invariant: at every moment a result's folder holds, under each name, a complete file of the old or of the new result.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from dobble_print.errors import Fault, OutputError

_FREE = "Free some space, or choose another folder with --output."
HINTS = {
    errno.ENOSPC: _FREE,
    errno.EDQUOT: _FREE,
    errno.EROFS: "Choose another folder with --output.",
}


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
        for old in _find_old(folder, obsolete) - {final for _, final in waiting}:
            old.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        hint = HINTS.get(error.errno or 0, "Close it in other programs, or choose another folder with --output.")
        raise OutputError(Fault(f"cannot write to {folder} ({reason})", hint)) from None
    finally:
        for temporary, _ in waiting:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
    return [final for _, final in waiting]


def _find_old(folder: Path, patterns: Iterable[str]) -> set[Path]:
    return {path for pattern in patterns for path in folder.glob(pattern)}
