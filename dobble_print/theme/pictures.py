"""Pictures in a theme's folder: which paths are allowed, and which file is meant.

Invariant: a path that leaves here is an existing file inside the theme's folder, symbolic links followed.
"""

from __future__ import annotations

import os
import unicodedata
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from dobble_print.errors import InvalidValue
from dobble_print.files import check_inside
from dobble_print.messages import find_closest, list_words, quote

PICTURE_ENDINGS = (".svg", ".png", ".jpg", ".jpeg", ".webp")
PHONE_ENDINGS = (".heic", ".heif")  # readable where the extra "heic" is installed

_MOST_LISTED = 500
_INSIDE = "Put the picture in the theme's folder and give its path from there, such as art/cat.png."


def is_picture(name: str) -> bool:
    """Whether a file name ends like a picture the program can read."""
    return name.casefold().endswith((*PICTURE_ENDINGS, *PHONE_ENDINGS))


def can_read_phone_photos() -> bool:
    """Whether the extra for the photos of phones is installed."""
    return find_spec("pillow_heif") is not None


def check_path(text: str) -> None:
    """Refuse a path that could lead out of the theme's folder on any machine, or that is no picture."""
    check_inside(text, _INSIDE)
    if not is_picture(text):
        raise InvalidValue(
            f"{quote(text)} is not a picture the program can read", f"Use {list_words(PICTURE_ENDINGS)}."
        )


class PictureFolder:
    """The folder of one theme, as far as its pictures go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    def find(self, text: str) -> Path:
        """The picture file meant by a path that `check_path` let pass; raises `InvalidValue`."""
        try:
            path = (self.folder / self._spell(text)).resolve()
            exists, is_file = path.exists(), path.is_file()
        except (OSError, ValueError, RuntimeError):  # too long a name, a circle of links
            raise InvalidValue(f"{quote(text)} is not a file name that can be opened") from None
        if not path.is_relative_to(self.folder):
            raise InvalidValue(f"{quote(text)} is a link that leads out of the theme's folder", _INSIDE)
        if not exists:
            raise InvalidValue(f"there is no picture {quote(text)}", self._suggest(text))
        if not is_file:
            raise InvalidValue(f"{quote(text)} is not a file")
        return path

    @cached_property
    def _pictures(self) -> list[str]:
        """The pictures in the folder and below, relative to it; a huge folder is not read to its end."""
        found: list[str] = []
        seen = 0
        for here, folders, files in os.walk(self.folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            inner = Path(here).relative_to(self.folder)
            found += [(inner / name).as_posix() for name in sorted(files) if is_picture(name)]
            seen += len(files) + len(folders)
            if seen > _MOST_LISTED:
                break
        return found

    def _spell(self, text: str) -> str:
        """The same path as the disk spells it: macOS may write é as e plus an accent."""
        if text.isascii() or (self.folder / text).exists():
            return text
        wanted = unicodedata.normalize("NFC", text)
        return next((name for name in self._pictures if unicodedata.normalize("NFC", name) == wanted), text)

    def _suggest(self, text: str) -> str:
        """The picture with the nearest name, whatever its folder, ending and case."""
        by_stem = {PurePosixPath(name).stem: name for name in reversed(self._pictures)}
        closest = find_closest(PurePosixPath(text).stem, by_stem)
        if closest:
            return f"Did you mean {quote(by_stem[closest])}?"
        return "Check the spelling; paths start from the theme's folder." if self._pictures else _INSIDE
