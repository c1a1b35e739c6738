"""What a job is made from: its files, zip archives, their hash, and their bytes where they travel."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any

from dobble_print.batch.jobs import ARCHIVE, Job, Task
from dobble_print.cache import Cache, take_fingerprint
from dobble_print.errors import Fault, InvalidValue, ThemeError, UsageError
from dobble_print.files import find_forbidden, find_inside, find_reordering, is_device_name, read_checked
from dobble_print.messages import quote
from dobble_print.resources import THEME_ENDINGS, THEME_FILE, shipped_profiles
from dobble_print.theme.reader import show_path
from dobble_print.theme.source import ListNode, TextNode, read_tree

MOST_FILES = 2000
MOST_BYTES = 300_000_000
MOST_FOLD = 100  # so many times what is packed; text shrinks tenfold
MOST_LOOSE = 10_000_000  # what anybody may unpack
MOST_FILE_BYTES = 100_000_000
DEEPEST = 20  # folders in folders
LONGEST_NAME = 200  # bytes
_BLOCK = 1 << 20
_MAC, _CLUTTER = "__MACOSX/", (".DS_Store", "Thumbs.db", "desktop.ini")


def read_archive(path: Path) -> dict[str, bytes]:
    """Return the files of a zip by their path inside it; raise `ThemeError` for what is not plainly a folder."""
    shown = show_path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            files = [member for member in archive.infolist() if not member.is_dir()]
            members = [
                each for each in files if not each.filename.startswith(_MAC) and not each.filename.endswith(_CLUTTER)
            ]
            _refuse_members(members, shown)
            most = min(MOST_BYTES, MOST_FOLD * path.stat().st_size + MOST_LOOSE)
            return _lift(_read_all(archive, members, most, shown))
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


def _read_all(archive: zipfile.ZipFile, members: Iterable[zipfile.ZipInfo], left: int, shown: str) -> dict[str, bytes]:
    """Every member, counting what really comes out: sizes in a zip's list are only claims."""
    files: dict[str, bytes] = {}
    for member in members:
        whole = io.BytesIO()  # which hands out what it holds without a copy
        with archive.open(member) as source:
            while block := source.read(_BLOCK):
                left -= len(block)
                if left < 0:
                    raise ThemeError(Fault(f"{shown} unpacks to far more than it seems", "Pack the theme anew."))
                whole.write(block)
        files[str(PurePosixPath(member.filename))] = whole.getvalue()
    return files


def _lift(files: dict[str, bytes]) -> dict[str, bytes]:
    """Most zips hold one folder; what counts is what is inside."""
    tops = {name.partition("/")[0] for name in files}
    if len(tops) != 1 or any("/" not in name for name in files):
        return files
    return {name.partition("/")[2]: data for name, data in files.items()}


def find_theme_inside(files: Mapping[str, bytes], shown: str) -> str:
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


MOST_INPUT_BYTES = 100_000_000  # of one file; no picture, font or profile may be as large
MOST_TRAVELLING = 300_000_000  # bytes of one job that go to another machine


@dataclass(frozen=True)
class Inputs:
    """The files of a job by their path below the theme's folder: on disk, or as bytes out of an archive."""

    theme: str
    files: Mapping[str, Path | bytes]

    def read(self, name: str) -> bytes:
        """Return the bytes of one file, or the first of far too many; raise `ThemeError`."""
        file = self.files[name]
        if isinstance(file, bytes):
            return file
        with _readable(file):
            return read_checked(file, MOST_INPUT_BYTES)

    def measure(self, name: str) -> int:
        """Return the size of one file in bytes; raise `ThemeError`."""
        file = self.files[name]
        if isinstance(file, bytes):
            return len(file)
        with _readable(file):
            return file.stat().st_size

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.files))


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ThemeError(Fault(f"{show_path(path)} cannot be read: {error.strerror}")) from None


def collect_inputs(path: Path) -> Inputs:
    """Every file that a theme, or the theme in an archive, refers to; faults in it are left to whoever builds it."""
    if path.suffix.lower() == ARCHIVE:
        files = read_archive(path)
        return Inputs(find_theme_inside(files, show_path(path)), files)
    found = {path.name: Path(os.path.realpath(path))}
    waiting = _list_texts(path)
    while waiting:
        name = waiting.pop()
        with contextlib.suppress(InvalidValue):
            file = find_inside(path.parent, name)
            if name not in found and file.is_file():
                found[name] = file
                waiting += _list_texts(file) if file.suffix.lower() in THEME_ENDINGS else []
    return Inputs(path.name, found)


def _list_texts(file: Path) -> list[str]:
    """Return every text in a YAML file, whatever it is the value of."""
    try:
        waiting, texts = [read_tree(file, file.name)[0]], list[str]()
    except ThemeError:
        return []
    while waiting:
        node = waiting.pop()
        if isinstance(node, TextNode):
            texts.append(node.text.strip())
        else:
            waiting += node.items if isinstance(node, ListNode) else [value for _, value in node.entries]
    return texts


def make_task(job: Job, cache: Cache | None, travels: bool, only_box: bool = False) -> Task:
    """Return the job ready for a worker, with the hash of everything it depends on."""
    inputs = collect_inputs(job.theme)
    profile, press = _read_profile(job), _read_press(job)
    key = _hash_inputs(job, inputs, profile, press, only_box)
    task = Task(job, take_fingerprint(), key, str(job.theme), show_path(job.theme), cache=cache, only_box=only_box)
    if not travels and job.theme.suffix.lower() != ARCHIVE:
        return task
    size = sum(map(inputs.measure, inputs))
    if travels and size > MOST_TRAVELLING:
        what = f"{task.shown} and its pictures are {size // 1_000_000} MB, too much to send to another machine"
        raise UsageError(Fault(what, "Shrink the pictures, or build it here."))
    files = {name: inputs.read(name) for name in inputs}
    return replace(task, theme=inputs.theme, files=files, profile=profile, output_profile=press)


def _hash_inputs(
    job: Job, inputs: Inputs, profile: tuple[str, bytes] | None, press: bytes | None, only_box: bool
) -> str:
    files = {name: [inputs.measure(name), _hash(inputs.read(name))] for name in inputs}
    options: dict[str, Any] = asdict(job.options) | {"output": "", "output_profile": _hash(press)}
    options["profile"] = [profile[0], _hash(profile[1])] if profile else job.options.profile
    today = date.today().isoformat() if job.options.dated else ""
    facts = [take_fingerprint(), job.id, inputs.theme, files, options, today, only_box]
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()


def _hash(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _read_profile(job: Job) -> tuple[str, bytes] | None:
    """Return the profile that is a file of the user's own, by name; shipped ones are part of the program."""
    name = job.options.profile
    if name is None or name.casefold() in shipped_profiles() or not Path(name).is_file():
        return None
    return Path(name).name, Path(name).read_bytes()


def _read_press(job: Job) -> bytes | None:
    path = job.options.output_profile
    try:
        return path.read_bytes() if path else None
    except OSError:
        return None  # the build says what is wrong with it
