"""Pictures in a theme's folder: which paths are allowed, and which file is meant.

Invariant: a path that leaves here is an existing file inside the theme's folder, symbolic links followed.
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path, PurePosixPath

from dobble_print.errors import InvalidValue
from dobble_print.files import check_inside, find_inside
from dobble_print.messages import find_closest, list_words, quote

PICTURE_ENDINGS = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".heic", ".heif")

_MOST_LISTED = 500
_INSIDE = "Put the picture in the theme's folder and give its path from there, such as art/cat.png."


def is_picture(name: str) -> bool:
    """Return whether a file name ends like a picture the program can read."""
    return name.casefold().endswith(PICTURE_ENDINGS)


def check_path(text: str) -> str:
    """Return a path as written, unless it could lead out of the theme's folder on any machine or is no picture.

    Whether the file exists is asked later, in its folder.
    """
    check_inside(text, _INSIDE)
    if not is_picture(text):
        hint = f"Use {list_words(PICTURE_ENDINGS)}."
        raise InvalidValue(f"{quote(text)} is not a picture the program can read", hint)
    return text


class PictureFolder:
    """The folder of one theme, as far as its pictures go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    def find(self, text: str) -> Path:
        """Return the picture file that a path means; raise `InvalidValue` where there is none in the folder."""
        path = find_inside(self.folder, text, _INSIDE)
        if not path.is_file():
            raise InvalidValue(f"there is no picture {quote(text)}", self._suggest(text))
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

    def _suggest(self, text: str) -> str:
        """Return the picture with the nearest name, whatever its folder, ending and case."""
        by_stem = {PurePosixPath(name).stem: name for name in reversed(self._pictures)}
        closest = find_closest(PurePosixPath(text).stem, by_stem)
        if closest:
            return f"Did you mean {quote(by_stem[closest])}?"
        return "Check the spelling; paths start from the theme's folder." if self._pictures else _INSIDE
