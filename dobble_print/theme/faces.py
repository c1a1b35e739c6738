"""Faces: how cards show a symbol, with colours for letters that everyone tells apart and plates that show languages.

Invariant: every colour reads on white, and no two symbols that follow each other in a theme share one; the same count
and seed always give the same colours.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dobble_print.errors import ArtworkError, Fault, Place
from dobble_print.fonts import CHOICES, find_font
from dobble_print.messages import list_words, name_one, point_at, quote
from dobble_print.resources import read_table
from dobble_print.theme.kinds import FaceWord
from dobble_print.theme.model import (
    Captioned,
    Drawing,
    Emoji,
    Face,
    ImageFile,
    LanguageMark,
    PlateShape,
    Source,
    Symbol,
    Text,
    TextStyle,
)
from dobble_print.theme.options import FACES, FONT, EmojiArt, Rotation
from dobble_print.theme.source import Node
from dobble_print.theme.values import FaultCollector, find_alike
from dobble_print.words.languages import language_name
from dobble_print.words.lexicon import ARTICLES, strip_article
from dobble_print.words.writing import set_apostrophes

FILE = "palette.yaml"
MOST_NAMED = 5
PLATES: tuple[PlateShape, ...] = ("pill", "rectangle", "underline", "cut")


def list_colors() -> dict[str, str]:
    """Return the colours of the palette by name."""
    return read_table(FILE)["colors"]


def assign_colors(count: int, seed: int = 1) -> list[str]:
    """Return a colour for each of so many symbols: one comes again only when all the others have been."""
    colors = list(list_colors().values())
    random.Random(seed).shuffle(colors)
    return (colors * (count // len(colors) + 1))[:count]


def mark_language(index: int, code: str) -> LanguageMark:
    """Return the mark of a theme's first, second, … language; its tag is the code in capitals, without the region."""
    shape = PLATES[index % len(PLATES)]
    row = read_table(FILE)[shape]
    return LanguageMark(shape, row["tint"], row["rim"], code.split("-")[0].upper())


AUTO_COLOR = ""  # of a text whose colour nobody chose
INK = "#1d3557"  # of words on plates, and of names under pictures
Wanted = FaceWord | Source
# Letters, digits and signs that turn into one another when they are turned: these texts must stand upright.
_CONFUSABLE = re.compile(r"[bdpqnuMWZN0-9²³½¼¾×*+÷:/−=<>±-]|(?<=[\d\s])x(?=[\d\s])")


@dataclass(frozen=True)
class FaceStyle:
    """How the faces of a theme look: its faces, its font, and the seed of its colours."""

    faces: tuple[FaceWord, ...] = ()
    font: str = "sans"
    folder: Path | None = None
    seed: int = 1
    place: Place | None = None

    def needs_picture(self) -> bool:
        """Return whether a symbol without a picture could not be shown."""
        return not self.faces or any(face.has_picture for face in self.faces)

    def text_style(self, language: str = "", mark: LanguageMark | None = None) -> TextStyle:
        """Return how a text is set."""
        folder = None if self.font in CHOICES else self.folder
        return TextStyle(self.font, folder, language=language, mark=mark)


def read_face_style(top: Mapping[str, Node], folder: Path, seed: int, collector: FaultCollector) -> FaceStyle:
    """Read the faces and the font that hold for all symbols of a theme."""
    node = top.get(FACES.key)
    faces = collector.read_values(FACES, node)
    return FaceStyle(faces, _read_font(top, folder, collector), folder, seed, node.place if node else None)


def _read_font(top: Mapping[str, Node], folder: Path, collector: FaultCollector) -> str:
    """Return the font's name or path; one that cannot be opened is a fault here, not one a symbol."""
    node = top.get(FONT.key)
    font = collector.read(FONT.key, FONT.kind, node)
    if node is None or font is None:
        return TextStyle.font
    try:
        find_font(font, folder)
    except ArtworkError as error:
        collector.faults += [replace(fault, place=node.place) for fault in error.faults]
        return TextStyle.font
    return str(font)


def list_face_languages(faces: Sequence[Wanted]) -> tuple[str, ...]:
    """Return the languages whose names are shown, each once."""
    return tuple(dict.fromkeys(face.language for face in faces if isinstance(face, FaceWord) and face.has_name))


def add_faces(
    symbols: Sequence[Symbol],
    own: Mapping[str, Sequence[Wanted]],
    face_style: FaceStyle,
    collector: FaultCollector,
    by_card: bool = False,
) -> tuple[Symbol, ...]:
    """Return the symbols with all their faces; `own` are those of single symbols, by id.

    Of faces that look the same, such as a text and its name, one is left, unless every card shows its own (`by_card`).
    """
    wanted = [tuple(own.get(symbol.id) or face_style.faces or (FaceWord("picture"),)) for symbol in symbols]
    _check_names(symbols, wanted, face_style, collector)
    words = [face for faces in wanted for face in faces if isinstance(face, FaceWord)]
    spoken = dict.fromkeys(face.language for face in words if not face.has_picture)  # under one, it needs no plate
    marks = {code: mark_language(i, code) for i, code in enumerate(spoken)} if len(spoken) > 1 else {}
    # a shuffle for each face: were a symbol's words of one colour, nobody would read them
    most = max(map(len, wanted), default=0)
    colors = [assign_colors(len(symbols), face_style.seed + face) for face in range(most)]
    return tuple(
        replace(
            symbol,
            source=_finish_face(symbol.source, symbol.rotation, colors[0][number], face_style).source,
            faces=drop_twins(
                [
                    _make_face(symbol, face, colors[i][number], face_style, marks)
                    for i, face in enumerate(wanted[number])
                ],
                by_card,
            ),
        )
        for number, symbol in enumerate(symbols)
    )


def drop_twins(faces: Sequence[Face], by_card: bool = False) -> tuple[Face, ...]:
    """Return the faces without those that print the same letters, on the same plate, as an earlier one."""
    if by_card:
        return tuple(faces)
    looks: dict[Hashable, Face] = {}
    for face in faces:
        text = face.source if isinstance(face.source, Text) else None
        looks.setdefault((fold_print(text.text), text.style.mark) if text else face, face)
    return tuple(looks.values())


def warn_about_faces(symbols: Sequence[Symbol]) -> tuple[Fault, ...]:
    """Warn about texts that look the same on every card, among symbols that do not, and about missing articles.

    One warning names all that have the same cause.
    """
    most = max((len(symbol.faces) for symbol in symbols), default=1)
    single = [symbol for symbol in symbols if len(symbol.faces) == 1 and isinstance(symbol.source, Text)]
    bare = [
        symbol
        for symbol in symbols
        for face in symbol.faces
        if face.full and ARTICLES.get(_base(face.language)) and _lacks_article(symbol, face.language)
    ]
    faults = []
    if most > 1 and single and len(single) < len(symbols):
        what, hint = "looks the same on every card: it has no picture", "Give it an emoji or a picture of its own."
        faults.append(_name_all(single, what, "look the same on every card: they have no pictures", hint))
    if bare:
        hint = "Write it before the name, such as nl: de bal."
        faults.append(_name_all(bare, "has no article and prints without", "have no article and print without", hint))
    return tuple(faults)


def _lacks_article(symbol: Symbol, code: str) -> bool:
    name = symbol.full_names.get(code) or symbol.names.get(code, "")
    return bool(name) and strip_article(name, code) == name


def _base(code: str) -> str:
    return code.split("-")[0]


def _name_all(symbols: Sequence[Symbol], one: str, many: str, hint: str) -> Fault:
    names = list(dict.fromkeys(next(iter(symbol.names.values()), symbol.id) for symbol in symbols))
    more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    shown = list_words([*map(quote, names[:MOST_NAMED]), *more], "and")
    return Fault(f"{shown} {one if len(names) == 1 else many}", hint, symbols[0].place)


def _make_face(
    symbol: Symbol, wanted: Wanted, color: str, face_style: FaceStyle, marks: Mapping[str, LanguageMark]
) -> Face:
    if not isinstance(wanted, FaceWord):
        return _finish_face(wanted, symbol.rotation, color, face_style)
    if not wanted.has_name:
        return _finish_face(symbol.source, symbol.rotation, color, face_style)
    code = wanted.language
    name = (symbol.full_names if wanted.is_full else symbol.names).get(code) or symbol.names.get(code, symbol.id)
    name = set_apostrophes(name)
    if wanted.has_picture and isinstance(symbol.source, ImageFile | Emoji | Drawing):
        text = Text(name, INK, style=replace(face_style.text_style(code), lines=2))
        return Face(Captioned(symbol.source, text), _keep_readable(symbol.rotation), "picture", code, wanted.is_full)
    mark = marks.get(code)
    text = Text(name, INK if mark else color, style=face_style.text_style(code, mark))
    return Face(text, _keep_readable(symbol.rotation), "word", code, wanted.is_full)


def _finish_face(source: Source, rotation: Rotation, color: str, face_style: FaceStyle) -> Face:
    """Make the face of a picture or text; letters get the theme's font, and a colour where they have none."""
    if not isinstance(source, Text):
        return Face(source, rotation)
    text = replace(source, color=source.color or (INK if source.badge else color), style=face_style.text_style())
    return Face(text, rotation, "text")


def find_natural_rotation(source: Source) -> Rotation:
    """Return how a picture or a text likes to lie when nobody says."""
    if isinstance(source, Captioned):
        return "tilt"
    if not isinstance(source, Text):
        return "full"
    return "upright" if _CONFUSABLE.search(source.text) else "tilt"


def _keep_readable(rotation: Rotation) -> Rotation:
    """Return the rotation for words, which never stand on their heads."""
    return "tilt" if rotation == "full" else rotation


def _check_names(
    symbols: Sequence[Symbol], wanted: Sequence[Sequence[Wanted]], face_style: FaceStyle, collector: FaultCollector
) -> None:
    """Check that names on faces exist; a language that no symbol has is one fault where it is asked for."""
    lacking = [list_lacking(symbol, list_face_languages(faces)) for symbol, faces in zip(symbols, wanted, strict=True)]
    absent = set.intersection(*map(set, lacking)) if len(lacking) > 1 else set()
    for code in [code for code in list_face_languages(face_style.faces) if code in absent]:
        hint = f'Add "{code}: …" to each symbol, or remove the face.'
        collector.add(face_style.place or symbols[0].place, f"no symbol has {name_one(language_name(code))} name", hint)
    for symbol, codes in zip(symbols, lacking, strict=True):
        missing = [code for code in codes if code not in absent]
        if missing:
            names = list_words(map(language_name, missing))
            what = f"symbol {quote(symbol.id)} has no {names} name, which a face shows"
            collector.add(symbol.place, what, f'Add "{", ".join(f"{code}: …" for code in missing)}" to it.')


def list_lacking(symbol: Symbol, codes: Sequence[str]) -> list[str]:
    """Return the languages that faces show and a symbol lacks; a text is its own name, but in one of them only."""
    missing = [code for code in codes if code not in symbol.names]
    if missing or not isinstance(symbol.source, Text):
        return missing
    return [code for code in codes if symbol.names[code] == symbol.source.text][1:]


def check_faces(symbols: Sequence[Symbol], collector: FaultCollector) -> None:
    """Refuse a word or text that two symbols show, whatever its colour or language."""

    def list_texts(symbol: Symbol) -> Iterator[tuple[str, str]]:
        texts = [face.source.text for face in symbol.faces if isinstance(face.source, Text)]
        return ((fold_print(text), text) for text in texts)

    for symbol, twin, text in find_alike(symbols, list_texts):
        other = point_at(next(iter(twin.names.values()), twin.id), twin.place.line, symbol.place.line)
        what = f"this symbol shows {quote(text)}, and so does {other}"
        collector.add(symbol.place, what, "A match would have two answers: remove or change one.")


def fold_print(text: str) -> str:
    """Return a text as it looks: `3 x 4` is `3×4`, ½ is 1/2; case tells single letters apart, but no words."""
    plain = re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).replace("⁄", "/").replace("’", "'")
    plain = re.sub(r"(?<=\d)[x*·](?=\d)", "×", plain)
    return plain if len(plain) == 1 else plain.casefold()


def choose_art(symbols: Iterable[Symbol], art: EmojiArt, low_ink: bool = False) -> tuple[Symbol, ...]:
    """Return the symbols with every emoji, on whatever face, drawn by that set; for little ink by its lines alone."""
    if low_ink and art == "openmoji":
        art = "openmoji-lines"
    return tuple(
        replace(
            symbol,
            source=_redraw(symbol.source, art),
            faces=tuple(replace(face, source=_redraw(face.source, art)) for face in symbol.faces),
        )
        for symbol in symbols
    )


def _redraw(source: Source, art: EmojiArt) -> Source:
    match source:
        case Emoji():
            return replace(source, art=art)
        case Captioned(Emoji() as picture):
            return replace(source, picture=replace(picture, art=art))
    return source
