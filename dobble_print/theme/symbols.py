"""The symbols of a theme: from an entry of the list to a draft, and from drafts to finished symbols.

Invariant: one entry gives one draft, however faulty, so that names and duplicates are judged over all of them; only
drafts with a good picture become symbols.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, get_args

from dobble_print.errors import Place, Refusal
from dobble_print.messages import quote, suggest
from dobble_print.theme.entry import read_entry
from dobble_print.theme.face_fields import FaceEntry, FaceWord
from dobble_print.theme.faces import AUTO_COLOR, Wanted, find_natural_rotation
from dobble_print.theme.fields import NAME, SYMBOLS
from dobble_print.theme.findings import MOST_UNKNOWN, Findings, hint_split
from dobble_print.theme.model import Crop, Emoji, ImageFile, Rotation, Source, Symbol, Text
from dobble_print.theme.naming import Names, make_slug
from dobble_print.theme.pictures import PictureFolder
from dobble_print.theme.source import MapNode, Node, TextNode
from dobble_print.words.languages import find_language, language_aliases, languages
from dobble_print.words.lexicon import Name, Word, find_emoji_word, find_word, find_written_name
from dobble_print.words.writing import is_emoji, print_text

FEWEST_SYMBOLS, MOST_SYMBOLS = 6, 1000
MOST_FAULTS = 200

PICTURES = ("word", "emoji", "image", "text")
FACES, NAMES = "faces", "names"  # what stands in for a picture where there is none
ONLY_BESIDE = {"background": "image", "crop": "image", "color": "text", "badge": "text"}
FEWEST_FACES = 2


@dataclass(frozen=True)
class Manner:
    """What holds for all symbols of a theme: how photos are trimmed, whether names alone make a symbol, and the
    language whose way of writing numbers is printed, if any."""

    crop: Crop = "none"
    needs_picture: bool = True
    notation: str = ""


@dataclass
class Draft:
    """A symbol as far as it could be read; `picture` is the key and text of its picture, as written.

    `names` are those of the theme; `word` is what the lexicon has for the picture, which names it in other languages;
    `written` is the name in the language in which the word was written.
    """

    place: Place
    picture: tuple[str, str] = ("", "")
    picture_place: Place | None = None
    source: Source | None = None
    word: Word | None = None
    written: dict[str, str] = field(default_factory=dict)
    faces: tuple[Wanted, ...] = ()
    names: Names = field(default_factory=Names)
    options: dict[str, Any] = field(default_factory=dict)
    is_short: bool = False

    @property
    def languages(self) -> set[str]:
        """The languages in which the symbol has a name, be it a faulty one."""
        return self.names.tried | set(self.word.names if self.word else ())

    def names_in(self, listed: Iterable[str]) -> dict[str, str]:
        """The names in these languages as far as there are any, and all that the theme gives."""
        known = {code: name.text for code, name in self.word.names.items()} if self.word else {}
        named = known | self.written | self.names.good
        return {code: named[code] for code in (*listed, *self.names.good) if code in named}

    def make_id(self, listed: tuple[str, ...]) -> str:
        """The id given, or else made of the word, the English name, another name, the file, the text or the emoji."""
        key, written = self.picture
        if self.word and (key == "word" or "en" not in self.names.good):
            slug = make_slug(self.word.key)
        else:
            order = [code for code in ("en", *listed, *self.names.good) if code in self.names.good]
            slug = make_slug(self.names.good[order[0]]) if order else ""
        stem = make_slug(PurePosixPath(written).stem) if key == "image" else ""
        return str(self.options.get("id") or slug or stem or written)


def read_symbols(
    nodes: tuple[Node, ...], folder: Path, languages: tuple[str, ...], findings: Findings, manner: Manner | None = None
) -> list[Draft]:
    """A draft for each entry, its words in these languages; a file with hundreds of faults is not read to its end."""
    pictures, drafts = PictureFolder(folder), list[Draft]()
    for node in nodes:
        if len(drafts) >= MOST_SYMBOLS:
            findings.add(node.place, f"more than {MOST_SYMBOLS} symbols", "A deck uses 183 at most.")
            break
        if len(findings.faults) >= MOST_FAULTS:
            findings.add(node.place, "more faults may follow from here", "Mend these first.")
            break
        drafts.append(_read_symbol(node, pictures, languages, findings, manner or Manner()))
    return drafts


def _read_symbol(
    node: Node, pictures: PictureFolder, languages: tuple[str, ...], findings: Findings, manner: Manner
) -> Draft:
    draft = Draft(node.place)
    try:
        if isinstance(node, TextNode):
            draft.is_short = True
            draft.picture = read_entry(node, languages)
        elif isinstance(node, MapNode):
            _read_keys(node, draft, findings, manner)
        else:
            raise Refusal("a symbol cannot be a list", "Start each symbol on a line of its own with a single dash.")
        draft.word = _look_up(draft, languages)
        draft.written = _keep_written(draft, languages)
        draft.source = _make_source(draft, pictures, manner)
        draft.faces = tuple(_make_wanted(face, draft, pictures, manner) for face in draft.options.get("faces", ()))
    except Refusal as refusal:
        findings.add(draft.picture_place or node.place, refusal.what, refusal.hint)
    return draft


def _read_keys(node: MapNode, draft: Draft, findings: Findings, manner: Manner) -> None:
    """Fill the draft from a mapping; languages may stand between the other keys."""
    known = {field.key: field for field in SYMBOLS.fields}
    unknown: list[TextNode] = []
    for key, value in node.entries:
        if key.text == "names":
            draft.names.add_all("names", value, NAME, findings)
        elif key.text in known:
            _read_option(key, value, draft, findings)
        elif key.text.casefold() not in known and find_language(key.text):
            draft.names.add(key, value, NAME, findings)
        else:
            unknown.append(key)
    for key in unknown[:MOST_UNKNOWN]:
        _add_unknown(key, findings)
    _stand_in(draft, manner)
    _check_company(node, draft, bool(unknown), findings)


def _read_option(key: TextNode, node: Node, draft: Draft, findings: Findings) -> None:
    field = SYMBOLS.field(key.text)
    if key.text in PICTURES and draft.picture[0]:
        what = f"{quote(key.text)} stands beside {quote(draft.picture[0])}"
        findings.add(key.place, what, "A symbol has one picture: remove one of them.")
        return
    value = findings.read_field(field, node)
    if key.text in PICTURES:
        draft.picture, draft.picture_place = (key.text, "" if value is None else value), node.place
    elif value is not None:
        draft.options[key.text] = value


def _stand_in(draft: Draft, manner: Manner) -> None:
    """A symbol without a picture may be made of its own faces, or of its names where the theme shows only those."""
    if draft.picture[0]:
        return
    entries = [face for face in draft.options.get("faces", ()) if isinstance(face, FaceEntry)]
    if entries:
        texts = [face.text for face in entries if face.kind == "text"]
        draft.picture = (FACES, texts[0] if texts else entries[0].text)
    elif draft.names.good and not manner.needs_picture:
        draft.picture = (NAMES, next(iter(draft.names.good.values())))


def _add_unknown(key: TextNode, findings: Findings) -> None:
    fields = [field.key for field in SYMBOLS.fields]
    if is_emoji(key.text):
        hint = f"Write {{emoji: {key.text}, en: …}}."
    else:
        meant = language_aliases().get(key.text.casefold(), key.text)
        otherwise = f"Known: {', '.join(fields)}, and languages such as en. A text with a comma needs quotes."
        hint = hint_split(key.text) or suggest(meant, [*fields, *languages()], otherwise)
    findings.add(key.place, f"unknown key {quote(key.text)} in a symbol", hint)


def _check_company(node: MapNode, draft: Draft, has_unknown: bool, findings: Findings) -> None:
    """A symbol needs a picture, and some keys mean something only beside the right one."""
    kind = draft.picture[0]
    if not kind and not has_unknown:  # an unknown key may be the misspelled one
        findings.add(node.place, "this symbol has no picture", "Give it word: …, emoji: …, image: … or text: ….")
    for key, value in node.entries:
        if key.text == FACES and 0 < len(draft.options.get(FACES, ())) < FEWEST_FACES:
            findings.add(value.place, "a symbol has two faces or more", "Add another, or remove the key.")
        needed = ONLY_BESIDE.get(key.text, kind)
        needed = kind if kind == FACES else needed
        if kind and needed != kind:
            findings.add(key.place, f"{quote(key.text)} means something only beside {quote(needed)}", "Remove it.")


def _look_up(draft: Draft, languages: tuple[str, ...]) -> Word | None:
    """What the lexicon has for the picture: a word must be there, an emoji may be."""
    key, written = draft.picture
    if key == "word" and written:
        return find_word(written, languages)
    return find_emoji_word(written) if key in ("emoji", FACES) and written else None


def _keep_written(draft: Draft, languages: tuple[str, ...]) -> dict[str, str]:
    """The name that a word was written as, in its language, where that is one of the theme's."""
    key, text = draft.picture
    found = find_written_name(draft.word, text, languages) if key == "word" and draft.word else None
    return {found[0]: found[1].text} if found else {}


def _make_source(draft: Draft, pictures: PictureFolder, manner: Manner) -> Source | None:
    key, written = draft.picture
    if not written:
        return None
    if key == FACES:
        entries = (face for face in draft.options[FACES] if isinstance(face, FaceEntry))
        return _make_entry(next(entries), draft, pictures, manner)
    if key == NAMES:
        return Text(written, AUTO_COLOR)
    if key == "word":
        return Emoji(draft.word.emoji) if draft.word else None
    if key == "emoji":
        return Emoji(written)
    return _make_entry(FaceEntry("text" if key == "text" else "image", written), draft, pictures, manner)


def _make_entry(entry: FaceEntry, draft: Draft, pictures: PictureFolder, manner: Manner) -> Source:
    """A text or a picture of the theme's own."""
    options = draft.options
    if entry.kind == "emoji":
        return Emoji(entry.text)
    if entry.kind == "text":
        text = print_text(entry.text, manner.notation)
        return Text(text, options.get("color", AUTO_COLOR), options.get("badge", Text.badge))
    SYMBOLS.field("image").kind.read(entry.text)  # the short form has not asked yet
    path, crop = pictures.find(entry.text), options.get("crop", manner.crop)
    return ImageFile(path, options.get("background") == "remove", crop)


def _make_wanted(face: FaceWord | FaceEntry, draft: Draft, pictures: PictureFolder, manner: Manner) -> Wanted:
    if isinstance(face, FaceEntry):
        return _make_entry(face, draft, pictures, manner)
    if face.has_picture and draft.picture[0] in (FACES, NAMES):
        raise Refusal(f"the face {quote(str(face))} needs a picture", "Add word: …, emoji: … or image: ….")
    return face


def finish_symbol(
    draft: Draft, listed: tuple[str, ...], rotation: Rotation | None, spoken: tuple[str, ...] = ()
) -> Symbol | None:
    """The symbol of a draft, with its text as its name where none is given; None without a good picture.

    `spoken` are languages of faces: their names are there as well, where they are known.
    """
    if draft.source is None:
        return None
    names = draft.names_in(dict.fromkeys((*listed, *spoken)))
    if draft.picture[0] in ("text", FACES) and (name := _name_text(draft)):
        names = dict.fromkeys(listed, name) | names
    turn = draft.options.get("rotation") or rotation or _find_rotation(draft)
    scale = float(draft.options.get("scale", 1.0))
    own_id, known = draft.make_id(listed), _find_names(draft.word, names)
    full_names = names | {code: name.full for code, name in known.items()}
    synonyms = {code: _list_others(draft.word, code, name) for code, name in known.items()}
    return Symbol(own_id, names, draft.source, turn, scale, draft.place, full_names, synonyms)


def _find_names(word: Word | None, names: Mapping[str, str]) -> dict[str, Name]:
    """What the lexicon knows about these names; nothing about those that are the theme's own."""
    found = {code: word.find_name(code, text) for code, text in names.items()} if word else {}
    return {code: name for code, name in found.items() if name}


def _list_others(word: Word | None, code: str, chosen: Name) -> tuple[str, ...]:
    """What else players may shout; one text with two articles counts once."""
    known = [name.text for name in word.names[code].all] if word else []
    return tuple(text for text in dict.fromkeys(known) if text != chosen.text)


def _name_text(draft: Draft) -> str:
    """A text is its own name; several that mean the same are all of it, sums with an equals sign."""
    texts = [face.text for face in (*draft.faces, draft.source) if isinstance(face, Text)]
    texts = list(dict.fromkeys(texts))
    is_sum = all(any(char.isnumeric() for char in text) for text in texts)
    return (" = " if is_sum else " / ").join(texts)


def _find_rotation(draft: Draft) -> Rotation:
    """As the most cautious of its own faces likes to lie."""
    sources = [face for face in (draft.source, *draft.faces) if face and not isinstance(face, FaceWord)]
    turns = set(map(find_natural_rotation, sources))
    return next(turn for turn in get_args(Rotation)[::-1] if turn in turns)
