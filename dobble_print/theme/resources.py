"""Where the files that ship with the program are: `templates/` and `themes/`.

Invariant: the answer is the same for an installed package (both travel inside it) and for a checkout (both stand at its
root); nobody else looks for them.
"""

from __future__ import annotations

from pathlib import Path

from dobble_print.errors import Fault, UsageError
from dobble_print.messages import find_closest, list_words, quote, show
from dobble_print.resources import THEME_ENDINGS, THEME_FILE, shipped_themes

LIST_ENDINGS = (".csv", ".tsv", ".xlsx", ".xls", ".ods")
PICTURE_LIKE = (".jpg", ".jpeg", ".png", ".webp", ".svg", ".gif", ".heic")


def _refuse_list(path: Path) -> None:
    """Say what to do with a file that something can be made of, but that is no theme."""
    if path.suffix.lower() in LIST_ENDINGS:
        hint = f"Type: dobble-print new {show(path.stem)} --from {show(str(path))}"
        raise UsageError(Fault(f"{show(path.name)} is a list, not a theme", hint))
    if path.suffix.lower() in PICTURE_LIKE:
        hint = f"A folder of pictures becomes one: dobble-print new NAME --from {show(str(path.parent))}"
        raise UsageError(Fault(f"{show(path.name)} is a picture, not a theme", hint))


def find_theme(name_or_path: str) -> Path:
    """The theme file meant by a path, by a folder that holds `theme.yaml`, or by the name of a shipped theme."""
    path, shipped = Path(name_or_path), shipped_themes()
    if _is(path, "is_file"):
        _refuse_list(path)
        return path
    if _is(path / THEME_FILE, "is_file"):
        return path / THEME_FILE
    if name_or_path in shipped:
        return shipped[name_or_path]
    if _is(path, "is_dir"):
        raise UsageError(Fault(f"the folder {quote(name_or_path)} holds no {THEME_FILE}", _hint_files(path)))
    raise UsageError(Fault(f"there is no theme {quote(name_or_path)}", _hint_theme(path, shipped)))


def _is(path: Path, question: str) -> bool:
    """Ask the file system; a name it cannot even look up (too long, a zero byte) simply is not there."""
    try:
        return bool(getattr(path, question)())
    except (OSError, ValueError):
        return False


def _theme_files(folder: Path) -> list[str]:
    try:
        return sorted(str(path) for path in folder.iterdir() if path.suffix in THEME_ENDINGS)
    except (OSError, ValueError):
        return []


def _hint_files(folder: Path) -> str:
    files = _theme_files(folder)
    return f"It does hold {list_words(map(show, files[:5]), 'and')}." if files else "Give it the theme file itself."


def _hint_theme(path: Path, shipped: dict[str, Path]) -> str:
    """The theme that was probably meant, by its name alone: a folder that two paths share makes them no more alike."""
    near = {Path(file).stem: file for file in _theme_files(path.parent)}
    closest = find_closest(path.stem if path.suffix.lower() in THEME_ENDINGS else path.name, [*near, *shipped])
    if closest:
        return f'Did you mean "{show(near.get(closest, closest))}"?'
    known = f" or one of the shipped themes: {', '.join(shipped)}" if shipped else ""
    return f"Give the path of a theme file{known}."
