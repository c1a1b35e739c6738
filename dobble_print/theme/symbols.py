"""The list of symbols: what each entry stands for, its names by language, and that no two are alike.

Invariant: an entry that is no emoji, picture file, text or word is refused here, with what was probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, get_args

from dobble_print.errors import InvalidValue, Place
from dobble_print.messages import (
    CURLY_QUOTES,
    STRAIGHT_QUOTES,
    begins_curly,
    clip,
    hint_space,
    list_words,
    name_one,
    point_at,
    quote,
    suggest,
)
from dobble_print.theme.faces import AUTO_COLOR, Wanted, find_natural_rotation
from dobble_print.theme.kinds import FaceEntry, FaceWord
from dobble_print.theme.model import ALL_LANGUAGES, Drawing, Emoji, ImageFile, Source, Symbol, Text
from dobble_print.theme.options import KEPT, NAME, SYMBOLS, Crop, Rotation, SymbolOptions
from dobble_print.theme.pictures import PictureFolder, is_picture
from dobble_print.theme.source import MapNode, Node, TextNode
from dobble_print.theme.values import (
    MOST_UNKNOWN,
    FaultCollector,
    Names,
    find_alike,
    hint_split,
    make_slug,
    refuse_curly_quotes,
)
from dobble_print.words.languages import find_language, language_aliases, language_name, languages, order_of_language
from dobble_print.words.lexicon import REGIONAL, Name, Word, find_emoji_word
from dobble_print.words.near import hint_unknown, name_unknown
from dobble_print.words.reading import (
    UnknownWord,
    choose_picture,
    find_word,
    find_written_name,
    order_reading,
    split_words,
)
from dobble_print.words.writing import is_emoji, set_apostrophes, starts_with_emoji, strip_variants, write_numbers

# A sum, a number or a single letter: something to print, not a thing with a picture.
_FOR_PRINT = re.compile(r"(?:[\W\d_]|(?<![^\W\d_])x(?![^\W\d_]))+|.")


def read_entry(node: TextNode, languages: tuple[str, ...]) -> tuple[str, str]:
    """Return the kind of picture and its text; raise `InvalidValue`."""
    word = node.text if is_picture(node.text) else node.text.strip()
    if node.empty or not word:
        comment = f" Everything after # is a comment: write {quote(node.comment.split()[0])}." if node.comment else ""
        hint = f"Write a word, an emoji or the path of a picture after the dash.{comment}"
        raise InvalidValue("this symbol is empty", hint)
    _refuse_touching(node)
    if is_emoji(word):
        return "emoji", word
    refuse_curly_quotes(word, node)
    if is_picture(word):
        return "image", word
    if starts_with_emoji(word):
        raise InvalidValue(f"{quote(word)} is more than one emoji", "Give each symbol a line of its own.")
    if _FOR_PRINT.fullmatch(word):
        hint = f'Write {{text: "{clip(word)}"}} to print it.'
        raise InvalidValue(f"{quote(word)} is no word, emoji or picture", hint)
    if "/" in word or "\\" in word:
        return "image", word
    _refuse_several(node, word, languages)
    return "word", word


def _refuse_touching(node: TextNode) -> None:
    """Refuse a key that touches its value: `- image:art/cat.png` is a text to YAML."""
    key, _, value = node.text.partition(":")
    if value and not node.quoted and (key in SYMBOLS.keys or find_language(key)):
        raise InvalidValue(f"no space stands after the colon of {quote(key)}", hint_space(key, value))


def _refuse_several(node: TextNode, word: str, languages: tuple[str, ...]) -> None:
    """Refuse two symbols in one: YAML joins a line to the one above when its dash stands too far to the right."""
    first, dash, rest = word.partition(" - ")
    if dash and not node.quoted:
        if node.is_folded:
            hint = f"Put the dash before {quote(rest.partition(' - ')[0])} right below the one above."
            raise InvalidValue(f"below {quote(first)} stands a dash too far to the right", hint)
        raise InvalidValue("several symbols stand here", "Give each symbol a line of its own.")
    if "," in word and not node.quoted:
        raise InvalidValue("several symbols stand here", "Give each a line of its own, or put the whole list in [ ].")
    known = split_words(word, languages)
    if len(known) > 1:
        missing = "a dash" if node.is_folded else "a comma"
        hint = f"Is {missing} missing between {quote(known[0])} and {quote(known[1])}?"
        raise InvalidValue(f"there is no word {quote(word)}", hint)


FEWEST_SYMBOLS, MOST_SYMBOLS = 6, 1000
MOST_FAULTS = 200
PICTURES = ("word", "emoji", "image", "text")
FACES, NAMES = "faces", "names"  # what stands in for a picture where there is none
ONLY_BESIDE = {"picture": "word", "background": "image", "crop": "image", "color": "text", "badge": "text"}


@dataclass(frozen=True)
class SymbolDefaults:
    """What holds for all symbols of a theme: where their pictures lie, and the languages of their words.

    Also how photos are trimmed, whether names alone make no symbol, and the language whose way of writing numbers is
    printed, if any.
    """

    pictures: PictureFolder
    languages: tuple[str, ...] = ()
    crop: Crop = "none"
    needs_picture: bool = True
    notation: str = ""


@dataclass
class Draft:
    """A symbol as far as it could be read; `picture` is the key and text of its picture, as written.

    `names` are those of the theme, `own_name` one that it gives for all languages; `word` is what the lexicon has for
    the picture, which names it in other languages; `written` is the name in the language in which the word was written;
    `is_unknown` says that its word has no picture.
    """

    place: Place
    picture: tuple[str, str] = ("", "")
    picture_place: Place | None = None
    source: Source | None = None
    word: Word | None = None
    written: dict[str, str] = field(default_factory=dict)
    faces: tuple[Wanted, ...] = ()
    names: Names = field(default_factory=Names)
    own_name: str = ""
    options: SymbolOptions = field(default_factory=SymbolOptions)
    is_short: bool = False
    is_unknown: bool = False

    @property
    def languages(self) -> set[str]:
        """The languages in which the symbol has a name, be it a faulty one."""
        return self.names.tried | set(self.word.names if self.word else ())

    def names_in(self, listed: Iterable[str]) -> dict[str, str]:
        """Return the names in these languages as far as there are any, and all that the theme gives."""
        known = {code: name.text for code, name in self.word.names.items()} if self.word else {}
        codes = (*listed, *self.names.good) or (ALL_LANGUAGES,)
        for_all = dict.fromkeys(codes, self.own_name) if self.own_name else {}
        named = known | self.written | for_all | self.names.good
        return {code: named[code] for code in codes if code in named}

    def make_id(self, listed: tuple[str, ...]) -> str:
        """Return the id given, or make one of the word, the English name, another name, the file, text or emoji."""
        key, written = self.picture
        if self.word and (key == "word" or "en" not in self.names.good):
            slug = make_slug(self.word.key)
        else:
            order = [code for code in ("en", *listed, *self.names.good) if code in self.names.good]
            slug = make_slug(self.names.good[order[0]] if order else self.own_name)
        stem = make_slug(PurePosixPath(written).stem) if key == "image" else ""
        return self.options.id or slug or stem or written


def read_symbols(nodes: Iterable[Node], defaults: SymbolDefaults, collector: FaultCollector) -> list[Draft]:
    """Return a draft for each entry; stop at hundreds of faults."""
    drafts = list[Draft]()
    for node in nodes:
        if len(drafts) >= MOST_SYMBOLS:
            collector.add(node.place, f"more than {MOST_SYMBOLS} symbols", "A deck uses 183 at most.")
            break
        if len(collector.faults) >= MOST_FAULTS:
            collector.add(node.place, "more faults may follow from here", "Mend these first.")
            break
        drafts.append(_read_symbol(node, defaults, collector))
    _refuse_unknown(drafts, defaults.languages, collector)
    return drafts


def _read_symbol(node: Node, defaults: SymbolDefaults, collector: FaultCollector) -> Draft:
    draft = Draft(node.place)
    try:
        if isinstance(node, TextNode):
            draft.is_short = True
            draft.picture = read_entry(node, defaults.languages)
        elif isinstance(node, MapNode):
            _read_keys(node, draft, collector, defaults)
        else:
            hint = "Start each symbol on a line of its own with a single dash."
            raise InvalidValue("a symbol cannot be a list", hint)
        _look_up(draft, defaults.languages)
        draft.source = _make_source(draft, defaults)
        draft.faces = tuple(_make_wanted(face, draft, defaults) for face in draft.options.faces)
    except UnknownWord:
        draft.is_unknown = True
    except InvalidValue as refusal:
        collector.add(draft.picture_place or node.place, refusal.what, refusal.hint)
    return draft


def _refuse_unknown(drafts: list[Draft], languages: tuple[str, ...], collector: FaultCollector) -> None:
    """Name all unknown words at once, and what they may mean."""
    places = {draft.picture[1]: draft.picture_place or draft.place for draft in drafts if draft.is_unknown}
    if not places:
        return
    (text, first), *_ = places.items()
    what = f"there is no word {quote(text)}"
    if len(places) > 1:
        lines = {each: "" if place.line == first.line else f"on line {place.line}" for each, place in places.items()}
        what = f"{len(places)} words are unknown: {name_unknown(lines)}"
    groups = {draft.word.group for draft in drafts if draft.word}
    offer = _offer_pictures(text, next(iter(languages), "en"))
    collector.add(first, what, hint_unknown(list(places), order_reading(languages), groups, offer))


def _offer_pictures(text: str, code: str) -> str:
    """Return how to do without the lexicon."""
    shown = clip(text) if re.fullmatch(r"\w[\w ]*", text) else f'"{clip(text)}"'
    own = f"{{emoji: …, {code}: {shown}}} or {{image: …, {code}: {shown}}}"
    known = "`dobble-print list words` shows those that have one"
    return f"Print a word as a text, {{text: {shown}}}, or give it a picture: {own}; {known}."


def _read_keys(node: MapNode, draft: Draft, collector: FaultCollector, defaults: SymbolDefaults) -> None:
    """Fill the draft from a mapping; languages may stand between the other keys."""
    known, unknown, options = SYMBOLS.keys, list[TextNode](), dict[str, Any]()
    for key, value in node.entries:
        if key.text == "names" and isinstance(value, TextNode):
            draft.own_name = collector.read("names", NAME, value) or ""
        elif key.text == "names":
            draft.names.add_all("names", value, NAME, collector)
        elif key.text in known:
            options |= _read_option(key, value, draft, collector)
        elif key.text.casefold() not in known and find_language(key.text):
            draft.names.add(key, value, NAME, collector)
        else:
            unknown.append(key)
    for key in unknown[:MOST_UNKNOWN]:
        _add_unknown(key, collector)
    draft.options = SymbolOptions(**options)
    _use_faces_as_picture(draft, defaults)
    _check_key_combinations(node, draft, bool(unknown), collector)


def _read_option(key: TextNode, node: Node, draft: Draft, collector: FaultCollector) -> dict[str, Any]:
    """Return a key with its value, or nothing; the draft gets the one that is its picture."""
    if key.text in PICTURES and draft.picture[0]:
        what = f"{quote(key.text)} stands beside {quote(draft.picture[0])}"
        collector.add(key.place, what, "A symbol has one picture: remove one of them.")
        return {}
    value = collector.read_field(SYMBOLS.field(key.text), node)
    if key.text in PICTURES:
        draft.picture, draft.picture_place = (key.text, "" if value is None else value), node.place
        return {}
    return {} if value is None else {key.text: value}


def _use_faces_as_picture(draft: Draft, defaults: SymbolDefaults) -> None:
    """Make a picture of a symbol's own faces where it has none, or of its names where the theme shows only those."""
    if draft.picture[0]:
        return
    entries = [face for face in draft.options.faces if isinstance(face, FaceEntry)]
    if entries:
        draft.picture = (FACES, next((face.text for face in entries if face.kind == "text"), entries[0].text))
    elif (names := [*draft.names.good.values(), draft.own_name][0]) and not defaults.needs_picture:
        draft.picture = (NAMES, names)


def _add_unknown(key: TextNode, collector: FaultCollector) -> None:
    if not key.quoted and begins_curly(key.text):
        collector.add(key.place, f"{quote(f'{key.text}:')} {CURLY_QUOTES}", STRAIGHT_QUOTES)
        return
    if is_emoji(key.text):
        hint = f"Write {{emoji: {key.text}, en: …}}."
    else:
        meant = language_aliases().get(key.text.casefold(), key.text)
        otherwise = f"Known: {', '.join(SYMBOLS.keys)}, and languages such as en. A text with a comma needs quotes."
        hint = hint_split(key.text) or suggest(meant, [*SYMBOLS.keys, *languages()], otherwise)
    collector.add(key.place, f"unknown key {quote(key.text)} in a symbol", hint)


def _check_key_combinations(node: MapNode, draft: Draft, has_unknown: bool, collector: FaultCollector) -> None:
    """Check that a symbol has a picture, and that its other keys mean something beside it."""
    kind = draft.picture[0]
    if not kind and not has_unknown:  # an unknown key may be the misspelled one
        collector.add(node.place, "this symbol has no picture", "Give it word: …, emoji: …, image: … or text: ….")
    for key, value in node.entries:
        if key.text == FACES and len(draft.options.faces) == 1:
            collector.add(value.place, "a symbol has two faces or more", "Add another, or remove the key.")
        needed = kind if kind == FACES else ONLY_BESIDE.get(key.text, kind)
        if kind and needed != kind:
            collector.add(key.place, f"{quote(key.text)} means something only beside {quote(needed)}", "Remove it.")


def _look_up(draft: Draft, languages: tuple[str, ...]) -> None:
    """Find what the lexicon has for the picture: a word must be there, an emoji may be."""
    key, written = draft.picture
    if key == "word" and written:
        picture = draft.options.picture
        draft.word = choose_picture(written, picture, languages) if picture else find_word(written, languages)
        found = find_written_name(draft.word, written, languages)
        draft.written = {found[0]: found[1].text} if found else {}
    elif key in ("emoji", FACES) and written:
        draft.word = find_emoji_word(written)


def _make_source(draft: Draft, defaults: SymbolDefaults) -> Source | None:
    key, written = draft.picture
    if not written:
        return None
    if key == FACES:
        entries = (face for face in draft.options.faces if isinstance(face, FaceEntry))
        return _make_entry(next(entries), draft, defaults)
    if key == NAMES:
        return Text(written, AUTO_COLOR)
    if key == "word":
        return show_word(draft.word) if draft.word else None
    if key == "emoji":
        return Emoji(written)
    return _make_entry(FaceEntry("text" if key == "text" else "image", written), draft, defaults)


def show_word(word: Word) -> Emoji | Drawing:
    """Return the picture of a word."""
    return Drawing(word.drawing) if word.drawing else Emoji(word.emoji)


def _make_entry(entry: FaceEntry, draft: Draft, defaults: SymbolDefaults) -> Source:
    """Return a text or a picture of the theme's own."""
    options = draft.options
    if entry.kind == "emoji":
        return Emoji(entry.text)
    if entry.kind == "text":
        text = set_apostrophes(write_numbers(entry.text, defaults.notation))
        return Text(text, options.color or AUTO_COLOR, options.badge)
    SYMBOLS.field("image").kind.read(entry.text)  # the short form has not asked yet
    path, crop = defaults.pictures.find(entry.text), options.crop or defaults.crop
    return ImageFile(path, options.background == "remove", crop)


def _make_wanted(face: FaceWord | FaceEntry, draft: Draft, defaults: SymbolDefaults) -> Wanted:
    if isinstance(face, FaceEntry):
        return _make_entry(face, draft, defaults)
    if face.has_picture and draft.picture[0] in (FACES, NAMES):
        raise InvalidValue(f"the face {quote(str(face))} needs a picture", "Add word: …, emoji: … or image: ….")
    return face


def finish_symbol(
    draft: Draft, listed: tuple[str, ...], rotation: Rotation | None, spoken: tuple[str, ...] = ()
) -> Symbol | None:
    """Return the symbol of a draft, with its text as its name where none is given; None without a good picture.

    `spoken` are languages of faces: their names are there as well, where they are known.
    """
    if draft.source is None:
        return None
    names = draft.names_in(dict.fromkeys((*listed, *spoken)))
    if draft.picture[0] in ("text", FACES) and (name := _name_text(draft)):
        names = dict.fromkeys(listed, name) | names
    turn = draft.options.rotation or rotation or _find_rotation(draft)
    word = draft.word  # which knows nothing about names that are the theme's own
    known = {code: found for code, text in names.items() if word and (found := word.find_name(code, text))}
    full_names = names | {code: found.full for code, found in known.items()}
    synonyms = {code: _list_others(word.names[code], found) for code, found in known.items()} if word else {}
    own_id, scale = draft.make_id(listed), draft.options.scale
    written = draft.picture[1] if draft.picture[0] == "word" and not draft.options.picture else ""
    return Symbol(
        own_id,
        names,
        draft.source,
        turn,
        scale,
        draft.place,
        full_names,
        synonyms,
        word=written,
        filled=draft.options.filled,
        keep=KEPT in draft.options.keep,
    )


def _list_others(names: Name, chosen: Name) -> tuple[str, ...]:
    """Return what else players may shout; one text with two articles counts once."""
    return tuple(text for text in dict.fromkeys(name.text for name in names.printed) if text != chosen.text)


def _name_text(draft: Draft) -> str:
    """Name a text by itself; several that mean the same are all of it, sums with an equals sign."""
    texts = list(dict.fromkeys(face.text for face in (*draft.faces, draft.source) if isinstance(face, Text)))
    is_sum = all(any(char.isnumeric() for char in text) for text in texts)
    return (" = " if is_sum else " / ").join(texts)


def _find_rotation(draft: Draft) -> Rotation:
    """Return how the most cautious of its own faces likes to lie."""
    sources = [face for face in (draft.source, *draft.faces) if face and not isinstance(face, FaceWord)]
    turns = set(map(find_natural_rotation, sources))
    return next(turn for turn in get_args(Rotation)[::-1] if turn in turns)


_TWO_ANSWERS = "The deck would have two right answers: remove or change one."


def derive_languages(drafts: list[Draft], titled: Set[str] | None) -> tuple[str, ...]:
    """Return the languages in which every symbol that has names is named.

    Where the theme writes all the names itself, those that the lexicon could add are not asked for; nor are those
    for which the theme has no title, when its titles go by language.
    """
    named = [draft.languages for draft in drafts if draft.languages]
    if all(draft.names.tried and draft.picture[0] != "word" for draft in drafts if draft.languages):
        named = [draft.names.tried for draft in drafts if draft.languages]
    elif titled is not None:
        named.append(set(titled))
    common = set.intersection(*named) if named else set()
    return tuple(sorted(common - set(REGIONAL), key=order_of_language))


def check_names(drafts: list[Draft], listed: Mapping[str, Place | None], collector: FaultCollector) -> None:
    """Check that every symbol (but a text, which names itself) has a name in each listed language.

    A language that no symbol has is one fault where it is listed, not one a symbol.
    """
    for draft in drafts:
        draft.names.adopt(code for code in listed if code not in draft.languages)
    needy = [draft for draft in drafts if _needs_names(draft)]
    absent = [code for code in listed if len(needy) > 1 and all(code not in draft.languages for draft in needy)]
    for code in absent:
        place = listed[code] or needy[0].place
        hint = f"Add {_show_keys([code])} to each symbol or {_give_up([code], listed)}."
        collector.add(place, f"no symbol has {name_one(language_name(code))} name", hint)
    for draft in needy:
        missing = [code for code in listed if code not in absent and code not in draft.languages]
        if missing:
            key, written = draft.picture
            add = f"Add {_show_keys(missing)}"
            if draft.is_short and written:
                add = f"Write {{{key}: {clip(written)}, {_show_keys(missing)[1:-1]}}}"
            label = draft.make_id(tuple(listed))
            who = f"symbol {quote(label)}" if label else "this symbol"
            what = f"{who} has no {list_words(map(language_name, missing))} name"
            collector.add(draft.place, what, f"{add} or {_give_up(missing, listed)}.")


def _needs_names(draft: Draft) -> bool:
    """Return whether names are due: a text names itself, an unknown word has its fault already."""
    key = draft.picture[0]
    return (
        not draft.own_name
        and key not in ("text", FACES)
        and (draft.source is not None or not (draft.is_short or key == "word"))
    )


def _show_keys(codes: list[str]) -> str:
    """Return the keys to add; beside a picture, `id` is the symbol's id, not Indonesian."""
    keys = ", ".join(f"{code}: …" for code in codes)
    return f'"names: {{{keys}}}"' if "id" in codes else f'"{keys}"'


def _give_up(codes: list[str], listed: Mapping[str, Place | None]) -> str:
    """Return how to do without these languages: where the theme lists them, or on the command line."""
    if listed[codes[0]] is None:
        return f"leave out {list_words([f'--lang {code}' for code in codes], 'and')}"
    return f"remove {list_words(codes, 'and')} from languages"


def check_distinct(drafts: list[Draft], listed: tuple[str, ...], collector: FaultCollector) -> None:
    """Refuse two symbols with one picture, one name in a language or one id; of several, the first is reported.

    The later one loses its picture, so that no later stage finds the two alike again.
    """
    _settle_ids(drafts, listed)
    for draft, first, (words, hint) in find_alike(drafts, lambda draft: _list_traits(draft, listed)):
        name = next(iter(first.names.good.values()), first.picture[1])  # as its author knows it
        twin = point_at(name, first.place.line, draft.place.line)
        collector.add(draft.place, f"this symbol has the same {words} as {twin}", hint)
        draft.source = None


def _settle_ids(drafts: Iterable[Draft], listed: tuple[str, ...]) -> None:
    """Let an id that nobody wrote give way: beside 🐱, which is "cat", the text cat is "text-cat"."""
    taken: set[str] = set()
    for draft in drafts:
        own_id = draft.make_id(listed)
        if own_id in taken and not draft.options.id and not draft.names.tried:
            draft.options = replace(draft.options, id=f"{draft.picture[0]}-{own_id}")
        if draft.source or draft.options.id:
            taken.add(draft.make_id(listed))


def _list_traits(draft: Draft, listed: tuple[str, ...]) -> Iterator[tuple[Hashable, tuple[str, str]]]:
    """Yield what no two symbols may share, the weightiest first: the trait, and words for it with a hint."""
    if draft.source and draft.picture[0] not in (FACES, NAMES):  # those are compared face by face
        yield ("picture", _picture_of(draft.source)), ("picture", _TWO_ANSWERS)
    for code, name in draft.names_in(listed).items():
        yield (code, name.casefold()), (f"{language_name(code)} name {quote(name)}".lstrip(), _TWO_ANSWERS)
    if draft.source or draft.options.id:
        own_id = draft.make_id(listed)
        yield own_id, (f"id {quote(own_id)}", "Give one of them another: id: ….")


def _picture_of(source: Source) -> str:
    """Return what makes two pictures the same one."""
    if isinstance(source, ImageFile):
        return str(source.path)
    if isinstance(source, Emoji):
        return strip_variants(source.char)
    if isinstance(source, Drawing):
        return f"drawing {source.name}"
    assert isinstance(source, Text)  # a captioned picture is made of a symbol, never read as one
    return f"text {source.text}"
