"""What a job is made from: its files, zip archives, their hash, and their bytes where they travel."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import stat
import tempfile
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

from dobble_print.batch.jobs import ARCHIVE, Job, Task
from dobble_print.cache import Cache, take_fingerprint
from dobble_print.errors import Fault, InvalidValue, ThemeError, UsageError
from dobble_print.files import (
    check_inside,
    decode_text,
    find_forbidden,
    find_inside,
    find_reordering,
    is_device_name,
    make_file_name,
    open_checked,
    open_named,
    read_checked,
    read_named,
)
from dobble_print.messages import quote
from dobble_print.resources import THEME_ENDINGS, THEME_FILE, shipped_profiles
from dobble_print.theme.reader import find_theme, show_path
from dobble_print.theme.source import MOST_BYTES as MOST_THEME_BYTES
from dobble_print.theme.source import ListNode, TextNode, parse_tree

MOST_FILES = 2000
MOST_BYTES = 300_000_000
MOST_FOLD = 100  # so many times what is packed; text shrinks tenfold
MOST_LOOSE = 10_000_000  # what anybody may unpack
MOST_FILE_BYTES = 100_000_000
DEEPEST = 20  # folders in folders
LONGEST_NAME = 200  # bytes
MOST_LIST_BYTES = 4_000_000  # of a zip: the names of its files
_BLOCK = 1 << 20
_MAC, _CLUTTER = "__MACOSX/", (".DS_Store", "Thumbs.db", "desktop.ini")


class Archive:
    """A zip, open: the names of its files, of which only those that are asked for are unpacked."""

    def __init__(self, file: BufferedReader, shown: str) -> None:
        self._zip = zipfile.ZipFile(cast(BinaryIO, _SmallReads(file)))
        self._shown = shown
        self._left = min(MOST_BYTES, MOST_FOLD * os.fstat(file.fileno()).st_size + MOST_LOOSE)
        listed = [member for member in self._zip.infolist() if not member.is_dir()]
        members = [
            each for each in listed if not each.filename.startswith(_MAC) and not each.filename.endswith(_CLUTTER)
        ]
        _refuse_members(members, shown)
        self._members = _lift({str(PurePosixPath(member.filename)): member for member in members})

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def unpack(self, name: str) -> Iterator[bytes]:
        """Yield a file piece by piece, counting what really comes out: sizes in a zip's list are only claims."""
        with self._zip.open(self._members[name]) as source:
            while block := source.read(_BLOCK):
                self._left -= len(block)
                if self._left < 0:
                    raise ThemeError(Fault(f"{self._shown} unpacks to far more than it seems", "Pack the theme anew."))
                yield block

    def read(self, name: str, most_bytes: int) -> bytes:
        """Return a file; of one that is too large, more than agreed."""
        whole = b""
        for block in self.unpack(name):
            whole += block
            if len(whole) > most_bytes:
                break
        return whole


class _SmallReads:
    """A file of which no reader takes more at once than a list of files may be long."""

    def __init__(self, file: BufferedReader) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        """Read some bytes."""
        data = self._file.read(min(size, MOST_LIST_BYTES + 1) if size >= 0 else MOST_LIST_BYTES + 1)
        if len(data) > MOST_LIST_BYTES:
            raise zipfile.BadZipFile("the list of files is too long")
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@contextlib.contextmanager
def open_archive(path: Path, name: str = "") -> Iterator[Archive]:
    """Open a zip; raise `ThemeError` for what is not plainly a folder, now or while it is unpacked.

    `name` is what its owner calls it.
    """
    shown = name or show_path(path)
    try:
        with open_named(path) as file:
            yield Archive(file, shown)
    except OSError as error:
        raise ThemeError(Fault(f"{shown} cannot be read: {error.strerror or error}")) from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError, EOFError):
        raise ThemeError(Fault(f"{shown} is no zip that can be read", "Pack it anew, without a password.")) from None


def _refuse_members(members: list[zipfile.ZipInfo], shown: str) -> None:
    if len(members) > MOST_FILES:
        raise ThemeError(Fault(f"{shown} holds more than {MOST_FILES} files", "Pack only the theme and its pictures."))
    names = Counter(map(_plain_name, members))
    folders = {str(folder) for name in names for folder in PurePosixPath(name).parents}
    faults = []
    for member in members:
        name = _plain_name(member)
        twice = "stands in it twice" if names[name] > 1 else ""
        what = _find_flaw(member) or twice or ("is both a file and a folder" if name in folders else "")
        if what:
            faults.append(Fault(f"{shown}: {quote(member.filename)} {what}", "Pack the theme's folder anew."))
    ThemeError.raise_any(faults)


def _plain_name(member: zipfile.ZipInfo) -> str:
    """Return the name as it will be unpacked, on systems that tell no capitals: a//b is a/b."""
    return str(PurePosixPath(member.filename)).casefold()


def _find_flaw(member: zipfile.ZipInfo) -> str:
    name = member.filename
    parts = PurePosixPath(name).parts
    if name.startswith("/") or "\\" in name or "\0" in name or ".." in parts or ":" in name:
        return "leads out of the folder"
    if find_forbidden(name) or find_reordering(name):
        return "has invisible characters in its name"
    if len(parts) > DEEPEST or any(len(part.encode()) > LONGEST_NAME for part in parts):
        return "has a name too long to unpack"
    if any(map(is_device_name, parts)):
        return "has the name of a device on Windows"
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        return "is a link or a device"
    if member.flag_bits & 0x1:
        return "is locked with a password"
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is packed in an unusual way"
    return "is too large" if member.file_size > MOST_FILE_BYTES else ""


def _lift(files: dict[str, zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """Return what is inside of the one folder that most zips hold, or of a folder in a folder."""
    while len({name.partition("/")[0] for name in files}) == 1 and all("/" in name for name in files):
        files = {name.partition("/")[2]: member for name, member in files.items()}
    return files


def find_theme_inside(files: Collection[str], shown: str) -> str:
    """Return the theme of an archive: `theme.yaml`, or else the only YAML file beside nothing else."""
    if THEME_FILE in files:
        return THEME_FILE
    themes = sorted(name for name in files if "/" not in name and name.lower().endswith(THEME_ENDINGS))
    if len(themes) == 1:
        return themes[0]
    what = f"{shown} holds no theme" if not themes else f"{shown} holds {len(themes)} themes"
    raise ThemeError(Fault(what, f"Pack one theme with its pictures; call it {THEME_FILE}."))


def unpack_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files that have passed the checks above into an empty folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@contextlib.contextmanager
def opened_theme(name: str) -> Iterator[Path]:
    """Give the theme file that a name, a path or a zip means; what was packed lies in a folder of its own meanwhile."""
    path = Path(name)
    if path.suffix.lower() != ARCHIVE or not os.path.isfile(path):
        yield find_theme(name)
        return
    with tempfile.TemporaryDirectory(prefix="dobble-print-") as folder:
        inside = Path(folder) / make_file_name(path.stem, "theme")
        inside.mkdir()
        theme = inside / unpack_archive(path, inside)
        yield theme if theme.name == THEME_FILE else theme.rename(inside / THEME_FILE)


def unpack_archive(path: Path, folder: Path, name: str = "") -> str:
    """Unpack the theme of a zip into an empty folder, with what it names and nothing else; return its name."""
    with open_archive(path, name) as archive:
        theme = find_theme_inside(list(archive), name or show_path(path))
        for each in _follow(theme, _ArchiveFiles(archive)):
            target = folder / each
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                file.writelines(archive.unpack(each))
        return theme


MOST_INPUT_BYTES = 100_000_000  # of one file; no picture, font or profile may be as large
MOST_TRAVELLING = 300_000_000  # bytes of one job that go to another machine


OwnProfile = tuple[str, Mapping[str, bytes]]  # its name, and all its files by theirs


@dataclass(frozen=True)
class Inputs:
    """The files of a job by their path below the theme's folder, in its folder or in a zip: their sizes and hashes."""

    theme: str
    files: Mapping[str, tuple[int, str]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    @property
    def total_bytes(self) -> int:
        """What they take together."""
        return sum(size for size, _ in self.files.values())


class _FolderFiles:
    """The files that a theme may name, in its folder."""

    def __init__(self, theme: Path) -> None:
        self.theme = theme

    def find(self, text: str) -> str | None:
        """Return the name of the file that a text means, if there is one."""
        with contextlib.suppress(InvalidValue):
            return text if find_inside(self.theme.parent, text).is_file() else None
        return None

    def read(self, name: str, most_bytes: int) -> bytes:
        """Return a file, or the first of far too many bytes; raise `ThemeError`."""
        with _readable(path := self._place(name)):
            return read_checked(path, most_bytes)

    def measure(self, name: str) -> tuple[int, str]:
        """Return size and hash of a file, or those of its beginning and the size of all."""
        with _readable(path := self._place(name)), open_checked(path) as file:
            return os.fstat(file.fileno()).st_size, _hash_blocks(iter(lambda: file.read(_BLOCK), b""))

    def _place(self, name: str) -> Path:
        if name == self.theme.name:  # which may be a link
            return Path(os.path.realpath(self.theme))
        return find_inside(self.theme.parent, name)


class _ArchiveFiles:
    """The files that a theme may name, in its zip."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self._names = {unicodedata.normalize("NFC", name): name for name in archive}

    def find(self, text: str) -> str | None:
        """Return the name of the file that a text means, if there is one."""
        with contextlib.suppress(InvalidValue):
            check_inside(text)
            return self._names.get(unicodedata.normalize("NFC", str(PurePosixPath(text))))
        return None

    def read(self, name: str, most_bytes: int) -> bytes:
        """Return a file, or the first of far too many bytes."""
        return self.archive.read(name, most_bytes)

    def measure(self, name: str) -> tuple[int, str]:
        """Return size and hash of a file."""
        size = 0

        def count(blocks: Iterable[bytes]) -> Iterator[bytes]:
            nonlocal size
            for block in blocks:
                size += len(block)
                yield block

        digest = _hash_blocks(count(self.archive.unpack(name)))
        return size, digest


def _hash_blocks(blocks: Iterable[bytes]) -> str:
    """Return the hash of what a file begins with, or of all of it where it is no larger than any input may be."""
    digest, left = hashlib.sha256(), MOST_INPUT_BYTES + 1
    for block in blocks:
        digest.update(block[:left])
        left -= len(block)
        if left <= 0:
            break
    return digest.hexdigest()


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ThemeError(Fault(f"{show_path(path)} cannot be read: {error.strerror}")) from None


@contextlib.contextmanager
def _open_files(path: Path) -> Iterator[tuple[str, _FolderFiles | _ArchiveFiles]]:
    """Open the files beside a theme, or those in a zip; the name of the theme comes first."""
    if path.suffix.lower() != ARCHIVE:
        yield path.name, _FolderFiles(path)
        return
    with open_archive(path) as archive:
        yield find_theme_inside(list(archive), show_path(path)), _ArchiveFiles(archive)


def collect_inputs(path: Path) -> Inputs:
    """Every file that a theme, or the theme in an archive, refers to; faults in it are left to whoever builds it."""
    with _open_files(path) as (theme, files):
        return Inputs(theme, {name: files.measure(name) for name in sorted(_follow(theme, files))})


def read_inputs(path: Path) -> dict[str, bytes]:
    """Return the bytes of the same files."""
    with _open_files(path) as (theme, files):
        return {name: files.read(name, MOST_INPUT_BYTES) for name in sorted(_follow(theme, files))}


def _follow(theme: str, files: _FolderFiles | _ArchiveFiles) -> set[str]:
    """Return the names of the theme and of all files that it names, and that those in YAML name."""
    found, waiting = {theme}, _list_texts(theme, files)
    while waiting:
        name = files.find(waiting.pop())
        if name and name not in found:
            found.add(name)
            waiting += _list_texts(name, files) if name.lower().endswith(THEME_ENDINGS) else []
    return found


def _list_texts(name: str, files: _FolderFiles | _ArchiveFiles) -> list[str]:
    """Return every text in a YAML file, whatever it is the value of."""
    try:
        data = files.read(name, MOST_THEME_BYTES)
        if len(data) > MOST_THEME_BYTES:
            return []
        waiting, texts = [parse_tree(decode_text(data, name), name)[0]], list[str]()
    except ThemeError:
        return []
    while waiting:
        node = waiting.pop()
        if isinstance(node, TextNode):
            texts.append(node.text.strip())
        else:
            waiting += node.items if isinstance(node, ListNode) else [value for _, value in node.entries]
    return texts


_EARLIEST = (1980, 1, 1, 0, 0, 0)  # a zip knows no earlier time


def pack_theme(path: Path) -> bytes:
    """Return a zip of a theme and every file that it refers to; the same theme gives the same bytes."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in read_inputs(path).items():
            shown = THEME_FILE if name == path.name else name
            archive.writestr(zipfile.ZipInfo(shown, _EARLIEST), data, zipfile.ZIP_DEFLATED)
    return sink.getvalue()


def make_task(job: Job, cache: Cache | None, travels: bool, only_box: bool = False) -> Task:
    """Return the job ready for a worker, with the hash of everything it depends on."""
    inputs = collect_inputs(job.theme)
    profile, press = _read_profile(job), _read_press(job)
    key = _hash_inputs(job, inputs, profile, press, only_box)
    task = Task(job, take_fingerprint(), key, str(job.theme), show_path(job.theme), cache=cache, only_box=only_box)
    if not travels:
        return task
    if inputs.total_bytes > MOST_TRAVELLING:
        size_mb = inputs.total_bytes // 1_000_000
        what = f"{task.shown} and its pictures are {size_mb} MB, too much to send to another machine"
        raise UsageError(Fault(what, "Shrink the pictures, or build it here."))
    return replace(task, theme=inputs.theme, files=read_inputs(job.theme), profile=profile, output_profile=press)


def _hash_inputs(job: Job, inputs: Inputs, profile: OwnProfile | None, press: bytes | None, only_box: bool) -> str:
    files = {name: list(facts) for name, facts in inputs.files.items()}
    options: dict[str, Any] = asdict(job.options) | {"output": "", "output_profile": _hash(press)}
    hashes = {name: _hash(data) for name, data in profile[1].items()} if profile else {}
    options["profile"] = [profile[0], hashes] if profile else job.options.profile
    today = date.today().isoformat() if job.options.dated else ""
    facts = [take_fingerprint(), job.id, inputs.theme, files, options, today, only_box]
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()


def _hash(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _read_profile(job: Job) -> OwnProfile | None:
    """Return the profile that is a file of the user's own, with the files that it names; shipped ones travel anyway."""
    name = job.options.profile
    if name is None or name.casefold() in shipped_profiles() or not Path(name).is_file():
        return None
    return Path(name).name, read_inputs(Path(name))


def _read_press(job: Job) -> bytes | None:
    path = job.options.output_profile
    try:
        return read_named(path, MOST_INPUT_BYTES) if path else None
    except OSError:
        return None  # the build says what is wrong with it
