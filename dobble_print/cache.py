"""Artwork and layouts kept by content, under the fingerprint of the program that made them.

Invariant: an entry counts only if it is signed with the user's own secret, which lies elsewhere; whoever can write into
the folder of the cache, and no more, can make the program work longer and nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import platform
import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

from dobble_print import __version__
from dobble_print.errors import Fault, OutputError
from dobble_print.files import read_own

T = TypeVar("T")

_PACKAGE = Path(__file__).resolve().parent
_FOR_DEVELOPERS = re.compile(r"extra == .dev\b")
_OWN_FILES = ("*.py", "*.yaml", "*.icc")


@cache
def take_fingerprint() -> str:
    """Return a short text for program, libraries and kind of machine."""
    parts = [__version__, platform.python_version(), platform.machine(), *_list_libraries(), _digest_own_files()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def _list_libraries() -> list[str]:
    """Return every library that the program asks for and that is there, with its version, in a fixed order."""
    from importlib.metadata import PackageNotFoundError, version  # slow to load, and most commands need none

    found = []
    for name in sorted(_name_libraries()):
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return found


def _name_libraries() -> set[str]:
    """Return what the program asks for, extras included; for a source tree that is not installed, all there is."""
    from importlib.metadata import PackageNotFoundError, distributions, requires

    try:
        asked = requires("dobble-print") or []
    except PackageNotFoundError:
        return {each.metadata["Name"] or "" for each in distributions()} - {""}
    return {re.split(r"[^\w.-]", line)[0] for line in asked if not _FOR_DEVELOPERS.search(line)}


def _digest_own_files() -> str:
    """Return a hash of our own files: a version number alone would not see a template that somebody changed."""
    digest = hashlib.sha256()
    for folder in (_PACKAGE, _PACKAGE.parent / "templates"):
        for path in sorted(path for pattern in _OWN_FILES for path in folder.rglob(pattern)):
            data = path.read_bytes()
            digest.update(f"{path.relative_to(folder).as_posix()}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


MOST_BYTES = 500_000_000
ROOM_AFTER_TRIM = 0.9  # share of the limit that is left after the oldest went, so that not every entry trims
MOST_ENTRY_BYTES = 50_000_000
SIGNATURE_BYTES = SECRET_BYTES = 32
STALE_S = 3600.0  # a temporary file this old belongs to a process that was killed
TRIM_KEYS = "0"  # one key in sixteen starts with it: whoever writes such an entry looks at the size of the whole
ENDING, TEMPORARY = ".kept", ".part"


@dataclass(frozen=True)
class CacheEntry:
    """A file of the cache."""

    path: Path
    size: int
    used: float


def find_cache_folder() -> Path:
    """Return where this user's programs keep what they can make again."""
    from platformdirs import user_cache_path

    return user_cache_path("dobble-print", appauthor=False)


@cache
def find_secret() -> bytes:
    """Return what this user's entries are signed with; where none can be kept, each process has one of its own."""
    from platformdirs import user_config_path

    for attempt in range(2):
        with suppress(OSError, RuntimeError):  # of which the latter means that there is no home folder
            path = user_config_path("dobble-print", appauthor=False) / "cache.key"
            if attempt:
                _write_secret(path)
            if len(secret := read_own(path, SECRET_BYTES)) == SECRET_BYTES:
                return secret
    return os.urandom(SECRET_BYTES)


def _write_secret(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}{TEMPORARY}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(os.urandom(SECRET_BYTES))
    os.replace(temporary, path)


@dataclass(frozen=True)
class Cache:
    """A folder of entries that stays below a size; what was used longest ago goes first."""

    folder: Path = field(default_factory=find_cache_folder)
    most_bytes: int = MOST_BYTES

    def recall(self, key: str) -> bytes | None:
        """Return what is kept under a key; an entry that is damaged or somebody else's is none."""
        path = self._place(key)
        try:
            data = read_own(path, MOST_ENTRY_BYTES)
        except OSError:
            return None
        content = data[SIGNATURE_BYTES:]
        if not hmac.compare_digest(_sign(key, content), data[:SIGNATURE_BYTES]):
            with suppress(OSError):
                path.unlink(missing_ok=True)
            return None
        with suppress(OSError):
            os.utime(path)
        return content

    def recall_as(self, key: str, read: Callable[[bytes], T]) -> T | None:
        """Return what is kept under a key as its reader understands it; what it does not understand is none."""
        content = self.recall(key)
        try:
            return None if content is None else read(content)
        except Exception:  # in whatever way an odd entry fails, it can be made again
            return None

    def keep(self, key: str, content: bytes) -> None:
        """Keep something; a full disk or a folder that cannot be written is no reason to stop."""
        path = self._place(key)
        temporary = path.with_name(f".{key}.{os.getpid()}.{os.urandom(4).hex()}{TEMPORARY}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            temporary.write_bytes(_sign(key, content) + content)
            os.replace(temporary, path)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            return
        if key.startswith(TRIM_KEYS):
            self.trim()

    def trim(self) -> None:
        """Let the entries go that were used longest ago, until the rest fits; sweep what killed writers left."""
        entries = sorted(self.list_entries(), key=lambda entry: entry.used)
        total = sum(entry.size for entry in entries)
        wanted = self.most_bytes * ROOM_AFTER_TRIM if total > self.most_bytes else total
        for entry in entries:
            if total <= wanted:
                break
            with suppress(OSError):
                entry.path.unlink(missing_ok=True)
                total -= entry.size
        _sweep(self.folder, time.time() - STALE_S)

    def list_entries(self) -> list[CacheEntry]:
        """Return every entry, in no order."""
        found = []
        for path in self.folder.glob(f"??/*{ENDING}"):
            with suppress(OSError):  # another process may have let it go
                stat = path.stat()
                found.append(CacheEntry(path, stat.st_size, stat.st_mtime))
        return found

    def clear(self) -> int:
        """Let everything go; tell how many entries that were."""
        entries = self.list_entries()
        try:
            for entry in entries:
                entry.path.unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(Fault(f"cannot clear {self.folder} ({error.strerror})")) from None
        _sweep(self.folder, time.time() + 1)
        return len(entries)

    def _place(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}{ENDING}"


def _sign(key: str, content: bytes) -> bytes:
    return hmac.digest(find_secret(), key.encode() + b"\0" + content, "sha256")


def _sweep(folder: Path, before: float) -> None:
    for path in folder.glob(f"??/.*{TEMPORARY}"):
        with suppress(OSError):
            if path.stat().st_mtime < before:
                path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Recent(Generic[T]):
    """What this process made last, in memory: for long-lived processes that see the same again and again."""

    most: int
    _made: dict[bytes, T] = field(default_factory=dict)

    def recall(self, keys: Sequence[bytes], make: Callable[[list[int]], Iterable[T]]) -> list[T]:
        """Return what belongs to these keys; `make` is given where in the row those stand that are not known."""
        first = {key: place for place, key in reversed([*enumerate(keys)])}
        new = [place for key, place in first.items() if key not in self._made]
        made = dict(zip([keys[place] for place in new], make(new), strict=True)) if new else {}
        found = {key: made[key] if key in made else self._made.pop(key) for key in first}
        self._made.update(found)
        for key in list(self._made)[: -self.most]:
            del self._made[key]
        return [found[key] for key in keys]


_in_use: list[Cache] = []  # at most one: the cache of this process


def use_cache(cache: Cache | None) -> None:
    """From now on, keep and recall things there; None: nowhere."""
    _in_use[:] = [cache] if cache else []


def find_cache() -> Cache | None:
    """Return where this process keeps things, if it does."""
    return _in_use[0] if _in_use else None


def make_key(kind: str, parts: Iterable[bytes], is_plain: bool = False) -> str:
    """Return the key of what is made from these parts by this program with these libraries.

    What is plain is the same whoever makes it, such as the data of a table.
    """
    digest = hashlib.sha256(f"{kind}\0{'' if is_plain else take_fingerprint()}".encode())
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()
