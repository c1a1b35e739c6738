"""The fonts: FiraGO, which comes with the program; others that come as optional packages; and the user's own files.

All of them are open (SIL OFL 1.1) and arrive as Python packages; nothing is ever downloaded by the program itself.

Invariant: a `FontFile` is whole: its tables lie inside the file and hold outlines, so whoever draws with it meets no
truncated font; and an own font lies inside the theme's folder, symbolic links followed.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from dobble_print.errors import ArtworkError, Fault, InvalidValue
from dobble_print.files import find_inside, read_checked
from dobble_print.messages import list_words, quote, suggest, write_install

MOST_BYTES = 10_000_000
OWN_ENDINGS = (".ttf", ".otf")
WEB_ENDINGS = (".woff", ".woff2", ".eot")
BOLD = 700.0

_HEAD, _LETTERS = ("cmap", "head", "hhea", "hmtx", "maxp"), ({"glyf", "loca"}, {"CFF "}, {"CFF2"})
_CONVERT = "Get the same font as .ttf or .otf, or convert it."
_INSIDE = "Put the font in the theme's folder and give its path from there, such as fonts/school.ttf."


@dataclass(frozen=True)
class FontFile:
    """A font ready to draw with; `face` counts in a collection, `weight` None is a variable font's own default.

    `is_own` marks a user's file: its letters are never mixed with those of another font.
    """

    name: str
    data: bytes = field(repr=False)
    face: int = 0
    weight: float | None = None
    is_own: bool = False


@dataclass(frozen=True)
class FontPackage:
    """Where an optional font is: the package's module, the file in it, and the extra that installs it."""

    module: str
    file: str
    extra: str
    weight: float | None = None


CHOICES: dict[str, FontPackage | None] = {
    "sans": None,
    "serif": FontPackage("fontpkg_source_serif_4", "files/SourceSerif4[opsz,wght].ttf", "serif", BOLD),
    "dyslexia": FontPackage("fontpkg_lexend", "files/Lexend[wght].ttf", "dyslexia", 600.0),
    "legible": FontPackage("fontpkg_atkinson_hyperlegible", "files/AtkinsonHyperlegible-Bold.ttf", "dyslexia"),
    "handwriting": FontPackage("fontpkg_delius", "files/Delius-Regular.ttf", "handwriting"),
    "school": FontPackage("fontpkg_abeezee", "files/ABeeZee-Regular.ttf", "handwriting"),
}

# Letters that FiraGO lacks, by the first word of their Unicode names.
SCRIPTS: dict[str, FontPackage] = {
    "BENGALI": FontPackage("fontpkg_hind_siliguri", "files/HindSiliguri-Bold.ttf", "scripts"),
    "TAMIL": FontPackage("fontpkg_noto_sans_tamil", "files/NotoSansTamil[wdth,wght].ttf", "scripts", BOLD),
    "TELUGU": FontPackage("fontpkg_noto_sans_telugu", "files/NotoSansTelugu[wdth,wght].ttf", "scripts", BOLD),
    "KHMER": FontPackage("fontpkg_noto_sans_khmer", "files/NotoSansKhmer[wdth,wght].ttf", "scripts", BOLD),
}
CJK = FontPackage("manimgx_fonts_cjk", "NotoSansCJK-VF.otf.ttc", "cjk", BOLD)
CJK_NAMES = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "FULLWIDTH", "KATAKANA-HIRAGANA")
# The same Chinese character looks different in these countries: the faces of the collection.
CJK_FACES = {"ja": 0, "ko": 1, "zh": 2, "zh-Hant": 3, "zh-TW": 3, "zh-Hant-TW": 3, "zh-HK": 4, "zh-Hant-HK": 4}


@lru_cache(maxsize=2)
def font_bytes(bold: bool = False) -> bytes:
    """Return the contents of the program's own font."""
    if bold:
        from pymupdf_fonts import FiraGO_Bold as font
    else:
        from pymupdf_fonts import FiraGO_Regular as font
    return bytes(font.fontbuffer)


def find_font(choice: str, folder: Path | None = None) -> FontFile:
    """Return the font meant by a name of `CHOICES` or by the path of a font file in the theme's folder."""
    if choice not in CHOICES:
        return _find_own(choice, folder)
    package = CHOICES[choice]
    if package is None:
        return _sans()
    found = _open_package(package)
    if found is None:
        raise ArtworkError(Fault(f"the font {quote(choice)} is not installed", hint_extra(package.extra)))
    return found


def list_fallbacks(text: str, language: str = "") -> Iterator[FontFile]:
    """Yield the installed fonts to look in for letters that the chosen one lacks, the most fitting first."""
    yield _sans()
    first_words = {_script_word(char) for char in text}
    wanted = [_open_package(package) for word, package in SCRIPTS.items() if word in first_words]
    if first_words & set(CJK_NAMES):
        wanted.append(_open_package(CJK, _choose_face(first_words, language)))
    yield from filter(None, wanted)
    yield from _list_signs()


def hint_missing(missing: list[str]) -> str:
    """Return what to do about letters that no installed font has."""
    for char in missing:
        word = _script_word(char)
        package = CJK if word in CJK_NAMES else SCRIPTS.get(word)
        if package and _locate(package) is None:
            return hint_extra(package.extra)
    return "Use other characters, a font of your own that has them, or a picture."


def hint_extra(extra: str) -> str:
    """Return how to install what an extra brings, as it can be typed here."""
    return f"Install it: {write_install(f'dobble-print[{extra}]')}."


@lru_cache(maxsize=1)
def _sans() -> FontFile:
    return FontFile("FiraGO", font_bytes(bold=True))


@lru_cache(maxsize=1)
def _list_signs() -> tuple[FontFile, ...]:
    """Return fonts of the same package as FiraGO with rare letters, signs of mathematics and other signs."""
    from pymupdf_fonts import NotoSans_Bold, NotoSansMath_Regular, NotoSansSymbols2_Regular

    modules = (NotoSans_Bold, NotoSansMath_Regular, NotoSansSymbols2_Regular)
    return tuple(FontFile(module.__name__.split(".")[-1], bytes(module.fontbuffer)) for module in modules)


def _script_word(char: str) -> str:
    return unicodedata.name(char, "").split(" ")[0]


def _choose_face(first_words: set[str], language: str) -> int:
    base = language.split("-")[0]
    if language in CJK_FACES or base in CJK_FACES:
        return CJK_FACES.get(language, CJK_FACES.get(base, 2))
    if first_words & {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}:
        return CJK_FACES["ja"]
    return CJK_FACES["ko" if "HANGUL" in first_words else "zh"]


def _locate(package: FontPackage) -> Path | None:
    """Return the package's file, found without running the package."""
    spec = find_spec(package.module)
    folders = (spec.submodule_search_locations if spec else None) or []
    paths = [Path(folder) / package.file for folder in folders]
    return next((path for path in paths if path.is_file()), None)


def _open_package(package: FontPackage, face: int = 0) -> FontFile | None:
    path = _locate(package)
    return None if path is None else _load(path, face, package.weight)


@lru_cache(maxsize=8)
def _load(path: Path, face: int, weight: float | None) -> FontFile:
    return FontFile(path.name.split("[")[0].split(".")[0], path.read_bytes(), face, weight)


def _find_own(choice: str, folder: Path | None) -> FontFile:
    if not re.search(r"[./\\]", choice):
        hint = suggest(choice, CHOICES, f"There are {', '.join(CHOICES)}, or a file: fonts/school.ttf.")
        raise ArtworkError(Fault(f"there is no font {quote(choice)}", hint))
    try:
        data = _read(choice, folder)
        _refuse_broken(choice, data)
    except InvalidValue as invalid:
        raise ArtworkError(Fault(invalid.what, invalid.hint)) from None
    return FontFile(choice, data, is_own=True)


def _read(choice: str, folder: Path | None) -> bytes:
    """Return an own font, which must lie in the theme's folder; raise `InvalidValue` otherwise."""
    ending = Path(choice).suffix.casefold()
    if ending in WEB_ENDINGS:
        raise InvalidValue(f"{quote(choice)} is a font for web pages", _CONVERT)
    if ending not in OWN_ENDINGS:
        raise InvalidValue(f"{quote(choice)} is not a font the program can read", f"Use {list_words(OWN_ENDINGS)}.")
    if folder is None:
        raise InvalidValue(f"{quote(choice)} is not a path inside the theme's folder", _INSIDE)
    path = find_inside(folder, choice, _INSIDE)
    try:
        data = read_checked(path, MOST_BYTES)
    except FileNotFoundError:
        raise InvalidValue(f"there is no font file {quote(choice)}", _INSIDE) from None
    except OSError as error:
        raise InvalidValue(f"the font {quote(choice)} cannot be read ({error.strerror})") from None
    if len(data) > MOST_BYTES:
        what = f"the font {quote(choice)} is too large: {path.stat().st_size / 1e6:.0f} MB"
        raise InvalidValue(what, f"The program reads fonts of up to {MOST_BYTES / 1e6:.0f} MB.")
    return data


def _refuse_broken(choice: str, data: bytes) -> None:
    """Look at the table directory: what HarfBuzz finds truncated it silently takes for empty."""
    if data[:4] in (b"wOFF", b"wOF2"):
        raise InvalidValue(f"{quote(choice)} is a font for web pages, whatever its name says", _CONVERT)
    if data[:4] == b"ttcf":
        raise InvalidValue(f"{quote(choice)} is a collection of several fonts", "Extract the one you mean.")
    broken = InvalidValue(f"the font file {quote(choice)} is damaged or is no font", "Copy or download it again.")
    if data[:4] not in (b"\0\1\0\0", b"OTTO", b"true") or len(data) < 12:
        raise broken
    count = struct.unpack_from(">H", data, 4)[0]
    if len(data) < 12 + 16 * count:
        raise broken
    rows = [struct.unpack_from(">4sLLL", data, 12 + 16 * i) for i in range(count)]
    tables = {tag.decode("latin-1"): (offset, length) for tag, _, offset, length in rows}
    if any(offset + length > len(data) for offset, length in tables.values()) or not {*_HEAD} <= set(tables):
        raise broken
    if not any(needed <= set(tables) for needed in _LETTERS):
        what = f"the font {quote(choice)} holds pictures instead of outlines"
        raise InvalidValue(what, "Use a font with outlines, TrueType or OpenType.")
    offset, length = tables["head"]
    if min(tables[tag][1] for tag in _HEAD) == 0 or length < 54:
        raise broken
    if not 16 <= struct.unpack_from(">H", data, offset + 18)[0] <= 16384:  # units of the em
        raise broken
