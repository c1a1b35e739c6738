"""The outbox: finished files reach their folder whole or not at all.

Invariant: at every moment a result's folder holds, under each name, a complete file of the old or of the new result.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from dobble_print.errors import Fault, OutputError


def deliver(folder: Path, files: Mapping[str, bytes], obsolete: Iterable[str] = ()) -> list[Path]:
    """Write every file under a temporary name, then rename them all; names of an earlier result that are gone go."""
    waiting: list[tuple[Path, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            temporary = folder / f".{name}.{os.getpid()}.part"
            waiting.append((temporary, folder / name))
            temporary.write_bytes(data)
        for temporary, final in waiting:
            os.replace(temporary, final)
        for name in set(obsolete) - set(files):
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        hint = "Close it in other programs, free some space, or choose another folder with --output."
        raise OutputError(Fault(f"cannot write to {folder} ({reason})", hint)) from None
    finally:
        for temporary, _ in waiting:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
    return [final for _, final in waiting]
