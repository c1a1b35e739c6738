"""Themes in a zip, from anybody: read into memory, within limits, and nothing but plain files.

Invariant: no name leads out of the folder it is unpacked into, no link is followed, and no archive costs more than the
limits below, whatever it claims about itself.
"""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from dobble_print.errors import Fault, ThemeError
from dobble_print.files import find_forbidden, find_reordering, is_device_name
from dobble_print.messages import quote
from dobble_print.resources import THEME_ENDINGS, THEME_FILE
from dobble_print.theme.reader import show_path

MOST_FILES = 2000
MOST_BYTES = 300_000_000
MOST_FOLD, MOST_LOOSE = (
    100,
    10_000_000,
)  # so many times what is packed, and what anybody may unpack; text shrinks tenfold
MOST_FILE_BYTES = 100_000_000
DEEPEST = 20  # folders in folders
LONGEST_NAME = 200  # bytes
_BLOCK = 1 << 20
_CLUTTER = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")


def read_archive(path: Path) -> dict[str, bytes]:
    """The files of a zip by their path inside it; raises `ThemeError` for anything that is not plainly a folder."""
    shown = show_path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not _is_clutter(member)]
            _refuse_members(members, shown)
            most = min(MOST_BYTES, MOST_FOLD * path.stat().st_size + MOST_LOOSE)
            return _lift(_read_all(archive, members, most, shown))
    except OSError as error:
        raise ThemeError(Fault(f"{shown} cannot be read: {error.strerror or error}")) from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError, EOFError):
        raise ThemeError(Fault(f"{shown} is no zip that can be read", "Pack it anew, without a password.")) from None


def _is_clutter(member: zipfile.ZipInfo) -> bool:
    return member.is_dir() or member.filename.startswith(_CLUTTER[0]) or member.filename.endswith(_CLUTTER[1:])


def _refuse_members(members: list[zipfile.ZipInfo], shown: str) -> None:
    if len(members) > MOST_FILES:
        raise ThemeError(Fault(f"{shown} holds more than {MOST_FILES} files", "Pack only the theme and its pictures."))
    names = Counter(map(_plain_name, members))
    folders = {str(folder) for name in names for folder in PurePosixPath(name).parents}
    faults = []
    for member in members:
        name = _plain_name(member)
        twice = "stands in it twice" if names[name] > 1 else ""
        what = _doubt_member(member) or twice or ("is both a file and a folder" if name in folders else "")
        if what:
            faults.append(Fault(f"{shown}: {quote(member.filename)} {what}", "Pack the theme's folder anew."))
    ThemeError.raise_any(faults)


def _plain_name(member: zipfile.ZipInfo) -> str:
    """The name as it will be unpacked, on systems that tell no capitals: a//b is a/b."""
    return str(PurePosixPath(member.filename)).casefold()


def _doubt_member(member: zipfile.ZipInfo) -> str:
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
    """The theme of an archive: `theme.yaml`, or else the only YAML file beside nothing else."""
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
