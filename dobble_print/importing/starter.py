"""New themes: a commented one to start from, or one made of a folder of pictures or of a list of words.

Invariant: what is written here reads back without a fault, whatever the title and the files are called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dobble_print.errors import Fault, InvalidValue, UsageError
from dobble_print.files import find_forbidden, find_free_name
from dobble_print.messages import list_words, quote
from dobble_print.resources import find_template
from dobble_print.theme.kinds import LANGUAGE, MOST_FACES, LineOfText
from dobble_print.theme.options import ID, NAME, SYMBOLS
from dobble_print.theme.pictures import PICTURE_ENDINGS, is_picture
from dobble_print.theme.symbols import FEWEST_SYMBOLS, MOST_SYMBOLS
from dobble_print.theme.values import make_slug, make_title, spread_words
from dobble_print.units import show_count
from dobble_print.words.lexicon import ARTICLES, find_named

_STARTER = "starter.yaml"
_PLAIN = re.compile(r"[^\W_][\w./ -]*")
_PLAIN_WORD = re.compile(r"(?=..)[^\W\d_]+(?:[ -][^\W\d_]+)*")
_NOTHING = ("", "~", "null")
_DOUBLE_NAME = re.compile(r"(?<=[^\W\d_])-(?=[A-ZÀ-Þ])")  # Anne-Marie keeps her hyphen
# What cameras, phones and messengers call pictures: IMG 2034, DSC01234, PXL 20240102 120000, 1f3a9c0e 77b2.
_CAMERA_WORD = re.compile(
    r"(?:img|image|dsc[nf]?|dcim|cimg|imgp|pxl|mvimg|sam|gopr|wp|p|scan|photo|foto|picture|bild|screenshot|whatsapp)?"
    r"(?:wa|e)?[0-9.]*|at|\([0-9]+\)"
)
_CAMERA_NUMBER = re.compile(r"[0-9]{3}")
_CAMERA_CODE = re.compile(r"(?=[a-f ]*[0-9])[0-9a-f]{8}(?: [0-9a-f]{4,}){1,9}")
# Pictures that people have, but that must be saved as another kind first.
_OTHER_PICTURES = (
    *(".tif", ".tiff", ".bmp", ".gif", ".avif", ".jfif", ".jxl", ".dng", ".cr2", ".nef", ".arw"),
    *(".svgz", ".ai", ".eps", ".pdf", ".psd", ".xcf", ".ico"),
)


@dataclass(frozen=True)
class NewSymbol:
    """A symbol to be written: the kind of its picture and its text, its names by language, an id if it needs one.

    A symbol of kind `faces` has several looks, and the first of them is its text.
    """

    picture: tuple[str, str]
    names: Mapping[str, str] = field(default_factory=dict)
    id: str = ""
    faces: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """What a person calls it."""
        return next(iter(self.names.values()), " = ".join(self.faces) or self.picture[1])

    @property
    def keys(self) -> dict[str, Any]:
        """What a theme says of it: all its keys with their content."""
        kind, text = self.picture
        keys = {kind: self.faces or text, "id": self.id, "names": self.names}
        return {key: content for key, content in keys.items() if content or key == kind}


def claim(text: str, taken: set[str], joint: str) -> str:
    """Return the text, or with the first number that makes it differ from all that are taken, whatever their case."""
    free = find_free_name(text, lambda name: name.casefold() in taken, joint)
    taken.add(free.casefold())
    return free


def starter_theme(name: str) -> str:
    """Return the text of a theme to start from: a small deck of emoji, every section explained."""
    template = find_template(_STARTER).read_text(encoding="utf-8")
    return template.replace("title: TITLE\n", f"title: {quote_yaml(make_title(name))}\n")


def write_theme(
    name: str, languages: Sequence[str], entries: Iterable[NewSymbol], article: bool = False, fill: str = ""
) -> str:
    """Return the text of a theme with these symbols, its settings explained as in the starter."""
    symbols = list(entries)
    head, _, _ = starter_theme(name).partition("\nsymbols:\n")
    head = re.sub(r"(?m)^languages: .*$", f"languages: [{', '.join(languages)}]", head)
    head = re.sub(r"(?m)^# faces: .*$", f"# faces: [{_propose_faces(languages, symbols)}]", head)
    if article:
        head = head.replace("\n# article: true\n", "\narticle: true\n")
    if fill:
        head = head.replace("\n# fill: lexicon\n", f"\nfill: {fill}\n")
    return f"{head}\nsymbols:\n{''.join(map(_write_entry, symbols))}"


def _propose_faces(languages: Sequence[str], entries: Sequence[NewSymbol]) -> str:
    """Return the faces of a lesson: a word in two languages, a photo with its name, or a picture and its word."""
    if len(languages) > 1:
        return ", ".join(f"word:{code}" for code in languages[:MOST_FACES])
    has_photos = all(entry.picture[0] == "image" for entry in entries)
    return f"picture+word:{languages[0]}" if has_photos else f"picture, word:{languages[0]}"


def list_entries(folder: Path, languages: Sequence[str]) -> list[NewSymbol]:
    """Return one symbol a picture of the folder, called by its file; a word in the first language has all its names."""
    return name_pictures(list_pictures(folder), read_languages(languages), set(), set())


def name_pictures(files: Sequence[str], codes: Sequence[str], names: set[str], ids: set[str]) -> list[NewSymbol]:
    """Return one symbol a picture, called by its file; `names` and `ids` are taken already, in small letters."""
    are_people = _are_people([name_file(file) for file in files])
    return [_name_picture(file, names, ids, codes, are_people) for file in files]


def read_languages(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the codes of languages that the command line names, each once."""
    try:
        return tuple(dict.fromkeys(str(LANGUAGE.read(text)) for text in texts))
    except InvalidValue as refusal:
        raise UsageError(Fault(f"--lang: {refusal.what}", refusal.hint)) from None


def quote_yaml(text: str) -> str:
    """Return the text as it must stand in YAML to be read back unchanged, with quotes only where they are needed."""
    if _PLAIN.fullmatch(text) and text == text.strip() and text.casefold() not in _NOTHING:
        return text
    return json.dumps(text, ensure_ascii=False).replace("\u00a0", "\\u00a0")  # a JSON text is a YAML text


def list_left_out(folder: Path) -> list[str]:
    """Return the names of pictures that the program cannot read, in the order a person would count them."""
    return [name for name in _list_files(folder) if name.casefold().endswith(_OTHER_PICTURES)]


def _list_files(folder: Path) -> list[str]:
    try:
        files = [path.name for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")]
    except OSError as error:
        raise UsageError(Fault(f"the folder {quote(str(folder))} cannot be read: {error.strerror}")) from error
    return sorted(files, key=_natural_order)


def list_pictures(folder: Path) -> list[str]:
    """Return the names of pictures that the program can read; raise `UsageError` for too few or too many."""
    left_out = list_left_out(folder)
    pictures = [name for name in _list_files(folder) if is_picture(name) and name not in left_out]
    if not FEWEST_SYMBOLS <= len(pictures) <= MOST_SYMBOLS:
        count = show_count(len(pictures), "picture") if pictures else "no pictures"
        what = f"the folder {quote(str(folder))} holds {count}"
        limits = f"A theme needs {FEWEST_SYMBOLS} to {MOST_SYMBOLS}, each a {list_words(PICTURE_ENDINGS)} file."
        other = f" {quote(left_out[0])} must be saved as one of these first." if left_out else ""
        raise UsageError(Fault(what, limits + other))
    UsageError.raise_any(filter(None, map(_check_file, pictures)))
    return pictures


def _natural_order(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """Return a key that sorts `cat 2` before `cat 10`."""
    parts = re.findall(r"[0-9]{1,18}|[^0-9]+", name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts], name


def _check_file(name: str) -> Fault | None:
    """Refuse a file name that no theme could hold on every machine."""
    try:
        if find_forbidden(name):
            raise InvalidValue(f"the file name {quote(name)} has an invisible character")
        SYMBOLS.field("image").kind.read(name)
    except InvalidValue as refusal:
        return Fault(refusal.what, "Rename the file to plain letters and digits.")
    return None


def name_file(file: str) -> str:
    """Return a symbol's name made of the name of its picture file, short enough to get a number."""
    stem = file.rpartition("/")[2].rpartition(".")[0]
    words = spread_words(_DOUBLE_NAME.sub("\N{NON-BREAKING HYPHEN}", stem)).replace("\N{NON-BREAKING HYPHEN}", "-")
    return LineOfText(NAME.most - 5).fit(words) or "picture"


def find_nameless(names: Iterable[str]) -> list[str]:
    """Return those of the names made of files that say nothing about the picture."""
    return [name for name in names if _is_nameless(name.casefold())]


def _is_nameless(name: str) -> bool:
    is_numbered = bool(_CAMERA_NUMBER.search(name)) and all(map(_CAMERA_WORD.fullmatch, name.split()))
    return is_numbered or bool(_CAMERA_CODE.fullmatch(name))


def _are_people(names: Sequence[str]) -> bool:
    """Return whether files are called after people: most names are one word each, and no word of any language."""
    unknown = [name for name in names if " " not in name.replace("-", "") and not _is_word(name)]
    return 2 * len(unknown) > len(names)


def _is_word(name: str) -> bool:
    return any(find_named(name, code) for code in ARTICLES)


def _name_picture(
    file: str, names: set[str], ids: set[str], codes: Sequence[str], is_person: bool = False
) -> NewSymbol:
    """Return the symbol of one picture; an id only where the one made of its name is taken."""
    written = name_file(file)
    if is_person and not _is_nameless(written.casefold()):
        written = _capitalize(written, file)
    name = claim(written, names, " ")
    slug = make_slug(name) or name
    own_id = claim(slug[: ID.most - 5], ids, "-")
    word = next(iter(find_named(name, codes[0].split("-")[0])), None)
    known = {code: one.text for code in codes[1:] if word and (one := word.names.get(code.split("-")[0]))}
    called = {code: known.get(code, name) for code in codes}
    return NewSymbol(("image", file), called, "" if own_id == slug else own_id)


def _capitalize(name: str, file: str) -> str:
    """Return `anna-sofie` as Anna-Sofie, as the name of a person is written; what has capitals stays."""
    hyphened = name.replace(" ", "-") if "-" in file and name.islower() else name
    return (
        re.sub(r"(?<![^\W_])[^\W\d_](?=[^\W\d_])", lambda letter: letter[0].upper(), hyphened)
        if name.islower()
        else name
    )


def _write_entry(entry: NewSymbol) -> str:
    """Return the line of one symbol, as short as it can be."""
    kind, text = entry.picture
    is_plain = kind == "emoji" or (kind == "word" and _PLAIN_WORD.fullmatch(text))
    if is_plain and not entry.names and not entry.id:
        return f"  - {text}\n"
    names = [f"{code}: {quote_yaml(name)}" for code, name in entry.names.items()]
    if "id" in entry.names:  # beside a picture, `id` is the symbol's id, not Indonesian
        names = [f"names: {{{', '.join(names)}}}"]
    own_id = [f"id: {quote_yaml(entry.id)}"] if entry.id else []
    shown = text if kind == "emoji" else quote_yaml(text)
    if entry.faces:
        shown = f"[{', '.join(json.dumps(face, ensure_ascii=False) for face in entry.faces)}]"
    return f"  - {{{', '.join([f'{kind}: {shown}', *own_id, *names])}}}\n"
