"""What a job is made from: every file its theme refers to, as a hash or, where they travel, as bytes.

A theme's inputs are found without understanding it: each text in it that names an existing file inside its folder is
one, and so on through profiles. A word that happens to be a file's name costs a hash and harms nothing.

Invariant: nothing outside the theme's folder is read, symbolic links followed; the hash changes whenever the result
could.
"""

from __future__ import annotations

import hashlib
import json
import os
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from dobble_print.batch.archive import find_theme_inside, read_archive
from dobble_print.batch.model import Job, Parcel
from dobble_print.cache import Cache, take_fingerprint
from dobble_print.errors import Fault, ThemeError, UsageError
from dobble_print.files import read_checked
from dobble_print.resources import THEME_ENDINGS, shipped_profiles
from dobble_print.theme.reader import show_path
from dobble_print.theme.source import ListNode, Node, TextNode, read_tree

MOST_BYTES = 100_000_000  # of one file; no picture, font or profile may be as large
MOST_TRAVELLING = 300_000_000  # bytes of one job that go to another machine
ARCHIVE = ".zip"


@dataclass(frozen=True)
class Inputs:
    """The files of a job by their path below the theme's folder: on disk, or as bytes out of an archive."""

    theme: str
    on_disk: dict[str, Path]
    in_memory: dict[str, bytes]

    def read(self, name: str) -> bytes:
        """The bytes of one file, or the first of far too many; raises `ThemeError`."""
        if name in self.in_memory:
            return self.in_memory[name]
        with self._about(name) as path:
            return read_checked(path, MOST_BYTES)

    def measure(self, name: str) -> int:
        """The size of one file in bytes; raises `ThemeError`."""
        if name in self.in_memory:
            return len(self.in_memory[name])
        with self._about(name) as path:
            return path.stat().st_size

    @contextmanager
    def _about(self, name: str) -> Iterator[Path]:
        try:
            yield self.on_disk[name]
        except OSError as error:
            raise ThemeError(Fault(f"{show_path(self.on_disk[name])} cannot be read: {error.strerror}")) from None

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self.on_disk, *self.in_memory}))


def collect_inputs(path: Path) -> Inputs:
    """Every file that a theme, or the theme in an archive, refers to; faults in it are left to whoever builds it."""
    if path.suffix.lower() == ARCHIVE:
        files = read_archive(path)
        return Inputs(find_theme_inside(files, show_path(path)), {}, files)
    folder = path.parent.resolve()
    found: dict[str, Path] = {}
    waiting = [path.name]
    while waiting:
        name = waiting.pop()
        file = _find_inside(folder, name)
        if file is None or name in found:
            continue
        found[name] = file
        if file.suffix.lower() in THEME_ENDINGS:
            waiting += _list_texts(file)
    return Inputs(path.name, found or {path.name: Path(os.path.realpath(path))}, {})


def _find_inside(folder: Path, name: str) -> Path | None:
    """The file of that name, spelled as written or as some disks spell accents; None if it lies elsewhere.

    A name that starts at the root or climbs is none, wherever it ends: on another machine it would end elsewhere.
    """
    if Path(name).is_absolute() or ".." in Path(name).parts:
        return None
    for spelled in dict.fromkeys((name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name))):
        try:
            path = (folder / spelled).resolve()
            if path.is_file() and path.is_relative_to(folder):
                return path
        except (OSError, ValueError, RuntimeError):  # no file name at all: too long, a zero byte, a circle of links
            continue
    return None


def _list_texts(file: Path) -> list[str]:
    try:
        tree, _ = read_tree(file, file.name)
    except ThemeError:
        return []
    return list(_walk(tree))


def _walk(node: Node) -> Iterator[str]:
    if isinstance(node, TextNode):
        yield node.text.strip()
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from _walk(item)
    else:
        for _, value in node.entries:
            yield from _walk(value)


def is_job_list(path: Path) -> bool:
    """Whether a YAML file lists jobs: it is a list, or has the key `jobs`."""
    try:
        tree, _ = read_tree(path, path.name)
    except ThemeError:  # whoever takes it for a theme says what is wrong with it
        return False
    return isinstance(tree, ListNode) or (not isinstance(tree, TextNode) and tree.get("jobs") is not None)


def make_parcel(job: Job, cache: Cache | None, travels: bool, only_box: bool = False) -> Parcel:
    """The job ready for a worker, with the hash of everything it depends on."""
    inputs = collect_inputs(job.theme)
    profile, press = _read_profile(job), _read_press(job)
    key = _hash_inputs(job, inputs, profile, press, only_box)
    parcel = Parcel(job, take_fingerprint(), key, str(job.theme), show_path(job.theme), cache=cache, only_box=only_box)
    if not travels and not inputs.in_memory:
        return parcel
    size = sum(map(inputs.measure, inputs))
    if travels and size > MOST_TRAVELLING:
        what = f"{parcel.shown} and its pictures are {size // 1_000_000} MB, too much to send to another machine"
        raise UsageError(Fault(what, "Shrink the pictures, or build it here."))
    files = {name: inputs.read(name) for name in inputs}
    return replace(parcel, theme=inputs.theme, files=files, profile=profile, output_profile=press)


def _hash_inputs(
    job: Job, inputs: Inputs, profile: tuple[str, bytes] | None, press: bytes | None, only_box: bool
) -> str:
    files = {name: [inputs.measure(name), _hash(inputs.read(name))] for name in inputs}
    order: dict[str, Any] = asdict(job.order) | {"output": "", "output_profile": _hash(press)}
    order["overrides"]["profile"] = [profile[0], _hash(profile[1])] if profile else job.order.overrides.profile
    today = date.today().isoformat() if job.order.dated else ""
    facts = [take_fingerprint(), job.id, inputs.theme, files, order, today, only_box]
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()


def _hash(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _read_profile(job: Job) -> tuple[str, bytes] | None:
    """The profile that is a file of the user's own, by name; shipped ones are part of the program."""
    name = job.order.overrides.profile
    if name is None or name.casefold() in shipped_profiles() or not Path(name).is_file():
        return None
    return Path(name).name, Path(name).read_bytes()


def _read_press(job: Job) -> bytes | None:
    path = job.order.output_profile
    try:
        return path.read_bytes() if path else None
    except OSError:
        return None  # the build says what is wrong with it
