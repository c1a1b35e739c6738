"""New themes: a commented one to start from, or one made of a folder of pictures.

Invariant: what is written here reads back without a fault, whatever the title and the files are called.
"""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

from dobble_print.errors import Fault, UsageError
from dobble_print.theme.encoding import find_forbidden
from dobble_print.theme.fields import ID, NAME, SYMBOLS
from dobble_print.theme.kinds import LANGUAGE, Line
from dobble_print.theme.naming import make_slug, make_title, spread_words
from dobble_print.theme.pictures import PICTURE_ENDINGS, is_picture
from dobble_print.theme.reader import FEWEST_SYMBOLS
from dobble_print.theme.refusal import Refusal
from dobble_print.theme.resources import find_template
from dobble_print.theme.symbols import MOST_SYMBOLS
from dobble_print.theme.wording import list_words, quote

_STARTER = "starter.yaml"
_PLAIN = re.compile(r"[^\W_][\w./ -]*")
_NOTHING = ("", "~", "null")

# Pictures that people have, but that must be saved as another kind first.
_OTHER_PICTURES = (
    *(".heic", ".heif", ".tif", ".tiff", ".bmp", ".gif", ".avif", ".jfif", ".jxl", ".dng", ".cr2", ".nef", ".arw"),
    *(".svgz", ".ai", ".eps", ".pdf", ".psd", ".xcf", ".ico"),
)


class _Claims:
    """Texts that must all differ, whatever their case; a second claim gets a number."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def claim(self, text: str, joint: str) -> str:
        """The text, or the text with the first free number."""
        tries = itertools.chain([text], (f"{text}{joint}{number}" for number in itertools.count(2)))
        free = next(name for name in tries if name.casefold() not in self.taken)
        self.taken.add(free.casefold())
        return free


def starter_theme(name: str) -> str:
    """The text of a theme to start from: a small deck of emoji, every section explained."""
    template = find_template(_STARTER).read_text(encoding="utf-8")
    return template.replace("title: TITLE\n", f"title: {quote_yaml(make_title(name))}\n")


def theme_from_folder(folder: Path, name: str, language: str = "en") -> str:
    """The text of a theme with one symbol a picture of the folder, to be written inside that folder."""
    try:
        code = LANGUAGE.read(language)
    except Refusal as refusal:
        raise UsageError(Fault(f"--lang: {refusal.what}", refusal.hint)) from None
    names, ids = _Claims(), _Claims()
    lines = [_write_symbol(file, names, ids, code) for file in _list_pictures(folder)]
    head, _, _ = starter_theme(name).partition("\nsymbols:\n")
    head = re.sub(r"(?m)^languages: .*$", f"languages: [{code}]", head)
    return f"{head}\nsymbols:\n{''.join(lines)}"


def quote_yaml(text: str) -> str:
    """The text as it must stand in YAML to be read back unchanged, with quotes only where they are needed."""
    if _PLAIN.fullmatch(text) and text == text.strip() and text.casefold() not in _NOTHING:
        return text
    return json.dumps(text, ensure_ascii=False).replace("\u00a0", "\\u00a0")  # a JSON text is a YAML text


def list_left_out(folder: Path) -> list[str]:
    """The names of the pictures in a folder that the program cannot read, in the order a person would count them."""
    return [name for name in _list_files(folder) if name.casefold().endswith(_OTHER_PICTURES)]


def _list_files(folder: Path) -> list[str]:
    try:
        files = [path.name for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")]
    except OSError as error:
        raise UsageError(Fault(f"the folder {quote(str(folder))} cannot be read: {error.strerror}")) from error
    return sorted(files, key=_natural_order)


def _list_pictures(folder: Path) -> list[str]:
    """The names of the pictures in a folder that the program can read."""
    pictures = list(filter(is_picture, _list_files(folder)))
    if not FEWEST_SYMBOLS <= len(pictures) <= MOST_SYMBOLS:
        what = f"the folder {quote(str(folder))} holds {len(pictures) or 'no'} pictures"
        limits = f"A theme needs {FEWEST_SYMBOLS} to {MOST_SYMBOLS}, each a {list_words(PICTURE_ENDINGS)} file."
        left_out = list_left_out(folder)
        other = f" {quote(left_out[0])} must be saved as one of these first." if left_out else ""
        raise UsageError(Fault(what, limits + other))
    UsageError.raise_any(filter(None, map(_check_file, pictures)))
    return pictures


def _natural_order(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """`cat 2` before `cat 10`."""
    parts = re.findall(r"[0-9]{1,18}|[^0-9]+", name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts], name


def _check_file(name: str) -> Fault | None:
    """A file name that no theme could hold on every machine."""
    try:
        if find_forbidden(name):
            raise Refusal(f"the file name {quote(name)} has an invisible character")
        SYMBOLS.field("image").kind.read(name)
    except Refusal as refusal:
        return Fault(refusal.what, "Rename the file to plain letters and digits.")
    return None


def _write_symbol(file: str, names: _Claims, ids: _Claims, code: str) -> str:
    """The line of one picture; an id only where the one made of its name is taken."""
    stem = Line(NAME.most - 5).fit(spread_words(file.rpartition(".")[0])) or "picture"
    name = names.claim(stem, " ")
    slug = make_slug(name) or name
    own_id = ids.claim(slug[: ID.most - 5], "-")
    extra = "" if own_id == slug else f", id: {quote_yaml(own_id)}"
    named = f"names: {{id: {quote_yaml(name)}}}" if code == "id" else f"{code}: {quote_yaml(name)}"
    return f"  - {{image: {quote_yaml(file)}{extra}, {named}}}\n"
