"""Reading a theme: find its file, read its options, read its symbols, and put both together with the rest.

Invariant: every fault of a file is found in one reading; what is good is kept, so that one fault hides no other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os.path import isdir, isfile
from pathlib import Path
from typing import Any

from dobble_print.errors import Fault, InvalidValue, Place, ThemeError, UsageError
from dobble_print.files import make_file_name
from dobble_print.messages import find_closest, list_words, quote, show, suggest
from dobble_print.resources import THEME_ENDINGS, THEME_FILE, shipped_themes
from dobble_print.theme.faces import FaceStyle, add_faces, check_faces, choose_art, list_face_languages, read_face_style
from dobble_print.theme.filling import ANY_GROUP, check_group, explain_shortage, fill_symbols
from dobble_print.theme.kinds import LANGUAGE, ColorKind
from dobble_print.theme.model import ALL_LANGUAGES, Emoji, Symbol, Theme
from dobble_print.theme.options import (
    ART,
    ARTICLE,
    CROP,
    FACES_BY,
    FILL,
    ID,
    LABELS,
    LANGUAGES,
    LEGEND_ORDER,
    NAME,
    NOTATION,
    NOTES,
    PARAGRAPH,
    PROFILE,
    PURPOSE,
    SECTIONS,
    SPECIALS,
    SYMBOLS,
    TEAM_COLORS,
    TEAMS,
    THEME,
    TITLE,
    FacesBy,
    Field,
    Special,
    Team,
    TeamOptions,
)
from dobble_print.theme.pictures import PICTURE_ENDINGS, PictureFolder
from dobble_print.theme.profiles import ANY, Profile, find_own_profile, load_profile, read_profile
from dobble_print.theme.source import MapNode, Node, TextNode, parse_tree, read_tree
from dobble_print.theme.symbols import (
    FEWEST_SYMBOLS,
    Draft,
    SymbolDefaults,
    check_distinct,
    check_names,
    derive_languages,
    finish_symbol,
    read_symbols,
)
from dobble_print.theme.values import (
    MOST_UNKNOWN,
    FaultCollector,
    Names,
    Values,
    find_alike,
    hint_touching,
    make_title,
    merge_values,
    read_sections,
)
from dobble_print.words.languages import find_language, language_name
from dobble_print.words.lexicon import ARTICLES

LIST_ENDINGS = (".csv", ".tsv", ".xlsx", ".xls", ".ods")
_MOST_FOLDERS = 200


def _refuse_list(path: Path) -> None:
    """Say what to do with a file that something can be made of, but that is no theme."""
    if path.suffix.lower() in LIST_ENDINGS:
        hint = f"Type: dobble-print new {show(path.stem)} --from {show(str(path))}"
        raise UsageError(Fault(f"{show(path.name)} is a list, not a theme", hint))
    if path.suffix.lower() in (*PICTURE_ENDINGS, ".gif"):
        hint = f"A folder of pictures becomes one: dobble-print new NAME --from {show(str(path.parent))}"
        raise UsageError(Fault(f"{show(path.name)} is a picture, not a theme", hint))


def find_theme(name_or_path: str) -> Path:
    """Return the theme file meant by a path, by a folder that holds `theme.yaml`, or by the name of a shipped theme."""
    path, shipped = Path(name_or_path), shipped_themes()
    if isfile(path):  # false, unlike Path.is_file, also for a name that no file can have
        _refuse_list(path)
        return path
    if isfile(path / THEME_FILE):
        return path / THEME_FILE
    if name_or_path in shipped:
        return shipped[name_or_path]
    if isdir(path):
        files = _theme_files(path)
        hint = f"It does hold {list_words(map(show, files[:5]), 'and')}." if files else _hint_ending(path)
        raise UsageError(Fault(f"the folder {quote(name_or_path)} holds no {THEME_FILE}", hint))
    raise UsageError(Fault(f"there is no theme {quote(name_or_path)}", _hint_theme(path, shipped)))


def _list_folders(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if isdir(path))[:_MOST_FOLDERS]
    except (OSError, ValueError):
        return []


def _hint_ending(folder: Path) -> str:
    """Suggest to rename what an editor saved with one ending too many, such as theme.yaml.txt."""
    written = next((name for name in _OTHER_ENDINGS if isfile(folder / name)), "")
    return f"Rename {folder / written} to {THEME_FILE}." if written else "Give it the theme file itself."


def _theme_files(folder: Path) -> list[str]:
    try:
        return sorted(str(path) for path in folder.iterdir() if path.suffix in THEME_ENDINGS)
    except (OSError, ValueError):
        return []


def _hint_theme(path: Path, shipped: dict[str, Path]) -> str:
    """Suggest the theme that was meant, by its name alone: a folder in common makes two paths no more alike."""
    if path.name.isdigit():
        return "Several cards are written without blanks: --only 17,23."
    folders = (*_list_folders(path.parent), path.parent)
    near = {Path(file).stem: file for folder in folders for file in _theme_files(folder)}
    closest = find_closest(path.stem if path.suffix.lower() in THEME_ENDINGS else path.name, [*near, *shipped])
    if closest:
        return f'Did you mean "{show(near.get(closest, closest))}"?'
    known = f" or one of the shipped themes: {', '.join(shipped)}" if shipped else ""
    return f"Give the path of a theme file{known}."


def _read_faces_by(file: _ThemeFile, symbols: Sequence[Symbol]) -> FacesBy:
    """Return whether a slot or the card decides the face; parts of a deck need as many faces for every symbol."""
    node, collector = file.top.get(FACES_BY.key), file.collector
    if node is None or file.read(FACES_BY) != "card":
        return "slot"
    counts = sorted({len(symbol.faces) for symbol in symbols})
    if counts in ([], [1]):
        what = "faces_by: card needs symbols with two faces or more"
        collector.add(node.place, what, "Add faces: [picture, word:en].")
    elif len(counts) > 1:
        few = next(symbol for symbol in symbols if len(symbol.faces) == counts[0])
        what = f"faces_by: card needs as many faces for every symbol; this one has {counts[0]}, others {counts[-1]}"
        collector.add(few.place, what, "Give all of them as many, or use faces_by: slot.")
    for key in [key for key in ("teams", "deck.levels") if key in file.places]:
        what = f"faces_by: card stands beside {key.rpartition('.')[2]}; both would colour the rims"
        collector.add(node.place, what, "Remove one of them.")
    return "card" if len(counts) == 1 and counts[0] > 1 else "slot"


def read_teams(node: Node | None, listed: tuple[str, ...], collector: FaultCollector) -> TeamOptions | None:
    """Return the teams of a theme; None when it has none, or none that could be dealt to."""
    values = collector.read_section(TEAMS, node)
    colors = node.get("colors") if isinstance(node, MapNode) else None
    if colors is None:
        return None
    items = collector.read_entries(TEAM_COLORS, colors)
    read = [(item.place, _read_team(item, listed, collector)) for item in items]
    teams = [(place, team) for place, team in read if team]
    _check_teams(teams, collector)
    return TeamOptions(tuple(team for _, team in teams), **values) if teams and "cards_each" in values else None


def _read_team(node: Node, listed: tuple[str, ...], collector: FaultCollector) -> Team | None:
    """Read a team: a colour, which has keys for its names beside it when the theme has languages."""
    names = Names()
    if isinstance(node, TextNode):
        color = collector.read(TEAM_COLORS.key, ColorKind(), node)
    else:
        color = collector.read_section(TEAM_COLORS, node).get("color")
    for key, value in node.entries if isinstance(node, MapNode) else ():
        if find_language(key.text):
            names.add(key, value, NAME, collector)
    names.demand("the name of this team", listed, node.place, collector)
    return Team(color, names.good) if color else None


def _check_teams(teams: list[tuple[Place, Team]], collector: FaultCollector) -> None:
    """Refuse two teams of one colour or of one name."""

    def list_traits(item: tuple[Place, Team]) -> Iterator[tuple[Hashable, str]]:
        yield ("", item[1].color), f"colour {quote(item[1].color)}"
        for code, name in item[1].names.items():
            yield (code, name.casefold()), f"{language_name(code)} name {quote(name)}"

    for (place, _), _, words in find_alike(teams, list_traits):
        collector.add(place, f"two teams have the {words}", "Change one.")


def read_specials(
    node: Node | None, ids: Sequence[str], listed: tuple[str, ...], collector: FaultCollector
) -> tuple[Special, ...]:
    """Return the symbols with a rule of their own; each must be one of the theme's symbols, and have one rule."""
    specials: dict[str, Special] = {}
    for item in collector.read_entries(SPECIALS, node):
        special = _read_special(item, ids, listed, collector)
        if special and special.symbol in specials:
            collector.add(item.place, f"{quote(special.symbol)} has two rules", "Write them as one.")
        elif special:
            specials[special.symbol] = special
    return tuple(specials.values())


def _read_special(node: Node, ids: Sequence[str], listed: tuple[str, ...], collector: FaultCollector) -> Special | None:
    if not isinstance(node, MapNode):
        collector.add(node.place, "a special symbol has keys of its own", "Write {symbol: …, rule: …}.")
        return None
    nodes = {field.key: value for field, value in collector.entries(SPECIALS, node)}
    symbol = collector.read("symbol", ID, nodes.get("symbol"))
    rule = _read_rule(nodes.get("rule"), listed, collector)
    if symbol and symbol not in ids:
        hint = suggest(symbol, ids, "Give the id of one of the symbols.")
        collector.add(nodes["symbol"].place, f"there is no symbol {quote(symbol)}", hint)
        return None
    return Special(symbol, rule) if symbol and rule else None


def _read_rule(node: Node | None, listed: tuple[str, ...], collector: FaultCollector) -> dict[str, str]:
    """Read a text, or texts by language; one text in place of languages serves them all."""
    if not isinstance(node, MapNode):
        text = collector.read("rule", PARAGRAPH, node)
        return {ALL_LANGUAGES: text} if text else {}
    texts = Names()
    texts.add_all("rule", node, PARAGRAPH, collector)
    texts.demand("the rule", listed, node.place, collector, ", or give one text for all")
    return texts.good


def read_notes(field: Field, node: Node | None, collector: FaultCollector) -> dict[str, tuple[str, ...]]:
    """Read a text, a list of texts, or either by language."""
    if node is None:
        return {}
    if not isinstance(node, MapNode):
        return {ALL_LANGUAGES: collector.read_values(field, node)}
    notes: dict[str, tuple[str, ...]] = {}
    for key, value in node.entries:
        language = find_language(key.text)
        if language is None:
            collector.read(field.key, LANGUAGE, key)  # which refuses it, in the words used for every language
        elif language.code in notes:
            collector.add(key.place, f"the {language.name} {field.key} stand here twice", "Remove one.")
        else:
            notes[language.code] = collector.read_values(field, value)
    return notes


MOST_LANGUAGES = 100
_OTHER_ENDINGS = tuple(f"{THEME_FILE}{ending}" for ending in (".txt", ".rtf", ".doc", ".docx", ".yaml", ".yml"))


@dataclass(frozen=True)
class Overrides:
    """What counts more than what the theme says: values by section, languages, and the name of a profile."""

    values: Values = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    profile: str | None = None


NO_OVERRIDES = Overrides()


def read_theme(path: Path, overrides: Overrides = NO_OVERRIDES, text: str | None = None) -> Theme:
    """Return the theme of a file; raise `ThemeError` with every fault, `UsageError` for an impossible override."""
    theme, faults = examine_theme(path, overrides, text)
    ThemeError.raise_any(faults)
    return theme


def examine_theme(
    path: Path, overrides: Overrides = NO_OVERRIDES, text: str | None = None
) -> tuple[Theme, list[Fault]]:
    """Return the good parts of a theme and every fault, in reading order; raise only for an impossible override.

    `text` stands in for what the file holds, where that is not written yet.
    """
    asked_profile = load_profile(overrides.profile) if overrides.profile else None
    shown, collector = show_path(path), FaultCollector()
    try:
        tree, collector.faults = read_tree(path, shown) if text is None else parse_tree(text, shown)
        top = _read_top(tree, collector)
    except ThemeError as error:
        top = None
        collector.faults += error.faults
    file = _ThemeFile(path, shown, top or {}, collector)
    theme = _read_symbols(file, _read_options(file, overrides.values, asked_profile), overrides.languages)
    if top is None:
        return theme, collector.faults[:1]
    return theme, sorted(dict.fromkeys(collector.faults), key=lambda fault: fault.place or Place(shown, 0, 0))


def show_path(path: Path) -> str:
    """Return the path as a person in the current folder would write it, with a sign for what cannot be seen."""
    try:
        return show(path.absolute().relative_to(Path.cwd()).as_posix())
    except (ValueError, OSError):
        return show(str(path))


def _read_top(tree: Node, collector: FaultCollector) -> dict[str, Node]:
    """Return the nodes of the theme's own keys."""
    if not isinstance(tree, MapNode):
        hint = isinstance(tree, TextNode) and hint_touching(tree.text)
        hint = hint or 'Write "symbols:" on a line of its own above the list.'
        raise ThemeError(Fault("a theme starts with a key, not with a list or a text", hint, tree.place))
    known = [part.key for part in THEME]
    nodes = {key.text: value for key, value in tree.entries if key.text in known}
    for key, value in [(key, value) for key, value in tree.entries if key.text not in known][:MOST_UNKNOWN]:
        collector.add_unknown(key, known)
        nodes.setdefault(find_closest(key.text, known), value)  # one mistake should not hide another below it
    return nodes


@dataclass(frozen=True)
class _ThemeFile:
    """A theme file whose syntax was read: the nodes of its keys, and where its faults are collected."""

    path: Path
    shown: str
    top: Mapping[str, Node]
    collector: FaultCollector

    @cached_property
    def folder(self) -> Path:
        """The folder that pictures, fonts and profiles are looked for in."""
        return self.path.parent.resolve()

    @property
    def name(self) -> str:
        """What results are called after."""
        stem = self.folder.name if self.path.name == THEME_FILE else self.path.stem
        return make_file_name(stem, "theme")

    @cached_property
    def places(self) -> dict[str, Place]:
        """Where each key stands, also those of sections: `deck.cards`."""
        inner = {
            f"{key}.{name.text}": value.place
            for key, node in self.top.items()
            if isinstance(node, MapNode)
            for name, value in node.entries
        }
        return {key: node.place for key, node in self.top.items()} | inner

    def read(self, field: Field) -> Any | None:
        """Return the value of a key; None where it is not there or wrong."""
        return self.collector.read(field.key, field.kind, self.top.get(field.key))


def _read_options(file: _ThemeFile, asked: Values, asked_profile: Profile | None) -> Theme:
    """Step one: a theme that has its options, merged from what counts least to what counts most, and nothing else."""
    own = read_sections(file.top, SECTIONS, file.folder, file.collector)
    profile = asked_profile or _read_profile(file)
    values = merge_values(*((own, profile.values) if asked_profile else (profile.values, own)), asked)
    if own["deck"].get("levels") and asked.get("deck", {}).get("cards"):
        raise UsageError(Fault("--cards: this theme makes a deck of its own for each level", "Leave it out."))
    values["card"], remarks = profile.adapt(values["card"], asked.get("card", {}))
    is_complete = len(values["labels"]) == len(LABELS.fields)  # what is missing is a fault already
    sections = [section for section in SECTIONS if section is not LABELS or is_complete]
    made: Any = {section.key: section.model(**values[section.key]) for section in sections}
    theme = Theme(file.name, file.shown, file.folder, {}, {}, (), (), places=file.places, **made)
    return replace(theme, profile=profile.name, remarks=remarks)


def _read_profile(file: _ThemeFile) -> Profile:
    """Return the profile that the theme names."""
    node, name = file.top.get(PROFILE.key), file.read(PROFILE)
    if node is None or name is None:
        return ANY
    try:
        profile, faults = read_profile(find_own_profile(name, file.folder), name)
    except InvalidValue as refusal:
        file.collector.add(node.place, refusal.what, refusal.hint)
        return ANY
    file.collector.faults += faults
    return profile


def _read_symbols(file: _ThemeFile, theme: Theme, asked: tuple[str, ...]) -> Theme:
    """Step two: add the symbols and their languages; those of the command line count more than those listed."""
    before = len(file.collector.faults)
    listed = _read_languages(file)
    maybe = tuple(ARTICLES) if len(file.collector.faults) > before else ()  # its words are no further faults
    style = read_face_style(file.top, file.folder, theme.deck.seed, file.collector)
    drafts = _read_drafts(file, (*(listed or ()), *maybe), style, next(iter((*asked, *(listed or ()))), ""))
    wanted = dict.fromkeys(asked) if asked else listed
    titles = _read_titles(file)
    if wanted is None:
        languages = derive_languages(drafts, titles.tried if titles else None)
    else:
        check_names(drafts, wanted, file.collector)
        languages = tuple(wanted)
    check_distinct(drafts, languages, file.collector)
    theme = replace(theme, languages=languages, fill=_read_fill(file))
    symbols = choose_art(_finish_symbols(file, theme, drafts, style), file.read(ART) or Emoji.art, theme.sheet.low_ink)
    theme = replace(theme, symbols=symbols, title=_complete_titles(file, titles, languages))
    return _add_rest(file, theme, [draft.make_id(languages) for draft in drafts])


def _read_drafts(file: _ThemeFile, languages: tuple[str, ...], style: FaceStyle, printed: str) -> list[Draft]:
    """Return the symbols as far as they can be read; `printed` is the language that cards are printed for."""
    node, collector = file.top.get(SYMBOLS.key), file.collector
    if node is None:
        collector.add(Place(file.shown, 1, 1), "the theme has no symbols", "Add symbols: and a list below it.")
        return []
    before = len(collector.faults)
    notation = printed if file.read(NOTATION) == "language" else ""
    pictures, needs_picture = PictureFolder(file.folder), style.needs_picture()
    defaults = SymbolDefaults(pictures, languages, file.read(CROP) or "none", needs_picture, notation)
    drafts = read_symbols(collector.read_items(SYMBOLS.key, node), defaults, collector)
    shortage = explain_shortage(len(drafts), FILL.key in file.top)
    if shortage and len(collector.faults) == before:
        collector.add(node.place, *shortage)
    return drafts


def _read_languages(file: _ThemeFile) -> dict[str, Place | None] | None:
    """Return the languages that the theme lists with their places; None where it does not list them."""
    node, collector = file.top.get(LANGUAGES.key), file.collector
    if node is None:
        return None
    listed: dict[str, Place | None] = {}
    is_one = isinstance(node, TextNode) and not node.empty
    items = (node,) if is_one else collector.read_items(LANGUAGES.key, node)
    if len(items) > MOST_LANGUAGES:
        collector.add(items[MOST_LANGUAGES].place, f"more than {MOST_LANGUAGES} languages", "List fewer.")
    for item in items[:MOST_LANGUAGES]:
        code = collector.read(LANGUAGES.key, LANGUAGES.kind, item)
        if code in listed:
            collector.add(item.place, f"{language_name(code)} is listed twice", "Remove one.")
        elif code:
            listed[code] = item.place
    return listed


def _read_titles(file: _ThemeFile) -> Names | None:
    """Return the titles where they go by language."""
    node = file.top.get(TITLE.key)
    if not isinstance(node, MapNode):
        return None
    titles = Names()
    titles.add_all(TITLE.key, node, TITLE.kind, file.collector)
    return titles


def _complete_titles(file: _ThemeFile, titles: Names | None, languages: tuple[str, ...]) -> dict[str, str]:
    """Return a title for each language; a theme without languages has its one title under the empty code."""
    everywhere, default = languages or ("",), make_title(file.name)
    if titles is None:
        return dict.fromkeys(everywhere, file.read(TITLE) or default)
    place = file.top[TITLE.key].place
    titles.demand("the title", languages, place, file.collector, ", or give one title for all")
    return titles.good or dict.fromkeys(everywhere, default)


def _read_purpose(file: _ThemeFile) -> dict[str, str]:
    """Return what the theme is for; it stands on no page, so no language has to have it."""
    node = file.top.get(PURPOSE.key)
    if not isinstance(node, MapNode):
        told = file.read(PURPOSE)
        return {ALL_LANGUAGES: told} if told else {}
    texts = Names()
    texts.add_all(PURPOSE.key, node, PURPOSE.kind, file.collector)
    return texts.good


def _read_fill(file: _ThemeFile) -> str:
    """Return the group of the lexicon that completes the deck, or nothing."""
    wanted = file.read(FILL)
    try:
        return check_group(wanted) if wanted else ""
    except InvalidValue as refusal:
        file.collector.add(file.top[FILL.key].place, f"fill: {refusal.what}", refusal.hint)
        return ""


def _finish_symbols(file: _ThemeFile, theme: Theme, drafts: Sequence[Draft], style: FaceStyle) -> tuple[Symbol, ...]:
    """Return the symbols of good drafts with all their faces, completed from the lexicon where the theme wants it."""
    spoken = list_face_languages([*style.faces, *(face for draft in drafts for face in draft.faces)])
    rotation, deck = theme.layout.rotation, theme.deck
    finished = [finish_symbol(draft, theme.languages, rotation, spoken) for draft in drafts]
    symbols = tuple(symbol for symbol in finished if symbol)
    own = {symbol.id: draft.faces for draft, symbol in zip(drafts, finished, strict=True) if symbol and draft.faces}
    if theme.fill and not file.collector.faults:  # a theme with faults may have more symbols than could be read
        place = file.top[FILL.key].place
        named = tuple(dict.fromkeys((*theme.languages, *spoken)))
        per_card = max(deck.levels) if deck.levels else deck.symbols_per_card
        symbols = fill_symbols(symbols, named, theme.fill, deck.seed, per_card, rotation, place)
        if len(symbols) < FEWEST_SYMBOLS:
            what = f"the theme has only {len(symbols)} symbols, and they cannot be filled up"
            hint = f"Give at least {FEWEST_SYMBOLS}, or another group: fill: {ANY_GROUP}."
            file.collector.add(place, what, hint)
    symbols = add_faces(symbols, own, style, file.collector, file.read(FACES_BY) == "card")
    check_faces(symbols, file.collector)
    return symbols


def _add_rest(file: _ThemeFile, theme: Theme, ids: Sequence[str]) -> Theme:
    """Step three: add what is read last, because it speaks of symbols or languages.

    `ids` are those of the theme's own symbols, also of those that have faults.
    """
    specials = read_specials(file.top.get(SPECIALS.key), ids, theme.languages, file.collector)
    known = {symbol.id for symbol in theme.symbols}
    notes: Any = {field.key: read_notes(field, file.top.get(field.key), file.collector) for field in NOTES}
    return replace(
        theme,
        purpose=_read_purpose(file),
        article=bool(file.read(ARTICLE)),
        legend_order=file.read(LEGEND_ORDER) or "name",
        faces_by=_read_faces_by(file, theme.symbols),
        teams=read_teams(file.top.get(TEAMS.key), theme.languages, file.collector),
        specials=tuple(special for special in specials if special.symbol in known),
        **notes,
    )
